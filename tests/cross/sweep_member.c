// sweep_member.c -- sweeps with `member: centred` record the centred orbit, whatever the start.
//   Two masses, friction at the first that does not slide, F sin w t and a constant load Q at the
//   second. Stuck, the motion is linear: with Z = k K - w^2 m + i w c, K = [2 -1; -1 1],
//     rigid   |T| = F k/|k - w^2 m + i w c|
//     sprung  |T| = kt |x_1|,  (Z + kt e_1 e_1') x = F e_2
//   The force of the centred orbit is between -|T| and |T|: Q and the start only move the place.
#include <math.h>
#include <stdlib.h>

#include "sweep_case.h"

enum { FREQUENCIES = 5 };
static const double F = 0.3;

// |T|; kt = 0: rigid. z = k - w^2 + i w c; a = z + k + kt, |a z - k^2| by parts.
static double stuck_force(double k, double c, double kt, double w) {
    double re = k - w * w, im = w * c, a = re + k + kt;
    if (!(kt > 0)) return F * k / hypot(re, im);
    return kt * F * k / hypot(a * re - im * im - k * k, im * (a + re));
}

static double between(double low, double high) {
    return low + (high - low) * ((double)rand() / RAND_MAX);
}

static void centred_forces_are_those_of_the_stuck_motion(void **state) {
    (void)state;
    srand(3);
    double largest = 0;
    for (int draw = 0; draw < 16; draw++) {
        model_case m = {.context = jd_context_create(NULL)};
        double k = between(50, 200), c = between(0.3, 1), Q = between(-0.5, 0.5),
               kt = draw % 2 ? between(20, 300) : 0, at = between(-0.004, 0.004);
        char text[1000], spring[60] = "";
        if (kt > 0) snprintf(spring, sizeof spring, ", stiffness: %.17g", kt);
        snprintf(text, sizeof text,
                 "judder: 1\n"
                 "structure: {type: chain, count: 2, mass: 1, stiffness: %.17g, points: {m: {node: "
                 "1}, n: {node: 2}}, damping: {type: rayleigh, mass: %.17g, stiffness: 0}, "
                 "supports: {left: fixed, right: free}}\n"
                 "contacts: {rub: {at: m, law: {type: coulomb, limit: 2%s}}}\n"
                 "drives: {force: {at: n, type: harmonic, amplitude: %g, frequency: 3}, load: {at: "
                 "n, type: constant, value: %.17g}}\n"
                 "start: {type: state, of: nodes, displacement: [%.17g, 0]}\n"
                 "follow: {parameter: drives.force.frequency, from: 2, to: 3, member: held}\n"
                 "sweep: {parameters: [drives.force.frequency], from: [2], to: [5], points: [%d], "
                 "measure: rub.force.%s, member: centred}\n",
                 k, c, spring, F, Q, at, FREQUENCIES, draw % 4 < 2 ? "max" : "min");
        jd_sweep *s = sweep_of(&m, text);
        sweep_compute(&m, s, 1);
        const jd_sweep_view *v = jd_sweep_look(s);
        for (int i = 0; i < FREQUENCIES; i++) {
            const jd_sweep_point *p = &v->point[i];
            double expected = stuck_force(k, c, kt, p->value[0]) * (draw % 4 < 2 ? 1 : -1);
            assert_true(p->settled);
            assert_int_equal(p->events, 0);
            largest = fmax(largest, fabs(p->amplitude / expected - 1));
            assert_relative(p->amplitude, expected, 1e-9);
        }
        jd_sweep_free(s);
        jd_problem_free(m.problem);
        jd_context_free(m.context);
    }
    print_message("largest relative error %.1e\n", largest);
}

// Not asked for, it is the orbit that the start leads to; sliding both ways there is no choice.
static void the_settled_orbit_is_recorded_otherwise(void **state) {
    (void)state;
    double found[4];
    for (int k = 0; k < 4; k++) {
        model_case m = {.context = jd_context_create(NULL)};
        char text[800];
        snprintf(text, sizeof text,
                 "judder: 1\n"
                 "structure: {type: chain, count: 1, mass: 1, stiffness: 100, points: {m: {node: "
                 "1}}, supports: {left: fixed, right: free}, damping: {type: rayleigh, mass: 0.4, "
                 "stiffness: 0}}\n"
                 "contacts: {rub: {at: m, law: {type: coulomb, limit: %g}}}\n"
                 "drives: {force: {at: m, type: harmonic, amplitude: 0.3, frequency: 5}}\n"
                 "start: {type: state, displacement: [0.004], velocity: [0]}\n"
                 "sweep: {parameters: [drives.force.frequency], from: [5], to: [5], points: [1], "
                 "measure: rub.displacement.max, member: %s}\n",
                 k < 2 ? 1.0 : 0.1, k % 2 ? "centred" : "settled");
        jd_sweep *s = sweep_of(&m, text);
        sweep_compute(&m, s, 1);
        assert_true(jd_sweep_look(s)->point[0].settled);
        found[k] = jd_sweep_look(s)->point[0].amplitude;
        jd_sweep_free(s);
        jd_problem_free(m.problem);
        jd_context_free(m.context);
    }
    assert_near(found[0], 0.004, 1e-15);
    assert_near(found[1], 0, 1e-12);
    assert_true(found[2] > 1e-3);
    assert_near(found[2], found[3], 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(centred_forces_are_those_of_the_stuck_motion),
        cmocka_unit_test(the_settled_orbit_is_recorded_otherwise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
