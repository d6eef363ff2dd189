// result.c -- the picture of a result, by the kind it is of.
#include <math.h>
#include <string.h>

#include "picture/motion/history.h"
#include "picture/scenes.h"

typedef struct page {
    jd_arena *arena;
    const jd_result *result;
    const jd_picture_def *def;
    jd_caption caption;
} page;

static const char two_fold_hint[] =
    "`output: {points: [y1, y2, y3, lambda]}` of a run of a `two-fold` keeps it";

static jd_status history(const page *p, jd_scene **out) {
    jd_history h;
    JD_TRY(jd_history_of_result(p->arena, p->result, p->def, &h));
    if ((p->def->kind == JD_PICTURE_ENERGY && !h.energy) ||
        (p->def->kind == JD_PICTURE_HORIZON && !h.growth))
        return jd_fail(jd_arena_context(p->arena), JD_BAD_RESULT_FILE,
                       "the file holds no `energies` at the times of its samples");
    if (p->def->kind == JD_PICTURE_POINCARE && !(h.period > 0)) {
        jd_fail(jd_arena_context(p->arena), JD_BAD_USAGE,
                "`poincare` shows states once a drive period, and there is no such period");
        jd_fail_hint(jd_arena_context(p->arena), "`--picture portrait` shows the whole motion");
        return JD_BAD_USAGE;
    }
    if (p->def->kind == JD_PICTURE_MANIFOLD && !jd_history_has_two_fold(&h)) {
        jd_fail(jd_arena_context(p->arena), JD_BAD_USAGE,
                "`manifold` of a run shows a `two-fold`, and y2, y3 and lambda are not recorded");
        jd_fail_hint(jd_arena_context(p->arena), "%s", two_fold_hint);
        return JD_BAD_USAGE;
    }
    *out = jd_history_scene(p->arena, &h, p->def->kind);
    return JD_OK;
}

static jd_status field(const page *p, jd_scene **out) {
    jd_field_map m;
    JD_TRY(jd_field_of_result(p->arena, p->result, p->def, &m));
    *out = jd_field_scene(p->arena, jd_result_look(p->result), &m, jd_result_has_blows(p->result));
    return jd_arena_status(p->arena);
}

static jd_status slip(const page *p, jd_scene **out) {
    jd_history h;
    const jd_shown *shown = jd_shown_of(p->result, p->def);
    if (shown && shown->history.n_slip > 0) return history(p, out);
    JD_TRY(jd_slip_of_result(p->arena, p->result, p->def, &h));
    *out = jd_history_scene(p->arena, &h, JD_PICTURE_SLIP);
    return JD_OK;
}

static jd_status run(const page *p, jd_scene **out) {
    bool whole = isnan(p->def->from) && isnan(p->def->to);
    if (p->def->kind == JD_PICTURE_PAGE && whole && jd_result_has_blows(p->result)) {
        *out = jd_blows_scene(p->arena, p->caption, jd_result_run(p->result));
        return JD_OK;
    }
    bool along = p->def->kind == JD_PICTURE_PAGE && jd_result_has_field(p->result, p->def);
    if (along || p->def->kind == JD_PICTURE_FIELD) return field(p, out);
    return p->def->kind == JD_PICTURE_SLIP ? slip(p, out) : history(p, out);
}

static jd_status orbit(const page *p, jd_scene **out) {
    const jd_orbit_result *o = jd_result_orbit(p->result);
    if (p->def->kind != JD_PICTURE_MULTIPLIERS) return history(p, out);
    jd_multipliers m = jd_multipliers_of(o);
    if (m.n == 0)
        return jd_fail(jd_arena_context(p->arena), JD_NOT_SUPPORTED,
                       o->view.simulated ? "an orbit that simulation settled to has no multipliers"
                                         : "the orbit has no multipliers");
    *out = jd_multipliers_scene(p->arena, p->caption, &m);
    return JD_OK;
}

static jd_status sweep(const page *p, jd_scene **out) {
    const jd_sweep_view *v = jd_result_sweep(p->result);
    if (v->n_point == 0)
        return jd_fail(jd_arena_context(p->arena), JD_BAD_USAGE, "there is no point to draw");
    *out = jd_sweep_scene(p->arena, p->caption, v);
    return JD_OK;
}

static jd_status follow(const page *p, jd_scene **out) {
    const jd_follow_view *v = jd_result_follow(p->result);
    if (v->n_point == 0)
        return jd_fail(jd_arena_context(p->arena), JD_BAD_USAGE, "there is no branch to draw: %s",
                       jd_end_text(v->end));
    *out = jd_follow_scene(p->arena, p->caption, v);
    return JD_OK;
}

static jd_status convergence(const page *p, jd_scene **out) {
    *out = jd_converge_scene(p->arena, p->caption, jd_result_convergence(p->result));
    return JD_OK;
}

static jd_status batch(const page *p, jd_scene **out) {
    const jd_batch_result *b = jd_result_batch(p->result);
    if (b->contacts.n_column < 2)
        return jd_fail(jd_arena_context(p->arena), JD_BAD_USAGE,
                       "there is no contact whose displacements could be drawn");
    *out = jd_batch_scene(p->arena, p->caption, b);
    return JD_OK;
}

static jd_status fit(const page *p, jd_scene **out) {
    *out = jd_fit_scene(p->arena, p->caption, jd_result_fit(p->result));
    return JD_OK;
}

static jd_status backbone(const page *p, jd_scene **out) {
    const jd_backbone_view *v = jd_result_backbone(p->result);
    if (v->n_point < 2)
        return jd_fail(jd_arena_context(p->arena), JD_BAD_USAGE, "there is no curve to draw: %s",
                       jd_backbone_end_text(v->end));
    *out = jd_backbone_scene(p->arena, p->caption, v);
    return JD_OK;
}

static jd_status kernel(const page *p, jd_scene **out) {
    *out = jd_kernel_scene(p->arena, p->caption, jd_result_kernel(p->result));
    return JD_OK;
}

static jd_status nsm(const page *p, jd_scene **out) {
    const jd_nsm_result *r = jd_result_nsm(p->result);
    if (r->n_line == 0 && r->n_sustained == 0) {
        jd_context *context = jd_arena_context(p->arena);
        jd_fail(context, JD_BAD_USAGE, "there is no branch to draw");
        jd_fail_where(context, "nsm.omega");
        jd_fail_hint(context, "widen the window of frequencies");
        return JD_BAD_USAGE;
    }
    *out = p->def->kind == JD_PICTURE_IMPACT ? jd_nsm_impact_scene(p->arena, p->caption, r)
                                             : jd_nsm_scene(p->arena, p->caption, r);
    return JD_OK;
}

static jd_status orbits(const page *p, jd_scene **out) {
    jd_nsm_orbits o;
    JD_TRY(jd_nsm_orbits_of(p->arena, jd_result_nsm_orbits(p->result), &o));
    if (p->def->kind == JD_PICTURE_MULTIPLIERS && o.n_multiplier == 0) {
        jd_context *context = jd_arena_context(p->arena);
        jd_fail(context, JD_BAD_USAGE, "an orbit that rests on the stop has no multipliers");
        jd_fail_hint(context, "it lands without speed, and motions next to it bounce");
        return JD_BAD_USAGE;
    }
    *out = jd_nsm_orbits_scene(p->arena, p->caption, &o, p->def->kind);
    return JD_OK;
}

static jd_status attractors(const page *p, jd_scene **out) {
    jd_attractor_list list;
    JD_TRY(jd_attractor_list_of(p->arena, jd_result_attractors(p->result), &list));
    *out = jd_attractors_scene(p->arena, p->caption, &list);
    return JD_OK;
}

static jd_status modes(const page *p, jd_scene **out) {
    jd_modes_view v;
    if (p->def->kind == JD_PICTURE_SHAPE3D) {
        *out = jd_space_scene(p->arena, p->caption, jd_result_modes(p->result));
        return JD_OK;
    }
    JD_TRY(jd_modes_view_of(p->arena, jd_result_modes(p->result), &v));
    *out = p->def->kind == JD_PICTURE_SHAPES ? jd_shapes_scene(p->arena, p->caption, &v)
                                             : jd_modes_scene(p->arena, p->caption, &v);
    return JD_OK;
}

#define FITS(kind) (1u << (kind))
enum {
    ALWAYS = FITS(JD_PICTURE_PAGE),
    MOTION = ALWAYS | FITS(JD_PICTURE_HISTORY) | FITS(JD_PICTURE_PORTRAIT) |
             FITS(JD_PICTURE_FORCE) | FITS(JD_PICTURE_HYSTERESIS) | FITS(JD_PICTURE_STATUS),
    RUN = MOTION | FITS(JD_PICTURE_ENERGY) | FITS(JD_PICTURE_FIELD) | FITS(JD_PICTURE_SLIP) |
          FITS(JD_PICTURE_HORIZON) | FITS(JD_PICTURE_SPECTRUM) | FITS(JD_PICTURE_WATERFALL) |
          FITS(JD_PICTURE_POINCARE) | FITS(JD_PICTURE_MANIFOLD),
    ORBIT = MOTION | FITS(JD_PICTURE_ENERGY) | FITS(JD_PICTURE_MULTIPLIERS),
    BRANCH = ALWAYS | FITS(JD_PICTURE_MANIFOLD) | FITS(JD_PICTURE_PORTRAIT) |
             FITS(JD_PICTURE_HISTORY) | FITS(JD_PICTURE_MULTIPLIERS)
};

// One line per kind of result: its scene, and the kinds of pictures that fit it.
typedef struct drawer {
    jd_status (*scene)(const page *p, jd_scene **out);
    unsigned fits;
    bool window; // can be asked for a part
} drawer;

static const drawer drawers[JD_RESULT_KIND_COUNT] = {
    [JD_RESULT_RUN] = {run, RUN, true},
    [JD_RESULT_ORBIT] = {orbit, ORBIT, true},
    [JD_RESULT_ATTRACTORS] = {attractors, ALWAYS, false},
    [JD_RESULT_SWEEP] = {sweep, ALWAYS, false},
    [JD_RESULT_FOLLOW] = {follow, ALWAYS, false},
    [JD_RESULT_CONVERGENCE] = {convergence, ALWAYS, false},
    [JD_RESULT_BATCH] = {batch, ALWAYS, false},
    [JD_RESULT_FIT] = {fit, ALWAYS, false},
    [JD_RESULT_BACKBONE] = {backbone, ALWAYS, false},
    [JD_RESULT_KERNEL] = {kernel, ALWAYS, false},
    [JD_RESULT_MODES] = {modes, ALWAYS | FITS(JD_PICTURE_SHAPES) | FITS(JD_PICTURE_SHAPE3D), false},
    [JD_RESULT_NSM] = {nsm, ALWAYS | FITS(JD_PICTURE_IMPACT), false},
    [JD_RESULT_NSM_ORBITS] = {orbits, BRANCH, false}};

static bool has_column(const jd_columns *c, const char *name) {
    for (int k = 0; c->n_row > 0 && k < c->n_column; k++)
        if (strcmp(c->name[k], name) == 0) return true;
    return false;
}

static bool has_energies(const page *p, const char *name) {
    const jd_run_result *r = jd_result_run(p->result);
    const jd_orbit_result *o = jd_result_orbit(p->result);
    return has_column(r ? &r->lists.energies : &o->energies, name);
}

static bool has_two_fold(const page *p) {
    const jd_columns *c = &jd_result_run(p->result)->lists.samples;
    return has_column(c, "y2.u") && has_column(c, "y3.u") && has_column(c, "lambda.u");
}

static bool has_space(const jd_space_result *s) {
    return s && s->n > 1 && s->n_face > 0 && s->n_mode > 0;
}

// What some kinds need of the result, and how to have it kept; NULL: it has what they need.
static const char *lacks(const page *p, jd_picture_kind kind) {
    jd_picture_def def = *p->def;
    def.kind = kind;
    if (jd_shown_of(p->result, &def)) return NULL;
    switch (kind) {
    case JD_PICTURE_ENERGY:
        return has_energies(p, "supplied") ? NULL
                                           : "the engine does not tell where all of the energy "
                                             "went, or the file is of an older version";
    case JD_PICTURE_HORIZON:
        return has_energies(p, "log_growth") ? NULL : "`judder run --horizon -o FILE.h5` keeps it";
    case JD_PICTURE_FIELD:
        return jd_result_has_field(p->result, &def)
                   ? NULL
                   : "`output: {field: {every: 5 ms}}` in the model keeps it, of contacts that act "
                     "along a span";
    case JD_PICTURE_SLIP:
        return jd_result_has_field(p->result, &def)
                   ? NULL
                   : "`output: {field: {every: 1 ms}}` in the model keeps it, of contacts that act "
                     "along a span";
    case JD_PICTURE_SHAPES:
        return jd_result_modes(p->result)->n_shapes > 0
                   ? NULL
                   : "structures given by matrices or by modes have no shapes along their length";
    case JD_PICTURE_SHAPE3D:
        return has_space(jd_result_modes(p->result)->space)
                   ? NULL
                   : "matrices need a `mesh`; of more than 1000 degrees of freedom `judder modes "
                     "MODEL.yaml --picture shape3d --plot FILE.png -o FILE.h5` keeps the shapes";
    case JD_PICTURE_MANIFOLD:
        if (jd_result_run(p->result)) return has_two_fold(p) ? NULL : two_fold_hint;
        return jd_result_nsm_orbits(p->result)->n_point > 0
                   ? NULL
                   : "`output: {points: [...]}` names the second point";
    default:
        return NULL;
    }
}

// "page, history, portrait": what this very result can show.
static const char *shows(const page *p, const drawer *d) {
    const char *list = NULL;
    for (int k = 0; k < JD_PICTURE_KIND_COUNT; k++) {
        if (!(d->fits & FITS(k)) || lacks(p, (jd_picture_kind)k)) continue;
        const char *name = jd_picture_name((jd_picture_kind)k);
        list = list ? jd_arena_format(p->arena, "%s, %s", list, name) : name;
    }
    return list ? list : "";
}

static jd_status unfit(const page *p, const drawer *d, const char *kind) {
    jd_context *context = jd_arena_context(p->arena);
    const char *name = jd_picture_name(p->def->kind), *list = shows(p, d);
    const char *missing = d->fits & FITS(p->def->kind) ? lacks(p, p->def->kind) : NULL;
    if (missing)
        jd_fail(context, JD_BAD_USAGE, "the file does not keep what `%s` shows", name);
    else
        jd_fail(context, JD_BAD_USAGE, "`%s` is no picture of a result of kind `%s`", name, kind);
    if (missing) jd_fail_hint(context, "%s; this file can show: %s", missing, list);
    if (!missing) jd_fail_hint(context, "this file can show: %s", list);
    return JD_BAD_USAGE;
}

jd_status jd_scene_of_result(jd_arena *arena, const jd_result *result, const jd_picture_def *def,
                             jd_scene **out) {
    page p = {arena, result, def, jd_caption_of(result)};
    jd_result_kind kind = jd_result_look(result)->kind;
    const drawer *d = &drawers[kind];
    *out = NULL;
    if (!(d->fits & FITS(def->kind)) || lacks(&p, def->kind))
        return unfit(&p, d, jd_result_kind_name(kind));
    if (!d->window && !(isnan(def->from) && isnan(def->to)))
        return jd_fail(jd_arena_context(arena), JD_BAD_USAGE,
                       "a result of kind `%s` has no time for a window to show",
                       jd_result_kind_name(kind));
    return d->scene(&p, out);
}

// Words of one's own in place of those chosen: below every panel that has some, beside the first
// and those that have the words of the first.
static void relabel(jd_scene *scene, const jd_picture_def *def) {
    const char *first = scene->panel ? scene->panel->y.label : NULL;
    for (jd_panel *p = scene->panel; p && def->x_label; p = p->next)
        if (p->x.label) p->x.label = def->x_label;
    for (jd_panel *p = scene->panel; p && def->y_label; p = p->next)
        if (p == scene->panel || (first && p->y.label && !strcmp(p->y.label, first)))
            p->y.label = def->y_label;
}

jd_status jd_picture_draw(jd_context *context, const jd_result *result, const jd_picture_def *def,
                          const char *path) {
    jd_picture_def chosen = def ? *def : jd_default_picture_def();
    jd_scene *scene = NULL;
    JD_TRY(jd_picture_check(context, path));
    JD_TRY(jd_picture_check_def(context, &chosen));
    jd_arena *arena = jd_arena_create(context);
    jd_status s = arena ? jd_scene_of_result(arena, result, &chosen, &scene) : JD_OUT_OF_MEMORY;
    if (s == JD_OK && scene) relabel(scene, &chosen);
    if (s == JD_OK && chosen.overlay) s = jd_scene_overlay(arena, scene, chosen.overlay);
    if (s == JD_OK) s = jd_scene_draw(context, scene, path);
    jd_arena_free(arena);
    return s;
}

jd_status jd_picture_result(jd_context *context, const char *file, const jd_picture_def *def,
                            const char *path) {
    jd_result *result;
    JD_TRY(jd_picture_check(context, path));
    JD_TRY(jd_result_read(context, file, &result));
    jd_status s = jd_picture_draw(context, result, def, path);
    jd_result_free(result);
    return s;
}
