// step.c -- one step of dt on all grids: d'Alembert's formula, loads, friction cell by cell.
//   The loops are straight lines over arrays, made for vector registers: the function `rub` is
//   inlined with its flags known, so that every kind of contact has its own loop.
//   Centred:      s = clamp(d)                                       d: change over 2 dt
//   Jenkins:      s = clamp(give (d + 2 e-)),  e+ = back s - e-      e: stretch of the spring
//   trapezoidal:  s = half- + half+,  half+ = clamp(d+ - half-, +-most/2),  d+: change over dt
#include <math.h>

#include "engine/wave/wave.h"

#if defined(__x86_64__) && defined(__linux__) && !defined(__SANITIZE_ADDRESS__) &&                 \
    defined(__GNUC__) && !defined(__clang__)
#define CLONES __attribute__((target_clones("default", "arch=haswell")))
#else
#define CLONES
#endif
#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

CLONES static void go_free(int n, const double *restrict u, const double *restrict old,
                           double *restrict new) {
    for (int i = 0; i < n; i++) new[i] = u[i + 1] + u[i - 1] - old[i];
}

static void free_rod(rod *a) {
    int n = a->grid.n;
    a->u[-1] = a->sign[0] * a->u[a->mirror[0]];
    a->u[n] = a->sign[1] * a->u[a->mirror[1]];
    go_free(n, a->u, a->old, a->new);
}

INLINE double clamp(double x, double most) { return x > most ? most : x < -most ? -most : x; }
INLINE double one_if(bool x) { return x ? 1.0 : 0.0; }
INLINE double side(double x, double most) { return one_if(x > most) - one_if(x < -most); }

INLINE void rub(const skin *k, bool grounded, bool soft) {
    double *restrict na = k->a->new + k->ia;
    const double *restrict oa = k->a->old + k->ia;
    double *restrict nb = grounded ? NULL : k->b->new + k->ib;
    const double *restrict ob = grounded ? NULL : k->b->old + k->ib;
    const double *restrict ra = k->ra, *restrict rb = k->rb, *restrict most = k->most;
    const double *restrict give = k->give, *restrict back = k->back;
    double *restrict ss = k->s, *restrict dd = k->d, *restrict spring = k->spring_old;
    double belt = k->belt;
    int high = k->high;
    for (int j = k->low; j < high; j++) {
        double d = na[j] - oa[j] - (grounded ? belt : nb[j] - ob[j]);
        double s = clamp(soft ? give[j] * (d + 2 * spring[j]) : d, most[j]);
        na[j] -= s * ra[j];
        if (!grounded) nb[j] += s * rb[j];
        if (soft) spring[j] = back[j] * s - spring[j];
        ss[j] = s;
        dd[j] = d;
    }
}

CLONES static void rub_ground(const skin *k) { rub(k, true, false); }
CLONES static void rub_pair(const skin *k) { rub(k, false, false); }
CLONES static void rub_soft_ground(const skin *k) { rub(k, true, true); }
CLONES static void rub_soft_pair(const skin *k) { rub(k, false, true); }

// Static limit above the kinetic one: a cell that was stuck holds up to `hold`.
static void rub_sticky(const skin *k) {
    for (int j = k->low; j < k->high; j++) {
        double *na = k->a->new + k->ia + j, *nb = k->grounded ? NULL : k->b->new + k->ib + j;
        double d = *na - k->a->old[k->ia + j] - (nb ? *nb - k->b->old[k->ib + j] : k->belt);
        double e = k->spring_old[j], tried = k->give[j] * (d + 2 * e);
        bool holds = fabs(tried) <= (k->was[j] == 0 ? k->hold[j] : k->most[j]);
        double s = holds ? tried : clamp(tried, k->most[j]);
        *na -= s * k->ra[j];
        if (nb) *nb += s * k->rb[j];
        k->spring_old[j] = k->back[j] * s - e;
        k->s[j] = s;
        k->d[j] = d;
        k->was[j] = holds ? 0 : s > 0 ? 1 : -1;
    }
}

// Mean of the friction at both ends of the step; s x change may then be negative.
static void rub_trapezoidal(const skin *k) {
    for (int j = k->low; j < k->high; j++) {
        double *na = k->a->new + k->ia + j, *nb = k->grounded ? NULL : k->b->new + k->ib + j;
        double ahead = *na - k->a->u[k->ia + j] - (nb ? *nb - k->b->u[k->ib + j] : 0.5 * k->belt);
        double d = *na - k->a->old[k->ia + j] - (nb ? *nb - k->b->old[k->ib + j] : k->belt);
        double half = clamp(ahead - k->half[j], 0.5 * k->most[j]), s = half + k->half[j];
        double over = ahead - k->half[j];
        k->was[j] = side(over, 0.5 * k->most[j]);
        k->half[j] = half;
        *na -= s * k->ra[j];
        if (nb) *nb += s * k->rb[j];
        k->s[j] = s;
        k->d[j] = d;
    }
}

// Work and impulse of every cell, and its changes between stick and slip.
INLINE void audit(const skin *k, bool soft, bool given) {
    const double *restrict ss = k->s, *restrict dd = k->d, *restrict most = k->most;
    const double *restrict was = k->was;
    double *restrict state = k->state, *restrict loss = k->loss, *restrict impulse = k->impulse;
    double *restrict slip = k->slip, *restrict stick = k->stick, *restrict turn = k->reversal;
    double *restrict fed = k->fed;
    int high = k->high;
    for (int j = k->low; j < high; j++) {
        double s = ss[j], flow = s * (dd[j] - s), m = most[j];
        double now = given ? was[j] : soft ? one_if(s >= m) - one_if(s <= -m) : side(dd[j], m);
        loss[j] += flow;
        impulse[j] += s;
        if (given) fed[j] += flow < 0 ? flow : 0;
        slip[j] += one_if(state[j] == 0 && now != 0 && m > 0);
        stick[j] += one_if(state[j] != 0 && now == 0 && m > 0);
        turn[j] += one_if(state[j] * now < 0 && m > 0);
        state[j] = now;
    }
}

CLONES static void audit_rigid(const skin *k) { audit(k, false, false); }
CLONES static void audit_soft(const skin *k) { audit(k, true, false); }
CLONES static void audit_given(const skin *k) { audit(k, false, true); }

static void rub_skin(const march *m, skin *k) {
    if (k->cells->moving) skin_limits(k);
    if (m->trapezoidal)
        rub_trapezoidal(k);
    else if (k->sticky)
        rub_sticky(k);
    else if (k->soft)
        (k->grounded ? rub_soft_ground : rub_soft_pair)(k);
    else
        (k->grounded ? rub_ground : rub_pair)(k);
}

static void audit_skin(const march *m, const skin *k) {
    if (m->trapezoidal || k->sticky)
        audit_given(k);
    else
        (k->soft ? audit_soft : audit_rigid)(k);
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
    for (int i = 0; i < m->n_skin; i++) swap(&m->skins[i].spring, &m->skins[i].spring_old);
    for (int i = 0; i < m->n_toe; i++) {
        double e = m->toes[i].e;
        m->toes[i].e = m->toes[i].e_old;
        m->toes[i].e_old = e;
    }
    m->step++;
}

void march_step(march *m) {
    double t = (double)m->step * m->dt;
    for (int i = 0; i < m->n_rod; i++) free_rod(&m->rods[i]);
    for (int i = 0; i < m->n_push; i++) {
        push *p = &m->pushes[i];
        p->force = push_mean(p, t, m->dt);
        p->a->new[p->node] += p->a->weight[p->node] * p->force;
    }
    if (m->damper) {
        damper_step(m);
    } else {
        for (int i = 0; i < m->n_skin; i++) rub_skin(m, &m->skins[i]);
        for (int i = 0; i < m->n_toe; i++) toe_step(m, &m->toes[i]);
    }
    if (m->audited) {
        for (int i = 0; i < m->n_skin; i++) audit_skin(m, &m->skins[i]);
        for (int i = 0; i < m->n_push; i++) {
            push *p = &m->pushes[i];
            p->work += 0.5 * p->force * (p->a->new[p->node] - p->a->old[p->node]);
        }
    }
    turn_levels(m);
}
