// matrix_calculix.c -- matrices as CalculiX writes them (*FREQUENCY, SOLVER=MATRIXSTORAGE).
//   blade.sti, blade.mas: lines `row column value`, one triangle, zeros among them.
//   blade.dof beside them names the rows: line i is `node.direction` of row i, in any order.
#include <limits.h>
#include <string.h>

#include "structure/matrices/matrix_entries.h"

enum { WORD = 64 };

// The path with its ending replaced by .dof.
const char *jd_matrix_labels_path(jd_arena *arena, const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    size_t length = dot && dot > name ? (size_t)(dot - path) : strlen(path);
    if (length > INT_MAX) return NULL;
    return jd_arena_format(arena, "%.*s.dof", (int)length, path);
}

static jd_status open_labels(jd_arena *arena, const char *path, jd_scan *s) {
    const char *names = jd_matrix_labels_path(arena, path);
    JD_TRY(jd_arena_status(arena));
    jd_status status = jd_scan_open(arena, names, JD_MATRIX_LARGEST, JD_BROKEN_MATRIX, s);
    if (status == JD_CANNOT_READ)
        jd_fail_hint(jd_arena_context(arena),
                     "`%s` has lines `row column value` as CalculiX writes them; the file `.dof` "
                     "beside it names the rows",
                     path);
    return status;
}

bool jd_matrix_is_calculix(jd_scan *s) {
    char word[WORD];
    int words = 0;
    for (; words < 4 && !jd_scan_blank(s); words++) jd_scan_word(s, word, sizeof word);
    return words == 3;
}

jd_status jd_matrix_read_calculix(jd_arena *arena, jd_scan *s, jd_matrix_list *m) {
    int *rank, count = 0, row = 0, column = 0;
    double value = 0;
    jd_scan names;
    JD_TRY(open_labels(arena, m->path, &names));
    JD_TRY(jd_matrix_read_labels(arena, &names, m, &rank));
    jd_scan_again(s);
    while (jd_scan_line(s)) count += !jd_scan_blank(s);
    JD_TRY(jd_matrix_room(arena, m, count));
    m->either = true;
    jd_scan_again(s);
    while (jd_scan_line(s)) {
        if (jd_scan_blank(s)) continue;
        JD_TRY(jd_scan_integer(s, "the row", 1, m->n, &row));
        JD_TRY(jd_scan_integer(s, "the column", 1, m->n, &column));
        JD_TRY(jd_scan_real(s, "the value", &value));
        JD_TRY(jd_scan_line_end(s));
        if (value != 0 || row == column) // directions that mass does not couple are written, too
            jd_matrix_add(m, rank[row - 1], rank[column - 1], s->line, value);
    }
    return JD_OK;
}
