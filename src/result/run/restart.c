// restart.c -- takes up a run where a result file ends.
#include "base/arena.h"
#include "engine/engine.h"
#include "problem/parts.h"
#include "result/file/hdf5_tree.h"
#include "result/run/run.h"

enum { MOST_BYTES = 1 << 30 };

static jd_status no_state(jd_context *context, const char *path) {
    jd_fail(context, JD_BAD_RESULT_FILE, "`%s` holds no state to go on from", path);
    jd_fail_hint(context, "`judder run MODEL.yaml -o FILE.h5` writes one");
    return JD_BAD_RESULT_FILE;
}

typedef struct block {
    jd_arena *arena;
    void *bytes;
    size_t size;
} block;

static jd_status read_bytes(const jd_hdf5_source *source, hid_t set, block *b) {
    hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    hssize_t n = H5Sget_simple_extent_npoints(space);
    bool fine = n > 0 && n < MOST_BYTES && (uint64_t)n <= source->length &&
                H5Tget_class(type) == H5T_INTEGER && H5Tget_size(type) == 1 &&
                jd_hdf5_is_plain(set);
    if (type >= 0) H5Tclose(type);
    if (space >= 0) H5Sclose(space);
    if (!fine) return no_state(source->context, source->path);
    b->size = (size_t)n;
    b->bytes = jd_arena_take(b->arena, b->size, 1);
    JD_TRY(jd_arena_status(b->arena));
    return H5Dread(set, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, b->bytes) >= 0
               ? JD_OK
               : jd_hdf5_damaged(source, JD_STATE_NAME);
}

static jd_status read_state(const jd_hdf5_source *source, json_t *head, void *user) {
    (void)head;
    hid_t set = jd_hdf5_open(source->file, JD_STATE_NAME);
    jd_status s = set >= 0 && H5Iget_type(set) == H5I_DATASET
                      ? read_bytes(source, set, user)
                      : no_state(source->context, source->path);
    if (set >= 0) H5Oclose(set);
    return s;
}

jd_status jd_run_restart(jd_run *run, jd_arena *arena, const char *path) {
    jd_context *context = jd_arena_context(arena);
    json_t *head = NULL;
    block b = {.arena = arena};
    jd_status status = jd_hdf5_visit(context, path, read_state, &b, &head);
    if (status == JD_CANNOT_READ) {
        const jd_object *start = jd_problem_start(run->problem);
        jd_fail_where(context, "%s", start->type == &jd_start_restart ? "start.file" : path);
        jd_fail_hint(context, "`judder run MODEL.yaml -o FILE.h5` writes a file to go on from");
    }
    if (status != JD_OK) return status;
    json_decref(head);
    status = jd_run_state_load(run, b.bytes, b.size);
    if (status != JD_OK) jd_fail_where(context, "%s", path);
    return status;
}

jd_status jd_run_resume(jd_context *context, jd_run *run, const char *file) {
    jd_arena *arena = jd_arena_create(context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_status status = jd_run_restart(run, arena, file);
    jd_arena_free(arena);
    return status;
}
