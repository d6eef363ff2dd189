// tangent.c -- derivative of the motion: each step's own, and what an event adds.
//   S = R + (f+ - R f-) g'/(g.f-), g the gradient of the guard in x-;
//   slip -> stuck  R keeps (y, kappa), lambda = lambda+-(y);  stuck -> slip  R drops lambda
#include <math.h>
#include <string.h>

#include "engine/closure/closure.h"

jd_status closure_carry(closure *e, const radau_step *step, double *P) {
    const radau_field f = {e, closure_rate};
    if (!(step->h > 0)) return JD_OK;
    return radau_carry(&e->aside, &f, step, e->n_tangent, P, e->rhs);
}

// g.v for a column or a rate v in the unknowns of `before`, stride between its entries.
static double along(const closure *e, phase before, const double *v, int stride) {
    double s = 0;
    const double *g = before == STUCK ? e->gl : e->gh;
    for (int i = 0; i < e->n; i++) s += g[i] * v[(size_t)i * (size_t)stride];
    return before == STUCK ? v[(size_t)(e->n + e->memory) * (size_t)stride] - s : s;
}

// (R v)_i
static double kept(const closure *e, phase after, const double *v, int stride, int i) {
    if (after != STUCK || i < e->n + e->memory) return v[(size_t)i * (size_t)stride];
    double s = 0;
    for (int k = 0; k < e->n; k++) s += e->gl[k] * v[(size_t)k * (size_t)stride];
    return s;
}

void closure_salt(closure *e, phase before, const double *x0, const double *f0, phase after,
                  const double *x1, int side) {
    int m = e->n_tangent, n1 = e->nx;
    if (before == SLIDE) return; // the field is continuous there
    double *f1 = e->full;
    closure_rate(e, e->t, x1, f1);
    closure_gradient_h(e, x0, e->gh);
    closure_gradient_lambda(e, side, x0, e->gl);
    double speed = along(e, before, f0, 1);
    for (int c = 0; c < m; c++) {
        double share = along(e, before, e->P + c, m) / speed;
        for (int i = 0; i < n1; i++)
            e->P1[i * m + c] =
                kept(e, after, e->P + c, m, i) + (f1[i] - kept(e, after, f0, 1, i)) * share;
    }
    memcpy(e->P, e->P1, (size_t)(n1 * m) * sizeof *e->P);
}
