// rods.c -- two elastic rods with a frictional interface: the wave engine against the limit of fine
//   grids, in the cases of the paper (20 and 150 rad/s, one blow; friction A 0.6, B 1.0 kN/m).
#include <string.h>

#include "judder/judder.h"
#include "near.h"
#include "rods_reference.h"

typedef struct outcome {
    double error; // largest over times and places, relative to the largest |u|
    double tip;   // at the end [m]
    jd_grid_report grid;
    double residual;
} outcome;

static outcome follow(const char *file, const char *set1, const char *set2, int nodes,
                      const rods_reference *reference) {
    char path[500], count[50];
    snprintf(path, sizeof path, "%s/gallery/two-rods/%s", JD_SOURCE_DIR, file);
    snprintf(count, sizeof count, "simulate.nodes=%d", nodes);
    const char *sets[] = {count, set1, set2};
    jd_context *context = jd_context_create(NULL);
    jd_problem *problem;
    jd_run *run;
    int n_set = 1 + (set1 != NULL) + (set2 != NULL);
    if (jd_model_read(context, path, n_set, sets, &problem) != JD_OK ||
        jd_run_create(context, problem, &run) != JD_OK)
        fail_msg("%s", jd_context_error(context)->message);
    const char *points[] = {"pile.head", "pile.third", "pile.two_thirds", "pile.tip"};
    int index;
    for (int i = 0; i < 4; i++) assert_int_equal(jd_run_probe(run, points[i], &index), JD_OK);
    outcome out = {0};
    for (int k = 0; k < 12; k++) {
        jd_step step;
        double u[4], v[4];
        assert_int_equal(jd_run_advance(run, reference->row[k].t, &step), JD_OK);
        assert_int_equal(step, JD_STEP_TIME);
        jd_run_observe(run, reference->row[k].t, u, v);
        for (int i = 0; i < 4; i++)
            out.error = fmax(out.error, fabs(u[i] - reference->row[k].u[i]) / reference->largest);
        out.tip = u[3];
    }
    jd_report report;
    jd_run_report(run, &report);
    out.grid = report.grid;
    out.residual = report.ledger.drive ? report.ledger.residual : 0;
    jd_run_free(run);
    jd_problem_free(problem);
    jd_context_free(context);
    return out;
}

static const char harmonic20[] = "harmonic20.yaml", harmonic150[] = "harmonic150.yaml",
                  pulse[] = "pulse.yaml", b[] = "contacts.shaft.law.limit=1";
static const char trapezoidal[] = "simulate.friction_rule=trapezoidal";

static void driven_at_20_rad_per_s_at_304_nodes(void **state) {
    (void)state;
    outcome a = follow(harmonic20, NULL, NULL, 304, &rods_20a);
    assert_near(a.error, 0, 5e-4);
    outcome c = follow(harmonic20, b, NULL, 304, &rods_20b);
    assert_near(c.error, 0, 5e-4);
    print_message("20A %.2e, 20B %.2e at N = 304\n", a.error, c.error);
    assert_near(a.residual, 0, 1e-10);
    assert_near(c.residual, 0, 1e-10);
}

static void driven_at_20_rad_per_s_at_3016_nodes(void **state) {
    (void)state;
    outcome a = follow(harmonic20, NULL, NULL, 3016, &rods_20a);
    outcome c = follow(harmonic20, b, NULL, 3016, &rods_20b);
    print_message("20A %.2e, 20B %.2e at N = 3016\n", a.error, c.error);
    assert_near(a.error, 0, 3e-6);
    assert_near(c.error, 0, 4e-5);
}

static void driven_at_150_rad_per_s_at_1216_nodes(void **state) {
    (void)state;
    outcome a = follow(harmonic150, NULL, NULL, 1216, &rods_150a);
    print_message("150A %.2e at N = 1216\n", a.error);
    assert_near(a.error, 0, 2e-3);
}

static void the_set_after_a_blow_converges(void **state) {
    (void)state;
    const double set = 2.4999e-4;
    const struct {
        int nodes;
        double bound;
    } grids[] = {{304, 2e-2}, {316, 1.2e-2}, {3016, 1.2e-3}};
    for (int i = 0; i < 3; i++) {
        outcome a = follow(pulse, NULL, NULL, grids[i].nodes, &rods_pulse_a);
        print_message("pulse A, set off by %.2e at N = %d\n", a.tip / set - 1, grids[i].nodes);
        assert_relative(a.tip, set, grids[i].bound);
        assert_near(a.grid.energy_fed, 0, 0);
    }
}

static void the_trapezoidal_rule_is_sharper_and_says_what_it_feeds_in(void **state) {
    (void)state;
    outcome a = follow(pulse, trapezoidal, NULL, 3016, &rods_pulse_a);
    print_message("pulse A, trapezoidal: set off by %.2e, all %.2e, fed in %.2e J\n",
                  a.tip / 2.499903e-4 - 1, a.error, a.grid.energy_fed);
    assert_relative(a.tip, 2.499903e-4, 1e-5);
    assert_string_equal(a.grid.friction_rule, "trapezoidal");
    assert_true(a.grid.energy_fed >= 0);
    assert_near(a.residual, 0, 1e-9);
    assert_near(a.grid.energy_fed, 0, 1e-9); // of 20 J: rounding, as the limits do not change
}

static void coarser_grids_estimate_the_error(void **state) {
    (void)state;
    const char on[] = "simulate.error_estimate=true";
    outcome a = follow(harmonic20, on, NULL, 304, &rods_20a);
    double error = a.error * rods_20a.largest;
    print_message("error %.2e, estimate %.2e\n", error, a.grid.error);
    assert_int_equal(a.grid.coarse_nodes, 102);
    assert_true(a.grid.error > error && a.grid.error < 20 * error);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(driven_at_20_rad_per_s_at_304_nodes),
        cmocka_unit_test(driven_at_20_rad_per_s_at_3016_nodes),
        cmocka_unit_test(driven_at_150_rad_per_s_at_1216_nodes),
        cmocka_unit_test(the_set_after_a_blow_converges),
        cmocka_unit_test(the_trapezoidal_rule_is_sharper_and_says_what_it_feeds_in),
        cmocka_unit_test(coarser_grids_estimate_the_error)};
    return cmocka_run_group_tests_name("rods", tests, NULL, NULL);
}
