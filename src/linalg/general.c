// general.c -- LU with partial pivoting and the QR algorithm, both by LAPACK; LU of a small matrix
// by itself, which takes a fifth of the instructions and gives the same bits on every machine.
#include "linalg/general.h"

#include <math.h>
#include <stdlib.h>

#include "base/clones.h"
#include "lazy/lapack.h"

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

// A P = Q R: the columns of Q beyond the rank are orthogonal to those of A.
jd_status jd_null_rows(jd_arena *arena, int n, double *A, double limit, int *rank) {
    jd_arena_mark mark = jd_arena_here(arena);
    double *tau = JD_TAKE(arena, double, n);
    int *column = JD_TAKE(arena, int, n);
    JD_TRY(jd_arena_status(arena));
    transpose(n, A);
    lapack_int failed = LAPACKE_dgeqp3(LAPACK_COL_MAJOR, n, n, A, n, column, tau);
    *rank = 0;
    while (!failed && *rank < n && fabs(A[*rank * n + *rank]) > limit * fmax(1, fabs(A[0])))
        ++*rank;
    if (!failed) failed = LAPACKE_dorgqr(LAPACK_COL_MAJOR, n, n, n, A, n, tau);
    jd_arena_back(arena, mark);
    if (failed)
        return jd_fail(jd_arena_context(arena), JD_NO_CONVERGENCE,
                       "the factors of a %d x %d matrix could not be computed", n, n);
    return JD_OK;
}

static void swap_rows(int n, double *restrict a, double *restrict b) {
    for (int j = 0; j < n; j++) {
        double keep = a[j];
        a[j] = b[j];
        b[j] = keep;
    }
}

// Rows k + 1 ... less what they have of row k, their share of it in column k.
JD_CLONES("avx2")
static void eliminate(int n, int k, double *A) {
    const double *restrict own = A + (ptrdiff_t)k * n;
    for (int i = k + 1; i < n; i++) {
        double *restrict row = A + (ptrdiff_t)i * n, share = row[k] / own[k];
        for (int j = k + 1; j < n; j++) row[j] -= share * own[j];
        row[k] = share;
    }
}

// A = P L U: rows of A stay rows, divisors below the diagonal.
static bool factor_small(int n, double *A, int *pivot) {
    bool regular = true;
    for (int k = 0; k < n; k++) {
        double *own = A + (ptrdiff_t)k * n, most = fabs(own[k]);
        pivot[k] = k;
        for (int i = k + 1; i < n; i++) {
            double size = fabs(A[(ptrdiff_t)i * n + k]);
            if (!(size > most)) continue;
            most = size;
            pivot[k] = i;
        }
        if (pivot[k] != k) swap_rows(n, own, A + (ptrdiff_t)pivot[k] * n);
        if (most > 0)
            eliminate(n, k, A);
        else
            regular = false; // nothing in this column
    }
    return regular;
}

static void solve_small(int n, const double *A, const int *pivot, double *b) {
    for (int k = 0; k < n; k++) {
        double keep = b[k];
        b[k] = b[pivot[k]];
        b[pivot[k]] = keep;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) b[i] -= A[(ptrdiff_t)i * n + j] * b[j];
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) b[i] -= A[(ptrdiff_t)i * n + j] * b[j];
        b[i] /= A[(ptrdiff_t)i * n + i];
    }
}

bool jd_lu_factor(int n, double *A, int *pivot) {
    if (n <= SMALL) return factor_small(n, A, pivot);
    return LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, A, n, pivot) == 0;
}

void jd_lu_solve(int n, const double *A, const int *pivot, double *b) {
    if (n <= SMALL)
        solve_small(n, A, pivot, b);
    else
        LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'T', n, 1, A, n, pivot, b, n);
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
    double sx = hypot(x->re, x->im), sy = hypot(y->re, y->im);
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

// Rows of R that count.
static int rank_of(int n, const double *R) {
    int r = 0;
    while (r < n && fabs(R[r * n + r]) > 1e-16 * fabs(R[0])) r++;
    return r;
}

jd_status jd_eigen_low_rank(jd_arena *arena, int n, double *A, double *value) {
    jd_arena_mark mark = jd_arena_here(arena);
    double *B = JD_TAKE(arena, double, n *n), *tau = JD_TAKE(arena, double, n);
    int *column = JD_TAKE(arena, int, n);
    JD_TRY(jd_arena_status(arena));
    // A' (what LAPACK sees) has the same eigenvalues
    lapack_int failed = LAPACKE_dgeqp3(LAPACK_COL_MAJOR, n, n, A, n, column, tau);
    int r = failed ? 0 : rank_of(n, A);
    for (int j = 0; j < n; j++) // B = R P', r x n
        for (int i = 0; i < r; i++) B[(column[j] - 1) * r + i] = i <= j ? A[j * n + i] : 0;
    if (!failed && r > 0) failed = LAPACKE_dorgqr(LAPACK_COL_MAJOR, n, r, r, A, n, tau);
    double *C = JD_TAKE(arena, double, r *r + 1);
    jd_status status = jd_arena_status(arena);
    for (int i = 0; status == JD_OK && i < 2 * n; i++) value[i] = 0;
    for (int k = 0; status == JD_OK && k < n; k++)
        for (int j = 0; j < r; j++)
            for (int i = 0; i < r; i++) C[j * r + i] += B[k * r + i] * A[j * n + k];
    if (status == JD_OK && r > 0 && !failed) status = jd_eigen_general(arena, r, C, value);
    jd_arena_back(arena, mark);
    if (failed)
        return jd_fail(jd_arena_context(arena), JD_NO_CONVERGENCE, "a QR factorisation failed");
    return status;
}
