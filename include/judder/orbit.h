// orbit.h -- periodic orbits, found by shooting, and their stability by Floquet multipliers.
//   Forced: the period is n drive periods and the orbit starts at drive phase 0. Autonomous: the
//   period is found too. One Newton step solves (M - I) d = s - P(s), M the exact derivative of the
//   period map P: propagators times jumps at the events.
#ifndef JUDDER_ORBIT_H
#define JUDDER_ORBIT_H

#include <stdint.h>

#include "judder/run.h"

#ifdef __cplusplus
extern "C" {
#endif

// A periodic orbit, or the search for one.
typedef struct jd_orbit jd_orbit;

// How a search ended: X(symbol, name, text).
#define JD_ORBIT_REASON_LIST(X)                                                                    \
    X(JD_ORBIT_FOUND, "found", "an orbit was found")                                               \
    X(JD_ORBIT_UNBOUNDED, "unbounded", "the motion grows without bound while it settles")          \
    X(JD_ORBIT_STOPPED, "stopped", "the motion ended while it settled")                            \
    X(JD_ORBIT_INTERRUPTED, "interrupted", "stopped by Ctrl-C, or by the calling program")         \
    X(JD_ORBIT_NO_RETURN, "no-return", "the motion does not come back to where it was")            \
    X(JD_ORBIT_AT_REST, "at-rest", "the motion comes to rest")                                     \
    X(JD_ORBIT_STEADY_SLIP, "steady-slip",                                                         \
      "the structure comes to rest while a contact slides on steadily")                            \
    X(JD_ORBIT_TOO_MANY_EVENTS, "too-many-events", "one period has more than 4096 events")         \
    X(JD_ORBIT_NOT_ISOLATED, "not-isolated",                                                       \
      "the equations are singular: one of a family of orbits, or an orbit at a bifurcation")       \
    X(JD_ORBIT_NO_CONVERGENCE, "no-convergence", "Newton's method found no point that returns")    \
    X(JD_ORBIT_TOO_MUCH_WORK, "too-much-work", "the search took the work it may take")

// The reasons of that list.
typedef enum jd_orbit_reason {
    JD_ORBIT_REASON_LIST(JD_SYMBOL) JD_ORBIT_REASON_COUNT
} jd_orbit_reason;

// Name of a reason, as in result files: "no-return".
const char *jd_orbit_reason_name(jd_orbit_reason reason);
// The reason in a sentence without a full stop.
const char *jd_orbit_reason_text(jd_orbit_reason reason);

// How an orbit is searched.
typedef struct jd_orbit_options {
    int periods;         // of the drive; 0 (default): as the section `orbit` says; < 0: found
    double settle;       // [s] simulated before shooting; < 0 (default): as the section says
    int iterations;      // Newton steps at most in each attempt, >= 1; default 30
    double tolerance;    // of |P(s) - s|/|s| (energy norm), > 0: below it the search has converged;
                         // default 1e-13
    const double *state; // where the search starts, with `phase`; settled from there only when
    const char *phase;   // `settle` > 0. NULL (default): the problem's start
    const void *block;   // a problem that starts from an earlier run: the state at its end, as
    size_t block_size;   // jd_run_state_save gives it; NULL (default): it starts otherwise
    double period;       // autonomous: guess [s]; 0 (default): from the settled run
    int attempts; // of Newton's method, each after twice as long a simulation; default 8. Each
                  // one more doubles the longest search
    double
        most;   // [s] simulated in all at most, about; 0 (default): as long as the attempts ask for
    bool shoot; // refuse engines that cannot shoot, instead of simulating until it settles; default
                // false
    bool centred; // contacts that stay stuck rest where their largest force is as small as can be,
                  // under a drive; default false: where the search leaves them
    int threads;  // of jd_attractors_create; 0 (default): as many as there are processors. The
                  // results do not depend on their number
} jd_orbit_options;

// All as the section `orbit` of the problem says.
jd_orbit_options jd_default_orbit_options(void);

// How the search went.
typedef struct jd_orbit_search {
    jd_orbit_reason reason;
    const char *why; // when not found: the reason, in words
    int iterations;
    const double *history; // residual before each step and at the end: iterations + 1
    int attempts;          // of Newton's method
    double settled;        // [s] simulated in the search
    int segments;          // of multiple shooting, where single shooting failed; 0: single
    double best;           // smallest residual of all steps, also when not found
    bool elsewhere; // unstable, and the settled motion is no stable orbit of up to `longest` drive
                    // periods
    int longest;    // forced: the longest period that was searched, in drive periods
} jd_orbit_search;

// What becomes of small perturbations, by Floquet multipliers mu.
typedef struct jd_orbit_stability {
    bool stable;       // all multipliers that count are inside the unit circle by more than their
                       // error
    bool marginal;     // a multiplier is on the unit circle to 1e-9, or to its error: not decided
    bool conservative; // no drive and no losses: two multipliers are 1 by themselves, and no orbit
                       // attracts; `marginal` (to 1e-6) then says that nothing repels either
    bool soft; // sustained contact with an elastic stop, reached with speed 0; motions next to it
               // bounce, so there is no derivative: `stable` is false and the multipliers have no
               // meaning
    bool isolated; // no neighbouring orbit of the same problem
    int neutral; // contacts (of several sliders: sliders) that are stuck all the time and could be
                 // stuck at other places as well:
                 // one mu = 1 each
    double largest;               // largest |mu| that counts for stability
    int n_multiplier;             // multipliers that are given; n where the orbit was found by
                                  // shooting
    const double *multiplier;     // n_multiplier pairs (re, im), by falling magnitude
    const double *log_multiplier; // log |mu|; -INFINITY: 0, or too small to tell from 0
    int n_zero;                   // multipliers that are 0 in that sense
    double multiplier_error;      // of the multipliers of half the largest size and more, by the
                             // engine's tolerance (estimated); 0: it has none, INFINITY: not known
    const char *why_none; // why no multiplier is given; NULL: there are some
} jd_orbit_stability;

// What was found.
typedef struct jd_orbit_view {
    bool found;
    bool forced;
    bool symmetric;      // half a period later every displacement has the opposite sign
    double period;       // [s]
    int periods;         // of the drive; 0: autonomous
    int n;               // numbers in a state
    const double *state; // at t = 0 of the orbit
    const char *phase;   // at t = 0: one letter per contact (jd_event)
    int n_event;
    const jd_event *event; // over one period, times since its start
    int n_phase;
    const char *const *phases; // phase sequence: the phase before each event; without events one
    const jd_contact_ranges *range; // per contact, over one period
    const double *stuck;            // per contact: time it is stuck in one period [s]
    double residual;                // |P(s) - s|/|s| at the end
    double state_error; // relative to the state: how far the orbit may be from it (estimated); NaN:
                        // not known, of a family or by several segments
    long undecided;     // events of the last period computed that rounding did not allow to decide
    // Relative tolerance of one step to which events were found, without proof that none was
    // missed; 0: proved.
    double tolerance;
    // Engines that cannot shoot: the motion that simulation settles to. It has no `state` (n = 0),
    // and only its largest multipliers, or none and the reason for that: the orbit is then stable
    // as far as simulation shows.
    bool simulated;
    double error; // of the period [s], estimated from its last changes; 0 when forced
    // Engines on grids: the motion does not come back, its rods go on by this set in each period;
    // of each body, mean over its mass [m]. NULL: it comes back.
    const double *set;
    jd_orbit_search search;
    jd_orbit_stability stability;
} jd_orbit_view;

// Searches for an orbit of the problem. JD_OK says that the search could be made; `found` says
// whether there is an orbit.
jd_status jd_orbit_create(jd_context *context, jd_problem *problem, const jd_orbit_options *options,
                          jd_orbit **out);
// NULL is allowed.
void jd_orbit_free(jd_orbit *orbit);
// What was found; it belongs to the orbit and lives as long.
const jd_orbit_view *jd_orbit_look(const jd_orbit *orbit);
// A run that starts on the orbit at its t = 0; the caller advances and frees it.
jd_status jd_orbit_run(const jd_orbit *orbit, jd_run **out);

// The attractors that random starts lead to. Starts are spread over twice the extent of the first
// orbit in every coordinate; the same seed gives the same starts.
typedef struct jd_attractors jd_attractors;
// One of them.
typedef struct jd_attractor {
    const jd_orbit_view *orbit; // of the first start that led here
    int starts;                 // that led here
    bool rest;     // the motion comes to rest, or to steady slip, in the contact states of `phase`:
                   // `orbit` is not found
    bool family;   // contacts are stuck all the time, at another place after every start: all such
                   // orbits with the same phase sequence count as one
    int mirror_of; // attractor that is its mirror image, -1: none
} jd_attractor;

// Finds the orbits that `starts` random starts settle to. options may be NULL.
jd_status jd_attractors_create(jd_context *context, jd_problem *problem,
                               const jd_orbit_options *options, int starts, uint64_t seed,
                               jd_attractors **out);
// The same in pieces, for journals and for several processes that know the same problem: open it,
// follow starts here or take up those that were followed elsewhere, and finish. The bits do not
// depend on who followed which start.
jd_status jd_attractors_open(jd_context *context, jd_problem *problem,
                             const jd_orbit_options *options, int starts, uint64_t seed,
                             jd_attractors **out);
// Which starts are followed.
typedef struct jd_starts_options {
    int first, n; // `n` starts from number `first` >= 0 on; 0, 0 (default): all of them
    // Called once for each start as it is done, by the calling thread. A failure ends it. NULL
    // (default): none is called.
    jd_status (*finished)(void *user, const jd_attractors *attractors, int start);
    bool pass_on; // `finished` takes what there is, and nothing is kept here; default false
    void *user;   // given to `finished`
} jd_starts_options;
// Follows those that are not done yet; options may be NULL. *complete is false when the context's
// stop hook ended it early.
jd_status jd_attractors_follow(jd_attractors *attractors, const jd_starts_options *options,
                               bool *complete);
// Is this start, from 0 on, done?
bool jd_attractors_is_done(const jd_attractors *attractors, int start);
// A checksum of problem, starts and version: equal for equal searches.
unsigned long long jd_attractors_identity(const jd_attractors *attractors);
// What a start led to as bytes, and back. It can be packed in `finished` only.
size_t jd_attractors_packed_size(const jd_attractors *attractors);
// Writes these jd_attractors_packed_size bytes.
void jd_attractors_pack(const jd_attractors *attractors, int start, unsigned char *out);
// Takes start number `start` from bytes that jd_attractors_pack wrote.
jd_status jd_attractors_restore(jd_attractors *attractors, int start, const unsigned char *bytes);
// Lists the attractors. Of starts that are missing, those before the first one count.
jd_status jd_attractors_finish(jd_attractors *attractors);

// NULL is allowed.
void jd_attractors_free(jd_attractors *attractors);
int jd_attractors_count(const jd_attractors *attractors);   // by falling number of starts
int jd_attractors_starts(const jd_attractors *attractors);  // that count: all, unless cut short
int jd_attractors_longest(const jd_attractors *attractors); // drive periods; 0: not forced
// Number i of them; it belongs to the result.
const jd_attractor *jd_attractor_look(const jd_attractors *attractors, int i);
// Number of starts that led to none of them: no stable orbit of up to `longest` drive periods was
// found from there, which is no proof that there is none.
int jd_attractors_lost(const jd_attractors *attractors);

#ifdef __cplusplus
}
#endif

#endif
