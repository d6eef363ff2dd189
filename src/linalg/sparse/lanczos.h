// lanczos.h -- lowest eigenpairs of K x = lambda M x by shift-invert Lanczos in blocks.
//   OP = (K - sigma M)^-1 M has the eigenvalues theta = 1/(lambda - sigma): those of K nearest
//   above sigma come first. The caller brings the factorised solve and the product with M.
#ifndef JD_LINALG_LANCZOS_H
#define JD_LINALG_LANCZOS_H

#include "base/arena.h"

typedef struct jd_pencil_operator {
    int n;
    double sigma; // below all eigenvalues wanted
    // x becomes (K - sigma M)^-1 x for m vectors, rows of n.
    jd_status (*solve)(void *user, int m, double *x);
    // y = M x for m vectors
    void (*mass)(void *user, int m, const double *x, double *y);
    void *user;
} jd_pencil_operator;

// count < n eigenpairs nearest to sigma, ascending; *vector: count rows of n, x' M x = 1 nearly,
// in the arena: the first ones of the Lanczos basis, as there is no room for both. Residuals are
// within 1e-11 for the first n_mode and within 1e-6 for the others, which say where the next
// eigenvalue is: refine afterwards. The start is fixed, so results are reproducible.
// known: the first n_mode pairs of a call before, some of which were missed: of an eigenvalue that
// many modes have, a start by a block finds about as many as the block has vectors. The search goes
// on from them with another block. NULL: none.
typedef struct jd_known_pairs {
    const double *lambda, *vector;
    int calls; // before this one
} jd_known_pairs;
jd_status jd_lanczos_lowest(jd_arena *arena, const jd_pencil_operator *op,
                            const jd_known_pairs *known, int n_mode, int count, double *lambda,
                            double **vector);

#endif
