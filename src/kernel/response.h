// response.h -- a structure seen from the points where forces act on it.
//   y_i'(t) = free_i(t) + sum_j [ gamma_ij F_j(t) + int_0^t G'_ij(tau) F_j(t - tau) dtau ]
//   G_ij(tau): velocity of place i after a unit step of force at place j [m/(s N)],
//   gamma_ij = G_ij(0+) its jump: 0 for finitely many modes. Modal form, c_k = 2 D_k omega_k:
//     G_ij = sum_k n_ik n_jk g_k(tau),  g'' + c_k g' + omega_k^2 g = 0,  g(0) = 0, g'(0) = 1
//   Places are rows over the modes of all bodies: the contacts first, then the drives. A body
//   keeps finitely many modes, or infinitely many (string, rod, beam: `modes: infinite`).
//   problem/memory.h makes a response from a problem.
// Parts of kernel/:
//   response.c   sums over bodies; family.c: one body, from its structure
//   modes.c      finitely many modes; poles.c: a response as modes and as poles
//   continua/    strings, rods, beams with all their modes, in closed form
//   fit/         infinitely many modes as a rational fit, a sum of exponentials
//   echoes/      waves that come back after a delay, in the place of a fit
//   choice.c     which of the two; reduced.c: the reduced equation of the paper
#ifndef JD_KERNEL_RESPONSE_H
#define JD_KERNEL_RESPONSE_H

#include "structure/modal.h"

typedef struct jd_response jd_response;

// A point of a body, +1 or -1 times; a place is a point or a difference of two.
typedef struct jd_response_end {
    int body, point;
    double sign;
} jd_response_end;

// Forces at points of bodies with infinitely many modes, all in one proportion.
typedef struct jd_response_load {
    int n;
    const int *body;     // of each point
    const double *x;     // [m]
    const double *share; // of the whole
    bool gentle;         // participations are those of the points times (omega_1/omega_k)^2
} jd_response_load;

typedef struct jd_response_place {
    const char *name; // for messages
    int n_end;
    jd_response_end end[2];
    const jd_response_load *load; // in the place of ends; NULL: none
    const jd_dd *row;             // over the modes of all bodies; NULL with a load
} jd_response_place;

typedef struct jd_response_def {
    int n_body;
    const jd_structure *const *body;
    const jd_object *const *object; // definitions of the bodies
    const int *first;               // n_body + 1: where the modes of each begin in a row
    int n_contact, n_place;         // places: contacts first, then drives, then loads
    const jd_response_place *place;
} jd_response_def;

// All or nothing. Refuses a body asked for infinitely many modes that has no closed form for them.
jd_status jd_response_create(jd_context *context, const jd_response_def *def, jd_response **out);
void jd_response_free(jd_response *response);

int jd_response_contacts(const jd_response *response); // n
int jd_response_places(const jd_response *response);   // n + drives + loads
bool jd_response_infinite(const jd_response *response);
// Largest damping ratio below which no mode lies; 0 when a body is undamped.
double jd_response_least_damping(const jd_response *response);

// How G starts at 0: G_ij ~ start_ij tau^exponent.
typedef enum jd_regularity {
    JD_START_SMOOTH, // exponent 1: finitely many modes; contact forces jump when a contact sticks
    JD_START_JUMP,   // exponent 0: string, rod; contact forces are continuous there
    JD_START_HOELDER // exponent 1/2: beam, or a string with Rayleigh damping (of a beam: 3/4);
                     // continuous too, with a square-root slope
} jd_regularity;
jd_regularity jd_response_regularity(const jd_response *response);
double jd_response_exponent(const jd_response *response);
// Case of the paper (section IV): 1 smooth, 2 jump, 3 between the two.
int jd_response_case(const jd_response *response);
// start_ij and gamma_ij (0 unless the start is a jump); n_contact x n_place, row-major.
const double *jd_response_start(const jd_response *response);
const double *jd_response_jump(const jd_response *response);

// What is evaluated: derivative of G, G, its integral, and the second integral of what decays.
typedef enum jd_response_order {
    JD_RESPONSE_RATE = -1,    // G'(tau), tau > 0; delta functions (undamped waves) left out
    JD_RESPONSE_STEP = 0,     // G(tau); at tau = 0 the limit from the right
    JD_RESPONSE_INTEGRAL = 1, // U(tau) = int_0^tau G: displacement after a unit step [m/N]
    JD_RESPONSE_SECOND = 2    // int_0^tau (U - U_static); NaN when a rigid-body mode is pushed
} jd_response_order;
// out[(t n_contact + i) n_place + j] for n_tau times tau >= 0 [s].
jd_status jd_response_at(const jd_response *response, jd_response_order order, int n_tau,
                         const double *tau, double *out);
// Static displacement of place i under a unit force at j, U(infinity) [m/N]; NaN with a rigid-body
// mode. n_contact x n_place.
jd_status jd_response_static(const jd_response *response, double *out);

// Velocity per force at complex s: Ghat_ij(s) = s sum_k n_ik n_jk/(s^2 + c_k s + omega_k^2)
// = s int_0^inf G e^{-s tau} dtau. out: n_contact x n_place complex numbers (re, im).
jd_status jd_response_transfer(const jd_response *response, const double s[2], double *out);

// The first modes of each body, at most `most` of each (any number for infinite bodies); *n is how
// many there are in all. omega, c: *n each; row: n_place rows of *n. Memory from the arena.
// JD_NOT_SUPPORTED when a damping matrix couples the modes: take the poles.
typedef struct jd_response_modes {
    int n;
    double *omega, *c; // [rad/s], [1/s]
    double *row;       // row[place n + k] = n_ik
} jd_response_modes;
jd_status jd_response_modes_of(const jd_response *response, int most, jd_arena *arena,
                               jd_response_modes *out);

// The same where a damping matrix may couple the modes: c holds its diagonal, and all of it is
// c_kl of modes k, l as counted there, 0 between bodies.
jd_status jd_response_shapes_of(const jd_response *response, int most, jd_arena *arena,
                                jd_response_modes *out);
double jd_response_coupling(const jd_response *response, int most, int k, int l);

// The same as poles: G_ij = Re sum_p residue_ijp e^{s_p tau}, conjugate pairs once (Im s > 0,
// residue doubled). Real poles of overdamped modes stand alone. residue[((i n_place) + j) n + p].
typedef struct jd_response_poles {
    int n;
    double *re, *im;
    double *residue_re, *residue_im; // n_contact x n_place x n
} jd_response_poles;
jd_status jd_response_poles_of(const jd_response *response, int most, jd_arena *arena,
                               jd_response_poles *out);

// Undamped strings and rods: G'_ij = sum_d coefficient_d delta(tau - delay_d), delay_d <= t_end, in
// ascending order; delay 0 holds gamma_ij. With one body G'(tau) = sign G'(tau - period) beyond,
// (a damped one: the delays it would have without damping), which gives d'Alembert's form
//   y'(t) - sign y'(t - period) = sum over delays in [0, period) of [G' - sign G'(. - period)].
typedef struct jd_response_delays {
    int n;
    double *delay, *coefficient; // [s], [m/(s N)]
} jd_response_delays;
jd_status jd_response_delays_of(const jd_response *response, int i, int j, double t_end,
                                jd_arena *arena, jd_response_delays *out);

#endif
