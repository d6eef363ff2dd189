// shoot.c -- the exact engine as a map: put in a state, advance, take out the state and its
// derivative. States are (q, q') in free coordinates, n + n numbers.
#include <math.h>
#include <string.h>

#include "engine/exact/exact.h"

int exact_coordinates(const jd_run *run) { return 2 * ((const exact *)run->state)->n; }

// What q and q' are measured by: omega (the slowest one for rigid-body modes) and 1, so that sizes
// are square roots of energies.
void exact_scales(const jd_run *run, double *out) {
    const exact *e = run->state;
    for (int k = 0; k < e->n; k++) {
        out[k] = e->omega2[k] > 0 ? sqrt(e->omega2[k]) : 6.283185307179586 / e->scale_time;
        out[e->n + k] = 1;
    }
}

static mark mark_of(const exact *e, int j, char letter) {
    const contact *c = &e->contact[j];
    if (c->stop) {
        if (letter == 'o') return OPEN;
        return c->both && dot(e->n, c->row, e->q) < 0 ? LOWER : UPPER;
    }
    if (letter == 'H') return HELD;
    return relative_speed(e, j) > 0 ? PLUS : MINUS;
}

jd_status exact_restart(jd_run *run, double t, const double *state, const char *phase) {
    exact *e = run->state;
    memcpy(e->q, state, (size_t)e->n * sizeof *e->q);
    memcpy(e->p, state + e->n, (size_t)e->n * sizeof *e->p);
    for (int j = 0; j < e->m; j++) {
        e->marks[j] = mark_of(e, j, phase[j]);
        e->order[j] = e->side[j] = 0;
        run->phase[j] = mark_letter(e->marks[j]);
    }
    e->t0 = run->t = t;
    run->waiting = false;
    e->pending = e->started = false;
    e->nearest = NULL;
    e->ranges = NULL; // extremes are kept again when asked for again
    e->n_queue = e->next_queue = 0;
    if (!e->horizon.known) e->n_tangent = 0;
    e->storm = 0;
    e->energy0 = ledger_energy(e, e->q, e->p, NULL);
    e->damping = 0;
    ledger_forget(e);
    run->stop = JD_STOP_NONE;
    exact_segments(e, t);
    return JD_OK;
}

void exact_state(jd_run *run, double *out) {
    exact *e = run->state;
    if (!e->pending) {
        memcpy(out, e->q, (size_t)e->n * sizeof *out);
        memcpy(out + e->n, e->p, (size_t)e->n * sizeof *out);
        return;
    }
    double t = run->t - e->t0;
    jd_expbasis_advance(e->b->exp, t, e->re, e->im, e->re2, e->im2);
    phase_state(e, t, e->re2, e->im2, e->x1, e->xd1);
    phase_full(e, t, e->x1, e->xd1, out, out + e->n);
}

// d state/dt at the present time.
void exact_rate(jd_run *run, double *out) {
    exact *e = run->state;
    exact_state(run, out);
    double *keep_q = e->q, *keep_p = e->p;
    e->q = out;
    e->p = out + e->n;
    acceleration(e, run->t);
    e->q = keep_q;
    e->p = keep_p;
    if (e->pending)
        for (int i = 0; i < e->b->ms; i++) {
            double force = functional_value(e, &e->b->lambda[i], e->re2, e->im2, run->t - e->t0);
            add_row(e->n, force, e->contact[e->b->held[i]].row, e->acc);
        }
    memmove(out, out + e->n, (size_t)e->n * sizeof *out);
    memcpy(out + e->n, e->acc, (size_t)e->n * sizeof *out);
}

// Tangent from here on: the identity.
jd_status exact_tangent_start(jd_run *run) {
    exact *e = run->state;
    int n = e->n;
    JD_TRY(tangent_start(e, 2 * n));
    memset(e->tq, 0, (size_t)(2 * n * n) * sizeof *e->tq);
    memset(e->tp, 0, (size_t)(2 * n * n) * sizeof *e->tp);
    for (int k = 0; k < n; k++) {
        e->tq[k * n + k] = 1;
        e->tp[(n + k) * n + k] = 1;
    }
    return JD_OK;
}

// out: 2n x 2n row-major, d state(now)/d state(at tangent start). Ends the tangent.
void exact_tangent(jd_run *run, double *out) {
    exact *e = run->state;
    int n = e->n;
    if (e->pending && run->t > e->t0) tangent_phase(e, run->t - e->t0);
    for (int c = 0; c < 2 * n; c++)
        for (int k = 0; k < n; k++) {
            out[k * 2 * n + c] = e->tq[c * n + k];
            out[(n + k) * 2 * n + c] = e->tp[c * n + k];
        }
    e->n_tangent = 0;
}
