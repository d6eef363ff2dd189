// sweep_formulas.c -- curves and classes of a sweep, values spaced by factors, bounded searches.
#include "sweep_case.h"

#include "judder/orbit.h"

// A block on a belt: static limit 1, sliding 0.6; with D = 0.4 and the belt's speed v its period is
// 2 pi - 2 atan(D/v) + 2 D/v.
#define BELT(sweep)                                                                                \
    "judder: 1\n"                                                                                  \
    "structure: {type: chain, count: 1, mass: 1, stiffness: 1, damping: none,\n"                   \
    "  supports: {left: fixed, right: free}, points: {block: {node: 1}}}\n"                        \
    "contacts: {belt: {at: block, against: {velocity: 0.5},\n"                                     \
    "  law: {type: coulomb, limit: 0.6, static_limit: 1}}}\n"                                      \
    "start: rest\n"                                                                                \
    "sweep: {" sweep "}\n"
#define SPEEDS                                                                                     \
    "parameters: contacts.belt.against.velocity, from: 0.25, to: 0.5, points: 3, settle: 50, "     \
    "samples: 2"
#define PLANE                                                                                      \
    "parameters: [contacts.belt.against.velocity, contacts.belt.law.limit], from: [0.25, 0.3], "   \
    "to: [1, 0.6], points: [3, 2], settle: 50, spacing: [log, linear]"

static void values_are_spaced_by_factors(void **state) {
    jd_sweep *sweep = sweep_of(*state, BELT(SPEEDS ", spacing: log"));
    const jd_sweep_view *v = jd_sweep_look(sweep);
    const double expected[] = {0.25, sqrt(0.125), 0.5};
    for (int i = 0; i < 3; i++) assert_relative(v->values[0][i], expected[i], 1e-15);
    assert_true(v->log[0]);
    jd_sweep_free(sweep);
    sweep = sweep_of(*state, BELT(PLANE));
    v = jd_sweep_look(sweep);
    assert_relative(v->values[0][1], 0.5, 1e-15);
    assert_true(v->log[0] && !v->log[1]);
    jd_sweep_free(sweep);
}

// The period of the block as a curve: every settled point lies on it.
static void curves_are_their_formulas(void **state) {
    jd_sweep *sweep =
        sweep_done(*state,
                   BELT(SPEEDS ", spacing: log, beside: {period: 2*_pi - 2*atan(0.4/velocity) + "
                               "0.8/contacts_belt_against_velocity}"),
                   2);
    const jd_sweep_view *v = jd_sweep_look(sweep);
    assert_int_equal(v->n_curve, 1);
    const jd_sweep_curve *c = v->curve;
    assert_string_equal(c->name, "period");
    assert_int_equal(c->axis, 0);
    assert_near(c->at[0], 0.25, 0);
    assert_relative(c->at[c->n - 1], 0.5, 1e-14);
    for (int i = 0; i < c->n; i++) {
        double D = 0.4 / c->at[i];
        assert_relative(c->value[i], 2 * acos(-1) - 2 * atan(D) + 2 * D,
                        1e-12); // muParser's pi has 13 digits
    }
    for (int i = 0; i < v->n_point; i++) {
        assert_true(v->point[i].settled);
        assert_relative(jd_sweep_beside(sweep, 0, &v->point[i]), v->point[i].period, 1e-12);
    }
    jd_sweep_free(sweep);
}

// Over the second parameter, where the formula holds that.
static void curves_may_run_along_either_parameter(void **state) {
    jd_sweep *sweep =
        sweep_of(*state, BELT(PLANE ", beside: {a: 0.3 + velocity/10, b: 1 - limit, flat: 0.4}"));
    const jd_sweep_view *v = jd_sweep_look(sweep);
    assert_int_equal(v->n_curve, 3);
    assert_int_equal(v->curve[0].axis, 0);
    assert_int_equal(v->curve[1].axis, 1);
    assert_int_equal(v->curve[2].axis, 0);
    for (int i = 0; i < v->curve[1].n; i++)
        assert_relative(v->curve[1].value[i], 1 - v->curve[1].at[i], 1e-15);
    assert_relative(v->curve[0].at[1] / v->curve[0].at[0], v->curve[0].at[2] / v->curve[0].at[1],
                    1e-12);
    jd_sweep_free(sweep);
}

static const char classed[] =
    BELT(SPEEDS ", spacing: log, classes: {slow: settled && period > 7, one slip: slips == 1, "
                "never: velocity > 0}");

// The first that holds; the same after a point was kept as bytes and restored.
static void a_point_is_of_the_first_class_that_holds(void **state) {
    model_case *other;
    model_case_begin((void **)&other);
    jd_sweep *sweep = sweep_done(*state, classed, 2), *again = sweep_of(other, classed);
    const jd_sweep_view *v = jd_sweep_look(sweep);
    unsigned char bytes[4096];
    assert_true(jd_sweep_packed_size(sweep) <= sizeof bytes);
    assert_int_equal(v->n_class, 3);
    assert_string_equal(v->class_name[1], "one slip");
    for (int i = 0; i < v->n_point; i++) {
        assert_int_equal(v->point[i].slips, 1);
        assert_int_equal(v->point[i].class_number, v->point[i].period > 7 ? 0 : 1);
        jd_sweep_pack(sweep, i, bytes);
        assert_int_equal(jd_sweep_restore(again, i, bytes), JD_OK);
        assert_int_equal(jd_sweep_look(again)->point[i].class_number, v->point[i].class_number);
        assert_int_equal(jd_sweep_look(again)->point[i].slips, 1);
    }
    assert_int_equal(v->point[0].class_number, 0);
    assert_int_equal(v->point[2].class_number, 1);
    jd_sweep_free(again);
    model_case_end((void **)&other);
    jd_sweep_free(sweep);
}

// Slips of the measured contact are the events of the orbit in which it lets go.
static void slips_are_counted_on_the_orbit(void **state) {
    model_case *m = *state;
    jd_sweep *sweep =
        sweep_done(m,
                   BEAM("10", RAYLEIGH, "1.1",
                        "parameters: contacts.tip.law.limit, from: 0.3, to: 0.66, points: 3"),
                   2);
    const jd_sweep_view *v = jd_sweep_look(sweep);
    for (int i = 0; i < v->n_point; i++) {
        jd_orbit *orbit;
        long slips = 0;
        assert_int_equal(jd_problem_set(m->problem, v->parameter[0], v->point[i].value[0], NULL),
                         JD_OK);
        assert_int_equal(jd_orbit_create(m->context, m->problem, NULL, &orbit), JD_OK);
        const jd_orbit_view *o = jd_orbit_look(orbit);
        for (int k = 0; k < o->n_event; k++) slips += jd_contact_letter(o->event[k].from) == 'H';
        assert_true(o->found);
        assert_true(slips > 0);
        assert_int_equal(v->point[i].slips, slips);
        jd_orbit_free(orbit);
    }
    jd_sweep_free(sweep);
}

static void cannot_plan(model_case *m, const char *text, jd_status status, const char *where) {
    jd_sweep *sweep = NULL;
    reads(m, text, NULL);
    assert_int_equal(jd_sweep_create(m->context, m->problem, &sweep), status);
    assert_null(sweep);
    assert_string_equal(jd_context_error(m->context)->where, where);
}

static void formulas_that_cannot_be_drawn_are_refused_by_name(void **state) {
    cannot_plan(*state, BELT(PLANE ", beside: {both: velocity*limit}"), JD_NOT_SUPPORTED,
                "sweep.beside.both");
    cannot_plan(*state, BELT(SPEEDS ", beside: {odd: speed}"), JD_WRONG_TYPE, "sweep.beside.odd");
    cannot_plan(*state, BELT(SPEEDS ", beside: {odd: slips}"), JD_WRONG_TYPE, "sweep.beside.odd");
    cannot_plan(*state, BELT(SPEEDS ", classes: {odd: 'settled &&'}"), JD_WRONG_TYPE,
                "sweep.classes.odd");
    cannot_plan(*state, BELT(SPEEDS ", classes: {good: settled, bad: 'slips = 2'}"), JD_WRONG_TYPE,
                "sweep.classes.bad");
}

static void bad_spacings_are_refused(void **state) {
    model_case *m = *state;
    const char *bad[] = {BELT(SPEEDS ", spacing: cubic"), BELT(SPEEDS ", spacing: [log, log, log]"),
                         BELT("parameters: contacts.belt.against.velocity, from: 0, to: 1, "
                              "points: 3, spacing: log")};
    const jd_status status[] = {JD_UNKNOWN_NAME, JD_SIZE_MISMATCH, JD_OUT_OF_RANGE};
    for (int i = 0; i < 3; i++) assert_int_equal(model_parse(m, bad[i], NULL), status[i]);
}

// Strings bowed too hard: most searches meet no orbit for long. They end with the time they have.
static void a_search_keeps_to_its_time(void **state) {
    model_case *m = *state;
    int lost = 0;
    for (int i = 0; i < 4; i++) {
        char text[800];
        snprintf(text, sizeof text,
                 "judder: 1\n"
                 "structure: {type: string, length: 1, tension: 1, mass_per_length: 1, modes: 8,\n"
                 "  points: {bow: 0.2}, damping: {type: ratio, value: 0.02}}\n"
                 "contacts: {bow: {at: bow, against: {velocity: 0.1},\n"
                 "  law: {type: stribeck, limit: 0.8, drop: 0.5, decay: 20, times: %g}}}\n"
                 "start: {type: lift, mode: 1, point: bow, displacement: 0.05, velocity: 0.1}\n"
                 "simulate: {engine: memory, tolerance: 1e-4, until: 1}\n",
                 3.5 + 0.2 * i);
        reads(m, text, NULL);
        jd_orbit_options options = jd_default_orbit_options();
        jd_orbit *orbit;
        options.settle = 40;
        options.most = 80;
        assert_int_equal(jd_orbit_create(m->context, m->problem, &options, &orbit), JD_OK);
        bool met = jd_orbit_look(orbit)->found;
        assert_true(jd_orbit_look(orbit)->search.settled <= 81);
        jd_orbit_free(orbit);
        if (met || lost) continue;
        options.most = 0; // the same search goes on where it may
        assert_int_equal(jd_orbit_create(m->context, m->problem, &options, &orbit), JD_OK);
        assert_true(jd_orbit_look(orbit)->search.settled > 81);
        lost++;
        jd_orbit_free(orbit);
    }
    assert_int_equal(lost, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(values_are_spaced_by_factors),
        MODEL_TEST(curves_are_their_formulas),
        MODEL_TEST(curves_may_run_along_either_parameter),
        MODEL_TEST(a_point_is_of_the_first_class_that_holds),
        MODEL_TEST(slips_are_counted_on_the_orbit),
        MODEL_TEST(formulas_that_cannot_be_drawn_are_refused_by_name),
        MODEL_TEST(bad_spacings_are_refused),
        MODEL_TEST(a_search_keeps_to_its_time)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
