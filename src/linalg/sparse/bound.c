// bound.c -- how far approximate eigenvalues are from true ones, by residuals.
#include "linalg/sparse/bound.h"

#include <math.h>
#include <string.h>

#include "linalg/dot.h"
#include "linalg/sparse/product.h"

enum { TOGETHER = 8 }; // residuals solved for at once: more takes little less time and more memory

// r = K x - lambda M x, in double-double before it is rounded: it is nearly nothing.
static void residual(const jd_sparse *K, const jd_sparse *M, jd_dd lambda, const double *x,
                     jd_dd *Kx, jd_dd *Mx, double *r) {
    jd_sparse_times_dd(K, x, Kx);
    jd_sparse_times_dd(M, x, Mx);
    for (int i = 0; i < K->n; i++) r[i] = dd_value(dd_sub(Kx[i], dd_mul(lambda, Mx[i])));
}

// Distance of theta_k from the nearest other one, less what is not known of that.
static double gap_of(int m, int k, double sigma, const jd_dd *lambda, const double *rho) {
    double own = 1 / (lambda[k].hi - sigma), gap = HUGE_VAL;
    for (int j = 0; j < m; j++)
        if (j != k) gap = fmin(gap, fabs(1 / (lambda[j].hi - sigma) - own) - rho[j]);
    if (k == m - 1) gap = fmin(gap, 0); // the next one is not known
    return gap;
}

// rho_k of m modes, m <= TOGETHER: theta^1.5 sqrt(r' S^-1 r).
static jd_status residuals(const jd_sparse *K, const jd_sparse *M, jd_factor *S, double sigma,
                           int m, const jd_dd *lambda, const double *vector, jd_dd *product,
                           double *r, double *s, double *rho) {
    size_t n = (size_t)K->n;
    for (int k = 0; k < m; k++)
        residual(K, M, lambda[k], vector + (size_t)k * n, product, product + n, r + (size_t)k * n);
    memcpy(s, r, (size_t)m * n * sizeof *s);
    JD_TRY(jd_factor_solve_many(S, m, s));
    for (int k = 0; k < m; k++) {
        double theta = 1 / (lambda[k].hi - sigma);
        double square = jd_dot(K->n, r + (size_t)k * n, s + (size_t)k * n);
        rho[k] = theta * sqrt(theta) * sqrt(fmax(square, 0));
    }
    return JD_OK;
}

jd_status jd_eigen_bound(jd_arena *arena, const jd_sparse *K, const jd_sparse *M, jd_factor *S,
                         double sigma, int m, const jd_dd *lambda, const double *vector,
                         double *bound) {
    size_t n = (size_t)K->n, together = m < TOGETHER ? (size_t)m : TOGETHER;
    jd_arena_mark mark = jd_arena_here(arena);
    jd_dd *product = JD_TAKE_RAW(arena, jd_dd, 2 * n);
    double *r = JD_TAKE_RAW(arena, double, together *n);
    double *s = JD_TAKE_RAW(arena, double, together *n), *rho = JD_TAKE(arena, double, m);
    jd_status status = jd_arena_status(arena);
    for (int k = 0; status == JD_OK && k < m; k += TOGETHER) {
        int count = m - k < TOGETHER ? m - k : TOGETHER;
        jd_progress(jd_arena_context(arena), "bounding the error of modes", (double)k / m);
        status = residuals(K, M, S, sigma, count, lambda + k, vector + (size_t)k * n, product, r, s,
                           rho + k);
    }
    for (int k = 0; status == JD_OK && k < m; k++) {
        double theta = 1 / (lambda[k].hi - sigma), gap = gap_of(m, k, sigma, lambda, rho);
        double off = gap > rho[k] ? rho[k] * rho[k] / gap : rho[k];
        bound[k] = off < theta ? off / (theta * (theta - off)) : HUGE_VAL;
    }
    jd_arena_back(arena, mark);
    return status;
}
