// expsum.c -- exponential sums and their certified first zero: closed forms.
#include "expsum_case.h"

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

static void the_watch_of_the_derivative_is_the_derivative(void **state) {
    (void)state; // f' by weights of its own, and as the second Taylor coefficient of f
    static const jd_pole_pair pair[] = {
        {{-0.5, 2}, {3, -1}}, {{-3, 0}, {1e-9, 0}}, {{0, 5}, {0, 0}}, {{0.2, 0}, {-4, 0}}};
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
        sum s = make_pair(pair[i], (jd_complex){0.75, 0.25}, (jd_complex){-0.5, 1},
                          (jd_complex){1, -0.5}, (jd_complex){0.3, 2});
        double c[JD_TAYLOR];
        jd_watch *rate;
        assert_int_equal(jd_watch_derivative(s.basis, s.watch, &rate), JD_OK);
        jd_watch_taylor(s.watch, s.re, s.im, c);
        assert_near(jd_watch_value(rate, s.re, s.im), c[1], 1e-14);
        drop(&s);
    }
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
        cmocka_unit_test(the_watch_of_the_derivative_is_the_derivative),
        cmocka_unit_test(a_nearly_critical_mode_crosses_once),
        cmocka_unit_test(exact_resonance_grows_until_its_limit),
        cmocka_unit_test(simultaneous_crossings_are_reported_as_ties),
        cmocka_unit_test(advancing_agrees_with_libm),
        cmocka_unit_test(amplitudes_that_are_not_finite_stop_the_search),
        cmocka_unit_test(poles_that_are_no_numbers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
