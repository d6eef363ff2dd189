// expsum_balls.h -- random exponential sums and the proof, in ball arithmetic, of their first zero.
//   Each sum has a minimum planted at a given share of sum|c| above or below its limit. What the
//   search says is checked by a method of its own: march with the value, the slope and a bound of
//   |f''| only, proving g > 0 up to the zero reported: in double arithmetic with its rounding
//   bounded where that leaves three quarters of the value, in balls of 96 bits where it does not.
//   Pair blocks, with delta = sqrt(delta2), C = cosh(delta t), S = sinh(delta t)/delta (t for 0):
//     p(t) = e^{mu t}(p C + q S), q(t) = e^{mu t}(q C + delta2 p S),
//     f = Re p, f' = Re(mu p + q), f'' = Re((mu^2 + delta2) p + 2 mu q)
#ifndef JD_TESTS_EXPSUM_BALLS_H
#define JD_TESTS_EXPSUM_BALLS_H

#include <complex.h>
#include <stdlib.h>
#include <string.h>

#include <acb.h>
#include <arb.h>

#include "expsum/sum.h"
#include "near.h"

enum { POLES_MAX = 12, PAIRS_MAX = 2, SUM_SLOTS = 24, PRECISION = 96 };

typedef enum sum_kind {
    SUM_PLAIN,    // frequencies over up to three decades; decaying, undamped, overdamped
    SUM_CLUSTERS, // poles closer together than they decay, down to 1e-12 of their size
    SUM_SECULAR,  // t e^{mu t} and nearly so
    SUM_GROWING,  // every pole grows, some as fast as it oscillates, some without
    SUM_KINDS
} sum_kind;

typedef struct sum {
    int n, n_pair;
    jd_complex pole[POLES_MAX], amplitude[POLES_MAX];
    jd_pole_pair pair[PAIRS_MAX];
    jd_complex p[PAIRS_MAX], q[PAIRS_MAX];
    double lower, t_max, size, bend; // |f| <= size, |f''| <= bend
    double planted;                  // relative depth of the planted minimum
} sum;

static uint64_t seed;

static inline double uniform(void) { // splitmix64
    uint64_t z = (seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static inline double complex number(jd_complex z) { return jd_cmplx(z.re, z.im); }

static inline void add_pair(const sum *s, int k, double t, double f[3]) {
    double complex mu = number(s->pair[k].mu), d2 = number(s->pair[k].delta2), d = csqrt(d2);
    double complex C = ccosh(d * t), S = d2 == 0 ? t : csinh(d * t) / d, e = cexp(mu * t);
    double complex p = e * (number(s->p[k]) * C + number(s->q[k]) * S),
                   q = e * (number(s->q[k]) * C + d2 * number(s->p[k]) * S);
    f[0] += creal(p);
    f[1] += creal(mu * p + q);
    f[2] += creal((mu * mu + d2) * p + 2 * mu * q);
}

static inline void value(const sum *s, double t, double f[3]) {
    f[0] = f[1] = f[2] = 0;
    for (int p = 0; p < s->n; p++) {
        double complex l = number(s->pole[p]), z = number(s->amplitude[p]) * cexp(l * t);
        f[0] += creal(z);
        f[1] += creal(l * z);
        f[2] += creal(l * l * z);
    }
    for (int k = 0; k < s->n_pair; k++) add_pair(s, k, t, f);
}

// Lowest point of f on a scan of (0, t_max], refined by Newton on f'.
static inline double lowest(const sum *s) {
    double best = 0, least = HUGE_VAL, f[3];
    for (int i = 1; i <= 150; i++) {
        double t = s->t_max * i / 151;
        value(s, t, f);
        if (f[0] < least) least = f[0], best = t;
    }
    for (int i = 0; i < 6; i++) {
        value(s, best, f);
        double d = f[2] > 0 ? -f[1] / f[2] : 0;
        if (fabs(d) > s->t_max / 100) d = copysign(s->t_max / 100, d);
        if (best + d > 0 && best + d < s->t_max) best += d;
    }
    return best;
}

static inline jd_complex draw_pole(const sum *s, sum_kind kind, double w) {
    double x = uniform(), decay = -w * 0.1 * uniform();
    if (kind == SUM_GROWING) {
        double rate = fmin(w, 3 / s->t_max) * uniform();
        return x < 0.4 ? (jd_complex){rate, 0} : (jd_complex){rate, w};
    }
    if (x > 0.97) return (jd_complex){0.2 * uniform(), w};
    if (x > 0.9) return (jd_complex){-w, 0};
    return (jd_complex){x < 0.5 ? decay : 0, w};
}

// A pole close to the last one.
static inline jd_complex draw_near(jd_complex z) {
    double off = hypot(z.re, z.im) * pow(10, -1 - 11 * uniform());
    z.re += off * (uniform() - 0.5);
    if (z.im > 0) z.im += off * (uniform() - 0.5);
    return z;
}

static inline jd_complex draw_amplitude(double size) {
    double phase = 6.283185307179586 * uniform();
    return (jd_complex){size * cos(phase), size * sin(phase)};
}

static inline void draw_poles(sum *s, sum_kind kind) {
    double decades = (kind == SUM_PLAIN ? 3 : 1) * uniform(), steep = 2 * uniform();
    for (int p = 0; p < s->n; p++) {
        double w = pow(10, decades * uniform());
        s->pole[p] = draw_pole(s, kind, w);
        if (kind == SUM_CLUSTERS && p > 0 && uniform() < 0.7)
            s->pole[p] = draw_near(s->pole[p - 1]);
        double rate = hypot(s->pole[p].re, s->pole[p].im);
        double size = pow(rate, -steep) * uniform(),
               growth = exp(fmax(0, s->pole[p].re) * s->t_max);
        s->amplitude[p] = draw_amplitude(size);
        s->size += size * growth;
        s->bend += 1.0001 * size * growth * rate * rate;
    }
}

// |C| <= cosh(|delta| t), |S| <= t cosh(|delta| t).
static inline void draw_pairs(sum *s) {
    s->n_pair = 1 + (int)(uniform() * PAIRS_MAX);
    for (int k = 0; k < s->n_pair; k++) {
        jd_complex mu =
            draw_pole(s, uniform() < 0.2 ? SUM_GROWING : SUM_PLAIN, pow(10, 1.5 * uniform()));
        double rate = hypot(mu.re, mu.im), T = s->t_max,
               near = uniform() < 0.5 ? 0 : rate * rate * pow(10, -2 - 10 * uniform());
        bool real = mu.im == 0; // a real block has real entries
        s->pair[k] = (jd_pole_pair){mu, {near * (uniform() - 0.5), 0}};
        if (!real) s->pair[k].delta2.im = near * (uniform() - 0.5);
        s->p[k] = draw_amplitude(uniform() / (1 + rate));
        s->q[k] = draw_amplitude(uniform());
        if (real) s->p[k].im = s->q[k].im = 0;
        double d2 = hypot(s->pair[k].delta2.re, s->pair[k].delta2.im),
               a = hypot(s->p[k].re, s->p[k].im), b = hypot(s->q[k].re, s->q[k].im);
        double growth = exp(fmax(0, mu.re) * T) * cosh(sqrt(d2) * T);
        s->size += growth * (a + b * T);
        s->bend +=
            1.0001 * growth * ((rate * rate + d2) * (a + b * T) + 2 * rate * (b + d2 * a * T));
    }
}

static inline sum random_sum(double planted, sum_kind kind) {
    sum s = {.n = 2 + (int)(uniform() * (POLES_MAX - 1)), .planted = planted};
    s.t_max = 1 + 5 * uniform();
    draw_poles(&s, kind);
    if (kind == SUM_SECULAR) draw_pairs(&s);
    double f[3], t = lowest(&s);
    value(&s, t, f);
    s.lower = f[0] - planted * s.size;
    return s;
}

static inline void set_amplitudes(const sum *s, const jd_expbasis *basis, double *re, double *im) {
    for (int p = 0; p < s->n; p++) {
        re[jd_expbasis_slot(basis, p)] = s->amplitude[p].re;
        im[jd_expbasis_slot(basis, p)] = s->pole[p].im > 0 ? s->amplitude[p].im : 0;
    }
    for (int k = 0; k < s->n_pair; k++) {
        int at = jd_expbasis_pair_slot(basis, k);
        re[at] = s->p[k].re, im[at] = s->p[k].im;
        re[at + 1] = s->q[k].re, im[at + 1] = s->q[k].im;
    }
}

static inline jd_search_result search(const sum *s, int order, const jd_search_options *options) {
    jd_context *context = jd_context_create(NULL);
    jd_expbasis *basis;
    jd_watch *watch;
    jd_complex one[POLES_MAX], none[PAIRS_MAX] = {{0, 0}};
    jd_expbasis_def def = {
        .n_pole = s->n, .pole = s->pole, .n_pair = s->n_pair, .pair = s->pair, .order = order};
    double re[SUM_SLOTS] = {0}, im[SUM_SLOTS] = {0}, out_re[SUM_SLOTS], out_im[SUM_SLOTS];
    for (int p = 0; p < POLES_MAX; p++) one[p] = (jd_complex){1, 0};
    jd_watch_def weights = {.weight = one, .pair_p = one, .pair_q = none};
    assert_int_equal(jd_expbasis_create(context, &def, &basis), JD_OK);
    assert_int_equal(jd_watch_create(basis, &weights, &watch), JD_OK);
    set_amplitudes(s, basis, re, im);
    jd_guard guard = jd_default_guard(watch);
    guard.lower = s->lower;
    jd_search_result r;
    jd_first_zero(basis, re, im, 1, &guard, s->t_max, options, &r, out_re, out_im);
    jd_expbasis_free(basis);
    jd_context_free(context);
    return r;
}

static inline double lower_end(const arb_t x) {
    arf_t low;
    arf_init(low);
    arb_get_lbound_arf(low, x, PRECISION);
    double d = arf_get_d(low, ARF_RND_FLOOR);
    arf_clear(low);
    return d;
}

// z = c e^{l t}
static inline void ball_term(acb_t z, jd_complex pole, double t, acb_t l) {
    acb_set_d_d(l, pole.re, pole.im);
    acb_set_d(z, t);
    acb_mul(z, z, l, PRECISION);
    acb_exp(z, z, PRECISION);
}

// Adds Re p(t) to g and Re(mu p + q) to slope.
static inline void ball_pair(const sum *s, int k, double t, arb_t g, arb_t slope) {
    acb_t x[9];
    for (int i = 0; i < 9; i++) acb_init(x[i]);
    acb_ptr e = x[0], mu = x[1], d2 = x[2], C = x[3], S = x[4], p = x[5], q = x[6], a = x[7],
            b = x[8];
    ball_term(e, s->pair[k].mu, t, mu);
    acb_set_d_d(d2, s->pair[k].delta2.re, s->pair[k].delta2.im);
    acb_sqrt(a, d2, PRECISION);
    acb_set_d(b, t);
    acb_mul(b, a, b, PRECISION); // delta t
    acb_cosh(C, b, PRECISION);
    acb_sinh(S, b, PRECISION);
    if (s->pair[k].delta2.re == 0 && s->pair[k].delta2.im == 0)
        acb_set_d(S, t);
    else
        acb_div(S, S, a, PRECISION);
    acb_set_d_d(a, s->p[k].re, s->p[k].im);
    acb_set_d_d(b, s->q[k].re, s->q[k].im);
    acb_mul(p, a, C, PRECISION);
    acb_addmul(p, b, S, PRECISION);
    acb_mul(p, p, e, PRECISION);
    acb_mul(q, a, d2, PRECISION);
    acb_mul(q, q, S, PRECISION);
    acb_addmul(q, b, C, PRECISION);
    acb_mul(q, q, e, PRECISION);
    arb_add(g, g, acb_realref(p), PRECISION);
    acb_addmul(q, mu, p, PRECISION);
    arb_add(slope, slope, acb_realref(q), PRECISION);
    for (int i = 0; i < 9; i++) acb_clear(x[i]);
}

// Balls around g = f - lower and g' at the exact time t.
static inline void ball_value(const sum *s, double t, arb_t g, arb_t slope) {
    acb_t z, l, c;
    acb_init(z);
    acb_init(l);
    acb_init(c);
    arb_set_d(g, -s->lower);
    arb_zero(slope);
    for (int p = 0; p < s->n; p++) {
        ball_term(z, s->pole[p], t, l);
        acb_set_d_d(c, s->amplitude[p].re, s->amplitude[p].im);
        acb_mul(z, z, c, PRECISION);
        arb_add(g, g, acb_realref(z), PRECISION);
        acb_mul(z, z, l, PRECISION);
        arb_add(slope, slope, acb_realref(z), PRECISION);
    }
    for (int k = 0; k < s->n_pair; k++) ball_pair(s, k, t, g, slope);
    acb_clear(z);
    acb_clear(l);
    acb_clear(c);
}

static inline double ball_low(const sum *s, double t, double *slope_low) {
    arb_t g, slope;
    arb_init(g);
    arb_init(slope);
    ball_value(s, t, g, slope);
    double low = lower_end(g);
    *slope_low = lower_end(slope);
    arb_clear(g);
    arb_clear(slope);
    return low;
}

// What rounding may do to f and f' of value(), eps = 2^-52: the phase l t is off by eps |l| t, and
// each exp, sin, cos, product and sum by a few eps (glibc: below 1 eps each, counted as 32 in all).
//   Pairs: |p(t)|, |q(t)| <= e^{re mu t} cosh(|delta| t) (|p| + |q| t), and |q| + |delta2 p| t.
static inline void rounding(const sum *s, double t, double off[2]) {
    const double eps = 2.220446049250313e-16;
    off[0] = eps * fabs(s->lower);
    off[1] = 0;
    for (int p = 0; p < s->n; p++) {
        double rate = hypot(s->pole[p].re, s->pole[p].im), size = cabs(number(s->amplitude[p]));
        double one = eps * (32 + s->n + 2 * rate * t) * size * exp(s->pole[p].re * t);
        off[0] += one;
        off[1] += rate * one;
    }
    for (int k = 0; k < s->n_pair; k++) {
        double rate = cabs(number(s->pair[k].mu)), d2 = cabs(number(s->pair[k].delta2)),
               a = cabs(number(s->p[k])), b = cabs(number(s->q[k])), d = sqrt(d2);
        double one =
            eps * (100 + s->n + 2 * (rate + d) * t) * exp(s->pair[k].mu.re * t) * cosh(d * t);
        off[0] += one * (a + b * t);
        off[1] += one * (rate * (a + b * t) + b + d2 * a * t);
    }
}

// Lower ends of g + allowed and of g' at t.
static inline double low_ends(const sum *s, double t, double allowed, double *slope_low) {
    double f[3], off[2];
    value(s, t, f);
    rounding(s, t, off);
    double above = f[0] - s->lower + allowed;
    if (above > 4 * off[0]) {
        *slope_low = f[1] - off[1];
        return above - off[0];
    }
    return ball_low(s, t, slope_low) + allowed;
}

// Is g + allowed > 0 proved on [0, end]?  g(t+h) >= g + g' h - bend h^2/2.
static inline bool proved_positive(const sum *s, double end, double allowed) {
    double t = 0;
    bool good = true;
    while (good && t <= end) {
        double slope_low, value_low = low_ends(s, t, allowed, &slope_low);
        if (!(value_low > 0)) good = false;
        double root = sqrt(slope_low * slope_low + 2 * s->bend * value_low);
        double h =
            slope_low > 0 ? (slope_low + root) / s->bend : 2 * value_low / (root - slope_low);
        double next = t + 0.999 * h;
        if (!(next > t)) good = false;
        t = next;
    }
    return good;
}

// The first zero is where the search says: g > 0 before, |g| within rounding there. An undecided
// grazing may hide a zero no deeper than rounding.
static inline bool confirmed(const sum *s, const jd_search_result *r) {
    double noise = r->undecided ? 2000 * 2.2e-16 * s->size : 0, f[3];
    if (r->outcome == JD_SEARCH_NONE) return proved_positive(s, s->t_max, noise);
    double slack = 2 * r->rounding + 8 * 2.2e-16 * r->time;
    value(s, r->time, f);
    double flat = 1e-12 * s->size + fabs(f[1]) * slack;
    return fabs(f[0] - s->lower) <= flat && proved_positive(s, r->time - slack, noise);
}

static inline bool starts_above(const sum *s) {
    double f[3];
    value(s, 0, f);
    return f[0] - s->lower > 1e-9 * s->size;
}

static inline double depth(int i) { return (i & 1 ? 1 : -1) * pow(10, -3 - (i / 2) % 11); }

typedef struct sum_tally {
    long checked, found, undecided, shallow, wrong, evaluations;
} sum_tally;

// Sum number i of its kind; wrong where the search is not confirmed.
static inline void check_sum(int i, sum_kind kind, const jd_search_options *options,
                             sum_tally *tally) {
    sum s = random_sum(depth(i), kind);
    if (!starts_above(&s)) return;
    jd_search_result r = search(&s, 0, options);
    tally->checked++;
    tally->found += r.outcome == JD_SEARCH_FOUND;
    tally->evaluations += r.evaluations;
    tally->undecided += r.undecided > 0;
    tally->shallow += r.undecided > 0 && fabs(s.planted) > 2e-12;
    if (confirmed(&s, &r)) return;
    tally->wrong++;
    if (!options)
        print_error("sum %d of kind %d, planted %g: outcome %d at %.17g, undecided %d\n", i,
                    (int)kind, s.planted, (int)r.outcome, r.time, r.undecided);
}

static inline void print_tally(const char *what, const sum_tally *t) {
    print_message("   %s: %ld sums, %ld zeros, %ld undecided (%ld above 2e-12), %ld wrong, %.2f "
                  "evaluations each\n",
                  what, t->checked, t->found, t->undecided, t->shallow, t->wrong,
                  (double)t->evaluations / (double)t->checked);
}

#endif
