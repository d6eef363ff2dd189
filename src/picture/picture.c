// picture.c -- pictures by name, from a problem to a file.
#include <math.h>
#include <string.h>

#include "base/words.h"
#include "picture/motion/history.h"
#include "picture/scenes.h"
#include "result/result.h"
#include "result/run/run.h"

static const jd_word kinds[] = {JD_PICTURE_LIST(JD_WORD)};

const char *jd_picture_name(jd_picture_kind k) {
    return jd_word_name(kinds, JD_PICTURE_KIND_COUNT, (int)k);
}
const char *jd_picture_text(jd_picture_kind k) {
    return jd_word_text(kinds, JD_PICTURE_KIND_COUNT, (int)k);
}

jd_caption jd_caption_of(const jd_result *result) {
    const jd_result_head *h = jd_result_look(result);
    return (jd_caption){h->title, h->si, h->n_unit, h->unit};
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

// Kinds of pictures there are of a run, and of an orbit.
static jd_status check_kind(jd_context *context, jd_picture_kind kind, bool orbit) {
    static const char *const list[] = {
        "page, history, portrait, force, hysteresis, status, energy, field, slip, horizon, "
        "spectrum, waterfall, poincare, manifold",
        "page, history, portrait, force, hysteresis, status, energy, multipliers"};
    bool motion = kind == JD_PICTURE_PAGE || kind == JD_PICTURE_HISTORY ||
                  kind == JD_PICTURE_PORTRAIT || kind == JD_PICTURE_FORCE ||
                  kind == JD_PICTURE_ENERGY || kind == JD_PICTURE_HYSTERESIS ||
                  kind == JD_PICTURE_STATUS;
    bool run = kind == JD_PICTURE_FIELD || kind == JD_PICTURE_SLIP || kind == JD_PICTURE_HORIZON ||
               kind == JD_PICTURE_SPECTRUM || kind == JD_PICTURE_WATERFALL ||
               kind == JD_PICTURE_POINCARE || kind == JD_PICTURE_MANIFOLD;
    if (motion || (orbit ? kind == JD_PICTURE_MULTIPLIERS : run)) return JD_OK;
    jd_fail(context, JD_BAD_USAGE, "`%s` is no picture of %s", jd_picture_name(kind),
            orbit ? "an orbit" : "a run");
    jd_fail_hint(context, "these are: %s", list[orbit]);
    return JD_BAD_USAGE;
}

// States of cells stand along their span, in the field; their forces have no one displacement.
static jd_status check_status(jd_context *context, jd_problem *problem, jd_picture_kind kind) {
    int n = jd_problem_contacts(problem), points = 0;
    for (int j = 0; j < n; j++)
        points += ((const jd_contact_def *)jd_problem_contact(problem, j)->def)->at.point != NULL;
    if ((kind != JD_PICTURE_STATUS && kind != JD_PICTURE_HYSTERESIS) || points > 0 || n == 0)
        return JD_OK;
    jd_fail(context, JD_NOT_SUPPORTED, "`%s` shows contacts at points, and there are none",
            jd_picture_name(kind));
    jd_fail_hint(context,
                 "`--picture field` shows which cells of a span stick, slide and are open");
    return JD_NOT_SUPPORTED;
}

static unsigned wants(jd_picture_kind kind) {
    return kind == JD_PICTURE_ENERGY                                    ? JD_WANT_ENERGY
           : kind == JD_PICTURE_HORIZON                                 ? JD_WANT_HORIZON
           : kind == JD_PICTURE_SLIP                                    ? JD_WANT_SLIP
           : kind == JD_PICTURE_SPECTRUM || kind == JD_PICTURE_POINCARE ? JD_WANT_LONG
           : kind == JD_PICTURE_WATERFALL                               ? JD_WANT_LONG | JD_WANT_ALL
                                                                        : 0;
}

jd_status jd_result_show(jd_context *context, jd_result *result, jd_problem *problem,
                         const jd_orbit *orbit, const jd_picture_def *def) {
    jd_picture_def d = def ? *def : jd_default_picture_def();
    JD_TRY(jd_picture_check_def(context, &d));
    JD_TRY(check_kind(context, d.kind, orbit != NULL));
    JD_TRY(check_status(context, problem, d.kind));
    if (d.kind == JD_PICTURE_MULTIPLIERS) return JD_OK; // the result has them
    bool whole = isnan(d.from) && isnan(d.to);
    if (!orbit && d.kind == JD_PICTURE_PAGE && whole && jd_result_has_blows(result)) return JD_OK;
    if (orbit) return jd_result_show_orbit(result, problem, orbit, (int)d.kind, wants(d.kind));
    bool field = d.kind == JD_PICTURE_FIELD || (d.kind == JD_PICTURE_PAGE && jd_has_span(problem));
    return jd_result_show_run(result, problem, (jd_shown){(int)d.kind, d.from, d.to, {0}, {0}},
                              field, wants(d.kind));
}

// A result of nothing but the stretch shown.
static jd_status picture(jd_context *context, jd_problem *problem, const jd_orbit *orbit,
                         const jd_picture_def *def, const char *path) {
    jd_result *result = NULL;
    JD_TRY(jd_picture_check(context, path));
    JD_TRY(jd_problem_build(problem));
    JD_TRY(orbit ? jd_result_of_orbit(context, problem, orbit, &result)
                 : jd_result_create(context, problem, JD_RESULT_RUN, &result));
    jd_status s = jd_result_show(context, result, problem, orbit, def);
    if (s == JD_OK) s = jd_picture_draw(context, result, def, path);
    jd_result_free(result);
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
