// converge.c -- how runs settle as nodes and modes are added.
#include <string.h>

#include "judder/converge.h"
#include "rods_case.h"

static jd_problem *rods(model_case *m, const char *drive, double friction, int nodes) {
    char text[2000];
    snprintf(text, sizeof text, rods_model, friction, drive, "taylor", nodes);
    reads(m, text, NULL);
    assert_int_equal(jd_problem_build(m->problem), JD_OK);
    return m->problem;
}

// Fig. 13 of the paper, low friction at 20 rad/s: ratios to the limit of infinitely many nodes.
static void the_norm_of_the_tip_converges_with_nodes_as_in_the_paper(void **state) {
    model_case *m = *state;
    const double nodes[] = {40, 76, 154, 304};
    const double ratio[] = {1.00016, 0.99907, 0.99988, 1.00005}, limit = 8.3882312e-4;
    jd_converge_point p[4];
    jd_converge_def d = {"simulate.nodes", 4, nodes, "pile.tip.norm"};
    assert_int_equal(jd_converge(m->context, rods(m, rods_20, 0.6, 76), &d, p), JD_OK);
    for (int i = 0; i < 4; i++) assert_near(p[i].measure / limit, ratio[i], 1.1e-5);
    assert_relative(p[3].measure, 8.3886572111e-4, 1e-9);
    assert_int_equal(p[3].events, 1472 + 1395 + 72);
    assert_int_equal(jd_converge_from(4, p, 0.01), 0);
    assert_near(p[3].ratio, 1, 0);
    assert_true(isnan(p[0].order) && isnan(p[3].order));
}

static void one_mode_of_the_sleeve_is_within_a_percent_and_twenty_do_not_change_it(void **state) {
    model_case *m = *state;
    const double modes[] = {1, 10, 20};
    jd_converge_point p[3];
    jd_converge_def d = {"bodies.sleeve.modes", 3, modes, "pile.tip.norm"};
    assert_int_equal(jd_converge(m->context, rods(m, rods_20, 0.6, 76), &d, p), JD_OK);
    assert_near(p[0].ratio, 1, 1e-3); // measured: 2e-5
    assert_near(p[1].ratio, 1, 1e-5); // measured: 5e-7
    double value;
    assert_int_equal(jd_problem_get(m->problem, "bodies.sleeve.modes", &value), JD_OK);
    assert_near(value, 20, 0); // the problem is as it was
}

static void the_order_is_that_of_the_errors(void **state) {
    model_case *m = *state;
    const double nodes[] = {10, 19, 37, 73};
    jd_converge_point p[4];
    jd_converge_def d = {"simulate.nodes", 4, nodes, "pile.head.final"};
    assert_int_equal(jd_converge(m->context, rods(m, rods_20, 0.6, 76), &d, p), JD_OK);
    for (int i = 1; i < 3; i++) {
        double fall = fabs(p[i - 1].measure - p[3].measure) / fabs(p[i].measure - p[3].measure);
        assert_near(p[i].order, log(fall) / log(nodes[i] / nodes[i - 1]), 1e-9);
    }
}

static void what_cannot_be_studied_is_named(void **state) {
    model_case *m = *state;
    const double falling[] = {40, 30}, few[] = {2, 30};
    jd_converge_point p[2];
    jd_problem *problem = rods(m, rods_20, 0.6, 76);
    jd_converge_def d = {"simulate.nodes", 2, falling, "pile.tip.norm"};
    assert_int_equal(jd_converge(m->context, problem, &d, p), JD_OUT_OF_RANGE);
    says("message", jd_context_error(m->context)->message, "must ascend");
    d.value = few;
    assert_int_equal(jd_converge(m->context, problem, &d, p), JD_OUT_OF_RANGE);
    says("message", jd_context_error(m->context)->message, "at least 3");
    d = (jd_converge_def){"simulate.nodes", 2, falling + 1, "pile.tip.norn"};
    d.n = 1;
    assert_int_equal(jd_converge(m->context, problem, &d, p), JD_BAD_ARGUMENT);
    says("hint", jd_context_error(m->context)->hint, "POINT.norm");
    d.measure = "pile.top.norm";
    assert_int_equal(jd_converge(m->context, problem, &d, p), JD_UNKNOWN_NAME);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(the_norm_of_the_tip_converges_with_nodes_as_in_the_paper),
        MODEL_TEST(one_mode_of_the_sleeve_is_within_a_percent_and_twenty_do_not_change_it),
        MODEL_TEST(the_order_is_that_of_the_errors),
        MODEL_TEST(what_cannot_be_studied_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
