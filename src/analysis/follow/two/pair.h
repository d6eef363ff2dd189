// pair.h -- a special point of a branch in two parameters: its equations and their solution.
#ifndef JD_ANALYSIS_FOLLOW_PAIR_H
#define JD_ANALYSIS_FOLLOW_PAIR_H

#include "analysis/follow/branch.h"

typedef struct pair {
    jd_follow *f;
    curve *c;
    jd_curve_kind kind;
    int n, U;               // numbers in a state; unknowns: state/S, lambda/L, mu/L2
    double *z, *tangent;    // U: last point of the curve and its tangent
    double *next, *border;  // U: point being sought, normal of its plane
    double *G, *up, *down;  // U: equations, and aside
    double *level, *turned; // U: for extrapolation; tangent of the next point
    double *A, *lu;         // U x U row-major: derivative, last row free for the border
    int *pivot;             // U
    double *B, *v;          // (n + 1)^2, n + 1: bordered matrix of the test
    double *left, *right;   // n: its borders
    long events;            // of one period, along the whole curve
    int contact;            // grazing: which one,
    double size, target;    // its travel, and how far it stays from the stop, over the travel
    jd_curve_point at;      // where the last solution is
} pair;

jd_status jd_pair_open(pair *p, jd_follow *f);
// Equations at z; lost: no such motion, or one with other events.
jd_status jd_pair_evaluate(pair *p, const double *z, double *G, bool *lost);
// Borders of the test renewed from the last evaluation.
bool jd_pair_renew(pair *p);
// p->A at z; G: the equations there, just evaluated.
jd_status jd_pair_derivative(pair *p, const double *z, const double *G, bool *lost);
// Newton's method from p->next in the plane through it with normal p->border; p->at filled. For
// grazing, p->at is extrapolated to the stop.
jd_status jd_pair_solve(pair *p, bool *found);

#endif
