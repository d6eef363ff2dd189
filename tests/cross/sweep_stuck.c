// sweep_stuck.c -- sweeps of contacts with springs record the orbit that the motion approaches.
//   While sliders stay stuck orbits form a family, one for every place where they rest. Against
//   closed forms where nothing slides from rest on, and against simulation for hundreds of periods
//   where sliders come to rest after a while: coulomb with stiffness, iwan, limits that swing,
//   dry-contact, beside cubic springs and elastic stops.
#include <stdlib.h>

#include "draws.h"
#include "how_many.h"
#include "judder/run.h"
#include "sweep_case.h"

enum { TEXT = 3000, FREQUENCIES = 3 };

static void drop(model_case *m) {
    jd_problem_free(m->problem);
    m->problem = NULL;
}

// One mass from rest, nothing slides: x'' + 2 D w0 x' + (w0^2 + sum k) x = F cos(w t).
static void nothing_slides_from_rest(void **state) {
    model_case *m = *state;
    seed = 11;
    for (int draw = 0; draw < how_many(40, 10); draw++) {
        double k = mixed(0.5, 2), D = mixed(0.005, 0.05), k1 = mixed(0.1, 2), k2 = mixed(0.1, 2),
               F = mixed(0.05, 0.3), from = mixed(0.5, 1), to = mixed(1.2, 2.5);
        int kind = pick(3);
        char text[TEXT], law[3][300];
        snprintf(law[0], sizeof law[0],
                 "{a: {at: m, law: {type: coulomb, limit: 90, stiffness: %.17g}}, b: {at: m, law: "
                 "{type: coulomb, limit: 70, stiffness: %.17g}}}",
                 k1, k2);
        snprintf(law[1], sizeof law[1],
                 "{a: {at: m, law: {type: iwan, limit: [80, 90], stiffness: [%.17g, %.17g]}}}", k1,
                 k2);
        snprintf(law[2], sizeof law[2],
                 "{a: {at: m, law: {type: iwan, limit: [80], stiffness: [%.17g]}}, b: {at: m, law: "
                 "{type: coulomb, limit: 60, stiffness: %.17g}}}",
                 k1, k2);
        snprintf(text, sizeof text,
                 "judder: 1\n"
                 "structure: {type: chain, count: 1, mass: 1, stiffness: %.17g, points: {m: {node: "
                 "1}}, damping: {type: ratio, value: %.17g}}\n"
                 "contacts: %s\n"
                 "drives: {f: {at: m, type: harmonic, amplitude: %.17g, frequency: 1, phase: "
                 "%.17g}}\n"
                 "start: rest\n"
                 "sweep: {parameters: [drives.f.frequency], from: [%.17g], to: [%.17g], points: "
                 "[%d], measure: m.displacement.max}\n",
                 k, D, law[kind], F, mixed(-3, 3), from, to, FREQUENCIES);
        jd_sweep *s = sweep_done(m, text, 1);
        for (int i = 0; i < FREQUENCIES; i++) {
            const jd_sweep_point *p = &jd_sweep_look(s)->point[i];
            double w = p->value[0], size = F / hypot(k + k1 + k2 - w * w, 2 * D * sqrt(k) * w);
            assert_true(p->settled);
            assert_int_equal(p->periods, 1);
            assert_int_equal(p->how, JD_SETTLE_SHOOTING);
            assert_relative(p->max, size, 1e-9);
            assert_relative(p->min, -size, 1e-9);
        }
        jd_sweep_free(s);
        drop(m);
    }
}

// A contact of any kind at a mass of the chain; w: frequency of the drive.
static int add_contact(char *text, int at, int number, int masses, double w) {
    char law[500], place[80];
    int one = 1 + pick(masses), other = 1 + pick(masses);
    snprintf(place, sizeof place, "p%d", one);
    switch (pick(5)) {
    case 0:
        snprintf(law, sizeof law, "{type: coulomb, limit: %.17g, stiffness: %.17g}",
                 decades(-1.5, 0.5), decades(0, 1.5));
        break;
    case 1:
        snprintf(law, sizeof law, "{type: iwan, limit: [%.17g, %.17g], stiffness: [%.17g, %.17g]}",
                 mixed(0.02, 0.3), mixed(0.3, 3), decades(0, 1), decades(0, 1));
        break;
    case 2:
        snprintf(law, sizeof law,
                 "{type: coulomb, limit: {mean: %.17g, amplitude: %.17g, frequency: %.17g, phase: "
                 "%.17g}, stiffness: %.17g}",
                 mixed(0.3, 1), mixed(0.05, 0.25), w, mixed(-3, 3), decades(0, 1.5));
        break;
    case 3:
        snprintf(law, sizeof law,
                 "{type: dry-contact, coefficient: %.17g, normal_stiffness: %.17g, normal_damping: "
                 "0, tangential_stiffness: %.17g, preload: %.17g}",
                 mixed(0.2, 0.6), mixed(20, 200), mixed(5, 30), mixed(0.1, 1));
        snprintf(place, sizeof place, "{normal: p%d, tangential: p%d}", other,
                 other == one ? 1 + other % masses : one);
        break;
    default:
        snprintf(law, sizeof law, "{type: cubic, stiffness: %.17g, cubic: %.17g}", mixed(0.2, 3),
                 mixed(1, 10));
    }
    return at + snprintf(text + at, (size_t)(TEXT - at), "  c%d: {at: %s, law: %s}\n", number,
                         place, law);
}

static double draw_model(char *text) {
    int masses = 2 + pick(2), contacts = 1 + pick(2), at = 0;
    double w = mixed(0.8, 3);
    at += snprintf(text, TEXT,
                   "judder: 1\n"
                   "structure:\n"
                   "  type: chain\n"
                   "  count: %d\n"
                   "  mass: %.17g\n"
                   "  stiffness: %.17g\n"
                   "  supports: {left: fixed, right: free}\n"
                   "  points: {p1: {node: 1}, p2: {node: 2}%s}\n"
                   "  damping: {type: rayleigh, mass: %.17g, stiffness: %.17g}\n"
                   "contacts:\n",
                   masses, mixed(0.5, 2), mixed(3, 15), masses > 2 ? ", p3: {node: 3}" : "",
                   mixed(0.03, 0.1), mixed(0.002, 0.02));
    for (int i = 0; i < contacts; i++) at = add_contact(text, at, i, masses, w);
    double a = decades(-1.3, 0);
    snprintf(text + at, (size_t)(TEXT - at),
             "drives: {d: {at: p%d, type: harmonic, amplitude: %.17g, frequency: %.17g}}\n"
             "start: {type: state}\n"
             "sweep: {parameters: [drives.d.amplitude], from: [%.17g], to: [%.17g], points: [1], "
             "measure: c0.displacement.max}\n",
             1 + pick(masses), a, w, a, a);
    return w;
}

// Displacement of the first contact in a period after so many.
static bool simulated(model_case *m, double period, int periods, jd_contact_ranges *out) {
    jd_run *run;
    jd_contact_ranges all[8];
    jd_step step = JD_STEP_EVENT;
    assert_int_equal(jd_run_create(m->context, m->problem, &run), JD_OK);
    while (step == JD_STEP_EVENT)
        assert_int_equal(jd_run_advance(run, periods * period, &step), JD_OK);
    assert_int_equal(jd_run_track(run), JD_OK);
    for (step = step == JD_STEP_TIME ? JD_STEP_EVENT : step; step == JD_STEP_EVENT;)
        assert_int_equal(jd_run_advance(run, (periods + 1) * period, &step), JD_OK);
    assert_int_equal(jd_run_ranges(run, all), JD_OK);
    *out = all[0];
    jd_run_free(run);
    return step == JD_STEP_TIME;
}

static void the_motion_approaches_the_orbit_recorded(void **state) {
    model_case *m = *state;
    seed = 5;
    int compared = 0, families = 0, n = how_many(80, 40);
    double worst = 0;
    for (int draw = 0; draw < n; draw++) {
        char text[TEXT];
        double period = 2 * 3.14159265358979323846 / draw_model(text);
        jd_sweep *s = sweep_done(m, text, 1);
        jd_contact_ranges late, later;
        bool ends = simulated(m, period, 600, &late) && simulated(m, period, 700, &later);
        const jd_sweep_point *p = &jd_sweep_look(s)->point[0];
        double size = fmax(fabs(late.displacement.max), fabs(late.displacement.min)),
               drift = fmax(fabs(late.displacement.max - later.displacement.max),
                            fabs(late.displacement.min - later.displacement.min));
        if (ends && p->settled && p->periods == 1 && drift < 1e-7 * size) {
            double off =
                fmax(fabs(p->max - later.displacement.max), fabs(p->min - later.displacement.min)) /
                size;
            if (off > 2e-5) print_error("draw %d: %s\n", draw, text);
            assert_near(off, 0, 2e-5);
            worst = fmax(worst, off);
            compared++;
            families += p->slips == 0;
        }
        jd_sweep_free(s);
        drop(m);
    }
    print_message("%d of %d compared, %d without slip, worst %.1e\n", compared, n, families, worst);
    assert_true(compared > n / 2);
    assert_true(families > n / 8);
}

// Two sliders at one mass, the second stuck; what is swept, and how.
static void draw_pair(char *text, double limit, double k, double F, const char *start,
                      const char *sweep) {
    snprintf(text, TEXT,
             "judder: 1\n"
             "structure: {type: chain, count: 1, mass: 1.3, stiffness: 1, points: {m: {node: 1}}, "
             "damping: {type: ratio, value: 0.03}}\n"
             "contacts: {a: {at: m, law: {type: coulomb, limit: %.17g, stiffness: %.17g}}, b: {at: "
             "m, law: {type: iwan, limit: [%.17g, 6], stiffness: [0.2, 0.3]}}}\n"
             "drives: {f: {at: m, type: harmonic, amplitude: %.17g, frequency: 1.1}}\n"
             "start: %s\n"
             "sweep: {%s, measure: m.displacement.max}\n",
             limit, k, 0.7 * limit, F, start, sweep);
}

// A point begins with the state of modes and sliders in which the one before ended: the same as a
// sweep of that point alone that starts with it.
static void sliders_are_carried_on(void **state) {
    model_case *m = *state;
    seed = 21;
    for (int draw = 0; draw < how_many(30, 8); draw++) {
        double limit = mixed(0.02, 0.2), k = mixed(0.1, 1), F = mixed(0.05, 0.3),
               first = mixed(0.8, 1.2), second = first + mixed(0.05, 0.5);
        char text[TEXT], start[400], sweep[200];
        snprintf(sweep, sizeof sweep,
                 "parameters: [drives.f.frequency], from: [%.17g], to: [%.17g], points: [2], "
                 "direction: up",
                 first, second);
        draw_pair(text, limit, k, F, "rest", sweep);
        jd_sweep *s = sweep_done(m, text, 1);
        const jd_sweep_point *p = jd_sweep_look(s)->point;
        assert_int_equal(jd_sweep_look(s)->n_state, 5);
        snprintf(start, sizeof start,
                 "{type: state, of: modes, displacement: [%.17g], velocity: [%.17g], force: {a: "
                 "[%.17g], b: [%.17g, %.17g]}}",
                 p[0].state[0], p[0].state[1], -p[0].state[2], -p[0].state[3], -p[0].state[4]);
        snprintf(sweep, sizeof sweep,
                 "parameters: [drives.f.frequency], from: [%.17g], to: [%.17g], points: [1]",
                 second, second);
        model_case alone = {.context = m->context};
        draw_pair(text, limit, k, F, start, sweep);
        jd_sweep *one = sweep_done(&alone, text, 1);
        const jd_sweep_point *q = jd_sweep_look(one)->point;
        assert_true(p[0].settled && p[1].settled && q->settled);
        assert_near(p[1].max, q->max, 1e-9 * (fabs(q->max) + fabs(q->min)));
        assert_near(p[1].min, q->min, 1e-9 * (fabs(q->max) + fabs(q->min)));
        jd_sweep_free(one);
        drop(&alone);
        jd_sweep_free(s);
        drop(m);
    }
}

// Limits that fall below the forces at hand let sliders slip; random starts lead to the one orbit
// where everything slides both ways.
static void limits_fall_and_starts_are_drawn(void **state) {
    model_case *m = *state;
    char text[TEXT];
    draw_pair(text, 0.3, 0.5, 0.4, "rest",
              "parameters: [contacts.a.law.limit], from: [0.02], to: [0.6], points: [6], "
              "direction: both");
    jd_sweep *s = sweep_done(m, text, 1);
    for (int i = 0; i < 12; i++) assert_true(jd_sweep_look(s)->point[i].settled);
    jd_sweep_free(s);
    drop(m);
    seed = 31;
    for (int draw = 0; draw < how_many(12, 4); draw++) {
        snprintf(
            text, sizeof text,
            "judder: 1\n"
            "structure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: {node: 1}}, "
            "damping: {type: ratio, value: 0.03}}\n"
            "contacts: {a: {at: m, law: {type: coulomb, limit: %.17g, stiffness: %.17g}}}\n"
            "drives: {f: {at: m, type: harmonic, amplitude: 0.3, frequency: 1.05}}\n"
            "sweep: {parameters: [drives.f.frequency], from: [0.9], to: [1.2], points: [2], "
            "measure: m.displacement.max, starts: 5}\n",
            mixed(0.02, 0.08), mixed(0.2, 1));
        s = sweep_done(m, text, 1);
        const jd_sweep_point *p = jd_sweep_look(s)->point;
        for (int i = 0; i < 10; i++) {
            assert_true(p[i].settled && p[i].slips == 2);
            assert_relative(p[i].max, p[i - i % 5].max, 1e-9);
            assert_relative(p[i].min, p[i - i % 5].min, 1e-9);
        }
        jd_sweep_free(s);
        drop(m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(nothing_slides_from_rest),
        MODEL_TEST(the_motion_approaches_the_orbit_recorded),
        MODEL_TEST(sliders_are_carried_on),
        MODEL_TEST(limits_fall_and_starts_are_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
