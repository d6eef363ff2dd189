// expsum_move.c -- a pole moved in place leaves the basis as if it had been made anew.
#include "judder/expsum.h"

#include <string.h>

#include "near.h"

enum { N = 6, SLOTS = 8 };

static const jd_complex poles[N] = {{-0.1, 3}, {-0.3, 11}, {-1, 40}, {-2, 0}, {-9, 300}, {0, 5}};

static void make(jd_context *c, double omega, jd_complex weight, jd_expbasis **basis,
                 jd_watch **watch) {
    jd_complex pole[N], w[N] = {{1, 0.2}, {-0.5, 0.1}, {0.3, 0}, {0.7, 0}, {0.01, 0.02}, weight};
    memcpy(pole, poles, sizeof pole);
    pole[N - 1].im = omega;
    jd_expbasis_def def = jd_default_expbasis_def();
    def.n_pole = N;
    def.pole = pole;
    def.longest_step = 1;
    assert_int_equal(jd_expbasis_create(c, &def, basis), JD_OK);
    assert_int_equal(jd_expbasis_slots(*basis), SLOTS);
    const jd_watch_def d = {.weight = w};
    assert_int_equal(jd_watch_create(*basis, &d, watch), JD_OK);
}

static jd_search_result search(jd_expbasis *basis, jd_watch *watch, double *out) {
    double re[SLOTS] = {0}, im[SLOTS] = {0};
    for (int i = 0; i < N; i++) {
        re[jd_expbasis_slot(basis, i)] = 1.0 / (i + 1);
        im[jd_expbasis_slot(basis, i)] = i == 3 ? 0 : 0.3 - 0.1 * i;
    }
    jd_guard g = jd_default_guard(watch);
    g.lower = -0.9;
    jd_search_result found;
    jd_first_zero(basis, re, im, 1, &g, 20, NULL, &found, out, out + SLOTS);
    return found;
}

// The basis has been used before, so that its ladder holds entries of the old pole.
static void a_moved_pole_gives_the_bits_of_a_new_basis(void **state) {
    (void)state;
    jd_context *c = jd_context_create(NULL);
    jd_expbasis *moved, *fresh;
    jd_watch *a, *b;
    const jd_complex was = {0.4, -0.1}, is = {0.7, 0.35};
    double at_moved[2 * SLOTS], at_fresh[2 * SLOTS];
    make(c, 5, was, &moved, &a);
    make(c, 7.25, is, &fresh, &b);
    jd_search_result before = search(moved, a, at_moved), want = search(fresh, b, at_fresh);
    assert_true(jd_expbasis_move(moved, N - 1, (jd_complex){0, 7.25}, 1));
    jd_watch_move(a, N - 1, is);
    jd_search_result got = search(moved, a, at_moved);
    assert_int_equal(want.outcome, JD_SEARCH_FOUND);
    assert_int_equal(got.outcome, want.outcome);
    assert_true(before.time != want.time);
    assert_true(got.time == want.time && got.evaluations == want.evaluations);
    assert_memory_equal(at_moved, at_fresh, sizeof at_fresh);
    jd_expbasis_free(moved);
    jd_expbasis_free(fresh);
    jd_context_free(c);
}

static void a_pole_that_would_change_places_is_not_moved(void **state) {
    (void)state;
    jd_context *c = jd_context_create(NULL);
    jd_expbasis *basis;
    jd_watch *watch;
    double out[2 * SLOTS];
    make(c, 5, (jd_complex){0.4, 0}, &basis, &watch);
    jd_search_result before = search(basis, watch, out);
    assert_false(jd_expbasis_move(basis, N - 1, (jd_complex){0, 12}, 1));  // beyond 11
    assert_false(jd_expbasis_move(basis, N - 1, (jd_complex){0, 2.5}, 1)); // below 3
    assert_false(jd_expbasis_move(basis, N - 1, (jd_complex){0, 6}, 0.4)); // other steps
    assert_false(jd_expbasis_move(basis, N - 1, (jd_complex){-1, 6}, 1));  // off the axis
    assert_true(search(basis, watch, out).time == before.time);
    jd_expbasis_free(basis);
    jd_context_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_moved_pole_gives_the_bits_of_a_new_basis),
        cmocka_unit_test(a_pole_that_would_change_places_is_not_moved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
