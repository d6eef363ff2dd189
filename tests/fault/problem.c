// problem.c -- a problem is put together, changed and built with the n-th allocation failing.
#include "problem/system.h"
#include "problem_parts.h"
#include "starve.h"

static jd_status build(jd_context *c, jd_problem **p) {
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

static jd_status work(jd_context *c, jd_problem *none, const void *nothing) {
    (void)none;
    (void)nothing;
    jd_problem *p = NULL;
    jd_status s = build(c, &p);
    jd_problem_free(p);
    return s;
}

static void every_failed_allocation_is_reported_and_nothing_leaks(void **state) {
    (void)state;
    assert_true(starve_each(NULL, work, NULL, STARVE_ONCE) > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failed_allocation_is_reported_and_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
