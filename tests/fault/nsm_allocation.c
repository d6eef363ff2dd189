// nsm_allocation.c -- every allocation on the way to nonsmooth modes and their families fails once.
#include "judder/judder.h"
#include "starve.h"

static jd_status read_it(jd_context *c, jd_problem **p) {
    const char *model = JD_SOURCE_DIR "/gallery/impact-chain/n5.yaml";
    const char *set[] = {"nsm.omega=[1.4, 1.5]", "nsm.impacts=5", "nsm.sustained=true"};
    jd_status s = jd_model_read(c, model, 3, set, p);
    return s == JD_OK ? jd_problem_build(*p) : s;
}

static jd_status families(jd_context *c, jd_problem *p, const void *none) {
    (void)none;
    jd_nsm *nsm = NULL;
    jd_nsm_options options;
    assert_int_equal(jd_nsm_options_of(p, &options), JD_OK);
    jd_status s = jd_nsm_create(c, p, &options, &nsm);
    assert_true((s == JD_OK) == (nsm != NULL));
    if (nsm) assert_true(jd_nsm_families(nsm) >= 5);
    jd_nsm_free(nsm);
    return s;
}

static void failed_allocations_are_reported_and_nothing_leaks(void **state) {
    (void)state;
    assert_true(starve_each(read_it, families, NULL, STARVE_FOR_GOOD) >= 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failed_allocations_are_reported_and_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
