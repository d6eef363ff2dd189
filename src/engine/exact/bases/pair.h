// pair.h -- integrals of pair blocks r = (p, q), r' = T r, T = {mu 1; delta2 mu} real.
#ifndef JD_ENGINE_EXACT_PAIR_H
#define JD_ENGINE_EXACT_PAIR_H

#include "judder/expsum.h"

// out with int w'r z = [out'r z] for z' = s z: out' = w'(T + s)^-1.
void jd_pair_with_pole(const jd_pole_pair *pair, const double w[2], jd_complex s,
                       jd_complex out[2]);
// Z (row-major 2 x 2) with int r'W u = [r'Z u] for two blocks r and u: T_r'Z + Z T_u = W.
void jd_pair_with_pair(const jd_pole_pair *r, const jd_pole_pair *u, const double W[4],
                       double Z[4]);
// int_0^t v^m r dv, m < n, from r at both ends: out[2 m], out[2 m + 1].
void jd_pair_moments(const jd_pole_pair *pair, const double r0[2], const double r1[2], double t,
                     int n, double *out);

#endif
