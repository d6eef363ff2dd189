// collocation.h -- trigonometric collocation of motions that repeat with the opposite sign after
// half a period: M places on half a period, odd harmonics up to M - 1 (M even).
#ifndef JD_ANALYSIS_COLLOCATION_H
#define JD_ANALYSIS_COLLOCATION_H

#include "base/arena.h"

typedef struct collocation {
    int M;
    double *sine, *cosine;   // of theta
    double *theta;           // M: pi i/M
    double *D, *D2;          // M x M row-major: d/dtheta and its square, of odd harmonics
    double *cos_of, *sin_of; // M/2 x M: coefficients of cos and sin of 1, 3, ... from values
} collocation;

jd_status collocation_create(jd_arena *arena, int M, collocation *out);
// Values of odd (half-wave antisymmetric) data at theta, and its first two derivatives.
void collocation_look(const collocation *c, const double *a, const double *b, double theta,
                      double out[3]);
// Coefficients a (cos) and b (sin), M/2 each.
void collocation_transform(const collocation *c, const double *value, double *a, double *b);
// Data of period pi (even harmonics) from m places onto n places of half a period.
void collocation_resample(int m, const double *from, int n, double *to);

#endif
