// exact.h -- the exact engine: phases of closed-form motion joined by certified events.
//   q'' + C q' + Omega^2 q = sum_d b_d F_d(t) + sum_j B_j' lambda_j         free modal coordinates
//   Within a phase some contacts are held (B_j q' = w_j), the rest slide or are open. With the
//   stuck basis q = Q x + S y(t), y the held displacements, the rest x obeys x'' + C^ x' +
//   diag(omega2) x = f(t): one exponential sum per coordinate.
//   plan (constant) -- bases (one per held set, cached) -- state (saved) -- phase (amplitudes and
//   guards, derived from the state) -- event (resolve) -- observers (ledger, ranges, margins,
//   tangent), which are fed phase by phase.
#ifndef JD_ENGINE_EXACT_H
#define JD_ENGINE_EXACT_H

#include "contact/forces.h"
#include "contact/state.h"
#include "engine/exact/bases/basis.h"
#include "engine/exact/lanes.h"
#include "engine/exact/plan.h"

#define SAME_ROW 1e-6 // of a row: less left of it, it is a combination of others (dependent.c)

enum { LEANS = -1 };        // start order of a contact on its limit that others hold (dependent.c)
enum { CHATTER_ORDER = 8 }; // of the Taylor series of flights

static inline double slide_sign(jd_contact_state s) { return jd_contact_sign(s); }

// Rounding of parts that nearly cancel, summed up over phases (cancel.c).
typedef struct lost_digits {
    double place, energy; // [m/s sqrt(kg)], [J]
} lost_digits;

// All that the motion from here on depends on, and what is certified of the motion so far.
typedef struct exact_state {
    double t0;                 // start of the phase [s]
    double *q, *p;             // n: free coordinates and velocities at t0
    jd_contact_state *contact; // m
    int *order;                // m: start order of the contact's guard in this phase
    int *side;                 // m: side of the start (-1, 0, 1)
    double *force;             // m: [N] of contacts at rest when the phase began
    double *slack;             // m: [N] by which a force may pass its limit, where nothing but
                               // rounding says that it does (resolve.c)
    long events, undecided, evaluations, not_unique;
    double margin, chatter_error;
    double loss;           // largest of the bases the motion went through
    lost_digits lost;      // by parts that nearly cancel ...
    lost_digits largest;   // ... and what they are measured by: the largest motion, its energy
    double chatter_speed;  // [m/s] largest speed left out by closing a stop without a bound
    double chatter_motion; // part of the motion that completing chatter left out so far, at most
    double proved;         // [s] up to here the run is certified
    double chatter_until;  // [s] end of the last chatter that was summed up
    long storm;            // events without progress, see exact.c
    double storm_start;    // [s] when the first of them was
} exact_state;

// What the search of a phase adds to, as it was before.
typedef struct counters {
    long undecided, evaluations, not_unique;
    double margin;
    lost_digits lost;
} counters;

// The motion from t0 on in closed form, derived from the state.
typedef struct exact_phase {
    basis *b;
    double *x, *xd;               // nf at t0
    double *y, *w;                // held displacements at t0, their velocities
    double *source, *source_rate; // forces at t0 and their slopes
    double *poly;                 // POWERS x nf: polynomial part of x, with rigid-body motion
    bool drifts;                  // slow poles are in poly (drift.c)
    int degree;                   // highest power in poly that is not zero; -1: poly is zero
    double *re, *im;              // amplitudes at t0
    double *re1, *im1;            // at the end of the phase
    jd_guard *guard;
    int *guard_contact;
    jd_search_result found;
    double t_break;  // next breakpoint of a drive
    counters before; // the phase was started
    bool started;    // amplitudes belong to the phase that begins at t0
    bool pending;    // found holds the next event
} exact_phase;

// Arrays that hold something within one function, or for those it calls.
typedef struct exact_scratch {
    double *re2, *im2, *re3, *im3; // amplitudes at a time that is looked at
    double *xt, *xdt, *qt, *pt;    // state at that time
    double *x1, *xd1;              // coordinates at the end of a phase
    double *acceleration, *jerk;   // n
    double *toward;                // n: what a unit impulse at the chattering contact does
    double *local;                 // (CHATTER_ORDER + 1) x n: Taylor coefficients of q (chatter.c)
    double *vector;                // 4 n + 8
} exact_scratch;

// One event while it is resolved, and the list of changes it leaves.
typedef struct exact_event {
    int *touch;             // m: +1, -1 a stop that touches above or below, 0 not
    bool *rest, *releasing; // m: no relative speed; reached its limit
    bool *kinetic;          // m: lets go of its static limit
    bool *soft;             // m: lands without speed and acceleration on an elastic stop (impact.c)
    jd_contact_state *was;  // m
    double *speed;          // m: of stops that touch, before an impact; then after it
    double *jump; // m: sum |G_ji P_i| of the impulses, what speeds after them are rounded by
    double *shaken, *shaken_rate; // m: sum |B_l| omega_l |q'_l| before the impulses, and with
                                  // omega_l^2: what places, known to rounding of what moved, make
                                  // of accelerations and their rates; 0: no impulse
    bool smooth;     // forces are continuous here: no impulse, no drive that breaks, no drop from
                     // a static limit
    double *stamp;   // m: time written into events (chatter ends later than its first bounce)
    jd_event *queue; // events of one instant, handed out one by one
    int n_queue, next_queue;
    int jam; // a stop that no impulse keeps, -1: none (impact.c)
} exact_event;

// Forces x of a set of contacts within low <= x <= high, accelerations a = G x + b (resolve.c).
typedef struct exact_box {
    int *set;
    double *G, *b, *low, *high, *x, *a, *scratch;
    jd_bound *bound, *tied, *firm;
    bool *flat;                // of the set: a box of no width
    struct tie_series *series; // ties.h
} exact_box;

// Contacts whose rows depend on each other (dependent.c).
typedef struct exact_dependent {
    bool *frozen; // m: at rest by those held; its force is constant
    int n_frozen;
    bool rank_missing; // rows of the contacts at rest depend on each other
    bool *apart;       // m: a set of contacts whose rows were found not to
    bool *spanned;     // 2 m: rows that depend on others (jd_mark_spanned)
    double *rows_left; // m x n: rests of rows
    double *unit;      // m: [N] that forces of dependent contacts are measured in
    bool *had_slack;   // m: slack in the phase before
} exact_dependent;

// Observer: extremes of the contacts; kept is NULL where they were not asked for.
typedef struct exact_ranges {
    jd_contact_ranges *kept, *room; // m
    jd_force_extreme *extreme;      // m: when the forces of stuck contacts were least and greatest
    double begin;                   // [s] since when
} exact_ranges;

// Observer: how close the motion came to other events; nearest is NULL where not asked for.
typedef struct exact_margins {
    double *nearest, *room; // m: smallest margin of each contact since last asked
    double tie;             // that of the last event; HUGE_VAL: it has none
} exact_margins;

// Observer: energies [J].
typedef struct exact_ledger {
    double energy0, damping;
    double *sums; // the four arrays below, one after the other
    double *work, *contact_loss, *impact_loss, *belt_work;
    double *shown, *kept; // copies for reports
    double *moment; // POWERS x nf: int t^m E_k over the phase, E the exponential part of velocity
} exact_ledger;

enum { FLOW_COLUMNS = 64 }; // that go through a phase at a time

// Observer: small changes of the state that travel along.
typedef struct exact_tangent {
    int columns, room; // that travel now; that there is memory for
    double *q, *p;     // n x columns
    double *shift;     // columns: how the last event moved in time
    double *acc_before, *p_before;
    double *lin_x, *lin_xd, *lin_q, *lin_p, *lin_y, *lin_w, *lin_poly, *lin_re, *lin_im;
    double *flow;    // (4 + 2 m) n: how coordinates of a phase travel (flow.c)
    double *wide;    // (2 n + m) x FLOW_COLUMNS: columns in coordinates of the phase
    double *slope;   // 2 n: of the function that crossed, by q and by q'
    int *hit, n_hit; // stops hit at the last event
} exact_tangent;

struct exact {
    jd_run *run;
    jd_arena *arena;
    exact_plan plan;
    exact_bases bases;
    exact_state state;
    exact_phase phase;
    exact_scratch scratch;
    exact_event event;
    exact_box box;
    exact_dependent dependent;
    exact_ranges ranges;
    exact_margins margins;
    exact_ledger ledger;
    exact_tangent tangent;
    jd_horizon horizon;
};

// guards.c: what contact j watches in this phase; the guards of all
functional *jd_guarded(const exact *e, int j);
jd_status jd_guards_set(exact *e);
// phase.c
jd_status jd_phase_start(exact *e); // from the state
void jd_phase_search(exact *e);     // fills found
// Coordinates from amplitudes at time t since t0, and free coordinates from those.
void jd_phase_state(const exact *e, double t, const double *re, const double *im, double *x,
                    double *xd);
void jd_phase_full(const exact *e, double t, const double *x, const double *xd, double *q,
                   double *p);
// Amplitudes in a coupled basis of what the polynomial and the drives do not account for, and back;
// x and xd are added to.
void jd_coupled_amplitudes(exact *e, const double *x, const double *xd);
void jd_coupled_state(const exact *e, const double *re, const double *im, double *x, double *xd);
// The same phase for a small change of the state: no loads. Fills x, y, poly, re, im.
void jd_phase_linear(exact *e);
void jd_phase_unloaded(exact *e); // the same from x, xd and y at hand: fills poly, re, im
// kinetics.c
#define ROUNDING 1e-13 // of the sum of absolute terms: below it a value is zero
double jd_dot_size(int n, const double *a, const double *b); // sum of |a_k b_k|
void jd_acceleration(exact *e,
                     double t); // scratch.acceleration: without the forces of contacts at rest
void jd_acceleration_rate(exact *e, double t); // scratch.jerk, from it
// Sum of the absolute terms that row_j acc consists of.
double jd_acceleration_size(const exact *e, int j, double t);
double jd_relative_speed(const exact *e, int j);
double jd_speed_at(const exact *e, int j,
                   bool *rests); // jd_relative_speed; no more than rounding: rests
bool jd_at_rest(const exact *e, int j);
void jd_restrict_coupling(exact *e, int n); // box.G = G over box.set
void jd_springs_and_dampers(const exact *e, const double *q, const double *p, double *out);
// impact.c
bool jd_impacts(exact *e, double t); // true: speeds jumped
void jd_after_impacts(exact *e, double t);
// chatter.c: sums up the bounces of contact j that follow one of speed v; their time [s], or -1:
// they are not short enough yet, nothing changed
double jd_chatter(exact *e, int j, double t, double v);
// resolve.c: new contact states and start orders at time t, from q, p, the states before, touch,
// rest, releasing
jd_status jd_exact_resolve(exact *e, double t);
// Which contacts at rest lean on the others, in a state put in from outside; no contact state
// changes.
jd_status jd_split_forces(exact *e, double t);
void jd_record(exact *e, double t, int j, jd_contact_state from, jd_contact_state to, double speed,
               double impulse);
// exact.c
void jd_exact_segments(exact *e, double t); // drives' segments that hold just after t
// shoot.c
int jd_exact_coordinates(const jd_run *run);
void jd_exact_scales(const jd_run *run, double *out);
jd_status jd_exact_restart(jd_run *run, double t, const double *state, const jd_phase *phase);
void jd_exact_state(jd_run *run, double *out);
void jd_exact_rate(jd_run *run, double *out);
jd_status jd_exact_tangent_start(jd_run *run);
void jd_exact_tangent(jd_run *run, double *out);
jd_status jd_exact_unwatch(jd_run *run, unsigned long long stops);
// tangent.c
jd_status jd_tangent_start(exact *e, int columns);
void jd_tangent_phase(exact *e, double t);
void jd_column_take(const exact *e, const double *from, int column, double *to); // of q or p
void jd_column_put(const exact *e, const double *from, int column, double *to);
exact jd_tangent_copy(exact *e, double *q, double *p); // its state and loads are a small change's
// flow.c: all columns through the phase at once, where its coordinates do not act on each other
bool jd_flow_applies(const exact *e);
void jd_flow_phase(exact *e, double t);
void jd_tangent_before(exact *e, double t);
void jd_tangent_event(exact *e, int j, jd_contact_state was);
jd_status jd_horizon_start(exact *e);
void jd_horizon_step(exact *e);
// ranges.c: takes the phase, up to a time since t0, into the extremes
jd_status jd_ranges_phase(exact *e, double end, jd_contact_ranges *out);
jd_status jd_exact_track(jd_run *run);
jd_status jd_exact_ranges(jd_run *run, jd_contact_ranges *out);
// shoot.c: the force of a contact that is stuck now, by the state
void jd_held_gradient(const exact *e, const double *g, double *out);
bool jd_exact_held_force(jd_run *run, int contact, jd_force_extreme *when, double *gradient);
// shoot.c: the time of the last event, by the state at the start of the tangent
void jd_exact_event_shift(jd_run *run, double *out);
// margins.c: how close the motion came to other events
jd_status jd_margins_phase(exact *e, double end);
void jd_margins_tie(exact *e, int i, int n);
jd_status jd_exact_margin_start(jd_run *run);
jd_status jd_exact_margins(jd_run *run, bool partial, double *out);
// snapshot.c
size_t jd_exact_state_size(const jd_run *run);
jd_status jd_exact_save(jd_run *run, char *to);
jd_status jd_exact_load(jd_run *run, const char *from, size_t size);
// initial.c: q, p at time 0
jd_status jd_exact_initial(exact *e);

#endif
