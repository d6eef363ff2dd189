// expsum_growth.c -- bounds of growing, clustered and secular sums hold, and are needed.
//   Random sums whose poles grow up to e^3 over the search, proved in ball arithmetic; bounds that
//   are too small by what a pole grows in one step (up to e) are noticed.
#include "expsum_balls.h"

static void check_kind(const char *name, sum_kind kind, int sums) {
    sum_tally tally = {0};
    seed = 11;
    for (int i = 0; i < sums; i++) check_sum(i, kind, NULL, &tally);
    print_tally(name, &tally);
    assert_int_equal(tally.wrong, 0);
    assert_int_equal(tally.shallow, 0);
    assert_true(tally.found > tally.checked / 3 && tally.found < tally.checked);
}

static void no_zero_is_missed_where_poles_grow(void **state) {
    (void)state;
    check_kind("growing", SUM_GROWING, 3000);
}

static void no_zero_is_missed_among_clusters_of_poles(void **state) {
    (void)state;
    check_kind("clusters", SUM_CLUSTERS, 1000);
}

static void no_zero_is_missed_among_secular_terms(void **state) {
    (void)state;
    check_kind("secular", SUM_SECULAR, 1000);
}

// Of rounding / its bound: the value's and the slope's against balls at random times.
static double rounding_share(const sum *s, arb_t g, arb_t slope) {
    double f[3], off[2], t = s->t_max * uniform();
    value(s, t, f);
    rounding(s, t, off);
    ball_value(s, t, g, slope);
    double exact[2] = {lower_end(g), lower_end(slope)}; // 96 bits: exact beside rounding
    return fmax(fabs(f[0] - exact[0]) / off[0], fabs(f[1] - exact[1]) / off[1]);
}

static void rounding_of_the_double_march_is_bounded(void **state) {
    (void)state;
    arb_t g, slope;
    arb_init(g);
    arb_init(slope);
    seed = 12;
    double most = 0;
    for (int i = 0; i < 4000; i++) {
        sum s = random_sum(depth(i), (sum_kind)(i % SUM_KINDS));
        s.lower = 0; // or its last bit would count
        most = fmax(most, rounding_share(&s, g, slope));
    }
    print_message("   largest share of the bound: %.3f\n", most);
    assert_true(most < 0.7 && most > 0.001);
    arb_clear(g);
    arb_clear(slope);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_zero_is_missed_where_poles_grow),
        cmocka_unit_test(no_zero_is_missed_among_clusters_of_poles),
        cmocka_unit_test(no_zero_is_missed_among_secular_terms),
        cmocka_unit_test(rounding_of_the_double_march_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
