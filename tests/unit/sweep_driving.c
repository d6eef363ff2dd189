// sweep_driving.c -- sweeps of rods that go on with every period: the set per period.
#include "draws.h"
#include "driven_pile.h"
#include "how_many.h"
#include "wave_case.h"

static char text[4000];

static const char *write_pile(const char *sweep) {
    snprintf(text, sizeof text,
             "judder: 1\n"
             "structure: {type: rod, length: 2, axial_stiffness: 4e9, mass_per_length: 100,\n"
             "  supports: {left: free, right: free}, points: {head: 0, tip: 2}}\n"
             "contacts: {shaft: {at: {span: [0, 2]}, against: ground, law: {type: coulomb, limit: "
             "%g}}}\n"
             "drives:\n"
             "  weight: {at: {span: [0, 2]}, type: constant, value: %g}\n"
             "  vibrator: {at: head, type: harmonic, amplitude: 2000, frequency: 60}\n"
             "simulate: {engine: wave, nodes: 9, until: 1}\n"
             "sweep: {%s}\n",
             limit / 2, weight / 2, sweep);
    return text;
}

static jd_status sweep(wave_case *w, jd_sweep **out) {
    bool complete = false;
    *w = (wave_case){.context = jd_context_create(NULL)};
    *out = NULL;
    jd_status s =
        jd_model_parse(w->context, "m.yaml", ".", text, strlen(text), 0, NULL, &w->problem);
    if (s == JD_OK) s = jd_sweep_create(w->context, w->problem, out);
    return s == JD_OK ? jd_sweep_run(*out, NULL, &complete) : s;
}

static void close_all(wave_case *w) {
    jd_problem_free(w->problem);
    jd_context_free(w->context);
}

static void sets_per_period_are_those_of_runs(void **state) {
    (void)state;
    wave_case w;
    jd_sweep *sw;
    double worst = 0, most = 0;
    write_pile(
        "parameters: [drives.vibrator.frequency, drives.vibrator.amplitude], from: [40, 800], "
        "to: [90, 4000], points: [3, 4], measure: tip.displacement.set");
    if (sweep(&w, &sw) != JD_OK) fail_msg("%s", jd_context_error(w.context)->message);
    const jd_sweep_view *v = jd_sweep_look(sw);
    assert_int_equal(v->n_point, 12);
    for (int i = 0; i < v->n_point; i++) {
        const jd_sweep_point *p = &v->point[i];
        double exact = rigid_set(p->value[0], p->value[1], 40, 16);
        assert_true(p->settled && p->periods == 1);
        worst = fmax(worst, fabs(p->amplitude - exact));
        most = fmax(most, exact);
    }
    print_message("set per period: up to %.3e m, off by %.1e of it\n", most, worst / most);
    assert_true(most > 1e-3);
    assert_near(worst / most, 0, 4e-4); // 2.3e-4: steps, and it is not quite rigid
    jd_sweep_free(sw);
    close_all(&w);
}

static void refused(const char *keys, const char *words) {
    wave_case w;
    jd_sweep *sw;
    write_pile(keys);
    assert_int_not_equal(sweep(&w, &sw), JD_OK);
    const jd_error *e = jd_context_error(w.context);
    if (!strstr(e->message, words) && !strstr(e->hint, words))
        fail_msg("`%s` (%s) does not say `%s`", e->message, e->hint, words);
    jd_sweep_free(sw);
    close_all(&w);
}

static void mistakes_are_named(void **state) {
    (void)state;
    const char *grid = "parameters: [drives.vibrator.frequency], from: [40], to: [90], points: [2]";
    char keys[300];
    refused(grid, "tip.displacement.set");
    snprintf(keys, sizeof keys, "%s, measure: shaft.displacement.set", grid);
    refused(keys, "displacement of a point");
    snprintf(keys, sizeof keys, "%s, measure: tip.velocity.set", grid);
    refused(keys, "displacement of a point");
    snprintf(keys, sizeof keys, "%s, measure: tip.displacement.set, direction: up", grid);
    refused(keys, "carry");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_per_period_are_those_of_runs),
        cmocka_unit_test(mistakes_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
