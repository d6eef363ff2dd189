// bound.c -- how far approximate eigenvalues are from true ones, by residuals.
#include "linalg/sparse/bound.h"

#include <math.h>

#include "linalg/dot.h"
#include "linalg/sparse/product.h"

// sqrt(r' S^-1 r)
static jd_status residual_norm(const jd_sparse *K, const jd_sparse *M, jd_factor *S, jd_dd lambda,
                               const double *x, jd_dd *Kx, jd_dd *Mx, double *r, double *s,
                               double *norm) {
    int n = K->n;
    jd_sparse_times_dd(K, x, Kx);
    jd_sparse_times_dd(M, x, Mx);
    for (int i = 0; i < n; i++) r[i] = dd_value(dd_sub(Kx[i], dd_mul(lambda, Mx[i])));
    JD_TRY(jd_factor_solve(S, r, s));
    *norm = sqrt(fmax(jd_dot(n, r, s), 0));
    return JD_OK;
}

// Distance of theta_k from the nearest other one, less what is not known of that.
static double gap_of(int m, int k, double sigma, const jd_dd *lambda, const double *rho) {
    double own = 1 / (lambda[k].hi - sigma), gap = HUGE_VAL;
    for (int j = 0; j < m; j++)
        if (j != k) gap = fmin(gap, fabs(1 / (lambda[j].hi - sigma) - own) - rho[j]);
    if (k == m - 1) gap = fmin(gap, 0); // the next one is not known
    return gap;
}

jd_status jd_eigen_bound(jd_arena *arena, const jd_sparse *K, const jd_sparse *M, jd_factor *S,
                         double sigma, int m, const jd_dd *lambda, const double *vector,
                         double *bound) {
    size_t n = (size_t)K->n;
    jd_arena_mark mark = jd_arena_here(arena);
    jd_dd *Kx = JD_TAKE(arena, jd_dd, n), *Mx = JD_TAKE(arena, jd_dd, n);
    double *r = JD_TAKE(arena, double, n), *s = JD_TAKE(arena, double, n);
    double *rho = JD_TAKE(arena, double, m);
    jd_status status = jd_arena_status(arena);
    for (int k = 0; status == JD_OK && k < m; k++) {
        double theta = 1 / (lambda[k].hi - sigma);
        status = residual_norm(K, M, S, lambda[k], vector + (size_t)k * n, Kx, Mx, r, s, &rho[k]);
        rho[k] *= theta * sqrt(theta);
    }
    for (int k = 0; status == JD_OK && k < m; k++) {
        double theta = 1 / (lambda[k].hi - sigma), gap = gap_of(m, k, sigma, lambda, rho);
        double off = gap > rho[k] ? rho[k] * rho[k] / gap : rho[k];
        bound[k] = off < theta ? off / (theta * (theta - off)) : HUGE_VAL;
    }
    jd_arena_back(arena, mark);
    return status;
}
