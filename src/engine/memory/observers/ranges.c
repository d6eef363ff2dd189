// ranges.c -- least and largest displacement, velocity and force of every contact, panel by panel:
// extremes of the panel's polynomials where their derivatives vanish.
#include <math.h>
#include <string.h>

#include "engine/memory/memory.h"

enum { GRID = 8 };

static void widen(jd_range *r, double x) {
    r->min = fmin(r->min, x);
    r->max = fmax(r->max, x);
}

// Where p of degree d, whose values at a < b have different signs, is 0: the secant's way, halved
// where that sticks to one end (Illinois).
static double zero_between(int d, const double *p, double a, double b) {
    double left = jd_polynomial(d, p, a), right = jd_polynomial(d, p, b), x = b;
    for (int i = 0; i < 40 && b - a > 1e-9; i++) {
        x = (a * right - b * left) / (right - left);
        double at = jd_polynomial(d, p, x);
        if (at == 0) break;
        if ((at < 0) == (left < 0))
            a = x, left = at, right /= 2;
        else
            b = x, right = at, left /= 2;
    }
    return x;
}

// Is p + shift over [0, part] in the range for certain? |p - p_0| <= sum_k |p_k| part^k
static bool is_inside(const jd_range *r, int d, const double *p, double shift, double part) {
    double reach = 0;
    for (int k = d; k >= 1; k--) reach = (reach + fabs(p[k])) * part;
    reach *= 1 + 1e-12; // rounding
    return p[0] + shift + reach < r->max && p[0] + shift - reach > r->min;
}

// Values of p + shift over (0, part]: at its end, and where the derivative changes sign between
// points of a grid and the tangents there may lead beyond what was seen.
static void widen_polynomial(jd_range *r, int d, const double *p, double shift, double part) {
    double slope[STAGES + 2], step = part / GRID, last = 0, at_last = 0;
    r->final = jd_polynomial(d, p, part) + shift;
    if (is_inside(r, d, p, shift, part)) return;
    for (int k = 1; k <= d; k++) slope[k - 1] = k * p[k];
    for (int i = 0; i <= GRID; i++) {
        double theta = step * i, at = jd_polynomial(d, p, theta) + shift;
        double rate = jd_polynomial(d - 1, slope, theta);
        if (i > 0) widen(r, at);
        double high = fmax(at, at_last) + step * fmax(fabs(rate), fabs(last));
        double low = fmin(at, at_last) - step * fmax(fabs(rate), fabs(last));
        if (i > 0 && rate * last < 0 && (high > r->max || low < r->min))
            widen(r, shift + jd_polynomial(d, p, zero_between(d - 1, slope, theta - step, theta)));
        last = rate;
        at_last = at;
    }
}

static double relative(const memory *e, int j, const double *p, double theta) {
    return jd_contact_at_rest(e->state.contact[j])
               ? 0
               : jd_polynomial(e->plan->nodes.s, p, theta) - e->plan->belt[j];
}

static void widen_contact(const memory *e, int j, double u0, double part, jd_contact_ranges *r) {
    const nodes *n = &e->plan->nodes;
    double v[STAGES + 1], u[STAGES + 2] = {u0}, F[STAGES + 1];
    jd_nodes_wide(n, e->panel.first_velocity[j], e->panel.velocity + j, e->plan->rows, v);
    jd_nodes_narrow(n, e->panel.force + j, e->plan->m, F);
    for (int k = 0; k <= n->s; k++) u[k + 1] = e->panel.h * v[k] / (k + 1);
    if (e->plan->stop[j].is) u[1] -= e->panel.h * e->plan->belt[j];
    widen(&r->displacement, u0);
    widen(&r->velocity, relative(e, j, v, 0));
    widen(&r->force, e->state.force[j]);
    widen_polynomial(&r->displacement, n->s + 1, u, 0, part);
    r->velocity.final = 0;
    if (!jd_contact_at_rest(e->state.contact[j]))
        widen_polynomial(&r->velocity, n->s, v, -e->plan->belt[j], part);
    widen_polynomial(&r->force, n->s - 1, F, 0, part);
}

void jd_ranges_widen(memory *e, double part, jd_contact_ranges *range) {
    double *u = e->scratch.displacement;
    jd_state_places(e, u);
    for (int j = 0; j < e->plan->m; j++) widen_contact(e, j, u[j], part, &range[j]);
}

double jd_panel_part(const memory *e, double t) {
    const memory_panel *p = &e->panel;
    return p->solved && p->h > 0 && t > e->state.t ? fmin((t - e->state.t) / p->h, 1) : 0;
}

// Of a contact that was not seen yet.
static const jd_contact_ranges nothing = {.displacement = {HUGE_VAL, -HUGE_VAL, 0},
                                          .velocity = {HUGE_VAL, -HUGE_VAL, 0},
                                          .force = {HUGE_VAL, -HUGE_VAL, 0}};

jd_status jd_memory_track(jd_run *run) {
    memory *e = run->state;
    jd_contact_ranges *ranges = JD_TAKE(e->arena, jd_contact_ranges, e->plan->m);
    JD_TRY(jd_arena_status(e->arena));
    for (int j = 0; j < e->plan->m; j++) ranges[j] = nothing;
    e->observers.ranges = ranges;
    return JD_OK;
}

jd_status jd_memory_ranges(jd_run *run, jd_contact_ranges *out) {
    memory *e = run->state;
    double part = jd_panel_part(e, run->t);
    const jd_contact_ranges *seen = e->observers.ranges;
    for (int j = 0; j < e->plan->m; j++) out[j] = seen ? seen[j] : nothing;
    if (part > 0) jd_ranges_widen(e, part, out);
    return JD_OK;
}
