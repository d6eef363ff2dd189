// matrix_labels.c -- which node and direction each row of a matrix is: from a file beside, and
// rows that boundary conditions hold.
//   A line for every row, in the order of the rows: `node.direction` (CalculiX), `node direction`
//   or `node,direction`; directions are numbers, or x y z rx ry rz. Rows then ascend by node, then
//   direction.
//   Abaqus keeps rows that are held, with 1e36 on the diagonal of the stiffness matrix.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "structure/matrices/matrix_entries.h"

enum { WORD = 64, LARGEST_DOF = 1000 };
static const double held = 1e36; // on the diagonal

typedef struct row_label {
    int node, dof, row; // row: as the file counts, from 0
} row_label;

static int compare(const void *a, const void *b) {
    const row_label *x = a, *y = b;
    if (x->node != y->node) return x->node < y->node ? -1 : 1;
    return (x->dof > y->dof) - (x->dof < y->dof);
}

static bool direction(const char *word, int *out) {
    static const char *const names[] = {"x", "y", "z", "rx", "ry", "rz"};
    for (int i = 0; i < 6; i++)
        if (!strcasecmp(word, names[i])) return *out = i + 1, true;
    char *end = NULL;
    long dof = strtol(word, &end, 10);
    *out = (int)(dof >= 1 && dof <= LARGEST_DOF ? dof : 0);
    return end != word && *end == '\0' && *out > 0;
}

static jd_status read_label(jd_scan *s, row_label *out) {
    char word[WORD], second[WORD], *end = NULL;
    jd_scan_word(s, word, sizeof word);
    long node = strtol(word, &end, 10);
    bool fine = end != word && node >= INT_MIN && node <= INT_MAX;
    if (fine && *end == '.') {
        fine = direction(end + 1, &out->dof);
    } else if (fine && !*end && !jd_scan_blank(s)) {
        jd_scan_word(s, second, sizeof second);
        fine = direction(second, &out->dof);
    } else {
        fine = false;
    }
    if (!fine)
        return jd_scan_fail(s, JD_BROKEN_MATRIX, "`%s` is no `node.direction` of a row", word);
    out->node = (int)node;
    return jd_scan_line_end(s);
}

static bool label_line(jd_scan *s) {
    while (jd_scan_line(s))
        if (!jd_scan_blank(s) && *s->at != '#') return true;
    return false;
}

jd_status jd_matrix_read_labels(jd_arena *arena, jd_scan *s, jd_matrix_list *m, int **rank) {
    int count = 0;
    s->commas = true;
    while (label_line(s)) count++;
    row_label *label = JD_TAKE(arena, row_label, count);
    *rank = JD_TAKE(arena, int, count);
    m->node = JD_TAKE(arena, int, count);
    m->dof = JD_TAKE(arena, int, count);
    JD_TRY(jd_arena_status(arena));
    jd_scan_again(s);
    for (int i = 0; i < count; i++) {
        label_line(s);
        label[i].row = i;
        JD_TRY(read_label(s, &label[i]));
    }
    qsort(label, (size_t)count, sizeof *label, compare);
    for (int i = 0; i < count; i++) {
        if (i > 0 && compare(&label[i], &label[i - 1]) == 0)
            return jd_scan_fail(s, JD_BROKEN_MATRIX, "two rows are called %d.%d", label[i].node,
                                label[i].dof);
        m->node[i] = label[i].node;
        m->dof[i] = label[i].dof;
        (*rank)[label[i].row] = i;
    }
    m->n = count;
    return JD_OK;
}

static jd_status refuse_names(jd_context *context, const jd_matrix_list *m, const char *path) {
    jd_fail(context, JD_NOT_SUPPORTED, "`%s` names its rows itself, and so does `%s`", m->path,
            path);
    jd_fail_where(context, "%s", path);
    jd_fail_hint(context, "leave out `dofs`");
    return JD_NOT_SUPPORTED;
}

jd_status jd_matrix_name_rows(jd_arena *arena, const char *path, jd_matrix_list *m) {
    jd_context *context = jd_arena_context(arena);
    jd_scan s;
    int *rank, n = m->n, last = m->counted && n ? m->node[n - 1] : n;
    if (m->node && !m->counted) return refuse_names(context, m, path);
    int *row = JD_TAKE(arena, int, m->n_entry), *column = JD_TAKE(arena, int, m->n_entry);
    JD_TRY(jd_arena_status(arena));
    for (int e = 0; e < m->n_entry; e++) { // as the file counts
        row[e] = m->counted && m->node ? m->node[m->row[e]] - 1 : m->row[e];
        column[e] = m->counted && m->node ? m->node[m->column[e]] - 1 : m->column[e];
    }
    JD_TRY(jd_scan_open(arena, path, JD_MATRIX_LARGEST, JD_BROKEN_MATRIX, &s));
    JD_TRY(jd_matrix_read_labels(arena, &s, m, &rank));
    if (m->counted ? m->n < last : m->n != n) {
        jd_fail(context, JD_SIZE_MISMATCH, "`%s` names %d rows, but `%s` has %d", path, m->n,
                m->path, last);
        jd_fail_where(context, "%s", path);
        jd_fail_hint(context, "one line `node dof` for every row, in the order of the rows");
        return JD_SIZE_MISMATCH;
    }
    for (int e = 0; e < m->n_entry; e++) {
        row[e] = rank[row[e]];
        column[e] = rank[column[e]];
    }
    m->row = row;
    m->column = column;
    m->counted = false;
    return JD_OK;
}

jd_status jd_matrix_without(jd_arena *arena, jd_matrix_list *m, const jd_dof_map *gone) {
    int *to = JD_TAKE(arena, int, m->n);
    JD_TRY(jd_arena_status(arena));
    if (!m->node || gone->n == 0) return JD_OK;
    int n = 0, entries = 0;
    for (int i = 0; i < m->n; i++) {
        to[i] = jd_dof_row(gone, m->node[i], m->dof[i]) >= 0 ? -1 : n;
        m->node[n] = m->node[i];
        m->dof[n] = m->dof[i];
        n += to[i] >= 0;
    }
    for (int e = 0; e < m->n_entry; e++) {
        if (to[m->row[e]] < 0 || to[m->column[e]] < 0) continue;
        m->row[entries] = to[m->row[e]];
        m->column[entries] = to[m->column[e]];
        if (m->line) m->line[entries] = m->line[e];
        m->read[entries++] = m->read[e];
    }
    m->n = n;
    m->n_entry = entries;
    return JD_OK;
}

jd_status jd_matrix_held(jd_arena *arena, const jd_matrix_list *m, jd_dof_map *out) {
    int count = 0, k = 0;
    *out = (jd_dof_map){0};
    if (!m->node || !m->read) return JD_OK;
    bool *is = JD_TAKE(arena, bool, m->n);
    JD_TRY(jd_arena_status(arena));
    for (int e = 0; e < m->n_entry; e++)
        if (m->row[e] == m->column[e] && fabs(m->value[e] / held - 1) < 1e-6) is[m->row[e]] = true;
    for (int i = 0; i < m->n; i++) count += is[i];
    int *node = JD_TAKE(arena, int, count), *dof = JD_TAKE(arena, int, count);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < m->n; i++) {
        if (!is[i]) continue;
        node[k] = m->node[i];
        dof[k++] = m->dof[i];
    }
    *out = (jd_dof_map){count, node, dof};
    return JD_OK;
}
