// plane.c -- friction in a plane: two tangential directions with springs k_1, k_2 share one limit.
//   stuck    T_c' = k_c v_c  while  (T_1/R_1)^2 + (T_2/R_2)^2 < N^2   (a circle where R_1 = R_2)
//   N = 1 where the limits are given; else they swing with N(t), or are shares of a normal force.
//   slides   the slider moves along the normal of the limit, s_c' = L T_c/R_c^2, so that for a
//   circle friction opposes its velocity:  T_c' = k_c (v_c - L T_c/R_c^2),
//            L = (sum k_c T_c v_c/R_c^2 - N N') / sum k_c T_c^2/R_c^4,  T.s' = L N^2 >= 0;
//            it stops where L = 0
//   As N goes to 0 the direction of the force turns without bound. A pair rubs from N = 1e-9 of the
//   preload (kn |gap|) on: what is left out, mu N over the time below it, is the square of that.
//   Smooth as long as it slides: series by products and one division. Derivatives solve no linear
//   equations and no bound of the rest is made: the last terms measure it (a tolerance). The
//   letters
//   + and - of the two directions are the signs of their forces.
//                                                          tested: tests/unit/plane.c
#include "engine/series/smooth/plane.h"

#include <math.h>

enum { ORDERS = SERIES_ORDER + 1 };
static const double good_to = 1e-15; // of what a pair watches

jd_status jd_plane_room(series *s) {
    size_t n = (size_t)s->plan.n_slider;
    s->smooth.rate = JD_TAKE(s->run->arena, double, n *ORDERS);
    s->smooth.over = JD_TAKE(s->run->arena, double, n *ORDERS);
    s->smooth.by = JD_TAKE(s->run->arena, double, n *ORDERS);
    return jd_arena_status(s->run->arena);
}

static double force_at(const series *s, int i, int k) {
    return s->terms.T[(size_t)k * (size_t)s->terms.slider_stride + (size_t)i];
}

static double speed_at(const series *s, int i, int k) {
    const series_slider *g = &s->plan.slider[i];
    double u = s->terms.u[(size_t)(k + 1) * (size_t)s->plan.row_stride + (size_t)g->row];
    return (k + 1) * u / s->terms.dt - (k == 0 ? g->belt : 0);
}

static bool is_pressed(const series *s, int lead) {
    return s->plan.normal[s->plan.slider[lead].normal].kind != NORMAL_ONE;
}

double jd_plane_edge(const series *s, int i) {
    const series_normal *g = &s->plan.normal[s->plan.slider[i].normal];
    if (g->kind == NORMAL_ONE) return 0;
    return 1e-9 * (g->kind == NORMAL_SPRING ? g->kn * fabs(g->gap) : 1);
}

// Order k of N, and of its rate per second.
static double press_at(const series *s, int lead, int k) {
    return s->terms
        .N[(size_t)k * (size_t)s->terms.normal_stride + (size_t)s->plan.slider[lead].normal];
}

static double press_rate(const series *s, int lead, int k) {
    return (k + 1) * press_at(s, lead, k + 1) / s->terms.dt;
}

// Order k of sum k_c T_c v_c/R_c^2 - N N' and of sum k_c T_c^2/R_c^4.
static void products(const series *s, int lead, int k, double *rate, double *over) {
    int pair[2] = {lead, s->plan.slider[lead].partner};
    *rate = *over = 0;
    for (int c = 0; c < 2; c++) {
        const series_slider *g = &s->plan.slider[pair[c]];
        double R2 = g->limit * g->limit, tv = 0, tt = 0;
        for (int j = 0; j <= k; j++) {
            tv += force_at(s, pair[c], j) * speed_at(s, pair[c], k - j);
            tt += force_at(s, pair[c], j) * force_at(s, pair[c], k - j);
        }
        *rate += g->kt * tv / R2;
        *over += g->kt * tt / (R2 * R2);
    }
    for (int j = 0; is_pressed(s, lead) && j <= k; j++)
        *rate -= press_at(s, lead, j) * press_rate(s, lead, k - j);
}

// Order k of L.
static void divide(series *s, int lead, int k) {
    double *rate = s->smooth.rate + (size_t)lead * ORDERS;
    double *over = s->smooth.over + (size_t)lead * ORDERS,
           *by = s->smooth.by + (size_t)lead * ORDERS;
    products(s, lead, k, &rate[k], &over[k]);
    double sum = rate[k];
    for (int j = 1; j <= k; j++) sum -= over[j] * by[k - j];
    by[k] = sum / over[0];
}

void jd_plane_forces(series *s, int lead, int k) {
    int pair[2] = {lead, s->plan.slider[lead].partner};
    const double *by = s->smooth.by + (size_t)lead * ORDERS;
    divide(s, lead, k - 1);
    for (int c = 0; c < 2; c++) {
        const series_slider *g = &s->plan.slider[pair[c]];
        double slip = 0;
        for (int j = 0; j < k; j++) slip += by[j] * force_at(s, pair[c], k - 1 - j);
        slip /= g->limit * g->limit;
        s->terms.T[(size_t)k * (size_t)s->terms.slider_stride + (size_t)pair[c]] =
            s->terms.dt / k * g->kt * (speed_at(s, pair[c], k - 1) - slip);
    }
}

void jd_plane_guard(const series *s, int lead, int degree, double *out) {
    int pair[2] = {lead, s->plan.slider[lead].partner};
    double over;
    for (int k = 0; k <= degree; k++) {
        if (s->state.slide[lead] != 0) {
            products(s, lead, k, &out[k], &over);
            continue;
        }
        out[k] = k == 0;
        if (is_pressed(s, lead)) {
            out[k] = 0;
            for (int j = 0; j <= k; j++) out[k] += press_at(s, lead, j) * press_at(s, lead, k - j);
        }
        for (int c = 0; c < 2; c++) {
            double R = s->plan.slider[pair[c]].limit, tt = 0;
            for (int j = 0; j <= k; j++)
                tt += force_at(s, pair[c], j) * force_at(s, pair[c], k - j);
            out[k] -= tt / (R * R);
        }
    }
}

// The same of N^2 or N N'.
static void beyond_pressing(const series *s, int lead, double *above, double *all) {
    bool slides = s->state.slide[lead] != 0;
    int n = s->terms.degree + 1;
    for (int j = 0; j <= n; j++)
        for (int k = 0; k <= (slides ? n - 1 : n); k++) {
            double x =
                press_at(s, lead, j) * (slides ? press_rate(s, lead, k) : press_at(s, lead, k));
            *(j + k > s->terms.degree ? above : all) += fabs(x);
        }
}

// Moduli of the terms of T_c^2/R_c^2 (stuck) or k_c T_c v_c/R_c^2 above the degree that is watched,
// over those of the lowest orders.
static double beyond(const series *s, int lead) {
    int pair[2] = {lead, s->plan.slider[lead].partner}, n = s->terms.degree + 1;
    bool pressed = is_pressed(s, lead);
    double above = 0, all = s->state.slide[lead] == 0 && !pressed;
    if (pressed) beyond_pressing(s, lead, &above, &all);
    for (int c = 0; c < 2; c++) {
        const series_slider *g = &s->plan.slider[pair[c]];
        for (int j = 0; j <= n; j++)
            for (int k = 0; k <= n; k++) {
                double T = force_at(s, pair[c], j) / g->limit;
                double x = s->state.slide[lead] == 0
                               ? fabs(T * force_at(s, pair[c], k)) / g->limit
                               : fabs(T * speed_at(s, pair[c], k)) * g->kt / g->limit;
                *(j + k > s->terms.degree ? &above : &all) += x;
            }
    }
    return all > 0 ? above / all : 0;
}

double jd_plane_reach(const series *s) {
    double tau = 2;
    for (int i = 0; i < s->plan.n_slider; i++) {
        bool watched = s->plan.slider[i].partner > i && s->state.slide[i] != SERIES_FREE;
        double x = watched ? beyond(s, i) : 0;
        if (x > 0) tau = fmin(tau, pow(good_to / x, 1.0 / (s->terms.degree + 1)));
    }
    return tau;
}

int jd_plane_sign(const series *s, int i) {
    const series_slider *g = &s->plan.slider[i];
    double T = s->state.T[i];
    if (fabs(T) > 1e-13 * g->limit) return T > 0 ? 1 : -1;
    double v = -g->belt;
    const double *w = s->plan.W + (size_t)g->row * (size_t)s->plan.stride;
    for (int k = 0; k < s->plan.n; k++) v += w[k] * s->state.p[k];
    return v >= 0 ? 1 : -1;
}
