// orbit_edges.c -- orbits at the edge of rest, and friction beside a stop on one mass.
//   m x'' + k x = F sin w t - friction, F < limit: at rest wherever |x| <= (limit - F)/k, and at
//   the edge of that interval the period map has a double root, P(x) = x - c (x - edge)^2 beyond
//   it: the motion creeps there and never closes. No orbit may be reported at the edge. Friction
//   and a stop on one mass: their forces while both are at rest cannot be told apart. The orbit is
//   that of a run which knows nothing of shooting, and friction keeps its limit.
#include "orbit_case.h"

static int count = 60;
static unsigned long long seed;

static double draw(double low, double high) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

#define OSCILLATOR                                                                                 \
    "judder: 1\nstructure: {type: chain, count: 1, mass: %.17g, stiffness: %.17g, damping: %s,\n"  \
    "  supports: {left: fixed, right: free}, points: {p: {node: 1}}}\n"                            \
    "drives: {f: {at: p, type: harmonic, amplitude: %.17g, frequency: %.17g, phase: %.17g}}\n"     \
    "start: {type: state, displacement: [%.17g], velocity: [0]}\n"

static void no_orbit_is_reported_at_the_edge_of_rest(void **unused) {
    int crept = 0, rests = 0, moves = 0;
    (void)unused;
    for (int i = 0; i < count; i++) {
        char text[1024];
        orbit_case c;
        seed = 7000 + (unsigned long long)i;
        double m = draw(0.5, 2), k = draw(0.5, 2), F = draw(0.5, 1.5), w = draw(3, 6);
        double limit = F * draw(1.05, 1.5), edge = (limit - F) / k, x = edge * draw(1.5, 4);
        w *= sqrt(k / m);
        snprintf(text, sizeof text,
                 OSCILLATOR "contacts: {c: {at: p, against: ground, law: {type: coulomb, limit: "
                            "%.17g}}}\n",
                 m, k, "none", F, w, draw(0, 6), (i % 2 ? -x : x), limit);
        orbit_parse(&c, text);
        orbit_seek(&c, NULL);
        const jd_orbit_view *v = c.view;
        crept += !v->found, rests += v->found && v->stability.neutral > 0;
        moves += v->found && v->stability.neutral == 0;
        if (v->found && v->stability.neutral == 0) {
            double at = fabs(v->range[0].displacement.max + v->range[0].displacement.min) / 2;
            if (fabs(at - edge) < 1e-3 * edge) fail_msg("%s an orbit at the edge", text);
        }
        if (!v->found) assert_int_equal(v->search.reason, JD_ORBIT_NOT_ISOLATED);
        orbit_end(&c);
    }
    print_message("   %d creep, %d rest, %d move\n", crept, rests, moves);
    assert_true(crept > count / 10);
}

// The model's own start, run for long; its state and the events of the period after.
static bool settled_run(orbit_case *c, double until, double *state) {
    jd_run *run = NULL;
    jd_step step = JD_STEP_EVENT;
    assert_int_equal(jd_run_create(c->context, c->problem, &run), JD_OK);
    while (step == JD_STEP_EVENT) assert_int_equal(jd_run_advance(run, until, &step), JD_OK);
    jd_run_modal_state(run, state);
    jd_run_free(run);
    return step == JD_STEP_TIME;
}

static void friction_beside_a_stop_has_the_orbit_the_run_settles_to(void **unused) {
    int found = 0, compared = 0;
    (void)unused;
    for (int i = 0; i < count; i++) {
        static const char *const damping[] = {"none", "{type: ratio, value: 0.05}",
                                              "{type: ratio, value: 1}"};
        char text[1024];
        double a[2], b[2];
        orbit_case c;
        seed = 9000 + (unsigned long long)i;
        double limit = draw(0.01, 0.5), w = draw(0.3, 3), gap = i % 2 ? draw(0, 0.5) : 0;
        snprintf(text, sizeof text,
                 OSCILLATOR "contacts:\n  c: {at: p, against: ground, law: {type: coulomb, limit: "
                            "%.17g}}\n  s: {at: p, against: ground, law: {type: stop, gap: %.17g, "
                            "restitution: %.17g}}\n",
                 1.0, 1.0, damping[i % 3], 1.0, w, draw(0, 6), 0.0, limit, gap,
                 i % 5 ? 0 : draw(0, 0.1));
        orbit_parse(&c, text);
        orbit_seek(&c, NULL);
        const jd_orbit_view *v = c.view;
        found += v->found;
        if (v->found) {
            const jd_range *f = &v->range[0].force;
            if (f->max > limit * (1 + 1e-9) || f->min < -limit * (1 + 1e-9))
                fail_msg("%s friction of %.9g to %.9g", text, f->min, f->max);
        }
        if (v->found && v->stability.stable && v->stability.neutral == 0 &&
            v->stability.largest < 0.5) {
            double T = v->period;
            jd_run *run = NULL;
            assert_int_equal(jd_orbit_run(c.orbit, &run), JD_OK);
            jd_run_modal_state(run, b);
            jd_run_free(run);
            double off = HUGE_VAL;
            for (int k = 0; k < v->periods; k++) { // whichever of its drive periods is first
                assert_true(settled_run(&c, 60 * T + k * T / v->periods, a));
                off = fmin(off, hypot(a[0] - b[0], a[1] - b[1]));
            }
            if (!(off < 1e-7)) fail_msg("%s the run is %.3g off the orbit", text, off);
            compared++;
        }
        orbit_end(&c);
    }
    print_message("   %d orbits, %d compared with runs\n", found, compared);
    assert_true(found > 0.9 * count && compared > count / 3);
}

int main(int argc, char **argv) {
    if (argc > 1) count = atoi(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_orbit_is_reported_at_the_edge_of_rest),
        cmocka_unit_test(friction_beside_a_stop_has_the_orbit_the_run_settles_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
