// tangent.c -- derivative of the motion: each step's own, and what an event adds.
//   S = R + (f+ - R f-) g'/(g.f-), g the gradient of the guard in x-;
//   slip -> stuck  R keeps (y, kappa), lambda = lambda+-(y);  stuck -> slip  R drops lambda;
//   at the end of a slide the field is continuous: S = R
#include <math.h>
#include <string.h>

#include "engine/closure/closure.h"

jd_status jd_closure_carry(closure *e, const radau_step *step, double *P) {
    const radau_field f = {e, jd_closure_rate};
    if (!(step->h > 0)) return JD_OK;
    return jd_radau_carry(&e->aside, &f, step, e->tangent.n, P, e->tangent.rhs);
}

// g.v for a column or a rate v in the unknowns of `before`, stride between its entries.
static double along(const closure *e, phase before, const double *v, int stride) {
    double s = 0;
    const double *g = before == STUCK ? e->scratch.salt_lambda : e->scratch.salt_h;
    for (int i = 0; i < e->plan.n; i++) s += g[i] * v[(size_t)i * (size_t)stride];
    return before == STUCK ? v[(size_t)(e->plan.n + e->plan.memory) * (size_t)stride] - s : s;
}

// (R v)_i
static double kept(const closure *e, phase after, const double *v, int stride, int i) {
    if (after != STUCK || i < e->plan.n + e->plan.memory) return v[(size_t)i * (size_t)stride];
    double s = 0;
    for (int k = 0; k < e->plan.n; k++)
        s += e->scratch.salt_lambda[k] * v[(size_t)k * (size_t)stride];
    return s;
}

double jd_closure_saltation_open(closure *e, closure_saltation *s) {
    jd_closure_rate(e, e->state.t, e->state.x, e->scratch.f_after);
    jd_closure_gradient_h(e, s->x0, e->scratch.salt_h);
    jd_closure_gradient_lambda(e, s->side, s->x0, e->scratch.salt_lambda);
    return s->speed = along(e, s->before, s->f0, 1);
}

double jd_closure_saltation_jump(const closure *e, const closure_saltation *s, int i) {
    return s->before == SLIDE ? 0 : e->scratch.f_after[i] - kept(e, e->state.phase, s->f0, 1, i);
}

void jd_closure_saltation_columns(const closure *e, const closure_saltation *s, int m,
                                  const double *P, double *out) {
    for (int c = 0; c < m; c++) {
        double share = s->before == SLIDE ? 0 : along(e, s->before, P + c, m) / s->speed;
        for (int i = 0; i < e->state.nx; i++)
            out[i * m + c] =
                kept(e, e->state.phase, P + c, m, i) + jd_closure_saltation_jump(e, s, i) * share;
    }
}
