// gradient.c -- derivatives of orbits: closed form, Euler's theorem, what is refused, results.
#include <math.h>
#include <unistd.h>

#include "orbit_case.h"

static const char *const friction =
    "judder: 1\n"
    "structure: {type: chain, count: 2, mass: [1.2, 0.8], stiffness: [3, 2], supports: {left: "
    "fixed, right: free}, damping: {type: rayleigh, mass: 0.05, stiffness: 0.01}, points: {a: "
    "{node: 2}, b: {node: 1}}}\n"
    "contacts: {c: {at: a, law: {type: coulomb, limit: 0.3%s}}}\n"
    "drives: {f: {at: b, type: harmonic, amplitude: 1.4, frequency: 1.1}}\n"
    "orbit: {periods: 1, settle: 60 periods}\n";

static jd_gradient *gradient_of(orbit_case *c, int n, const char *const *key) {
    jd_gradient *g = NULL;
    const char *point = "a";
    if (jd_gradient_create(c->context, c->problem, c->view, n, key, 1, &point, &g) != JD_OK)
        fail_msg("%s", jd_context_error(c->context)->message);
    return g;
}

// u = F/|k - m w^2 + i c w|: its derivatives by k, m, F and w.
static void a_linear_oscillator_has_the_derivatives_of_its_closed_form(void **unused) {
    (void)unused;
    orbit_case c;
    double k = 3, m = 1.3, w = 1.1, F = 0.7, alpha = 0.1, d = alpha * m;
    double A = k - m * w * w, B = d * w, size = hypot(A, B), u = F / size;
    static const char *const key[] = {"structure.stiffness", "drives.f.amplitude",
                                      "drives.f.frequency", "structure.damping.mass"};
    double slope[] = {-u * A / (size * size), 1 / size,
                      -u * (A * -2 * m * w + B * d) / (size * size),
                      -u * B * m * w / (size * size)};
    orbit_parse(&c, "judder: 1\nstructure: {type: chain, count: 1, mass: 1.3, stiffness: 3, "
                    "damping: {type: rayleigh, mass: 0.1, stiffness: 0}, points: {a: {node: 1}}, "
                    "supports: {left: fixed, right: free}}\n"
                    "drives: {f: {at: a, type: harmonic, amplitude: 0.7, frequency: 1.1}}\n"
                    "orbit: {periods: 1}\n");
    orbit_find(&c);
    jd_gradient *g = gradient_of(&c, 4, key);
    for (int i = 0; i < 4; i++) {
        const jd_gradient_key *by = &jd_gradient_look(g)->key[i];
        assert_int_equal(by->method, JD_GRADIENT_SALTATION);
        assert_near(by->place[0].amplitude, u, 1e-13);
        assert_near(by->place[0].d_amplitude, slope[i], 1e-11); // measured 2e-13
        assert_near(by->period, i == 2 ? -2 * acos(-1.0) / (w * w) : 0, 1e-11);
    }
    jd_gradient_free(g);
    orbit_end(&c);
}

// All displacements grow with the forces: a = R da/dR + F da/dF (Euler), exactly. With a friction
// spring likewise, and by k, kt, m, R, F together nothing changes but time: see below.
static void displacements_are_homogeneous_in_forces(void **unused) {
    (void)unused;
    for (int sprung = 0; sprung < 2; sprung++) {
        orbit_case c;
        char text[1000];
        static const char *const key[] = {"contacts.c.law.limit", "drives.f.amplitude"};
        snprintf(text, sizeof text, friction, sprung ? ", stiffness: 5" : "");
        orbit_parse(&c, text);
        orbit_find(&c);
        assert_true(c.view->n_event >= 2);
        jd_gradient *g = gradient_of(&c, 2, key);
        const jd_gradient_key *R = jd_gradient_look(g)->key, *F = R + 1;
        for (int i = 0; i < R->n_place; i++) {
            double sum = R->value * R->place[i].d_most + F->value * F->place[i].d_most;
            assert_near(sum, R->place[i].most, 1e-10); // measured 3e-12
        }
        for (int i = 0; i < R->n; i++)
            assert_near(R->value * R->state[i] + F->value * F->state[i], c.view->state[i], 1e-10);
        for (int i = 0; i < 2; i++) { // multipliers do not change
            double re = R->value * R->multiplier[i] + F->value * F->multiplier[i];
            if (!isnan(re)) assert_near(re, 0, 1e-6);
        }
        jd_gradient_free(g);
        orbit_end(&c);
    }
}

static void refuse(orbit_case *c, const char *key, jd_status status, const char *says) {
    jd_gradient *g;
    assert_int_equal(jd_gradient_create(c->context, c->problem, c->view, 1, &key, 0, NULL, &g),
                     status);
    if (!strstr(jd_context_error(c->context)->message, says))
        fail_msg("%s: %s", key, jd_context_error(c->context)->message);
    jd_context_clear_error(c->context);
}

static void counts_choices_and_other_sections_have_no_derivative(void **unused) {
    (void)unused;
    orbit_case c;
    char text[1000];
    snprintf(text, sizeof text, friction, "");
    orbit_parse(&c, text);
    orbit_find(&c);
    refuse(&c, "structure.count", JD_WRONG_TYPE, "a count");
    refuse(&c, "structure.damping.type", JD_UNKNOWN_KEY, "no number `structure.damping.type`");
    refuse(&c, "orbit.settle", JD_WRONG_TYPE, "does not depend on it");
    refuse(&c, "contacts.c.law.limt", JD_UNKNOWN_KEY, "no number");
    refuse(&c, "structure.mass", JD_WRONG_TYPE, "list of 2");
    orbit_end(&c);
}

// A contact that never slides may rest elsewhere: its orbit has no derivative, and that is said.
static void a_family_of_orbits_has_no_gradient(void **unused) {
    (void)unused;
    orbit_case c;
    orbit_parse(&c,
                "judder: 1\nstructure: {type: chain, count: 2, mass: 1, stiffness: 3, supports: "
                "{left: fixed, right: free}, damping: {type: ratio, value: 0.05}, points: {a: "
                "{node: 2}, b: {node: 1}}}\ncontacts: {c: {at: a, law: {type: coulomb, limit: "
                "50}}}\ndrives: {f: {at: b, type: harmonic, amplitude: 1, frequency: 1.1}}\n"
                "orbit: {periods: 1, settle: 60 periods}\n");
    orbit_find(&c);
    refuse(&c, "drives.f.amplitude", JD_NOT_SUPPORTED, "stuck all along");
    orbit_end(&c);
}

static void a_result_keeps_the_gradient(void **unused) {
    (void)unused;
    orbit_case c;
    char text[1000], file[] = "gradient.h5";
    static const char *const key[] = {"contacts.c.law.limit", "structure.stiffness.1"};
    jd_result *result, *again;
    snprintf(text, sizeof text, friction, ", stiffness: 5");
    orbit_parse(&c, text);
    orbit_find(&c);
    jd_gradient *g = gradient_of(&c, 2, key);
    assert_int_equal(jd_result_of_orbit(c.context, c.problem, c.orbit, &result), JD_OK);
    assert_int_equal(jd_result_add_gradient(result, g), JD_OK);
    if (jd_result_write(c.context, result, file) != JD_OK ||
        jd_result_read(c.context, file, &again) != JD_OK)
        fail_msg("%s", jd_context_error(c.context)->message);
    const jd_orbit_result *o = jd_result_orbit(again);
    assert_int_equal(o->n_gradient, 2);
    for (int k = 0; k < 2; k++) {
        const jd_gradient_key *a = &jd_gradient_look(g)->key[k], *b = &o->gradient[k];
        assert_string_equal(a->key, b->key);
        assert_true(a->value == b->value && a->period == b->period && a->error == b->error);
        assert_int_equal(a->method, b->method);
        assert_int_equal(a->n, b->n);
        assert_memory_equal(a->state, b->state, (size_t)a->n * sizeof *a->state);
        assert_int_equal(a->n_place, b->n_place);
        for (int i = 0; i < a->n_place; i++)
            assert_true(a->place[i].d_amplitude == b->place[i].d_amplitude);
        assert_int_equal(a->n_multiplier, b->n_multiplier);
    }
    jd_result_free(again);
    jd_result_free(result);
    jd_gradient_free(g);
    orbit_end(&c);
    unlink(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_linear_oscillator_has_the_derivatives_of_its_closed_form),
        cmocka_unit_test(displacements_are_homogeneous_in_forces),
        cmocka_unit_test(counts_choices_and_other_sections_have_no_derivative),
        cmocka_unit_test(a_family_of_orbits_has_no_gradient),
        cmocka_unit_test(a_result_keeps_the_gradient)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
