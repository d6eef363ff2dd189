// stuck_springs.c -- modes with a contact stuck have its springs: the same as those of the
// structure with linear connections in their place (another path through the program), frequencies
// and damping.
#include <math.h>

#include "draws.h"
#include "model_case.h"
#include "problem/system.h"

enum { MODELS = 60, MASSES = 6 };

typedef struct drawn {
    char chain[600];
    int n, tangential, normal;
    double kt, kn;
} drawn;

static drawn draw(void) {
    drawn d = {.n = 2 + (int)(mixed(0, 1) * (MASSES - 1))};
    d.tangential = 1 + (int)(mixed(0, 1) * d.n);
    d.normal = 1 + d.tangential % d.n;
    d.kt = pow(10, 4 * mixed(0, 1) - 2);
    d.kn = pow(10, 4 * mixed(0, 1) - 2);
    static const char *const damping[] = {
        "", "damping: {type: ratio, value: 0.03}, ",
        "damping: {type: rayleigh, mass: 0.02, stiffness: 0.03}, "};
    snprintf(d.chain, sizeof d.chain,
             "judder: 1\nstructure: {type: chain, count: %d, mass: %.17g, stiffness: %.17g, "
             "%spoints: {t: {node: %d}, n: {node: %d}}}\n",
             d.n, 0.5 + mixed(0, 1), 0.5 + mixed(0, 1), damping[(int)(3 * mixed(0, 1))],
             d.tangential, d.normal);
    return d;
}

// Modes of a model: free ones (contact < 0), or with a contact stuck.
static int modes_of(model_case *m, const char *text, int contact, jd_mode *out) {
    int n = 0;
    reads(m, text, NULL);
    assert_int_equal(jd_problem_build(m->problem), JD_OK);
    if (contact >= 0) {
        assert_int_equal(jd_problem_stuck_modes(m->problem, contact, &n, out), JD_OK);
        return n;
    }
    const jd_modal *free = &jd_problem_system(m->problem)->modal;
    assert_int_equal(jd_modal_list(m->context, free, out), JD_OK);
    return free->n;
}

static double compare(model_case *m, const char *one, const char *two) {
    jd_mode a[MASSES], b[MASSES];
    double worst = 0;
    int n = modes_of(m, one, 0, a), k = modes_of(m, two, -1, b);
    if (n != k) fail_msg("%d modes and %d\n%s\n%s", n, k, one, two);
    for (int i = 0; i < n; i++) {
        worst = fmax(worst, fabs(a[i].omega / b[i].omega - 1));
        worst = fmax(worst, fabs(a[i].damping_ratio - b[i].damping_ratio));
    }
    return worst;
}

static void stuck_sliders_are_springs(void **state) {
    seed = 20260101;
    double worst = 0;
    for (int i = 0; i < MODELS; i++) {
        drawn d = draw();
        char one[1200], two[1200];
        snprintf(two, sizeof two, "%sconnections: {k: {type: spring, at: t, stiffness: %.17g}}\n",
                 d.chain, d.kt);
        snprintf(one, sizeof one,
                 "%scontacts: {k: {at: t, law: {type: coulomb, limit: 1, stiffness: %.17g}}}\n",
                 d.chain, d.kt);
        worst = fmax(worst, compare(*state, one, two));
        snprintf(one, sizeof one,
                 "%scontacts: {k: {at: t, law: {type: iwan, limit: [1, 2], stiffness: [%.17g, "
                 "%.17g]}}}\n",
                 d.chain, 0.25 * d.kt, 0.75 * d.kt);
        worst = fmax(worst, compare(*state, one, two));
        snprintf(one, sizeof one,
                 "%scontacts: {k: {at: t, law: {type: stop, gap: 1, stiffness: %.17g}}}\n", d.chain,
                 d.kt);
        worst = fmax(worst, compare(*state, one, two));
    }
    print_message("one spring: %.1e\n", worst);
    assert_true(worst < 1e-13); // measured 2e-17
}

// Both springs of a dry contact; with a rigid normal part its point is held.
static void dry_contacts_have_two_springs(void **state) {
    seed = 77;
    double worst = 0;
    for (int i = 0; i < MODELS; i++) {
        drawn d = draw();
        char one[1200], two[1200];
        snprintf(one, sizeof one,
                 "%scontacts: {k: {at: {normal: n, tangential: t}, law: {type: dry-contact, "
                 "coefficient: 0.1, gap: 1, normal_stiffness: %.17g, tangential_stiffness: "
                 "%.17g}}}\n",
                 d.chain, d.kn, d.kt);
        snprintf(two, sizeof two,
                 "%sconnections: {k: {type: spring, at: t, stiffness: %.17g}, l: {type: spring, "
                 "at: n, stiffness: %.17g}}\n",
                 d.chain, d.kt, d.kn);
        worst = fmax(worst, compare(*state, one, two));
    }
    print_message("two springs: %.1e\n", worst);
    assert_true(worst < 1e-13); // measured 2e-17
}

// Three equal masses, the first held, the last on a spring: the two that are left, by hand.
static void a_rigid_normal_part_is_held_beside_the_spring(void **state) {
    jd_mode a[3];
    int n = modes_of(*state,
                     "judder: 1\nstructure: {type: chain, count: 3, mass: 1, stiffness: 1, points: "
                     "{n: {node: 1}, t: {node: 3}}}\n"
                     "contacts: {k: {at: {normal: n, tangential: t}, law: {type: dry-contact, "
                     "coefficient: 0.1, gap: 1, restitution: 0, tangential_stiffness: 2}}}\n",
                     0, a);
    assert_int_equal(n, 2); // K = (2, -1; -1, 3)
    assert_relative(a[0].omega, sqrt(2.5 - sqrt(1.25)), 1e-14);
    assert_relative(a[1].omega, sqrt(2.5 + sqrt(1.25)), 1e-14);
}

// The frequency listed is the undamped one, to the digits stated, however much the damping couples;
// the damping is in the poles.
static void damping_does_not_move_the_frequencies_listed(void **state) {
    static const char *const damping[] = {"{type: ratio, value: 0.2}",
                                          "{type: rayleigh, mass: 0.1, stiffness: 0.3}",
                                          "{type: rayleigh, mass: 0, stiffness: 0.05}"};
    double most = 0;
    for (int i = 0; i < 30; i++) {
        char text[2][900];
        double k = pow(10, 3 * mixed(0, 1) - 1);
        int count = 2 + i % (MASSES - 1);
        for (int damped = 0; damped < 2; damped++)
            snprintf(
                text[damped], sizeof text[damped],
                "judder: 1\nstructure: {type: chain, count: %d, mass: 1, stiffness: 2, points: "
                "{p: {node: %d}}, damping: %s}\ncontacts: {c: {at: p, law: {type: coulomb, "
                "limit: 1, stiffness: %.17g}}}\n",
                count, 1 + i % count, damped ? damping[i % 3] : "none", k);
        jd_mode a[MASSES], b[MASSES];
        int n = modes_of(*state, text[0], 0, a);
        assert_int_equal(modes_of(*state, text[1], 0, b), n);
        for (int j = 0; j < n; j++) {
            const double *s = b[j].pole[0];
            assert_near(b[j].omega, a[j].omega, (a[j].error + b[j].error) * a[j].omega);
            assert_true(b[j].error < 1e-13 && s[0] < 0);
            if (s[1] != 0) assert_near(b[j].damping_ratio, -s[0] / hypot(s[0], s[1]), 1e-14);
            most = fmax(most, fabs(hypot(s[0], s[1]) / a[j].omega - 1));
        }
    }
    assert_true(most > 1e-3); // |pole| is another number
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(stuck_sliders_are_springs),
        MODEL_TEST(dry_contacts_have_two_springs),
        MODEL_TEST(damping_does_not_move_the_frequencies_listed),
        MODEL_TEST(a_rigid_normal_part_is_held_beside_the_spring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
