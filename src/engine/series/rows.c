// rows.c -- rows and forces of the series: of one order for all contacts, of all orders for one
// contact, or whole.
//   Orders up to SERIES_FIRST are there for every contact. Higher ones follow from q when they are
//   asked for: most contacts are far from their limits and never need them.
#include <math.h>
#include <string.h>

#include "engine/series/product.h"
#include "engine/series/series.h"
#include "engine/series/smooth/plane.h"

double jd_series_depth(const series *s, int a, int k) {
    const series_normal *g = &s->plan.normal[a];
    double x = s->terms.u[(size_t)k * (size_t)s->plan.row_stride + (size_t)g->row];
    if (s->linear) return s->state.closed[a] * x;
    if (k == 0) x -= g->belt * s->state.t0;
    if (k == 1) x -= g->belt * s->terms.dt;
    return s->state.closed[a] * x - (k == 0 ? g->gap : 0);
}

// Forces of order k that follow from the motion; those of held contacts are 0 here.
static void set_normal(series *s, int a, int k) {
    const series_normal *g = &s->plan.normal[a];
    double *N = s->terms.N + (size_t)k * (size_t)s->terms.normal_stride + a;
    if (g->row < 0) return;
    *N = 0;
    if (g->kind != NORMAL_SPRING || !s->state.closed[a]) return;
    *N = g->kn * jd_series_depth(s, a, k);
    if (g->cn > 0) *N += g->cn * (k + 1) * jd_series_depth(s, a, k + 1) / s->terms.dt;
}

static void set_slider(series *s, int i, int k) {
    const series_slider *g = &s->plan.slider[i];
    const double *N = s->terms.N + (size_t)k * (size_t)s->terms.normal_stride;
    const double *u = s->terms.u + (size_t)k * (size_t)s->plan.row_stride,
                 *next = u + s->plan.row_stride;
    double *T = s->terms.T + (size_t)k * (size_t)s->terms.slider_stride + i;
    double belt = k <= 1 && !s->linear ? g->belt : 0;
    int slide = s->state.slide[i];
    if (plane_slides(s, i)) {
        if (k == 0) *T = s->state.T[i];
        if (k > 0 && plane_leads(s, i)) jd_plane_forces(s, i, k);
    } else if (slide == SERIES_FREE)
        *T = 0;
    else if (slide != 0)
        *T =
            slide * g->limit * N[g->normal] +
            (g->slope != 0 ? g->slope * ((k + 1) * next[g->row] / s->terms.dt - (k == 0 ? belt : 0))
                           : 0);
    else if (k == 0)
        *T = g->kt > 0 ? s->state.T[i] : 0;
    else
        *T = g->kt * (u[g->row] - (k == 1 ? belt * s->terms.dt : 0));
}

// Sliders whose limit is a given constant and whose counterpart is at rest, most of them.
static bool set_plain(series *s, int i, int k) {
    const series_slider *g = &s->plan.slider[i];
    double *T = s->terms.T + (size_t)k * (size_t)s->terms.slider_stride + i;
    int slide = s->state.slide[i];
    if (k == 0 || g->belt != 0 || g->slope != 0 || g->partner >= 0) return false;
    if (slide == 0)
        *T = g->kt * s->terms.u[(size_t)k * (size_t)s->plan.row_stride + (size_t)g->row];
    else if (s->plan.normal[g->normal].kind == NORMAL_ONE)
        *T = 0;
    else
        return false;
    return true;
}

void jd_series_forces_of(series *s, int k) {
    for (int a = 0; a < s->plan.n_normal; a++)
        if (s->plan.normal[a].row >= 0) set_normal(s, a, k);
    for (int i = 0; i < s->plan.n_slider; i++)
        if (!set_plain(s, i, k)) set_slider(s, i, k);
}

static void fill_row(series *s, int r) {
    const series_plan *p = &s->plan;
    series_terms *t = &s->terms;
    if (t->row_known[r]) return;
    jd_series_row_of(p->stride, SERIES_FIRST + 1, t->degree + 3,
                     p->W + (size_t)r * (size_t)p->stride, t->q, (size_t)p->stride, t->u + r,
                     (size_t)p->row_stride);
    t->row_known[r] = true;
}

void jd_series_fill_normal(series *s, int a) {
    int r = s->plan.normal[a].row;
    if (s->terms.whole || r < 0 || s->terms.row_known[r]) return;
    fill_row(s, r);
    for (int k = SERIES_FIRST + 1; k <= s->terms.degree + 1; k++) set_normal(s, a, k);
}

void jd_series_fill_slider(series *s, int i) {
    if (s->terms.whole) return;
    jd_series_fill_normal(s, s->plan.slider[i].normal);
    fill_row(s, s->plan.slider[i].row);
    for (int k = SERIES_FIRST + 1; k <= s->terms.degree + 1; k++)
        if (!set_plain(s, i, k)) set_slider(s, i, k);
}

// Sums of moduli, by which most contacts are settled (guards.c, observe.c).
void jd_series_sum_moduli(series *s) {
    const series_plan *p = &s->plan;
    series_terms *t = &s->terms;
    size_t rs = (size_t)p->row_stride, ns = (size_t)t->normal_stride;
    int orders = t->degree + 3, forces = t->degree + 1;
    jd_series_moduli(forces, t->normal_stride, ns, t->N, t->N_sum);
    jd_series_moduli(forces, t->slider_stride, (size_t)t->slider_stride, t->T, t->T_sum);
    for (int r = 0; r < p->row_stride; r++) t->rate_sum[r] = 0;
    for (int a = 0; a < p->n_normal; a++) t->N_rate_sum[a] = 0;
    for (int k = 2; k <= orders; k++)
        for (int r = 0; r < p->row_stride; r++)
            t->rate_sum[r] += k * fabs(t->u[(size_t)k * rs + (size_t)r]);
    for (int k = 2; k <= forces; k++)
        for (int a = 0; a < p->n_normal; a++)
            t->N_rate_sum[a] += k * fabs(t->N[(size_t)k * ns + (size_t)a]);
}

void jd_series_fill(series *s) {
    const series_plan *p = &s->plan;
    series_terms *t = &s->terms;
    size_t stride = (size_t)p->stride, rs = (size_t)p->row_stride;
    int orders = t->degree + 3;
    if (t->whole) return;
    for (int k = SERIES_FIRST + 1; k <= orders; k += 2)
        jd_series_combine_two(p->n, p->row_stride, p->row_stride, t->q + (size_t)k * stride,
                              t->q + (size_t)(k + 1) * stride, p->Wt, t->u + (size_t)k * rs,
                              t->u + (size_t)(k + 1) * rs);
    for (int k = SERIES_FIRST + 1; k <= orders - 2; k++) jd_series_forces_of(s, k);
    jd_series_cut(s, orders);
    t->whole = true;
    jd_series_sum_moduli(s);
}

// Given normal force at tau and its rate per second.
static double swinging(const series_terms *t, int a, double tau, double *rate) {
    double value = 0, d = 0;
    for (int k = t->degree + 1; k >= 0; k--) {
        d = d * tau + value;
        value = value * tau + t->N[(size_t)k * (size_t)t->normal_stride + (size_t)a];
    }
    *rate = d / t->dt;
    return value;
}

// Motion, normal forces and forces of stuck sliders at tau, without the series of the rows: what
// they moved by is exact to rounding of that.
void jd_series_end(series *s, double tau, double *q, double *p) {
    const series_plan *plan = &s->plan;
    const series_terms *t = &s->terms;
    series_scratch *x = &s->scratch;
    double h = tau * t->dt, dt = t->dt;
    jd_series_advance(t->degree + 3, plan->stride, (size_t)plan->stride, t->q, tau, x->damp, q, p);
    for (int k = 0; k < plan->n; k++) p[k] /= dt;
    jd_series_combine_two(plan->n, plan->row_stride, plan->row_stride, x->damp, p, plan->Wt, x->u,
                          x->v);
    for (int a = 0; a < plan->n_normal; a++) {
        const series_normal *g = &plan->normal[a];
        double belt = s->linear ? 0 : g->belt;
        x->N[a] = t->N[a];
        x->Nr[a] = 0;
        if (g->kind == NORMAL_SPRING && s->state.closed[a]) {
            x->N[a] += g->kn * s->state.closed[a] * (x->u[g->row] - belt * h);
            x->Nr[a] = g->kn * s->state.closed[a] * (x->v[g->row] - belt);
        }
        if (g->kind == NORMAL_SWING) x->N[a] = swinging(t, a, tau, &x->Nr[a]);
    }
    for (int i = 0; i < plan->n_slider; i++) {
        const series_slider *g = &plan->slider[i];
        if (s->state.slide[i] != 0) continue;
        x->T[i] = t->T[i] + g->kt * (x->u[g->row] - (s->linear ? 0 : g->belt * h));
    }
}
