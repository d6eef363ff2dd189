// memory_smear.c -- strings with little damping: smeared delays against exponentials, against ever
// more modes, and against pure delays as damping goes to 0.
#include <math.h>

#include "memory_case.h"

// Two forms of the same memory that share no number.
static void delays_agree_with_exponentials(void **state) {
    (void)state; // measured 2.4e-10
    motion *a = motion_of(bowed_string, 3.2,
                          SETS("structure.damping.value=0.02", "simulate.tolerance=1e-9",
                               "simulate.memory=exponentials"));
    motion *b = motion_of(
        bowed_string, 3.2,
        SETS("structure.damping.value=0.02", "simulate.tolerance=1e-9", "simulate.memory=delays"));
    double worst = motion_apart(a, b);
    print_message("   %d events, worst %.1e\n", a->n, worst);
    assert_true(a->n == 8);
    assert_near(worst, 0, 3e-9);
    double u[2], v[2], F[2];
    motion_look(a, 3.2, &u[0], &v[0], &F[0]);
    motion_look(b, 3.2, &u[1], &v[1], &F[1]);
    assert_near(u[0], u[1], 1e-8);
    assert_near(v[0], v[1], 1e-8);
    assert_near(F[0], F[1], 1e-7);
    motion_close(a);
    motion_close(b);
}

static void event_times_keep_to_the_tolerance(void **state) {
    (void)state; // measured 3e-7, 5e-9, 2e-11
    static const char *const set[][2] = {
        {"structure.damping.value=0.002", "simulate.tolerance=1e-4"},
        {"structure.damping.value=0.002", "simulate.tolerance=1e-6"},
        {"structure.damping.value=0.002", "simulate.tolerance=1e-8"}};
    motion *fine = motion_of(bowed_string, 3.2,
                             SETS("structure.damping.value=0.002", "simulate.tolerance=1e-10"));
    for (int i = 0; i < 3; i++) {
        motion *m = motion_of(bowed_string, 3.2, 2, set[i]);
        double worst = motion_apart(m, fine), tolerance = pow(10, -4 - 2 * i);
        print_message("   %.1e at %.0e\n", worst, tolerance);
        assert_true(worst <= 0.1 * tolerance);
        motion_close(m);
    }
    motion_close(fine);
}

// Event times of N modes err by C/N: 500, 1000 and 2000 of them, twice extrapolated.
static void ever_more_modes_go_to_the_infinite_string(void **state) {
    (void)state; // measured: orders 1.03 and 1.02, extrapolated 5e-9
    static const char *const modes[] = {"structure.modes=500", "structure.modes=1000",
                                        "structure.modes=2000"};
    motion *all = motion_of(bowed_string, 3.2,
                            SETS("structure.damping.value=0.002", "simulate.tolerance=1e-8"));
    double off[3], t[3];
    int last = all->n - 1;
    for (int i = 0; i < 3; i++) {
        motion *m =
            motion_of(bowed_string, 3.2,
                      SETS("structure.damping.value=0.002", "simulate.tolerance=1e-8", modes[i]));
        off[i] = motion_apart(m, all);
        t[i] = m->event[last].t;
        motion_close(m);
    }
    double once[2] = {2 * t[1] - t[0], 2 * t[2] - t[1]}, twice = once[1] + (once[1] - once[0]) / 3;
    print_message("   off by %.2e, %.2e, %.2e; extrapolated %.1e\n", off[0], off[1], off[2],
                  twice - all->event[last].t);
    assert_near(log2(off[0] / off[1]), 1, 0.05);
    assert_near(log2(off[1] / off[2]), 1, 0.05);
    assert_near(twice, all->event[last].t, 5e-8);
    motion_close(all);
}

// Events move in proportion to D, down to the string without damping.
static void little_damping_goes_over_into_none(void **state) {
    (void)state; // measured: t(D) - t(0) = -1.0 D at 1e-4 .. 1e-6
    static const char *const set[] = {"structure.damping.value=1e-4",
                                      "structure.damping.value=1e-5",
                                      "structure.damping.value=1e-6"};
    motion *none =
        motion_of(bowed_string, 3.2, SETS("structure.damping=none", "simulate.tolerance=1e-8"));
    for (int i = 0; i < 3; i++) {
        double D = pow(10, -4 - i);
        motion *m = motion_of(bowed_string, 3.2, SETS(set[i], "simulate.tolerance=1e-7"));
        double moved = m->event[m->n - 1].t - none->event[none->n - 1].t;
        print_message("   D %.0e: last event moves by %.4f D\n", D, moved / D);
        assert_near(moved / D, -1, i < 2 ? 0.02 : 0.1);
        motion_close(m);
    }
    motion_close(none);
}

// A rod held at one end turns waves over: sign -1, two contacts.
static void a_rod_held_at_one_end_with_two_contacts_works_too(void **state) {
    (void)state; // measured 8e-10
    static const char text[] =
        "judder: 1\n"
        "structure: {type: rod, length: 1, axial_stiffness: 2, mass_per_length: 2, modes: "
        "infinite,\n"
        "  supports: {left: fixed, right: free}, points: {a: 0.45, b: 1},\n"
        "  damping: {type: ratio, value: 0.03}}\n"
        "contacts:\n"
        "  one: {at: a, against: {velocity: 1}, law: {type: stribeck, limit: 2, drop: 0.3, decay: "
        "1}}\n"
        "  two: {at: b, against: ground, law: {type: coulomb, limit: 1}}\n"
        "start: {type: lift, mode: 1, point: a, displacement: -1, velocity: 1}\n"
        "simulate: {engine: memory, until: 6}\n";
    motion *a = motion_of(text, 6, SETS("simulate.tolerance=1e-8", "simulate.memory=exponentials"));
    motion *b = motion_of(text, 6, SETS("simulate.tolerance=1e-8", "simulate.memory=delays"));
    double worst = motion_apart(a, b);
    print_message("   %d events, worst %.1e\n", a->n, worst);
    assert_true(a->n > 4);
    assert_near(worst, 0, 1e-7);
    motion_close(a);
    motion_close(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(delays_agree_with_exponentials),
        cmocka_unit_test(event_times_keep_to_the_tolerance),
        cmocka_unit_test(ever_more_modes_go_to_the_infinite_string),
        cmocka_unit_test(little_damping_goes_over_into_none),
        cmocka_unit_test(a_rod_held_at_one_end_with_two_contacts_works_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
