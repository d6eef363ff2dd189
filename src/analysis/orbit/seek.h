// seek.h -- the search for an orbit: simulate, tell the period, shoot, and again.
#ifndef JD_ANALYSIS_SEEK_H
#define JD_ANALYSIS_SEEK_H

#include "analysis/orbit/multiple.h"

// Drive periods after which a repetition is looked for: at first, and after several failures.
enum { JD_SEEK_FIRST = 8, JD_SEEK_PERIODS = 64 };

// Multipliers of a motion without losses come in pairs that rounding moves off the unit circle by
// its root.
#define JD_SEEK_NEUTRAL 1e-6
// Newton's matrix is singular below: one of a family of orbits, or at a bifurcation.
#define JD_SEEK_SINGULAR 1e-11

// Share of an engine's tolerance to which an orbit is closed once more to tell its errors.
#define JD_SEEK_FINER 0.01

// What is sought, as section and options say.
typedef struct seek_plan {
    double drive;   // drive period [s]; 0: autonomous
    int asked;      // periods asked for; 0: to be found
    int longest;    // period told apart in the attempt, in drive periods
    double settle;  // [s] before the first attempt
    bool from_here; // the start is the guess: an unstable orbit is as good as a stable one
} seek_plan;

// The simulation so far.
typedef struct seek_settled {
    double *state; // its end
    jd_phase phase;
    double *sample;            // 3 `longest` + 1 states one drive period apart, oldest first
    double size_met, rate_met; // largest on the way, of an autonomous motion
    double turn;               // its mean time between events of one kind [s]; 0: not known
    double first_distance, last_distance; // from period to period, at the first and last attempt
    double simulated;                     // [s]
    long events;                          // met
    int chunks;                           // simulated after failures, each twice as long
} seek_settled;

// What Newton's method came to.
typedef struct seek_outcome {
    bool found;
    jd_orbit_reason reason;
    const char *why;
    double *history;
    int n_step;
    double best;       // smallest residual
    double radius;     // of the orbit's state: how far from it the orbit may be; NaN: not known
    double spread;     // change of the derivative of the period map over that distance
    double blur;       // error of the multipliers by the engine's tolerance (seek_finer.c); 0: none
    bool conservative; // two multipliers are 1 by themselves: no drive, no losses
    bool creeps;       // a double root was met
    int unstable;      // orbits found that are
} seek_outcome;

// An unstable orbit found on the way.
typedef struct seek_spare {
    bool kept, taken;
    double *state, period, radius, spread;
    jd_phase phase;
    int periods, n_step;
    double *history;
} seek_spare;

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
    int periods; // of the attempt
    int attempts;
    seek_plan plan;
    seek_settled settled;
    seek_outcome outcome;
    seek_spare spare;
} jd_seek;

// JD_BAD_ARGUMENT: a number of the options means nothing, or a state has no phase.
jd_status jd_orbit_check_options(jd_context *context, const jd_orbit_options *options);
jd_status jd_seek_create(jd_context *context, jd_problem *problem, jd_arena *arena,
                         const jd_orbit_options *options, jd_seek *out);
jd_status jd_seek_orbit(jd_seek *seek);
// Reads `drive`, `asked` and `settle`; refuses drives and models without a common period.
jd_status jd_seek_times(jd_seek *seek);
// Goes on from the state kept for this time, in whole drive periods; false: the motion ended.
jd_status jd_seek_simulate(jd_seek *seek, double time, bool *goes_on);
// A round of the orbit found, by the method that found it.
jd_status jd_seek_round(jd_seek *seek, bool tangent, bool *lost);
// Multipliers of the last round with tangent into value (n pairs), by falling magnitude, numbers
// below rounding as 0. *largest: greatest magnitude, without those that are 1 by themselves: along
// an autonomous orbit, and the position of each contact that holds all along.
int jd_seek_neutral(const jd_seek *seek); // contacts that hold all along, in the last round
jd_status jd_seek_multipliers(jd_seek *seek, double *value, double *largest);
// Newton's method from the state at hand: found, reason, why, history.
jd_status jd_seek_shoot(jd_seek *seek);
// seek_cut.c: multiple shooting, where single shooting failed; false: the motion ended.
jd_status jd_seek_cut(jd_seek *seek, bool *goes_on);
// seek_shorten.c: the shortest period of the orbit found, with and without a drive.
jd_status jd_seek_shorten(jd_seek *seek);
jd_status jd_seek_shorten_free(jd_seek *seek);
// seek_prove.c, after a round with tangent. *closes: the state found has an orbit beside it, and
// one only; false where the equations have a double root there. Systems that are singular as they
// stand (a family of orbits) are not judged.
jd_status jd_seek_closes(jd_seek *seek, bool *closes);
// seek_finer.c, after a round with tangent, value: its multipliers. `radius` and `blur` of an
// engine that computes to a tolerance, from the same orbit with finer steps; 0 of others.
jd_status jd_seek_finer(jd_seek *seek, const double *value);
// Largest distance between two lists of n multipliers (pairs), those below half the largest left
// out; the error it stands for, `fit` that of the engine's memory.
double jd_multipliers_apart(int n, const double *a, const double *b);
double jd_multiplier_error(double apart, double tolerance, double fit);
// *yes: all multipliers that count are inside the unit circle by more than their error.
jd_status jd_seek_attracts(jd_seek *seek, bool *yes);

#endif
