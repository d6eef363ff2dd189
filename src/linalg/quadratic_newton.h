// quadratic_newton.h -- all poles of x'' + C x' + Omega^2 x = 0 improved together.
#ifndef JD_LINALG_QUADRATIC_NEWTON_H
#define JD_LINALG_QUADRATIC_NEWTON_H

#include "base/arena.h"

typedef struct jd_pole_list {
    int n, count;        // coordinates; poles that are real or have Im > 0
    double *re, *im;     // count
    double *u_re, *u_im; // count x n: (s^2 + s C + Omega^2) u = 0
    bool *settled;       // count: found to rounding
} jd_pole_list;

// Newton's steps from a complete list that is nearly right. Poles that do not settle are to be
// found by other means; none does where one is nearly defective or 1e-6 of the fastest.
jd_status jd_quadratic_newton(jd_arena *arena, const double *omega2, const double *C,
                              jd_pole_list *list);

#endif
