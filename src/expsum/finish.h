// finish.h -- the zero to the last digit: bracketed Newton on Taylor expansions at true
// exponentials.
//   One expansion about T gives the zero at T + d to order 8; it is accepted when its own remainder
//   B d^order is below rounding, otherwise the expansion is renewed at T + d.
#ifndef JD_EXPSUM_FINISH_H
#define JD_EXPSUM_FINISH_H

#include "expsum/prove.h"

// Anchor at time t by true exponentials.
static void anchor(jd_search *s, double t) {
    jd_expbasis *b = s->basis;
    if (b->n_pair > 0) {
        jd_expbasis_advance(b, t, s->re0, s->im0, b->scratch.z_re, b->scratch.z_im);
        magnitudes(b->n_slot, b->scratch.z_re, b->scratch.z_im, b->scratch.magnitude);
    } else {
        exponentials(b->n_slot, b->re, b->im, t, b->scratch.e_re, b->scratch.e_im);
        turn(b->n_slot, s->re0, s->im0, b->scratch.e_re, b->scratch.e_im, b->scratch.z_re,
             b->scratch.z_im, s->kept ? NULL : b->scratch.magnitude);
    }
    s->t = t;
    s->climbs = 0;
    s->result->evaluations++;
    s->result->exponentials++;
}

// Newton within the expansion g about the anchor; the zero is at distance d in [low, high]. Ends
// when a step is below what the time itself can resolve.
static inline double solve(const double *g, double low, double high, double resolution) {
    double d = 0;
    for (int i = 0; i < 30; i++) {
        double value = horner(g, d), slope = horner_slope(g, d);
        if (value > 0)
            low = d;
        else
            high = d;
        double next = slope < 0 ? d - value / slope : low - 1;
        if (!(next >= low && next <= high)) next = 0.5 * (low + high);
        double change = fabs(next - d);
        d = next;
        if (change <= resolution) break;
    }
    return d;
}

// The anchor by a short time: amplitudes from the Taylor series of the exponentials, cut where
// (|lambda| d)^(n+1)/(n+1)! < 1e-17.
static inline bool nudge_to(jd_search *s, double t) {
    jd_expbasis *b = s->basis;
    double d = t - s->t, reach = fabs(d) * b->rate_max;
    if (d == 0) return true;
    if (b->n_pair > 0 || reach > 0.08) return false;
    int terms = reach < 1e-7 ? 2 : reach < 1e-3 ? 4 : reach < 1.5e-2 ? 6 : 9;
    series(b->n_slot, b->re, b->im, d, terms, b->scratch.z_re, b->scratch.z_im);
    s->t = t;
    return true;
}

// One Newton step from the anchor, or half the bracket where Newton leaves it (or is too slow: i).
static inline double newton(const double *g, double low, double high, int i) {
    double d = g[1] < 0 ? -g[0] / g[1] : high + 1;
    return d > low && d < high && i % 8 != 7 ? d : 0.5 * (low + high);
}

// The anchor moved on by a rung of the ladder.
JD_INLINE void climb(jd_search *s, int rung) {
    jd_expbasis *b = s->basis;
    double h = jd_rung_length(b, rung);
    if (b->n_pair > 0 || !b->ladder.filled[rung]) {
        jd_expbasis_climb(b, rung, b->scratch.z_re, b->scratch.z_im);
        magnitudes(b->n_slot, b->scratch.z_re, b->scratch.z_im, b->scratch.magnitude);
    } else {
        size_t at = (size_t)rung * (size_t)b->n_slot;
        turn(b->n_slot, b->scratch.z_re, b->scratch.z_im, b->ladder.re + at, b->ladder.im + at,
             b->scratch.z_re, b->scratch.z_im, s->kept ? NULL : b->scratch.magnitude);
    }
    s->t += h;
    s->climbs++;
}

// The anchor to about x further on, by a few rungs: a first look at a zero that is not well known
// yet does not need true exponentials.
static inline void approach(jd_search *s, double x) {
    double end = s->t + x;
    for (int i = 0; i < 3; i++) {
        int rung = jd_expbasis_rung(s->basis, end - s->t);
        if (rung >= 0) climb(s, rung);
    }
    s->result->evaluations++;
}

// Zero of the guard in [t + 0, t + end], starting at t + x; moves the anchor there. here: the
// amplitudes are those at t. look: the last expansion, about time *about.
static inline double finish(jd_search *s, const jd_guard *guard, const jd_verdict *verdict,
                            bool here, jd_look *look, double *about) {
    double low = s->t, high = s->t + verdict->end, t = s->t + verdict->x;
    bool accurate = false, rough = here && verdict->error * s->basis->rate_max > 0.05;
    for (int i = 0; i < 400 && !accurate; i++) {
        if (rough && i == 0)
            approach(s, verdict->x), t = s->t;
        else
            anchor(s, t);
        look_at_total(s, guard, look);
        *about = t;
        double g[JD_TAYLOR];
        distance_from(guard, look->total, verdict->side, g);
        if (g[0] > 0)
            low = t;
        else
            high = t;
        double d = solve(g, low - t, high - t, 0.1 * JD_EPS * t);
        double remainder = look->total[11] * power_of(fabs(d), s->basis->order);
        accurate = remainder <= 0.25 * look->noise;
        if (remainder > 0.01 * fabs(g[0]) && !accurate) d = newton(g, low - t, high - t, i);
        double next = t + d < low ? low : t + d > high ? high : t + d;
        accurate = accurate || next == t || high - low <= JD_EPS * t;
        accurate = accurate && s->climbs == 0; // the end is by true exponentials
        t = next;
    }
    if (!nudge_to(s, t)) anchor(s, t);
    return t;
}

static inline bool on_limit(const jd_look *look, double dt) {
    double f = look->total[0], near = look->noise + fabs(look->total[1]) * dt;
    return fabs(f - look->guard->lower) <= near || fabs(f - look->guard->upper) <= near;
}

// out = Taylor coefficients of f about d, from those about 0.
static inline void shift_taylor(const double *f, double d, double out[JD_TAYLOR]) {
    for (int m = 0; m < JD_TAYLOR; m++) out[m] = f[m];
    for (int k = 0; k < JD_TAYLOR - 1 && d != 0; k++)
        for (int m = JD_TAYLOR - 2; m >= k; m--) out[m] += d * out[m + 1];
}

// Fills in the result for the zero of a guard at the anchor: derivatives, rounding, ties. look: the
// guard about a time close by.
//   Ties: |f - limit| <= noise + |f'| dt, dt the rounding of the time itself.
static inline void report_zero(jd_search *s, int guard, int side, jd_look *look, double about) {
    jd_search_result *r = s->result;
    r->outcome = JD_SEARCH_FOUND;
    r->time = s->t;
    r->guard = guard;
    r->side = side;
    shift_taylor(look->total, s->t - about, r->taylor);
    double bend = sqrt(look->noise * fabs(r->taylor[2])), slope = fabs(r->taylor[1]);
    if (bend > slope) slope = bend;
    r->rounding = slope > 0 ? look->noise / slope : 0;
    r->ties = (uint64_t)1 << guard;
    for (int i = 0; i < s->n_guard; i++) {
        if (i == guard) continue;
        look_at_total(s, s->guard + i, look);
        if (on_limit(look, r->rounding + 2 * JD_EPS * s->t)) r->ties |= (uint64_t)1 << i;
    }
}

#endif
