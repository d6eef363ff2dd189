// gradient_error.c -- the error stated of derivatives beside the real one, on drawn models with
// closed forms.
//   Stick-slip on a belt: mass m on k, limits R < S, belt v; w = sqrt(k/m), X = (S - R)/k, V = v/w:
//     largest displacement R/k + A, A = sqrt(X^2 + V^2),  T = (pi + 2 atan(V/X))/w + 2 X/v.
//     The least is -S/k where it slides that far, else R/k - A: here the latter.
//   A driven oscillator: A = F/|k - m x^2 + i c x|.
//   Reference: central differences of sixth order of these formulas in long double.
#include <math.h>

#include "draws.h"
#include "orbit_case.h"

typedef long double real;
typedef real formula(const real *p);
enum { MOST = 5 };

// Sixth order, h = 2e-5 of the number: next to a resonance the next terms are 1e-14.
static real slope(formula *f, const real *p, int n, int k) {
    real x[MOST], h = 2e-5L * p[k], sum = 0;
    static const real weight[] = {0.75L, -0.15L, 1.0L / 60};
    for (int i = 0; i < n; i++) x[i] = p[i];
    for (int j = 1; j <= 3; j++) {
        x[k] = p[k] + j * h;
        real up = f(x);
        x[k] = p[k] - j * h;
        sum += weight[j - 1] * (up - f(x));
    }
    return sum / h;
}

// p: m, k, R, S, v
static real belt_most(const real *p) {
    real X = (p[3] - p[2]) / p[1], V = p[4] * sqrtl(p[0] / p[1]);
    return p[2] / p[1] + hypotl(X, V);
}

static real belt_amplitude(const real *p) {
    return hypotl((p[3] - p[2]) / p[1], p[4] * sqrtl(p[0] / p[1]));
}

static real belt_period(const real *p) {
    real X = (p[3] - p[2]) / p[1], w = sqrtl(p[1] / p[0]), V = p[4] / w;
    return (acosl(-1) + 2 * atan2l(V, X)) / w + 2 * X / p[4];
}

// p: k, F, x, alpha (c = alpha m, m = 1.3)
static real driven_amplitude(const real *p) {
    const real m = 1.3L;
    return p[1] / hypotl(p[0] - m * p[2] * p[2], p[3] * m * p[2]);
}

static jd_gradient *gradient_of(orbit_case *c, int n, const char *const *key) {
    jd_gradient *g = NULL;
    if (jd_gradient_create(c->context, c->problem, c->view, n, key, 0, NULL, &g) != JD_OK)
        fail_msg("%s", jd_context_error(c->context)->message);
    return g;
}

// Of the largest part of what changes: the difference over the error stated.
static double excess(double got, real right, double scale, double error) {
    return fabs(got - (double)right) / (scale * (error + 1e-12));
}

static void belts_have_the_derivatives_of_their_closed_form(void **unused) {
    static const char *const key[] = {"structure.mass", "structure.stiffness",
                                      "contacts.c.law.limit", "contacts.c.law.static_limit",
                                      "contacts.c.against.velocity"};
    double worst = 0;
    (void)unused;
    for (int i = 0; i < 30; i++) {
        double R = uniform(0.5, 2);
        real p[MOST] = {uniform(0.5, 2), uniform(0.5, 3), R, R * uniform(1.1, 1.8), 0};
        p[4] = uniform(0.1, 0.8) * R / sqrtl(p[0] * p[1]); // it comes to stick
        char text[1000];
        orbit_case c;
        snprintf(text, sizeof text,
                 "judder: 1\nstructure: {type: chain, count: 1, mass: %.17Lg, stiffness: %.17Lg, "
                 "points: {a: {node: 1}}, supports: {left: fixed, right: free}}\n"
                 "contacts: {c: {at: a, against: {velocity: %.17Lg}, law: {type: coulomb, limit: "
                 "%.17Lg, static_limit: %.17Lg}}}\nstart: rest\norbit: {settle: 80}\n",
                 p[0], p[1], p[4], p[2], p[3]);
        orbit_parse(&c, text);
        for (int k = 0; k < 5; k++) assert_int_equal(jd_problem_get(c.problem, key[k], &R), JD_OK);
        orbit_find(&c);
        jd_gradient *g = gradient_of(&c, 5, key);
        for (int k = 0; k < 5; k++) {
            const jd_gradient_key *by = &jd_gradient_look(g)->key[k];
            double a = (double)slope(belt_amplitude, p, 5, k),
                   most = (double)slope(belt_most, p, 5, k),
                   T = (double)slope(belt_period, p, 5, k), scale = 1 + fabs(a) + fabs(most);
            assert_near(by->place[0].amplitude, (double)belt_amplitude(p), 1e-11);
            assert_near(by->place[0].most, (double)belt_most(p), 1e-11);
            assert_true(by->error < 1e-6);
            double over = fmax(excess(by->place[0].d_amplitude, a, scale, by->error),
                               excess(by->place[0].d_most, most, scale, by->error));
            over = fmax(over, excess(by->period, T, 1 + fabs(T), by->error));
            worst = fmax(worst, over);
        }
        jd_gradient_free(g);
        orbit_end(&c);
    }
    print_message("real error over the one stated: %.2g at most\n", worst);
    assert_true(worst <= 1);
}

static void driven_oscillators_have_theirs(void **unused) {
    static const char *const key[] = {"structure.stiffness", "drives.f.amplitude",
                                      "drives.f.frequency", "structure.damping.mass"};
    double worst = 0;
    (void)unused;
    for (int i = 0; i < 30; i++) {
        real p[MOST] = {uniform(1, 4), uniform(0.2, 3), uniform(0.3, 3), uniform(0.02, 0.4)};
        char text[1000];
        orbit_case c;
        snprintf(text, sizeof text,
                 "judder: 1\nstructure: {type: chain, count: 1, mass: 1.3, stiffness: %.17Lg, "
                 "damping: {type: rayleigh, mass: %.17Lg, stiffness: 0}, points: {a: {node: 1}}, "
                 "supports: {left: fixed, right: free}}\n"
                 "contacts: {c: {at: a, law: {type: stop, gap: 1000, restitution: 1}}}\n"
                 "drives: {f: {at: a, type: harmonic, amplitude: %.17Lg, frequency: %.17Lg}}\n"
                 "orbit: {periods: 1}\n",
                 p[0], p[3], p[1], p[2]);
        orbit_parse(&c, text);
        orbit_find(&c);
        jd_gradient *g = gradient_of(&c, 4, key);
        for (int k = 0; k < 4; k++) {
            const jd_gradient_key *by = &jd_gradient_look(g)->key[k];
            double a = (double)slope(driven_amplitude, p, 4, k), size = 0;
            for (int s = 0; s < by->n; s++) size = fmax(size, fabs(by->state[s]));
            assert_true(by->error < 1e-6);
            worst = fmax(worst, excess(by->place[0].d_amplitude, a, size + fabs(a), by->error));
        }
        jd_gradient_free(g);
        orbit_end(&c);
    }
    print_message("real error over the one stated: %.2g at most\n", worst);
    assert_true(worst <= 1);
}

int main(void) {
    seed = 7;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(belts_have_the_derivatives_of_their_closed_form),
        cmocka_unit_test(driven_oscillators_have_theirs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
