// spectrum.c -- derivatives of Floquet multipliers, by differences along the orbits.
//   mu(theta_k) are the eigenvalues of the exact M of the orbit at theta_k, which starts at
//   s + (theta_k - theta) ds/dtheta to second order; two Newton steps bring it there. Multipliers
//   are told apart by the nearest; the error is what the inner nodes alone would give otherwise.
#include <math.h>
#include <string.h>

#include "analysis/gradient/gradient.h"
#include "linalg/general.h"

enum { STEPS = 3 };
static const double share = 1e-3, least = 1e-8; // of the key; smaller multipliers have none

// Eigenvalues of the orbit at value k into `value`; *lost: it has another phase sequence.
static jd_status multipliers_at(jd_gradient *g, gradient_by *by, const jd_others *o, int k,
                                double *value, bool *lost) {
    jd_shooting *sh, *own = g->orbit.sh;
    int n = own->n, modes = jd_problem_system(g->problem)->modal.n;
    JD_TRY(jd_shooting_create(o->stencil.run[k], g->arena, &sh));
    double step = o->node[k] * o->h;
    for (int i = 0; i < n; i++)
        sh->s[i] = (own->s[i] + step * by->ds[i]) *
                   (2 * modes <= n && i < 2 * modes ? o->stencil.sign[k][i % modes] : 1);
    sh->forced = own->forced;
    sh->period = own->forced ? g->view_of->periods * jd_problem_period(o->problem[k])
                             : own->period + step * by->dT[0];
    sh->phase = own->phase;
    for (int i = 0; i < STEPS; i++) {
        JD_TRY(jd_shooting_round(sh, true, lost));
        if (*lost || sh->last.n_event != g->orbit.n_event) break;
        if (i + 1 < STEPS) jd_shooting_step(sh, 1);
    }
    *lost |= sh->last.n_event != g->orbit.n_event;
    if (*lost) return JD_OK;
    return jd_eigen_low_rank(g->arena, n, sh->M, value);
}

// The nearest of n multipliers to (re, im).
static int nearest(int n, const double *value, double re, double im) {
    int best = 0;
    for (int i = 1; i < n; i++)
        if (hypot(value[2 * i] - re, value[2 * i + 1] - im) <
            hypot(value[2 * best] - re, value[2 * best + 1] - im))
            best = i;
    return best;
}

static void take_slopes(jd_gradient *g, const jd_others *o, const double *value, double *out,
                        double *error) {
    const double *mu = g->view_of->stability.multiplier;
    int n = g->view_of->stability.n_multiplier, size = 2 * g->orbit.sh->n;
    for (int i = 0; i < n; i++) {
        double x[2][JD_STENCIL];
        if (hypot(mu[2 * i], mu[2 * i + 1]) < least) continue;
        for (int k = 0; k < o->n; k++) {
            const double *at = value + (size_t)k * (size_t)size;
            int j = nearest(g->orbit.sh->n, at, mu[2 * i], mu[2 * i + 1]);
            x[0][k] = at[2 * j];
            x[1][k] = at[2 * j + 1];
        }
        for (int c = 0; c < 2; c++) {
            out[2 * i + c] = jd_others_slope(o, x[c], 0);
            *error = fmax(*error, fabs(out[2 * i + c] - jd_others_slope(o, x[c], 1)));
        }
    }
}

jd_status jd_gradient_spectrum(jd_gradient *g, gradient_by *by, jd_gradient_key *out) {
    const jd_orbit_view *v = g->view_of;
    int n = v->stability.n_multiplier, N = g->orbit.sh->n;
    double *value = JD_TAKE(g->arena, double, (size_t)JD_STENCIL * 2 * (size_t)N),
           *slope = JD_TAKE(g->arena, double, 2 * n + 1);
    jd_others o;
    const char *why;
    JD_TRY(jd_arena_status(g->arena));
    out->n_multiplier = n;
    out->multiplier = slope;
    out->multiplier_error = (double)NAN;
    for (int i = 0; i < 2 * n; i++) slope[i] = (double)NAN;
    bool lost = true;
    jd_status status = JD_OK;
    for (double h = share; h > 1e-6 && lost && status == JD_OK; h *= 0.1) {
        status =
            jd_others_open(g->context, g->problem, g->arena, by->key, by->value, h, NULL, &o, &why);
        lost = status == JD_OK && !why ? false : true;
        for (int k = 0; status == JD_OK && !lost && k < o.n; k++)
            status = multipliers_at(g, by, &o, k, value + (size_t)k * 2 * (size_t)N, &lost);
        if (status == JD_OK && !lost) {
            out->multiplier_error = 1e-12 / o.h;
            take_slopes(g, &o, value, slope, &out->multiplier_error);
        }
        jd_others_close(&o);
    }
    return status;
}
