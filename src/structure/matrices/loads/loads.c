// loads.c -- vectors of forces on many rows of matrices: distributed loads, shaken supports.
//   A vector b is used like a point: a force F on it acts as F b, and it sees b' u. Supports that
//   move by r s(t) act on the motion relative to them as -M r s''.
#include "structure/matrices/loads/loads.h"

#include <math.h>
#include <string.h>

#include "structure/matrices/reduction.h"

enum { LARGEST = 1 << 28, WORD = 200, MOST = 1000 };

double jd_reduced_seen(const jd_reduced *r, int point, const double *shape) {
    const double *b = r->load[point];
    if (!b) return shape[r->at[point]];
    double sum = 0;
    for (int i = 0; i < r->K->n; i++) sum += b[i] * shape[i];
    return sum;
}

void jd_reduced_load(const jd_reduced *r, int point, double size, double *out) {
    const double *b = r->load[point];
    if (!b) out[r->at[point]] = size;
    for (int i = 0; b && i < r->K->n; i++) out[i] = size * b[i];
}

void jd_reduced_rows(jd_reduced *r) {
    size_t n = (size_t)r->K->n;
    for (int i = 0; i < r->n_point; i++)
        for (int k = 0; r->load[i] && k < r->n; k++) {
            const double *phi = r->vector + (size_t)k * n;
            jd_dd sum = dd(0);
            for (size_t j = 0; j < n; j++) sum = dd_add(sum, dd_two_prod(r->load[i][j], phi[j]));
            r->row[(size_t)i * (size_t)r->n + (size_t)k] = sum;
        }
}

// Labels that count rows are no nodes.
static bool has_nodes(const jd_matrix_list *list) { return list->node && !list->counted; }

// The names in the first line, behind those of the row.
static jd_status read_names(jd_arena *arena, jd_scan *s, bool labels, jd_loads *out) {
    static const char *const first[] = {"node", "dof", "row"};
    char word[WORD];
    for (int i = labels ? 0 : 2; i < (labels ? 2 : 3); i++) {
        jd_scan_word(s, word, sizeof word);
        if (strcmp(word, first[i]) != 0)
            return jd_scan_fail(s, JD_BROKEN_TABLE, "the first line must begin with `%s`, not `%s`",
                                labels ? "node, dof" : "row", word);
    }
    out->name = JD_TAKE(arena, const char *, MOST);
    JD_TRY(jd_arena_status(arena));
    for (jd_scan_word(s, word, sizeof word); word[0]; jd_scan_word(s, word, sizeof word)) {
        if (out->n == MOST || strchr(word, '.'))
            return jd_scan_fail(s, JD_BROKEN_TABLE, "`%s` cannot be the name of a vector", word);
        for (int i = 0; i < out->n; i++)
            if (!strcmp(out->name[i], word))
                return jd_scan_fail(s, JD_DUPLICATE_NAME, "two columns are called `%s`", word);
        out->name[out->n++] = jd_arena_text(arena, word);
        JD_TRY(jd_arena_status(arena));
    }
    if (out->n > 0) return JD_OK;
    return jd_scan_fail(s, JD_BROKEN_TABLE, "the first line names no vector");
}

// given: the rows that were read.
static jd_status read_row(jd_scan *s, const jd_matrix_list *list, const jd_loads *out,
                          bool *given) {
    int node = 0, dof = 1, row;
    JD_TRY(jd_scan_integer(s, has_nodes(list) ? "the node" : "the row", 1, 2000000000, &node));
    if (has_nodes(list)) JD_TRY(jd_scan_integer(s, "the dof", 1, 1000, &dof));
    row = jd_matrix_row(list, node, dof);
    if (row < 0 && has_nodes(list))
        return jd_scan_fail(s, JD_UNKNOWN_NAME, "the matrices have no node %d with dof %d", node,
                            dof);
    if (row < 0) return jd_scan_fail(s, JD_UNKNOWN_NAME, "the matrices have no row %d", node);
    if (given[row] && has_nodes(list))
        return jd_scan_fail(s, JD_DUPLICATE_NAME, "node %d with dof %d is given twice", node, dof);
    if (given[row]) return jd_scan_fail(s, JD_DUPLICATE_NAME, "row %d is given twice", node);
    given[row] = true;
    for (int i = 0; i < out->n; i++) JD_TRY(jd_scan_real(s, "the force", &out->value[i][row]));
    return jd_scan_line_end(s);
}

jd_status jd_loads_read(jd_arena *arena, const char *path, const jd_matrix_list *list,
                        jd_loads *out) {
    jd_scan s;
    *out = (jd_loads){0};
    JD_TRY(jd_scan_open(arena, path, LARGEST, JD_BROKEN_TABLE, &s));
    s.commas = true;
    if (!jd_scan_data(&s)) return jd_scan_fail(&s, JD_EMPTY_FILE, "`%s` is empty", path);
    JD_TRY(read_names(arena, &s, has_nodes(list), out));
    out->value = JD_TAKE(arena, double *, out->n);
    bool *given = JD_TAKE(arena, bool, list->n);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < out->n; i++) out->value[i] = JD_TAKE(arena, double, list->n);
    JD_TRY(jd_arena_status(arena));
    while (jd_scan_data(&s)) JD_TRY(read_row(&s, list, out, given));
    return JD_OK;
}

jd_status jd_loads_of_base(jd_arena *arena, const jd_matrix_list *list, const jd_sparse *M,
                           const jd_reals *direction, double **out) {
    jd_context *context = jd_arena_context(arena);
    if (direction->n != 3)
        return jd_fail(context, JD_SIZE_MISMATCH,
                       "`base` has %d values, but a direction has 3: x, y, z", direction->n);
    if (!has_nodes(list)) {
        jd_fail(context, JD_NOT_SUPPORTED,
                "`base`: the rows of `%s` have no names, so that nobody knows their directions",
                list->path);
        jd_fail_hint(context, "give M r as the column `base` of a file `vectors`");
        return JD_NOT_SUPPORTED;
    }
    double *r = JD_TAKE(arena, double, list->n);
    *out = JD_TAKE(arena, double, list->n);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < list->n; i++)
        r[i] = list->dof[i] >= 1 && list->dof[i] <= 3 ? direction->value[list->dof[i] - 1] : 0;
    for (int j = 0; j < M->n; j++)
        for (int p = M->start[j]; p < M->start[j + 1]; p++) (*out)[M->row[p]] += M->value[p] * r[j];
    return JD_OK;
}
