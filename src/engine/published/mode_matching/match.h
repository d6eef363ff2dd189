// match.h -- mode matching as published: exact modal solutions of the sliding pieces of the rod,
//   the counter body by a trapezoidal rule for its convolution, events by iteration on the step.
//   A piece is a run of nodes that slide (or touch nothing); its neighbours are stuck or supports.
//     q_k(t0+d) = q_k cos + q_k' sin/omega + integrals of constant forces and drives (exact)
//     what its stuck neighbours move within a step enters by the trapezoidal rule
//     eta(t0+d) = eta cos + (eta' + d/2 Q0) sin/omega,  Q = eta'' + Omega^2 eta   [paper, 20-25]
//   At every step the stuck neighbours are the new reference, and a reversal is an event of its own
//   (the published test of states does not see it).
#ifndef JD_MODE_MATCHING_MATCH_H
#define JD_MODE_MATCHING_MATCH_H

#include "engine/published/mode_matching/chain.h"
#include "engine/taylor/motion.h"

typedef struct jd_piece {
    int first, n;                // nodes
    const jd_chain_modes *modes; // its modal coordinates stand at [first, first + n)
} jd_piece;

// The sliding pieces, and those before the last change (whose coordinates are kept where they
// stayed).
typedef struct jd_match_pieces {
    int n, n_old;
    jd_piece *now, *old;
} jd_match_pieces;

// The motion at t0, where the present step begins.
typedef struct jd_match_start {
    double t0;                  // [s]
    double *q, *q_rate, *force; // n: modal coordinates of the pieces, and constant modal forces
    double *modal_force;        // stride: Q
    double *offset;             // per cell: u - Psi eta - v0 t of stuck cells
    double *counter;            // per cell: Psi eta
    double *driven;             // displacement each drive acts on
} jd_match_start;

// The motion at the time tried, t0 + d: nodes in contact (all nodes when asked for), modes, guards.
typedef struct jd_match_trial {
    double d; // [s]
    double *q, *q_rate, *u, *v;
    double *eta, *eta_rate, *accel; // stride; accel: eta''
    double *counter, *counter_rate; // per cell: Psi eta + v0 t and its rate
    double *stick_force;            // per cell: force that keeps it stuck [N]
    double *guard;                  // per cell: > 0 while its contact state lasts
} jd_match_trial;

typedef struct jd_match_scratch {
    double *pull, *right, *accel; // of stuck cells: -(K u) + p; of modes: right side; Psi eta''
    double *nodal;                // values of the nodes of a piece
    double *cosine, *sine;        // cos(omega d) and sin(omega d)/omega of a piece
} jd_match_scratch;

typedef struct jd_match {
    const jd_semi *semi;
    double step, tolerance; // d and the accuracy of events [s]
    jd_motion cells;        // states, inverse, ledger of the cells; its series are not used
    jd_chain_cache cache;
    jd_match_pieces pieces;
    jd_match_start start;
    jd_match_trial trial;
    double *guard_before; // guards at the last time in the step at which no cell had changed
    double found;         // d of the step found
    jd_match_scratch scratch;
    long tries;
    bool failed; // out of memory
} jd_match;

jd_status jd_match_create(jd_arena *arena, const jd_semi *semi, jd_match *out);
void jd_match_free(jd_match *m);
// Finds the next step: its length, and the change at its end in cells.next.
void jd_match_find_step(jd_match *m);
jd_change jd_match_advance(jd_match *m); // then look again
// The motion at t0 + d: `whole` also outside the contact.
void jd_match_try(jd_match *m, double d, bool whole);
// Displacement of a cell against its counterpart, and energy lost in it, after a try.
double jd_match_slip(const jd_match *m, int cell);
double jd_match_loss(const jd_match *m, int cell);
// After a try: the work of a drive.
double jd_match_work(const jd_match *m, int drive);

// pieces.c: from nodes to modal coordinates of the sliding pieces; keeps those that stayed.
jd_status jd_match_cut(jd_match *m);
// Modal coordinates of a piece at t0 + d into q1, q1_rate, without what its neighbours do.
void jd_piece_advance(jd_match *m, const jd_piece *p, double d);
void jd_piece_kick(const jd_piece *p, double left, double right, double *modal);

#endif
