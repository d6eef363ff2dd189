// problem.c -- a problem is put together, changed and built with the n-th allocation failing.
#include <stdlib.h>

#include "near.h"
#include "problem/system.h"
#include "problem_parts.h"
#include "starve.h"

static jd_status work(jd_context *c, jd_problem **p) {
    JD_TRY(rich_problem(c, p));
    JD_TRY(jd_problem_build(*p));
    if (!jd_problem_path(*p, 0)) return jd_context_error(c)->status;
    JD_TRY(jd_problem_set(*p, "bodies.pile.length", 3, NULL));
    JD_TRY(jd_problem_set(*p, "drives.slow.frequency", 3, NULL));
    if (!jd_problem_path(*p, 0)) return jd_context_error(c)->status;
    JD_TRY(jd_problem_build(*p));
    jd_problem *copy;
    JD_TRY(jd_problem_copy(c, *p, &copy));
    jd_status s = jd_problem_build(copy);
    jd_problem_free(copy);
    return s;
}

static void every_failed_allocation_is_reported_and_nothing_leaks(void **state) {
    (void)state;
    int failures = 0;
    for (jd_status s = JD_OUT_OF_MEMORY; s != JD_OK; failures++) {
        meter m = {.fail_at = failures + 2}; // the first allocation is the context's own
        jd_context *c = starve_context(&m);
        jd_problem *p = NULL;
        s = work(c, &p);
        if (s != JD_OK) {
            assert_int_equal(s, JD_OUT_OF_MEMORY);
            assert_int_equal(jd_context_error(c)->status, JD_OUT_OF_MEMORY);
        }
        jd_problem_free(p);
        jd_context_free(c);
        assert_int_equal(m.alive, 0);
        assert_true(failures < 1000);
    }
    assert_true(failures > 10); // the loop did meet failures
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failed_allocation_is_reported_and_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
