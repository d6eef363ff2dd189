// model_examples.c -- the models the file format was designed around, and what is said of them.
#include "model_case.h"

static const char beam[] =
    "judder: 1\n"
    "title: Beam with a friction device\n"
    "structure:\n"
    "  type: fe-beam\n"
    "  length: 2.47 m\n"
    "  bending_stiffness: 1.09e4 N m^2\n"
    "  mass_per_length: 35.4 kg/m\n"
    "  elements: 10\n"
    "  supports: {left: clamped, right: free}\n"
    "  points: {mid: 1.235 m, tip: 2.47 m}\n"
    "  damping: {type: rayleigh, mass: 0.025 1/s, stiffness: 5.5e-5 s}\n"
    "contacts:\n"
    "  tip: {at: tip, against: ground, law: {type: coulomb, limit: 0.66 N}}\n"
    "drives:\n"
    "  shaker: {at: mid, type: harmonic, amplitude: 2.4 N, frequency: {times: 1.1, mode: 1}}\n"
    "start: rest\n"
    "simulate: {engine: auto, until: 100 periods}\n";

static const char string[] =
    "judder: 1                                   # bowed string\n"
    "structure: {type: string, length: 1, tension: 2, mass_per_length: 2, modes: infinite,\n"
    "            points: {bow: 0.4}, damping: {type: ratio, value: 0.1}}\n"
    "contacts:\n"
    "  bow: {at: bow, against: {velocity: 1.5}, law: {type: stribeck, limit: 4, drop: 0.32, "
    "decay: 1}}\n"
    "start: {type: lift, mode: 1, point: bow, displacement: -2.9224, velocity: -2.7668}\n"
    "simulate: {engine: auto, until: 20}\n";

static const char rods[] =
    "judder: 1                                   # two rods rubbing along 25 m\n"
    "bodies:\n"
    "  pile: {type: rod, length: 50 m, axial_stiffness: 1e6 kN, mass_per_length: 1 t/m,\n"
    "         supports: {left: free, right: free}, points: {head: 0 m, third: 16.6666666667 m,\n"
    "         two_thirds: 33.3333333333 m, tip: 50 m}}\n"
    "  sleeve: {type: rod, length: 50 m, axial_stiffness: 1e10 kN, mass_per_length: 1e4 t/m,\n"
    "           modes: 20, supports: {left: free, right: fixed}}\n"
    "contacts:\n"
    "  shaft: {at: {body: pile, span: [25 m, 50 m]}, against: {body: sleeve, span: [0 m, 25 m]},\n"
    "          law: {type: coulomb, limit: 0.6 kN/m}}\n"
    "drives:\n"
    "  hammer: {at: pile.head, type: harmonic, amplitude: 20 kN, frequency: 20 rad/s}\n"
    "start: rest\n"
    "simulate: {engine: wave, nodes: 304, until: 1 s}\n"
    "output: {every: 0.1 s, points: [pile.head, pile.third, pile.two_thirds, pile.tip]}\n";

static const char chain[] =
    "judder: 1                                   # chain of five masses hitting a stop\n"
    "structure: {type: chain, count: 5, mass: 0.2, stiffness: 5, damping: none,\n"
    "            supports: {left: fixed, right: free}, points: {end: {node: 5}}}\n"
    "contacts:\n"
    "  end: {at: end, against: ground, law: {type: stop, gap: 1, restitution: 1}}\n"
    "start: {type: state, displacement: [0.18, 0.36, 0.54, 0.72, 0.9], velocity: [0, 0, 0, 0, "
    "2]}\n"
    "simulate: {engine: auto, until: 1000}\n"
    "nsm: {omega: [1.4, 10], impacts: 1}\n";

static const char nonlinear[] =
    "judder: 1                                   # nonlinear string, frequency response\n"
    "structure: {type: nonlinear-string, modes: 1, stretching: 2, wave_speed: 1, wave_term: "
    "paper,\n"
    "            sigma: auto, points: {contact: 0.4}, damping: {type: ratio, value: 0.03}}\n"
    "drives:\n"
    "  force: {at: contact, type: harmonic, amplitude: 2.5, frequency: 6}\n"
    "follow: {parameter: drives.force.frequency, from: 0.5, to: 20, measure: "
    "contact.displacement.max}\n";

static const char oscillator[] =
    "judder: 1                                   # friction oscillator\n"
    "structure: {type: friction-oscillator, alpha: 0.5, beta: 0.03, wave_term: 0.05, sigma: 50, "
    "static_gain: 1}\n"
    "orbit: {settle: 200}\n";

static void explains(model_case *m, const char *model, const char *expected) {
    char text[1000], cut[20];
    reads(m, model, NULL);
    size_t n = jd_model_explain(m->problem, text, sizeof text);
    assert_string_equal(text, expected);
    assert_int_equal(n, strlen(expected));
    assert_int_equal(jd_model_explain(m->problem, cut, sizeof cut), n); // cut, ended, same length
    assert_int_equal(strlen(cut), sizeof cut - 1);
    assert_int_equal(jd_model_explain(m->problem, NULL, 0), n);
}

static void a_beam_is_explained_with_units(void **state) {
    explains(
        *state, beam,
        "a clamped-free fe-beam, 10 elements, 20 dof, ω1 = 10.113 rad/s; 1 friction contact at "
        "tip (Coulomb, 0.66 N), harmonic force 2.4 N at mid, ω = 11.124 rad/s = 1.1 ω1; run: "
        "exact engine until 56.48 s (100 periods)");
}

static void a_bowed_string_is_explained_without_units(void **state) {
    explains(*state, string,
             "a fixed-fixed string, infinitely many modes, ω1 = 3.1416; 1 friction contact at bow "
             "against a body moving at 1.5 (Stribeck, 4); run: memory engine until 20 (exact "
             "cannot: a body keeps infinitely many modes (say how many with `modes`)); memory: 64 "
             "exponentials, 21 of them modes, error 2.4e-06");
}

static void two_rods_are_explained_with_their_span(void **state) {
    model_case *m = *state;
    explains(
        m, rods,
        "pile: a free-free rod, 20 modes, 1 rigid-body mode, ω2 = 62.832 rad/s; sleeve: a "
        "free-fixed rod, 20 modes, ω1 = 31.416 rad/s; 1 friction contact along pile from 25 to "
        "50 m against sleeve from 0 to 25 m (Coulomb, 600 N/m), harmonic force 20000 N at "
        "pile.head, ω = 20 rad/s; run: wave engine until 1 s");
    const jd_contact_def *c = jd_problem_contact(m->problem, 0)->def;
    assert_string_equal(c->at.body, "pile");
    assert_null(c->at.point);
    assert_near(c->at.from, 25, 0);
    assert_near(c->against.place.to, 25, 0);
    const jd_output_def *o = jd_problem_section(m->problem, JD_OUTPUT, NULL);
    assert_int_equal(o->points.n, 4);
    assert_string_equal(o->points.text[3], "pile.tip");
}

static void a_chain_is_explained_with_its_stop(void **state) {
    explains(
        *state, chain,
        "a fixed-free chain, 5 dof, ω1 = 1.4231; 1 stop at end (gap 1); run: exact engine until "
        "1000; nonsmooth modes from ω = 1.4 to 10");
}

static void moments_and_several_contacts_have_their_units(void **state) {
    explains(
        *state,
        "judder: 1\nstructure: {type: fe-beam, length: 1 m, bending_stiffness: 1 N m^2, "
        "mass_per_length: 1 kg/m, elements: 1, points: {end: {position: 1 m, dof: rotation}, "
        "tip: 1 m}}\n"
        "contacts: {a: {at: end, law: {type: coulomb, limit: 2 N m}}, b: {at: tip, law: {type: "
        "stop, gap: 1 mm, restitution: 1}}}\n"
        "drives: {m: {at: end, type: constant, value: 3 N m}}\n",
        "a clamped-free fe-beam, 1 element, 2 dof, ω1 = 3.5327 rad/s; 2 contacts: friction at "
        "end (Coulomb, 2 N m), stop at tip (gap 0.001 m), constant moment 3 N m at end");
}

// Structures of engines that may not be there: read, or refused for their type and nothing else.
static void other_structures_are_read_or_refused_by_type(void **state) {
    model_case *m = *state;
    const char *models[] = {nonlinear, oscillator};
    for (int i = 0; i < 2; i++) {
        jd_status status = model_parse(m, models[i], NULL);
        if (status == JD_OK) continue;
        assert_int_equal(status, JD_UNKNOWN_NAME);
        assert_string_equal(jd_context_error(m->context)->where, "m.yaml:2:19");
        says("message", jd_context_error(m->context)->message, "unknown type");
    }
}

static void gallery_models_are_read(void **state) {
    model_case *m = *state;
    static const char *const files[] = {
        "friction-beam/rayleigh", "friction-beam/undamped", "friction-beam/two-elements",
        "impact-chain/n5",        "cantilever/tip",         "bowed-string/string"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char file[500];
        snprintf(file, sizeof file, "%s/gallery/%s.yaml", JD_SOURCE_DIR, files[i]);
        model_case_drop(m);
        if (jd_model_read(m->context, file, 0, NULL, &m->problem) != JD_OK)
            fail_msg("%s: %s", jd_context_error(m->context)->where,
                     jd_context_error(m->context)->message);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(a_beam_is_explained_with_units),
        MODEL_TEST(a_bowed_string_is_explained_without_units),
        MODEL_TEST(two_rods_are_explained_with_their_span),
        MODEL_TEST(a_chain_is_explained_with_its_stop),
        MODEL_TEST(moments_and_several_contacts_have_their_units),
        MODEL_TEST(other_structures_are_read_or_refused_by_type),
        MODEL_TEST(gallery_models_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
