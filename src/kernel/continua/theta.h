// theta.h -- the sum behind undamped beams, which is nowhere smooth.
#ifndef JD_KERNEL_CONTINUA_THETA_H
#define JD_KERNEL_CONTINUA_THETA_H

#include "base/dd.h"

// sum_{k>=1} sin(pi t (k - 1/2)^2)/(pi (k - 1/2))^2, to about 1e-13, for every real t:
// double-double, for the sum is only Hoelder continuous in t.
double jd_theta_sines(jd_dd t);

#endif
