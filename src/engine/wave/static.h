// static.h -- rods at rest: nodes of all rods as dofs along one axis, contacts as elements between
//   them, constant loads (static_plan.c); solved by static.c.
#ifndef JD_ENGINE_WAVE_STATIC_H
#define JD_ENGINE_WAVE_STATIC_H

#include "engine/wave/wave.h"
#include "linalg/band/band.h"

// A cell of a contact, or soil.
typedef struct element {
    const skin *skin; // NULL: a toe
    int index;        // cell, or number of the toe
    int a, n;         // dof of the structure; dofs of the counterpart (0: ground)
    int b[JD_WAVE_MEET];
    double w[JD_WAVE_MEET];
    double stiffness; // 0: rigid
    double lo, hi;    // of the force on `a` [N]
    double sign;      // -1: `a` is the counterpart's side, the structure's being fixed
    int state;        // 0 held, -1 at lo, 1 at hi
    jd_dd f;
} element;

typedef struct rest {
    march *m;
    jd_arena *arena;
    int n, width, n_element;
    int **dof;            // of each node of each rod
    bool *fixed, *pinned; // dofs that are held; bodies held because nothing acts on them
    int *by;              // the rigid held element whose structure side this dof is; -1: none
    int *anchor;          // of each body: another body of its group, or -1: held
    double *load;         // p
    double *offset;       // of each body along the common axis [m]
    element *element;
    jd_band K, zero;
    jd_ldl ldl;
    jd_dd *u, *rate, *rest;
} rest;

// Groups of bodies that hold each other; -1: held.
static inline int jd_rest_root(const int *anchor, int b) {
    while (b >= 0 && anchor[b] != b) b = anchor[b];
    return b;
}

static inline void jd_rest_join(int *anchor, int a, int b) {
    a = jd_rest_root(anchor, a), b = b < 0 ? -1 : jd_rest_root(anchor, b);
    if (a != b && a >= 0) anchor[a] = b;
    if (a < 0 && b >= 0) anchor[b] = -1;
}

static inline int jd_rest_body(const rest *r, const rod *a) { return (int)(a - r->m->rods); }

// Everything at the present displacement of the march; memory is the arena's.
jd_status jd_rest_take(march *m, jd_arena *arena, rest *out);
// Elements and loads once more, for limits that have changed.
void jd_rest_contacts(rest *r);

#endif
