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
//   until none is; should that go round in circles, the same band gives the ways down a strictly
//   convex function (descend).
#include <math.h>
#include <string.h>

#include "engine/wave/wave.h"

enum { ROUNDS = 60, DESCENTS = 400 };
static const double tolerance = 1e-14; // of the largest change in the step

// ---- where the cells are

// Parts of [low, high] that belong to the nodes of a grid.
static meeting share_out(const jd_grid *g, double low, double high) {
    meeting at = {.node = jd_grid_near(g, low)};
    double sum = 0;
    for (int i = at.node; i < g->n && at.n < JD_WAVE_MEET; i++) {
        double part = fmin(jd_grid_right(g, i), high) - fmax(jd_grid_left(g, i), low);
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
    double x = jd_grid_place(g, z);
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
        double low = jd_grid_left(g, k->ia + j) + by,
               high = fmin(jd_grid_right(g, k->ia + j), f->to) + by;
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

// ---- where the states go round in circles: the least of
//   sum (x - xb0)^2/(2 w_b) + sum_j psi_j(P x),   psi_j' = f_j = clamp(G (P x - t), +-F)
// strictly convex with straight pieces of its slope: Newton's step towards the solution with the
// states of x, as far as the slope along it is negative, comes to the least in finitely many steps.

static double force_at(const skin *k, int j, const double *x) {
    double most = k->most[j] * k->per[j];
    double f = gain(k, j) * (seen(&k->cross->at[j], x) - target(k, j));
    return fmin(fmax(f, -most), most);
}

// Forces and states of all cells; counts those that change.
static int take_forces(skin *k, const double *x) {
    int changed = 0;
    for (int j = k->low; j < k->high; j++) {
        double most = k->most[j] * k->per[j], f = k->cross->at[j].n ? force_at(k, j, x) : 0;
        double now = !k->cross->at[j].n || fabs(f) < most ? 0 : f > 0 ? -1 : 1;
        changed += now != k->state.slide[j];
        k->state.slide[j] = now;
        k->cross->force[j] = f;
    }
    return changed;
}

// Slope of the function at x + s way along the way.
static double slope(const skin *k, const double *x, const double *way, double s) {
    const cross *c = k->cross;
    double sum = 0;
    for (int i = 0; i < k->b->grid.n; i++)
        if (k->b->weight[i] > 0)
            sum += way[i] * (x[i] + s * way[i] - c->free_b[i]) / k->b->weight[i];
    for (int j = k->low; j < k->high; j++) {
        if (c->at[j].n == 0) continue;
        double most = k->most[j] * k->per[j], along = seen(&c->at[j], way);
        double f = gain(k, j) * (seen(&c->at[j], x) + s * along - target(k, j));
        sum += along * fmin(fmax(f, -most), most);
    }
    return sum;
}

static double how_far(const skin *k, const double *x, const double *way) {
    double low = 0, high = 1;
    if (slope(k, x, way, 1) <= 0) return 1;
    for (int i = 0; i < 60; i++) {
        double mid = 0.5 * (low + high);
        *(slope(k, x, way, mid) < 0 ? &low : &high) = mid;
    }
    return 0.5 * (low + high);
}

// The counterpart's changes from the forces: momentum is handed over to the last digit.
static void hand_over(skin *k) {
    cross *c = k->cross;
    for (int i = 0; i < k->b->grid.n; i++) c->x[i] = c->free_b[i];
    for (int j = k->low; j < k->high; j++)
        for (int p = 0; p < c->at[j].n; p++) {
            int node = c->at[j].node + p;
            c->x[node] -= k->b->weight[node] * c->at[j].share[p] * c->force[j];
        }
}

static bool descend(skin *k) {
    cross *c = k->cross;
    int n = k->b->grid.n;
    memcpy(c->least, c->free_b, (size_t)n * sizeof *c->least);
    take_forces(k, c->least);
    for (int round = 0; round < DESCENTS; round++) {
        double moved = 0, largest = 0;
        fill_band(k);
        solve_band(c, n);
        for (int i = 0; i < n; i++) {
            largest = fmax(largest, fabs(c->x[i]));
            c->x[i] -= c->least[i];
            moved = fmax(moved, fabs(c->x[i]));
        }
        double s = how_far(k, c->least, c->x);
        for (int i = 0; i < n; i++) c->least[i] += s * c->x[i];
        if (take_forces(k, c->least) == 0 && s == 1) break;
        if (moved <= tolerance * largest) break;
        if (round == DESCENTS - 1) return false;
    }
    hand_over(k);
    return true;
}

static bool settle(skin *k) {
    for (int round = 0; round < ROUNDS; round++) {
        fill_band(k);
        solve_band(k->cross, k->b->grid.n);
        if (judge(k) == 0) return true;
    }
    return descend(k);
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

// Steps of the counterpart that the widest cell of the structure covers.
static double covered(const skin *k) {
    const jd_grid *g = &k->a->grid;
    double widest = g->step;
    for (int i = 0; g->at && i + 1 < g->n; i++) widest = fmax(widest, g->at[i + 1] - g->at[i]);
    return widest / k->b->grid.step;
}

static jd_status check(const march *m, const skin *k) {
    if (covered(k) > JD_WAVE_MEET - 4)
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
    *c = (cross){.width = (int)covered(k) + 2};
    c->at = JD_TAKE(m->arena, meeting, n);
    c->free_a = JD_TAKE(m->arena, double, n);
    c->force = JD_TAKE(m->arena, double, n);
    c->was = JD_TAKE(m->arena, double, n);
    c->raw_b = JD_TAKE(m->arena, double, nb);
    c->free_b = JD_TAKE(m->arena, double, nb);
    c->x = JD_TAKE(m->arena, double, nb);
    c->least = JD_TAKE(m->arena, double, nb);
    c->band = JD_TAKE(m->arena, double, nb *(c->width + 1));
    JD_TRY(jd_arena_status(m->arena));
    const jd_interface *f = k->cells;
    c->first = jd_grid_near(&k->b->grid, f->from + f->shift);
    c->last = f->moving ? nb - 1 : jd_grid_near(&k->b->grid, f->to + f->shift);
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
