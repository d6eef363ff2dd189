// damped.c -- Kelvin and Voigt's damping C = alpha M + beta K, implicit.
//   With x the change over 2 dt, x0 the one without damping and contacts, and K/m = [-1 2 -1]/dt^2:
//     (1 + alpha dt/2 + 2 rho) x_i - rho (x_{i-1} + x_{i+1}) = x0_i + w_i f_i,   rho = beta/(2 dt)
//   CFL = 1 has no margin for explicit damping. The system is the minimum of a strictly convex
//   function, friction included, so that going round cell by cell (a node alone, the two nodes of
//   a contact's cell together) falls to it; it starts from the changes of the step before.
//   Lost: sum over the rods of x' C x/(4 dt).
#include <float.h>
#include <math.h>
#include <string.h>

#include "engine/wave/wave.h"

enum { SWEEPS = 20000 };
static const double tolerance = 1e-14; // of the largest change in the step

typedef struct damper {
    double **x, **x0;         // per rod, with ghosts like u
    double *rho;              // of even rods
    double *step_rho;         // beta/(2 dt), of each rod
    double **diagonal;        // of each node
    int **skin, **cell;       // of each node that is the structure's side of a cell; -1: none
    int **toe;                // of each node above soil; -1: none
    bool **other;             // the node is the other side of one
    double **x_before, **was; // as before the step: x of each rod, states of the cells of each skin
} damper;

static double *with_ghosts(march *m, int n) {
    double *x = JD_TAKE(m->arena, double, n + 16);
    return x ? x + 8 : NULL;
}

static jd_status take_rod(march *m, damper *d, int b) {
    const rod *a = &m->rods[b];
    int n = a->grid.n;
    d->x[b] = with_ghosts(m, n);
    d->x0[b] = with_ghosts(m, n);
    d->x_before[b] = JD_TAKE(m->arena, double, n);
    d->skin[b] = JD_TAKE(m->arena, int, n);
    d->cell[b] = JD_TAKE(m->arena, int, n);
    d->toe[b] = JD_TAKE(m->arena, int, n);
    d->diagonal[b] = JD_TAKE(m->arena, double, n);
    d->other[b] = JD_TAKE(m->arena, bool, n);
    JD_TRY(jd_arena_status(m->arena));
    d->step_rho[b] = a->beta / (2 * m->dt);
    d->rho[b] = a->ratio * a->beta / (2 * m->dt);
    for (int i = 0; i < n; i++) {
        double both =
            a->uneven ? d->step_rho[b] * (a->uneven->left[i] + a->uneven->right[i]) : 2 * d->rho[b];
        d->diagonal[b][i] = 1 + 0.5 * a->alpha * m->dt + both;
        d->skin[b][i] = d->toe[b][i] = -1;
    }
    return JD_OK;
}

jd_status jd_damper_create(march *m) {
    damper *d = m->damper = JD_TAKE(m->arena, damper, 1);
    JD_TRY(jd_arena_status(m->arena));
    d->x = JD_TAKE(m->arena, double *, m->n_rod);
    d->x0 = JD_TAKE(m->arena, double *, m->n_rod);
    d->x_before = JD_TAKE(m->arena, double *, m->n_rod);
    d->was = JD_TAKE(m->arena, double *, m->n_skin);
    d->rho = JD_TAKE(m->arena, double, m->n_rod);
    d->step_rho = JD_TAKE(m->arena, double, m->n_rod);
    d->diagonal = JD_TAKE(m->arena, double *, m->n_rod);
    d->skin = JD_TAKE(m->arena, int *, m->n_rod);
    d->cell = JD_TAKE(m->arena, int *, m->n_rod);
    d->toe = JD_TAKE(m->arena, int *, m->n_rod);
    d->other = JD_TAKE(m->arena, bool *, m->n_rod);
    JD_TRY(jd_arena_status(m->arena));
    for (int b = 0; b < m->n_rod; b++) JD_TRY(take_rod(m, d, b));
    for (int i = 0; i < m->n_toe; i++) d->toe[m->toes[i].a - m->rods][m->toes[i].node] = i;
    for (int s = 0; s < m->n_skin; s++) {
        const skin *k = &m->skins[s];
        d->was[s] = JD_TAKE(m->arena, double, k->n);
        for (int j = 0; j < k->n; j++) {
            d->skin[k->a - m->rods][k->ia + j] = s;
            d->cell[k->a - m->rods][k->ia + j] = j;
            if (k->b) d->other[k->b - m->rods][k->ib + j] = true;
        }
    }
    return jd_arena_status(m->arena);
}

// Copies n numbers to where they are kept, or (back) from there.
static void keep(double *here, double *kept, int n, bool back) {
    memcpy(back ? here : kept, back ? kept : here, (size_t)n * sizeof *here);
}

static void keep_all(march *m, bool back) {
    damper *d = m->damper;
    for (int b = 0; b < m->n_rod; b++) keep(d->x[b], d->x_before[b], m->rods[b].grid.n, back);
    for (int s = 0; s < m->n_skin; s++)
        keep(m->skins[s].state.slide, d->was[s], m->skins[s].n, back);
}

void jd_damper_begin(march *m) { keep_all(m, false); }
void jd_damper_undo(march *m) { keep_all(m, true); }

static void set_ghosts(const rod *a, double *x) {
    x[-1] = a->sign[0] * x[a->mirror[0]];
    x[a->grid.n] = a->sign[1] * x[a->mirror[1]];
}

// The change of a node with its neighbours as they are, without contacts.
static double alone(const march *m, int b, int i) {
    const damper *d = m->damper;
    const uneven *q = m->rods[b].uneven;
    const double *x = d->x[b];
    double pull = q ? d->step_rho[b] * (q->left[i] * x[i - 1] + q->right[i] * x[i + 1])
                    : d->rho[b] * (x[i - 1] + x[i + 1]);
    return (d->x0[b][i] + pull) / d->diagonal[b][i];
}

// Both sides of a cell; returns how far the structure's side moved.
static double settle_cell(march *m, skin *k, int j) {
    damper *d = m->damper;
    int a = (int)(k->a - m->rods), i = k->ia + j, ib = k->ib + j;
    double wa = k->a->weight[i] / d->diagonal[a][i], wb = 0, xa = alone(m, a, i), xb = k->belt;
    double *x = &d->x[a][i], was = *x;
    int b = k->b ? (int)(k->b - m->rods) : -1;
    if (k->b) {
        set_ghosts(k->b, d->x[b]);
        wb = k->b->weight[ib] / d->diagonal[b][ib];
        xb = alone(m, b, ib);
    }
    double w = wa + wb, soft = 0.5 * k->cells->stiffness[j] * w;
    double share = soft > 0 ? soft / (1 + soft) : 1,
           tried = share * (xa - xb + 2 * k->state.stretch_old[j]);
    double most = k->most[j] * k->per[j] * w, hold = k->hold[j] * k->per[j] * w;
    bool holds = fabs(tried) <= (d->was[k - m->skins][j] == 0 ? hold : most);
    double s = holds ? tried : fmin(fmax(tried, -most), most), f = w > 0 ? s / w : 0;
    *x = xa - wa * f;
    if (k->b) d->x[b][ib] = xb + wb * f;
    k->state.slide[j] = holds ? 0 : s > 0 ? 1 : -1;
    k->state.s[j] = k->per[j] > 0 ? f / k->per[j] : 0;
    k->state.d[j] = *x - (k->b ? d->x[b][ib] : xb) + k->state.s[j];
    return fabs(*x - was);
}

// A node above soil, with the friction of its cell; returns how far it moved.
static double settle_toe(march *m, toe *e) {
    damper *d = m->damper;
    skin *k = e->shared;
    int a = (int)(e->a - m->rods), b = k && k->b ? (int)(k->b - m->rods) : -1;
    int j = e->cell, ib = b >= 0 ? k->ib + j : 0;
    double *x = &d->x[a][e->node], was = *x, f, xb = k ? k->belt : 0, wb = 0;
    if (e->a->weight[e->node] == 0) return 0;
    if (b >= 0) {
        set_ghosts(k->b, d->x[b]);
        wb = k->b->weight[ib] / d->diagonal[b][ib];
        xb = alone(m, b, ib);
    }
    *x = jd_toe_change(m, e, alone(m, a, e->node), e->a->weight[e->node] / d->diagonal[a][e->node],
                       xb, wb, k && d->was[k - m->skins][j] == 0, &f);
    if (b >= 0) d->x[b][ib] = xb -= wb * f;
    if (!k) return fabs(*x - was);
    k->state.s[j] = k->per[j] > 0 ? -f / k->per[j] : 0;
    k->state.d[j] = *x - xb + k->state.s[j];
    return fabs(*x - was);
}

static double sweep(march *m, double *largest) {
    damper *d = m->damper;
    double moved = 0;
    for (int b = 0; b < m->n_rod; b++) {
        rod *a = &m->rods[b];
        double *x = d->x[b];
        set_ghosts(a, x);
        for (int i = 0; i < a->grid.n; i++) {
            double was = x[i], by;
            if (d->toe[b][i] >= 0) {
                by = settle_toe(m, &m->toes[d->toe[b][i]]);
            } else if (d->skin[b][i] >= 0) {
                by = settle_cell(m, &m->skins[d->skin[b][i]], d->cell[b][i]);
            } else if (!d->other[b][i]) {
                x[i] = alone(m, b, i);
                by = fabs(x[i] - was);
            } else {
                continue; // with its partner
            }
            if (i < 2 || i >= a->grid.n - 2) set_ghosts(a, x);
            moved = fmax(moved, by);
            *largest = fmax(*largest, fabs(x[i]));
        }
    }
    return moved;
}

static double lost(const march *m, int b) {
    const rod *a = &m->rods[b];
    const double *x = m->damper->x[b];
    double mass = 0, strain = 0;
    int n = a->grid.n;
    for (int i = 0; i < n; i++) mass += a->mass[i] * x[i] * x[i];
    for (int i = 0; i + 1 < n; i++)
        strain += jd_rod_spring(a, i) * (x[i + 1] - x[i]) * (x[i + 1] - x[i]);
    if (a->fixed[0] && a->mirror[0] == 0) strain += 2 * a->spring * x[0] * x[0];
    if (a->fixed[1] && a->mirror[1] == n - 1) strain += 2 * a->spring * x[n - 1] * x[n - 1];
    return (a->alpha * mass + a->beta * strain) / (4 * m->dt);
}

// At rest on soil changes are 0, but for the rounding of forces that balance each other.
static double rounding_of_soil(const march *m) {
    double most = 0;
    for (int i = 0; i < m->n_toe; i++)
        most = fmax(most, m->toes[i].limit * m->toes[i].a->weight[m->toes[i].node]);
    return 16 * DBL_EPSILON * most;
}

void jd_damper_step(march *m) {
    damper *d = m->damper;
    for (int b = 0; b < m->n_rod; b++)
        for (int i = 0; i < m->rods[b].grid.n; i++) d->x0[b][i] = m->rods[b].new[i];
    for (int s = 0; s < m->n_skin; s++)
        if (m->skins[s].cells->moving) jd_skin_limits(&m->skins[s]);
    double floor = rounding_of_soil(m);
    m->unsettled = true;
    for (int i = 0; m->unsettled && i < SWEEPS; i++) {
        double largest = 0, moved = sweep(m, &largest);
        m->unsettled = !(moved <= tolerance * largest + floor);
    }
    if (m->unsettled) return;
    for (int b = 0; b < m->n_rod; b++) {
        rod *a = &m->rods[b];
        for (int i = 0; i < a->grid.n; i++) a->new[i] = d->x[b][i];
        m->damping += lost(m, b);
    }
    for (int s = 0; s < m->n_skin; s++) {
        skin *k = &m->skins[s];
        for (int j = 0; k->soft && j < k->n; j++)
            k->state.stretch_old[j] = jd_skin_stretch(k, j, k->back[j] * k->state.s[j]);
    }
    for (int i = 0; i < m->n_toe; i++)
        if (m->toes[i].a->weight[m->toes[i].node] > 0)
            jd_toe_land(m, &m->toes[i], d->x[m->toes[i].a - m->rods][m->toes[i].node]);
}

// The change of a node must find its way through about rho N^2 sweeps: strong damping on a fine
// grid is more than they carry. What was reached is no solution: the march stays before the step.
jd_status jd_damper_unsettled(const march *m) {
    int b = 0;
    for (int i = 1; i < m->n_rod; i++)
        if (m->damper->step_rho[i] > m->damper->step_rho[b]) b = i;
    const char *name = jd_problem_body(m->run->problem, b)->name;
    jd_fail(m->run->context, JD_NO_CONVERGENCE,
            "the damping of `%s` is too strong for the grid: with stiffness %.4g s and a time step "
            "of %.4g s, the step at t = %.6g did not settle in %d sweeps",
            name[0] ? name : "structure", m->rods[b].beta, m->dt,
            m->origin + (double)m->step * m->dt, SWEEPS);
    jd_fail_where(m->run->context, "%s%s.damping.stiffness", name[0] ? "bodies." : "structure",
                  name);
    jd_fail_hint(m->run->context, "fewer `nodes` or a smaller `stiffness` settle; so strongly "
                                  "damped, a rod hardly carries waves");
    return JD_NO_CONVERGENCE;
}

double *jd_damper_changes(const march *m, int b) { return m->damper->x[b]; }
