// books.c -- where the energy went, step by step, for models that have one.
//   drives int f v, friction -int lambda (v - belt), belts int lambda belt, damping int of what the
//   model says it loses: all by the quadrature of the step's own nodes (order 13).
//   tested: closure_ledger_*
#include <math.h>
#include <string.h>

#include "engine/closure/closure.h"

// Whether the model's energy knows of every force.
static bool complete(const closure *e) {
    for (int i = 0; i < e->n_drive; i++)
        if (!e->drive[i].felt) return false;
    return true;
}

jd_status jd_closure_ledger_open(closure *e) {
    int n = e->n_drive + 3 * e->m;
    e->keeps_books = e->pws.energy && complete(e);
    e->sums = JD_TAKE(e->arena, double, n + 1);
    e->shown = JD_TAKE(e->arena, double, n + 1);
    return jd_arena_status(e->arena);
}

static double velocity(const closure *e, const double *row, const double *X) {
    double v = 0;
    for (int i = 0; i < e->n + 2; i++) v += row[i] * X[i];
    return v;
}

// What goes where at one moment, times weight.
static void book(closure *e, double t, const double *x, double weight, double *sums, double *lost) {
    double *X = e->full, part[3];
    jd_closure_full(e, t, x, X);
    e->pws.energy(e->pws.energy_user, X, part);
    *lost += weight * part[2];
    for (int i = 0; i < e->n_drive; i++) {
        double f, df;
        jd_closure_drive_value(&e->drive[i], t, &f, &df);
        sums[i] += weight * f * velocity(e, e->drive[i].felt, X);
    }
    if (!e->m) return;
    double lambda = X[e->n + 1], relative = 0;
    if (e->phase == PLUS || e->phase == MINUS) relative = e->pws.model.h(e->pws.model.user, X);
    sums[e->n_drive] -= weight * lambda * relative;
    sums[e->n_drive + 1] += weight * lambda * e->pws.belt;
}

static void book_step(closure *e, const radau_step *s, double *sums, double *lost) {
    const double *weight = e->solver.A + (size_t)((RADAU_STAGES - 1) * RADAU_STAGES);
    for (int j = 0; j < RADAU_STAGES && s->h > 0; j++)
        book(e, s->t + e->solver.c[j + 1] * s->h, s->x + (j + 1) * s->n, s->h * weight[j], sums,
             lost);
}

static double stored(closure *e, double t, const double *x, double *kinetic) {
    double part[3];
    jd_closure_full(e, t, x, e->full);
    e->pws.energy(e->pws.energy_user, e->full, part);
    *kinetic = part[0];
    return part[0] + part[1];
}

void jd_closure_ledger_begin(closure *e) {
    double kinetic;
    if (!e->keeps_books) return;
    memset(e->sums, 0, (size_t)(e->n_drive + 3 * e->m) * sizeof *e->sums);
    e->lost = 0;
    e->energy0 = stored(e, e->t, e->x, &kinetic);
}

void jd_closure_ledger_step(closure *e) {
    if (e->keeps_books && !e->run->no_ledger) book_step(e, &e->step, e->sums, &e->lost);
}

void jd_closure_ledger_report(closure *e, jd_ledger *out) {
    int d = e->n_drive, m = e->m;
    double *sums = e->shown, *x = e->guess + e->n + 2, lost = e->lost, kinetic;
    memcpy(sums, e->sums, (size_t)(d + 3 * m) * sizeof *sums);
    jd_closure_inside(e, e->run->t, x, NULL);
    if (e->pending && e->run->t > e->step.t) book_step(e, &e->look, sums, &lost);
    double now = stored(e, e->run->t, x, &kinetic), balance = e->energy0 - lost,
           moved = e->energy0 + now + fabs(lost);
    for (int i = 0; i < d; i++) balance += sums[i];
    for (int j = 0; j < m; j++) balance += sums[d + m + j] - sums[d + j];
    for (int i = 0; i < d + 3 * m; i++) moved += fabs(sums[i]);
    *out = (jd_ledger){.start = e->energy0,
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
