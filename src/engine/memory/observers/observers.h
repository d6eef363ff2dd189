// observers.h -- what is computed along with a motion and has no part in it.
//   ledger.c        where energy went; damping.c, damping_form.c, damping_driven.c: what damping
//                   took
//   ranges.c        least and largest displacement, velocity and force of every contact
//   tangent.c       derivative of the motion by the state it started from
//   followed.c      the first of infinitely many modes, for motion between the contacts
//   replay.c        a period of waves that come back, taken down: replay_round.c takes small
//   changes
//                   over it, replay_edge.c where a sliding branch ends, replay_newton.c corrects
//                   the motion by them, replay_hold.c puts states aside
// The engine shows them every panel before it is accepted (jd_observers_panel) and every impulse.
#ifndef JD_ENGINE_MEMORY_OBSERVERS_OBSERVERS_H
#define JD_ENGINE_MEMORY_OBSERVERS_OBSERVERS_H

#include "engine/memory/panel/panel.h"

typedef struct damping_parts damping_parts;   // damping_form.c
typedef struct driven_damping driven_damping; // damping_driven.c

typedef struct energy_ledger {
    // n_drive, m, m, m: work of drives, lost in friction, work of belts, lost in impacts [J]
    double *sums, *report_sums;   // at the panel's beginning; at the time of a report
    double start_energy, damping; // [J]: at the start; taken by damping so far
    double *force_powers;         // damping.c: forces over the panel as powers of time
    double *q, *rate;             // n_mode: modal coordinates and velocities
    double *exp_re, *exp_im;      // n: e^{lambda x}
    damping_parts *parts;         // of the poles and nodes, damping_form.c; NULL: not needed yet
    driven_damping *driven;       // of the drives, damping_driven.c; NULL: not needed yet
    coefficients *once;           // of a panel with a length of its own, damping_form.c; or NULL
} energy_ledger;

// Derivative of the motion by a state it started from, column by column.
typedef struct tangent {
    bool on;
    int n;               // columns: coordinates of a state
    double *z_re, *z_im; // n x poles: of the pole states at the beginning of the present panel
    double *t0;          // n: of the time at which it begins, which events move
    double *length;      // n: of the present panel's length
    double *A, *inverse; // of a panel: (s m + 1)^2, forces at the nodes and length
    int *pivot;
    double *impulse_matrix;        // m x m: G'(0+) of the contacts that are pushed
    double *drive;                 // (s + 1) m: acceleration by drives at the nodes and at t0
    double *gain, *rate;           // s m: dF/dv of a law; velocities by the length of the panel
    double *guard;                 // poles: weights of the guard that ends it, re and im
    double guard_time;             // its derivative by t0
    double *end_re, *end_im;       // pole states at its end by its length
    double *bend_re, *bend_im;     // pole states inside it by its length
    double *weight_re, *weight_im; // poles: products of weights
    double *solution, *right_side; // s m + 1: of a column: dF, dh
    double *velocity;              // (s + 1) rows: by a column, without the forces of the panel
    bool ends;                     // the length depends on the state
    double t_event;                // of the last event
} tangent;

typedef struct replay replay;     // replay.c
typedef struct followed followed; // followed.c

typedef struct memory_observers {
    energy_ledger *ledger;
    jd_contact_ranges *ranges; // m; NULL: not asked for
    tangent *tangent;          // NULL: not asked for
    replay *replay;            // panels of a period, taken down; NULL: not asked for
    followed *followed;        // modes beside the poles; NULL: not asked for
} memory_observers;

// The panel that is about to be accepted.
jd_status jd_observers_panel(memory *e);
// Impulses on the contacts of `set` that take part[i] (1 + restitution) of their velocities away.
void jd_observers_push(memory *e, int n, const int *set, const double *part);

// ledger.c
jd_status jd_energy_create(memory *e);
void jd_energy_start(memory *e, double t); // sums begin here
void jd_energy_panel(memory *e, double part, double *sums);
void jd_energy_impact(memory *e, int j, double lost, double belt); // [J]
// Stored energy at t; NaN with infinitely many modes.
double jd_energy_stored(memory *e, double t, double *kinetic);
void jd_energy_report(memory *e, jd_ledger *out);

// damping.c: taken in the first part of the present panel; NaN with infinitely many modes
enum { FORCE_POWERS = 12 };
double jd_damping_panel(memory *e, double part);
double jd_damping_real(memory *e);                      // by real poles alone, in the whole panel
bool jd_damping_may_have_form(const memory_plan *plan); // damping_form.c
jd_status jd_damping_accept(memory *e);                 // likewise: adds what the whole panel takes

// damping_driven.c: harmonic and constant drives, in closed form
enum { FORM_DRIVES = 8 };
jd_status jd_driven_prepare(memory *e);   // for the present panel; before those below
bool jd_driven_has_form(const memory *e); // does it have one?
// What drive i gives in the panel, by the velocities of its place at the nodes [J].
double jd_driven_work(const memory *e, int i, const double *velocity, int stride);
void jd_driven_ends(const memory *e, double **re, double **im); // where z1 is expected
double jd_driven_panel(const memory *e); // taken by damping beside what damping_form.c adds

// ranges.c
void jd_ranges_widen(memory *e, double part, jd_contact_ranges *range);
double jd_panel_part(const memory *e, double t); // of the present panel, up to t; 0: there is none
jd_status jd_memory_track(jd_run *run);
jd_status jd_memory_ranges(jd_run *run, jd_contact_ranges *out);

// tangent.c
jd_status jd_tangent_take(memory *e, int n); // arrays for n columns
void jd_tangent_panel(memory *e);
void jd_tangent_push(memory *e, int n, const int *set, const double *part);
// Ends it: the columns become those at the time x into the present panel, which does not move.
void jd_tangent_finish(memory *e, double x);

// followed.c
void jd_followed_panel(memory *e);
void jd_followed_push(memory *e, int j, double P); // an impulse on contact j
void jd_followed_visit(memory *e, snapshot *s);
jd_status jd_memory_follow(jd_run *run, const jd_problem *finite, const double *from);
int jd_memory_followed(jd_run *run, double *out);
jd_status jd_memory_follow_round(jd_run *run, double period, double *out);

// replay.c
jd_status jd_replay_panel(memory *e);

#endif
