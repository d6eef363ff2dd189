// polylog.h -- polylogarithms Li_m(e^mu), m = 0, 1, 2, 3, for Re mu <= 0.
#ifndef JD_KERNEL_CONTINUA_POLYLOG_H
#define JD_KERNEL_CONTINUA_POLYLOG_H

#include "kernel/cartesian.h"

// sum_{k>=1} e^{mu k}/k^m. Absolute error about 2e-16 (m = 2, 3); relative for m = 0, 1.
double complex jd_polylog(int m, double complex mu);
// sum_{k>=1} e^{mu (k - 1/2)}/(k - 1/2)^m
double complex jd_polylog_half(int m, double complex mu);
// Li_0(e^mu) + 1/mu: what is left of 1/(e^{-mu} - 1) without its pole at 0.
double complex jd_polylog_regular(double complex mu);
// e^z - 1 without cancellation.
double complex jd_cexpm1(double complex z);

// sum_{k>=0} cos((k + shift) theta)/(k + z), z no negative integer or 0, theta in (0, 2 pi); for
// theta = 0 use the digamma function.
double complex jd_lerch(double theta, double shift, double complex z);
// -digamma(z) = lim_K sum_{k=0}^{K} 1/(k + z) - ln K
double complex jd_minus_digamma(double complex z);

#endif
