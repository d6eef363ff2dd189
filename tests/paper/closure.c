// closure.c -- friction oscillator and two-fold of the finite wave-speed closure.  [szalai,
// closure]
//   References: exact solutions of the affine phases with 30 digits, Taylor series with 40 digits.
#include "orbit_case.h"

static const char oscillator[] = "friction-oscillator/alpha05.yaml";

static void closure_orbit_of_the_friction_oscillator(void **state) {
    (void)state;
    orbit_case c;
    orbit_read(&c, oscillator, 0, NULL);
    orbit_find(&c);
    const jd_orbit_view *v = c.view;
    assert_phases(v, "- H + H - H");
    // measured: 4e-15 (period), 4e-14 (extremes), 3e-13 (multiplier)
    assert_near(v->period, 7.297853381901443, 1e-12);
    assert_near(v->range[0].displacement.min, -2.247508779919054, 1e-12);
    assert_near(v->range[0].displacement.max, 1.853832513955591, 1e-12);
    assert_near(v->range[0].velocity.min, -2.027596368355987 - 1, 1e-12);
    assert_near(v->range[0].velocity.max, 1.57444849864039 - 1, 1e-12);
    assert_near(v->stability.multiplier[0], 1, 1e-10);
    assert_near(v->stability.multiplier[2], 0.0141750958571, 1e-11);
    assert_true(v->stability.stable);
    const double duration[] = {4.94280953694172,    0.02767295202315727, 1.720421450656873,
                               0.07082781572209346, 0.03184467920554,    0.5042769473520588};
    for (int i = 0, first = 0; i < 5; i++) { // the first phase is cut by the period's start
        double length = v->event[i + 1].t - v->event[i].t;
        assert_near(length, duration[(i + 1 + first) % 6], 1e-12);
    }
    orbit_end(&c);
}

static void closure_filippov_orbit(void **state) {
    (void)state;
    const char *set[] = {"structure.wave_term=0"};
    orbit_case c;
    orbit_read(&c, oscillator, 1, set);
    orbit_find(&c);
    assert_phases(c.view, "- + H");
    assert_near(c.view->period, 7.335477809961622, 1e-12); // measured: 1e-15
    assert_near(c.view->range[0].displacement.min, -2.253130473074461, 1e-12);
    assert_near(c.view->range[0].velocity.max, 1.552708951900972 - 1, 1e-12);
    orbit_end(&c);
}

// Distance of the periods falls in proportion to L+.
static void closure_tends_to_filippov_like_its_wave_term(void **state) {
    (void)state;
    const char *const terms[] = {"structure.wave_term=0.004", "structure.wave_term=0.0004",
                                 "structure.wave_term=0.00004"};
    double away[3];
    for (int i = 0; i < 3; i++) {
        orbit_case c;
        const char *set[] = {terms[i], "orbit.settle=30"};
        orbit_read(&c, oscillator, 2, set);
        orbit_find(&c);
        away[i] = 7.335477809961622 - c.view->period;
        orbit_end(&c);
    }
    assert_near(log10(away[0] / away[1]), 1, 0.05); // measured: 0.970, 0.997
    assert_near(log10(away[1] / away[2]), 1, 0.02);
}

static double period_away_from_filippov(const char *sigma) {
    const char *set[] = {sigma, "orbit.settle=10"};
    orbit_case c;
    orbit_read(&c, oscillator, 2, set);
    orbit_find(&c);
    double away = 7.335477809961622 - c.view->period;
    orbit_end(&c);
    return away;
}

// Stuck, lambda'' + (Linf/L+) lambda' + sigma (Linf/L+) lambda = ...: the wave term rings at
// sqrt(sigma Linf/L+), and what it moves the period by is in proportion to sqrt(L+/sigma).
static void closure_tends_to_filippov_like_the_root_of_sigma(void **state) {
    (void)state;
    double away[] = {period_away_from_filippov("structure.sigma=1e4"),
                     period_away_from_filippov("structure.sigma=1e5")};
    assert_near(away[0], 5.03e-3, 1e-5);              // measured: 5.035e-3, 1.650e-3
    assert_near(log10(away[0] / away[1]), 0.5, 0.02); // measured: 0.485; 1e5 to 1e6 0.495
}

// sigma = 1e8 until the first stick and through 70 turns of its ringing.
static void closure_enters_stick_when_stiff(void **state) {
    (void)state;
    const char *set[] = {"structure.sigma=1e8", "structure.wave_term=0"};
    double at[2];
    for (int i = 0; i < 2; i++) {
        orbit_case c;
        jd_run *run;
        jd_step step = JD_STEP_TIME;
        orbit_read(&c, oscillator, 1, set + i);
        assert_int_equal(jd_run_create(c.context, c.problem, &run), JD_OK);
        while (step != JD_STEP_EVENT || jd_contact_letter(jd_run_event(run)->to) != 'H')
            assert_int_equal(jd_run_advance(run, 20, &step), JD_OK);
        at[i] = jd_run_event(run)->t;
        assert_int_equal(jd_run_advance(run, at[i] + 0.01, &step), JD_OK);
        jd_run_free(run);
        orbit_end(&c);
    }
    assert_near(at[0], at[1], 1e-9); // measured: 1.6e-10
}

typedef struct exit_case {
    const char *set;
    double t[2]; // first events
    char to;
    int which; // event that leaves the surface
} exit_case;

static void closure_two_fold_exits(void **state) {
    (void)state;
    const exit_case cases[] = {
        {"start.y=[0, 1, 1]", {3.279970919274}, '+', 0},
        {"start.y=[0, 0.5, 0.5]", {1.717855081673}, '-', 0},
        {"start.y=[0.5, 1, 1]", {0.20710678118654752, 3.181601494841}, '+', 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        orbit_case c;
        jd_run *run;
        jd_step step;
        orbit_read(&c, "two-fold/through.yaml", 1, &cases[i].set);
        assert_int_equal(jd_run_create(c.context, c.problem, &run), JD_OK);
        for (int k = 0; k <= cases[i].which; k++) {
            assert_int_equal(jd_run_advance(run, 10, &step), JD_OK);
            assert_int_equal(step, JD_STEP_EVENT);
            assert_near(jd_run_event(run)->t, cases[i].t[k], 1e-9); // measured: 4e-11
        }
        assert_int_equal(jd_contact_letter(jd_run_event(run)->to), cases[i].to);
        jd_run_free(run);
        orbit_end(&c);
    }
}

// lambda = kappa constant, y3/y2 constant, y2 linear in t: the one motion through the two-fold.
static void closure_two_fold_keeps_the_straight_line(void **state) {
    (void)state;
    const char *set[] = {"start={type: values, y: [0, 1, 1.546585609972765], lambda: "
                         "-0.21463468882875263, kappa: -0.21463468882875263}"};
    orbit_case c;
    jd_run *run;
    jd_step step;
    orbit_read(&c, "two-fold/through.yaml", 1, set);
    assert_int_equal(jd_run_create(c.context, c.problem, &run), JD_OK);
    int index;
    double u[4], v[4], rate = -1 - 3 * -0.21463468882875263;
    const char *const points[] = {"lambda", "kappa", "y2", "y3"};
    for (int i = 0; i < 4; i++) assert_int_equal(jd_run_probe(run, points[i], &index), JD_OK);
    for (double t = 0.1; t < 3.85; t += 0.1) {
        assert_int_equal(jd_run_advance(run, t, &step), JD_OK);
        assert_int_equal(step, JD_STEP_TIME);
        jd_run_observe(run, t, u, v);
        assert_near(u[0], -0.21463468882875263, 1e-10);
        assert_near(u[1], -0.21463468882875263, 1e-10);
        assert_near(u[2], 1 + rate * t, 1e-10);
        assert_near(u[3], 1.546585609972765 * (1 + rate * t), 1e-10);
    }
    jd_run_free(run);
    orbit_end(&c);
}

// Steady slip y2 = 0 loses its stability where damping and falling friction balance.
static void closure_hopf_of_slip(void **state) {
    (void)state;
    orbit_case c;
    jd_steady steady;
    double alpha;
    orbit_read(&c, oscillator, 0, NULL);
    assert_int_equal(jd_closure_hopf(c.context, c.problem, JD_CONTACT_SLIDING_MINUS,
                                     "structure.alpha", 0.01, 0.3, &alpha, &steady),
                     JD_OK);
    assert_near(alpha, 0.0600600361, 1e-10);
    assert_near(steady.growth, 0, 1e-12);
    assert_true(steady.omega > 0.9);
    assert_near(steady.x[1], 0, 1e-14);
    assert_int_equal(jd_closure_hopf(c.context, c.problem, JD_CONTACT_SLIDING_MINUS,
                                     "structure.alpha", 0.1, 0.3, &alpha, &steady),
                     JD_NO_CONVERGENCE);
    orbit_end(&c);
}

// The same from a model file, with what lies on the way.
static void closure_hopf_by_following(void **state) {
    (void)state;
    orbit_case c;
    jd_follow *follow;
    orbit_read(&c, "friction-oscillator/hopf.yaml", 0, NULL);
    assert_int_equal(jd_follow_create(c.context, c.problem, NULL, &follow), JD_OK);
    const jd_follow_view *v = jd_follow_look(follow);
    assert_int_equal(v->end, JD_END_TO);
    assert_int_equal(v->n_special, 1);
    assert_int_equal(v->special[0].kind, JD_SPECIAL_HOPF);
    assert_near(v->special[0].parameter, 0.0600600361, 1e-10);
    assert_true(v->special[0].stable_before && !v->special[0].stable_after);
    for (int i = 0; i < v->n_point; i++) { // y1 = lambda(0) = 1 - alpha, in slip
        assert_near(v->point[i].amplitude, 1 - v->point[i].parameter, 1e-12);
        assert_true(v->point[i].stable == (v->point[i].parameter < 0.0600600361));
    }
    jd_follow_free(follow);
    orbit_end(&c);
}

// Orbits with stick, followed over alpha: slips vanish on the way, and where the last stick does,
// at the Hopf point of steady slip, the orbits of the linear slip are a family.
static void closure_orbits_end_at_the_hopf_point(void **state) {
    (void)state;
    orbit_case c;
    jd_follow *follow;
    jd_follow_options o = jd_default_follow_options();
    o.parameter = "structure.alpha";
    o.from = 0.3;
    o.to = 0.05;
    orbit_read(&c, oscillator, 0, NULL);
    assert_int_equal(jd_follow_create(c.context, c.problem, &o, &follow), JD_OK);
    const jd_follow_view *v = jd_follow_look(follow);
    assert_int_equal(v->end, JD_END_FAMILY);
    assert_near(v->end_parameter, 0.0600600361, 1e-9); // measured: 6e-12 of the Hopf point
    assert_int_equal(v->special[0].kind, JD_SPECIAL_SLIP_VANISHES);
    assert_int_equal(v->special[1].kind, JD_SPECIAL_STICK_VANISHES);
    jd_follow_free(follow);
    orbit_end(&c);
}

// Proposition 2 is broken at the first switch: 1 - alpha L+ < 0.
static void closure_orbit_names_a_motion_that_is_not_unique(void **state) {
    (void)state;
    const char *set[] = {"structure.alpha=30"};
    orbit_case c;
    orbit_read(&c, oscillator, 1, set);
    orbit_seek(&c, NULL);
    assert_false(c.view->found);
    assert_int_equal(c.view->search.reason, JD_ORBIT_STOPPED);
    assert_non_null(strstr(c.view->search.why, "not unique here: (1 - dlambda.Lplus) = -0.5"));
    orbit_end(&c);
}

static void closure_steady_slip_is_refused_by_name(void **state) {
    (void)state;
    static const char *const cases[][3] = {
        {"nonlinear-string/response.yaml", "follow.of=steady", "needs a contact"},
        {"friction-oscillator/hopf.yaml", "follow.measure=y1.displacement.max", "at its contact"},
        {"friction-beam/response.yaml", "follow.of=steady", "models of the closure engine"},
    };
    for (int i = 0; i < 3; i++) {
        orbit_case c;
        jd_follow *follow;
        orbit_read(&c, cases[i][0], 1, &cases[i][1]);
        assert_int_equal(jd_follow_create(c.context, c.problem, NULL, &follow), JD_NOT_SUPPORTED);
        const char *message = jd_context_error(c.context)->message;
        if (!strstr(message, cases[i][2])) fail_msg("`%s` lacks `%s`", message, cases[i][2]);
        orbit_end(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closure_orbit_of_the_friction_oscillator),
        cmocka_unit_test(closure_filippov_orbit),
        cmocka_unit_test(closure_tends_to_filippov_like_its_wave_term),
        cmocka_unit_test(closure_tends_to_filippov_like_the_root_of_sigma),
        cmocka_unit_test(closure_enters_stick_when_stiff),
        cmocka_unit_test(closure_hopf_of_slip),
        cmocka_unit_test(closure_hopf_by_following),
        cmocka_unit_test(closure_orbits_end_at_the_hopf_point),
        cmocka_unit_test(closure_orbit_names_a_motion_that_is_not_unique),
        cmocka_unit_test(closure_steady_slip_is_refused_by_name),
        cmocka_unit_test(closure_two_fold_exits),
        cmocka_unit_test(closure_two_fold_keeps_the_straight_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
