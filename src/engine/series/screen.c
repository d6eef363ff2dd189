// screen.c -- when the next event is to be expected, by the first orders of all guards.
//   An estimate: how many orders are worth having is chosen by it, and what is looked at first.
//   What the first orders leave of each guard over the whole step, g[0] - |g[1]| - |g[2]| - |g[3]|,
//   is kept: where further orders cannot be as large, the guard need not be looked at (guards.c).
#include <math.h>

#include "engine/series/series.h"

enum { TERMS = SERIES_FIRST + 1 };

// |c[1]| tau + |c[2]| tau^2 + |c[3]| tau^3 of numbers that stand `stride` apart; of their rate.
static double first_terms(const double *c, size_t stride, double tau) {
    return tau * (fabs(c[stride]) + tau * (fabs(c[2 * stride]) + tau * fabs(c[3 * stride])));
}
static double first_rates(const double *c, size_t stride, double tau) {
    return tau * (2 * fabs(c[2 * stride]) + tau * 3 * fabs(c[3 * stride]));
}

double jd_series_normal_change(const series *s, int a) {
    const series_normal *g = &s->plan.normal[a];
    if (s->terms.whole) return 1.000001 * s->terms.N_sum[a];
    double sum = first_terms(s->terms.N + a, (size_t)s->terms.normal_stride, s->step.tau_end);
    if (g->kind == NORMAL_SPRING) return sum + g->kn * s->plan.length[g->row] * s->step.beyond;
    for (int k = SERIES_FIRST + 1; g->kind == NORMAL_SWING && k <= s->terms.degree + 1; k++)
        sum += fabs(s->terms.N[(size_t)k * (size_t)s->terms.normal_stride + (size_t)a]);
    return sum;
}

double jd_series_normal_rate_change(const series *s, int a) {
    const series_normal *g = &s->plan.normal[a];
    if (s->terms.whole) return 1.000001 * s->terms.N_rate_sum[a];
    double sum = first_rates(s->terms.N + a, (size_t)s->terms.normal_stride, s->step.tau_end);
    if (g->kind == NORMAL_SPRING) return sum + g->kn * s->plan.length[g->row] * s->step.beyond_rate;
    for (int k = SERIES_FIRST + 1; g->kind == NORMAL_SWING && k <= s->terms.degree + 1; k++)
        sum += k * fabs(s->terms.N[(size_t)k * (size_t)s->terms.normal_stride + (size_t)a]);
    return sum;
}

double jd_series_slider_change(const series *s, int i) {
    const series_slider *g = &s->plan.slider[i];
    if (s->terms.whole) return 1.000001 * s->terms.T_sum[i];
    if (s->state.slide[i] != 0) return g->limit * jd_series_normal_change(s, g->normal);
    return first_terms(s->terms.T + i, (size_t)s->terms.slider_stride, s->step.tau_end) +
           g->kt * s->plan.length[g->row] * s->step.beyond;
}

double jd_series_row_rate_change(const series *s, int r) {
    if (s->terms.whole) return 1.000001 * s->terms.rate_sum[r];
    return first_rates(s->terms.u + r, (size_t)s->plan.row_stride, s->step.tau_end) +
           s->plan.length[r] * s->step.beyond_rate;
}

double jd_series_row_change(const series *s, int r) {
    return first_terms(s->terms.u + r, (size_t)s->plan.row_stride, s->step.tau_end) +
           s->plan.length[r] * s->step.beyond;
}

typedef struct expected {
    double tau;
    int item;
} expected;

// About the first zero of a cubic in (0, before): that of its parabola, mended twice.
static double first_root(const double *c, double before) {
    double bend = c[1] * c[1] - 4 * c[2] * c[0];
    double down = sqrt(fmax(bend, 0)) - c[1];
    if (!(c[0] > 0 && down > 0)) return before;
    double x = 2 * c[0] / down;
    for (int i = 0; i < 2; i++) {
        double slope = c[1] + x * (2 * c[2] + x * 3 * c[3]);
        if (slope < 0) x -= (c[0] + x * (c[1] + x * (c[2] + x * c[3]))) / slope;
    }
    return x > 0 && x < before ? x : before;
}

static void include(series *s, expected *e, const double *c, int item) {
    double left = c[0] - fabs(c[1]) - fabs(c[2]) - fabs(c[3]);
    s->step.margin[item] = fmin(s->step.margin[item], left);
    if (left > 0) return;
    double tau = first_root(c, e->tau);
    if (!(tau < e->tau)) return;
    e->tau = tau;
    e->item = item;
}

static void expect_slider(series *s, int i, expected *e) {
    const series_slider *g = &s->plan.slider[i];
    size_t ns = (size_t)s->terms.normal_stride, ts = (size_t)s->terms.slider_stride;
    size_t rs = (size_t)s->plan.row_stride;
    const double *N = s->terms.N + g->normal, *T = s->terms.T + i, *u = s->terms.u + g->row;
    int slide = s->state.slide[i];
    double c[TERMS] = {0}, soft = 0;
    s->step.margin[i] = HUGE_VAL;
    if (slide == SERIES_FREE) return;
    if (slide != 0) { // rates in tau
        if (s->plan.normal[g->normal].kind != NORMAL_ONE) soft = g->limit / g->kt;
        for (int k = 0; k + 1 < TERMS; k++)
            c[k] = (k + 1) * (slide * u[(size_t)(k + 1) * rs] - soft * N[(size_t)(k + 1) * ns]);
        c[0] -= slide * g->belt * s->terms.dt;
        include(s, e, c, i);
        return;
    }
    if (s->plan.normal[g->normal].kind == NORMAL_ONE) {
        double left = g->hold - fabs(T[0]) - fabs(T[ts]) - fabs(T[2 * ts]) - fabs(T[3 * ts]);
        s->step.margin[i] = left;
        if (left > 0) return;
    }
    for (int side = -1; side <= 1; side += 2) {
        for (int k = 0; k < TERMS; k++)
            c[k] = g->hold * N[(size_t)k * ns] - side * T[(size_t)k * ts];
        include(s, e, c, i);
    }
}

static void expect_normal(series *s, int a, expected *e) {
    const series_normal *g = &s->plan.normal[a];
    double c[TERMS];
    s->step.margin[s->plan.n_slider + a] = HUGE_VAL;
    if (g->kind == NORMAL_ONE) return;
    if (s->state.closed[a] || g->kind == NORMAL_SWING) {
        int sign = s->state.closed[a] ? 1 : -1;
        for (int k = 0; k < TERMS; k++)
            c[k] = sign * s->terms.N[(size_t)k * (size_t)s->terms.normal_stride + (size_t)a];
        include(s, e, c, s->plan.n_slider + a);
        return;
    }
    for (int side = 1; side >= (g->both ? -1 : 1); side -= 2) {
        for (int k = 0; k < TERMS; k++)
            c[k] = -side * s->terms.u[(size_t)k * (size_t)s->plan.row_stride + (size_t)g->row];
        c[0] += side * g->belt * s->state.t0 + g->gap;
        c[1] += side * g->belt * s->terms.dt;
        include(s, e, c, s->plan.n_slider + a);
    }
}

double jd_series_expect(series *s, int *item) {
    expected e = {1, -1};
    for (int a = 0; a < s->plan.n_normal; a++) expect_normal(s, a, &e);
    for (int i = 0; i < s->plan.n_slider; i++) expect_slider(s, i, &e);
    *item = e.item;
    return e.tau;
}
