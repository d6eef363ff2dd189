// shape.h -- a start as forces that held bodies in their shape until t = 0.
//   Displacements u0(x) are those under forces f_j at points, which end at t = 0; velocities v0(x)
//   likewise are those that forces r_j [N/s] hold. Modal coordinates, exactly and for any damping:
//     omega_k^2 q_k = sum_j f_j phi_k(x_j),  omega_k^2 q_k' = sum_j r_j phi_k(x_j)
#ifndef JD_PROBLEM_SHAPE_H
#define JD_PROBLEM_SHAPE_H

#include "problem/system.h"

typedef struct jd_start_forces {
    int n;              // points; 0: none
    int *body;          // of each
    double *x;          // [m]
    double *force;      // f [N]
    double *rate;       // r [N/s]
    double rigid[2][2]; // rigid-body modes of the body: displacement, velocity [sqrt(kg) m, m/s]
    int n_rigid;        // how many it has
} jd_start_forces;

// Of a start of type `shape`; n = 0 for all others.
jd_status jd_start_shape_forces(const jd_problem *problem, jd_arena *arena, jd_start_forces *out);
// Of a start of type `shape` or `static`, on bodies with infinitely many modes alone; n = 0 for all
// others. Refuses an equilibrium against a stop.
jd_status jd_start_infinite_forces(const jd_problem *problem, jd_arena *arena,
                                   jd_start_forces *out);
// Adds the modal coordinates of a shape to q and rate, over the modes of the system.
jd_status jd_start_shape_modes(const jd_problem *problem, double *q, double *rate);

#endif
