// min_norm.h -- the shortest solution of a small consistent system G x = b, G symmetric
// semidefinite.
#ifndef JD_LINALG_MIN_NORM_H
#define JD_LINALG_MIN_NORM_H

#include <stdbool.h>

// G: n x n, destroyed; b: n, becomes x. work: n*n + 8*n doubles. Returns the rank found
// (eigenvalues above 1e-12 of the largest), or -1 when LAPACK fails.
int jd_min_norm(int n, double *G, double *b, double *work);

#endif
