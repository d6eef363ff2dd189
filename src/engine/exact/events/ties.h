// ties.h -- contacts on their limit without acceleration: what resolve.c and ties.c share.
#ifndef JD_ENGINE_EXACT_TIES_H
#define JD_ENGINE_EXACT_TIES_H

#include "engine/exact/exact.h"

enum {
    MANY_ORDERS = 40,               // of derivatives that are asked
    HIGHEST_ORDER = MANY_ORDERS + 2 // of a start: place against acceleration
};

// Derivatives of the motion, of three orders in a row; n each.
typedef struct tie_series {
    double *before, *now, *next;                // [m/s^2 sqrt(kg)]
    double *before_size, *now_size, *next_size; // sums of their absolute terms
    double *nothing;                            // zeros
    double rate;                                // [1/s] that times are measured by
} tie_series;

// Memory for the series; whoever takes it looks at the arena's status.
void jd_ties_take(exact *e);
// Rule 3 for the n contacts of the box problem, those on a wall told in `tied`.
jd_status jd_break_ties(exact *e, double t, int n);
// Contact j leaves rest through a wall; order of the derivative of its velocity that moves it.
void jd_leave(exact *e, int j, jd_bound wall, int order);
// resolve.c: the box problem of the set with accelerations `without` these forces; where rows
// depend on each other, the shortest split.
jd_status jd_solve_box(exact *e, int n, const double *without);

#endif
