// ledger_tables.c -- weights that turn end values of amplitudes into integrals over a phase.
//   int z_p z_q = [z_p z_q]/(s_p + s_q),  int z_p conj(z_q) = [z_p conj(z_q)]/(s_p + conj s_q), and
//   z_p conj(z_q) t phi((s_p + conj s_q) t) where they hardly rotate (drives of nearly one
//   frequency, modes that hardly decay). Blocks of decoupled coordinates are in no table:
//   ledger_square.c; those of coupled ones are (pair.c).
#include <math.h>

#include "engine/exact/bases/pair.h"
#include "engine/exact/bases/parts.h"
#include "engine/exact/exact.h"
#include "engine/exact/observers/ledger.h"

static jd_complex scaled(jd_complex a, double f) { return (jd_complex){a.re * f, a.im * f}; }
static jd_complex plus(jd_complex a, jd_complex b) {
    return (jd_complex){a.re + b.re, a.im + b.im};
}

static const double hardly = 1e-3; // of |s_p|: slower products are integrated phase by phase

static bool is_slow(jd_complex sp, jd_complex sq) {
    jd_complex sum = plus(sp, conjugate(sq));
    return hypot(sum.re, sum.im) <= hardly * hypot(sp.re, sp.im);
}

// Adds int Re(a z_p z_q + b z_p conj(z_q)). to_slow: where the second product goes when it hardly
// rotates; NULL: it does.
static void add_sums(jd_complex a, jd_complex b, jd_complex sp, jd_complex sq, jd_complex *to_plus,
                     jd_complex *to_minus, jd_complex *to_slow) {
    if (a.re != 0 || a.im != 0)
        *to_plus = plus(*to_plus, over(a, plus(sp, sq))); // sum = 0 only with zero weight
    if (b.re == 0 && b.im == 0) return;
    if (to_slow)
        *to_slow = plus(*to_slow, b);
    else
        *to_minus = plus(*to_minus, over(b, plus(sp, conjugate(sq))));
}

// Adds the form (Re w_p z_p)(Re w_q z_q) = 1/2 Re(w_p w_q z_p z_q + w_p conj(w_q) z_p conj(z_q)).
static void add_product(jd_complex wp, jd_complex wq, jd_complex sp, jd_complex sq, double factor,
                        jd_complex *to_plus, jd_complex *to_minus, jd_complex *to_slow) {
    add_sums(scaled(times(wp, wq), factor / 2), scaled(times(wp, conjugate(wq)), factor / 2), sp,
             sq, to_plus, to_minus, to_slow);
}

static jd_complex pole_of_drive(const exact *e, int d) {
    return (jd_complex){0, e->plan.drive[d].omega};
}

static jd_status take_sums(exact *e, const basis *b, harmonic_sums *h) {
    jd_complex **weights[] = {&h->work_plus, &h->work_minus, &h->damp_plus, &h->damp_minus};
    for (int i = 0; i < 4; i++) *weights[i] = JD_TAKE(e->arena, jd_complex, b->poles.slots);
    h->steady = JD_TAKE(e->arena, jd_complex, e->plan.n_drive);
    h->damp_steady = JD_TAKE(e->arena, jd_complex, e->plan.n_drive);
    h->product = JD_TAKE(e->arena, double, 4 * b->poles.slots);
    h->time = JD_TAKE(e->arena, double, 2 * e->plan.n_drive);
    return jd_arena_status(e->arena);
}

// int F_d v_d: F_d = Re z_d.
static void work_sums(exact *e, basis *b, int d, jd_complex *weight) {
    harmonic_sums *h = &b->energy.harmonic[d];
    for (int p = 0; p < b->poles.n_pole; p++) weight[p] = (jd_complex){0, 0};
    jd_functional_weights(e, b, &b->observed.v_drive[d], weight);
    for (int p = 0; p < b->poles.n_pole; p++) {
        int slot = jd_expbasis_slot(b->poles.exp, p),
            other = p - (b->poles.n_pole - e->plan.n_drive);
        jd_complex apart = {0, 0}, // one beside the drive: phase by phase, jd_resonance_work
            *slow = other >= 0 && jd_ledger_beats(e, other, d) ? &h->steady[other]
                    : jd_resonance_has(b, p, d)                ? &apart
                                                               : NULL;
        add_product(weight[p], (jd_complex){1, 0}, b->poles.pole[p], pole_of_drive(e, d), 1,
                    &h->work_plus[slot], &h->work_minus[slot], slow);
    }
    for (int i = 0; i < b->poles.n_own_pair; i++) { // int (w'r) Re z_d
        double own[2];
        int slot = jd_expbasis_pair_slot(b->poles.exp, i);
        jd_functional_pair_weights(b, &b->observed.v_drive[d], i, own);
        jd_pair_with_pole(&b->poles.pair[i], own, pole_of_drive(e, d), h->work_plus + slot);
    }
}

// Free motion against drive d in c int x'^2 (twice the product), coordinate by coordinate, but for
// those that are integrated phase by phase.
static void damp_sums(const exact *e, basis *b, int d) {
    harmonic_sums *h = &b->energy.harmonic[d];
    jd_complex sd = pole_of_drive(e, d);
    for (int k = 0; k < b->nf; k++) {
        double c = b->energy.damp_const[k];
        jd_complex wd = times(sd, b->response.X[d * b->nf + k]);
        if (c == 0 || damps_apart(b, k)) continue;
        for (int p = b->poles.first[k]; p < b->poles.first[k] + poles_of_kind(b->poles.kind[k]);
             p++) {
            int slot = jd_expbasis_slot(b->poles.exp, p);
            add_product(b->poles.pole[p], wd, b->poles.pole[p], sd, 2 * c, &h->damp_plus[slot],
                        &h->damp_minus[slot], NULL);
        }
        for (int o = 0; o < e->plan.n_drive; o++) { // drive o against drive d; both orders occur
            jd_complex so = pole_of_drive(e, o), wo = times(so, b->response.X[o * b->nf + k]);
            if (e->plan.drive[o].omega > 0)
                add_product(wo, wd, so, sd, c, &h->damp_plus[b->poles.drive_slot[o]],
                            &h->damp_minus[b->poles.drive_slot[o]],
                            jd_ledger_beats(e, o, d) ? &h->damp_steady[o] : NULL);
        }
    }
}

// c int x'^2 of the free motion alone: x' = Re(s z), or r1 z1 + r2 z2.
static void own_sums(basis *b) {
    b->energy.lossless = true;
    b->energy.n_apart = 0;
    for (int k = 0; k < b->nf; k++)
        b->energy.lossless = b->energy.lossless && b->energy.damp_const[k] == 0;
    for (int k = 0; k < b->nf; k++) {
        double c = b->energy.damp_const[k];
        if (c == 0 || damps_apart(b, k)) {
            b->energy.n_apart += c != 0;
            continue;
        }
        int slot = jd_expbasis_slot(b->poles.exp, b->poles.first[k]);
        jd_complex s = b->poles.pole[b->poles.first[k]];
        if (b->poles.kind[k] == OSCILLATING) { // c/2 (Re(s z^2)/2 + |s|^2 |z|^2/(2 Re s))
            b->energy.own[slot] = scaled(s, c / 4);
            b->energy.own_size[slot] = c * (s.re * s.re + s.im * s.im) / (4 * s.re);
        } else if (b->poles.kind[k] == OVERDAMPED) {
            double r1 = s.re, r2 = b->poles.pole[b->poles.first[k] + 1].re;
            int other = jd_expbasis_slot(b->poles.exp, b->poles.first[k] + 1);
            b->energy.own[slot].re = c * r1 / 2;
            b->energy.own[other].re = c * r2 / 2;
            b->energy.own_next[slot] = 2 * c * r1 * r2 / (r1 + r2);
            b->energy.twin[slot] = other;
            b->energy.n_twin++;
        }
    }
}

static jd_status take_quadratic(exact *e, const basis *b, quadratic_sums *q) {
    size_t n = (size_t)b->poles.slots * (size_t)b->poles.slots;
    q->plus = JD_TAKE(e->arena, jd_complex, n);
    q->minus = JD_TAKE(e->arena, jd_complex, n);
    int slow = 0;
    for (int i = 0; i < b->poles.n_pole; i++)
        for (int j = 0; j < b->poles.n_pole; j++)
            slow += is_slow(b->poles.pole[i], b->poles.pole[j]);
    q->slow = JD_TAKE(e->arena, slow_product, slow + 1);
    q->n_slow = 0;
    return jd_arena_status(e->arena);
}

// The next entry of the list of slow products, for poles p and q; NULL when theirs rotates.
static slow_product *next_slow(const basis *b, int p, int q, quadratic_sums *sums) {
    if (!is_slow(b->poles.pole[p], b->poles.pole[q])) return NULL;
    slow_product *out = &sums->slow[sums->n_slow++];
    *out = (slow_product){.p = jd_expbasis_slot(b->poles.exp, p),
                          .q = jd_expbasis_slot(b->poles.exp, q),
                          .rate = plus(b->poles.pole[p], conjugate(b->poles.pole[q]))};
    return out;
}

// Adds (Re W'r z_q) of pair i, W = w w_q complex, to a form in which both orders of the product are
// meant: twice.
static void add_pair_pole(const basis *b, int i, int q, const jd_complex w[2],
                          quadratic_sums *sums) {
    int slot = jd_expbasis_pair_slot(b->poles.exp, i), at = jd_expbasis_slot(b->poles.exp, q);
    const double re[2] = {w[0].re, w[1].re}, im[2] = {w[0].im, w[1].im};
    jd_complex x[2], y[2];
    jd_pair_with_pole(&b->poles.pair[i], re, b->poles.pole[q], x);
    jd_pair_with_pole(&b->poles.pair[i], im, b->poles.pole[q], y);
    for (int a = 0; a < 2; a++) {
        jd_complex *to = &sums->plus[(slot + a) * b->poles.slots + at];
        to->re += 2 * (x[a].re - y[a].im);
        to->im += 2 * (x[a].im + y[a].re);
    }
}

// Adds r'W u of the pairs i and j.
static void add_pair_pair(const basis *b, int i, int j, const double W[4], quadratic_sums *sums) {
    int from = jd_expbasis_pair_slot(b->poles.exp, i), to = jd_expbasis_pair_slot(b->poles.exp, j);
    double Z[4];
    jd_pair_with_pair(&b->poles.pair[i], &b->poles.pair[j], W, Z);
    for (int a = 0; a < 4; a++) sums->plus[(from + a / 2) * b->poles.slots + to + a % 2].re += Z[a];
}

// The pairs in the square of a functional.
static void add_pair_square(const basis *b, const functional *f, const jd_complex *weight,
                            double factor, quadratic_sums *sums) {
    for (int i = 0; i < b->poles.n_own_pair; i++) {
        double w[2], v[2];
        jd_functional_pair_weights(b, f, i, w);
        for (int q = 0; q < b->poles.n_pole; q++) {
            const jd_complex product[2] = {scaled(weight[q], factor * w[0]),
                                           scaled(weight[q], factor * w[1])};
            add_pair_pole(b, i, q, product, sums);
        }
        for (int j = 0; j < b->poles.n_own_pair; j++) {
            jd_functional_pair_weights(b, f, j, v);
            const double W[4] = {factor * w[0] * v[0], factor * w[0] * v[1], factor * w[1] * v[0],
                                 factor * w[1] * v[1]};
            add_pair_pair(b, i, j, W, sums);
        }
    }
}

static void add_square(const basis *b, const jd_complex *weight, double factor,
                       quadratic_sums *sums) {
    for (int p = 0; p < b->poles.n_pole; p++)
        for (int q = 0; q < b->poles.n_pole; q++) {
            int at = jd_expbasis_slot(b->poles.exp, p) * b->poles.slots +
                     jd_expbasis_slot(b->poles.exp, q);
            slow_product *slow = next_slow(b, p, q, sums);
            add_product(weight[p], weight[q], b->poles.pole[p], b->poles.pole[q], factor,
                        &sums->plus[at], &sums->minus[at], slow ? &slow->weight : NULL);
        }
}

// The pairs in int x' C0 x': v (n_pole x nf) velocities of the poles.
static void coupled_pair_sums(basis *b, const jd_complex *v, double *V) {
    int nf = b->nf, n = 2 * b->poles.n_own_pair;
    double *CV = V + n * nf; // V: velocity by each slot of the pairs; CV = C0 V
    for (int i = 0; i < b->poles.n_own_pair; i++) {
        const double *right = b->poles.pair_right + 2 * i * nf;
        double mu = b->poles.pair[i].mu.re, delta2 = b->poles.pair[i].delta2.re;
        for (int k = 0; k < nf; k++) {
            V[2 * i * nf + k] = mu * right[k] + delta2 * right[nf + k];
            V[(2 * i + 1) * nf + k] = right[k] + mu * right[nf + k];
        }
    }
    for (int a = 0; a < n; a++)
        for (int k = 0; k < nf; k++) CV[a * nf + k] = jd_lanes_dot(nf, b->C0 + k * nf, V + a * nf);
    for (int i = 0; i < b->poles.n_own_pair; i++) {
        for (int q = 0; q < b->poles.n_pole; q++) {
            jd_complex w[2] = {{0, 0}, {0, 0}};
            for (int a = 0; a < 2; a++)
                for (int k = 0; k < nf; k++)
                    w[a] = plus(w[a], scaled(v[q * nf + k], CV[(2 * i + a) * nf + k]));
            add_pair_pole(b, i, q, w, &b->energy.coupled);
        }
        for (int j = 0; j < b->poles.n_own_pair; j++) {
            double W[4];
            for (int a = 0; a < 4; a++)
                W[a] = jd_lanes_dot(nf, CV + (2 * i + a / 2) * nf, V + (2 * j + a % 2) * nf);
            add_pair_pair(b, i, j, W, &b->energy.coupled);
        }
    }
}

// int x' C0 x' with coupled poles: sum over the eigenvectors of C0 would do; here entry by entry.
static jd_status coupled_sums(exact *e, basis *b) {
    int nf = b->nf, n = b->poles.n_pole;
    jd_complex *v = JD_TAKE(e->arena, jd_complex, n * nf), *Cv = JD_TAKE(e->arena, jd_complex, nf);
    double *V = JD_TAKE(e->arena, double, 4 * b->poles.n_own_pair * nf + 1);
    JD_TRY(take_quadratic(e, b, &b->energy.coupled));
    for (int p = 0; p < n; p++)
        for (int k = 0; k < nf; k++) {
            int d = p - (n - e->plan.n_drive);
            if (b->poles.kind[k] == RESONANT) continue; // integrated phase by phase
            v[p * nf + k] = times(b->poles.pole[p],
                                  d < 0 ? b->poles.right[p * nf + k] : b->response.X[d * nf + k]);
        }
    for (int p = 0; p < n; p++) {
        for (int k = 0; k < nf; k++) {
            Cv[k] = (jd_complex){0, 0};
            for (int l = 0; b->C0 && l < nf; l++)
                Cv[k] = plus(Cv[k], scaled(v[p * nf + l], b->C0[k * nf + l]));
        }
        for (int q = 0; q < n; q++) {
            int at = jd_expbasis_slot(b->poles.exp, p) * b->poles.slots +
                     jd_expbasis_slot(b->poles.exp, q);
            slow_product *slow = next_slow(b, p, q, &b->energy.coupled);
            jd_complex sum = {0, 0}, minus = {0, 0}; // of all coordinates, divided once
            for (int k = 0; k < nf; k++) {
                sum = plus(sum, times(Cv[k], v[q * nf + k]));
                minus = plus(minus, times(Cv[k], conjugate(v[q * nf + k])));
            }
            add_sums(scaled(sum, 0.5), scaled(minus, 0.5), b->poles.pole[p], b->poles.pole[q],
                     &b->energy.coupled.plus[at], &b->energy.coupled.minus[at],
                     slow ? &slow->weight : NULL);
        }
    }
    coupled_pair_sums(b, v, V);
    return JD_OK;
}

static jd_status slope_sums(exact *e, basis *b, jd_complex *weight) {
    b->energy.slope = JD_TAKE(e->arena, quadratic_sums, e->plan.m);
    JD_TRY(jd_arena_status(e->arena));
    for (int j = 0; j < e->plan.m; j++) {
        if (b->key[j] != 'd' || !b->C) continue;
        JD_TRY(take_quadratic(e, b, &b->energy.slope[j]));
        for (int p = 0; p < b->poles.n_pole; p++) weight[p] = (jd_complex){0, 0};
        jd_functional_weights(e, b, &b->observed.v[j], weight);
        add_square(b, weight, e->plan.contact[j].slope, &b->energy.slope[j]);
        add_pair_square(b, &b->observed.v[j], weight, e->plan.contact[j].slope,
                        &b->energy.slope[j]);
    }
    return JD_OK;
}

jd_status jd_ledger_tables(exact *e, basis *b) {
    b->energy.harmonic = JD_TAKE(e->arena, harmonic_sums, e->plan.n_drive);
    b->energy.own = JD_TAKE(e->arena, jd_complex, b->poles.slots);
    b->energy.square = JD_TAKE(e->arena, double, 3 * b->poles.slots);
    b->energy.own_size = JD_TAKE(e->arena, double, b->poles.slots);
    b->energy.own_next = JD_TAKE(e->arena, double, b->poles.slots);
    b->energy.twin = JD_TAKE(e->arena, int, b->poles.slots);
    b->energy.damp_const = JD_TAKE(e->arena, double, b->nf);
    jd_complex *weight = JD_TAKE(e->arena, jd_complex, b->poles.n_pole + 1);
    JD_TRY(jd_arena_status(e->arena));
    for (int i = 0; i < b->poles.slots; i++) b->energy.twin[i] = -1;
    for (int k = 0; k < b->nf; k++)
        b->energy.damp_const[k] = b->C0 ? b->C0[k * b->nf + k] : b->c[k];
    for (int d = 0; d < e->plan.n_drive; d++) {
        if (e->plan.drive[d].omega == 0) continue;
        JD_TRY(take_sums(e, b, &b->energy.harmonic[d]));
        work_sums(e, b, d, weight);
        if (!b->C) damp_sums(e, b, d);
    }
    JD_TRY(slope_sums(e, b, weight));
    if (b->C) return coupled_sums(e, b);
    own_sums(b);
    return JD_OK;
}
