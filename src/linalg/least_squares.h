// least_squares.h -- dense least squares with several right-hand sides.
#ifndef JD_LINALG_LEAST_SQUARES_H
#define JD_LINALG_LEAST_SQUARES_H

#include "base/arena.h"

// Makes |A x - b| least for n_right columns b; of many solutions the shortest (singular values
// below `limit` of the largest count as 0). A: rows x columns, B: rows x n_right, both by columns
// and destroyed; x is left in the first `columns` entries of each column of B. rows >= columns.
jd_status jd_least_squares(jd_arena *arena, int rows, int columns, int n_right, double *A,
                           double *B, double limit);

#endif
