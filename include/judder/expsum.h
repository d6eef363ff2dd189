// expsum.h -- exponential sums and their first zero, certified.
//   f(t) = Re sum_p w_p z_p e^{lambda_p t} + Re sum_k (u_k p_k(t) + v_k q_k(t)) + sum_m a_m t^m
//   with pair blocks for poles that (almost) coincide, (p, q)' = [[mu, 1], [delta2, mu]] (p, q):
//     p(t) = e^{mu t} (p C + q S),  q(t) = e^{mu t} (q C + delta2 p S),
//     C = cosh(delta t), S = sinh(delta t)/delta, delta^2 = delta2 (0: t e^{mu t}).
//   A basis is the set of poles shared by one kind of phase; a watch is a set of weights over it;
//   the amplitudes z are the state. jd_first_zero finds when the first of several watches leaves
//   its band lower < f < upper, and proves that none left earlier. Time is counted from the phase's
//   start, where the amplitudes are given.
//   A conjugate pair of poles is one pole with complex amplitude; a real pole has real amplitude.
#ifndef JUDDER_EXPSUM_H
#define JUDDER_EXPSUM_H

#include <stdint.h>

#include "judder/context.h"

#ifdef __cplusplus
extern "C" {
#endif

// Poles of one kind of phase, with the coefficients that searches need.
typedef struct jd_expbasis jd_expbasis;
// A watch: weights over a basis, which give one function f(t).
typedef struct jd_watch jd_watch;

enum {
    JD_TAYLOR = 8,         // coefficients f^(m)/m!, m = 0..7, of every evaluation
    JD_POLYNOMIAL = 8,     // coefficients a_0..a_7 of a guard
    JD_GUARD_LIMIT = 64,   // guards in one search (bits of `ties`)
    JD_START_ORDER_MAX = 4 // of a guard's start; beyond, a derivative of f stands for it
};

// A complex number.
typedef struct jd_complex {
    double re, im;
} jd_complex;

// e^{mu t}(p cosh(delta t) + q sinh(delta t)/delta), given by delta^2 (the block is even in delta).
typedef struct jd_pole_pair {
    jd_complex mu;     // [1/s]
    jd_complex delta2; // [1/s^2]
} jd_pole_pair;

// What a basis is made from.
typedef struct jd_expbasis_def {
    int n_pole;
    const jd_complex *pole; // [1/s], any order; Re > 0 allowed (growth)
    int n_pair;
    const jd_pole_pair *pair;
    double longest_step; // [s]; 0: 4 over the smallest nonzero |lambda|. Rounded down to 2^k.
    int order;           // of the Taylor bounds, 4..8; 0: 8
} jd_expbasis_def;

// No poles; order and longest step chosen.
jd_expbasis_def jd_default_expbasis_def(void);

// A basis owns its watches and the scratch of its searches: one search at a time per basis.
jd_status jd_expbasis_create(jd_context *context, const jd_expbasis_def *def, jd_expbasis **out);
// With its watches. NULL is allowed.
void jd_expbasis_free(jd_expbasis *basis);

// Amplitudes live in two arrays re[], im[] of `slots` doubles (a multiple of 4; unused ones 0).
// The basis sorts its poles by |lambda|: pole i of the definition has its amplitude at slot(i);
// pair k has p at pair_slot(k) and q just after it.
int jd_expbasis_slots(const jd_expbasis *basis);
// Where the amplitude of pole number `pole` of the definition is.
int jd_expbasis_slot(const jd_expbasis *basis, int pole);
// Where p of pair number `pair` is; q follows it.
int jd_expbasis_pair_slot(const jd_expbasis *basis, int pair);

// out(t) = amplitudes a time t later, by true exponentials (error: a few eps (1 + |lambda| t)).
// Negative t goes back. out may be the input.
void jd_expbasis_advance(jd_expbasis *basis, double t, const double *re, const double *im,
                         double *out_re, double *out_im);

// Moves one pole along the imaginary axis (a drive of another frequency), keeping every slot.
// False, and nothing changed, when the order of the poles or the longest step would change. Watches
// must be told their weight at that pole, even when it is the same: jd_watch_move.
bool jd_expbasis_move(jd_expbasis *basis, int pole, jd_complex value, double longest_step);

// Weights of a watch.
typedef struct jd_watch_def {
    const jd_complex *weight; // n_pole, in the definition's order
    const jd_complex *pair_p; // n_pair; NULL when there are none
    const jd_complex *pair_q; // n_pair
} jd_watch_def;

// The derivative of a sum is a watch too: weights w lambda (pairs: u mu + v delta2, u + v mu); its
// zeros are the extremes of the sum.
jd_status jd_watch_create(jd_expbasis *basis, const jd_watch_def *def, jd_watch **out);
// Gives the watch its weight at a pole that jd_expbasis_move has moved.
void jd_watch_move(jd_watch *watch, int pole, jd_complex weight);

// The watch of the derivative f'.
jd_status jd_watch_derivative(jd_expbasis *basis, const jd_watch *watch, jd_watch **out);

// taylor[m] = f^(m)/m! of the exponential part at the time of the given amplitudes.
void jd_watch_taylor(const jd_watch *watch, const double *re, const double *im,
                     double taylor[JD_TAYLOR]);
// f alone, without derivatives: cheaper, for sampling.
double jd_watch_value(const jd_watch *watch, const double *re, const double *im);

// A guard: the event is the first time at which lower < f < upper does not hold.
typedef struct jd_guard {
    const jd_watch *watch;
    double lower, upper; // -INFINITY or INFINITY where there is no limit
    // A phase that starts on its own surface: side -1 (f = lower) or +1 (f = upper), where f moves
    // inward with its start_order-th derivative, all lower ones being exactly 0.
    int start_side, start_order;
    // Where start_order is above JD_START_ORDER_MAX: watches of f and its derivatives below
    // start_order, lifted[k] of f^(k); else NULL.
    jd_watch *const *lifted;
    int degree;                       // of the polynomial; -1: none
    double polynomial[JD_POLYNOMIAL]; // a_m [unit of f / s^m], t from the phase's start
} jd_guard;

jd_guard jd_default_guard(const jd_watch *watch); // no limits, no polynomial, start inside

// How a search ended.
typedef enum jd_search_outcome {
    JD_SEARCH_NONE,     // every guard stays inside until t_max
    JD_SEARCH_FOUND,    // a guard leaves at `time`
    JD_SEARCH_OUTSIDE,  // a guard is outside, or moves outward, at time 0
    JD_SEARCH_BUDGET,   // max_evaluations reached; certified until `time`
    JD_SEARCH_UNBOUNDED // amplitudes are not finite at `time`
} jd_search_outcome;

// Limits of a search; tests also weaken its bounds.
typedef struct jd_search_options {
    int max_evaluations; // after which the search stops with JD_SEARCH_BUDGET
    int split;           // -1: chosen; else the last group of poles kept in the Taylor part
    double bound_factor; // 1; anything smaller is unsound (tests prove that they would notice)
    double rounding;     // 1; factor on the allowance for rounding
} jd_search_options;

// A sound search with a generous budget.
jd_search_options jd_default_search_options(void);

// What a search found, and what it cost.
typedef struct jd_search_result {
    jd_search_outcome outcome;
    double time;      // [s] since the phase's start: of the zero, t_max (NONE), or certified until
    int guard;        // which guard left, -1 if none
    int side;         // -1 through lower, +1 through upper
    uint64_t ties;    // bit i: guard i is on a limit at `time` within rounding (includes `guard`)
    int undecided;    // grazings that doubles cannot decide, passed as "no zero" or taken as a zero
    int evaluations;  // times at which the watches and their derivatives were evaluated
    int exponentials; // of these, with true exponentials
    double margin;    // smallest certified distance of a near miss from its limit, relative to
                      // sum|c|; INFINITY: no near miss was met
    double rounding;  // [s] by which `time` may be off through rounding (noise over slope)
    double taylor[JD_TAYLOR]; // f^(m)/m! of the guard found at `time`, polynomial included (shifted
                              // there from an expansion close by)
} jd_search_result;

// First time in (0, t_max] at which one of up to JD_GUARD_LIMIT guards leaves its band (more
// guards: BUDGET at time 0). re, im: amplitudes at time 0; out_re, out_im: amplitudes at
// result->time by true exponentials (may be re, im). options may be NULL.
void jd_first_zero(jd_expbasis *basis, const double *re, const double *im, int n_guard,
                   const jd_guard *guard, double t_max, const jd_search_options *options,
                   jd_search_result *result, double *out_re, double *out_im);

#ifdef __cplusplus
}
#endif

#endif
