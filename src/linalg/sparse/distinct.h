// distinct.h -- the blocks of a matrix that differ.
#ifndef JD_LINALG_DISTINCT_H
#define JD_LINALG_DISTINCT_H

#include "base/arena.h"
#include "linalg/eigen.h"

// Rows that no entry couples fall into blocks. *out: A without blocks of one row and without those
// that are the same as another one, number by number; it may have no rows left, and may share
// arrays with A. order, or NULL: of A's rows; *out_order: of those left, in the same order.
//   Mass matrices of solids have the same block for each direction.
jd_status jd_sparse_distinct(jd_arena *arena, const jd_sparse *A, const int *order, jd_sparse *out,
                             int **out_order);

#endif
