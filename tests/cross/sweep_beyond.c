// sweep_beyond.c -- sweeps tell quasi-periodic from chaotic motion, with numbers that are right.
//   Undamped and free of contacts, x'' + x = sin w t never settles: the free part turns by 2 pi/w
//   in a drive period, its exponent is 0. A mass that knocks (shaken_reference.h): the exponent
//   from two neighbours in long double, brought together again after every period.
#include <math.h>

#include "shaken_reference.h"
#include "sweep_case.h"

#define SHAKEN(damping, gap, restitution, start, sweep)                                            \
    "judder: 1\n"                                                                                  \
    "structure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: {node: 1}}, supports: " \
    "{left: fixed, right: free}" damping "}\n"                                                     \
    "contacts: {stop: {at: m, against: ground, law: {type: stop, gap: " gap                        \
    ", restitution: " restitution "}}}\n"                                                          \
    "drives: {force: {at: m, type: harmonic, amplitude: 1, frequency: 3}}\n"                       \
    "start: {type: state, displacement: [" start "], velocity: [0]}\n"                             \
    "sweep: {parameters: [drives.force.frequency], " sweep "}\n"

static void winding_numbers_are_those_of_the_free_motion(void **state) {
    (void)state;
    model_case m = {.context = jd_context_create(NULL)};
    jd_sweep *s = sweep_of(&m, SHAKEN("", "100", "1", "0.7",
                                      "from: [2.03], to: [5.31], points: [7], settle: 50 periods"));
    sweep_compute(&m, s, 1);
    const jd_sweep_view *v = jd_sweep_look(s);
    for (int i = 0; i < v->n_point; i++) {
        const jd_sweep_point *p = &v->point[i];
        double turns = -1 / p->value[0]; // clockwise
        print_message("w %.3f: winding %.10f, off by %.1e; exponent %.1e\n", p->value[0],
                      p->winding, fabs(p->winding - (turns - round(turns))), p->exponent);
        assert_int_equal(p->motion, JD_MOTION_QUASI_PERIODIC);
        assert_near(p->winding, turns - round(turns), 1e-8);
        assert_true(fabs(p->winding - (turns - round(turns))) <= 10 * p->winding_error + 1e-9);
        assert_true(fabs(p->exponent) <= p->exponent_error);
    }
    jd_sweep_free(s);
    jd_problem_free(m.problem);
    jd_context_free(m.context);
}

// Next to 1/3 and 1/4 a motion may lock: nothing is claimed of it.
static void motion_next_to_a_fraction_is_not_called_quasi_periodic(void **state) {
    (void)state;
    model_case m = {.context = jd_context_create(NULL)};
    jd_sweep *s =
        sweep_of(&m, SHAKEN("", "100", "1", "0.7",
                            "from: [3.0001], to: [4.0002], points: [2], settle: 50 periods"));
    sweep_compute(&m, s, 1);
    for (int i = 0; i < 2; i++) {
        const jd_sweep_point *p = &jd_sweep_look(s)->point[i];
        assert_near(p->winding, -1 / p->value[0], 1e-6);
        assert_int_equal(p->motion, JD_MOTION_UNSETTLED);
    }
    jd_sweep_free(s);
    jd_problem_free(m.problem);
    jd_context_free(m.context);
}

// Damped, ever so little, it decays onto the orbit of one period: nothing else is claimed before.
static void decay_is_not_called_quasi_periodic(void **state) {
    (void)state;
    for (int k = 0; k < 12; k++) {
        double ratio = pow(10, -2.5 - 0.3 * k);
        char text[1200];
        snprintf(text, sizeof text,
                 SHAKEN(", damping: {type: ratio, value: %.17g}", "100", "1", "60",
                        "from: [%.17g], to: [%.17g], points: [2], settle: %d periods"),
                 ratio, 1.7 + 0.1 * k, 4.1 - 0.07 * k, 5 + k);
        model_case m = {.context = jd_context_create(NULL)};
        jd_sweep *s = sweep_of(&m, text);
        sweep_compute(&m, s, 1);
        for (int i = 0; i < 2; i++) {
            const jd_sweep_point *p = &jd_sweep_look(s)->point[i];
            print_message("damping %.1e, w %.3f: %s\n", ratio, p->value[0],
                          jd_motion_name(p->motion));
            assert_true(p->motion == JD_MOTION_UNSETTLED || (p->settled && p->periods == 1));
        }
        jd_sweep_free(s);
        jd_problem_free(m.problem);
        jd_context_free(m.context);
    }
}

// From t on for one drive period, stop at 0; false: it chatters.
static bool one_period(const shaken *s, real t, real *x, real *v) {
    const real end = t + 2 * acosl(-1) / s->omega, step = 1e-2L;
    for (int impacts = 0; t < end; impacts++) {
        if (impacts > 60) return false;
        flight f = fly(s, t, *x, *v);
        real at = t;
        while (at < end && place(s, &f, fminl(at + step, end)) <= 0) at = fminl(at + step, end);
        if (at >= end) {
            *x = place(s, &f, end);
            *v = speed(s, &f, end);
            return true;
        }
        real lo = at, hi = fminl(at + step, end);
        for (int i = 0; i < 64; i++) {
            real middle = (lo + hi) / 2;
            *(place(s, &f, middle) <= 0 ? &lo : &hi) = middle;
        }
        *x = 0;
        *v = -s->restitution * speed(s, &f, lo);
        t = lo;
    }
    return true;
}

// NAN: it chatters.
static double exponent(double omega, int periods) {
    const shaken s = {.ratio = 0.02L, .restitution = 0.8L, .omega = omega};
    const real d = 1e-9L, T = 2 * acosl(-1) / s.omega;
    real x = -0.5L, v = 0, sum = 0, dx = d, dv = 0;
    for (int k = 0; k < periods; k++) {
        real a = x + dx, b = v + dv;
        if (!one_period(&s, k * T, &a, &b) || !one_period(&s, k * T, &x, &v)) return NAN;
        real size = hypotl(a - x, b - v);
        if (k >= 100) sum += logl(size / d);
        dx = (a - x) * d / size;
        dv = (b - v) * d / size;
    }
    return (double)(sum / (periods - 100));
}

static void chaos_has_the_exponent_of_an_independent_computation(void **state) {
    (void)state;
    model_case m = {.context = jd_context_create(NULL)};
    jd_sweep *s = sweep_of(&m, SHAKEN(", damping: {type: ratio, value: 0.02}", "0", "0.8", "-0.5",
                                      "from: [2.8], to: [3.25], points: [7], settle: 300 periods"));
    sweep_compute(&m, s, 1);
    const jd_sweep_view *v = jd_sweep_look(s);
    int chaotic = 0;
    for (int i = 0; i < v->n_point; i++) {
        const jd_sweep_point *p = &v->point[i];
        if (p->motion != JD_MOTION_CHAOTIC) continue;
        double other = exponent(p->value[0], 900);
        print_message("w %.4f: %.4f +- %.4f, independent %.4f\n", p->value[0], p->exponent,
                      p->exponent_error, other);
        if (isnan(other)) continue;
        assert_near(p->exponent, other, 1.5 * p->exponent_error);
        chaotic++;
    }
    assert_true(chaotic >= 2);
    jd_sweep_free(s);
    jd_problem_free(m.problem);
    jd_context_free(m.context);
}

// Largest distance from (x, v) after `periods` drive periods from there, in long double.
static double comes_back(double omega, const double *sample, int periods) {
    const shaken s = {.ratio = 0.02L, .restitution = 0.8L, .omega = omega};
    const real T = 2 * acosl(-1) / s.omega;
    real x = sample[0], v = sample[1];
    for (int k = 0; k < periods; k++)
        if (!one_period(&s, k * T, &x, &v)) return NAN;
    return (double)hypotl(x - sample[0], v - sample[1]);
}

static void orbits_of_many_periods_close_after_these_and_not_before(void **state) {
    (void)state;
    model_case m = {.context = jd_context_create(NULL)};
    jd_sweep *s = sweep_of(&m, SHAKEN(", damping: {type: ratio, value: 0.02}", "0", "0.8", "-0.5",
                                      "from: [2.75062656641604], to: [2.7581453634085213], "
                                      "points: [4]"));
    sweep_compute(&m, s, 1);
    const jd_sweep_view *v = jd_sweep_look(s);
    for (int i = 0; i < v->n_point; i++) {
        const jd_sweep_point *p = &v->point[i];
        assert_true(p->settled);
        assert_true(p->periods > 8);
        double back = comes_back(p->value[0], p->sample, p->periods);
        print_message("w %.4f: %d periods, comes back to %.1e\n", p->value[0], p->periods, back);
        assert_true(back < 1e-9);
        for (int n = 1; n < p->periods; n++)
            assert_true(comes_back(p->value[0], p->sample, n) > 1e-4);
    }
    jd_sweep_free(s);
    jd_problem_free(m.problem);
    jd_context_free(m.context);
}

// From the release at t = pi/w, x = x' = 0, to the next complete chatter, which ends in rest until
// sin w t falls through 0 again: drive periods in between; 0: more than `most`.
static int reset_periods(const shaken *s, int most) {
    const real half = acosl(-1) / s->omega, step = 1e-3L;
    real t = half, x = 0, v = 0;
    for (;;) {
        flight f = fly(s, t, x, v);
        real at = t;
        do at += step;
        while (place(s, &f, at) <= 0);
        real lo = at - step, hi = at;
        for (int i = 0; i < 64; i++) {
            real middle = (lo + hi) / 2;
            *(place(s, &f, middle) <= 0 ? &lo : &hi) = middle;
        }
        x = 0, v = -s->restitution * speed(s, &f, lo), t = lo;
        if (t > 2 * half * most) return 0;
        if (v > -2e-3L && sinl(s->omega * t) > 0.1L) // bounces follow each other within 2|v|/sin wt
            return (int)lroundl((half * (2 * floorl(t / (2 * half)) + 1) - half) / (2 * half));
    }
}

// One degree of freedom goes on the same way from every release, so that the orbit is that between
// two of them: longer ones than orbits are sought for, too.
static void motion_that_complete_chatter_resets_comes_back(void **state) {
    (void)state;
    model_case m = {.context = jd_context_create(NULL)};
    jd_sweep *s = sweep_of(&m, SHAKEN(", damping: {type: ratio, value: 0.02}", "0", "0.6", "-0.5",
                                      "from: [2.955], to: [2.99], points: [8], settle: 400 "
                                      "periods"));
    sweep_compute(&m, s, 1);
    const jd_sweep_view *v = jd_sweep_look(s);
    int longer = 0, open = 0;
    for (int i = 0; i < v->n_point; i++) {
        const jd_sweep_point *p = &v->point[i];
        const shaken model = {.ratio = 0.02L, .restitution = 0.6L, .omega = p->value[0]};
        open += p->motion == JD_MOTION_CHATTERING;
        if (p->periods <= 64) continue;
        print_message("w %.4f: %d periods, independent %d\n", p->value[0], p->periods,
                      reset_periods(&model, 700));
        assert_int_equal(p->motion, JD_MOTION_PERIODIC);
        assert_int_equal(p->periods, reset_periods(&model, 700));
        longer++;
    }
    assert_true(longer >= 1);
    assert_true(open >= 1); // 148 periods at 2.985, of which doubles know the first hundred
    jd_sweep_free(s);
    jd_problem_free(m.problem);
    jd_context_free(m.context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(winding_numbers_are_those_of_the_free_motion),
        cmocka_unit_test(decay_is_not_called_quasi_periodic),
        cmocka_unit_test(motion_next_to_a_fraction_is_not_called_quasi_periodic),
        cmocka_unit_test(chaos_has_the_exponent_of_an_independent_computation),
        cmocka_unit_test(orbits_of_many_periods_close_after_these_and_not_before),
        cmocka_unit_test(motion_that_complete_chatter_resets_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
