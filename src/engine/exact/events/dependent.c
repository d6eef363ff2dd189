// dependent.c -- contacts at rest whose rows depend on each other: the same point twice, friction
// and stop on one mass, more contacts than modes.
//   The motion is unique, the split of the forces is not: G_hh is singular. All contacts at rest
//   are held together, with the split that is shortest in units of their limits (resolve.c,
//   basis.c): x = U (B'U)^+ r, a function of the motion like any other. One whose force reaches its
//   limit stays there (LEANS) like a constant drive, as long as the others can carry the rest: as
//   long as its row is a combination of theirs. So nothing lets go that another split could hold.
//   At every event the split is made anew.               tested: tests/cross/exact_dependent.c
//   Which rows depend on each other: orthogonalisation of the rows themselves (of G it would lose
//   half of the digits), the largest rest first; a row of which less than 1e-6 is left is a
//   combination of those before it.
//   Nearly dependent (many contacts in one place of a structure with few modes): the weakest
//   direction is held by forces that are much larger than what they hold, and where they end is not
//   known to the digits that an event needs. Where there are more contacts than the modes can tell
//   apart, a row with 1e-11 to 1e-6 of its own makes the model refused (taken as dependent it would
//   creep while it is held), and one with less than 1e-3 the run not certified.
//                                                         tested: tests/cross/exact_crowded.c
#include <math.h>
#include <string.h>

#include "engine/exact/events/dependent.h"
#include "engine/exact/exact.h"
#include "linalg/least_squares.h"

static const double own_part = SAME_ROW * SAME_ROW; // of G_jj: square of the rest of row j
static const double pushed_back = 1e-9; // of the terms of an acceleration: less is rounding
static const double no_reserve = 1e-6;  // of a limit: less is none
static const double is_clear = 1e-3, is_rounding = 1e-11; // of a row, beside those taken before
static const double is_jam = 1e-6;                        // of a speed: more is no rounding
static const double least_unit = 1e-2;                    // of the largest unit of force

// Units belong to contacts, not to sets: the split at an event, among all at rest, must be that of
// the phase after it, among those that are held.
void jd_force_units(const exact *e, int n, const int *set, double *unit) {
    double most = 0;
    for (int j = 0; j < e->plan.m; j++)
        if (!e->plan.contact[j].stop) most = fmax(most, e->plan.contact[j].static_limit);
    if (!(most > 0)) most = 1;
    for (int i = 0; i < n; i++) {
        const contact *c = &e->plan.contact[set[i]];
        unit[i] = c->stop ? most : fmax(c->static_limit, least_unit * most);
    }
}

// Of the n contacts the one with the largest own part left, of those that may be taken; -1: none.
static int next_pivot(const exact *e, int n, const int *set, const double *own, const bool *out) {
    int best = -1;
    double most = own_part;
    for (int i = 0; i < n; i++) {
        double share = own[i] / e->plan.G[set[i] * e->plan.m + set[i]];
        if (out[i] || !(share > most)) continue;
        most = share;
        best = i;
    }
    return best;
}

// Takes the direction of what is left of row `pivot` out of all rows.
static void eliminate(exact *e, int n, int pivot, double *own) {
    double *unit = e->dependent.rows_left + pivot * e->plan.n,
           size = sqrt(jd_lanes_dot(e->plan.n, unit, unit));
    for (int l = 0; l < e->plan.n; l++) unit[l] /= size;
    for (int i = 0; i < n; i++) {
        double *row = e->dependent.rows_left + i * e->plan.n;
        if (i == pivot) continue;
        for (int twice = 0; twice < 2; twice++)
            jd_add_row(e->plan.n, -jd_lanes_dot(e->plan.n, unit, row), unit, row);
        own[i] = jd_lanes_dot(e->plan.n, row, row);
    }
    for (int l = 0; l < e->plan.n; l++) unit[l] = 0;
    own[pivot] = 0;
}

// Eliminates those that are not in `out`; order (may be NULL): which, in turn. Returns how many
// there are; own: square of what is left of each row.
static int reduce(exact *e, int n, const int *set, bool *out, int *order, double *own) {
    int done = 0;
    for (int i = 0; i < n; i++) {
        memcpy(e->dependent.rows_left + i * e->plan.n, e->plan.contact[set[i]].row,
               (size_t)e->plan.n * sizeof *own);
        own[i] = e->plan.G[set[i] * e->plan.m + set[i]];
    }
    for (int pivot; (pivot = next_pivot(e, n, set, own, out)) >= 0; done++) {
        eliminate(e, n, pivot, own);
        out[pivot] = true;
        if (order) order[done] = pivot;
    }
    return done;
}

int jd_independent_rows(exact *e, int n, const int *set, int *order) {
    memset(e->dependent.spanned, 0, (size_t)n * sizeof *e->dependent.spanned);
    return reduce(e, n, set, e->dependent.spanned, order, e->dependent.unit);
}

bool jd_all_independent(exact *e, int n, const int *set) {
    int known = 0;
    for (int i = 0; i < n; i++) known += e->dependent.apart[set[i]];
    if (known == n) return true;
    if (jd_independent_rows(e, n, set, NULL) < n) return false;
    memset(e->dependent.apart, 0, (size_t)e->plan.m * sizeof *e->dependent.apart);
    for (int i = 0; i < n; i++) e->dependent.apart[set[i]] = true;
    return true;
}

void jd_mark_spanned(exact *e, int n, const int *set, const jd_bound *bound, bool *spanned) {
    for (int i = 0; i < n; i++) spanned[i] = bound[i] != JD_INSIDE;
    reduce(e, n, set, spanned, NULL, e->dependent.unit);
    for (int i = 0; i < n; i++)
        spanned[i] = !(e->dependent.unit[i] > own_part * e->plan.G[set[i] * e->plan.m + set[i]]);
}

static jd_status refuse(exact *e, int j) {
    const char *name = jd_problem_contact(e->run->problem, j)->name;
    jd_fail(e->run->context, JD_NOT_SUPPORTED,
            "contact `%s` nearly depends on the others: there are more contacts than the modes can "
            "tell apart, and their common force cannot be shared out reliably",
            name);
    jd_fail_where(e->run->context, "contacts.%s.at", name);
    jd_fail_hint(e->run->context, "%s",
                 "put the contacts further apart, join neighbours into one with the sum of their "
                 "limits, or keep more modes");
    return JD_NOT_SUPPORTED;
}

// What is left of the weakest of the rows that are taken as independent, of 1; *left: a contact
// whose row is not quite a combination of theirs, or -1. Returns how many rows are.
static int weigh_rows(exact *e, int n, double *least, int *left) {
    int done = 0;
    *least = 1;
    *left = -1;
    for (int pivot;
         (pivot = next_pivot(e, n, e->box.set, e->dependent.unit, e->dependent.spanned)) >= 0;
         done++) {
        int j = e->box.set[pivot];
        *least = fmin(*least, sqrt(e->dependent.unit[pivot] / e->plan.G[j * e->plan.m + j]));
        eliminate(e, n, pivot, e->dependent.unit);
        e->dependent.spanned[pivot] = true;
    }
    for (int i = 0; i < n; i++) {
        int j = e->box.set[i];
        if (!e->dependent.spanned[i] &&
            sqrt(e->dependent.unit[i] / e->plan.G[j * e->plan.m + j]) > is_rounding)
            *left = j;
    }
    return done;
}

// A contact whose static limit is above the kinetic one, among more contacts than the modes can
// tell apart: which of them are at their limits when they let go has been checked at one point
// only, where nothing but the sums counts (tested: static_limits_in_parts_add_up).
static bool is_higher_at_rest(const exact *e) {
    for (int j = 0; j < e->plan.m; j++)
        if (!e->plan.contact[j].stop && e->plan.contact[j].static_limit > e->plan.contact[j].limit)
            return true;
    return false;
}

// Directions among the n rows of fset: contacts at one point, and on opposite sides, have the same.
static int directions(const exact *e, int n) {
    int count = 0;
    for (int i = 0; i < n; i++) {
        int j = e->box.set[i], same = 0;
        for (int k = 0; k < i && !same; k++) {
            int o = e->box.set[k];
            double g = e->plan.G[j * e->plan.m + o],
                   both = e->plan.G[j * e->plan.m + j] * e->plan.G[o * e->plan.m + o];
            same = g * g >= (1 - own_part) * both;
        }
        count += !same;
    }
    return count;
}

jd_status jd_judge_dependence(exact *e) {
    int n = 0, left;
    double least;
    for (int j = 0; j < e->plan.m; j++) {
        if (!(e->plan.G[j * e->plan.m + j] > 0)) continue;
        memcpy(e->dependent.rows_left + n * e->plan.n, e->plan.contact[j].row,
               (size_t)e->plan.n * sizeof *e->dependent.rows_left);
        e->dependent.unit[n] = e->plan.G[j * e->plan.m + j];
        e->dependent.spanned[n] = false;
        e->box.set[n++] = j;
    }
    int rank = weigh_rows(e, n, &least, &left);
    bool all = rank == n, crowded = rank < directions(e, n);
    e->plan.nearly_dependent = !all && (least < is_clear || (crowded && is_higher_at_rest(e)));
    return !all && left >= 0 ? refuse(e, left) : JD_OK;
}

jd_status jd_refuse_jam(exact *e, int j, double t) {
    const char *name = jd_problem_contact(e->run->problem, j)->name;
    jd_fail(e->run->context, JD_NOT_SUPPORTED,
            "at t = %.9g s the counterparts of `%s` and of other contacts close in on each other: "
            "no motion of the modes that are kept is left",
            t, name);
    jd_fail_where(e->run->context, "contacts.%s", name);
    jd_fail_hint(e->run->context, "%s",
                 "let the counterpart that moves end before it jams the structure, or keep more "
                 "modes");
    return JD_NOT_SUPPORTED;
}

// Rows that depend on each other move together, B_i q' = B_i S w with S over independent ones;
// stops whose counterparts do not move so leave no motion that keeps them all.
jd_status jd_judge_jam(exact *e) {
    const basis *b = e->phase.b;
    bool depend = e->plan.belts && b->ms > 0 && (e->dependent.n_frozen || !b->unique);
    for (int j = 0; depend && j < e->plan.m; j++) {
        const contact *c = &e->plan.contact[j];
        if (!jd_contact_at_rest(e->state.contact[j])) continue;
        double speed = 0, size = fabs(c->belt);
        for (int l = 0; l < e->plan.n; l++)
            for (int k = 0; k < b->ms; k++) {
                double part = c->row[l] * b->S[l * b->ms + k] * e->plan.contact[b->held[k]].belt;
                speed += part;
                size += fabs(part);
            }
        if (fabs(speed - c->belt) <= is_jam * size) continue;
        return jd_refuse_jam(e, j, e->state.t0);
    }
    return JD_OK;
}

void jd_choose_held(exact *e) {
    e->dependent.n_frozen = 0;
    for (int j = 0; j < e->plan.m; j++) {
        e->dependent.frozen[j] =
            jd_contact_at_rest(e->state.contact[j]) && e->state.order[j] == LEANS;
        e->dependent.n_frozen += e->dependent.frozen[j];
    }
}

// One that has reached its limit and gets no reserve by another split stays on it.
static void pin_exhausted(exact *e, int n) {
    for (int i = 0; i < n; i++) {
        double room = no_reserve * e->dependent.unit[i];
        if (!e->event.releasing[e->box.set[i]] || e->box.bound[i] != JD_INSIDE) continue;
        if (e->box.high[i] - e->box.x[i] <= room) e->box.bound[i] = JD_AT_HIGH;
        if (e->box.x[i] - e->box.low[i] <= room) e->box.bound[i] = JD_AT_LOW;
    }
}

// Forces of those inside, into `to`: the shortest y with |B'U y + without + others' forces| least.
static jd_status split_inside(exact *e, int n, const double *without, double *to) {
    jd_arena_mark here = jd_arena_here(e->arena);
    int inside = 0, columns = 0;
    for (int i = 0; i < n; i++) inside += e->box.bound[i] == JD_INSIDE;
    if (inside == 0) return JD_OK;
    int rows = inside > e->plan.n ? inside : e->plan.n; // rows beyond n are zero
    double *A = JD_TAKE(e->arena, double, rows *inside), *b = JD_TAKE(e->arena, double, rows);
    JD_TRY(jd_arena_status(e->arena));
    for (int l = 0; l < e->plan.n; l++) b[l] = -without[l];
    for (int i = 0; i < n; i++) {
        const double *row = e->plan.contact[e->box.set[i]].row;
        if (e->box.bound[i] != JD_INSIDE)
            jd_add_row(e->plan.n, -e->box.x[i], row, b);
        else
            jd_add_row(e->plan.n, e->dependent.unit[i], row, A + rows * columns++);
    }
    JD_TRY(jd_least_squares(e->arena, rows, inside, 1, A, b, SAME_ROW));
    for (int i = 0, k = 0; i < n; i++)
        if (e->box.bound[i] == JD_INSIDE) to[i] = e->dependent.unit[i] * b[k++];
    jd_arena_back(e->arena, here);
    return JD_OK;
}

// Goes from fx towards `to`; the first wall on the way stops it (true).
static bool meets_wall(exact *e, int n, const double *to) {
    int wall = -1;
    double step = 1;
    for (int i = 0; i < n; i++) {
        if (e->box.bound[i] != JD_INSIDE || (to[i] >= e->box.low[i] && to[i] <= e->box.high[i]))
            continue;
        double limit = to[i] > e->box.high[i] ? e->box.high[i] : e->box.low[i];
        double s =
            to[i] != e->box.x[i] ? fmax(0, (limit - e->box.x[i]) / (to[i] - e->box.x[i])) : 0;
        if (wall >= 0 && s >= step) continue;
        wall = i;
        step = s;
    }
    for (int i = 0; i < n; i++)
        if (e->box.bound[i] == JD_INSIDE)
            e->box.x[i] = wall < 0 ? to[i] : e->box.x[i] + step * (to[i] - e->box.x[i]);
    if (wall >= 0) e->box.bound[wall] = to[wall] > e->box.high[wall] ? JD_AT_HIGH : JD_AT_LOW;
    return wall >= 0;
}

// Accelerations that remain; the contact on a wall that they push back into its box the most comes
// off it (true).
static bool comes_off(exact *e, int n) {
    int worst = -1;
    double most = pushed_back;
    for (int i = 0; i < n; i++) {
        double size, sum = jd_dot_with_size(n, e->box.G + i * n, e->box.x, &size);
        e->box.a[i] = e->box.bound[i] == JD_INSIDE ? 0 : e->box.b[i] + sum;
        if (e->box.bound[i] == JD_INSIDE || e->box.low[i] == e->box.high[i]) continue;
        double wrong = (e->box.bound[i] == JD_AT_HIGH ? e->box.a[i] : -e->box.a[i]) /
                       (size + fabs(e->box.b[i]));
        if (!(wrong > most)) continue;
        worst = i;
        most = wrong;
    }
    if (worst >= 0) e->box.bound[worst] = JD_INSIDE;
    return worst >= 0;
}

jd_status jd_shortest_split(exact *e, int n, const double *without) {
    double *to = e->box.scratch;
    pin_exhausted(e, n);
    for (int pass = 0; pass < 4 * n + 4; pass++) {
        for (int i = 0; i < n; i++) {
            if (e->box.bound[i] == JD_AT_HIGH) e->box.x[i] = e->box.high[i];
            if (e->box.bound[i] == JD_AT_LOW) e->box.x[i] = e->box.low[i];
        }
        JD_TRY(split_inside(e, n, without, to));
        if (!meets_wall(e, n, to) && !comes_off(e, n)) break;
    }
    for (int i = 0; i < n; i++) // a box of no width binds on the side the motion chooses
        if (e->box.low[i] == e->box.high[i])
            e->box.bound[i] = e->box.a[i] > 0 ? JD_AT_LOW : JD_AT_HIGH;
    return JD_OK;
}
