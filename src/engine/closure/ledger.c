// ledger.c -- where the energy went, step by step, for models that have one.
//   drives int f v, friction -int lambda (v - belt), belts int lambda belt, damping int of what the
//   model says it loses: all by the quadrature of the step's own nodes (order 13).
//   tested: closure_ledger_*
#include <math.h>
#include <string.h>

#include "engine/closure/closure.h"

// Whether the work of every force can be computed.
static bool complete(const closure *e) {
    for (int i = 0; i < e->plan.n_drive; i++)
        if (!e->plan.drive[i].felt) return false;
    return true;
}

jd_status jd_closure_ledger_open(closure *e) {
    int n = e->plan.n_drive + 3 * e->plan.m;
    e->ledger.on = e->plan.pws.energy && complete(e);
    e->ledger.sums = JD_TAKE(e->arena, double, n + 1);
    e->ledger.shown = JD_TAKE(e->arena, double, n + 1);
    return jd_arena_status(e->arena);
}

static double velocity(const closure *e, const double *row, const double *X) {
    double v = 0;
    for (int i = 0; i < e->plan.n + 2; i++) v += row[i] * X[i];
    return v;
}

// What goes where at one moment, times weight.
static void add_moment(closure *e, double t, const double *x, double weight, double *sums,
                       double *lost) {
    double *X = e->scratch.X_ledger, part[3];
    jd_closure_full(e, t, x, X);
    e->plan.pws.energy(e->plan.pws.energy_user, X, part);
    *lost += weight * part[2];
    for (int i = 0; i < e->plan.n_drive; i++) {
        double f, df;
        jd_closure_drive_value(e, i, t, &f, &df);
        sums[i] += weight * f * velocity(e, e->plan.drive[i].felt, X);
    }
    if (!e->plan.m) return;
    double lambda = X[e->plan.n + 1], relative = 0;
    if (e->state.phase == PLUS || e->state.phase == MINUS)
        relative = e->plan.pws.model.h(e->plan.pws.model.user, X);
    sums[e->plan.n_drive] -= weight * lambda * relative;
    sums[e->plan.n_drive + 1] += weight * lambda * e->plan.pws.belt;
}

static void add_step(closure *e, const radau_step *s, double *sums, double *lost) {
    const double *weight = e->solver.A + (size_t)((RADAU_STAGES - 1) * RADAU_STAGES);
    for (int j = 0; j < RADAU_STAGES && s->h > 0; j++)
        add_moment(e, s->t + e->solver.c[j + 1] * s->h, s->x + (j + 1) * s->n, s->h * weight[j],
                   sums, lost);
}

static double stored(closure *e, double t, const double *x, double *kinetic) {
    double part[3];
    jd_closure_full(e, t, x, e->scratch.X_ledger);
    e->plan.pws.energy(e->plan.pws.energy_user, e->scratch.X_ledger, part);
    *kinetic = part[0];
    return part[0] + part[1];
}

void jd_closure_ledger_begin(closure *e) {
    double kinetic;
    if (!e->ledger.on) return;
    memset(e->ledger.sums, 0, (size_t)(e->plan.n_drive + 3 * e->plan.m) * sizeof *e->ledger.sums);
    e->ledger.damping = 0;
    e->ledger.start = stored(e, e->state.t, e->state.x, &kinetic);
}

void jd_closure_ledger_step(closure *e) {
    if (e->ledger.on && !e->run->no_ledger)
        add_step(e, &e->state.step, e->ledger.sums, &e->ledger.damping);
}

void jd_closure_ledger_report(closure *e, jd_ledger *out) {
    int d = e->plan.n_drive, m = e->plan.m;
    double *sums = e->ledger.shown, *x = e->scratch.x_seen, lost = e->ledger.damping, kinetic;
    memcpy(sums, e->ledger.sums, (size_t)(d + 3 * m) * sizeof *sums);
    jd_closure_inside(e, e->run->t, x, NULL);
    if (e->state.pending && e->run->t > e->state.step.t) add_step(e, &e->part, sums, &lost);
    double now = stored(e, e->run->t, x, &kinetic), balance = e->ledger.start - lost,
           moved = e->ledger.start + now + fabs(lost);
    for (int i = 0; i < d; i++) balance += sums[i];
    for (int j = 0; j < m; j++) balance += sums[d + m + j] - sums[d + j];
    for (int i = 0; i < d + 3 * m; i++) moved += fabs(sums[i]);
    *out = (jd_ledger){.start = e->ledger.start,
                       .kinetic = kinetic,
                       .strain = now - kinetic,
                       .damping = lost,
                       .drive = sums,
                       .contact = sums + d,
                       .belt = sums + d + m,
                       .impact = sums + d + 2 * m,
                       .work = moved / 2};
    out->residual = moved > 0 ? 2 * (now - balance) / moved : 0;
}
