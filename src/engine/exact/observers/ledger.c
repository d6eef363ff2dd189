// ledger.c -- where the energy went in a phase: closed-form integrals over it, term by term.
//   Between two times every term is a difference of products of amplitudes:
//     int z_p z_q dt = [z_p z_q]/(s_p + s_q),   int z_p conj(z_q) dt = [z_p conj(z_q)]/(s_p +
//     conj(s_q))
//   friction      limit |slip| + d int v^2      drive   int F v      damping   int q'' C q'
//   Blocks of nearly equal poles, and products that hardly rotate: ledger_square.c. Polynomial
//   velocities P' = sum_m P'_m t^m beside the exponential part E: moments int t^m E.
//   Nothing here is found from the balance itself, so the residual tests all of it. Products are
//   only summed up while running; their weights (ledger_tables.c) come in when somebody asks.
#include <math.h>
#include <string.h>

#include "engine/exact/bases/pair.h"
#include "engine/exact/bases/parts.h"
#include "engine/exact/bases/phi.h"
#include "engine/exact/exact.h"
#include "engine/exact/observers/ledger.h"

static int drive_slot(const exact *e, int d) { return e->phase.b->poles.drive_slot[d]; }

// int_0^t z_d u^m du for m < n
static void harmonic_moments(const exact *e, int d, double t, int n, jd_complex *I) {
    int s = drive_slot(e, d);
    jd_phi_moments((jd_complex){0, e->plan.drive[d].omega},
                   (jd_complex){e->phase.re[s], e->phase.im[s]}, t, n, I);
}

// int of one harmonic drive's z over the phase, 0 when it rests.
static jd_complex harmonic_integral(const exact *e, int d, double t) {
    jd_complex I = {0, 0};
    if (e->plan.drive[d].segment.amplitude != 0) harmonic_moments(e, d, t, 1, &I);
    return I;
}

// int x_k over the phase, from the equation of motion: omega2 int x = int f - [x' + C x]
static double integral_of_stiff(const exact *e, int k, double t) {
    const basis *b = e->phase.b;
    double sum = -(e->scratch.xd1[k] - e->phase.xd[k]) -
                 (b->C ? 0 : b->c[k] * (e->scratch.x1[k] - e->phase.x[k]));
    for (int l = 0; b->C && l < b->nf; l++)
        sum -= b->C[k * b->nf + l] * (e->scratch.x1[l] - e->phase.x[l]);
    for (int s = 0; s < e->plan.m + e->plan.n_drive + 2 * b->ms; s++)
        sum += b->response.force[s * b->nf + k] *
               (e->phase.source[s] + e->phase.source_rate[s] * t / 2) * t;
    for (int d = 0; d < e->plan.n_drive; d++)
        sum += b->response.force[(e->plan.m + d) * b->nf + k] * harmonic_integral(e, d, t).re;
    return sum / b->omega2[k];
}

static void moments_of_pair(const exact *e, int i, double t, int n, double *out) {
    int slot = jd_expbasis_pair_slot(e->phase.b->poles.exp, i);
    jd_pair_moments(&e->phase.b->poles.pair[i], e->phase.re + slot, e->phase.re1 + slot, t, n, out);
}

// The same for a rigid-body coordinate: its polynomial and its share of the drives. (With damping
// the exponential part is missing from poly: there x' + c x = const + int f.)
static double integral_of_rigid(const exact *e, int k, double t) {
    const basis *b = e->phase.b;
    double sum = 0, power = t;
    for (int m = 0; m <= e->phase.degree; m++, power *= t)
        sum += e->phase.poly[m * b->nf + k] * power / (m + 1);
    for (int d = 0; d < e->plan.n_drive; d++) {
        jd_complex I = harmonic_integral(e, d, t), X = b->response.X[d * b->nf + k];
        sum += X.re * I.re - X.im * I.im;
    }
    for (int p = 0; b->C && p < b->poles.n_own; p++) {
        int slot = jd_expbasis_slot(b->poles.exp, p);
        jd_complex r = b->poles.right[p * b->nf + k], s = b->poles.pole[p],
                   z = {e->phase.re[slot], e->phase.im[slot]}, I = {z.re * t, z.im * t};
        if (s.re != 0 || s.im != 0)
            I = over((jd_complex){e->phase.re1[slot] - z.re, e->phase.im1[slot] - z.im}, s);
        sum += r.re * I.re - r.im * I.im;
    }
    for (int i = 0; i < b->poles.n_own_pair; i++) {
        double moment[2];
        moments_of_pair(e, i, t, 1, moment);
        const double *right = b->poles.pair_right + 2 * i * b->nf;
        sum += right[k] * moment[0] + right[b->nf + k] * moment[1];
    }
    sum += jd_resonance_integral(e, k, t);
    if (b->poles.kind[k] != OVERDAMPED) return sum;
    int slow = jd_expbasis_slot(b->poles.exp, b->poles.first[k]),
        fast = jd_expbasis_slot(b->poles.exp, b->poles.first[k] + 1);
    return sum + e->phase.re[slow] * t +
           (e->phase.re1[fast] - e->phase.re[fast]) / b->poles.pole[b->poles.first[k] + 1].re;
}

static double integral_of(const exact *e, const functional *f, double t) {
    const basis *b = e->phase.b;
    double total = 0;
    for (int k = 0; k < b->nf; k++) {
        total += f->b[k] * (e->scratch.x1[k] - e->phase.x[k]);
        if (f->a[k] == 0) continue;
        total +=
            f->a[k] * (b->omega2[k] > 0 ? integral_of_stiff(e, k, t) : integral_of_rigid(e, k, t));
    }
    for (int i = 0; i < b->ms; i++)
        total += (f->hold[i] * (e->phase.y[i] + e->phase.w[i] * t / 2) +
                  f->hold_rate[i] * e->phase.w[i]) *
                 t;
    for (int j = 0; f->on_force && j < e->plan.m; j++)
        total += f->on_force[j] * e->phase.source[j] * t;
    for (int d = 0; f->on_drive && d < e->plan.n_drive; d++) {
        double level = e->phase.source[e->plan.m + d] + e->phase.source_rate[e->plan.m + d] * t / 2;
        total += f->on_drive[d] * (level * t + harmonic_integral(e, d, t).re);
    }
    return total;
}

// sum_pq plus_pq [z_p z_q] + minus_pq [z_p conj z_q], real part, and the products that hardly
// rotate: w z_p conj(z_q) t phi(rate t)
static double quadratic(const exact *e, const quadratic_sums *s, double t) {
    int n = e->phase.b->poles.slots;
    double total = 0;
    for (int end = 0; end < 2; end++) {
        const double *re = end ? e->phase.re1 : e->phase.re, *im = end ? e->phase.im1 : e->phase.im;
        double sum = 0;
        for (int p = 0; p < n; p++) {
            jd_complex row = {0, 0};
            for (int q = 0; q < n; q++) {
                const jd_complex a = s->plus[p * n + q], b = s->minus[p * n + q];
                row.re += (a.re + b.re) * re[q] - (a.im - b.im) * im[q];
                row.im += (a.im + b.im) * re[q] + (a.re - b.re) * im[q];
            }
            sum += row.re * re[p] - row.im * im[p];
        }
        total += end ? sum : -sum;
    }
    for (int i = 0; i < s->n_slow; i++) {
        const slow_product *w = &s->slow[i];
        jd_complex p = {e->phase.re[w->p], e->phase.im[w->p]},
                   q = {e->phase.re[w->q], -e->phase.im[w->q]};
        jd_complex mean = jd_phi((jd_complex){w->rate.re * t, w->rate.im * t});
        total += t * times(w->weight, times(times(p, q), mean)).re;
    }
    return total;
}

// Sums up the products of this phase; jd_ledger_harvest weighs them.
static void add_phase_products(exact *e, double t) {
    const basis *b = e->phase.b;
    e->phase.b->energy.booked = true;
    if (!b->C && !b->energy.lossless)
        jd_add_squares(b->poles.slots, e->phase.re, e->phase.im, e->phase.re1, e->phase.im1,
                       b->energy.square);
    for (int d = 0; d < e->plan.n_drive; d++) {
        const harmonic_sums *h = &b->energy.harmonic[d];
        int at = drive_slot(e, d);
        if (e->plan.drive[d].segment.amplitude == 0) continue;
        double d0[2] = {e->phase.re[at], e->phase.im[at]},
               d1[2] = {e->phase.re1[at], e->phase.im1[at]};
        jd_add_products(b->poles.slots, e->phase.re, e->phase.im, e->phase.re1, e->phase.im1, d0,
                        d1, h->product);
        for (int o = 0; o < e->plan.n_drive; o++) {
            if (!jd_ledger_beats(e, o, d)) continue;
            jd_complex beat = jd_ledger_beat(e, o, d, t);
            h->time[2 * o] += beat.re;
            h->time[2 * o + 1] += beat.im;
        }
    }
}

// Real part of sum_i w_i p_i, p in two rows.
static double weigh(int n, const jd_complex *w, const double *re, const double *im) {
    double s = 0;
    for (int i = 0; i < n; i++) s += w[i].re * re[i] - w[i].im * im[i];
    return s;
}

// Adds what the products of all bases are of work and damping. The products stay.
void jd_ledger_weigh(exact *e) {
    for (const basis *b = e->bases.list; b; b = b->next) {
        int n = b->poles.slots;
        if (!b->energy.square || !b->energy.booked) continue;
        for (int d = 0; d < e->plan.n_drive; d++) {
            const harmonic_sums *h = &b->energy.harmonic[d];
            if (!h->product) continue;
            const double *p = h->product;
            e->ledger.work[d] +=
                weigh(n, h->work_plus, p, p + n) + weigh(n, h->work_minus, p + 2 * n, p + 3 * n);
            e->ledger.damping +=
                weigh(n, h->damp_plus, p, p + n) + weigh(n, h->damp_minus, p + 2 * n, p + 3 * n);
            for (int o = 0; o < e->plan.n_drive; o++) {
                e->ledger.work[d] += weigh(1, h->steady + o, h->time + 2 * o, h->time + 2 * o + 1);
                e->ledger.damping +=
                    weigh(1, h->damp_steady + o, h->time + 2 * o, h->time + 2 * o + 1);
            }
        }
        e->ledger.damping += weigh(n, b->energy.own, b->energy.square, b->energy.square + n);
        for (int i = 0; i < n; i++)
            e->ledger.damping += b->energy.own_size[i] * b->energy.square[2 * n + i];
    }
}

// Turns the products of all bases into work and damping, and starts them anew.
void jd_ledger_harvest(exact *e) {
    jd_ledger_weigh(e);
    for (basis *b = e->bases.list; b; b = b->next) {
        size_t n = (size_t)b->poles.slots;
        if (!b->energy.square || !b->energy.booked) continue;
        b->energy.booked = false;
        for (int d = 0; d < e->plan.n_drive; d++) {
            const harmonic_sums *h = &b->energy.harmonic[d];
            if (!h->product) continue;
            memset(h->product, 0, 4 * n * sizeof *h->product);
            memset(h->time, 0, (size_t)(2 * e->plan.n_drive) * sizeof *h->time);
        }
        memset(b->energy.square, 0, 3 * n * sizeof *b->energy.square);
    }
}

// What is not a product of amplitudes: constant and ramp forces, polynomial motion.
// Blocks too: they are in no table.
static double drive_work(const exact *e, int d, double t) {
    const basis *b = e->phase.b;
    const jd_drive_segment *s = &e->plan.drive[d].segment;
    double level = e->phase.source[e->plan.m + d], work = 0;
    if (level != 0)
        work = level * (jd_lanes_dot(e->plan.n, e->plan.drive[d].row, e->scratch.qt) -
                        jd_lanes_dot(e->plan.n, e->plan.drive[d].row, e->state.q));
    if (s->slope != 0) // int t v = [t u] - int u
        work += s->slope * (t * jd_lanes_dot(e->plan.n, e->plan.drive[d].row, e->scratch.qt) -
                            integral_of(e, &b->observed.u_drive[d], t));
    if (s->amplitude == 0) return work;
    for (int k = 0; b->poles.n_pair && k < b->nf; k++)
        if (b->poles.kind[k] == PAIRED || b->poles.kind[k] == RESONANT)
            work +=
                b->response.force[(e->plan.m + d) * b->nf + k] * jd_ledger_block_work(e, k, d, t);
    work += jd_resonance_work(e, d, t);
    if (e->phase.degree < 0 && b->ms == 0) return work; // nothing but exponentials
    double c[POWERS];
    int degree = jd_functional_polynomial(e, &b->observed.v_drive[d], c);
    if (degree == 0 && c[0] == 0) return work;
    jd_complex I[POWERS];
    harmonic_moments(e, d, t, degree + 1, I);
    for (int m = 0; m <= degree; m++) work += c[m] * I[m].re;
    return work;
}

// The share of pair i of a coupled basis in them: E = right_p p' + right_q q'.
static void add_pair_moments(exact *e, int i, double t) {
    const basis *b = e->phase.b;
    const double *right = b->poles.pair_right + 2 * i * b->nf;
    double J[2 * POWERS], mu = b->poles.pair[i].mu.re, delta2 = b->poles.pair[i].delta2.re;
    moments_of_pair(e, i, t, e->phase.degree, J);
    for (int m = 0; m < e->phase.degree; m++) {
        jd_add_row(b->nf, mu * J[2 * m] + J[2 * m + 1], right, e->ledger.moment + m * b->nf);
        jd_add_row(b->nf, delta2 * J[2 * m] + mu * J[2 * m + 1], right + b->nf,
                   e->ledger.moment + m * b->nf);
    }
}

// Moments int t^m E_k of the exponential part of all velocities, as many as velocities have powers;
// of coordinates with a block of their own the first alone (they have no powers above the first).
static void set_moments(exact *e, double t) {
    const basis *b = e->phase.b;
    int nf = b->nf;
    memset(e->ledger.moment, 0, (size_t)(POWERS * nf) * sizeof *e->ledger.moment);
    for (int p = 0; p < b->poles.n_pole; p++) {
        int slot = jd_expbasis_slot(b->poles.exp, p), d = p - (b->poles.n_pole - e->plan.n_drive);
        jd_complex J[POWERS], s = b->poles.pole[p];
        jd_phi_moments(s, (jd_complex){e->phase.re[slot], e->phase.im[slot]}, t, e->phase.degree,
                       J);
        for (int k = 0; k < nf; k++) {
            bool own = !b->C && d < 0 && b->poles.first[k] <= p &&
                       p < b->poles.first[k] + poles_of_kind(b->poles.kind[k]);
            jd_complex one = {own, 0}, r = d >= 0 ? b->response.X[d * nf + k]
                                           : b->C ? b->poles.right[p * nf + k]
                                                  : one;
            jd_complex v = times(s, r);
            for (int m = 0; m < e->phase.degree; m++)
                e->ledger.moment[m * nf + k] += v.re * J[m].re - v.im * J[m].im;
        }
    }
    for (int i = 0; i < b->poles.n_own_pair; i++) add_pair_moments(e, i, t);
    jd_resonance_moments(e, t, e->phase.degree);
    for (int k = 0; k < nf; k++) {
        double moved = e->scratch.x1[k] - e->phase.x[k], power = t;
        for (int m = 1; m <= e->phase.degree; m++, power *= t)
            moved -= e->phase.poly[m * nf + k] * power;
        e->ledger.moment[k] = moved;
    }
}

// int (E + sum_m c_m t^m)^2 - int E^2 = 2 sum_m c_m M_m + sum_ij c_i d_j t^(i+j+1)/(i+j+1); here
// for two functions: c the polynomial of one, d and the moments those of the other.
static double polynomial_part(int n, const double *c, const double *d, const double *M, double t) {
    double total = 0, power = t; // t^(i+1)
    for (int i = 0; i < n; i++, power *= t) {
        double sum = 0;
        for (int j = n - 1; j >= 0; j--) sum = sum * t + d[j] / (i + j + 1);
        total += c[i] * (2 * M[i] + power * sum);
    }
    return total;
}

// Polynomial velocity and moments of coordinate k.
static void velocity_polynomial(const exact *e, int k, double *c, double *M) {
    for (int m = 0; m < e->phase.degree; m++) {
        c[m] = (m + 1) * e->phase.poly[(m + 1) * e->phase.b->nf + k];
        M[m] = e->ledger.moment[m * e->phase.b->nf + k];
    }
}

// Damping of the moving static shapes: q' = Q x' + S w.
static double shape_damping(const exact *e, double t) {
    const basis *b = e->phase.b;
    double total = 0;
    for (int i = 0; i < b->ms; i++) {
        if (e->phase.w[i] == 0) continue;
        const double *pull = b->response.pull + i * b->nf;
        total -= 2 * e->phase.w[i] *
                 (jd_lanes_dot(b->nf, pull, e->scratch.x1) - jd_lanes_dot(b->nf, pull, e->phase.x));
        for (int j = 0; j < b->ms; j++)
            for (int l = 0; l < e->plan.n; l++) {
                double Cs = e->plan.C ? 0 : e->plan.c[l] * b->S[l * b->ms + j];
                for (int r = 0; e->plan.C && r < e->plan.n; r++)
                    Cs += e->plan.C[l * e->plan.n + r] * b->S[r * b->ms + j];
                total += t * e->phase.w[i] * e->phase.w[j] * b->S[l * b->ms + i] * Cs;
            }
    }
    return total;
}

static double decoupled_damping(const exact *e, double t) {
    const basis *b = e->phase.b;
    double total = 0, c[POWERS], M[POWERS];
    for (int p = 0; b->energy.n_twin && p < b->poles.slots; p++) {
        int q = b->energy.twin[p];
        if (q >= 0)
            total += b->energy.own_next[p] *
                     (e->phase.re1[p] * e->phase.re1[q] - e->phase.re[p] * e->phase.re[q]);
    }
    for (int k = 0; b->energy.n_apart && k < b->nf; k++)
        if (damps_apart(b, k)) total += b->energy.damp_const[k] * jd_ledger_square(e, k, t);
    for (int k = 0; e->phase.degree == 1 && k < b->nf;
         k++) { // constant velocity v: c v (2 [x] - v t)
        double v = e->phase.poly[b->nf + k];
        total += b->energy.damp_const[k] * v * (2 * (e->scratch.x1[k] - e->phase.x[k]) - v * t);
    }
    for (int k = 0; e->phase.degree > 1 && k < b->nf; k++) {
        velocity_polynomial(e, k, c, M);
        total += b->energy.damp_const[k] * polynomial_part(e->phase.degree, c, c, M, t);
    }
    return total;
}

static double coupled_damping(const exact *e, double t) {
    const basis *b = e->phase.b;
    double total = quadratic(e, &b->energy.coupled, t), c[POWERS], d[POWERS], M[POWERS];
    total += jd_resonance_square(e, b->C0, 0, NULL, t);
    for (int k = 0; b->poles.n_pair > b->poles.n_own_pair && k < b->nf; k++)
        if (b->poles.kind[k] == RESONANT && b->energy.damp_const[k] != 0)
            total += b->energy.damp_const[k] * jd_ledger_square(e, k, t);
    for (int k = 0; e->phase.degree == 1 && k < b->nf; k++)
        for (int l = 0; l < b->nf; l++) {
            double v = e->phase.poly[b->nf + k], u = e->phase.poly[b->nf + l];
            total += b->C0[k * b->nf + l] * v * (2 * (e->scratch.x1[l] - e->phase.x[l]) - u * t);
        }
    for (int k = 0; e->phase.degree > 1 && k < b->nf; k++)
        for (int l = 0; l < b->nf; l++) {
            velocity_polynomial(e, k, c, M);
            velocity_polynomial(e, l, d, M);
            total += b->C0[k * b->nf + l] * polynomial_part(e->phase.degree, c, d, M, t);
        }
    return total;
}

// int E^2 of the exponential part of a contact's velocity. Decoupled, it moves one coordinate.
static double slope_square(const exact *e, int j, double t) {
    const basis *b = e->phase.b;
    double total = 0;
    if (b->C)
        return quadratic(e, &b->energy.slope[j], t) +
               jd_resonance_square(e, NULL, e->plan.contact[j].slope, b->observed.v[j].b, t);
    for (int k = 0; k < b->nf; k++)
        if (b->observed.v[j].b[k] != 0)
            total += b->observed.v[j].b[k] * b->observed.v[j].b[k] * jd_ledger_square(e, k, t);
    return total * e->plan.contact[j].slope;
}

// Loss in the slope of a sliding contact: d int (v - w)^2; the pole part squared, and the rest.
static double slope_loss(const exact *e, int j, double t, double slip) {
    const basis *b = e->phase.b;
    const contact *c = &e->plan.contact[j];
    double p[POWERS], M[POWERS];
    jd_functional_polynomial(e, &b->observed.v[j], p);
    p[0] -= c->belt;
    double square = slope_square(e, j, t);
    if (e->phase.degree <= 1) return square + c->slope * p[0] * (2 * slip - p[0] * t);
    for (int m = 0; m < e->phase.degree; m++)
        M[m] = jd_lanes_dot(b->nf, b->observed.v[j].b, e->ledger.moment + m * b->nf);
    return square + c->slope * polynomial_part(e->phase.degree, p, p, M, t);
}

static void book_contacts(exact *e, double t) {
    const basis *b = e->phase.b;
    for (int j = 0; j < e->plan.m; j++) {
        const contact *c = &e->plan.contact[j];
        double s = slide_sign(e->state.contact[j]);
        if (s == 0) continue;
        double slip = jd_lanes_dot(e->plan.n, c->row, e->scratch.qt) -
                      jd_lanes_dot(e->plan.n, c->row, e->state.q) - c->belt * t;
        e->ledger.contact_loss[j] +=
            s * c->limit * slip + (c->slope != 0 ? slope_loss(e, j, t, slip) : 0);
        e->ledger.belt_work[j] += c->belt * (-s * c->limit * t - c->slope * slip);
    }
    for (int j = 0; j < e->plan.m; j++)
        if (e->dependent.frozen[j])
            e->ledger.belt_work[j] += e->state.force[j] * e->plan.contact[j].belt * t;
    for (int i = 0; i < b->ms; i++) {
        if (e->phase.w[i] == 0) continue;
        e->ledger.belt_work[b->held[i]] +=
            e->phase.w[i] * integral_of(e, &b->observed.lambda[i], t);
    }
}

void jd_ledger_phase(exact *e, double t) {
    if (e->phase.degree > 1) set_moments(e, t);
    book_contacts(e, t);
    add_phase_products(e, t);
    for (int d = 0; d < e->plan.n_drive; d++) e->ledger.work[d] += drive_work(e, d, t);
    e->ledger.damping += e->phase.b->C ? coupled_damping(e, t) : decoupled_damping(e, t);
    e->ledger.damping += shape_damping(e, t);
}
