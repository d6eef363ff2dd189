// phase.c -- one phase: from the state at t0 to amplitudes, guards and the next event.
//   x(t) = Re sum_p r_p z_p e^{s_p t} + Re sum_d X_d z_d e^{i Omega_d t} + sum_m poly_m t^m
#include <math.h>
#include <string.h>

#include "engine/exact/bases/cauchy.h"
#include "engine/exact/bases/parts.h"
#include "engine/exact/events/dependent.h"
#include "engine/exact/exact.h"

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
    const basis *b = e->phase.b;
    for (int i = 0; i < b->ms; i++) {
        const contact *c = &e->plan.contact[b->held[i]];
        e->phase.y[i] = jd_lanes_dot(e->plan.n, c->row, e->state.q);
    }
    if (!b->Q) {
        memcpy(e->phase.x, e->state.q, (size_t)e->plan.n * sizeof *e->phase.x);
        memcpy(e->phase.xd, e->state.p, (size_t)e->plan.n * sizeof *e->phase.xd);
        return;
    }
    if (b->fast)
        jd_cauchy_into(b->fast, e->state.q, e->state.p, e->phase.x, e->phase.xd);
    else
        jd_rotate(b->nf, e->plan.n, b->Q, e->state.q, e->state.p, e->phase.x, e->phase.xd);
    if (b->ms == 1) { // the usual case, in a row
        jd_add_row(b->nf, -e->phase.y[0], b->QtS, e->phase.x);
        if (e->phase.w[0] != 0) jd_add_row(b->nf, -e->phase.w[0], b->QtS, e->phase.xd);
        return;
    }
    for (int k = 0; k < b->nf; k++)
        for (int i = 0; i < b->ms; i++) {
            e->phase.x[k] -= b->QtS[k * b->ms + i] * e->phase.y[i];
            e->phase.xd[k] -= b->QtS[k * b->ms + i] * e->phase.w[i];
        }
}

// Constant and ramp forces that act in this phase.
static void set_sources(exact *e) {
    const basis *b = e->phase.b;
    for (int j = 0; j < e->plan.m; j++) {
        const contact *c = &e->plan.contact[j];
        double s = slide_sign(e->state.contact[j]);
        e->phase.source[j] = e->dependent.frozen[j] ? e->state.force[j]
                             : s == 0               ? 0
                                                    : -s * c->limit + c->slope * c->belt;
    }
    for (int d = 0; d < e->plan.n_drive; d++) {
        const jd_drive_segment *s = &e->plan.drive[d].segment;
        e->phase.source[e->plan.m + d] = s->level + s->slope * (e->state.t0 - s->start);
        e->phase.source_rate[e->plan.m + d] = s->slope;
    }
    for (int i = 0; i < b->ms; i++) {
        int at = e->plan.m + e->plan.n_drive + 2 * i;
        e->phase.source[at] = e->phase.y[i];
        e->phase.source_rate[at] = e->phase.w[i];
        e->phase.source[at + 1] = e->phase.w[i];
    }
}

static void add_response(exact *e, const double *response, int powers, double factor) {
    jd_add_row(powers * e->phase.b->nf, factor, response, e->phase.poly);
    if (powers - 1 > e->phase.degree) e->phase.degree = powers - 1;
}

// Rigid-body motion: what the harmonic response does not have of the state at t0.
static void add_rigid(exact *e, int k) {
    const basis *b = e->phase.b;
    double x0 = e->phase.x[k], v0 = e->phase.xd[k];
    for (int d = 0; d < e->plan.n_drive; d++) {
        jd_complex X = b->response.X[d * b->nf + k],
                   z = {e->phase.re[b->poles.drive_slot[d]], e->phase.im[b->poles.drive_slot[d]]},
                   x = times(X, z);
        x0 -= x.re;
        v0 += e->plan.drive[d].omega * x.im;
    }
    e->phase.poly[k] += x0;
    e->phase.poly[b->nf + k] += v0;
    if (e->phase.degree < 1) e->phase.degree = 1;
}

// Polynomial part of x: responses to the sources, and rigid-body motion.
static void set_polynomial(exact *e) {
    const basis *b = e->phase.b;
    int nf = b->nf, sources = e->plan.m + e->plan.n_drive + 2 * b->ms;
    if (e->phase.degree >= 0) // rows of the last phase may have been longer
        memset(e->phase.poly, 0,
               (size_t)((e->phase.degree + 1) * e->plan.n) * sizeof *e->phase.poly);
    e->phase.degree = -1;
    for (int s = 0; s < sources; s++) {
        if (b->response.powers[s] == 0) continue;
        if (e->phase.drifts) {
            add_response(e, b->drift.by_constant + s * POWERS * nf, POWERS, e->phase.source[s]);
            add_response(e, b->drift.by_ramp + s * POWERS * nf, POWERS, e->phase.source_rate[s]);
            continue;
        }
        if (e->phase.source[s] != 0)
            add_response(e, b->response.to_constant + s * CONST_DEGREE * nf, b->response.powers[s],
                         e->phase.source[s]);
        if (e->phase.source_rate[s] != 0)
            add_response(e, b->response.to_ramp + s * RAMP_DEGREE * nf, b->response.powers[s] + 1,
                         e->phase.source_rate[s]);
    }
    for (int k = 0; b->poles.n_rigid && k < nf; k++)
        if (b->poles.kind[k] == RIGID) add_rigid(e, k);
}

static void set_drive_amplitudes(exact *e) {
    const basis *b = e->phase.b;
    for (int d = 0; d < e->plan.n_drive; d++) {
        const jd_drive_segment *s = &e->plan.drive[d].segment;
        int slot = b->poles.drive_slot[d];
        jd_drive_turn(&e->plan.drive[d], e->state.t0); // sin(theta) = Re(-i e^{i theta})
        e->phase.re[slot] = s->amplitude * e->plan.drive[d].sine;
        e->phase.im[slot] = -s->amplitude * e->plan.drive[d].cosine;
    }
}

// Adds factor Re(X z_d) and factor Re(i Omega X z_d) of all drives at the given amplitudes.
static void add_harmonic(const exact *e, double factor, const double *re, const double *im,
                         double *restrict x, double *restrict xd) {
    const basis *b = e->phase.b;
    for (int d = 0; d < e->plan.n_drive; d++) {
        const double *restrict Xr = b->response.Xr + d * b->nf, *restrict Xi =
                                                                    b->response.Xi + d * b->nf;
        double zr = factor * re[b->poles.drive_slot[d]], zi = factor * im[b->poles.drive_slot[d]],
               Omega = e->plan.drive[d].omega;
        if (zr == 0 && zi == 0) continue;
        jd_add_wave(b->nf, Xr, Xi, zr, zi, Omega, x, xd);
    }
}

// What the polynomial and the drives do not account for, at t0.
static void remainder_state(exact *e, double *restrict x, double *restrict xd) {
    int nf = e->phase.b->nf;
    memcpy(x, e->phase.x, (size_t)nf * sizeof *x);
    memcpy(xd, e->phase.xd, (size_t)nf * sizeof *xd);
    for (int k = 0; e->phase.degree >= 0 && k < nf; k++) x[k] -= e->phase.poly[k];
    for (int k = 0; e->phase.degree >= 1 && k < nf; k++) xd[k] -= e->phase.poly[nf + k];
    add_harmonic(e, -1, e->phase.re, e->phase.im, x, xd);
    jd_resonance_state(e, -1, e->phase.re, e->phase.im, x, xd);
}

static void set_pair(exact *e, int k, double x, double xd) {
    const basis *b = e->phase.b;
    int slot = jd_expbasis_pair_slot(b->poles.exp, b->poles.first[k]);
    double a = -b->c[k] / 2;
    if (b->poles.kind[k] == PAIRED) {
        e->phase.re[slot] = x;
        e->phase.re[slot + 1] = xd - a * x;
        return;
    }
    // RESONANT: zeta' = s zeta - (i/2w) f z, f z summed over the drives of the block's frequency,
    // so x' = Re zeta' = a Re zeta - w Im zeta + Im(f z)/2w; second entry: delta zeta - (i/2w) f z
    double w = sqrt(b->omega2[k] - a * a), Omega = e->plan.drive[b->poles.partner[k]].omega, fr = 0,
           fi = 0;
    for (int d = 0; d < e->plan.n_drive; d++) {
        if (e->plan.drive[d].omega != Omega) continue;
        double f = b->response.force[(e->plan.m + d) * b->nf + k] / (2 * w);
        fr += f * e->phase.re[b->poles.drive_slot[d]];
        fi += f * e->phase.im[b->poles.drive_slot[d]];
    }
    double zr = x, zi = (a * x - xd + fi) / w, dr = a / 2, di = (w - Omega) / 2;
    e->phase.re[slot] = zr;
    e->phase.im[slot] = zi;
    e->phase.re[slot + 1] = dr * zr - di * zi + fi;
    e->phase.im[slot + 1] = dr * zi + di * zr - fr;
}

static void set_free_amplitudes(exact *e, const double *x, const double *xd) {
    const basis *b = e->phase.b;
    for (int i = 0; b->poles.plain && i < b->poles.n_stretch; i++) {
        int k = b->poles.stretch[i], slot = b->poles.slot[k];
        jd_take_motion(b->poles.stretch[i + 1] - k, b->poles.a + k, b->poles.w + k, x + k, xd + k,
                       e->phase.re + slot, e->phase.im + slot);
    }
    if (b->poles.plain) return;
    for (int k = 0; k < b->nf; k++) {
        if (b->poles.kind[k] == OSCILLATING) {
            e->phase.re[b->poles.slot[k]] = x[k];
            e->phase.im[b->poles.slot[k]] = (b->poles.a[k] * x[k] - xd[k]) / b->poles.w[k];
        } else if (b->poles.kind[k] == OVERDAMPED) {
            double r1 = b->poles.pole[b->poles.first[k]].re,
                   r2 = b->poles.pole[b->poles.first[k] + 1].re;
            e->phase.re[jd_expbasis_slot(b->poles.exp, b->poles.first[k])] =
                (xd[k] - r2 * x[k]) / (r1 - r2);
            e->phase.re[jd_expbasis_slot(b->poles.exp, b->poles.first[k] + 1)] =
                (r1 * x[k] - xd[k]) / (r1 - r2);
        } else if (b->poles.kind[k] != RIGID) {
            set_pair(e, k, x[k], xd[k]);
        }
    }
}

// (p, q) = left (C x + x') + T left x
static void set_coupled_pair(exact *e, int i, const double *g, const double *x) {
    const basis *b = e->phase.b;
    const double *left = b->poles.pair_left + 2 * i * b->nf;
    double mu = b->poles.pair[i].mu.re, p = jd_lanes_dot(b->nf, left, x),
           q = jd_lanes_dot(b->nf, left + b->nf, x);
    int slot = jd_expbasis_pair_slot(b->poles.exp, i);
    e->phase.re[slot] = jd_lanes_dot(b->nf, left, g) + mu * p + q;
    e->phase.re[slot + 1] =
        jd_lanes_dot(b->nf, left + b->nf, g) + b->poles.pair[i].delta2.re * p + mu * q;
}

void jd_coupled_amplitudes(exact *e, const double *x, const double *xd) {
    const basis *b = e->phase.b;
    double *g = e->scratch.vector; // C x + x'
    for (int k = 0; k < b->nf; k++) {
        g[k] = xd[k];
        for (int l = 0; l < b->nf; l++) g[k] += b->C[k * b->nf + l] * x[l];
    }
    for (int p = 0; p < b->poles.n_pole - e->plan.n_drive; p++) {
        int slot = jd_expbasis_slot(b->poles.exp, p);
        jd_complex s = b->poles.pole[p], z = {0, 0};
        for (int k = 0; k < b->nf; k++) {
            jd_complex l = b->poles.left[p * b->nf + k];
            double re = g[k] + s.re * x[k], im = s.im * x[k];
            z.re += l.re * re - l.im * im;
            z.im += l.re * im + l.im * re;
        }
        e->phase.re[slot] = z.re;
        e->phase.im[slot] = s.im > 0 ? z.im : 0;
    }
    for (int i = 0; i < b->poles.n_own_pair; i++) set_coupled_pair(e, i, g, x);
    for (int k = 0; b->poles.n_pair > b->poles.n_own_pair && k < b->nf; k++)
        if (b->poles.kind[k] == RESONANT) set_pair(e, k, x[k], xd[k]);
}

// Amplitudes of the poles and pairs of a coupled basis from (re, im) into (to_re, to_im), added.
static void add_own(const exact *e, const double *re, const double *im, double *to_re,
                    double *to_im) {
    const basis *b = e->phase.b;
    for (int p = 0; p < b->poles.n_pole - e->plan.n_drive; p++) {
        int slot = jd_expbasis_slot(b->poles.exp, p);
        to_re[slot] += re[slot];
        to_im[slot] += im[slot];
    }
    for (int i = 0; i < b->poles.n_own_pair; i++) {
        int slot = jd_expbasis_pair_slot(b->poles.exp, i);
        to_re[slot] += re[slot];
        to_re[slot + 1] += re[slot + 1];
    }
}

// What the amplitudes do not add up to is taken apart once more. Vectors are right to rounding, but
// what they miss of a state is the same at every start of a phase and would drive slow motion.
// x, xd: the state, then scratch.
static void refine_amplitudes(exact *e, double *x, double *xd) {
    int nf = e->phase.b->nf;
    memset(e->scratch.x1, 0, (size_t)nf * sizeof *x);
    memset(e->scratch.xd1, 0, (size_t)nf * sizeof *x);
    jd_coupled_state(e, e->phase.re, e->phase.im, e->scratch.x1, e->scratch.xd1);
    for (int k = 0; k < nf; k++) {
        x[k] -= e->scratch.x1[k];
        xd[k] -= e->scratch.xd1[k];
    }
    memcpy(e->scratch.re2, e->phase.re, (size_t)e->phase.b->poles.slots * sizeof *e->phase.re);
    memcpy(e->scratch.im2, e->phase.im, (size_t)e->phase.b->poles.slots * sizeof *e->phase.im);
    jd_coupled_amplitudes(e, x, xd);
    add_own(e, e->phase.re, e->phase.im, e->scratch.re2, e->scratch.im2);
    memcpy(e->phase.re, e->scratch.re2, (size_t)e->phase.b->poles.slots * sizeof *e->phase.re);
    memcpy(e->phase.im, e->scratch.im2, (size_t)e->phase.b->poles.slots * sizeof *e->phase.im);
}

// Amplitudes of the slow poles, whose motion is in poly.
static void clear_slow(exact *e) {
    const basis *b = e->phase.b;
    for (int p = 0; e->phase.drifts && p < b->poles.n_pole - e->plan.n_drive; p++)
        if (b->drift.slow[p]) e->phase.re[jd_expbasis_slot(b->poles.exp, p)] = 0;
}

// Amplitudes of what the polynomial and the drives do not account for.
static void set_amplitudes(exact *e, bool refine) {
    double *x = e->scratch.xt, *xd = e->scratch.xdt;
    remainder_state(e, x, xd);
    if (e->phase.drifts) jd_drift_start(e, x, xd);
    if (!e->phase.b->C) {
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

void jd_phase_unloaded(exact *e) {
    const basis *b = e->phase.b;
    memset(e->phase.re, 0, (size_t)b->poles.slots * sizeof *e->phase.re);
    memset(e->phase.im, 0, (size_t)b->poles.slots * sizeof *e->phase.im);
    memset(e->phase.poly, 0, (size_t)(POWERS * b->nf) * sizeof *e->phase.poly);
    e->phase.degree = -1;
    for (int i = 0; b->shift != 0 && i < b->ms; i++) {
        int s = e->plan.m + e->plan.n_drive + 2 * i;
        if (e->phase.drifts)
            add_response(e, b->drift.by_constant + s * POWERS * b->nf, POWERS, e->phase.y[i]);
        else
            add_response(e, b->response.to_constant + s * CONST_DEGREE * b->nf,
                         b->response.powers[s], e->phase.y[i]);
    }
    for (int k = 0; b->poles.n_rigid && k < b->nf; k++)
        if (b->poles.kind[k] == RIGID) add_rigid(e, k);
    set_amplitudes(e, false);
}

void jd_phase_linear(exact *e) {
    split_state(e);
    jd_phase_unloaded(e);
}

jd_status jd_phase_start(exact *e) {
    e->phase.before = (counters){e->state.undecided, e->state.evaluations, e->state.not_unique,
                                 e->state.margin, e->state.lost};
    jd_choose_held(e);
    JD_TRY(jd_exact_basis(e));
    JD_TRY(jd_judge_jam(e));
    basis *b = e->phase.b;
    memset(e->phase.re, 0, (size_t)b->poles.slots * sizeof *e->phase.re);
    memset(e->phase.im, 0, (size_t)b->poles.slots * sizeof *e->phase.im);
    if (e->dependent.n_frozen || !b->unique) e->state.not_unique++;
    e->state.loss = fmax(e->state.loss, b->loss);
    for (int i = 0; i < b->ms; i++) e->phase.w[i] = e->plan.contact[b->held[i]].belt;
    split_state(e);
    set_sources(e);
    set_drive_amplitudes(e);
    jd_resonance_start(e);
    e->phase.drifts = false;
    set_polynomial(e);
    set_amplitudes(e, true);
    if (b->drift.n && jd_cancel_slow(e)) {
        e->phase.drifts = true;
        set_polynomial(e);
        set_amplitudes(e, true);
    }
    JD_TRY(jd_cancel_phase(e));
    JD_TRY(jd_guards_set(e));
    e->phase.started = true;
    return JD_OK;
}

void jd_phase_search(exact *e) {
    double t_max = fmin(e->phase.t_break - e->state.t0, anchor_times * e->plan.scale_time);
    if (e->phase.drifts) t_max = fmin(t_max, e->phase.b->drift.reach);
    jd_first_zero(e->phase.b->poles.exp, e->phase.re, e->phase.im, e->plan.m, e->phase.guard, t_max,
                  NULL, &e->phase.found, e->phase.re1, e->phase.im1);
    e->state.evaluations += e->phase.found.evaluations;
    e->state.undecided += e->phase.found.undecided + (e->phase.found.outcome == JD_SEARCH_OUTSIDE);
    e->state.margin = fmin(e->state.margin, e->phase.found.margin);
    e->phase.pending = true;
}

static void block_state(const basis *b, int k, const double *re, const double *im, double *x,
                        double *xd) {
    int slot = jd_expbasis_pair_slot(b->poles.exp, b->poles.first[k]);
    jd_complex mu = b->poles.pair[b->poles.first[k]].mu;
    x[k] += re[slot];
    xd[k] += mu.re * re[slot] - mu.im * im[slot] + re[slot + 1];
}

static void free_state(const exact *e, const double *re, const double *im, double *x, double *xd) {
    const basis *b = e->phase.b;
    for (int i = 0; b->poles.plain && i < b->poles.n_stretch; i++) {
        int k = b->poles.stretch[i], slot = b->poles.slot[k];
        jd_add_motion(b->poles.stretch[i + 1] - k, b->poles.a + k, b->poles.w + k, re + slot,
                      im + slot, x + k, xd + k);
    }
    if (b->poles.plain) return;
    for (int k = 0; k < b->nf; k++) {
        if (b->poles.kind[k] == OSCILLATING) {
            x[k] += re[b->poles.slot[k]];
            xd[k] += b->poles.a[k] * re[b->poles.slot[k]] - b->poles.w[k] * im[b->poles.slot[k]];
        } else if (b->poles.kind[k] == OVERDAMPED) {
            for (int i = b->poles.first[k]; i <= b->poles.first[k] + 1; i++) {
                int slot = jd_expbasis_slot(b->poles.exp, i);
                x[k] += re[slot];
                xd[k] += b->poles.pole[i].re * re[slot];
            }
        } else if (b->poles.kind[k] != RIGID) {
            block_state(b, k, re, im, x, xd);
        }
    }
}

void jd_coupled_state(const exact *e, const double *re, const double *im, double *x, double *xd) {
    const basis *b = e->phase.b;
    for (int p = 0; p < b->poles.n_pole - e->plan.n_drive; p++) {
        int slot = jd_expbasis_slot(b->poles.exp, p);
        jd_complex s = b->poles.pole[p];
        double vr = s.re * re[slot] - s.im * im[slot], vi = s.re * im[slot] + s.im * re[slot];
        const jd_complex *r = b->poles.right + p * b->nf;
        for (int k = 0; k < b->nf; k++) {
            x[k] += r[k].re * re[slot] - r[k].im * im[slot];
            xd[k] += r[k].re * vr - r[k].im * vi;
        }
    }
    for (int k = 0; b->poles.n_pair > b->poles.n_own_pair && k < b->nf; k++)
        if (b->poles.kind[k] == RESONANT) block_state(b, k, re, im, x, xd);
    for (int i = 0; i < b->poles.n_own_pair; i++) {
        int slot = jd_expbasis_pair_slot(b->poles.exp, i);
        const double *right = b->poles.pair_right + 2 * i * b->nf;
        double p = re[slot], q = re[slot + 1], mu = b->poles.pair[i].mu.re;
        jd_add_row(b->nf, p, right, x);
        jd_add_row(b->nf, q, right + b->nf, x);
        jd_add_row(b->nf, mu * p + q, right, xd);
        jd_add_row(b->nf, b->poles.pair[i].delta2.re * p + mu * q, right + b->nf, xd);
    }
}

void jd_phase_state(const exact *e, double t, const double *re, const double *im, double *x,
                    double *xd) {
    const basis *b = e->phase.b;
    int nf = b->nf;
    for (int k = 0; k < nf; k++) x[k] = xd[k] = 0;
    for (int k = 0; e->phase.degree >= 0 && k < nf; k++) x[k] = e->phase.poly[k];
    double power = 1; // t^(m-1)
    for (int m = 1; m <= e->phase.degree; m++, power *= t)
        for (int k = 0; k < nf; k++) {
            x[k] += e->phase.poly[m * nf + k] * power * t;
            xd[k] += e->phase.poly[m * nf + k] * m * power;
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
    const basis *b = e->phase.b;
    int n = e->plan.n;
    if (!b->Q) {
        memcpy(q, x, (size_t)n * sizeof *q);
        memcpy(p, xd, (size_t)n * sizeof *p);
        return;
    }
    if (b->fast)
        jd_cauchy_back(b->fast, x, xd, q, p);
    else
        jd_rotate(n, b->nf, b->QT, x, xd, q, p);
    if (b->ms == 1) {
        jd_add_row(n, e->phase.y[0] + e->phase.w[0] * t, b->S, q);
        if (e->phase.w[0] != 0) jd_add_row(n, e->phase.w[0], b->S, p);
        return;
    }
    for (int i = 0; i < b->ms; i++)
        for (int l = 0; l < n; l++) {
            q[l] += b->S[l * b->ms + i] * (e->phase.y[i] + e->phase.w[i] * t);
            p[l] += b->S[l * b->ms + i] * e->phase.w[i];
        }
}
