// expand.c -- the recurrence, order by order, and what the series leave out.
//   |z|^2 = 2 E = |q'|^2 + omega2 q^2 + sum_stuck T^2/kt + sum_closed kn p^2. A derivative of the
//   motion solves the same equations without constants, so that over a step
//     |z^(k)|/k! <= exp(growth h) (|z[k]| + h sum_d |F_d| Omega^k |b_d|/k!) =: Z[k]
#include <math.h>
#include <string.h>

#include "engine/series/product.h"
#include "engine/series/series.h"
#include "engine/series/smooth/smooth.h"
#include "linalg/dot.h"

enum { ORDER = SERIES_ORDER };

static void expand_drives(series *s) {
    double dt = s->terms.dt, t = s->state.t0;
    for (int d = 0; !s->linear && d < s->plan.n_drive; d++) {
        const jd_drive_segment *g = &s->plan.drive[d].segment;
        double *c = s->terms.drive + d * (ORDER + 1), turn = g->omega * t + g->phase;
        double part[4] = {sin(turn), cos(turn), -sin(turn), -cos(turn)}, x = g->amplitude;
        for (int k = 0; k <= ORDER; k++) {
            c[k] = g->amplitude != 0 ? x * part[k & 3] : 0;
            x *= g->omega * dt / (k + 1);
        }
        c[0] += g->level + g->slope * (t - g->start);
        c[1] += g->slope * dt;
    }
}

// Forces that are given in time.
static void expand_given(series *s) {
    for (int a = 0; a < s->plan.n_normal; a++) {
        const series_normal *g = &s->plan.normal[a];
        double *N = s->terms.N + a, turn = g->omega * s->state.t0 + g->phase;
        double part[4] = {cos(turn), -sin(turn), -cos(turn), sin(turn)}, x = g->swing;
        for (int k = 0; k < SERIES_FORCES; k++, N += s->terms.normal_stride) {
            *N = g->kind == NORMAL_SWING && !s->linear ? x * part[k & 3] : 0;
            x *= g->omega * s->terms.dt / (k + 1);
            if (k == 0 && g->row < 0 && !s->linear) *N += 1;
        }
    }
}

// Penetration of order k.
static double depth(const series *s, int a, int k) {
    const series_normal *g = &s->plan.normal[a];
    double x = s->terms.u[(size_t)k * (size_t)s->plan.row_stride + (size_t)g->row];
    if (s->linear) return s->state.closed[a] * x;
    if (k == 0) x -= g->belt * s->state.t0;
    if (k == 1) x -= g->belt * s->terms.dt;
    return s->state.closed[a] * x - (k == 0 ? g->gap : 0);
}

// Forces of order k that follow from the motion; those of held contacts are 0 here.
static void known_forces(series *s, int k) {
    const series_plan *p = &s->plan;
    double *N = s->terms.N + (size_t)k * (size_t)s->terms.normal_stride;
    double *T = s->terms.T + (size_t)k * (size_t)s->terms.slider_stride;
    const double *u = s->terms.u + (size_t)k * (size_t)p->row_stride, *next = u + p->row_stride;
    for (int a = 0; a < p->n_normal; a++) {
        const series_normal *g = &p->normal[a];
        if (g->row < 0) continue;
        N[a] = 0;
        if (g->kind != NORMAL_SPRING || !s->state.closed[a]) continue;
        N[a] = g->kn * depth(s, a, k);
        if (g->cn > 0) N[a] += g->cn * (k + 1) * depth(s, a, k + 1) / s->terms.dt;
    }
    for (int i = 0; i < p->n_slider; i++) {
        const series_slider *g = &p->slider[i];
        int slide = s->state.slide[i];
        double belt = k <= 1 && !s->linear ? g->belt : 0;
        if (slide == SERIES_FREE)
            T[i] = 0;
        else if (slide != 0)
            T[i] = slide * g->limit * N[g->normal] +
                   (g->slope != 0
                        ? g->slope * ((k + 1) * next[g->row] / s->terms.dt - (k == 0 ? belt : 0))
                        : 0);
        else if (k == 0)
            T[i] = g->kt > 0 ? s->state.T[i] : 0;
        else
            T[i] = g->kt * (u[g->row] - (k == 1 ? belt * s->terms.dt : 0));
    }
}

// F_r of order k, and the sum of |F_r| |W_r|.
static double row_forces(series *s, int k) {
    const series_plan *p = &s->plan;
    const double *N = s->terms.N + (size_t)k * (size_t)s->terms.normal_stride;
    const double *T = s->terms.T + (size_t)k * (size_t)s->terms.slider_stride;
    double *F = s->scratch.F, sum = 0;
    memset(F, 0, (size_t)p->row_stride * sizeof *F);
    for (int a = 0; a < p->n_normal; a++) {
        int r = p->normal[a].row;
        if (r < 0 || N[a] == 0) continue;
        F[r] += s->state.closed[a] * N[a];
        sum += fabs(N[a]) * p->length[r];
    }
    for (int i = 0; i < p->n_slider; i++) {
        F[p->slider[i].row] += T[i];
        sum += fabs(T[i]) * p->length[p->slider[i].row];
    }
    return s->plan.n_smooth > 0 ? sum + jd_smooth_forces(s, k, F) : sum;
}

static double norm(int n, const double *x) { return sqrt(jd_dot(n, x, x)); }

static void expand_order(series *s, int k) {
    const series_plan *p = &s->plan;
    size_t stride = (size_t)p->stride;
    double f = s->terms.dt * s->terms.dt / ((k + 1.0) * (k + 2.0)), g = s->terms.dt / (k + 2.0);
    const double *q = s->terms.q + (size_t)k * stride, *q1 = q + stride;
    double *next = s->terms.q + (size_t)(k + 2) * stride, *damp = s->scratch.damp;
    for (int l = 0; l < p->n; l++)
        damp[l] = p->C ? jd_dot(p->n, p->C + (size_t)l * (size_t)p->n, q1) : p->c[l] * q1[l];
    for (int l = 0; l < p->stride; l++) next[l] = -f * p->omega2[l] * q[l];
    double size = norm(p->n, next) + g * norm(p->n, damp);
    for (int l = 0; l < p->n; l++) next[l] -= g * damp[l];
    for (int d = 0; d < p->n_drive; d++) {
        double x = s->linear ? 0 : f * s->terms.drive[d * (ORDER + 1) + k];
        for (int l = 0; x != 0 && l < p->n; l++) next[l] += x * p->drive[d].row[l];
        size += fabs(x) * p->drive[d].size;
    }
    known_forces(s, k);
    size += f * row_forces(s, k);
    for (int r = 0; r < p->n_row; r++) s->scratch.F[r] *= -f;
    jd_series_combine(p->n_row, p->stride, p->stride, s->scratch.F, p->W, next);
    if (s->held.n > 0) jd_series_held_forces(s, k, f, next);
    s->terms.size[k + 2] = size;
}

static void project(series *s, int k) {
    double *u = s->terms.u + (size_t)k * (size_t)s->plan.row_stride;
    memset(u, 0, (size_t)s->plan.row_stride * sizeof *u);
    jd_series_combine(s->plan.n, s->plan.row_stride, s->plan.row_stride,
                      s->terms.q + (size_t)k * (size_t)s->plan.stride, s->plan.Wt, u);
    for (int h = 0; k >= 2 && h < s->held.n; h++) u[s->held.row[h]] = 0;
}

void jd_series_expand(series *s, int orders) {
    const series_plan *p = &s->plan;
    double *q1 = s->terms.q + p->stride;
    if (!s->held.known) jd_series_hold(s);
    if (s->held.n > 0) jd_series_held_speeds(s);
    memcpy(s->terms.q, s->state.q, (size_t)p->n * sizeof(double));
    for (int l = 0; l < p->n; l++) q1[l] = s->state.p[l] * s->terms.dt;
    s->terms.size[0] = norm(p->n, s->terms.q);
    s->terms.size[1] = norm(p->n, q1);
    expand_drives(s);
    expand_given(s);
    project(s, 0);
    project(s, 1);
    jd_series_expand_on(s, 2, orders);
}

void jd_series_expand_on(series *s, int from, int orders) {
    for (int k = from - 2; k + 2 <= orders; k++) {
        expand_order(s, k);
        project(s, k + 2);
    }
    s->terms.degree = orders - 3;
}

// Orders above the one reached are 0: series of any length are read alike.
void jd_series_cut(series *s, int orders) {
    const series_plan *p = &s->plan;
    series_terms *t = &s->terms;
    size_t rest = (size_t)(ORDER - orders), f = (size_t)(orders - 1);
    size_t ns = (size_t)t->normal_stride, ts = (size_t)t->slider_stride;
    memset(t->q + (size_t)(orders + 1) * (size_t)p->stride, 0,
           rest * (size_t)p->stride * sizeof(double));
    memset(t->u + (size_t)(orders + 1) * (size_t)p->row_stride, 0,
           rest * (size_t)p->row_stride * sizeof(double));
    for (int a = 0; a < p->n_normal; a++)
        for (size_t k = f; p->normal[a].row >= 0 && k < SERIES_FORCES; k++)
            t->N[k * ns + (size_t)a] = 0;
    memset(t->T + f * ts, 0, (SERIES_FORCES - f) * ts * sizeof(double));
    for (int k = orders + 1; k <= ORDER; k++) t->size[k] = 0;
    jd_smooth_cut(s, orders);
}

// |z[k]| of the scaled series; of the last order there is no rate.
static double energy_norm(const series *s, int k) {
    const series_plan *p = &s->plan;
    const double *q = s->terms.q + (size_t)k * (size_t)p->stride, *q1 = q + p->stride;
    const double *u = s->terms.u + (size_t)k * (size_t)p->row_stride;
    double sum = 0, rate = (k + 1) / s->terms.dt;
    bool last = k == s->terms.degree + 3;
    for (int l = 0; l < p->n; l++)
        sum += (last ? 0 : rate * rate * q1[l] * q1[l]) + fabs(p->omega2[l]) * q[l] * q[l];
    for (int i = 0; i < p->n_slider; i++) {
        const series_slider *g = &p->slider[i];
        if (!(g->kt > 0) || s->state.slide[i] != 0) continue;
        double x = u[g->row] - (k == 1 ? g->belt * s->terms.dt : 0);
        sum += k == 0 ? s->state.T[i] * s->state.T[i] / g->kt : g->kt * x * x;
    }
    for (int a = 0; a < p->n_normal; a++) {
        if (p->normal[a].kind != NORMAL_SPRING || !s->state.closed[a]) continue;
        double x = depth(s, a, k);
        sum += p->normal[a].kn * x * x;
    }
    return sqrt(sum);
}

// Bound of d ln|z|/dt in the present states: sliding under a normal force may feed energy in.
static double growth(const series *s) {
    const series_plan *p = &s->plan;
    double sum = p->growth;
    for (int i = 0; i < p->n_slider; i++) {
        const series_slider *g = &p->slider[i];
        const series_normal *b = &p->normal[g->normal];
        if (s->state.slide[i] == 0 || s->state.slide[i] == SERIES_FREE) continue;
        double l = p->length[g->row];
        if (g->slope < 0) sum -= g->slope * l * l;
        if (b->kind == NORMAL_SPRING)
            sum += 0.5 * g->limit * sqrt(b->kn) * l + g->limit * b->cn * p->length[b->row] * l;
        for (int h = 0; b->kind == NORMAL_RIGID && h < s->held.n; h++)
            if (s->held.item[h] == p->n_slider + g->normal) sum += g->limit * s->held.react[h] * l;
    }
    return sum;
}

// Drives and limits that swing, of order k: sum |F| (Omega dt)^k/k! |b|.
static double driven(const series *s, int k) {
    const series_plan *p = &s->plan;
    double sum = 0;
    for (int d = 0; d < p->n_drive; d++) {
        const jd_drive_segment *g = &p->drive[d].segment;
        double x = fabs(g->amplitude) * p->drive[d].size;
        for (int i = 1; i <= k && x > 0; i++) x *= g->omega * s->terms.dt / i;
        sum += x;
    }
    for (int i = 0; i < p->n_slider; i++) {
        const series_normal *b = &p->normal[p->slider[i].normal];
        if (b->kind != NORMAL_SWING || s->state.slide[i] == 0) continue;
        double x = p->slider[i].limit * fabs(b->swing) * p->length[p->slider[i].row];
        for (int l = 1; l <= k && x > 0; l++) x *= fabs(b->omega) * s->terms.dt / l;
        sum += x;
    }
    return sum;
}

// Rounding is left over from the largest motion and forces so far: less than that is no motion.
void jd_series_keep_sizes(series *s) {
    s->state.unit = fmax(s->state.unit, s->terms.now);
    for (int k = 0; k < SERIES_FLOOR; k++) s->state.most = fmax(s->state.most, s->terms.size[k]);
    for (int k = 0; k < SERIES_FLOOR; k++) s->terms.size[k] = fmax(s->terms.size[k], s->state.most);
}

// Size of the loads: |F| |b|.
static double load(const series *s) {
    double sum = 0;
    for (int d = 0; d < s->plan.n_drive; d++) {
        const jd_drive_segment *g = &s->plan.drive[d].segment;
        double F = fabs(g->amplitude) + fabs(g->level) + fabs(g->slope) * s->terms.dt;
        sum += F * s->plan.drive[d].size;
    }
    return sum;
}

// All orders from k on: sum_{j >= k} x^j/j! <= x^k/k! exp(x).
static double driven_on(const series *s, int k) {
    double fastest = 0;
    for (int d = 0; d < s->plan.n_drive; d++)
        fastest = fmax(fastest, s->plan.drive[d].segment.omega);
    for (int a = 0; a < s->plan.n_normal; a++)
        fastest = fmax(fastest, fabs(s->plan.normal[a].omega));
    return driven(s, k) * exp(fmin(fastest * s->terms.dt, 700));
}

// With nonlinear springs derivatives of the motion solve no equations of this kind.
static void smooth_remainder(series *s) {
    double energy[4];
    for (int i = 0; i < 4; i++) energy[i] = energy_norm(s, s->terms.degree + i);
    jd_smooth_remainder(s, energy, growth(s), driven_on(s, s->terms.degree + 1));
}

void jd_series_remainder(series *s) {
    double grow = exp(fmin(growth(s) * s->terms.dt, 700)), now = 0;
    for (int i = 0; i < 3; i++) {
        int k = s->terms.degree + i;
        s->terms.direct[i] = driven(s, k);
        s->terms.Z[i] = grow * (energy_norm(s, k) + s->terms.dt * s->terms.direct[i]);
    }
    for (int k = 0; k <= 4; k++) now = fmax(now, energy_norm(s, k));
    now = fmax(now, s->terms.dt * load(s));
    s->terms.now = now;
    if (s->plan.n_smooth > 0) smooth_remainder(s);
}
