// memory_branch.c -- friction that falls so steeply that several forces fit one history: the branch
// that is kept until it ends is what more and more modes tend to.
#include <math.h>

#include "memory_case.h"

// gamma 0.235 times 12: the sliding branch ends at a speed of 0.26.
#define STEEP                                                                                      \
    "contacts.bow.law={type: stribeck, limit: 4, drop: 3, decay: 4, ambiguity: hysteresis}"
#define STATIC "contacts.bow.law={type: coulomb, limit: 3, static_limit: 4}"
#define STATIC_STRIBECK                                                                            \
    "contacts.bow.law={type: stribeck, limit: 3.7, drop: 0.32, decay: 1, static_limit: 4.5}"
#define STATIC_TABLE                                                                               \
    "contacts.bow.law={type: table, velocity: [0, 1, 3], force: [3.5, 3, 2.9], static_limit: 4.2}"
#define STATIC_STEEP                                                                               \
    "contacts.bow.law={type: stribeck, limit: 3.5, drop: 3, decay: 4, static_limit: 4.2, "         \
    "ambiguity: hysteresis}"

// Events for 80, 160, 320 and infinitely many modes: the same, and ever closer.
static void check_limit(const char *law, int least) {
    static const char *const modes[] = {"structure.modes=80", "structure.modes=160",
                                        "structure.modes=320", "structure.modes=infinite"};
    motion *m[4];
    for (int i = 0; i < 4; i++)
        m[i] = motion_of(bowed_string, 3.5, SETS(law, modes[i], "simulate.tolerance=1e-7"));
    assert_true(m[3]->n >= least);
    for (int i = 0; i < 3; i++) assert_true(m[i]->n >= m[3]->n);
    for (int k = 0; k < m[3]->n; k++) {
        double off[3];
        for (int i = 0; i < 3; i++) {
            assert_int_equal(jd_contact_letter(m[i]->event[k].to),
                             jd_contact_letter(m[3]->event[k].to));
            off[i] = fabs(m[i]->event[k].t - m[3]->event[k].t);
        }
        print_message("   %c at %.7f: %.1e %.1e %.1e\n", jd_contact_letter(m[3]->event[k].to),
                      m[3]->event[k].t, off[0], off[1], off[2]);
        assert_true(off[2] < 8e-3);
        if (off[0] > 1e-3) assert_true(off[2] < 0.7 * off[0]);
    }
    for (int i = 0; i < 4; i++) motion_close(m[i]);
}

static void more_modes_tend_to_the_branch_that_is_kept(void **state) {
    (void)state; // captures as N^-1/2, releases as 1/N; 1280 modes are 1.5e-3 and 2e-4 away
    check_limit(STEEP, 7);
}

static void more_modes_tend_to_the_static_limit(void **state) {
    (void)state;
    check_limit(STATIC, 4);
    check_limit(STATIC_STRIBECK, 6);
    check_limit(STATIC_TABLE, 6);
    check_limit(STATIC_STEEP, 8);
}

// A rod at rest on a belt: the force that would stop it lies between both levels. It slides, with
// u + gamma f(u) = belt, until a wave comes back; so would a point with ever less mass.
static void a_contact_that_moves_slides_at_first(void **state) {
    (void)state;
    static const char text[] =
        "judder: 1\n"
        "structure: {type: rod, length: 1, axial_stiffness: 1, mass_per_length: 1, modes: infinite,"
        " supports: {left: fixed, right: free}, points: {a: 0.13, d: 0.48},"
        " damping: {type: ratio, value: %.17g}}\n"
        "contacts: {a: {at: a, against: {velocity: %.17g}, law: {type: stribeck, limit: 0.73, "
        "drop: "
        "0.1, decay: 1, static_limit: 0.855}}}\n"
        "drives: {load: {at: d, type: constant, value: 0.23}}\n"
        "simulate: {engine: memory, until: 1, tolerance: 1e-6}\n";
    static const double of[][2] = {{0.008, -0.4}, {0.1, 0.38}, {0.1, 0}};
    for (int i = 0; i < 3; i++) {
        char own[1024];
        double D = of[i][0], belt = of[i][1], u, v, F, x = 0,
               gamma = acos(D) / (acos(-1) * sqrt(1 - D * D));
        for (int k = 0; k < 200; k++) x = fmax(fabs(belt) - gamma * (0.63 + 0.1 * exp(-x)), 0);
        snprintf(own, sizeof own, text, D, belt);
        motion *m = motion_open(own, 0, NULL);
        motion_start(m);
        motion_look(m, 0, &u, &v, &F);
        print_message("   belt %.2f: slides with %.6f, force %.6f\n", belt, v, F);
        assert_near(fabs(v), x, 1e-5);
        assert_true(belt == 0 ? x == 0 : x > 0.03);
        assert_true(belt * v <= 0);
        motion_run(m, 0.02);
        assert_int_equal(m->n, 0);
        motion_close(m);
    }
}

static void times_is_a_factor_of_all_levels(void **state) {
    (void)state; // doubles are exact
    motion *one = motion_of(bowed_string, 3.5, SETS(STATIC_STRIBECK));
    motion *two = motion_of(bowed_string, 3.5,
                            SETS("contacts.bow.law={type: stribeck, limit: 1.85, drop: 0.16, "
                                 "decay: 1, static_limit: 2.25, times: 2}"));
    assert_true(motion_apart(one, two) == 0);
    motion_close(one);
    motion_close(two);
}

// Tolerances agree with each other: the end of a branch is located, not only stepped over.
static void the_end_of_a_branch_is_located(void **state) {
    (void)state; // measured 4e-7, 1e-8
    motion *best = motion_of(bowed_string, 3.5, SETS(STEEP, "simulate.tolerance=1e-10"));
    static const char *const at[] = {"simulate.tolerance=1e-5", "simulate.tolerance=1e-7"};
    static const double most[] = {1e-3, 1e-5};
    for (int i = 0; i < 2; i++) {
        motion *m = motion_of(bowed_string, 3.5, SETS(STEEP, at[i]));
        double worst = motion_apart(m, best);
        print_message("   %s: %.1e\n", at[i], worst);
        assert_true(worst < most[i]);
        motion_close(m);
    }
    motion_close(best);
}

// Without damping a force that jumps comes back as a jump, again and again.
static void an_undamped_string_refuses_forces_that_jump(void **state) {
    (void)state;
    motion_refused(bowed_string, "contacts.bow.law", "jumps", "without damping",
                   SETS(STEEP, "structure.damping=none"));
    motion_refused(bowed_string, "contacts.bow.law", "jumps", "without damping",
                   SETS(STATIC, "structure.damping=none"));
    motion_refused(bowed_string, "contacts.bow.law", "jumps", "without damping",
                   SETS(STATIC_TABLE, "structure.damping=none"));
}

// At loose tolerances, where panels are solved by shorter ways, runs end by time all the same, and
// have as many events as at a tighter one.
static void loose_tolerances_come_up_to_the_end_of_a_branch(void **state) {
    (void)state;
    static const char *const law[] = {
        "contacts.bow.law={type: stribeck, limit: 4, drop: 3, decay: 4, ambiguity: hysteresis}",
        "contacts.bow.law={type: stribeck, limit: 4, drop: 2.6, decay: 6, ambiguity: hysteresis}",
        "contacts.bow.law={type: stribeck, limit: 3, drop: 2.4, decay: 9, ambiguity: hysteresis}"};
    static const char *const at[] = {"simulate.tolerance=1e-3", "simulate.tolerance=1e-4",
                                     "simulate.tolerance=1e-6"};
    for (int i = 0; i < 3; i++) {
        motion *m[3];
        for (int k = 0; k < 3; k++) {
            m[k] = motion_of(bowed_string, 3.5, SETS(law[i], at[k]));
            assert_true(m[k]->n > 2 && m[k]->n == m[0]->n);
        }
        for (int k = 0; k < 3; k++) motion_close(m[k]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_modes_tend_to_the_branch_that_is_kept),
        cmocka_unit_test(more_modes_tend_to_the_static_limit),
        cmocka_unit_test(a_contact_that_moves_slides_at_first),
        cmocka_unit_test(times_is_a_factor_of_all_levels),
        cmocka_unit_test(the_end_of_a_branch_is_located),
        cmocka_unit_test(loose_tolerances_come_up_to_the_end_of_a_branch),
        cmocka_unit_test(an_undamped_string_refuses_forces_that_jump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
