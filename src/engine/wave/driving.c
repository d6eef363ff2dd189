// driving.c -- observer: energy delivered, driving forces, friction that is stuck and mobilised.
//   Axial forces are those of look.c, tension positive.
#include "engine/driving.h"

#include <math.h>

#include "base/clones.h"
#include "drive/kind.h"
#include "engine/wave/wave.h"

struct driving {
    double **tension, **compression; // of each rod: at nodes, so far [N]
    double worked;                   // of all pulses when begun anew [J]
    double stuck, steps;             // sums over steps
    jd_driving now;
};

jd_status jd_driving_create(jd_run *run, march *m, struct driving **out) {
    struct driving *d = *out = JD_TAKE(run->arena, struct driving, 1);
    JD_TRY(jd_arena_status(run->arena));
    double ***list[] = {&d->tension, &d->compression};
    for (int k = 0; k < 2; k++) {
        *list[k] = JD_TAKE(run->arena, double *, m->n_rod);
        JD_TRY(jd_arena_status(run->arena));
        for (int b = 0; b < m->n_rod; b++)
            (*list[k])[b] = JD_TAKE(run->arena, double, m->rods[b].grid.n);
    }
    return jd_arena_status(run->arena);
}

// Work of blows, by pulses and by hammers: weight and other lasting loads are not the hammer's.
static double work_of(const march *m) {
    double sum = 0;
    for (int i = 0; i < m->n_push; i++)
        if (m->pushes[i].object->type == &jd_drive_pulse) sum += m->pushes[i].work;
    for (int i = 0; i < m->n_bumper; i++)
        if (m->bumpers[i].struck >= 0) sum += m->bumpers[i].work;
    return sum;
}

// Limits of a contact, those of them that are stuck, and its force.
static void add_skin(const skin *k, double *limit, double *stuck, double *force) {
    for (int j = 0; j < k->n; j++) {
        double most = k->most[j] * k->per[j];
        *limit += most;
        *force -= k->state.s[j] * k->per[j];
        if (k->state.audited[j] == 0) *stuck += most;
    }
}

// Nodes between the ends of an undamped rod: N = EA (u_{i+1} - u_{i-1})/(2 h).
JD_CLONES("avx2")
static void feed_inner(int n, double half, const double *restrict u, double *restrict stretch,
                       double *restrict squeeze, double *restrict force) {
    for (int i = 1; i < n - 1; i++) {
        double x = half * (u[i + 1] - u[i - 1]);
        force[i] = x;
        stretch[i] = x > stretch[i] ? x : stretch[i];
        squeeze[i] = -x > squeeze[i] ? -x : squeeze[i];
    }
}

static void feed_rod(struct driving *d, const march *m, int b) {
    const rod *a = &m->rods[b];
    int n = a->grid.n;
    double *force = a->velocity, most = 0, least = 0; // scratch: fields fill it anew
    bool plain = a->beta == 0 && !a->uneven;
    if (plain) feed_inner(n, 0.5 * a->spring, a->old, d->tension[b], d->compression[b], force);
    for (int i = 0; i < n; i++) {
        if (plain && i > 0 && i < n - 1) continue;
        double x = force[i] = jd_look_axial_node(m, a, i);
        d->tension[b][i] = fmax(d->tension[b][i], x);
        d->compression[b][i] = fmax(d->compression[b][i], -x);
    }
    for (int i = 0; i < n; i++) {
        most = force[i] > most ? force[i] : most;
        least = force[i] < least ? force[i] : least;
    }
    d->now.tension = fmax(d->now.tension, most);
    d->now.compression = fmax(d->now.compression, -least);
}

void jd_driving_feed(struct driving *d, const march *m) {
    jd_driving *now = &d->now;
    double limit = 0, stuck = 0, force = 0;
    for (int b = 0; b < m->n_rod; b++) feed_rod(d, m, b);
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
        if (g->at) {
            low = jd_grid_left(g, k->ia + j) + by;
            high = fmin(jd_grid_right(g, k->ia + j), k->cells->to) + by;
        }
        sum += fmax(high - fmax(low, k->cells->from), 0);
    }
    return sum;
}

static wave *tracked(jd_run *run) {
    wave *w = run->state;
    return w->driving ? w : NULL;
}

static bool numbers(jd_run *run, bool anew, jd_driving *out) {
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

static bool extremes(jd_run *run, int body, int *n, const double **tension,
                     const double **compression) {
    wave *w = tracked(run);
    if (!w) return false;
    *n = w->fine->rods[body].grid.n;
    *tension = w->driving->tension[body];
    *compression = w->driving->compression[body];
    return true;
}

static bool axial(jd_run *run, int body, double position, double *force, double *impedance) {
    const march *m = ((wave *)run->state)->fine;
    const rod *a = &m->rods[body];
    *impedance = jd_rod_impedance(a, position);
    *force = jd_look_axial(m, a, position, jd_march_back(m, run->t));
    return true;
}

static bool mobilised(jd_run *run, int contact, double *stuck, double *mobilised) {
    const march *m = ((wave *)run->state)->fine;
    if (m->skin_of[contact] < 0) return false;
    const skin *k = &m->skins[m->skin_of[contact]];
    double limit = 0, force = 0, held = 0;
    add_skin(k, &limit, &held, &force);
    *stuck = limit > 0 ? held / limit : 1;
    *mobilised = limit > 0 ? fabs(force) / limit : 0;
    return true;
}

static int hammer(jd_run *run) {
    const march *m = ((wave *)run->state)->fine;
    for (int i = 0; i < m->n_bumper; i++)
        if (m->bumpers[i].struck >= 0) return m->bumpers[i].contact;
    return -1;
}

const jd_engine_driving jd_wave_driving = {numbers, extremes, axial, mobilised, hammer};
