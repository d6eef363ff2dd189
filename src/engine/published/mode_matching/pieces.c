// pieces.c -- the sliding pieces of the rod in modal coordinates.
//   Forces constant within a step: friction, and springs to the stuck neighbours where they are at
//   t0. Drives A sin(Omega t + phase) + level + slope t by their particular solutions.
#include <math.h>
#include <string.h>

#include "engine/published/mode_matching/match.h"

static bool is_stuck(const jd_match *m, int node) {
    int j = node - m->semi->first;
    return j >= 0 && j < m->semi->n_cell && m->cells.state.slide[j] == 0;
}

static bool slides(const jd_match *m, int node) {
    const jd_semi *y = m->semi;
    if ((node == 0 && y->fixed[0]) || (node == y->n - 1 && y->fixed[1])) return false;
    return !is_stuck(m, node);
}

static int pad(int n) { return (n + JD_SEMI_LANES - 1) / JD_SEMI_LANES * JD_SEMI_LANES; }

// Modal force of nodal friction and of the stuck neighbours.
static void project_force(jd_match *m, const jd_piece *p) {
    const jd_semi *y = m->semi;
    double *nodal = m->scratch.nodal;
    memset(nodal, 0, (size_t)pad(p->n) * sizeof *nodal);
    for (int i = 0; i < p->n; i++) {
        int j = p->first + i - y->first;
        if (j >= 0 && j < y->n_cell) nodal[i] = -m->cells.state.slide[j] * y->limit[j];
    }
    if (p->first > 0) nodal[0] += y->spring * m->trial.u[p->first - 1];
    if (p->first + p->n < y->n) nodal[p->n - 1] += y->spring * m->trial.u[p->first + p->n];
    m->cells.series.kernel->project(p->n, p->modes->stride, p->modes->stride, p->modes->shape,
                                    nodal, m->start.force + p->first);
}

// q = Phi' M x of nodal values.
static void project_motion(jd_match *m, const jd_piece *p, const double *x, double *q) {
    double *nodal = m->scratch.nodal;
    memset(nodal, 0, (size_t)pad(p->n) * sizeof *nodal);
    for (int i = 0; i < p->n; i++) nodal[i] = m->semi->mass[p->first + i] * x[p->first + i];
    m->cells.series.kernel->project(p->n, p->modes->stride, p->modes->stride, p->modes->shape,
                                    nodal, q + p->first);
}

static bool was_there(const jd_match *m, const jd_piece *p) {
    for (int i = 0; i < m->pieces.n_old; i++)
        if (m->pieces.old[i].first == p->first && m->pieces.old[i].n == p->n) return true;
    return false;
}

static jd_status take_piece(jd_match *m, int first, int n) {
    const jd_semi *y = m->semi;
    jd_piece *p = &m->pieces.now[m->pieces.n++];
    int ends = (first == 0) | (first + n == y->n) << 1;
    *p = (jd_piece){first, n, jd_chain_find(&m->cache, n, ends, y->n + 2)};
    if (!p->modes) return JD_OUT_OF_MEMORY;
    if (!was_there(m, p)) {
        project_motion(m, p, m->trial.u, m->start.q);
        project_motion(m, p, m->trial.v, m->start.q_rate);
    }
    project_force(m, p);
    return JD_OK;
}

jd_status jd_match_cut(jd_match *m) {
    jd_piece *old = m->pieces.now;
    m->pieces.now = m->pieces.old;
    m->pieces.old = old;
    m->pieces.n_old = m->pieces.n;
    m->pieces.n = 0;
    for (int i = 0; i < m->semi->n; i++) {
        int first = i;
        while (i < m->semi->n && slides(m, i)) i++;
        if (i > first) JD_TRY(take_piece(m, first, i - first));
    }
    return JD_OK;
}

// A drive within a step, as a piece sees it.
typedef struct push {
    double constant, slope;        // p = constant + slope s + harmonic
    double amplitude, omega;       // of the harmonic part
    double sin0, cos0, sin1, cos1; // at both ends of the step
    const double *at;              // shape at its first node, of mode 0
    double weight[2];              // of the two nodes, 0 where one is not in the piece
} push;

static bool find_push(const jd_match *m, const jd_piece *p, int drive, double d, push *out) {
    const jd_semi_drive *e = &m->semi->drive[drive];
    const jd_drive_segment *g = &m->cells.segments.of[drive];
    int i = e->node - p->first;
    if (e->modal || i < -1 || i >= p->n) return false;
    double turn = g->omega * m->start.t0 + g->phase, end = turn + g->omega * d;
    *out = (push){.constant = g->level + g->slope * (m->start.t0 - g->start),
                  .slope = g->slope,
                  .amplitude = g->amplitude,
                  .omega = g->omega,
                  .sin0 = sin(turn),
                  .cos0 = cos(turn),
                  .sin1 = sin(end),
                  .cos1 = cos(end),
                  .at = p->modes->shape + i,
                  .weight = {i >= 0 ? e->weight[0] : 0, i + 1 < p->n ? e->weight[1] : 0}};
    return out->weight[0] != 0 || out->weight[1] != 0;
}

static double share(const push *e, const jd_piece *p, int k) {
    const double *at = e->at + (size_t)k * (size_t)p->modes->stride;
    return (e->weight[0] != 0 ? e->weight[0] * at[0] : 0) +
           (e->weight[1] != 0 ? e->weight[1] * at[1] : 0);
}

// Adds what one drive does to every mode of the piece over a step d.
static void add_push(jd_match *m, const jd_piece *p, const push *e, double d, const double *c,
                     const double *s) {
    double *q1 = m->trial.q + p->first, *r1 = m->trial.q_rate + p->first;
    for (int k = 0; k < p->n; k++) {
        double w = p->modes->omega[k], w2 = w * w, a = share(e, p, k), x = 0, r = 0;
        double P = a * e->constant, S = a * e->slope;
        if (w > 0) {
            x = (P * (1 - c[k]) + S * (d - s[k])) / w2;
            r = P * s[k] + S * (1 - c[k]) / w2;
        } else {
            x = (P / 2 + S * d / 6) * d * d;
            r = (P + S * d / 2) * d;
        }
        double A = a * e->amplitude, gap = w2 - e->omega * e->omega;
        if (A != 0 && fabs(gap) > 1e-6 * (w2 + e->omega * e->omega)) {
            double f = A / gap, v0 = e->omega * e->cos0;
            x += f * (e->sin1 - e->sin0 * c[k] - v0 * s[k]);
            r += f * (e->omega * e->cos1 + e->sin0 * w2 * s[k] - v0 * c[k]);
        } else if (A != 0) { // resonance: trapezoidal rule
            x += 0.5 * d * A * e->sin0 * s[k];
            r += 0.5 * d * A * (e->sin0 * c[k] + e->sin1);
        }
        q1[k] += x;
        r1[k] += r;
    }
}

void jd_piece_advance(jd_match *m, const jd_piece *p, double d) {
    const double *c = p->modes->turn[0], *s = p->modes->turn[1], *omega = p->modes->omega;
    const double *q = m->start.q + p->first, *r = m->start.q_rate + p->first,
                 *f = m->start.force + p->first;
    double *q1 = m->trial.q + p->first, *r1 = m->trial.q_rate + p->first;
    if (d != m->step) {
        double *cos_d = m->scratch.cosine, *sin_d = m->scratch.sine;
        for (int k = 0; k < p->n; k++) {
            cos_d[k] = cos(omega[k] * d);
            sin_d[k] = omega[k] > 0 ? sin(omega[k] * d) / omega[k] : d;
        }
        c = cos_d;
        s = sin_d;
    }
    for (int k = 0; k < p->n; k++) {
        double w2 = omega[k] * omega[k];
        double still = w2 > 0 ? f[k] * (1 - c[k]) / w2 : 0.5 * f[k] * d * d;
        q1[k] = q[k] * c[k] + r[k] * s[k] + still;
        r1[k] = (f[k] - w2 * q[k]) * s[k] + r[k] * c[k];
    }
    push e;
    for (int i = 0; i < m->semi->n_drive; i++)
        if (find_push(m, p, i, d, &e)) add_push(m, p, &e, d, c, s);
}

void jd_piece_kick(const jd_piece *p, double left, double right, double *modal) {
    const double *first = p->modes->shape, *last = first + p->n - 1;
    size_t stride = (size_t)p->modes->stride;
    if (left == 0 && right == 0) return;
    for (int k = 0; k < p->n; k++)
        modal[p->first + k] += left * first[(size_t)k * stride] + right * last[(size_t)k * stride];
}
