// model.c -- the model of a page: its text, read with the changes that knobs have made.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/lab.h"
#include "model/read.h"

enum { MOST_CHANGES = 1000, WORDS = 4000 };

static char *copied(const char *text, size_t size) {
    char *out = malloc(size + 1);
    if (!out) return NULL;
    if (size > 0) memcpy(out, text, size);
    out[size] = '\0';
    return out;
}

lab_model *lab_model_create(const char *name, const char *folder, const char *text, size_t size) {
    lab_model *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    atomic_init(&m->uses, 1);
    m->name = copied(name, strlen(name));
    m->folder = copied(folder, strlen(folder));
    m->text = copied(text, size);
    m->size = size;
    if (m->name && m->folder && m->text) return m;
    lab_model_release(m);
    return NULL;
}

lab_model *lab_model_share(lab_model *model) {
    atomic_fetch_add(&model->uses, 1);
    return model;
}

void lab_model_release(lab_model *m) {
    if (!m || atomic_fetch_sub(&m->uses, 1) > 1) return;
    free(m->name);
    free(m->folder);
    free(m->text);
    free(m);
}

double request_real(const request *r, const char *key, double otherwise) {
    const json_t *value = json_object_get(r->body, key);
    return json_is_number(value) ? json_number_value(value) : otherwise;
}

const char *request_text(const request *r, const char *key) {
    return json_string_value(json_object_get(r->body, key));
}

jd_status request_changes(request *r, int *n, const char *const **out) {
    const json_t *list = json_object_get(r->body, "set");
    size_t count = json_array_size(list);
    if (count > MOST_CHANGES)
        return jd_fail(r->context, JD_BAD_USAGE, "%zu changes of a model at once are too many",
                       count);
    const char **text = JD_TAKE(r->arena, const char *, count);
    JD_TRY(jd_arena_status(r->arena));
    for (size_t i = 0; i < count; i++) {
        text[i] = json_string_value(json_array_get(list, i));
        if (!text[i]) return jd_fail(r->context, JD_BAD_USAGE, "a change is a text `path=value`");
    }
    *n = (int)count;
    *out = text;
    return JD_OK;
}

jd_status request_problem(request *r, bool to_run, jd_problem **out) {
    jd_model_text_def def = {.to_run = to_run};
    *out = NULL;
    if (!r->model) return jd_fail(r->context, JD_BAD_USAGE, "no model is open");
    def.text = r->model->text;
    def.size = r->model->size;
    JD_TRY(request_changes(r, &def.n_set, &def.set));
    lab_kept *kept = lane_kept(r->lane);
    def.like = kept_problem(kept, r->model, def.n_set, def.set);
    JD_TRY(jd_model_make(r->context, r->model->name, r->model->folder, &def, true, out));
    kept_take(kept, *out);
    return JD_OK;
}

static json_t *sections_of(const jd_problem *problem) {
    json_t *list = json_object();
    for (int i = 0; i < JD_SECTION_COUNT; i++) {
        bool given = false;
        jd_problem_section(problem, (jd_section)i, &given);
        json_object_set_new(list, jd_section_types[i].name, json_boolean(given));
    }
    return list;
}

// What the model is, and its knobs; `text` is sent where the page does not have it.
static jd_status tell_model(request *r, bool text) {
    jd_problem *problem;
    char words[WORDS];
    JD_TRY(request_problem(r, false, &problem));
    jd_model_explain(problem, words, sizeof words);
    json_t *body = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:b, s:o}", "name", jd_json_text(r->model->name), "title",
        jd_json_text(jd_problem_title(problem)), "words", jd_json_text(words), "knobs",
        knobs_of(r, problem), "sections", sections_of(problem), "si",
        (int)jd_problem_is_si(problem), "period", json_finite(jd_problem_period(problem)));
    if (text) {
        json_object_set_new(body, "text", jd_json_text(r->model->text));
        const char *what = request_text(r, "what");
        bool made = what && strncmp(what, "template/", 9) == 0; // a text without a file
        json_object_set_new(body, "file", json_boolean(!made));
    }
    json_object_set(body, "set", json_object_get(r->body, "set"));
    jd_problem_free(problem);
    send_json(r, "model", body);
    return JD_OK;
}

jd_status answer_model(request *r) { return tell_model(r, false); }

// The model of the command line with its changes; else what there is to choose from.
static jd_status open_given(request *r, lab_model **out) {
    const lab_setup *lab = session_lab(r->session);
    char *text;
    size_t size;
    if (!lab->model) {
        send_json(r, "catalog", catalog_of(lab));
        return JD_OK;
    }
    JD_TRY(jd_tree_read_file(r->arena, lab->model, &text, &size));
    char *folder = jd_model_folder(r->arena, lab->model);
    JD_TRY(jd_arena_status(r->arena));
    *out = lab_model_create(lab->model, folder, text, size);
    json_t *set = json_array();
    for (int i = 0; i < lab->set.n; i++) json_array_append_new(set, jd_json_text(lab->set.text[i]));
    json_object_set_new(r->body, "set", set);
    return *out ? JD_OK : JD_OUT_OF_MEMORY;
}

jd_status answer_open(request *r) {
    const char *what = request_text(r, "what");
    lab_model *model = NULL;
    if (what && strcmp(what, "catalog") == 0) {
        send_json(r, "catalog", catalog_of(session_lab(r->session)));
        return JD_OK;
    }
    JD_TRY(what && what[0] ? catalog_open(r, what, &model) : open_given(r, &model));
    if (!model) return JD_OK;
    session_put_model(r->session, model);
    lab_model_release(r->model);
    r->model = model;
    jd_status s = tell_model(r, true);
    if (s == JD_OK) return JD_OK;
    // A model that is wrong is shown all the same, with what is wrong with it.
    send_json(r, "text",
              json_pack("{s:o, s:o}", "name", jd_json_text(model->name), "text",
                        jd_json_text(model->text)));
    return s;
}
