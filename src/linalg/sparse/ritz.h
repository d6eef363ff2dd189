// ritz.h -- modes of a structure within the space of a few shapes (Rayleigh-Ritz).
//   Of all motions x = V'y the pencil (V K V', V M V') has the modes; V: m rows of n. What lies in
//   the space is met exactly: a static deflection K^-1 b among its shapes is that of the modes
//   found, b' K^-1 b = sum_k phi_k(b)^2/lambda_k.
#ifndef JD_LINALG_RITZ_H
#define JD_LINALG_RITZ_H

#include "linalg/eigen.h"

typedef struct jd_ritz {
    int m;               // shapes
    int n_rigid;         // the first of them, which K does not strain: their lambda is 0
    double *vector;      // m rows of n: shapes, which become modes with x' M x = 1
    const double *extra; // m: added to x' M x of each shape, for shapes without mass; NULL: nothing
    jd_dd *lambda;       // m, ascending
    int n_row;           // rows of the structure that are wanted in double-double
    const int *at;
    jd_dd *row; // n_row x m: the modes there
} jd_ritz;

// Everything small is in double-double, so that the shapes may be nearly dependent and the lambda
// spread over 20 powers of ten. JD_NOT_DEFINITE: the shapes are dependent, or have no mass.
jd_status jd_ritz_modes(jd_arena *arena, const jd_sparse *K, const jd_sparse *M, jd_ritz *r);

#endif
