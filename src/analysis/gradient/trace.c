// trace.c -- derivatives of displacements at given times, along the orbits of other values.
//   u = W q:  du/dtheta = W dq/dtheta + dW/dtheta q, dq/dtheta from that of the orbit's start.
//   By differences: of the displacements of orbits that start at s + (theta_k - theta) ds/dtheta.
#include <math.h>
#include <string.h>

#include "analysis/gradient/gradient.h"
#include "problem/system.h"

// The mean over the cells of a contact.
static void mean_row(const jd_cells *cells, int n, jd_dd *out) {
    double all = 0;
    for (int i = 0; i < cells->n; i++) all += cells->length[i];
    for (int k = 0; k < n; k++) {
        double sum = 0;
        for (int i = 0; i < cells->n; i++) sum += cells->length[i] / all * cells->row[i][k].hi;
        out[k] = (jd_dd){sum, 0};
    }
}

// Row of a place over the modes, of any of the problems.
static jd_status row_of(const jd_gradient *g, const jd_problem *p, int place, jd_dd *out) {
    const jd_system *s = jd_problem_system(p);
    if (place >= g->places.n_contact) return jd_problem_row(p, g->places.name[place], out);
    if (s->cells[place].position)
        mean_row(&s->cells[place], s->modal.n, out);
    else
        memcpy(out, s->contact[place], (size_t)s->modal.n * sizeof *out);
    return JD_OK;
}

static jd_status slope_at(jd_gradient *g, gradient_by *by, int place, const double *q,
                          const double *dq, jd_dd *row, double *out) {
    int n = jd_problem_system(g->problem)->modal.n;
    double x[JD_STENCIL], sum = 0;
    JD_TRY(row_of(g, g->problem, place, row));
    for (int l = 0; l < n; l++) sum += row[l].hi * dq[l];
    for (int k = 0; k < by->others.n; k++) {
        x[k] = 0;
        JD_TRY(row_of(g, by->others.problem[k], place, row));
        for (int l = 0; l < n; l++) x[k] += row[l].hi * by->others.stencil.sign[k][l] * q[l];
    }
    *out = sum + jd_others_slope(&by->others, x, 0);
    return JD_OK;
}

static jd_status by_saltation(jd_gradient *g, gradient_by *by) {
    jd_run *run = g->orbit.series;
    jd_shooting *sh = g->orbit.sh;
    double *dq = JD_TAKE(g->arena, double, JD_STENCIL_COLUMNS * sh->n),
           *q = JD_TAKE(g->arena, double, sh->n);
    jd_dd *row = JD_TAKE(g->arena, jd_dd, sh->n);
    JD_TRY(jd_arena_status(g->arena));
    JD_TRY(run->class->map.restart(run, 0, sh->s, &sh->phase));
    JD_TRY(run->class->parameter.begin(run, &by->others.stencil, by->ds));
    for (int i = 0; i < g->places.n_look; i++) {
        bool there;
        JD_TRY(jd_gradient_advance(run, g->places.look[i].t, &there));
        JD_TRY(run->class->parameter.look(run, dq));
        run->class->map.state(run, q);
        JD_TRY(slope_at(g, by, g->places.look[i].place, q, dq, row, &by->slope[i]));
    }
    return JD_OK;
}

static jd_status by_differences(jd_gradient *g, gradient_by *by) {
    jd_shooting *sh = g->orbit.sh;
    int n = sh->n, looks = g->places.n_look, modes = jd_problem_system(g->problem)->modal.n;
    double *s = sh->newton.step;
    memset(by->slope, 0, (size_t)looks * sizeof *by->slope);
    for (int k = 0; k < by->others.n; k++) {
        jd_run *run = by->others.stencil.run[k];
        for (int i = 0; i < n; i++)
            s[i] = (sh->s[i] + by->others.node[k] * by->others.h * by->ds[i]) *
                   (2 * modes <= n && i < 2 * modes ? by->others.stencil.sign[k][i % modes] : 1);
        JD_TRY(run->class->map.restart(run, 0, s, &sh->phase));
        for (int i = 0; i < looks; i++) {
            bool there;
            double u, v;
            JD_TRY(jd_gradient_advance(run, g->places.look[i].t, &there));
            JD_TRY(jd_gradient_place_at(g, run, g->places.look[i].place, &u, &v));
            by->slope[i] += by->others.stencil.weight[0][k] * u;
        }
    }
    return JD_OK;
}

jd_status jd_gradient_trace(jd_gradient *g, gradient_by *by) {
    return by->method == JD_GRADIENT_SALTATION ? by_saltation(g, by) : by_differences(g, by);
}
