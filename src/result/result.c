// result.c -- a result: made, written, read, looked at.
#include "result/result.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/words.h"
#include "judder/model.h"
#include "result/export/export.h"
#include "result/file/document.h"
#include "result/file/file.h"

static const jd_word kind_words[] = {JD_RESULT_LIST(JD_WORD)};
static const jd_result_class kinds[JD_RESULT_KIND_COUNT] = {
    [JD_RESULT_RUN] = {&jd_record_run, jd_rows_samples},
    [JD_RESULT_ORBIT] = {&jd_record_orbit, jd_rows_samples},
    [JD_RESULT_ATTRACTORS] = {&jd_record_attractors, jd_rows_samples},
    [JD_RESULT_FOLLOW] = {&jd_record_follow, jd_rows_follow},
    [JD_RESULT_SWEEP] = {&jd_record_sweep, jd_rows_sweep},
    [JD_RESULT_CONVERGENCE] = {&jd_record_convergence, jd_rows_convergence},
    [JD_RESULT_BATCH] = {&jd_record_batch, jd_rows_batch},
    [JD_RESULT_FIT] = {&jd_record_fit, jd_rows_fit},
    [JD_RESULT_BACKBONE] = {&jd_record_backbone, jd_rows_backbone},
    [JD_RESULT_KERNEL] = {&jd_record_kernel, jd_rows_kernel},
    [JD_RESULT_MODES] = {&jd_record_modes, jd_rows_modes},
    [JD_RESULT_NSM] = {&jd_record_nsm, jd_rows_nsm},
    [JD_RESULT_NSM_ORBITS] = {&jd_record_nsm_orbits, jd_rows_nsm_orbits}};

const char *jd_result_kind_name(jd_result_kind kind) {
    return jd_word_name(kind_words, JD_RESULT_KIND_COUNT, (int)kind);
}

static const char *kind_name(int kind) { return jd_result_kind_name((jd_result_kind)kind); }

static json_t *units_json(const void *object, const void *root) {
    (void)root;
    return json_string(((const jd_result_head *)object)->si ? "SI" : "consistent");
}

static bool has_units(const void *object, const void *root) {
    (void)root;
    return ((const jd_result_head *)object)->n_unit > 0;
}

static const jd_field text_field[] = {{JD_TEXT(jd_named_text, text, NULL, "unit")},
                                      JD_END_OF_FIELDS};
static const jd_record named_text = {.size = sizeof(jd_named_text), .field = text_field};

static const jd_field head_field[] = {
    {JD_WORD_OF(jd_result_head, kind, "kind", kind_name, JD_RESULT_KIND_COUNT, "kind of result")},
    {JD_TEXT(jd_result_head, title, "title", "of the model")},
    {JD_TOLD_BY("units", units_json, "SI, or consistent: those of the model")},
    {JD_MAP_OF(jd_result_head, unit, "parameter_units", &named_text, n_unit,
               "units of the numbers that were varied"),
     .has = has_units},
    JD_END_OF_FIELDS};
static const jd_record head_record = {.size = sizeof(jd_result_head), .field = head_field};

static jd_status new_result(jd_context *context, jd_result_kind kind, jd_result **out) {
    jd_arena *arena = jd_arena_create(context);
    *out = NULL;
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_result *r = JD_TAKE(arena, jd_result, 1);
    void *content = jd_arena_take(arena, 1, kinds[kind].record->size);
    if (jd_arena_status(arena) != JD_OK) {
        jd_arena_free(arena);
        return JD_OUT_OF_MEMORY;
    }
    *r = (jd_result){.arena = arena, .content = content, .n_array = -1};
    r->head = (jd_result_head){
        .kind = kind, .title = "", .command = "", .model = "", .version = jd_version()};
    *out = r;
    return JD_OK;
}

jd_status jd_result_create(jd_context *context, const jd_problem *problem, jd_result_kind kind,
                           jd_result **out) {
    JD_TRY(new_result(context, kind, out));
    jd_result_head *h = &(*out)->head;
    h->title = jd_arena_text((*out)->arena, jd_problem_title(problem));
    h->si = jd_problem_is_si(problem);
    const char *model = jd_model_text(problem);
    h->model = jd_arena_text((*out)->arena, model ? model : "");
    return jd_result_end(jd_arena_status((*out)->arena), out);
}

jd_status jd_result_end(jd_status status, jd_result **out) {
    if (status == JD_OK && jd_arena_status((*out)->arena) == JD_OK) return JD_OK;
    if (status == JD_OK) status = JD_OUT_OF_MEMORY;
    jd_result_free(*out);
    *out = NULL;
    return status;
}

static jd_status add_unit(jd_result *r, const char *path, const char *unit) {
    jd_result_head *h = &r->head;
    jd_named_text *more = JD_TAKE(r->arena, jd_named_text, h->n_unit + 1);
    JD_TRY(jd_arena_status(r->arena));
    if (h->n_unit) memcpy(more, h->unit, (size_t)h->n_unit * sizeof *more);
    more[h->n_unit] = (jd_named_text){jd_arena_text(r->arena, path), jd_arena_text(r->arena, unit)};
    h->unit = more;
    h->n_unit++;
    return jd_arena_status(r->arena);
}

jd_status jd_result_note_unit(jd_result *r, const jd_problem *problem, const char *path) {
    char unit[64];
    if (!r->head.si || !jd_problem_unit(problem, path, sizeof unit, unit)) return JD_OK;
    return add_unit(r, path, unit);
}

jd_status jd_result_show_unit(jd_result *r, const jd_problem *problem, const char *path,
                              double *size) {
    const char *unit;
    *size = jd_problem_shown_unit(problem, path, &unit);
    if (unit) return add_unit(r, path, unit);
    return jd_result_note_unit(r, problem, path);
}

void jd_result_set_command(jd_result *r, const char *command) { r->head.command = command; }

void jd_result_free(jd_result *r) {
    if (r) jd_arena_free(r->arena);
}

const jd_result_head *jd_result_look(const jd_result *r) { return &r->head; }

static const void *content(const jd_result *r, jd_result_kind kind) {
    return r->head.kind == kind ? r->content : NULL;
}
const jd_run_result *jd_result_run(const jd_result *r) { return content(r, JD_RESULT_RUN); }
const jd_orbit_result *jd_result_orbit(const jd_result *r) { return content(r, JD_RESULT_ORBIT); }
const jd_attractors_result *jd_result_attractors(const jd_result *r) {
    return content(r, JD_RESULT_ATTRACTORS);
}
const jd_follow_view *jd_result_follow(const jd_result *r) { return content(r, JD_RESULT_FOLLOW); }
const jd_sweep_view *jd_result_sweep(const jd_result *r) { return content(r, JD_RESULT_SWEEP); }
const jd_convergence_result *jd_result_convergence(const jd_result *r) {
    return content(r, JD_RESULT_CONVERGENCE);
}
const jd_batch_result *jd_result_batch(const jd_result *r) { return content(r, JD_RESULT_BATCH); }
const jd_fit_view *jd_result_fit(const jd_result *r) { return content(r, JD_RESULT_FIT); }
const jd_backbone_view *jd_result_backbone(const jd_result *r) {
    return content(r, JD_RESULT_BACKBONE);
}
const jd_kernel_view *jd_result_kernel(const jd_result *r) { return content(r, JD_RESULT_KERNEL); }
const jd_modes_result *jd_result_modes(const jd_result *r) { return content(r, JD_RESULT_MODES); }
const jd_nsm_result *jd_result_nsm(const jd_result *r) { return content(r, JD_RESULT_NSM); }
const jd_nsm_orbits_result *jd_result_nsm_orbits(const jd_result *r) {
    return content(r, JD_RESULT_NSM_ORBITS);
}

json_t *jd_result_document(const jd_result *r, jd_face face) {
    json_t *out = json_object();
    if (jd_record_write(&head_record, &r->head, face, out) &&
        jd_record_write(kinds[r->head.kind].record, r->content, face, out))
        return out;
    json_decref(out);
    jd_fail(jd_arena_context(r->arena), JD_OUT_OF_MEMORY, "not enough memory for the result");
    return NULL;
}

static const char *text_at(jd_arena *arena, const json_t *document, const char *key) {
    return jd_read_text(arena, json_object_get(document, key));
}

jd_status jd_result_of_document(jd_context *context, const json_t *document, jd_result **out) {
    const char *name = json_string_value(json_object_get(document, "kind"));
    int kind = 0;
    while (name && kind < JD_RESULT_KIND_COUNT && strcmp(name, kind_words[kind].name) != 0) kind++;
    *out = NULL;
    if (!name || kind == JD_RESULT_KIND_COUNT)
        return jd_fail(context, JD_NOT_SUPPORTED, "`%s` is no kind of result of this version",
                       name ? name : "?");
    JD_TRY(new_result(context, (jd_result_kind)kind, out));
    jd_result *r = *out;
    jd_status s = jd_record_read(r->arena, &head_record, document, &r->head);
    r->head.si = strcmp(text_at(r->arena, document, "units"), "SI") == 0;
    r->head.command = text_at(r->arena, document, "command");
    r->head.model = text_at(r->arena, document, "model");
    r->head.version = text_at(r->arena, document, "judder_version");
    if (s == JD_OK) s = jd_record_read(r->arena, kinds[kind].record, document, r->content);
    return jd_result_end(s, out);
}

// Units of frequency that are not SI: only they are told where the model has no units.
static bool is_shown(const char *unit) {
    static const char *const part[] = {"Hz", "hertz", "rpm", "rev", "min", "deg", "hour"};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        if (strstr(unit, part[i])) return true;
    return false;
}

// Unit of every field of that key within the record, at most four records deep. *unit stays NULL
// where there is none; false: fields of that key have different units.
static bool agreed_unit(const jd_record *record, const char *key, int deep, const char **unit) {
    for (const jd_field *f = record->field; f->kind != JD_FIELD_END; f++) {
        if (f->key && strcmp(f->key, key) == 0 && f->kind != JD_FIELD_MAP) {
            const char *own = f->unit ? f->unit : "";
            if (*unit && strcmp(*unit, own) != 0) return false;
            *unit = own;
        }
        if (f->record && deep > 0 && !agreed_unit(f->record, key, deep - 1, unit)) return false;
    }
    return true;
}

// The unit in the head of a column; "" or NULL: none.
static const char *head_unit(const jd_result *r, const json_t *document, const char *key) {
    const char *unit = jd_document_unit(document, key);
    if (!r->head.si) return unit && is_shown(unit) ? unit : NULL;
    if (unit) return unit;
    if (strncmp(key, "pole_", 5) == 0) return "1/s";
    if (!agreed_unit(kinds[r->head.kind].record, key, 4, &unit)) return NULL;
    return unit ? unit : jd_column_unit(key);
}

// Heads of columns with their units: `t [s]`, `drives.gas.frequency [Hz]`.
static json_t *tell_units(const jd_result *r, const json_t *rows, const json_t *document) {
    json_t *all = json_array(), *row, *value;
    const char *key;
    size_t i;
    json_array_foreach((json_t *)rows, i, row) {
        json_t *fresh = json_object();
        json_object_foreach(row, key, value) {
            char head[300];
            const char *unit = head_unit(r, document, key);
            bool told = unit && unit[0] && strcmp(unit, "1") != 0;
            snprintf(head, sizeof head, told ? "%s [%s]" : "%s", key, unit);
            json_object_set(fresh, head, value);
        }
        json_array_append_new(all, fresh);
    }
    return all;
}

json_t *jd_result_rows(const jd_result *r) {
    json_t *document = jd_result_document(r, JD_FACE_JSON);
    json_t *rows = document ? kinds[r->head.kind].rows(document) : NULL;
    if (rows) {
        json_t *told = tell_units(r, rows, document);
        json_decref(rows);
        rows = told;
    }
    json_decref(document);
    if (!rows)
        jd_fail(jd_arena_context(r->arena), JD_OUT_OF_MEMORY, "not enough memory for the table");
    return rows;
}

static bool ends_with(const char *path, const char *end) {
    size_t n = strlen(path), m = strlen(end);
    return n >= m && strcasecmp(path + n - m, end) == 0;
}

static jd_status write_json(jd_context *context, const json_t *document, const char *path) {
    jd_file file;
    JD_TRY(jd_file_open(context, path, &file));
    jd_json_write(document, file.stream); // its failure stays in the stream: commit reports it
    return jd_file_commit(&file);
}

jd_status jd_result_write_hdf5(jd_context *context, const jd_result *r, const char *path) {
    const jd_origin origin = {r->head.command, r->head.model, kinds[r->head.kind].record,
                              r->content};
    json_t *document = jd_result_document(r, JD_FACE_COLUMNS);
    if (!document) return jd_fail(context, JD_OUT_OF_MEMORY, "not enough memory for the result");
    jd_status s = jd_hdf5_write(context, path, document, &origin);
    json_decref(document);
    return s;
}

jd_status jd_result_write(jd_context *context, const jd_result *r, const char *path) {
    bool csv = ends_with(path, ".csv"), json = ends_with(path, ".json");
    jd_export_format format = jd_export_format_of(path);
    if (format == JD_EXPORT_MAT) return jd_export_mat(context, r, path);
    if (format == JD_EXPORT_UNIVERSAL) return jd_export_samples(context, r, path);
    if (!csv && !json) return jd_result_write_hdf5(context, r, path);
    json_t *tree = csv ? jd_result_rows(r) : jd_result_document(r, JD_FACE_JSON);
    if (!tree) return jd_fail(context, JD_OUT_OF_MEMORY, "not enough memory for the result");
    jd_status s = csv ? jd_csv_write(context, path, tree) : write_json(context, tree, path);
    json_decref(tree);
    return s;
}

jd_status jd_result_read(jd_context *context, const char *path, jd_result **out) {
    json_t *document;
    *out = NULL;
    JD_TRY(jd_hdf5_read(context, path, &document));
    jd_status s = jd_result_of_document(context, document, out);
    json_decref(document);
    if (s != JD_OK) jd_fail_where(context, "%s", path);
    return s;
}

static void add_array(void *user, const jd_array *array) {
    jd_result *r = user;
    if (r->array) r->array[r->n_array] = *array;
    r->n_array++;
}

// Listed when they are first asked for: counted, then kept.
static void list_arrays(jd_result *r) {
    const jd_record *record = kinds[r->head.kind].record;
    if (r->n_array >= 0) return;
    r->n_array = 0;
    r->array = NULL;
    jd_record_arrays(r->arena, record, r->content, add_array, r);
    jd_array *list = JD_TAKE(r->arena, jd_array, r->n_array);
    r->n_array = 0;
    r->array = list;
    if (list) jd_record_arrays(r->arena, record, r->content, add_array, r);
}

int jd_result_arrays(const jd_result *r) {
    list_arrays((jd_result *)r);
    return r->n_array;
}

const jd_array *jd_result_array(const jd_result *r, int i) {
    return i >= 0 && i < jd_result_arrays(r) ? &r->array[i] : NULL;
}

const jd_array *jd_result_find(const jd_result *r, const char *path) {
    for (int i = 0; i < jd_result_arrays(r); i++)
        if (strcmp(r->array[i].path, path) == 0) return &r->array[i];
    return NULL;
}
