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

// Newton within the expansion g about the anchor; the zero is at distance d in [low, high].
static double solve(const double *g, double low, double high) {
    double d = 0;
    for (int i = 0; i < 30; i++) {
        double value = jd_horner(g, d), slope = jd_horner_slope(g, d);
        if (value > 0)
            low = fmax(low, d);
        else
            high = fmin(high, d);
        double next = slope < 0 ? d - value / slope : low - 1;
        if (!(next >= low && next <= high)) next = 0.5 * (low + high);
        double change = fabs(next - d);
        d = next;
        if (change <= JD_EPS * fabs(d) || change == 0) break;
    }
    return d;
}

double jd_finish(jd_search *s, const jd_guard *guard, const jd_verdict *verdict) {
    double low = s->t, high = s->t + verdict->end, t = s->t + verdict->x;
    jd_look look;
    for (int i = 0; i < 60; i++) {
        jd_anchor(s, t);
        jd_look_at(s, guard, &look);
        double f[JD_TAYLOR], g[JD_TAYLOR];
        for (int m = 0; m < JD_TAYLOR; m++) f[m] = look.total[m] + look.polynomial[m];
        jd_distance(guard, f, verdict->side, g);
        if (g[0] > 0)
            low = t;
        else
            high = t;
        double d = solve(g, low - t, high - t);
        double remainder = look.total[11] * pow(fabs(d), s->basis->order);
        bool accurate = remainder <= 0.25 * look.noise;
        double next = fmin(fmax(t + d, low), high);
        if (accurate || next == t || high - low <= JD_EPS * t) {
            t = next;
            break;
        }
        t = next;
    }
    return t;
}

// On a limit: |f - limit| <= noise + |f'| dt, dt the rounding of the time itself.
uint64_t jd_find_ties(jd_search *s) {
    uint64_t ties = 0;
    double dt = s->result->rounding + 2 * JD_EPS * s->t;
    for (int i = 0; i < s->n_guard; i++) {
        jd_look look;
        jd_look_at(s, s->guard + i, &look);
        double f = look.total[0] + look.polynomial[0], f1 = look.total[1] + look.polynomial[1];
        double near = look.noise + fabs(f1) * dt;
        if (fabs(f - s->guard[i].lower) <= near || fabs(f - s->guard[i].upper) <= near)
            ties |= (uint64_t)1 << i;
    }
    return ties;
}
