// search.h -- one search for the first zero: what marching, proofs and finishing share.
//   An anchor is a time with its amplitudes. At an anchor a guard's f is known as
//     f(t + h) = sum_{m < order} f_m h^m + R,   slow groups 0..q in the sum,
//     |R| <= B h^order + (fast groups: their amplitude) + (rounding)
#ifndef JD_EXPSUM_SEARCH_H
#define JD_EXPSUM_SEARCH_H

#include "expsum/sum.h"

typedef struct jd_search {
    jd_expbasis *basis;
    const double *re0, *im0; // amplitudes at time 0
    const jd_guard *guard;
    int n_guard;
    double t_max;
    jd_search_options options;
    jd_search_result *result;
    double t;       // the anchor; basis->z_re, z_im, magnitude belong to it
    bool unbounded; // amplitudes are not finite: no comparison means anything
    int climbs;     // ladder steps since the last true exponentials
} jd_search;

// A guard at the anchor.
typedef struct jd_look {
    const jd_guard *guard;
    double prefix[JD_GROUPS][JD_SUMS];
    const double *total;          // the last prefix: all poles
    double polynomial[JD_TAYLOR]; // of the guard, about the anchor
    double noise, noise1;         // rounding of f and of f' (the latter also per second of step)
} jd_look;

// f about the anchor with groups 0..q exact, the others bounded.
typedef struct jd_expansion {
    int q;
    double f[JD_TAYLOR];
    double tail[3]; // |fast part of f^(m)/m!|, m = 0, 1, 2
    double B;       // remainder B h^order
} jd_expansion;

// What was proved for a guard at an anchor.
typedef struct jd_verdict {
    int rung;      // no zero within this rung; -1: nothing proved
    bool crossing; // exactly one zero in (0, end]
    int side;
    double x, end; // [s] from the anchor: estimate of the zero, end of the bracket
} jd_verdict;

void jd_look_at(jd_search *s, const jd_guard *guard, jd_look *look);
void jd_expand(const jd_search *s, const jd_look *look, int q, jd_expansion *e);
// g = distance from the limit on the given side (-1 lower, +1 upper), as a Taylor polynomial.
void jd_distance(const jd_guard *guard, const double *f, int side, double g[JD_TAYLOR]);

int jd_choose_split(const jd_search *s, const jd_look *look, double *h);
int jd_certify(const jd_search *s, const jd_look *look, const jd_expansion *e, double guess,
               int cap);
bool jd_certify_start(jd_search *s, const jd_look *look, int cap, int *rung);
bool jd_prove_crossing_or_miss(const jd_search *s, const jd_look *look, const jd_expansion *e,
                               jd_verdict *verdict);

// Anchor at time t by true exponentials.
void jd_anchor(jd_search *s, double t);
// Zero of the guard in [t + 0, t + end], starting at t + x; moves the anchor there.
double jd_finish(jd_search *s, const jd_guard *guard, const jd_verdict *verdict);
// Fills in the result for the zero of a guard at the anchor: derivatives, rounding, ties.
void jd_report_zero(jd_search *s, int guard, int side);
// About (x/y)^over_n for x, y > 0.
double jd_rough_root(double x, double y, double over_n);

static inline double jd_horner(const double *c, double h) {
    double v = c[JD_TAYLOR - 1];
    for (int m = JD_TAYLOR - 2; m >= 0; m--) v = v * h + c[m];
    return v;
}

static inline double jd_horner_slope(const double *c, double h) {
    double v = (JD_TAYLOR - 1) * c[JD_TAYLOR - 1];
    for (int m = JD_TAYLOR - 2; m >= 1; m--) v = v * h + m * c[m];
    return v;
}

static inline double jd_power(double x, int n) {
    double v = 1;
    while (n-- > 0) v *= x;
    return v;
}

#define JD_EPS 2.220446049250313e-16

#endif
