// delays.h -- waves that come back, in the place of most poles: strings and rods with little
// damping or none.
//   echoes.c     panels of such a body: known part, history, which kinks go on
//   displacement.c  displacements without a sum of all errors
//   delay.c      delay line: histories of one period, looked up at the delays
//   smeared.c    a history under the smear that damping gives an echo
//   echo_grid.c  likewise on an even grid, for coarse tolerances
#ifndef JD_ENGINE_MEMORY_DELAYS_DELAYS_H
#define JD_ENGINE_MEMORY_DELAYS_DELAYS_H

#include "engine/memory/poles/poles.h"

jd_status jd_echoes_create(memory *e);
void jd_echoes_add(memory *e, double h);          // to the known part at the nodes
jd_status jd_echoes_solved(memory *e);            // a panel was solved after an echo
jd_status jd_echoes_accept(memory *e, bool kink); // the panel becomes history
void jd_echoes_observe(memory *e, double x, double *u, double *v);
// Velocity of contact i by waves that come back, and by drives at once.
double jd_echoes_past(const memory *e, int i, double t, bool after);
double jd_echoes_end(memory *e, int j); // displacement by forces at the end of the panel

// displacement.c
// The filter, once poles and delay line are there; none for stops and free bodies.
jd_status jd_displacement_plan(memory_plan *plan, const jd_response *wave,
                               const jd_echo_kernel *kernel);
// The filtered rates and forces x over a panel of length h: polynomials F, rate.
void jd_displacement_step(const memory *e, double h, const double *F, const double *rate,
                          double *x);
void jd_displacement_read(memory *e, double t); // sets the state's displacements, at t
// x of a motion that repeats itself, from x after one period that began with 0.
void jd_displacement_repeat(const memory *e, double period, double *x);

#endif
