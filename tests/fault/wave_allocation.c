// wave_allocation.c -- every allocation of a run on grids fails once: named, nothing left behind.
#include <string.h>

#include "judder/judder.h"
#include "starve.h"

static const char damped[] =
    "judder: 1\n"
    "bodies:\n"
    "  pile: {type: rod, length: 50, axial_stiffness: 1e6, mass_per_length: 1,\n"
    "         supports: {left: free, right: free}, points: {head: 0, tip: 50},\n"
    "         damping: {type: rayleigh, stiffness: 1e-6}}\n"
    "  sleeve: {type: rod, length: 50, axial_stiffness: 4e6, mass_per_length: 4}\n"
    "contacts:\n"
    "  shaft: {at: {body: pile, span: [25, 50]}, against: {body: sleeve, span: [0, 25]},\n"
    "          law: {type: coulomb, limit: 0.6}}\n"
    "drives: {hammer: {at: pile.head, type: pulse, amplitude: 20, duration: 0.01}}\n"
    "simulate: {engine: wave, until: 1, nodes: 20, error_estimate: true}\n";

static const char moving[] =
    "judder: 1\n"
    "bodies:\n"
    "  pile: {type: rod, length: 50, axial_stiffness: 1e6, mass_per_length: 1,\n"
    "         supports: {left: free, right: free}, points: {head: 0, tip: 50}}\n"
    "  sleeve: {type: rod, length: 50, axial_stiffness: 9e6, mass_per_length: 4,\n"
    "           supports: {left: free, right: fixed}}\n"
    "contacts:\n"
    "  shaft: {at: {body: pile, span: [25, 50]}, against: {body: sleeve, span: [0, 25]},\n"
    "          law: {type: coulomb, limit: 0.6}, footprint: moving}\n"
    "drives:\n"
    "  hammer: {at: pile.head, type: pulse, amplitude: 20, duration: 0.01}\n"
    "  weight: {at: {body: pile, span: [0, 50]}, type: constant, value: 0.1}\n"
    "start: static\n"
    "simulate: {engine: wave, until: 1, nodes: 20, error_estimate: true}\n";

static jd_status once(jd_context *context, jd_problem *none, const void *model) {
    (void)none;
    const char *text = model;
    jd_problem *problem = NULL;
    jd_run *run = NULL;
    int index;
    jd_step step;
    jd_status s = jd_model_parse(context, "m.yaml", ".", text, strlen(text), 0, NULL, &problem);
    if (s == JD_OK) s = jd_run_create(context, problem, &run);
    if (s == JD_OK) s = jd_run_probe(run, "pile.tip", &index);
    if (s == JD_OK) s = jd_run_track(run);
    if (s == JD_OK) s = jd_run_advance(run, 0.05, &step);
    jd_run_free(run);
    jd_problem_free(problem);
    return s;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    assert_true(starve_each(NULL, once, damped, STARVE_ONCE) > 10);
    assert_true(starve_each(NULL, once, moving, STARVE_ONCE) > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail)};
    return cmocka_run_group_tests_name("wave memory", tests, NULL, NULL);
}
