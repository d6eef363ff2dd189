// exact_pair.c -- integrals of pair blocks against the trapezoidal rule in long double.
//   Blocks by their closed form with series; Romberg extrapolation of 64 to 1024 intervals
//   leaves less than 1e-14.
#include "engine/exact/bases/pair.h"

#include <math.h>
#include <string.h>

#include "near.h"

typedef long double real;

static double draw(unsigned long long *seed, double low, double high) {
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return low + (high - low) * (double)(*seed >> 11) / 9007199254740992.0;
}

typedef struct block {
    jd_pole_pair pair;
    double start[2];
} block;

static block draw_block(unsigned long long *seed) {
    double mu = -draw(seed, 0.5, 2), x = draw(seed, -1, 1);
    block b = {{{mu, 0}, {fabs(x) < 0.3 ? 0 : 0.0025 * x * mu * mu, 0}},
               {draw(seed, -1, 1), draw(seed, -1, 1)}};
    return b;
}

// r(t) by the closed form with the series of cosh and sinh(x)/x in delta2 t^2.
static void at(const block *b, real t, real r[2]) {
    real d = b->pair.delta2.re, C = 1, S = t, term = 1;
    for (int n = 1; n < 20; n++) {
        term *= d * t * t / ((2 * n - 1) * (2 * n));
        C += term;
        S += term * t / (2 * n + 1);
    }
    real grow = expl(b->pair.mu.re * t);
    r[0] = grow * (b->start[0] * C + b->start[1] * S);
    r[1] = grow * (b->start[1] * C + d * b->start[0] * S);
}

// f at t: moments of r, then r z for the pole s, then products of two blocks.
typedef struct all {
    real moment[6], re[2], im[2], product[4];
} all;
enum { PARTS = sizeof(all) / sizeof(real) };

static void integrand(const block *a, const block *b, jd_complex s, real t, real *out) {
    real r[2], u[2], *p = out, grow = expl(s.re * t);
    at(a, t, r);
    at(b, t, u);
    for (int m = 0; m < 3; m++)
        for (int i = 0; i < 2; i++) *p++ = (m == 0 ? 1 : m == 1 ? t : t * t) * r[i];
    for (int i = 0; i < 2; i++) *p++ = r[i] * grow * cosl(s.im * t);
    for (int i = 0; i < 2; i++) *p++ = r[i] * grow * sinl(s.im * t);
    for (int i = 0; i < 4; i++) *p++ = r[i / 2] * u[i % 2];
}

static void integrate(const block *a, const block *b, jd_complex s, real T, real *out) {
    real sum[5][PARTS] = {{0}}, f[PARTS];
    for (int level = 0; level < 5; level++) {
        int n = 64 << level;
        for (int i = 0; i <= n; i++) {
            integrand(a, b, s, T * i / n, f);
            for (int k = 0; k < PARTS; k++)
                sum[level][k] += f[k] * T / n * (i == 0 || i == n ? 0.5L : 1);
        }
    }
    for (int k = 0; k < PARTS; k++) { // Romberg
        for (int order = 1; order < 5; order++)
            for (int level = 4; level >= order; level--)
                sum[level][k] += (sum[level][k] - sum[level - 1][k]) / (powl(4, order) - 1);
        out[k] = sum[4][k];
    }
}

static void both_ends(const block *b, double T, double r0[2], double r1[2]) {
    real r[2];
    at(b, T, r);
    for (int i = 0; i < 2; i++) r0[i] = b->start[i], r1[i] = (double)r[i];
}

static void pair_blocks_are_integrated(void **state) {
    (void)state;
    unsigned long long seed = 5;
    for (int i = 0; i < 60; i++) {
        block a = draw_block(&seed), b = draw_block(&seed);
        jd_complex s = {draw(&seed, -1, 0), draw(&seed, 0, 3)}, out[2];
        double T = pow(10, draw(&seed, -3, 0.6)), r0[2], r1[2], u0[2], u1[2], J[6], Z[4];
        all want;
        integrate(&a, &b, s, T, (real *)&want);
        both_ends(&a, T, r0, r1);
        both_ends(&b, T, u0, u1);
        jd_pair_moments(&a.pair, r0, r1, T, 3, J);
        for (int k = 0; k < 6; k++)
            assert_near(J[k], (double)want.moment[k], 1e-13 * pow(T, k / 2 + 1));
        double grow = exp(s.re * T), zr = grow * cos(s.im * T), zi = grow * sin(s.im * T);
        for (int k = 0; k < 2; k++) {
            double w[2] = {k == 0, k == 1}, re = 0, im = 0;
            jd_pair_with_pole(&a.pair, w, s, out);
            for (int c = 0; c < 2; c++) {
                double x = r1[c] * zr - r0[c], y = r1[c] * zi;
                re += out[c].re * x - out[c].im * y;
                im += out[c].re * y + out[c].im * x;
            }
            assert_near(re, (double)want.re[k], 1e-13);
            assert_near(im, (double)want.im[k], 1e-13);
        }
        for (int k = 0; k < 4; k++) {
            double W[4] = {k == 0, k == 1, k == 2, k == 3}, sum = 0;
            jd_pair_with_pair(&a.pair, &b.pair, W, Z);
            for (int c = 0; c < 4; c++)
                sum += Z[c] * (r1[c / 2] * u1[c % 2] - r0[c / 2] * u0[c % 2]);
            assert_near(sum, (double)want.product[k], 1e-13);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pair_blocks_are_integrated)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
