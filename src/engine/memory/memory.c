// memory.c -- the memory engine's face: create, advance panel by panel, observe, report.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "contact/forces.h"
#include "contact/law.h"
#include "engine/memory/memory.h"
#include "engine/memory/replay.h"
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
                   "with `modes: infinite`";
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
    const jd_system *y = jd_problem_system(p);
    for (int d = 0; d < y->n_drive; d++)
        if (!y->drive[d]) return "a drive acts along a span";
    return NULL;
}

static jd_status read_contacts(memory *e) {
    JD_TRY(jd_stops_read(e));
    if (!e->law) e->law = JD_TAKE(e->arena, jd_friction, e->m);
    if (!e->belt) e->belt = JD_TAKE(e->arena, double, e->m);
    JD_TRY(jd_arena_status(e->arena));
    for (int j = 0; j < e->m; j++) {
        const jd_contact_def *d = jd_problem_contact(e->run->problem, j)->def;
        if (!e->stop[j].is) JD_TRY(jd_law_friction_of(e->arena, &d->law, &e->law[j]));
        if (d->against.kind == JD_MOVING) e->belt[j] = d->against.velocity;
    }
    return JD_OK;
}

// Does a body keep infinitely many modes?
static bool is_infinite(const jd_problem *p) {
    for (int i = 0; i < jd_problem_bodies(p); i++)
        if (jd_problem_structure(p, i)->infinite) return true;
    return false;
}

// Contacts follow their forces at once, or none does.
static jd_status refuse_mixed(memory *e) {
    for (int j = 0; e->jumps && j < e->m; j++) {
        if (e->ch.gamma[j * e->m + j] > 0) continue;
        const char *name = jd_problem_contact(e->run->problem, j)->name;
        jd_fail(e->run->context, JD_NOT_SUPPORTED,
                "contact `%s` touches no string or rod with infinitely many modes, and another "
                "contact does: its force would jump where the other's is continuous",
                name);
        jd_fail_where(e->run->context, "contacts.%s", name);
        jd_fail_hint(e->run->context, "let all contacts touch such a body, or say how many modes "
                                      "to keep");
        return JD_NOT_SUPPORTED;
    }
    return JD_OK;
}

// gamma (-f') < 1: else several forces fit one history.
static jd_status refuse_ambiguous(memory *e) {
    e->jumps = false;
    for (int j = 0; j < e->m; j++) {
        double gamma = e->ch.gamma[j * e->m + j];
        const char *name = jd_problem_contact(e->run->problem, j)->name;
        if (gamma <= 0) continue;
        e->jumps = true;
        if (gamma * e->law[j].steepest < 1) continue;
        if (e->law[j].hysteresis && jd_friction_edge(&e->law[j], gamma)) continue;
        jd_fail(e->run->context, JD_NOT_SUPPORTED,
                "the motion is not unique: at contact `%s` friction falls by up to %.6g per "
                "speed and the velocity jumps by %.6g per force; their product %.4g must be "
                "below 1",
                name, e->law[j].steepest, gamma, gamma * e->law[j].steepest);
        jd_fail_where(e->run->context, "contacts.%s.law", name);
        jd_fail_hint(
            e->run->context,
            e->law[j].hysteresis
                ? "`ambiguity: hysteresis` needs friction that falls from rest on and has "
                  "one sliding branch"
                : "write `ambiguity: hysteresis` to keep the present solution until it ends, "
                  "let friction fall more gently, or keep finitely many modes");
        return JD_NOT_SUPPORTED;
    }
    return JD_OK;
}

// Without damping the jump of a force comes back as a jump, after every delay and their sums.
static jd_status refuse_jumps(memory *e) {
    for (int j = 0; j < e->m; j++) {
        const char *name = jd_problem_contact(e->run->problem, j)->name;
        if (e->law[j].edge == 0 && e->law[j].hold <= e->law[j].limit) continue;
        jd_fail(e->run->context, JD_NOT_SUPPORTED,
                "the force of contact `%s` jumps, and without damping every jump comes back", name);
        jd_fail_where(e->run->context, "contacts.%s.law", name);
        jd_fail_hint(e->run->context, "give the structure some damping, 1e-4 will do");
        return JD_NOT_SUPPORTED;
    }
    return JD_OK;
}

static jd_status take_arrays(memory *e) {
    int s = e->nodes.s, m = e->m, n = e->ch.n, rows = e->rows, modes;
    modes = jd_problem_system(e->run->problem)->modal.n;
    int room = 4 * STAGES * n + 2 * modes + 2 * m * m + 8 * m + jd_forces_scratch(m);
    e->F = JD_TAKE(e->arena, double, s *m);
    e->v = JD_TAKE(e->arena, double, (s + 1) * rows);
    e->known = JD_TAKE(e->arena, double, (s + 1) * rows);
    e->v0 = JD_TAKE(e->arena, double, m);
    e->F0 = JD_TAKE(e->arena, double, m);
    e->u0 = JD_TAKE(e->arena, double, m);
    e->v_scale = JD_TAKE(e->arena, double, m);
    e->f_scale = JD_TAKE(e->arena, double, m);
    e->mobility = JD_TAKE(e->arena, double, m);
    e->place0 = JD_TAKE(e->arena, double, m);
    e->fresh = JD_TAKE(e->arena, bool, m);
    e->marks = JD_TAKE(e->arena, mark, m);
    e->scratch = JD_TAKE(e->arena, double, room);
    e->work_re = JD_TAKE(e->arena, double, n);
    e->work_im = JD_TAKE(e->arena, double, n);
    e->jacobian = JD_TAKE(e->arena, double, s *m *s *m);
    e->residual = JD_TAKE(e->arena, double, s *m);
    e->queue = JD_TAKE(e->arena, jd_event, 4 * m); // of one instant
    e->sums = JD_TAKE(e->arena, double, e->n_drive + 3 * m);
    e->force_powers = JD_TAKE(e->arena, double, (m + e->n_drive) * FORCE_POWERS);
    e->report_sums = JD_TAKE(e->arena, double, e->n_drive + 3 * m);
    return jd_arena_status(e->arena);
}

// Echoes must be history, and drives polynomials: sin over a panel to the tolerance.
static double echo_step(const memory *e) {
    double step = jd_delay_room(e->echo->line), digits = e->tolerance;
    int s = e->nodes.s;
    for (int k = 1; k <= s; k++) digits *= 4 * k;
    for (int d = 0; d < e->n_drive; d++)
        if (e->drive[d].omega > 0) step = fmin(step, pow(digits, 1.0 / s) / e->drive[d].omega);
    return step;
}

// Time scales of channels and drives; speeds that the limits of friction can cause.
static void set_scales(memory *e) {
    const channels *c = &e->ch;
    double slow = HUGE_VAL;
    for (int p = 0; p < c->used; p++)
        if (!is_soft(c, p)) slow = fmin(slow, hypot(c->re[p], c->im[p]));
    for (int d = 0; d < e->n_drive; d++)
        if (e->drive[d].omega > 0) slow = fmin(slow, e->drive[d].omega);
    e->largest_step = 2 / slow;
    if (e->echo) e->largest_step = echo_step(e);
    e->smallest_step = 1e-12 * e->largest_step; // above the last rung of the ladder
    e->step = 0.01 * e->largest_step;
    for (int j = 0; j < e->m; j++) {
        double mobility = c->gamma[j * e->m + j];
        for (int p = 0; p < c->used; p++)
            mobility += is_soft(c, p) ? 0
                                      : hypot(c->out_re[j * c->n + p], c->out_im[j * c->n + p]) *
                                            hypot(c->in_re[j * c->n + p], c->in_im[j * c->n + p]) *
                                            hypot(c->inv_re[p], c->inv_im[p]);
        e->v_scale[j] = 0.1 * e->law[j].hold * mobility + 1e-300;
        e->f_scale[j] = e->law[j].hold + 1e-300;
        e->mobility[j] = mobility + 1e-300;
    }
}

void jd_memory_letters(memory *e) {
    for (int j = 0; j < e->m; j++) e->run->phase[j] = mark_letter(e->marks[j]);
}

// Nodes per panel: more of them pay when many digits are wanted.
static int stages_for(double tolerance) {
    return tolerance >= 1e-4 ? 4 : tolerance >= 1e-8 ? 4 : 5;
}

jd_status jd_memory_plan(memory *e) {
    const jd_simulate_def *sim = jd_problem_section(e->run->problem, JD_SIMULATE, NULL);
    bool infinite = is_infinite(e->run->problem);
    e->asked = isnan(sim->tolerance) ? JD_MEMORY_TOLERANCE : sim->tolerance;
    e->tolerance = e->asked;
    e->budget = sim->event_budget;
    e->kernel = jd_kernels_best();
    jd_nodes_set(&e->nodes, stages_for(e->tolerance));
    JD_TRY(read_contacts(e));
    JD_TRY(jd_drives_plan(e));
    JD_TRY(infinite ? jd_channels_fitted(e) : jd_channels_modal(e));
    JD_TRY(refuse_ambiguous(e));
    JD_TRY(refuse_mixed(e));
    if (e->echo && e->echo->sharp) JD_TRY(refuse_jumps(e));
    JD_TRY(take_arrays(e));
    JD_TRY(jd_dependent_check(e));
    if (e->echo) JD_TRY(jd_echoes_create(e));
    JD_TRY(jd_table_take(e, &e->odd));
    JD_TRY(jd_trim_create(e));
    set_scales(e);
    jd_memory_refine(e->run, 1);
    JD_TRY(jd_drives_follow(e, e->drive_jump));
    jd_stops_scale(e);
    return jd_shoot_plan(e);
}

// The ladder of steps stays; the choice of a step does not depend on where it begins.
jd_status jd_memory_replan(jd_run *run) {
    memory *e = run->state;
    double largest = e->largest_step, smallest = e->smallest_step;
    JD_TRY(jd_problem_build(run->problem));
    JD_TRY(read_contacts(e));
    JD_TRY(refuse_ambiguous(e));
    JD_TRY(jd_drives_replan(e));
    set_scales(e);
    e->largest_step = largest;
    e->smallest_step = smallest;
    for (int j = 0; j < e->m; j++) {
        if (e->stop[j].is) continue; // theirs are those of the start
        e->base_v[j] = e->v_scale[j];
        e->base_f[j] = e->f_scale[j];
    }
    e->solved = false;
    e->panels = 1; // no longer the start it was created with
    return JD_OK;
}

static jd_status create(jd_run *run) {
    memory *e = JD_TAKE(run->arena, memory, 1);
    JD_TRY(jd_arena_status(run->arena));
    run->state = e;
    *e = (memory){.run = run, .arena = run->arena};
    e->m = jd_problem_contacts(run->problem);
    e->n_drive = jd_problem_drives(run->problem);
    e->n_mode = jd_problem_system(run->problem)->modal.n;
    e->moving = JD_TAKE(run->arena, bool, e->n_mode);
    JD_TRY(jd_arena_status(run->arena));
    if (run->waiting && is_infinite(run->problem)) return JD_OK;
    JD_TRY(jd_memory_plan(e));
    if (run->waiting) return JD_OK; // the state comes from elsewhere
    if (e->echo) e->t_break = fmin(e->t_break, jd_delay_next(e->echo->line, 0));
    e->start_energy = jd_memory_ledger_energy(e, 0, NULL);
    JD_TRY(jd_resolve_start(e));
    jd_panel_begin(e);
    jd_memory_letters(e);
    return JD_OK;
}

static void release(jd_run *run) { (void)run; }

static jd_status probe_row(memory *e, const jd_dd *row, probe *out) {
    int n = jd_problem_system(e->run->problem)->modal.n;
    double *own = JD_TAKE(e->arena, double, n);
    out->out_re = JD_TAKE(e->arena, double, e->ch.n);
    out->out_im = JD_TAKE(e->arena, double, e->ch.n);
    out->drive = JD_TAKE(e->arena, drive_part, e->n_drive);
    JD_TRY(jd_arena_status(e->arena));
    for (int k = 0; k < n; k++) own[k] = row[k].hi;
    jd_channels_row(e, own, out->out_re, out->out_im, NULL, NULL);
    for (int i = 0; i < e->n_drive; i++) {
        JD_TRY(jd_drives_row(e, 1, out->out_re, out->out_im, NULL, &out->drive[i], &e->drive[i]));
    }
    return JD_OK;
}

// With infinitely many modes only contact points are known.
static jd_status find_contact(memory *e, const jd_dd *row, probe *out) {
    const jd_system *y = jd_problem_system(e->run->problem);
    for (int j = 0; j < e->m; j++) {
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
    JD_TRY(e->ch.exact ? probe_row(e, row, own) : find_contact(e, row, own));
    e->probe = list;
    *index = e->n_probe++;
    return JD_OK;
}

// Work per time is bounded: many panels in a short stretch of time end the run.
static bool is_stalled(memory *e) {
    if (e->evaluations < e->stretch.evaluations || e->t0 < e->stretch.t ||
        e->t0 - e->stretch.t > stall_part * e->largest_step) {
        e->stretch.t = e->t0;
        e->stretch.evaluations = e->evaluations;
    }
    return e->evaluations - e->stretch.evaluations > stall_limit;
}

static jd_stop reason_to_stop(memory *e) {
    if (e->events >= e->budget) return JD_STOP_EVENT_BUDGET;
    if (e->storm > storm_limit) return JD_STOP_STORM;
    if (is_stalled(e)) return JD_STOP_STALLED;
    if (jd_stop_wanted(e->run->context)) return JD_STOP_INTERRUPTED;
    for (int j = 0; j < e->m; j++)
        if (!(fabs(e->v0[j]) < 1e100)) return JD_STOP_UNBOUNDED;
    return JD_STOP_NONE;
}

// The panel's end: an event, a break, or just the next panel.
static jd_status end_panel(memory *e) {
    int contact = e->ends_at;
    JD_TRY(jd_panel_accept(e));
    bool breaks = e->t0 >= e->t_break;
    if (contact >= 0 || breaks)
        jd_hold_still(e); // before a contact lets go of a velocity that it should not have
    else
        jd_hold_drift(e);
    bool drive_breaks = e->t0 >= jd_drives_next(e);
    if (breaks) {
        jd_drives_break(e, e->t0, false);
        jd_stops_scale(e); // what begins here may be the first that moves
    }
    if (e->echo) {
        e->echo->pending = breaks;
        if (drive_breaks) JD_TRY(jd_delay_kink(e->echo->line, e->t0));
        e->t_break = fmin(jd_drives_next(e), jd_delay_next(e->echo->line, e->t0));
    }
    if (contact >= 0) jd_resolve_event(e, contact);
    if (breaks) jd_resolve_break(e);
    if (contact >= 0 || breaks) jd_hold_still(e);
    jd_slide_forces(e);
    jd_panel_begin(e);
    jd_memory_letters(e);
    return JD_OK;
}

static jd_status advance(jd_run *run, double t_stop, jd_step *step) {
    memory *e = run->state;
    for (;;) {
        // before events are handed out: they can be observed
        jd_status status = e->solved ? JD_OK : jd_panel_next(e);
        if (status != JD_OK) return jd_run_failed(run, e->t0, status);
        if (jd_run_next_event(run, e->t0, e->queue, &e->n_queue, &e->next_queue, step)) {
            e->events++;
            return JD_OK;
        }
        run->stop = reason_to_stop(e);
        if (run->stop != JD_STOP_NONE) return jd_run_stopped(run, e->t0, step);
        if (e->t_end > t_stop) return jd_run_reached(run, t_stop, step);
        status = end_panel(e);
        if (status != JD_OK) return jd_run_failed(run, e->t0, status);
    }
}

static void observe(jd_run *run, double t, double *u, double *v) {
    memory *e = run->state;
    const channels *c = &e->ch;
    double *cu = e->report_sums, *cv = e->u0, *cf = e->residual;
    jd_panel_observe(e, t, cu, cv, cf);
    for (int i = 0; i < e->n_probe; i++) {
        const probe *p = &e->probe[i];
        if (p->contact >= 0) {
            u[i] = cu[p->contact];
            v[i] = cv[p->contact] + e->belt[p->contact];
            continue;
        }
        u[i] = v[i] = 0;
        for (int k = 0; k < c->used; k++) {
            double a = p->out_re[k], b = p->out_im[k];
            double x = a * c->inv_re[k] - b * c->inv_im[k], y = a * c->inv_im[k] + b * c->inv_re[k];
            v[i] += a * e->work_re[k] - b * e->work_im[k];
            u[i] += x * e->work_re[k] - y * e->work_im[k];
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
                                      .tolerance = e->tolerance,
                                      .events = e->events,
                                      .evaluations = e->evaluations,
                                      .chatter_error = e->chatter_error};
    if (!run->no_ledger) jd_memory_ledger_report(e, &r->ledger);
}

const jd_engine_class jd_engine_memory = {
    .info = {"memory", "contact points with memory: any friction law, infinitely many modes"},
    .endless = true,
    .refuses = refuses,
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
            .is_modal = jd_memory_is_modal,
            .anywhere = true,
            .replay_begin = jd_replay_begin,
            .replay_end = jd_replay_end,
            .replay_excite = jd_replay_excite,
            .replay_apply = jd_replay_apply},
    .track = jd_memory_ledger_track,
    .ranges = jd_memory_ledger_ranges,
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
