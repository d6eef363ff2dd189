// sparse_allocation.c -- MUMPS and SCOTCH without memory: the program of whoever calls the library
// goes on.
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "linalg/sparse/factor.h"
#include "linalg/sparse/order/dissect.h"
#include "near.h"
#include "pages.h"
#include "scratch.h"

enum { N = 60, SIZE = N * N }; // a membrane of N x N masses

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1 // it takes terabytes of addresses for itself: no limit can be set
#else
#define SANITIZED 0
#endif

static jd_sparse membrane(void) {
    jd_sparse A = {.n = SIZE};
    A.start = JD_TAKE(arena, int, SIZE + 1);
    A.row = JD_TAKE(arena, int, 5 * SIZE);
    A.value = JD_TAKE(arena, double, 5 * SIZE);
    int used = 0;
    for (int j = 0; j < SIZE; j++) {
        const int step[5] = {-N, -1, 0, 1, N};
        for (int k = 0; k < 5; k++) {
            int i = j + step[k];
            if (i < 0 || i >= SIZE || (step[k] == 1 && i % N == 0) || (step[k] == -1 && j % N == 0))
                continue;
            A.row[used] = i;
            A.value[used++] = step[k] ? -1 : 4.5;
        }
        A.start[j + 1] = used;
    }
    return A;
}

// call(user) in a child with `spare` bytes of addresses left: 0 it went, 1 it was refused by name,
// 2 neither.
static int attempt(jd_status (*call)(void *user), void *user, size_t spare) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        size_t most = pages_in_use() * (size_t)sysconf(_SC_PAGESIZE) + spare;
        setrlimit(RLIMIT_AS, &(struct rlimit){most, most});
        jd_status s = call(user);
        bool named = s == JD_OUT_OF_MEMORY && jd_context_error(context)->message[0];
        _exit(s == JD_OK ? 0 : named ? 1 : 2);
    }
    int ended = 0;
    assert_true(child > 0 && waitpid(child, &ended, 0) == child);
    assert_true(WIFEXITED(ended)); // not by a signal
    return WEXITSTATUS(ended);
}

static jd_status factorise(void *user) {
    static double x[SIZE];
    jd_factor *f = NULL;
    jd_status s = jd_factor_create(context, user, &f);
    if (s == JD_OK) s = jd_factor_solve(f, x, x);
    jd_factor_free(f);
    return s;
}

static void mumps_without_memory_does_not_end_the_program(void **state) {
    (void)state;
    if (SANITIZED) skip();
    jd_sparse A = membrane();
    int refused = 0, went = 0;
    jd_factor
        *first; // OpenBLAS maps its buffers when first called, and waits for ever where it cannot
    assert_int_equal(jd_factor_create(context, &A, &first), JD_OK);
    jd_factor_free(first);
    for (size_t spare = 0; spare < (24u << 20); spare += 300000) {
        int outcome = attempt(factorise, &A, spare);
        assert_true(outcome == 0 || outcome == 1);
        refused += outcome == 1;
        went += outcome == 0;
    }
    assert_true(refused > 3 && went > 3);
}

// A cube of EDGE^3 masses, whose factors are much larger than it is.
enum { EDGE = 28, CUBE = EDGE * EDGE * EDGE };

static jd_sparse cube(void) {
    jd_sparse A = {.n = CUBE};
    const int step[7] = {-EDGE * EDGE, -EDGE, -1, 0, 1, EDGE, EDGE * EDGE};
    A.start = JD_TAKE(arena, int, CUBE + 1);
    A.row = JD_TAKE(arena, int, 7 * CUBE);
    A.value = JD_TAKE(arena, double, 7 * CUBE);
    int used = 0;
    for (int j = 0; j < CUBE; j++) {
        const int at[3] = {j % EDGE, j / EDGE % EDGE, j / EDGE / EDGE};
        for (int k = 0; k < 7; k++) {
            int axis = k < 3 ? 2 - k : k - 4;
            bool out = k < 3 ? at[axis] == 0 : k > 3 && at[axis] == EDGE - 1;
            if (out) continue;
            A.row[used] = j + step[k];
            A.value[used++] = k == 3 ? 6.5 : -1;
        }
        A.start[j + 1] = used;
    }
    return A;
}

typedef struct ordering {
    const jd_sparse *A;
    int *place;
} ordering;

static jd_status dissect(void *user) {
    const ordering *o = user;
    return jd_dissect(arena, o->A, o->place);
}

static void scotch_without_memory_does_not_end_the_program(void **state) {
    (void)state;
    if (SANITIZED) skip();
    const jd_sparse A = cube();
    int refused = 0, went = 0, *place = JD_TAKE(arena, int, CUBE);
    assert_int_equal(jd_dissect(arena, &A, place), JD_OK); // it is loaded
    for (size_t spare = 0; spare < (12u << 20); spare += 300000) {
        int outcome = attempt(dissect, &(ordering){&A, place}, spare);
        assert_true(outcome == 0 || outcome == 1);
        refused += outcome == 1;
        went += outcome == 0;
    }
    assert_true(refused > 3 && went > 3);
}

// Factors that do not fit are refused by what they need and what is free, before they are begun.
static void factors_that_do_not_fit_are_refused_before(void **state) {
    (void)state;
    if (SANITIZED) skip();
    const jd_sparse A = cube();
    jd_factor *first;
    assert_int_equal(jd_factor_create(context, &A, &first), JD_OK);
    jd_factor_free(first);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        size_t most = pages_in_use() * (size_t)sysconf(_SC_PAGESIZE) + ((size_t)40 << 20);
        setrlimit(RLIMIT_AS, &(struct rlimit){most, most});
        jd_factor *f = NULL;
        jd_status s = jd_factor_create(context, &A, &f);
        const char *said = jd_context_error(context)->message;
        _exit(s == JD_OUT_OF_MEMORY && strstr(said, "need about") && strstr(said, "are free") ? 0
                                                                                              : 1);
    }
    int ended = 1;
    assert_true(child > 0 && waitpid(child, &ended, 0) == child);
    assert_int_equal(ended, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(mumps_without_memory_does_not_end_the_program, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(scotch_without_memory_does_not_end_the_program, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(factors_that_do_not_fit_are_refused_before, set_up,
                                        tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
