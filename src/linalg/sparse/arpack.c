// arpack.c -- shift-invert Lanczos through ARPACK's reverse communication.
//   Mode 3 of dsaupd: OP = (K - sigma M)^-1 M, inner product x' M y.
#include "linalg/sparse/arpack.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "lazy/arpack.h"

enum { MAX_RESTARTS = 1000 };
// Residuals over Ritz values. Eigenvalues are quadratic in it and known to rounding by then; the
// last steps to rounding of the vectors would cost a fifth of the time (blocks of tetrahedra).
static const double converged = 1e-11;

// ARPACK's Fortran keeps `save` variables between the calls of one reverse communication, in the
// whole process: calls wait for each other.
static pthread_mutex_t arpack_lock = PTHREAD_MUTEX_INITIALIZER;

typedef struct lanczos {
    a_int n, n_mode, n_basis, n_work;
    double *residual, *basis, *work, *small;
    a_int param[11], pointer[14];
    int steps; // solves so far
} lanczos;

// Fixed start vector without symmetry, so that no mode is orthogonal to it: a linear congruential
// sequence (Knuth's MMIX constants) in (-1/2, 1/2).
static void start_vector(int n, double *x) {
    uint64_t seed = 20260101;
    for (int i = 0; i < n; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        x[i] = (double)(seed >> 11) * 0x1p-53 - 0.5;
    }
}

static jd_status prepare(jd_arena *arena, int n, int n_mode, lanczos *w) {
    int basis = 2 * n_mode + 1 > 20 ? 2 * n_mode + 1 : 20;
    if (basis > n) basis = n;
    *w = (lanczos){.n = n, .n_mode = n_mode, .n_basis = basis, .n_work = basis * (basis + 8)};
    w->residual = JD_TAKE(arena, double, n);
    w->basis = JD_TAKE(arena, double, (size_t)n *(size_t)basis);
    w->work = JD_TAKE(arena, double, 3 * (size_t)n);
    w->small = JD_TAKE(arena, double, w->n_work);
    w->param[0] = 1; // exact shifts
    w->param[2] = MAX_RESTARTS;
    w->param[6] = 3; // shift-invert
    JD_TRY(jd_arena_status(arena));
    start_vector(n, w->residual);
    return JD_OK;
}

// One request of dsaupd: -1: y = OP x;  1: y = (K - sigma M)^-1 (M x), M x at hand;  2: y = M x.
static jd_status serve(const jd_pencil_operator *op, lanczos *w, a_int request) {
    double *x = w->work + w->pointer[0] - 1, *y = w->work + w->pointer[1] - 1;
    double *mass_x = w->work + w->pointer[2] - 1;
    if (request == 2) {
        op->mass(op->user, x, y);
        return JD_OK;
    }
    if (request == -1) op->mass(op->user, x, mass_x);
    return op->solve(op->user, mass_x, y);
}

// How far it is: nobody knows beforehand how many steps it takes; for FE models it is about two
// bases full. What takes longer stays close below 1.
static void show(jd_context *context, lanczos *w) {
    double expected = 2.2 * (double)w->n_basis, share = w->steps++ / expected;
    jd_progress(context, "modes", share < 0.8 ? share : 1 - 0.2 * 0.8 / share);
}

static jd_status iterate(jd_context *context, const jd_pencil_operator *op, lanczos *w) {
    a_int request = 0, info = 1; // 1: the start vector is ours
    for (;;) {
        dsaupd_c(&request, "G", w->n, "LM", w->n_mode, converged, w->residual, w->n_basis, w->basis,
                 w->n, w->param, w->pointer, w->work, w->small, w->n_work, &info);
        if (request != -1 && request != 1 && request != 2) break;
        if (request != 2) show(context, w);
        JD_TRY(serve(op, w, request));
    }
    if (info == 0) return JD_OK;
    if (info == 1)
        return jd_fail(context, JD_NO_CONVERGENCE,
                       "only %d of %d modes converged after %d Lanczos restarts", (int)w->param[4],
                       (int)w->n_mode, MAX_RESTARTS);
    return jd_fail(context, JD_NO_CONVERGENCE, "the Lanczos iteration failed (dsaupd info = %d)",
                   (int)info);
}

// The vectors take the place of the basis.
static jd_status extract(jd_arena *arena, const jd_pencil_operator *op, lanczos *w,
                         double *lambda) {
    a_int info = 0, *select = JD_TAKE(arena, a_int, w->n_basis);
    JD_TRY(jd_arena_status(arena));
    dseupd_c(true, "A", select, lambda, w->basis, w->n, op->sigma, "G", w->n, "LM", w->n_mode,
             converged, w->residual, w->n_basis, w->basis, w->n, w->param, w->pointer, w->work,
             w->small, w->n_work, &info);
    if (info == 0) return JD_OK;
    return jd_fail(jd_arena_context(arena), JD_NO_CONVERGENCE,
                   "the Lanczos vectors cannot be formed (dseupd info = %d)", (int)info);
}

static void swap_rows(size_t n, double *a, double *b) {
    for (size_t i = 0; i < n; i++) {
        double t = a[i];
        a[i] = b[i];
        b[i] = t;
    }
}

// Ascending; the few modes there are come nearly sorted.
static void sort_pairs(size_t n, int n_mode, double *lambda, double *vector) {
    for (int i = 1; i < n_mode; i++)
        for (int k = i; k > 0 && lambda[k] < lambda[k - 1]; k--) {
            swap_rows(1, lambda + k, lambda + k - 1);
            swap_rows(n, vector + (size_t)k * n, vector + (size_t)(k - 1) * n);
        }
}

jd_status jd_arpack_lowest(jd_arena *arena, const jd_pencil_operator *op, int n_mode,
                           double *lambda, double **vector) {
    jd_context *context = jd_arena_context(arena);
    if (n_mode < 1 || n_mode >= op->n)
        return jd_fail(context, JD_BAD_ARGUMENT, "%d modes of %d cannot be found by Lanczos",
                       n_mode, op->n);
    JD_TRY(jd_lazy_arpack_ready(context));
    lanczos w;
    jd_status status = prepare(arena, op->n, n_mode, &w);
    pthread_mutex_lock(&arpack_lock);
    if (status == JD_OK) status = iterate(context, op, &w);
    if (status == JD_OK) status = extract(arena, op, &w, lambda);
    pthread_mutex_unlock(&arpack_lock);
    if (status == JD_OK) sort_pairs((size_t)op->n, n_mode, lambda, w.basis);
    *vector = w.basis;
    return status;
}
