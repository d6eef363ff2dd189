// settled.h -- periodic motion by simulation alone, for engines that cannot shoot.
#ifndef JD_ANALYSIS_SETTLED_H
#define JD_ANALYSIS_SETTLED_H

#include "engine/engine.h"
#include "judder/orbit.h"

typedef struct jd_settled {
    bool found;
    jd_orbit_reason reason;
    const char *why;
    double period, error; // [s]; error: by how much the period may still change
    double drive;         // drive period [s]; 0: autonomous
    int periods;          // of the drive
    double residual;      // events of one period against those of the period before, over it
    double simulated;     // [s]
    void *block;          // state at the start of the orbit, and where that is
    size_t size;
    double start;    // [s]
    jd_phase phase;  // there
    int n_event;     // over one period
    jd_event *event; // times since the start
    double *set;     // engines on grids: of each body in a period [m]; NULL: it comes back
    int attempts;    // of Newton's method; found by it: corrections over the size of the motion
    int steps;
    double *history; // steps + 1
} jd_settled;

jd_status jd_settled_find(jd_context *context, jd_problem *problem, jd_arena *arena,
                          const jd_orbit_options *options, jd_settled *out);
// A problem that starts from an earlier run: puts the run into the state of the options. Refuses
// where they have none.
jd_status jd_orbit_take_up(jd_run *run, const jd_orbit_options *options);
// A run that starts on the orbit, at time 0.
jd_status jd_settled_run(jd_context *context, jd_problem *problem, const jd_settled *settled,
                         jd_run **out);

// The last events of a motion, oldest first.
typedef struct jd_cycles {
    int n;
    jd_event *event;
    double want; // residual that counts as settled
} jd_cycles;

bool jd_cycles_alike(const jd_event *a, const jd_event *b);
// Time that the n events up to the one `back` before the last took.
double jd_cycles_time(const jd_cycles *c, int back, int n);
// How far the cycle of n events that ended `back` cycles ago is from the one before it.
double jd_cycles_change(const jd_cycles *c, int back, int n);
// Whether these changes have fallen.
bool jd_cycles_settle(const jd_cycles *c, int n);
// Events of the cycle that repeats, 0: none; residual: how well.
int jd_cycles_tell(const jd_cycles *c, double *residual);
// What is left of the changes [s].
double jd_cycles_left(const jd_cycles *c, int n);

#endif
