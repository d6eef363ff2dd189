// expsum_arb.c -- label: slow -- the certificate against interval arithmetic on random sums.
//   Of all kinds of expsum_balls.h: plain, clusters of poles, secular terms, growing poles.
//   JD_EXPSUM_SUMS says how many; JD_EXPSUM_SEED which.
#include "expsum_balls.h"

enum { SUMS = 1200000 }; // of which a million start above their limit

static int sums = SUMS;

static void no_zero_is_missed_in_random_sums(void **state) {
    (void)state;
    static const char *const name[] = {"plain", "clusters", "secular", "growing"};
    const char *other = getenv("JD_EXPSUM_SEED");
    sum_tally tally[SUM_KINDS] = {{0}};
    seed = other ? strtoull(other, NULL, 0) : 1;
    for (int i = 0; i < sums; i++)
        check_sum(i, (sum_kind)(i / 22 % SUM_KINDS), NULL, &tally[i / 22 % SUM_KINDS]);
    for (int kind = 0; kind < SUM_KINDS; kind++) print_tally(name[kind], &tally[kind]);
    for (int kind = 0; kind < SUM_KINDS; kind++) {
        const sum_tally *t = &tally[kind];
        assert_int_equal(t->wrong, 0);
        assert_int_equal(t->shallow, 0);
        assert_true(t->checked > sums / SUM_KINDS / 2);
        assert_true(t->found > t->checked / 3 && t->found < t->checked);
    }
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
    sum_tally tally = {0};
    for (int i = 0; i < 4000; i++) check_sum(i, SUM_PLAIN, &half, &tally);
    print_tally("halved bounds", &tally);
    assert_true(tally.wrong >= 1);
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
        sum s = random_sum(depth(i), (sum_kind)(i / 22 % SUM_KINDS));
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
    const char *more = getenv("JD_EXPSUM_SUMS");
    if (more) sums = atoi(more);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_planted_grazing_is_reported_undecided),
        cmocka_unit_test(every_order_with_and_without_split_gives_the_same_zero),
        cmocka_unit_test(halved_bounds_miss_zeros),
        cmocka_unit_test(no_zero_is_missed_in_random_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
