// follow_beam.c -- a clamped beam of 16 degrees of freedom that rubs at one of them, from stuck
// through stick and slip and back, both ways along one curve.
//   Stuck, the contact holds with the amplitude F |H_ct/H_cc|, H_ij = sum_k phi_k(i)
//   phi_k(j)/(w_k^2
//   - w^2 + 2 i z w_k w) of the free modes: slip begins where that is the limit.
#include <complex.h>
#include <math.h>

#include "follow_case.h"
#include "problem/system.h"

static const char beam[] =
    "judder: 1\n"
    "structure: {type: fe-beam, length: 0.7, bending_stiffness: 12487.5, mass_per_length: 7.047, "
    "elements: 8, supports: {left: clamped, right: free}, points: {rub: 0.2625, tip: 0.7}, "
    "damping: {type: ratio, value: 0.01}}\n"
    "contacts: {rub: {at: rub, law: {type: coulomb, limit: 0.9}}}\n"
    "drives: {force: {at: tip, type: harmonic, amplitude: 0.2, frequency: 110}}\n"
    "start: rest\norbit: {settle: 100 periods}\n"
    "follow: {parameter: drives.force.frequency, from: 110, to: 370, measure: "
    "tip.displacement.max}\n";

// Amplitude of the holding force at w.
static double held(const jd_system *s, double w) {
    double complex cc = 0, ct = 0;
    for (int k = 0; k < s->modal.n; k++) {
        double own = sqrt(s->modal.omega2[k].hi), c = s->contact[0][k].hi, t = s->drive[0][k].hi;
        double complex z = own * own - w * w;
        ((double *)&z)[1] = 2 * 0.01 * own * w; // C11 6.2.5: an array of re, im
        cc += c * c / z;
        ct += c * t / z;
    }
    return 0.2 * cabs(ct / cc);
}

// As seen from the other end.
static jd_special_kind reversed(jd_special_kind k) {
    switch (k) {
    case JD_SPECIAL_STICK_APPEARS:
        return JD_SPECIAL_STICK_VANISHES;
    case JD_SPECIAL_STICK_VANISHES:
        return JD_SPECIAL_STICK_APPEARS;
    case JD_SPECIAL_SLIP_APPEARS:
        return JD_SPECIAL_SLIP_VANISHES;
    case JD_SPECIAL_SLIP_VANISHES:
        return JD_SPECIAL_SLIP_APPEARS;
    case JD_SPECIAL_SLIP_BEGINS:
        return JD_SPECIAL_SLIP_ENDS;
    case JD_SPECIAL_SLIP_ENDS:
        return JD_SPECIAL_SLIP_BEGINS;
    default:
        return k;
    }
}

static void both_ways_are_one_curve(void **state) {
    model_case *m = *state;
    jd_special room[2][200];
    jd_follow_options o = jd_default_follow_options();
    jd_follow *up = follows(m, beam, NULL, NULL);
    jd_follow_view a = located(jd_follow_look(up), room[0], 200);
    assert_int_equal(a.end, JD_END_TO);
    assert_int_equal(a.special[0].kind, JD_SPECIAL_SLIP_BEGINS);
    double onset = a.special[0].parameter,
           off = held(jd_problem_system(m->problem), onset) / 0.9 - 1;
    print_message("slip begins at %.10f, force off by %.1e; %d special points\n", onset, off,
                  a.n_special);
    assert_near(off, 0, 1e-9);
    o.parameter = "drives.force.frequency";
    o.from = 370, o.to = 110;
    jd_follow *down = NULL;
    reads(m, beam, NULL);
    assert_int_equal(jd_follow_create(m->context, m->problem, &o, &down), JD_OK);
    jd_follow_view b = located(jd_follow_look(down), room[1], 200);
    assert_int_equal(b.end, JD_END_TO);
    assert_int_equal(b.n_special, a.n_special);
    for (int i = 0; i < a.n_special; i++) {
        const jd_special *p = &a.special[i], *q = &b.special[b.n_special - 1 - i];
        assert_int_equal(q->kind, reversed(p->kind));
        assert_false(p->turns || q->turns);
        assert_near(q->parameter, p->parameter, 1e-6); // changes of almost nothing: some 1e-7
        assert_near(q->amplitude, p->amplitude, 1e-11);
    }
    assert_near(b.special[b.n_special - 1].parameter, onset, 1e-7);
    jd_follow_free(up);
    jd_follow_free(down);
}

int main(void) {
    const struct CMUnitTest tests[] = {MODEL_TEST(both_ways_are_one_curve)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
