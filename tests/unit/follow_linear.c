// follow_linear.c -- a branch whose multipliers are known in closed form: a pair of complex ones
// alone decides.
//   A shaken mass that slides all the time: u'' + (2 z + s) u' + u = F sin w t + what is constant,
//   with the slope s of friction. Multipliers e^((-(2 z + s)/2 +- i wd) T), T = 2 pi/w: of size 1
//   where s = -2 z, at right angles to 1 for w = 4.
#include <math.h>

#include "follow_case.h"

static const double damped = 0.04; // 2 z
static const char sliding[] =
    "judder: 1\n"
    "structure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: {node: 1}},\n"
    "  damping: {type: ratio, value: 0.02}, supports: {left: fixed, right: free}}\n"
    "contacts: {rub: {at: m, against: {velocity: 5}, law: {type: affine, limit: 1, slope: 0.1}}}\n"
    "drives: {force: {at: m, type: harmonic, amplitude: 1, frequency: 4}}\n"
    "orbit: {settle: 400 periods}\n"
    "follow: {parameter: contacts.rub.law.slope, from: 0.1, to: -0.2, measure: rub.velocity.max}\n";

// |multiplier| of the slope s.
static double size_of(double s) { return exp(-(damped + s) / 2 * (2 * 3.14159265358979 / 4)); }

static void a_complex_pair_alone_makes_unstable(void **state) {
    jd_follow *f = follows(*state, sliding, NULL, NULL);
    const jd_follow_view *v = jd_follow_look(f);
    int unstable = 0;
    assert_true(v->n_point > 5);
    for (int i = 0; i < v->n_point; i++) {
        const jd_branch_point *p = &v->point[i];
        bool grows = size_of(p->parameter) > 1;
        assert_near(hypot(p->multiplier[0], p->multiplier[1]), size_of(p->parameter), 1e-9);
        assert_true(fabs(p->multiplier[0]) < 0.2); // the real part decides nothing
        if (fabs(p->parameter + damped) < 1e-6) continue;
        assert_int_equal(p->stable, !grows);
        assert_int_equal(p->n_unstable, grows ? 2 : 0);
        unstable += grows;
    }
    assert_true(unstable > 2);
    jd_follow_free(f);
}

// The shorter the period, the less a multiplier says about the slope: (1/|m|) d|m|/ds = -T/2.
static void the_pair_leaves_the_circle_within_the_error_stated(void **state) {
    static const double frequency[] = {1.7, 2.3, 2.7, 3, 3.3, 4, 30, 300};
    for (int k = 0; k < 8; k++) {
        char set[40];
        snprintf(set, sizeof set, "drives.force.frequency=%g", frequency[k]);
        jd_follow *f = follows(*state, sliding, set, NULL);
        const jd_follow_view *v = jd_follow_look(f);
        int found = 0;
        for (int i = 0; i < v->n_special; i++) {
            const jd_special *s = &v->special[i];
            if (s->kind != JD_SPECIAL_NEIMARK_SACKER) continue;
            found++;
            print_message("   off by %.1e, error %.1e\n", fabs(s->parameter + damped), s->error);
            assert_near(s->parameter, -damped, s->error);
            assert_true(s->error < 1e-9);
        }
        assert_int_equal(found, 1);
        jd_follow_free(f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(a_complex_pair_alone_makes_unstable),
        MODEL_TEST(the_pair_leaves_the_circle_within_the_error_stated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
