// general.h -- small dense matrices without symmetry: solving, eigenvalues.
#ifndef JD_LINALG_GENERAL_H
#define JD_LINALG_GENERAL_H

#include "base/arena.h"

// Solves A x = b in place (b becomes x); A n x n row-major is destroyed. pivot: n ints.
// Returns an estimate of the reciprocal condition number in the 1-norm; 0 when A is singular.
double jd_solve_general(int n, double *A, double *b, int *pivot, double *work); // work: 5 n

// The shortest x that makes |A x - b| least, by QR with column pivoting; singular values below
// `limit` of the largest count as 0. In place as above; pivot: n ints. Returns the rank, -1:
// failed.
int jd_solve_shortest(int n, double *A, double *b, double limit, int *pivot);

// Rows l with l'A = 0, an orthonormal basis: the last n - rank rows of A, which is destroyed, n x n
// row-major. By QR with column pivoting; |R_ii| below `limit` of max(1, |R_11|) count as 0.
jd_status jd_null_rows(jd_arena *arena, int n, double *A, double limit, int *rank);

// LU factors of A, n x n row-major, in place; false when A is singular. Then A x = b in place.
bool jd_lu_factor(int n, double *A, int *pivot);
void jd_lu_solve(int n, const double *A, const int *pivot, double *b);
bool jd_lu_negative(int n, const double *A, const int *pivot); // is det A < 0?
// The unit vector t with (A t)_i = 0 but for the last i, where it is positive: the tangent of a
// curve whose equations are the rows but the last. False when it is not finite.
bool jd_lu_tangent(int n, const double *A, const int *pivot, double *t);

// C += A B, row-major: A m x k, B k x n.
void jd_multiply_add(int m, int n, int k, const double *A, const double *B, double *C);

// Solves A x = b in place for a band of `width` numbers on each side of the diagonal: a_ij at
// band[j rows + 2 width + i - j], rows = jd_band_rows(width). False when A is singular.
static inline int jd_band_rows(int width) { return 3 * width + 1; }
bool jd_solve_band(int n, int width, double *band, int *pivot, double *b);

// Eigenvalues (re, im) of A, n x n row-major, destroyed; by falling magnitude, conjugates adjacent
// with Im > 0 first.
jd_status jd_eigen_general(jd_arena *arena, int n, double *A, double *value);

// The same for matrices of low rank, such as derivatives of damped motion over a period: A = Q R
// with columns exchanged, rows of R below 1e-16 of the first dropped, then the eigenvalues of R Q.
// The rest of `value` is 0.
jd_status jd_eigen_low_rank(jd_arena *arena, int n, double *A, double *value);

#endif
