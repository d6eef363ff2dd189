// memory_bad.c -- what the memory engine refuses, and in which words.
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "kernel/fit/fit.h"
#include "memory_case.h"

static void a_friction_that_falls_too_fast_is_not_unique(void **state) {
    (void)state; // gamma 0.235 x drop 4 x decay 2 = 1.88
    motion_refused(bowed_string, "contacts.bow.law", "not unique", "1.882",
                   SETS("contacts.bow.law.drop=4", "contacts.bow.law.decay=2"));
}

static void hysteresis_needs_one_sliding_branch(void **state) {
    (void)state;
    motion_refused(bowed_string, "contacts.bow.law", "not unique", "must be below 1",
                   SETS("contacts.bow.law={type: table, velocity: [0, 1, 1.1, 2, 2.1], force: [4, "
                        "4, 3, 3, 2], ambiguity: hysteresis}"));
}

// A contact that holds more than it slides with keeps its state: stuck until the static limit,
// sliding until it comes to rest.
static void a_static_limit_works_with_infinitely_many_modes(void **state) {
    (void)state;
    motion *m = motion_of(bowed_string, 3,
                          SETS("contacts.bow.law={type: coulomb, limit: 3, static_limit: 4}"));
    assert_true(m->n > 2);
    motion_close(m);
}

static void the_same_laws_are_fine_with_finitely_many_modes(void **state) {
    (void)state;
    motion *m = motion_of(
        bowed_string, 2,
        SETS("structure.modes=20", "contacts.bow.law.drop=4", "contacts.bow.law.decay=2"));
    motion_close(m);
}

static void exponentials_without_damping_are_refused(void **state) {
    (void)state;
    motion_refused(bowed_string, "structure.damping", "without damping", "exponentials",
                   SETS("structure.damping=none", "simulate.memory=exponentials"));
}

static void delays_of_overdamped_waves_are_refused(void **state) {
    (void)state;
    motion_refused(bowed_string, "simulate.memory", "ratio of 1.5 no wave", "delays",
                   SETS("simulate.memory=delays", "structure.damping.value=1.5"));
}

static void delays_of_a_beam_are_refused(void **state) {
    (void)state;
    motion_refused("judder: 1\n"
                   "structure: {type: beam, length: 1, bending_stiffness: 1, mass_per_length: 1,\n"
                   "  supports: {left: clamped, right: free}, modes: infinite, points: {tip: 1},\n"
                   "  damping: {type: ratio, value: 0.02}}\n"
                   "contacts: {tip: {at: tip, against: ground, law: {type: coulomb, limit: 1}}}\n"
                   "simulate: {engine: memory, until: 1, memory: delays}\n",
                   "simulate.memory", "only one string or rod", "delays", 0, NULL);
}

// A bow next to an end: many poles, and the first echo comes at once.
static void places_too_near_for_both_memories_are_refused(void **state) {
    (void)state;
    motion_refused(bowed_string, "structure.damping", "too near", "for one of delays",
                   SETS("structure.points.bow=0.001", "structure.damping.value=0.02",
                        "simulate.tolerance=1e-8"));
}

static void damping_too_small_for_a_fit_is_refused(void **state) {
    (void)state;
    motion_refused(bowed_string, "structure.damping", "a damping ratio of 0.0005 is too small",
                   "to a tolerance of 1e-05", // the model's, not that of the fit
                   SETS("structure.damping.value=0.0005", "simulate.memory=exponentials",
                        "simulate.tolerance=1e-5"));
}

static void infinitely_many_modes_are_not_for_the_exact_engine(void **state) {
    (void)state;
    motion_refused(bowed_string, "simulate.engine", "infinitely many modes", "exact",
                   SETS("simulate.engine=exact"));
}

static void restitution_has_no_meaning_with_infinitely_many_modes(void **state) {
    (void)state;
    motion_refused(bowed_string, "contacts.bow.law.restitution", "no meaning", "waves decide",
                   SETS("contacts.bow.law={type: stop, gap: 1, restitution: 0.5}"));
}

// A beam answers a force as the square root of time: a stop would need an infinite force.
static void a_stop_on_a_beam_with_infinitely_many_modes_is_refused(void **state) {
    (void)state;
    static const char text[] =
        "judder: 1\nstructure: {type: beam, length: 1, bending_stiffness: 1, mass_per_length: 1,\n"
        "  modes: infinite, supports: {left: clamped, right: free}, points: {tip: 1},\n"
        "  damping: {type: ratio, value: 0.05}}\n"
        "contacts: {tip: {at: tip, against: ground, law: {type: stop, gap: 1, restitution: 0}}}\n"
        "simulate: {engine: memory, until: 1}\n";
    motion_refused(text, "contacts.tip.law", "infinite at the moment", "modes", 0, NULL);
}

static void a_start_beyond_a_stop_is_refused_with_the_distance(void **state) {
    (void)state;
    motion *m =
        motion_open(bowed_string, SETS("contacts.bow.law={type: stop, gap: 1, restitution: 0}",
                                       "start.displacement=1.25", "contacts.bow.against=ground"));
    assert_int_equal(jd_run_create(m->context, m->problem, &m->run), JD_OUT_OF_RANGE);
    const jd_error *e = jd_context_error(m->context);
    assert_non_null(strstr(e->message, "`bow` starts 0.25 beyond its stop at 1"));
    motion_close(m);
}

// Laws the engine does not know must not be read as if they were friction.
static void unknown_laws_are_refused(void **state) {
    (void)state;
    motion_refused(bowed_string, "simulate.engine", "a contact is soil", "memory",
                   SETS("contacts.bow.law={type: soil, limit: 1, quake: 0.1}"));
    motion_refused(bowed_string, "simulate.engine", "stiffness", "memory",
                   SETS("contacts.bow.law={type: coulomb, limit: 1, stiffness: 3}"));
}

static void points_off_the_contacts_are_refused_with_infinitely_many_modes(void **state) {
    (void)state;
    motion *m = motion_open(bowed_string, SETS("structure.points={bow: 0.4, other: 0.7}"));
    int index;
    motion_start(m);
    assert_int_equal(jd_run_probe(m->run, "other", &index), JD_NOT_SUPPORTED);
    assert_non_null(strstr(jd_context_error(m->context)->message, "points of contacts"));
    assert_int_equal(jd_run_probe(m->run, "bow", &index), JD_OK);
    motion_close(m);
}

// Two masses on springs; the damping matrix C is given.
static void refuse_matrix(const char *C, const char *part, const char *more) {
    char folder[] = "/tmp/judder-XXXXXX", M[64], K[64], D[64], text[1024];
    assert_non_null(mkdtemp(folder));
    put(folder, "M.mtx", "%%MatrixMarket matrix array real symmetric\n2 2\n1\n0\n1\n", M, sizeof M);
    put(folder, "K.mtx", "%%MatrixMarket matrix array real symmetric\n2 2\n2\n-1\n2\n", K,
        sizeof K);
    put(folder, "C.mtx", C, D, sizeof D);
    snprintf(text, sizeof text,
             "judder: 1\nstructure: {type: matrices, mass: %s, stiffness: %s, modes: all,\n"
             "  points: {end: {node: 2}}, damping: {type: matrix, file: %s}}\n"
             "contacts: {end: {at: end, against: {velocity: 1},\n"
             "  law: {type: stribeck, limit: 1, drop: 0.5, decay: 1}}}\n"
             "simulate: {engine: memory, until: 1}\n",
             M, K, D);
    motion_refused(text, "structure.damping", part, more, 0, NULL);
    unlink(M), unlink(K), unlink(D), rmdir(folder);
}

static void an_unstable_memory_is_refused_with_its_frequency(void **state) {
    (void)state;
    refuse_matrix("%%MatrixMarket matrix array real symmetric\n2 2\n-0.4\n0\n0.1\n", "unstable",
                  "rad/s");
}

// Stable, but the first mass is pushed along its velocity: at some frequency the end gets energy.
static void an_active_memory_is_refused_with_its_frequency(void **state) {
    (void)state;
    refuse_matrix("%%MatrixMarket matrix array real symmetric\n2 2\n-0.2\n0\n0.9\n", "energy",
                  "rad/s");
}

static void passivity_is_a_matter_of_all_contacts_together(void **state) {
    (void)state;
    jd_context *c = jd_context_create(NULL);
    const double good[] = {1, 0, 0.5, 0, 0.5, 0, 1, 0}, bad[] = {1, 0, 2, 0, 2, 0, 1, 0};
    assert_int_equal(jd_fit_check_passive(c, 2, 2, good, 7, 0), JD_OK);
    assert_int_equal(jd_fit_check_passive(c, 2, 2, bad, 7, 0), JD_NOT_SUPPORTED);
    assert_non_null(strstr(jd_context_error(c)->message, "at 7 rad/s"));
    jd_context_free(c);
}

static void auto_takes_the_memory_engine_and_says_why(void **state) {
    (void)state;
    motion *m = motion_open(bowed_string, SETS("simulate.engine=auto", "structure.modes=20"));
    const jd_engine_info *engine;
    const char *why;
    assert_int_equal(jd_problem_build(m->problem), JD_OK);
    assert_int_equal(jd_engine_choose(m->problem, &engine, &why), JD_OK);
    assert_string_equal(engine->name, "memory");
    assert_string_equal(why, "the friction of a contact is a curve over the speed");
    motion_close(m);
}

// A table through the points of a Stribeck curve gives nearly the same motion; the spline is
// monotone, so 40 knots leave 1e-4 of the events.
static void measured_friction_moves_as_the_curve_it_was_measured_from(void **state) {
    (void)state;
    char set[4096], force[2048];
    int n = snprintf(set, sizeof set, "contacts.bow.law={type: table, velocity: [0"), f;
    f = snprintf(force, sizeof force, "4");
    for (int i = 1; i <= 40; i++) {
        double u = 0.01 * i * i; // up to 16
        n += snprintf(set + n, sizeof set - (size_t)n, ", %.6g", u);
        f += snprintf(force + f, sizeof force - (size_t)f, ", %.9g", 3.68 + 0.32 * exp(-u));
    }
    snprintf(set + n, sizeof set - (size_t)n, "], force: [%s]}", force);
    motion *a = motion_of(bowed_string, 3, 0, NULL);
    motion *b = motion_of(bowed_string, 3, 1, (const char *[]){set});
    assert_int_equal(a->n, b->n);
    for (int i = 0; i < a->n; i++) assert_near(a->event[i].t, b->event[i].t, 2e-4);
    motion_close(a);
    motion_close(b);
}

static void contacts_that_depend_on_each_other_are_refused(void **state) {
    (void)state;
    static const char text[] =
        "judder: 1\n"
        "structure: {type: string, length: 1, tension: 1, mass_per_length: 1, modes: %d,\n"
        "            points: {a: 0.3, b: %g, c: 0.5}, damping: {type: ratio, value: 0.1}}\n"
        "contacts:\n"
        "  one: {at: a, against: ground, law: {type: stribeck, limit: 1, drop: 0.3, decay: 1}}\n"
        "  two: {at: b, against: ground, law: {type: coulomb, limit: 1}}\n"
        "drives: {push: {at: c, type: harmonic, amplitude: 3, frequency: 2}}\n"
        "simulate: {engine: memory, until: 2}\n";
    char model[1024];
    snprintf(model, sizeof model, text, 12, 0.3); // the same point twice
    motion_refused(model, "contacts.two.at", "follows from", "not unique", 0, NULL);
    snprintf(model, sizeof model, text, 1, 0.6); // more contacts than modes
    motion_refused(model, "contacts.two.at", "follows from", "not unique", 0, NULL);
    snprintf(model, sizeof model, text, 12, 0.31); // close together: fine
    motion_close(motion_of(model, 2, 0, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_friction_that_falls_too_fast_is_not_unique),
        cmocka_unit_test(hysteresis_needs_one_sliding_branch),
        cmocka_unit_test(a_static_limit_works_with_infinitely_many_modes),
        cmocka_unit_test(the_same_laws_are_fine_with_finitely_many_modes),
        cmocka_unit_test(exponentials_without_damping_are_refused),
        cmocka_unit_test(delays_of_overdamped_waves_are_refused),
        cmocka_unit_test(delays_of_a_beam_are_refused),
        cmocka_unit_test(places_too_near_for_both_memories_are_refused),
        cmocka_unit_test(damping_too_small_for_a_fit_is_refused),
        cmocka_unit_test(infinitely_many_modes_are_not_for_the_exact_engine),
        cmocka_unit_test(restitution_has_no_meaning_with_infinitely_many_modes),
        cmocka_unit_test(a_stop_on_a_beam_with_infinitely_many_modes_is_refused),
        cmocka_unit_test(a_start_beyond_a_stop_is_refused_with_the_distance),
        cmocka_unit_test(unknown_laws_are_refused),
        cmocka_unit_test(contacts_that_depend_on_each_other_are_refused),
        cmocka_unit_test(points_off_the_contacts_are_refused_with_infinitely_many_modes),
        cmocka_unit_test(an_unstable_memory_is_refused_with_its_frequency),
        cmocka_unit_test(an_active_memory_is_refused_with_its_frequency),
        cmocka_unit_test(passivity_is_a_matter_of_all_contacts_together),
        cmocka_unit_test(auto_takes_the_memory_engine_and_says_why),
        cmocka_unit_test(measured_friction_moves_as_the_curve_it_was_measured_from),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
