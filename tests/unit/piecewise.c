// piecewise.c -- models by formulas: the same orbit as the built-in one, and formulas that go
// wrong.
#include "orbit_case.h"

static void closure_piecewise_orbit_is_that_of_the_built_in_model(void **state) {
    (void)state;
    static const char *const files[] = {"friction-oscillator/formulas.yaml",
                                        "friction-oscillator/alpha05.yaml"};
    for (int i = 0; i < 2; i++) {
        orbit_case c;
        orbit_read(&c, files[i], 0, NULL);
        orbit_find(&c);
        assert_phases(c.view, "- H + H - H");
        assert_near(c.view->period, 7.297853381901443, 1e-10); // gradients by differences
        orbit_end(&c);
    }
}

// Steady slip below the bow: the spring holds the friction at rest, y1 = Linf (1 - alpha). Stable
// for friction that grows with the sliding speed, alpha < 0.
static void closure_steady_slip_is_where_spring_and_friction_balance(void **state) {
    (void)state;
    for (int gain = 1; gain <= 2; gain++) {
        orbit_case c;
        jd_run *run;
        jd_step step;
        int probe;
        double u, v;
        char start[60], linf[60];
        snprintf(start, sizeof start, "start.y=[%g, 0]", 1.2 * gain + 0.01);
        snprintf(linf, sizeof linf, "structure.static_gain=%d", gain);
        const char *set[] = {start, "structure.alpha=-0.2", linf};
        orbit_read(&c, "friction-oscillator/alpha05.yaml", 3, set);
        assert_int_equal(jd_run_create(c.context, c.problem, &run), JD_OK);
        assert_int_equal(jd_run_probe(run, "mass", &probe), JD_OK);
        assert_int_equal(jd_run_advance(run, 300, &step), JD_OK);
        assert_int_equal(step, JD_STEP_TIME);
        jd_run_observe(run, 300, &u, &v);
        assert_near(u, 1.2 * gain, 1e-8);
        assert_near(v, 0, 1e-8);
        jd_run_free(run);
        orbit_end(&c);
    }
}

static const char head[] = "judder: 1\nsimulate: {until: 10}\n";

// Reads and builds; the failure must say this.
static void refused(const char *structure, jd_status status, const char *where, const char *part) {
    char text[1000];
    jd_context *context = jd_context_create(NULL);
    jd_problem *problem = NULL;
    snprintf(text, sizeof text, "%sstructure: {type: piecewise, %s}\n", head, structure);
    jd_status s = jd_model_parse(context, "m.yaml", ".", text, strlen(text), 0, NULL, &problem);
    if (s == JD_OK) s = jd_problem_build(problem);
    const jd_error *e = jd_context_error(context);
    if (s != status)
        fail_msg("%s instead of %s: %s", jd_status_name(s), jd_status_name(status), e->message);
    if (!strstr(e->message, part)) fail_msg("`%s` does not say `%s`", e->message, part);
    if (!strstr(e->where, where)) fail_msg("`%s` is not at `%s`", e->where, where);
    jd_problem_free(problem);
    jd_context_free(context);
}

static void closure_piecewise_formulas_are_refused_with_their_position(void **state) {
    (void)state;
    refused("r: [y2 +* 1, y1], linf: [\"0\", \"1\"]", JD_WRONG_TYPE,
            "m.yaml:3:", "`y2 +* 1` is not understood at position 5");
    refused("r: [y3, y1], linf: [\"0\", \"1\"]", JD_WRONG_TYPE,
            "m.yaml:3:", "`y3` is not understood");
    refused("r: [y2, sin(y1], linf: [\"0\", \"1\"]", JD_WRONG_TYPE, "m.yaml:3:", "sin(y1");
}

static void closure_piecewise_dimensions_must_agree(void **state) {
    (void)state;
    refused("r: [y2, y1], linf: [\"0\"]", JD_SIZE_MISMATCH, "m.yaml:3:", "`linf` 1");
    refused("r: [y2, y1], linf: [\"0\", \"1\"], lplus: [\"0\"]", JD_SIZE_MISMATCH,
            "m.yaml:3:", "`lplus` 1");
    refused("r: [y2, y1], linf: [\"0\", \"1\"], names: [a]", JD_SIZE_MISMATCH,
            "m.yaml:3:", "names");
    refused("r: [y2, y1], linf: [\"0\", \"1\"], h: y1", JD_MISSING_KEY, "m.yaml:3:", "lambda_plus");
}

static void closure_piecewise_division_by_zero_says_when_and_where(void **state) {
    (void)state;
    orbit_case c;
    jd_run *run;
    jd_step step = JD_STEP_EVENT;
    jd_report report;
    orbit_parse(&c, "judder: 1\n"
                    "structure: {type: piecewise, r: [\"1\", 1/(y1 - 2)], linf: [\"0\", \"0\"]}\n"
                    "simulate: {until: 10}\n");
    assert_int_equal(jd_run_create(c.context, c.problem, &run), JD_OK);
    while (step == JD_STEP_EVENT) assert_int_equal(jd_run_advance(run, 10, &step), JD_OK);
    jd_run_report(run, &report);
    assert_int_equal(step, JD_STEP_STOPPED);
    assert_int_equal(report.stop, JD_STOP_NOT_FINITE);
    assert_near(report.t, 2, 1e-2);
    assert_non_null(strstr(report.note, "t = "));
    assert_non_null(strstr(report.note, "y = ("));
    jd_run_free(run);
    orbit_end(&c);
}

static void closure_starts_must_have_the_models_size(void **state) {
    (void)state;
    const char *set[] = {"start.y=[1, 2, 3]"};
    orbit_case c;
    jd_run *run;
    orbit_read(&c, "friction-oscillator/alpha05.yaml", 1, set);
    assert_int_equal(jd_run_create(c.context, c.problem, &run), JD_SIZE_MISMATCH);
    assert_non_null(strstr(jd_context_error(c.context)->message, "`y` has 3 values"));
    orbit_end(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closure_piecewise_orbit_is_that_of_the_built_in_model),
        cmocka_unit_test(closure_steady_slip_is_where_spring_and_friction_balance),
        cmocka_unit_test(closure_piecewise_formulas_are_refused_with_their_position),
        cmocka_unit_test(closure_piecewise_dimensions_must_agree),
        cmocka_unit_test(closure_piecewise_division_by_zero_says_when_and_where),
        cmocka_unit_test(closure_starts_must_have_the_models_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
