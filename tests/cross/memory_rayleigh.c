// memory_rayleigh.c -- all modes with Rayleigh damping: kernels and motions are the limit of many
// modes.
#include <math.h>

#include "kernel_case.h"
#include "memory_case.h"

#define BODY(type, modes, damping)                                                                 \
    "judder: 1\nstructure: {type: " type ", length: 1.3, mass_per_length: 0.7, modes: " modes      \
    ", points: {p: 0.325, q: 0.975}, damping: {type: rayleigh, " damping "}}\n"                    \
    "contacts:\n  p: {at: p, against: ground, law: {type: coulomb, limit: 1}}\n"                   \
    "  q: {at: q, against: ground, law: {type: coulomb, limit: 1}}\n"

static void values_of(const char *text, double tau, double omega, double out[3][8]) {
    body b = open_body(text, NULL);
    assert_int_equal(jd_response_at(b.response, JD_RESPONSE_STEP, 1, &tau, out[0]), JD_OK);
    assert_int_equal(jd_response_at(b.response, JD_RESPONSE_INTEGRAL, 1, &tau, out[1]), JD_OK);
    assert_int_equal(jd_response_transfer(b.response, (double[]){0, omega}, out[2]), JD_OK);
    close_body(&b);
}

// N modes leave C/N of a string (its modes fall as 1/omega^2), C/N^3 of a beam: 2000, 4000 and 8000
// of them, twice extrapolated.
static void rayleigh_kernels_are_those_of_many_modes(void **state) {
    (void)state; // measured 3.5e-12
    static const struct {
        const char *text[4];
        double order;
    } c[] = {
#define ALL(type, damping)                                                                         \
    {BODY(type, "2000", damping), BODY(type, "4000", damping), BODY(type, "8000", damping),        \
     BODY(type, "infinite", damping)}
        {ALL("string, tension: 2", "mass: 0.3, stiffness: 0.02"), 1},
        {ALL("rod, axial_stiffness: 2", "stiffness: 1.5"), 1},
        {ALL("beam, bending_stiffness: 0.5", "mass: 0.3, stiffness: 0.003"), 3}};
    for (int i = 0; i < 3; i++) {
        double v[4][3][8] = {{{0}}}, worst = 0, size = 0, f = pow(2, c[i].order) - 1, tau = 0.37;
        for (int k = 0; k < 4; k++) values_of(c[i].text[k], tau, 5.1, v[k]);
        for (int q = 0; q < 24; q++) {
            double a = v[0][q / 8][q % 8], b = v[1][q / 8][q % 8], d = v[2][q / 8][q % 8];
            double first = b + (b - a) / f, second = d + (d - b) / f;
            worst = fmax(worst, fabs(second + (second - first) / (2 * f + 1) - v[3][q / 8][q % 8]));
            size = fmax(size, fabs(d));
        }
        print_message("   %.20s: %.1e of %.1e\n", c[i].text[3] + 28, worst, size);
        assert_true(worst < 1e-10 * size);
    }
}

// G ~ start tau^exponent.
static void rayleigh_kernels_start_without_a_jump(void **state) {
    (void)state; // measured 5e-7
    static const char *const text[] = {
        BODY("string, tension: 2", "infinite", "mass: 0.3, stiffness: 0.1"),
        BODY("beam, bending_stiffness: 0.5", "infinite", "stiffness: 0.1")};
    for (int i = 0; i < 2; i++) {
        body b = open_body(text[i], NULL);
        double G[8], tau = 1e-7, exponent = jd_response_exponent(b.response);
        assert_int_equal(jd_response_at(b.response, JD_RESPONSE_STEP, 1, &tau, G), JD_OK);
        double ratio = G[0] / (jd_response_start(b.response)[0] * pow(tau, exponent));
        print_message("   exponent %g: %.2e\n", exponent, ratio - 1);
        assert_near(exponent, i ? 0.75 : 0.5, 0);
        assert_near(ratio, 1, 1e-5);
        assert_near(jd_response_jump(b.response)[0], 0, 0);
        close_body(&b);
    }
}

static const char plucked[] =
    "judder: 1\n"
    "structure: {type: string, length: 1, tension: 2, mass_per_length: 2, modes: infinite,\n"
    "  points: {bow: 0.4}, damping: {type: rayleigh, mass: 0.5, stiffness: 0.1}}\n"
    "contacts: {bow: {at: bow, against: ground, law: {type: coulomb, limit: 0.3}}}\n"
    "start: {type: shape, position: [0.25], displacement: [0.5]}\n"
    "simulate: {engine: memory, until: 2, tolerance: 1e-8}\n";

static const char bent[] =
    "judder: 1\n"
    "structure: {type: beam, length: 1, bending_stiffness: 1, mass_per_length: 1, modes: "
    "infinite,\n"
    "  supports: {left: clamped, right: free}, points: {tip: 1},\n"
    "  damping: {type: rayleigh, stiffness: 0.01}}\n"
    "contacts: {tip: {at: tip, against: ground, law: {type: coulomb, limit: 0.3}}}\n"
    "start: {type: shape, position: [0.5, 1], displacement: [0.1, 0.5], velocity: [1, -0.3]}\n"
    "simulate: {engine: memory, until: 2, tolerance: 1e-8}\n";

// Event times of N, 2 N and 4 N modes, twice extrapolated, against all.
static void modes_tend_to(const char *text, const char *const *modes, double order, double most) {
    motion *all = motion_of(text, 2, 0, NULL), *m[3];
    double worst = 0, off = 0, f = pow(2, order) - 1;
    for (int i = 0; i < 3; i++) {
        m[i] = motion_of(text, 2, SETS(modes[i], "simulate.tolerance=1e-9"));
        assert_int_equal(m[i]->n, all->n);
    }
    for (int k = 0; k < all->n; k++) {
        double a = m[0]->event[k].t, b = m[1]->event[k].t, d = m[2]->event[k].t;
        double first = b + (b - a) / f, second = d + (d - b) / f;
        off = fmax(off, fabs(d - all->event[k].t));
        worst = fmax(worst, fabs(second + (second - first) / (2 * f + 1) - all->event[k].t));
    }
    print_message("   %d events, off by %.1e, extrapolated %.1e\n", all->n, off, worst);
    assert_true(all->n >= 3);
    assert_true(worst < most);
    for (int i = 0; i < 3; i++) motion_close(m[i]);
    motion_close(all);
}

static void modes_tend_to_all_of_them(void **state) {
    (void)state; // measured 2.5e-7 and 5.3e-10
    static const char *const string[] = {"structure.modes=120", "structure.modes=240",
                                         "structure.modes=480"};
    static const char *const beam[] = {"structure.modes=20", "structure.modes=40",
                                       "structure.modes=80"};
    modes_tend_to(plucked, string, 1, 1e-6);
    modes_tend_to(bent, beam, 3, 1e-8);
}

static void tolerances_agree(void **state) {
    (void)state; // measured 0.09 of the tolerance
    static const char *const stiffness[] = {"structure.damping.stiffness=1e-4",
                                            "structure.damping.stiffness=0.1"};
    for (int i = 0; i < 2; i++) {
        motion *fine = motion_of(plucked, 2, SETS(stiffness[i]));
        motion *coarse = motion_of(plucked, 2, SETS(stiffness[i], "simulate.tolerance=1e-6"));
        double apart = motion_apart(fine, coarse);
        print_message("   %s: %d events, %.1e\n", stiffness[i], fine->n, apart);
        assert_true(apart < 1e-6);
        motion_close(fine);
        motion_close(coarse);
    }
}

static void what_is_not_known_is_refused(void **state) {
    (void)state;
    motion_refused(plucked, "structure", "`mass` alone", "wake",
                   SETS("structure.damping={type: rayleigh, mass: 0.5}"));
    motion_refused(plucked, "simulate.tolerance", "1e-8 and more", "rounding",
                   SETS("simulate.tolerance=1e-9"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rayleigh_kernels_are_those_of_many_modes),
        cmocka_unit_test(rayleigh_kernels_start_without_a_jump),
        cmocka_unit_test(modes_tend_to_all_of_them),
        cmocka_unit_test(tolerances_agree),
        cmocka_unit_test(what_is_not_known_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
