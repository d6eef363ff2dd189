// shoot.c -- the closure engine as a map: put in a state, advance, take out state and derivative.
//   A state is (y, [kappa], [lambda]); outside the surface lambda follows from y, on it y is put
//   back onto h = 0 along dh before it moves, and the derivative contains both.
#include <math.h>
#include <string.h>

#include "engine/closure/closure.h"

static bool with_lambda(const closure *e) { return e->plan.wave && e->plan.m; }

int jd_closure_coordinates(const jd_run *run) {
    const closure *e = run->state;
    return e->plan.n + e->plan.memory + with_lambda(e);
}

void jd_closure_scales(const jd_run *run, double *out) {
    for (int i = 0; i < jd_closure_coordinates(run); i++) out[i] = 1;
}

static void unpack(const closure *e, const double *state, double *X) {
    memcpy(X, state, (size_t)e->plan.n * sizeof *X);
    X[e->plan.n] = e->plan.memory ? state[e->plan.n] : 0;
    X[e->plan.n + 1] = with_lambda(e) ? state[e->plan.n + e->plan.memory] : 0;
}

static void pack(const closure *e, const double *X, double *out) {
    memcpy(out, X, (size_t)e->plan.n * sizeof *X);
    if (e->plan.memory) out[e->plan.n] = X[e->plan.n];
    if (with_lambda(e)) out[e->plan.n + e->plan.memory] = X[e->plan.n + 1];
}

// Onto the surface along its gradient.
static void project(closure *e, double *X) {
    for (int i = 0; i < 4; i++) {
        double h = e->plan.pws.model.h(e->plan.pws.model.user, X), size = 0;
        jd_closure_gradient_h(e, X, e->scratch.grad_h);
        for (int k = 0; k < e->plan.n; k++) size += e->scratch.grad_h[k] * e->scratch.grad_h[k];
        for (int k = 0; k < e->plan.n; k++) X[k] -= e->scratch.grad_h[k] * h / size;
    }
}

// Phase of a state: by its contact state on the surface, or within rounding of it (a phase has just
// begun, *fresh), else by the side it lies on.
static phase phase_of(closure *e, const double *X, jd_contact_state contact, bool *fresh) {
    double h = e->plan.pws.model.h(e->plan.pws.model.user, X), size = 0;
    jd_closure_gradient_h(e, X, e->scratch.grad_h);
    for (int i = 0; i < e->plan.n; i++) size += fabs(e->scratch.grad_h[i] * X[i]);
    *fresh = false;
    if (contact == JD_CONTACT_STUCK) return e->plan.wave ? STUCK : SLIDE;
    *fresh = fabs(h) <= 1e-13 * size && jd_contact_sign(contact) != 0;
    return (*fresh ? contact == JD_CONTACT_SLIDING_PLUS : h > 0) ? PLUS : MINUS;
}

jd_status jd_closure_restart(jd_run *run, double t, const double *state,
                             const jd_phase *phase_asked) {
    closure *e = run->state;
    double *X = e->scratch.entry;
    phase p = SMOOTH;
    unpack(e, state, X);
    bool fresh = false;
    if (e->plan.m) {
        jd_contact_state contact = phase_asked->of[0];
        p = phase_of(e, X, contact, &fresh);
        if (contact == JD_CONTACT_STUCK) project(e, X);
    }
    e->state.t = run->t = t;
    jd_closure_forget_sizes(e); // of other motions, whose tolerance would be too wide for this one
    e->state.ever = true;       // periodic motions have no beginning
    jd_closure_segments(e, t);
    jd_closure_enter(e, p, X, fresh ? 0 : -1);
    run->waiting = false;
    run->stop = JD_STOP_NONE;
    e->tangent.n = 0;
    e->ranges.on = false;
    e->error.on = false;
    e->state.storm = 0;
    e->count.events = 0; // the budget is that of one motion
    return JD_OK;
}

void jd_closure_state(jd_run *run, double *out) {
    closure *e = run->state;
    double *x = e->scratch.x_seen, *X = e->scratch.X_seen;
    jd_closure_inside(e, run->t, x, NULL);
    jd_closure_full(e, run->t, x, X);
    pack(e, X, out);
}

void jd_closure_state_rate(jd_run *run, double *out) {
    closure *e = run->state;
    double *x = e->scratch.x_seen, *X = e->scratch.X_seen;
    jd_closure_inside(e, run->t, x, NULL);
    jd_closure_full_rate(e, run->t, x, X);
    pack(e, X, out);
}

jd_status jd_closure_tangent_start(jd_run *run) {
    closure *e = run->state;
    int N = jd_closure_coordinates(run), n = e->plan.n, m = N;
    if (!e->tangent.P) {
        e->tangent.P = JD_TAKE(e->arena, double, N *N);
        e->tangent.next = JD_TAKE(e->arena, double, N *N);
        e->tangent.rhs = JD_TAKE(e->arena, double, RADAU_STAGES *N);
        JD_TRY(jd_arena_status(e->arena));
    }
    e->tangent.n = N;
    memset(e->tangent.P, 0, (size_t)(N * N) * sizeof *e->tangent.P);
    for (int i = 0; i < e->state.nx; i++) e->tangent.P[i * m + i] = 1;
    if (e->state.phase != STUCK && e->state.phase != SLIDE) return JD_OK;
    double size = 0;
    jd_closure_gradient_h(e, e->state.x, e->scratch.grad_h);
    for (int k = 0; k < n; k++) size += e->scratch.grad_h[k] * e->scratch.grad_h[k];
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            e->tangent.P[i * m + k] -= e->scratch.grad_h[i] * e->scratch.grad_h[k] / size;
    return JD_OK;
}

void jd_closure_tangent(jd_run *run, double *out) {
    closure *e = run->state;
    int N = jd_closure_coordinates(run), n = e->plan.n;
    double *x = e->scratch.x_seen;
    jd_closure_inside(e, run->t, x, e->tangent.P);
    memset(out, 0, (size_t)(N * N) * sizeof *out);
    memcpy(out, e->tangent.P, (size_t)(e->state.nx * N) * sizeof *out);
    e->tangent.n = 0;
    if (!with_lambda(e) || e->state.phase == STUCK) return;
    jd_closure_gradient_lambda(e, e->state.phase == PLUS ? 1 : -1, x, e->scratch.grad_lambda);
    for (int c = 0; c < N; c++)
        for (int k = 0; k < n; k++)
            out[(N - 1) * N + c] += e->scratch.grad_lambda[k] * e->tangent.P[k * N + c];
}

jd_status jd_closure_replan(jd_run *run) {
    closure *e = run->state;
    JD_TRY(jd_problem_build(run->problem));
    JD_TRY(jd_closure_plan_drives(e));
    jd_closure_segments(e, e->state.t);
    e->state.pending = false;
    return JD_OK;
}
