// matrix_check.c -- a sparse matrix in the caller's memory: sizes, order of `start`, indices,
// numbers.
#include <limits.h>
#include <math.h>

#include "base/param_tools.h"

static const int64_t largest = 20000000; // rows

int64_t jd_matrix_number(const jd_matrix *m, const void *list, int64_t i) {
    return m->wide ? ((const int64_t *)list)[i] : ((const int32_t *)list)[i];
}

int64_t jd_matrix_entries(const jd_matrix *m) { return jd_matrix_number(m, m->start, m->rows); }

bool jd_matrix_given(const jd_matrix *m) { return m->file || m->start; }

static const char *lines_of(const jd_matrix *m) {
    return m->layout == JD_MATRIX_ROWS ? "row" : "column";
}

static jd_status check_shape(jd_context *context, const jd_matrix *m, const char *what) {
    if (m->rows != m->columns)
        return jd_fail(context, JD_SIZE_MISMATCH,
                       "the matrix `%s` is not square: %lld rows, %lld columns", what,
                       (long long)m->rows, (long long)m->columns);
    if (m->rows < 1 || m->rows > largest)
        return jd_fail(context, JD_OUT_OF_RANGE,
                       "the matrix `%s` has %lld rows, but must have between 1 and %lld", what,
                       (long long)m->rows, (long long)largest);
    if (m->layout != JD_MATRIX_ROWS && m->layout != JD_MATRIX_COLUMNS)
        return jd_fail(context, JD_BAD_ARGUMENT, "the layout of the matrix `%s` is %d, no layout",
                       what, m->layout);
    return JD_OK;
}

// `start` begins with 0 and does not fall, so that its last number counts the entries.
static jd_status check_start(jd_context *context, const jd_matrix *m, const char *what) {
    int64_t before = 0;
    for (int64_t i = 0; i <= m->rows; i++) {
        int64_t now = jd_matrix_number(m, m->start, i);
        if (i == 0 ? now != 0 : now < before)
            return jd_fail(context, JD_BROKEN_MATRIX,
                           "`start` of the matrix `%s` is %lld at %lld: it must begin with 0 and "
                           "not fall",
                           what, (long long)now, (long long)i);
        before = now;
    }
    if (before > INT_MAX / 2)
        return jd_fail(context, JD_OUT_OF_RANGE, "the matrix `%s` has %lld entries, more than %d",
                       what, (long long)before, INT_MAX / 2);
    if (before == 0 || (m->index && m->value)) return JD_OK;
    return jd_fail(context, JD_BAD_ARGUMENT, "the matrix `%s` has entries, but `%s` is NULL", what,
                   m->index ? "value" : "index");
}

static jd_status check_entries(jd_context *context, const jd_matrix *m, const char *what) {
    for (int64_t i = 0; i < m->rows; i++)
        for (int64_t k = jd_matrix_number(m, m->start, i); k < jd_matrix_number(m, m->start, i + 1);
             k++) {
            int64_t other = jd_matrix_number(m, m->index, k);
            if (other < 0 || other >= m->rows)
                return jd_fail(context, JD_BROKEN_MATRIX,
                               "%s %lld of the matrix `%s` has the index %lld, but indices count "
                               "from 0 to %lld",
                               lines_of(m), (long long)i, what, (long long)other,
                               (long long)(m->rows - 1));
            if (!isfinite(m->value[k]))
                return jd_fail(context, JD_BROKEN_MATRIX,
                               "%s %lld of the matrix `%s` has the value %g, but every entry must "
                               "be a finite number",
                               lines_of(m), (long long)i, what, m->value[k]);
        }
    return JD_OK;
}

jd_status jd_matrix_check(jd_context *context, const jd_matrix *m, const char *what) {
    JD_TRY(check_shape(context, m, what));
    JD_TRY(check_start(context, m, what));
    return check_entries(context, m, what);
}
