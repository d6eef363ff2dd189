// ties.c -- contacts on their limit without acceleration: the first derivative that moves decides.
//   The force lambda of a contact at rest and its acceleration a have derivatives of every order k:
//     q^(k+2) = f^(k) - C q^(k+1) - Omega^2 q^(k) + B' lambda^(k)
//   and lambda^(k), a^(k) solve the same box problem order by order. A contact that all lower
//   orders left on its wall has the box of its wall (outward nothing, inward without end), one that
//   holds has no walls, one that has left has no part any more. Outward it leaves: its velocity
//   begins with order k + 1; inward it holds: its force leaves the limit with order k. Scale-free:
//   times are measured by the fastest rate r, x_k = q^(k)/r^(k-2), so that all orders are
//   accelerations and none overflows:
//     x_{k+2} = f^(k)/r^k - (C/r) x_{k+1} - (Omega/r)^2 x_k + B' lambda^(k)/r^k
//   Beside x_k goes its size, the same recursion of the absolute terms: below ROUNDING of it a
//   value is zero. A motion of n coordinates and d drives that vanishes up to order 2(n + d) + 2
//   vanishes for good; what is left there is undecided (or unloaded).
//                                      tested: load_far_from_a_contact_decides_at_any_order
#include <math.h>
#include <string.h>

#include "engine/exact/events/dependent.h"
#include "engine/exact/events/ties.h"

void jd_ties_take(exact *e) {
    tie_series *s = e->box.series = JD_TAKE(e->arena, tie_series, 1);
    e->box.flat = JD_TAKE(e->arena, bool, e->plan.m);
    if (!s) return;
    double **vectors[] = {&s->before,   &s->now,       &s->next,   &s->before_size,
                          &s->now_size, &s->next_size, &s->nothing};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = JD_TAKE(e->arena, double, e->plan.n);
}

void jd_leave(exact *e, int j, jd_bound wall, int order) {
    if (e->plan.contact[j].stop) {
        e->state.contact[j] = JD_CONTACT_OPEN;
        e->state.order[j] = order + 1;
        e->state.side[j] = e->event.touch[j];
    } else {
        e->state.contact[j] =
            wall == JD_AT_HIGH ? JD_CONTACT_SLIDING_MINUS
                               : JD_CONTACT_SLIDING_PLUS; // force +limit: the structure moves down
        e->state.order[j] = order;
        e->state.side[j] = wall == JD_AT_HIGH ? 1 : -1;
    }
}

// Contact j is on its limit, and whether its force moves off it is below rounding. It stays, and
// its force may pass the limit by rounding before it is looked at again; one that has done so lets
// go (true). Where no force acts on it at all there is nothing to decide.
static bool waits(exact *e, int j, double t, double rate_size) {
    double size =
        (jd_acceleration_size(e, j, t) + e->event.shaken[j]) / e->plan.G[j * e->plan.m + j];
    bool again = e->dependent.had_slack[j], unloaded = !(size > 0 || rate_size > 0);
    if (again && e->event.releasing[j]) {
        e->state.undecided++;
        return true;
    }
    if (unloaded && e->event.jump[j] > 0)
        return true; // handed on an impulse, and nothing presses it
    if (!again && !unloaded) e->state.undecided++;
    e->state.slack[j] = unloaded ? HUGE_VAL : ROUNDING * size;
    if (rate_size > 0) e->state.slack[j] += ROUNDING * rate_size / e->plan.G[j * e->plan.m + j];
    return false;
}

// Which contacts of the set depend on those at rest that are not on a wall (spanned[i]), and on
// those that the rates leave inside their boxes (spanned[m + i])?
static void find_spanned(exact *e, int m) {
    for (int k = 0; k < m; k++) {
        bool firm = e->box.tied[k] == JD_INSIDE && e->box.bound[k] == JD_INSIDE;
        e->box.firm[k] = firm ? JD_INSIDE : JD_AT_LOW;
    }
    jd_mark_spanned(e, m, e->box.set, e->box.firm, e->dependent.spanned);
    jd_mark_spanned(e, m, e->box.set, e->box.bound, e->dependent.spanned + m);
}

// k-th derivative of a drive's force over r^k, k >= 1, and the size of its terms.
static double drive_rate(const exact *e, const drive *d, int k, double *size) {
    const jd_drive_segment *s = &d->segment;
    double slope = k == 1 ? s->slope / e->box.series->rate : 0, wave = s->amplitude;
    for (int i = 0; i < k && wave != 0; i++) wave *= s->omega / e->box.series->rate;
    *size = fabs(slope) + fabs(wave);
    double turned = k % 2 ? d->cosine : d->sine;
    return slope + (k % 4 >= 2 ? -wave : wave) * turned;
}

// Damping of each mode by itself; none where it couples them.
static const double *own_damping(const exact *e) {
    return e->plan.C ? e->box.series->nothing : e->plan.c;
}

// Damping that couples modes: out += over sum_k -C_lk v_k, or sum_k |C_lk| v_k of sizes v.
static void add_couplings(const exact *e, double over, const double *v, bool sizes, double *out) {
    int n = e->plan.n;
    for (int l = 0; e->plan.C && l < n; l++)
        for (int k = 0; k < n; k++) {
            double C = over * e->plan.C[l * n + k];
            out[l] += (sizes ? fabs(C) : -C) * v[k];
        }
}

// The slopes of sliding contacts, in the same way.
static void add_slopes(const exact *e, double over, const double *v, bool sizes, double *out) {
    for (int j = 0; j < e->plan.m; j++) {
        const contact *c = &e->plan.contact[j];
        if (c->slope == 0 || slide_sign(e->state.contact[j]) == 0) continue;
        if (sizes)
            jd_add_size(e->plan.n, over * c->slope * jd_dot_size(e->plan.n, c->row, v), c->row,
                        out);
        else
            jd_add_row(e->plan.n, -over * c->slope * jd_lanes_dot(e->plan.n, c->row, v), c->row,
                       out);
    }
}

// Order 0 as the terms it is the sum of: x_1 = r q', x_2 = q'' with the forces of rest.
static void start_series(exact *e, double t) {
    tie_series *s = e->box.series;
    double r = s->rate = e->plan.rate_max > 0 ? e->plan.rate_max : 1;
    jd_tie_begin(e->plan.n, r, e->plan.omega2, own_damping(e), e->state.q, e->state.p, s->before,
                 s->before_size, s->now_size);
    memcpy(s->now, e->scratch.acceleration, (size_t)e->plan.n * sizeof *s->now);
    add_couplings(e, 1 / r, s->before_size, true, s->now_size);
    add_slopes(e, 1 / r, s->before_size, true, s->now_size);
    for (int d = 0; d < e->plan.n_drive; d++) {
        const jd_drive_segment *g = &e->plan.drive[d].segment;
        double force = fabs(g->level) + fabs(g->slope * (t - g->start)) + fabs(g->amplitude);
        jd_drive_turn(&e->plan.drive[d], t);
        jd_add_size(e->plan.n, force, e->plan.drive[d].row, s->now_size);
    }
    for (int j = 0; j < e->plan.m; j++) {
        const contact *c = &e->plan.contact[j];
        bool slides = slide_sign(e->state.contact[j]) != 0;
        double force = slides ? c->limit + fabs(c->slope * c->belt) : fabs(e->state.force[j]);
        if (slides || e->event.rest[j]) jd_add_size(e->plan.n, force, c->row, s->now_size);
    }
}

// x_{k+2} without the forces of contacts at rest, from x_k and x_{k+1}.
static void next_order(exact *e, int k) {
    tie_series *s = e->box.series;
    double over = 1 / s->rate;
    jd_tie_next(e->plan.n, over, e->plan.omega2, own_damping(e), s->before, s->now, s->before_size,
                s->now_size, s->next, s->next_size);
    add_couplings(e, over, s->now, false, s->next);
    add_couplings(e, over, s->now_size, true, s->next_size);
    add_slopes(e, over, s->now, false, s->next);
    add_slopes(e, over, s->now_size, true, s->next_size);
    for (int d = 0; d < e->plan.n_drive; d++) {
        double size, rate = drive_rate(e, &e->plan.drive[d], k, &size);
        if (size == 0) continue;
        jd_add_row(e->plan.n, rate, e->plan.drive[d].row, s->next);
        jd_add_size(e->plan.n, size, e->plan.drive[d].row, s->next_size);
    }
}

// The forces of this order act; on to the next.
static void take_order(exact *e, int m) {
    tie_series *s = e->box.series;
    for (int i = 0; i < m; i++) {
        const double *row = e->plan.contact[e->box.set[i]].row;
        jd_add_row(e->plan.n, e->box.x[i], row, s->next);
        jd_add_size(e->plan.n, e->box.x[i], row, s->next_size);
    }
    double *x = s->before, *size = s->before_size;
    s->before = s->now, s->before_size = s->now_size;
    s->now = s->next, s->now_size = s->next_size;
    s->next = x, s->next_size = size;
}

// The box problem of order k: the set shrinks to those that hold or are tied.
static jd_status solve_order(exact *e, int n, int *count) {
    int m = 0;
    for (int i = 0; i < n; i++) { // in place: i >= m
        int j = e->box.set[i];
        jd_bound wall = e->box.tied[i];
        if (!jd_contact_at_rest(e->state.contact[j])) continue;
        bool flat = e->box.flat[i]; // a box of no width: the force cannot change
        e->box.set[m] = j;
        e->box.tied[m] = wall;
        e->box.flat[m] = flat;
        e->box.b[m] = jd_lanes_dot(e->plan.n, e->plan.contact[j].row, e->box.series->next);
        e->box.low[m] = wall == JD_AT_LOW || flat ? 0 : -HUGE_VAL;
        e->box.high[m++] = wall == JD_AT_HIGH || flat ? 0 : HUGE_VAL;
    }
    *count = m;
    jd_restrict_coupling(e, m);
    return jd_solve_box(e, m, e->box.series->next);
}

// What contact i of the set is rounded by in this order.
static double order_size(const exact *e, int i, int m) {
    int j = e->box.set[i];
    double size = e->event.shaken_rate[j] / e->box.series->rate +
                  jd_dot_size(e->plan.n, e->plan.contact[j].row, e->box.series->next_size);
    return size + jd_dot_size(m, e->box.G + i * m, e->box.x);
}

// Those it depends on hold, so contact i of the set does.
static bool leans(exact *e, int i, int m, bool moves) {
    if (!e->dependent.rank_missing ||
        !(e->dependent.spanned[i] || (moves && e->dependent.spanned[m + i])))
        return false;
    e->state.order[e->box.set[i]] = LEANS;
    e->state.side[e->box.set[i]] = 0;
    return true;
}

// What order k says about the tied contacts of the set; how many it leaves tied. last: they wait.
static int decide(exact *e, int m, int k, double t, bool last) {
    int left = 0;
    if (e->dependent.rank_missing) find_spanned(e, m);
    for (int i = 0; i < m; i++) {
        int j = e->box.set[i];
        if (e->box.tied[i] == JD_INSIDE) continue;
        bool moves = e->box.bound[i] != JD_INSIDE;
        jd_bound wall = moves ? e->box.bound[i] : e->box.tied[i];
        if (leans(e, i, m, moves)) continue;
        double size = order_size(e, i, m);
        if (fabs(moves ? e->box.a[i] : e->box.G[i * m + i] * e->box.x[i]) <= ROUNDING * size) {
            left++;
            if (last && waits(e, j, t, size)) jd_leave(e, j, wall, 2);
        } else if (moves) {
            jd_leave(e, j, wall, k + 1);
        } else {
            e->state.order[j] = k;
            e->state.side[j] = wall == JD_AT_HIGH ? 1 : -1;
            e->box.tied[i] = JD_INSIDE;
        }
    }
    return left;
}

// Dependent contacts are looked at once: their split is made anew at every event.
jd_status jd_break_ties(exact *e, double t, int n) {
    int orders = e->dependent.rank_missing ? 1 : 2 * (e->plan.n + e->plan.n_drive) + 2, m = n,
        left = 1;
    if (orders > MANY_ORDERS) orders = MANY_ORDERS;
    for (int i = 0; i < n; i++) e->box.flat[i] = e->box.low[i] == e->box.high[i];
    start_series(e, t);
    for (int k = 1; k <= orders && left > 0; k++) {
        next_order(e, k);
        JD_TRY(solve_order(e, m, &m));
        left = decide(e, m, k, t, k == orders);
        if (left > 0) take_order(e, m);
    }
    return JD_OK;
}
