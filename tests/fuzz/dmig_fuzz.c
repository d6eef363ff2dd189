// dmig_fuzz.c -- DMIG cards of Nastran: hostile texts are read as entries within a matrix, or
// refused by name and line.
#include "fuzz.h"

#include "fuzz_matrix.h"
#include "structure/matrices/formats/format.h"

const char *const fuzz_words[] = {"DMIG    KAAX           0       6       2       0\n",
                                  "DMIG    KAAX           0       9       2       0       4\n",
                                  "DMIG*   KAAX                           1               2\n",
                                  "*                      1               2 1.000000000E+00\n",
                                  "DMIG,KAAX,0,6,2,0\n",
                                  "DMIG,KAAX,1,2,,3,4,1.5\n",
                                  "+       ",
                                  "*       ",
                                  ",",
                                  "1.5-3",
                                  "1.0D+05",
                                  "-99999999",
                                  "2147483648",
                                  "1e999",
                                  "$ comment\n",
                                  "GRID           1            1.      2.      3.\n",
                                  "        ",
                                  "\r\n",
                                  "\n",
                                  "\t",
                                  NULL};

static jd_status read_cards(jd_arena *arena, const char *path) {
    jd_scan s;
    jd_matrix_list m = {.path = path};
    JD_TRY(jd_scan_open(arena, path, 1 << 20, JD_BROKEN_MATRIX, &s));
    if (!jd_matrix_is_dmig(&s)) return jd_scan_fail(&s, JD_BROKEN_MATRIX, "no DMIG");
    JD_TRY(jd_matrix_read_dmig(arena, &s, fuzz_name(fuzz_size), &m));
    fuzz_check_matrix(arena, &m);
    return JD_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_read(data, size, read_cards);
    return 0;
}
