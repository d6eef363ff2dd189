// arrays.c -- every array of an object where it lies in memory, by the tables of its structs.
//   A list of structs is an array of each of its members with the size of the struct as stride;
//   what its structs point to are arrays of their own, under the number of the struct.
#include "result/table/field.h"

typedef struct walker {
    jd_arena *arena;
    jd_array_visitor *visit;
    void *user;
    const void *root;
    size_t rows, stride; // of the list the struct begins; rows 0: it stands alone
} walker;

static void walk(walker w, const char *path, const jd_record *record, const void *object);

static const char *below(walker w, const char *path, const char *key) {
    return path[0] ? jd_arena_format(w.arena, "%s/%s", path, key) : key;
}

// Width of an element, and what it is; 0: no array is made of it.
static size_t element(jd_field_kind kind, jd_array_type *type) {
    switch (kind) {
    case JD_FIELD_REAL:
    case JD_FIELD_REALS:
        *type = JD_ARRAY_DOUBLE;
        return sizeof(double);
    case JD_FIELD_INT:
    case JD_FIELD_INTS:
    case JD_FIELD_JUDGED:
    case JD_FIELD_STATE:
    case JD_FIELD_WORD:
    case JD_FIELD_INDEX:
        *type = JD_ARRAY_INT;
        return sizeof(int);
    case JD_FIELD_LONG:
        *type = JD_ARRAY_LONG;
        return sizeof(long);
    case JD_FIELD_BOOL:
    case JD_FIELD_BOOLS:
        *type = JD_ARRAY_BOOL;
        return sizeof(bool);
    case JD_FIELD_TEXT:
    case JD_FIELD_TEXTS:
        *type = JD_ARRAY_TEXT;
        return sizeof(char *);
    default:
        return 0;
    }
}

static bool is_scalar(const jd_field *f) { return f->kind <= JD_FIELD_INDEX; }

// Sizes of an array, slowest first, behind those it has already; strides from the last one up.
static void take_sizes(walker w, const jd_field *f, const void *object, size_t width, jd_array *a) {
    int first = a->rank;
    for (int k = 0; k < JD_FIELD_SIZES && f->size[k].of != JD_SIZE_NONE; k++)
        a->size[a->rank++] = (size_t)jd_size_of(f->size[k], object, w.root);
    for (int k = a->rank - 1; k >= first; k--) {
        a->stride[k] = width;
        width *= a->size[k];
    }
}

// A column of a list, or an array of a struct that stands alone.
static void put(walker w, const char *path, const jd_field *f, const void *object) {
    const void *at = jd_field_at(f, object);
    jd_array a = {.path = path, .unit = f->unit, .doc = f->doc};
    size_t width = element(f->kind, &a.type);
    bool text = f->kind == JD_FIELD_TEXT && f->inside, column = w.rows > 0;
    if (width == 0 || text || (is_scalar(f) && !column)) return;
    if (column) {
        a.rank = 1;
        a.size[0] = w.rows;
        a.stride[0] = w.stride;
    }
    a.data = at;
    if (!is_scalar(f)) {
        if (!f->inside) a.data = *(const void *const *)at;
        take_sizes(w, f, object, width, &a);
    }
    if (a.data) w.visit(w.user, &a);
}

static void columns(walker w, const char *path, const jd_columns *c) {
    for (int k = 0; k < c->n_column; k++) {
        size_t width = c->width && c->width[k] ? (size_t)c->width[k] : 0;
        jd_array a = {.path = below(w, path, c->name[k]),
                      .unit = jd_column_unit(c->name[k]),
                      .doc = "",
                      .type = JD_ARRAY_DOUBLE,
                      .rank = width ? 2 : 1,
                      .size = {(size_t)c->n_row, width},
                      .stride = {sizeof(double) * (width ? width : 1), width ? sizeof(double) : 0},
                      .data = c->value[k]};
        w.visit(w.user, &a);
    }
}

static bool points(const jd_field *f) {
    return !is_scalar(f) && f->kind != JD_FIELD_TOLD && f->kind != JD_FIELD_OTHER && !f->inside &&
           f->kind != JD_FIELD_GROUP && f->kind != JD_FIELD_RECORD;
}

static void list(walker w, const char *path, const jd_field *f, const void *object) {
    const char *item = *(const char *const *)jd_field_at(f, object);
    int n = jd_size_of(f->size[0], object, w.root);
    walker all = w;
    all.rows = (size_t)n;
    all.stride = f->record->size;
    if (n == 0 || !item) return;
    if (f->kind == JD_FIELD_LIST) walk(all, path, f->record, item);
    for (int i = 0; i < n; i++, item += f->record->size) {
        const char *name = f->kind == JD_FIELD_MAP ? *(const char *const *)(const void *)item
                                                   : jd_arena_format(w.arena, "%d", i);
        walker one = w;
        one.rows = 0;
        const char *inner = name ? below(w, path, name) : NULL;
        if (inner) walk(one, inner, f->record, item);
    }
}

static void walk(walker w, const char *path, const jd_record *record, const void *object) {
    if (record->root) w.root = object;
    for (const jd_field *f = record->field; f->kind != JD_FIELD_END; f++) {
        const char *own = f->key ? below(w, path, f->key) : path;
        const void *at = jd_field_at(f, object);
        if (!own || (w.rows > 0 && points(f))) continue; // each struct of the list has its own
        if (w.rows == 0 && f->has && !f->has(object, w.root)) continue;
        if (f->kind == JD_FIELD_GROUP)
            walk(w, own, f->record, object);
        else if (f->kind == JD_FIELD_RECORD)
            walk(w, own, f->record, at);
        else if (f->kind == JD_FIELD_PART && *(const void *const *)at)
            walk(w, own, f->record, *(const void *const *)at);
        else if (f->kind == JD_FIELD_LIST || f->kind == JD_FIELD_MAP)
            list(w, own, f, object);
        else if (f->kind == JD_FIELD_COLUMNS)
            columns(w, own, at);
        else
            put(w, own, f, object);
    }
}

bool jd_record_arrays(jd_arena *arena, const jd_record *record, const void *object,
                      jd_array_visitor *visit, void *user) {
    walker w = {.arena = arena, .visit = visit, .user = user, .root = object};
    walk(w, "", record, object);
    return jd_arena_status(arena) == JD_OK;
}
