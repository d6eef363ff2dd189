// ledger_report.c -- the energies so far: what moved, what was lost, and the residual of their
// balance.
#include <math.h>
#include <string.h>

#include "engine/exact/observers/ledger.h"

double jd_ledger_energy(const exact *e, const double *q, const double *p, double *kinetic) {
    double T = 0, V = 0;
    for (int k = 0; k < e->plan.n; k++) {
        T += p[k] * p[k];
        V += e->plan.omega2[k] * q[k] * q[k];
    }
    if (kinetic) *kinetic = T / 2;
    return (T + V) / 2;
}

// All that was moved: what the residual is measured by.
static double moved(const exact *e, double now) {
    double total = e->ledger.energy0 + now + fabs(e->ledger.damping);
    for (int i = 0; i < e->plan.n_drive + 3 * e->plan.m; i++) total += fabs(e->ledger.sums[i]);
    return total / 2;
}

// What the present loads would store in the free structure, 1/2 sum (b F/omega)^2: motion of less
// than 1e-10 of that deflection is rounding of it, and its energy is no measure of anything.
static double negligible(const exact *e) {
    double total = 0;
    for (int d = 0; d < e->plan.n_drive; d++) {
        const jd_drive_segment *s = &e->plan.drive[d].segment;
        double F = fabs(s->level) + fabs(s->amplitude);
        for (int k = 0; k < e->plan.n; k++) {
            double f = e->plan.drive[d].row[k] * F;
            if (e->plan.omega2[k] > 0) total += f * f / (2 * e->plan.omega2[k]);
        }
    }
    return 1e-20 * total;
}

static void sum_up(const exact *e, const double *q, const double *p, jd_ledger *out) {
    double now = jd_ledger_energy(e, q, p, &out->kinetic),
           balance = e->ledger.energy0 - e->ledger.damping;
    for (int d = 0; d < e->plan.n_drive; d++) balance += e->ledger.work[d];
    for (int j = 0; j < e->plan.m; j++)
        balance += e->ledger.belt_work[j] - e->ledger.contact_loss[j] - e->ledger.impact_loss[j];
    memcpy(e->ledger.shown, e->ledger.sums,
           (size_t)(e->plan.n_drive + 3 * e->plan.m) * sizeof *e->ledger.shown);
    *out = (jd_ledger){.start = e->ledger.energy0,
                       .kinetic = out->kinetic,
                       .strain = now - out->kinetic,
                       .damping = e->ledger.damping,
                       .drive = e->ledger.shown,
                       .contact = e->ledger.shown + e->plan.n_drive,
                       .impact = e->ledger.shown + e->plan.n_drive + e->plan.m,
                       .belt = e->ledger.shown + e->plan.n_drive + 2 * e->plan.m,
                       .work = moved(e, now)};
    double measure = fmax(out->work, negligible(e));
    out->residual = measure > 0 ? (now - balance) / measure : 0;
}

void jd_ledger_forget(exact *e) {
    jd_ledger_harvest(e);
    e->ledger.damping = 0;
    memset(e->ledger.sums, 0, (size_t)(e->plan.n_drive + 3 * e->plan.m) * sizeof *e->ledger.sums);
}

static void swap(double **a, double **b) {
    double *c = *a;
    *a = *b;
    *b = c;
}

// At t within the phase: books the part of it that has passed, sums up, and forgets it again.
void jd_ledger_report(exact *e, double t, jd_ledger *out) {
    if (!e->phase.pending || t <= e->state.t0) {
        jd_ledger_harvest(e);
        sum_up(e, e->state.q, e->state.p, out);
        return;
    }
    size_t size = (size_t)(e->plan.n_drive + 3 * e->plan.m) * sizeof *e->ledger.sums;
    jd_ledger_harvest(e);
    double damping = e->ledger.damping;
    memcpy(e->ledger.kept, e->ledger.sums, size);
    swap(&e->phase.re1, &e->scratch.re3);
    swap(&e->phase.im1, &e->scratch.im3);
    jd_expbasis_advance(e->phase.b->poles.exp, t - e->state.t0, e->phase.re, e->phase.im,
                        e->phase.re1, e->phase.im1);
    jd_phase_state(e, t - e->state.t0, e->phase.re1, e->phase.im1, e->scratch.x1, e->scratch.xd1);
    jd_phase_full(e, t - e->state.t0, e->scratch.x1, e->scratch.xd1, e->scratch.qt, e->scratch.pt);
    jd_ledger_phase(e, t - e->state.t0);
    jd_ledger_harvest(e);
    sum_up(e, e->scratch.qt, e->scratch.pt, out);
    swap(&e->phase.re1, &e->scratch.re3);
    swap(&e->phase.im1, &e->scratch.im3);
    memcpy(e->ledger.sums, e->ledger.kept, size);
    e->ledger.damping = damping;
}
