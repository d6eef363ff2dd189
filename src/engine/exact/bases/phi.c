// phi.c -- divided differences of the exponential function, for integrals of nearly resonant
// motion.
//   phi(x) = (e^x - 1)/x
//   phi[x, y] = sum_{n>=1} h_{n-1}(x, y)/(n+1)!,  h_n = x h_{n-1} + y^n       |x|, |y| < 1
//             = (e^y phi(x - y) - phi(y))/x                                   |x - y| < 1 <= |x|
//             = (phi(x) - phi(y))/(x - y)                                     else
//   int_0^1 |e^{xv} - 1|^2/|x|^2 dv = sum_{m>=2} D_m/(m+1)!,
//     D_m = ((x+x')^m - x^m - x'^m)/(x x'),  D_{m+1} = 2 Re(x) D_m + 2 Re x^{m-1}
//   M_m = int_0^1 v^m e^{xv} dv: upwards M_m = (e^x - m M_{m-1})/x while m <= |x|, downwards
//   M_{m-1} = (e^x - x M_m)/m from far above, where any start fades; neither grows errors.
//   Series where the quotients would cancel, quotients where not: an error of a few units in the
//   last place of 1/(1 + |x|).                tested: phi_is_right_near_and_far_from_its_limits
#include "engine/exact/bases/phi.h"

#include <math.h>

#include "engine/exact/exact.h"

enum { TERMS = 22 };  // 1/TERMS! < 1e-21
enum { FADING = 44 }; // steps from n + 2 |x| + FADING down to n, n >= |x|: less than 1e-19 is left

static double size2(jd_complex x) { return x.re * x.re + x.im * x.im; }
static jd_complex minus(jd_complex a, jd_complex b) {
    return (jd_complex){a.re - b.re, a.im - b.im};
}
static jd_complex exponential(jd_complex x) {
    double e = exp(x.re);
    return (jd_complex){e * cos(x.im), e * sin(x.im)};
}

jd_complex jd_phi(jd_complex x) {
    if (size2(x) >= 1) return over(minus(exponential(x), (jd_complex){1, 0}), x);
    jd_complex sum = {1, 0}; // 1 + x/2 (1 + x/3 (1 + ...))
    for (int n = TERMS; n >= 2; n--) {
        jd_complex product = times(x, sum);
        sum = (jd_complex){1 + product.re / n, product.im / n};
    }
    return sum;
}

static jd_complex difference_by_series(jd_complex x, jd_complex y) {
    jd_complex h = {1, 0}, power = {1, 0}, sum = {0, 0};
    double factor = 0.5; // 1/(n+1)!
    for (int n = 1; n < TERMS; n++) {
        sum.re += factor * h.re;
        sum.im += factor * h.im;
        power = times(power, y);
        h = times(h, x);
        h = (jd_complex){h.re + power.re, h.im + power.im};
        factor /= n + 2;
    }
    return sum;
}

jd_complex jd_phi_difference(jd_complex x, jd_complex y) {
    if (size2(x) < size2(y)) return jd_phi_difference(y, x);
    if (size2(x) < 1) return difference_by_series(x, y);
    jd_complex h = minus(x, y);
    if (size2(h) >= 1) return over(minus(jd_phi(x), jd_phi(y)), h);
    return over(minus(times(exponential(y), jd_phi(h)), jd_phi(y)), x);
}

double jd_phi_square(jd_complex x) {
    double r2 = size2(x), twice = 2 * x.re;
    if (r2 >= 1) return (jd_phi((jd_complex){twice, 0}).re - 2 * jd_phi(x).re + 1) / r2;
    double D = 2, sum = 0, factor = 1.0 / 6; // 1/(m+1)!
    jd_complex power = x;                    // x^(m-1)
    for (int m = 2; m < TERMS; m++) {
        sum += factor * D;
        D = twice * D + 2 * power.re;
        power = times(power, x);
        factor /= m + 2;
    }
    return sum;
}

void jd_phi_powers(jd_complex x, int n, jd_complex *out) {
    double size = sqrt(size2(x));
    jd_complex e = exponential(x);
    int m = 1;
    out[0] = jd_phi(x);
    for (; m < n && m <= size; m++)
        out[m] = over((jd_complex){e.re - m * out[m - 1].re, e.im - m * out[m - 1].im}, x);
    if (m >= n) return;
    int top = n + FADING + 2 * (int)size; // whatever stands there, little of it is left below
    jd_complex above = {e.re / (top + 1), e.im / (top + 1)};
    for (int k = top; k > m; k--) {
        jd_complex product = times(x, above);
        above = (jd_complex){(e.re - product.re) / k, (e.im - product.im) / k};
        if (k - 1 < n) out[k - 1] = above;
    }
}

void jd_phi_moments(jd_complex s, jd_complex z0, double t, int n, jd_complex *out) {
    double power = t;
    jd_phi_powers((jd_complex){s.re * t, s.im * t}, n, out);
    for (int m = 0; m < n; m++, power *= t) {
        jd_complex z = times(z0, out[m]);
        out[m] = (jd_complex){z.re * power, z.im * power};
    }
}

enum { HIGH = 24 }; // powers of a, |a| < 1, in the series below: 1/HIGH! < 2e-24

void jd_phi_power_differences(jd_complex a, jd_complex x, int n, jd_complex *out) {
    jd_complex M[2 * HIGH], N[2 * HIGH];
    bool near = size2(a) < 1;
    jd_phi_powers(x, near ? n + HIGH : n, M);
    if (!near) jd_phi_powers((jd_complex){x.re + a.re, x.im + a.im}, n, N);
    for (int m = 0; m < n; m++) {
        jd_complex sum = {0, 0}, power = {1, 0}; // a^i/(i+1)!
        if (!near) {
            out[m] = over(minus(N[m], M[m]), a);
            continue;
        }
        for (int i = 0; i < HIGH - 1; i++) {
            jd_complex part = times(power, M[m + i + 1]);
            sum = (jd_complex){sum.re + part.re, sum.im + part.im};
            power = times(power, a);
            power = (jd_complex){power.re / (i + 2), power.im / (i + 2)};
        }
        out[m] = sum;
    }
}

jd_complex jd_phi_mixed(jd_complex a, jd_complex b, jd_complex x) {
    if (size2(a) < size2(b)) return jd_phi_mixed(b, a, x);
    jd_complex xa = {x.re + a.re, x.im + a.im}, xb = {x.re + b.re, x.im + b.im},
               xab = {xa.re + b.re, xa.im + b.im};
    if (size2(a) >= 1) return over(minus(jd_phi_difference(xab, xa), jd_phi_difference(xb, x)), a);
    jd_complex M[HIGH + 3], sum = {0, 0}, p[HIGH], q[HIGH]; // a^i/(i+1)!, b^i/(i+1)!
    jd_phi_powers(x, HIGH + 3, M);
    p[0] = q[0] = (jd_complex){1, 0};
    for (int i = 1; i < HIGH; i++) {
        p[i] = times(p[i - 1], a), q[i] = times(q[i - 1], b);
        p[i] = (jd_complex){p[i].re / (i + 1), p[i].im / (i + 1)};
        q[i] = (jd_complex){q[i].re / (i + 1), q[i].im / (i + 1)};
    }
    for (int n = 0; n < HIGH; n++)
        for (int i = 0; i <= n; i++) {
            jd_complex part = times(times(p[i], q[n - i]), M[n + 2]);
            sum = (jd_complex){sum.re + part.re, sum.im + part.im};
        }
    return sum;
}
