// travelling.c -- engine orders: the pair of drives is the sum of the forces at the points, and a
// pattern that turns past a ring moves the modes of its own number of waves only.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draws.h"
#include "folder_case.h"
#include "how_many.h"
#include "judder/judder.h"
#include "near.h"
#include "problem/system.h"

enum { SECTORS = 12, MOST = 2000 };

// Masses in a ring, each with a spring to the ground and one to the next.
static jd_problem *ring(char names[SECTORS][8]) {
    static double K[SECTORS * SECTORS], M[SECTORS * SECTORS];
    static jd_point point[SECTORS];
    memset(K, 0, sizeof K);
    memset(M, 0, sizeof M);
    for (int i = 0; i < SECTORS; i++) {
        int next = (i + 1) % SECTORS;
        M[i * SECTORS + i] = 1;
        K[i * SECTORS + i] += 4; // 3 to the ground, 1 to the next
        K[next * SECTORS + next] += 1;
        K[i * SECTORS + next] -= 1;
        K[next * SECTORS + i] -= 1;
        snprintf(names[i], sizeof names[i], "b%d", i);
        point[i] = jd_point_at_node(names[i], i + 1, 1);
    }
    jd_matrices_def d = jd_default_matrices();
    jd_damping_ratio_def damping = {{1, &(double){0.01}}};
    static int64_t start[SECTORS + 1], index[SECTORS * SECTORS];
    for (int i = 0; i <= SECTORS; i++) start[i] = (int64_t)i * SECTORS;
    for (int i = 0; i < SECTORS * SECTORS; i++) index[i] = i % SECTORS;
    d.mass = jd_matrix_from_rows(SECTORS, SECTORS, start, index, M);
    d.stiffness = jd_matrix_from_rows(SECTORS, SECTORS, start, index, K);
    d.points = (jd_points){SECTORS, point};
    d.damping = jd_ratio_damping(&damping);
    jd_problem *p;
    assert_int_equal(jd_problem_create(context, &p), JD_OK);
    assert_int_equal(jd_problem_add_matrices(p, "", &d), JD_OK);
    return p;
}

static jd_travelling_def pattern(char names[SECTORS][8], int order) {
    static const char *text[SECTORS];
    for (int i = 0; i < SECTORS; i++) text[i] = names[i];
    jd_travelling_def d = jd_default_travelling();
    d.points = (jd_texts){SECTORS, text};
    d.amplitude = 1.3;
    d.frequency = jd_omega(2);
    d.phase = 0.4;
    d.order = order;
    return d;
}

static double modal_force(const jd_problem *p, int k) {
    const jd_system *y = jd_problem_system(p);
    return hypot(y->drive[0][k].hi, y->drive[1][k].hi);
}

// omega^2 = 3 + 2 - 2 cos(2 pi d/N) of d waves: only those of d = order (mod N) are driven.
static void an_order_moves_the_modes_of_its_own_number_of_waves(void **state) {
    (void)state;
    for (int order = -13; order <= 13; order++) {
        char names[SECTORS][8];
        jd_problem *p = ring(names);
        jd_travelling_def d = pattern(names, order);
        assert_int_equal(jd_problem_add_travelling(p, "wheel", &d), JD_OK);
        assert_int_equal(jd_problem_build(p), JD_OK);
        double own = 3 + 2 - 2 * cos(2 * acos(-1) * order / SECTORS), sum = 0;
        for (int k = 0; k < SECTORS; k++) {
            double w2 = jd_problem_system(p)->modal.omega2[k].hi, force = modal_force(p, k);
            if (fabs(w2 - own) > 1e-6) assert_near(force, 0, 1e-13); // measured 3e-15
            sum += force * force;
        }
        assert_near(sum, SECTORS, 1e-12); // the sum of |e^i phi_j|^2 over the points
        jd_problem_free(p);
    }
}

static int events_of(jd_problem *p, double *t) {
    jd_run *run;
    jd_step step = JD_STEP_EVENT;
    int n = 0;
    assert_int_equal(jd_run_create(context, p, &run), JD_OK);
    while (n < MOST) {
        assert_int_equal(jd_run_advance(run, 60, &step), JD_OK);
        if (step != JD_STEP_EVENT) break;
        t[n++] = jd_run_event(run)->t;
    }
    jd_run_free(run);
    jd_problem_free(p);
    return n;
}

static void add_contacts(jd_problem *p) {
    jd_contact_def c = jd_default_contact();
    jd_coulomb_def law = jd_default_coulomb();
    law.limit = 0.3;
    c.law = jd_coulomb_law(&law);
    c.at = jd_at("b1");
    assert_int_equal(jd_problem_add_contact(p, "one", &c), JD_OK);
    c.at = jd_at("b6");
    assert_int_equal(jd_problem_add_contact(p, "two", &c), JD_OK);
}

static void it_is_the_sum_of_its_forces(void **state) {
    (void)state;
    static double a[MOST], b[MOST];
    double worst = 0;
    for (int i = 0; i < how_many(12, 4); i++) {
        char names[SECTORS][8];
        double angle[SECTORS];
        seed = 40 + (unsigned)i;
        jd_problem *one = ring(names), *many = ring(names);
        jd_travelling_def d = pattern(names, pick(20) - 10);
        for (int j = 0; j < SECTORS; j++) angle[j] = mixed(-7, 7);
        if (i % 2) d.angles = (jd_reals){SECTORS, angle};
        d.frequency = jd_omega(mixed(1.5, 2.4));
        assert_int_equal(jd_problem_add_travelling(one, "wheel", &d), JD_OK);
        for (int j = 0; j < SECTORS; j++) {
            double at = i % 2 ? angle[j] : 2 * acos(-1) * j / SECTORS;
            jd_harmonic_def h = jd_default_harmonic();
            h.at = jd_at(names[j]);
            h.amplitude = d.amplitude;
            h.frequency = d.frequency;
            h.phase = d.phase - d.order * at;
            assert_int_equal(jd_problem_add_harmonic(many, names[j], &h), JD_OK);
        }
        add_contacts(one);
        add_contacts(many);
        int n = events_of(one, a);
        assert_int_equal(events_of(many, b), n);
        assert_true(n > 10);
        for (int k = 0; k < n; k++) worst = fmax(worst, fabs(a[k] - b[k]));
    }
    print_message("largest difference of an event: %.1e s of 60 s\n", worst);
    assert_near(worst, 0, 1e-10);
}

// Both parts follow the numbers of the drive, in copies too; engines of single bodies refuse.
static void its_numbers_are_those_of_both_parts(void **state) {
    (void)state;
    char names[SECTORS][8];
    jd_problem *p = ring(names), *copy;
    jd_travelling_def d = pattern(names, 2);
    assert_int_equal(jd_problem_add_travelling(p, "wheel", &d), JD_OK);
    assert_int_equal(jd_problem_set(p, "drives.wheel.frequency", 1.9, NULL), JD_OK);
    assert_int_equal(jd_problem_copy(context, p, &copy), JD_OK);
    assert_int_equal(jd_problem_set(copy, "drives.wheel.frequency", 1.7, NULL), JD_OK);
    assert_int_equal(jd_problem_build(p), JD_OK);
    assert_int_equal(jd_problem_build(copy), JD_OK);
    assert_int_equal(jd_problem_drives(copy), 2);
    for (int i = 0; i < 2; i++) {
        assert_near(jd_problem_drive_frequency(p, i), 1.9, 0);
        assert_near(jd_problem_drive_frequency(copy, i), 1.7, 0);
    }
    jd_problem_free(copy);
    jd_problem_free(p);
    p = ring(names);
    d.angles = (jd_reals){2, (double[]){0, 1}};
    assert_int_equal(jd_problem_add_travelling(p, "wheel", &d), JD_SIZE_MISMATCH);
    d = pattern(names, 2);
    d.points.text = (const char *const[]){"b0", "none"};
    d.points.n = 2;
    assert_int_equal(jd_problem_add_travelling(p, "wheel", &d), JD_OK);
    assert_int_equal(jd_problem_build(p), JD_UNKNOWN_NAME);
    jd_problem_free(p);
}

// The orbit under a pattern is that under its forces, each with its delay.
static void it_has_the_orbit_of_its_forces(void **state) {
    static const char *const drives[] = {
        "w: {type: travelling, points: [a, b, c], amplitude: 1, frequency: 0.5, order: 1}",
        "x: {at: a, type: harmonic, amplitude: 1, frequency: 0.5}, "
        "y: {at: b, type: harmonic, amplitude: 1, frequency: 0.5, phase: -2.0943951023931953}, "
        "z: {at: c, type: harmonic, amplitude: 1, frequency: 0.5, phase: -4.1887902047863905}"};
    double range[2], multiplier[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        char text[1200];
        jd_problem *p;
        jd_orbit *orbit;
        snprintf(text, sizeof text,
                 "judder: 1\nstructure: {type: chain, count: 3, mass: 1, stiffness: 1, points: {a: "
                 "{node: 1}, b: {node: 2}, c: {node: 3}}, damping: {type: ratio, value: 0.02}, "
                 "supports: {left: fixed, right: free}}\n"
                 "contacts: {rub: {at: a, law: {type: coulomb, limit: 0.2}}}\n"
                 "drives: {%s}\nstart: rest\n",
                 drives[i]);
        assert_int_equal(jd_model_parse(context, "m.yaml", ".", text, strlen(text), 0, NULL, &p),
                         JD_OK);
        if (jd_orbit_create(context, p, NULL, &orbit) != JD_OK)
            fail_msg("%s", jd_context_error(context)->message);
        const jd_orbit_view *v = jd_orbit_look(orbit);
        assert_true(v->found);
        range[i] = v->range[0].displacement.max;
        multiplier[i] = hypot(v->stability.multiplier[0], v->stability.multiplier[1]);
        jd_orbit_free(orbit);
        jd_problem_free(p);
    }
    assert_near(range[0], range[1], 1e-11);
    assert_near(multiplier[0], multiplier[1], 1e-10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_order_moves_the_modes_of_its_own_number_of_waves),
        cmocka_unit_test(it_is_the_sum_of_its_forces),
        cmocka_unit_test(its_numbers_are_those_of_both_parts),
        cmocka_unit_test(it_has_the_orbit_of_its_forces),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
