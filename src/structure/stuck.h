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
} jd_stuck;

// free: the free modal form; B: m rows of n. Memory comes from the arena.
jd_status jd_stuck_create(jd_arena *arena, const jd_modal *free, int m, const jd_dd *const *B,
                          jd_stuck **out);

#endif
