// smooth_mixed.c -- nonlinear springs beside sprung friction and elastic stops on drawn chains:
// every change against an integrator of its own (Runge and Kutta in long double, changes by
// bisection).
#include <math.h>
#include <string.h>

#include "draws.h"
#include "how_many.h"
#include "judder/judder.h"
#include "near.h"

enum { MOST = 4, CHANGES = 400 };

typedef long double real;

typedef struct chain {
    int n, rub, wall; // masses; where it rubs, where the stop is
    real m, k, c, F, W, R, kt, gap, kn;
    real linear[MOST], cubic[MOST];
    int slide;   // of the slider: 0 stuck
    bool closed; // the stop
} chain;

static void rates(const chain *s, real t, const real *x, real *out) { // x, v, T
    const real *v = x + s->n;
    real T = s->slide ? s->slide * s->R : x[2 * s->n], p = x[s->wall] - s->gap;
    for (int i = 0; i < s->n; i++) {
        real left = i > 0 ? x[i - 1] : 0, right = i + 1 < s->n ? x[i + 1] : x[i];
        real f = -s->k * (2 * x[i] - left - right) - s->c * s->m * v[i];
        f -= s->linear[i] * x[i] + s->cubic[i] * x[i] * x[i] * x[i];
        if (i == s->n - 1) f += s->F * sinl(s->W * t);
        if (i == s->rub) f -= T;
        if (i == s->wall && s->closed) f -= s->kn * p;
        out[i] = v[i];
        out[s->n + i] = f / s->m;
    }
    out[2 * s->n] = s->slide ? 0 : s->kt * v[s->rub];
}

static void step(const chain *s, real t, real h, const real *x, real *out) {
    int N = 2 * s->n + 1;
    real k[4][2 * MOST + 1], y[2 * MOST + 1];
    static const real at[4] = {0, 0.5L, 0.5L, 1};
    for (int r = 0; r < 4; r++) {
        for (int j = 0; j < N; j++) y[j] = x[j] + (r ? at[r] * h * k[r - 1][j] : 0);
        rates(s, t + at[r] * h, y, k[r]);
    }
    for (int j = 0; j < N; j++)
        out[j] = x[j] + h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
}

// Smallest first: what is below 0 has to change.
static real guard(const chain *s, const real *x, int *which) {
    real g[2] = {s->slide ? s->slide * x[s->n + s->rub] : s->R - fabsl(x[2 * s->n]),
                 (s->closed ? 1 : -1) * (x[s->wall] - s->gap)};
    *which = g[1] < g[0];
    if (g[0] < 0 && g[1] < 0) *which = 2;
    return fminl(g[0], g[1]);
}

static void change(chain *s, int which, real *x) {
    if (which == 1) {
        s->closed = !s->closed;
    } else if (s->slide) {
        x[2 * s->n] = s->slide * s->R;
        s->slide = 0;
    } else {
        s->slide = x[2 * s->n] > 0 ? 1 : -1;
        x[2 * s->n] = s->slide * s->R;
    }
}

static int march(chain *s, real until, real *x, double *when) {
    real t = 0, h0 = 1e-3L, y[2 * MOST + 1];
    int n = 0, which;
    while (t < until && n < CHANGES) {
        real h = fminl(h0, until - t);
        step(s, t, h, x, y);
        if (guard(s, y, &which) >= 0) {
            memcpy(x, y, sizeof y);
            t += h;
            continue;
        }
        real low = 0, high = h;
        for (int i = 0; i < 70; i++) {
            real middle = 0.5L * (low + high);
            step(s, t, middle, x, y);
            *(guard(s, y, &which) < 0 ? &high : &low) = middle;
        }
        step(s, t, high, x, y);
        guard(s, y, &which);
        memcpy(x, y, sizeof y);
        t += high;
        when[n++] = (double)t;
        change(s, which, x);
        step(s, t, 1e-9L, x, y); // a moment on, so that the new guard is inside
        if (guard(s, y, &which) < 0) change(s, which, y);
        memcpy(x, y, sizeof y);
        t += 1e-9L;
    }
    return n;
}

static chain draw(double *start) {
    chain s = {.n = 1 + pick(MOST), .m = mixed(0.5, 2), .k = mixed(0.4, 2), .c = mixed(0.02, 0.2)};
    s.rub = pick(s.n);
    s.wall = pick(s.n);
    s.F = mixed(0.5, 2);
    s.W = mixed(0.4, 2.5);
    s.R = mixed(0.1, 0.6);
    s.kt = mixed(1, 10);
    s.gap = mixed(0.1, 0.8);
    s.kn = mixed(2, 30);
    for (int i = 0; i < s.n; i++) {
        s.linear[i] = mixed(-0.3, 0.5);
        s.cubic[i] = decades(-1, 0.7);
        start[i] = mixed(-0.8, 0.09);
    }
    return s;
}

static int write_model(const chain *s, const double *start, char *text, size_t size) {
    int n = snprintf(text, size,
                     "judder: 1\nstructure: {type: chain, count: %d, mass: %.21Lg, stiffness: "
                     "%.21Lg, damping: {type: rayleigh, mass: %.21Lg, stiffness: 0}, points: {",
                     s->n, s->m, s->k, s->c);
    for (int i = 0; i < s->n; i++)
        n += snprintf(text + n, size - (size_t)n, "%sm%d: {node: %d}", i ? ", " : "", i, i + 1);
    n += snprintf(text + n, size - (size_t)n, "}}\ncontacts:\n");
    for (int i = 0; i < s->n; i++)
        n += snprintf(text + n, size - (size_t)n,
                      "  s%d: {at: m%d, law: {type: cubic, stiffness: %.21Lg, cubic: %.21Lg}}\n", i,
                      i, s->linear[i], s->cubic[i]);
    n += snprintf(text + n, size - (size_t)n,
                  "  rub: {at: m%d, law: {type: coulomb, limit: %.21Lg, stiffness: %.21Lg}}\n"
                  "  wall: {at: m%d, law: {type: stop, gap: %.21Lg, stiffness: %.21Lg}}\n"
                  "drives: {f: {type: harmonic, at: m%d, amplitude: %.21Lg, frequency: %.21Lg}}\n"
                  "start: {type: state, displacement: [",
                  s->rub, s->R, s->kt, s->wall, s->gap, s->kn, s->n - 1, s->F, s->W);
    for (int i = 0; i < s->n; i++)
        n += snprintf(text + n, size - (size_t)n, "%s%.17g", i ? ", " : "", start[i]);
    return n + snprintf(text + n, size - (size_t)n, "]}\nsimulate: {until: 100}\n");
}

// Events of the program up to `until`; what happens at one instant counts once.
static int run_model(const char *text, double until, double *when, double *u, double *residual) {
    jd_context *context = jd_context_create(NULL);
    jd_problem *p = NULL;
    jd_run *run = NULL;
    jd_step at = JD_STEP_EVENT;
    jd_report report;
    int n = 0;
    double v[MOST + 2], force[MOST + 2];
    jd_status s = jd_model_parse(context, "m.yaml", ".", text, strlen(text), 0, NULL, &p);
    if (s == JD_OK) s = jd_run_create(context, p, &run);
    if (s != JD_OK) fail_msg("%s\n%s", jd_context_error(context)->message, text);
    while (at == JD_STEP_EVENT && n < CHANGES) {
        assert_int_equal(jd_run_advance(run, until, &at), JD_OK);
        if (at == JD_STEP_EVENT) when[n++] = jd_run_event(run)->t;
    }
    assert_int_equal(at, JD_STEP_TIME);
    jd_run_observe_contacts(run, until, u, v, force);
    jd_run_report(run, &report);
    assert_true(report.certificate.certified);
    *residual = fabs(report.ledger.residual);
    jd_run_free(run);
    jd_problem_free(p);
    jd_context_free(context);
    return n;
}

static void changes_are_those_of_another_integrator(void **state) {
    (void)state;
    double worst = 0, energy = 0, until = 12;
    long events = 0;
    seed = 6;
    for (int i = 0; i < how_many(20, 10); i++) {
        static double one[CHANGES], two[CHANGES];
        double start[MOST], u[MOST + 2], residual;
        chain s = draw(start);
        real x[2 * MOST + 1] = {0};
        char text[4000];
        write_model(&s, start, text, sizeof text);
        for (int k = 0; k < s.n; k++) x[k] = start[k];
        int n = run_model(text, until, one, u, &residual), m = march(&s, until, x, two);
        if (n != m) fail_msg("model %d: %d changes and %d\n%s", i, n, m, text);
        for (int k = 0; k < n; k++) worst = fmax(worst, fabs(one[k] - two[k]));
        for (int k = 0; k < s.n; k++) worst = fmax(worst, fabs(u[k] - (double)x[k]));
        energy = fmax(energy, residual);
        events += n;
    }
    print_message("%ld changes, off by %.1e, energy by %.1e\n", events, worst, energy);
    assert_true(worst < 1e-9); // measured 4e-11
    assert_true(energy < 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(changes_are_those_of_another_integrator)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
