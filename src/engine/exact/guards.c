// guards.c -- what each contact watches in a phase, and the band it has to stay in.
//   held friction: its force, within the static limit    closed stop: its force, one-signed
//   sliding:       relative velocity, one-signed         open stop: place, below the gap
#include <math.h>

#include "engine/exact/exact.h"

functional *jd_guarded(const exact *e, int j) {
    basis *b = e->phase.b;
    jd_contact_state m = e->state.contact[j];
    int held = 0;
    while (jd_contact_at_rest(m) && b->held[held] != j) held++;
    return jd_contact_at_rest(m)  ? &b->observed.lambda[held]
           : m == JD_CONTACT_OPEN ? &b->observed.u[j]
                                  : &b->observed.v[j];
}

static void set_open(const exact *e, int j, jd_guard *g) {
    const contact *c = &e->plan.contact[j];
    g->upper = c->gap;
    if (c->both) g->lower = -c->gap;
    g->polynomial[0] -= c->belt * e->state.t0;
    g->polynomial[1] -= c->belt;
    if (c->belt != 0 && g->degree < 1) g->degree = 1;
    if ((e->plan.unwatched >> j) & 1) {
        g->lower = -HUGE_VAL;
        g->upper = HUGE_VAL;
    }
}

static void set_band(const exact *e, int j, jd_guard *g) {
    const contact *c = &e->plan.contact[j];
    jd_contact_state m = e->state.contact[j];
    if (m == JD_CONTACT_STUCK) {
        g->lower = -c->static_limit - e->state.slack[j];
        g->upper = c->static_limit + e->state.slack[j];
    } else if (m == JD_CONTACT_SLIDING_PLUS) {
        g->lower = c->belt;
    } else if (m == JD_CONTACT_SLIDING_MINUS) {
        g->upper = c->belt;
    } else if (m == JD_CONTACT_CLOSED_ABOVE) {
        g->upper = e->state.slack[j];
    } else if (m == JD_CONTACT_CLOSED_BELOW) {
        g->lower = -e->state.slack[j];
    } else {
        set_open(e, j, g);
    }
}

// A start of an order beyond the search's expansions needs derivatives.
static jd_status set_guard(exact *e, int j, jd_guard *g) {
    if (e->dependent.frozen[j]) { // others let go before it
        *g = jd_default_guard(e->phase.b->observed.v[j].watch);
        return JD_OK;
    }
    functional *f = jd_guarded(e, j);
    *g = jd_default_guard(f->watch);
    g->degree = jd_functional_polynomial(e, f, g->polynomial);
    set_band(e, j, g);
    g->start_order = e->state.order[j] > 0 ? e->state.order[j] : 0;
    g->start_side = e->state.order[j] > 0 ? e->state.side[j] : 0;
    if (g->start_order <= JD_START_ORDER_MAX) return JD_OK;
    JD_TRY(jd_functional_lift(e, f, g->start_order - 1));
    g->lifted = f->lifted;
    return JD_OK;
}

jd_status jd_guards_set(exact *e) {
    for (int j = 0; j < e->plan.m; j++) JD_TRY(jd_observe_guarded(e, j));
    for (int j = 0; j < e->plan.m; j++) JD_TRY(set_guard(e, j, &e->phase.guard[j]));
    return JD_OK;
}
