// reduction.h -- a few modes and shapes that stand for all modes of a pair of matrices.
#ifndef JD_STRUCTURE_MATRICES_REDUCTION_H
#define JD_STRUCTURE_MATRICES_REDUCTION_H

#include "judder/structure.h"
#include "linalg/eigen.h"
#include "linalg/sparse/factor.h"

typedef struct jd_reduced {
    jd_arena *arena; // of everything here
    const jd_sparse *K, *M;
    int n_point;
    const char *const *name; // of the points
    const int *at;           // their rows
    // Of points that are vectors of forces: the vector, K->n numbers; NULL: 1 at the row alone.
    const double *const *load;
    bool fewer; // than the number of modes asked for are enough, where M leaves no more
    int n_face;
    const int *face; // the points of the interface, by number
    // Result: n modes, ascending; the last n_static are static shapes. Room for modes asked for +
    // n_face of each.
    int n, n_static;
    jd_dd *omega2;
    double *vector;     // n rows of K->n
    double *error;      // relative, of omega
    double *off;        // what the reduction adds to it; NaN: not known; NULL: nothing
    jd_dd *row;         // n_point x n
    double *share;      // n_face: part of the static flexibility that the modes kept have, 0 to 1
    double *outside;    // n_point: the same of points that are not of it; NaN: not known
    const char *text;   // what was done and what it is worth
    jd_factor *shifted; // K - sigma M, sigma < 0, where the modes left one
} jd_reduced;

// The lowest *n_mode modes of a pencil, by LAPACK or by Lanczos; with `fewer` as many as a singular
// M leaves. *shifted and `use` as in jd_eigen_sparse; densely there is no factor.
jd_status jd_matrices_modes(jd_arena *arena, const jd_sparse *K, const jd_sparse *M, bool fewer,
                            int *n_mode, double *lambda, double *vector, double *error,
                            jd_factor **shifted, const jd_eigen_use *use);

// Null vectors of K of which `found` are known to be candidates; -1: that cannot be told.
jd_status jd_matrices_nullity(jd_arena *arena, const jd_sparse *K, int found, int *nullity);

// K + shift M factorised; with a shift of 0 by one far below the elastic modes.
jd_status jd_reduced_factor(jd_arena *arena, const jd_sparse *K, const jd_sparse *M, double shift,
                            jd_factor **out);
// max K_jj/M_jj: of the size of the largest omega^2.
double jd_reduced_scale(const jd_sparse *K, const jd_sparse *M);

// The lowest n_mode modes, and with `complete` static shapes for the interface; else a warning
// where they would be missed.
jd_status jd_reduce_free(jd_reduced *r, int n_mode, bool complete);

// Dofs that are not of the interface.
int jd_reduced_inside(const jd_reduced *r);
// n_mode modes with the interface held, and its constraint modes.
jd_status jd_reduce_craig_bampton(jd_reduced *r, int n_mode);

// Fills `outside`, after a reduction.
jd_status jd_reduced_outside(jd_reduced *r);

// loads/loads.c: what a point sees of a shape, b' x, and its load b (which is 0 before; `size` 0
// makes it 0 again).
double jd_reduced_seen(const jd_reduced *r, int point, const double *shape);
void jd_reduced_load(const jd_reduced *r, int point, double size, double *b);
// Rows of the points that are vectors, from the modes.
void jd_reduced_rows(jd_reduced *r);

// Room for `n` modes and shapes.
jd_status jd_reduced_room(jd_reduced *r, int n);
// Gives back what is not in the arena.
void jd_reduced_free(jd_reduced *r);

#endif
