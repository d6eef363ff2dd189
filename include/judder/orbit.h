// orbit.h -- periodic orbits: found by shooting, judged by their Floquet multipliers.
//   Forced: the period is n drive periods and the orbit starts at drive phase 0. Autonomous: the
//   period is found too. One Newton step solves (M - I) d = s - P(s), M the exact derivative of the
//   period map P: propagators times jumps at the events.
#ifndef JUDDER_ORBIT_H
#define JUDDER_ORBIT_H

#include "judder/run.h"

typedef struct jd_orbit jd_orbit;

typedef struct jd_orbit_options {
    int periods;         // of the drive; 0: as the problem's `orbit` section says
    double settle;       // [s] simulated before shooting; < 0: as the section says
    int iterations;      // Newton steps at most
    double tolerance;    // of |P(s) - s|/|s| (energy norm): smaller is converged
    const double *state; // start of the search instead of settling; with `phase`; NULL: settle
    const char *phase;
    double period; // autonomous: guess; 0: from the settled run
} jd_orbit_options;

jd_orbit_options jd_default_orbit_options(void);

typedef struct jd_orbit_view {
    bool found;
    const char *why;                // when not found: what stood in the way
    bool forced, stable, symmetric; // symmetric: half a period later everything is mirrored
    double period;                  // [s]
    int n;                          // numbers in a state
    const double *state;            // at t = 0 of the orbit
    const char *phase;              // letters at t = 0
    int n_event;
    const jd_event *event;    // over one period, times since its start
    const double *multiplier; // n pairs (re, im), by falling magnitude
    double residual;          // |P(s) - s|/|s| at the end
    int iterations;
    const double *history; // residual before each step and at the end: iterations + 1
    long undecided;        // events that rounding did not allow to decide, on the last round
} jd_orbit_view;

// Searches an orbit of the problem. The call succeeds when the search could be made: look at
// `found`.
jd_status jd_orbit_create(jd_context *context, jd_problem *problem, const jd_orbit_options *options,
                          jd_orbit **out);
void jd_orbit_free(jd_orbit *orbit);
const jd_orbit_view *jd_orbit_look(const jd_orbit *orbit);
// A run that starts on the orbit at its t = 0; the caller advances and frees it.
jd_status jd_orbit_run(const jd_orbit *orbit, jd_run **out);

#endif
