// small.h -- factors of small dense matrices, row-major, without LAPACK: less work at some forty
// rows, and a machine changes the speed and not the bits.
#ifndef JD_LINALG_SMALL_SMALL_H
#define JD_LINALG_SMALL_SMALL_H

#include <stdbool.h>

// lu.c: P A = L U in place, divisors below the diagonal; false when A is singular. Then A x = b in
// place.
bool jd_small_factor(int n, double *A, int *pivot);
void jd_small_solve(int n, const double *A, const int *pivot, double *b);

// pivoted.c: A P = Q R in place by reflections, the longest column first: R on and above the
// diagonal, column j of R is column[j] of A. Ends where no column that is left is longer than
// `limit` of max(floor, |R_00|); returns the rank, -1: a number is not finite. work: 2 n.
int jd_pivoted_factor(int n, double *A, double limit, double floor, int *column, double *tau,
                      double *work);
// Columns first to first + count - 1 of Q into out, n x count row-major. work: count.
void jd_pivoted_columns(int n, const double *A, int rank, const double *tau, int first, int count,
                        double *out, double *work);

// pencil.c: K x = lambda M x, both full, destroyed; values ascending, vector k in row k of V.
// False: M is not positive definite, or a number is not finite.
bool jd_small_pencil(int n, double *K, double *M, double *value, double *V);

#endif
