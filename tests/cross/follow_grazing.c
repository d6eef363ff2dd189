// follow_grazing.c -- what lies close beside a grazing, against the closed form of the oscillator.
//   x'' + 2 z x' + x = sin w t, x <= 0, x'+ = -e x'- at the stop. Between impacts
//     x = A sin w t + B cos w t + exp(-z t)(C cos r t + D sin r t), r^2 = 1 - z^2.
//   The map from one impact (time, speed) to the next solves x = 0; a flip of the orbit with two
//   impacts a period has 1 + tr M + det M = 0, M the derivative of the map over both. Newton's
//   method for (t1, v1, w), in long double, from what `follow` reports.
#include <math.h>

#include "draws.h"
#include "follow_case.h"
#include "shaken_reference.h"

// The first time after `at` at which the flight reaches x = 0, however short it stays beyond.
static real landing(const shaken *s, const flight *f, real at) {
    const real step = 0.02L;
    for (;; at += step) {
        real hi = at + step, lo = at;
        if (speed(s, f, lo) > 0 && speed(s, f, hi) < 0 && place(s, f, hi) < 0) {
            for (int i = 0; i < 70; i++) {
                real middle = (lo + hi) / 2;
                *(speed(s, f, middle) > 0 ? &lo : &hi) = middle;
            }
            lo = at;
        }
        if (place(s, f, hi) < 0) continue;
        for (int i = 0; i < 70; i++) {
            real middle = (lo + hi) / 2;
            *(place(s, f, middle) < 0 ? &lo : &hi) = middle;
        }
        return lo;
    }
}

// From an impact at t with speed v to the next; M = d(t, v) there/d(t, v) times M, from what the
// start moves: at the time t the place by -v+ dt, the velocity by dv+ - a+ dt, both carried along.
static void to_next(const shaken *s, real *t, real *v, real M[2][2]) {
    real z = s->ratio, e = s->restitution, from = *t, away = -e * *v;
    flight f = fly(s, from, 0, away);
    *t = landing(s, &f, from + 1e-7L);
    *v = speed(s, &f, *t);
    real before = sinl(s->omega * from) - 2 * z * away, after = sinl(s->omega * *t) - 2 * z * *v;
    for (int j = 0; j < 2; j++) {
        real x = -away * M[0][j], y = -e * M[1][j] - before * M[0][j];
        carry(s, *t - from, &x, &y);
        M[0][j] = -x / *v;
        M[1][j] = y + after * M[0][j];
    }
}

// Residuals of the orbit with `impacts` a period and of its flip; the slowest impact.
static real flip_residual(const shaken *model, int impacts, const real z[3], real out[3]) {
    real M[2][2] = {{1, 0}, {0, 1}}, t = z[0], v = z[1], slow = 1;
    shaken s = *model;
    s.omega = z[2];
    for (int k = 0; k < impacts; k++) {
        to_next(&s, &t, &v, M);
        slow = fminl(slow, v);
    }
    out[0] = t - 2 * acosl(-1) / z[2] - z[0];
    out[1] = v - z[1];
    out[2] = 1 + M[0][0] + M[1][1] + M[0][0] * M[1][1] - M[0][1] * M[1][0];
    return slow;
}

static jd_follow *follow_stop(model_case *m, const shaken *s, double phase, double unit) {
    char text[1200];
    snprintf(text, sizeof text,
             "judder: 1\n"
             "structure: {type: chain, count: 1, mass: %.17g, stiffness: %.17g, points: {m: {node: "
             "1}}, damping: {type: ratio, value: %.17g}, supports: {left: fixed, right: free}}\n"
             "contacts: {stop: {at: m, against: ground, law: {type: stop, gap: 0, restitution: "
             "%.17g}}}\n"
             "drives: {force: {at: m, type: harmonic, amplitude: 1, frequency: 2, phase: %.17g}}\n"
             "start: rest\norbit: {settle: 300 periods}\n"
             "follow: {parameter: drives.force.frequency, from: 2.5, to: 0.95, measure: "
             "stop.impact.max}\n",
             unit, unit, (double)s->ratio, (double)s->restitution, phase);
    return follows(m, text, NULL, NULL);
}

// The flip by the closed form, from the point of the branch before it: with a slower impact, from
// where Newton's method converges on functions like 1/v.
static double reference(const jd_follow_view *v, const jd_special *s, shaken model, double phase,
                        int impacts) {
    const jd_branch_point *p = &v->point[s->point - 1];
    const double *state = v->state + (size_t)(s->point - 1) * (size_t)v->n;
    model.omega = p->parameter;
    real t = phase / model.omega, z[3] = {0, 0, p->parameter};
    flight f = fly(&model, t, state[0], state[1]);
    z[0] = landing(&model, &f, t);
    z[1] = speed(&model, &f, z[0]);
    real M[2][2] = {{0}};
    if (z[1] < p->amplitude / 2) to_next(&model, &z[0], &z[1], M); // from the fastest
    solve_three(flip_residual, &model, impacts, z);
    return (double)z[2];
}

// Every flip of every branch, and the same points whatever the phase of the drive. The flip that
// follows the grazing lies within 1e-5 of it, or much closer.
static void flips_beside_a_grazing_are_found(void **state) {
    int beside = 0;
    for (int i = 0; i < 6; i++) {
        shaken model = {.ratio = uniform(0.01, 0.05), .restitution = uniform(0.45, 0.85)};
        jd_follow *f[2];
        double phase[2] = {0, uniform(0, 6.28)};
        for (int k = 0; k < 2; k++) f[k] = follow_stop(*state, &model, phase[k], 1);
        const jd_follow_view *a = jd_follow_look(f[0]), *b = jd_follow_look(f[1]);
        assert_int_equal(a->n_special, b->n_special);
        assert_int_equal(a->end, JD_END_TO);
        assert_int_equal(b->end, JD_END_TO);
        int impacts = 1;
        for (int j = 0; j < a->n_special; j++) {
            const jd_special *s = &a->special[j], *r = &b->special[j];
            assert_int_equal(s->kind, r->kind);
            assert_near(s->parameter, r->parameter, s->error + r->error);
            impacts += s->kind == JD_SPECIAL_GRAZING;
            beside += s->kind == JD_SPECIAL_FLIP && impacts == 2;
            if (s->kind != JD_SPECIAL_FLIP) continue;
            assert_near(s->parameter, reference(a, s, model, phase[0], impacts), s->error + 1e-12);
            assert_near(r->parameter, reference(b, r, model, phase[1], impacts), r->error + 1e-12);
        }
        for (int k = 0; k < 2; k++) jd_follow_free(f[k]);
    }
    assert_int_equal(beside, 6);
}

static int count(const char *text, char letter) {
    int n = 0;
    for (; *text; text++) n += *text == letter;
    return n;
}

// The closed form from the state of each point at t = 0: it hits the stop as often as the phase
// string says, never passes it in between, and is back after the period. An orbit of multiplier m
// amplifies what is wrong with its start by m.
static void every_point_is_an_orbit_that_stays_before_its_stop(void **state) {
    int checked = 0;
    for (int i = 0; i < 4; i++) {
        shaken model = {.ratio = uniform(0.01, 0.05), .restitution = uniform(0.45, 0.85)};
        double phase = uniform(0, 6.28);
        jd_follow *f = follow_stop(*state, &model, phase, 1);
        const jd_follow_view *v = jd_follow_look(f);
        for (int j = 0; j < v->n_point; j += 3) {
            const jd_branch_point *p = &v->point[j];
            const double *s = v->state + (size_t)j * (size_t)v->n;
            model.omega = p->parameter;
            real t = phase / model.omega, end = t + 2 * acosl(-1) / model.omega, at;
            flight g = fly(&model, t, s[0], s[1]);
            int hits = 0;
            while ((at = landing(&model, &g, t)) < end) {
                g = fly(&model, at, 0, -model.restitution * speed(&model, &g, at));
                t = at + 1e-9L;
                hits++;
            }
            double growth = fmax(1, hypot(p->multiplier[0], p->multiplier[1]));
            assert_int_equal(hits, count(v->phases[p->phases], '!'));
            assert_near((double)place(&model, &g, end), s[0], 1e-9 * growth);
            assert_near((double)speed(&model, &g, end), s[1], 1e-9 * growth);
            checked++;
        }
        jd_follow_free(f);
    }
    assert_true(checked > 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(flips_beside_a_grazing_are_found),
        MODEL_TEST(every_point_is_an_orbit_that_stays_before_its_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
