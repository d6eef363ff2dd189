// ranges.c -- smallest and largest displacement, velocity and force of the contact.
//   Every step is looked at in 12 places and one beyond each end; where the middle of three is the
//   largest or smallest, golden sections find the extreme of the polynomial between them.
#include <math.h>
#include <string.h>

#include "engine/closure/closure.h"
#include "linalg/dot.h"

enum { PLACES = 12, SECTIONS = 44 };

void jd_closure_contact(closure *e, double t, double *u, double *v, double *force) {
    int n = e->plan.n;
    double *x = e->scratch.x_seen, *X = e->scratch.X_seen, *rate = e->scratch.rate_seen;
    jd_closure_at(e, t, x);
    jd_closure_full(e, t, x, X);
    double h = e->plan.pws.model.h(e->plan.pws.model.user, X);
    *force = X[n + 1];
    if (e->plan.pws.displacement) {
        *u = jd_dot(n + 2, e->plan.pws.displacement, X);
        *v = e->state.phase == STUCK || e->state.phase == SLIDE ? 0 : h;
        return;
    }
    *u = e->state.phase == STUCK || e->state.phase == SLIDE ? 0 : h;
    jd_closure_full_rate(e, t, x, rate);
    jd_closure_gradient_h(e, X, e->scratch.grad_h);
    *v =
        e->state.phase == STUCK || e->state.phase == SLIDE ? 0 : jd_dot(n, e->scratch.grad_h, rate);
}

static double quantity(closure *e, int which, double t) {
    double q[3];
    jd_closure_contact(e, t, &q[0], &q[1], &q[2]);
    return q[which];
}

static void include(jd_range *r, double value) {
    value += 0.0; // no -0
    if (!(value >= r->min)) r->min = value;
    if (!(value <= r->max)) r->max = value;
    r->final = value;
}

static double extreme(closure *e, int which, double sign, double a, double b) {
    const double golden = 0.6180339887498949;
    double c = b - golden * (b - a), d = a + golden * (b - a), fc = sign * quantity(e, which, c),
           fd = sign * quantity(e, which, d);
    for (int i = 0; i < SECTIONS; i++) {
        if (fc > fd) {
            b = d;
            d = c;
            fd = fc;
            c = b - golden * (b - a);
            fc = sign * quantity(e, which, c);
        } else {
            a = c;
            c = d;
            fc = fd;
            d = a + golden * (b - a);
            fd = sign * quantity(e, which, d);
        }
    }
    return sign * fmax(fc, fd);
}

static void look(closure *e, int which, jd_range *r, double t0, double t1) {
    double f[PLACES + 3], d = (t1 - t0) / PLACES;
    for (int i = 0; i < PLACES + 3; i++) f[i] = quantity(e, which, t0 + (i - 1) * d);
    for (int i = 1; i <= PLACES + 1; i++) {
        double sign = f[i] > f[i - 1] && f[i] > f[i + 1]   ? 1
                      : f[i] < f[i - 1] && f[i] < f[i + 1] ? -1
                                                           : 0;
        double a = fmax(t0, t0 + (i - 2) * d), b = fmin(t1, t0 + i * d);
        if (sign > 0 && !(f[i] + fabs(f[i] - f[i - 1]) < r->max))
            include(r, extreme(e, which, 1, a, b));
        if (sign < 0 && !(f[i] - fabs(f[i] - f[i - 1]) > r->min))
            include(r, extreme(e, which, -1, a, b));
        include(r, f[i]);
    }
}

void jd_closure_track_to(closure *e, double t) {
    jd_range *all[] = {&e->ranges.of.displacement, &e->ranges.of.velocity, &e->ranges.of.force};
    if (!e->ranges.on || !e->plan.m) return;
    for (int q = 0; q < 3 && t > e->ranges.until; q++) look(e, q, all[q], e->ranges.until, t);
    for (int q = 0; q < 3; q++) include(all[q], quantity(e, q, t));
    e->ranges.until = t;
}

jd_status jd_closure_track(jd_run *run) {
    closure *e = run->state;
    const jd_range none = {HUGE_VAL, -HUGE_VAL, 0};
    e->ranges.on = true;
    e->ranges.until = run->t;
    e->ranges.of = (jd_contact_ranges){none, none, none, false};
    jd_closure_track_to(e, run->t);
    return JD_OK;
}

jd_status jd_closure_ranges(jd_run *run, jd_contact_ranges *out) {
    closure *e = run->state;
    jd_closure_track_to(e, run->t);
    if (e->plan.m) *out = e->ranges.of;
    return JD_OK;
}
