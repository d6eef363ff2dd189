// orbit_memory.c -- every allocation of a search for orbits fails once.
#include <stdlib.h>
#include <string.h>

#include "judder/judder.h"
#include "near.h"
#include "starve.h"

static jd_status one_orbit(jd_context *c, jd_problem *p) {
    jd_orbit *orbit;
    jd_status status = jd_orbit_create(c, p, NULL, &orbit);
    if (status == JD_OK) assert_true(jd_orbit_look(orbit)->found);
    jd_orbit_free(orbit);
    return status;
}

static jd_status three_starts(jd_context *c, jd_problem *p) {
    jd_attractors *attractors;
    jd_status status = jd_attractors_create(c, p, NULL, 3, 1, &attractors);
    jd_attractors_free(attractors);
    return status;
}

static void each_fails_once(jd_status (*compute)(jd_context *c, jd_problem *p)) {
    int failures = 0;
    for (int n = 0;; n++) {
        meter m = {0};
        jd_context *c = starve_context(&m);
        jd_problem *p;
        assert_int_equal(
            jd_model_read(c, JD_SOURCE_DIR "/gallery/impact-oscillator/forced.yaml", 0, NULL, &p),
            JD_OK);
        m.end_at = m.calls + n + 1;
        jd_status status = compute(c, p);
        if (status != JD_OK) {
            assert_int_equal(status, JD_OUT_OF_MEMORY);
            assert_int_equal(jd_context_error(c)->status, JD_OUT_OF_MEMORY);
            failures++;
        }
        jd_problem_free(p);
        jd_context_free(c);
        assert_int_equal(m.alive, 0);
        if (status == JD_OK) break;
    }
    assert_true(failures >= 4);
}

static void failed_allocations_of_an_orbit_are_reported_and_nothing_leaks(void **state) {
    (void)state;
    each_fails_once(one_orbit);
}

static void failed_allocations_of_attractors_are_reported_and_nothing_leaks(void **state) {
    (void)state;
    each_fails_once(three_starts);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failed_allocations_of_an_orbit_are_reported_and_nothing_leaks),
        cmocka_unit_test(failed_allocations_of_attractors_are_reported_and_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
