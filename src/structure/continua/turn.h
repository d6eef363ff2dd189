// turn.h -- sine and cosine of pi t + delta in double-double, t reduced exactly.
//   Nodes of mode shapes come out as exact zeros: sin(pi 1000) = 0, not -3e-13.
#ifndef JD_STRUCTURE_TURN_H
#define JD_STRUCTURE_TURN_H

#include "base/dd.h"

typedef struct jd_turn {
    jd_dd sin, cos;
} jd_turn;

extern const jd_dd jd_pi;

// |delta| < pi/4 [rad]; t [half turns], |t| < 2^50. Absolute error about 1e-31 (|delta| + 1).
jd_turn jd_turn_of(jd_dd t, double delta);

#endif
