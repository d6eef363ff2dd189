// beam.c -- kernels of an Euler-Bernoulli beam with all its modes, damping ratio D the same for
// all.
//   omega_k = beta_k^2 c/L^2, c = sqrt(EI/rho) [m^2/s], poles -a omega_k, a = D -/+ sqrt(D^2 - 1)
//   Sums over modes until e^{-D omega tau} is below rounding; what has settled by then is known:
//   the static deflection, and the limit of its second integral. At a free end, where n_k^2 =
//   4/(rho L) and beta_k is (k - 1/2) pi but for a dozen modes: near tau = 0 Poisson's dual series
//     sum_{k>=1} (1 - e^{-b beta^2})/beta^2 = [2 sqrt(pi b) + 2 sum_m (-1)^m F_m]/(2 pi), b = a c
//     tau/L^2 F_m = 2 sqrt(pi b) e^{-q^2} - 2 pi m erfc(q) = 2 sqrt(pi b) e^{-q^2} [1/(2 q^2) -
//     3/(4 q^4) + ...], q = m/sqrt(b).    Its first term is the start: G ~ sqrt(8/(pi (1 + D)))
//     sqrt(tau)/(rho sqrt(c)).            Rate: sum e^{-b beta^2} = [1/2 + sum (-1)^m
//     e^{-q^2}]/sqrt(pi b)
//   and for D = 0, where no mode decays, at all times the transforms of theta.h. An undamped beam
//   seen from elsewhere is cut off at mode 20000, about 3e-8 of the scale of G.
#include <math.h>

#include "base/constants.h"
#include "kernel/continua/continua.h"
#include "kernel/continua/theta.h"
#include "kernel/family.h"
#include "structure/continua/beam_modes.h"
#include "structure/continua/sine_cosine.h"

static const double pi = JD_PI;

enum { MOST = 400000, INTEGRALS = 4096, CORRECTED = 12, DUAL = 4000 };

static double unit_time(const jd_family *f) { return f->length * f->length / f->speed; }

double jd_beam_unit(const jd_family *f) { return 1 / unit_time(f); }

double jd_beam_omega(const jd_family *f, int k) {
    if (k < f->n) return f->omega[k];
    jd_beam_mode m = jd_beam_mode_of(f->left, f->right, k);
    double beta = dd_value(jd_beam_root(&m));
    return beta * beta / unit_time(f);
}

// (omega_1/omega)^2, omega_1 the lowest frequency above 0
static double gentle_share(const jd_family *f, double omega) {
    int k = 0;
    while (jd_beam_omega(f, k) == 0) k++;
    double ratio = omega > 0 ? jd_beam_omega(f, k) / omega : 0;
    return ratio * ratio;
}

double jd_beam_row(const jd_family *f, int k, int place) {
    const jd_family_place *p = &f->place[place];
    if (k < f->n) return p->row ? p->row[k] : 0;
    jd_beam_mode m = jd_beam_mode_of(f->left, f->right, k);
    double sum = 0;
    for (int e = 0; e < p->n; e++)
        sum += p->point[e].sign * jd_beam_shape(&m, p->point[e].x, f->length, 1).hi;
    if (p->gentle) sum *= gentle_share(f, jd_beam_omega(f, k));
    return sum / sqrt(f->density * f->length);
}

// Modes until e^{-D omega tau} is gone.
static int modes_needed(const jd_family *f, double tau) {
    double x = f->ratio * tau / unit_time(f);
    if (f->ratio > 1) // the slow root
        x /= f->ratio * (f->ratio + sqrt((f->ratio - 1) * (f->ratio + 1)));
    if (x <= 0) return f->n;
    double K = sqrt(42 / x) / pi + 4;
    return K < MOST ? (int)K : MOST;
}

static double direct(const jd_family *f, int order, double tau, int K, int i, int j) {
    double sum = 0, value[4];
    for (int k = 0; k < K; k++) {
        double n = jd_beam_row(f, k, i) * jd_beam_row(f, k, j);
        if (n == 0) continue;
        double w = jd_beam_omega(f, k);
        jd_mode_orders(w, 2 * f->ratio * w, tau, value);
        sum += n * value[order + 1];
    }
    return sum;
}

// What integrals have left to go: u - 1/w^2 = -(g' + c g)/w^2, and its own integral less its limit
// -c/w^4; both die with the modes.
static double unsettled(const jd_family *f, int order, double tau, int K, int i, int j) {
    const double *a = f->place[i].row, *b = f->place[j].row;
    double sum = 0, value[4];
    for (int k = 0; k < K; k++) {
        double n = a[k] * b[k], w = f->omega[k], c = 2 * f->ratio * w, w2 = w * w;
        if (n == 0) continue;
        jd_mode_orders(w, c, tau, value);
        double u = -(value[0] + c * value[1]) / w2;
        sum += n * (order == 1 ? u : -(value[1] + c * u) / w2);
    }
    return sum;
}

// Both places are one point each at the same free end, the other end clamped or free.
static bool dual_serves(const jd_family *f, double tau, int i, int j) {
    const jd_family_place *a = &f->place[i], *b = &f->place[j];
    if (a->n != 1 || b->n != 1 || a->point[0].x != b->point[0].x) return false;
    double x = a->point[0].x;
    int here = x == 0 ? f->left : x == f->length ? f->right : -1;
    int there = x == 0 ? f->right : f->left;
    return here == JD_FREE && (there == JD_FREE || there == JD_CLAMPED) &&
           (f->ratio == 0 || tau < 0.02 * unit_time(f));
}

// 1 - sqrt(pi) q e^{q^2} erfc(q) = 1/(2 q^2) - 3/(4 q^4) + ..., v = 1/(2 q^2); |v| < 1/100 here
static double complex tail_series(double complex v) {
    double complex term = v, sum = v;
    for (int n = 2; n < 40; n++) {
        double complex next = -term * (2 * n - 1) * v;
        if (cabs(next) > cabs(term) || cabs(next) < 1e-18 * cabs(sum)) break;
        sum += term = next;
    }
    return sum;
}

static int dual_terms(double complex b, double damping) {
    double most = sqrt(42 * cabs(b) / damping) + 1;
    return most < DUAL ? (int)most + 1 : DUAL;
}

// sum_{k>=1} e^{-b beta^2} on the lattice (k - 1/2) pi
static double complex dual_rate(double complex b, double damping) {
    double complex sum = 0.5;
    for (int m = dual_terms(b, damping); m > 0; m--)
        sum += (m % 2 ? -1 : 1) * cexp(-m * (double)m / b);
    return sum / csqrt(pi * b);
}

// sum_{k>=1} (1 - e^{-b beta^2})/beta^2 on the lattice (k - 1/2) pi
static double complex dual_sum(double complex b, double damping) {
    double complex root = csqrt(b), scale = 2 * sqrt(pi) * root, sum = scale;
    int M = dual_terms(b, damping);
    for (int m = 1; m <= M; m++) {
        double complex q2 = m * (double)m / b;
        sum += (m % 2 ? -2 : 2) * scale * cexp(-q2) * tail_series(1 / (2 * q2));
    }
    return sum / (2 * pi);
}

static int rigid_modes(const jd_family *f) {
    int n = 0;
    while (n < 3 && f->omega[n] == 0) n++;
    return n;
}

// Sum over the whole lattice (k - 1/2) pi, unit time: of g (order 0) or g' (order -1).
static double lattice(double D, int order, double t) {
    if (D == 0) return jd_theta_sines(dd_scale(jd_pi, t));
    double r = sqrt(fabs((1 - D) * (1 + D))), damping = D < 1 ? D : 1; // Re 1/a
    double complex a0 = D < 1 ? cartesian(D, -r) : cartesian(1 / (D + r), 0);
    double complex a1 = D < 1 ? cartesian(D, r) : cartesian(D + r, 0);
    double complex d = order == 0
                           ? dual_sum(a0 * t, damping) - dual_sum(a1 * t, damping)
                           : a0 * dual_rate(a0 * t, damping) - a1 * dual_rate(a1 * t, damping);
    return -creal(d / (a1 - a0));
}

static double dual(const jd_family *f, int order, double tau, int i, int j) {
    double D = f->ratio, T = unit_time(f), value[4], sum = 0;
    int rigid = rigid_modes(f), free_free = f->left == f->right;
    for (int k = 0; k < rigid + CORRECTED; k++) {
        double w = jd_beam_omega(f, k);
        jd_mode_orders(w, 2 * D * w, tau, value);
        sum += value[order + 1] * jd_beam_row(f, k, i) * jd_beam_row(f, k, j);
    }
    double end =
        4 * f->place[i].point[0].sign * f->place[j].point[0].sign / (f->density * f->length);
    for (int k = 1; k <= CORRECTED + free_free; k++) {
        double beta = (k - 0.5) * pi, w = beta * beta / T;
        jd_mode_orders(w, 2 * D * w, tau, value);
        sum -= end * value[order + 1];
    }
    return sum + end * (order == 0 ? T : 1) * lattice(D, order, tau / T);
}

double jd_beam_average(const jd_family *f, int i, int j) {
    const jd_family_place *a = &f->place[i], *b = &f->place[j];
    double sum = 0;
    if (b->gentle) return 0;
    for (int p = 0; p < a->n; p++)
        for (int q = 0; q < b->n; q++) {
            double x = a->point[p].x;
            if (x != b->point[q].x) continue;
            int end = x == 0 ? f->left : x == f->length ? f->right : -1;
            double share = end == JD_FREE ? 4 : end == JD_GUIDED ? 2 : end < 0 ? 1 : 0;
            sum += share * a->point[p].sign * b->point[q].sign;
        }
    return sum / (f->density * f->length);
}

double jd_beam_left(const jd_family *f, int K, int i) {
    double left = 0, all = 0;
    for (int k = f->n - 1; k >= 0; k--) {
        double n = jd_beam_row(f, k, i), w = jd_beam_omega(f, k);
        if (w == 0) continue;
        if (k >= K) left += n * n / w;
        all += n * n / w;
    }
    // beyond the table: n^2 <= 4/(rho L), omega >= ((k - 1) pi)^2 in unit time
    double rest = 4 / (f->density * f->length) * unit_time(f) / (pi * pi * (f->n - 2));
    return (left + rest) / all;
}

double jd_beam_start(const jd_family *f, int i, int j) {
    double whole = f->length / sqrt(f->speed) * sqrt(8 / (pi * (1 + f->ratio)));
    return jd_beam_average(f, i, j) * whole / 4;
}

// Deflection at x under a unit force at y, EI = L = 1: cubic + (x - y)^3/6 for x > y.
static double green(int left, int right, double x, double y) {
    static const int zero[5][2] = {[JD_FREE] = {2, 3},
                                   [JD_FIXED] = {0, 1},
                                   [JD_CLAMPED] = {0, 1},
                                   [JD_PINNED] = {0, 2},
                                   [JD_GUIDED] = {1, 3}};
    double u = 1 - y, load[4] = {u * u * u / 6, u * u / 2, u, 1}, A[2][2], b[2], c[4] = {0};
    int open[2], n = 0;
    for (int p = 0; p < 4; p++)
        if (p != zero[left][0] && p != zero[left][1]) open[n++] = p;
    for (int e = 0; e < 2; e++) {
        int d = zero[right][e]; // this derivative vanishes at x = 1
        for (int k = 0; k < 2; k++) {
            double factor = 1;
            for (int l = 0; l < d; l++) factor *= open[k] - l;
            A[e][k] = factor;
        }
        b[e] = -load[d];
    }
    double det = A[0][0] * A[1][1] - A[0][1] * A[1][0];
    if (det == 0) return (double)NAN;
    c[open[0]] = (b[0] * A[1][1] - A[0][1] * b[1]) / det;
    c[open[1]] = (A[0][0] * b[1] - b[0] * A[1][0]) / det;
    double over = x > y ? x - y : 0;
    return c[0] + x * (c[1] + x * (c[2] + x * c[3])) + over * over * over / 6;
}

double jd_beam_static(const jd_family *f, int i, int j) {
    const jd_family_place *a = &f->place[i], *b = &f->place[j];
    double sum = 0, L = f->length;
    if (b->gentle) { // terms fall as omega^-4
        for (int k = f->n - 1; k >= 0; k--)
            if (f->omega[k] > 0)
                sum += jd_beam_row(f, k, i) * jd_beam_row(f, k, j) / (f->omega[k] * f->omega[k]);
        return sum;
    }
    for (int p = 0; p < a->n; p++)
        for (int q = 0; q < b->n; q++)
            sum += a->point[p].sign * b->point[q].sign *
                   green(f->left, f->right, a->point[p].x / L, b->point[q].x / L);
    return sum * L * L * L / f->stiffness;
}

double jd_beam_value(const jd_family *f, int order, double tau, int i, int j) {
    if (!f->place[i].n || !f->place[j].n || (tau == 0 && order >= 0)) return 0;
    if (order == -1 && (f->ratio == 0 || tau == 0)) return (double)NAN; // not differentiable
    if (order <= 0 && dual_serves(f, tau, i, j)) return dual(f, order, tau, i, j);
    int K = modes_needed(f, tau);
    if (order <= 0) return direct(f, order, tau, K, i, j);
    double rest = jd_beam_static(f, i, j);
    // modes above INTEGRALS hold less than 1e-12 of the static deflection
    if (K > INTEGRALS || !isfinite(rest)) return direct(f, order, tau, INTEGRALS, i, j);
    double limit = order == 1 ? rest : -f->settled[i * f->n_place + j];
    return limit + unsettled(f, order, tau, K, i, j);
}

double complex jd_beam_beyond(const jd_family *f, double complex s, double from) {
    double D = f->ratio, unit = jd_beam_unit(f), r = sqrt(fabs((1 - D) * (1 + D)));
    double complex root = D < 1 ? cartesian(0, r) : cartesian(r, 0), x = s / unit;
    double complex p = x * (D + root), q = x * (D - root), a = csqrt(p), b = csqrt(q);
    return (catan(b / from) / b - catan(a / from) / a) * x / (p - q) / (pi * unit);
}

// 1/(s^2 + c s + w^2) = 1/w^2 - 2 D s/w^3 + O(w^-4): what is left converges as k^-6, and modes
// beyond the table are an integral over their mean.
double complex jd_beam_transfer(const jd_family *f, double complex s, int i, int j) {
    if (!f->place[i].n || !f->place[j].n) return 0;
    double statics = jd_beam_static(f, i, j), D = f->ratio;
    bool held = isfinite(statics);
    double complex sum = held ? statics : 0, rest = 0;
    for (int k = 0; k < f->n; k++) {
        double w = f->omega[k], n = jd_beam_row(f, k, i) * jd_beam_row(f, k, j);
        double complex full = 1 / (s * s + 2 * D * w * s + w * w);
        // full - 1/w^2, without cancellation
        sum += n * (held ? -s * (s + 2 * D * w) / (w * w) * full : full);
    }
    if (D > 0) {
        double unit = jd_beam_unit(f), from = sqrt(f->omega[f->n - 1] / unit) + pi / 2;
        rest = jd_beam_beyond(f, s, from);
        if (held) rest -= s / (3 * pi * unit * unit * from * from * from);
    }
    return s * sum + jd_beam_average(f, i, j) * rest;
}
