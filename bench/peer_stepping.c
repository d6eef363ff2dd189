// peer_stepping.c -- time stepping of Moreau and Jean on the friction beam: equal steps, no events.
//   theta = 1/2 in modes, the reaction constant over a step and clipped to the limit:
//     (1 + theta h c + theta^2 h^2 w^2) p1 = (1 - (1-theta) h c - theta (1-theta) h^2 w^2) p0
//                                          - h w^2 q0 + h f(t + theta h) - h phi R
//     v1 = v_free - h W R,  R = clip(v_free/(h W), -R0, R0)
//   An event is a change between stuck and sliding from one step to the next, at its end.
//   The option is the number of steps in a drive period.
#include "peer.h"

#include <math.h>

typedef struct stepping {
    const bench_basis *b;
    double h, W, q[BENCH_MAX], p[BENCH_MAX];
    double past[BENCH_MAX], place[BENCH_MAX], drive[BENCH_MAX], react[BENCH_MAX];
} stepping;

static void prepare(stepping *s, const bench_problem *p, double h) {
    *s = (stepping){.b = &p->free, .h = h};
    for (int k = 0; k < p->free.n; k++) {
        double c = p->free.damping[k], w2 = p->free.omega[k] * p->free.omega[k];
        double scale = 1 / (1 + 0.5 * h * c + 0.25 * h * h * w2);
        s->past[k] = scale * (1 - 0.5 * h * c - 0.25 * h * h * w2);
        s->place[k] = -scale * h * w2;
        s->drive[k] = scale * h * p->free.at_drive[k] * p->force;
        s->react[k] = scale * h * p->free.at_contact[k];
        s->W += p->free.at_contact[k] * s->react[k];
        s->q[k] = p->q0[k], s->p[k] = p->v0[k];
    }
}

// One step; the reaction.
static double step(stepping *s, double sine, double limit) {
    const double *phi = s->b->at_contact;
    double next[BENCH_MAX], v = 0;
    for (int k = 0; k < s->b->n; k++) {
        next[k] = s->past[k] * s->p[k] + s->place[k] * s->q[k] + s->drive[k] * sine;
        v += phi[k] * next[k];
    }
    double R = fmax(-limit, fmin(limit, v / s->W));
    for (int k = 0; k < s->b->n; k++) {
        next[k] -= s->react[k] * R;
        s->q[k] += 0.5 * s->h * (next[k] + s->p[k]);
        s->p[k] = next[k];
    }
    return R;
}

void bench_stepping(const bench_solver *solver, const bench_problem *p, bench_tolerance tolerance,
                    bench_events *events, bench_outcome *out) {
    (void)tolerance;
    stepping s;
    long n = (long)solver->option * p->periods;
    char state = 'H';
    events->n = 0, events->overflow = false;
    prepare(&s, p, p->t_end / (double)n);
    for (long i = 0; i < n; i++) {
        double R = step(&s, sin(p->drive * s.h * ((double)i + 0.5)), p->limit);
        char now = fabs(R) < p->limit ? 'H' : R > 0 ? '+' : '-';
        if (now != state) bench_note(events, s.h * (double)(i + 1), state, now, 0);
        state = now;
    }
    out->steps = n, out->evaluations = -1;
    out->available = out->finished = true;
}
