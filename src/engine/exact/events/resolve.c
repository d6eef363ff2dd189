// resolve.c -- what happens at an event: impacts, then which contacts hold, slide, open or close.
//   Rules (docs/decisions/0003-events.md), in this order:
//   1. Stops reached with approach speed exchange impulse (impact.c). Friction forces are finite,
//   so
//      friction contacts take no part: a stuck point that jumps slides.
//   2. Contacts at rest get the forces x that minimise 1/2 x'G x + b'x in their boxes: inside the
//   box
//      they hold, on its wall they slide or open with the acceleration a = G x + b that remains.
//   3. On the wall without acceleration (a tie) the next derivatives decide (ties.c).
//   The order of the first derivative that moves is handed to the guard of the next phase.
#include <math.h>

#include "engine/exact/events/dependent.h"
#include "engine/exact/events/ties.h"

static const double split_wall = 1e-8; // the same for accelerations where rows nearly depend
static const double near_wall = 1e-11; // of the force scale: closer, the next derivative decides

void jd_record(exact *e, double t, int j, jd_contact_state from, jd_contact_state to, double speed,
               double impulse) {
    e->event.queue[e->event.n_queue++] = (jd_event){t, j, from, to, speed, impulse, 0};
}

// Which contacts are at rest after the impulses; sliding ones get the sign of their speed.
static void sort_contacts(exact *e, bool jumped) {
    for (int j = 0; j < e->plan.m; j++) {
        jd_contact_state m = e->state.contact[j];
        if (e->plan.contact[j].stop) {
            e->event.rest[j] = e->event.touch[j] != 0;
            continue;
        }
        // one that is held and out of reach of the impulses stays so
        if (jumped && !(m == JD_CONTACT_STUCK && e->event.jump[j] == 0))
            e->event.rest[j] = jd_at_rest(e, j);
        if (e->event.rest[j] || (!jumped && m != JD_CONTACT_STUCK)) continue;
        e->state.contact[j] =
            jd_relative_speed(e, j) > 0 ? JD_CONTACT_SLIDING_PLUS : JD_CONTACT_SLIDING_MINUS;
        if (m != e->state.contact[j])
            jd_record(e, e->event.stamp[j], j, m, e->state.contact[j], 0, 0);
    }
}

// A contact pushed onto its static limit lets go and has only its kinetic limit from then on. Where
// rows depend on each other, one stays as long as those inside their limits can carry it along.
static bool lets_go(exact *e, int n) {
    bool any = false;
    if (e->dependent.rank_missing)
        jd_mark_spanned(e, n, e->box.set, e->box.bound, e->dependent.spanned);
    for (int i = 0; i < n; i++) {
        int j = e->box.set[i];
        const contact *c = &e->plan.contact[j];
        if (e->box.bound[i] == JD_INSIDE || e->event.kinetic[j] || c->limit >= c->static_limit)
            continue;
        if (e->dependent.rank_missing && e->dependent.spanned[i]) continue;
        any = e->event.kinetic[j] = e->event.releasing[j] = true;
        e->event.smooth = false;
    }
    return any;
}

jd_status jd_solve_box(exact *e, int n, const double *without) {
    if (!e->dependent.rank_missing) {
        jd_forces_solve(n, e->box.G, n, e->box.b, e->box.low, e->box.high, e->box.x, e->box.a,
                        e->box.bound, e->box.scratch);
        return JD_OK;
    }
    jd_force_units(e, n, e->box.set, e->dependent.unit);
    for (int i = 0; i < n; i++) {
        e->box.x[i] = 0;
        e->box.bound[i] = e->box.low[i] == e->box.high[i] ? JD_AT_HIGH : JD_INSIDE;
    }
    jd_forces_share(n, e->box.G, n, e->box.b, e->box.low, e->box.high, e->dependent.unit, e->box.x,
                    e->box.a, e->box.bound, e->box.scratch);
    return jd_shortest_split(e, n, without);
}

// The box problem of the contacts at rest with the limits they have now.
static jd_status solve(exact *e, int *count) {
    int n = 0;
    for (int j = 0; j < e->plan.m; j++) {
        if (!e->event.rest[j]) continue;
        const contact *c = &e->plan.contact[j];
        double limit = e->event.kinetic[j] ? c->limit : c->static_limit;
        e->box.low[n] = !c->stop ? -limit : e->event.touch[j] > 0 ? -HUGE_VAL : 0;
        e->box.high[n] = !c->stop ? limit : e->event.touch[j] > 0 ? 0 : HUGE_VAL;
        e->box.b[n] = jd_lanes_dot(e->plan.n, c->row, e->scratch.acceleration);
        e->box.set[n++] = j;
    }
    *count = n;
    if (!n) return JD_OK;
    jd_restrict_coupling(e, n);
    e->dependent.rank_missing = n > 1 && !jd_all_independent(e, n, e->box.set);
    return jd_solve_box(e, n, e->scratch.acceleration);
}

// One that has reached its static limit has the kinetic one from now on, unless others may carry
// it.
static void start_limits(exact *e) {
    int n = 0;
    for (int j = 0; j < e->plan.m; j++)
        if (e->event.rest[j]) e->box.set[n++] = j;
    bool depend = n > 1 && !jd_all_independent(e, n, e->box.set);
    for (int j = 0; j < e->plan.m; j++) e->event.kinetic[j] = e->event.releasing[j] && !depend;
}

static bool drops(const exact *e, int j) {
    const contact *c = &e->plan.contact[j];
    return e->event.rest[j] && !c->stop && c->limit < c->static_limit;
}

// How far contact i of the set is inside its static limit, over the forces there.
static double reserve(const exact *e, int i, int n) {
    double scale = fabs(e->box.x[i]) + fabs(e->box.b[i]) / e->box.G[i * n + i];
    return (e->plan.contact[e->box.set[i]].static_limit - fabs(e->box.x[i])) / scale;
}

// Which contacts are on their static limit to rounding, when one is known to be? As long as all
// hold; `reached` by contact. How many.
static jd_status reach(exact *e, bool *reached, int *count) {
    int n;
    for (int j = 0; j < e->plan.m; j++) e->event.kinetic[j] = reached[j] = false;
    JD_TRY(solve(e, &n));
    *count = 0;
    for (int i = 0; i < n; i++) {
        int j = e->box.set[i];
        reached[j] = drops(e, j) && (e->event.releasing[j] || reserve(e, i, n) <= near_wall);
        *count += reached[j];
    }
    return JD_OK;
}

// Several reach their static limits at one instant, to rounding. Where one that lets go takes load
// off another, no law says who goes: both do, and the run is not certified any more.
static jd_status let_go_together(exact *e) {
    bool any = false, *reached = e->dependent.spanned, *relieved = e->dependent.spanned + e->plan.m;
    int count, n, others = 0;
    for (int j = 0; j < e->plan.m; j++) {
        any |= drops(e, j) && e->event.kinetic[j];
        others += drops(e, j);
        relieved[j] = false;
    }
    if (!any || others < 2) return JD_OK;
    JD_TRY(reach(e, reached, &count));
    for (int d = 0; d < e->plan.m && count > 1; d++) {
        if (!reached[d]) continue;
        e->event.kinetic[d] = true; // alone
        JD_TRY(solve(e, &n));
        e->event.kinetic[d] = false;
        for (int i = 0; i < n; i++)
            if (reached[e->box.set[i]] && e->box.set[i] != d && reserve(e, i, n) > near_wall)
                relieved[e->box.set[i]] = true;
    }
    bool unclear = false;
    for (int j = 0; j < e->plan.m; j++) {
        unclear |= relieved[j];
        e->event.kinetic[j] = e->event.releasing[j] = e->event.releasing[j] || relieved[j];
    }
    e->state.undecided += unclear;
    return JD_OK;
}

// Rule 2: forces of the n contacts at rest; results in fset, fx, fa, fbound.
static jd_status forces(exact *e, double t, int *n) {
    bool any = e->tangent.columns > 0; // small changes need the acceleration whatever rests
    for (int j = 0; j < e->plan.m; j++)
        if (e->event.rest[j]) {
            any = true;
            e->event.was[j] = e->state.contact[j];
            e->state.contact[j] =
                e->plan.contact[j].stop
                    ? (e->event.touch[j] > 0 ? JD_CONTACT_CLOSED_ABOVE : JD_CONTACT_CLOSED_BELOW)
                    : JD_CONTACT_STUCK;
        }
    *n = 0;
    if (!any) return JD_OK;
    jd_acceleration(e, t);
    start_limits(e);
    JD_TRY(let_go_together(e));
    JD_TRY(solve(e, n));
    while (lets_go(e, *n)) JD_TRY(solve(e, n)); // each time with fewer static limits
    for (int i = 0; i < *n; i++) {
        int j = e->box.set[i];
        e->state.force[j] = e->box.x[i];
        jd_add_row(e->plan.n, e->box.x[i], e->plan.contact[j].row, e->scratch.acceleration);
        if (e->margins.nearest && slide_sign(e->event.was[j]) != 0) jd_margins_tie(e, i, *n);
    }
    return JD_OK;
}

jd_status jd_split_forces(exact *e, double t) {
    int n;
    e->event.smooth = false;
    for (int j = 0; j < e->plan.m; j++) {
        e->event.rest[j] = jd_contact_at_rest(e->state.contact[j]);
        e->event.touch[j] = e->state.contact[j] == JD_CONTACT_CLOSED_ABOVE   ? 1
                            : e->state.contact[j] == JD_CONTACT_CLOSED_BELOW ? -1
                                                                             : 0;
        e->event.releasing[j] = false;
    }
    JD_TRY(forces(e, t, &n));
    if (n == 0 || !e->dependent.rank_missing) return JD_OK;
    jd_mark_spanned(e, n, e->box.set, e->box.bound, e->dependent.spanned);
    for (int i = 0; i < n; i++)
        if (e->box.bound[i] != JD_INSIDE && e->dependent.spanned[i])
            e->state.order[e->box.set[i]] = LEANS;
    return JD_OK;
}

// The wall contact i of the set is on without moving off it, or JD_INSIDE. A contact that reached
// its limit (releasing) is on it whatever rounding makes of the force here, as long as forces are
// continuous: the search has proved it. Otherwise rounding is measured by the terms that were
// summed up; for a stop, whose limit is 0, that is the only scale there is. A soft landing has no
// force.
static jd_bound tied_wall(const exact *e, int i, int n, double t) {
    int j = e->box.set[i];
    if (e->event.soft[j]) return e->event.touch[j] > 0 ? JD_AT_HIGH : JD_AT_LOW;
    bool proved = e->event.releasing[j] && e->event.smooth && e->box.low[i] < e->box.high[i];
    if (proved)
        return e->box.high[i] - e->box.x[i] < e->box.x[i] - e->box.low[i] ? JD_AT_HIGH : JD_AT_LOW;
    double G = e->box.G[i * n + i], scale = fabs(e->box.x[i]) + fabs(e->box.b[i]) / G;
    if (e->event.releasing[j] || e->plan.contact[j].stop)
        scale += jd_acceleration_size(e, j, t) / G;
    if (e->dependent.rank_missing) scale += jd_dot_size(n, e->box.G + i * n, e->box.x) / G;
    if (isfinite(e->box.low[i])) scale = fmax(scale, fabs(e->box.low[i]));
    if (isfinite(e->box.high[i])) scale = fmax(scale, fabs(e->box.high[i]));
    double noise = ROUNDING * e->event.shaken[j];
    if (fabs(e->box.a[i]) >
        (e->dependent.rank_missing ? split_wall : near_wall) * G * scale + noise)
        return JD_INSIDE;
    scale += noise / (near_wall * G);
    if (e->box.high[i] - e->box.x[i] <= near_wall * scale) return JD_AT_HIGH;
    return e->box.x[i] - e->box.low[i] <= near_wall * scale ? JD_AT_LOW : JD_INSIDE;
}

jd_status jd_exact_resolve(exact *e, double t) {
    for (int j = 0; j < e->plan.m; j++) {
        e->state.order[j] = e->state.side[j] = 0;
        e->event.soft[j] = false;
        e->dependent.had_slack[j] = e->state.slack[j] > 0;
        e->state.slack[j] = 0;
        e->event.jump[j] = e->event.shaken[j] = e->event.shaken_rate[j] = 0;
        e->event.stamp[j] = t;
        if (e->event.releasing[j] && e->plan.contact[j].limit < e->plan.contact[j].static_limit)
            e->event.smooth = false;
    }
    e->tangent.n_hit = 0;
    if (e->dependent.n_frozen || (e->phase.b && !e->phase.b->unique))
        e->event.smooth = false; // another split may hold
    bool jumped = jd_impacts(e, t);
    if (e->event.jam >= 0) return jd_refuse_jam(e, e->event.jam, t);
    if (jumped) {
        e->event.smooth = false;
        jd_after_impacts(e, t);
    }
    sort_contacts(e, jumped);
    int n;
    JD_TRY(forces(e, t, &n));
    bool ties = false;
    for (int i = 0; i < n; i++) {
        e->box.tied[i] = tied_wall(e, i, n, t);
        ties |= e->box.tied[i] != JD_INSIDE;
        if (e->box.tied[i] == JD_INSIDE && e->box.bound[i] != JD_INSIDE)
            jd_leave(e, e->box.set[i], e->box.bound[i], 1);
    }
    if (ties) JD_TRY(jd_break_ties(e, t, n));
    for (int j = 0; j < e->plan.m; j++)
        if (e->event.rest[j] && e->event.was[j] != e->state.contact[j])
            jd_record(e, e->event.stamp[j], j, e->event.was[j], e->state.contact[j], 0, 0);
    return JD_OK;
}
