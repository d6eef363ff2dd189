// echoes.c -- panels of an undamped wave body: known part, history, and which kinks go on.
#include <math.h>
#include <string.h>

#include "engine/memory/memory.h"

jd_status jd_echoes_create(memory *e) {
    echoes *c = e->echo;
    int m = e->m, s = e->nodes.s;
    double **one[] = {&c->past0, &c->moved, &c->v_end, &c->v_rate, &c->F_end, &c->F_rate, &c->now};
    for (int i = 0; i < 7; i++) *one[i] = JD_TAKE(e->arena, double, m);
    c->past = JD_TAKE(e->arena, double, (s + 1) * m);
    c->F = JD_TAKE(e->arena, double, (m + e->n_drive) * s);
    c->w = JD_TAKE(e->arena, double, m *(s + 1));
    c->rate = JD_TAKE(e->arena, double, m *(s + 1));
    c->gain = JD_TAKE(e->arena, double, m *(m + e->n_drive));
    JD_TRY(jd_arena_status(e->arena));
    if (e->start_place) memcpy(c->moved, e->start_place, (size_t)m * sizeof *c->moved);
    c->at = (double)NAN;
    // int Re out z = Re (out/lambda) z + gain int F
    const poles *h = &e->ch;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m + e->n_drive; j++) {
            double *gain = &c->gain[i * (m + e->n_drive) + j];
            const double *re = j < m ? h->in_re + j * h->n : e->drive[j - m].in_re;
            const double *im = j < m ? h->in_im + j * h->n : e->drive[j - m].in_im;
            jd_weigh_rows(1, h->n, h->place_re + i * h->n, h->place_im + i * h->n, re, im, gain);
            *gain = -*gain;
        }
    return JD_OK;
}

double jd_echoes_past(const memory *e, int i, double t, bool after) {
    const echoes *c = e->echo;
    double v = t == c->at ? c->now[i] : jd_delay_velocity(c->line, i, t, after);
    for (int d = 0; d < e->n_drive; d++)
        v += e->echo->jump[d * e->m + i] * jd_drives_value(&e->drive[d], t);
    return v;
}

void jd_echoes_add(memory *e, double h) {
    echoes *c = e->echo;
    for (int i = 0; i <= e->nodes.s; i++)
        for (int j = 0; j < e->m; j++) {
            double t = i == e->nodes.s - 1 && h == e->t_break - e->t0 ? e->t_break
                                                                      : e->t0 + e->nodes.c[i] * h;
            c->past[i * e->m + j] = jd_echoes_past(e, j, t, false);
            e->known[i * e->rows + j] += c->past[i * e->m + j];
        }
}

// Forced velocity of contact i at a place of the panel: echoes and the jump.
static double forced(const memory *e, int i, const double *past, const double *F) {
    double w = past[i];
    for (int j = 0; j < e->m; j++) w += e->ch.gamma[i * e->m + j] * F[j];
    return w;
}

// Polynomials of forces and forced velocities of the panel that was solved.
static void set_polynomials(memory *e) {
    echoes *c = e->echo;
    int m = e->m, s = e->nodes.s, places = m + e->n_drive;
    for (int d = 0; d < e->n_drive; d++) {
        double f[STAGES];
        for (int i = 0; i < s; i++)
            f[i] = jd_drives_value(&e->drive[d], e->t0 + e->nodes.c[i] * e->h);
        jd_nodes_narrow(&e->nodes, f, 1, c->F + (m + d) * s);
    }
    for (int j = 0; j < m; j++) {
        double w[STAGES], first;
        first = forced(e, j, c->past0, e->F0);
        for (int i = 0; i < s; i++) w[i] = forced(e, j, c->past + i * m, e->F + i * m);
        jd_nodes_narrow(&e->nodes, e->F + j, m, c->F + j * s);
        jd_nodes_wide(&e->nodes, first, w, 1, c->w + j * (s + 1));
    }
    memcpy(c->rate, c->w, (size_t)(m * (s + 1)) * sizeof *c->rate);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < places; j++)
            for (int r = 0; r < s; r++)
                c->rate[i * (s + 1) + r] += c->gain[i * places + j] * c->F[j * s + r];
}

double jd_echoes_end(memory *e, int j) {
    const echoes *c = e->echo;
    int s = e->nodes.s;
    double u = c->moved[j];
    set_polynomials(e);
    for (int r = 0; r <= s; r++) u += e->h * c->rate[j * (s + 1) + r] / (r + 1);
    return u;
}

static double slope(int degree, const double *p, double x) {
    double sum = 0;
    for (int r = degree; r >= 1; r--) sum = sum * x + r * p[r];
    return sum;
}

// An echo that changes neither values nor slopes by more than the tolerance ends here.
jd_status jd_echoes_solved(memory *e) {
    echoes *c = e->echo;
    int s = e->nodes.s;
    set_polynomials(e);
    if (!c->pending) return JD_OK;
    c->pending = false;
    double most = 0, h = fmin(c->h, e->h);
    for (int j = 0; j < e->m; j++) {
        const double *F = c->F + j * s, *w = c->w + j * (s + 1);
        double by_v = fabs(w[0] - c->v_end[j]) + fabs(slope(s, w, 0) / e->h - c->v_rate[j]) * h;
        double by_F =
            fabs(e->F0[j] - c->F_end[j]) + fabs(slope(s - 1, F, 0) / e->h - c->F_rate[j]) * h;
        most = fmax(most, fmax(by_v / e->v_scale[j], by_F / e->f_scale[j]));
    }
    return most > 0.1 * e->tolerance ? jd_delay_kink(c->line, e->t0) : JD_OK;
}

// Smeared histories are continuous: what was looked up for the panel's end holds after it too.
static void note_end(memory *e) {
    echoes *c = e->echo;
    const double *end = c->past + (e->nodes.s - 1) * e->m;
    if (c->sharp || e->n_drive > 0 || e->t_end != e->t0 + e->h) return;
    c->at = e->t_end;
    memcpy(c->now, end, (size_t)e->m * sizeof *c->now);
}

jd_status jd_echoes_accept(memory *e, bool kink) {
    echoes *c = e->echo;
    int s = e->nodes.s;
    for (int j = 0; j < e->m; j++) { // polynomials as jd_echoes_solved left them
        const double *F = c->F + j * s, *w = c->w + j * (s + 1);
        for (int r = 0; r <= s; r++) c->moved[j] += e->h * c->rate[j * (s + 1) + r] / (r + 1);
        c->v_end[j] = jd_polynomial(s, w, 1);
        c->v_rate[j] = slope(s, w, 1) / e->h;
        c->F_end[j] = jd_polynomial(s - 1, F, 1);
        c->F_rate[j] = slope(s - 1, F, 1) / e->h;
    }
    c->h = e->h;
    note_end(e);
    JD_TRY(jd_delay_keep(c->line, e->t0, e->h, c->F, c->w));
    return kink ? jd_delay_kink(c->line, e->t_end) : JD_OK;
}

void jd_echoes_observe(memory *e, double x, double *u, double *v) {
    echoes *c = e->echo;
    int s = e->nodes.s;
    for (int j = 0; j < e->m; j++) {
        const double *rate = c->rate + j * (s + 1);
        v[j] += jd_echoes_past(e, j, e->t0 + x, x <= 0);
        u[j] += c->moved[j];
        double theta = e->h > 0 ? x / e->h : 0, power = x;
        for (int r = 0; r <= s; r++, power *= theta) u[j] += rate[r] * power / (r + 1);
    }
}
