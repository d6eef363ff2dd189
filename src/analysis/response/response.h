// response.h -- frequency response of a nonlinear string: periodic motion by collocation.
//   elements.c (Gauss points), modes.c (every mode for a given stretch), memory.c (modes left out),
//   border.c (Newton's matrix), response.c (Newton's method), measure.c (amplitude), stability.c
//   (Floquet multipliers), walk.c (the branch over the frequency).
#ifndef JD_ANALYSIS_RESPONSE_H
#define JD_ANALYSIS_RESPONSE_H

#include "analysis/follow/branch.h"
#include "analysis/response/elements.h"
#include "base/lanes.h"
#include "kernel/continua/string_memory.h"
#include "structure/piecewise/nonlinear_string.h"

enum { RESPONSE_SIZES = 9, RESPONSE_ELEMENTS = 20, RESPONSE_MOST = RESPONSE_ELEMENTS * STAGES };
enum {
    LANES = 4,
    PLACES = 12
}; // modes side by side; intervals of an element at which it is evaluated

// LANES modes on one element of half a period, theta from 0 to pi, ' = d/dtheta.
typedef struct response_cell {
    v4 phi[4], push[2];                        // (q, q') at the end = phi (q, q') + push
    v4 free[3][STAGES];                        // q'' = free[0] + free[1] q0 + free[2] q0'
    v4 start[2];                               // q0, q0'
    v4 q[STAGES], slope[STAGES], bend[STAGES]; // q, q', q'' at the points
    // derivative: forces g at the points give q = theta (q0, q0') + gamma g, the end psi g
    v4 theta[2][STAGES], gamma[STAGES][STAGES], psi[2][STAGES];
    v4 by_p[STAGES], by_omega[STAGES]; // dA/dp q - df/dp, the same for omega
} response_cell;

// A motion: p at the points and the frequency; the modes follow from them.
typedef struct response_point {
    int size;       // index of the number of elements
    double *p, *tp; // RESPONSE_MOST: p and its tangent
    double omega, t_omega;
    long stamp; // of the evaluation that solved its modes
} response_point;

// The modes, LANES of them in a block.
typedef struct response_modes {
    int n_block;
    v4 *square;          // n_block: k^2; 0: no mode
    v4 *speed;           // n_block: k pi c
    v4 *share;           // n_block: 2 S_k
    response_cell *cell; // n_block x (RESPONSE_ELEMENTS + 1)
} response_modes;

// Values at the M points of collocation.
typedef struct response_values {
    double *sine;
    double *s, *R;             // stretch; residual of p
    double *f, *f_p, *f_omega; // force of the wave term on the first mode, and its derivatives
} response_values;

// Newton's method for p and omega (border.c).
typedef struct response_newton {
    int ready;      // size the factors in border belong to; -1: none
    double *border; // (M + 1)^2
    int *pivot;     // M + 1
    double *step;   // M + 1
    double *X, *W;  // 2 n x (M + 1), STAGES x 2 n
} response_newton;

// The measured quantity: sum of weight_k q_k, or of its rate.
typedef struct response_measure {
    double *weight; // n
    bool velocity;
    gauss_basis place[PLACES + 1]; // where an element is evaluated
} response_measure;

// Floquet multipliers (stability.c).
typedef struct response_floquet {
    double *multiplier; // of the last point, 2 x 2n
    double *P, *P1;     // map over half a period, with all steps and with half of them
    double *row, *kick; // 2 n: dp = row z; its force on each mode
    double *work;       // 16 x 2 n: see half_map
} response_floquet;

typedef struct response {
    jd_arena *arena;
    jd_stretched string;
    jd_string_memory memory; // where it is full
    gauss_rule rule;
    double force; // amplitude
    double phase; // of the drive
    long stamp;   // of the evaluation the cells are of
    response_modes modes;
    response_values points;
    response_newton newton;
    response_measure measure;
    response_floquet floquet;
} response;

// A moment of the period: stretch s, frequency, sine and cosine of the force's angle.
typedef struct response_place {
    double s, omega, sine, cosine;
} response_place;
// E there for a force of amplitude 1, dE/ds, dE/domega.
void jd_response_wave(response *r, const response_place *at, double out[3]);

jd_status jd_response_open(jd_arena *arena, response *r);
int jd_response_elements(const response_point *at);
// modes.c: solves every mode at the point; full: what the derivative needs as well.
// False: no motion there. Leaves R.
bool jd_response_solve(response *r, response_point *at, bool full);
// border.c: factors of the derivative at a point, bordered by its tangent; fixed: omega
// is kept.
bool jd_response_derivative(response *r, response_point *at, bool fixed);
// Solves for p in the plane through at across its tangent; fixed: omega is kept.
bool jd_response_correct(response *r, response_point *at, bool fixed, double force);
// Tangent at a point, turned along the one it has; fresh: leaves the factors there, otherwise with
// those at hand.
bool jd_response_tangent(response *r, response_point *at, bool fresh);
// Largest value of the measure over a period.
double jd_response_amplitude(response *r, response_point *at);
// The modes and their slopes (d/dtheta) at theta; either may be NULL.
void jd_response_look(const response *r, const response_point *at, double theta, double *q,
                      double *slope);
// How much of p the highest polynomials of the elements carry.
double jd_response_decay(const response *r, const response_point *at);
void jd_response_resize(const response *r, response_point *at, int size);
void jd_response_copy(const response_point *from, response_point *to);
// Multipliers over a whole period; the largest and how many are outside the unit circle.
jd_status jd_response_stability(response *r, response_point *at, double largest[2], int *unstable);
// walk.c: the frequency response of a stretched string with one harmonic force.
bool jd_response_applies(const jd_follow *f);
jd_status jd_response_follow(jd_follow *f);

#endif
