// taylor.h -- what the engine adds to the motion: fields over the cells, saved states, probes.
#ifndef JD_TAYLOR_TAYLOR_H
#define JD_TAYLOR_TAYLOR_H

#include "engine/taylor/motion.h"

// The contact at one time.
typedef struct jd_fields {
    jd_semi_cells cells;
    double *u, *v, *eta, *eta_v, *counter, *counter_v; // unknowns and Psi eta at that time
} jd_fields;

jd_status jd_fields_create(jd_arena *arena, const jd_semi *semi, jd_fields *out);
void jd_fields_take(jd_fields *f, const jd_motion *m, double t);

// Displacement between two nodes, or of a row over the modes; velocity in *v.
double jd_motion_node(const jd_motion *m, int node, const double *weight, double t, double *v);
double jd_motion_modal(const jd_motion *m, const double *row, double t, double *v);

// Bytes of everything a motion goes on from. Writes them to `to`, or takes them from `from`.
size_t jd_motion_pack(jd_motion *m, char *to, const char *from);
// What of a motion that was taken up no run can have at time t, in words; NULL: nothing.
const char *jd_motion_odd(const jd_motion *m, double t);

#endif
