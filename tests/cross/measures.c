// measures.c -- what follow and sweep record: contacts and points, extremes, mean squares, losses.
//   An oscillator that knocks or rubs, drawn at random: both verbs give the same numbers; the
//   energy a contact loses in a period is that of the ledger of a run along the orbit; slides of
//   one sign after the other lose 4 R a; a linear point has rms = amplitude/sqrt(2).
#include <math.h>

#include "draws.h"
#include "follow_case.h"
#include "judder/sweep.h"

enum { MODELS = 12 };

// A chain of two masses: `rub` rubs at the second, `stop` is hit by it, the force acts at the
// first.
static const char *draw_model(char *text, size_t size, bool stop, bool sprung) {
    double w = mixed(0.7, 1.4), limit = mixed(0.05, 0.25), gap = mixed(0.3, 0.9);
    int n = snprintf(text, size,
                     "judder: 1\nunits: SI\n"
                     "structure: {type: chain, count: 2, mass: 1, stiffness: 2, supports: {left: "
                     "fixed, right: free}, points: {a: {node: 1}, b: {node: 2}}, damping: {type: "
                     "ratio, value: %.17g}}\n"
                     "contacts:\n  rub: {at: b, law: {type: coulomb, limit: %.17g%s}}\n",
                     mixed(0.02, 0.08), limit, sprung ? ", stiffness: 3" : "");
    if (stop)
        n += snprintf(text + n, size - (size_t)n,
                      "  stop: {at: a, law: {type: stop, gap: %.17g, restitution: %.17g}}\n", gap,
                      mixed(0.3, 0.9));
    snprintf(text + n, size - (size_t)n,
             "drives: {force: {at: a, type: harmonic, amplitude: 1, frequency: %.17g}}\n"
             "start: rest\norbit: {periods: 1, settle: 200 periods}\n"
             "follow: {parameter: drives.force.frequency, from: %.17g, to: %.17g, points: 1}\n"
             "sweep: {parameters: drives.force.frequency, from: %.17g, to: %.17g, points: 1}\n",
             w, w, w + 0.5, w, w);
    return text;
}

// The first point of the branch; NaN: there is none.
static double by_follow(model_case *m, const char *text, const char *measure) {
    char set[100];
    snprintf(set, sizeof set, "follow.measure=%s", measure);
    jd_follow *f = follows(m, text, set, NULL);
    const jd_follow_view *v = jd_follow_look(f);
    double value = v->n_point && v->point[0].stable ? v->point[0].amplitude : (double)NAN;
    jd_follow_free(f);
    return value;
}

static double by_sweep(model_case *m, const char *text, const char *measure) {
    char set[100];
    bool complete;
    jd_sweep *s;
    snprintf(set, sizeof set, "sweep.measure=%s", measure);
    reads(m, text, set);
    assert_int_equal(jd_sweep_create(m->context, m->problem, &s), JD_OK);
    assert_int_equal(jd_sweep_run(s, &(jd_sweep_options){.threads = 1}, &complete), JD_OK);
    const jd_sweep_point *p = jd_sweep_look(s)->point;
    double value = p->settled && p->periods == 1 ? p->amplitude : (double)NAN;
    jd_sweep_free(s);
    return value;
}

// What the ledger of a run along the orbit says contact j loses in a period.
static double by_ledger(model_case *m, const char *text, int j) {
    jd_orbit *orbit;
    jd_run *run;
    jd_step step = JD_STEP_EVENT;
    jd_report report;
    reads(m, text, NULL);
    assert_int_equal(jd_orbit_create(m->context, m->problem, NULL, &orbit), JD_OK);
    assert_true(jd_orbit_look(orbit)->found);
    double period = jd_orbit_look(orbit)->period;
    assert_int_equal(jd_orbit_run(orbit, &run), JD_OK);
    while (step == JD_STEP_EVENT) assert_int_equal(jd_run_advance(run, period, &step), JD_OK);
    jd_run_report(run, &report);
    double lost = report.ledger.contact[j] + report.ledger.impact[j];
    jd_run_free(run);
    jd_orbit_free(orbit);
    return lost;
}

static void follow_and_sweep_record_the_same(void **state) {
    static const char *const both[] = {
        "rub.displacement.max", "rub.velocity.amplitude", "rub.force.rms",  "rub.energy.lost",
        "rub.displacement.rms", "a.displacement.max",     "a.velocity.rms", "b.velocity.min"};
    static const char *const stops[] = {"stop.impact.max", "stop.energy.lost", "stop.force.max"};
    model_case *m = *state;
    char text[2000];
    double worst = 0;
    int compared = 0;
    seed = 811;
    for (int i = 0; i < MODELS; i++) {
        bool stop = i % 3 == 1; // the last third by engine series
        draw_model(text, sizeof text, stop, i % 3 == 2);
        double size = by_follow(m, text, "a.displacement.max");
        if (isnan(size) || isnan(by_sweep(m, text, "a.displacement.max"))) continue;
        for (int k = 0; k < 8 + 3 * stop; k++) {
            const char *measure = k < 8 ? both[k] : stops[k - 8];
            double a = by_follow(m, text, measure), b = by_sweep(m, text, measure);
            worst = fmax(worst, fabs(a - b));
            compared++;
        }
    }
    print_message("%d measures of %d models: follow and sweep differ by %.1e\n", compared, MODELS,
                  worst);
    assert_true(compared > 40);
    assert_true(worst < 1e-9); // 4e-13 measured
}

static void losses_are_those_of_the_ledger(void **state) {
    model_case *m = *state;
    char text[2000];
    double worst = 0;
    int compared = 0;
    seed = 812;
    for (int i = 0; i < MODELS; i++) {
        bool stop = i % 3 == 1; // the last third by engine series
        draw_model(text, sizeof text, stop, i % 3 == 2);
        double rub = by_follow(m, text, "rub.energy.lost");
        if (isnan(rub)) continue;
        worst = fmax(worst, fabs(rub - by_ledger(m, text, 0)) / rub);
        compared++;
        double hit = stop ? by_follow(m, text, "stop.energy.lost") : 0;
        if (stop) worst = fmax(worst, fabs(hit - by_ledger(m, text, 1)) / (rub + hit));
    }
    print_message("%d models: losses differ from the ledger by %.1e\n", compared, worst);
    assert_true(compared > 6);
    assert_true(worst < 1e-9);
}

// One mass: sliding +, then -, from -a to a and back against R.
static void sliding_loses_four_times_limit_and_amplitude(void **state) {
    static const char text[] =
        "judder: 1\n"
        "structure: {type: chain, count: 1, mass: 1, stiffness: 1, supports: {left: fixed, right: "
        "free}, points: {m: {node: 1}}, damping: {type: ratio, value: 0.03}}\n"
        "contacts: {rub: {at: m, law: {type: coulomb, limit: 0.2}}}\n"
        "drives: {force: {at: m, type: harmonic, amplitude: 1, frequency: 1.1}}\n"
        "start: rest\norbit: {periods: 1, settle: 100 periods}\n"
        "follow: {parameter: drives.force.frequency, from: 1.1, to: 1.3, points: 1}\n";
    model_case *m = *state;
    double lost = by_follow(m, text, "rub.energy.lost"),
           a = by_follow(m, text, "m.displacement.max");
    assert_near(lost, 4 * 0.2 * a, 1e-13);
    assert_near(by_follow(m, text, "rub.force.rms"), 0.2, 1e-14);
}

static void a_linear_point_has_the_rms_of_a_sine(void **state) {
    static const char text[] =
        "judder: 1\n"
        "structure: {type: chain, count: 2, mass: 1, stiffness: 1, supports: {left: fixed, right: "
        "free}, points: {m: {node: 1}, e: {node: 2}}, damping: {type: ratio, value: 0.1}}\n"
        "drives: {force: {at: e, type: harmonic, amplitude: 1, frequency: 1.1}}\n"
        "start: rest\norbit: {periods: 1, settle: 100 periods}\n"
        "follow: {parameter: drives.force.frequency, from: 1.1, to: 1.3, points: 1}\n"
        "sweep: {parameters: drives.force.frequency, from: 1.1, to: 1.3, points: 1}\n";
    model_case *m = *state;
    double a = by_follow(m, text, "m.displacement.amplitude");
    assert_near(by_follow(m, text, "m.displacement.rms"), a / sqrt(2), 1e-13);
    assert_near(by_follow(m, text, "m.velocity.rms"), 1.1 * a / sqrt(2), 1e-12);
    assert_near(by_sweep(m, text, "m.velocity.rms"), 1.1 * a / sqrt(2), 1e-10);
}

static void words_that_do_not_go_together_are_refused(void **state) {
    static const char *const bad[][2] = {
        {"a.force.max", "a point has neither force"}, {"rub.energy.max", "`lost` is known"},
        {"rub.velocity.lost", "only energy"},         {"rub.impact.rms", "no mean square"},
        {"rub.displacement", "is not a measure"},     {"nobody.displacement.max", "nobody"}};
    model_case *m = *state;
    char text[2000], set[100];
    seed = 813;
    draw_model(text, sizeof text, false, false);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        jd_follow *f;
        jd_sweep *s;
        snprintf(set, sizeof set, "follow.measure=%s", bad[i][0]);
        reads(m, text, set);
        assert_int_not_equal(jd_follow_create(m->context, m->problem, NULL, &f), JD_OK);
        says("message", jd_context_error(m->context)->message, bad[i][1]);
        assert_string_equal(jd_context_error(m->context)->where, "follow.measure");
        snprintf(set, sizeof set, "sweep.measure=%s", bad[i][0]);
        reads(m, text, set);
        assert_int_not_equal(jd_sweep_create(m->context, m->problem, &s), JD_OK);
        assert_string_equal(jd_context_error(m->context)->where, "sweep.measure");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {MODEL_TEST(follow_and_sweep_record_the_same),
                                       MODEL_TEST(losses_are_those_of_the_ledger),
                                       MODEL_TEST(sliding_loses_four_times_limit_and_amplitude),
                                       MODEL_TEST(a_linear_point_has_the_rms_of_a_sine),
                                       MODEL_TEST(words_that_do_not_go_together_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
