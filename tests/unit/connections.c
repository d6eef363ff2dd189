// connections.c -- springs and dashpots between points: two chains joined are one, a dashpot to the
// ground is the closed form, and what cannot be meant is refused.
#include "judder/run.h"
#include "model_case.h"
#include "problem/system.h"
#include "structure/modal.h"

#define PARTS                                                                                      \
    "judder: 1\n"                                                                                  \
    "bodies:\n"                                                                                    \
    "  a: {type: chain, count: 3, mass: [1, 2, 1.5], stiffness: [3, 2, 4], supports: {left: "      \
    "fixed, right: free}, damping: %s, points: {a1: {node: 1}, a3: {node: 3}}}\n"                  \
    "  b: {type: chain, count: 2, mass: [0.7, 1.2], stiffness: 5, supports: {left: free, right: "  \
    "free}, damping: %s, points: {b1: {node: 1}, b2: {node: 2}}}\n"                                \
    "connections:\n"                                                                               \
    "  link: {type: spring, at: a.a3, against: b.b1, stiffness: 2.5}\n%s"
#define WHOLE                                                                                      \
    "judder: 1\n"                                                                                  \
    "structure: {type: chain, count: 5, mass: [1, 2, 1.5, 0.7, 1.2], stiffness: [3, 2, 4, 2.5, "   \
    "5], supports: {left: fixed, right: free}, damping: %s, points: {a1: {node: 1}, a3: {node: "   \
    "3}, b1: {node: 4}, b2: {node: 5}}}\n"
#define REST                                                                                       \
    "contacts: {c: {at: b2, law: {type: coulomb, limit: 0.4}}, s: {at: a1, law: {type: stop, "     \
    "gap: 0.15, restitution: 0.6}}}\n"                                                             \
    "drives: {f: {at: a3, type: harmonic, amplitude: 1.3, frequency: 1.1}, g: {type: harmonic, "   \
    "of: base, amplitude: 0.2, frequency: 0.7}}\n"                                                 \
    "start: {type: state, displacement: [0.05, -0.1, 0.2, 0.1, 0], velocity: [0.3, 0, 0, 0, "      \
    "-0.2]}\nsimulate: {engine: exact, until: 20}\n"

enum { LOOKS = 100 };

// Displacements of four points over 20 s.
static void moves(model_case *m, const char *text, double u[LOOKS][4]) {
    static const char *const points[] = {"a1", "a3", "b1", "b2"};
    jd_run *run;
    int index[4];
    reads(m, text, NULL);
    if (jd_run_create(m->context, m->problem, &run) != JD_OK)
        fail_msg("%s", jd_context_error(m->context)->message);
    for (int i = 0; i < 4; i++) assert_int_equal(jd_run_probe(run, points[i], &index[i]), JD_OK);
    for (int k = 0; k < LOOKS; k++) {
        jd_step step = JD_STEP_EVENT;
        double t = 0.2 * (k + 1), place[4], speed[4];
        while (step == JD_STEP_EVENT) assert_int_equal(jd_run_advance(run, t, &step), JD_OK);
        assert_int_equal(step, JD_STEP_TIME);
        jd_run_observe(run, t, place, speed);
        for (int i = 0; i < 4; i++) u[k][i] = place[index[i]];
    }
    jd_run_free(run);
}

static double apart(double a[LOOKS][4], double b[LOOKS][4]) {
    double most = 0;
    for (int k = 0; k < LOOKS; k++)
        for (int i = 0; i < 4; i++) most = fmax(most, fabs(a[k][i] - b[k][i]));
    return most;
}

static void two_chains_joined_by_a_spring_are_one_chain(void **state) {
    model_case *m = *state;
    char text[2000];
    double one[LOOKS][4], two[LOOKS][4], omega[5];
    snprintf(text, sizeof text, WHOLE REST, "none");
    moves(m, text, one);
    for (int k = 0; k < 5; k++) omega[k] = sqrt(jd_problem_system(m->problem)->modal.omega2[k].hi);
    snprintf(text, sizeof text, PARTS REST, "none", "none", "");
    moves(m, text, two);
    for (int k = 0; k < 5; k++)
        assert_near(sqrt(jd_problem_system(m->problem)->modal.omega2[k].hi), omega[k], 1e-15 * 3);
    print_message("off by %.1e\n", apart(one, two));
    assert_true(apart(one, two) < 1e-12);
}

// Rayleigh damping is that of the bodies; with a dashpot beside the spring it is that of the whole.
static void a_dashpot_beside_the_spring_completes_rayleigh_damping(void **state) {
    model_case *m = *state;
    char text[2000];
    double one[LOOKS][4], two[LOOKS][4];
    const char *law = "{type: rayleigh, mass: 0.05, stiffness: 0.02}";
    snprintf(text, sizeof text, WHOLE REST, law);
    moves(m, text, one);
    snprintf(text, sizeof text, PARTS REST, law, law,
             "  loss: {type: dashpot, at: b.b1, against: a.a3, damping: 0.05}\n");
    moves(m, text, two);
    print_message("off by %.1e\n", apart(one, two));
    assert_true(apart(one, two) < 1e-11);
}

// m x'' + d x' + k x = 0 with x = 1, v = 0: below, at and above critical damping.
static void a_dashpot_to_the_ground_is_the_closed_form(void **state) {
    model_case *m = *state;
    static const double dampings[] = {0.3, 2, 5};
    for (int i = 0; i < 3; i++) {
        double d = dampings[i], t = 1.7, x, v;
        char text[1000];
        snprintf(text, sizeof text,
                 "judder: 1\nstructure: {type: chain, count: 1, mass: 1, stiffness: 1, supports: "
                 "{left: fixed, right: free}, points: {a1: {node: 1}}}\nconnections: {d: {type: "
                 "dashpot, at: a1, damping: %.17g}}\nstart: {type: state, displacement: [1]}\n"
                 "simulate: {engine: exact, until: 2}\n",
                 d);
        reads(m, text, NULL);
        jd_run *run;
        int index;
        jd_step step;
        assert_int_equal(jd_run_create(m->context, m->problem, &run), JD_OK);
        assert_int_equal(jd_run_probe(run, "a1", &index), JD_OK);
        assert_int_equal(jd_run_advance(run, t, &step), JD_OK);
        jd_run_observe(run, t, &x, &v);
        double a = d / 2, w = sqrt(fabs(1 - a * a)), exact;
        if (d < 2)
            exact = exp(-a * t) * (cos(w * t) + a / w * sin(w * t));
        else if (d > 2)
            exact = exp(-a * t) * (cosh(w * t) + a / w * sinh(w * t));
        else
            exact = exp(-t) * (1 + t);
        assert_near(x, exact, 1e-12);
        jd_run_free(run);
    }
}

// A spring at a point of a beam: 1 + k sum phi_k^2/(omega_k^2 - lambda) = 0 for every mode.
static void a_spring_on_a_beam_solves_the_secular_equation(void **state) {
    model_case *m = *state;
    static const char text[] =
        "judder: 1\nstructure: {type: beam, length: 1, bending_stiffness: 1, mass_per_length: 1, "
        "modes: 30, supports: {left: clamped, right: free}, points: {tip: 1, mid: 0.4}}\n%s";
    char all[600];
    jd_dd row[30];
    double own[30], k = 40;
    snprintf(all, sizeof all, text, "");
    reads(m, all, NULL);
    assert_int_equal(jd_problem_row(m->problem, "tip", row), JD_OK);
    for (int i = 0; i < 30; i++) own[i] = jd_problem_system(m->problem)->modal.omega2[i].hi;
    snprintf(all, sizeof all, text, "connections: {k: {type: spring, at: tip, stiffness: 40}}\n");
    reads(m, all, NULL);
    const jd_modal *modal = &jd_problem_system(m->problem)->modal;
    for (int i = 0; i < 30; i++) {
        double sum = 1, size = 1, x = modal->omega2[i].hi;
        for (int j = 0; j < 30; j++) {
            double term = k * row[j].hi * row[j].hi / (own[j] - x);
            sum += term;
            size += fabs(term) * (1 + x / fabs(own[j] - x));
        }
        assert_true(fabs(sum) < 1e-14 * size);
        assert_true(x > own[i] && (i == 29 || x < own[i + 1]));
    }
}

// What the modes left out would change is not known: no error is stated. All modes kept: it is.
static void common_modes_of_a_part_of_the_modes_state_no_error(void **state) {
    model_case *m = *state;
    jd_mode list[8];
    char text[2000];
    snprintf(text, sizeof text, PARTS, "none", "none", "");
    reads(m, text, NULL);
    assert_int_equal(jd_modal_list(m->context, &jd_problem_system(m->problem)->modal, list), JD_OK);
    for (int k = 0; k < 5; k++) assert_true(list[k].error < 1e-13);
    reads(m,
          "judder: 1\nstructure: {type: beam, length: 1, bending_stiffness: 1, mass_per_length: 1, "
          "modes: 8, supports: {left: clamped, right: free}, points: {tip: 1}}\n"
          "connections: {k: {type: spring, at: tip, stiffness: 40}}\n",
          NULL);
    assert_int_equal(jd_modal_list(m->context, &jd_problem_system(m->problem)->modal, list), JD_OK);
    for (int k = 0; k < 8; k++) assert_true(isnan(list[k].error));
}

static void rigid_body_motion_stays_one(void **state) {
    model_case *m = *state;
    reads(m,
          "judder: 1\nbodies:\n  a: {type: chain, count: 2, mass: 1, stiffness: 1, supports: "
          "{left: free, right: free}, points: {p: {node: 1}, q: {node: 2}}}\n  b: {type: chain, "
          "count: 3, mass: 2, stiffness: 1, supports: {left: free, right: free}, points: {p: "
          "{node: 1}, q: {node: 3}}}\nconnections:\n  one: {type: spring, at: a.p, against: b.p, "
          "stiffness: 1}\n  two: {type: spring, at: a.q, against: b.q, stiffness: 3}\n",
          NULL);
    const jd_modal *modal = &jd_problem_system(m->problem)->modal;
    assert_true(modal->omega2[0].hi == 0 && modal->omega2[0].lo == 0);
    for (int k = 1; k < 5; k++) assert_true(modal->omega2[k].hi > 0.1);
    jd_dd p[5], q[5];
    assert_int_equal(jd_problem_row(m->problem, "a.p", p), JD_OK);
    assert_int_equal(jd_problem_row(m->problem, "b.q", q), JD_OK);
    assert_near(fabs(p[0].hi), 1 / sqrt(8.0), 1e-15); // all masses move alike
    assert_near(p[0].hi, q[0].hi, 1e-15);
}

static void stiffness_is_set_by_path_and_makes_new_modes(void **state) {
    model_case *m = *state;
    char text[2000];
    snprintf(text, sizeof text, PARTS, "none", "none", "");
    reads(m, text, NULL);
    jd_rebuild level;
    assert_int_equal(jd_problem_set(m->problem, "connections.link.stiffness", 7, &level), JD_OK);
    assert_int_equal(level, JD_REBUILD_MODES);
    assert_int_equal(jd_problem_build(m->problem), JD_OK);
    double set[5];
    for (int k = 0; k < 5; k++) set[k] = jd_problem_system(m->problem)->modal.omega2[k].hi;
    jd_problem *copy;
    assert_int_equal(jd_problem_copy(m->context, m->problem, &copy), JD_OK);
    assert_int_equal(jd_problem_build(copy), JD_OK);
    for (int k = 0; k < 5; k++) assert_near(jd_problem_system(copy)->modal.omega2[k].hi, set[k], 0);
    jd_problem_free(copy);
    reads(m, text, "connections.link.stiffness=7");
    for (int k = 0; k < 5; k++)
        assert_near(jd_problem_system(m->problem)->modal.omega2[k].hi, set[k], 0);
    assert_int_equal(jd_problem_set(m->problem, "connections.link.stiffness", -1, NULL),
                     JD_OUT_OF_RANGE);
    reads(m, text, "connections.link.stiffness=0"); // not joined
    assert_near(jd_problem_system(m->problem)->modal.omega2[0].hi, 0, 0);
}

#define ONE(connection)                                                                            \
    "judder: 1\nstructure: {type: chain, count: 2, mass: 1, stiffness: 1, points: {a: {node: 1}, " \
    "b: {node: 2}}}\nconnections: {k: {" connection "}}\n"
#define ROD                                                                                        \
    "judder: 1\nstructure: {type: rod, length: 1, axial_stiffness: 1, mass_per_length: 1, modes: " \
    "%s, points: {held: 0, a: 0.5}}\nconnections: {k: {type: spring, at: %s, stiffness: 1}}\n"

static void connections_that_cannot_be_meant(void **state) {
    char text[1000];
    refuses(*state, ONE("type: spring, at: a, stiffness: -1"), NULL, JD_OUT_OF_RANGE, "m.yaml:3:51",
            "`stiffness` is -1", "two points");
    refuses(*state, ONE("type: spring, at: a"), NULL, JD_MISSING_KEY, "m.yaml:3:15",
            "`stiffness` is missing", "N/m");
    refuses(*state, ONE("type: dashpot, at: a, damping: -1"), NULL, JD_OUT_OF_RANGE, "m.yaml:3:50",
            "`damping` is -1", "");
    refuses(*state, ONE("type: spring, at: c, stiffness: 1"), NULL, JD_UNKNOWN_NAME, "m.yaml:3:37",
            "no point named `c`", "a, b");
    refuses(*state, ONE("type: spring, at: a, against: a, stiffness: 1"), NULL, JD_NOT_SUPPORTED,
            "m.yaml:3:18", "the connection `k` is at a place that no mode moves", "move alike");
    refuses(*state, ONE("type: spring, at: a, against: {velocity: 1}, stiffness: 1"), NULL,
            JD_WRONG_TYPE, "m.yaml:3:60", "not against a body with a `velocity`", "ground");
    refuses(*state, ONE("type: spring, at: {span: [0, 1]}, stiffness: 1"), NULL, JD_WRONG_TYPE,
            "m.yaml:3:44", "`span` is given", "point");
    refuses(*state, ONE("type: spring, at: {normal: a, tangential: b}, stiffness: 1"), NULL,
            JD_WRONG_TYPE, "m.yaml:3:46", "`normal` is given", "each direction");
    refuses(*state, ONE("type: damper, at: a, damping: 1"), NULL, JD_UNKNOWN_NAME, "m.yaml:3:25",
            "unknown type `damper`", "spring");
    refuses(*state, ONE("type: spring, at: a, stiffness: 1e50"), NULL, JD_OUT_OF_RANGE,
            "m.yaml:3:18", "more than numbers can hold together", "softer");
    refuses(*state, ONE("type: dashpot, at: a, damping: 1e18"), NULL, JD_OUT_OF_RANGE,
            "m.yaml:3:18", "more than numbers can hold together", "softer");
    reads(*state, ONE("type: spring, at: a, stiffness: 1e20"), NULL);
    snprintf(text, sizeof text, ROD, "4", "held");
    refuses(*state, text, NULL, JD_NOT_SUPPORTED, "m.yaml:3:18", "no mode moves", "support");
    snprintf(text, sizeof text, ROD, "infinite", "a");
    refuses(*state, text, NULL, JD_NOT_SUPPORTED, "m.yaml:3:14",
            "connections need bodies with a number of modes", "modes");
}

static void engines_with_modes_of_bodies_refuse_by_name(void **state) {
    model_case *m = *state;
    static const char *const names[] = {"memory", "closure", "convolution",
                                        "wave",   "taylor",  "mode-matching"};
    for (int i = 0; i < 6; i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 ONE("type: spring, at: a, stiffness: 1") "contacts: {c: {at: a, law: {type: "
                                                          "coulomb, limit: 1}}}\nsimulate: "
                                                          "{engine: %s, until: 1}\n",
                 names[i]);
        reads(m, text, NULL);
        jd_run *run;
        assert_int_equal(jd_run_create(m->context, m->problem, &run), JD_NOT_SUPPORTED);
        says("message", jd_context_error(m->context)->message, "`connections`");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(two_chains_joined_by_a_spring_are_one_chain),
        MODEL_TEST(a_dashpot_beside_the_spring_completes_rayleigh_damping),
        MODEL_TEST(a_dashpot_to_the_ground_is_the_closed_form),
        MODEL_TEST(a_spring_on_a_beam_solves_the_secular_equation),
        MODEL_TEST(common_modes_of_a_part_of_the_modes_state_no_error),
        MODEL_TEST(rigid_body_motion_stays_one),
        MODEL_TEST(stiffness_is_set_by_path_and_makes_new_modes),
        MODEL_TEST(connections_that_cannot_be_meant),
        MODEL_TEST(engines_with_modes_of_bodies_refuse_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
