// ledger.c -- where energy went and how far contacts moved, panel by panel.
//   friction -int F v_rel, belts int F belt, drives int f v, all by the nodes' quadrature;
//   extremes of the panel's polynomials where their derivatives vanish. What damping took is that
//   of damping.c; it and the stored energy are NaN with infinitely many modes.
#include <math.h>
#include <string.h>

#include "engine/memory/memory.h"

enum { GRID = 8 };

static void widen(jd_range *r, double x) {
    r->min = fmin(r->min, x);
    r->max = fmax(r->max, x);
}

// Where p of degree d, whose values at a < b have different signs, is 0: the secant's way, halved
// where that sticks to one end (Illinois).
static double zero_between(int d, const double *p, double a, double b) {
    double left = jd_polynomial(d, p, a), right = jd_polynomial(d, p, b), x = b;
    for (int i = 0; i < 40 && b - a > 1e-9; i++) {
        x = (a * right - b * left) / (right - left);
        double at = jd_polynomial(d, p, x);
        if (at == 0) break;
        if ((at < 0) == (left < 0))
            a = x, left = at, right /= 2;
        else
            b = x, right = at, left /= 2;
    }
    return x;
}

// Values of p + shift over (0, part]: at its end, and where the derivative changes sign between
// points of a grid and the tangents there may lead beyond what was seen.
static void widen_polynomial(jd_range *r, int d, const double *p, double shift, double part) {
    double slope[STAGES + 2], step = part / GRID, last = 0, at_last = 0;
    for (int k = 1; k <= d; k++) slope[k - 1] = k * p[k];
    for (int i = 0; i <= GRID; i++) {
        double theta = step * i, at = jd_polynomial(d, p, theta) + shift;
        double rate = jd_polynomial(d - 1, slope, theta);
        if (i > 0) widen(r, at);
        r->final = at;
        double high = fmax(at, at_last) + step * fmax(fabs(rate), fabs(last));
        double low = fmin(at, at_last) - step * fmax(fabs(rate), fabs(last));
        if (i > 0 && rate * last < 0 && (high > r->max || low < r->min))
            widen(r, shift + jd_polynomial(d, p, zero_between(d - 1, slope, theta - step, theta)));
        last = rate;
        at_last = at;
    }
}

static double relative(const memory *e, int j, const double *p, double theta) {
    return is_fixed(e->marks[j]) ? 0 : jd_polynomial(e->nodes.s, p, theta) - e->belt[j];
}

// A whole panel: its nodes are those of the quadrature.
static void book_whole(const memory *e, int j, double *lost, double *belt) {
    const nodes *n = &e->nodes;
    double sum = 0, with = 0;
    for (int i = 0; i < n->s; i++) {
        double work = n->weight[i] * e->F[i * e->m + j];
        sum += work;
        with += work * (e->v[i * e->rows + j] - e->belt[j]);
    }
    if (!is_fixed(e->marks[j])) *lost -= e->h * with;
    *belt += e->h * sum * e->belt[j];
}

static void book_contact(const memory *e, int j, double part, double *lost, double *belt) {
    const nodes *n = &e->nodes;
    double v[STAGES + 1], F[STAGES + 1];
    jd_nodes_wide(n, e->v0[j], e->v + j, e->rows, v);
    jd_nodes_narrow(n, e->F + j, e->m, F);
    for (int i = 0; i < n->s; i++) {
        double theta = part * n->c[i], force = jd_polynomial(n->s - 1, F, theta);
        double weight = part * e->h * n->weight[i];
        *lost -= weight * force * relative(e, j, v, theta);
        *belt += weight * force * e->belt[j];
    }
}

static void book_drive(const memory *e, int d, double part, double *work) {
    const nodes *n = &e->nodes;
    double v[STAGES + 1];
    jd_nodes_narrow(n, e->v + e->m + d, e->rows, v);
    for (int i = 0; i < n->s; i++) {
        double theta = part * n->c[i];
        *work += part * e->h * n->weight[i] * jd_drives_value(&e->drive[d], e->t0 + theta * e->h) *
                 jd_polynomial(n->s - 1, v, theta);
    }
}

static void widen_contact(const memory *e, int j, double u0, double part, jd_contact_ranges *r) {
    const nodes *n = &e->nodes;
    double v[STAGES + 1], u[STAGES + 2] = {u0}, F[STAGES + 1];
    jd_nodes_wide(n, e->v0[j], e->v + j, e->rows, v);
    jd_nodes_narrow(n, e->F + j, e->m, F);
    for (int k = 0; k <= n->s; k++) u[k + 1] = e->h * v[k] / (k + 1);
    if (e->stop[j].is) u[1] -= e->h * e->belt[j];
    widen(&r->displacement, u0);
    widen(&r->velocity, relative(e, j, v, 0));
    widen(&r->force, e->F0[j]);
    widen_polynomial(&r->displacement, n->s + 1, u, 0, part);
    r->velocity.final = 0;
    if (!is_fixed(e->marks[j])) widen_polynomial(&r->velocity, n->s, v, -e->belt[j], part);
    widen_polynomial(&r->force, n->s - 1, F, 0, part);
}

void jd_state_places(const memory *e, double *u) {
    const poles *c = &e->ch;
    jd_weigh_rows(e->m, c->n, c->place_re, c->place_im, c->z_re, c->z_im, u);
    for (int j = 0; j < e->m; j++) {
        jd_drives_motion(e, e->drive, j, e->t0, &u[j], NULL, NULL);
        if (e->echo) u[j] += e->echo->moved[j];
        if (e->stop[j].is) u[j] -= e->belt[j] * e->t0;
    }
}

void jd_memory_ledger_panel(memory *e, double part, double *sums, jd_contact_ranges *range) {
    for (int d = 0; e->rows > e->m && d < e->n_drive; d++) book_drive(e, d, part, &sums[d]);
    for (int j = 0; j < e->m; j++) {
        double *lost = &sums[e->n_drive + j], *belt = &sums[e->n_drive + e->m + j];
        if (part == 1)
            book_whole(e, j, lost, belt);
        else
            book_contact(e, j, part, lost, belt);
    }
    if (!range) return;
    jd_state_places(e, e->u0);
    for (int j = 0; j < e->m; j++) widen_contact(e, j, e->u0[j], part, &range[j]);
}

// The part of the present panel up to t; 0 when there is none.
static double part_of(const memory *e, double t) {
    return e->solved && e->h > 0 && t > e->t0 ? fmin((t - e->t0) / e->h, 1) : 0;
}

double jd_memory_ledger_energy(memory *e, double t, double *kinetic) {
    const jd_modal *modal = &jd_problem_system(e->run->problem)->modal;
    double T = 0, V = 0;
    if (!e->ch.exact) {
        if (kinetic) *kinetic = (double)NAN;
        return (double)NAN;
    }
    jd_poles_inside(e, e->solved && e->h > 0 ? fmax(t - e->t0, 0) : 0);
    jd_drives_share(e, t, e->work_re, e->work_im);
    double *q = e->scratch, *p = q + modal->n;
    jd_poles_modes(e, e->work_re, e->work_im, q, p);
    for (int k = 0; k < modal->n; k++) {
        T += p[k] * p[k] / 2;
        V += modal->omega2[k].hi * q[k] * q[k] / 2;
    }
    if (kinetic) *kinetic = T;
    return T + V;
}

void jd_memory_ledger_report(memory *e, jd_ledger *out) {
    double *sums = e->report_sums, kinetic, part = part_of(e, e->run->t);
    int d = e->n_drive, m = e->m;
    memcpy(sums, e->sums, (size_t)(d + 3 * m) * sizeof *sums);
    if (part > 0) jd_memory_ledger_panel(e, part, sums, NULL);
    double now = jd_memory_ledger_energy(e, e->run->t, &kinetic);
    *out = (jd_ledger){.start = e->start_energy,
                       .kinetic = kinetic,
                       .strain = now - kinetic,
                       .damping = e->damping + jd_damping_panel(e, part),
                       .drive = sums,
                       .contact = sums + d,
                       .belt = sums + d + m,
                       .impact = sums + d + 2 * m,
                       .residual = (double)NAN};
    double moved = e->ch.exact ? e->start_energy + now + out->damping : 0, sum = 0;
    for (int i = 0; i < d; i++) {
        if (e->rows == m) sums[i] = (double)NAN;
        sum += sums[i];
        moved += fabs(sums[i]);
    }
    for (int j = 0; j < m; j++) {
        sum += out->belt[j] - out->contact[j] - out->impact[j];
        moved += fabs(out->belt[j]) + fabs(out->contact[j]) + fabs(out->impact[j]);
    }
    out->work = moved / 2; // what went in came out: half of all that was moved
    double balance = e->start_energy - out->damping + sum;
    out->residual = out->work > 0 ? (now - balance) / out->work : balance - now;
}

jd_status jd_memory_ledger_track(jd_run *run) {
    memory *e = run->state;
    e->range = JD_TAKE(e->arena, jd_contact_ranges, e->m);
    e->range_now = JD_TAKE(e->arena, jd_contact_ranges, e->m);
    JD_TRY(jd_arena_status(e->arena));
    static const jd_range none = {HUGE_VAL, -HUGE_VAL, 0};
    for (int j = 0; j < e->m; j++) e->range[j] = (jd_contact_ranges){none, none, none, false};
    e->tracking = true;
    return JD_OK;
}

jd_status jd_memory_ledger_ranges(jd_run *run, jd_contact_ranges *out) {
    memory *e = run->state;
    double part = part_of(e, run->t);
    memcpy(out, e->range, (size_t)e->m * sizeof *out);
    if (part > 0) {
        jd_state_places(e, e->u0);
        for (int j = 0; j < e->m; j++) widen_contact(e, j, e->u0[j], part, &out[j]);
    }
    return JD_OK;
}
