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

#include "engine/exact/exact.h"

static const double near_wall = 1e-11; // of the force scale: closer, the next derivative decides

void record(exact *e, double t, int j, mark from, mark to, double speed, double impulse) {
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
        if (jumped) e->rest[j] = at_rest(e, j);
        if (e->rest[j] || (!jumped && m != HELD)) continue;
        e->marks[j] = relative_speed(e, j) > 0 ? PLUS : MINUS;
        if (m != e->marks[j]) record(e, e->stamp[j], j, m, e->marks[j], 0, 0);
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
    }
    return any;
}

// The box problem of the contacts at rest with the limits they have now. Returns their number.
static int solve(exact *e) {
    int n = 0;
    for (int j = 0; j < e->m; j++) {
        if (!e->rest[j]) continue;
        const contact *c = &e->contact[j];
        double limit = e->releasing[j] ? c->limit : c->static_limit;
        e->flow[n] = !c->stop ? -limit : e->touch[j] > 0 ? -HUGE_VAL : 0;
        e->fhigh[n] = !c->stop ? limit : e->touch[j] > 0 ? 0 : HUGE_VAL;
        e->fb[n] = dot(e->n, c->row, e->acc);
        e->fset[n++] = j;
    }
    restrict_coupling(e, n);
    if (n && !jd_forces_solve(n, e->fG, n, e->fb, e->flow, e->fhigh, e->fx, e->fa, e->fbound,
                              e->fscratch))
        e->not_unique++;
    return n;
}

// Rule 2: forces of the contacts at rest. Returns their number; results in fset, fx, fa, fbound.
static int forces(exact *e, double t) {
    bool any = e->n_tangent > 0; // small changes need the acceleration whatever rests
    for (int j = 0; j < e->m; j++)
        if (e->rest[j]) {
            any = true;
            e->was[j] = e->marks[j];
            e->marks[j] = e->contact[j].stop ? (e->touch[j] > 0 ? UPPER : LOWER) : HELD;
        }
    if (!any) return 0;
    acceleration(e, t);
    int n = solve(e);
    while (lets_go(e, n)) solve(e); // each time with one static limit less
    for (int i = 0; i < n; i++) {
        int j = e->fset[i];
        add_row(e->n, e->fx[i], e->contact[j].row, e->acc);
        if (e->nearest && slide_sign(e->was[j]) != 0) margins_tie(e, i, n);
    }
    return n;
}

// The wall contact i of the set is on without moving off it, or JD_INSIDE. A contact that reached
// its limit (releasing) has the limit's force up to the rounding of what was summed up for it; for
// a stop, whose limit is 0, that is the only scale there is. A soft landing has no force.
static jd_bound tied_wall(const exact *e, int i, int n) {
    int j = e->fset[i];
    if (e->soft[j]) return e->touch[j] > 0 ? JD_AT_HIGH : JD_AT_LOW;
    double G = e->fG[i * n + i], scale = fabs(e->fx[i]) + fabs(e->fb[i]) / G;
    if (e->releasing[j]) scale += dot_size(e->n, e->contact[j].row, e->acc) / G;
    if (isfinite(e->flow[i])) scale = fmax(scale, fabs(e->flow[i]));
    if (isfinite(e->fhigh[i])) scale = fmax(scale, fabs(e->fhigh[i]));
    if (fabs(e->fa[i]) > near_wall * G * scale) return JD_INSIDE;
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

// Rule 3: rates of the forces of held and tied contacts.
static void break_ties(exact *e, double t, int n) {
    int m = 0;
    acceleration_rate(e, t);
    for (int i = 0; i < n; i++) { // the set shrinks in place: i >= m
        if (e->tied[i] == JD_INSIDE && e->fbound[i] != JD_INSIDE) continue;
        int j = e->fset[i];
        jd_bound wall = e->tied[i];
        e->fset[m] = j;
        e->tied[m] = wall;
        e->fb[m] = dot(e->n, e->contact[j].row, e->jerk);
        bool flat = e->flow[i] == e->fhigh[i]; // a box of no width: the force cannot change
        e->flow[m] = wall == JD_AT_LOW || flat ? 0 : -HUGE_VAL;
        e->fhigh[m++] = wall == JD_AT_HIGH || flat ? 0 : HUGE_VAL;
    }
    restrict_coupling(e, m);
    jd_forces_solve(m, e->fG, m, e->fb, e->flow, e->fhigh, e->fx, e->fa, e->fbound, e->fscratch);
    for (int i = 0; i < m; i++) {
        int j = e->fset[i];
        if (e->tied[i] == JD_INSIDE) continue;
        bool moves = e->fbound[i] != JD_INSIDE;
        if (moves) e->tied[i] = e->fbound[i];
        double size = dot_size(e->n, e->contact[j].row, e->jerk);
        if (fabs(moves ? e->fa[i] : e->fG[i * m + i] * e->fx[i]) <= ROUNDING * size) {
            e->undecided++;
            moves = e->releasing[j];
        }
        if (moves) {
            leave(e, j, e->tied[i], 2);
        } else {
            e->order[j] = 1;
            e->side[j] = e->tied[i] == JD_AT_HIGH ? 1 : -1;
        }
    }
}

jd_status resolve(exact *e, double t) {
    for (int j = 0; j < e->m; j++) {
        e->order[j] = e->side[j] = 0;
        e->soft[j] = false;
        e->stamp[j] = t;
    }
    e->n_hit = 0;
    bool jumped = impacts(e, t);
    if (jumped) after_impacts(e, t);
    sort_contacts(e, jumped);
    int n = forces(e, t);
    bool ties = false;
    for (int i = 0; i < n; i++) {
        e->tied[i] = tied_wall(e, i, n);
        ties |= e->tied[i] != JD_INSIDE;
        if (e->tied[i] == JD_INSIDE && e->fbound[i] != JD_INSIDE)
            leave(e, e->fset[i], e->fbound[i], 1);
    }
    if (ties) break_ties(e, t, n);
    for (int j = 0; j < e->m; j++)
        if (e->rest[j] && e->was[j] != e->marks[j])
            record(e, e->stamp[j], j, e->was[j], e->marks[j], 0, 0);
    return JD_OK;
}
