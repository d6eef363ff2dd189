// period_map.c -- dP/dtheta at a fixed time: through the events, or by differences of whole maps.
//   Saltation: engine `series` carries the derivative along (engine/series/observers/parameter.c),
//   for orbits that other engines found as well: their states are the same numbers.
//   Differences: P(s, theta_k) for the values of the stencil, which must meet the same events.
#include <math.h>
#include <string.h>

#include "analysis/gradient/gradient.h"

static const double same_orbit = 1e-8; // of the state: series must close the orbit, too

jd_status jd_gradient_advance(jd_run *run, double t, bool *there) {
    jd_step step = JD_STEP_EVENT;
    while (step == JD_STEP_EVENT) JD_TRY(jd_run_advance(run, t, &step));
    *there = step == JD_STEP_TIME;
    return JD_OK;
}

jd_status jd_gradient_saltation(jd_gradient *g, gradient_by *by, const char **why) {
    jd_run *run = g->orbit.series;
    jd_shooting *sh = g->orbit.sh;
    bool there;
    *why = g->orbit.why;
    if (!run) return JD_OK;
    JD_TRY(jd_others_open(g->context, g->orbit.copy, g->arena, by->key, by->value, by->share,
                          "series", &by->others, why));
    if (*why) return JD_OK;
    memset(sh->newton.work, 0, (size_t)sh->n * sizeof(double));
    JD_TRY(run->class->map.restart(run, 0, sh->s, &sh->phase));
    JD_TRY(run->class->parameter.begin(run, &by->others.stencil, sh->newton.work));
    JD_TRY(jd_gradient_advance(run, sh->period, &there));
    if (!there) *why = "engine `series` does not complete the period";
    if (*why) return JD_OK;
    run->class->map.state(run, sh->newton.step);
    if (!(jd_shooting_distance(sh, sh->newton.step, sh->s) <= same_orbit * g->orbit.size))
        *why = "engine `series` does not close the orbit";
    if (*why) return JD_OK;
    JD_TRY(run->class->parameter.look(run, by->P));
    *why = run->class->parameter.broken(run);
    for (int i = 0; i < JD_STENCIL_COLUMNS * sh->n && !*why; i++)
        if (!isfinite(by->P[i])) *why = "a contact is only grazed";
    return JD_OK;
}

// The state of the orbit in the coordinates of run k.
static void turn(const jd_gradient *g, const gradient_by *by, int k, double *s) {
    int modes = jd_problem_system(g->problem)->modal.n;
    if (2 * modes > g->orbit.sh->n) return; // other coordinates
    for (int l = 0; l < modes; l++) {
        s[l] *= by->others.stencil.sign[k][l];
        s[modes + l] *= by->others.stencil.sign[k][l];
    }
}

// To the end of the period by the events of the orbit; *same: it meets them.
static jd_status pass(jd_gradient *g, jd_run *run, bool *same) {
    const gradient_orbit *o = &g->orbit;
    jd_step step = JD_STEP_EVENT;
    int n = 0;
    *same = true;
    for (; *same; n++) {
        JD_TRY(jd_run_advance(run, o->sh->period, &step));
        if (step != JD_STEP_EVENT) break;
        *same = n < o->n_event && run->event.contact == o->event[n].contact &&
                run->event.from == o->event[n].from && run->event.to == o->event[n].to;
    }
    *same &= step == JD_STEP_TIME && n == o->n_event;
    return JD_OK;
}

jd_status jd_gradient_differences(jd_gradient *g, gradient_by *by, const char **why) {
    jd_shooting *sh = g->orbit.sh;
    int n = sh->n;
    double *s = sh->newton.step;
    JD_TRY(jd_others_open(g->context, g->problem, g->arena, by->key, by->value, by->share, NULL,
                          &by->others, why));
    if (*why) return JD_OK;
    memset(by->P, 0, (size_t)(JD_STENCIL_COLUMNS * n) * sizeof *by->P);
    for (int k = 0; k < by->others.n && !*why; k++) {
        jd_run *run = by->others.stencil.run[k];
        bool same;
        memcpy(s, sh->s, (size_t)n * sizeof *s);
        turn(g, by, k, s);
        JD_TRY(run->class->map.restart(run, 0, s, &sh->phase));
        JD_TRY(pass(g, run, &same));
        if (!same) *why = "changes of it change the phase sequence of the orbit";
        run->class->map.state(run, s);
        turn(g, by, k, s);
        for (int c = 0; c < JD_STENCIL_COLUMNS; c++)
            for (int i = 0; i < n; i++) by->P[c * n + i] += by->others.stencil.weight[c][k] * s[i];
    }
    return JD_OK;
}
