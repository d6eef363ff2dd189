// hybrid.c -- phases, root functions and switching rules of a benchmark problem, in double.
//   sliding s:  watched s y',            end: R of the held point decides (stick if |R| <= R0,
//               slide on if s R > R0, i.e. y'' still points outward, reverse if s R < -R0)
//   stuck:      watched R0 -+ R          open: watched gap - y,  y'+ = -e y'-
#include "hybrid.h"

#include <math.h>
#include <string.h>

static bool held(const hybrid *h) { return h->phase == 'H'; }

static void phase_set(hybrid *h, char phase) {
    const bench_problem *p = h->p;
    h->phase = phase;
    const bench_basis *b = held(h) ? &p->held : &p->free;
    double resist = phase == '+' ? p->limit : phase == '-' ? -p->limit : 0;
    memset(h->omega, 0, sizeof h->omega), memset(h->damping, 0, sizeof h->damping);
    memset(h->drive, 0, sizeof h->drive), memset(h->constant, 0, sizeof h->constant);
    memset(h->row_z, 0, sizeof h->row_z), memset(h->row_p, 0, sizeof h->row_p);
    h->row_drive = held(h) ? -p->held_drive * p->force : 0;
    for (int k = 0; k < b->n; k++) {
        h->omega[k] = b->omega[k], h->damping[k] = b->damping[k];
        h->drive[k] = p->force * b->at_drive[k];
        if (held(h)) {
            h->row_z[k] = -b->at_contact[k] / b->omega[k];
            h->row_p[k] = -b->at_contact[k] * p->beta;
        } else {
            h->constant[k] = resist * b->at_contact[k];
            if (phase == 'o')
                h->row_z[k] = b->at_contact[k] / b->omega[k];
            else
                h->row_p[k] = b->at_contact[k];
        }
    }
    if (held(h)) h->row_z[h->n - 1] = -p->held_stiffness;
}

static double watched(const hybrid *h, double t, const double *y) {
    double s = h->row_drive == 0 ? 0 : h->row_drive * sin(h->p->drive * t);
    for (int k = 0; k < h->n; k++)
        s += h->row_z[k] * y[hybrid_z(h, k)] + h->row_p[k] * y[hybrid_p(h, k)];
    return s;
}

void hybrid_rhs(const hybrid *h, double t, const double *restrict y, double *restrict dy) {
    double f = h->p->force == 0 ? 0 : sin(h->p->drive * t);
    int n = h->n;
    if (h->interleaved) {
        for (int k = 0; k < n; k++) {
            double z = y[2 * k], p = y[2 * k + 1];
            dy[2 * k] = h->omega[k] * p;
            dy[2 * k + 1] = h->drive[k] * f - h->constant[k] - h->omega[k] * z - h->damping[k] * p;
        }
        return;
    }
    for (int k = 0; k < n; k++) {
        double z = y[k], p = y[n + k];
        dy[k] = h->omega[k] * p;
        dy[n + k] = h->drive[k] * f - h->constant[k] - h->omega[k] * z - h->damping[k] * p;
    }
}

void hybrid_roots(const hybrid *h, double t, const double *y, double *g) {
    double w = watched(h, t, y);
    g[1] = 1;
    switch (h->phase) {
    case 'H':
        g[0] = h->p->limit - w, g[1] = h->p->limit + w;
        break;
    case '+':
        g[0] = w;
        break;
    case '-':
        g[0] = -w;
        break;
    default: // open
        g[0] = h->p->gap - w;
    }
}

// Free basis -> held basis; the velocity of the contact point is dropped.
static void to_held(const hybrid *h, double *y) {
    const bench_problem *p = h->p;
    double q[BENCH_MAX], v[BENCH_MAX], y0 = 0;
    for (int k = 0; k < h->n; k++) {
        q[k] = y[hybrid_z(h, k)] / p->free.omega[k], v[k] = y[hybrid_p(h, k)];
        y0 += p->free.at_contact[k] * q[k];
    }
    for (int k = 0; k < h->n; k++) q[k] -= y0 * p->static_shape[k];
    for (int i = 0; i < p->held.n; i++) {
        double z = 0, w = 0;
        for (int k = 0; k < h->n; k++) z += p->to_held[i][k] * q[k], w += p->to_held[i][k] * v[k];
        y[hybrid_z(h, i)] = p->held.omega[i] * z, y[hybrid_p(h, i)] = w;
    }
    y[hybrid_z(h, h->n - 1)] = y0, y[hybrid_p(h, h->n - 1)] = 0;
}

static void to_free(const hybrid *h, double *y) {
    const bench_problem *p = h->p;
    double q[BENCH_MAX] = {0}, v[BENCH_MAX] = {0}, y0 = y[hybrid_z(h, h->n - 1)];
    for (int i = 0; i < p->held.n; i++) {
        double z = y[hybrid_z(h, i)] / p->held.omega[i], w = y[hybrid_p(h, i)];
        for (int k = 0; k < h->n; k++) q[k] += p->to_held[i][k] * z, v[k] += p->to_held[i][k] * w;
    }
    for (int k = 0; k < h->n; k++) {
        y[hybrid_z(h, k)] = p->free.omega[k] * (q[k] + y0 * p->static_shape[k]);
        y[hybrid_p(h, k)] = v[k];
    }
}

static void slide_end(hybrid *h, double t, double *y) {
    double sliding[2 * BENCH_MAX];
    char from = h->phase;
    size_t bytes = 2 * (size_t)h->n * sizeof *y;
    memcpy(sliding, y, bytes);
    to_held(h, y);
    phase_set(h, 'H');
    double resist = watched(h, t, y);
    char to = resist > h->p->limit ? '+' : resist < -h->p->limit ? '-' : 'H';
    if (to != 'H') memcpy(y, sliding, bytes);
    phase_set(h, to);
    if (to != from) bench_note(h->events, t, from, to, 0);
}

static void impact(hybrid *h, double t, double *y) {
    const bench_problem *p = h->p;
    double v = 0, mobility = 0;
    for (int k = 0; k < h->n; k++) {
        v += p->free.at_contact[k] * y[hybrid_p(h, k)];
        mobility += p->free.at_contact[k] * p->free.at_contact[k];
    }
    double impulse = (1 + p->restitution) * v / mobility;
    for (int k = 0; k < h->n; k++) y[hybrid_p(h, k)] -= impulse * p->free.at_contact[k];
    bench_note(h->events, t, 'o', 'o', v);
}

void hybrid_event(hybrid *h, double t, int which, double *y) {
    if (h->phase == 'o') {
        impact(h, t, y);
    } else if (held(h)) {
        char to = which == 0 ? '+' : '-';
        to_free(h, y);
        bench_note(h->events, t, h->phase, to, 0);
        phase_set(h, to);
    } else {
        slide_end(h, t, y);
    }
}

void hybrid_start(hybrid *h, const bench_problem *p, bench_events *events, bool interleaved,
                  double *y) {
    *h = (hybrid){.p = p, .events = events, .interleaved = interleaved, .n = p->free.n};
    events->n = 0, events->overflow = false;
    for (int k = 0; k < h->n; k++) {
        y[hybrid_z(h, k)] = p->free.omega[k] * p->q0[k];
        y[hybrid_p(h, k)] = p->v0[k];
    }
    if (p->kind == BENCH_FRICTION) to_held(h, y);
    phase_set(h, p->kind == BENCH_FRICTION ? 'H' : 'o');
}
