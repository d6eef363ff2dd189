// jump.c -- a force that jumps takes the motion along at once: dy = L+(y) d(mu), mu = lambda + f.
//   From y' - L+ mu' = ... of (37), over the instant in which the drives on the contact's point
//   jump by s (rectangular pulses, the first entry of a table); kappa does not move.
//     no contact   dy = L+ df
//     sliding      dy = L+/(1 - dlambda.L+) df, lambda = lambda+-(y), until h = 0: then stuck
//     stuck        h stays 0, so mu does: lambda takes the whole jump, y does not move; where
//     lambda
//                  would leave [lambda-, lambda+] the rest of the jump goes on sliding
//   L+ may depend on y: classical Runge-Kutta steps in df, doubled until nothing changes.
//   tested: a_rectangular_pulse_moves_the_string_at_once, a_jump_is_the_limit_of_steep_ramps
#include <math.h>
#include <string.h>

#include "engine/closure/closure.h"

enum { MOST_STEPS = 4096, MOST_PHASES = 8 };

typedef struct place { // where the motion is inside the jump: unknowns of the phase, like closure.x
    phase phase;
    double *x;
} place;

static double bound(const closure *e, int side, const double *y) {
    return e->plan.pws.model.lambda(e->plan.pws.model.user, side, y);
}

static int side_of(phase p) { return p == PLUS ? 1 : p == MINUS ? -1 : 0; }

static double surface(const closure *e, int side, const double *y) {
    return side * e->plan.pws.model.h(e->plan.pws.model.user, y);
}

// dy/df
static void slope(closure *e, int side, const double *y, double *out) {
    double rest = 1;
    e->plan.pws.model.lplus(e->plan.pws.model.user, y, e->scratch.lplus);
    if (side) {
        jd_closure_gradient_lambda(e, side, y, e->scratch.grad_lambda);
        for (int i = 0; i < e->plan.n; i++) rest -= e->scratch.grad_lambda[i] * e->scratch.lplus[i];
    }
    for (int i = 0; i < e->plan.n; i++) out[i] = e->scratch.lplus[i] / rest;
}

static void runge_kutta(closure *e, int side, double s, int steps, double *y) {
    static const double at[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
    double *k = e->scratch.jump_slope, *sum = e->scratch.jump_sum, *try = e->scratch.jump_trial,
           h = s / steps;
    for (int i = 0; i < steps; i++) {
        memset(sum, 0, (size_t)e->plan.n * sizeof *sum);
        for (int j = 0; j < 4; j++) {
            for (int a = 0; a < e->plan.n; a++) try[a] = y[a] + (j ? at[j] * h * k[a] : 0);
            slope(e, side, try, k);
            for (int a = 0; a < e->plan.n; a++) sum[a] += weight[j] * k[a];
        }
        for (int a = 0; a < e->plan.n; a++) y[a] += h / 6 * sum[a];
    }
}

// y after the force has changed by s. out may not be y.
static void carry(closure *e, int side, double s, const double *y, double *out) {
    size_t bytes = (size_t)e->plan.n * sizeof *out;
    double *last = e->scratch.jump_last;
    memcpy(last, y, bytes);
    for (int steps = 1; steps <= MOST_STEPS; steps *= 2) {
        double change = 0;
        memcpy(out, y, bytes);
        runge_kutta(e, side, s, steps, out);
        for (int a = 0; a < e->plan.n; a++)
            change = fmax(change, fabs(out[a] - last[a]) / fmax(fabs(out[a]), e->state.scale[a]));
        if (steps > 1 && change <= 1e-15) return;
        memcpy(last, out, bytes);
    }
}

// Slides by s or until h = 0; returns what is left of s.
static double slide(closure *e, double s, place *p) {
    int side = side_of(p->phase);
    double *end = e->scratch.jump_end, low = 0, high = 1;
    carry(e, side, s, p->x, end);
    if (side == 0 || surface(e, side, end) > 0) {
        memcpy(p->x, end, (size_t)e->plan.n * sizeof *end);
        return 0;
    }
    while (high - low > 1e-15) { // h falls along the way, since it is monotone in df
        double middle = (low + high) / 2;
        if (middle == low || middle == high) break;
        carry(e, side, middle * s, p->x, end);
        if (surface(e, side, end) > 0)
            low = middle;
        else
            high = middle;
    }
    carry(e, side, high * s, p->x, end);
    memcpy(p->x, end, (size_t)e->plan.n * sizeof *end);
    p->phase = STUCK;
    p->x[e->plan.n + e->plan.memory] = bound(e, side, p->x);
    return (1 - high) * s;
}

// Stuck: lambda takes s, as far as it may; returns what is left of s.
static double hold(closure *e, double s, place *p) {
    double *lambda = &p->x[e->plan.n + e->plan.memory], wanted = *lambda - s,
           up = bound(e, 1, p->x), down = bound(e, -1, p->x), low = fmin(up, down),
           high = fmax(up, down);
    if (wanted >= low && wanted <= high) {
        *lambda = wanted;
        return 0;
    }
    double limit = wanted > high ? high : low;
    p->phase = (limit == high) == (up > down) ? PLUS : MINUS;
    double taken = *lambda - limit;
    return s - taken;
}

static void jump(closure *e, double s, place *p) {
    for (int i = 0; s != 0 && i < MOST_PHASES; i++)
        s = p->phase == STUCK ? hold(e, s, p) : slide(e, s, p);
}

typedef struct derivative { // of the jump by s that leads `from` (n0 unknowns) to a phase `to`
    double s;
    place from;
    int n0;
    phase to;
} derivative;

// out = D P for m columns of n0 rows, by differences; false: beside it the jump ends otherwise.
static bool columns(closure *e, const derivative *D, int m, const double *P, double *out) {
    static const double at[] = {-2, -1, 1, 2}, factor[] = {1, -8, 8, -1};
    int w = e->plan.n + 2, n1 = jd_phase_size(e, D->to);
    double *x = e->scratch.jump_x, *column = e->scratch.jump_column;
    bool same = true;
    memset(x, 0, (size_t)w * sizeof *x);
    for (int c = 0; c < m; c++) {
        double size = 0;
        for (int i = 0; i < D->n0; i++) size = fmax(size, fabs(P[i * m + c]) / e->state.scale[i]);
        double d = size > 0 ? 1e-5 / size : 1;
        memset(column, 0, (size_t)w * sizeof *column);
        for (int k = 0; k < 4; k++) {
            place p = {D->from.phase, x};
            for (int i = 0; i < D->n0; i++) x[i] = D->from.x[i] + at[k] * d * P[i * m + c];
            jump(e, D->s, &p);
            same = same && p.phase == D->to;
            for (int i = 0; i < n1; i++) column[i] += factor[k] * x[i] / (12 * d);
        }
        for (int i = 0; i < n1; i++) out[i * m + c] = column[i];
    }
    return same;
}

// What is carried along: derivatives, and the error's ellipsoid D B D'.
static void carry_along(closure *e, const derivative *D) {
    closure_error *r = &e->error;
    int n0 = D->n0, n1 = jd_phase_size(e, D->to), m = e->tangent.n;
    if (m) {
        columns(e, D, m, e->tangent.P, e->tangent.next);
        memcpy(e->tangent.P, e->tangent.next, (size_t)(n1 * m) * sizeof *e->tangent.P);
    }
    if (!r->on || r->lost) return;
    r->lost = !columns(e, D, n0, r->B, r->next);
    for (int i = 0; i < n1; i++)
        for (int k = 0; k < n0; k++) r->turned[k * n1 + i] = r->next[i * n0 + k];
    r->lost |= !columns(e, D, n1, r->turned, r->B);
    r->lost |= !columns(e, D, 1, r->change, r->next_change);
    memcpy(r->change, r->next_change, (size_t)n1 * sizeof *r->change);
    r->ahead = false;
}

jd_status jd_closure_break(closure *e, bool *event) {
    double before, after, rate;
    phase was = e->state.phase;
    *event = false;
    jd_closure_push(e, e->state.t, &before, &rate);
    jd_closure_segments(e, e->state.t);
    jd_closure_push(e, e->state.t, &after, &rate);
    e->state.restarted = true;
    if (!e->plan.wave || after == before) return JD_OK;
    double *X = e->scratch.entry, *x0 = e->scratch.x_before;
    place p = {was, X};
    memcpy(X, e->state.x, (size_t)e->state.nx * sizeof *X);
    memcpy(x0, e->state.x, (size_t)e->state.nx * sizeof *x0);
    jump(e, after - before, &p);
    carry_along(e, &(derivative){after - before, {was, x0}, e->state.nx, p.phase});
    double lambda = p.phase == STUCK ? X[e->plan.n + e->plan.memory] : 0,
           kappa = e->plan.memory ? X[e->plan.n] : 0;
    X[e->plan.n] = kappa;
    X[e->plan.n + 1] = lambda;
    int touching = p.phase != SMOOTH && p.phase != STUCK && surface(e, 1, X) == 0 ? 0 : -1;
    jd_closure_enter(e, p.phase, X, touching);
    if (p.phase == was) return JD_OK;
    jd_run_set_event(e->run, e->state.t, 0, 0, jd_closure_contact_state(was),
                     jd_closure_contact_state(p.phase));
    *event = true;
    return JD_OK;
}
