// parts.h -- a fit while it is made: inside of kernel/.
#ifndef JD_KERNEL_FIT_PARTS_H
#define JD_KERNEL_FIT_PARTS_H

#include "kernel/fit/fit.h"
#include "kernel/inside.h"

// How many poles, and where.
typedef struct fit_plan {
    double epsilon; // what poles on the ray are close enough for
    double reach;   // how far they go, over where the shortest echo has faded to epsilon
    int extra;      // pairs off the axis, and as many real poles
} fit_plan;

typedef struct fit_draft {
    jd_arena *arena;
    const jd_response *response;
    int m, places;
    jd_fit *fit;
    double first, low, top, step; // [rad/s] lowest mode, where poles begin that are no modes, where
                                  // those on the ray end; least difference of their logarithms
    double end;                   // up to where samples are taken at least; 0: no matter
    double limit; // of singular values, with a cut: large residues that cancel are noise
    int n_omega;
    double *omega; // samples
} fit_draft;

// fit/poles.c: poles of the plan, with the residues of the modes; samples for the others.
jd_status jd_fit_set_poles(fit_draft *w, const fit_plan *plan);
jd_status jd_fit_set_grid(fit_draft *w);
double jd_fit_count(const jd_response *response, const fit_plan *plan);
// Re and Im of what a unit of Re c and of Im c of pole p give at i omega.
void jd_fit_basis(const jd_fit *f, int p, double omega, double by_re[2], double by_im[2]);
// Value at i omega for a pair of places, without gamma.
void jd_fit_value(const jd_fit *f, int pair, double omega, double out[2]);
// Ghat - gamma of all pairs.
jd_status jd_fit_sample(const fit_draft *w, double omega, double *out);

// fit/cut.c: Rayleigh damping before waves come back: number of poles; sets them, and the jump.
int jd_fit_cut_poles(const jd_response *response, const fit_plan *plan);
jd_status jd_fit_set_cut(fit_draft *w, const fit_plan *plan);
const double *jd_fit_jump(const fit_draft *w); // gamma of the fit

// fit/error.c: error, worst_at and step_error of the fit; passivity.
jd_status jd_fit_judge(fit_draft *w);

// fit.c: strings and rods alone, or beams alone.
jd_status jd_fit_one_kind(jd_arena *arena, const jd_response *response, double tolerance,
                          jd_fit *out);

// fit/beam.c: modes for a tolerance.
double jd_fit_beam_modes(double tolerance, const jd_response *response);

// fit/beam_error.c: error of the poles of a beam with K modes.
jd_status jd_beam_measure(jd_arena *arena, const jd_response *response, int K, jd_fit *f);

// fit/tail.c: all modes of a beam beyond the last one kept.
typedef struct tail_plan {
    double ratio; // of damping
    double from;  // sqrt(omega) of the last mode kept, in units of
    double unit;  // [rad/s]
    double step;  // of the trapezoidal rule
    double end;   // of the path: sqrt(omega) over `from`
} tail_plan;
int jd_tail_poles(const tail_plan *plan);
// Poles from `at` on; mean: of the participations, for each pair.
void jd_tail_put(const tail_plan *plan, jd_fit *f, int at, int pairs, const double *mean);
double jd_tail_weight(int from_end); // of the mean of a mode, counted from the last one kept
double jd_tail_share(int k, int K);  // of what a mode has beside the mean

#endif
