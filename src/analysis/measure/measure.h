// measure.h -- the number recorded of a periodic motion, `tip.displacement.max`: for follow and
// sweep.
#ifndef JD_ANALYSIS_MEASURE_MEASURE_H
#define JD_ANALYSIS_MEASURE_MEASURE_H

#include "engine/engine.h"

typedef enum jd_measure_quantity {
    JD_MEASURE_DISPLACEMENT,
    JD_MEASURE_VELOCITY,
    JD_MEASURE_FORCE,
    JD_MEASURE_IMPACT, // approach speed of impacts
    JD_MEASURE_ENERGY
} jd_measure_quantity;

typedef enum jd_measure_kind {
    JD_MEASURE_MAX,
    JD_MEASURE_MIN,
    JD_MEASURE_AMPLITUDE, // half of max - min
    JD_MEASURE_RMS,       // root of the mean square over the period
    JD_MEASURE_LOST,      // of energy: lost in the contact in one period
    JD_MEASURE_SET        // of the displacement of a point: how far it goes on in one period
} jd_measure_kind;

// What is recorded.
typedef struct jd_measure {
    const char *text;
    int contact;       // -1: a point
    int probe;         // of a point, in the run
    const char *point; // name of the contact or the point
    jd_measure_quantity quantity;
    jd_measure_kind kind;
} jd_measure;

// Extremes and integrals of one measure along a period.
typedef struct jd_measure_window {
    double t[3], f[3];
    int n; // looks in this phase so far, at most 3
    double max, min;
    double integral;  // of the square, or of the power lost
    double last;      // value under it where it ends so far
    double high, low; // looks above and below these are closer together, the second time round
} jd_measure_window;

// A place the motion can be gone back to.
enum { JD_MEASURE_TRAIL = 3 };
typedef struct jd_measure_trail {
    double t;
    double *state;
    jd_phase phase;
} jd_measure_trail;

// The measures of one run, and room to look at them.
typedef struct jd_measuring {
    int n;
    jd_measure *measure;
    jd_measure_window *window;
    double *value;  // n: of the last period taken
    double *points; // displacements and velocities of all probes
    double *contacts;
    bool closer; // the period is gone through a second time, for its extremes
    jd_measure_trail
        trail[JD_MEASURE_TRAIL]; // the last looks: for engines that look no further back
} jd_measuring;

// A period that is looked at: from `state` at `start` on.
typedef struct jd_measured_period {
    double start, length;
    const double *state;
    const jd_phase *phase;
    const jd_event *event; // in order
    int n_event;
    const jd_contact_ranges *ranges; // extremes of the contacts in it, where `ranged` asks for them
} jd_measured_period;

// `text` as a measure; key: "follow.measure", for errors.
jd_status jd_measure_read(jd_arena *arena, jd_problem *problem, const char *key, const char *text,
                          jd_measure *out);
// An orbit comes back to where it began: it has no set.
jd_status jd_measure_no_set(jd_context *context, const char *key);
// Room for n measures, which the caller fills.
jd_status jd_measuring_open(jd_arena *arena, const jd_problem *problem, int n, jd_measuring *out);
// Registers the points with a run that was just made; the arena lives as long as that.
jd_status jd_measuring_probe(jd_measuring *m, jd_run *run, jd_arena *arena);
// Do measures need the extremes of contacts (jd_contact_ranges)? *which: as jd_run has it.
bool jd_measuring_ranged(const jd_measuring *m, int *which);
// Does one need the motion itself, beside events and extremes of contacts?
bool jd_measuring_looks(const jd_measuring *m);
// Every value; the run is used up.
jd_status jd_measuring_take(jd_measuring *m, jd_run *run, const jd_measured_period *period);
// Least and greatest value of the quantity of measure i over the period taken last.
void jd_measuring_range(const jd_measuring *m, int i, const jd_measured_period *period, double *min,
                        double *max);

#endif
