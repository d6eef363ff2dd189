// dense.c -- K x = lambda M x for small matrices: LAPACK dsygvd, all eigenvalues.
//   M = U'U (Cholesky), U'^-1 K U^-1 y = lambda y, x = U^-1 y: good to eps lambda_max.
//   Where M is singular: M x = theta (K + s M) x, theta = 1/(lambda + s); directions without mass
//   have theta = 0 and are no modes. lambda is the Rayleigh quotient; its error follows from
//   r = K x - lambda M x in the inner product of K + s M (sparse/bound.h).
#include <float.h>
#include <math.h>
#include <string.h>

#include "lazy/lapack.h"
#include "linalg/eigen.h"
#include "linalg/estimate.h"

// sqrt(r' M^-1 r) with r = K x - lambda M x; U: Cholesky factor of M, row-major upper.
static double residual_norm(int n, const double *K, const double *M, const double *U,
                            const double *x, double lambda, double *r) {
    cblas_dsymv(CblasRowMajor, CblasUpper, n, 1, K, n, x, 1, 0, r, 1);
    cblas_dsymv(CblasRowMajor, CblasUpper, n, -lambda, M, n, x, 1, 1, r, 1);
    cblas_dtrsv(CblasRowMajor, CblasUpper, CblasTrans, CblasNonUnit, n, U, n, r, 1);
    return cblas_dnrm2(n, r, 1);
}

static const double massless = 1e-9; // eigenvalues of the mass below are 0, relative to stiffness

static jd_status solve(jd_context *context, int n, double *vectors, double *U, double *all,
                       bool *singular) {
    lapack_int info = LAPACKE_dsygvd(LAPACK_ROW_MAJOR, 1, 'V', 'U', n, vectors, n, U, n, all);
    if (info == 0) return JD_OK;
    if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR)
        return jd_fail(context, JD_OUT_OF_MEMORY, "not enough memory for a dense matrix of size %d",
                       n);
    *singular = info > n;
    if (info > n)
        return jd_fail(context, JD_NOT_DEFINITE,
                       "the mass matrix is not positive definite: its leading %d x %d part is not",
                       (int)info - n, (int)info - n);
    return jd_fail(context, JD_NO_CONVERGENCE, "the dense eigenproblem failed (dsygvd info = %d)",
                   (int)info);
}

// Null vectors of K, counted by the eigenvalues of D K D with unit diagonal.
jd_status jd_eigen_dense_nullity(jd_arena *arena, int n, const double *K, int *nullity) {
    size_t size = (size_t)n;
    double *S = JD_TAKE(arena, double, size *size), *all = JD_TAKE(arena, double, size);
    JD_TRY(jd_arena_status(arena));
    for (size_t i = 0; i < size; i++)
        for (size_t j = i; j < size; j++) {
            double a = K[i * size + i], b = K[j * size + j];
            S[i * size + j] = K[i * size + j] / (a > 0 ? sqrt(a) : 1) / (b > 0 ? sqrt(b) : 1);
        }
    lapack_int info = LAPACKE_dsyevd(LAPACK_ROW_MAJOR, 'N', 'U', n, S, n, all);
    *nullity = info == 0 ? jd_eigen_nullity(n, true, all, fabs(all[n - 1])) : -1;
    return JD_OK;
}

// s: far above the noise of K, far below its elastic modes.
static double small_shift(int n, const double *K, const double *M) {
    double strain = 0, mass = 0;
    for (size_t i = 0; i < (size_t)n; i++) {
        strain += K[i * (size_t)n + i];
        mass += M[i * (size_t)n + i];
    }
    return strain > 0 && mass > 0 ? 1e-9 * strain / mass : 1;
}

static double quotient(int n, const double *A, const double *x, double *y) {
    cblas_dsymv(CblasRowMajor, CblasUpper, n, 1, A, n, x, 1, 0, y, 1);
    return cblas_ddot(n, x, 1, y, 1);
}

// Eigenpairs of (M, S), S = K + s M = U'U, by falling theta; M must have no negative eigenvalue.
static jd_status solve_singular(jd_context *context, int n, const double *K, const double *M,
                                double s, double *vectors, double *U, double *all) {
    size_t size = (size_t)n * (size_t)n;
    memcpy(vectors, M, size * sizeof *M);
    for (size_t i = 0; i < size; i++) U[i] = K[i] + s * M[i];
    lapack_int info = LAPACKE_dsygvd(LAPACK_ROW_MAJOR, 1, 'V', 'U', n, vectors, n, U, n, all);
    if (info > n)
        return jd_fail(context, JD_NOT_DEFINITE,
                       "a degree of freedom has neither mass nor stiffness, or the stiffness "
                       "matrix is not positive semidefinite");
    if (info != 0)
        return jd_fail(context, JD_NO_CONVERGENCE,
                       "the dense eigenproblem failed (dsygvd info = %d)", (int)info);
    if (all[0] < -massless * all[n - 1])
        return jd_fail(context, JD_NOT_DEFINITE, "the mass matrix is not positive semidefinite");
    return JD_OK;
}

static int count_with_mass(int n, const double *theta) {
    int count = 0;
    while (count < n && theta[n - 1 - count] > massless * theta[n - 1]) count++;
    return count;
}

static jd_status lowest_singular(jd_arena *arena, int n, const double *K, const double *M,
                                 int n_mode, double *lambda, double *vector, double *error) {
    jd_context *context = jd_arena_context(arena);
    size_t size = (size_t)n * (size_t)n;
    double *vectors = JD_TAKE(arena, double, size), *U = JD_TAKE(arena, double, size);
    double *all = JD_TAKE(arena, double, n), *wrong = JD_TAKE(arena, double, n_mode);
    double *y = JD_TAKE(arena, double, n), s = small_shift(n, K, M), largest = 0;
    JD_TRY(jd_arena_status(arena));
    JD_TRY(solve_singular(context, n, K, M, s, vectors, U, all));
    int with_mass = count_with_mass(n, all);
    if (with_mass < n_mode)
        return jd_fail(context, JD_OUT_OF_RANGE,
                       "`modes` is %d, but the mass matrix is singular and leaves %d modes", n_mode,
                       with_mass);
    for (int k = 0; k < n_mode; k++) {
        double *x = vector + (size_t)k * (size_t)n;
        for (int i = 0; i < n; i++) x[i] = vectors[(size_t)i * (size_t)n + (size_t)(n - 1 - k)];
        double scale = 1 / sqrt(quotient(n, M, x, y));
        for (int i = 0; i < n; i++) x[i] *= scale;
        lambda[k] = quotient(n, K, x, y);
        double r = residual_norm(n, K, M, U, x, lambda[k], y);
        largest = 1 / all[n - with_mass] - s;
        wrong[k] = sqrt(lambda[k] + s) * r + 4 * DBL_EPSILON * largest;
    }
    int nullity = 0;
    if (jd_eigen_unknown(n_mode, largest, lambda) > 0)
        JD_TRY(jd_eigen_dense_nullity(arena, n, K, &nullity));
    return jd_eigen_judge(context, n_mode, largest, nullity, wrong, lambda, error);
}

static jd_status find_with_mass(jd_arena *arena, int n, const double *K, const double *M,
                                int *out) {
    size_t size = (size_t)n * (size_t)n;
    double *vectors = JD_TAKE(arena, double, size), *U = JD_TAKE(arena, double, size);
    double *all = JD_TAKE(arena, double, n);
    *out = n;
    JD_TRY(jd_arena_status(arena));
    memcpy(U, M, size * sizeof *M);
    if (LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'U', n, U, n) == 0) return JD_OK; // M is definite
    JD_TRY(solve_singular(jd_arena_context(arena), n, K, M, small_shift(n, K, M), vectors, U, all));
    *out = count_with_mass(n, all);
    return JD_OK;
}

jd_status jd_eigen_dense_count(jd_arena *arena, int n, const double *K, const double *M, int *out) {
    JD_TRY(jd_lapack_ready(jd_arena_context(arena)));
    jd_arena_mark mark = jd_arena_here(arena);
    jd_status status = find_with_mass(arena, n, K, M, out);
    jd_arena_back(arena, mark);
    return status;
}

static jd_status lowest(jd_arena *arena, int n, const double *K, const double *M, int n_mode,
                        double *lambda, double *vector, double *error, bool *singular) {
    size_t size = (size_t)n * (size_t)n;
    double *vectors = JD_TAKE(arena, double, size), *U = JD_TAKE(arena, double, size);
    double *all = JD_TAKE(arena, double, n), *residual = JD_TAKE(arena, double, n_mode);
    double *r = JD_TAKE(arena, double, n);
    JD_TRY(jd_arena_status(arena));
    memcpy(vectors, K, size * sizeof *K);
    memcpy(U, M, size * sizeof *M);
    JD_TRY(solve(jd_arena_context(arena), n, vectors, U, all, singular));
    for (int k = 0; k < n_mode; k++) {
        double *x = vector + (size_t)k * (size_t)n;
        for (int i = 0; i < n; i++) x[i] = vectors[(size_t)i * (size_t)n + (size_t)k];
        lambda[k] = all[k];
        residual[k] = residual_norm(n, K, M, U, x, lambda[k], r);
    }
    double largest = fmax(fabs(all[0]), fabs(all[n - 1]));
    for (int k = 0; k < n_mode; k++) residual[k] = fmax(DBL_EPSILON * largest, residual[k]);
    int nullity = 0;
    if (jd_eigen_unknown(n_mode, largest, lambda) > 0)
        JD_TRY(jd_eigen_dense_nullity(arena, n, K, &nullity));
    return jd_eigen_judge(jd_arena_context(arena), n_mode, largest, nullity, residual, lambda,
                          error);
}

jd_status jd_eigen_dense(jd_arena *arena, int n, const double *K, const double *M, int n_mode,
                         double *lambda, double *vector, double *error) {
    if (n < 1 || n_mode < 1 || n_mode > n)
        return jd_fail(jd_arena_context(arena), JD_BAD_ARGUMENT, "%d modes of %d", n_mode, n);
    JD_TRY(jd_lapack_ready(jd_arena_context(arena)));
    jd_arena_mark mark = jd_arena_here(arena);
    bool singular = false;
    jd_status status = lowest(arena, n, K, M, n_mode, lambda, vector, error, &singular);
    jd_arena_back(arena, mark);
    if (singular) {
        jd_context_clear_error(jd_arena_context(arena));
        status = lowest_singular(arena, n, K, M, n_mode, lambda, vector, error);
        jd_arena_back(arena, mark);
    }
    return status;
}
