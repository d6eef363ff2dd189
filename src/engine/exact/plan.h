// plan.h -- what is constant during a run of the exact engine: modes, rows, laws, drives.
#ifndef JD_ENGINE_EXACT_PLAN_H
#define JD_ENGINE_EXACT_PLAN_H

#include "drive/segment.h"
#include "engine/engine.h"

enum { MANY_CONTACTS = 6 }; // with fewer there are few states, and each is cheap

typedef struct contact {
    bool stop;                         // a stop; else friction
    double limit, static_limit, slope; // friction [N] [N] [N s/m]
    double gap, restitution;           // stop [m]
    bool both;                         // stop on both sides: |u| <= gap
    double belt;                       // w: velocity of the counterpart [m/s]
    const double *row;                 // B_j, n
} contact;

typedef struct drive {
    const jd_object *object;
    const double *row; // b_d, n
    double omega;      // its one angular frequency, 0: none
    jd_drive_segment segment;
    double theta, sine, cosine; // of the harmonic part at the time asked for last
} drive;

typedef struct exact_plan {
    const jd_system *system;
    int n, m, n_drive, n_probe; // modes, contacts, drives, probes
    contact *contact;
    drive *drive;
    const double **probe;         // rows
    double *omega2, *c, *C;       // free system; C (n x n) or NULL
    double *G;                    // m x m = B B'
    double scale_time;            // [s] of the slowest motion: anchors are renewed after a multiple
    double quick_time;            // [s] of the fastest motion
    double rate_max;              // [1/s] bound of all poles and of the drives' frequencies
    bool belts;                   // some counterpart moves
    bool nearly_dependent;        // contacts, or their split decides: the run is not certified
    long budget;                  // events
    unsigned long long unwatched; // bit j: stop j is passed through (shoot.c)
} exact_plan;

struct exact;

// plan.c
jd_status jd_exact_plan(struct exact *e);
void jd_plan_laws(struct exact *e);
void jd_plan_drives(struct exact *e);
void jd_plan_scale(struct exact *e);
void jd_plan_rate(struct exact *e);
// replan.c: laws, drives and frequencies read again; bases of stuck contacts are kept
jd_status jd_exact_replan(jd_run *run);
double jd_drive_value(drive *d, double t);
void jd_drive_turn(drive *d, double t); // theta, sine, cosine at t

#endif
