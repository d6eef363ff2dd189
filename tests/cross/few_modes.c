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

// Largest deflection at the drive during the last of 30 periods.
static double amplitude(double limit, double omega, int modes, int reduction) {
    enum { LAST = 30, LOOKS = 64 };
    jd_problem *p = build(limit, omega, modes, reduction);
    double period = jd_problem_period(p), u = 0, v, top = 0;
    jd_run *run = NULL;
    int probe;
    check(jd_run_create(context, p, &run));
    check(jd_run_probe(run, "mid", &probe));
    for (int i = 0; i <= LOOKS; i++) {
        double t = period * (LAST - 1 + (double)i / LOOKS);
        for (jd_step step = JD_STEP_EVENT; step == JD_STEP_EVENT;)
            check(jd_run_advance(run, t, &step));
        jd_run_observe(run, t, &u, &v);
        top = fmax(top, fabs(u));
    }
    jd_run_free(run);
    jd_problem_free(p);
    return top;
}

// Highest amplitude over the frequencies around the resonance at each limit; of these the lowest:
// the best damper.
static double best_peak(int modes, int reduction) {
    static const double limit[] = {200, 400, 700, 1000, 1400};
    double best = HUGE_VAL;
    for (int i = 0; i < 5; i++) {
        double peak = 0;
        for (double w = 1650; w < 2101; w += 75)
            peak = fmax(peak, amplitude(limit[i], w, modes, reduction));
        best = fmin(best, peak);
    }
    return best;
}

// What decides about a damper: the peak at its best friction limit.
static void the_best_damper_of_twenty_modes_is_that_of_craig_and_bampton(void **state) {
    (void)state;
    double held = best_peak(20, JD_CRAIG_BAMPTON), few = best_peak(20, JD_FREE_INTERFACE);
    double ten = best_peak(10, JD_FREE_INTERFACE), alone = best_peak(20, JD_NO_REDUCTION);
    print_message(
        "peak: Craig-Bampton %.5g mm, 20 modes by default %+.2g %%, 10 modes %+.2g %%, 20 "
        "modes alone %+.2g %%\n",
        1e3 * held, 100 * (few / held - 1), 100 * (ten / held - 1), 100 * (alone / held - 1));
    assert_near(few / held, 1, 0.02);
    assert_near(ten / held, 1, 0.02);
    assert_true(fabs(alone / held - 1) > 2 * fabs(few / held - 1));
}

// Frequencies of Craig and Bampton's reduction come down to those of the matrices.
static void craig_bampton_converges(void **state) {
    (void)state;
    jd_problem *all = build(1, 1000, JD_ALL, JD_FREE_INTERFACE);
    jd_mode exact[300], near[64];
    jd_structure_mode_list(jd_problem_structure(all, 0), exact);
    double before = 0;
    for (int n = 4; n <= 32; n *= 2) {
        jd_problem *few = build(1, 1000, n, JD_CRAIG_BAMPTON);
        double worst = 0;
        jd_structure_mode_list(jd_problem_structure(few, 0), near);
        for (int k = 0; k < 3; k++) {
            double off = near[k].omega / exact[k].omega - 1;
            assert_true(off > -1e-9);
            worst = fmax(worst, off);
        }
        print_message("%d modes: lowest three frequencies within %.2e%s", n, worst,
                      before > 0 ? "" : "\n");
        if (before > 0) print_message(", slope %.1f\n", log2(worst / before));
        if (before > 0) assert_true(worst < before / 2);
        before = worst;
        jd_problem_free(few);
    }
    jd_problem_free(all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_modes_with_static_shapes_switch_when_all_modes_do),
        cmocka_unit_test(the_best_damper_of_twenty_modes_is_that_of_craig_and_bampton),
        cmocka_unit_test(craig_bampton_converges),
    };
    return cmocka_run_group_tests(tests, make_bar, drop_bar);
}
