// law.h -- friction laws as the memory engine uses them: resistance f(u) against speed u = |v|.
//   force on the structure F = -sign f(sign v) while sliding; |F| <= hold while stuck
#ifndef JD_ENGINE_MEMORY_LAW_H
#define JD_ENGINE_MEMORY_LAW_H

#include "base/arena.h"
#include "judder/contact.h"

typedef struct friction {
    int kind;            // of law.c
    double hold;         // largest force while stuck [N]
    double limit, slope; // coulomb, affine: limit + slope u
    double drop, decay;  // stribeck: limit - drop + drop exp(-decay u)
    int n;               // table: knots
    const double *u, *f; // [m/s], [N]
    double *d;           // slopes at the knots [N s/m]
    double steepest;     // largest -f'(u), u >= 0 [N s/m]
    bool hysteresis;     // where several forces fit one history the present branch is kept
    // The sliding branch ends at the speed `edge`, where u + gamma f(u) has its least value; below
    // it f goes on as a straight line with which that sum still rises, for Newton's method alone.
    double edge, edge_force, edge_rate; // [m/s], [N], [N s/m]; 0: it ends at rest
} friction;

jd_status friction_read(jd_arena *arena, const jd_object *law, friction *out);
// The edge of the sliding branch of a contact whose velocity jumps by gamma F. False: there is
// none, or more than one branch.
bool friction_edge(friction *law, double gamma);
// f(u) and f'(u); continued smoothly to u < 0, where Newton's method may pass.
double friction_at(const friction *law, double u, double *rate);

#endif
