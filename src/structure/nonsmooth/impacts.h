// impacts.h -- periodic orbits of a structure without losses against an elastic stop: their
// flights.
//   Period T = 2 pi/omega, impacts at t_l of impulse p_l, shares B_j of the modes in the stop's
//   motion, m = 1/(B B'):
//     q_j(t) = sum_l p_l m B_j cos(omega_j (d_l - T/2))/(omega_j sin(omega_j T/2)),
//   d_l the time since impact l.
//   One impact: p = g/w, w = sum_j m B_j^2 cot(omega_j T/2)/omega_j, at rest half way.
#ifndef JD_STRUCTURE_NONSMOOTH_IMPACTS_H
#define JD_STRUCTURE_NONSMOOTH_IMPACTS_H

#include "base/dd.h"

// The modes a stop sees: n squared frequencies > 0, their shares B in its motion, mass 1/(B B').
typedef struct jd_impacts {
    int n;
    const jd_dd *omega2; // [rad^2/s^2]
    const jd_dd *row;    // [kg^-1/2]
    double mass;         // [kg]
} jd_impacts;

// `mass` from the shares.
jd_impacts jd_impacts_of(int n, const jd_dd *omega2, const jd_dd *row);

// The impulse of one impact per period T against a stop at `gap`; not negative: no such orbit.
double jd_impacts_one(const jd_impacts *x, double gap, double T);

// Adds displacements and velocities of the modes at time `now` after the first of k impacts, before
// the second.
void jd_impacts_flight(const jd_impacts *x, double T, int k, const double *time,
                       const double *impulse, double now, double *q, double *rate);

#endif
