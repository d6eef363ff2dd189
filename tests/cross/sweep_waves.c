// sweep_waves.c -- sweeps of strings whose memory is waves under way are those of the same strings
// by poles.
#include <math.h>

#include "sweep_case.h"

// The bowed string of the gallery at two limits of friction, settled for 300 s. At 1e-4 echoes come
// from an even grid. Displacements are as large as 1.
static void compare_sweeps(const char *tolerance, double within) {
    static const char text[] =
        "judder: 1\n"
        "structure: {type: string, length: 1, tension: 2, mass_per_length: 2, modes: infinite,\n"
        "            points: {bow: 0.4}, damping: {type: ratio, value: 0.012}}\n"
        "contacts:\n  bow: {at: bow, against: {velocity: 1.5}, law: {type: stribeck, limit: 4, "
        "drop: 0.32, decay: 1}}\n"
        "start: {type: lift, mode: 1, point: bow, displacement: -2.9224, velocity: -2.7668}\n"
        "simulate: {engine: memory, memory: %s, tolerance: %s, until: 40}\n"
        "sweep: {parameters: [contacts.bow.law.limit], from: [3.8], to: [4.2], points: [2], "
        "settle: 300}\n";
    static const char *const form[] = {"exponentials", "delays"};
    model_case m[2];
    jd_sweep *s[2];
    for (int i = 0; i < 2; i++) {
        char own[2048];
        snprintf(own, sizeof own, text, form[i], tolerance);
        m[i] = (model_case){.context = jd_context_create(NULL)};
        s[i] = sweep_of(&m[i], own);
        sweep_compute(&m[i], s[i], 1);
    }
    for (int k = 0; k < 2; k++) {
        const jd_sweep_point *a = &jd_sweep_look(s[0])->point[k],
                             *b = &jd_sweep_look(s[1])->point[k];
        assert_true(a->settled && b->settled);
        assert_int_equal(a->events, b->events);
        assert_int_equal(a->slips, b->slips);
        double off = fmax(fabs(a->amplitude - b->amplitude),
                          fmax(fabs(a->min - b->min), fabs(a->max - b->max)));
        print_message("   %s: from %.6f to %.6f, off by %.1e, amplitude %.1e; period %.1e, "
                      "multiplier %.1e\n",
                      tolerance, a->min, a->max, off, fabs(a->amplitude - b->amplitude),
                      fabs(a->period - b->period), fabs(a->multiplier - b->multiplier));
        assert_near(a->period, b->period, 1e-4 * a->period);
        assert_true(off < within);
        assert_near(a->multiplier, b->multiplier, 1e-3);
    }
    for (int i = 0; i < 2; i++) {
        jd_sweep_free(s[i]);
        jd_problem_free(m[i].problem);
        jd_context_free(m[i].context);
    }
}

static void sweeps_of_waves_are_those_of_their_poles(void **state) {
    (void)state;
    compare_sweeps("1e-4", 2e-3); // measured 1.2e-3
    compare_sweeps("1e-5", 1e-5); // measured 2.3e-6
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweeps_of_waves_are_those_of_their_poles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
