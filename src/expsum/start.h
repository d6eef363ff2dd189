// start.h -- a guard that starts on its limit, and its first steps away from it.
//   g = distance from the limit, its first s - 1 derivatives exactly 0 at the start:
//     g = h^s (g_s + g_{s+1} h + ...), the bracket positive; fast poles enter as
//     tail_s = sum |c||lambda|^s/s!, since their lower terms belong to the zero.
//   s beyond the expansion: the same for a derivative of g (`lifted`), REACH_UP orders at a time.
//   After a step of length h the distance, of order h^s, may still be below rounding. Then the step
//   is one on which g^(s) > 0, and so g^(k) > 0 for all k <= s on (0, h]. From there g > 0 as long
//   as any one of these derivatives stays positive: the one for which that can be proved longest
//   carries the guard on, until it is out of its rounding.
#ifndef JD_EXPSUM_START_H
#define JD_EXPSUM_START_H

#include "expsum/prove.h"

// sum |c||lambda|^k/k! over all poles: what f^(k)/k! is rounded by. k < order.
static inline double derivative_size(const jd_search *s, const jd_look *look, int k) {
    const jd_expbasis *b = s->basis;
    const double *row = look->guard->watch->row;
    double sum = 0;
    for (int j = 0; j < b->n_used; j++, row += JD_ROW)
        sum +=
            sqrt(row[k] * row[k] + row[8 + k] * row[8 + k]) *
            sqrt(b->scratch.z_re[j] * b->scratch.z_re[j] + b->scratch.z_im[j] * b->scratch.z_im[j]);
    return sum;
}

// The deflated polynomial of order s with remainder and allowances taken off.
static inline void deflate(const jd_search *s, const jd_look *look, const jd_expansion *e,
                           int order, double noise, double d[JD_TAYLOR]) {
    double sign = look->guard->start_side < 0 ? 1 : -1;
    for (int m = 0; m < JD_TAYLOR; m++) d[m] = 0;
    for (int m = order; m < JD_TAYLOR; m++) d[m - order] = sign * e->f[m];
    d[s->basis->order - order] -= e->B;
    d[0] -= (order < 3 ? e->tail[order] : 0) + noise;
}

// Rounding of the first derivative that does not vanish.
static inline double lead_noise(const jd_search *s, const jd_look *look, int order) {
    double size = order < 3 ? look->total[8 + order] : derivative_size(s, look, order);
    return 16 * JD_EPS * s->options.rounding *
           (size + fabs(look->polynomial[order < JD_TAYLOR ? order : 0]));
}

static inline double both(double a, double b) { return a < b ? a : b; }

static inline int climb_start(const jd_search *s, const jd_look *look, const jd_expansion *e,
                              const double *d, int rung, int cap) {
    const jd_guard *guard = look->guard;
    double lower = guard->start_side < 0 ? -HUGE_VAL : guard->lower;
    double upper = guard->start_side > 0 ? HUGE_VAL : guard->upper;
    bool other = lower > -HUGE_VAL || upper < HUGE_VAL;
    int bias = 2;
#define TEST(h)                                                                                    \
    (other ? both(positive(d, h), holds(look, e, (h), lower, upper, s->basis->order))              \
           : positive(d, h))
    CLIMB(TEST, rung, bias, cap);
#undef TEST
    return rung;
}

// Beyond order 2 fast poles have no bound: all are slow. *least: of the distance after the rung,
// h^order times what the deflated polynomial is at h.
static inline int start_rung(const jd_search *s, const jd_look *look, int order, int cap,
                             double *least) {
    double lead = lead_noise(s, look, order), d[JD_TAYLOR];
    double moves = fabs(look->total[order]) - lead;
    const double *p = forced_split(s, look);
    if (order >= 3)
        p = look->total;
    else if (!p)
        p = split_below(look, order, moves);
    jd_expansion e;
    expand_fully(s, look, p, &e);
    deflate(s, look, &e, order, lead, d);
    if (!(d[0] > 0)) return -1;
    int rung = e.B > 0 ? rough_rung(s, d[0], e.B, 1.0 / (s->basis->order - order)) : JD_RUNGS - 1;
    rung = climb_start(s, look, &e, d, rung, cap);
    if (rung < 0) return -1;
    double h = jd_rung_length(s->basis, rung);
    *least = horner(d, h) * power_of(h, order);
    return rung;
}

// The highest order the expansion can tell.
static inline int top_order(const jd_search *s, const jd_guard *guard) {
    int most = guard->start_order > 3 ? guard->start_order : 3, top = s->basis->order - 1;
    if (most > JD_START_ORDER_MAX) most = JD_START_ORDER_MAX;
    return most < top ? most : top;
}

// False: the guard moves outward at once. A leading derivative below rounding is passed over
// (undecided) and the next one asked. *order: of the one that moves it; *least: see start_rung.
static inline bool certify_order(jd_search *s, const jd_look *look, int cap, int *order, int *rung,
                                 double *least) {
    double sign = look->guard->start_side < 0 ? 1 : -1;
    int top = top_order(s, look->guard);
    *rung = -1;
    *order = look->guard->start_order;
    for (; *order <= top; ++*order) {
        if (fabs(look->total[*order]) > lead_noise(s, look, *order)) break;
        s->result->undecided++;
    }
    if (*order > top) return true;
    if (sign * look->total[*order] < 0) return false;
    *rung = start_rung(s, look, *order, cap, least);
    return true;
}

enum { REACH_UP = JD_START_ORDER_MAX }; // orders that are told from one expansion

// The derivative of order `lift` of a guard that started on its limit: a guard of its own, on the
// limit 0.
static jd_guard lifted_guard(const jd_guard *guard, int lift) {
    jd_guard g = jd_default_guard(guard->lifted[lift]);
    if (guard->start_side < 0)
        g.lower = 0;
    else
        g.upper = 0;
    g.start_side = guard->start_side;
    g.start_order = guard->start_order - lift;
    g.degree = guard->degree < lift ? -1 : guard->degree - lift;
    for (int m = 0; m <= g.degree; m++) {
        double factor = 1;
        for (int i = 1; i <= lift; i++) factor *= m + i;
        g.polynomial[m] = factor * guard->polynomial[m + lift];
    }
    return g;
}

// The multiple of REACH_UP below order k >= 1.
static inline int lift_below(int k) { return (k - 1) / REACH_UP * REACH_UP; }

// How far the guard stays off its other limit.
static inline int other_side_rung(const jd_search *s, const jd_look *look, int cap) {
    const jd_guard *guard = look->guard;
    double lower = guard->start_side < 0 ? -HUGE_VAL : guard->lower;
    double upper = guard->start_side > 0 ? HUGE_VAL : guard->upper;
    if (lower == -HUGE_VAL && upper == HUGE_VAL) return cap;
    jd_expansion e;
    expand(s, look, look->total, &e);
    int rung = cap, bias = 0;
#define TEST(h) holds(look, &e, (h), lower, upper, s->basis->order)
    CLIMB(TEST, rung, bias, cap);
#undef TEST
    return rung;
}

// g^(k) > 0 from the anchor on: how far? 1 <= k < order.
static inline int level_rung(const jd_search *s, const jd_look *look, int k, int cap) {
    const jd_expbasis *b = s->basis;
    double sign = look->guard->start_side < 0 ? 1 : -1, d[JD_TAYLOR] = {0}, binomial = 1;
    double phase = k + 1 < b->order ? (k + 1) * derivative_size(s, look, k + 1) * s->t : 0;
    for (int m = 0; m + k < b->order; m++) {
        d[m] = sign * binomial * look->total[m + k];
        binomial *= (double)(m + k + 1) / (m + 1);
    }
    d[b->order - k] -= binomial * s->options.bound_factor * look->total[11];
    d[0] -= JD_EPS * s->options.rounding *
            ((16 + 3 * s->climbs) * derivative_size(s, look, k) + phase +
             16 * fabs(look->polynomial[k]));
    int rung = cap, bias = 0;
    if (!(d[0] > 0)) return -1;
#define TEST(h) positive(d, h)
    CLIMB(TEST, rung, bias, cap);
#undef TEST
    return rung;
}

// Is the distance after the rung, at least `least`, clear of rounding?
static inline bool clear_after(const jd_search *s, const jd_look *look, int rung, double least) {
    double h = jd_rung_length(s->basis, rung);
    return least > 4 * (look->noise + JD_EPS * s->options.rounding * look->total[9] * h);
}

// Is the guard on its way back after the rung? A flight so short that it never leaves rounding is
// seen by the deflated polynomial alone.
static inline bool returns_after(const jd_search *s, const jd_look *look, int order, int rung) {
    double h = jd_rung_length(s->basis, rung), slope = 0;
    for (int m = JD_TAYLOR - 1; m >= order; m--) slope = slope * h + m * look->total[m];
    return look->guard->start_side < 0 ? slope < 0 : slope > 0;
}

// At time 0. Where the first step does not lead out of rounding, it is as long as the derivative of
// that order is positive, and so are all below it.
static bool certify_start(jd_search *s, const jd_look *look, int cap, jd_start *start, int *rung) {
    const jd_guard *guard = look->guard;
    int lift = guard->lifted ? lift_below(guard->start_order) : 0, order;
    double least = 0;
    *start = (jd_start){.until = -1};
    if (lift == 0) {
        if (!certify_order(s, look, cap, &order, rung, &least)) return false;
        if (*rung < 0 || clear_after(s, look, *rung, least) || returns_after(s, look, order, *rung))
            return true;
        *rung = level_rung(s, look, order, *rung);
    } else {
        jd_guard g = lifted_guard(guard, lift);
        jd_look high;
        high.bounded = false;
        look_at(s, &g, &high);
        if (!certify_order(s, &high, cap, &order, rung, &least)) return false;
        if (*rung < 0) return true;
        *rung = level_rung(s, &high, order, cap);
    }
    start->level = lift + order;
    int other = other_side_rung(s, look, cap);
    if (other < *rung) *rung = other;
    if (*rung >= 0) start->until = s->t + jd_rung_length(s->basis, *rung);
    return true;
}

// The longest rung on which one of the derivatives lift + 1 ... known to be positive can be proved
// to stay so; *best: its order.
static int longest_rung(const jd_search *s, const jd_look *look, int lift, int cap, int level,
                        int *best) {
    int longest = -1;
    for (int k = 1; k <= REACH_UP && lift + k <= level; k++) {
        int rung = level_rung(s, look, k, cap);
        if (rung < 0 || rung < longest - 8) continue;
        longest = rung;
        *best = lift + k;
    }
    return longest;
}

// A guard that is still within rounding of the limit it started on: -1 when no derivative known
// to be positive so far is so any longer. A short proof by a low one would give up the others.
static int climb_out(const jd_search *s, const jd_look *look, int cap, jd_start *start) {
    if (s->t > start->until) return -1;
    int level = 0, rung = longest_rung(s, look, 0, cap, start->level, &level);
    for (int lift = REACH_UP; lift < start->level; lift += REACH_UP) {
        jd_guard g = lifted_guard(look->guard, lift);
        jd_look high;
        int best = 0;
        high.bounded = false;
        look_at(s, &g, &high);
        int longer = longest_rung(s, &high, lift, cap, start->level, &best);
        if (longer < 0 || longer < rung - 8) continue;
        rung = longer;
        level = best;
    }
    int other = other_side_rung(s, look, cap);
    if (other < rung) rung = other;
    if (rung >= 0) *start = (jd_start){s->t + jd_rung_length(s->basis, rung), level, false};
    return rung;
}

#endif
