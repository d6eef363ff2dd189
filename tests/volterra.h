// volterra.h -- a reference for strings with all their modes: the equation with memory solved from
// its closed kernel alone, without modes, sums of exponentials or delay lines.
//   v_i(t) = free_i(t) + sum_j [ gamma_ij F_j(t) + int_0^t G'_ij(tau) F_j(t - tau) dtau ]
//   G'_ij = sum_k n_ik n_jk Im(-a z^k)/r,  z = e^{-a pi c tau/L},  a = D - i r,  r = sqrt(1 - D^2)
//   n_ik n_jk = [cos k pi X- - cos k pi X+]/(rho L): sums of geometric series, whose poles are the
//   echoes: tau = d (r -/+ i D) for the way d.
//   Panels of Gauss's nodes, halved until the forces' Legendre coefficients have fallen to
//   rounding; integrals over them by Gauss's rule on pieces no longer than their distance from the
//   poles. Old pieces are taken together, two and two and so on, where the kernel is smooth over
//   all of them: a group is known by its moments int F l_m against the polynomials of WIDE nodes.
#ifndef JD_TESTS_VOLTERRA_H
#define JD_TESTS_VOLTERRA_H

#include "volterra_kernel.h"

// int G'(t - s) l_m(s) ds over s in [lo, hi], l_m the polynomials of the panel [from, from+length].
static inline void volterra_integrate(const volterra *w, int i, int j, double t, double from,
                                      double length, double lo, double hi, double *sum) {
    if (hi <= lo) return;
    double far = volterra_distance(w, i, j, t - hi, t - lo);
    if (hi - lo > 0.8 * far) {
        double mid = (lo + hi) / 2;
        volterra_integrate(w, i, j, t, from, length, lo, mid, sum);
        volterra_integrate(w, i, j, t, from, length, mid, hi, sum);
        return;
    }
    for (int q = 0; q < VOLTERRA_NODES; q++) {
        double s = lo + (hi - lo) * w->rule.node[q], share[VOLTERRA_NODES];
        double value = (hi - lo) * w->rule.weight[q] * volterra_kernel(w, i, j, t - s, false);
        volterra_shares(&w->rule, (s - from) / length, share);
        for (int m = 0; m < VOLTERRA_NODES; m++) sum[m] += value * share[m];
    }
}

// Velocity of contact i at t by a piece of the force of contact j.
static inline double volterra_effect(const volterra *w, int i, int j, const volterra_piece *old,
                                     double t) {
    double v = 0, end = old->from + old->length;
    if (old->constant)
        return old->force[0] * (volterra_kernel(w, i, j, t - old->from, true) -
                                volterra_kernel(w, i, j, t - end, true));
    if (old->length < 0.8 * volterra_distance(w, i, j, t - end, t - old->from)) {
        for (int q = 0; q < VOLTERRA_NODES; q++)
            v += w->rule.weight[q] * old->force[q] *
                 volterra_kernel(w, i, j, t - old->from - old->length * w->rule.node[q], false);
        return v * old->length;
    }
    double sum[VOLTERRA_NODES] = {0};
    volterra_integrate(w, i, j, t, old->from, old->length, old->from, end, sum);
    for (int m = 0; m < VOLTERRA_NODES; m++) v += sum[m] * old->force[m];
    return v;
}

// The same by a group of pieces, or by the parts of it over which the kernel is smooth.
static inline double volterra_grouped(const volterra *w, int i, int j, int level, int k, double t) {
    if (level == 0) return volterra_effect(w, i, j, &w->piece[j][k], t);
    const volterra_group *g = &w->group[j][level][k];
    double v = 0;
    if (g->length > 0.8 * volterra_distance(w, i, j, t - g->from - g->length, t - g->from))
        return volterra_grouped(w, i, j, level - 1, 2 * k, t) +
               volterra_grouped(w, i, j, level - 1, 2 * k + 1, t);
    for (int q = 0; q < VOLTERRA_WIDE; q++)
        v += g->moment[q] *
             volterra_kernel(w, i, j, t - g->from - g->length * w->wide.node[q], false);
    return v;
}

// By all pieces of contact j: those in no group one by one, the others in groups as large as are.
static inline double volterra_past(const volterra *w, int i, int j, double t) {
    double v = 0;
    int end = w->n_piece[j];
    for (int level = 0; level < VOLTERRA_LEVELS; level++) {
        int above = level + 1 < VOLTERRA_LEVELS ? 2 * w->n_group[j][level + 1] : 0;
        for (int k = above; k < end; k++) v += volterra_grouped(w, i, j, level, k, t);
        end = above / 2;
    }
    return v;
}

// Moments of a piece or a group against the polynomials of the group g: sums over WIDE nodes,
// exact.
static inline void volterra_gather(const volterra *w, double from, double length,
                                   const double *moment, volterra_group *g) {
    double share[VOLTERRA_WIDE];
    for (int q = 0; q < VOLTERRA_WIDE; q++) {
        double s = from + length * w->wide.node[q];
        volterra_shares(&w->wide, (s - g->from) / g->length, share);
        for (int m = 0; m < VOLTERRA_WIDE; m++) g->moment[m] += moment[q] * share[m];
    }
}

static inline void volterra_gather_piece(const volterra *w, const volterra_piece *p,
                                         volterra_group *g) {
    double moment[VOLTERRA_WIDE];
    for (int q = 0; q < VOLTERRA_WIDE; q++) {
        double f = p->constant ? p->force[0] : volterra_at(w, p->force, w->wide.node[q]);
        moment[q] = w->wide.weight[q] * p->length * f;
    }
    volterra_gather(w, p->from, p->length, moment, g);
}

// Groups of all pieces but the last, which may still grow.
static inline void volterra_group_up(volterra *w, int j) {
    int n = w->n_piece[j] - 1;
    for (int level = 1; level < VOLTERRA_LEVELS; level++, n = w->n_group[j][level - 1])
        for (int *k = &w->n_group[j][level]; 2 * *k + 1 < n; ++*k) {
            volterra_group *g = &w->group[j][level][*k];
            for (int side = 0; side < 2; side++) {
                const volterra_piece *p = &w->piece[j][2 * *k + side];
                const volterra_group *below = &w->group[j][level - 1][2 * *k + side];
                double from = level == 1 ? p->from : below->from;
                double length = level == 1 ? p->length : below->length;
                if (side == 0) *g = (volterra_group){.from = from};
                g->length = from + length - g->from;
            }
            for (int side = 0; side < 2; side++) {
                if (level == 1)
                    volterra_gather_piece(w, &w->piece[j][2 * *k + side], g);
                else {
                    const volterra_group *below = &w->group[j][level - 1][2 * *k + side];
                    volterra_gather(w, below->from, below->length, below->moment, g);
                }
            }
        }
}

// Velocity of contact i at t by the drive, in pieces that its polynomials of Gauss's nodes resolve.
static inline double volterra_driven(const volterra *w, int i, double t) {
    const double length = 0.1;
    double v = 0;
    for (double from = 0; from < t; from += length) {
        double sum[VOLTERRA_NODES] = {0};
        volterra_integrate(w, i, w->n, t, from, length, from, fmin(from + length, t), sum);
        for (int m = 0; m < VOLTERRA_NODES; m++) {
            double s = from + length * w->rule.node[m];
            v += sum[m] * w->drive.amplitude * sin(w->drive.omega * s + w->drive.phase);
        }
    }
    return v;
}

// Velocity at x by mode 1, which moved at t = 0.
static inline double volterra_free_velocity(const volterra_body *w, double x, double t) {
    double omega = volterra_pi * w->speed, n = sqrt(2 / w->density), e = exp(-w->D * omega * t);
    double c = cos(w->r * omega * t), s = sin(w->r * omega * t) / w->r;
    return n * sin(volterra_pi * x) * e * (w->rate * (c - w->D * s) - w->amplitude * omega * s);
}

// Velocity of contact i at t without the panel that begins at the end of the others.
static inline double volterra_known(const volterra *w, int i, double t) {
    volterra_leg leg[2];
    double v = 0;
    for (int k = volterra_legs(w, i, leg) - 1; k >= 0; k--)
        v += leg[k].sign * volterra_free_velocity(&w->body[leg[k].body], leg[k].x, t);
    if (w->drive.amplitude != 0) v += volterra_driven(w, i, t);
    for (int j = 0; j < w->n; j++) v += volterra_past(w, i, j, t);
    return v;
}

static inline double volterra_gamma(const volterra *w, int i) {
    volterra_leg leg[2];
    double sum = 0;
    for (int k = volterra_legs(w, i, leg) - 1; k >= 0; k--) sum += w->body[leg[k].body].gamma;
    return sum;
}

static inline void volterra_prepare(volterra *w, double from, double length) {
    for (int i = 0; i < w->n; i++)
        for (int l = 0; l < VOLTERRA_NODES; l++) {
            double t = from + length * w->rule.node[l];
            w->known[i][l] = volterra_known(w, i, t);
            for (int j = 0; j < w->n; j++) {
                double *row = w->own[i][j][l];
                memset(row, 0, sizeof w->own[i][j][l]);
                volterra_integrate(w, i, j, t, from, length, from, t, row);
                if (i == j) row[l] += volterra_gamma(w, i);
            }
        }
}

static inline double volterra_law(const volterra_contact *c, double u, double *slope) {
    double e = c->drop * exp(-c->decay * u);
    *slope = c->slope - c->decay * e;
    return c->limit - c->drop + e + c->slope * u;
}

static inline double volterra_hold(const volterra_contact *c) { return fmax(c->hold, c->limit); }

static inline void volterra_velocities(volterra *w, const volterra_panel *p) {
    for (int i = 0; i < w->n; i++)
        for (int l = 0; l < VOLTERRA_NODES; l++) {
            double v = w->known[i][l];
            for (int j = 0; j < w->n; j++)
                for (int m = 0; m < VOLTERRA_NODES; m++) v += w->own[i][j][l][m] * p->force[j][m];
            w->v[i][l] = v;
        }
}

// Newton's method for all forces at the nodes.
static inline void volterra_newton(volterra *w, volterra_panel *p) {
    enum { P = VOLTERRA_NODES, MOST = VOLTERRA_CONTACTS * VOLTERRA_NODES };
    static double A[MOST * MOST], b[MOST];
    int n = w->n * P;
    for (int round = 0; round < 12; round++) {
        double change = 0;
        volterra_velocities(w, p);
        for (int i = 0; i < w->n; i++)
            for (int l = 0; l < P; l++) {
                const volterra_contact *c = &w->contact[i];
                int s = w->state[i], row = i * P + l;
                double u = w->v[i][l] - c->belt, slope;
                double f = volterra_law(c, s * u, &slope);
                b[row] = s ? -s * f - p->force[i][l] : -u;
                for (int j = 0; j < w->n; j++)
                    for (int m = 0; m < P; m++)
                        A[row * n + j * P + m] =
                            (s ? slope : 1) * w->own[i][j][l][m] + (s && row == j * P + m ? 1 : 0);
            }
        volterra_solve(n, A, b);
        for (int i = 0; i < n; i++) {
            p->force[i / P][i % P] += b[i];
            change = fmax(change, fabs(b[i]));
        }
        if (change < 1e-14) break;
    }
    volterra_velocities(w, p);
}

// Largest of the last two Legendre coefficients of values at the nodes.
static inline double volterra_unresolved(const volterra *w, const double *value) {
    double last[2] = {0, 0};
    for (int l = 0; l < VOLTERRA_NODES; l++) {
        double x = 2 * w->rule.node[l] - 1, a = 1, b = x;
        for (int k = 2; k < VOLTERRA_NODES; k++) {
            double c = ((2 * k - 1) * x * b - (k - 1) * a) / k;
            a = b, b = c;
        }
        last[0] += (2 * VOLTERRA_NODES - 3) * w->rule.weight[l] * a * value[l];
        last[1] += (2 * VOLTERRA_NODES - 1) * w->rule.weight[l] * b * value[l];
    }
    return fmax(fabs(last[0]), fabs(last[1]));
}

// > 0 while contact i keeps its state.
static inline double volterra_guard(const volterra *w, const volterra_panel *p, int i, double y) {
    const volterra_contact *c = &w->contact[i];
    if (w->state[i]) return w->state[i] * (volterra_at(w, w->v[i], y) - c->belt);
    return volterra_hold(c) - fabs(volterra_at(w, p->force[i], y));
}

// First crossing in (0, 1], or 2; a guard that begins at 0 must have risen before.
static inline double volterra_crossing(const volterra *w, const volterra_panel *p, bool fresh,
                                       int who, int *which) {
    enum { SCAN = 64 };
    double first = 2;
    for (int i = 0; i < w->n; i++) {
        double before = 0, a = 0;
        for (int k = fresh && i == who ? 1 : 0; k <= SCAN; k++) {
            double y = (double)k / SCAN, g = volterra_guard(w, p, i, y);
            if (g < 0 && k > 0 && before > 0) {
                double b = y;
                for (int round = 0; round < 60; round++) {
                    double mid = (a + b) / 2;
                    *(volterra_guard(w, p, i, mid) > 0 ? &a : &b) = mid;
                }
                if (b < first) first = b, *which = i;
                break;
            }
            before = g, a = y;
        }
    }
    return first;
}

static inline volterra_panel volterra_try(volterra *w, double from, double length) {
    volterra_panel p = {.from = from, .length = length};
    volterra_prepare(w, from, length);
    for (int i = 0; i < w->n; i++)
        for (int l = 0; l < VOLTERRA_NODES; l++) p.force[i][l] = -w->state[i] * w->contact[i].limit;
    volterra_newton(w, &p);
    return p;
}

static inline void volterra_begin(volterra *w) {
    if (w->n_body == 0) w->n_body = 1;
    for (int i = 0; i < w->n_body; i++) {
        volterra_body *b = &w->body[i];
        b->r = sqrt((1 - b->D) * (1 + b->D));
        b->gamma = acos(b->D) / (volterra_pi * b->r * b->density * b->speed);
    }
    volterra_nodes(VOLTERRA_NODES, &w->rule);
    volterra_nodes(VOLTERRA_WIDE, &w->wide);
    w->n_event = 0;
    for (int i = 0; i < w->n; i++) {
        w->n_piece[i] = 0;
        w->piece[i] = malloc(VOLTERRA_PIECES * sizeof *w->piece[i]);
        assert_non_null(w->piece[i]);
        for (int level = 1; level < VOLTERRA_LEVELS; level++) {
            w->n_group[i][level] = 0;
            w->group[i][level] = malloc((VOLTERRA_PIECES >> level) * sizeof *w->group[i][level]);
            assert_non_null(w->group[i][level]);
        }
    }
    for (int i = 0; i < w->n; i++) {
        double u = volterra_known(w, i, 0) - w->contact[i].belt;
        w->state[i] = fabs(u) <= volterra_gamma(w, i) * w->contact[i].limit ? 0 : u > 0 ? 1 : -1;
    }
}

// A contact that slides under a constant force.
static inline bool volterra_constant(const volterra *w, int i) {
    return w->state[i] && w->contact[i].drop == 0 && w->contact[i].slope == 0;
}

static inline void volterra_keep(volterra *w, const volterra_panel *p) {
    for (int i = 0; i < w->n; i++) {
        volterra_piece *last = w->n_piece[i] ? &w->piece[i][w->n_piece[i] - 1] : NULL;
        bool constant = volterra_constant(w, i);
        if (last && last->constant && constant && last->force[0] == p->force[i][0]) {
            last->length = p->from + p->length - last->from;
            continue;
        }
        assert_true(w->n_piece[i] < VOLTERRA_PIECES);
        volterra_piece *next = &w->piece[i][w->n_piece[i]++];
        *next = (volterra_piece){.from = p->from, .length = p->length, .constant = constant};
        memcpy(next->force, p->force[i], sizeof next->force);
        volterra_group_up(w, i);
    }
}

static inline void volterra_change(volterra *w, const volterra_panel *p, int i) {
    double end = volterra_at(w, p->force[i], 1);
    assert_true(w->n_event < VOLTERRA_EVENTS);
    w->state[i] = w->state[i] ? 0 : end > 0 ? -1 : 1; // with gamma > 0 no contact turns at once
    w->event[w->n_event++] =
        (volterra_event){.t = p->from + p->length, .contact = i, .state = w->state[i]};
}

// Events until t_end; free with volterra_free.
static inline void volterra_run(volterra *w, double t_end) {
    double t = 0, h = 1e-3, largest = 0.02;
    int who = -1;
    bool fresh = false;
    volterra_begin(w);
    while (t < t_end) {
        h = fmin(h, t_end - t);
        volterra_panel p = volterra_try(w, t, h);
        double rough = 0;
        for (int i = 0; i < w->n; i++) {
            rough = fmax(rough, volterra_unresolved(w, w->v[i]));
            if (!volterra_constant(w, i)) rough = fmax(rough, volterra_unresolved(w, p.force[i]));
        }
        if (rough > 1e-11 && h > 1e-8) {
            h /= 2;
            continue;
        }
        int which = -1;
        double y = volterra_crossing(w, &p, fresh, who, &which);
        bool ends = y <= 1;
        for (int round = 0; round < 3 && ends; round++) { // until the panel ends there
            double a = y * p.length;
            p = volterra_try(w, t, a);
            double g = volterra_guard(w, &p, which, 1), e = 1e-3;
            double slope = (g - volterra_guard(w, &p, which, 1 - e)) / e;
            y = slope < 0 ? fmin(fmax(1 - g / slope, 0.5), 1.5) : 1;
            if (round < 2 && fabs(y - 1) * a < 1e-16) break;
        }
        volterra_keep(w, &p);
        t = p.from + p.length;
        fresh = ends;
        who = which;
        if (ends) volterra_change(w, &p, which);
        h = fmin(largest, ends ? fmin(h, 2e-3) : rough < 2e-12 ? 2 * h : h);
    }
}

static inline void volterra_free(volterra *w) {
    for (int i = 0; i < w->n; i++) {
        free(w->piece[i]);
        for (int level = 1; level < VOLTERRA_LEVELS; level++) free(w->group[i][level]);
    }
}

#endif
