// memory_bodies.c -- a body with all its modes touches others, with all theirs or with a few: ever
// more modes go to it, and the forms of its memory, which share no number, agree.
#include <math.h>

#include "memory_case.h"

// A string that rubs on the tip of two masses.
static const char arm[] =
    "judder: 1\n"
    "bodies:\n"
    "  string: {type: string, length: 1, tension: 2, mass_per_length: 2, modes: infinite,\n"
    "    points: {bow: 0.4}, damping: {type: ratio, value: 0.05}}\n"
    "  arm: {type: chain, count: 2, mass: 1.3, stiffness: 30,\n"
    "    damping: {type: ratio, value: 0.03}, supports: {left: fixed, right: free},\n"
    "    points: {tip: {node: 2}}}\n"
    "contacts: {rub: {at: string.bow, against: arm.tip, law: {type: coulomb, limit: 1.2}}}\n"
    "start: {type: lift, mode: 1, point: string.bow, displacement: -2.9224, velocity: -2.7668}\n"
    "simulate: {engine: memory, until: 2.5, tolerance: 1e-9}\n";

// The same string on a beam with all its modes, on another string.
static const char beam[] =
    "bodies.arm={type: beam, length: 1, bending_stiffness: 1, mass_per_length: 1, modes: infinite,"
    " supports: {left: clamped, right: free}, points: {tip: 1},"
    " damping: {type: ratio, value: 0.05}}";
static const char other[] =
    "bodies.arm={type: string, length: 0.8, tension: 1, mass_per_length: 1, modes: infinite,"
    " points: {tip: 0.3}, damping: {type: ratio, value: 0.08}}";

// Event times of N modes err by C/N: twice extrapolated; both bodies have N where `both`.
static double error_of_modes(const char *arm_is, const char *damping, bool both, int most) {
    enum { first = 250 };
    char D[64], a[64], b[64];
    double t[3][6], worst = 0;
    snprintf(D, sizeof D, "bodies.string.damping.value=%s", damping);
    motion *all = motion_of(arm, 2.5, SETS(arm_is, D));
    int n = all->n < most ? all->n : most;
    assert_true(n >= 4);
    for (int i = 0; i < 3; i++) {
        snprintf(a, sizeof a, "bodies.string.modes=%d", first << i);
        snprintf(b, sizeof b, "bodies.arm.modes=%d", first << i);
        motion *m = motion_of(arm, 2.5, SETS(arm_is, D, a, both ? b : a));
        assert_true(m->n >= n);
        for (int k = 0; k < n; k++) t[i][k] = m->event[k].t;
        motion_close(m);
    }
    for (int k = 0; k < n; k++) {
        double x = 2 * t[1][k] - t[0][k], y = 2 * t[2][k] - t[1][k];
        worst = fmax(worst, fabs(y + (y - x) / 3 - all->event[k].t));
    }
    print_message("   D %s: %d events, %d modes off by %.1e, extrapolated %.1e\n", damping, n,
                  first << 2, fabs(t[2][n - 1] - all->event[n - 1].t), worst);
    motion_close(all);
    return worst;
}

static void a_string_rubs_on_masses(void **state) {
    (void)state; // measured 4.7e-6, 1000 modes 1.2e-4
    assert_true(error_of_modes("title=masses", "0.05", false, 6) < 1e-5);
}

// Delays beside the poles of the masses. Sharp fronts make the error of N modes uneven in N, so
// that extrapolation takes only most of it away.
static void strings_with_little_damping_or_none_rub_on_masses(void **state) {
    (void)state;
    assert_true(error_of_modes("title=masses", "0.001", false, 4) < 1e-4);
    assert_true(error_of_modes("title=masses", "0", false, 4) < 1e-4);
}

static void a_string_rubs_on_a_string(void **state) {
    (void)state; // measured 2.9e-6
    assert_true(error_of_modes(other, "0.05", true, 6) < 1e-5);
}

static void a_string_rubs_on_a_beam_with_all_its_modes(void **state) {
    (void)state; // measured 8.4e-6
    assert_true(error_of_modes(beam, "0.05", true, 6) < 2e-5);
}

static void both_forms_agree_beside_another_body(void **state) {
    (void)state; // measured 6e-11
    static const char *const arms[] = {"title=masses", beam};
    for (int i = 0; i < 2; i++) {
        motion *a = motion_of(arm, 2.5, SETS(arms[i], "simulate.memory=exponentials"));
        motion *b = motion_of(arm, 2.5, SETS(arms[i], "simulate.memory=delays"));
        double worst = 0;
        assert_int_equal(a->n, b->n);
        assert_true(a->n >= 4);
        for (int k = 0; k < a->n; k++) worst = fmax(worst, fabs(a->event[k].t - b->event[k].t));
        print_message("   %d events, %.1e\n", a->n, worst);
        assert_true(worst < 1e-9);
        motion_close(a);
        motion_close(b);
    }
}

// Strings with Rayleigh damping answer at once by the end of their cut alone: beside another such
// string, and beside one with a ratio, whose jump is its own.
static void jumps_of_rayleigh_damping_add_up(void **state) {
    (void)state; // measured 9.1e-6, 320 modes 6.4e-4
    static const char text[] =
        "judder: 1\n"
        "bodies:\n"
        "  p: {type: string, length: 1, tension: 1, mass_per_length: 1, modes: infinite,\n"
        "    points: {x: 0.31, d: 0.6}, damping: {type: rayleigh, mass: 0.3, stiffness: 0.004}}\n"
        "  q: {type: string, length: 0.9, tension: 1.2, mass_per_length: 1.3, modes: infinite,\n"
        "    points: {y: 0.4}, damping: {type: rayleigh, mass: 0.2, stiffness: 0.006}}\n"
        "contacts: {c: {at: p.x, against: q.y, law: {type: stribeck, limit: 0.35, drop: 0.1,\n"
        "  decay: 1, static_limit: 0.4}}}\n"
        "drives: {push: {at: p.d, type: harmonic, amplitude: 1.4, frequency: 2.9}}\n"
        "simulate: {engine: memory, until: 6, tolerance: 1e-6, ledger: false}\n";
    static const char *const damping[] = {"title=rayleigh", "bodies.q.damping={type: ratio, value: "
                                                            "0.06}"};
    for (int i = 0; i < 2; i++) {
        motion *all = motion_of(text, 6, SETS(damping[i]));
        motion *few =
            motion_of(text, 6, SETS(damping[i], "bodies.p.modes=160", "bodies.q.modes=160"));
        motion *many =
            motion_of(text, 6, SETS(damping[i], "bodies.p.modes=320", "bodies.q.modes=320"));
        double worst = 0;
        assert_true(all->n > 8 && all->n == few->n && all->n == many->n);
        for (int k = 0; k < all->n; k++)
            worst = fmax(worst, fabs(2 * many->event[k].t - few->event[k].t - all->event[k].t));
        print_message("   %d events, 320 modes off by %.1e, extrapolated %.1e\n", all->n,
                      motion_apart(many, all), worst);
        assert_true(worst < 2e-5);
        motion_close(all);
        motion_close(few);
        motion_close(many);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_string_rubs_on_masses),
        cmocka_unit_test(strings_with_little_damping_or_none_rub_on_masses),
        cmocka_unit_test(a_string_rubs_on_a_string),
        cmocka_unit_test(a_string_rubs_on_a_beam_with_all_its_modes),
        cmocka_unit_test(both_forms_agree_beside_another_body),
        cmocka_unit_test(jumps_of_rayleigh_damping_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
