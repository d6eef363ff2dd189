// follow.c -- branches of periodic orbits: closed forms, special points, ends, bad input.
#include "follow_case.h"
#include "linalg/general.h"

static const char stop_model[] = FOLLOW_KNOCKER
    "follow: {parameter: drives.force.frequency, from: 1.5, to: 2, measure: stop.impact.max}\n";

static const char friction_model[] =
    "judder: 1\n"
    "structure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: {node: 1}},\n"
    "  supports: {left: fixed, right: free}}\n"
    "contacts: {slider: {at: m, against: ground, law: {type: coulomb, limit: 0.4}}}\n"
    "drives: {force: {at: m, type: harmonic, amplitude: 1, frequency: 2}}\n"
    "start: rest\n"
    "orbit: {settle: 100 periods}\n"
    "follow: {parameter: drives.force.frequency, from: 2, to: 1.1}\n";

static const jd_special *special(const jd_follow_view *v, jd_special_kind kind, int which) {
    for (int i = 0; i < v->n_special; i++)
        if (v->special[i].kind == kind && which-- == 0) return &v->special[i];
    fail_msg("there is no %s", jd_special_name(kind));
    return NULL;
}

// References of the impact oscillator: computed with 40 digits from the closed-form return map.
static void impact_branch_turns_at_the_fold_and_grazes(void **state) {
    jd_follow *f = follows(*state, stop_model, NULL, NULL);
    const jd_follow_view *v = jd_follow_look(f);
    assert_near(v->point[0].amplitude, 2.617205227339, 1e-12);
    assert_true(v->point[0].stable);
    const jd_special *fold = special(v, JD_SPECIAL_FOLD, 0);
    assert_near(fold->parameter, 1.731665477010, 1e-12); // measured 4e-13
    assert_near(fold->amplitude, 4.194307064859, 1e-11);
    assert_true(fold->stable_before && !fold->stable_after && fold->turns);
    assert_near(special(v, JD_SPECIAL_GRAZING, 0)->parameter, sqrt(1.5), 5e-12); // measured 9e-13
    assert_int_equal(v->n_special, 2);
    assert_string_equal(v->phases[v->point[0].phases], "!o");
    for (int i = 0; i < v->n_point; i++) assert_true(v->point[i].residual < 1e-10);
    jd_follow_free(f);
}

// Beyond the grazing the motion is u = F/(1 - w^2) sin w t, which does not hit above sqrt(1 + F):
// the branch turns there.
static void beyond_the_grazing_the_branch_goes_on_without_impact(void **state) {
    static const double force[] = {0.5, 0.1};
    for (int k = 0; k < 2; k++) {
        char set[64];
        snprintf(set, sizeof set, "drives.force.amplitude=%g", force[k]);
        jd_follow_options options = jd_default_follow_options();
        options.parameter = "drives.force.frequency";
        options.from = k ? 1.2 : 1.5;
        options.to = 2;
        options.measure = "stop.displacement.amplitude";
        jd_follow *f = follows(*state, stop_model, set, &options);
        const jd_follow_view *v = jd_follow_look(f);
        const jd_special *graze = special(v, JD_SPECIAL_GRAZING, 0);
        assert_near(graze->parameter, sqrt(1 + force[k]), 1e-10);
        assert_string_equal(v->phases[graze->before], "!o");
        assert_string_equal(v->phases[graze->after], "o");
        assert_true(graze->turns);
        assert_int_equal(v->end, JD_END_TO);
        assert_true(v->n_point > graze->point + 50);
        for (int i = graze->point; i < v->n_point; i++) {
            double w = v->point[i].parameter;
            assert_near(v->point[i].amplitude, force[k] / (w * w - 1), 1e-11);
            assert_int_equal(v->point[i].n_event, 0);
        }
        jd_follow_free(f);
    }
}

// The branch passes 1.5 again on its way back; shooting from there finds the unstable orbit.
static void both_orbits_at_one_frequency_lie_on_one_branch(void **state) {
    model_case *m = *state;
    jd_follow *f = follows(m, stop_model, NULL, NULL);
    const jd_follow_view *v = jd_follow_look(f);
    int i = special(v, JD_SPECIAL_GRAZING, 0)->point - 1;
    while (i > 0 && v->point[i].parameter < 1.5) i--;
    assert_false(v->point[i].stable);
    jd_orbit_options options = jd_default_orbit_options();
    options.state = v->state + (size_t)i * (size_t)v->n;
    options.phase = "o";
    jd_orbit *o;
    assert_int_equal(jd_problem_set(m->problem, "drives.force.frequency", 1.5, NULL), JD_OK);
    assert_int_equal(jd_orbit_create(m->context, m->problem, &options, &o), JD_OK);
    const jd_orbit_view *w = jd_orbit_look(o);
    assert_true(w->found && !w->stability.stable);
    assert_int_equal(w->n_event, 1);
    assert_near(w->event[0].speed, 1.169464554391, 1e-11);
    jd_orbit_free(o);
    jd_follow_free(f);
}

// One impact a period at speed v: free motion between has A = -(1 + e) v s/(2 (1 - c)), c and s of
// the period, so the acceleration at impact is a = (1 - A)(1 - w^2) - 1 and the derivative of the
// return has determinant e^2 and trace -2 e c + (1 + e) s a/v. Flip: 1 + trace + e^2 = 0.
static void impact_branch_flips_where_the_closed_form_says(void **state) {
    jd_follow *f = follows(*state, stop_model, "follow.to=0.6", NULL);
    const jd_follow_view *v = jd_follow_look(f);
    const jd_special *flip = special(v, JD_SPECIAL_FLIP, 0);
    double w = flip->parameter, T = 6.283185307179586 / w, c = cos(T), s = sin(T), e = 0.8;
    double A = -(1 + e) * flip->amplitude * s / (2 * (1 - c)), a = (1 - A) * (1 - w * w) - 1;
    double trace = -2 * e * c + (1 + e) * s * a / flip->amplitude;
    assert_near(1 + trace + e * e, 0, 1e-9);
    assert_near(flip->multiplier[0], -1, 1e-9);
    assert_true(flip->stable_before && !flip->stable_after);
    const jd_special *graze = special(v, JD_SPECIAL_GRAZING, 0);
    assert_near(graze->parameter, sqrt(0.5), 2e-11); // measured 6e-12
    assert_false(graze->turns);                      // u = F/(1 - w^2) sin w t goes on below it
    assert_int_equal(v->end, JD_END_TO);
    jd_follow_free(f);
}

// The branch of doubled period leaves the flip with the square of the distance: two impacts whose
// speeds differ by d, d^2 proportional to the way of the parameter.
static void the_doubled_branch_starts_at_the_flip(void **state) {
    jd_follow_options options = jd_default_follow_options();
    options.parameter = "drives.force.frequency";
    options.from = 1.5;
    options.to = 0.6;
    options.measure = "stop.impact.amplitude";
    jd_follow *f = follows(*state, stop_model, NULL, &options);
    double flip = special(jd_follow_look(f), JD_SPECIAL_FLIP, 0)->parameter;
    jd_follow_free(f);
    options.flip = 1;
    f = follows(*state, stop_model, NULL, &options);
    const jd_follow_view *v = jd_follow_look(f);
    assert_true(v->n_point > 5);
    int end = special(v, JD_SPECIAL_GRAZING, 0)->point; // then one impact in two periods
    for (int i = 0; i < end; i++) {
        const jd_branch_point *p = &v->point[i];
        assert_string_equal(v->phases[p->phases], "!o!o");
        assert_relative(p->period, 2 * 6.283185307179586 / p->parameter, 1e-14);
        assert_true(p->amplitude > 1e-3);
    }
    const jd_branch_point *p = v->point;
    double a = p[0].amplitude, b = p[1].amplitude;
    assert_true(p[0].stable && fabs(p[0].parameter - flip) < 1e-6);
    assert_relative((p[0].parameter - flip) / (a * a), (p[1].parameter - flip) / (b * b), 0.05);
    jd_follow_free(f);
}

// A block on a belt sticks and slips with the period 2 pi - 2 atan(D/v) + 2 D/v, D the drop of
// the limit: no drive, so the period is an unknown of the branch.
static void free_period_follows_the_belt(void **state) {
    static const char belt[] =
        "judder: 1\n"
        "structure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: {node: 1}},\n"
        "  supports: {left: fixed, right: free}}\n"
        "contacts: {belt: {at: m, against: {velocity: 0.5},\n"
        "  law: {type: coulomb, limit: 0.6, static_limit: 1}}}\n"
        "orbit: {settle: 50}\n"
        "follow: {parameter: contacts.belt.against.velocity, from: 0.5, to: 1.5}\n";
    jd_follow *f = follows(*state, belt, NULL, NULL);
    const jd_follow_view *v = jd_follow_look(f);
    assert_int_equal(v->end, JD_END_TO);
    for (int i = 0; i < v->n_point; i++) {
        double r = 0.4 / v->point[i].parameter;
        assert_relative(v->point[i].period, 6.283185307179586 - 2 * atan(r) + 2 * r, 1e-12);
        assert_string_equal(v->phases[v->point[i].phases], "-H");
        assert_true(v->point[i].stable);
    }
    jd_follow_free(f);
}

// No contact at all: the closed-form response of one damped mass, at a point of the structure.
static void smooth_response_of_a_point_is_the_closed_form(void **state) {
    static const char smooth[] =
        "judder: 1\n"
        "structure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: {node: 1}},\n"
        "  supports: {left: fixed, right: free}, damping: {type: rayleigh, mass: 0.1}}\n"
        "drives: {force: {at: m, type: harmonic, amplitude: 1, frequency: 0.3}}\n"
        "follow: {parameter: drives.force.frequency, from: 0.3, to: 3, measure: m.velocity.max}\n";
    jd_follow *f = follows(*state, smooth, NULL, NULL);
    const jd_follow_view *v = jd_follow_look(f);
    assert_int_equal(v->end, JD_END_TO);
    for (int i = 0; i < v->n_point; i++) {
        double w = v->point[i].parameter;
        assert_relative(v->point[i].amplitude, w / hypot(1 - w * w, 0.1 * w), 1e-11);
        assert_near(hypot(v->point[i].multiplier[0], v->point[i].multiplier[1]),
                    exp(-0.05 * v->point[i].period), 1e-8); // measured 2e-9
    }
    jd_follow_free(f);
}

// Den Hartog: x0^2 = V^2 - (r U)^2, V = 1/(1 - b^2), U = tan(pi/2b)/b, m = k = F = 1, r = limit.
static double sliding_amplitude(double b, double r) {
    double V = 1 / (1 - b * b), U = tan(3.14159265358979323846 / (2 * b)) / b;
    return sqrt(V * V - r * r * U * U);
}

static void sliding_without_stops_is_den_hartogs_response(void **state) {
    jd_follow *f = follows(*state, friction_model, NULL, NULL);
    const jd_follow_view *v = jd_follow_look(f);
    assert_int_equal(v->end, JD_END_TO);
    assert_true(v->n_point > 100);
    for (int i = 0; i < v->n_point; i++) {
        const jd_branch_point *p = &v->point[i];
        assert_string_equal(v->phases[p->phases], "+-");
        assert_relative(p->amplitude, sliding_amplitude(p->parameter, 0.4), 1e-12);
        assert_relative(p->period, 6.283185307179586 / p->parameter, 1e-15);
    }
    assert_near(v->point[v->n_point - 1].parameter, 1.1, 0);
    jd_follow_free(f);
}

// Sliding from x0 at rest at t1, friction r upwards: x = r + A cos t + B sin t + C sin(b t).
typedef struct slide {
    double b, r, A, B, C;
} slide;

static slide slide_from(double x0, double t1, double b, double r) {
    slide s = {.b = b, .r = r, .C = 1 / (1 - b * b)};
    double p = x0 - r - s.C * sin(b * t1), q = -s.C * b * cos(b * t1);
    s.A = p * cos(t1) - q * sin(t1);
    s.B = p * sin(t1) + q * cos(t1);
    return s;
}

static double slide_at(const slide *s, double t) {
    return s->r + s->A * cos(t) + s->B * sin(t) + s->C * sin(s->b * t);
}

static double slide_speed(const slide *s, double t) {
    return -s->A * sin(t) + s->B * cos(t) + s->C * s->b * cos(s->b * t);
}

// Two stops a period: it leaves x0 when x0 - sin(b t1) = r and must stop at -x0. Mismatch.
static double two_stops(double x0, double b, double r) {
    double t1 = (3.14159265358979323846 - asin(x0 - r)) / b; // the drive falls
    slide s = slide_from(x0, t1, b, r);
    double t = t1 + 0.05, lo, hi;
    while (slide_speed(&s, t) < 0) t += 0.01;
    for (lo = t - 0.01, hi = t; hi - lo > 1e-15 * hi;) {
        double mid = (lo + hi) / 2;
        if (mid == lo || mid == hi) break;
        *(slide_speed(&s, mid) < 0 ? &lo : &hi) = mid;
    }
    return slide_at(&s, (lo + hi) / 2) + x0;
}

static double two_stop_amplitude(double near, double b, double r) {
    double lo = near - 1e-6, hi = near + 1e-6, at_lo = two_stops(lo, b, r);
    assert_true(at_lo * two_stops(hi, b, r) < 0);
    for (int i = 0; i < 60; i++) {
        double mid = (lo + hi) / 2;
        *(two_stops(mid, b, r) * at_lo > 0 ? &lo : &hi) = mid;
    }
    return (lo + hi) / 2;
}

static void two_stops_a_period_follow_the_closed_form(void **state) {
    jd_follow_options options = jd_default_follow_options();
    options.parameter = "drives.force.frequency";
    options.from = 0.75;
    options.to = 0.3;
    jd_follow *f = follows(*state, friction_model, "contacts.slider.law.limit=0.82", &options);
    const jd_follow_view *v = jd_follow_look(f);
    assert_int_equal(v->end, JD_END_TO);
    for (int i = 0; i < v->n_point; i += 5) {
        const jd_branch_point *p = &v->point[i];
        assert_string_equal(v->phases[p->phases], "+H-H");
        assert_near(p->amplitude, two_stop_amplitude(p->amplitude, p->parameter, 0.82), 1e-12);
    }
    jd_follow_free(f);
}

// A stop of zero length: x0 b^2 = r. Above it slides, below it stops twice a period.
static void stops_appear_where_the_closed_form_says(void **state) {
    jd_follow_options options = jd_default_follow_options();
    options.parameter = "drives.force.frequency";
    options.from = 0.95;
    options.to = 0.7;
    jd_follow *f = follows(*state, friction_model, "contacts.slider.law.limit=0.82", &options);
    const jd_follow_view *v = jd_follow_look(f);
    const jd_special *out = special(v, JD_SPECIAL_STICK_VANISHES, 0),
                     *in = special(v, JD_SPECIAL_STICK_APPEARS, 0);
    assert_int_equal(v->n_special, 2);
    for (int i = 0; i < 2; i++) {
        double b = v->special[i].parameter;
        assert_near(sliding_amplitude(b, 0.82) * b * b, 0.82, 1e-9);
        assert_near(v->special[i].amplitude, sliding_amplitude(b, 0.82), 1e-9);
    }
    assert_string_equal(v->phases[out->before], "+H-H");
    assert_string_equal(v->phases[out->after], "+-");
    assert_string_equal(v->phases[in->before], "+-");
    assert_string_equal(v->phases[in->after], "+H-H");
    jd_follow_free(f);
}

// The response without damping grows without bound at resonance when limit < pi/4 amplitude.
static void growth_without_bound_ends_a_branch(void **state) {
    jd_follow *f = follows(*state, friction_model, "follow.to=0.5", NULL);
    const jd_follow_view *v = jd_follow_look(f);
    assert_int_equal(v->end, JD_END_UNBOUNDED);
    assert_near(v->end_parameter, 1, 1e-5);
    jd_follow_free(f);
}

static void a_bound_of_the_parameter_ends_a_branch(void **state) {
    jd_follow_options options = jd_default_follow_options();
    options.parameter = "contacts.stop.law.restitution";
    options.from = 0.8;
    options.to = 1.5;
    jd_follow *f = follows(*state, stop_model, NULL, &options);
    const jd_follow_view *v = jd_follow_look(f);
    assert_int_equal(v->end, JD_END_BOUND);
    assert_near(v->end_parameter, 1, 1e-9);
    jd_follow_free(f);
}

static void the_number_of_points_can_be_limited(void **state) {
    jd_follow_options options = jd_default_follow_options();
    options.points = 7;
    jd_follow *f = follows(*state, stop_model, NULL, &options);
    assert_int_equal(jd_follow_look(f)->n_point, 7);
    assert_int_equal(jd_follow_look(f)->end, JD_END_POINTS);
    jd_follow_free(f);
}

// A contact that never slides may rest anywhere: beyond this limit the beam's tip is stuck.
// Stops appear on the way down: with hardly any orbits allowed for locating the change, it is too
// much.
static void too_many_changes_end_a_branch(void **state) {
    jd_follow_options options = jd_default_follow_options();
    options.parameter = "drives.force.frequency";
    options.from = 0.95;
    options.to = 0.7;
    options.step_orbits = 1;
    jd_follow *f = follows(*state, friction_model, "contacts.slider.law.limit=0.82", &options);
    const jd_follow_view *v = jd_follow_look(f);
    assert_int_equal(v->end, JD_END_CHANGES);
    assert_true(v->end_parameter > 0.7 && v->end_parameter < 0.95);
    says("why", v->why, "add damping");
    jd_follow_free(f);
}

static void a_branch_goes_on_where_the_contact_is_stuck(void **state) {
    jd_follow *f = follows(*state, friction_model, "follow.parameter=contacts.slider.law.limit",
                           &(jd_follow_options){.parameter = "contacts.slider.law.limit",
                                                .from = 0.5,
                                                .to = 2,
                                                .measure = "slider.displacement.amplitude",
                                                .points = 2000,
                                                .step = 0.01,
                                                .tolerance = 1e-12,
                                                .locate = 1e-11,
                                                .special = true,
                                                .orbit = jd_default_orbit_options()});
    const jd_follow_view *v = jd_follow_look(f);
    assert_int_equal(v->end, JD_END_TO);
    const jd_special *last = &v->special[v->n_special - 1];
    assert_int_equal(last->kind, JD_SPECIAL_SLIP_ENDS);
    assert_near(last->parameter, 1, 1e-9); // the amplitude of the drive
    assert_near(last->parameter, 1, last->error + 1e-12);
    assert_int_equal(v->point[v->n_point - 1].resting, 1);
    jd_follow_free(f);
}

// New modes for every point: the last point is the orbit of the model with that stiffness.
static void a_parameter_of_the_structure_is_followed_by_rebuilding(void **state) {
    model_case *m = *state;
    jd_follow_options options = jd_default_follow_options();
    options.parameter = "structure.stiffness.1";
    options.from = 1;
    options.to = 1.2;
    jd_follow *f = follows(m, stop_model, NULL, &options);
    const jd_follow_view *v = jd_follow_look(f);
    assert_int_equal(v->end, JD_END_TO);
    jd_orbit *o;
    reads(m, stop_model, "structure.stiffness=1.2");
    assert_int_equal(jd_orbit_create(m->context, m->problem, NULL, &o), JD_OK);
    assert_true(jd_orbit_look(o)->found);
    assert_near(jd_orbit_look(o)->event[0].speed, v->point[v->n_point - 1].amplitude, 1e-11);
    jd_orbit_free(o);
    jd_follow_free(f);
}

static void refused(model_case *m, const jd_follow_options *options, jd_status status,
                    const char *message, const char *hint) {
    jd_follow *f;
    reads(m, stop_model, NULL);
    assert_int_equal(jd_follow_create(m->context, m->problem, options, &f), status);
    assert_null(f);
    says("message", jd_context_error(m->context)->message, message);
    says("hint", jd_context_error(m->context)->hint, hint);
}

static void bad_requests_are_refused_with_a_reason(void **state) {
    jd_follow_options o = jd_default_follow_options();
    o.parameter = "drives.force.frequncy";
    o.from = 1;
    o.to = 2;
    refused(*state, &o, JD_UNKNOWN_KEY, "drives.force.frequncy", "drives.force.frequency");
    o.parameter = "drives.force.frequency";
    o.to = 1;
    refused(*state, &o, JD_OUT_OF_RANGE, "must differ", "");
    o.to = 2;
    o.measure = "stop.displacment.max";
    refused(*state, &o, JD_UNKNOWN_NAME, "is not a measure", "tip.displacement.max");
    o.measure = "stip.displacement.max";
    refused(*state, &o, JD_UNKNOWN_NAME, "stip", "");
    o.measure = NULL;
    o.from = -1;
    refused(*state, &o, JD_OUT_OF_RANGE, "-1", "");
}

static void no_first_orbit_is_an_end_not_a_failure(void **state) {
    jd_follow_options o = jd_default_follow_options();
    o.orbit.settle = 0;
    o.orbit.iterations = o.orbit.attempts = 1;
    jd_follow *f = follows(*state, stop_model, NULL, &o);
    const jd_follow_view *v = jd_follow_look(f);
    assert_int_equal(v->end, JD_END_NO_ORBIT);
    assert_int_equal(v->n_point, 0);
    assert_true(v->why[0] != 0);
    jd_follow_free(f);
}

// Rank 2 of 4: eigenvalues 0.5 +- 0.2i and two zeros.
static void low_rank_eigenvalues_agree_with_all(void **state) {
    (void)state;
    jd_context *c = jd_context_create(NULL);
    jd_arena *arena = jd_arena_create(c);
    const double L[4][2] = {{1, 2}, {-1, 0.5}, {0.3, 1}, {2, -1}};
    double R[2][4] = {{0.1, -0.2, 0.4, 0.3}, {0.5, 0.1, -0.3, 0.2}}, A[16], B[16], a[8], b[8];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) A[4 * i + j] = L[i][0] * R[0][j] + L[i][1] * R[1][j];
    memcpy(B, A, sizeof A);
    assert_int_equal(jd_eigen_general(arena, 4, A, a), JD_OK);
    assert_int_equal(jd_eigen_low_rank(arena, 4, B, b), JD_OK);
    for (int i = 0; i < 8; i++) assert_near(b[i], a[i], 2e-15);
    assert_true(b[4] == 0 && b[5] == 0 && b[6] == 0 && b[7] == 0);
    jd_arena_free(arena);
    jd_context_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(impact_branch_turns_at_the_fold_and_grazes),
        MODEL_TEST(beyond_the_grazing_the_branch_goes_on_without_impact),
        MODEL_TEST(both_orbits_at_one_frequency_lie_on_one_branch),
        MODEL_TEST(impact_branch_flips_where_the_closed_form_says),
        MODEL_TEST(the_doubled_branch_starts_at_the_flip),
        MODEL_TEST(free_period_follows_the_belt),
        MODEL_TEST(smooth_response_of_a_point_is_the_closed_form),
        MODEL_TEST(sliding_without_stops_is_den_hartogs_response),
        MODEL_TEST(two_stops_a_period_follow_the_closed_form),
        MODEL_TEST(stops_appear_where_the_closed_form_says),
        MODEL_TEST(growth_without_bound_ends_a_branch),
        MODEL_TEST(a_bound_of_the_parameter_ends_a_branch),
        MODEL_TEST(the_number_of_points_can_be_limited),
        MODEL_TEST(too_many_changes_end_a_branch),
        MODEL_TEST(a_branch_goes_on_where_the_contact_is_stuck),
        MODEL_TEST(a_parameter_of_the_structure_is_followed_by_rebuilding),
        MODEL_TEST(bad_requests_are_refused_with_a_reason),
        MODEL_TEST(no_first_orbit_is_an_end_not_a_failure),
        cmocka_unit_test(low_rank_eigenvalues_agree_with_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
