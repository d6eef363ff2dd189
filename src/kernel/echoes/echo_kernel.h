// echo_kernel.h -- a string or rod with little damping: smeared echoes that come back for ever, and
// the few low modes that these get wrong.
//   One body, damping ratio D < 1, r = sqrt(1 - D^2), T = 2 L/c, N_w of smear.h:
//     w_i(t) = sum_j gamma_ij F_j + sign N_{DT}*w_i(t - r T) + sum_j sum_d a_ijd N_{Dd}*F_j(t - r
//     d) y'_i = w_i + sum over poles of c z, z' = s z + F
//   All singularities of Ghat are the modes lambda_k = omega_k (-D + i r), those of the echoes are
//   the zeros mu_k of 1 - sign Nhat e^{-s r T}. Where e^{-(omega sigma)^2/2} is gone the two agree:
//   the poles are lambda_k with their residues and mu_k with those of the echoes, taken off, for k
//   <= K. Nothing is fitted; the error falls as e^{-(omega_K sigma)^2/2}. For D = 0 the echoes are
//   exact. A bell is not felt beyond omega if omega sigma > q + w/sigma, q a few: a wide pulse
//   needs a wide bell, sigma = (q + sqrt(q^2 + 4 omega_K w))/(2 omega_K), and a late one has the
//   room for it.
// Parts of kernel/echoes/:
//   echo_kernel.c  poles that are taken off and put in, bells, error
//   smear.c        transform of a smeared echo
//   delays.c       undamped bodies: when echoes come, and with what sign
#ifndef JD_KERNEL_ECHOES_ECHO_KERNEL_H
#define JD_KERNEL_ECHOES_ECHO_KERNEL_H

#include "kernel/fit/fit.h"

// Echoes within one period: delays r d <= r T ascending, widths D d, coefficients; what the
// repetition of gamma brings at the period is taken off there.
typedef struct jd_echo_taps {
    int n;
    double *delay, *width, *coefficient; // [s], [s], [m/(s N)]
    double *sigma;                       // of the bell of each [s]
} jd_echo_taps;

typedef struct jd_echo_kernel {
    double period, width, sign; // r T, D T
    double shortest;            // shortest delay of all pairs
    double sigma;               // bell of the period; 0: no damping, pulses are sharp
    double narrow;              // narrowest bell of all
    double reach;               // where a bell is below the tolerance, over its sigma
    double highest, depth;      // [rad/s] from here on bells are not felt; q
    double most;                // sigma of a bell over its delay, at most
    double spacing;             // of an even grid that serves the histories [s]; 0: none does
    double error;               // largest |Ghat - echoes - poles| over |Ghat| + gamma, of this body
    jd_fit fit; // poles to be added; empty without damping. Its error is that, and that of other
                // bodies whose poles are put beside
} jd_echo_kernel;

// Do contacts stand on just one string or rod with all its modes, and has it D < 1?
bool jd_echo_kernel_serves(const jd_response *response);
// That body as a response of its own, and all other bodies that contacts stand on.
jd_status jd_echo_kernel_body(jd_arena *arena, const jd_response *response,
                              const jd_response **wave, const jd_response **rest);
// Echoes with as many poles as the tolerance asks for. The bell of the shortest delay reaches
// over `share` of it, or more (at most half of it) where many poles would be needed; other bells
// are as wide as they have to be for the same poles. On an even grid wide bells are cheap: half of
// it.
jd_status jd_echo_kernel_create(jd_arena *arena, const jd_response *response, double tolerance,
                                double share, jd_echo_kernel *out);
// Lowest frequency of the body [rad/s]; 0: nothing holds it.
double jd_echo_kernel_first(const jd_response *response);
// What the echoes alone give at n real s, less what they give at 0: out, n x contacts x places. Of
// a held body, whose Ghat(0) is 0, these are the slow parts of its velocities without the poles.
jd_status jd_echo_kernel_slow(jd_arena *arena, const jd_response *response,
                              const jd_echo_kernel *echoes, int n, const double *s, double *out);
// With the bells of the echoes; NULL: without.
jd_status jd_echo_taps_of(const jd_response *response, const jd_echo_kernel *echoes, int i, int j,
                          jd_arena *arena, jd_echo_taps *out);

#endif
