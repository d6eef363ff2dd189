// waves_special.c -- special points of branches where the memory is waves that come back: folds,
// flips, Neimark-Sacker points, stick and slip changes lie where poles and shooting have them. And
// a search that Newton's method lost goes on, and ends when asked.
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "judder/follow.h"
#include "judder/orbit.h"
#include "memory_case.h"

static const char *const form[] = {"simulate.memory=exponentials", "simulate.memory=delays"};

typedef struct bow {
    double at, damping, velocity, drop;
    const char *follow;
} bow;

static motion *open_bow_in(const jd_context_def *def, const bow *b, const char *tolerance,
                           const char *memory) {
    char text[1200];
    snprintf(text, sizeof text,
             "judder: 1\n"
             "structure: {type: string, length: 1, tension: 1, mass_per_length: 1, modes: infinite,"
             " points: {bow: %.6g}, damping: {type: ratio, value: %.6g}}\n"
             "contacts:\n  bow: {at: bow, against: {velocity: %.6g}, law: {type: stribeck, limit: "
             "0.8, drop: %.6g, decay: 2.5}}\n"
             "start: {type: lift, mode: 1, point: bow, displacement: 0.05, velocity: 0.1}\n"
             "simulate: {engine: memory, tolerance: %s, until: 40}\norbit: {settle: 40}\n"
             "follow: {measure: bow.velocity.min, %s}\n",
             b->at, b->damping, b->velocity, b->drop, tolerance, b->follow);
    return motion_open_in(def, text, 1, &memory);
}

static motion *open_bow(const bow *b, const char *tolerance, const char *memory) {
    return open_bow_in(NULL, b, tolerance, memory);
}

static jd_follow *branch_of(motion *m) {
    jd_follow *f;
    if (jd_follow_create(m->context, m->problem, NULL, &f) != JD_OK)
        fail_msg("%s", jd_context_error(m->context)->message);
    return f;
}

static const jd_special *find(const jd_follow_view *v, jd_special_kind kind) {
    for (int i = 0; i < v->n_special; i++)
        if (v->special[i].kind == kind) return &v->special[i];
    fail_msg("a special point of kind %d was not found", (int)kind);
    return NULL;
}

// The first points of these kinds, by poles and by waves, lie within what both state.
static void compare(const bow *b, int n, const jd_special_kind *kind) {
    motion *m[2];
    jd_follow *f[2];
    for (int i = 0; i < 2; i++) {
        m[i] = open_bow(b, "1e-5", form[i]);
        f[i] = branch_of(m[i]);
    }
    for (int k = 0; k < n; k++) {
        const jd_special *x = find(jd_follow_look(f[0]), kind[k]),
                         *y = find(jd_follow_look(f[1]), kind[k]);
        print_message("   kind %d: %.8f and %.8f, stated %.0e and %.0e\n", (int)kind[k],
                      x->parameter, y->parameter, x->error, y->error);
        assert_true(y->error < 1e-4 * fabs(y->parameter));
        assert_near(x->parameter, y->parameter, x->error + y->error);
        assert_near(x->period, y->period, 1e-3);
    }
    for (int i = 0; i < 2; i++) {
        jd_follow_free(f[i]);
        motion_close(m[i]);
    }
}

static void a_neimark_sacker_point_is_that_of_the_poles(void **state) {
    (void)state;
    bow b = {0.3, 0.05, 0.0555, 0.45,
             "parameter: contacts.bow.against.velocity, from: 0.0555, to: 0.0535, step: 0.5"};
    compare(&b, 1, (jd_special_kind[]){JD_SPECIAL_NEIMARK_SACKER});
}

static void a_fold_and_a_slip_that_appears_are_those_of_the_poles(void **state) {
    (void)state;
    bow b = {0.2, 0.06, 0.1, 0.39,
             "parameter: contacts.bow.law.drop, from: 0.39, to: 0.33, step: 0.3, points: 16"};
    compare(&b, 2, (jd_special_kind[]){JD_SPECIAL_SLIP_APPEARS, JD_SPECIAL_FOLD});
}

// There the motion also comes to rest, which closes after any time: it is no orbit.
static void a_stick_that_vanishes_is_that_of_the_poles(void **state) {
    (void)state;
    bow b = {0.3, 0.06, 0.1, 0.2,
             "parameter: contacts.bow.law.drop, from: 0.2, to: 0.13, step: 0.2, points: 24"};
    compare(&b, 1, (jd_special_kind[]){JD_SPECIAL_STICK_VANISHES});
}

// A flip of an orbit that shooting from the same start does not come to: the same at two
// tolerances, with the multiplier -1.
static void a_flip_does_not_depend_on_the_tolerance(void **state) {
    (void)state;
    static const char *const tolerance[] = {"1e-4", "1e-5"};
    bow b = {0.2, 0.06, 0.1, 0.36,
             "parameter: contacts.bow.law.drop, from: 0.36, to: 0.345, step: 0.2"};
    double at[2], error[2];
    for (int i = 0; i < 2; i++) {
        motion *m = open_bow(&b, tolerance[i], form[1]);
        jd_follow *f = branch_of(m);
        const jd_special *x = find(jd_follow_look(f), JD_SPECIAL_FLIP);
        assert_near(x->multiplier[0], -1, 1e-2);
        assert_near(x->multiplier[1], 0, 0);
        at[i] = x->parameter;
        error[i] = x->error;
        jd_follow_free(f);
        motion_close(m);
    }
    print_message("   %.8f and %.8f, stated %.0e and %.0e\n", at[0], at[1], error[0], error[1]);
    assert_near(at[0], at[1], error[0] + error[1]);
}

// The first attempt of Newton's method leads to a motion that does not complete its period: what
// it took down was taken down on and on by the simulation after it, until that crashed.
static void a_search_goes_on_after_a_motion_that_was_lost(void **state) {
    (void)state;
    bow b = {0.5, 0.06, 0.1, 0.45, "parameter: contacts.bow.law.drop, from: 0.45, to: 0.46"};
    motion *m = open_bow(&b, "1e-4", form[1]);
    jd_orbit *o;
    assert_int_equal(jd_orbit_create(m->context, m->problem, NULL, &o), JD_OK);
    assert_true(jd_orbit_look(o)->found);
    assert_near(jd_orbit_look(o)->period, 1.9964, 1e-3);
    jd_orbit_free(o);
    motion_close(m);
}

static double cpu(void) { return (double)clock() / CLOCKS_PER_SEC; }

static double ask_at;
static bool ask(void *user) {
    (void)user;
    return cpu() > ask_at;
}

// At six moments of a branch, between rounds of GMRES and Arnoldi's method too; processor time.
static void a_branch_ends_soon_when_asked(void **state) {
    (void)state;
    bow b = {0.2, 0.06, 0.1, 0.39,
             "parameter: contacts.bow.law.drop, from: 0.39, to: 0.33, step: 0.3, points: 14"};
    jd_context_def def = {.stop = ask};
    double worst = 0;
    for (int i = 1; i <= 6; i++) {
        ask_at = HUGE_VAL;
        motion *m = open_bow_in(&def, &b, "1e-5", form[1]);
        ask_at = cpu() + 0.2 * i;
        jd_follow *f = branch_of(m);
        assert_true(jd_follow_look(f)->end == JD_END_STOPPED ||
                    jd_follow_look(f)->end == JD_END_NO_ORBIT); // so early
        worst = fmax(worst, cpu() - ask_at);
        jd_follow_free(f);
        motion_close(m);
    }
    print_message("   %.2f s after it was asked\n", worst);
    assert_true(worst < 0.5);
}

// Forces that jump where a branch of the friction curve ends: with the derivatives of these ends
// Newton's method closes orbits, in a few rounds a point.
static void a_branch_under_forces_that_jump_goes_on(void **state) {
    (void)state; // measured 4.1 rounds a point
    static const char text[] =
        "judder: 1\n"
        "structure: {type: string, length: 1, tension: 1, mass_per_length: 1, modes: infinite,\n"
        "  points: {bow: 0.12}, damping: {type: ratio, value: 0.02}}\n"
        "contacts:\n  bow: {at: bow, against: {velocity: 0.1}, law: {type: stribeck, limit: 0.8, "
        "drop: 0.5, decay: 10, ambiguity: hysteresis}}\n"
        "start: {type: lift, mode: 1, point: bow, displacement: 0.05, velocity: 0.1}\n"
        "simulate: {engine: memory, memory: delays, tolerance: 1e-6, until: 40}\n"
        "orbit: {settle: 100}\n"
        "follow: {parameter: contacts.bow.law.times, from: 1, to: 1.02, step: 0.1, measure: "
        "bow.displacement.max}\n";
    motion *m = motion_open(text, 0, NULL);
    jd_follow *f = branch_of(m);
    const jd_follow_view *v = jd_follow_look(f);
    print_message("   %d points, %ld rounds: %s\n", v->n_point, v->rounds, v->why);
    assert_int_equal(v->end, JD_END_TO);
    assert_true(v->n_point >= 2 && v->rounds < 10 * v->n_point);
    jd_follow_free(f);
    motion_close(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_neimark_sacker_point_is_that_of_the_poles),
        cmocka_unit_test(a_fold_and_a_slip_that_appears_are_those_of_the_poles),
        cmocka_unit_test(a_stick_that_vanishes_is_that_of_the_poles),
        cmocka_unit_test(a_flip_does_not_depend_on_the_tolerance),
        cmocka_unit_test(a_search_goes_on_after_a_motion_that_was_lost),
        cmocka_unit_test(a_branch_ends_soon_when_asked),
        cmocka_unit_test(a_branch_under_forces_that_jump_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
