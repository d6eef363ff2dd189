// least_squares.c -- LAPACK dgelsy: QR with column exchange, complete orthogonal factorisation; or
// QR by blocks, which trusts the rank and is many times faster.
#include "linalg/least_squares.h"

#include "base/fail.h"
#include "lazy/lapack.h"
#include "linalg/eigen.h"

// A = Q R, x = R^-1 Q'b, as dgels does; but dgels leaves the last 128 columns to loops over single
// ones, which take half as long again.
static lapack_int by_blocks(jd_arena *arena, int rows, int columns, int n_right, double *A,
                            double *B) {
    enum { BLOCK = 16 };
    int block = columns < BLOCK ? columns : BLOCK, wide = n_right > columns ? n_right : columns;
    double *T = JD_TAKE(arena, double, (size_t)block *(size_t)columns),
           *work = JD_TAKE(arena, double, (size_t)block *(size_t)wide);
    if (jd_arena_status(arena) != JD_OK) return LAPACK_WORK_MEMORY_ERROR;
    lapack_int info =
        LAPACKE_dgeqrt_work(LAPACK_COL_MAJOR, rows, columns, block, A, rows, T, block, work);
    if (info == 0)
        info = LAPACKE_dgemqrt_work(LAPACK_COL_MAJOR, 'L', 'T', rows, n_right, columns, block, A,
                                    rows, T, block, B, rows, work);
    if (info == 0)
        info = LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'U', 'N', 'N', columns, n_right, A, rows, B,
                                   rows);
    return info;
}

jd_status jd_least_squares(jd_arena *arena, int rows, int columns, int n_right, double *A,
                           double *B, double limit) {
    jd_arena_mark mark = jd_arena_here(arena);
    lapack_int *pivot = JD_TAKE(arena, lapack_int, columns), rank = 0;
    JD_TRY(jd_arena_status(arena));
    JD_TRY(jd_lapack_ready(jd_arena_context(arena)));
    for (int k = 0; k < columns; k++) pivot[k] = 0;
    lapack_int info = limit > 0 ? LAPACKE_dgelsy(LAPACK_COL_MAJOR, rows, columns, n_right, A, rows,
                                                 B, rows, pivot, limit, &rank)
                                : by_blocks(arena, rows, columns, n_right, A, B);
    jd_arena_back(arena, mark);
    if (info == 0) return JD_OK;
    if (info == LAPACK_WORK_MEMORY_ERROR)
        return jd_fail(jd_arena_context(arena), JD_OUT_OF_MEMORY,
                       "not enough memory for a least-squares problem of %d x %d", rows, columns);
    return jd_fail(jd_arena_context(arena), JD_NO_CONVERGENCE,
                   "the least-squares problem failed (info = %d)", (int)info);
}
