// ledger_resonance.c -- energies of the blocks of resonance.c: products with all else, closed.
//   Velocity of a block: r V, V = p' = e^{i Omega t} q0 (1 + s E(u)), E(u) = (e^{ut} - 1)/u,
//   u = s - i Omega, since it starts at rest. With another exponential z' = c z,
//     int V z    = q0 z0 (t phi(x) + s t^2 phi[x + ut, x]),   x = (i Omega + c) t
//   with another block, x = (i Omega_1 + i Omega_2) t, a = u_1 t, b = u_2 t,
//     int V1 V2  = q1 q2 (t phi(x) + s1 t^2 phi[x + a, x] + s2 t^2 phi[x + b, x]
//                         + s1 s2 t^3 phi[a, b; x]),
//   and with conjugates the same. With a real pair r' = T r,
//     int V r    = q0 (F + s (T + s)^-1 (e^{i Omega t} t phi(ut) r1 - F)),
//     F = (T + i Omega)^-1 [r e^{i Omega t}]
//   No quotient of differences is left: right at resonance, beside it, and where drives beat.
#include <math.h>

#include "engine/exact/bases/pair.h"
#include "engine/exact/bases/parts.h"
#include "engine/exact/bases/phi.h"
#include "engine/exact/exact.h"

static jd_complex plus(jd_complex a, jd_complex b) {
    return (jd_complex){a.re + b.re, a.im + b.im};
}
static jd_complex scaled(jd_complex a, double f) { return (jd_complex){a.re * f, a.im * f}; }

typedef struct forced { // V = e^{i Omega t} q (1 + s E(u))
    jd_complex s, u, q;
    double Omega;
} forced;

static forced forced_of(const exact *e, int i, bool conjugated) {
    const basis *b = e->phase.b;
    const resonance *r = &b->resonances.block[i];
    int slot = jd_expbasis_pair_slot(b->poles.exp, r->pair) + 1;
    double Omega = e->plan.drive[r->drive].omega;
    jd_complex s = b->poles.pole[r->pole], q = {e->phase.re[slot], e->phase.im[slot]};
    forced v = {s, {s.re, s.im - Omega}, q, Omega};
    if (conjugated) v = (forced){conjugate(s), conjugate(v.u), conjugate(q), -Omega};
    return v;
}

// int V z, z = z0 at the start, z' = c z.
static jd_complex with_pole(const forced *v, jd_complex c, jd_complex z0, double t) {
    jd_complex x = {c.re * t, (c.im + v->Omega) * t}, far = plus(x, scaled(v->u, t));
    jd_complex sum =
        plus(scaled(jd_phi(x), t), scaled(times(v->s, jd_phi_difference(far, x)), t * t));
    return times(times(v->q, z0), sum);
}

static jd_complex with_block(const forced *v, const forced *w, double t) {
    jd_complex x = {0, (v->Omega + w->Omega) * t}, a = scaled(v->u, t), b = scaled(w->u, t);
    jd_complex sum = scaled(jd_phi(x), t);
    sum = plus(sum, scaled(times(v->s, jd_phi_difference(plus(x, a), x)), t * t));
    sum = plus(sum, scaled(times(w->s, jd_phi_difference(plus(x, b), x)), t * t));
    sum = plus(sum, scaled(times(times(v->s, w->s), jd_phi_mixed(a, b, x)), t * t * t));
    return times(times(v->q, w->q), sum);
}

// w'(int V r) of the real pair i.
static jd_complex with_pair(const exact *e, const forced *v, int i, const double w[2], double t) {
    const basis *b = e->phase.b;
    int slot = jd_expbasis_pair_slot(b->poles.exp, i);
    jd_complex Omega = {0, v->Omega}, turned = {cos(v->Omega * t), sin(v->Omega * t)}, F[2], out[2];
    const double one[2][2] = {{1, 0}, {0, 1}};
    jd_complex grown = scaled(times(turned, jd_phi(scaled(v->u, t))), t), sum = {0, 0};
    for (int c = 0; c < 2; c++) { // F_c
        jd_pair_with_pole(&b->poles.pair[i], one[c], Omega, out);
        F[c] = (jd_complex){0, 0};
        for (int k = 0; k < 2; k++) {
            jd_complex end = scaled(turned, e->phase.re1[slot + k]);
            end.re -= e->phase.re[slot + k];
            F[c] = plus(F[c], times(out[k], end));
        }
        sum = plus(sum, scaled(F[c], w[c]));
    }
    jd_pair_with_pole(&b->poles.pair[i], w, v->s, out);
    for (int k = 0; k < 2; k++) {
        jd_complex rest = plus(scaled(grown, e->phase.re1[slot + k]), scaled(F[k], -1));
        sum = plus(sum, times(v->s, times(out[k], rest)));
    }
    return times(v->q, sum);
}

static jd_complex dot_complex(int n, const jd_complex *a, const jd_complex *b, bool conjugated) {
    jd_complex sum = {0, 0};
    for (int k = 0; k < n; k++) sum = plus(sum, times(a[k], conjugated ? conjugate(b[k]) : b[k]));
    return sum;
}

// Velocity of pole p, drives included, of coordinate k, over its amplitude.
static jd_complex pole_vector(const exact *e, int p, int k) {
    const basis *b = e->phase.b;
    int d = p - (b->poles.n_pole - e->plan.n_drive);
    return times(b->poles.pole[p],
                 d < 0 ? b->poles.right[p * b->nf + k] : b->response.X[d * b->nf + k]);
}

// Twice the product of block i, weighed by w, with the poles and drives.
static double beside_poles(const exact *e, int i, const jd_complex *w, double t) {
    const basis *b = e->phase.b;
    forced v = forced_of(e, i, false);
    double total = 0;
    for (int p = 0; p < b->poles.n_pole; p++) {
        int slot = jd_expbasis_slot(b->poles.exp, p);
        jd_complex alpha = {0, 0}, beta = {0, 0}, z = {e->phase.re[slot], e->phase.im[slot]};
        if (z.re == 0 && z.im == 0) continue;
        for (int k = 0; k < b->nf; k++) {
            jd_complex u = pole_vector(e, p, k);
            alpha = plus(alpha, times(w[k], u));
            beta = plus(beta, times(w[k], conjugate(u)));
        }
        total += times(alpha, with_pole(&v, b->poles.pole[p], z, t)).re;
        total += times(beta, with_pole(&v, conjugate(b->poles.pole[p]), conjugate(z), t)).re;
    }
    return total;
}

static double beside_pairs(const exact *e, int i, const jd_complex *w, double t) {
    const basis *b = e->phase.b;
    forced v = forced_of(e, i, false);
    double total = 0;
    for (int j = 0; j < b->poles.n_own_pair; j++) {
        const double *right = b->poles.pair_right + 2 * j * b->nf;
        double mu = b->poles.pair[j].mu.re, delta2 = b->poles.pair[j].delta2.re, re[2] = {0},
               im[2] = {0};
        for (int k = 0; k < b->nf; k++) {
            double p = mu * right[k] + delta2 * right[b->nf + k],
                   q = right[k] + mu * right[b->nf + k];
            re[0] += w[k].re * p, re[1] += w[k].re * q;
            im[0] += w[k].im * p, im[1] += w[k].im * q;
        }
        total += 2 * (with_pair(e, &v, j, re, t).re - with_pair(e, &v, j, im, t).im);
    }
    return total;
}

static double beside_blocks(const exact *e, int i, const jd_complex *w, double t) {
    const basis *b = e->phase.b;
    forced v = forced_of(e, i, false);
    double total = 0;
    for (int j = 0; j < b->resonances.n; j++)
        for (int conjugated = 0; conjugated < 2; conjugated++) {
            forced o = forced_of(e, j, conjugated);
            const jd_complex *right = b->poles.right + b->resonances.block[j].pole * b->nf;
            jd_complex weight = dot_complex(b->nf, w, right, conjugated);
            total += times(weight, with_block(&v, &o, t)).re / 2;
        }
    return total;
}

// What blocks add to int E'C E, E the exponential part of velocities; C (nf x nf), or C = c b b'.
double jd_resonance_square(const exact *e, const double *C, double c, const double *row, double t) {
    const basis *b = e->phase.b;
    double total = 0;
    for (int i = 0; i < b->resonances.n; i++) {
        const jd_complex *right = b->poles.right + b->resonances.block[i].pole * b->nf;
        jd_complex *w = e->phase.b->resonances.weight, along = {0, 0};
        for (int k = 0; row && k < b->nf; k++) along = plus(along, scaled(right[k], c * row[k]));
        for (int k = 0; k < b->nf; k++) {
            w[k] = row ? scaled(along, row[k]) : (jd_complex){0, 0};
            for (int l = 0; !row && l < b->nf; l++)
                w[k] = plus(w[k], scaled(right[l], C[k * b->nf + l]));
        }
        total += beside_poles(e, i, w, t) + beside_pairs(e, i, w, t) + beside_blocks(e, i, w, t);
    }
    return total;
}

// int Re(w s z_p) Re(z_d), its part that hardly rotates, of the pole p itself.
static double free_work(const exact *e, int p, jd_complex w, jd_complex z_d, jd_complex u,
                        double t) {
    int slot = jd_expbasis_slot(e->phase.b->poles.exp, p);
    jd_complex z = times(times(w, e->phase.b->poles.pole[p]),
                         (jd_complex){e->phase.re[slot], e->phase.im[slot]});
    return t * times(times(z, conjugate(z_d)), jd_phi(scaled(u, t))).re / 2;
}

double jd_resonance_work(const exact *e, int d, double t) {
    const basis *b = e->phase.b;
    int slot = b->poles.drive_slot[d];
    jd_complex c = {0, e->plan.drive[d].omega}, z = {e->phase.re[slot], e->phase.im[slot]};
    double total = 0;
    for (int i = 0; i < b->resonances.n; i++) {
        forced v = forced_of(e, i, false);
        const jd_complex *right = b->poles.right + b->resonances.block[i].pole * b->nf;
        jd_complex weight = {0, 0};
        for (int k = 0; k < b->nf; k++)
            weight = plus(weight, scaled(right[k], b->observed.v_drive[d].b[k]));
        total += times(weight, with_pole(&v, c, z, t)).re / 2;
        total += times(weight, with_pole(&v, conjugate(c), conjugate(z), t)).re / 2;
        if (b->resonances.block[i].drive == d)
            total += free_work(e, b->resonances.block[i].pole, weight, z, v.u, t);
    }
    return total;
}

// int Re(r_k p) of all blocks: p = e^{i Omega t} q E(u).
double jd_resonance_integral(const exact *e, int k, double t) {
    const basis *b = e->phase.b;
    double total = 0;
    for (int i = 0; i < b->resonances.n; i++) {
        forced v = forced_of(e, i, false);
        jd_complex x = {0, v.Omega * t}, far = plus(x, scaled(v.u, t));
        jd_complex p = times(v.q, scaled(jd_phi_difference(far, x), t * t));
        total += times(b->poles.right[b->resonances.block[i].pole * b->nf + k], p).re;
    }
    return total;
}

// Adds int t^m V r to the moments, m < n.
void jd_resonance_moments(exact *e, double t, int n) {
    const basis *b = e->phase.b;
    for (int i = 0; i < b->resonances.n; i++) {
        forced v = forced_of(e, i, false);
        const jd_complex *right = b->poles.right + b->resonances.block[i].pole * b->nf;
        jd_complex plain[POWERS], grown[POWERS];
        double power = t; // t^(m+1)
        jd_phi_powers((jd_complex){0, v.Omega * t}, n, plain);
        jd_phi_power_differences(scaled(v.u, t), (jd_complex){0, v.Omega * t}, n, grown);
        for (int m = 0; m < n; m++, power *= t) {
            jd_complex sum = plus(plain[m], scaled(times(v.s, grown[m]), t));
            sum = scaled(times(v.q, sum), power);
            for (int k = 0; k < b->nf; k++)
                e->ledger.moment[m * b->nf + k] += times(right[k], sum).re;
        }
    }
}
