// exact_cancel.c -- motion whose parts would nearly cancel is computed otherwise, and to rounding.
//   Free bodies with weak damping c: under a force f the parts of the motion are f/c^2 large, under
//   a ramp f'/c^3, the motion itself f t^2/2. A drive at the resonance of a coupled mode: its
//   response and the mode's free motion are f/(distance of the poles), their sum grows from 0.
//   Each model beside reference_events.h, which knows no poles (long double).
#include <math.h>
#include <stdio.h>

#include "memory_case.h"
#include "reference_events.h"

enum { DECADES = 13, UNTIL = 12 };

// Free chain a, damped by a dashpot to the ground or in proportion to its mass, pushed onto a stop;
// body b, whose stuck contact couples its damping, beside it.
static const char free_body[] =
    "judder: 1\n"
    "bodies:\n"
    "  a: {type: chain, count: 3, mass: [0.7, 1.1, 0.9], stiffness: [3, 5],\n"
    "      supports: {left: free, right: free},\n"
    "      damping: {type: rayleigh, mass: %.17g, stiffness: 0},\n"
    "      points: {p: {node: 1}, q: {node: 3}}}\n"
    "  b: {type: chain, count: 2, mass: 0.5, stiffness: 7, damping: {type: ratio, value: 0.03},\n"
    "      supports: {left: fixed, right: free}, points: {p: {node: 1}, q: {node: 2}}}\n"
    "contacts:\n"
    "  s: {at: a.q, against: ground, law: {type: stop, restitution: 0.9, sides: both, gap: 0.8}}\n"
    "  d: {at: a.p, against: {velocity: -2}, law: {type: affine, limit: 0.1, slope: %.17g}}\n"
    "  r: {at: b.p, against: ground, law: {type: coulomb, limit: %.17g}}\n"
    "drives:\n"
    "  ramp: {type: ramp, at: a.p, amplitude: -1.5, start: 0, duration: 2.5}\n"
    "  shake: {type: harmonic, at: a.q, amplitude: 2.2, frequency: 0.9}\n"
    "  other: {type: harmonic, at: b.q, amplitude: 1, frequency: 1.3}\n"
    "simulate: {engine: exact, until: 12}\n";

// Undamped but for the dashpot at one point, driven at or beside its second mode.
static const char resonant[] =
    "judder: 1\n"
    "bodies:\n"
    "  a: {type: chain, count: 4, mass: 0.6, stiffness: 4, supports: {left: fixed, right: free},\n"
    "      points: {p: {node: 2}, q: {node: 4}}}\n"
    "contacts:\n"
    "  s: {at: a.q, against: ground, law: {type: stop, restitution: 0.7, sides: both, gap: 1.5}}\n"
    "  d: {at: a.p, against: ground, law: {type: affine, limit: 0.05, slope: %.17g}}\n"
    "drives:\n"
    "  shake: {type: harmonic, at: a.q, amplitude: 1, frequency: {times: %.17g, mode: 2}}\n"
    "simulate: {engine: exact, until: 12}\n";

typedef struct verdict {
    bool certified, stopped; // stopped: with a message, no digit was left
    double error, residual;
    double off, sensitive; // of the times of events, over UNTIL; what a change of 1e-14 makes there
    int events;
} verdict;

// Events before the first stop closes: how chatter is summed up is another matter.
static int before_closing(int n, const jd_event *e) {
    for (int k = 0; k < n; k++)
        if (jd_contact_letter(e[k].to) == '|') return k;
    return n;
}

// How far two lists of events are apart, over UNTIL; *compared: how many were. Impacts by their
// places: slow ones, at the end of chatter, have times that are worth nothing.
static double apart(int n, const jd_event *a, int m, const jd_event *b, int *compared) {
    int mine = before_closing(n, a), theirs = before_closing(m, b);
    bool chatters = mine < n || theirs < m;
    double off = !chatters && mine != theirs;
    *compared = mine < theirs ? mine : theirs;
    for (int k = 0; k < *compared; k++) {
        double size = jd_contact_letter(a[k].from) == 'o' ? fmin(1, a[k].speed) : 1;
        off = fmax(off, size * fabs(a[k].t - b[k].t) / UNTIL);
    }
    return off;
}

// Beside the reference; what a change of 1e-14 makes of the reference is no one's fault.
static void compare(motion *m, verdict *v) {
    int n;
    reference *r = ref_open(m->problem, UNTIL, 3000, 0);
    reference *twin = ref_open(m->problem, UNTIL, 3000, 1e-14L);
    ref_run(r, UNTIL);
    ref_run(twin, UNTIL);
    v->off = apart(m->n, m->event, r->n_event, r->event, &v->events);
    v->sensitive = apart(twin->n_event, twin->event, r->n_event, r->event, &n);
    ref_free_all(r);
    ref_free_all(twin);
}

static verdict judge(const char *text) {
    verdict v = {0};
    jd_report report;
    motion *m = motion_open(text, 0, NULL);
    motion_start(m);
    for (jd_step step = JD_STEP_EVENT; step == JD_STEP_EVENT && m->n < MOTION_EVENTS;) {
        v.stopped = jd_run_advance(m->run, UNTIL, &step) != JD_OK;
        if (v.stopped) break;
        if (step == JD_STEP_EVENT) m->event[m->n++] = *jd_run_event(m->run);
    }
    jd_run_report(m->run, &report);
    v.certified = report.certificate.certified;
    v.error = report.certificate.error;
    v.residual = fabs(report.ledger.residual);
    compare(m, &v);
    motion_close(m);
    return v;
}

// Certified: nothing but rounding. Else the error stated, which may be everything: INFINITY.
static verdict assert_stated(const char *what, double value, const char *text) {
    verdict v = judge(text);
    print_message("   %s %.0e: %2d events off %.1e (%.0e), residual %.1e, stated %.1e%s\n", what,
                  value, v.events, v.off, v.sensitive, v.residual, v.error,
                  v.stopped     ? ", stopped"
                  : v.certified ? ""
                                : ", not certified");
    assert_true(!v.stopped || isinf(v.error));
    assert_true(v.stopped || v.events > 5);
    assert_true(v.certified == (v.error == 0));
    assert_true(v.residual <= fmax(1e-10, v.error));
    assert_true(v.off <= fmax(1e-10, v.error) + v.sensitive);
    return v;
}

// Powers of t stand for the poles that nearly cancel: nothing is lost, and nothing is stated.
static void weakly_damped_free_bodies_keep_digits(void **state) {
    (void)state;
    for (int i = 0; i < DECADES; i++)
        for (int way = 0; way < 4; way++) { // dashpot or Rayleigh, other body sliding or stuck
            char text[2048];
            double c = pow(10, -i);
            snprintf(text, sizeof text, free_body, way & 1 ? c : 0, way & 1 ? 0 : c,
                     way & 2 ? 100. : 0.3);
            verdict v = assert_stated(way & 1 ? "Rayleigh" : "dashpot", c, text);
            assert_true(v.certified && v.residual < 1e-13 && v.off < 1e-13 + v.sensitive);
        }
}

static void drives_at_coupled_resonances_keep_digits(void **state) {
    (void)state;
    static const double beside[] = {0, 1e-12, -1e-9, 1e-6, -1e-4, 1e-2};
    for (int i = 0; i < DECADES; i++)
        for (int j = 0; j < 6; j++) {
            char text[2048];
            snprintf(text, sizeof text, resonant, pow(10, -i), 1 + beside[j]);
            verdict v = assert_stated("slope", pow(10, -i), text);
            assert_true(v.certified && v.residual < 1e-13 && v.off < 1e-13 + v.sensitive);
        }
}

// Damping and distances that cost no digits leave the certificate as it is.
static void moderate_damping_is_certified(void **state) {
    (void)state;
    char text[2048];
    for (int way = 0; way < 4; way++) {
        snprintf(text, sizeof text, free_body, way & 1 ? 0.3 : 0, way & 1 ? 0 : 0.3,
                 way & 2 ? 100. : 0.3);
        assert_true(judge(text).certified);
    }
    snprintf(text, sizeof text, resonant, 0.3, 1.);
    assert_true(judge(text).certified);
    snprintf(text, sizeof text, resonant, 1e-6, 1.1);
    assert_true(judge(text).certified);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weakly_damped_free_bodies_keep_digits),
        cmocka_unit_test(drives_at_coupled_resonances_keep_digits),
        cmocka_unit_test(moderate_damping_is_certified),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
