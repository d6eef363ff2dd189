// ledger_square.c -- int v_k^2 dt and int F v_k dt over a phase for one decoupled coordinate,
// closed.
//   v = Re V + sum_o Re(Y_o z_o) + polynomial,  Y_o = i Omega_o X_o,  z_o the drives. V is
//     OSCILLATING  s z                                          one exponential
//     OVERDAMPED   r1 z1, r2 z2                                 two real ones
//     blocks       mu p + q,  V = p',  V' = 2 mu V - w2 p,  w2 = mu^2 - delta2
//   so that without any division by delta, with s = i Omega of a drive,
//     int V^2   = [V^2 + w2 p^2]/(4 mu)
//     int V z_o = (s [V z_o] + w2 [p z_o])/(s^2 + 2 mu s + w2)
//   PAIRED is real and mu far from 0: that is all. RESONANT has poles s and i Omega; what does not
//   rotate is taken from its envelope, V = e^{i Omega t}(A + B f), f = (e^{ut} - 1)/u, u = s - i
//   Omega, A = mu p + q, B = s (q + delta p) at the start:
//     int |V|^2     = t |A|^2 + 2 t^2 Re(A' B phi[ut, 0]) + t^3 |B|^2 int |phi|^2
//     int V z_o'    = z_o' (t A phi(i nu t) + t^2 B phi[(u + i nu) t, i nu t]), nu = Omega -
//     Omega_o
//   with the divided differences of phi.c: right at resonance, beside it and far from it.
//   tested: tests/unit/ledger_blocks.c
#include <math.h>

#include "engine/exact/bases/phi.h"
#include "engine/exact/exact.h"
#include "engine/exact/observers/ledger.h"

static const double apart = 0.1; // |Omega - Omega_o|/Omega: beyond, products rotate fast enough

static jd_complex plus(jd_complex a, jd_complex b) {
    return (jd_complex){a.re + b.re, a.im + b.im};
}
static jd_complex minus(jd_complex a, jd_complex b) {
    return (jd_complex){a.re - b.re, a.im - b.im};
}
static jd_complex scaled(jd_complex a, double f) { return (jd_complex){a.re * f, a.im * f}; }
static double size2(jd_complex a) { return a.re * a.re + a.im * a.im; }

// Amplitude of a slot at the start (0) and at the end (1) of the phase.
static jd_complex amplitude(const exact *e, int slot, int end) {
    return end ? (jd_complex){e->phase.re1[slot], e->phase.im1[slot]}
               : (jd_complex){e->phase.re[slot], e->phase.im[slot]};
}

// [a b] over the phase, from values at both ends.
static jd_complex change(const jd_complex a[2], const jd_complex b[2]) {
    return minus(times(a[1], b[1]), times(a[0], b[0]));
}

typedef struct block { // of a PAIRED or RESONANT coordinate
    jd_complex mu, w2, p[2], V[2], q0;
} block;

static block block_of(const exact *e, int k) {
    const basis *b = e->phase.b;
    int slot = jd_expbasis_pair_slot(b->poles.exp, b->poles.first[k]);
    jd_pole_pair pair = b->poles.pair[b->poles.first[k]];
    block out = {.mu = pair.mu, .w2 = minus(times(pair.mu, pair.mu), pair.delta2)};
    for (int end = 0; end < 2; end++) {
        out.p[end] = amplitude(e, slot, end);
        out.V[end] = plus(times(pair.mu, out.p[end]), amplitude(e, slot + 1, end));
    }
    out.q0 = amplitude(e, slot + 1, 0);
    return out;
}

// V of simple pole number i of the basis at both ends.
static void pole_velocity(const exact *e, int i, jd_complex V[2]) {
    int slot = jd_expbasis_slot(e->phase.b->poles.exp, i);
    for (int end = 0; end < 2; end++)
        V[end] = times(e->phase.b->poles.pole[i], amplitude(e, slot, end));
}

typedef struct envelope { // V = e^{i Omega t} (A + B (e^{ut} - 1)/u)
    double Omega;
    jd_complex u, A, B;
} envelope;

static envelope envelope_of(const exact *e, int k, const block *own) {
    const basis *b = e->phase.b;
    double a = -b->c[k] / 2, w = sqrt(b->omega2[k] - a * a);
    envelope v = {.Omega = e->plan.drive[b->poles.partner[k]].omega, .A = own->V[0]};
    v.u = (jd_complex){a, w - v.Omega};
    v.B = times((jd_complex){a, w}, plus(own->q0, times(scaled(v.u, 0.5), own->p[0])));
    return v;
}

static double block_square(const exact *e, int k, double t) {
    block own = block_of(e, k);
    jd_complex fast = plus(change(own.V, own.V), times(own.w2, change(own.p, own.p)));
    fast = over(fast, scaled(own.mu, 4));
    if (e->phase.b->poles.kind[k] == PAIRED) return fast.re;
    envelope v = envelope_of(e, k, &own);
    jd_complex none = {0, 0}, cross = times(conjugate(v.A), v.B), x = scaled(v.u, t);
    double slow = t * size2(v.A) + 2 * t * t * times(cross, jd_phi_difference(x, none)).re +
                  t * t * t * size2(v.B) * jd_phi_square(x);
    return (fast.re + slow) / 2;
}

// int (Re V)^2
static double own_square(const exact *e, int k, double t) {
    const basis *b = e->phase.b;
    int first = b->poles.first[k];
    jd_complex V[2], W[2];
    if (b->poles.kind[k] == RIGID) return 0;
    if (b->poles.kind[k] == PAIRED || b->poles.kind[k] == RESONANT) return block_square(e, k, t);
    jd_complex s = b->poles.pole[first];
    pole_velocity(e, first, V);
    if (b->poles.kind[k] == OSCILLATING) {
        double slow = t * size2(V[0]) * jd_phi((jd_complex){2 * s.re * t, 0}).re;
        return (over(change(V, V), scaled(s, 2)).re + slow) / 2;
    }
    double r1 = s.re, r2 = b->poles.pole[first + 1].re;
    pole_velocity(e, first + 1, W);
    double own = change(W, W).re / (2 * r2);
    if (r1 != 0) own += change(V, V).re / (2 * r1) + 2 * change(V, W).re / (r1 + r2);
    return own;
}

// int V z' of a RESONANT coordinate, z the drive o.
static jd_complex product_of_envelope(const exact *e, int k, const block *own, int o, double t) {
    envelope v = envelope_of(e, k, own);
    double nu = v.Omega - e->plan.drive[o].omega;
    jd_complex turn_by = {0, nu * t}, both = plus(scaled(v.u, t), turn_by);
    jd_complex I = plus(scaled(times(v.A, jd_phi(turn_by)), t),
                        scaled(times(v.B, jd_phi_difference(both, turn_by)), t * t));
    return times(I, conjugate(amplitude(e, e->phase.b->poles.drive_slot[o], 0)));
}

// int V z (rotation forward) or int V z' (backward) of a block, from its ends.
static jd_complex product_of_ends(const block *own, const jd_complex z[2], jd_complex s) {
    jd_complex ends = plus(times(s, change(own->V, z)), times(own->w2, change(own->p, z)));
    return over(ends, plus(times(s, plus(s, scaled(own->mu, 2))), own->w2));
}

typedef struct products { // of V, or of another drive, with the drive z: int . z, int . z'
    jd_complex forward, backward;
} products;

static products block_products(const exact *e, int k, int o, const jd_complex z[2], double t) {
    block own = block_of(e, k);
    double Omega = e->plan.drive[o].omega;
    jd_complex s = {0, Omega}, back[2] = {conjugate(z[0]), conjugate(z[1])};
    products out = {product_of_ends(&own, z, s), {0, 0}};
    bool rotates = e->phase.b->poles.kind[k] == PAIRED ||
                   fabs(e->plan.drive[e->phase.b->poles.partner[k]].omega - Omega) > apart * Omega;
    out.backward =
        rotates ? product_of_ends(&own, back, conjugate(s)) : product_of_envelope(e, k, &own, o, t);
    return out;
}

static products own_products(const exact *e, int k, int o, double t) {
    const basis *b = e->phase.b;
    products out = {{0, 0}, {0, 0}};
    int slot = b->poles.drive_slot[o],
        n = b->poles.kind[k] == OVERDAMPED ? 2 : b->poles.kind[k] == OSCILLATING;
    jd_complex z[2] = {amplitude(e, slot, 0), amplitude(e, slot, 1)}, V[2];
    if (e->plan.drive[o].omega == 0 || e->plan.drive[o].segment.amplitude == 0) return out;
    if (b->poles.kind[k] == PAIRED || b->poles.kind[k] == RESONANT)
        return block_products(e, k, o, z, t);
    for (int i = b->poles.first[k]; i < b->poles.first[k] + n; i++) {
        jd_complex s = b->poles.pole[i], Omega = {0, e->plan.drive[o].omega},
                   back[2] = {conjugate(z[0]), conjugate(z[1])};
        pole_velocity(e, i, V);
        out.forward = plus(out.forward, over(change(V, z), plus(s, Omega)));
        out.backward = plus(out.backward, over(change(V, back), minus(s, Omega)));
    }
    return out;
}

jd_complex jd_ledger_beat(const exact *e, int o, int d, double t) {
    double nu = e->plan.drive[o].omega - e->plan.drive[d].omega;
    jd_complex z = amplitude(e, e->phase.b->poles.drive_slot[o], 0),
               y = amplitude(e, e->phase.b->poles.drive_slot[d], 0),
               product = times(z, conjugate(y));
    return scaled(nu == 0 ? product : times(product, jd_phi((jd_complex){0, nu * t})), t);
}

bool jd_ledger_beats(const exact *e, int o, int d) {
    double a = e->plan.drive[o].omega, b = e->plan.drive[d].omega;
    return fabs(a - b) <= apart * fmax(a, b);
}

// int z_o z_d, int z_o z_d' of two drives.
static products drive_products(const exact *e, int o, int d, double t) {
    int so = e->phase.b->poles.drive_slot[o], sd = e->phase.b->poles.drive_slot[d];
    double a = e->plan.drive[o].omega, b = e->plan.drive[d].omega;
    jd_complex z[2] = {amplitude(e, so, 0), amplitude(e, so, 1)},
               y[2] = {amplitude(e, sd, 0), amplitude(e, sd, 1)},
               back[2] = {conjugate(y[0]), conjugate(y[1])};
    products out = {over(change(z, y), (jd_complex){0, a + b}), {0, 0}};
    out.backward = jd_ledger_beats(e, o, d) ? jd_ledger_beat(e, o, d, t)
                                            : over(change(z, back), (jd_complex){0, a - b});
    return out;
}

static bool silent(const exact *e, int d) {
    return e->plan.drive[d].omega == 0 || e->plan.drive[d].segment.amplitude == 0;
}

// int Re(. ) Re(w z) from the products of what stands for the dot with z.
static double weighed(products p, jd_complex w) {
    return (times(p.forward, w).re + times(p.backward, conjugate(w)).re) / 2;
}

double jd_ledger_square(const exact *e, int k, double t) {
    const basis *b = e->phase.b;
    double total = own_square(e, k, t);
    for (int d = 0; d < e->plan.n_drive; d++) {
        if (silent(e, d)) continue;
        jd_complex Y = times((jd_complex){0, e->plan.drive[d].omega}, b->response.X[d * b->nf + k]);
        total += 2 * weighed(own_products(e, k, d, t), Y);
        for (int o = 0; o < e->plan.n_drive; o++) {
            if (silent(e, o)) continue;
            jd_complex X =
                times((jd_complex){0, e->plan.drive[o].omega}, b->response.X[o * b->nf + k]);
            products p = drive_products(e, o, d, t);
            p.forward = times(p.forward, X);
            p.backward = times(p.backward, X);
            total += weighed(p, Y);
        }
    }
    return total;
}

double jd_ledger_block_work(const exact *e, int k, int d, double t) {
    if (silent(e, d)) return 0;
    return weighed(own_products(e, k, d, t), (jd_complex){1, 0});
}
