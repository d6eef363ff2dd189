// order.h -- an order of elimination of sparse symmetric matrices.
#ifndef JD_LINALG_ORDER_H
#define JD_LINALG_ORDER_H

#include "base/arena.h"
#include "linalg/eigen.h"

// For all matrices A - sigma B, B or NULL: of each row, when it is eliminated, counted from 1.
// NULL: the solver of the context finds its own.
jd_status jd_sparse_order(jd_arena *arena, const jd_sparse *A, const jd_sparse *B, int **order);

#endif
