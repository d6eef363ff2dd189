// converge.h -- how a result of a run converges as one number of the model grows: nodes, modes.
#ifndef JUDDER_CONVERGE_H
#define JUDDER_CONVERGE_H

#include "judder/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

// One convergence study: which number takes which values, and what is measured.
typedef struct jd_converge_def {
    const char *parameter; // problem path: "simulate.nodes"; required
    int n;                 // number of values, >= 2; required. Each costs a run
    const double *value;   // ascending; results are compared with that of the last one; required
    // "pile.tip.norm", ".final", ".max" or ".min": of the displacement of a point; norm is
    // sqrt(integral of u^2 dt) over the run [m s^1/2]
    const char *measure;
} jd_converge_def;

// One run of it.
typedef struct jd_converge_point {
    double value, measure;
    double ratio;   // measure over the last one
    double order;   // order of convergence between the value before and this one; NaN: not known
    long events;    // of the run
    double seconds; // processor time
} jd_converge_point;

// Runs the problem once per value and fills out[0 .. n-1]. The problem is not changed.
jd_status jd_converge(jd_context *context, const jd_problem *problem, const jd_converge_def *def,
                      jd_converge_point *out);

// Index of the first value from which on all ratios are within `share` of 1.
int jd_converge_from(int n, const jd_converge_point *point, double share);

#ifdef __cplusplus
}
#endif

#endif
