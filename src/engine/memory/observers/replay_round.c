// replay_round.c -- small changes of a periodic motion over the period that was taken down.
//   A change is what the engine keeps of the past: polynomials of dF and dw over as many whole
//   periods as an echo needs, pole states and displacements by echoes,
//     x = (dF, dw of k n panels, the oldest first; dz; du),   x scaled to sizes of a velocity
//   dF and dw as their values at the nodes of a panel, dw at its beginning, too.
//   The panels before the first are those of the period, moved back: the same panels before and
//   after, nothing is interpolated. Of all x only those are meant that forces can cause: the echoes
//   of a string know more (contacts that echo different strings; zeros of the echoes that poles
//   cancel). `jd_replay_excite` gives such changes, and periods lead to no others.
//                                       tested: changes_of_waves_agree_with_differences_of_runs
#include <math.h>
#include <string.h>

#include "engine/memory/observers/replay_inside.h"

void jd_replay_unpack(const memory *e, const replay_panel *p, const double *x, double *F,
                      double *w) {
    const nodes *at = &e->plan->nodes;
    int m = e->plan->m, s = at->s;
    double share = 1 / replay_share(e->observers.replay, p), value[STAGES + 1] = {0};
    for (int j = 0; j < m; j++, x += s) {
        for (int i = 0; i < s; i++) value[i] = x[i] * share / e->plan->poles.gamma[j * (m + 1)];
        jd_nodes_narrow(at, value, 1, F + j * s);
    }
    for (int j = 0; j < m; j++, x += s + 1) {
        for (int i = 0; i <= s; i++) value[i] = x[i] * share;
        jd_nodes_wide(at, value[0], value + 1, 1, w + j * (s + 1));
    }
}

void jd_replay_pack(const memory *e, const replay_panel *p, const double *F, const double *w,
                    double *out) {
    const nodes *at = &e->plan->nodes;
    int m = e->plan->m, s = at->s;
    double share = replay_share(e->observers.replay, p);
    for (int j = 0; j < m; j++)
        for (int i = 0; i < s; i++)
            *out++ = jd_polynomial(s - 1, F + j * s, at->c[i]) * share *
                     e->plan->poles.gamma[j * (m + 1)];
    for (int j = 0; j < m; j++)
        for (int i = 0; i <= s; i++)
            *out++ = jd_polynomial(s, w + j * (s + 1), i ? at->c[i - 1] : 0) * share;
}

void jd_replay_pack_tail(const memory *e, double *out) {
    const replay *r = e->observers.replay;
    int n = e->plan->poles.n;
    for (int p = 0; p < n; p++) {
        out[p] = r->change.z_re[p] * r->change.weight[p];
        out[n + p] = r->change.z_im[p] * r->change.weight[p];
    }
    for (int j = 0; j < e->plan->m; j++) out[2 * n + j] = r->change.moved[j] / r->length;
}

jd_status jd_replay_load(memory *e, const double *x) {
    replay *r = e->observers.replay;
    int total = r->periods * r->n, n = e->plan->poles.n;
    jd_delay_clear(r->line, r->panel[0].t - r->periods * r->length);
    memset(r->change.F, 0,
           (size_t)((e->plan->m + e->plan->n_drive) * e->plan->nodes.s) * sizeof *r->change.F);
    for (int b = 0; b < total; b++, x += r->block) {
        const replay_panel *p = &r->panel[b % r->n];
        int ago = r->periods - b / r->n; // periods
        jd_replay_unpack(e, p, x, r->change.F, r->change.w);
        JD_TRY(jd_delay_keep(r->line, p->t - ago * r->length, p->h, r->change.F, r->change.w));
    }
    for (int p = 0; p < n; p++) {
        double by = r->change.weight[p] > 0 ? 1 / r->change.weight[p] : 0;
        r->change.z_re[p] = x[p] * by;
        r->change.z_im[p] = x[n + p] * by;
    }
    for (int j = 0; j < e->plan->m; j++) r->change.moved[j] = x[2 * n + j] * r->length;
    return JD_OK;
}

static double look(const replay *r, const replay_force *by, int j, double t, bool after) {
    double v = jd_delay_velocity(r->line, j, t, after);
    return by->less ? v - jd_delay_velocity(by->less, j, t, after) : v;
}

double jd_replay_other_at(const memory *e, const replay_panel *p, int at) {
    const replay *r = e->observers.replay;
    int j = at % e->plan->m, sign = jd_contact_sign(p->contact[j]);
    double belt = r->belt[j] - e->plan->belt[j], rate;
    if (p->contact[j] == JD_CONTACT_STUCK) return belt;
    if (sign == 0) return 0;
    double u = sign * (p->velocity[at] - e->plan->belt[j]);
    return -sign * (jd_friction_at(&r->law[j], u - sign * belt, &rate) -
                    jd_friction_at(&e->plan->law[j], u, &rate));
}

// dF at the nodes of a panel that begins at t: by the past, the pole states, and what comes from
// outside. Returns the time by which its end moves, where that is part of the system.
static double solve(memory *e, const replay_panel *p, const replay_force *by, double t) {
    replay *r = e->observers.replay;
    int m = e->plan->m, s = e->plan->nodes.s, n = s * m;
    double *b = r->change.nodal + n;
    jd_weigh_rows(s * e->plan->rows, e->plan->poles.n, p->coefficients->w_re, p->coefficients->w_im,
                  r->change.z_re, r->change.z_im, r->change.known);
    for (int at = 0; at < n; at++) {
        int i = at / m, j = at % m;
        const double *B = p->coefficients->B + (i * e->plan->rows + j) * n;
        r->change.past[at] = look(r, by, j, t + e->plan->nodes.c[i] * p->h, false);
        b[at] = r->change.known[i * e->plan->rows + j] + r->change.past[at];
        for (int k = 0; by->seed && k < n; k++) b[at] += B[k] * r->change.push[k];
    }
    if (p->mover == MOVES_BY_EDGE) return jd_replay_edge_solve(e, p, by, b);
    for (int at = 0; at < n; at++)
        b[at] = p->gain[at] * b[at] + (by->other ? jd_replay_other_at(e, p, at) / by->by : 0);
    for (int i = 0; i < n; i++) {
        r->change.nodal[i] = by->seed ? r->change.push[i] : 0;
        for (int k = 0; k < n; k++) r->change.nodal[i] += p->inverse[i * n + k] * b[k];
    }
    return 0;
}

// Polynomials of dF and dw; dF where the panel begins is that of its nodes.
static void set_polynomials(memory *e, const replay_force *by, double t) {
    replay *r = e->observers.replay;
    int m = e->plan->m, s = e->plan->nodes.s;
    for (int j = 0; j < m; j++) r->change.first[j] = look(r, by, j, t, true);
    for (int j = 0; j < m; j++) {
        double w[STAGES], first = r->change.first[j];
        for (int k = 0; k < m; k++)
            for (int i = 0; i < s; i++)
                first += e->plan->poles.gamma[j * m + k] * e->plan->nodes.begin[i] *
                         r->change.nodal[i * m + k];
        for (int i = 0; i < s; i++) {
            w[i] = r->change.past[i * m + j];
            for (int k = 0; k < m; k++)
                w[i] += e->plan->poles.gamma[j * m + k] * r->change.nodal[i * m + k];
        }
        jd_nodes_narrow(&e->plan->nodes, r->change.nodal + j, m, r->change.F + j * s);
        jd_nodes_wide(&e->plan->nodes, first, w, 1, r->change.w + j * (s + 1));
    }
}

// The time by which the end of a panel moves where a force jumps there.
static double end_moves(const memory *e, const replay_panel *p, const replay_force *by, double dh) {
    const replay *r = e->observers.replay;
    const poles *c = &e->plan->poles;
    int j = p->contact_at_end, s = e->plan->nodes.s, m = e->plan->m;
    if (p->mover == MOVES_BY_EDGE) return dh;
    if (p->mover == MOVES_AFTER) return jd_replay_edge_moves(e, p, by);
    if (p->mover == MOVES_BY_FORCE) {
        double dF = r->change.nodal[(s - 1) * m + j], hold = r->law[j].hold - e->plan->law[j].hold;
        if (by->other) dF -= (p->rate > 0 ? hold : -hold) / by->by;
        return -dF / p->rate;
    }
    double u = r->change.moved[j];
    for (int k = 0; k < c->n; k++)
        u += c->place_re[j * c->n + k] * r->change.z_re[k] -
             c->place_im[j * c->n + k] * r->change.z_im[k];
    return -u / p->rate;
}

// Forces that jump by [F] at the end of a panel leave a pulse of -[F] dt, in the past and in the
// pole states.
static void add_pulse(memory *e, const replay_panel *p, const replay_force *by, double dh) {
    replay *r = e->observers.replay;
    const poles *c = &e->plan->poles;
    int m = e->plan->m, s = e->plan->nodes.s, places = m + e->plan->n_drive;
    if (p->mover == MOVES_NOT) return;
    double dt = end_moves(e, p, by, dh);
    for (int k = 0; k < m; k++) {
        double P = -p->jump[k] * dt;
        for (int i = 0; i < s; i++) r->change.F[k * s + i] += P / p->h * r->pulse[0][i];
        for (int j = 0; j < m; j++) {
            for (int i = 0; i <= s; i++)
                r->change.w[j * (s + 1) + i] += c->gamma[j * m + k] * P / p->h * r->pulse[1][i];
            r->change.moved[j] += (c->gamma[j * m + k] + e->plan->echo->gain[j * places + k]) * P;
        }
        for (int i = 0; i < c->used; i++) {
            r->change.z_re[i] += P * c->in_re[k * c->n + i];
            r->change.z_im[i] += P * c->in_im[k * c->n + i];
        }
    }
}

// Displacements by echoes, as in echoes.c.
static void move(memory *e, double h) {
    replay *r = e->observers.replay;
    int m = e->plan->m, s = e->plan->nodes.s, places = m + e->plan->n_drive;
    for (int j = 0; j < m; j++) {
        for (int i = 0; i <= s; i++)
            r->change.moved[j] += h * r->change.w[j * (s + 1) + i] / (i + 1);
        for (int k = 0; k < m; k++)
            for (int i = 0; i < s; i++)
                r->change.moved[j] +=
                    h * e->plan->echo->gain[j * places + k] * r->change.F[k * s + i] / (i + 1);
    }
}

static unsigned next_random(unsigned *seed) { return *seed = *seed * 1664525u + 1013904223u; }

// Nothing happens to the past that is taken off.
static jd_status keep_nothing(memory *e, delay_line *line, double t, double h) {
    replay *r = e->observers.replay;
    memset(r->change.F, 0,
           (size_t)((e->plan->m + e->plan->n_drive) * e->plan->nodes.s) * sizeof *r->change.F);
    memset(r->change.w, 0, (size_t)(e->plan->m * (e->plan->nodes.s + 1)) * sizeof *r->change.w);
    return jd_delay_keep(line, t, h, r->change.F, r->change.w);
}

jd_status jd_replay_round(memory *e, const replay_force *by, double start, double *out) {
    replay *r = e->observers.replay;
    int m = e->plan->m, n = e->plan->nodes.s * m;
    memset(r->change.F, 0,
           (size_t)((m + e->plan->n_drive) * e->plan->nodes.s) * sizeof *r->change.F);
    for (int at = 0; at < r->n; at++, out += r->block) {
        const replay_panel *p = &r->panel[at];
        double t = start + p->t;
        for (int i = 0; by->seed && i < n; i++)
            r->change.push[i] =
                e->state.f_scale[i % m] * (next_random(by->seed) / 2147483648.0 - 1);
        double dh = solve(e, p, by, t);
        set_polynomials(e, by, t);
        jd_poles_step(e->plan, p->coefficients, r->change.nodal, r->change.z_re, r->change.z_im);
        move(e, p->h);
        add_pulse(e, p, by, dh);
        JD_TRY(jd_delay_keep(r->line, t, p->h, r->change.F, r->change.w));
        jd_replay_pack(e, p, r->change.F, r->change.w, out);
        if (by->less) JD_TRY(keep_nothing(e, by->less, t, p->h));
    }
    return JD_OK;
}

static jd_status advance(memory *e, unsigned *seed, const double *x, double *y) {
    replay *r = e->observers.replay;
    size_t one = replay_one(r), before = (size_t)(r->periods - 1) * one;
    replay_force by = {.seed = seed};
    JD_TRY(jd_replay_load(e, x));
    memmove(y, x + one, before * sizeof *y);
    JD_TRY(jd_replay_round(e, &by, 0, y + before));
    jd_replay_pack_tail(e, y + before + one);
    return JD_OK;
}

jd_status jd_replay_excite(jd_run *run, unsigned seed, double *x) {
    memory *e = run->state;
    replay *r = e->observers.replay;
    size_t n = (size_t)r->periods * replay_one(r) + (size_t)replay_tail(e);
    memset(x, 0, n * sizeof *x);
    for (int i = 0; i < r->periods; i++) JD_TRY(advance(e, i ? NULL : &seed, x, x));
    return JD_OK;
}

jd_status jd_replay_apply(jd_run *run, const double *x, double *y) {
    return advance(run->state, NULL, x, y);
}

double jd_replay_forces(jd_run *run, const double *x) {
    const memory *e = run->state;
    const replay *r = e->observers.replay;
    int forces = e->plan->m * e->plan->nodes.s;
    double sum = 0;
    for (int b = 0; b < r->periods * r->n; b++, x += r->block)
        for (int i = 0; i < forces; i++) sum += x[i] * x[i];
    return sqrt(sum);
}
