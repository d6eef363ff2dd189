// others.h -- a problem with one of its numbers at a few other values, and derivatives by it.
#ifndef JD_ANALYSIS_OTHERS_H
#define JD_ANALYSIS_OTHERS_H

#include "engine/engine.h"

typedef struct jd_others {
    jd_context *context;
    const jd_problem *from;
    int n;
    double h;                // step [unit of the number]
    double node[JD_STENCIL]; // values are theta + node h
    jd_problem *problem[JD_STENCIL];
    jd_stencil stencil; // runs of them, and weights
} jd_others;

// Copies of the problem with `path` (NULL: the rate of jd_problem_pump) at values around theta,
// `share` of its size apart; to one side where it may not go to the other. engine: of the runs;
// NULL: as the problem says. *why (words): it cannot be done; NULL: it can. Closed by
// jd_others_close in any case.
jd_status jd_others_open(jd_context *context, const jd_problem *problem, jd_arena *arena,
                         const char *path, double theta, double share, const char *engine,
                         jd_others *out, const char **why);
void jd_others_close(jd_others *others);
// d x/d theta from the values x_k; column 0 the better one.
double jd_others_slope(const jd_others *others, const double *x, int column);

#endif
