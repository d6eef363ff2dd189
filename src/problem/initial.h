// initial.h -- the state a problem starts from, in free modal coordinates of all bodies.
#ifndef JD_PROBLEM_INITIAL_H
#define JD_PROBLEM_INITIAL_H

#include "problem/system.h"

// q, q' at time 0 (modal.n each). A restart is not resolved here: its file is the engine's.
jd_status jd_problem_initial(const jd_problem *problem, double *q, double *rate);

// Forces T of all sliders at time 0 (contact/element.h): contact after contact, slider after
// slider, n in all. 0 where the start says nothing of them.
jd_status jd_problem_initial_forces(const jd_problem *problem, int n, double *T);

#endif
