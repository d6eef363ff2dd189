// phi.h -- integrals of exponentials that stay right where exponents vanish or coincide.
#ifndef JD_ENGINE_EXACT_PHI_H
#define JD_ENGINE_EXACT_PHI_H

#include "judder/expsum.h"

// (e^x - 1)/x = int_0^1 e^{xv} dv, 1 at x = 0.
jd_complex phi(jd_complex x);
// (phi(x) - phi(y))/(x - y); symmetric, phi'(x) where x = y.
jd_complex phi_difference(jd_complex x, jd_complex y);
// int_0^1 |(e^{xv} - 1)/x|^2 dv, 1/3 at x = 0.
double phi_square(jd_complex x);
// m-th moments int_0^t u^m z(u) du, m = 0, 1, 2, of z = z0 e^{s u} with z(t) = z1.
void phi_moments(jd_complex s, jd_complex z0, jd_complex z1, double t, jd_complex out[3]);

#endif
