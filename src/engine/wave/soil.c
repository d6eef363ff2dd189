// soil.c -- the soil below a node: elastic up to a quake, then plastic, Smith's damping, no pull.
//   Stretch e = u - set. V(e) = k max(e, 0)^2/2. In a step the stretch goes from e- to
//   e+ = min(e- + x, quake), x the node's change over 2 dt; slip = e- + x - e+ is the soil's set.
//     R = (V(e+) - V(e-) + limit slip)/x,    force = -R max(0, 1 + J x/(2 dt))
//   R x is what the spring stores and the soil swallows, to the last digit: the ledger closes, and
//   limit slip >= 0, J R x^2 >= 0. x is the zero of an increasing function:
//     x - a - w (force(x) + friction(x)) = 0
//   Friction of a cell of the same node, after its other side is eliminated: -kappa (x - b + 2 e_c)
//   within its limit; a rigid cell against the ground sticks (x = b) or slides.
#include <math.h>

#include "engine/wave/wave.h"

enum { ROUNDS = 200 };

static double stored(const toe *e, double stretch) {
    return stretch > 0 ? 0.5 * e->spring * stretch * stretch : 0;
}

// Mean static resistance over a change x; *after is the stretch behind it.
static double resistance(const toe *e, double x, double *after) {
    double quake = e->limit / e->spring, from = e->e_old, to = from + x;
    *after = to < quake ? to : fmax(from, quake);
    if (to <= 0 && from <= 0) return 0;
    if (to > 0 && from > 0 && to <= quake) return 0.5 * e->spring * (from + to);
    if (x == 0) return fmin(e->spring * fmax(from, 0), e->limit);
    if (to > quake && from > 0) { // elastic over a share of the way; no difference of large numbers
        double share = fmin(fmax(quake - from, 0) / x, 1);
        return 0.5 * e->spring * (quake + from) * share + e->limit * (1 - share);
    }
    return (stored(e, *after) - stored(e, from) + e->limit * (to - *after)) / x;
}

static double push_back(const toe *e, double x, double dt) {
    double after;
    return -resistance(e, x, &after) * fmax(0, 1 + e->damping * x / (2 * dt));
}

typedef struct balance {
    const toe *e;
    double dt, a, w; // free change, dt^2/m
    double kappa, b; // friction -kappa (x - b) while it holds; kappa 0: none
    double steady;   // friction while it slides [N]
} balance;

static double friction(const balance *q, double x) {
    return q->kappa > 0 ? q->steady - q->kappa * (x - q->b) : q->steady;
}

static double rest(const void *user, double x) {
    const balance *q = user;
    return x - q->a - q->w * (push_back(q->e, x, q->dt) + friction(q, x));
}

// Regula falsi (Illinois), to the last digits.
double jd_rising_zero(double (*f)(const void *, double), const void *user, double start,
                      double wide) {
    double low = start, high = start, here = f(user, start), f_low = here, f_high = here;
    if (here == 0) return start;
    wide = fmax(wide, 1e-300);
    while (f_low > 0) low -= wide, wide *= 2, f_low = f(user, low);
    while (f_high < 0) high += wide, wide *= 2, f_high = f(user, high);
    for (int i = 0, side = 0; i < ROUNDS && high - low > 1e-16 * (fabs(low) + fabs(high)); i++) {
        double x = (low * f_high - high * f_low) / (f_high - f_low);
        if (!(x > low && x < high)) x = 0.5 * (low + high);
        double y = f(user, x);
        if (y == 0) return x;
        if (y > 0) {
            high = x, f_high = y;
            if (side == 1) f_low *= 0.5;
            side = 1;
        } else {
            low = x, f_low = y;
            if (side == -1) f_high *= 0.5;
            side = -1;
        }
    }
    return fabs(f_low) < fabs(f_high) ? low : high;
}

static double solve(const balance *q) { return jd_rising_zero(rest, q, q->a, fabs(rest(q, q->a))); }

// Friction of the node's own cell, together with the change x of the node: the counterpart changes
// by b without it, and gives way by wb [m/N].
static double cell_friction(const march *m, toe *e, balance *q, double b, double wb, bool stuck,
                            double *x) {
    skin *k = e->shared;
    int j = e->cell;
    double stiff = k->cells->stiffness[j], most = k->most[j] * k->per[j], f;
    double hold = stuck ? k->hold[j] * k->per[j] : most;
    q->kappa = q->steady = 0;
    if (stiff > 0 || wb > 0) {
        q->kappa = stiff > 0 ? 0.5 * stiff / (1 + 0.5 * stiff * wb) : 1 / wb;
        q->b = b - 2 * k->state.stretch_old[j];
        *x = solve(q);
        f = friction(q, *x);
        q->kappa = 0;
    } else { // rigid against what does not yield
        *x = b;
        f = (*x - q->a) / q->w - push_back(e, *x, m->dt);
    }
    k->state.slide[j] = fabs(f) <= hold ? 0 : f > 0 ? -1 : 1;
    if (k->state.slide[j] != 0) {
        f = q->steady = f > 0 ? most : -most;
        *x = solve(q);
    }
    return f;
}

// The cell has its friction f; the counterpart's side changes by y with it.
static void keep_cell(const toe *e, double x, double y, double f) {
    skin *k = e->shared;
    int j = e->cell;
    double stiff = k->cells->stiffness[j];
    if (stiff > 0) k->state.stretch_old[j] = jd_skin_stretch(k, j, -2 * f / stiff);
    k->state.s[j] = k->per[j] > 0 ? -f / k->per[j] : 0;
    k->state.d[j] = x - y + k->state.s[j];
}

static void with_cell(const march *m, toe *e, balance *q, double *x) {
    skin *k = e->shared;
    int ib = k->ib + e->cell;
    double wb = k->grounded ? 0 : k->b->weight[ib], b = k->grounded ? k->belt : k->b->new[ib];
    double f = cell_friction(m, e, q, b, wb, k->state.slide[e->cell] == 0, x), y = b - wb * f;
    if (!k->grounded) k->b->new[ib] = y;
    keep_cell(e, *x, k->grounded ? b : y, f);
}

// The cell lies across nodes that other cells of the contact touch too: both in turn.
static bool with_crossing(const march *m, toe *e, balance *q, double *x) {
    skin *k = e->shared;
    const meeting *at = &k->cross->at[e->cell];
    double f = -k->state.s[e->cell] * k->per[e->cell], wb = 0;
    bool stuck = k->cross->was[e->cell] == 0;
    for (int i = 0; i < at->n; i++) wb += at->share[i] * at->share[i] * k->b->weight[at->node + i];
    for (int round = 0; round < ROUNDS; round++) {
        if (!jd_cross_step(k, f, e->cell)) return false;
        double b = jd_cross_seen(k, e->cell, k->cross->x) + wb * f;
        double next = at->n ? cell_friction(m, e, q, b, wb, stuck, x) : 0;
        if (at->n == 0) *x = solve(q);
        bool same = fabs(next - f) <= 1e-15 * (fabs(f) + fabs(next));
        if (same || round == ROUNDS - 1) {
            jd_cross_end(k);
            keep_cell(e, *x, b - wb * f, f);
            return same || fabs(next - f) <= 1e-9 * (fabs(f) + fabs(next));
        }
        f = next;
    }
    return false;
}

// The change x of the toe's node is known: force, stretch and loss of the soil.
void jd_toe_land(const march *m, toe *e, double x) {
    double after;
    e->force_before = e->force;
    e->change_before = e->change;
    e->force = push_back(e, x, m->dt);
    resistance(e, x, &after);
    e->loss += -0.5 * e->force * x - 0.5 * (stored(e, after) - stored(e, e->e_old));
    e->impulse += e->force * m->dt;
    e->change = x;
    e->e_old = after;
    if (e->shared && m->audited) jd_audit_cell(e->shared, e->cell);
}

double jd_toe_change(const march *m, toe *e, double a, double w, double b, double wb, bool stuck,
                     double *friction_force) {
    balance q = {.e = e, .dt = m->dt, .a = a, .w = w};
    double x;
    *friction_force = 0;
    if (!e->shared) return solve(&q);
    *friction_force = cell_friction(m, e, &q, b, wb, stuck, &x);
    return x;
}

void jd_toe_step(march *m, toe *e) {
    rod *r = e->a;
    double x = 0;
    balance q = {.e = e, .dt = m->dt, .a = r->new[e->node], .w = r->weight[e->node]};
    if (q.w == 0) return; // on a support
    if (e->shared && e->shared->cross)
        m->unsettled = !with_crossing(m, e, &q, &x);
    else if (e->shared)
        with_cell(m, e, &q, &x);
    else
        x = solve(&q);
    if (m->unsettled) return;
    r->new[e->node] = x;
    jd_toe_land(m, e, x);
}
