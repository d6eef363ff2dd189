// restart.c -- takes up a run where a result file ends.
#include <errno.h>
#include <string.h>

#include <hdf5.h>

#include "base/arena.h"
#include "result/hdf5_tree.h"
#include "result/run.h"

enum { MOST_BYTES = 1 << 30 };

static jd_status no_state(jd_context *context, const char *path) {
    jd_fail(context, JD_BAD_RESULT_FILE, "`%s` holds no state to go on from", path);
    jd_fail_hint(context, "`judder run MODEL.yaml -o FILE.h5` writes one");
    return JD_BAD_RESULT_FILE;
}

static jd_status read_bytes(jd_arena *arena, hid_t set, const char *path, void **out,
                            size_t *size) {
    hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    hssize_t n = H5Sget_simple_extent_npoints(space);
    bool fine = n > 0 && n < MOST_BYTES && H5Tget_class(type) == H5T_INTEGER;
    H5Tclose(type);
    H5Sclose(space);
    if (!fine) return no_state(jd_arena_context(arena), path);
    *size = (size_t)n;
    *out = jd_arena_take(arena, *size, 1);
    JD_TRY(jd_arena_status(arena));
    return H5Dread(set, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, *out) >= 0
               ? JD_OK
               : no_state(jd_arena_context(arena), path);
}

static jd_status read_state(jd_arena *arena, const char *path, void **out, size_t *size) {
    jd_hdf5_silence before = jd_hdf5_hush();
    jd_status status = JD_BAD_RESULT_FILE;
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t set = file >= 0 ? H5Dopen2(file, JD_STATE_NAME, H5P_DEFAULT) : -1;
    status = set >= 0 ? read_bytes(arena, set, path, out, size)
                      : no_state(jd_arena_context(arena), path);
    if (set >= 0) H5Dclose(set);
    if (file >= 0) H5Fclose(file);
    jd_hdf5_unhush(before);
    return status;
}

jd_status jd_run_restart(jd_run *run, jd_arena *arena, const char *path) {
    jd_context *context = jd_arena_context(arena);
    json_t *info = NULL;
    JD_TRY(jd_hdf5_info(context, path, &info)); // says what is wrong with a file that is none
    json_decref(info);
    void *block;
    size_t size;
    JD_TRY(read_state(arena, path, &block, &size));
    jd_status status = jd_run_state_load(run, block, size);
    if (status != JD_OK) jd_fail_where(context, "%s", path);
    return status;
}
