// search_work.c -- a search for an orbit of waves that come back ends: found, or by name when it
// took the work that `orbit.work` allows, however slowly the motion settles.
#include <math.h>

#include "draws.h"
#include "how_many.h"
#include "judder/orbit.h"
#include "memory_case.h"

enum { MODELS = 6, WORK = 6000 };
static const double settle = 10;

// Steep friction with hysteresis and hardly any damping: hundreds of periods until it repeats.
static void write_model(char *text, size_t room) {
    snprintf(text, room,
             "judder: 1\nstructure: {type: string, length: 1, tension: 1, mass_per_length: 1, "
             "modes: infinite, points: {bow: %.17g}, damping: {type: ratio, value: %.17g}}\n"
             "contacts: {bow: {at: bow, against: {velocity: 0.1}, law: {type: stribeck, limit: "
             "0.8, drop: 0.5, decay: %.17g, times: %.17g, ambiguity: hysteresis}}}\n"
             "start: {type: lift, mode: 1, point: bow, displacement: 0.05, velocity: 0.1}\n"
             "simulate: {engine: memory, tolerance: %.17g, until: 40}\n"
             "orbit: {settle: %g, work: %d}\n",
             mixed(0.05, 0.4), decades(-3, -2.5), mixed(10, 25), decades(-0.5, 1), decades(-5, -4),
             settle, (int)WORK);
}

// Panels that simulation alone solves until t.
static double panels_until(const char *text, double t) {
    motion *m = motion_of(text, t, 0, NULL);
    jd_report report;
    jd_run_report(m->run, &report);
    double n = (double)report.certificate.evaluations;
    motion_close(m);
    return n;
}

static void searches_end_by_name_within_their_work(void **state) {
    (void)state; // measured: 6 of 6 end so, after at most 1.44 of the work
    int ended = 0;
    double most = 0;
    for (int i = 0; i < how_many(MODELS, MODELS); i++) {
        char text[1024];
        jd_orbit *orbit;
        write_model(text, sizeof text);
        motion *m = motion_open(text, 0, NULL);
        assert_int_equal(jd_orbit_create(m->context, m->problem, NULL, &orbit), JD_OK);
        const jd_orbit_view *v = jd_orbit_look(orbit);
        print_message("   %s after %g\n", jd_orbit_reason_name(v->search.reason),
                      v->search.settled);
        if (v->search.reason == JD_ORBIT_TOO_MUCH_WORK) {
            assert_non_null(strstr(v->search.why, "`orbit.work`"));
            assert_false(v->found);
            ended++;
            most = fmax(most, panels_until(text, v->search.settled) - panels_until(text, settle));
        }
        jd_orbit_free(orbit);
        motion_close(m);
    }
    print_message("   %d ended so, after at most %.2f of the work\n", ended, most / WORK);
    assert_true(ended >= 2);
    assert_true(most < 2 * WORK); // a run by itself takes other panels than one that is searched
}

static jd_orbit *orbit_of(motion *m) {
    jd_orbit *orbit;
    assert_int_equal(jd_orbit_create(m->context, m->problem, NULL, &orbit), JD_OK);
    return orbit;
}

// Real bowing: a limit of 0.8 N, a drop of 0.5 N, 10 s/m; gamma |f'| = 2.5.
static const char bowing[] =
    "judder: 1\nstructure: {type: string, length: 1, tension: 1, mass_per_length: 1, modes: "
    "infinite, points: {bow: 0.13}, damping: {type: ratio, value: 0.02}}\n"
    "contacts: {bow: {at: bow, against: {velocity: 0.1}, law: {type: stribeck, limit: 0.8, drop: "
    "0.5, decay: 10, ambiguity: hysteresis}}}\n"
    "start: {type: lift, mode: 1, point: bow, displacement: 0.05, velocity: 0.1}\n"
    "simulate: {engine: memory, memory: delays, tolerance: 1e-6, until: 40}\n"
    "orbit: {settle: 30}\n";

// Waves that jump, closed by Newton's method, against shooting on poles: another memory, another
// derivative.
static void jumping_waves_are_closed_as_poles_are(void **state) {
    (void)state; // measured: period to 5e-9 of it, multipliers to 1.1e-6 (the first two)
    motion *m = motion_open(bowing, 0, NULL);
    motion *p = motion_open(bowing, SETS("simulate.memory=exponentials"));
    jd_orbit *waves = orbit_of(m), *poles = orbit_of(p);
    const jd_orbit_view *w = jd_orbit_look(waves), *v = jd_orbit_look(poles);
    assert_true(w->found && v->found);
    assert_true(w->search.iterations > 0); // not by simulation
    assert_near(w->period, v->period, 1e-7);
    double worst = 0;
    for (int i = 0; i < 3; i++)
        worst = fmax(
            worst, hypot(w->stability.multiplier[2 * i] - v->stability.multiplier[2 * i],
                         w->stability.multiplier[2 * i + 1] - v->stability.multiplier[2 * i + 1]));
    print_message("   period %.9f and %.9f, multipliers to %.1e\n", w->period, v->period, worst);
    assert_true(worst < 5e-6);
    jd_orbit_free(waves);
    jd_orbit_free(poles);
    motion_close(m);
    motion_close(p);
}

// Little damping, and the work that the search takes with corrections no better than they need be.
static void bowing_with_little_damping_is_closed_within_its_work(void **state) {
    (void)state; // with corrections to 1e-10, and the work as their limit: too-much-work
    motion *m = motion_open(bowing, SETS("structure.damping.value=0.005", "orbit.settle=60",
                                         "orbit.work=60000", "simulate.tolerance=1e-5"));
    jd_orbit *orbit = orbit_of(m);
    const jd_orbit_view *v = jd_orbit_look(orbit);
    print_message("   %s after %d steps\n", jd_orbit_reason_name(v->search.reason),
                  v->search.iterations);
    assert_true(v->found && v->search.iterations > 1);
    jd_orbit_free(orbit);
    motion_close(m);
}

static bool after_some(void *left) { return --*(long *)left < 0; }

// Wherever a search is interrupted: what is called found has its extremes.
static void interrupted_searches_tell_nothing_half(void **state) {
    (void)state; // of the last round: extremes of a part of it, inf and -inf of none
    long left = 1L << 40, all;
    jd_context_def def = jd_default_context_def();
    int found = 0, interrupted = 0;
    def.stop = after_some;
    def.user = &left;
    for (int k = -1; k < 6; k++) {
        motion *m = motion_open_in(&def, bowing, SETS("simulate.tolerance=1e-4"));
        jd_orbit *orbit = orbit_of(m);
        const jd_orbit_view *v = jd_orbit_look(orbit);
        if (k < 0) all = (1L << 40) - left;
        if (v->found) {
            assert_true(isfinite(v->range[0].displacement.max));
            found++;
        } else {
            assert_int_equal(v->search.reason, JD_ORBIT_INTERRUPTED);
            interrupted++;
        }
        jd_orbit_free(orbit);
        motion_close(m);
        left = all - 1 - 6 * (k + 1) * (k + 1); // near the end, and farther from it
    }
    print_message("   %d found, %d interrupted of %ld\n", found, interrupted, all);
    assert_true(found >= 1 && interrupted >= 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches_end_by_name_within_their_work),
        cmocka_unit_test(jumping_waves_are_closed_as_poles_are),
        cmocka_unit_test(bowing_with_little_damping_is_closed_within_its_work),
        cmocka_unit_test(interrupted_searches_tell_nothing_half),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
