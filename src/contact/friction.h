// friction.h -- friction as engines read it: resistance f(u) >= 0 against the speed u = |v|.
//   force on the structure F = -sign f(sign v) while sliding; |F| <= hold while stuck
#ifndef JD_CONTACT_FRICTION_H
#define JD_CONTACT_FRICTION_H

#include "judder/contact.h"

typedef struct jd_friction jd_friction;
struct jd_friction {
    double limit;              // f(0) [N], [N/m] on a span
    double hold;               // largest force while stuck [N], at least limit
    double slope;              // without a curve: f(u) = limit + slope u [N s/m]
    double stiffness;          // of the contact while stuck [N/m]; 0: rigid
    const jd_profile *profile; // of limit and hold along a span; NULL: constant
    double steepest;           // largest -f'(u), u >= 0 [N s/m]
    // The law's own curve: f(u) and f'(u), continued smoothly to u < 0, where Newton's method may
    // pass. NULL: the straight line.
    double (*curve)(const jd_friction *f, double u, double *rate);
    // The same at four speeds; NULL: one by one.
    void (*curve_four)(const jd_friction *f, const double u[4], double *value, double *rate);
    double number[3];         // of the curve, known to its law alone, as are ...
    const void *coefficients; // ... longer lists of them
    double top;               // speed beyond which the curve rises or stays as it is [m/s]
    int pieces;               // looks from 0 to top that see each rise and fall of the curve
    bool hysteresis;          // where several forces fit one history the present branch is kept
    // The sliding branch ends at the speed `edge`, where u + gamma f(u) has its least value; below
    // it f goes on as a straight line with which that sum still rises, for Newton's method alone.
    double edge, edge_force, edge_rate; // [m/s], [N], [N s/m]; 0: it ends at rest
};

// f(u) and f'(u).
double jd_friction_at(const jd_friction *f, double u, double *rate);
void jd_friction_four(const jd_friction *f, const double u[4], double *value, double *rate);
// The edge of the sliding branch of a contact whose velocity jumps by gamma F. False: there is
// none, or more than one branch.
bool jd_friction_edge(jd_friction *f, double gamma);

#endif
