// share.h -- a sparse pencil whose rows lie on all ranks of MPI: factorised, solved with, its
// eigenpairs. Every function here is called by all ranks together; rank 0 alone has whole matrices
// and vectors, the others give NULL for them.
#ifndef JD_CLI_REDUCE_SHARE_H
#define JD_CLI_REDUCE_SHARE_H

#include <slepceps.h>

#include "linalg/sparse/factor.h"

typedef struct share {
    int n, first, rows;   // of all ranks; here: first row and how many
    double sigma;         // A - sigma B is factorised
    Mat A, B, factor;     // B NULL: none
    int *counts, *starts; // rows of every rank, for vectors that come from and go to rank 0
} share;

typedef enum share_outcome {
    SHARE_DONE,
    SHARE_SINGULAR,
    SHARE_NO_ROOM, // more memory is needed than there is
    SHARE_NOT_CONVERGED
} share_outcome;

typedef struct share_report {
    share_outcome outcome;
    int negative;         // pivots
    double needed, there; // bytes on the machine that has the least left
    int found;            // eigenpairs that converged
} share_report;

// Rows of A and B go from rank 0 to all; B is there if `with_B`.
share *share_create(const jd_sparse *A, const jd_sparse *B, int n, bool with_B, double sigma);
// A - sigma B = L D L'; afterwards only what solves and eigenpairs need is kept, or with `keep`
// false nothing.
share_report share_factorise(share *s, bool keep);
// x: m rows of n, in place.
void share_solve(share *s, int m, double *x);
// The `count` eigenpairs nearest to sigma.
share_report share_lowest(share *s, int count, double *lambda, double *vector);
void share_free(share *s);

// A call of PETSc that fails on one rank ends all of them: the others would wait for ever.
void share_check(PetscErrorCode code);

#endif
