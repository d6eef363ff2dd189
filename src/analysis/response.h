// response.h -- the forced response of a nonlinear string: periodic motion by collocation.
#ifndef JD_ANALYSIS_RESPONSE_H
#define JD_ANALYSIS_RESPONSE_H

#include "analysis/collocation.h"
#include "analysis/follow_branch.h"
#include "kernel/string_memory.h"
#include "structure/nonlinear_string.h"

enum { RESPONSE_SIZES = 9, RESPONSE_MOST = 128, RESPONSE_FULL = 96 };

// A motion: p and the modes q at the places, and the frequency.
typedef struct response_point {
    int size;        // index of M
    double *p, *q;   // RESPONSE_MOST; n x M
    double *tp, *tq; // tangent
    double omega, t_omega;
} response_point;

typedef struct response {
    jd_arena *arena;
    jd_stretched string;
    jd_string_memory memory;          // where it is full
    double force;                     // amplitude
    double phase;                     // of the drive
    collocation grid[RESPONSE_SIZES]; // made when first used
    // Derivative at the last point it was asked for: factors of A_k, b_k and dR_k/domega.
    double *lu[RESPONSE_SIZES], *B, *co; // n x M x M; n x M
    int *pivot;                          // n x M
    int ready;                           // size it belongs to; -1: none
    double *residual;                    // n x M
    double *d1, *d2;                     // n x M: D q and D2 q of the last point
    double *R, *s, *f;                   // M
    double *K, *Kw;                      // M x M, M: derivative of R in p and omega
    double *inverse, *work;
    int *border_pivot;
    double *border; // (M + 1)^2
    double *weight; // n: what the measure looks at
    bool velocity;
    double *multiplier;               // of the last point judged, 2 x 2n
    double *P, *P1, *P2, *row, *kick; // stability
} response;

// A moment of the period: stretch s, frequency, sine and cosine of the force's angle.
typedef struct response_place {
    double s, omega, sine, cosine;
} response_place;
// E there for a force of amplitude 1, dE/ds, dE/domega.
void response_wave(response *r, const response_place *at, double out[3]);

jd_status response_open(jd_arena *arena, response *r);
const collocation *response_grid(response *r, int size);
// Residuals of modes and of p. False: not finite.
bool response_residual(response *r, const response_point *at);
// Factors at a point, bordered by its tangent; fixed: omega is kept.
bool response_derivative(response *r, const response_point *at, bool fixed);
// Solves for p with tangent plane through at (tp, t_omega); fixed: omega is kept.
bool response_correct(response *r, response_point *at, bool fixed, double force);
// Tangent at a point, turned along the one it has; leaves the factors there.
bool response_tangent(response *r, response_point *at);
// Largest value of the measure over a period.
double response_amplitude(response *r, const response_point *at);
// How much of the motion the highest harmonics carry.
double response_decay(response *r, const response_point *at);
void response_resize(response *r, response_point *at, int size);
void response_copy(const response *r, const response_point *from, response_point *to);
// Multipliers over a whole period; the largest and how many are outside the unit circle.
jd_status response_stability(response *r, const response_point *at, double largest[2],
                             int *unstable);
// follow.c: true when this way is the one to take, then the branch is in f->view.
jd_status response_follow(jd_follow *f, bool *taken);

#endif
