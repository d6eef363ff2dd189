// guards.c -- what ends a phase, and when: zeros of guards along the collocation polynomial.
//   slip: h (or -h) falls to 0, and 1 - dlambda.L+ must not; stuck: lambda reaches lambda+ or
//   lambda-. Each step is looked at in 16 places; where a guard dips between two of them its least
//   value is found, so that it cannot fall and rise again unseen. The zero is then made exact: the
//   step is solved again up to it until the guard vanishes there to rounding.
#include <math.h>
#include <string.h>

#include "engine/closure/closure.h"
#include "linalg/dot.h"

static int count_guards(const closure *e) {
    if (e->state.phase == SMOOTH) return 0;
    if (e->state.phase == STUCK) return 2;
    if (e->state.phase == SLIDE) return 3;
    return e->plan.wave ? 2 : 1;
}

// Stuck: 0 towards lambda+, 1 towards lambda-. Slip: 0 the surface, 1 the denominator. Slide: 2 how
// strongly both sides lead to the surface, (lambda- - lambda+) dh.Linf of its largest: the surface
// holds the motion while it is positive, and where it vanishes inside, both sides graze: a
// two-fold.
double jd_closure_guard(closure *e, int k, double t, const double *x) {
    const jd_closure_model *m = &e->plan.pws.model;
    if (e->state.phase == SLIDE && k == 2)
        return jd_closure_attraction(e, x) / e->state.attraction - 1e-9;
    if (e->state.phase == STUCK || e->state.phase == SLIDE) {
        double lambda = e->state.phase == STUCK ? x[e->plan.n + e->plan.memory]
                                                : jd_closure_sliding_lambda(e, t, x);
        double bound = m->lambda(m->user, k == 0 ? 1 : -1, x);
        return e->state.sign * (k == 0 ? lambda - bound : bound - lambda);
    }
    int side = e->state.phase == PLUS ? 1 : -1;
    if (k == 0) return side * m->h(m->user, x);
    m->lplus(m->user, x, e->scratch.lplus);
    jd_closure_gradient_lambda(e, side, x, e->scratch.grad_lambda);
    return e->state.denominator * (1 - jd_dot(e->plan.n, e->scratch.grad_lambda, e->scratch.lplus));
}

// Along the present step; a guard that was zero at the phase's start, to rounding, is measured from
// there and divided by theta. A slide leaves the surface along a parabola: theta is large enough
// for it to rise above rounding.
static double at(closure *e, int k, double theta) {
    const radau_step *s = &e->state.step;
    if (e->state.fresh[k] && theta == 0) theta = 1e-3;
    jd_radau_look(&e->solver, s, theta, e->scratch.inside);
    double g = jd_closure_guard(e, k, s->t + theta * s->h, e->scratch.inside);
    return e->state.fresh[k] ? (g - jd_closure_guard(e, k, s->t, s->x)) / theta : g;
}

// Zero between a (g > 0) and b (g <= 0): bisection with secants.
static double zero(closure *e, int k, double a, double ga, double b, double gb) {
    for (int i = 0; i < 100 && b - a > 1e-14; i++) {
        double c = i % 3 == 2 ? (a + b) / 2 : a + (b - a) * ga / (ga - gb);
        if (!(c > a && c < b)) c = (a + b) / 2;
        double g = at(e, k, c);
        if (g > 0) {
            a = c;
            ga = g;
        } else {
            b = c;
            gb = g;
        }
        if (g == 0) break;
    }
    return b;
}

// Least value between a and b around m by golden sections; true when it is below 0.
static bool dips(closure *e, int k, double a, double m, double b, double *where) {
    const double golden = 0.3819660112501051;
    double gm = at(e, k, m);
    for (int i = 0; i < 60 && b - a > 1e-9; i++) {
        double c = m - a > b - m ? m - golden * (m - a) : m + golden * (b - m), g = at(e, k, c);
        if (g < gm) {
            if (c < m)
                b = m;
            else
                a = m;
            m = c;
            gm = g;
        } else if (c < m) {
            a = c;
        } else {
            b = c;
        }
        if (gm <= 0) break;
    }
    *where = m;
    return gm <= 0;
}

// First zero of guard k in the step, or 2.
static double first_zero(closure *e, int k) {
    double theta[LOOKS + 1] = {0}, g[LOOKS + 1] = {at(e, k, 0)}, where;
    if (!(g[0] > 0)) return e->state.fresh[k] && g[0] < 0 ? 0 : -1; // outside at once
    for (int i = 1; i <= LOOKS; i++) {
        theta[i] = (double)i / LOOKS;
        g[i] = at(e, k, theta[i]);
        if (i >= 2 && g[i - 1] < g[i] && g[i - 1] < g[i - 2] &&
            dips(e, k, theta[i - 2], theta[i - 1], theta[i], &where)) {
            double left = at(e, k, theta[i - 2]);
            return zero(e, k, theta[i - 2], left, where, at(e, k, where));
        }
        if (!(g[i] > 0)) return zero(e, k, theta[i - 1], g[i - 1], theta[i], g[i]);
    }
    return 2;
}

// Solves the step again to end where the guard is zero.
static jd_status land(closure *e, int k, double h) {
    const radau_field f = {e, jd_closure_rate};
    int n = e->state.nx;
    double whole = e->state.step.h, best = HUGE_VAL, g = 0;
    for (int i = 0; i < 6; i++) {
        e->state.step.h = h;
        e->solver.lu_n = 0;
        if (jd_radau_solve(&e->solver, &f, &e->state.step, NULL, e->state.scale) != RADAU_DONE) {
            e->state.step.h = whole / 2; // the caller takes half of it
            return JD_NO_CONVERGENCE;
        }
        e->state.newton_rest = e->solver.left;
        const double *end = e->state.step.x + RADAU_STAGES * n;
        g = jd_closure_guard(e, k, e->state.step.t + h, end);
        if (fabs(g) >= best || g == 0) break;
        best = fabs(g);
        jd_closure_rate(e, e->state.step.t + h, end, e->scratch.end_rate);
        double d = 1e-6 * fmin(h, 1e-2); // along the flow
        for (int a = 0; a < n; a++) e->scratch.earlier[a] = end[a] - d * e->scratch.end_rate[a];
        double slope =
            (g - jd_closure_guard(e, k, e->state.step.t + h - d, e->scratch.earlier)) / d;
        double change = g / slope;
        if (!(fabs(change) < 0.1 * h) || !(fabs(change) > 1e-16 * (e->state.step.t + h))) break;
        h -= change;
    }
    return JD_OK;
}

jd_status jd_closure_find_event(closure *e) {
    double first = 2;
    e->state.lands = false;
    for (int k = 0; k < count_guards(e); k++) {
        double theta = first_zero(e, k);
        if (theta < first) {
            first = theta;
            e->state.guard = k;
        }
    }
    if (first > 1) return JD_OK;
    e->state.lands = true;
    if (first <= 0) { // outside at once: an event without time
        e->state.step.h = 0;
        for (int i = 1; i < RADAU_NODES; i++)
            memcpy(e->state.step.x + i * e->state.nx, e->state.step.x,
                   (size_t)e->state.nx * sizeof *e->state.step.x);
        return JD_OK;
    }
    return land(e, e->state.guard, first * e->state.step.h);
}
