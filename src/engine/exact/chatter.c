// chatter.c -- impacts that follow each other ever faster, summed up to their end.
//   After a bounce of speed v the flights of a stop with e < 1 take about D = 2v/(a(1-e)), a the
//   acceleration into the stop. Once D is short against every motion of the structure, the flights
//   are computed one by one from Taylor series of the whole state about each bounce,
//     x^(k+2) = f^(k) - C x^(k+1) - Omega^2 x^(k) (+ forces of what is held),
//     0 = -v + a s/2 + j s^2/6 + ...   (s: length of the flight; the place is 0 exactly),
//   until the speed is 1e-4 of v; the rest is O(1e-8 D) and taken as closed. D max|lambda| <= 0.02
//   makes the remainders of order 9 smaller than rounding.
//   The phase that follows has the contact closed from the first bounce t on. Its state at t is the
//   one that leads to the state at the end: the closed motion traced back by the time passed. So
//   what comes after the chatter is right to rounding, in place and velocity; in between,
//   only the contact's own motion (speeds up to v, heights up to v^2/2a) is left out.
//                 tested: bouncing_masses_agree_with_their_own_integration, chatter_on_a_chain_*
//   Contacts beside it must not change over D: no friction at rest that an impulse reaches (G_ij !=
//   0), no slide that an impulse could reverse, no closed stop that it opens, none that lands.
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
    const basis *b = e->b;
    int n = e->n;
    for (int i = 0; b && i < b->ms; i++) e->fa[i] = -jd_lanes_dot(n, b->Ghh_inv_B + i * n, out);
    for (int i = 0; b && i < b->ms; i++) jd_add_row(n, e->fa[i], e->contact[b->held[i]].row, out);
}

// What a unit impulse at contact j does while closed stops beside it take theirs: toward = (1 -
// B_h' G_hh^-1 B_h) B_j', W = B_j toward. False where a contact beside it lets go or slides.
static bool direct(exact *e, int j) {
    const basis *b = e->b;
    const contact *c = &e->contact[j];
    memcpy(e->toward, c->row, (size_t)e->n * sizeof *e->toward);
    for (int i = 0; b && i < b->ms; i++)
        if (b->held[i] == j || !is_held(e->marks[b->held[i]]) || e->releasing[b->held[i]])
            return false;
    for (int i = 0; i < e->m; i++)
        if (is_held(e->marks[i]) && (!b || b->key[i] != 'h')) return false;
    hold(e, e->toward);
    for (int i = 0; b && i < b->ms; i++) {
        int k = b->held[i];
        if (e->G[k * e->m + j] == 0) continue;
        bool presses = e->touch[j] * e->touch[k] * e->fa[i] > 0;
        if (!e->contact[k].stop || !presses || e->contact[k].belt != 0) return false;
    }
    return jd_lanes_dot(e->n, c->row, e->toward) > 1e-6 * e->G[j * e->m + j];
}

// local[k] = x^(k)/k! at (q, p, t), k = 0 .. order.
static void expand(exact *e, int j, double t, int order, bool closed) {
    int n = e->n;
    const double *row = e->contact[j].row;
    double *x = e->local, factorial = 1;
    memcpy(x, e->q, (size_t)n * sizeof *x);
    memcpy(x + n, e->p, (size_t)n * sizeof *x);
    for (int k = 0; k + 2 <= order; k++) {
        double *out = x + (k + 2) * n;
        jd_springs_and_dampers(e, x + k * n, x + (k + 1) * n, out);
        for (int d = 0; d < e->n_drive; d++)
            jd_add_row(n, drive_derivative(&e->drive[d], t, k), e->drive[d].row, out);
        for (int i = 0; k == 0 && i < e->m; i++) {
            const contact *c = &e->contact[i];
            double s = slide_sign(e->marks[i]);
            if (s != 0) jd_add_row(n, -s * c->limit + c->slope * c->belt, c->row, out);
        }
        hold(e, out);
        if (closed)
            jd_add_row(n, -jd_lanes_dot(n, row, out) / jd_lanes_dot(n, row, e->toward), e->toward,
                       out);
    }
    for (int k = 2; k <= order; k++) {
        factorial *= k;
        for (int l = 0; l < n; l++) x[k * n + l] /= factorial;
    }
}

// q, p a time s later.
static void move(exact *e, int order, double s) {
    int n = e->n;
    const double *x = e->local;
    for (int l = 0; l < n; l++) {
        double q = 0, p = 0;
        for (int k = order; k >= 1; k--) {
            q = q * s + x[k * n + l];
            p = p * s + k * x[k * n + l];
        }
        e->q[l] += q * s;
        e->p[l] = p;
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

// All flights from t on; returns their time, or -1. q, p: closed at t, leading to the same state.
static double sum_flights(exact *e, int j, double t, double v, double D) {
    const contact *c = &e->contact[j];
    double W = jd_lanes_dot(e->n, c->row, e->toward), end = end_speed * v, passed = 0, first = D;
    int side = e->touch[j], order = D * e->rate_max > 1e-3 ? ORDER : ORDER - 3;
    double z[ORDER + 1] = {0};
    while (v > end) {
        expand(e, j, t + passed, order, false);
        z[1] = -v;
        for (int k = 2; k <= order; k++)
            z[k] = side * jd_lanes_dot(e->n, c->row, e->local + k * e->n);
        double s = z[2] > 0 ? flight(z, order, 2 * first) : -1;
        if (s < 0 || passed + s > 2 * first) return -1;
        move(e, order, s);
        double arrives = side * (jd_lanes_dot(e->n, c->row, e->p) - c->belt);
        if (!(arrives > 0 && c->restitution * arrives < v)) return -1;
        jd_add_row(e->n, -side * (1 + c->restitution) * arrives / W, e->toward, e->p);
        v = c->restitution * arrives;
        passed += s;
        D = v / (z[2] * (1 - c->restitution));
    }
    jd_add_row(e->n, side * v / W, e->toward, e->p);
    expand(e, j, t + passed, order, true);
    move(e, order, -passed);
    return passed + D;
}

// Rounding of the place of a contact: what the search allowed for, if it found this one.
static double place_noise(const exact *e, int j) {
    const contact *c = &e->contact[j];
    double size = fabs(c->gap) + jd_dot_size(e->n, c->row, e->q), noise = 1e-15 * size;
    if (e->b && e->found.outcome == JD_SEARCH_FOUND && e->found.guard == j)
        noise = fmax(noise, e->found.rounding * fabs(e->found.taylor[1]));
    return noise;
}

// Is contact i as it is for the time D, whatever bounces of contact j with speeds up to v do to it?
static bool stays(const exact *e, int i, int j, double t, double v, double D) {
    const contact *c = &e->contact[i];
    double reach = 4 * fabs(e->G[i * e->m + j]) / e->G[j * e->m + j] * v;
    double speed = jd_relative_speed(e, i),
           a = 2 * fabs(jd_lanes_dot(e->n, c->row, e->local + 2 * e->n));
    mark m = e->marks[i];
    if (is_held(m)) return true; // direct() has seen to it
    if (e->touch[i]) return false;
    if (slide_sign(m) != 0) return slide_sign(m) * speed > reach + 2 * a * D;
    double u = jd_lanes_dot(e->n, c->row, e->q) - c->belt * t,
           left = c->both ? c->gap - fabs(u) : c->gap - u;
    return left > (fabs(speed) + reach + a * D) * 2 * D;
}

// Do all contacts and the acceleration into the stop stay for the time D? After expand().
static bool undisturbed(exact *e, int j, double t, double v, double a, double D) {
    const double *row = e->contact[j].row, *x = e->local;
    if (D * e->rate_max > smooth_rate) return false;
    for (int i = 0; i < e->m; i++)
        if (i != j && !stays(e, i, j, t, v, D)) return false;
    double jerk = 6 * jd_lanes_dot(e->n, row, x + 3 * e->n),
           bend = 24 * jd_lanes_dot(e->n, row, x + 4 * e->n);
    return fabs(jerk) * D <= drift * a && fabs(bend) * D * D <= drift * a;
}

// Held contacts stay where they were, to the last bit that was known: rounding of the series must
// not let them slide.
static void keep_held(exact *e, const double *before, double *now) {
    double *change = e->local;
    if (!e->b || e->b->ms == 0) return;
    for (int l = 0; l < e->n; l++) change[l] = now[l] - before[l];
    hold(e, change);
    for (int l = 0; l < e->n; l++) now[l] = before[l] + change[l];
}

// Energy that the change from (qt, pt) to (q, p) takes away; the impulse does work on the belt.
static void book(exact *e, int j, double v) {
    double gain = 0, P = e->touch[j] * v / jd_lanes_dot(e->n, e->contact[j].row, e->toward);
    for (int l = 0; l < e->n; l++) {
        double dp = e->p[l] - e->pt[l], dq = e->q[l] - e->qt[l];
        gain += (e->pt[l] + dp / 2) * dp + e->omega2[l] * (e->qt[l] + dq / 2) * dq;
    }
    e->impact_loss[j] += P * e->contact[j].belt - gain;
    e->belt_work[j] += P * e->contact[j].belt;
}

// The impulse of smallest norm after which no stop that touches has any speed left.
static void stop_all(exact *e) {
    int n = 0;
    for (int i = 0; i < e->m; i++) {
        if (!e->touch[i]) continue;
        e->fset[n] = i;
        e->fb[n++] = -jd_relative_speed(e, i);
    }
    jd_restrict_coupling(e, n);
    jd_min_norm(n, e->fG, e->fb, e->fscratch);
    for (int i = 0; i < n; i++) jd_add_row(e->n, e->fb[i], e->contact[e->fset[i]].row, e->p);
}

// The acceleration into the stop; alone: contacts at rest beside it stay so, and are in it.
static double into_stop(exact *e, int j, double t, bool *alone) {
    const double *row = e->contact[j].row;
    *alone = direct(e, j);
    if (*alone) {
        expand(e, j, t, 4, false);
        return 2 * e->touch[j] * jd_lanes_dot(e->n, row, e->local + 2 * e->n);
    }
    memcpy(e->toward, row, (size_t)e->n * sizeof *row);
    jd_acceleration(e, t);
    return e->touch[j] * jd_lanes_dot(e->n, row, e->acc);
}

double jd_chatter(exact *e, int j, double t, double v) {
    const contact *c = &e->contact[j];
    size_t bytes = (size_t)e->n * sizeof *e->q;
    bool alone;
    if (c->restitution >= 1) return -1;
    double a = into_stop(e, j, t, &alone);
    double D = 2 * v / (a * (1 - c->restitution)), noise = place_noise(e, j);
    bool low = v * v <= 128 * fabs(a) * noise; // flights of the height of rounding
    if (!(a > 0 && D <= longest * e->scale_time) && !(low && !alone)) return -1;
    // A place known to rounding blurs the time of a slow bounce, and so of all that follow it.
    double blur = noise / (v * (1 - c->restitution)) + 4e-16 * t;
    memcpy(e->qt, e->q, bytes);
    memcpy(e->pt, e->p, bytes);
    if (alone && undisturbed(e, j, t, v, a, D)) {
        double time = sum_flights(e, j, t, v, D);
        if (time >= 0) {
            keep_held(e, e->qt, e->q);
            keep_held(e, e->pt, e->p);
            book(e, j, v);
            e->chatter_error = fmax(e->chatter_error, 1e-9 * D + blur);
            e->chatter_until = fmax(e->chatter_until, t + time);
            return time;
        }
        memcpy(e->q, e->qt, bytes);
        memcpy(e->p, e->pt, bytes);
    }
    if (D > shortest * e->scale_time && !low) return -1;
    D = fabs(D);
    stop_all(e);
    book(e, j, v);
    e->chatter_error = fmax(e->chatter_error, 2 * D + blur);
    e->chatter_speed = fmax(e->chatter_speed, v);
    return D;
}
