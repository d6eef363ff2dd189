// continua.h -- memory kernels of strings, rods and beams with all their modes, in closed form.
//   wave.c           string, rod: polylogarithms (polylog.c), Lerch sums
//   beam.c           beam: sums over modes, and their dual series; undamped: theta.c
//   rayleigh.c       either of them with Rayleigh damping
//   string_memory.c  a stretched string under a force that is known for all times
#ifndef JD_KERNEL_CONTINUA_CONTINUA_H
#define JD_KERNEL_CONTINUA_CONTINUA_H

#include "kernel/family.h"

// Sums over the modes for places i, j; see jd_response_order. SECOND needs no rigid-body mode.
double jd_wave_value(const jd_family *f, int order, double tau, int i, int j);
double jd_beam_value(const jd_family *f, int order, double tau, int i, int j);
// U(infinity); NaN with a rigid-body mode.
double jd_wave_static(const jd_family *f, int i, int j);
double jd_beam_static(const jd_family *f, int i, int j);
// G ~ start tau^exponent.
double jd_wave_start(const jd_family *f, int i, int j);
double jd_beam_start(const jd_family *f, int i, int j);
double jd_beam_unit(const jd_family *f); // c/L^2 [rad/s]
// Mean of n_ik n_jk over the high modes of a beam.
double jd_beam_average(const jd_family *f, int i, int j);
// Bound of what G of place i lacks with the first K modes alone, over a bound of G: the sums of
// n_ik^2/omega_k beyond K and of all; |g_k| <= 1/omega_k.
double jd_beam_left(const jd_family *f, int K, int i);
double complex jd_wave_transfer(const jd_family *f, double complex s, int i, int j);
// Ghat of all modes beyond beta = sqrt(omega) in unit time, for a mean participation of 1:
//   int_from^inf s dbeta/(beta^4 + 2 D s beta^2 + s^2)/pi = [A(q) - A(p)] s/(pi (p - q)),
//   A(q) = atan(sqrt q/from)/sqrt q,   p, q = s (D +- sqrt(D^2 - 1))
double complex jd_beam_beyond(const jd_family *f, double complex s, double from);
double complex jd_beam_transfer(const jd_family *f, double complex s, int i, int j);
// All of it with Rayleigh damping; G ~ start tau^(1/2) of a string or rod, tau^(3/4) of a beam.
// Least damping ratio of all modes.
double jd_rayleigh_value(const jd_family *f, int order, double tau, int i, int j);
double jd_rayleigh_start(const jd_family *f, int i, int j);
double complex jd_rayleigh_transfer(const jd_family *f, double complex s, int i, int j);
double jd_rayleigh_ratio(const jd_family *f);
// Frequency and participation of mode k = 0, 1, ... of an infinite body.
double jd_wave_omega(const jd_family *f, int k);
double jd_wave_row(const jd_family *f, int k, int place);
double jd_beam_omega(const jd_family *f, int k);
double jd_beam_row(const jd_family *f, int k, int place);

#endif
