// ledger.c -- where the energy goes, by Gauss quadrature over each step (its integrands are
// smooth on the scale of a step: 14 points are exact to rounding, 6 in short steps).
//   E = |q'|^2/2 + omega2 q^2/2 + sum T^2/(2 kt) + sum_closed kn p^2/2
//   dE = f q' - q'C q' - sum T s' - sum cn p'^2 - sum T belt,    s' = u' - T'/kt
#include <math.h>
#include <string.h>

#include "engine/series/product.h"
#include "engine/series/series.h"
#include "engine/series/smooth/smooth.h"
#include "linalg/dot.h"

// Nodes > 0 and weights of Gauss and Legendre on (-1, 1), for steps with omega_max h up to 5 and
// 0.5.
typedef struct rule {
    int half;
    double node[7], weight[7];
} rule;
static const rule whole = {7,
                           {0.1080549487073436620662446502198, 0.3191123689278897604356718241684,
                            0.5152486363581540919652907185511, 0.6872929048116854701480198030193,
                            0.8272013150697649931897947426503, 0.9284348836635735173363911393778,
                            0.9862838086968123388415972667040},
                           {0.2152638534631577901958764433162, 0.2051984637212956039659240656612,
                            0.1855383974779378137417165901251, 0.1572031671581935345696019386238,
                            0.1215185706879031846894148090724, 0.0801580871597602098056332770628,
                            0.0351194603317518630318328761381}};
static const rule brief = {3,
                           {0.2386191860831969086305017216807, 0.6612093864662645136613995950199,
                            0.9324695142031520278123015544940},
                           {0.4679139345726910473898703439895, 0.3607615730481386075698335138377,
                            0.1713244923791703450402961421727}};

// Powers of all terms at tau, times `by`, into the sums.
static void add_powers(series *s, double tau, double by, double *sums) {
    const series_plan *p = &s->plan;
    series_scratch *x = &s->scratch;
    double *work = sums, *contact = work + p->n_drive, *belt = contact + 2 * p->m, damping = 0;
    double *wear = belt + p->m;
    jd_series_motion(s, tau, x->q, x->p);
    jd_series_fill(s);
    jd_series_horner(s->terms.degree + 3, p->row_stride, (size_t)p->row_stride, s->terms.u, tau,
                     x->u, x->v);
    jd_series_forces(s, tau, x->N, x->Nr, x->T, x->Tr);
    for (int k = 0; k < p->n; k++)
        damping += x->p[k] *
                   (p->C ? jd_dot(p->n, p->C + (size_t)k * (size_t)p->n, x->p) : p->c[k] * x->p[k]);
    sums[p->n_drive + 4 * p->m] += by * damping;
    for (int d = 0; d < p->n_drive; d++) {
        const double *c = s->terms.drive + d * (SERIES_ORDER + 1);
        double f = 0;
        for (int k = SERIES_ORDER; k >= 0; k--) f = f * tau + c[k];
        work[d] += by * f * jd_dot(p->n, p->drive[d].row, x->p);
    }
    for (int i = 0; i < p->n_slider; i++) {
        const series_slider *g = &p->slider[i];
        if (s->state.slide[i] == SERIES_FREE) continue;
        belt[g->contact] -= by * x->T[i] * g->belt;
        if (s->state.slide[i] == 0) continue;
        double rate = x->v[g->row] / s->terms.dt - g->belt - (g->kt > 0 ? x->Tr[i] / g->kt : 0);
        contact[g->contact] += by * x->T[i] * rate;
        wear[g->contact] += by * x->T[i] * rate;
    }
    for (int a = 0; a < p->n_normal; a++) {
        const series_normal *g = &p->normal[a];
        if (g->row < 0 || !s->state.closed[a]) continue;
        double rate = x->v[g->row] / s->terms.dt - g->belt;
        contact[g->contact] += by * g->cn * rate * rate;
        belt[g->contact] -= by * s->state.closed[a] * x->N[a] * g->belt;
    }
}

void jd_series_ledger_step(series *s, double tau, double *sums) {
    double h = tau * s->terms.dt, fastest = s->plan.fastest;
    for (int d = 0; d < s->plan.n_drive; d++)
        fastest = fmax(fastest, s->plan.drive[d].segment.omega);
    const rule *r = fastest * h <= 0.5 ? &brief : &whole;
    for (int i = 0; i < r->half; i++)
        for (int side = -1; side <= 1; side += 2)
            add_powers(s, 0.5 * tau * (1 + side * r->node[i]), 0.5 * h * r->weight[i], sums);
}

// Energy stored; of q and p, with the springs' forces N, T.
double jd_series_energy(const series *s, const double *q, const double *p, const double *N,
                        const double *T, double *kinetic) {
    double motion = 0, strain = 0;
    for (int k = 0; k < s->plan.n; k++) {
        motion += 0.5 * p[k] * p[k];
        strain += 0.5 * s->plan.omega2[k] * q[k] * q[k];
    }
    for (int i = 0; i < s->plan.n_slider; i++)
        if (s->plan.slider[i].kt > 0 && s->state.slide[i] != SERIES_FREE)
            strain += T[i] * T[i] / (2 * s->plan.slider[i].kt);
    for (int a = 0; a < s->plan.n_normal; a++) {
        const series_normal *g = &s->plan.normal[a];
        if (g->kind != NORMAL_SPRING || !s->state.closed[a]) continue;
        const double *w = s->plan.W + (size_t)g->row * (size_t)s->plan.stride;
        double rate = jd_dot(s->plan.n, w, p) - g->belt;
        double x = (N[a] - g->cn * s->state.closed[a] * rate) / g->kn;
        strain += 0.5 * g->kn * x * x;
    }
    strain += jd_smooth_energy(s, q);
    if (kinetic) *kinetic = motion;
    return motion + strain;
}

// Sums over the cells of each contact of the problem: contact, impact, belt, wear.
static const double *of_contacts(series *s, const double *part) {
    const series_plan *p = &s->plan;
    size_t n = (size_t)p->whole.n;
    memset(s->ledger.whole, 0, 4 * n * sizeof(double));
    for (size_t k = 0; k < 4; k++)
        for (int j = 0; j < p->m; j++)
            s->ledger.whole[k * n + (size_t)p->contact[j].of] += part[k * (size_t)p->m + (size_t)j];
    return s->ledger.whole;
}

void jd_series_ledger_report(series *s, double t, jd_ledger *out) {
    const series_plan *p = &s->plan;
    series_scratch *x = &s->scratch;
    size_t n = (size_t)p->n_drive + 4 * (size_t)p->m + 1;
    double tau = jd_series_tau(s, t), *shown = s->ledger.shown;
    memcpy(shown, s->ledger.sums, n * sizeof *shown);
    if (s->ready && tau > 0) jd_series_ledger_step(s, tau, shown);
    jd_series_motion(s, tau, x->q, x->p);
    jd_series_forces(s, tau, x->N, x->Nr, x->T, x->Tr);
    double kinetic, energy = jd_series_energy(s, x->q, x->p, x->N, x->T, &kinetic);
    const double *sums = of_contacts(s, shown + p->n_drive);
    *out = (jd_ledger){.start = s->ledger.energy0,
                       .kinetic = kinetic,
                       .strain = energy - kinetic,
                       .damping = shown[n - 1],
                       .drive = shown,
                       .contact = sums,
                       .impact = sums + p->whole.n,
                       .belt = sums + 2 * p->whole.n,
                       .wear = sums + 3 * p->whole.n};
    double balance = energy - out->start + out->damping, work = energy + out->start + out->damping;
    for (int d = 0; d < p->n_drive; d++) {
        balance -= out->drive[d];
        work += fabs(out->drive[d]);
    }
    for (int j = 0; j < p->whole.n; j++) {
        balance += out->contact[j] + out->impact[j] - out->belt[j];
        work += fabs(out->contact[j]) + fabs(out->impact[j]) + fabs(out->belt[j]);
    }
    out->work = work;
    // Places are rounded; loads do work on that.
    double measure = fmax(work, 1e-2 * s->ledger.loads);
    out->residual = measure > 0 ? balance / measure : 0;
}
