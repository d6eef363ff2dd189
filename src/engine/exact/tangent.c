// tangent.c -- how small changes of the state travel along the run: flow and jumps, column by
// column.
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
    e->n_tangent = columns;
    if (columns <= e->tangent_room) return JD_OK;
    e->tangent_room = columns;
    e->tq = JD_TAKE(e->arena, double, columns * e->n);
    e->tp = JD_TAKE(e->arena, double, columns * e->n);
    e->acc_before = JD_TAKE(e->arena, double, e->n);
    e->p_before = JD_TAKE(e->arena, double, e->n);
    double **vectors[] = {&e->lin_x, &e->lin_xd, &e->lin_q, &e->lin_p};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = JD_TAKE(e->arena, double, e->n);
    e->lin_y = JD_TAKE(e->arena, double, e->m);
    e->lin_w = JD_TAKE(e->arena, double, e->m); // stays 0: a belt's speed does not change
    e->lin_poly = JD_TAKE(e->arena, double, POWERS * e->n);
    int slots = 2 * (2 * e->n + e->n_drive + 12 + resonance_room(e->n));
    e->lin_re = JD_TAKE(e->arena, double, slots);
    e->lin_im = JD_TAKE(e->arena, double, slots);
    return jd_arena_status(e->arena);
}

// A copy of the engine whose state and loads are those of a small change.
static exact linear_copy(exact *e, double *q, double *p) {
    exact l = *e;
    l.q = q;
    l.p = p;
    l.x = e->lin_x;
    l.xd = e->lin_xd;
    l.y = e->lin_y;
    l.w = e->lin_w;
    l.poly = e->lin_poly;
    l.re = e->lin_re;
    l.im = e->lin_im;
    return l;
}

void jd_tangent_phase(exact *e, double t) {
    jd_expbasis *x = e->b->exp;
    jd_expbasis_exp(x, t, x->e_re, x->e_im, x->e_pair);
    for (int c = 0; c < e->n_tangent; c++) {
        double *q = e->tq + c * e->n, *p = e->tp + c * e->n;
        exact l = linear_copy(e, q, p);
        l.drifts = e->b->n_drift && t <= e->b->reach;
        jd_phase_linear(&l);
        jd_expbasis_apply(x, x->e_re, x->e_im, x->e_pair, l.re, l.im);
        jd_phase_state(&l, t, l.re, l.im, l.x, l.xd);
        jd_phase_full(&l, t, l.x, l.xd, e->lin_q, e->lin_p);
        memcpy(q, e->lin_q, (size_t)e->n * sizeof *q);
        memcpy(p, e->lin_p, (size_t)e->n * sizeof *p);
    }
}

// q'' at the end of a phase, forces of held contacts included.
static void full_acceleration(exact *e, double t) {
    const basis *b = e->b;
    jd_acceleration(e, e->t0 + t);
    for (int i = 0; i < b->ms; i++) {
        double force = jd_functional_value(e, &b->lambda[i], e->re1, e->im1, t);
        jd_add_row(e->n, force, e->contact[b->held[i]].row, e->acc);
    }
    for (int j = 0; j < e->m; j++)
        if (e->frozen[j]) jd_add_row(e->n, e->force[j], e->contact[j].row, e->acc);
}

// Called with the state of the event in q, p but all else as in the phase; t since its start.
void jd_tangent_before(exact *e, double t) {
    full_acceleration(e, t);
    memcpy(e->acc_before, e->acc, (size_t)e->n * sizeof *e->acc);
    memcpy(e->p_before, e->p, (size_t)e->n * sizeof *e->p);
}

// dt of the event for one column: which function crossed, and how fast.
static double event_shift(const exact *e, int j, mark was, const double *q, const double *p) {
    const contact *c = &e->contact[j];
    const double *row = c->row;
    int n = e->n;
    if (e->soft[j]) return 0;
    if (was == OPEN)
        return -jd_lanes_dot(n, row, q) / (jd_lanes_dot(n, row, e->p_before) - c->belt);
    if (slide_sign(was) != 0) return -jd_lanes_dot(n, row, p) / jd_lanes_dot(n, row, e->acc_before);
    int i = 0;
    while (e->b->held[i] != j) i++;
    const double *g = e->b->Ghh_inv_B + i * n; // lambda = g (Omega^2 q + C q' - f)
    double change = 0, rate = e->found.taylor[1];
    for (int l = 0; l < n; l++) {
        double Cp = e->C ? 0 : e->c[l] * p[l];
        for (int r = 0; e->C && r < n; r++) Cp += e->C[l * n + r] * p[r];
        change += g[l] * (e->omega2[l] * q[l] + Cp);
    }
    for (int k = 0; k < e->m; k++) { // those that slid with a slope damp, too
        const contact *d = &e->contact[k];
        if (e->b->key[k] == 'd')
            change += d->slope * jd_lanes_dot(n, d->row, p) * jd_lanes_dot(n, g, d->row);
    }
    return -change / rate;
}

// R d for the velocities: the impact law, linear in the velocities as long as the same stops are
// hit. All of them at once: G P = -(1 + e) v-.
static void jump(exact *e, double *p) {
    for (int i = 0; i < e->n_hit; i++) {
        const contact *c = &e->contact[e->hit[i]];
        e->fset[i] = e->hit[i];
        e->fb[i] = -(1 + c->restitution) * jd_lanes_dot(e->n, c->row, p);
    }
    if (e->n_hit == 0) return;
    jd_restrict_coupling(e, e->n_hit);
    jd_min_norm(e->n_hit, e->fG, e->fb, e->fscratch);
    for (int i = 0; i < e->n_hit; i++) jd_add_row(e->n, e->fb[i], e->contact[e->hit[i]].row, p);
}

// Called after resolve: q, p, acc are those just after the event. Where no contact state changed
// (the forces of dependent contacts were split anew, or a guard was only touched) f- = f+: whatever
// dt, which may be infinite, the change goes on as it is.
void jd_tangent_event(exact *e, int j, mark was) {
    int n = e->n;
    if (e->n_queue == 0) return;
    double *before = e->lin_q;
    const double *row = e->contact[j].row;
    memcpy(before, e->acc_before, (size_t)n * sizeof *before);
    jump(e, before);
    for (int c = 0; c < e->n_tangent; c++) {
        double *q = e->tq + c * n, *p = e->tp + c * n, dt = event_shift(e, j, was, q, p);
        jump(e, p);
        if (e->soft[j]) jd_add_row(n, -jd_lanes_dot(n, row, p) / e->G[j * e->m + j], row, p);
        for (int l = 0; l < n; l++) {
            q[l] += (e->p_before[l] - e->p[l]) * dt;
            p[l] += (before[l] - e->acc[l]) * dt;
        }
    }
}

static double size(const exact *e, const double *q, const double *p) {
    double s = 0, slow = JD_TWO_PI / e->scale_time;
    for (int k = 0; k < e->n; k++)
        s += (e->omega2[k] + (e->omega2[k] == 0) * slow * slow) * q[k] * q[k] + p[k] * p[k];
    return sqrt(s);
}

// Starts with a change of unit size spread over all coordinates.
jd_status jd_horizon_start(exact *e) {
    JD_TRY(jd_tangent_start(e, 1));
    for (int k = 0; k < e->n; k++) {
        double w = e->omega2[k] > 0 ? sqrt(e->omega2[k]) : JD_TWO_PI / e->scale_time;
        e->tq[k] = (k % 2 ? -1 : 1) / w;
        e->tp[k] = k % 3 ? 1 : -1;
    }
    double s = size(e, e->tq, e->tp);
    for (int k = 0; k < e->n; k++) {
        e->tq[k] /= s;
        e->tp[k] /= s;
    }
    e->horizon = (jd_horizon){.known = true, .digits_until = HUGE_VAL};
    return JD_OK;
}

// Books the growth since the last call and brings the change back to unit size.
void jd_horizon_step(exact *e) {
    double s = size(e, e->tq, e->tp);
    if (!(s > 0)) return; // all of it was swallowed by sticking: nothing grows any more
    for (int k = 0; k < e->n; k++) {
        e->tq[k] /= s;
        e->tp[k] /= s;
    }
    e->horizon.log_growth += log(s);
    e->horizon.largest = fmax(e->horizon.largest, e->horizon.log_growth);
    if (e->horizon.log_growth > log(1e-6 / 2.2e-16) && isinf(e->horizon.digits_until))
        e->horizon.digits_until = e->t0;
}
