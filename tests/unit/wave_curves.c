// wave_curves.c -- friction along spans that falls or grows with the speed: affine, stribeck.
#include "draws.h"
#include "how_many.h"
#include "wave_case.h"

static char text[4000];

// ---- A resistance in proportion to the speed is damping in proportion to the mass.

static void watch(double *u, int n, double until) {
    wave_case w;
    int index;
    double v;
    wave_begin(&w, text);
    assert_int_equal(jd_run_probe(w.run, "tip", &index), JD_OK);
    for (int k = 0; k < n; k++) {
        wave_go(&w, until * (k + 1) / n);
        jd_run_observe(w.run, until * (k + 1) / n, &u[k], &v);
    }
    jd_report r;
    jd_run_report(w.run, &r);
    assert_near(r.ledger.residual, 0, 1e-10);
    wave_close(&w);
}

static void a_slope_alone_is_damping_of_the_mass(void **state) {
    (void)state;
    enum { LOOKS = 12 };
    double worst = 0;
    for (int k = 0, count = how_many(20, 8); k < count; k++) {
        double l = decades(0, 2), ea = decades(5, 9), rho = decades(0, 3), c = sqrt(ea / rho);
        double alpha = mixed(0.1, 3) * c / l, u[2][LOOKS], most = 0;
        for (int s = 0; s < 2; s++) {
            char damping[120] = "", contact[300] = "";
            if (s == 0)
                snprintf(damping, sizeof damping, ", damping: {type: rayleigh, mass: %.17g}",
                         alpha);
            else
                snprintf(contact, sizeof contact,
                         "contacts: {film: {at: {span: [0, %.17g]}, against: ground, law: {type: "
                         "affine, limit: 0, slope: %.17g}}}\n",
                         l, alpha * rho);
            snprintf(text, sizeof text,
                     "judder: 1\nstructure: {type: rod, length: %.17g, axial_stiffness: %.17g, "
                     "mass_per_length: %.17g, supports: {left: fixed, right: free}, points: {tip: "
                     "%.17g, in: %.17g}%s}\n%sdrives: {push: {at: tip, type: pulse, shape: "
                     "half-sine, amplitude: 1e3, duration: %.17g}, sway: {at: in, type: harmonic, "
                     "amplitude: 300, frequency: %.17g}}\n"
                     "simulate: {engine: wave, nodes: 61, until: %.17g}\n",
                     l, ea, rho, l, 0.3 * l, damping, contact, 0.7 * l / c, 2.3 * c / l, 9 * l / c);
            watch(u[s], LOOKS, 6 * l / c);
        }
        for (int i = 0; i < LOOKS; i++) most = fmax(most, fabs(u[0][i]));
        for (int i = 0; i < LOOKS; i++) worst = fmax(worst, fabs(u[0][i] - u[1][i]) / most);
    }
    print_message("slope alone: off by %.1e from damping of the mass\n", worst);
    assert_near(worst, 0, 1e-11);
}

// ---- A rigid pile: one mass, by small steps of its own.

typedef struct law {
    double limit, hold, slope, drop, decay;
    bool stribeck;
} law;

static double resists(const law *q, double v) {
    return q->stribeck ? q->limit - q->drop + q->drop * exp(-q->decay * v)
                       : q->limit + q->slope * v;
}

// Implicit steps of one mass under a sine from time 0 on.
static double one_mass(const law *q, double mass, double force, double omega, double until) {
    long n = 100000;
    double u = 0, v = 0, dt = until / (double)n;
    bool stuck = true;
    for (long k = 0; k < n; k++) {
        double free = v + dt * force * sin(omega * ((double)k + 0.5) * dt) / mass;
        double held = dt * (stuck ? q->hold : q->limit) / mass;
        if (fabs(free) <= held) {
            v = 0, stuck = true;
            continue;
        }
        double speed = fabs(free);
        for (int i = 0; i < 6; i++) speed = fmax(fabs(free) - dt * resists(q, speed) / mass, 0);
        v = free > 0 ? speed : -speed;
        stuck = speed == 0;
        u += dt * v;
    }
    return u;
}

static void a_rigid_rod_is_one_mass_with_this_law(void **state) {
    (void)state;
    double worst = 0;
    for (int k = 0, count = how_many(20, 8); k < count; k++) {
        law q = {.limit = mixed(300, 900), .stribeck = k % 2};
        double force = mixed(1100, 3000), omega = mixed(20, 60), until = mixed(0.3, 0.6);
        q.hold = q.limit; // above it a rod lets go cell by cell, however stiff it is
        q.slope = mixed(-100, 900), q.drop = mixed(0.1, 0.7) * q.limit, q.decay = mixed(0.5, 4);
        char words[200];
        if (q.stribeck)
            snprintf(words, sizeof words,
                     "type: stribeck, limit: %.17g, static_limit: %.17g, drop: %.17g, decay: %.17g",
                     q.limit / 2, q.hold / 2, q.drop / 2, q.decay);
        else
            snprintf(words, sizeof words, "type: affine, limit: %.17g, slope: %.17g", q.limit / 2,
                     q.slope / 2);
        snprintf(text, sizeof text,
                 "judder: 1\nstructure: {type: rod, length: 2, axial_stiffness: 4e9, "
                 "mass_per_length: 100, supports: {left: free, right: free}, points: {tip: 2}}\n"
                 "contacts: {shaft: {at: {span: [0, 2]}, against: ground, law: {%s}}}\n"
                 "drives: {push: {at: tip, type: harmonic, amplitude: %.17g, frequency: %.17g}}\n"
                 "simulate: {engine: wave, nodes: 17, until: 1}\n",
                 words, force, omega);
        double u, exact = one_mass(&q, 200, force, omega, until);
        watch(&u, 1, until);
        worst = fmax(worst, fabs(u - exact) / (force / (200 * omega * omega)));
    }
    print_message("rigid rod: off by %.1e of the free way\n", worst);
    assert_near(worst, 0, 4e-3);
}

// ---- A curve that does not fall is dry friction, static limit included.

static void a_curve_without_drop_is_dry_friction(void **state) {
    (void)state;
    double worst = 0;
    for (int k = 0, count = how_many(6, 3); k < count; k++) {
        double limit = mixed(200, 900), hold = limit * mixed(1, 1.5), u[2];
        for (int s = 0; s < 2; s++) {
            snprintf(
                text, sizeof text,
                "judder: 1\nstructure: {type: rod, length: 2, axial_stiffness: 4e6, "
                "mass_per_length: 100, supports: {left: free, right: free}, points: {tip: 2}}\n"
                "contacts: {shaft: {at: {span: [0.3, 2]}, against: ground, law: {type: %s, "
                "limit: %.17g, static_limit: %.17g}}}\n"
                "drives: {push: {at: tip, type: harmonic, amplitude: 3000, frequency: 50}}\n"
                "simulate: {engine: wave, nodes: 81, until: 1}\n",
                s ? "stribeck, drop: 0, decay: 1" : "coulomb", limit, hold);
            watch(&u[s], 1, 0.5);
        }
        worst = fmax(worst, fabs(u[0] - u[1]) / fabs(u[0]));
    }
    print_message("no drop: off by %.1e from dry friction\n", worst);
    assert_near(worst, 0, 1e-11);
}

// ---- Elastic, beside the engine of modes, with many cells.

static void an_affine_span_is_that_of_the_engine_of_modes(void **state) {
    (void)state;
    enum { LOOKS = 8 };
    double worst = 0;
    for (int k = 0, count = how_many(3, 2); k < count; k++) {
        double u[2][LOOKS], most = 0, limit = mixed(0.1, 0.3), slope = mixed(0.1, 0.6);
        for (int s = 0; s < 2; s++) {
            snprintf(text, sizeof text,
                     "judder: 1\nstructure: {type: rod, length: 1, axial_stiffness: 10, "
                     "mass_per_length: 1, modes: 80, supports: {left: fixed, right: free}, points: "
                     "{tip: 1}}\ncontacts: {pad: {at: {span: [0.5, 1]}, against: {velocity: 0.4}, "
                     "%slaw: {type: affine, limit: %.17g, slope: %.17g}}}\n"
                     "drives: {push: {at: tip, type: harmonic, amplitude: 0.5, frequency: 3}}\n"
                     "simulate: {engine: %s, until: 2%s}\n",
                     s ? "cells: 24, " : "", limit, slope, s ? "series" : "wave",
                     s ? "" : ", nodes: 401");
            wave_case w;
            int index;
            double v;
            wave_begin(&w, text);
            assert_int_equal(jd_run_probe(w.run, "tip", &index), JD_OK);
            for (int i = 0; i < LOOKS; i++) {
                jd_step step = JD_STEP_EVENT;
                double t = 0.2 * (i + 1);
                while (step == JD_STEP_EVENT)
                    assert_int_equal(jd_run_advance(w.run, t, &step), JD_OK);
                jd_run_observe(w.run, t, &u[s][i], &v);
            }
            wave_close(&w);
        }
        for (int i = 0; i < LOOKS; i++) most = fmax(most, fabs(u[0][i]));
        for (int i = 0; i < LOOKS; i++) worst = fmax(worst, fabs(u[0][i] - u[1][i]) / most);
    }
    print_message("beside 80 modes and 24 cells: off by %.1e\n", worst);
    assert_near(worst, 0, 1e-2);
}

static void what_cannot_be_is_said(void **state) {
    (void)state;
#define PILE                                                                                       \
    "judder: 1\nstructure: {type: rod, length: 2, axial_stiffness: 4e9, mass_per_length: 100, "    \
    "supports: {left: free, right: free}, points: {tip: 2}%s}\ncontacts: {shaft: {at: {span: [0, " \
    "2]}, against: ground, law: {%s}%s}}\ndrives: {push: {at: tip, type: harmonic, amplitude: 1, " \
    "frequency: 1}}\nsimulate: {engine: wave, nodes: 9, until: 1%s}\n"
#define FALLS "type: stribeck, limit: 2, drop: 1, decay: 3"
    static const struct {
        const char *body, *law, *contact, *rule, *words;
    } row[] = {
        {"", "type: stribeck, limit: 2e7, drop: 1e7, decay: 3", "", "", "several forces fit"},
        {", damping: {type: rayleigh, mass: 1}", FALLS, "", "", "damped rods"},
        {"", FALLS, ", footprint: moving", "", "nor ones that move"},
        {"", FALLS, "", ", friction_rule: trapezoidal", "trapezoidal"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        snprintf(text, sizeof text, PILE, row[i].body, row[i].law, row[i].contact, row[i].rule);
        wave_refused(text, JD_NOT_SUPPORTED, row[i].words);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slope_alone_is_damping_of_the_mass),
        cmocka_unit_test(a_rigid_rod_is_one_mass_with_this_law),
        cmocka_unit_test(a_curve_without_drop_is_dry_friction),
        cmocka_unit_test(an_affine_span_is_that_of_the_engine_of_modes),
        cmocka_unit_test(what_cannot_be_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
