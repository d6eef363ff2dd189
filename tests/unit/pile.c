// pile.c -- piles under blows: the rigid limit against closed forms, momentum blow by blow.
#include "wave_case.h"

static const char *pile(double stiffness, const char *contacts, const char *drive, int nodes,
                        double until) {
    static char text[2000];
    snprintf(text, sizeof text,
             "judder: 1\n"
             "structure: {type: rod, length: 1, axial_stiffness: %.17g, mass_per_length: 1000,\n"
             "  supports: {left: free, right: free}, points: {head: 0, tip: 1}}\n"
             "contacts: {%s}\n"
             "drives: {hammer: {at: head, %s}}\n"
             "simulate: {engine: wave, until: %.17g, nodes: %d}\n",
             stiffness, contacts, drive, until, nodes);
    return text;
}

static double tip_at(const char *text, double t) {
    wave_case w;
    jd_body_field rod;
    wave_begin(&w, text);
    wave_go(&w, t);
    assert_true(jd_run_body(w.run, 0, &rod));
    double u = 0, mass = 0;
    for (int i = 0; i < rod.n; i++) u += rod.mass[i] * rod.displacement[i], mass += rod.mass[i];
    wave_close(&w);
    return u / mass;
}

// m v' = P - F during the blow, -F after it: set = (P - F) T^2/(2 m) P/F. With two nodes, and blow
// and stop at whole steps, only the rounding of u is left, which grows as steps^1.5.
static void rigid_pile_in_friction_is_one_mass(void **state) {
    (void)state;
    const double m = 1000, p = 5e4, f = 2e4, duration = 0.01, c = 500 / duration;
    double set = (p - f) * duration * duration / (2 * m) * p / f;
    double u = tip_at(pile(m * c * c,
                           "shaft: {at: {span: [0, 1]}, against: ground, law: {type: coulomb, "
                           "limit: 2e4}}",
                           "type: pulse, amplitude: 5e4, duration: 0.01", 2, 0.03),
                      0.03);
    print_message("rigid pile in friction: off by %.1e\n", u / set - 1);
    assert_relative(u, set, 1e-10); // measured 6e-12
}

// Deepest point of a rigid pile on soil, from the parabola through the three deepest steps. Blow
// and soil are halved between head and tip, so that no wave runs: one mass, at any step. An impulse
// of 2000 N s; c steps per second.
static double deepest(double c) {
    char text[1500];
    snprintf(text, sizeof text,
             "judder: 1\n"
             "structure: {type: rod, length: 1, axial_stiffness: %.17g, mass_per_length: 1000,\n"
             "  supports: {left: free, right: free}, points: {head: 0, tip: 1}}\n"
             "contacts:\n"
             "  one: {at: head, against: ground, law: {type: soil, limit: 2e5, quake: 4e-3}}\n"
             "  two: {at: tip, against: ground, law: {type: soil, limit: 2e5, quake: 4e-3}}\n"
             "drives:\n"
             "  up: {at: head, type: pulse, amplitude: 1e10, duration: 1e-7}\n"
             "  low: {at: tip, type: pulse, amplitude: 1e10, duration: 1e-7}\n"
             "simulate: {engine: wave, until: 0.1, nodes: 2}\n",
             1000 * c * c);
    wave_case w;
    jd_body_field rod;
    double u[3] = {0}, most = 0, peak = 0;
    wave_begin(&w, text);
    for (int k = 1; k < 0.02 * c; k++) {
        wave_go(&w, k / c * (1 - 1e-12));
        assert_true(jd_run_body(w.run, 0, &rod));
        u[0] = u[1], u[1] = u[2], u[2] = rod.displacement[0];
        assert_near(rod.displacement[1], u[2], 1e-16);
        if (!(u[1] > most)) continue;
        double rise = 0.5 * (u[2] - u[0]), bend = u[2] - 2 * u[1] + u[0];
        most = u[1];
        peak = u[1] - 0.5 * rise * rise / bend;
    }
    wave_close(&w);
    return peak;
}

// The same by the engine's rule for one mass, in closed form: an impulse arrives over two steps,
// and gives the energy I^2/(2 m) (g + g^2)/2 against a spring, g = 1/(1 + k dt^2/(2 m)); from then
// on spring and plastic work are exact, whenever it yields, with the mean of two neighbouring steps
// in place of u, which lies R/m dt^2/8 below the parabola.
static double deepest_in_steps(double m, double r, double q, double impulse, double c) {
    double dt = 1 / c, g = 1 / (1 + 0.5 * r / q * dt * dt / m);
    double energy = impulse * impulse / (2 * m) * 0.5 * (g + g * g);
    return energy / r + 0.5 * q + 0.125 * r / m * dt * dt;
}

// Elastic up to the quake q, then R: I^2/(2 m) = R q/2 + R s, deepest at q + s. The steps are off
// by their dt^2, which is known; extrapolation, which does not know it, meets the closed form.
static void rigid_pile_on_soil_is_one_mass(void **state) {
    (void)state;
    const double m = 1000, r = 4e5, q = 4e-3, impulse = 2000, c[] = {1e5, 2e5};
    double exact = impulse * impulse / (2 * m * r) + q / 2, u[2];
    for (int i = 0; i < 2; i++) {
        double steps = deepest_in_steps(m, r, q, impulse, c[i]);
        u[i] = deepest(c[i]);
        print_message(
            "rigid pile on soil, %g steps/s: %.2e from the closed form, %.2e from that of "
            "its steps\n",
            c[i], u[i] / exact - 1, u[i] / steps - 1);
        assert_relative(u[i], steps, 1e-10); // measured 3e-12
    }
    double limit = (4 * u[1] - u[0]) / 3;
    print_message("extrapolated: %.2e\n", limit / exact - 1);
    assert_relative(limit, exact, 1e-10); // measured 7e-12
}

static void momentum_balances_blow_by_blow(void **state) {
    (void)state;
    char path[400];
    wave_case w = {0};
    snprintf(path, sizeof path, "%s/gallery/pile/blows.yaml", JD_SOURCE_DIR);
    w.context = jd_context_create(NULL);
    assert_int_equal(jd_model_read(w.context, path, 0, NULL, &w.problem), JD_OK);
    assert_int_equal(jd_run_create(w.context, w.problem, &w.run), JD_OK);
    const double blow = 2.5e6 * 2 * 8e-3 / 3.14159265358979323846; // half a sine
    double before = 0, p_before = 0, worst = 0;
    for (int k = 1; k <= 12; k++) {
        wave_go(&w, 0.25 * k - 1e-4);
        double total = wave_pushed(w.run, 0) + wave_pushed(w.run, 1), p = wave_momentum(w.run, 0);
        double off = (p - p_before - blow - (total - before)) / blow;
        worst = fmax(worst, fabs(off));
        assert_true(total < before); // the ground pushes back in every blow
        before = total;
        p_before = p;
    }
    print_message("momentum of a blow: off by %.1e at most\n", worst);
    assert_near(worst, 0, 1e-10); // of each blow; measured 2e-12; 3e-11 in the twentieth
    wave_close(&w);
}

// Through 10 m of ground and 1.1 million steps; between blows the pile rests under its weight.
static void momentum_balances_under_weight_through_200_blows(void **state) {
    (void)state;
    char path[400];
    wave_case w = {0};
    snprintf(path, sizeof path, "%s/gallery/pile/driven.yaml", JD_SOURCE_DIR);
    w.context = jd_context_create(NULL);
    assert_int_equal(jd_model_read(w.context, path, 0, NULL, &w.problem), JD_OK);
    assert_int_equal(jd_run_create(w.context, w.problem, &w.run), JD_OK);
    const double blow = 2.56e6 * 2 * 8e-3 / 3.14159265358979323846,
                 weight = 22 * 2200; // [N s], [N]
    double before = 0, p_before = 0, worst = 0;
    for (int k = 1; k <= 200; k++) { // the first one begins the count
        wave_go(&w, 0.15 * k - 1e-3);
        double total = wave_pushed(w.run, 0) + wave_pushed(w.run, 1), p = wave_momentum(w.run, 0);
        double off = (p - p_before - blow - weight * 0.15 - (total - before)) / blow;
        if (k > 1) worst = fmax(worst, fabs(off));
        before = total;
        p_before = p;
    }
    print_message("momentum of a blow under weight: off by %.1e at most\n", worst);
    assert_near(worst, 0, 1e-10); // measured 6e-11; 3e-9 where rounding at rest is not carried on
    wave_close(&w);
}

static void ledger_closes_with_soil_and_a_moving_footprint(void **state) {
    (void)state;
    char path[400];
    wave_case w = {0};
    jd_report r;
    jd_interface_field shaft;
    snprintf(path, sizeof path, "%s/gallery/pile/blows.yaml", JD_SOURCE_DIR);
    w.context = jd_context_create(NULL);
    assert_int_equal(jd_model_read(w.context, path, 0, NULL, &w.problem), JD_OK);
    assert_int_equal(jd_run_create(w.context, w.problem, &w.run), JD_OK);
    wave_go(&w, 0.5);
    jd_run_report(w.run, &r);
    assert_near(r.ledger.residual, 0, 1e-10);
    assert_true(r.ledger.contact[1] > 0);
    assert_true(jd_run_interface(w.run, 0, &shaft));
    // the first metres were never in the ground, the cell above it has come in
    assert_near(shaft.loss[0], 0, 0);
    assert_true(shaft.loss[199] > 0);
    wave_close(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rigid_pile_in_friction_is_one_mass),
        cmocka_unit_test(rigid_pile_on_soil_is_one_mass),
        cmocka_unit_test(momentum_balances_blow_by_blow),
        cmocka_unit_test(momentum_balances_under_weight_through_200_blows),
        cmocka_unit_test(ledger_closes_with_soil_and_a_moving_footprint)};
    return cmocka_run_group_tests_name("pile", tests, NULL, NULL);
}
