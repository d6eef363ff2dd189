// error.c -- what a run may be off by: what every step and event adds, carried along the motion.
//   The error lies in the ellipsoid of B: (a.error)^2 <= a'B a for every a. Over a step
//     B+ = (1 + 1/p) P B P' + (1 + p) n diag(d^2),   p^2 = tr(P B P')/tr(n diag(d^2))
//   contains the sum of what was there and what is added; at an event S B S' and j j' likewise.
//   P: the step linearised, with J at its middle; S: tangent.c.
//   d = scale (E^1.5 + the rest of Newton's method + rounding): the polynomial is off by E, of
//   order 8 in the step; its end, of order 13, by less.   j = (f+ - R f-) dt, dt: rounding of the
//   guard over its speed.                                      tested:
//   closure_error_is_not_exceeded
#include <math.h>
#include <string.h>

#include "engine/closure/closure.h"

static const double safety = 3;       // for J at the middle, and d by an estimate
static const double rounding = 2e-15; // of the sizes met, per step
static const double lost = 1;         // of the sizes met: beyond, nothing linear holds any more
static const double six_digits = 1e-6;

jd_status jd_closure_error_open(closure *e) {
    int w = e->plan.n + 2;
    closure_error *r = &e->error;
    r->B = JD_TAKE(e->arena, double, w *w);
    r->next = JD_TAKE(e->arena, double, w *w);
    r->turned = JD_TAKE(e->arena, double, w *w);
    r->rhs = JD_TAKE(e->arena, double, RADAU_STAGES *w);
    r->change = JD_TAKE(e->arena, double, w);
    r->next_change = JD_TAKE(e->arena, double, w);
    r->event_error = JD_TAKE(e->arena, double, w);
    r->on = true;
    r->digits_until = HUGE_VAL;
    return jd_arena_status(e->arena);
}

// trace in units of the sizes met
static double trace(const closure *e, const double *B) {
    double s = 0;
    for (int i = 0; i < e->state.nx; i++)
        s += B[i * e->state.nx + i] / (e->state.scale[i] * e->state.scale[i]);
    return s;
}

static void transpose(int rows, int columns, const double *from, double *to) {
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < columns; k++) to[k * rows + i] = from[i * columns + k];
}

// B becomes the ellipsoid of B + D, D = diag(d^2) (row = NULL) or row row'.
static void add(const closure *e, double *B, double size, const double *row) {
    int n = e->state.nx;
    double own = 0;
    for (int i = 0; i < n; i++) {
        double d = (row ? row[i] : sqrt(n) * size * e->state.scale[i]) / e->state.scale[i];
        own += d * d;
    }
    if (!(own > 0)) return;
    double p = sqrt(trace(e, B) / own), grow = p > 0 ? 1 + 1 / p : 1;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            double d = row      ? row[i] * row[k]
                       : i == k ? n * size * size * e->state.scale[i] * e->state.scale[i]
                                : 0;
            B[i * n + k] = (p > 0 ? grow * B[i * n + k] : 0) + (1 + p) * d;
        }
}

// The ellipsoid at the end of the present step, once.
static void carry(closure *e) {
    closure_error *r = &e->error;
    const radau_field f = {e, jd_closure_rate};
    int n = e->state.nx;
    if (r->ahead) return;
    r->ahead = true;
    memcpy(r->next, r->B, (size_t)(n * n) * sizeof *r->B);
    memcpy(r->next_change, r->change, (size_t)n * sizeof *r->change);
    if (!(e->state.step.h > 0)) return;
    if (!jd_radau_linear(&e->aside, &f, &e->state.step)) {
        r->lost = true;
        return;
    }
    jd_radau_apply(&e->aside, n, n, r->next, r->rhs);
    transpose(n, n, r->next, r->turned);
    jd_radau_apply(&e->aside, n, n, r->turned, r->rhs);
    memcpy(r->next, r->turned, (size_t)(n * n) * sizeof *r->B);
    if (r->horizon.known) jd_radau_apply(&e->aside, n, 1, r->next_change, r->rhs);
    add(e, r->next, pow(e->state.step_error, 1.5) + e->state.newton_rest + rounding, NULL);
}

// Growth of the change since the last call; it is brought back to unit size.
static void measure_growth(closure *e) {
    closure_error *r = &e->error;
    double size = 0;
    for (int i = 0; i < e->plan.n + e->plan.memory; i++) size += r->change[i] * r->change[i];
    if (!r->horizon.known || !(size > 0)) return;
    r->horizon.log_growth += log(size) / 2;
    r->horizon.largest = fmax(r->horizon.largest, r->horizon.log_growth);
    for (int i = 0; i < e->state.nx; i++) r->change[i] /= sqrt(size);
}

static double present(const closure *e, const double *B) {
    double worst = 0;
    for (int i = 0; i < e->state.nx; i++)
        worst = fmax(worst, sqrt(B[i * e->state.nx + i]) / e->state.scale[i]);
    return safety * worst + e->error.inside;
}

static void note(closure *e, double t) {
    closure_error *r = &e->error;
    double now = present(e, r->B);
    r->worst = fmax(r->worst, now);
    r->lost |= !(now < lost);
    if (!(now < six_digits) && isinf(r->digits_until)) r->digits_until = t;
}

void jd_closure_error_step(closure *e) {
    closure_error *r = &e->error;
    if (!r->on || r->lost) return;
    carry(e);
    r->inside = fmax(r->inside, e->state.step_error);
    memcpy(r->B, r->next, (size_t)(e->state.nx * e->state.nx) * sizeof *r->B);
    memcpy(r->change, r->next_change, (size_t)e->state.nx * sizeof *r->change);
    r->ahead = false;
    note(e, e->state.step.t + e->state.step.h);
    measure_growth(e);
}

void jd_closure_error_event(closure *e, const closure_saltation *s) {
    closure_error *r = &e->error;
    int n0 = jd_phase_size(e, s->before), n1 = e->state.nx;
    double size = 0;
    if (!r->on || r->lost) return;
    jd_closure_saltation_columns(e, s, n0, r->B, r->next); // n1 x n0
    transpose(n1, n0, r->next, r->turned);
    jd_closure_saltation_columns(e, s, n1, r->turned, r->B); // n1 x n1
    jd_closure_saltation_columns(e, s, 1, r->change, r->next_change);
    memcpy(r->change, r->next_change, (size_t)n1 * sizeof *r->change);
    for (int i = 0; i < e->plan.n; i++)
        size += fabs((s->before == STUCK ? e->scratch.salt_lambda : e->scratch.salt_h)[i]) *
                e->state.scale[i];
    if (s->before == STUCK) size += fabs(s->x0[n0 - 1]);
    double *row = r->event_error;
    for (int i = 0; i < n1; i++)
        row[i] = jd_closure_saltation_jump(e, s, i) * rounding * size / fabs(s->speed);
    if (n1 == e->plan.n + e->plan.memory + 1) // lambda takes the size of what it starts from
        e->state.scale[n1 - 1] = fmax(e->state.scale[n1 - 1], fabs(e->state.x[n1 - 1]));
    if (s->before != SLIDE) add(e, r->B, 0, row);
    r->ahead = false;
    note(e, e->state.t);
}

void jd_closure_error_start(closure *e) {
    closure_error *r = &e->error;
    memset(r->B, 0, (size_t)((e->plan.n + 2) * (e->plan.n + 2)) * sizeof *r->B);
    for (int i = 0; i < e->state.nx; i++) r->change[i] = i % 2 ? -1 : 1;
    r->ahead = r->lost = false;
    r->worst = r->inside = 0;
    r->digits_until = HUGE_VAL;
    measure_growth(e);
    r->horizon.log_growth = r->horizon.largest = 0;
}

jd_status jd_closure_horizon(jd_run *run) {
    closure *e = run->state;
    if (e->count.steps > 0)
        return jd_fail(run->context, JD_BAD_ARGUMENT, "ask for the horizon before the run starts");
    e->error.horizon = (jd_horizon){.known = true};
    jd_closure_error_start(e);
    return JD_OK;
}

void jd_closure_error_report(closure *e, jd_report *out) {
    closure_error *r = &e->error;
    out->certificate.tolerance = e->plan.tolerance;
    if (!r->on) return;
    double worst = r->worst;
    if (e->state.pending && e->run->t > e->state.step.t && !r->lost) {
        carry(e);
        worst = fmax(worst, present(e, r->next) + e->state.step_error);
    }
    out->certificate.error = r->lost || !(worst < lost) ? HUGE_VAL : worst;
    if (!r->horizon.known) return;
    out->horizon = r->horizon;
    out->horizon.digits_until = r->digits_until;
    out->horizon.rate = e->state.t > 0 ? r->horizon.log_growth / e->state.t : 0;
}
