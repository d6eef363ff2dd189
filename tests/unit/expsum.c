// expsum.c -- exponential sums and their certified first zero: closed forms.
#include <stdlib.h>
#include <string.h>

#include "expsum/sum.h"
#include "near.h"

enum { SLOTS_MAX = 64 };

// A sum f(t) = Re sum c_p e^{lambda_p t} with its basis, one watch of weights 1.
typedef struct sum {
    jd_context *context;
    jd_expbasis *basis;
    jd_watch *watch;
    double re[SLOTS_MAX], im[SLOTS_MAX];
} sum;

static sum make(int n, const jd_complex *pole, const jd_complex *amplitude, double longest) {
    sum s = {.context = jd_context_create(NULL)};
    jd_expbasis_def def = jd_default_expbasis_def();
    jd_complex one[SLOTS_MAX];
    for (int i = 0; i < n; i++) one[i] = (jd_complex){1, 0};
    def.n_pole = n;
    def.pole = pole;
    def.longest_step = longest;
    assert_int_equal(jd_expbasis_create(s.context, &def, &s.basis), JD_OK);
    assert_int_equal(jd_watch_create(s.basis, &(jd_watch_def){.weight = one}, &s.watch), JD_OK);
    for (int i = 0; i < n; i++) {
        s.re[jd_expbasis_slot(s.basis, i)] = amplitude[i].re;
        s.im[jd_expbasis_slot(s.basis, i)] = amplitude[i].im;
    }
    return s;
}

static void drop(sum *s) {
    jd_expbasis_free(s->basis);
    jd_context_free(s->context);
}

static jd_search_result find(sum *s, const jd_guard *guard, double t_max) {
    jd_search_result r;
    double re[SLOTS_MAX], im[SLOTS_MAX];
    jd_first_zero(s->basis, s->re, s->im, 1, guard, t_max, NULL, &r, re, im);
    return r;
}

static void one_damped_mode_crosses_at_its_quarter_period(void **state) {
    (void)state; // e^{-0.3 t} cos(7 t): zero at pi/14
    sum s = make(1, &(jd_complex){-0.3, 7}, &(jd_complex){1, 0}, 0);
    jd_guard g = jd_default_guard(s.watch);
    g.lower = 0;
    jd_search_result r = find(&s, &g, 10);
    assert_int_equal(r.outcome, JD_SEARCH_FOUND);
    assert_int_equal(r.side, -1);
    assert_near(r.time, acos(-1) / 14, 1e-16);
    assert_true(r.evaluations <= 6);
    assert_int_equal(r.undecided, 0);
    assert_int_equal(find(&s, &g, 0.2).outcome, JD_SEARCH_NONE);
    drop(&s);
}

static void a_phase_starting_on_its_surface_does_not_find_its_start(void **state) {
    (void)state; // sin(5 t) from 0: order 1; 1 - cos(5 t): order 2, grazing again at 2 pi/5
    sum s = make(2, (jd_complex[]){{0, 5}, {0, 0}}, (jd_complex[]){{0, -1}, {0, 0}}, 0);
    jd_guard g = jd_default_guard(s.watch);
    g.lower = 0;
    g.start_side = -1;
    g.start_order = 1;
    jd_search_result r = find(&s, &g, 10);
    assert_int_equal(r.outcome, JD_SEARCH_FOUND);
    assert_near(r.time, acos(-1) / 5, 2e-16);
    assert_int_equal(r.undecided, 0);
    s.re[jd_expbasis_slot(s.basis, 0)] = -1;
    s.im[jd_expbasis_slot(s.basis, 0)] = 0;
    s.re[jd_expbasis_slot(s.basis, 1)] = 1;
    g.start_order = 2;
    r = find(&s, &g, 1.2);
    assert_int_equal(r.outcome, JD_SEARCH_NONE);
    assert_int_equal(r.undecided, 0);
    r = find(&s, &g, 2);
    assert_true(r.undecided >= 1);
    g.start_side = 1; // the same f held from above: leaves at once
    g.lower = -HUGE_VAL;
    g.upper = 0;
    assert_int_equal(find(&s, &g, 2).outcome, JD_SEARCH_OUTSIDE);
    drop(&s);
}

static jd_guard above(const sum *s, double lower) {
    jd_guard g = jd_default_guard(s->watch);
    g.lower = lower;
    return g;
}

static jd_guard below(const sum *s, double upper) {
    jd_guard g = jd_default_guard(s->watch);
    g.upper = upper;
    return g;
}

static void a_start_of_third_order_is_left(void **state) {
    (void)state; // t - sin t from 0: order 3; reaches 2 at 2.5541959528370430378 (40 digits)
    sum s = make(1, &(jd_complex){0, 1}, &(jd_complex){0, 1}, 0);
    jd_guard g = above(&s, 0);
    g.upper = 2;
    g.degree = 1;
    g.polynomial[1] = 1;
    g.start_side = -1;
    g.start_order = 3;
    jd_search_result r = find(&s, &g, 10);
    assert_int_equal(r.outcome, JD_SEARCH_FOUND);
    assert_int_equal(r.side, 1);
    assert_near(r.time, 2.5541959528370430378, 1e-15); // measured 0
    assert_int_equal(r.undecided, 0);
    drop(&s);
}

static void a_thrown_ball_lands_after_2v_over_g(void **state) {
    (void)state; // no poles at all: f = 3 t - 9.81 t^2/2
    sum s = make(0, NULL, NULL, 1);
    jd_guard g = above(&s, 0);
    g.degree = 2;
    g.polynomial[1] = 3;
    g.polynomial[2] = -9.81 / 2;
    g.start_side = -1;
    g.start_order = 1;
    jd_search_result r = find(&s, &g, 5);
    assert_int_equal(r.outcome, JD_SEARCH_FOUND);
    assert_near(r.time, 6 / 9.81, 1e-15);
    assert_near(r.taylor[1], -3, 1e-14);
    drop(&s);
}

static void real_poles_cross_where_the_closed_form_says(void **state) {
    (void)state; // e^{-t} - 2 e^{-3t} rises through 0 at ln(2)/2
    sum s = make(2, (jd_complex[]){{-3, 0}, {-1, 0}}, (jd_complex[]){{-2, 0}, {1, 0}}, 0);
    jd_guard g = below(&s, 0);
    jd_search_result r = find(&s, &g, 5);
    assert_int_equal(r.outcome, JD_SEARCH_FOUND);
    assert_near(r.time, log(2) / 2, 1e-16);
    g.upper = 0.5; // its maximum is e^{-t}(1 - 1/3), e^{-2t} = 1/6: 0.272
    assert_int_equal(find(&s, &g, 50).outcome, JD_SEARCH_NONE);
    g.lower = -0.5;
    assert_int_equal(find(&s, &g, 50).outcome, JD_SEARCH_OUTSIDE);
    drop(&s);
}

static void growing_oscillation_leaves_its_band_on_the_right_side(void **state) {
    (void)state; // e^{t/4} cos 3t = -2 first at its time (40 digits)
    sum s = make(1, &(jd_complex){0.25, 3}, &(jd_complex){1, 0}, 0);
    jd_guard g = above(&s, -2);
    g.upper = 2.5;
    jd_search_result r = find(&s, &g, 50);
    assert_int_equal(r.outcome, JD_SEARCH_FOUND);
    assert_int_equal(r.side, -1);
    assert_near(r.time, 3.0245241246287734716, 2e-15);
    drop(&s);
}

static sum make_pair(jd_pole_pair pair, jd_complex p, jd_complex q, jd_complex u, jd_complex v) {
    sum s = {.context = jd_context_create(NULL)};
    jd_expbasis_def def = {.n_pair = 1, .pair = &pair};
    jd_watch_def watch = {.pair_p = &u, .pair_q = &v};
    assert_int_equal(jd_expbasis_create(s.context, &def, &s.basis), JD_OK);
    assert_int_equal(jd_watch_create(s.basis, &watch, &s.watch), JD_OK);
    int at = jd_expbasis_pair_slot(s.basis, 0);
    s.re[at] = p.re, s.im[at] = p.im;
    s.re[at + 1] = q.re, s.im[at + 1] = q.im;
    return s;
}

static void pair_blocks_match_high_precision(void **state) {
    (void)state; // p = 0.75 + 0.25 i, q = -1.5 + 2 i at t = 1.25, computed with 50 digits
    static const struct {
        jd_complex mu, delta2, p, q;
    } row[] = {{{-3, 0},
                {1e-09, 0},
                {-0.026457464085713591896, 0.064673801123929389847},
                {-0.035276618789525634037, 0.047035491756113989959}},
               {{-3, 0},
                {-1e-09, 0},
                {-0.026457464090306901634, 0.064673801084120705455},
                {-0.035276618778501690667, 0.047035491667922442999}},
               {{0, 7},
                {-1e-06, 1e-07},
                {-0.83953881378908270728, -2.8501395385247154614},
                {-0.078178232702801585314, -2.4987757861722377318}},
               {{-0.5, 2},
                {3, -1},
                {-2.1737801437010751762, -2.0897927801868489506},
                {-4.2754754882038234144, -3.1991665045780590898}},
               {{-1, 0},
                {0, 0},
                {-0.32231789646771386287, 0.78788819136552277589},
                {-0.42975719529028515049, 0.57300959372038020065}}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        sum s = make_pair((jd_pole_pair){row[i].mu, row[i].delta2}, (jd_complex){0.75, 0.25},
                          (jd_complex){-1.5, 2}, (jd_complex){1, 0}, (jd_complex){0, 0});
        double re[4] = {0}, im[4] = {0};
        jd_expbasis_advance(s.basis, 1.25, s.re, s.im, re, im);
        assert_near(re[0], row[i].p.re, 4e-15); // measured: at most 2.2e-15
        assert_near(im[0], row[i].p.im, 4e-15);
        assert_near(re[1], row[i].q.re, 4e-15);
        assert_near(im[1], row[i].q.im, 4e-15);
        drop(&s);
    }
}

static void derivatives_of_a_pair_continue_it(void **state) {
    (void)state; // Taylor from 0 gives the value a little later: W_m tables against advance
    sum s = make_pair((jd_pole_pair){{-0.5, 2}, {3, -1}}, (jd_complex){0.75, 0.25},
                      (jd_complex){-1.5, 2}, (jd_complex){0.3, -1}, (jd_complex){0.7, 0.2});
    double c[JD_TAYLOR], re[4] = {0}, im[4] = {0}, h = 1e-2, v = 0;
    jd_watch_taylor(s.watch, s.re, s.im, c);
    for (int m = JD_TAYLOR - 1; m >= 0; m--) v = v * h + c[m];
    jd_expbasis_advance(s.basis, h, s.re, s.im, re, im);
    assert_near(v, jd_watch_value(s.watch, re, im), 3e-15);
    drop(&s);
}

static void a_nearly_critical_mode_crosses_once(void **state) {
    (void)state; // e^{-3t}(C - 2 S), delta2 = 1e-9: tanh(delta t)/delta = 1/2 (50 digits)
    sum s = make_pair((jd_pole_pair){{-3, 0}, {1e-9, 0}}, (jd_complex){1, 0}, (jd_complex){-2, 0},
                      (jd_complex){1, 0}, (jd_complex){0, 0});
    jd_guard g = above(&s, 0);
    jd_search_result r = find(&s, &g, 40);
    assert_int_equal(r.outcome, JD_SEARCH_FOUND);
    assert_near(r.time, 0.50000000004166666667, 1e-15);
    drop(&s);
}

static void exact_resonance_grows_until_its_limit(void **state) {
    (void)state; // t sin(5t)/10 = Re(-i/10 t e^{5it}) reaches 1 (40 digits)
    sum s = make_pair((jd_pole_pair){{0, 5}, {0, 0}}, (jd_complex){0, 0}, (jd_complex){0, -0.1},
                      (jd_complex){1, 0}, (jd_complex){0, 0});
    jd_guard g = below(&s, 1);
    jd_search_result r = find(&s, &g, 100);
    assert_int_equal(r.outcome, JD_SEARCH_FOUND);
    assert_near(r.time, 10.317509969406910866, 4e-15); // measured 1.8e-15
    assert_int_equal(r.undecided, 0);
    drop(&s);
}

static void simultaneous_crossings_are_reported_as_ties(void **state) {
    (void)state; // cos t through 0 and through -1e-9 and in a band: two of three cross together
    sum s = make(2, (jd_complex[]){{0, 1}, {0, 9}}, (jd_complex[]){{1, 0}, {0, 0}}, 0);
    jd_guard g[4] = {above(&s, -1e-9), above(&s, 0), above(&s, -2), above(&s, 0)};
    g[3].upper = 1.5;
    jd_search_result r;
    double re[4], im[4];
    jd_first_zero(s.basis, s.re, s.im, 4, g, 10, NULL, &r, re, im);
    assert_int_equal(r.outcome, JD_SEARCH_FOUND);
    assert_int_equal(r.ties, (1 << 1) | (1 << 3));
    assert_true(r.guard == 1 || r.guard == 3);
    assert_near(r.time, acos(-1) / 2, 3e-16);
    assert_near(jd_watch_value(s.watch, re, im), 0, 3e-16);
    drop(&s);
}

static void advancing_agrees_with_libm(void **state) {
    (void)state; // phases up to 1e6 and beyond the own reduction, decay to e^-50
    jd_complex pole[] = {{-1, 3}, {-0.1, 77}, {0, 1234.5}, {-50, 2}, {0, 1e6}, {0, 1e7}};
    jd_complex one[] = {{1, 0}, {1, 0}, {1, 0}, {1, 0}, {1, 0}, {1, 0}};
    sum s = make(6, pole, one, 0);
    for (double t = -0.3; t < 1; t += 0.0917) {
        double re[8], im[8];
        jd_expbasis_advance(s.basis, t, s.re, s.im, re, im);
        for (int i = 0; i < 6; i++) {
            double size = exp(pole[i].re * t);
            int at = jd_expbasis_slot(s.basis, i);
            assert_near(re[at], size * cos(pole[i].im * t), 6e-16 * size); // measured 3.2e-16
            assert_near(im[at], size * sin(pole[i].im * t), 6e-16 * size);
        }
    }
    drop(&s);
}

static void kernels_agree_bit_for_bit(void **state) {
    (void)state;
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) skip();
#endif
    enum { N = 24 };
    double re[N], im[N], a[2][N], b[2][N], prefix[2][2][JD_SUMS], row[N * JD_ROW];
    int row_of[N];
    for (int i = 0; i < N; i++) row_of[i] = i < 7 ? 0 : JD_SUMS;
    const jd_kernels *kernel[2] = {&jd_kernels_plain, &jd_kernels_avx2};
    for (int i = 0; i < N; i++) re[i] = -0.01 * i, im[i] = 1.7 * i * i - 30;
    for (int i = 0; i < N * JD_ROW; i++) row[i] = sin(i * 1.1);
    for (int k = 0; k < 2; k++) {
        kernel[k]->exponentials(N, re, im, 0.37, a[k], b[k]);
        kernel[k]->rotate(N, a[k], b[k], im, re);
        kernel[k]->nudge(N, re, im, 1e-7, a[k], b[k]);
        double size[N];
        kernel[k]->magnitudes(N, a[k], b[k], size);
        kernel[k]->sums(N, row_of, row, a[k], b[k], size, prefix[k][0]);
    }
    assert_memory_equal(a[0], a[1], sizeof a[0]);
    assert_memory_equal(b[0], b[1], sizeof b[0]);
    assert_memory_equal(prefix[0], prefix[1], sizeof prefix[0]);
}

// Seven modes from 2 to 113 rad/s.
static sum seven_modes(double damping) {
    jd_complex pole[7], amplitude[7];
    for (int k = 0; k < 7; k++) {
        double w = 2 * pow(1.96, k);
        pole[k] = (jd_complex){-damping * w, w};
        amplitude[k] = (jd_complex){0.4 / (k + 1), 0.3 * cos(k)};
    }
    return make(7, pole, amplitude, 0);
}

static void assert_same_search(const jd_search_result *a, const jd_search_result *b) {
    assert_int_equal(a->outcome, b->outcome);
    assert_int_equal(a->evaluations, b->evaluations);
    assert_int_equal(a->side, b->side);
    assert_memory_equal(&a->time, &b->time, sizeof a->time);
    assert_memory_equal(a->taylor, b->taylor, sizeof a->taylor);
}

static void searches_of_all_kernels_agree_bit_for_bit(void **state) {
    (void)state;
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) skip();
#endif
    const jd_kernels *kernel[2] = {&jd_kernels_plain, &jd_kernels_avx2};
    for (int damped = 0; damped < 2; damped++)
        for (int i = 0; i < 12; i++) {
            jd_search_result r[2];
            for (int k = 0; k < 2; k++) {
                sum s = seven_modes(damped * 0.01);
                s.basis->kernel = kernel[k];
                jd_guard g = jd_default_guard(s.watch);
                g.lower = i % 2 ? -HUGE_VAL : -0.9 - 0.1 * i, g.upper = 1.4 + 0.05 * i;
                r[k] = find(&s, &g, 40);
                drop(&s);
            }
            assert_same_search(r, r + 1);
        }
}

// The single guard has a march of its own: the same anchors as beside a guard that sets no limit.
static void a_single_guard_walks_as_among_several(void **state) {
    (void)state;
    int found = 0;
    for (int i = 0; i < 24; i++) {
        sum s = seven_modes(0.002 * (i % 4 + 1));
        jd_guard g[2] = {jd_default_guard(s.watch), jd_default_guard(s.watch)};
        g[0].lower = i % 2 ? -HUGE_VAL : -1.1 - 0.02 * i, g[0].upper = 1.1 + 0.02 * i;
        jd_search_result alone = find(&s, g, 20), both;
        double re[SLOTS_MAX], im[SLOTS_MAX];
        jd_first_zero(s.basis, s.re, s.im, 2, g, 20, NULL, &both, re, im);
        assert_same_search(&alone, &both);
        found += alone.outcome == JD_SEARCH_FOUND;
        drop(&s);
    }
    assert_in_range(found, 4, 23); // both ways to end occur
}

// A slow pole of amplitude 1 and three fast small ones, phases from a golden-ratio sequence.
static sum slow_and_fast(int i, double damping) {
    const double rate[] = {1, 3.3, 7.1, 19}, size[] = {1, 0.08, 0.05, 0.03};
    jd_complex pole[4], amplitude[4];
    for (int k = 0; k < 4; k++) {
        double phase = 6.283185307179586 * fmod((i * 29 + 7 * k) * 0.6180339887498949, 1);
        pole[k] = (jd_complex){-damping * rate[k], rate[k]};
        amplitude[k] = (jd_complex){size[k] * cos(phase), size[k] * sin(phase)};
    }
    return make(4, pole, amplitude, 6);
}

// First zero with the closed form of the slow pole (split < 0) or by Taylor sums of all poles.
static jd_search_result slow_search(int i, int split, double bound_factor) {
    sum s = slow_and_fast(i, i % 3 == 0 ? 1e-3 : 0);
    jd_guard g = jd_default_guard(s.watch);
    jd_search_options options = jd_default_search_options();
    options.split = split;
    options.bound_factor = bound_factor;
    g.upper = 1.0 + 0.16 * fmod(i * 0.7548776662466927, 1);
    if (i % 2) g.lower = -1.02 - 0.1 * fmod(i * 0.5698402909980532, 1);
    jd_search_result r;
    double re[SLOTS_MAX], im[SLOTS_MAX];
    jd_first_zero(s.basis, s.re, s.im, 1, &g, 300, &options, &r, re, im);
    drop(&s);
    return r;
}

static void a_slow_pole_alone_is_followed_in_one_step(void **state) {
    (void)state;
    long leaping = 0, taylor = 0, found = 0, missed = 0;
    for (int i = 0; i < 3000; i++) {
        jd_search_result a = slow_search(i, -1, 1), b = slow_search(i, 15, 1),
                         wrong = slow_search(i, -1, 0.5);
        assert_int_equal(a.outcome, b.outcome);
        if (a.outcome == JD_SEARCH_OUTSIDE) continue;
        assert_int_equal(a.undecided + b.undecided, 0);
        assert_near(a.time, b.time, 1e-11 * (1 + a.time)); // measured 4e-13
        found += a.outcome == JD_SEARCH_FOUND;
        leaping += a.evaluations;
        taylor += b.evaluations;
        missed += fabs(wrong.time - a.time) > 1e-6;
    }
    print_message("leaps: %ld evaluations, Taylor sums %ld; %ld found, half bounds miss %ld\n",
                  leaping, taylor, found, missed);
    assert_in_range(found, 1000, 2900);
    assert_true(leaping < taylor / 4); // measured 79721 and 435922
    assert_true(missed > 1000);        // measured 2624
}

// Bending modes 10 .. 10900 rad/s with Rayleigh damping, a drive, and n_fast tiny fast poles.
static double beam_evaluations(int n_fast, int *undecided) {
    enum { MODES = 20, N = 22 + 1000 };
    jd_complex *pole = calloc(N, sizeof *pole), *one = calloc(N, sizeof *one);
    double *z = calloc(4 * (N + 4), sizeof *z), *re = z, *im = z + N + 4;
    for (int k = 0; k < MODES; k++) {
        double w = 10.1 * pow((k + 0.597) / 0.597, 2), c = (0.025 + 5.5e-5 * w * w) / 2;
        pole[k] = (jd_complex){-c, sqrt(w * w - c * c)};
    }
    pole[MODES].im = 11.1; // the drive; pole MODES + 1 is 0, the constant
    for (int k = 22; k < 22 + n_fast; k++) pole[k] = (jd_complex){-1, 2e4 + 300 * (k - 22)};
    for (int k = 0; k < 22 + n_fast; k++) one[k].re = 1;
    jd_context *context = jd_context_create(NULL);
    jd_expbasis_def def = {.n_pole = 22 + n_fast, .pole = pole};
    jd_expbasis *basis;
    jd_watch *watch;
    assert_int_equal(jd_expbasis_create(context, &def, &basis), JD_OK);
    assert_int_equal(jd_watch_create(basis, &(jd_watch_def){.weight = one}, &watch), JD_OK);
    long evaluations = 0, found = 0;
    for (int i = 0; i < 200; i++) { // fixed phases: golden-ratio sequence
        for (int k = 0; k < 22 + n_fast; k++) {
            double size = k < MODES ? 0.6 / ((k + 1) * (k + 1)) : k == MODES ? 0.8 : 0;
            if (k > MODES + 1) size = 1e-16;
            double phase = 6.283185307179586 * fmod((i * 31 + k) * 0.6180339887498949, 1);
            re[jd_expbasis_slot(basis, k)] = size * cos(phase);
            im[jd_expbasis_slot(basis, k)] = size * sin(phase);
        }
        jd_guard g = jd_default_guard(watch);
        double f = jd_watch_value(watch, re, im);
        g.lower = -0.6 + f; // start inside
        g.upper = 0.6 + f;
        jd_search_result r;
        jd_first_zero(basis, re, im, 1, &g, 0.5, NULL, &r, z + 2 * (N + 4), z + 3 * (N + 4));
        evaluations += r.evaluations;
        *undecided += r.undecided;
        found += r.outcome == JD_SEARCH_FOUND;
    }
    assert_true(found > 100);
    jd_expbasis_free(basis);
    jd_context_free(context);
    free(pole), free(one), free(z);
    return (double)evaluations / 200;
}

static void a_beam_needs_few_evaluations_and_fast_tiny_poles_add_none(void **state) {
    (void)state;
    int undecided = 0;
    double few = beam_evaluations(0, &undecided), many = beam_evaluations(1000, &undecided);
    print_message("evaluations a search: %.2f, with 1000 fast poles %.2f\n", few, many);
    assert_true(few <= 10);
    assert_true(many <= few * 1.1);
    assert_int_equal(undecided, 0);
}

static void poles_that_are_no_numbers_are_refused(void **state) {
    (void)state;
    jd_context *context = jd_context_create(NULL);
    jd_expbasis *basis;
    jd_expbasis_def def = {.n_pole = 1, .pole = &(jd_complex){0, (double)NAN}};
    assert_int_equal(jd_expbasis_create(context, &def, &basis), JD_BAD_ARGUMENT);
    def = (jd_expbasis_def){.order = 99};
    assert_int_equal(jd_expbasis_create(context, &def, &basis), JD_BAD_ARGUMENT);
    assert_null(basis);
    jd_context_free(context);
}

static void amplitudes_that_are_not_finite_stop_the_search(void **state) {
    (void)state;
    sum s = make(2, (jd_complex[]){{0, 5}, {0, 0}}, (jd_complex[]){{(double)NAN, 0}, {1, 0}}, 0);
    jd_guard g = above(&s, 0);
    jd_search_result r = find(&s, &g, 10);
    assert_int_equal(r.outcome, JD_SEARCH_UNBOUNDED);
    s.re[jd_expbasis_slot(s.basis, 0)] = HUGE_VAL;
    assert_int_equal(find(&s, &g, 10).outcome, JD_SEARCH_UNBOUNDED);
    drop(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_damped_mode_crosses_at_its_quarter_period),
        cmocka_unit_test(a_phase_starting_on_its_surface_does_not_find_its_start),
        cmocka_unit_test(a_start_of_third_order_is_left),
        cmocka_unit_test(a_thrown_ball_lands_after_2v_over_g),
        cmocka_unit_test(real_poles_cross_where_the_closed_form_says),
        cmocka_unit_test(growing_oscillation_leaves_its_band_on_the_right_side),
        cmocka_unit_test(pair_blocks_match_high_precision),
        cmocka_unit_test(derivatives_of_a_pair_continue_it),
        cmocka_unit_test(a_nearly_critical_mode_crosses_once),
        cmocka_unit_test(exact_resonance_grows_until_its_limit),
        cmocka_unit_test(simultaneous_crossings_are_reported_as_ties),
        cmocka_unit_test(advancing_agrees_with_libm),
        cmocka_unit_test(kernels_agree_bit_for_bit),
        cmocka_unit_test(searches_of_all_kernels_agree_bit_for_bit),
        cmocka_unit_test(a_single_guard_walks_as_among_several),
        cmocka_unit_test(a_slow_pole_alone_is_followed_in_one_step),
        cmocka_unit_test(a_beam_needs_few_evaluations_and_fast_tiny_poles_add_none),
        cmocka_unit_test(amplitudes_that_are_not_finite_stop_the_search),
        cmocka_unit_test(poles_that_are_no_numbers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
