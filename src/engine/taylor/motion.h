// motion.h -- the semi-discrete motion from event to event: series, first zeros, states of cells.
//   A step is one set of series, good on [t0, t0 + tau_end dt]; it ends at the first change of a
//   cell, at a breakpoint of a drive, or where the remainder would pass the rounding.
#ifndef JD_TAYLOR_MOTION_H
#define JD_TAYLOR_MOTION_H

#include <stdint.h>

#include "engine/taylor/series.h"

// What a cell's relative velocity is known to begin with, right after a change.
typedef enum jd_onset {
    JD_ONSET_NONE, // nothing
    JD_ONSET_RATE, // g = 0, g' != 0
    JD_ONSET_FORCE // g = g' = 0: let go where the force just reached the limit
} jd_onset;

typedef struct jd_change {
    int cell; // -1: none
    int8_t from, to;
    bool jumped; // the force was beyond the limit at once: a drive or another cell changed
} jd_change;

// A change as an event of the run, at its present time; false when there is none.
bool jd_change_event(jd_run *run, const jd_change *change);

// What the motion goes on from: saved and loaded (jd_motion_pack), with the ledger.
typedef struct jd_motion_state {
    double t0;           // start of the present step [s]
    double unit;         // what velocities are measured by: the largest speed so far [m/s]
    double age;          // tau since the last change
    double *u, *v;       // at t0, n each [m], [m/s]
    double *eta, *eta_v; // at t0, stride each
    int8_t *slide;       // per cell: 0 stuck, 1 and -1 sliding
    int8_t *onset;       // per cell: jd_onset
    double *anchor;      // per cell: slip at which its spring has no force [m]
    double followed;     // when the cells were put last [s]
    int updates;         // of the series' `inverse` since it was made anew
} jd_motion_state;

// The present step.
typedef struct jd_motion_step {
    double t_end, tau_end; // where it ends [s], and in tau
    double next_dt;        // dt to begin the next one with [s]
    jd_change change;      // what happens at t_end
} jd_motion_step;

// Segments of the drives that hold just after t0, and where the first of them ends.
typedef struct jd_motion_segments_now {
    jd_drive_segment *of; // n_drive
    double end;           // [s]
} jd_motion_segments_now;

// Energy ledger since the start [J].
typedef struct jd_motion_ledger {
    double *work;    // of each drive
    double *loss;    // of each cell, up to its last change
    double *slipped; // relative displacement where its sliding began [m]
    double belt;     // work of a moving counterpart
    double damping;  // lost in the rods
} jd_motion_ledger;

typedef struct jd_motion_count {
    long changes[3];    // releases, sticks, reversals
    long undecided;     // zeros that rounding does not allow to decide
    long searches;      // polynomials whose first zero was sought
    int idle;           // steps in a row without time passing
    long storm;         // changes since storm_start, see jd_motion_stands_still
    double storm_start; // [s]
} jd_motion_count;

typedef struct jd_motion_scratch {
    double *counter;             // Psi eta' dt per cell
    double *modal;               // G^-1 psi of one cell
    double *u, *v, *eta, *eta_v; // within a step, for what damping takes
} jd_motion_scratch;

typedef struct jd_motion {
    const jd_semi *semi;
    jd_motion_state state;
    jd_motion_step step;
    jd_motion_segments_now segments;
    jd_expansion series;
    jd_motion_scratch scratch;
    jd_motion_ledger ledger;
    jd_motion_count count;
    bool beyond; // a cell has moved beyond the end of the counter body
} jd_motion;

jd_status jd_motion_create(jd_arena *arena, const jd_semi *semi, jd_motion *out);
// Segments of the drives that hold just after t0, and where the next ends.
void jd_motion_segments(jd_motion *m);
// Series around t0 and the first change after it: sets `step`.
void jd_motion_find_step(jd_motion *m);
// To t_end; what happens there. Then look again.
jd_change jd_motion_advance(jd_motion *m);
// Time does not pass, or next to none between very many changes: the motion would never end.
bool jd_motion_stands_still(const jd_motion *m);

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
double jd_motion_damping(const jd_motion *m, double t);
double jd_motion_spring(const jd_motion *m, double t); // stored in the springs of the contact

// Relative displacement [m] and velocity [m/s] of a cell at t0.
double jd_motion_slip_now(const jd_motion *m, int cell);
double jd_motion_rate_now(const jd_motion *m, int cell);

// footprint.c: sliding cells are put where they have come to; false: beyond the end. And after
// loading a state: all where they were put last.
bool jd_motion_follow(jd_motion *m);
void jd_motion_put_back(jd_motion *m);

// states.c: a cell changes; keeps inverse, forces and the list of stuck cells up to date.
void jd_motion_set(jd_motion *m, int cell, int state);
void jd_motion_renew(jd_motion *m); // all of it from the states
void jd_motion_push(jd_motion *m);  // of it, the forces of sliding cells

#endif
