// gradient.h -- the parts of a gradient: the orbit's own map, its extremes, derivatives by a key.
#ifndef JD_ANALYSIS_GRADIENT_H
#define JD_ANALYSIS_GRADIENT_H

#include "analysis/gradient/others.h"
#include "analysis/orbit/shooting.h"
#include "judder/gradient.h"

// A displacement at a time of the orbit.
typedef struct gradient_look {
    int place;   // contact, or contacts + point
    double t;    // [s]
    double u;    // [m]
    bool corner; // the speed jumps there
    bool most;   // which extreme it is
    int datum;   // of whoever put the look there
} gradient_look;

// The orbit, in the runs that derivatives are made with.
typedef struct gradient_orbit {
    jd_run *run; // of the problem's own engine
    jd_shooting *sh;
    jd_problem *copy; // for engine `series`, ...
    jd_run *series;   // ... which makes derivatives through events; NULL: it cannot, why:
    const char *why;
    double *lu; // N x N: Newton's matrix
    int *pivot, N;
    double inverse; // |A^-1| in the 1-norm
    double size;    // |s|
    int n_event;
    jd_event *event; // of a period
} gradient_orbit;

typedef struct gradient_places {
    int n_contact, n;    // contacts, then points
    const char **name;   // n
    jd_dd *row;          // modes: of a point
    double *state;       // of a run
    double *u, *v, *f;   // n_contact: what is observed
    int n_look;          // two per place
    gradient_look *look; // by time
} gradient_places;

struct jd_gradient {
    jd_context *context;
    jd_problem *problem;
    jd_arena *arena;
    const jd_orbit_view *view_of;
    gradient_orbit orbit;
    gradient_places places;
    jd_gradient_view view;
};

// One key while it is worked on.
typedef struct gradient_by {
    const char *key;
    double value, share; // share: step of the stencil over the value
    jd_gradient_method method;
    jd_others others;
    double *P;  // JD_STENCIL_COLUMNS x n: dP/dtheta at a fixed time
    double *ds; // JD_STENCIL_COLUMNS x n
    double dT[JD_STENCIL_COLUMNS];
    double error;  // relative
    bool settled;  // it is rounding
    double *slope; // n_look: d u/d theta at the looks
} gradient_by;

// create.c: refuses what is no real number that the motion depends on.
jd_status jd_gradient_check_key(jd_context *context, const jd_problem *problem, const char *key);
// An orbit with its places; the looks are the caller's, or those of jd_gradient_extremes.
jd_status jd_gradient_open(jd_context *context, jd_problem *problem, const jd_orbit_view *orbit,
                           int n_point, const char *const *point, jd_gradient **out);
// By one key: ds, dT, error and `slope` at the looks. Its others are open: jd_others_close.
jd_status jd_gradient_derive(jd_gradient *g, const char *key, gradient_by *by);
// extremes.c
jd_status jd_gradient_extremes(jd_gradient *g);
// Displacements at the looks, which ascend in time.
jd_status jd_gradient_observe(jd_gradient *g);
// period_map.c: P by saltation or differences, *why: not in this way.
jd_status jd_gradient_saltation(jd_gradient *g, gradient_by *by, const char **why);
jd_status jd_gradient_differences(jd_gradient *g, gradient_by *by, const char **why);
// trace.c: `slope` along the orbits, from ds.
jd_status jd_gradient_trace(jd_gradient *g, gradient_by *by);
// spectrum.c: derivatives of the multipliers.
jd_status jd_gradient_spectrum(jd_gradient *g, gradient_by *by, jd_gradient_key *out);
// Displacement and velocity of a place at the present time of a run of `problem`.
jd_status jd_gradient_place_at(jd_gradient *g, jd_run *run, int place, double *u, double *v);
// To t, whatever happens on the way; false: the motion ends before.
jd_status jd_gradient_advance(jd_run *run, double t, bool *there);

#endif
