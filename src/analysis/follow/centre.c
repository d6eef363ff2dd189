// centre.c -- of a family of orbits whose contacts stay stuck, the one in which the largest force
// of each is as small as can be (member.c): the first orbit of a branch over the amplitude of a
// drive.
#include <string.h>

#include "analysis/follow/branch.h"
#include "analysis/follow/centre.h"
#include "drive/kind.h"
#include "problem/parts.h"

// A number that moves the motion but no contact; NULL: there is none.
static const char *number_of(jd_arena *arena, const jd_problem *p, double *value) {
    for (int i = 0; i < jd_problem_drives(p); i++) {
        const jd_object *d = jd_problem_drive(p, i);
        if (!jd_drive_frequency(d)) continue;
        const char *path = jd_arena_format(arena, "drives.%s.amplitude", d->name);
        if (path && jd_problem_get(p, path, value) == JD_OK && *value != 0) return path;
    }
    return NULL;
}

static jd_status first_of(jd_context *context, jd_problem *copy, const jd_orbit_view *v,
                          jd_arena *arena, double *state, const char **phase, bool *found) {
    jd_follow_options o = jd_default_follow_options();
    jd_follow *f;
    *found = false;
    copy->given[JD_FOLLOW] = false; // what the model follows is no matter here
    o.parameter = number_of(arena, copy, &o.from);
    jd_context_clear_error(context);
    if (!o.parameter) return jd_arena_status(arena);
    o.to = 1.01 * o.from;
    o.points = 1;
    o.special = false;
    o.orbit.state = v->state;
    o.orbit.phase = v->phase;
    o.orbit.settle = 0;
    o.orbit.periods = v->periods;
    JD_TRY(jd_follow_create(context, copy, &o, &f));
    const jd_follow_view *w = jd_follow_look(f);
    *found = w->n_point > 0 && w->n == v->n && w->kept.n_start > 0;
    if (*found) {
        memcpy(state, w->state, (size_t)v->n * sizeof *state);
        *phase = jd_arena_text(arena, w->kept.start[w->point[0].start]);
    }
    jd_follow_free(f);
    return jd_arena_status(arena);
}

jd_status jd_centre_state(jd_context *context, jd_problem *problem, const jd_orbit_view *v,
                          jd_arena *arena, double *state, const char **phase, bool *found) {
    jd_problem *copy;
    *found = false;
    JD_TRY(jd_problem_copy(context, problem, &copy));
    jd_status status = first_of(context, copy, v, arena, state, phase, found);
    jd_problem_free(copy);
    return status;
}

jd_status jd_orbit_centre(jd_context *context, jd_problem *problem, const jd_orbit_view *v,
                          const jd_orbit_options *options, jd_orbit **out) {
    bool found = false;
    *out = NULL;
    jd_arena *arena = jd_arena_create(context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_orbit_options o = *options;
    double *state = JD_TAKE(arena, double, v->n);
    jd_status status = jd_arena_status(arena);
    if (status == JD_OK)
        status = jd_centre_state(context, problem, v, arena, state, &o.phase, &found);
    if (status == JD_OK && found) {
        o.state = state;
        o.settle = 0;
        o.periods = v->periods;
        o.centred = false;
        status = jd_orbit_create(context, problem, &o, out);
    }
    jd_arena_free(arena);
    return status;
}
