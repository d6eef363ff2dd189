// radau.h -- one-step collocation at the Radau IIA points: order 13, stiffly accurate, with the
// collocation polynomial as dense output and the exact derivative of each step.
#ifndef JD_ENGINE_CLOSURE_RADAU_H
#define JD_ENGINE_CLOSURE_RADAU_H

#include "base/arena.h"

enum { RADAU_STAGES = 7, RADAU_NODES = RADAU_STAGES + 1 }; // nodes: the step's start, then c_i

typedef struct radau_field {
    void *user;
    bool (*rate)(void *user, double t, const double *x, double *out); // false: not a number
} radau_field;

typedef struct radau {
    int room;                              // largest number of unknowns
    double c[RADAU_NODES];                 // 0, c_1 ... c_7 = 1
    double A[RADAU_STAGES * RADAU_STAGES]; // integral of l_j from 0 to c_i
    double weight[RADAU_NODES];            // barycentric
    double slope[RADAU_NODES];             // p'(0) = sum slope_i p(node_i)
    double *J, *lu, *G, *up, *down, *work; // Jacobian, factors, residual, scratch
    double *stage;                         // Jacobians at the stages, for tangents
    int *pivot;
    int lu_n; // what `lu` belongs to: size, step and phase; lu_n 0: nothing
    double lu_h;
    bool same_J; // the caller says: J has not changed since
    double left; // what Newton's method left in the last step, relative to the sizes
} radau;

// One step as it was computed: node values at t + c_i h.
typedef struct radau_step {
    int n;
    double t, h;
    double *x; // RADAU_NODES rows of n
} radau_step;

jd_status jd_radau_create(jd_arena *arena, int room, radau *out);
jd_status jd_radau_take_step(jd_arena *arena, int room, radau_step *out);

typedef enum radau_end { RADAU_DONE, RADAU_SLOW, RADAU_NOT_FINITE } radau_end;
// Solves the step from step->x (row 0) over step->h. guess: a step before it whose polynomial is
// continued, or NULL. scale: sizes of the unknowns.
radau_end jd_radau_solve(radau *r, const radau_field *f, radau_step *step, const radau_step *guess,
                         const double *scale);
// Largest defect |p' - f(p)| of the step at its start, times h, relative to scale, times 0.02: the
// error of the polynomial. HUGE_VAL when f is not finite there.
double jd_radau_error(radau *r, const radau_field *f, const radau_step *step, const double *scale);
// The polynomial at t + theta h, theta in [0, 1] (beyond: extrapolated).
void jd_radau_look(const radau *r, const radau_step *step, double theta, double *out);
// m columns (row-major n x m) carried along the step.
jd_status jd_radau_carry(radau *r, const radau_field *f, const radau_step *step, int m, double *P,
                         double *rhs); // rhs: RADAU_STAGES n
// The step linearised with J at its middle: factors, then m columns (row-major n x m) carried
// along. False: f is not finite, or the system is singular.
bool jd_radau_linear(radau *r, const radau_field *f, const radau_step *step);
void jd_radau_apply(radau *r, int n, int m, double *P, double *rhs); // rhs: RADAU_STAGES n
// J (n x n row-major) of f at t, x by differences of fourth order; work: 4 n.
bool jd_radau_jacobian(const radau_field *f, int n, double t, const double *x, double *J,
                       double *work);

#endif
