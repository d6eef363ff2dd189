// follow_free.c -- flips and Neimark-Sacker points on branches without a drive, where one
// multiplier is 1 all along.
//   Two bodies that do not touch: a block that sticks and slips on its belt with the period
//     T = 2 pi - 2 atan(D/v) + 2 D/v        (unit mass and spring, D = static limit - limit)
//   and one that slides steadily on a belt with falling friction, q'' + (2 z w + s) q' + w^2 q =
//   const. The multipliers of the second are exp((-(2 z w + s)/2 +- i r) T): they leave the unit
//   circle at s = -2 z w, at the angle w T.
//   Chains on belts: where a point is reported, orbits sought on both sides of it differ by the
//   multipliers that pass.
#include <math.h>
#include <stdio.h>

#include "draws.h"
#include "follow_case.h"
#include "judder/orbit.h"

static const char *const engines[] = {"exact", "memory"};

static void a_pair_leaves_where_the_closed_form_says(void **state) {
    for (int i = 0, done = 0; done < 16; i++) {
        double v = uniform(0.2, 0.5), w = uniform(0.6, 3), z = uniform(0.01, 0.1), D = 0.4 / v;
        double T = 2 * acos(-1) - 2 * atan(D) + 2 * D, s = -2 * z * w, v2 = uniform(0.5, 1.5);
        char text[1200];
        if (fabs(sin(w * T)) < 0.1) continue; // pairs that meet on the axis
        done++;
        snprintf(text, sizeof text,
                 "judder: 1\n"
                 "structure: {type: modes, omega: [1, %.17g], ratio: [0, %.17g],\n"
                 "  shapes: {a: [1, 0], b: [0, 1]}}\n"
                 "contacts:\n"
                 "  a: {at: a, against: {velocity: %.17g}, law: {type: coulomb, limit: 0.6, "
                 "static_limit: 1}}\n"
                 "  b: {at: b, against: {velocity: %.17g}, law: {type: affine, limit: 1, slope: "
                 "%.17g}}\n"
                 "start: {type: state, displacement: [0, %.17g], velocity: [0, 0], of: modes}\n"
                 "simulate: {engine: %s, until: 1%s}\n"
                 "orbit: {settle: 50}\n"
                 "follow: {parameter: contacts.b.law.slope, from: %.17g, to: %.17g, measure: "
                 "b.displacement.max}\n",
                 w, z, v, v2, 0.5 * s, (1 + 0.5 * s * v2) / (w * w), engines[done % 2],
                 done % 2 ? ", tolerance: 1e-9" : "", 0.5 * s, 1.5 * s);
        jd_follow *f = follows(*state, text, NULL, NULL);
        const jd_follow_view *view = jd_follow_look(f);
        assert_int_equal(view->end, JD_END_TO);
        assert_int_equal(view->n_special, 1);
        const jd_special *p = view->special;
        assert_int_equal(p->kind, JD_SPECIAL_NEIMARK_SACKER);
        assert_true(p->stable_before && !p->stable_after);
        assert_near(p->parameter, s, p->error);
        assert_near(p->parameter, s, 1e-6 * fabs(s)); // measured 2e-7, at a tolerance of 1e-9
        assert_near(p->multiplier[0], cos(w * T), 1e-5);
        assert_near(fabs(p->multiplier[1]), fabs(sin(w * T)), 1e-5);
        jd_follow_free(f);
    }
}

// Multipliers outside the circle of the orbit near branch point number i, with the parameter at
// `value`; *sign: those below -1. -1: no orbit there.
static int outside(model_case *m, const jd_follow_view *v, int i, double value, int *below) {
    jd_orbit_options options = jd_default_orbit_options();
    jd_orbit *orbit;
    jd_problem *copy;
    int count = -1;
    assert_int_equal(jd_problem_copy(m->context, m->problem, &copy), JD_OK);
    assert_int_equal(jd_problem_set(copy, v->parameter, value, NULL), JD_OK);
    options.settle = 0;
    options.state = v->state + i * v->n;
    options.phase = "-";
    options.period = v->point[i].period;
    assert_int_equal(jd_orbit_create(m->context, copy, &options, &orbit), JD_OK);
    const jd_orbit_view *o = jd_orbit_look(orbit);
    *below = 0;
    if (o->found && fabs(o->period - v->point[i].period) < 0.02 * o->period) {
        count = 0;
        for (int k = 0; k < o->n; k++) {
            const double *mu = o->stability.multiplier + 2 * k;
            if (hypot(mu[0] - 1, mu[1]) < 1e-5) continue; // along the orbit
            count += hypot(mu[0], mu[1]) > 1;
            *below += mu[0] < -1 && mu[1] == 0;
        }
    }
    jd_orbit_free(orbit);
    jd_problem_free(copy);
    return count;
}

static int check_point(model_case *m, const jd_follow_view *v, const jd_special *p) {
    int below[2], count[2];
    for (int side = 0; side < 2; side++) {
        const jd_branch_point *q = &v->point[p->point - 1 + side];
        double value = p->parameter + 0.5 * (q->parameter - p->parameter);
        count[side] = outside(m, v, p->point - 1 + side, value, &below[side]);
        if (count[side] < 0) return 0;
    }
    bool flip = p->kind == JD_SPECIAL_FLIP;
    assert_int_equal(abs(count[0] - count[1]), flip ? 1 : 2);
    if (flip) assert_int_equal(abs(below[0] - below[1]), 1);
    if (flip) assert_near(p->multiplier[0], -1, 1e-6);
    assert_near(hypot(p->multiplier[0], p->multiplier[1]), 1, 1e-6);
    return 1;
}

static void orbits_beside_a_point_differ_by_what_passes(void **state) {
    model_case *m = *state;
    int flips = 0, pairs = 0;
    for (int i = 0; i < 100; i++) {
        char text[1200];
        int n = 2 + i % 2;
        double v = uniform(0.3, 0.9);
        snprintf(text, sizeof text,
                 "judder: 1\n"
                 "structure: {type: chain, count: %d, mass: 1, stiffness: %.17g,\n"
                 "  damping: {type: ratio, value: %.17g},\n"
                 "  supports: {left: fixed, right: free}, points: {m: {node: %d}}}\n"
                 "contacts: {rub: {at: m, against: {velocity: %.17g},\n"
                 "  law: {type: coulomb, limit: %.17g, static_limit: %.17g}}}\n"
                 "simulate: {engine: exact, until: 1}\n"
                 "orbit: {settle: 300}\n"
                 "follow: {parameter: contacts.rub.against.velocity, from: %.17g, to: %.17g,\n"
                 "  measure: rub.displacement.max, points: 150}\n",
                 n, uniform(0.5, 2), exp(uniform(-6, -3)), 1 + i % n, v, uniform(0.4, 1),
                 uniform(1.2, 2.5), v, i % 3 ? 0.15 : 1.5);
        jd_follow *f = follows(m, text, NULL, NULL);
        const jd_follow_view *view = jd_follow_look(f);
        for (int k = 0; k < view->n_special; k++) {
            const jd_special *p = &view->special[k];
            bool alone = (k == 0 || p[-1].point < p->point) &&
                         (k + 1 == view->n_special || p[1].point > p->point);
            if (!alone || p->point >= view->n_point) continue;
            if (p->kind == JD_SPECIAL_FLIP) flips += check_point(m, view, p);
            if (p->kind == JD_SPECIAL_NEIMARK_SACKER) pairs += check_point(m, view, p);
        }
        jd_follow_free(f);
    }
    print_message("   %d flips, %d pairs\n", flips, pairs);
    assert_true(flips >= 3 && pairs >= 3);
}

int main(void) {
    seed = 11;
    const struct CMUnitTest tests[] = {MODEL_TEST(a_pair_leaves_where_the_closed_form_says),
                                       MODEL_TEST(orbits_beside_a_point_differ_by_what_passes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
