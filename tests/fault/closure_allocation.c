// closure_allocation.c -- every allocation of closure models fails once: in time, orbits,
// responses.
#include "judder/judder.h"
#include "near.h"
#include "starve.h"

static jd_status read_oscillator(jd_context *c, jd_problem **p) {
    const char *const set[] = {"orbit.settle=20"};
    return jd_model_read(c, JD_SOURCE_DIR "/gallery/friction-oscillator/alpha05.yaml", 1, set, p);
}
static jd_status read_formulas(jd_context *c, jd_problem **p) {
    return jd_model_read(c, JD_SOURCE_DIR "/gallery/friction-oscillator/formulas.yaml", 0, NULL, p);
}
static jd_status read_two_fold(jd_context *c, jd_problem **p) {
    return jd_model_read(c, JD_SOURCE_DIR "/gallery/two-fold/through.yaml", 0, NULL, p);
}
static jd_status read_memory(jd_context *c, jd_problem **p) {
    return jd_model_read(c, JD_SOURCE_DIR "/gallery/nonlinear-string/full-memory.yaml", 0, NULL, p);
}
static jd_status read_string(jd_context *c, jd_problem **p) {
    const char *const set[] = {"structure.modes=20"};
    return jd_model_read(c, JD_SOURCE_DIR "/gallery/nonlinear-string/response.yaml", 1, set, p);
}

static jd_status some_time(jd_context *c, jd_problem *p, const void *none) {
    (void)none;
    jd_run *run;
    jd_step step = JD_STEP_EVENT;
    int index;
    jd_status status = jd_run_create(c, p, &run);
    if (status == JD_OK) status = jd_run_track(run);
    if (status == JD_OK) status = jd_run_probe(run, "y1", &index);
    while (status == JD_OK && step == JD_STEP_EVENT) status = jd_run_advance(run, 3, &step);
    jd_run_free(run);
    return status;
}

static jd_status some_points(jd_context *c, jd_problem *p, const void *none) {
    (void)none;
    jd_follow_options options = jd_default_follow_options();
    jd_follow *follow = NULL;
    options.points = 25;
    options.from = 3;
    options.to = 6;
    options.parameter = "drives.force.frequency";
    jd_status status = jd_follow_create(c, p, &options, &follow);
    if (status == JD_OK) assert_true(jd_follow_look(follow)->n_point >= 6);
    jd_follow_free(follow);
    return status;
}

static jd_status a_steady_state(jd_context *c, jd_problem *p, const void *none) {
    (void)none;
    jd_steady steady;
    return jd_closure_steady(c, p, JD_CONTACT_SLIDING_MINUS, &steady);
}

static void memory_that_ends_stops_runs_by_name(void **state) {
    (void)state;
    starve_ready *const models[] = {read_oscillator, read_formulas, read_two_fold, read_memory};
    for (int i = 0; i < 4; i++) {
        assert_true(starve_each(models[i], some_time, NULL, STARVE_FOR_GOOD) >= 4);
        assert_true(starve_each(models[i], some_time, NULL, STARVE_ONCE) >= 4);
    }
}

static void memory_that_ends_stops_orbits_by_name(void **state) {
    (void)state;
    assert_true(starve_each(read_oscillator, starve_orbit, NULL, STARVE_FOR_GOOD) >= 4);
    assert_true(starve_each(read_oscillator, a_steady_state, NULL, STARVE_FOR_GOOD) >= 2);
}

static void memory_that_ends_stops_responses_by_name(void **state) {
    (void)state;
    assert_true(starve_each(read_string, some_points, NULL, STARVE_FOR_GOOD) >= 4);
    assert_true(starve_each(read_string, some_points, NULL, STARVE_ONCE) >= 4);
    assert_true(starve_each(read_memory, some_points, NULL, STARVE_FOR_GOOD) >= 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_that_ends_stops_runs_by_name),
        cmocka_unit_test(memory_that_ends_stops_orbits_by_name),
        cmocka_unit_test(memory_that_ends_stops_responses_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
