// model_allocation.c -- reading a model when the n-th allocation fails, for every n.
#include <string.h>

#include "judder/model.h"
#include "starve.h"

static const char model[] =
    "judder: 1\n"
    "structure: {type: fe-beam, length: 2 m, bending_stiffness: 1 N m^2, mass_per_length: 1 kg/m,\n"
    "            elements: 2, supports: {left: clamped, right: free}, points: {tip: 2 m}}\n"
    "contacts: {tip: {at: tip, law: {type: coulomb, limit: 1 N}}}\n"
    "drives: {f: {at: tip, type: harmonic, amplitude: 1 N, frequency: {times: 2, mode: 1}}}\n"
    "follow: {parameter: contacts.tip.law.limit, from: 1, to: 2}\n";

static jd_status read_it(jd_context *context, jd_problem *none, const void *user) {
    const char *set = user;
    (void)none;
    jd_problem *problem = NULL;
    jd_status s = jd_model_parse(context, "m", "", model, strlen(model), 1, &set, &problem);
    assert_true((s == JD_OK) == (problem != NULL));
    jd_problem_free(problem);
    return s;
}

// Every allocation fails once; each time the error says so, nothing leaks and nothing is left.
static void every_failing_allocation_is_reported(void **state) {
    (void)state;
    assert_true(starve_each(NULL, read_it, "structure.length=3", STARVE_FOR_GOOD) > 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_failing_allocation_is_reported)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
