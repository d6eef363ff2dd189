// modes.c -- a structure known by its modes alone: frequencies, damping ratios, shapes at points.
//   From measurement or another program; the modes are sorted by frequency, shapes with them.
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "structure/classes.h"

static const jd_param params[] = {
    {JD_KEY(jd_modes_def, omega, REALS), .unit = "rad/s", .required = true, .low = 0,
     .high = DBL_MAX, .doc = "undamped natural frequencies, in any order; 0 is a rigid-body mode"},
    {JD_KEY(jd_modes_def, ratio, REALS), .unit = "", .low = 0, .high = 1e6,
     .doc = "damping ratio of every mode, or a list with one for each; default: undamped"},
    {JD_KEY(jd_modes_def, shapes, SHAPES), .unit = "",
     .doc = "named points, each with its mass-normalised shape value in every mode"},
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

static jd_status check(jd_arena *arena, const jd_modes_def *d) {
    jd_context *context = jd_arena_context(arena);
    int n = d->omega.n;
    if (n < 1) return jd_fail(context, JD_SIZE_MISMATCH, "`omega` is empty: there are no modes");
    JD_TRY(check_list(context, "`omega`", &d->omega, n, 0));
    if (d->ratio.n > 0)
        JD_TRY(check_list(context, "`ratio`", &d->ratio, d->ratio.n == 1 ? 1 : n, 0));
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

static jd_status take_damping(jd_arena *arena, const jd_reals *ratio, const slot *order,
                              jd_modal *modal) {
    double *sorted = JD_TAKE(arena, double, modal->n);
    JD_TRY(jd_arena_status(arena));
    for (int k = 0; k < modal->n && ratio->n; k++)
        sorted[k] = ratio->value[ratio->n == 1 ? 0 : order[k].from];
    jd_damping_ratio_def def = {{modal->n, sorted}};
    jd_object damping = {"", ratio->n ? &jd_damping_ratio : &jd_damping_none, &def};
    return jd_damping_apply(arena, &damping, modal);
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

static jd_status build(jd_structure *s, const void *def) {
    const jd_modes_def *d = def;
    JD_TRY(check(s->arena, d));
    jd_modal *modal = &s->modal;
    modal->n = d->omega.n;
    modal->omega2 = JD_TAKE(s->arena, jd_dd, modal->n);
    modal->error = JD_TAKE(s->arena, double, modal->n);
    slot *order = JD_TAKE(s->arena, slot, modal->n);
    JD_TRY(jd_arena_status(s->arena));
    for (int k = 0; k < modal->n; k++) order[k] = (slot){d->omega.value[k], k};
    qsort(order, (size_t)modal->n, sizeof *order, compare);
    for (int k = 0; k < modal->n; k++) {
        modal->omega2[k] = dd_two_prod(order[k].omega, order[k].omega);
        modal->error[k] = order[k].omega > 0 ? 0x1p-53 : 0; // taken as given
    }
    JD_TRY(take_shapes(s, &d->shapes, order));
    return take_damping(s->arena, &d->ratio, order, modal);
}

const jd_structure_class jd_modes_class = {
    .type = {"modes", "a table of frequencies, damping ratios and shapes at named points",
             sizeof(jd_modes_def), params, NULL},
    .capabilities = JD_CAN_MODAL,
    .build = build};
