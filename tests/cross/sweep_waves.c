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

// Too little bow force: what sticks at first dies out, and the bow slides on along a string at
// rest. 20 modes, all of them as poles and as waves; settled although nothing repeats, within and
// beyond the time given.
static void motions_that_die_out_are_settled(void **state) {
    (void)state;
    static const char text[] =
        "judder: 1\n"
        "structure: {type: string, length: 1, tension: 1, mass_per_length: 1, modes: %s,\n"
        "            points: {bow: 0.06}, damping: {type: ratio, value: 0.02}}\n"
        "contacts:\n  bow: {at: bow, against: {velocity: 0.1}, law: {type: stribeck, limit: 0.8, "
        "drop: 0.5, decay: 20, times: 0.15}}\n"
        "start: {type: lift, mode: 1, point: bow, displacement: 0.05, velocity: 0.1}\n"
        "simulate: {engine: memory, memory: %s, tolerance: 1e-6, until: 40}\n"
        "sweep: {parameters: [contacts.bow.law.times], from: [0.1], to: [0.15], points: [2], "
        "settle: %s, measure: bow.displacement.amplitude}\n";
    static const char *const form[][3] = {{"20", "auto", "500"},
                                          {"20", "auto", "100"},
                                          {"infinite", "exponentials", "100"},
                                          {"infinite", "delays", "100"}};
    for (int i = 0; i < 4; i++) {
        char own[2048];
        snprintf(own, sizeof own, text, form[i][0], form[i][1], form[i][2]);
        model_case m = {.context = jd_context_create(NULL)};
        jd_sweep *s = sweep_of(&m, own);
        sweep_compute(&m, s, 1);
        for (int k = 0; k < 2; k++) {
            const jd_sweep_point *p = &jd_sweep_look(s)->point[k];
            print_message("   %s %s: waited %.0f, %ld slips, amplitude %.1e\n", form[i][0],
                          form[i][1], p->waited, p->slips, p->amplitude);
            assert_true(p->settled && p->slips == 0);
            assert_string_equal(p->phases, "-");
            assert_true(p->amplitude < 1e-7);
        }
        jd_sweep_free(s);
        jd_problem_free(m.problem);
        jd_context_free(m.context);
    }
}

// Samples of a driven motion are those at drive phase 0, as a run has them.
static void samples_are_at_drive_phase_0(void **state) {
    (void)state;
    static const char text[] =
        "judder: 1\n"
        "structure: {type: string, length: 1, tension: 2, mass_per_length: 2, modes: infinite,\n"
        "            points: {bow: 0.4, d: 0.3}, damping: {type: ratio, value: 0.05}}\n"
        "contacts: {bow: {at: bow, law: {type: coulomb, limit: 0.05}}}\n"
        "drives: {f: {at: d, type: harmonic, amplitude: 1, frequency: %.17g}}\n"
        "start: rest\n"
        "simulate: {engine: memory, memory: delays, tolerance: 1e-6, until: 40}\n"
        "sweep: {parameters: [drives.f.frequency], from: [%.17g], to: [%.17g], points: [1], "
        "settle: 40 periods, measure: bow.displacement.max, samples: 3}\n";
    for (int k = 0; k < 3; k++) {
        double w = 1.3 + 1.23 * k, u, v, f;
        char own[1500];
        snprintf(own, sizeof own, text, w, w, w);
        model_case m = {.context = jd_context_create(NULL)};
        jd_sweep *s = sweep_done(&m, own, 1);
        const jd_sweep_point *p = jd_sweep_look(s)->point;
        assert_true(p->settled && p->periods == 1);
        jd_run *run;
        jd_step step = JD_STEP_EVENT;
        assert_int_equal(jd_run_create(m.context, m.problem, &run), JD_OK);
        while (step == JD_STEP_EVENT)
            assert_int_equal(jd_run_advance(run, 80 * 2 * acos(-1) / w, &step), JD_OK);
        assert_int_equal(step, JD_STEP_TIME);
        jd_run_observe_contacts(run, 80 * 2 * acos(-1) / w, &u, &v, &f);
        print_message("w %.2f: %.8f, run %.8f; %.8f, run %.8f\n", w, p->sample[0], u, p->sample[1],
                      v);
        for (int i = 0; i < 3; i++) {
            assert_near(p->sample[2 * i], u, 1e-4 * p->max);
            assert_near(p->sample[2 * i + 1], v, 1e-4 * w * p->max);
        }
        jd_run_free(run);
        jd_sweep_free(s);
        jd_problem_free(m.problem);
        jd_context_free(m.context);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_at_drive_phase_0),
        cmocka_unit_test(sweeps_of_waves_are_those_of_their_poles),
        cmocka_unit_test(motions_that_die_out_are_settled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
