// resolve.c -- states and forces of the contacts at an instant: the start, an event, a break of a
// drive.
//   Without a jump (gamma = 0) velocities are continuous and forces may jump: contacts at rest get
//   the forces that minimise 1/2 x'W x + a'x in their boxes, W = G'(0+), a the accelerations.
//   With a jump velocities follow the forces at once: y' = known + gamma F with F on its friction
//   curve, one contact after the other until nothing moves (unique while gamma (-f') < 1).
#include <math.h>
#include <string.h>

#include "contact/forces.h"
#include "engine/memory/memory.h"

void jd_state_velocities(const memory *e, double *v) {
    const poles *c = &e->plan->poles;
    if (e->panel.weighed)
        memcpy(v, e->panel.by_poles, (size_t)e->plan->m * sizeof *v);
    else
        jd_weigh_rows(e->plan->m, c->n, c->out_re, c->out_im, e->state.z_re, e->state.z_im, v);
    for (int j = 0; j < e->plan->m; j++) {
        jd_drives_motion(e, e->plan->drive, j, e->state.t, NULL, &v[j], NULL);
        if (e->plan->echo) v[j] += e->panel.echo->past0[j] = jd_echoes_past(e, j, e->state.t, true);
    }
}

void jd_state_places(const memory *e, double *u) {
    const poles *c = &e->plan->poles;
    jd_weigh_rows(e->plan->m, c->n, c->place_re, c->place_im, e->state.z_re, e->state.z_im, u);
    for (int j = 0; j < e->plan->m; j++) {
        jd_drives_motion(e, e->plan->drive, j, e->state.t, &u[j], NULL, NULL);
        if (e->plan->echo) u[j] += e->state.echo->moved[j];
        if (e->plan->stop[j].is) u[j] -= e->plan->belt[j] * e->state.t;
    }
}

// In the order of time: chatter ends later than the impact that it is summed up at.
void jd_note_event(memory *e, double t, int j, jd_contact_state from, jd_contact_state to,
                   double speed, double impulse) {
    int at = e->queue.n++;
    for (; at > e->queue.next && e->queue.event[at - 1].t > t; at--)
        e->queue.event[at] = e->queue.event[at - 1];
    e->queue.event[at] = (jd_event){
        .t = t, .contact = j, .from = from, .to = to, .speed = speed, .impulse = impulse};
}

// Accelerations at t0 without contact forces.
void jd_accelerations(memory *e, double *a) {
    const poles *c = &e->plan->poles;
    int n = c->n;
    for (int p = 0; p < n; p++) {
        e->scratch.z_re[p] = c->re[p] * e->state.z_re[p] - c->im[p] * e->state.z_im[p];
        e->scratch.z_im[p] = c->re[p] * e->state.z_im[p] + c->im[p] * e->state.z_re[p];
    }
    jd_weigh_rows(e->plan->m, n, c->out_re, c->out_im, e->scratch.z_re, e->scratch.z_im, a);
    for (int j = 0; j < e->plan->m; j++)
        jd_drives_motion(e, e->plan->drive, j, e->state.t, NULL, NULL, &a[j]);
}

static double slide_force(const memory *e, int j, double v) {
    double rate;
    int s = jd_contact_sign(e->state.contact[j]);
    return -s * jd_friction_at(&e->plan->law[j], s * (v - e->plan->belt[j]), &rate);
}

// Forces of sliding contacts from the state alone, F = -s f(s v), v = known + gamma F: one step of
// Newton's method from the force the panel before ended with, which carries its error.
void jd_slide_forces(memory *e) {
    int m = e->plan->m;
    double *v = e->scratch.velocity, rate;
    bool slides = false;
    for (int j = 0; j < m; j++)
        slides = slides || (jd_contact_sign(e->state.contact[j]) && !e->state.fresh[j]);
    if (!slides) return;
    jd_state_velocities(e, v);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) v[i] += e->plan->poles.gamma[i * m + j] * e->state.force[j];
    for (int j = 0; j < m; j++) {
        int s = jd_contact_sign(e->state.contact[j]);
        if (s == 0 || e->state.fresh[j]) continue; // fresh: it begins on the edge of its curve
        double off = e->state.force[j] +
                     s * jd_friction_at(&e->plan->law[j], s * (v[j] - e->plan->belt[j]), &rate);
        e->state.force[j] -= off / (1 + e->plan->poles.gamma[j * m + j] * rate);
    }
}

// The same where forces move their contacts at once: gamma F = belt - v over those at rest. Sharp
// waves jump by their error from panel to panel of the past; a force from before such a jump would
// let no panel after it be short enough.
static void hold_by_jumps(memory *e) {
    int m = e->plan->m, n = 0, set[JD_GUARD_LIMIT];
    double *v = e->scratch.velocity, *G = e->scratch.matrix, *b = e->scratch.right_side;
    const double *gamma = e->plan->poles.gamma;
    for (int j = 0; j < m; j++)
        if (jd_contact_at_rest(e->state.contact[j])) set[n++] = j;
    if (n == 0) return;
    jd_state_velocities(e, v);
    for (int i = 0; i < n; i++) {
        b[i] = e->plan->belt[set[i]] - v[set[i]];
        for (int j = 0; j < m; j++)
            if (!jd_contact_at_rest(e->state.contact[j]))
                b[i] -= gamma[set[i] * m + j] * e->state.force[j];
        for (int k = 0; k < n; k++) G[i * n + k] = gamma[set[i] * m + set[k]];
    }
    if (!jd_eliminate(n, G, b)) return;
    for (int i = 0; i < n; i++) e->state.force[set[i]] = b[i];
}

// Forces of stuck contacts from the state alone: W F = -a over them. The forces a panel ends with
// carry its error; these do not.
void jd_hold_forces(memory *e) {
    int m = e->plan->m, n = 0, set[JD_GUARD_LIMIT];
    double *a = e->scratch.acceleration, *G = e->scratch.matrix, *b = e->scratch.right_side;
    if (e->plan->echo && e->plan->echo->sharp && e->plan->jumps) hold_by_jumps(e);
    if (e->plan->jumps) return; // they are part of the panel's
    for (int j = 0; j < m; j++)
        if (jd_contact_at_rest(e->state.contact[j])) set[n++] = j;
    if (n == 0) return;
    jd_accelerations(e, a);
    for (int i = 0; i < n; i++) {
        b[i] = -a[set[i]];
        for (int j = 0; j < m; j++)
            if (!jd_contact_at_rest(e->state.contact[j]))
                b[i] -= e->plan->poles.start[set[i] * m + j] * e->state.force[j];
        for (int k = 0; k < n; k++) G[i * n + k] = e->plan->poles.start[set[i] * m + set[k]];
    }
    if (!jd_eliminate(n, G, b)) return;
    for (int i = 0; i < n; i++) e->state.force[set[i]] = b[i];
}

// Velocities that rounding, or the place of an event, left the stuck contacts: taken away by
// impulses, W P = belt - v over them. As forces in the next panel they would be v/(W h), large
// where it is short. Where infinitely many modes make the memory rough, impulses themselves are
// noise in forces that come from the rise of velocities alone: what is below `share` of the
// tolerance stays.
static void hold(memory *e, double share) {
    int m = e->plan->m, n = 0, set[JD_GUARD_LIMIT];
    double *v = e->scratch.velocity, *G = e->scratch.matrix, *P = e->scratch.right_side;
    if (e->plan->jumps) return; // forces take them away
    for (int j = 0; j < m; j++)
        if (jd_contact_at_rest(e->state.contact[j])) set[n++] = j;
    if (n == 0) return;
    jd_state_velocities(e, v);
    bool drifts = share == 0;
    for (int i = 0; i < n; i++) {
        int j = set[i];
        P[i] = e->plan->belt[j] - v[j];
        drifts =
            drifts || fabs(P[i]) > share * fmax(e->plan->tolerance, 1e-11) * e->state.v_scale[j];
        for (int k = 0; k < n; k++) G[i * n + k] = e->plan->poles.start[j * m + set[k]];
    }
    if (!drifts || !jd_eliminate(n, G, P)) return;
    for (int i = 0; i < n; i++) jd_poles_push(e, set[i], P[i]);
    for (int i = 0; i < n; i++) P[i] = 1;
    jd_observers_push(e, n, set, P);
}

void jd_hold_still(memory *e) { hold(e, 0); }
void jd_hold_drift(memory *e) { hold(e, e->plan->poles.exact ? 0 : 0.01); }

// The box of a contact at rest: its force there is friction below a limit, or a stop's push.
static void set_box(const memory *e, int j, bool kinetic, double *low, double *high) {
    const jd_friction *l = &e->plan->law[j];
    bool friction = !e->plan->stop[j].is, above = e->state.side[j].touch > 0;
    double limit = kinetic ? fmin(l->limit, l->hold) : l->hold, none = HUGE_VAL;
    *low = friction ? -limit : above ? -none : 0;
    *high = friction ? limit : above ? 0 : none;
}

static jd_contact_state state_of(const memory *e, int j, jd_bound bound) {
    if (e->plan->stop[j].is)
        return bound != JD_INSIDE           ? JD_CONTACT_OPEN
               : e->state.side[j].touch > 0 ? JD_CONTACT_CLOSED_ABOVE
                                            : JD_CONTACT_CLOSED_BELOW;
    return bound == JD_INSIDE    ? JD_CONTACT_STUCK
           : bound == JD_AT_HIGH ? JD_CONTACT_SLIDING_MINUS
                                 : JD_CONTACT_SLIDING_PLUS;
}

// Box problem of the contacts in `rest`; their states and forces come from it. A contact pushed
// onto its static limit has only the kinetic one from then on.
static void hold_or_slide(memory *e, const bool *rest) {
    int m = e->plan->m, n = 0, set[JD_GUARD_LIMIT];
    const memory_scratch *to = &e->scratch;
    double *a = to->acceleration, *G = to->box_matrix, *b = to->box_free, *low = to->box_low,
           *high = to->box_high, *x = to->box_force;
    jd_bound bound[JD_GUARD_LIMIT];
    jd_accelerations(e, a);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            if (!rest[j]) a[i] += e->plan->poles.start[i * m + j] * e->state.force[j];
    for (int j = 0; j < m; j++) {
        if (!rest[j]) continue;
        b[n] = a[j];
        set_box(e, j, false, &low[n], &high[n]);
        set[n++] = j;
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) G[i * n + k] = e->plan->poles.start[set[i] * m + set[k]];
    for (bool again = n > 0; again;) {
        jd_forces_solve(n, G, n, b, low, high, x, to->box_left, bound, to->box_inside);
        again = false;
        for (int i = 0; i < n; i++) {
            const jd_friction *l = &e->plan->law[set[i]];
            if (e->plan->stop[set[i]].is || bound[i] == JD_INSIDE || high[i] <= l->limit) continue;
            set_box(e, set[i], true, &low[i], &high[i]);
            again = again || high[i] < l->hold;
        }
    }
    for (int i = 0; i < n; i++) {
        int j = set[i];
        e->state.contact[j] = state_of(e, j, bound[i]);
        if (bound[i] == JD_INSIDE)
            e->state.force[j] = x[i];
        else
            e->state.force[j] = e->plan->stop[j].is ? 0 : slide_force(e, j, e->plan->belt[j]);
        if (e->state.contact[j] == JD_CONTACT_OPEN) e->state.side[j].touch = 0;
        e->state.fresh[j] = true;
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
    const jd_friction *l = &e->plan->law[j];
    int touch = e->state.side[j].touch;
    double gamma = e->plan->poles.gamma[j * e->plan->m + j], rate;
    if (e->plan->stop[j].is) { // v + gamma F = 0 where it touches and is not left
        bool closed = touch != 0 && touch * free >= -jd_stops_quiet(e, j) * gamma;
        e->state.contact[j] = !closed     ? JD_CONTACT_OPEN
                              : touch > 0 ? JD_CONTACT_CLOSED_ABOVE
                                          : JD_CONTACT_CLOSED_BELOW;
        e->state.force[j] = closed ? -free / gamma : 0;
        return;
    }
    int s = jd_contact_sign(e->state.contact[j]);
    bool slides = s * free > l->edge + gamma * jd_friction_at(l, l->edge, &rate);
    if (!slides && fabs(free) <= gamma * l->hold) {
        e->state.contact[j] = JD_CONTACT_STUCK;
        e->state.force[j] = -free / gamma;
        return;
    }
    if (!slides) s = free > 0 ? 1 : -1;
    e->state.contact[j] = s > 0 ? JD_CONTACT_SLIDING_PLUS : JD_CONTACT_SLIDING_MINUS;
    e->state.force[j] = sliding_force(l, gamma, s, s * free);
}

static void settle_all(memory *e) {
    int m = e->plan->m;
    double *known = e->scratch.velocity;
    jd_state_velocities(e, known);
    for (int sweep = 0; sweep < 200; sweep++) {
        double moved = 0;
        for (int j = 0; j < m; j++) {
            double free = known[j] - e->plan->belt[j], was = e->state.force[j];
            for (int k = 0; k < m; k++)
                if (k != j) free += e->plan->poles.gamma[j * m + k] * e->state.force[k];
            settle(e, j, free);
            moved = fmax(moved, fabs(e->state.force[j] - was) / (e->state.f_scale[j] + fabs(was)));
        }
        if (moved < 1e-15 || m == 1) break;
    }
    for (int j = 0; j < m; j++) {
        stop_side *c = &e->state.side[j];
        if (e->state.contact[j] != JD_CONTACT_OPEN || c->touch == 0) continue;
        c->left = c->touch;
        c->touch = 0;
    }
}

// Slides or rests by its velocity; forces of those that slide.
static void sort_contacts(memory *e, bool *rest) {
    double *v = e->scratch.velocity;
    jd_state_velocities(e, v);
    for (int j = 0; j < e->plan->m; j++) {
        double u = v[j] - e->plan->belt[j], size = fabs(e->plan->belt[j]) + e->state.v_scale[j];
        rest[j] = e->plan->stop[j].is ? e->state.side[j].touch != 0 : fabs(u) <= 1e-12 * size;
        if (e->plan->stop[j].is) {
            if (!rest[j]) e->state.force[j] = 0;
            continue;
        }
        e->state.contact[j] = rest[j] ? JD_CONTACT_STUCK
                              : u > 0 ? JD_CONTACT_SLIDING_PLUS
                                      : JD_CONTACT_SLIDING_MINUS;
        if (!rest[j]) e->state.force[j] = slide_force(e, j, v[j]);
    }
}

// Events of contacts whose state changed; they are fresh, others are not.
static void note_changes(memory *e, const jd_contact_state *was) {
    for (int j = 0; j < e->plan->m; j++) {
        if (was[j] == e->state.contact[j]) continue;
        jd_note_event(e, fmax(e->state.t, e->state.side[j].stamp), j, was[j], e->state.contact[j],
                      0, 0);
        e->state.fresh[j] = true;
    }
}

// Stops that touch, their impulses, and what all contacts do after them.
static void resolve_jump(memory *e, jd_contact_state *was) {
    bool rest[JD_GUARD_LIMIT];
    bool jumped = jd_stops_impact(e);
    if (jumped) jd_stops_after(e);
    for (int j = 0; j < e->plan->m; j++)
        if (e->plan->stop[j].is) was[j] = e->state.contact[j]; // impacts tell their own events
    sort_contacts(e, rest);
    hold_or_slide(e, rest);
}

// One contact after the other, as at the start, but with the states they have.
static void settle_marked(memory *e, const double *known) {
    int m = e->plan->m;
    for (int j = 0; j < m; j++) {
        double free = known[j] - e->plan->belt[j], gamma = e->plan->poles.gamma[j * m + j];
        for (int k = 0; k < m; k++)
            if (k != j) free += e->plan->poles.gamma[j * m + k] * e->state.force[k];
        if (e->state.contact[j] == JD_CONTACT_OPEN)
            e->state.force[j] = 0;
        else if (jd_contact_at_rest(e->state.contact[j]))
            e->state.force[j] = -free / gamma;
        else {
            e->state.contact[j] = free > 0 ? JD_CONTACT_SLIDING_PLUS : JD_CONTACT_SLIDING_MINUS;
            e->state.force[j] =
                sliding_force(&e->plan->law[j], gamma, free > 0 ? 1 : -1, fabs(free));
        }
    }
}

void jd_resolve_restart(memory *e) {
    double *v = e->scratch.velocity;
    memset(e->state.force, 0, (size_t)e->plan->m * sizeof *e->state.force);
    jd_hold_still(e);
    jd_state_velocities(e, v);
    for (int sweep = 0; e->plan->jumps && sweep < (e->plan->m == 1 ? 1 : 200); sweep++)
        settle_marked(e, v);
    for (int j = 0; j < e->plan->m; j++) {
        e->state.fresh[j] = true;
        if (e->plan->jumps || e->plan->stop[j].is || e->state.contact[j] == JD_CONTACT_STUCK)
            continue;
        e->state.contact[j] =
            v[j] > e->plan->belt[j] ? JD_CONTACT_SLIDING_PLUS : JD_CONTACT_SLIDING_MINUS;
        e->state.force[j] = slide_force(e, j, v[j]);
    }
}

// Velocity of contact j relative to its counterpart before forces begin: drives move it at once.
static double before_forces(const memory *e, int j, double velocity) {
    for (int d = 0; d < e->plan->n_drive; d++) {
        double jump =
            e->plan->echo ? e->plan->echo->jump[d * e->plan->m + j] : e->plan->drive[d].jump[j];
        velocity -= jump * jd_drives_value(e, d, e->state.t);
    }
    return velocity - e->plan->belt[j];
}

// A contact that moves slides at first and goes on where it can, as a point with ever less mass
// would: sticking is the other solution where friction holds more than it resists.
//                                               tested: a_contact_that_moves_slides_at_first
static void start_states(memory *e) {
    static const double still = 1e-6; // of the speeds
    double *v = e->scratch.velocity;
    if (e->plan->jumps) jd_state_velocities(e, v);
    for (int j = 0; j < e->plan->m; j++) {
        e->state.fresh[j] = true;
        e->state.contact[j] = e->plan->stop[j].is ? JD_CONTACT_OPEN : JD_CONTACT_STUCK;
        if (!e->plan->jumps || e->plan->stop[j].is) continue;
        double u = before_forces(e, j, v[j]);
        if (fabs(u) > still * (fabs(e->plan->belt[j]) + e->state.v_scale[j]))
            e->state.contact[j] = u > 0 ? JD_CONTACT_SLIDING_PLUS : JD_CONTACT_SLIDING_MINUS;
    }
}

jd_status jd_resolve_start(memory *e) {
    jd_contact_state was[JD_GUARD_LIMIT];
    start_states(e);
    JD_TRY(jd_stops_start(e));
    memcpy(was, e->state.contact, (size_t)e->plan->m * sizeof *was);
    if (e->plan->jumps) {
        settle_all(e);
        return JD_OK;
    }
    bool rest[JD_GUARD_LIMIT];
    sort_contacts(e, rest);
    memcpy(was, e->state.contact, (size_t)e->plan->m * sizeof *was);
    resolve_jump(e, was);
    note_changes(e, was);
    return JD_OK;
}

// With a jump: the force is continuous where the curve is, and jumps from the end of one branch to
// the other where it is not.
static void change_branch(memory *e, int j, bool lets_go) {
    const jd_friction *l = &e->plan->law[j];
    int m = e->plan->m, s = jd_contact_sign(e->state.contact[j]);
    double *known = e->scratch.velocity, gamma = e->plan->poles.gamma[j * m + j];
    if (!lets_go) e->state.contact[j] = JD_CONTACT_STUCK;
    if (l->edge == 0 && l->hold <= l->limit) return;
    jd_state_velocities(e, known);
    double free = known[j] - e->plan->belt[j];
    for (int k = 0; k < m; k++)
        if (k != j) free += e->plan->poles.gamma[j * m + k] * e->state.force[k];
    if (lets_go)
        e->state.force[j] = sliding_force(l, gamma, s, s * free);
    else if (l->edge > 0)
        e->state.force[j] = -free / gamma;
}

// A friction contact comes to rest or lets go.
static void resolve_friction(memory *e, int contact, bool *rest) {
    bool lets_go = e->state.contact[contact] == JD_CONTACT_STUCK;
    rest[contact] = !lets_go;
    if (lets_go)
        e->state.contact[contact] =
            e->state.force[contact] > 0 ? JD_CONTACT_SLIDING_MINUS : JD_CONTACT_SLIDING_PLUS;
    if (e->plan->jumps) {
        change_branch(e, contact, lets_go);
        return;
    }
    if (lets_go) e->state.force[contact] = slide_force(e, contact, e->plan->belt[contact]);
    hold_or_slide(e, rest);
}

// A stop is reached, or no longer pushed.
static void resolve_stop(memory *e, int contact, bool *rest, jd_contact_state *was) {
    if (e->state.contact[contact] != JD_CONTACT_OPEN) {
        e->state.contact[contact] = JD_CONTACT_OPEN;
        e->state.side[contact].touch = 0;
        e->state.force[contact] = 0;
        rest[contact] = false;
        if (!e->plan->jumps) hold_or_slide(e, rest);
        return;
    }
    jd_stops_reach(e, contact);
    if (e->plan->jumps)
        settle_all(e);
    else
        resolve_jump(e, was);
}

void jd_resolve_event(memory *e, int contact) {
    jd_contact_state was[JD_GUARD_LIMIT];
    bool rest[JD_GUARD_LIMIT];
    memcpy(was, e->state.contact, (size_t)e->plan->m * sizeof *was);
    for (int j = 0; j < e->plan->m; j++) {
        rest[j] = jd_contact_at_rest(e->state.contact[j]);
        e->state.fresh[j] = false;
    }
    if (e->plan->stop[contact].is)
        resolve_stop(e, contact, rest, was);
    else
        resolve_friction(e, contact, rest);
    note_changes(e, was);
    e->state.fresh[contact] = true;
}

void jd_resolve_break(memory *e) {
    jd_contact_state was[JD_GUARD_LIMIT];
    bool rest[JD_GUARD_LIMIT];
    memcpy(was, e->state.contact, (size_t)e->plan->m * sizeof *was);
    if (e->plan->jumps) {
        settle_all(e);
    } else {
        for (int j = 0; j < e->plan->m; j++) rest[j] = jd_contact_at_rest(e->state.contact[j]);
        hold_or_slide(e, rest);
    }
    note_changes(e, was);
}
