// op4_fuzz.c -- OUTPUT4 files of Nastran, text and binary: hostile files are read as entries within
// a matrix, or refused by name and place.
#include "fuzz.h"

#include "fuzz_matrix.h"
#include "structure/matrices/formats/format.h"

const char *const fuzz_words[] = {"       2       2       6       2KAAX    1P,3E23.16\n",
                                  "       2      -2       6       2KAAX    1P,3E23.16\n",
                                  "       1       1       2\n",
                                  "       1       0       3\n",
                                  "  196609\n",
                                  "       3       1\n",
                                  "       3       1       1\n",
                                  " 1.0000000000000000E+00",
                                  "-1.0000000000000000E+00\n",
                                  "99999999",
                                  "-9999999",
                                  "1P,5E16.9\n",
                                  "\x18",
                                  "\x7f\xff\xff\xff",
                                  "\xff\xff\xff\x7f",
                                  "\x01\x01\x01\x01",
                                  "KAAX    ",
                                  "\n",
                                  NULL};

static jd_status read_op4(jd_arena *arena, const char *path) {
    jd_scan s;
    jd_matrix_list m = {.path = path};
    JD_TRY(jd_scan_open(arena, path, 1 << 20, JD_BROKEN_MATRIX, &s));
    if (jd_matrix_is_op4_binary(&s))
        JD_TRY(jd_matrix_read_op4_binary(arena, &s, fuzz_name(fuzz_size), &m));
    else if (jd_matrix_is_op4_text(&s))
        JD_TRY(jd_matrix_read_op4_text(arena, &s, fuzz_name(fuzz_size), &m));
    else
        return jd_scan_fail(&s, JD_BROKEN_MATRIX, "no OUTPUT4");
    fuzz_check_matrix(arena, &m);
    return JD_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_read(data, size, read_op4);
    return 0;
}
