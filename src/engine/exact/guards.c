// guards.c -- what each contact watches in a phase, and the band it has to stay in.
//   held friction: its force, within the static limit    closed stop: its force, one-signed
//   sliding:       relative velocity, one-signed         open stop: place, below the gap
#include <math.h>

#include "engine/exact/exact.h"

functional *jd_guarded(const exact *e, int j) {
    basis *b = e->b;
    mark m = e->marks[j];
    int held = 0;
    while (is_held(m) && b->held[held] != j) held++;
    return is_held(m) ? &b->lambda[held] : m == OPEN ? &b->u[j] : &b->v[j];
}

static void set_open(const exact *e, int j, jd_guard *g) {
    const contact *c = &e->contact[j];
    g->upper = c->gap;
    if (c->both) g->lower = -c->gap;
    g->polynomial[0] -= c->belt * e->t0;
    g->polynomial[1] -= c->belt;
    if (c->belt != 0 && g->degree < 1) g->degree = 1;
    if ((e->unwatched >> j) & 1) {
        g->lower = -HUGE_VAL;
        g->upper = HUGE_VAL;
    }
}

static void set_band(const exact *e, int j, jd_guard *g) {
    const contact *c = &e->contact[j];
    mark m = e->marks[j];
    if (m == HELD) {
        g->lower = -c->static_limit - e->slack[j];
        g->upper = c->static_limit + e->slack[j];
    } else if (m == PLUS) {
        g->lower = c->belt;
    } else if (m == MINUS) {
        g->upper = c->belt;
    } else if (m == UPPER) {
        g->upper = e->slack[j];
    } else if (m == LOWER) {
        g->lower = -e->slack[j];
    } else {
        set_open(e, j, g);
    }
}

// A start of an order beyond the search's expansions needs derivatives.
static jd_status set_guard(exact *e, int j, jd_guard *g) {
    if (e->frozen[j]) { // others let go before it
        *g = jd_default_guard(e->b->v[j].watch);
        return JD_OK;
    }
    functional *f = jd_guarded(e, j);
    *g = jd_default_guard(f->watch);
    g->degree = jd_functional_polynomial(e, f, g->polynomial);
    set_band(e, j, g);
    g->start_order = e->order[j] > 0 ? e->order[j] : 0;
    g->start_side = e->order[j] > 0 ? e->side[j] : 0;
    if (g->start_order <= JD_START_ORDER_MAX) return JD_OK;
    JD_TRY(jd_functional_lift(e, f, g->start_order - 1));
    g->lifted = f->lifted;
    return JD_OK;
}

jd_status jd_guards_set(exact *e) {
    for (int j = 0; j < e->m; j++) JD_TRY(jd_observe_guarded(e, j));
    for (int j = 0; j < e->m; j++) JD_TRY(set_guard(e, j, &e->guard[j]));
    return JD_OK;
}
