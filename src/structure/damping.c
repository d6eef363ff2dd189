// damping.c -- viscous damping of modes: none, ratios, a table over frequency, or Rayleigh's C =
// mass M + stiffness K.
//   ratio     c_k = 2 D_k omega_k                [1/s]
//   table     c_k = 2 D(omega_k) omega_k         [1/s]
//   rayleigh  c_k = mass + stiffness omega_k^2   [1/s]
#include "structure/modal.h"

typedef struct nothing {
    char none;
} nothing;

static const jd_param none_params[] = {{.key = NULL}};
static const jd_param ratio_params[] = {
    {JD_KEY(jd_damping_ratio_def, value, REALS), .unit = "", .required = true, .low = 0,
     .high = 1e6,
     .doc = "damping ratio D of every mode, or a list with one for each (infinitely many modes: "
            "the last holds for all higher ones)"},
    {.key = NULL}};
static const jd_param rayleigh_params[] = {
    {JD_KEY(jd_damping_rayleigh_def, mass, REAL), .unit = "1/s", .low = 0, .high = 1e300,
     .doc = "factor of the mass matrix"},
    {JD_KEY(jd_damping_rayleigh_def, stiffness, REAL), .unit = "s", .low = 0, .high = 1e300,
     .doc = "factor of the stiffness matrix"},
    {.key = NULL}};
static const jd_param table_params[] = {
    {JD_KEY(jd_damping_table_def, frequency, REALS), .unit = "rad/s", .required = true, .low = 0,
     .high = 1e300, .doc = "frequencies, ascending"},
    {JD_KEY(jd_damping_table_def, ratio, REALS), .unit = "", .required = true, .low = 0,
     .high = 1e6, .doc = "damping ratio at each; straight between them, constant beyond"},
    {.key = NULL}};
static const jd_param matrix_params[] = {
    {.key = "file",
     .kind = JD_KIND_MATRIX,
     .offset = offsetof(jd_damping_matrix_def, matrix),
     .unit = "",
     .required = true,
     .doc = "viscous matrix C, in the format of the other matrices"},
    {.key = NULL}};

const jd_type jd_damping_none = {"none", "no damping", sizeof(nothing), none_params, NULL};
const jd_type jd_damping_ratio = {"ratio", "damping ratio of the modes",
                                  sizeof(jd_damping_ratio_def), ratio_params, NULL};
const jd_type jd_damping_rayleigh = {"rayleigh", "C = mass M + stiffness K",
                                     sizeof(jd_damping_rayleigh_def), rayleigh_params, NULL};
static jd_status check_table(jd_context *context, const void *def) {
    const jd_damping_table_def *d = def;
    if (d->frequency.n < 1 || d->frequency.n != d->ratio.n)
        return jd_fail(context, JD_SIZE_MISMATCH,
                       "`frequency` has %d values and `ratio` %d: one of each per point, at least "
                       "one",
                       d->frequency.n, d->ratio.n);
    for (int i = 1; i < d->frequency.n; i++)
        if (!(d->frequency.value[i] > d->frequency.value[i - 1]))
            return jd_fail(context, JD_OUT_OF_RANGE,
                           "`frequency` must ascend, but number %d is %.9g after %.9g", i + 1,
                           d->frequency.value[i], d->frequency.value[i - 1]);
    return JD_OK;
}

const jd_type jd_damping_table = {.name = "table",
                                  .doc = "damping ratio over frequency",
                                  .def_size = sizeof(jd_damping_table_def),
                                  .params = table_params,
                                  .check = check_table};
const jd_type jd_damping_matrix = {"matrix", "a full viscous matrix from a file",
                                   sizeof(jd_damping_matrix_def), matrix_params, NULL};
const jd_type *const jd_damping_types[] = {&jd_damping_none, &jd_damping_ratio,
                                           &jd_damping_rayleigh, &jd_damping_table, NULL};

static jd_status need_not_negative(jd_context *context, const char *key, double value) {
    if (value >= 0 && isfinite(value)) return JD_OK;
    return jd_fail(context, JD_OUT_OF_RANGE, "`%s` is %g but must not be negative", key, value);
}

static jd_status apply_ratio(jd_context *context, const jd_damping_ratio_def *d, jd_modal *m) {
    int given = d->value.n, kept = m->n - m->n_static;
    if (given != 1 && given != m->n && given != kept)
        return jd_fail(context, JD_SIZE_MISMATCH, "`damping` gives %d ratios for %d modes", given,
                       kept);
    m->law = JD_DAMPING_MODAL;
    for (int k = 0; k < m->n; k++) {
        double ratio = d->value.value[k < given ? k : given - 1];
        JD_TRY(need_not_negative(context, "value", ratio));
        m->c[k] = 2 * dd_value(dd_scale(dd_sqrt(m->omega2[k]), ratio));
    }
    return JD_OK;
}

double jd_damping_table_at(const jd_damping_table_def *d, double omega) {
    const double *x = d->frequency.value, *y = d->ratio.value;
    int n = d->frequency.n, i = 1;
    if (omega <= x[0]) return y[0];
    if (omega >= x[n - 1]) return y[n - 1];
    while (x[i] < omega) i++;
    return y[i - 1] + (y[i] - y[i - 1]) * ((omega - x[i - 1]) / (x[i] - x[i - 1]));
}

static jd_status apply_table(jd_context *context, const jd_damping_table_def *d, jd_modal *m) {
    JD_TRY(check_table(context, d));
    m->law = JD_DAMPING_MODAL;
    for (int k = 0; k < m->n; k++) {
        double omega = dd_value(dd_sqrt(m->omega2[k])), ratio = jd_damping_table_at(d, omega);
        JD_TRY(need_not_negative(context, "ratio", ratio));
        m->c[k] = 2 * ratio * omega;
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
    if (damping->type == &jd_damping_table) return apply_table(context, damping->def, m);
    return jd_fail(context, JD_NOT_SUPPORTED, "damping `%s` is not possible for this structure",
                   damping->type->name);
}
