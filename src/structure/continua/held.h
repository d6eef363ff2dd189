// held.h -- strings, rods and beams held in a given shape by forces at points.
#ifndef JD_STRUCTURE_HELD_H
#define JD_STRUCTURE_HELD_H

#include "structure/modal.h"

// What holds a body so that its points at x have the displacements u.
typedef struct jd_held {
    double *force;   // n: on the body [N]; of no meaning at a point that its support holds
    double rigid[2]; // coordinates of its rigid-body modes [sqrt(kg) m]
    int n_rigid;
} jd_held;

// x: n >= 1 positions, rising, within the length. Refuses what is no string, rod or beam, a
// position outside, a support that would have to move, and too few points to hold a free body.
jd_status jd_held_at(jd_arena *arena, const jd_type *type, const void *def, int n, const double *x,
                     const double *u, jd_held *out);

// Mass-normalised shapes of all modes of a body with a length at n positions: row[i n_mode + k].
jd_status jd_structure_rows_at(jd_arena *arena, const jd_type *type, const void *def, int n,
                               const double *x, int n_mode, double *row);

#endif
