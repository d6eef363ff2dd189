// contact_allocation.c -- connections, static starts and sliding states when the n-th allocation
// fails, for every n.
#include <string.h>

#include "base/arena.h"
#include "judder/model.h"
#include "problem/contacts/sliding.h"
#include "problem/initial.h"
#include "starve.h"

static const char model[] =
    "judder: 1\n"
    "bodies:\n"
    "  a: {type: chain, count: 3, mass: 1, stiffness: 1, damping: {type: rayleigh, mass: 0.1, "
    "stiffness: 0.1}, points: {p: {node: 2}, q: {node: 3}}}\n"
    "  b: {type: chain, count: 2, mass: 1, stiffness: 1, supports: {left: free}, points: {p: "
    "{node: 1}, q: {node: 2}}}\n"
    "connections:\n"
    "  link: {type: spring, at: a.q, against: b.p, stiffness: 2}\n"
    "  loss: {type: dashpot, at: b.q, damping: 0.3}\n"
    "contacts:\n"
    "  pad: {at: {normal: a.q, tangential: a.p}, against: {velocity: 1}, law: {type: dry-contact, "
    "coefficient: 0.2, preload: 1, normal_stiffness: 3, tangential_stiffness: 2}}\n"
    "  lap: {at: b.q, law: {type: iwan, limit: 1, stiffness: 3, chi: -0.5, elements: 4}}\n"
    "  ring: {at: b.p, law: {type: coulomb, coefficient: 0.1, normal: pad, stiffness: 1}}\n"
    "drives: {f: {at: b.q, type: constant, value: 0.5}}\n";

static jd_status settle(jd_context *context, jd_problem *none, const void *user) {
    jd_problem *problem = NULL;
    double q[5], rate[5], T[6];
    (void)none;
    (void)user;
    jd_status s = jd_model_parse(context, "m", "", model, strlen(model), 0, NULL, &problem);
    if (s == JD_OK) s = jd_problem_initial(problem, q, rate);
    if (s == JD_OK) s = jd_problem_initial_sliders(problem, T);
    jd_arena *arena = s == JD_OK ? jd_arena_create(context) : NULL;
    jd_sliding state;
    if (s == JD_OK) s = arena ? jd_problem_sliding(arena, problem, &state) : JD_OUT_OF_MEMORY;
    jd_arena_free(arena);
    jd_problem_free(problem);
    return s;
}

static void every_failing_allocation_is_reported(void **state) {
    (void)state;
    assert_true(starve_each(NULL, settle, NULL, STARVE_FOR_GOOD) > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_failing_allocation_is_reported)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
