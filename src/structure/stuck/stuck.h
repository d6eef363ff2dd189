// stuck.h -- the modal basis with some contacts stuck: B q' prescribed for m rows B.
//   The remaining motion lives in the null space of B:  q = Q x + S y
//   with Q (n x n_free) mass-orthonormal, Q' Omega^2 Q = diag(omega2), B Q = 0, and static shapes
//   S (n x m), B S = I, Q' (Omega^2 + shift) S = 0: holding a contact at y bends the rest
//   statically. shift = 0 unless rigid-body modes make Omega^2 singular on the contacts. One
//   contact: roots of the secular equation sum_k B_k^2/(omega_k^2 - x) = 0, which interlace and are
//   found to the last digits; more contacts: one after the other, each a rank-one step.
#ifndef JD_STRUCTURE_STUCK_H
#define JD_STRUCTURE_STUCK_H

#include "structure/modal.h"

typedef struct jd_stuck {
    int n, m;        // free modes, stuck rows asked for
    int rank;        // independent rows among them (< m: the force split is not unique)
    jd_modal modal;  // n - rank modes; law RAYLEIGH or NONE stays decoupled, else modal.C is full
    double *Q;       // n x (n - rank), row-major
    double *S;       // n x m static shapes (columns of dependent rows are zero)
    double shift;    // [1/s^2]
    bool *dependent; // m: row i adds nothing to the rows before it
    // kept for jd_stuck_change, else NULL
    jd_dd *basis; // n x (n - rank): Q
    jd_dd *dual;  // m x n: rows in the span of B with B_j dual_i' = (i == j)
    jd_dd *shape; // m x n: columns of S
    int steps;    // rows added and taken away since it was made from scratch
} jd_stuck;

// free: the free modal form; B: m rows of n. Memory comes from the arena.
jd_status jd_stuck_create(jd_arena *arena, const jd_modal *free, int m, const jd_dd *const *B,
                          jd_stuck **out);

// The same, with what jd_stuck_change needs, where all rows are independent and no mode is a
// rigid-body one.
jd_status jd_stuck_start(jd_arena *arena, const jd_modal *free, int m, const jd_dd *const *B,
                         jd_stuck **out);

// stuck_change.c: from the rows B_from of `from` to the m rows B; old[i]: which of them row i is,
// or -1. Costs n r^2 for every row that goes or comes. *out is NULL where it is not worth it or not
// good enough: start anew.
jd_status jd_stuck_change(jd_arena *arena, const jd_modal *free, const jd_stuck *from,
                          const jd_dd *const *B_from, int m, const jd_dd *const *B, const int *old,
                          jd_stuck **out);

// For stuck_change.c: r columns Q (NULL: identity) with squared frequencies omega2, in double, with
// damping; the static shapes (m x n) in double.
jd_status jd_stuck_fill(jd_arena *arena, jd_arena *scratch, const jd_modal *free, int r,
                        const jd_dd *omega2, const jd_dd *Q, jd_stuck *s);
void jd_stuck_round_shapes(jd_stuck *s, const jd_dd *shape);

#endif
