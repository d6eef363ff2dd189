// general.c -- LU with partial pivoting and the QR algorithm, both by LAPACK; small/ where less is
// to be done than LAPACK's blocks are made for.
#include "linalg/general.h"

#include <math.h>
#include <stdlib.h>

#include "lazy/lapack.h"
#include "linalg/small/small.h"

enum { SMALL = 64 }; // rows: beyond, LAPACK's blocks pay

double jd_solve_general(int n, double *A, double *b, int *pivot, double *work) {
    double norm = 0, rcond = 0;
    for (int i = 0; i < n; i++) { // rows of A are columns of what LAPACK sees: 1-norm of A'
        double s = 0;
        for (int j = 0; j < n; j++) s += fabs(A[i * n + j]);
        norm = fmax(norm, s);
    }
    if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, A, n, pivot)) return 0;
    if (LAPACKE_dgecon_work(LAPACK_COL_MAJOR, '1', n, A, n, norm, &rcond, work,
                            (lapack_int *)(void *)(work + 4 * n)))
        return 0;
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'T', n, 1, A, n, pivot, b, n);
    return rcond;
}

static void transpose(int n, double *A) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double keep = A[i * n + j];
            A[i * n + j] = A[j * n + i];
            A[j * n + i] = keep;
        }
}

int jd_solve_shortest(int n, double *A, double *b, double limit, int *pivot) {
    lapack_int rank = 0;
    for (int i = 0; i < n; i++) pivot[i] = 0;
    transpose(n, A);
    if (LAPACKE_dgelsy(LAPACK_COL_MAJOR, n, n, 1, A, n, b, n, pivot, limit, &rank)) return -1;
    return (int)rank;
}

static jd_status not_finite(jd_arena *arena, int n) {
    return jd_fail(jd_arena_context(arena), JD_NO_CONVERGENCE,
                   "the factors of a %d x %d matrix could not be computed", n, n);
}

// A P = Q R: the columns of Q beyond the rank are orthogonal to those of A.
jd_status jd_null_rows(jd_arena *arena, int n, double *A, double limit, int *rank) {
    jd_arena_mark mark = jd_arena_here(arena);
    double *tau = JD_TAKE(arena, double, n), *work = JD_TAKE(arena, double, 2 * n),
           *Q = JD_TAKE_RAW(arena, double, n *n);
    int *column = JD_TAKE(arena, int, n);
    JD_TRY(jd_arena_status(arena));
    *rank = jd_pivoted_factor(n, A, limit, 1, column, tau, work);
    if (*rank < 0) {
        jd_arena_back(arena, mark);
        return not_finite(arena, n);
    }
    int left = n - *rank;
    jd_pivoted_columns(n, A, *rank, tau, *rank, left, Q, work);
    for (int l = 0; l < left; l++)
        for (int i = 0; i < n; i++) A[(ptrdiff_t)(*rank + l) * n + i] = Q[(ptrdiff_t)i * left + l];
    jd_arena_back(arena, mark);
    return JD_OK;
}

bool jd_lu_factor(int n, double *A, int *pivot) {
    if (n <= SMALL) return jd_small_factor(n, A, pivot);
    return LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, A, n, pivot) == 0;
}

void jd_lu_solve(int n, const double *A, const int *pivot, double *b) {
    if (n <= SMALL)
        jd_small_solve(n, A, pivot, b);
    else
        LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'T', n, 1, A, n, pivot, b, n);
}

bool jd_lu_negative(int n, const double *A, const int *pivot) {
    int first = n <= SMALL ? 0 : 1; // LAPACK counts rows from 1
    bool negative = false;
    for (int i = 0; i < n; i++) negative ^= (A[(ptrdiff_t)i * n + i] < 0) ^ (pivot[i] != i + first);
    return negative;
}

bool jd_lu_tangent(int n, const double *A, const int *pivot, double *t) {
    double size = 0;
    for (int i = 0; i < n; i++) t[i] = i == n - 1;
    jd_lu_solve(n, A, pivot, t);
    for (int i = 0; i < n; i++) size += t[i] * t[i];
    if (!(size > 0) || !isfinite(size)) return false;
    for (int i = 0; i < n; i++) t[i] /= sqrt(size);
    return true;
}

void jd_multiply_add(int m, int n, int k, const double *A, const double *B, double *C) {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, A, k, B, n, 1, C, n);
}

bool jd_solve_band(int n, int width, double *band, int *pivot, double *b) {
    return LAPACKE_dgbsv_work(LAPACK_COL_MAJOR, n, width, width, 1, band, jd_band_rows(width),
                              pivot, b, n) == 0;
}

typedef struct pair {
    double re, im;
} pair;

static int by_size(const void *a, const void *b) {
    const pair *x = a, *y = b;
    double sx = sqrt(x->re * x->re + x->im * x->im), sy = sqrt(y->re * y->re + y->im * y->im);
    if (fabs(sx - sy) > 1e-13 * (sx + sy)) return sx < sy ? 1 : -1;
    if (x->re != y->re && fabs(x->re - y->re) > 1e-13 * (sx + sy)) return x->re < y->re ? 1 : -1;
    return x->im < y->im ? 1 : x->im > y->im ? -1 : 0;
}

jd_status jd_eigen_general(jd_arena *arena, int n, double *A, double *value) {
    jd_arena_mark mark = jd_arena_here(arena);
    double *re = JD_TAKE(arena, double, n), *im = JD_TAKE(arena, double, n);
    JD_TRY(jd_arena_status(arena));
    lapack_int failed =
        LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', n, A, n, re, im, NULL, 1, NULL, 1);
    for (int i = 0; i < n; i++) {
        value[2 * i] = re[i];
        value[2 * i + 1] = im[i];
    }
    qsort(value, (size_t)n, sizeof(pair), by_size);
    jd_arena_back(arena, mark);
    if (failed)
        return jd_fail(jd_arena_context(arena), JD_NO_CONVERGENCE,
                       "the eigenvalues of a %d x %d matrix did not converge", n, n);
    return JD_OK;
}

// A = Q B with B = R P', of `rank` rows: the eigenvalues of A that are not 0 are those of B Q.
jd_status jd_eigen_low_rank(jd_arena *arena, int n, double *A, double *value) {
    jd_arena_mark mark = jd_arena_here(arena);
    double *tau = JD_TAKE(arena, double, n), *work = JD_TAKE(arena, double, 2 * n);
    int *column = JD_TAKE(arena, int, n);
    JD_TRY(jd_arena_status(arena));
    int r = jd_pivoted_factor(n, A, 1e-16, 0, column, tau, work);
    int room = r > 0 ? r : 0;
    double *Q = JD_TAKE_RAW(arena, double, n *room + 1),
           *C = JD_TAKE(arena, double, room *room + 1);
    jd_status status = jd_arena_status(arena);
    if (status == JD_OK && r < 0) status = not_finite(arena, n);
    for (int i = 0; status == JD_OK && i < 2 * n; i++) value[i] = 0;
    if (status == JD_OK && r > 0) {
        jd_pivoted_columns(n, A, r, tau, 0, r, Q, work);
        for (int i = 0; i < r; i++) {
            double *restrict row = C + (ptrdiff_t)i * r;
            for (int j = i; j < n; j++) {
                const double *restrict q = Q + (ptrdiff_t)column[j] * r,
                                       a = A[(ptrdiff_t)i * n + j];
                for (int k = 0; k < r; k++) row[k] += a * q[k];
            }
        }
        status = jd_eigen_general(arena, r, C, value);
    }
    jd_arena_back(arena, mark);
    return status;
}
