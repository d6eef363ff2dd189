// parts.h -- motion that is not kept in simple poles because these would nearly cancel: drives
// beside coupled poles (resonance.c), damped rigid-body motion (drift.c).
#ifndef JD_ENGINE_EXACT_PARTS_H
#define JD_ENGINE_EXACT_PARTS_H

#include "engine/exact/exact.h"

// resonance.c: blocks of the drives beside coupled poles; is there one for this pole and drive; is
// any drive beside a pole; g of the blocks; amplitudes at t0; their share, times a factor, added to
// x and x'; weights of a functional over block i
jd_status jd_resonance_create(exact *e, basis *b);
bool jd_resonance_has(const basis *b, int pole, int d);
bool jd_resonance_near(const exact *e, const basis *b);
void jd_resonance_forces(const exact *e, basis *b);
void jd_resonance_start(exact *e);
void jd_resonance_state(const exact *e, double factor, const double *re, const double *im,
                        double *x, double *xd);
void jd_resonance_weights(const basis *b, const functional *f, int i, jd_complex *p, jd_complex *q);
// ledger_resonance.c: what they add to int E'C E (C, or c row row'), to the work of drive d, to the
// integral of coordinate k and to the first n moments
double jd_resonance_square(const exact *e, const double *C, double c, const double *row, double t);
double jd_resonance_work(const exact *e, int d, double t);
double jd_resonance_integral(const exact *e, int k, double t);
void jd_resonance_moments(exact *e, double t, int n);
// drift.c: what it needs, where it is possible; the harmonic response of the slow poles; their
// share of the state into poly, what is left in x, xd
jd_status jd_drift_create(exact *e, basis *b);
void jd_drift_response(const exact *e, const basis *b, int d, jd_complex *X);
void jd_drift_start(exact *e, double *x, double *xd);

#endif
