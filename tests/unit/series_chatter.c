// series_chatter.c -- impacts that accumulate in engine series: a bouncing ball and one that slides
// on a belt in closed form, beside engine exact, and restitutions near 1: every run ends.
//   A ball falls from h on a floor: impacts at t_0 (1 + 2e + 2e^2 + ...), t_0 = sqrt(2 h/g), so it
//   rests from t_0 (1 + e)/(1 - e) on. Impulses until then: sum P = m (1 + e)/(1 - e) g t_0; while
//   it slides friction takes mu sum P beside mu m g times the time in contact, which is 0.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "judder/judder.h"
#include "near.h"

typedef struct motion {
    jd_context *context;
    jd_problem *problem;
    jd_run *run;
    long events, impacts;
    double closed, impulse; // when it came to rest; sum of impulses
    jd_report report;
} motion;

static void go(motion *m, const char *text, double until) {
    jd_step step = JD_STEP_EVENT;
    *m = (motion){.context = jd_context_create(NULL), .closed = (double)NAN};
    jd_status s =
        jd_model_parse(m->context, "m.yaml", ".", text, strlen(text), 0, NULL, &m->problem);
    if (s == JD_OK) s = jd_run_create(m->context, m->problem, &m->run);
    if (s != JD_OK) fail_msg("%s\n%s", jd_context_error(m->context)->message, text);
    while (step == JD_STEP_EVENT) {
        assert_int_equal(jd_run_advance(m->run, until, &step), JD_OK);
        if (step != JD_STEP_EVENT) break;
        const jd_event *e = jd_run_event(m->run);
        m->events++;
        m->impacts += e->impulse != 0;
        m->impulse += fabs(e->impulse);
        if (e->impulse == 0 && isnan(m->closed)) m->closed = e->t;
    }
    jd_run_report(m->run, &m->report);
}

static void end(motion *m) {
    jd_run_free(m->run);
    jd_problem_free(m->problem);
    jd_context_free(m->context);
}

static void a_bouncing_ball_comes_to_rest_in_closed_form(void **state) {
    (void)state;
    const double es[] = {0, 0.1, 0.5, 0.7, 0.9, 0.97, 0.99}, g = 9.81, h = 1.3;
    for (int units = 0; units < 3; units++) // mass and time in other units
        for (size_t i = 0; i < sizeof es / sizeof *es; i++) {
            double e = es[i], scale = pow(1e3, units - 1), t0 = sqrt(2 * h / g) / scale;
            char text[600];
            snprintf(text, sizeof text,
                     "judder: 1\nstructure: {type: modes, omega: [0], shapes: {a: [1]}}\n"
                     "contacts: {floor: {at: a, law: {type: stop, gap: 0, restitution: %.17g}}}\n"
                     "drives: {g: {at: a, type: constant, value: %.17g}}\n"
                     "start: {type: state, of: modes, displacement: [%.17g]}\n"
                     "simulate: {engine: series, until: 1e9}\n",
                     e, g * scale * scale, -h);
            double rests = t0 * (1 + e) / (1 - e);
            motion m;
            go(&m, text, 2 * rests);
            assert_int_equal(m.report.stop, JD_STOP_NONE);
            assert_true(m.report.certificate.certified);
            assert_relative(m.closed, rests, 1e-10); // what is left out: 1e-12 of the speed
            assert_relative(m.impulse, rests * g * scale * scale, 1e-10);
            assert_near(m.report.ledger.residual, 0, 1e-12);
            assert_true((double)m.impacts < 30 / (1 - e) + 30); // ln 1e12 = 27.6
            end(&m);
        }
}

// The same ball, sliding: it loses mu sum P of its speed at the impacts, and mu g afterwards.
static void a_ball_that_slides_loses_speed_with_its_impulses(void **state) {
    (void)state;
    const double g = 9.81, h = 0.2;
    for (int i = 0; i < 12; i++) {
        double e = 0.3 + 0.05 * i, mu = 0.05 + 0.02 * i, t0 = sqrt(2 * h / g),
               belt = i % 2 ? 0.4 : 0;
        double rests = t0 * (1 + e) / (1 - e), v0 = 20, u[1], v[1], force[1];
        char text[800], against[60] = "ground";
        if (belt > 0) snprintf(against, sizeof against, "{velocity: %.17g}", belt);
        snprintf(text, sizeof text,
                 "judder: 1\nstructure: {type: modes, omega: [0, 0], shapes: {y: [1, 0], x: [0, "
                 "1]}}\ncontacts: {pad: {at: {normal: y, tangential: x}, against: %s, law: {type: "
                 "dry-contact, coefficient: %.17g, gap: 0, restitution: %.17g}}}\n"
                 "drives: {g: {at: y, type: constant, value: %.17g}}\n"
                 "start: {type: state, of: modes, displacement: [%.17g, 0], velocity: [0, %.17g]}\n"
                 "simulate: {engine: series, until: 1e9}\n",
                 against, mu, e, g, -h, v0);
        motion m;
        double until = rests + 0.3;
        go(&m, text, until);
        assert_relative(m.closed, rests, 1e-10);
        jd_run_observe_contacts(m.run, until, u, v, force);
        assert_near(v[0], v0 - belt - mu * g * rests - mu * g * 0.3, 1e-9);
        assert_near(force[0], -mu * g, 1e-12);
        assert_near(m.report.ledger.residual, 0, 1e-12);
        end(&m);
    }
}

// Beside engine exact, which completes chatter by its geometric law.
static void chatter_is_that_of_engine_exact(void **state) {
    (void)state;
    double worst = 0;
    long closings = 0;
    for (int i = 0; i < 8; i++) {
        double u[2][1], v[2][1], force[2][1], energy[2];
        long rests[2] = {0, 0};
        for (int k = 0; k < 2; k++) {
            char text[800];
            snprintf(
                text, sizeof text,
                "judder: 1\nstructure: {type: chain, count: 3, mass: 1, stiffness: 10, "
                "supports: {left: fixed, right: free}, points: {c: {node: 3}}}\n"
                "contacts: {floor: {at: c, law: {type: stop, gap: %.17g, restitution: %.17g}}}\n"
                "drives: {g: {at: c, type: harmonic, amplitude: %.17g, frequency: %.17g}}\n"
                "simulate: {engine: %s, until: 1e9}\n",
                0.02 * i, 0.3 + 0.07 * i, 1 + 0.3 * i, 0.2 + 0.04 * i, k ? "series" : "exact");
            motion m;
            go(&m, text, 30);
            rests[k] = m.events - m.impacts;
            jd_run_observe_contacts(m.run, 30, u[k], v[k], force[k]);
            energy[k] = m.report.ledger.impact[0];
            end(&m);
        }
        assert_int_equal(rests[0], rests[1]);
        closings += rests[0];
        worst = fmax(worst, fabs(u[0][0] - u[1][0]) + fabs(v[0][0] - v[1][0]));
        worst = fmax(worst, fabs(energy[0] - energy[1]));
    }
    print_message("   %ld closings and openings, off by %.1e\n", closings, worst);
    assert_true(closings > 20);
    assert_near(worst, 0, 1e-6);
}

// Impacts that accumulate slowly: the run comes to its end or stops by name, after bounded work.
static void restitutions_near_one_end_by_name_or_pass(void **state) {
    (void)state;
    for (int i = 3; i <= 7; i++) {
        char text[600];
        motion m;
        snprintf(text, sizeof text,
                 "judder: 1\nstructure: {type: modes, omega: [0], shapes: {a: [1]}}\n"
                 "contacts: {floor: {at: a, law: {type: stop, gap: 0, restitution: %.17g}}}\n"
                 "drives: {g: {at: a, type: constant, value: 1}}\n"
                 "start: {type: state, of: modes, displacement: [-0.5]}\n"
                 "simulate: {engine: series, until: 1e9, event_budget: 40000}\n",
                 1 - pow(10, -i));
        go(&m, text, 1e9);
        assert_true(m.events <= 40000);
        bool named = m.report.stop == JD_STOP_EVENT_BUDGET || m.report.stop == JD_STOP_STORM;
        assert_true(named || m.report.t == 1e9);
        assert_true(i < 4 || named);
        end(&m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bouncing_ball_comes_to_rest_in_closed_form),
        cmocka_unit_test(a_ball_that_slides_loses_speed_with_its_impulses),
        cmocka_unit_test(chatter_is_that_of_engine_exact),
        cmocka_unit_test(restitutions_near_one_end_by_name_or_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
