// reduced.h -- the reduced equation of motion with memory, (III.8)-(III.20) of the paper.
//   y = (y1, y2), displacements and velocities of the M contacts:
//     y' = A y + L_infinity F + int dL1(tau) dF/dt(t - tau) + g(t)
//   W lives on M modes P, one for each contact: N_P = (n_jk), k in P. Lower blocks of A and L:
//     A = [0 I; -K -C],  K = N_P diag(omega^2) N_P^-1,  C = N_P c_PP N_P^-1
//     L(tau) = G' + C G + K U,  L_infinity = K U(infinity),  L0 = L - L_infinity
//     L1(tau) = int_0^tau L0 = G + C U + K int (U - U(infinity))
//   The upper blocks of L are 0. The printed (III.29) forgets to integrate the term with C.
#ifndef JD_KERNEL_REDUCED_H
#define JD_KERNEL_REDUCED_H

#include "kernel/response.h"

typedef struct jd_reduced {
    int n;                   // contacts M
    int *mode;               // P: n modes, counted from 1 over all bodies
    double condition;        // of N_P, each row scaled by its largest participation
    double *K, *C;           // n x n row-major [1/s^2], [1/s]
    double *A;               // 2 n x 2 n
    double *L_infinity;      // n x n [m/(s^2 N)]; NaN with a rigid-body mode
    const jd_response *from; // must live as long
} jd_reduced;

// W from the modes `mode` (n of them, from 1), or, when it is NULL, those that QR with column
// pivoting picks from n_jk/omega_k: low modes that tell the contacts apart. A condition number
// above 1e3 is refused by name.
jd_status jd_reduced_make(jd_arena *arena, const jd_response *response, const int *mode,
                          jd_reduced *out);

// Values at n_tau times, out[(t n + i) n + j]: L, L0, L1; any may be NULL. work: 4 n n_place.
jd_status jd_reduced_at(const jd_reduced *reduced, int n_tau, const double *tau, double *L,
                        double *L0, double *L1, double *work);

#endif
