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

#include "engine/exact/dependent.h"
#include "engine/exact/ties.h"

static const double split_wall = 1e-8; // the same for accelerations where rows nearly depend
static const double near_wall = 1e-11; // of the force scale: closer, the next derivative decides

void jd_record(exact *e, double t, int j, mark from, mark to, double speed, double impulse) {
    e->queue[e->n_queue++] =
        (jd_event){t, j, mark_letter(from), mark_letter(to), speed, impulse, 0};
}

// Which contacts are at rest after the impulses; sliding ones get the sign of their speed.
static void sort_contacts(exact *e, bool jumped) {
    for (int j = 0; j < e->m; j++) {
        mark m = e->marks[j];
        if (e->contact[j].stop) {
            e->rest[j] = e->touch[j] != 0;
            continue;
        }
        // one that is held and out of reach of the impulses stays so
        if (jumped && !(m == HELD && e->jump[j] == 0)) e->rest[j] = jd_at_rest(e, j);
        if (e->rest[j] || (!jumped && m != HELD)) continue;
        e->marks[j] = jd_relative_speed(e, j) > 0 ? PLUS : MINUS;
        if (m != e->marks[j]) jd_record(e, e->stamp[j], j, m, e->marks[j], 0, 0);
    }
}

// A contact pushed onto its static limit lets go and has only its kinetic limit from then on. Where
// rows depend on each other, one stays as long as those inside their limits can carry it along.
static bool lets_go(exact *e, int n) {
    bool any = false;
    if (e->rank_missing) jd_mark_spanned(e, n, e->fset, e->fbound, e->spanned);
    for (int i = 0; i < n; i++) {
        int j = e->fset[i];
        const contact *c = &e->contact[j];
        if (e->fbound[i] == JD_INSIDE || e->kinetic[j] || c->limit >= c->static_limit) continue;
        if (e->rank_missing && e->spanned[i]) continue;
        any = e->kinetic[j] = e->releasing[j] = true;
        e->smooth = false;
    }
    return any;
}

jd_status jd_solve_box(exact *e, int n, const double *without) {
    if (!e->rank_missing) {
        jd_forces_solve(n, e->fG, n, e->fb, e->flow, e->fhigh, e->fx, e->fa, e->fbound,
                        e->fscratch);
        return JD_OK;
    }
    jd_force_units(e, n, e->fset, e->unit);
    for (int i = 0; i < n; i++) {
        e->fx[i] = 0;
        e->fbound[i] = e->flow[i] == e->fhigh[i] ? JD_AT_HIGH : JD_INSIDE;
    }
    jd_forces_share(n, e->fG, n, e->fb, e->flow, e->fhigh, e->unit, e->fx, e->fa, e->fbound,
                    e->fscratch);
    return jd_shortest_split(e, n, without);
}

// The box problem of the contacts at rest with the limits they have now.
static jd_status solve(exact *e, int *count) {
    int n = 0;
    for (int j = 0; j < e->m; j++) {
        if (!e->rest[j]) continue;
        const contact *c = &e->contact[j];
        double limit = e->kinetic[j] ? c->limit : c->static_limit;
        e->flow[n] = !c->stop ? -limit : e->touch[j] > 0 ? -HUGE_VAL : 0;
        e->fhigh[n] = !c->stop ? limit : e->touch[j] > 0 ? 0 : HUGE_VAL;
        e->fb[n] = jd_lanes_dot(e->n, c->row, e->acc);
        e->fset[n++] = j;
    }
    *count = n;
    if (!n) return JD_OK;
    jd_restrict_coupling(e, n);
    e->rank_missing = n > 1 && !jd_all_independent(e, n, e->fset);
    return jd_solve_box(e, n, e->acc);
}

// One that has reached its static limit has the kinetic one from now on, unless others may carry
// it.
static void start_limits(exact *e) {
    int n = 0;
    for (int j = 0; j < e->m; j++)
        if (e->rest[j]) e->fset[n++] = j;
    bool depend = n > 1 && !jd_all_independent(e, n, e->fset);
    for (int j = 0; j < e->m; j++) e->kinetic[j] = e->releasing[j] && !depend;
}

static bool drops(const exact *e, int j) {
    const contact *c = &e->contact[j];
    return e->rest[j] && !c->stop && c->limit < c->static_limit;
}

// How far contact i of the set is inside its static limit, over the forces there.
static double reserve(const exact *e, int i, int n) {
    double scale = fabs(e->fx[i]) + fabs(e->fb[i]) / e->fG[i * n + i];
    return (e->contact[e->fset[i]].static_limit - fabs(e->fx[i])) / scale;
}

// Which contacts are on their static limit to rounding, when one is known to be? As long as all
// hold; `reached` by contact. How many.
static jd_status reach(exact *e, bool *reached, int *count) {
    int n;
    for (int j = 0; j < e->m; j++) e->kinetic[j] = reached[j] = false;
    JD_TRY(solve(e, &n));
    *count = 0;
    for (int i = 0; i < n; i++) {
        int j = e->fset[i];
        reached[j] = drops(e, j) && (e->releasing[j] || reserve(e, i, n) <= near_wall);
        *count += reached[j];
    }
    return JD_OK;
}

// Several reach their static limits at one instant, to rounding. Where one that lets go takes load
// off another, no law says who goes: both do, and the run is not certified any more.
static jd_status let_go_together(exact *e) {
    bool any = false, *reached = e->spanned, *relieved = e->spanned + e->m;
    int count, n, others = 0;
    for (int j = 0; j < e->m; j++) {
        any |= drops(e, j) && e->kinetic[j];
        others += drops(e, j);
        relieved[j] = false;
    }
    if (!any || others < 2) return JD_OK;
    JD_TRY(reach(e, reached, &count));
    for (int d = 0; d < e->m && count > 1; d++) {
        if (!reached[d]) continue;
        e->kinetic[d] = true; // alone
        JD_TRY(solve(e, &n));
        e->kinetic[d] = false;
        for (int i = 0; i < n; i++)
            if (reached[e->fset[i]] && e->fset[i] != d && reserve(e, i, n) > near_wall)
                relieved[e->fset[i]] = true;
    }
    bool unclear = false;
    for (int j = 0; j < e->m; j++) {
        unclear |= relieved[j];
        e->kinetic[j] = e->releasing[j] = e->releasing[j] || relieved[j];
    }
    e->undecided += unclear;
    return JD_OK;
}

// Rule 2: forces of the n contacts at rest; results in fset, fx, fa, fbound.
static jd_status forces(exact *e, double t, int *n) {
    bool any = e->n_tangent > 0; // small changes need the acceleration whatever rests
    for (int j = 0; j < e->m; j++)
        if (e->rest[j]) {
            any = true;
            e->was[j] = e->marks[j];
            e->marks[j] = e->contact[j].stop ? (e->touch[j] > 0 ? UPPER : LOWER) : HELD;
        }
    *n = 0;
    if (!any) return JD_OK;
    jd_acceleration(e, t);
    start_limits(e);
    JD_TRY(let_go_together(e));
    JD_TRY(solve(e, n));
    while (lets_go(e, *n)) JD_TRY(solve(e, n)); // each time with fewer static limits
    for (int i = 0; i < *n; i++) {
        int j = e->fset[i];
        e->force[j] = e->fx[i];
        jd_add_row(e->n, e->fx[i], e->contact[j].row, e->acc);
        if (e->nearest && slide_sign(e->was[j]) != 0) jd_margins_tie(e, i, *n);
    }
    return JD_OK;
}

jd_status jd_split_forces(exact *e, double t) {
    int n;
    e->smooth = false;
    for (int j = 0; j < e->m; j++) {
        e->rest[j] = is_held(e->marks[j]);
        e->touch[j] = e->marks[j] == UPPER ? 1 : e->marks[j] == LOWER ? -1 : 0;
        e->releasing[j] = false;
    }
    JD_TRY(forces(e, t, &n));
    if (n == 0 || !e->rank_missing) return JD_OK;
    jd_mark_spanned(e, n, e->fset, e->fbound, e->spanned);
    for (int i = 0; i < n; i++)
        if (e->fbound[i] != JD_INSIDE && e->spanned[i]) e->order[e->fset[i]] = LEANS;
    return JD_OK;
}

// The wall contact i of the set is on without moving off it, or JD_INSIDE. A contact that reached
// its limit (releasing) is on it whatever rounding makes of the force here, as long as forces are
// continuous: the search has proved it. Otherwise rounding is measured by the terms that were
// summed up; for a stop, whose limit is 0, that is the only scale there is. A soft landing has no
// force.
static jd_bound tied_wall(const exact *e, int i, int n, double t) {
    int j = e->fset[i];
    if (e->soft[j]) return e->touch[j] > 0 ? JD_AT_HIGH : JD_AT_LOW;
    bool proved = e->releasing[j] && e->smooth && e->flow[i] < e->fhigh[i];
    if (proved) return e->fhigh[i] - e->fx[i] < e->fx[i] - e->flow[i] ? JD_AT_HIGH : JD_AT_LOW;
    double G = e->fG[i * n + i], scale = fabs(e->fx[i]) + fabs(e->fb[i]) / G;
    if (e->releasing[j] || e->contact[j].stop) scale += jd_acceleration_size(e, j, t) / G;
    if (e->rank_missing) scale += jd_dot_size(n, e->fG + i * n, e->fx) / G;
    if (isfinite(e->flow[i])) scale = fmax(scale, fabs(e->flow[i]));
    if (isfinite(e->fhigh[i])) scale = fmax(scale, fabs(e->fhigh[i]));
    double noise = ROUNDING * e->shaken[j];
    if (fabs(e->fa[i]) > (e->rank_missing ? split_wall : near_wall) * G * scale + noise)
        return JD_INSIDE;
    scale += noise / (near_wall * G);
    if (e->fhigh[i] - e->fx[i] <= near_wall * scale) return JD_AT_HIGH;
    return e->fx[i] - e->flow[i] <= near_wall * scale ? JD_AT_LOW : JD_INSIDE;
}

jd_status jd_exact_resolve(exact *e, double t) {
    for (int j = 0; j < e->m; j++) {
        e->order[j] = e->side[j] = 0;
        e->soft[j] = false;
        e->had_slack[j] = e->slack[j] > 0;
        e->slack[j] = 0;
        e->jump[j] = e->shaken[j] = e->shaken_rate[j] = 0;
        e->stamp[j] = t;
        if (e->releasing[j] && e->contact[j].limit < e->contact[j].static_limit) e->smooth = false;
    }
    e->n_hit = 0;
    if (e->n_frozen || (e->b && !e->b->unique)) e->smooth = false; // another split may hold
    bool jumped = jd_impacts(e, t);
    if (e->jam >= 0) return jd_refuse_jam(e, e->jam, t);
    if (jumped) {
        e->smooth = false;
        jd_after_impacts(e, t);
    }
    sort_contacts(e, jumped);
    int n;
    JD_TRY(forces(e, t, &n));
    bool ties = false;
    for (int i = 0; i < n; i++) {
        e->tied[i] = tied_wall(e, i, n, t);
        ties |= e->tied[i] != JD_INSIDE;
        if (e->tied[i] == JD_INSIDE && e->fbound[i] != JD_INSIDE)
            jd_leave(e, e->fset[i], e->fbound[i], 1);
    }
    if (ties) JD_TRY(jd_break_ties(e, t, n));
    for (int j = 0; j < e->m; j++)
        if (e->rest[j] && e->was[j] != e->marks[j])
            jd_record(e, e->stamp[j], j, e->was[j], e->marks[j], 0, 0);
    return JD_OK;
}
