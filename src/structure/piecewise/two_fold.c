// two_fold.c -- the normal form of a two-fold: both fields graze the surface at y = 0.
//   y1' - L+ lambda' = y3 - y2 + lambda (y3 + y2) - sigma L+ (lambda - kappa)
//   y2' = 1 + V- + lambda (V- - 1),   y3' = 1 + V+ + lambda (1 - V+),   kappa' = sigma (lambda -
//   kappa),   h = y1,   lambda+- = -+1                                [szalai, closure, 58]
//   On the surface lambda = (y2 - y3)/(y2 + y3) is critical: a node for y2 + y3 > 4 sigma L+, a
//   focus below, a saddle for y2 + y3 < 0.                  tested: closure_two_fold_*
#include "structure/params.h"
#include "structure/piecewise/pws.h"

#include <math.h>

#define REAL(member, text, smallest, standard)                                                     \
    JD_PWS_REAL(jd_two_fold_def, member, text, smallest, standard)

static const jd_param params[] = {REAL(v_minus, "V- of the normal form", -HUGE_VAL, -2),
                                  REAL(v_plus, "V+ of the normal form", -HUGE_VAL, -1.1),
                                  REAL(wave_term, "L+ of the first equation; 0: Filippov", 0, 0.05),
                                  REAL(sigma, "how fast the jump fades", 0, 10),
                                  {0}};

static void r(void *u, double t, const double *y, double *out) {
    const jd_two_fold_def *d = u;
    (void)t;
    out[0] = y[2] - y[1];
    out[1] = 1 + d->v_minus;
    out[2] = 1 + d->v_plus;
}
static void linf(void *u, const double *y, double *out) {
    const jd_two_fold_def *d = u;
    out[0] = y[2] + y[1];
    out[1] = d->v_minus - 1;
    out[2] = 1 - d->v_plus;
}
static void lplus(void *u, const double *y, double *out) {
    (void)y;
    out[0] = ((const jd_two_fold_def *)u)->wave_term;
    out[1] = out[2] = 0;
}
static double lambda(void *u, int side, const double *y) {
    (void)u;
    (void)y;
    return -side;
}
static void dlambda(void *u, int side, const double *y, double *out) {
    (void)u;
    (void)side;
    (void)y;
    out[0] = out[1] = out[2] = 0;
}
static double h(void *u, const double *y) {
    (void)u;
    return y[0];
}
static void dh(void *u, const double *y, double *out) {
    (void)u;
    (void)y;
    out[0] = 1;
    out[1] = out[2] = 0;
}

static jd_status build(jd_structure *s, const void *def) {
    JD_TRY(jd_pws_keep(s, def, sizeof(jd_two_fold_def)));
    return jd_pws_points(s, NULL, 3);
}

static const jd_closure_model form = JD_PWS_FORM(3);

static jd_status open(const jd_structure *s, int point, jd_arena *arena, jd_pws *out) {
    const jd_two_fold_def *d = s->data;
    (void)point;
    jd_pws_form(out, &form, s->data, d->sigma, d->wave_term);
    return jd_pws_rows(arena, 0, out);
}

const jd_structure_class jd_two_fold_class = {
    .type = {.name = "two-fold",
             .doc = "normal form of a two-fold singularity, with or without a finite wave speed",
             .def_size = sizeof(jd_two_fold_def),
             .params = params},
    .capabilities = JD_CAN_PWS,
    .build = build,
    .open = open,
    .switches = jd_pws_switches,
};
