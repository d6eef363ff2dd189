// follow_codimension.c -- points of codimension 2 on curves of special points, beside closed forms.
//   One impact a period T = 2 pi/w at speed v: x'' + c x' + x = F sin(w t + phase) + K, x <= g.
//   x = p sin w t + q cos w t + K + e^(-z t)(C cos r t + D sin r t), z = c/2, from the impact at
//   t = 0 to the next: x(0) = x(T) = g, x'(0) = -e v, x'(T) = v give p and q as linear functions of
//   v, and p^2 + q^2 = F^2/((1 - w^2)^2 + (c w)^2) v itself: a quadratic equation.
//     det M = e^2 exp(-c T),  tr M = tr(S Phi),  S = (-e 0; (a+ + e a-)/v, -e)
//   Fold: 1 - tr + det = 0, flip: 1 + tr + det = 0, a pair on the circle: det = 1. So
//     fold, flip curve: 1:1, 1:2 where det = 1; pairs: where tr = 2, -2.
//   Two such masses beside each other, which know nothing of each other, meet two conditions at
//   once where both closed forms say so: fold-flip, grazing-fold.
#include <math.h>
#include <string.h>

#include "follow_case.h"

typedef long double real;

typedef struct knocker {
    real w, c, e, g, F, K;
} knocker;

typedef struct knock {
    real v, trace, det;
} knock;

// (p, q) at speed v, by elimination: two equations linear in p, q.
static void parts(const knocker *k, real v, real *p, real *q) {
    real T = 2 * acosl(-1) / k->w, z = k->c / 2, r = sqrtl(1 - z * z), E = expl(-z * T),
         co = cosl(r * T), si = sinl(r * T), g = k->g - k->K;
    // x(T) = q + E (C co + D si), C = g - q, D = (-e v - w p + z C)/r
    real hp = -E * si * k->w / r, hq = 1 - E * (co + z * si / r),
         h0 = E * (g * (co + z * si / r) - k->e * v * si / r);
    // x'(T) = w p + E ((r D - z C) co - (r C + z D) si)
    real sp = k->w - E * k->w * (co - z * si / r),
         sq = E * (r + z * z / r) * si, // from C = -q: D = -z q/r, r D - z C = -z q + z q = 0
        s0 = E * (-k->e * v * (co - z * si / r) - g * (r + z * z / r) * si);
    real a = g - h0, b = v - s0, det = hp * sq - hq * sp;
    *p = (a * sq - hq * b) / det;
    *q = (hp * b - sp * a) / det;
}

// The orbit with the larger or smaller speed; false: there is none.
static bool solve(const knocker *k, bool larger, knock *out) {
    real p0, q0, p1, q1, size = powl(k->F, 2) / (powl(1 - k->w * k->w, 2) + powl(k->c * k->w, 2));
    parts(k, 0, &p0, &q0);
    parts(k, 1, &p1, &q1);
    p1 -= p0, q1 -= q0;
    real A = p1 * p1 + q1 * q1, B = p0 * p1 + q0 * q1, C = p0 * p0 + q0 * q0 - size,
         root = B * B - A * C;
    if (root < 0) return false;
    real v = out->v = (-B + (larger ? 1 : -1) * sqrtl(root)) / A;
    if (!(v > 0)) return false;
    real p = p0 + v * p1, q = q0 + v * q1, z = k->c / 2, r = sqrtl(1 - z * z),
         T = 2 * acosl(-1) / k->w, E = expl(-z * T), co = cosl(r * T), si = sinl(r * T) / r;
    real force = (1 - k->w * k->w) * q + k->c * k->w * p + k->K, // at the impact
        before = force - k->c * v - k->g, after = force + k->c * k->e * v - k->g;
    real kick = (after + k->e * before) / v;
    // Phi = E (co + z si, si; -si, co - z si)
    out->trace = -k->e * E * (co + z * si) + kick * E * si - k->e * E * (co - z * si);
    out->det = k->e * k->e * E * E;
    return true;
}

// Amplitude of the force at which the two speeds are one: a fold.
static real folding(knocker k) {
    real p0, q0, p1, q1;
    parts(&k, 0, &p0, &q0);
    parts(&k, 1, &p1, &q1);
    p1 -= p0, q1 -= q0;
    real across = (p0 * q1 - q0 * p1) / sqrtl(p1 * p1 + q1 * q1);
    return fabsl(across) * hypotl(1 - k.w * k.w, k.c * k.w);
}

static real mean(real a, real b) { return (a + b) / 2; }

// Zero of f between a and b, which have different signs.
static real zero_of(real (*f)(real), real a, real b) {
    bool up = f(b) > 0;
    for (int i = 0; i < 100; i++) *((f(mean(a, b)) > 0) == up ? &b : &a) = mean(a, b);
    return a;
}

// A mass that rubs on a belt of speed 9 with the force 1 + s (9 - x'): damping s, load 1 + 9 s. It
// starts 0.3 after the impact of its orbit.
static knocker belt(real w, real slope, real e, real g, real F) {
    return (knocker){.w = w, .c = slope, .e = e, .g = g, .F = F, .K = 1 + 9 * slope};
}

static jd_follow *follow_belt(model_case *m, const knocker *k, const char *follow) {
    char text[1500];
    knock at = {0};
    real p, q, d = 0.3L, z = k->c / 2, r = sqrtl(1 - z * z), g = k->g - k->K;
    assert_true(solve(k, true, &at));
    parts(k, at.v, &p, &q);
    real C = g - q, D = (-k->e * at.v - k->w * p + z * C) / r, E = expl(-z * d);
    real phase = atan2l(q, p) + atan2l(k->c * k->w, 1 - k->w * k->w) + k->w * d;
    real x = p * sinl(k->w * d) + q * cosl(k->w * d) + k->K +
             E * (C * cosl(r * d) + D * sinl(r * d)),
         v = k->w * (p * cosl(k->w * d) - q * sinl(k->w * d)) +
             E * ((r * D - z * C) * cosl(r * d) - (r * C + z * D) * sinl(r * d));
    snprintf(text, sizeof text,
             "judder: 1\n"
             "structure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: {node: 1}}, "
             "supports: {left: fixed, right: free}}\n"
             "contacts: {rub: {at: m, against: {velocity: 9}, law: {type: affine, limit: 1, slope: "
             "%.17Lg}}, stop: {at: m, law: {type: stop, gap: %.17Lg, restitution: %.17Lg}}}\n"
             "drives: {force: {at: m, type: harmonic, amplitude: %.17Lg, frequency: %.17Lg, phase: "
             "%.17Lg}}\n"
             "start: {type: state, displacement: [%.17Lg], velocity: [%.17Lg]}\n"
             "orbit: {settle: 10 periods}\n"
             "follow: {measure: stop.impact.max, %s}\n",
             k->c, k->g, k->e, k->F, k->w, phase, x, v, follow);
    return follows(m, text, NULL, NULL);
}

static const jd_curve_special *named(const jd_follow_view *v, const char *name) {
    const jd_curve_special *found = NULL;
    if (v->n_curve < 10) fail_msg("%d points; %s: %s", v->n_curve, jd_end_name(v->end), v->why);
    for (int i = 0; i < v->kept.n_curve_special; i++) {
        const jd_curve_special *s = &v->kept.curve_special[i];
        print_message("%-14s %.12f %.12f +- %.0e\n", s->name, s->parameter, s->second, s->error);
        if (!strcmp(s->name, name)) {
            assert_null(found); // once
            found = s;
        }
    }
    if (!found) fail_msg("no %s; %s: %s", name, jd_end_name(v->end), v->why);
    return found;
}

static const real e1 = 0.97L;
static real on_circle(real w) { return logl(e1) * w / acosl(-1); } // slope with det M = 1

static real trace_at(real w, real wanted) {
    knocker k = belt(w, on_circle(w), e1, 1, 1);
    knock at = {0};
    assert_true(solve(&k, true, &at));
    return at.trace - wanted;
}
static real trace_3(real w) { return trace_at(w, -1); }
static real trace_2(real w) { return trace_at(w, -2); }
static real trace_4(real w) { return trace_at(w, 0); }

static void pairs_end_where_they_meet_at_minus_one(void **state) {
    static const struct {
        const char *name;
        real (*of)(real);
        real from, to;
    } up[] = {{"1:4", trace_4, 1.42L, 1.6L}},
      down[] = {{"1:3", trace_3, 1.42L, 1.3L}, {"1:2", trace_2, 1.42L, 1.15L}};
    knocker k = belt(1.42L, 0, e1, 1, 1);
    for (int side = 0; side < 2; side++) {
        jd_follow *f = follow_belt(
            *state, &k,
            side ? "parameter: contacts.rub.law.slope, from: 0, to: -0.05, curve: neimark-sacker, "
                   "second: drives.force.frequency, second_from: 1.42, second_to: 0.9"
                 : "parameter: contacts.rub.law.slope, from: 0, to: -0.05, curve: neimark-sacker, "
                   "second: drives.force.frequency, second_from: 1.42, second_to: 1.6");
        const jd_follow_view *v = jd_follow_look(f);
        for (int i = 0; i < (side ? 2 : 1); i++) {
            const jd_curve_special *s = named(v, side ? down[i].name : up[i].name);
            real w = side ? zero_of(down[i].of, down[i].from, down[i].to)
                          : zero_of(up[i].of, up[i].from, up[i].to);
            assert_near(s->second, (double)w, 1e-8);
            assert_near(s->parameter, (double)on_circle(w), 1e-9);
        }
        assert_int_equal(v->kept.n_curve_special, side ? 2 : 1);
        assert_int_equal(v->end, side ? JD_END_RESONANCE : JD_END_TO);
        for (int i = 0; i < v->n_curve; i++)
            assert_near(v->curve_point[i].parameter, (double)on_circle(v->curve_point[i].second),
                        1e-10);
        jd_follow_free(f);
    }
}

// The same point from the curve of flips.
static void flips_meet_pairs_at_minus_one(void **state) {
    real w = zero_of(trace_2, 1.42L, 1.15L);
    knocker k = belt(1.4L, -0.005L, e1, 1, 1);
    jd_follow *f =
        follow_belt(*state, &k,
                    "parameter: drives.force.frequency, from: 1.4, to: 0.9, curve: flip, "
                    "second: contacts.rub.law.slope, second_from: -0.005, second_to: "
                    "-0.03");
    const jd_curve_special *s = named(jd_follow_look(f), "1:2");
    assert_near(s->parameter, (double)w, 1e-8);
    assert_near(s->second, (double)on_circle(w), 1e-9);
    jd_follow_free(f);
}

// At w = 1.75, e = 0.9 the two speeds are one at a force; there a pair meets at 1.
static const real w1 = 1.75L;
static real slope1(void) { return logl(0.9L) * w1 / acosl(-1); }

static void pairs_end_where_they_meet_at_one(void **state) {
    knocker k = belt(w1, slope1() / 2, 0.9L, 1.6L, 1);
    jd_follow *f = follow_belt(*state, &k,
                               "parameter: contacts.rub.law.slope, from: -0.0293, to: -0.2, curve: "
                               "neimark-sacker, second: drives.force.amplitude, second_from: 1, "
                               "second_to: 0.02");
    const jd_curve_special *s = named(jd_follow_look(f), "1:1");
    assert_near(s->parameter, (double)slope1(), 1e-9);
    assert_near(s->second, (double)folding(belt(w1, slope1(), 0.9L, 1.6L, 1)), 1e-8);
    assert_int_equal(jd_follow_look(f)->kept.n_curve_special, 1);
    jd_follow_free(f);
}

static void folds_meet_pairs_at_one(void **state) {
    knocker k = belt(w1, -0.08L, 0.9L, 1.6L, 1);
    jd_follow *f = follow_belt(*state, &k,
                               "parameter: drives.force.amplitude, from: 1, to: 0.02, curve: fold, "
                               "second: contacts.rub.law.slope, second_from: -0.08, second_to: "
                               "-0.055");
    const jd_curve_special *s = named(jd_follow_look(f), "1:1");
    assert_near(s->second, (double)slope1(), 1e-9);
    assert_near(s->parameter, (double)folding(belt(w1, slope1(), 0.9L, 1.6L, 1)), 1e-8);
    const jd_follow_view *v = jd_follow_look(f);
    for (int i = 0; i < v->n_curve; i++)
        assert_near(v->curve_point[i].parameter,
                    (double)folding(belt(w1, v->curve_point[i].second, 0.9L, 1.6L, 1)), 1e-9);
    jd_follow_free(f);
}

// Two masses beside each other under one force of amplitude 0.5: `a` with the frequency and gap 1,
// `b` with the frequency 1.5, which is 1 in a time of its own, and the gap as given; restitution
// 0.8.
static const real c2 = 0.02L;
static real speeds_apart(real w) {
    return 0.5L - folding((knocker){.w = w, .c = c2, .e = 0.8L, .g = 1, .F = 0.5L});
}

#define BESIDE(gap, start, follow)                                                                 \
    "judder: 1\n"                                                                                  \
    "structure: {type: modes, omega: [1, 1.5], ratio: [0.01, 0.01], shapes: {a: [1, 0], b: [0, "   \
    "1], "                                                                                         \
    "both: [1, 1]}}\n"                                                                             \
    "contacts: {a: {at: a, law: {type: stop, gap: 1, restitution: 0.8}}, b: {at: b, law: {type: "  \
    "stop, gap: " gap ", restitution: 0.8}}}\n"                                                    \
    "drives: {force: {at: both, type: harmonic, amplitude: 0.5, frequency: 1.5}}\n"                \
    "start: {type: state, of: modes, displacement: [0, 0], velocity: [3, " start "]}\n"            \
    "orbit: {settle: 400 periods}\n"                                                               \
    "follow: {measure: a.impact.max, parameter: drives.force.frequency, " follow "}\n"

static real folds_at; // frequency

static real flips_of_b(real gap) {
    knocker k = {.w = folds_at / 1.5L, .c = c2, .e = 0.8L, .g = gap, .F = 0.5L / (1.5L * 1.5L)};
    knock at = {0};
    assert_true(solve(&k, true, &at));
    return 1 + at.trace + at.det;
}

static void a_fold_meets_the_flip_of_another_mass(void **state) {
    folds_at = zero_of(speeds_apart, 1.5L, 1.9L);
    jd_follow *f = follows(*state,
                           BESIDE("0.3", "-1",
                                  "from: 1.6, to: 2, curve: fold, second: contacts.b.law.gap, "
                                  "second_from: 0.3, second_to: 0.02"),
                           NULL, NULL);
    const jd_curve_special *s = named(jd_follow_look(f), "fold-flip");
    assert_near(s->parameter, (double)folds_at, 1e-9);
    assert_near(s->second, (double)zero_of(flips_of_b, 0.3L, 0), 1e-8);
    jd_follow_free(f);
}

// `b` does not touch: its amplitude is F/|1.5^2 - w^2 + 1.5 i c w|, and grazes a gap of that size.
static void a_grazing_meets_the_fold_of_another_mass(void **state) {
    folds_at = zero_of(speeds_apart, 1.5L, 1.9L);
    real w = folds_at, gap = 0.5L / hypotl(2.25L - w * w, 1.5L * c2 * w);
    jd_follow *f = follows(*state,
                           BESIDE("2", "-2.58",
                                  "from: 1.6, to: 1.5, curve: grazing, second: "
                                  "contacts.b.law.gap, second_from: 2, second_to: 0.5"),
                           "drives.force.frequency=1.6", NULL);
    const jd_curve_special *s = named(jd_follow_look(f), "grazing-fold");
    assert_near(s->parameter, (double)w, 1e-8);
    assert_near(s->second, (double)gap, 1e-8);
    jd_follow_free(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(pairs_end_where_they_meet_at_minus_one),
        MODEL_TEST(flips_meet_pairs_at_minus_one),
        MODEL_TEST(pairs_end_where_they_meet_at_one),
        MODEL_TEST(folds_meet_pairs_at_one),
        MODEL_TEST(a_fold_meets_the_flip_of_another_mass),
        MODEL_TEST(a_grazing_meets_the_fold_of_another_mass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
