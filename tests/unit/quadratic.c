// quadratic.c -- poles and complex modes with a full damping matrix; poles of single modes.
#include <complex.h>
#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/eigen.h"
#include "near.h"
#include "scratch.h"
#include "structure/modal.h"

enum { N = 12 };

static double complex complex_of(double re, double im) { // CMPLX, which not every compiler has
    double part[2] = {re, im};
    double complex z;
    memcpy(&z, part, sizeof z);
    return z;
}

// A beam-like spectrum and a full, semidefinite C of rank 3.
static void sample(double *omega2, double *C, double strength) {
    for (int k = 0; k < N; k++) omega2[k] = pow(k + 0.6, 4);
    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++) {
            C[k * N + j] = 0;
            for (int p = 1; p <= 3; p++)
                C[k * N + j] += strength * sin(1.3 * p * (k + 1)) * sin(1.3 * p * (j + 1));
        }
}

// {-I 0; 0 I} z = s {C' W; W 0} z, W = Omega^-1, C' = W C W, z = (Omega u, s u), by LAPACK's QZ.
static void dense_poles(const double *omega2, const double *C, double complex *pole) {
    static double A[4 * N * N], B[4 * N * N];
    double re[2 * N], im[2 * N], beta[2 * N];
    for (int i = 0; i < 4 * N * N; i++) A[i] = B[i] = 0;
    for (int k = 0; k < N; k++) {
        A[k * 2 * N + k] = -1;
        A[(N + k) * 2 * N + N + k] = 1;
        B[k * 2 * N + N + k] = B[(N + k) * 2 * N + k] = 1 / sqrt(omega2[k]);
        for (int j = 0; j < N; j++) B[j * 2 * N + k] = C[k * N + j] / sqrt(omega2[k] * omega2[j]);
    }
    assert_int_equal(LAPACKE_dggev(LAPACK_COL_MAJOR, 'N', 'N', 2 * N, A, 2 * N, B, 2 * N, re, im,
                                   beta, NULL, 1, NULL, 1),
                     0);
    for (int i = 0; i < 2 * N; i++) pole[i] = complex_of(re[i] / beta[i], im[i] / beta[i]);
}

static void poles_agree_with_an_independent_dense_solution(void **state) {
    (void)state;
    for (double strength = 0.1; strength < 200; strength *= 10) { // up to overdamped
        double omega2[N], C[N * N], pole[4 * N];
        double complex other[2 * N];
        sample(omega2, C, strength);
        assert_int_equal(jd_eigen_quadratic(arena, N, omega2, C, pole, NULL), JD_OK);
        dense_poles(omega2, C, other);
        for (int p = 0; p < 2 * N; p++) {
            double complex s = complex_of(pole[2 * p], pole[2 * p + 1]);
            double best = 1;
            for (int q = 0; q < 2 * N; q++) best = fmin(best, cabs(s - other[q]) / cabs(s));
            assert_near(best, 0., 1e-11);
            assert_true(p == 0 || cabs(s) >= hypot(pole[2 * p - 2], pole[2 * p - 1]) * (1 - 1e-14));
            if (pole[2 * p + 1] > 0) assert_true(pole[2 * p + 3] == -pole[2 * p + 1]);
        }
    }
}

// sum_p u u'/(z - s_p) = (z^2 + z C + Omega^2)^-1: applied to the matrix it gives the unit matrix.
static void complex_modes_add_to_the_receptance(void **state) {
    (void)state;
    double omega2[N], C[N * N], pole[4 * N], right[4 * N * N];
    sample(omega2, C, 3);
    omega2[0] = 0; // a rigid-body mode
    assert_int_equal(jd_eigen_quadratic(arena, N, omega2, C, pole, right), JD_OK);
    double complex z = complex_of(0.3, 7), H[N * N];
    const double complex *u = (const double complex *)(const void *)right;
    for (int i = 0; i < N * N; i++) {
        H[i] = 0;
        for (int p = 0; p < 2 * N; p++)
            H[i] += u[p * N + i / N] * u[p * N + i % N] /
                    (z - complex_of(pole[2 * p], pole[2 * p + 1]));
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double complex sum = (z * z + omega2[i]) * H[i * N + j];
            for (int k = 0; k < N; k++) sum += z * C[i * N + k] * H[k * N + j];
            assert_near(cabs(sum - (i == j)), 0., 1e-9);
        }
}

enum { WIDE = 30 };

static double random_between(double a, double b) {
    static unsigned long long seed = 7;
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return a + (b - a) * (double)(seed >> 11) / 9007199254740992.0;
}

// (s^2 + s C + Omega^2) u = 0 in every component, against the terms it is a sum of, in
// double-double. Rounding s and u to double leaves three halves of an ulp of them at most.
static double worst_residual(int n, const double *omega2, const double *C, const double *pole,
                             const double *right) {
    double worst = 0;
    for (int p = 0; p < 2 * n; p++) {
        const double *u = right + 2 * p * n;
        jd_dd a = dd(pole[2 * p]), b = dd(pole[2 * p + 1]), z = dd_scale(dd_mul(a, b), 2);
        double size = hypot(a.hi, b.hi);
        for (int k = 0; k < n; k++) {
            jd_dd x = dd(0), y = dd(0), ur = dd(u[2 * k]), ui = dd(u[2 * k + 1]);
            jd_dd w = dd_add(dd_sub(dd_mul(a, a), dd_mul(b, b)), dd(omega2[k]));
            double terms = (size * size + omega2[k]) * hypot(ur.hi, ui.hi);
            for (int j = 0; j < n; j++) {
                x = dd_add(x, dd_two_prod(C[k * n + j], u[2 * j]));
                y = dd_add(y, dd_two_prod(C[k * n + j], u[2 * j + 1]));
                terms += size * fabs(C[k * n + j]) * hypot(u[2 * j], u[2 * j + 1]);
            }
            jd_dd re = dd_sub(dd_add(dd_mul(w, ur), dd_mul(a, x)), dd_mul(z, ui)),
                  im = dd_add(dd_add(dd_mul(w, ui), dd_mul(z, ur)), dd_mul(a, y));
            double off =
                hypot(dd_value(dd_sub(re, dd_mul(b, y))), dd_value(dd_add(im, dd_mul(b, x))));
            if (terms > 0) worst = fmax(worst, off / terms);
        }
    }
    return worst;
}

// sum_p u u' = 0 and sum_p s u u' = 1: no pole is missing, none is there twice.
static double incompleteness(int n, const double *pole, const double *right) {
    const double complex *u = (const double complex *)(const void *)right;
    double worst = 0;
    for (int i = 0; i < n * n; i++) {
        double complex sum = 0, moment = 0;
        double size = 0;
        for (int p = 0; p < 2 * n; p++) {
            double complex s = complex_of(pole[2 * p], pole[2 * p + 1]),
                           term = u[p * n + i / n] * u[p * n + i % n];
            sum += term, moment += s * term, size += cabs(term);
        }
        worst = fmax(worst, fmax(cabs(sum) / (size + 1e-300), cabs(moment - (i / n == i % n))));
    }
    return worst;
}

static void random_damping_leaves_nothing_but_rounding(void **state) {
    (void)state;
    static double C[WIDE * WIDE], right[4 * WIDE * WIDE];
    double residual = 0, missing = 0;
    for (int trial = 0; trial < 150; trial++) {
        int n = 2 + trial % (WIDE - 1), rank = 1 + trial % 5;
        double omega2[WIDE], pole[4 * WIDE], top = pow(10, random_between(0, 3));
        double strength = pow(10, random_between(-6, 0.5));
        for (int k = 0; k < n; k++)
            omega2[k] = pow(1 + (top - 1) * (k + random_between(0, 0.9)) / n, 2);
        for (int i = 0; i < n * n; i++) C[i] = 0;
        for (int r = 0; r < rank; r++) {
            double row[WIDE];
            for (int k = 0; k < n; k++) row[k] = random_between(-1, 1) * pow(omega2[k], 0.25);
            for (int i = 0; i < n * n; i++) C[i] += strength * row[i / n] * row[i % n];
        }
        assert_int_equal(jd_eigen_quadratic(arena, n, omega2, C, pole, right), JD_OK);
        residual = fmax(residual, worst_residual(n, omega2, C, pole, right));
        missing = fmax(missing, incompleteness(n, pole, right));
    }
    print_message("   residual %.1e of its terms, completeness %.1e\n", residual, missing);
    assert_true(residual < 3.5e-16 && missing < 1e-11);
}

static void decoupled_damping_gives_the_poles_of_single_modes(void **state) {
    (void)state;
    double omega2[3] = {1, 4, 9}, C[9] = {0.2, 0, 0, 0, 10, 0, 0, 0, 0.3}, pole[12], single[2][2];
    assert_int_equal(jd_eigen_quadratic(arena, 3, omega2, C, pole, NULL), JD_OK);
    jd_mode_poles(4, 10, single); // -0.417, -9.583
    assert_relative(pole[0], single[0][0], 1e-15);
    assert_relative(pole[10], single[1][0], 1e-15);
    jd_mode_poles(1, 0.2, single);
    assert_relative(pole[2], single[0][0], 1e-14);
    assert_relative(pole[3], single[0][1], 1e-14);
}

// s1 s2 = omega^2 and s1 + s2 = -c however far apart the two poles are.
static void overdamped_poles_keep_all_digits(void **state) {
    (void)state;
    double pole[2][2];
    jd_mode_poles(1e-6, 1e6, pole); // slow pole -1e-12 (1 + 1e-18)
    assert_relative(pole[0][0], -1e-12, 3e-16);
    assert_relative(pole[1][0], -1e6, 3e-16);
    assert_true(pole[0][1] == 0 && pole[1][1] == 0);
    jd_mode_poles(4, 4, pole); // critical
    assert_relative(pole[0][0], -2., 1e-16);
    assert_relative(pole[1][0], -2., 1e-16);
    jd_mode_poles(0, 3, pole); // rigid body in a viscous medium
    assert_true(pole[0][0] == 0 && pole[1][0] == -3);
    jd_mode_poles(0, 0, pole);
    assert_true(pole[0][0] == 0 && pole[1][0] == 0);
    jd_mode_poles(25, 6, pole);
    assert_true(pole[0][0] == -3 && pole[0][1] == 4 && pole[1][1] == -4);
}

static void list_pairs_real_poles(void **state) {
    (void)state;
    jd_dd omega2[2] = {{1, 0}, {100, 0}};
    double error[2] = {1e-16, 1e-16}, c[2] = {5, 0.1}, C[4] = {5, 1e-3, 1e-3, 0.1};
    jd_modal modal = {
        .n = 2, .omega2 = omega2, .error = error, .law = JD_DAMPING_FULL, .c = c, .C = C};
    jd_mode list[2];
    assert_int_equal(jd_modal_list(context, &modal, list), JD_OK);
    assert_relative(list[0].omega, 1., 1e-6);
    assert_relative(list[0].damping_ratio, 2.5, 1e-6);
    assert_true(list[0].pole[0][1] == 0);
    assert_relative(list[1].damping_ratio, 0.005, 1e-4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poles_agree_with_an_independent_dense_solution),
        cmocka_unit_test(complex_modes_add_to_the_receptance),
        cmocka_unit_test(random_damping_leaves_nothing_but_rounding),
        cmocka_unit_test(decoupled_damping_gives_the_poles_of_single_modes),
        cmocka_unit_test(overdamped_poles_keep_all_digits),
        cmocka_unit_test(list_pairs_real_poles),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
