// shoot.c -- the exact engine as a map: put in a state, advance, take out the state and its
// derivative. States are (q, q') in free coordinates, n + n numbers.
#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "engine/exact/exact.h"
#include "engine/exact/ledger.h"
#include "linalg/min_norm.h"

int jd_exact_coordinates(const jd_run *run) { return 2 * ((const exact *)run->state)->n; }

// What q and q' are measured by: omega (the slowest one for rigid-body modes) and 1, so that sizes
// are square roots of energies.
void jd_exact_scales(const jd_run *run, double *out) {
    const exact *e = run->state;
    for (int k = 0; k < e->n; k++) {
        out[k] = e->omega2[k] > 0 ? sqrt(e->omega2[k]) : JD_TWO_PI / e->scale_time;
        out[e->n + k] = 1;
    }
}

static mark mark_of(const exact *e, int j, char letter, double t) {
    const contact *c = &e->contact[j];
    if (c->stop) {
        if (letter == 'o') return OPEN;
        return c->both && jd_lanes_dot(e->n, c->row, e->q) - c->belt * t < 0 ? LOWER : UPPER;
    }
    if (letter == 'H') return HELD;
    return jd_relative_speed(e, j) > 0 ? PLUS : MINUS;
}

// A closed stop stands at its gap, whatever the state put in says of its place:
//   x += B_c' G_cc^+ (b - B_c x),   b the places of the stops at t, or 0 for a small change.
static void onto_stops(exact *e, double t, bool change, double *x) {
    int n = 0;
    for (int j = 0; j < e->m; j++) {
        const contact *c = &e->contact[j];
        if (e->marks[j] != UPPER && e->marks[j] != LOWER) continue;
        double place = (e->marks[j] == UPPER ? c->gap : -c->gap) + c->belt * t;
        e->fset[n] = j;
        e->fb[n++] = (change ? 0 : place) - jd_lanes_dot(e->n, c->row, x);
    }
    if (n == 0) return;
    jd_restrict_coupling(e, n);
    jd_min_norm(n, e->fG, e->fb, e->fscratch);
    for (int i = 0; i < n; i++) jd_add_row(e->n, e->fb[i], e->contact[e->fset[i]].row, x);
}

jd_status jd_exact_restart(jd_run *run, double t, const double *state, const char *phase) {
    exact *e = run->state;
    memcpy(e->q, state, (size_t)e->n * sizeof *e->q);
    memcpy(e->p, state + e->n, (size_t)e->n * sizeof *e->p);
    for (int j = 0; j < e->m; j++) {
        e->marks[j] = mark_of(e, j, phase[j], t);
        e->order[j] = e->side[j] = 0;
        e->force[j] = e->slack[j] = 0;
        run->phase[j] = mark_letter(e->marks[j]);
    }
    onto_stops(e, t, false, e->q);
    e->t0 = run->t = e->proved = t;
    run->waiting = false;
    e->pending = e->started = false;
    e->found = (jd_search_result){.outcome = JD_SEARCH_NONE}; // a lost round ends no other
    e->nearest = NULL;
    e->ranges = NULL; // extremes are kept again when asked for again
    e->n_queue = e->next_queue = 0;
    if (!e->horizon.known) e->n_tangent = 0;
    e->storm = 0;
    e->chatter_until = e->chatter_speed = e->chatter_motion = 0;
    e->storm_start = t;
    e->unwatched = 0;
    e->energy0 = jd_ledger_energy(e, e->q, e->p, NULL);
    e->damping = 0;
    jd_ledger_forget(e);
    run->stop = JD_STOP_NONE;
    e->lost = e->largest = (lost_digits){0, 0};
    e->events = 0; // the budget is that of one motion
    jd_exact_segments(e, t);
    return jd_split_forces(e, t);
}

void jd_exact_state(jd_run *run, double *out) {
    exact *e = run->state;
    if (!e->pending) {
        memcpy(out, e->q, (size_t)e->n * sizeof *out);
        memcpy(out + e->n, e->p, (size_t)e->n * sizeof *out);
        return;
    }
    double t = run->t - e->t0;
    jd_expbasis_advance(e->b->exp, t, e->re, e->im, e->re2, e->im2);
    jd_phase_state(e, t, e->re2, e->im2, e->x1, e->xd1);
    jd_phase_full(e, t, e->x1, e->xd1, out, out + e->n);
}

// d state/dt at the present time.
void jd_exact_rate(jd_run *run, double *out) {
    exact *e = run->state;
    jd_exact_state(run, out);
    double *keep_q = e->q, *keep_p = e->p;
    e->q = out;
    e->p = out + e->n;
    jd_acceleration(e, run->t);
    e->q = keep_q;
    e->p = keep_p;
    if (e->pending)
        for (int i = 0; i < e->b->ms; i++) {
            double force = jd_functional_value(e, &e->b->lambda[i], e->re2, e->im2, run->t - e->t0);
            jd_add_row(e->n, force, e->contact[e->b->held[i]].row, e->acc);
        }
    for (int j = 0; e->pending && j < e->m; j++)
        if (e->frozen[j]) jd_add_row(e->n, e->force[j], e->contact[j].row, e->acc);
    memmove(out, out + e->n, (size_t)e->n * sizeof *out);
    memcpy(out + e->n, e->acc, (size_t)e->n * sizeof *out);
}

// Tangent from here on: the identity, but for the places of closed stops.
jd_status jd_exact_tangent_start(jd_run *run) {
    exact *e = run->state;
    int n = e->n;
    JD_TRY(jd_tangent_start(e, 2 * n));
    memset(e->tq, 0, (size_t)(2 * n * n) * sizeof *e->tq);
    memset(e->tp, 0, (size_t)(2 * n * n) * sizeof *e->tp);
    for (int k = 0; k < n; k++) {
        e->tq[k * n + k] = 1;
        e->tp[(n + k) * n + k] = 1;
        onto_stops(e, 0, true, e->tq + k * n);
    }
    return JD_OK;
}

// out: 2n x 2n row-major, d state(now)/d state(at tangent start). Ends the tangent.
void jd_exact_tangent(jd_run *run, double *out) {
    exact *e = run->state;
    int n = e->n;
    if (e->pending && run->t > e->t0) jd_tangent_phase(e, run->t - e->t0);
    for (int c = 0; c < 2 * n; c++)
        for (int k = 0; k < n; k++) {
            out[k * 2 * n + c] = e->tq[c * n + k];
            out[(n + k) * 2 * n + c] = e->tp[c * n + k];
        }
    e->n_tangent = 0;
}

// The phase ends here and goes on from its own state with other guards.
jd_status jd_exact_unwatch(jd_run *run, unsigned long long stops) {
    exact *e = run->state;
    double t = run->t - e->t0;
    e->unwatched = stops;
    if (e->pending && t > 0) {
        jd_expbasis_advance(e->b->exp, t, e->re, e->im, e->re1, e->im1);
        jd_phase_state(e, t, e->re1, e->im1, e->x1, e->xd1);
        jd_phase_full(e, t, e->x1, e->xd1, e->qt, e->pt);
        if (e->ranges) JD_TRY(jd_ranges_phase(e, t, e->ranges));
        if (e->nearest) JD_TRY(jd_margins_phase(e, t));
        if (e->n_tangent) jd_tangent_phase(e, t);
        memcpy(e->q, e->qt, (size_t)e->n * sizeof *e->q);
        memcpy(e->p, e->pt, (size_t)e->n * sizeof *e->p);
        for (int j = 0; j < e->m; j++) e->order[j] = e->side[j] = 0;
        e->t0 = run->t;
    }
    e->pending = e->started = false;
    return JD_OK;
}
