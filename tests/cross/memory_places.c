// memory_places.c -- infinite strings bowed anywhere: the two forms of the memory, which share no
// number, agree; ever more modes go to both; overdamped strings.
#include <math.h>

#include "memory_case.h"

static motion *bow_at(const char *bow, const char *damping, const char *tolerance,
                      const char *more) {
    char place[64], ratio[64], digits[64];
    snprintf(place, sizeof place, "structure.points.bow=%s", bow);
    snprintf(ratio, sizeof ratio, "structure.damping.value=%s", damping);
    snprintf(digits, sizeof digits, "simulate.tolerance=%s", tolerance);
    return motion_of(bowed_string, 2.4, SETS(place, ratio, digits, more));
}

static void both_forms_agree_wherever_the_bow_is(void **state) {
    (void)state; // measured at most 0.11 of the tolerance
    static const char *const bow[] = {"0.03", "0.05", "0.1", "0.23", "0.5"};
    static const char *const damping[] = {"0.03", "0.04", "0.05"};
    static const char *const tolerance[] = {"1e-4", "1e-6", "1e-8"};
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 3; k++) {
            const char *D = damping[(i + 2 * k) % 3];
            motion *a = bow_at(bow[i], D, tolerance[k], "simulate.memory=exponentials");
            motion *b = bow_at(bow[i], D, tolerance[k], "simulate.memory=delays");
            double worst = motion_apart(a, b) / atof(tolerance[k]);
            print_message("   bow at %s, D %s, %s: %d events, %.3f of the tolerance\n", bow[i], D,
                          tolerance[k], a->n, worst);
            assert_true(a->n >= 4);
            assert_true(worst < 1);
            motion_close(a);
            motion_close(b);
        }
}

// Event times of N modes err by C/N: 1000, 2000 and 4000 of them, twice extrapolated.
static void modes_converge_to_the_string_bowed_near_its_end(const char *damping) {
    static const char *const modes[] = {"structure.modes=1000", "structure.modes=2000",
                                        "structure.modes=4000"};
    motion *all = bow_at("0.05", damping, "1e-9", "simulate.ledger=false");
    int n = all->n < 8 ? all->n : 8;
    double t[3][8], worst = 0;
    for (int i = 0; i < 3; i++) {
        motion *m = bow_at("0.05", damping, "1e-9", modes[i]);
        assert_true(m->n >= n);
        for (int k = 0; k < n; k++) t[i][k] = m->event[k].t;
        motion_close(m);
    }
    for (int k = 0; k < n; k++) {
        double a = 2 * t[1][k] - t[0][k], b = 2 * t[2][k] - t[1][k];
        worst = fmax(worst, fabs(b + (b - a) / 3 - all->event[k].t));
    }
    print_message("   D %s: %d events, 4000 modes off by %.1e, extrapolated %.1e\n", damping, n,
                  fabs(t[2][n - 1] - all->event[n - 1].t), worst);
    assert_true(n >= 4);
    assert_true(worst < 1e-7);
    motion_close(all);
}

static void modes_converge_to_both_forms(void **state) {
    (void)state;                                             // measured 1.2e-9 and 6.8e-8
    modes_converge_to_the_string_bowed_near_its_end("0.1");  // exponentials
    modes_converge_to_the_string_bowed_near_its_end("0.01"); // delays
}

// Little damping, bow at 0.1: N modes err by C/N with the same C from 1000 on, once the sharp front
// of the start has passed; before, at its echo (0.2), their error is uneven in N, and no
// extrapolation is worth more than 1/N. The same holds without damping, where delays are exact.
static void errors_of_modes_are_even_after_the_first_front(void **state) {
    (void)state; // measured 2.5e-7
    static const char *const damping[] = {"0.001", "0"};
    for (int i = 0; i < 2; i++) {
        motion *all = bow_at("0.1", damping[i], "1e-9", "simulate.ledger=false");
        motion *few = bow_at("0.1", damping[i], "1e-9", "structure.modes=1000");
        motion *many = bow_at("0.1", damping[i], "1e-9", "structure.modes=2000");
        double worst = 0;
        assert_true(all->n >= 6 && few->n >= 6 && many->n >= 6);
        for (int k = 0; k < 6; k++) {
            double off = 2 * many->event[k].t - few->event[k].t - all->event[k].t;
            if (all->event[k].t > 1) worst = fmax(worst, fabs(off));
        }
        print_message("   D %s: %.1e\n", damping[i], worst);
        assert_true(all->event[5].t > 1);
        assert_true(worst < 1e-6);
        motion_close(all);
        motion_close(few);
        motion_close(many);
    }
}

// An overdamped string: real poles alone, against many modes, which err by 1/N.
static void an_overdamped_string_is_the_limit_of_its_modes(void **state) {
    (void)state;
    motion *all = bow_at("0.2", "1.3", "1e-8", "simulate.ledger=false");
    motion *few = bow_at("0.2", "1.3", "1e-8", "structure.modes=400");
    motion *many = bow_at("0.2", "1.3", "1e-8", "structure.modes=800");
    assert_int_equal(all->n, many->n);
    for (int k = 0; k < all->n; k++) {
        double extrapolated = 2 * many->event[k].t - few->event[k].t;
        print_message("   event at %.9f, 800 modes %.1e, extrapolated %.1e\n", all->event[k].t,
                      many->event[k].t - all->event[k].t, extrapolated - all->event[k].t);
        assert_near(extrapolated, all->event[k].t,
                    0.1 * fabs(many->event[k].t - all->event[k].t) + 1e-8);
    }
    motion_close(all);
    motion_close(few);
    motion_close(many);
}

static const char driven[] =
    "judder: 1\n"
    "structure: {type: string, length: 1, tension: 2, mass_per_length: 2, modes: infinite,\n"
    "  points: {bow: 0.3, push: 0.75}, damping: {type: ratio, value: 0.05}}\n"
    "contacts: {bow: {at: bow, against: ground, law: {type: coulomb, limit: 1}}}\n"
    "drives: {push: {at: push, type: harmonic, amplitude: 4, frequency: 3.6}}\n"
    "simulate: {engine: memory, until: 4, tolerance: 1e-7}\n";

// Drives anywhere and of every kind: events and the displacement at the end.
static void drives_act_alike_in_both_forms(void **state) {
    (void)state; // measured 1.7e-7 (the ramp lets go slowly), else 3e-8
    static const char *const drive[] = {
        "drives.push.at=push", "drives.push.at=bow",
        "drives.push={at: push, type: pulse, amplitude: 5, start: 0.3, duration: 1.1}",
        "drives.push={at: push, type: ramp, amplitude: 4, start: 0.1, duration: 2.2}",
        "drives.push={at: push, type: table, time: [0, 1, 2], value: [0, 4, -3]}"};
    for (int i = 0; i < 5; i++) {
        motion *a = motion_of(driven, 4, SETS(drive[i], "simulate.memory=exponentials"));
        motion *b = motion_of(driven, 4, SETS(drive[i], "simulate.memory=delays"));
        double u[2], v[2], F[2], worst = motion_apart(a, b);
        motion_look(a, 4, &u[0], &v[0], &F[0]);
        motion_look(b, 4, &u[1], &v[1], &F[1]);
        print_message("   %s: %d events, %.1e, displacement %.1e\n", drive[i], a->n, worst,
                      u[0] - u[1]);
        assert_true(a->n >= 1);
        assert_true(worst < 1e-6);
        assert_near(u[0], u[1], 1e-7);
        motion_close(a);
        motion_close(b);
    }
}

// Without damping: N modes err by 1/N.
static void a_driven_undamped_string_is_the_limit_of_its_modes(void **state) {
    (void)state; // measured 3e-6 of 1.3e-4
    motion *all = motion_of(driven, 4, SETS("structure.damping=none"));
    motion *few = motion_of(driven, 4, SETS("structure.damping=none", "structure.modes=1000"));
    motion *many = motion_of(driven, 4, SETS("structure.damping=none", "structure.modes=2000"));
    double worst = 0;
    assert_true(all->n >= 4 && all->n == few->n && all->n == many->n);
    for (int k = 0; k < all->n; k++)
        worst = fmax(worst, fabs(2 * many->event[k].t - few->event[k].t - all->event[k].t));
    print_message("   %d events, 2000 modes %.1e, extrapolated %.1e\n", all->n,
                  motion_apart(many, all), worst);
    assert_true(worst < 0.05 * motion_apart(many, all));
    motion_close(all);
    motion_close(few);
    motion_close(many);
}

// Velocity at x by a force at y, as it was `late` ago: d'Alembert's images on both sides.
static double images(double x, double y, double t, double (*force)(double, double), double omega) {
    double sum = 0;
    for (int m = -40; m <= 40; m++) {
        double straight = fabs(x - y + 2 * m), turned = fabs(x + y + 2 * m);
        if (t > straight) sum += force(t - straight, omega);
        if (t > turned) sum -= force(t - turned, omega);
    }
    return sum / 4; // 2 rho c
}

static double sine(double t, double omega) { return 4 * sin(omega * t); }
static double steady(double t, double omega) {
    (void)t, (void)omega;
    return 1;
}

// A contact that always slides: its force is constant. In resonance the motion grows with time,
// without an end; nothing is refused.
static void a_drive_in_resonance_adds_up_its_waves(void **state) {
    (void)state;
    const double pi = acos(-1), place[] = {0.75, 0.3, 0.11};
    for (int i = 0; i < 9; i++) {
        double omega = pi * (i % 3 + 1), y = place[i / 3], worst = 0, largest = 0;
        char frequency[64], at[64];
        snprintf(frequency, sizeof frequency, "drives.push.frequency=%.17g", omega);
        snprintf(at, sizeof at, "structure.points.push=%.17g", y);
        motion *m = motion_open(driven, SETS("structure.damping=none", frequency, at,
                                             "contacts.bow.against={velocity: 1000}"));
        for (int k = 1; k < 60; k++) {
            double t = 0.6623 * k, u, v, F;
            motion_run(m, t);
            motion_look(m, t, &u, &v, &F);
            double exact = images(0.3, y, t, sine, omega) + images(0.3, 0.3, t, steady, 0) - 1000;
            worst = fmax(worst, fabs(v - exact));
            largest = fmax(largest, fabs(exact + 1000));
        }
        assert_int_equal(m->n, 0);
        print_message("   %.2f, mode %d: %.1e of %.3g\n", y, i % 3 + 1, worst, largest);
        assert_true(worst < 1e-6 * largest);
        motion_close(m);
    }
}

// Two and four contacts: loose and tight tolerances, in the form that `auto` takes.
static void several_contacts_keep_to_the_tolerance(void **state) {
    (void)state; // measured at most 2e-8
    static const char *const points[] = {"structure.points={a: 0.4, b: 0.7}",
                                         "structure.points={a: 0.1, b: 0.35, c: 0.6, d: 0.85}"};
    static const char *const damping[] = {"structure.damping.value=0.3",
                                          "structure.damping.value=0.1",
                                          "structure.damping.value=0.02"};
    static const char law[] = "{at: %c, against: {velocity: 1.5}, law: {type: stribeck, "
                              "limit: 2.5, drop: 0.2, decay: 1}}";
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) {
            char contacts[1024] = "contacts={";
            for (char c = 'a'; c < (i ? 'e' : 'c'); c++) {
                size_t at = strlen(contacts);
                at += (size_t)snprintf(contacts + at, sizeof contacts - at, "c%c: ", c);
                at += (size_t)snprintf(contacts + at, sizeof contacts - at, law, c);
                snprintf(contacts + at, sizeof contacts - at, c + 1 < (i ? 'e' : 'c') ? ", " : "}");
            }
            motion *a = motion_of(
                bowed_string, 2,
                SETS(points[i], contacts, "start.point=a", damping[k], "simulate.tolerance=1e-6"));
            motion *b = motion_of(
                bowed_string, 2,
                SETS(points[i], contacts, "start.point=a", damping[k], "simulate.tolerance=1e-8"));
            print_message("   %s, %s: %d events, %.1e\n", points[i], damping[k], a->n,
                          motion_apart(a, b));
            assert_true(a->n >= 4);
            assert_true(motion_apart(a, b) < 1e-6);
            motion_close(a);
            motion_close(b);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_forms_agree_wherever_the_bow_is),
        cmocka_unit_test(modes_converge_to_both_forms),
        cmocka_unit_test(errors_of_modes_are_even_after_the_first_front),
        cmocka_unit_test(an_overdamped_string_is_the_limit_of_its_modes),
        cmocka_unit_test(drives_act_alike_in_both_forms),
        cmocka_unit_test(a_driven_undamped_string_is_the_limit_of_its_modes),
        cmocka_unit_test(a_drive_in_resonance_adds_up_its_waves),
        cmocka_unit_test(several_contacts_keep_to_the_tolerance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
