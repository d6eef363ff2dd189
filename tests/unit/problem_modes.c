// problem_modes.c -- the modes of a whole problem: rows of contacts and drives, damping, stuck.
#include "problem/system.h"
#include "problem_case.h"

#define PI 3.14159265358979323846

// sqrt(2/L) sin(k pi x/L), the shape at a node of the lumped rod
static void expect_shape(jd_dd got, int k, double x, double l, double sign) {
    assert_near(dd_value(got), sign * sqrt(2 / l) * sin(k * PI * x / l), 1e-15); // measured 3e-16
}

// The sign a structure gave mode k, seen at a point where the closed form does not vanish.
static double sign_of(const fixture *f, int body, const char *point, int k, double x, double l) {
    double row[5];
    assert_int_equal(jd_structure_participation(jd_problem_structure(f->p, body), point, row), 0);
    return row[k - 1] * sin(k * PI * x / l) < 0 ? -1 : 1;
}

static void a_contact_between_bodies_is_the_difference_of_their_rows(void **state) {
    const fixture *f = *state;
    assert_int_equal(jd_problem_build(f->p), JD_OK);
    const jd_system *y = jd_problem_system(f->p);
    assert_int_equal(y->modal.n, 12);
    assert_int_equal(y->first[1], 4);
    for (int k = 1; k <= 4; k++) {
        double sign = sign_of(f, 0, "head", k, 0.25, 2);
        expect_shape(y->contact[2][k - 1], k, 1, 2, sign);
        expect_shape(y->contact[0][k - 1], k, 0.25, 2, sign);
        expect_shape(y->drive[0][k - 1], k, 1, 2, sign);
        assert_near(dd_value(y->contact[1][k - 1]), 0, 0);
    }
    for (int k = 1; k <= 5; k++) {
        double sign = sign_of(f, 1, "knot", k, 0.5, 3); // node 2 counts from 1
        expect_shape(y->contact[2][3 + k], k, 1.5, 3, -sign);
        expect_shape(y->contact[1][3 + k], k, 1.5, 3, sign);
        expect_shape(y->drive[2][3 + k], k, 1.5, 3, sign);
        assert_near(dd_value(y->contact[0][3 + k]), 0, 0);
    }
    assert_null(y->contact[3]); // along a span
    jd_dd row[12];
    assert_int_equal(jd_problem_row(f->p, "sleeve.tip", row), JD_OK);
    for (int k = 0; k < 12; k++) assert_near(dd_value(row[k]), dd_value(y->contact[1][k]), 0);
}

static void damping_of_unlike_bodies_is_given_per_mode(void **state) {
    const fixture *f = *state;
    assert_int_equal(jd_problem_build(f->p), JD_OK);
    const jd_modal *m = &jd_problem_system(f->p)->modal;
    assert_int_equal(m->law, JD_DAMPING_MODAL);
    for (int k = 0; k < 12; k++) {
        double ratio = k >= 4 && k < 9 ? 0.1 : 0;
        assert_near(m->c[k], 2 * ratio * sqrt(dd_value(m->omega2[k])), 1e-15);
    }
    assert_relative(dd_value(m->omega2[4]), 16 * pow(sin(PI / 12), 2), 1e-15);
}

static jd_damping_law law_of_two(double mass_a, double mass_b) {
    jd_context *c = jd_context_create(NULL);
    jd_problem *p;
    const jd_type *type = jd_type_find(jd_structure_types(), "fe-rod");
    assert_int_equal(jd_problem_create(c, &p), JD_OK);
    for (int i = 0; i < 2; i++) {
        jd_fe_rod_def d = rod(1, 3, JD_ALL);
        jd_damping_rayleigh_def damping = {i ? mass_b : mass_a, 0.5};
        d.damping = (jd_object){"", &jd_damping_rayleigh, &damping};
        assert_int_equal(jd_problem_add_body(p, i ? "b" : "a", type, &d), JD_OK);
    }
    assert_int_equal(jd_problem_build(p), JD_OK);
    const jd_modal *m = &jd_problem_system(p)->modal;
    for (int k = 0; k < 4; k++)
        assert_near(m->c[k], (k < 2 ? mass_a : mass_b) + 0.5 * dd_value(m->omega2[k]), 1e-14);
    jd_damping_law law = m->law;
    jd_problem_free(p);
    jd_context_free(c);
    return law;
}

static void equal_rayleigh_damping_stays_a_law_of_frequency(void **state) {
    (void)state;
    assert_int_equal(law_of_two(0.25, 0.25), JD_DAMPING_RAYLEIGH);
    assert_int_equal(law_of_two(0.25, 0.5), JD_DAMPING_MODAL);
}

// Fixed in the middle too, a lumped rod of 8 elements is two of 4: omega = 2/h sin(j pi/8), each
// twice; modes of the whole that have a node there stay.
static void a_stuck_contact_splits_the_rod(void **state) {
    const fixture *f = *state;
    const jd_point point = {.name = "mid", .position = 1};
    jd_fe_rod_def d = rod(2, 8, JD_ALL);
    d.points = (jd_points){1, &point};
    const jd_type *type = jd_type_find(jd_structure_types(), "fe-rod");
    assert_int_equal(jd_problem_add_body(f->p, "", type, &d), JD_OK);
    d = rod(9, 5, JD_ALL); // elsewhere, untouched: not in the list
    assert_int_equal(jd_problem_add_body(f->p, "other", type, &d), JD_OK);
    add_ground(f, "mid", "mid");
    assert_int_equal(jd_problem_build(f->p), JD_OK);
    int n;
    jd_mode mode[6];
    assert_int_equal(jd_problem_stuck_modes(f->p, 0, &n, NULL), JD_OK);
    assert_int_equal(n, 6);
    assert_int_equal(jd_problem_stuck_modes(f->p, 0, &n, mode), JD_OK);
    for (int k = 0; k < 6; k++)
        assert_relative(mode[k].omega, 8 * sin((k / 2 + 1) * PI / 8), 1e-15);
    assert_int_equal(jd_problem_stuck_modes(f->p, 1, &n, NULL), JD_BAD_ARGUMENT);
}

// Two equal rods held together at their middles: half the modes are those of either rod alone with
// a node there or held (counter-phase), the others those of the pair moving as one.
static void a_stuck_pair_of_bodies_shares_its_modes(void **state) {
    const fixture *f = *state;
    const jd_point point = {.name = "mid", .position = 1};
    jd_fe_rod_def d = rod(2, 4, JD_ALL);
    d.points = (jd_points){1, &point};
    const jd_type *type = jd_type_find(jd_structure_types(), "fe-rod");
    assert_int_equal(jd_problem_add_body(f->p, "a", type, &d), JD_OK);
    assert_int_equal(jd_problem_add_body(f->p, "b", type, &d), JD_OK);
    jd_coulomb_def law = {.limit = 1, .static_limit = (double)NAN};
    jd_contact_def c = {.at = {.body = "a", .point = "mid"},
                        .against = {.kind = JD_PLACE, .place = {.body = "b", .point = "mid"}},
                        .law = {"", &jd_law_coulomb.type, &law}};
    assert_int_equal(jd_problem_add_contact(f->p, "c", &c), JD_OK);
    assert_int_equal(jd_problem_build(f->p), JD_OK);
    int n;
    jd_mode mode[5];
    assert_int_equal(jd_problem_stuck_modes(f->p, 0, &n, mode), JD_OK);
    assert_int_equal(n, 5); // in phase j = 1, 2, 3; counter-phase j = 2 twice (held in the middle)
    const int j[] = {1, 2, 2, 2, 3};
    for (int k = 0; k < 5; k++) assert_relative(mode[k].omega, 4 * sin(j[k] * PI / 8), 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        RICH(a_contact_between_bodies_is_the_difference_of_their_rows),
        RICH(damping_of_unlike_bodies_is_given_per_mode),
        cmocka_unit_test(equal_rayleigh_damping_stays_a_law_of_frequency),
        EMPTY(a_stuck_contact_splits_the_rod),
        EMPTY(a_stuck_pair_of_bodies_shares_its_modes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
