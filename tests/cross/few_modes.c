// few_modes.c -- a cantilever of bricks that rubs at its tip: ten modes with static shapes, ten
// modes alone and a Craig-Bampton reduction against all modes.
//   The force acts across, the contact along the bar, at its corner: modes left out have most of
//   the static flexibility there. Rayleigh damping means the same for every reduction.
#include "judder/judder.h"
#include "solid.h"

enum { EVENTS = 12, PERIODS = 4 };

static jd_context *context;
static solid bar;

static int make_bar(void **state) {
    (void)state;
    context = jd_context_create(NULL);
    bar = steel_bar(10, 2, 2, 0.3, 0.03, 0.02);
    solid_assemble(&bar);
    return !context;
}

static int drop_bar(void **state) {
    (void)state;
    solid_free(&bar);
    jd_context_free(context);
    return 0;
}

static void check(jd_status status) {
    if (status != JD_OK) print_error("%s\n", jd_context_error(context)->message);
    assert_int_equal(status, JD_OK);
}

static jd_problem *build(double limit, double omega, int modes, int reduction) {
    jd_problem *p = NULL;
    check(jd_problem_create(context, &p));
    const jd_point points[] = {
        jd_point_at_node("tip", solid_row(&bar, bar.nx, 0, 0, 0) + 1, 1),
        jd_point_at_node("mid", solid_row(&bar, bar.nx / 2, 1, 1, 1) + 1, 1)};
    jd_damping_rayleigh_def damping = {20, 3e-6};
    jd_matrices_def body = jd_default_matrices();
    body.stiffness = solid_matrix(&bar, bar.K);
    body.mass = solid_matrix(&bar, bar.M);
    body.modes = modes;
    body.points = (jd_points){2, points};
    body.damping = jd_rayleigh_damping(&damping);
    body.reduction = reduction;
    check(jd_problem_add_matrices(p, "", &body));
    jd_coulomb_def friction = jd_default_coulomb();
    friction.limit = limit;
    jd_contact_def tip = jd_default_contact();
    tip.at = jd_at("tip");
    tip.law = jd_coulomb_law(&friction);
    check(jd_problem_add_contact(p, "tip", &tip));
    jd_harmonic_def drive = jd_default_harmonic();
    drive.at = jd_at("mid");
    drive.amplitude = 100;
    drive.frequency.value = omega;
    check(jd_problem_add_harmonic(p, "drive", &drive));
    jd_simulate_def simulate = jd_default_simulate();
    simulate.until = jd_periods(PERIODS);
    check(jd_problem_set_simulate(p, &simulate));
    check(jd_problem_build(p));
    return p;
}

// Times at which the contact changes its state, in periods; returns how many there are.
static int switch_times(double limit, double omega, int modes, int reduction, double *time) {
    jd_problem *p = build(limit, omega, modes, reduction);
    double period = jd_problem_period(p);
    jd_run *run = NULL;
    int n = 0;
    check(jd_run_create(context, p, &run));
    for (jd_step step = JD_STEP_EVENT; step == JD_STEP_EVENT && n < EVENTS;) {
        check(jd_run_advance(run, PERIODS * period, &step));
        if (step == JD_STEP_EVENT) time[n++] = jd_run_event(run)->t / period;
    }
    jd_report report;
    jd_run_report(run, &report);
    assert_true(fabs(report.ledger.residual) < 1e-10);
    jd_run_free(run);
    jd_problem_free(p);
    return n;
}

static double largest_difference(const double *a, const double *b) {
    double off = 0;
    for (int i = 0; i < EVENTS; i++) off = fmax(off, fabs(a[i] - b[i]));
    return off;
}

// Measured over these limits and frequencies: 3e-6 to 3e-4 of a period with static shapes, 3e-4 to
// 8e-4 by Craig and Bampton, 0.017 to 0.64 with modes alone.
static void ten_modes_with_static_shapes_switch_when_all_modes_do(void **state) {
    (void)state;
    static const double limit[] = {20, 50, 70, 100}, omega[] = {900, 1200, 1600};
    for (int c = 0; c < 12; c++) {
        double f = limit[c % 4], w = omega[c / 4];
        double all[EVENTS], few[EVENTS], held[EVENTS], alone[EVENTS];
        assert_int_equal(switch_times(f, w, JD_ALL, JD_FREE_INTERFACE, all), EVENTS);
        assert_int_equal(switch_times(f, w, 10, JD_FREE_INTERFACE, few), EVENTS);
        assert_int_equal(switch_times(f, w, 10, JD_CRAIG_BAMPTON, held), EVENTS);
        assert_int_equal(switch_times(f, w, 10, JD_NO_REDUCTION, alone), EVENTS);
        assert_true(largest_difference(all, few) < 1e-3);
        assert_true(largest_difference(all, held) < 2e-3);
        assert_true(largest_difference(all, alone) > 10 * largest_difference(all, few));
        assert_true(largest_difference(all, alone) > 0.01);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_modes_with_static_shapes_switch_when_all_modes_do),
    };
    return cmocka_run_group_tests(tests, make_bar, drop_bar);
}
