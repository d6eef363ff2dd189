// walk.h -- a curve of orbits followed until it ends.
#ifndef JD_ANALYSIS_NSM_WALK_H
#define JD_ANALYSIS_NSM_WALK_H

#include "analysis/nsm/families/multi.h"

enum { NSM_WALK_POINTS = 1200, NSM_WALK_TURNS = 64 };

typedef struct nsm_walk {
    jd_nsm_kind kind;
    nsm_curve curve;
    double *y, *tangent;         // where it is (N); set before jd_nsm_walk_run
    double *next, *next_tangent; // N
    double *between, *turned;    // N: scratch of locating
    double located;              // how far along the tangent an end was found
    jd_nsm_family family;        // the result; kind, branch, parent, impacts, way are the caller's
    double *omega, *energy, *time, *impulse;
    jd_nsm_turn *turn;
} nsm_walk;

jd_status jd_nsm_walk_open(jd_nsm *s, int k, double period, double speed, nsm_walk *w);
// Unit length, component `i` of that sign.
void jd_nsm_walk_aim(nsm_walk *w, double sign, int i);
// The true tangent at y, component `i` of the sign it has; false: none.
bool jd_nsm_walk_straighten(nsm_walk *w, int i);
jd_status jd_nsm_walk_run(nsm_walk *w);

#endif
