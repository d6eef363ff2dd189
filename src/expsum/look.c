// look.c -- a guard at an anchor: derivatives, bounds, rounding allowance, choice of the split.
//   noise = eps (sum|c| (16 + 3 climbs) + sum|c||lambda| t + 16 sum|a_m| t^m)
//   sum|c||lambda| t: the phase of a fast pole is known to eps |lambda| t only.
#include <math.h>
#include <string.h>

#include "expsum/search.h"

// Taylor coefficients of sum a_m (t + h)^m in h; returns sum |a_m| t^m.
static double shift_polynomial(const jd_guard *guard, double t, double out[JD_TAYLOR]) {
    double size = 0;
    for (int m = 0; m < JD_TAYLOR; m++) out[m] = 0;
    for (int m = 0; m <= guard->degree; m++) out[m] = guard->polynomial[m];
    for (int m = guard->degree; m >= 0; m--) size = size * t + fabs(out[m]);
    for (int k = 0; k < guard->degree; k++)
        for (int m = guard->degree - 1; m >= k; m--) out[m] += t * out[m + 1];
    return size;
}

void jd_look_at(jd_search *s, const jd_guard *guard, jd_look *look) {
    jd_expbasis *b = s->basis;
    look->guard = guard;
    b->kernel->sums(b->n_group, b->first, guard->watch->row, b->z_re, b->z_im, b->magnitude,
                    look->prefix);
    if (b->n_group == 0) memset(look->prefix[0], 0, sizeof look->prefix[0]);
    look->total = look->prefix[b->n_group > 0 ? b->n_group - 1 : 0];
    double size = shift_polynomial(guard, s->t, look->polynomial);
    double eps = JD_EPS * s->options.rounding;
    look->noise = eps * ((16 + 3 * s->climbs) * look->total[8] + look->total[9] * s->t + 16 * size);
    look->noise1 = eps * (16 + 3 * s->climbs) * look->total[9];
}

void jd_expand(const jd_search *s, const jd_look *look, int q, jd_expansion *e) {
    const double *p = look->prefix[q], *total = look->total;
    double factor = s->options.bound_factor, own = p == total ? 0 : 4 * JD_EPS;
    e->q = q;
    for (int m = 0; m < JD_TAYLOR; m++) e->f[m] = p[m] + look->polynomial[m];
    for (int m = 0; m < 3; m++) // a difference of sums: its own rounding is allowed for
        e->tail[m] = factor * (total[8 + m] - p[8 + m]) + own * total[8 + m];
    e->B = factor * p[11];
}

void jd_distance(const jd_guard *guard, const double *f, int side, double g[JD_TAYLOR]) {
    double sign = side < 0 ? 1 : -1, limit = side < 0 ? guard->lower : guard->upper;
    for (int m = 0; m < JD_TAYLOR; m++) g[m] = sign * f[m];
    g[0] = sign * (f[0] - limit);
}

// The bits of a double are nearly its logarithm: log2(x) ~ bits/2^52 - 1023, good to 0.09. So a
// quotient is a difference and a root a product, and neither waits for the divider.
static inline int64_t bits_of(double x) {
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double from_log(int64_t log) {
    const int64_t one = 0x3ff0000000000000, top = (int64_t)500 << 52;
    log = (log > top ? top : log < -top ? -top : log) + one;
    double x;
    memcpy(&x, &log, sizeof x);
    return x;
}

double jd_rough_root(double x, double y, double over_n) {
    return from_log((int64_t)((double)(bits_of(x) - bits_of(y)) * over_n));
}

// Logarithm of the step that groups 0..q promise: min((slack/B)^(1/order), slack/speed).
static inline int64_t promise(const jd_look *look, const double *p, double over_order,
                              double *slack) {
    double f0 = p[0] + look->polynomial[0], f1 = p[1] + look->polynomial[1];
    double allowance = look->total[8] - p[8] + look->noise;
    double below = f0 - look->guard->lower - allowance, above = look->guard->upper - f0 - allowance;
    *slack = below < above ? below : above;
    double room = f1 < 0 ? below : above, distance = *slack > 0 ? *slack : 0;
    room = room > 0 ? room : 0;
    int64_t bounded = (int64_t)((double)(bits_of(distance) - bits_of(p[11])) * over_order);
    int64_t straight = bits_of(room) - bits_of(fabs(f1));
    int64_t log = bounded < straight ? bounded : straight;
    return *slack > 0 ? log : INT64_MIN;
}

// The split whose step promises to be longest. h = 0: nothing can be certified.
int jd_choose_split(const jd_search *s, const jd_look *look, double *h) {
    const jd_expbasis *b = s->basis;
    int last = b->n_group > 0 ? b->n_group - 1 : 0, best = last, q = 0;
    if (s->options.split >= 0) q = last = best = s->options.split < last ? s->options.split : last;
    double over_order = 1.0 / b->order, slack;
    int64_t longest = INT64_MIN;
    for (; q <= last; q++) {
        int64_t log = promise(look, look->prefix[q], over_order, &slack);
        best = log > longest ? q : best;
        longest = log > longest ? log : longest;
        if (look->total[8] - look->prefix[q][8] < 0.25 * slack) break; // more only enlarge B
    }
    *h = longest > INT64_MIN ? from_log(longest) : 0;
    return best;
}
