// series_body.h -- the inner loops of the series, compiled once per instruction set
// (JD_EXPANSION_KERNEL).
//   Four lanes are written out as one vector type, so every build adds in the same order.
#include <math.h>
#include <string.h>

#include "base/lanes.h"
#include "engine/taylor/series.h"
#include "linalg/combine.h"

// clang-format off
#define MODULUS(x) ((v4)((i4)(x) & ~(i4)ALL(-0.0)))
// clang-format on

// out = f (u[i+1] - 2 u[i] + u[i-1]); rows are padded, what lies beyond node n is never used.
static void bend(int n, double f, const double *u, double *out) {
    v4 factor = ALL(f);
    for (int i = 0; i < n; i += 4) {
        v4 here = LOAD(u + i);
        STORE(out + i, factor * ((LOAD(u + i + 1) - here) - (here - LOAD(u + i - 1))));
    }
}

// sum += a x over whole vectors
static inline void add(int n, double a, const double *x, double *sum) {
    v4 factor = ALL(a);
    for (int i = 0; i < n; i += 4) STORE(sum + i, LOAD(sum + i) + factor * LOAD(x + i));
}

static void project(int rows, int columns, int stride, const double *M, const double *x,
                    double *out) {
    for (int r = 0; r < rows; r++) {
        const double *m = M + (size_t)r * (size_t)stride;
        v4 a = ALL(0), b = ALL(0);
        int q = 0;
        for (; q + 8 <= columns; q += 8) {
            a += LOAD(m + q) * LOAD(x + q);
            b += LOAD(m + q + 4) * LOAD(x + q + 4);
        }
        if (q < columns) a += LOAD(m + q) * LOAD(x + q);
        a += b;
        out[r] = (a[0] + a[1]) + (a[2] + a[3]);
    }
}

static void add_drives(const jd_expansion *s, int k, double f, double *un, double *e) {
    const jd_semi *y = s->semi;
    for (int d = 0; d < y->n_drive; d++) {
        const jd_semi_drive *drive = &y->drive[d];
        double p = f * s->drive[d * (JD_EXPANSION_ORDER + 1) + k];
        if (drive->modal) {
            add(y->stride, p, drive->modal, e);
        } else {
            int i = drive->node, j = i + 1 < y->n ? i + 1 : i;
            un[i] += p * drive->weight[0] / y->mass[i];
            un[j] += p * drive->weight[1] / y->mass[j];
        }
    }
}

// Stuck cells move with the counter body; the forces that hold them there.
static void hold(jd_expansion *s, int k, double f, const double *e, double *un) {
    const jd_semi *y = s->semi;
    int m = s->n_stuck, padded = (m + 3) & ~3;
    double *force = s->force + (size_t)k * (size_t)y->cell_stride;
    double *modal = s->eta + (size_t)(k + 2) * (size_t)y->stride;
    double *pull = s->stuck_pull, *counter = s->stuck_counter, *right = s->modal_right;
    for (int r = 0; r < m; r++) pull[r] = s->slot_mass[r] * un[y->first + s->slot[r]];
    memcpy(right, e, (size_t)y->stride * sizeof *right);
    jd_combine(m, y->stride, y->stride, pull, s->slot_shape, right);
    memset(modal, 0, (size_t)y->stride * sizeof *modal);
    jd_combine(y->n_mode, y->stride, y->stride, right, s->inverse, modal);
    memset(counter, 0, (size_t)padded * sizeof *counter);
    jd_combine(y->n_mode, padded, y->cell_stride, modal, s->slot_shape_t, counter);
    for (int r = 0; r < m; r++) {
        force[r] = (s->slot_mass[r] * counter[r] - pull[r]) / f;
        un[y->first + s->slot[r]] = counter[r];
    }
}

// Springs of stuck cells: their forces, and what these do to nodes and modes.
static void pull_springs(jd_expansion *s, int k, double f, double *e, double *un) {
    const jd_semi *y = s->semi;
    int m = s->n_stuck, padded = (m + 3) & ~3;
    double *force = s->force + (size_t)k * (size_t)y->cell_stride;
    const double *eta = s->eta + (size_t)k * (size_t)y->stride, *uk = jd_expansion_u(s, k);
    double *counter = s->stuck_counter, *pull = s->stuck_pull;
    memset(counter, 0, (size_t)padded * sizeof *counter);
    jd_combine(y->n_mode, padded, y->cell_stride, eta, s->slot_shape_t, counter);
    for (int r = 0; r < m; r++) {
        double x = uk[y->first + s->slot[r]] - counter[r];
        if (k == 0) x -= s->slot_anchor[r];
        if (k == 1) x -= y->velocity * s->dt;
        force[r] = -s->slot_spring[r] * x;
        un[y->first + s->slot[r]] += f * force[r] / s->slot_mass[r];
        pull[r] = -f * force[r];
    }
    jd_combine(m, y->stride, y->stride, pull, s->slot_shape, e);
}

// - C u' of the rod, and of the modes.
static void damp(jd_expansion *s, int k, double *e, double *un) {
    const jd_semi *y = s->semi;
    double g = s->dt / (k + 2.0), *u1 = jd_expansion_u(s, k + 1);
    const double *eta1 = s->eta + (size_t)(k + 1) * (size_t)y->stride;
    u1[-1] = u1[1];
    u1[y->n] = u1[y->n - 2];
    bend(y->n, g * y->damping.beta * y->rate * y->rate, u1, s->bent);
    for (int i = 0; i < y->n; i++) un[i] += s->bent[i] - g * y->damping.alpha * u1[i];
    for (int q = 0; q < y->stride; q++) e[q] -= g * y->damping.mode[q] * eta1[q];
}

static void expand_order(jd_expansion *s, int k) {
    const jd_semi *y = s->semi;
    double f = s->dt * s->dt / ((k + 1.0) * (k + 2.0));
    double *uk = jd_expansion_u(s, k), *un = jd_expansion_u(s, k + 2);
    const double *eta = s->eta + (size_t)k * (size_t)y->stride;
    double *e = s->modal_pull;
    uk[-1] = uk[1]; // half mass and one spring: as if mirrored
    uk[y->n] = uk[y->n - 2];
    bend(y->n, f * y->rate * y->rate, uk, un);
    for (int q = 0; q < y->stride; q++) e[q] = -f * y->omega2[q] * eta[q];
    if (k == 0) {
        add(y->stride, f, s->push_eta, e);
        for (int j = 0; j < y->n_cell; j++) un[y->first + j] += f * s->push[j];
    }
    add_drives(s, k, f, un, e);
    if (y->damping.acts) damp(s, k, e, un);
    if (y->elastic && s->n_stuck > 0) pull_springs(s, k, f, e, un);
    if (s->n_stuck > 0 && !y->elastic)
        hold(s, k, f, e, un);
    else
        memcpy(s->eta + (size_t)(k + 2) * (size_t)y->stride, e, (size_t)y->stride * sizeof *e);
    if (y->fixed[0]) un[0] = 0;
    if (y->fixed[1]) un[y->n - 1] = 0;
}

static void expand(jd_expansion *s, int orders) {
    for (int k = 0; k + 2 <= orders; k++) expand_order(s, k);
}

static void sizes(jd_expansion *s) {
    const jd_semi *y = s->semi;
    size_t row = (size_t)s->row, cells = (size_t)y->cell_stride;
    for (int j = 0; j < y->n_cell; j += 4) {
        v4 sum = ALL(0);
        const double *u = jd_expansion_u(s, 2) + y->first + j;
        for (int k = 2; k <= JD_EXPANSION_ORDER; k++, u += row) sum += ALL(k) * MODULUS(LOAD(u));
        STORE(s->size + j, sum);
    }
    for (int r = 0; r < s->n_stuck; r += 4) {
        v4 sum = ALL(0);
        const double *f = s->force + cells + r;
        for (int k = 1; k <= JD_EXPANSION_ORDER - 2; k++, f += cells) sum += MODULUS(LOAD(f));
        STORE(s->slot_size + r, sum);
    }
    s->size_eta = 0;
    for (int k = 2; k <= JD_EXPANSION_ORDER; k++) {
        double sum = 0;
        const double *eta = s->eta + (size_t)k * (size_t)y->stride;
        for (int q = 0; q < y->n_mode; q++) sum += eta[q] * eta[q];
        s->size_eta += k * sqrt(sum);
    }
}

// Horner for n numbers that stand `row` apart from order to order.
static void horner(int n, size_t row, const double *c, double tau, double *value, double *rate) {
    v4 t = ALL(tau);
    for (int i = 0; i < n; i += 4) {
        const double *x = c + JD_EXPANSION_ORDER * row + i;
        v4 a = LOAD(x), b = ALL(0);
        for (int k = 1; k <= JD_EXPANSION_ORDER; k++) {
            x -= row;
            b = b * t + a;
            a = a * t + LOAD(x);
        }
        STORE(value + i, a);
        STORE(rate + i, b);
    }
}

static void evaluate(const jd_expansion *s, double tau, double *u, double *v, double *eta,
                     double *eta_v) {
    horner(s->semi->n, (size_t)s->row, jd_expansion_u(s, 0), tau, u, v);
    horner(s->semi->n_mode, (size_t)s->semi->stride, s->eta, tau, eta, eta_v);
}

static void spread(const jd_semi *y, const double *modal, double *cell) {
    memset(cell, 0, (size_t)y->cell_stride * sizeof *cell);
    jd_combine(y->n_mode, y->cell_stride, y->cell_stride, modal, y->shape_t, cell);
}

const jd_expansion_kernel JD_EXPANSION_KERNEL = {expand, sizes,      evaluate,
                                                 spread, jd_combine, project};
