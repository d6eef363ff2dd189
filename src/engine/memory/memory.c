// memory.c -- the memory engine's face: create, advance panel by panel, observe, report.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "contact/forces.h"
#include "contact/law.h"
#include "engine/memory/memory.h"
#include "engine/memory/observers/replay.h"
#include "kernel/choice.h"

static const long storm_limit = 1000;   // panels without time passing
static const long stall_limit = 200000; // panels solved within stall_part of the largest step
static const double stall_part = 1e-4;

static const char *refuses_body(const jd_structure *s) {
    if (!(jd_structure_capabilities(s) & JD_CAN_MODAL)) return "a body has no modes";
    if (s->modal.n == 0) return "a body has no modes";
    for (int k = 0; k < s->modal.n; k++)
        if (s->modal.omega2[k].hi <= 0 && !s->infinite)
            return "a body is not held: it has a rigid-body mode, which this engine keeps only "
                   "in strings, beams and rods with `modes: infinite`";
    return NULL;
}

static const unsigned computed =
    JD_LAW_FRICTION | JD_LAW_STATIC | JD_LAW_SLOPE | JD_LAW_CURVE | JD_LAW_STOP;

static const char *refuses(const jd_problem *p) {
    for (int i = 0; i < jd_problem_bodies(p); i++) {
        const char *why = refuses_body(jd_problem_structure(p, i));
        if (why) return why;
    }
    if (jd_problem_contacts(p) == 0) return "there is no contact";
    if (jd_problem_contacts(p) > JD_GUARD_LIMIT) return "there are more than 64 contacts";
    for (int j = 0; j < jd_problem_contacts(p); j++) {
        const jd_contact_def *c = jd_problem_contact(p, j)->def;
        if (!c->at.point || (c->against.kind == JD_PLACE && !c->against.place.point))
            return "a contact acts along a span";
        const char *why = jd_law_refuses(&c->law, computed);
        if (why) return why;
    }
    return jd_system_refuses_spans(jd_problem_system(p));
}

static void take(memory *e, int n, double **const *list, int count) {
    for (int i = 0; i < count; i++) *list[i] = JD_TAKE(e->arena, double, n);
}

#define TAKE(n, ...)                                                                               \
    take(e, n, (double **const[]){__VA_ARGS__},                                                    \
         (int)(sizeof((double **[]){__VA_ARGS__}) / sizeof(double **)))

static jd_status take_scratch(memory *e) {
    const memory_plan *plan = e->plan;
    memory_scratch *to = &e->scratch;
    coefficients_cache *c = &e->cache;
    int s = plan->nodes.s, m = plan->m, n = plan->poles.n;
    TAKE(n, &to->z_re, &to->z_im, &to->factor_re, &to->factor_im, &to->share_re, &to->share_im);
    TAKE(s * n, &to->moment_re, &to->moment_im);
    TAKE(plan->n_mode, &to->modal);
    TAKE(s * m * s * m, &to->matrix, &c->matrix);
    TAKE(s * m, &to->right_side, &c->right_side);
    TAKE(m, &to->displacement, &to->velocity, &to->acceleration, &to->force, &to->approach);
    TAKE(m * m, &to->box_matrix);
    TAKE(m, &to->box_free, &to->box_low, &to->box_high, &to->box_force, &to->box_left);
    TAKE(jd_forces_scratch(m), &to->box_inside);
    TAKE(s * n, &c->moment_re, &c->moment_im, &c->phi_re, &c->phi_im);
    TAKE(n, &c->weight_re, &c->weight_im);
    return jd_arena_status(e->arena);
}

static jd_status take_arrays(memory *e) {
    memory_state *state = &e->state;
    memory_panel *panel = &e->panel;
    int s = e->plan->nodes.s, m = e->plan->m, rows = e->plan->rows;
    TAKE(m, &state->force, &state->v_scale, &state->f_scale);
    state->contact = JD_TAKE(e->arena, jd_contact_state, m);
    state->fresh = JD_TAKE(e->arena, bool, m);
    state->side = JD_TAKE(e->arena, stop_side, m);
    TAKE(s * m, &panel->force);
    TAKE((s + 1) * rows, &panel->velocity, &panel->known);
    TAKE(m, &panel->first_velocity, &panel->by_poles, &panel->first_displacement, &panel->slack);
    panel->segment = JD_TAKE(e->arena, jd_drive_segment, e->plan->n_drive);
    e->queue.event = JD_TAKE(e->arena, jd_event, 4 * m); // of one instant
    TAKE(m, &e->replan->mobility, &e->replan->v_scale, &e->replan->f_scale);
    JD_TRY(take_scratch(e));
    return jd_energy_create(e);
}

void jd_memory_set_phase(memory *e) {
    for (int j = 0; j < e->plan->m; j++) jd_run_set_state(e->run, j, e->state.contact[j]);
}

// Steps and scales; the step begins small.
static void set_scales(memory *e) {
    double room = e->plan->echo ? jd_delay_room(e->state.echo->line) : HUGE_VAL;
    jd_plan_scales(e->replan, room, e->state.v_scale, e->state.f_scale);
    e->state.step = 0.01 * e->plan->largest_step;
}

jd_status jd_memory_plan(memory *e) {
    memory_plan *plan = e->replan;
    e->cache = (coefficients_cache){0}; // those of a plan before it
    JD_TRY(jd_plan_begin(plan));
    JD_TRY(jd_problem_infinite(plan->problem) ? jd_poles_fitted(plan, &e->state)
                                              : jd_poles_modal(plan, &e->state));
    JD_TRY(jd_plan_check(plan));
    JD_TRY(take_arrays(e));
    JD_TRY(jd_dependent_check(plan, e->scratch.box_matrix));
    if (plan->echo) JD_TRY(jd_echoes_create(e));
    JD_TRY(jd_coefficients_take(plan, &e->cache.single));
    JD_TRY(jd_trim_create(e));
    JD_TRY(jd_foresight_create(e));
    set_scales(e);
    jd_plan_refine(plan, 1);
    plan->usual = jd_usual_serves(plan);
    JD_TRY(jd_rough_create(e));
    JD_TRY(jd_drives_follow(plan));
    jd_drives_break(e, 0, true);
    jd_stops_scale(e);
    memcpy(plan->v_scale, e->state.v_scale, (size_t)plan->m * sizeof *plan->v_scale);
    memcpy(plan->f_scale, e->state.f_scale, (size_t)plan->m * sizeof *plan->f_scale);
    e->observers.tangent = NULL;
    e->observers.replay = NULL; // a period that was not completed is not taken down any longer
    JD_TRY(jd_plan_coordinates(plan));
    e->scratch.coordinates = JD_TAKE(e->arena, double, plan->n_coordinate);
    return jd_arena_status(e->arena);
}

// Drives read again, and what they do to the points that are looked at.
static jd_status replan_drives(memory *e) {
    for (int i = 0; i < jd_problem_drives(e->plan->problem); i++) { // that of the start stays
        JD_TRY(jd_drives_replan(e->replan, i));
        for (int k = 0; k < e->n_probe; k++) {
            const probe *p = &e->probe[k];
            if (p->contact < 0)
                JD_TRY(jd_drives_row(e->plan, 1, p->out_re, p->out_im, NULL, &p->drive[i],
                                     &e->plan->drive[i]));
        }
    }
    return JD_OK;
}

// The ladder of steps stays; the choice of a step does not depend on where it begins.
jd_status jd_memory_replan(jd_run *run) {
    memory *e = run->state;
    memory_plan *plan = e->replan;
    double largest = plan->largest_step, smallest = plan->smallest_step;
    JD_TRY(jd_problem_build(run->problem));
    JD_TRY(jd_plan_read_contacts(plan));
    JD_TRY(jd_plan_refuse_ambiguous(plan));
    JD_TRY(replan_drives(e));
    set_scales(e);
    plan->largest_step = largest;
    plan->smallest_step = smallest;
    for (int j = 0; j < plan->m; j++) {
        e->state.side[j] = (stop_side){0};
        if (plan->stop[j].is) continue; // theirs are those of the start
        plan->v_scale[j] = e->state.v_scale[j];
        plan->f_scale[j] = e->state.f_scale[j];
    }
    jd_panel_drop(e);
    jd_foresight_clear(e);
    e->state.panels = 1; // no longer the start it was created with
    return JD_OK;
}

static jd_status create(jd_run *run) {
    memory *e = JD_TAKE(run->arena, memory, 1);
    memory_plan *plan = JD_TAKE(run->arena, memory_plan, 1);
    JD_TRY(jd_arena_status(run->arena));
    run->state = e;
    *plan = (memory_plan){.context = run->context, .problem = run->problem, .arena = run->arena};
    *e = (memory){.run = run, .arena = run->arena, .plan = plan, .replan = plan};
    plan->m = jd_problem_contacts(run->problem);
    plan->n_drive = jd_problem_drives(run->problem);
    plan->n_mode = jd_problem_system(run->problem)->modal.n;
    e->state.start.moving = JD_TAKE(run->arena, bool, plan->n_mode);
    JD_TRY(jd_arena_status(run->arena));
    if (run->waiting && jd_problem_infinite(run->problem)) return JD_OK;
    JD_TRY(jd_memory_plan(e));
    if (run->waiting) return JD_OK; // the state comes from elsewhere
    if (e->state.echo)
        e->panel.t_break = fmin(e->panel.t_break, jd_delay_next(e->state.echo->line, 0));
    jd_energy_start(e, 0);
    JD_TRY(jd_resolve_start(e));
    jd_panel_begin(e);
    jd_memory_set_phase(e);
    return JD_OK;
}

static void release(jd_run *run) { (void)run; }

static jd_status probe_row(memory *e, const jd_dd *row, probe *out) {
    int n = jd_problem_system(e->run->problem)->modal.n;
    double *own = JD_TAKE(e->arena, double, n);
    out->out_re = JD_TAKE(e->arena, double, e->plan->poles.n);
    out->out_im = JD_TAKE(e->arena, double, e->plan->poles.n);
    out->drive = JD_TAKE(e->arena, drive_part, e->plan->n_drive);
    JD_TRY(jd_arena_status(e->arena));
    for (int k = 0; k < n; k++) own[k] = row[k].hi;
    jd_poles_row(e->plan, own, out->out_re, out->out_im, NULL, NULL);
    for (int i = 0; i < e->plan->n_drive; i++) {
        JD_TRY(jd_drives_row(e->plan, 1, out->out_re, out->out_im, NULL, &out->drive[i],
                             &e->plan->drive[i]));
    }
    return JD_OK;
}

// With infinitely many modes only contact points are known.
static jd_status find_contact(memory *e, const jd_dd *row, probe *out) {
    const jd_system *y = jd_problem_system(e->run->problem);
    for (int j = 0; j < e->plan->m; j++) {
        double apart = 0, size = 0;
        for (int k = 0; k < y->modal.n; k++) {
            apart = fmax(apart, fabs(row[k].hi - y->contact[j][k].hi));
            size = fmax(size, fabs(row[k].hi));
        }
        if (apart > 1e-12 * size) continue;
        out->contact = j;
        return JD_OK;
    }
    jd_fail(e->run->context, JD_NOT_SUPPORTED,
            "with infinitely many modes only the points of contacts are known");
    jd_fail_hint(e->run->context, "ask for a contact's point, or say how many modes to keep");
    return JD_NOT_SUPPORTED;
}

static jd_status add_probe(jd_run *run, const jd_dd *row, int *index) {
    memory *e = run->state;
    probe *list = JD_TAKE(e->arena, probe, e->n_probe + 1);
    JD_TRY(jd_arena_status(e->arena));
    if (e->n_probe) memcpy(list, e->probe, (size_t)e->n_probe * sizeof *list);
    probe *own = &list[e->n_probe];
    own->contact = -1;
    JD_TRY(e->plan->poles.exact ? probe_row(e, row, own) : find_contact(e, row, own));
    e->probe = list;
    *index = e->n_probe++;
    return JD_OK;
}

// Panels solved so far, those for the present one too.
static long evaluations_of(const memory *e) { return e->state.evaluations + e->panel.evaluations; }

// Work per time is bounded: many panels in a short stretch of time end the run.
static bool is_stalled(memory *e) {
    long evaluations = evaluations_of(e);
    if (evaluations < e->stretch.evaluations || e->state.t < e->stretch.t ||
        e->state.t - e->stretch.t > stall_part * e->plan->largest_step) {
        e->stretch.t = e->state.t;
        e->stretch.evaluations = evaluations;
    }
    return evaluations - e->stretch.evaluations > stall_limit;
}

static jd_stop reason_to_stop(memory *e) {
    if (e->state.events >= e->plan->budget) return JD_STOP_EVENT_BUDGET;
    if (e->state.storm > storm_limit) return JD_STOP_STORM;
    if (is_stalled(e)) return JD_STOP_STALLED;
    if (jd_stop_wanted(e->run->context)) return JD_STOP_INTERRUPTED;
    for (int j = 0; j < e->plan->m; j++)
        if (!(fabs(e->panel.first_velocity[j]) < 1e100)) return JD_STOP_UNBOUNDED;
    return JD_STOP_NONE;
}

// The panel's end: an event, a break, or just the next panel.
static jd_status end_panel(memory *e) {
    int contact = e->panel.ends_at;
    JD_TRY(jd_panel_accept(e));
    bool breaks = e->state.t >= e->panel.t_break;
    if (contact >= 0 || breaks)
        jd_hold_still(e); // before a contact lets go of a velocity that it should not have
    else
        jd_hold_drift(e);
    bool drive_breaks = e->state.t >= jd_drives_next(e);
    if (breaks) {
        e->panel.weighed = false;
        jd_drives_break(e, e->state.t, false);
        jd_stops_scale(e); // what begins here may be the first that moves
    }
    echo_state *echo = e->state.echo;
    if (echo) {
        echo->pending = breaks;
        if (drive_breaks)
            JD_TRY(
                jd_delay_kink(echo->line, e->state.t, e->plan->m, e->plan->m + e->plan->n_drive));
        e->panel.t_break = fmin(jd_drives_next(e), jd_delay_next(echo->line, e->state.t));
    }
    if (contact >= 0) jd_resolve_event(e, contact);
    if (breaks) jd_resolve_break(e);
    if (contact >= 0 || breaks) jd_hold_still(e);
    jd_slide_forces(e);
    jd_panel_begin(e);
    jd_memory_set_phase(e);
    return JD_OK;
}

static jd_status advance(jd_run *run, double t_stop, jd_step *step) {
    memory *e = run->state;
    for (;;) {
        // before events are handed out: they can be observed
        jd_status status = e->panel.solved ? JD_OK : jd_panel_next(e);
        if (status != JD_OK) return jd_run_failed(run, e->state.t, status);
        if (jd_run_next_event(run, e->state.t, e->queue.event, &e->queue.n, &e->queue.next, step)) {
            e->state.events++;
            return JD_OK;
        }
        run->stop = reason_to_stop(e);
        if (run->stop != JD_STOP_NONE) return jd_run_stopped(run, e->state.t, step);
        if (e->panel.t_end > t_stop) return jd_run_reached(run, t_stop, step);
        status = end_panel(e);
        if (status != JD_OK) return jd_run_failed(run, e->state.t, status);
    }
}

static void observe(jd_run *run, double t, double *u, double *v) {
    memory *e = run->state;
    const poles *c = &e->plan->poles;
    double *cu = e->scratch.displacement, *cv = e->scratch.velocity;
    jd_panel_observe(e, t, cu, cv, e->scratch.force);
    for (int i = 0; i < e->n_probe; i++) {
        const probe *p = &e->probe[i];
        if (p->contact >= 0) {
            u[i] = cu[p->contact];
            v[i] = cv[p->contact] + e->plan->belt[p->contact];
            continue;
        }
        u[i] = v[i] = 0;
        for (int k = 0; k < c->used; k++) {
            double a = p->out_re[k], b = p->out_im[k];
            double x = a * c->inv_re[k] - b * c->inv_im[k], y = a * c->inv_im[k] + b * c->inv_re[k];
            v[i] += a * e->scratch.z_re[k] - b * e->scratch.z_im[k];
            u[i] += x * e->scratch.z_re[k] - y * e->scratch.z_im[k];
        }
        jd_drives_motion(e, p->drive, 0, t, &u[i], &v[i], NULL);
    }
}

static void observe_contacts(jd_run *run, double t, double *u, double *v, double *force) {
    jd_panel_observe(run->state, t, u, v, force);
}

static void report(jd_run *run, jd_report *r) {
    memory *e = run->state;
    r->certificate = (jd_certificate){.method = "bernstein bounds of radau panels",
                                      .tolerance = e->plan->tolerance,
                                      .events = e->state.events,
                                      .evaluations = evaluations_of(e),
                                      .chatter_error = e->state.chatter_error};
    if (!run->no_ledger) jd_energy_report(e, &r->ledger);
}

static const jd_param params[] = {JD_KEYS_OF_STEPS, JD_KEYS_OF_MEMORY, {0}};

static const jd_engine_follow follow_modes = {jd_memory_follow, jd_memory_followed,
                                              jd_memory_follow_round};

const jd_engine_class jd_engine_memory = {
    .info = {"memory", "contact points with memory: any friction law, infinitely many modes",
             params},
    .endless = &follow_modes,
    .refuses = refuses,
    .apart = true,
    .create = create,
    .free = release,
    .probe = add_probe,
    .map = {.coordinates = jd_memory_coordinates,
            .scales = jd_memory_scales,
            .restart = jd_memory_restart,
            .state = jd_memory_state,
            .rate = jd_memory_rate,
            .tangent_start = jd_memory_tangent_start,
            .tangent = jd_memory_tangent,
            .replan = jd_memory_replan,
            .refine = jd_memory_refine,
            .modes = jd_memory_modes,
            .replay_begin = jd_replay_begin,
            .replay_end = jd_replay_end,
            .replay_excite = jd_replay_excite,
            .replay_apply = jd_replay_apply,
            .replay_forces = jd_replay_forces,
            .replay_size = jd_replay_size,
            .replay_uncorrected = jd_replay_uncorrected,
            .replay_head = jd_replay_head,
            .replay_carry = jd_replay_carry,
            .replay_rate = jd_replay_rate,
            .replay_motion = jd_replay_motion,
            .replay_other = jd_replay_other,
            .replay_lean = jd_replay_lean,
            .replay_hold = jd_replay_hold,
            .replay_keep = jd_replay_keep,
            .replay_return = jd_replay_return,
            .replay_correct = jd_replay_correct},
    .track = jd_memory_track,
    .ranges = jd_memory_ranges,
    .state_size = jd_memory_state_size,
    .state_varies = true,
    .save = jd_memory_save,
    .load = jd_memory_load,
    .shift = jd_memory_shift,
    .advance = advance,
    .observe = observe,
    .observe_contacts = observe_contacts,
    .report = report,
};
