// tangent.c -- how small changes of the state travel along the run: flow and jumps.
//   Within a phase d(q, q') obeys the phase's own linear equations without loads. At an event that
//   moves by dt when the state before it changes by d-,
//     d+ = R d- + (R f- - f+) dt,   dt = -(grad g . d-)/(g' along f-),   f = (q', q'')
//   with R the jump of the state (identity except at impacts).
//   soft landing on an elastic stop: others bounce, there is no derivative; that of the motions
//   that land softly, too: dt = 0 and the projector. slide -> stick: the mass-orthogonal projector
//   onto B q' = 0; stick -> slide without a drop of the limit: the identity; reversal, impact: as
//   above.             [vielsack1999; tested: tangent_*]
#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "engine/exact/exact.h"
#include "expsum/sum.h"
#include "linalg/min_norm.h"

jd_status jd_tangent_start(exact *e, int columns) {
    e->tangent.columns = columns;
    if (columns <= e->tangent.room) return JD_OK;
    e->tangent.room = columns;
    e->tangent.q = JD_TAKE_RAW(e->arena, double, columns * e->plan.n);
    e->tangent.p = JD_TAKE_RAW(e->arena, double, columns * e->plan.n);
    e->tangent.shift = JD_TAKE(e->arena, double, columns);
    e->tangent.acc_before = JD_TAKE(e->arena, double, e->plan.n);
    e->tangent.p_before = JD_TAKE(e->arena, double, e->plan.n);
    double **vectors[] = {&e->tangent.lin_x, &e->tangent.lin_xd, &e->tangent.lin_q,
                          &e->tangent.lin_p};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = JD_TAKE(e->arena, double, e->plan.n);
    e->tangent.lin_y = JD_TAKE(e->arena, double, e->plan.m);
    e->tangent.lin_w =
        JD_TAKE(e->arena, double, e->plan.m); // stays 0: a belt's speed does not change
    e->tangent.lin_poly = JD_TAKE(e->arena, double, POWERS * e->plan.n);
    int slots = 2 * (2 * e->plan.n + e->plan.n_drive + 12 + resonance_room(e->plan.n));
    e->tangent.flow = JD_TAKE(e->arena, double, (4 + 2 * e->plan.m) * e->plan.n);
    e->tangent.wide = JD_TAKE_RAW(e->arena, double, (2 * e->plan.n + e->plan.m) * FLOW_COLUMNS);
    e->tangent.slope = JD_TAKE(e->arena, double, 2 * e->plan.n);
    e->tangent.lin_re = JD_TAKE(e->arena, double, slots);
    e->tangent.lin_im = JD_TAKE(e->arena, double, slots);
    return jd_arena_status(e->arena);
}

void jd_column_take(const exact *e, const double *from, int column, double *to) {
    for (int k = 0; k < e->plan.n; k++) to[k] = from[(ptrdiff_t)k * e->tangent.columns + column];
}

void jd_column_put(const exact *e, const double *from, int column, double *to) {
    for (int k = 0; k < e->plan.n; k++) to[(ptrdiff_t)k * e->tangent.columns + column] = from[k];
}

// A copy of the engine whose state and loads are those of a small change.
exact jd_tangent_copy(exact *e, double *q, double *p) {
    exact l = *e;
    l.state.q = q;
    l.state.p = p;
    l.phase.x = e->tangent.lin_x;
    l.phase.xd = e->tangent.lin_xd;
    l.phase.y = e->tangent.lin_y;
    l.phase.w = e->tangent.lin_w;
    l.phase.poly = e->tangent.lin_poly;
    l.phase.re = e->tangent.lin_re;
    l.phase.im = e->tangent.lin_im;
    return l;
}

void jd_tangent_phase(exact *e, double t) {
    jd_expbasis *x = e->phase.b->poles.exp;
    jd_expbasis_exp(x, t, x->scratch.e_re, x->scratch.e_im, x->scratch.e_pair);
    if (jd_flow_applies(e)) {
        jd_flow_phase(e, t);
        return;
    }
    double *q = e->tangent.lin_q, *p = e->tangent.lin_p;
    for (int c = 0; c < e->tangent.columns; c++) {
        exact l = jd_tangent_copy(e, q, p);
        jd_column_take(e, e->tangent.q, c, q);
        jd_column_take(e, e->tangent.p, c, p);
        l.phase.drifts = e->phase.b->drift.n && t <= e->phase.b->drift.reach;
        jd_phase_linear(&l);
        jd_expbasis_apply(x, x->scratch.e_re, x->scratch.e_im, x->scratch.e_pair, l.phase.re,
                          l.phase.im);
        jd_phase_state(&l, t, l.phase.re, l.phase.im, l.phase.x, l.phase.xd);
        jd_phase_full(&l, t, l.phase.x, l.phase.xd, q, p);
        jd_column_put(e, q, c, e->tangent.q);
        jd_column_put(e, p, c, e->tangent.p);
    }
}

// q'' at the end of a phase, forces of held contacts included.
static void full_acceleration(exact *e, double t) {
    const basis *b = e->phase.b;
    jd_acceleration(e, e->state.t0 + t);
    for (int i = 0; i < b->ms; i++) {
        double force =
            jd_functional_value(e, &b->observed.lambda[i], e->phase.re1, e->phase.im1, t);
        jd_add_row(e->plan.n, force, e->plan.contact[b->held[i]].row, e->scratch.acceleration);
    }
    for (int j = 0; j < e->plan.m; j++)
        if (e->dependent.frozen[j])
            jd_add_row(e->plan.n, e->state.force[j], e->plan.contact[j].row,
                       e->scratch.acceleration);
}

// Called with the state of the event in q, p but all else as in the phase; t since its start.
void jd_tangent_before(exact *e, double t) {
    full_acceleration(e, t);
    memcpy(e->tangent.acc_before, e->scratch.acceleration,
           (size_t)e->plan.n * sizeof *e->scratch.acceleration);
    memcpy(e->tangent.p_before, e->state.p, (size_t)e->plan.n * sizeof *e->state.p);
}

// What the function that crossed changes by with q and with q' (slope), and how fast it crossed.
static double event_slope(const exact *e, int j, jd_contact_state was, double *slope) {
    const contact *c = &e->plan.contact[j];
    int n = e->plan.n, i = 0;
    memset(slope, 0, (size_t)(2 * n) * sizeof *slope);
    if (was == JD_CONTACT_OPEN) {
        memcpy(slope, c->row, (size_t)n * sizeof *slope);
        return jd_lanes_dot(n, c->row, e->tangent.p_before) - c->belt;
    }
    if (slide_sign(was) != 0) {
        memcpy(slope + n, c->row, (size_t)n * sizeof *slope);
        return jd_lanes_dot(n, c->row, e->tangent.acc_before);
    }
    while (e->phase.b->held[i] != j) i++;
    jd_held_gradient(e, e->phase.b->Ghh_inv_B + i * n, slope);
    return e->phase.found.taylor[1];
}

// R d for the velocities: the impact law, linear in the velocities as long as the same stops are
// hit. All of them at once: G P = -(1 + e) v-.
static void jump(exact *e, double *p) {
    for (int i = 0; i < e->tangent.n_hit; i++) {
        const contact *c = &e->plan.contact[e->tangent.hit[i]];
        e->box.set[i] = e->tangent.hit[i];
        e->box.b[i] = -(1 + c->restitution) * jd_lanes_dot(e->plan.n, c->row, p);
    }
    if (e->tangent.n_hit == 0) return;
    jd_restrict_coupling(e, e->tangent.n_hit);
    jd_min_norm(e->tangent.n_hit, e->box.G, e->box.b, e->box.scratch);
    for (int i = 0; i < e->tangent.n_hit; i++)
        jd_add_row(e->plan.n, e->box.b[i], e->plan.contact[e->tangent.hit[i]].row, p);
}

// How the event moves in time with each column; those that land softly do not ask.
static void event_shifts(exact *e, int j, jd_contact_state was) {
    int n = e->plan.n, columns = e->tangent.columns;
    double *slope = e->tangent.slope, *dt = e->tangent.shift;
    memset(dt, 0, (size_t)columns * sizeof *dt);
    if (e->event.soft[j]) return;
    double rate = event_slope(e, j, was, slope);
    for (int l = 0; l < n; l++) {
        if (slope[l] != 0) jd_add_row(columns, slope[l], e->tangent.q + (ptrdiff_t)l * columns, dt);
        if (slope[n + l] != 0)
            jd_add_row(columns, slope[n + l], e->tangent.p + (ptrdiff_t)l * columns, dt);
    }
    for (int c = 0; c < columns; c++) dt[c] = -dt[c] / rate;
}

// Impacts, and the projector of a soft landing.
static void jump_columns(exact *e, int j) {
    double *p = e->tangent.lin_x;
    const double *row = e->plan.contact[j].row;
    int n = e->plan.n;
    if (e->tangent.n_hit == 0 && !e->event.soft[j]) return;
    for (int c = 0; c < e->tangent.columns; c++) {
        jd_column_take(e, e->tangent.p, c, p);
        jump(e, p);
        if (e->event.soft[j])
            jd_add_row(n, -jd_lanes_dot(n, row, p) / e->plan.G[j * e->plan.m + j], row, p);
        jd_column_put(e, p, c, e->tangent.p);
    }
}

// Called after resolve: q, p, acc are those just after the event. Where no contact state changed
// (the forces of dependent contacts were split anew, or a guard was only touched) f- = f+: whatever
// dt, which may be infinite, the change goes on as it is.
void jd_tangent_event(exact *e, int j, jd_contact_state was) {
    int n = e->plan.n, columns = e->tangent.columns;
    if (e->event.n_queue == 0) return;
    double *before = e->tangent.lin_q, *dt = e->tangent.shift;
    memcpy(before, e->tangent.acc_before, (size_t)n * sizeof *before);
    jump(e, before);
    event_shifts(e, j, was);
    jump_columns(e, j);
    for (int l = 0; l < n; l++) {
        double kick = e->tangent.p_before[l] - e->state.p[l];
        if (kick != 0) jd_add_row(columns, kick, dt, e->tangent.q + (ptrdiff_t)l * columns);
        jd_add_row(columns, before[l] - e->scratch.acceleration[l], dt,
                   e->tangent.p + (ptrdiff_t)l * columns);
    }
}

static double size(const exact *e, const double *q, const double *p) {
    double s = 0, slow = JD_TWO_PI / e->plan.scale_time;
    for (int k = 0; k < e->plan.n; k++)
        s += (e->plan.omega2[k] + (e->plan.omega2[k] == 0) * slow * slow) * q[k] * q[k] +
             p[k] * p[k];
    return sqrt(s);
}

// Starts with a change of unit size spread over all coordinates.
jd_status jd_horizon_start(exact *e) {
    JD_TRY(jd_tangent_start(e, 1));
    for (int k = 0; k < e->plan.n; k++) {
        double w = e->plan.omega2[k] > 0 ? sqrt(e->plan.omega2[k]) : JD_TWO_PI / e->plan.scale_time;
        e->tangent.q[k] = (k % 2 ? -1 : 1) / w;
        e->tangent.p[k] = k % 3 ? 1 : -1;
    }
    double s = size(e, e->tangent.q, e->tangent.p);
    for (int k = 0; k < e->plan.n; k++) {
        e->tangent.q[k] /= s;
        e->tangent.p[k] /= s;
    }
    e->horizon = (jd_horizon){.known = true, .digits_until = HUGE_VAL};
    return JD_OK;
}

// Books the growth since the last call and brings the change back to unit size.
void jd_horizon_step(exact *e) {
    double s = size(e, e->tangent.q, e->tangent.p);
    if (!(s > 0)) return; // all of it was swallowed by sticking: nothing grows any more
    for (int k = 0; k < e->plan.n; k++) {
        e->tangent.q[k] /= s;
        e->tangent.p[k] /= s;
    }
    e->horizon.log_growth += log(s);
    e->horizon.largest = fmax(e->horizon.largest, e->horizon.log_growth);
    if (e->horizon.log_growth > log(1e-6 / 2.2e-16) && isinf(e->horizon.digits_until))
        e->horizon.digits_until = e->state.t0;
}
