// plane.h -- friction in a plane: two sliders whose forces share one limit.
#ifndef JD_SERIES_PLANE_H
#define JD_SERIES_PLANE_H

#include "engine/series/series.h"

// The first slider of a pair (its partner is the second one).
static inline bool plane_leads(const series *s, int i) { return s->plan.slider[i].partner > i; }
static inline bool plane_slides(const series *s, int i) {
    int slide = s->state.slide[i];
    return s->plan.slider[i].partner >= 0 && slide != 0 && slide != SERIES_FREE;
}

jd_status jd_plane_room(series *s);
// Both forces of order k >= 1 of a pair that slides, from all orders before.
void jd_plane_forces(series *s, int lead, int k);
// c[j] of what a pair watches: stuck N^2 - (T_1/R_1)^2 - (T_2/R_2)^2, sliding the rate at which the
// slider moves, sum k T v/R^2 - N N'.
void jd_plane_guard(const series *s, int lead, int degree, double *c);
// How far the polynomials that pairs watch hold: products have terms of twice their degree.
double jd_plane_reach(const series *s);
// The least normal force with which a pair rubs; 0 where limits are given.
double jd_plane_edge(const series *s, int i);
// Signs of the forces with which a pair begins to slide.
int jd_plane_sign(const series *s, int i);

#endif
