// seek_shorten.c -- the shortest period of an orbit that was found with a multiple of it.
//   With a drive, n drive periods: every divisor of n is tried. Without one, T/p for the primes p
//   that divide the number of events, as often as they do.
//                     tested: settled_orbits_have_their_shortest_period
#include <math.h>
#include <string.h>

#include "analysis/orbit/seek.h"

jd_status jd_seek_shorten(jd_seek *k) {
    jd_shooting *sh = k->shooting;
    bool lost;
    for (int m = 1; m < k->periods; m++) {
        if (k->periods % m != 0) continue;
        sh->period = m * k->plan.drive;
        JD_TRY(jd_shooting_round(sh, true, &lost));
        if (!lost && jd_shooting_residual(sh) < jd_shooting_floor(sh)) {
            k->periods = m;
            return jd_shooting_residual(sh) <= k->options.tolerance ? JD_OK : jd_seek_shoot(k);
        }
    }
    sh->period = k->periods * k->plan.drive;
    return jd_shooting_round(sh, true, &lost);
}

// An engine that computes to a tolerance has orbits to it: what returns about that well after a
// part of the period may be the orbit itself, which Newton's method then finds there. *shorter: it
// does.
static jd_status shoot_part(jd_seek *k, double whole, int part, bool *shorter) {
    jd_shooting *sh = k->shooting;
    jd_arena_mark mark = jd_arena_here(k->arena);
    double *s = JD_TAKE(k->arena, double, sh->n);
    const jd_phase phase = sh->phase;
    JD_TRY(jd_arena_status(k->arena));
    memcpy(s, sh->s, (size_t)sh->n * sizeof *s);
    JD_TRY(jd_seek_shoot(k));
    *shorter = k->outcome.found && fabs(part * sh->period - whole) < 1e-2 * whole;
    if (!*shorter) {
        memcpy(sh->s, s, (size_t)sh->n * sizeof *s);
        sh->phase = phase;
        k->outcome.found = true;
        k->outcome.reason = JD_ORBIT_FOUND;
    }
    jd_arena_back(k->arena, mark);
    return JD_OK;
}

jd_status jd_seek_shorten_free(jd_seek *k) {
    static const int primes[] = {2, 3, 5, 7, 11, 13};
    jd_shooting *sh = k->shooting;
    bool lost, shorter = false;
    for (size_t i = 0; i < sizeof primes / sizeof *primes; i++) {
        double whole = sh->period;
        if (sh->last.n_event % primes[i] != 0) continue;
        sh->period = whole / primes[i];
        JD_TRY(jd_shooting_round(sh, true, &lost));
        double residual = lost ? HUGE_VAL : jd_shooting_residual(sh);
        bool closes = residual < jd_shooting_floor(sh), near = residual < 1e3 * sh->tolerance;
        if (!closes && near) JD_TRY(shoot_part(k, whole, primes[i], &closes));
        if (closes) {
            shorter = true;
            i--; // once more
        } else {
            sh->period = whole;
            JD_TRY(jd_shooting_round(sh, true, &lost));
        }
    }
    return shorter && jd_shooting_residual(sh) > k->options.tolerance ? jd_seek_shoot(k) : JD_OK;
}
