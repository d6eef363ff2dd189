// hdf5_info.c -- what a result file is and holds, without reading its numbers.
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "result/file/hdf5_disk.h"
#include "result/file/hdf5_fence.h"
#include "result/file/hdf5_tree.h"
#include "result/file/seal.h"

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
    if (type >= 0 && space >= 0 && H5Sget_simple_extent_npoints(space) == 1) {
        H5T_class_t kind = H5Tget_class(type);
        if (kind == H5T_STRING) out = read_text(attribute, type);
        if (kind == H5T_INTEGER && H5Aread(attribute, H5T_NATIVE_LLONG, &integer) >= 0)
            out = json_integer(integer);
        if (kind == H5T_FLOAT && H5Aread(attribute, H5T_NATIVE_DOUBLE, &real) >= 0)
            out = jd_json_real(real);
        if (kind == H5T_ENUM && H5Tget_size(type) == 1 && H5Aread(attribute, type, &truth) >= 0)
            out = json_boolean(truth);
    }
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    H5Aclose(attribute);
    return out;
}

jd_status jd_hdf5_damaged(const jd_hdf5_source *source, const char *place) {
    jd_status s = jd_fail(source->context, JD_BAD_RESULT_FILE,
                          "`%s` is damaged: `%s` in it cannot be read", source->path, place);
    jd_fail_hint(source->context,
                 "was there enough memory? Else run the command that made it once more");
    return s;
}

static jd_status no_memory(const jd_hdf5_source *source) {
    return jd_fail(source->context, JD_OUT_OF_MEMORY, "not enough memory to read `%s`",
                   source->path);
}

hid_t jd_hdf5_open(hid_t group, const char *name) {
    H5L_info_t link;
    if (H5Lget_info(group, name, &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD) return -1;
    return H5Oopen(group, name, H5P_DEFAULT);
}

bool jd_hdf5_is_plain(hid_t set) {
    hid_t plan = H5Dget_create_plist(set);
    if (plan < 0) return false;
    H5D_layout_t layout = H5Pget_layout(plan);
    bool plain = (layout == H5D_COMPACT || layout == H5D_CONTIGUOUS || layout == H5D_CHUNKED) &&
                 H5Pget_external_count(plan) == 0 && H5Pget_nfilters(plan) == 0;
    H5Pclose(plan);
    return plain;
}

typedef struct listing {
    const jd_hdf5_source *source;
    json_t *contents;
    int visited;
} listing;

static jd_status add_dataset(listing *l, hid_t set, const char *path) {
    hsize_t size[MAX_RANK];
    hid_t space = H5Dget_space(set);
    int rank = H5Sget_simple_extent_ndims(space);
    if (rank >= 0 && rank <= MAX_RANK) rank = H5Sget_simple_extent_dims(space, size, NULL);
    if (space >= 0) H5Sclose(space);
    if (rank < 0 || rank > MAX_RANK) return jd_hdf5_damaged(l->source, path);
    json_t *shape = json_array(), *entry = json_object(), *unit = jd_hdf5_attribute(set, "unit");
    for (int r = 0; r < rank; r++) json_array_append_new(shape, json_integer((json_int_t)size[r]));
    bool whole = json_array_size(shape) == (size_t)rank;
    json_object_set_new(entry, "path", jd_json_text(path));
    json_object_set_new(entry, "shape", shape);
    if (unit) json_object_set_new(entry, "unit", unit);
    whole = whole && json_object_size(entry) == (unit ? 3 : 2);
    return json_array_append_new(l->contents, entry) == 0 && whole ? JD_OK : no_memory(l->source);
}

static jd_status add_group(listing *l, hid_t group, const char *path, int depth);

static jd_status add_member(listing *l, hid_t group, const char *name, const char *path,
                            int depth) {
    hid_t object = jd_hdf5_open(group, name);
    H5I_type_t kind = object < 0 ? H5I_BADID : H5Iget_type(object);
    jd_status s = kind == H5I_DATASET ? add_dataset(l, object, path)
                  : kind == H5I_GROUP ? add_group(l, object, path, depth + 1)
                                      : jd_hdf5_damaged(l->source, path);
    if (object >= 0) H5Oclose(object);
    return s;
}

static jd_status add_group(listing *l, hid_t group, const char *path, int depth) {
    H5G_info_t info;
    if (depth > MAX_DEPTH || H5Gget_info(group, &info) < 0) return jd_hdf5_damaged(l->source, path);
    H5_index_t order = H5_INDEX_CRT_ORDER;
    char name[NAME_SIZE / 2], full[NAME_SIZE];
    for (hsize_t i = 0; i < info.nlinks; i++) {
        ssize_t n =
            H5Lget_name_by_idx(group, ".", order, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT);
        if (n < 0 && i == 0 && order == H5_INDEX_CRT_ORDER) {
            order = H5_INDEX_NAME; // a file that did not keep the order
            i--;
            continue;
        }
        // A group may contain itself in a file made to hurt.
        if (n <= 0 || n >= (ssize_t)sizeof name || ++l->visited > MAX_ENTRIES ||
            snprintf(full, sizeof full, "%s/%s", path, name) >= (int)sizeof full)
            return jd_hdf5_damaged(l->source, path);
        JD_TRY(add_member(l, group, name, full, depth));
    }
    return JD_OK;
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

static jd_status check_head(const jd_hdf5_source *f, json_t **head) {
    *head = read_head(f->file);
    json_t *format = json_object_get(*head, "judder_format");
    if (!json_is_integer(format) || !json_is_string(json_object_get(*head, "kind"))) {
        jd_fail(f->context, JD_BAD_RESULT_FILE,
                "`%s` is not a result file of Judder, or is damaged", f->path);
        jd_fail_hint(f->context, "result files are what `-o FILE.h5` writes");
        return JD_BAD_RESULT_FILE;
    }
    if (json_integer_value(format) == JD_RESULT_FORMAT) return JD_OK;
    return jd_fail(f->context, JD_WRONG_VERSION,
                   "`%s` has result format %" JSON_INTEGER_FORMAT "; this Judder reads %d", f->path,
                   json_integer_value(format), JD_RESULT_FORMAT);
}

static jd_status visit_sealed(jd_hdf5_source *f, jd_disk *disk, jd_hdf5_visitor visit, void *user,
                              json_t **out) {
    json_t *head = NULL;
    disk->length = f->length;
    f->file = jd_disk_open(disk);
    jd_status s = f->file < 0 ? jd_hdf5_damaged(f, "/") : check_head(f, &head);
    if (s == JD_OK) s = visit(f, head, user);
    if (s == JD_OK) *out = json_incref(head);
    json_decref(head);
    if (f->file >= 0) H5Fclose(f->file);
    jd_disk_done(disk);
    return s;
}

typedef struct visit_call {
    jd_hdf5_source *source;
    jd_disk *disk;
    jd_hdf5_visitor visit;
    void *user;
} visit_call;

static void try_visit(void *user) {
    visit_call *c = user;
    json_t *document = NULL;
    visit_sealed(c->source, c->disk, c->visit, c->user, &document);
}

static jd_status visit_hushed(jd_hdf5_source *f, jd_disk *disk, jd_hdf5_visitor visit, void *user,
                              json_t **out) {
    visit_call call = {f, disk, visit, user};
    jd_hdf5_begin(); // before the fork, too: no other thread is within HDF5 when the child begins
    jd_status s = jd_fenced(f->context) ? jd_hdf5_rehearse(f, try_visit, &call) : JD_OK;
    if (s == JD_OK) s = visit_sealed(f, disk, visit, user, out);
    jd_hdf5_end();
    return s;
}

// A file whose seal is right.
typedef struct opened {
    jd_hdf5_source source;
    jd_disk disk;
} opened;

static jd_status open_sealed(jd_context *context, const char *path, opened *o) {
    *o = (opened){.source = {.context = context, .path = path, .file = -1}};
    o->disk.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a pipe must not wait
    if (o->disk.fd < 0)
        return jd_fail(context, JD_CANNOT_READ, "cannot read `%s`: %s", path, strerror(errno));
    jd_status s = jd_seal_check(context, path, o->disk.fd, &o->source.length);
    if (s == JD_OK) s = jd_room(context, JD_HDF5_ROOM);
    if (s == JD_OK) s = jd_hdf5_ready(context);
    if (s != JD_OK) close(o->disk.fd);
    return s;
}

jd_status jd_hdf5_visit(jd_context *context, const char *path, jd_hdf5_visitor visit, void *user,
                        json_t **out) {
    opened o;
    *out = NULL;
    JD_TRY(open_sealed(context, path, &o));
    jd_status s = visit_hushed(&o.source, &o.disk, visit, user, out);
    close(o.disk.fd);
    return s;
}

// Files that are rehearsed in one child: a process for each would cost more than reading it.
enum { GROUP = 64 };
typedef struct group {
    int n;
    opened *file;
    jd_hdf5_visitor visit;
} group;

static void try_group(void *user) {
    const group *g = user;
    for (int i = 0; i < g->n; i++) {
        json_t *document = NULL;
        visit_sealed(&g->file[i].source, &g->file[i].disk, g->visit, NULL, &document);
        json_decref(document);
    }
}

// The files of a group are open and stay so: what was rehearsed is what is read. Where the child
// does not come back, each file has its own and is named.
static jd_status visit_group(const group *g, int first, jd_hdf5_taker take, void *user) {
    uint64_t length = 0;
    for (int i = 0; i < g->n; i++) length += g->file[i].source.length;
    jd_hdf5_begin();
    bool fenced = jd_fenced(g->file->source.context);
    bool fine = !fenced || jd_hdf5_comes_back(length, try_group, (void *)g);
    jd_status s = JD_OK;
    for (int i = 0; i < g->n && s == JD_OK; i++) {
        opened *o = &g->file[i];
        json_t *document = NULL;
        s = fine ? visit_sealed(&o->source, &o->disk, g->visit, NULL, &document)
                 : visit_hushed(&o->source, &o->disk, g->visit, NULL, &document);
        if (s == JD_OK) s = take(user, first + i, document);
        json_decref(document);
    }
    jd_hdf5_end();
    return s;
}

jd_status jd_hdf5_visit_all(jd_context *context, int n, const char *const *path,
                            jd_hdf5_visitor visit, jd_hdf5_taker take, void *user) {
    opened file[GROUP];
    jd_status s = JD_OK;
    for (int first = 0; first < n && s == JD_OK; first += GROUP) {
        group g = {.file = file, .visit = visit};
        while (g.n < GROUP && first + g.n < n && s == JD_OK) {
            s = open_sealed(context, path[first + g.n], &file[g.n]);
            g.n += s == JD_OK;
        }
        if (s == JD_OK) s = visit_group(&g, first, take, user);
        for (int i = 0; i < g.n; i++) close(file[i].disk.fd);
    }
    return s;
}

static jd_status add_contents(const jd_hdf5_source *source, json_t *head, void *user) {
    (void)user;
    listing l = {.source = source, .contents = json_array()};
    jd_status s = add_group(&l, source->file, "", 0);
    if (json_object_set_new(head, "contents", l.contents) != 0 && s == JD_OK) s = no_memory(source);
    return s;
}

jd_status jd_hdf5_info(jd_context *context, const char *path, json_t **out) {
    return jd_hdf5_visit(context, path, add_contents, NULL, out);
}
