// matlab_fuzz.c -- MATLAB files, version 5 and 7.3: hostile files are read as entries within a
// matrix, or refused by name. libmatio reads files: the input is one.
#include "fuzz.h"

#include "fuzz_matrix.h"
#include "structure/matrices/formats/format.h"

const char *const fuzz_words[] = {"\x0e\x01\x01\x01",
                                  "\x7f\xff\xff\xff",
                                  "\xff\xff\xff\x7f",
                                  "\x05",
                                  "\x06",
                                  "\x09",
                                  "\x0f",
                                  "\x01",
                                  "K",
                                  "KAAX",
                                  "MATLAB 5.0",
                                  "IM",
                                  "MI",
                                  NULL};

static jd_status read_matlab(jd_arena *arena, const char *path) {
    jd_scan s;
    jd_matrix_list m = {.path = path};
    JD_TRY(jd_scan_open(arena, path, 1 << 20, JD_BROKEN_MATRIX, &s));
    if (!jd_matrix_is_matlab(&s)) return jd_scan_fail(&s, JD_BROKEN_MATRIX, "no MATLAB file");
    JD_TRY(jd_matrix_read_matlab(arena, &s, fuzz_name((size_t)(s.end - s.text)), &m));
    fuzz_check_matrix(arena, &m);
    return JD_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static fuzz_file file;
    fuzz_bytes = NULL;
    fuzz_file_write(&file, data, size);
    jd_context *context = jd_context_create(NULL);
    jd_arena *arena = jd_arena_create(context);
    jd_status s = read_matlab(arena, file.path);
    demand_named(context, s);
    demand(s == JD_OK || jd_context_error(context)->where[0], "a failure without a place");
    fuzz_taken += s == JD_OK;
    jd_arena_free(arena);
    jd_context_free(context);
    return 0;
}
