// expsum_arb.c -- label: slow -- the certificate against interval arithmetic on random sums.
//   Each sum has a minimum planted at 10^-3 .. 10^-13 of sum|c| above or below its limit. What the
//   search says is checked in ball arithmetic (96 bits) by a method of its own: march with the
//   value, the slope and sum|c||lambda|^2 only, proving g > 0 up to the zero reported.
#include <complex.h>
#include <stdlib.h>
#include <string.h>

#include <acb.h>
#include <arb.h>

#include "expsum/sum.h"
#include "near.h"

enum { POLES_MAX = 12, SUMS = 100000, PRECISION = 96 };

typedef struct sum {
    int n;
    jd_complex pole[POLES_MAX], amplitude[POLES_MAX];
    double lower, t_max, size, bend; // size = sum|c|, bend = sum|c||lambda|^2
    double planted;                  // relative depth of the planted minimum
} sum;

static uint64_t seed;

static double uniform(void) { // splitmix64
    uint64_t z = (seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static void value(const sum *s, double t, double f[3]) {
    f[0] = f[1] = f[2] = 0;
    for (int p = 0; p < s->n; p++) {
        double complex l = jd_cmplx(s->pole[p].re, s->pole[p].im);
        double complex z = jd_cmplx(s->amplitude[p].re, s->amplitude[p].im) * cexp(l * t);
        f[0] += creal(z);
        f[1] += creal(l * z);
        f[2] += creal(l * l * z);
    }
}

// Lowest point of f on a scan of (0, t_max], refined by Newton on f'.
static double lowest(const sum *s) {
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

// Frequencies over up to three decades; decaying, undamped, overdamped, sometimes growing.
static sum random_sum(double planted) {
    sum s = {.n = 2 + (int)(uniform() * (POLES_MAX - 1)), .planted = planted};
    double decades = 3 * uniform(), steep = 2 * uniform();
    s.t_max = 1 + 5 * uniform();
    for (int p = 0; p < s.n; p++) {
        double w = pow(10, decades * uniform()), kind = uniform(), decay = -w * 0.1 * uniform();
        s.pole[p] = (jd_complex){kind < 0.5 ? decay : 0, w};
        if (kind > 0.9) s.pole[p] = (jd_complex){-w, 0};
        if (kind > 0.97) s.pole[p] = (jd_complex){0.2 * uniform(), w};
        double size = pow(w, -steep) * uniform(), phase = 6.283185307179586 * uniform();
        s.amplitude[p] = (jd_complex){size * cos(phase), size * sin(phase)};
        double growth = s.pole[p].re > 0 ? exp(s.pole[p].re * s.t_max) : 1;
        s.size += size * growth;
        s.bend += 1.0001 * size * growth * (w * w + s.pole[p].re * s.pole[p].re);
    }
    double f[3], t = lowest(&s);
    value(&s, t, f);
    s.lower = f[0] - planted * s.size;
    return s;
}

static jd_search_result search(const sum *s, int order, const jd_search_options *options) {
    jd_context *context = jd_context_create(NULL);
    jd_expbasis *basis;
    jd_watch *watch;
    jd_complex one[POLES_MAX];
    jd_expbasis_def def = {.n_pole = s->n, .pole = s->pole, .order = order};
    double re[16] = {0}, im[16] = {0}, out_re[16], out_im[16];
    for (int p = 0; p < s->n; p++) one[p] = (jd_complex){1, 0};
    assert_int_equal(jd_expbasis_create(context, &def, &basis), JD_OK);
    assert_int_equal(jd_watch_create(basis, &(jd_watch_def){.weight = one}, &watch), JD_OK);
    for (int p = 0; p < s->n; p++) {
        re[jd_expbasis_slot(basis, p)] = s->amplitude[p].re;
        im[jd_expbasis_slot(basis, p)] = s->amplitude[p].im;
    }
    jd_guard guard = jd_default_guard(watch);
    guard.lower = s->lower;
    jd_search_result r;
    jd_first_zero(basis, re, im, 1, &guard, s->t_max, options, &r, out_re, out_im);
    jd_expbasis_free(basis);
    jd_context_free(context);
    return r;
}

static double lower_end(const arb_t x) {
    arf_t low;
    arf_init(low);
    arb_get_lbound_arf(low, x, PRECISION);
    double d = arf_get_d(low, ARF_RND_FLOOR);
    arf_clear(low);
    return d;
}

// Balls around g = f - lower and g' at the exact time t.
static void ball_value(const sum *s, double t, arb_t g, arb_t slope) {
    acb_t z, l, c;
    acb_init(z);
    acb_init(l);
    acb_init(c);
    arb_set_d(g, -s->lower);
    arb_zero(slope);
    for (int p = 0; p < s->n; p++) {
        acb_set_d_d(l, s->pole[p].re, s->pole[p].im);
        acb_set_d_d(c, s->amplitude[p].re, s->amplitude[p].im);
        acb_set_d(z, t);
        acb_mul(z, z, l, PRECISION);
        acb_exp(z, z, PRECISION);
        acb_mul(z, z, c, PRECISION);
        arb_add(g, g, acb_realref(z), PRECISION);
        acb_mul(z, z, l, PRECISION);
        arb_add(slope, slope, acb_realref(z), PRECISION);
    }
    acb_clear(z);
    acb_clear(l);
    acb_clear(c);
}

// Is g + allowed > 0 proved on [0, end]?  g(t+h) >= g + g' h - bend h^2/2.
static bool proved_positive(const sum *s, double end, double allowed) {
    arb_t g, slope;
    arb_init(g);
    arb_init(slope);
    double t = 0;
    bool good = true;
    while (good && t <= end) {
        ball_value(s, t, g, slope);
        double value_low = lower_end(g) + allowed, slope_low = lower_end(slope);
        if (!(value_low > 0)) good = false;
        double root = sqrt(slope_low * slope_low + 2 * s->bend * value_low);
        double h =
            slope_low > 0 ? (slope_low + root) / s->bend : 2 * value_low / (root - slope_low);
        double next = t + 0.999 * h;
        if (!(next > t)) good = false;
        t = next;
    }
    arb_clear(g);
    arb_clear(slope);
    return good;
}

// The first zero is where the search says: g > 0 before, |g| within rounding there. An undecided
// grazing may hide a zero no deeper than rounding.
static bool confirmed(const sum *s, const jd_search_result *r) {
    double noise = r->undecided ? 2000 * 2.2e-16 * s->size : 0, f[3];
    if (r->outcome == JD_SEARCH_NONE) return proved_positive(s, s->t_max, noise);
    double slack = 2 * r->rounding + 8 * 2.2e-16 * r->time;
    value(s, r->time, f);
    double flat = 1e-12 * s->size + fabs(f[1]) * slack;
    return fabs(f[0] - s->lower) <= flat && proved_positive(s, r->time - slack, noise);
}

static bool starts_above(const sum *s) {
    double f[3];
    value(s, 0, f);
    return f[0] - s->lower > 1e-9 * s->size;
}

static double depth(int i) { return (i & 1 ? 1 : -1) * pow(10, -3 - (i / 2) % 11); }

static void no_zero_is_missed_in_random_sums(void **state) {
    (void)state;
    seed = 1;
    long checked = 0, found = 0, undecided = 0, shallow = 0, evaluations = 0;
    for (int i = 0; i < SUMS; i++) {
        sum s = random_sum(depth(i));
        if (!starts_above(&s)) continue;
        jd_search_result r = search(&s, 0, NULL);
        checked++;
        found += r.outcome == JD_SEARCH_FOUND;
        evaluations += r.evaluations;
        undecided += r.undecided > 0;
        shallow += r.undecided > 0 && fabs(s.planted) > 2e-12;
        if (!confirmed(&s, &r)) {
            print_error("sum %d, planted %g: outcome %d at %.17g, undecided %d\n", i, s.planted,
                        (int)r.outcome, r.time, r.undecided);
            fail();
        }
    }
    print_message("%ld sums, %ld zeros, %ld undecided (%ld above 2e-12), %.2f evaluations each\n",
                  checked, found, undecided, shallow, (double)evaluations / (double)checked);
    assert_int_equal(shallow, 0);
    assert_true(checked > SUMS / 2);
    assert_true(found > checked / 3 && found < checked);
}

static void a_planted_grazing_is_reported_undecided(void **state) {
    (void)state; // (1+a)(1 + cos w t) + b (1 - cos(k (w t - pi))): double zero at w t = pi
    seed = 2;
    for (int i = 0; i < 2000; i++) {
        double w = 1 + 4 * uniform(), a = uniform(), b = uniform(), k = 2 + floor(5 * uniform());
        double sign = fmod(k, 2) == 0 ? 1 : -1;
        sum s = {.n = 3,
                 .t_max = 5 / w,
                 .pole = {{0, w}, {0, 0}, {0, k * w}},
                 .amplitude = {{1 + a, 0}, {1 + a + b, 0}, {-b * sign, 0}}};
        jd_search_result r = search(&s, 0, NULL);
        if (r.undecided < 1) print_error("case %d: outcome %d at %g\n", i, (int)r.outcome, r.time);
        assert_true(r.undecided >= 1);
    }
}

static void halved_bounds_miss_zeros(void **state) {
    (void)state;
    seed = 1;
    jd_search_options half = jd_default_search_options();
    half.bound_factor = 0.5;
    int wrong = 0;
    for (int i = 0; i < 4000; i++) {
        sum s = random_sum(depth(i));
        if (!starts_above(&s)) continue;
        jd_search_result r = search(&s, 0, &half);
        wrong += !confirmed(&s, &r);
    }
    print_message("halved bounds: %d of 4000 sums wrong\n", wrong);
    assert_true(wrong >= 1);
}

static void agree(const jd_search_result *a, const jd_search_result *b) {
    if (a->undecided || b->undecided) return;
    assert_int_equal(a->outcome, b->outcome);
    double slack = 2 * a->rounding + 8 * 2.2e-16 * a->time;
    if (a->outcome == JD_SEARCH_FOUND) assert_near(b->time, a->time, slack);
}

static void every_order_with_and_without_split_gives_the_same_zero(void **state) {
    (void)state;
    seed = 3;
    for (int i = 0; i < 2000; i++) {
        sum s = random_sum(depth(i));
        if (!starts_above(&s)) continue;
        jd_search_options options = jd_default_search_options();
        jd_search_result r = search(&s, 0, NULL);
        for (int order = 4; order <= 8; order++) {
            options.split = -1;
            jd_search_result other = search(&s, order, &options);
            agree(&r, &other);
            options.split = 15; // beyond the last group: no pole is bounded by its amplitude
            other = search(&s, order, &options);
            agree(&r, &other);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_planted_grazing_is_reported_undecided),
        cmocka_unit_test(every_order_with_and_without_split_gives_the_same_zero),
        cmocka_unit_test(halved_bounds_miss_zeros),
        cmocka_unit_test(no_zero_is_missed_in_random_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
