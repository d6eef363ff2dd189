// spectrum.c -- derivatives of Floquet multipliers, by differences along the orbits.
//   mu(theta_k) are the eigenvalues of the exact M of the orbit at theta_k, which starts at
//   s + (theta_k - theta) ds/dtheta to second order; two Newton steps bring it there. Multipliers
//   are told apart by the nearest: one that moves by a quarter of the way to another has no
//   derivative here. The error is the difference from steps ten times as long.
#include <math.h>
#include <string.h>

#include "analysis/gradient/gradient.h"
#include "linalg/general.h"

enum { STEPS = 3, STEP_LENGTHS = 2 };
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

// Distance of multiplier i to the nearest other one.
static double room_of(int n, const double *mu, int i) {
    double room = HUGE_VAL;
    for (int j = 0; j < n; j++)
        if (j != i) room = fmin(room, hypot(mu[2 * j] - mu[2 * i], mu[2 * j + 1] - mu[2 * i + 1]));
    return room;
}

static void take_slopes(const jd_gradient *g, const jd_others *o, const double *value,
                        double *out) {
    const double *mu = g->view_of->stability.multiplier;
    int n = g->view_of->stability.n_multiplier, size = 2 * g->orbit.sh->n;
    for (int i = 0; i < n; i++) {
        double x[2][JD_STENCIL], moved = 0;
        if (hypot(mu[2 * i], mu[2 * i + 1]) < least) continue;
        for (int k = 0; k < o->n; k++) {
            const double *at = value + (size_t)k * (size_t)size;
            int j = nearest(g->orbit.sh->n, at, mu[2 * i], mu[2 * i + 1]);
            x[0][k] = at[2 * j];
            x[1][k] = at[2 * j + 1];
            moved = fmax(moved, hypot(x[0][k] - mu[2 * i], x[1][k] - mu[2 * i + 1]));
        }
        if (moved > 0.25 * room_of(n, mu, i)) continue;
        for (int c = 0; c < 2; c++) out[2 * i + c] = jd_others_slope(o, x[c], 0);
    }
}

// Derivatives from values `h` of the key apart; *lost: an orbit there has other events.
static jd_status slopes_at(jd_gradient *g, gradient_by *by, double h, double *value, double *slope,
                           double *rounding, bool *lost) {
    int n = g->view_of->stability.n_multiplier;
    size_t size = 2 * (size_t)g->orbit.sh->n;
    jd_others o;
    const char *why;
    for (int i = 0; i < 2 * n; i++) slope[i] = (double)NAN;
    jd_status status =
        jd_others_open(g->context, g->problem, g->arena, by->key, by->value, h, NULL, &o, &why);
    *lost = status != JD_OK || why;
    for (int k = 0; status == JD_OK && !*lost && k < o.n; k++)
        status = multipliers_at(g, by, &o, k, value + (size_t)k * size, lost);
    if (status == JD_OK && !*lost) take_slopes(g, &o, value, slope);
    *rounding = 1e-12 / o.h;
    jd_others_close(&o);
    return status;
}

// The error of all: of the derivatives that both lengths of steps have.
static double compare_slopes(int n, double *slope, const double *longer, double rounding) {
    double error = rounding;
    for (int i = 0; i < 2 * n; i++) {
        if (isnan(longer[i])) slope[i] = (double)NAN;
        if (!isnan(slope[i])) error = fmax(error, rounding + fabs(slope[i] - longer[i]));
    }
    return error;
}

jd_status jd_gradient_spectrum(jd_gradient *g, gradient_by *by, jd_gradient_key *out) {
    int n = g->view_of->stability.n_multiplier, N = g->orbit.sh->n;
    double *value = JD_TAKE(g->arena, double, (size_t)JD_STENCIL * 2 * (size_t)N), rounding,
           *slope[STEP_LENGTHS];
    for (int k = 0; k < STEP_LENGTHS; k++) slope[k] = JD_TAKE(g->arena, double, 2 * n + 1);
    JD_TRY(jd_arena_status(g->arena));
    out->n_multiplier = n;
    out->multiplier = slope[1];
    out->multiplier_error = (double)NAN;
    bool lost = true;
    double h = share;
    JD_TRY(slopes_at(g, by, h, value, slope[0], &rounding, &lost));
    for (; lost && h > 1e-5; h *= 0.1)
        JD_TRY(slopes_at(g, by, 0.1 * h, value, slope[0], &rounding, &lost));
    for (int i = 0; i < 2 * n; i++) slope[1][i] = (double)NAN;
    if (lost) return JD_OK;
    JD_TRY(slopes_at(g, by, 0.1 * h, value, slope[1], &rounding, &lost));
    if (!lost) out->multiplier_error = compare_slopes(n, slope[1], slope[0], rounding);
    return JD_OK;
}
