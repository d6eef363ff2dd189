// observe.c -- the motion at a time within the present step: values, forces, energies.
//   While a cell slides, its friction is constant: the loss is limit times the distance slid.
//   Work of a drive:  integral of p u' = sum_{a,b} p[a] b u[b] tau^(a+b)/(a+b)
#include <math.h>

#include "engine/taylor/motion.h"

enum { ORDER = JD_EXPANSION_ORDER };

static double tau_of(const jd_motion *m, double t) { return (t - m->state.t0) / m->series.dt; }

void jd_motion_at(const jd_motion *m, double t, double *u, double *v, double *eta, double *eta_v) {
    const jd_semi *y = m->semi;
    m->series.kernel->evaluate(&m->series, t == m->step.t_end ? m->step.tau_end : tau_of(m, t), u,
                               v, eta, eta_v);
    for (int i = 0; i < y->n; i++) v[i] /= m->series.dt;
    for (int q = 0; q < y->n_mode; q++) eta_v[q] /= m->series.dt;
}

double jd_motion_force(const jd_motion *m, int cell, double t) {
    const jd_semi *y = m->semi;
    const jd_expansion *s = &m->series;
    if (m->state.slide[cell] != 0) return -m->state.slide[cell] * y->limit[cell];
    double tau = tau_of(m, t), sum = 0;
    for (int r = 0; r < s->n_stuck; r++)
        if (s->slot[r] == cell)
            for (int k = ORDER - 2; k >= 0; k--)
                sum = sum * tau + s->force[(size_t)k * (size_t)y->cell_stride + (size_t)r];
    return sum;
}

double jd_motion_slip(const jd_motion *m, int cell, double t, double *displacement) {
    const jd_semi *y = m->semi;
    const jd_expansion *s = &m->series;
    const double *psi = y->shape + (size_t)cell * (size_t)y->stride;
    double tau = tau_of(m, t), value = 0, rate = 0;
    for (int k = ORDER; k >= 0; k--) {
        double x = jd_expansion_u(s, k)[y->first + cell];
        const double *eta = s->eta + (size_t)k * (size_t)y->stride;
        for (int q = 0; q < y->n_mode; q++) x -= psi[q] * eta[q];
        rate = rate * tau + value;
        value = value * tau + x;
    }
    *displacement = value - y->velocity * t;
    return m->state.slide[cell] == 0 && !y->elastic ? 0 : rate / s->dt - y->velocity;
}

double jd_motion_loss(const jd_motion *m, int cell, double t) {
    double d;
    if (m->state.slide[cell] == 0) return m->ledger.loss[cell];
    jd_motion_slip(m, cell, t, &d);
    return m->ledger.loss[cell] +
           m->state.slide[cell] * m->semi->limit[cell] * (d - m->ledger.slipped[cell]);
}

// Order b of the displacement a drive acts on.
static double moved(const jd_expansion *s, const jd_semi_drive *d, int b) {
    const jd_semi *y = s->semi;
    if (!d->modal) {
        const double *u = jd_expansion_u(s, b) + d->node;
        return d->weight[0] * u[0] + (d->node + 1 < y->n ? d->weight[1] * u[1] : 0);
    }
    double sum = 0;
    const double *eta = s->eta + (size_t)b * (size_t)y->stride;
    for (int q = 0; q < y->n_mode; q++) sum += d->modal[q] * eta[q];
    return sum;
}

double jd_motion_work(const jd_motion *m, int drive, double t) {
    const jd_expansion *s = &m->series;
    const double *p = s->drive + drive * (ORDER + 1);
    double tau = t == m->step.t_end ? m->step.tau_end : tau_of(m, t), sum = 0, c[ORDER + 1] = {0};
    for (int b = 1; b <= ORDER; b++) {
        double x = b * moved(s, &m->semi->drive[drive], b);
        for (int a = 0; a + b <= ORDER; a++) c[a + b] += p[a] * x / (a + b);
    }
    for (int k = ORDER; k >= 0; k--) sum = sum * tau + c[k];
    return m->ledger.work[drive] + sum;
}

// Power lost in damping: v' C v and the modes' [W].
static double damping_power(const jd_semi *y, const double *v, const double *eta_v) {
    double sum = 0, strain = 0;
    for (int i = 0; i < y->n; i++) sum += y->damping.alpha * y->mass[i] * v[i] * v[i];
    for (int i = 1; i < y->n; i++) strain += (v[i] - v[i - 1]) * (v[i] - v[i - 1]);
    for (int q = 0; q < y->n_mode; q++) sum += y->damping.mode[q] * eta_v[q] * eta_v[q];
    return sum + y->damping.beta * y->spring * strain;
}

// By Gauss's ten points: the power turns by at most 12 over a step.
double jd_motion_damping(const jd_motion *m, double t) {
    static const double at[5] = {0.1488743389816312, 0.4333953941292472, 0.6794095682990244,
                                 0.8650633666889845, 0.9739065285171717};
    static const double weight[5] = {0.2955242247147529, 0.2692667193099963, 0.2190863625159820,
                                     0.1494513491505806, 0.0666713443086881};
    double half = 0.5 * (t - m->state.t0), sum = 0;
    if (!m->semi->damping.acts) return 0;
    for (int i = 0; i < 10; i++) {
        double x = m->state.t0 + half * (1 + (i < 5 ? at[i] : -at[i - 5]));
        jd_motion_at(m, x, m->scratch.u, m->scratch.v, m->scratch.eta, m->scratch.eta_v);
        sum += weight[i % 5] * damping_power(m->semi, m->scratch.v, m->scratch.eta_v);
    }
    return m->ledger.damping + half * sum;
}

double jd_motion_spring(const jd_motion *m, double t) {
    double sum = 0;
    for (int j = 0; m->semi->elastic && j < m->semi->n_cell; j++) {
        double f = jd_motion_force(m, j, t);
        if (m->semi->limit[j] > 0) sum += 0.5 * f * f / m->semi->stiffness[j];
    }
    return sum;
}

// A moving counterpart does work on the rod wherever it drags at it: v0 times the impulse.
double jd_motion_belt(const jd_motion *m, double t) {
    const jd_semi *y = m->semi;
    const jd_expansion *s = &m->series;
    double tau = t == m->step.t_end ? m->step.tau_end : tau_of(m, t), sum = 0, slide = 0;
    if (y->velocity == 0) return 0;
    for (int j = 0; j < y->n_cell; j++) slide -= m->state.slide[j] * y->limit[j];
    for (int k = ORDER - 2; k >= 0; k--) {
        double all = 0;
        for (int r = 0; r < s->n_stuck; r++) all += s->force[k * y->cell_stride + r];
        sum = sum * tau + all / (k + 1);
    }
    return m->ledger.belt + y->velocity * (sum + slide) * tau * s->dt;
}
