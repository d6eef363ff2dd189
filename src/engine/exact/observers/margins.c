// margins.c -- how close a motion came to having other events than it has.
//   Within a phase a contact's guard stays in its band; where it turns back (a zero of its
//   derivative) it had this much left, relative to the width of its motion:
//     held    limit - |force|, when above 3/4 of the limit    a slip would begin
//     sliding |relative velocity|                             it would stop
//     open    gap - displacement                              it would hit
//   At the end of a slide the force that would hold decides between stop and reversal; its
//   distance to the limit, positive where it holds, is the margin of that event [N]. Both are
//   smooth functions of state and parameters as long as the sequence of phases stays.
//   tested: the_same_changes_at_a_tenth_of_the_step
#include <math.h>
#include <string.h>

#include "engine/exact/exact.h"

static const double inner_part = 0.75; // of the limit: no look at forces below

enum { TURNS = 48 }; // of one contact in one phase; fast undamped modes have more: not looked at

// Guard of f' at t since t0 that f keeps rising (side 1) or falling (-1). order: of the zero f' has
// at t, 0: none.
static jd_guard direction(const jd_guard *g, const functional *f, double t, int side, int order) {
    jd_guard d = jd_default_guard(f->rate);
    memcpy(d.polynomial, g->polynomial, sizeof d.polynomial);
    d.degree = g->degree;
    for (int i = 0; i < d.degree; i++)
        for (int m = d.degree - 1; m >= i; m--) d.polynomial[m] += t * d.polynomial[m + 1];
    for (int m = 0; m < d.degree; m++) d.polynomial[m] = (m + 1) * d.polynomial[m + 1];
    if (d.degree >= 0) d.polynomial[d.degree--] = 0;
    if (side > 0)
        d.lower = 0;
    else
        d.upper = 0;
    d.start_side = order ? -side : 0;
    d.start_order = order;
    return d;
}

static double polynomial(const jd_guard *g, double t) {
    double sum = 0;
    for (int m = g->degree; m >= 0; m--) sum = sum * t + g->polynomial[m];
    return sum;
}

// Sign of f' just after the start of the phase: known where f starts on its bound.
static int first_direction(const exact *e, const jd_guard *g, const functional *f) {
    if (g->start_order) return -g->start_side;
    double rate = g->degree > 0 ? g->polynomial[1] : 0;
    rate += jd_watch_value(f->rate, e->phase.re, e->phase.im);
    return rate > 0 ? 1 : rate < 0 ? -1 : 0;
}

// Searches from t on; true: found, t and the amplitudes in re2, im2 moved there.
static bool search(exact *e, const jd_guard *g, double end, double *t, int *side) {
    jd_search_result found;
    size_t size = (size_t)e->phase.b->poles.slots * sizeof *e->scratch.re2;
    jd_first_zero(e->phase.b->poles.exp, e->scratch.re2, e->scratch.im2, 1, g, end - *t, NULL,
                  &found, e->scratch.re3, e->scratch.im3);
    if (found.outcome != JD_SEARCH_FOUND) return false;
    *t += found.time;
    *side = found.side;
    memcpy(e->scratch.re2, e->scratch.re3, size);
    memcpy(e->scratch.im2, e->scratch.im3, size);
    return true;
}

// A held contact far below its limit is of no interest: to where its force leaves the inner part
// of the band. False: it stays there.
static bool leave_inside(exact *e, const jd_guard *g, double value, double end, double *t,
                         int *side) {
    jd_guard inner = *g;
    inner.start_side = inner.start_order = 0;
    inner.lower = inner_part * g->lower;
    inner.upper = inner_part * g->upper;
    if (!(value > inner.lower && value < inner.upper)) return true;
    for (int i = 0; i < inner.degree; i++)
        for (int m = inner.degree - 1; m >= i; m--)
            inner.polynomial[m] += *t * inner.polynomial[m + 1];
    return search(e, &inner, end, t, side);
}

static void turns(exact *e, int j, const functional *f, double end) {
    const jd_guard *g = &e->phase.guard[j];
    int side = first_direction(e, g, f), order = g->start_order > 1 ? g->start_order - 1 : 0;
    bool held = e->state.contact[j] == JD_CONTACT_STUCK;
    double t = 0, least = HUGE_VAL, most = held ? g->upper : 0;
    memcpy(e->scratch.re2, e->phase.re, (size_t)e->phase.b->poles.slots * sizeof *e->scratch.re2);
    memcpy(e->scratch.im2, e->phase.im, (size_t)e->phase.b->poles.slots * sizeof *e->scratch.im2);
    for (int i = 0; i < TURNS && side != 0; i++, side = -side, order = 1) {
        double value = polynomial(g, t) + jd_watch_value(f->watch, e->scratch.re2, e->scratch.im2),
               before = t;
        int crossed = side;
        if (held && !leave_inside(e, g, value, end, &t, &crossed)) break;
        if (t > before) {
            side = crossed;
            order = 0;
        }
        jd_guard d = direction(g, f, t, side, order);
        if (!search(e, &d, end, &t, &crossed)) break;
        value = polynomial(g, t) + jd_watch_value(f->watch, e->scratch.re2, e->scratch.im2);
        double left = side > 0 ? g->upper - value : value - g->lower;
        double other = side > 0 ? value - g->lower : g->upper - value;
        least = fmin(least, left);
        if (isfinite(other)) most = fmax(most, other);
    }
    if (least < HUGE_VAL && most > 0)
        e->margins.nearest[j] = fmin(e->margins.nearest[j], least / most);
}

jd_status jd_margins_phase(exact *e, double end) {
    for (int j = 0; j < e->plan.m; j++) {
        if (e->dependent.frozen[j]) continue;
        functional *f = jd_guarded(e, j);
        if (!f->rate) JD_TRY(jd_watch_derivative(e->phase.b->poles.exp, f->watch, &f->rate));
        turns(e, j, f, end);
    }
    return JD_OK;
}

// After the forces of the contacts at rest are known: i is the place of the contact in their list.
void jd_margins_tie(exact *e, int i, int n) {
    double inside = fmin(e->box.high[i] - e->box.x[i], e->box.x[i] - e->box.low[i]);
    e->margins.tie =
        e->box.bound[i] == JD_INSIDE ? inside : -fabs(e->box.a[i]) / e->box.G[i * n + i];
}

static void forget(exact *e) {
    for (int j = 0; j < e->plan.m; j++) e->margins.nearest[j] = HUGE_VAL;
    e->margins.tie = HUGE_VAL;
}

jd_status jd_exact_margin_start(jd_run *run) {
    exact *e = run->state;
    if (!e->margins.room) e->margins.room = JD_TAKE(e->arena, double, e->plan.m);
    JD_TRY(jd_arena_status(e->arena));
    e->margins.nearest = e->margins.room;
    forget(e);
    return JD_OK;
}

// m margins of the phases since the last call, and that of the event.
jd_status jd_exact_margins(jd_run *run, bool partial, double *out) {
    exact *e = run->state;
    if (partial && !e->phase.started) JD_TRY(jd_phase_start(e));
    if (partial && run->t > e->state.t0) JD_TRY(jd_margins_phase(e, run->t - e->state.t0));
    memcpy(out, e->margins.nearest, (size_t)e->plan.m * sizeof *out);
    out[e->plan.m] = e->margins.tie;
    forget(e);
    return JD_OK;
}
