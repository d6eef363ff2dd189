// sustained.c -- matrices and amplitudes of orbits that rest on the stop for a while.
//   |Omega^-1 Q Sigma|^2 = 1 + c sum (r_k/sigma_k)^2, as Omega^2 = Q Sigma^2 Q' + what B adds; and
//   |Omega Q Sigma^-1| = 1.
#include "structure/nonsmooth/sustained.h"

#include <math.h>
#include <string.h>

#include "linalg/least_squares.h"
#include "structure/stuck/secular.h"

enum { HELD_IN_TURN = 40 }; // amplitudes held at 1 in turn: of slow modes, which always take part

static jd_status take(jd_arena *arena, int n, jd_sustained *x) {
    *x = (jd_sustained){.n = n};
    x->omega = JD_TAKE(arena, double, n);
    x->row = JD_TAKE(arena, double, n);
    x->sigma = JD_TAKE(arena, double, n);
    x->reaction = JD_TAKE(arena, double, n);
    x->Q = JD_TAKE(arena, double, (size_t)n *(size_t)n);
    x->sine = JD_TAKE(arena, double, 2 * n);
    x->turn = JD_TAKE(arena, double, 2 * n);
    return jd_arena_status(arena);
}

static void finish(jd_sustained *x, const jd_dd *omega2, const jd_dd *row, const jd_dd *root,
                   const jd_dd *Q) {
    int n = x->n, m = n - 1;
    double G = 0, pull = 0;
    for (int j = 0; j < n; j++) {
        x->omega[j] = dd_value(dd_sqrt(omega2[j]));
        x->row[j] = dd_value(row[j]);
        G += x->row[j] * x->row[j];
        x->compliance += x->row[j] * x->row[j] / dd_value(omega2[j]);
    }
    x->mass = 1 / G;
    for (int k = 0; k < m; k++) {
        jd_dd r = dd(0);
        x->sigma[k] = dd_value(dd_sqrt(root[k]));
        for (int j = 0; j < n; j++) {
            r = dd_add(r, dd_mul(dd_mul(row[j], omega2[j]), Q[j * m + k]));
            x->Q[j * m + k] = dd_value(Q[j * m + k]);
        }
        x->reaction[k] = x->mass * dd_value(r);
        pull += pow(x->reaction[k] / x->sigma[k], 2);
    }
    x->steep = sqrt(1 + x->compliance * pull);
}

jd_status jd_sustained_create(jd_arena *arena, int n, const jd_dd *omega2, const jd_dd *row,
                              jd_sustained *out) {
    JD_TRY(take(arena, n, out));
    jd_arena_mark here = jd_arena_here(arena);
    jd_dd *root = JD_TAKE(arena, jd_dd, n), *Q = JD_TAKE(arena, jd_dd, (size_t)n * (size_t)n);
    jd_status status = jd_arena_status(arena);
    if (status == JD_OK) status = jd_secular(arena, n, omega2, row, root, Q);
    if (status == JD_OK) finish(out, omega2, row, root, Q);
    jd_arena_back(arena, here);
    return status;
}

void jd_sustained_look(const jd_sustained *x, double h, double s, double *H, double *Hh,
                       double *Hs) {
    int n = x->n, m = n - 1;
    double *sine = x->sine, *cosine = sine + n, *held_sine = x->turn, *held_cosine = held_sine + n;
    for (int j = 0; j < n; j++) {
        sine[j] = sin(x->omega[j] * h);
        cosine[j] = cos(x->omega[j] * h);
    }
    for (int k = 0; k < m; k++) {
        held_sine[k] = sin(x->sigma[k] * s);
        held_cosine[k] = cos(x->sigma[k] * s);
    }
    for (int j = 0; j < n; j++) {
        const double *Q = x->Q + j * m;
        double o = x->omega[j], S = sine[j], C = cosine[j];
        for (int k = 0; k < m; k++) {
            double p = x->sigma[k], Sk = held_sine[k], Ck = held_cosine[k];
            H[j * m + k] = Q[k] * (S * Ck / o + C * Sk / p);
            if (Hh) Hh[j * m + k] = Q[k] * (C * Ck - o * S * Sk / p);
            if (Hs) Hs[j * m + k] = Q[k] * (C * Ck - p * S * Sk / o);
        }
    }
}

// R that belongs to z: -sum r_k z_k cos(sigma_k s)/sigma_k^2.
static double hold(const jd_sustained *x, double s, const double *z) {
    double R = 0;
    for (int k = 0; k < x->n - 1; k++)
        R -= x->reaction[k] * z[k] * cos(x->sigma[k] * s) / (x->sigma[k] * x->sigma[k]);
    return R;
}

// At touch-down, t = h: q_j = B_j R/omega_j^2 + sum Q_jk eta_k = sum Q_jk z_k cos(sigma_k s)/
// omega_j^2, q_j' = sum Q_jk z_k sin(sigma_k s)/sigma_k; A_j = q_j cos(omega_j h) - q_j'
// sin(omega_j h)/omega_j.
void jd_sustained_flight(const jd_sustained *x, double h, double s, const double *z, double *A) {
    int m = x->n - 1;
    for (int j = 0; j < x->n; j++) {
        double o = x->omega[j], q = 0, v = 0;
        for (int k = 0; k < m; k++) {
            q += x->Q[j * m + k] * z[k] * cos(x->sigma[k] * s);
            v += x->Q[j * m + k] * z[k] * sin(x->sigma[k] * s) / x->sigma[k];
        }
        A[j] = q / (o * o) * cos(o * h) - v / o * sin(o * h);
    }
}

// Least |H z| with z_p = 1, by QR of the other columns; into z. Returns |H z|/|z|.
static jd_status least(jd_arena *arena, const jd_sustained *x, const double *H, int p, double *z,
                       double *ratio) {
    int n = x->n, m = n - 1, at = 0;
    double sum = 0, size = 0;
    jd_arena_mark here = jd_arena_here(arena);
    double *A = JD_TAKE(arena, double, (size_t)n *(size_t)n), *b = JD_TAKE(arena, double, n);
    jd_status status = jd_arena_status(arena);
    for (int k = 0; status == JD_OK && k < m; k++)
        for (int j = 0; j < n; j++) {
            if (k == p)
                b[j] = -H[j * m + p];
            else
                A[(k - (k > p)) * n + j] = H[j * m + k];
        }
    if (status == JD_OK && m > 1) status = jd_least_squares(arena, n, m - 1, 1, A, b, 1e-14);
    for (int k = 0; status == JD_OK && k < m; k++) z[k] = k == p ? 1 : b[at++];
    jd_arena_back(arena, here);
    if (status != JD_OK) return status;
    for (int j = 0; j < n; j++) {
        double f = 0;
        for (int k = 0; k < m; k++) f += H[j * m + k] * z[k];
        sum += f * f;
    }
    for (int k = 0; k < m; k++) size += z[k] * z[k];
    *ratio = sqrt(sum / size);
    return JD_OK;
}

jd_status jd_sustained_solve(jd_arena *arena, const jd_sustained *x, double h, double s, double gap,
                             double *z, double *residual) {
    int n = x->n, m = n - 1;
    double fastest = 0, best = HUGE_VAL;
    jd_arena_mark here = jd_arena_here(arena);
    double *H = JD_TAKE(arena, double, (size_t)n *(size_t)n), *trial = JD_TAKE(arena, double, n);
    jd_status status = jd_arena_status(arena);
    if (status == JD_OK) jd_sustained_look(x, h, s, H, NULL, NULL);
    for (int p = 0; status == JD_OK && p < m && p < HELD_IN_TURN; p++) {
        double ratio;
        status = least(arena, x, H, p, trial, &ratio);
        if (status != JD_OK || !(ratio < best)) continue;
        best = ratio;
        memcpy(z, trial, (size_t)m * sizeof *z);
    }
    jd_arena_back(arena, here);
    if (status != JD_OK) return status;
    for (int j = 0; j < n; j++) fastest = fmax(fastest, x->omega[j]);
    double scale = gap / (x->compliance * hold(x, s, z));
    for (int k = 0; k < m; k++) z[k] *= scale;
    *residual = best * fastest;
    return JD_OK;
}
