// nsm_stability.c -- stability along a branch from a scalar equation, for any number of modes.
//   Multipliers come as lambda + 1/lambda = 2 mu with A (H - kappa) + (mu^2 - 1) B^2 = 0,
//   A = sum b_j s_j/(mu - c_j), B = sum a_j/(mu - c_j), H = sum a_j omega_j s_j/(mu - c_j),
//   c_j = cos omega_j T, s_j = sin omega_j T, kappa = sum a_j omega_j cot(omega_j T/2).
//   Its double poles cancel and mu = 1 (shift along the orbit) divides out:
//     G(mu) = sum rho_j/(mu - c_j) = 0,  sum rho_j = 1,      N - 1 roots.
//   Stable: all mu real in [-1, 1]. All rho_j > 0 proves it (roots interlace the c_j).
//   Fold: G(1) = 0; flip: G(-1) = 0; else two mu collide and leave the real line (Krein).
//   Guarantee: sampled adaptively where two mu that may collide, or a mu and +-1, come close;
//   windows of instability wider than 1e-6 of the branch are found, narrower ones when their
//   approach is seen.
#include <math.h>
#include <string.h>

#include "analysis/nsm.h"
#include "base/clones.h"
#include "linalg/general.h"

static const double two_pi = 6.283185307179586;
static const double imaginary = 1e-7; // a double root in doubles scatters by sqrt(eps)
enum { DEPTH = 6, CHANGES = 512 };
static const double nudge[] = {1e-9, 1e-7, 1e-5}; // of T
static const int few = 16; // modes up to which a dense eigenproblem is as quick as counting

static const int many = 40; // modes from which windows of stability are looked for less closely

#define CLONES JD_CLONES("avx2")

typedef struct look {
    double T;
    bool stable;
    double danger; // smallest distance in mu that could be the start of an instability
    int missing;   // roots that are not real and in [-1, 1], where they were counted
    double at[2];  // G(1), G(-1)
} look;

// The pairs of mode j with all after it: 1/(c_j - c_i) = 1/(2 (h_i - h_j)), h = sin^2(omega T/2),
// which keeps its digits where both c are close to 1, serves both of its modes. Sums x/(..),
// y/(..), z/(..) of mode j are returned, those of the others added to their lists.
CLONES static void add_pairs(int n, double at, const double *restrict h, const double mine[3],
                             double *restrict const list[6], double out[3]) {
    const double *restrict x = list[0], *restrict y = list[1], *restrict z = list[2];
    double *restrict X = list[3], *restrict Y = list[4], *restrict Z = list[5];
    double p[4] = {0}, q[4] = {0}, r[4] = {0}, a = mine[0], b = mine[1], e = mine[2];
    int i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++) {
            double d = 0.5 / (h[i + k] - at);
            p[k] += x[i + k] * d;
            q[k] += y[i + k] * d;
            r[k] += z[i + k] * d;
            X[i + k] -= a * d;
            Y[i + k] -= b * d;
            Z[i + k] -= e * d;
        }
    for (; i < n; i++) {
        double d = 0.5 / (h[i] - at);
        p[0] += x[i] * d;
        q[0] += y[i] * d;
        r[0] += z[i] * d;
        X[i] -= a * d;
        Y[i] -= b * d;
        Z[i] -= e * d;
    }
    out[0] = p[0] + p[1] + (p[2] + p[3]);
    out[1] = q[0] + q[1] + (q[2] + q[3]);
    out[2] = r[0] + r[1] + (r[2] + r[3]);
}

// rho_j at period T, and c_j.
static void residues(const jd_nsm *s, double T, double *rho, double *c) {
    int n = s->n;
    double kappa = 0, *sn = s->scratch + 2 * n, *bs = sn + n, *aos = bs + n, *A = aos + n,
           *B = A + n, *H = B + n, *h = H + n;
    for (int j = 0; j < n; j++) { // from the half angle: 1 - c has no cancellation
        double S = sin(s->omega[j] * T / 2), C = cos(s->omega[j] * T / 2);
        h[j] = S * S;
        c[j] = 1 - 2 * h[j];
        sn[j] = 2 * S * C;
        kappa += s->a[j] * s->omega[j] * C / S;
        bs[j] = s->b[j] * sn[j];
        aos[j] = s->a[j] * s->omega[j] * sn[j];
        A[j] = B[j] = H[j] = 0;
        rho[j] = 1 / (2 * S * S);
    }
    for (int j = 0; j < n; j++) { // A, B, H of each mode without itself
        int k = j + 1;
        double sum[3], mine[3] = {bs[j], s->a[j], aos[j]};
        double *const list[6] = {bs + k, s->a + k, aos + k, A + k, B + k, H + k};
        add_pairs(n - k, h[j], h + k, mine, list, sum);
        A[j] += sum[0];
        B[j] += sum[1];
        H[j] += sum[2];
    }
    for (int j = 0; j < n; j++)
        rho[j] *= -(bs[j] * (H[j] - kappa) + aos[j] * A[j] + 2 * c[j] * s->a[j] * s->a[j] -
                    2 * sn[j] * sn[j] * s->a[j] * B[j]);
}

static bool all_positive(int n, const double *rho) {
    for (int j = 0; j < n; j++)
        if (!(rho[j] > 0)) return false;
    return true;
}

// sum rho_j = 1 holds as far as the c_j are apart.
static bool sound(int n, const double *rho) {
    double sum = 0;
    for (int j = 0; j < n; j++) sum += rho[j];
    return fabs(sum - 1) < 1e-6;
}

// Is there a c_j between x and y? Roots with one between them cannot collide.
static bool separated(int n, const double *c, double x, double y) {
    for (int j = 0; j < n; j++)
        if ((c[j] - x) * (c[j] - y) < 0) return true;
    return false;
}

// Distances that could close: between neighbours without a pole between, and to +-1.
static double danger_of(int n, const double *c, const double *mu) {
    double least = HUGE_VAL;
    for (int i = 0; i < n; i++) {
        least = fmin(least, fmin(1 - mu[2 * i], 1 + mu[2 * i]));
        for (int k = 0; k < i; k++)
            if (!separated(n + 1, c, mu[2 * i], mu[2 * k]))
                least = fmin(least, fabs(mu[2 * i] - mu[2 * k]));
    }
    return least;
}

// All n - 1 roots of G by a dense eigenproblem, re and im of each in mu (room for n): (I - e rho')
// diag(c) has them, and 0.
static jd_status dense_roots(jd_nsm *s, const double *rho, const double *c, double *mu) {
    int n = s->n, zero = 0;
    jd_arena_mark mark = jd_arena_here(s->arena);
    double *M = JD_TAKE(s->arena, double, n *n);
    jd_status status = jd_arena_status(s->arena);
    for (int i = 0; status == JD_OK && i < n * n; i++)
        M[i] = ((i / n == i % n) - rho[i % n]) * c[i % n];
    if (status == JD_OK) status = jd_eigen_general(s->arena, n, M, mu);
    jd_arena_back(s->arena, mark);
    if (status != JD_OK) return status;
    for (int i = 1; i < n; i++)
        if (hypot(mu[2 * i], mu[2 * i + 1]) < hypot(mu[2 * zero], mu[2 * zero + 1])) zero = i;
    memmove(mu + 2 * zero, mu + 2 * zero + 2, (size_t)(2 * (n - 1 - zero)) * sizeof *mu);
    return JD_OK;
}

static jd_status look_dense(jd_nsm *s, const double *rho, const double *c, look *out) {
    int n = s->n;
    jd_arena_mark mark = jd_arena_here(s->arena);
    double *mu = JD_TAKE(s->arena, double, 2 * n), offence = 0;
    jd_status status = jd_arena_status(s->arena);
    if (status == JD_OK) status = dense_roots(s, rho, c, mu);
    for (int i = 0; status == JD_OK && i < n - 1; i++) {
        offence = fmax(offence, fmax(fabs(mu[2 * i + 1]), fabs(mu[2 * i]) - 1));
        if (fabs(mu[2 * i + 1]) > imaginary || fabs(mu[2 * i]) > 1) out->stable = false;
    }
    if (status == JD_OK) out->danger = out->stable ? danger_of(n - 1, c, mu) : offence;
    jd_arena_back(s->arena, mark);
    return status;
}

// rho_j and c_j where the c_j do not fall together (always somewhere in a resonant structure): a
// look close by serves.
static void sound_residues(jd_nsm *s, double T, double *rho, double *c) {
    residues(s, T, rho, c);
    for (int i = 0; i < 3 && !sound(s->n, rho); i++) residues(s, T * (1 - nudge[i]), rho, c);
}

int jd_nsm_modes(const jd_nsm *s) { return s->n; }

// lambda = mu + sqrt(mu^2 - 1); real mu in [-1, 1]: on the unit circle.
jd_status jd_nsm_multipliers(jd_nsm *s, double omega, double *value) {
    int n = s->n;
    double *rho = s->scratch, *c = s->scratch + n, *mu = value + 2 * n;
    sound_residues(s, two_pi / omega, rho, c);
    if (n > 1) JD_TRY(dense_roots(s, rho, c, mu));
    for (int i = 0; i < n - 1; i++) { // in place: pair i is written from mu number i >= i/2
        double x = mu[2 * i], y = mu[2 * i + 1];
        double re = x * x - y * y - 1, im = 2 * x * y, size = sqrt(hypot(re, im)),
               half = atan2(im, re) / 2;
        double lambda[2] = {x + size * cos(half), y + size * sin(half)};
        double square = lambda[0] * lambda[0] + lambda[1] * lambda[1];
        value[4 * i] = lambda[0];
        value[4 * i + 1] = lambda[1];
        value[4 * i + 2] = lambda[0] / square;
        value[4 * i + 3] = -lambda[1] / square;
    }
    value[4 * n - 4] = value[4 * n - 2] = 1;
    value[4 * n - 3] = value[4 * n - 1] = 0;
    return JD_OK;
}

static jd_status look_at(jd_nsm *s, double T, look *out) {
    int n = s->n;
    double *rho = s->scratch, *c = s->scratch + n;
    sound_residues(s, T, rho, c);
    *out = (look){.T = T, .stable = true, .danger = HUGE_VAL};
    for (int j = 0; j < n; j++) {
        out->at[0] += rho[j] / (1 - c[j]);
        out->at[1] += rho[j] / (-1 - c[j]);
    }
    if (n == 1) return JD_OK;
    if (all_positive(n, rho)) { // real and inside; only the ends of the interval can be near
        out->danger = 1;
        return JD_OK;
    }
    if (n <= few) return look_dense(s, rho, c, out);
    nsm_count count;
    for (int j = 0; j < n; j++) s->term[j] = (nsm_term){c[j], rho[j]};
    nsm_count_roots(n, s->term, &count);
    if (count.missing == 2 && !count.proved) return look_dense(s, rho, c, out);
    out->stable = !count.unstable;
    out->missing = count.missing;
    out->danger = out->stable ? fmin(2 * count.pair, count.end) : count.offence;
    return JD_OK;
}

typedef struct changes {
    int n;
    double T[CHANGES];
    jd_nsm_change kind[CHANGES];
} changes;

// The change of stability between two looks, by bisection.
static jd_status locate(jd_nsm *s, look a, look b, changes *out) {
    while (fabs(b.T - a.T) > 4e-16 * a.T) {
        look m;
        JD_TRY(look_at(s, (a.T + b.T) / 2, &m));
        if (m.T == a.T || m.T == b.T) break;
        if (m.stable == a.stable)
            a = m;
        else
            b = m;
    }
    if (out->n == CHANGES) return JD_OK;
    double T = (a.T + b.T) / 2;
    JD_TRY(look_at(s, T * (1 - 1e-10), &a)); // wide enough for signs that rounding does not blur
    JD_TRY(look_at(s, T * (1 + 1e-10), &b));
    bool fold = a.at[0] * b.at[0] <= 0, flip = a.at[1] * b.at[1] <= 0;
    out->T[out->n] = T;
    out->kind[out->n++] = fold ? JD_NSM_FOLD : flip ? JD_NSM_FLIP : JD_NSM_KREIN;
    return JD_OK;
}

// Looks between a and b (rising T) as long as something could hide there.
static jd_status scan(jd_nsm *s, look a, look b, int depth, changes *out) {
    double reach = 2 * s->fastest * (b.T - a.T); // how far a mu may have moved
    bool hidden = a.danger < reach || b.danger < reach;
    // between two unstable orbits only a window of stability can hide: not where three pairs of
    // roots or more would have to come back at once
    if (s->n > many && a.missing > 4 && b.missing > 4) return JD_OK;
    if (depth == 0 || !hidden) return a.stable != b.stable ? locate(s, a, b, out) : JD_OK;
    look m;
    JD_TRY(look_at(s, (a.T + b.T) / 2, &m));
    JD_TRY(scan(s, a, m, depth - 1, out));
    return scan(s, m, b, depth - 1, out);
}

static jd_status store(jd_nsm *s, jd_nsm_branch *branch, const changes *found, bool stable_at_end) {
    // changes come by rising T: by falling omega, from the end of the branch to its start
    jd_nsm_interval *list = JD_TAKE(s->arena, jd_nsm_interval, found->n + 1);
    JD_TRY(jd_arena_status(s->arena));
    bool stable = stable_at_end;
    for (int i = 0; i <= found->n; i++) { // i-th interval from the end of the branch
        jd_nsm_interval *v = &list[found->n - i];
        v->to = i == 0 ? branch->omega_end : two_pi / found->T[i - 1];
        v->ends_with = i == 0 ? JD_NSM_END : found->kind[i - 1];
        v->from = i == found->n ? branch->omega_start : two_pi / found->T[i];
        v->starts_with = i == found->n ? JD_NSM_START : found->kind[i];
        v->stable = stable;
        stable = !stable;
    }
    branch->interval = list;
    branch->n_interval = found->n + 1;
    return JD_OK;
}

jd_status nsm_judge(jd_nsm *s, jd_nsm_branch *branch) {
    double low = two_pi / branch->omega_end, high = two_pi / branch->omega_start,
           length = high - low;
    changes *found = JD_TAKE(s->arena, changes, 1);
    JD_TRY(jd_arena_status(s->arena));
    look a, b;
    JD_TRY(look_at(s, low + 1e-9 * length, &a));
    bool stable_at_end = a.stable;
    int least = s->n > many ? 8 : 32;
    int steps = (int)fmin(20000, fmax(least, ceil(20 * length * s->fastest)));
    for (int i = 1; i <= steps; i++) {
        double at = i == steps ? 1 - 1e-9 : (double)i / steps;
        JD_TRY(look_at(s, low + at * length, &b));
        JD_TRY(scan(s, a, b, DEPTH, found));
        a = b;
    }
    return store(s, branch, found, stable_at_end);
}
