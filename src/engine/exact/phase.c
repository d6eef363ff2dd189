// phase.c -- one phase: from the state at t0 to amplitudes, guards and the next event.
//   x(t) = Re sum_p r_p z_p e^{s_p t} + Re sum_d X_d z_d e^{i Omega_d t} + sum_m poly_m t^m
#include <math.h>
#include <string.h>

#include "engine/exact/dependent.h"
#include "engine/exact/exact.h"
#include "engine/exact/parts.h"

static const double anchor_times = 64; // amplitudes are renewed after this many slow periods

void jd_drive_turn(drive *d, double t) {
    double theta = d->segment.omega * t + d->segment.phase;
    if (theta == d->theta) return; // an event asks several times
    d->theta = theta;
    d->sine = sin(theta);
    d->cosine = cos(theta);
}

double jd_drive_value(drive *d, double t) {
    const jd_drive_segment *s = &d->segment;
    double f = s->level + s->slope * (t - s->start);
    if (s->amplitude == 0) return f;
    jd_drive_turn(d, t);
    return f + s->amplitude * d->sine;
}

// Held displacements and the rest: x = Q'(q - S y), x' = Q'(q' - S w).
static void split_state(exact *e) {
    const basis *b = e->b;
    for (int i = 0; i < b->ms; i++) {
        const contact *c = &e->contact[b->held[i]];
        e->y[i] = jd_lanes_dot(e->n, c->row, e->q);
    }
    if (!b->Q) {
        memcpy(e->x, e->q, (size_t)e->n * sizeof *e->x);
        memcpy(e->xd, e->p, (size_t)e->n * sizeof *e->xd);
        return;
    }
    jd_rotate(b->nf, e->n, b->Q, e->q, e->p, e->x, e->xd);
    if (b->ms == 1) { // the usual case, in a row
        jd_add_row(b->nf, -e->y[0], b->QtS, e->x);
        if (e->w[0] != 0) jd_add_row(b->nf, -e->w[0], b->QtS, e->xd);
        return;
    }
    for (int k = 0; k < b->nf; k++)
        for (int i = 0; i < b->ms; i++) {
            e->x[k] -= b->QtS[k * b->ms + i] * e->y[i];
            e->xd[k] -= b->QtS[k * b->ms + i] * e->w[i];
        }
}

// Constant and ramp forces that act in this phase.
static void set_sources(exact *e) {
    const basis *b = e->b;
    for (int j = 0; j < e->m; j++) {
        const contact *c = &e->contact[j];
        double s = slide_sign(e->marks[j]);
        e->source[j] = e->frozen[j] ? e->force[j] : s == 0 ? 0 : -s * c->limit + c->slope * c->belt;
    }
    for (int d = 0; d < e->n_drive; d++) {
        const jd_drive_segment *s = &e->drive[d].segment;
        e->source[e->m + d] = s->level + s->slope * (e->t0 - s->start);
        e->source_rate[e->m + d] = s->slope;
    }
    for (int i = 0; i < b->ms; i++) {
        int at = e->m + e->n_drive + 2 * i;
        e->source[at] = e->y[i];
        e->source_rate[at] = e->w[i];
        e->source[at + 1] = e->w[i];
    }
}

static void add_response(exact *e, const double *response, int powers, double factor) {
    jd_add_row(powers * e->b->nf, factor, response, e->poly);
    if (powers - 1 > e->degree) e->degree = powers - 1;
}

// Rigid-body motion: what the harmonic response does not have of the state at t0.
static void add_rigid(exact *e, int k) {
    const basis *b = e->b;
    double x0 = e->x[k], v0 = e->xd[k];
    for (int d = 0; d < e->n_drive; d++) {
        jd_complex X = b->X[d * b->nf + k], z = {e->re[b->drive_slot[d]], e->im[b->drive_slot[d]]},
                   x = times(X, z);
        x0 -= x.re;
        v0 += e->drive[d].omega * x.im;
    }
    e->poly[k] += x0;
    e->poly[b->nf + k] += v0;
    if (e->degree < 1) e->degree = 1;
}

// Polynomial part of x: responses to the sources, and rigid-body motion.
static void set_polynomial(exact *e) {
    const basis *b = e->b;
    int nf = b->nf, sources = e->m + e->n_drive + 2 * b->ms;
    if (e->degree >= 0) // rows of the last phase may have been longer
        memset(e->poly, 0, (size_t)((e->degree + 1) * e->n) * sizeof *e->poly);
    e->degree = -1;
    for (int s = 0; s < sources; s++) {
        if (b->powers[s] == 0) continue;
        if (e->drifts) {
            add_response(e, b->drift_const + s * POWERS * nf, POWERS, e->source[s]);
            add_response(e, b->drift_ramp + s * POWERS * nf, POWERS, e->source_rate[s]);
            continue;
        }
        if (e->source[s] != 0)
            add_response(e, b->at_const + s * CONST_DEGREE * nf, b->powers[s], e->source[s]);
        if (e->source_rate[s] != 0)
            add_response(e, b->at_ramp + s * RAMP_DEGREE * nf, b->powers[s] + 1, e->source_rate[s]);
    }
    for (int k = 0; b->n_rigid && k < nf; k++)
        if (b->kind[k] == RIGID) add_rigid(e, k);
}

static void set_drive_amplitudes(exact *e) {
    const basis *b = e->b;
    for (int d = 0; d < e->n_drive; d++) {
        const jd_drive_segment *s = &e->drive[d].segment;
        int slot = b->drive_slot[d];
        jd_drive_turn(&e->drive[d], e->t0); // sin(theta) = Re(-i e^{i theta})
        e->re[slot] = s->amplitude * e->drive[d].sine;
        e->im[slot] = -s->amplitude * e->drive[d].cosine;
    }
}

// Adds factor Re(X z_d) and factor Re(i Omega X z_d) of all drives at the given amplitudes.
static void add_harmonic(const exact *e, double factor, const double *re, const double *im,
                         double *restrict x, double *restrict xd) {
    const basis *b = e->b;
    for (int d = 0; d < e->n_drive; d++) {
        const double *restrict Xr = b->Xr + d * b->nf, *restrict Xi = b->Xi + d * b->nf;
        double zr = factor * re[b->drive_slot[d]], zi = factor * im[b->drive_slot[d]],
               Omega = e->drive[d].omega;
        if (zr == 0 && zi == 0) continue;
        jd_add_wave(b->nf, Xr, Xi, zr, zi, Omega, x, xd);
    }
}

// What the polynomial and the drives do not account for, at t0.
static void remainder_state(exact *e, double *restrict x, double *restrict xd) {
    int nf = e->b->nf;
    memcpy(x, e->x, (size_t)nf * sizeof *x);
    memcpy(xd, e->xd, (size_t)nf * sizeof *xd);
    for (int k = 0; e->degree >= 0 && k < nf; k++) x[k] -= e->poly[k];
    for (int k = 0; e->degree >= 1 && k < nf; k++) xd[k] -= e->poly[nf + k];
    add_harmonic(e, -1, e->re, e->im, x, xd);
    jd_resonance_state(e, -1, e->re, e->im, x, xd);
}

static void set_pair(exact *e, int k, double x, double xd) {
    const basis *b = e->b;
    int slot = jd_expbasis_pair_slot(b->exp, b->first[k]);
    double a = -b->c[k] / 2;
    if (b->kind[k] == PAIRED) {
        e->re[slot] = x;
        e->re[slot + 1] = xd - a * x;
        return;
    }
    // RESONANT: zeta' = s zeta - (i/2w) f z, f z summed over the drives of the block's frequency,
    // so x' = Re zeta' = a Re zeta - w Im zeta + Im(f z)/2w; second entry: delta zeta - (i/2w) f z
    double w = sqrt(b->omega2[k] - a * a), Omega = e->drive[b->partner[k]].omega, fr = 0, fi = 0;
    for (int d = 0; d < e->n_drive; d++) {
        if (e->drive[d].omega != Omega) continue;
        double f = b->force[(e->m + d) * b->nf + k] / (2 * w);
        fr += f * e->re[b->drive_slot[d]];
        fi += f * e->im[b->drive_slot[d]];
    }
    double zr = x, zi = (a * x - xd + fi) / w, dr = a / 2, di = (w - Omega) / 2;
    e->re[slot] = zr;
    e->im[slot] = zi;
    e->re[slot + 1] = dr * zr - di * zi + fi;
    e->im[slot + 1] = dr * zi + di * zr - fr;
}

static void set_free_amplitudes(exact *e, const double *x, const double *xd) {
    const basis *b = e->b;
    for (int i = 0; b->plain && i < b->n_stretch; i++) {
        int k = b->stretch[i], slot = b->slot[k];
        jd_take_motion(b->stretch[i + 1] - k, b->a + k, b->w + k, x + k, xd + k, e->re + slot,
                       e->im + slot);
    }
    if (b->plain) return;
    for (int k = 0; k < b->nf; k++) {
        if (b->kind[k] == OSCILLATING) {
            e->re[b->slot[k]] = x[k];
            e->im[b->slot[k]] = (b->a[k] * x[k] - xd[k]) / b->w[k];
        } else if (b->kind[k] == OVERDAMPED) {
            double r1 = b->pole[b->first[k]].re, r2 = b->pole[b->first[k] + 1].re;
            e->re[jd_expbasis_slot(b->exp, b->first[k])] = (xd[k] - r2 * x[k]) / (r1 - r2);
            e->re[jd_expbasis_slot(b->exp, b->first[k] + 1)] = (r1 * x[k] - xd[k]) / (r1 - r2);
        } else if (b->kind[k] != RIGID) {
            set_pair(e, k, x[k], xd[k]);
        }
    }
}

// (p, q) = left (C x + x') + T left x
static void set_coupled_pair(exact *e, int i, const double *g, const double *x) {
    const basis *b = e->b;
    const double *left = b->pair_left + 2 * i * b->nf;
    double mu = b->pair[i].mu.re, p = jd_lanes_dot(b->nf, left, x),
           q = jd_lanes_dot(b->nf, left + b->nf, x);
    int slot = jd_expbasis_pair_slot(b->exp, i);
    e->re[slot] = jd_lanes_dot(b->nf, left, g) + mu * p + q;
    e->re[slot + 1] = jd_lanes_dot(b->nf, left + b->nf, g) + b->pair[i].delta2.re * p + mu * q;
}

void jd_coupled_amplitudes(exact *e, const double *x, const double *xd) {
    const basis *b = e->b;
    double *g = e->scratch; // C x + x'
    for (int k = 0; k < b->nf; k++) {
        g[k] = xd[k];
        for (int l = 0; l < b->nf; l++) g[k] += b->C[k * b->nf + l] * x[l];
    }
    for (int p = 0; p < b->n_pole - e->n_drive; p++) {
        int slot = jd_expbasis_slot(b->exp, p);
        jd_complex s = b->pole[p], z = {0, 0};
        for (int k = 0; k < b->nf; k++) {
            jd_complex l = b->left[p * b->nf + k];
            double re = g[k] + s.re * x[k], im = s.im * x[k];
            z.re += l.re * re - l.im * im;
            z.im += l.re * im + l.im * re;
        }
        e->re[slot] = z.re;
        e->im[slot] = s.im > 0 ? z.im : 0;
    }
    for (int i = 0; i < b->n_own_pair; i++) set_coupled_pair(e, i, g, x);
    for (int k = 0; b->n_pair > b->n_own_pair && k < b->nf; k++)
        if (b->kind[k] == RESONANT) set_pair(e, k, x[k], xd[k]);
}

// Amplitudes of the poles and pairs of a coupled basis from (re, im) into (to_re, to_im), added.
static void add_own(const exact *e, const double *re, const double *im, double *to_re,
                    double *to_im) {
    const basis *b = e->b;
    for (int p = 0; p < b->n_pole - e->n_drive; p++) {
        int slot = jd_expbasis_slot(b->exp, p);
        to_re[slot] += re[slot];
        to_im[slot] += im[slot];
    }
    for (int i = 0; i < b->n_own_pair; i++) {
        int slot = jd_expbasis_pair_slot(b->exp, i);
        to_re[slot] += re[slot];
        to_re[slot + 1] += re[slot + 1];
    }
}

// What the amplitudes do not add up to is taken apart once more. Vectors are right to rounding, but
// what they miss of a state is the same at every start of a phase and would drive slow motion.
// x, xd: the state, then scratch.
static void refine_amplitudes(exact *e, double *x, double *xd) {
    int nf = e->b->nf;
    memset(e->x1, 0, (size_t)nf * sizeof *x);
    memset(e->xd1, 0, (size_t)nf * sizeof *x);
    jd_coupled_state(e, e->re, e->im, e->x1, e->xd1);
    for (int k = 0; k < nf; k++) {
        x[k] -= e->x1[k];
        xd[k] -= e->xd1[k];
    }
    memcpy(e->re2, e->re, (size_t)e->b->slots * sizeof *e->re);
    memcpy(e->im2, e->im, (size_t)e->b->slots * sizeof *e->im);
    jd_coupled_amplitudes(e, x, xd);
    add_own(e, e->re, e->im, e->re2, e->im2);
    memcpy(e->re, e->re2, (size_t)e->b->slots * sizeof *e->re);
    memcpy(e->im, e->im2, (size_t)e->b->slots * sizeof *e->im);
}

// Amplitudes of the slow poles, whose motion is in poly.
static void clear_slow(exact *e) {
    const basis *b = e->b;
    for (int p = 0; e->drifts && p < b->n_pole - e->n_drive; p++)
        if (b->slow[p]) e->re[jd_expbasis_slot(b->exp, p)] = 0;
}

// Amplitudes of what the polynomial and the drives do not account for.
static void set_amplitudes(exact *e, bool refine) {
    double *x = e->xt, *xd = e->xdt;
    remainder_state(e, x, xd);
    if (e->drifts) jd_drift_start(e, x, xd);
    if (!e->b->C) {
        set_free_amplitudes(e, x, xd);
        clear_slow(e);
        return;
    }
    jd_coupled_amplitudes(e, x, xd);
    clear_slow(e);
    if (!refine) return;
    refine_amplitudes(e, x, xd);
    clear_slow(e);
}

void jd_phase_linear(exact *e) {
    const basis *b = e->b;
    memset(e->re, 0, (size_t)b->slots * sizeof *e->re);
    memset(e->im, 0, (size_t)b->slots * sizeof *e->im);
    memset(e->poly, 0, (size_t)(POWERS * b->nf) * sizeof *e->poly);
    e->degree = -1;
    split_state(e);
    for (int i = 0; b->shift != 0 && i < b->ms; i++) {
        int s = e->m + e->n_drive + 2 * i;
        if (e->drifts)
            add_response(e, b->drift_const + s * POWERS * b->nf, POWERS, e->y[i]);
        else
            add_response(e, b->at_const + s * CONST_DEGREE * b->nf, b->powers[s], e->y[i]);
    }
    for (int k = 0; b->n_rigid && k < b->nf; k++)
        if (b->kind[k] == RIGID) add_rigid(e, k);
    set_amplitudes(e, false);
}

jd_status jd_phase_start(exact *e) {
    e->before = (counters){e->undecided, e->evaluations, e->not_unique, e->margin, e->lost};
    jd_choose_held(e);
    JD_TRY(jd_exact_basis(e));
    JD_TRY(jd_judge_jam(e));
    basis *b = e->b;
    memset(e->re, 0, (size_t)b->slots * sizeof *e->re);
    memset(e->im, 0, (size_t)b->slots * sizeof *e->im);
    if (e->n_frozen || !b->unique) e->not_unique++;
    e->loss = fmax(e->loss, b->loss);
    for (int i = 0; i < b->ms; i++) e->w[i] = e->contact[b->held[i]].belt;
    split_state(e);
    set_sources(e);
    set_drive_amplitudes(e);
    jd_resonance_start(e);
    e->drifts = false;
    set_polynomial(e);
    set_amplitudes(e, true);
    if (b->n_drift && jd_cancel_slow(e)) {
        e->drifts = true;
        set_polynomial(e);
        set_amplitudes(e, true);
    }
    JD_TRY(jd_cancel_phase(e));
    JD_TRY(jd_guards_set(e));
    e->started = true;
    return JD_OK;
}

void jd_phase_search(exact *e) {
    double t_max = fmin(e->t_break - e->t0, anchor_times * e->scale_time);
    if (e->drifts) t_max = fmin(t_max, e->b->reach);
    jd_first_zero(e->b->exp, e->re, e->im, e->m, e->guard, t_max, NULL, &e->found, e->re1, e->im1);
    e->evaluations += e->found.evaluations;
    e->undecided += e->found.undecided + (e->found.outcome == JD_SEARCH_OUTSIDE);
    e->margin = fmin(e->margin, e->found.margin);
    e->pending = true;
}

static void block_state(const basis *b, int k, const double *re, const double *im, double *x,
                        double *xd) {
    int slot = jd_expbasis_pair_slot(b->exp, b->first[k]);
    jd_complex mu = b->pair[b->first[k]].mu;
    x[k] += re[slot];
    xd[k] += mu.re * re[slot] - mu.im * im[slot] + re[slot + 1];
}

static void free_state(const exact *e, const double *re, const double *im, double *x, double *xd) {
    const basis *b = e->b;
    for (int i = 0; b->plain && i < b->n_stretch; i++) {
        int k = b->stretch[i], slot = b->slot[k];
        jd_add_motion(b->stretch[i + 1] - k, b->a + k, b->w + k, re + slot, im + slot, x + k,
                      xd + k);
    }
    if (b->plain) return;
    for (int k = 0; k < b->nf; k++) {
        if (b->kind[k] == OSCILLATING) {
            x[k] += re[b->slot[k]];
            xd[k] += b->a[k] * re[b->slot[k]] - b->w[k] * im[b->slot[k]];
        } else if (b->kind[k] == OVERDAMPED) {
            for (int i = b->first[k]; i <= b->first[k] + 1; i++) {
                int slot = jd_expbasis_slot(b->exp, i);
                x[k] += re[slot];
                xd[k] += b->pole[i].re * re[slot];
            }
        } else if (b->kind[k] != RIGID) {
            block_state(b, k, re, im, x, xd);
        }
    }
}

void jd_coupled_state(const exact *e, const double *re, const double *im, double *x, double *xd) {
    const basis *b = e->b;
    for (int p = 0; p < b->n_pole - e->n_drive; p++) {
        int slot = jd_expbasis_slot(b->exp, p);
        jd_complex s = b->pole[p];
        double vr = s.re * re[slot] - s.im * im[slot], vi = s.re * im[slot] + s.im * re[slot];
        const jd_complex *r = b->right + p * b->nf;
        for (int k = 0; k < b->nf; k++) {
            x[k] += r[k].re * re[slot] - r[k].im * im[slot];
            xd[k] += r[k].re * vr - r[k].im * vi;
        }
    }
    for (int k = 0; b->n_pair > b->n_own_pair && k < b->nf; k++)
        if (b->kind[k] == RESONANT) block_state(b, k, re, im, x, xd);
    for (int i = 0; i < b->n_own_pair; i++) {
        int slot = jd_expbasis_pair_slot(b->exp, i);
        const double *right = b->pair_right + 2 * i * b->nf;
        double p = re[slot], q = re[slot + 1], mu = b->pair[i].mu.re;
        jd_add_row(b->nf, p, right, x);
        jd_add_row(b->nf, q, right + b->nf, x);
        jd_add_row(b->nf, mu * p + q, right, xd);
        jd_add_row(b->nf, b->pair[i].delta2.re * p + mu * q, right + b->nf, xd);
    }
}

void jd_phase_state(const exact *e, double t, const double *re, const double *im, double *x,
                    double *xd) {
    const basis *b = e->b;
    int nf = b->nf;
    for (int k = 0; k < nf; k++) x[k] = xd[k] = 0;
    for (int k = 0; e->degree >= 0 && k < nf; k++) x[k] = e->poly[k];
    double power = 1; // t^(m-1)
    for (int m = 1; m <= e->degree; m++, power *= t)
        for (int k = 0; k < nf; k++) {
            x[k] += e->poly[m * nf + k] * power * t;
            xd[k] += e->poly[m * nf + k] * m * power;
        }
    if (b->C)
        jd_coupled_state(e, re, im, x, xd);
    else
        free_state(e, re, im, x, xd);
    add_harmonic(e, 1, re, im, x, xd);
    jd_resonance_state(e, 1, re, im, x, xd);
}

void jd_phase_full(const exact *e, double t, const double *x, const double *xd, double *restrict q,
                   double *restrict p) {
    const basis *b = e->b;
    int n = e->n;
    if (!b->Q) {
        memcpy(q, x, (size_t)n * sizeof *q);
        memcpy(p, xd, (size_t)n * sizeof *p);
        return;
    }
    jd_rotate(n, b->nf, b->QT, x, xd, q, p);
    if (b->ms == 1) {
        jd_add_row(n, e->y[0] + e->w[0] * t, b->S, q);
        if (e->w[0] != 0) jd_add_row(n, e->w[0], b->S, p);
        return;
    }
    for (int i = 0; i < b->ms; i++)
        for (int l = 0; l < n; l++) {
            q[l] += b->S[l * b->ms + i] * (e->y[i] + e->w[i] * t);
            p[l] += b->S[l * b->ms + i] * e->w[i];
        }
}
