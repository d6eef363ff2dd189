// basis.h -- all that the exact engine knows of a set of held contacts: modes, poles, responses,
// functionals, coefficients of the energy ledger. One per set, cached.
#ifndef JD_ENGINE_EXACT_BASIS_H
#define JD_ENGINE_EXACT_BASIS_H

#include "engine/exact/plan.h"
#include "expsum/complex.h"
#include "judder/expsum.h"

// How a coordinate x_k moves by itself.
typedef enum motion {
    OSCILLATING, // one complex pole
    OVERDAMPED,  // two real poles; also a rigid-body mode with damping (0 and -c)
    PAIRED,      // near critical damping: a pair block
    RESONANT,    // undamped or nearly, driven near its frequency: a pair block with the drive
    RIGID        // x0 + v0 t
} motion;

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

// Poles of a basis and the exponential sums made of them.
typedef struct basis_poles {
    motion *kind;             // nf; coupled bases have OSCILLATING, RIGID, and RESONANT where alone
    bool *alone;              // nf, coupled: oscillates by itself, no damping couples it
    int *first;               // nf: index of the coordinate's pole or pair in the exp basis
    int *partner;             // nf: drive of a RESONANT coordinate
    jd_complex *pole;         // n_pole
    jd_complex *right, *left; // coupled: n_pole x nf: x = Re sum right z; z = left'((s + C)x + x')
    double *pair_right;       // coupled: n_pair x 2 x nf: x += right_p p + right_q q
    double *pair_left;        // (p, q) = left (C x + x') + T left x, T the block's matrix
    int n_pole, n_pair, n_rigid;
    int n_own, n_own_pair; // coupled: poles without the drives', pairs
    jd_pole_pair *pair;
    part_size *part; // n_pole, then 2 of each of the n_own_pair pairs
    jd_expbasis *exp;
    int slots;
    int *slot;       // nf: slot of an OSCILLATING coordinate's pole
    int *drive_slot; // n_drive
    double *a, *w;   // nf: s = a + i w of OSCILLATING coordinates
    bool plain;      // decoupled, all OSCILLATING, slots in the order of coordinates ...
    int n_stretch,
        *stretch; // ... but for the drives: coordinates stretch[i] .. stretch[i+1]-1 in a row
    bool grows;   // some pole has a positive real part
} basis_poles;

// Forced motion of coupled poles by drives beside them (resonance.c).
typedef struct basis_resonances {
    int n;
    resonance *block;
    jd_complex *weight; // nf: scratch
} basis_resonances;

// Damped rigid-body coordinates as powers of t (drift.c); n = 0: not possible.
typedef struct basis_drift {
    int n, *number;                // of the coordinates
    drift_role *role;              // nf
    double reach;                  // [s] as far as the powers are right
    double *by_constant, *by_ramp; // n_source x POWERS x nf: responses from rest
    double *of_velocity;           // n x POWERS x nf: motion with unit velocity
    double *from_x, *from_g;       // 2 n x nf: (place, velocity) of a state x, C x + x'
    bool *slow;                    // n_pole: the poles 0 and -gamma that they stand for
} basis_drift;

// Motion under unit forces. Sources of constant and ramp forces: contacts 0..m-1, drives
// m..m+n_drive-1, then per stuck contact the shift force and the damping force of its moving shape.
typedef struct basis_response {
    jd_complex *X;       // n_drive x nf: x = Re(X z_d)
    double *Xr, *Xi;     // the same, apart
    int *powers;         // n_source: responses to a constant reach below t^powers; 0: no response
    double *pull;        // ms x nf: -Q'C S of the structure's damping alone
    double *force;       // n_source x nf: Q' of each source's force
    double *to_constant; // n_source x CONST_DEGREE x nf: response to a unit constant, by power of t
    double *to_ramp;     // n_source x RAMP_DEGREE x nf
} basis_response;

// Functionals of the motion that are looked at.
typedef struct basis_observed {
    functional *u, *v;  // per contact: relative displacement and velocity
    functional *lambda; // per held contact (index in held)
    functional *u_probe, *v_probe;
    functional *u_drive, *v_drive;
} basis_observed;

// Coefficients of the energy ledger, and its sums over the phases of this basis.
typedef struct basis_energy {
    harmonic_sums *harmonic; // n_drive
    jd_complex *own;         // slots: decoupled damping, Re(own z^2) ...
    double *own_size;        // ... + own_size |z|^2 ...
    double *own_next;        // ... + own_next z_p z_twin, the two poles of an overdamped coordinate
    int *twin;               // slots: slot of that other pole, -1
    int n_twin;
    int n_apart;            // damped coordinates that are in no table (damps_apart)
    double *square;         // 3 x slots: [z^2], [|z|^2] so far
    bool booked;            // products were added since they were weighed last
    bool lossless;          // no coordinate is damped: nothing to sum up
    double *damp_const;     // nf: c, for constant velocities; structure's share
    quadratic_sums coupled; // coupled damping
    quadratic_sums *slope;  // m: int v^2 of contacts that slide with a slope
} basis_energy;

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
    struct jd_cauchy *fast; // products with them in another way; NULL: none, or damping couples
    double *S, *QtS;        // n x ms, nf x ms
    double *Ghh_inv_B;      // ms x n: lambda = Ghh_inv_B (Omega^2 q + C q' - f)
    double *omega2, *c;     // nf
    double *C;              // nf x nf when damping couples, else NULL
    double *C0;   // nf x nf: the structure's share of C; NULL: all of c is the structure's
    double shift; // of the static shapes [1/s^2]
    basis_poles poles;
    basis_resonances resonances;
    basis_drift drift;
    basis_response response;
    basis_observed observed;
    basis_energy energy;
} basis;

// The bases made so far, and where they live.
typedef struct exact_bases {
    jd_arena *stuck; // the bases
    jd_arena *tuned; // what depends on the drives' frequencies
    jd_arena_mark stuck_start, tuned_start;
    size_t stuck_back, tuned_back; // bytes of each that were taken and are free again
    basis *list;
    int count;
    char *key;      // scratch for a basis key
    jd_dd *made_of; // (1 + m) n: squared frequencies and rows that all shapes come from; NULL: not
                    // kept
    const struct exact *lender; // a run made of the same (jd_bases_lend); NULL: none
} exact_bases;

typedef struct exact exact;

// Simple poles of a decoupled coordinate.
static inline int poles_of_kind(motion kind) {
    return kind == OSCILLATING ? 1 : kind == OVERDAMPED ? 2 : 0;
}

// Is the loss of a decoupled coordinate integrated phase by phase: it moves in a block, or friction
// takes part in its damping (which may then vanish)?
static inline bool damps_apart(const basis *b, int k) {
    return b->C0 || b->poles.kind[k] == PAIRED || b->poles.kind[k] == RESONANT;
}

// basis.c: the basis of the present contact states, from the cache or made
jd_status jd_exact_basis(exact *e);
// How far coordinate k moves contact j; rounding of the sum is 0.
double jd_basis_row(const exact *e, const basis *b, int j, int k);
// held.c: which contacts a basis holds, its modes; the forces that hold them
jd_status jd_basis_hold(exact *e, basis *b);
// Keeps what the shapes are made of, and looks whether the run before is made of the same.
jd_status jd_bases_lend(exact *e);
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
// functionals.c: of drives and probes, with few contacts of these too; those that the present phase
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
#endif
