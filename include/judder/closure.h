// closure.h -- piecewise-smooth models closed by a finite wave speed.
//   y' - L+(y) lambda' = r(t, y) + Linf(y) lambda - sigma L+(y) (lambda - kappa)
//   kappa' = sigma (lambda - kappa)                                    [szalai, closure, 37]
//   lambda = lambda+(y) where h(y) > 0, lambda-(y) where h(y) < 0; on h = 0 it is a state of its
//   own and h' = 0 determines it. L+ = 0 gives Filippov's convention. A model from C is a
//   body:
//       jd_problem_add_closure(problem, "", &model)
//   whose switch is the contact `surface` and whose points are y1, y2, ... kappa, lambda.
#ifndef JUDDER_CLOSURE_H
#define JUDDER_CLOSURE_H

#include "judder/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

// A model by its functions; those that may be NULL say so.
typedef struct jd_closure_model {
    int n;        // numbers in y
    void *user;   // given to every call
    double sigma; // [1/s] >= 0; 0: there is no kappa
    void (*r)(void *user, double t, const double *y, double *out);
    void (*linf)(void *user, const double *y, double *out);
    void (*lplus)(void *user, const double *y, double *out); // NULL: zero (Filippov)
    double (*lambda)(void *user, int side, const double *y); // side: 1 for h > 0, -1
    double (*h)(void *user, const double *y);                // NULL: nothing switches
    void (*dh)(void *user, const double *y, double *out);    // gradient; NULL: differences
    void (*dlambda)(void *user, int side, const double *y, double *out); // NULL: differences
    const double *start; // n: y at time 0; NULL: zero
    double period; // [s] after which r repeats in t, needed by orbits where it depends on t; 0:
                   // it does not, or nothing is said
} jd_closure_model;

// Adds a body given by such functions, which must stay as long as the problem; and its contact
// `surface` where it switches.
jd_status jd_problem_add_closure(jd_problem *problem, const char *name,
                                 const jd_closure_model *model);
// Its type, for jd_problem_add_body; the definition is a jd_closure_model.
extern const jd_type jd_closure_type;

// Type of the motion on the surface near the critical manifold dh.(r + Linf lambda) = 0:
//   a = dh.Linf, e = dh.L+:  a/e < 0 saddle;  e/a < 1/(4 sigma) node;  else focus.  [Prop. 3,
//   corrected]
typedef enum jd_critical { JD_CRITICAL_NODE, JD_CRITICAL_FOCUS, JD_CRITICAL_SADDLE } jd_critical;
// Which of these the model is at the state y (n numbers) on its surface.
jd_critical jd_closure_classify(const jd_closure_model *model, const double *y);
const char *jd_critical_name(jd_critical kind); // node focus saddle

// A steady state of one smooth side of a model: y' = kappa' = 0.
typedef struct jd_steady {
    bool found;
    int n;               // unknowns: y, and kappa where it is one
    double x[64];        // the state
    double eigen[64][2]; // eigenvalues (re, im) of the motion near it, by falling magnitude
    double growth;       // largest real part
    double omega;        // imaginary part that goes with it
    bool here;           // it lies on the side asked for; else it is not a motion of the model
    double contact[3];   // displacement, velocity and force of the contact
} jd_steady;

// Newton's method from y = 0 on one side of a problem that the closure engine computes:
// JD_CONTACT_SLIDING_PLUS (h > 0) or JD_CONTACT_SLIDING_MINUS (h < 0).
jd_status jd_closure_steady(jd_context *context, jd_problem *problem, jd_contact_state side,
                            jd_steady *out);
// The value of the number at `path` between `from` and `to` where the growth of the steady state
// vanishes: a Hopf point when omega > 0. JD_NO_CONVERGENCE when it has one sign at both ends. The
// problem keeps the value found.
jd_status jd_closure_hopf(jd_context *context, jd_problem *problem, jd_contact_state side,
                          const char *path, double from, double to, double *value, jd_steady *out);

#ifdef __cplusplus
}
#endif

#endif
