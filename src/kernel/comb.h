// comb.h -- a string or rod with little damping: smeared echoes that come back for ever, and the
// few low modes that these get wrong.
//   One body, damping ratio D < 1, r = sqrt(1 - D^2), T = 2 L/c, N_w of smear.h:
//     w_i(t) = sum_j gamma_ij F_j + sign N_{DT}*w_i(t - r T) + sum_j sum_d a_ijd N_{Dd}*F_j(t - r
//     d) y'_i = w_i + sum over poles of c z, z' = s z + F
//   All singularities of Ghat are the modes lambda_k = omega_k (-D + i r), those of the comb are
//   the zeros mu_k of 1 - sign Nhat e^{-s r T}. Where e^{-(omega sigma)^2/2} is gone the two agree:
//   the poles are lambda_k with their residues and mu_k with those of the comb, taken off, for k <=
//   K. Nothing is fitted; the error falls as e^{-(omega_K sigma)^2/2}. For D = 0 the comb is exact.
#ifndef JD_KERNEL_COMB_H
#define JD_KERNEL_COMB_H

#include "kernel/fit.h"

// Echoes within one period: delays r d <= r T ascending, widths D d, coefficients; what the
// repetition of gamma brings at the period is taken off there.
typedef struct jd_comb_taps {
    int n;
    double *delay, *width, *coefficient; // [s], [s], [m/(s N)]
} jd_comb_taps;

typedef struct jd_comb {
    double period, width, sign; // r T, D T
    double shortest;            // shortest delay of all pairs
    double sigma;               // of the bell; 0: no damping, pulses are sharp
    double reach;               // where the bell is below the tolerance
    jd_fit fit; // poles to be added; empty without damping. The error is the largest
                // |Ghat - comb - poles| over |Ghat| + gamma
} jd_comb;

// Is there one body, a string or rod with all its modes and D < 1?
bool jd_comb_serves(const jd_response *response);
// The comb with as many poles as the tolerance asks for. The bell reaches over `share` of the
// shortest delay, or more (at most half of it) where pulses are wide.
jd_status jd_comb_create(jd_arena *arena, const jd_response *response, double tolerance,
                         double share, jd_comb *out);
jd_status jd_comb_taps_of(const jd_response *response, int i, int j, jd_arena *arena,
                          jd_comb_taps *out);

#endif
