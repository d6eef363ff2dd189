// closure_jump.c -- forces that jump, on models with a wave term: dy = L+ d(lambda + f).
//   The string against an integration of its own in p = v - L+ mu, in which no jump appears:
//     a' = v,  p' = r + Linf mu - sigma L+ (mu - kappa) - (L+)' mu,  kappa' = sigma (mu - kappa)
//   Models with friction against drives that rise ever more steeply.
#include "judder/judder.h"
#include "model_case.h"

static const double pi = 3.14159265358979323846;

typedef struct observed {
    double u, v;
    double error; // stated
    int events;
    char phase;
} observed;

static observed run_to(model_case *m, const char *text, double t) {
    jd_run *run = NULL;
    jd_step step = JD_STEP_EVENT;
    observed out = {0};
    int index;
    reads(m, text, NULL);
    assert_int_equal(jd_run_create(m->context, m->problem, &run), JD_OK);
    assert_int_equal(jd_run_probe(run, "contact", &index), JD_OK);
    while (step == JD_STEP_EVENT) {
        assert_int_equal(jd_run_advance(run, t, &step), JD_OK);
        out.events += step == JD_STEP_EVENT;
    }
    assert_int_equal(step, JD_STEP_TIME);
    jd_run_observe(run, t, &out.u, &out.v);
    out.phase = jd_run_phase(run)[0];
    jd_report r;
    jd_run_report(run, &r);
    out.error = r.certificate.error;
    jd_run_free(run);
    return out;
}

// One mode at 0.4, stretching 2, wave speed 1, damping 0.03, wave term exact, sigma 2 pi: written
// down again from the equations.
typedef struct string {
    double S, gain, linf, sigma, beta;
} string;

static void string_rate(const string *m, double mu, const double x[3], double out[3]) {
    double s = sqrt(1 + pi * pi / 2 * (x[0] / m->S) * (x[0] / m->S)), plus = m->gain / s;
    double v = x[1] + plus * mu, w = pi * s;
    double bend = -plus / s * (pi * pi / 2 * x[0] * v / (m->S * m->S * s)); // (L+)'
    out[0] = v;
    out[1] = -w * w * x[0] - 2 * m->beta * w * v + m->linf * mu - m->sigma * plus * (mu - x[2]) -
             bend * mu;
    out[2] = m->sigma * (mu - x[2]);
}

static void string_go(const string *m, double mu, double time, double x[3]) {
    const int steps = 20000;
    double h = time / steps, k[4][3], y[3];
    for (int i = 0; i < steps; i++) {
        for (int j = 0; j < 4; j++) {
            double at = j == 0 ? 0 : j == 3 ? h : h / 2;
            for (int a = 0; a < 3; a++) y[a] = x[a] + (j ? at * k[j - 1][a] : 0);
            string_rate(m, mu, y, k[j]);
        }
        for (int a = 0; a < 3; a++) x[a] += h / 6 * (k[0][a] + 2 * k[1][a] + 2 * k[2][a] + k[3][a]);
    }
}

static void a_rectangular_pulse_moves_the_string_at_once(void **state) {
    model_case *m = *state;
    const double beta = 0.03, S = sin(pi * 0.4);
    string s = {.S = S, .gain = acos(beta) / (pi * sqrt(1 - beta * beta)), .beta = beta};
    s.linf = pi * pi * 0.4 * 0.6 - 2 * S * S + 2 * S * S;
    s.sigma = 2 * pi;
    const char text[] =
        "judder: 1\n"
        "structure: {type: nonlinear-string, modes: 1, stretching: 2, wave_speed: 1, wave_term: "
        "exact, points: {contact: 0.4}, damping: {type: ratio, value: 0.03}}\n"
        "drives: {f: {at: contact, type: pulse, amplitude: 2.5, start: 0.5, duration: 0.7, repeat: "
        "2, every: 1}}\n"
        "simulate: {until: 3}\n";
    double x[3] = {0, 0, 0};
    string_go(&s, 2.5, 0.3, x);
    observed one = run_to(m, text, 0.8); // inside the first blow
    double stretch = sqrt(1 + pi * pi / 2 * (x[0] / S) * (x[0] / S));
    assert_near(one.u, x[0], 1e-11);
    assert_near(one.v, x[1] + 2.5 * s.gain / stretch, 1e-11);
    string_go(&s, 2.5, 0.4, x);
    string_go(&s, 0, 0.3, x);
    string_go(&s, 2.5, 0.7, x);
    string_go(&s, 0, 0.6, x);
    observed two = run_to(m, text, 2.8); // after the second
    assert_near(two.u, x[0], 1e-11);
    assert_near(two.v, x[1], 1e-11);
    assert_true(two.error > 1e-16 && two.error < 1e-8); // carried through four jumps
}

#define BOWED                                                                                      \
    "judder: 1\n"                                                                                  \
    "structure: {type: nonlinear-string, modes: 2, stretching: 1, wave_speed: 1, wave_term: "      \
    "exact, points: {contact: 0.4}, damping: {type: ratio, value: 0.03}}\n"                        \
    "contacts: {bow: {at: contact, against: {velocity: 0.3}, law: {type: coulomb, limit: 0.8}}}\n" \
    "simulate: {until: 3}\n"

// Small jumps stay stuck, larger ones tear the contact away, on either side.
static void a_jump_is_the_limit_of_steep_ramps(void **state) {
    model_case *m = *state;
    int torn = 0, held = 0;
    for (int i = 0; i < 8; i++) {
        const double size[] = {0.2, -0.2, 1, -1, 3, -3, 6, -6};
        char sharp[900], steep[2][900];
        snprintf(sharp, sizeof sharp,
                 BOWED
                 "drives: {f: {at: contact, type: pulse, amplitude: %g, start: 0.4, duration: "
                 "0.9}}\n",
                 size[i]);
        for (int k = 0; k < 2; k++) {
            double rise = k ? 1e-7 : 1e-5;
            snprintf(steep[k], sizeof steep[k],
                     BOWED "drives: {f: {at: contact, type: table, time: [0, 0.4, %.17g, 1.3, "
                           "%.17g], value: [0, 0, %g, %g, 0]}}\n",
                     0.4 + rise, 1.3 + rise, size[i], size[i]);
        }
        observed a = run_to(m, sharp, 0.45), b = run_to(m, steep[0], 0.45),
                 c = run_to(m, steep[1], 0.45);
        assert_int_equal(a.phase, c.phase);
        assert_near(b.u, a.u, 1e-4);
        assert_near(c.u, a.u, 1e-6);
        assert_near(c.v, a.v, 1e-5);
        torn += a.phase != 'H';
        held += a.phase == 'H';
        a = run_to(m, sharp, 1.35);
        c = run_to(m, steep[1], 1.35);
        assert_int_equal(a.phase, c.phase);
        assert_near(c.u, a.u, 1e-6);
        assert_near(c.v, a.v, 1e-5);
    }
    print_message("   %d stuck, %d torn away\n", held, torn);
    assert_true(torn > 0 && held > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(a_rectangular_pulse_moves_the_string_at_once),
        MODEL_TEST(a_jump_is_the_limit_of_steep_ramps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
