// steps.c -- one step after the other: length by the defect of the polynomial, events inside.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/closure/closure.h"

static const double shortest = 1e-15; // of the time scale: below, nothing moves any more

void jd_closure_forget_sizes(closure *e) {
    for (int i = 0; i < e->plan.n + 2; i++) e->state.scale[i] = 1e-3;
}

static void grow_scale(closure *e, const double *x) {
    double largest = 0;
    for (int i = 0; i < e->state.nx; i++) e->state.scale[i] = fmax(e->state.scale[i], fabs(x[i]));
    for (int i = 0; i < e->plan.n; i++) largest = fmax(largest, e->state.scale[i]);
    for (int i = 0; i < e->state.nx; i++)
        e->state.scale[i] = fmax(e->state.scale[i], 1e-3 * largest);
}

// A first step from the size of the rate.
static double first_length(closure *e) {
    double rate = 0;
    if (!jd_closure_rate(e, e->state.t, e->state.x, e->scratch.rate)) return 0;
    for (int i = 0; i < e->state.nx; i++)
        rate = fmax(rate, fabs(e->scratch.rate[i]) / e->state.scale[i]);
    return fmin(0.1, 0.05 / fmax(rate, 1e-6));
}

// Steps shrink to nothing: the equations are singular here, or give no number.
static jd_status not_finite(closure *e) {
    if (e->plan.wave && (e->state.phase == PLUS || e->state.phase == MINUS) && !e->broken) {
        double left = e->state.denominator * jd_closure_guard(e, 1, e->state.t, e->state.x);
        snprintf(e->note, NOTE, "1 - dlambda.Lplus = 0: it is %.6g at t = %.10g and falls", left,
                 e->state.t);
        e->run->stop = JD_STOP_SINGULAR;
        if (fabs(left) < 0.1) return JD_OK;
    }
    char *to = e->note;
    size_t left = NOTE;
    int used = snprintf(to, left, "the model gives no number at t = %.10g, y = (", e->bad_t);
    for (int i = 0; i < e->plan.n && used > 0 && (size_t)used < left - 20; i++)
        used += snprintf(to + used, left - (size_t)used, "%s%.6g", i ? ", " : "", e->state.x[i]);
    if (used > 0 && (size_t)used < left - 2) snprintf(to + used, left - (size_t)used, ")");
    e->run->stop = JD_STOP_NOT_FINITE;
    return JD_OK;
}

jd_status jd_closure_step(closure *e) {
    const radau_field f = {e, jd_closure_rate};
    radau_step *s = &e->state.step;
    const radau_step *before = NULL;
    if (e->past.n > 0 && !e->state.restarted)
        before = &e->past.step[(e->past.next + RING - 1) % RING];
    grow_scale(e, e->state.x);
    if (e->state.phase == SLIDE)
        e->state.attraction = fmax(e->state.attraction, jd_closure_attraction(e, e->state.x));
    e->broken = false;
    if (!(e->state.h > 0)) e->state.h = first_length(e);
    for (int tries = 0;; tries++) {
        double room = e->segments.end - e->state.t;
        s->n = e->state.nx;
        s->t = e->state.t;
        s->h = fmin(e->state.h, room);
        if (!(s->h > shortest * fmax(fabs(e->state.t), 1e-3)) || tries > 400) return not_finite(e);
        memcpy(s->x, e->state.x, (size_t)e->state.nx * sizeof *s->x);
        e->solver.same_J = false;
        radau_end end = jd_radau_solve(&e->solver, &f, s, before, e->state.scale);
        before = NULL; // a second try begins plainly
        if (end != RADAU_DONE) {
            e->state.h = s->h / (end == RADAU_SLOW ? 2 : 8);
            continue;
        }
        e->state.newton_rest = e->solver.left;
        e->state.step_error = jd_radau_error(&e->solver, &f, s, e->state.scale);
        double error = e->state.step_error / e->plan.tolerance;
        double factor = 0.9 * pow(fmax(error, 1e-10), -1.0 / RADAU_NODES);
        e->state.h = s->h * fmax(0.2, fmin(factor, 4));
        if (error > 1) continue;
        e->count.steps++;
        if (jd_closure_find_event(e) == JD_OK) break;
        e->state.h = s->h;
    }
    e->state.pending = true;
    return JD_OK;
}

void jd_closure_leave_step(closure *e) {
    radau_step *to = &e->past.step[e->past.next];
    double *x = to->x;
    *to = e->state.step;
    to->x = x;
    memcpy(x, e->state.step.x, (size_t)(RADAU_NODES * e->state.nx) * sizeof *x);
    e->past.next = (e->past.next + 1) % RING;
    e->past.n += e->past.n < RING;
    memcpy(e->state.x, e->state.step.x + RADAU_STAGES * e->state.nx,
           (size_t)e->state.nx * sizeof *e->state.x);
    e->state.t = e->state.step.t + e->state.step.h;
    e->state.pending = e->state.restarted = false;
    for (int k = 0; k < GUARDS; k++) e->state.fresh[k] = false;
}

void jd_closure_at(closure *e, double t, double *x) {
    if (e->state.pending && t >= e->state.step.t) {
        double theta = e->state.step.h > 0 ? (t - e->state.step.t) / e->state.step.h : 0;
        jd_radau_look(&e->solver, &e->state.step, theta, x);
        return;
    }
    for (int i = 1; i <= e->past.n; i++) {
        const radau_step *s = &e->past.step[(e->past.next + RING - i) % RING];
        if ((t < s->t && i < e->past.n) || s->h <= 0) continue;
        jd_radau_look(&e->solver, s, (t - s->t) / s->h, x);
        return;
    }
    memcpy(x, e->state.x, (size_t)e->state.nx * sizeof *x);
}

jd_status jd_closure_inside(closure *e, double t, double *x, double *P) {
    const radau_field f = {e, jd_closure_rate};
    radau_step *s = &e->part;
    if (!e->state.pending || t <= e->state.step.t) {
        memcpy(x, e->state.x, (size_t)e->state.nx * sizeof *x);
        return JD_OK;
    }
    s->n = e->state.nx;
    s->t = e->state.step.t;
    s->h = t - e->state.step.t;
    memcpy(s->x, e->state.step.x, (size_t)e->state.nx * sizeof *x);
    if (t == e->state.step.t + e->state.step.h) {
        memcpy(s->x, e->state.step.x, (size_t)(RADAU_NODES * e->state.nx) * sizeof *x);
    } else if (jd_radau_solve(&e->aside, &f, s, NULL, e->state.scale) != RADAU_DONE) {
        jd_closure_at(e, t, x);
        return JD_OK;
    }
    memcpy(x, s->x + RADAU_STAGES * e->state.nx, (size_t)e->state.nx * sizeof *x);
    return P ? jd_closure_carry(e, s, P) : JD_OK;
}
