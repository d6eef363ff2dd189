// hybrid.h -- a benchmark problem as piecewise smooth ODE for solvers with root finding.
//   State: energy variables z_k = omega_k q_k and p_k = q_k' of the basis of the phase, so that
//       z' = omega p,   p' = -omega z - c p + f_k sin(Omega t) - r_k
//   costs O(n). The held basis has one mode less; its place keeps (y0, 0), constant.
//   Layout: split (z..., p...) vectorises; interleaved (z p z p ...) makes the Jacobian
//   tridiagonal.
#ifndef BENCH_HYBRID_H
#define BENCH_HYBRID_H

#include "problems.h"

typedef struct hybrid {
    const bench_problem *p;
    bench_events *events;
    bool interleaved;
    char phase;
    int n; // pairs
    double omega[BENCH_MAX], damping[BENCH_MAX], drive[BENCH_MAX], constant[BENCH_MAX];
    double row_z[BENCH_MAX], row_p[BENCH_MAX], row_drive; // watched quantity
} hybrid;

// Start of the problem in y (2 n values).
void hybrid_start(hybrid *h, const bench_problem *p, bench_events *events, bool interleaved,
                  double *y);
void hybrid_rhs(const hybrid *h, double t, const double *y, double *dy);
// Two functions, positive inside the phase; an event is a crossing downwards.
void hybrid_roots(const hybrid *h, double t, const double *y, double *g);
// Carries out the event of root `which` at t: new phase, new basis, new velocities.
void hybrid_event(hybrid *h, double t, int which, double *y);

// Place of z_k and p_k in the state.
static inline int hybrid_z(const hybrid *h, int k) { return h->interleaved ? 2 * k : k; }
static inline int hybrid_p(const hybrid *h, int k) { return h->interleaved ? 2 * k + 1 : h->n + k; }

#endif
