// memory_damping.c -- infinitely many modes whose first have damping ratios of their own, by a list
// or a table over frequency: ever more modes go to them, and both forms of the memory agree.
#include <math.h>

#include "memory_case.h"

// Ratios over frequency; the last holds for all modes above.
static const char light[] =
    "structure.damping={type: table, frequency: [3, 20, 60], ratio: [0.01, 0.12, 0.04]}";
static const char heavy[] =
    "structure.damping={type: table, frequency: [3, 20, 60], ratio: [0.3, 0.02, 0.1]}";
static const char beam[] =
    "structure={type: beam, length: 1, bending_stiffness: 1, mass_per_length: 1, modes: infinite,"
    " supports: {left: clamped, right: free}, points: {bow: 1}}";

static motion *bow(const char *structure, const char *damping, const char *more) {
    return motion_of(bowed_string, 2.4, SETS(structure, damping, "simulate.tolerance=1e-9", more));
}

static double apart(const char *structure, const char *damping, int first, bool smooth) {
    double t[3][8], worst = 0;
    motion *all = bow(structure, damping, "title=all");
    int n = all->n < 8 ? all->n : 8;
    assert_true(n >= 4);
    for (int i = 0; i < 3; i++) {
        char modes[64];
        snprintf(modes, sizeof modes, "structure.modes=%d", first << i);
        motion *m = bow(structure, damping, modes);
        assert_true(m->n >= n);
        for (int k = 0; k < n; k++) t[i][k] = m->event[k].t;
        motion_close(m);
    }
    for (int k = 0; k < n; k++) {
        double a = 2 * t[1][k] - t[0][k], b = 2 * t[2][k] - t[1][k]; // 1/N; beams 1/N^3
        double limit = smooth ? t[2][k] + (t[2][k] - t[1][k]) / 7 : b + (b - a) / 3;
        worst = fmax(worst, fabs(limit - all->event[k].t));
    }
    print_message("   %d events, %d modes off by %.1e, extrapolated %.1e\n", n, first << 2,
                  fabs(t[2][n - 1] - all->event[n - 1].t), worst);
    motion_close(all);
    return worst;
}

static void modes_of_a_damping_table_go_to_all_of_them(void **state) {
    (void)state; // measured 3.3e-8, 5.7e-7, 2.4e-11
    assert_true(apart("title=string", heavy, 250, false) < 2e-7);
    assert_true(apart("title=string", light, 250, false) < 2e-6);
    assert_true(apart(beam, heavy, 40, true) < 1e-9);
}

static void a_list_continues_with_its_last_ratio(void **state) {
    (void)state; // a list and the table that says the same of every mode, pi k
    motion *a = bow("title=list", "structure.damping.value=[0.3, 0.2, 0.05]", "title=list");
    motion *b = bow("title=table",
                    "structure.damping={type: table, frequency: [3.5, 5, 7, 9], ratio: [0.3, 0.2,"
                    " 0.2, 0.05]}",
                    "title=table");
    assert_true(a->n >= 4);
    assert_true(motion_apart(a, b) < 1e-9);
    motion_close(a);
    motion_close(b);
}

static void both_forms_agree_on_own_ratios(void **state) {
    (void)state; // measured 4.4e-11
    motion *a = bow("title=string", light, "simulate.memory=exponentials");
    motion *b = bow("title=string", light, "simulate.memory=delays");
    print_message("   %d events, %.1e apart\n", a->n, motion_apart(a, b));
    assert_true(a->n >= 4);
    assert_true(motion_apart(a, b) < 1e-9);
    motion_close(a);
    motion_close(b);
}

static void what_has_no_limit_is_refused(void **state) {
    (void)state;
    motion_refused(bowed_string, NULL, "last damping ratio", "must not be 0",
                   SETS("structure.damping.value=[0.1, 0]"));
    motion_refused(bowed_string, NULL, "more than 1000 modes", "table",
                   SETS("structure.damping={type: table, frequency: [0, 1e5], ratio: [0, 0.1]}"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_of_a_damping_table_go_to_all_of_them),
        cmocka_unit_test(a_list_continues_with_its_last_ratio),
        cmocka_unit_test(both_forms_agree_on_own_ratios),
        cmocka_unit_test(what_has_no_limit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
