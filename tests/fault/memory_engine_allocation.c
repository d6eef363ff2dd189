// memory_engine_allocation.c -- kernels and the memory engine when memory ends, when the budget of
// events does, and when they are interrupted.
#include <string.h>

#include "judder/kernel.h"
#include "judder/orbit.h"
#include "memory_case.h"
#include "starve.h"

static const char stops[] =
    "judder: 1\n"
    "structure: {type: chain, count: 3, mass: 0.2, stiffness: 5,\n"
    "  damping: {type: ratio, value: 0.01}, supports: {left: fixed, right: free},\n"
    "  points: {end: {node: 3}, mid: {node: 2}}}\n"
    "contacts: {end: {at: end, against: ground, law: {type: stop, gap: 0.1, restitution: 0.5}},\n"
    "  rub: {at: mid, against: {velocity: 0.2}, law: {type: coulomb, limit: 0.2}}}\n"
    "drives: {push: {at: mid, type: harmonic, amplitude: 1.2, frequency: 1.3}}\n"
    "start: rest\n"
    "simulate: {engine: memory, until: 20}\n";

static jd_status read(jd_context *c, const char *text, int n, const char *const *set,
                      jd_problem **out) {
    return jd_model_parse(c, "m.yaml", ".", text, strlen(text), n, set, out);
}

// A run with everything it offers: probe, extremes, events, ledger, a saved state taken up.
static jd_status run_all(jd_context *c, const char *text, int n, const char *const *set) {
    jd_problem *problem = NULL;
    jd_run *run = NULL;
    jd_report report;
    static char block[1 << 20];
    jd_step step = JD_STEP_EVENT;
    jd_status s = read(c, text, n, set, &problem);
    if (s == JD_OK) s = jd_run_create(c, problem, &run);
    if (s == JD_OK) s = jd_run_track(run);
    while (s == JD_OK && step == JD_STEP_EVENT) s = jd_run_advance(run, 1.2, &step);
    if (s == JD_OK) jd_run_report(run, &report);
    size_t size = s == JD_OK ? jd_run_state_size(run) : 0;
    assert_true(size < sizeof block);
    if (s == JD_OK) s = jd_run_state_save(run, block, size);
    if (s == JD_OK) s = jd_run_state_load(run, block, size);
    if (s == JD_OK) s = jd_run_advance(run, 1.3, &step);
    jd_run_free(run);
    jd_problem_free(problem);
    return s;
}

static jd_status kernel_all(jd_context *c, const char *text, int n, const char *const *set) {
    jd_problem *problem = NULL;
    jd_kernel *kernel = NULL;
    jd_status s = read(c, text, n, set, &problem);
    if (s == JD_OK) s = jd_problem_build(problem);
    if (s == JD_OK) s = jd_kernel_create(c, problem, &kernel);
    jd_kernel_free(kernel);
    jd_problem_free(problem);
    return s;
}

static jd_status orbit_all(jd_context *c, const char *text, int n, const char *const *set) {
    jd_problem *problem = NULL;
    jd_orbit *orbit = NULL;
    jd_run *run = NULL;
    jd_status s = read(c, text, n, set, &problem);
    if (s == JD_OK) s = jd_orbit_create(c, problem, NULL, &orbit);
    if (s == JD_OK && jd_orbit_look(orbit)->found) s = jd_orbit_run(orbit, &run);
    jd_run_free(run);
    jd_orbit_free(orbit);
    jd_problem_free(problem);
    return s;
}

typedef jd_status work(jd_context *c, const char *text, int n, const char *const *set);

// The k-th allocation fails, for every k (every `stride`-th).
static void starve(work *what, int stride, const char *text, int n, const char *const *set) {
    int failures = 0;
    for (int k = 1; k < 100000; k += stride) {
        meter m = {0};
        jd_context *context = starve_context(&m);
        assert_non_null(context);
        m.calls = 0;
        m.fail_at = k;
        jd_status s = what(context, text, n, set);
        bool reached = m.calls >= k;
        if (reached && s != JD_OUT_OF_MEMORY)
            fail_msg("allocation %d: %s", k, jd_context_error(context)->message);
        if (!reached && s != JD_OK) fail_msg("%s", jd_context_error(context)->message);
        jd_context_free(context);
        assert_int_equal(m.alive, 0);
        if (!reached) break;
        failures++;
    }
    print_message("   %d allocations failed\n", failures);
    assert_true(failures > 3);
}

static void every_failed_allocation_of_a_run_is_reported_and_nothing_leaks(void **state) {
    (void)state;
    starve(run_all, 1, stops, 0, NULL);
    starve(run_all, 1, bowed_string, SETS("structure.modes=8"));
    starve(run_all, 1, bowed_string, SETS("structure.damping=none"));
    starve(run_all, 1, bowed_string, SETS("simulate.tolerance=1e-3"));
}

static void every_failed_allocation_of_a_kernel_is_reported_and_nothing_leaks(void **state) {
    (void)state;
    starve(kernel_all, 1, bowed_string, SETS("kernel={until: 0.1}"));
    starve(kernel_all, 1, bowed_string, SETS("kernel={until: 0.1}", "structure.modes=8"));
}

static void every_failed_allocation_of_a_settled_orbit_is_reported_and_nothing_leaks(void **state) {
    (void)state;
    starve(orbit_all, 1, bowed_string,
           SETS("structure.modes=4", "structure.damping.value=0.01", "simulate.tolerance=1e-3"));
}

static void the_event_budget_stops_the_run_and_keeps_what_there_is(void **state) {
    (void)state;
    motion *m = motion_open(stops, SETS("simulate.event_budget=9"));
    jd_step step = JD_STEP_EVENT;
    int n = 0;
    jd_report r;
    motion_start(m);
    while (step == JD_STEP_EVENT) {
        assert_int_equal(jd_run_advance(m->run, 20, &step), JD_OK);
        n += step == JD_STEP_EVENT;
    }
    jd_run_report(m->run, &r);
    assert_int_equal(step, JD_STEP_STOPPED);
    assert_int_equal(r.stop, JD_STOP_EVENT_BUDGET);
    assert_int_equal(n, 9);
    assert_true(r.t > 0 && r.t < 20);
    motion_close(m);
}

static bool after_some(void *user) { return ++*(int *)user > 5; }

static void an_interrupted_run_stops_and_can_go_on(void **state) {
    (void)state;
    int asked = 0;
    jd_context_def def = jd_default_context_def();
    def.stop = after_some;
    def.user = &asked;
    motion *m = motion_open_in(&def, bowed_string, 0, NULL), *whole;
    jd_step step = JD_STEP_EVENT;
    motion_start(m);
    while (step == JD_STEP_EVENT) assert_int_equal(jd_run_advance(m->run, 20, &step), JD_OK);
    jd_report r;
    jd_run_report(m->run, &r);
    assert_int_equal(step, JD_STEP_STOPPED);
    assert_int_equal(r.stop, JD_STOP_INTERRUPTED);
    asked = -1000000; // nobody presses Ctrl-C any more
    m->n = 0;
    motion_run(m, 3);
    whole = motion_of(bowed_string, 3, 0, NULL);
    assert_memory_equal(&m->event[m->n - 1].t, &whole->event[whole->n - 1].t, sizeof(double));
    motion_close(whole);
    motion_close(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failed_allocation_of_a_run_is_reported_and_nothing_leaks),
        cmocka_unit_test(every_failed_allocation_of_a_kernel_is_reported_and_nothing_leaks),
        cmocka_unit_test(every_failed_allocation_of_a_settled_orbit_is_reported_and_nothing_leaks),
        cmocka_unit_test(the_event_budget_stops_the_run_and_keeps_what_there_is),
        cmocka_unit_test(an_interrupted_run_stops_and_can_go_on),
    };
    return cmocka_run_group_tests_name("memory engine", tests, NULL, NULL);
}
