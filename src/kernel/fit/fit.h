// fit.h -- the memory of infinitely many modes as a sum of exponentials.
//   Ghat_ij(s) ~ gamma_ij + sum_p 1/2 [c_ijp/(s - s_p) + conj]     G'_ij ~ Re sum_p c_ijp e^{s_p t}
//   The lowest modes stay as they are. Above them every pole of a string or rod lies on a ray, and
//   Ghat is wanted on the imaginary axis, an angle h beside it (sin h = D): poles whose logarithms
//   are Delta = 2 pi h/ln(1/epsilon) apart stand for all others up to epsilon, whatever their
//   residues. Modes that are farther apart than that stay. Poles on the ray end where the shortest
//   echo has faded, e^{-D omega d} = epsilon; a few far off the axis do the rest. Residues by least
//   squares on s = i omega with gamma exact and Ghat(0) = 0 (else a constant force would make the
//   structure drift).
//   What the error does to a motion: with B = 1/pi int |Ghat - fit| domega/omega the step response
//   is off by at most B, so the velocity by at most B times the variation of the forces.
// Parts of kernel/fit/:
//   fit.c     poles are added where the error is; residues by least squares
//   poles.c   where poles and samples lie; error.c: error and passivity
//   cut.c     Rayleigh damping before waves come back
//   beam.c    modes of a beam and, in tail.c, an integral over all others; beam_error.c
//   bodies.c  several bodies as one sum
#ifndef JD_KERNEL_FIT_FIT_H
#define JD_KERNEL_FIT_FIT_H

#include "kernel/response.h"

typedef struct jd_fit {
    int n, kept;     // poles with Im >= 0; known ones, which come first: modes,
    int cut;         // and behind them those of a cut (Rayleigh damping)
    double soft;     // poles below this frequency are rigid-body modes [rad/s]; 0: none
    double *jump;    // n_contact x n_place: gamma in the place of the response's; NULL: that
    double *re, *im; // [1/s]
    double *residue_re, *residue_im; // n_contact x n_place x n: c
    double error;      // largest |Ghat - fit| over |Ghat| + gamma (largest of all pairs) found
    double worst_at;   // where [rad/s]
    bool rest;         // a beam: all modes beyond those kept are one
    double step_error; // B: largest error of a step response [m/(s N)]
    bool refused;      // there is no fit: too little damping for this tolerance
} jd_fit;

// Adds poles where the error is until it is at most `tolerance`, or fails by name: no damping,
// damping so small that too many poles are needed, a fit that is not passive (with the frequency).
// Memory from the arena.
jd_status jd_fit_create(jd_arena *arena, const jd_response *response, double tolerance,
                        jd_fit *out);
// Adds the poles of `from`, those of other bodies, to `to`; errors add up. pairs: n_contact x
// n_place.
jd_status jd_fit_append(jd_arena *arena, int pairs, const jd_fit *from, jd_fit *to);
// About how many poles that will be; HUGE_VAL without damping.
double jd_fit_size(const jd_response *response, double tolerance);

// One beam, whose G starts as a square root: K modes, and all others as an integral over them; with
// Rayleigh damping as one mode that bends as they do under a constant force. Passive as it stands.
jd_status jd_fit_beam(jd_arena *arena, const jd_response *response, int K, double tolerance,
                      jd_fit *out);

// Refuses a memory that gives energy: Re Ghat(i omega) must be positive semidefinite, up to
// `slack`. Ghat: n x n_place complex values (re, im) at omega.
jd_status jd_fit_check_passive(jd_context *context, int n, int n_place, const double *Ghat,
                               double omega, double slack);

#endif
