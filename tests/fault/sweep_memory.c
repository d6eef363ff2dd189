// sweep_memory.c -- planning a sweep and its journal when the n-th allocation fails, for every n.
#include <unistd.h>

#include "result/journal.h"
#include "sweep_case.h"

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
    ((counter *)user)->open -= block != NULL;
    free(block);
}

static const char path[] = "fault-sweep-memory.tmp";
static const char model[] =
    KNOCKER("none", "parameters: [drives.force.frequency, contacts.stop.law.gap], "
                    "from: [1.4, 1], to: [1.6, 1.1], points: [2, 2], direction: up, samples: 2, "
                    "settle: 20 periods");

static jd_status all(jd_context *context, jd_problem *problem) {
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
    jd_status status = JD_OUT_OF_MEMORY;
    long n = 0;
    for (; status == JD_OUT_OF_MEMORY && n < 1000; n++) {
        counter c = {.limit = 1L << 40};
        jd_context_def def = {.allocate = take, .release = give, .user = &c};
        jd_context *context = jd_context_create(&def);
        jd_problem *problem = NULL;
        assert_int_equal(jd_model_parse(context, "m", "", model, strlen(model), 0, NULL, &problem),
                         JD_OK);
        c.limit = c.taken + n;
        status = all(context, problem);
        if (status != JD_OK) assert_int_equal(jd_context_error(context)->status, JD_OUT_OF_MEMORY);
        jd_problem_free(problem);
        jd_context_free(context);
        assert_int_equal(c.open, 0);
    }
    assert_int_equal(status, JD_OK);
    assert_true(n > 5);
    unlink(path);
    print_message("%ld allocations\n", n - 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {MODEL_TEST(every_failing_allocation_is_reported)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
