// follow_pair.c -- curves of folds, flips and grazings in two parameters beside closed forms.
//   One impact a period T at speed v, unit mass, spring and gap, F sin(w t): with c, s of T,
//     k = (1 + e) s/(2 (1 - c)),  m = (1 - e)/(2 w),  R = F/(1 - w^2):
//     (1 + k v)^2 + (m v)^2 = R^2
//   Fold: double root, |R| = m/sqrt(k^2 + m^2), v = -k/(k^2 + m^2). Flip: 1 + tr + e^2 = 0 with
//   tr = -2 e c + (1 + e) s a/v, a = (1 + k v)(1 - w^2) - 1. Grazing: |R| = 1.
#include "follow_case.h"

static const char model[] = FOLLOW_KNOCKER
    "follow: {parameter: drives.force.frequency, from: 1.5, to: 2, measure: stop.impact.max,\n"
    "  curve: fold, second: drives.force.amplitude, second_from: 0.5, second_to: 0.2}\n";

static const double e = 0.8;

static jd_follow_options wish(jd_curve_kind curve, const char *second, double from, double to) {
    jd_follow_options o = jd_default_follow_options();
    o.parameter = "drives.force.frequency";
    o.from = 1.5;
    o.to = 2;
    o.measure = "stop.impact.max";
    o.curve = curve;
    o.second = second;
    o.second_from = from;
    o.second_to = to;
    return o;
}

typedef struct numbers {
    double w, k, m, c, s;
} numbers;

static numbers at(double w) {
    double T = 6.283185307179586 / w, c = cos(T), s = sin(T);
    return (numbers){w, (1 + e) * s / (2 * (1 - c)), (1 - e) / (2 * w), c, s};
}

static void folds_lie_on_the_closed_form(void **state) {
    jd_follow *f = follows(*state, model, NULL, NULL);
    const jd_follow_view *v = jd_follow_look(f);
    assert_int_equal(v->end, JD_END_TO);
    assert_true(v->n_curve > 100);
    assert_near(v->curve_point[0].parameter, 1.731665477010, 1e-11);
    assert_near(v->curve_point[v->n_curve - 1].second, 0.2, 1e-15);
    for (int i = 0; i < v->n_curve; i++) {
        const jd_curve_point *p = &v->curve_point[i];
        numbers q = at(p->parameter);
        double whole = q.k * q.k + q.m * q.m;
        assert_near(p->second, fabs(1 - q.w * q.w) * q.m / sqrt(whole), 1e-11);
        assert_near(p->amplitude, -q.k / whole, 1e-9);
        assert_near(p->period, 6.283185307179586 / q.w, 1e-13);
        assert_true(p->residual < 1e-11);
    }
    jd_follow_free(f);
}

static void flips_lie_on_the_closed_form(void **state) {
    jd_follow_options o = wish(JD_CURVE_FLIP, "drives.force.amplitude", 0.5, 0.2);
    o.to = 0.6;
    jd_follow *f = follows(*state, model, NULL, &o);
    const jd_follow_view *v = jd_follow_look(f);
    assert_int_equal(v->end, JD_END_TO);
    assert_true(v->n_curve > 100);
    for (int i = 0; i < v->n_curve; i++) {
        const jd_curve_point *p = &v->curve_point[i];
        numbers q = at(p->parameter);
        double speed = p->amplitude, a = (1 + q.k * speed) * (1 - q.w * q.w) - 1;
        double R = p->second / (1 - q.w * q.w);
        assert_near(1 - 2 * e * q.c + (1 + e) * q.s * a / speed + e * e, 0, 1e-10);
        assert_relative(hypot(1 + q.k * speed, q.m * speed), fabs(R), 1e-10);
    }
    jd_follow_free(f);
}

// Found from the impacting side, where the branch grazes at sqrt(1.5).
static void grazings_lie_on_the_closed_form(void **state) {
    jd_follow_options o = wish(JD_CURVE_GRAZING, "drives.force.amplitude", 0.5, 1.5);
    jd_follow *f = follows(*state, model, NULL, &o);
    const jd_follow_view *v = jd_follow_look(f);
    assert_int_equal(v->end, JD_END_TO);
    assert_true(v->n_curve > 100);
    for (int i = 0; i < v->n_curve; i++) {
        const jd_curve_point *p = &v->curve_point[i];
        assert_near(p->second, p->parameter * p->parameter - 1, 1e-11);
    }
    jd_follow_free(f);
}

// The second parameter may be one of the stop: gap (w^2 - 1) = F. The motion reaches the gap.
static void grazings_follow_the_gap(void **state) {
    jd_follow_options o = wish(JD_CURVE_GRAZING, "contacts.stop.law.gap", 1, 0.3);
    o.measure = "stop.displacement.max";
    jd_follow *f = follows(*state, model, NULL, &o);
    const jd_follow_view *v = jd_follow_look(f);
    assert_int_equal(v->end, JD_END_TO);
    for (int i = 0; i < v->n_curve; i++) {
        const jd_curve_point *p = &v->curve_point[i];
        assert_near(p->second * (p->parameter * p->parameter - 1), 0.5, 1e-10); // measured 1e-11
        assert_near(p->amplitude, p->second, 1e-11);
    }
    jd_follow_free(f);
}

// A motion without impact that meets the stop: damped, so that it is the settled one.
static void grazings_are_found_from_the_free_side(void **state) {
    model_case *m = *state;
    jd_follow_options o = wish(JD_CURVE_GRAZING, "drives.force.amplitude", 0.3, 0.6);
    o.from = 0.5;
    o.to = 1;
    jd_follow *f;
    reads(
        m,
        "judder: 1\n"
        "structure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: {node: 1}},\n"
        "  supports: {left: fixed, right: free}, damping: {type: rayleigh, mass: 0.1}}\n"
        "contacts: {stop: {at: m, against: ground, law: {type: stop, gap: 1, restitution: 0.8}}}\n"
        "drives: {force: {at: m, type: harmonic, amplitude: 0.3, frequency: 0.5}}\n"
        "start: rest\n",
        NULL);
    if (jd_follow_create(m->context, m->problem, &o, &f) != JD_OK)
        fail_msg("%s", jd_context_error(m->context)->message);
    const jd_follow_view *v = jd_follow_look(f);
    assert_int_equal(v->end, JD_END_TO);
    assert_true(v->n_curve > 50);
    for (int i = 0; i < v->n_curve; i++) {
        const jd_curve_point *p = &v->curve_point[i];
        double w = p->parameter;
        assert_near(p->second, hypot(1 - w * w, 0.1 * w), 1e-11);
    }
    jd_follow_free(f);
}

// A stop on both sides, and a load that holds the mass nearer to the lower one, or the upper one:
// the nearer is met, at 1 - 0.2 from where the mass would rest.
static void grazings_are_those_of_the_side_that_is_nearer(void **state) {
    model_case *m = *state;
    for (int side = -1; side <= 1; side += 2) {
        char text[1000];
        snprintf(
            text, sizeof text,
            "judder: 1\n"
            "structure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: {node: 1}},\n"
            "  supports: {left: fixed, right: free}, damping: {type: rayleigh, mass: 0.1}}\n"
            "contacts: {stop: {at: m, against: ground, law: {type: stop, gap: 1, sides: both,"
            " restitution: 0.8}}}\n"
            "drives:\n"
            "  force: {at: m, type: harmonic, amplitude: 0.3, frequency: 0.5}\n"
            "  load: {at: m, type: constant, value: %g}\n"
            "start: rest\n",
            0.2 * side);
        jd_follow_options o = wish(JD_CURVE_GRAZING, "drives.force.amplitude", 0.3, 0.6);
        o.from = 0.5;
        o.to = 1;
        jd_follow *f;
        reads(m, text, NULL);
        if (jd_follow_create(m->context, m->problem, &o, &f) != JD_OK)
            fail_msg("%s", jd_context_error(m->context)->message);
        const jd_follow_view *v = jd_follow_look(f);
        assert_true(v->n_curve > 20);
        for (int i = 0; i < v->n_curve; i++) {
            const jd_curve_point *p = &v->curve_point[i];
            double w = p->parameter;
            assert_near(p->second, 0.8 * hypot(1 - w * w, 0.1 * w), 1e-11);
        }
        jd_follow_free(f);
    }
}

// Frequencies below 1.6 are out of the window: a window's length behind `from`.
static void a_curve_ends_where_it_leaves_the_window(void **state) {
    jd_follow_options o = wish(JD_CURVE_FOLD, "drives.force.amplitude", 0.5, 0.2);
    o.from = 1.7;
    o.to = 1.8;
    jd_follow *f = follows(*state, model, "drives.force.frequency=1.7", &o);
    const jd_follow_view *v = jd_follow_look(f);
    assert_int_equal(v->end, JD_END_SIDE);
    assert_near(v->end_parameter, 1.6, 1e-14);
    jd_follow_free(f);
}

static void a_branch_without_the_point_says_so(void **state) {
    jd_follow_options o = wish(JD_CURVE_FLIP, "drives.force.amplitude", 0.5, 0.2);
    o.to = 1.6;
    jd_follow *f = follows(*state, model, NULL, &o);
    const jd_follow_view *v = jd_follow_look(f);
    assert_int_equal(v->end, JD_END_NO_POINT);
    assert_int_equal(v->n_curve, 0);
    assert_non_null(strstr(v->why, "before a flip was met"));
    jd_follow_free(f);
}

static void bad_curves_are_refused(void **state) {
    model_case *m = *state;
    refuses(m, model, "follow.curve=hopf", JD_UNKNOWN_NAME, "--set follow.curve=hopf", "`fold`",
            "");
    refuses(m, model, "follow.curve=none", JD_MISSING_KEY, "m.yaml:9:24", "`curve` is missing", "");
    refuses(m, model, "follow.second_to=0.5", JD_OUT_OF_RANGE, "m.yaml:9:61", "must differ", "");
    refuses(m, model, "follow.second=drives.force.amplitud", JD_UNKNOWN_KEY,
            "--set follow.second=drives.force.amplitud", "amplitud", "amplitude");
    jd_follow_options o = wish(JD_CURVE_FOLD, "drives.force.frequency", 0.5, 0.2);
    jd_follow *f;
    reads(m, model, NULL);
    assert_int_equal(jd_follow_create(m->context, m->problem, &o, &f), JD_BAD_ARGUMENT);
    says("message", jd_context_error(m->context)->message, "both parameters");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(folds_lie_on_the_closed_form),
        MODEL_TEST(flips_lie_on_the_closed_form),
        MODEL_TEST(grazings_lie_on_the_closed_form),
        MODEL_TEST(grazings_follow_the_gap),
        MODEL_TEST(grazings_are_found_from_the_free_side),
        MODEL_TEST(grazings_are_those_of_the_side_that_is_nearer),
        MODEL_TEST(a_curve_ends_where_it_leaves_the_window),
        MODEL_TEST(a_branch_without_the_point_says_so),
        MODEL_TEST(bad_curves_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
