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
static const double soft_speed = 1e-6;  // relative: faster landings are not looked at

// Impulses fx act; speed and rest are those after them.
static void exchange(exact *e, double t, int n) {
    for (int i = 0; i < n; i++) jd_add_row(e->n, e->fx[i], e->contact[e->fset[i]].row, e->p);
    for (int j = 0; j < e->m; j++)
        for (int i = 0; i < n; i++) e->jump[j] += fabs(e->G[j * e->m + e->fset[i]] * e->fx[i]);
    for (int i = 0; i < n; i++) {
        int j = e->fset[i];
        double before = e->speed[j];
        e->speed[j] = jd_speed_at(e, j, &e->rest[j]);
        if (e->fx[i] == 0) continue;
        e->hit[e->n_hit++] = j;
        e->impact_loss[j] -= e->fx[i] * (before + e->speed[j]) / 2;
        e->belt_work[j] += e->fx[i] * e->contact[j].belt;
        bool open = e->marks[j] == OPEN;
        if (open || !e->rest[j])
            jd_record(e, t, j, e->marks[j], OPEN, open ? fabs(before) : 0, e->fx[i]);
        if (!e->rest[j]) e->marks[j] = OPEN;
    }
}

// Before impulses act: how large places were, as accelerations. Where a motion comes to rest in its
// equilibrium, what is left of it is nothing but their rounding.
static void measure_motion(exact *e) {
    for (int j = 0; j < e->m; j++)
        for (int l = 0; l < e->n; l++) {
            double size = sqrt(e->omega2[l]) * fabs(e->contact[j].row[l] * e->p[l]);
            e->shaken[j] += size;
            e->shaken_rate[j] += sqrt(e->omega2[l]) * size;
        }
}

// Does a contact at rest push contact j? Its force is not in the acceleration used here.
static bool pushed(const exact *e, int j) {
    for (int i = 0; i < e->m; i++)
        if (i != j && e->G[i * e->m + j] != 0 && (is_held(e->marks[i]) || e->touch[i])) return true;
    return false;
}

// Does contact j land softly on an elastic stop, as far as the rounding of its place allows to
// tell? Then it stays there.
static bool lands_softly(exact *e, int j, double t) {
    const contact *c = &e->contact[j];
    double v = e->touch[j] * e->speed[j], size = fabs(c->gap) + jd_dot_size(e->n, c->row, e->q);
    if (c->restitution < 1 || v > soft_speed * jd_dot_size(e->n, c->row, e->p) || pushed(e, j))
        return false;
    jd_acceleration(e, t);
    jd_acceleration_rate(e, t);
    double d = soft_place * size, a = jd_lanes_dot(e->n, c->row, e->acc),
           jerk = e->touch[j] * jd_lanes_dot(e->n, c->row, e->jerk);
    return jerk > 0 && v <= cbrt(4.5 * jerk * d * d) && fabs(a) <= cbrt(6 * jerk * jerk * d);
}

// What is left of the speed goes; the time of landing is blurred.
static void land(exact *e, int j) {
    const contact *c = &e->contact[j];
    double v = e->speed[j], W = e->G[j * e->m + j];
    double d = soft_place * (fabs(c->gap) + jd_dot_size(e->n, c->row, e->q));
    double jerk = e->touch[j] * jd_lanes_dot(e->n, c->row, e->jerk);
    jd_add_row(e->n, -v / W, c->row, e->p);
    e->impact_loss[j] += v * v / (2 * W);
    e->belt_work[j] -= v / W * c->belt;
    e->chatter_error = fmax(e->chatter_error, cbrt(6 * d / jerk));
    e->undecided++;
    e->soft[j] = true;
}

// A stop of the set that still closes after the impulses fx: there are none that keep all of them
// (stops that move towards each other). -1: none.
static int jammed(const exact *e, int n) {
    double fastest = 0;
    for (int i = 0; i < n; i++) fastest = fmax(fastest, fabs(e->speed[e->fset[i]]));
    for (int i = 0; i < n; i++) {
        int j = e->fset[i];
        double size, after = e->speed[j] + jd_dot_with_size(n, e->fG + i * n, e->fx, &size);
        if (e->touch[j] * after > jam_speed * fastest + 10 * ROUNDING * size) return j;
    }
    return -1;
}

bool jd_impacts(exact *e, double t) {
    int n = 0;
    bool hit = false, rests;
    e->jam = -1;
    for (int j = 0; j < e->m; j++) {
        if (!e->touch[j]) continue;
        double v = e->speed[j] = jd_speed_at(e, j, &rests);
        bool arrives = e->touch[j] * v > 0 && !rests && e->marks[j] == OPEN;
        if (e->marks[j] == OPEN && e->touch[j] * v < 0 &&
            !rests) { // in flight, lower than rounding
            e->order[j] = 1;
            e->side[j] = e->touch[j];
            e->touch[j] = 0;
            continue;
        }
        if (arrives && lands_softly(e, j, t)) {
            land(e, j);
            arrives = false;
            v = e->speed[j] = 0;
        }
        hit |= arrives;
        e->fset[n] = j;
        e->fb[n] = (1 + e->contact[j].restitution) * v;
        e->flow[n] = e->touch[j] > 0 ? -HUGE_VAL : 0;
        e->fhigh[n++] = e->touch[j] > 0 ? 0 : HUGE_VAL;
    }
    if (!hit) return false;
    measure_motion(e);
    jd_restrict_coupling(e, n);
    if (!jd_forces_solve(n, e->fG, n, e->fb, e->flow, e->fhigh, e->fx, e->fa, e->fbound,
                         e->fscratch))
        e->not_unique++;
    e->jam = jammed(e, n);
    if (e->jam >= 0) return false;
    exchange(e, t, n);
    return true;
}

void jd_after_impacts(exact *e, double t) {
    bool moved = false; // a completed chatter has changed the speeds
    for (int j = 0; j < e->m; j++) {
        if (moved && e->touch[j]) e->speed[j] = jd_speed_at(e, j, &e->rest[j]);
        if (!e->touch[j] || e->rest[j]) continue;
        double D = jd_chatter(e, j, t, -e->touch[j] * e->speed[j]);
        if (D < 0) { // flies
            e->order[j] = 1;
            e->side[j] = e->touch[j];
            if (e->marks[j] != OPEN) jd_record(e, t, j, e->marks[j], OPEN, 0, 0);
            e->marks[j] = OPEN;
            e->touch[j] = 0;
            continue;
        }
        moved = true;
        e->stamp[j] = t + D;
    }
}
