// matrix_calculix.c -- matrices as CalculiX writes them (*FREQUENCY, SOLVER=MATRIXSTORAGE).
//   blade.sti, blade.mas: lines `row column value`, one triangle, zeros among them.
//   blade.dof beside them names the rows: line i is `node.direction` of row i, in any order.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "structure/matrices/matrix_entries.h"

enum { WORD = 64, LARGEST_DOF = 1000 };

typedef struct row_label {
    int node, dof, row; // row: as CalculiX counts, from 0
} row_label;

static int compare(const void *a, const void *b) {
    const row_label *x = a, *y = b;
    if (x->node != y->node) return x->node < y->node ? -1 : 1;
    return (x->dof > y->dof) - (x->dof < y->dof);
}

// The path with its ending replaced by .dof.
const char *jd_matrix_labels_path(jd_arena *arena, const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    size_t length = dot && dot > name ? (size_t)(dot - path) : strlen(path);
    if (length > INT_MAX) return NULL;
    return jd_arena_format(arena, "%.*s.dof", (int)length, path);
}

// `node.direction`
static jd_status read_label(jd_scan *s, row_label *out) {
    char word[WORD], *end = NULL;
    jd_scan_word(s, word, sizeof word);
    long node = strtol(word, &end, 10), dof = 0;
    bool fine = end != word && *end == '.' && node >= 1 && node <= INT_MAX;
    if (fine) {
        char *rest = end + 1;
        dof = strtol(rest, &end, 10);
        fine = end != rest && *end == '\0' && dof >= 1 && dof <= LARGEST_DOF;
    }
    if (!fine)
        return jd_scan_fail(s, JD_BROKEN_MATRIX, "`%s` is no `node.direction` of a row", word);
    out->node = (int)node;
    out->dof = (int)dof;
    return jd_scan_line_end(s);
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

// Rows ascend by node, then direction: rank[i] is where row i of the file comes.
static jd_status read_labels(jd_arena *arena, jd_matrix_list *m, int **rank) {
    jd_scan s;
    int count = 0;
    JD_TRY(open_labels(arena, m->path, &s));
    while (jd_scan_line(&s)) count += !jd_scan_blank(&s);
    row_label *label = JD_TAKE(arena, row_label, count);
    *rank = JD_TAKE(arena, int, count);
    m->node = JD_TAKE(arena, int, count);
    m->dof = JD_TAKE(arena, int, count);
    JD_TRY(jd_arena_status(arena));
    jd_scan_again(&s);
    for (int i = 0; i < count; i++) {
        do jd_scan_line(&s);
        while (jd_scan_blank(&s));
        label[i].row = i;
        JD_TRY(read_label(&s, &label[i]));
    }
    qsort(label, (size_t)count, sizeof *label, compare);
    for (int i = 0; i < count; i++) {
        if (i > 0 && compare(&label[i], &label[i - 1]) == 0)
            return jd_scan_fail(&s, JD_BROKEN_MATRIX, "two rows are called %d.%d", label[i].node,
                                label[i].dof);
        m->node[i] = label[i].node;
        m->dof[i] = label[i].dof;
        (*rank)[label[i].row] = i;
    }
    m->n = count;
    return JD_OK;
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
    JD_TRY(read_labels(arena, m, &rank));
    jd_scan_again(s);
    while (jd_scan_line(s)) count += !jd_scan_blank(s);
    JD_TRY(jd_matrix_room(arena, m, count));
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
