// theta.c -- integrals of Jacobi's theta functions on the real line, by their modular transforms.
//   A_2 = sum_{n in Z} e^{i pi t (n-1/2)^2}/(n-1/2)^2,  A_3, A_4 = sum_{n != 0} (1 or (-1)^n)
//         e^{i pi t n^2}/n^2,   A_k' = i pi (theta_k(t) - [k != 2])
//   t + 1:  A_2 e^{i pi/4}, A_3 <-> A_4.     -1/t, from theta_k(t) = (-i t)^{-1/2} theta_l(-1/t),
//   l = 4, 3, 2 for k = 2, 3, 4, integrated from 0; w the squares (n-1/2)^2 or n^2 of A_l, P = -i
//   t:
//     A_k(t) = A_k(0) - i pi t [k != 2] - 2 pi sqrt(P) {[l != 2] + sum_{w>0} s e^{-q^2} [h(q) -
//              1/(2 q^2)]} - P^{3/2} A_l(-1/t),   q^2 = pi w/P,  h(q) = 1 - sqrt(pi) q e^{q^2}
//              erfc(q) = 1/(2 q^2) - 3/(4 q^4) + ...
//   The bracket leaves a sum that falls as n^-4. |t| <= 1/2 makes |P^{3/2}| < 0.36: the recursion,
//   a continued fraction of t, ends.          tested: undamped_cantilever_is_rough_but_known
#include "kernel/continua/theta.h"

#include <math.h>

#include "base/constants.h"
#include "kernel/cartesian.h"
#include "structure/continua/sine_cosine.h"

static const double pi = JD_PI;

enum { TERMS = 4000, LEVELS = 60 };

// Integer nearest to t, and t less it.
static double take_whole(jd_dd *t) {
    double whole = nearbyint(t->hi);
    *t = dd_sub(*t, dd(whole));
    return whole;
}

// e^{q^2} erf(q) sqrt(pi) = 2 q sum (2 q^2)^n/(2n+1)!!
static double complex by_series(double complex q2) {
    double complex q = csqrt(q2), term = 2 * q, sum = term, root = sqrt(pi) * q;
    for (int n = 1; n < 60; n++) sum += term *= 2 * q2 / (2 * n + 1);
    return 1 - root * cexp(q2) + q * sum;
}

// sqrt(pi) q e^{q^2} erfc(q) = 1/(1 + (1/2)/q^2/(1 + (2/2)/q^2/(1 + ...)))
static double complex by_fraction(double complex q2) {
    double size = hypot(creal(q2), cimag(q2));
    double complex tail = 1, v = 1 / (2 * q2);
    for (int n = (int)(12 + 700 / size); n > 0; n--) tail = 1 + n * v / tail;
    return (tail - 1) / tail;
}

// h(q) - 1/(2 q^2), q^2 = i y; far out the asymptotic series, v = 1/(2 i y), in pairs of terms
static double complex remainder_of(double y) {
    double complex q2 = cartesian(0, y);
    if (fabs(y) < 5) return by_series(q2) - 1 / (2 * q2);
    if (fabs(y) < 60) return by_fraction(q2) - 1 / (2 * q2);
    double u = 1 / (2 * y), even = 3 * u * u, odd = 5 * u * even, re = 0, im = 0;
    for (int n = 2; n < 14; n += 2) { // -3 v^2 + 15 v^3 - ..., v = -i u
        re += even;
        im += odd;
        even *= -(2 * n + 1) * (2 * n + 3) * u * u;
        odd *= -(2 * n + 3) * (2 * n + 5) * u * u;
        if (fabs(even) < 1e-17 * fabs(re)) break;
    }
    return cartesian(re, im);
}

// The sum over w > 0 of the dual lattice l, both signs of n; `weight`: what it counts for.
static double complex dual_rest(int l, double t, double weight) {
    double most = TERMS * cbrt(weight) + 4, turn = remainder(-1 / t, 2);
    double complex sum = 0;
    for (int n = (int)most; n > 0; n--) { // e^{-q^2} = e^{-i pi w/t}, -1/t reduced
        double m = l == 2 ? n - 0.5 : n, w = m * m, sign = l == 4 && n % 2 ? -2 : 2;
        double angle = l == 2 ? -w / t : w * turn; // whole squares may drop multiples of 2
        angle = pi * remainder(angle, 2);
        sum += sign * cartesian(cos(angle), sin(angle)) * remainder_of(pi * w / t);
    }
    return sum;
}

// A_k(t) = sum over levels of weight (what the level adds), weight *= -P^{3/2} phase.
static double complex theta_integral(int k, jd_dd t) {
    static const double at_zero[] = {
        [2] = 9.869604401089358, 3.2898681336964529, -1.6449340668482264};
    double complex sum = 0, weight = 1;
    for (int level = 0; level < LEVELS && cabs(weight) > 1e-17; level++) {
        double whole = take_whole(&t), x = t.hi, eighth = pi / 4 * fmod(whole, 8);
        if (k == 2)
            weight *= cartesian(cos(eighth), sin(eighth));
        else if (fmod(whole, 2) != 0)
            k = 7 - k;
        if (x == 0) return sum + weight * at_zero[k];
        int l = 6 - k;
        double side = x > 0 ? -1 : 1, size = sqrt(fabs(x)); // sqrt(-i x)
        double complex root =
            cartesian(size * 0x1.6a09e667f3bcdp-1, side * size * 0x1.6a09e667f3bcdp-1);
        double complex rest = (l != 2) + dual_rest(l, x, cabs(weight));
        sum += weight * (at_zero[k] - (k != 2 ? cartesian(0, pi * x) : 0) - 2 * pi * root * rest);
        weight *= -root * cartesian(0, -x);
        t = dd_div(dd(-1), t);
        k = l;
    }
    return sum;
}

double jd_theta_sines(jd_dd t) { return cimag(theta_integral(2, t)) / (2 * pi * pi); }
