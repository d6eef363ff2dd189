// kernel_comb.c -- strings and rods with little damping: smeared echoes and a few poles are exact.
#include "kernel/echoes/echo_kernel.h"

#include <math.h>

#include "kernel/echoes/smear.h"
#include "kernel_case.h"

static const double pi = 3.14159265358979323846;

static const char model[] =
    "judder: 1\n"
    "structure: {type: string, length: 1, tension: 2, mass_per_length: 2, modes: infinite,\n"
    "  points: {p: 0.4, q: 0.7}, damping: {type: ratio, value: 0.001}}\n"
    "contacts:\n"
    "  a: {at: p, against: ground, law: {type: coulomb, limit: 1}}\n"
    "  b: {at: q, against: ground, law: {type: coulomb, limit: 1}}\n";
static const char rod[] =
    "judder: 1\n"
    "structure: {type: rod, length: 2, axial_stiffness: 3, mass_per_length: 2, modes: infinite,\n"
    "  supports: {left: fixed, right: free}, points: {p: 1.4}, damping: {type: ratio, value: "
    "0.001}}\n"
    "contacts:\n"
    "  a: {at: p, against: ground, law: {type: coulomb, limit: 1}}\n";

// int N_w(x) cos(omega x) dx by the trapezoidal rule in x = w sinh t.
static double transform(double w, double sigma, double omega) {
    double sum = 0, step = 1e-3;
    for (int k = 0; k < 20000; k++) {
        double x = w * sinh(k * step), bell = exp(-(x * x + w * w) / (2 * sigma * sigma));
        double N = bell * w / (pi * (x * x + w * w)) * cos(omega * x) * w * cosh(k * step);
        sum += (k ? 2 : 1) * N * step;
        if (x > 9 * sigma) break;
    }
    return sum;
}

static void the_transform_of_a_smear_is_two_error_functions(void **state) {
    (void)state; // measured 2e-15
    static const double at[][3] = {
        {0.002, 0.05, 0}, {0.002, 0.05, 3.1}, {0.002, 0.05, 70}, {0.03, 0.05, 20}, {1e-5, 0.1, 5}};
    for (int i = 0; i < 5; i++) {
        double complex rate, got = jd_smear_rate(at[i][0], at[i][1], at[i][2], &rate);
        assert_near(creal(got), transform(at[i][0], at[i][1], at[i][2]), 1e-13);
        double h = 1e-5, up = creal(jd_smear(at[i][0], at[i][1], at[i][2] + h)),
               down = creal(jd_smear(at[i][0], at[i][1], fabs(at[i][2] - h)));
        if (at[i][2] > 0) assert_near(creal(rate), (up - down) / (2 * h), 1e-9);
    }
    // far up the bell is not felt: e^{-w omega}
    assert_near(creal(jd_smear(0.002, 0.05, 400)), exp(-0.8), 1e-15);
}

// Off the real line by its Taylor series along it.
static void the_transform_is_analytic(void **state) {
    (void)state; // measured 1e-12: differences of differences
    double w = 0.004, sigma = 0.06, x = 12, y = 0.2, h = 0.05, d[5];
    for (int k = -2; k <= 2; k++) d[k + 2] = creal(jd_smear(w, sigma, x + k * h));
    double second = (-d[0] + 16 * d[1] - 30 * d[2] + 16 * d[3] - d[4]) / (12 * h * h);
    double complex got = jd_smear(w, sigma, cartesian(x, y)), rate;
    jd_smear_rate(w, sigma, x, &rate);
    assert_near(creal(got), d[2] - y * y / 2 * second, 1e-6);
    assert_near(cimag(got), y * creal(rate), 1e-5);
}

// Largest error on and beside the resonances, over |Ghat| + gamma: what was asked for, whatever
// the damping.
static void check(const char *text, const char *set, double tolerance, int most) {
    body b = open_body(text, set);
    jd_echo_kernel c;
    assert_int_equal(jd_echo_kernel_create(b.arena, b.response, tolerance, 0.15, &c), JD_OK);
    print_message("   %s: %d poles, error %.1e\n", set, c.fit.n, c.fit.error);
    assert_true(c.fit.error <= tolerance && c.fit.error > 0);
    assert_true(c.fit.n <= most);
    close_body(&b);
}

static void echoes_and_poles_are_as_good_as_asked_for(void **state) {
    (void)state;
    check(model, "structure.damping.value=0.01", 1e-3, 250);
    check(model, "structure.damping.value=0.001", 1e-3, 250);
    check(model, "structure.damping.value=0.00001", 1e-3, 250);
    check(model, "structure.damping.value=0.005", 1e-8, 700);
    check(model, "structure.damping.value=0.0001", 1e-8, 700);
    check(rod, "structure.damping.value=0.002", 1e-8, 700);
    check(rod, "structure.supports={left: free, right: fixed}", 1e-8, 700);
}

// The error that is reported is found anew at frequencies that were not looked at.
static void the_error_holds_between_the_samples(void **state) {
    (void)state; // measured 1.0 of the reported error
    body b = open_body(model, "structure.damping.value=0.003");
    jd_echo_kernel c;
    jd_echo_taps tap;
    assert_int_equal(jd_echo_kernel_create(b.arena, b.response, 1e-6, 0.15, &c), JD_OK);
    assert_int_equal(jd_echo_taps_of(b.response, &c, 0, 0, b.arena, &tap), JD_OK);
    double worst = 0, gamma = jd_response_jump(b.response)[0];
    for (int k = 0; k < 3000; k++) {
        double omega = 0.05 + 0.137 * k, s[2] = {0, omega}, exact[8];
        double complex comb = gamma, at = cartesian(0, omega);
        for (int d = 0; d < tap.n; d++)
            comb += tap.coefficient[d] * jd_smear(tap.width[d], tap.sigma[d], omega) *
                    cexp(-at * tap.delay[d]);
        comb /= 1 - c.sign * jd_smear(c.width, c.sigma, omega) * cexp(-at * c.period);
        for (int p = 0; p < c.fit.n; p++) {
            double complex r = cartesian(c.fit.residue_re[p], c.fit.residue_im[p]) / 2,
                           pole = cartesian(c.fit.re[p], c.fit.im[p]);
            comb += r / (at - pole) + conj(r) / (at - conj(pole));
        }
        assert_int_equal(jd_response_transfer(b.response, s, exact), JD_OK);
        double complex off = comb - cartesian(exact[0], exact[1]);
        worst = fmax(worst, cabs(off) / (hypot(exact[0], exact[1]) + gamma));
    }
    print_message("   reported %.1e, found %.1e\n", c.fit.error, worst);
    assert_true(worst <= 2 * c.fit.error);
    close_body(&b);
}

static void without_damping_there_is_nothing_to_add(void **state) {
    (void)state;
    body b = open_body(model, "structure.damping=none");
    jd_echo_kernel c;
    assert_int_equal(jd_echo_kernel_create(b.arena, b.response, 1e-6, 0.15, &c), JD_OK);
    assert_int_equal(c.fit.n, 0);
    assert_near(c.sigma, 0, 0);
    assert_near(c.period, 2, 1e-15);
    close_body(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_transform_of_a_smear_is_two_error_functions),
        cmocka_unit_test(the_transform_is_analytic),
        cmocka_unit_test(echoes_and_poles_are_as_good_as_asked_for),
        cmocka_unit_test(the_error_holds_between_the_samples),
        cmocka_unit_test(without_damping_there_is_nothing_to_add),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
