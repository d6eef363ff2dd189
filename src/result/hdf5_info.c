// hdf5_info.c -- what a result file is and holds, without reading its numbers.
#include <errno.h>
#include <string.h>

#include "base/fail.h"
#include "result/hdf5_tree.h"

enum { MAX_RANK = 32, MAX_DEPTH = 32, NAME_SIZE = 1024, MAX_ENTRIES = 100000 };

static json_t *read_text(hid_t attribute, hid_t type) {
    char *text = NULL;
    json_t *out = NULL;
    hid_t memory = H5Tcopy(H5T_C_S1);
    H5Tset_size(memory, H5T_VARIABLE);
    H5Tset_cset(memory, H5Tget_cset(type));
    if (H5Tis_variable_str(type) > 0 && H5Aread(attribute, memory, &text) >= 0 && text) {
        out = jd_json_text(text);
        H5free_memory(text);
    }
    H5Tclose(memory);
    return out;
}

json_t *jd_hdf5_attribute(hid_t object, const char *name) {
    if (H5Aexists(object, name) <= 0) return NULL;
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0) return NULL;
    hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    json_t *out = NULL;
    long long integer = 0;
    double real = 0;
    signed char truth = 0;
    if (H5Sget_simple_extent_npoints(space) == 1) {
        H5T_class_t kind = H5Tget_class(type);
        if (kind == H5T_STRING) out = read_text(attribute, type);
        if (kind == H5T_INTEGER && H5Aread(attribute, H5T_NATIVE_LLONG, &integer) >= 0)
            out = json_integer(integer);
        if (kind == H5T_FLOAT && H5Aread(attribute, H5T_NATIVE_DOUBLE, &real) >= 0)
            out = jd_json_real(real);
        if (kind == H5T_ENUM && H5Tget_size(type) == 1 && H5Aread(attribute, type, &truth) >= 0)
            out = json_boolean(truth);
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return out;
}

static void add_dataset(hid_t set, const char *path, json_t *contents) {
    hsize_t size[MAX_RANK];
    hid_t space = H5Dget_space(set);
    int rank = H5Sget_simple_extent_dims(space, size, NULL);
    json_t *shape = json_array(), *entry = json_object(), *unit = jd_hdf5_attribute(set, "unit");
    for (int r = 0; r < rank; r++) json_array_append_new(shape, json_integer((json_int_t)size[r]));
    json_object_set_new(entry, "path", json_string(path));
    json_object_set_new(entry, "shape", shape);
    if (unit) json_object_set_new(entry, "unit", unit);
    json_array_append_new(contents, entry);
    H5Sclose(space);
}

static void add_group(hid_t group, const char *path, json_t *contents, int depth, int *visited) {
    H5G_info_t info;
    if (depth > MAX_DEPTH || H5Gget_info(group, &info) < 0) return;
    H5_index_t order = H5_INDEX_CRT_ORDER;
    char name[NAME_SIZE / 2], full[NAME_SIZE];
    for (hsize_t i = 0; i < info.nlinks; i++) {
        if (H5Lget_name_by_idx(group, ".", order, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT) <
            0) {
            if (i > 0 || order == H5_INDEX_NAME) return;
            order = H5_INDEX_NAME; // a file that did not keep the order
            i--;
            continue;
        }
        if (snprintf(full, sizeof full, "%s/%s", path, name) >= (int)sizeof full) continue;
        if (++*visited > MAX_ENTRIES) return; // a group may contain itself in a file made to hurt
        hid_t object = H5Oopen(group, name, H5P_DEFAULT);
        if (object < 0) continue;
        if (H5Iget_type(object) == H5I_DATASET) add_dataset(object, full, contents);
        if (H5Iget_type(object) == H5I_GROUP) add_group(object, full, contents, depth + 1, visited);
        H5Oclose(object);
    }
}

static json_t *read_head(hid_t file) {
    static const char *const keys[] = {"kind",          "title",   "units", "judder_version",
                                       "judder_format", "command", "model"};
    json_t *out = json_object();
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        json_t *value = jd_hdf5_attribute(file, keys[i]);
        if (value) json_object_set_new(out, keys[i], value);
    }
    return out;
}

static jd_status bad(jd_context *context, const char *path) {
    jd_status s = jd_fail(context, JD_BAD_RESULT_FILE,
                          "`%s` is not a result file of Judder, or is damaged", path);
    jd_fail_hint(context, "result files are what `-o FILE.h5` writes");
    return s;
}

static jd_status check_head(jd_context *context, const char *path, hid_t file, json_t **head) {
    *head = read_head(file);
    json_t *format = json_object_get(*head, "judder_format");
    if (!json_is_integer(format)) return bad(context, path);
    if (json_integer_value(format) == JD_RESULT_FORMAT) return JD_OK;
    return jd_fail(context, JD_WRONG_VERSION, "`%s` has result format %d; this Judder reads %d",
                   path, (int)json_integer_value(format), JD_RESULT_FORMAT);
}

static jd_status check_readable(jd_context *context, const char *path) {
    errno = 0;
    FILE *there = fopen(path, "rb");
    char byte;
    jd_status s = JD_OK;
    if (!there || (fread(&byte, 1, 1, there) != 1 && ferror(there)))
        s = jd_fail(context, JD_CANNOT_READ, "cannot read `%s`: %s", path, strerror(errno));
    if (there) fclose(there);
    return s;
}

jd_status jd_hdf5_visit(jd_context *context, const char *path, jd_hdf5_visitor visit,
                        json_t **out) {
    *out = NULL;
    JD_TRY(check_readable(context, path));
    jd_hdf5_silence before = jd_hdf5_hush();
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    json_t *head = NULL;
    jd_status s = file < 0 ? bad(context, path) : check_head(context, path, file, &head);
    if (s == JD_OK) s = visit(context, path, file, head);
    if (s == JD_OK) *out = json_incref(head);
    json_decref(head);
    if (file >= 0) H5Fclose(file);
    jd_hdf5_unhush(before);
    return s;
}

static jd_status add_contents(jd_context *context, const char *path, hid_t file, json_t *head) {
    (void)context, (void)path;
    json_t *contents = json_array();
    int visited = 0;
    add_group(file, "", contents, 0, &visited);
    json_object_set_new(head, "contents", contents);
    return JD_OK;
}

jd_status jd_hdf5_info(jd_context *context, const char *path, json_t **out) {
    return jd_hdf5_visit(context, path, add_contents, out);
}
