// hdf5.c -- a document as an HDF5 file.
//   object -> group                       number, text, true/false -> attribute of its group
//   rectangular array of these -> dataset (null is NaN or "")
//   array of objects -> group with one dataset per key (a table, column by column)
//   any other array -> group with children 0, 1, 2 ...
// No times are stored: equal results are equal bytes.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "result/file/document.h"
#include "result/file/hdf5_tree.h"

enum { MAX_RANK = 8 };

typedef enum leaf {
    LEAF_NONE,
    LEAF_NULL,
    LEAF_BOOLEAN,
    LEAF_INTEGER,
    LEAF_REAL,
    LEAF_TEXT,
    LEAF_BAD
} leaf;

typedef struct shape {
    int rank;
    hsize_t size[MAX_RANK];
    leaf kind;
} shape;

static leaf leaf_of(const json_t *v) {
    switch (json_typeof(v)) {
    case JSON_NULL:
        return LEAF_NULL;
    case JSON_TRUE:
    case JSON_FALSE:
        return LEAF_BOOLEAN;
    case JSON_INTEGER:
        return LEAF_INTEGER;
    case JSON_REAL:
        return LEAF_REAL;
    case JSON_STRING:
        return LEAF_TEXT;
    default:
        return LEAF_BAD;
    }
}

// The kind that holds both: null joins real and text, integer joins real.
static leaf joined(leaf a, leaf b) {
    if (a == LEAF_NONE || a == b) return b;
    if (b == LEAF_NONE) return a;
    leaf low = a < b ? a : b, high = a < b ? b : a;
    if (low == LEAF_NULL && high == LEAF_INTEGER) return LEAF_REAL;
    if (low == LEAF_NULL && (high == LEAF_REAL || high == LEAF_TEXT)) return high;
    if (low == LEAF_INTEGER && high == LEAF_REAL) return LEAF_REAL;
    return LEAF_BAD;
}

// Shape of a rectangular array; kind LEAF_BAD when it is ragged or mixed.
static shape shape_of(const json_t *v) {
    if (!json_is_array(v)) return (shape){.kind = leaf_of(v)};
    shape all = {.rank = 1, .size = {json_array_size(v)}, .kind = LEAF_NONE};
    size_t i;
    json_t *item;
    json_array_foreach(v, i, item) {
        shape one = shape_of(item);
        if (i == 0) {
            all.rank = one.rank + 1;
            if (all.rank > MAX_RANK) return (shape){.kind = LEAF_BAD};
            memcpy(all.size + 1, one.size, (size_t)one.rank * sizeof *one.size);
        }
        bool same = one.rank + 1 == all.rank &&
                    memcmp(all.size + 1, one.size, (size_t)one.rank * sizeof *one.size) == 0;
        all.kind = same ? joined(all.kind, one.kind) : LEAF_BAD;
        if (all.kind == LEAF_BAD) return all;
    }
    return all;
}

// Values of an array, row-major, in memory of its kind.
static char *fill(const json_t *v, leaf kind, char *at) {
    if (json_is_array(v)) {
        size_t i;
        json_t *item;
        json_array_foreach(v, i, item) at = fill(item, kind, at);
        return at;
    }
    if (kind == LEAF_TEXT) {
        const char *text = json_is_string(v) ? json_string_value(v) : "";
        memcpy(at, &text, sizeof text);
        return at + sizeof text;
    }
    if (kind == LEAF_BOOLEAN) {
        *(int8_t *)at = json_is_true(v);
        return at + 1;
    }
    if (kind == LEAF_INTEGER) {
        int64_t value = json_integer_value(v);
        memcpy(at, &value, sizeof value);
        return at + sizeof value;
    }
    double value = json_is_number(v) ? json_number_value(v) : (double)NAN;
    memcpy(at, &value, sizeof value);
    return at + sizeof value;
}

static size_t width(leaf kind) {
    return kind == LEAF_BOOLEAN ? 1 : kind == LEAF_TEXT ? sizeof(char *) : 8;
}

// Type in the file; the caller closes it. Booleans as h5py writes them.
static hid_t file_type(leaf kind) {
    if (kind == LEAF_INTEGER) return H5Tcopy(H5T_STD_I64LE);
    if (kind == LEAF_BOOLEAN) {
        hid_t type = H5Tenum_create(H5T_STD_I8LE);
        int8_t no = 0, yes = 1;
        H5Tenum_insert(type, "FALSE", &no);
        H5Tenum_insert(type, "TRUE", &yes);
        return type;
    }
    if (kind != LEAF_TEXT) return H5Tcopy(H5T_IEEE_F64LE);
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

static hid_t memory_type(leaf kind) {
    if (kind == LEAF_INTEGER) return H5Tcopy(H5T_NATIVE_INT64);
    if (kind == LEAF_BOOLEAN || kind == LEAF_TEXT) return file_type(kind);
    return H5Tcopy(H5T_NATIVE_DOUBLE);
}

// Characters that are spelled %XX in a link: '/' separates there, "." means the group itself, and
// '%' where it would be read as one of these.
static const char *const spelled[] = {"%2F", "%2E", "%25"};

static char spelled_as(const char *text) {
    for (size_t i = 0; i < sizeof spelled / sizeof *spelled; i++)
        if (strncmp(text, spelled[i], 3) == 0) return "/.%"[i];
    return 0;
}

// No name at all is "%".
void jd_hdf5_link_name(const char *key, char *out, size_t size) {
    size_t n = 0;
    bool whole = strcmp(key, ".") == 0 || strcmp(key, "%") == 0;
    for (; *key && n + 4 < size; key++) {
        if (*key == '/' || whole || spelled_as(key))
            n += (size_t)snprintf(out + n, size - n, "%%%02X", (unsigned)*key);
        else
            out[n++] = *key;
    }
    if (n == 0) out[n++] = '%';
    out[n] = '\0';
}

void jd_hdf5_key(char *name) {
    char *out = name;
    if (strcmp(name, "%") == 0) name[0] = '\0';
    for (const char *at = name; *at; at++) {
        char one = spelled_as(at);
        *out++ = one ? one : *at;
        if (one) at += 2;
    }
    *out = '\0';
}

static bool set_attribute(hid_t object, const char *key, const json_t *value) {
    leaf kind = leaf_of(value);
    char room[8];
    fill(value, kind, room);
    hid_t space = H5Screate(H5S_SCALAR), type = file_type(kind), memory = memory_type(kind);
    hid_t attribute = H5Acreate2(object, key, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool fine = attribute >= 0 && H5Awrite(attribute, memory, room) >= 0;
    if (attribute >= 0) H5Aclose(attribute);
    H5Tclose(memory);
    H5Tclose(type);
    H5Sclose(space);
    return fine;
}

bool jd_hdf5_put_text(hid_t object, const char *key, const char *text) {
    json_t *value = jd_json_text(text);
    bool fine = value && set_attribute(object, key, value);
    json_decref(value);
    return fine;
}

// How values of this many elements are converted on their way: HDF5 would clear a megabyte for
// every text, however short. An element is at most 16 bytes, in memory or in the file.
static hid_t small_buffer(size_t count) {
    enum { LEAST = 4096, MOST = 1 << 20, ELEMENT = 16 };
    hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
    size_t size = count < MOST / ELEMENT ? count * ELEMENT : MOST;
    H5Pset_buffer(transfer, size > LEAST ? size : LEAST, NULL, NULL);
    return transfer;
}

static size_t count_of(const shape *sh) {
    size_t count = 1;
    for (int r = 0; r < sh->rank; r++) count *= (size_t)sh->size[r];
    return count;
}

static hid_t new_dataset(hid_t group, const char *name, const shape *sh) {
    hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(plan, false);
    hid_t space = H5Screate_simple(sh->rank, sh->size, NULL), type = file_type(sh->kind);
    hid_t set = H5Dcreate2(group, name, type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    H5Tclose(type);
    H5Sclose(space);
    H5Pclose(plan);
    return set;
}

// Values of n rows from row `first` on, in memory of their kind.
static bool write_rows(hid_t set, const shape *sh, hsize_t first, hsize_t n, const void *values) {
    shape part = *sh;
    hsize_t from[MAX_RANK] = {first};
    part.size[0] = n;
    hid_t memory = memory_type(sh->kind), transfer = small_buffer(count_of(&part));
    hid_t file = H5Screate_simple(sh->rank, sh->size, NULL);
    hid_t room = H5Screate_simple(sh->rank, part.size, NULL);
    bool fine = H5Sselect_hyperslab(file, H5S_SELECT_SET, from, NULL, part.size, NULL) >= 0 &&
                H5Dwrite(set, memory, room, file, transfer, values) >= 0;
    H5Sclose(room);
    H5Sclose(file);
    H5Pclose(transfer);
    H5Tclose(memory);
    return fine;
}

static bool set_dataset(hid_t group, const char *name, const json_t *v, shape sh,
                        const char *unit) {
    size_t count = count_of(&sh);
    char *values = count == 0 ? NULL : malloc(count * width(sh.kind));
    if (count > 0 && !values) return false;
    if (values) fill(v, sh.kind, values);
    hid_t set = new_dataset(group, name, &sh);
    bool fine = set >= 0 && (!values || write_rows(set, &sh, 0, sh.size[0], values));
    if (fine && unit) fine = jd_hdf5_put_text(set, "unit", unit);
    if (set >= 0) H5Dclose(set);
    free(values);
    return fine;
}

// What is known of the members of an object: their table, that of each of them, or that they are
// columns of samples. Units are written where the result is SI.
typedef struct about {
    bool si, columns;
    const jd_record *record, *items;
    const char *unit; // of the members of a list
    const json_t *document;
} about;

static const jd_field *field_of(about a, const char *key) {
    if (a.items) return a.items->field->key ? NULL : a.items->field;
    return a.record ? jd_field_find(a.record, key) : NULL;
}

static about about_member(about a, const char *key) {
    const jd_field *f = field_of(a, key);
    about inner = {.si = a.si, .document = a.document};
    if (a.items && (!f || !f->record)) inner.record = a.items;
    if (!f) return inner;
    inner.columns = f->kind == JD_FIELD_COLUMNS;
    if (f->kind == JD_FIELD_MAP)
        inner.items = f->record;
    else if (f->record)
        inner.record = f->record;
    return inner;
}

static const char *unit_of(about a, const char *key) {
    const jd_field *f = field_of(a, key);
    if (!a.si || a.unit) return a.unit;
    const char *unit = f && !a.columns ? f->unit : jd_column_unit(key);
    bool of_parameter = strcmp(key, "error") == 0 && a.record;
    return unit ? unit : jd_document_unit(a.document, of_parameter ? "parameter" : key);
}

static bool write_value(hid_t group, const char *key, const json_t *v, about a);

hid_t jd_hdf5_new_group(hid_t parent, const char *name) {
    hid_t plan = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_link_creation_order(plan, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    hid_t group = H5Gcreate2(parent, name, H5P_DEFAULT, plan, H5P_DEFAULT);
    H5Pclose(plan);
    return group;
}

static bool write_object(hid_t group, const json_t *object, about a) {
    const char *key;
    json_t *value;
    bool fine = true;
    json_object_foreach((json_t *)object, key, value) {
        fine = fine && write_value(group, key, value, a);
    }
    return fine;
}

// Array of objects: the column of each key that any of them has; null where one lacks it.
static bool write_table(hid_t group, const json_t *rows, about a) {
    const char *key;
    json_t *keys = json_object(), *unused, *row;
    size_t i;
    json_array_foreach(rows, i, row) json_object_update_missing(keys, row);
    bool fine = keys != NULL;
    json_object_foreach(keys, key, unused) {
        json_t *column = json_array();
        json_array_foreach(rows, i, row) {
            json_t *cell = json_object_get(row, key);
            json_array_append_new(column, cell ? json_incref(cell) : json_null());
        }
        fine = fine && column && write_value(group, key, column, a);
        json_decref(column);
    }
    json_decref(keys);
    return fine;
}

static bool write_list(hid_t group, const json_t *list, about a) {
    char number[24];
    size_t i;
    json_t *item;
    bool fine = true;
    json_array_foreach(list, i, item) {
        snprintf(number, sizeof number, "%zu", i);
        fine = fine && write_value(group, number, item, a);
    }
    return fine;
}

static bool all_objects(const json_t *list) {
    size_t i;
    json_t *item;
    json_array_foreach(list, i, item) if (!json_is_object(item)) return false;
    return json_array_size(list) > 0;
}

static bool write_value(hid_t group, const char *key, const json_t *v, about a) {
    char name[256];
    jd_hdf5_link_name(key, name, sizeof name);
    if (!json_is_object(v) && !json_is_array(v)) return set_attribute(group, name, v);
    if (json_is_array(v)) {
        shape sh = shape_of(v);
        const char *unit = sh.kind == LEAF_TEXT ? NULL : unit_of(a, key);
        if (sh.kind != LEAF_BAD) return set_dataset(group, name, v, sh, unit);
    }
    hid_t child = jd_hdf5_new_group(group, name);
    if (child < 0) return false;
    about inner = about_member(a, key);
    // the members "0", "1" ... of a list are what its key is about
    about each = {.si = a.si,
                  .items = inner.record,
                  .unit = json_is_array(v) ? unit_of(a, key) : NULL,
                  .document = a.document};
    bool fine = json_is_object(v) ? write_object(child, v, inner)
                : all_objects(v)  ? write_table(child, v, inner)
                                  : write_list(child, v, each);
    H5Gclose(child);
    return fine;
}

// The group of a list that is written column by column.
typedef struct list_group {
    hid_t group, set; // its, and that of the column under way
    about about;
} list_group;

static bool put_reals(void *user, const char *key, int rank, const size_t *size, size_t first,
                      size_t n, const double *value) {
    list_group *g = user;
    shape sh = {.rank = rank, .kind = LEAF_REAL};
    char name[256];
    for (int r = 0; r < rank; r++) sh.size[r] = size[r];
    jd_hdf5_link_name(key, name, sizeof name);
    if (first == 0) g->set = new_dataset(g->group, name, &sh);
    const char *unit = unit_of(g->about, key);
    bool fine = g->set >= 0 && write_rows(g->set, &sh, first, n, value);
    bool last = !fine || first + n == size[0];
    if (fine && last && unit) fine = jd_hdf5_put_text(g->set, "unit", unit);
    if (last && g->set >= 0) H5Dclose(g->set);
    return fine;
}

static bool put_values(void *user, const char *key, const json_t *column) {
    const list_group *g = user;
    return write_value(g->group, key, column, g->about);
}

static bool write_lists(hid_t file, const jd_origin *origin, about a) {
    const jd_field *f = origin->content ? origin->record->field : NULL;
    bool fine = true;
    for (; f && f->kind != JD_FIELD_END && fine; f++) {
        if (!jd_is_by_column(f, origin->content)) continue;
        list_group g = {jd_hdf5_new_group(file, f->key), -1, about_member(a, f->key)};
        const jd_column_taker to = {&g, put_reals, put_values};
        if (g.group < 0) return false;
        fine = jd_list_columns(f, origin->content, &to);
        H5Gclose(g.group);
    }
    return fine;
}

bool jd_hdf5_put_root(hid_t file, const json_t *document, const jd_origin *origin) {
    json_t *format = json_integer(JD_RESULT_FORMAT);
    const char *units = json_string_value(json_object_get(document, "units"));
    about a = {
        .si = units && strcmp(units, "SI") == 0, .record = origin->record, .document = document};
    bool fine = set_attribute(file, "judder_format", format) &&
                jd_hdf5_put_text(file, "judder_version", jd_version()) &&
                jd_hdf5_put_text(file, "command", origin->command) &&
                jd_hdf5_put_text(file, "model", origin->model) && write_object(file, document, a) &&
                write_lists(file, origin, a);
    json_decref(format);
    return fine;
}

// Of the thread that has taken HDF5. Where HDF5 is built for threads, each has its own way to
// print.
static int depth;
static H5E_auto2_t print;
static void *print_data;

void jd_hdf5_begin(void) {
    jd_hdf5_take();
    if (depth++ > 0) return;
    H5Eget_auto2(H5E_DEFAULT, &print, &print_data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void jd_hdf5_end(void) {
    if (--depth == 0) H5Eset_auto2(H5E_DEFAULT, print, print_data);
    jd_hdf5_give();
}
