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

// The same against soil alone: an impulse I, elastic up to the quake q, then R: energy I^2/(2 m) =
// R q/2 + R s, and the tip rebounds from u = q + s by q.
static void rigid_pile_on_soil_is_one_mass(void **state) {
    (void)state;
    const double m = 1000, r = 4e5, q = 2e-3, impulse = 2000;
    // a blow of 2e-9 s, as good as none in time; 2e-6 of a step's length is no error: the set
    // depends on the impulse alone
    const char *text = pile(
        m * 25e12, "toe: {at: tip, against: ground, law: {type: soil, limit: 4e5, quake: 2e-3}}",
        "type: pulse, amplitude: 1e10, duration: 2e-7", 2, 0.1);
    double s = impulse * impulse / (2 * m * r) - q / 2;
    wave_case w;
    jd_body_field rod;
    wave_begin(&w, text);
    double most = 0;
    for (int k = 1; k <= 2000; k++) {
        wave_go(&w, k * 1e-5);
        assert_true(jd_run_body(w.run, 0, &rod));
        most = fmax(most, 0.5 * (rod.displacement[0] + rod.displacement[1]));
    }
    wave_close(&w);
    print_message("rigid pile, soil: deepest %.12g, closed form %.12g, off by %.2e\n", most, s + q,
                  most / (s + q) - 1);
    assert_relative(most, s + q, 1e-6); // seen every 1e-5 s only
}

static double momentum(jd_run *run) {
    jd_body_field rod;
    double sum = 0;
    assert_true(jd_run_body(run, 0, &rod));
    for (int i = 0; i < rod.n; i++) sum += rod.mass[i] * rod.velocity[i];
    return sum;
}

static double pushed(jd_run *run, int contact) {
    jd_interface_field f;
    double sum = 0;
    assert_true(jd_run_interface(run, contact, &f));
    for (int j = 0; j < f.n; j++) sum += f.impulse[j];
    return sum;
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
    double before = 0;
    for (int k = 1; k <= 5; k++) {
        wave_go(&w, 0.25 * k - 1e-4);
        double total = pushed(w.run, 0) + pushed(w.run, 1), p = momentum(w.run);
        assert_near(p - (k * blow + total), 0, 1e-10 * k * blow);
        assert_true(total < before); // the ground pushes back in every blow
        before = total;
    }
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
        cmocka_unit_test(ledger_closes_with_soil_and_a_moving_footprint)};
    return cmocka_run_group_tests_name("pile", tests, NULL, NULL);
}
