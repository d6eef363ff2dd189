// exact_many_slow.c -- label: slow -- 64 friction contacts on 40 and 80 modes of a beam.
#include "many_case.h"

// Five periods within half of 100 s of processor time, damped or not.
static void a_crowd_of_64_runs_certified_in_counted_work(void **state) {
    (void)state;
    assert_true(many_check(&(many){64, 40, 0, 5}).seconds < 50);
    assert_true(many_check(&(many){64, 40, 0.01, 5}).seconds < 50);
}

// Damped by ratios every new state has a nonsymmetric eigenproblem, undamped a symmetric one: some
// six times as much for an event. Poles improved one by one made it ten.
static void damping_costs_no_more_than_its_eigenproblem(void **state) {
    (void)state;
    double plain = many_check(&(many){64, 80, 0, 0.05}).each;
    double damped = many_check(&(many){64, 80, 0.01, 0.05}).each;
    print_message("   damped over undamped: %.1f\n", damped / plain);
    assert_true(damped < 8 * plain);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crowd_of_64_runs_certified_in_counted_work),
        cmocka_unit_test(damping_costs_no_more_than_its_eigenproblem)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
