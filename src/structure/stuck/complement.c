// complement.c -- modes with most of the structure stuck, in what the contacts leave free.
//   B' = H_1 ... H_m R (Householder), P the last n - m columns of H_1 ... H_m, K = P' Omega^2 P:
//   a small eigenproblem, by Jacobi's rotations. All in double-double: O(n m^2 + (n - m)^3) where
//   one rank-one step per contact (stuck.c) takes O(n^2 m (n - m)). Rotations have their angle in
//   double, which only slows down the last sweeps, but c^2 + s^2 = 1 to the last digit.
//                                     tested: many_stuck_contacts_are_as_right_as_few
#include "structure/stuck/complement.h"

#include "linalg/dd_dot.h"

static const double dependent = 1e-12; // share of a row left outside the rows before it
static const double finished = 1e-30;  // |K_ij| of sqrt(K_ii K_jj)
enum { SWEEPS = 40 };

typedef struct complement {
    int n, m, r;
    jd_dd *A;    // m x n: rows of B, then reflectors
    jd_dd *beta; // m: H = 1 - beta v v'
    jd_dd *P;    // n - m rows of n
    jd_dd *K, *V;
} complement;

// x -= beta v v'x over the entries from `from` on.
JD_DD_CLONES
static void reflect(int from, int n, const jd_dd *v, jd_dd beta, jd_dd *x) {
    jd_dd f = dd_mul(beta, jd_dd_dot(n - from, v + from, x + from));
    for (int k = from; k < n; k++) x[k] = dd_sub(x[k], dd_mul(f, v[k]));
}

// Reflectors in place of the rows; false when a row depends on those before it.
static bool factor(complement *c) {
    for (int i = 0; i < c->m; i++) {
        jd_dd *v = c->A + i * c->n;
        double all = sqrt(jd_dd_dot(c->n, v, v).hi);
        jd_dd size = dd_sqrt(jd_dd_dot(c->n - i, v + i, v + i));
        if (!(size.hi > dependent * all)) return false;
        if (v[i].hi > 0) size = dd_neg(size);
        v[i] = dd_sub(v[i], size);
        c->beta[i] = dd_div(dd(2), jd_dd_dot(c->n - i, v + i, v + i));
        for (int j = i + 1; j < c->m; j++) reflect(i, c->n, v, c->beta[i], c->A + j * c->n);
    }
    return true;
}

static void project(complement *c, const jd_dd *omega2, jd_dd *scratch) {
    for (int i = 0; i < c->r; i++) {
        jd_dd *p = c->P + i * c->n;
        for (int k = 0; k < c->n; k++) p[k] = dd(k == c->m + i);
        for (int h = c->m - 1; h >= 0; h--) reflect(h, c->n, c->A + h * c->n, c->beta[h], p);
    }
    for (int i = 0; i < c->r; i++) {
        for (int k = 0; k < c->n; k++) scratch[k] = dd_mul(omega2[k], c->P[i * c->n + k]);
        for (int j = 0; j <= i; j++)
            c->K[i * c->r + j] = c->K[j * c->r + i] = jd_dd_dot(c->n, scratch, c->P + j * c->n);
        for (int j = 0; j < c->r; j++) c->V[i * c->r + j] = dd(i == j);
    }
}

// Rows a and b of M: e_a' = cos e_a - sin e_b, e_b' = sin e_a + cos e_b.
JD_DD_CLONES
static void rotate(int r, jd_dd *a, jd_dd *b, jd_dd cos, jd_dd sin) {
    for (int k = 0; k < r; k++) {
        jd_dd x = a[k], y = b[k];
        a[k] = dd_sub(dd_mul(cos, x), dd_mul(sin, y));
        b[k] = dd_add(dd_mul(sin, x), dd_mul(cos, y));
    }
}

static void annihilate(complement *c, int i, int j) {
    int r = c->r;
    jd_dd *K = c->K;
    double theta = dd_value(dd_sub(K[j * r + j], K[i * r + i])) / (2 * dd_value(K[i * r + j]));
    double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + hypot(theta, 1));
    jd_dd cos = dd_div(dd(1), dd_sqrt(dd_add(dd(1), dd_two_prod(t, t)))), sin = dd_scale(cos, t);
    rotate(r, K + i * r, K + j * r, cos, sin);
    for (int k = 0; k < r; k++) { // columns
        jd_dd x = K[k * r + i], y = K[k * r + j];
        K[k * r + i] = dd_sub(dd_mul(cos, x), dd_mul(sin, y));
        K[k * r + j] = dd_add(dd_mul(sin, x), dd_mul(cos, y));
    }
    rotate(r, c->V + i * r, c->V + j * r, cos, sin);
}

static bool diagonalise(complement *c) {
    for (int sweep = 0, left = 1; left; sweep++) {
        if (sweep > SWEEPS) return false;
        left = 0;
        for (int i = 0; i < c->r; i++)
            for (int j = i + 1; j < c->r; j++) {
                double own = c->K[i * c->r + i].hi * c->K[j * c->r + j].hi;
                if (fabs(c->K[i * c->r + j].hi) <= finished * sqrt(own)) continue;
                annihilate(c, i, j);
                left = 1;
            }
    }
    return true;
}

// Ascending; V's rows along.
static void sort(complement *c, int *order) {
    for (int i = 0; i < c->r; i++) {
        int j = i;
        for (; j > 0 && c->K[order[j - 1] * (c->r + 1)].hi > c->K[i * (c->r + 1)].hi; j--)
            order[j] = order[j - 1];
        order[j] = i;
    }
}

JD_DD_CLONES
static void assemble(const complement *c, const int *order, jd_dd *scratch, jd_dd *root, jd_dd *Q) {
    for (int i = 0; i < c->r; i++) {
        const jd_dd *v = c->V + order[i] * c->r;
        root[i] = c->K[order[i] * (c->r + 1)];
        for (int k = 0; k < c->n; k++) scratch[k] = dd(0);
        for (int j = 0; j < c->r; j++)
            for (int k = 0; k < c->n; k++)
                scratch[k] = dd_add_fast(scratch[k], dd_mul(v[j], c->P[j * c->n + k]));
        for (int k = 0; k < c->n; k++) Q[k * c->r + i] = scratch[k];
    }
}

jd_status jd_complement(jd_arena *arena, int n, const jd_dd *omega2, int m, const jd_dd *const *B,
                        bool *whole, jd_dd *root, jd_dd *Q) {
    complement c = {.n = n, .m = m, .r = n - m};
    c.A = JD_TAKE(arena, jd_dd, m * n);
    c.beta = JD_TAKE(arena, jd_dd, m);
    c.P = JD_TAKE(arena, jd_dd, c.r * n + 1);
    c.K = JD_TAKE(arena, jd_dd, c.r * c.r + 1);
    c.V = JD_TAKE(arena, jd_dd, c.r * c.r + 1);
    jd_dd *scratch = JD_TAKE(arena, jd_dd, n);
    int *order = JD_TAKE(arena, int, c.r + 1);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < m * n; i++) c.A[i] = B[i / n][i % n];
    *whole = factor(&c);
    if (!*whole) return JD_OK;
    project(&c, omega2, scratch);
    *whole = diagonalise(&c);
    if (!*whole) return JD_OK;
    sort(&c, order);
    assemble(&c, order, scratch, root, Q);
    return JD_OK;
}
