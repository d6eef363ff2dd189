// exact_many_slow.c -- label: slow -- 64 friction contacts on 40 modes of a beam.
#include "many_case.h"

static void a_crowd_of_64_runs_certified_in_counted_work(void **state) {
    (void)state;
    many_check(&(many){64, 40, 0, 0.05});
    many_check(&(many){64, 40, 0.01, 0.05});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crowd_of_64_runs_certified_in_counted_work)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
