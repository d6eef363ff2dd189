// orbit.c -- periodic orbits against closed forms, differences of the return map and Liouville's
//   formula; and what is said where there is none.
#include <time.h>

#include "analysis/orbit/shooting.h"
#include "orbit_case.h"

static const double pi = 3.141592653589793;

#define ONE_MASS                                                                                   \
    "judder: 1\n"                                                                                  \
    "structure: {type: chain, count: 1, mass: 1, stiffness: 1, damping: %s,\n"                     \
    "            supports: {left: fixed, right: free}, points: {m: {node: 1}}}\n"

static void parse(orbit_case *c, const char *format, ...) JD_PRINTF(2, 3);
static void parse(orbit_case *c, const char *format, ...) {
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    orbit_parse(c, text);
}

// One mass with Coulomb friction of a part F of the drive's amplitude 1.
static void rubbing_mass(orbit_case *c, double frequency, double friction, double damping) {
    char how[64] = "none";
    if (damping > 0)
        snprintf(how, sizeof how, "{type: rayleigh, mass: %.17g, stiffness: 0}", damping);
    parse(c,
          ONE_MASS "contacts: {c: {at: m, against: ground, law: {type: coulomb, limit: %.17g}}}\n"
                   "drives: {f: {at: m, type: harmonic, amplitude: 1, frequency: %.17g}}\n"
                   "start: rest\norbit: {settle: 30 periods}\n",
          how, friction, frequency);
}

// x0 = sqrt(V^2 - F^2 U^2), V = 1/(1 - r^2), U = sin(pi/r)/(r (1 + cos(pi/r)))  [den Hartog 1931]
static void continuous_sliding_is_den_hartogs_to_1e_12(void **state) {
    (void)state;
    static const double at[][2] = {{0.6, 0.1}, {0.8, 0.3}, {0.95, 0.5}, {1.2, 0.4}, {1.5, 0.3}};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        double r = at[i][0], F = at[i][1], V = 1 / (1 - r * r),
               U = sin(pi / r) / (r * (1 + cos(pi / r)));
        orbit_case c;
        rubbing_mass(&c, r, F, 0);
        orbit_find(&c);
        assert_int_equal(c.view->n_event, 2);
        assert_true(c.view->stability.stable && c.view->symmetric);
        // measured 3e-15
        assert_relative(c.view->range[0].displacement.max, sqrt(V * V - F * F * U * U), 1e-13);
        orbit_end(&c);
    }
}

// Slide from rest at -x0 with the drive at sin a = F - x0; what is left of x = x0, x' = 0 at time
// t.
static void slide(long double r, long double F, const long double z[2], long double out[2]) {
    long double V = 1 / (1 - r * r), x0 = z[0], t = z[1], a = asinl(F - x0);
    long double p = -x0 + F - V * sinl(a), q = -V * r * cosl(a);
    out[0] = -F + V * sinl(r * t + a) + p * cosl(t) + q * sinl(t) - x0;
    out[1] = V * r * cosl(r * t + a) - p * sinl(t) + q * cosl(t);
}

// Newton with differences in long double: x0 of the motion with one stop in each half.
static double stopping_amplitude(double r, double F, double guess, double time) {
    long double z[2] = {(long double)guess, (long double)time}, f[2], g[2], J[2][2];
    for (int i = 0; i < 40; i++) {
        slide((long double)r, (long double)F, z, f);
        for (int k = 0; k < 2; k++) {
            long double h = 1e-9L, keep = z[k];
            z[k] += h;
            slide((long double)r, (long double)F, z, g);
            z[k] = keep;
            for (int l = 0; l < 2; l++) J[l][k] = (g[l] - f[l]) / h;
        }
        long double det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
        z[0] -= (f[0] * J[1][1] - f[1] * J[0][1]) / det;
        z[1] -= (f[1] * J[0][0] - f[0] * J[1][0]) / det;
    }
    return (double)z[0];
}

static void two_stops_a_cycle_are_den_hartogs_to_1e_12(void **state) {
    (void)state;
    static const double at[][2] = {{0.4, 0.3}, {0.6, 0.7}, {0.9, 0.85}};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        orbit_case c;
        rubbing_mass(&c, at[i][0], at[i][1], 0);
        orbit_find(&c);
        assert_int_equal(c.view->n_event, 4);
        const jd_event *e = c.view->event;
        double x0 = c.view->range[0].displacement.max, time = e[3].t - e[2].t;
        if (jd_contact_letter(e[3].to) != 'H') time = e[2].t - e[1].t;
        assert_relative(x0, stopping_amplitude(at[i][0], at[i][1], x0 * 1.0001, time * 1.0001),
                        1e-13);
        orbit_end(&c);
    }
}

static void both_orbits_of_the_impact_oscillator_to_1e_12(void **state) {
    (void)state;
    static const struct {
        const char *file;
        double speed; // closed form: the roots of a quadratic
        bool stable;
    } list[] = {{"impact-oscillator/forced.yaml", 2.617205227339, true},
                {"impact-oscillator/forced-unstable.yaml", 1.169464554391, false}};
    for (int i = 0; i < 2; i++) {
        orbit_case c;
        orbit_read(&c, list[i].file, 0, NULL);
        orbit_find(&c);
        assert_int_equal(c.view->n_event, 1);
        assert_phases(c.view, "o");
        assert_near(c.view->event[0].speed, list[i].speed, 5.1e-13); // all digits given
        assert_int_equal(c.view->stability.stable, list[i].stable);
        assert_near(c.view->range[0].displacement.max, 1, 1e-14);
        orbit_end(&c);
    }
}

// Sticks from x = F - D to F + D, slips back: T = 2 pi - 2 atan(D/v) + 2 D/v, D the drop of the
// limit.
static void block_on_a_belt_has_the_period_of_the_closed_form(void **state) {
    (void)state;
    double D = 0.4, v = 0.5;
    orbit_case c;
    orbit_read(&c, "belt-block/block.yaml", 0, NULL);
    orbit_find(&c);
    assert_false(c.view->forced);
    assert_int_equal(c.view->n_event, 2);
    assert_relative(c.view->period, 2 * pi - 2 * atan(D / v) + 2 * D / v, 1e-14);
    assert_near(c.view->stability.multiplier[0], 1, 1e-12); // along the orbit
    assert_true(c.view->stability.stable && c.view->stability.isolated);
    assert_int_equal(c.view->stability.n_zero, 1); // stick forgets
    assert_relative(c.view->range[0].displacement.max, 0.6 + hypot(D, v), 1e-13);
    orbit_end(&c);
}

static void elastic_chain_has_a_family_of_orbits_and_says_so(void **state) {
    (void)state;
    orbit_case c;
    orbit_read(&c, "impact-chain/n5.yaml", 0, NULL);
    orbit_find(&c);
    assert_false(c.view->stability.isolated);
    assert_false(c.view->forced);
    orbit_end(&c);
}

// Largest relative difference of M and central differences of the return map.
static double difference(orbit_case *c) {
    const jd_orbit_view *v = c->view;
    jd_run *run;
    jd_shooting *sh;
    jd_arena *arena = jd_arena_create(c->context);
    bool lost;
    assert_int_equal(jd_run_create(c->context, c->problem, &run), JD_OK);
    assert_int_equal(jd_shooting_create(run, arena, &sh), JD_OK);
    int n = sh->n;
    sh->forced = true;
    sh->period = v->period;
    memcpy(sh->s, v->state, (size_t)n * sizeof *sh->s);
    sh->phase = jd_phase_of_text(v->phase);
    assert_int_equal(jd_shooting_round(sh, true, &lost), JD_OK);
    double *plus = calloc((size_t)n, sizeof *plus), worst = 0, largest = 0,
           size = jd_shooting_size(sh, v->state);
    for (int j = 0; j < n; j++) {
        double h = 2e-6 * size / sh->scale[j];
        for (int side = 1; side >= -1; side -= 2) {
            sh->s[j] = v->state[j] + side * h;
            assert_int_equal(jd_shooting_round(sh, false, &lost), JD_OK);
            if (side > 0) memcpy(plus, sh->s1, (size_t)n * sizeof *plus);
        }
        sh->s[j] = v->state[j];
        for (int i = 0; i < n; i++) {
            double scale = sh->scale[i] / sh->scale[j], exact = scale * sh->M[i * n + j];
            worst = fmax(worst, fabs(scale * (plus[i] - sh->s1[i]) / (2 * h) - exact));
            largest = fmax(largest, fabs(exact));
        }
    }
    free(plus);
    jd_run_free(run);
    jd_arena_free(arena);
    return worst / largest;
}

static void derivative_of_the_return_map_agrees_with_differences(void **state) {
    (void)state;
    static const char *const files[] = {
        "friction-beam/two-elements.yaml", "friction-beam/rayleigh.yaml",
        "impact-oscillator/forced.yaml", "impact-oscillator/forced-unstable.yaml"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        orbit_case c;
        orbit_read(&c, files[i], 0, NULL);
        orbit_find(&c);
        assert_near(difference(&c), 0, 1e-7);
        orbit_end(&c);
    }
}

// A limit above every force: the tip holds, at any place it was left at.
static void contact_that_holds_all_along_is_neutral(void **state) {
    (void)state;
    const char *set[] = {"contacts.tip.law.limit=5 N", "orbit.settle=0"};
    orbit_case c;
    orbit_read(&c, "friction-beam/rayleigh.yaml", 2, set);
    orbit_find(&c);
    assert_phases(c.view, "H");
    assert_int_equal(c.view->stability.neutral, 1);
    assert_near(c.view->stability.multiplier[0], 1, 1e-12);
    assert_true(c.view->stability.stable && !c.view->stability.isolated &&
                c.view->stability.largest < 0.97);
    orbit_end(&c);
}

// On a beam of 20 modes with 12 events. Measured 0.25 ms; sanitizers are slower by an order.
static void newton_step_takes_less_than_a_millisecond(void **state) {
    (void)state;
    orbit_case c;
    jd_run *run;
    jd_shooting *sh;
    bool lost;
    orbit_read(&c, "friction-beam/rayleigh.yaml", 0, NULL);
    orbit_find(&c);
    jd_arena *arena = jd_arena_create(c.context);
    assert_int_equal(jd_run_create(c.context, c.problem, &run), JD_OK);
    run->no_ledger = true;
    assert_int_equal(jd_shooting_create(run, arena, &sh), JD_OK);
    sh->forced = true;
    sh->period = c.view->period;
    memcpy(sh->s, c.view->state, (size_t)sh->n * sizeof *sh->s);
    sh->phase = jd_phase_of_text(c.view->phase);
    double best = HUGE_VAL;
    for (int i = 0; i < 40; i++) {
        clock_t begin = clock(); // of the processor: a busy machine changes little
        assert_int_equal(jd_shooting_round(sh, true, &lost), JD_OK);
        assert_true(jd_shooting_step(sh, 0) > 0);
        best = fmin(best, (double)(clock() - begin) / CLOCKS_PER_SEC);
    }
    assert_int_equal(sh->last.n_event, 12);
#ifdef __SANITIZE_ADDRESS__
    best /= 20;
#endif
    assert_true(best < 1e-3);
    jd_run_free(run);
    jd_arena_free(arena);
    orbit_end(&c);
}

static double product(const jd_orbit_view *v) {
    double re = 1, im = 0;
    for (int i = 0; i < v->n; i++) {
        double a = v->stability.multiplier[2 * i], b = v->stability.multiplier[2 * i + 1],
               keep = re;
        re = keep * a - im * b;
        im = keep * b + im * a;
    }
    assert_near(im, 0, 1e-14);
    return re;
}

// e^-cT for the flow, e^2 for the impact: the velocity jumps by -e, and so does the shift in time.
static void determinant_with_an_impact_is_liouvilles(void **state) {
    (void)state;
    double e = 0.8, damping = 0.05;
    orbit_case c;
    parse(&c,
          ONE_MASS "contacts: {s: {at: m, against: ground, law: {type: stop, gap: 1, "
                   "restitution: %.17g}}}\n"
                   "drives: {f: {at: m, type: harmonic, amplitude: 0.5, frequency: 1.5}}\n"
                   "start: {type: state, displacement: [-2], velocity: [1.2]}\n"
                   "orbit: {settle: 100 periods}\n",
          "{type: rayleigh, mass: 0.05, stiffness: 0}", e);
    orbit_find(&c);
    assert_int_equal(c.view->n_event, 1);
    assert_relative(product(c.view), e * e * exp(-damping * c.view->period), 1e-12);
    orbit_end(&c);
}

// e^-cT times x''+/x''- at each reversal, x'' = sin(r t) - c x' - x -+ F with x' = 0.
static void determinant_with_reversals_is_liouvilles(void **state) {
    (void)state;
    double r = 0.8, F = 0.3, damping = 0.1;
    orbit_case c;
    rubbing_mass(&c, r, F, damping);
    orbit_find(&c);
    const jd_orbit_view *v = c.view;
    double expected = exp(-damping * v->period);
    assert_int_equal(v->n_event, 2);
    for (int i = 0; i < 2; i++) { // reversals are at the extremes
        double x = jd_contact_letter(v->event[i].from) == '+' ? v->range[0].displacement.max
                                                              : v->range[0].displacement.min,
               s = jd_contact_letter(v->event[i].from) == '+' ? 1 : -1,
               a = sin(r * v->event[i].t) - x;
        expected *= (a + s * F) / (a - s * F);
    }
    assert_relative(product(v), expected, 1e-12);
    orbit_end(&c);
}

static void the_same_seed_gives_the_same_attractors(void **state) {
    (void)state;
    orbit_case c;
    jd_attractors *a[2];
    orbit_read(&c, "impact-oscillator/forced.yaml", 0, NULL);
    for (int i = 0; i < 2; i++)
        assert_int_equal(jd_attractors_create(c.context, c.problem, NULL, 20, 7, &a[i]), JD_OK);
    assert_int_equal(jd_attractors_count(a[0]), 1);
    assert_int_equal(jd_attractors_count(a[1]), 1);
    const jd_attractor *x = jd_attractor_look(a[0], 0), *y = jd_attractor_look(a[1], 0);
    assert_int_equal(x->starts, y->starts);
    assert_int_equal(x->starts + jd_attractors_lost(a[0]), 20);
    assert_near(x->orbit->state[0], y->orbit->state[0], 0);
    assert_null(jd_attractor_look(a[0], 1));
    for (int i = 0; i < 2; i++) jd_attractors_free(a[i]);
    orbit_end(&c);
}

static void drives_that_do_not_repeat_are_refused_by_name(void **state) {
    (void)state;
    static const char *const drives[] = {
        "{f: {at: m, type: harmonic, amplitude: 1, frequency: 1}, odd: {at: m, type: harmonic, "
        "amplitude: 1, frequency: 1.4142135}}",
        "{odd: {at: m, type: ramp, amplitude: 1, duration: 2}}"};
    for (int i = 0; i < 2; i++) {
        orbit_case c;
        parse(&c, ONE_MASS "drives: %s\n", "none", drives[i]);
        assert_int_equal(jd_orbit_create(c.context, c.problem, NULL, &c.orbit), JD_NOT_SUPPORTED);
        assert_non_null(strstr(jd_context_error(c.context)->message, "`odd`"));
        assert_string_equal(jd_context_error(c.context)->where, "drives.odd");
        assert_null(c.orbit);
        orbit_end(&c);
    }
}

static void reason_is(orbit_case *c, const jd_orbit_options *options, jd_orbit_reason reason) {
    orbit_seek(c, options);
    assert_false(c->view->found);
    assert_string_equal(jd_orbit_reason_name(c->view->search.reason), jd_orbit_reason_name(reason));
    assert_true(c->view->search.why && strlen(c->view->search.why) > 10);
    orbit_end(c);
}

// Friction that falls faster than the damping holds feeds energy in.
static void unbounded_motion_is_named(void **state) {
    (void)state;
    orbit_case c;
    parse(&c,
          ONE_MASS "contacts: {c: {at: m, against: ground, law: {type: affine, limit: 0.1, slope: "
                   "-2}}}\n"
                   "drives: {f: {at: m, type: harmonic, amplitude: 1, frequency: 1}}\n"
                   "orbit: {settle: 2000 periods}\n",
          "none");
    reason_is(&c, NULL, JD_ORBIT_UNBOUNDED);
}

static void motion_that_comes_to_rest_is_named(void **state) {
    (void)state;
    orbit_case c;
    parse(&c,
          ONE_MASS "contacts: {c: {at: m, against: ground, law: {type: coulomb, limit: 0.1}}}\n"
                   "start: {type: state, displacement: [1], velocity: [0]}\norbit: {settle: 20}\n",
          "none");
    reason_is(&c, NULL, JD_ORBIT_AT_REST);
}

static void steps_that_run_out_are_named(void **state) {
    (void)state;
    jd_orbit_options options = jd_default_orbit_options();
    options.iterations = 1;
    options.attempts = 1;
    options.settle = 0;
    orbit_case c;
    orbit_read(&c, "friction-beam/rayleigh.yaml", 0, NULL);
    reason_is(&c, &options, JD_ORBIT_NO_CONVERGENCE);
}

// Undamped and driven at its own frequency: no periodic motion at all.
static void resonance_without_damping_is_named(void **state) {
    (void)state;
    orbit_case c;
    parse(&c,
          ONE_MASS "drives: {f: {at: m, type: harmonic, amplitude: 1, frequency: 1}}\n"
                   "orbit: {settle: 2 periods}\n",
          "none");
    reason_is(&c, NULL, JD_ORBIT_NOT_ISOLATED);
}

static void linear_orbit_is_found_in_one_step(void **state) {
    (void)state;
    orbit_case c;
    parse(&c,
          ONE_MASS "drives: {f: {at: m, type: harmonic, amplitude: 1, frequency: 1.5}}\n"
                   "orbit: {periods: 1, settle: 0}\n",
          "{type: rayleigh, mass: 0.1, stiffness: 0}");
    orbit_find(&c);
    assert_int_equal(c.view->search.iterations, 1);
    assert_int_equal(c.view->n_event, 0);
    assert_int_equal(c.view->n_phase, 1);
    double x = c.view->state[0], v = c.view->state[1]; // x = Im X e^{irt}, X = 1/(1 - r^2 + icr)
    double r = 1.5, d = 0.1 * r, a = 1 - r * r, size = a * a + d * d;
    assert_near(x, -d / size, 1e-14);
    assert_near(v, r * a / size, 1e-14);
    orbit_end(&c);
}

// The time a contact holds in a period does not depend on where the period begins: where it
// slides, or where it holds, before and after the first event.
static void time_in_stick_does_not_depend_on_the_phase_of_the_drive(void **state) {
    (void)state;
    double first = 0;
    int holding = 0;
    for (int i = 0; i < 8; i++) {
        orbit_case c;
        parse(&c,
              ONE_MASS "contacts: {c: {at: m, against: ground, law: {type: coulomb, limit: 0.6}}}\n"
                       "drives: {f: {at: m, type: harmonic, amplitude: 1, frequency: 0.25,\n"
                       "             phase: %.17g}}\n"
                       "start: rest\norbit: {settle: 30 periods}\n",
              "{type: ratio, value: 0.1}", i * pi / 4);
        orbit_find(&c);
        if (i == 0) first = c.view->stuck[0];
        holding += c.view->phase[0] == 'H';
        assert_true(c.view->stuck[0] > 1 && c.view->stuck[0] < c.view->period - 1);
        assert_near(c.view->stuck[0], first, 1e-9);
        orbit_end(&c);
    }
    assert_true(holding > 1 && holding < 8);
}

// Two sliders of which one never moves: neither the letter of the other one nor its time in stick
// is that of the contact.
static void several_sliders_have_one_letter(void **state) {
    (void)state;
    static const double frequency[] = {1, 1.2, 1.3};
    for (int i = 0; i < 3; i++) {
        orbit_case c;
        parse(&c,
              ONE_MASS "contacts: {c: {at: m, law: {type: iwan, limit: [0.1, 5], stiffness: [0.3, "
                       "0.3]}}}\ndrives: {f: {at: m, type: harmonic, amplitude: 0.1, frequency: "
                       "%.17g}}\nstart: rest\norbit: {settle: 100 periods}\n",
              "{type: ratio, value: 0.02}", frequency[i]);
        orbit_find(&c);
        assert_true((c.view->n_event > 0) == (i > 0));
        for (int k = 0; k < c.view->n_phase; k++) assert_string_equal(c.view->phases[k], "~");
        assert_true(c.view->stuck[0] == 0);
        orbit_end(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(continuous_sliding_is_den_hartogs_to_1e_12),
        cmocka_unit_test(two_stops_a_cycle_are_den_hartogs_to_1e_12),
        cmocka_unit_test(both_orbits_of_the_impact_oscillator_to_1e_12),
        cmocka_unit_test(block_on_a_belt_has_the_period_of_the_closed_form),
        cmocka_unit_test(elastic_chain_has_a_family_of_orbits_and_says_so),
        cmocka_unit_test(derivative_of_the_return_map_agrees_with_differences),
        cmocka_unit_test(contact_that_holds_all_along_is_neutral),
        cmocka_unit_test(newton_step_takes_less_than_a_millisecond),
        cmocka_unit_test(determinant_with_an_impact_is_liouvilles),
        cmocka_unit_test(determinant_with_reversals_is_liouvilles),
        cmocka_unit_test(the_same_seed_gives_the_same_attractors),
        cmocka_unit_test(drives_that_do_not_repeat_are_refused_by_name),
        cmocka_unit_test(unbounded_motion_is_named),
        cmocka_unit_test(motion_that_comes_to_rest_is_named),
        cmocka_unit_test(steps_that_run_out_are_named),
        cmocka_unit_test(resonance_without_damping_is_named),
        cmocka_unit_test(linear_orbit_is_found_in_one_step),
        cmocka_unit_test(several_sliders_have_one_letter),
        cmocka_unit_test(time_in_stick_does_not_depend_on_the_phase_of_the_drive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
