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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(searches_end_by_name_within_their_work)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
