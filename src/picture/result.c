// result.c -- the picture of a result file, by the kind of result it is.
#include <string.h>

#include "picture/of_file.h"
#include "result/document.h"

typedef struct page {
    jd_arena *arena;
    const json_t *document;
    const jd_picture_def *def;
    const char *path;
} page;

static jd_status draw_history(const page *p) {
    jd_history h;
    jd_context *context = jd_arena_context(p->arena);
    if (p->def->kind == JD_PICTURE_ENERGY) {
        jd_fail(context, JD_BAD_USAGE, "a result file does not keep the energies in time");
        jd_fail_hint(context, "`judder run MODEL.yaml --plot FILE --picture energy` draws them");
        return JD_BAD_USAGE;
    }
    JD_TRY(jd_history_of_file(p->arena, p->document, p->def->from, p->def->to, &h));
    return jd_scene_draw(context, jd_history_scene(p->arena, &h, p->def->kind), p->path);
}

// One line per kind of result.
static const struct {
    const char *kind;
    jd_status (*draw)(const page *p);
} drawers[] = {{"run", draw_history}, {"orbit", draw_history}};

static jd_status draw(const page *p, const char *file) {
    const char *kind = json_string_value(json_object_get(p->document, "kind"));
    for (size_t i = 0; kind && i < sizeof drawers / sizeof *drawers; i++)
        if (strcmp(kind, drawers[i].kind) == 0) return drawers[i].draw(p);
    return jd_fail(jd_arena_context(p->arena), JD_NOT_SUPPORTED,
                   "`%s` holds a result of kind `%s`, which has no picture", file,
                   kind ? kind : "?");
}

jd_status jd_picture_result(jd_context *context, const char *file, const jd_picture_def *def,
                            const char *path) {
    jd_picture_def chosen = def ? *def : jd_default_picture_def();
    json_t *document;
    JD_TRY(jd_picture_check(context, path));
    JD_TRY(jd_picture_check_def(context, &chosen));
    JD_TRY(jd_hdf5_read(context, file, &document));
    jd_arena *arena = jd_arena_create(context);
    page p = {arena, document, &chosen, path};
    jd_status s = arena ? draw(&p, file) : JD_OUT_OF_MEMORY;
    jd_arena_free(arena);
    json_decref(document);
    return s;
}
