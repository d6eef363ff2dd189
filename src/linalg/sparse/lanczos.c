// lanczos.c -- block Lanczos with thick restarts, in the inner product of M.
//   The basis V (rows, V M V' = 1) and the next block W obey
//     OP V' = V' T + W' C,  T = V M OP V' symmetric,  C: BLOCK x vectors.
//   A Ritz pair T s = theta s has the residual |C s|. When the basis is full, the best Ritz vectors
//   become the basis: T = diag(theta), C = C S. Solves for BLOCK vectors at once take a quarter of
//   the time of single ones, as the factors are read from memory once.
//   M may be singular: OP has no part of its null space, and x + W' C s/theta = OP x/theta neither.
#include "linalg/sparse/lanczos.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "lazy/lapack.h"
#include "linalg/dot.h"
#include "linalg/eigen.h"
#include "linalg/sparse/jacobi.h"

enum { BLOCK = 8, MOST_RESTARTS = 1000, PANEL = 256, PASSES = 2 };
// Residuals over Ritz values. Eigenvalues are quadratic in it and known to rounding by then.
static const double converged = 1e-11;
static const double located = 1e-6;   // the same for those beyond the modes wanted
static const double vanished = 1e-12; // of a vector's length: nothing is left of it

typedef struct lanczos {
    const jd_pencil_operator *op;
    int n, n_mode, wanted, most; // vectors of the basis when it is full
    int used;                    // of it; W follows behind
    double *V;                   // most + BLOCK rows of n
    double *MU;                  // BLOCK rows of n: M times a block
    double *T, *S;               // most x most: T; eigenvectors as rows
    double *spent;               // most x most: T while it is diagonalised
    double *C;                   // BLOCK x most
    double *theta;               // most, descending
    double *small;               // (most + BLOCK) x BLOCK
    double *panel;               // PANEL x (most + BLOCK), twice
    uint64_t seed;
    bool exhausted; // OP has no more directions
} lanczos;

// A linear congruential sequence (Knuth's MMIX constants) in (-1/2, 1/2): no symmetry, so that no
// mode is orthogonal to it.
static void draw(lanczos *w, double *x) {
    for (int i = 0; i < w->n; i++) {
        w->seed = w->seed * 6364136223846793005u + 1442695040888963407u;
        x[i] = (double)(w->seed >> 11) * 0x1p-53 - 0.5;
    }
}

static double *row(const lanczos *w, int k) { return w->V + (size_t)k * (size_t)w->n; }

static void times_mass(const lanczos *w, int m, const double *u, double *out) {
    w->op->mass(w->op->user, m, u, out);
}

// u (m rows) less its share of the basis; Mu = M u. h, used x BLOCK, gets what was taken.
static void project(lanczos *w, int m, const double *Mu, double *u, double *h) {
    int n = w->n;
    if (w->used == 0) return;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, w->used, m, n, 1, w->V, n, Mu, n, 0, h,
                BLOCK);
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, m, n, w->used, -1, h, BLOCK, w->V, n, 1, u,
                n);
}

// Vector j of a block less the ones before, of length 1; r: BLOCK x BLOCK, what was taken. MU holds
// M times those before. Returns the length that was left.
static double straighten(lanczos *w, double *u, int j, double *r) {
    size_t n = (size_t)w->n;
    double *x = u + (size_t)j * n, *Mx = w->MU + (size_t)j * n;
    for (int pass = 0; pass < PASSES; pass++)
        for (int i = 0; i < j; i++) {
            double share = jd_dot(w->n, w->MU + (size_t)i * n, x);
            for (size_t k = 0; k < n; k++) x[k] -= share * u[(size_t)i * n + k];
            r[i * BLOCK + j] += share;
        }
    times_mass(w, 1, x, Mx);
    double length = sqrt(fmax(jd_dot(w->n, x, Mx), 0));
    for (size_t k = 0; length > 0 && k < n; k++) {
        x[k] /= length;
        Mx[k] /= length;
    }
    return length;
}

// In place of a direction that is in the basis already: another one, or 0 where there is none.
static jd_status replace(lanczos *w, double *u, int j) {
    double unused[BLOCK * BLOCK] = {0}, *x = u + (size_t)j * (size_t)w->n;
    double *Mx = w->MU + (size_t)j * (size_t)w->n;
    draw(w, x);
    times_mass(w, 1, x, Mx);
    memcpy(x, Mx, (size_t)w->n * sizeof *x);
    JD_TRY(w->op->solve(w->op->user, 1, x));
    times_mass(w, 1, x, Mx);
    double before = sqrt(fmax(jd_dot(w->n, x, Mx), 0));
    for (int pass = 0; pass < PASSES; pass++) {
        times_mass(w, 1, x, Mx);
        project(w, 1, Mx, x, w->small);
    }
    double left = straighten(w, u, j, unused);
    w->exhausted = !(left > vanished * before);
    if (w->exhausted) {
        memset(x, 0, (size_t)w->n * sizeof *x);
        memset(Mx, 0, (size_t)w->n * sizeof *x);
    }
    return JD_OK;
}

// The block behind the basis, less its share of it, becomes orthonormal: r gets its triangular
// factor, `length` those that its vectors had before. What rounding left of the basis, little
// beside vectors of length 1, is taken out once more; T need not know of it.
static jd_status orthonormalise(lanczos *w, const double *length, double *r) {
    double *u = row(w, w->used);
    memset(r, 0, BLOCK * BLOCK * sizeof *r);
    for (int j = 0; j < BLOCK; j++) {
        double left = straighten(w, u, j, r);
        if (left > vanished * length[j])
            r[j * BLOCK + j] = left;
        else
            JD_TRY(replace(w, u, j));
    }
    project(w, BLOCK, w->MU, u, w->small);
    return JD_OK;
}

static void lengths(lanczos *w, const double *u, double *length) {
    times_mass(w, BLOCK, u, w->MU);
    for (int b = 0; b < BLOCK; b++) {
        size_t at = (size_t)b * (size_t)w->n;
        length[b] = sqrt(fmax(jd_dot(w->n, u + at, w->MU + at), 0));
    }
}

// u becomes OP w, of the block w before it.
static jd_status apply(lanczos *w, const double *from, double *u) {
    times_mass(w, BLOCK, from, u);
    return w->op->solve(w->op->user, BLOCK, u);
}

// Pairs that are known begin the basis: T = diag(theta), and nothing couples them to the block.
static void take_known(lanczos *w, const jd_known_pairs *known) {
    size_t n = (size_t)w->n;
    for (int k = 0; k < w->n_mode; k++) {
        double *x = row(w, w->used);
        memcpy(x, known->vector + (size_t)k * n, n * sizeof *x);
        for (int pass = 0; pass < PASSES; pass++) {
            times_mass(w, 1, x, w->MU);
            project(w, 1, w->MU, x, w->small);
        }
        times_mass(w, 1, x, w->MU);
        double length = sqrt(fmax(jd_dot(w->n, x, w->MU), 0));
        if (!(length > 0.5)) continue; // twice the same
        for (size_t i = 0; i < n; i++) x[i] /= length;
        w->T[(size_t)w->used * ((size_t)w->most + 1)] = 1 / (known->lambda[k] - w->op->sigma);
        w->used++;
    }
    w->seed += (uint64_t)known->calls; // a block that was drawn before has nothing new
}

static jd_status begin(lanczos *w) {
    double r[BLOCK * BLOCK], length[BLOCK], *block = row(w, w->used), *u = w->MU;
    for (int b = 0; b < BLOCK; b++) draw(w, block + (size_t)b * (size_t)w->n);
    memcpy(u, block, BLOCK * (size_t)w->n * sizeof *u);
    JD_TRY(apply(w, u, block));
    lengths(w, block, length);
    for (int pass = 0; pass < PASSES && w->used > 0; pass++) {
        project(w, BLOCK, w->MU, block, w->small);
        times_mass(w, BLOCK, block, w->MU);
    }
    return orthonormalise(w, length, r);
}

// W joins the basis, and OP W becomes the next one.
static jd_status extend(lanczos *w, double *h) {
    double r[BLOCK * BLOCK], length[BLOCK];
    int first = w->used;
    size_t most = (size_t)w->most;
    w->used += BLOCK;
    double *u = row(w, w->used);
    JD_TRY(apply(w, row(w, first), u));
    lengths(w, u, length);
    project(w, BLOCK, w->MU, u, h);
    for (int i = 0; i < w->used; i++)
        for (int b = 0; b < BLOCK; b++) {
            size_t j = (size_t)first + (size_t)b, k = (size_t)i;
            double value = h[i * BLOCK + b];
            if (i >= first) value = (value + h[(first + b) * BLOCK + i - first]) / 2;
            w->T[k * most + j] = w->T[j * most + k] = value;
        }
    JD_TRY(orthonormalise(w, length, r));
    memset(w->C, 0, BLOCK * most * sizeof *w->C);
    for (size_t b = 0; b < BLOCK; b++)
        memcpy(w->C + b * most + first, r + b * BLOCK, BLOCK * sizeof *r);
    return JD_OK;
}

// Rows 0 .. m-1 of V become combinations of the first `all` rows: coefficient, m rows of `lead`.
static void recombine(lanczos *w, int m, int all, const double *coefficient, int lead) {
    double *in = w->panel, *out = w->panel + (size_t)PANEL * (size_t)(w->most + BLOCK);
    for (int at = 0; at < w->n; at += PANEL) {
        int width = w->n - at < PANEL ? w->n - at : PANEL;
        for (int k = 0; k < all; k++)
            memcpy(in + (size_t)k * PANEL, row(w, k) + at, (size_t)width * sizeof *in);
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, width, all, 1, coefficient, lead,
                    in, PANEL, 0, out, PANEL);
        for (int k = 0; k < m; k++)
            memcpy(row(w, k) + at, out + (size_t)k * PANEL, (size_t)width * sizeof *in);
    }
}

// C s of Ritz pair k.
static double coupling(const lanczos *w, int k, double part[BLOCK]) {
    double sum = 0;
    for (int b = 0; b < BLOCK; b++) {
        part[b] =
            jd_dot(w->used, w->C + (size_t)b * (size_t)w->most, w->S + (size_t)k * (size_t)w->most);
        sum += part[b] * part[b];
    }
    return sqrt(sum);
}

// Ritz pairs of the basis; how many of those wanted are known.
static int judge(lanczos *w) {
    double part[BLOCK];
    int known = 0;
    memcpy(w->spent, w->T, (size_t)w->used * (size_t)w->most * sizeof *w->T);
    jd_jacobi(w->used, w->most, w->spent, w->S, w->theta);
    for (int k = 0; k < w->wanted && k < w->used; k++)
        known += w->theta[k] > 0 &&
                 coupling(w, k, part) <= (k < w->n_mode ? converged : located) * w->theta[k];
    return known;
}

static void restart(lanczos *w) {
    int keep = w->wanted + (w->used - BLOCK - w->wanted) / 2, before = w->used;
    size_t most = (size_t)w->most, n = (size_t)w->n;
    double part[BLOCK];
    recombine(w, keep, before, w->S, w->most);
    memmove(row(w, keep), row(w, before), BLOCK * n * sizeof *w->V);
    for (int k = 0; k < keep; k++) {
        coupling(w, k, part);
        for (size_t b = 0; b < BLOCK; b++) w->small[(size_t)k * BLOCK + b] = part[b];
    }
    memset(w->T, 0, most * most * sizeof *w->T);
    memset(w->C, 0, BLOCK * most * sizeof *w->C);
    for (size_t k = 0; k < (size_t)keep; k++) {
        w->T[k * most + k] = w->theta[k];
        for (size_t b = 0; b < BLOCK; b++) w->C[b * most + k] = w->small[k * BLOCK + b];
    }
    w->used = keep;
}

// x = V' s + W' C s/theta, in the first rows of V; ascending lambda is descending theta.
static jd_status extract(jd_arena *arena, lanczos *w, double *lambda) {
    int all = w->used + BLOCK;
    double *coefficient = JD_TAKE(arena, double, (size_t)w->wanted *(size_t)all);
    JD_TRY(jd_arena_status(arena));
    for (int k = 0; k < w->wanted; k++) {
        double *c = coefficient + (size_t)k * (size_t)all;
        memcpy(c, w->S + (size_t)k * (size_t)w->most, (size_t)w->used * sizeof *c);
        coupling(w, k, c + w->used);
        for (int b = 0; b < BLOCK; b++) c[w->used + b] /= w->theta[k];
        lambda[k] = w->op->sigma + 1 / w->theta[k];
    }
    recombine(w, w->wanted, all, coefficient, all);
    return JD_OK;
}

// The basis grows until it is full, or until it knows all that is wanted, which a first one never
// does.
static jd_status fill(jd_context *context, lanczos *w, int restarts, double *h, int *known) {
    while (w->used + BLOCK <= w->most && !w->exhausted) {
        // How far it is nobody knows beforehand; for FE models it is about three bases.
        double share = (restarts + (double)w->used / w->most) / 4;
        jd_progress(context, "modes", share < 0.8 ? share : 1 - 0.2 * 0.8 / share);
        JD_TRY(extend(w, h));
        if (restarts > 0 && (*known = judge(w)) == w->wanted) return JD_OK;
    }
    if (restarts == 0) *known = judge(w);
    return JD_OK;
}

static jd_status iterate(jd_context *context, lanczos *w, double *h) {
    int known = 0;
    JD_TRY(begin(w));
    for (int i = 0; i < MOST_RESTARTS; i++) {
        JD_TRY(fill(context, w, i, h, &known));
        if (known == w->wanted) return JD_OK;
        if (w->exhausted) break;
        restart(w);
    }
    return jd_fail(context, JD_NO_CONVERGENCE, "only %d of %d modes %s", known, w->wanted,
                   w->exhausted ? "exist" : "converged");
}

static jd_status prepare(jd_arena *arena, const jd_pencil_operator *op, int count, lanczos *w) {
    int most = 2 * count + 2 * BLOCK;
    if (most > op->n + BLOCK) most = op->n + BLOCK;
    size_t n = (size_t)op->n, all = (size_t)most + BLOCK;
    *w = (lanczos){.op = op, .n = op->n, .wanted = count, .most = most, .seed = 20260101};
    w->V = JD_TAKE_RAW(arena, double, all *n);
    w->MU = JD_TAKE_RAW(arena, double, BLOCK *n);
    w->T = JD_TAKE(arena, double, (size_t)most *(size_t)most);
    w->S = JD_TAKE(arena, double, (size_t)most *(size_t)most);
    w->spent = JD_TAKE(arena, double, (size_t)most *(size_t)most);
    w->C = JD_TAKE(arena, double, BLOCK *(size_t)most);
    w->theta = JD_TAKE(arena, double, most);
    w->small = JD_TAKE(arena, double, all *BLOCK);
    w->panel = JD_TAKE(arena, double, 2 * PANEL * all);
    return jd_arena_status(arena);
}

jd_status jd_lanczos_lowest(jd_arena *arena, const jd_pencil_operator *op,
                            const jd_known_pairs *known, int n_mode, int count, double *lambda,
                            double **vector) {
    jd_context *context = jd_arena_context(arena);
    if (n_mode < 1 || count < n_mode || count >= op->n)
        return jd_fail(context, JD_BAD_ARGUMENT, "%d modes of %d cannot be found by Lanczos", count,
                       op->n);
    JD_TRY(jd_lapack_ready(context));
    lanczos w;
    JD_TRY(prepare(arena, op, count, &w));
    w.n_mode = n_mode;
    double *h = JD_TAKE(arena, double, ((size_t)w.most + BLOCK) * BLOCK);
    JD_TRY(jd_arena_status(arena));
    if (known) take_known(&w, known);
    JD_TRY(iterate(context, &w, h));
    *vector = w.V;
    return extract(arena, &w, lambda);
}
