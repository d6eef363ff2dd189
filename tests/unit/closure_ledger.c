// closure_ledger.c -- energy of closure models that have one, and a plain word where there is none.
#include "orbit_case.h"

// One reduced string: N modes, wave term or not.
static void string_model(char *text, size_t size, const char *simulate, const char *law) {
    snprintf(text, size,
             "judder: 1\n"
             "structure: {type: string, length: 1, tension: 2, mass_per_length: 2, modes: 12,\n"
             "            points: {bow: 0.4, end: 0.7}, damping: {type: ratio, value: 0.05}}\n"
             "contacts: {bow: {at: bow, against: {velocity: 0.5}, law: %s}}\n"
             "drives: {push: {at: end, type: harmonic, amplitude: 2, frequency: 4}}\n"
             "start: {type: lift, mode: 1, point: bow, displacement: -0.5, velocity: -1}\n"
             "simulate: {%s, until: 4}\n",
             law, simulate);
}

typedef struct books {
    double start, stored, damping, drive, contact, belt, residual;
    const char *none;
} books;

static books read_books(jd_run *run) {
    jd_report r;
    jd_run_report(run, &r);
    const jd_ledger *l = &r.ledger;
    books b = {.none = r.no_energy};
    if (!l->drive) return b;
    return (books){l->start,      l->kinetic + l->strain,
                   l->damping,    l->drive[0],
                   l->contact[0], l->belt[0],
                   l->residual,   r.no_energy};
}

static books run_to(orbit_case *c, double t) {
    jd_run *run;
    jd_step step = JD_STEP_EVENT;
    if (jd_run_create(c->context, c->problem, &run) != JD_OK)
        fail_msg("%s", jd_context_error(c->context)->message);
    while (step == JD_STEP_EVENT) assert_int_equal(jd_run_advance(run, t, &step), JD_OK);
    books b = read_books(run);
    jd_run_free(run);
    orbit_end(c);
    return b;
}

static books reduced(const char *simulate, const char *law) {
    char text[900];
    orbit_case c;
    string_model(text, sizeof text, simulate, law);
    orbit_parse(&c, text);
    return run_to(&c, 3.7);
}

static const char stribeck[] = "{type: stribeck, limit: 4, drop: 0.32, decay: 1}",
                  coulomb[] = "{type: coulomb, limit: 2}";

// w' - L+ lambda' = -sigma w stores C kappa^2/2 and radiates w^2/L+.
static void closure_ledger_of_a_reduced_structure_adds_up(void **state) {
    (void)state;
    books with = reduced("engine: closure, modes: 6", stribeck),
          without = reduced("engine: closure, modes: 6, wave_term: none", stribeck);
    assert_near(with.residual, 0, 1e-13); // measured: 1e-15
    assert_near(without.residual, 0, 1e-13);
    assert_true(with.contact > 0.1 && with.damping > 0.1 && fabs(with.belt) > 0.1);
    assert_null(with.none);
}

// With all modes kept and none left out, the exact engine's ledger, number by number.
static void closure_ledger_is_that_of_the_exact_engine(void **state) {
    (void)state;
    books a = reduced("engine: closure, modes: 12, wave_term: none", coulomb),
          b = reduced("engine: exact", coulomb);
    assert_near(a.start, b.start, 1e-12);
    assert_near(a.stored, b.stored, 1e-9); // measured: 1e-12 and less
    assert_near(a.damping, b.damping, 1e-9);
    assert_near(a.drive, b.drive, 1e-9);
    assert_near(a.contact, b.contact, 1e-9);
    assert_near(a.belt, b.belt, 1e-9);
}

static void closure_ledger_of_a_truncated_nonlinear_string_adds_up(void **state) {
    (void)state;
    orbit_case c;
    orbit_parse(
        &c, "judder: 1\n"
            "structure: {type: nonlinear-string, modes: 5, wave_term: galerkin,\n"
            "            points: {p: 0.4}, damping: {type: ratio, value: 0.03}}\n"
            "contacts: {bow: {at: p, against: {velocity: 0.5}, law: {type: coulomb, limit: 1}}}\n"
            "drives: {push: {at: p, type: harmonic, amplitude: 2.5, frequency: 3}}\n"
            "simulate: {until: 5}\n");
    books b = run_to(&c, 4.9);
    assert_near(b.residual, 0, 1e-13);
    assert_true(b.contact > 0.1 && b.damping > 0.01 && fabs(b.drive) > 0.1);
}

static void closure_ledger_says_where_there_is_none(void **state) {
    (void)state;
    static const char *const files[] = {"nonlinear-string/response.yaml", "two-fold/through.yaml",
                                        "friction-oscillator/alpha05.yaml",
                                        "nonlinear-string/full-memory.yaml"};
    for (int i = 0; i < 4; i++) {
        orbit_case c;
        orbit_read(&c, files[i], 0, NULL);
        books b = run_to(&c, 0.5);
        assert_non_null(b.none);
        assert_non_null(strstr(b.none, "not defined for this model"));
    }
}

// In the middle of a step: events and books of what goes on from there are the same numbers.
static void closure_goes_on_from_a_snapshot_bit_for_bit(void **state) {
    (void)state;
    char text[900];
    orbit_case c;
    jd_run *run[2];
    jd_step step = JD_STEP_EVENT;
    books b[2];
    double last[2] = {0}, u[2], v[2], force[2];
    string_model(text, sizeof text, "engine: closure, modes: 6", stribeck);
    orbit_parse(&c, text);
    for (int i = 0; i < 2; i++)
        assert_int_equal(jd_run_create(c.context, c.problem, &run[i]), JD_OK);
    while (step == JD_STEP_EVENT) assert_int_equal(jd_run_advance(run[0], 1.3, &step), JD_OK);
    size_t size = jd_run_state_size(run[0]);
    char *block = malloc(size);
    assert_int_equal(jd_run_state_save(run[0], block, size), JD_OK);
    assert_int_equal(jd_run_state_load(run[1], block, size), JD_OK);
    free(block);
    for (int i = 0; i < 2; i++) {
        for (step = JD_STEP_EVENT; step == JD_STEP_EVENT;) {
            assert_int_equal(jd_run_advance(run[i], 3.7, &step), JD_OK);
            if (step == JD_STEP_EVENT) last[i] = jd_run_event(run[i])->t;
        }
        b[i] = read_books(run[i]);
        jd_run_observe_contacts(run[i], 3.7, &u[i], &v[i], &force[i]);
        jd_run_free(run[i]);
    }
    assert_true(last[0] > 1.3 && last[0] == last[1] && u[0] == u[1] && force[0] == force[1]);
    assert_true(b[0].damping == b[1].damping && b[0].contact == b[1].contact);
    assert_near(b[1].residual, 0, 1e-13);
    orbit_end(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closure_ledger_of_a_reduced_structure_adds_up),
        cmocka_unit_test(closure_ledger_is_that_of_the_exact_engine),
        cmocka_unit_test(closure_ledger_of_a_truncated_nonlinear_string_adds_up),
        cmocka_unit_test(closure_ledger_says_where_there_is_none),
        cmocka_unit_test(closure_goes_on_from_a_snapshot_bit_for_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
