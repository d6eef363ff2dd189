// exact_linear.c -- motion between events against closed forms: resonance, any damping, rigid
// bodies,
//   every kind of drive.
#include "scene.h"

static const double pi = 3.14159265358979323846;

typedef struct motion {
    double u, v;
} motion;

static motion probe_at(scene *s, double t) {
    motion m;
    if (!s->r) {
        scene_start(s);
        must(s, jd_run_probe(s->r, "m1", &(int){0}));
    }
    scene_run(s, t);
    jd_run_observe(s->r, t, &m.u, &m.v);
    return m;
}

static void assert_motion(scene *s, double t, double u, double v, double bound) {
    motion m = probe_at(s, t);
    assert_near(m.u, u, bound);
    assert_near(m.v, v, bound);
}

// u'' + u = sin(t + phi): u = -t cos(t + phi)/2 + (sin t cos phi)/2 from rest.
static void resonance_grows_as_t(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        double phi = 0.7 * i;
        scene s = scene_open();
        scene_mass(&s, 1, 1, 0);
        scene_harmonic(&s, "shaker", "m1", 1, 1, phi);
        for (double t = 0.7; t < 600; t *= 2.1)
            assert_motion(&s, t, -t * cos(t + phi) / 2 + sin(t) * cos(phi) / 2,
                          -cos(t + phi) / 2 + t * sin(t + phi) / 2 + cos(t) * cos(phi) / 2,
                          2e-15 * (1 + t) * (1 + t));
        jd_ledger l = scene_report(&s).ledger;
        assert_near(l.residual, 0, 1e-13);
        scene_close(&s);
    }
}

// u'' + u = sin Omega t: u = (sin Omega t - Omega sin t)/(1 - Omega^2), by a difference that does
// not cancel: with d = 1 - Omega, sin Omega t = sin t - 2 cos(t - dt/2) sin(dt/2).
static void near_resonance_loses_no_digits(void **state) {
    (void)state;
    const double detuning[] = {1e-12, 1e-9, 1e-6, 1e-3, 0.019, 0.021};
    for (int i = 0; i < 6; i++) {
        double d = detuning[i], Omega = 1 - d;
        d = 1 - Omega; // as rounded
        scene s = scene_open();
        scene_mass(&s, 1, 1, 0);
        scene_harmonic(&s, "shaker", "m1", 1, Omega, 0);
        for (double t = 0.7; t < 200; t *= 2.1) {
            double u = (sin(t) - 2 * cos(t - d * t / 2) * sin(d * t / 2) / d) / (2 - d);
            double v = Omega * (-2 * sin(d * t / 2 - t) * sin(d * t / 2) / d) / (2 - d);
            assert_motion(&s, t, u, v, 4e-15 * (1 + t) * (1 + t));
        }
        assert_near(scene_report(&s).ledger.residual, 0, 1e-13);
        scene_close(&s);
    }
}

// Driven at its frequency with little damping: u = -cos t/(2D) + the free part.
static void damped_resonance_settles(void **state) {
    (void)state;
    double D = 0.005, w = sqrt(1 - D * D);
    scene s = scene_open();
    scene_mass(&s, 1, 1, D);
    scene_harmonic(&s, "shaker", "m1", 1, 1, 0);
    for (double t = 0.7; t < 900; t *= 2.1) {
        double free = exp(-D * t) * (cos(w * t) + D / w * sin(w * t)) / (2 * D);
        double v = sin(t) / (2 * D) - exp(-D * t) * sin(w * t) / (2 * D * w);
        assert_motion(&s, t, -cos(t) / (2 * D) + free, v, 2e-14 * (1 + t));
    }
    assert_near(scene_report(&s).ledger.residual, 0, 1e-13);
    scene_close(&s);
}

// u'' + 2D u' + u = 0 from u = 1, v = 0.5 for D about 1: cosh or cos of (D^2 - 1) t.
static void damping_near_critical_loses_no_digits(void **state) {
    (void)state;
    const double ratio[] = {0.9,       0.999,    1 - 1e-6, 1 - 2e-8, 1 - 1e-10, 1,
                            1 + 1e-10, 1 + 2e-8, 1 + 1e-6, 1.001,    1.5,       40};
    for (int i = 0; i < 12; i++) {
        double D = ratio[i], d = (D - 1) * (D + 1), u0 = 1, v0 = 0.5;
        scene s = scene_open();
        scene_mass(&s, 1, 1, D);
        scene_state(&s, 0, 1, &u0, &v0);
        for (double t = 0.3; t < 20; t *= 2.1) {
            double r = sqrt(fabs(d)), C = d > 0 ? cosh(r * t) : cos(r * t);
            double S = r * t < 1e-5 ? t * (1 + d * t * t / 6)
                       : d > 0      ? sinh(r * t) / r
                                    : sin(r * t) / r;
            double u = exp(-D * t) * (u0 * C + (v0 + D * u0) * S),
                   v = exp(-D * t) * (v0 * C - (u0 + D * v0) * S);
            if (D * t < 300) assert_motion(&s, t, u, v, D > 10 ? 1e-12 : 1e-14);
        }
        print_message("   D - 1 = %g: residual %.1e\n", D - 1, scene_report(&s).ledger.residual);
        assert_near(scene_report(&s).ledger.residual, 0, 1e-13);
        scene_close(&s);
    }
}

static void a_free_mass_falls_and_follows_ramps(void **state) {
    (void)state;
    double v0 = 3;
    scene s = scene_open();
    scene_mass(&s, 2, 0, 0);
    scene_constant(&s, "weight", "m1", -4);
    scene_ramp(&s, "ramp", "m1", 6, 1, 3); // 0 until 1, 2 (t - 1) until 4, then 6
    scene_harmonic(&s, "shaker", "m1", 1, 2, 0.5);
    scene_state(&s, 0, 1, NULL, &v0);
    const double at[] = {0.5, 1, 2.5, 4, 9};
    for (int i = 0; i < 5; i++) {
        double t = at[i], r = t - 1, u = 0, v = 0;
        if (t > 1 && t <= 4) u = r * r * r / 6, v = r * r / 2;
        if (t > 4) u = 27.0 / 6 + 4.5 * (t - 4) + 1.5 * (t - 4) * (t - 4), v = 4.5 + 3 * (t - 4);
        u += v0 * t - t * t - (sin(2 * t + 0.5) - sin(0.5)) / 8 + cos(0.5) * t / 4;
        v += v0 - 2 * t - (cos(2 * t + 0.5) - cos(0.5)) / 4;
        assert_motion(&s, t, u, v, 1e-13);
    }
    assert_near(scene_report(&s).ledger.residual, 0, 1e-14);
    scene_close(&s);
}

// m u'' + c u' = F: v = F/c + (v0 - F/c) exp(-c t/m), m = 2 and mass-proportional damping.
static void a_damped_free_mass_reaches_its_speed(void **state) {
    (void)state;
    double v0 = 3, F = 1, a = 0.4, end = F / (2 * a);
    jd_damping_rayleigh_def rayleigh = {a, 0};
    jd_object damping = {"", &jd_damping_rayleigh, &rayleigh};
    scene s = scene_open();
    scene_chain(&s, "", 1, 2, 0, JD_FREE, JD_FREE, &damping);
    scene_constant(&s, "pull", "m1", F);
    scene_state(&s, 0, 1, NULL, &v0);
    for (double t = 0.3; t < 60; t *= 2.1)
        assert_motion(&s, t, end * t + (v0 - end) * (1 - exp(-a * t)) / a,
                      end + (v0 - end) * exp(-a * t), 1e-13);
    jd_ledger l = scene_report(&s).ledger;
    assert_near(l.residual, 0, 1e-14);
    scene_close(&s);
}

// Block on a belt at speed w: dragged by +R until v = w, then carried along.
static void a_block_is_dragged_along_by_a_belt(void **state) {
    (void)state;
    double R = 3, m = 2, w = 0.9, t1 = w * m / R;
    scene s = scene_open();
    scene_mass(&s, m, 0, 0);
    s.against = (jd_counter){.kind = JD_MOVING, .velocity = w};
    scene_friction(&s, "belt", "m1", R, NAN);
    assert_motion(&s, 0.3, R / m * 0.09 / 2, R / m * 0.3, 1e-15);
    assert_motion(&s, 5, w * t1 / 2 + w * (5 - t1), w, 1e-14);
    assert_int_equal(s.n, 1);
    assert_event(&s.event[0], t1, 1e-15, 0, '-', 'H');
    jd_ledger l = scene_report(&s).ledger;
    assert_near(l.contact[0], m * w * w / 2, 1e-15);
    assert_near(l.belt[0], m * w * w, 1e-14);
    assert_near(l.residual, 0, 1e-15);
    scene_close(&s);
}

// Falling friction on a free block: m v' = -R + d v grows like exp(d t/m) until it is called so.
static void falling_friction_grows_without_bound_and_says_so(void **state) {
    (void)state;
    double v0 = 3, R = 1, d = 0.5;
    scene s = scene_open();
    scene_mass(&s, 1, 0, 0);
    scene_affine(&s, "pad", "m1", R, -d);
    scene_state(&s, 0, 1, NULL, &v0);
    assert_motion(&s, 4, R / d * 4 + (v0 - R / d) * (exp(d * 4) - 1) / d,
                  R / d + (v0 - R / d) * exp(d * 4), 1e-13);
    assert_near(scene_report(&s).ledger.residual, 0, 1e-13);
    scene_run(&s, 1e9);
    assert_int_equal(s.step, JD_STEP_STOPPED);
    assert_int_equal(scene_report(&s).stop, JD_STOP_UNBOUNDED);
    scene_close(&s);
}

static void a_jump_of_the_load_releases_a_stuck_contact(void **state) {
    (void)state;
    scene s = scene_open();
    scene_mass(&s, 1, 1, 0);
    scene_friction(&s, "pad", "m1", 0.5, NAN);
    scene_pulse(&s, "blow", "m1", 0, 2, 1, 10);
    scene_run(&s, 3);
    assert_int_equal(s.n, 1);
    assert_event(&s.event[0], 1, 0, 0, 'H', '+');
    assert_near(scene_at(&s, 3, 0).u, 1.5 * (1 - cos(2)), 1e-14);
    scene_run(&s, 1 + pi + 0.5);
    assert_event(&s.event[1], 1 + pi, 1e-14, 0, '+', '-'); // u = 3, spring and load: -1
    scene_close(&s);
}

static void half_sine_pulses_act_only_while_they_last(void **state) {
    (void)state;
    scene s = scene_open();
    scene_mass(&s, 1, 0, 0);
    scene_pulse(&s, "blow", "m1", 1, 2, 1, 3);
    double w = pi / 3, v = 4 / w; // impulse 2 x 2/w
    assert_motion(&s, 1, 0, 0, 0);
    assert_motion(&s, 4, v / 2 * 3, v, 1e-14);
    assert_motion(&s, 6, v / 2 * 3 + v * 2, v, 2e-14);
    assert_near(scene_report(&s).ledger.drive[0], v * v / 2, 1e-14);
    assert_near(scene_report(&s).ledger.residual, 0, 1e-14);
    scene_close(&s);
}

static void a_table_of_two_lines_is_a_ramp(void **state) {
    (void)state;
    const double time[] = {0, 1, 4}, value[] = {0, 0, 6};
    scene r = scene_open(), t = scene_open();
    for (int i = 0; i < 2; i++) {
        scene *s = i ? &t : &r;
        scene_chain(s, "", 2, 1, 1, JD_FIXED, JD_FREE, NULL);
        scene_friction(s, "pad", "m2", 0.4, NAN);
    }
    scene_ramp(&r, "load", "m1", 6, 1, 3);
    scene_table(&t, "load", "m1", 3, time, value);
    motion a = probe_at(&r, 20), b = probe_at(&t, 20);
    assert_near(a.u, b.u, 1e-13);
    assert_near(a.v, b.v, 1e-13);
    assert_int_equal(r.n, t.n);
    for (int i = 0; i < r.n; i++) assert_near(r.event[i].t, t.event[i].t, 1e-13);
    scene_close(&r);
    scene_close(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resonance_grows_as_t),
        cmocka_unit_test(near_resonance_loses_no_digits),
        cmocka_unit_test(damped_resonance_settles),
        cmocka_unit_test(damping_near_critical_loses_no_digits),
        cmocka_unit_test(a_free_mass_falls_and_follows_ramps),
        cmocka_unit_test(a_damped_free_mass_reaches_its_speed),
        cmocka_unit_test(a_block_is_dragged_along_by_a_belt),
        cmocka_unit_test(falling_friction_grows_without_bound_and_says_so),
        cmocka_unit_test(a_jump_of_the_load_releases_a_stuck_contact),
        cmocka_unit_test(half_sine_pulses_act_only_while_they_last),
        cmocka_unit_test(a_table_of_two_lines_is_a_ramp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
