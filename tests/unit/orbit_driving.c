// orbit_driving.c -- orbits of rods on a grid: the motion under a vibrator, which goes on by a set.
#include "draws.h"
#include "driven_pile.h"
#include "how_many.h"
#include "wave_case.h"

static char text[4000];
static const double step = 2.0 / 8 / 6324.555320336759; // of nine nodes: h/c [s]

static const char *write_pile(double omega, double force, const char *more) {
    snprintf(text, sizeof text,
             "judder: 1\n"
             "structure: {type: rod, length: 2, axial_stiffness: 4e9, mass_per_length: 100,\n"
             "  supports: {left: free, right: free}, points: {head: 0, tip: 2}}\n"
             "contacts: {shaft: {at: {span: [0, 2]}, against: ground, law: {type: coulomb, limit: "
             "%g}}}\n"
             "drives:\n"
             "  weight: {at: {span: [0, 2]}, type: constant, value: %g}\n"
             "  vibrator: {at: head, type: harmonic, amplitude: %.17g, frequency: %.17g}\n"
             "simulate: {engine: wave, nodes: 9, until: 1}\n%s",
             limit / 2, weight / 2, force, omega, more);
    return text;
}

static jd_status find(wave_case *w, jd_orbit **out) {
    *w = (wave_case){.context = jd_context_create(NULL)};
    *out = NULL;
    jd_status s =
        jd_model_parse(w->context, "m.yaml", ".", text, strlen(text), 0, NULL, &w->problem);
    return s == JD_OK ? jd_orbit_create(w->context, w->problem, NULL, out) : s;
}

static void close_all(wave_case *w, jd_orbit *o) {
    jd_orbit_free(o);
    jd_problem_free(w->problem);
    jd_context_free(w->context);
}

// The orbit goes on from where it was found: the next period is the same, with time from 0. Every
// other node is of a motion of its own, with a set that is a little different.
static void check_run(jd_orbit *o, const jd_orbit_view *v, double tolerance) {
    jd_run *run;
    double before[9], speed[9], most = 0;
    assert_int_equal(jd_orbit_run(o, &run), JD_OK);
    for (int k = 0; k < 2; k++) {
        jd_body_field f;
        jd_step s;
        assert_int_equal(jd_run_advance(run, k * v->period, &s), JD_OK);
        assert_true(jd_run_body(run, 0, &f));
        assert_int_equal(f.n, 9);
        for (int i = 0; i < 9; i++) {
            if (k == 1) {
                assert_near(f.displacement[i] - before[i], v->set[0], tolerance * fabs(v->set[0]));
                assert_near(f.velocity[i], speed[i], tolerance * most);
            }
            before[i] = f.displacement[i];
            speed[i] = f.velocity[i];
            most = fmax(most, fabs(speed[i]));
        }
        most = fmax(most, fabs(v->set[0]) / v->period);
    }
    jd_run_free(run);
}

static void orbits_of_rods_go_on_by_their_set(void **state) {
    (void)state;
    double worst = 0, most = 0, residual = 0;
    for (int k = 0, count = how_many(24, 8); k < count; k++) {
        bool whole = k % 2 == 0; // steps that meet the periods
        int steps = 16 * (90 + pick(160)), turns = k % 6 == 5 ? 2 : 1;
        double omega = 2 * acos(-1) / ((steps + (whole ? 0 : mixed(0.2, 0.8))) * step);
        double force = mixed(800, 4000), exact = rigid_set(omega, force, 39, 1);
        wave_case w;
        jd_orbit *o;
        write_pile(omega, force, turns == 2 ? "orbit: {periods: 2, settle: 0.2}\n" : "");
        if (find(&w, &o) != JD_OK) fail_msg("%s", jd_context_error(w.context)->message);
        const jd_orbit_view *v = jd_orbit_look(o);
        assert_true(v->found && v->forced && v->simulated && v->stability.stable);
        assert_int_equal(v->periods, turns);
        assert_near(v->period, turns * 2 * acos(-1) / omega, 1e-12);
        assert_non_null(v->stability.why_none);
        worst = fmax(worst, fabs(v->set[0] / turns - exact));
        most = fmax(most, exact);
        residual = fmax(residual, v->residual);
        check_run(o, v, 2e-2);
        assert_true(v->range[0].force.min >= -limit * (1 + 1e-12));
        assert_true(v->range[0].force.max <= limit * (1 + 1e-12));
        close_all(&w, o);
    }
    print_message("orbits: set up to %.3e m, off by %.1e of it; residual %.1e\n", most,
                  worst / most, residual);
    assert_true(most > 1e-3);
    assert_near(worst / most, 0, 6e-4);
    assert_near(residual, 0, 5e-3);
}

// Two bodies, one of them at rest on the whole; a set each, in the order of the bodies.
static void each_body_has_a_set(void **state) {
    (void)state;
    wave_case w;
    jd_orbit *o;
    snprintf(
        text, sizeof text,
        "judder: 1\nbodies:\n"
        "  pile: {type: rod, length: 10, axial_stiffness: 4e8, mass_per_length: 100, supports: "
        "{left: free, right: free}, points: {head: 0}}\n"
        "  ground: {type: rod, length: 40, axial_stiffness: 4e8, mass_per_length: 100, "
        "supports: {left: free, right: fixed}, damping: none}\n"
        "contacts: {shaft: {at: {body: pile, span: [5, 10]}, against: {body: ground, span: [0, "
        "5]}, law: {type: coulomb, limit: 1000}}, bed: {at: {body: ground, span: [6, 40]}, "
        "against: ground, law: {type: coulomb, limit: 400}}}\n"
        "drives: {weight: {at: {body: pile, span: [0, 10]}, type: constant, value: 300}, "
        "vibrator: {at: pile.head, type: harmonic, amplitude: 1e4, frequency: 120}}\n"
        "simulate: {engine: wave, nodes: 41, until: 1}\n");
    if (find(&w, &o) != JD_OK) fail_msg("%s", jd_context_error(w.context)->message);
    const jd_orbit_view *v = jd_orbit_look(o);
    if (!v->found) fail_msg("%s", v->search.why);
    print_message("two bodies: sets %.3e and %.3e\n", v->set[0], v->set[1]);
    assert_true(v->set[0] > 1e-4);
    assert_near(v->set[1], 0, 1e-2 * v->set[0]);
    close_all(&w, o);
}

static void refused(const char *words) {
    wave_case w;
    jd_orbit *o;
    assert_int_not_equal(find(&w, &o), JD_OK);
    const jd_error *e = jd_context_error(w.context);
    if (!strstr(e->message, words) && !strstr(e->hint, words))
        fail_msg("`%s` (%s) does not say `%s`", e->message, e->hint, words);
    close_all(&w, o);
}

static void what_is_no_orbit_is_said(void **state) {
    (void)state;
    wave_case w;
    jd_orbit *o;
    write_pile(60, 2000, "orbit: {periods: 9}\n");
    refused("at most 8");
    snprintf(text, sizeof text, "%s",
             "judder: 1\nstructure: {type: rod, length: 2, axial_stiffness: 4e9, mass_per_length: "
             "100, points: {head: 2}}\ndrives: {blow: {at: head, type: pulse, amplitude: 1, "
             "duration: 1}}\nsimulate: {engine: wave, nodes: 9, until: 1}\n");
    refused("without a harmonic drive");
    // without friction a rod that is pulled on falls faster and faster
    write_pile(60, 2000, "");
    char *at = strstr(text, "limit: 450");
    memcpy(at, "limit: 0.0", 10);
    assert_int_equal(find(&w, &o), JD_OK);
    assert_false(jd_orbit_look(o)->found);
    assert_int_equal(jd_orbit_look(o)->search.reason, JD_ORBIT_NO_RETURN);
    assert_non_null(strstr(jd_orbit_look(o)->search.why, "faster and faster"));
    close_all(&w, o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orbits_of_rods_go_on_by_their_set),
        cmocka_unit_test(each_body_has_a_set),
        cmocka_unit_test(what_is_no_orbit_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
