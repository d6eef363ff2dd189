// picture.c -- pictures by name, from a problem to a file.
#include <math.h>

#include "base/words.h"
#include "picture/history.h"
#include "picture/scenes.h"

static const jd_word kinds[] = {JD_PICTURE_LIST(JD_WORD)};

const char *jd_picture_name(jd_picture_kind k) {
    return jd_word_name(kinds, JD_PICTURE_KIND_COUNT, (int)k);
}
const char *jd_picture_text(jd_picture_kind k) {
    return jd_word_text(kinds, JD_PICTURE_KIND_COUNT, (int)k);
}

jd_caption jd_caption_of(const jd_problem *problem) {
    return (jd_caption){jd_problem_title(problem), jd_problem_is_si(problem), problem, NULL};
}

const char *jd_parameter_label(jd_arena *arena, const jd_caption *caption, const char *path) {
    char own[64];
    const char *unit = json_string_value(json_object_get(caption->units, path));
    if (caption->problem && jd_problem_unit(caption->problem, path, sizeof own, own)) unit = own;
    if (!caption->si || !unit) return path;
    const char *label = jd_arena_format(arena, "%s [%s]", path, unit[0] ? unit : "–");
    return label ? label : path;
}

jd_picture_def jd_default_picture_def(void) {
    return (jd_picture_def){.kind = JD_PICTURE_PAGE, .from = (double)NAN, .to = (double)NAN};
}

jd_status jd_picture_check_def(jd_context *context, const jd_picture_def *def) {
    if (def->kind < 0 || def->kind >= JD_PICTURE_KIND_COUNT)
        return jd_fail(context, JD_BAD_ARGUMENT, "there is no picture of kind %d", (int)def->kind);
    if (!(def->from >= def->to) && !(def->from < 0)) return JD_OK;
    jd_fail(context, JD_OUT_OF_RANGE, "the window from %.6g to %.6g has no time in it", def->from,
            def->to);
    jd_fail_hint(context, "a window is t0:t1 with 0 <= t0 < t1");
    return JD_OUT_OF_RANGE;
}

static jd_status draw_multipliers(jd_arena *arena, const jd_problem *problem, const jd_orbit *orbit,
                                  const char *path) {
    const jd_orbit_view *v = jd_orbit_look(orbit);
    if (v->simulated)
        return jd_fail(jd_arena_context(arena), JD_NOT_SUPPORTED,
                       "an orbit that simulation settled to has no multipliers");
    jd_multipliers m = {v->n, v->multiplier, v->log_multiplier, v->stable, v->marginal, v->period};
    return jd_scene_draw(jd_arena_context(arena),
                         jd_multipliers_scene(arena, jd_caption_of(problem), &m), path);
}

// Kinds of pictures there are of a run, and of an orbit.
static jd_status check_kind(jd_context *context, jd_picture_kind kind, bool orbit) {
    static const char *const list[] = {
        "page, history, portrait, force, energy, field, slip, horizon",
        "page, history, portrait, force, energy, multipliers"};
    bool motion = kind == JD_PICTURE_PAGE || kind == JD_PICTURE_HISTORY ||
                  kind == JD_PICTURE_PORTRAIT || kind == JD_PICTURE_FORCE ||
                  kind == JD_PICTURE_ENERGY;
    bool run = kind == JD_PICTURE_FIELD || kind == JD_PICTURE_SLIP || kind == JD_PICTURE_HORIZON;
    if (motion || (orbit ? kind == JD_PICTURE_MULTIPLIERS : run)) return JD_OK;
    jd_fail(context, JD_BAD_USAGE, "`%s` is no picture of %s", jd_picture_name(kind),
            orbit ? "an orbit" : "a run");
    jd_fail_hint(context, "these are: %s", list[orbit]);
    return JD_BAD_USAGE;
}

static jd_status draw(jd_arena *arena, jd_problem *problem, const jd_orbit *orbit,
                      const jd_picture_def *def, const char *path) {
    jd_history h;
    jd_context *context = jd_arena_context(arena);
    JD_TRY(check_kind(context, def->kind, orbit != NULL));
    if (def->kind == JD_PICTURE_MULTIPLIERS) return draw_multipliers(arena, problem, orbit, path);
    bool field = def->kind == JD_PICTURE_PAGE && jd_has_field(problem);
    if (!orbit && (field || def->kind == JD_PICTURE_FIELD)) {
        jd_scene *scene;
        JD_TRY(jd_field_scene(arena, problem, def, &scene));
        return jd_scene_draw(context, scene, path);
    }
    JD_TRY(orbit ? jd_history_of_orbit(arena, problem, orbit, def->kind, &h)
                 : jd_history_of_run(arena, problem, def->from, def->to, def->kind, &h));
    if (h.n < 2) {
        jd_fail(context, JD_OUT_OF_RANGE, "the run has no motion in the window to draw");
        jd_fail_hint(context, "it ended at %.6g", h.n ? h.t[0] : 0.0);
        return JD_OUT_OF_RANGE;
    }
    return jd_scene_draw(context, jd_history_scene(arena, &h, def->kind), path);
}

static jd_status picture(jd_context *context, jd_problem *problem, const jd_orbit *orbit,
                         const jd_picture_def *def, const char *path) {
    jd_picture_def chosen = def ? *def : jd_default_picture_def();
    JD_TRY(jd_picture_check(context, path));
    JD_TRY(jd_picture_check_def(context, &chosen));
    jd_arena *arena = jd_arena_create(context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_status s = draw(arena, problem, orbit, &chosen, path);
    jd_arena_free(arena);
    return s;
}

jd_status jd_picture_run(jd_context *context, jd_problem *problem, const jd_picture_def *def,
                         const char *path) {
    return picture(context, problem, NULL, def, path);
}

jd_status jd_picture_orbit(jd_context *context, jd_problem *problem, const jd_orbit *orbit,
                           const jd_picture_def *def, const char *path) {
    if (!jd_orbit_look(orbit)->found)
        return jd_fail(context, JD_BAD_ARGUMENT, "no orbit was found that could be drawn");
    return picture(context, problem, orbit, def, path);
}
