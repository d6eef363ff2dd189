// multiple.h -- multiple shooting: an orbit cut into segments, each with its own start.
#ifndef JD_ANALYSIS_MULTIPLE_H
#define JD_ANALYSIS_MULTIPLE_H

#include "analysis/orbit/shooting.h"

enum { JD_MULTIPLE_SEGMENTS = 512 };

typedef struct jd_multiple {
    jd_shooting *sh;                       // run, scales, period
    int K, n, w;                           // segments; numbers in a state; unknowns per segment
    double *t;                             // K + 1: where segments begin, in periods
    double *x, *end;                       // K x n: starts and ends of segments
    double *rate;                          // K x n: d/dt at the ends
    double *rate0;                         // n: the same at the start of the first
    double *M;                             // K x n x n, row-major: d end/d x
    double *base;                          // K x n: starts before a step
    jd_phase *phase, *phase1, *base_phase; // K, at starts and ends
    double *band, *b;                      // Newton's system
    int *pivot;
    int events;
} jd_multiple;

// Room for `segments` of the shooting's run.
jd_status jd_multiple_create(jd_shooting *sh, int segments, jd_multiple *out);
// Cuts the motion from sh->s over sh->period: between events, so that a segment has one of them.
// *lost: it does not complete the period.
jd_status jd_multiple_guess(jd_multiple *u, bool *lost);
// Newton's method with halved steps; as jd_shooting_solve.
jd_status jd_multiple_solve(jd_multiple *u, int iterations, double tolerance, double *history,
                            int *n_step, bool *found, const char **why);
// All segments once; with tangent M is the product of theirs. Fills s, s1, phases, events, M of the
// shooting.
jd_status jd_multiple_round(jd_multiple *u, bool tangent, bool *lost);
// Extremes over all segments; out: one per contact.
jd_status jd_multiple_ranges(jd_multiple *u, jd_contact_ranges *out);

#endif
