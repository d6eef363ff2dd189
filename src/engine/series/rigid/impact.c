// impact.c -- rigid normal parts are hit: speeds jump by impulses P >= 0.
//   Newton's law for all that touch at once: v+ = v - G P, v+ <= -e v, P (v+ + e v) = 0, the box
//   problem of contact/forces.h. A rebound slower than what rounding leaves of a speed ends
//   chatter: the part closes, and what it left out is told.
#include "engine/series/series.h"

#include <math.h>

#include "contact/forces.h"
#include "linalg/dot.h"

static const double slowest = 1e-12; // of the largest speed so far: below it chatter is complete

static const double touch = 1e-12; // of the sum of absolute terms

static double coupling(const series_plan *p, int r, int o) {
    return p->G[(size_t)r * (size_t)p->n_row + (size_t)o];
}

// Speed of a row below which nothing is known of it.
static double too_slow(const series *s, int row) {
    double unit = fmax(s->state.unit, s->impact.arriving);
    return slowest * s->plan.length[row] * unit;
}

static void push(series *s, int row, double impulse) {
    const double *w = s->plan.W + (size_t)row * (size_t)s->plan.stride;
    for (int k = 0; k < s->plan.n; k++) s->state.p[k] -= impulse * w[k];
}

// Side on which an open part touches and does not leave; 0: none.
static int touches(const series *s, int b) {
    const series_normal *g = &s->plan.normal[b];
    const double *w = s->plan.W + (size_t)g->row * (size_t)s->plan.stride;
    double size = fabs(g->gap), rate;
    for (int k = 0; k < s->plan.n; k++) size += fabs(w[k] * s->state.q[k]);
    for (int side = 1; side >= (g->both ? -1 : 1); side -= 2)
        if (fabs(jd_series_penetration(s, b, side, &rate)) <= touch * size && rate > 0) return side;
    return 0;
}

// Rigid parts that touch: those closed, a, and others that arrive at the same instant.
static int gather(series *s, int a, int side) {
    series_impact *x = &s->impact;
    int n = 0;
    for (int b = 0; b < s->plan.n_normal; b++) {
        const series_normal *g = &s->plan.normal[b];
        if (g->kind != NORMAL_RIGID) continue;
        x->side[n] = b == a ? side : s->state.closed[b] ? s->state.closed[b] : touches(s, b);
        if (x->side[n] == 0) continue;
        double rate;
        jd_series_penetration(s, b, x->side[n], &rate);
        x->speed[n] = s->state.closed[b] ? rate : fmax(rate, 0);
        x->set[n++] = b;
    }
    return n;
}

// How many impulses: those of friction follow the n normal ones.
static int solve(series *s, int n) {
    series_impact *x = &s->impact;
    const series_plan *p = &s->plan;
    for (int i = 0; i < n; i++) {
        const series_normal *g = &p->normal[x->set[i]];
        double limit = too_slow(s, g->row), e = g->restitution;
        bool ends = e * x->speed[i] <= limit && e < 1;
        x->e[i] = ends ? 0 : e;
        x->b[i] = -(1 + x->e[i]) * x->speed[i];
        x->low[i] = 0;
        x->high[i] = HUGE_VAL;
        for (int j = 0; j < n; j++)
            x->G[i * n + j] =
                x->side[i] * x->side[j] * coupling(p, g->row, p->normal[x->set[j]].row);
    }
    bool solved = true;
    int all = jd_series_rub(s, n, &solved);
    if (!solved) s->held.painleve = p->normal[x->set[0]].contact;
    if (all == n)
        jd_forces_solve(n, x->G, n, x->b, x->low, x->high, x->P, x->a, x->bound, x->scratch);
    return all;
}

static void tell(series *s, int b, double speed, double impulse, int side) {
    series_queue *q = &s->queue;
    const series_contact *part = &s->plan.contact[s->plan.normal[b].contact];
    if (q->n == q->room) return;
    q->event[q->n++] = (jd_event){.t = s->state.t0,
                                  .contact = part->of,
                                  .cell = part->cell,
                                  .from = JD_CONTACT_OPEN,
                                  .to = JD_CONTACT_OPEN,
                                  .speed = speed,
                                  .impulse = -side * impulse};
}

// Speeds after the impulses; no states change. Returns how many parts touch.
int jd_series_strike(series *s, int a, int side) {
    series_impact *x = &s->impact;
    int n = gather(s, a, side), all = solve(s, n);
    for (int i = 0; i < n; i++) push(s, s->plan.normal[x->set[i]].row, x->side[i] * x->P[i]);
    for (int i = n; i < all; i++) push(s, s->plan.slider[x->set[i]].row, x->P[i]);
    return n;
}

// Energy in the springs of sliders that slide under a dashpot: their force follows the speed at
// once, so the slider jumps and loses `sign` times what its spring holds.
static void book_sliders(series *s, double sign) {
    for (int i = 0; i < s->plan.n_slider; i++) {
        const series_slider *g = &s->plan.slider[i];
        const series_normal *b = &s->plan.normal[g->normal];
        int slide = s->state.slide[i], closed = s->state.closed[g->normal];
        if (!(g->kt > 0) || slide == 0 || slide == SERIES_FREE) continue;
        if (b->kind != NORMAL_SPRING || !(b->cn > 0) || !closed) continue;
        double rate, p = jd_series_penetration(s, g->normal, closed, &rate);
        double T = g->limit * fmax(0, b->kn * p + b->cn * rate);
        s->ledger.contact[g->contact] += sign * T * T / (2 * g->kt);
    }
}

void jd_series_impact(series *s, int a, int side) {
    series_impact *x = &s->impact;
    double leaving;
    x->arriving = sqrt(jd_dot(s->plan.n, s->state.p, s->state.p));
    jd_series_penetration(s, a, side, &leaving);
    if (leaving < -too_slow(s, s->plan.normal[a].row))
        return; // hit with another one at this instant
    if (s->tangent.columns) jd_series_tangent_impact(s, a, side);
    double before = 0.5 * jd_dot(s->plan.n, s->state.p, s->state.p);
    book_sliders(s, 1);
    int n = jd_series_strike(s, a, side);
    s->ledger.impact[s->plan.normal[a].contact] +=
        before - 0.5 * jd_dot(s->plan.n, s->state.p, s->state.p);
    book_sliders(s, -1);
    for (int i = 0; i < n; i++) {
        int b = x->set[i], was = s->state.closed[b];
        double rate, limit = too_slow(s, s->plan.normal[b].row);
        jd_series_penetration(s, b, x->side[i], &rate);
        if (x->P[i] > 0 && x->speed[i] > limit && !was)
            tell(s, b, x->speed[i], x->P[i], x->side[i]);
        bool stays = rate >= -limit;
        double left = s->plan.normal[b].restitution * x->speed[i];
        if (stays) x->left[b] = fmax(x->left[b], left);
        if (stays && left > 0 && s->state.unit > 0) // speed that completing chatter left out
            s->count.chatter_motion +=
                left / (s->plan.length[s->plan.normal[b].row] * s->state.unit);
        if (!stays && was) jd_series_open(s, b, true);
        if (stays && !was) jd_series_close_rigid(s, b, x->side[i]);
        if (stays) continue;
        s->state.normal_order[b] = 1;
        s->state.normal_side[b] = (int8_t)x->side[i];
    }
    jd_series_slide_again(s);
}
