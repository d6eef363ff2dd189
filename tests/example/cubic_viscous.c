// cubic_viscous.c -- the made-up law of docs/example, added by its file and one line of law.h,
// works at every engine that computes its traits and is refused by name by the others.
#include <math.h>

#include "judder/run.h"
#include "model_case.h"

static const char form[] =
    "judder: 1\n"
    "structure: {type: chain, count: 4, mass: 0.3, stiffness: 5,\n"
    "  damping: {type: ratio, value: 0.03}, supports: {left: fixed, right: free},\n"
    "  points: {rub: {node: 3}, end: {node: 4}}}\n"
    "contacts: {c: {at: rub, against: ground, law: {type: cubic_viscous, limit: 0.6, cubic: %s}}}\n"
    "drives: {push: {at: end, type: harmonic, amplitude: 1.1, frequency: 1.3}}\n"
    "simulate: {engine: %s, until: 6%s}\n";

static jd_status motion(model_case *m, const char *cubic, const char *engine, double *u) {
    char text[800];
    jd_run *run;
    jd_step step = JD_STEP_EVENT;
    double v, force;
    snprintf(text, sizeof text, form, cubic, engine,
             strcmp(engine, "exact") ? ", tolerance: 1e-10" : "");
    reads(m, text, NULL);
    jd_status s = jd_run_create(m->context, m->problem, &run);
    if (s != JD_OK) return s;
    while (step == JD_STEP_EVENT) assert_int_equal(jd_run_advance(run, 6, &step), JD_OK);
    jd_run_observe_contacts(run, 6, u, &v, &force);
    jd_run_free(run);
    return JD_OK;
}

static void engines_of_curves_agree(void **state) {
    double memory, closure, without;
    assert_int_equal(motion(*state, "0.4", "memory", &memory), JD_OK);
    assert_int_equal(motion(*state, "0.4", "closure", &closure), JD_OK);
    assert_int_equal(motion(*state, "0", "memory", &without), JD_OK);
    assert_near(closure, memory, 1e-8);
    assert_true(fabs(without - memory) > 1e-3); // the term counts
}

static void the_exact_engine_says_what_it_lacks(void **state) {
    model_case *m = *state;
    double u;
    assert_int_equal(motion(m, "0.4", "exact", &u), JD_NOT_SUPPORTED);
    says("message", jd_context_error(m->context)->message, "a curve over the speed");
}

static void auto_finds_an_engine(void **state) {
    double u;
    assert_int_equal(motion(*state, "0.4", "auto", &u), JD_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {MODEL_TEST(engines_of_curves_agree),
                                       MODEL_TEST(the_exact_engine_says_what_it_lacks),
                                       MODEL_TEST(auto_finds_an_engine)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
