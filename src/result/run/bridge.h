// bridge.h -- the force of a string on its left support, the bridge, from what is sampled.
//   f = T u_x(0) = sum_k b_k q_k,  b_k = T phi_k'(0) = T sqrt(2/(rho L)) omega_k/c
//   Modes below half the sound's rate are followed by the sampled forces, straight between samples;
//   those above move as their static shape. With infinitely many modes that is all a sound can
//   hold.
#ifndef JD_RESULT_BRIDGE_H
#define JD_RESULT_BRIDGE_H

#include "result/run/run.h"

#define JD_BRIDGE_SIGNAL "bridge.force"

typedef struct jd_bridge jd_bridge; // memory of the recording

// `every`: time between samples [s]; `highest`: frequency up to which modes are followed [Hz].
// Refuses by name what is no string with a fixed left end, impacts, and runs that go on.
jd_status jd_bridge_create(jd_recording *recording, double every, double highest, jd_bridge **out);
// The force at the time of a row of samples; rows come in order.
double jd_bridge_force(jd_bridge *bridge, const double *row);

#endif
