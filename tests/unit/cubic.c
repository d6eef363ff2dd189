// cubic.c -- nonlinear springs of engine series: free motions by Jacobi's elliptic functions, drawn
// chains and folds of forced orbits by an integrator that shares nothing with the engine, volumes
// of multipliers, energies, certificates, and what is refused.
#include <math.h>
#include <string.h>

#include "draws.h"
#include "judder/follow.h"
#include "judder/judder.h"
#include "judder/orbit.h"
#include "model_case.h"
#include "orbit_case.h"

// sn, cn, dn of the parameter 0 <= m < 1 by the arithmetic-geometric mean (descending Landen).
static void elliptic(double u, double m, double *sn, double *cn, double *dn) {
    double a[32], c[32], b = sqrt(1 - m);
    int n = 0;
    a[0] = 1;
    c[0] = sqrt(m);
    while (fabs(c[n]) > 1e-17 && n < 30) {
        a[n + 1] = 0.5 * (a[n] + b);
        c[n + 1] = 0.5 * (a[n] - b);
        b = sqrt(a[n] * b);
        n++;
    }
    double phi = ldexp(a[n] * u, n), before = phi;
    for (; n > 0; n--) {
        before = phi;
        phi = 0.5 * (phi + asin(c[n] * sin(phi) / a[n]));
    }
    *sn = sin(phi);
    *cn = cos(phi);
    double d = cos(before - phi);
    *dn = fabs(d) > 0.1 ? *cn / d : sqrt(1 - m * *sn * *sn);
}

typedef struct motion {
    jd_context *context;
    jd_problem *problem;
    jd_run *run;
} motion;

static motion begin(const char *text) {
    motion m = {.context = jd_context_create(NULL)};
    jd_status status =
        jd_model_parse(m.context, "cubic.yaml", ".", text, strlen(text), 0, NULL, &m.problem);
    if (status == JD_OK) status = jd_run_create(m.context, m.problem, &m.run);
    if (status != JD_OK) fail_msg("%s\n%s", jd_context_error(m.context)->message, text);
    return m;
}

static void end(motion *m) {
    jd_run_free(m->run);
    jd_problem_free(m->problem);
    jd_context_free(m->context);
}

static void go(motion *m, double t) {
    jd_step step = JD_STEP_EVENT;
    while (step == JD_STEP_EVENT) assert_int_equal(jd_run_advance(m->run, t, &step), JD_OK);
    assert_int_equal(step, JD_STEP_TIME);
}

// Energy balanced, everything certified.
static double checked(motion *m) {
    jd_report r;
    jd_run_report(m->run, &r);
    assert_true(r.certificate.certified);
    assert_int_equal(r.certificate.undecided, 0);
    return fabs(r.ledger.residual);
}

// A unit mass on a linear spring k1 of the chain and a nonlinear one (k2, c): x'' + k x + c x^3 =
// 0.
static void oscillator(char *text, size_t size, double k1, double k2, double c, double x,
                       double v) {
    snprintf(text, size,
             "judder: 1\nstructure: {type: chain, count: 1, mass: 1, stiffness: %.17g, points: {m: "
             "{node: 1}}}\ncontacts: {s: {at: m, law: {type: cubic, stiffness: %.17g, cubic: "
             "%.17g}}}\nstart: {type: state, displacement: [%.17g], velocity: [%.17g]}\n"
             "simulate: {until: 100}\n",
             k1, k2, c, x, v);
}

// hardening: A cn(w t | m), w^2 = k + c A^2, m = c A^2/(2 w^2);  softening: A sn(w t | m), w^2 = k
// + c A^2/2, m = -c A^2/(2 w^2);  two wells: A dn(w t | m), w^2 = c A^2/2, m = 2 + k/w^2.
static void free_motions_are_jacobis_functions(void **state) {
    (void)state;
    double worst = 0, energy = 0;
    seed = 11;
    for (int i = 0; i < 60; i++) {
        double k1 = mixed(0.3, 2), k2 = i % 3 == 2 ? -k1 - mixed(0.5, 2) : mixed(0, 1);
        double k = k1 + k2, A = decades(-1, 1), c, w, m, sn, cn, dn, x, v, u, rate, force;
        char text[1000];
        if (i % 3 == 0) {
            c = decades(-1, 1);
            w = sqrt(k + c * A * A);
            m = c * A * A / (2 * w * w);
            oscillator(text, sizeof text, k1, k2, c, A, 0);
        } else if (i % 3 == 1) { // below the height from which it falls away
            c = -mixed(0.05, 0.9) * k / (A * A);
            w = sqrt(k + c * A * A / 2);
            m = -c * A * A / (2 * w * w);
            oscillator(text, sizeof text, k1, k2, c, 0, A * w);
        } else {
            m = mixed(0.1, 0.95);
            c = -2 * k / (A * A * (2 - m));
            w = sqrt(c / 2) * A;
            oscillator(text, sizeof text, k1, k2, c, A, 0);
        }
        motion run = begin(text);
        for (double t = 3.7; t < 100; t += 13.1) {
            go(&run, t);
            jd_run_observe_contacts(run.run, t, &u, &rate, &force);
            elliptic(w * t, m, &sn, &cn, &dn);
            x = i % 3 == 0 ? A * cn : i % 3 == 1 ? A * sn : A * dn;
            v = i % 3 == 0 ? -A * w * sn * dn : i % 3 == 1 ? A * w * cn * dn : -A * w * m * sn * cn;
            // rounding of the frequency alone moves the phase by eps w t
            double off = fmax(fabs(u - x) / A, fabs(rate - v) / (A * w)) / (1 + w * t);
            worst = fmax(worst, off);
            assert_near(force, -(k2 * u + c * u * u * u), 1e-12 * (fabs(k2) + fabs(c) * A * A) * A);
        }
        energy = fmax(energy, checked(&run));
        end(&run);
    }
    print_message("off by %.1e of the amplitude per radian, energy by %.1e\n", worst, energy);
    assert_true(worst < 1e-13); // measured 1.4e-14
    assert_true(energy < 1e-12);
}

// ---- an integrator of its own: Runge and Kutta with 1 and 2 times the steps, extrapolated

enum { MOST = 5 };
typedef struct chain {
    int n;
    long double m, k, c, force,
        omega; // masses, springs, mass-proportional damping, drive at the end
    long double linear[MOST + 1], cubic[MOST + 1]; // to the ground; the last between both ends
} chain;

static void rates(const chain *s, long double t, const long double *x, long double *out) {
    const long double *v = x + s->n;
    for (int i = 0; i < s->n; i++) {
        long double left = i > 0 ? x[i - 1] : 0, right = i + 1 < s->n ? x[i + 1] : x[i];
        long double f = -s->k * (x[i] - left) - s->k * (x[i] - right) - s->c * s->m * v[i];
        f -= s->linear[i] * x[i] + s->cubic[i] * x[i] * x[i] * x[i];
        if (i == s->n - 1) f += s->force * sinl(s->omega * t);
        out[i] = v[i];
        out[s->n + i] = f / s->m;
    }
    long double d = x[0] - x[s->n - 1];
    long double f = s->linear[s->n] * d + s->cubic[s->n] * d * d * d;
    if (s->n == 1) return;
    out[s->n] -= f / s->m;
    out[2 * s->n - 1] += f / s->m;
}

static void march(const chain *s, long double T, int steps, long double *x) {
    int N = 2 * s->n;
    long double h = T / steps, k[4][2 * MOST], y[2 * MOST];
    static const long double at[4] = {0, 0.5L, 0.5L, 1};
    for (int i = 0; i < steps; i++) {
        long double t = T * i / steps;
        for (int r = 0; r < 4; r++) {
            for (int j = 0; j < N; j++) y[j] = x[j] + (r ? at[r] * h * k[r - 1][j] : 0);
            rates(s, t + at[r] * h, y, k[r]);
        }
        for (int j = 0; j < N; j++) x[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
    }
}

static void flow(const chain *s, long double T, int steps, long double *x) {
    long double one[2 * MOST], two[2 * MOST];
    memcpy(one, x, sizeof one);
    memcpy(two, x, sizeof two);
    march(s, T, steps, one);
    march(s, T, 2 * steps, two);
    for (int j = 0; j < 2 * s->n; j++) x[j] = two[j] + (two[j] - one[j]) / 15;
}

static int write_chain(const chain *s, char *text, size_t size, const double *start) {
    int n = snprintf(text, size,
                     "judder: 1\nstructure: {type: chain, count: %d, mass: %.17Lg, stiffness: "
                     "%.17Lg, damping: {type: rayleigh, mass: %.17Lg, stiffness: 0}, points: {m1: "
                     "{node: 1}, m2: {node: 2}, m3: {node: 3}, m4: {node: 4}, m5: {node: 5}}}\n",
                     s->n, s->m, s->k, s->c);
    char *cut = strstr(text, s->n == 1   ? ", m2"
                             : s->n == 2 ? ", m3"
                             : s->n == 3 ? ", m4"
                             : s->n == 4 ? ", m5"
                                         : "}}\n");
    n = (int)(cut - text);
    n += snprintf(text + n, size - (size_t)n, "}}\ncontacts:\n");
    for (int i = 0; i < s->n; i++)
        n += snprintf(text + n, size - (size_t)n,
                      "  s%d: {at: m%d, law: {type: cubic, stiffness: %.17Lg, cubic: %.17Lg}}\n",
                      i + 1, i + 1, s->linear[i], s->cubic[i]);
    if (s->n > 1)
        n += snprintf(text + n, size - (size_t)n,
                      "  between: {at: m1, against: m%d, law: {type: cubic, stiffness: %.17Lg, "
                      "cubic: %.17Lg}}\n",
                      s->n, s->linear[s->n], s->cubic[s->n]);
    n += snprintf(text + n, size - (size_t)n,
                  "drives: {f: {type: harmonic, at: m%d, amplitude: %.17Lg, frequency: %.17Lg}}\n",
                  s->n, s->force, s->omega);
    if (!start) return n;
    n += snprintf(text + n, size - (size_t)n, "start: {type: state, displacement: [");
    for (int i = 0; i < s->n; i++)
        n += snprintf(text + n, size - (size_t)n, "%s%.17g", i ? ", " : "", start[i]);
    return n + snprintf(text + n, size - (size_t)n, "]}\nsimulate: {until: 100}\n");
}

static chain draw(void) {
    chain s = {.n = 1 + pick(MOST), .m = mixed(0.5, 2), .k = mixed(0.3, 2), .c = mixed(0, 0.2)};
    s.force = mixed(-2, 2);
    s.omega = mixed(0.3, 3);
    for (int i = 0; i <= s.n; i++) {
        s.linear[i] = mixed(-0.2, 1);
        s.cubic[i] = i % 2 ? decades(-2, 1) : decades(-1, 0.5);
    }
    return s;
}

// Drives begin as sines at t = 0; the model's own drive has phase 0.
static void drawn_chains_move_as_another_integrator_says(void **state) {
    (void)state;
    double worst = 0, energy = 0;
    seed = 3;
    for (int i = 0; i < 25; i++) {
        chain s = draw();
        double start[MOST];
        long double x[2 * MOST] = {0};
        for (int k = 0; k < s.n; k++) x[k] = start[k] = mixed(-1.5, 1.5);
        char text[4000];
        write_chain(&s, text, sizeof text, start);
        motion run = begin(text);
        double t = 6, u[MOST + 1], v[MOST + 1], force[MOST + 1], size = 0;
        go(&run, t);
        jd_run_observe_contacts(run.run, t, u, v, force);
        flow(&s, (long double)t, 6000, x);
        for (int k = 0; k < s.n; k++)
            size = fmax(size, fabs((double)x[k]) + fabs((double)x[s.n + k]));
        for (int k = 0; k < s.n; k++) {
            worst = fmax(worst, fabs(u[k] - (double)x[k]) / size);
            worst = fmax(worst, fabs(v[k] - (double)x[s.n + k]) / size);
        }
        if (s.n > 1) assert_near(u[s.n], u[0] - u[s.n - 1], 1e-13 * size);
        energy = fmax(energy, checked(&run));
        end(&run);
    }
    print_message("drawn chains: off by %.1e, energy by %.1e\n", worst, energy);
    assert_true(worst < 1e-9); // measured 1.2e-12: that of the integrator
    assert_true(energy < 1e-12);
}

// ---- orbits

// Damping that is proportional to the mass shrinks every volume by exp(-c T) per pair.
static void multipliers_have_the_volume_of_the_damping(void **state) {
    (void)state;
    double worst = 0;
    int found = 0;
    seed = 8;
    for (int i = 0; i < 10; i++) {
        chain s = draw();
        s.c = mixed(0.1, 0.3);
        char text[4000];
        write_chain(&s, text, sizeof text, NULL);
        orbit_case c;
        orbit_parse(&c, text);
        orbit_seek(&c, NULL);
        if (c.view->found) {
            double logs = 0;
            const jd_orbit_view *v = c.view;
            for (int k = 0; k < v->stability.n_multiplier; k++)
                logs +=
                    log(hypot(v->stability.multiplier[2 * k], v->stability.multiplier[2 * k + 1]));
            worst = fmax(worst, fabs(logs + (double)(s.n * s.c) * v->period));
            found++;
        }
        orbit_end(&c);
    }
    print_message("%d orbits, volume off by %.1e\n", found, worst);
    assert_true(found >= 6);
    assert_true(worst < 1e-12); // measured 4e-15
}

// P(y) - y and det(1 - dP/dy) of one oscillator, by the integrator above; y = (x, v, omega).
static void fold_equations(chain s, const long double *y, long double *out) {
    enum { STEPS = 400 };
    const long double d = 1e-5L;
    s.omega = y[2];
    long double T = 2 * acosl(-1) / s.omega, x[2 * MOST] = {y[0], y[1]}, M[2][2];
    flow(&s, T, STEPS, x);
    out[0] = x[0] - y[0];
    out[1] = x[1] - y[1];
    for (int j = 0; j < 2; j++) { // differences of fourth order
        long double side[4][2 * MOST];
        for (int r = 0; r < 4; r++) {
            static const int step[4] = {-2, -1, 1, 2};
            memset(side[r], 0, sizeof side[r]);
            side[r][0] = y[0], side[r][1] = y[1];
            side[r][j] += step[r] * d;
            flow(&s, T, STEPS, side[r]);
        }
        for (int i = 0; i < 2; i++)
            M[i][j] = (side[0][i] - 8 * side[1][i] + 8 * side[2][i] - side[3][i]) / (12 * d);
    }
    out[2] = (1 - M[0][0]) * (1 - M[1][1]) - M[0][1] * M[1][0];
}

static void solve3(long double A[3][4], long double *x) {
    for (int c = 0; c < 3; c++) {
        int best = c;
        for (int i = c; i < 3; i++)
            if (fabsl(A[i][c]) > fabsl(A[best][c])) best = i;
        for (int j = 0; j < 4; j++) {
            long double a = A[c][j];
            A[c][j] = A[best][j], A[best][j] = a;
        }
        for (int i = 0; i < 3; i++) {
            long double f = i == c ? 0 : A[i][c] / A[c][c];
            for (int j = 0; j < 4; j++) A[i][j] -= f * A[c][j];
        }
    }
    for (int i = 0; i < 3; i++) x[i] = A[i][3] / A[i][i];
}

static long double refine_fold(const chain *s, long double *y) {
    for (int step = 0; step < 6; step++) {
        long double f[3], g[3], A[3][4], x[3];
        fold_equations(*s, y, f);
        for (int j = 0; j < 3; j++) {
            long double z[3] = {y[0], y[1], y[2]}, d = 1e-6L;
            z[j] += d;
            fold_equations(*s, z, g);
            for (int i = 0; i < 3; i++) A[i][j] = (g[i] - f[i]) / d;
        }
        for (int i = 0; i < 3; i++) A[i][3] = -f[i];
        solve3(A, x);
        for (int i = 0; i < 3; i++) y[i] += x[i];
        if (fabsl(x[0]) + fabsl(x[1]) + fabsl(x[2]) < 1e-12L) break;
    }
    return y[2];
}

static void folds_of_the_response_are_those_of_another_shooting(void **state) {
    static const struct {
        double k, cubic, c, force, from, to;
    } duffing[] = {{1, 0.5, 0.1, 0.4, 0.5, 3}, {1, -0.05, 0.08, 0.2, 1.6, 0.4}};
    for (size_t i = 0; i < sizeof duffing / sizeof *duffing; i++) {
        chain s = {.n = 1,
                   .m = 1,
                   .k = duffing[i].k,
                   .c = duffing[i].c,
                   .force = duffing[i].force,
                   .omega = duffing[i].from};
        s.cubic[0] = duffing[i].cubic;
        char text[4000];
        int n = write_chain(&s, text, sizeof text, NULL);
        snprintf(text + n, sizeof text - (size_t)n,
                 "follow: {parameter: drives.f.frequency, from: %g, to: %g}\n", duffing[i].from,
                 duffing[i].to);
        jd_follow *f = NULL;
        reads(*state, text, NULL);
        model_case *m = *state;
        if (jd_follow_create(m->context, m->problem, NULL, &f) != JD_OK)
            fail_msg("%s", jd_context_error(m->context)->message);
        const jd_follow_view *v = jd_follow_look(f);
        int folds = 0;
        for (int k = 0; k < v->n_special; k++) {
            const jd_special *p = &v->special[k];
            if (p->kind != JD_SPECIAL_FOLD) continue;
            const double *q = v->state + (size_t)p->point * (size_t)v->n;
            long double y[3] = {q[0], q[1], p->parameter};
            double at = (double)refine_fold(&s, y);
            print_message("fold %.12g, the other shooting %.12g\n", p->parameter, at);
            assert_relative(p->parameter, at, 1e-8);
            folds++;
        }
        assert_int_equal(folds, 2);
        assert_int_equal(v->end, JD_END_TO);
        jd_follow_free(f);
    }
}

// ---- what is refused

#define MASS                                                                                       \
    "judder: 1\nstructure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: {node: "     \
    "1}}}\ncontacts: {s: {at: m, "

static void what_a_nonlinear_spring_cannot_is_refused(void **state) {
    refuses(*state, MASS "law: {type: cubic, stiffness: 1}}}\n", NULL, JD_MISSING_KEY,
            "m.yaml:3:23", "`cubic` is missing", "third power");
    refuses(*state, MASS "against: {velocity: 1}, law: {type: cubic, cubic: 1}}}\n", NULL,
            JD_NOT_SUPPORTED, "m.yaml:3:15", "the nonlinear spring `s` works against a moving body",
            "ground");
    refuses(*state, MASS "law: {type: cubic, cubic: .inf}}}\n", NULL, JD_OUT_OF_RANGE,
            "m.yaml:3:49", "`cubic`", "");
    static const char *const engine[] = {"exact", "memory"};
    for (size_t i = 0; i < 2; i++) {
        char text[500];
        snprintf(text, sizeof text,
                 MASS "law: {type: cubic, cubic: 1}}}\nsimulate: {until: 1, engine: %s}\n",
                 engine[i]);
        reads(*state, text, NULL);
        model_case *m = *state;
        jd_run *run = NULL;
        assert_int_equal(jd_run_create(m->context, m->problem, &run), JD_NOT_SUPPORTED);
        says("message", jd_context_error(m->context)->message, "nonlinear spring (`cubic`)");
    }
    reads(*state, MASS "law: {type: cubic, cubic: 1}}}\nstart: static\nsimulate: {until: 1}\n",
          NULL);
    model_case *m = *state;
    jd_run *run = NULL;
    assert_int_equal(jd_run_create(m->context, m->problem, &run), JD_NOT_SUPPORTED);
    says("message", jd_context_error(m->context)->message,
         "the equilibrium with the nonlinear spring `s` is not computed");
}

// A softening spring beyond its top falls away without bound, which is told.
static void a_spring_that_pushes_away_ends_by_name(void **state) {
    (void)state;
    char text[1000];
    oscillator(text, sizeof text, 1, 0, -1, 1.1, 0);
    motion m = begin(text);
    jd_step step = JD_STEP_EVENT;
    assert_int_equal(jd_run_advance(m.run, 100, &step), JD_OK);
    assert_int_equal(step, JD_STEP_STOPPED);
    end(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_motions_are_jacobis_functions),
        cmocka_unit_test(drawn_chains_move_as_another_integrator_says),
        cmocka_unit_test(multipliers_have_the_volume_of_the_damping),
        MODEL_TEST(folds_of_the_response_are_those_of_another_shooting),
        MODEL_TEST(what_a_nonlinear_spring_cannot_is_refused),
        cmocka_unit_test(a_spring_that_pushes_away_ends_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
