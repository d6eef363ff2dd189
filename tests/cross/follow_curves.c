// follow_curves.c -- curves of special points in two parameters beside closed forms: pairs that
// leave the unit circle, pitchforks, Den Hartog's boundary between sliding and stop, the onset of
// slip, functions; points of codimension 2 on them.
#include <math.h>

#include "follow_case.h"

static const double pi = 3.14159265358979323846;

static const jd_follow_view *curve_of(model_case *m, const char *text, const char *set,
                                      jd_follow **out) {
    *out = follows(m, text, set, NULL);
    const jd_follow_view *v = jd_follow_look(*out);
    if (v->n_curve < 10) fail_msg("%d points; %s: %s", v->n_curve, jd_end_name(v->end), v->why);
    return v;
}

// u'' + (2 z + s) u' + u = F sin w t (unit/follow_linear): a pair on the circle where s = -2 z,
// with the angle T = 2 pi/w.
#define SLIDING(follow)                                                                            \
    "judder: 1\n"                                                                                  \
    "structure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: {node: 1}},\n"          \
    "  damping: {type: ratio, value: 0.02}, supports: {left: fixed, right: free}}\n"               \
    "contacts: {rub: {at: m, against: {velocity: 5}, law: {type: affine, limit: 1, slope: "        \
    "0.1}}}\n"                                                                                     \
    "drives: {force: {at: m, type: harmonic, amplitude: 1, frequency: 4.6}}\n"                     \
    "orbit: {settle: 400 periods}\n"                                                               \
    "follow: {parameter: contacts.rub.law.slope, from: 0.1, to: -0.3, measure: "                   \
    "rub.velocity.max, curve: neimark-sacker, " follow "}\n"

static void pairs_leave_the_circle_where_damping_ends(void **state) {
    jd_follow *f;
    const jd_follow_view *v = curve_of(
        *state, SLIDING("second: structure.damping.value, second_from: 0.02, second_to: 0.1"), NULL,
        &f);
    assert_int_equal(v->end, JD_END_TO);
    for (int i = 0; i < v->n_curve; i++)
        assert_near(v->curve_point[i].parameter, -2 * v->curve_point[i].second, 1e-11);
    assert_int_equal(v->kept.n_curve_special, 0);
    jd_follow_free(f);
}

// 2 cos(2 pi/w) passes 0 at w = 4 and -1 at w = 3.
static void resonances_are_named(void **state) {
    static const char *const name[] = {"1:4", "1:3"};
    static const double place[] = {4, 3};
    jd_follow *f;
    const jd_follow_view *v = curve_of(
        *state, SLIDING("second: drives.force.frequency, second_from: 4.6, second_to: 2.5"), NULL,
        &f);
    assert_int_equal(v->end, JD_END_TO);
    assert_int_equal(v->kept.n_curve_special, 2);
    for (int k = 0; k < 2; k++) {
        print_message("%s at %.14f\n", v->kept.curve_special[k].name,
                      v->kept.curve_special[k].second);
        assert_string_equal(v->kept.curve_special[k].name, name[k]);
        assert_near(v->kept.curve_special[k].second, place[k], 1e-10);
        assert_near(v->kept.curve_special[k].parameter, -0.04, 1e-11);
    }
    jd_follow_free(f);
}

// x'' + x + R sgn x' = F sin w t. It slides without a stop as long as |acceleration| before a
// reversal exceeds 2 R: at the reversal x0 = R/w^2, with x0^2 = F^2 V^2 - R^2 U^2 (Den Hartog
// 1931),
//   V = 1/(1 - w^2),  U = sin h/(w (1 + cos h)),  h = pi/w:    R = F |V|/sqrt(U^2 + w^-4).
static void den_hartogs_boundary(void **state) {
    jd_follow *f;
    const jd_follow_view *v = curve_of(
        *state,
        "judder: 1\n"
        "structure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: {node: 1}},\n"
        "  supports: {left: fixed, right: free}}\n"
        "contacts: {rub: {at: m, law: {type: coulomb, limit: 0.2}}}\n"
        "drives: {force: {at: m, type: harmonic, amplitude: 1, frequency: 1.6}}\n"
        "start: rest\norbit: {settle: 300 periods}\n"
        "follow: {parameter: contacts.rub.law.limit, from: 0.2, to: 0.9, measure: "
        "rub.displacement.max, curve: stick, second: drives.force.frequency, second_from: 1.6, "
        "second_to: 0.75}\n",
        NULL, &f);
    double worst = 0;
    for (int i = 0; i < v->n_curve; i++) {
        double w = v->curve_point[i].second, V = 1 / (1 - w * w), h = pi / w,
               U = sin(h) / (w * (1 + cos(h)));
        if (fabs(w - 1) < 0.01) continue; // 0/0
        double R = fabs(V) / sqrt(U * U + pow(w, -4));
        worst = fmax(worst, fabs(v->curve_point[i].parameter - R));
        assert_near(v->curve_point[i].parameter, R, 1e-9);
    }
    print_message("%d points, off by %.1e; %s\n", v->n_curve, worst, jd_end_name(v->end));
    assert_true(v->curve_point[v->n_curve - 1].second < 1.2);
    jd_follow_free(f);
}

// The same boundary from the side where it sticks, from an orbit so small that the curve's are a
// thousand times larger; over either number.
static void den_hartogs_boundary_from_the_side_that_sticks(void **state) {
    static const char *const parameter[] = {"contacts.rub.law.limit, from: 0.99, to: 0.1",
                                            "drives.force.amplitude, from: 1.05, to: 9"};
    for (int k = 0; k < 6; k++) {
        char text[1000];
        double w = k < 2 ? 1.6 : k < 4 ? 1.3 : 0.6, worst = 0;
        jd_follow *f;
        snprintf(text, sizeof text,
                 "judder: 1\n"
                 "structure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: {node: "
                 "1}}, supports: {left: fixed, right: free}}\n"
                 "contacts: {rub: {at: m, law: {type: coulomb, limit: %g}}}\n"
                 "drives: {force: {at: m, type: harmonic, amplitude: 1, frequency: %g}}\n"
                 "start: rest\norbit: {settle: 300 periods}\n"
                 "follow: {parameter: %s, measure: rub.displacement.max, curve: stick, second: "
                 "drives.force.frequency, second_from: %g, second_to: 3}\n",
                 k % 2 ? 1 : 0.99, w, parameter[k % 2], w);
        const jd_follow_view *v = curve_of(*state, text, NULL, &f);
        for (int i = 0; i < v->n_curve; i++) {
            double x = v->curve_point[i].second, p = v->curve_point[i].parameter, h = pi / x,
                   U = sin(h) / (x * (1 + cos(h))), V = 1 / (1 - x * x);
            if (fabs(x - 1) < 0.01) continue;                  // 0/0
            double share = fabs(V) / sqrt(U * U + pow(x, -4)); // limit over amplitude
            worst = fmax(worst, fabs((k % 2 ? 1 / p : p) - share));
        }
        print_message("from %g: %d points, off by %.1e; %s\n", w, v->n_curve, worst,
                      jd_end_name(v->end));
        assert_true(worst < 1e-9);
        assert_int_equal(v->end, JD_END_TO);
        jd_follow_free(f);
    }
}

// Stuck, the second mass is a linear oscillator on the first: its spring has the amplitude
// 1/|1 - w^2 + i a w|, and pulls the contact off where that is the limit.
static void slip_begins_where_the_stuck_force_reaches_the_limit(void **state) {
    jd_follow *f;
    const jd_follow_view *v = curve_of(
        *state,
        "judder: 1\n"
        "structure: {type: chain, count: 2, mass: 1, stiffness: 1, points: {a: {node: 1}, b: "
        "{node: 2}}, damping: {type: rayleigh, mass: 0.05}, supports: {left: fixed, right: "
        "free}}\n"
        "contacts: {rub: {at: a, law: {type: coulomb, limit: 2}}}\n"
        "drives: {force: {at: b, type: harmonic, amplitude: 1, frequency: 0.5}}\n"
        "start: rest\norbit: {settle: 100 periods}\n"
        "follow: {parameter: drives.force.frequency, from: 0.5, to: 1, measure: "
        "b.displacement.max, curve: slip-begins, second: contacts.rub.law.limit, second_from: 2, "
        "second_to: 6}\n",
        NULL, &f);
    assert_int_equal(v->end, JD_END_TO);
    for (int i = 0; i < v->n_curve; i++) {
        double w = v->curve_point[i].parameter;
        assert_near(v->curve_point[i].second, 1 / hypot(1 - w * w, 0.05 * w), 1e-9);
    }
    jd_follow_free(f);
}

// An oscillator with a function of its amplitude: F/sqrt((1 - w^2)^2 + (a w)^2) - p = 0.
static void functions_have_curves(void **state) {
    jd_follow *f;
    const jd_follow_view *v = curve_of(
        *state,
        "judder: 1\n"
        "structure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: {node: 1}},\n"
        "  damping: {type: rayleigh, mass: 0.1}, supports: {left: fixed, right: free}}\n"
        "contacts: {stop: {at: m, law: {type: stop, gap: 100, restitution: 1}}}\n"
        "drives: {force: {at: m, type: harmonic, amplitude: 1, frequency: 0.3}}\n"
        "start: rest\norbit: {settle: 100 periods}\n"
        "follow: {parameter: drives.force.frequency, from: 0.3, to: 1, functions: {two: "
        "stop.displacement.amplitude - 2}, curve: function, second: drives.force.amplitude, "
        "second_from: 1, second_to: 0.25}\n",
        NULL, &f);
    assert_int_equal(v->end, JD_END_TO);
    for (int i = 0; i < v->n_curve; i++) {
        double w = v->curve_point[i].parameter;
        assert_near(v->curve_point[i].second, 2 * hypot(1 - w * w, 0.1 * w), 1e-11);
    }
    jd_follow_free(f);
}

#define DUFFING(force, rest)                                                                       \
    "judder: 1\n"                                                                                  \
    "structure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: {node: 1}},\n"          \
    "  damping: {type: rayleigh, mass: 0.2}, supports: {left: fixed, right: free}}\n"              \
    "contacts: {spring: {at: m, law: {type: cubic, stiffness: 0, cubic: 1}}}\n"                    \
    "drives: {force: {at: m, type: harmonic, amplitude: " force ", frequency: 1}}\n"               \
    "start: rest\norbit: {settle: 60 periods}\n"                                                   \
    "follow: {parameter: drives.force.frequency, from: 1, to: 2.5, measure: "                      \
    "spring.displacement.max" rest "}\n"

// Folds of a hardening spring come in pairs that meet at the cusp: a little above its force there
// are two, a little below none.
static void folds_meet_at_a_cusp(void **state) {
    jd_follow *f;
    const jd_follow_view *v = curve_of(*state,
                                       DUFFING("0.6", ", curve: fold, second: "
                                                      "drives.force.amplitude, second_from: 0.6, "
                                                      "second_to: 0.1"),
                                       NULL, &f);
    double force = 0;
    for (int k = 0; k < v->kept.n_curve_special; k++)
        if (!strcmp(v->kept.curve_special[k].name, "cusp")) force = v->kept.curve_special[k].second;
    print_message("cusp at %.10f, %s\n", force, jd_end_name(v->end));
    assert_true(force > 0.1);
    jd_follow_free(f);
    for (int side = -1; side <= 1; side += 2) {
        char set[60];
        snprintf(set, sizeof set, "drives.force.amplitude=%.12g", force * (1 + 1e-3 * side));
        f = follows(*state, DUFFING("1", ", step: 0.001"), set, NULL);
        int folds = 0;
        for (int k = 0; k < jd_follow_look(f)->n_special; k++)
            folds += jd_follow_look(f)->special[k].kind == JD_SPECIAL_FOLD;
        assert_int_equal(folds, side > 0 ? 2 : 0);
        jd_follow_free(f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(pairs_leave_the_circle_where_damping_ends),
        MODEL_TEST(resonances_are_named),
        MODEL_TEST(den_hartogs_boundary),
        MODEL_TEST(den_hartogs_boundary_from_the_side_that_sticks),
        MODEL_TEST(slip_begins_where_the_stuck_force_reaches_the_limit),
        MODEL_TEST(functions_have_curves),
        MODEL_TEST(folds_meet_at_a_cusp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
