// refine.h -- one eigenpair of a band pencil at a time, in double-double.
#ifndef JD_LINALG_REFINE_H
#define JD_LINALG_REFINE_H

#include "linalg/band/band.h"

// The pencil, what has been found of it, and scratch.
typedef struct jd_refine {
    const jd_band *K, *M;
    int n, n_rigid;
    jd_ldl shifted; // K - sigma M
    jd_ldl mass;    // M, for the norm of residuals
    jd_dd *lambda;  // eigenvalues found, from 0 up
    jd_dd *vector;  // rows of n
    double *radius; // an eigenvalue lies within radius of lambda [same unit]
    jd_dd *Mx, *y, *r, *kept;
} jd_refine;

jd_status jd_refine_take(jd_arena *arena, const jd_band *K, const jd_band *M, int n_mode,
                         jd_dd *lambda, jd_dd *vector, jd_refine *out);

// Eigenvalues below sigma.
int jd_refine_count(jd_refine *s, jd_dd sigma);

// Makes vector k an eigenvector, starting from what row k holds and the shift sigma; sets lambda,
// radius. Vectors first .. k-1 whose eigenvalues are close are kept orthogonal.
void jd_refine_pair(jd_refine *s, int k, jd_dd sigma, int first);

// Is vector k with lambda k as good as double-double can tell? Then its radius is set.
bool jd_refine_accepts(jd_refine *s, int k);

// refine_batch.c: inverse iterations of vectors k .. k + 3, their lambda being the shifts.
enum { JD_REFINE_LANES = 4 };
typedef struct jd_refine_room {
    void *factors, *x, *Mx;
} jd_refine_room;
jd_status jd_refine_batch_take(jd_arena *arena, const jd_refine *s, jd_refine_room *out);
void jd_refine_batch(jd_refine *s, jd_refine_room *room, int k, int steps);

// Lowest n_mode eigenpairs by bisection on the count alone, n_rigid of them known.
jd_status jd_slice(jd_context *context, jd_refine *s, int n_mode);

#endif
