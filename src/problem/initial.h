// initial.h -- the state a problem starts from, in free modal coordinates of all bodies.
#ifndef JD_PROBLEM_INITIAL_H
#define JD_PROBLEM_INITIAL_H

#include "problem/system.h"

// q, q' at time 0 (modal.n each). A restart is not resolved here: its file is the engine's.
jd_status jd_problem_initial(const jd_problem *problem, double *q, double *rate);

// Forces T of all sliders at time 0, those of contact 0 first: 0, the equilibrium's, or as `start:
// state` gives them. As many as the elements of all contacts have (contact/element.h).
jd_status jd_problem_initial_sliders(const jd_problem *problem, double *T);

// After a static start: how many sliders there are, and how many of them are stuck.
jd_status jd_problem_settled(const jd_problem *problem, int *n, int *stuck);

// Adds the constant part of the drives at time 0, as modal forces.
void jd_problem_constant_load(const jd_problem *problem, double *load);

#endif
