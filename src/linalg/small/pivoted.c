// pivoted.c -- A P = Q R by reflections I - tau v v', v_k = 1, v below the diagonal of A.
//   Row by row: w = v'A is a sum of rows, A -= v (tau w) is added to rows, and so are the squares
//   of the columns that are left.            tested:
//   pivoted_factors_tell_the_rank_and_the_null_space
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/clones.h"
#include "linalg/small/small.h"

// w = sum over i of v_i a_i, rows k to n - 1; v_k = 1.
JD_CLONES("avx2")
static void project(int n, int k, const double *v, int v_step, int columns, const double *A,
                    int stride, double *restrict w) {
    const double *restrict a = A + (ptrdiff_t)k * stride;
    for (int j = 0; j < columns; j++) w[j] = a[j];
    for (int i = k + 1; i < n; i++) {
        const double *restrict row = A + (ptrdiff_t)i * stride;
        double factor = v[(ptrdiff_t)i * v_step];
        for (int j = 0; j < columns; j++) w[j] += factor * row[j];
    }
}

// a_i -= v_i tau w, rows k to n - 1; squares: of what is left below row k, if asked for.
JD_CLONES("avx2")
static void reflect(int n, int k, const double *v, int v_step, double tau, int columns, double *A,
                    int stride, double *restrict w, double *restrict squares) {
    double *restrict a = A + (ptrdiff_t)k * stride;
    for (int j = 0; j < columns; j++) {
        w[j] *= tau;
        a[j] -= w[j];
    }
    for (int j = 0; squares && j < columns; j++) squares[j] = 0;
    for (int i = k + 1; i < n; i++) {
        double *restrict row = A + (ptrdiff_t)i * stride, factor = v[(ptrdiff_t)i * v_step];
        if (squares)
            for (int j = 0; j < columns; j++) {
                double left = row[j] - factor * w[j];
                row[j] = left;
                squares[j] += left * left;
            }
        else
            for (int j = 0; j < columns; j++) row[j] -= factor * w[j];
    }
}

// Column j goes to place k.
static void exchange(int n, double *A, int k, int j, int *column) {
    int keep = column[k];
    column[k] = column[j];
    column[j] = keep;
    for (int i = 0; i < n; i++) {
        double *row = A + (ptrdiff_t)i * n, was = row[k];
        row[k] = row[j];
        row[j] = was;
    }
}

// Makes column k from row k on (beta, v): its reflection, v_k = 1 not stored. Returns tau.
static double make_reflection(int n, int k, double *A) {
    double *at = A + (ptrdiff_t)k * n + k, alpha = *at, below = 0;
    for (int i = 1; i < n - k; i++) below += at[(ptrdiff_t)i * n] * at[(ptrdiff_t)i * n];
    if (below == 0) return 0;
    double beta = -copysign(sqrt(alpha * alpha + below), alpha);
    for (int i = 1; i < n - k; i++) at[(ptrdiff_t)i * n] /= alpha - beta;
    *at = beta;
    return (beta - alpha) / beta;
}

int jd_pivoted_factor(int n, double *A, double limit, double floor, int *column, double *tau,
                      double *work) {
    double *squares = work, *w = work + n, least = 0;
    memset(squares, 0, (size_t)n * sizeof *squares);
    for (int j = 0; j < n; j++) column[j] = j;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) squares[j] += A[(ptrdiff_t)i * n + j] * A[(ptrdiff_t)i * n + j];
    for (int j = 0; j < n; j++)
        if (!isfinite(squares[j])) return -1;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int j = k + 1; j < n; j++)
            if (squares[j] > squares[best]) best = j;
        double length = sqrt(squares[best]);
        if (k == 0) least = limit * fmax(floor, length);
        if (!(length > least) || length < sqrt(DBL_MIN)) return k;
        if (best != k) {
            exchange(n, A, k, best, column);
            squares[best] = squares[k];
        }
        tau[k] = make_reflection(n, k, A);
        int left = n - k - 1;
        const double *v = A + k;
        project(n, k, v, n, left, A + k + 1, n, w);
        reflect(n, k, v, n, tau[k], left, A + k + 1, n, w, squares + k + 1);
    }
    return n;
}

void jd_pivoted_columns(int n, const double *A, int rank, const double *tau, int first, int count,
                        double *out, double *work) {
    memset(out, 0, (size_t)n * (size_t)count * sizeof *out);
    for (int c = 0; c < count; c++) out[(ptrdiff_t)(first + c) * count + c] = 1;
    for (int k = rank - 1; k >= 0; k--) {
        project(n, k, A + k, n, count, out, count, work);
        reflect(n, k, A + k, n, tau[k], count, out, count, work, NULL);
    }
}
