// sustained.h -- the search for orbits with sustained contact, in two parts.
#ifndef JD_ANALYSIS_NSM_SUSTAINED_H
#define JD_ANALYSIS_NSM_SUSTAINED_H

#include "analysis/nsm/nsm.h"
#include "structure/nonsmooth/sustained.h"

// A place where H loses rank, and how far around it there is no other.
typedef struct nsm_lapse {
    double h, s;
    double alone; // in |dh| + steep |ds| [s]
} nsm_lapse;

// A rectangle of (h + s, s) with its half sides, and how much H can change from its middle to its
// rim [s].
typedef struct nsm_box {
    double sum, s, dsum, ds, span;
} nsm_box;

// Energies are looked for up to so many times g^2/(2 c), the least that reaches the stop.
#define NSM_ENERGY_MOST 1e9

// Where orbits can be: 0 < s < s_most, sum_least < h + s < sum_most [s].
typedef struct sustained_window {
    double s_most, sum_least, sum_most;
    double jerk; // |d3u/dt3| <= jerk sqrt(2 E) in flight [kg^-1/2 s^-2]
} sustained_window;

// H at the (h, s) under test, and what is made of it.
typedef struct sustained_matrix {
    double *twist;       // n x m: (omega_j/sigma_k - sigma_k/omega_j) Q_jk
    double *H, *Hh, *Hs; // n x m
    double *G, *factor;  // m x m: H'H, and its factor
    double *row;         // m: R as a function of z
} sustained_matrix;

// Vectors and factors of Newton's method for H z = 0.
typedef struct sustained_newton {
    double *z, *y;         // m
    double *border, *step; // (n + 1)^2, n + 1
    double *side;          // 2 n
    int *pivot;            // n + 1
} sustained_newton;

typedef struct sustained_search {
    jd_nsm *s;
    jd_arena *arena; // scratch
    jd_sustained x;
    int n, n_stuck; // modes, and m, those with the stop's point stuck
    sustained_window window;
    sustained_matrix matrix;
    sustained_newton newton;
    nsm_sum push; // poles i sigma_k: force of the stop during the contact
    int n_lapse, lapse_room;
    nsm_lapse *lapse;
    jd_nsm_search report;
} sustained_search;

// sample.c: the closed forms for the modes that move the stop
jd_status jd_nsm_sustained_forms(const jd_nsm *s, jd_arena *arena, jd_sustained *out);
// orbit.c
// Is H'H (+ weight row'row) - limit^2 positive definite, i.e. |H z| > limit |z| for all z?
bool jd_sustained_clear(sustained_search *u, double weight, double limit);
// The unit z that H makes nearly shortest; returns |H z|. Leaves H'H in G.
double jd_sustained_nearly_null(sustained_search *u);
// Newton's method for H z = 0 from (h, s); false: goes further than `far`, or does not converge.
bool jd_sustained_newton(sustained_search *u, double *h, double *s, double far);
// Radius around the lapse just found in which there is no other.
double jd_sustained_alone(sustained_search *u, double h, double s);
// The orbit that belongs to (h, s), proved admissible; false: it is not, or cannot be decided.
jd_status jd_sustained_orbit(sustained_search *u, double h, double s, jd_nsm_sustained *out,
                             bool *admissible);
// candidate.c: proof that the rectangle holds no orbit that would be listed
bool jd_sustained_excluded(sustained_search *u, const nsm_box *b);
// h in the middle, and by how much it varies.
static inline double nsm_box_h(const nsm_box *b) { return b->sum - b->s; }
static inline double nsm_box_dh(const nsm_box *b) { return b->dsum + b->ds; }

#endif
