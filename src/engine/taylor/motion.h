// motion.h -- the semi-discrete motion from event to event: series, first zeros, states of cells.
//   A step is one set of series, good on [t0, t0 + tau_end dt]; it ends at the first change of a
//   cell, at a breakpoint of a drive, or where the remainder would pass the rounding.
#ifndef JD_TAYLOR_MOTION_H
#define JD_TAYLOR_MOTION_H

#include <stdint.h>

#include "engine/taylor/series.h"

// What a cell's relative velocity is known to begin with, right after a change.
typedef enum jd_youth {
    JD_GROWN,      // nothing
    JD_YOUNG_RATE, // g = 0, g' != 0
    JD_YOUNG_FORCE // g = g' = 0: let go where the force just reached the limit
} jd_youth;

typedef struct jd_change {
    int cell; // -1: none
    int8_t from, to;
    bool jumped; // the force was beyond the limit at once: a drive or another cell changed
} jd_change;

// A change as an event of the run, at its present time; false when there is none.
bool jd_change_event(jd_run *run, const jd_change *change);

typedef struct jd_motion {
    const jd_semi *semi;
    jd_expansion series;
    jd_drive_segment *segment; // n_drive
    double t0, t_end;          // of the present step [s]
    double tau_end, next_dt;
    double unit;            // what velocities are measured by: the largest speed so far [m/s]
    double breakpoint;      // where a drive changes next [s]
    jd_change next;         // what happens at t_end
    int8_t *state;          // per cell: 0 stuck, 1 and -1 sliding
    int8_t *youth;          // jd_youth
    double age;             // tau since the last change
    double *u, *v;          // at t0, n each [m], [m/s]
    double *eta, *eta_v;    // at t0, stride each
    double *follow;         // Psi eta' dt per cell
    double *modal, *column; // room
    int updates;            // of `inverse` since it was made anew
    // Energy since the start [J].
    double *work;    // of each drive
    double *loss;    // of each cell, up to its last change
    double *slipped; // relative displacement where its sliding began [m]
    double belt;     // work of a moving counterpart
    double start;
    long counts[3]; // releases, sticks, reversals
    long steps, undecided, looks;
    int idle; // steps in a row without time passing
} jd_motion;

jd_status jd_motion_create(jd_arena *arena, const jd_semi *semi, jd_motion *out);
// Segments of the drives that hold just after t0, and where the next ends.
void jd_motion_segments(jd_motion *m);
// Series around t0 and the first change after it: sets t_end and next.
void jd_motion_look(jd_motion *m);
// To t_end; what happens there. Then look again.
jd_change jd_motion_go(jd_motion *m);

// search.c: the first change in the present step.
void jd_motion_search(jd_motion *m, const jd_remainder *r);

// Anywhere in the present step; arrays of n (padded to 4) and stride, rates per second.
void jd_motion_at(const jd_motion *m, double t, double *u, double *v, double *eta, double *eta_v);
// Force on the rod in a cell [N], and its relative velocity [m/s] and displacement [m].
double jd_motion_force(const jd_motion *m, int cell, double t);
double jd_motion_slip(const jd_motion *m, int cell, double t, double *displacement);
double jd_motion_loss(const jd_motion *m, int cell, double t); // [J]
double jd_motion_work(const jd_motion *m, int drive, double t);
double jd_motion_belt(const jd_motion *m, double t);

// states.c: a cell changes; keeps inverse, forces and the list of stuck cells up to date.
void jd_motion_set(jd_motion *m, int cell, int state);
void jd_motion_renew(jd_motion *m); // all of it from the states

#endif
