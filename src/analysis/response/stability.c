// stability.c -- Floquet multipliers of a forced response.
//   z_k'' + 2 beta a s z_k' + a^2 s^2 z_k = -b_k(t) dp,  dp = sum 2 j^2 q_j z_j
//   The coefficients repeat after half a period: the whole is the half twice. Each step: half a
//   turn of every oscillator with s constant, the kick, the other half turn; second order and
//   symmetric, so the maps with n and 2n steps give the fourth order: (4 P_2n - P_n)/3.
//   kappa adds the multiplier e^(-sigma T), always inside. Of more than 32 modes the higher ones
//   answer statically: a^2 s^2 z_k = -b_k dp, so dp = sum_(j <= 32) 2 j^2 q_j z_j/(1 + x),
//   x = sum_(k > 32) 2 k^2 q_k b_k/(a s)^2.
#include <math.h>
#include <string.h>

#include "analysis/response/response.h"
#include "base/clones.h"
#include "base/constants.h"
#include "linalg/general.h"

#define CLONES JD_CLONES("avx2")

static const double pi = JD_PI;
enum { MOVING = 32 }; // modes whose inertia counts

static int moving(const jd_stretched *m) { return m->n < MOVING ? m->n : MOVING; }

// The oscillators over time h with s constant: (z_k, z_k') by 2 x 2 matrices, 4 numbers each. The
// k-th turns and decays by the k-th power of what the first does.
static void turn(const jd_stretched *m, double s, double h, double *T) {
    double w1 = pi * m->c * s, root = sqrt(1 - m->beta * m->beta), e = exp(-m->beta * w1 * h),
           re1 = e * cos(w1 * root * h), im1 = e * sin(w1 * root * h), re = 1, im = 0;
    for (int k = 0; k < moving(m); k++, T += 4) {
        double w = (k + 1) * w1, d = m->beta * w, next = re * re1 - im * im1;
        im = re * im1 + im * re1;
        re = next;
        double si = im / (w * root);
        T[0] = re + d * si;
        T[1] = si;
        T[2] = -w * w * si;
        T[3] = re - d * si;
    }
}

// T = after before, mode by mode.
static void join(int n, const double *after, const double *before, double *T) {
    for (int k = 0; k < n; k++, after += 4, before += 4, T += 4) {
        T[0] = after[0] * before[0] + after[1] * before[2];
        T[1] = after[0] * before[1] + after[1] * before[3];
        T[2] = after[2] * before[0] + after[3] * before[2];
        T[3] = after[2] * before[1] + after[3] * before[3];
    }
}

// One pass over rows z_k, z_k' (2k, 2k + 1) of P: the last kick z_k' -= g_k dp, the turn, and what
// the next kick needs, next = sum row_k z_k.
CLONES static void pass(int n, const double *restrict T, const double *restrict g,
                        const double *restrict row, const double *restrict dp,
                        double *restrict next, double *restrict P) {
    int N = 2 * n;
    memset(next, 0, (size_t)N * sizeof *next);
    for (int k = 0; k < n; k++) {
        double a = T[4 * k], b = T[4 * k + 1], c = T[4 * k + 2], d = T[4 * k + 3], kick = g[k],
               weight = row[k], *restrict x = P + 2 * k * N, *restrict y = x + N;
        for (int j = 0; j < N; j++) {
            double z = x[j], v = y[j] - kick * dp[j], u = a * z + b * v;
            x[j] = u;
            y[j] = c * z + d * v;
            next[j] += weight * u;
        }
    }
}

// q, b_k and s at theta.
static double coefficients(response *r, const response_point *at, double theta) {
    const jd_stretched *m = &r->string;
    double p = 0, w = at->omega, *first = r->floquet.kick;
    jd_response_look(r, at, theta, r->floquet.row, first);
    for (int k = 0; k < m->n; k++) p += (k + 1.0) * (k + 1) * r->floquet.row[k] * r->floquet.row[k];
    double s = sqrt(1 + m->g * p), E[3];
    jd_response_wave(r, &(response_place){s, w, sin(theta), cos(theta)}, E);
    for (int k = 0; k < m->n; k++) {
        double a = (k + 1) * pi * m->c, q = r->floquet.row[k];
        r->floquet.kick[k] = m->beta * a * w * m->g / s * first[k] + a * a * m->g * q;
        r->floquet.row[k] = 2.0 * (k + 1) * (k + 1) * q;
    }
    double rest = 1;
    for (int k = moving(m); k < m->n; k++) {
        double a = (k + 1) * pi * m->c * s;
        rest += r->floquet.row[k] * r->floquet.kick[k] / (a * a);
    }
    for (int k = 0; k < moving(m); k++) r->floquet.row[k] /= rest;
    r->floquet.kick[0] -= m->g / (2 * s) * E[1] * r->force / m->S[0];
    return s;
}

// The second half turn of a step and the first of the next are one.
static void half_map(response *r, const response_point *at, int steps, double *P) {
    int n = moving(&r->string), N = 2 * n;
    double h = pi / at->omega / steps, *T = r->floquet.work, *now = T + 4 * n, *last = now + 4 * n,
           *g = last + 4 * n, *dp = g + n, *next = dp + N, *keep;
    memset(P, 0, (size_t)(N * N) * sizeof *P);
    memset(g, 0, (size_t)(n + N) * sizeof *g); // no kick before the first: g and dp
    for (int i = 0; i < N; i++) P[i * N + i] = 1;
    for (int i = 0; i < steps; i++) {
        double s = coefficients(r, at, pi * (i + 0.5) / steps);
        turn(&r->string, s, h / 2, now);
        if (i) join(n, now, last, T);
        pass(n, i ? T : now, g, r->floquet.row, dp, next, P);
        for (int k = 0; k < n; k++) g[k] = h * r->floquet.kick[k];
        keep = dp, dp = next, next = keep;
        keep = last, last = now, now = keep;
    }
    pass(n, last, g, r->floquet.row, dp, next, P);
}

// P_n, P_2n -> the fourth order.
static void refine(int size, const double *coarse, double *fine) {
    for (int i = 0; i < size; i++) fine[i] = (4 * fine[i] - coarse[i]) / 3;
}

// Eigenvalues of a 2 x 2 matrix, the larger first.
static void pair_of(const double *P, double *value) {
    double half = (P[0] + P[3]) / 2, det = P[0] * P[3] - P[1] * P[2], d = half * half - det;
    if (d < 0) {
        value[0] = value[2] = half;
        value[1] = sqrt(-d);
        value[3] = -value[1];
        return;
    }
    value[0] = half + copysign(sqrt(d), half);
    value[2] = det / value[0];
    value[1] = value[3] = 0;
}

jd_status jd_response_stability(response *r, response_point *at, double largest[2], int *unstable) {
    int n = r->string.n, few = moving(&r->string), N = 2 * few;
    double top = 1;
    jd_arena_mark mark = jd_arena_here(r->arena);
    for (int i = 0; i < STAGES * jd_response_elements(at); i++) top = fmax(top, r->points.s[i]);
    int steps = (int)fmax(24, 0.6 * few * pi * r->string.c * top * pi / at->omega);
    if (r->string.full && steps < 2 * STAGES * jd_response_elements(at))
        steps = 2 * STAGES * jd_response_elements(at); // the memory is not smooth like the motion
    half_map(r, at, steps, r->floquet.P1);
    half_map(r, at, 2 * steps, r->floquet.P);
    refine(N * N, r->floquet.P1, r->floquet.P);
    if (n == 1) {
        pair_of(r->floquet.P, r->floquet.multiplier);
    } else {
        JD_TRY(jd_eigen_general(r->arena, N, r->floquet.P, r->floquet.multiplier));
        jd_arena_back(r->arena, mark);
    }
    *unstable = 0;
    for (int i = 0; i < N; i++) { // the whole period: squares
        double re = r->floquet.multiplier[2 * i], im = r->floquet.multiplier[2 * i + 1];
        r->floquet.multiplier[2 * i] = re * re - im * im;
        r->floquet.multiplier[2 * i + 1] = 2 * re * im;
        *unstable += re * re + im * im > 1 + 1e-9;
    }
    largest[0] = r->floquet.multiplier[0];
    largest[1] = r->floquet.multiplier[1];
    return JD_OK;
}
