// coupled_pair.c -- two poles that nearly coincide, as one block: their common invariant subspace.
//   z' = A z for z = (x, x'); A W = W T with W (2n x 2) is well determined where the two vectors
//   are not. W: inverse iteration near the poles. B A = diag(-omega2, 1) with the symmetric
//   B = {C 1; 1 0}, so B W is the left subspace:
//     M = W'B W,   T = M^-1 W'diag(-omega2, 1) W   (error: the square of that of W)
//   Then W is turned until T = {mu 1; delta2 mu}: w_p = (T - mu) w_q. With X the displacement part,
//     x = X (p, q),   (p, q) = M^-1 X'(C x + x') + T M^-1 X'x,   force: M^-1 X'f
//   An undamped block does not occur: mu is far from 0.
//                        tested: critical_damping_beside_a_stuck_contact_is_as_right_as_any
#include <math.h>

#include "engine/exact/exact.h"
#include "linalg/general.h"

enum { ITERATIONS = 40 };
// Where the shift lies, over the distance of the next pole: closer, solutions are nothing but the
// vector both poles share (rounding over this share is left of the other); farther, other poles
// fade more slowly.
static const double beside = 0.1;

typedef struct subspace {
    int n;
    const double *omega2, *C; // n, n x n
    double *rate;             // n: scale of displacements [1/s]
    double *W;                // 2 rows of 2n: (rate x, x')
    double M[4], T[4];        // row-major 2 x 2
} subspace;

// A - shift in scaled coordinates, row-major 2n x 2n.
static void shifted(const subspace *s, double shift, double *A) {
    int n = s->n, n2 = 2 * n;
    for (int i = 0; i < n2 * n2; i++) A[i] = 0;
    for (int k = 0; k < n; k++) {
        A[k * n2 + n + k] = s->rate[k];
        A[(n + k) * n2 + k] = -s->omega2[k] / s->rate[k];
        for (int l = 0; l < n; l++) A[(n + k) * n2 + n + l] = -s->C[k * n + l];
    }
    for (int i = 0; i < n2; i++) A[i * n2 + i] -= shift;
}

static void orthonormalise(subspace *s) {
    int n2 = 2 * s->n;
    double *a = s->W, *b = a + n2;
    for (int twice = 0; twice < 2; twice++) {
        double size = sqrt(jd_lanes_dot(n2, a, a));
        for (int i = 0; i < n2; i++) a[i] /= size;
        jd_add_row(n2, -jd_lanes_dot(n2, a, b), a, b);
        size = sqrt(jd_lanes_dot(n2, b, b));
        for (int i = 0; i < n2; i++) b[i] /= size;
    }
}

static bool iterate(subspace *s, double shift, double *A, int *pivot) {
    int n2 = 2 * s->n;
    unsigned long long seed = 1;
    for (int i = 0; i < 2 * n2; i++) {
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        s->W[i] = (double)(seed >> 11) / 9007199254740992.0 - 0.5;
    }
    shifted(s, shift, A);
    if (!jd_lu_factor(n2, A, pivot)) return false;
    for (int i = 0; i < ITERATIONS; i++) {
        orthonormalise(s);
        jd_lu_solve(n2, A, pivot, s->W);
        jd_lu_solve(n2, A, pivot, s->W + n2);
    }
    orthonormalise(s);
    for (int i = 0; i < 2 * n2; i++)
        if (!isfinite(s->W[i])) return false;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < s->n; k++) s->W[i * n2 + k] /= s->rate[k];
    return true;
}

// out = {d -b; -c a}/det of {a b; c d}; false: singular.
static bool invert(const double in[4], double out[4]) {
    double det = in[0] * in[3] - in[1] * in[2];
    if (!(fabs(det) > 0)) return false;
    const double inverse[4] = {in[3] / det, -in[1] / det, -in[2] / det, in[0] / det};
    for (int i = 0; i < 4; i++) out[i] = inverse[i];
    return true;
}

static void multiply(const double a[4], const double b[4], double out[4]) {
    for (int i = 0; i < 4; i++) out[i] = a[i / 2 * 2] * b[i % 2] + a[i / 2 * 2 + 1] * b[2 + i % 2];
}

// M and T of the vectors there are.
static bool quotient(subspace *s) {
    int n = s->n;
    double N[4] = {0}, inverse[4];
    for (int i = 0; i < 4; i++) {
        const double *a = s->W + i / 2 * 2 * n, *b = s->W + i % 2 * 2 * n;
        s->M[i] = jd_lanes_dot(n, a, b + n) + jd_lanes_dot(n, a + n, b);
        for (int k = 0; k < n; k++) {
            s->M[i] += a[k] * jd_lanes_dot(n, s->C + k * n, b);
            N[i] += a[n + k] * b[n + k] - s->omega2[k] * a[k] * b[k];
        }
    }
    if (!invert(s->M, inverse)) return false;
    multiply(inverse, N, s->T);
    return true;
}

// Books the block: T - mu has no trace; w_q is the vector it makes longer, w_p what it makes of it.
static bool turn_block(const subspace *s, basis *b, const int *in) {
    int n = s->n, n2 = 2 * n, i = b->poles.n_pair;
    double mu = (s->T[0] + s->T[3]) / 2, h = (s->T[0] - s->T[3]) / 2;
    bool first = hypot(h, s->T[2]) > hypot(s->T[1], h);
    // columns w_p, w_q over the vectors W, row-major
    const double P[4] = {first ? h : s->T[1], first, first ? s->T[2] : -h, !first};
    double MP[4], PT[4] = {P[0], P[2], P[1], P[3]}, M[4], inverse[4];
    multiply(s->M, P, MP);
    multiply(PT, MP, M);
    if (!invert(M, inverse)) return false;
    b->poles.pair[b->poles.n_pair++] = (jd_pole_pair){{mu, 0}, {h * h + s->T[1] * s->T[2], 0}};
    double *right = b->poles.pair_right + 2 * i * b->nf, *left = b->poles.pair_left + 2 * i * b->nf;
    for (int k = 0; k < n; k++) {
        double a = s->W[k], c = s->W[n2 + k], x = P[0] * a + P[2] * c, y = P[1] * a + P[3] * c;
        right[in[k]] = x;
        right[b->nf + in[k]] = y;
        left[in[k]] = inverse[0] * x + inverse[1] * y;
        left[b->nf + in[k]] = inverse[2] * x + inverse[3] * y;
    }
    return true;
}

static jd_status take(exact *e, const basis *b, int n, const int *in, subspace *s) {
    double *omega2 = JD_TAKE(e->arena, double, n), *C = JD_TAKE(e->arena, double, n *n);
    s->rate = JD_TAKE(e->arena, double, n);
    s->W = JD_TAKE(e->arena, double, 4 * n);
    JD_TRY(jd_arena_status(e->arena));
    for (int k = 0; k < n; k++) {
        omega2[k] = b->omega2[in[k]];
        s->rate[k] = omega2[k] > 0 ? sqrt(omega2[k]) : fabs(b->C[in[k] * b->nf + in[k]]);
        for (int l = 0; l < n; l++) C[k * n + l] = b->C[in[k] * b->nf + in[l]];
    }
    s->omega2 = omega2;
    s->C = C;
    return JD_OK;
}

jd_status jd_coupled_pair(exact *e, basis *b, int n, const int *in, double at, double alone) {
    jd_arena_mark here = jd_arena_here(e->arena);
    subspace s = {.n = n};
    double *A = JD_TAKE(e->arena, double, 4 * n * n);
    int *pivot = JD_TAKE(e->arena, int, 2 * n);
    JD_TRY(take(e, b, n, in, &s));
    bool found =
        iterate(&s, at + beside * alone, A, pivot) && quotient(&s) && turn_block(&s, b, in);
    jd_arena_back(e->arena, here);
    if (found) return JD_OK;
    return jd_fail(e->run->context, JD_NO_CONVERGENCE,
                   "two poles near %g that coincide were not found", at);
}
