// pencil.c -- all eigenpairs of K x = lambda M x, K and M symmetric, M positive definite.
//   M = L L', C = L^-1 K L^-T = V Lambda V' by Jacobi's rotations, x = L^-T v: right to rounding of
//   the largest lambda, x'M x = 1.                 tested: pairs_of_small_pencils_solve_them
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/clones.h"
#include "linalg/small/small.h"

enum { SWEEPS = 30 }; // some eight are needed

static bool cholesky(int n, double *M) {
    for (int i = 0; i < n; i++) {
        double *row = M + (ptrdiff_t)i * n;
        for (int j = 0; j <= i; j++) {
            const double *other = M + (ptrdiff_t)j * n;
            double sum = row[j];
            for (int k = 0; k < j; k++) sum -= row[k] * other[k];
            if (i == j && !(sum > 0 && isfinite(sum))) return false;
            row[j] = i == j ? sqrt(sum) : sum / other[j];
        }
    }
    return true;
}

// Rows of C: C = L^-1 C.
static void solve_rows(int n, const double *L, double *C) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k <= i; k++) {
            double factor = L[(ptrdiff_t)i * n + k], *row = C + (ptrdiff_t)i * n;
            const double *other = C + (ptrdiff_t)k * n;
            for (int j = 0; j < n; j++)
                row[j] = k < i ? row[j] - factor * other[j] : row[j] / factor;
        }
}

static void transpose(int n, double *C) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double keep = C[(ptrdiff_t)i * n + j];
            C[(ptrdiff_t)i * n + j] = C[(ptrdiff_t)j * n + i];
            C[(ptrdiff_t)j * n + i] = keep;
        }
}

// (a, b) = (c a - s b, s a + c b), row by row.
JD_CLONES("avx2")
static void turn(int n, double c, double s, double *restrict a, double *restrict b) {
    for (int j = 0; j < n; j++) {
        double x = a[j], y = b[j];
        a[j] = c * x - s * y;
        b[j] = s * x + c * y;
    }
}

// Makes c_pq zero; rows of V become the eigenvectors.
static void rotate(int n, double *C, double *V, int p, int q) {
    double *a = C + (ptrdiff_t)p * n, *b = C + (ptrdiff_t)q * n, off = a[q];
    double theta = (b[q] - a[p]) / (2 * off),
           t = copysign(1, theta) / (fabs(theta) + sqrt(1 + theta * theta)),
           c = 1 / sqrt(1 + t * t), s = t * c, low = a[p] - t * off, high = b[q] + t * off;
    turn(n, c, s, a, b);
    for (int i = 0; i < n; i++) {
        C[(ptrdiff_t)i * n + p] = a[i];
        C[(ptrdiff_t)i * n + q] = b[i];
    }
    a[p] = low;
    b[q] = high;
    a[q] = b[p] = 0;
    turn(n, c, s, V + (ptrdiff_t)p * n, V + (ptrdiff_t)q * n);
}

static bool diagonalise(int n, double *C, double *V) {
    memset(V, 0, (size_t)n * (size_t)n * sizeof *V);
    for (int i = 0; i < n; i++) V[(ptrdiff_t)i * n + i] = 1;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double most = 0;
        bool all = true;
        for (int i = 0; i < n; i++) most = fmax(most, fabs(C[(ptrdiff_t)i * n + i]));
        if (!isfinite(most)) return false;
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) {
                double off = fabs(C[(ptrdiff_t)p * n + q]),
                       own = sqrt(fabs(C[(ptrdiff_t)p * n + p] * C[(ptrdiff_t)q * n + q]));
                if (off <= DBL_EPSILON * own || off <= DBL_EPSILON * DBL_EPSILON * most) continue;
                rotate(n, C, V, p, q);
                all = false;
            }
        if (all) return true;
    }
    return false;
}

// Ascending; rows of V with them.
static void sort(int n, double *value, double *V) {
    for (int k = 0; k < n; k++) {
        int least = k;
        for (int i = k + 1; i < n; i++)
            if (value[i] < value[least]) least = i;
        if (least == k) continue;
        double keep = value[k];
        value[k] = value[least];
        value[least] = keep;
        for (int j = 0; j < n; j++) {
            keep = V[(ptrdiff_t)k * n + j];
            V[(ptrdiff_t)k * n + j] = V[(ptrdiff_t)least * n + j];
            V[(ptrdiff_t)least * n + j] = keep;
        }
    }
}

bool jd_small_pencil(int n, double *K, double *M, double *value, double *V) {
    if (!cholesky(n, M)) return false;
    solve_rows(n, M, K);
    transpose(n, K);
    solve_rows(n, M, K); // L^-1 (L^-1 K)' is symmetric
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            K[(ptrdiff_t)i * n + j] = K[(ptrdiff_t)j * n + i] =
                (K[(ptrdiff_t)i * n + j] + K[(ptrdiff_t)j * n + i]) / 2;
    if (!diagonalise(n, K, V)) return false;
    for (int i = 0; i < n; i++) value[i] = K[(ptrdiff_t)i * n + i];
    sort(n, value, V);
    for (int k = 0; k < n; k++) // L'x = v
        for (int i = n - 1; i >= 0; i--) {
            double *x = V + (ptrdiff_t)k * n;
            for (int j = i + 1; j < n; j++) x[i] -= M[(ptrdiff_t)j * n + i] * x[j];
            x[i] /= M[(ptrdiff_t)i * n + i];
        }
    return true;
}
