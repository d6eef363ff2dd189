// follow_points.c -- special points are where they are said to be, within the error stated.
#include <math.h>

#include "draws.h"
#include "follow_case.h"

// One mass on a spring, F = 1; stop and damping ratio to be filled in.
#define SHAKEN(stop, ratio)                                                                        \
    "judder: 1\n"                                                                                  \
    "structure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: {node: 1}},\n"          \
    "  damping: {type: ratio, value: " ratio "}, supports: {left: fixed, right: free}}\n"          \
    "contacts: {stop: {at: m, against: ground, law: {type: stop, " stop ", restitution: 0.7}}}\n"  \
    "drives: {force: {at: m, type: harmonic, amplitude: 1, frequency: 2}}\n"                       \
    "start: {type: state, displacement: [-0.4], velocity: [0]}\n"                                  \
    "orbit: {settle: 400 periods}\n"                                                               \
    "follow: {parameter: drives.force.frequency, from: 2, to: 5, measure: stop.impact.max}\n"

static const char one_stop[] = SHAKEN("gap: 0", "0.02");
static const char two_stops[] = SHAKEN("gap: 0.5, sides: both", "0.05");

// The which-th of its kind lies there, to 1e-9 and within the error stated, with the reference's.
static void lies(const jd_follow_view *v, jd_special_kind kind, int which, double at) {
    for (int i = 0; i < v->n_special; i++) {
        const jd_special *s = &v->special[i];
        if (s->kind != kind || which-- > 0) continue;
        assert_near(s->parameter, at, 1e-9);
        assert_true(s->error < 1e-9);
        assert_near(s->parameter, at, s->error + 6e-11);
        return;
    }
    fail_msg("there is no %s near %.10g", jd_special_name(kind), at);
}

// References to 10 digits from the closed-form map of the oscillator with a stop at its rest.
static void flips_of_a_stop_without_gap(void **state) {
    jd_follow *f = follows(*state, one_stop, NULL, NULL);
    lies(jd_follow_look(f), JD_SPECIAL_FLIP, 0, 2.6578915384);
    jd_follow_free(f);
    f = follows(*state, one_stop, "follow.to=1", NULL);
    lies(jd_follow_look(f), JD_SPECIAL_FLIP, 0, 1.2379819896);
    lies(jd_follow_look(f), JD_SPECIAL_FLIP, 1, 1.0321337222);
    jd_follow_free(f);
}

static void pitchforks_and_fold_between_two_stops(void **state) {
    jd_follow *f = follows(*state, two_stops, "follow.to=1", NULL);
    lies(jd_follow_look(f), JD_SPECIAL_BRANCH, 0, 1.4742231209);
    lies(jd_follow_look(f), JD_SPECIAL_BRANCH, 1, 1.0765045473);
    jd_follow_free(f);
    f = follows(*state, two_stops, NULL, NULL);
    lies(jd_follow_look(f), JD_SPECIAL_FOLD, 0, 4.0225286521);
    // both impacts graze at once where the free motion just reaches: (1 - x)^2 + x/100 = 4, x = w^2
    lies(jd_follow_look(f), JD_SPECIAL_GRAZING, 0, sqrt((1.99 + sqrt(1.99 * 1.99 + 12)) / 2));
    jd_follow_free(f);
}

// The same pitchforks from the orbits without symmetry, which would go on along their own mirror
// images: gap 0.051 does so at a grazing of both stops at once.
static jd_follow *follow_lopsided(void **state, double gap, double e, double ratio, double phase,
                                  double from, double to) {
    char text[900];
    snprintf(text, sizeof text,
             "judder: 1\n"
             "structure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: {node: 1}}, "
             "damping: {type: ratio, value: %.17g}, supports: {left: fixed, right: free}}\n"
             "contacts: {stop: {at: m, against: ground, law: {type: stop, gap: %.17g, restitution: "
             "%.17g, sides: both}}}\n"
             "drives: {force: {at: m, type: harmonic, amplitude: 1, frequency: %.17g, phase: "
             "%.17g}}\n"
             "start: {type: state, displacement: [0], velocity: [0]}\norbit: {settle: 300 "
             "periods}\nfollow: {parameter: drives.force.frequency, from: %.17g, to: %.17g, "
             "measure: stop.velocity.amplitude}\n",
             ratio, gap, e, from, phase, from, to);
    return follows(*state, text, NULL, NULL);
}

static void branches_end_where_they_meet_their_mirror_images(void **state) {
    for (int k = 0; k < 4; k++) {
        double at = k % 2 ? 1.4742231209 : 1.0765045473;
        jd_follow *f = follow_lopsided(state, 0.5, 0.7, 0.05, k, 1.4, k % 2 ? 2 : 0.8);
        const jd_follow_view *v = jd_follow_look(f);
        assert_int_equal(v->end, JD_END_RETRACED);
        assert_near(v->end_parameter, at, 1e-9);
        assert_int_equal(v->special[v->n_special - 1].kind, JD_SPECIAL_BRANCH);
        assert_true(v->special[v->n_special - 1].error < 1e-9);
        jd_follow_free(f);
    }
    jd_follow *f = follow_lopsided(state, 0.051, 0.776, 0.18, 3.9, 2, 1.2);
    const jd_follow_view *v = jd_follow_look(f);
    assert_int_equal(v->end, JD_END_RETRACED);
    jd_follow *g = follow_lopsided(state, 0.051, 0.776, 0.18, 0, 2, 1.2);
    lies(jd_follow_look(g), JD_SPECIAL_GRAZING, 0, v->end_parameter);
    jd_follow_free(f);
    jd_follow_free(g);
}

// A damped mass that is driven less and less, until it sticks: stable orbits up to those at rest,
// whatever rounding makes of the last multiplier.
static void the_last_slip_vanishes_from_stable_orbits(void **state) {
    seed = 11;
    for (int k = 0; k < 20; k++) {
        char text[900];
        double limit = uniform(0.2, 0.6);
        snprintf(
            text, sizeof text,
            "judder: 1\n"
            "structure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: {node: 1}}, "
            "damping: {type: ratio, value: %.17g}, supports: {left: fixed, right: free}}\n"
            "contacts: {c: {at: m, against: ground, law: {type: coulomb, limit: %.17g}}}\n"
            "drives: {force: {at: m, type: harmonic, amplitude: 1, frequency: %.17g}}\n"
            "start: rest\norbit: {settle: 150 periods}\n"
            "follow: {parameter: drives.force.amplitude, from: 1, to: 0.05, measure: "
            "c.velocity.amplitude}\n",
            uniform(0.01, 0.1), limit, uniform(0.3, 2.5));
        jd_follow *f = follows(*state, text, NULL, NULL);
        const jd_follow_view *v = jd_follow_look(f);
        assert_int_equal(v->end, JD_END_TO);
        const jd_special *s = &v->special[v->n_special - 1];
        assert_int_equal(s->kind, JD_SPECIAL_SLIP_ENDS);
        assert_true(v->point[v->n_point - 1].stable);
        assert_true(s->stable_before && !s->undecided_before && s->stable_after);
        assert_near(s->parameter, limit, 1e-9 + s->error);
        jd_follow_free(f);
    }
}

// The window: from `to` to its length behind `from`.
static void assert_in_window(double parameter) { assert_true(parameter >= -1 && parameter <= 5); }

static void nothing_lies_outside_the_window(void **state) {
    jd_follow *f = follows(*state, one_stop, "follow.flip=1", NULL);
    const jd_follow_view *v = jd_follow_look(f);
    assert_true(v->n_point > 10 && v->n_special > 0);
    for (int i = 0; i < v->n_point; i++) assert_in_window(v->point[i].parameter);
    for (int i = 0; i < v->n_special; i++) assert_in_window(v->special[i].parameter);
    assert_in_window(v->end_parameter);
    jd_follow_free(f);
}

// Three masses and a stop. The branch of two periods ends at the flip of the branch of one, which
// is followed by itself from the other side.
static void the_doubled_branch_ends_where_it_would_retrace(void **state) {
    static const char three[] =
        "judder: 1\n"
        "structure: {type: chain, count: 3, mass: 1, stiffness: 1, points: {p2: {node: 2}, p3: "
        "{node: 3}},\n"
        "  damping: {type: ratio, value: 0.0792}, supports: {left: fixed, right: free}}\n"
        "contacts: {stop: {at: p3, against: ground, law: {type: stop, gap: 0.414, restitution: "
        "0.867}}}\n"
        "drives: {force: {at: p2, type: harmonic, amplitude: 1, frequency: 1}}\n"
        "start: rest\n"
        "orbit: {settle: 200 periods}\n"
        "follow: {parameter: drives.force.frequency, from: 1, to: 1.3}\n";
    jd_follow *f = follows(*state, three, NULL, NULL);
    double flip = NAN;
    for (int i = 0; i < jd_follow_look(f)->n_special; i++)
        if (jd_follow_look(f)->special[i].kind == JD_SPECIAL_FLIP)
            flip = jd_follow_look(f)->special[i].parameter;
    jd_follow_free(f);
    jd_follow_options options = jd_default_follow_options();
    options.parameter = "drives.force.frequency";
    options.from = 1.809;
    options.to = 1.085;
    f = follows(*state, three, NULL, &options);
    const jd_follow_view *v = jd_follow_look(f);
    const jd_special *last = &v->special[v->n_special - 1];
    assert_int_equal(v->end, JD_END_RETRACED);
    assert_int_equal(last->kind, JD_SPECIAL_FLIP);
    assert_near(last->parameter, flip, 1e-9);
    assert_near(last->parameter, flip, last->error + 1e-12);
    assert_true(v->end_parameter == last->parameter);
    jd_follow_free(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(flips_of_a_stop_without_gap),
        MODEL_TEST(pitchforks_and_fold_between_two_stops),
        MODEL_TEST(branches_end_where_they_meet_their_mirror_images),
        MODEL_TEST(the_last_slip_vanishes_from_stable_orbits),
        MODEL_TEST(nothing_lies_outside_the_window),
        MODEL_TEST(the_doubled_branch_ends_where_it_would_retrace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
