// coefficients.h -- all that depends on the length of a panel only.
#ifndef JD_ENGINE_MEMORY_POLES_COEFFICIENTS_H
#define JD_ENGINE_MEMORY_POLES_COEFFICIENTS_H

#include "engine/memory/plan.h"

// What damping takes in a panel of one length without drives, damping_form.c: N = s m forces.
enum { FORM_CONTACTS = 8 };
typedef struct damping_form {
    double *Q; // N x N: work of the forces on what they leave; NULL: not needed yet
} damping_form;

typedef struct coefficients {
    double h;                // length [s]
    double *e_re, *e_im;     // n: e^{lambda h}
    double *phi_re, *phi_im; // s x n: what a nodal force leaves in a pole's state
    double *w_re, *w_im;     // (s + 1) x rows x n: out e^{lambda c_i h}; contacts without a jump:
                             // out (e^{lambda c_i h} - 1)
    double *B;               // (s + 1) rows x s m, index (node, row or contact)
    double *across;          // s m x s m: columns of B, its contacts' rows at the nodes
    double *inverse;         // of the s m rows that keep all contacts stuck; NULL: not kept
    float *rough;            // w of a kept length in single precision, rough.c; else NULL
    damping_form *form;      // of a kept length; else NULL
} coefficients;

enum { LADDER = 160 }; // steps that are kept: largest x 2^(-i/4)

// Coefficients that are computed once, and arrays for computing them.
typedef struct coefficients_cache {
    coefficients *ladder[LADDER];                    // NULL: not needed yet
    coefficients single;                             // of a step that ends at an event or a break
    double *moment_re, *moment_im, *phi_re, *phi_im; // s x n: M_r; what nodal forces leave
    double *weight_re, *weight_im;                   // n: products of weights
    double *matrix, *right_side;                     // (s m)^2, s m: a linear system
} coefficients_cache;

jd_status jd_coefficients_take(const memory_plan *plan, coefficients *t);
void jd_coefficients_set(const memory_plan *plan, coefficients_cache *c, coefficients *t, double h);
// The kept coefficients of the longest rung that is at most h.
jd_status jd_coefficients_at_most(const memory_plan *plan, coefficients_cache *c, double h,
                                  const coefficients **out);

#endif
