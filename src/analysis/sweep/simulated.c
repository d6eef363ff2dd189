// simulated.c -- a point of a sweep where the engine's state is waves under way: the motion is
// simulated until it repeats (analysis/orbit/settled.c), its largest multiplier that of waves.c.
//                                                  tested: sweeps_of_waves_are_those_of_their_poles
#include <math.h>

#include "analysis/sweep/settling.h"
#include "base/fail.h"
#include "judder/orbit.h"

static const double periods = 250; // of a drive, where the model does not say how long to wait

static jd_status take_run(settling *st, const jd_orbit *orbit) {
    jd_run_free(st->run);
    st->run = NULL;
    JD_TRY(jd_orbit_run(orbit, &st->run));
    jd_run_for_analysis(st->run);
    return JD_OK;
}

// At the ends of n times T from where the orbit begins, as often as samples are wanted.
static jd_status sample(settling *st, const jd_orbit *orbit, int n, double T) {
    int all = 2 * st->sweep->view.n_sample;
    JD_TRY(take_run(st, orbit));
    for (int i = 0; i < n && 2 * i < all && !st->lost; i++) {
        jd_step step = JD_STEP_EVENT;
        while (step == JD_STEP_EVENT) JD_TRY(jd_run_advance(st->run, (i + 1) * T, &step));
        st->lost = step == JD_STEP_STOPPED;
        if (!st->lost) jd_settling_sample(st, st->sample + (ptrdiff_t)2 * i);
    }
    for (int i = 2 * n; i < all; i++) st->sample[i] = st->sample[i - 2 * n];
    return JD_OK;
}

// One period of the motion that simulation settles to.
static jd_status record(settling *st, const jd_orbit *orbit) {
    const jd_orbit_view *v = jd_orbit_look(orbit);
    double *keep = st->sample, one[2] = {0};
    bool forced = st->drive > 0;
    JD_TRY(sample(st, orbit, forced ? v->periods : 1, forced ? st->drive : v->period));
    if (st->lost) return JD_OK;
    JD_TRY(take_run(st, orbit));
    st->drive = v->period;
    st->sample = one;
    // from within its first phase on: its last event, which ends the period as far as the tolerance
    // goes, is none of the edges
    double begin = v->n_event ? v->event[0].t / 2 : 1e-9 * v->period;
    jd_status status = jd_settling_record(st, begin, 1);
    st->sample = keep;
    return status;
}

static jd_status record_simulated(settling *st, const jd_orbit *orbit) {
    const jd_orbit_view *v = jd_orbit_look(orbit);
    jd_sweep_point *out = st->out;
    out->period = v->period;
    out->settled = true;
    out->how = JD_SETTLE_RECURRENCE;
    out->periods = v->periods;
    out->multiplier = v->stability.largest;
    out->residual = v->residual;
    JD_TRY(record(st, orbit));
    if (st->lost) jd_settling_cut(st, st->run->stop);
    return JD_OK;
}

// Engines whose state is waves under way: simulated until it repeats, or for the time allowed.
jd_status jd_settling_simulate(settling *st) {
    jd_sweep_point *out = st->out;
    jd_orbit_options options = jd_default_orbit_options();
    jd_orbit *orbit;
    jd_step step = JD_STEP_EVENT;
    double time = periods * st->drive;
    if (jd_system_has_cells(jd_problem_system(st->worker->problem))) {
        jd_fail(st->worker->context, JD_NOT_SUPPORTED,
                "sweeps of contacts along spans or at several points are offered by this engine "
                "where their laws have a `stiffness`");
        jd_fail_hint(st->worker->context,
                     "give the contact a `stiffness`; `judder batch` runs one model after the "
                     "other; rigid contacts written one by one can be swept");
        return JD_NOT_SUPPORTED;
    }
    if (jd_measuring_looks(&st->measures)) {
        jd_fail(st->worker->context, JD_NOT_SUPPORTED,
                "waves under way (delays) are recorded at contacts: extremes of displacement, "
                "velocity and force, or impacts");
        jd_fail_where(st->worker->context, "sweep.measure");
        return JD_NOT_SUPPORTED;
    }
    if (st->carry)
        return jd_fail(st->worker->context, JD_NOT_SUPPORTED,
                       "waves under way (delays) are no state that a sweep can carry on");
    if (!(st->drive > 0) || st->sweep->def->settle.value > 0)
        JD_TRY(jd_settling_patience(st, &time));
    options.settle = time;
    options.most = JD_SETTLING_SEARCH * time;
    out->waited = st->drive > 0 ? time / st->drive : time;
    JD_TRY(jd_orbit_create(st->worker->context, st->worker->problem, &options, &orbit));
    bool found = jd_orbit_look(orbit)->found, rests = jd_settling_rests(jd_orbit_look(orbit));
    if (rests) time = fmax(time, jd_orbit_look(orbit)->search.settled);
    if (rests) out->waited = st->drive > 0 ? time / st->drive : time;
    jd_status status = found ? record_simulated(st, orbit) : JD_OK;
    jd_orbit_free(orbit);
    if (found || status != JD_OK) return status;
    while (step == JD_STEP_EVENT) JD_TRY(jd_run_advance(st->run, time, &step));
    st->lost = step == JD_STEP_STOPPED;
    out->how = st->lost ? JD_SETTLE_STOPPED : rests ? JD_SETTLE_RECURRENCE : JD_SETTLE_LIMIT;
    if (st->lost) out->stop = st->run->stop;
    if (!(st->drive > 0)) st->drive = time / 100;
    JD_TRY(jd_settling_unsettled(st));
    out->settled = rests && !st->lost;
    return JD_OK;
}
