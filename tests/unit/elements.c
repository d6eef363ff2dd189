// elements.c -- laws as springs and sliders: their numbers, their rows, and what a path changes.
#include "base/arena.h"
#include "contact/law.h"
#include "model_case.h"
#include "problem/system.h"

static const char base[] =
    "judder: 1\n"
    "structure: {type: chain, count: 3, mass: 1, stiffness: 1,\n"
    "  points: {a: {node: 1}, b: {node: 2}, c: {node: 3}}}\n"
    "contacts:\n"
    "  joint: {at: a, law: {type: coulomb, limit: 1, static_limit: 1.3, stiffness: 20}}\n"
    "  table: {at: a, law: {type: iwan, limit: [0.1, 0.3], stiffness: [5, 4]}}\n"
    "  four: {at: a, law: {type: iwan, limit: 2, stiffness: 5, chi: -0.5, beta: 0.4}}\n"
    "  buffer: {at: b, law: {type: stop, preload: 3, stiffness: 100, damping: 2}}\n"
    "  wall: {at: b, law: {type: stop, gap: 0.2, restitution: 0.4, sides: both}}\n"
    "  pad: {at: {normal: c, tangential: b}, against: {velocity: 0.5}, law: {type: dry-contact,\n"
    "    coefficient: 0.4, static_coefficient: 0.5, normal_stiffness: 50, preload: 2,\n"
    "    normal_damping: 0.1, tangential_stiffness: 30}}\n"
    "  rigid: {at: {normal: b, tangential: a}, against: {normal: c, tangential: b},\n"
    "    law: {type: dry-contact, coefficient: 0.2, gap: 0.1, restitution: 0.3, impact: newton}}\n"
    "  ring: {at: a, law: {type: coulomb, coefficient: 0.3, normal: pad, stiffness: 10}}\n"
    "  swing: {at: a, law: {type: coulomb, limit: {mean: 2, amplitude: 0.5, frequency: 7,\n"
    "    phase: 0.1}}}\n"
    "  slope: {at: a, law: {type: affine, limit: 0.6, slope: 0.2}}\n";

static jd_element look(model_case *m, jd_arena *arena, const char *name, unsigned traits) {
    for (int i = 0; i < jd_problem_contacts(m->problem); i++) {
        const jd_object *o = jd_problem_contact(m->problem, i);
        if (strcmp(o->name, name) != 0) continue;
        const jd_contact_def *c = o->def;
        jd_element e;
        assert_int_equal(jd_law_element_of(arena, &c->law, &e), JD_OK);
        assert_int_equal(jd_law_traits(&c->law), traits);
        return e;
    }
    fail_msg("no contact %s", name);
    return (jd_element){0};
}

static void laws_are_springs_and_sliders(void **state) {
    model_case *m = *state;
    reads(m, base, NULL);
    jd_arena *a = jd_arena_create(m->context);
    jd_element e = look(m, a, "joint", JD_LAW_FRICTION | JD_LAW_STATIC | JD_LAW_SPRING);
    assert_true(e.sliders == 1 && e.limit[0] == 1 && e.hold[0] == 1.3 && e.stiffness[0] == 20);
    assert_true(e.source == JD_NORMAL_GIVEN && !e.normal && e.swing == 0);
    e = look(m, a, "table", JD_LAW_FRICTION | JD_LAW_SPRING | JD_LAW_PARALLEL);
    assert_true(e.sliders == 2 && e.limit[1] == 0.3 && e.hold[1] == 0.3 && e.stiffness[1] == 4);
    e = look(m, a, "buffer", JD_LAW_ELASTIC);
    assert_true(e.normal && e.gap == -0.03 && e.kn == 100 && e.cn == 2 && e.sliders == 0);
    e = look(m, a, "wall", JD_LAW_STOP);
    assert_true(e.normal && e.gap == 0.2 && e.kn == 0 && e.restitution == 0.4 && e.both);
    e = look(m, a, "pad",
             JD_LAW_FRICTION | JD_LAW_NORMAL | JD_LAW_ELASTIC | JD_LAW_STATIC | JD_LAW_SPRING);
    assert_true(e.source == JD_NORMAL_OWN && e.normal && e.gap == -0.04 && e.kn == 50);
    assert_true(e.limit[0] == 0.4 && e.hold[0] == 0.5 && e.stiffness[0] == 30 && e.cn == 0.1);
    e = look(m, a, "rigid", JD_LAW_FRICTION | JD_LAW_NORMAL | JD_LAW_STOP);
    assert_true(e.kn == 0 && e.restitution == 0.3 && e.impact == JD_IMPACT_NEWTON);
    assert_true(e.stiffness[0] == 0 && e.hold[0] == 0.2 && e.gap == 0.1);
    e = look(m, a, "ring", JD_LAW_FRICTION | JD_LAW_NORMAL | JD_LAW_SPRING);
    assert_true(e.source == JD_NORMAL_OTHER && !e.normal && e.limit[0] == 0.3);
    assert_string_equal(e.other, "pad");
    e = look(m, a, "swing", JD_LAW_FRICTION | JD_LAW_SWING);
    assert_true(e.limit[0] == 2 && e.swing == 0.25 && e.swing_omega == 7 && e.swing_phase == 0.1);
    e = look(m, a, "slope", JD_LAW_FRICTION | JD_LAW_SLOPE);
    assert_true(e.limit[0] == 0.6 && e.slope == 0.2 && e.stiffness[0] == 0);
    jd_arena_free(a);
}

// Stiffness and limit of all sliders are those of the distribution; under monotone load the force
// is below the exact one, and by no more than said. [segalman2005]: with x = u/phi_max,
//   F(u)/limit = x ((beta + 1) - x^(chi+1)/(chi+2))/(beta + (chi+1)/(chi+2))
static void four_parameters_become_sliders_with_the_error_told(void **state) {
    model_case *m = *state;
    static const struct {
        double chi, beta;
        int n;
    } cases[] = {{-0.5, 0.4, 20}, {-0.9, 0, 10}, {0, 1, 5}, {0, 0, 2}, {-0.2, 5, 200}, {2, 0.1, 9}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double chi = cases[k].chi, beta = cases[k].beta, F = 2, K = 5, K_sum = 0, F_sum = 0;
        jd_iwan_def d = jd_default_iwan();
        d.limit = (jd_reals){1, &F};
        d.stiffness = (jd_reals){1, &K};
        d.chi = chi;
        d.beta = beta;
        d.elements = cases[k].n;
        jd_object law = jd_iwan_law(&d);
        jd_arena *arena = jd_arena_create(m->context);
        jd_element e;
        assert_int_equal(jd_law_element_of(arena, &law, &e), JD_OK);
        assert_int_equal(e.sliders, cases[k].n);
        for (int i = 0; i < e.sliders; i++) {
            assert_true(e.limit[i] > 0 && e.stiffness[i] > 0);
            K_sum += e.stiffness[i];
            F_sum += e.limit[i];
        }
        assert_near(K_sum, K, 1e-14 * K * e.sliders);
        assert_near(F_sum, F, 1e-14 * F * e.sliders);
        char text[200];
        double said = 0, most = 0;
        jd_law_iwan.describe(&d, text, sizeof text);
        assert_int_equal(sscanf(strstr(text, "within"), "within %lg", &said), 1);
        double ratio = beta + (chi + 1) / (chi + 2), top = F * (1 + beta) / (K * ratio);
        for (int i = 1; i <= 20000; i++) {
            double x = i / 20000.0, sum = 0;
            double exact = F * x * ((beta + 1) - pow(x, chi + 1) / (chi + 2)) / ratio;
            for (int j = 0; j < e.sliders; j++) sum += fmin(e.limit[j], e.stiffness[j] * x * top);
            assert_true(sum > exact - 1e-12 * F);
            most = fmax(most, (sum - exact) / F);
        }
        print_message("chi %g, beta %g, %d sliders: said %.2g, is %.3g\n", chi, beta, e.sliders,
                      said, most);
        assert_true(most <= said && most > 0.8 * said); // said with two digits, rounded up
        jd_arena_free(arena);
    }
}

static void rows_are_those_of_the_two_directions(void **state) {
    model_case *m = *state;
    reads(m, base, NULL);
    const jd_system *y = jd_problem_system(m->problem);
    jd_dd a[3], b[3], c[3];
    assert_int_equal(jd_problem_row(m->problem, "a", a), JD_OK);
    assert_int_equal(jd_problem_row(m->problem, "b", b), JD_OK);
    assert_int_equal(jd_problem_row(m->problem, "c", c), JD_OK);
    for (int k = 0; k < 3; k++) {
        assert_near(y->contact[5][k].hi, b[k].hi, 0); // pad
        assert_near(y->normal[5][k].hi, c[k].hi, 0);
        assert_near(y->contact[6][k].hi, a[k].hi - b[k].hi, 1e-15); // rigid
        assert_near(y->normal[6][k].hi, b[k].hi - c[k].hi, 1e-15);
    }
    assert_null(y->normal[0]);
    assert_ptr_equal(y->normal[3], y->contact[3]);
    assert_null(y->normal[7]);
}

static void numbers_are_set_by_path_without_new_rows(void **state) {
    model_case *m = *state;
    static const struct {
        const char *path;
        double value;
    } set[] = {{"contacts.pad.law.coefficient", 0.3},     {"contacts.pad.law.preload", 5},
               {"contacts.ring.law.coefficient", 0.1},    {"contacts.table.law.limit.2", 0.7},
               {"contacts.four.law.chi", -0.3},           {"contacts.four.law.limit", 3},
               {"contacts.four.law.elements", 7},         {"contacts.swing.law.limit.mean", 3},
               {"contacts.swing.law.limit.amplitude", 1}, {"contacts.swing.law.limit", 2.5},
               {"contacts.buffer.law.stiffness", 10},     {"contacts.pad.against.velocity", -1}};
    reads(m, base, NULL);
    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        jd_rebuild level = JD_REBUILD_MODES;
        double back;
        assert_int_equal(jd_problem_set(m->problem, set[i].path, set[i].value, &level), JD_OK);
        assert_int_equal(level, JD_REBUILD_LAWS);
        assert_int_equal(jd_problem_get(m->problem, set[i].path, &back), JD_OK);
        assert_near(back, set[i].value, 0);
        assert_int_equal(jd_problem_build(m->problem), JD_OK);
    }
    double mean;
    assert_int_equal(jd_problem_get(m->problem, "contacts.swing.law.limit.mean", &mean), JD_OK);
    assert_near(mean, 2.5, 0); // the limit is its mean
    bool listed = false;
    const char *path;
    for (int i = 0; (path = jd_problem_path(m->problem, i)); i++) {
        listed |= !strcmp(path, "contacts.swing.law.limit.amplitude");
        assert_string_not_equal(path, "contacts.joint.law.limit.amplitude");
        assert_string_not_equal(path, "contacts.joint.law.coefficient");
        assert_string_not_equal(path, "contacts.wall.law.stiffness");
    }
    assert_true(listed);
    assert_int_equal(jd_problem_set(m->problem, "contacts.joint.law.coefficient", 0.2, NULL),
                     JD_OUT_OF_RANGE);
    assert_int_equal(jd_problem_set(m->problem, "contacts.pad.law.static_coefficient", 0.1, NULL),
                     JD_OUT_OF_RANGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(laws_are_springs_and_sliders),
        MODEL_TEST(four_parameters_become_sliders_with_the_error_told),
        MODEL_TEST(rows_are_those_of_the_two_directions),
        MODEL_TEST(numbers_are_set_by_path_without_new_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
