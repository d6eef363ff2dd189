// craig_bampton.c -- modes with the interface held, and constraint modes of the interface.
//   i: inside, b: interface.  K_ii phi = omega^2 M_ii phi;  constraint mode of dof b: 1 at b, 0 at
//   the rest of the interface, K_ii psi = -K_ib inside. [Craig and Bampton 1968]
//   Of psi the share of the modes kept is left out: they are in the space anyway. Ritz makes modes
//   of the free structure of them all. The deflection under forces at the interface is exact.
#include <float.h>
#include <math.h>
#include <string.h>

#include "linalg/estimate.h"
#include "linalg/sparse/product.h"
#include "linalg/sparse/residual.h"
#include "linalg/sparse/ritz.h"
#include "structure/matrices/reduction.h"

typedef struct held {
    jd_reduced *r;
    int n_inside, n_held;
    int *inside; // n: number inside, or -1
    int *row;    // n_held: rows of the interface, each once
    jd_sparse K, M;
    double *vector; // of the inside
    jd_factor *factor;
} held;

static bool is_face(const jd_reduced *r, int row, int before) {
    for (int i = 0; i < before; i++)
        if (r->at[r->face[i]] == row) return true;
    return false;
}

int jd_reduced_inside(const jd_reduced *r) {
    int count = 0;
    for (int i = 0; i < r->n_face; i++) count += !is_face(r, r->at[r->face[i]], i);
    return r->K->n - count;
}

static jd_status cut(jd_arena *arena, const jd_sparse *A, const int *inside, int n,
                     jd_sparse *out) {
    *out = (jd_sparse){n, JD_TAKE(arena, int, n + 1), JD_TAKE(arena, int, A->start[A->n]),
                       JD_TAKE(arena, double, A->start[A->n])};
    JD_TRY(jd_arena_status(arena));
    int used = 0;
    for (int j = 0; j < A->n; j++) {
        if (inside[j] < 0) continue;
        for (int p = A->start[j]; p < A->start[j + 1]; p++) {
            if (inside[A->row[p]] < 0) continue;
            out->row[used] = inside[A->row[p]];
            out->value[used++] = A->value[p];
        }
        out->start[inside[j] + 1] = used;
    }
    return JD_OK;
}

static jd_status divide(held *h) {
    jd_reduced *r = h->r;
    int n = r->K->n;
    h->inside = JD_TAKE(r->arena, int, n);
    h->row = JD_TAKE(r->arena, int, r->n_face);
    JD_TRY(jd_arena_status(r->arena));
    for (int i = 0; i < r->n_face; i++) {
        int row = r->at[r->face[i]];
        if (is_face(r, row, i)) continue;
        h->row[h->n_held++] = row;
        h->inside[row] = -1;
    }
    for (int j = 0; j < n; j++)
        if (h->inside[j] == 0) h->inside[j] = h->n_inside++;
    JD_TRY(cut(r->arena, r->K, h->inside, h->n_inside, &h->K));
    return cut(r->arena, r->M, h->inside, h->n_inside, &h->M);
}

static jd_status loose(const jd_reduced *r) {
    jd_context *context = jd_arena_context(r->arena);
    jd_fail(context, JD_NOT_SUPPORTED,
            "`reduction: craig-bampton`: the structure still moves freely when the interface of %d "
            "point%s is held",
            r->n_face, r->n_face == 1 ? "" : "s");
    jd_fail_hint(context, "add points to the interface, or use `reduction: free-interface`");
    return JD_NOT_SUPPORTED;
}

// Modes of the inside; in the structure the interface stays at 0.
static jd_status find_held_modes(held *h, int *count) {
    jd_reduced *r = h->r;
    size_t n = (size_t)r->K->n, inside = (size_t)h->n_inside;
    int n_mode = *count;
    double *lambda = JD_TAKE(r->arena, double, n_mode), *error = JD_TAKE(r->arena, double, n_mode);
    h->vector = JD_TAKE(r->arena, double, (size_t)n_mode *inside);
    JD_TRY(jd_arena_status(r->arena));
    if (n_mode > 0)
        JD_TRY(jd_matrices_modes(r->arena, &h->K, &h->M, r->fewer, count, lambda, h->vector, error,
                                 &h->factor, NULL));
    n_mode = *count;
    if (n_mode > 0 && !(lambda[0] > 0)) return loose(r);
    for (int k = 0; k < n_mode; k++)
        for (size_t j = 0; j < n; j++)
            if (h->inside[j] >= 0)
                r->vector[(size_t)k * n + j] = h->vector[(size_t)k * inside + (size_t)h->inside[j]];
    if (h->factor || h->n_inside == 0) return JD_OK;
    return jd_reduced_factor(r->arena, &h->K, &h->M, n_mode > 0 ? lambda[n_mode - 1] : 0,
                             &h->factor);
}

static jd_status find_constraint_modes(held *h, int n_mode) {
    jd_reduced *r = h->r;
    size_t n = (size_t)r->K->n;
    double *load = JD_TAKE(r->arena, double, h->n_inside);
    double *psi = JD_TAKE(r->arena, double, h->n_inside);
    JD_TRY(jd_arena_status(r->arena));
    jd_complement left = {&h->K, &h->M, n_mode, h->vector, h->factor};
    for (int i = 0; i < h->n_held; i++) {
        int b = h->row[i];
        double *to = r->vector + (size_t)(n_mode + i) * n;
        memset(load, 0, (size_t)h->n_inside * sizeof *load);
        for (int p = r->K->start[b]; p < r->K->start[b + 1]; p++)
            if (h->inside[r->K->row[p]] >= 0) load[h->inside[r->K->row[p]]] = -r->K->value[p];
        if (h->n_inside > 0) JD_TRY(jd_residual_shape(r->arena, &left, load, psi));
        for (size_t j = 0; j < n; j++) to[j] = h->inside[j] >= 0 ? psi[h->inside[j]] : 0;
        to[b] = 1;
        double norm = jd_sparse_norm(r->M, to);
        for (size_t j = 0; norm > 0 && j < n; j++) to[j] /= norm;
    }
    return JD_OK;
}

// Rigid-body modes as such. The modes are those of the space: with all of them those of the
// structure, else none of their frequencies is too low, and how far they are too high is not known.
// (A residual says how near SOME frequency of the structure is, not which one.)
static jd_status judge(jd_reduced *r) {
    double *lambda = JD_TAKE(r->arena, double, r->n), largest = r->omega2[r->n - 1].hi;
    if (r->n < r->K->n) r->off = JD_TAKE(r->arena, double, r->n);
    JD_TRY(jd_arena_status(r->arena));
    for (int k = 0; k < r->n; k++) lambda[k] = r->omega2[k].hi;
    int low = jd_eigen_unknown(r->n, jd_reduced_scale(r->K, r->M), lambda), nullity = 0;
    if (low > 0) JD_TRY(jd_matrices_nullity(r->arena, r->K, low, &nullity));
    for (int k = 0; k < r->n; k++) {
        if (k < low) r->omega2[k] = dd(0);
        r->error[k] = k < low ? low != nullity : 0x1p-50; // Ritz in double-double
        if (r->off) r->off[k] = k < low ? 0 : (double)NAN;
        if (!r->off && k >= low) r->error[k] += DBL_EPSILON * largest / lambda[k];
    }
    return JD_OK;
}

static void describe(const held *h, int n_mode) {
    jd_reduced *r = h->r;
    r->text = jd_arena_format(
        r->arena,
        "of a Craig-Bampton reduction (%d with the interface held, %d constraint mode%s; static "
        "flexibility exact%s)",
        n_mode, h->n_held, h->n_held == 1 ? "" : "s",
        r->off ? ", frequencies never too low, and too high by an unknown amount" : "");
}

static jd_status name_failure(const jd_reduced *r, jd_status status) {
    if (status != JD_NOT_DEFINITE) return status;
    jd_context *context = jd_arena_context(r->arena);
    jd_fail(context, JD_NOT_SUPPORTED,
            "`reduction: craig-bampton`: a singular mass matrix leaves motions of the interface "
            "without mass");
    jd_fail_hint(context, "use `reduction: free-interface`");
    return JD_NOT_SUPPORTED;
}

static jd_status reduce(held *h, int n_mode) {
    jd_reduced *r = h->r;
    JD_TRY(divide(h));
    JD_TRY(jd_reduced_room(r, n_mode + h->n_held));
    JD_TRY(find_held_modes(h, &n_mode));
    JD_TRY(find_constraint_modes(h, n_mode));
    r->n = n_mode + h->n_held;
    jd_ritz ritz = {r->n, 0, r->vector, NULL, r->omega2, r->n_point, r->at, r->row};
    JD_TRY(name_failure(r, jd_ritz_modes(r->arena, r->K, r->M, &ritz)));
    jd_reduced_rows(r);
    JD_TRY(judge(r));
    describe(h, n_mode);
    return jd_arena_status(r->arena);
}

jd_status jd_reduce_craig_bampton(jd_reduced *r, int n_mode) {
    if (r->n_face == 0) {
        jd_context *context = jd_arena_context(r->arena);
        jd_fail(context, JD_MISSING_KEY, "`reduction: craig-bampton` needs an interface");
        jd_fail_hint(context, "name the points where forces act under `points`");
        return JD_MISSING_KEY;
    }
    held h = {.r = r};
    jd_status status = reduce(&h, n_mode);
    jd_factor_free(h.factor);
    return status;
}
