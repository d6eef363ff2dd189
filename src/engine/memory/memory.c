// memory.c -- the memory engine's face: create, advance panel by panel, observe, report.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "contact/forces.h"
#include "contact/law.h"
#include "engine/memory/memory.h"

static const long storm_limit = 1000; // panels without time passing

static const char *refuses_body(const jd_structure *s) {
    if (!(jd_structure_capabilities(s) & JD_CAN_MODAL)) return "a body has no modes";
    if (s->modal.n == 0) return "a body has no modes";
    for (int k = 0; k < s->modal.n; k++)
        if (s->modal.omega2[k].hi <= 0) return "a body is not held: it has a rigid-body mode";
    return NULL;
}

static const char *refuses(const jd_problem *p) {
    int infinite = 0;
    for (int i = 0; i < jd_problem_bodies(p); i++) {
        const jd_structure *s = jd_problem_structure(p, i);
        const char *why = refuses_body(s);
        if (why) return why;
        infinite += s->infinite;
    }
    if (infinite && infinite < jd_problem_bodies(p))
        return "some bodies keep infinitely many modes and others do not";
    if (jd_problem_contacts(p) == 0) return "there is no contact";
    if (jd_problem_contacts(p) > JD_GUARD_LIMIT) return "there are more than 64 contacts";
    for (int j = 0; j < jd_problem_contacts(p); j++) {
        const jd_contact_def *c = jd_problem_contact(p, j)->def;
        if (!c->at.point || (c->against.kind == JD_PLACE && !c->against.place.point))
            return "a contact acts along a span";
        const jd_type *law = c->law.type;
        if (law != &jd_law_coulomb && law != &jd_law_affine && law != &jd_law_stop &&
            law != &jd_law_stribeck && law != &jd_law_table)
            return "a contact law is not coulomb, affine, stribeck, table or stop";
        if (law == &jd_law_coulomb && ((const jd_coulomb_def *)c->law.def)->stiffness > 0)
            return "a contact has a stiffness";
    }
    const jd_system *y = jd_problem_system(p);
    for (int d = 0; d < y->n_drive; d++)
        if (!y->drive[d]) return "a drive acts along a span";
    return NULL;
}

static jd_status read_contacts(memory *e) {
    JD_TRY(stops_read(e));
    e->law = JD_TAKE(e->arena, friction, e->m);
    e->belt = JD_TAKE(e->arena, double, e->m);
    JD_TRY(jd_arena_status(e->arena));
    for (int j = 0; j < e->m; j++) {
        const jd_contact_def *d = jd_problem_contact(e->run->problem, j)->def;
        if (!e->stop[j].is) JD_TRY(friction_read(e->arena, &d->law, &e->law[j]));
        if (d->against.kind == JD_MOVING) e->belt[j] = d->against.velocity;
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
        if (isinf(e->law[j].steepest))
            jd_fail(
                e->run->context, JD_NOT_SUPPORTED,
                "the motion is not unique: contact `%s` holds more than it slides with, and its "
                "velocity follows the force at once (jump %.6g per force)",
                name, gamma);
        else
            jd_fail(e->run->context, JD_NOT_SUPPORTED,
                    "the motion is not unique: at contact `%s` friction falls by up to %.6g per "
                    "speed and the velocity jumps by %.6g per force; their product %.4g must be "
                    "below 1",
                    name, e->law[j].steepest, gamma, gamma * e->law[j].steepest);
        jd_fail_where(e->run->context, "contacts.%s.law", name);
        jd_fail_hint(e->run->context, "let friction fall more gently, or keep finitely many modes");
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

// Time scales of channels and drives; speeds that the limits of friction can cause.
static void set_scales(memory *e) {
    const channels *c = &e->ch;
    double slow = HUGE_VAL;
    for (int p = 0; p < c->used; p++) slow = fmin(slow, hypot(c->re[p], c->im[p]));
    for (int d = 0; d < e->n_drive; d++)
        if (e->drive[d].omega > 0) slow = fmin(slow, e->drive[d].omega);
    e->largest_step = 2 / slow;
    if (e->echo) e->largest_step = delay_room(e->echo->line);
    e->smallest_step = 1e-12 * e->largest_step; // above the last rung of the ladder
    e->step = 0.01 * e->largest_step;
    for (int j = 0; j < e->m; j++) {
        double mobility = c->gamma[j * e->m + j];
        for (int p = 0; p < c->used; p++)
            mobility += hypot(c->out_re[j * c->n + p], c->out_im[j * c->n + p]) *
                        hypot(c->in_re[j * c->n + p], c->in_im[j * c->n + p]) *
                        hypot(c->inv_re[p], c->inv_im[p]);
        e->v_scale[j] = 0.1 * e->law[j].hold * mobility + 1e-300;
        e->f_scale[j] = e->law[j].hold + 1e-300;
        e->mobility[j] = mobility + 1e-300;
    }
}

void memory_letters(memory *e) {
    for (int j = 0; j < e->m; j++) e->run->phase[j] = mark_letter(e->marks[j]);
}

// Nodes per panel: more of them pay when many digits are wanted.
static int stages_for(double tolerance) {
    return tolerance >= 1e-4 ? 4 : tolerance >= 1e-8 ? 4 : 5;
}

jd_status memory_plan(memory *e) {
    const jd_simulate_def *sim = jd_problem_section(e->run->problem, JD_SIMULATE, NULL);
    bool infinite = jd_problem_structure(e->run->problem, 0)->infinite;
    e->tolerance = sim->tolerance;
    e->budget = sim->event_budget;
    e->kernel = jd_kernels_best();
    nodes_set(&e->nodes, stages_for(e->tolerance));
    JD_TRY(read_contacts(e));
    JD_TRY(drives_plan(e));
    JD_TRY(infinite ? channels_fitted(e) : channels_modal(e));
    JD_TRY(refuse_ambiguous(e));
    JD_TRY(take_arrays(e));
    if (e->echo) JD_TRY(echoes_create(e));
    JD_TRY(table_take(e, &e->odd));
    JD_TRY(trim_create(e));
    set_scales(e);
    JD_TRY(drives_follow(e, e->drive_jump));
    stops_scale(e);
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
    if (run->waiting && jd_problem_structure(run->problem, 0)->infinite) return JD_OK;
    JD_TRY(memory_plan(e));
    if (run->waiting) return JD_OK; // the state comes from elsewhere
    if (e->echo) e->t_break = delay_next(e->echo->line, 0);
    e->start_energy = books_energy(e, 0, NULL);
    JD_TRY(resolve_start(e));
    panel_begin(e);
    memory_letters(e);
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
    channels_row(e, own, out->out_re, out->out_im, NULL, NULL);
    for (int i = 0; i < e->n_drive; i++) {
        JD_TRY(drives_row(e, 1, out->out_re, out->out_im, NULL, &out->drive[i], &e->drive[i]));
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

static jd_stop reason_to_stop(const memory *e) {
    if (e->events >= e->budget) return JD_STOP_EVENT_BUDGET;
    if (e->storm > storm_limit) return JD_STOP_STORM;
    if (jd_stop_wanted(e->run->context)) return JD_STOP_INTERRUPTED;
    for (int j = 0; j < e->m; j++)
        if (!(fabs(e->v0[j]) < 1e100)) return JD_STOP_UNBOUNDED;
    return JD_STOP_NONE;
}

// The panel's end: an event, a break, or just the next panel.
static jd_status end_panel(memory *e) {
    int contact = e->ends_at;
    JD_TRY(panel_accept(e));
    bool breaks = e->t0 >= e->t_break;
    if (breaks) drives_break(e, e->t0, false);
    if (e->echo) {
        e->echo->pending = breaks;
        e->t_break = delay_next(e->echo->line, e->t0);
    }
    if (contact >= 0) resolve_event(e, contact);
    if (breaks) resolve_break(e);
    panel_begin(e);
    memory_letters(e);
    return JD_OK;
}

static jd_status advance(jd_run *run, double t_stop, jd_step *step) {
    memory *e = run->state;
    for (;;) {
        if (!e->solved) JD_TRY(panel_next(e)); // before events are handed out: they can be observed
        if (jd_run_next_event(run, e->t0, e->queue, &e->n_queue, &e->next_queue, step)) {
            e->events++;
            return JD_OK;
        }
        run->stop = reason_to_stop(e);
        if (run->stop != JD_STOP_NONE) return jd_run_stopped(run, e->t0, step);
        if (e->t_end > t_stop) return jd_run_reached(run, t_stop, step);
        JD_TRY(end_panel(e));
    }
}

static void observe(jd_run *run, double t, double *u, double *v) {
    memory *e = run->state;
    const channels *c = &e->ch;
    double *cu = e->report_sums, *cv = e->u0, *cf = e->residual;
    panel_observe(e, t, cu, cv, cf);
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
        drives_motion(e, p->drive, 0, t, &u[i], &v[i], NULL);
    }
}

static void observe_contacts(jd_run *run, double t, double *u, double *v, double *force) {
    panel_observe(run->state, t, u, v, force);
}

static void report(jd_run *run, jd_report *r) {
    memory *e = run->state;
    r->certificate = (jd_certificate){.method = "bernstein bounds of radau panels",
                                      .tolerance = e->tolerance,
                                      .events = e->events,
                                      .evaluations = e->evaluations,
                                      .chatter_error = e->chatter_error};
    if (!run->no_ledger) books_report(e, &r->ledger);
}

const jd_engine_class jd_engine_memory = {
    .info = {"memory", "contact points with memory: any friction law, infinitely many modes"},
    .refuses = refuses,
    .create = create,
    .free = release,
    .probe = add_probe,
    .track = books_track,
    .ranges = books_ranges,
    .state_size = memory_state_size,
    .state_varies = true,
    .save = memory_save,
    .load = memory_load,
    .shift = memory_shift,
    .advance = advance,
    .observe = observe,
    .observe_contacts = observe_contacts,
    .report = report,
};
