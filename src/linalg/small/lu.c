// lu.c -- P A = L U by rows, partial pivoting.   tested: factors_solve_what_they_are_factors_of
#include <math.h>
#include <stddef.h>

#include "base/clones.h"
#include "linalg/small/small.h"

static void swap_rows(int n, double *restrict a, double *restrict b) {
    for (int j = 0; j < n; j++) {
        double keep = a[j];
        a[j] = b[j];
        b[j] = keep;
    }
}

// Exchanges rows so that the largest of column k is in row k; false: there is nothing in it.
static bool take_pivot(int n, int k, double *A, int *pivot) {
    double most = fabs(A[(ptrdiff_t)k * n + k]);
    pivot[k] = k;
    for (int i = k + 1; i < n; i++) {
        double size = fabs(A[(ptrdiff_t)i * n + k]);
        if (!(size > most)) continue;
        most = size;
        pivot[k] = i;
    }
    if (pivot[k] != k) swap_rows(n, A + (ptrdiff_t)k * n, A + (ptrdiff_t)pivot[k] * n);
    return most > 0;
}

// Shares of row k in the rows below it, and the column after it.
static void divide(int n, int k, double *A) {
    const double *own = A + (ptrdiff_t)k * n;
    for (int i = k + 1; i < n; i++) {
        double *row = A + (ptrdiff_t)i * n;
        row[k] /= own[k];
        if (k + 1 < n) row[k + 1] -= row[k] * own[k + 1];
    }
}

// Rows from k + 2 on less their shares of rows k and k + 1, from column k + 2 on.
JD_CLONES("avx2")
static void eliminate_two(int n, int k, double *A) {
    const double *restrict one = A + (ptrdiff_t)k * n, *restrict two = one + n;
    for (int i = k + 2; i < n; i++) {
        double *restrict row = A + (ptrdiff_t)i * n, first = row[k], second = row[k + 1];
        for (int j = k + 2; j < n; j++) row[j] = row[j] - first * one[j] - second * two[j];
    }
}

// Two columns at a time; an empty one has no shares.
bool jd_small_factor(int n, double *A, int *pivot) {
    bool regular = true;
    for (int k = 0; k < n; k += 2) {
        bool some = take_pivot(n, k, A, pivot);
        if (some) divide(n, k, A);
        regular = regular && some;
        if (k + 1 == n) break;
        some = take_pivot(n, k + 1, A, pivot);
        double *one = A + (ptrdiff_t)k * n, *two = one + n;
        for (int j = k + 2; j < n; j++) two[j] -= two[k] * one[j];
        for (int i = k + 2; some && i < n; i++) A[(ptrdiff_t)i * n + k + 1] /= two[k + 1];
        regular = regular && some;
        eliminate_two(n, k, A);
    }
    return regular;
}

// Four running sums, added in a fixed order.
static double dot(int n, const double *a, const double *b) {
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    int j = 0;
    for (; j + 4 <= n; j += 4) {
        s0 += a[j] * b[j];
        s1 += a[j + 1] * b[j + 1];
        s2 += a[j + 2] * b[j + 2];
        s3 += a[j + 3] * b[j + 3];
    }
    for (; j < n; j++) s0 += a[j] * b[j];
    return s0 + s1 + (s2 + s3);
}

void jd_small_solve(int n, const double *A, const int *pivot, double *b) {
    for (int k = 0; k < n; k++) {
        double keep = b[k];
        b[k] = b[pivot[k]];
        b[pivot[k]] = keep;
    }
    for (int i = 1; i < n; i++) b[i] -= dot(i, A + (ptrdiff_t)i * n, b);
    for (int i = n - 1; i >= 0; i--) {
        const double *row = A + (ptrdiff_t)i * n;
        b[i] = (b[i] - dot(n - i - 1, row + i + 1, b + i + 1)) / row[i];
    }
}
