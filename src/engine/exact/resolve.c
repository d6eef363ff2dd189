// resolve.c -- what happens at an event: impacts, then which contacts hold, slide, open or close.
//   Rules (docs/decisions/0003-events.md), in this order:
//   1. Stops reached with approach speed exchange impulse (impact.c). Friction forces are finite,
//   so
//      friction contacts take no part: a stuck point that jumps slides.
//   2. Contacts at rest get the forces x that minimise 1/2 x'G x + b'x in their boxes: inside the
//   box
//      they hold, on its wall they slide or open with the acceleration a = G x + b that remains.
//   3. On the wall without acceleration (a tie) the next derivative decides by the same minimum.
//   The order of the first derivative that moves is handed to the guard of the next phase.
#include <math.h>

#include "engine/exact/dependent.h"
#include "engine/exact/exact.h"

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

// A contact pushed onto its static limit lets go and has only its kinetic limit from then on.
static bool lets_go(exact *e, int n) {
    bool any = false;
    for (int i = 0; i < n; i++) {
        int j = e->fset[i];
        const contact *c = &e->contact[j];
        if (e->fbound[i] == JD_INSIDE || e->releasing[j] || c->limit >= c->static_limit) continue;
        any = e->releasing[j] = true;
        e->smooth = false;
    }
    return any;
}

// The box problem of the set with accelerations `without` these forces; where rows depend on each
// other, the shortest split.
static jd_status solve_box(exact *e, int n, const double *without) {
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
        double limit = e->releasing[j] ? c->limit : c->static_limit;
        e->flow[n] = !c->stop ? -limit : e->touch[j] > 0 ? -HUGE_VAL : 0;
        e->fhigh[n] = !c->stop ? limit : e->touch[j] > 0 ? 0 : HUGE_VAL;
        e->fb[n] = jd_lanes_dot(e->n, c->row, e->acc);
        e->fset[n++] = j;
    }
    *count = n;
    if (!n) return JD_OK;
    jd_restrict_coupling(e, n);
    e->rank_missing = n > 1 && !jd_all_independent(e, n, e->fset);
    return solve_box(e, n, e->acc);
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

// Sum of the terms |G_ik x_k| of contact i: what its acceleration is rounded by.
static double sum_size(const exact *e, int i, int n) {
    return jd_dot_size(n, e->fG + i * n, e->fx);
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
    if (e->rank_missing) scale += sum_size(e, i, n) / G;
    if (isfinite(e->flow[i])) scale = fmax(scale, fabs(e->flow[i]));
    if (isfinite(e->fhigh[i])) scale = fmax(scale, fabs(e->fhigh[i]));
    double noise = ROUNDING * e->shaken[j];
    if (fabs(e->fa[i]) > (e->rank_missing ? split_wall : near_wall) * G * scale + noise)
        return JD_INSIDE;
    scale += noise / (near_wall * G);
    if (e->fhigh[i] - e->fx[i] <= near_wall * scale) return JD_AT_HIGH;
    return e->fx[i] - e->flow[i] <= near_wall * scale ? JD_AT_LOW : JD_INSIDE;
}

// Contact j leaves rest through a wall; order of the derivative of its velocity that moves it.
static void leave(exact *e, int j, jd_bound wall, int order) {
    if (e->contact[j].stop) {
        e->marks[j] = OPEN;
        e->order[j] = order + 1;
        e->side[j] = e->touch[j];
    } else {
        e->marks[j] = wall == JD_AT_HIGH ? MINUS : PLUS; // force +limit: the structure moves down
        e->order[j] = order;
        e->side[j] = wall == JD_AT_HIGH ? 1 : -1;
    }
}

// Contact j is on its limit, and whether its force moves off it is below rounding. It stays, and
// its force may pass the limit by rounding before it is looked at again; one that has done so lets
// go (true). Where no force acts on it at all there is nothing to decide.
static bool waits(exact *e, int j, double t, double rate_size) {
    double size = (jd_acceleration_size(e, j, t) + e->shaken[j]) / e->G[j * e->m + j];
    bool again = e->had_slack[j], unloaded = !(size > 0 || rate_size > 0);
    if (again && e->releasing[j]) {
        e->undecided++;
        return true;
    }
    if (unloaded && e->jump[j] > 0) return true; // handed on an impulse, and nothing presses it
    if (!again && !unloaded) e->undecided++;
    e->slack[j] = unloaded ? HUGE_VAL : ROUNDING * size;
    if (rate_size > 0) e->slack[j] += ROUNDING * rate_size / e->rate_max / e->G[j * e->m + j];
    return false;
}

// Which contacts of the set depend on those at rest that are not on a wall (spanned[i]), and on
// those that the rates leave inside their boxes (spanned[m + i])?
static void find_spanned(exact *e, int m) {
    for (int k = 0; k < m; k++) {
        bool firm = e->tied[k] == JD_INSIDE && e->fbound[k] == JD_INSIDE;
        e->firm[k] = firm ? JD_INSIDE : JD_AT_LOW;
    }
    jd_mark_spanned(e, m, e->fset, e->firm, e->spanned);
    jd_mark_spanned(e, m, e->fset, e->fbound, e->spanned + m);
}

// Rule 3: rates of the forces of held and tied contacts.
static jd_status break_ties(exact *e, double t, int n) {
    int m = 0;
    jd_acceleration_rate(e, t);
    for (int i = 0; i < n; i++) { // the set shrinks in place: i >= m
        if (e->tied[i] == JD_INSIDE && e->fbound[i] != JD_INSIDE) continue;
        int j = e->fset[i];
        jd_bound wall = e->tied[i];
        e->fset[m] = j;
        e->tied[m] = wall;
        e->fb[m] = jd_lanes_dot(e->n, e->contact[j].row, e->jerk);
        bool flat = e->flow[i] == e->fhigh[i]; // a box of no width: the force cannot change
        e->flow[m] = wall == JD_AT_LOW || flat ? 0 : -HUGE_VAL;
        e->fhigh[m++] = wall == JD_AT_HIGH || flat ? 0 : HUGE_VAL;
    }
    jd_restrict_coupling(e, m);
    JD_TRY(solve_box(e, m, e->jerk));
    if (e->rank_missing) find_spanned(e, m);
    for (int i = 0; i < m; i++) {
        int j = e->fset[i];
        if (e->tied[i] == JD_INSIDE) continue;
        bool moves = e->fbound[i] != JD_INSIDE;
        if (moves) e->tied[i] = e->fbound[i];
        if (e->rank_missing && (e->spanned[i] || (moves && e->spanned[m + i]))) {
            e->order[j] = LEANS; // those it depends on hold, so it does
            e->side[j] = 0;
            continue;
        }
        double size = jd_acceleration_rate_size(e, j) + e->shaken_rate[j];
        if (e->rank_missing) size += sum_size(e, i, m);
        if (fabs(moves ? e->fa[i] : e->fG[i * m + i] * e->fx[i]) <= ROUNDING * size &&
            !(moves = waits(e, j, t, size)))
            continue;
        if (moves) {
            leave(e, j, e->tied[i], 2);
        } else {
            e->order[j] = 1;
            e->side[j] = e->tied[i] == JD_AT_HIGH ? 1 : -1;
        }
    }
    return JD_OK;
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
            leave(e, e->fset[i], e->fbound[i], 1);
    }
    if (ties) JD_TRY(break_ties(e, t, n));
    for (int j = 0; j < e->m; j++)
        if (e->rest[j] && e->was[j] != e->marks[j])
            jd_record(e, e->stamp[j], j, e->was[j], e->marks[j], 0, 0);
    return JD_OK;
}
