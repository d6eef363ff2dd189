// taylor_model.h -- Taylor models: a function of the period T next to a place, with a proved error.
//   f(T + d) = v + s d + e,  |e| <= r  for |d| <= h; complex v and s. Products, reciprocals and
//   sums of models are models: bounds hold over all of the interval, not at samples of it. Rounding
//   of each operation is counted in r.
#ifndef JD_ANALYSIS_NSM_MODEL_H
#define JD_ANALYSIS_NSM_MODEL_H

#include <math.h>
#include <stdbool.h>

typedef struct nsm_model {
    double re, im;   // v
    double dre, dim; // s
    double r;        // >= 0; HUGE_VAL: nothing is known
} nsm_model;

#define NSM_ROUNDING 4.5e-16 // of one product: two ulps

static inline double model_size(nsm_model a) { return sqrt(a.re * a.re + a.im * a.im); }
static inline double model_slope(nsm_model a) { return sqrt(a.dre * a.dre + a.dim * a.dim); }
// Bounds of |f| over the interval; the lower one is negative where f may vanish.
static inline double model_most(nsm_model a, double h) {
    return model_size(a) + model_slope(a) * h + a.r;
}
static inline double model_least(nsm_model a, double h) {
    return model_size(a) - model_slope(a) * h - a.r;
}

static inline nsm_model model_real(double v, double s, double r) {
    return (nsm_model){v, 0, s, 0, r};
}

// sum += weight a
static inline void model_add(nsm_model *sum, double weight, nsm_model a) {
    double size = fabs(weight);
    sum->re += weight * a.re;
    sum->im += weight * a.im;
    sum->dre += weight * a.dre;
    sum->dim += weight * a.dim;
    sum->r += size * a.r +
              NSM_ROUNDING * (size * (fabs(a.re) + fabs(a.im)) + fabs(sum->re) + fabs(sum->im));
}

static inline nsm_model model_plus(nsm_model a, double weight, nsm_model b) {
    model_add(&a, weight, b);
    return a;
}

static inline nsm_model model_times(nsm_model a, nsm_model b, double h) {
    double va = model_size(a), vb = model_size(b), sa = model_slope(a) * h, sb = model_slope(b) * h;
    return (nsm_model){.re = a.re * b.re - a.im * b.im,
                       .im = a.re * b.im + a.im * b.re,
                       .dre = a.re * b.dre - a.im * b.dim + a.dre * b.re - a.dim * b.im,
                       .dim = a.re * b.dim + a.im * b.dre + a.dre * b.im + a.dim * b.re,
                       .r = sa * sb + a.r * (vb + sb + b.r) + b.r * (va + sa) +
                            NSM_ROUNDING * va * vb};
}

// 1/a, where |a| >= least is known besides what the model tells.
static inline nsm_model model_inverse(nsm_model a, double h, double least) {
    double square = a.re * a.re + a.im * a.im, size = sqrt(square);
    double moves = model_slope(a) * h + a.r, low = fmax(size - moves, least);
    if (!(low > 0)) return (nsm_model){.r = HUGE_VAL};
    double re = a.re / square, im = -a.im / square;
    double p = re * re - im * im, q = 2 * re * im; // 1/v^2
    return (nsm_model){.re = re,
                       .im = im,
                       .dre = -(p * a.dre - q * a.dim),
                       .dim = -(p * a.dim + q * a.dre),
                       .r = (a.r + moves * moves / low) / square + NSM_ROUNDING / size};
}

// The sign all over the interval of a real function; 0: not proved.
static inline int model_sign(nsm_model a, double h) {
    return fabs(a.re) - fabs(a.dre) * h - a.r > 0 ? (a.re > 0 ? 1 : -1) : 0;
}

#endif
