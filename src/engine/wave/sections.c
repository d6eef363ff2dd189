// sections.c -- rods of sections: each crossed in whole time steps, so that steps lie on nodes.
//   Nodes are even in time, not in place: h = c dt in each section. A node at a step has half a
//   mass of both sides,
//     u(t + dt) = 2 (Z_a u_{i-1} + Z_b u_{i+1})/(Z_a + Z_b) - u(t - dt) + w f
//   which is d'Alembert's solution with its reflection and transmission. Where a section's time is
//   no whole number of steps its h is the next longer one that is, lambda = (c dt/h)^2 < 1:
//     right = 2 lambda_b m_b/(m_a + m_b),   left = 2 lambda_a m_a/(m_a + m_b),   m = rho A h
//     change = left (u_{i-1} - old) + right (u_{i+1} - old) + (2 - left - right) (u - old)
//   as on an even rod of another wave speed (grid.c), with the same error in it.
#include <math.h>

#include "engine/wave/wave.h"
#include "structure/classes.h"

static const double fit = 1e-9; // of the number of steps: what rounding of given lengths may do

const jd_stepped_rod_def *jd_wave_stepped(const jd_object *body) {
    return body->type == &jd_stepped_rod_class.type ? body->def : NULL;
}

static double from_of(const jd_stepped_rod_def *d, int i) {
    return i > 0 ? d->steps.value[i - 1] : 0;
}

static double length_of(const jd_stepped_rod_def *d, int i) {
    return (i < d->steps.n ? d->steps.value[i] : d->length) - from_of(d, i);
}

static double time_of(const jd_stepped_rod_def *d, int i) {
    return length_of(d, i) * sqrt(d->mass_per_length.value[i] / d->axial_stiffness.value[i]);
}

double jd_sections_time(const jd_stepped_rod_def *d) {
    double sum = 0;
    for (int i = 0; i <= d->steps.n; i++) sum += time_of(d, i);
    return sum;
}

static int steps_of(const jd_stepped_rod_def *d, int i, double dt) {
    return (int)floor(time_of(d, i) / dt * (1 + fit));
}

int jd_sections_nodes(const jd_stepped_rod_def *d, double dt) {
    int n = 1;
    for (int i = 0; i <= d->steps.n; i++) {
        int steps = steps_of(d, i, dt);
        if (steps < 1) return 0;
        n += steps;
    }
    return n;
}

jd_status jd_sections_place(jd_arena *arena, const jd_stepped_rod_def *d, double dt, jd_grid *g) {
    double *at = JD_TAKE(arena, double, g->n);
    JD_TRY(jd_arena_status(arena));
    g->at = at;
    for (int i = 0, node = 0; i <= d->steps.n; i++) {
        int steps = steps_of(d, i, dt);
        double h = length_of(d, i) / steps;
        for (int j = 0; j < steps; j++) at[node++] = from_of(d, i) + j * h;
        g->step = fmin(g->step, h);
    }
    at[g->n - 1] = d->length;
    return JD_OK;
}

// Springs of a section, and its half of the masses at the nodes it reaches.
static void fill_section(rod *a, int i, int first, int steps, double dt) {
    const jd_stepped_rod_def *d = a->uneven->def;
    double h = length_of(d, i) / steps, mass = d->mass_per_length.value[i] * h;
    double spring = d->axial_stiffness.value[i] / h, ratio = dt * dt * spring / mass;
    if (fabs(ratio - 1) <= 2 * fit) ratio = 1; // on its characteristics
    for (int j = first; j < first + steps; j++) {
        a->uneven->spring[j] = spring;
        for (int k = j; k <= j + 1; k++) {
            a->mass[k] += 0.5 * mass;
            a->uneven->lag[k] += 0.5 * (1 - ratio) * mass;
        }
    }
}

jd_status jd_sections_plan(march *m, rod *a, const jd_stepped_rod_def *def) {
    int n = a->grid.n;
    uneven *q = a->uneven = JD_TAKE(m->arena, uneven, 1);
    JD_TRY(jd_arena_status(m->arena));
    *q = (uneven){.def = def};
    double **all[] = {&q->spring, &q->left, &q->right, &q->rest, &q->lag};
    for (int i = 0; i < 5; i++) *all[i] = JD_TAKE(m->arena, double, n);
    JD_TRY(jd_arena_status(m->arena));
    for (int i = 0, first = 0; i <= def->steps.n; i++) {
        int steps = steps_of(def, i, m->dt);
        fill_section(a, i, first, steps, m->dt);
        first += steps;
    }
    for (int i = 0; i < n; i++) { // beyond an end its mirror image
        double per = m->dt * m->dt / a->mass[i], before = q->spring[i > 0 ? i - 1 : 0];
        double behind = q->spring[i < n - 1 ? i : n - 2], half = i > 0 && i < n - 1 ? 1 : 0.5;
        q->left[i] = half * per * before;
        q->right[i] = half * per * behind;
        q->rest[i] = 2 * q->lag[i] / a->mass[i];
        if (q->rest[i] == 0) q->left[i] = 2 - q->right[i];
    }
    a->ratio = 1;
    return JD_OK;
}

double jd_rod_impedance(const rod *a, double position) {
    if (!a->uneven) return sqrt(a->stiffness * a->density);
    const jd_stepped_rod_def *d = a->uneven->def;
    int i = 0;
    while (i < d->steps.n && position > d->steps.value[i]) i++;
    return sqrt(d->axial_stiffness.value[i] * d->mass_per_length.value[i]);
}
