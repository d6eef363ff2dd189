// write.c -- an object as JSON, by the tables of its structs.
#include <stdlib.h>
#include <string.h>

#include "result/table/field.h"

typedef struct writer {
    jd_face face;
    const void *root; // struct whose sizes and lists of texts count
} writer;

json_t *jd_json_real(double value) { return isfinite(value) ? json_real(value) : json_null(); }

json_t *jd_json_text(const char *text) {
    json_t *out = json_string(text);
    if (out) return out;
    size_t n = strlen(text);
    char *copy = malloc(n + 1);
    for (size_t i = 0; copy && i <= n; i++) copy[i] = (unsigned char)text[i] < 0x80 ? text[i] : '?';
    out = copy ? json_string(copy) : NULL;
    free(copy);
    return out;
}

// A list that is whole, or nothing.
static json_t *append(json_t *list, json_t *value) {
    if (json_array_append_new(list, value) == 0) return list;
    json_decref(list);
    return NULL;
}

json_t *jd_json_reals(int n, const double *value) {
    json_t *out = json_array();
    for (int i = 0; out && i < n; i++) out = append(out, jd_json_real(value[i]));
    return out;
}

const void *jd_field_at(const jd_field *f, const void *object) {
    return (const char *)object + f->offset;
}

int jd_size_of(jd_size size, const void *object, const void *root) {
    if (size.of == JD_SIZE_FIXED) return (int)size.at;
    int n;
    memcpy(&n, (const char *)(size.of == JD_SIZE_ROOT ? root : object) + size.at, sizeof n);
    return n;
}

static bool write_fields(writer w, const jd_record *record, const void *object, json_t *out);
static json_t *value_of(writer w, const jd_field *f, const void *object);

static json_t *element(jd_field_kind kind, const void *data, size_t i) {
    switch (kind) {
    case JD_FIELD_REALS:
        return jd_json_real(((const double *)data)[i]);
    case JD_FIELD_INTS:
        return json_integer(((const int *)data)[i]);
    case JD_FIELD_BOOLS:
        return json_boolean(((const bool *)data)[i]);
    default:
        return jd_json_text(((const char *const *)data)[i]);
    }
}

// The array from its element *at on, from this size inwards.
static json_t *array_json(writer w, const jd_field *f, const void *object, const void *data,
                          int level, size_t *at) {
    if (level == JD_FIELD_SIZES || f->size[level].of == JD_SIZE_NONE)
        return element(f->kind, data, (*at)++);
    json_t *out = json_array();
    int n = jd_size_of(f->size[level], object, w.root);
    for (int i = 0; out && i < n; i++)
        out = append(out, array_json(w, f, object, data, level + 1, at));
    return out;
}

static bool put_columns(const jd_columns *c, json_t *out) {
    for (int k = 0; k < c->n_column; k++) {
        int width = c->width ? c->width[k] : 0;
        json_t *list = width ? json_array() : jd_json_reals(c->n_row, c->value[k]);
        for (int i = 0; width && list && i < c->n_row; i++)
            list = append(list, jd_json_reals(width, c->value[k] + (size_t)i * (size_t)width));
        if (json_object_set_new(out, c->name[k], list) != 0) return false;
    }
    return true;
}

static json_t *columns_json(const jd_columns *c) {
    json_t *out = json_object();
    if (put_columns(c, out)) return out;
    json_decref(out);
    return NULL;
}

// One struct of a list: an object, or the value of its only member where that has no key.
static json_t *item_json(writer w, const jd_record *record, const void *item) {
    const jd_field *f = record->field;
    if (!f->key && f->kind != JD_FIELD_GROUP && f->kind != JD_FIELD_RECORD &&
        f->kind != JD_FIELD_PART && f->kind != JD_FIELD_OTHER && f->kind != JD_FIELD_COLUMNS)
        return value_of(w, f, item);
    json_t *out = json_object();
    if (out && write_fields(w, record, item, out)) return out;
    json_decref(out);
    return NULL;
}

static json_t *items_json(writer w, const jd_field *f, const void *object) {
    bool map = f->kind == JD_FIELD_MAP;
    int n = jd_size_of(f->size[0], object, w.root);
    const char *item = *(const char *const *)jd_field_at(f, object);
    json_t *out = map ? json_object() : json_array();
    for (int i = 0; out && i < n; i++, item += f->record->size) {
        json_t *one = item_json(w, f->record, item);
        const char *name = map ? *(const char *const *)(const void *)item : NULL;
        if ((map ? json_object_set_new(out, name, one) : json_array_append_new(out, one)) == 0)
            continue;
        json_decref(out);
        return NULL;
    }
    return out;
}

static json_t *index_json(writer w, const jd_field *f, int i) {
    const char *const *texts =
        *(const char *const *const *)(const void *)((const char *)w.root + f->texts);
    return jd_json_text(i < 0 ? "" : texts[i]);
}

static json_t *text_json(const jd_field *f, const void *at) {
    const char *text = f->inside ? at : *(const char *const *)at;
    return jd_json_text(text ? text : "");
}

static json_t *scalar_json(writer w, const jd_field *f, const void *at) {
    switch (f->kind) {
    case JD_FIELD_REAL:
        return jd_json_real(*(const double *)at);
    case JD_FIELD_INT:
        return f->optional && *(const int *)at < 0 ? json_null() : json_integer(*(const int *)at);
    case JD_FIELD_LONG:
        return json_integer(*(const long *)at);
    case JD_FIELD_BOOL:
        if (f->undecided && *((const bool *)at - f->offset + f->undecided)) return json_null();
        return json_boolean(*(const bool *)at);
    case JD_FIELD_JUDGED:
        return *(const int *)at < 0 ? json_null() : json_boolean(*(const int *)at);
    case JD_FIELD_WORD:
        return json_string(f->word(*(const int *)at));
    case JD_FIELD_STATE:
        return json_stringn((char[]){jd_contact_letter(*(const jd_contact_state *)at)}, 1);
    case JD_FIELD_INDEX:
        return index_json(w, f, *(const int *)at);
    default:
        return text_json(f, at);
    }
}

static json_t *value_of(writer w, const jd_field *f, const void *object) {
    const void *at = jd_field_at(f, object);
    size_t first = 0;
    switch (f->kind) {
    case JD_FIELD_REALS:
    case JD_FIELD_INTS:
    case JD_FIELD_BOOLS:
    case JD_FIELD_TEXTS:
        return array_json(w, f, object, f->inside ? at : *(const void *const *)at, 0, &first);
    case JD_FIELD_LIST:
    case JD_FIELD_MAP:
        return items_json(w, f, object);
    case JD_FIELD_COLUMNS:
        return columns_json(at);
    case JD_FIELD_GROUP:
        return item_json(w, f->record, object);
    case JD_FIELD_RECORD:
        return item_json(w, f->record, at);
    case JD_FIELD_PART:
        return item_json(w, f->record, *(const void *const *)at);
    case JD_FIELD_TOLD:
        return f->told(object, w.root);
    default:
        return scalar_json(w, f, at);
    }
}

static bool is_left_out(writer w, const jd_field *f, const void *object) {
    if (w.face == JD_FACE_JSON ? f->left_out & JD_NOT_IN_JSON : f->left_out & JD_NOT_IN_FILE)
        return true;
    if (w.face == JD_FACE_STREAM && f->left_out & JD_STREAMED) return true;
    if (w.face == JD_FACE_COLUMNS && jd_is_by_column(f, object)) return true;
    bool pointer =
        f->kind == JD_FIELD_PART ||
        (f->optional && !f->inside &&
         (f->kind == JD_FIELD_TEXT || f->kind == JD_FIELD_REALS || f->kind == JD_FIELD_INTS ||
          f->kind == JD_FIELD_BOOLS || f->kind == JD_FIELD_TEXTS || f->kind == JD_FIELD_LIST));
    if (pointer && !*(const void *const *)jd_field_at(f, object)) return true;
    if (f->kind == JD_FIELD_COLUMNS && f->optional &&
        ((const jd_columns *)jd_field_at(f, object))->n_column == 0)
        return true;
    return f->has && !f->has(object, w.root);
}

static bool write_field(writer w, const jd_field *f, const void *object, json_t *out) {
    if (is_left_out(w, f, object)) return true;
    if (f->kind == JD_FIELD_OTHER) return f->write(f, object, w.root, out);
    if (f->key) return json_object_set_new(out, f->key, value_of(w, f, object)) == 0;
    const void *at = f->kind == JD_FIELD_GROUP ? object : jd_field_at(f, object);
    if (f->kind == JD_FIELD_COLUMNS) return put_columns(at, out);
    return write_fields(w, f->record, f->kind == JD_FIELD_PART ? *(const void *const *)at : at,
                        out);
}

static bool write_fields(writer w, const jd_record *record, const void *object, json_t *out) {
    if (record->root) w.root = object;
    for (const jd_field *f = record->field; f->kind != JD_FIELD_END; f++)
        if (!write_field(w, f, object, out)) return false;
    return true;
}

bool jd_record_write(const jd_record *record, const void *object, jd_face face, json_t *out) {
    return write_fields((writer){face, object}, record, object, out);
}

bool jd_record_write_below(const jd_record *record, const void *object, const void *root,
                           json_t *out) {
    return write_fields((writer){JD_FACE_FILE, root}, record, object, out);
}

const jd_field *jd_field_find(const jd_record *record, const char *key) {
    for (const jd_field *f = record->field; f->kind != JD_FIELD_END; f++) {
        if (f->key && strcmp(f->key, key) == 0) return f;
        const jd_field *inner = !f->key && f->record ? jd_field_find(f->record, key) : NULL;
        if (inner) return inner;
    }
    return NULL;
}

const char *jd_column_unit(const char *name) {
    static const struct {
        const char *end, *unit;
    } list[] = {{".u", "m"},
                {".v", "m/s"},
                {".force", "N"},
                {".set", "m"},
                {".depth", "m"},
                {".axial", "N"},
                {".zv", "N"},
                {".mobilised", ""},
                {"stuck", ""},
                {"per_quarter", ""},
                {"delivered", "J"},
                {"compression", "N"},
                {"tension", "N"},
                {"mobilised", "N"},
                {"resistance", "N"},
                {"embedded", "m"},
                {".state", ""},
                {".velocity", "m/s"},
                {"log_growth", ""},
                {"kinetic", "J"},
                {"strain", "J"},
                {"damping", "J"},
                {"friction", "J"},
                {"impacts", "J"},
                {"supplied", "J"},
                {".displacement.min", "m"},
                {".displacement.max", "m"},
                {".velocity.min", "m/s"},
                {".velocity.max", "m/s"},
                {".force.min", "N"},
                {".force.max", "N"}};
    size_t n = strlen(name);
    if (strcmp(name, "t") == 0) return "s";
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        size_t m = strlen(list[i].end);
        if (n >= m && strcmp(name + n - m, list[i].end) == 0) return list[i].unit;
    }
    return NULL;
}
