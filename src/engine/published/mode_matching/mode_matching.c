// mode_matching.c -- engine `mode-matching`: the published method for two rods in frictional
// contact.
//   Kept as a faithful baseline beside the engine taylor, which solves the same equations exactly:
//   events are seen at the ends of steps only, so nothing is certified.
#include <math.h>
#include <string.h>

#include "engine/engine.h"
#include "engine/published/mode_matching/match.h"
#include "problem/parts.h"

static const char *const method = "events are looked for at the ends of steps";

typedef struct matching {
    jd_semi semi;
    jd_match match;
    jd_semi_probes probes;
    long events, budget;
    double *node; // positions
    jd_semi_cells cells;
    jd_semi_work work;
} matching;

static jd_status take_rows(jd_run *run, matching *y) {
    y->node = JD_TAKE(run->arena, double, y->semi.n);
    y->work.drive = JD_TAKE(run->arena, double, y->semi.n_drive);
    JD_TRY(jd_arena_status(run->arena));
    for (int i = 0; i < y->semi.n; i++) y->node[i] = i * y->semi.step;
    return jd_semi_cells_create(run->arena, &y->semi, &y->cells);
}

static jd_status create(jd_run *run) {
    matching *y = JD_TAKE(run->arena, matching, 1);
    JD_TRY(jd_arena_status(run->arena));
    run->state = y;
    y->budget = ((const jd_simulate_def *)jd_problem_section(run->problem, JD_SIMULATE, NULL))
                    ->event_budget;
    JD_TRY(jd_semi_of_problem(run->arena, run->problem, &y->semi));
    JD_TRY(take_rows(run, y));
    JD_TRY(jd_match_create(run->arena, &y->semi, &y->match));
    jd_run_set_state(run, 0, JD_CONTACT_CELLS);
    jd_match_find_step(&y->match);
    return JD_OK;
}

static void release(jd_run *run) {
    if (run->state) jd_match_free(&((matching *)run->state)->match);
}

static jd_status probe_at(jd_run *run, int body, double position, int *index) {
    matching *y = run->state;
    return jd_semi_probe_at(run->arena, &y->semi, body, position, &y->probes, index);
}

static void try_at(matching *y, double t) { jd_match_try(&y->match, t - y->match.start.t0, true); }

static void observe(jd_run *run, double t, double *u, double *v) {
    matching *y = run->state;
    const jd_match *m = &y->match;
    try_at(y, t);
    for (int i = 0; i < y->probes.n; i++) {
        const jd_semi_probe *p = &y->probes.at[i];
        u[i] = v[i] = 0;
        for (int q = 0; p->node < 0 && q < y->semi.n_mode; q++) {
            u[i] += p->modal[q] * m->trial.eta[q];
            v[i] += p->modal[q] * m->trial.eta_rate[q];
        }
        for (int a = 0; p->node >= 0 && a < 2; a++) {
            if (p->weight[a] == 0) continue;
            u[i] += p->weight[a] * m->trial.u[p->node + a];
            v[i] += p->weight[a] * m->trial.v[p->node + a];
        }
    }
}

static void take_fields(matching *y, double t) {
    const jd_match *m = &y->match;
    jd_semi_cells *c = &y->cells;
    try_at(y, t);
    for (int j = 0; j < y->semi.n_cell; j++) {
        int state = m->cells.state.slide[j];
        c->displacement[j] = jd_match_slip(m, j);
        c->velocity[j] = state ? m->trial.v[y->semi.first + j] - m->trial.counter_rate[j] : 0;
        c->force[j] = state ? -state * y->semi.limit[j] : m->trial.stick_force[j];
        c->state[j] = state;
        c->loss[j] = jd_match_loss(m, j);
    }
}

static void observe_contacts(jd_run *run, double t, double *u, double *v, double *force) {
    matching *y = run->state;
    take_fields(y, t);
    jd_semi_cells_mean(&y->cells, u, v, force);
}

static bool interface(jd_run *run, int contact, jd_interface_field *out) {
    matching *y = run->state;
    const long *counts = y->match.cells.count.changes;
    if (contact != 0) return false;
    take_fields(y, run->t);
    *out = y->cells.face;
    out->slip = counts[0];
    out->stick = counts[1];
    out->reversal = counts[2];
    return true;
}

static bool body(jd_run *run, int index, jd_body_field *out) {
    matching *y = run->state;
    if (index != y->semi.body[0]) return false;
    try_at(y, run->t);
    *out = (jd_body_field){y->semi.n, y->node, y->match.trial.u, y->match.trial.v, y->semi.mass};
    return true;
}

static jd_stop why_stop(const jd_run *run) {
    const matching *y = run->state;
    if (y->events >= y->budget) return JD_STOP_EVENT_BUDGET;
    if (!isfinite(y->match.cells.state.unit)) return JD_STOP_UNBOUNDED;
    return jd_stop_wanted(run->context) ? JD_STOP_INTERRUPTED : JD_STOP_NONE;
}

static jd_status advance(jd_run *run, double t_stop, jd_step *step) {
    matching *y = run->state;
    while (run->stop == JD_STOP_NONE && y->match.cells.step.t_end <= t_stop) {
        jd_change change = jd_match_advance(&y->match);
        if (y->match.failed) return JD_OUT_OF_MEMORY;
        run->t = y->match.start.t0;
        jd_match_find_step(&y->match);
        bool event = jd_change_event(run, &change);
        if (event) y->events++;
        run->stop = why_stop(run);
        *step = JD_STEP_EVENT;
        if (event) return JD_OK;
    }
    if (run->stop != JD_STOP_NONE) return jd_run_stopped(run, run->t, step);
    return jd_run_reached(run, fmax(run->t, t_stop), step);
}

static void report(jd_run *run, jd_report *out) {
    matching *y = run->state;
    jd_match *m = &y->match;
    try_at(y, run->t);
    y->work.contact = 0;
    for (int j = 0; j < y->semi.n_cell; j++) y->work.contact += jd_match_loss(m, j);
    for (int d = 0; d < y->semi.n_drive; d++) y->work.drive[d] = jd_match_work(m, d);
    out->ledger =
        jd_semi_ledger(&y->semi, &y->work, m->trial.u, m->trial.v, m->trial.eta, m->trial.eta_rate);
    out->certificate = (jd_certificate){
        .margin = HUGE_VAL, .method = method, .events = y->events, .evaluations = m->tries};
}

static const char *refuses(const jd_problem *p) {
    const char *why = jd_semi_refuses(p, false);
    if (why) return why;
    const jd_contact_def *c = jd_problem_contact(p, 0)->def;
    if (c->against.kind == JD_MOVING) return "the counterpart of its contact moves";
    return jd_problem_start(p)->type == &jd_start_restart ? "its states cannot be saved" : NULL;
}

static const jd_param params[] = {JD_KEYS_OF_GRIDS, {0}};

const jd_engine_class jd_engine_mode_matching = {
    .info = {"mode-matching",
             "two rods rubbing along a length, as published: a baseline, events are not certified",
             params},
    .refuses = refuses,
    .apart = true,
    .create = create,
    .free = release,
    .probe_at = probe_at,
    .interface = interface,
    .body = body,
    .advance = advance,
    .observe = observe,
    .observe_contacts = observe_contacts,
    .report = report};
