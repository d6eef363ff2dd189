// multi.h -- orbits with k impacts per period, and curves of them.
//   u(t) = sum_i p_i C(t - t_i; T),  C of nsm.h made periodic and even; p_i < 0 is half the jump of
//   velocity at impact i, that is the velocity just after it.
//     gap:       sum_j p_j C(t_i - t_j) = g              i = 1 .. k
//     elastic:   sum_{j != i} p_j C'(t_i - t_j) = 0      i = 1 .. k, one of them follows (C' is
//     odd)
//   2 k - 1 equations for t_2 .. t_k (t_1 = 0), p_1 .. p_k and T: a curve, for any number of modes.
#ifndef JD_ANALYSIS_NSM_MULTI_H
#define JD_ANALYSIS_NSM_MULTI_H

#include "analysis/nsm/nsm.h"

enum { NSM_MOST = 64 }; // impacts in a period

// Curve of orbits in the coordinates y = (t_2, .. t_k, T by `period`; p by `speed`).
typedef struct nsm_curve {
    jd_nsm *s;
    int k, N;             // impacts; unknowns 2 k
    double period, speed; // what y is measured in
    double *F, *J;        // N - 1; N x N row-major, its last row free for a border
    double *lu, *step, *trial;
    int *pivot;
} nsm_curve;

jd_status jd_nsm_curve_open(jd_nsm *s, int k, double period, double speed, nsm_curve *out);
static inline double curve_t(const nsm_curve *c, const double *y, int i) {
    return i > 0 ? y[i - 1] * c->period : 0;
}
static inline double curve_p(const nsm_curve *c, const double *y, int i) {
    return y[c->k - 1 + i] * c->speed;
}
static inline double curve_T(const nsm_curve *c, const double *y) {
    return y[c->N - 1] * c->period;
}
// Newton's method in the plane border'(y - start) = 0; false: no convergence.
bool jd_nsm_curve_correct(nsm_curve *c, double *y, const double *border);
// From an orbit of high energy to the limit of unbounded energy: the gap counts for nothing, sum_j
// p_j C(t_i - t_j) = 0, and the strongest impulse is -1. False: no convergence.
bool jd_nsm_curve_limit(nsm_curve *c, double *y);
// Unit tangent at y with old'tangent > 0.
bool jd_nsm_curve_tangent(nsm_curve *c, const double *y, const double *old, double *tangent);
double jd_nsm_curve_energy(const nsm_curve *c, const double *y);
// u - g, u', u'' at time t after the first impact.
void jd_nsm_curve_motion(const nsm_curve *c, const double *y, double t, double out[3]);
// Impulses that push away, impacts in order, and no contact between them: proved at this orbit.
// Otherwise `at` is a time with u >= g (contact) or -1 - i (impulse i fades or is out of order).
bool jd_nsm_curve_admissible(nsm_curve *c, const double *y, double *at, bool *decided);

#endif
