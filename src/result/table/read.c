// read.c -- an object back from JSON, or from the tree a result file gives, by the same tables.
//   A file keeps a list of structs column by column: {"branch": {"parameter": [...], ...}}. Row i
//   of a column is its element i; of a column of objects, the object of the rows i of its members;
//   of a column of lists of several lengths, its member "i".
//   What is read may be damaged or made to hurt: every size is counted in the arrays themselves,
//   and arrays that share a size must agree.
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "result/table/field.h"

enum { MOST_COUNTS = 24 };

// A struct that is being filled, and which of its sizes are known by now.
typedef struct frame {
    void *object;
    int n;
    size_t known[MOST_COUNTS];
} frame;

typedef struct reader {
    jd_arena *arena;
    frame *root;
} reader;

static jd_status bad(reader r, const char *key, const char *what) {
    return jd_fail(jd_arena_context(r.arena), JD_BAD_RESULT_FILE, "the file holds %s as `%s`", what,
                   key);
}

double jd_read_real(const json_t *value, double none) {
    if (json_is_boolean(value)) return json_is_true(value);
    return json_is_number(value) ? json_number_value(value) : none;
}

int jd_read_whole(double value) {
    if (isnan(value)) return 0;
    return value >= INT_MAX ? INT_MAX : value <= INT_MIN ? INT_MIN : (int)value;
}

static long whole(const json_t *value) {
    if (json_is_integer(value)) return (long)json_integer_value(value);
    return jd_read_whole(jd_read_real(value, (double)NAN));
}

const char *jd_read_text(jd_arena *arena, const json_t *value) {
    const char *text = json_string_value(value), *copy = text ? jd_arena_text(arena, text) : "";
    return copy ? copy : ""; // the arena remembers
}

static int count(const json_t *x) {
    if (!json_is_array(x)) return 1;
    int n = 0;
    for (size_t i = 0; i < json_array_size(x); i++) n += count(json_array_get(x, i));
    return n;
}

static double *fill(const json_t *x, double none, double *out) {
    if (!json_is_array(x)) {
        *out = jd_read_real(x, none);
        return out + 1;
    }
    for (size_t i = 0; i < json_array_size(x); i++) out = fill(json_array_get(x, i), none, out);
    return out;
}

jd_status jd_read_reals(jd_arena *arena, const json_t *value, const char *key, double none, int *n,
                        double **out) {
    int there = value ? count(value) : 0;
    if (!value || (*n >= 0 && there != *n))
        return jd_fail(jd_arena_context(arena), JD_BAD_RESULT_FILE,
                       "the file holds %d numbers as `%s`, %s%d", there, key,
                       *n < 0 ? "at least " : "not ", *n < 0 ? 1 : *n);
    *n = there;
    *out = JD_TAKE(arena, double, there);
    if (*out) fill(value, none, *out);
    return jd_arena_status(arena);
}

// Takes a size from the array, or compares it with what other arrays of the struct say.
static bool agree(frame *f, size_t at, int n) {
    int *count_of = (int *)(void *)((char *)f->object + at);
    for (int i = 0; i < f->n; i++)
        if (f->known[i] == at) return *count_of == n;
    if (f->n == MOST_COUNTS) return false;
    f->known[f->n++] = at;
    *count_of = n;
    return true;
}

static bool take_size(reader r, frame *own, jd_size size, int n) {
    if (size.of == JD_SIZE_FIXED) return (size_t)n == size.at;
    return agree(size.of == JD_SIZE_ROOT ? r.root : own, size.at, n);
}

// Sizes of a rectangular array, and how many values it has; an empty one has its first size only.
static bool measure(reader r, frame *own, const jd_field *f, const json_t *value, int *n) {
    const json_t *inner = value;
    *n = 1;
    for (int level = 0; level < JD_FIELD_SIZES && f->size[level].of != JD_SIZE_NONE; level++) {
        if (*n == 0) return true;
        if (!json_is_array(inner)) return false;
        size_t size = json_array_size(inner);
        if (size > INT_MAX / 2 || (size > 0 && *n > INT_MAX / (int)size)) return false;
        if (!take_size(r, own, f->size[level], (int)size)) return false;
        *n *= (int)size;
        inner = json_array_get(inner, 0);
    }
    return *n == count(value) || *n == 0;
}

// Value i of an array of this kind.
static void put_value(reader r, jd_field_kind kind, const json_t *x, void *out, int i) {
    if (kind == JD_FIELD_INTS) ((int *)out)[i] = (int)jd_read_whole((double)whole(x));
    if (kind == JD_FIELD_BOOLS) ((bool *)out)[i] = jd_read_real(x, 0) > 0;
    if (kind == JD_FIELD_TEXTS) ((const char **)out)[i] = jd_read_text(r.arena, x);
}

// Values in the order they are written, from number i on; returns the number behind them.
static int put_values(reader r, jd_field_kind kind, const json_t *x, void *out, int i) {
    if (!json_is_array(x)) {
        put_value(r, kind, x, out, i);
        return i + 1;
    }
    for (size_t k = 0; k < json_array_size(x); k++)
        i = put_values(r, kind, json_array_get(x, k), out, i);
    return i;
}

// Room for n texts as take_index has it: the next power of two.
static size_t room_of_texts(int n) {
    size_t room = 1;
    while (room < (size_t)n) room *= 2;
    return room;
}

static void *new_array(reader r, jd_field_kind kind, const json_t *value, double none, int n) {
    if (kind == JD_FIELD_REALS) {
        double *out = JD_TAKE(r.arena, double, n);
        if (out && n > 0) fill(value, none, out);
        return out;
    }
    bool texts = kind == JD_FIELD_TEXTS;
    size_t width = kind == JD_FIELD_INTS    ? sizeof(int)
                   : kind == JD_FIELD_BOOLS ? sizeof(bool)
                                            : sizeof(char *);
    void *out = jd_arena_take(r.arena, texts ? room_of_texts(n) : (size_t)n, width);
    if (out && n > 0) put_values(r, kind, value, out, 0);
    return out;
}

static jd_status read_array(reader r, frame *own, const jd_field *f, const json_t *value) {
    void *at = (char *)own->object + f->offset;
    int n;
    if (!value || json_is_null(value)) {
        if (f->optional || f->has) return JD_OK;
        return bad(r, f->key, "nothing");
    }
    if (!measure(r, own, f, value, &n)) return bad(r, f->key, "an array of the wrong size");
    if (f->inside) {
        if (n > 0) fill(value, f->none, at);
        return JD_OK;
    }
    *(void **)at = new_array(r, f->kind, value, f->none, n);
    return jd_arena_status(r.arena);
}

static int word_of(const jd_field *f, const json_t *value) {
    const char *text = json_string_value(value);
    for (int i = 0; text && i < f->words; i++)
        if (strcmp(text, f->word(i)) == 0) return i;
    return 0;
}

// The text's place in the root's list, at whose end it is put when it is new. The list's room is
// the next power of two.
static jd_status take_index(reader r, const jd_field *f, const json_t *value, int *out) {
    char *root = r.root->object;
    const char *text = json_string_value(value),
               ***list = (const char ***)(void *)(root + f->texts);
    int *n = (int *)(void *)(root + f->n_texts);
    *out = -1;
    if (!text || !text[0]) return JD_OK;
    for (*out = 0; *out < *n; ++*out)
        if (strcmp((*list)[*out], text) == 0) return JD_OK;
    if ((*n & (*n - 1)) == 0) {
        const char **more = JD_TAKE(r.arena, const char *, *n ? 2 * *n : 1);
        JD_TRY(jd_arena_status(r.arena));
        if (*n) memcpy(more, *list, (size_t)*n * sizeof *more);
        *list = more;
    }
    (*list)[(*n)++] = jd_read_text(r.arena, value);
    return jd_arena_status(r.arena);
}

static void read_text(reader r, const jd_field *f, const json_t *value, void *at) {
    if (!f->inside) {
        *(const char **)at =
            !json_is_string(value) && f->optional ? NULL : jd_read_text(r.arena, value);
        return;
    }
    const char *text = json_string_value(value);
    snprintf(at, f->size[0].at, "%s", text ? text : "");
}

static jd_status read_scalar(reader r, const jd_field *f, const json_t *value, void *at) {
    const char *letter = json_string_value(value);
    switch (f->kind) {
    case JD_FIELD_REAL:
        *(double *)at = jd_read_real(value, f->none);
        return JD_OK;
    case JD_FIELD_INT:
        *(int *)at =
            f->optional && !json_is_number(value) ? -1 : jd_read_whole((double)whole(value));
        return JD_OK;
    case JD_FIELD_LONG:
        *(long *)at = whole(value);
        return JD_OK;
    case JD_FIELD_BOOL:
        *(bool *)at = jd_read_real(value, 0) > 0;
        if (f->undecided)
            *((bool *)at - f->offset + f->undecided) = isnan(jd_read_real(value, (double)NAN));
        return JD_OK;
    case JD_FIELD_JUDGED:
        *(int *)at = jd_read_real(value, -1) < 0 ? -1 : jd_read_real(value, -1) > 0;
        return JD_OK;
    case JD_FIELD_WORD:
        *(int *)at = word_of(f, value);
        return JD_OK;
    case JD_FIELD_STATE:
        *(jd_contact_state *)at = jd_contact_state_of(letter ? letter[0] : '?');
        return JD_OK;
    case JD_FIELD_INDEX:
        return take_index(r, f, value, at);
    default:
        read_text(r, f, value, at);
        return jd_arena_status(r.arena);
    }
}

static jd_status read_fields(reader r, const jd_record *record, const json_t *in, frame *own);

static jd_status read_struct(reader r, const jd_record *record, const json_t *in, void *object) {
    frame own = {.object = object};
    if (record->root) r.root = &own;
    JD_TRY(read_fields(r, record, in, &own));
    return record->check ? record->check(r.arena, object) : JD_OK;
}

static jd_status read_value(reader r, const jd_field *f, const json_t *value, frame *own);

// One struct of a list; the value of its only member where that has no key.
static jd_status read_item(reader r, const jd_record *record, const json_t *in, void *item) {
    const jd_field *f = record->field;
    if (f->key || f->kind == JD_FIELD_GROUP || f->kind == JD_FIELD_RECORD ||
        f->kind == JD_FIELD_PART || f->kind == JD_FIELD_OTHER || f->kind == JD_FIELD_COLUMNS)
        return read_struct(r, record, in, item);
    frame own = {.object = item};
    return read_value(r, f, in, &own);
}

static bool holds_objects(const jd_field *f) {
    return f->kind == JD_FIELD_GROUP || f->kind == JD_FIELD_RECORD || f->kind == JD_FIELD_PART ||
           f->kind == JD_FIELD_MAP || f->kind == JD_FIELD_COLUMNS;
}

static json_t *cell(const jd_field *f, const json_t *column, int i);

// The objects of row i, member by member.
static json_t *row_of(const jd_record *record, const json_t *columns, int i) {
    json_t *out = json_object(), *column;
    const char *key;
    json_object_foreach((json_t *)columns, key, column) {
        const jd_field *f = record ? jd_field_find(record, key) : NULL;
        json_t *one = cell(f, column, i);
        if (one) json_object_set_new(out, key, one);
    }
    return out;
}

static json_t *map_row(const jd_field *f, const json_t *columns, int i) {
    json_t *out = json_object(), *column;
    const char *key;
    json_object_foreach((json_t *)columns, key, column) {
        json_t *one = json_is_object(column) ? row_of(f->record, column, i) : cell(NULL, column, i);
        if (one) json_object_set_new(out, key, one);
    }
    return out;
}

// Row i of a column, a new reference; NULL: it has none.
static json_t *cell(const jd_field *f, const json_t *column, int i) {
    char number[16];
    if (json_is_array(column)) return json_incref(json_array_get(column, (size_t)i));
    snprintf(number, sizeof number, "%d", i);
    json_t *member = json_object_get(column, number);
    if (member || !f || !holds_objects(f) || !json_is_object(column)) return json_incref(member);
    return f->kind == JD_FIELD_MAP ? map_row(f, column, i) : row_of(f->record, column, i);
}

// Rows of a table of columns: those of its first array.
static size_t rows_of(const json_t *columns) {
    const char *key;
    json_t *column;
    json_object_foreach((json_t *)columns, key,
                        column) if (json_is_array(column)) return json_array_size(column);
    json_object_foreach((json_t *)columns, key,
                        column) if (rows_of(column) > 0) return rows_of(column);
    return 0;
}

// A table of nothing but scalars needs no object for each of its rows.
static bool is_plain(const jd_record *record) {
    for (const jd_field *f = record->field; f->kind != JD_FIELD_END; f++)
        if (f->kind > JD_FIELD_INDEX || !f->key) return false;
    return !record->check;
}

static jd_status read_plain(reader r, const jd_record *record, const json_t *columns, int n,
                            char *item) {
    for (const jd_field *f = record->field; f->kind != JD_FIELD_END; f++) {
        const json_t *column = json_object_get(columns, f->key);
        for (int i = 0; i < n; i++)
            JD_TRY(read_scalar(r, f, json_array_get(column, (size_t)i),
                               item + (size_t)i * record->size + f->offset));
    }
    return JD_OK;
}

static jd_status read_list(reader r, const jd_field *f, const json_t *value, frame *own) {
    bool columns = json_is_object(value);
    size_t n = columns ? rows_of(value) : json_array_size(value);
    if (n > INT_MAX || !take_size(r, own, f->size[0], (int)n))
        return bad(r, f->key ? f->key : "list", "a list of the wrong size");
    char *item = jd_arena_take(r.arena, n, f->record->size);
    JD_TRY(jd_arena_status(r.arena));
    *(void **)(void *)((char *)own->object + f->offset) = item;
    if (columns && is_plain(f->record)) return read_plain(r, f->record, value, (int)n, item);
    jd_status s = JD_OK;
    for (size_t i = 0; s == JD_OK && i < n; i++) {
        json_t *row =
            columns ? row_of(f->record, value, (int)i) : json_incref(json_array_get(value, i));
        s = read_item(r, f->record, row, item + i * f->record->size);
        json_decref(row);
    }
    return s;
}

// Structs by name. Several groups may say things of the same structs (energies, counts and extremes
// of contacts): the first one makes them, the others are matched by name.
static jd_status read_map(reader r, const jd_field *f, const json_t *value, frame *own) {
    void **list = (void **)(void *)((char *)own->object + f->offset);
    size_t n = json_object_size(value), size = f->record->size;
    const char *name;
    json_t *one;
    bool first = !*list;
    if (!value && first && f->optional) return JD_OK;
    if (n > INT_MAX || (first && !take_size(r, own, f->size[0], (int)n)))
        return bad(r, f->key, "a group of the wrong size");
    if (first) *list = jd_arena_take(r.arena, n, size);
    JD_TRY(jd_arena_status(r.arena));
    int at = 0, there = jd_size_of(f->size[0], own->object, r.root->object);
    json_object_foreach((json_t *)value, name, one) {
        char *item = (char *)*list + (size_t)at * size;
        if (first) *(const char **)(void *)item = jd_arena_text(r.arena, name);
        JD_TRY(jd_arena_status(r.arena));
        for (int i = 0; !first && i < there; i++) {
            item = (char *)*list + (size_t)i * size;
            if (strcmp(*(const char **)(void *)item, name) == 0) break;
            item = NULL;
        }
        at++;
        if (item && there > 0) JD_TRY(read_item(r, f->record, one, item));
    }
    return JD_OK;
}

// Columns that are no lists of as many numbers as the first one are no columns.
static jd_status read_columns(reader r, const json_t *value, jd_columns *out) {
    size_t n = json_object_size(value);
    const char *key, **name = JD_TAKE(r.arena, const char *, n);
    const double **data = JD_TAKE(r.arena, const double *, n);
    int *width = JD_TAKE(r.arena, int, n);
    json_t *list;
    JD_TRY(jd_arena_status(r.arena));
    *out = (jd_columns){.name = name, .value = data, .width = width};
    json_object_foreach((json_t *)value, key, list) {
        size_t rows = json_array_size(list), wide = json_array_size(json_array_get(list, 0));
        if (!json_is_array(list) || rows > INT_MAX) continue;
        if (out->n_column == 0) out->n_row = (int)rows;
        int all = count(list), k = out->n_column;
        if ((int)rows != out->n_row || (size_t)all != rows * (wide ? wide : 1)) continue;
        double *numbers = NULL;
        JD_TRY(jd_read_reals(r.arena, list, key, (double)NAN, &all, &numbers));
        name[k] = jd_arena_text(r.arena, key);
        JD_TRY(jd_arena_status(r.arena));
        data[k] = numbers;
        width[k] = (int)wide;
        out->n_column++;
    }
    return JD_OK;
}

static jd_status read_part(reader r, const jd_field *f, const json_t *value, void *at) {
    void *part = NULL;
    if (json_is_object(value) || !f->key) { // without a key it is always there
        part = jd_arena_take(r.arena, 1, f->record->size);
        JD_TRY(jd_arena_status(r.arena));
        JD_TRY(read_struct(r, f->record, value, part));
    }
    *(void **)at = part;
    return JD_OK;
}

static jd_status read_value(reader r, const jd_field *f, const json_t *value, frame *own) {
    void *at = (char *)own->object + f->offset;
    switch (f->kind) {
    case JD_FIELD_REALS:
    case JD_FIELD_INTS:
    case JD_FIELD_BOOLS:
    case JD_FIELD_TEXTS:
        return read_array(r, own, f, value);
    case JD_FIELD_LIST:
        if (!value && f->optional) return JD_OK;
        return read_list(r, f, value, own);
    case JD_FIELD_MAP:
        return read_map(r, f, value, own);
    case JD_FIELD_COLUMNS:
        return read_columns(r, value, at);
    case JD_FIELD_GROUP:
        return !value && f->optional ? JD_OK : read_fields(r, f->record, value, own);
    case JD_FIELD_RECORD:
        return !value && f->optional ? JD_OK : read_struct(r, f->record, value, at);
    case JD_FIELD_PART:
        return read_part(r, f, value, at);
    case JD_FIELD_TOLD:
        return JD_OK;
    default:
        return read_scalar(r, f, value, at);
    }
}

static jd_status read_fields(reader r, const jd_record *record, const json_t *in, frame *own) {
    for (const jd_field *f = record->field; f->kind != JD_FIELD_END; f++) {
        if (f->kind == JD_FIELD_OTHER)
            JD_TRY(f->read(r.arena, f, in, own->object, r.root->object));
        else
            JD_TRY(read_value(r, f, f->key ? json_object_get(in, f->key) : in, own));
    }
    return JD_OK;
}

jd_status jd_record_read(jd_arena *arena, const jd_record *record, const json_t *in, void *object) {
    frame own = {.object = object};
    JD_TRY(read_fields((reader){arena, &own}, record, in, &own));
    return record->check ? record->check(arena, object) : JD_OK;
}
