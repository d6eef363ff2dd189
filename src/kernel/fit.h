// fit.h -- the memory of infinitely many modes as a sum of exponentials.
//   Ghat_ij(s) ~ gamma_ij + sum_p 1/2 [c_ijp/(s - s_p) + conj]     G'_ij ~ Re sum_p c_ijp e^{s_p t}
//   The modal poles k <= K stay, with residues of their own; above them a few complex pairs and
//   real poles stand for all the others. Residues by least squares on s = i omega, with gamma exact
//   and Ghat(0) = 0 (else a constant force would make the structure drift).
#ifndef JD_KERNEL_FIT_H
#define JD_KERNEL_FIT_H

#include "kernel/response.h"

typedef struct jd_fit {
    int n, kept;                     // poles with Im >= 0 (real ones last), modal ones among them
    double *re, *im;                 // [1/s]
    double *residue_re, *residue_im; // n_contact x n_place x n: c
    double error;                    // largest |Ghat - fit| found, over the largest |Ghat|
    double least;                    // least eigenvalue bound of Re Ghat over the same: >= -error
} jd_fit;

// Chooses K so that the error is at most `tolerance`, or fails by name: no damping, damping so
// small that too many poles are needed, a fit that is not passive (with the frequency). Memory from
// the arena.
jd_status jd_fit_create(jd_arena *arena, const jd_response *response, double tolerance,
                        jd_fit *out);
// About how many modal poles it will keep of each body; HUGE_VAL without damping.
double jd_fit_modes(const jd_response *response, double tolerance);
// With K modal poles kept and `extra` pairs and as many real poles; no demand on the error.
jd_status jd_fit_with(jd_arena *arena, const jd_response *response, int K, int extra, jd_fit *out);

// Beams, whose G starts as a square root: K modes as they are, and all others as one mode that
// bends as they do under a constant force. Passive as it stands.
jd_status jd_fit_beam(jd_arena *arena, const jd_response *response, int K, jd_fit *out);

// Refuses a memory that gives energy: Re Ghat(i omega) must be positive semidefinite, up to
// `slack`. Ghat: n x n_place complex values (re, im) at omega.
jd_status jd_fit_check_passive(jd_context *context, int n, int n_place, const double *Ghat,
                               double omega, double slack);

#endif
