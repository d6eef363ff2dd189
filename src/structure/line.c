// line.c -- mode shapes along a structure: it is made once more with points all along it,
// whose participations are the mass-normalised shapes. Matrices and given modes know only their
// named points, and have none.
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/param_tools.h"
#include "structure/modal.h"

enum { ALONG = 121, MOST_NODES = 400 };

typedef struct tracer {
    jd_arena *arena;
    const jd_type *type;
    const void *def;
    jd_line *out;
    jd_point *point;
} tracer;

static jd_status take(tracer *t, int n) {
    t->out->n = n;
    t->out->position = JD_TAKE(t->arena, double, n);
    t->point = JD_TAKE(t->arena, jd_point, n);
    return jd_arena_status(t->arena);
}

static void put(tracer *t, int i, double position, int node) {
    t->out->position[i] = node > 0 ? node : position;
    t->point[i] = (jd_point){.name = jd_arena_format(t->arena, "%d", i),
                             .position = node > 0 ? (double)NAN : position,
                             .node = node,
                             .dof = 1};
}

// Evenly along the length; of a chain every mass, or as many as can be seen.
static jd_status choose(tracer *t) {
    const jd_param *length = jd_type_param(t->type, "length");
    const jd_param *count = jd_type_param(t->type, "count");
    if (length) {
        double l = *JD_MEMBER_CONST(double, t->def, length);
        JD_TRY(take(t, ALONG));
        for (int i = 0; i < ALONG; i++) put(t, i, i == ALONG - 1 ? l : l * i / (ALONG - 1), 0);
        return jd_arena_status(t->arena);
    }
    int n = *JD_MEMBER_CONST(int, t->def, count), shown = n < MOST_NODES ? n : MOST_NODES;
    t->out->nodes = true;
    JD_TRY(take(t, shown));
    for (int i = 0; i < shown; i++)
        put(t, i, 0, shown > 1 ? 1 + (int)((long)i * (n - 1) / (shown - 1)) : 1);
    return jd_arena_status(t->arena);
}

static jd_status read(tracer *t, const jd_structure *s, int most) {
    int n = jd_structure_modes(s), shown = n < most ? n : most;
    double *row = JD_TAKE(t->arena, double, n);
    t->out->n_mode = shown;
    t->out->value = JD_TAKE(t->arena, double, shown * t->out->n);
    JD_TRY(jd_arena_status(t->arena));
    for (int i = 0; i < t->out->n; i++) {
        JD_TRY(jd_structure_participation(s, t->point[i].name, row));
        for (int k = 0; k < shown; k++) t->out->value[k * t->out->n + i] = row[k];
    }
    return JD_OK;
}

bool jd_structure_has_line(const jd_type *type) {
    const jd_param *points = jd_type_param(type, "points");
    const jd_structure_class *class = jd_structure_class_of(type);
    return points && class && (class->capabilities & JD_CAN_MODAL) &&
           (jd_type_param(type, "length") || jd_type_param(type, "count"));
}

jd_status jd_structure_line(jd_arena *arena, const jd_type *type, const void *def, int modes,
                            jd_line *out) {
    jd_context *context = jd_arena_context(arena);
    tracer t = {.arena = arena, .type = type, .def = def, .out = out};
    *out = (jd_line){0};
    if (!jd_structure_has_line(type))
        return jd_fail(context, JD_NOT_SUPPORTED,
                       "the shapes of a structure `%s` along its length are not known", type->name);
    JD_TRY(choose(&t));
    char *own = jd_arena_take(arena, type->def_size, 1);
    JD_TRY(jd_arena_status(arena));
    memcpy(own, def, type->def_size);
    *JD_MEMBER(jd_points, own, jd_type_param(type, "points")) = (jd_points){out->n, t.point};
    jd_structure *s;
    JD_TRY(jd_structure_create(context, type, own, &s));
    jd_status status = read(&t, s, modes);
    jd_structure_free(s);
    return status;
}
