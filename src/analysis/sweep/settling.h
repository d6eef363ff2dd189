// settling.h -- one point of a sweep while its motion settles.
#ifndef JD_ANALYSIS_SWEEP_SETTLING_H
#define JD_ANALYSIS_SWEEP_SETTLING_H

#include "analysis/sweep/parts.h"

// A motion without a drive is searched for this many times as long as it may take to settle.
enum { JD_SETTLING_SEARCH = 3 };
// The longest orbit of a driven motion that is looked for, states kept for that, and how long to
// wait where the model does not say, all in drive periods.
enum {
    JD_SETTLING_LONGEST = 64,
    JD_SETTLING_RING = 2 * JD_SETTLING_LONGEST + 1,
    JD_SETTLING_LIMIT = 2000
};

typedef struct settling {
    const jd_sweep *sweep;
    sweep_worker *worker;
    jd_arena *arena;
    jd_run *run;
    jd_shooting *sh;
    const jd_engine_map *map;
    double drive; // its period [s]
    int n, m;
    long k, k0, limit, quiet; // periods simulated; since the last restart; quiet ones in a row
    bool lost;
    int known;      // sh holds an orbit of this many periods with its derivative; 0: none
    double *turned; // n x n: its derivative, columns for rows
    double *ring;   // JD_SETTLING_RING x n: s_k
    jd_phase phase;
    double *u, *v, *force; // m
    double *miss, *begin;  // n; begin: state where the stretch recorded begins
    jd_contact_ranges *ranges;
    jd_measuring measures; // the one of the sweep
    jd_event *event;       // JD_SHOOT_EVENTS of the stretch that is recorded
    jd_sweep_point *out;
    double *sample, *carry;
    size_t length; // of out->phases
} settling;

// wait.c: the state after k drive periods, while it is kept; |a - b|, b may be NULL; r_n
double *jd_settling_state(const settling *st, long k);
double jd_settling_size(const settling *st, const double *a, const double *b);
double jd_settling_recurrence(const settling *st, int n);
jd_status jd_settling_wait(settling *st);
// Computes `periods` drive periods from time t: extremes, events, samples at their ends.
jd_status jd_settling_record(settling *st, double t, int periods);
// The motion did not settle in the time allowed: records what it does then.
jd_status jd_settling_unsettled(settling *st);
// The motion ended before all of it was recorded: there are no numbers of it.
void jd_settling_cut(settling *st, jd_stop stop);
// It came back exactly to sh->s after out->periods drive periods: its orbit is recorded in place of
// what was before.
jd_status jd_settling_came_back(settling *st);
// beyond.c: what it is then: chaotic, quasi-periodic, or neither was shown.
jd_status jd_settling_beyond(settling *st);
// member.c: of a family of orbits the centred one, where that is wanted, into sh; *moved: there is
// one, and what was recorded is of another.
jd_status jd_settling_centre(settling *st, bool *moved);
// Without a harmonic drive: time to simulate before the search [s], from this section or `orbit`.
jd_status jd_settling_patience(const settling *st, double *time);
// measure.c: room for the measure, its points known to the run, which was just made.
jd_status jd_settling_open_measure(settling *st);
void jd_settling_sample(settling *st, double *out);
jd_status jd_settling_measure(settling *st, const jd_measured_period *period);
// driving.c: engines on grids, whose motion goes on by a set in each period
jd_status jd_settling_drive(settling *st);
// Does a search for an orbit say that the motion comes to rest, perhaps while a contact slides on?
bool jd_settling_rests(const jd_orbit_view *v);
// simulated.c
jd_status jd_settling_simulate(settling *st);

#endif
