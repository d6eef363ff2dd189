// modes_progress.c -- the modes of large matrices say how far they are: every long step by name,
// and shares that rise from 0 to below 1.
#include <string.h>

#include "judder/judder.h"
#include "solid.h"

enum { MOST = 4000 };

typedef struct report {
    const char *what;
    double fraction;
} report;

static report list[MOST];
static int count;

static void take(void *user, const char *what, double fraction) {
    (void)user;
    assert_true(count < MOST && fraction >= 0 && fraction <= 1);
    list[count++] = (report){what, fraction};
}

// Reports of a step in a row, from `first`: how many; they rise.
static int steps_of(const char *what, double *last) {
    int n = 0;
    *last = -1;
    for (int i = 0; i < count; i++) {
        if (strcmp(list[i].what, what) != 0) continue;
        assert_true(list[i].fraction >= *last);
        *last = list[i].fraction;
        n++;
    }
    return n;
}

static void every_long_step_tells_how_far_it_is(void **state) {
    (void)state;
    jd_context_def def = jd_default_context_def();
    def.progress = take;
    jd_context *context = jd_context_create(&def);
    solid bar = steel_bar(24, 4, 4, 0.3, 0.03, 0.02);
    solid_assemble(&bar);
    const jd_point points[] = {
        jd_point_at_node("tip", solid_row(&bar, bar.nx, 0, 0, 0) + 1, 1),
        jd_point_at_node("mid", solid_row(&bar, bar.nx / 2, 1, 1, 1) + 1, 1)};
    jd_matrices_def body = jd_default_matrices();
    body.stiffness = solid_matrix(&bar, bar.K);
    body.mass = solid_matrix(&bar, bar.M);
    body.modes = 40; // Lanczos reports once for a block of eight solves
    body.points = (jd_points){2, points};
    jd_problem *p = NULL;
    assert_int_equal(jd_problem_create(context, &p), JD_OK);
    assert_int_equal(jd_problem_add_matrices(p, "", &body), JD_OK);
    assert_int_equal(jd_problem_build(p), JD_OK);
    double last;
    assert_true(steps_of("reading matrices", &last) >= 2);
    assert_true(steps_of("checking the mass matrix", &last) >= 1);
    assert_true(steps_of("factorising", &last) >= 1);
    assert_true(steps_of("counting modes", &last) >= 1);
    assert_int_equal(steps_of("static shapes", &last), 2);
    assert_near(last, 0.5, 0);
    int solves = steps_of("modes", &last);
    print_message("%d solves, the last report at %.2f\n", solves, last);
    assert_true(solves >= 20 && last > 0.25 && last < 1);
    jd_problem_free(p);
    solid_free(&bar);
    jd_context_free(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_long_step_tells_how_far_it_is)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
