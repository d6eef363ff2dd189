// matrix_modes.c -- the lowest modes of a pair of matrices: densely where they are small.
#include <math.h>

#include "linalg/sparse/order/order.h"
#include "linalg/sparse/product.h"
#include "structure/matrices/reduction.h"

enum { DENSE_UP_TO = 600 }; // dofs for which LAPACK beats Lanczos whatever is asked

static double *spread(jd_arena *arena, const jd_sparse *A) {
    size_t n = (size_t)A->n;
    double *full = JD_TAKE(arena, double, n *n);
    if (!full) return NULL;
    for (size_t j = 0; j < n; j++)
        for (int p = A->start[j]; p < A->start[j + 1]; p++)
            full[(size_t)A->row[p] * n + j] = A->value[p];
    return full;
}

jd_status jd_matrices_modes(jd_arena *arena, const jd_sparse *K, const jd_sparse *M, bool fewer,
                            int *n_mode, double *lambda, double *vector, double *error,
                            jd_factor **shifted, const jd_eigen_use *use) {
    int n = K->n, exist = n;
    if (shifted) *shifted = NULL;
    if (n > DENSE_UP_TO && *n_mode <= n / 3)
        return jd_eigen_sparse(arena, K, M, *n_mode, lambda, vector, error, shifted, use);
    jd_arena_mark mark = jd_arena_here(arena);
    double *full_K = spread(arena, K), *full_M = spread(arena, M);
    jd_status status = jd_arena_status(arena);
    if (status == JD_OK && fewer) status = jd_eigen_dense_count(arena, n, full_K, full_M, &exist);
    if (exist < *n_mode) *n_mode = exist;
    if (status == JD_OK)
        status = jd_eigen_dense(arena, n, full_K, full_M, *n_mode, lambda, vector, error);
    jd_arena_back(arena, mark);
    return status;
}

jd_status jd_matrices_nullity(jd_arena *arena, const jd_sparse *K, int found, int *nullity) {
    if (K->n > DENSE_UP_TO) return jd_eigen_sparse_nullity(arena, K, found, nullity);
    jd_arena_mark mark = jd_arena_here(arena);
    double *full = spread(arena, K);
    jd_status status = jd_arena_status(arena);
    if (status == JD_OK) status = jd_eigen_dense_nullity(arena, K->n, full, nullity);
    jd_arena_back(arena, mark);
    return status;
}

static double diagonal(const jd_sparse *A, int j) {
    for (int p = A->start[j]; p < A->start[j + 1]; p++)
        if (A->row[p] == j) return A->value[p];
    return 0;
}

double jd_reduced_scale(const jd_sparse *K, const jd_sparse *M) {
    double scale = 0;
    for (int j = 0; j < K->n; j++) {
        double mass = diagonal(M, j);
        if (mass > 0) scale = fmax(scale, diagonal(K, j) / mass);
    }
    return scale;
}

jd_status jd_reduced_factor(jd_arena *arena, const jd_sparse *K, const jd_sparse *M, double shift,
                            jd_factor **out) {
    if (!(shift > 0)) shift = 1e-8 * jd_reduced_scale(K, M); // rigid-body modes alone
    if (!(shift > 0)) shift = 1;                             // K = 0
    jd_arena_mark mark = jd_arena_here(arena);
    int *order;
    jd_status status = jd_sparse_order(arena, K, M, &order);
    if (status == JD_OK)
        status = jd_factor_shifted(jd_arena_context(arena), K, M, -shift, order, out);
    jd_arena_back(arena, mark);
    return status;
}

jd_status jd_reduced_room(jd_reduced *r, int n) {
    r->omega2 = JD_TAKE(r->arena, jd_dd, n);
    r->vector = JD_TAKE(r->arena, double, (size_t)n *(size_t)r->K->n);
    r->error = JD_TAKE(r->arena, double, n);
    r->row = JD_TAKE(r->arena, jd_dd, (size_t)n * (size_t)r->n_point);
    r->share = JD_TAKE(r->arena, double, r->n_face);
    return jd_arena_status(r->arena);
}

void jd_reduced_free(jd_reduced *r) {
    jd_factor_free(r->shifted);
    r->shifted = NULL;
}
