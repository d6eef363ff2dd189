// exact_ledger.c -- every term of the energy ledger against quadrature of the observed motion.
//   Two masses between walls, m = k = 1: modes (1, 1)/sqrt2 at 1 and (1, -1)/sqrt2 at sqrt3, so
//   damping of every law is known in the masses' velocities.
#include "scene.h"

static const double node[] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                              0.9602898564975363};
static const double weight[] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                0.1012285362903763};

typedef struct setup {
    void (*fill)(scene *s);             // contacts, drives, start
    double (*force)(int drive, double); // of the drives on mass 1 (all act there)
    int drives, contacts;
    double c[2];    // damping constants of the two modes
    double belt[2]; // velocity of each contact's counterpart
    int law;        // 0 none, 1 ratio, 2 Rayleigh
    double step;    // of the quadrature: breakpoints are multiples of it
    double t_end;
} setup;

typedef struct terms {
    double drive[3], contact[2], belt[2], damping;
} terms;

static scene make(const setup *k) {
    scene s = scene_open();
    const double ratio[] = {k->c[0] / 2, k->c[1] / (2 * sqrt(3))};
    jd_damping_ratio_def by_ratio = {{2, ratio}};
    jd_damping_rayleigh_def rayleigh = {(3 * k->c[0] - k->c[1]) / 2, (k->c[1] - k->c[0]) / 2};
    jd_object damping = {"", k->law == 1 ? &jd_damping_ratio : &jd_damping_rayleigh,
                         k->law == 1 ? (void *)&by_ratio : (void *)&rayleigh};
    scene_chain(&s, "", 2, 1, 1, JD_FIXED, JD_FIXED, k->law ? &damping : NULL);
    k->fill(&s);
    scene_start(&s);
    must(&s, jd_run_probe(s.r, "m1", &(int){0}));
    must(&s, jd_run_probe(s.r, "m2", &(int){0}));
    return s;
}

static void add_point(const setup *k, scene *s, double t, double w, terms *sum) {
    double u[2], v[2], cu[2], cv[2], f[2];
    jd_run_observe(s->r, t, u, v);
    jd_run_observe_contacts(s->r, t, cu, cv, f);
    for (int d = 0; d < k->drives; d++) sum->drive[d] += w * k->force(d, t) * v[0];
    for (int j = 0; j < k->contacts; j++) {
        sum->contact[j] -= w * f[j] * cv[j];
        sum->belt[j] += w * f[j] * k->belt[j];
    }
    double p = (v[0] + v[1]) * (v[0] + v[1]) / 2, m = (v[0] - v[1]) * (v[0] - v[1]) / 2;
    sum->damping += w * (k->c[0] * p + k->c[1] * m);
}

static void add_panel(const setup *k, scene *s, double a, double b, terms *sum) {
    double h = (b - a) / 2;
    must(s, jd_run_advance(s->r, b - fmin(1e-13, h / 50), &s->step));
    for (int g = 0; g < 8; g++) {
        if (s->step != JD_STEP_TIME) return; // an event not expected here: the caller's sums show
        double x = g < 4 ? -node[g] : node[g - 4];
        add_point(k, s, a + h * (1 + x), h * weight[g % 4], sum);
    }
}

// Panels between all events and multiples of the step, within phases known from a first run.
static terms integrate(const setup *k) {
    terms sum = {{0}, {0}, {0}, 0};
    scene first = make(k), s = make(k);
    scene_run(&first, k->t_end);
    double t = 0;
    int next = 0, panel = 1;
    while (t < k->t_end - 1e-12) {
        double b = panel * k->step;
        bool event = next < first.n && first.event[next].t <= b;
        if (event) b = first.event[next].t;
        if (b - t > 1e-12) add_panel(k, &s, t, b, &sum);
        t = b;
        if (event) {
            must(&s, jd_run_advance(s.r, b, &s.step));
            assert_int_equal(s.step, JD_STEP_EVENT);
            next++;
        } else {
            panel++;
        }
    }
    assert_true(first.n >= 1);
    scene_close(&first);
    scene_close(&s);
    return sum;
}

static void every_term_agrees(const setup *k) {
    terms sum = integrate(k);
    scene s = make(k);
    scene_run(&s, k->t_end);
    jd_ledger l = scene_report(&s).ledger;
    double size = l.work;
    for (int d = 0; d < k->drives; d++) assert_near(l.drive[d], sum.drive[d], 1e-11 * size);
    for (int j = 0; j < k->contacts; j++) {
        assert_near(l.contact[j], sum.contact[j], 1e-11 * size);
        assert_near(l.belt[j], sum.belt[j], 1e-11 * size);
    }
    assert_near(l.damping, sum.damping, 1e-11 * size);
    assert_near(l.residual, 0, 1e-12);
    print_message("   %d events, residual %.1e, drive %.6g contact %.6g belt %.6g damping %.6g\n",
                  s.n, l.residual, k->drives ? l.drive[0] : 0, l.contact[0], l.belt[0], l.damping);
    scene_close(&s);
}

static void fill_harmonic(scene *s) {
    scene_friction(s, "pad", "m2", 0.2, NAN);
    scene_harmonic(s, "h", "m1", 1, 0.7, 0.2);
    scene_constant(s, "c", "m1", 0.3);
    scene_harmonic(s, "same", "m1", 0.4, 0.7, 1.1);
}
static double force_harmonic(int d, double t) {
    return d == 0 ? sin(0.7 * t + 0.2) : d == 1 ? 0.3 : 0.4 * sin(0.7 * t + 1.1);
}

static void harmonic_and_constant_drives_with_each_kind_of_damping(void **state) {
    (void)state;
    for (int law = 0; law < 3; law++) {
        double f = law ? 1 : 0;
        setup k = {fill_harmonic, force_harmonic, 3, 1, {0.04 * f, 0.1 * f}, {0, 0}, law, 0.1, 40};
        every_term_agrees(&k);
    }
}

static void fill_resonant(scene *s) {
    scene_friction(s, "pad", "m2", 0.2, NAN);
    scene_harmonic(s, "h", "m1", 1, 1, 0.2); // mode 1 itself
    scene_harmonic(s, "same", "m1", 0.4, 1, 1.1);
}
static double force_resonant(int d, double t) { return d == 0 ? sin(t + 0.2) : 0.4 * sin(t + 1.1); }

static void two_drives_at_resonance(void **state) {
    (void)state;
    setup k = {fill_resonant, force_resonant, 2, 1, {0, 0}, {0, 0}, 0, 0.1, 30};
    every_term_agrees(&k);
}

static void fill_pulses(scene *s) {
    scene_friction(s, "pad", "m2", 0.1, NAN);
    scene_pulse(s, "box", "m1", 0, 1, 1, 2);
    scene_pulse(s, "half", "m1", 1, -1.5, 2, 3);
    scene_ramp(s, "ramp", "m1", 2, 4, 6);
}
static double force_pulses(int d, double t) {
    if (d == 0) return t > 1 && t < 3 ? 1 : 0;
    if (d == 1) return t > 2 && t < 5 ? -1.5 * sin(3.14159265358979323846 * (t - 2) / 3) : 0;
    return t < 4 ? 0 : t < 10 ? 2 * (t - 4) / 6 : 2;
}

static void pulses_and_ramps(void **state) {
    (void)state;
    for (int law = 0; law < 3; law++) {
        double f = law ? 1 : 0;
        setup k = {fill_pulses, force_pulses, 3, 1, {0.04 * f, 0.1 * f}, {0, 0}, law, 0.1, 20};
        every_term_agrees(&k);
    }
}

// Mode 1 at and beside critical damping, c = 2, and at and beside resonance with two drives.
static void pair_blocks_term_by_term(void **state) {
    (void)state;
    const double off[] = {0, 1e-14, -1e-9, 1e-5, -1e-3, 0.05};
    for (int i = 0; i < 12; i++) {
        double c = 2 * (1 + off[i % 6]), weak = fabs(off[i % 6]) / 5;
        int law = 1 + i / 6;
        setup a = {fill_harmonic, force_harmonic, 3, 1, {c, 2.5}, {0, 0}, law, 0.1, 30};
        setup b = {fill_pulses, force_pulses, 3, 1, {c, 2.5}, {0, 0}, law, 0.1, 20};
        setup r = {fill_resonant, force_resonant, 2, 1, {weak, 2 * weak}, {0, 0}, law, 0.1, 30};
        every_term_agrees(&a);
        every_term_agrees(&b);
        every_term_agrees(&r);
    }
}

static const double table_time[] = {0.5, 2, 3, 7}, table_value[] = {0, 1.5, -1, 0.5};
static void fill_table(scene *s) {
    scene_friction(s, "pad", "m2", 0.1, NAN);
    scene_table(s, "table", "m1", 4, table_time, table_value);
}
static double force_table(int d, double t) {
    (void)d;
    if (t < 0.5) return 0;
    for (int i = 0; i < 3; i++)
        if (t < table_time[i + 1])
            return table_value[i] + (table_value[i + 1] - table_value[i]) * (t - table_time[i]) /
                                        (table_time[i + 1] - table_time[i]);
    return 0.5;
}

static void tables(void **state) {
    (void)state;
    setup k = {fill_table, force_table, 1, 1, {0.04, 0.1}, {0, 0}, 1, 0.1, 20};
    every_term_agrees(&k);
}

static void fill_belt(scene *s) {
    s->against = (jd_counter){.kind = JD_MOVING, .velocity = 0.3};
    scene_friction(s, "belt", "m2", 0.6, 0.8);
    s->against = (jd_counter){.kind = JD_MOVING, .velocity = -0.1};
    scene_affine(s, "second", "m1", 0.2, 0.15);
    scene_harmonic(s, "h", "m1", 0.5, 0.7, 0.2);
}
static double force_belt(int d, double t) {
    (void)d;
    return 0.5 * sin(0.7 * t + 0.2);
}

static void belts_and_rising_friction(void **state) {
    (void)state;
    for (int law = 0; law < 3; law++) {
        double f = law ? 1 : 0;
        setup k = {fill_belt, force_belt, 1, 2, {0.04 * f, 0.1 * f}, {0.3, -0.1}, law, 0.1, 30};
        every_term_agrees(&k);
    }
}

// Real poles of coupled modes: of each two, one has an imaginary normalised vector.
static void strong_damping_that_couples(void **state) {
    (void)state;
    setup k = {fill_belt, force_belt, 1, 2, {3, 8}, {0.3, -0.1}, 1, 0.1, 30};
    every_term_agrees(&k);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(harmonic_and_constant_drives_with_each_kind_of_damping),
        cmocka_unit_test(two_drives_at_resonance),
        cmocka_unit_test(pulses_and_ramps),
        cmocka_unit_test(pair_blocks_term_by_term),
        cmocka_unit_test(tables),
        cmocka_unit_test(belts_and_rising_friction),
        cmocka_unit_test(strong_damping_that_couples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
