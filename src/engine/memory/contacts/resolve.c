// resolve.c -- at the start, at events and where a drive breaks: who sticks, who slides, with what
// force.
//   Without a jump (gamma = 0) velocities are continuous and forces may jump: contacts at rest get
//   the forces that minimise 1/2 x'W x + a'x in their boxes, W = G'(0+), a the accelerations.
//   With a jump velocities follow the forces at once: y' = known + gamma F with F on its friction
//   curve, one contact after the other until nothing moves (unique while gamma (-f') < 1).
#include <math.h>
#include <string.h>

#include "contact/forces.h"
#include "engine/memory/memory.h"

void jd_state_velocities(const memory *e, double *v) {
    const poles *c = &e->ch;
    jd_weigh_rows(e->m, c->n, c->out_re, c->out_im, c->z_re, c->z_im, v);
    for (int j = 0; j < e->m; j++) {
        jd_drives_motion(e, e->drive, j, e->t0, NULL, &v[j], NULL);
        if (e->echo) v[j] += e->echo->past0[j] = jd_echoes_past(e, j, e->t0, true);
    }
}

// In the order of time: chatter ends later than the impact that it is summed up at.
void jd_note_event(memory *e, double t, int j, contact_state from, contact_state to, double speed,
                   double impulse) {
    int at = e->n_queue++;
    for (; at > e->next_queue && e->queue[at - 1].t > t; at--) e->queue[at] = e->queue[at - 1];
    e->queue[at] = (jd_event){.t = t,
                              .contact = j,
                              .from = state_letter(from),
                              .to = state_letter(to),
                              .speed = speed,
                              .impulse = impulse};
}

// Accelerations at t0 without contact forces.
void jd_accelerations(memory *e, double *a) {
    const poles *c = &e->ch;
    int n = c->n;
    for (int p = 0; p < n; p++) {
        e->work_re[p] = c->re[p] * c->z_re[p] - c->im[p] * c->z_im[p];
        e->work_im[p] = c->re[p] * c->z_im[p] + c->im[p] * c->z_re[p];
    }
    jd_weigh_rows(e->m, n, c->out_re, c->out_im, e->work_re, e->work_im, a);
    for (int j = 0; j < e->m; j++) jd_drives_motion(e, e->drive, j, e->t0, NULL, NULL, &a[j]);
}

static double slide_force(const memory *e, int j, double v) {
    double rate;
    int s = slide_sign(e->marks[j]);
    return -s * jd_friction_at(&e->law[j], s * (v - e->belt[j]), &rate);
}

// Forces of sliding contacts from the state alone, F = -s f(s v), v = known + gamma F: one step of
// Newton's method from the force the panel before ended with, which carries its error.
void jd_slide_forces(memory *e) {
    int m = e->m;
    double *v = e->scratch, rate;
    bool slides = false;
    for (int j = 0; j < m; j++) slides = slides || (slide_sign(e->marks[j]) && !e->fresh[j]);
    if (!slides) return;
    jd_state_velocities(e, v);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) v[i] += e->ch.gamma[i * m + j] * e->F0[j];
    for (int j = 0; j < m; j++) {
        int s = slide_sign(e->marks[j]);
        if (s == 0 || e->fresh[j]) continue; // fresh: it begins on the edge of its curve
        double off = e->F0[j] + s * jd_friction_at(&e->law[j], s * (v[j] - e->belt[j]), &rate);
        e->F0[j] -= off / (1 + e->ch.gamma[j * m + j] * rate);
    }
}

// Forces of stuck contacts from the state alone: W F = -a over them. The forces a panel ends with
// carry its error; these do not.
void jd_hold_forces(memory *e) {
    int m = e->m, n = 0, set[JD_GUARD_LIMIT];
    double *a = e->scratch, *G = e->jacobian, *b = e->residual;
    for (int j = 0; j < m; j++)
        if (is_fixed(e->marks[j])) set[n++] = j;
    if (n == 0 || e->jumps) return;
    jd_accelerations(e, a);
    for (int i = 0; i < n; i++) {
        b[i] = -a[set[i]];
        for (int j = 0; j < m; j++)
            if (!is_fixed(e->marks[j])) b[i] -= e->ch.start[set[i] * m + j] * e->F0[j];
        for (int k = 0; k < n; k++) G[i * n + k] = e->ch.start[set[i] * m + set[k]];
    }
    if (!jd_eliminate(n, G, b)) return;
    for (int i = 0; i < n; i++) e->F0[set[i]] = b[i];
}

// Velocities that rounding, or the place of an event, left the stuck contacts: taken away by
// impulses, W P = belt - v over them. As forces in the next panel they would be v/(W h), large
// where it is short. Where infinitely many modes make the memory rough, impulses themselves are
// noise in forces that come from the rise of velocities alone: what is below `share` of the
// tolerance stays.
static void hold(memory *e, double share) {
    int m = e->m, n = 0, set[JD_GUARD_LIMIT];
    double *v = e->scratch, *G = e->jacobian, *P = e->residual;
    for (int j = 0; j < m; j++)
        if (is_fixed(e->marks[j])) set[n++] = j;
    if (n == 0 || e->jumps) return;
    jd_state_velocities(e, v);
    bool drifts = share == 0;
    for (int i = 0; i < n; i++) {
        int j = set[i];
        P[i] = e->belt[j] - v[j];
        drifts = drifts || fabs(P[i]) > share * fmax(e->tolerance, 1e-11) * e->v_scale[j];
        for (int k = 0; k < n; k++) G[i * n + k] = e->ch.start[j * m + set[k]];
    }
    if (!drifts || !jd_eliminate(n, G, P)) return;
    for (int i = 0; i < n; i++) jd_poles_push(e, set[i], P[i]);
    for (int i = 0; i < n; i++) P[i] = 1;
    jd_tangent_push(e, n, set, P);
}

void jd_hold_still(memory *e) { hold(e, 0); }
void jd_hold_drift(memory *e) { hold(e, e->ch.exact ? 0 : 0.01); }

// The box of a contact at rest: its force there is friction below a limit, or a stop's push.
static void set_box(const memory *e, int j, bool kinetic, double *low, double *high) {
    const jd_friction *l = &e->law[j];
    const stop *c = &e->stop[j];
    double limit = kinetic ? fmin(l->limit, l->hold) : l->hold, none = HUGE_VAL;
    *low = !c->is ? -limit : c->touch > 0 ? -none : 0;
    *high = !c->is ? limit : c->touch > 0 ? 0 : none;
}

static contact_state state_of(const memory *e, int j, jd_bound bound) {
    if (e->stop[j].is) return bound != JD_INSIDE ? OPEN : e->stop[j].touch > 0 ? UPPER : LOWER;
    return bound == JD_INSIDE ? STUCK : bound == JD_AT_HIGH ? MINUS : PLUS;
}

// Box problem of the contacts in `rest`; their states and forces come from it. A contact pushed
// onto its static limit has only the kinetic one from then on.
static void hold_or_slide(memory *e, const bool *rest) {
    int m = e->m, n = 0, set[JD_GUARD_LIMIT];
    double *a = e->scratch, *G = a + m, *b = G + m * m, *low = b + m, *high = low + m;
    double *x = high + m, *left = x + m, *work = left + m;
    jd_bound bound[JD_GUARD_LIMIT];
    jd_accelerations(e, a);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            if (!rest[j]) a[i] += e->ch.start[i * m + j] * e->F0[j];
    for (int j = 0; j < m; j++) {
        if (!rest[j]) continue;
        b[n] = a[j];
        set_box(e, j, false, &low[n], &high[n]);
        set[n++] = j;
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) G[i * n + k] = e->ch.start[set[i] * m + set[k]];
    for (bool again = n > 0; again;) {
        jd_forces_solve(n, G, n, b, low, high, x, left, bound, work);
        again = false;
        for (int i = 0; i < n; i++) {
            const jd_friction *l = &e->law[set[i]];
            if (e->stop[set[i]].is || bound[i] == JD_INSIDE || high[i] <= l->limit) continue;
            set_box(e, set[i], true, &low[i], &high[i]);
            again = again || high[i] < l->hold;
        }
    }
    for (int i = 0; i < n; i++) {
        int j = set[i];
        e->marks[j] = state_of(e, j, bound[i]);
        if (bound[i] == JD_INSIDE)
            e->F0[j] = x[i];
        else
            e->F0[j] = e->stop[j].is ? 0 : slide_force(e, j, e->belt[j]);
        if (e->marks[j] == OPEN) e->stop[j].touch = 0;
        e->fresh[j] = true;
    }
}

// Force on the sliding branch: u + gamma f(u) = target rises from its edge on. Newton's method,
// kept in [edge, target]; from above where the edge has no slope.
static double sliding_force(const jd_friction *l, double gamma, int s, double target) {
    double u = l->edge > 0 ? target : 0, rate;
    for (int i = 0; i < 100; i++) {
        double step = (u + gamma * jd_friction_at(l, u, &rate) - target);
        step /= 1 + gamma * rate;
        double next = fmin(fmax(u - step, l->edge), target);
        if (fabs(next - u) <= 1e-16 * target) break;
        u = next;
    }
    return -s * jd_friction_at(l, u, &rate);
}

// One contact: v + gamma s f(s v) = free, or stuck with |F| <= hold. Where both are possible the
// contact stays in the state it has (hysteresis; a static limit above the kinetic one).
static void settle(memory *e, int j, double free) {
    const jd_friction *l = &e->law[j];
    stop *c = &e->stop[j];
    double gamma = e->ch.gamma[j * e->m + j], rate;
    if (c->is) { // v + gamma F = 0 where it touches and is not left
        bool closed = c->touch * free > 0;
        e->marks[j] = !closed ? OPEN : c->touch > 0 ? UPPER : LOWER;
        e->F0[j] = closed ? -free / gamma : 0;
        return;
    }
    int s = slide_sign(e->marks[j]);
    bool slides = s * free > l->edge + gamma * jd_friction_at(l, l->edge, &rate);
    if (!slides && fabs(free) <= gamma * l->hold) {
        e->marks[j] = STUCK;
        e->F0[j] = -free / gamma;
        return;
    }
    if (!slides) s = free > 0 ? 1 : -1;
    e->marks[j] = s > 0 ? PLUS : MINUS;
    e->F0[j] = sliding_force(l, gamma, s, s * free);
}

static void settle_all(memory *e) {
    int m = e->m;
    double *known = e->scratch;
    jd_state_velocities(e, known);
    for (int sweep = 0; sweep < 200; sweep++) {
        double moved = 0;
        for (int j = 0; j < m; j++) {
            double free = known[j] - e->belt[j], was = e->F0[j];
            for (int k = 0; k < m; k++)
                if (k != j) free += e->ch.gamma[j * m + k] * e->F0[k];
            settle(e, j, free);
            moved = fmax(moved, fabs(e->F0[j] - was) / (e->f_scale[j] + fabs(was)));
        }
        if (moved < 1e-15 || m == 1) break;
    }
    for (int j = 0; j < m; j++) {
        stop *c = &e->stop[j];
        if (e->marks[j] != OPEN || c->touch == 0) continue;
        c->left = c->touch;
        c->touch = 0;
    }
}

// Slides or rests by its velocity; forces of those that slide.
static void sort_contacts(memory *e, bool *rest) {
    double *v = e->scratch;
    jd_state_velocities(e, v);
    for (int j = 0; j < e->m; j++) {
        double u = v[j] - e->belt[j], size = fabs(e->belt[j]) + e->v_scale[j];
        rest[j] = e->stop[j].is ? e->stop[j].touch != 0 : fabs(u) <= 1e-12 * size;
        if (e->stop[j].is) {
            if (!rest[j]) e->F0[j] = 0;
            continue;
        }
        e->marks[j] = rest[j] ? STUCK : u > 0 ? PLUS : MINUS;
        if (!rest[j]) e->F0[j] = slide_force(e, j, v[j]);
    }
}

// Events of contacts whose state changed; they are fresh, others are not.
static void note_changes(memory *e, const contact_state *was) {
    for (int j = 0; j < e->m; j++) {
        if (was[j] == e->marks[j]) continue;
        jd_note_event(e, fmax(e->t0, e->stop[j].stamp), j, was[j], e->marks[j], 0, 0);
        e->fresh[j] = true;
    }
}

// Stops that touch, their impulses, and what all contacts do after them.
static void resolve_jump(memory *e, contact_state *was) {
    bool rest[JD_GUARD_LIMIT];
    bool jumped = jd_stops_impact(e);
    if (jumped) jd_stops_after(e);
    for (int j = 0; j < e->m; j++)
        if (e->stop[j].is) was[j] = e->marks[j]; // impacts tell their own events
    sort_contacts(e, rest);
    hold_or_slide(e, rest);
}

// One contact after the other, as at the start, but with the states they have.
static void settle_marked(memory *e, const double *known) {
    int m = e->m;
    for (int j = 0; j < m; j++) {
        double free = known[j] - e->belt[j], gamma = e->ch.gamma[j * m + j];
        for (int k = 0; k < m; k++)
            if (k != j) free += e->ch.gamma[j * m + k] * e->F0[k];
        if (e->marks[j] == OPEN)
            e->F0[j] = 0;
        else if (is_fixed(e->marks[j]))
            e->F0[j] = -free / gamma;
        else {
            e->marks[j] = free > 0 ? PLUS : MINUS;
            e->F0[j] = sliding_force(&e->law[j], gamma, free > 0 ? 1 : -1, fabs(free));
        }
    }
}

void jd_resolve_restart(memory *e) {
    double *v = e->u0;
    memset(e->F0, 0, (size_t)e->m * sizeof *e->F0);
    jd_hold_still(e);
    jd_state_velocities(e, v);
    for (int sweep = 0; e->jumps && sweep < (e->m == 1 ? 1 : 200); sweep++) settle_marked(e, v);
    for (int j = 0; j < e->m; j++) {
        e->fresh[j] = true;
        if (e->jumps || e->stop[j].is || e->marks[j] == STUCK) continue;
        e->marks[j] = v[j] > e->belt[j] ? PLUS : MINUS;
        e->F0[j] = slide_force(e, j, v[j]);
    }
}

jd_status jd_resolve_start(memory *e) {
    contact_state was[JD_GUARD_LIMIT];
    for (int j = 0; j < e->m; j++) {
        e->fresh[j] = true;
        e->marks[j] = e->stop[j].is ? OPEN : STUCK;
    }
    JD_TRY(jd_stops_start(e));
    memcpy(was, e->marks, (size_t)e->m * sizeof *was);
    if (e->jumps) {
        settle_all(e);
        return JD_OK;
    }
    bool rest[JD_GUARD_LIMIT];
    sort_contacts(e, rest);
    memcpy(was, e->marks, (size_t)e->m * sizeof *was);
    resolve_jump(e, was);
    note_changes(e, was);
    return JD_OK;
}

// With a jump: the force is continuous where the curve is, and jumps from the end of one branch to
// the other where it is not.
static void change_branch(memory *e, int j, bool lets_go) {
    const jd_friction *l = &e->law[j];
    int m = e->m, s = slide_sign(e->marks[j]);
    double *known = e->scratch, gamma = e->ch.gamma[j * m + j];
    if (!lets_go) e->marks[j] = STUCK;
    if (l->edge == 0 && l->hold <= l->limit) return;
    jd_state_velocities(e, known);
    double free = known[j] - e->belt[j];
    for (int k = 0; k < m; k++)
        if (k != j) free += e->ch.gamma[j * m + k] * e->F0[k];
    if (lets_go)
        e->F0[j] = sliding_force(l, gamma, s, s * free);
    else if (l->edge > 0)
        e->F0[j] = -free / gamma;
}

// A friction contact comes to rest or lets go.
static void resolve_friction(memory *e, int contact, bool *rest) {
    bool lets_go = e->marks[contact] == STUCK;
    rest[contact] = !lets_go;
    if (lets_go) e->marks[contact] = e->F0[contact] > 0 ? MINUS : PLUS;
    if (e->jumps) {
        change_branch(e, contact, lets_go);
        return;
    }
    if (lets_go) e->F0[contact] = slide_force(e, contact, e->belt[contact]);
    hold_or_slide(e, rest);
}

// A stop is reached, or no longer pushed.
static void resolve_stop(memory *e, int contact, bool *rest, contact_state *was) {
    if (e->marks[contact] != OPEN) {
        e->marks[contact] = OPEN;
        e->stop[contact].touch = 0;
        e->F0[contact] = 0;
        rest[contact] = false;
        if (!e->jumps) hold_or_slide(e, rest);
        return;
    }
    jd_stops_reach(e, contact);
    if (e->jumps)
        settle_all(e);
    else
        resolve_jump(e, was);
}

void jd_resolve_event(memory *e, int contact) {
    contact_state was[JD_GUARD_LIMIT];
    bool rest[JD_GUARD_LIMIT];
    memcpy(was, e->marks, (size_t)e->m * sizeof *was);
    for (int j = 0; j < e->m; j++) {
        rest[j] = is_fixed(e->marks[j]);
        e->fresh[j] = false;
    }
    if (e->stop[contact].is)
        resolve_stop(e, contact, rest, was);
    else
        resolve_friction(e, contact, rest);
    note_changes(e, was);
    e->fresh[contact] = true;
}

void jd_resolve_break(memory *e) {
    contact_state was[JD_GUARD_LIMIT];
    bool rest[JD_GUARD_LIMIT];
    memcpy(was, e->marks, (size_t)e->m * sizeof *was);
    if (e->jumps) {
        settle_all(e);
    } else {
        for (int j = 0; j < e->m; j++) rest[j] = is_fixed(e->marks[j]);
        hold_or_slide(e, rest);
    }
    note_changes(e, was);
}
