// closure.h -- the inside of the closure engine.
//   A phase has unknowns x:  slip and smooth (y, kappa), stuck (y, kappa, lambda), slide (y) --
//   the last is Filippov's motion along the surface when L+ = 0. kappa is left out where sigma or
//   L+ is 0. The engine's state as others see it is X = (y, kappa, lambda), see closure_pack.
#ifndef JD_ENGINE_CLOSURE_CLOSURE_H
#define JD_ENGINE_CLOSURE_CLOSURE_H

#include "drive/segment.h"
#include "engine/closure/radau.h"
#include "engine/engine.h"
#include "kernel/continua/string_memory.h"
#include "structure/piecewise/pws.h"

typedef enum phase { SMOOTH, PLUS, MINUS, STUCK, SLIDE } phase;
enum { GUARDS = 3, RING = 256, LOOKS = 16, NOTE = 200 };

typedef struct drive {
    const jd_object *object;
    double omega;
    int push;             // JD_PUSH_LAMBDA, or the equation it enters
    const double *column; // reduced structures: participation of the kept modes
    const double *felt;   // row of n + 2: velocity it works on; NULL: the model does not say
} drive;

typedef struct probe {
    const double *u, *v; // rows of n + 2
    bool rate;
} probe;

// Constant from create on (drives and law: until the next replan).
typedef struct closure_plan {
    jd_pws pws;  // the model
    int n;       // numbers in y
    bool wave;   // L+ is not zero
    bool memory; // kappa is a state
    int m;       // contacts: 0 or 1
    int n_drive;
    drive *drive;
    jd_string_memory past; // of a string that remembers all of its force
    double tolerance;      // of the polynomial of a step, relative to the sizes met
    long budget;           // events allowed
    int n_probe;
    probe *probe;
} closure_plan;

// What the motion goes on from: saved and loaded (snapshot.c), with the newest of the past steps.
typedef struct closure_state {
    phase phase;
    int nx;             // unknowns of the phase
    double t;           // start of the present step
    double *x;          // unknowns there
    double *scale;      // n + 2: largest sizes so far
    radau_step step;    // the present step
    bool pending;       // it is computed and not yet left behind
    bool lands;         // it ends at an event
    int guard;          // which one
    bool fresh[GUARDS]; // the guard was zero at the beginning of the phase
    double h;           // next step to try
    double step_error;  // estimate for the polynomial of the present step
    double newton_rest; // what Newton's method left in it, relative to the sizes met
    bool restarted;     // no step before this one to continue from
    double sign;        // of lambda- - lambda+ when stuck
    double denominator; // sign of 1 - dlambda.L+ at the start of a slip
    double attraction;  // largest of a slide so far, see jd_closure_attraction
    bool ever;          // the force has acted for ever, not from t = 0 on
    long storm;         // events in a row without time passing
} closure_state;

// Steps of this phase that are left behind; the newest is the one before `next`.
typedef struct closure_past {
    radau_step step[RING];
    int n, next;
} closure_past;

// Segments of the drives that hold just after the state's time, and where the first of them ends.
typedef struct closure_segments {
    jd_drive_segment *of; // n_drive
    double end;           // [s]
} closure_segments;

// Arrays of n + 2 numbers, none of which is kept from one call to the next.
typedef struct closure_scratch {
    double *r, *linf, *lplus, *F;        // terms of the equations (field.c)
    double *grad_h, *grad_lambda;        // gradients of h and lambda
    double *beside;                      // y moved a little, for differences
    double *rate;                        // of the unknowns of the phase
    double *inside, *end_rate, *earlier; // unknowns inside a step; rate at its end; just before it
    double *entry;                       // X that the next phase begins with
    double *x_before, *f_before;         // unknowns and their rate just before an event
    double *x_seen, *X_seen, *rate_seen; // unknowns, X and its rate at a time that is looked at
    double *salt_h, *salt_lambda;        // gradients of h and lambda at an event
    double *f_after;                     // rate just after an event
    double *X_ledger;                    // X at a node of a step
    double *jump_slope, *jump_sum, *jump_trial, *jump_last, *jump_end; // inside a jump (jump.c)
    double *jump_x, *jump_column; // end of a jump beside it; column of its derivative
} closure_scratch;

// Observer: what the run may be off by (error.c).
typedef struct closure_error {
    bool on;             // off while it serves as a map of states
    bool lost;           // the error has reached the size of the motion
    bool ahead;          // `next` holds the end of the present step
    double *B, *next;    // ellipsoid of the error, (unknowns)^2, now and at the end of the step
    double *turned;      // (n + 2)^2: transposed product
    double *rhs;         // RADAU_STAGES (n + 2)
    double *change;      // of the start, carried along at unit size (horizon)
    double *next_change; // at the end of the step
    double *event_error; // of the state, by the rounding of an event's time
    double inside;       // largest error of a polynomial so far, of the sizes met
    double worst;        // largest error so far, of the sizes met
    double digits_until; // [s] when it passed 1e-6
    jd_horizon horizon;
} closure_error;

// Observer: derivative of the present state with respect to that at tangent_start (tangent.c).
typedef struct closure_tangent {
    int n;            // columns; 0: none asked for
    double *P, *next; // (n + 2) x (n + 2) row-major; after an event
    double *rhs;      // RADAU_STAGES (n + 2)
} closure_tangent;

// Observer: extremes of the contact (ranges.c).
typedef struct closure_ranges {
    bool on;
    double until; // they are known up to this time
    jd_contact_ranges of;
} closure_ranges;

// Observer: energy ledger (ledger.c).
typedef struct closure_ledger {
    bool on;               // the model has an energy
    double start, damping; // energy at the start; lost in damping since [J]
    double *sums;          // drives, then per contact friction, belt, impacts [J]
    double *shown;         // the same up to the time of a report
} closure_ledger;

typedef struct closure_count {
    long events, evaluations, steps;
} closure_count;

typedef struct closure {
    jd_run *run;
    jd_arena *arena;
    closure_plan plan;
    closure_state state;
    closure_past past;
    closure_segments segments;
    closure_scratch scratch;
    radau solver, aside; // aside: for states inside a step, and linearised steps
    radau_step part;     // the present step up to a time inside it
    closure_error error;
    closure_tangent tangent;
    closure_ranges ranges;
    closure_ledger ledger;
    closure_count count;
    bool broken;  // a rate was not finite
    double bad_t; // when [s]
    char note[NOTE];
} closure;

// field.c
int jd_phase_size(const closure *e, phase p);
bool jd_closure_rate(void *engine, double t, const double *x, double *out); // of e->phase
// X = (y, kappa, lambda) of x, and its rate.
void jd_closure_full(closure *e, double t, const double *x, double *X);
bool jd_closure_full_rate(closure *e, double t, const double *x, double *out);
void jd_closure_drive_value(const closure *e, int d, double t, double *force, double *rate);
void jd_closure_push(const closure *e, double t, double *force, double *rate);
void jd_closure_gradient_h(const closure *e, const double *y, double *out);
void jd_closure_gradient_lambda(const closure *e, int side, const double *y, double *out);
double jd_closure_sliding_lambda(closure *e, double t, const double *y); // Filippov's
double jd_closure_attraction(closure *e, const double *y); // h' below minus h' above the surface
void jd_closure_segments(closure *e, double t);

// guards.c
double jd_closure_guard(closure *e, int k, double t, const double *x); // > 0 while the phase lasts
// First time in the step at which a guard falls below 0; shortens the step to end there.
jd_status jd_closure_find_event(closure *e);

// events.c: what comes after the event the step ended with. stop: the run ends here.
jd_status jd_closure_event(closure *e, bool *event);
void jd_closure_enter(closure *e, phase p, const double *X, int zero_guard);
// Phase at a state: by the sign of h, on the surface by what the speeds on both sides say.
jd_status jd_closure_first_phase(closure *e, double *X, bool lambda_given);
jd_contact_state jd_closure_contact_state(phase p);

// jump.c: the drives' next segments, at their breakpoint; what the force's jump does to the motion
jd_status jd_closure_break(closure *e, bool *event);
// steps.c
void jd_closure_forget_sizes(closure *e); // the scale of a motion that has just begun
jd_status jd_closure_step(closure *e);    // computes e->step
void jd_closure_leave_step(closure *e);   // the present step becomes past
jd_status jd_closure_inside(closure *e, double t, double *x,
                            double *P);              // exact x (and P) inside it
void jd_closure_at(closure *e, double t, double *x); // x by the polynomial, of this phase

// tangent.c
jd_status jd_closure_carry(closure *e, const radau_step *step, double *P);
// An event as the derivative sees it: the phase before, state and rate just before it, the side
// whose bound or surface was met, g.f-.
typedef struct closure_saltation {
    phase before;
    const double *x0, *f0;
    int side;
    double speed;
} closure_saltation;
// After the new phase was entered, and before the other two: fills speed and returns it.
double jd_closure_saltation_open(closure *e, closure_saltation *s);
double jd_closure_saltation_jump(const closure *e, const closure_saltation *s,
                                 int i); // (f+ - R f-)_i
// S P of m columns (row-major).
void jd_closure_saltation_columns(const closure *e, const closure_saltation *s, int m,
                                  const double *P, double *out);

// error.c
jd_status jd_closure_error_open(closure *e);
void jd_closure_error_start(closure *e); // forgets: the present state is exact
void jd_closure_error_step(closure *e);  // the present step is about to be left behind
void jd_closure_error_event(closure *e,
                            const closure_saltation *s); // after jd_closure_saltation_open
void jd_closure_error_report(closure *e, jd_report *out);
jd_status jd_closure_horizon(jd_run *run);

// ranges.c
jd_status jd_closure_track(jd_run *run);
jd_status jd_closure_ranges(jd_run *run, jd_contact_ranges *out);
void jd_closure_track_to(closure *e, double t);
void jd_closure_contact(closure *e, double t, double *u, double *v, double *force);

// shoot.c
int jd_closure_coordinates(const jd_run *run);
void jd_closure_scales(const jd_run *run, double *out);
jd_status jd_closure_restart(jd_run *run, double t, const double *state, const jd_phase *phase);
void jd_closure_state(jd_run *run, double *out);
void jd_closure_state_rate(jd_run *run, double *out);
jd_status jd_closure_tangent_start(jd_run *run);
void jd_closure_tangent(jd_run *run, double *out);
jd_status jd_closure_replan(jd_run *run);
// snapshot.c
size_t jd_closure_state_size(const jd_run *run);
jd_status jd_closure_save(jd_run *run, char *to);
jd_status jd_closure_load(jd_run *run, const char *from, size_t size);

// plan.c
const char *jd_closure_refuses(const jd_problem *problem);
jd_status jd_closure_plan(closure *e);
jd_status jd_closure_plan_drives(closure *e);
jd_status jd_closure_initial(closure *e, double *X, bool *lambda_given);
// ledger.c
jd_status jd_closure_ledger_open(closure *e);
void jd_closure_ledger_begin(closure *e);
void jd_closure_ledger_step(closure *e);
void jd_closure_ledger_report(closure *e, jd_ledger *out);
// past.c
jd_status jd_closure_plan_past(closure *e);
double jd_closure_past(const closure *e, double t, const double *y);
// reduce.c: a structure with modes and one friction contact as a model of its lowest modes.
jd_status jd_closure_reduce(closure *e);

#endif
