// exact.h -- the exact engine: phases of closed-form motion joined by certified events.
//   q'' + C q' + Omega^2 q = sum_d b_d F_d(t) + sum_j B_j' lambda_j         free modal coordinates
//   q Within a phase some contacts are held (B_j q' = w_j), the rest slide or are open. With the
//   stuck basis q = Q x + S y(t), y the held displacements, the rest x obeys x'' + C^ x' +
//   diag(omega2) x = f(t): one exponential sum per coordinate. plan (constant) -- basis (one per
//   held set, cached) -- phase (amplitudes, guards) -- event (resolve).
#ifndef JD_ENGINE_EXACT_H
#define JD_ENGINE_EXACT_H

#include "contact/forces.h"
#include "drive/segment.h"
#include "engine/engine.h"
#include "engine/exact/kernels.h"
#include "judder/expsum.h"

// Discrete state of a contact.
typedef enum mark { HELD, PLUS, MINUS, OPEN, UPPER, LOWER } mark;

#define SAME_ROW 1e-6 // of a row: less left of it, it is a combination of others (dependent.c)

enum { MANY_CONTACTS = 6 }; // with fewer there are few states, and each is cheap

enum { LEANS = -1 }; // start order of a contact on its limit that others hold (dependent.c)

static inline char mark_letter(mark m) { return "H+-o||"[m]; }
static inline bool is_held(mark m) { return m == HELD || m == UPPER || m == LOWER; }
static inline double slide_sign(mark m) { return m == PLUS ? 1 : m == MINUS ? -1 : 0; }

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

// How a coordinate x_k moves by itself.
typedef enum motion {
    OSCILLATING, // one complex pole
    OVERDAMPED,  // two real poles; also a rigid-body mode with damping (0 and -c)
    PAIRED,      // near critical damping: a pair block
    RESONANT,    // undamped or nearly, driven near its frequency: a pair block with the drive
    RIGID        // x0 + v0 t
} motion;

enum { CHATTER_ORDER = 8 };                 // of the Taylor series of flights
enum { CONST_DEGREE = 3, RAMP_DEGREE = 4 }; // coefficients of responses to a constant and to a ramp
enum { POWERS = JD_POLYNOMIAL };            // of the polynomial part of a motion (drift.c: all)

// A linear functional of the motion: g = a'x + b'x' + hold'y + hold_rate'w + direct forces.
typedef struct functional {
    double *a, *b;     // nf
    bool moves;        // a is not zero
    double *hold;      // ms: factor of each held displacement y_i(t)
    double *hold_rate; // ms: factor of its velocity w_i
    double *on_drive;  // direct factor of each drive force, or NULL
    double *on_force;  // direct factor of each contact's constant force, or NULL
    jd_watch *watch;
    jd_watch *rate;    // of its derivative; made when first needed
    jd_watch **lifted; // of its derivatives up to HIGHEST_ORDER (ties.h), or NULL
} functional;

// Weights that turn products of amplitudes into integrals over phases (ledger.c). The products,
// end of the phase minus start, are summed up slot by slot; the weights come in at the report.
typedef struct harmonic_sums { // of one drive d: sum_p plus_p [z_p z_d] + minus_p [z_p conj(z_d)]
    jd_complex *work_plus, *work_minus; // slots: int F_d v_d
    jd_complex *damp_plus, *damp_minus; // slots: drive against free motion in int q' C q'
    jd_complex *steady;      // n_drive: weight of int z_e conj(z_d), (almost) one frequency: work
    jd_complex *damp_steady; // n_drive: damping
    double *product;         // 4 x slots: [z z_d], [z conj z_d] so far
    double *time;            // 2 x n_drive: int z_e conj(z_d) so far
} harmonic_sums;
typedef struct slow_product { // weight int z_p conj(z_q), slots p and q, rate = s_p + conj(s_q)
    int p, q;
    jd_complex weight, rate;
} slow_product;
typedef struct quadratic_sums { // of one quadratic form: sum_pq plus_pq [z_p z_q] + minus_pq [z_p
                                // conj(z_q)]
    jd_complex *plus, *minus;   // slots x slots
    slow_product *slow;         // products that hardly rotate
    int n_slow;
} quadratic_sums;

// How large a part of the motion of unit amplitude is (cancel.c), both [m/s sqrt(kg)].
typedef struct part_size {
    double place, speed;
} part_size;

#define NEAR_RESONANCE 0.02 // |s - i Omega|/Omega: closer, a drive and a pole are one block

typedef struct resonance { // forced motion of a coupled pole by a drive beside it (resonance.c)
    int pole, drive, pair;
    jd_complex g; // z' = s z + g z_d
} resonance;
static inline int resonance_room(int nf) { return nf + 4; }

// Part of a coordinate in the slow motion of damped rigid-body coordinates (drift.c).
typedef enum drift_role {
    APART,   // none
    DRIFTS,  // free, weakly damped
    FOLLOWS, // has a spring
    CREEPS   // free, strongly damped
} drift_role;

// Everything that depends on which contacts are held, not on signs, loads or state.
typedef struct basis {
    struct basis *next;
    char *key;              // m letters: h held, d sliding with slope, - else; ended by 0
    int nf, ms;             // coordinates, held contacts
    int *held;              // ms contact numbers
    bool unique;            // held rows independent
    struct jd_stuck *stuck; // to make other bases from; NULL: not kept
    double loss;            // coupled: part of the motion that its parts do not add up to; else 0
    double *Q, *QT;         // n x nf and its transpose (NULL: identity)
    double *S, *QtS;        // n x ms, nf x ms
    double *Ghh_inv_B;      // ms x n: lambda = Ghh_inv_B (Omega^2 q + C q' - f)
    double *omega2, *c;     // nf
    double *C;              // nf x nf when damping couples, else NULL
    double *C0;       // nf x nf: the structure's share of C; NULL: all of c is the structure's
    double shift;     // of the static shapes [1/s^2]
    motion *kind;     // nf; coupled bases have OSCILLATING, RIGID, and RESONANT where alone
    bool *alone;      // nf, coupled: oscillates by itself, no damping couples it
    int *first;       // nf: index of the coordinate's pole or pair in the exp basis
    int *partner;     // nf: drive of a RESONANT coordinate
    jd_complex *pole; // n_pole
    jd_complex *right, *left; // coupled: n_pole x nf: x = Re sum right z; z = left'((s + C)x + x')
    double *pair_right;       // coupled: n_pair x 2 x nf: x += right_p p + right_q q
    double *pair_left;        // (p, q) = left (C x + x') + T left x, T the block's matrix
    int n_pole, n_pair, n_rigid;
    int n_own, n_own_pair; // coupled: poles without the drives', pairs
    jd_pole_pair *pair;
    // damped rigid-body coordinates as powers of t (drift.c); n_drift = 0: not possible
    int n_block;
    resonance *block;
    jd_complex *weight;               // nf: scratch
    int n_drift, *drift;              // their numbers
    drift_role *role;                 // nf
    double reach;                     // [s] as far as the powers are right
    double *drift_const, *drift_ramp; // n_source x POWERS x nf: responses from rest
    double *drift_home;               // n_drift x POWERS x nf: motion with unit velocity
    double *drift_x, *drift_g;        // 2 n_drift x nf: (place, velocity) of a state x, C x + x'
    bool *slow;                       // n_pole: the poles 0 and -gamma that they stand for
    part_size *part;                  // n_pole, then 2 of each of the n_own_pair pairs
    jd_expbasis *exp;
    int slots;
    jd_complex *X;   // n_drive x nf: x = Re(X z_d)
    double *Xr, *Xi; // the same, apart
    int *slot;       // nf: slot of an OSCILLATING coordinate's pole
    int *drive_slot; // n_drive
    double *a, *w;   // nf: s = a + i w of OSCILLATING coordinates
    bool plain;      // decoupled, all OSCILLATING, slots in the order of coordinates ...
    int n_stretch,
        *stretch;       // ... but for the drives: coordinates stretch[i] .. stretch[i+1]-1 in a row
    bool grows;         // some pole has a positive real part
    int *powers;        // n_source: responses to a constant reach below t^powers; 0: no response
    double *pull;       // ms x nf: -Q'C S of the structure's damping alone
    double *force;      // n_source x nf: Q' of each source's force
    double *at_const;   // n_source x CONST_DEGREE x nf: response to a unit constant, by power of t
    double *at_ramp;    // n_source x RAMP_DEGREE x nf
    functional *u, *v;  // per contact: relative displacement and velocity
    functional *lambda; // per held contact (index in held)
    functional *u_probe, *v_probe;
    functional *u_drive, *v_drive;
    harmonic_sums *harmonic; // n_drive
    jd_complex *own;         // slots: decoupled damping, Re(own z^2) ...
    double *own_size;        // ... + own_size |z|^2 ...
    double *own_next;        // ... + own_next z_p z_twin, the two poles of an overdamped coordinate
    int *twin;               // slots: slot of that other pole, -1
    int n_twin;
    int n_apart;            // damped coordinates that are in no table (damps_apart)
    double *square;         // 3 x slots: [z^2], [|z|^2] so far
    bool lossless;          // no coordinate is damped: nothing to sum up
    double *damp_const;     // nf: c, for constant velocities; structure's share
    quadratic_sums coupled; // coupled damping
    quadratic_sums *slope;  // m: int v^2 of contacts that slide with a slope
} basis;

// What the search of a phase adds to, as it was before.
// Rounding of parts that nearly cancel, summed up over phases (cancel.c).
typedef struct lost_digits {
    double place, energy; // [m/s sqrt(kg)], [J]
} lost_digits;

typedef struct counters {
    long undecided, evaluations, not_unique;
    double margin;
    lost_digits lost;
} counters;

// Sources of constant and ramp forces: contacts 0..m-1, drives m..m+n_drive-1, then per held
// contact the shift force and the damping force of its moving shape.
typedef struct exact {
    jd_run *run;
    jd_arena *arena;
    jd_arena *stuck; // the bases
    jd_arena *tuned; // what depends on the drives' frequencies
    jd_arena_mark stuck_start, tuned_start;
    size_t stuck_back, tuned_back; // bytes of each that were taken and are free again
    const jd_system *system;
    int n, m, n_drive, n_probe;
    contact *contact;
    drive *drive;
    const double **probe;   // rows
    double *omega2, *c, *C; // free system; C (n x n) or NULL
    double *G;              // m x m = B B'
    double scale_time;      // [s] of the slowest motion: anchors are renewed after a multiple of it
    double quick_time;      // [s] of the fastest motion
    double rate_max;        // [1/s] bound of all poles and of the drives' frequencies
    bool belts;             // some counterpart moves
    basis *bases;
    char *key; // scratch for a basis key
    int n_basis;
    long budget;

    // the state: everything a restart needs
    double t0;     // start of the phase
    double *q, *p; // n: free coordinates and velocities at t0
    mark *marks;   // m
    int *order;    // m: start order of the contact's guard in this phase
    int *side;     // m: side of the start (-1, 0, 1)
    double *force; // m: [N] of contacts at rest when the phase began
    double *slack; // m: [N] by which a force may pass its limit, where nothing but rounding says
                   // that it does (resolve.c)
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

    // the phase, derived from the state
    basis *b;
    double *x, *xd;                // nf at t0
    double *y, *w;                 // held displacements at t0, their velocities
    double *source, *source_rate;  // forces at t0 and their slopes
    double *poly;                  // POWERS x nf: polynomial part of x, with rigid-body motion
    bool drifts;                   // slow poles are in poly (drift.c)
    int degree;                    // highest power in poly that is not zero; -1: poly is zero
    double *re, *im, *re1, *im1;   // amplitudes at t0 and at the end of the phase
    double *re2, *im2, *re3, *im3; // for looking and reporting
    jd_guard *guard;
    int *guard_contact;
    jd_search_result found;
    double t_break;             // next breakpoint of a drive
    counters before;            // the phase was started
    bool started;               // amplitudes belong to the phase that begins at t0
    bool pending;               // found holds the next event
    double *xt, *xdt, *qt, *pt; // at the time looked at
    double *acc, *jerk;         // n
    double *toward;             // n: what a unit impulse at the chattering contact does
    double *local;              // (CHATTER_ORDER + 1) x n: Taylor coefficients of q (chatter.c)
    double *scratch;
    // resolving an event
    int *touch;             // m: +1, -1 a stop that touches above or below, 0 not
    bool *rest, *releasing; // m: no relative speed; reached its limit
    bool *kinetic;          // m: lets go of its static limit
    bool *frozen;           // m: at rest by those held (dependent.c); its force is constant
    int n_frozen;
    bool rank_missing;     // rows of the contacts at rest depend on each other
    bool nearly_dependent; // contacts, or their split decides: the run is not certified
    bool *apart;           // m: a set of contacts whose rows were found not to
    bool *spanned;         // 2 m: rows that depend on others (jd_mark_spanned)
    double *rows_left;     // m x n: rests of rows
    double *unit;          // m: [N] that forces of dependent contacts are measured in
    bool *had_slack;       // m: slack in the phase before
    bool *soft;            // m: lands without speed and acceleration on an elastic stop (impact.c)
    mark *was;             // m
    double *speed;         // m: of stops that touch, before an impact; then after it
    double *jump; // m: sum |G_ji P_i| of the impulses, what speeds after them are rounded by
    double *shaken, *shaken_rate; // m: sum |B_l| omega_l |q'_l| before the impulses, and with
                                  // omega_l^2: what places, known to rounding of what moved, make
                                  // of accelerations and their rates; 0: no impulse
    bool smooth;   // forces are continuous here: no impulse, no drive that breaks, no drop
                   // from a static limit
    double *stamp; // m: time written into events (chatter ends later than its first bounce)
    int *fset;     // contacts in the box problem
    double *fG, *fb, *flow, *fhigh, *fx, *fa, *fscratch;
    jd_bound *fbound, *tied, *firm;
    bool *flat;                // of the set: a box of no width
    struct tie_series *series; // ties.h
    jd_event *queue;           // events of one instant, handed out one by one
    int n_queue, next_queue;
    int jam; // a stop that no impulse keeps, -1: none (impact.c)

    // extremes; NULL: not asked for
    jd_contact_ranges *ranges, *range_room; // m
    double range_from;                      // since when

    // margins; NULL: not asked for
    double *nearest, *nearest_room; // m: smallest margin of each contact since last asked
    double tie;                     // that of the last event; HUGE_VAL: it has none

    unsigned long long unwatched; // bit j: stop j is passed through (shoot.c)

    // ledger
    double energy0, damping;
    double *sums; // the four arrays below, one after the other
    double *work, *contact_loss, *impact_loss, *belt_work;
    double *shown, *kept; // copies for reports
    double *moment; // POWERS x nf: int t^m E_k over the phase, E the exponential part of velocity
    double *x1, *xd1;

    // small changes of the state that travel along
    int n_tangent, tangent_room; // columns that travel now; that there is memory for
    double *tq, *tp;             // n_tangent columns of n
    double *acc_before, *p_before;
    double *lin_x, *lin_xd, *lin_q, *lin_p, *lin_y, *lin_w, *lin_poly, *lin_re, *lin_im;
    int *hit, n_hit; // stops hit at the last event
    jd_horizon horizon;
} exact;

static inline jd_complex times(jd_complex a, jd_complex b) {
    return (jd_complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static inline jd_complex over(jd_complex a, jd_complex b) {
    double d = b.re * b.re + b.im * b.im;
    return (jd_complex){(a.re * b.re + a.im * b.im) / d, (a.im * b.re - a.re * b.im) / d};
}

static inline jd_complex conjugate(jd_complex a) { return (jd_complex){a.re, -a.im}; }

// Simple poles of a decoupled coordinate.
static inline int poles_of_kind(motion kind) {
    return kind == OSCILLATING ? 1 : kind == OVERDAMPED ? 2 : 0;
}

// Is the loss of a decoupled coordinate integrated phase by phase: it moves in a block, or friction
// takes part in its damping (which may then vanish)?
static inline bool damps_apart(const basis *b, int k) {
    return b->C0 || b->kind[k] == PAIRED || b->kind[k] == RESONANT;
}

// plan.c
jd_status jd_exact_plan(exact *e);
void jd_plan_laws(exact *e);
void jd_plan_drives(exact *e);
void jd_plan_scale(exact *e);
void jd_plan_rate(exact *e);
// basis.c: the basis of the present marks, from the cache or made
jd_status jd_exact_basis(exact *e);
// How far coordinate k moves contact j; rounding of the sum is 0.
double jd_basis_row(const exact *e, const basis *b, int j, int k);
// held.c: which contacts a basis holds, its modes; the forces that hold them
jd_status jd_basis_hold(exact *e, basis *b);
jd_status jd_basis_reactions(exact *e, basis *b);
// responses.c: to all sources of force; to the harmonic part of drive d, with X zeroed before
jd_status jd_basis_responses(exact *e, basis *b);
void jd_basis_harmonic_response(const exact *e, basis *b, int d);
// coupled.c: rigid-body coordinates apart in b->C, b->C0; then poles with right and left vectors,
// so that z = left' ((s + C) x + x')
jd_status jd_coupled_rigid(exact *e, basis *b);
jd_status jd_coupled_poles(exact *e, basis *b);
// Coordinates that oscillate by themselves: a pole, or a block with the drive close to it.
void jd_coupled_alone(const exact *e, basis *b);
// coupled_pair.c: a pair block for the two poles near the real number `at` of the n coordinates
// `in`; no other pole is closer than `alone`
jd_status jd_coupled_pair(exact *e, basis *b, int n, const int *in, double at, double alone);
// What the coupled poles and blocks make of unit states, against those states: b->loss.
void jd_coupled_check(exact *e, basis *b);
// cancel.c: sizes of the parts of a motion (again that of drive d, which has moved); books what
// this phase loses; the error to be stated, relative to the largest motion or its energy
jd_status jd_cancel_sizes(exact *e, basis *b);
void jd_cancel_drive_size(const exact *e, basis *b, int d);
jd_status jd_cancel_phase(exact *e);
double jd_cancel_error(const exact *e);
// Do the slow poles of damped rigid-body coordinates lose more than rounding?
bool jd_cancel_slow(exact *e);
// New drive frequencies in place; false: it has to be tuned anew.
bool jd_basis_retune(exact *e, basis *b);
// poles.c: poles of a basis whose damping is the vector c: each coordinate is of one kind of
// motion
jd_status jd_basis_poles_decoupled(exact *e, basis *b);
// The block of a coordinate with pole a + i w and drive d close to it.
jd_pole_pair jd_resonant_pair(const exact *e, double a, double w, int d);
// The drive that is close to resonance with the pole a + i w, or -1; several: of different
// frequencies.
int jd_basis_resonant_drive(const exact *e, double a, double w);
bool jd_basis_several_drives(const exact *e, double a, double w);
// Could there be several beside one pole?
bool jd_basis_drives_beat(const exact *e);
// observers.c: of drives and probes, with few contacts of these too; those that the present phase
// needs: displacement of contact j, its velocity, what its guard watches
jd_status jd_observers_take(exact *e, basis *b);
jd_status jd_observe_place(exact *e, int j);
jd_status jd_observe_speed(exact *e, int j);
jd_status jd_observe_guarded(exact *e, int j);
// The drive d has moved.
void jd_observers_retune(exact *e, basis *b, int d);
// functional.c
jd_status jd_functional_row(exact *e, basis *b, const double *row, bool velocity, functional *f);
// Weights of a functional over the simple poles, drives included; n_pole entries, zeroed before.
void jd_functional_weights(const exact *e, const basis *b, const functional *f, jd_complex *weight);
// Weights over p and q of pair i of a coupled basis.
void jd_functional_pair_weights(const basis *b, const functional *f, int i, double weight[2]);
// The watches of f and its derivatives up to order k < HIGHEST_ORDER, in f->lifted.
jd_status jd_functional_lift(exact *e, functional *f, int k);
// The drive has moved: its weight.
void jd_functional_retune(const exact *e, const basis *b, functional *f, int d);
jd_status jd_functional_force(exact *e, basis *b, int held, functional *f);
double jd_functional_value(const exact *e, const functional *f, const double *re, const double *im,
                           double t); // t since t0, amplitudes at t
// Polynomial part of a functional since t0; returns the degree.
int jd_functional_polynomial(const exact *e, const functional *f, double out[POWERS]);
// guards.c: what contact j watches in this phase; the guards of all
functional *jd_guarded(const exact *e, int j);
jd_status jd_guards_set(exact *e);
// phase.c
jd_status jd_phase_start(exact *e); // from q, p, marks at t0
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
double jd_drive_value(drive *d, double t);
void jd_drive_turn(drive *d, double t); // theta, sine, cosine at t
// kinetics.c
#define ROUNDING 1e-13 // of the sum of absolute terms: below it a value is zero
double jd_dot_size(int n, const double *a, const double *b); // sum of |a_k b_k|
void jd_acceleration(exact *e, double t);      // acc: without the forces of contacts at rest
void jd_acceleration_rate(exact *e, double t); // jerk, from acc
double jd_acceleration_bend(exact *e, double t, const double *row); // of one contact's row
// Sum of the absolute terms that row_j acc consists of.
double jd_acceleration_size(const exact *e, int j, double t);
double jd_relative_speed(const exact *e, int j);
double jd_speed_at(const exact *e, int j,
                   bool *rests); // jd_relative_speed; no more than rounding: rests
bool jd_at_rest(const exact *e, int j);
void jd_restrict_coupling(exact *e, int n); // fG = G over fset
void jd_springs_and_dampers(const exact *e, const double *q, const double *p, double *out);
// impact.c
bool jd_impacts(exact *e, double t); // true: speeds jumped
void jd_after_impacts(exact *e, double t);
// chatter.c: sums up the bounces of contact j that follow one of speed v; their time [s], or -1:
// they are not short enough yet, nothing changed
double jd_chatter(exact *e, int j, double t, double v);
// resolve.c: new marks and start orders at time t, from q, p, marks, touch, rest, releasing
jd_status jd_exact_resolve(exact *e, double t);
// Which contacts at rest lean on the others, in a state put in from outside; no mark changes.
jd_status jd_split_forces(exact *e, double t);
void jd_record(exact *e, double t, int j, mark from, mark to, double speed, double impulse);
// exact.c
void jd_exact_segments(exact *e, double t); // drives' segments that hold just after t
// replan.c: laws, drives and frequencies read again; bases of held contacts are kept
jd_status jd_exact_replan(jd_run *run);
// shoot.c
int jd_exact_coordinates(const jd_run *run);
void jd_exact_scales(const jd_run *run, double *out);
jd_status jd_exact_restart(jd_run *run, double t, const double *state, const char *phase);
void jd_exact_state(jd_run *run, double *out);
void jd_exact_rate(jd_run *run, double *out);
jd_status jd_exact_tangent_start(jd_run *run);
void jd_exact_tangent(jd_run *run, double *out);
jd_status jd_exact_unwatch(jd_run *run, unsigned long long stops);
// tangent.c
jd_status jd_tangent_start(exact *e, int columns);
void jd_tangent_phase(exact *e, double t);
void jd_tangent_before(exact *e, double t);
void jd_tangent_event(exact *e, int j, mark was);
jd_status jd_horizon_start(exact *e);
void jd_horizon_step(exact *e);
// ranges.c: takes the phase, up to a time since t0, into the extremes
jd_status jd_ranges_phase(exact *e, double end, jd_contact_ranges *out);
jd_status jd_exact_track(jd_run *run);
jd_status jd_exact_ranges(jd_run *run, jd_contact_ranges *out);
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
