// taylor.c -- engine `taylor`: rods that rub along a length, from event to event by power series.
//   Sampling never moves an event: a step is set by the motion alone, and looked at in between.
#include <math.h>
#include <string.h>

#include "engine/engine.h"
#include "engine/taylor/taylor.h"
#include "problem/interface.h"

static const char *const method = "Taylor series, remainder bounded by energy";

typedef struct taylor {
    jd_semi semi;
    jd_motion motion;
    jd_semi_probes probes;
    long events, budget;
    double *u, *v, *eta, *eta_v; // at the time looked at
    double *node;                // positions
    jd_fields fields;
    jd_semi_work work;
} taylor;

static jd_status create(jd_run *run) {
    taylor *y = JD_TAKE(run->arena, taylor, 1);
    JD_TRY(jd_arena_status(run->arena));
    run->state = y;
    const jd_simulate_def *simulate = jd_problem_section(run->problem, JD_SIMULATE, NULL);
    y->budget = simulate->event_budget;
    JD_TRY(jd_semi_of_problem(run->arena, run->problem, &y->semi));
    JD_TRY(jd_motion_create(run->arena, &y->semi, &y->motion));
    size_t n = (size_t)y->semi.n + JD_SEMI_LANES, stride = (size_t)y->semi.stride + 1;
    y->u = JD_TAKE(run->arena, double, n);
    y->v = JD_TAKE(run->arena, double, n);
    y->eta = JD_TAKE(run->arena, double, stride);
    y->eta_v = JD_TAKE(run->arena, double, stride);
    y->node = JD_TAKE(run->arena, double, n);
    y->work.drive = JD_TAKE(run->arena, double, y->semi.n_drive);
    JD_TRY(jd_fields_create(run->arena, &y->semi, &y->fields));
    JD_TRY(jd_arena_status(run->arena));
    for (int i = 0; i < y->semi.n; i++) y->node[i] = i * y->semi.step;
    jd_run_set_state(run, 0, JD_CONTACT_CELLS);
    if (!run->waiting) jd_motion_find_step(&y->motion);
    return JD_OK;
}

static void release(jd_run *run) { (void)run; }

static jd_status probe_at(jd_run *run, int body, double position, int *index) {
    taylor *y = run->state;
    return jd_semi_probe_at(run->arena, &y->semi, body, position, &y->probes, index);
}

static void observe(jd_run *run, double t, double *u, double *v) {
    const taylor *y = run->state;
    for (int i = 0; i < y->probes.n; i++) {
        const jd_semi_probe *p = &y->probes.at[i];
        if (p->node < 0)
            u[i] = jd_motion_modal(&y->motion, p->modal, t, &v[i]);
        else
            u[i] = jd_motion_node(&y->motion, p->node, p->weight, t, &v[i]);
    }
}

static void observe_contacts(jd_run *run, double t, double *u, double *v, double *force) {
    taylor *y = run->state;
    jd_fields_take(&y->fields, &y->motion, t);
    jd_semi_cells_mean(&y->fields.cells, u, v, force);
}

static bool interface(jd_run *run, int contact, jd_interface_field *out) {
    taylor *y = run->state;
    if (contact != 0) return false;
    jd_fields_take(&y->fields, &y->motion, run->t);
    *out = y->fields.cells.face;
    out->slip = y->motion.count.changes[0];
    out->stick = y->motion.count.changes[1];
    out->reversal = y->motion.count.changes[2];
    return true;
}

static bool body(jd_run *run, int index, jd_body_field *out) {
    taylor *y = run->state;
    if (index != y->semi.body[0]) return false;
    jd_motion_at(&y->motion, run->t, y->u, y->v, y->eta, y->eta_v);
    *out = (jd_body_field){y->semi.n, y->node, y->u, y->v, y->semi.mass};
    return true;
}

static jd_stop why_stop(const jd_run *run) {
    const taylor *y = run->state;
    if (y->events >= y->budget) return JD_STOP_EVENT_BUDGET;
    if (jd_motion_stands_still(&y->motion)) return JD_STOP_STORM;
    if (!isfinite(y->motion.state.unit)) return JD_STOP_UNBOUNDED;
    return jd_stop_wanted(run->context) ? JD_STOP_INTERRUPTED : JD_STOP_NONE;
}

// A rod that moved along another has come to its end.
static jd_status beyond(const jd_run *run) {
    const taylor *y = run->state;
    const char *name = jd_problem_contact(run->problem, 0)->name;
    const char *other = jd_problem_body(run->problem, y->semi.body[1])->name;
    jd_fail(run->context, JD_NOT_SUPPORTED,
            "at t = %.6g contact `%s` has moved beyond the end of `%s`", run->t, name, other);
    jd_fail_where(run->context, "contacts.%s.footprint", name);
    jd_fail_hint(run->context, "a longer `%s`, or an earlier end of the run", other);
    return JD_NOT_SUPPORTED;
}

static jd_status advance(jd_run *run, double t_stop, jd_step *step) {
    taylor *y = run->state;
    while (run->stop == JD_STOP_NONE && y->motion.step.t_end <= t_stop) {
        jd_change change = jd_motion_advance(&y->motion);
        run->t = y->motion.state.t0;
        jd_motion_find_step(&y->motion);
        if (y->motion.beyond) {
            *step = JD_STEP_STOPPED;
            return jd_run_failed(run, run->t, beyond(run));
        }
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
    taylor *y = run->state;
    jd_motion *m = &y->motion;
    double t = run->t;
    jd_motion_at(m, t, y->u, y->v, y->eta, y->eta_v);
    y->work.contact = 0;
    for (int j = 0; j < y->semi.n_cell; j++) y->work.contact += jd_motion_loss(m, j, t);
    y->work.belt = jd_motion_belt(m, t);
    y->work.damping = jd_motion_damping(m, t);
    y->work.spring = jd_motion_spring(m, t);
    for (int d = 0; d < y->semi.n_drive; d++) y->work.drive[d] = jd_motion_work(m, d, t);
    out->ledger = jd_semi_ledger(&y->semi, &y->work, y->u, y->v, y->eta, y->eta_v);
    out->certificate = (jd_certificate){.certified = m->count.undecided == 0,
                                        .undecided = m->count.undecided,
                                        .margin = HUGE_VAL,
                                        .method = method,
                                        .events = y->events,
                                        .evaluations = m->count.searches};
}

static size_t state_size(const jd_run *run) {
    return jd_motion_pack(&((taylor *)run->state)->motion, NULL, NULL) + sizeof(long);
}

static jd_status save(jd_run *run, char *to) {
    taylor *y = run->state;
    memcpy(to, &y->events, sizeof y->events);
    jd_motion_pack(&y->motion, to + sizeof y->events, NULL);
    return JD_OK;
}

static jd_status load(jd_run *run, const char *from, size_t size) {
    taylor *y = run->state;
    (void)size; // as state_size says
    memcpy(&y->events, from, sizeof y->events);
    jd_motion_pack(&y->motion, NULL, from + sizeof y->events);
    const char *odd = jd_state_count(y->events) ? jd_motion_odd(&y->motion, run->t) : "a count is";
    if (odd) return jd_state_refuse(run, odd);
    jd_motion_find_step(&y->motion);
    return JD_OK;
}

static const char *refuses(const jd_problem *p) { return jd_semi_refuses(p, true); }

static const jd_param params[] = {JD_KEYS_OF_GRIDS, {0}};

const jd_engine_class jd_engine_taylor = {
    .info = {"taylor", "rods rubbing along a length, on a grid: every stick and slip of every cell",
             params},
    .refuses = refuses,
    .apart = true,
    .create = create,
    .free = release,
    .probe_at = probe_at,
    .interface = interface,
    .body = body,
    .state_size = state_size,
    .save = save,
    .load = load,
    .advance = advance,
    .observe = observe,
    .observe_contacts = observe_contacts,
    .report = report};
