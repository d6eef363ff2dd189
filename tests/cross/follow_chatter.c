// follow_chatter.c -- branches of orbits that chatter and rest on their stop.
//   A mass pressed on its stop by the force k |gap| lifts off in a period of a harmonic force if
//   and only if its amplitude is larger. Followed down from above, motion that lifts off, bounces
//   and comes to rest becomes rest exactly there, whatever restitution, damping, frequency, phase
//   and units; bounces that chatter sums up are no grazings, however many there are.
#include <math.h>

#include "draws.h"
#include "follow_case.h"

static void bounces_of_chatter_are_not_grazings(void **state) {
    for (int i = 0; i < 20; i++) {
        double unit = exp(uniform(-6, 6)), k = uniform(1, 6), gap = -uniform(0.1, 1);
        double press = -gap * k * unit, omega = sqrt(k) * uniform(0.3, 1);
        double e = i % 4 ? uniform(0.05, 0.7) : 0;
        char text[1200];
        snprintf(text, sizeof text,
                 "judder: 1\n"
                 "structure: {type: chain, count: 1, mass: %.17g, stiffness: %.17g, points: {m: "
                 "{node: 1}}, damping: {type: ratio, value: %.17g}, supports: {left: fixed, right: "
                 "free}}\n"
                 "contacts: {stop: {at: m, against: ground, law: {type: stop, gap: %.17g, "
                 "restitution: %.17g}}}\n"
                 "drives: {force: {at: m, type: harmonic, amplitude: 1, frequency: %.17g, phase: "
                 "%.17g}}\n"
                 "start: static\norbit: {settle: 50 periods}\n"
                 "follow: {parameter: drives.force.amplitude, from: %.17g, to: %.17g, measure: "
                 "stop.impact.max}\n",
                 unit, k * unit, uniform(0.005, 0.15), gap, e, omega, uniform(0, 6.28),
                 uniform(1.3, 1.7) * press, 0.8 * press);
        jd_follow *f = follows(*state, text, NULL, NULL);
        const jd_follow_view *v = jd_follow_look(f);
        assert_int_equal(v->end, JD_END_TO);
        assert_int_equal(v->n_special, 1);
        // bounces before it end: one open phase, or several together, shrink to nothing
        jd_special_kind kind = v->special[0].kind;
        assert_true(kind == JD_SPECIAL_PHASES || kind == JD_SPECIAL_OPEN_VANISHES);
        assert_true(v->special[0].error < 1e-8 * press);
        assert_near(v->special[0].parameter, press, v->special[0].error);
        assert_string_equal(v->phases[v->point[0].phases], "o|");
        assert_string_equal(v->phases[v->point[v->n_point - 1].phases], "|");
        jd_follow_free(f);
    }
}

int main(void) {
    seed = 3;
    const struct CMUnitTest tests[] = {MODEL_TEST(bounces_of_chatter_are_not_grazings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
