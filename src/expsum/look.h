// look.h -- a guard at an anchor: derivatives, bounds, rounding allowance, choice of the split.
//   noise = eps (sum|c| (16 + 3 climbs) + sum|c||lambda| t + 16 sum|a_m| t^m)
//   sum|c||lambda| t: the phase of a fast pole is known to eps |lambda| t only.
#ifndef JD_EXPSUM_LOOK_H
#define JD_EXPSUM_LOOK_H

#include "expsum/search.h"

// Taylor coefficients of sum a_m (t + h)^m in h; returns sum |a_m| t^m.
static inline double shift_polynomial(const jd_guard *guard, double t, double out[JD_TAYLOR]) {
    double size = 0;
    for (int m = 0; m < JD_TAYLOR; m++) out[m] = 0;
    if (guard->degree <= 0) {
        out[0] = guard->degree == 0 ? guard->polynomial[0] : 0;
        return fabs(out[0]);
    }
    for (int m = 0; m <= guard->degree; m++) out[m] = guard->polynomial[m];
    for (int m = guard->degree; m >= 0; m--) size = size * t + fabs(out[m]);
    for (int k = 0; k < guard->degree; k++)
        for (int m = guard->degree - 1; m >= k; m--) out[m] += t * out[m + 1];
    return size;
}

// size: sum |a_m| t^m of the guard's polynomial.
JD_INLINE double noise_of(const jd_search *s, const double *total, double size) {
    double eps = JD_EPS * s->options.rounding;
    return eps * ((16 + 3 * s->climbs) * total[8] + total[9] * s->t + 16 * size);
}

// Rounding of f' (also of f per second of step).
static inline double slope_noise(const jd_search *s, const jd_look *look) {
    return JD_EPS * s->options.rounding * (16 + 3 * s->climbs) * look->total[9];
}

// The sums at the anchor; bounded: the bounds are there already.
JD_INLINE void all_sums(const jd_search *s, jd_look *look, bool bounded) {
    const jd_expbasis *b = s->basis;
    const double *row = look->guard->watch->row;
    if (bounded)
        prefix_sums(b->n_used, b->row_of, row, b->scratch.z_re, b->scratch.z_im,
                    b->scratch.magnitude, look->polynomial, look->prefix[0], false);
    else
        prefix_sums(b->n_used, b->row_of, row, b->scratch.z_re, b->scratch.z_im,
                    b->scratch.magnitude, look->polynomial, look->prefix[0], true);
}

static void look_at(const jd_search *s, const jd_guard *guard, jd_look *look) {
    const jd_expbasis *b = s->basis;
    look->guard = guard;
    double size = shift_polynomial(guard, s->t, look->polynomial);
    all_sums(s, look, look->bounded);
    look->bounded = s->kept;
    if (b->n_group == 0) {
        memset(look->prefix[0], 0, sizeof look->prefix[0]);
        memcpy(look->prefix[0], look->polynomial, sizeof look->polynomial);
    }
    look->total = look->prefix[s->last];
    look->noise = noise_of(s, look->total, size);
}

// The same where only the sums over all poles are asked for.
static void look_at_total(const jd_search *s, const jd_guard *guard, jd_look *look) {
    const jd_expbasis *b = s->basis;
    const double *row = guard->watch->row, *re = b->scratch.z_re, *im = b->scratch.z_im,
                 *magnitude = b->scratch.magnitude;
    double size = shift_polynomial(guard, s->t, look->polynomial), *total = look->prefix[s->last];
    look->guard = guard;
    look->total = total;
    if (look->bounded)
        total_sums(b->n_used, row, re, im, magnitude, look->polynomial, total, false);
    else
        total_sums(b->n_used, row, re, im, magnitude, look->polynomial, total, true);
    look->noise = noise_of(s, total, size);
}

// |fast part of f^(m)/m!|; a difference of sums: its own rounding is allowed for.
JD_INLINE double tail_of(const jd_search *s, const jd_look *look, const double *p, int m) {
    if (p == look->total) return 0;
    double all = look->total[8 + m];
    return s->options.bound_factor * (all - p[8 + m]) + 4 * JD_EPS * all;
}

// p: the prefix of the slow groups.
JD_INLINE void expand(const jd_search *s, const jd_look *look, const double *p, jd_expansion *e) {
    e->f = p;
    e->B = s->options.bound_factor * p[11];
    e->tail[0] = tail_of(s, look, p, 0);
}

// The same for proofs about derivatives.
static inline void expand_fully(const jd_search *s, const jd_look *look, const double *p,
                                jd_expansion *e) {
    expand(s, look, p, e);
    e->tail[1] = tail_of(s, look, p, 1);
    e->tail[2] = tail_of(s, look, p, 2);
}

// g = distance from the limit on the given side (-1 lower, +1 upper), as a Taylor polynomial.
static inline void distance_from(const jd_guard *guard, const double *f, int side,
                                 double g[JD_TAYLOR]) {
    double sign = side < 0 ? 1 : -1, limit = side < 0 ? guard->lower : guard->upper;
    for (int m = 0; m < JD_TAYLOR; m++) g[m] = sign * f[m];
    g[0] = sign * (f[0] - limit);
}

static inline int rung_of_log(const jd_search *s, int64_t log) {
    const int64_t one = 0x3ff0000000000000, top = (int64_t)500 << 52;
    return jd_rung_of_bits(s->basis, (log < top ? log : top) + one);
}

// About (x/y)^over_n for x, y >= 0, as a rung.
static inline int rough_rung(const jd_search *s, double x, double y, double over_n) {
    return rung_of_log(s, (int64_t)((double)(jd_bits(x) - jd_bits(y)) * over_n));
}

// Fast are the groups whose amplitudes together stay below this part of the distance to the limit.
#define FAST_SHARE 0.25

// The prefix that options.split asks for; NULL: the search chooses.
JD_INLINE const double *forced_split(const jd_search *s, const jd_look *look) {
    int split = s->options.split;
    return split < 0 ? NULL : look->prefix[split < s->last ? split : s->last];
}

// The smallest prefix whose fast part is small against `distance`, in derivative m.
JD_INLINE const double *split_below(const jd_look *look, int m, double distance) {
    const double *p = look->total, *first = look->prefix[0];
    double floor = p[8 + m] - FAST_SHARE * distance;
    while (p > first && p[8 + m - JD_SUMS] > floor) p -= JD_SUMS;
    return p;
}

typedef struct jd_choice {
    const double *p; // the prefix
    int64_t log;     // of the step that it promises; INT64_MIN: none
    bool straight;   // limited by the speed, not by the remainder
} jd_choice;

// min((slack/B)^(1/order), room/speed); over_order: of the basis.
JD_INLINE jd_choice promise(const jd_look *look, const double *p, int over_order) {
    const jd_guard *guard = look->guard;
    double allowance = look->total[8] - p[8] + look->noise;
    double below = p[0] - guard->lower - allowance, above = guard->upper - p[0] - allowance;
    double slack = below < above ? below : above, room = p[1] < 0 ? below : above;
    if (!(slack > 0)) return (jd_choice){p, INT64_MIN, false};
    int64_t bounded = ((jd_bits(slack) - jd_bits(p[11])) >> 16) * over_order;
    int64_t straight = jd_bits(room) - jd_bits(fabs(p[1]));
    return (jd_choice){p, straight < bounded ? straight : bounded, straight < bounded};
}

// The split that promises the longest step: from the first guess towards fewer groups, or if that
// gains nothing towards more, as long as it gets better.
JD_INLINE jd_choice choose_split(const jd_look *look, int over_order) {
    const jd_guard *guard = look->guard;
    const double *total = look->total, *first = look->prefix[0];
    double below = total[0] - guard->lower, above = guard->upper - total[0];
    const double *guess = split_below(look, 0, (below < above ? below : above) - look->noise);
    jd_choice best = promise(look, guess, over_order);
    for (const double *p = guess; p > first;) {
        jd_choice c = promise(look, p -= JD_SUMS, over_order);
        if (c.log <= best.log) break;
        best = c;
    }
    if (best.p != guess) return best;
    for (const double *p = guess; p < total;) {
        jd_choice c = promise(look, p += JD_SUMS, over_order);
        if (c.log <= best.log) break;
        best = c;
    }
    return best;
}

#endif
