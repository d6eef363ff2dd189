// ledger.c -- energy ledger: where energy went, panel by panel.
//   friction -int F v_rel, belts int F belt, drives int f v, all by the nodes' quadrature (drives
//   in closed form where damping_driven.c has one). What damping took is that of damping.c; it and
//   the stored energy are NaN with infinitely many modes.
#include <math.h>
#include <string.h>

#include "engine/memory/memory.h"

static double relative(const memory *e, int j, const double *p, double theta) {
    return jd_contact_at_rest(e->state.contact[j])
               ? 0
               : jd_polynomial(e->plan->nodes.s, p, theta) - e->plan->belt[j];
}

// A whole panel: its nodes are those of the quadrature.
static void add_whole(const memory *e, int j, double *lost, double *belt) {
    const nodes *n = &e->plan->nodes;
    double sum = 0, with = 0;
    for (int i = 0; i < n->s; i++) {
        double work = n->weight[i] * e->panel.force[i * e->plan->m + j];
        sum += work;
        with += work * (e->panel.velocity[i * e->plan->rows + j] - e->plan->belt[j]);
    }
    if (!jd_contact_at_rest(e->state.contact[j])) *lost -= e->panel.h * with;
    *belt += e->panel.h * sum * e->plan->belt[j];
}

static void add_contact(const memory *e, int j, double part, double *lost, double *belt) {
    const nodes *n = &e->plan->nodes;
    double v[STAGES + 1], F[STAGES + 1];
    jd_nodes_wide(n, e->panel.first_velocity[j], e->panel.velocity + j, e->plan->rows, v);
    jd_nodes_narrow(n, e->panel.force + j, e->plan->m, F);
    for (int i = 0; i < n->s; i++) {
        double theta = part * n->c[i], force = jd_polynomial(n->s - 1, F, theta);
        double weight = part * e->panel.h * n->weight[i];
        *lost -= weight * force * relative(e, j, v, theta);
        *belt += weight * force * e->plan->belt[j];
    }
}

static void add_drive(const memory *e, int d, double part, double *work) {
    const nodes *n = &e->plan->nodes;
    double v[STAGES + 1];
    jd_nodes_narrow(n, e->panel.velocity + e->plan->m + d, e->plan->rows, v);
    for (int i = 0; i < n->s; i++) {
        double theta = part * n->c[i];
        *work += part * e->panel.h * n->weight[i] *
                 jd_drives_value(e, d, e->state.t + theta * e->panel.h) *
                 jd_polynomial(n->s - 1, v, theta);
    }
}

void jd_energy_panel(memory *e, double part, double *sums) {
    bool whole = part == 1 && jd_driven_has_form(e);
    for (int d = 0; e->plan->rows > e->plan->m && d < e->plan->n_drive; d++)
        if (whole)
            sums[d] += jd_driven_work(e, d, e->panel.velocity + e->plan->m + d, e->plan->rows);
        else
            add_drive(e, d, part, &sums[d]);
    for (int j = 0; j < e->plan->m; j++) {
        double *lost = &sums[e->plan->n_drive + j],
               *belt = &sums[e->plan->n_drive + e->plan->m + j];
        if (part == 1)
            add_whole(e, j, lost, belt);
        else
            add_contact(e, j, part, lost, belt);
    }
}

void jd_energy_impact(memory *e, int j, double lost, double belt) {
    double *sums = e->observers.ledger->sums + e->plan->n_drive;
    sums[2 * e->plan->m + j] += lost;
    sums[e->plan->m + j] += belt;
}

double jd_energy_stored(memory *e, double t, double *kinetic) {
    const jd_modal *modal = &jd_problem_system(e->run->problem)->modal;
    double T = 0, V = 0;
    if (!e->plan->poles.exact) {
        if (kinetic) *kinetic = (double)NAN;
        return (double)NAN;
    }
    jd_poles_inside(e, e->panel.solved && e->panel.h > 0 ? fmax(t - e->state.t, 0) : 0);
    jd_drives_share(e, t, e->scratch.z_re, e->scratch.z_im);
    double *q = e->observers.ledger->q, *p = e->observers.ledger->rate;
    jd_poles_modes(e->plan, e->scratch.z_re, e->scratch.z_im, q, p);
    for (int k = 0; k < modal->n; k++) {
        T += p[k] * p[k] / 2;
        V += modal->omega2[k].hi * q[k] * q[k] / 2;
    }
    if (kinetic) *kinetic = T;
    return T + V;
}

jd_status jd_energy_create(memory *e) {
    const memory_plan *plan = e->plan;
    int sums = plan->n_drive + 3 * plan->m;
    energy_ledger *l = JD_TAKE(e->arena, energy_ledger, 1);
    JD_TRY(jd_arena_status(e->arena));
    l->sums = JD_TAKE(e->arena, double, sums);
    l->report_sums = JD_TAKE(e->arena, double, sums);
    l->force_powers = JD_TAKE(e->arena, double, (plan->m + plan->n_drive) * FORCE_POWERS);
    l->q = JD_TAKE(e->arena, double, plan->n_mode);
    l->rate = JD_TAKE(e->arena, double, plan->n_mode);
    l->exp_re = JD_TAKE(e->arena, double, plan->poles.n);
    l->exp_im = JD_TAKE(e->arena, double, plan->poles.n);
    e->observers.ledger = l;
    return jd_arena_status(e->arena);
}

void jd_energy_start(memory *e, double t) {
    energy_ledger *l = e->observers.ledger;
    l->start_energy = jd_energy_stored(e, t, NULL);
    l->damping = 0;
    memset(l->sums, 0, (size_t)(e->plan->n_drive + 3 * e->plan->m) * sizeof *l->sums);
}

void jd_energy_report(memory *e, jd_ledger *out) {
    const energy_ledger *own = e->observers.ledger;
    double *sums = own->report_sums, kinetic, part = jd_panel_part(e, e->run->t);
    int d = e->plan->n_drive, m = e->plan->m;
    memcpy(sums, own->sums, (size_t)(d + 3 * m) * sizeof *sums);
    if (part > 0) jd_energy_panel(e, part, sums);
    double now = jd_energy_stored(e, e->run->t, &kinetic);
    *out = (jd_ledger){.start = own->start_energy,
                       .kinetic = kinetic,
                       .strain = now - kinetic,
                       .damping = own->damping + jd_damping_panel(e, part),
                       .drive = sums,
                       .contact = sums + d,
                       .belt = sums + d + m,
                       .impact = sums + d + 2 * m,
                       .residual = (double)NAN};
    double moved = e->plan->poles.exact ? own->start_energy + now + out->damping : 0, sum = 0;
    for (int i = 0; i < d; i++) {
        if (e->plan->rows == m) sums[i] = (double)NAN;
        sum += sums[i];
        moved += fabs(sums[i]);
    }
    for (int j = 0; j < m; j++) {
        sum += out->belt[j] - out->contact[j] - out->impact[j];
        moved += fabs(out->belt[j]) + fabs(out->contact[j]) + fabs(out->impact[j]);
    }
    out->work = moved / 2; // what went in came out: half of all that was moved
    double balance = own->start_energy - out->damping + sum;
    out->residual = out->work > 0 ? (now - balance) / out->work : balance - now;
}
