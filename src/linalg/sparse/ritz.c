// ritz.c -- Rayleigh-Ritz in double-double: Gram matrices, Cholesky, Jacobi.
//   N = V M V' = L L',  A = L^-1 (V K V') L^-T,  Q' A Q = diag(lambda),  modes = Q' L^-1 V.
//   Jacobi's rotations keep the relative accuracy of small eigenvalues beside large ones.
#include "linalg/sparse/ritz.h"

#include <string.h>

#include "linalg/sparse/product.h"

enum { MOST_SWEEPS = 40 };
static const double negligible = 1e-20; // of sqrt(a_ii a_jj)

// V A V', JD_SIDE rows at once.
static void gram(const jd_sparse *A, const jd_ritz *r, double *x, jd_side_dd y, jd_dd *out) {
    size_t n = (size_t)A->n, m = (size_t)r->m;
    for (size_t i = 0; i < m; i += JD_SIDE) {
        size_t count = m - i < JD_SIDE ? m - i : JD_SIDE;
        jd_dd sum[JD_SIDE];
        jd_side_by_side(A->n, (int)count, r->vector + i * n, x);
        jd_sparse_times_dd(A, x, y);
        for (size_t j = 0; j < i + count; j++) {
            jd_side_dots_with(A->n, r->vector + j * n, y, sum);
            for (size_t v = 0; v < count; v++)
                if (j <= i + v) out[(i + v) * m + j] = out[j * m + i + v] = sum[v];
        }
    }
}

// N = L L' in place (lower part); false: not positive definite.
static bool cholesky(size_t m, jd_dd *N) {
    for (size_t j = 0; j < m; j++) {
        double before = N[j * m + j].hi;
        for (size_t k = 0; k < j; k++)
            N[j * m + j] = dd_sub(N[j * m + j], dd_mul(N[j * m + k], N[j * m + k]));
        if (!(N[j * m + j].hi > 1e-24 * before)) return false;
        N[j * m + j] = dd_sqrt(N[j * m + j]);
        for (size_t i = j + 1; i < m; i++) {
            jd_dd sum = N[i * m + j];
            for (size_t k = 0; k < j; k++) sum = dd_sub(sum, dd_mul(N[i * m + k], N[j * m + k]));
            N[i * m + j] = dd_div(sum, N[j * m + j]);
        }
    }
    return true;
}

// Rows of A become L^-1 A.
static void forward(size_t m, const jd_dd *L, jd_dd *A) {
    for (size_t i = 0; i < m; i++)
        for (size_t c = 0; c < m; c++) {
            jd_dd sum = A[i * m + c];
            for (size_t k = 0; k < i; k++) sum = dd_sub(sum, dd_mul(L[i * m + k], A[k * m + c]));
            A[i * m + c] = dd_div(sum, L[i * m + i]);
        }
}

static void transpose(size_t m, jd_dd *A) {
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < i; j++) {
            jd_dd t = A[i * m + j];
            A[i * m + j] = A[j * m + i];
            A[j * m + i] = t;
        }
}

typedef struct rotation {
    jd_dd c, s;
} rotation;

static rotation turn(jd_dd a, jd_dd b, jd_dd off) { // makes (a off; off b) diagonal
    jd_dd tau = dd_div(dd_sub(b, a), dd_scale(off, 2));
    jd_dd root = dd_sqrt(dd_add(dd(1), dd_mul(tau, tau)));
    jd_dd size = tau.hi < 0 ? dd_neg(tau) : tau;
    jd_dd t = dd_inverse(dd_add(size, root));
    if (tau.hi < 0) t = dd_neg(t);
    jd_dd c = dd_inverse(dd_sqrt(dd_add(dd(1), dd_mul(t, t))));
    return (rotation){c, dd_mul(t, c)};
}

JD_DD_CLONES
static void mix(size_t n, rotation q, jd_dd *x, jd_dd *y, size_t stride) {
    for (size_t k = 0; k < n * stride; k += stride) {
        jd_dd a = x[k], b = y[k];
        x[k] = dd_sub(dd_mul(q.c, a), dd_mul(q.s, b));
        y[k] = dd_add(dd_mul(q.s, a), dd_mul(q.c, b));
    }
}

// Cyclic Jacobi on A, rotations gathered in T; false: no end in sight.
static bool diagonalise(size_t m, size_t first, jd_dd *A, jd_dd *T) {
    double largest = 0;
    for (size_t i = first; i < m; i++) largest = fmax(largest, fabs(A[i * m + i].hi));
    for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
        bool turned = false;
        for (size_t i = first; i < m; i++)
            for (size_t j = i + 1; j < m; j++) {
                double size = sqrt(fabs(A[i * m + i].hi)) * sqrt(fabs(A[j * m + j].hi));
                if (fabs(A[i * m + j].hi) <= fmax(negligible * size, 1e-30 * largest)) continue;
                rotation q = turn(A[i * m + i], A[j * m + j], A[i * m + j]);
                mix(m, q, A + i, A + j, m);
                mix(m, q, A + i * m, A + j * m, 1);
                mix(m, q, T + i * m, T + j * m, 1);
                turned = true;
            }
        if (!turned) return true;
    }
    return false;
}

static void sort(size_t m, size_t first, jd_dd *lambda, jd_dd *T, jd_dd *row) {
    for (size_t k = first + 1; k < m; k++)
        for (size_t l = k; l > first && lambda[l].hi < lambda[l - 1].hi; l--) {
            jd_dd t = lambda[l];
            lambda[l] = lambda[l - 1];
            lambda[l - 1] = t;
            memcpy(row, T + l * m, m * sizeof *row);
            memcpy(T + l * m, T + (l - 1) * m, m * sizeof *row);
            memcpy(T + (l - 1) * m, row, m * sizeof *row);
        }
}

// The wanted rows in double-double, then all of them in double.
static void combine(size_t n, jd_ritz *r, const jd_dd *T, double *old) {
    size_t m = (size_t)r->m;
    for (size_t i = 0; i < (size_t)r->n_row; i++)
        for (size_t k = 0; k < m; k++) {
            jd_dd sum = dd(0);
            for (size_t j = 0; j < m; j++)
                sum = dd_add(sum, dd_scale(T[k * m + j], r->vector[j * n + (size_t)r->at[i]]));
            r->row[i * m + k] = sum;
        }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < m; j++) old[j] = r->vector[j * n + i];
        for (size_t k = 0; k < m; k++) {
            double sum = 0;
            for (size_t j = 0; j < m; j++) sum += T[k * m + j].hi * old[j];
            r->vector[k * n + i] = sum;
        }
    }
}

static jd_status find(jd_arena *arena, const jd_sparse *K, const jd_sparse *M, jd_ritz *r) {
    jd_context *context = jd_arena_context(arena);
    size_t n = (size_t)K->n, m = (size_t)r->m, rigid = (size_t)r->n_rigid;
    jd_dd *N = JD_TAKE(arena, jd_dd, m * m), *A = JD_TAKE(arena, jd_dd, m * m);
    jd_dd *T = JD_TAKE(arena, jd_dd, m * m), *line;
    double *x = JD_TAKE_RAW(arena, double, n *JD_SIDE);
    jd_side_dd y = {JD_TAKE_RAW(arena, double, n *JD_SIDE), JD_TAKE_RAW(arena, double, n *JD_SIDE)};
    double *old = JD_TAKE(arena, double, m);
    line = JD_TAKE(arena, jd_dd, m);
    JD_TRY(jd_arena_status(arena));
    gram(M, r, x, y, N);
    gram(K, r, x, y, A);
    for (size_t i = 0; r->extra && i < m; i++) N[i * m + i] = dd_add(N[i * m + i], dd(r->extra[i]));
    if (!cholesky(m, N))
        return jd_fail(context, JD_NOT_DEFINITE, "the shapes of a reduction are dependent");
    forward(m, N, A);
    transpose(m, A);
    forward(m, N, A);
    for (size_t i = 0; i < m; i++) T[i * m + i] = dd(1);
    forward(m, N, T);
    for (size_t i = 0; i < rigid; i++) // L is lower: the first rows stay among themselves
        for (size_t j = 0; j < m; j++) A[i * m + j] = A[j * m + i] = dd(0);
    if (!diagonalise(m, rigid, A, T))
        return jd_fail(context, JD_NO_CONVERGENCE, "the modes of a reduction do not converge");
    for (size_t k = 0; k < m; k++) r->lambda[k] = A[k * m + k];
    sort(m, rigid, r->lambda, T, line);
    combine(n, r, T, old);
    return JD_OK;
}

jd_status jd_ritz_modes(jd_arena *arena, const jd_sparse *K, const jd_sparse *M, jd_ritz *r) {
    jd_arena_mark mark = jd_arena_here(arena);
    jd_status status = find(arena, K, M, r);
    jd_arena_back(arena, mark);
    return status;
}
