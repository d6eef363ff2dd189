// bound.h -- how far approximate eigenvalues of K x = lambda M x are from true ones.
//   With S = K - sigma M positive definite, theta = 1/(lambda - sigma) is an eigenvalue of S^-1 M,
//   which is symmetric in the inner product of S. For x' M x = 1 and r = K x - lambda M x
//     |d theta| <= rho = theta sqrt(r' S^-1 r/(lambda - sigma)),
//   and where the other eigenvalues stay away by `gap`, |d theta| <= rho^2/gap (Temple, Kato).
//   M may be singular: its inverse is not needed.
#ifndef JD_LINALG_BOUND_H
#define JD_LINALG_BOUND_H

#include "linalg/sparse/factor.h"

// Of m approximate modes (rows of n): x' M x = 1, lambda = x'Kx/x'Mx in double-double before it is
// rounded, rounding = what the last digits of the entries make of it at most, and rho. They need
// not stay in ascending order. JD_NO_CONVERGENCE: one has no mass.
jd_status jd_eigen_sharpen(jd_arena *arena, const jd_sparse *K, const jd_sparse *M, jd_factor *S,
                           double sigma, int m, double *lambda, double *vector, double *rounding,
                           double *rho);

// An eigenvalue lies within bound[k] of lambda_k, for m approximate modes, lambda ascending;
// HUGE_VAL: nothing is known.
// The gap is that to the other modes found: for the last mode, and where modes are missing among
// those found, it is an estimate.
void jd_eigen_bound(double sigma, int m, const double *lambda, const double *rho, double *bound);

#endif
