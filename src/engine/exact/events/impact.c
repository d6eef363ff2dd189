// impact.c -- impulses at stops, Newton's law over all stops that touch at once.
//   v+ = v- + G P,  v+ + e v- complementary to P:  the box problem of forces.h with b = (1 + e) v-
//   E+ - E- = P'(v- + v+)/2;  one stop: -(1 - e^2) v-^2/(2G)   tested: impacts_lose_what_e_says
//   Soft landing, e = 1: a contact that touches with v = 0 and a = 0 stays when j > 0. A place
//   known to d only blurs that by (6d/j)^1/3 in time, (9 j d^2/2)^1/3 in v, (6 j^2 d)^1/3 in a:
//   below these it lands softly. Counted as undecided.
//   tested: orbits_that_rest_close_in_the_exact_engine
#include <math.h>

#include "engine/exact/exact.h"

static const double soft_place = 1e-13; // relative: what a start from a file may miss the stop by
static const double jam_speed = 1e-6;   // relative: more is no rounding
static const double soft_speed = 1e-6; // of the speeds there are: faster landings are not looked at

// Impulses fx act; speed and rest are those after them.
static void exchange(exact *e, double t, int n) {
    for (int i = 0; i < n; i++)
        jd_add_row(e->plan.n, e->box.x[i], e->plan.contact[e->box.set[i]].row, e->state.p);
    for (int j = 0; j < e->plan.m; j++)
        for (int i = 0; i < n; i++)
            e->event.jump[j] += fabs(e->plan.G[j * e->plan.m + e->box.set[i]] * e->box.x[i]);
    for (int i = 0; i < n; i++) {
        int j = e->box.set[i];
        double before = e->event.speed[j];
        e->event.speed[j] = jd_speed_at(e, j, &e->event.rest[j]);
        if (e->box.x[i] == 0) continue;
        e->tangent.hit[e->tangent.n_hit++] = j;
        e->ledger.impact_loss[j] -= e->box.x[i] * (before + e->event.speed[j]) / 2;
        e->ledger.belt_work[j] += e->box.x[i] * e->plan.contact[j].belt;
        bool open = e->state.contact[j] == JD_CONTACT_OPEN;
        if (open || !e->event.rest[j])
            jd_record(e, t, j, e->state.contact[j], JD_CONTACT_OPEN, open ? fabs(before) : 0,
                      e->box.x[i]);
        if (!e->event.rest[j]) e->state.contact[j] = JD_CONTACT_OPEN;
    }
}

// Before impulses act: how large places were, as accelerations. Where a motion comes to rest in its
// equilibrium, what is left of it is nothing but their rounding.
static void measure_motion(exact *e) {
    for (int j = 0; j < e->plan.m; j++)
        for (int l = 0; l < e->plan.n; l++) {
            double size = sqrt(e->plan.omega2[l]) * fabs(e->plan.contact[j].row[l] * e->state.p[l]);
            e->event.shaken[j] += size;
            e->event.shaken_rate[j] += sqrt(e->plan.omega2[l]) * size;
        }
}

// Does a contact at rest push contact j? Its force is not in the acceleration used here.
static bool pushed(const exact *e, int j) {
    for (int i = 0; i < e->plan.m; i++)
        if (i != j && e->plan.G[i * e->plan.m + j] != 0 &&
            (jd_contact_at_rest(e->state.contact[i]) || e->event.touch[i]))
            return true;
    return false;
}

// Does contact j land softly on an elastic stop, as far as the rounding of its place allows to
// tell? Then it stays there.
static bool lands_softly(exact *e, int j, double t) {
    const contact *c = &e->plan.contact[j];
    double v = e->event.touch[j] * e->event.speed[j],
           size = fabs(c->gap) + jd_dot_size(e->plan.n, c->row, e->state.q);
    double speeds = jd_dot_size(e->plan.n, c->row, e->state.p) + size / e->plan.quick_time;
    if (c->restitution < 1 || v > soft_speed * speeds || pushed(e, j)) return false;
    jd_acceleration(e, t);
    jd_acceleration_rate(e, t);
    double d = soft_place * size, a = jd_lanes_dot(e->plan.n, c->row, e->scratch.acceleration),
           jerk = e->event.touch[j] * jd_lanes_dot(e->plan.n, c->row, e->scratch.jerk);
    return jerk > 0 && v <= cbrt(4.5 * jerk * d * d) && fabs(a) <= cbrt(6 * jerk * jerk * d);
}

// What is left of the speed goes; the time of landing is blurred.
static void land(exact *e, int j) {
    const contact *c = &e->plan.contact[j];
    double v = e->event.speed[j], W = e->plan.G[j * e->plan.m + j];
    double d = soft_place * (fabs(c->gap) + jd_dot_size(e->plan.n, c->row, e->state.q));
    double jerk = e->event.touch[j] * jd_lanes_dot(e->plan.n, c->row, e->scratch.jerk);
    jd_add_row(e->plan.n, -v / W, c->row, e->state.p);
    e->ledger.impact_loss[j] += v * v / (2 * W);
    e->ledger.belt_work[j] -= v / W * c->belt;
    e->state.chatter_error = fmax(e->state.chatter_error, cbrt(6 * d / jerk));
    e->state.undecided++;
    e->event.soft[j] = true;
}

// A stop of the set that still closes after the impulses fx: there are none that keep all of them
// (stops that move towards each other). -1: none.
static int jammed(const exact *e, int n) {
    double fastest = 0;
    for (int i = 0; i < n; i++) fastest = fmax(fastest, fabs(e->event.speed[e->box.set[i]]));
    for (int i = 0; i < n; i++) {
        int j = e->box.set[i];
        double size,
            after = e->event.speed[j] + jd_dot_with_size(n, e->box.G + i * n, e->box.x, &size);
        if (e->event.touch[j] * after > jam_speed * fastest + 10 * ROUNDING * size) return j;
    }
    return -1;
}

bool jd_impacts(exact *e, double t) {
    int n = 0;
    bool hit = false, rests;
    e->event.jam = -1;
    for (int j = 0; j < e->plan.m; j++) {
        if (!e->event.touch[j]) continue;
        double v = e->event.speed[j] = jd_speed_at(e, j, &rests);
        bool arrives =
            e->event.touch[j] * v > 0 && !rests && e->state.contact[j] == JD_CONTACT_OPEN;
        if (e->state.contact[j] == JD_CONTACT_OPEN && e->event.touch[j] * v < 0 &&
            !rests) { // in flight, lower than rounding
            e->state.order[j] = 1;
            e->state.side[j] = e->event.touch[j];
            e->event.touch[j] = 0;
            continue;
        }
        if (arrives && lands_softly(e, j, t)) {
            land(e, j);
            arrives = false;
            v = e->event.speed[j] = 0;
        }
        hit |= arrives;
        e->box.set[n] = j;
        e->box.b[n] = (1 + e->plan.contact[j].restitution) * v;
        e->box.low[n] = e->event.touch[j] > 0 ? -HUGE_VAL : 0;
        e->box.high[n++] = e->event.touch[j] > 0 ? 0 : HUGE_VAL;
    }
    if (!hit) return false;
    measure_motion(e);
    jd_restrict_coupling(e, n);
    if (!jd_forces_solve(n, e->box.G, n, e->box.b, e->box.low, e->box.high, e->box.x, e->box.a,
                         e->box.bound, e->box.scratch))
        e->state.not_unique++;
    e->event.jam = jammed(e, n);
    if (e->event.jam >= 0) return false;
    exchange(e, t, n);
    return true;
}

void jd_after_impacts(exact *e, double t) {
    bool moved = false; // a completed chatter has changed the speeds
    for (int j = 0; j < e->plan.m; j++) {
        if (moved && e->event.touch[j]) e->event.speed[j] = jd_speed_at(e, j, &e->event.rest[j]);
        if (!e->event.touch[j] || e->event.rest[j]) continue;
        double D = jd_chatter(e, j, t, -e->event.touch[j] * e->event.speed[j]);
        if (D < 0) { // flies
            e->state.order[j] = 1;
            e->state.side[j] = e->event.touch[j];
            if (e->state.contact[j] != JD_CONTACT_OPEN)
                jd_record(e, t, j, e->state.contact[j], JD_CONTACT_OPEN, 0, 0);
            e->state.contact[j] = JD_CONTACT_OPEN;
            e->event.touch[j] = 0;
            continue;
        }
        moved = true;
        e->event.stamp[j] = t + D;
    }
}
