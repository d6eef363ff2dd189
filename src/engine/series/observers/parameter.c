// parameter.c -- derivative of the motion by a number theta of the model, in the tangent's columns.
//   z' = f(z, theta) within a phase: d = dz/dtheta obeys d' = f_z d + f_theta. Over a step the
//   first part is the tangent's recurrence; the second is that of the step itself, from one and the
//   same state, in the runs of the stencil: sum_k w_k z(tau; theta_k, z0). The recurrence is smooth
//   in omega2, C, W, limits, gaps and loads, whatever changes of theta do to the times of events.
//   At an event g(z, t, theta) = 0 with the jump R(z, theta):
//     dt = -(g_z d + g_theta)/(dg/dt),   d+ = R_z d + R_theta + (R_z f- - f+) dt
//   docs/theory/gradients.md; tested: cross.gradient_differences
#include <math.h>
#include <string.h>

#include "engine/series/series.h"
#include "linalg/dot.h"

static double *column(double *x, int c, int stride) { return x + (size_t)c * (size_t)stride; }

static series *other(const series *s, int k) { return s->parameter.stencil->run[k]->state; }

// The present state into run k of the stencil.
static void put(const series *s, int k) {
    const double *sign = s->parameter.stencil->sign[k];
    series *o = other(s, k);
    for (int l = 0; l < s->plan.n; l++) {
        o->state.q[l] = sign[l] * s->state.q[l];
        o->state.p[l] = sign[l] * s->state.p[l];
    }
    memcpy(o->state.T, s->state.T, (size_t)s->plan.n_slider * sizeof *s->state.T);
    memcpy(o->state.slide, s->state.slide, (size_t)s->plan.n_slider);
    memcpy(o->state.closed, s->state.closed, (size_t)s->plan.n_normal);
    memcpy(o->state.inside, s->state.inside, (size_t)s->plan.n_normal);
    o->state.t0 = s->state.t0;
    o->state.unit = s->state.unit;
    o->impact.arriving = s->impact.arriving;
    o->terms.dt = s->terms.dt;
    o->held.known = o->held.updatable = o->held.singular = o->linear = false;
    o->held.painleve = -1;
}

static bool same_breaks(const series *s, const series *o) {
    if (!isfinite(s->step.t_break)) return !isfinite(o->step.t_break);
    return fabs(s->step.t_break - o->step.t_break) <= 1e-14 * fabs(s->step.t_break);
}

// Guard of a change with its constants: of one that closes its depth, where it is let in again
// the force of its spring and dashpot.
static double guard_value(series *o, const series_change *c, double tau) {
    double rate, Nr;
    if (c->kind != CHANGE_CLOSE || o->plan.normal[c->index].row < 0)
        return jd_series_guard(o, c, tau, &rate);
    const series_normal *g = &o->plan.normal[c->index];
    double u = jd_series_at(&o->terms, o->terms.u, o->plan.row_stride, g->row, tau, &Nr);
    double t = o->state.t0 + tau * o->terms.dt;
    double depth = c->side * (u - g->belt * t) - g->gap, speed = c->side * (Nr - g->belt);
    return o->state.inside[c->index] == c->side ? g->kn * depth + g->cn * speed : depth;
}

static void add_slider_forces(series *s, int k, double tau) {
    const series *o = other(s, k);
    for (int i = 0; i < s->plan.n_slider; i++) {
        double none;
        if (s->state.slide[i] != 0 || !(s->plan.slider[i].kt > 0)) continue;
        double T = jd_series_at(&o->terms, o->terms.T, o->terms.slider_stride, i, tau, &none);
        for (int c = 0; c < JD_STENCIL_COLUMNS; c++)
            column(s->tangent.T, c, s->terms.slider_stride)[i] +=
                s->parameter.stencil->weight[c][k] * T;
    }
}

static void add_motion(series *s, int k, const double *q, const double *p) {
    const jd_stencil *x = s->parameter.stencil;
    for (int c = 0; c < JD_STENCIL_COLUMNS; c++) {
        double w = x->weight[c][k], *dq = q ? column(s->tangent.q, c, s->plan.stride) : NULL,
               *dp = column(s->tangent.p, c, s->plan.stride);
        for (int l = 0; l < s->plan.n; l++) {
            if (q) dq[l] += w * x->sign[k][l] * q[l];
            dp[l] += w * x->sign[k][l] * p[l];
        }
    }
}

void jd_series_parameter_step(series *s, double tau, bool book) {
    series_parameter *x = &s->parameter;
    const series_change *c = &s->step.change[0];
    for (int k = 0; k < x->stencil->n; k++) {
        series *o = other(s, k);
        put(s, k);
        if (!(tau > 0) && !book) continue;
        jd_series_segments(o);
        if (!same_breaks(s, o))
            x->broken = "a drive changes its segments at times that depend on it";
        jd_series_expand(o, SERIES_ORDER);
        jd_series_fill(o);
        for (int i = 0; book && i < JD_STENCIL_COLUMNS; i++)
            s->tangent.dg[i] += x->stencil->weight[i][k] * guard_value(o, c, tau);
        if (!(tau > 0)) continue;
        jd_series_motion(o, tau, x->at_q, x->at_p);
        add_motion(s, k, x->at_q, x->at_p);
        add_slider_forces(s, k, tau);
    }
}

// A rigid part touches: its depth there.
void jd_series_parameter_touch(series *s, int a, int side) {
    const jd_stencil *x = s->parameter.stencil;
    for (int k = 0; k < x->n; k++) {
        double rate, depth;
        put(s, k);
        depth = jd_series_penetration(other(s, k), a, side, &rate);
        for (int c = 0; c < JD_STENCIL_COLUMNS; c++) s->tangent.dg[c] += x->weight[c][k] * depth;
    }
}

// ... and is hit: the speeds after it, from one and the same before.
void jd_series_parameter_strike(series *s, int a, int side) {
    for (int k = 0; k < s->parameter.stencil->n; k++) {
        put(s, k);
        jd_series_strike(other(s, k), a, side);
        add_motion(s, k, NULL, other(s, k)->state.p);
    }
}

// Force that a slider slides with, at the present state.
static double sliding_force(const series *o, int i, int slide) {
    const series_slider *g = &o->plan.slider[i];
    const series_normal *b = &o->plan.normal[g->normal];
    double rate, N = 1;
    if (b->kind == NORMAL_SWING) N += b->swing * cos(b->omega * o->state.t0 + b->phase);
    if (b->kind == NORMAL_SPRING) {
        double depth = jd_series_penetration(o, g->normal, o->state.closed[g->normal], &rate);
        N = b->kn * depth + b->cn * rate;
    }
    return slide * g->limit * N;
}

// A slider with a spring begins to stick with the force it slid with.
void jd_series_parameter_stick(series *s, int i, int was) {
    series_parameter *x = &s->parameter;
    const series_slider *g = &s->plan.slider[i];
    if (!(g->kt > 0) || s->state.slide[i] != 0 || was == SERIES_FREE) return;
    if (s->plan.normal[g->normal].kind == NORMAL_RIGID)
        x->broken = "a friction spring sticks under a rigid normal part";
    for (int k = 0; k < x->stencil->n; k++) {
        put(s, k);
        double T = sliding_force(other(s, k), i, was);
        for (int c = 0; c < JD_STENCIL_COLUMNS; c++)
            column(s->tangent.T, c, s->terms.slider_stride)[i] += x->stencil->weight[c][k] * T;
    }
}

static jd_status room(series *s) {
    series_parameter *x = &s->parameter;
    jd_arena *a = s->run->arena;
    if (x->q) return JD_OK;
    size_t n = JD_STENCIL_COLUMNS * (size_t)s->plan.stride;
    double *q = JD_TAKE(a, double, n);
    x->p = JD_TAKE(a, double, n);
    x->T = JD_TAKE(a, double, JD_STENCIL_COLUMNS *(size_t)(s->terms.slider_stride + 4));
    x->at_q = JD_TAKE(a, double, s->plan.stride);
    x->at_p = JD_TAKE(a, double, s->plan.stride);
    JD_TRY(jd_arena_status(a));
    x->q = q;
    return JD_OK;
}

jd_status jd_series_parameter_begin(jd_run *run, const jd_stencil *stencil, const double *start) {
    series *s = run->state;
    JD_TRY(jd_series_tangent_room(s, JD_STENCIL_COLUMNS));
    JD_TRY(room(s));
    s->parameter.stencil = stencil;
    s->parameter.broken = NULL;
    for (int i = 0; i < s->plan.n_slider; i++)
        if (s->plan.slider[i].partner >= 0) s->parameter.broken = "friction acts in a plane";
    for (int c = 0; c < JD_STENCIL_COLUMNS; c++) {
        int n = s->plan.n, at = 2 * n;
        memcpy(column(s->tangent.q, c, s->plan.stride), start, (size_t)n * sizeof *start);
        memcpy(column(s->tangent.p, c, s->plan.stride), start + n, (size_t)n * sizeof *start);
        for (int i = 0; i < s->plan.n_slider; i++) {
            bool sprung = s->plan.slider[i].kt > 0;
            double T = sprung ? start[at++] : 0;
            column(s->tangent.T, c, s->terms.slider_stride)[i] = s->state.slide[i] == 0 ? T : 0;
        }
    }
    return JD_OK;
}

// Derivative of the force of a slider that slides: by the motion, and by itself.
static double slides_with(const series *s, int i, int c) {
    const series_slider *g = &s->plan.slider[i];
    const series_normal *b = &s->plan.normal[g->normal];
    int slide = s->state.slide[i];
    double sum = 0;
    if (slide == SERIES_FREE) return 0;
    if (b->kind == NORMAL_SPRING) {
        const double *w = s->plan.W + (size_t)b->row * (size_t)s->plan.stride;
        sum = slide * g->limit * s->state.closed[g->normal] *
              (b->kn * jd_dot(s->plan.n, w, column(s->tangent.q, c, s->plan.stride)) +
               b->cn * jd_dot(s->plan.n, w, column(s->tangent.p, c, s->plan.stride)));
    }
    for (int k = 0; k < s->parameter.stencil->n; k++)
        sum += s->parameter.stencil->weight[c][k] * sliding_force(other(s, k), i, slide);
    return sum;
}

// The columns at tau of the present step, which stays where it begins.
jd_status jd_series_parameter_look(jd_run *run, double *out) {
    series *s = run->state;
    series_parameter *x = &s->parameter;
    int n = s->plan.n, all = jd_series_coordinates(run);
    size_t some = JD_STENCIL_COLUMNS * (size_t)s->plan.stride * sizeof(double),
           forces = JD_STENCIL_COLUMNS * (size_t)s->terms.slider_stride * sizeof(double);
    double tau = s->ready ? jd_series_tau(s, run->t) : 0, t0 = s->state.t0;
    double *q0 = s->state.q, *p0 = s->state.p, *T0 = s->state.T;
    if (s->tangent.pending) jd_series_tangent_event(s);
    memcpy(x->q, s->tangent.q, some);
    memcpy(x->p, s->tangent.p, some);
    memcpy(x->T, s->tangent.T, forces);
    if (tau > 0) jd_series_tangent_step(s, tau, false);
    jd_series_motion(s, tau, s->scratch.q, s->scratch.p); // what sliding forces are taken at
    s->state.q = s->scratch.q;
    s->state.p = s->scratch.p;
    s->state.t0 = run->t;
    for (int k = 0; k < x->stencil->n; k++) put(s, k);
    for (int c = 0; c < JD_STENCIL_COLUMNS; c++) {
        double *to = out + (size_t)c * (size_t)all;
        int at = 2 * n;
        memcpy(to, column(s->tangent.q, c, s->plan.stride), (size_t)n * sizeof *to);
        memcpy(to + n, column(s->tangent.p, c, s->plan.stride), (size_t)n * sizeof *to);
        for (int i = 0; i < s->plan.n_slider; i++)
            if (s->plan.slider[i].kt > 0)
                to[at++] = s->state.slide[i] == 0
                               ? column(s->tangent.T, c, s->terms.slider_stride)[i]
                               : slides_with(s, i, c);
    }
    s->state.q = q0;
    s->state.p = p0;
    s->state.T = T0;
    s->state.t0 = t0;
    memcpy(s->tangent.q, x->q, some);
    memcpy(s->tangent.p, x->p, some);
    memcpy(s->tangent.T, x->T, forces);
    return JD_OK;
}

const char *jd_series_parameter_broken(const jd_run *run) {
    return ((const series *)run->state)->parameter.broken;
}
