// sweep_allocation.c -- planning a sweep and its journal when the n-th allocation fails, for every
// n.
#include <unistd.h>

#include "result/file/journal.h"
#include "starve.h"
#include "sweep_case.h"

static const char path[] = "fault-sweep-memory.tmp";
static const char model[] =
    KNOCKER("none", "parameters: [drives.force.frequency, contacts.stop.law.gap], "
                    "from: [1.4, 1], to: [1.6, 1.1], points: [2, 2], direction: up, samples: 2, "
                    "settle: 20 periods");

static jd_status plan(jd_context *context, jd_problem **problem) {
    return jd_model_parse(context, "m", "", model, strlen(model), 0, NULL, problem);
}

static jd_status all(jd_context *context, jd_problem *problem, const void *none) {
    (void)none;
    jd_sweep *sweep = NULL;
    jd_journal *journal = NULL;
    bool complete = false;
    jd_status s = jd_sweep_create(context, problem, &sweep);
    if (s == JD_OK) {
        const jd_journal_def def = {
            .path = path, .work = "sweep", .count = 4, .size = 8, .restart = true};
        s = jd_journal_open(context, &def, &journal);
    }
    if (s == JD_OK) s = jd_sweep_run(sweep, NULL, &complete);
    if (s == JD_OK) assert_true(complete);
    jd_journal_close(journal, true);
    jd_sweep_free(sweep);
    return s;
}

// Every allocation after the model's fails once; each time it is reported and nothing leaks.
static void every_failing_allocation_is_reported(void **state) {
    (void)state;
    assert_true(starve_each(plan, all, NULL, STARVE_FOR_GOOD) > 5);
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {MODEL_TEST(every_failing_allocation_is_reported)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
