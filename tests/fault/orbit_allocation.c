// orbit_allocation.c -- every allocation of a search for orbits fails once.
#include "judder/judder.h"
#include "starve.h"

static jd_status read_it(jd_context *c, jd_problem **p) {
    return jd_model_read(c, JD_SOURCE_DIR "/gallery/impact-oscillator/forced.yaml", 0, NULL, p);
}

static jd_status three_starts(jd_context *c, jd_problem *p, const void *none) {
    (void)none;
    jd_attractors *attractors;
    jd_status status = jd_attractors_create(c, p, NULL, 3, 1, &attractors);
    jd_attractors_free(attractors);
    return status;
}

static void failed_allocations_of_an_orbit_are_reported_and_nothing_leaks(void **state) {
    (void)state;
    assert_true(starve_each(read_it, starve_orbit, NULL, STARVE_FOR_GOOD) >= 4);
}

static void failed_allocations_of_attractors_are_reported_and_nothing_leaks(void **state) {
    (void)state;
    assert_true(starve_each(read_it, three_starts, NULL, STARVE_FOR_GOOD) >= 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failed_allocations_of_an_orbit_are_reported_and_nothing_leaks),
        cmocka_unit_test(failed_allocations_of_attractors_are_reported_and_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
