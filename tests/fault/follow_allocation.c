// follow_allocation.c -- every allocation on the way along a branch fails once.
#include "judder/judder.h"
#include "starve.h"

typedef struct way {
    const char *parameter;
    double length;
} way;

static jd_status read_it(jd_context *c, jd_problem **p) {
    const char *model = JD_SOURCE_DIR "/gallery/impact-oscillator/response.yaml";
    return jd_model_read(c, model, 0, NULL, p);
}

static jd_status some_points(jd_context *c, jd_problem *p, const void *user) {
    const way *along = user;
    jd_follow_options options = jd_default_follow_options();
    options.points = 6;
    options.parameter = along->parameter;
    jd_status status = jd_problem_get(p, along->parameter, &options.from);
    options.to = options.from + along->length;
    jd_follow *follow = NULL;
    if (status == JD_OK) status = jd_follow_create(c, p, &options, &follow);
    if (status == JD_OK) assert_int_equal(jd_follow_look(follow)->n_point, 6);
    jd_follow_free(follow);
    return status;
}

static void failed_allocations_are_reported_and_nothing_leaks(void **state) {
    (void)state;
    const way along = {"drives.force.frequency", 0.5};
    assert_true(starve_each(read_it, some_points, &along, STARVE_FOR_GOOD) >= 4);
}

static void failed_allocations_of_new_structures_are_reported_and_nothing_leaks(void **state) {
    (void)state;
    const way along = {"structure.stiffness.1", 0.2};
    assert_true(starve_each(read_it, some_points, &along, STARVE_FOR_GOOD) >= 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failed_allocations_are_reported_and_nothing_leaks),
        cmocka_unit_test(failed_allocations_of_new_structures_are_reported_and_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
