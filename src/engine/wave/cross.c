// cross.c -- cells that lie across the nodes of their counterpart: moving contact between two rods,
//   rods of different wave speed, spans whose nodes do not meet.
//   Cell j of the structure lies at z2 = z1 + shift + u1 - u2 of the counterpart (moving; else u1 =
//   u2 = 0), over [z2 - h/2, z2 + h/2]; P_jk is the part of it that belongs to node k, sum_k = 1.
//   What the cell loses its counterpart gets, node by node:
//     x_a = xa0 + w_a f,   x_b = xb0 - w_b P'f,   v = x_a - P x_b,   |f| <= F,   f = -F sgn v
//   x: changes over 2 dt; momentum is handed over and f v <= 0 whatever P is, so that both balances
//   hold while cells come in and leave. Stuck cells, rigid or elastic (G = 1/w_a, or
//   k/2/(1 + w_a k/2)), f = G (P x_b - t), t = xa0 + 2 stretch:
//     (1/w_b + P_S' G P_S) x_b = xb0/w_b + P_S' G t + P_K' sgn(v) F
//   a positive definite band. States are those of the step before, changed where they are wrong
//   until none is; should that go round in circles, cell after cell takes its own force
//   (Gauss-Seidel on a strictly convex function, which converges).
#include <math.h>
#include <string.h>

#include "engine/wave/wave.h"

enum { ROUNDS = 60, SWEEPS = 20000 };
static const double tolerance = 1e-15;

// ---- where the cells are

static double cell_left(const jd_grid *g, int i) { return fmax(g->first + (i - 0.5) * g->step, 0); }
static double cell_right(const jd_grid *g, int i) {
    return fmin(g->first + (i + 0.5) * g->step, g->length);
}

static int node_near(const jd_grid *g, double x) {
    int i = (int)floor((x - g->first) / g->step + 0.5);
    return i < 0 ? 0 : i >= g->n ? g->n - 1 : i;
}

// Parts of [low, high] that belong to the nodes of a grid.
static meeting share_out(const jd_grid *g, double low, double high) {
    meeting at = {.node = node_near(g, low)};
    double sum = 0;
    for (int i = at.node; i < g->n && at.n < JD_WAVE_MEET; i++) {
        double part = fmin(cell_right(g, i), high) - fmax(cell_left(g, i), low);
        if (part <= 0 && at.n > 0) break;
        if (part <= 0) {
            at.node = i + 1;
            continue;
        }
        at.share[at.n++] = part;
        sum += part;
    }
    for (int i = 0; i < at.n; i++) at.share[i] /= sum;
    return at;
}

static double seen(const meeting *at, const double *x) {
    double sum = 0;
    for (int i = 0; i < at->n; i++) sum += at->share[i] * x[at->node + i];
    return sum;
}

double jd_cross_seen(const skin *k, int j, const double *x) {
    const meeting *at = &k->cross->at[j];
    return at->n ? seen(at, x) : x[k->cross->first];
}

// Way of a cell along its counterpart since the start: u1 - u2, u2 straight between two nodes.
static double way(const skin *k, int j) {
    const jd_grid *g = &k->b->grid;
    double u = k->a->u[k->ia + j], z = k->cells->position[j] + k->cells->shift + u;
    double x = fmin(fmax((z - g->first) / g->step, 0), g->n - 1);
    int i = x < g->n - 1 ? (int)x : g->n - 2;
    if (g->n < 2) return u - k->b->u[0];
    return u - (k->b->u[i] + (x - i) * (k->b->u[i + 1] - k->b->u[i]));
}

bool jd_cross_place(skin *k) {
    const jd_grid *g = &k->a->grid, *gb = &k->b->grid;
    const jd_interface *f = k->cells;
    double from = f->from + f->shift, slack = 1e-9 * gb->step;
    int near = 0;
    for (int j = 0; j < k->n; j++) {
        double by = f->shift + (f->moving ? way(k, j) : 0);
        double low = cell_left(g, k->ia + j) + by,
               high = fmin(cell_right(g, k->ia + j), f->to) + by;
        if (!f->moving) low = fmax(low, from);
        double in = fmax(low, from);
        if (high > gb->length + slack) return false;
        k->cross->at[j] = (meeting){.n = 0};
        k->most[j] = k->hold[j] = 0;
        if (!(in < high)) continue;
        k->cross->at[j] = share_out(gb, fmin(in, gb->length), fmin(high, gb->length));
        double limit = f->moving ? jd_skin_friction(k, high - from, &near) -
                                       jd_skin_friction(k, in - from, &near)
                                 : f->limit[j];
        k->most[j] = limit / k->per[j];
        k->hold[j] =
            (f->moving ? k->footprint.static_ratio * limit : f->static_limit[j]) / k->per[j];
    }
    return true;
}

// ---- one step

// What a stuck cell asks for: f = gain (P x_b - target).
static double gain(const skin *k, int j) {
    double w = k->a->weight[k->ia + j], half = 0.5 * k->cells->stiffness[j];
    return half > 0 ? half / (1 + w * half) : 1 / w;
}

static double target(const skin *k, int j) {
    return k->cross->free_a[j] + 2 * k->state.stretch_old[j];
}

static void fill_band(skin *k) {
    cross *c = k->cross;
    const rod *b = k->b;
    int w = c->width + 1;
    memset(c->band, 0, (size_t)(b->grid.n * w) * sizeof *c->band);
    for (int i = 0; i < b->grid.n; i++) {
        double mass = b->weight[i] > 0 ? 1 / b->weight[i] : 1;
        c->band[i * w] = mass;
        c->x[i] = mass * c->free_b[i];
    }
    for (int j = k->low; j < k->high; j++) {
        const meeting *at = &c->at[j];
        double g = gain(k, j), force = k->most[j] * k->per[j];
        for (int p = 0; p < at->n; p++) {
            int row = at->node + p;
            if (b->weight[row] == 0) continue;
            if (k->state.slide[j] != 0) {
                c->x[row] += at->share[p] * k->state.slide[j] * force;
                continue;
            }
            c->x[row] += at->share[p] * g * target(k, j);
            for (int q = 0; q <= p; q++)
                if (b->weight[at->node + q] > 0)
                    c->band[(at->node + q) * w + p - q] += g * at->share[p] * at->share[q];
        }
    }
}

// L D L' in place, and the solution.
static void solve_band(cross *c, int n) {
    int w = c->width + 1;
    double *x = c->x;
    for (int j = 0; j < n; j++) {
        double *a = c->band + j * w;
        int last = n - 1 - j < c->width ? n - 1 - j : c->width;
        for (int p = 1; p <= last; p++) {
            double l = a[p] / a[0];
            if (l == 0) continue;
            for (int q = p; q <= last; q++) c->band[(j + p) * w + q - p] -= l * a[q];
            x[j + p] -= l * x[j];
        }
    }
    for (int j = n - 1; j >= 0; j--) {
        const double *a = c->band + j * w;
        double s = x[j];
        for (int p = 1; p <= c->width && j + p < n; p++) s -= a[p] * x[j + p];
        x[j] = s / a[0];
    }
}

// Forces and states for the counterpart's changes; how many states were wrong.
static int judge(skin *k) {
    cross *c = k->cross;
    int wrong = 0;
    for (int j = k->low; j < k->high; j++) {
        const meeting *at = &c->at[j];
        double most = k->most[j] * k->per[j], hold = k->hold[j] * k->per[j],
               *now = &k->state.slide[j];
        c->force[j] = 0;
        if (at->n == 0) continue;
        double there = seen(at, c->x), w = k->a->weight[k->ia + j];
        if (*now == 0) {
            double f = gain(k, j) * (there - target(k, j));
            c->force[j] = f;
            if (fabs(f) <= (c->was[j] == 0 ? hold : most)) continue;
            *now = f > 0 ? -1 : 1;
        } else {
            double f = -*now * most, x = c->free_a[j] + w * f;
            double half = 0.5 * k->cells->stiffness[j];
            c->force[j] = f;
            // stuck it would need less: a rigid cell has turned back, a spring lets go
            double need = half > 0 ? -half * (x - there + 2 * k->state.stretch_old[j]) : f;
            bool slides = half > 0 ? fabs(need) >= most : *now * (x - there) >= 0;
            if (slides) continue;
            *now = 0;
        }
        wrong++;
    }
    return wrong;
}

// Cell after cell by its own force.
static bool relax(skin *k) {
    cross *c = k->cross;
    const rod *b = k->b;
    for (int i = 0; i < b->grid.n; i++) c->x[i] = c->free_b[i];
    for (int j = k->low; j < k->high; j++) {
        double most = k->most[j] * k->per[j];
        c->force[j] = c->at[j].n ? fmin(fmax(c->force[j], -most), most) : 0;
        for (int p = 0; p < c->at[j].n; p++)
            c->x[c->at[j].node + p] -=
                b->weight[c->at[j].node + p] * c->at[j].share[p] * c->force[j];
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double moved = 0, largest = 0;
        for (int j = k->low; j < k->high; j++) {
            const meeting *at = &c->at[j];
            double most = k->most[j] * k->per[j], g = gain(k, j), own = 0;
            if (at->n == 0) continue;
            for (int p = 0; p < at->n; p++)
                own += at->share[p] * at->share[p] * b->weight[at->node + p];
            double f = (g * (seen(at, c->x) + own * c->force[j] - target(k, j))) / (1 + g * own);
            k->state.slide[j] = f > most ? -1 : f < -most ? 1 : 0;
            f = fmin(fmax(f, -most), most);
            for (int p = 0; p < at->n; p++)
                c->x[at->node + p] -= b->weight[at->node + p] * at->share[p] * (f - c->force[j]);
            moved = fmax(moved, fabs(f - c->force[j]));
            largest = fmax(largest, fabs(f));
            c->force[j] = f;
        }
        if (moved <= tolerance * largest) return true;
    }
    return false;
}

static bool settle(skin *k) {
    for (int round = 0; round < ROUNDS; round++) {
        fill_band(k);
        solve_band(k->cross, k->b->grid.n);
        if (judge(k) == 0) return true;
    }
    return relax(k);
}

// Cell j of the skin has this force on the structure: its ledger, its spring.
static void keep_cell(skin *k, int j, double f) {
    double x = k->cross->free_a[j] + k->a->weight[k->ia + j] * f;
    double v = k->cross->at[j].n ? x - seen(&k->cross->at[j], k->cross->x) : 0;
    double half = 0.5 * k->cells->stiffness[j];
    if (k->state.slide[j] == 0 && half == 0) v = 0; // rigid and stuck: rounding is no motion
    k->a->new[k->ia + j] = x;
    k->state.s[j] = -f / k->per[j];
    k->state.d[j] = k->state.s[j] + v;
    if (half > 0) k->state.stretch_old[j] = jd_skin_stretch(k, j, -f / half);
}

bool jd_cross_step(skin *k, double toe_force, int toe_cell) {
    cross *c = k->cross;
    const rod *b = k->b;
    for (int i = 0; i < b->grid.n; i++) c->free_b[i] = c->raw_b[i];
    for (int p = 0; toe_cell >= 0 && p < c->at[toe_cell].n; p++) {
        int node = c->at[toe_cell].node + p;
        c->free_b[node] -= b->weight[node] * c->at[toe_cell].share[p] * toe_force;
    }
    return settle(k);
}

void jd_cross_begin(skin *k) {
    cross *c = k->cross;
    memcpy(c->raw_b, k->b->new, (size_t)k->b->grid.n * sizeof *c->raw_b);
    memcpy(c->free_a, k->a->new + k->ia, (size_t)k->n * sizeof *c->free_a);
    memcpy(c->was, k->state.slide, (size_t)k->n * sizeof *c->was);
    for (int j = 0; j < k->n; j++)
        if (c->at[j].n == 0) k->state.slide[j] = 0;
}

// ---- what is needed for it

static jd_status refuse(const march *m, const skin *k, const char *why, const char *hint) {
    const char *name = jd_problem_contact(k->problem, k->cells->contact)->name;
    jd_fail(m->run->context, JD_NOT_SUPPORTED, "contact `%s`: %s", name, why);
    jd_fail_where(m->run->context, "contacts.%s", name);
    jd_fail_hint(m->run->context, "%s", hint);
    return JD_NOT_SUPPORTED;
}

static jd_status check(const march *m, const skin *k) {
    if (k->a->grid.step / k->b->grid.step > JD_WAVE_MEET - 4)
        return refuse(m, k, "a cell meets more nodes of the counterpart than this engine takes",
                      "the structure (`at`) should be the rod with the lower wave speed");
    for (int j = 0; j < k->n; j++)
        if (k->a->weight[k->ia + j] == 0)
            return refuse(m, k, "the structure is fixed within the span",
                          "exchange `at` and `against`");
    if (m->damped || m->trapezoidal)
        return refuse(m, k,
                      "cells across nodes of another rod take neither damped rods nor the "
                      "trapezoidal friction rule",
                      "leave out `damping`, with the centred rule");
    return JD_OK;
}

jd_status jd_cross_create(const march *m, skin *k) {
    int n = k->n, nb = k->b->grid.n;
    cross *c = k->cross = JD_TAKE(m->arena, cross, 1);
    JD_TRY(jd_arena_status(m->arena));
    JD_TRY(check(m, k));
    *c = (cross){.width = (int)(k->a->grid.step / k->b->grid.step) + 2};
    c->at = JD_TAKE(m->arena, meeting, n);
    c->free_a = JD_TAKE(m->arena, double, n);
    c->force = JD_TAKE(m->arena, double, n);
    c->was = JD_TAKE(m->arena, double, n);
    c->raw_b = JD_TAKE(m->arena, double, nb);
    c->free_b = JD_TAKE(m->arena, double, nb);
    c->x = JD_TAKE(m->arena, double, nb);
    c->band = JD_TAKE(m->arena, double, nb *(c->width + 1));
    JD_TRY(jd_arena_status(m->arena));
    const jd_interface *f = k->cells;
    c->first = node_near(&k->b->grid, f->from + f->shift);
    c->last = f->moving ? nb - 1 : node_near(&k->b->grid, f->to + f->shift);
    for (int j = 0; j < n; j++) k->per[j] = 1 / k->a->weight[k->ia + j];
    if (!jd_cross_place(k))
        return refuse(m, k, "the structure reaches beyond the end of its counterpart",
                      "shorten its span, or lengthen the counterpart");
    return JD_OK;
}

void jd_cross_end(skin *k) {
    memcpy(k->b->new, k->cross->x, (size_t)k->b->grid.n * sizeof *k->b->new);
    for (int j = k->low; j < k->high; j++) keep_cell(k, j, k->cross->force[j]);
}
