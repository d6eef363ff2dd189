// sparse.c -- lowest modes of large sparse pencils: shift-invert Lanczos, checked by inertia.
//   1. M + 1e-9 diag M = L D L', all D > 0: M has no negative eigenvalue to speak of. Where each
//      direction has the same block of M, one of them is factorised. M may be singular (quadratic
//      tetrahedra with few points of integration): modes without mass are at infinity, where
//      shift-invert does not look.
//   2. Lanczos at sigma = -1e-10 of a typical K_jj/M_jj: K - sigma M is positive definite for any
//      semidefinite K, free structures too. No negative pivot: K has no eigenvalue below sigma.
//   3. Rayleigh quotients in double-double: quadratic in the error of the vector. Error: bound.h,
//      and eps (|x|'|K||x| + lambda |x|'|M||x|) for the rounding of the entries themselves.
//   4. K - sigma M at sigma between the last mode wanted and the next must have as many negative
//      pivots as modes were found: Lanczos misses multiple eigenvalues now and then. If so, again.
//   The factors of 2 are most of the memory: they are let go before 4, and made again if wanted.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/estimate.h"
#include "linalg/sparse/bound.h"
#include "linalg/sparse/distinct.h"
#include "linalg/sparse/factor.h"
#include "linalg/sparse/lanczos.h"
#include "linalg/sparse/order/order.h"
#include "linalg/sparse/product.h"

enum { SPARE_MODES = 2, ATTEMPTS = 30, MOST_RIGID = 6 };
static const double alike = 1e-9;    // eigenvalues as close are those of one frequency
static const double beside = 1e-6;   // of an eigenvalue: where those below it are counted
static const double noise = 1e-14;   // of the largest eigenvalue: what rounding leaves of 0
static const double massless = 1e-9; // of M_jj: eigenvalues of M within are 0

typedef struct pencil {
    jd_arena *arena;
    const jd_sparse *K, *M;
    jd_factor *shifted;
    int *order; // of elimination, for all matrices factorised here
    double lambda_max, sigma;
    double *wrong;           // |d lambda| of the modes found, at most
    const jd_eigen_use *use; // of the factor; NULL: none
} pencil;

static jd_status factor_shifted(pencil *p, double sigma, jd_factor **out) {
    jd_progress(jd_arena_context(p->arena), "factorising", 0);
    return jd_factor_shifted(jd_arena_context(p->arena), p->K, p->M, sigma, p->order, out);
}

static double diagonal(const jd_sparse *A, int j) {
    for (int p = A->start[j]; p < A->start[j + 1]; p++)
        if (A->row[p] == j) return A->value[p];
    return 0;
}

// M + massless diag M, its blocks that differ.
static jd_status mass_to_check(pencil *p, jd_sparse *N, int **order) {
    JD_TRY(jd_sparse_distinct(p->arena, p->M, p->order, N, order));
    double *value = JD_TAKE_RAW(p->arena, double, N->start[N->n]);
    JD_TRY(jd_arena_status(p->arena));
    for (int j = 0; j < N->n; j++)
        for (int i = N->start[j]; i < N->start[j + 1]; i++)
            value[i] = N->value[i] * (N->row[i] == j ? 1 + massless : 1);
    N->value = value;
    return JD_OK;
}

static jd_status check_mass(pencil *p) {
    jd_context *context = jd_arena_context(p->arena);
    jd_arena_mark mark = jd_arena_here(p->arena);
    jd_sparse N;
    int *order, negative = 0;
    jd_progress(context, "checking the mass matrix", 0);
    JD_TRY(mass_to_check(p, &N, &order));
    bool fine = true;
    for (int j = 0; j < p->M->n; j++) fine = fine && diagonal(p->M, j) > 0;
    jd_status status = fine ? JD_OK : JD_NOT_DEFINITE;
    if (fine && N.n > 0) status = jd_inertia(context, &N, NULL, 0, order, &negative);
    jd_arena_back(p->arena, mark);
    if (status == JD_OK && negative == 0) return JD_OK;
    if (status != JD_OK && status != JD_NOT_DEFINITE) return status;
    return jd_fail(context, JD_NOT_DEFINITE, "the mass matrix is not positive semidefinite");
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The size of the largest eigenvalue (it only scales tolerances), and a typical one for the shift:
// the median of K_jj/M_jj, which single stiff or light dofs do not move.
static jd_status sizes(pencil *p, double *typical) {
    int n = p->K->n;
    jd_arena_mark mark = jd_arena_here(p->arena);
    double *ratio = JD_TAKE_RAW(p->arena, double, n);
    JD_TRY(jd_arena_status(p->arena));
    for (int j = 0; j < n; j++) {
        double sum = 0, mass = diagonal(p->M, j);
        for (int i = p->K->start[j]; i < p->K->start[j + 1]; i++) sum += fabs(p->K->value[i]);
        ratio[j] = diagonal(p->K, j) / mass;
        p->lambda_max = fmax(p->lambda_max, sum / mass);
    }
    qsort(ratio, (size_t)n, sizeof *ratio, ascending);
    *typical = ratio[n / 2];
    jd_arena_back(p->arena, mark);
    return JD_OK;
}

static jd_status apply_solve(void *user, int m, double *x) {
    return jd_factor_solve_many(((pencil *)user)->shifted, m, x);
}

static void apply_mass(void *user, int m, const double *x, double *y) {
    jd_sparse_times_many(((pencil *)user)->M, m, x, y);
}

static void swap(size_t n, double *a, double *b) {
    for (size_t i = 0; i < n; i++) {
        double t = a[i];
        a[i] = b[i];
        b[i] = t;
    }
}

// Rayleigh quotients, ascending, and how far they may be off: by rounding of the entries, and by
// what the residuals leave open.
static jd_status sharpen(pencil *p, int count, double *lambda, double *vector, double *wrong) {
    size_t n = (size_t)p->K->n;
    jd_arena_mark mark = jd_arena_here(p->arena);
    double *rho = JD_TAKE(p->arena, double, count), *bound = JD_TAKE(p->arena, double, count);
    jd_status status = jd_arena_status(p->arena);
    if (status == JD_OK)
        status = jd_eigen_sharpen(p->arena, p->K, p->M, p->shifted, p->sigma, count, lambda, vector,
                                  wrong, rho);
    for (int k = 0; status == JD_OK && k < count; k++)
        for (int l = k; l > 0 && lambda[l] < lambda[l - 1]; l--) {
            swap(1, &lambda[l], &lambda[l - 1]);
            swap(1, &wrong[l], &wrong[l - 1]);
            swap(1, &rho[l], &rho[l - 1]);
            swap(n, vector + (size_t)l * n, vector + (size_t)(l - 1) * n);
        }
    if (status == JD_OK) jd_eigen_bound(p->sigma, count, lambda, rho, bound);
    for (int k = 0; status == JD_OK && k < count; k++) wrong[k] += bound[k];
    jd_arena_back(p->arena, mark);
    return status;
}

// Where to count: *found of ours lie below it. In the first gap that follows mode n_mode - 1 and is
// not narrow beside the widest; where all from there on have one frequency, just below the first
// that has it: of these as many are found as were asked for.
static void place_to_count(const pencil *p, int n_mode, int count, const double *lambda, int *found,
                           double *low, double *gap) {
    double widest = 0, last = lambda[n_mode - 1];
    double same = fmax(alike * fabs(last), noise * p->lambda_max);
    for (int k = n_mode; k < count; k++) widest = fmax(widest, lambda[k] - lambda[k - 1]);
    bool clear = widest > same;
    int k = n_mode;
    while (clear && !(lambda[k] - lambda[k - 1] > 0.1 * widest)) k++;
    while (!clear && k > 0 && lambda[k - 1] >= last - same) k--;
    *found = k;
    *low = clear ? lambda[k - 1] : lambda[k] - fmax(beside * fabs(lambda[k]), 10 * same);
    if (!clear && k > 0) *low = fmax(*low, (lambda[k - 1] + lambda[k]) / 2);
    *gap = lambda[k] - *low;
}

// How many eigenvalues lie below that place. Where the factorisation fails because sigma is an
// eigenvalue, one that was missed, it is moved.
static jd_status count_below_gap(pencil *p, int n_mode, int count, const double *lambda, int *found,
                                 int *exist) {
    static const double share[] = {0.5, 0.4375, 0.59375}; // of the gap
    jd_context *context = jd_arena_context(p->arena);
    double low, gap;
    jd_status status = JD_NOT_DEFINITE;
    place_to_count(p, n_mode, count, lambda, found, &low, &gap);
    for (size_t i = 0; i < sizeof share / sizeof *share && status == JD_NOT_DEFINITE; i++) {
        if (i > 0) jd_context_clear_error(context);
        jd_progress(context, "counting modes", 0);
        status = jd_inertia(context, p->K, p->M, low + share[i] * gap, p->order, exist);
    }
    return status;
}

static jd_status factor_below(pencil *p) {
    jd_status status = factor_shifted(p, p->sigma, &p->shifted);
    if (status != JD_OK && status != JD_NOT_DEFINITE) return status;
    if (status == JD_OK && jd_factor_negative(p->shifted) == 0) return JD_OK;
    return jd_fail(jd_arena_context(p->arena), JD_NOT_DEFINITE,
                   "the stiffness matrix is not positive semidefinite: it has %d eigenvalues "
                   "below %.6g (largest %.6g)",
                   p->shifted ? jd_factor_negative(p->shifted) : 1, p->sigma, p->lambda_max);
}

static void release(pencil *p) {
    jd_factor_free(p->shifted);
    p->shifted = NULL;
}

// By Lanczos here, or by the solver that holds the factor.
static jd_status find_pairs(pencil *p, const jd_known_pairs *known, int n_mode, int count,
                            double *lambda, double **vector) {
    jd_pencil_operator op = {p->K->n, p->sigma, apply_solve, apply_mass, p};
    if (!jd_factor_elsewhere(p->shifted))
        return jd_lanczos_lowest(p->arena, &op, known, n_mode, count, lambda, vector);
    *vector = JD_TAKE_RAW(p->arena, double, (size_t)count *(size_t)p->K->n);
    JD_TRY(jd_arena_status(p->arena));
    jd_progress(jd_arena_context(p->arena), "modes", 0);
    return jd_factor_lowest(p->shifted, count, lambda, *vector);
}

// count >= n_mode + 1 pairs into lambda, *vector, wrong; *exist equal *found: complete.
static jd_status attempt(pencil *p, const jd_known_pairs *known, int n_mode, int count,
                         double *lambda, double **vector, double *wrong, int *found, int *exist) {
    JD_TRY(factor_below(p));
    JD_TRY(find_pairs(p, known, n_mode, count, lambda, vector));
    JD_TRY(sharpen(p, count, lambda, *vector, wrong));
    if (p->use) JD_TRY(p->use->with(p->use->user, *vector, p->shifted));
    release(p);
    return count_below_gap(p, n_mode, count, lambda, found, exist);
}

static jd_status search(pencil *p, int n_mode, double *lambda, double *vector) {
    jd_context *context = jd_arena_context(p->arena);
    size_t n = (size_t)p->K->n;
    int count = n_mode + SPARE_MODES, found = 0, exist = 0;
    for (int i = 0; i < ATTEMPTS; i++) {
        if (count >= p->K->n) count = p->K->n - 1;
        jd_arena_mark mark = jd_arena_here(p->arena);
        double *l = JD_TAKE(p->arena, double, count), *r = JD_TAKE(p->arena, double, count);
        const jd_known_pairs known = {lambda, vector, i};
        double *x;
        JD_TRY(jd_arena_status(p->arena));
        JD_TRY(attempt(p, i > 0 ? &known : NULL, n_mode, count, l, &x, r, &found, &exist));
        memcpy(lambda, l, (size_t)n_mode * sizeof *l);
        memcpy(vector, x, (size_t)n_mode * n * sizeof *x);
        memcpy(p->wrong, r, (size_t)n_mode * sizeof *r);
        if (exist == found) return JD_OK;
        jd_arena_back(p->arena, mark);
        // What is missing is sought among the others; not where too many were found.
        if (exist < found) count += 2 + SPARE_MODES;
    }
    jd_fail(context, JD_NO_CONVERGENCE,
            "%d eigenvalues lie where only %d modes were found: some are missing", exist, found);
    jd_fail_hint(context, "ask for some modes more or fewer, so that the last one does not lie "
                          "among many of nearly its frequency");
    return JD_NO_CONVERGENCE;
}

static jd_status lowest(pencil *p, int n_mode, double *lambda, double *vector) {
    p->wrong = JD_TAKE(p->arena, double, n_mode);
    JD_TRY(jd_arena_status(p->arena));
    double typical = 0;
    jd_progress(jd_arena_context(p->arena), "ordering", 0);
    JD_TRY(jd_sparse_order(p->arena, p->K, p->M, &p->order));
    JD_TRY(check_mass(p));
    JD_TRY(sizes(p, &typical));
    if (!(typical > 0)) typical = p->lambda_max > 0 ? p->lambda_max : 1e10;
    p->sigma = -1e-10 * typical;
    return search(p, n_mode, lambda, vector);
}

// S = D K D with unit diagonal, and the identity.
static jd_status scale_down(jd_arena *arena, const jd_sparse *K, jd_sparse *S, jd_sparse *I) {
    int n = K->n;
    double *d = JD_TAKE(arena, double, n);
    *S = (jd_sparse){n, K->start, K->row, JD_TAKE(arena, double, K->start[n])};
    *I = (jd_sparse){n, JD_TAKE(arena, int, n + 1), JD_TAKE(arena, int, n),
                     JD_TAKE(arena, double, n)};
    JD_TRY(jd_arena_status(arena));
    for (int j = 0; j < n; j++) {
        d[j] = 1;
        for (int p = K->start[j]; p < K->start[j + 1]; p++)
            if (K->row[p] == j && K->value[p] > 0) d[j] = 1 / sqrt(K->value[p]);
        I->start[j + 1] = j + 1;
        I->row[j] = j;
        I->value[j] = 1;
    }
    for (int j = 0; j < n; j++)
        for (int p = K->start[j]; p < K->start[j + 1]; p++)
            S->value[p] = K->value[p] * d[K->row[p]] * d[j];
    return JD_OK;
}

jd_status jd_eigen_sparse_nullity(jd_arena *arena, const jd_sparse *K, int found, int *nullity) {
    jd_sparse S, I;
    int count = found + MOST_RIGID + 1;
    *nullity = -1;
    if (count + 1 >= K->n) return JD_OK;
    JD_TRY(scale_down(arena, K, &S, &I));
    double *lambda = JD_TAKE(arena, double, count);
    double *vector = JD_TAKE(arena, double, (size_t)count *(size_t)K->n);
    JD_TRY(jd_arena_status(arena));
    pencil p = {.arena = arena, .K = &S, .M = &I};
    jd_status status = lowest(&p, count, lambda, vector);
    release(&p);
    if (status == JD_OK) *nullity = jd_eigen_nullity(count, false, lambda, p.lambda_max);
    return status == JD_OUT_OF_MEMORY ? status : JD_OK;
}

static jd_status judge(pencil *p, int n_mode, double *lambda, double *error) {
    int unknown = jd_eigen_unknown(n_mode, p->lambda_max, lambda), nullity = 0;
    if (unknown > 0) JD_TRY(jd_eigen_sparse_nullity(p->arena, p->K, unknown, &nullity));
    return jd_eigen_judge(jd_arena_context(p->arena), n_mode, p->lambda_max, nullity, p->wrong,
                          lambda, error);
}

jd_status jd_eigen_sparse(jd_arena *arena, const jd_sparse *K, const jd_sparse *M, int n_mode,
                          double *lambda, double *vector, double *error, jd_factor **shifted,
                          const jd_eigen_use *use) {
    if (n_mode < 1 || n_mode + 1 >= K->n || K->n != M->n)
        return jd_fail(jd_arena_context(arena), JD_BAD_ARGUMENT,
                       "%d modes of a sparse problem of size %d", n_mode, K->n);
    JD_TRY(jd_lapack_ready(jd_arena_context(arena)));
    jd_arena_mark mark = jd_arena_here(arena);
    pencil p = {.arena = arena, .K = K, .M = M, .use = use};
    jd_status status = lowest(&p, n_mode, lambda, vector);
    release(&p); // after a failure there still is one
    if (status == JD_OK) status = judge(&p, n_mode, lambda, error);
    jd_arena_back(arena, mark);
    return status == JD_OK && shifted ? factor_shifted(&p, p.sigma, shifted) : status;
}
