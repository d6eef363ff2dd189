// series.h -- engine `series`: the motion around one moment as power series in tau = (t - t0)/dt.
//   q = sum_k q[k] tau^k, rows u = W q, normal forces N, slider forces T likewise; order by order
//     (k+1)(k+2) q[k+2] = dt^2 (f[k] - omega2 q[k] - W' F[k]) - dt (k+1) C q[k+1]
//   plan (constant) -- state (saved) -- terms (the series, derived) -- step (how far they hold, and
//   the first change of a contact) -- observers (ledger, ranges, tangent).  docs/theory/series.md
#ifndef JD_SERIES_SERIES_H
#define JD_SERIES_SERIES_H

#include <stdint.h>

#include "contact/forces.h"
#include "engine/series/plan.h"
#include "engine/series/product.h"

enum {
    SERIES_BRIEF = 16, // orders tried first where events follow each other closely (rigid contacts)
    SERIES_FIRST = 3,  // orders all rows are computed to; above it only those that are looked at
    SERIES_ORDER = 29, // of q; odd: the matrix takes two at a time
    SERIES_DEGREE = SERIES_ORDER - 3, // of guards: the rate of a normal force is one of them
    SERIES_FORCES = SERIES_ORDER - 1, // orders of N and T
    SERIES_FLOOR = 17, // orders whose rounding is measured by the largest motion so far
    SERIES_FREE = 2    // slider without normal force; else 0 stuck, 1, -1 slides
};

// What the motion goes on from.
typedef struct series_state {
    double t0, unit;                  // start of the step [s]; largest |z| so far [sqrt(J)]
    double age;                       // [s] since the last change
    double most;                      // largest terms.size so far
    double *q, *p;                    // n at t0
    double *T;                        // n_slider: force of stuck sprung sliders at t0
    int8_t *slide;                    // n_slider: -1, 0, 1 or SERIES_FREE
    int8_t *closed;                   // n_normal: 1, -1 closed above, below; 0 open
    int8_t *inside;                   // n_normal: open with p > 0 on this side: the dashpot let go
    int8_t *slide_order, *slide_side; // order of the zero a guard begins with, and on which side
    int8_t *normal_order, *normal_side;
} series_state;

// The series of the present step.
typedef struct series_terms {
    double dt;
    double *q;                     // (ORDER + 1) x stride
    double *u;                     // (ORDER + 1) x row_stride
    double *N, *T;                 // FORCES x normal_stride, FORCES x slider_stride
    double *drive;                 // n_drive x (ORDER + 1)
    double size[SERIES_ORDER + 1]; // |parts| that q[k] was made of: what rounding is measured by
    double *rate_sum, *N_sum, *N_rate_sum, *T_sum; // sums of moduli of all orders but the first
    double Z[3],
        direct[3]; // |z^(k)|/k! and drives, k = degree, degree + 1, degree + 2, over a step
    double grow;   // exp(growth dt)
    double now;    // |z| of the first orders and of the loads over a step
    series_sums sums[SERIES_ORDER + 1]; // of q[k]; where the matrix is used
    double driven[SERIES_ORDER + 1];    // sum |F| (Omega dt)^k/k! |b|
    int normal_stride, slider_stride;
    int degree;      // of guards, in the present step
    bool *row_known; // n_row: to all orders (rows.c)
    bool whole;      // all rows and forces are
} series_terms;

// Springs of the present contact states as one matrix: W' F[k] = K q[k] for k >= 2 (matrix.c).
typedef struct series_matrix {
    double *K;               // n x stride, its transpose: row j is what q_j does
    double large;            // 1.5 2^52 units, a unit what numbers of K are multiples of
    int8_t *slider, *normal; // the states that K belongs to
    double *load;            // 2 x stride: accelerations by loads, of two orders
    double *none;            // stride: 0
    bool known;
} series_matrix;

// Contacts without relative motion: W_h q'' = 0 gives their forces (held.c).
typedef struct series_held {
    int n, most;                // most: there may ever be
    int *item;                  // slider i, or n_slider + normal a
    int *row;                   // of each
    double *inverse;            // of A, n x n
    double *react, *react_size; // bounds: sum |A^-1| pull, sum |A^-1| length
    double *right, *force, *work;
    bool known;        // belongs to the present states
    bool updatable;    // the next set may be made from this one
    bool loses_digits; // rows are nearly parallel
    int updates;
    int8_t *wanted; // n_slider + n_normal
    bool singular;  // no forces: the rows depend on each other
    int painleve;   // a contact whose sliding state has no unique force, -1: none
} series_held;

typedef enum series_kind {
    CHANGE_RELEASE, // a stuck slider slides to `side`
    CHANGE_STOP,    // a slider stops
    CHANGE_OPEN,    // a normal force has gone
    CHANGE_CLOSE,   // a normal part touches at `side`
    CHANGE_LEAVE,   // an open dashpot's spring is relaxed: no event
    CHANGE_TURN,    // the force of a direction of a plane changes its sign
    CHANGE_EDGE     // the normal force of a plane passes the least with which it rubs
} series_kind;

typedef struct series_change {
    series_kind kind;
    int index, side;
    bool jumped; // the guard was outside at once
} series_change;

typedef struct series_step {
    double tau_end, t_end, next_dt, first_dt;
    series_change *change;
    int n_change;
    double t_break;             // next breakpoint of a drive
    double beyond, beyond_rate; // sums of |q[k]| tau_end^k, k |q[k]| tau_end^(k-1), k > FIRST
    double last;                // tau_end^(degree + 1)
    double *margin; // n_slider + n_normal: what the first orders leave of a guard over the step
    bool brief;     // the last step ended early, at an event
} series_step;

typedef struct series_count {
    long events, undecided, searches, reclosed, steps;
    long storm;
    double error; // rounding and rests of all steps, relative to the motion
    double storm_start, margin, proved;
    double chatter_error, chatter_motion;
    int idle;   // steps in a row without time passing
    bool plane; // friction in a plane has slid: at a tolerance from then on
} series_count;

typedef struct series_ledger {
    double energy0, loads; // loads: largest energy the drives would store
    double *sums;          // the arrays below, one after the other
    double *work, *contact, *impact, *belt, *wear;
    double *shown; // as sums
    double *whole; // 4 x n_contact: of all cells of each contact
} series_ledger;

// Motion along a body that is a line.
typedef struct series_line {
    bool known;
    jd_line shape;
    double *u, *v, *mass; // NULL: not offered
} series_line;

// Cells of the contacts and motion of bodies as they are shown (field.c).
typedef struct series_field {
    double *number;    // 5 x m: displacement, velocity, force, state, loss
    long (*count)[3];  // n_contact: began to slide, stuck, turned round
    series_line *line; // of each body
} series_field;

typedef struct series_queue {
    jd_event *event;
    int n, next, room;
} series_queue;

// Rigid normal parts that touch at an impact.
typedef struct series_impact {
    int *set, *side;
    double arriving; // |q'| before it
    double *speed, *e, *P, *G, *b, *low, *high, *a, *scratch;
    double *last, *first, *least; // rub.c
    double *left;                 // n_normal: rebounds that completing chatter left out [m/s]
    jd_bound *bound;
} series_impact;

typedef struct series_scratch {
    double *F, *rhs, *damp, *q, *p, *u, *v, *N, *Nr, *T, *Tr;
} series_scratch;

// Observer: small changes of the state that travel along (tangent.c).
typedef struct series_tangent {
    int columns, room;
    double *q, *p, *T; // columns x stride, stride, slider_stride
    double *dg, rate;  // of the guard of the last event: its changes, its rate
    double *p_before, *a_before, *a_after, *work;
    int8_t *slide_before;
    series_terms terms; // of one change
    bool pending;       // an event has not been booked yet
    bool impact;
} series_tangent;

// A polynomial in tau whose extremes are sought.
typedef struct series_curve {
    int degree;
    double c[SERIES_ORDER + 1], bend, close; // largest |f''|, what is no more to be told apart
} series_curve;

// Observer: extremes of the contacts; kept is NULL where they were not asked for.
typedef struct series_extremes {
    jd_contact_ranges *kept, *room;
    jd_force_extreme *extreme; // m: when their forces were least and greatest
    jd_held_room *slider;      // n_slider, of those that are stuck (observers/room.c)
    double begin;              // [s] since when
} series_extremes;

// Series of the nonlinear springs, of the motion (smooth/smooth.h).
typedef struct series_products {
    double *square, *force;   // n_smooth x (ORDER + 1): u^2, force
    double *rate, *over, *by; // n_slider x (ORDER + 1), smooth/plane.h
    double *room;
} series_products;

// Observer: derivative of the motion by a number of the model (observers/parameter.c).
typedef struct series_parameter {
    const jd_stencil *stencil; // NULL: not asked for
    const char *broken;        // why it is no derivative; NULL: it is
    double *q, *p, *T;         // the columns, put aside while they are looked at
    double *at_q, *at_p;       // motion of another run at a time
} series_parameter;

typedef struct series {
    jd_run *run;
    series_plan plan;
    series_state state;
    series_terms terms;
    series_matrix matrix;
    series_held held;
    series_step step;
    series_count count, before; // before: as the search of the present step found them
    series_ledger ledger;
    series_field field;
    series_queue queue;
    series_impact impact;
    series_scratch scratch;
    series_tangent tangent;
    series_parameter parameter;
    series_extremes ranges;
    series_products smooth;
    jd_horizon horizon;
    bool linear; // series of a small change: no constants, loads, belts
    bool ready;  // the step is found
    char note[300];
} series;

static inline bool series_rigid_stuck(const series *s, int i) {
    return s->state.slide[i] == 0 && !(s->plan.slider[i].kt > 0);
}

// expand.c: series around t0 from the state; what they leave out.
void jd_series_expand(series *s, int orders);
void jd_series_expand_on(series *s, int from, int orders); // orders from .. orders
void jd_series_cut(series *s, int orders);
void jd_series_begin_remainder(series *s); // what it needs of the first orders
void jd_series_remainder(series *s);
void jd_series_keep_sizes(series *s); // of a step that is taken
// |z^(k)|/k! over a step, where the series have order k + 1.
double jd_series_bound_of(const series *s, int k);
// matrix.c: K of the present states.
void jd_series_matrix_update(series *s);
// rows.c: rows and forces of the series, of one order, of one contact, of all.
void jd_series_forces_of(series *s, int k);
void jd_series_fill_normal(series *s, int a);
void jd_series_fill_slider(series *s, int i);
void jd_series_fill(series *s);
void jd_series_sum_moduli(series *s);
double jd_series_depth(const series *s, int a, int k);           // penetration of order k
void jd_series_end(series *s, double tau, double *q, double *p); // and scratch N, Nr, T
// held.c: list and matrix of held contacts; forces of one order; speeds without rounding.
void jd_series_hold(series *s);
bool jd_series_take_held(series *s); // rows and bounds of a list put in; false: it is another
void jd_series_held_forces(series *s, int k, double f, double *next);
void jd_series_held_speeds(series *s);
// screen.c: when the first change is to be expected, by the first orders alone (1: not within the
// step), and of which slider or n_slider + normal part (-1: none).
double jd_series_expect(series *s, int *item);
// How much forces and rows may change until tau_end, and their rates in tau.
double jd_series_normal_change(const series *s, int a);
double jd_series_normal_rate_change(const series *s, int a);
double jd_series_slider_change(const series *s, int i);
double jd_series_row_change(const series *s, int r); // where they are not whole
double jd_series_row_rate_change(const series *s, int r);
// guards.c: the first change in the present step; looked at first: item.
void jd_series_search(series *s, int item);
double jd_series_power(double x, int n);
// events.c
void jd_series_begin(series *s);                   // states of the contacts at the start
void jd_series_begin_impacts(series *s);           // rigid parts that touch there
int jd_series_slides(const series *s, int slider); // sign by force and speed; 0: it is stuck
void jd_series_change(series *s);                  // what the step found
void jd_series_letters(series *s);
jd_contact_state jd_series_state_of(const series *s, int contact, int cell);
double jd_series_penetration(const series *s, int normal, int side, double *rate);
// step.c
void jd_series_segments(series *s);
void jd_series_find_step(series *s);
void jd_series_go(series *s); // to the end of the step
// observe.c: the motion at tau of the present step.
void jd_series_motion(const series *s, double tau, double *q, double *p);
void jd_series_forces(series *s, double tau, double *N, double *Nr, double *T, double *Tr);
double jd_series_tau(const series *s, double t);
void jd_series_observe(jd_run *run, double t, double *u, double *v);
// Of contact j of the plan, the motion being in scratch.
void jd_series_look_cell(const series *s, int j, double t, double *u, double *v, double *force);
void jd_series_observe_contacts(jd_run *run, double t, double *u, double *v, double *force);
void jd_series_observe_normals(jd_run *run, double t, double *p, double *N);
void jd_series_ranges_step(series *s, double tau, jd_contact_ranges *out);
// field.c: cells of a contact along a span or at several points.
bool jd_series_interface(jd_run *run, int contact, jd_interface_field *out);
bool jd_series_mobilised(jd_run *run, int contact, double *stuck, double *mobilised);
bool jd_series_body(jd_run *run, int body, jd_body_field *out);
void jd_series_count_event(series *s, const jd_event *event);
jd_status jd_series_track(jd_run *run);
jd_status jd_series_ranges(jd_run *run, jd_contact_ranges *out);
// Widens *r by f between `from` and tau; when: of its least and greatest value, NULL: not wanted;
// noise: what rounding has left in f anyway.
void jd_series_extremes(series_curve *f, double from, double tau, double noise, jd_range *r,
                        double *when);
// observers/room.c
void jd_series_room_step(series *s, double from, double tau);
void jd_series_held_room(const jd_run *run, int contact, int i, jd_held_room *out);
bool jd_series_room_slope(jd_run *run, int contact, int i, int k, double *row);
bool jd_series_held_slider(const jd_run *run, int contact, int i, jd_held_slider *out);
int jd_series_held_sliders(const jd_run *run, int contact, int n, const jd_event *event);
// ledger.c
void jd_series_ledger_step(series *s, double tau, double *sums);
double jd_series_energy(const series *s, const double *q, const double *p, const double *N,
                        const double *T, double *kinetic);
void jd_series_ledger_report(series *s, double t, jd_ledger *out);

// snapshot.c
size_t jd_series_state_size(const jd_run *run);
jd_status jd_series_save(jd_run *run, char *to);
jd_status jd_series_load(jd_run *run, const char *from, size_t size);

// tangent.c
jd_status jd_series_tangent_room(series *s, int columns);
void jd_series_tangent_step(series *s, double tau, bool event);
void jd_series_tangent_impact(series *s, int normal, int side);
void jd_series_tangent_event(series *s);
// The guard of a change at tau of the present step, of all columns.
void jd_series_tangent_guard(series *s, const series_change *c, double tau, double *out);
// Value and rate per second of number i of an array of series, at tau.
double jd_series_at(const series_terms *t, const double *c, int stride, int i, double tau,
                    double *rate);
double jd_series_guard(series *s, const series_change *c, double tau, double *rate);

// observers/parameter.c: what a change of the model adds to the columns.
jd_status jd_series_parameter_begin(jd_run *run, const jd_stencil *stencil, const double *start);
jd_status jd_series_parameter_look(jd_run *run, double *out);
const char *jd_series_parameter_broken(const jd_run *run);
void jd_series_parameter_step(series *s, double tau, bool book);
void jd_series_parameter_touch(series *s, int normal, int side);
void jd_series_parameter_strike(series *s, int normal, int side);
void jd_series_parameter_stick(series *s, int slider, int was);

// impact.c
// Normal part a touches at `side`: speeds jump, it leaves or stays closed.
void jd_series_impact(series *s, int a, int side);

int jd_series_strike(series *s, int a, int side);
// rub.c: appends the rigid sliders of the n normal parts in impact.set and finds all impulses P;
// returns how many there are: n where there is no friction, and nothing was done. Not solved:
// jammed.
int jd_series_rub(series *s, int n, bool *solved);
// rest.c: rigid contacts at rest where forces jump.
void jd_series_rest(series *s);

// events.c
void jd_series_open(series *s, int a, bool jumped);
// A rigid slider at rest begins to slide with an acceleration.
void jd_series_slide(series *s, int i, int sign);
void jd_series_close_rigid(series *s, int a, int side);
// Rigid sliders that stuck and were given a speed slide.
void jd_series_slide_again(series *s);
void jd_series_record(series *s, int part, int slider, jd_contact_state from, jd_contact_state to);
// map.c
int jd_series_coordinates(const jd_run *run);
int jd_series_modes(const jd_run *run, double *out);
void jd_series_scales(const jd_run *run, double *out);
jd_status jd_series_restart(jd_run *run, double t, const double *state, const jd_phase *phase);
void jd_series_state(jd_run *run, double *out);
void jd_series_rate(jd_run *run, double *out);
jd_status jd_series_tangent_start(jd_run *run);
void jd_series_tangent(jd_run *run, double *out);
jd_status jd_series_remake(jd_run *run);
jd_status jd_series_horizon(jd_run *run);
void jd_series_horizon_step(series *s);
// series.c
void jd_series_start_energy(series *s);
double jd_series_first_step(const series *s);

#endif
