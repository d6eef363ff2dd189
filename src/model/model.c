// model.c -- reads a model: text -> tree -> --set -> problem -> built.
#include "judder/model.h"

#include <string.h>

#include "analysis/check/rehearse.h"
#include "model/read.h"
#include "problem/parts.h"

// The library's other parts speak of paths; a model file has lines.
static jd_status build(jd_binder *b, jd_problem *problem, bool to_run) {
    JD_TRY(jd_bind_locate(b, jd_problem_rehearse(b->context, problem, to_run), NULL));
    return jd_bind_locate(b, jd_problem_build(problem), NULL);
}

static jd_status fill(jd_binder *b, const char *name, const jd_model_text_def *text,
                      jd_problem *problem, bool with_build) {
    JD_TRY(jd_tree_parse(b->arena, name, text->text, text->size, &b->root));
    if (text->n_set > 0 && b->root->kind == JD_NODE_MAP)
        for (int i = 0; i < text->n_set; i++) JD_TRY(jd_tree_set(b->arena, b->root, text->set[i]));
    JD_TRY(jd_bind_model(b, problem));
    JD_TRY(jd_problem_set_text(problem, text->text, text->size));
    if (text->like) jd_problem_share_structures(text->like, problem);
    return with_build ? build(b, problem, text->to_run) : JD_OK;
}

jd_status jd_model_make(jd_context *context, const char *name, const char *folder,
                        const jd_model_text_def *text, bool with_build, jd_problem **out) {
    *out = NULL;
    jd_arena *arena = jd_arena_create(context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_binder b = {.arena = arena, .context = context, .folder = folder ? folder : ""};
    b.n_array = text->n_array;
    b.array = text->array;
    b.units = jd_units_create(arena);
    jd_problem *problem = NULL;
    jd_status status = b.units ? jd_problem_create(context, &problem) : JD_OUT_OF_MEMORY;
    if (status == JD_OK) status = fill(&b, name, text, problem, with_build);
    if (status == JD_OK) status = jd_arena_status(arena);
    jd_units_close(b.units);
    jd_arena_free(arena);
    if (status == JD_OK)
        *out = problem;
    else
        jd_problem_free(problem);
    return status;
}

jd_status jd_model_parse(jd_context *context, const char *name, const char *folder,
                         const char *text, size_t size, int n_set, const char *const *set,
                         jd_problem **out) {
    jd_model_text_def def = {.text = text, .size = size, .n_set = n_set, .set = set};
    return jd_model_make(context, name, folder, &def, true, out);
}

jd_status jd_model_create(jd_context *context, const jd_model_def *def, jd_problem **out) {
    jd_model_text_def text = {.text = def->text,
                              .size = def->size,
                              .n_set = def->n_set,
                              .set = def->set,
                              .n_array = def->n_array,
                              .array = def->array};
    return jd_model_make(context, def->name, def->folder, &text, true, out);
}

char *jd_model_folder(jd_arena *arena, const char *file) {
    char *folder = jd_arena_text(arena, file);
    char *slash = folder ? strrchr(folder, '/') : NULL;
    if (!folder) return NULL;
    if (!slash)
        folder[0] = '\0';
    else
        slash[slash == folder] = '\0';
    return folder;
}

static jd_status read_file(jd_context *context, const char *file, jd_model_text_def *def,
                           jd_problem **out) {
    *out = NULL;
    jd_arena *arena = jd_arena_create(context);
    if (!arena) return JD_OUT_OF_MEMORY;
    char *text = NULL;
    size_t size = 0;
    jd_status status = jd_tree_read_file(arena, file, &text, &size);
    char *folder = jd_model_folder(arena, file);
    def->text = text;
    def->size = size;
    if (status == JD_OK) status = jd_arena_status(arena);
    if (status == JD_OK) status = jd_model_make(context, file, folder, def, true, out);
    jd_arena_free(arena);
    return status;
}

jd_status jd_model_read(jd_context *context, const char *file, int n_set, const char *const *set,
                        jd_problem **out) {
    jd_model_text_def def = {.n_set = n_set, .set = set};
    return read_file(context, file, &def, out);
}

jd_status jd_model_read_to_run(jd_context *context, const char *file, int n_set,
                               const char *const *set, jd_problem **out) {
    jd_model_text_def def = {.n_set = n_set, .set = set, .to_run = true};
    return read_file(context, file, &def, out);
}

const char *jd_model_text(const jd_problem *problem) { return jd_problem_text(problem); }
