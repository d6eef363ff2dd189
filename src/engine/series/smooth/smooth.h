// smooth.h -- nonlinear springs in engine series: forces that are polynomials of a displacement.
#ifndef JD_SERIES_SMOOTH_H
#define JD_SERIES_SMOOTH_H

#include "engine/series/series.h"

jd_status jd_smooth_room(series *s);
// Forces of order k of all nonlinear springs, added to the forces F of the rows; returns the sum of
// |F_r| |W_r|, with the moduli of the terms they are made of.
double jd_smooth_forces(series *s, int k, double *F);
// What the series of the present step leave out, where there are nonlinear springs; energy: |z[k]|
// of the orders degree ... degree + 3, growth [1/s] and tail of the drives as without them.
void jd_smooth_remainder(series *s, const double *energy, double growth, double tail);
// Orders above the one reached are 0.
void jd_smooth_cut(series *s, int orders);
double jd_smooth_energy(const series *s, const double *q);
// Force of spring i at displacement u.
double jd_smooth_force(const series_smooth *g, double u);

#endif
