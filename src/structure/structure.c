// structure.c -- structures: the list of classes, life, points, modes.
//   A new structure is one new file with a jd_structure_class, and one line in classes.h.
#include <math.h>
#include <string.h>

#include "structure/classes.h"
#include "structure/discrete/fe.h"
#include "structure/piecewise/pws.h"

#define CLASS(name) &jd_##name##_class,
static const jd_structure_class *const classes[] = {JD_STRUCTURES(CLASS) CLASS(closure)};
enum { N_CLASS = sizeof classes / sizeof classes[0] };

// The list as types, as far as model files name them; each is the first member of its class.
#define TYPE(name) &jd_##name##_class.type,
static const jd_type *const types[N_CLASS] = {JD_STRUCTURES(TYPE) NULL};

const jd_type *const *jd_structure_types(void) { return types; }

static const jd_structure_class *class_of(const jd_type *type) {
    for (int i = 0; i < N_CLASS; i++)
        if (&classes[i]->type == type) return classes[i];
    return NULL;
}

// Numbers of a model are of a size between 1e-60 and 1e60, but what follows from several of them
// may not be (a beam of 1e50 m): modes that engines could only overflow with are refused here, once
// for all structures. A frequency is 0 for a rigid-body mode.
static bool is_sized(double value, double smallest) {
    return value == 0 || (fabs(value) <= 1e60 && fabs(value) >= smallest);
}

static jd_status check_modes(jd_context *context, const jd_structure *s) {
    const jd_modal *m = &s->modal;
    for (int k = 0; k < m->n; k++) {
        double omega = sqrt(m->omega2[k].hi);
        bool fine = is_sized(omega, 1e-60) && isfinite(m->omega2[k].lo) && is_sized(m->c[k], 0);
        for (int i = 0; i < s->n_point; i++)
            fine = fine && is_sized(s->row[(size_t)i * (size_t)m->n + (size_t)k].hi, 0);
        if (fine) continue;
        jd_fail(
            context, JD_OUT_OF_RANGE,
            "mode %d with a frequency of %g rad/s cannot be computed: its frequency, damping or "
            "shape is too large or too small",
            k + 1, omega);
        jd_fail_hint(context, "look for a number of the structure with a wrong unit or exponent");
        return JD_OUT_OF_RANGE;
    }
    return JD_OK;
}

static jd_status fill(jd_context *context, jd_structure *s, const void *def) {
    jd_status status = s->class->build(s, def);
    if (status == JD_NOT_DEFINITE && !jd_context_error(context)->hint[0])
        jd_fail_hint(context, "mass: every degree of freedom needs mass; stiffness: no negative "
                              "springs");
    if (status != JD_OK) return status;
    JD_TRY(check_modes(context, s));
    s->list = JD_TAKE(s->arena, jd_mode, s->modal.n);
    JD_TRY(jd_arena_status(s->arena));
    return jd_modal_list(context, &s->modal, s->list);
}

const jd_structure_class *jd_structure_class_of(const jd_type *type) {
    return type == &jd_closure_type ? &jd_closure_class : class_of(type);
}

jd_status jd_structure_create(jd_context *context, const jd_type *type, const void *def,
                              jd_structure **out) {
    *out = NULL;
    const jd_structure_class *class = jd_structure_class_of(type);
    if (!class || !def)
        return jd_fail(context, JD_BAD_ARGUMENT, "`%s` is not a structure type",
                       type ? type->name : "(none)");
    jd_arena *arena = jd_arena_create(context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_structure *s = JD_TAKE(arena, jd_structure, 1);
    jd_status status = jd_arena_status(arena);
    if (status == JD_OK) {
        s->class = class;
        s->arena = arena;
        atomic_init(&s->references, 1);
        status = fill(context, s, def);
    }
    if (status == JD_OK) {
        *out = s;
    } else {
        jd_arena_free(arena);
    }
    return status;
}

void jd_structure_free(jd_structure *s) {
    if (s && atomic_fetch_sub(&s->references, 1) == 1) jd_arena_free(s->arena);
}

jd_structure *jd_structure_share(jd_structure *s) {
    atomic_fetch_add(&s->references, 1);
    return s;
}

const jd_type *jd_structure_type(const jd_structure *s) { return &s->class->type; }
unsigned jd_structure_capabilities(const jd_structure *s) { return s->class->capabilities; }
int jd_structure_dofs(const jd_structure *s) { return s->n_dof; }
int jd_structure_modes(const jd_structure *s) { return s->modal.n; }

int jd_structure_point(const jd_structure *s, const char *name) {
    for (int i = 0; i < s->n_point; i++)
        if (strcmp(s->point_name[i], name) == 0) return i;
    return -1;
}

jd_status jd_structure_take_points(jd_structure *s, const jd_points *points) {
    jd_context *context = jd_arena_context(s->arena);
    s->point_name = JD_TAKE(s->arena, const char *, points->n);
    s->row = JD_TAKE(s->arena, jd_dd, (size_t)points->n * (size_t)s->modal.n);
    JD_TRY(jd_arena_status(s->arena));
    for (int i = 0; i < points->n; i++) {
        const char *name = points->point[i].name;
        if (jd_structure_point(s, name) >= 0)
            return jd_fail(context, JD_DUPLICATE_NAME, "two points are called `%s`", name);
        s->point_name[i] = jd_arena_text(s->arena, name);
        JD_TRY(jd_arena_status(s->arena));
        s->n_point = i + 1;
    }
    return JD_OK;
}

jd_status jd_structure_participation(const jd_structure *s, const char *point, double *out) {
    int i = jd_structure_point(s, point);
    if (i < 0)
        return jd_fail(jd_arena_context(s->arena), JD_UNKNOWN_NAME,
                       "the structure has no point called `%s`", point);
    const jd_dd *row = s->row + (size_t)i * (size_t)s->modal.n;
    for (int k = 0; k < s->modal.n; k++) out[k] = dd_value(row[k]);
    return JD_OK;
}

void jd_structure_mode_list(const jd_structure *s, jd_mode *out) {
    memcpy(out, s->list, (size_t)s->modal.n * sizeof *out);
}

jd_status jd_structure_coordinates(const jd_structure *s, const double *u, double *out) {
    if (!s->from_dofs)
        return jd_fail(jd_arena_context(s->arena), JD_NOT_SUPPORTED,
                       "a %s does not start from values at its degrees of freedom",
                       s->class->type.name);
    for (int k = 0; k < s->modal.n; k++) {
        const double *row = s->from_dofs + (size_t)k * (size_t)s->n_dof;
        out[k] = 0;
        for (int i = 0; i < s->n_dof; i++) out[k] += row[i] * u[i];
    }
    return JD_OK;
}
