// quadratic.c -- poles and complex modes of x'' + C x' + Omega^2 x = 0.
//   z = (g x, x'),  z' = A z,  A = {0 g; -omega^2/g, -C},  g_k = omega_k (a scale for rigid modes):
//   skew-symmetric but for C, hence balanced. LAPACK dgeev, then Newton on
//   F(s, u) = (s^2 + s C + Omega^2) u = 0 with residuals in double-double: for all poles together
//   (quadratic_newton.c), and with v'u = 1 one by one where that does not settle.
#include <complex.h>
#include <string.h>

#include "lazy/lapack.h"
#include "linalg/eigen.h"
#include "linalg/quadratic_newton.h"

typedef double complex cplx;

static cplx complex_of(double re, double im) { // CMPLX, which not every compiler has
    double part[2] = {re, im};
    cplx z;
    memcpy(&z, part, sizeof z);
    return z;
}

typedef struct problem {
    int n;
    const double *omega2, *C;
    double *g, *A, *re, *im, *vectors;
    cplx *u, *matrix, *change; // n, (n+1)^2, n+1
    int *order, *pivot;
    jd_pole_list own; // real poles and those with Im > 0 ...
    int *found;       // ... and their numbers in what dgeev left
} problem;

static jd_status take(jd_arena *arena, problem *p) {
    size_t n = (size_t)p->n, n2 = 2 * n;
    p->g = JD_TAKE(arena, double, n);
    p->A = JD_TAKE(arena, double, n2 *n2);
    p->re = JD_TAKE(arena, double, n2);
    p->im = JD_TAKE(arena, double, n2);
    p->vectors = JD_TAKE(arena, double, n2 *n2);
    p->u = JD_TAKE(arena, cplx, n);
    p->matrix = JD_TAKE(arena, cplx, (n + 1) * (n + 1));
    p->change = JD_TAKE(arena, cplx, n + 1);
    p->order = JD_TAKE(arena, int, n2);
    p->pivot = JD_TAKE(arena, int, n + 1);
    p->own = (jd_pole_list){.n = p->n};
    p->own.re = JD_TAKE(arena, double, n2);
    p->own.im = JD_TAKE(arena, double, n2);
    p->own.u_re = JD_TAKE(arena, double, n2 *n);
    p->own.u_im = JD_TAKE(arena, double, n2 *n);
    p->own.settled = JD_TAKE(arena, bool, n2);
    p->found = JD_TAKE(arena, int, n2);
    return jd_arena_status(arena);
}

// Column-major companion matrix.
static void companion(problem *p) {
    size_t n = (size_t)p->n, n2 = 2 * n;
    double least = HUGE_VAL;
    for (size_t k = 0; k < n; k++)
        if (p->omega2[k] > 0) least = fmin(least, p->omega2[k]);
    for (size_t k = 0; k < n; k++) {
        double square = p->omega2[k] > 0 ? p->omega2[k] : (isfinite(least) ? least : 1);
        p->g[k] = sqrt(square);
        p->A[(n + k) * n2 + k] = p->g[k];
        p->A[k * n2 + n + k] = -p->omega2[k] / p->g[k];
        for (size_t j = 0; j < n; j++) p->A[(n + j) * n2 + n + k] = -p->C[k * n + j];
    }
}

// Displacement part of eigenvector e of dgeev: z = (g u, s u).
static void unpack(problem *p, int e) {
    size_t n = (size_t)p->n, n2 = 2 * n;
    bool pair = p->im[e] != 0;
    const double *x = p->vectors + (size_t)e * n2;
    double norm = 0;
    for (size_t k = 0; k < n; k++) {
        p->u[k] = complex_of(x[k], pair ? x[n2 + k] : 0) / p->g[k];
        norm += creal(p->u[k] * conj(p->u[k]));
    }
    if (norm == 0) { // a rigid-body mode that creeps: the velocity part carries the shape
        for (size_t k = 0; k < n; k++) p->u[k] = complex_of(x[n + k], pair ? x[n2 + n + k] : 0);
        for (size_t k = 0; k < n; k++) norm += creal(p->u[k] * conj(p->u[k]));
    }
    for (size_t k = 0; k < n; k++) p->u[k] /= sqrt(norm);
}

// change := -(s^2 + s C + Omega^2) u; real and imaginary parts accumulate in double-double.
JD_DD_CLONES
static double residual(problem *p, cplx s) {
    size_t n = (size_t)p->n;
    jd_dd a = dd(creal(s)), b = dd(cimag(s));
    jd_dd s2_re = dd_sub(dd_mul(a, a), dd_mul(b, b)), s2_im = dd_scale(dd_mul(a, b), 2);
    double largest = 0;
    for (size_t k = 0; k < n; k++) {
        jd_dd x = dd(0), y = dd(0); // C u
        for (size_t j = 0; j < n; j++) {
            x = dd_add(x, dd_two_prod(p->C[k * n + j], creal(p->u[j])));
            y = dd_add(y, dd_two_prod(p->C[k * n + j], cimag(p->u[j])));
        }
        jd_dd d_re = dd_add(s2_re, dd(p->omega2[k]));
        double ur = creal(p->u[k]), ui = cimag(p->u[k]);
        jd_dd re = dd_sub(dd_scale(d_re, ur), dd_scale(s2_im, ui));
        jd_dd im = dd_add(dd_scale(d_re, ui), dd_scale(s2_im, ur));
        re = dd_add(re, dd_sub(dd_mul(a, x), dd_mul(b, y)));
        im = dd_add(im, dd_add(dd_mul(a, y), dd_mul(b, x)));
        p->change[k] = complex_of(-dd_value(re), -dd_value(im));
        largest = fmax(largest, cabs(p->change[k]));
    }
    return largest;
}

// One bordered Newton step; false when the matrix is singular (a defective pole).
static bool newton(problem *p, cplx *s) {
    size_t n = (size_t)p->n, w = n + 1;
    for (size_t j = 0; j < n; j++)
        for (size_t k = 0; k < n; k++)
            p->matrix[j * w + k] = *s * p->C[k * n + j] + (j == k ? *s * *s + p->omega2[k] : 0);
    for (size_t k = 0; k < n; k++) {
        cplx slope = 2 * *s * p->u[k];
        for (size_t j = 0; j < n; j++) slope += p->C[k * n + j] * p->u[j];
        p->matrix[n * w + k] = slope;
        p->matrix[k * w + n] = conj(p->u[k]);
    }
    p->matrix[n * w + n] = 0;
    p->change[n] = 0;
    if (LAPACKE_zgesv_work(LAPACK_COL_MAJOR, (int)w, 1, p->matrix, (int)w, p->pivot, p->change,
                           (int)w) != 0)
        return false;
    for (size_t k = 0; k < w; k++)
        if (!isfinite(creal(p->change[k])) || !isfinite(cimag(p->change[k]))) return false;
    for (size_t k = 0; k < n; k++) p->u[k] += p->change[k];
    *s += p->change[n];
    return true;
}

// Newton while the residual halves at least; a step that leaves the neighbourhood is not taken.
static cplx refine(problem *p, cplx s, cplx *keep) {
    size_t bytes = (size_t)p->n * sizeof *keep;
    double best = residual(p, s);
    for (int i = 0; i < 4 && best > 0; i++) {
        memcpy(keep, p->u, bytes);
        cplx old = s;
        bool ok = newton(p, &s) && cabs(s - old) <= 1e-6 * cabs(old);
        if (cimag(old) == 0) s = creal(s);
        double now = ok ? residual(p, s) : HUGE_VAL;
        if (!(now < best)) {
            memcpy(p->u, keep, bytes);
            return old;
        }
        if (now > best / 2) return s;
        best = now;
    }
    return s;
}

// u' (2 s + C) u = 1; a defective pole (critical damping) has no such scale and keeps length 1.
static void scale(problem *p, cplx s) {
    size_t n = (size_t)p->n;
    cplx sum = 0;
    for (size_t k = 0; k < n; k++) {
        cplx t = 2 * s * p->u[k];
        for (size_t j = 0; j < n; j++) t += p->C[k * n + j] * p->u[j];
        sum += p->u[k] * t;
    }
    if (cabs(sum) <= 1e-14 * cabs(s)) return;
    for (size_t k = 0; k < n; k++) p->u[k] /= csqrt(sum);
}

// Ascending in |s|; of a conjugate pair dgeev puts Im > 0 first, and the pair stays together.
static void sort(problem *p) {
    for (int i = 0; i < 2 * p->n; i++) p->order[i] = i;
    for (int i = 1; i < 2 * p->n; i++) {
        int key = p->order[i], j = i;
        double size = hypot(p->re[key], p->im[key]);
        for (; j > 0; j--) {
            int other = p->order[j - 1];
            if (hypot(p->re[other], p->im[other]) <= size) break;
            p->order[j] = other;
        }
        p->order[j] = key;
    }
}

static void store(const problem *p, int at, cplx s, double sign, double *pole, double *right) {
    pole[2 * at] = creal(s);
    pole[2 * at + 1] = sign * cimag(s);
    for (int k = 0; right && k < p->n; k++) {
        size_t i = 2 * ((size_t)at * (size_t)p->n + (size_t)k);
        right[i] = creal(p->u[k]);
        right[i + 1] = sign * cimag(p->u[k]);
    }
}

// The list of own poles in the order of |s|, from what dgeev left.
static void list_own(problem *p) {
    jd_pole_list *l = &p->own;
    for (int i = 0; i < 2 * p->n; i++) {
        int e = p->order[i], at = l->count++;
        unpack(p, e);
        p->found[at] = e;
        l->re[at] = p->re[e];
        l->im[at] = p->im[e];
        for (int k = 0; k < p->n; k++) {
            l->u_re[at * p->n + k] = creal(p->u[k]);
            l->u_im[at * p->n + k] = cimag(p->u[k]);
        }
        i += p->im[e] != 0;
    }
}

static void hand_over(problem *p, cplx *keep, double *pole, double *right) {
    const jd_pole_list *l = &p->own;
    for (int i = 0, at = 0; i < l->count; i++) {
        int e = p->found[i];
        cplx s = complex_of(l->re[i], l->im[i]);
        for (int k = 0; k < p->n; k++)
            p->u[k] = complex_of(l->u_re[i * p->n + k], l->u_im[i * p->n + k]);
        if (!l->settled[i]) {
            unpack(p, e);
            s = refine(p, complex_of(p->re[e], p->im[e]), keep);
        }
        scale(p, s);
        store(p, at++, s, 1, pole, right);
        if (l->im[i] != 0) store(p, at++, s, -1, pole, right);
    }
}

static jd_status solve(jd_arena *arena, problem *p, double *pole, double *right) {
    JD_TRY(take(arena, p));
    cplx *keep = JD_TAKE(arena, cplx, p->n);
    double *work = JD_TAKE(arena, double, 32 * (size_t)p->n);
    JD_TRY(jd_arena_status(arena));
    companion(p);
    JD_TRY(jd_lapack_ready(jd_arena_context(arena)));
    int n2 = 2 * p->n;
    if (LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'V', n2, p->A, n2, p->re, p->im, NULL, 1,
                           p->vectors, n2, work, 16 * n2) != 0)
        return jd_fail(jd_arena_context(arena), JD_NO_CONVERGENCE,
                       "the complex modes of %d degrees of freedom were not found", p->n);
    sort(p);
    list_own(p);
    JD_TRY(jd_quadratic_newton(arena, p->omega2, p->C, &p->own));
    hand_over(p, keep, pole, right);
    return JD_OK;
}

jd_status jd_eigen_quadratic(jd_arena *arena, int n, const double *omega2, const double *C,
                             double *pole, double *right) {
    jd_arena_mark mark = jd_arena_here(arena);
    problem p = {.n = n, .omega2 = omega2, .C = C};
    jd_status status = solve(arena, &p, pole, right);
    jd_arena_back(arena, mark);
    return status;
}
