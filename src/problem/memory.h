// memory.h -- a problem as its contact points see it: response to forces and free motion.
#ifndef JD_PROBLEM_MEMORY_H
#define JD_PROBLEM_MEMORY_H

#include "kernel/response.h"
#include "problem/shape.h"
#include "problem/system.h"

// Response of a built problem at its point contacts (rows in model order) and drives. Refuses
// interfaces over a span.
jd_status jd_problem_response(jd_context *context, const jd_problem *problem, jd_response **out);

// The same with a place more, behind the drives, for the forces that held the start
// (problem/shape.h), and one more for those of its velocities, a gentle place
// (kernel/response.h). Both are unit forces in the proportions of the start.
typedef struct jd_start_places {
    int held, pushed;   // the two places; -1: none
    double force, rate; // the forces in all [N]; [N/s] over omega_1^2
} jd_start_places;
jd_status jd_problem_response_from(jd_context *context, const jd_problem *problem,
                                   const jd_start_forces *forces, jd_start_places *places,
                                   jd_response **out);

// free_i(t): motion of the contacts without contact forces, from the start and the drives.
typedef struct jd_free_motion jd_free_motion;
// start: the places of the response that held it in its shape; NULL: none.
jd_status jd_free_motion_create(jd_context *context, const jd_problem *problem,
                                const jd_response *response, const jd_start_places *start,
                                jd_free_motion **out);
void jd_free_motion_free(jd_free_motion *motion);
// Displacement and velocity of every contact at n_t times >= 0: out[t n_contact + i]; either may be
// NULL.
jd_status jd_free_motion_at(const jd_free_motion *motion, int n_t, const double *t,
                            double *displacement, double *velocity);

#endif
