// follow_memory.c -- every allocation on the way along a branch fails once.
#include <stdlib.h>
#include <string.h>

#include "judder/judder.h"
#include "near.h"
#include "starve.h"

static jd_status some_points(jd_context *c, jd_problem *p, const char *parameter, double to) {
    jd_follow_options options = jd_default_follow_options();
    options.points = 6;
    options.parameter = parameter;
    jd_status status = jd_problem_get(p, parameter, &options.from);
    options.to = options.from + to;
    jd_follow *follow = NULL;
    if (status == JD_OK) status = jd_follow_create(c, p, &options, &follow);
    if (status == JD_OK) assert_int_equal(jd_follow_look(follow)->n_point, 6);
    jd_follow_free(follow);
    return status;
}

static void each_fails_once(const char *parameter, double to) {
    int failures = 0;
    for (int n = 0;; n++) {
        meter m = {0};
        jd_context *c = starve_context(&m);
        jd_problem *p;
        const char *model = JD_SOURCE_DIR "/gallery/impact-oscillator/response.yaml";
        assert_int_equal(jd_model_read(c, model, 0, NULL, &p), JD_OK);
        m.end_at = m.calls + n + 1;
        jd_status status = some_points(c, p, parameter, to);
        if (status != JD_OK) {
            assert_int_equal(status, JD_OUT_OF_MEMORY);
            failures++;
        }
        jd_problem_free(p);
        jd_context_free(c);
        assert_int_equal(m.alive, 0);
        if (status == JD_OK) break;
    }
    assert_true(failures >= 4);
}

static void failed_allocations_are_reported_and_nothing_leaks(void **state) {
    (void)state;
    each_fails_once("drives.force.frequency", 0.5);
}

static void failed_allocations_of_new_structures_are_reported_and_nothing_leaks(void **state) {
    (void)state;
    each_fails_once("structure.stiffness.1", 0.2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failed_allocations_are_reported_and_nothing_leaks),
        cmocka_unit_test(failed_allocations_of_new_structures_are_reported_and_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
