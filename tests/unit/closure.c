// closure.c -- models given in C: the integrator against closed forms, and models that go wrong.
#include <string.h>

#include "engine/closure/radau.h"
#include "judder/judder.h"
#include "near.h"
#include "structure/piecewise/pws.h"

// y1' = y2, y2' = -y1 + lambda, friction on y2 with slope `alpha`, L+ as given.
typedef struct plain {
    double alpha, lplus[2], nan_after, jump;
    long calls;
} plain;

static void plain_r(void *u, double t, const double *y, double *out) {
    plain *p = u;
    p->calls++;
    out[0] = y[1];
    out[1] = -y[0] + (p->nan_after > 0 && t > p->nan_after ? (double)NAN : 0);
}
static void plain_linf(void *u, const double *y, double *out) {
    (void)u;
    (void)y;
    out[0] = 0;
    out[1] = 1;
}
static void plain_lplus(void *u, const double *y, double *out) {
    (void)y;
    out[0] = ((plain *)u)->lplus[0];
    out[1] = ((plain *)u)->lplus[1];
}
static double plain_lambda(void *u, int side, const double *y) {
    return -side * ((plain *)u)->jump + ((plain *)u)->alpha * (y[1] - 1);
}
static double plain_h(void *u, const double *y) {
    (void)u;
    return y[1] - 1;
}

static jd_closure_model plain_model(plain *p) {
    static const double start[] = {0.5, 0.2};
    return (jd_closure_model){.n = 2,
                              .user = p,
                              .sigma = 10,
                              .r = plain_r,
                              .linf = plain_linf,
                              .lplus = plain_lplus,
                              .lambda = plain_lambda,
                              .h = plain_h,
                              .start = start};
}

typedef struct outcome {
    jd_stop stop;
    double t;
    long events;
    char note[300];
} outcome;

static outcome run_model(const jd_closure_model *m, double until, int budget) {
    outcome o = {0};
    jd_context *context = jd_context_create(NULL);
    jd_problem *problem;
    jd_run *run;
    jd_step step = JD_STEP_EVENT;
    jd_report report;
    assert_int_equal(jd_problem_create(context, &problem), JD_OK);
    assert_int_equal(jd_problem_add_body(problem, "", &jd_closure_type, m), JD_OK);
    jd_simulate_def s = {.engine = "auto",
                         .until = {until, false},
                         .event_budget = budget,
                         .nodes = 2,
                         .tolerance = 1e-6};
    assert_int_equal(jd_problem_set_section(problem, JD_SIMULATE, &s), JD_OK);
    if (jd_run_create(context, problem, &run) != JD_OK)
        fail_msg("%s", jd_context_error(context)->message);
    while (step == JD_STEP_EVENT) assert_int_equal(jd_run_advance(run, until, &step), JD_OK);
    jd_run_report(run, &report);
    o.stop = report.stop;
    o.t = report.t;
    o.events = report.certificate.events;
    snprintf(o.note, sizeof o.note, "%s", report.note ? report.note : "");
    jd_run_free(run);
    jd_problem_free(problem);
    jd_context_free(context);
    return o;
}

static void a_model_in_c_runs_with_differences_for_gradients(void **state) {
    (void)state;
    plain p = {.alpha = 0.3, .lplus = {0, 0.05}, .jump = 1};
    jd_closure_model m = plain_model(&p);
    outcome o = run_model(&m, 20, 1000);
    assert_int_equal(o.stop, JD_STOP_NONE);
    assert_near(o.t, 20, 0);
    assert_true(o.events > 3);
}

static void a_violation_of_proposition_2_is_named(void **state) {
    (void)state;
    plain p = {.alpha = 30, .lplus = {0, 0.05}, .jump = 1}; // 1 - dlambda.L+ = -0.5
    jd_closure_model m = plain_model(&p);
    outcome o = run_model(&m, 20, 1000);
    assert_int_equal(o.stop, JD_STOP_NOT_UNIQUE);
    assert_non_null(strstr(o.note, "not unique here: (1 - dlambda.Lplus) = -0.5"));
}

static void a_wave_term_along_the_surface_is_singular(void **state) {
    (void)state;
    plain p = {.alpha = 0.3, .lplus = {0.05, 0}, .jump = 1}; // dh.L+ = 0
    jd_closure_model m = plain_model(&p);
    outcome o = run_model(&m, 20, 1000);
    assert_int_equal(o.stop, JD_STOP_SINGULAR);
    assert_non_null(strstr(o.note, "dh.Lplus = 0"));
}

// lambda = c/(...) grows with y2 until dlambda.L+ reaches 1 on the way.
static double growing(void *u, int side, const double *y) {
    (void)u;
    return -side + y[1] * y[1] * y[1];
}

static void a_vanishing_denominator_on_the_way_is_told(void **state) {
    (void)state;
    static const double start[] = {-4, -0.5};
    plain p = {.lplus = {0, 0.5}, .jump = 1};
    jd_closure_model m = plain_model(&p);
    m.lambda = growing; // 1 - 3 y2^2/2 = 0 at y2 = 0.816
    m.start = start;
    outcome o = run_model(&m, 20, 1000);
    assert_int_equal(o.stop, JD_STOP_SINGULAR);
    assert_non_null(strstr(o.note, "1 - dlambda.Lplus = 0"));
}

static void a_model_that_gives_no_number_says_when_and_where(void **state) {
    (void)state;
    plain p = {.alpha = 0.3, .lplus = {0, 0.05}, .jump = 1, .nan_after = 3};
    jd_closure_model m = plain_model(&p);
    outcome o = run_model(&m, 20, 1000);
    assert_int_equal(o.stop, JD_STOP_NOT_FINITE);
    assert_near(o.t, 3, 1e-3);
    assert_non_null(strstr(o.note, "no number at t = 3"));
    assert_non_null(strstr(o.note, "y = ("));
}

static void an_event_budget_ends_a_storm(void **state) {
    (void)state;
    plain p = {.alpha = 0.3, .lplus = {0, 0.05}, .jump = 1};
    jd_closure_model m = plain_model(&p);
    outcome o = run_model(&m, 1e6, 25);
    assert_int_equal(o.stop, JD_STOP_EVENT_BUDGET);
    assert_int_equal(o.events, 25);
}

static void incomplete_models_are_refused(void **state) {
    (void)state;
    jd_context *context = jd_context_create(NULL);
    plain p = {.jump = 1};
    for (int i = 0; i < 4; i++) {
        jd_closure_model m = plain_model(&p);
        jd_structure *s;
        if (i == 0) m.n = 0;
        if (i == 1) m.r = NULL;
        if (i == 2) m.lambda = NULL;
        if (i == 3) m.sigma = -1;
        assert_int_equal(jd_structure_create(context, &jd_closure_type, &m, &s),
                         i == 3 ? JD_OUT_OF_RANGE : JD_BAD_ARGUMENT);
        assert_null(s);
    }
    jd_context_free(context);
}

static void the_critical_manifold_is_told_apart(void **state) {
    (void)state;
    jd_context *context = jd_context_create(NULL);
    jd_two_fold_def d = {-2, -1.1, 0.05, 10};
    jd_structure *s;
    assert_int_equal(jd_structure_create(context, &jd_two_fold_class.type, &d, &s), JD_OK);
    jd_arena *arena = jd_arena_create(context);
    jd_pws pws = {0};
    assert_int_equal(s->class->open(s, -1, arena, &pws), JD_OK);
    // node for y2 + y3 > 4 sigma L+ = 2, focus below, saddle below 0
    assert_int_equal(jd_closure_classify(&pws.model, (double[]){0, 1.2, 0.9}), JD_CRITICAL_NODE);
    assert_int_equal(jd_closure_classify(&pws.model, (double[]){0, 1, 0.9}), JD_CRITICAL_FOCUS);
    assert_int_equal(jd_closure_classify(&pws.model, (double[]){0, 0.1, 0}), JD_CRITICAL_FOCUS);
    assert_int_equal(jd_closure_classify(&pws.model, (double[]){0, -1, 0.9}), JD_CRITICAL_SADDLE);
    assert_string_equal(jd_critical_name(JD_CRITICAL_SADDLE), "saddle");
    jd_arena_free(arena);
    jd_structure_free(s);
    jd_context_free(context);
}

static bool turning(void *user, double t, const double *x, double *out) {
    (void)user;
    out[0] = x[1];
    out[1] = -x[0] + cos(2 * t);
    return true;
}

// x'' + x = cos 2t, x(0) = x'(0) = 0: x = (cos t - cos 2t)/3.
static void closure_radau_has_order_13(void **state) {
    (void)state;
    jd_context *context = jd_context_create(NULL);
    jd_arena *arena = jd_arena_create(context);
    radau r;
    radau_step s;
    const radau_field f = {NULL, turning};
    const double scale[] = {1, 1};
    double error[2];
    assert_int_equal(jd_radau_create(arena, 2, &r), JD_OK);
    assert_int_equal(jd_radau_take_step(arena, 2, &s), JD_OK);
    for (int k = 0; k < 2; k++) {
        int n = k ? 2 : 1;
        double x[2] = {0, 0};
        for (int i = 0; i < n; i++) {
            s = (radau_step){2, 4.0 * i / n, 4.0 / n, s.x};
            s.x[0] = x[0];
            s.x[1] = x[1];
            assert_int_equal(jd_radau_solve(&r, &f, &s, NULL, scale), RADAU_DONE);
            x[0] = s.x[2 * RADAU_STAGES];
            x[1] = s.x[2 * RADAU_STAGES + 1];
        }
        error[k] = fabs(x[0] - (cos(4) - cos(8)) / 3);
    }
    assert_true(error[0] < 1e-3);
    assert_true(error[1] < error[0] / pow(2, 11.5)); // measured: 2.4e-4, 2.2e-8: factor 2^13.4
    jd_arena_free(arena);
    jd_context_free(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_in_c_runs_with_differences_for_gradients),
        cmocka_unit_test(a_violation_of_proposition_2_is_named),
        cmocka_unit_test(a_wave_term_along_the_surface_is_singular),
        cmocka_unit_test(a_vanishing_denominator_on_the_way_is_told),
        cmocka_unit_test(a_model_that_gives_no_number_says_when_and_where),
        cmocka_unit_test(an_event_budget_ends_a_storm),
        cmocka_unit_test(incomplete_models_are_refused),
        cmocka_unit_test(the_critical_manifold_is_told_apart),
        cmocka_unit_test(closure_radau_has_order_13),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
