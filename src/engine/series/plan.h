// plan.h -- what is constant during a run: modes, rows, normal parts, sliders, drives.
//   q'' + C q' + omega2 q = sum_d b_d F_d(t) - sum_r W_r' F_r,    u = W q
//   A row r is a direction in which a contact acts. A normal part gives a force N >= 0 along its
//   row, a slider a force T along the tangential row of its contact (contact/element.h).
#ifndef JD_SERIES_PLAN_H
#define JD_SERIES_PLAN_H

#include "contact/element.h"
#include "drive/segment.h"
#include "engine/engine.h"

typedef enum series_normal_kind {
    NORMAL_ONE,    // N = 1: limits are forces
    NORMAL_SWING,  // N = 1 + swing cos(omega t + phase)
    NORMAL_SPRING, // N = kn p + cn p'
    NORMAL_RIGID   // p <= 0, N a reaction
} series_normal_kind;

typedef struct series_normal {
    series_normal_kind kind;
    int contact, row;           // row: -1 where it has none
    double gap, kn, cn;         // [m], [N/m], [N s/m]
    double restitution;         // NORMAL_RIGID
    double belt;                // velocity of the counterpart along the row [m/s]
    double swing, omega, phase; // NORMAL_SWING
    bool both;                  // also on the other side
    bool newton;                // friction at impacts: jd_impact_law
} series_normal;

typedef struct series_slider {
    int contact, cell;  // cell: its number in the contact
    int row, normal;    // tangential row; normal part that scales its limits
    int partner;        // slider of the other direction of a plane; -1: none
    double limit, hold; // [N] or [-]
    double kt;          // [N/m]; 0: rigid
    double slope;       // [N s/m], rigid ones
    double belt;        // [m/s]
} series_slider;

// A nonlinear spring: linear u + cubic u^3.
typedef struct series_smooth {
    int row;
    double linear, cubic; // [N/m], [N/m^3]
} series_smooth;

// A contact at a point, or a cell of one of the problem's contacts.
typedef struct series_contact {
    int of, cell;        // contact of the problem, cell of it
    int tangential, own; // row of the sliders (of the nonlinear spring), normal part; -1: none
    int smooth;          // -1: none
    int first, sliders;
    double belt;
} series_contact;

typedef struct series_drive {
    const jd_object *object;
    const double *row;  // b_d
    double soft;        // energy a unit force would store in the structure without rigid modes
    double omega, size; // its one angular frequency, |b_d|
    jd_drive_segment segment;
} series_drive;

// All springs together.
typedef struct series_springs {
    bool alone;      // no dashpot, no slope, nothing rigid or nonlinear: matrix.c
    bool swings;     // some limit swings
    double stiffest; // [1/s^2] bound of |W' k W| with all of them engaged
} series_springs;

// Contacts of the problem: the cells of each are contacts first[i] .. first[i + 1] - 1.
typedef struct series_whole {
    int n;
    int *first;    // n + 1
    double *share; // of each cell: its part of the length of its contact; 1 at a point
} series_whole;

typedef struct series_probes {
    int n;
    double **row;
} series_probes;

typedef struct series_plan {
    const jd_system *system;
    int n, m, n_row, n_normal, n_slider, n_drive; // m: contacts with their cells one by one
    int stride, row_stride; // of rows over modes, and of columns over rows: whole vectors
    series_contact *contact;
    series_whole whole;
    series_normal *normal;
    series_slider *slider;
    series_drive *drive;
    series_smooth *smooth;
    int n_smooth;
    double *omega2, *c; // stride
    const double *C;    // n x n or NULL
    double *W, *Wt;     // n_row x stride, n x row_stride
    double *G;          // n_row x n_row = W W'
    double *length;     // n_row: |W_r|
    double *pull;       // n_row: |d^2 u_r/dt^2| <= pull |z| without constants and drives [1/s ...]
    series_probes probes;
    double fastest; // [rad/s] of the structure with all springs engaged, about
    double growth;  // [1/s] of the structure alone: 0 where it dissipates
    bool rigid;     // some contact may be held
    series_springs springs;
    long budget;
} series_plan;

// refuse.c
const char *jd_series_refuses(const jd_problem *problem);
// plan.c
jd_status jd_series_plan(jd_run *run, series_plan *plan);
// Laws, drives and damping read again.
jd_status jd_series_replan(jd_run *run, series_plan *plan);

#endif
