// bound.c -- how far approximate eigenvalues are from true ones, by residuals.
//   K x and M x are made once, in double-double, for Rayleigh quotient and residual.
#include "linalg/sparse/bound.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "linalg/dot.h"
#include "linalg/sparse/product.h"

enum { AT_ONCE = 4 * JD_SIDE }; // solves; the more, the less each takes

// Work of AT_ONCE modes: residuals; of JD_SIDE of them: x side by side, K x and M x.
typedef struct work {
    double *x, *r, *s; // r and s: AT_ONCE rows of n
    jd_side_dd Kx, Mx;
} work;

static jd_status take_work(jd_arena *arena, size_t n, work *w) {
    size_t size = n * JD_SIDE;
    *w = (work){.x = JD_TAKE_RAW(arena, double, size),
                .r = JD_TAKE_RAW(arena, double, n *AT_ONCE),
                .s = JD_TAKE_RAW(arena, double, n *AT_ONCE)};
    JD_TRY(jd_arena_status(arena));
    w->Kx = (jd_side_dd){w->s, w->s + size}; // both are used up before s is made
    w->Mx = (jd_side_dd){w->s + 2 * size, w->s + 3 * size};
    return JD_OK;
}

static jd_dd at(jd_side_dd y, size_t i, int v) {
    return (jd_dd){y.hi[i * JD_SIDE + (size_t)v], y.lo[i * JD_SIDE + (size_t)v]};
}

// Mode v of those side by side: r = K x - lambda M x, in double-double before it is rounded, as it
// is nearly nothing; x' M x = 1.
static void finish(const work *w, size_t n, int v, jd_dd lambda, double scale, double *x,
                   double *r) {
    for (size_t i = 0; i < n; i++) {
        r[i] = scale * dd_value(dd_sub(at(w->Kx, i, v), dd_mul(lambda, at(w->Mx, i, v))));
        x[i] *= scale;
    }
}

// lambda, rounding and residuals r of m <= JD_SIDE modes.
static jd_status quotients(jd_context *context, const jd_sparse *K, const jd_sparse *M, int m,
                           const work *w, double *lambda, double *vector, double *rounding,
                           double *r) {
    size_t n = (size_t)K->n;
    jd_dd strain[JD_SIDE], mass[JD_SIDE];
    jd_side_by_side(K->n, m, vector, w->x);
    jd_sparse_times_dd(K, w->x, w->Kx);
    jd_sparse_times_dd(M, w->x, w->Mx);
    jd_side_dots(K->n, w->x, w->Kx, strain);
    jd_side_dots(K->n, w->x, w->Mx, mass);
    for (int v = 0; v < m; v++) {
        double *x = vector + (size_t)v * n;
        if (!(mass[v].hi > 0))
            return jd_fail(context, JD_NO_CONVERGENCE, "a mode without mass was found");
        lambda[v] = dd_value(dd_div(strain[v], mass[v]));
        finish(w, n, v, dd(lambda[v]), 1 / sqrt(dd_value(mass[v])), x, r + (size_t)v * n);
        rounding[v] = DBL_EPSILON * (jd_sparse_size(K, x) + fabs(lambda[v]) * jd_sparse_size(M, x) +
                                     fabs(lambda[v]));
    }
    return JD_OK;
}

// rho = theta^1.5 sqrt(r' S^-1 r)
static jd_status residuals(jd_factor *S, int n, double sigma, int m, const double *lambda,
                           const work *w, double *rho) {
    size_t size = (size_t)n;
    memcpy(w->s, w->r, (size_t)m * size * sizeof *w->s);
    JD_TRY(jd_factor_solve_many(S, m, w->s));
    for (int k = 0; k < m; k++) {
        double theta = 1 / (lambda[k] - sigma);
        double square = jd_dot(n, w->r + (size_t)k * size, w->s + (size_t)k * size);
        rho[k] = theta * sqrt(theta) * sqrt(fmax(square, 0));
    }
    return JD_OK;
}

jd_status jd_eigen_sharpen(jd_arena *arena, const jd_sparse *K, const jd_sparse *M, jd_factor *S,
                           double sigma, int m, double *lambda, double *vector, double *rounding,
                           double *rho) {
    jd_context *context = jd_arena_context(arena);
    jd_arena_mark mark = jd_arena_here(arena);
    work w;
    jd_status status = take_work(arena, (size_t)K->n, &w);
    for (int k = 0, done = 0; status == JD_OK && k < m; k += JD_SIDE) {
        size_t n = (size_t)K->n;
        int count = m - k < JD_SIDE ? m - k : JD_SIDE, all = k + count - done;
        jd_progress(context, "bounding the error of modes", (double)k / m);
        status = quotients(context, K, M, count, &w, lambda + k, vector + (size_t)k * n,
                           rounding + k, w.r + (size_t)(k - done) * n);
        if (status != JD_OK || (all < AT_ONCE && k + count < m)) continue;
        status = residuals(S, K->n, sigma, all, lambda + done, &w, rho + done);
        done += all;
    }
    jd_arena_back(arena, mark);
    return status;
}

// Distance of theta_k from the nearest other one, less what is not known of that.
static double gap_of(int m, int k, double sigma, const double *lambda, const double *rho) {
    double own = 1 / (lambda[k] - sigma), gap = HUGE_VAL;
    for (int j = 0; j < m; j++)
        if (j != k) gap = fmin(gap, fabs(1 / (lambda[j] - sigma) - own) - rho[j]);
    if (k == m - 1) gap = fmin(gap, 0); // the next one is not known
    return gap;
}

void jd_eigen_bound(double sigma, int m, const double *lambda, const double *rho, double *bound) {
    for (int k = 0; k < m; k++) {
        double theta = 1 / (lambda[k] - sigma), gap = gap_of(m, k, sigma, lambda, rho);
        double off = gap > rho[k] ? rho[k] * rho[k] / gap : rho[k];
        bound[k] = off < theta ? off / (theta * (theta - off)) : HUGE_VAL;
    }
}
