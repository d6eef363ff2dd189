// impact.c -- rigid normal parts are hit: speeds jump by impulses P >= 0.
//   Newton's law for all that touch at once: v+ = v - G P, v+ <= -e v, P (v+ + e v) = 0, the box
//   problem of contact/forces.h. A rebound slower than what rounding leaves of a speed ends
//   chatter: the part closes, and what it left out is told.
#include "engine/series/impact.h"

#include <math.h>

#include "contact/forces.h"
#include "linalg/dot.h"

static const double slowest = 1e-12; // of the largest speed so far: below it chatter is complete

static double coupling(const series_plan *p, int r, int o) {
    return p->G[(size_t)r * (size_t)p->n_row + (size_t)o];
}

static void push(series *s, int row, double impulse) {
    const double *w = s->plan.W + (size_t)row * (size_t)s->plan.stride;
    for (int k = 0; k < s->plan.n; k++) s->state.p[k] -= impulse * w[k];
}

// Rigid parts that touch: those closed, and a.
static int gather(series *s, int a, int side) {
    series_impact *x = &s->impact;
    int n = 0;
    for (int b = 0; b < s->plan.n_normal; b++) {
        const series_normal *g = &s->plan.normal[b];
        if (g->kind != NORMAL_RIGID || (b != a && !s->state.closed[b])) continue;
        x->side[n] = b == a ? side : s->state.closed[b];
        double rate;
        jd_series_penetration(s, b, x->side[n], &rate);
        x->speed[n] = b == a ? fmax(rate, 0) : rate;
        x->set[n++] = b;
    }
    return n;
}

static void solve(series *s, int n) {
    series_impact *x = &s->impact;
    const series_plan *p = &s->plan;
    for (int i = 0; i < n; i++) {
        const series_normal *g = &p->normal[x->set[i]];
        double limit = slowest * p->length[g->row] * s->state.unit, e = g->restitution;
        bool ends = e * x->speed[i] <= limit && e < 1;
        if (ends && e * x->speed[i] > 0 && s->state.unit > 0)
            s->count.chatter_motion += e * x->speed[i] / (p->length[g->row] * s->state.unit);
        x->e[i] = ends ? 0 : e;
        x->b[i] = -(1 + x->e[i]) * x->speed[i];
        x->low[i] = 0;
        x->high[i] = HUGE_VAL;
        for (int j = 0; j < n; j++)
            x->G[i * n + j] =
                x->side[i] * x->side[j] * coupling(p, g->row, p->normal[x->set[j]].row);
    }
    jd_forces_solve(n, x->G, n, x->b, x->low, x->high, x->P, x->a, x->bound, x->scratch);
}

static void tell(series *s, int b, double speed, double impulse, int side) {
    series_queue *q = &s->queue;
    if (q->n == q->room) return;
    q->event[q->n++] = (jd_event){.t = s->state.t0,
                                  .contact = s->plan.normal[b].contact,
                                  .from = JD_CONTACT_OPEN,
                                  .to = JD_CONTACT_OPEN,
                                  .speed = speed,
                                  .impulse = -side * impulse};
}

void jd_series_impact(series *s, int a, int side) {
    series_impact *x = &s->impact;
    int n = gather(s, a, side);
    double before = 0.5 * jd_dot(s->plan.n, s->state.p, s->state.p);
    solve(s, n);
    for (int i = 0; i < n; i++) push(s, s->plan.normal[x->set[i]].row, x->side[i] * x->P[i]);
    s->ledger.impact[s->plan.normal[a].contact] +=
        before - 0.5 * jd_dot(s->plan.n, s->state.p, s->state.p);
    for (int i = 0; i < n; i++) {
        int b = x->set[i], was = s->state.closed[b];
        double rate, limit = slowest * s->plan.length[s->plan.normal[b].row] * s->state.unit;
        jd_series_penetration(s, b, x->side[i], &rate);
        if (x->P[i] > 0 && x->speed[i] > limit && !was)
            tell(s, b, x->speed[i], x->P[i], x->side[i]);
        bool stays = rate >= -limit;
        if (!stays && was) jd_series_open(s, b, true);
        if (stays && !was) jd_series_close_rigid(s, b, x->side[i]);
        if (stays) continue;
        s->state.normal_order[b] = 1;
        s->state.normal_side[b] = (int8_t)x->side[i];
    }
    jd_series_slide_again(s);
}
