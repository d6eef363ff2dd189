// steps.c -- one step after the other: length by the defect of the polynomial, events inside.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/closure/closure.h"

static const double shortest = 1e-15; // of the time scale: below, nothing moves any more

void jd_closure_forget_sizes(closure *e) {
    for (int i = 0; i < e->n + 2; i++) e->scale[i] = 1e-3;
}

static void grow_scale(closure *e, const double *x) {
    double largest = 0;
    for (int i = 0; i < e->nx; i++) e->scale[i] = fmax(e->scale[i], fabs(x[i]));
    for (int i = 0; i < e->n; i++) largest = fmax(largest, e->scale[i]);
    for (int i = 0; i < e->nx; i++) e->scale[i] = fmax(e->scale[i], 1e-3 * largest);
}

// A first step from the size of the rate.
static double first_length(closure *e) {
    double rate = 0;
    if (!jd_closure_rate(e, e->t, e->x, e->full)) return 0;
    for (int i = 0; i < e->nx; i++) rate = fmax(rate, fabs(e->full[i]) / e->scale[i]);
    return fmin(0.1, 0.05 / fmax(rate, 1e-6));
}

// Steps shrink to nothing: the equations are singular here, or give no number.
static jd_status not_finite(closure *e) {
    if (e->wave && (e->phase == PLUS || e->phase == MINUS) && !e->broken) {
        double left = e->denominator * jd_closure_guard(e, 1, e->t, e->x);
        snprintf(e->note, NOTE, "1 - dlambda.Lplus = 0: it is %.6g at t = %.10g and falls", left,
                 e->t);
        e->run->stop = JD_STOP_SINGULAR;
        if (fabs(left) < 0.1) return JD_OK;
    }
    char *to = e->note;
    size_t left = NOTE;
    int used = snprintf(to, left, "the model gives no number at t = %.10g, y = (", e->bad_t);
    for (int i = 0; i < e->n && used > 0 && (size_t)used < left - 20; i++)
        used += snprintf(to + used, left - (size_t)used, "%s%.6g", i ? ", " : "", e->x[i]);
    if (used > 0 && (size_t)used < left - 2) snprintf(to + used, left - (size_t)used, ")");
    e->run->stop = JD_STOP_NOT_FINITE;
    return JD_OK;
}

jd_status jd_closure_step(closure *e) {
    const radau_field f = {e, jd_closure_rate};
    radau_step *s = &e->step;
    const radau_step *before = NULL;
    if (e->n_ring > 0 && !e->restarted) before = &e->ring[(e->next_ring + RING - 1) % RING];
    grow_scale(e, e->x);
    if (e->phase == SLIDE) e->attraction = fmax(e->attraction, jd_closure_attraction(e, e->x));
    e->broken = false;
    if (!(e->h > 0)) e->h = first_length(e);
    for (int tries = 0;; tries++) {
        double room = e->t_break - e->t;
        s->n = e->nx;
        s->t = e->t;
        s->h = fmin(e->h, room);
        if (!(s->h > shortest * fmax(fabs(e->t), 1e-3)) || tries > 400) return not_finite(e);
        memcpy(s->x, e->x, (size_t)e->nx * sizeof *s->x);
        e->solver.same_J = false;
        radau_end end = jd_radau_solve(&e->solver, &f, s, before, e->scale);
        before = NULL; // a second try begins plainly
        if (end != RADAU_DONE) {
            e->h = s->h / (end == RADAU_SLOW ? 2 : 8);
            continue;
        }
        e->step_error = jd_radau_error(&e->solver, &f, s, e->scale);
        double error = e->step_error / e->tolerance;
        double factor = 0.9 * pow(fmax(error, 1e-10), -1.0 / RADAU_NODES);
        e->h = s->h * fmax(0.2, fmin(factor, 4));
        if (error > 1) continue;
        e->steps++;
        if (jd_closure_find_event(e) == JD_OK) break;
        e->h = s->h;
    }
    e->pending = true;
    return JD_OK;
}

void jd_closure_gone(closure *e) {
    radau_step *to = &e->ring[e->next_ring];
    double *x = to->x;
    *to = e->step;
    to->x = x;
    memcpy(x, e->step.x, (size_t)(RADAU_NODES * e->nx) * sizeof *x);
    e->next_ring = (e->next_ring + 1) % RING;
    e->n_ring += e->n_ring < RING;
    memcpy(e->x, e->step.x + RADAU_STAGES * e->nx, (size_t)e->nx * sizeof *e->x);
    e->t = e->step.t + e->step.h;
    e->pending = e->restarted = false;
    for (int k = 0; k < GUARDS; k++) e->fresh[k] = false;
}

void jd_closure_at(closure *e, double t, double *x) {
    if (e->pending && t >= e->step.t) {
        double theta = e->step.h > 0 ? (t - e->step.t) / e->step.h : 0;
        jd_radau_look(&e->solver, &e->step, theta, x);
        return;
    }
    for (int i = 1; i <= e->n_ring; i++) {
        const radau_step *s = &e->ring[(e->next_ring + RING - i) % RING];
        if ((t < s->t && i < e->n_ring) || s->h <= 0) continue;
        jd_radau_look(&e->solver, s, (t - s->t) / s->h, x);
        return;
    }
    memcpy(x, e->x, (size_t)e->nx * sizeof *x);
}

jd_status jd_closure_inside(closure *e, double t, double *x, double *P) {
    const radau_field f = {e, jd_closure_rate};
    radau_step *s = &e->look;
    if (!e->pending || t <= e->step.t) {
        memcpy(x, e->x, (size_t)e->nx * sizeof *x);
        return JD_OK;
    }
    s->n = e->nx;
    s->t = e->step.t;
    s->h = t - e->step.t;
    memcpy(s->x, e->step.x, (size_t)e->nx * sizeof *x);
    if (t == e->step.t + e->step.h) {
        memcpy(s->x, e->step.x, (size_t)(RADAU_NODES * e->nx) * sizeof *x);
    } else if (jd_radau_solve(&e->aside, &f, s, NULL, e->scale) != RADAU_DONE) {
        jd_closure_at(e, t, x);
        return JD_OK;
    }
    memcpy(x, s->x + RADAU_STAGES * e->nx, (size_t)e->nx * sizeof *x);
    return P ? jd_closure_carry(e, s, P) : JD_OK;
}
