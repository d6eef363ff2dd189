// follow_contacts.c -- branches and orbits of contacts with springs: openings by their name at
// their closed form, sliders that never slip as members of a family.
#include <math.h>

#include "draws.h"
#include "follow_case.h"
#include "orbit_case.h"

enum { MODELS = 12 };

// A contact that slides on a fast belt, pressed by its own spring; the normal motion is a linear
// oscillator of its own: N = N0 w^2/(w^2 + kn) at rest, and it opens where the forced motion takes
// that away: F = N/kn |w^2 + kn - W^2 + 2i D w W|.
static void a_contact_opens_along_a_branch_at_its_closed_form(void **state) {
    double worst = 0;
    seed = 5;
    for (int i = 0; i < MODELS; i++) {
        double w = mixed(0.8, 2), kn = mixed(0.5, 3), D = mixed(0.03, 0.2), drive = mixed(0.5, 3);
        double preload = mixed(0.5, 2);
        double rest = preload * w * w / (w * w + kn);
        double at = rest / kn * hypot(w * w + kn - drive * drive, 2 * D * w * drive);
        char text[1000];
        snprintf(text, sizeof text,
                 "judder: 1\nstructure: {type: modes, omega: [1, %.17g], ratio: [0.1, %.17g], "
                 "shapes: {x: [1, 0], y: [0, 1]}}\n"
                 "contacts: {k: {at: {normal: y, tangential: x}, against: {velocity: 50}, law: "
                 "{type: dry-contact, preload: %.17g, normal_stiffness: %.17g, "
                 "tangential_stiffness: 3, coefficient: 0.3}}}\n"
                 "drives: {f: {type: harmonic, at: y, amplitude: 0.5, frequency: %.17g}}\n"
                 "follow: {parameter: drives.f.amplitude, from: %.17g, to: %.17g}\n",
                 w, D, preload, kn, drive, 0.8 * at, 1.05 * at);
        jd_follow *f = follows(*state, text, NULL, NULL);
        const jd_follow_view *v = jd_follow_look(f);
        if (v->n_special < 1 || v->special[0].kind != JD_SPECIAL_OPEN_APPEARS)
            fail_msg("model %d: %d points, the first: %s", i, v->n_special,
                     v->n_special ? jd_special_name(v->special[0].kind) : "none");
        worst = fmax(worst, fabs(v->special[0].parameter / at - 1));
        jd_follow_free(f);
    }
    print_message("opens within %.1e\n", worst);
    assert_true(worst < 1e-9); // measured 6e-13
}

// Three sliders: one slips, the others hold all along, two multipliers 1 that are no instability.
static void sliders_that_never_slip_are_a_family(void **state) {
    (void)state;
    static const char model[] =
        "judder: 1\nstructure: {type: chain, count: 2, mass: 1, stiffness: 1, damping: {type: "
        "ratio, value: 0.05}, points: {a: {node: 1}, b: {node: 2}}}\n"
        "contacts: {k: {at: b, law: {type: iwan, limit: [0.2, %s], stiffness: [1, %s]}}}\n"
        "drives: {f: {type: harmonic, at: a, amplitude: 1, frequency: 1.3}}\n";
    char text[1000];
    double largest[2];
    for (int i = 0; i < 2; i++) { // two sliders that hold, or one of the same stiffness
        orbit_case c;
        snprintf(text, sizeof text, model, i ? "9" : "5, 9", i ? "3" : "1, 2");
        orbit_parse(&c, text);
        orbit_find(&c);
        assert_int_equal(c.view->stability.neutral, i ? 1 : 2);
        assert_true(c.view->stability.stable && !c.view->stability.marginal);
        largest[i] = c.view->stability.largest;
        orbit_end(&c);
    }
    assert_true(largest[0] < 0.9);
    assert_relative(largest[0], largest[1], 1e-11);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(a_contact_opens_along_a_branch_at_its_closed_form),
        cmocka_unit_test(sliders_that_never_slip_are_a_family),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
