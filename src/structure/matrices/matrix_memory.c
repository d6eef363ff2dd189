// matrix_memory.c -- the entries of a matrix in the caller's arrays, compressed by rows or columns.
#include "base/param_tools.h"
#include "structure/matrices/matrix_entries.h"

static jd_status take_arrays(jd_arena *arena, const jd_matrix *m, const char *key,
                             jd_matrix_list *out) {
    JD_TRY(jd_matrix_check(jd_arena_context(arena), m, key));
    int64_t entries = jd_matrix_entries(m);
    *out = (jd_matrix_list){.path = key,
                            .n = (int)m->rows,
                            .triangle = m->triangle,
                            .n_entry = (int)entries,
                            .value = m->value};
    int *line = JD_TAKE(arena, int, entries), *across = JD_TAKE(arena, int, entries);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < out->n; i++) {
        int64_t end = jd_matrix_number(m, m->start, i + 1);
        for (int64_t k = jd_matrix_number(m, m->start, i); k < end; k++) {
            line[k] = i;
            across[k] = (int)jd_matrix_number(m, m->index, k);
        }
    }
    out->row = m->layout == JD_MATRIX_ROWS ? line : across;
    out->column = m->layout == JD_MATRIX_ROWS ? across : line;
    return JD_OK;
}

jd_status jd_matrix_take(jd_arena *arena, const jd_matrix *m, const char *key,
                         jd_matrix_list *out) {
    if (m->file) return jd_matrix_read(arena, m->file, m->name, out);
    if (m->start) return take_arrays(arena, m, key, out);
    return jd_fail(jd_arena_context(arena), JD_MISSING_KEY, "`%s` must be the name of a file", key);
}
