// driving.c -- a point of a sweep on the grid of an engine without orbits: vibratory driving.
//   It has settled when every period is like the one before (analysis/driven/), over QUIET periods.
//                                                 tested: sets_per_period_are_those_of_runs
#include <math.h>

#include "analysis/driven/driven.h"
#include "analysis/sweep/settling.h"

enum { LIMIT = 300 };

static jd_status refuse(const settling *st, const char *key, const char *why, const char *hint) {
    jd_fail(st->worker->context, JD_NOT_SUPPORTED, "engine `%s` %s", st->run->class->info.name,
            why);
    jd_fail_where(st->worker->context, "%s", key);
    jd_fail_hint(st->worker->context, "%s", hint);
    return JD_NOT_SUPPORTED;
}

static jd_status check(const settling *st) {
    const jd_measure *m = &st->measures.measure[0];
    if (m->kind != JD_MEASURE_SET)
        return refuse(st, "sweep.measure",
                      "offers no orbits; of rods a sweep records the set per period",
                      "name a point: `measure: tip.displacement.set`");
    if (st->carry)
        return refuse(st, "sweep.direction", "has no state that a sweep can carry on",
                      "leave out `direction`: every point begins as the model does");
    if (st->drive > 0) return JD_OK;
    return refuse(st, "drives", "offers no orbits without a harmonic drive",
                  "the set per period is that of a harmonic drive");
}

static jd_status one_period(settling *st, jd_driven *d) {
    JD_TRY(jd_driven_period(st->run, d));
    st->lost = d->lost;
    st->k = d->k;
    return JD_OK;
}

// The set of each of the periods recorded; amplitude is their mean.
static jd_status record(settling *st, jd_driven *d) {
    jd_sweep_point *out = st->out;
    int n = st->sweep->view.n_sample;
    double start[2], before;
    jd_settling_sample(st, start);
    before = start[0];
    out->min = HUGE_VAL, out->max = -HUGE_VAL;
    for (int i = 0; i < n; i++) {
        JD_TRY(one_period(st, d));
        if (st->lost) return JD_OK;
        double *now = st->sample + (ptrdiff_t)2 * i;
        jd_settling_sample(st, now);
        out->min = fmin(out->min, now[0] - before);
        out->max = fmax(out->max, now[0] - before);
        before = now[0];
    }
    out->amplitude = (before - start[0]) / n;
    return JD_OK;
}

jd_status jd_settling_drive(settling *st) {
    const jd_sweep_def *def = st->sweep->def;
    jd_sweep_point *out = st->out;
    jd_driven d;
    double time = 0, tolerance = fmax(def->tolerance, jd_driven_coarse);
    double residual = HUGE_VAL;
    JD_TRY(check(st));
    JD_TRY(jd_driven_open(st->run, st->arena, st->drive, &d));
    if (def->settle.value > 0) JD_TRY(jd_settling_patience(st, &time));
    st->limit = time > 0 ? (long)ceil(time / st->drive) : LIMIT;
    while (!st->lost && st->k < st->limit && st->quiet < JD_DRIVEN_QUIET) {
        JD_TRY(one_period(st, &d));
        if (!st->lost) residual = jd_driven_residual(&d, 1);
        st->quiet = residual <= tolerance ? st->quiet + 1 : 0;
    }
    out->settled = !st->lost && st->quiet >= JD_DRIVEN_QUIET;
    out->waited = (double)st->k;
    out->multiplier = (double)NAN;
    out->period = out->settled ? st->drive : (double)NAN;
    out->periods = out->settled ? 1 : 0;
    out->residual = residual;
    out->how = out->settled ? JD_SETTLE_RECURRENCE : JD_SETTLE_LIMIT;
    if (!st->lost) JD_TRY(record(st, &d));
    if (st->lost) jd_settling_cut(st, st->run->stop);
    return JD_OK;
}
