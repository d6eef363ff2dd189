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
} friction;

jd_status friction_read(jd_arena *arena, const jd_object *law, friction *out);
// f(u) and f'(u); continued smoothly to u < 0, where Newton's method may pass.
double friction_at(const friction *law, double u, double *rate);

#endif
