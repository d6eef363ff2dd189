// rayleigh.c -- kernels of all modes with Rayleigh damping, c_k = a + b omega_k^2, b > 0.
//   s^2 + (a + b omega^2) s + omega^2 = (1 + b s)(p^2 + omega^2),  p^2 = (s^2 + a s)/(1 + b s):
//     Ghat(s) = s/((1 + b s) p) Ghat_0(p),  Ghat_0 the undamped one, in closed form
//   From omega = 2/b on modes are overdamped, with poles that gather at -1/b and others that fall
//   as -b omega^2: nothing is left of sharp fronts. Ghat_0 = gamma_0 (string, rod) and
//   k_0 Gamma(3/2) p^{-1/2} (beam) for large p, so that G starts as
//     gamma_0 2 sqrt(tau/(pi b)),   k_0 Gamma(3/2)/Gamma(7/4) b^{-1/4} tau^{3/4}
//   In time: sums over modes until e^{-b omega^2 tau} is gone; from there on every order is a
//   series in 1/omega^2, taken from three modes far up and summed by Ghat_0(i/b) b/i, i = 1, 2, 3
//   (string, rod). A beam's modes fall as omega^-2 ~ k^-4 by themselves.        tested:
//   rayleigh_kernels_are_those_of_many_modes
#include <math.h>

#include "base/constants.h"
#include "kernel/continua/continua.h"
#include "kernel/family.h"

static const double pi = JD_PI;

enum { BASIS = 3, FEWEST = 400, MOST = 400000, BEAM_MODES = 4096 };

static double complex undamped(const jd_family *f, double complex p, int i, int j) {
    return f->kind == JD_FAMILY_WAVE ? jd_wave_transfer(f, p, i, j) : jd_beam_transfer(f, p, i, j);
}

double complex jd_rayleigh_transfer(const jd_family *f, double complex s, int i, int j) {
    if (s == 0) return 0;
    double complex one = 1 + f->slope * s, p = csqrt(s * (s + f->mass) / one);
    return s / (one * p) * undamped(f, p, i, j);
}

double jd_rayleigh_start(const jd_family *f, int i, int j) {
    if (f->kind == JD_FAMILY_WAVE) return jd_wave_start(f, i, j) * 2 / sqrt(pi * f->slope);
    return jd_beam_start(f, i, j) * tgamma(1.5) / tgamma(1.75) * pow(f->slope, -0.25);
}

double jd_rayleigh_ratio(const jd_family *f) {
    int k = jd_family_omega(f, 0) == 0;
    double omega = fmax(jd_family_omega(f, k), sqrt(f->mass / f->slope)); // where it is least
    return f->mass / (2 * omega) + f->slope * omega / 2;
}

// Modes one by one: fast poles have faded, and 1/(b omega)^2 is small.
static int modes_needed(const jd_family *f, double tau) {
    if (f->kind == JD_FAMILY_BEAM) return BEAM_MODES;
    double omega = fmax(60 / f->slope, sqrt(40 / (f->slope * tau)));
    double K = omega * f->length / (pi * f->speed) + FEWEST;
    return K < MOST ? (int)K : MOST;
}

static double order_of(const jd_family *f, double omega, int order, double tau) {
    double value[4];
    jd_mode_orders(omega, f->mass + f->slope * omega * omega, tau, value);
    return value[order + 1];
}

// What the modes from K on add: an order as A_i/(omega^2 + i^2/b^2), i = 1, 2, 3, at three
// frequencies, times left[i] = sum of n n/(omega^2 + i^2/b^2) over those modes.
static double tail(const jd_family *f, double omega, int order, double tau, const double *left) {
    double M[BASIS][BASIS + 1], b2 = f->slope * f->slope;
    for (int r = 0; r < BASIS; r++, omega *= 2) {
        double x = b2 * omega * omega;
        for (int i = 0; i < BASIS; i++) M[r][i] = x / (x + (i + 1) * (i + 1));
        M[r][BASIS] = x * order_of(f, omega, order, tau);
    }
    for (int c = 0; c < BASIS; c++) // the rows differ little, and none is small
        for (int r = 0; r < BASIS; r++) {
            double factor = r == c ? 0 : M[r][c] / M[c][c];
            for (int i = c; i <= BASIS; i++) M[r][i] -= factor * M[c][i];
        }
    double sum = 0;
    for (int i = 0; i < BASIS; i++) sum += M[i][BASIS] / M[i][i] * left[i];
    return sum / b2;
}

double jd_rayleigh_value(const jd_family *f, int order, double tau, int i, int j) {
    if (!f->place[i].n || !f->place[j].n || (tau == 0 && order >= 0)) return 0;
    if (tau == 0) return (double)NAN; // not differentiable
    int K = modes_needed(f, tau);
    double sum = 0, left[BASIS];
    for (int q = 0; q < BASIS; q++)
        left[q] = creal(undamped(f, (q + 1) / f->slope, i, j)) * f->slope / (q + 1);
    for (int k = 0; k < K; k++) {
        double n = jd_family_row(f, k, i) * jd_family_row(f, k, j), w = jd_family_omega(f, k);
        if (n == 0) continue;
        sum += n * order_of(f, w, order, tau);
        for (int q = 0; q < BASIS; q++)
            left[q] -= n / (w * w + (q + 1) * (q + 1) / (f->slope * f->slope));
    }
    if (f->kind == JD_FAMILY_BEAM) return sum;
    return sum + tail(f, jd_family_omega(f, K), order, tau, left);
}
