// factor.h -- sparse symmetric matrices factorised for many solves (MUMPS).
#ifndef JD_LINALG_FACTOR_H
#define JD_LINALG_FACTOR_H

#include "linalg/eigen.h"

typedef struct jd_factor jd_factor;

// P A P' = L D L', D with blocks of 1 and 2. MUMPS allocates by itself: free the factor by hand. A
// singular A is JD_NOT_DEFINITE, too little memory JD_OUT_OF_MEMORY.
jd_status jd_factor_create(jd_context *context, const jd_sparse *A, jd_factor **out);
// The same of A - sigma B, which is not formed apart; the patterns may differ.
jd_status jd_factor_shifted(jd_context *context, const jd_sparse *A, const jd_sparse *B,
                            double sigma, jd_factor **out);
void jd_factor_free(jd_factor *factor);

// x = A^-1 b; x and b may be the same.
jd_status jd_factor_solve(jd_factor *factor, const double *b, double *x);
// The same for m vectors at once, in place: x holds m rows of n. Far cheaper than one by one.
jd_status jd_factor_solve_many(jd_factor *factor, int m, double *x);

// Negative eigenvalues of A, counted by the signs of D (Sylvester's law of inertia).
int jd_factor_negative(const jd_factor *factor);
// The same of A - sigma B (B NULL: of A) whose factors nobody wants: they are thrown away as they
// come, so that a small part of their memory is enough. JD_NOT_DEFINITE: the matrix is singular.
jd_status jd_inertia(jd_context *context, const jd_sparse *A, const jd_sparse *B, double sigma,
                     int *negative);

#endif
