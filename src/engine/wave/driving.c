// driving.c -- observer: energy delivered, driving forces, friction that is stuck and mobilised.
//   Axial force of the cell between two nodes from its waves (ledger.c): N = EA/h (p - q)/2,
//   tension positive; at an end it is what acts there from outside.
#include "engine/wave/driving.h"

#include <math.h>

#include "drive/kind.h"
#include "engine/wave/wave.h"

struct driving {
    double **tension, **compression; // of each rod: cell i between nodes i and i + 1, so far [N]
    double **at_node[2];             // of each rod: both, at nodes
    double worked;                   // of all pulses when begun anew [J]
    double stuck, steps;             // sums over steps
    jd_driving now;
};

static double cell_force(const rod *a, int i) {
    double p = a->u[i + 1] - a->old[i], q = a->u[i] - a->old[i + 1];
    return 0.5 * a->spring * (p - q);
}

jd_status jd_driving_create(jd_run *run, march *m, struct driving **out) {
    struct driving *d = *out = JD_TAKE(run->arena, struct driving, 1);
    JD_TRY(jd_arena_status(run->arena));
    double ***list[] = {&d->tension, &d->compression, &d->at_node[0], &d->at_node[1]};
    for (int k = 0; k < 4; k++) {
        *list[k] = JD_TAKE(run->arena, double *, m->n_rod);
        JD_TRY(jd_arena_status(run->arena));
        for (int b = 0; b < m->n_rod; b++)
            (*list[k])[b] = JD_TAKE(run->arena, double, m->rods[b].grid.n);
    }
    return jd_arena_status(run->arena);
}

// Work of blows: weight and other lasting loads are not the hammer's.
static double work_of(const march *m) {
    double sum = 0;
    for (int i = 0; i < m->n_push; i++)
        if (m->pushes[i].object->type == &jd_drive_pulse) sum += m->pushes[i].work;
    return sum;
}

// Limits of a contact, those of them that are stuck, and its force.
static void add_skin(const skin *k, double *limit, double *stuck, double *force) {
    for (int j = 0; j < k->n; j++) {
        double most = k->most[j] * k->per[j];
        *limit += most;
        *force -= k->state.s[j] * k->per[j];
        if (fabs(k->state.s[j]) < k->most[j]) *stuck += most;
    }
}

void jd_driving_feed(struct driving *d, const march *m) {
    jd_driving *now = &d->now;
    double limit = 0, stuck = 0, force = 0;
    for (int b = 0; b < m->n_rod; b++)
        for (int i = 0; i + 1 < m->rods[b].grid.n; i++) {
            double n = cell_force(&m->rods[b], i);
            d->tension[b][i] = fmax(d->tension[b][i], n);
            d->compression[b][i] = fmax(d->compression[b][i], -n);
            now->tension = fmax(now->tension, n);
            now->compression = fmax(now->compression, -n);
        }
    for (int i = 0; i < m->n_skin; i++) add_skin(&m->skins[i], &limit, &stuck, &force);
    if (limit > 0) d->stuck += stuck / limit, d->steps++;
    for (int i = 0; i < m->n_toe; i++) force += m->toes[i].force;
    now->mobilised = fmax(now->mobilised, fabs(force));
    now->delivered = fmax(now->delivered, work_of(m) - d->worked);
}

// Length of a contact as far as it is in.
static double embedded(const skin *k) {
    const jd_grid *g = &k->a->grid;
    double sum = 0;
    for (int j = 0; j < k->n; j++) {
        double z = k->cells->position[j], by = k->cells->moving ? k->field.displacement[j] : 0;
        double low = fmax(z - 0.5 * g->step, 0) + by,
               high = fmin(z + 0.5 * g->step, k->cells->to) + by;
        sum += fmax(high - fmax(low, k->cells->from), 0);
    }
    return sum;
}

static wave *of(jd_run *run) { return run->class == &jd_engine_wave ? run->state : NULL; }

static wave *tracked(jd_run *run) {
    wave *w = of(run);
    return w && w->driving ? w : NULL;
}

bool jd_wave_driving(jd_run *run, bool anew, jd_driving *out) {
    wave *w = tracked(run);
    if (!w) return false;
    struct driving *d = w->driving;
    const march *m = w->fine;
    double limit = 0, stuck = 0, force = 0;
    *out = d->now;
    for (int i = 0; i < m->n_skin; i++) add_skin(&m->skins[i], &limit, &stuck, &force);
    for (int i = 0; i < m->n_toe; i++) limit += m->toes[i].limit;
    out->resistance = limit;
    out->embedded = 0;
    for (int c = 0; c < jd_problem_contacts(run->problem); c++) {
        jd_interface_field field; // fills the displacements of its cells
        if (m->skin_of[c] < 0 || !jd_wave_interface(run, c, &field)) continue;
        out->embedded = fmax(out->embedded, embedded(&m->skins[m->skin_of[c]]));
    }
    out->stuck = d->steps > 0 ? d->stuck / d->steps : 1;
    if (!anew) return true;
    d->now = (jd_driving){0};
    d->worked = work_of(m);
    d->stuck = d->steps = 0;
    return true;
}

bool jd_wave_extremes(jd_run *run, int body, int *n, const double **tension,
                      const double **compression) {
    wave *w = tracked(run);
    if (!w) return false;
    double *const cell[] = {w->driving->tension[body], w->driving->compression[body]};
    *n = w->fine->rods[body].grid.n;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < *n; i++) {
            double left = i > 0 ? cell[k][i - 1] : 0, right = i + 1 < *n ? cell[k][i] : 0;
            w->driving->at_node[k][body][i] = fmax(left, right);
        }
    *tension = w->driving->at_node[0][body];
    *compression = w->driving->at_node[1][body];
    return true;
}

// What acts on a node from outside: forces at points, soil, friction.
static double outside(const march *m, const rod *a, int node) {
    double sum = 0;
    for (int i = 0; i < m->n_push; i++) {
        const push *p = &m->pushes[i];
        if (!p->along && p->a == a && p->first == node) sum += p->force;
    }
    for (int i = 0; i < m->n_toe; i++)
        if (m->toes[i].a == a && m->toes[i].node == node) sum += m->toes[i].force;
    for (int i = 0; i < m->n_skin; i++) {
        const skin *k = &m->skins[i];
        int cell = node - k->ia;
        if (k->a == a && cell >= 0 && cell < k->n) sum -= k->state.s[cell] * k->per[cell];
    }
    return sum;
}

bool jd_wave_axial(jd_run *run, int body, double position, double *force, double *impedance) {
    wave *w = of(run);
    if (!w) return false;
    const rod *a = &w->fine->rods[body];
    int n = a->grid.n, i = (int)lround((position - a->grid.first) / a->grid.step);
    i = i < 0 ? 0 : i >= n ? n - 1 : i;
    *impedance = sqrt(a->stiffness * a->density);
    if (i == 0 && !a->fixed[0])
        *force = -outside(w->fine, a, 0);
    else if (i == n - 1 && !a->fixed[1])
        *force = outside(w->fine, a, i);
    else
        *force = 0.5 * (cell_force(a, i > 0 ? i - 1 : 0) + cell_force(a, i + 1 < n ? i : n - 2));
    return true;
}

bool jd_wave_mobilised(jd_run *run, int contact, double *stuck, double *mobilised) {
    wave *w = of(run);
    if (!w || w->fine->skin_of[contact] < 0) return false;
    const skin *k = &w->fine->skins[w->fine->skin_of[contact]];
    double limit = 0, force = 0, held = 0;
    add_skin(k, &limit, &held, &force);
    *stuck = limit > 0 ? held / limit : 1;
    *mobilised = limit > 0 ? fabs(force) / limit : 0;
    return true;
}
