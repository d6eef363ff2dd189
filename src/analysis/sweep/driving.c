// driving.c -- a point of a sweep on the grid of an engine without orbits: vibratory driving.
//   The motion does not come back: with every period of the drive the rods go down by a set. It has
//   settled when all nodes go the same way d_k = u(kT) - u((k-1)T) and have the same velocities as
//   a period before:
//     r_k = max(|d_k - d_(k-1)|, |v_k - v_(k-1)| T/(2 pi))/max(|d_k|, |v_k| T/(2 pi))
//   with |x|^2 = sum m x^2, over QUIET periods below the tolerance, which is at least that of a
//   grid whose steps do not meet the periods.      tested: sets_per_period_are_those_of_runs
#include <math.h>
#include <string.h>

#include "analysis/sweep/settling.h"
#include "base/constants.h"

enum { QUIET = 4, LIMIT = 300 };
static const double coarse = 5e-3; // of a grid

typedef struct driven {
    int n;
    double *u, *v, *way; // of all nodes at the last period's end; their way in it
    double residual;
} driven;

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

static jd_status open(settling *st, driven *d) {
    jd_body_field f;
    for (int b = 0; b < jd_problem_bodies(st->worker->problem); b++)
        if (jd_run_body(st->run, b, &f)) d->n += f.n;
    d->u = JD_TAKE(st->arena, double, d->n);
    d->v = JD_TAKE(st->arena, double, d->n);
    d->way = JD_TAKE(st->arena, double, d->n);
    return jd_arena_status(st->arena);
}

// All nodes at the end of a period, compared with the one before.
static void compare(settling *st, driven *d) {
    double off_way = 0, off_v = 0, way = 0, speed = 0, omega = JD_TWO_PI / st->drive;
    jd_body_field f;
    for (int b = 0, k = 0; b < jd_problem_bodies(st->worker->problem); b++) {
        if (!jd_run_body(st->run, b, &f)) continue;
        for (int i = 0; i < f.n; i++, k++) {
            double gone = f.displacement[i] - d->u[k], m = f.mass[i];
            off_way += m * (gone - d->way[k]) * (gone - d->way[k]);
            off_v += m * (f.velocity[i] - d->v[k]) * (f.velocity[i] - d->v[k]);
            way += m * gone * gone;
            speed += m * f.velocity[i] * f.velocity[i];
            d->way[k] = gone;
            d->u[k] = f.displacement[i];
            d->v[k] = f.velocity[i];
        }
    }
    double whole = fmax(sqrt(way), sqrt(speed) / omega);
    d->residual = whole > 0 ? fmax(sqrt(off_way), sqrt(off_v) / omega) / whole : 0;
}

static jd_status one_period(settling *st, driven *d) {
    jd_step step = JD_STEP_EVENT;
    while (step == JD_STEP_EVENT)
        JD_TRY(jd_run_advance(st->run, (double)(st->k + 1) * st->drive, &step));
    st->lost = step == JD_STEP_STOPPED;
    if (st->lost) return JD_OK;
    st->k++;
    compare(st, d);
    return JD_OK;
}

// The set of each of the periods recorded; amplitude is their mean.
static jd_status record(settling *st, driven *d) {
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
    driven d = {0};
    double time = 0, tolerance = fmax(def->tolerance, coarse);
    JD_TRY(check(st));
    JD_TRY(open(st, &d));
    if (def->settle.value > 0) JD_TRY(jd_settling_patience(st, &time));
    st->limit = time > 0 ? (long)ceil(time / st->drive) : LIMIT;
    while (!st->lost && st->k < st->limit && st->quiet < QUIET) {
        JD_TRY(one_period(st, &d));
        st->quiet = d.residual <= tolerance ? st->quiet + 1 : 0;
    }
    out->settled = !st->lost && st->quiet >= QUIET;
    out->waited = (double)st->k;
    out->multiplier = (double)NAN;
    out->period = out->settled ? st->drive : (double)NAN;
    out->periods = out->settled ? 1 : 0;
    out->residual = d.residual;
    out->how = out->settled ? JD_SETTLE_RECURRENCE : JD_SETTLE_LIMIT;
    if (!st->lost) JD_TRY(record(st, &d));
    if (st->lost) jd_settling_cut(st, st->run->stop);
    return JD_OK;
}
