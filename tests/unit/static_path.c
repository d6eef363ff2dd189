// static_path.c -- equilibrium with springs, sliders and normal forces along the path of loads:
// exact fractions, the load that grows and turns, wedging, and what cannot be held.
#include "base/arena.h"
#include "model_case.h"
#include "problem/contacts/rest.h"
#include "problem/initial.h"
#include "problem/system.h"

#define CHAIN                                                                                      \
    "judder: 1\nstructure: {type: chain, count: 3, mass: 1, stiffness: 1, supports: {left: "       \
    "fixed, right: fixed}, points: {a: {node: 1}, b: {node: 2}, c: {node: 3}}}\n"

static double at(model_case *m, const char *point, const double *q) {
    jd_dd row[3];
    double sum = 0;
    assert_int_equal(jd_problem_row(m->problem, point, row), JD_OK);
    for (int k = 0; k < jd_problem_system(m->problem)->modal.n; k++) sum += row[k].hi * q[k];
    return sum;
}

static void elastic_stops_share_the_load(void **state) {
    model_case *m = *state;
    double q[3], rate[3];
    // -x3 <= 0 of the reference: the lower side of the third stop
    reads(m,
          CHAIN "contacts:\n"
                "  one: {at: a, law: {type: stop, gap: 0.2, stiffness: 10}}\n"
                "  two: {at: b, law: {type: stop, gap: 0.1, stiffness: 10}}\n"
                "  three: {at: c, law: {type: stop, gap: 1e-30, stiffness: 10, sides: both}}\n"
                "drives: {p: {at: a, type: constant, value: 1}, r: {at: b, type: constant, value: "
                "0.5}, s: {at: c, type: constant, value: -0.3}}\nstart: static\n",
          NULL);
    assert_int_equal(jd_problem_initial(m->problem, q, rate), JD_OK);
    assert_near(at(m, "a", q), 1489.0 / 5680, 1e-15);
    assert_near(at(m, "b", q), 207.0 / 1420, 1e-15);
    assert_near(at(m, "c", q), -73.0 / 5680, 1e-15);
}

static void goes(model_case *m, jd_rest *rest, const char *point, double value, double *q) {
    jd_dd row[8];
    double load[8];
    assert_int_equal(jd_problem_row(m->problem, point, row), JD_OK);
    for (int k = 0; k < rest->n; k++) load[k] = row[k].hi * value;
    if (jd_rest_go(rest, load) != JD_OK) fail_msg("%s", jd_context_error(m->context)->message);
    jd_rest_coordinates(rest, q);
}

// 0 -> 3 -> -3 -> 0 on the second mass; all events are ties of both contacts.
static void sliders_remember_the_load(void **state) {
    model_case *m = *state;
    static const struct {
        double load, x[3], T;
        int state;
    } turns[] = {{1.0999999, {0, 0, 0}, 0, 0},
                 {3, {1, 2, 1}, 1, 1},
                 {-3, {-1, -2, -1}, -1, -1},
                 {0, {-0.5, -1, -0.5}, 1, 1}};
    double q[3];
    reads(m,
          CHAIN "contacts:\n  one: {at: a, law: {type: coulomb, limit: 1, stiffness: 20}}\n"
                "  two: {at: b, against: a, law: {type: coulomb, limit: 1, stiffness: 20}}\n",
          NULL);
    jd_arena *arena = jd_arena_create(m->context);
    jd_rest *rest;
    assert_int_equal(jd_rest_create(arena, m->problem, &rest), JD_OK);
    for (int i = 0; i < 4; i++) {
        goes(m, rest, "b", turns[i].load, q);
        for (int j = 0; j < 2; j++) assert_int_equal(rest->slider[j].state, turns[i].state);
        if (i == 0) continue;
        assert_near(at(m, "a", q), turns[i].x[0], 1e-14);
        assert_near(at(m, "b", q), turns[i].x[1], 1e-14);
        assert_near(at(m, "c", q), turns[i].x[2], 1e-14);
        for (int j = 0; j < 2; j++) assert_near(rest->slider[j].T, turns[i].T, 1e-14);
    }
    jd_arena_free(arena);
}

// Two modes of K = (ktt, ktn; ktn, knn) with unit masses, as a model; x tangential, y normal.
static void two_modes(char *text, size_t size, double ktt, double ktn, double knn,
                      const char *law) {
    double middle = (ktt + knn) / 2, half = (ktt - knn) / 2, root = hypot(half, ktn);
    double low = middle - root, high = middle + root, angle = atan2(ktn, half) / 2;
    snprintf(text, size,
             "judder: 1\nstructure: {type: modes, omega: [%.17g, %.17g], shapes: {x: [%.17g, "
             "%.17g], y: [%.17g, %.17g]}}\ncontacts: {k: {at: {normal: y, tangential: x}, law: "
             "{type: dry-contact, %s}}}\n",
             sqrt(low), sqrt(high), -sin(angle), cos(angle), cos(angle), sin(angle), law);
}

// A normal load, then a tangential one until the contact slips forward.
static void friction_follows_the_normal_force(void **state) {
    model_case *m = *state;
    static const struct {
        double ktn, x[2], N, T, Q, slips[2], N_slips, T_slips;
        int path;
    } cases[] = {{1,
                  {-1. / 11, 6. / 11},
                  8. / 11,
                  -4. / 11,
                  39. / 44,
                  {1. / 22, 21. / 44},
                  7. / 11,
                  7. / 22,
                  -1},
                 {0.25,
                  {-4. / 223, 112. / 223},
                  448. / 669,
                  -20. / 223,
                  71. / 122,
                  {4. / 61, 30. / 61},
                  40. / 61,
                  20. / 61,
                  0}};
    for (int i = 0; i < 2; i++) {
        char text[1000];
        double q[2], load[2];
        jd_dd x[2], y[2];
        two_modes(text, sizeof text, 2, cases[i].ktn, 2. / 3,
                  "coefficient: 0.5, gap: 0, normal_stiffness: 1.3333333333333333, "
                  "tangential_stiffness: 5");
        reads(m, text, NULL);
        jd_arena *arena = jd_arena_create(m->context);
        jd_rest *rest;
        assert_int_equal(jd_rest_create(arena, m->problem, &rest), JD_OK);
        goes(m, rest, "y", 1, q);
        assert_int_equal(rest->slider[0].state, cases[i].path);
        assert_near(at(m, "x", q), cases[i].x[0], 1e-14);
        assert_near(at(m, "y", q), cases[i].x[1], 1e-14);
        assert_near(rest->normal[0].N, cases[i].N, 1e-14);
        assert_near(rest->slider[0].T, cases[i].T, 1e-14);
        jd_problem_row(m->problem, "x", x);
        jd_problem_row(m->problem, "y", y);
        for (int step = 0; step < 2; step++) { // just before it slips, and just after
            double Q = cases[i].Q * (step ? 1 + 1e-13 : 1 - 1e-13);
            for (int k = 0; k < 2; k++) load[k] = y[k].hi + Q * x[k].hi;
            assert_int_equal(jd_rest_go(rest, load), JD_OK);
            assert_int_equal(rest->slider[0].state, step);
            jd_rest_coordinates(rest, q);
            assert_near(at(m, "x", q), cases[i].slips[0], 1e-12);
            assert_near(at(m, "y", q), cases[i].slips[1], 1e-12);
            assert_near(rest->normal[0].N, cases[i].N_slips, 1e-12);
            assert_near(rest->slider[0].T, cases[i].T_slips, 1e-12);
        }
        jd_arena_free(arena);
    }
}

// Equilibrium of any path: forces balance, laws hold. Random loads, contacts of every kind.
static void every_path_ends_in_an_equilibrium_of_its_laws(void **state) {
    model_case *m = *state;
    unsigned seed = 7;
    int slid = 0, opened = 0;
    reads(
        m,
        CHAIN
        "contacts:\n"
        "  joint: {at: a, law: {type: coulomb, limit: 0.2, static_limit: 0.3, stiffness: 3}}\n"
        "  many: {at: c, against: b, law: {type: iwan, limit: [0.1, 0.2, 0.05], stiffness: [1, 4, "
        "2]}}\n"
        "  stop: {at: b, law: {type: stop, gap: 0.1, stiffness: 5}}\n"
        "  hard: {at: c, law: {type: stop, gap: 0.4, restitution: 0, sides: both}}\n"
        "  pad: {at: {normal: c, tangential: a}, law: {type: dry-contact, coefficient: 0.3, "
        "static_coefficient: 0.4, preload: 0.2, normal_stiffness: 4, tangential_stiffness: 6}}\n"
        "  ring: {at: b, law: {type: coulomb, coefficient: 0.2, normal: stop}}\n",
        NULL);
    for (int run = 0; run < 200; run++) {
        jd_arena *arena = jd_arena_create(m->context);
        jd_rest *s;
        assert_int_equal(jd_rest_create(arena, m->problem, &s), JD_OK);
        for (int step = 0; step < 8; step++) {
            double load[3], q[3];
            for (int k = 0; k < 3; k++) {
                seed = seed * 1664525u + 1013904223u;
                load[k] = 3 * ((seed >> 8) / 16777216.0 - 0.5);
            }
            if (jd_rest_go(s, load) != JD_OK) fail_msg("%s", jd_context_error(m->context)->message);
            jd_rest_coordinates(s, q);
            for (int b = 0; b < s->n_row; b++) { // the rates added up to this equilibrium
                double u = 0;
                for (int k = 0; k < 3; k++) u += s->row[b][k].hi * q[k];
                assert_near(s->u[b], u, 1e-12);
            }
            for (int a = 0; a < s->n_normal; a++) {
                const jd_rest_normal *n = &s->normal[a];
                double p = n->side * s->u[n->row] - n->gap;
                assert_near(n->N, n->kn > 0 ? n->kn * fmax(p, 0) : n->N, 1e-12);
                assert_true(n->N >= -1e-13 && (n->kn > 0 || p < 1e-12));
                if (!n->closed) assert_true(n->N == 0 && p < 1e-12);
                opened += !n->closed;
            }
            for (int j = 0; j < s->n_slider; j++) {
                const jd_rest_slider *d = &s->slider[j];
                double N = d->pressed < 0 ? 1 : s->normal[d->pressed].N;
                if (d->state == JD_REST_FREE) assert_true(d->T == 0);
                if (d->state == 0) assert_true(fabs(d->T) <= d->hold * N + 1e-12);
                if (abs(d->state) == 1) {
                    assert_near(d->T, d->state * d->limit * N, 1e-12);
                    slid++;
                }
            }
        }
        jd_arena_free(arena);
    }
    print_message("%d slide, %d open at the ends\n", slid, opened);
    assert_true(slid > 500 && opened > 500);
}

static void a_start_settles_where_contacts_are_preloaded(void **state) {
    model_case *m = *state;
    double q[3], rate[3], T[1];
    static const char text[] =
        CHAIN "contacts: {pad: {at: {normal: c, tangential: a}, law: {type: dry-contact, "
              "coefficient: 0.3, preload: 2, normal_stiffness: 4, tangential_stiffness: 6}}}\n";
    reads(m, text, NULL);
    assert_int_equal(jd_problem_initial(m->problem, q, rate), JD_OK);
    assert_int_equal(jd_problem_initial_sliders(m->problem, T), JD_OK);
    double x[3] = {at(m, "a", q), at(m, "b", q), at(m, "c", q)}, N = 2 + 4 * x[2];
    assert_near(2 * x[0] - x[1] + T[0], 0, 1e-15);
    assert_near(2 * x[1] - x[0] - x[2], 0, 1e-15);
    assert_near(2 * x[2] - x[1] + N, 0, 1e-15);
    assert_true(N > 0.5 && fabs(T[0]) > 0.1);
    char rest[600];
    snprintf(rest, sizeof rest, "%sstart: rest\n", text);
    reads(m, rest, NULL);
    assert_int_equal(jd_problem_initial(m->problem, q, rate), JD_OK);
    assert_near(fabs(q[0]) + fabs(q[1]) + fabs(q[2]), 0, 0);
}

// Where a span's profile is 0 nothing rubs: those cells have no slider, and no number.
static void cells_without_friction_have_no_slider_forces(void **state) {
    model_case *m = *state;
#define PROFILED(profile, force)                                                                   \
    "judder: 1\nstructure: {type: rod, length: 1, axial_stiffness: 1, mass_per_length: 1, modes: " \
    "6, supports: {left: fixed, right: free}, points: {tip: 1}}\n"                                 \
    "contacts: {shaft: {at: {span: [0, 1]}, cells: 4, law: {type: coulomb, limit: 1, stiffness: "  \
    "8, profile: " profile "}}}\n"                                                                 \
    "start: {type: state, of: modes, displacement: [0, 0, 0, 0, 0, 0], force: {shaft: " force      \
    "}}\n"                                                                                         \
    "simulate: {engine: series, until: 1}\n"
    static const struct { // limits of the cells: 0, 0, 1/4, 1/2; 1/2, 1/4, 0, 0; 1/8, 0, 0, 1/8
        const char *profile;
        double limit[2];
    } of[] = {{"{at: [0, 0.5, 0.75, 1], factor: [0, 0, 2, 2]}", {0.25, 0.5}},
              {"{at: [0, 0.25, 0.5, 1], factor: [2, 2, 0, 0]}", {0.5, 0.25}},
              {"{at: [0, 0.25, 0.75, 1], factor: [1, 0, 0, 1]}", {0.125, 0.125}}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        double T[4] = {0}, first = 0.9 * of[i].limit[0], second = 0.9 * of[i].limit[1];
        char text[1200], force[100], most[100];
        snprintf(force, sizeof force, "[%.17g, %.17g]", first, -second);
        snprintf(text, sizeof text, PROFILED("%s", "%s"), of[i].profile, force);
        reads(m, text, NULL);
        assert_int_equal(jd_problem_initial_sliders(m->problem, T), JD_OK);
        assert_true(T[0] == -first && T[1] == second);
        snprintf(text, sizeof text, PROFILED("%s", "[0, 0, 0, 0]"), of[i].profile);
        assert_int_equal(model_parse(m, text, NULL), JD_SIZE_MISMATCH);
        says("message", jd_context_error(m->context)->message, "which has 2 sliders");
        snprintf(force, sizeof force, "[0, %.17g]", 1.1 * of[i].limit[1]);
        snprintf(most, sizeof most, "holds at most %.10g", of[i].limit[1]);
        snprintf(text, sizeof text, PROFILED("%s", "%s"), of[i].profile, force);
        assert_int_equal(model_parse(m, text, NULL), JD_OUT_OF_RANGE);
        says("message", jd_context_error(m->context)->message, most);
    }
}

static void a_start_gives_slider_forces(void **state) {
    model_case *m = *state;
    double T[4];
#define GIVEN(force)                                                                               \
    CHAIN "contacts:\n"                                                                            \
          "  one: {at: a, law: {type: coulomb, limit: 1, stiffness: 20}}\n"                        \
          "  many: {at: b, law: {type: iwan, limit: [0.1, 0.2], stiffness: [1, 4]}}\n"             \
          "  pad: {at: {normal: c, tangential: b}, law: {type: dry-contact, coefficient: 0.5, "    \
          "gap: 0.1, normal_stiffness: 10}}\n"                                                     \
          "start: {type: state, displacement: [0, 0, %s], force: {" force "}}\n"
    char text[1000];
    snprintf(text, sizeof text, GIVEN("one: 0.5, many: [0.1, -0.2], pad: -0.4"), "0.2");
    reads(m, text, NULL);
    assert_int_equal(jd_problem_initial_sliders(m->problem, T), JD_OK);
    assert_true(T[0] == -0.5 && T[1] == -0.1 && T[2] == 0.2 && T[3] == 0.4);
    double back;
    assert_int_equal(jd_problem_set(m->problem, "start.force.one", 0.25, NULL), JD_OK);
    assert_int_equal(jd_problem_get(m->problem, "start.force.one", &back), JD_OK);
    assert_int_equal(jd_problem_build(m->problem), JD_OK);
    assert_int_equal(jd_problem_initial_sliders(m->problem, T), JD_OK);
    assert_true(back == 0.25 && T[0] == -0.25);
    static const struct {
        jd_status status;
        const char *force, *c, *message;
    } bad[] = {
        {JD_OUT_OF_RANGE, "one: 1.1", "0",
         "`force` gives the contact `one` 1.1, but it holds at most 1"},
        {JD_OUT_OF_RANGE, "pad: 0.6", "0.2", "holds at most 0.5"},
        {JD_OUT_OF_RANGE, "pad: 0.1", "0.05", "the contact `pad` is open at the start"},
        {JD_SIZE_MISMATCH, "many: 0.1", "0", "gives 1 numbers for the contact `many`, which has 2"},
        {JD_UNKNOWN_NAME, "none: 0.1", "0", "names `none`, which is no contact"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(text, sizeof text, GIVEN("%s"), bad[i].c, bad[i].force);
        assert_int_equal(model_parse(m, text, NULL), bad[i].status);
        says("message", jd_context_error(m->context)->message, bad[i].message);
        says("place", jd_context_error(m->context)->where, "m.yaml:7:");
        assert_true(jd_context_error(m->context)->hint[0] != 0);
    }
}

static void a_rigid_contact_is_not_penetrated(void **state) {
    refuses(*state,
            CHAIN "contacts: {k: {at: {normal: c, tangential: b}, law: {type: dry-contact, "
                  "coefficient: 0.5, gap: 0.1, restitution: 0}}}\nstart: {type: state, "
                  "displacement: [0, 0, 0.2]}\n",
            NULL, JD_OUT_OF_RANGE, "m.yaml:4:8", "penetrates the rigid contact `k` by 0.1",
            "normal_stiffness");
}

static jd_status settles(model_case *m, const char *text) {
    double q[4], rate[4];
    reads(m, text, NULL);
    return jd_problem_initial(m->problem, q, rate);
}

// Wedging: c_nn + 1/kn - mu |c_nt| = 0 with c = K^-1; below it there is an equilibrium.
static void a_wedged_contact_is_named(void **state) {
    model_case *m = *state;
    double ktt = 2, ktn = 1, knn = 2. / 3, kn = 4. / 3, det = ktt * knn - ktn * ktn;
    double edge = (ktt / det + 1 / kn) / (ktn / det);
    for (int i = 0; i < 2; i++) {
        char text[1000], law[200];
        // pushed tangentially so that it slides in the direction that wedges
        snprintf(law, sizeof law, "coefficient: %.17g, gap: 0, normal_stiffness: %.17g",
                 edge * (i ? 1.01 : 0.99), kn);
        two_modes(text, sizeof text, ktt, ktn, knn, law);
        snprintf(
            text + strlen(text), sizeof text - strlen(text),
            "drives: {p: {at: x, type: constant, value: %s}, r: {at: y, type: constant, value: "
            "0.2}}\nstart: static\n",
            "10");
        jd_status got = settles(m, text);
        print_message("mu %.3f of %.3f: %s\n", edge * (i ? 1.01 : 0.99), edge,
                      got ? jd_context_error(m->context)->message : "settles");
        if (i == 0) assert_int_equal(got, JD_OK);
        if (i == 0) continue;
        assert_int_equal(got, JD_NOT_SUPPORTED);
        says("message", jd_context_error(m->context)->message, "the contact `k` is wedged");
    }
}

#define FREE                                                                                       \
    "judder: 1\nstructure: {type: chain, count: 2, mass: 1, stiffness: 1, supports: {left: free, " \
    "right: free}, points: {a: {node: 1}, b: {node: 2}}}\n"

static void a_free_body_rests_on_its_contacts_or_is_refused(void **state) {
    model_case *m = *state;
    double q[2], rate[2];
#define PUSH "drives: {p: {at: a, type: constant, value: 3}}\nstart: static\n"
    reads(m, FREE "contacts: {k: {at: b, law: {type: stop, gap: 0, stiffness: 10}}}\n" PUSH, NULL);
    assert_int_equal(jd_problem_initial(m->problem, q, rate), JD_OK);
    assert_near(at(m, "b", q), 0.3, 1e-14);
    assert_near(at(m, "a", q), 3.3, 1e-14);
    assert_int_equal(settles(m, FREE "contacts: {k: {at: b, law: {type: stop, gap: 0.1, stiffness: "
                                     "10}}}\n" PUSH),
                     JD_NOT_SUPPORTED);
    says("message", jd_context_error(m->context)->message, "no closed contact holds");
    assert_int_equal(
        settles(m, FREE "contacts: {k: {at: b, against: a, law: {type: stop, gap: 0, stiffness: "
                        "10}}}\n" PUSH),
        JD_NOT_SUPPORTED);
    // friction holds it too, as far as it can
    reads(m, FREE "contacts: {k: {at: b, law: {type: coulomb, limit: 4, stiffness: 10}}}\n" PUSH,
          NULL);
    assert_int_equal(jd_problem_initial(m->problem, q, rate), JD_OK);
    assert_near(at(m, "b", q), 0.3, 1e-14);
    assert_int_equal(settles(m, FREE "contacts: {k: {at: b, law: {type: coulomb, limit: 2, "
                                     "stiffness: 10}}}\n" PUSH),
                     JD_NOT_SUPPORTED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(elastic_stops_share_the_load),
        MODEL_TEST(sliders_remember_the_load),
        MODEL_TEST(friction_follows_the_normal_force),
        MODEL_TEST(every_path_ends_in_an_equilibrium_of_its_laws),
        MODEL_TEST(a_start_settles_where_contacts_are_preloaded),
        MODEL_TEST(cells_without_friction_have_no_slider_forces),
        MODEL_TEST(a_start_gives_slider_forces),
        MODEL_TEST(a_rigid_contact_is_not_penetrated),
        MODEL_TEST(a_wedged_contact_is_named),
        MODEL_TEST(a_free_body_rests_on_its_contacts_or_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
