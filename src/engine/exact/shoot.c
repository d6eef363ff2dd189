// shoot.c -- the exact engine as a map: put in a state, advance, take out the state and its
// derivative. States are (q, q') in free coordinates, n + n numbers.
#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "engine/exact/exact.h"
#include "engine/exact/observers/ledger.h"
#include "linalg/min_norm.h"

int jd_exact_coordinates(const jd_run *run) { return 2 * ((const exact *)run->state)->plan.n; }

// What q and q' are measured by: omega (the slowest one for rigid-body modes) and 1, so that sizes
// are square roots of energies.
void jd_exact_scales(const jd_run *run, double *out) {
    const exact *e = run->state;
    for (int k = 0; k < e->plan.n; k++) {
        out[k] = e->plan.omega2[k] > 0 ? sqrt(e->plan.omega2[k]) : JD_TWO_PI / e->plan.scale_time;
        out[e->plan.n + k] = 1;
    }
}

static jd_contact_state mark_of(const exact *e, int j, jd_contact_state asked, double t) {
    const contact *c = &e->plan.contact[j];
    if (c->stop) {
        if (asked == JD_CONTACT_OPEN) return JD_CONTACT_OPEN;
        return c->both && jd_lanes_dot(e->plan.n, c->row, e->state.q) - c->belt * t < 0
                   ? JD_CONTACT_CLOSED_BELOW
                   : JD_CONTACT_CLOSED_ABOVE;
    }
    if (asked == JD_CONTACT_STUCK) return JD_CONTACT_STUCK;
    return jd_relative_speed(e, j) > 0 ? JD_CONTACT_SLIDING_PLUS : JD_CONTACT_SLIDING_MINUS;
}

// A closed stop stands at its gap, whatever the state put in says of its place:
//   x += B_c' G_cc^+ (b - B_c x),   b the places of the stops at t, or 0 for a small change.
static void onto_stops(exact *e, double t, bool change, double *x) {
    int n = 0;
    for (int j = 0; j < e->plan.m; j++) {
        const contact *c = &e->plan.contact[j];
        if (e->state.contact[j] != JD_CONTACT_CLOSED_ABOVE &&
            e->state.contact[j] != JD_CONTACT_CLOSED_BELOW)
            continue;
        double place =
            (e->state.contact[j] == JD_CONTACT_CLOSED_ABOVE ? c->gap : -c->gap) + c->belt * t;
        e->box.set[n] = j;
        e->box.b[n++] = (change ? 0 : place) - jd_lanes_dot(e->plan.n, c->row, x);
    }
    if (n == 0) return;
    jd_restrict_coupling(e, n);
    jd_min_norm(n, e->box.G, e->box.b, e->box.scratch);
    for (int i = 0; i < n; i++)
        jd_add_row(e->plan.n, e->box.b[i], e->plan.contact[e->box.set[i]].row, x);
}

jd_status jd_exact_restart(jd_run *run, double t, const double *state, const jd_phase *phase) {
    exact *e = run->state;
    memcpy(e->state.q, state, (size_t)e->plan.n * sizeof *e->state.q);
    memcpy(e->state.p, state + e->plan.n, (size_t)e->plan.n * sizeof *e->state.p);
    for (int j = 0; j < e->plan.m; j++) {
        e->state.contact[j] = mark_of(e, j, phase->of[j], t);
        e->state.order[j] = e->state.side[j] = 0;
        e->state.force[j] = e->state.slack[j] = 0;
        jd_run_set_state(run, j, e->state.contact[j]);
    }
    onto_stops(e, t, false, e->state.q);
    e->state.t0 = run->t = e->state.proved = t;
    run->waiting = false;
    e->phase.pending = e->phase.started = false;
    e->phase.found = (jd_search_result){.outcome = JD_SEARCH_NONE}; // a lost round ends no other
    e->margins.nearest = NULL;
    e->ranges.kept = NULL; // extremes are kept again when asked for again
    e->event.n_queue = e->event.next_queue = 0;
    if (!e->horizon.known) e->tangent.columns = 0;
    e->state.storm = 0;
    e->state.chatter_until = e->state.chatter_speed = e->state.chatter_motion = 0;
    e->state.storm_start = t;
    e->plan.unwatched = 0;
    e->ledger.energy0 = jd_ledger_energy(e, e->state.q, e->state.p, NULL);
    e->ledger.damping = 0;
    jd_ledger_forget(e);
    run->stop = JD_STOP_NONE;
    e->state.lost = e->state.largest = (lost_digits){0, 0};
    e->state.events = 0; // the budget is that of one motion
    jd_exact_segments(e, t);
    return jd_split_forces(e, t);
}

void jd_exact_state(jd_run *run, double *out) {
    exact *e = run->state;
    if (!e->phase.pending) {
        memcpy(out, e->state.q, (size_t)e->plan.n * sizeof *out);
        memcpy(out + e->plan.n, e->state.p, (size_t)e->plan.n * sizeof *out);
        return;
    }
    double t = run->t - e->state.t0;
    jd_expbasis_advance(e->phase.b->poles.exp, t, e->phase.re, e->phase.im, e->scratch.re2,
                        e->scratch.im2);
    jd_phase_state(e, t, e->scratch.re2, e->scratch.im2, e->scratch.x1, e->scratch.xd1);
    jd_phase_full(e, t, e->scratch.x1, e->scratch.xd1, out, out + e->plan.n);
}

// d state/dt at the present time.
void jd_exact_rate(jd_run *run, double *out) {
    exact *e = run->state;
    jd_exact_state(run, out);
    double *keep_q = e->state.q, *keep_p = e->state.p;
    e->state.q = out;
    e->state.p = out + e->plan.n;
    jd_acceleration(e, run->t);
    e->state.q = keep_q;
    e->state.p = keep_p;
    if (e->phase.pending)
        for (int i = 0; i < e->phase.b->ms; i++) {
            double force = jd_functional_value(e, &e->phase.b->observed.lambda[i], e->scratch.re2,
                                               e->scratch.im2, run->t - e->state.t0);
            jd_add_row(e->plan.n, force, e->plan.contact[e->phase.b->held[i]].row,
                       e->scratch.acceleration);
        }
    for (int j = 0; e->phase.pending && j < e->plan.m; j++)
        if (e->dependent.frozen[j])
            jd_add_row(e->plan.n, e->state.force[j], e->plan.contact[j].row,
                       e->scratch.acceleration);
    memmove(out, out + e->plan.n, (size_t)e->plan.n * sizeof *out);
    memcpy(out + e->plan.n, e->scratch.acceleration, (size_t)e->plan.n * sizeof *out);
}

// Tangent from here on: the identity, but for the places of closed stops.
jd_status jd_exact_tangent_start(jd_run *run) {
    exact *e = run->state;
    int n = e->plan.n;
    JD_TRY(jd_tangent_start(e, 2 * n));
    bool closed = false;
    for (int j = 0; j < e->plan.m; j++) closed |= jd_contact_is_closed(e->state.contact[j]);
    for (int k = 0; k < n; k++) {
        double *q = e->tangent.q + (ptrdiff_t)k * 2 * n, *p = e->tangent.p + (ptrdiff_t)k * 2 * n;
        memset(q, 0, (size_t)(2 * n) * sizeof *q);
        memset(p, 0, (size_t)(2 * n) * sizeof *p);
        q[k] = p[n + k] = 1;
    }
    for (int k = 0; closed && k < n; k++) {
        double *q = e->tangent.lin_q;
        jd_column_take(e, e->tangent.q, k, q);
        onto_stops(e, 0, true, q);
        jd_column_put(e, q, k, e->tangent.q);
    }
    return JD_OK;
}

// out: 2n x 2n row-major, d state(now)/d state(at tangent start). Ends the tangent.
void jd_exact_tangent(jd_run *run, double *out) {
    exact *e = run->state;
    int n = e->plan.n;
    if (e->phase.pending && run->t > e->state.t0) jd_tangent_phase(e, run->t - e->state.t0);
    memcpy(out, e->tangent.q, (size_t)2 * (size_t)n * (size_t)n * sizeof *out);
    memcpy(out + (ptrdiff_t)2 * n * n, e->tangent.p,
           (size_t)2 * (size_t)n * (size_t)n * sizeof *out);
    e->tangent.columns = 0;
}

// lambda = g (Omega^2 q + C q' - f), g of the held contacts; those that slide with a slope damp.
void jd_held_gradient(const exact *e, const double *g, double *out) {
    int n = e->plan.n;
    const double *C = e->plan.C;
    for (int l = 0; l < n; l++) {
        double damped = C ? 0 : g[l] * e->plan.c[l];
        for (int r = 0; C && r < n; r++) damped += g[r] * C[r * n + l];
        out[l] = g[l] * e->plan.omega2[l];
        out[n + l] = damped;
    }
    for (int k = 0; k < e->plan.m; k++) {
        const contact *d = &e->plan.contact[k];
        if (e->phase.b->key[k] == 'd')
            jd_add_row(n, d->slope * jd_lanes_dot(n, g, d->row), d->row, out + n);
    }
}

void jd_exact_event_shift(jd_run *run, double *out) {
    const exact *e = run->state;
    memcpy(out, e->tangent.shift, (size_t)(2 * e->plan.n) * sizeof *out);
}

bool jd_exact_held_force(jd_run *run, int j, jd_force_extreme *when, double *gradient) {
    exact *e = run->state;
    if (when) *when = e->ranges.extreme[j];
    if (!gradient) return true;
    if (!e->phase.started || e->state.contact[j] != JD_CONTACT_STUCK || e->dependent.n_frozen)
        return false;
    int i = 0;
    while (i < e->phase.b->ms && e->phase.b->held[i] != j) i++;
    if (i == e->phase.b->ms) return false;
    jd_held_gradient(e, e->phase.b->Ghh_inv_B + i * e->plan.n, gradient);
    return true;
}

// The phase ends here and goes on from its own state with other guards.
jd_status jd_exact_unwatch(jd_run *run, unsigned long long stops) {
    exact *e = run->state;
    double t = run->t - e->state.t0;
    e->plan.unwatched = stops;
    if (e->phase.pending && t > 0) {
        jd_expbasis_advance(e->phase.b->poles.exp, t, e->phase.re, e->phase.im, e->phase.re1,
                            e->phase.im1);
        jd_phase_state(e, t, e->phase.re1, e->phase.im1, e->scratch.x1, e->scratch.xd1);
        jd_phase_full(e, t, e->scratch.x1, e->scratch.xd1, e->scratch.qt, e->scratch.pt);
        if (e->ranges.kept) JD_TRY(jd_ranges_phase(e, t, e->ranges.kept));
        if (e->margins.nearest) JD_TRY(jd_margins_phase(e, t));
        if (e->tangent.columns) jd_tangent_phase(e, t);
        memcpy(e->state.q, e->scratch.qt, (size_t)e->plan.n * sizeof *e->state.q);
        memcpy(e->state.p, e->scratch.pt, (size_t)e->plan.n * sizeof *e->state.p);
        for (int j = 0; j < e->plan.m; j++) e->state.order[j] = e->state.side[j] = 0;
        e->state.t0 = run->t;
    }
    e->phase.pending = e->phase.started = false;
    return JD_OK;
}
