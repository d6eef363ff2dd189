// sliding.h -- the steadily sliding state of a problem with belts, and its complex modes.
#ifndef JD_PROBLEM_SLIDING_H
#define JD_PROBLEM_SLIDING_H

#include "base/arena.h"
#include "judder/problem.h"

typedef struct jd_sliding {
    int n;             // poles: two per mode of the system
    double (*pole)[2]; // re, im; ascending in size, conjugates adjacent with Im > 0 first
    double growth;     // largest real part [1/s]
    double omega;      // its imaginary part >= 0: flutter; 0: divergence
    double *q;         // coordinates of the modes of the structure
    double *u, *force; // per contact: displacement along its (tangential) row, friction force -T
    double *normal;    // per contact: normal force, NaN: it has no normal part
    char *letter;      // per contact: its contact state, ended by 0
} jd_sliding;

// Does a belt run at a contact with friction?
bool jd_problem_slides(const jd_problem *problem);
// All contacts with a belt slide with it, the others are as a static start leaves them. Small
// motions about that equilibrium: x'' + C x' + K x = 0 with
//   K = Omega^2 + sum_closed kn w_n'w_n + sum_stuck kt w_t'w_t + sum_slide s mu kn w_t'w_n
//   C likewise with cn, and with the slope of the friction over the speed of the belt.
// Memory from the arena. JD_NOT_SUPPORTED, named: no belt, no equilibrium, a rigid contact.
jd_status jd_problem_sliding(jd_arena *arena, const jd_problem *problem, jd_sliding *out);

#endif
