// expsum.c -- exponential sums and their certified first zero: closed forms.
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_damped_mode_crosses_at_its_quarter_period),
        cmocka_unit_test(a_phase_starting_on_its_surface_does_not_find_its_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
