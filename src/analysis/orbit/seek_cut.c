// seek_cut.c -- where single shooting failed: the same motion cut into segments (multiple.c).
#include <math.h>
#include <string.h>

#include "analysis/orbit/seek.h"

enum { RETURNS = 64, CUTS = 2 }; // periods looked at for a return; attempts

// The state on the way after which the motion comes closest to itself one period later: where it
// wanders, orbits are near such places.
static jd_status closest_return(jd_seek *k, bool *goes_on) {
    int n = k->shooting->n, P = k->periods, all = RETURNS + P;
    int best = 0;
    double *s = JD_TAKE(k->arena, double, (all + 1) * n), least = HUGE_VAL;
    jd_phase *phase = JD_TAKE(k->arena, jd_phase, all + 1);
    JD_TRY(jd_arena_status(k->arena));
    for (int i = 0; i <= all; i++) {
        memcpy(s + i * n, k->settled.state, (size_t)n * sizeof *s);
        phase[i] = k->settled.phase;
        if (i < all) JD_TRY(jd_seek_simulate(k, k->plan.drive, goes_on));
        if (!*goes_on) return JD_OK;
    }
    for (int i = 0; i + P <= all; i++) {
        double d = jd_shooting_distance(k->shooting, s + i * n, s + (i + P) * n);
        if (d < least) {
            least = d;
            best = i;
        }
    }
    memcpy(k->shooting->s, s + best * n, (size_t)n * sizeof *s);
    k->shooting->phase = phase[best];
    return JD_OK;
}

jd_status jd_seek_cut(jd_seek *k, bool *goes_on) {
    jd_shooting *sh = k->shooting;
    const jd_orbit_options *o = &k->options;
    bool lost;
    jd_arena_mark mark = jd_arena_here(k->arena);
    double period = k->plan.drive > 0 ? k->periods * k->plan.drive : sh->period;
    if (!(k->plan.asked || k->plan.from_here) || k->cuts++ >= CUTS) return JD_OK;
    memcpy(sh->s, k->settled.state, (size_t)sh->n * sizeof *sh->s);
    sh->phase = k->settled.phase;
    sh->period = period;
    if (k->plan.drive > 0 && !(k->plan.from_here && k->attempts == 1))
        JD_TRY(closest_return(k, goes_on));
    if (!*goes_on) return JD_OK;
    JD_TRY(jd_shooting_round(sh, false, &lost));
    if (lost || sh->last.n_event < 1 || sh->last.n_event > JD_MULTIPLE_SEGMENTS) return JD_OK;
    int segments =
        sh->last.n_event + 1 < JD_MULTIPLE_SEGMENTS ? sh->last.n_event + 1 : JD_MULTIPLE_SEGMENTS;
    JD_TRY(jd_multiple_create(sh, segments < 2 ? 2 : segments, &k->multiple));
    JD_TRY(jd_multiple_guess(&k->multiple, &lost));
    if (lost) return jd_arena_back(k->arena, mark), JD_OK;
    JD_TRY(jd_multiple_solve(&k->multiple, o->iterations, o->tolerance, k->outcome.history,
                             &k->outcome.n_step, &k->outcome.found, &k->outcome.why));
    k->outcome.best = fmin(k->outcome.best, k->outcome.history[k->outcome.n_step]);
    k->outcome.reason = sh->newton.reason;
    k->cut = k->outcome.found;
    if (k->outcome.found) return jd_multiple_round(&k->multiple, true, &lost);
    jd_arena_back(k->arena, mark);
    return JD_OK;
}
