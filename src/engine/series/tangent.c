// tangent.c -- small changes of the state (q, q', T of sprung sliders) that travel along.
//   Between events they solve the same recurrence without constants, loads and belts. At an event
//   whose guard g reaches 0 (docs/theory/series.md):
//     dz+ = R dz- + (f+ - R f-) (dg)/(dg/dt),    R the jump of the state, f its rate
//   Here R is the identity on q, q' but for impacts and for rigid contacts that stop, whose speed
//   the next expansion takes out (held.c).
#include <math.h>
#include <string.h>

#include "engine/series/product.h"
#include "engine/series/series.h"
#include "linalg/dot.h"

static double *column(double *x, int c, int stride) { return x + (size_t)c * (size_t)stride; }

jd_status jd_series_tangent_room(series *s, int columns) {
    series_tangent *x = &s->tangent;
    jd_arena *a = s->run->arena;
    x->columns = columns;
    x->pending = false;
    if (columns <= x->room) return JD_OK;
    const series_plan *p = &s->plan;
    const series_terms *t = &s->terms;
    x->q = JD_TAKE(a, double, (size_t)columns *(size_t)p->stride);
    x->p = JD_TAKE(a, double, (size_t)columns *(size_t)p->stride);
    x->T = JD_TAKE(a, double, (size_t)columns *(size_t)(t->slider_stride + 4));
    x->dg = JD_TAKE(a, double, columns);
    x->p_before = JD_TAKE(a, double, p->stride);
    x->a_before = JD_TAKE(a, double, p->stride);
    x->a_after = JD_TAKE(a, double, p->stride);
    x->work = JD_TAKE(a, double, p->stride);
    x->slide_before = JD_TAKE(a, int8_t, p->n_slider + 1);
    x->terms = s->terms; // sizes
    x->terms.q = JD_TAKE(a, double, (SERIES_ORDER + 1) * (size_t)p->stride);
    x->terms.u = JD_TAKE(a, double, (SERIES_ORDER + 1) * (size_t)p->row_stride);
    x->terms.N = JD_TAKE(a, double, SERIES_FORCES *(size_t)t->normal_stride);
    x->terms.T = JD_TAKE(a, double, SERIES_FORCES *(size_t)t->slider_stride);
    x->terms.row_known = JD_TAKE(a, bool, p->n_row + 1);
    JD_TRY(jd_arena_status(a));
    x->room = columns;
    return JD_OK;
}

static void swap(series *s, double **q, double **p, double **T) {
    series_terms terms = s->terms;
    double *keep[3] = {s->state.q, s->state.p, s->state.T};
    s->terms = s->tangent.terms;
    s->tangent.terms = terms;
    s->state.q = *q;
    s->state.p = *p;
    s->state.T = *T;
    *q = keep[0];
    *p = keep[1];
    *T = keep[2];
}

double jd_series_at(const series_terms *t, const double *c, int stride, int i, double tau,
                    double *rate) {
    double x = 0, d = 0;
    for (int k = t->degree + 1; k >= 0; k--) {
        d = d * tau + x;
        x = x * tau + c[(size_t)k * (size_t)stride + (size_t)i];
    }
    *rate = d / t->dt;
    return x;
}

// The guard of a change and its rate, of the series in s->terms (those of the motion, or of a small
// change of it).
double jd_series_guard(series *s, const series_change *c, double tau, double *rate) {
    const series_plan *p = &s->plan;
    const series_terms *t = &s->terms;
    double Nr, Tr, u[2] = {0, 0}, bend = 0;
    bool slider = c->kind == CHANGE_RELEASE || c->kind == CHANGE_STOP;
    int a = slider ? p->slider[c->index].normal : c->index;
    int row = slider ? p->slider[c->index].row : p->normal[a].row;
    if (slider)
        jd_series_fill_slider(s, c->index);
    else
        jd_series_fill_normal(s, a);
    double N = jd_series_at(t, t->N, t->normal_stride, a, tau, &Nr);
    for (int k = t->degree + 3; row >= 0 && k >= 0; k--) {
        bend = bend * tau + 2 * u[1];
        u[1] = u[1] * tau + u[0];
        u[0] = u[0] * tau + t->u[(size_t)k * (size_t)p->row_stride + (size_t)row];
    }
    u[1] /= t->dt;
    bend /= t->dt * t->dt;
    if (c->kind == CHANGE_RELEASE) {
        double T = jd_series_at(t, t->T, t->slider_stride, c->index, tau, &Tr);
        *rate = p->slider[c->index].hold * Nr - c->side * Tr;
        return p->slider[c->index].hold * N - c->side * T;
    }
    if (c->kind == CHANGE_STOP) {
        const series_slider *g = &p->slider[c->index];
        double soft = g->kt > 0 ? g->limit / g->kt : 0, Nb = 0, x = 0, d = 0;
        for (int k = t->degree + 1; k >= 0; k--) {
            Nb = Nb * tau + 2 * d;
            d = d * tau + x;
            x = x * tau + t->N[(size_t)k * (size_t)t->normal_stride + (size_t)a];
        }
        *rate = c->side * bend - soft * Nb / (t->dt * t->dt);
        return c->side * (u[1] - (s->linear ? 0 : g->belt)) - soft * Nr;
    }
    *rate = Nr;
    if (c->kind == CHANGE_OPEN || row < 0) return N;
    const series_normal *g = &p->normal[a]; // closes
    bool back = s->state.inside[a] == c->side;
    double kn = back ? g->kn : 1, cn = back ? g->cn : 0, belt = s->linear ? 0 : g->belt;
    *rate = c->side * (kn * (u[1] - belt) + cn * bend);
    return c->side * (kn * u[0] + cn * u[1]);
}

static void accelerate(const series *s, double tau, double *out) {
    for (int l = 0; l < s->plan.n; l++) {
        double x = 0;
        for (int k = s->terms.degree + 3; k >= 2; k--)
            x = x * tau + k * (k - 1) * s->terms.q[(size_t)k * (size_t)s->plan.stride + (size_t)l];
        out[l] = x / (s->terms.dt * s->terms.dt);
    }
}

// A small change to tau; q, v, T are where it began.
static void move(series *s, double tau, double *q, double *v, double *T) {
    const series_plan *p = &s->plan;
    double none;
    if (p->springs.alone)
        jd_series_end(s, tau, q, v);
    else
        jd_series_motion(s, tau, q, v);
    for (int k = 0; k < p->n_slider; k++)
        if (s->state.slide[k] == 0 && p->slider[k].kt > 0)
            T[k] = p->springs.alone
                       ? s->scratch.T[k]
                       : jd_series_at(&s->terms, s->terms.T, s->terms.slider_stride, k, tau, &none);
}

// All changes to tau of the present step; with an event at its end what its guard makes of them.
void jd_series_tangent_step(series *s, double tau, bool event) {
    series_tangent *x = &s->tangent;
    const series_plan *p = &s->plan;
    const series_change *c = &s->step.change[0];
    bool book = event && !x->pending && c->kind != CHANGE_LEAVE;
    x->terms.dt = s->terms.dt;
    if (book) {
        jd_series_guard(s, c, tau, &x->rate);
        accelerate(s, tau, x->a_before);
        memcpy(x->slide_before, s->state.slide, (size_t)p->n_slider);
    }
    for (int i = 0; i < x->columns; i++) {
        double *q = column(x->q, i, p->stride), *v = column(x->p, i, p->stride);
        double *T = column(x->T, i, s->terms.slider_stride), none;
        double *q0 = q, *v0 = v, *T0 = T;
        swap(s, &q0, &v0, &T0);
        s->linear = true;
        if (tau > 0 || book) jd_series_expand(s, SERIES_ORDER);
        if (book) x->dg[i] = jd_series_guard(s, c, tau, &none);
        if (tau > 0) move(s, tau, q, v, T);
        s->linear = false;
        swap(s, &q0, &v0, &T0);
    }
    if (s->parameter.stencil) jd_series_parameter_step(s, tau, book);
    if (book) {
        x->pending = true;
        x->impact = false;
    }
}

void jd_series_tangent_guard(series *s, const series_change *c, double tau, double *out) {
    series_tangent *x = &s->tangent;
    const series_plan *p = &s->plan;
    double none;
    if (x->pending) jd_series_tangent_event(s);
    x->terms.dt = s->terms.dt;
    for (int i = 0; i < x->columns; i++) {
        double *q = column(x->q, i, p->stride), *v = column(x->p, i, p->stride);
        double *T = column(x->T, i, s->terms.slider_stride);
        swap(s, &q, &v, &T);
        s->linear = true;
        jd_series_expand(s, SERIES_ORDER);
        out[i] = jd_series_guard(s, c, tau, &none);
        s->linear = false;
        swap(s, &q, &v, &T);
    }
}

// An impact is about to change the speeds: dv+ = dP/dv dv, by a difference within the piece of the
// (piecewise linear) law.
void jd_series_tangent_impact(series *s, int a, int side) {
    series_tangent *x = &s->tangent;
    const series_plan *p = &s->plan;
    double *keep = x->p_before, *own = s->state.p, size = 0;
    if (!x->impact) memcpy(keep, own, (size_t)p->n * sizeof *keep);
    double rate;
    if (!x->impact && x->pending) {
        jd_series_penetration(s, a, side, &rate);
        x->rate = rate;
        for (int i = 0; i < x->columns; i++)
            x->dg[i] = side * jd_dot(p->n, p->W + (size_t)p->normal[a].row * (size_t)p->stride,
                                     column(x->q, i, p->stride));
        if (s->parameter.stencil) jd_series_parameter_touch(s, a, side);
    }
    size = sqrt(jd_dot(p->n, own, own));
    for (int i = -1; i < x->columns; i++) { // -1: the acceleration before
        double *d = i < 0 ? x->a_before : column(x->p, i, p->stride);
        double large = sqrt(jd_dot(p->n, d, d)), h = large > 0 ? 1e-5 * size / large : 0;
        if (h == 0) continue;
        for (int sign = -1; sign <= 1; sign += 2) {
            for (int k = 0; k < p->n; k++) s->scratch.q[k] = own[k] + sign * h * d[k];
            s->state.p = s->scratch.q;
            jd_series_strike(s, a, side);
            s->state.p = own;
            for (int k = 0; k < p->n; k++)
                x->work[k] = sign < 0 ? s->scratch.q[k] : (s->scratch.q[k] - x->work[k]) / (2 * h);
        }
        memcpy(d, x->work, (size_t)p->n * sizeof *d);
    }
    if (s->parameter.stencil) jd_series_parameter_strike(s, a, side);
    x->impact = true;
}

// The new states have settled: what the event makes of the changes.
void jd_series_tangent_event(series *s) {
    series_tangent *x = &s->tangent;
    const series_plan *p = &s->plan;
    x->pending = false;
    accelerate(s, 0, x->a_after);
    for (int i = 0; i < x->columns; i++) {
        double *q = column(x->q, i, p->stride), *v = column(x->p, i, p->stride);
        double *T = column(x->T, i, s->terms.slider_stride);
        double late = x->rate != 0 ? x->dg[i] / x->rate : 0;
        for (int k = 0; k < p->n; k++) {
            if (x->impact) q[k] += (s->state.p[k] - x->p_before[k]) * late;
            v[k] += (x->a_after[k] - x->a_before[k]) * late;
        }
        for (int k = 0; k < p->n_slider; k++) {
            const series_slider *g = &p->slider[k];
            int was = x->slide_before[k], now = s->state.slide[k];
            if (now == was) continue;
            T[k] = 0;
            if (now != 0 || !(g->kt > 0)) continue;
            const double *w = p->W + (size_t)g->row * (size_t)p->stride;
            const series_normal *b = &p->normal[g->normal];
            if (was == SERIES_FREE) {
                T[k] = g->kt * (jd_dot(p->n, w, s->state.p) - g->belt) * late;
            } else if (b->kind == NORMAL_SPRING) {
                const double *n = p->W + (size_t)b->row * (size_t)p->stride;
                T[k] = was * g->limit * s->state.closed[g->normal] *
                       (b->kn * jd_dot(p->n, n, q) + b->cn * jd_dot(p->n, n, v));
            }
        }
    }
    x->impact = false;
    for (int k = 0; s->parameter.stencil && k < p->n_slider; k++)
        if (x->slide_before[k] != s->state.slide[k])
            jd_series_parameter_stick(s, k, x->slide_before[k]);
}
