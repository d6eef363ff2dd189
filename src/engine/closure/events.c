// events.c -- from one phase to the next, and whether there is exactly one next.
//   Proposition 2: the motion goes on in one way only where
//     (1 - dlambda.L+) (dh.L+) (lambda- - lambda+) > 0.
//   Then what reaches the surface from outside is taken up by (50) with lambda starting from
//   lambda+-, and what leaves (50) at lambda+- is taken up outside.
//   L+ = 0, Filippov: through the surface when the other side leads away, else along it. Where both
//   sides graze the surface (a two-fold) or both lead away from it, the convention allows several
//   motions, and the run ends as not unique.                       tested: filippov_two_fold_*
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/closure/closure.h"
#include "linalg/dot.h"

static const double grazing = 1e-13; // of its terms: h' smaller than this is none

jd_contact_state jd_closure_contact_state(phase p) {
    return p == PLUS     ? JD_CONTACT_SLIDING_PLUS
           : p == MINUS  ? JD_CONTACT_SLIDING_MINUS
           : p == SMOOTH ? JD_CONTACT_CELLS
                         : JD_CONTACT_STUCK;
}

static double bound(const closure *e, int side, const double *y) {
    return e->plan.pws.model.lambda(e->plan.pws.model.user, side, y);
}

static double denominator(closure *e, int side, const double *y) {
    if (!e->plan.wave) return 1;
    e->plan.pws.model.lplus(e->plan.pws.model.user, y, e->scratch.lplus);
    jd_closure_gradient_lambda(e, side, y, e->scratch.grad_lambda);
    return 1 - jd_dot(e->plan.n, e->scratch.grad_lambda, e->scratch.lplus);
}

void jd_closure_enter(closure *e, phase p, const double *X, int zero_guard) {
    int n = e->plan.n;
    e->state.phase = p;
    e->state.nx = jd_phase_size(e, p);
    memmove(e->state.x, X, (size_t)n * sizeof *X);
    double kappa = X[n], lambda = X[n + 1];
    if (e->plan.memory) e->state.x[n] = kappa;
    if (p == STUCK) e->state.x[n + e->plan.memory] = lambda;
    if (p != SMOOTH) e->state.sign = bound(e, -1, e->state.x) > bound(e, 1, e->state.x) ? 1 : -1;
    if (p == SLIDE) e->state.attraction = fmax(jd_closure_attraction(e, e->state.x), 1e-300);
    if (p == PLUS || p == MINUS)
        e->state.denominator = denominator(e, p == PLUS ? 1 : -1, e->state.x) > 0 ? 1 : -1;
    for (int k = 0; k < GUARDS; k++) e->state.fresh[k] = k == zero_guard;
    e->state.h = 0;
    e->past.n = e->past.next = 0;
    e->state.pending = e->state.lands = false;
    e->state.restarted = true;
    e->solver.lu_n = e->aside.lu_n = 0;
    if (e->plan.m) jd_run_set_state(e->run, 0, jd_closure_contact_state(p));
}

static bool stop(closure *e, jd_stop why, const char *what, double a, double b, double gap) {
    snprintf(e->note, NOTE,
             "%s: (1 - dlambda.Lplus) = %.6g, dh.Lplus = %.6g, lambda+ - lambda- = %.6g, at t = "
             "%.10g",
             what, a, b, gap, e->state.t);
    e->run->stop = why;
    return false;
}

// Whether Proposition 2 allows the event at this side.
static bool unique(closure *e, int side, const double *y) {
    double c = denominator(e, side, y), gap = bound(e, -1, y) - bound(e, 1, y);
    jd_closure_gradient_h(e, y, e->scratch.grad_h);
    double across = jd_dot(e->plan.n, e->scratch.grad_h, e->scratch.lplus),
           size = sqrt(jd_dot(e->plan.n, e->scratch.grad_h, e->scratch.grad_h) *
                       jd_dot(e->plan.n, e->scratch.lplus, e->scratch.lplus));
    if (!(fabs(across) > 1e-13 * size))
        return stop(e, JD_STOP_SINGULAR, "dh.Lplus = 0: nothing holds the surface", c, across,
                    -gap);
    if (!(fabs(c) > 1e-13))
        return stop(e, JD_STOP_SINGULAR, "1 - dlambda.Lplus = 0", c, across, -gap);
    if (!(c * across * gap > 0))
        return stop(e, JD_STOP_NOT_UNIQUE, "not unique here", c, across, -gap);
    return true;
}

// Filippov's convention allows more than one motion from here.
static void stop_open(closure *e, const char *what) {
    snprintf(
        e->note, NOTE,
        "%s at t = %.10g, and Filippov's convention allows several motions from here; a finite "
        "wave speed (L+ > 0) would decide",
        what, e->state.t);
    e->run->stop = JD_STOP_NOT_UNIQUE;
}

// h' on one side of the surface, L+ = 0; *size: what its rounding is measured by.
static double speed(closure *e, int side, const double *X, double *size) {
    phase was = e->state.phase;
    e->state.phase = side > 0 ? PLUS : MINUS;
    jd_closure_rate(e, e->state.t, X, e->scratch.rate);
    e->state.phase = was;
    jd_closure_gradient_h(e, X, e->scratch.grad_h);
    *size = 0;
    for (int i = 0; i < e->plan.n; i++)
        *size += fabs(e->scratch.grad_h[i]) * (fabs(e->scratch.r[i]) + fabs(e->scratch.linf[i]));
    return jd_dot(e->plan.n, e->scratch.grad_h, e->scratch.rate);
}

// Filippov: where it goes on from the surface, coming from `side` (0: from nowhere).
static phase filippov(closure *e, int side, const double *X) {
    double size[2], up = speed(e, 1, X, &size[0]), down = speed(e, -1, X, &size[1]);
    if (bound(e, 1, X) == bound(e, -1, X)) // nothing switches
        return up > 0 || (up == 0 && side <= 0) ? PLUS : MINUS;
    bool grazes = fabs(up) <= grazing * size[0], grazes_below = fabs(down) <= grazing * size[1];
    if (grazes && grazes_below)
        stop_open(e, "both sides graze the surface (a two-fold)");
    else if (up > 0 && down < 0 && side == 0)
        stop_open(e, "both sides lead away from the surface");
    if (side >= 0 && down < 0 && !(side == 0 && up > 0)) return MINUS;
    if (side <= 0 && up > 0) return PLUS;
    return SLIDE;
}

// A slide that ends where the surface has also stopped to attract: at a two-fold.
static bool at_two_fold(closure *e, const double *X) {
    return e->state.phase == SLIDE &&
           (e->state.guard == 2 || !(jd_closure_attraction(e, X) > 1e-7 * e->state.attraction));
}

static phase next_phase(closure *e, int side, double *X, int *zero_guard) {
    *zero_guard = 0;
    if (e->state.phase == STUCK || e->state.phase == SLIDE) {
        side = e->state.guard == 0 ? 1 : -1;
        if (at_two_fold(e, X)) stop_open(e, "both sides graze the surface (a two-fold)");
        if (e->plan.wave && !unique(e, side, X)) return e->state.phase;
        return side > 0 ? PLUS : MINUS;
    }
    if (!e->plan.wave) {
        phase p = filippov(e, side, X);
        *zero_guard = p == SLIDE ? -1 : 0;
        return p;
    }
    if (bound(e, 1, X) == bound(e, -1, X)) return side > 0 ? MINUS : PLUS;
    if (!unique(e, side, X)) return e->state.phase;
    *zero_guard = side > 0 ? 0 : 1;
    X[e->plan.n + 1] = bound(e, side, X);
    return STUCK;
}

jd_status jd_closure_event(closure *e, bool *event) {
    phase before = e->state.phase, after;
    int side = before == PLUS ? 1 : -1, zero_guard;
    double *X = e->scratch.entry, *x0 = e->scratch.x_before, *f0 = e->scratch.f_before;
    *event = false;
    memcpy(x0, e->state.x, (size_t)e->state.nx * sizeof *x0);
    jd_closure_full(e, e->state.t, e->state.x, X);
    jd_closure_rate(e, e->state.t, e->state.x, f0);
    if ((before == PLUS || before == MINUS) && e->state.guard == 1) {
        denominator(e, side, X);
        stop(e, JD_STOP_SINGULAR, "1 - dlambda.Lplus = 0", 0, 0, 0);
        return JD_OK;
    }
    after = next_phase(e, side, X, &zero_guard);
    if (e->run->stop != JD_STOP_NONE) return JD_OK;
    if (before == STUCK || before == SLIDE) side = e->state.guard == 0 ? 1 : -1;
    jd_closure_enter(e, after, X, zero_guard);
    closure_saltation salt = {.before = before, .x0 = x0, .f0 = f0, .side = side};
    jd_closure_saltation_open(e, &salt);
    if (e->tangent.n) {
        jd_closure_saltation_columns(e, &salt, e->tangent.n, e->tangent.P, e->tangent.next);
        memcpy(e->tangent.P, e->tangent.next,
               (size_t)(e->state.nx * e->tangent.n) * sizeof *e->tangent.P);
    }
    jd_closure_error_event(e, &salt);
    jd_run_set_event(e->run, e->state.t, 0, 0, jd_closure_contact_state(before),
                     jd_closure_contact_state(after));
    *event = true;
    return JD_OK;
}

// lambda of the critical manifold where the start gives none.
static phase on_surface(closure *e, double *X, bool lambda_given, int *zero_guard) {
    int n = e->plan.n;
    *zero_guard = -1;
    if (!e->plan.wave) {
        phase p = filippov(e, 0, X);
        if (p != SLIDE) *zero_guard = 0;
        return p;
    }
    double up = bound(e, 1, X), down = bound(e, -1, X), low = fmin(up, down), high = fmax(up, down);
    if (!lambda_given) X[n + 1] = jd_closure_sliding_lambda(e, e->state.t, X);
    bool above = X[n + 1] >= high, below = X[n + 1] <= low;
    if (!above && !below) return STUCK;
    *zero_guard = 0;
    return (above && up > down) || (below && up < down) ? PLUS : MINUS;
}

jd_status jd_closure_first_phase(closure *e, double *X, bool lambda_given) {
    int n = e->plan.n, zero_guard = -1;
    phase p = SMOOTH;
    double force, rate, size = 0;
    jd_closure_push(e, e->state.t, &force, &rate);
    if (!e->plan.m) X[n + 1] = 0;
    if (e->plan.m) {
        double h = e->plan.pws.model.h(e->plan.pws.model.user, X);
        jd_closure_gradient_h(e, X, e->scratch.grad_h);
        for (int i = 0; i < n; i++) size += fabs(e->scratch.grad_h[i] * X[i]);
        p = h > 0 ? PLUS : MINUS;
        if (fabs(h) <= 1e-14 * size) p = on_surface(e, X, lambda_given, &zero_guard);
        if (p == PLUS || p == MINUS) X[n + 1] = bound(e, p == PLUS ? 1 : -1, X);
    }
    if (isnan(X[n])) X[n] = X[n + 1] + force;
    jd_closure_enter(e, p, X, zero_guard);
    return JD_OK;
}

jd_critical jd_closure_classify(const jd_closure_model *m, const double *y) {
    enum { MOST = 64 };
    double gh[MOST], linf[MOST], lplus[MOST] = {0};
    double beside[MOST];
    closure e = {.plan = {.n = m->n, .pws.model = *m}, .scratch.beside = beside};
    if (m->n > MOST || !m->h) return JD_CRITICAL_NODE;
    jd_closure_gradient_h(&e, y, gh);
    m->linf(m->user, y, linf);
    if (m->lplus) m->lplus(m->user, y, lplus);
    double a = jd_dot(m->n, gh, linf), across = jd_dot(m->n, gh, lplus);
    if (a * across < 0) return JD_CRITICAL_SADDLE;
    return fabs(across) * 4 * m->sigma < fabs(a) ? JD_CRITICAL_NODE : JD_CRITICAL_FOCUS;
}

const char *jd_critical_name(jd_critical kind) {
    static const char *const names[] = {"node", "focus", "saddle"};
    return names[kind];
}
