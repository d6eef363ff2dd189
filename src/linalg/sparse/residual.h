// residual.h -- static deflection by a load, less the share of the modes that are kept.
//   r = sum over the modes not kept of phi_k (phi_k' b)/lambda_k:
//   K r = b - M Phi Phi' b,  Phi' M r = 0.
//   With the rigid-body modes of a free body among those kept the load is in equilibrium with the
//   inertia of the body (inertia relief).
#ifndef JD_LINALG_RESIDUAL_H
#define JD_LINALG_RESIDUAL_H

#include "linalg/sparse/factor.h"

typedef struct jd_complement {
    const jd_sparse *K, *M;
    int n_mode;
    const double *vector; // n_mode rows of n, x' M x = 1: all null vectors of K among them
    jd_factor *factor;    // of K - sigma M, any sigma < 0: positive definite
} jd_complement;

// b and out: n each; they do not overlap. Relative error in energy about 1e-20: the error of the
// shape in the norm of K is 1e-10.
jd_status jd_residual_shape(jd_arena *arena, const jd_complement *c, const double *b, double *out);

#endif
