// ledger_tables.c -- weights that turn end values of amplitudes into integrals over a phase.
//   int z_p z_q = [z_p z_q]/(s_p + s_q),  int z_p conj(z_q) = [z_p conj(z_q)]/(s_p + conj s_q), and
//   z_p conj(z_q) t where s_p + conj s_q = 0 (drives of one frequency, undamped modes).
#include <math.h>

#include "engine/exact/exact.h"

static jd_complex scaled(jd_complex a, double f) { return (jd_complex){a.re * f, a.im * f}; }
static jd_complex plus(jd_complex a, jd_complex b) {
    return (jd_complex){a.re + b.re, a.im + b.im};
}

static bool cancels(jd_complex sum, jd_complex a) {
    return hypot(sum.re, sum.im) <= 1e-14 * hypot(a.re, a.im);
}

// Adds the form (Re w_p z_p)(Re w_q z_q) = 1/2 Re(w_p w_q z_p z_q + w_p conj(w_q) z_p conj(z_q)).
static void add_product(jd_complex wp, jd_complex wq, jd_complex sp, jd_complex sq, double factor,
                        jd_complex *to_plus, jd_complex *to_minus, jd_complex *to_steady) {
    jd_complex sum = plus(sp, sq), difference = plus(sp, conjugate(sq));
    jd_complex a = scaled(times(wp, wq), factor / 2),
               b = scaled(times(wp, conjugate(wq)), factor / 2);
    if (a.re != 0 || a.im != 0)
        *to_plus = plus(*to_plus, over(a, sum)); // sum = 0 only with zero weight
    if (b.re == 0 && b.im == 0) return;
    if (cancels(difference, sp))
        *to_steady = plus(*to_steady, b);
    else
        *to_minus = plus(*to_minus, over(b, difference));
}

static jd_complex pole_of_drive(const exact *e, int d) {
    return (jd_complex){0, e->drive[d].omega};
}

static jd_status take_sums(exact *e, const basis *b, harmonic_sums *h) {
    jd_complex **weights[] = {&h->work_plus, &h->work_minus, &h->damp_plus, &h->damp_minus};
    for (int i = 0; i < 4; i++) *weights[i] = JD_TAKE(e->arena, jd_complex, b->slots);
    h->steady = JD_TAKE(e->arena, jd_complex, e->n_drive);
    h->damp_steady = JD_TAKE(e->arena, jd_complex, e->n_drive);
    h->product = JD_TAKE(e->arena, double, 4 * b->slots);
    h->time = JD_TAKE(e->arena, double, 2 * e->n_drive);
    return jd_arena_status(e->arena);
}

// int F_d v_d: F_d = Re z_d.
static void work_sums(exact *e, basis *b, int d, jd_complex *weight) {
    harmonic_sums *h = &b->harmonic[d];
    for (int p = 0; p < b->n_pole; p++) weight[p] = (jd_complex){0, 0};
    functional_weights(e, b, &b->v_drive[d], weight);
    for (int p = 0; p < b->n_pole; p++) {
        jd_complex steady = {0, 0};
        int slot = jd_expbasis_slot(b->exp, p), other = p - (b->n_pole - e->n_drive);
        add_product(weight[p], (jd_complex){1, 0}, b->pole[p], pole_of_drive(e, d), 1,
                    &h->work_plus[slot], &h->work_minus[slot], &steady);
        if (other >= 0) h->steady[other] = steady;
    }
}

// Free motion against drive d in c int x'^2 (twice the product), coordinate by coordinate.
static void damp_sums(const exact *e, basis *b, int d) {
    harmonic_sums *h = &b->harmonic[d];
    jd_complex sd = pole_of_drive(e, d), none = {0, 0};
    for (int k = 0; k < b->nf; k++) {
        double c = b->damp_const[k];
        jd_complex wd = times(sd, b->X[d * b->nf + k]);
        int poles = b->kind[k] == OSCILLATING ? 1 : b->kind[k] == OVERDAMPED ? 2 : 0;
        if (c == 0 || b->kind[k] == PAIRED || b->kind[k] == RESONANT) continue;
        for (int p = b->first[k]; p < b->first[k] + poles; p++) {
            int slot = jd_expbasis_slot(b->exp, p);
            add_product(b->pole[p], wd, b->pole[p], sd, 2 * c, &h->damp_plus[slot],
                        &h->damp_minus[slot], &none);
        }
        for (int o = 0; o < e->n_drive; o++) { // drive o against drive d; both orders occur
            jd_complex so = pole_of_drive(e, o), wo = times(so, b->X[o * b->nf + k]);
            if (e->drive[o].omega > 0)
                add_product(wo, wd, so, sd, c, &h->damp_plus[b->drive_slot[o]],
                            &h->damp_minus[b->drive_slot[o]], &h->damp_steady[o]);
        }
    }
}

// c int x'^2 of the free motion alone: x' = Re(s z), or r1 z1 + r2 z2.
static void own_sums(basis *b) {
    b->lossless = true;
    for (int k = 0; k < b->nf; k++) b->lossless = b->lossless && b->damp_const[k] == 0;
    for (int k = 0; k < b->nf; k++) {
        double c = b->damp_const[k];
        if (c == 0) continue;
        int slot = jd_expbasis_slot(b->exp, b->first[k]);
        jd_complex s = b->pole[b->first[k]];
        if (b->kind[k] == OSCILLATING) { // c/2 (Re(s z^2)/2 + |s|^2 |z|^2/(2 Re s))
            b->own[slot] = scaled(s, c / 4);
            b->own_size[slot] = c * (s.re * s.re + s.im * s.im) / (4 * s.re);
        } else if (b->kind[k] == OVERDAMPED) {
            double r1 = s.re, r2 = b->pole[b->first[k] + 1].re;
            int other = jd_expbasis_slot(b->exp, b->first[k] + 1);
            b->own[slot].re = c * r1 / 2;
            b->own[other].re = c * r2 / 2;
            b->own_next[slot] = 2 * c * r1 * r2 / (r1 + r2);
            b->twin[slot] = other;
            b->n_twin++;
        }
    }
}

static jd_status take_quadratic(exact *e, const basis *b, quadratic_sums *q) {
    size_t n = (size_t)b->slots * (size_t)b->slots;
    q->plus = JD_TAKE(e->arena, jd_complex, n);
    q->minus = JD_TAKE(e->arena, jd_complex, n);
    q->steady = JD_TAKE(e->arena, jd_complex, n);
    return jd_arena_status(e->arena);
}

static void add_square(const basis *b, const jd_complex *weight, double factor,
                       quadratic_sums *sums) {
    for (int p = 0; p < b->n_pole; p++)
        for (int q = 0; q < b->n_pole; q++) {
            int at = jd_expbasis_slot(b->exp, p) * b->slots + jd_expbasis_slot(b->exp, q);
            add_product(weight[p], weight[q], b->pole[p], b->pole[q], factor, &sums->plus[at],
                        &sums->minus[at], &sums->steady[at]);
        }
}

// int x' C0 x' with coupled poles: sum over the eigenvectors of C0 would do; here entry by entry.
static jd_status coupled_sums(exact *e, basis *b) {
    int nf = b->nf, n = b->n_pole;
    jd_complex *v = JD_TAKE(e->arena, jd_complex, n * nf), *Cv = JD_TAKE(e->arena, jd_complex, nf);
    JD_TRY(take_quadratic(e, b, &b->coupled));
    for (int p = 0; p < n; p++)
        for (int k = 0; k < nf; k++) {
            int d = p - (n - e->n_drive);
            v[p * nf + k] = times(b->pole[p], d < 0 ? b->right[p * nf + k] : b->X[d * nf + k]);
        }
    for (int p = 0; p < n; p++) {
        for (int k = 0; k < nf; k++) {
            Cv[k] = (jd_complex){0, 0};
            for (int l = 0; l < nf; l++)
                Cv[k] = plus(Cv[k], scaled(v[p * nf + l], b->C0[k * nf + l]));
        }
        for (int q = 0; q < n; q++) {
            int at = jd_expbasis_slot(b->exp, p) * b->slots + jd_expbasis_slot(b->exp, q);
            for (int k = 0; k < nf; k++)
                add_product(Cv[k], v[q * nf + k], b->pole[p], b->pole[q], 1, &b->coupled.plus[at],
                            &b->coupled.minus[at], &b->coupled.steady[at]);
        }
    }
    return JD_OK;
}

static jd_status slope_sums(exact *e, basis *b, jd_complex *weight) {
    b->slope = JD_TAKE(e->arena, quadratic_sums, e->m);
    JD_TRY(jd_arena_status(e->arena));
    for (int j = 0; j < e->m; j++) {
        if (b->key[j] != 'd' || b->n_pair > 0) continue;
        JD_TRY(take_quadratic(e, b, &b->slope[j]));
        for (int p = 0; p < b->n_pole; p++) weight[p] = (jd_complex){0, 0};
        functional_weights(e, b, &b->v[j], weight);
        add_square(b, weight, e->contact[j].slope, &b->slope[j]);
    }
    return JD_OK;
}

jd_status ledger_tables(exact *e, basis *b) {
    b->harmonic = JD_TAKE(e->arena, harmonic_sums, e->n_drive);
    b->own = JD_TAKE(e->arena, jd_complex, b->slots);
    b->square = JD_TAKE(e->arena, double, 3 * b->slots);
    b->own_size = JD_TAKE(e->arena, double, b->slots);
    b->own_next = JD_TAKE(e->arena, double, b->slots);
    b->twin = JD_TAKE(e->arena, int, b->slots);
    b->damp_const = JD_TAKE(e->arena, double, b->nf);
    jd_complex *weight = JD_TAKE(e->arena, jd_complex, b->n_pole + 1);
    JD_TRY(jd_arena_status(e->arena));
    for (int i = 0; i < b->slots; i++) b->twin[i] = -1;
    for (int k = 0; k < b->nf; k++) b->damp_const[k] = b->C0 ? b->C0[k * b->nf + k] : b->c[k];
    for (int d = 0; d < e->n_drive; d++) {
        if (e->drive[d].omega == 0) continue;
        JD_TRY(take_sums(e, b, &b->harmonic[d]));
        work_sums(e, b, d, weight);
        if (!b->C) damp_sums(e, b, d);
    }
    JD_TRY(slope_sums(e, b, weight));
    if (b->C) return coupled_sums(e, b);
    own_sums(b);
    return JD_OK;
}
