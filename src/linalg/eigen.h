// eigen.h -- eigenproblems of structures; the only door to LAPACK and MUMPS.
//   K x = lambda M x, K symmetric semidefinite, M symmetric positive semidefinite, eigenvalues
//   ascending, vectors with x' M x = 1. Rigid-body modes come out with lambda = 0 exactly. error[k]
//   bounds |d lambda_k|/(2 lambda_k), i.e. the relative error of omega_k.
#ifndef JD_LINALG_EIGEN_H
#define JD_LINALG_EIGEN_H

#include "base/arena.h"
#include "base/dd.h"

// Symmetric band in double-double, lower part: entry (i, j), j <= i <= j + width, at v[j*(width+1)
// + i-j].
typedef struct jd_band {
    int n, width;
    jd_dd *v;
} jd_band;

// Symmetric sparse matrix in double, both triangles, compressed columns.
typedef struct jd_sparse {
    int n;
    int *start; // n + 1
    int *row;
    double *value;
} jd_sparse;

// Lowest n_mode eigenpairs of a band pencil, refined in double-double until stagnation: good to a
// few ulps of a double unless lambda_max/lambda_k exceeds about 1e15 (error says so). The list is
// complete: every eigenvalue is counted by Sylvester's law of inertia. vector: n_mode rows of n;
// its first n_rigid rows hold on entry a basis of the null space of K (rigid-body modes), which
// comes back orthonormal with lambda = 0. M->width <= K->width. Memory for results is the
// caller's, scratch comes from the arena and goes back.
jd_status jd_eigen_band(jd_arena *arena, const jd_band *K, const jd_band *M, int n_rigid,
                        int n_mode, jd_dd *lambda, jd_dd *vector, double *error);

// The same in plain double for matrices from files: error = eps lambda_max/lambda_k at best.
// Dense: n x n, all n_mode <= n lowest. Sparse: shift-invert with MUMPS and block Lanczos;
// `shifted` (may be NULL) gets the factor of K - sigma M, sigma < 0, for the caller to free, also
// when what follows fails: it is made once more. `use` (may be NULL) is called while the first one
// is there, with the n_mode vectors found; again, where they prove to be too few.
struct jd_factor;
typedef struct jd_eigen_use {
    jd_status (*with)(void *user, const double *vector, struct jd_factor *shifted);
    void *user;
} jd_eigen_use;
jd_status jd_eigen_dense(jd_arena *arena, int n, const double *K, const double *M, int n_mode,
                         double *lambda, double *vector, double *error);
// How many modes there are: fewer than n where M is singular.
jd_status jd_eigen_dense_count(jd_arena *arena, int n, const double *K, const double *M, int *out);
jd_status jd_eigen_sparse(jd_arena *arena, const jd_sparse *K, const jd_sparse *M, int n_mode,
                          double *lambda, double *vector, double *error, struct jd_factor **shifted,
                          const jd_eigen_use *use);

// Null vectors of K, expected to be `found` or as many more as one body has; -1: nobody can tell.
jd_status jd_eigen_sparse_nullity(jd_arena *arena, const jd_sparse *K, int found, int *nullity);
jd_status jd_eigen_dense_nullity(jd_arena *arena, int n, const double *K, int *nullity);

// Poles of x'' + C x' + diag(omega2) x = 0, C full symmetric n x n: 2n poles s (re, im), conjugate
// pairs adjacent with Im > 0 first, ascending in |s|; `right` (may be NULL): 2n rows of n complex
// (re, im interleaved), the displacement parts u_p with (s^2 + s C + omega2) u = 0, scaled so that
// u' (2 s + C) u = 1 (then sum_p u u'/(s - s_p) is the receptance).
jd_status jd_eigen_quadratic(jd_arena *arena, int n, const double *omega2, const double *C,
                             double *pole, double *right);

// OpenBLAS starts a thread per core; every routine here asks for one, once per process.
void jd_blas_one_thread(void);
// The same, with LAPACK loaded; JD_CANNOT_LOAD where it is not there.
jd_status jd_lapack_ready(jd_context *context);

#endif
