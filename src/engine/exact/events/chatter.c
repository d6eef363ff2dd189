// chatter.c -- impacts that follow each other ever faster, summed up to their end.
//   After a bounce of speed v the flights of a stop with e < 1 take about D = 2v/(a(1-e)), a the
//   acceleration into the stop. Once D is short against every motion of the structure, the flights
//   are computed one by one from Taylor series of the whole state about each bounce,
//     x^(k+2) = f^(k) - C x^(k+1) - Omega^2 x^(k) (+ forces of what is held),
//     0 = -v + a s/2 + j s^2/6 + ...   (s: length of the flight; the place is 0 exactly),
//   until the speed w is 1e-4 of v; the rest is taken as closed. D max|lambda| <= 0.02 makes the
//   remainders of order 9 smaller than rounding.
//   The phase that follows has the contact closed from the first bounce t on. Its state at t is the
//   one that leads to the state at the end: the closed motion traced back by the time passed. So
//   what comes after the chatter is right to rounding, in place and velocity; in between,
//   only the contact's own motion (speeds up to v, heights up to v^2/2a) is left out.
//   What the rest leaves out: with r = toward/W the motion that a unit of height goes with, h =
//   w^2/2a, d = 2w/(a(1-e)), the motions with and without it end at the same height and speed, and
//     |dq| <= |C r| h d,   |dq'| <= |Omega^2 r| h d + max|lambda| |C r| h d (docs/theory/exact.md)
//                 tested: bouncing_masses_agree_with_their_own_integration, chatter_on_a_chain_*,
//                 events_agree_with_an_independent_integrator
//   Contacts beside it must not change over D: no friction at rest that an impulse reaches (G_ij !=
//   0) or that springs and dampers bring to its limit, no slide that an impulse could reverse, no
//   closed stop that it opens, none that lands; and no drive that breaks.
//   Otherwise bounces go on until their height is rounding; then the contact is closed, and the run
//   is not certified: speeds up to v are left out.
#include <math.h>
#include <string.h>

#include "engine/exact/exact.h"
#include "linalg/min_norm.h"

static const double longest = 1e-5;     // of the slow period: no chatter is completed before
static const double smooth_rate = 0.02; // largest D max|lambda|
static const double drift = 0.05;       // largest change of a over D
static const double end_speed = 1e-4;   // of the first: the rest is closed at once
static const double shortest = 1e-9;    // of the slow period: completed whatever is beside it
enum { ORDER = CHATTER_ORDER };

// k-th derivative of a drive's force.
static double drive_derivative(drive *d, double t, int k) {
    const jd_drive_segment *s = &d->segment;
    double level = k == 0 ? s->level + s->slope * (t - s->start) : k == 1 ? s->slope : 0;
    if (s->amplitude == 0) return level;
    jd_drive_turn(d, t);
    double wave[] = {d->sine, d->cosine, -d->sine, -d->cosine};
    return level + s->amplitude * pow(s->omega, k) * wave[k % 4];
}

// Forces of the held contacts: out = (1 - B_h' G_hh^-1 B_h) out; fa: the forces.
static void hold(const exact *e, double *out) {
    const basis *b = e->phase.b;
    int n = e->plan.n;
    for (int i = 0; b && i < b->ms; i++) e->box.a[i] = -jd_lanes_dot(n, b->Ghh_inv_B + i * n, out);
    for (int i = 0; b && i < b->ms; i++)
        jd_add_row(n, e->box.a[i], e->plan.contact[b->held[i]].row, out);
}

// What a unit impulse at contact j does while closed stops beside it take theirs: toward = (1 -
// B_h' G_hh^-1 B_h) B_j', W = B_j toward. False where a contact beside it lets go or slides.
static bool direct(exact *e, int j) {
    const basis *b = e->phase.b;
    const contact *c = &e->plan.contact[j];
    memcpy(e->scratch.toward, c->row, (size_t)e->plan.n * sizeof *e->scratch.toward);
    for (int i = 0; b && i < b->ms; i++)
        if (b->held[i] == j || !jd_contact_at_rest(e->state.contact[b->held[i]]) ||
            e->event.releasing[b->held[i]])
            return false;
    for (int i = 0; i < e->plan.m; i++)
        if (jd_contact_at_rest(e->state.contact[i]) && (!b || b->key[i] != 'h')) return false;
    hold(e, e->scratch.toward);
    for (int i = 0; b && i < b->ms; i++) {
        int k = b->held[i];
        if (e->plan.G[k * e->plan.m + j] == 0) continue;
        bool presses = e->event.touch[j] * e->event.touch[k] * e->box.a[i] > 0;
        if (!e->plan.contact[k].stop || !presses || e->plan.contact[k].belt != 0) return false;
    }
    return jd_lanes_dot(e->plan.n, c->row, e->scratch.toward) > 1e-6 * e->plan.G[j * e->plan.m + j];
}

// out = x^(k+2) from x^(k), x^(k+1) at time t, before anything is held.
static void pull(exact *e, double t, int k, const double *x, double *out) {
    jd_springs_and_dampers(e, x, x + e->plan.n, out);
    for (int d = 0; d < e->plan.n_drive; d++)
        jd_add_row(e->plan.n, drive_derivative(&e->plan.drive[d], t, k), e->plan.drive[d].row, out);
    for (int i = 0; k == 0 && i < e->plan.m; i++) {
        const contact *c = &e->plan.contact[i];
        double s = slide_sign(e->state.contact[i]);
        if (s != 0) jd_add_row(e->plan.n, -s * c->limit + c->slope * c->belt, c->row, out);
    }
}

// local[k] = x^(k)/k! at (q, p, t), k = 0 .. order.
static void expand(exact *e, int j, double t, int order, bool closed) {
    int n = e->plan.n;
    const double *row = e->plan.contact[j].row;
    double *x = e->scratch.local, factorial = 1;
    memcpy(x, e->state.q, (size_t)n * sizeof *x);
    memcpy(x + n, e->state.p, (size_t)n * sizeof *x);
    for (int k = 0; k + 2 <= order; k++) {
        double *out = x + (k + 2) * n;
        pull(e, t, k, x + k * n, out);
        hold(e, out);
        if (closed)
            jd_add_row(n, -jd_lanes_dot(n, row, out) / jd_lanes_dot(n, row, e->scratch.toward),
                       e->scratch.toward, out);
    }
    for (int k = 2; k <= order; k++) {
        factorial *= k;
        for (int l = 0; l < n; l++) x[k * n + l] /= factorial;
    }
}

// q, p a time s later.
static void move(exact *e, int order, double s) {
    int n = e->plan.n;
    const double *x = e->scratch.local;
    for (int l = 0; l < n; l++) {
        double q = 0, p = 0;
        for (int k = order; k >= 1; k--) {
            q = q * s + x[k * n + l];
            p = p * s + k * x[k * n + l];
        }
        e->state.q[l] += q * s;
        e->state.p[l] = p;
    }
}

// Length of the flight from z = 0 with the speed v away from the stop; c[k] = z^(k)/k!. < 0: none.
static double flight(const double *c, int order, double reach) {
    double s = -c[1] / c[2];
    for (int i = 0; i < 8; i++) {
        double value = 0, slope = 0;
        for (int k = order; k >= 1; k--) {
            slope = slope * s + value;
            value = value * s + c[k];
        }
        if (!(slope > 0)) return -1;
        double change = value / slope;
        s -= change;
        if (!(s > 0 && s < reach)) return -1;
        if (fabs(change) <= 1e-16 * s) break;
    }
    return s;
}

// Places and velocities, as sqrt(2 energy), that differ at the end of bounces of the first speed w
// that are closed at once; a may change by a tenth while they last.
static double left_out(exact *e, int j, double w, double a) {
    int n = e->plan.n;
    double *zero = e->scratch.vector, *out = zero + n;
    double W = jd_lanes_dot(n, e->plan.contact[j].row, e->scratch.toward), low = 0.9 * a;
    double height = w * w / (2 * low), time = 2 * w / (low * (1 - e->plan.contact[j].restitution));
    memset(zero, 0, (size_t)n * sizeof *zero);
    jd_springs_and_dampers(e, e->scratch.toward, zero, out);
    double by_place = sqrt(jd_lanes_dot(n, out, out));
    jd_springs_and_dampers(e, zero, e->scratch.toward, out);
    double by_speed = sqrt(jd_lanes_dot(n, out, out));
    return 1.1 * (by_place + 2 * e->plan.rate_max * by_speed) / W * height * time;
}

// Size of a state, sqrt(2 energy).
static double size_of(const exact *e, const double *q, const double *p) {
    double sum = 0;
    for (int l = 0; l < e->plan.n; l++) sum += p[l] * p[l] + e->plan.omega2[l] * q[l] * q[l];
    return sqrt(sum);
}

// All flights from t on; returns their time, or -1. q, p: closed at t, leading to the same state.
static double sum_flights(exact *e, int j, double t, double v, double D) {
    const contact *c = &e->plan.contact[j];
    double W = jd_lanes_dot(e->plan.n, c->row, e->scratch.toward), end = end_speed * v, passed = 0,
           first = D;
    int side = e->event.touch[j], order = D * e->plan.rate_max > 1e-3 ? ORDER : ORDER - 3;
    double z[ORDER + 1] = {0};
    while (v > end) {
        expand(e, j, t + passed, order, false);
        z[1] = -v;
        for (int k = 2; k <= order; k++)
            z[k] = side * jd_lanes_dot(e->plan.n, c->row, e->scratch.local + k * e->plan.n);
        double s = z[2] > 0 ? flight(z, order, 2 * first) : -1;
        if (s < 0 || passed + s > 2 * first) return -1;
        move(e, order, s);
        double arrives = side * (jd_lanes_dot(e->plan.n, c->row, e->state.p) - c->belt);
        if (!(arrives > 0 && c->restitution * arrives < v)) return -1;
        jd_add_row(e->plan.n, -side * (1 + c->restitution) * arrives / W, e->scratch.toward,
                   e->state.p);
        v = c->restitution * arrives;
        passed += s;
        D = v / (z[2] * (1 - c->restitution));
    }
    e->state.chatter_motion +=
        left_out(e, j, v, 2 * z[2]) / size_of(e, e->scratch.qt, e->scratch.pt);
    jd_add_row(e->plan.n, side * v / W, e->scratch.toward, e->state.p);
    expand(e, j, t + passed, order, true);
    move(e, order, -passed);
    return passed + D;
}

// Rounding of the place of a contact: what the search allowed for, if it found this one.
static double place_noise(const exact *e, int j) {
    const contact *c = &e->plan.contact[j];
    double size = fabs(c->gap) + jd_dot_size(e->plan.n, c->row, e->state.q), noise = 1e-15 * size;
    if (e->phase.b && e->phase.found.outcome == JD_SEARCH_FOUND && e->phase.found.guard == j)
        noise = fmax(noise, e->phase.found.rounding * fabs(e->phase.found.taylor[1]));
    return noise;
}

// What the bounces of contact j, the first of speed v, do to the speed of contact i at most: their
// impulses add up to those of the force a over D, a D = 2v/(1-e). Twice that.
static double kicks(const exact *e, int i, int j, double v) {
    double W = jd_lanes_dot(e->plan.n, e->plan.contact[j].row, e->scratch.toward),
           reached = fabs(jd_lanes_dot(e->plan.n, e->plan.contact[i].row, e->scratch.toward));
    return 4 * reached / W * v / (1 - e->plan.contact[j].restitution);
}

// Is contact i, which does not rest, as it is for the time D, whatever bounces of contact j do?
static bool stays(const exact *e, int i, int j, double t, double v, double D) {
    const contact *c = &e->plan.contact[i];
    double reach = kicks(e, i, j, v), speed = jd_relative_speed(e, i),
           a = 2 * fabs(jd_lanes_dot(e->plan.n, c->row, e->scratch.local + 2 * e->plan.n));
    jd_contact_state m = e->state.contact[i];
    if (jd_contact_at_rest(m)) return true; // all_hold() has seen to it
    if (e->event.touch[i]) return false;
    if (slide_sign(m) != 0) return slide_sign(m) * speed > reach + 2 * a * D;
    double u = jd_lanes_dot(e->plan.n, c->row, e->state.q) - c->belt * t,
           left = c->both ? c->gap - fabs(u) : c->gap - u;
    return left > (fabs(speed) + reach + a * D) * 2 * D;
}

// Do the forces of all held contacts stay within their limits during the bounces? Springs and
// dampers carry them there where no impulse does: from now on a force changes by its rate, by
// what the contact's speed does to dampers, and its height v^2/2a to springs; twice that.
static bool all_hold(exact *e, int j, double t, double v, double a, double D) {
    const basis *b = e->phase.b;
    int n = e->plan.n;
    double W = jd_lanes_dot(n, e->plan.contact[j].row, e->scratch.toward);
    double swing = 4 * v / ((1 - e->plan.contact[j].restitution) * W), height = v * v / (a * W);
    double *force = e->scratch.acceleration, *rate = e->scratch.jerk, *by_place = e->scratch.vector,
           *by_speed = by_place + n, *x = by_speed + n;
    if (!b || b->ms == 0) return true;
    memset(x, 0, (size_t)n * sizeof *x);
    jd_springs_and_dampers(e, e->scratch.toward, x, by_place);
    jd_springs_and_dampers(e, x, e->scratch.toward, by_speed);
    pull(e, t, 0, e->scratch.local, force);
    memcpy(x, e->state.p, (size_t)n * sizeof *x);
    for (int l = 0; l < n; l++) x[n + l] = 2 * e->scratch.local[2 * n + l];
    pull(e, t, 1, x, rate);
    for (int i = 0; i < b->ms; i++) {
        const contact *c = &e->plan.contact[b->held[i]];
        const double *g = b->Ghh_inv_B + i * n;
        double now = -jd_lanes_dot(n, g, force),
               change = 2 * D * fabs(jd_lanes_dot(n, g, rate)) +
                        swing * fabs(jd_lanes_dot(n, g, by_speed)) +
                        height * fabs(jd_lanes_dot(n, g, by_place));
        double left = c->stop ? -e->event.touch[b->held[i]] * now : c->static_limit - fabs(now);
        if (!(left > change)) return false;
    }
    return true;
}

// Do all contacts, the drives and the acceleration into the stop stay for the time D? After
// expand().
static bool undisturbed(exact *e, int j, double t, double v, double a, double D) {
    const double *row = e->plan.contact[j].row, *x = e->scratch.local;
    if (D * e->plan.rate_max > smooth_rate || t + 2 * D > e->phase.t_break) return false;
    for (int i = 0; i < e->plan.m; i++)
        if (i != j && !stays(e, i, j, t, v, D)) return false;
    double jerk = 6 * jd_lanes_dot(e->plan.n, row, x + 3 * e->plan.n),
           bend = 24 * jd_lanes_dot(e->plan.n, row, x + 4 * e->plan.n);
    return fabs(jerk) * D <= drift * a && fabs(bend) * D * D <= drift * a &&
           all_hold(e, j, t, v, a, D);
}

// Held contacts stay where they were, to the last bit that was known: rounding of the series must
// not let them slide.
static void keep_held(exact *e, const double *before, double *now) {
    double *change = e->scratch.local;
    if (!e->phase.b || e->phase.b->ms == 0) return;
    for (int l = 0; l < e->plan.n; l++) change[l] = now[l] - before[l];
    hold(e, change);
    for (int l = 0; l < e->plan.n; l++) now[l] = before[l] + change[l];
}

// Energy that the change from (qt, pt) to (q, p) takes away, work of belts on impulses included.
static void book(exact *e, int j, double belt_work) {
    double gain = 0;
    for (int l = 0; l < e->plan.n; l++) {
        double dp = e->state.p[l] - e->scratch.pt[l], dq = e->state.q[l] - e->scratch.qt[l];
        gain +=
            (e->scratch.pt[l] + dp / 2) * dp + e->plan.omega2[l] * (e->scratch.qt[l] + dq / 2) * dq;
    }
    e->ledger.impact_loss[j] += belt_work - gain;
}

// The same for an impulse at contact j alone that takes its speed v away.
static void book_alone(exact *e, int j, double v) {
    double P =
        e->event.touch[j] * v / jd_lanes_dot(e->plan.n, e->plan.contact[j].row, e->scratch.toward);
    e->ledger.belt_work[j] += P * e->plan.contact[j].belt;
    book(e, j, P * e->plan.contact[j].belt);
}

// The n contacts of fset lose their speed by the impulse of smallest norm; work of their belts.
static double stop_set(exact *e, int n) {
    double belt_work = 0;
    for (int i = 0; i < n; i++) e->box.b[i] = -jd_relative_speed(e, e->box.set[i]);
    jd_restrict_coupling(e, n);
    jd_min_norm(n, e->box.G, e->box.b, e->box.scratch);
    for (int i = 0; i < n; i++) {
        double work = e->box.b[i] * e->plan.contact[e->box.set[i]].belt;
        jd_add_row(e->plan.n, e->box.b[i], e->plan.contact[e->box.set[i]].row, e->state.p);
        e->ledger.belt_work[e->box.set[i]] += work;
        belt_work += work;
    }
    return belt_work;
}

// Stop j, those that rest and those that this would push back into their stops lose their speed.
static void stop_with_others(exact *e, int j) {
    int n = 0, before = -1;
    double belt_work = 0;
    for (int i = 0; i < e->plan.m; i++)
        if (e->event.touch[i] && (i == j || e->event.rest[i])) e->box.set[n++] = i;
    while (n > before) { // each time with more of them
        before = n;
        belt_work += stop_set(e, n);
        for (int i = 0; i < e->plan.m; i++) {
            bool in = false;
            for (int k = 0; k < n; k++) in |= e->box.set[k] == i;
            if (e->event.touch[i] && !in && e->event.touch[i] * jd_relative_speed(e, i) > 0)
                e->box.set[n++] = i;
        }
    }
    book(e, j, belt_work);
}

// Contacts beside stop j get the states they have just after the impact; their old ones in `was`.
static void states_now(exact *e) {
    for (int i = 0; i < e->plan.m; i++) {
        e->event.was[i] = e->state.contact[i];
        if (e->plan.contact[i].stop) continue;
        e->state.contact[i] = jd_at_rest(e, i)              ? JD_CONTACT_STUCK
                              : jd_relative_speed(e, i) > 0 ? JD_CONTACT_SLIDING_PLUS
                                                            : JD_CONTACT_SLIDING_MINUS;
    }
}

// Acceleration into stop j in flight, forces of all that rest beside it included.
static double acceleration_beside(exact *e, int j, double t) {
    int n = 0;
    states_now(e);
    jd_acceleration(e, t);
    for (int i = 0; i < e->plan.m; i++) {
        const contact *c = &e->plan.contact[i];
        if (i == j || (c->stop ? !e->event.touch[i] || !e->event.rest[i]
                               : e->state.contact[i] != JD_CONTACT_STUCK))
            continue;
        e->box.low[n] = !c->stop ? -c->static_limit : e->event.touch[i] > 0 ? -HUGE_VAL : 0;
        e->box.high[n] = !c->stop ? c->static_limit : e->event.touch[i] > 0 ? 0 : HUGE_VAL;
        e->box.b[n] = jd_lanes_dot(e->plan.n, c->row, e->scratch.acceleration);
        e->box.set[n++] = i;
    }
    jd_restrict_coupling(e, n);
    if (n > 0)
        jd_forces_solve(n, e->box.G, n, e->box.b, e->box.low, e->box.high, e->box.x, e->box.a,
                        e->box.bound, e->box.scratch);
    for (int i = 0; i < n; i++)
        jd_add_row(e->plan.n, e->box.x[i], e->plan.contact[e->box.set[i]].row,
                   e->scratch.acceleration);
    for (int i = 0; i < e->plan.m; i++) e->state.contact[i] = e->event.was[i];
    return e->event.touch[j] *
           jd_lanes_dot(e->plan.n, e->plan.contact[j].row, e->scratch.acceleration);
}

// The acceleration into the stop; alone: contacts at rest beside it stay so, and are in it.
static double into_stop(exact *e, int j, double t, bool *alone) {
    const double *row = e->plan.contact[j].row;
    *alone = direct(e, j);
    if (*alone) {
        expand(e, j, t, 4, false);
        return 2 * e->event.touch[j] *
               jd_lanes_dot(e->plan.n, row, e->scratch.local + 2 * e->plan.n);
    }
    memcpy(e->scratch.toward, row, (size_t)e->plan.n * sizeof *row);
    return acceleration_beside(e, j, t);
}

double jd_chatter(exact *e, int j, double t, double v) {
    const contact *c = &e->plan.contact[j];
    size_t bytes = (size_t)e->plan.n * sizeof *e->state.q;
    bool alone;
    if (c->restitution >= 1) return -1;
    double a = into_stop(e, j, t, &alone);
    double D = 2 * v / (a * (1 - c->restitution)), noise = place_noise(e, j);
    bool low = v * v <= 128 * a * noise; // flights of the height of rounding
    if (!(a > 0 && (D <= longest * e->plan.scale_time || (low && !alone)))) return -1;
    // A place known to rounding blurs the time of a slow bounce, and so of all that follow it.
    double blur = noise / (v * (1 - c->restitution)) + 4e-16 * t;
    memcpy(e->scratch.qt, e->state.q, bytes);
    memcpy(e->scratch.pt, e->state.p, bytes);
    if (alone && undisturbed(e, j, t, v, a, D)) {
        double time = sum_flights(e, j, t, v, D);
        if (time >= 0) {
            keep_held(e, e->scratch.qt, e->state.q);
            keep_held(e, e->scratch.pt, e->state.p);
            book_alone(e, j, v);
            e->state.chatter_error = fmax(e->state.chatter_error, 1e-9 * D + blur);
            e->state.chatter_until = fmax(e->state.chatter_until, t + time);
            return time;
        }
        memcpy(e->state.q, e->scratch.qt, bytes);
        memcpy(e->state.p, e->scratch.pt, bytes);
    }
    if (D > shortest * e->plan.scale_time && !low) return -1;
    stop_with_others(e, j);
    e->state.chatter_error = fmax(e->state.chatter_error, 2 * D + blur);
    e->state.chatter_speed = fmax(e->state.chatter_speed, v);
    return D;
}
