// follow_steer.c -- branches that are steered: measures beside the first, an end at a value of a
// measure, both arms at a pitchfork.
//   An oscillator between two stops loses its symmetry at 1.0765045473 and 1.4742231209 (reference,
//   also tests/unit/follow_points.c): both arms leave there, mirror images of each other, with
//   lambda - lambda* in proportion to d^2, d the distance from symmetry.
#include <math.h>

#include "draws.h"
#include "follow_case.h"

#define TWO_STOPS(follow)                                                                          \
    "judder: 1\n"                                                                                  \
    "structure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: {node: 1}}, damping: "  \
    "{type: ratio, value: 0.05}, supports: {left: fixed, right: free}}\n"                          \
    "contacts: {stop: {at: m, against: ground, law: {type: stop, gap: 0.5, sides: both, "          \
    "restitution: 0.7}}}\n"                                                                        \
    "drives: {force: {at: m, type: harmonic, amplitude: 1, frequency: 2}}\n"                       \
    "start: {type: state, displacement: [-0.2], velocity: [0]}\norbit: {settle: 300 periods}\n"    \
    "follow: {parameter: drives.force.frequency, " follow "}\n"

// Where the arm begins: lambda at d = 0, by a parabola in d^2 through its first points.
static double beginning(const jd_follow_view *v, double *first) {
    double x[4], y[4], sum = 0;
    for (int i = 0; i < 4; i++) { // from symmetry: v.max and v.min differ
        const double *also = v->kept.also_value + (size_t)i * 2;
        x[i] = pow(also[0] + also[1], 2);
        y[i] = v->point[i].parameter;
    }
    for (int i = 0; i < 4; i++) {
        double l = 1;
        for (int k = 0; k < 4; k++)
            if (k != i) l *= -x[k] / (x[i] - x[k]);
        sum += l * y[i];
    }
    *first = x[0];
    return sum;
}

static void both_arms_leave_a_pitchfork(void **state) {
    static const double place[] = {1.4742231209, 1.0765045473};
    model_case *m = *state;
    for (int k = 0; k < 2; k++) {
        jd_follow *arm[2];
        double at[2], d;
        for (int side = 0; side < 2; side++) {
            jd_follow_options o = jd_default_follow_options();
            o.branch = k + 1;
            o.arm = side ? -1 : 1;
            arm[side] = follows(m,
                                TWO_STOPS("from: 2, to: 1, measure: "
                                          "stop.velocity.max, also: [stop.velocity.max, "
                                          "stop.velocity.min]"),
                                NULL, &o);
            const jd_follow_view *v = jd_follow_look(arm[side]);
            assert_true(v->n_point > 6);
            at[side] = beginning(v, &d);
            print_message("arm %d of %.10f: begins at %.12f, %s\n", o.arm, place[k], at[side],
                          jd_end_name(v->end));
            assert_near(at[side], place[k], 1e-9);
        }
        const jd_follow_view *a = jd_follow_look(arm[0]), *b = jd_follow_look(arm[1]);
        for (int i = 0; i < 6; i++) // one leans up, the other down
            assert_true((a->kept.also_value[2 * i] + a->kept.also_value[2 * i + 1]) *
                            (b->kept.also_value[2 * i] + b->kept.also_value[2 * i + 1]) <
                        0);
        assert_near(at[0], at[1], 1e-10);
        jd_follow_free(arm[0]);
        jd_follow_free(arm[1]);
    }
}

#define RUBBING(follow)                                                                            \
    "judder: 1\n"                                                                                  \
    "structure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: {node: 1}}, damping: "  \
    "{type: ratio, value: 0.1}, supports: {left: fixed, right: free}}\n"                           \
    "contacts: {rub: {at: m, law: {type: coulomb, limit: 0.1}}}\n"                                 \
    "drives: {force: {at: m, type: harmonic, amplitude: 1, frequency: 1}}\n"                       \
    "start: rest\norbit: {settle: 50 periods}\n"                                                   \
    "follow: {parameter: drives.force.frequency, from: 1.6, to: 1.1, " follow "}\n"

static void measures_beside_the_first_are_recorded(void **state) {
    model_case *m = *state;
    jd_follow *f = follows(m,
                           RUBBING("measure: m.displacement.max, also: [rub.energy.lost, "
                                   "m.velocity.rms]"),
                           NULL, NULL);
    const jd_follow_view *v = jd_follow_look(f);
    assert_int_equal(v->kept.n_also, 2);
    assert_string_equal(v->kept.also[0], "rub.energy.lost");
    for (int i = 0; i < v->n_point; i++) // sliding + and -: 4 R a
        assert_near(v->kept.also_value[2 * i], 0.4 * v->point[i].amplitude, 1e-12);
    assert_int_equal(v->kept.n_spectrum, v->n);
    for (int i = 0; i < v->n_point; i++)
        assert_near(v->kept.spectrum[2 * v->n * i], v->point[i].multiplier[0], 0);
    jd_follow_free(f);
}

static void a_branch_ends_at_the_value_of_its_stop(void **state) {
    model_case *m = *state;
    for (double value = 1; value < 3; value += 0.37) {
        char set[100];
        snprintf(set, sizeof set, "follow.stop={m.displacement.max: %.17g}", value);
        jd_follow *f = follows(m, RUBBING("measure: rub.energy.lost"), set, NULL);
        const jd_follow_view *v = jd_follow_look(f);
        assert_int_equal(v->end, JD_END_STOP);
        assert_near(v->point[v->n_point - 1].amplitude, 0.4 * value, 1e-12);
        assert_near(v->end_parameter, v->point[v->n_point - 1].parameter, 0);
        jd_follow_free(f);
    }
}

static void a_stop_that_is_never_reached_is_told(void **state) {
    model_case *m = *state;
    jd_follow *f = follows(m, RUBBING("stop: {m.displacement.max: 77}"), NULL, NULL);
    assert_int_equal(jd_follow_look(f)->end, JD_END_TO);
    says("why", jd_follow_look(f)->why, "never became 77");
    jd_follow_free(f);
    refuses(m, RUBBING("stop: {m.displacement.max: [1, 2]}"), NULL, JD_SIZE_MISMATCH, "m.yaml:7:71",
            "one measure and one value", "");
}

// Any point is where another branch may start: state and phase at t = 0.
static void points_are_starts(void **state) {
    model_case *m = *state;
    jd_follow *f = follows(m, TWO_STOPS("from: 2, to: 1.5"), NULL, NULL);
    const jd_follow_view *v = jd_follow_look(f);
    seed = 5;
    for (int k = 0; k < 8; k++) {
        int i = pick(v->n_point);
        model_case other = {.context = m->context};
        char set[60];
        jd_orbit *orbit;
        jd_orbit_options o = jd_default_orbit_options();
        snprintf(set, sizeof set, "drives.force.frequency=%.17g", v->point[i].parameter);
        reads(&other, TWO_STOPS("from: 2, to: 1.5"), set);
        o.state = v->state + (size_t)i * (size_t)v->n;
        o.phase = v->kept.start[v->point[i].start];
        o.settle = 0;
        o.periods = 1;
        assert_int_equal(jd_orbit_create(m->context, other.problem, &o, &orbit), JD_OK);
        assert_true(jd_orbit_look(orbit)->found);
        assert_true(jd_orbit_look(orbit)->search.iterations <= 2);
        jd_orbit_free(orbit);
        model_case_drop(&other);
    }
    jd_follow_free(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(both_arms_leave_a_pitchfork), MODEL_TEST(measures_beside_the_first_are_recorded),
        MODEL_TEST(a_branch_ends_at_the_value_of_its_stop),
        MODEL_TEST(a_stop_that_is_never_reached_is_told), MODEL_TEST(points_are_starts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
