// follow_family.c -- responses of one mode with a damper (a spring in series with a slider) for
// several limits: their peaks, and the optimal limit.
//   m x'' + c x' + k x + T = F cos(w t + phi). From the lower turning point, x = -A, T = -R:
//     stuck,   T = -R + kt (x + A)  until x = -A + 2R/kt at t1,
//     sliding, T = R                until x = A, x' = 0 at pi/w.
//   Three equations for (A, phi, t1), each phase in closed form, solved in long double; peaks and
//   the least peak by differences of A, in long double.
#include <math.h>

#include "draws.h"
#include "follow_case.h"

typedef long double real;

typedef struct damper {
    real k, kt, c; // m = F = 1
} damper;

// x and v after t from (x0, v0), with stiffness s, constant force f, cos(w t + phi) besides.
static void move(const damper *d, real s, real f, real w, real phi, real t, real x0, real v0,
                 real *x, real *v) {
    real a = d->c / 2, e = sqrtl(s - a * a), re = s - w * w, im = d->c * w,
         norm = re * re + im * im, p = re / norm, q = im / norm; // p cos + q sin
    real xp0 = p * cosl(phi) + q * sinl(phi) + f / s, vp0 = w * (q * cosl(phi) - p * sinl(phi));
    real A = x0 - xp0, B = (v0 - vp0 + a * A) / e, g = expl(-a * t), C = cosl(e * t),
         S = sinl(e * t), th = w * t + phi;
    *x = p * cosl(th) + q * sinl(th) + f / s + g * (A * C + B * S);
    *v = w * (q * cosl(th) - p * sinl(th)) - a * g * (A * C + B * S) + g * e * (B * C - A * S);
}

static void residual(const damper *d, real R, real w, const real u[3], real out[3]) {
    real x, v, A = u[0], half = acosl(-1) / w;
    move(d, d->k + d->kt, R - d->kt * A, w, u[1], u[2], -A, 0, &x, &v);
    out[0] = x + A - 2 * R / d->kt;
    move(d, d->k, -R, w, u[1] + w * u[2], half - u[2], x, v, &x, &v);
    out[1] = x - A;
    out[2] = v;
}

// Newton's method from u.
static bool solve(const damper *d, real R, real w, real u[3]) {
    for (int it = 0; it < 60; it++) {
        real f[3], J[3][4], g[3], size = 0;
        residual(d, R, w, u, f);
        for (int j = 0; j < 3; j++) {
            real h = 1e-9L, was = u[j], b[3];
            u[j] = was + h;
            residual(d, R, w, u, g);
            u[j] = was - h;
            residual(d, R, w, u, b);
            u[j] = was;
            for (int i = 0; i < 3; i++) J[i][j] = (g[i] - b[i]) / (2 * h);
        }
        for (int i = 0; i < 3; i++) J[i][3] = -f[i];
        for (int k = 0; k < 3; k++) {
            int p = k;
            for (int i = k; i < 3; i++)
                if (fabsl(J[i][k]) > fabsl(J[p][k])) p = i;
            for (int j = 0; j < 4; j++) {
                real t = J[k][j];
                J[k][j] = J[p][j];
                J[p][j] = t;
            }
            for (int i = k + 1; i < 3; i++)
                for (int j = 3; j >= k; j--) J[i][j] -= J[i][k] / J[k][k] * J[k][j];
        }
        for (int k = 2; k >= 0; k--) {
            for (int j = k + 1; j < 3; j++) J[k][3] -= J[k][j] * J[j][3];
            J[k][3] /= J[k][k];
            u[k] += J[k][3];
            size += fabsl(J[k][3]);
        }
        if (size < 1e-17L * (1 + fabsl(u[0]))) return true;
        if (!(size < 1e6L)) return false;
    }
    return true;
}

static real amplitude(const damper *d, real R, real w, const real from[3]) {
    real u[3] = {from[0], from[1], from[2]};
    return solve(d, R, w, u) ? u[0] : (real)NAN;
}

// Slope of A along w (0) or R (1), of sixth order.
static real slope(const damper *d, real R, real w, const real u[3], int along) {
    static const real weight[] = {0.75L, -0.15L, 1 / 60.0L};
    real sum = 0, h = 2e-4L;
    for (int k = 1; k <= 3; k++)
        sum += weight[k - 1] * (amplitude(d, along ? R + k * h : R, along ? w : w + k * h, u) -
                                amplitude(d, along ? R - k * h : R, along ? w : w - k * h, u));
    return sum / h;
}

// The saddle of A near (R, w).
static void optimum(const damper *d, real *R, real *w, real u[3]) {
    for (int it = 0; it < 30; it++) {
        real h = 1e-4L, g0, g1, H[2][2];
        assert_true(solve(d, *R, *w, u));
        g0 = slope(d, *R, *w, u, 0);
        g1 = slope(d, *R, *w, u, 1);
        for (int k = 0; k < 2; k++) {
            H[k][0] = (slope(d, *R, *w + h, u, k) - slope(d, *R, *w - h, u, k)) / (2 * h);
            H[k][1] = (slope(d, *R + h, *w, u, k) - slope(d, *R - h, *w, u, k)) / (2 * h);
        }
        real det = H[0][0] * H[1][1] - H[0][1] * H[1][0];
        real dw = -(H[1][1] * g0 - H[0][1] * g1) / det, dR = -(H[0][0] * g1 - H[1][0] * g0) / det;
        *w += dw;
        *R += dR;
        if (fabsl(dw) + fabsl(dR) < 1e-14L) return;
    }
}

static jd_follow *respond(model_case *m, const damper *d, const char *family, const char *set) {
    char text[1500];
    snprintf(text, sizeof text,
             "judder: 1\n"
             "structure: {type: chain, count: 1, mass: 1, stiffness: %.17Lg, supports: {left: "
             "fixed, right: free}, points: {m: {node: 1}}, damping: {type: ratio, value: %.17Lg}}\n"
             "contacts: {damper: {at: m, law: {type: coulomb, limit: 1, stiffness: %.17Lg}}}\n"
             "drives: {force: {at: m, type: harmonic, amplitude: 1, frequency: 1}}\n"
             "start: rest\norbit: {periods: 1, settle: 60 periods}\n"
             "follow: {parameter: drives.force.frequency, from: 0.8, to: 1.9, measure: "
             "m.displacement.max, family: {contacts.damper.law.limit: [%s]}}\n",
             d->k, d->c / (2 * sqrtl(d->k)), d->kt, family);
    return follows(m, text, set, NULL);
}

static void the_optimal_damper_is_that_of_the_closed_form(void **state) {
    model_case *m = *state;
    double worst[3] = {0};
    int found = 0;
    seed = 77;
    for (int i = 0; i < 5; i++) {
        damper d = {.k = 1, .kt = mixed(0.6, 1.6), .c = mixed(0.02, 0.08)};
        jd_follow *f = respond(m, &d, "0.2, 0.4, 0.7, 1, 1.4, 2, 3", NULL);
        const jd_family *family = jd_follow_look(f)->family;
        assert_non_null(family);
        assert_int_equal(family->n, 7);
        for (int k = 0; k < family->n; k++) assert_true(family->peak[k].inside);
        assert_true(family->optimal);
        real R = family->optimum.value, w = family->optimum.parameter,
             u[3] = {family->optimum.amplitude, 0, 0};
        // phase and time of slip from the amplitude: a few starts
        bool good = false;
        for (int k = 0; k < 12 && !good; k++)
            for (int l = 1; l < 8 && !good; l++) {
                real start[3] = {u[0], 0.55L * k, acosl(-1) / w * l / 8};
                good = solve(&d, R, w, start) && fabsl(start[0] - u[0]) < 1e-6L && start[2] > 0 &&
                       start[2] < acosl(-1) / w;
                if (good)
                    for (int j = 0; j < 3; j++) u[j] = start[j];
            }
        assert_true(good);
        optimum(&d, &R, &w, u);
        worst[0] = fmax(worst[0], fabs((double)(family->optimum.value / R - 1)));
        worst[1] = fmax(worst[1], fabs((double)(family->optimum.parameter / w - 1)));
        worst[2] = fmax(worst[2], fabs((double)(family->optimum.amplitude / u[0] - 1)));
        assert_true(fabs((double)(family->optimum.value - R)) <= family->error);
        found++;
        jd_follow_free(f);
    }
    print_message("%d dampers: limit %.1e, frequency %.1e, amplitude %.1e\n", found, worst[0],
                  worst[1], worst[2]);
    assert_true(worst[0] < 1e-10);
    assert_true(worst[1] < 1e-10);
    assert_true(worst[2] < 1e-12);
}

// What the values leave out is said.
static void a_family_without_a_least_peak_says_so(void **state) {
    model_case *m = *state;
    const damper d = {.k = 1, .kt = 1, .c = 0.04L};
    jd_follow *f = respond(m, &d, "0.1, 0.2", NULL);
    assert_false(jd_follow_look(f)->family->optimal);
    says("why", jd_follow_look(f)->family->why, "widen the family");
    jd_follow_free(f);
}

static void bad_families_are_refused_by_name(void **state) {
    static const char *const bad[][2] = {
        {"{contacts.damper.law.limit: [1, 2], drives.force.amplitude: [1, 2]}", "a family has one"},
        {"{contacts.damper.law.limit: [1, 2, 1]}", "twice"},
        {"{contacts.damper.law.limit: [1]}", "two or more"},
        {"{drives.force.frequency: [1, 2]}", "both the parameter"},
        {"{contacts.nobody.law.limit: [1, 2]}", "nobody"},
        {"{contacts.damper.law.limit: [1, -2]}", "limit"}};
    model_case *m = *state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[1000];
        jd_follow *f = NULL;
        snprintf(
            text, sizeof text,
            "judder: 1\n"
            "structure: {type: chain, count: 1, mass: 1, stiffness: 1, supports: {left: fixed, "
            "right: free}, points: {m: {node: 1}}, damping: none}\n"
            "contacts: {damper: {at: m, law: {type: coulomb, limit: 1, stiffness: 1}}}\n"
            "drives: {force: {at: m, type: harmonic, amplitude: 1, frequency: 1}}\n"
            "start: rest\n"
            "follow: {parameter: drives.force.frequency, from: 0.8, to: 1.9, family: %s}\n",
            bad[i][0]);
        jd_status status = model_parse(m, text, NULL);
        if (status == JD_OK) status = jd_follow_create(m->context, m->problem, NULL, &f);
        assert_int_not_equal(status, JD_OK);
        says("message", jd_context_error(m->context)->message, bad[i][1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {MODEL_TEST(the_optimal_damper_is_that_of_the_closed_form),
                                       MODEL_TEST(a_family_without_a_least_peak_says_so),
                                       MODEL_TEST(bad_families_are_refused_by_name)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
