// cauchy.h -- products with the shapes of one held contact, in time proportional to their number.
#ifndef JD_ENGINE_EXACT_CAUCHY_H
#define JD_ENGINE_EXACT_CAUCHY_H

#include "base/arena.h"
#include "base/dd.h"

typedef struct jd_cauchy jd_cauchy;

typedef struct jd_cauchy_def {
    int n;                // modes
    const jd_dd *pole;    // n squared frequencies, ascending
    const jd_dd *root;    // n - 1 between them
    const double *b;      // n: the held row
    const double *Q, *QT; // n x (n - 1) shapes and their transpose; kept, not copied
} jd_cauchy_def;

// *out is NULL where a plain product costs less, or the shapes are not b_l g_k/(pole_l - root_k).
jd_status jd_cauchy_create(jd_arena *arena, const jd_cauchy_def *def, jd_cauchy **out);

// x = Q'q, v = Q'p (n - 1 numbers each); and back, q = Q x, p = Q v.
void jd_cauchy_into(jd_cauchy *c, const double *q, const double *p, double *x, double *v);
void jd_cauchy_back(jd_cauchy *c, const double *x, const double *v, double *q, double *p);

#endif
