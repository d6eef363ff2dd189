// follow_pitchfork.c -- where motion between two stops loses its symmetry, against the closed form.
//   x'' + 2 z x' + x = sin w t, |x| <= g. Half a period leads from an impact at g (time t, speed v)
//   to one at -g; seen in a mirror that is the same map again. A symmetric orbit is its fixed point
//   with t + T/2, and loses its symmetry where the derivative N of the half map has the eigenvalue
//   -1: 1 + tr N + det N = 0. Newton's method for (t, v, w) from what `follow` reports.
#include <math.h>

#include "draws.h"
#include "follow_case.h"
#include "shaken_reference.h"

static const real gap = 0.5L;

// First time after t at which the flight reaches -gap.
static real other_side(const shaken *s, const flight *f, real t) {
    const real step = 0.01L;
    while (place(s, f, t + step) > -gap) t += step;
    real lo = t, hi = t + step;
    for (int i = 0; i < 70; i++) {
        real middle = (lo + hi) / 2;
        *(place(s, f, middle) > -gap ? &lo : &hi) = middle;
    }
    return lo;
}

static real pitchfork(const shaken *model, int unused, const real z[3], real out[3]) {
    (void)unused;
    shaken s = *model;
    s.omega = z[2];
    real away = -s.restitution * z[1], N[2][2];
    flight f = fly(&s, z[0], gap, away);
    real t = other_side(&s, &f, z[0]), v = -speed(&s, &f, t);
    real before = sinl(s.omega * z[0]) - 2 * s.ratio * away - gap,
         after = -sinl(s.omega * t) - 2 * s.ratio * v - gap; // seen in the mirror
    for (int j = 0; j < 2; j++) {
        real dt = j == 0, x = -away * dt, y = -s.restitution * (j == 1) - before * dt;
        carry(&s, t - z[0], &x, &y);
        N[0][j] = x / v; // -(-x)/v
        N[1][j] = -y + after * N[0][j];
    }
    out[0] = t - acosl(-1) / z[2] - z[0];
    out[1] = v - z[1];
    out[2] = 1 + N[0][0] + N[1][1] + N[0][0] * N[1][1] - N[0][1] * N[1][0];
    return 1;
}

// Whatever start, phase of the drive and direction.
static jd_follow *follow_two(model_case *m, const shaken *s, double phase, bool up) {
    char text[1200];
    snprintf(text, sizeof text,
             "judder: 1\n"
             "structure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: {node: 1}}, "
             "damping: {type: ratio, value: %.17g}, supports: {left: fixed, right: free}}\n"
             "contacts: {stop: {at: m, against: ground, law: {type: stop, gap: 0.5, restitution: "
             "%.17g, sides: both}}}\n"
             "drives: {force: {at: m, type: harmonic, amplitude: 1, frequency: 2, phase: %.17g}}\n"
             "start: {type: state, displacement: [%.17g], velocity: [%.17g]}\n"
             "orbit: {settle: 200 periods}\n"
             "follow: {parameter: drives.force.frequency, from: %.17g, to: %.17g, measure: "
             "stop.impact.max}\n",
             (double)s->ratio, (double)s->restitution, phase, uniform(-0.4, 0.4), uniform(-3, 3),
             up ? uniform(0.95, 1.05) : uniform(1.8, 3.2), up ? uniform(1.6, 3) : uniform(0.9, 1));
    return follows(m, text, NULL, NULL);
}

// The reference, from the nearest point of the branch, as (t, v, w).
static void solve_near(const jd_follow_view *v, const jd_special *s, const shaken *model,
                       double phase, real z[3]) {
    int at = s->point < v->n_point ? s->point : v->n_point - 1;
    const jd_branch_point *p = &v->point[at];
    const double *state = v->state + (size_t)at * (size_t)v->n;
    shaken here = *model;
    here.omega = p->parameter;
    real t = phase / here.omega, step = 0.01L, lo, hi;
    flight f = fly(&here, t, state[0], state[1]);
    while (fabsl(place(&here, &f, t + step)) < gap) t += step;
    for (lo = t, hi = t + step; hi - lo > 1e-17L;) {
        real middle = (lo + hi) / 2;
        *(fabsl(place(&here, &f, middle)) < gap ? &lo : &hi) = middle;
        if (middle == lo || middle == hi) break;
    }
    z[0] = lo, z[1] = fabsl(speed(&here, &f, lo)), z[2] = here.omega;
    if (place(&here, &f, lo) < 0) z[0] += acosl(-1) / here.omega; // its mirror image
    solve_three(pitchfork, model, 0, z);
}

static double reference(const jd_follow_view *v, const jd_special *s, const shaken *model,
                        double phase) {
    real z[3];
    solve_near(v, s, model, phase, z);
    return (double)z[2];
}

static void pitchforks_are_right_from_every_start(void **state) {
    int compared = 0;
    for (int i = 0; i < 24; i++) {
        shaken model = {.ratio = 0.05L, .restitution = 0.7L};
        if (i % 2) {
            model.ratio = uniform(0.03, 0.06);
            model.restitution = uniform(0.68, 0.8);
        }
        double phase = uniform(0, 6.28);
        jd_follow *f = follow_two(*state, &model, phase, i % 3 == 0);
        const jd_follow_view *v = jd_follow_look(f);
        for (int j = 0; j < v->n_special; j++) {
            const jd_special *s = &v->special[j];
            const char *letters = v->phases[s->before];
            if (s->kind != JD_SPECIAL_BRANCH || strcmp(letters, "!o!o")) continue;
            assert_true(s->error < 1e-9);
            assert_near(s->parameter, reference(v, s, &model, phase), s->error + 1e-13);
            compared++;
        }
        jd_follow_free(f);
    }
    print_message("%d pitchforks compared\n", compared);
    assert_true(compared > 30);
}

// Over the restitution, too: every point of the curve is a pitchfork of its own model.
static void pitchforks_have_curves(void **state) {
    shaken model = {.ratio = 0.05L, .restitution = 0.7L};
    for (int up = 0; up < 2; up++) {
        char text[1200];
        snprintf(
            text, sizeof text,
            "judder: 1\n"
            "structure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: {node: 1}}, "
            "damping: {type: ratio, value: 0.05}, supports: {left: fixed, right: free}}\n"
            "contacts: {stop: {at: m, against: ground, law: {type: stop, gap: 0.5, "
            "restitution: 0.7, sides: both}}}\n"
            "drives: {force: {at: m, type: harmonic, amplitude: 1, frequency: 2}}\n"
            "start: {type: state, displacement: [-0.2], velocity: [0]}\n"
            "orbit: {settle: 300 periods}\n"
            "follow: {parameter: drives.force.frequency, from: 2, to: 1, measure: "
            "stop.impact.max, curve: branch-point, second: contacts.stop.law.restitution, "
            "second_from: 0.7, second_to: %g}\n",
            up ? 0.8 : 0.66);
        jd_follow *f = follows(*state, text, NULL, NULL);
        const jd_follow_view *v = jd_follow_look(f);
        if (v->n_curve < 10) fail_msg("%s: %s", jd_end_name(v->end), v->why);
        const jd_special *s = &v->special[0];
        real z[3]; // along the curve, each from the one before
        solve_near(v, s, &model, 0, z);
        for (int i = 0; i < v->n_curve; i++) {
            shaken here = model;
            here.restitution = v->curve_point[i].second;
            solve_three(pitchfork, &here, 0, z);
            assert_near(v->curve_point[i].parameter, (double)z[2], 1e-10);
        }
        print_message("%d pitchforks, %s\n", v->n_curve, jd_end_name(v->end));
        assert_int_equal(v->end, JD_END_TO);
        jd_follow_free(f);
    }
}

#define ARM(curve)                                                                                 \
    "judder: 1\n"                                                                                  \
    "structure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: {node: 1}}, damping: "  \
    "{type: ratio, value: 0.05}, supports: {left: fixed, right: free}}\n"                          \
    "contacts: {stop: {at: m, against: ground, law: {type: stop, gap: 0.5, restitution: 0.7, "     \
    "sides: both}}}\n"                                                                             \
    "drives: {force: {at: m, type: harmonic, amplitude: 1, frequency: 2}}\n"                       \
    "start: {type: state, displacement: [0.1], velocity: [1]}\n"                                   \
    "orbit: {settle: 200 periods}\n"                                                               \
    "follow: {parameter: drives.force.frequency, from: 1.6, to: 0.95, measure: "                   \
    "stop.impact.max, " curve "}\n"
#define CURVE "second: contacts.stop.law.restitution, curve: "

static jd_follow *follow_arm(model_case *m, const char *text, const char *set) {
    jd_follow_options o = jd_default_follow_options();
    o.branch = 1;
    o.arm = 1;
    return follows(m, text, set, &o);
}

// An arm without symmetry ends where it meets the symmetric orbits again: its curve is theirs.
static void arms_lead_to_curves_of_pitchforks(void **state) {
    shaken model = {.ratio = 0.05L, .restitution = 0.7L};
    jd_follow *f =
        follow_arm(*state, ARM(CURVE "branch-point, second_from: 0.7, second_to: 0.8"), NULL);
    const jd_follow_view *v = jd_follow_look(f);
    if (v->n_curve < 10) fail_msg("%s: %s", jd_end_name(v->end), v->why);
    assert_int_equal(v->end, JD_END_TO);
    jd_follow *along = follows(*state, ARM("step: 0.005"), NULL, NULL);
    const jd_follow_view *whole = jd_follow_look(along);
    assert_int_equal(whole->n_special, 2); // where the arms leave, and where they come back
    real z[3];
    solve_near(whole, &whole->special[1], &model, 0, z);
    for (int i = 0; i < v->n_curve; i++) {
        shaken here = model;
        here.restitution = v->curve_point[i].second;
        solve_three(pitchfork, &here, 0, z);
        assert_near(v->curve_point[i].parameter, (double)z[2], 1e-10);
    }
    jd_follow_free(along);
    jd_follow_free(f);
}

// The arm's fold comes closer to the grazing before it as the restitution falls. Where both meet,
// the grazing of the branch with that restitution is in the same place.
static void folds_end_where_their_impact_grazes(void **state) {
    jd_follow *f = follow_arm(*state, ARM(CURVE "fold, second_from: 0.7, second_to: 0.3"), NULL);
    const jd_follow_view *v = jd_follow_look(f);
    assert_int_equal(v->end, JD_END_GRAZING);
    assert_true(v->n_curve < 200);
    assert_int_equal(v->kept.n_curve_special, 1);
    const jd_curve_special s = v->kept.curve_special[0];
    assert_string_equal(s.name, "fold-grazing");
    jd_follow_free(f);
    char set[60];
    snprintf(set, sizeof set, "follow.second_from=%.17g", s.second);
    f = follow_arm(*state, ARM(CURVE "grazing, second_from: 0.7, second_to: 0.6"), set);
    v = jd_follow_look(f);
    if (v->n_curve < 10) fail_msg("%s: %s", jd_end_name(v->end), v->why);
    print_message("fold-grazing at %.10f, grazing at %.10f, error %.1e\n", s.parameter,
                  v->curve_point[0].parameter, s.error);
    assert_near(v->curve_point[0].second, s.second, 1e-15);
    assert_near(v->curve_point[0].parameter, s.parameter, 1e-8);
    jd_follow_free(f);
}

int main(void) {
    seed = 5;
    const struct CMUnitTest tests[] = {MODEL_TEST(pitchforks_are_right_from_every_start),
                                       MODEL_TEST(pitchforks_have_curves),
                                       MODEL_TEST(arms_lead_to_curves_of_pitchforks),
                                       MODEL_TEST(folds_end_where_their_impact_grazes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
