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

static inline void look_at(const jd_search *s, const jd_guard *guard, jd_look *look) {
    const jd_expbasis *b = s->basis;
    look->guard = guard;
    double size = shift_polynomial(guard, s->t, look->polynomial);
    if (look->bounded)
        prefix_sums_again(b->n_used, b->row_of, guard->watch->row, b->z_re, b->z_im,
                          look->polynomial, look->prefix[0]);
    else
        prefix_sums(b->n_used, b->row_of, guard->watch->row, b->z_re, b->z_im, b->magnitude,
                    look->polynomial, look->prefix[0]);
    look->bounded = s->kept;
    if (b->n_group == 0) {
        memset(look->prefix[0], 0, sizeof look->prefix[0]);
        memcpy(look->prefix[0], look->polynomial, sizeof look->polynomial);
    }
    look->total = look->prefix[b->n_group > 0 ? b->n_group - 1 : 0];
    double eps = JD_EPS * s->options.rounding;
    look->noise = eps * ((16 + 3 * s->climbs) * look->total[8] + look->total[9] * s->t + 16 * size);
    look->noise1 = eps * (16 + 3 * s->climbs) * look->total[9];
}

static inline int last_group(const jd_search *s) {
    return s->basis->n_group > 0 ? s->basis->n_group - 1 : 0;
}

// |fast part of f^(m)/m!|; a difference of sums: its own rounding is allowed for.
static inline double tail_of(const jd_search *s, const jd_look *look, int q, int m) {
    const double *p = look->prefix[q], *total = look->total;
    double own = p == total ? 0 : 4 * JD_EPS;
    return s->options.bound_factor * (total[8 + m] - p[8 + m]) + own * total[8 + m];
}

static inline void expand(const jd_search *s, const jd_look *look, int q, jd_expansion *e) {
    e->q = q;
    e->f = look->prefix[q];
    e->B = s->options.bound_factor * look->prefix[q][11];
    e->tail[0] = tail_of(s, look, q, 0);
}

// The same for proofs about derivatives.
static inline void expand_fully(const jd_search *s, const jd_look *look, int q, jd_expansion *e) {
    expand(s, look, q, e);
    e->tail[1] = tail_of(s, look, q, 1);
    e->tail[2] = tail_of(s, look, q, 2);
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

// The smallest split whose fast part is small against `distance`, in derivative m.
static inline int split_below(const jd_search *s, const jd_look *look, int m, double distance) {
    int last = last_group(s), q = last;
    if (s->options.split >= 0) return s->options.split < last ? s->options.split : last;
    double floor = look->total[8 + m] - FAST_SHARE * distance;
    while (q > 0 && look->prefix[q - 1][8 + m] > floor) q--;
    return q;
}

typedef struct jd_choice {
    int q;
    int64_t log;   // of the step that groups 0..q promise; INT64_MIN: none
    bool straight; // limited by the speed, not by the remainder
} jd_choice;

// min((slack/B)^(1/order), room/speed)
static inline jd_choice promise(const jd_search *s, const jd_look *look, int q) {
    const jd_guard *guard = look->guard;
    const double *p = look->prefix[q];
    double allowance = look->total[8] - p[8] + look->noise;
    double below = p[0] - guard->lower - allowance, above = guard->upper - p[0] - allowance;
    double slack = below < above ? below : above, room = p[1] < 0 ? below : above;
    if (!(slack > 0)) return (jd_choice){q, INT64_MIN, false};
    int64_t bounded = ((jd_bits(slack) - jd_bits(p[11])) >> 16) * s->basis->over_order;
    int64_t straight = jd_bits(room) - jd_bits(fabs(p[1]));
    return (jd_choice){q, straight < bounded ? straight : bounded, straight < bounded};
}

// Better splits than best->q in the given direction, as long as they get better.
static inline void improve(const jd_search *s, const jd_look *look, int direction,
                           jd_choice *best) {
    for (int q = best->q + direction; q >= 0 && q <= last_group(s); q += direction) {
        jd_choice c = promise(s, look, q);
        if (c.log <= best->log) break;
        *best = c;
    }
}

// The split that promises the longest step, and its rung. False: nothing can be certified.
static inline bool choose_split(const jd_search *s, const jd_look *look, jd_choice *best,
                                int *rung) {
    const jd_guard *guard = look->guard;
    const double *total = look->total;
    double below = total[0] - guard->lower, above = guard->upper - total[0];
    int q = split_below(s, look, 0, (below < above ? below : above) - look->noise);
    *best = promise(s, look, q);
    if (s->options.split < 0) improve(s, look, -1, best);
    if (s->options.split < 0 && best->q == q) improve(s, look, 1, best);
    if (best->log == INT64_MIN) return false;
    *rung = rung_of_log(s, best->log);
    return true;
}

#endif
