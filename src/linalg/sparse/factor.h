// factor.h -- sparse symmetric matrices factorised for many solves (MUMPS).
#ifndef JD_LINALG_FACTOR_H
#define JD_LINALG_FACTOR_H

#include "linalg/eigen.h"

typedef struct jd_factor jd_factor;

// Another solver in place of MUMPS and Lanczos here, for contexts that have one
// (jd_context_set_solver): judder-reduce spreads the work over the ranks of MPI. Failures are
// recorded in the context.
typedef struct jd_solver {
    void *user;
    // A - sigma B factorised (B NULL: A); `keep` false: only *negative is wanted, and no factor.
    jd_status (*factorise)(void *user, jd_context *context, const jd_sparse *A, const jd_sparse *B,
                           double sigma, bool keep, int *negative, void **factor);
    jd_status (*solve)(void *factor, jd_context *context, int m, double *x);
    // The `count` eigenpairs of A x = lambda B x nearest to sigma; vector: count rows.
    jd_status (*lowest)(void *factor, jd_context *context, int count, double *lambda,
                        double *vector);
    void (*release)(void *factor);
} jd_solver;

// P A P' = L D L', D with blocks of 1 and 2. MUMPS allocates by itself: free the factor by hand. A
// singular A is JD_NOT_DEFINITE, too little memory JD_OUT_OF_MEMORY.
jd_status jd_factor_create(jd_context *context, const jd_sparse *A, jd_factor **out);
// The same of A - sigma B, which is not formed apart; the patterns may differ.
// `order`: that of jd_sparse_order; NULL: one is found.
jd_status jd_factor_shifted(jd_context *context, const jd_sparse *A, const jd_sparse *B,
                            double sigma, const int *order, jd_factor **out);
void jd_factor_free(jd_factor *factor);

// x = A^-1 b; x and b may be the same.
jd_status jd_factor_solve(jd_factor *factor, const double *b, double *x);
// The same for m vectors at once, in place: x holds m rows of n. Far cheaper than one by one.
jd_status jd_factor_solve_many(jd_factor *factor, int m, double *x);

// Does another solver hold the factor? Then it finds eigenpairs as well: residuals within 1e-11.
bool jd_factor_elsewhere(const jd_factor *factor);
jd_status jd_factor_lowest(jd_factor *factor, int count, double *lambda, double *vector);

// Negative eigenvalues of A, counted by the signs of D (Sylvester's law of inertia).
int jd_factor_negative(const jd_factor *factor);
// The same of A - sigma B (B NULL: of A) whose factors nobody wants: they are thrown away as they
// come, so that a small part of their memory is enough. JD_NOT_DEFINITE: the matrix is singular.
jd_status jd_inertia(jd_context *context, const jd_sparse *A, const jd_sparse *B, double sigma,
                     const int *order, int *negative);

// An order of elimination of a small A with little fill, by its pattern alone: n numbers from 0.
jd_status jd_factor_places(jd_context *context, const jd_sparse *A, int *place);

#endif
