// friction_oscillator.c -- one mode of a bowed string with its high-frequency answer.
//   y1' = y2,   y2' - L+ lambda' = -y1 - 2 beta y2 + Linf lambda - sigma L+ (lambda - kappa)
//   kappa' = sigma (lambda - kappa),   h = y2 - 1,   lambda+- = -+1 + alpha (y2 - 1)
//   [szalai, closure, 57, with the signs of 37]
//   Steady slip loses its stability at the Hopf value of alpha:  tested: closure_hopf_of_slip
#include "structure/params.h"
#include "structure/piecewise/pws.h"

#include <math.h>

#define REAL(member, text, smallest, standard)                                                     \
    JD_PWS_REAL(jd_friction_oscillator_def, member, text, smallest, standard)

static const jd_param params[] = {
    REAL(alpha, "slope of the friction force over the sliding speed", -HUGE_VAL, 0.5),
    REAL(beta, "damping ratio", 0, 0.03),
    REAL(wave_term, "L+: jump of the velocity by a unit jump of the force; 0: Filippov", 0, 0.05),
    REAL(sigma, "how fast that jump fades", 0, 50),
    REAL(static_gain, "Linf: acceleration by a unit force", 0, 1),
    {0}};

static void r(void *u, double t, const double *y, double *out) {
    const jd_friction_oscillator_def *d = u;
    (void)t;
    out[0] = y[1];
    out[1] = -y[0] - 2 * d->beta * y[1];
}
static void linf(void *u, const double *y, double *out) {
    (void)y;
    out[0] = 0;
    out[1] = ((const jd_friction_oscillator_def *)u)->static_gain;
}
static void lplus(void *u, const double *y, double *out) {
    (void)y;
    out[0] = 0;
    out[1] = ((const jd_friction_oscillator_def *)u)->wave_term;
}
static double lambda(void *u, int side, const double *y) {
    return -side + ((const jd_friction_oscillator_def *)u)->alpha * (y[1] - 1);
}
static void dlambda(void *u, int side, const double *y, double *out) {
    (void)side;
    (void)y;
    out[0] = 0;
    out[1] = ((const jd_friction_oscillator_def *)u)->alpha;
}
static double h(void *u, const double *y) {
    (void)u;
    return y[1] - 1;
}
static void dh(void *u, const double *y, double *out) {
    (void)u;
    (void)y;
    out[0] = 0;
    out[1] = 1;
}

static jd_status build(jd_structure *s, const void *def) {
    static const jd_point mass = {.name = "mass"};
    JD_TRY(jd_pws_keep(s, def, sizeof(jd_friction_oscillator_def)));
    return jd_pws_points(s, &(jd_points){1, &mass}, 2);
}

static const jd_closure_model form = JD_PWS_FORM(2);

static jd_status open(const jd_structure *s, int point, jd_arena *arena, jd_pws *out) {
    const jd_friction_oscillator_def *d = s->data;
    (void)point;
    jd_pws_form(out, &form, s->data, d->sigma, d->wave_term);
    JD_TRY(jd_pws_rows(arena, 1, out));
    out->point_u[0] = 1; // the mass: y1, y2
    out->point_v[1] = 1;
    out->push[0] = 1;
    out->displacement = out->point_u;
    return JD_OK;
}

const jd_structure_class jd_friction_oscillator_class = {
    .type = {.name = "friction-oscillator",
             .doc = "one mode of a bowed string, with a wave term for its higher modes",
             .def_size = sizeof(jd_friction_oscillator_def),
             .params = params},
    .capabilities = JD_CAN_PWS,
    .build = build,
    .open = open,
    .switches = jd_pws_switches,
};
