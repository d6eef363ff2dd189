// step.c -- one step: series around t0, how far they are good, the first change, and to its end.
#include <math.h>
#include <string.h>

#include "engine/series/series.h"
#include "engine/series/smooth/plane.h"

static const double most_turn = 5.0; // omega_max dt: above it rounding of high modes grows
static const double good_to = 1e-15; // remainder relative to the largest motion so far
static const double ahead = 1.05;    // of the event that is expected
enum { fewest = 9 };                 // orders

void jd_series_segments(series *s) {
    double loads = 0;
    s->step.t_break = HUGE_VAL;
    for (int d = 0; d < s->plan.n_drive; d++) {
        series_drive *g = &s->plan.drive[d];
        jd_drive_segment_at(g->object, g->omega, s->state.t0, &g->segment);
        s->step.t_break = fmin(s->step.t_break, g->segment.end);
        double F = fabs(g->segment.level) + fabs(g->segment.amplitude);
        loads += F * F * g->soft;
    }
    s->ledger.loads = fmax(s->ledger.loads, loads);
}

static double longest(const series *s) {
    double fastest = s->plan.fastest;
    for (int d = 0; d < s->plan.n_drive; d++)
        if (s->plan.drive[d].segment.amplitude != 0)
            fastest = fmax(fastest, s->plan.drive[d].segment.omega);
    return fastest > 0 ? most_turn / fastest : 1e6 * s->step.first_dt;
}

// How far the series are good to rounding, at most 1; the next step is made to fit.
static double reach(series *s) {
    double tau = 2, Z = s->terms.Z[1], most = longest(s);
    if (Z > 0)
        tau = fmin(
            tau, pow(good_to * fmax(s->state.unit, s->terms.now) / Z, 1.0 / (s->terms.degree + 1)));
    tau = fmin(tau, jd_plane_reach(s));
    s->step.next_dt = fmin(s->terms.dt * fmax(0.97 * tau, 0.25), most);
    return fmin(tau, 1);
}

// How far the series at hand are looked at: to their reach, or the next breakpoint.
static void set_end(series *s, double tau) {
    series_step *t = &s->step;
    t->n_change = 0;
    t->tau_end = tau;
    t->t_end = s->state.t0 + tau * s->terms.dt;
    if (t->t_end < t->t_break) return;
    t->t_end = t->t_break;
    t->tau_end = (t->t_break - s->state.t0) / s->terms.dt;
}

// Terms of a step so long that they drown the places they start from in their rounding (a body that
// nothing holds, and a long time to go): the next step is one in which they do not.
static bool drowns(series *s) {
    const double *size = s->terms.size, far = 1e4, near = 64;
    double scale = fmax(size[0], s->state.most), by = 1;
    for (int a = 0; a < s->plan.n_normal; a++) {
        const series_normal *g = &s->plan.normal[a];
        if (g->row >= 0) scale = fmax(scale, fabs(g->gap) / s->plan.length[g->row]);
    }
    if (!(scale > 0) || fmax(size[1], size[2]) <= far * scale) return false;
    if (size[1] > near * scale) by = near * scale / size[1];
    if (size[2] > near * scale) by = fmin(by, sqrt(near * scale / size[2]));
    s->step.next_dt = s->terms.dt * by;
    return true;
}

// Where events follow each other closely, few orders reach the next one.
static bool find_brief(series *s) {
    double dt = s->step.next_dt;
    s->terms.dt = dt;
    jd_series_expand(s, SERIES_BRIEF);
    if (drowns(s)) return false;
    jd_series_begin_remainder(s);
    jd_series_remainder(s);
    double tau = reach(s);
    s->step.next_dt = dt;
    if (!(tau > 0.02)) return false; // dt is much too long
    jd_series_cut(s, SERIES_BRIEF);
    jd_series_keep_sizes(s);
    set_end(s, tau);
    jd_series_search(s, -1);
    if (s->step.n_change > 0 || s->step.t_end >= s->step.t_break) return true;
    s->count = s->before; // what was searched is searched again
    return false;
}

// Orders until the series are good to tau, two more at a time; all of them where no event is
// expected and the next step may be longer.
static void expand_to(series *s, double tau) {
    double enough = good_to * fmax(s->state.unit, s->terms.now);
    int orders = s->terms.degree + 3;
    double power = jd_series_power(tau, orders - 2);
    bool all = tau >= 1 && s->terms.dt < 0.9 * longest(s);
    while (orders < SERIES_ORDER &&
           (all || orders < fewest || !(jd_series_bound_of(s, orders - 2) * power <= enough))) {
        jd_series_expand_on(s, orders + 1, orders + 2);
        orders += 2;
        power *= tau * tau;
    }
}

// Springs alone: as many orders as reach the event that is expected; all of them where there is
// none.
static void find_springs(series *s) {
    series_step *t = &s->step;
    double dt, tau = 1, expected = 1;
    int item = -1;
    for (int try = 0; try < 40; try++) {
        s->terms.dt = dt = t->next_dt;
        jd_series_expand(s, SERIES_FIRST + 2);
        if (drowns(s)) continue;
        jd_series_begin_remainder(s);
        expected = fmin(1, ahead * jd_series_expect(s, &item));
        expand_to(s, expected);
        jd_series_remainder(s);
        tau = reach(s);
        bool all = s->terms.degree + 3 == SERIES_ORDER;
        if (!all) t->next_dt = dt;
        if (!all || tau > 0.5 || !(t->next_dt < dt)) break;
    }
    jd_series_keep_sizes(s);
    set_end(s, tau);
    jd_series_search(s, item);
    if (s->terms.degree + 3 == SERIES_ORDER || t->n_change > 0 || t->t_end >= t->t_break) return;
    s->count = s->before; // what was searched is searched again
    expand_to(s, 1);
    memset(s->terms.row_known, 0, (size_t)s->plan.n_row * sizeof *s->terms.row_known);
    jd_series_remainder(s);
    tau = reach(s);
    if (s->terms.degree + 3 < SERIES_ORDER) t->next_dt = dt;
    jd_series_keep_sizes(s);
    set_end(s, tau);
    jd_series_search(s, item);
}

void jd_series_find_step(series *s) {
    series_step *t = &s->step;
    s->before = s->count;
    s->ready = true;
    jd_series_segments(s);
    if (s->plan.springs.alone) {
        find_springs(s);
        return;
    }
    bool brief = t->brief;
    if (brief && find_brief(s)) return;
    double tau = 1;
    for (int try = 0; try < 40; try++) { // much too long a step would lose digits in its sums
        bool goes_on = brief && try == 0 && t->next_dt == s->terms.dt;
        s->terms.dt = t->next_dt;
        if (goes_on)
            jd_series_expand_on(s, SERIES_BRIEF + 1, SERIES_ORDER);
        else
            jd_series_expand(s, SERIES_ORDER);
        if (drowns(s)) continue;
        jd_series_begin_remainder(s);
        jd_series_remainder(s);
        tau = reach(s);
        if (tau > 0.5 || !(t->next_dt < s->terms.dt)) break;
    }
    jd_series_keep_sizes(s);
    set_end(s, tau);
    jd_series_search(s, -1);
}

// Of a step: what its terms are made of, over the largest so far.
static double rounding(const series *s) {
    double sum = 0;
    for (int k = s->terms.degree + 3; k >= 0; k--) sum = sum * s->step.tau_end + s->terms.size[k];
    return s->state.most > 0 ? 0x1p-52 * sum / s->state.most : 0;
}

void jd_series_go(series *s) {
    series_step *t = &s->step;
    const series_plan *p = &s->plan;
    if (s->ranges.kept) jd_series_ranges_step(s, t->tau_end, s->ranges.kept);
    if (s->tangent.columns) jd_series_tangent_step(s, t->tau_end, t->n_change > 0);
    if (s->horizon.known && p->n_smooth > 0) jd_series_horizon_step(s); // grows between events, too
    if (t->tau_end > 0 && !s->run->no_ledger) jd_series_ledger_step(s, t->tau_end, s->ledger.sums);
    if (p->springs.alone && t->tau_end > 0)
        jd_series_end(s, t->tau_end, s->state.q, s->state.p);
    else if (p->springs.alone)
        jd_series_end(s, 0, s->scratch.q, s->scratch.p);
    else
        jd_series_forces(s, t->tau_end, s->scratch.N, s->scratch.Nr, s->scratch.T, s->scratch.Tr);
    if (t->tau_end > 0) {
        if (!p->springs.alone) jd_series_motion(s, t->tau_end, s->state.q, s->state.p);
        for (int i = 0; i < p->n_slider; i++)
            if ((s->state.slide[i] == 0 && p->slider[i].kt > 0) || p->slider[i].partner >= 0)
                s->state.T[i] = s->scratch.T[i];
        s->state.age += t->t_end - s->state.t0;
        if (s->state.age > 1e-6 * s->terms.dt) {
            memset(s->state.slide_order, 0, (size_t)p->n_slider);
            memset(s->state.normal_order, 0, (size_t)p->n_normal);
        }
    }
    if (t->t_end > s->state.t0) t->brief = t->n_change > 0 && t->tau_end < 0.2;
    s->count.idle = t->t_end > s->state.t0 ? 0 : s->count.idle + 1;
    s->count.steps++;
    if (t->t_end > s->state.t0) s->count.error += good_to + rounding(s);
    s->state.t0 = t->t_end;
    if (t->n_change > 0 || t->t_end >= t->t_break) jd_series_change(s);
    s->ready = false;
}
