// matrix_assemble.c -- a list of entries as a symmetric sparse matrix with both triangles.
//   A and A' are sorted by columns and merged: a_ij and a_ji meet. A triangle takes the one that is
//   there; a full matrix needs |a_ij - a_ji| <= 1e-12 (|a_ij| + |a_ji| + sqrt|a_ii a_jj|) and gets
//   the mean.
#include <math.h>

#include "structure/matrices/matrix_entries.h"

static const double symmetry_allowed = 1e-12;

typedef struct work {
    jd_context *context;
    const jd_matrix_list *file;
    const jd_matrix_list *like;
    const char *what;
    int n;
    int *row, *column; // of the entries, in the order of `like`
    double *diagonal;
} work;

// Counting sort of entry numbers by key; stable.
static void sort_by(int n, int count, const int *key, const int *in, int *start, int *out) {
    for (int i = 0; i <= n; i++) start[i] = 0;
    for (int i = 0; i < count; i++) start[key[i] + 1]++;
    for (int i = 0; i < n; i++) start[i + 1] += start[i];
    for (int i = 0; i < count; i++) {
        int e = in ? in[i] : i;
        out[start[key[e]]++] = e;
    }
    for (int i = n; i > 0; i--) start[i] = start[i - 1];
    start[0] = 0;
}

// Name of a row as people know it.
static const char *row_name(const work *w, jd_arena *arena, int row) {
    if (!w->like->node) return jd_arena_format(arena, "%d", row + 1);
    return jd_arena_format(arena, "node %d dof %d", w->like->node[row], w->like->dof[row]);
}

static jd_status map_rows(jd_arena *arena, work *w) {
    const jd_matrix_list *f = w->file, *like = w->like;
    int *to = JD_TAKE(arena, int, f->n);
    w->row = JD_TAKE(arena, int, f->n_entry);
    w->column = JD_TAKE(arena, int, f->n_entry);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < f->n; i++) {
        to[i] = f->node ? jd_matrix_row(like, f->node[i], f->dof[i]) : i;
        if (to[i] >= 0) continue;
        jd_fail(w->context, JD_SIZE_MISMATCH, "%s has node %d dof %d, but `%s` has not", w->what,
                f->node[i], f->dof[i], like->path);
        jd_fail_where(w->context, "%s", f->path);
        return JD_SIZE_MISMATCH;
    }
    for (int e = 0; e < f->n_entry; e++) {
        w->row[e] = to[f->row[e]];
        w->column[e] = to[f->column[e]];
    }
    return JD_OK;
}

static jd_status check_sizes(const work *w) {
    const jd_matrix_list *f = w->file, *like = w->like;
    if (!f->node != !like->node)
        jd_fail(w->context, JD_SIZE_MISMATCH,
                "`%s` and `%s` are of different formats: their rows cannot be matched", f->path,
                like->path);
    else if (!f->node && f->n != like->n)
        jd_fail(w->context, JD_SIZE_MISMATCH, "%s has %d rows, but `%s` has %d", w->what, f->n,
                like->path, like->n);
    else
        return JD_OK;
    jd_fail_where(w->context, "%s", f->path);
    return JD_SIZE_MISMATCH;
}

static jd_status given_twice(jd_arena *arena, const work *w, int e) {
    jd_fail(w->context, JD_BROKEN_MATRIX, "the entry (%s, %s) of %s is given twice",
            row_name(w, arena, w->row[e]), row_name(w, arena, w->column[e]), w->what);
    if (w->file->line)
        jd_fail_where(w->context, "%s:%d", w->file->path, w->file->line[e]);
    else
        jd_fail_where(w->context, "%s", w->file->path);
    return JD_BROKEN_MATRIX;
}

// Entries sorted by columns, rows ascending within each; an entry given twice is refused.
static jd_status sort_entries(jd_arena *arena, const work *w, const int *row, const int *column,
                              int **start, int **order) {
    int count = w->file->n_entry;
    int *by_row = JD_TAKE(arena, int, count);
    *start = JD_TAKE(arena, int, w->n + 1);
    *order = JD_TAKE(arena, int, count);
    JD_TRY(jd_arena_status(arena));
    sort_by(w->n, count, row, NULL, *start, by_row);
    sort_by(w->n, count, column, by_row, *start, *order);
    for (int j = 0; j < w->n; j++)
        for (int p = (*start)[j] + 1; p < (*start)[j + 1]; p++) {
            int e = (*order)[p], before = (*order)[p - 1];
            if (row[e] == row[before]) return given_twice(arena, w, e > before ? e : before);
        }
    return JD_OK;
}

typedef struct pairing {
    int *start, *order;   // A by columns
    int *start2, *order2; // A' by columns
    bool triangle;
    size_t count; // entries of A or A'
    double worst; // asymmetry in units of what is allowed
    int worst_row, worst_column;
    double worst_value[2];
} pairing;

// Calls for every (i, j) in A or A': e, f are the entries a_ij, a_ji, or -1.
typedef void (*visit)(const work *w, pairing *p, jd_sparse *out, int i, int j, int e, int f);

static void merge(const work *w, pairing *p, jd_sparse *out, visit call) {
    for (int j = 0; j < w->n; j++) {
        int a = p->start[j], b = p->start2[j];
        if (out) out->start[j + 1] = out->start[j]; // the visitor counts on
        while (a < p->start[j + 1] || b < p->start2[j + 1]) {
            int e = a < p->start[j + 1] ? p->order[a] : -1;
            int f = b < p->start2[j + 1] ? p->order2[b] : -1;
            int i = e >= 0 ? w->row[e] : w->n, k = f >= 0 ? w->column[f] : w->n;
            if (i <= k) a++;
            if (k <= i) b++;
            call(w, p, out, i < k ? i : k, j, i <= k ? e : -1, k <= i ? f : -1);
        }
    }
}

static void look(const work *w, pairing *p, jd_sparse *out, int i, int j, int e, int f) {
    (void)out;
    if (i == j) {
        w->diagonal[i] = w->file->value[e];
        return;
    }
    if (e >= 0 && f >= 0) p->triangle = false;
}

static void count(const work *w, pairing *p, jd_sparse *out, int i, int j, int e, int f) {
    (void)w, (void)out, (void)i, (void)j, (void)e, (void)f;
    p->count++;
}

static void compare(const work *w, pairing *p, jd_sparse *out, int i, int j, int e, int f) {
    (void)out;
    double x = e >= 0 ? w->file->value[e] : 0, y = f >= 0 ? w->file->value[f] : 0;
    double scale = fabs(x) + fabs(y) + sqrt(fabs(w->diagonal[i] * w->diagonal[j]));
    double off = x == y ? 0 : fabs(x - y) / (symmetry_allowed * scale);
    if (!(off > p->worst)) return;
    p->worst = off;
    p->worst_row = i;
    p->worst_column = j;
    p->worst_value[0] = x;
    p->worst_value[1] = y;
}

static void place(const work *w, pairing *p, jd_sparse *out, int i, int j, int e, int f) {
    double x = e >= 0 ? w->file->value[e] : 0, y = f >= 0 ? w->file->value[f] : 0;
    int at = out->start[j + 1]++;
    out->row[at] = i;
    out->value[at] = i == j ? x : p->triangle ? x + y : 0.5 * (x + y);
}

static jd_status check_symmetric(jd_arena *arena, const work *w, pairing *p) {
    merge(w, p, NULL, compare);
    if (p->worst <= 1) return JD_OK;
    double *v = p->worst_value;
    jd_fail(w->context, JD_NOT_SYMMETRIC,
            "%s is not symmetric: the entry (%s, %s) is %.17g, but its mirror image is %.17g "
            "(difference %.3g)",
            w->what, row_name(w, arena, p->worst_row), row_name(w, arena, p->worst_column), v[0],
            v[1], fabs(v[0] - v[1]));
    jd_fail_where(w->context, "%s", w->file->path);
    jd_fail_hint(w->context, "export it again with all digits; follower forces are not covered");
    return JD_NOT_SYMMETRIC;
}

static jd_status pair_up(jd_arena *arena, const work *w, pairing *p) {
    JD_TRY(sort_entries(arena, w, w->row, w->column, &p->start, &p->order));
    JD_TRY(sort_entries(arena, w, w->column, w->row, &p->start2, &p->order2));
    p->triangle = true;
    merge(w, p, NULL, look);
    // A general matrix means what it says; of a list nobody says whether it is full.
    bool may = w->file->triangle || w->file->either;
    if (w->file->triangle && !p->triangle) {
        jd_fail(w->context, JD_BROKEN_MATRIX,
                "the file says that %s is symmetric, but it has entries of both triangles",
                w->what);
        jd_fail_where(w->context, "%s", w->file->path);
        return JD_BROKEN_MATRIX;
    }
    p->triangle = p->triangle && may;
    return p->triangle ? JD_OK : check_symmetric(arena, w, p);
}

jd_status jd_matrix_assemble(jd_arena *arena, const jd_matrix_list *file,
                             const jd_matrix_list *like, const char *what, jd_sparse *out) {
    work w = {jd_arena_context(arena), file, like, what, like->n, NULL, NULL, NULL};
    pairing p = {0};
    JD_TRY(check_sizes(&w));
    JD_TRY(map_rows(arena, &w));
    w.diagonal = JD_TAKE(arena, double, w.n);
    JD_TRY(jd_arena_status(arena));
    JD_TRY(pair_up(arena, &w, &p));
    merge(&w, &p, NULL, count);
    *out = (jd_sparse){.n = w.n};
    out->start = JD_TAKE(arena, int, w.n + 1);
    out->row = JD_TAKE_RAW(arena, int, p.count);
    out->value = JD_TAKE_RAW(arena, double, p.count);
    JD_TRY(jd_arena_status(arena));
    merge(&w, &p, out, place);
    return JD_OK;
}
