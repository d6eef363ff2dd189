// estimate.h -- what eigenvalues computed in double are worth.
//   Rounding of the matrices themselves moves lambda_k by eps (|x|'|K||x| + lambda |x|'|M||x|) at
//   most, which is eps lambda_max at most; the solver adds its own error.
#ifndef JD_LINALG_ESTIMATE_H
#define JD_LINALG_ESTIMATE_H

#include "base/fail.h"

// Entries of a matrix as read are within a few eps of what was meant: how many eigenvalues of K can
// then be 0? Asked of S = D K D, unit diagonal, which has as many zeros as K and, unlike K, no
// scale of its own: {1e20 -1; -1 1} has none. `lambda`: the lowest n eigenvalues of S, or all.
// -1: elastic ones run down into rounding, nobody can tell.
int jd_eigen_nullity(int n, bool all, const double *lambda, double lambda_max);

// How many of the eigenvalues are below the noise floor.
int jd_eigen_unknown(int n_mode, double lambda_max, const double *lambda);

// Fills error, the relative error bound of omega = sqrt(lambda). Eigenvalues below the noise floor
// are rigid-body modes, and exactly 0, when there are `nullity` of them, clear of all others; else
// no digit of them is right and error is at least 1. wrong[k]: bound of |d lambda_k|. lambda
// ascending. A clearly negative eigenvalue is JD_NOT_DEFINITE.
jd_status jd_eigen_judge(jd_context *context, int n_mode, double lambda_max, int nullity,
                         const double *wrong, double *lambda, double *error);

#endif
