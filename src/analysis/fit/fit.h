// fit.h -- the parts of a fit: data, orbits of the model at the present numbers, residuals.
#ifndef JD_ANALYSIS_FIT_H
#define JD_ANALYSIS_FIT_H

#include "analysis/gradient/gradient.h"
#include "judder/fit.h"

// What was measured: a row per time or value, a column per place.
typedef struct fit_data {
    bool samples;
    const char *over; // path, or "t"
    int n_row, n_place;
    double *x;         // n_row
    double *y;         // n_row x n_place
    const char **name; // n_place: points and contacts
    int *contact;      // n_place: number of the contact; -1: a point
    double scale;      // root mean square of all [m]
} fit_data;

// The orbit of one row (of samples: of all) and where the next search starts.
typedef struct fit_orbit {
    jd_problem *problem;
    jd_orbit *orbit;
    double *state, period; // of the last one that was found; period 0: none
    char *phase;
} fit_orbit;

struct jd_fitting {
    jd_context *context;
    jd_problem *problem;
    jd_arena *arena;
    const jd_fit_def *def;
    fit_data data;
    int n_orbit;
    fit_orbit *at; // n_orbit: 1 of samples, else n_row
    int n_point;   // places that are no contacts
    const char **point;
    int *place;           // n_place: number of the place in a gradient
    double *start, *unit; // of the numbers: theta = start + unit x, or ...
    bool *positive;       // ... start exp(x): it may not be negative
    jd_status failed;     // of the model, in the middle of the optimiser
    jd_fit_view view;
};

// data.c
jd_status jd_fitting_read(jd_fitting *f);
// model.c: displacements of all data at theta into u; *found: there are orbits. Then their
// derivatives, column by column (n_datum each).
jd_status jd_fitting_model(jd_fitting *f, const double *theta, double *u, bool *found);
jd_status jd_fitting_slopes(jd_fitting *f, double *J);
// Does the orbit of row i differ from the one that the model's own start leads to?
jd_status jd_fitting_other(jd_fitting *f, int i, bool *other);
void jd_fitting_forget(jd_fitting *f);

#endif
