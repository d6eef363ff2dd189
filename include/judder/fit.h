// fit.h -- numbers of a model from measured displacements, by least squares with exact gradients.
//   minimises sum_i ((u_i(theta) - y_i)/sigma)^2 over theta by Levenberg and Marquardt's method;
//   covariance sigma^2 (J'J)^-1, sigma from what is left over where it is not given.
#ifndef JUDDER_FIT_H
#define JUDDER_FIT_H

#include "judder/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

// A fit.
typedef struct jd_fitting jd_fitting;

// How it ended: X(symbol, name, text).
#define JD_FIT_END_LIST(X)                                                                         \
    X(JD_FIT_CONVERGED, "converged", "neither the sum of squares nor the numbers change any more") \
    X(JD_FIT_EXACT, "exact", "the gradient of the sum of squares vanishes")                        \
    X(JD_FIT_ITERATIONS, "iterations", "as many iterations as were allowed")                       \
    X(JD_FIT_INTERRUPTED, "interrupted", "stopped by Ctrl-C, or by the calling program")

// The ends of that list.
typedef enum jd_fit_end { JD_FIT_END_LIST(JD_SYMBOL) JD_FIT_END_COUNT } jd_fit_end;
// Name of an end, as in result files, and the end in a sentence without a full stop.
const char *jd_fitting_end_name(jd_fit_end end);
const char *jd_fitting_end_text(jd_fit_end end); // likewise

// One number that is fitted.
typedef struct jd_fit_parameter {
    const char *key;  // its path
    double start;     // the model's value
    double value;     // the fitted one
    double deviation; // standard deviation of it
} jd_fit_parameter;

// One value that was measured.
typedef struct jd_fit_datum {
    double x; // time, or value of the number it was measured over
    const char *place;
    double measured, model; // [m]
    bool other; // `orbit` with the fitted numbers finds another orbit than that followed
} jd_fit_datum;

// What was found.
typedef struct jd_fit_view {
    jd_fit_end end;
    bool samples;     // over time; else amplitudes over a number of the model:
    const char *over; // its path; "t" of samples
    int n_parameter;
    const jd_fit_parameter *parameter;
    const double *correlation; // n_parameter x n_parameter
    int n_datum;
    const jd_fit_datum *datum;
    double noise; // standard deviation of the data: given, or what is left over [m]
    double rms;   // of what is left over [m]
    int iterations;
    long orbits;      // that were computed
    long differences; // that derivatives by differences would have taken in the same iterations
    bool estimated;   // noise is what is left over
    int others;       // values of x at which `orbit` finds another orbit, or none
} jd_fit_view;

// Fits as the section `fit` says. The problem keeps its values.
jd_status jd_fitting_create(jd_context *context, jd_problem *problem, jd_fitting **out);
// NULL is allowed.
void jd_fitting_free(jd_fitting *fit);
// What was found; it belongs to the fit and lives as long.
const jd_fit_view *jd_fitting_look(const jd_fitting *fit);

#ifdef __cplusplus
}
#endif

#endif
