// model_memory.c -- reading a model when the n-th allocation fails, for every n.
#include <stdlib.h>
#include <string.h>

#include "judder/model.h"
#include "near.h"

typedef struct counter {
    long taken, limit, open; // allocations so far, the one that fails, blocks not yet released
} counter;

static void *take(void *user, size_t bytes) {
    counter *c = user;
    if (c->taken++ >= c->limit) return NULL;
    c->open++;
    return malloc(bytes);
}

static void give(void *user, void *block) {
    ((counter *)user)->open--;
    free(block);
}

static const char model[] =
    "judder: 1\n"
    "structure: {type: fe-beam, length: 2 m, bending_stiffness: 1 N m^2, mass_per_length: 1 kg/m,\n"
    "            elements: 2, supports: {left: clamped, right: free}, points: {tip: 2 m}}\n"
    "contacts: {tip: {at: tip, law: {type: coulomb, limit: 1 N}}}\n"
    "drives: {f: {at: tip, type: harmonic, amplitude: 1 N, frequency: {times: 2, mode: 1}}}\n"
    "follow: {parameter: contacts.tip.law.limit, from: 1, to: 2}\n";

// Every allocation fails once; each time the error says so, nothing leaks and nothing is left.
static void every_failing_allocation_is_reported(void **state) {
    (void)state;
    const char *set = "structure.length=3";
    jd_status status = JD_OUT_OF_MEMORY;
    long n = 1; // the first is the context's own
    for (; status == JD_OUT_OF_MEMORY && n < 10000; n++) {
        counter c = {.limit = n};
        jd_context_def def = {.allocate = take, .release = give, .user = &c};
        jd_context *context = jd_context_create(&def);
        jd_problem *problem = NULL;
        status = jd_model_parse(context, "m", "", model, strlen(model), 1, &set, &problem);
        if (status != JD_OK) {
            assert_null(problem);
            assert_int_equal(jd_context_error(context)->status, JD_OUT_OF_MEMORY);
            assert_true(jd_context_error(context)->message[0]);
        }
        jd_problem_free(problem);
        jd_context_free(context);
        assert_int_equal(c.open, 0);
    }
    assert_int_equal(status, JD_OK);
    assert_true(n > 5);
    print_message("%ld allocations\n", n - 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_failing_allocation_is_reported)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
