// search.h -- one search for the first zero: what marching, proofs and finishing share.
//   An anchor is a time with its amplitudes. At an anchor a guard's f is known as
//     f(t + h) = sum_{m < order} f_m h^m + R,   slow groups 0..q in the sum,
//     |R| <= B h^order + (fast groups: their amplitude) + (rounding)
//   look.h, prove.h, start.h, finish.h, walk.h and march.h are compiled once per instruction set,
//   with simd_body.h: all their functions are static.
#ifndef JD_EXPSUM_SEARCH_H
#define JD_EXPSUM_SEARCH_H

#include <math.h>

#include "expsum/sum.h"

#define JD_INLINE static inline __attribute__((always_inline))

// A guard at the anchor.
typedef struct jd_look {
    const jd_guard *guard;
    bool bounded; // the bounds in prefix hold already
    // Sums over groups 0..q: f^(m)/m! for m = 0..7, the guard's polynomial included, and bounds.
    double prefix[JD_GROUPS][JD_SUMS];
    const double *total;          // the last prefix: all poles
    double polynomial[JD_TAYLOR]; // of the guard, about the anchor
    double noise;                 // rounding of f
} jd_look;

// How a guard that started on its limit left it (start.h).
typedef struct jd_start {
    double until; // [s] as long as the derivatives are known to be positive; -1: none is
    int level;    // derivatives 1..level are
    bool cancels; // its parts of one pole cancel so far that it stays inside to the end
} jd_start;

typedef struct jd_search {
    jd_expbasis *basis;
    const double *re0, *im0; // amplitudes at time 0
    const jd_guard *guard;
    int n_guard;
    int last; // the last group
    double t_max;
    jd_search_options options;
    jd_search_result *result;
    double t;        // the anchor; basis->scratch.z_re, z_im, magnitude belong to it
    bool unbounded;  // amplitudes are not finite: no comparison means anything
    bool kept;       // undamped and a single guard: bounds never change, `look` keeps them
    int climbs;      // ladder steps since the last true exponentials
    int bias[2];     // rungs by which the last proofs went further than promised
    jd_look *look;   // of the guard looked at last
    jd_start *start; // n_guard
} jd_search;

// f about the anchor with the groups of one prefix exact, the others bounded.
typedef struct jd_expansion {
    const double *f; // a prefix: f^(m)/m!, then bounds
    double tail[3];  // |fast part of f^(m)/m!|, m = 0, 1, 2
    double B;        // remainder B h^order
} jd_expansion;

// What was proved for a guard at an anchor.
typedef struct jd_verdict {
    int rung;      // no zero within this rung; -1: nothing proved
    bool crossing; // exactly one zero in (0, end]
    int side;
    double x, end; // [s] from the anchor: estimate of the zero, end of the bracket
    double error;  // [s] of x, about
    bool forever;  // no zero until the end of the search
} jd_verdict;

static inline double horner(const double *c, double h) {
    double v = c[JD_TAYLOR - 1];
    for (int m = JD_TAYLOR - 2; m >= 0; m--) v = fma(v, h, c[m]);
    return v;
}

static inline double horner_slope(const double *c, double h) {
    double v = (JD_TAYLOR - 1) * c[JD_TAYLOR - 1];
    for (int m = JD_TAYLOR - 2; m >= 1; m--) v = fma(v, h, m * c[m]);
    return v;
}

// x^n, 0 <= n < 16, by squares.
static inline double power_of(double x, int n) {
    double x2 = x * x, x4 = x2 * x2, v = n & 8 ? x4 * x4 : 1;
    if (n == 8) return v; // the usual order
    if (n & 4) v *= x4;
    if (n & 2) v *= x2;
    return n & 1 ? v * x : v;
}

#define JD_EPS 2.220446049250313e-16

#endif
