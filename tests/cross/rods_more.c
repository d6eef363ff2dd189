// rods_more.c -- what engines taylor and wave both compute of rods that rub along a length:
// damping,
//   contact stiffness with and without static limit, moving footprints on ground. One solves
//   semi-discrete equations event by event, the other d'Alembert's: they share the limit of fine
//   grids.
#include "wave_case.h"

enum { TIMES = 12, PLACES = 3 };

typedef struct variation {
    const char *name, *damping, *law, *footprint, *against;
    double force, bound; // of the difference with 153 nodes, of max|u|: measured half or less
} variation;

static void by_engine(const variation *v, const char *engine, int nodes, double (*out)[PLACES],
                      double *residual) {
    static const char *const place[PLACES] = {"head", "middle", "tip"};
    char text[2000];
    wave_case w;
    snprintf(text, sizeof text,
             "judder: 1\n"
             "structure: {type: rod, length: 20, axial_stiffness: 1e9, mass_per_length: 1e3,\n"
             "  supports: {left: free, right: free}, damping: {type: rayleigh, %s},\n"
             "  points: {head: 0, middle: 10, tip: 20}}\n"
             "contacts: {shaft: {at: {span: [10, 20]}, against: %s, footprint: %s,\n"
             "  law: {type: coulomb, limit: 4e4%s}}}\n"
             "drives: {hammer: {at: head, type: harmonic, amplitude: %.17g, frequency: 60}}\n"
             "simulate: {engine: %s, nodes: %d, until: 0.3}\n",
             v->damping, v->against, v->footprint, v->law, v->force, engine, nodes);
    wave_begin(&w, text);
    for (int i = 0, index; i < PLACES; i++)
        assert_int_equal(jd_run_probe(w.run, place[i], &index), JD_OK);
    for (int k = 0; k < TIMES; k++) {
        double t = 0.3 * (k + 1) / TIMES, rate[PLACES];
        for (jd_step step = JD_STEP_EVENT; step == JD_STEP_EVENT;)
            assert_int_equal(jd_run_advance(w.run, t, &step), JD_OK);
        jd_run_observe(w.run, t, out[k], rate);
    }
    jd_report report;
    jd_run_report(w.run, &report);
    *residual = fabs(report.ledger.residual);
    wave_close(&w);
}

static double off(const variation *v, int nodes, double *residual) {
    double a[TIMES][PLACES], b[TIMES][PLACES], most = 0, worst = 0, waves;
    by_engine(v, "wave", nodes, a, &waves);
    by_engine(v, "taylor", nodes, b, residual);
    for (int k = 0; k < TIMES; k++)
        for (int i = 0; i < PLACES; i++) {
            most = fmax(most, fabs(a[k][i]));
            worst = fmax(worst, fabs(a[k][i] - b[k][i]));
        }
    assert_near(waves, 0, 1e-10);
    return worst / most;
}

static void both_come_to_the_same(void **state) {
    (void)state;
    static const variation all[] = {
        {"spring", "mass: 0", ", stiffness: 2e7", "fixed", "ground", 1e6, 1e-3},
        {"spring, static limit", "mass: 0", ", stiffness: 2e7, static_limit: 6e4", "fixed",
         "ground", 1e6, 1e-3},
        {"spring on a belt", "mass: 0", ", stiffness: 2e7", "fixed", "{velocity: 0.05}", 1e6, 1e-3},
        {"damped", "mass: 3, stiffness: 2e-4", "", "fixed", "ground", 1e6, 2e-3},
        {"damped, on a belt", "stiffness: 1e-4", "", "fixed", "{velocity: -0.05}", 1e6, 2e-3},
        {"damped, spring", "stiffness: 2e-4", ", stiffness: 2e7", "fixed", "ground", 1e6, 1e-3},
        {"moving", "mass: 0", "", "moving", "ground", 4e6, 1e-3},
        {"moving, profile", "mass: 0", ", profile: {at: [0, 4, 12], factor: [0.2, 1, 3]}", "moving",
         "ground", 4e6, 1e-3},
        {"moving out", "mass: 0", ", static_limit: 6e4", "moving", "ground", -3e6, 2e-3},
        {"moving, damped, spring", "stiffness: 1e-4", ", stiffness: 2e7", "moving", "ground", 4e6,
         1e-3}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        double residual, coarse = off(&all[i], 39, &residual), fine = off(&all[i], 153, &residual);
        print_message("%s: apart by %.1e with 39 nodes, %.1e with 153, order %.1f; ledger %.0e\n",
                      all[i].name, coarse, fine, log(coarse / fine) / log(4), residual);
        assert_near(fine, 0, all[i].bound);
        assert_true(coarse > 2 * fine);
        assert_near(residual, 0, 1e-12);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_come_to_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
