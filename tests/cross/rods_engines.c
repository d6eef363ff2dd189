// rods_engines.c -- rods rubbing along a length: engines against each other.
//   Mode matching against the event-driven engine; the event-driven engine against the exact engine
//   on the same nodes written as a chain with contacts at points.
#include <string.h>

#include "rods_case.h"

enum { NODES = 304, MOST = 4000 };

static void matches_in(double sleeve, int nodes, const char *drive, double friction, double until) {
    rods_run a = rods_open_in(sleeve, "taylor", drive, friction, nodes);
    rods_run b = rods_open_in(sleeve, "mode-matching", drive, friction, nodes);
    double most = 0, apart = 0;
    for (int i = 1; i <= 50; i++) {
        double u[4], w[4], t = until * i / 50;
        rods_to(&a, t, u);
        rods_to(&b, t, w);
        for (int k = 0; k < 4; k++) {
            most = fmax(most, fabs(u[k]));
            apart = fmax(apart, fabs(w[k] - u[k]));
        }
    }
    print_message("%s, %g, %g: %.1e\n", drive, friction, sleeve, apart / most);
    assert_near(apart, 0, 5e-5 * most);
    rods_close(&a);
    rods_close(&b);
}

static void matches(const char *drive, double friction, double until) {
    matches_in(1e4, NODES, drive, friction, until);
}

// A sleeve of a hundred piles is dragged along where they stick; measured: 3e-5. (The
// lighter it is, the less mode matching, which takes its motion from the step before, is worth:
// 1e-4 for ten piles, 2e-3 for one.)
static void mode_matching_follows_a_sleeve_that_moves(void **state) {
    (void)state;
    matches_in(100, 76, rods_20, 1.0, 0.2);
}

// measured: 2e-7, 3e-6, 5e-6, 3e-6, 5e-6, 2e-5, 2e-8
static void mode_matching_stays_within_5e_5_of_every_event(void **state) {
    (void)state;
    matches(rods_20, 0.6, 1);
    matches(rods_20, 1.0, 1);
    matches(rods_150, 0.6, 0.3);
    matches(rods_150, 1.0, 0.3);
    matches(rods_pulse, 0.6, 0.3);
    matches(rods_pulse, 1.0, 0.3);
    matches("ramp, amplitude: 20, duration: 0.1", 0.6, 0.3);
}

// Five nodes of a rod (EA = 4, rho = 1, L = 4: springs 4, masses 1/2, 1, 1, 1, 1/2), the last
// three of which rub: span [1.5, 4], limit 0.3 per length.
static const char *const rod =
    "judder: 1\n"
    "bodies:\n"
    "  rod: {type: rod, length: 4, axial_stiffness: 4, mass_per_length: 1,\n"
    "        supports: {left: %s, right: free}, points: {n1: 0, n2: 1, n3: 2, n4: 3, n5: 4}}\n"
    "contacts:\n"
    "  face: {at: {body: rod, span: [1.5, 4]}, against: %s,\n"
    "         law: {type: coulomb, limit: 0.3, static_limit: %g}}\n"
    "drives: {push: {at: rod.n2, type: %s}}\n"
    "simulate: {engine: taylor, nodes: 5, until: 40}\n";
static const char *const chain =
    "judder: 1\n"
    "structure: {type: chain, count: %d, mass: [%s 1, 1, 1, 0.5], stiffness: 4,\n"
    "            supports: {left: %s, right: free},\n"
    "            points: {n2: {node: %d}, n3: {node: %d}, n4: {node: %d}, n5: {node: %d}}}\n"
    "contacts:\n"
    "  c3: {at: n3, against: %s, law: {type: coulomb, limit: 0.3, static_limit: %g}}\n"
    "  c4: {at: n4, against: %s, law: {type: coulomb, limit: 0.3, static_limit: %g}}\n"
    "  c5: {at: n5, against: %s, law: {type: coulomb, limit: 0.15, static_limit: %g}}\n"
    "drives: {push: {at: n2, type: %s}}\n"
    "simulate: {engine: exact, until: 40}\n";

typedef struct history {
    int n;
    jd_event event[MOST];
    double u[2], v[2]; // of n2 and n5 at the end
    double work;       // of the drive
} history;

static void go(const char *text, const char *const *points, double until, history *h) {
    model_case m = {.context = jd_context_create(NULL)};
    jd_run *run;
    jd_report report;
    reads(&m, text, NULL);
    if (jd_run_create(m.context, m.problem, &run) != JD_OK)
        fail_msg("%s", jd_context_error(m.context)->message);
    for (int i = 0; i < 2; i++) {
        int index;
        assert_int_equal(jd_run_probe(run, points[i], &index), JD_OK);
    }
    h->n = 0;
    for (jd_step step = JD_STEP_EVENT; step == JD_STEP_EVENT;) {
        assert_int_equal(jd_run_advance(run, until, &step), JD_OK);
        if (step == JD_STEP_EVENT && h->n < MOST) h->event[h->n++] = *jd_run_event(run);
    }
    jd_run_observe(run, until, h->u, h->v);
    jd_run_report(run, &report);
    h->work = report.ledger.drive[0];
    assert_true(report.certificate.certified);
    assert_near(report.ledger.residual, 0, 1e-12);
    jd_run_free(run);
    model_case_drop(&m);
    jd_context_free(m.context);
}

static void same_as_chain(const char *drive, const char *against, double factor, bool held,
                          double until, int least) {
    static history a, b;
    char text[2000];
    double most = 0.3 * factor;
    const char *const points[] = {"rod.n2", "rod.n5"}, *const nodes[] = {"n2", "n5"};
    snprintf(text, sizeof text, rod, held ? "fixed" : "free", against, most, drive);
    go(text, points, until, &a);
    int first = held ? 1 : 2; // number of node n2 in the chain
    snprintf(text, sizeof text, chain, held ? 4 : 5, held ? "" : "0.5,", held ? "fixed" : "free",
             first, first + 1, first + 2, first + 3, against, most, against, most, against,
             most / 2, drive);
    go(text, nodes, until, &b);
    print_message("%s, %s: %d events\n", drive, against, a.n);
    assert_int_equal(a.n, b.n);
    assert_true(a.n >= least);
    for (int i = 0; i < a.n; i++) {
        assert_near(a.event[i].t, b.event[i].t, 1e-10); // measured: 2e-12
        assert_int_equal(a.event[i].cell, b.event[i].contact);
        assert_int_equal(jd_contact_letter(a.event[i].from), jd_contact_letter(b.event[i].from));
        assert_int_equal(jd_contact_letter(a.event[i].to), jd_contact_letter(b.event[i].to));
    }
    for (int k = 0; k < 2; k++) {
        assert_near(a.u[k], b.u[k], 1e-10); // measured: 3e-12
        assert_near(a.v[k], b.v[k], 1e-10);
    }
    assert_near(a.work, b.work, 1e-10);
}

static void a_harmonic_load_gives_the_events_of_the_exact_engine(void **state) {
    (void)state;
    same_as_chain("harmonic, amplitude: 1.1, frequency: 0.9", "ground", 1, false, 40, 50);
    same_as_chain("harmonic, amplitude: 1.1, frequency: 0.9", "ground", 1, true, 40, 30);
}

static void a_larger_static_limit_gives_the_events_of_the_exact_engine(void **state) {
    (void)state;
    same_as_chain("harmonic, amplitude: 1.3, frequency: 0.9", "ground", 1.4, false, 30, 30);
    same_as_chain("harmonic, amplitude: 1.3, frequency: 2.3", "ground", 1.4, true, 30, 20);
}

static void a_moving_counterpart_gives_the_events_of_the_exact_engine(void **state) {
    (void)state;
    same_as_chain("harmonic, amplitude: 0.4, frequency: 0.7", "{velocity: 0.1}", 1, true, 40, 20);
}

static void pulses_ramps_and_tables_give_the_events_of_the_exact_engine(void **state) {
    (void)state;
    same_as_chain("pulse, amplitude: 2, start: 0.3, duration: 1.7", "ground", 1, false, 30, 10);
    same_as_chain("pulse, shape: half-sine, amplitude: 3, duration: 1.7", "ground", 1, true, 30,
                  10);
    same_as_chain("ramp, amplitude: 2, start: 0.5, duration: 4", "ground", 1, true, 30, 5);
    same_as_chain("table, time: [0, 1, 2, 5], value: [0, 2, -2, 1]", "ground", 1, true, 30, 10);
    same_as_chain("constant, value: 1.2", "ground", 1, true, 30, 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mode_matching_follows_a_sleeve_that_moves),
        cmocka_unit_test(a_harmonic_load_gives_the_events_of_the_exact_engine),
        cmocka_unit_test(a_larger_static_limit_gives_the_events_of_the_exact_engine),
        cmocka_unit_test(a_moving_counterpart_gives_the_events_of_the_exact_engine),
        cmocka_unit_test(pulses_ramps_and_tables_give_the_events_of_the_exact_engine),
        cmocka_unit_test(mode_matching_stays_within_5e_5_of_every_event),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
