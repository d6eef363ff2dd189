// pair.h -- a special point of a branch in two parameters: its equations and their solution.
#ifndef JD_ANALYSIS_FOLLOW_PAIR_H
#define JD_ANALYSIS_FOLLOW_PAIR_H

#include "analysis/follow/branch.h"

// What is watched beside the defining function (codimension.c).
enum { PAIR_FOLD, PAIR_FLIP, PAIR_NEIMARK_SACKER, PAIR_SUM, PAIR_WATCHED };

typedef struct pair pair;

// What makes a point special: g = 0 beside the orbit's equations (defining.c).
typedef struct pair_defining {
    // After a round with derivatives; *lost: g is not defined there.
    jd_status (*test)(pair *p, double *g, bool *lost);
    // Borders, or what is tracked, renewed from the last evaluation; NULL: nothing.
    bool (*renew)(pair *p);
    // Margins of the side with fewer events, one of which is g; NULL: g is no margin.
    jd_status (*margins)(pair *p, double *out, bool *lost);
    bool levels; // g = 0 is where events change: solved beside it and extrapolated
} pair_defining;

// Borders of M - shift I, or the two multipliers that are tracked.
typedef struct pair_critical {
    double shift;
    double *left, *right; // n: borders, unit vectors
    double sum, product;  // of the pair
    double *B, *v;        // (n + 1)^2, n + 1: bordered matrix of the test
    double *multiplier;   // 2 n: of the last round
} pair_critical;

// The margin that vanishes.
typedef struct pair_margin {
    bool of_events;       // it is one of engine.h, else one per contact
    int k, n;             // which of n; -1: not chosen
    double size, target;  // its scale; g = margin/size - target
    double *value, *mark; // room: of the last round, at the point of the branch
} pair_margin;

typedef struct pair_impacts {
    double slowest, fastest; // [m/s]; INFINITY, 0: none
} pair_impacts;

// The last points of the curve while their slowest impact becomes slower (touch.c).
enum { PAIR_APPROACH = 5 };
typedef struct pair_approach {
    int n;
    double speed[PAIR_APPROACH]; // [m/s], oldest first
    jd_curve_point at[PAIR_APPROACH];
} pair_approach;

struct pair {
    jd_follow *f;
    curve *c;
    jd_curve_kind kind;
    const pair_defining *by;
    int n, U;               // numbers in a state; unknowns: state/S, lambda/L, mu/L2
    double *z, *tangent;    // U: last point of the curve and its tangent
    double *next, *border;  // U: point being sought, normal of its plane
    double *G, *up, *down;  // U: equations, and aside
    double *level, *turned; // U: for extrapolation; tangent of the next point
    double *A, *lu;         // U x U row-major: derivative, last row free for the border
    int *pivot;             // U
    long events;            // of one period, along the whole curve
    bool other;             // the last evaluation that failed had other events
    pair_critical critical;
    pair_margin margin;
    double scale;                 // of a function
    double watched[PAIR_WATCHED]; // where the last solution is; NAN: not known
    jd_curve_point at;            // where the last solution is
    pair_impacts impacts;         // ... and its impacts
    pair_approach approach;       // to a grazing
};

// defining.c: of that kind.
const pair_defining *jd_pair_defining(jd_curve_kind kind);
// The two multipliers of the last round whose sum and product come closest to those tracked.
bool jd_pair_tracked(const pair *p, int two[2]);
// What the equations of an orbit leave singular at a branch point of a symmetry: A += left right'.
bool jd_pair_is_symmetric(const pair *p);
// The shift, the pair, the margin, the scale at the point of the branch; `next` moved to where the
// curve can begin. found: the kind has what it needs.
jd_status jd_pair_choose(pair *p, bool *found);
// Is p->at of a special point of this kind? For the point the curve begins at.
bool jd_pair_wants(jd_curve_kind of_curve, jd_special_kind kind);

// pair.c
jd_status jd_pair_open(pair *p, jd_follow *f);
// Equations at z; lost: no such motion, or one with other events.
jd_status jd_pair_evaluate(pair *p, const double *z, double *G, bool *lost);
// p->A at z; G: the equations there, just evaluated.
jd_status jd_pair_derivative(pair *p, const double *z, const double *G, bool *lost);
// Newton's method from p->next in the plane through it with normal p->border; p->at and p->watched
// filled, extrapolated where the kind asks for it.
jd_status jd_pair_solve(pair *p, bool *found);
// pair_walk.c: tangent at p->next, along p->tangent, into `out`.
jd_status jd_pair_direction(pair *p, double *out, bool *good);

// codimension.c: values watched, from the last round.
jd_status jd_pair_watch(pair *p);
// Points of codimension 2 between the last point of the curve (z, tangent, watched `before`) and
// the next (`next`, tangent `fresh`); *ends: the curve ends there; *missed: it ends between them,
// but the point was not found.
jd_status jd_pair_codimension(pair *p, const double *before, const double *fresh, bool *ends,
                              bool *missed);
jd_status jd_pair_add_special(pair *p, const char *name, const jd_curve_point *at, double error);
// touch.c: after a point was added with a step of length h; *ends: the curve ends at a grazing.
jd_status jd_pair_touches(pair *p, double h, bool *ends);

#endif
