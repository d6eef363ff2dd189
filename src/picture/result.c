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
    if ((p->def->kind == JD_PICTURE_ENERGY && !h.energy) ||
        (p->def->kind == JD_PICTURE_HORIZON && !h.growth))
        return jd_fail(jd_arena_context(p->arena), JD_BAD_RESULT_FILE,
                       "the file holds no `energies` at the times of its samples");
    *out = jd_history_scene(p->arena, &h, p->def->kind);
    return JD_OK;
}

static jd_status field(const page *p, jd_scene **out) {
    jd_field_view *v = JD_TAKE(p->arena, jd_field_view, 1); // the scene points into it
    JD_TRY(jd_arena_status(p->arena));
    JD_TRY(jd_field_of_file(p->arena, p->document, p->def, v));
    *out = jd_field_draw(p->arena, v);
    return jd_arena_status(p->arena);
}

static jd_status slip(const page *p, jd_scene **out) {
    jd_history h = {.title = p->caption.title, .si = p->caption.si};
    JD_TRY(jd_slip_of_file(p->arena, p->document, p->def, &h));
    *out = jd_history_scene(p->arena, &h, JD_PICTURE_SLIP);
    return JD_OK;
}

static jd_status run(const page *p, jd_scene **out) {
    bool along = p->def->kind == JD_PICTURE_PAGE && jd_file_has_field(p->document);
    if (along || p->def->kind == JD_PICTURE_FIELD) return field(p, out);
    return p->def->kind == JD_PICTURE_SLIP ? slip(p, out) : history(p, out);
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
    if (lines.n_line == 0 && lines.n_sustained == 0)
        return jd_fail(jd_arena_context(p->arena), JD_BAD_USAGE, "there is no branch to draw");
    *out = jd_nsm_scene(p->arena, p->caption, &lines);
    return JD_OK;
}

static jd_status orbits(const page *p, jd_scene **out) {
    jd_nsm_orbits o;
    JD_TRY(jd_nsm_orbits_of_file(p->arena, p->document, &o));
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
    JD_TRY(jd_attractors_of_file(p->arena, p->document, &list));
    *out = jd_attractors_scene(p->arena, p->caption, &list);
    return JD_OK;
}

static jd_status modes(const page *p, jd_scene **out) {
    jd_modes_view v;
    JD_TRY(jd_modes_of_file(p->arena, p->document, &v));
    *out = p->def->kind == JD_PICTURE_SHAPES ? jd_shapes_scene(p->arena, p->caption, &v)
                                             : jd_modes_scene(p->arena, p->caption, &v);
    return JD_OK;
}

#define FITS(kind) (1u << (kind))
enum {
    ALWAYS = FITS(JD_PICTURE_PAGE),
    MOTION = ALWAYS | FITS(JD_PICTURE_HISTORY) | FITS(JD_PICTURE_PORTRAIT) | FITS(JD_PICTURE_FORCE),
    RUN = MOTION | FITS(JD_PICTURE_ENERGY) | FITS(JD_PICTURE_FIELD) | FITS(JD_PICTURE_SLIP) |
          FITS(JD_PICTURE_HORIZON),
    ORBIT = MOTION | FITS(JD_PICTURE_ENERGY) | FITS(JD_PICTURE_MULTIPLIERS),
    BRANCH = ALWAYS | FITS(JD_PICTURE_MANIFOLD) | FITS(JD_PICTURE_PORTRAIT) |
             FITS(JD_PICTURE_HISTORY) | FITS(JD_PICTURE_MULTIPLIERS)
};

// One line per kind of result: its scene, and the kinds of pictures that fit it.
typedef struct drawer {
    const char *kind;
    jd_status (*scene)(const page *p, jd_scene **out);
    unsigned fits;
    bool window; // can be asked for a part
} drawer;

static const drawer drawers[] = {{"run", run, RUN, true},
                                 {"orbit", orbit, ORBIT, true},
                                 {"attractors", attractors, ALWAYS, false},
                                 {"sweep", sweep, ALWAYS, false},
                                 {"follow", follow, ALWAYS, false},
                                 {"convergence", convergence, ALWAYS, false},
                                 {"kernel", kernel, ALWAYS, false},
                                 {"modes", modes, ALWAYS | FITS(JD_PICTURE_SHAPES), false},
                                 {"nsm", nsm, ALWAYS, false},
                                 {"nsm-orbits", orbits, BRANCH, false}};

// What some kinds need of the document, and how to have it kept.
typedef struct need {
    jd_picture_kind kind;
    const char *group, *key; // key NULL: the group is enough
    const char *hint;
} need;

static const need needs[] = {
    {JD_PICTURE_ENERGY, "energies", "supplied",
     "the engine does not tell where all of the energy went, or the file is of an older version"},
    {JD_PICTURE_HORIZON, "energies", "log_growth", "`judder run --horizon -o FILE.h5` keeps it"},
    {JD_PICTURE_FIELD, "field", "t",
     "`output: {field: {every: 5 ms}}` in the model keeps it, of contacts that act along a span"},
    {JD_PICTURE_SLIP, "field", "t",
     "`output: {field: {every: 1 ms}}` in the model keeps it, of contacts that act along a span"},
    {JD_PICTURE_SHAPES, "shapes", NULL,
     "structures given by matrices or by modes have no shapes along their length"},
    {JD_PICTURE_MANIFOLD, "points", NULL, "`output: {points: [...]}` names the second point"}};

static const need *lacks(const json_t *document, jd_picture_kind kind) {
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        const json_t *group = json_object_get(document, needs[i].group);
        const json_t *there = needs[i].key ? json_object_get(group, needs[i].key) : group;
        bool empty = json_array_size(there) == 0 && json_object_size(there) == 0;
        if (needs[i].kind == kind && empty) return &needs[i];
    }
    return NULL;
}

// "page, history, portrait": what this very file can show.
static const char *shows(const page *p, const drawer *d) {
    const char *list = NULL;
    for (int k = 0; k < JD_PICTURE_KIND_COUNT; k++) {
        if (!(d->fits & FITS(k)) || lacks(p->document, (jd_picture_kind)k)) continue;
        const char *name = jd_picture_name((jd_picture_kind)k);
        list = list ? jd_arena_format(p->arena, "%s, %s", list, name) : name;
    }
    return list ? list : "";
}

static jd_status unfit(const page *p, const drawer *d) {
    jd_context *context = jd_arena_context(p->arena);
    const char *name = jd_picture_name(p->def->kind), *list = shows(p, d);
    const need *missing = d->fits & FITS(p->def->kind) ? lacks(p->document, p->def->kind) : NULL;
    if (missing)
        jd_fail(context, JD_BAD_USAGE, "the file does not keep what `%s` shows", name);
    else
        jd_fail(context, JD_BAD_USAGE, "`%s` is no picture of a result of kind `%s`", name,
                d->kind);
    if (missing) jd_fail_hint(context, "%s; this file can show: %s", missing->hint, list);
    if (!missing) jd_fail_hint(context, "this file can show: %s", list);
    return JD_BAD_USAGE;
}

static jd_status compose(const page *p, const char *file, jd_scene **out) {
    jd_context *context = jd_arena_context(p->arena);
    const char *kind = jd_read_text(p->document, "kind");
    for (size_t i = 0; i < sizeof drawers / sizeof *drawers; i++) {
        const drawer *d = &drawers[i];
        if (strcmp(kind, d->kind) != 0) continue;
        if (!(d->fits & FITS(p->def->kind)) || lacks(p->document, p->def->kind)) return unfit(p, d);
        if (!d->window && !(isnan(p->def->from) && isnan(p->def->to)))
            return jd_fail(context, JD_BAD_USAGE,
                           "a result of kind `%s` has no time for a window to show", kind);
        return d->scene(p, out);
    }
    jd_fail(context, JD_NOT_SUPPORTED, "`%s` holds a result of kind `%s`, which has no picture",
            file, kind[0] ? kind : "?");
    return JD_NOT_SUPPORTED;
}

jd_status jd_scene_of_file(jd_arena *arena, const json_t *document, const char *name,
                           const jd_picture_def *def, jd_scene **out) {
    jd_caption caption = {jd_read_text(document, "title"),
                          strcmp(jd_read_text(document, "units"), "SI") == 0, NULL,
                          json_object_get(document, "parameter_units")};
    page p = {arena, document, def, caption};
    *out = NULL;
    return compose(&p, name, out);
}

static jd_status picture(jd_context *context, const json_t *document, const char *name,
                         const jd_picture_def *def, const char *path) {
    jd_scene *scene = NULL;
    jd_arena *arena = jd_arena_create(context);
    jd_status s = arena ? jd_scene_of_file(arena, document, name, def, &scene) : JD_OUT_OF_MEMORY;
    if (s == JD_OK) s = jd_scene_draw(context, scene, path);
    jd_arena_free(arena);
    return s;
}

jd_status jd_picture_document(jd_context *context, const json_t *document,
                              const jd_picture_def *def, const char *path) {
    jd_picture_def chosen = def ? *def : jd_default_picture_def();
    JD_TRY(jd_picture_check(context, path));
    JD_TRY(jd_picture_check_def(context, &chosen));
    json_t *columns = jd_document_columns(document);
    jd_status s = columns ? picture(context, columns, "the result", &chosen, path)
                          : jd_fail(context, JD_OUT_OF_MEMORY, "not enough memory for the picture");
    json_decref(columns);
    return s;
}

jd_status jd_picture_result(jd_context *context, const char *file, const jd_picture_def *def,
                            const char *path) {
    jd_picture_def chosen = def ? *def : jd_default_picture_def();
    json_t *document;
    JD_TRY(jd_picture_check(context, path));
    JD_TRY(jd_picture_check_def(context, &chosen));
    JD_TRY(jd_hdf5_read(context, file, &document));
    jd_status s = picture(context, document, file, &chosen, path);
    json_decref(document);
    return s;
}
