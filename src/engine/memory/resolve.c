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

static int sign_of(mark m) { return m == PLUS ? 1 : m == MINUS ? -1 : 0; }

void state_velocities(const memory *e, double *v) {
    const channels *c = &e->ch;
    weigh_rows(e->m, c->n, c->out_re, c->out_im, c->z_re, c->z_im, v);
    for (int j = 0; j < e->m; j++) {
        drives_motion(e, e->drive, j, e->t0, NULL, &v[j], NULL);
        if (e->echo) v[j] += delay_velocity(e->echo->line, j, e->t0, true);
    }
}

static void record(memory *e, int j, mark from, mark to) {
    static const char letter[] = {'H', '+', '-'};
    if (from == to) return;
    e->queue[e->n_queue++] =
        (jd_event){.t = e->t0, .contact = j, .from = letter[from], .to = letter[to]};
}

// Accelerations at t0 without contact forces.
static void accelerations(memory *e, double *a) {
    const channels *c = &e->ch;
    int n = c->n;
    for (int p = 0; p < n; p++) {
        e->work_re[p] = c->re[p] * c->z_re[p] - c->im[p] * c->z_im[p];
        e->work_im[p] = c->re[p] * c->z_im[p] + c->im[p] * c->z_re[p];
    }
    weigh_rows(e->m, n, c->out_re, c->out_im, e->work_re, e->work_im, a);
    for (int j = 0; j < e->m; j++) drives_motion(e, e->drive, j, e->t0, NULL, NULL, &a[j]);
}

static double slide_force(const memory *e, int j, double v) {
    double rate;
    int s = sign_of(e->marks[j]);
    return -s * friction_at(&e->law[j], s * (v - e->belt[j]), &rate);
}

// Forces of stuck contacts from the state alone: W F = -a over them. The forces a panel ends with
// carry its error; these do not.
void hold_forces(memory *e) {
    int m = e->m, n = 0, set[JD_GUARD_LIMIT];
    double *a = e->scratch, *G = e->jacobian, *b = e->residual;
    for (int j = 0; j < m; j++)
        if (e->marks[j] == HELD) set[n++] = j;
    if (n == 0 || e->jumps) return;
    accelerations(e, a);
    for (int i = 0; i < n; i++) {
        b[i] = -a[set[i]];
        for (int j = 0; j < m; j++)
            if (e->marks[j] != HELD) b[i] -= e->ch.start[set[i] * m + j] * e->F0[j];
        for (int k = 0; k < n; k++) G[i * n + k] = e->ch.start[set[i] * m + set[k]];
    }
    if (!eliminate(n, G, b)) return;
    for (int i = 0; i < n; i++) e->F0[set[i]] = b[i];
}

// Box problem of the contacts in `rest`; their marks and forces come from it.
static void hold_or_slide(memory *e, const bool *rest) {
    int m = e->m, n = 0;
    double *a = e->scratch, *G = a + m, *b = G + m * m, *low = b + m, *high = low + m;
    double *x = high + m, *left = x + m, *work = left + m;
    jd_bound bound[JD_GUARD_LIMIT];
    int set[JD_GUARD_LIMIT];
    accelerations(e, a);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            if (!rest[j]) a[i] += e->ch.start[i * m + j] * e->F0[j];
    for (int j = 0; j < m; j++) {
        if (!rest[j]) continue;
        b[n] = a[j];
        low[n] = -e->law[j].hold;
        high[n] = e->law[j].hold;
        set[n++] = j;
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) G[i * n + k] = e->ch.start[set[i] * m + set[k]];
    if (n) jd_forces_solve(n, G, n, b, low, high, x, left, bound, work);
    for (int i = 0; i < n; i++) {
        int j = set[i];
        e->marks[j] = bound[i] == JD_INSIDE ? HELD : bound[i] == JD_AT_HIGH ? MINUS : PLUS;
        e->F0[j] = bound[i] == JD_INSIDE ? x[i] : slide_force(e, j, e->belt[j]);
        e->fresh[j] = true;
    }
}

// One contact: v + gamma s f(s v) = free, or stuck with |F| <= hold.
static void settle(memory *e, int j, double free) {
    const friction *l = &e->law[j];
    double gamma = e->ch.gamma[j * e->m + j], rate;
    if (fabs(free) <= gamma * l->hold) {
        e->marks[j] = HELD;
        e->F0[j] = -free / gamma;
        return;
    }
    int s = free > 0 ? 1 : -1;
    double u = 0, target = fabs(free);
    for (int i = 0; i < 60; i++) { // u + gamma f(u) rises: Newton, kept in [0, target]
        double step = (u + gamma * friction_at(l, u, &rate) - target);
        step /= 1 + gamma * rate;
        double next = fmin(fmax(u - step, 0), target);
        if (fabs(next - u) <= 1e-16 * target) break;
        u = next;
    }
    e->marks[j] = s > 0 ? PLUS : MINUS;
    e->F0[j] = -s * friction_at(l, u, &rate);
}

static void settle_all(memory *e) {
    int m = e->m;
    double *known = e->scratch;
    state_velocities(e, known);
    for (int sweep = 0; sweep < 200; sweep++) {
        double moved = 0;
        for (int j = 0; j < m; j++) {
            double free = known[j] - e->belt[j], was = e->F0[j];
            for (int k = 0; k < m; k++)
                if (k != j) free += e->ch.gamma[j * m + k] * e->F0[k];
            settle(e, j, free);
            moved = fmax(moved, fabs(e->F0[j] - was) / (e->law[j].hold + fabs(was) + 1e-300));
        }
        if (moved < 1e-15 || m == 1) break;
    }
}

// Slides or rests by its velocity; forces of those that slide.
static void sort_contacts(memory *e, bool *rest) {
    double *v = e->scratch;
    state_velocities(e, v);
    for (int j = 0; j < e->m; j++) {
        double u = v[j] - e->belt[j], size = fabs(e->belt[j]) + e->v_scale[j];
        rest[j] = fabs(u) <= 1e-12 * size;
        e->marks[j] = rest[j] ? HELD : u > 0 ? PLUS : MINUS;
        if (!rest[j]) e->F0[j] = slide_force(e, j, v[j]);
    }
}

void resolve_start(memory *e) {
    bool rest[JD_GUARD_LIMIT];
    for (int j = 0; j < e->m; j++) e->fresh[j] = true;
    if (e->jumps) {
        settle_all(e);
        return;
    }
    sort_contacts(e, rest);
    mark was[JD_GUARD_LIMIT];
    memcpy(was, e->marks, (size_t)e->m * sizeof *was);
    hold_or_slide(e, rest);
    for (int j = 0; j < e->m; j++) record(e, j, was[j], e->marks[j]);
}

// Only contacts whose state changed are fresh; events are queued.
static void note_changes(memory *e, const mark *was) {
    for (int j = 0; j < e->m; j++) {
        record(e, j, was[j], e->marks[j]);
        e->fresh[j] = e->fresh[j] || was[j] != e->marks[j];
    }
}

void resolve_event(memory *e, int contact) {
    mark was[JD_GUARD_LIMIT];
    bool rest[JD_GUARD_LIMIT];
    memcpy(was, e->marks, (size_t)e->m * sizeof *was);
    for (int j = 0; j < e->m; j++) {
        rest[j] = e->marks[j] == HELD;
        e->fresh[j] = false;
    }
    bool lets_go = e->marks[contact] == HELD;
    if (lets_go) {
        rest[contact] = false;
        e->marks[contact] = e->F0[contact] > 0 ? MINUS : PLUS;
    } else {
        rest[contact] = true;
    }
    if (e->jumps) {
        if (!lets_go) e->marks[contact] = HELD; // the force is continuous
    } else {
        if (lets_go) e->F0[contact] = slide_force(e, contact, e->belt[contact]);
        hold_or_slide(e, rest);
    }
    note_changes(e, was);
    e->fresh[contact] = true;
}

void resolve_break(memory *e) {
    mark was[JD_GUARD_LIMIT];
    bool rest[JD_GUARD_LIMIT];
    memcpy(was, e->marks, (size_t)e->m * sizeof *was);
    if (e->jumps) {
        settle_all(e);
    } else {
        for (int j = 0; j < e->m; j++) rest[j] = e->marks[j] == HELD;
        hold_or_slide(e, rest);
    }
    note_changes(e, was);
}
