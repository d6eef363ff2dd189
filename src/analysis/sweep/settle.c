// settle.c -- one point of a sweep: waits for its settled motion (wait.c), records and measures it.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/sweep/settling.h"
#include "base/constants.h"
#include "drive/kind.h"
#include "engine/event.h"

enum { LONGER = 6 };              // doublings of the time of a motion that dies out
static const double same = 1e-9;  // returns this close are the same state: the orbit is shorter
static const double doubt = 1e-6; // at most, however slowly a perturbation decays

// Phase sequence: letters of one contact side by side, words of several contacts apart.
static void add_phase(settling *st, const char *letters) {
    char *text = st->out->phases;
    size_t room = JD_SWEEP_TEXT - 5, more = (size_t)st->m + (st->m > 1 && st->length > 0);
    if (st->length >= room) return;
    if (st->length + more > room) {
        strcpy(text + st->length, "...");
        st->length = room;
        return;
    }
    if (st->m > 1 && st->length > 0) text[st->length++] = ' ';
    strcpy(text + st->length, letters);
    st->length += (size_t)st->m;
}

// Whether contact j (-1: any), stuck so far, begins to slide.
static bool lets_go(const jd_event *e, int j) {
    return (j < 0 || e->contact == j) && jd_event_is_release(e);
}

// Goes through `periods` drive periods from here at time t: extremes, events, samples at their
// ends.
jd_status jd_settling_record(settling *st, double t, int periods) {
    jd_sweep_point *out = st->out;
    bool ranged = jd_measuring_ranged(&st->measures, &st->run->ranges),
         looks = jd_measuring_looks(&st->measures);
    jd_phase phase = {0};
    if (looks) {
        phase = jd_run_contacts(st->run);
        st->map->state(st->run, st->begin);
    }
    if (ranged) JD_TRY(jd_run_track(st->run));
    for (int i = 0; i < periods && !st->lost; i++) {
        for (jd_step step = JD_STEP_EVENT; step != JD_STEP_TIME;) {
            JD_TRY(jd_run_advance(st->run, t + (i + 1) * st->drive, &step));
            st->lost = step == JD_STEP_STOPPED;
            if (st->lost) break;
            if (step != JD_STEP_EVENT) continue;
            if (out->events < JD_SHOOT_EVENTS) st->event[out->events] = st->run->event;
            out->events++;
            out->slips += lets_go(&st->run->event, st->sweep->measure.contact);
            add_phase(st, jd_run_phase(st->run));
        }
        if (st->lost) break;
        jd_settling_sample(st, st->sample + 2 * (size_t)i);
    }
    if (out->events == 0) add_phase(st, jd_run_phase(st->run));
    if (st->lost) return JD_OK;
    if (ranged) JD_TRY(jd_run_ranges(st->run, st->ranges));
    return jd_settling_measure(st, &(jd_measured_period){.start = t,
                                                         .length = periods * st->drive,
                                                         .state = st->begin,
                                                         .phase = &phase,
                                                         .event = st->event,
                                                         .n_event = out->events < JD_SHOOT_EVENTS
                                                                        ? (int)out->events
                                                                        : JD_SHOOT_EVENTS,
                                                         .ranges = st->ranges});
}

// An orbit of n periods may be one of fewer gone round several times. Its state is known to
// residual/(1 - |multiplier|).
static jd_status shorten(settling *st, const double *s) {
    jd_sweep_point *out = st->out;
    double *then = st->miss, known = 10 * out->residual / (1 - out->multiplier),
           most = out->how == JD_SETTLE_SHOOTING ? fmin(doubt, fmax(same, known)) : same;
    jd_step step;
    for (int d = 1; d < out->periods; d++) {
        if (out->periods % d) continue;
        JD_TRY(st->map->restart(st->run, 0, s, &st->sh->phase));
        do JD_TRY(jd_run_advance(st->run, d * st->drive, &step));
        while (step == JD_STEP_EVENT);
        st->map->state(st->run, then);
        if (jd_settling_size(st, then, s) > most * jd_settling_size(st, s, NULL)) continue;
        out->multiplier = pow(out->multiplier, (double)d / out->periods);
        out->periods = d;
    }
    return JD_OK;
}

// The orbit that the motion settled to, or the centred one of its family in its place.
static jd_status record_member(settling *st, int periods) {
    bool moved = false;
    JD_TRY(jd_settling_record(st, 0, periods));
    if (!st->lost) JD_TRY(jd_settling_centre(st, &moved));
    if (!moved) return JD_OK;
    st->out->events = st->out->slips = 0;
    st->length = 0;
    JD_TRY(st->map->restart(st->run, 0, st->sh->s, &st->sh->phase));
    return jd_settling_record(st, 0, periods);
}

static jd_status finish_settled(settling *st) {
    jd_sweep_point *out = st->out;
    jd_shooting *sh = st->sh;
    if (out->how == JD_SETTLE_RECURRENCE) {
        memcpy(sh->s, jd_settling_state(st, st->k), (size_t)st->n * sizeof *sh->s);
        sh->phase = st->phase;
    }
    JD_TRY(shorten(st, sh->s));
    out->period = out->periods * st->drive;
    JD_TRY(st->map->restart(st->run, 0, sh->s, &sh->phase));
    jd_report before, after;
    jd_run_report(st->run, &before);
    int n_sample = st->sweep->view.n_sample, n = out->periods;
    double *keep = st->sample, *all = JD_TAKE(st->arena, double, 2 * n);
    JD_TRY(jd_arena_status(st->arena));
    st->sample = all;
    jd_status status = record_member(st, n);
    st->sample = keep;
    JD_TRY(status);
    if (st->lost) {
        jd_settling_cut(st, st->run->stop);
        return JD_OK;
    }
    jd_run_report(st->run, &after);
    out->undecided = after.certificate.undecided - before.certificate.undecided;
    for (int i = 0; i < 2 * n_sample; i++) keep[i] = all[i % (2 * n)];
    if (st->carry) memcpy(st->carry, sh->s, (size_t)st->n * sizeof *sh->s);
    return JD_OK;
}

void jd_settling_cut(settling *st, jd_stop stop) {
    jd_sweep_point *out = st->out;
    out->settled = false;
    out->how = JD_SETTLE_STOPPED;
    out->stop = stop;
    out->periods = 0;
    out->period = out->amplitude = out->min = out->max = out->multiplier = out->residual =
        (double)NAN;
    for (int i = 0; i < 2 * st->sweep->view.n_sample; i++) st->sample[i] = (double)NAN;
}

jd_status jd_settling_came_back(settling *st) {
    jd_sweep_point *out = st->out;
    out->settled = true;
    out->how = JD_SETTLE_SHOOTING; // its state is in sh->s
    out->residual = 0;
    out->events = out->slips = 0;
    st->length = 0;
    JD_TRY(finish_settled(st));
    out->how = st->lost ? out->how : JD_SETTLE_RECURRENCE;
    return JD_OK;
}

jd_status jd_settling_unsettled(settling *st) {
    jd_sweep_point *out = st->out;
    int n_sample = st->sweep->view.n_sample;
    out->period = out->amplitude = out->min = out->max = out->multiplier = out->residual =
        (double)NAN;
    for (int i = 0; i < 2 * n_sample; i++) st->sample[i] = (double)NAN;
    if (st->carry) st->map->state(st->run, st->carry);
    if (st->lost) return JD_OK;
    if (st->k > 0) out->residual = jd_settling_recurrence(st, 1);
    jd_report before, after;
    jd_run_report(st->run, &before);
    JD_TRY(jd_settling_record(st, st->run->t, n_sample));
    jd_run_report(st->run, &after);
    out->undecided = after.certificate.undecided - before.certificate.undecided;
    if (st->carry) st->map->state(st->run, st->carry);
    if (st->lost) jd_settling_cut(st, st->run->stop);
    return JD_OK;
}

// Every drive must be the same again after the period of the slowest.
static jd_status check_drives(const settling *st) {
    const jd_problem *p = st->worker->problem;
    jd_context *context = st->worker->context;
    for (int i = 0; i < jd_problem_drives(p); i++) {
        const jd_object *d = jd_problem_drive(p, i);
        if (!strcmp(d->type->name, "constant")) continue;
        double cycles = jd_problem_drive_frequency(p, i) * st->drive / JD_TWO_PI;
        if (jd_drive_frequency(d) && fabs(cycles - round(cycles)) < 1e-9 * cycles) continue;
        jd_fail(context, JD_NOT_SUPPORTED, "drive `%s` does not repeat with the period %.9g s",
                d->name, st->drive);
        jd_fail_where(context, "drives.%s", d->name);
        jd_fail_hint(context,
                     "a sweep needs harmonic, travelling or constant drives with a common period");
        return JD_NOT_SUPPORTED;
    }
    for (int j = 0; j < jd_problem_contacts(p); j++) {
        double cycles = jd_problem_swing(p, j) * st->drive / JD_TWO_PI;
        if (fabs(cycles - round(cycles)) <= 1e-9 * cycles) continue;
        const char *name = jd_problem_contact(p, j)->name;
        jd_fail(context, JD_NOT_SUPPORTED,
                "the limit of contact `%s` does not repeat with the period %.9g s", name,
                st->drive);
        jd_fail_where(context, "contacts.%s.law.limit", name);
        jd_fail_hint(context, "a sweep needs limits and drives with a common period");
        return JD_NOT_SUPPORTED;
    }
    return JD_OK;
}

// Without a harmonic drive: how long to wait [s], as this section or `orbit` says.
jd_status jd_settling_patience(const settling *st, double *time) {
    jd_problem *p = st->worker->problem;
    const jd_orbit_def *orbit = jd_problem_section(p, JD_ORBIT, NULL);
    const jd_duration *wait =
        st->sweep->def->settle.value > 0 ? &st->sweep->def->settle : &orbit->settle;
    JD_TRY(jd_problem_duration(p, wait, time));
    if (*time > 0) return JD_OK;
    jd_fail(st->worker->context, JD_MISSING_KEY,
            "nothing drives this model with a period: say how long its motion takes to settle");
    jd_fail_where(st->worker->context, "sweep.settle");
    jd_fail_hint(st->worker->context, "write `settle: 100`, or a time with its unit");
    return JD_MISSING_KEY;
}

static jd_status prepare(settling *st) {
    st->drive = jd_problem_period(st->worker->problem);
    JD_TRY(check_drives(st));
    st->map = &st->run->class->map;
    jd_run_for_analysis(st->run);
    st->u = JD_TAKE(st->arena, double, st->m);
    st->v = JD_TAKE(st->arena, double, st->m);
    st->force = JD_TAKE(st->arena, double, st->m);
    st->ranges = JD_TAKE(st->arena, jd_contact_ranges, st->m);
    JD_TRY(jd_arena_status(st->arena));
    return jd_settling_open_measure(st);
}

static jd_status prepare_states(settling *st) {
    const jd_sweep_def *def = st->sweep->def;
    jd_problem *p = st->worker->problem;
    JD_TRY(jd_shooting_create(st->run, st->arena, &st->sh));
    st->n = st->sh->n;
    st->ring = JD_TAKE_RAW(st->arena, double, JD_SETTLING_RING * st->n);
    st->miss = JD_TAKE(st->arena, double, st->n);
    st->begin = JD_TAKE(st->arena, double, st->n);
    st->turned = JD_TAKE_RAW(st->arena, double, st->n * st->n);
    JD_TRY(jd_arena_status(st->arena));
    st->map->state(st->run, jd_settling_state(st, 0));
    if (!(st->drive > 0)) return JD_OK;
    double time;
    JD_TRY(jd_problem_duration(p, &def->settle, &time));
    st->limit = def->settle.value > 0 ? (long)fmin(1e9, ceil(time / st->drive)) : JD_SETTLING_LIMIT;
    return JD_OK;
}

// The largest |multiplier| but for the one along the orbit, which is 1.
static double free_multiplier(const jd_orbit_view *v) {
    int trivial = 0;
    double most = 0;
    for (int i = 1; i < v->n; i++)
        if (hypot(v->stability.multiplier[2 * i] - 1, v->stability.multiplier[2 * i + 1]) <
            hypot(v->stability.multiplier[2 * trivial] - 1,
                  v->stability.multiplier[2 * trivial + 1]))
            trivial = i;
    for (int i = 0; i < v->n; i++)
        if (i != trivial)
            most = fmax(most,
                        hypot(v->stability.multiplier[2 * i], v->stability.multiplier[2 * i + 1]));
    return most;
}

// Takes the orbit of a motion without a drive as if its own period were that of one.
static void take_orbit(settling *st, const jd_orbit_view *v) {
    jd_sweep_point *out = st->out;
    memcpy(st->sh->s, v->state, (size_t)st->n * sizeof *st->sh->s);
    st->sh->phase = jd_phase_of_text(v->phase);
    st->drive = v->period;
    out->how = JD_SETTLE_SHOOTING;
    out->settled = true;
    out->periods = 1;
    out->multiplier = free_multiplier(v);
    out->residual = v->residual;
}

// Simulates for the time allowed. At rest when nothing happens and the state is the same at three
// times of the last stretch.
static jd_status come_to_rest(settling *st, double time, bool *rest) {
    const double share[] = {0.98, 0.9876543, 1};
    *rest = true;
    for (int i = 0; i < 3 && !st->lost; i++) {
        for (jd_step step = JD_STEP_EVENT; step != JD_STEP_TIME && !st->lost;) {
            JD_TRY(jd_run_advance(st->run, share[i] * time, &step));
            st->lost = step == JD_STEP_STOPPED;
            if (step == JD_STEP_EVENT && i > 0) *rest = false;
        }
        st->map->state(st->run, jd_settling_state(st, i));
        double whole = jd_settling_size(st, jd_settling_state(st, i), NULL);
        *rest &= jd_settling_size(st, jd_settling_state(st, i), jd_settling_state(st, 0)) <=
                 st->sweep->def->tolerance * whole;
    }
    *rest &= !st->lost;
    return JD_OK;
}

bool jd_settling_rests(const jd_orbit_view *v) {
    return !v->found &&
           (v->search.reason == JD_ORBIT_AT_REST || v->search.reason == JD_ORBIT_STEADY_SLIP);
}

// A motion that dies out slowly gets more time, up to 2^LONGER times as much.
static jd_status die_out(settling *st, double time, bool dies, bool *rest) {
    JD_TRY(come_to_rest(st, time, rest));
    for (int i = 0; i < LONGER && dies && !*rest && !st->lost; i++) {
        time *= 2;
        JD_TRY(come_to_rest(st, time, rest));
    }
    st->out->waited = time;
    return JD_OK;
}

static jd_status go_free(settling *st) {
    jd_sweep_point *out = st->out;
    double time;
    bool rest = false, dies;
    jd_orbit *orbit;
    JD_TRY(jd_settling_patience(st, &time));
    jd_orbit_options options = jd_default_orbit_options();
    options.settle = out->waited = time;
    options.most =
        JD_SETTLING_SEARCH * time; // motions without a period must cost no more than others
    options.shoot = true;
    JD_TRY(jd_orbit_create(st->worker->context, st->worker->problem, &options, &orbit));
    const jd_orbit_view *v = jd_orbit_look(orbit);
    if (v->found && v->stability.stable) take_orbit(st, v);
    dies = jd_settling_rests(v);
    jd_orbit_free(orbit);
    if (out->settled) {
        JD_TRY(finish_settled(st));
        out->periods = 0;
        return JD_OK;
    }
    JD_TRY(die_out(st, time, dies, &rest));
    out->how = st->lost ? JD_SETTLE_STOPPED : rest ? JD_SETTLE_RECURRENCE : JD_SETTLE_LIMIT;
    if (st->lost) out->stop = st->run->stop;
    st->drive = time / 100;
    JD_TRY(jd_settling_unsettled(st));
    out->settled = rest && !st->lost;
    return JD_OK;
}

static jd_status go(settling *st) {
    JD_TRY(
        jd_run_create_like(st->worker->context, st->worker->problem, st->worker->last, &st->run));
    JD_TRY(prepare(st));
    if (!st->map->coordinates && st->run->class->body) return jd_settling_drive(st);
    if (st->measures.measure[0].kind == JD_MEASURE_SET)
        return jd_measure_no_set(st->worker->context, "sweep.measure");
    if (st->map->coordinates && st->map->coordinates(st->run) == 0 && st->map->replay_begin)
        return jd_settling_simulate(st);
    JD_TRY(prepare_states(st));
    if (st->carry && st->n != st->sweep->view.n_state)
        return jd_fail(st->worker->context, JD_NOT_SUPPORTED,
                       "a state has %d numbers here, but the modes and sliders of the model %d: "
                       "the motion cannot be carried along the sweep",
                       st->n, st->sweep->view.n_state);
    if (!(st->drive > 0)) return go_free(st);
    JD_TRY(jd_settling_wait(st));
    if (st->out->settled) return finish_settled(st);
    JD_TRY(jd_settling_unsettled(st));
    return jd_settling_beyond(st);
}

jd_status jd_sweep_settle(const jd_sweep *sw, sweep_worker *worker, int index) {
    settling st = {.sweep = sw, .worker = worker, .out = &sw->point[index]};
    st.m = jd_problem_contacts(worker->problem);
    st.sample = sw->sample + (size_t)index * 2 * (size_t)sw->view.n_sample;
    st.carry = sw->state ? sw->state + (size_t)index * (size_t)sw->view.n_state : NULL;
    jd_sweep_point fresh = {.direction = st.out->direction,
                            .start = st.out->start,
                            .value = {st.out->value[0], st.out->value[1]},
                            .exponent = (double)NAN,
                            .exponent_error = (double)NAN,
                            .winding = (double)NAN,
                            .winding_error = (double)NAN,
                            .sample = st.sample,
                            .state = st.carry};
    *st.out = fresh; // nothing of an attempt cut short
    st.arena = jd_arena_create(worker->context);
    if (!st.arena) return JD_OUT_OF_MEMORY;
    jd_status status = go(&st);
    if (st.out->settled) st.out->motion = JD_MOTION_PERIODIC;
    if (st.run && st.run->lends) {
        jd_run_free(worker->last);
        worker->last = st.run;
    } else
        jd_run_free(st.run);
    jd_arena_free(st.arena);
    return status;
}
