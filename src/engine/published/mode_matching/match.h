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

typedef struct jd_match {
    const jd_semi *semi;
    jd_motion cells; // states, inverse, ledger of the cells; its series are not used
    jd_chain_cache cache;
    double step, tolerance; // d and the accuracy of events [s]
    int n_piece, n_old;
    jd_piece *piece, *old;
    double *q, *q_rate, *force; // n: modal coordinates at t0, and constant modal forces
    double *q1, *q1_rate;       // at the time tried
    double *modal_force;        // stride: Q at t0
    double *offset;             // per cell: u - Psi eta - v0 t of stuck cells
    double *follow;             // per cell: Psi eta at t0
    // At the time tried: nodes in contact (all nodes when asked for), modes, guards.
    double *u, *v, *eta, *eta_rate, *accel, *follow1, *follow_rate, *held, *guard, *guard0;
    double *room;
    double *driven; // displacement each drive acts on, at t0
    double t0, d;   // of the step tried
    double plan;    // d of the step found
    long tries;
    bool failed; // out of memory
} jd_match;

jd_status jd_match_create(jd_arena *arena, const jd_semi *semi, jd_match *out);
void jd_match_free(jd_match *m);
// Finds the next step: its length, and the change at its end in cells.next.
void jd_match_look(jd_match *m);
jd_change jd_match_go(jd_match *m); // then look again
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
