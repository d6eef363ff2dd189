// least_squares.c -- LAPACK dgelsy: QR with column exchange, complete orthogonal factorisation; or
// dgels, which trusts the rank and is ten times faster.
#include "linalg/least_squares.h"

#include <lapacke.h>

#include "base/fail.h"
#include "linalg/eigen.h"

jd_status jd_least_squares(jd_arena *arena, int rows, int columns, int n_right, double *A,
                           double *B, double limit) {
    jd_arena_mark mark = jd_arena_here(arena);
    lapack_int *pivot = JD_TAKE(arena, lapack_int, columns), rank = 0;
    JD_TRY(jd_arena_status(arena));
    jd_blas_one_thread();
    for (int k = 0; k < columns; k++) pivot[k] = 0;
    lapack_int info =
        limit > 0 ? LAPACKE_dgelsy(LAPACK_COL_MAJOR, rows, columns, n_right, A, rows, B, rows,
                                   pivot, limit, &rank)
                  : LAPACKE_dgels(LAPACK_COL_MAJOR, 'N', rows, columns, n_right, A, rows, B, rows);
    jd_arena_back(arena, mark);
    if (info == 0) return JD_OK;
    if (info == LAPACK_WORK_MEMORY_ERROR)
        return jd_fail(jd_arena_context(arena), JD_OUT_OF_MEMORY,
                       "not enough memory for a least-squares problem of %d x %d", rows, columns);
    return jd_fail(jd_arena_context(arena), JD_NO_CONVERGENCE,
                   "the least-squares problem failed (info = %d)", (int)info);
}
