// arpack.h -- lowest eigenpairs of K x = lambda M x by shift-invert Lanczos.
//   OP = (K - sigma M)^-1 M has the eigenvalues theta = 1/(lambda - sigma): those of K nearest
//   above sigma come first. The caller brings the factorised solve and the product with M.
#ifndef JD_LINALG_ARPACK_H
#define JD_LINALG_ARPACK_H

#include "base/arena.h"

typedef struct jd_pencil_operator {
    int n;
    double sigma; // below all eigenvalues wanted
    // y = (K - sigma M)^-1 x; x and y never overlap.
    jd_status (*solve)(void *user, const double *x, double *y);
    // y = M x
    void (*mass)(void *user, const double *x, double *y);
    void *user;
} jd_pencil_operator;

// n_mode < n eigenpairs nearest to sigma, ascending; *vector: n_mode rows of n, x' M x = 1, in the
// arena: the first ones of the Lanczos basis, as there is no room for both. Residuals are within
// 1e-11: refine afterwards. The start vector is fixed, so results are reproducible. ARPACK keeps
// static state: calls wait for each other.
jd_status jd_arpack_lowest(jd_arena *arena, const jd_pencil_operator *op, int n_mode,
                           double *lambda, double **vector);

#endif
