// ranges.c -- smallest and largest displacement, velocity and force of every contact, certified.
//   The band between the extremes so far is a guard: where the motion leaves it, the next zero of
//   the derivative is the new extreme; where it does not, nothing has to be computed. A value
//   beyond the extremes by more than `slack` of the largest one is thereby excluded.
#include <math.h>
#include <string.h>

#include "engine/exact/exact.h"

static const double slack = 1e-12;
enum { RETRIES = 60, TURNS = 100000000 };

// value = offset + factor f(t)
typedef struct quantity {
    functional *f;
    double polynomial[JD_POLYNOMIAL]; // of f, t since t0
    int degree;
    double offset, factor;
    jd_range *range;
    jd_force_extreme *when; // of the least and the greatest value; NULL: not wanted
} quantity;

static void include(jd_range *r, double value) {
    value += 0.0; // no -0
    if (!(value >= r->min)) r->min = value;
    if (!(value <= r->max)) r->max = value;
    r->final = value;
}

// The value at t since t0. edge: 1 the phase begins there, -1 it ends, 0 neither.
static void include_at(const exact *e, quantity *q, double t, int edge, double value) {
    for (int k = 0; k < 2 && q->when; k++) {
        if (k ? value <= q->range->max : value >= q->range->min) continue;
        q->when->t[k] = e->state.t0 + t;
        q->when->edge[k] = edge;
    }
    include(q->range, value);
}

static double value_at(const quantity *q, double t, const double *re, const double *im) {
    double sum = 0;
    for (int m = q->degree; m >= 0; m--) sum = sum * t + q->polynomial[m];
    return q->offset + q->factor * (sum + jd_watch_value(q->f->watch, re, im));
}

// Coefficients of the polynomial about t: a_m <- sum_k binomial(k, m) a_k t^(k-m).
static void shift(jd_guard *g, double t) {
    for (int i = 0; i < g->degree; i++)
        for (int m = g->degree - 1; m >= i; m--) g->polynomial[m] += t * g->polynomial[m + 1];
}

static jd_guard band(const quantity *q, double t, double widen) {
    const jd_range *r = q->range;
    jd_guard g = jd_default_guard(q->f->watch);
    memcpy(g.polynomial, q->polynomial, sizeof g.polynomial);
    g.degree = q->degree;
    shift(&g, t);
    double room = widen * fmax(fmax(fabs(r->min), fabs(r->max)), 1e-300);
    double a = (r->min - room - q->offset) / q->factor, b = (r->max + room - q->offset) / q->factor;
    g.lower = fmin(a, b);
    g.upper = fmax(a, b);
    return g;
}

// Guard of f' that f keeps its direction.
static jd_guard slope(const quantity *q, double t, int side) {
    jd_guard g = jd_default_guard(q->f->rate);
    memcpy(g.polynomial, q->polynomial, sizeof g.polynomial);
    g.degree = q->degree;
    shift(&g, t);
    for (int m = 0; m < g.degree; m++) g.polynomial[m] = (m + 1) * g.polynomial[m + 1];
    if (g.degree >= 0) g.polynomial[g.degree--] = 0;
    if (side > 0)
        g.lower = 0;
    else
        g.upper = 0;
    return g;
}

static void search(exact *e, const jd_guard *g, double *t, double end, jd_search_result *found) {
    jd_first_zero(e->phase.b->poles.exp, e->scratch.re2, e->scratch.im2, 1, g, end - *t, NULL,
                  found, e->scratch.re3, e->scratch.im3);
    if (found->outcome == JD_SEARCH_OUTSIDE) return;
    memcpy(e->scratch.re2, e->scratch.re3,
           (size_t)e->phase.b->poles.slots * sizeof *e->scratch.re2);
    memcpy(e->scratch.im2, e->scratch.im3,
           (size_t)e->phase.b->poles.slots * sizeof *e->scratch.im2);
    *t = found->outcome == JD_SEARCH_NONE ? end : *t + found->time;
}

// The quantity from `begin` to `end` since t0. False where it could not be proved.
static bool follow(exact *e, quantity *q, double begin, double end) {
    double t = begin, widen = slack;
    jd_search_result found;
    jd_expbasis_advance(e->phase.b->poles.exp, begin, e->phase.re, e->phase.im, e->scratch.re2,
                        e->scratch.im2);
    include_at(e, q, t, 1, value_at(q, t, e->scratch.re2, e->scratch.im2));
    for (int turn = 0, retries = 0; t < end && turn < TURNS; turn++) {
        jd_guard g = band(q, t, widen);
        search(e, &g, &t, end, &found);
        if (found.outcome == JD_SEARCH_BUDGET && !(found.time > 0)) return false;
        if (found.outcome == JD_SEARCH_FOUND) {
            g = slope(q, t, found.side);
            search(e, &g, &t, end, &found);
        }
        include_at(e, q, t, t < end ? 0 : -1, value_at(q, t, e->scratch.re2, e->scratch.im2));
        widen = found.outcome == JD_SEARCH_OUTSIDE ? 16 * widen : slack;
        retries = found.outcome == JD_SEARCH_OUTSIDE ? retries + 1 : 0;
        if (retries > RETRIES) return false;
    }
    return !(t < end);
}

static quantity quantity_of(exact *e, functional *f, jd_range *range) {
    quantity q = {.f = f, .factor = 1, .range = range};
    q.degree = jd_functional_polynomial(e, f, q.polynomial);
    return q;
}

static jd_status ready(exact *e, functional *f) {
    return f->rate ? JD_OK : jd_watch_derivative(e->phase.b->poles.exp, f->watch, &f->rate);
}

static jd_status velocity(exact *e, int j, double begin, double end, jd_contact_ranges *r) {
    const contact *c = &e->plan.contact[j];
    double sign = slide_sign(e->state.contact[j]);
    functional *f = &e->phase.b->observed.v[j];
    JD_TRY(jd_observe_speed(e, j));
    JD_TRY(ready(e, f));
    quantity q = quantity_of(e, f, &r->velocity);
    q.offset = -c->belt;
    r->certified &= follow(e, &q, begin, end);
    include(&r->force, -sign * c->limit - sign * sign * c->slope * r->velocity.final);
    if (sign == 0 || c->slope == 0) return JD_OK;
    q.range = &r->force; // -sign limit - slope (v - belt)
    q.factor = -c->slope;
    q.offset = -sign * c->limit + c->slope * c->belt;
    r->certified &= follow(e, &q, begin, end);
    return JD_OK;
}

static jd_status held_force(exact *e, int j, double begin, double end, jd_contact_ranges *r) {
    int i = 0;
    if (e->dependent.frozen[j]) {
        include(&r->velocity, 0);
        include(&r->force, e->state.force[j]);
        return JD_OK;
    }
    while (e->phase.b->held[i] != j) i++;
    functional *f = &e->phase.b->observed.lambda[i];
    JD_TRY(ready(e, f));
    quantity q = quantity_of(e, f, &r->force);
    q.when = &e->ranges.extreme[j];
    include(&r->velocity, 0);
    r->certified &= follow(e, &q, begin, end);
    return JD_OK;
}

// Displacement: constant while held against the ground, monotone while it slides over it.
static jd_status displacement(exact *e, int j, double begin, double end, jd_contact_ranges *r) {
    const contact *c = &e->plan.contact[j];
    functional *f = &e->phase.b->observed.u[j];
    JD_TRY(jd_observe_place(e, j));
    JD_TRY(ready(e, f));
    quantity q = quantity_of(e, f, &r->displacement);
    if (c->stop && c->belt != 0) {
        q.polynomial[0] -= c->belt * e->state.t0;
        q.polynomial[1] -= c->belt;
        if (q.degree < 1) q.degree = 1;
    }
    if (e->state.contact[j] == JD_CONTACT_OPEN || c->belt != 0) {
        r->certified &= follow(e, &q, begin, end);
        return JD_OK;
    }
    for (int side = 0; side < 2; side++) {
        double t = side ? end : begin;
        jd_expbasis_advance(e->phase.b->poles.exp, t, e->phase.re, e->phase.im, e->scratch.re2,
                            e->scratch.im2);
        include(q.range, value_at(&q, t, e->scratch.re2, e->scratch.im2));
    }
    return JD_OK;
}

jd_status jd_ranges_phase(exact *e, double end, jd_contact_ranges *out) {
    double begin = fmax(0, e->ranges.begin - e->state.t0);
    for (int j = 0; j < e->plan.m; j++) {
        if (e->run->ranges != 2) JD_TRY(displacement(e, j, begin, end, &out[j]));
        if (e->run->ranges == 1) continue;
        JD_TRY(jd_contact_at_rest(e->state.contact[j]) ? held_force(e, j, begin, end, &out[j])
                                                       : velocity(e, j, begin, end, &out[j]));
    }
    return JD_OK;
}

jd_status jd_exact_track(jd_run *run) {
    exact *e = run->state;
    if (!e->ranges.room) {
        e->ranges.room = JD_TAKE(e->arena, jd_contact_ranges, e->plan.m);
        e->ranges.extreme = JD_TAKE(e->arena, jd_force_extreme, e->plan.m);
    }
    JD_TRY(jd_arena_status(e->arena));
    e->ranges.kept = e->ranges.room;
    const jd_range none = {(double)NAN, (double)NAN, (double)NAN};
    for (int j = 0; j < e->plan.m; j++)
        e->ranges.kept[j] = (jd_contact_ranges){none, none, none, true};
    e->ranges.begin = run->t;
    return JD_OK;
}

jd_status jd_exact_ranges(jd_run *run, jd_contact_ranges *out) {
    exact *e = run->state;
    if (!e->ranges.kept) return jd_fail(run->context, JD_BAD_ARGUMENT, "ranges were not asked for");
    memcpy(out, e->ranges.kept, (size_t)e->plan.m * sizeof *out);
    if (!e->phase.started && run->why[0]) return JD_OK; // there is no phase to look at
    if (!e->phase.started) JD_TRY(jd_phase_start(e));
    return jd_ranges_phase(e, run->t - e->state.t0, out);
}
