// seek_prove.c -- what is known of an orbit that Newton's method found: that it is one, and whether
// it attracts.
//   F(s) = P(s) - s (with the period among the unknowns where there is no drive), A = F'(s), in
//   coordinates whose sizes are roots of energies. Residual and rounding leave F unknown by eta, so
//   the orbit by r = eta |A^-1|. Where |A^-1 (A(s') - A(s))| <= 1/2 on the ball of 2 r around s,
//   the map s' - A^-1 F(s') contracts it into itself: one orbit is in it, and no other
//   [newton-kantorovich]. At a double root A vanishes within the ball, however small the residual
//   is: there the motion creeps up to the edge of a family or to a bifurcation and never closes.
//   Not proved: A(s') is taken at the two ends of the ball in the direction v in which A is
//   smallest, through P so that constraints hold (s' = s +- 2 r M v).
//   An engine that computes to a tolerance has P to it: the orbit it is asked for may be farther
//   off, and M another one. Where its steps can be made finer that is measured (seek_finer.c), else
//   taken as tolerance |A^-1|, and as much of the size of M. The ball is that of the computed map.
//   Attracting: X = sum (M^k)'M^k obeys M'X M = X - 1, so in its norm |M|^2 <= 1 - 1/x, x the
//   largest eigenvalue of X, and an error e of M adds no more than e sqrt(x). It attracts when
//   sqrt(1 - 1/x) + e sqrt(x) < 1: then all multipliers are inside the circle, whatever the error.
//   Directions that are neutral by themselves (along the orbit, places of contacts stuck all along)
//   are divided out: M N = N, so M acts on the complement of N as Q'M Q.
#include <math.h>
#include <string.h>

#include "analysis/orbit/seek.h"
#include "linalg/general.h"

static const double rounding = 4e-16; // of the size of a state, for each unit of |M|
static const double of_M = 1e-13;     // rounding of M, of its own size
enum { POWERS = 4, DOUBLINGS = 60 };

static double length(int n, const double *v) {
    double s = 0;
    for (int i = 0; i < n; i++) s += v[i] * v[i];
    return sqrt(s);
}

static double transpose(int n, const double *A, double *T) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) T[j * n + i] = A[i * n + j];
    return length(n * n, A);
}

// Inverse iteration: v the direction in which A (N x N) is smallest. Returns that smallest singular
// value, 0: singular. room: 2 N^2 + N.
static double softest(int N, const double *A, double *v, double *room, int *pivot) {
    double *LU = room, *LT = room + N * N, sigma = 0;
    int *pivot_T = pivot + N;
    memcpy(LU, A, (size_t)(N * N) * sizeof *LU);
    transpose(N, A, LT);
    if (!jd_lu_factor(N, LU, pivot) || !jd_lu_factor(N, LT, pivot_T)) return 0;
    for (int i = 0; i < N; i++) v[i] = 1 + 0.1 * (i % 7);
    for (int k = 0; k < POWERS; k++) {
        jd_lu_solve(N, LT, pivot_T, v);
        double l = length(N, v);
        for (int i = 0; i < N; i++) v[i] /= l;
        jd_lu_solve(N, LU, pivot, v);
        sigma = length(N, v);
        if (!(sigma > 0) || isinf(sigma)) return 0;
        for (int i = 0; i < N; i++) v[i] /= sigma;
        sigma = 1 / sigma;
    }
    return sigma;
}

// |A^-1 (B - A)| (Frobenius), and *change = |B - A|. LU: factors of A; B is destroyed.
static double change_of_slope(int N, const double *A, const double *LU, const int *pivot, double *B,
                              double *column, double *change) {
    double sum = 0;
    *change = 0;
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < N; i++) column[i] = B[i * N + j] - A[i * N + j];
        *change += length(N, column) * length(N, column);
        jd_lu_solve(N, LU, pivot, column);
        sum += length(N, column) * length(N, column);
    }
    *change = sqrt(*change);
    return sqrt(sum);
}

// M v in scaled coordinates, with a length no greater than that of v; coordinates at rest stay so.
static void image(const jd_shooting *sh, const double *v, double *w) {
    int n = sh->n;
    for (int i = 0; i < n; i++) {
        w[i] = 0;
        if (sh->s[i] == 0 && sh->s1[i] == 0) continue;
        for (int j = 0; j < n; j++) w[i] += sh->scale[i] * sh->M[i * n + j] / sh->scale[j] * v[j];
    }
    double l = length(n, w);
    for (int i = 0; i < n && l > 1; i++) w[i] /= l;
}

// The slope at both ends of the ball; the state of the orbit is put back.
static jd_status probe_ends(jd_shooting *sh, int N, double r, const double *A, const double *LU,
                            const int *pivot, double *w, double *slope, double *change) {
    int n = sh->n;
    bool lost = false;
    double *column = w + N, here;
    *slope = *change = 0;
    memcpy(sh->newton.base, sh->s, (size_t)n * sizeof *sh->s);
    for (int side = -1; side <= 1 && !lost; side += 2) {
        for (int i = 0; i < n; i++)
            sh->s[i] = sh->newton.base[i] + side * 2 * r * w[i] / sh->scale[i];
        JD_TRY(jd_shooting_round(sh, true, &lost));
        if (lost) break;
        jd_shooting_assemble(sh);
        *slope = fmax(*slope, change_of_slope(N, A, LU, pivot, sh->newton.A, column, &here));
        *change = fmax(*change, here);
    }
    if (lost) *slope = HUGE_VAL;
    memcpy(sh->s, sh->newton.base, (size_t)n * sizeof *sh->s);
    return jd_shooting_round(sh, true, &lost);
}

jd_status jd_seek_closes(jd_seek *k, bool *closes) {
    jd_shooting *sh = k->shooting;
    jd_arena_mark mark = jd_arena_here(k->arena);
    int N = jd_shooting_assemble(sh);
    double *A = JD_TAKE(k->arena, double, 3 * N * N), *LU = A + N * N;
    double *v = JD_TAKE(k->arena, double, 3 * N), slope = 0;
    int *pivot = JD_TAKE(k->arena, int, 2 * N);
    JD_TRY(jd_arena_status(k->arena));
    memcpy(A, sh->newton.A, (size_t)(N * N) * sizeof *A);
    double size = fmax(jd_shooting_size(sh, sh->s), jd_shooting_size(sh, sh->s1));
    double norm = length(N * N, A), eta = length(N, sh->newton.b) + rounding * size * (1 + norm);
    double sigma = softest(N, A, v, LU, pivot);
    if (sigma > fmax(JD_SEEK_SINGULAR, of_M * norm)) {
        k->outcome.radius = size > 0 ? (eta / size + sh->tolerance) / sigma : 0;
        image(sh, v, v + N);
        JD_TRY(probe_ends(sh, N, eta / sigma, A, LU, pivot, v + N, &slope, &k->outcome.spread));
    }
    *closes = slope <= 0.5;
    k->outcome.spread *=
        0.5 / (1 - fmin(slope, 0.5)); // the orbit is within r/(1 - slope), half of 2 r
    jd_arena_back(k->arena, mark);
    return JD_OK;
}

// Orthonormal N (count columns) with (M - 1) N about 0, then its complement: B holds all n vectors.
static void split_directions(int n, int count, double *B, const double *M, double *room,
                             int *pivot) {
    double *A = room, *v = room + 3 * n * n;
    for (int c = 0; c < n; c++) {
        double *b = B + c * n, l = 0;
        if (c < count) { // inverse iteration, those before pushed away from 0
            for (int i = 0; i < n * n; i++) A[i] = M[i] - (i % (n + 1) == 0);
            for (int d = 0; d < c; d++)
                for (int i = 0; i < n * n; i++) A[i] += B[d * n + i / n] * B[d * n + i % n];
            for (int i = 0; i < n; i++) A[i * (n + 1)] += 1e-15;
            if (softest(n, A, v, room + n * n, pivot) > 0) memcpy(b, v, (size_t)n * sizeof *b);
        }
        for (int e = 0; e < n && !(l > 0.5 / n);
             e++) { // else the unit vectors, one after the other
            if (c >= count || e > 0)
                for (int i = 0; i < n; i++) b[i] = i == (c + e) % n;
            for (int twice = 0; twice < 2; twice++)
                for (int d = 0; d < c; d++) {
                    double dot = 0;
                    for (int i = 0; i < n; i++) dot += b[i] * B[d * n + i];
                    for (int i = 0; i < n; i++) b[i] -= dot * B[d * n + i];
                }
            l = length(n, b);
        }
        for (int i = 0; i < n; i++) b[i] /= l;
    }
}

// C = Q'M Q, Q the last m of the n vectors of B.
static void restrict_map(int n, int m, const double *B, const double *M, double *C, double *v) {
    for (int j = 0; j < m; j++) {
        const double *q = B + (n - m + j) * n;
        for (int i = 0; i < n; i++) {
            v[i] = 0;
            for (int l = 0; l < n; l++) v[i] += M[i * n + l] * q[l];
        }
        for (int i = 0; i < m; i++) {
            double dot = 0;
            for (int l = 0; l < n; l++) dot += B[(n - m + i) * n + l] * v[l];
            C[i * m + j] = dot;
        }
    }
}

// |X| (Frobenius: no less than its largest eigenvalue) by doubling: X_2k = X_k + (C^k)'X_k C^k.
// Infinite where C does not contract. room: 3 m^2.
static double stein_size(int m, double *C, double *room) {
    double *X = room, *T = X + m * m, *S = T + m * m, trace = m;
    for (int i = 0; i < m * m; i++) X[i] = i % (m + 1) == 0;
    for (int k = 0; k < DOUBLINGS; k++) {
        double before = trace;
        memset(T, 0, (size_t)(m * m) * sizeof *T);
        jd_multiply_add(m, m, m, X, C, T);
        memset(S, 0, (size_t)(m * m) * sizeof *S);
        for (int l = 0; l < m; l++) // C'T
            for (int i = 0; i < m; i++)
                for (int j = 0; j < m; j++) S[i * m + j] += C[l * m + i] * T[l * m + j];
        trace = 0;
        for (int i = 0; i < m * m; i++) X[i] += S[i];
        for (int i = 0; i < m; i++) trace += X[i * (m + 1)];
        if (!(trace < 1e30)) return HUGE_VAL;
        if (trace - before <= 1e-3 * before) return 1.01 * length(m * m, X);
        memset(T, 0, (size_t)(m * m) * sizeof *T);
        jd_multiply_add(m, m, m, C, C, T);
        memcpy(C, T, (size_t)(m * m) * sizeof *C);
    }
    return HUGE_VAL;
}

jd_status jd_seek_attracts(jd_seek *k, bool *yes) {
    jd_shooting *sh = k->shooting;
    jd_arena_mark mark = jd_arena_here(k->arena);
    int n = sh->n, neutral = !sh->forced + jd_seek_neutral(k), m = n - neutral;
    double *M = JD_TAKE(k->arena, double, 8 * n * n + n), *B = M + n * n, *C = B + n * n;
    int *pivot = JD_TAKE(k->arena, int, 2 * n);
    JD_TRY(jd_arena_status(k->arena));
    for (int i = 0; i < n * n; i++) M[i] = sh->scale[i / n] * sh->M[i] / sh->scale[i % n];
    bool measured = sh->run->class->map.refine && !k->cut; // by `blur`
    double error = fmax(of_M, measured ? 0 : sh->tolerance), x = 0;
    error = error * fmax(1, length(n * n, M)) + k->outcome.spread;
    if (m > 0) {
        split_directions(n, neutral, B, M, C, pivot);
        restrict_map(n, m, B, M, C, C + m * m);
        x = stein_size(m, C, C + m * m);
    }
    *yes = m <= 0 || (x < HUGE_VAL && sqrt(1 - 1 / x) + error * sqrt(x) < 1);
    jd_arena_back(k->arena, mark);
    return JD_OK;
}
