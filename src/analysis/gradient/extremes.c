// extremes.c -- when the displacements of the places are least and greatest.
//   LOOKS times a period; between the neighbours of the largest one the zero of the velocity by
//   bisection, from the state at the first of them. Where the velocity jumps there is a corner.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/gradient/gradient.h"

enum { LOOKS = 512, HALVINGS = 50 };
static const double corner = 1e-7; // of the largest speed: what is left of it beside an extreme

jd_status jd_gradient_place_at(jd_gradient *g, jd_run *run, int place, double *u, double *v) {
    gradient_places *p = &g->places;
    if (place < p->n_contact) {
        const jd_contact_def *d = jd_problem_contact(run->problem, place)->def;
        bool belt = d->against.kind == JD_MOVING && isfinite(d->against.velocity);
        jd_run_observe_contacts(run, run->t, p->u, p->v, p->f);
        *u = p->u[place];
        *v = p->v[place] + (belt ? d->against.velocity : 0); // du/dt, not that over the belt
        return JD_OK;
    }
    int n = jd_problem_system(g->problem)->modal.n;
    JD_TRY(jd_problem_row(run->problem, p->name[place], p->row));
    run->class->map.state(run, p->state);
    *u = *v = 0;
    for (int l = 0; l < n; l++) {
        *u += p->row[l].hi * p->state[l];
        *v += p->row[l].hi * p->state[n + l];
    }
    return JD_OK;
}

// Speeds at t from the state kept at t0.
static jd_status speed_at(jd_gradient *g, double t0, const double *state, const jd_phase *phase,
                          double t, int place, double *u, double *v) {
    jd_run *run = g->orbit.run;
    bool there;
    JD_TRY(run->class->map.restart(run, t0, state, phase));
    JD_TRY(jd_gradient_advance(run, t, &there));
    return jd_gradient_place_at(g, run, place, u, v);
}

// The extreme between t0 and t1.
static jd_status refine(jd_gradient *g, gradient_look *look, double t0, double t1, double fastest) {
    jd_run *run = g->orbit.run;
    jd_shooting *sh = g->orbit.sh;
    double *state = sh->newton.base, u, v, sign = look->most ? 1 : -1, v0, v1;
    bool there;
    JD_TRY(run->class->map.restart(run, 0, sh->s, &sh->phase));
    JD_TRY(jd_gradient_advance(run, t0, &there));
    run->class->map.state(run, state);
    jd_phase phase = jd_run_contacts(run);
    double low = t0, high = t1;
    for (int i = 0; i < HALVINGS; i++) {
        double t = 0.5 * (low + high);
        JD_TRY(speed_at(g, t0, state, &phase, t, look->place, &u, &v));
        if (sign * v > 0)
            low = t;
        else
            high = t;
    }
    look->t = 0.5 * (low + high);
    double aside = 1e-9 * (t1 - t0);
    JD_TRY(speed_at(g, t0, state, &phase, low - aside, look->place, &u, &v0));
    JD_TRY(speed_at(g, t0, state, &phase, high + aside, look->place, &u, &v1));
    JD_TRY(speed_at(g, t0, state, &phase, look->t, look->place, &look->u, &v));
    look->corner = fabs(v0) + fabs(v1) > corner * fastest;
    return JD_OK;
}

static int by_time(const void *a, const void *b) {
    double x = ((const gradient_look *)a)->t, y = ((const gradient_look *)b)->t;
    return (x > y) - (x < y);
}

// u of every place at every look into `u` (LOOKS + 1 each), largest speeds into `fastest`.
static jd_status sample(jd_gradient *g, double *u, double *fastest) {
    jd_shooting *sh = g->orbit.sh;
    jd_run *run = g->orbit.run;
    JD_TRY(run->class->map.restart(run, 0, sh->s, &sh->phase));
    for (int i = 0; i <= LOOKS; i++) {
        bool there;
        double t = sh->period * i / LOOKS, v;
        JD_TRY(jd_gradient_advance(run, t, &there));
        for (int k = 0; k < g->places.n; k++) {
            JD_TRY(jd_gradient_place_at(g, run, k, &u[k * (LOOKS + 1) + i], &v));
            fastest[k] = fmax(fastest[k], fabs(v));
        }
    }
    return JD_OK;
}

jd_status jd_gradient_extremes(jd_gradient *g) {
    gradient_places *p = &g->places;
    double step = g->orbit.sh->period / LOOKS;
    double *u = JD_TAKE(g->arena, double, p->n *(LOOKS + 1)),
           *fastest = JD_TAKE(g->arena, double, p->n + 1);
    p->look = JD_TAKE(g->arena, gradient_look, 2 * p->n + 1);
    JD_TRY(jd_arena_status(g->arena));
    p->n_look = 0;
    JD_TRY(sample(g, u, fastest));
    for (int k = 0; k < 2 * p->n; k++) {
        const double *x = u + k / 2 * (LOOKS + 1);
        double sign = k % 2 ? 1 : -1;
        int at = 1; // 0 is LOOKS
        for (int i = 1; i <= LOOKS; i++)
            if (sign * x[i] > sign * x[at]) at = i;
        gradient_look *look = &p->look[p->n_look++];
        *look = (gradient_look){.place = k / 2, .most = k % 2};
        JD_TRY(refine(g, look, step * (at - 1), step * (at + 1), fastest[k / 2]));
    }
    qsort(p->look, (size_t)p->n_look, sizeof *p->look, by_time);
    return JD_OK;
}

jd_status jd_gradient_observe(jd_gradient *g) {
    jd_shooting *sh = g->orbit.sh;
    jd_run *run = g->orbit.run;
    JD_TRY(run->class->map.restart(run, 0, sh->s, &sh->phase));
    for (int i = 0; i < g->places.n_look; i++) {
        gradient_look *l = &g->places.look[i];
        bool there;
        double v;
        JD_TRY(jd_gradient_advance(run, l->t, &there));
        JD_TRY(jd_gradient_place_at(g, run, l->place, &l->u, &v));
    }
    return JD_OK;
}
