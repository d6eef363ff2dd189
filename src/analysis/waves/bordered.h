// bordered.h -- linear systems with I - M and a few borders, M a period of small changes that only
// can be applied.
//     x - M x - sum_k a_k column_k = b,     row_k (x, a) = right_k
#ifndef JD_ANALYSIS_WAVES_BORDERED_H
#define JD_ANALYSIS_WAVES_BORDERED_H

#include "engine/engine.h"

enum { JD_BORDERS = 2 };

typedef struct jd_bordered {
    jd_run *run; // a period was taken down (jd_engine_map, replay)
    jd_arena *arena;
    int n, own;  // numbers of a change; those that sizes are taken of, the first
    int borders; // up to JD_BORDERS
    const double *column[JD_BORDERS];
    const double *row[JD_BORDERS]; // n + borders each
} jd_bordered;

// Sizes of changes are those of their first `own` numbers.
double jd_wave_dot(int own, const double *a, const double *b);
double jd_wave_size(int own, const double *a);

// x (n + borders) for the right side b (n + borders), by GMRES: until what is left is `share` of
// b. left: what is, of the size of b. rounds: periods that were taken.
jd_status jd_bordered_solve(const jd_bordered *s, const double *b, double share, double *x,
                            double *left, int *rounds);

#endif
