// ledger.c -- energy, momentum and fields of a march.
//   Nodes with i + n even and odd (n the step) never meet: the grid carries two motions side by
//   side, and only differences along characteristics stay within one of them. With
//     p_i = u_{i+1}(t) - u_i(t - dt),   q_i = u_i(t) - u_{i+1}(t - dt)
//   sum m (p^2 + q^2)/(4 dt^2) is the energy leapfrog conserves exactly (m v^2/2 + k du du-/2, put
//   together cell by cell), so that start + drives + belts - contacts - damping closes to rounding;
//   kinetic: m (p + q)^2/(8 dt^2), strain: m (p - q)^2/(8 dt^2). Velocities are over 2 dt.
//   Contact springs (Jenkins) store k (e^2 + e-^2)/4, soil (V(e) + V(e-))/2.
#include <math.h>

#include "engine/wave/wave.h"

// Right- and left-going waves of the cell between nodes i and i + 1.
static void cell_energy(const rod *a, int i, double share, double *kinetic, double *strain) {
    double p = a->u[i + 1] - a->old[i], q = a->u[i] - a->old[i + 1];
    *kinetic += share * (p + q) * (p + q);
    *strain += share * (p - q) * (p - q);
}

static void set_ghosts(const rod *a, double *u) {
    u[-1] = a->sign[0] * u[a->mirror[0]];
    u[a->grid.n] = a->sign[1] * u[a->mirror[1]];
}

// share = EA/(8 h) of each section; what the characteristics leave: lag v^2/2.
static void uneven_energy(const rod *a, double dt, double *kinetic, double *strain) {
    for (int i = 0; i + 1 < a->grid.n; i++)
        cell_energy(a, i, 0.125 * a->uneven->spring[i], kinetic, strain);
    for (int i = 0; i < a->grid.n; i++) {
        double v = (a->u[i] - a->old[i]) / dt;
        *kinetic += 0.5 * a->uneven->lag[i] * v * v;
    }
}

static void rod_energy(const rod *a, double dt, double *kinetic, double *strain) {
    int n = a->grid.n;
    if (a->uneven) {
        uneven_energy(a, dt, kinetic, strain);
        return;
    }
    double share = a->ratio * a->cell_mass / (8 * dt * dt);
    set_ghosts(a, a->u);
    set_ghosts(a, a->old);
    for (int i = 0; i + 1 < n; i++) cell_energy(a, i, share, kinetic, strain);
    // an end between two nodes: half a cell lies beyond it
    if (a->mirror[0] == 0) cell_energy(a, -1, 0.5 * share, kinetic, strain);
    if (a->mirror[1] == n - 1) cell_energy(a, n - 1, 0.5 * share, kinetic, strain);
    for (int i = 0; a->ratio != 1 && i < n; i++) { // what the characteristics leave of m v^2/2
        double v = (a->u[i] - a->old[i]) / dt;
        *kinetic += (1 - a->ratio) * 0.5 * a->mass[i] * v * v;
    }
}

static double cell_stored(const skin *k, int j) {
    double e = k->state.stretch[j], o = k->state.stretch_old[j];
    return 0.25 * k->cells->stiffness[j] * (e * e + o * o);
}

static double cell_loss(const skin *k, int j) {
    return 0.5 * k->per[j] * k->ledger.loss[j] - cell_stored(k, j);
}

static double toe_stored(const toe *e) {
    double a = fmax(e->e, 0), b = fmax(e->e_old, 0);
    return 0.25 * e->spring * (a * a + b * b);
}

static double bumper_stored(const bumper *b) {
    const stop_side *q = b->side;
    double now = q[0].a->u[q[0].node] - (q[1].a ? q[1].a->u[q[1].node] : 0) - b->gap;
    double old = q[0].a->old[q[0].node] - (q[1].a ? q[1].a->old[q[1].node] : 0) - b->gap;
    return 0.5 * (jd_bumper_stored(b, now, b->peak) + jd_bumper_stored(b, old, b->peak_old));
}

static void march_energy(const march *m, double *kinetic, double *strain) {
    *kinetic = *strain = 0;
    for (int b = 0; b < m->n_rod; b++) rod_energy(&m->rods[b], m->dt, kinetic, strain);
    for (int i = 0; i < m->n_skin; i++)
        for (int j = 0; j < m->skins[i].n; j++) *strain += cell_stored(&m->skins[i], j);
    for (int i = 0; i < m->n_toe; i++) *strain += toe_stored(&m->toes[i]);
    for (int i = 0; i < m->n_bumper; i++) *strain += bumper_stored(&m->bumpers[i]);
}

void jd_wave_energy_begins(march *m) {
    double kinetic, strain;
    for (int i = 0; i < m->n_skin; i++) {
        skin *k = &m->skins[i];
        for (int j = 0; j < k->n; j++)
            if (k->per[j] > 0) k->ledger.loss[j] = 2 * cell_stored(k, j) / k->per[j];
    }
    march_energy(m, &kinetic, &strain);
    m->start = kinetic + strain;
}

static void sum_contacts(const march *m, wave *w) {
    for (int c = 0; c < jd_problem_contacts(m->run->problem); c++) {
        const skin *k = m->skin_of[c] >= 0 ? &m->skins[m->skin_of[c]] : NULL;
        w->sum_contact[c] = m->toe_of[c] >= 0 ? m->toes[m->toe_of[c]].loss : 0;
        w->sum_impact[c] = m->bumper_of[c] >= 0 ? m->bumpers[m->bumper_of[c]].loss : 0;
        w->sum_belt[c] = 0;
        for (int j = 0; k && j < k->n; j++) {
            w->sum_contact[c] += cell_loss(k, j);
            w->sum_belt[c] -= 0.5 * k->belt * k->per[j] * k->ledger.impulse[j];
        }
    }
}

static void report_ledger(const march *m, wave *w, jd_ledger *l) {
    int n = jd_problem_contacts(m->run->problem);
    march_energy(m, &l->kinetic, &l->strain);
    sum_contacts(m, w);
    *l = (jd_ledger){.start = m->start,
                     .kinetic = l->kinetic,
                     .strain = l->strain,
                     .damping = m->damping,
                     .drive = w->sum_drive,
                     .contact = w->sum_contact,
                     .impact = w->sum_impact,
                     .belt = w->sum_belt};
    double balance = l->kinetic + l->strain + l->damping - l->start, moved = fabs(l->damping);
    for (int i = 0; i < m->n_push; i++) {
        w->sum_drive[i] = m->pushes[i].work;
        balance -= w->sum_drive[i];
        moved = fmax(moved, fabs(w->sum_drive[i]));
    }
    for (int c = 0; c < n; c++) {
        balance += w->sum_contact[c] + w->sum_impact[c] - w->sum_belt[c];
        moved = fmax(moved, fmax(fabs(w->sum_contact[c]), fabs(w->sum_belt[c])));
        moved = fmax(moved, fabs(w->sum_impact[c]));
    }
    l->work = fmax(moved, l->kinetic + l->strain);
    l->residual = l->work > 0 ? balance / l->work : 0;
}

static void report_grid(const march *m, const wave *w, jd_grid_report *g) {
    *g = (jd_grid_report){.known = true, .nodes = m->nodes, .time_step = m->dt};
    g->friction_rule = m->trapezoidal ? "trapezoidal" : "centred";
    g->steps = m->step;
    for (int i = 0; i < m->n_skin; i++)
        for (int j = 0; j < m->skins[i].n; j++)
            g->energy_fed -= 0.5 * m->skins[i].per[j] * m->skins[i].ledger.fed[j];
    if (!w->coarse[0]) return;
    g->estimated = true;
    g->coarse_nodes = w->coarse[0]->nodes;
    g->error = w->error;
}

void jd_wave_report(jd_run *run, jd_report *r) {
    wave *w = run->state;
    r->certificate = (jd_certificate){.certified = false, .method = "clamped cells on a grid"};
    r->certificate.evaluations = w->fine->step;
    if (w->fine->audited) report_ledger(w->fine, w, &r->ledger);
    report_grid(w->fine, w, &r->grid);
}

// Impulse of a force `back` steps before t_n, of what it is at t_n: on a straight line, as momenta.
static double less(double impulse, double now, double before, double back, double dt) {
    return impulse - 0.5 * back * dt * (now + before);
}

// Of soil or a stop, one node.
static void point_field(const march *m, int contact, double back, double *f,
                        jd_interface_field *out) {
    const toe *e = m->toe_of[contact] >= 0 ? &m->toes[m->toe_of[contact]] : NULL;
    const bumper *b = e ? NULL : &m->bumpers[m->bumper_of[contact]];
    double now = e ? e->force : b->force, before = e ? e->force_before : b->force_before;
    f[0] = (e ? e->place : b->place)->position[0];
    jd_look_contact(m, contact, back, &f[2], &f[3], &f[4]);
    f[5] = f[4] != 0 ? 0 : 1;
    f[6] = e ? e->loss : b->loss;
    f[7] = less((e ? e->impulse : b->impulse) - 0.5 * now * m->dt, now, before, back, m->dt);
    *out = (jd_interface_field){1, &f[0], &f[1], &f[2], &f[3], &f[4], &f[5], &f[6], &f[7], 0, 0, 0};
}

static void fill_field(const march *m, skin *k, double back) {
    skin_field *f = &k->field;
    for (int j = 0; j < k->n; j++) {
        jd_look_cell(m, k, j, back, &f->displacement[j], &f->velocity[j], &f->force[j]);
        double now = -k->per[j] * k->state.s[j], before = -k->per[j] * k->state.s_before[j];
        double sum = -k->per[j] * k->ledger.impulse[j] * m->dt - 0.5 * now * m->dt;
        f->loss[j] = cell_loss(k, j);
        f->impulse[j] = less(sum, now, before, back, m->dt);
    }
}

bool jd_wave_interface(jd_run *run, int contact, jd_interface_field *out) {
    march *m = ((wave *)run->state)->fine;
    double back = jd_march_back(m, run->t);
    if (m->skin_of[contact] < 0) {
        point_field(m, contact, back,
                    m->toe_of[contact] >= 0 ? m->toes[m->toe_of[contact]].field
                                            : m->bumpers[m->bumper_of[contact]].field,
                    out);
        return true;
    }
    skin *k = &m->skins[m->skin_of[contact]];
    fill_field(m, k, back);
    *out = (jd_interface_field){.n = k->n,
                                .position = k->cells->position,
                                .length = k->field.length,
                                .displacement = k->field.displacement,
                                .velocity = k->field.velocity,
                                .force = k->field.force,
                                .state = k->state.audited,
                                .loss = k->field.loss,
                                .impulse = k->field.impulse};
    for (int j = 0; j < k->n; j++) {
        out->slip += (long)k->ledger.slips[j];
        out->stick += (long)k->ledger.sticks[j];
        out->reversal += (long)k->ledger.reversals[j];
    }
    return true;
}

bool jd_wave_body(jd_run *run, int body, jd_body_field *out) {
    march *m = ((wave *)run->state)->fine;
    rod *a = &m->rods[body];
    double back = jd_march_back(m, run->t);
    for (int i = 0; i < a->grid.n; i++) jd_look_node(m, a, i, back, &a->shown[i], &a->velocity[i]);
    *out = (jd_body_field){a->grid.n, a->position, a->shown, a->velocity, a->mass};
    return true;
}
