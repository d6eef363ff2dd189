// problems.h -- the benchmark problems, one description for the reference and every peer.
//   M x'' + C x' + K x = e_f F0 sin(Omega t) - e_y R,     C = alpha M + beta K
//   free basis   x = Phi q:          q'' + c q' + omega^2 q = phi_f F - phi_y R
//   held basis   x = y0 s + Psi eta: eta'' + c eta' + omega^2 eta = psi_f F,  s_y = 1, Psi_y = 0
//   force of the held point          R = -k_s y0 - m_f F - sum_k g_k (eta_k + beta eta_k')
//   change of basis                  eta = A (q - y0 d),  q = A^T eta + y0 d,  A = Psi^T M Phi
//   Assembled and diagonalised in quadruple precision, so that no peer suffers from the modal data;
//   the double fields are those numbers rounded. Nothing of this is timed for the peers.
#ifndef BENCH_PROBLEMS_H
#define BENCH_PROBLEMS_H

#include <quadmath.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BENCH_MAX = 20 }; // degrees of freedom

typedef __float128 quad;

typedef enum bench_kind { BENCH_FRICTION, BENCH_STOP } bench_kind;

typedef struct bench_basis_quad {
    int n;
    quad omega[BENCH_MAX], damping[BENCH_MAX]; // c_k = alpha + beta omega_k^2
    quad at_contact[BENCH_MAX];                // free: phi_y; held: g_k
    quad at_drive[BENCH_MAX];                  // phi_f or psi_f
} bench_basis_quad;

typedef struct bench_basis {
    int n;
    double omega[BENCH_MAX], damping[BENCH_MAX], at_contact[BENCH_MAX], at_drive[BENCH_MAX];
} bench_basis;

typedef struct bench_problem {
    const char *name, *text;
    bench_kind kind;
    double limit;        // Coulomb limit R0 [N]; 0 for a stop
    double restitution;  // e; 0 for friction
    double gap;          // y <= gap [m]; 0 for friction
    double force, drive; // F0 [N], Omega [rad/s]
    double beta;         // stiffness damping [s]
    int periods;         // of the drive; 0: no drive
    double t_end;        // [s]
    double t_judge;      // event times are compared up to here [s]
    double window;       // events further apart than this are not the same event [s]
    bench_basis free, held;
    double held_stiffness, held_drive;                             // k_s [N/m], m_f
    double to_held[BENCH_MAX][BENCH_MAX], static_shape[BENCH_MAX]; // A, d
    double q0[BENCH_MAX], v0[BENCH_MAX];                           // start, free basis
    // The same in quadruple precision, for the reference.
    quad q_limit, q_restitution, q_gap, q_force, q_drive, q_beta, q_t_end;
    bench_basis_quad q_free, q_held;
    quad q_held_stiffness, q_held_drive;
    quad q_to_held[BENCH_MAX][BENCH_MAX], q_static_shape[BENCH_MAX];
    quad q_q0[BENCH_MAX], q_v0[BENCH_MAX];
} bench_problem;

// What happened at one time. Phases: 'H' stuck, '+' '-' sliding, 'o' open;
// an impact is o -> o. Speed: of approach at an impact, else 0.
typedef struct bench_event {
    double t, speed;
    char from, to;
} bench_event;

enum { BENCH_EVENTS = 20000 };

typedef struct bench_events {
    int n;
    bool overflow;
    bench_event list[BENCH_EVENTS];
} bench_events;

void bench_note(bench_events *events, double t, char from, char to, double speed);

// Clamped beam, 10 elements, Coulomb friction at the tip, driven at mid-span, from rest.
void bench_beam(bench_problem *p, const char *name, bool damped, int periods);
// Chain of five masses 1/5, springs 5, stop at 1 on the last mass. The start of mass `moved`
// (0 .. 4) is shifted by so much: shows how well conditioned the impact times are.
void bench_chain(bench_problem *p, const char *name, int e_tenths, int moved, double shift);

#ifdef __cplusplus
}
#endif

#endif
