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

// Rows k + 1 ... less what they have of row k, their share of it in column k; two at a time.
JD_CLONES("avx2")
static void eliminate(int n, int k, double *A) {
    const double *restrict own = A + (ptrdiff_t)k * n;
    int i = k + 1;
    for (; i + 2 <= n; i += 2) {
        double *restrict one = A + (ptrdiff_t)i * n, *restrict two = one + n,
                         share = one[k] / own[k], other = two[k] / own[k];
        for (int j = k + 1; j < n; j++) {
            one[j] -= share * own[j];
            two[j] -= other * own[j];
        }
        one[k] = share;
        two[k] = other;
    }
    for (; i < n; i++) {
        double *restrict row = A + (ptrdiff_t)i * n, share = row[k] / own[k];
        for (int j = k + 1; j < n; j++) row[j] -= share * own[j];
        row[k] = share;
    }
}

bool jd_small_factor(int n, double *A, int *pivot) {
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

void jd_small_solve(int n, const double *A, const int *pivot, double *b) {
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
