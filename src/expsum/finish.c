// finish.c -- the zero to the last digit: bracketed Newton on Taylor expansions at true
// exponentials.
//   One expansion about T gives the zero at T + d to order 8; it is accepted when its own remainder
//   B d^order is below rounding, otherwise the expansion is renewed at T + d.
#include <math.h>

#include "expsum/search.h"

void jd_anchor(jd_search *s, double t) {
    jd_expbasis *b = s->basis;
    jd_expbasis_advance(b, t, s->re0, s->im0, b->z_re, b->z_im);
    b->kernel->magnitudes(b->n_slot, b->z_re, b->z_im, b->magnitude);
    s->t = t;
    s->climbs = 0;
    s->result->evaluations++;
    s->result->exponentials++;
}

// Newton within the expansion g about the anchor; the zero is at distance d in [low, high]. Ends
// when a step is below what the time itself can resolve.
static double solve(const double *g, double low, double high, double resolution) {
    double d = 0;
    for (int i = 0; i < 30; i++) {
        double value = jd_horner(g, d), slope = jd_horner_slope(g, d);
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

// The anchor by a tiny time: amplitudes from the Taylor series of the exponentials.
static bool nudge(jd_search *s, double t) {
    jd_expbasis *b = s->basis;
    double d = t - s->t;
    if (d == 0) return true;
    if (b->n_pair > 0 || fabs(d) * b->rate_max > 1e-3) return false;
    b->kernel->nudge(b->n_slot, b->re, b->im, d, b->z_re, b->z_im);
    s->t = t;
    return true;
}

// One Newton step from the anchor, or half the bracket where Newton leaves it (or is too slow: i).
static double newton(const double *g, double low, double high, int i) {
    double d = g[1] < 0 ? -g[0] / g[1] : high + 1;
    return d > low && d < high && i % 8 != 7 ? d : 0.5 * (low + high);
}

double jd_finish(jd_search *s, const jd_guard *guard, const jd_verdict *verdict) {
    double low = s->t, high = s->t + verdict->end, t = s->t + verdict->x;
    jd_look look;
    bool accurate = false;
    for (int i = 0; i < 400 && !accurate; i++) {
        jd_anchor(s, t);
        jd_look_at(s, guard, &look);
        double f[JD_TAYLOR], g[JD_TAYLOR];
        for (int m = 0; m < JD_TAYLOR; m++) f[m] = look.total[m] + look.polynomial[m];
        jd_distance(guard, f, verdict->side, g);
        if (g[0] > 0)
            low = t;
        else
            high = t;
        double d = solve(g, low - t, high - t, 0.1 * JD_EPS * t);
        double remainder = look.total[11] * jd_power(fabs(d), s->basis->order);
        accurate = remainder <= 0.25 * look.noise;
        if (remainder > 0.01 * fabs(g[0]) && !accurate) d = newton(g, low - t, high - t, i);
        double next = t + d < low ? low : t + d > high ? high : t + d;
        accurate = accurate || next == t || high - low <= JD_EPS * t;
        t = next;
    }
    if (!nudge(s, t)) jd_anchor(s, t);
    return t;
}

static bool on_limit(const jd_look *look, double dt) {
    double f = look->total[0] + look->polynomial[0], f1 = look->total[1] + look->polynomial[1];
    double near = look->noise + fabs(f1) * dt;
    return fabs(f - look->guard->lower) <= near || fabs(f - look->guard->upper) <= near;
}

// Ties: |f - limit| <= noise + |f'| dt, dt the rounding of the time itself.
void jd_report_zero(jd_search *s, int guard, int side) {
    jd_search_result *r = s->result;
    jd_look look;
    jd_look_at(s, s->guard + guard, &look);
    r->outcome = JD_SEARCH_FOUND;
    r->time = s->t;
    r->guard = guard;
    r->side = side;
    for (int m = 0; m < JD_TAYLOR; m++) r->taylor[m] = look.total[m] + look.polynomial[m];
    double slope = fmax(fabs(r->taylor[1]), sqrt(look.noise * fabs(r->taylor[2])));
    r->rounding = slope > 0 ? look.noise / slope : 0;
    r->ties = (uint64_t)1 << guard;
    for (int i = 0; i < s->n_guard; i++) {
        if (i == guard) continue;
        jd_look_at(s, s->guard + i, &look);
        if (on_limit(&look, r->rounding + 2 * JD_EPS * s->t)) r->ties |= (uint64_t)1 << i;
    }
}
