// exact_many.c -- 16 friction contacts on 12 modes of a beam, and 32 on 20.
#include "many_case.h"

static void crowds_run_certified_in_counted_work(void **state) {
    (void)state;
    many_check(&(many){16, 12, 0, 1});
    many_check(&(many){16, 12, 0.01, 1});
    many_check(&(many){32, 20, 0, 0.2});
    many_check(&(many){32, 20, 0.01, 0.2});
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(crowds_run_certified_in_counted_work)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
