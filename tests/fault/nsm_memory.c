// nsm_memory.c -- every allocation on the way to nonsmooth modes and their families fails once.
#include <stdlib.h>
#include <string.h>

#include "judder/judder.h"
#include "near.h"
#include "starve.h"

static void failed_allocations_are_reported_and_nothing_leaks(void **state) {
    (void)state;
    int failures = 0;
    for (int n = 0;; n++) {
        meter m = {0};
        jd_context *c = starve_context(&m);
        jd_problem *p;
        jd_nsm *nsm = NULL;
        jd_nsm_options options;
        const char *model = JD_SOURCE_DIR "/gallery/impact-chain/n5.yaml";
        const char *set[] = {"nsm.omega=[1.4, 1.5]", "nsm.impacts=5"};
        assert_int_equal(jd_model_read(c, model, 2, set, &p), JD_OK);
        assert_int_equal(jd_problem_build(p), JD_OK);
        assert_int_equal(jd_nsm_options_of(p, &options), JD_OK);
        m.end_at = m.calls + n + 1;
        jd_status status = jd_nsm_create(c, p, &options, &nsm);
        if (status != JD_OK) {
            assert_int_equal(status, JD_OUT_OF_MEMORY);
            assert_null(nsm);
            failures++;
        } else {
            assert_true(jd_nsm_families(nsm) >= 5);
        }
        jd_nsm_free(nsm);
        jd_problem_free(p);
        jd_context_free(c);
        assert_int_equal(m.alive, 0);
        if (status == JD_OK) break;
    }
    assert_true(failures >= 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failed_allocations_are_reported_and_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
