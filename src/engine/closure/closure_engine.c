// closure_engine.c -- the closure engine's face: create, advance from event to event, observe.
#include <math.h>
#include <string.h>

#include "engine/closure/closure.h"

static const double growth_limit = 1e100;
static const long storm_limit = 1000; // events without time passing

static jd_status create(jd_run *run) {
    closure *e = JD_TAKE(run->arena, closure, 1);
    bool given = false;
    JD_TRY(jd_arena_status(run->arena));
    run->state = e;
    e->run = run;
    e->arena = run->arena;
    JD_TRY(jd_closure_plan(e));
    jd_closure_segments(e, 0);
    double *X = e->scratch.entry;
    JD_TRY(jd_closure_initial(e, X, &given));
    if (run->waiting) return JD_OK;
    JD_TRY(jd_closure_first_phase(e, X, given));
    jd_closure_ledger_begin(e);
    jd_closure_error_start(e);
    return JD_OK;
}

static void release(jd_run *run) {
    closure *e = run->state;
    if (e && e->plan.pws.close) e->plan.pws.close(&e->plan.pws);
}

static jd_status probe_point(jd_run *run, int body, int point, int *index) {
    closure *e = run->state;
    (void)body;
    probe *list = JD_TAKE(e->arena, probe, e->plan.n_probe + 1);
    JD_TRY(jd_arena_status(e->arena));
    if (e->plan.n_probe) memcpy(list, e->plan.probe, (size_t)e->plan.n_probe * sizeof *list);
    int width = e->plan.n + 2;
    list[e->plan.n_probe] =
        (probe){e->plan.pws.point_u + point * width, e->plan.pws.point_v + point * width,
                e->plan.pws.rate && e->plan.pws.rate[point]};
    e->plan.probe = list;
    *index = e->plan.n_probe++;
    return JD_OK;
}

static bool has_grown(const closure *e) {
    for (int i = 0; i < e->state.nx; i++)
        if (!(fabs(e->state.x[i]) < growth_limit)) return true;
    return false;
}

static jd_stop reason_to_stop(const closure *e) {
    if (e->count.events >= e->plan.budget) return JD_STOP_EVENT_BUDGET;
    if (e->state.storm > storm_limit) return JD_STOP_STORM;
    if (jd_stop_wanted(e->run->context)) return JD_STOP_INTERRUPTED;
    return has_grown(e) ? JD_STOP_UNBOUNDED : JD_STOP_NONE;
}

// The present step is left behind.
static jd_status pass(closure *e, bool *event) {
    bool lands = e->state.lands, moved = e->state.step.h > 0;
    *event = false;
    jd_closure_track_to(e, e->state.step.t + e->state.step.h);
    jd_closure_ledger_step(e);
    jd_closure_error_step(e);
    if (e->tangent.n) JD_TRY(jd_closure_carry(e, &e->state.step, e->tangent.P));
    jd_closure_leave_step(e);
    if (!lands) return JD_OK;
    e->state.storm = moved ? 0 : e->state.storm + 1;
    return jd_closure_event(e, event);
}

static jd_status hand_out(closure *e, jd_step *step) {
    e->count.events++;
    e->run->t = e->state.t;
    *step = JD_STEP_EVENT;
    return JD_OK;
}

static jd_status advance(jd_run *run, double t_stop, jd_step *step) {
    closure *e = run->state;
    if (run->stop != JD_STOP_NONE && run->stop != JD_STOP_END)
        return jd_run_stopped(run, e->state.t, step);
    for (;;) {
        bool event = false;
        if (!e->state.pending && e->state.t >= e->segments.end) JD_TRY(jd_closure_break(e, &event));
        if (event) return hand_out(e, step);
        if (!e->state.pending) {
            run->stop = reason_to_stop(e);
            if (run->stop != JD_STOP_NONE) return jd_run_stopped(run, e->state.t, step);
            if (e->state.t >= t_stop) break;
            JD_TRY(jd_closure_step(e));
            if (run->stop != JD_STOP_NONE) return jd_run_stopped(run, e->state.t, step);
        }
        double end = e->state.step.t + e->state.step.h;
        if (t_stop < end || (t_stop == end && !e->state.lands)) break;
        JD_TRY(pass(e, &event));
        if (run->stop != JD_STOP_NONE) return jd_run_stopped(run, e->state.t, step);
        if (event) return hand_out(e, step);
    }
    return jd_run_reached(run, t_stop, step);
}

static void observe(jd_run *run, double t, double *u, double *v) {
    closure *e = run->state;
    int n = e->plan.n;
    double *x = e->scratch.x_seen, *X = e->scratch.X_seen, *rate = e->scratch.rate_seen;
    jd_closure_at(e, t, x);
    jd_closure_full(e, t, x, X);
    jd_closure_full_rate(e, t, x, rate);
    for (int i = 0; i < e->plan.n_probe; i++) {
        u[i] = v[i] = 0;
        for (int k = 0; k < n + 2; k++) {
            u[i] += e->plan.probe[i].u[k] * X[k];
            v[i] += e->plan.probe[i].rate ? e->plan.probe[i].u[k] * rate[k]
                                          : e->plan.probe[i].v[k] * X[k];
        }
    }
}

static void observe_contacts(jd_run *run, double t, double *u, double *v, double *force) {
    closure *e = run->state;
    if (e->plan.m) jd_closure_contact(e, t, u, v, force);
}

static void report(jd_run *run, jd_report *r) {
    closure *e = run->state;
    r->certificate = (jd_certificate){.certified = false,
                                      .method = "zeros of guards along collocation polynomials",
                                      .margin = 0,
                                      .events = e->count.events,
                                      .evaluations = e->count.evaluations};
    jd_closure_error_report(e, r);
    if (e->ledger.on)
        jd_closure_ledger_report(e, &r->ledger);
    else
        r->no_energy = e->plan.wave || e->plan.pws.past
                           ? "not defined for this model: its wave term stands for waves, not for "
                             "their energy"
                           : "not defined for this model: nothing says what its numbers weigh";
    r->note = e->note[0] ? e->note : NULL;
    const jd_closure_model *model = &e->plan.pws.model;
    if (model->h && model->lplus) {
        jd_closure_state(run, e->scratch.entry);
        r->critical = jd_critical_name(jd_closure_classify(model, e->scratch.entry));
    }
}

static const jd_param params[] = {JD_KEYS_OF_STEPS, JD_KEYS_OF_CLOSURE, {0}};

const jd_engine_class jd_engine_closure = {
    .info = {"closure", "piecewise-smooth models closed by a finite wave speed, or by Filippov",
             params},
    .only_for = JD_CAN_PWS,
    .refuses = jd_closure_refuses,
    .apart = true,
    .create = create,
    .free = release,
    .probe_point = probe_point,
    .horizon = jd_closure_horizon,
    .track = jd_closure_track,
    .ranges = jd_closure_ranges,
    .state_size = jd_closure_state_size,
    .save = jd_closure_save,
    .load = jd_closure_load,
    .advance = advance,
    .observe = observe,
    .observe_contacts = observe_contacts,
    .map = {.coordinates = jd_closure_coordinates,
            .scales = jd_closure_scales,
            .restart = jd_closure_restart,
            .state = jd_closure_state,
            .rate = jd_closure_state_rate,
            .tangent_start = jd_closure_tangent_start,
            .tangent = jd_closure_tangent,
            .replan = jd_closure_replan},
    .report = report,
};
