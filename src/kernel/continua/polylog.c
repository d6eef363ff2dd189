// polylog.c -- polylogarithms and the Lerch sum behind the kernels of strings and rods.
//   Re mu < -1:  sum_k e^{mu k}/k^m.
//   else, Im mu reduced to [-pi, pi]:  Li_m(e^mu) = mu^{m-1}/(m-1)! [H_{m-1} - ln(-mu)]
//       + sum_{k != m-1} zeta(m - k) mu^k/k!,   |mu| < 2 pi        (Wood 1992, 9.3)
//   zeta(1 - 2n) = (-1)^n 2 (2n-1)! zeta(2n)/(2 pi)^{2n}
//   tested: polylogarithms_agree_with_forty_digits
#include "kernel/continua/polylog.h"

#include <math.h>

#include "base/constants.h"

static const double pi = JD_PI;

double complex jd_cexpm1(double complex z) {
    double x = creal(z), y = cimag(z), h = sin(y / 2);
    return cartesian(expm1(x) * cos(y) - 2 * h * h, exp(x) * sin(y));
}

static double complex reduce(double complex mu) {
    return cartesian(creal(mu), remainder(cimag(mu), 2 * pi));
}

// zeta(2 n), n >= 1
static double zeta_even(int n) {
    static const double first[] = {1.64493406684822641, 1.08232323371113814, 1.01734306198444924,
                                   1.00407735619794436, 1.00099457512781798, 1.00024608655330804,
                                   1.00006124813505881, 1.00001528225940861};
    return n <= 8 ? first[n - 1] : 1 + pow(4, -n) + pow(9, -n);
}

// sum over even or odd powers with zeta of negative arguments, from mu^k, k = m + 2n - 1:
//   zeta(1 - 2n)/k! = (-1)^n 2 zeta(2n) (2n-1)!/((2 pi)^{2n} k!)
static double complex negative_part(int m, double complex mu) {
    double complex sum = 0, q = mu / (2 * pi), power = q * q;
    for (int n = 1; n < 60; n++) {
        double factor = 1; // (2n-1)!/(m+2n-1)!
        for (int i = 0; i < m; i++) factor /= 2.0 * n + i;
        double complex term = (n % 2 ? -2 : 2) * zeta_even(n) * factor * power;
        sum += term;
        if (cabs(term) < 1e-18 * cabs(sum)) break;
        power *= q * q;
    }
    for (int i = 1; i < m; i++) sum *= mu; // mu^{m-1+2n} = mu^{m-1} mu^{2n}
    return sum;
}

static double complex near_one(int m, double complex mu) {
    static const double zeta2 = 1.6449340668482264, zeta3 = 1.2020569031595943;
    double complex l = mu == 0 ? 0 : clog(-mu), rest = negative_part(m, mu);
    if (m == 2) return zeta2 + mu * (1 - l) - mu * mu / 4 + rest;
    return zeta3 + zeta2 * mu + mu * mu / 2 * (1.5 - l) - mu * mu * mu / 12 + rest;
}

static double complex direct(int m, double complex mu) {
    double complex e = cexp(mu), power = e, sum = 0;
    for (int k = 1; k < 60; k++) {
        double complex term = power / (m == 2 ? (double)k * k : (double)k * k * k);
        sum += term;
        if (cabs(term) < 1e-18 * cabs(sum)) break;
        power *= e;
    }
    return sum;
}

double complex jd_polylog(int m, double complex mu) {
    mu = reduce(mu);
    if (m == 0) return 1 / jd_cexpm1(-mu);
    if (m == 1) return -clog(-jd_cexpm1(mu));
    return creal(mu) < -1 ? direct(m, mu) : near_one(m, mu);
}

// 2^m sum over odd n of e^{mu n/2}/n^m
double complex jd_polylog_half(int m, double complex mu) {
    double complex h = mu / 2;
    if (m == 0) return cexp(h) * (1 / -jd_cexpm1(mu));
    if (m == 1) return clog((1 + cexp(h)) / -jd_cexpm1(h));
    double two = m == 2 ? 4 : 8;
    return two * jd_polylog(m, h) - jd_polylog(m, mu);
}

double complex jd_polylog_regular(double complex mu) {
    if (cabs(mu) > 1) return 1 / jd_cexpm1(-mu) + 1 / mu;
    // 1/(e^w - 1) = 1/w - 1/2 + sum B_2n w^{2n-1}/(2n)!,  w = -mu,
    //   B_2n/(2n)! = -(-1)^n 2 zeta(2n)/(2 pi)^{2n}
    double complex q = mu / (2 * pi), power = q * q, sum = 0;
    for (int n = 1; n < 14; n++, power *= q * q) sum += (n % 2 ? 2 : -2) * zeta_even(n) * power;
    return -0.5 - (mu == 0 ? 0 : sum / mu);
}

// Tail from k = K on, K taken up by z and phi = (K + shift) theta:
//   Re-parts of e^{i phi} sum_j h_j f^{(j)}, f = 1/z, h the Taylor coefficients of 1/(1 - e^{i
//   theta
//   + D}) in D: summation by parts to all orders.
//   1/(1 - e^{i phi}) = 1/2 + i/2 cot(phi/2):  h_j = i (-i)^j t_j/2^{j+1} (and 1/2 for j = 0), t
//   those of cot at theta/2, from cot' = -(1 + cot^2):  j t_j = -sum_l t_l t_{j-1-l} (and -1 for j
//   = 1)
static double complex tail(double theta, double phi, double complex z) {
    enum { ORDERS = 44 };
    double c = cos(phi), s = sin(phi), turn[] = {-s, c, s, -c};     // Re e^{i phi} i (-i)^j
    double t[ORDERS] = {sin(theta) / (1 - cos(theta))}, half = 0.5; // 1/2^{j+1}
    double square = creal(z) * creal(z) + cimag(z) * cimag(z), x = creal(z) / square,
           y = -cimag(z) / square, u = x, v = y, last = HUGE_VAL, earlier = HUGE_VAL,
           re = c * u / 2, im = c * v / 2, enough = 0.25e-36 / square;
    for (int j = 0; j < ORDERS; j++, half /= 2) { // u + i v = j! (-1)^j/z^{j+1}
        double sum = j % 2 ? t[j / 2] * t[j / 2] + (j == 1) : 0;
        for (int l = 0; l < j / 2; l++) sum += 2 * t[l] * t[j - 1 - l];
        if (j > 0) t[j] = -sum / j;
        double h = half * t[j], size = h * h * (u * u + v * v);
        if (size > fmax(last, earlier)) break; // asymptotic; at theta = pi every other term is 0
        earlier = last;
        last = size;
        re += turn[j % 4] * h * u, im += turn[j % 4] * h * v;
        if (fmax(last, earlier) < enough) break;
        double w = -(j + 1) * (u * x - v * y);
        v = -(j + 1) * (u * y + v * x);
        u = w;
    }
    return cartesian(re, im);
}

// Re z >= 0: terms until |K + z| is far enough for the tail.
static double complex right_half(double theta, double shift, double complex z) {
    double far = fmin(90 / fabs(remainder(theta, 2 * pi)) + 10, 1e7);
    int K = far > cabs(z) ? (int)ceil(far) : 0;
    double c = cos(theta), s = sin(theta), x = 1, y = 0, re = 0, im = 0;
    for (int k = 0; k < K; k++) { // x + i y = e^{i (k + shift) theta}
        if (k % 64 == 0) x = cos(theta * (k + shift)), y = sin(theta * (k + shift));
        double a = k + creal(z), b = cimag(z), part = x / (a * a + b * b), next = x * c - y * s;
        re += a * part;
        im -= b * part;
        y = x * s + y * c;
        x = next;
    }
    return cartesian(re, im) + tail(theta, theta * (K + shift), K + z);
}

// sum over all integers of e^{i k theta}/(k + z) = 2 pi i e^{-i theta z}/(1 - e^{-2 pi i z})
static double complex both_sides(double theta, double complex z) {
    double complex i = cartesian(0, 1);
    if (cimag(z) < 0) return -2 * pi * i * cexp(-i * theta * z) / jd_cexpm1(-2 * pi * i * z);
    return 2 * pi * i * cexp(i * (2 * pi - theta) * z) / jd_cexpm1(2 * pi * i * z);
}

// Left half-plane: all integers less those below 0, whose sum is one in the right half-plane.
double complex jd_lerch(double theta, double shift, double complex z) {
    if (creal(z) >= 0) return right_half(theta, shift, z);
    double complex E = cartesian(cos(shift * theta), sin(shift * theta));
    return (E * both_sides(theta, z) + conj(E) * both_sides(2 * pi - theta, z)) / 2 +
           right_half(theta, 1 - shift, 1 - z);
}

double complex jd_minus_digamma(double complex z) {
    double complex sum = 0, i = cartesian(0, 1);
    if (creal(z) < 0) { // psi(z) = psi(1 - z) - pi/tan(pi z)
        double complex up = cimag(z) < 0 ? -2 * pi * i * z : 2 * pi * i * z;
        double complex ratio = (2 + jd_cexpm1(up)) / jd_cexpm1(up); // cot = +-i (e + 1)/(e - 1)
        return jd_minus_digamma(1 - z) + pi * (cimag(z) < 0 ? -i : i) * ratio;
    }
    while (creal(z) < 12 || cabs(z) < 12) {
        sum += 1 / z;
        z += 1;
    }
    static const double b[] = {1.0 / 12,  -1.0 / 120,     1.0 / 252, -1.0 / 240,
                               1.0 / 132, -691.0 / 32760, 1.0 / 12};
    double complex w = 1 / (z * z), power = w, series = 0;
    for (int n = 0; n < 7; n++, power *= w) series += b[n] * power;
    return sum - (clog(z) - 1 / (2 * z) - series);
}
