// gradient.h -- derivatives of a periodic orbit by numbers of the model.
//   P(s, theta) = s: (M - I) ds/dtheta = -(dP/dtheta + f dT/dtheta), dP/dtheta through the events
//   (saltation). The derivative of an extreme value is that of the motion at its time.
#ifndef JUDDER_GRADIENT_H
#define JUDDER_GRADIENT_H

#include "judder/orbit.h"

#ifdef __cplusplus
extern "C" {
#endif

// Derivatives of an orbit.
typedef struct jd_gradient jd_gradient;

// How the derivative of the period map was made: X(symbol, name, text).
#define JD_GRADIENT_METHOD_LIST(X)                                                                 \
    X(JD_GRADIENT_SALTATION, "saltation", "variational equation, with its jumps at the events")    \
    X(JD_GRADIENT_DIFFERENCES, "differences", "differences of period maps of the same events")

// The methods of that list.
typedef enum jd_gradient_method {
    JD_GRADIENT_METHOD_LIST(JD_SYMBOL) JD_GRADIENT_METHOD_COUNT
} jd_gradient_method;
// Name of a method, as in result files: "saltation".
const char *jd_gradient_method_name(jd_gradient_method method);

// Extreme displacements of a contact or point over one period, and their derivatives.
typedef struct jd_gradient_place {
    const char *name;
    double least, most;     // [m]
    double d_least, d_most; // [m per unit of the key]; NaN: there is none, the motion has a corner
                            // there that another contact makes
    double amplitude, d_amplitude; // half of the difference
} jd_gradient_place;

// All derivatives by one key.
typedef struct jd_gradient_key {
    const char *key;           // path of the number: contacts.tip.law.limit
    double value;              // [its unit]
    jd_gradient_method method; // of state, period and places
    double error;              // of the derivative of the state, relative to it, at most
    double period;             // dT [s per unit of the key]
    int n;                     // numbers in a state
    const double *state;       // at t = 0 of the orbit
    int n_place;
    const jd_gradient_place *place;
    int n_multiplier;
    const double *multiplier; // derivatives (re, im) of those of the orbit; NaN: not told
    double multiplier_error;  // of them, absolute: they are differences along the orbits; NaN: none
} jd_gradient_key;

// What was found.
typedef struct jd_gradient_view {
    int n_key;
    const jd_gradient_key *key;
} jd_gradient_view;

// Derivatives of an orbit that was found, by n_key numbers of the problem (paths as of
// jd_problem_get), which must be numbers of structure, contacts, drives or connections and no
// counts. Places: all contacts, then n_point points. The problem is not changed.
jd_status jd_gradient_create(jd_context *context, jd_problem *problem, const jd_orbit_view *orbit,
                             int n_key, const char *const *key, int n_point,
                             const char *const *point, jd_gradient **out);
// NULL is allowed.
void jd_gradient_free(jd_gradient *gradient);
// What was found; it belongs to the gradient and lives as long.
const jd_gradient_view *jd_gradient_look(const jd_gradient *gradient);

#ifdef __cplusplus
}
#endif

#endif
