// matrix_fuzz.c -- matrix files (Matrix Market, lists of FE programs): hostile texts are read whole
// or refused by name and line.
#include "fuzz.h"

#include "fuzz_matrix.h"

const char *const fuzz_words[] = {"%%MatrixMarket matrix coordinate real symmetric\n",
                                  "%%MatrixMarket matrix array real general\n",
                                  "%%MatrixMarket ",
                                  "matrix ",
                                  "array ",
                                  "coordinate ",
                                  "integer ",
                                  "general\n",
                                  "symmetric\n",
                                  "1 1 1\n",
                                  "2 2 3\n",
                                  "20000000 20000000\n",
                                  "2147483647 2147483647 2147483647\n",
                                  "-1 ",
                                  "0 ",
                                  "99999999999999999999 ",
                                  "1e308 ",
                                  "nan ",
                                  "inf ",
                                  "0x1p3 ",
                                  "-2147483648,1,",
                                  "1,1,1,1,1.5\n",
                                  "1 2  0.0000000000000e+00\n",
                                  "2,3,2,3,-4e-3\n",
                                  "** comment\n",
                                  "# comment\n",
                                  "% comment\n",
                                  "\n",
                                  "\r\n",
                                  ",",
                                  ",,",
                                  "\t",
                                  "\xEF\xBB\xBF",
                                  NULL};

static jd_status read_matrix(jd_arena *arena, const char *path) {
    jd_matrix_list m;
    JD_TRY(jd_matrix_read(arena, path, NULL, &m));
    fuzz_check_matrix(arena, &m);
    return JD_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_read(data, size, read_matrix);
    return 0;
}
