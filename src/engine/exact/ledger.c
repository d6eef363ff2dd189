// ledger.c -- where the energy went in a phase: closed-form integrals over it, term by term.
//   Between two times every term is a difference of products of amplitudes:
//     int z_p z_q dt = [z_p z_q]/(s_p + s_q),   int z_p conj(z_q) dt = [z_p conj(z_q)]/(s_p +
//     conj(s_q))
//   friction      limit |slip| + d int v^2      drive   int F v      damping   int q'' C q'
//   Nothing here is found from the balance itself, so the residual tests all of it. Products are
//   only summed up while running; their weights (ledger_tables.c) come in when somebody asks.
#include <math.h>
#include <string.h>

#include "engine/exact/exact.h"

double ledger_energy(const exact *e, const double *q, const double *p, double *kinetic) {
    double T = 0, V = 0;
    for (int k = 0; k < e->n; k++) {
        T += p[k] * p[k];
        V += e->omega2[k] * q[k] * q[k];
    }
    if (kinetic) *kinetic = T / 2;
    return (T + V) / 2;
}

static int drive_slot(const exact *e, int d) { return e->b->drive_slot[d]; }

// int_0^t z_d u^m du for m = 0..2, by parts: I_m = [u^m z]/(i Omega) - m/(i Omega) I_(m-1)
static void harmonic_moments(const exact *e, int d, double t, jd_complex I[3]) {
    int s = drive_slot(e, d);
    double Omega = e->drive[d].omega, power = 1;
    jd_complex below = {0, 0};
    for (int m = 0; m < 3; m++, power *= t) {
        double re = power * e->re1[s] - (m == 0 ? e->re[s] : 0) - m * below.re;
        double im = power * e->im1[s] - (m == 0 ? e->im[s] : 0) - m * below.im;
        below = I[m] = (jd_complex){im / Omega, -re / Omega};
    }
}

// int of one harmonic drive's z over the phase, 0 when it rests.
static jd_complex harmonic_integral(const exact *e, int d, double t) {
    jd_complex I[3] = {{0, 0}};
    if (e->drive[d].segment.amplitude != 0) harmonic_moments(e, d, t, I);
    return I[0];
}

// int x_k over the phase, from the equation of motion: omega2 int x = int f - [x' + C x]
static double integral_of_stiff(const exact *e, int k, double t) {
    const basis *b = e->b;
    double sum = -(e->xd1[k] - e->xd[k]) - (b->C ? 0 : b->c[k] * (e->x1[k] - e->x[k]));
    for (int l = 0; b->C && l < b->nf; l++) sum -= b->C[k * b->nf + l] * (e->x1[l] - e->x[l]);
    for (int s = 0; s < e->m + e->n_drive + 2 * b->ms; s++)
        sum += b->force[s * b->nf + k] * (e->source[s] + e->source_rate[s] * t / 2) * t;
    for (int d = 0; d < e->n_drive; d++)
        sum += b->force[(e->m + d) * b->nf + k] * harmonic_integral(e, d, t).re;
    return sum / b->omega2[k];
}

// The same for a rigid-body coordinate: its polynomial and its share of the drives. (With damping
// the exponential part is missing from poly: there x' + c x = const + int f.)
static double integral_of_rigid(const exact *e, int k, double t) {
    const basis *b = e->b;
    double sum = 0, power = t;
    for (int m = 0; m <= e->degree; m++, power *= t)
        sum += e->poly[m * b->nf + k] * power / (m + 1);
    for (int d = 0; d < e->n_drive; d++) {
        jd_complex I = harmonic_integral(e, d, t), X = b->X[d * b->nf + k];
        sum += X.re * I.re - X.im * I.im;
    }
    for (int p = 0; b->C && p < b->n_own; p++) {
        int slot = jd_expbasis_slot(b->exp, p);
        jd_complex r = b->right[p * b->nf + k], s = b->pole[p], z = {e->re[slot], e->im[slot]},
                   I = {z.re * t, z.im * t};
        if (s.re != 0 || s.im != 0)
            I = over((jd_complex){e->re1[slot] - z.re, e->im1[slot] - z.im}, s);
        sum += r.re * I.re - r.im * I.im;
    }
    if (b->kind[k] != OVERDAMPED) return sum;
    int slow = jd_expbasis_slot(b->exp, b->first[k]),
        fast = jd_expbasis_slot(b->exp, b->first[k] + 1);
    return sum + e->re[slow] * t + (e->re1[fast] - e->re[fast]) / b->pole[b->first[k] + 1].re;
}

static double integral_of(const exact *e, const functional *f, double t) {
    const basis *b = e->b;
    double total = 0;
    for (int k = 0; k < b->nf; k++) {
        total += f->b[k] * (e->x1[k] - e->x[k]);
        if (f->a[k] == 0) continue;
        total +=
            f->a[k] * (b->omega2[k] > 0 ? integral_of_stiff(e, k, t) : integral_of_rigid(e, k, t));
    }
    for (int i = 0; i < b->ms; i++)
        total += (f->hold[i] * (e->y[i] + e->w[i] * t / 2) + f->hold_rate[i] * e->w[i]) * t;
    for (int j = 0; f->on_force && j < e->m; j++) total += f->on_force[j] * e->source[j] * t;
    for (int d = 0; f->on_drive && d < e->n_drive; d++) {
        double level = e->source[e->m + d] + e->source_rate[e->m + d] * t / 2;
        total += f->on_drive[d] * (level * t + harmonic_integral(e, d, t).re);
    }
    return total;
}

// sum_pq plus_pq [z_p z_q] + minus_pq [z_p conj z_q] + steady_pq z_p conj(z_q) t, real part
static double quadratic(const exact *e, const quadratic_sums *s, double t) {
    int n = e->b->slots;
    double total = 0;
    for (int end = 0; end < 2; end++) {
        const double *re = end ? e->re1 : e->re, *im = end ? e->im1 : e->im;
        double sum = 0;
        for (int p = 0; p < n; p++) {
            jd_complex row = {0, 0};
            for (int q = 0; q < n; q++) {
                const jd_complex a = s->plus[p * n + q], b = s->minus[p * n + q],
                                 c = s->steady[p * n + q];
                row.re += (a.re + b.re) * re[q] - (a.im - b.im) * im[q];
                row.im += (a.im + b.im) * re[q] + (a.re - b.re) * im[q];
                if (end && (c.re != 0 || c.im != 0))
                    total += t * (c.re * (re[p] * re[q] + im[p] * im[q]) -
                                  c.im * (im[p] * re[q] - re[p] * im[q]));
            }
            sum += row.re * re[p] - row.im * im[p];
        }
        total += end ? sum : -sum;
    }
    return total;
}

// Sums up the products of this phase; ledger_harvest weighs them.
static void add_phase_products(exact *e, double t) {
    const basis *b = e->b;
    if (!b->C && !b->lossless) add_squares(b->slots, e->re, e->im, e->re1, e->im1, b->square);
    for (int d = 0; d < e->n_drive; d++) {
        const harmonic_sums *h = &b->harmonic[d];
        int at = drive_slot(e, d);
        if (e->drive[d].segment.amplitude == 0) continue;
        double d0[2] = {e->re[at], e->im[at]}, d1[2] = {e->re1[at], e->im1[at]};
        add_products(b->slots, e->re, e->im, e->re1, e->im1, d0, d1, h->product);
        for (int o = 0; o < e->n_drive; o++) {
            double re = e->re[drive_slot(e, o)], im = e->im[drive_slot(e, o)];
            h->time[2 * o] += t * (re * d0[0] + im * d0[1]);
            h->time[2 * o + 1] += t * (im * d0[0] - re * d0[1]);
        }
    }
}

// Real part of sum_i w_i p_i, p in two rows.
static double weigh(int n, const jd_complex *w, const double *re, const double *im) {
    double s = 0;
    for (int i = 0; i < n; i++) s += w[i].re * re[i] - w[i].im * im[i];
    return s;
}

// Turns the products of all bases into work and damping, and starts them anew.
void ledger_harvest(exact *e) {
    for (basis *b = e->bases; b; b = b->next) {
        int n = b->slots;
        if (!b->square) continue;
        for (int d = 0; d < e->n_drive; d++) {
            harmonic_sums *h = &b->harmonic[d];
            if (!h->product) continue;
            const double *p = h->product;
            e->work[d] +=
                weigh(n, h->work_plus, p, p + n) + weigh(n, h->work_minus, p + 2 * n, p + 3 * n);
            e->damping +=
                weigh(n, h->damp_plus, p, p + n) + weigh(n, h->damp_minus, p + 2 * n, p + 3 * n);
            for (int o = 0; o < e->n_drive; o++) {
                e->work[d] += weigh(1, h->steady + o, h->time + 2 * o, h->time + 2 * o + 1);
                e->damping += weigh(1, h->damp_steady + o, h->time + 2 * o, h->time + 2 * o + 1);
            }
            memset(h->product, 0, (size_t)(4 * n) * sizeof *h->product);
            memset(h->time, 0, (size_t)(2 * e->n_drive) * sizeof *h->time);
        }
        e->damping += weigh(n, b->own, b->square, b->square + n);
        for (int i = 0; i < n; i++) e->damping += b->own_size[i] * b->square[2 * n + i];
        memset(b->square, 0, (size_t)(3 * n) * sizeof *b->square);
    }
}

// What is not a product of amplitudes: constant and ramp forces, polynomial motion.
static double drive_work(const exact *e, int d, double t) {
    const basis *b = e->b;
    const jd_drive_segment *s = &e->drive[d].segment;
    double level = e->source[e->m + d],
           moved = dot(e->n, e->drive[d].row, e->qt) - dot(e->n, e->drive[d].row, e->q);
    double work = level != 0 ? level * moved : 0;
    if (s->slope != 0) // int t v = [t u] - int u
        work +=
            s->slope * (t * dot(e->n, e->drive[d].row, e->qt) - integral_of(e, &b->u_drive[d], t));
    if (s->amplitude == 0) return work;
    if (e->degree < 0 && b->ms == 0) return work; // nothing but exponentials
    double c[RAMP_DEGREE];
    int degree = functional_polynomial(e, &b->v_drive[d], c);
    if (degree == 0 && c[0] == 0) return work;
    jd_complex I[3];
    harmonic_moments(e, d, t, I);
    for (int m = 0; m < 3 && m <= degree; m++) work += c[m] * I[m].re;
    return work;
}

// Does coordinate k need quadrature: pair blocks, and damped motion with powers of t.
static bool by_quadrature(const exact *e, int k) {
    const basis *b = e->b;
    if (b->C || (b->n_pair == 0 && e->degree < 2)) return false;
    if (b->kind[k] == PAIRED || b->kind[k] == RESONANT) return true;
    return b->damp_const[k] != 0 && e->degree > 1 &&
           (e->poly[2 * b->nf + k] != 0 || e->poly[3 * b->nf + k] != 0);
}

// Gauss-Legendre points and weights of order 16 on [-1, 1], positive half.
static const double node[] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                              0.9602898564975363};
static const double node_weight[] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                     0.1012285362903763};

static double fastest(const exact *e) {
    const basis *b = e->b;
    double rate = 0;
    for (int k = 0; k < b->nf; k++)
        if (by_quadrature(e, k)) rate = fmax(rate, sqrt(b->omega2[k]) + b->c[k]);
    for (int d = 0; d < e->n_drive; d++) rate = fmax(rate, e->drive[d].omega);
    return rate;
}

// The rare coordinates, numerically to rounding: panels of at most half a radian, eight points
// each.
static void book_quadrature(exact *e, double t) {
    const basis *b = e->b;
    bool any = false;
    if (b->n_pair == 0 && e->degree < 2) return;
    for (int k = 0; k < b->nf; k++) any |= by_quadrature(e, k);
    if (!any) return;
    long panels = (long)(2 * fastest(e) * t) + 1;
    double half = t / (double)panels / 2;
    for (long i = 0; i < panels; i++)
        for (int g = 0; g < 8; g++) {
            double at = half * (double)(2 * i + 1) + half * (g < 4 ? -node[g] : node[g - 4]),
                   w = half * node_weight[g % 4];
            jd_expbasis_advance(b->exp, at, e->re, e->im, e->re2, e->im2);
            phase_state(e, at, e->re2, e->im2, e->xt, e->xdt);
            for (int k = 0; k < b->nf; k++) {
                if (!by_quadrature(e, k)) continue;
                e->damping += w * b->damp_const[k] * e->xdt[k] * e->xdt[k];
                if (b->kind[k] != PAIRED && b->kind[k] != RESONANT) continue;
                int slot =
                    jd_expbasis_pair_slot(b->exp, b->first[k]); // the block's share of drive work
                jd_complex mu = b->pair[b->first[k]].mu;
                double v = mu.re * e->re2[slot] - mu.im * e->im2[slot] + e->re2[slot + 1];
                for (int d = 0; d < e->n_drive; d++) {
                    double F = e->re2[drive_slot(e, d)];
                    e->work[d] += w * F * b->force[(e->m + d) * b->nf + k] * v;
                }
            }
        }
}

// Damping of the moving static shapes: q' = Q x' + S w.
static double shape_damping(const exact *e, double t) {
    const basis *b = e->b;
    double total = 0;
    for (int i = 0; i < b->ms; i++) {
        if (e->w[i] == 0) continue;
        const double *pull = b->pull + i * b->nf;
        total -= 2 * e->w[i] * (dot(b->nf, pull, e->x1) - dot(b->nf, pull, e->x));
        for (int j = 0; j < b->ms; j++)
            for (int l = 0; l < e->n; l++) {
                double Cs = e->C ? 0 : e->c[l] * b->S[l * b->ms + j];
                for (int r = 0; e->C && r < e->n; r++)
                    Cs += e->C[l * e->n + r] * b->S[r * b->ms + j];
                total += t * e->w[i] * e->w[j] * b->S[l * b->ms + i] * Cs;
            }
    }
    return total;
}

static double decoupled_damping(const exact *e, double t) {
    const basis *b = e->b;
    double total = 0;
    for (int p = 0; b->n_twin && p < b->slots; p++) {
        int q = b->twin[p];
        if (q >= 0) total += b->own_next[p] * (e->re1[p] * e->re1[q] - e->re[p] * e->re[q]);
    }
    for (int k = 0; e->degree > 0 && k < b->nf; k++) { // constant velocity v: c v (2 [x] - v t)
        double v = e->poly[b->nf + k];
        if (!by_quadrature(e, k))
            total += b->damp_const[k] * v * (2 * (e->x1[k] - e->x[k]) - v * t);
    }
    return total;
}

// Integral of a function of the motion over the phase, by panels of at most half a radian of its
// fastest pole.
static double integrate(exact *e, double t, double (*function)(exact *, double, int), int index) {
    const basis *b = e->b;
    double total = 0, rate = 0;
    for (int i = 0; i < b->n_pole; i++) rate = fmax(rate, hypot(b->pole[i].re, b->pole[i].im));
    for (int k = 0; k < b->nf; k++) rate = fmax(rate, sqrt(b->omega2[k]) + b->c[k]);
    long panels = (long)(2 * rate * t) + 1;
    double half = t / (double)panels / 2;
    for (long i = 0; i < panels; i++)
        for (int g = 0; g < 8; g++) {
            double at = half * (double)(2 * i + 1) + half * (g < 4 ? -node[g] : node[g - 4]);
            jd_expbasis_advance(b->exp, at, e->re, e->im, e->re2, e->im2);
            total += half * node_weight[g % 4] * function(e, at, index);
        }
    return total;
}

static double damping_power(exact *e, double at, int index) {
    const basis *b = e->b;
    double power = 0;
    (void)index;
    phase_state(e, at, e->re2, e->im2, e->xt, e->xdt);
    for (int k = 0; k < b->nf; k++) power += e->xdt[k] * dot(b->nf, b->C0 + k * b->nf, e->xdt);
    return power;
}

// Does a damped coordinate move with t^2 (a ramp on a rigid body)?
static bool speeds_up(const exact *e) {
    const basis *b = e->b;
    for (int k = 0; e->degree > 1 && k < b->nf; k++)
        if (b->C[k * b->nf + k] != 0 && e->poly[2 * b->nf + k] != 0) return true;
    return false;
}

static double coupled_damping(exact *e, double t) {
    const basis *b = e->b;
    if (speeds_up(e)) return integrate(e, t, damping_power, 0);
    double total = quadratic(e, &b->coupled, t);
    for (int k = 0; e->degree > 0 && k < b->nf; k++)
        for (int l = 0; l < b->nf; l++) {
            double v = e->poly[b->nf + k], u = e->poly[b->nf + l];
            total += b->C0[k * b->nf + l] * v * (2 * (e->x1[l] - e->x[l]) - u * t);
        }
    return total;
}

static double slope_power(exact *e, double at, int j) {
    double v = functional_value(e, &e->b->v[j], e->re2, e->im2, at) - e->contact[j].belt;
    return e->contact[j].slope * v * v;
}

// Loss in the slope of a sliding contact: d int (v - w)^2; the pole part squared, and the constant.
static double slope_loss(exact *e, int j, double t, double slip) {
    const basis *b = e->b;
    const contact *c = &e->contact[j];
    double p[RAMP_DEGREE], constant;
    functional_polynomial(e, &b->v[j], p);
    constant = p[0] - c->belt;
    if (!b->slope[j].plus || e->degree > 1) return integrate(e, t, slope_power, j);
    return quadratic(e, &b->slope[j], t) + c->slope * constant * (2 * slip - constant * t);
}

static void book_contacts(exact *e, double t) {
    const basis *b = e->b;
    for (int j = 0; j < e->m; j++) {
        const contact *c = &e->contact[j];
        double s = slide_sign(e->marks[j]);
        if (s == 0) continue;
        double slip = dot(e->n, c->row, e->qt) - dot(e->n, c->row, e->q) - c->belt * t;
        e->contact_loss[j] += s * c->limit * slip + (c->slope != 0 ? slope_loss(e, j, t, slip) : 0);
        e->belt_work[j] += c->belt * (-s * c->limit * t - c->slope * slip);
    }
    for (int i = 0; i < b->ms; i++) {
        if (e->w[i] == 0) continue;
        e->belt_work[b->held[i]] += e->w[i] * integral_of(e, &b->lambda[i], t);
    }
}

void ledger_phase(exact *e, double t) {
    book_contacts(e, t);
    book_quadrature(e, t);
    add_phase_products(e, t);
    for (int d = 0; d < e->n_drive; d++) e->work[d] += drive_work(e, d, t);
    e->damping += e->b->C ? coupled_damping(e, t) : decoupled_damping(e, t);
    e->damping += shape_damping(e, t);
}

// All that was moved: what the residual is measured by.
static double moved(const exact *e, double now) {
    double total = e->energy0 + now + fabs(e->damping);
    for (int i = 0; i < e->n_drive + 3 * e->m; i++) total += fabs(e->sums[i]);
    return total / 2;
}

static void sum_up(const exact *e, const double *q, const double *p, jd_ledger *out) {
    double now = ledger_energy(e, q, p, &out->kinetic), balance = e->energy0 - e->damping;
    for (int d = 0; d < e->n_drive; d++) balance += e->work[d];
    for (int j = 0; j < e->m; j++)
        balance += e->belt_work[j] - e->contact_loss[j] - e->impact_loss[j];
    memcpy(e->shown, e->sums, (size_t)(e->n_drive + 3 * e->m) * sizeof *e->shown);
    *out = (jd_ledger){.start = e->energy0,
                       .kinetic = out->kinetic,
                       .strain = now - out->kinetic,
                       .damping = e->damping,
                       .drive = e->shown,
                       .contact = e->shown + e->n_drive,
                       .impact = e->shown + e->n_drive + e->m,
                       .belt = e->shown + e->n_drive + 2 * e->m,
                       .work = moved(e, now)};
    out->residual = out->work > 0 ? (now - balance) / out->work : 0;
}

void ledger_forget(exact *e) {
    ledger_harvest(e);
    e->damping = 0;
    memset(e->sums, 0, (size_t)(e->n_drive + 3 * e->m) * sizeof *e->sums);
}

static void swap(double **a, double **b) {
    double *c = *a;
    *a = *b;
    *b = c;
}

// At t within the phase: books the part of it that has passed, sums up, and forgets it again.
void ledger_report(exact *e, double t, jd_ledger *out) {
    if (!e->pending || t <= e->t0) {
        ledger_harvest(e);
        sum_up(e, e->q, e->p, out);
        return;
    }
    size_t size = (size_t)(e->n_drive + 3 * e->m) * sizeof *e->sums;
    ledger_harvest(e);
    double damping = e->damping;
    memcpy(e->kept, e->sums, size);
    swap(&e->re1, &e->re3);
    swap(&e->im1, &e->im3);
    jd_expbasis_advance(e->b->exp, t - e->t0, e->re, e->im, e->re1, e->im1);
    phase_state(e, t - e->t0, e->re1, e->im1, e->x1, e->xd1);
    phase_full(e, t - e->t0, e->x1, e->xd1, e->qt, e->pt);
    ledger_phase(e, t - e->t0);
    ledger_harvest(e);
    sum_up(e, e->qt, e->pt, out);
    swap(&e->re1, &e->re3);
    swap(&e->im1, &e->im3);
    memcpy(e->sums, e->kept, size);
    e->damping = damping;
}
