// seek.h -- the search for an orbit: simulate, tell the period, shoot, and again.
#ifndef JD_ANALYSIS_SEEK_H
#define JD_ANALYSIS_SEEK_H

#include "analysis/multiple.h"

enum { JD_SEEK_PERIODS = 8, JD_SEEK_SAMPLES = 3 * JD_SEEK_PERIODS }; // longest period told apart

typedef struct jd_seek {
    jd_context *context;
    jd_problem *problem;
    jd_arena *arena;
    jd_run *run;
    jd_shooting *shooting;
    jd_multiple multiple;
    int cuts; // attempts with it
    bool cut; // the orbit found, or the last attempt, is that of multiple shooting
    jd_orbit_options options;
    double drive;   // drive period [s]; 0: autonomous
    int asked;      // periods asked for; 0: to be found
    int periods;    // of the attempt
    double settle;  // [s] before the first attempt
    bool from_here; // the start is the guess: an unstable orbit is as good as a stable one
    double *state;  // end of the simulation so far
    char *phase;
    double *sample; // JD_SEEK_SAMPLES states one drive period apart, oldest first
    double first_distance, last_distance; // from period to period, at the first and last attempt
    double simulated;                     // [s]
    int attempts;
    double best; // smallest residual
    double *history;
    int n_step;
    bool found;
    jd_orbit_reason reason;
    const char *why;
    struct {
        bool kept, taken;
        double *state, period;
        char *phase;
        int periods, n_step;
        double *history;
    } spare; // unstable orbit found on the way
} jd_seek;

jd_status jd_seek_create(jd_context *context, jd_problem *problem, jd_arena *arena,
                         const jd_orbit_options *options, jd_seek *out);
jd_status jd_seek_orbit(jd_seek *seek);
// A round of the orbit found, by the method that found it.
jd_status jd_seek_round(jd_seek *seek, bool tangent, bool *lost);
// Multipliers of the last round with tangent into value (n pairs), by falling magnitude, numbers
// below rounding as 0. *largest: greatest magnitude, without those that are 1 by themselves: along
// an autonomous orbit, and the position of each contact that holds all along.
int jd_seek_neutral(const jd_seek *seek); // contacts that hold all along, in the last round
jd_status jd_seek_multipliers(jd_seek *seek, double *value, double *largest);

#endif
