// zero_of_w.c -- w(T) close to a period whose sines are known, and the zero of w between two poles.
//   sin and cos of omega_j T/2 follow from those at a reference by the angle x = omega_j (T -
//   T_ref) /2, |x| <= 1/4, with polynomials good to 2e-16: no call per mode, so that the loop runs
//   in vectors. The gaps between poles of a structure of many modes are short: every step of a
//   search is close to its middle.
#include <math.h>

#include "analysis/nsm/nsm.h"
#include "base/clones.h"

#define CLONES JD_CLONES("avx2")

static const double near = 0.25;

static void refer(jd_nsm *s, double T) {
    s->reference.T = T;
    for (int j = 0; j < s->modes.n; j++) {
        s->reference.sine[j] = sin(s->modes.omega[j] * T / 2);
        s->reference.cosine[j] = cos(s->modes.omega[j] * T / 2);
    }
}

// Terms of w and of its slope: b cot, -a/(2 sin^2).
CLONES static void terms(int n, double half, const double *restrict omega, const double *restrict a,
                         const double *restrict b, const double *restrict S,
                         const double *restrict C, double *restrict w, double *restrict d) {
    for (int j = 0; j < n; j++) {
        double x = omega[j] * half, x2 = x * x;
        double cs =
            1 -
            x2 / 2 * (1 - x2 / 12 * (1 - x2 / 30 * (1 - x2 / 56 * (1 - x2 / 90 * (1 - x2 / 132)))));
        double sn =
            x * (1 - x2 / 6 * (1 - x2 / 20 * (1 - x2 / 42 * (1 - x2 / 72 * (1 - x2 / 110)))));
        double turned = S[j] * cs + C[j] * sn, r = 1 / turned;
        w[j] = b[j] * (C[j] * cs - S[j] * sn) * r;
        d[j] = -0.5 * a[j] * r * r;
    }
}

static double total(int n, const double *x) {
    double sum[4] = {0};
    int j = 0;
    for (; j + 4 <= n; j += 4)
        for (int k = 0; k < 4; k++) sum[k] += x[j + k];
    for (; j < n; j++) sum[0] += x[j];
    return sum[0] + sum[1] + (sum[2] + sum[3]);
}

static double w_near(jd_nsm *s, double T, double *slope) {
    double half = (T - s->reference.T) / 2, *w = s->scratch, *d = s->scratch + s->modes.n;
    if (!(fabs(half) * s->modes.fastest <= near)) return jd_nsm_w(s, T, slope);
    terms(s->modes.n, half, s->modes.omega, s->modes.a, s->modes.b, s->reference.sine,
          s->reference.cosine, w, d);
    *slope = total(s->modes.n, d);
    return total(s->modes.n, w);
}

// Where z (alpha/x - beta/(L - x)) + c vanishes in (0, L), z and c so that value and slope at x are
// w and `slope`.
static double rational_step(double x, double L, double w, double slope, double alpha, double beta) {
    double y = L - x, z = -slope / (alpha / (x * x) + beta / (y * y));
    alpha *= z;
    beta *= z;
    double c = w - alpha / x + beta / y, B = alpha + beta - c * L;
    return 2 * alpha * L / (B + sqrt(B * B + 4 * c * alpha * L));
}

// w falls from +inf to -inf between poles; their weights are 2 a_j/omega_j^2. Steps match value and
// slope by a sum of the two poles (as one solves secular equations), kept in their bracket; the
// last one is Newton's with true sines.
double jd_nsm_zero_of_w(jd_nsm *s, double low, double high, double alpha, double beta) {
    double L = high - low, left = 0, right = L, x = L / 2, slope, w;
    if (L * s->modes.fastest / 4 <= near)
        refer(s, low + x);
    else
        s->reference.T = HUGE_VAL;
    for (int i = 0; i < 100; i++) {
        w = w_near(s, low + x, &slope);
        if (w > 0)
            left = x;
        else
            right = x;
        double next = rational_step(x, L, w, slope, alpha, beta), last = x;
        if (!(next > left && next < right)) next = (left + right) / 2;
        x = next;
        if (fabs(x - last) <= 1e-7 * fmin(x, L - x)) break; // quadratic: 1e-14 now
    }
    double T = low + x;
    w = jd_nsm_w(s, T, &slope);
    double next = T - w / slope;
    return next > low && next < high ? next : T;
}
