// look.c -- the motion of a march at a time: displacements, velocities, contact and axial forces.
//   A step from t_n to t_n+1 knows, centred at t_n:
//     v_i = (u_i(t_n+1) - u_i(t_n-1))/(2 dt),   f_i = -s_i/(dt^2 W),   P: mean over t_n -+ dt
//     N_i = EA (u_{i+1}(t_n) - u_{i-1}(t_n))/(2 h)
//   all of one of the two motions that the grid carries side by side (ledger.c). The march is one
//   step ahead, so that a time lies `back` steps before t_n, 0 <= back <= 1: straight lines between
//   t_n-1 and t_n, for which the step before is kept. N_i has friction and loads along spans on
//   both sides of its node; at an end it is the balance of the end node's cell, of width w:
//     N(end) = -+ (forces at the end itself)              free
//     N(end) = N(w) +- (int_0^w (b + friction) dz - m_end u''_end)     fixed
#include <math.h>

#include "base/param_tools.h"
#include "engine/wave/wave.h"

static const double grain = 1e-8; // of a step: nearer times are those of the step

double jd_march_back(const march *m, double t) {
    double back = (double)(m->step - 1) - (t - m->origin) / m->dt;
    if (back < grain) return 0; // before the first step all levels are alike
    return back > 1 - grain ? 1 : back;
}

// Displacement and velocity of a node.
static double place(const rod *a, int i, double back) {
    return a->old[i] + back * (a->new[i] - a->old[i]);
}

static double speed(const rod *a, int i, double back, double dt) {
    double now = a->u[i] - a->new[i];
    if (back == 0) return now / (2 * dt);
    return (now + back * ((a->old[i] - a->past[i]) - now)) / (2 * dt);
}

void jd_look_probes(const march *m, double t, double *u, double *v) {
    double back = jd_march_back(m, t);
    for (int k = 0; k < m->n_probe; k++) {
        const probe *p = &m->probes[k];
        int i = p->node;
        u[k] = place(p->a, i, back), v[k] = speed(p->a, i, back, m->dt);
        if (p->weight == 0) continue;
        u[k] += p->weight * (place(p->a, i + 1, back) - u[k]);
        v[k] += p->weight * (speed(p->a, i + 1, back, m->dt) - v[k]);
    }
}

void jd_look_node(const march *m, const rod *a, int i, double back, double *u, double *v) {
    *u = place(a, i, back);
    *v = speed(a, i, back, m->dt);
}

// ---- contacts

// Displacement of what a cell works against.
static double counter(const march *m, const skin *k, int j, double back) {
    if (k->cross)
        return (1 - back) * jd_cross_seen(k, j, k->b->old) + back * jd_cross_seen(k, j, k->b->new);
    if (!k->grounded) return place(k->b, k->ib + j, back);
    return 0.5 * k->belt * fmax((double)(m->step - 1) - back, 0);
}

void jd_look_cell(const march *m, const skin *k, int j, double back, double *u, double *v,
                  double *force) {
    const skin_state *c = &k->state;
    double change = c->d[j] - c->s[j], before = c->d_before[j] - c->s_before[j];
    *u = place(k->a, k->ia + j, back) - counter(m, k, j, back);
    *v = (change + back * (before - change)) / (2 * m->dt);
    *force = -k->per[j] * (c->s[j] + back * (c->s_before[j] - c->s[j]));
}

static void look_toe(const march *m, const toe *e, double back, double *u, double *v,
                     double *force) {
    *u = place(e->a, e->node, back);
    *v = (e->change + back * (e->change_before - e->change)) / (2 * m->dt);
    *force = e->force + back * (e->force_before - e->force);
}

static void look_bumper(const march *m, const bumper *b, double back, double *u, double *v,
                        double *force) {
    const stop_side *q = b->side;
    *u = place(q[0].a, q[0].node, back) - (q[1].a ? place(q[1].a, q[1].node, back) : 0);
    *v = (b->change + back * (b->change_before - b->change)) / (2 * m->dt);
    *force = b->force + back * (b->force_before - b->force);
}

// Mean relative motion of the cells of a contact, and its force as a whole.
void jd_look_contact(const march *m, int contact, double back, double *u, double *v,
                     double *force) {
    *u = *v = *force = 0;
    if (m->toe_of[contact] >= 0) {
        look_toe(m, &m->toes[m->toe_of[contact]], back, u, v, force);
        return;
    }
    if (m->bumper_of[contact] >= 0) {
        look_bumper(m, &m->bumpers[m->bumper_of[contact]], back, u, v, force);
        return;
    }
    const skin *k = &m->skins[m->skin_of[contact]];
    for (int j = 0; j < k->n; j++) {
        double x, y, f;
        jd_look_cell(m, k, j, back, &x, &y, &f);
        *u += x / k->n, *v += y / k->n, *force += f;
    }
}

// ---- axial forces

// The state of a rod at t_n (before: t_n-1), n the last step but one.
typedef struct level {
    const march *m;
    const rod *a;
    bool before;
    const double *next, *here, *last; // u at t_n+1, t_n, t_n-1
} level;

static level level_of(const march *m, const rod *a, bool before) {
    if (before) return (level){m, a, true, a->old, a->new, a->past};
    return (level){m, a, false, a->u, a->old, a->new};
}

// Displacement of a node or ghost, and EA (strain + beta strain rate) between two of them.
static double at(const rod *a, const double *u, int i) {
    if (i < 0) return a->sign[0] * u[a->mirror[0]];
    if (i >= a->grid.n) return a->sign[1] * u[a->mirror[1]];
    return u[i];
}

static double between(const level *l, int i, int j) {
    const rod *a = l->a;
    double strain = at(a, l->here, j) - at(a, l->here, i);
    if (a->beta > 0)
        strain += a->beta / (2 * l->m->dt) *
                  (at(a, l->next, j) - at(a, l->last, j) - at(a, l->next, i) + at(a, l->last, i));
    if (!a->uneven) return a->spring * strain / (j - i);
    double k = a->uneven->spring[i]; // two springs in series
    for (int s = i + 1; s < j; s++) k = 1 / (1 / k + 1 / a->uneven->spring[s]);
    return k * strain;
}

static double friction_of(const skin *k, int j, bool before) {
    return -k->per[j] * (before ? k->state.s_before : k->state.s)[j];
}

// Friction of a cell along a span; at a held node it is not known and taken, per length, from the
// next cell.
static double span_friction(const skin *k, int j, bool before) {
    int next = j + 1 < k->n ? j + 1 : j - 1;
    if (k->per[j] > 0 || k->n < 2 || !(k->field.length[next] > 0)) return friction_of(k, j, before);
    return friction_of(k, next, before) * k->field.length[j] / k->field.length[next];
}

// Forces on an end node: at points, or along spans (over its whole cell).
static double at_point(const level *l, int node) {
    double sum = 0;
    for (int i = 0; i < l->m->n_push; i++) {
        const push *p = &l->m->pushes[i];
        if (!p->along && p->a == l->a && p->first == node)
            sum += l->before ? p->force_before : p->force;
    }
    for (int i = 0; i < l->m->n_toe; i++) {
        const toe *e = &l->m->toes[i];
        if (e->a == l->a && e->node == node) sum += l->before ? e->force_before : e->force;
    }
    for (int i = 0; i < l->m->n_bumper; i++)
        for (int j = 0; j < 2; j++) {
            const bumper *b = &l->m->bumpers[i];
            double f = l->before ? b->force_before : b->force;
            if (b->side[j].a == l->a && b->side[j].node == node) sum += j ? -f : f;
        }
    for (int i = 0; i < l->m->n_skin; i++) {
        const skin *k = &l->m->skins[i];
        if (k->cells->from < k->cells->to) continue;
        if (k->a == l->a && k->ia == node) sum += friction_of(k, 0, l->before);
        if (k->b == l->a && k->ib == node) sum -= friction_of(k, 0, l->before);
    }
    return sum;
}

static double along_span(const level *l, int node, double low, double high) {
    double sum = 0;
    for (int i = 0; i < l->m->n_push; i++) {
        const push *p = &l->m->pushes[i];
        if (!p->along || p->a != l->a) continue;
        const jd_drive_place *d = p->object->def;
        double from = fmax(low, d->at.from) - d->at.from, to = fmin(high, d->at.to) - d->at.from;
        if (from < to)
            sum += (l->before ? p->force_before : p->force) *
                   jd_profile_between(&d->profile, from, to);
    }
    for (int i = 0; i < l->m->n_skin; i++) {
        const skin *k = &l->m->skins[i];
        if (k->cells->from == k->cells->to) continue;
        for (int j = 0; j < k->n; j++) {
            if (k->a == l->a && k->ia + j == node) sum += span_friction(k, j, l->before);
            meeting met = jd_skin_meets(k, j);
            if (k->b == l->a && node >= met.node && node < met.node + met.n)
                sum -= met.share[node - met.node] * friction_of(k, j, l->before);
        }
    }
    return sum;
}

static double end_force(const level *l, int end) {
    const rod *a = l->a;
    int n = a->grid.n, i = end ? n - 1 : 0;
    double sign = end ? 1 : -1, h = a->grid.step, dt = l->m->dt;
    if (a->uneven) h = fabs(a->grid.at[i] - a->grid.at[end ? n - 2 : 1]);
    if (!a->fixed[end]) return sign * at_point(l, i);
    double width = a->mirror[end] == i ? h : 0.5 * h, length = a->grid.length;
    double load = along_span(l, i, end ? length - width : 0, end ? length : width);
    double inertia =
        width < h ? 0 : a->mass[i] * (l->next[i] - 2 * l->here[i] + l->last[i]) / (dt * dt);
    double inner = n < 2 ? 0 : end ? between(l, n - 2, n - 1) : between(l, 0, 1);
    return inner + sign * (inertia - load);
}

static double node_force(const level *l, int i) {
    const rod *a = l->a;
    if (i == 0 && a->mirror[0] != 0) return end_force(l, 0);
    if (i == a->grid.n - 1 && a->mirror[1] != i) return end_force(l, 1);
    return between(l, i - 1, i + 1);
}

static double axial(const level *l, double x) {
    const jd_grid *g = &l->a->grid;
    double first = g->first, last = jd_grid_at(g, g->n - 1), slack = 1e-6 * g->step;
    if (x <= slack) return end_force(l, 0);
    if (x >= g->length - slack) return end_force(l, 1);
    if (x <= first) return end_force(l, 0) + x / first * (node_force(l, 0) - end_force(l, 0));
    if (x >= last) {
        double end = end_force(l, 1), share = (x - last) / (g->length - last);
        return end + (1 - share) * (node_force(l, g->n - 1) - end);
    }
    double at = jd_grid_place(g, x);
    int i = (int)at;
    if (i > g->n - 2) i = g->n - 2;
    double share = at - i, left = node_force(l, i);
    return left + share * (node_force(l, i + 1) - left);
}

double jd_look_axial_node(const march *m, const rod *a, int node) {
    level l = level_of(m, a, false);
    return node_force(&l, node);
}

double jd_look_axial(const march *m, const rod *a, double position, double back) {
    level now = level_of(m, a, false), before = level_of(m, a, true);
    double n = axial(&now, position);
    return back == 0 ? n : n + back * (axial(&before, position) - n);
}
