// hdf5_read.c -- a result file back as a document: the rules of hdf5.c the other way round.
//   group -> object, attribute -> member, dataset -> array (NaN is null). A table stays a group of
//   columns, and a list a group with members "0", "1", ...: what was what cannot be told apart.
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "result/hdf5_tree.h"

enum { MAX_RANK = 8, MAX_DEPTH = 16, MAX_OBJECTS = 100000, MAX_VALUES = 50000000 };

typedef struct reader {
    long objects, values; // so far: a file may be made to hurt
    bool too_much;
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
    if (b->kind == H5T_ENUM) return json_boolean(*(const signed char *)at);
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
    for (hsize_t i = 0; i < b->size[level]; i++)
        json_array_append_new(list, array_of(b, level + 1, at));
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
    return b->kind == H5T_STRING || (b->kind == H5T_ENUM && b->width == 1);
}

// A cell of several doubles, such as a field along a rod, is one more dimension of numbers.
static bool choose_array(block *b, hid_t type) {
    hsize_t width;
    hid_t inner = H5Tget_super(type);
    bool fits = b->rank < MAX_RANK && H5Tget_array_ndims(type) == 1 &&
                H5Tget_class(inner) == H5T_FLOAT && H5Tget_array_dims2(type, &width) == 1;
    H5Tclose(inner);
    if (!fits) return false;
    b->kind = H5T_FLOAT;
    b->width = 8;
    b->size[b->rank++] = width;
    b->memory = H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &width);
    return true;
}

static json_t *read_values(hid_t set, hid_t space, block *b, size_t count) {
    b->value = calloc(count ? count : 1, b->width);
    if (!b->value) return NULL;
    json_t *out = NULL;
    if (count == 0 || H5Dread(set, b->memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, b->value) >= 0) {
        const char *at = b->value;
        out = array_of(b, 0, &at);
        if (b->variable && count) H5Dvlen_reclaim(b->memory, space, H5P_DEFAULT, b->value);
    }
    free(b->value);
    return out;
}

static json_t *read_dataset(reader *r, hid_t set) {
    block b = {0};
    hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    json_t *out = NULL;
    int rank = H5Sget_simple_extent_ndims(space);
    if (rank >= 0 && rank <= MAX_RANK) {
        b.rank = H5Sget_simple_extent_dims(space, b.size, NULL);
        hssize_t count = H5Sget_simple_extent_npoints(space);
        bool array = H5Tget_class(type) == H5T_ARRAY, known = array && choose_array(&b, type);
        if (known) count *= (hssize_t)b.size[b.rank - 1];
        if (!array) known = choose_memory(&b, type);
        r->values += (long)count;
        r->too_much = r->too_much || r->values > MAX_VALUES;
        if (known && !r->too_much) out = read_values(set, space, &b, (size_t)count);
        if (b.memory > 0) H5Tclose(b.memory);
    }
    H5Tclose(type);
    H5Sclose(space);
    return out;
}

static void read_group(reader *r, hid_t group, json_t *out, int depth);

static json_t *read_object(reader *r, hid_t object, int depth) {
    if (H5Iget_type(object) == H5I_DATASET) return read_dataset(r, object);
    if (H5Iget_type(object) != H5I_GROUP || depth >= MAX_DEPTH) return NULL;
    json_t *child = json_object();
    read_group(r, object, child, depth + 1);
    return child;
}

static void read_members(reader *r, hid_t group, json_t *out, int depth) {
    H5G_info_t info;
    char name[256];
    if (H5Gget_info(group, &info) < 0) return;
    H5_index_t order = H5_INDEX_CRT_ORDER; // as written; by name where a file did not keep that
    if (info.nlinks > 0 &&
        H5Lget_name_by_idx(group, ".", order, H5_ITER_INC, 0, name, sizeof name, H5P_DEFAULT) < 0)
        order = H5_INDEX_NAME;
    for (hsize_t i = 0; i < info.nlinks; i++) {
        r->too_much = r->too_much || ++r->objects > MAX_OBJECTS;
        if (r->too_much || H5Lget_name_by_idx(group, ".", order, H5_ITER_INC, i, name, sizeof name,
                                              H5P_DEFAULT) < 0)
            return;
        hid_t object = H5Oopen(group, name, H5P_DEFAULT);
        json_t *value = object < 0 ? NULL : read_object(r, object, depth);
        if (value) json_object_set_new(out, name, value);
        if (object >= 0) H5Oclose(object);
    }
}

static void read_group(reader *r, hid_t group, json_t *out, int depth) {
    char name[256];
    hsize_t i = 0;
    while (H5Aget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i++, name, sizeof name,
                              H5P_DEFAULT) >= 0) {
        json_t *value = jd_hdf5_attribute(group, name);
        if (value) json_object_set_new(out, name, value);
    }
    read_members(r, group, out, depth);
}

static jd_status read_root(jd_context *context, const char *path, hid_t file, json_t *head) {
    reader r = {0};
    read_group(&r, file, head, 0);
    if (!r.too_much) return JD_OK;
    jd_fail(context, JD_FILE_TOO_LARGE, "`%s` holds more than %d numbers", path, (int)MAX_VALUES);
    jd_fail_hint(context, "read it with h5py: docs/guide/results.md shows how");
    return JD_FILE_TOO_LARGE;
}

jd_status jd_hdf5_read(jd_context *context, const char *path, json_t **out) {
    return jd_hdf5_visit(context, path, read_root, out);
}
