// functional.c -- what is watched or sampled, as weights over the basis: g = a'x + b'x' + ...
//   A pole s with x = Re(r z) has the weight sum_k (a_k + b_k s) r_k; a drive pole the weight of
//   the harmonic response plus the direct factor of its force; a pair block (p, q), where x = Re p
//   and x' = Re(mu p + q), the weights a + b mu and b. Coupled, x = right_p p + right_q q, and x'
//   the same over p' = mu p + q and q' = delta2 p + mu q.
#include <string.h>

#include "engine/exact/bases/parts.h"
#include "engine/exact/events/ties.h"

static jd_status take(exact *e, const basis *b, functional *f) {
    f->a = JD_TAKE(e->arena, double, b->nf);
    f->b = JD_TAKE(e->arena, double, b->nf);
    f->hold = JD_TAKE(e->arena, double, b->ms);
    f->hold_rate = JD_TAKE(e->arena, double, b->ms);
    return jd_arena_status(e->arena);
}

static void add_scaled(jd_complex *sum, jd_complex r, double re, double im) {
    sum->re += r.re * re - r.im * im;
    sum->im += r.re * im + r.im * re;
}

static jd_complex drive_weight(const exact *e, const basis *b, const functional *f, int d) {
    jd_complex w = {0, 0};
    for (int k = 0; k < b->nf; k++)
        add_scaled(&w, b->response.X[d * b->nf + k], f->a[k], f->b[k] * e->plan.drive[d].omega);
    if (f->on_drive && e->plan.drive[d].omega > 0) w.re += f->on_drive[d];
    return w;
}

void jd_functional_retune(const exact *e, const basis *b, functional *f, int d) {
    int pole = b->poles.n_pole - e->plan.n_drive + d;
    jd_complex w = drive_weight(e, b, f, d);
    jd_watch_move(f->watch, pole, w);
    if (f->rate) jd_watch_move(f->rate, pole, times(w, b->poles.pole[pole]));
    for (int k = 1; f->lifted && k < HIGHEST_ORDER && f->lifted[k]; k++) {
        w = times(w, b->poles.pole[pole]);
        jd_watch_move(f->lifted[k], pole, w);
    }
}

jd_status jd_functional_lift(exact *e, functional *f, int k) {
    if (!f->lifted) f->lifted = JD_TAKE(e->bases.tuned, jd_watch *, HIGHEST_ORDER);
    JD_TRY(jd_arena_status(e->bases.tuned));
    f->lifted[0] = f->watch;
    for (int i = 1; i <= k; i++)
        if (!f->lifted[i])
            JD_TRY(jd_watch_derivative(e->phase.b->poles.exp, f->lifted[i - 1], &f->lifted[i]));
    return JD_OK;
}

void jd_functional_weights(const exact *e, const basis *b, const functional *f,
                           jd_complex *weight) {
    for (int p = 0; b->C && p < b->poles.n_pole - e->plan.n_drive; p++)
        for (int k = 0; k < b->nf; k++)
            add_scaled(&weight[p], b->poles.right[p * b->nf + k],
                       f->a[k] + f->b[k] * b->poles.pole[p].re, f->b[k] * b->poles.pole[p].im);
    for (int k = 0; !b->C && k < b->nf; k++) {
        int p = b->poles.first[k], n = b->poles.kind[k] == OSCILLATING  ? 1
                                       : b->poles.kind[k] == OVERDAMPED ? 2
                                                                        : 0;
        for (int i = p; i < p + n; i++)
            weight[i] = (jd_complex){f->a[k] + f->b[k] * b->poles.pole[i].re,
                                     f->b[k] * b->poles.pole[i].im};
    }
    for (int d = 0; d < e->plan.n_drive; d++)
        weight[b->poles.n_pole - e->plan.n_drive + d] = drive_weight(e, b, f, d);
}

void jd_functional_pair_weights(const basis *b, const functional *f, int i, double weight[2]) {
    const double *p = b->poles.pair_right + 2 * i * b->nf, *q = p + b->nf;
    double mu = b->poles.pair[i].mu.re, delta2 = b->poles.pair[i].delta2.re;
    weight[0] = jd_lanes_dot(b->nf, f->a, p) + mu * jd_lanes_dot(b->nf, f->b, p) +
                delta2 * jd_lanes_dot(b->nf, f->b, q);
    weight[1] = jd_lanes_dot(b->nf, f->a, q) + jd_lanes_dot(b->nf, f->b, p) +
                mu * jd_lanes_dot(b->nf, f->b, q);
}

static jd_status watch(exact *e, basis *b, functional *f) {
    jd_arena_mark here = jd_arena_here(e->arena);
    jd_complex *weight = JD_TAKE(e->arena, jd_complex, b->poles.n_pole + 1);
    jd_complex *p = JD_TAKE(e->arena, jd_complex, b->poles.n_pair + 1);
    jd_complex *q = JD_TAKE(e->arena, jd_complex, b->poles.n_pair + 1);
    JD_TRY(jd_arena_status(e->arena));
    jd_functional_weights(e, b, f, weight);
    for (int k = 0; k < b->nf; k++) {
        if (b->poles.kind[k] != PAIRED && b->poles.kind[k] != RESONANT) continue;
        jd_complex mu = b->poles.pair[b->poles.first[k]].mu;
        p[b->poles.first[k]] = (jd_complex){f->a[k] + f->b[k] * mu.re, f->b[k] * mu.im};
        q[b->poles.first[k]] = (jd_complex){f->b[k], 0};
    }
    for (int i = 0; i < b->poles.n_own_pair; i++) {
        double own[2];
        jd_functional_pair_weights(b, f, i, own);
        p[i].re = own[0];
        q[i].re = own[1];
    }
    for (int i = 0; i < b->resonances.n; i++)
        jd_resonance_weights(b, f, i, &p[b->resonances.block[i].pair],
                             &q[b->resonances.block[i].pair]);
    for (int k = 0; k < b->nf; k++) f->moves |= f->a[k] != 0;
    jd_watch_def def = {.weight = weight, .pair_p = p, .pair_q = q};
    jd_status status = jd_watch_create(b->poles.exp, &def, &f->watch);
    jd_arena_back(e->arena, here);
    return status;
}

jd_status jd_functional_row(exact *e, basis *b, const double *row, bool velocity, functional *f) {
    JD_TRY(take(e, b, f));
    double *to = velocity ? f->b : f->a, *hold = velocity ? f->hold_rate : f->hold;
    for (int k = 0; !b->Q && k < b->nf; k++) to[k] = row[k];
    for (int l = 0; b->Q && l < e->plan.n; l++) {
        jd_add_row(b->nf, row[l], b->Q + l * b->nf, to);
        jd_add_row(b->ms, row[l], b->S + l * b->ms, hold);
    }
    return watch(e, b, f);
}

// (C + slopes of the sliding contacts) times the vector in.
static void damp_vector(const exact *e, const basis *b, const double *in, double *out) {
    for (int l = 0; l < e->plan.n; l++) {
        out[l] = e->plan.C ? 0 : e->plan.c[l] * in[l];
        for (int r = 0; e->plan.C && r < e->plan.n; r++)
            out[l] += e->plan.C[l * e->plan.n + r] * in[r];
    }
    for (int j = 0; j < e->plan.m; j++) {
        if (b->key[j] != 'd') continue;
        double s = 0;
        for (int l = 0; l < e->plan.n; l++) s += e->plan.contact[j].row[l] * in[l];
        for (int l = 0; l < e->plan.n; l++)
            out[l] += e->plan.contact[j].slope * s * e->plan.contact[j].row[l];
    }
}

// lambda_i = g'(Omega^2 q + C q' - f) with g the i-th row of Ghh^-1 B_h.
jd_status jd_functional_force(exact *e, basis *b, int held, functional *f) {
    JD_TRY(take(e, b, f));
    f->on_drive = JD_TAKE(e->arena, double, e->plan.n_drive);
    f->on_force = JD_TAKE(e->arena, double, e->plan.m);
    JD_TRY(jd_arena_status(e->arena));
    const double *g = b->Ghh_inv_B + held * e->plan.n;
    double *Cg = e->scratch.vector;
    damp_vector(e, b, g, Cg);
    for (int l = 0; l < e->plan.n; l++) {
        double Kg = e->plan.omega2[l] * g[l];
        for (int k = 0; k < b->nf; k++) {
            f->a[k] += b->Q[l * b->nf + k] * Kg;
            f->b[k] += b->Q[l * b->nf + k] * Cg[l];
        }
        for (int i = 0; i < b->ms; i++) {
            f->hold[i] += b->S[l * b->ms + i] * Kg;
            f->hold_rate[i] += b->S[l * b->ms + i] * Cg[l];
        }
    }
    for (int d = 0; d < e->plan.n_drive; d++)
        f->on_drive[d] = -jd_lanes_dot(e->plan.n, g, e->plan.drive[d].row);
    for (int j = 0; j < e->plan.m; j++)
        if (b->key[j] != 'h') f->on_force[j] = -jd_lanes_dot(e->plan.n, g, e->plan.contact[j].row);
    return watch(e, b, f);
}

int jd_functional_polynomial(const exact *e, const functional *f, double out[POWERS]) {
    const basis *b = e->phase.b;
    int degree = e->phase.degree;
    memset(out, 0, POWERS * sizeof *out);
    for (int m = 0; m <= degree; m++) {
        const double *c = e->phase.poly + m * b->nf, *up = c + b->nf;
        if (f->moves) out[m] = jd_lanes_dot(b->nf, f->a, c);
        for (int k = 0; m < degree && k < b->nf; k++) out[m] += f->b[k] * (m + 1) * up[k];
    }
    for (int i = 0; i < b->ms; i++) {
        out[0] += f->hold[i] * e->phase.y[i] + f->hold_rate[i] * e->phase.w[i];
        out[1] += f->hold[i] * e->phase.w[i];
        if (e->phase.w[i] != 0 && degree < 1) degree = 1;
    }
    for (int j = 0; f->on_force && j < e->plan.m; j++)
        out[0] += f->on_force[j] * e->phase.source[j];
    for (int d = 0; f->on_drive && d < e->plan.n_drive; d++) {
        out[0] += f->on_drive[d] * e->phase.source[e->plan.m + d];
        out[1] += f->on_drive[d] * e->phase.source_rate[e->plan.m + d];
        if (e->phase.source_rate[e->plan.m + d] != 0 && degree < 1) degree = 1;
    }
    return degree < 0 ? 0 : degree;
}

double jd_functional_value(const exact *e, const functional *f, const double *re, const double *im,
                           double t) {
    double c[POWERS], value = 0;
    for (int m = jd_functional_polynomial(e, f, c); m >= 0; m--) value = value * t + c[m];
    return value + jd_watch_value(f->watch, re, im);
}
