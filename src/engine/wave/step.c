// step.c -- one step of dt on all grids: d'Alembert's formula, loads, friction cell by cell.
//   The loops that matter are straight lines over arrays, made for vector registers.
//   x = (u_{i+1} - old_i) + (u_{i-1} - old_i) is the change over 2 dt: differences of neighbours
//   are exact, so that rounding is of the change, not of the displacement, and what rests stays at
//   rest to the last bit. Where loads, soil or slow contacts work, `new` holds the change until it
//   lands. Centred:      s = clamp(d)                                       d: change over 2 dt
//   Jenkins:      s = clamp(give (d + 2 e-)),  e+ = back s - e-      e: stretch of the spring
//   trapezoidal:  s = half- + half+,  half+ = clamp(d+ - half-, +-most/2),  d+: change over dt
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "engine/wave/wave.h"

#define CLONES JD_CLONES("avx2")
#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

// The difference is exact: one rounding.
CLONES static void go_free(int n, const double *restrict u, const double *restrict old,
                           double *restrict new) {
    for (int i = 0; i < n; i++) new[i] = u[i - 1] + (u[i + 1] - old[i]);
}

static void go_change(int n, const double *restrict u, const double *restrict old,
                      double *restrict new) {
    for (int i = 0; i < n; i++) new[i] = (u[i + 1] - old[i]) + (u[i - 1] - old[i]);
}

// Off its characteristics, lambda = ratio < 1: change = lambda (change on them) + (1 - lambda) 2 (u
// - old), exact for long waves only.
static void slow_rod(rod *a) {
    for (int i = 0; i < a->grid.n; i++) {
        double x = (a->u[i + 1] - a->old[i]) + (a->u[i - 1] - a->old[i]);
        a->new[i] = a->ratio *x + 2 * (1 - a->ratio) * (a->u[i] - a->old[i]);
    }
}

// A rod of sections; changes, all nodes.
static void uneven_rod(rod *a) {
    const uneven *q = a->uneven;
    for (int i = 0; i < a->grid.n; i++) {
        double old = a->old[i];
        a->new[i] = q->left[i] * (a->u[i - 1] - old) + q->right[i] * (a->u[i + 1] - old) +
                    q->rest[i] * (a->u[i] - old);
    }
}

// All nodes but those that a contact's own loop takes along.
static void free_rod(rod *a) {
    int n = a->grid.n;
    a->u[-1] = a->sign[0] * a->u[a->mirror[0]];
    a->u[n] = a->sign[1] * a->u[a->mirror[1]];
    if (!jd_rod_even(a)) {
        (a->uneven ? uneven_rod : slow_rod)(a);
        return;
    }
    for (int i = 0; i < a->n_range; i++) {
        int from = a->range[i].from;
        (a->range[i].worked ? go_change : go_free)(a->range[i].to - from, a->u + from,
                                                   a->old + from, a->new + from);
    }
}

// The load of a step is small beside displacements that have gone far, and at rest it is rounded
// the same way in every step: what rounding takes off a change is put on in the next step.
static void land_whole(int n, const double *restrict old, double *restrict lost,
                       double *restrict new) {
    for (int j = 0; j < n; j++) {
        double change = new[j] + lost[j], at = old[j] + change;
        lost[j] = change - (at - old[j]);
        new[j] = at;
    }
}

// Changes become places.
static void land(rod *a) {
    for (int i = 0; i < a->n_range; i++) {
        int from = a->range[i].from, to = a->range[i].to;
        if (a->range[i].worked && a->lost)
            land_whole(to - from, a->old + from, a->lost + from, a->new + from);
        for (int j = from; a->range[i].worked && !a->lost && j < to; j++) a->new[j] += a->old[j];
    }
}

INLINE double clamp(double x, double most) {
    double y = x < most ? x : most;
    return y > -most ? y : -most;
}
INLINE double one_if(bool x) { return x ? 1.0 : 0.0; }
INLINE double side(double x, double most) { return one_if(x > most) - one_if(x < -most); }

// Slip below this is rounding: of the limit's own change, and of the displacements it is a
// difference of. A cell at rest on its limit is stuck.
static const double still = 1e-9, noise = 64 * DBL_EPSILON;

// The arrays of a contact, as arguments: only there `restrict` survives inlining.
typedef const double *restrict input;
typedef double *restrict output;

// d'Alembert's formula and rigid friction in one loop. What audits need is kept when they ask.
INLINE void glide(int n, double belt, input ua, input oa, input ub, input ob, input ra, input rb,
                  input most, output na, output nb, output ss, output dd, bool pair, bool kept) {
    for (int j = 0; j < n; j++) {
        double xa = (ua[j + 1] - oa[j]) + (ua[j - 1] - oa[j]);
        double xb = pair ? (ub[j + 1] - ob[j]) + (ub[j - 1] - ob[j]) : belt;
        double d = xa - xb, s = clamp(d, most[j]);
        na[j] = oa[j] + (xa - s * ra[j]);
        if (pair) nb[j] = ob[j] + (xb + s * rb[j]);
        if (kept) ss[j] = s;
        if (kept) dd[j] = d;
    }
}

CLONES static void glide_ground(int n, double belt, input ua, input oa, input ra, input most,
                                output na, output ss, output dd) {
    glide(n, belt, ua, oa, NULL, NULL, ra, NULL, most, na, NULL, ss, dd, false, true);
}
CLONES static void glide_pair(int n, input ua, input oa, input ub, input ob, input ra, input rb,
                              input most, output na, output nb, output ss, output dd) {
    glide(n, 0, ua, oa, ub, ob, ra, rb, most, na, nb, ss, dd, true, true);
}
CLONES static void glide_bare(int n, input ua, input oa, input ub, input ob, input ra, input rb,
                              input most, output na, output nb) {
    glide(n, 0, ua, oa, ub, ob, ra, rb, most, na, nb, NULL, NULL, true, false);
}

static void glide_skin(const skin *k, bool audited) {
    int l = k->low, n = k->high - l, i = k->ia + l, j = k->ib + l;
    const rod *a = k->a, *b = k->b;
    if (!b)
        glide_ground(n, k->belt, a->u + i, a->old + i, k->ra + l, k->most + l, a->new + i,
                     k->state.s + l, k->state.d + l);
    else if (audited)
        glide_pair(n, a->u + i, a->old + i, b->u + j, b->old + j, k->ra + l, k->rb + l, k->most + l,
                   a->new + i, b->new + j, k->state.s + l, k->state.d + l);
    else
        glide_bare(n, a->u + i, a->old + i, b->u + j, b->old + j, k->ra + l, k->rb + l, k->most + l,
                   a->new + i, b->new + j);
}

// A contact with a stiffness, or one whose nodes are pushed: `new` holds changes.
static void rub_soft(const skin *k) {
    for (int j = k->low; j < k->high; j++) {
        double *na = k->a->new + k->ia + j, *nb = k->grounded ? NULL : k->b->new + k->ib + j;
        double d = *na - (nb ? *nb : k->belt);
        double e = k->state.stretch_old[j], s = clamp(k->give[j] * (d + 2 * e), k->most[j]);
        *na -= s * k->ra[j];
        if (nb) *nb += s * k->rb[j];
        k->state.stretch_old[j] = k->back[j] * s - e;
        k->state.s[j] = s;
        k->state.d[j] = d;
    }
}

// Static limit above the kinetic one: a cell that was stuck holds up to `hold`.
static void rub_sticky(const skin *k) {
    for (int j = k->low; j < k->high; j++) {
        double *na = k->a->new + k->ia + j, *nb = k->grounded ? NULL : k->b->new + k->ib + j;
        double d = *na - (nb ? *nb : k->belt);
        double e = k->state.stretch_old[j], tried = k->give[j] * (d + 2 * e);
        bool holds = fabs(tried) <= (k->state.slide[j] == 0 ? k->hold[j] : k->most[j]);
        double s = holds ? tried : clamp(tried, k->most[j]);
        *na -= s * k->ra[j];
        if (nb) *nb += s * k->rb[j];
        k->state.s[j] = s;
        k->state.d[j] = d;
        k->state.slide[j] = holds ? 0 : s > 0 ? 1 : -1;
        k->state.stretch_old[j] = jd_skin_stretch(k, j, k->back[j] * s);
    }
}

// One cell, of any rule but the trapezoidal one, at a node that would change by x without it.
double jd_skin_cell(skin *k, int j, double x, bool keep) {
    double *nb = k->grounded ? NULL : k->b->new + k->ib + j;
    double d = x - (nb ? *nb : k->belt), e = k->state.stretch_old[j];
    double tried = k->give[j] * (d + 2 * e);
    bool holds = fabs(tried) <= (k->state.slide[j] == 0 ? k->hold[j] : k->most[j]);
    double s = holds ? tried : clamp(tried, k->most[j]);
    if (k->law) s = jd_curve_cell(k, j, d, &holds);
    if (!keep) return x - s * k->ra[j];
    if (nb) *nb += s * k->rb[j];
    k->state.s[j] = s;
    k->state.d[j] = d;
    k->state.slide[j] = holds ? 0 : s > 0 ? 1 : -1;
    k->state.stretch_old[j] = jd_skin_stretch(k, j, k->back[j] * s);
    return x - s * k->ra[j];
}

static double behind(const rod *a, int i) { return a->u[i] - a->old[i]; }

// Mean of the friction at both ends of the step; s x change may then be negative.
static void rub_trapezoidal(const skin *k) {
    for (int j = k->low; j < k->high; j++) {
        double *na = k->a->new + k->ia + j, *nb = k->grounded ? NULL : k->b->new + k->ib + j;
        double ahead =
            *na - behind(k->a, k->ia + j) - (nb ? *nb - behind(k->b, k->ib + j) : 0.5 * k->belt);
        double d = *na - (nb ? *nb : k->belt);
        double half = clamp(ahead - k->state.half[j], 0.5 * k->most[j]),
               s = half + k->state.half[j];
        double over = ahead - k->state.half[j];
        double moved = fabs(k->a->u[k->ia + j]);
        k->state.slide[j] = side(over, (0.5 + still) * k->most[j] + noise * moved);
        k->state.half[j] = half;
        *na -= s * k->ra[j];
        if (nb) *nb += s * k->rb[j];
        k->state.s[j] = s;
        k->state.d[j] = d;
    }
}

// Work and impulse of every cell.
CLONES static void audit_flow(int n, input ss, input dd, output loss, output impulse) {
    for (int j = 0; j < n; j++) {
        loss[j] += ss[j] * (dd[j] - ss[j]);
        impulse[j] += ss[j];
    }
}

// What fed energy in.
static void audit_fed(const skin *k) {
    for (int j = k->low; j < k->high; j++)
        k->ledger.fed[j] += fmin(k->state.s[j] * (k->state.d[j] - k->state.s[j]), 0);
}

// Of any cell; what its spring takes up is no slip.
static double cell_state(const skin *k, int j) {
    double v = k->state.d[j] - k->state.s[j], e = k->state.stretch_old[j];
    meeting at = jd_skin_meets(k, j);
    double there = at.n ? fabs(k->b->u[at.node]) : 0;
    double least = still * k->most[j] + noise * (fabs(k->a->u[k->ia + j]) + there);
    if (k->back[j] > 0) v -= 2 * e - k->back[j] * k->state.s[j];
    return side(v, least);
}

// Changes between stick and slip; cells without friction are not counted.
INLINE void count_changes(int n, input now, input most, output state, output slip, output stick,
                          output turn) {
    for (int j = 0; j < n; j++) {
        double some = most[j] > 0 ? 1.0 : 0.0, was = state[j], is = now[j];
        double moved = was * was, moves = is * is, product = was * is;
        slip[j] += some * (1 - moved) * moves;
        stick[j] += some * moved * (1 - moves);
        turn[j] += some * (product < 0 ? 1.0 : 0.0);
        state[j] = is;
    }
}

CLONES static void audit_changes(int n, input now, input most, output state, output slip,
                                 output stick, output turn) {
    count_changes(n, now, most, state, slip, stick, turn);
}

// Work, impulse and contact state of cells that meet the ground or node by node, rigid; whether a
// state has changed.
INLINE bool read_cells(int n, input s, input d, input most, input ua, input ub, input state,
                       output now, output loss, output impulse) {
    long long changed = 0;
    for (int j = 0; j < n; j++) {
        double v = d[j] - s[j], least = still * most[j] + noise * (fabs(ua[j]) + fabs(ub[j]));
        now[j] = (v > least ? 1.0 : 0.0) - (v < -least ? 1.0 : 0.0);
        loss[j] += s[j] * v;
        impulse[j] += s[j];
        changed |= now[j] != state[j];
    }
    return changed;
}

// In blocks: in most of them no state changes.
enum { BLOCK = 16 };
CLONES static void audit_cells(int n, input s, input d, input most, input ua, input ub, output now,
                               output loss, output impulse, output state, output slip, output stick,
                               output turn) {
    for (int i = 0; i < n; i += BLOCK) {
        int m = n - i < BLOCK ? n - i : BLOCK;
        if (read_cells(m, s + i, d + i, most + i, ua + i, ub + i, state + i, now + i, loss + i,
                       impulse + i))
            count_changes(m, now + i, most + i, state + i, slip + i, stick + i, turn + i);
    }
}

// Soil at one of its nodes solves the whole contact together with itself (soil.c).
static bool waits_for_soil(const march *m, const skin *k) {
    for (int i = 0; i < m->n_toe; i++)
        if (m->toes[i].shared == k) return true;
    return false;
}

static void rub_across(march *m, skin *k) {
    jd_cross_begin(k);
    if (waits_for_soil(m, k)) return;
    if (!jd_cross_step(k, 0, -1)) m->unsettled = true;
    jd_cross_end(k);
}

static void rub_skin(march *m, skin *k) {
    if (k->cells->moving && !k->cross) jd_skin_limits(k);
    if (k->cross)
        rub_across(m, k);
    else if (k->law)
        jd_curve_rub(k);
    else if (k->glides)
        glide_skin(k, m->audited);
    else if (m->trapezoidal)
        rub_trapezoidal(k);
    else if (k->sticky)
        rub_sticky(k);
    else
        rub_soft(k);
}

static void audit_skin(const march *m, const skin *k) {
    int l = k->low, n = k->high - l;
    const double *ua = k->a->u + k->ia + l;
    const skin_ledger *sums = &k->ledger;
    if (!m->trapezoidal && !k->cross && !k->soft) {
        audit_cells(n, k->state.s + l, k->state.d + l, k->most + l, ua,
                    k->b ? k->b->u + k->ib + l : ua, k->counted + l, sums->loss + l,
                    sums->impulse + l, k->state.audited + l, sums->slips + l, sums->sticks + l,
                    sums->reversals + l);
        return;
    }
    audit_flow(n, k->state.s + l, k->state.d + l, sums->loss + l, sums->impulse + l);
    if (m->trapezoidal) audit_fed(k);
    if (m->trapezoidal)
        memcpy(k->counted + l, k->state.slide + l, (size_t)n * sizeof(double));
    else
        for (int j = l; j < k->high; j++) k->counted[j] = cell_state(k, j);
    audit_changes(n, k->counted + l, k->most + l, k->state.audited + l, sums->slips + l,
                  sums->sticks + l, sums->reversals + l);
}

void jd_audit_cell(const skin *k, int j) {
    k->counted[j] = cell_state(k, j);
    audit_flow(1, k->state.s + j, k->state.d + j, k->ledger.loss + j, k->ledger.impulse + j);
    audit_changes(1, k->counted + j, k->most + j, k->state.audited + j, k->ledger.slips + j,
                  k->ledger.sticks + j, k->ledger.reversals + j);
}

static void swap(double **a, double **b) {
    double *t = *a;
    *a = *b;
    *b = t;
}

static void turn_levels(march *m) {
    for (int i = 0; i < m->n_rod; i++) {
        rod *a = &m->rods[i]; // u -> old, new -> u, old is free
        swap(&a->old, &a->u);
        swap(&a->u, &a->new);
    }
    for (int i = 0; i < m->n_skin; i++)
        swap(&m->skins[i].state.stretch, &m->skins[i].state.stretch_old);
    for (int i = 0; i < m->n_toe; i++) {
        double e = m->toes[i].e;
        m->toes[i].e = m->toes[i].e_old;
        m->toes[i].e_old = e;
    }
    for (int i = 0; i < m->n_bumper; i++) {
        double peak = m->bumpers[i].peak;
        m->bumpers[i].peak = m->bumpers[i].peak_old;
        m->bumpers[i].peak_old = peak;
    }
    m->step++;
}

// What the step before the last one left is overwritten by a step, the last one is kept: after a
// step that fails all is as before it but the oldest level, which nobody looks at then.
static void exchange(march *m) {
    for (int i = 0; i < m->n_rod; i++) swap(&m->rods[i].new, &m->rods[i].past);
    for (int i = 0; i < m->n_skin; i++) {
        skin_state *k = &m->skins[i].state;
        swap(&k->s, &k->s_before);
        swap(&k->d, &k->d_before);
    }
}

// What is only known before a step: where cells are, and what to go back to should it fail.
static bool begin_step(march *m) {
    for (int i = 0; i < m->n_skin; i++) {
        skin *k = &m->skins[i];
        if (k->cross && k->cells->moving && !jd_cross_place(k)) m->beyond = k;
    }
    if (m->beyond) return false;
    exchange(m);
    if (m->damper) jd_damper_begin(m);
    return true;
}

static void undo_step(march *m) {
    if (m->damper) jd_damper_undo(m);
    exchange(m);
}

static void push_rods(march *m) {
    for (int i = 0; i < m->n_push; i++) {
        push *p = &m->pushes[i];
        p->force_before = p->force;
        p->force = jd_push_mean(p, m);
        const double *weight = p->a->weight + p->first;
        double *new = p->a->new + p->first;
        for (int j = 0; j < p->n; j++) new[j] += weight[j] * (p->share[j] * p->force);
    }
}

static void audit_bumper(const bumper *b) {
    for (int i = 0; i < 2; i++)
        if (b->side[i].shared) jd_audit_cell(b->side[i].shared, b->side[i].cell);
}

static void audit_step(march *m) {
    for (int i = 0; i < m->n_skin; i++) audit_skin(m, &m->skins[i]);
    for (int i = 0; i < m->n_bumper; i++) audit_bumper(&m->bumpers[i]);
    for (int i = 0; i < m->n_push; i++) {
        push *p = &m->pushes[i];
        const double *new = p->a->new + p->first;
        for (int j = 0; j < p->n; j++) p->work += 0.5 * p->force * (p->share[j] * new[j]);
    }
}

void jd_march_step(march *m) {
    if (!begin_step(m)) return;
    for (int i = 0; i < m->n_rod; i++) free_rod(&m->rods[i]);
    push_rods(m);
    if (m->damper) jd_damper_step(m);
    for (int i = 0; !m->damper && i < m->n_skin; i++) rub_skin(m, &m->skins[i]);
    for (int i = 0; !m->damper && !m->unsettled && i < m->n_toe; i++) jd_toe_step(m, &m->toes[i]);
    for (int i = 0; !m->damper && !m->unsettled && i < m->n_bumper; i++)
        jd_bumper_step(m, &m->bumpers[i]);
    if (m->unsettled) {
        undo_step(m);
        return;
    }
    if (m->audited) audit_step(m);
    for (int i = 0; i < m->n_rod; i++) land(&m->rods[i]);
    turn_levels(m);
}
