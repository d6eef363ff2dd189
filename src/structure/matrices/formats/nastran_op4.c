// nastran_op4.c -- heads and strings of Nastran's OUTPUT4 files.
#include "structure/matrices/formats/nastran_op4.h"

jd_status jd_op4_check(jd_context *context, const char *path, long place, const jd_op4_head *h) {
    static const char *const forms[] = {"unknown", "square",    "rectangular",  "diagonal", "lower",
                                        "upper",   "symmetric", "a row vector", "identity"};
    jd_status status = JD_OK;
    if (h->type != 1 && h->type != 2) {
        status = jd_fail(context, JD_NOT_SUPPORTED,
                         "the OUTPUT4 matrix `%s` has the type %ld%s, but must be real", h->name,
                         h->type, h->type == 3 || h->type == 4 ? " (complex)" : "");
        jd_fail_hint(context, "types 1 and 2 (real) are read");
    } else if (h->form != 1 && h->form != 2 && h->form != 6) {
        status =
            jd_fail(context, JD_NOT_SUPPORTED,
                    "the OUTPUT4 matrix `%s` has the form %ld (%s), which is not read", h->name,
                    h->form, h->form >= 1 && h->form <= 8 ? forms[h->form] : forms[0]);
        jd_fail_hint(context, "forms 1 (square), 2 with as many rows as columns and 6 (symmetric) "
                              "are read");
    } else if (h->rows != h->columns) {
        status = jd_fail(context, JD_SIZE_MISMATCH,
                         "the matrix `%s` is not square: %ld rows, %ld columns", h->name, h->rows,
                         h->columns);
    } else if (h->rows < 1 || h->rows > JD_MATRIX_ROWS_MOST) {
        status = jd_fail(context, JD_BROKEN_MATRIX,
                         "the matrix `%s` has %ld rows, allowed are 1 "
                         "to %d",
                         h->name, h->rows, JD_MATRIX_ROWS_MOST);
    }
    if (status != JD_OK) jd_fail_where(context, "%s:%ld", path, place);
    return status;
}

void jd_op4_string(long is, long *words, long *row) {
    *words = is / 65536 - 1;
    *row = is - 65536 * (*words + 1);
}
