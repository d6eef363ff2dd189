// dissect.h -- an order of elimination by nested dissection.
#ifndef JD_LINALG_DISSECT_H
#define JD_LINALG_DISSECT_H

#include "base/arena.h"
#include "linalg/eigen.h"

// Of each row of A, when it is eliminated, counted from 0; A's values are not looked at, rows
// within a column need no order. The same for the same A, always.
jd_status jd_dissect(jd_arena *arena, const jd_sparse *A, int *place);

#endif
