// smooth.c -- nonlinear springs: their series by Cauchy products, and how far those hold.
//   f = k u + c u^3,  f[j] = k u[j] + c sum_i s[i] u[j-i],  s = u^2;  a small change: (k + 3 c s)
//   du What is left out: the polynomials of degree P = degree + 3 leave a residual r in the
//   equations of motion, orders P - 1 and more,
//     r = Omega^2 q[P-1..P], C q' of order P - 1, forces of rows, products of order up to 3 P,
//     drives
//   and their error e, |e|' <= growth |e| + |W| |f(u + d) - f(u)| + |r|,  d = W e. With the norm
//   |z|^2 + stiff d^2, stiff >= |k| + 3 |c| (max|u| + |d|)^2 over the step, this is
//     |e| <= exp(h (growth + 2 |W| sqrt(stiff))) h sum_j |r[j]|/(j + 1) =: D,
//   right if |d| <= |W| h D does not exceed what `stiff` allows for: checked, else the step is cut.
//   No sign of k or c is assumed, and no frequency of the structure enters but through the terms.
//                                                    tested: tests/unit/cubic.c
#include "engine/series/smooth/smooth.h"

#include <math.h>
#include <string.h>

#include "linalg/dot.h"

enum { ORDERS = SERIES_ORDER + 1, PRODUCTS = 3 * SERIES_ORDER + 1 };

static const double room_for_error = 1e-3; // of the largest displacement: |d| that `stiff` allows

jd_status jd_smooth_room(series *s) {
    jd_arena *a = s->run->arena;
    size_t n = (size_t)s->plan.n_smooth;
    s->smooth.square = JD_TAKE(a, double, n *ORDERS);
    s->smooth.force = JD_TAKE(a, double, n *ORDERS);
    s->smooth.room = JD_TAKE(a, double, 3 * PRODUCTS);
    return jd_arena_status(a);
}

static double row_at(const series *s, int r, int k) {
    return s->terms.u[(size_t)k * (size_t)s->plan.row_stride + (size_t)r];
}

// f[k] of spring i, and the moduli of its terms.
static double expand(series *s, int i, int k, double *size) {
    const series_smooth *g = &s->plan.smooth[i];
    double *square = s->smooth.square + (size_t)i * ORDERS, sum = 0, all = 0;
    for (int j = 0; !s->linear && j <= k; j++) {
        double x = row_at(s, g->row, j) * row_at(s, g->row, k - j);
        sum += x;
        all += fabs(x);
    }
    if (!s->linear) square[k] = sum;
    double cube = 0, moduli = 0;
    for (int j = 0; j <= k; j++) {
        double x = square[j] * row_at(s, g->row, k - j);
        cube += x;
        moduli += fabs(x);
    }
    double u = row_at(s, g->row, k), c = (s->linear ? 3 : 1) * g->cubic;
    *size = fabs(g->linear * u) + fabs(c) * (moduli + all * fabs(row_at(s, g->row, 0)));
    return g->linear * u + c * cube;
}

double jd_smooth_forces(series *s, int k, double *F) {
    double sum = 0;
    for (int i = 0; i < s->plan.n_smooth; i++) {
        double size, f = expand(s, i, k, &size);
        int r = s->plan.smooth[i].row;
        if (!s->linear) s->smooth.force[(size_t)i * ORDERS + (size_t)k] = f;
        F[r] += f;
        sum += size * s->plan.length[r];
    }
    return sum;
}

void jd_smooth_cut(series *s, int orders) {
    for (int i = 0; i < s->plan.n_smooth; i++)
        for (int k = orders - 1; k < ORDERS; k++)
            s->smooth.square[i * ORDERS + k] = s->smooth.force[i * ORDERS + k] = 0;
}

// Moduli of the terms of f of orders from .. 3P, of the polynomial u of degree P: sum/(k + 1) into
// *mean.
static double products(series *s, int i, int from, int P, double *mean) {
    const series_smooth *g = &s->plan.smooth[i];
    double *u = s->smooth.room, *square = u + PRODUCTS, *cube = square + PRODUCTS, sum = 0;
    memset(u, 0, 3 * PRODUCTS * sizeof *u);
    *mean = 0;
    for (int k = 0; k <= P; k++) u[k] = fabs(row_at(s, g->row, k));
    for (int j = 0; j <= P; j++)
        for (int k = 0; k <= P; k++) square[j + k] += u[j] * u[k];
    for (int j = 0; j <= 2 * P; j++)
        for (int k = 0; k <= P; k++) cube[j + k] += square[j] * u[k];
    for (int k = from; k <= 3 * P; k++) {
        double x = (k <= P ? fabs(g->linear) * u[k] : 0) + fabs(g->cubic) * cube[k];
        sum += x;
        *mean += x / (k + 1);
    }
    return sum;
}

// |F_r| |W_r| of order k of all other contacts, by the moduli of what they are made of.
static double other_forces(const series *s, int k, int P) {
    const series_plan *p = &s->plan;
    double sum = 0;
    for (int a = 0; a < p->n_normal; a++) {
        const series_normal *g = &p->normal[a];
        if (g->kind != NORMAL_SPRING || !s->state.closed[a]) continue;
        double next = k < P ? fabs(row_at(s, g->row, k + 1)) * (k + 1) / s->terms.dt : 0;
        double N = g->kn * fabs(row_at(s, g->row, k)) + g->cn * next;
        sum += N * p->length[g->row];
        for (int i = 0; i < p->n_slider; i++)
            if (p->slider[i].normal == a)
                sum += p->slider[i].limit * N * p->length[p->slider[i].row];
    }
    for (int i = 0; i < p->n_slider; i++) {
        const series_slider *g = &p->slider[i];
        double next = k < P ? fabs(row_at(s, g->row, k + 1)) * (k + 1) / s->terms.dt : 0;
        sum += (g->kt * fabs(row_at(s, g->row, k)) + fabs(g->slope) * next) * p->length[g->row];
    }
    return sum;
}

// |Omega^2 q[k] + C q'[k]| of an order that the recurrence does not make 0.
static double structure(const series *s, int k, int P) {
    const series_plan *p = &s->plan;
    const double *q = s->terms.q + (size_t)k * (size_t)p->stride, *q1 = q + p->stride;
    double strain = 0, damping = 0, rate = (k + 1) / s->terms.dt;
    for (int l = 0; l < p->n; l++) {
        double x = p->omega2[l] * q[l];
        strain += x * x;
        if (k == P) continue;
        double y =
            rate * (p->C ? jd_dot(p->n, p->C + (size_t)l * (size_t)p->n, q1) : p->c[l] * q1[l]);
        damping += y * y;
    }
    return sqrt(strain) + sqrt(damping);
}

// A reaction answers a residual: forces of rigid contacts that slide under it.
static double answered(const series *s) {
    const series_plan *p = &s->plan;
    double factor = 1;
    for (int i = 0; i < p->n_slider; i++) {
        const series_slider *g = &p->slider[i];
        if (s->state.slide[i] == 0 || s->state.slide[i] == SERIES_FREE) continue;
        for (int h = 0; h < s->held.n; h++)
            if (s->held.item[h] == p->n_slider + g->normal)
                factor += g->limit * s->held.react_size[h] * p->length[g->row];
    }
    return factor;
}

// Largest |u| over the step, by the moduli of its terms.
static double largest(const series *s, int i, int P) {
    double sum = 0;
    for (int k = 0; k <= P; k++) sum += fabs(row_at(s, s->plan.smooth[i].row, k));
    return sum;
}

// |d| that `stiff` allows for.
static double allowed(const series *s, int i, int P) {
    double unit = fmax(s->state.unit, s->terms.now);
    return room_for_error * largest(s, i, P) +
           1e-6 * unit * s->terms.dt * s->plan.length[s->plan.smooth[i].row];
}

static double stiff(const series *s, int i, int P) {
    const series_smooth *g = &s->plan.smooth[i];
    double u = largest(s, i, P) + allowed(s, i, P);
    return fabs(g->linear) + 3 * fabs(g->cubic) * u * u;
}

void jd_smooth_remainder(series *s, const double *energy, double growth, double tail) {
    series_terms *t = &s->terms;
    const series_plan *p = &s->plan;
    int P = t->degree + 3;
    double all = tail, mean = tail / P, forces = 0, mean_of;
    for (int k = P - 1; k <= P; k++) {
        double x = structure(s, k, P) + other_forces(s, k, P);
        all += x;
        mean += x / (k + 1);
    }
    for (int i = 0; i < p->n_smooth; i++) {
        double l = p->length[p->smooth[i].row];
        all += l * products(s, i, P - 1, P, &mean_of);
        mean += l * mean_of;
        forces += l * products(s, i, t->degree + 1, P, &mean_of);
        growth += 2 * l * sqrt(stiff(s, i, P));
    }
    double more = answered(s), D = exp(fmin(growth * t->dt, 700)) * t->dt * more * mean;
    for (int i = 0; i < p->n_smooth; i++) {
        double l = p->length[p->smooth[i].row], d = l * t->dt * D;
        if (!(d <= allowed(s, i, P))) D = HUGE_VAL;
        forces += l * stiff(s, i, P) * d;
    }
    t->Z[1] = energy[1] + energy[2] + energy[3] + D;
    t->Z[0] = energy[0] + t->Z[1];
    t->Z[2] = energy[2] + energy[3] + D;
    t->direct[0] = t->direct[1] = t->direct[2] = tail + forces + more * all;
}

double jd_smooth_force(const series_smooth *g, double u) {
    return (g->linear + g->cubic * u * u) * u;
}

double jd_smooth_energy(const series *s, const double *q) {
    double sum = 0;
    for (int i = 0; i < s->plan.n_smooth; i++) {
        const series_smooth *g = &s->plan.smooth[i];
        double u = jd_dot(s->plan.n, s->plan.W + (size_t)g->row * (size_t)s->plan.stride, q);
        sum += (0.5 * g->linear + 0.25 * g->cubic * u * u) * u * u;
    }
    return sum;
}
