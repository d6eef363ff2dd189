// phi.h -- integrals of exponentials that stay right where exponents vanish or coincide.
#ifndef JD_ENGINE_EXACT_PHI_H
#define JD_ENGINE_EXACT_PHI_H

#include "judder/expsum.h"

// (e^x - 1)/x = int_0^1 e^{xv} dv, 1 at x = 0.
jd_complex jd_phi(jd_complex x);
// (phi(x) - phi(y))/(x - y); symmetric, phi'(x) where x = y.
jd_complex jd_phi_difference(jd_complex x, jd_complex y);
// int_0^1 |(e^{xv} - 1)/x|^2 dv, 1/3 at x = 0.
double jd_phi_square(jd_complex x);
// int_0^1 v^m e^{xv} dv, m < n; Re x not large.
void jd_phi_powers(jd_complex x, int n, jd_complex *out);
// int_0^1 v^m e^{xv} (e^{av} - 1)/a dv, m < n <= 24.
void jd_phi_power_differences(jd_complex a, jd_complex x, int n, jd_complex *out);
// int_0^1 e^{xv} (e^{av} - 1)(e^{bv} - 1)/(a b) dv, 1/3 at a = b = x = 0.
jd_complex jd_phi_mixed(jd_complex a, jd_complex b, jd_complex x);
// Moments int_0^t u^m z(u) du, m < n, of z = z0 e^{s u}.
void jd_phi_moments(jd_complex s, jd_complex z0, double t, int n, jd_complex *out);

#endif
