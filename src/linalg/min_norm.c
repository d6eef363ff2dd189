// min_norm.c -- x = V diag(1/l) V' b over the eigenvalues l that are not rounding.
#include "linalg/min_norm.h"

#include <math.h>

#include "lazy/lapack.h"
#include "linalg/eigen.h"

static const double rank_tolerance = 1e-12;

int jd_min_norm(int n, double *G, double *b, double *work) {
    if (n == 1) {
        b[0] = G[0] > 0 ? b[0] / G[0] : 0;
        return G[0] > 0;
    }
    jd_blas_one_thread();
    double *l = work, *scratch = work + n, *y = work + 7 * n;
    if (LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'V', 'U', n, G, n, l, scratch, 6 * n)) return -1;
    int rank = 0;
    for (int k = 0; k < n; k++) {
        y[k] = 0;
        if (l[k] <= rank_tolerance * l[n - 1]) continue;
        for (int i = 0; i < n; i++) y[k] += G[k * n + i] * b[i];
        y[k] /= l[k];
        rank++;
    }
    for (int i = 0; i < n; i++) {
        b[i] = 0;
        for (int k = 0; k < n; k++) b[i] += G[k * n + i] * y[k];
    }
    return rank;
}
