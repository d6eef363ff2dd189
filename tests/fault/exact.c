// exact.c -- the exact engine when memory ends, budgets are reached and problems are too large.
#include <stdlib.h>

#include "scene.h"
#include "starve.h"

// Friction with a slope, a stop and a ratio of damping: coupled and free bases, chatter.
static jd_status build(jd_context *c, jd_problem **p) {
    const double mass = 1, stiffness = 2, ratio = 0.02;
    jd_damping_ratio_def damp = {{1, &ratio}};
    jd_affine_def affine = {0.3, 0.1};
    jd_stop_def stop = {.gap = 0.2, .restitution = 0.5, .sides = 1};
    jd_contact_def pad = {.at = {.point = "m3"}, .law = {"", &jd_law_affine.type, &affine}};
    jd_contact_def wall = {.at = {.point = "m1"}, .law = {"", &jd_law_stop.type, &stop}};
    jd_harmonic_def shaker = {.at = {.point = "m2"}, .amplitude = 2, .frequency = {0.8, 0, 0}};
    jd_chain_def d;
    jd_type_defaults(jd_type_find(jd_structure_types(), "chain"), &d);
    d.count = 3;
    d.mass = (jd_reals){1, &mass};
    d.stiffness = (jd_reals){1, &stiffness};
    d.points = (jd_points){3, scene_masses};
    d.damping = (jd_object){"", &jd_damping_ratio, &damp};
    JD_TRY(jd_problem_create(c, p));
    JD_TRY(jd_problem_add_body(*p, "", jd_type_find(jd_structure_types(), "chain"), &d));
    JD_TRY(jd_problem_add_contact(*p, "pad", &pad));
    JD_TRY(jd_problem_add_contact(*p, "wall", &wall));
    JD_TRY(jd_problem_add_drive(*p, "shaker", &jd_drive_harmonic, &shaker));
    return jd_problem_build(*p);
}

static jd_status work(jd_context *c, jd_problem *p, const void *none) {
    (void)none;
    jd_run *r;
    jd_step step;
    int index;
    JD_TRY(jd_run_create(c, p, &r));
    jd_status s = jd_run_probe(r, "m2", &index);
    for (step = JD_STEP_EVENT; s == JD_OK && step == JD_STEP_EVENT;)
        s = jd_run_advance(r, 30, &step);
    jd_run_free(r);
    return s;
}

static void every_failed_allocation_is_reported_and_nothing_leaks(void **state) {
    (void)state;
    assert_true(starve_each(build, work, NULL, STARVE_ONCE) > 10);
}

static void the_event_budget_stops_the_run_and_keeps_what_there_is(void **state) {
    (void)state;
    double start = -1;
    scene s = scene_open();
    scene_mass(&s, 1, 0, 0);
    scene_constant(&s, "weight", "m1", 10);
    scene_stop(&s, "table", "m1", 0, 1, 0);
    scene_state(&s, 0, 1, &start, NULL);
    s.budget = 25;
    scene_run(&s, 1e6);
    jd_report r = scene_report(&s);
    assert_int_equal(s.step, JD_STEP_STOPPED);
    assert_int_equal(r.stop, JD_STOP_EVENT_BUDGET);
    assert_int_equal(s.n, 25);
    assert_near(r.t, s.event[24].t, 0);
    assert_near(r.ledger.residual, 0, 1e-14);
    scene_close(&s);
}

static void more_than_64_contacts_are_refused(void **state) {
    (void)state;
    scene s = scene_open();
    scene_mass(&s, 1, 1, 0);
    for (int i = 0; i < 65; i++) {
        char name[8];
        snprintf(name, sizeof name, "c%d", i);
        scene_friction(&s, name, "m1", 1, NAN);
    }
    assert_int_equal(jd_run_create(s.c, s.p, &s.r), JD_NOT_SUPPORTED);
    assert_null(s.r);
    assert_non_null(strstr(jd_context_error(s.c)->message, "64 contacts"));
    scene_close(&s);
}

static void a_start_beyond_a_stop_is_refused(void **state) {
    (void)state;
    double u = 0.6;
    scene s = scene_open();
    scene_mass(&s, 1, 1, 0);
    scene_stop(&s, "wall", "m1", 0.5, 1, 0);
    scene_state(&s, 0, 1, &u, NULL);
    assert_int_equal(jd_run_create(s.c, s.p, &s.r), JD_OUT_OF_RANGE);
    assert_non_null(strstr(jd_context_error(s.c)->message, "`wall` starts 0.1 beyond"));
    scene_close(&s);
}

static bool always(void *user) {
    (void)user;
    return true;
}

static void a_stop_from_outside_ends_the_run_cleanly(void **state) {
    (void)state;
    scene s = scene_open();
    jd_problem_free(s.p);
    jd_context_free(s.c);
    jd_context_def def = jd_default_context_def();
    def.stop = always;
    s.c = jd_context_create(&def);
    must(&s, jd_problem_create(s.c, &s.p));
    scene_mass(&s, 1, 1, 0);
    scene_harmonic(&s, "shaker", "m1", 1, 0.5, 0);
    scene_friction(&s, "pad", "m1", 0.1, NAN);
    scene_run(&s, 1e3);
    assert_int_equal(s.step, JD_STEP_STOPPED);
    assert_int_equal(scene_report(&s).stop, JD_STOP_INTERRUPTED);
    scene_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failed_allocation_is_reported_and_nothing_leaks),
        cmocka_unit_test(the_event_budget_stops_the_run_and_keeps_what_there_is),
        cmocka_unit_test(more_than_64_contacts_are_refused),
        cmocka_unit_test(a_start_beyond_a_stop_is_refused),
        cmocka_unit_test(a_stop_from_outside_ends_the_run_cleanly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
