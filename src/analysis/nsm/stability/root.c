// root.c -- roots of the scalar equation of the multipliers at one period.
//   All of them: with beta_j = sqrt(a_j), C = diag(c_j), S = diag(s_j/omega_j), Z = diag(-omega_j
//   s_j) and Q = 1 - beta beta', the mu and 1 are the eigenvalues of
//     Q C Q - Q S beta beta' + beta beta'(Z - kappa C) Q - beta beta'(C - kappa S) beta beta',
//   half the sum of the monodromy matrix and its inverse on the positions; no entry has a pole
//   where two c_j meet. Velocities are measured in the fastest omega.
#include <math.h>
#include <string.h>

#include "analysis/nsm/stability/secular.h"
#include "base/clones.h"
#include "linalg/general.h"

#define CLONES JD_CLONES("avx2")

static const int most_steps = 16; // of Newton's method

static void multiply(const double a[2], const double b[2], double out[2]) {
    double re = a[0] * b[0] - a[1] * b[1], im = a[0] * b[1] + a[1] * b[0];
    out[0] = re;
    out[1] = im;
}

static void divide(const double a[2], const double b[2], double out[2]) {
    double size = b[0] * b[0] + b[1] * b[1];
    double re = (a[0] * b[0] + a[1] * b[1]) / size, im = (a[1] * b[0] - a[0] * b[1]) / size;
    out[0] = re;
    out[1] = im;
}

// out += weight a b
static void gather(double out[2], double weight, const double a[2], const double b[2]) {
    double ab[2];
    multiply(a, b, ab);
    out[0] += weight * ab[0];
    out[1] += weight * ab[1];
}

// Sums over modes: A, H and B with two derivatives in mu, and in T; poles.
enum { SUM_A, SUM_B, SUM_H, SUM_AT, SUM_BT, SUM_HT, SUMS };
typedef struct sums {
    double at[SUMS][2], first[3][2], second[3][2]; // first, second: d/dmu of A, B, H
    double kappa, kappa_T;
} sums;

static void add_mode(sums *u, double o, double a, double b, double sine, double cosine,
                     const double q[2]) {
    const double weight[3] = {b * sine, a, a * o * sine};
    double q2[2], q3[2];
    multiply(q, q, q2);
    multiply(q2, q, q3);
    for (int c = 0; c < 2; c++) {
        for (int k = 0; k < 3; k++) {
            u->at[k][c] += weight[k] * q[c];
            u->first[k][c] -= weight[k] * q2[c];
            u->second[k][c] += 2 * weight[k] * q3[c];
        }
        double turn = cosine * q[c] - sine * sine * q2[c]; // d(s q)/d(omega T)
        u->at[SUM_AT][c] += b * o * turn;
        u->at[SUM_BT][c] -= a * o * sine * q2[c];
        u->at[SUM_HT][c] += a * o * o * turn;
    }
}

static void combine(const double z[2], const sums *u, nsm_secular *out) {
    double bend[2], BB[2], BB1[2], part[2];
    const double *A = u->at[SUM_A], *B = u->at[SUM_B], *B1 = u->first[1];
    const double rest[2] = {u->at[SUM_H][0] - u->kappa, u->at[SUM_H][1]},
                 rest_T[2] = {u->at[SUM_HT][0] - u->kappa_T, u->at[SUM_HT][1]};
    multiply(z, z, bend);
    bend[0] -= 1;
    multiply(B, B, BB);
    multiply(B, B1, BB1);
    gather(out->F, 1, A, rest);
    gather(out->F, 1, bend, BB);
    gather(out->Fz, 1, u->first[0], rest);
    gather(out->Fz, 1, A, u->first[2]);
    gather(out->Fz, 2, z, BB);
    gather(out->Fz, 2, bend, BB1);
    gather(out->FT, 1, u->at[SUM_AT], rest);
    gather(out->FT, 1, A, rest_T);
    multiply(bend, B, part);
    gather(out->FT, 2, part, u->at[SUM_BT]);
    gather(out->Fzz, 1, u->second[0], rest);
    gather(out->Fzz, 2, u->first[0], u->first[2]);
    gather(out->Fzz, 1, A, u->second[2]);
    for (int c = 0; c < 2; c++) out->Fzz[c] += 2 * BB[c];
    gather(out->Fzz, 8, z, BB1);
    gather(out->Fzz, 2, part, u->second[1]);
    multiply(bend, B1, part);
    gather(out->Fzz, 2, part, B1);
}

void jd_nsm_secular_at(const nsm_period *p, const double z[2], nsm_secular *out) {
    const jd_nsm *s = p->s;
    const double one[2] = {1, 0}, beyond[2] = {z[0] - 1, z[1]};
    sums u = {.kappa = 0};
    double q[2];
    *out = (nsm_secular){.F = {0}};
    for (int j = 0; j < s->modes.n; j++) {
        double o = s->modes.omega[j], a = s->modes.a[j], S = p->S[j], C = p->C[j];
        const double off[2] = {z[0] - p->c[j], z[1]};
        divide(one, off, q);
        add_mode(&u, o, a, s->modes.b[j], 2 * S * C, 1 - 2 * S * S, q);
        u.kappa += a * o * C / S;
        u.kappa_T -= a * o * o / (2 * S * S);
        for (int c = 0; c < 2; c++) out->log_slope[c] += q[c];
    }
    divide(one, beyond, q);
    for (int c = 0; c < 2; c++) out->log_slope[c] -= q[c];
    combine(z, &u, out);
}

// Sums for Newton's method over all modes: of q = 1/(z - c_j), with the weights b_j s_j, a_j,
// a_j omega_j s_j and 1, re and im; then of q^2 with the first three. Four lanes.
enum { NEWTON_SUMS = 14 };
CLONES static void newton_sums(int n, const double z[2], const double *restrict const list[4],
                               double out[NEWTON_SUMS]) {
    const double *restrict c = list[0], *restrict bs = list[1], *restrict a = list[2],
                           *restrict aos = list[3];
    double sum[NEWTON_SUMS][4] = {{0}}, y = -z[1], yy = z[1] * z[1];
    for (int j = 0; j < n; j += 4) // lists are padded to a multiple of 4 with weights 0
        for (int k = 0; k < 4; k++) {
            double x = z[0] - c[j + k], r = 1 / (x * x + yy), re = x * r, im = y * r,
                   re2 = re * re - im * im, im2 = 2 * re * im;
            double b = bs[j + k], e = a[j + k], o = aos[j + k];
            sum[0][k] += b * re;
            sum[1][k] += b * im;
            sum[2][k] += e * re;
            sum[3][k] += e * im;
            sum[4][k] += o * re;
            sum[5][k] += o * im;
            sum[6][k] += b * re2;
            sum[7][k] += b * im2;
            sum[8][k] += e * re2;
            sum[9][k] += e * im2;
            sum[10][k] += o * re2;
            sum[11][k] += o * im2;
            sum[12][k] += re;
            sum[13][k] += im;
        }
    for (int i = 0; i < NEWTON_SUMS; i++) out[i] = sum[i][0] + sum[i][1] + (sum[i][2] + sum[i][3]);
}

// F and the slope F' + F sum(..) of P.
static void newton_forms(const nsm_period *p, const double z[2], double F[2], double slope[2]) {
    const jd_nsm *s = p->s;
    const double *list[4] = {p->c, p->bs, p->a, p->aos}, one[2] = {1, 0},
                 beyond[2] = {z[0] - 1, z[1]};
    double u[NEWTON_SUMS], bend[2], BB[2], BB1[2], q[2];
    newton_sums(s->modes.n, z, list, u);
    int padding = (4 - s->modes.n % 4) % 4; // of the sums with weight 1: modes with c = 2
    const double far[2] = {z[0] - 2, z[1]}, *A = u, *B = u + 2,
                 rest[2] = {u[4] - p->kappa.re, u[5]};
    divide(one, far, q);
    double poles[2] = {u[12] - padding * q[0], u[13] - padding * q[1]};
    divide(one, beyond, q);
    poles[0] -= q[0];
    poles[1] -= q[1];
    multiply(z, z, bend);
    bend[0] -= 1;
    multiply(B, B, BB);
    multiply(B, u + 8, BB1);
    F[0] = F[1] = slope[0] = slope[1] = 0;
    gather(F, 1, A, rest);
    gather(F, 1, bend, BB);
    gather(slope, -1, u + 6, rest);
    gather(slope, -1, A, u + 10);
    gather(slope, 2, z, BB);
    gather(slope, -2, bend, BB1);
    gather(slope, 1, F, poles);
}

bool jd_nsm_secular_root(const nsm_period *p, double z[2]) {
    for (int i = 0; i < most_steps; i++) {
        double step[2], slope[2], F[2];
        newton_forms(p, z, F, slope);
        divide(F, slope, step);
        double size = sqrt(step[0] * step[0] + step[1] * step[1]), cut = fmin(1, 0.25 / size);
        if (!isfinite(size)) return false;
        for (int c = 0; c < 2; c++) z[c] -= cut * step[c];
        if (size > 1e-9 * (1 + fabs(z[0]) + fabs(z[1]))) continue;
        return true;
    }
    return false;
}

bool jd_nsm_secular_drift(const nsm_period *p, const double z[2], double drift[2]) {
    nsm_secular f;
    jd_nsm_secular_at(p, z, &f);
    divide(f.FT, f.Fz, drift);
    for (int c = 0; c < 2; c++) drift[c] = -drift[c];
    return isfinite(drift[0]) && isfinite(drift[1]);
}

static void fill_matrix(const jd_nsm *s, double T, double *M) {
    int n = s->modes.n;
    double *c = s->scratch, *p = c + n, *z = p + n, *beta = z + n, kappa = 0, sbb = 0, zbb = 0,
           unit = s->modes.fastest;
    for (int j = 0; j < n; j++) {
        double x = s->modes.omega[j] * T / 2;
        kappa += s->modes.a[j] * s->modes.omega[j] * cos(x) / sin(x);
    }
    for (int j = 0; j < n; j++) {
        double o = s->modes.omega[j], S = sin(o * T / 2), sine = 2 * S * cos(o * T / 2);
        beta[j] = sqrt(s->modes.a[j]);
        c[j] = 1 - 2 * S * S;
        p[j] = beta[j] * sine / o;
        z[j] = beta[j] * (-o * sine - kappa * c[j]);
        sbb += beta[j] * p[j];
        zbb += beta[j] * z[j];
    }
    double last = unit * sbb - zbb / unit + kappa * sbb;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            M[i * n + j] = (i == j ? c[i] : 0) + beta[i] * (z[j] / unit - c[j] * beta[j]) -
                           (c[i] * beta[i] + unit * p[i]) * beta[j] + last * beta[i] * beta[j];
}

jd_status jd_nsm_secular_roots(jd_nsm *s, double T, double *mu) {
    int n = s->modes.n, trivial = 0;
    jd_arena_mark mark = jd_arena_here(s->arena);
    double *M = JD_TAKE(s->arena, double, n *n);
    jd_status status = jd_arena_status(s->arena);
    if (status == JD_OK) {
        fill_matrix(s, T, M);
        status = jd_eigen_general(s->arena, n, M, mu);
    }
    jd_arena_back(s->arena, mark);
    if (status != JD_OK) return status;
    for (int i = 1; i < n; i++)
        if (hypot(mu[2 * i] - 1, mu[2 * i + 1]) < hypot(mu[2 * trivial] - 1, mu[2 * trivial + 1]))
            trivial = i;
    memmove(mu + 2 * trivial, mu + 2 * trivial + 2, (size_t)(2 * (n - 1 - trivial)) * sizeof *mu);
    return JD_OK;
}
