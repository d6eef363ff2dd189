// result.c -- the picture of a result file, by the kind of result it is.
#include <math.h>
#include <string.h>

#include "picture/of_file.h"
#include "result/document.h"

typedef struct page {
    jd_arena *arena;
    const json_t *document;
    const jd_picture_def *def;
    jd_caption caption;
} page;

static jd_status history(const page *p, jd_scene **out) {
    jd_history h;
    JD_TRY(jd_history_of_file(p->arena, p->document, p->def->from, p->def->to, &h));
    *out = jd_history_scene(p->arena, &h, p->def->kind);
    return JD_OK;
}

static jd_status orbit(const page *p, jd_scene **out) {
    jd_multipliers m;
    if (p->def->kind != JD_PICTURE_MULTIPLIERS) return history(p, out);
    JD_TRY(jd_multipliers_of_file(p->arena, p->document, &m));
    *out = jd_multipliers_scene(p->arena, p->caption, &m);
    return JD_OK;
}

static jd_status sweep(const page *p, jd_scene **out) {
    jd_sweep_view v;
    JD_TRY(jd_sweep_of_file(p->arena, p->document, &v));
    *out = jd_sweep_scene(p->arena, p->caption, &v);
    return JD_OK;
}

static jd_status follow(const page *p, jd_scene **out) {
    jd_follow_view v;
    JD_TRY(jd_follow_of_file(p->arena, p->document, &v));
    *out = jd_follow_scene(p->arena, p->caption, &v);
    return JD_OK;
}

static jd_status convergence(const page *p, jd_scene **out) {
    int n;
    jd_converge_def *def;
    jd_converge_point **point;
    JD_TRY(jd_converge_of_file(p->arena, p->document, &n, &def, &point));
    *out = jd_converge_scene(p->arena, p->caption, n, def, point);
    return JD_OK;
}

static jd_status kernel(const page *p, jd_scene **out) {
    jd_kernel_view v;
    JD_TRY(jd_kernel_of_file(p->arena, p->document, &v));
    *out = jd_kernel_scene(p->arena, p->caption, &v);
    return JD_OK;
}

static jd_status nsm(const page *p, jd_scene **out) {
    jd_nsm_lines lines;
    JD_TRY(jd_nsm_of_file(p->arena, p->document, &lines));
    if (lines.n_line == 0)
        return jd_fail(jd_arena_context(p->arena), JD_BAD_USAGE, "there is no branch to draw");
    *out = jd_nsm_scene(p->arena, p->caption, &lines);
    return JD_OK;
}

#define FITS(kind) (1u << (kind))
enum {
    MOTION = FITS(JD_PICTURE_PAGE) | FITS(JD_PICTURE_HISTORY) | FITS(JD_PICTURE_PORTRAIT) |
             FITS(JD_PICTURE_FORCE)
};

// One line per kind of result: its scene, and the kinds of pictures that fit it.
typedef struct drawer {
    const char *kind;
    jd_status (*scene)(const page *p, jd_scene **out);
    unsigned fits;
    bool window; // can be asked for a part
} drawer;

static const drawer drawers[] = {{"run", history, MOTION, true},
                                 {"orbit", orbit, MOTION | FITS(JD_PICTURE_MULTIPLIERS), true},
                                 {"sweep", sweep, FITS(JD_PICTURE_PAGE), false},
                                 {"follow", follow, FITS(JD_PICTURE_PAGE), false},
                                 {"convergence", convergence, FITS(JD_PICTURE_PAGE), false},
                                 {"kernel", kernel, FITS(JD_PICTURE_PAGE), false},
                                 {"nsm", nsm, FITS(JD_PICTURE_PAGE), false}};

static jd_status unfit(const page *p, const drawer *d) {
    jd_context *context = jd_arena_context(p->arena);
    const char *name = jd_picture_name(p->def->kind);
    jd_fail(context, JD_BAD_USAGE, "`%s` is no picture of a result file of kind `%s`", name,
            d->kind);
    if (p->def->kind == JD_PICTURE_ENERGY && d->window)
        jd_fail_hint(context,
                     "a result file does not keep the energies in time; `judder %s MODEL.yaml "
                     "--plot FILE --picture energy` draws them",
                     d->kind);
    else if (p->def->kind == JD_PICTURE_FIELD && strcmp(d->kind, "run") == 0)
        jd_fail_hint(context, "`judder run MODEL.yaml --plot FILE --picture field` draws it");
    else if (d->fits == FITS(JD_PICTURE_PAGE))
        jd_fail_hint(context, "it has one picture: leave --picture out");
    else
        jd_fail_hint(context, "page, history, portrait and force are%s",
                     d->fits & FITS(JD_PICTURE_MULTIPLIERS) ? "; so is multipliers" : "");
    return JD_BAD_USAGE;
}

static jd_status compose(const page *p, const char *file, jd_scene **out) {
    jd_context *context = jd_arena_context(p->arena);
    const char *kind = jd_read_text(p->document, "kind");
    for (size_t i = 0; i < sizeof drawers / sizeof *drawers; i++) {
        const drawer *d = &drawers[i];
        if (strcmp(kind, d->kind) != 0) continue;
        if (!(d->fits & FITS(p->def->kind))) return unfit(p, d);
        if (!d->window && !(isnan(p->def->from) && isnan(p->def->to)))
            return jd_fail(context, JD_BAD_USAGE,
                           "a result of kind `%s` has no time for a window to show", kind);
        return d->scene(p, out);
    }
    jd_fail(context, JD_NOT_SUPPORTED, "`%s` holds a result of kind `%s`, which has no picture",
            file, kind[0] ? kind : "?");
    if (strcmp(kind, "nsm-orbits") == 0)
        jd_fail_hint(context, "`judder nsm MODEL.yaml --orbit BRANCH --plot FILE` draws it");
    return JD_NOT_SUPPORTED;
}

jd_status jd_picture_result(jd_context *context, const char *file, const jd_picture_def *def,
                            const char *path) {
    jd_picture_def chosen = def ? *def : jd_default_picture_def();
    json_t *document;
    jd_scene *scene = NULL;
    JD_TRY(jd_picture_check(context, path));
    JD_TRY(jd_picture_check_def(context, &chosen));
    JD_TRY(jd_hdf5_read(context, file, &document));
    jd_arena *arena = jd_arena_create(context);
    jd_caption caption = {jd_read_text(document, "title"),
                          strcmp(jd_read_text(document, "units"), "SI") == 0, NULL,
                          json_object_get(document, "parameter_units")};
    page p = {arena, document, &chosen, caption};
    jd_status s = arena ? compose(&p, file, &scene) : JD_OUT_OF_MEMORY;
    if (s == JD_OK) s = jd_scene_draw(context, scene, path);
    jd_arena_free(arena);
    json_decref(document);
    return s;
}
