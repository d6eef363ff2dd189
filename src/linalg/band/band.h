// band.h -- symmetric band matrices in double-double: products, L D L', solves, Sturm counts.
#ifndef JD_LINALG_BAND_H
#define JD_LINALG_BAND_H

#include "linalg/eigen.h"

#define JD_EPS_DD 4.93038065763132e-32 // 2^-104, a bound of one double-double rounding

// K - sigma M = L D L', L unit lower. No pivoting: K - sigma M is definite for sigma below the
// spectrum; elsewhere 32 digits leave room for growth, and every result is checked by a residual.
typedef struct jd_ldl {
    int n, width;
    jd_dd *l;     // column j: l[j*(width+1) + p] = L(j+p, j); p = 0 holds 1/d_j
    int negative; // pivots below 0 = eigenvalues of the pencil below sigma (Sylvester)
} jd_ldl;

void jd_ldl_take(jd_arena *arena, int n, int width, jd_ldl *f);
void jd_ldl_factor(jd_ldl *f, const jd_band *K, const jd_band *M, jd_dd sigma);
void jd_ldl_solve(const jd_ldl *f, jd_dd *x); // in place

void jd_band_multiply(const jd_band *A, const jd_dd *x, jd_dd *y);
jd_dd jd_dot(int n, const jd_dd *x, const jd_dd *y);
double jd_band_form(const jd_band *A, const jd_dd *x); // |x|' |A| |x|, in double

#endif
