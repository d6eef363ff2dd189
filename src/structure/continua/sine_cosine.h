// sine_cosine.h -- sine and cosine of pi t + delta in double-double, t reduced exactly.
//   Nodes of mode shapes come out as exact zeros: sin(pi 1000) = 0, not -3e-13.
#ifndef JD_STRUCTURE_SINE_COSINE_H
#define JD_STRUCTURE_SINE_COSINE_H

#include "base/dd.h"

typedef struct jd_sine_cosine {
    jd_dd sin, cos;
} jd_sine_cosine;

extern const jd_dd jd_pi;

// |delta| < pi/4 [rad]; t [half turns], |t| < 2^50. Absolute error about 1e-31 (|delta| + 1).
jd_sine_cosine jd_sine_cosine_of(jd_dd t, double delta);

#endif
