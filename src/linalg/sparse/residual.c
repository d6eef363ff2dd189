// residual.c -- residual flexibility by conjugate gradients on the complement of the modes kept.
//   Preconditioner S = K - sigma M, sigma < 0, projected: S^-1 K has the eigenvalues
//   lambda/(lambda + |sigma|) on the modes not kept. All lambda far above |sigma| are one cluster
//   at 1, so that about as many steps are needed as modes lie below |sigma|, and a few more.
#include "linalg/sparse/residual.h"

#include <string.h>

#include "linalg/dot.h"
#include "linalg/sparse/product.h"

enum { MOST_STEPS = 2000, NO_BETTER = 30 };
static const double enough = 1e-10;    // of the first residual, in the norm of S^-1
static const double acceptable = 1e-7; // where rounding ends the descent earlier

static const double rounding = 1e-12; // of a force: what the modes leave of it is nothing

typedef struct descent {
    double *r, *z, *p, *Kp, *work;
    double rz; // r' S^-1 r
} descent;

// z -= Phi Phi' M z
static void keep_out(const jd_complement *c, double *z, double *work) {
    size_t n = (size_t)c->K->n;
    jd_sparse_times(c->M, z, work);
    for (int k = 0; k < c->n_mode; k++) {
        const double *phi = c->vector + (size_t)k * n;
        double share = jd_dot(c->K->n, phi, work);
        for (size_t i = 0; i < n; i++) z[i] -= share * phi[i];
    }
}

// r = b - M Phi Phi' b
static void unload(const jd_complement *c, const double *b, double *r, double *work) {
    size_t n = (size_t)c->K->n;
    memset(work, 0, n * sizeof *work);
    for (int k = 0; k < c->n_mode; k++) {
        const double *phi = c->vector + (size_t)k * n;
        double share = jd_dot(c->K->n, phi, b);
        for (size_t i = 0; i < n; i++) work[i] += share * phi[i];
    }
    jd_sparse_times(c->M, work, r);
    for (size_t i = 0; i < n; i++) r[i] = b[i] - r[i];
}

// sum of f_i^2/K_ii: of the unit of a flexibility, and no larger than f' K^-1 f for a single force.
static double size_of(const jd_sparse *K, const double *f) {
    double sum = 0;
    for (int j = 0; j < K->n; j++)
        for (int p = K->start[j]; p < K->start[j + 1]; p++)
            if (K->row[p] == j && K->value[p] > 0) sum += f[j] * f[j] / K->value[p];
    return sum;
}

static jd_status precondition(const jd_complement *c, descent *d) {
    JD_TRY(jd_factor_solve(c->factor, d->r, d->z));
    keep_out(c, d->z, d->work);
    d->rz = jd_dot(c->K->n, d->r, d->z);
    return JD_OK;
}

// One step of conjugate gradients; false: rounding leaves nothing to gain.
static jd_status step(const jd_complement *c, descent *d, double *x, bool *on) {
    int n = c->K->n;
    jd_sparse_times(c->K, d->p, d->Kp);
    double energy = jd_dot(n, d->p, d->Kp), before = d->rz;
    *on = energy > 0;
    if (!*on) return JD_OK;
    double length = before / energy;
    for (int i = 0; i < n; i++) x[i] += length * d->p[i];
    for (int i = 0; i < n; i++) d->r[i] -= length * d->Kp[i];
    JD_TRY(precondition(c, d));
    *on = d->rz > 0;
    for (int i = 0; *on && i < n; i++) d->p[i] = d->z[i] + d->rz / before * d->p[i];
    return JD_OK;
}

static jd_status descend(jd_arena *arena, const jd_complement *c, const double *b, double *x) {
    size_t n = (size_t)c->K->n;
    descent d = {JD_TAKE(arena, double, n), JD_TAKE(arena, double, n), JD_TAKE(arena, double, n),
                 JD_TAKE(arena, double, n), JD_TAKE(arena, double, n), 0};
    JD_TRY(jd_arena_status(arena));
    memset(x, 0, n * sizeof *x);
    unload(c, b, d.r, d.work);
    double force = size_of(c->K, b);
    if (size_of(c->K, d.r) <= rounding * rounding * force) return JD_OK; // the modes have it all
    JD_TRY(precondition(c, &d));
    memcpy(d.p, d.z, n * sizeof *d.p);
    double first = d.rz, best = d.rz;
    bool on = first > 0;
    for (int i = 0, since = 0; on && i < MOST_STEPS && since < NO_BETTER; i++, since++) {
        JD_TRY(step(c, &d, x, &on));
        if (d.rz < best) {
            best = d.rz;
            since = 0;
        }
        if (d.rz <= enough * enough * first) break;
    }
    keep_out(c, x, d.work);
    if (best <= fmax(acceptable * acceptable * first, 1e-22 * force)) return JD_OK;
    return jd_fail(
        jd_arena_context(arena), JD_NO_CONVERGENCE,
        "the static deflection under a force cannot be computed: the matrices leave only "
        "%.1g of it",
        sqrt(best / first));
}

jd_status jd_residual_shape(jd_arena *arena, const jd_complement *c, const double *b, double *out) {
    jd_arena_mark mark = jd_arena_here(arena);
    jd_status status = descend(arena, c, b, out);
    jd_arena_back(arena, mark);
    return status;
}
