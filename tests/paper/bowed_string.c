// bowed_string.c -- the memory engine on the bowed string of Szalai (2014), section V.
//   Reference events: the full modal system and the infinite kernel, integrated with spectral
//   panels to 1e-13; exits are slip+, slip-, slip-.
#include <math.h>

#include "memory_case.h"

static const char events_in_order[][3] = {"-H", "H+", "+H", "H-", "-H", "H-"};

static double worst_event(const motion *m, const double *t) {
    double worst = 0;
    assert_int_equal(m->n, 6);
    for (int i = 0; i < 6; i++) {
        worst = fmax(worst, fabs(m->event[i].t - t[i]));
        assert_int_equal(jd_contact_letter(m->event[i].from), events_in_order[i][0]);
        assert_int_equal(jd_contact_letter(m->event[i].to), events_in_order[i][1]);
    }
    return worst;
}

static const double with_20[] = {0.11137725181573076, 0.16561247092188666, 1.0108464328409934,
                                 1.0897257630792112,  2.2557454042578886,  2.859143132681309};
static const double with_40[] = {0.10998649543643221, 0.1696236476508905, 1.0090649342581057,
                                 1.0947385611956495,  2.2461506912589617, 2.8594019430252016};
static const double with_all[] = {0.10937043212313949, 0.1750451546290555, 1.0071797671760117,
                                  1.099489952715174,   2.236501443348118,  2.860241515449579};

static void events_of_twenty_modes_are_right_to_1e_9(void **state) {
    (void)state; // measured 2e-14
    motion *m = motion_of(bowed_string, 20, SETS("structure.modes=20", "simulate.tolerance=1e-11"));
    assert_near(worst_event(m, with_20), 0, 1e-9);
    motion_close(m);
}

static void events_of_forty_modes_are_right_to_1e_9(void **state) {
    (void)state; // measured 4e-13
    motion *m = motion_of(bowed_string, 20, SETS("structure.modes=40", "simulate.tolerance=1e-11"));
    assert_near(worst_event(m, with_40), 0, 1e-9);
    motion_close(m);
}

static void events_of_infinitely_many_modes_are_right_to_1e_9(void **state) {
    (void)state; // measured 2e-12
    motion *m = motion_of(bowed_string, 20, SETS("simulate.tolerance=1e-11"));
    assert_near(worst_event(m, with_all), 0, 1e-9);
    motion_close(m);
}

// Whatever the tolerance, the error of the events stays below some times it.
static void event_times_do_not_depend_on_the_panels_within_the_tolerance(void **state) {
    (void)state; // measured: at most 0.7 of the tolerance
    static const char *const set[] = {"simulate.tolerance=1e-4", "simulate.tolerance=1e-5",
                                      "simulate.tolerance=1e-6", "simulate.tolerance=1e-7",
                                      "simulate.tolerance=1e-8", "simulate.tolerance=1e-9"};
    for (int i = 0; i < 6; i++) {
        motion *m = motion_of(bowed_string, 3, 1, set + i);
        assert_near(worst_event(m, with_all), 0, 3 * pow(10, -4 - i));
        motion_close(m);
    }
}

// Force that sticking begins with, against the one sliding ended with.
static double gap(const motion *m, int event) { return 4 - fabs(m->after[event][0]); }
static double gap_through(const motion *m, int i, double sign) {
    return fabs(m->after[i][0] - sign * 4);
}

static void forces_jump_at_the_onset_of_stick_of_finitely_many_modes(void **state) {
    (void)state; // measured 1e-9 of the values computed from arrival acceleration/sum n_k^2
    motion *m = motion_of(bowed_string, 3, SETS("structure.modes=20", "simulate.tolerance=1e-10"));
    assert_near(gap_through(m, 0, 1), 3.289018127068812, 1e-7);
    assert_near(gap_through(m, 2, -1), 2.0595973822067917, 1e-7);
    assert_near(gap_through(m, 4, 1), 0.5688761500353232, 1e-7);
    motion_close(m);
    m = motion_of(bowed_string, 3, SETS("structure.modes=640", "simulate.tolerance=1e-8"));
    assert_near(gap_through(m, 0, 1), 0.10009, 1e-5);
    assert_near(gap_through(m, 2, -1), 0.06316, 1e-5);
    assert_near(gap_through(m, 4, 1), 0.01767, 1e-5);
    motion_close(m);
}

// Gap ~ 1/N, since sum n_k^2 ~ N/2: halving from 80 to 160 to 320 modes.
static void the_force_gap_falls_as_one_over_the_number_of_modes(void **state) {
    (void)state;
    static const char *const set[] = {"structure.modes=80", "structure.modes=160",
                                      "structure.modes=320"};
    double last = 0;
    for (int i = 0; i < 3; i++) {
        motion *m = motion_of(bowed_string, 0.15, 1, set + i);
        double now = gap(m, 0), order = log2(last / now);
        if (i > 0) print_message("   gap %.6f, order %.3f\n", now, order);
        if (i > 0) assert_near(order, 1, 0.02);
        last = now;
        motion_close(m);
    }
}

// Slopes of the force by differences of two observations close together.
static double slope(motion *m, double t, double h) {
    double u, v, a, b;
    motion_look(m, t, &u, &v, &a);
    motion_look(m, t + h, &u, &v, &b);
    return (b - a) / h;
}

static void forces_are_continuous_for_infinitely_many_modes(void **state) {
    (void)state; // 40-digit kernels: dF/dt 10.26 -> -126.03, -6.46 -> 79.40, 1.81 -> -22.25
    static const double before[] = {10.259, 0, -6.4637, 0, 1.8114},
                        after[] = {-126.029, 0, 79.4045, 0, -22.2517};
    motion *m = motion_open(bowed_string, SETS("simulate.tolerance=1e-9"));
    motion_start(m);
    for (int i = 0; i < 5; i++) {
        double u, v, F, h = 1e-5, t = with_all[i] - 2 * h;
        jd_step step;
        assert_int_equal(jd_run_advance(m->run, t + h, &step), JD_OK);
        assert_int_equal(step, JD_STEP_TIME);
        double rate = slope(m, t, h);
        assert_int_equal(jd_run_advance(m->run, 10, &step), JD_OK);
        assert_int_equal(step, JD_STEP_EVENT);
        motion_look(m, jd_run_event(m->run)->t, &u, &v, &F);
        assert_near(fabs(F), 4, 1e-7); // no gap
        if (i % 2) continue;
        assert_near(rate, before[i], 1e-2);
        assert_near(slope(m, jd_run_event(m->run)->t, h), after[i], 0.1);
    }
    motion_close(m);
}

static void velocity_jumps_at_the_very_start_of_infinitely_many_modes(void **state) {
    (void)state;
    motion *m = motion_open(bowed_string, SETS("simulate.tolerance=1e-9"));
    double u, v, F;
    jd_step step;
    motion_start(m);
    assert_int_equal(jd_run_advance(m->run, 0, &step), JD_OK);
    motion_look(m, 0, &u, &v, &F);
    assert_near(v + 1.5, -1.898612149933, 1e-11);
    assert_near(F, 3.690694278147, 1e-11);
    assert_near(u, -2.9224, 1e-12);
    motion_close(m);
}

// Spectral panels of the infinite kernel: velocity and force at some times.
static void samples_of_infinitely_many_modes_are_right(void **state) {
    (void)state; // measured 3e-11
    static const double at[][3] = {{0.05, -0.3568269330866566, 3.729973559855098},
                                   {0.5, 7.230392204951791, -3.681038657268336},
                                   {1.5, -3.6747934026105424, 3.6818103633901824},
                                   {2.5, 1.5, -0.8169939402858648},
                                   {2.9, 1.2442903263212457, 3.9277973616676154}};
    motion *m = motion_open(bowed_string, SETS("simulate.tolerance=1e-11"));
    for (int i = 0; i < 5; i++) {
        double u, v, F;
        motion_run(m, at[i][0]);
        motion_look(m, at[i][0], &u, &v, &F);
        assert_near(v + 1.5, at[i][1], 1e-8);
        assert_near(F, at[i][2], 1e-8);
    }
    motion_close(m);
}

// The published Euler convolution: first order, events within two steps.
static void euler_convolution_is_a_first_order_baseline(void **state) {
    (void)state; // measured 1.4e-3 at steps of 1e-3, 3.9e-4 at 5e-4
    motion *a =
        motion_of(bowed_string, 3,
                  SETS("simulate.engine=convolution", "structure.modes=20", "simulate.step=1e-3"));
    motion *b =
        motion_of(bowed_string, 3,
                  SETS("simulate.engine=convolution", "structure.modes=20", "simulate.step=5e-4"));
    double coarse = worst_event(a, with_20), fine = worst_event(b, with_20);
    print_message("   worst event %.1e at 1e-3, %.1e at 5e-4\n", coarse, fine);
    assert_true(coarse < 2e-3 && fine < 1e-3 && fine < 0.7 * coarse && fine > 1e-5);
    motion_close(a);
    motion_close(b);
}

// D = 0.01: after the transient the motion repeats; period from every other slip, N = 320.
static void little_damping_gives_periodic_stick_slip(void **state) {
    (void)state;
    motion *m = motion_of(
        bowed_string, 700,
        SETS("structure.modes=320", "structure.damping.value=0.01", "simulate.tolerance=1e-7"));
    int last = m->n - 1;
    while (jd_contact_letter(m->event[last].to) == 'H') last--;
    double period = m->event[last].t - m->event[last - 2].t;
    double stick = m->event[last].t - m->event[last - 1].t;
    print_message("   period %.9f, stick %.8f\n", period, stick);
    assert_near(period, 1.99987441, 2e-8);
    assert_near(stick, 0.4049672, 1e-7);
    motion_close(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_of_twenty_modes_are_right_to_1e_9),
        cmocka_unit_test(events_of_forty_modes_are_right_to_1e_9),
        cmocka_unit_test(events_of_infinitely_many_modes_are_right_to_1e_9),
        cmocka_unit_test(event_times_do_not_depend_on_the_panels_within_the_tolerance),
        cmocka_unit_test(forces_jump_at_the_onset_of_stick_of_finitely_many_modes),
        cmocka_unit_test(the_force_gap_falls_as_one_over_the_number_of_modes),
        cmocka_unit_test(forces_are_continuous_for_infinitely_many_modes),
        cmocka_unit_test(velocity_jumps_at_the_very_start_of_infinitely_many_modes),
        cmocka_unit_test(samples_of_infinitely_many_modes_are_right),
        cmocka_unit_test(euler_convolution_is_a_first_order_baseline),
        cmocka_unit_test(little_damping_gives_periodic_stick_slip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
