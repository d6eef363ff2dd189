// beam_modes.h -- modes of a uniform Euler-Bernoulli beam of unit length, EI = rho A = 1.
#ifndef JD_STRUCTURE_BEAM_MODES_H
#define JD_STRUCTURE_BEAM_MODES_H

#include "base/dd.h"
#include "judder/structure.h"

// beta = pi turns + delta;  phi = A cos(beta(xi - centre)) + B sin(beta(xi - centre))
//                                 + P e^{-beta xi} + Q e^{-beta(1 - xi)};  omega = beta^2
// `mirrored` counts xi from the right end. A rigid-body mode has turns = 0: phi = A + B(xi - 1/2).
typedef struct jd_beam_mode {
    double turns, delta;
    double centre, A, B, P, Q;
    bool mirrored;
    int end[2]; // jd_support at xi = 0 and xi = 1, before mirroring
} jd_beam_mode;

// Mode k = 0, 1, ... of a beam held by `left` and `right` (free, clamped, pinned, guided),
// rigid-body modes first.
jd_beam_mode jd_beam_mode_of(int left, int right, int k);
jd_dd jd_beam_root(const jd_beam_mode *mode); // beta
// phi at x of a beam of length L [x, L in the same unit], component 2: d phi/d(x/L).
jd_dd jd_beam_shape(const jd_beam_mode *mode, double x, double length, int component);
// integral of phi over the unit length
jd_dd jd_beam_mean(const jd_beam_mode *mode);

#endif
