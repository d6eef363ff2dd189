// follow_landing.c -- branches through the point at which bounces begin to come to rest.
//   x'' + 2 z x' + x = sin w t, x <= 0, x'+ = -e x'- at the stop. A mass that rests on its stop is
//   left by it at w t = pi, whatever came before. So the orbit that rests is known: it flies from
//   there, bounces, and rests if and only if all its bounces end before w t = 3 pi. The frequency
//   at which they just do is found by halving, bounce by bounce in long double.
#include "draws.h"
#include "follow_case.h"
#include "shaken_reference.h"

// When the flight that leaves the stop at f->t is back; HUGE_VALL: not before `end`.
static real back(const shaken *s, const flight *f, real step, real end) {
    real lo = f->t + step;
    for (real hi = lo; hi < end; lo = hi) {
        hi = fminl(lo + step, end);
        step = fminl(1.05L * step, 0.02L);
        if (place(s, f, hi) < 0) continue;
        for (int i = 0; i < 80; i++) {
            real middle = (lo + hi) / 2;
            *(place(s, f, middle) < 0 ? &lo : &hi) = middle;
        }
        return lo;
    }
    return HUGE_VALL;
}

// Do the bounces end before the stop is left? They are taken to end 2 v/(a (1 - e)) later once that
// is a hundredth of the time left.
static bool comes_to_rest(const shaken *s, real omega) {
    shaken m = *s;
    m.omega = omega;
    real pi = acosl(-1), end = 3 * pi / omega, v = 0, a = 0;
    flight f = fly(&m, pi / omega, 0, 0);
    for (int n = 0; n < 2000; n++) {
        real t = back(&m, &f, n ? fminl(0.02L, 0.05L * v / fabsl(a)) : 0.02L, end);
        if (!(t < end)) return false;
        v = m.restitution * speed(&m, &f, t);
        a = sinl(omega * t) + 2 * m.ratio * v;
        if (a > 0 && 2 * v / (a * (1 - m.restitution)) < 0.01L * (end - t)) return true;
        f = fly(&m, t, 0, -v);
    }
    return false;
}

static double limit_near(const shaken *s, double omega) {
    real rests = omega - 1e-4L, bounces = omega + 1e-4L;
    assert_true(comes_to_rest(s, rests) && !comes_to_rest(s, bounces));
    for (int i = 0; i < 40; i++) {
        real middle = (rests + bounces) / 2;
        *(comes_to_rest(s, middle) ? &rests : &bounces) = middle;
    }
    return (double)rests;
}

static jd_follow *follow_stop(model_case *m, const shaken *s, double from, double to, double unit) {
    char text[1200];
    snprintf(text, sizeof text,
             "judder: 1\n"
             "structure: {type: chain, count: 1, mass: %.17g, stiffness: %.17g, points: {m: {node: "
             "1}}, damping: {type: ratio, value: %.17g}, supports: {left: fixed, right: free}}\n"
             "contacts: {stop: {at: m, against: ground, law: {type: stop, gap: 0, restitution: "
             "%.17g}}}\n"
             "drives: {force: {at: m, type: harmonic, amplitude: 1, frequency: %.17g, phase: "
             "%.17g}}\n"
             "start: rest\norbit: {settle: 300 periods}\n"
             "follow: {parameter: drives.force.frequency, from: %.17g, to: %.17g, measure: "
             "stop.impact.max}\n",
             unit, unit, (double)s->ratio, (double)s->restitution, from, uniform(0, 6.28), from,
             to);
    return follows(m, text, NULL, NULL);
}

static const jd_special *chatter_of(const jd_follow_view *v) {
    for (int i = 0; i < v->n_special; i++)
        if (v->special[i].kind == JD_SPECIAL_CHATTER) return &v->special[i];
    return NULL;
}

// The point is where the closed form says, with the branch whole on both sides of it. Along a
// branch that comes from the bounces, each grazing before it is one more of them.
static const jd_special *assert_landing(const jd_follow_view *v, const shaken *s, bool down) {
    const jd_special *c = chatter_of(v);
    assert_int_equal(v->end, JD_END_TO);
    assert_non_null(c);
    assert_true(c->error < 1e-6 && !c->turns);
    assert_near(c->parameter, limit_near(s, c->parameter), c->error);
    assert_true(strchr(v->phases[down ? c->after : c->before], '|') != NULL);
    assert_true(strchr(v->phases[down ? c->before : c->after], '|') == NULL);
    int grazings = 0;
    for (int i = 0; i < v->n_special; i++) grazings += v->special[i].kind == JD_SPECIAL_GRAZING;
    assert_true(grazings >= 4);
    return c;
}

static void bounces_come_to_rest_where_the_closed_form_says(void **state) {
    static const double known[3] = {0.3, 0.6, 0.8}; // with 2 % of damping
    for (int i = 0; i < 7; i++) {
        shaken s = {.ratio = i < 3 ? 0.02 : uniform(0.01, 0.06),
                    .restitution = i < 3 ? known[i] : uniform(0.15, 0.75)};
        jd_follow *f = follow_stop(*state, &s, 2.5, 0.3, i % 2 ? exp(uniform(-4, 4)) : 1);
        const jd_special *there = assert_landing(jd_follow_look(f), &s, true);
        jd_follow *g = follow_stop(*state, &s, there->parameter - 0.02, 1.5, 1);
        const jd_special *back_again = assert_landing(jd_follow_look(g), &s, false);
        assert_near(there->parameter, back_again->parameter, there->error + back_again->error);
        jd_follow_free(f);
        jd_follow_free(g);
    }
}

int main(void) {
    seed = 5;
    const struct CMUnitTest tests[] = {MODEL_TEST(bounces_come_to_rest_where_the_closed_form_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
