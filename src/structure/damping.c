// damping.c -- viscous damping of modes: none, a ratio, or Rayleigh's C = mass M + stiffness K.
//   ratio     c_k = 2 D_k omega_k                [1/s]
//   rayleigh  c_k = mass + stiffness omega_k^2   [1/s]
#include "structure/modal.h"

typedef struct nothing {
    char none;
} nothing;

static const jd_param none_params[] = {{.key = NULL}};
static const jd_param ratio_params[] = {
    {JD_KEY(jd_damping_ratio_def, value, REALS), .unit = "", .required = true, .low = 0,
     .high = 1e6, .doc = "damping ratio D of every mode, or a list with one for each"},
    {.key = NULL}};
static const jd_param rayleigh_params[] = {
    {JD_KEY(jd_damping_rayleigh_def, mass, REAL), .unit = "1/s", .low = 0, .high = 1e300,
     .doc = "factor of the mass matrix"},
    {JD_KEY(jd_damping_rayleigh_def, stiffness, REAL), .unit = "s", .low = 0, .high = 1e300,
     .doc = "factor of the stiffness matrix"},
    {.key = NULL}};
static const jd_param matrix_params[] = {
    {JD_KEY(jd_damping_matrix_def, file, FILE), .unit = "", .required = true,
     .doc = "viscous matrix C, in the format of the other matrices"},
    {.key = NULL}};

const jd_type jd_damping_none = {"none", "no damping", sizeof(nothing), none_params, NULL};
const jd_type jd_damping_ratio = {"ratio", "damping ratio of the modes",
                                  sizeof(jd_damping_ratio_def), ratio_params, NULL};
const jd_type jd_damping_rayleigh = {"rayleigh", "C = mass M + stiffness K",
                                     sizeof(jd_damping_rayleigh_def), rayleigh_params, NULL};
const jd_type jd_damping_matrix = {"matrix", "a full viscous matrix from a file",
                                   sizeof(jd_damping_matrix_def), matrix_params, NULL};
const jd_type *const jd_damping_types[] = {&jd_damping_none, &jd_damping_ratio,
                                           &jd_damping_rayleigh, NULL};

static jd_status need_not_negative(jd_context *context, const char *key, double value) {
    if (value >= 0 && isfinite(value)) return JD_OK;
    return jd_fail(context, JD_OUT_OF_RANGE, "`%s` is %g but must not be negative", key, value);
}

static jd_status apply_ratio(jd_context *context, const jd_damping_ratio_def *d, jd_modal *m) {
    if (d->value.n != 1 && d->value.n != m->n)
        return jd_fail(context, JD_SIZE_MISMATCH, "%d damping ratios are given for %d modes",
                       d->value.n, m->n);
    m->law = JD_DAMPING_MODAL;
    for (int k = 0; k < m->n; k++) {
        double ratio = d->value.value[d->value.n == 1 ? 0 : k];
        JD_TRY(need_not_negative(context, "value", ratio));
        m->c[k] = 2 * dd_value(dd_scale(dd_sqrt(m->omega2[k]), ratio));
    }
    return JD_OK;
}

static jd_status apply_rayleigh(jd_context *context, const jd_damping_rayleigh_def *d,
                                jd_modal *m) {
    JD_TRY(need_not_negative(context, "mass", d->mass));
    JD_TRY(need_not_negative(context, "stiffness", d->stiffness));
    m->law = JD_DAMPING_RAYLEIGH;
    m->alpha = d->mass;
    m->beta = d->stiffness;
    for (int k = 0; k < m->n; k++)
        m->c[k] = dd_value(dd_add(dd(d->mass), dd_scale(m->omega2[k], d->stiffness)));
    return JD_OK;
}

jd_status jd_damping_apply(jd_arena *arena, const jd_object *damping, jd_modal *m) {
    jd_context *context = jd_arena_context(arena);
    m->law = JD_DAMPING_NONE;
    m->c = JD_TAKE(arena, double, m->n);
    JD_TRY(jd_arena_status(arena));
    if (!damping->type || damping->type == &jd_damping_none) return JD_OK;
    if (damping->type == &jd_damping_ratio) return apply_ratio(context, damping->def, m);
    if (damping->type == &jd_damping_rayleigh) return apply_rayleigh(context, damping->def, m);
    return jd_fail(context, JD_NOT_SUPPORTED, "damping `%s` is not possible for this structure",
                   damping->type->name);
}
