// rehearse.c -- wrong names, found before the modes of large matrices are computed.
//   The eigenproblem of matrices takes minutes, to see that a point, a measure or a contact is
//   misspelt takes none: a copy of the problem gets made-up modes with the same points, is built,
//   and is asked for the places of contacts, drives and output, for measures and for the engine.
//   Its numbers mean nothing: of its failures only those of names are told, and those of the engine
//   where one must compute.
#include "analysis/check/rehearse.h"

#include <string.h>

#include "analysis/check/sections.h"
#include "problem/parts.h"
#include "structure/classes.h"

enum { MADE_UP = 60 }; // modes of a structure that keeps as many as it likes

static bool needs(const jd_part *body) {
    return body->object.type == &jd_matrices_class.type && (!body->structure || body->stale);
}

static bool is_of_names(jd_status status) {
    return status == JD_UNKNOWN_NAME || status == JD_UNKNOWN_KEY || status == JD_MISSING_KEY ||
           status == JD_DUPLICATE_NAME || status == JD_WRONG_TYPE;
}

// Numbers between 1 and 2 without a pattern: no point moves as another, none stays at rest.
static double drawn(int i, int k) {
    double x = 0.6180339887498949 * (i + 1) * (k + 3) + 0.4142135623730951 * k;
    return 1 + x - (double)(long)x;
}

// A structure of the same points that needs no eigenvalues.
static jd_status stand_in(jd_arena *arena, jd_object *object) {
    const jd_matrices_def *d = object->def;
    int n = d->modes > 0 ? d->modes : MADE_UP, n_point = d->points.n;
    double *omega = JD_TAKE(arena, double, n), *base = JD_TAKE(arena, double, n);
    jd_shape *shape = JD_TAKE(arena, jd_shape, n_point);
    double *value = JD_TAKE(arena, double, (size_t)n_point *(size_t)n);
    JD_TRY(jd_arena_status(arena));
    for (int k = 0; k < n; k++) omega[k] = base[k] = k + 1;
    for (int i = 0; i < n_point; i++) {
        double *row = value + (size_t)i * (size_t)n;
        for (int k = 0; k < n; k++) row[k] = drawn(i, k);
        shape[i] = (jd_shape){.name = d->points.point[i].name, .value = {n, row}};
    }
    jd_modes_def modes = jd_default_modes();
    modes.omega = (jd_reals){n, omega};
    modes.base = (jd_reals){n, base};
    modes.shapes = (jd_shapes){n_point, shape};
    object->type = &jd_modes_class.type;
    object->def = jd_type_clone(arena, object->type, &modes);
    return jd_arena_status(arena);
}

static jd_status check_interface(jd_context *context, const jd_part *body) {
    const jd_matrices_def *d = body->object.def;
    for (int i = 0; i < d->interface.n; i++) {
        bool found = false;
        for (int k = 0; k < d->points.n && !found; k++)
            found = !strcmp(d->interface.text[i], d->points.point[k].name);
        if (found) continue;
        jd_fail(context, JD_UNKNOWN_NAME, "`interface` names `%s`, which is no point",
                d->interface.text[i]);
        char path[256];
        jd_body_path(body, path, sizeof path);
        jd_fail_where(context, "%s", path);
        return JD_UNKNOWN_NAME;
    }
    return JD_OK;
}

static jd_status ask(jd_problem *copy, bool runs) {
    for (int i = 0; i < copy->bodies.n; i++) {
        jd_part *body = copy->bodies.part[i];
        if (!needs(body)) continue;
        JD_TRY(check_interface(copy->context, body));
        JD_TRY(stand_in(copy->arena, &body->object));
    }
    jd_status status = jd_problem_build(copy);
    if (status != JD_OK) return is_of_names(status) ? status : JD_OK;
    status = jd_check_names(copy);
    if (!is_of_names(status)) status = JD_OK;
    return status == JD_OK && runs ? jd_check_engine(copy) : status;
}

// The failure as the caller's context tells it.
static jd_status pass_on(jd_context *context, const jd_error *e) {
    jd_fail(context, e->status, "%s", e->message);
    jd_fail_where(context, "%s", e->where);
    if (e->hint[0]) jd_fail_hint(context, "%s", e->hint);
    return e->status;
}

jd_status jd_problem_rehearse(jd_context *context, const jd_problem *p, bool runs) {
    bool any = false;
    for (int i = 0; i < p->bodies.n; i++) {
        const jd_matrices_def *d = p->bodies.part[i]->object.def;
        if (!needs(p->bodies.part[i])) continue;
        if (d->vectors) return JD_OK; // whose names stand in a file
        any = true;
    }
    if (!any) return JD_OK;
    jd_context *silent = jd_context_create(NULL); // warnings about made-up modes are for nobody
    if (!silent) return JD_OK;                    // the model itself will tell
    jd_problem *copy = NULL;
    jd_status status = jd_problem_copy(silent, p, &copy);
    status = status == JD_OK ? ask(copy, runs) : JD_OK;
    if (status != JD_OK) pass_on(context, jd_context_error(silent));
    jd_problem_free(copy);
    jd_context_free(silent);
    return status;
}
