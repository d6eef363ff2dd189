// replay_newton.c -- Newton's method on waves that come back: what a period misses, how it changes
// with time and with a parameter, and the motion corrected.
//   Over a period the past y becomes P(y). Wanted is d with P(y + d) = y + d after a period longer
//   by dT, at a parameter changed by dl:
//     (I - M) d = r + x' dT + p dl,     r = P(y) - y,  x' the rate,  p = dP/dl
//   The panels of P(y) and of y differ, r is no change on either. Echoes of r are echoes of P(y)
//   less those of y: after k periods, as many as an echo reaches back, all is on the panels of
//   P(y):
//     d = r + M r + ... + M^{k-1} r + g,   (I - M) g = M^k r + x' dT + p dl
//   `jd_replay_carry` gives M^k r, and the sum over M r ... M^{k-1} r of what the last of the k
//   periods holds (the head). The head of y + d is then the period taken down, plus that sum, plus
//   the head of g; earlier periods follow from (y + d)_{j+1} = (y + d)_j + x' dT, by the equation
//   itself. So nothing is interpolated, and all that is put in is what forces can cause.
//                                            tested: newton_on_waves_closes_what_simulation_leaves
#include <math.h>
#include <string.h>

#include "engine/memory/observers/replay_inside.h"

int jd_replay_head(jd_run *run) {
    memory *e = run->state;
    return (int)replay_one(e->observers.replay) + replay_tail(e);
}

// Root of the sum of squares, but displacements. Of a very short panel the integral counts: an
// event that moves is a pulse there, the larger the shorter the panel, whatever it does to the
// motion.
double jd_replay_size(jd_run *run, const double *head) {
    const memory *e = run->state;
    const replay *r = e->observers.replay;
    double sum = 0;
    for (int at = 0; at < r->n; at++, head += r->block) {
        double part = fmin(r->panel[at].h / (1e-4 * r->length), 1);
        for (int i = 0; i < r->block; i++) sum += part * head[i] * head[i];
    }
    for (int i = 0; i < 2 * e->plan->poles.n; i++) sum += head[i] * head[i];
    return sqrt(sum);
}

jd_status jd_replay_carry(jd_run *run, double *out, double *sum) {
    memory *e = run->state;
    replay *r = e->observers.replay;
    size_t one = replay_one(r), head = (size_t)jd_replay_head(run);
    replay_force by = {.less = r->before};
    JD_TRY(jd_delay_copy(r->line, e->state.echo->line, -e->state.t));
    for (int p = 0; p < e->plan->poles.n; p++) {
        r->change.z_re[p] = e->state.z_re[p] - r->start_re[p];
        r->change.z_im[p] = e->state.z_im[p] - r->start_im[p];
    }
    for (int j = 0; j < e->plan->m; j++)
        r->change.moved[j] = e->state.echo->moved[j] - r->start_moved[j];
    memset(sum, 0, head * sizeof *sum);
    for (int k = 0; k < r->periods; k++) {
        double *block = out + (size_t)k * one, *tail = out + (size_t)r->periods * one;
        JD_TRY(jd_replay_round(e, &by, k * r->length, block));
        jd_replay_pack_tail(e, tail);
        if (k + 1 == r->periods) break;
        for (size_t i = 0; i < one; i++) sum[i] += block[i];
        for (size_t i = one; i < head; i++) sum[i] += tail[i - one];
    }
    return JD_OK;
}

// Polynomial of degree d, its derivative by time into out.
static void derive(int d, const double *p, double h, double *out) {
    for (int i = 0; i < d; i++) out[i] = (i + 1) * p[i + 1] / h;
    out[d] = 0;
}

// z' = lambda z + in F, of contacts and drives.
static void rate_tail(const memory *e, double *out) {
    replay *r = e->observers.replay;
    const poles *c = &e->plan->poles;
    int n = c->n;
    for (int p = 0; p < n; p++) {
        double x = e->state.z_re[p], y = e->state.z_im[p];
        r->change.z_re[p] = c->re[p] * x - c->im[p] * y;
        r->change.z_im[p] = c->re[p] * y + c->im[p] * x;
        for (int j = 0; j < e->plan->m; j++) {
            r->change.z_re[p] += c->in_re[j * n + p] * e->state.force[j];
            r->change.z_im[p] += c->in_im[j * n + p] * e->state.force[j];
        }
    }
    const replay_panel *last = &r->panel[r->n - 1];
    int s = e->plan->nodes.s, places = e->plan->m + e->plan->n_drive;
    for (int j = 0; j < e->plan->m; j++) { // as echoes.c moves it
        r->change.moved[j] = jd_polynomial(s, last->w + j * (s + 1), 1);
        for (int k = 0; k < places; k++)
            r->change.moved[j] +=
                e->plan->echo->gain[j * places + k] * jd_polynomial(s - 1, last->F + k * s, 1);
    }
    jd_replay_pack_tail(e, out);
}

// x' of the head: the derivative of its polynomials, and pulses where forces jump.
static void rate_head(memory *e, double *out) {
    replay *r = e->observers.replay;
    int m = e->plan->m, s = e->plan->nodes.s;
    for (int at = 0; at < r->n; at++, out += r->block) {
        const replay_panel *p = &r->panel[at];
        for (int j = 0; j < m; j++) {
            derive(s - 1, p->F + j * s, p->h, r->change.F + j * s);
            derive(s, p->w + j * (s + 1), p->h, r->change.w + j * (s + 1));
        }
        for (int k = 0; p->mover != MOVES_NOT && k < m; k++)
            for (int j = 0; j < m; j++) {
                double P = p->jump[k] / p->h;
                for (int i = 0; j == k && i < s; i++) r->change.F[k * s + i] += P * r->pulse[0][i];
                for (int i = 0; i <= s; i++)
                    r->change.w[j * (s + 1) + i] +=
                        e->plan->poles.gamma[j * m + k] * P * r->pulse[1][i];
            }
        jd_replay_pack(e, p, r->change.F, r->change.w, out);
    }
    rate_tail(e, out);
}

jd_status jd_replay_rate(jd_run *run, double *out) {
    memory *e = run->state;
    const replay *r = e->observers.replay;
    size_t one = replay_one(r);
    rate_head(e, out + (size_t)(r->periods - 1) * one);
    for (int k = 0; k + 1 < r->periods; k++)
        memcpy(out + (size_t)k * one, out + (size_t)(r->periods - 1) * one, one * sizeof *out);
    return JD_OK;
}

void jd_replay_motion(jd_run *run, double *out) {
    memory *e = run->state;
    replay *r = e->observers.replay;
    for (int at = 0; at < r->n; at++, out += r->block)
        jd_replay_pack(e, &r->panel[at], r->panel[at].F, r->panel[at].w, out);
    memcpy(r->change.z_re, e->state.z_re, (size_t)e->plan->poles.n * sizeof *r->change.z_re);
    memcpy(r->change.z_im, e->state.z_im, (size_t)e->plan->poles.n * sizeof *r->change.z_im);
    memset(r->change.moved, 0, (size_t)e->plan->m * sizeof *r->change.moved);
    jd_replay_pack_tail(e, out);
}

jd_status jd_replay_other(jd_run *run) {
    memory *e = run->state;
    replay *r = e->observers.replay;
    memcpy(r->law, e->plan->law, (size_t)e->plan->m * sizeof *r->law);
    memcpy(r->belt, e->plan->belt, (size_t)e->plan->m * sizeof *r->belt);
    return JD_OK;
}

jd_status jd_replay_lean(jd_run *run, double by, double *out) {
    memory *e = run->state;
    replay *r = e->observers.replay;
    size_t before = (size_t)(r->periods - 1) * replay_one(r);
    replay_force force = {.other = true, .by = by};
    memset(out, 0, (before + (size_t)jd_replay_head(run)) * sizeof *out);
    JD_TRY(jd_replay_load(e, out));
    JD_TRY(jd_replay_round(e, &force, 0, out + before));
    jd_replay_pack_tail(e, out + before + replay_one(r));
    return JD_OK;
}

// Displacements follow the corrected period; rates as in echoes.c.
static void filter_panel(const memory *e, double h, const double *F, const double *w) {
    int m = e->plan->m, s = e->plan->nodes.s, places = m + e->plan->n_drive;
    double *rate = e->panel.echo->rate;
    memcpy(rate, w, (size_t)(m * (s + 1)) * sizeof *rate);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < places; j++)
            for (int k = 0; k < s; k++)
                rate[i * (s + 1) + k] += e->plan->echo->gain[i * places + j] * F[j * s + k];
    jd_displacement_step(e, h, F, rate, e->state.echo->filtered);
}

// The period taken down, corrected, `ago` periods before its start.
static jd_status put_period(memory *e, const double *x, const double *rate, int ago,
                            double longer) {
    replay *r = e->observers.replay;
    int s = e->plan->nodes.s, m = e->plan->m, forces = (m + e->plan->n_drive) * s;
    double *w = r->change.w;
    for (int at = 0; at < r->n; at++, x += r->block, rate += r->block) {
        const replay_panel *p = &r->panel[at];
        for (int k = 0; k < r->block; k++) r->change.whole[k] = x[k] + (ago - 1) * longer * rate[k];
        jd_replay_unpack(e, p, r->change.whole, r->change.F, w);
        for (int k = m * s; k < forces; k++) r->change.F[k] = 0;
        for (int k = 0; k < forces; k++) r->change.F[k] += p->F[k];
        for (int k = 0; k < m * (s + 1); k++) w[k] += p->w[k];
        if (ago == 1 && e->state.echo->filtered) filter_panel(e, p->h, r->change.F, w);
        JD_TRY(jd_delay_keep(e->state.echo->line, r->since + p->t - ago * r->length, p->h,
                             r->change.F, w));
    }
    return JD_OK;
}

// Pole states, displacements and forces at the end of the period, which becomes its start.
static void put_state(memory *e, const double *tail) {
    replay *r = e->observers.replay;
    int n = e->plan->poles.n, s = e->plan->nodes.s;
    for (int p = 0; p < n; p++) {
        double by = r->change.weight[p] > 0 ? 1 / r->change.weight[p] : 0;
        e->state.z_re[p] += tail[p] * by;
        e->state.z_im[p] += tail[n + p] * by;
    }
    for (int j = 0; j < e->plan->m; j++) { // the last panel kept is the corrected one
        e->state.echo->moved[j] += tail[2 * n + j] * r->length;
        e->state.force[j] = jd_polynomial(s - 1, r->change.F + j * s, 1);
    }
}

jd_status jd_replay_correct(jd_run *run, const double *head, const double *rate, double longer) {
    memory *e = run->state;
    replay *r = e->observers.replay;
    jd_panel_drop(e);
    jd_delay_clear(e->state.echo->line, r->since - r->periods * r->length);
    double *x = e->state.echo->filtered;
    int rows = 2 * e->plan->m + e->plan->n_drive;
    if (x) memset(x, 0, (size_t)(rows * FILTER_POLES) * sizeof *x);
    for (int ago = r->periods; ago > 0; ago--) JD_TRY(put_period(e, head, rate, ago, longer));
    put_state(e, head + replay_one(r));
    if (x) jd_displacement_repeat(e, r->length, x);
    if (x) jd_displacement_read(e, r->since);
    jd_memory_put_back(run, r->since);
    return JD_OK;
}

const char *jd_replay_uncorrected(jd_run *run) {
    const memory *e = run->state;
    if (!e->plan->echo) return "the memory has no waves that come back";
    if (e->plan->n_stop > 0)
        return "displacements of waves are known but for a constant, which stops depend on";
    if (e->plan->echo->sharp)
        return "without damping kinks go on for ever, and no panel ends where a corrected one "
               "would";
    return NULL;
}
