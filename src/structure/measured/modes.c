// modes.c -- a structure known by its modes alone: frequencies, damping ratios, shapes at points.
//   From measurement, another program or `judder reduce`; the modes are sorted by frequency, shapes
//   with them. Damping by ratios, by a damping type, or by the matrix C of the modes.
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "structure/classes.h"
#include "structure/measured/modes_universal.h"

static const jd_param params[] = {
    {JD_KEY(jd_modes_def, omega, REALS), .unit = "rad/s", .low = 0, .high = DBL_MAX,
     .doc = "undamped natural frequencies, in any order; 0 is a rigid-body mode; required unless "
            "there is a file"},
    {JD_KEY(jd_modes_def, ratio, REALS), .unit = "", .low = 0, .high = 1e6,
     .doc = "damping ratio of every mode, or a list with one for each; default: undamped"},
    {JD_KEY(jd_modes_def, shapes, SHAPES), .unit = "",
     .doc = "named points, each with its mass-normalised shape value in every mode"},
    {JD_KEY(jd_modes_def, damping, OBJECT), .unit = "", .preset_text = "none",
     .types = jd_damping_types, .doc = "damping of the modes, in place of `ratio`"},
    {JD_KEY(jd_modes_def, damping_matrix, REALS), .unit = "1/s",
     .doc = "damping matrix C of the modes, row by row, in place of `ratio` and `damping`"},
    {JD_KEY(jd_modes_def, base, REALS), .unit = "",
     .doc = "share of every mode in a unit motion of the supports, for drives `of: base`"},
    {JD_KEY(jd_modes_def, error, REALS), .unit = "", .low = 0, .high = DBL_MAX,
     .doc = "relative error bound of every `omega`; from 1 on: not known"},
    {JD_KEY(jd_modes_def, static_shapes, INTEGER), .unit = "", .low = 0, .high = 1e6,
     .doc = "how many of the highest are static shapes of a reduction"},
    {JD_KEY(jd_modes_def, file, FILE), .unit = "",
     .doc = "universal file with modes (dataset 55), in place of omega and shapes"},
    {JD_KEY(jd_modes_def, points, POINTS), .unit = "m",
     .doc =
         "named points {node: N, dof: D} of a file, D: x y z rx ry rz; or {near: [x, y, z], dof: "
         "D} where it has coordinates"},
    {.key = NULL}};

static jd_status check_list(jd_context *context, const char *what, const jd_reals *list, int n,
                            double low) {
    if (list->n != n)
        return jd_fail(context, JD_SIZE_MISMATCH, "%s has %d values, but there are %d modes", what,
                       list->n, n);
    for (int k = 0; k < n; k++)
        if (!(list->value[k] >= low && isfinite(list->value[k])))
            return jd_fail(context, JD_OUT_OF_RANGE,
                           "value %d of %s is %g, but must be a finite number%s", k + 1, what,
                           list->value[k], low == 0 ? ", not negative" : "");
    return JD_OK;
}

// One of the three ways to say it, and a C that is symmetric: a nonsymmetric one is no damping.
static jd_status check_damping(jd_context *context, const jd_modes_def *d, int n) {
    const jd_reals *C = &d->damping_matrix;
    bool typed = d->damping.type && d->damping.type != &jd_damping_none;
    if ((d->ratio.n > 0) + typed + (C->n > 0) > 1)
        return jd_fail(context, JD_BAD_ARGUMENT,
                       "damping is given twice: `ratio`, `damping` or `damping_matrix`, not two");
    if (C->n == 0) return JD_OK;
    if (C->n != (int64_t)n * n)
        return jd_fail(context, JD_SIZE_MISMATCH,
                       "`damping_matrix` has %d values, but %d modes need %lld", C->n, n,
                       (long long)n * n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double a = C->value[i * n + j], b = C->value[j * n + i];
            if (!(fabs(a - b) <= 1e-12 * (fabs(a) + fabs(b))))
                return jd_fail(context, JD_NOT_SYMMETRIC,
                               "`damping_matrix` is not symmetric: row %d column %d is %.10g, "
                               "mirrored %.10g",
                               i + 1, j + 1, a, b);
        }
    return JD_OK;
}

static jd_status check(jd_arena *arena, const jd_modes_def *d) {
    jd_context *context = jd_arena_context(arena);
    int n = d->omega.n;
    if (n < 1) return jd_fail(context, JD_SIZE_MISMATCH, "`omega` is empty: there are no modes");
    JD_TRY(check_list(context, "`omega`", &d->omega, n, 0));
    if (d->ratio.n > 0)
        JD_TRY(check_list(context, "`ratio`", &d->ratio, d->ratio.n == 1 ? 1 : n, 0));
    if (d->base.n > 0) JD_TRY(check_list(context, "`base`", &d->base, n, -DBL_MAX));
    if (d->error.n > 0) JD_TRY(check_list(context, "`error`", &d->error, n, 0));
    JD_TRY(check_damping(context, d, n));
    if (d->static_shapes >= n)
        return jd_fail(context, JD_OUT_OF_RANGE,
                       "`static_shapes` is %d, but of %d values of `omega` at least one is a mode",
                       d->static_shapes, n);
    for (int i = 0; i < d->shapes.n; i++) {
        const jd_shape *s = &d->shapes.shape[i];
        const char *what = jd_arena_format(arena, "shape `%s`", s->name);
        JD_TRY(jd_arena_status(arena));
        JD_TRY(check_list(context, what, &s->value, n, -DBL_MAX));
    }
    return JD_OK;
}

typedef struct slot {
    double omega;
    int from;
} slot;

static int compare(const void *a, const void *b) {
    const slot *x = a, *y = b;
    if (x->omega != y->omega) return x->omega < y->omega ? -1 : 1;
    return (x->from > y->from) - (x->from < y->from);
}

// C in the order of the sorted modes.
static jd_status take_matrix(jd_arena *arena, const jd_reals *C, const slot *order,
                             jd_modal *modal) {
    size_t n = (size_t)modal->n;
    modal->c = JD_TAKE(arena, double, n);
    modal->C = JD_TAKE(arena, double, n *n);
    JD_TRY(jd_arena_status(arena));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            modal->C[i * n + j] = C->value[(size_t)order[i].from * n + (size_t)order[j].from];
    for (size_t i = 0; i < n; i++) modal->c[i] = modal->C[i * n + i];
    modal->law = JD_DAMPING_FULL;
    return JD_OK;
}

static jd_status take_damping(jd_arena *arena, const jd_modes_def *d, const slot *order,
                              jd_modal *modal) {
    if (d->damping_matrix.n > 0) return take_matrix(arena, &d->damping_matrix, order, modal);
    if (d->ratio.n == 0) return jd_damping_apply(arena, &d->damping, modal);
    double *sorted = JD_TAKE(arena, double, modal->n);
    JD_TRY(jd_arena_status(arena));
    for (int k = 0; k < modal->n; k++)
        sorted[k] = d->ratio.value[d->ratio.n == 1 ? 0 : order[k].from];
    jd_damping_ratio_def def = {{modal->n, sorted}};
    return jd_damping_apply(arena, &(jd_object){"", &jd_damping_ratio, &def}, modal);
}

static jd_status take_base(jd_structure *s, const jd_reals *base, const slot *order) {
    if (base->n == 0) return JD_OK;
    s->base = JD_TAKE(s->arena, jd_dd, s->modal.n);
    JD_TRY(jd_arena_status(s->arena));
    for (int k = 0; k < s->modal.n; k++) s->base[k] = dd(base->value[order[k].from]);
    return JD_OK;
}

// A bound of 1 or more says nothing of the structure that the modes stand for; as numbers they are
// taken as given.
static jd_status take_errors(jd_arena *arena, const jd_reals *error, const slot *order,
                             jd_modal *modal) {
    bool known = true;
    for (int k = 0; k < error->n; k++) known = known && error->value[k] < 1;
    if (!known) modal->off = JD_TAKE(arena, double, modal->n);
    JD_TRY(jd_arena_status(arena));
    for (int k = 0; k < modal->n; k++) {
        double bound = error->n ? error->value[order[k].from] : 0;
        modal->error[k] = order[k].omega > 0 ? 0x1p-53 : 0;
        if (bound < 1) modal->error[k] = fmax(modal->error[k], bound);
        if (modal->off) modal->off[k] = bound < 1 ? 0 : (double)NAN;
    }
    return JD_OK;
}

static jd_status take_shapes(jd_structure *s, const jd_shapes *shapes, const slot *order) {
    jd_point *point = JD_TAKE(s->arena, jd_point, shapes->n);
    JD_TRY(jd_arena_status(s->arena));
    for (int i = 0; i < shapes->n; i++) point[i].name = shapes->shape[i].name;
    JD_TRY(jd_structure_take_points(s, &(jd_points){shapes->n, point}));
    size_t n = (size_t)s->modal.n;
    for (int i = 0; i < shapes->n; i++)
        for (size_t k = 0; k < n; k++)
            s->row[(size_t)i * n + k] = dd(shapes->shape[i].value.value[order[k].from]);
    return JD_OK;
}

// Frequencies and shapes stand in the model, or in a file.
static jd_status complete(jd_arena *arena, const jd_modes_def *given, jd_modes_def *d) {
    jd_context *context = jd_arena_context(arena);
    *d = *given;
    if (given->file && (given->omega.n || given->shapes.n))
        return jd_fail(context, JD_DUPLICATE_NAME,
                       "modes are given by a `file` and by `omega` or `shapes`: only one of them");
    if (!given->file && given->points.n)
        return jd_fail(context, JD_NOT_SUPPORTED,
                       "`points` of modes belong to a `file`; modes in the model have `shapes`");
    return given->file ? jd_modes_read_universal(arena, given->file, d) : JD_OK;
}

static jd_status build(jd_structure *s, const void *def) {
    jd_modes_def whole, *d = &whole;
    JD_TRY(complete(s->arena, def, d));
    JD_TRY(check(s->arena, d));
    jd_modal *modal = &s->modal;
    modal->n = d->omega.n;
    modal->omega2 = JD_TAKE(s->arena, jd_dd, modal->n);
    modal->error = JD_TAKE(s->arena, double, modal->n);
    slot *order = JD_TAKE(s->arena, slot, modal->n);
    JD_TRY(jd_arena_status(s->arena));
    for (int k = 0; k < modal->n; k++) order[k] = (slot){d->omega.value[k], k};
    qsort(order, (size_t)modal->n, sizeof *order, compare);
    for (int k = 0; k < modal->n; k++)
        modal->omega2[k] = dd_two_prod(order[k].omega, order[k].omega);
    modal->n_static = d->static_shapes;
    JD_TRY(take_errors(s->arena, &d->error, order, modal));
    JD_TRY(take_shapes(s, &d->shapes, order));
    JD_TRY(take_base(s, &d->base, order));
    return take_damping(s->arena, d, order, modal);
}

const jd_structure_class jd_modes_class = {
    .type = {"modes", "a table of frequencies, damping ratios and shapes at named points",
             sizeof(jd_modes_def), params, NULL},
    .capabilities = JD_CAN_MODAL,
    .build = build};
