// field.c -- the equations of each phase.
//   F = r + Linf mu + L+ (f' - sigma (mu - kappa)),  mu = lambda + f, f the drives on the contact
//   slip   y' = (I - L+ dlambda)^-1 F = F + L+ (dlambda.F)/(1 - dlambda.L+)           (49)
//   stuck  lambda' = -dh.F/(dh.L+),  y' = F + L+ lambda'                              (50)
//   slide  y' = r + Linf (lambda + f),  lambda = -dh.(r + Linf f)/(dh.Linf)           Filippov
//   kappa' = sigma (mu - kappa)
#include <math.h>
#include <string.h>

#include "engine/closure/closure.h"
#include "linalg/dot.h"

int jd_phase_size(const closure *e, phase p) { return e->plan.n + e->plan.memory + (p == STUCK); }

void jd_closure_segments(closure *e, double t) {
    e->segments.end = HUGE_VAL;
    for (int d = 0; d < e->plan.n_drive; d++) {
        jd_drive_segment *s = &e->segments.of[d];
        jd_drive_segment_at(e->plan.drive[d].object, e->plan.drive[d].omega, t, s);
        e->segments.end = fmin(e->segments.end, s->end);
    }
}

void jd_closure_drive_value(const closure *e, int d, double t, double *force, double *rate) {
    const jd_drive_segment *s = &e->segments.of[d];
    double angle = s->omega * t + s->phase;
    *force = s->amplitude * sin(angle) + s->level + s->slope * (t - s->start);
    *rate = s->amplitude * s->omega * cos(angle) + s->slope;
}

void jd_closure_push(const closure *e, double t, double *force, double *rate) {
    *force = *rate = 0;
    for (int i = 0; i < e->plan.n_drive; i++) {
        double f, df;
        if (e->plan.drive[i].push != JD_PUSH_LAMBDA) continue;
        jd_closure_drive_value(e, i, t, &f, &df);
        *force += f;
        *rate += df;
    }
}

static void add_drives(const closure *e, double t, double *r) {
    for (int i = 0; i < e->plan.n_drive; i++) {
        const drive *d = &e->plan.drive[i];
        double f, df;
        if (d->push < 0 && !d->column) continue;
        jd_closure_drive_value(e, i, t, &f, &df);
        if (d->column)
            for (int k = 0; k < e->plan.n; k++) r[k] += f * d->column[k];
        else
            r[d->push] += f;
    }
}

// (f(-2d) - 8 f(-d) + 8 f(d) - f(2d))/(12 d) of a function of y; `which` 0: h, else lambda's side.
static void difference(const closure *e, int which, const double *y, double *out) {
    static const double at[] = {-2, -1, 1, 2}, factor[] = {1, -8, 8, -1};
    const jd_closure_model *m = &e->plan.pws.model;
    double *x = e->scratch.beside;
    memcpy(x, y, (size_t)e->plan.n * sizeof *x);
    for (int j = 0; j < e->plan.n; j++) {
        double d = 1e-3 * fmax(fabs(y[j]), 0.1), sum = 0;
        for (int k = 0; k < 4; k++) {
            x[j] = y[j] + at[k] * d;
            sum += factor[k] * (which ? m->lambda(m->user, which, x) : m->h(m->user, x));
        }
        x[j] = y[j];
        out[j] = sum / (12 * d);
    }
}

void jd_closure_gradient_h(const closure *e, const double *y, double *out) {
    const jd_closure_model *m = &e->plan.pws.model;
    if (m->dh)
        m->dh(m->user, y, out);
    else
        difference(e, 0, y, out);
}

void jd_closure_gradient_lambda(const closure *e, int side, const double *y, double *out) {
    const jd_closure_model *m = &e->plan.pws.model;
    if (m->dlambda)
        m->dlambda(m->user, side, y, out);
    else
        difference(e, side, y, out);
}

// r with drives, Linf, and L+ where there is one.
static void evaluate(closure *e, double t, const double *y) {
    const jd_closure_model *m = &e->plan.pws.model;
    m->r(m->user, t, y, e->scratch.r);
    add_drives(e, t, e->scratch.r);
    if (e->plan.pws.past) e->scratch.r[e->plan.n / 2] += jd_closure_past(e, t, y);
    m->linf(m->user, y, e->scratch.linf);
    if (e->plan.wave) m->lplus(m->user, y, e->scratch.lplus);
}

// F; returns kappa'.
static double force_field(closure *e, double t, const double *y, double kappa, double lambda) {
    double f, df, rate = 0;
    evaluate(e, t, y);
    jd_closure_push(e, t, &f, &df);
    double mu = lambda + f;
    if (e->plan.memory) rate = e->plan.pws.model.sigma * (mu - kappa);
    for (int i = 0; i < e->plan.n; i++) {
        e->scratch.F[i] = e->scratch.r[i] + e->scratch.linf[i] * mu;
        if (e->plan.wave) e->scratch.F[i] += e->scratch.lplus[i] * (df - rate);
    }
    return rate;
}

double jd_closure_sliding_lambda(closure *e, double t, const double *y) {
    double f, df;
    evaluate(e, t, y);
    jd_closure_push(e, t, &f, &df);
    jd_closure_gradient_h(e, y, e->scratch.grad_h);
    return -(jd_dot(e->plan.n, e->scratch.grad_h, e->scratch.r) +
             jd_dot(e->plan.n, e->scratch.grad_h, e->scratch.linf) * f) /
           jd_dot(e->plan.n, e->scratch.grad_h, e->scratch.linf);
}

double jd_closure_attraction(closure *e, const double *y) {
    const jd_closure_model *m = &e->plan.pws.model;
    m->linf(m->user, y, e->scratch.linf);
    jd_closure_gradient_h(e, y, e->scratch.grad_h);
    return (m->lambda(m->user, -1, y) - m->lambda(m->user, 1, y)) *
           jd_dot(e->plan.n, e->scratch.grad_h, e->scratch.linf);
}

static double side_lambda(const closure *e, int side, const double *y) {
    return e->plan.pws.model.lambda(e->plan.pws.model.user, side, y);
}

static int side_of(phase p) { return p == PLUS ? 1 : -1; }

bool jd_closure_rate(void *engine, double t, const double *x, double *out) {
    closure *e = engine;
    int n = e->plan.n;
    double kappa = e->plan.memory ? x[n] : 0, lambda = 0, rate, along = 0;
    e->count.evaluations++;
    if (e->state.phase == STUCK) lambda = x[n + e->plan.memory];
    if (e->state.phase == PLUS || e->state.phase == MINUS)
        lambda = side_lambda(e, side_of(e->state.phase), x);
    if (e->state.phase == SLIDE) lambda = jd_closure_sliding_lambda(e, t, x);
    rate = force_field(e, t, x, kappa, lambda);
    if (e->plan.wave && (e->state.phase == PLUS || e->state.phase == MINUS)) {
        jd_closure_gradient_lambda(e, side_of(e->state.phase), x, e->scratch.grad_lambda);
        along = jd_dot(n, e->scratch.grad_lambda, e->scratch.F) /
                (1 - jd_dot(n, e->scratch.grad_lambda, e->scratch.lplus));
    } else if (e->state.phase == STUCK) {
        jd_closure_gradient_h(e, x, e->scratch.grad_h);
        along = -jd_dot(n, e->scratch.grad_h, e->scratch.F) /
                jd_dot(n, e->scratch.grad_h, e->scratch.lplus);
        out[n + e->plan.memory] = along;
    }
    bool finite = isfinite(rate) && isfinite(along);
    for (int i = 0; i < n; i++) {
        out[i] = e->scratch.F[i] + (e->plan.wave ? e->scratch.lplus[i] * along : 0);
        finite &= isfinite(out[i]);
    }
    if (e->plan.memory) out[n] = rate;
    if (!finite) e->bad_t = t;
    e->broken |= !finite;
    return finite;
}

void jd_closure_full(closure *e, double t, const double *x, double *X) {
    int n = e->plan.n;
    memmove(X, x, (size_t)n * sizeof *X);
    double kappa = e->plan.memory ? x[n] : 0, lambda = 0;
    if (e->state.phase == STUCK) lambda = x[n + e->plan.memory];
    if (e->state.phase == PLUS || e->state.phase == MINUS)
        lambda = side_lambda(e, side_of(e->state.phase), x);
    if (e->state.phase == SLIDE) lambda = jd_closure_sliding_lambda(e, t, x);
    X[n] = kappa;
    X[n + 1] = lambda;
}

// lambda' of a slide is not needed by anyone: 0.
bool jd_closure_full_rate(closure *e, double t, const double *x, double *out) {
    int n = e->plan.n;
    double rate[1] = {0}, kappa = 0;
    if (!jd_closure_rate(e, t, x, e->scratch.rate)) return false;
    if (e->plan.memory) kappa = e->scratch.rate[n];
    if (e->state.phase == STUCK) rate[0] = e->scratch.rate[n + e->plan.memory];
    if (e->state.phase == PLUS || e->state.phase == MINUS) {
        jd_closure_gradient_lambda(e, side_of(e->state.phase), x, e->scratch.grad_lambda);
        rate[0] = jd_dot(n, e->scratch.grad_lambda, e->scratch.rate);
    }
    memmove(out, e->scratch.rate, (size_t)n * sizeof *out);
    out[n] = kappa;
    out[n + 1] = rate[0];
    return true;
}
