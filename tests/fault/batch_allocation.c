// batch_allocation.c -- a table of cases, its runs and a changed text when the n-th allocation
// fails, for every n.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "judder/judder.h"
#include "starve.h"

static const char path[] = "fault-batch-memory.csv";
static const char text[] = "judder: 1\n"
                           "structure: {type: chain, count: 1, mass: 2, stiffness: 8, "
                           "points: {a: {node: 1}}}\n"
                           "contacts: {a: {at: a, law: {type: coulomb, limit: 1}}}\n"
                           "drives: {s: {at: a, type: harmonic, amplitude: 3, frequency: 1.8}}\n"
                           "simulate: {until: 2 periods}\n";
static const jd_model_def model = {.name = "m.yaml", .text = text, .size = sizeof text - 1};

static jd_status batch(jd_context *context, jd_problem *problem, const void *user) {
    (void)problem, (void)user;
    jd_batch_table *table = NULL;
    jd_result *result = NULL;
    jd_status s = jd_batch_read(context, path, &table);
    if (s == JD_OK) {
        jd_batch_def cases = *jd_batch_look(table);
        cases.threads = 1;
        s = jd_result_of_batch(context, &model, &cases, &result);
    }
    if (s == JD_OK) assert_int_equal(jd_result_batch(result)->failed, 1);
    jd_result_free(result);
    jd_batch_free(table);
    return s;
}

static jd_status change(jd_context *context, jd_problem *problem, const void *user) {
    (void)problem, (void)user;
    char out[1000];
    size_t length;
    const char *set[] = {"contacts.a.law.limit=2"};
    jd_model_def def = model;
    def.n_set = 1;
    def.set = set;
    return jd_model_change(context, &def, sizeof out, out, &length);
}

static void every_failing_allocation_is_reported(void **state) {
    (void)state;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("contacts.a.law.limit,drives.s.amplitude\n0.5,\n-1,\n1,2\n", file);
    fclose(file);
    assert_true(starve_each(NULL, batch, NULL, STARVE_FOR_GOOD) > 5);
    assert_true(starve_each(NULL, change, NULL, STARVE_FOR_GOOD) > 1);
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_failing_allocation_is_reported)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
