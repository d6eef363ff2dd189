// switch.c -- from one phase to the next, and whether there is exactly one next.
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

static const double grazing = 1e-13; // of its terms: h' smaller than this is none

static double dot(int n, const double *a, const double *b) {
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i] * b[i];
    return s;
}

char jd_phase_letter(phase p) {
    return p == PLUS ? '+' : p == MINUS ? '-' : p == SMOOTH ? '~' : 'H';
}

static double bound(const closure *e, int side, const double *y) {
    return e->pws.model.lambda(e->pws.model.user, side, y);
}

static double denominator(closure *e, int side, const double *y) {
    if (!e->wave) return 1;
    e->pws.model.lplus(e->pws.model.user, y, e->lplus);
    jd_closure_gradient_lambda(e, side, y, e->gl);
    return 1 - dot(e->n, e->gl, e->lplus);
}

void jd_closure_enter(closure *e, phase p, const double *X, int zero_guard) {
    int n = e->n;
    e->phase = p;
    e->nx = jd_phase_size(e, p);
    memmove(e->x, X, (size_t)n * sizeof *X);
    double kappa = X[n], lambda = X[n + 1];
    if (e->memory) e->x[n] = kappa;
    if (p == STUCK) e->x[n + e->memory] = lambda;
    if (p != SMOOTH) e->sign = bound(e, -1, e->x) > bound(e, 1, e->x) ? 1 : -1;
    if (p == SLIDE) e->attraction = fmax(jd_closure_attraction(e, e->x), 1e-300);
    if (p == PLUS || p == MINUS)
        e->denominator = denominator(e, p == PLUS ? 1 : -1, e->x) > 0 ? 1 : -1;
    for (int k = 0; k < GUARDS; k++) e->fresh[k] = k == zero_guard;
    e->h = 0;
    e->n_ring = e->next_ring = 0;
    e->pending = e->lands = false;
    e->restarted = true;
    e->solver.lu_n = e->aside.lu_n = 0;
    if (e->m) e->run->phase[0] = jd_phase_letter(p);
}

static bool stop(closure *e, jd_stop why, const char *what, double a, double b, double gap) {
    snprintf(e->note, NOTE,
             "%s: (1 - dlambda.Lplus) = %.6g, dh.Lplus = %.6g, lambda+ - lambda- = %.6g, at t = "
             "%.10g",
             what, a, b, gap, e->t);
    e->run->stop = why;
    return false;
}

// Whether the switch at this side is one that Proposition 2 allows.
static bool unique(closure *e, int side, const double *y) {
    double c = denominator(e, side, y), gap = bound(e, -1, y) - bound(e, 1, y);
    jd_closure_gradient_h(e, y, e->gh);
    double across = dot(e->n, e->gh, e->lplus),
           size = sqrt(dot(e->n, e->gh, e->gh) * dot(e->n, e->lplus, e->lplus));
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
        what, e->t);
    e->run->stop = JD_STOP_NOT_UNIQUE;
}

// h' on one side of the surface, L+ = 0; *size: what its rounding is measured by.
static double speed(closure *e, int side, const double *X, double *size) {
    phase was = e->phase;
    e->phase = side > 0 ? PLUS : MINUS;
    jd_closure_rate(e, e->t, X, e->rate);
    e->phase = was;
    jd_closure_gradient_h(e, X, e->gh);
    *size = 0;
    for (int i = 0; i < e->n; i++) *size += fabs(e->gh[i]) * (fabs(e->r[i]) + fabs(e->linf[i]));
    return dot(e->n, e->gh, e->rate);
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
    return e->phase == SLIDE &&
           (e->guard == 2 || !(jd_closure_attraction(e, X) > 1e-7 * e->attraction));
}

static phase next_phase(closure *e, int side, double *X, int *zero_guard) {
    *zero_guard = 0;
    if (e->phase == STUCK || e->phase == SLIDE) {
        side = e->guard == 0 ? 1 : -1;
        if (at_two_fold(e, X)) stop_open(e, "both sides graze the surface (a two-fold)");
        if (e->wave && !unique(e, side, X)) return e->phase;
        return side > 0 ? PLUS : MINUS;
    }
    if (!e->wave) {
        phase p = filippov(e, side, X);
        *zero_guard = p == SLIDE ? -1 : 0;
        return p;
    }
    if (bound(e, 1, X) == bound(e, -1, X)) return side > 0 ? MINUS : PLUS;
    if (!unique(e, side, X)) return e->phase;
    *zero_guard = side > 0 ? 0 : 1;
    X[e->n + 1] = bound(e, side, X);
    return STUCK;
}

jd_status jd_closure_switch(closure *e, bool *event) {
    phase before = e->phase, after;
    int side = before == PLUS ? 1 : -1, zero_guard;
    double *X = e->guess + e->n + 2, *x0 = X + e->n + 2, *f0 = x0 + e->n + 2;
    *event = false;
    memcpy(x0, e->x, (size_t)e->nx * sizeof *x0);
    jd_closure_full(e, e->t, e->x, X);
    jd_closure_rate(e, e->t, e->x, f0);
    if ((before == PLUS || before == MINUS) && e->guard == 1) {
        denominator(e, side, X);
        stop(e, JD_STOP_SINGULAR, "1 - dlambda.Lplus = 0", 0, 0, 0);
        return JD_OK;
    }
    after = next_phase(e, side, X, &zero_guard);
    if (e->run->stop != JD_STOP_NONE) return JD_OK;
    if (before == STUCK || before == SLIDE) side = e->guard == 0 ? 1 : -1;
    jd_closure_enter(e, after, X, zero_guard);
    closure_salt salt = {.before = before, .x0 = x0, .f0 = f0, .side = side};
    jd_closure_salt_open(e, &salt);
    if (e->n_tangent) {
        jd_closure_salt_columns(e, &salt, e->n_tangent, e->P, e->P1);
        memcpy(e->P, e->P1, (size_t)(e->nx * e->n_tangent) * sizeof *e->P);
    }
    jd_closure_error_event(e, &salt);
    e->run->event = (jd_event){
        .t = e->t, .contact = 0, .from = jd_phase_letter(before), .to = jd_phase_letter(after)};
    *event = true;
    return JD_OK;
}

// lambda of the critical manifold where the start gives none.
static phase on_surface(closure *e, double *X, bool lambda_given, int *zero_guard) {
    int n = e->n;
    *zero_guard = -1;
    if (!e->wave) {
        phase p = filippov(e, 0, X);
        if (p != SLIDE) *zero_guard = 0;
        return p;
    }
    double up = bound(e, 1, X), down = bound(e, -1, X), low = fmin(up, down), high = fmax(up, down);
    if (!lambda_given) X[n + 1] = jd_closure_sliding_lambda(e, e->t, X);
    bool above = X[n + 1] >= high, below = X[n + 1] <= low;
    if (!above && !below) return STUCK;
    *zero_guard = 0;
    return (above && up > down) || (below && up < down) ? PLUS : MINUS;
}

jd_status jd_closure_first_phase(closure *e, double *X, bool lambda_given) {
    int n = e->n, zero_guard = -1;
    phase p = SMOOTH;
    double force, rate, size = 0;
    jd_closure_push(e, e->t, &force, &rate);
    if (!e->m) X[n + 1] = 0;
    if (e->m) {
        double h = e->pws.model.h(e->pws.model.user, X);
        jd_closure_gradient_h(e, X, e->gh);
        for (int i = 0; i < n; i++) size += fabs(e->gh[i] * X[i]);
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
    closure e = {.n = m->n, .pws.model = *m};
    double room[MOST];
    if (m->n > MOST || !m->h) return JD_CRITICAL_NODE;
    e.guess = room;
    jd_closure_gradient_h(&e, y, gh);
    m->linf(m->user, y, linf);
    if (m->lplus) m->lplus(m->user, y, lplus);
    double a = dot(m->n, gh, linf), across = dot(m->n, gh, lplus);
    if (a * across < 0) return JD_CRITICAL_SADDLE;
    return fabs(across) * 4 * m->sigma < fabs(a) ? JD_CRITICAL_NODE : JD_CRITICAL_FOCUS;
}

const char *jd_critical_name(jd_critical kind) {
    static const char *const names[] = {"node", "focus", "saddle"};
    return names[kind];
}
