// sustained.h -- orbits that rest on the stop for a while: the closed forms they are made of.
//   Flight (2 h long) and contact (2 s long) are both even about their middles. With the shapes'
//   shares B_j in the stop's motion, held frequencies sigma_k and Q (jd_secular: B Q = 0, Q'Q = I,
//   Q' Omega^2 Q = Sigma^2) and z_k the amplitude of the acceleration of held mode k:
//     contact:  u = g + ...,  force of the stop  lambda = R + sum r_k z_k/sigma_k^2 cos(sigma_k t),
//               r_k = m sum_j B_j omega_j^2 Q_jk, R = g/c holds the structure at g, c = sum
//               B_j^2/omega_j^2
//     release:  lambda = 0 eliminates R; what is left for the flight to be even is H z = 0 with
//               H(h, s) = Omega^-1 sin(Omega h) Q cos(Sigma s) + cos(Omega h) Q sin(Sigma s)
//               Sigma^-1
//   n equations for n - 1 amplitudes: H must lose rank, two conditions on (h, s). Orbits of
//   sustained contact are isolated.
#ifndef JD_STRUCTURE_NONSMOOTH_SUSTAINED_H
#define JD_STRUCTURE_NONSMOOTH_SUSTAINED_H

#include "base/arena.h"
#include "base/dd.h"

typedef struct jd_sustained {
    int n;               // modes
    double *omega;       // n [rad/s]
    double *row;         // n: B_j [kg^-1/2]
    double *sigma;       // n - 1 [rad/s]
    double *reaction;    // n - 1: r_k [N/(m kg^1/2)]
    double *Q;           // n x (n - 1), row-major
    double mass;         // 1/(B B') [kg]
    double compliance;   // c [m/N]
    double steep;        // |Omega^-1 Q Sigma|: bounds dH/ds; that of dH/dh is 1
    double *sine, *turn; // scratch: 2 n, 2 n
} jd_sustained;

// omega2: n squared frequencies > 0; row: B, not all zero. n >= 2.
jd_status jd_sustained_create(jd_arena *arena, int n, const jd_dd *omega2, const jd_dd *row,
                              jd_sustained *out);

// H, n x (n - 1) row-major; its derivatives by h and s unless NULL.
void jd_sustained_look(const jd_sustained *x, double h, double s, double *H, double *Hh,
                       double *Hs);

// Amplitudes A_j of the flight, q_j = A_j cos(omega_j t) from its middle, of H z = 0.
void jd_sustained_flight(const jd_sustained *x, double h, double s, const double *z, double *A);

// The z of length 1 that makes |H z| least, scaled to the gap (R = gap/c), into z; work: from the
// arena, given back. Returns the least |H z| times the fastest omega: a pure number, 0 on an orbit.
jd_status jd_sustained_solve(jd_arena *arena, const jd_sustained *x, double h, double s, double gap,
                             double *z, double *residual);

#endif
