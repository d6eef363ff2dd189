// wave.c -- kernels of a string or rod with all its modes, damping ratio D the same for all.
//   n_ik n_jk = 1/(rho L) [cos kappa_k (x - y) -/+ cos kappa_k (x + y)]  (- from a fixed left end)
//   kappa_k = pi k/L or pi (k - 1/2)/L,  omega = c kappa,  poles -a omega, a = D -/+ sqrt(D^2 - 1)
//   order m of G:  [(-a1)^{-m} S_{m+1}(a1) - (-a2)^{-m} S_{m+1}(a2)]/(a2 - a1),
//     S_s(a) = sum_k cos(kappa_k X) e^{-a c kappa_k tau}/(c kappa_k)^s:  polylogarithms
//   X = 0 makes the jump gamma = arccos(D)/(pi sqrt(1 - D^2) rho c);  1/(2 rho c) for D = 0.
//   Velocity per force: 1/((w + s a1)(w + s a2)) in partial fractions, Lerch sums; D = 0:
//   hyperbolic.
#include <math.h>

#include "base/constants.h"
#include "kernel/continua/continua.h"
#include "kernel/continua/polylog.h"
#include "kernel/family.h"

static const double pi = JD_PI;

static bool half(const jd_family *f) { return f->left != f->right; }
static double parity(const jd_family *f) { return f->left == JD_FREE ? 1 : -1; }
static bool has_rigid(const jd_family *f) { return f->left == JD_FREE && f->right == JD_FREE; }

static void roots(double D, double complex a[2]) {
    double r = sqrt(fabs((1 - D) * (1 + D)));
    a[0] =
        D < 1 ? cartesian(D, -r) : cartesian(1 / (D + r), 0); // D - sqrt(D^2 - 1), no cancellation
    a[1] = D < 1 ? cartesian(D, r) : cartesian(D + r, 0);
}

double jd_wave_omega(const jd_family *f, int k) {
    double first = half(f) ? 0.5 : has_rigid(f) ? 0 : 1;
    return pi * (first + k) * f->speed / f->length;
}

// sin or cos of pi t, t reduced exactly.
static double turn(double t, bool cosine) {
    double u = remainder(t, 2);
    if (cosine) return fabs(u) == 0.5 ? 0 : cos(pi * u);
    return u == floor(u) ? 0 : sin(pi * u);
}

// omega_1 L/(pi c): half waves of the lowest mode that is no rigid-body motion.
static double first_turn(const jd_family *f) { return half(f) ? 0.5 : 1; }

// Forces in balance push no rigid-body mode, not even by rounding.
static double whole(const jd_family_place *p, double sum) {
    double size = 0;
    for (int e = 0; e < p->n; e++) size += fabs(p->point[e].sign);
    return fabs(sum) < 1e-12 * size ? 0 : sum;
}

double jd_wave_row(const jd_family *f, int k, int place) {
    const jd_family_place *p = &f->place[place];
    double m = half(f) ? k + 0.5 : has_rigid(f) ? k : k + 1.0, sum = 0;
    for (int e = 0; e < p->n; e++)
        sum += p->point[e].sign * turn(m * (p->point[e].x / f->length), f->left == JD_FREE);
    if (m == 0) sum = whole(p, sum);
    if (p->gentle) sum *= m > 0 ? first_turn(f) / m * (first_turn(f) / m) : 0;
    return sum * sqrt((m > 0 ? 2 : 1) / (f->density * f->length));
}

// X brought to [-L, L] by images at 2 L, each of which may turn the sign. True where X = 0 is left:
// the term that is singular at tau = 0.
static bool singular(const jd_family *f, double *X, double *sign) {
    double q = nearbyint(*X / (2 * f->length));
    *sign = half(f) && fmod(q, 2) != 0 ? -1 : 1;
    *X = remainder(*X, 2 * f->length);
    if (fabs(*X) < 4e-16 * f->length) *X = 0;
    return *X == 0;
}

// S_s(a) (c pi/L)^s: mean over +X and -X.
static double complex lattice_sum(const jd_family *f, int s, double complex a, double tau,
                                  double X) {
    double unit = pi / f->length;
    double complex decay = -a * (unit * f->speed * tau), sum = 0;
    for (int side = -1; side <= 1; side += 2) {
        double complex mu = decay + cartesian(0, side * unit * X);
        sum += half(f) ? jd_polylog_half(s, mu) : jd_polylog(s, mu);
    }
    return sum / 2;
}

// G' of the singular term: the pole 1/mu drops out between the two roots.
static double complex singular_rate(const jd_family *f, double complex a, double tau) {
    double complex mu = -a * (pi / f->length * f->speed * tau);
    if (!half(f)) return jd_polylog_regular(mu);
    // e^{mu/2}/(1 - e^mu) = Li_0(e^{mu/2}) - Li_0(e^mu): poles -2/mu + 1/mu
    return jd_polylog_regular(mu / 2) - jd_polylog_regular(mu);
}

static double term(const jd_family *f, int order, double tau, double X) {
    double complex a[2], value[2];
    double sign, scale = pow(f->length / (pi * f->speed), order + 1);
    roots(f->ratio, a);
    bool on = singular(f, &X, &sign);
    for (int q = 0; q < 2; q++) {
        double complex power = order == -1  ? -a[q]
                               : order == 0 ? 1
                               : order == 1 ? -1 / a[q]
                                            : 1 / (a[q] * a[q]);
        value[q] = power * (on && order == -1 ? singular_rate(f, a[q], tau)
                                              : lattice_sum(f, order + 1, a[q], tau, X));
    }
    return sign * scale * creal((value[0] - value[1]) / (a[1] - a[0]));
}

// Sum over the points of two places: f(x - y) + parity f(x + y).
typedef double (*pair_term)(const jd_family *f, int order, double tau, double X);
static double over_points(const jd_family *f, pair_term t, int order, double tau, int i, int j) {
    const jd_family_place *a = &f->place[i], *b = &f->place[j];
    double sum = 0;
    for (int p = 0; p < a->n; p++)
        for (int q = 0; q < b->n; q++) {
            double x = a->point[p].x, y = b->point[q].x;
            sum += a->point[p].sign * b->point[q].sign *
                   (t(f, order, tau, x - y) + parity(f) * t(f, order, tau, x + y));
        }
    return sum / (f->density * f->length);
}

static double rigid_part(const jd_family *f, int order, double tau, int i, int j) {
    double value[4];
    jd_mode_orders(0, 0, tau, value);
    return jd_wave_row(f, 0, i) * jd_wave_row(f, 0, j) * value[order + 1];
}

static double jump_term(const jd_family *f, int order, double tau, double X) {
    (void)order, (void)tau;
    double sign, D = f->ratio, r = sqrt(fabs((1 - D) * (1 + D)));
    if (!singular(f, &X, &sign)) return 0;
    return sign * (D < 1 ? acos(D) : acosh(D)) / r * f->length / (pi * f->speed);
}

double jd_wave_start(const jd_family *f, int i, int j) {
    if (f->place[j].gentle) return 0;
    return over_points(f, jump_term, 0, 0, i, j);
}

double jd_wave_static(const jd_family *f, int i, int j) {
    if (f->place[j].gentle) return (double)NAN; // not wanted anywhere
    double rigid = has_rigid(f) ? jd_wave_row(f, 0, i) * jd_wave_row(f, 0, j) : 0;
    return rigid != 0 ? (double)NAN : -over_points(f, term, 1, 0, i, j);
}

double jd_wave_value(const jd_family *f, int order, double tau, int i, int j) {
    if (!f->place[i].n || !f->place[j].n) return 0;
    if (f->place[j].gentle) return (double)NAN; // not wanted anywhere
    if (tau == 0 && order == 0) return jd_wave_start(f, i, j);
    if (order == -1 && f->ratio == 0) return 0; // delays alone
    double sum = over_points(f, term, order, tau, i, j);
    if (order > 0) sum -= over_points(f, term, order, 0, i, j);
    return has_rigid(f) ? sum + rigid_part(f, order, tau, i, j) : sum;
}

// sum_k cos(kappa_k X)/(kappa_k + z), up to what cancels between the two roots
static double complex fraction_sum(const jd_family *f, double X, double complex z) {
    double unit = pi / f->length, shift = half(f) ? 0.5 : 1, sign;
    double complex u = z / unit + shift;
    if (singular(f, &X, &sign)) return sign * jd_minus_digamma(u) / unit;
    return sign * jd_lerch(unit * fabs(X), shift, u) / unit;
}

// sum_k cos(kappa_k X)/(kappa_k^2 + l^2), 0 <= X <= 2 L, of the undamped lattice
static double complex hyperbolic(const jd_family *f, double X, double complex l) {
    double L = f->length, rest = L - fabs(X);
    if (creal(l) < 0) l = -l;
    // e^{-l(L - |rest|)} (1 +/- e^{-2 l |rest|})/(1 -/+ e^{-2 l L}): cosh/sinh, or sinh/cosh
    double complex lead = cexp(-l * (L - fabs(rest))), tail = cexp(-2 * l * fabs(rest));
    if (half(f))
        return copysign(1, rest) * L * lead * (1 - tail) / (2 * l * (1 + cexp(-2 * l * L)));
    return L * lead * (1 + tail) / (-2 * l * jd_cexpm1(-2 * l * L)) - 1 / (2 * l * l);
}

static double complex transfer_term(const jd_family *f, double complex s, double X) {
    double c = f->speed;
    if (f->ratio == 0) return s * hyperbolic(f, X, s / c) / (c * c);
    double complex a[2];
    roots(f->ratio, a);
    return (fraction_sum(f, X, s * a[0] / c) - fraction_sum(f, X, s * a[1] / c)) /
           (c * (a[1] - a[0]));
}

// sum_k cos(kappa_k X)/omega_k^4, a polynomial: C(x) = sum cos(k x)/k^4
static double fourth_term(const jd_family *f, int order, double tau, double X) {
    (void)order, (void)tau;
    double sign, unit = f->length / (pi * f->speed), scale = unit * unit * unit * unit, c[2];
    singular(f, &X, &sign);
    for (int i = 0; i < 2; i++) { // at x and, for modes at odd multiples of 1/2, at x/2
        double x = pi * fabs(X) / f->length / (i ? 2 : 1);
        c[i] = pi * pi * pi * pi / 90 - x * x * (pi * pi / 12 - x * (pi / 12 - x / 48));
    }
    return sign * scale * (half(f) ? 16 * c[1] - c[0] : c[0]);
}

static double complex transfer_of(const jd_family *f, double complex s, int i, int j,
                                  double complex (*t)(const jd_family *, double complex, double)) {
    const jd_family_place *a = &f->place[i], *b = &f->place[j];
    double complex sum = 0;
    for (int p = 0; p < a->n; p++)
        for (int q = 0; q < b->n; q++) {
            double x = a->point[p].x, y = b->point[q].x;
            sum +=
                a->point[p].sign * b->point[q].sign * (t(f, s, x - y) + parity(f) * t(f, s, x + y));
        }
    return sum / (f->density * f->length);
}

// s/(omega^2 (s^2 + c s + omega^2)) in partial fractions of omega, times omega_1^2.
static double complex gentle_term(const jd_family *f, double complex s, double X) {
    double c = f->speed, first = pi * first_turn(f) * c / f->length;
    double second = -term(f, 1, 0, X); // sum cos/omega^2
    double complex a[2];
    if (f->ratio == 0) return first * first / s * (second - hyperbolic(f, X, s / c) / (c * c));
    roots(f->ratio, a);
    double complex p = s * a[0], q = s * a[1], s2 = s * s;
    double complex B = -(p + q) / (s2 * s2), C = 1 / (p * p * (q - p)), E = 1 / (q * q * (p - q));
    double complex sum =
        B * fraction_sum(f, X, 0) + C * fraction_sum(f, X, p / c) + E * fraction_sum(f, X, q / c);
    return first * first * s * (second / s2 + sum / c);
}

// The same for |s| of the lowest frequencies, where the fractions cancel: less 1/omega^4, whose sum
// is known, the terms fall as omega^-5.
static double complex gentle_sum(const jd_family *f, double complex s, int i, int j) {
    enum { MODES = 600 };
    double first = pi * first_turn(f) * f->speed / f->length;
    double complex sum = first * first * over_points(f, fourth_term, 0, 0, i, j);
    for (int k = has_rigid(f); k < MODES; k++) {
        double w = jd_wave_omega(f, k), n = jd_wave_row(f, k, i) * jd_wave_row(f, k, j);
        double complex own = s * (s + 2 * f->ratio * w);
        sum -= n * own / (w * w * (own + w * w));
    }
    return s * sum;
}

double complex jd_wave_transfer(const jd_family *f, double complex s, int i, int j) {
    if (f->place[j].gentle) {
        bool low = cabs(s) < 3 * pi * first_turn(f) * f->speed / f->length;
        return low ? gentle_sum(f, s, i, j) : transfer_of(f, s, i, j, gentle_term);
    }
    if (s == 0) return has_rigid(f) ? cartesian(HUGE_VAL, 0) : 0;
    double complex sum = transfer_of(f, s, i, j, transfer_term);
    if (has_rigid(f)) sum += jd_wave_row(f, 0, i) * jd_wave_row(f, 0, j) / s;
    return sum;
}
