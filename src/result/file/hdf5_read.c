// hdf5_read.c -- a result file back as a document: the rules of hdf5.c the other way round.
//   group -> object, attribute -> member, dataset -> array (NaN is null). A table stays a group of
//   columns, and a list a group with members "0", "1", ...: what was what cannot be told apart.
//   A file may be made to hurt: before memory is taken for them, values are counted against the
//   length of the file, and whatever Judder does not write is refused by its place.
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "result/file/hdf5_disk.h"
#include "result/file/hdf5_tree.h"

enum { MAX_RANK = 8, MAX_DEPTH = 16, MAX_OBJECTS = 100000, MAX_VALUES = 50000000 };
enum { NAME = 256, PLACE = 1024 };

typedef struct reader {
    const jd_hdf5_source *source;
    long objects, values; // so far
    char place[PLACE];    // what is being read: "/samples/t"
} reader;

typedef struct block {
    int rank;
    hsize_t size[MAX_RANK];
    H5T_class_t kind;
    bool variable;       // texts: pointers
    size_t width, texts; // bytes of one value; of one fixed text
    hid_t memory;        // type of `value`
    char *value;
} block;

static jd_status damaged(const reader *r) { return jd_hdf5_damaged(r->source, r->place); }

static jd_status too_much(const reader *r) {
    jd_context *context = r->source->context;
    jd_fail(context, JD_FILE_TOO_LARGE, "`%s` holds more than %d numbers", r->source->path,
            (int)MAX_VALUES);
    jd_fail_hint(context, "read it with h5py: docs/guide/results.md shows how");
    return JD_FILE_TOO_LARGE;
}

static jd_status no_memory(const reader *r) {
    return jd_fail(r->source->context, JD_OUT_OF_MEMORY, "not enough memory to read `%s`",
                   r->source->path);
}

static json_t *value_at(const block *b, const char *at) {
    if (b->kind == H5T_STRING && b->variable) {
        const char *text;
        memcpy(&text, at, sizeof text);
        return jd_json_text(text ? text : "");
    }
    if (b->kind == H5T_STRING) {
        char text[256] = {0};
        memcpy(text, at, b->texts < sizeof text ? b->texts : sizeof text - 1);
        return jd_json_text(text);
    }
    if (b->kind == H5T_ENUM) return json_boolean(*at != 0);
    if (b->kind == H5T_INTEGER) {
        long long value;
        memcpy(&value, at, sizeof value);
        return json_integer(value);
    }
    double value;
    memcpy(&value, at, sizeof value);
    return jd_json_real(value);
}

static json_t *array_of(const block *b, int level, const char **at) {
    if (level == b->rank) {
        json_t *one = value_at(b, *at);
        *at += b->width;
        return one;
    }
    json_t *list = json_array();
    for (hsize_t i = 0; list && i < b->size[level]; i++)
        if (json_array_append_new(list, array_of(b, level + 1, at)) != 0) { // no memory
            json_decref(list);
            return NULL;
        }
    return list;
}

// Type in memory and bytes of a value; false for kinds that are no numbers, texts or booleans.
static bool choose_memory(block *b, hid_t type) {
    b->kind = H5Tget_class(type);
    if (b->kind == H5T_INTEGER && H5Tget_size(type) == 1) return false; // bytes
    b->width = 8;
    b->memory = H5Tcopy(b->kind == H5T_INTEGER ? H5T_NATIVE_LLONG : H5T_NATIVE_DOUBLE);
    if (b->kind == H5T_FLOAT || b->kind == H5T_INTEGER) return true;
    H5Tclose(b->memory);
    b->memory = H5Tcopy(type);
    b->width = b->texts = H5Tget_size(type);
    b->variable = b->kind == H5T_STRING && H5Tis_variable_str(type) > 0;
    if (b->width == 0) return false;
    return b->kind == H5T_STRING || (b->kind == H5T_ENUM && b->width == 1);
}

// A cell of several doubles, such as a field along a rod, is one more dimension of numbers.
static bool choose_array(block *b, hid_t type) {
    hsize_t width;
    hid_t inner = H5Tget_super(type);
    bool fits = inner >= 0 && b->rank < MAX_RANK && H5Tget_array_ndims(type) == 1 &&
                H5Tget_class(inner) == H5T_FLOAT && H5Tget_array_dims2(type, &width) == 1;
    if (inner >= 0) H5Tclose(inner);
    if (!fits) return false;
    b->kind = H5T_FLOAT;
    b->width = 8;
    b->size[b->rank++] = width;
    b->memory = H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &width);
    return b->memory >= 0;
}

// Sizes and kind of a dataset; *bytes: it holds those of a state to go on from, which are no
// numbers.
static bool describe(block *b, hid_t space, hid_t type, bool *bytes) {
    *bytes = H5Tget_class(type) == H5T_INTEGER && H5Tget_size(type) == 1;
    int rank = H5Sget_simple_extent_ndims(space);
    if (rank < 0 || rank > MAX_RANK || *bytes) return false;
    b->rank = H5Sget_simple_extent_dims(space, b->size, NULL);
    if (H5Sget_simple_extent_type(space) == H5S_NULL || b->rank != rank) return false;
    return H5Tget_class(type) == H5T_ARRAY ? choose_array(b, type) : choose_memory(b, type);
}

// How many values, and as JSON how many lists: both within what one file may hold, the values
// within its length at one byte each or more.
static jd_status count_values(reader *r, const block *b, size_t least, size_t *count) {
    long lists = 1, n = 1;
    for (int level = 0; level < b->rank; level++) {
        if (b->size[level] > MAX_VALUES) return too_much(r);
        n *= (long)b->size[level]; // both factors are below 2^26
        if (n > MAX_VALUES) return too_much(r);
        if (level + 1 < b->rank) lists += n;
    }
    if ((uint64_t)n > r->source->length / least) return damaged(r);
    r->values += n;
    r->objects += n == 0 ? lists : 0; // lists of nothing take no room in the file
    if (r->values > MAX_VALUES || r->objects > MAX_OBJECTS) return too_much(r);
    *count = (size_t)n;
    return JD_OK;
}

// Texts are where the values point to: several may share one, and all become copies. HDF5 asks here
// for the room of each: what they take is counted against the file's length before it is taken.
typedef struct text {
    struct text *next;
    char value[];
} text;

typedef struct texts {
    text *last;
    uint64_t room; // bytes still to give out
    bool starved;  // there was room, but no memory
} texts;

static void *take_text(size_t size, void *user) {
    texts *t = user;
    if (size > t->room) return NULL;
    text *one = malloc(sizeof *one + size);
    t->starved = !one;
    if (!one) return NULL;
    *one = (text){t->last};
    t->last = one;
    t->room -= size;
    return one->value;
}

// Nothing goes back before all of it does, in give_back.
static void keep_text(void *value, void *user) { (void)value, (void)user; }

static void give_back(texts *t) {
    for (text *one = t->last, *next; one; one = next) {
        next = one->next;
        free(one);
    }
}

// The small buffer is for the time: HDF5 clears the one it takes unasked, 1 MB, for each dataset.
static jd_status read_texts(reader *r, hid_t set, const block *b, texts *t) {
    enum { BUFFER = 1 << 14 };
    hid_t plan = H5Pcreate(H5P_DATASET_XFER);
    *t = (texts){.room = 4 * r->source->length};
    bool fine = plan >= 0 && H5Pset_vlen_mem_manager(plan, take_text, t, keep_text, t) >= 0 &&
                H5Pset_buffer(plan, BUFFER, NULL, NULL) >= 0;
    bool read = fine && H5Dread(set, b->memory, H5S_ALL, H5S_ALL, plan, b->value) >= 0;
    if (plan >= 0) H5Pclose(plan);
    return read ? JD_OK : !fine || t->starved ? no_memory(r) : damaged(r);
}

static jd_status read_values(reader *r, hid_t set, block *b, json_t **out) {
    size_t count = 0, least = b->kind == H5T_STRING && !b->variable ? b->width
                              : b->kind == H5T_ENUM                 ? 1
                                                                    : 2;
    JD_TRY(count_values(r, b, least, &count));
    b->value = calloc(count ? count : 1, b->width);
    if (!b->value || jd_room(r->source->context, JD_HDF5_PIECE) != JD_OK) {
        free(b->value);
        return no_memory(r);
    }
    jd_status s = JD_OK;
    texts all = {0};
    if (count > 0 && b->variable)
        s = read_texts(r, set, b, &all);
    else if (count > 0 && H5Dread(set, b->memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, b->value) < 0)
        s = damaged(r);
    const char *at = b->value;
    *out = s == JD_OK ? array_of(b, 0, &at) : NULL;
    give_back(&all);
    free(b->value);
    return s == JD_OK && !*out ? no_memory(r) : s;
}

static jd_status read_dataset(reader *r, hid_t set, json_t **out) {
    block b = {0};
    bool bytes = false;
    hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    jd_status s =
        space >= 0 && type >= 0 && describe(&b, space, type, &bytes) && jd_hdf5_is_plain(set)
            ? read_values(r, set, &b, out)
        : bytes ? JD_OK
                : damaged(r);
    if (b.memory > 0) H5Tclose(b.memory);
    if (type >= 0) H5Tclose(type);
    if (space >= 0) H5Sclose(space);
    return s;
}

static jd_status read_group(reader *r, hid_t group, json_t *out, int depth);

static jd_status read_object(reader *r, hid_t object, int depth, json_t **out) {
    H5I_type_t kind = object < 0 ? H5I_BADID : H5Iget_type(object);
    if (kind == H5I_DATASET) return read_dataset(r, object, out);
    if (kind != H5I_GROUP || depth >= MAX_DEPTH) return damaged(r);
    *out = json_object();
    return *out ? read_group(r, object, *out, depth + 1) : no_memory(r);
}

static jd_status read_member(reader *r, hid_t group, const char *name, json_t *out, int depth) {
    json_t *value = NULL;
    if (++r->objects > MAX_OBJECTS) return too_much(r);
    size_t length = strlen(r->place), n = strlen(name);
    if (n == 0 || length + n + 2 > sizeof r->place) return damaged(r);
    char key[NAME];
    snprintf(key, sizeof key, "%s", name);
    jd_hdf5_key(key);
    r->place[length] = '/';
    memcpy(r->place + length + 1, name, n + 1);
    hid_t object = jd_hdf5_open(group, name);
    jd_status s = read_object(r, object, depth, &value);
    if (object >= 0) H5Oclose(object);
    if (s != JD_OK)
        json_decref(value);
    else if (value && json_object_set_new(out, key, value) != 0)
        s = damaged(r); // a name that is no text
    r->place[length] = '\0';
    return s;
}

static jd_status read_members(reader *r, hid_t group, json_t *out, int depth) {
    H5G_info_t info;
    char name[NAME];
    if (H5Gget_info(group, &info) < 0) return damaged(r);
    H5_index_t order = H5_INDEX_CRT_ORDER; // as written; by name where a file did not keep that
    if (info.nlinks > 0 &&
        H5Lget_name_by_idx(group, ".", order, H5_ITER_INC, 0, name, sizeof name, H5P_DEFAULT) < 0)
        order = H5_INDEX_NAME;
    for (hsize_t i = 0; i < info.nlinks; i++) {
        ssize_t n =
            H5Lget_name_by_idx(group, ".", order, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT);
        if (n < 0 || n >= (ssize_t)sizeof name) return damaged(r);
        JD_TRY(read_member(r, group, name, out, depth));
    }
    return JD_OK;
}

static jd_status read_group(reader *r, hid_t group, json_t *out, int depth) {
    char name[NAME];
    for (hsize_t i = 0;; i++) {
        ssize_t n = H5Aget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name,
                                       H5P_DEFAULT);
        if (n < 0) break; // that was the last one
        if (++r->objects > MAX_OBJECTS) return too_much(r);
        JD_TRY(jd_room(r->source->context, JD_HDF5_PIECE));
        json_t *value = jd_hdf5_attribute(group, name);
        jd_hdf5_key(name);
        if (value && json_object_set_new(out, name, value) != 0) return damaged(r);
    }
    return read_members(r, group, out, depth);
}

static jd_status read_root(const jd_hdf5_source *source, json_t *head, void *user) {
    (void)user;
    reader r = {.source = source};
    return read_group(&r, source->file, head, 0);
}

jd_status jd_hdf5_read(jd_context *context, const char *path, json_t **out) {
    return jd_hdf5_visit(context, path, read_root, NULL, out);
}

jd_status jd_hdf5_read_all(jd_context *context, int n, const char *const *path, jd_hdf5_taker take,
                           void *user) {
    return jd_hdf5_visit_all(context, n, path, read_root, take, user);
}
