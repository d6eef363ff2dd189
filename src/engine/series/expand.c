// expand.c -- the recurrence, order by order, and what the series leave out.
//   |z|^2 = 2 E = |q'|^2 + omega2 q^2 + sum_stuck T^2/kt + sum_closed kn p^2. A derivative of the
//   motion solves the same equations without constants, so that over a step
//     |z^(k)|/k! <= exp(growth h) (|z[k]| + h sum_d |F_d| Omega^k |b_d|/k!) =: Z[k]
#include <math.h>
#include <string.h>

#include "engine/series/product.h"
#include "engine/series/series.h"
#include "engine/series/smooth/plane.h"
#include "engine/series/smooth/smooth.h"
#include "linalg/dot.h"

enum { ORDER = SERIES_ORDER };

// Sizes of loads of all orders: size (omega dt)^k/k!.
static void add_driven(series *s, double size, double omega) {
    for (int k = 0; k <= ORDER && size > 0; k++) {
        s->terms.driven[k] += size;
        size *= omega * s->terms.dt / (k + 1);
    }
}

static void expand_sizes(series *s) {
    const series_plan *p = &s->plan;
    memset(s->terms.driven, 0, sizeof s->terms.driven);
    for (int d = 0; !s->linear && d < p->n_drive; d++) {
        const jd_drive_segment *g = &p->drive[d].segment;
        if (g->amplitude != 0) add_driven(s, fabs(g->amplitude) * p->drive[d].size, g->omega);
    }
    for (int i = 0; p->springs.swings && !s->linear && i < p->n_slider; i++) {
        const series_normal *b = &p->normal[p->slider[i].normal];
        if (b->kind != NORMAL_SWING || s->state.slide[i] == 0) continue;
        add_driven(s, p->slider[i].limit * fabs(b->swing) * p->length[p->slider[i].row],
                   fabs(b->omega));
    }
}

static void expand_drives(series *s) {
    double dt = s->terms.dt, t = s->state.t0;
    expand_sizes(s);
    for (int d = 0; !s->linear && d < s->plan.n_drive; d++) {
        const jd_drive_segment *g = &s->plan.drive[d].segment;
        double *c = s->terms.drive + d * (ORDER + 1), turn = g->omega * t + g->phase;
        memset(c, 0, (ORDER + 1) * sizeof *c);
        double part[4] = {sin(turn), cos(turn), -sin(turn), -cos(turn)}, x = g->amplitude;
        for (int k = 0; k <= ORDER && x != 0; k++) {
            c[k] = x * part[k & 3];
            x *= g->omega * dt / (k + 1);
        }
        c[0] += g->level + g->slope * (t - g->start);
        c[1] += g->slope * dt;
    }
}

// Forces that are given in time.
static void expand_given(series *s) {
    size_t ns = (size_t)s->terms.normal_stride;
    for (int a = 0; a < s->plan.n_normal; a++) {
        const series_normal *g = &s->plan.normal[a];
        double *N = s->terms.N + a;
        if (g->row >= 0) continue;
        N[0] = !s->linear; // higher orders of a constant, and of a small change, stay 0
        if (g->kind != NORMAL_SWING || s->linear) continue;
        double turn = g->omega * s->state.t0 + g->phase;
        double part[4] = {cos(turn), -sin(turn), -cos(turn), sin(turn)}, x = g->swing;
        for (int k = 0; k < SERIES_FORCES; k++) {
            N[(size_t)k * ns] = x * part[k & 3] + (k == 0);
            x *= g->omega * s->terms.dt / (k + 1);
        }
    }
}

// F_r of order k into F, and the sum of |F_r| |W_r|.
static double row_forces(series *s, int k, double *F) {
    const series_plan *p = &s->plan;
    const double *N = s->terms.N + (size_t)k * (size_t)s->terms.normal_stride;
    const double *T = s->terms.T + (size_t)k * (size_t)s->terms.slider_stride;
    double sum = 0;
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
    jd_series_forces_of(s, k);
    size += f * row_forces(s, k, s->scratch.F);
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

static void measure(series *s, int k) {
    const series_plan *p = &s->plan;
    s->terms.sums[k] = jd_series_sums(p->stride, s->terms.q + (size_t)k * (size_t)p->stride,
                                      p->omega2, p->C ? s->matrix.none : p->c);
}

// Accelerations by loads of order k: drives, and limits that swing; their size.
static double add_loads(const series *s, int k, double *out) {
    const series_plan *p = &s->plan;
    double size = 0;
    memset(out, 0, (size_t)p->stride * sizeof *out);
    for (int d = 0; d < p->n_drive; d++) {
        double x = s->linear ? 0 : s->terms.drive[d * (ORDER + 1) + k];
        for (int l = 0; x != 0 && l < p->n; l++) out[l] += x * p->drive[d].row[l];
        size += fabs(x) * p->drive[d].size;
    }
    for (int i = 0; p->springs.swings && k > SERIES_FIRST - 2 && i < p->n_slider; i++) {
        const series_slider *g = &p->slider[i];
        int slide = s->state.slide[i];
        if (slide == 0 || slide == SERIES_FREE || p->normal[g->normal].kind != NORMAL_SWING)
            continue;
        double x = slide * g->limit *
                   s->terms.N[(size_t)k * (size_t)s->terms.normal_stride + (size_t)g->normal];
        const double *w = p->W + (size_t)g->row * (size_t)p->stride;
        for (int l = 0; x != 0 && l < p->n; l++) out[l] -= x * w[l];
        size += fabs(x) * p->length[g->row];
    }
    return size;
}

// The load of order k: a vector and what it is to be multiplied by. One drive gives its row.
static double load_of(const series *s, int k, double *room, const double **out, double *by) {
    const series_plan *p = &s->plan;
    if (!p->springs.swings && (p->n_drive <= 1 || s->linear)) {
        bool none = s->linear || p->n_drive == 0;
        *by = none ? 0 : s->terms.drive[k];
        *out = none ? s->matrix.none : p->drive[0].row;
        return none ? 0 : fabs(*by) * p->drive[0].size;
    }
    *out = room;
    *by = 1;
    return add_loads(s, k, room);
}

// x -= g C y
static double damp(const series *s, double g, const double *y, double *x) {
    double size = 0;
    for (int l = 0; l < s->plan.n; l++) {
        double d = g * jd_dot(s->plan.n, s->plan.C + (size_t)l * (size_t)s->plan.n, y);
        x[l] -= d;
        size += d * d;
    }
    return sqrt(size);
}

// Orders k + 2 and k + 3 from the springs' products with M; spring, spring1: their sizes.
static void expand_two(series *s, int k, series_pair pair, double spring, double spring1) {
    const series_plan *p = &s->plan;
    series_terms *t = &s->terms;
    double dt = t->dt, *load = s->matrix.load, *load1 = load + p->stride;
    double *next = t->q + (size_t)(k + 2) * (size_t)p->stride;
    double size = load_of(s, k, load, &pair.load, &pair.e),
           size1 = load_of(s, k + 1, load1, &pair.load1, &pair.e1);
    pair.f = dt * dt / ((k + 1.0) * (k + 2.0)), pair.g = dt / (k + 2.0);
    pair.f1 = dt * dt / ((k + 2.0) * (k + 3.0)), pair.g1 = dt / (k + 3.0);
    pair.stride = p->stride, pair.omega2 = p->omega2, pair.c = p->C ? s->matrix.none : p->c;
    pair.q = next - 2 * p->stride;
    jd_series_recur(&pair, next, t->sums + k + 2);
    if (p->C) {
        size += damp(s, pair.g, next - p->stride, next) / pair.f;
        size1 += damp(s, pair.g1, next, next + p->stride) / pair.f1;
        measure(s, k + 2);
        measure(s, k + 3);
    }
    const series_sums *x = t->sums + k;
    t->size[k + 2] = pair.f * (sqrt(x[0].pull) + spring + size) + pair.g * sqrt(x[1].damping);
    t->size[k + 3] = pair.f1 * (sqrt(x[1].pull) + spring1 + size1) + pair.g1 * sqrt(x[2].damping);
}

// All rows of orders k and k + 1.
static void project_two(series *s, int k) {
    const series_plan *p = &s->plan;
    const double *q = s->terms.q + (size_t)k * (size_t)p->stride;
    double *u = s->terms.u + (size_t)k * (size_t)p->row_stride;
    jd_series_combine_two(p->n, p->row_stride, p->row_stride, q, q + p->stride, p->Wt, u,
                          u + p->row_stride);
}

// Springs alone: the first orders by rows and forces, with constants and belts; then by K.
static void expand_springs(series *s) {
    const series_plan *p = &s->plan;
    double *F = s->scratch.F, *F1 = s->scratch.v;
    jd_series_matrix_update(s);
    measure(s, 0);
    measure(s, 1);
    project_two(s, 0);
    jd_series_forces_of(s, 0);
    jd_series_forces_of(s, 1);
    double spring = row_forces(s, 0, F), spring1 = row_forces(s, 1, F1);
    memset(s->terms.size, 0, sizeof s->terms.size);
    s->terms.size[0] = sqrt(s->terms.sums[0].x);
    s->terms.size[1] = sqrt(s->terms.sums[1].x);
    expand_two(s, 0, (series_pair){.rows = p->n_row, .a = F, .b = F1, .M = p->W}, spring, spring1);
    project_two(s, 2);
    jd_series_forces_of(s, 2);
    jd_series_forces_of(s, 3);
    memset(s->terms.row_known, 0, (size_t)p->n_row * sizeof *s->terms.row_known);
    s->terms.whole = false;
}

static void begin(series *s) {
    const series_plan *p = &s->plan;
    double *q1 = s->terms.q + p->stride;
    memcpy(s->terms.q, s->state.q, (size_t)p->n * sizeof(double));
    for (int l = 0; l < p->n; l++) q1[l] = s->state.p[l] * s->terms.dt;
    expand_drives(s);
    expand_given(s);
}

void jd_series_expand(series *s, int orders) {
    if (!s->held.known) jd_series_hold(s);
    if (s->held.n > 0) jd_series_held_speeds(s);
    begin(s);
    if (s->plan.springs.alone) {
        expand_springs(s);
        jd_series_expand_on(s, SERIES_FIRST + 1, orders);
        return;
    }
    s->terms.size[0] = norm(s->plan.n, s->terms.q);
    s->terms.size[1] = norm(s->plan.n, s->terms.q + s->plan.stride);
    project(s, 0);
    project(s, 1);
    jd_series_expand_on(s, 2, orders);
    s->terms.whole = true;
}

void jd_series_expand_on(series *s, int from, int orders) {
    const series_plan *p = &s->plan;
    s->terms.degree = orders - 3;
    for (int k = from - 2; !p->springs.alone && k + 2 <= orders; k++) {
        expand_order(s, k);
        project(s, k + 2);
    }
    for (int k = from - 2; p->springs.alone && k + 2 <= orders; k += 2) {
        const double *q = s->terms.q + (size_t)k * (size_t)p->stride;
        series_pair pair = {.rows = p->n, .a = q, .b = q + p->stride, .M = s->matrix.K};
        expand_two(s, k, pair, p->springs.stiffest * sqrt(s->terms.sums[k].x),
                   p->springs.stiffest * sqrt(s->terms.sums[k + 1].x));
    }
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
    for (int i = 0; k <= s->terms.degree + 1 && i < p->n_slider; i++) {
        double T = s->terms.T[(size_t)k * (size_t)s->terms.slider_stride + (size_t)i];
        if (plane_slides(s, i)) sum += T * T / p->slider[i].kt;
    }
    for (int a = 0; a < p->n_normal; a++) {
        if (p->normal[a].kind != NORMAL_SPRING || !s->state.closed[a]) continue;
        double x = jd_series_depth(s, a, k);
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
        if (g->partner >= 0) sum += sqrt(g->kt) * l; // its spring, as the terms of a step see it
        if (g->slope < 0) sum -= g->slope * l * l;
        if (b->kind == NORMAL_SPRING)
            sum += 0.5 * g->limit * sqrt(b->kn) * l + g->limit * b->cn * p->length[b->row] * l;
        for (int h = 0; b->kind == NORMAL_RIGID && h < s->held.n; h++)
            if (s->held.item[h] == p->n_slider + g->normal) sum += g->limit * s->held.react[h] * l;
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
    return s->terms.driven[k] * exp(fmin(fastest * s->terms.dt, 700));
}

// With nonlinear springs derivatives of the motion solve no equations of this kind.
static void smooth_remainder(series *s) {
    double energy[4];
    for (int i = 0; i < 4; i++) energy[i] = energy_norm(s, s->terms.degree + i);
    jd_smooth_remainder(s, energy, growth(s), driven_on(s, s->terms.degree + 1));
}

// |z[k]| where rows are not at hand: springs by the largest stiffness they can have together.
static double energy_bound(const series_terms *t, double stiffest, int k) {
    double rate = (k + 1) / t->dt;
    return 1.0000001 *
           sqrt(rate * rate * t->sums[k + 1].x + t->sums[k].strain + stiffest * t->sums[k].x);
}

double jd_series_bound_of(const series *s, int k) {
    double x = s->plan.springs.alone ? energy_bound(&s->terms, s->plan.springs.stiffest, k)
                                     : energy_norm(s, k);
    return s->terms.grow * (x + s->terms.dt * s->terms.driven[k]);
}

void jd_series_begin_remainder(series *s) {
    double rate = growth(s), now = energy_norm(s, 0);
    s->terms.grow = rate > 0 ? exp(fmin(rate * s->terms.dt, 700)) : 1;
    for (int k = 1; k <= 4; k++)
        now = fmax(now, s->plan.springs.alone ? energy_bound(&s->terms, 0, k) : energy_norm(s, k));
    s->terms.now = fmax(now, s->terms.dt * load(s));
}

void jd_series_remainder(series *s) {
    for (int i = 0; i < 3; i++) {
        int k = s->terms.degree + i;
        s->terms.direct[i] = s->terms.driven[k];
        s->terms.Z[i] = jd_series_bound_of(s, k);
    }
    if (s->plan.n_smooth > 0) smooth_remainder(s);
}
