// model_good.c -- every form the model file takes, and the numbers that come out of it.
#include "model_case.h"

#define PI 3.14159265358979323846
#define CHAIN                                                                                      \
    "judder: 1\nstructure: {type: chain, count: 3, mass: 1, stiffness: 1, points: {a: {node: 1}, " \
    "b: {node: 3}}}\n"
#define SI                                                                                         \
    "judder: 1\nstructure: {type: fe-beam, length: 200 cm, bending_stiffness: 1 kN m^2, "          \
    "mass_per_length: 2e-3 t/m, elements: 4, points: {mid: 1 m, tip: 2000 mm,\n"                   \
    " turn: {position: 1 m, dof: rotation}}}\n"

static const jd_fe_beam_def *beam(const model_case *m) {
    return jd_problem_body(m->problem, 0)->def;
}

static double number(const model_case *m, const char *path) {
    double value = (double)NAN;
    if (jd_problem_get(m->problem, path, &value) != JD_OK) fail_msg("no number `%s`", path);
    return value;
}

static void units_are_converted_and_remembered(void **state) {
    model_case *m = *state;
    reads(m, SI, NULL);
    assert_near(beam(m)->length, 2, 0);
    assert_near(beam(m)->bending_stiffness, 1000, 0);
    assert_near(beam(m)->mass_per_length, 2, 0);
    assert_true(jd_problem_is_si(m->problem));
    reads(m, CHAIN, NULL);
    assert_false(jd_problem_is_si(m->problem));
}

static void points_by_position_node_and_dof(void **state) {
    model_case *m = *state;
    reads(m, SI, NULL);
    const jd_points *p = &beam(m)->points;
    assert_int_equal(p->n, 3);
    assert_string_equal(p->point[1].name, "tip");
    assert_near(p->point[1].position, 2, 0);
    assert_int_equal(p->point[1].dof, 1);
    assert_int_equal(p->point[2].dof, 2);
    assert_near(p->point[2].position, 1, 0);
    reads(m, CHAIN, NULL);
    const jd_chain_def *chain = jd_problem_body(m->problem, 0)->def;
    assert_int_equal(chain->points.point[1].node, 3);
    assert_string_equal(chain->points.point[1].label, "3");
    assert_true(isnan(chain->points.point[1].position));
}

static void a_scalar_is_a_list_of_one(void **state) {
    model_case *m = *state;
    reads(m, CHAIN "output: {every: 1, points: a}\n", NULL);
    const jd_chain_def *chain = jd_problem_body(m->problem, 0)->def;
    assert_int_equal(chain->mass.n, 1);
    assert_near(chain->mass.value[0], 1, 0);
    const jd_output_def *output = jd_problem_section(m->problem, JD_OUTPUT, NULL);
    assert_int_equal(output->points.n, 1);
    assert_string_equal(output->points.text[0], "a");
}

static void a_word_names_a_type(void **state) {
    model_case *m = *state;
    reads(m, CHAIN "start: rest\n", "structure.damping=none");
    assert_string_equal(jd_problem_start(m->problem)->type->name, "rest");
    reads(m, CHAIN "start: {type: rest}\n", "structure.damping={type: none}");
    const jd_chain_def *chain = jd_problem_body(m->problem, 0)->def;
    assert_string_equal(chain->damping.type->name, "none");
}

static const jd_frequency *frequency(model_case *m, const char *value, const char *text) {
    char model[1000];
    snprintf(model, sizeof model,
             "%sdrives: {f: {at: %s, type: harmonic, amplitude: 1%s, frequency: %s}}\n", text,
             strstr(text, "chain") ? "a" : "mid", strstr(text, "chain") ? "" : " N", value);
    reads(m, model, NULL);
    const jd_harmonic_def *drive = jd_problem_drive(m->problem, 0)->def;
    return &drive->frequency;
}

// Bound: two roundings.
static void frequencies_as_number_cycles_or_multiple(void **state) {
    model_case *m = *state;
    assert_near(frequency(m, "6", CHAIN)->value, 6, 0);
    assert_near(frequency(m, "6 rad/s", SI)->value, 6, 0);
    assert_relative(frequency(m, "2 Hz", SI)->value, 4 * PI, 3e-16);
    assert_relative(frequency(m, "3000 rpm", SI)->value, 100 * PI, 3e-16);
    const jd_frequency *f = frequency(m, "{times: 1.1, mode: 2}", CHAIN);
    assert_near(f->times, 1.1, 0);
    assert_int_equal(f->mode, 2);
    f = frequency(m, "{mode: 1}", SI);
    assert_near(f->times, 1, 0);
    assert_int_equal(f->mode, 1);
}

static void durations_in_time_or_periods(void **state) {
    model_case *m = *state;
    reads(m, CHAIN "simulate: {until: 12.5}\n", NULL);
    const jd_simulate_def *s = jd_problem_section(m->problem, JD_SIMULATE, NULL);
    assert_near(s->until.value, 12.5, 0);
    assert_false(s->until.periods);
    assert_string_equal(s->engine, "auto");
    reads(m, SI "simulate: {until: 2 ms}\norbit: {settle: 1 period}\n", NULL);
    s = jd_problem_section(m->problem, JD_SIMULATE, NULL);
    assert_relative(s->until.value, 0.002, 3e-16);
    const jd_orbit_def *o = jd_problem_section(m->problem, JD_ORBIT, NULL);
    assert_near(o->settle.value, 1, 0);
    assert_true(o->settle.periods);
}

static const jd_contact_def *contact(model_case *m, const char *text) {
    char model[1000];
    snprintf(model, sizeof model, "%scontacts: {c: {%s, law: {type: coulomb, limit: 1}}}\n", CHAIN,
             text);
    reads(m, model, NULL);
    return jd_problem_contact(m->problem, 0)->def;
}

static void places_and_counters_in_all_forms(void **state) {
    model_case *m = *state;
    const jd_contact_def *c = contact(m, "at: a");
    assert_string_equal(c->at.point, "a");
    assert_int_equal(c->against.kind, JD_GROUND);
    c = contact(m, "at: {point: b}, against: ground");
    assert_string_equal(c->at.point, "b");
    assert_null(c->at.body);
    c = contact(m, "at: a, against: {velocity: -1.5}");
    assert_int_equal(c->against.kind, JD_MOVING);
    assert_near(c->against.velocity, -1.5, 0);
    c = contact(m, "at: a, against: b");
    assert_int_equal(c->against.kind, JD_PLACE);
    assert_string_equal(c->against.place.point, "b");
    c = contact(m, "at: a, against: {point: b}");
    assert_string_equal(c->against.place.point, "b");
    c = contact(m, "at: structure.a");
    assert_string_equal(c->at.body, "structure");
    assert_string_equal(c->at.point, "a");
}

static void followed_numbers_take_the_unit_written_at_the_path(void **state) {
    model_case *m = *state;
    reads(m, SI "follow: {parameter: structure.length, from: 150, to: 2.5 m}\n", NULL);
    const jd_follow_def *f = jd_problem_section(m->problem, JD_FOLLOW, NULL);
    assert_relative(f->from, 1.5, 3e-16);
    assert_near(f->to, 2.5, 0);
    reads(m,
          SI "drives: {f: {at: mid, type: harmonic, amplitude: 3 kN, frequency: 2 Hz}}\n"
             "sweep: {parameters: [drives.f.frequency, drives.f.amplitude], from: [1, 4], "
             "to: [3, 5000 N], points: [2, 3]}\n",
          NULL);
    const jd_sweep_def *s = jd_problem_section(m->problem, JD_SWEEP, NULL);
    assert_relative(s->from.value[0], 2 * PI, 3e-16);
    assert_relative(s->to.value[0], 6 * PI, 3e-16);
    assert_near(s->from.value[1], 4000, 0);
    assert_near(s->to.value[1], 5000, 0);
    // Left out of the file, so no unit to keep: it has to be written.
    reads(m,
          SI "contacts: {c: {at: tip, law: {type: coulomb, limit: 1 N}}}\n"
             "follow: {parameter: contacts.c.law.static_limit, from: 1 kN, to: 2 kN}\n",
          NULL);
    f = jd_problem_section(m->problem, JD_FOLLOW, NULL);
    assert_near(f->from, 1000, 0);
}

static void set_keeps_units_replaces_maps_and_adds_keys(void **state) {
    model_case *m = *state;
    reads(m, SI, "structure.length=300");
    assert_near(number(m, "structure.length"), 3, 0);
    reads(m, SI, "structure.length=3 m");
    assert_near(number(m, "structure.length"), 3, 0);
    reads(m, SI, "structure.points.mid=0.5");
    assert_near(beam(m)->points.point[0].position, 0.5, 0);
    reads(m, SI, "structure.points={tip: 1.5 m}");
    assert_int_equal(beam(m)->points.n, 1);
    reads(m, SI, "structure.damping={type: ratio, value: 0.02}");
    assert_string_equal(beam(m)->damping.type->name, "ratio");
    reads(m, SI, "simulate.until=5 s");
    reads(m, CHAIN, "structure.mass=[1, 2, 3]");
    assert_near(number(m, "structure.mass.3"), 3, 0);
    reads(m, SI "contacts: {c: {at: tip, law: {type: coulomb, limit: 1 N}}}\n",
          "contacts.c.law.limit=2");
    assert_near(number(m, "contacts.c.law.limit"), 2, 0);
    reads(m,
          SI "simulate: {until: 100 periods}\ndrives: {f: {at: mid, type: harmonic, "
             "amplitude: 1 N, frequency: 2 Hz}}\n",
          "simulate.until=50");
    const jd_simulate_def *s = jd_problem_section(m->problem, JD_SIMULATE, NULL);
    assert_true(s->until.periods);
    assert_near(s->until.value, 50, 0);
}

static void set_says_what_it_cannot_do(void **state) {
    model_case *m = *state;
    refuses(m, SI, "structure.lenght=3", JD_UNKNOWN_KEY, "--set structure.lenght=3",
            "unknown key `lenght`", "did you mean `length`?");
    refuses(m, SI, "strucutre.length=3", JD_UNKNOWN_KEY, "--set strucutre.length=3", "`strucutre`",
            "`structure`");
    refuses(m, SI "contacts: {tip: {at: tip, law: {type: coulomb, limit: 1 N}}}\n",
            "contacts.typ.law.limit=3", JD_UNKNOWN_NAME, "--set contacts.typ.law.limit=3",
            "no `typ` in `contacts`", "`tip`");
    refuses(m, SI, "structure.length.x=3", JD_UNKNOWN_KEY, "--set structure.length.x=3",
            "`length` is `200 cm` and has no key `x`", "replace");
    refuses(m, SI, "structure.length", JD_BAD_USAGE, "--set structure.length", "`=`", "--set");
    refuses(m, SI, "=3", JD_BAD_USAGE, "--set =3", "a path", "--set");
    refuses(m, SI, "structure..length=3", JD_BAD_USAGE, "--set structure..length=3", "a path", "");
    refuses(m, SI, "structure.length=", JD_BAD_USAGE, "--set structure.length=", "no value", "");
    refuses(m, SI, "structure.length={", JD_BROKEN_YAML, "--set structure.length={", "YAML", "");
    refuses(m, SI, "structure.length=2 kg", JD_WRONG_UNIT, "--set structure.length=2 kg",
            "`length` is `2 kg`", "");
}

static void sets_are_applied_in_order(void **state) {
    model_case *m = *state;
    const char *set[] = {"structure.length=300", "structure.length=4 m", "structure.length=5"};
    assert_int_equal(jd_model_parse(m->context, "m", "", SI, strlen(SI), 3, set, &m->problem),
                     JD_OK);
    assert_near(number(m, "structure.length"), 5, 0);
}

static void the_text_is_kept(void **state) {
    model_case *m = *state;
    reads(m, CHAIN "title: 'a: b'\n", NULL);
    assert_string_equal(jd_model_text(m->problem), CHAIN "title: 'a: b'\n");
    assert_string_equal(jd_problem_title(m->problem), "a: b");
}

// The unit of a number by its path: that of a force at a point, along a span, at a rotation.
static void numbers_have_the_unit_of_where_they_act(void **state) {
    static const struct {
        const char *path, *unit;
    } known[] = {{"contacts.toe.law.limit", "N"},        {"contacts.shaft.law.limit", "N/m"},
                 {"drives.hammer.amplitude", "N"},       {"drives.turn.amplitude", "N m"},
                 {"drives.hammer.frequency", "rad/s"},   {"bodies.pile.length", "m"},
                 {"bodies.pile.mass_per_length", "kg/m"}};
    model_case *m = *state;
    char unit[40];
    reads(m,
          "judder: 1\n"
          "bodies:\n"
          "  pile: {type: rod, length: 20 m, axial_stiffness: 3 MN, mass_per_length: 225 kg/m,\n"
          "    supports: {left: free, right: free}, points: {head: 0 m, tip: 20 m}}\n"
          "  beam: {type: fe-beam, length: 2 m, bending_stiffness: 1e4 N m^2, mass_per_length: 35\n"
          "    kg/m, elements: 10, supports: {left: clamped, right: free},\n"
          "    points: {end: {position: 2 m, dof: 2}}}\n"
          "contacts:\n"
          "  shaft: {at: {body: pile, span: [10 m, 20 m]}, against: ground,\n"
          "    law: {type: coulomb, limit: 30 kN/m}}\n"
          "  toe: {at: pile.tip, against: ground, law: {type: coulomb, limit: 400 kN}}\n"
          "drives:\n"
          "  hammer: {at: pile.head, type: harmonic, amplitude: 1 kN, frequency: 2 Hz}\n"
          "  turn: {at: beam.end, type: harmonic, amplitude: 1 kN m, frequency: 2 Hz}\n",
          NULL);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (!jd_problem_unit(m->problem, known[i].path, sizeof unit, unit))
            fail_msg("there is no `%s`", known[i].path);
        assert_string_equal(unit, known[i].unit);
    }
    assert_false(jd_problem_unit(m->problem, "contacts.toe.law.nothing", sizeof unit, unit));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(units_are_converted_and_remembered),
        MODEL_TEST(points_by_position_node_and_dof),
        MODEL_TEST(a_scalar_is_a_list_of_one),
        MODEL_TEST(a_word_names_a_type),
        MODEL_TEST(frequencies_as_number_cycles_or_multiple),
        MODEL_TEST(durations_in_time_or_periods),
        MODEL_TEST(places_and_counters_in_all_forms),
        MODEL_TEST(followed_numbers_take_the_unit_written_at_the_path),
        MODEL_TEST(set_keeps_units_replaces_maps_and_adds_keys),
        MODEL_TEST(set_says_what_it_cannot_do),
        MODEL_TEST(sets_are_applied_in_order),
        MODEL_TEST(numbers_have_the_unit_of_where_they_act),
        MODEL_TEST(the_text_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
