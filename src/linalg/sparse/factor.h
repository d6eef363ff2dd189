// factor.h -- sparse symmetric matrices factorised for many solves (SuperLU).
#ifndef JD_LINALG_FACTOR_H
#define JD_LINALG_FACTOR_H

#include "linalg/eigen.h"

typedef struct jd_factor jd_factor;

// P A P' = L U with pivots on the diagonal as long as they are not zero. SuperLU allocates by
// itself: free the factor by hand. A singular A is JD_NOT_DEFINITE.
jd_status jd_factor_create(jd_context *context, const jd_sparse *A, jd_factor **out);
void jd_factor_free(jd_factor *factor);

// x = A^-1 b; x and b may be the same.
jd_status jd_factor_solve(jd_factor *factor, const double *b, double *x);

// Negative pivots = negative eigenvalues of A (Sylvester's law of inertia), or -1 when a pivot had
// to be taken off the diagonal and the count says nothing.
int jd_factor_negative(const jd_factor *factor);

#endif
