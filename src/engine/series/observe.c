// observe.c -- the motion at a time of the present step.
#include <math.h>
#include <string.h>

#include "engine/series/product.h"
#include "engine/series/series.h"

double jd_series_tau(const series *s, double t) {
    return t == s->step.t_end ? s->step.tau_end : (t - s->state.t0) / s->terms.dt;
}

void jd_series_motion(const series *s, double tau, double *q, double *p) {
    jd_series_horner(SERIES_ORDER, s->plan.stride, (size_t)s->plan.stride, s->terms.q, tau, q, p);
    for (int k = 0; k < s->plan.n; k++) p[k] /= s->terms.dt;
}

// Forces and their rates per second.
void jd_series_forces(const series *s, double tau, double *N, double *Nr, double *T, double *Tr) {
    const series_terms *t = &s->terms;
    jd_series_horner(SERIES_FORCES - 1, t->normal_stride, (size_t)t->normal_stride, t->N, tau, N,
                     Nr);
    jd_series_horner(SERIES_FORCES - 1, t->slider_stride, (size_t)t->slider_stride, t->T, tau, T,
                     Tr);
    for (int a = 0; a < s->plan.n_normal; a++) Nr[a] /= t->dt;
    for (int i = 0; i < s->plan.n_slider; i++) Tr[i] /= t->dt;
}
