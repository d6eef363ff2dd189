// snapshot.c -- the memory engine's state as bytes: the beginning of the present panel.
//   One walk over memory_state, and the sums of the energy ledger. What a panel becomes depends on
//   pole states, contact states, forces and the step wanted at its beginning, and on the waves
//   under way; all of it is kept, so a run that goes on from here repeats it bit for bit. With
//   infinitely many modes the poles of free motion depend on how the first run started: the modes
//   that moved then are kept, too, and the plan is made when they are known.
#include "engine/memory/snapshot.h"

#include "base/fail.h"
#include "base/param_tools.h"
#include "engine/memory/memory.h"

// Numbers that say whether the plan is the one the state was saved from.
typedef struct shape {
    int poles, stages, moving;
} shape;

static void visit_shape(const memory *e, snapshot *s, shape *h) {
    *h = (shape){e->plan->poles.n, e->plan->nodes.s, 0};
    for (int k = 0; e->state.start.moving && k < e->plan->n_mode; k++)
        h->moving += e->state.start.moving[k];
    snapshot_whole(s, &h->poles);
    snapshot_whole(s, &h->stages);
    snapshot_whole(s, &h->moving);
}

static void visit_moving(const memory *e, snapshot *s, int n) {
    for (int i = 0, k = -1; e->state.start.moving && i < n; i++) {
        if (!s->from)
            while (!e->state.start.moving[++k]) continue;
        snapshot_whole(s, &k);
        if (k < 0 || k >= e->plan->n_mode) snapshot_odd(s, "a mode is");
        if (s->odd) return;
        if (s->from) e->state.start.moving[k] = true;
    }
}

// Is x on this body?
static bool is_place(const memory *e, int body, double x) {
    const jd_problem *p = e->run->problem;
    if (body < 0 || body >= jd_problem_bodies(p)) return false;
    const jd_object *o = jd_problem_body(p, body);
    const jd_param *length = jd_type_param(o->type, "length");
    return length && x >= 0 && x <= *JD_MEMBER_CONST(double, o->def, length);
}

// The forces that held the start: the plan depends on them.
static jd_status visit_start(memory *e, snapshot *s) {
    jd_start_forces *f = &e->state.start.forces;
    snapshot_whole(s, &f->n);
    if (f->n < 0 || (s->from && (size_t)f->n > (s->room - s->size) / (3 * sizeof(double))))
        snapshot_odd(s, "a count is");
    if (s->odd) f->n = 0;
    if (s->from && f->n > 0) {
        f->body = JD_TAKE(e->arena, int, f->n);
        f->x = JD_TAKE(e->arena, double, f->n);
        f->force = JD_TAKE(e->arena, double, f->n);
        f->rate = JD_TAKE(e->arena, double, f->n);
        JD_TRY(jd_arena_status(e->arena));
    }
    for (int i = 0; i < f->n; i++) snapshot_whole(s, &f->body[i]);
    snapshot_reals(s, f->x, f->n);
    snapshot_reals(s, f->force, f->n);
    snapshot_reals(s, f->rate, f->n);
    snapshot_reals(s, &f->rigid[0][0], 4);
    snapshot_whole(s, &f->n_rigid);
    for (int i = 0; s->from && i < f->n; i++)
        if (!is_place(e, f->body[i], f->x[i])) snapshot_odd(s, "a place is");
    if (f->n_rigid < 0 || f->n_rigid > 2) snapshot_odd(s, "a count is");
    return JD_OK;
}

static void visit_numbers(memory *e, snapshot *s) {
    energy_ledger *l = e->observers.ledger;
    snapshot_reals(s, &e->state.t, 1);
    snapshot_reals(s, &e->state.step, 1);
    snapshot_count(s, &e->state.evaluations);
    if (!(e->state.t >= 0 && e->state.t <= e->run->t)) snapshot_odd(s, "the time of its panel is");
    if (!(e->state.step > 0)) snapshot_odd(s, "a length of time is");
    snapshot_visit(s, &l->start_energy, sizeof l->start_energy);
    snapshot_visit(s, &l->damping, sizeof l->damping);
    if (e->plan->poles.exact && !isfinite(l->start_energy + e->observers.ledger->damping))
        snapshot_odd(s, "an energy is");
    snapshot_reals(s, &e->state.chatter_error, 1);
    long *count[] = {&e->state.events, &e->state.storm, &e->state.panels, &e->state.rejected};
    for (int i = 0; i < 4; i++) snapshot_count(s, count[i]);
}

static bool is_side(const stop *c, int side) {
    return side == 0 || (c->is && (side == 1 || side == -1));
}

static void visit_contacts(memory *e, snapshot *s) {
    for (int j = 0; j < e->plan->m; j++) {
        int letter = (int)e->state.contact[j];
        const stop *c = &e->plan->stop[j];
        stop_side *side = &e->state.side[j];
        snapshot_whole(s, &letter);
        bool known = c->is ? letter == JD_CONTACT_OPEN || letter == JD_CONTACT_CLOSED_ABOVE ||
                                 (letter == JD_CONTACT_CLOSED_BELOW && c->both)
                           : letter == JD_CONTACT_STUCK || letter == JD_CONTACT_SLIDING_PLUS ||
                                 letter == JD_CONTACT_SLIDING_MINUS;
        if (!known) snapshot_odd(s, "the state of a contact is");
        e->state.contact[j] = known ? (jd_contact_state)letter : e->state.contact[j];
        snapshot_flag(s, &e->state.fresh[j]);
        snapshot_whole(s, &side->touch);
        snapshot_whole(s, &side->left);
        if (!is_side(c, side->touch) || !is_side(c, side->left)) snapshot_odd(s, "a side is");
        snapshot_reals(s, &side->stamp, 1);
    }
    snapshot_reals(s, e->state.force, e->plan->m);
    snapshot_reals(s, e->state.v_scale, e->plan->m);
    snapshot_reals(s, e->state.f_scale, e->plan->m);
    for (int j = 0; j < e->plan->m; j++)
        if (!(e->state.v_scale[j] > 0 && e->state.f_scale[j] > 0)) snapshot_odd(s, "a scale is");
    size_t sums = (size_t)e->plan->n_drive + 3 * (size_t)e->plan->m;
    snapshot_visit(s, e->observers.ledger->sums, sums * sizeof *e->observers.ledger->sums);
    if (!jd_state_finite(sums, e->observers.ledger->sums)) snapshot_odd(s, "an energy is");
}

static jd_status visit_echoes(memory *e, snapshot *s) {
    echo_state *c = e->state.echo;
    double *one[] = {c->moved, c->v_end, c->v_rate, c->F_end, c->F_rate};
    snapshot_flag(s, &c->pending);
    snapshot_reals(s, &c->h, 1);
    for (int i = 0; i < 5; i++) snapshot_reals(s, one[i], e->plan->m);
    int rows = 2 * e->plan->m + e->plan->n_drive;
    if (c->filtered) snapshot_reals(s, c->filtered, rows * FILTER_POLES);
    if (!(c->h >= 0)) snapshot_odd(s, "a length of time is");
    return jd_delay_visit(c->line, s, e->state.t);
}

static jd_status visit_rest(memory *e, snapshot *s) {
    visit_numbers(e, s);
    snapshot_reals(s, e->state.z_re, e->plan->poles.n);
    snapshot_reals(s, e->state.z_im, e->plan->poles.n);
    visit_contacts(e, s);
    jd_foresight_visit(e, s);
    jd_followed_visit(e, s);
    return e->state.echo ? visit_echoes(e, s) : JD_OK;
}

static jd_status visit(memory *e, snapshot *s) {
    shape h;
    visit_shape(e, s, &h);
    visit_moving(e, s, h.moving);
    JD_TRY(visit_start(e, s));
    return visit_rest(e, s);
}

size_t jd_memory_state_size(const jd_run *run) {
    snapshot s = {0};
    if (run->waiting) return 0;
    visit(run->state, &s);
    return s.size;
}

jd_status jd_memory_save(jd_run *run, char *to) {
    snapshot s = {.to = to};
    return visit(run->state, &s);
}

static jd_status refuse(jd_run *run, const char *why) {
    jd_fail(run->context, JD_BAD_RESULT_FILE, "the saved state cannot be taken up: %s", why);
    jd_fail_hint(run->context, "`simulate.tolerance` and `simulate.memory` must be those of the "
                               "first run");
    return JD_BAD_RESULT_FILE;
}

// From here on the present panel is solved anew.
static void resume(memory *e) {
    e->stretch.t = e->state.t; // work is counted from here on
    e->stretch.evaluations = e->state.evaluations;
    jd_drives_resume(e, e->state.t);
    if (e->state.echo) {
        e->panel.echo->at = (double)NAN;
        e->panel.t_break = fmin(e->panel.t_break, jd_delay_next(e->state.echo->line, e->state.t));
    }
    jd_panel_begin(e);
    jd_memory_set_phase(e);
}

jd_status jd_memory_shift(jd_run *run, double by) {
    memory *e = run->state;
    for (int j = 0; j < e->plan->m; j++) {
        if (!e->plan->stop[j].is || e->plan->belt[j] == 0) continue;
        jd_fail(run->context, JD_NOT_SUPPORTED, "the stop of contact `%s` moves on and on",
                jd_problem_contact(run->problem, j)->name);
        return JD_NOT_SUPPORTED;
    }
    run->t += by;
    e->state.t += by;
    for (int j = 0; j < e->plan->m; j++) e->state.side[j].stamp += by;
    if (e->state.echo) jd_delay_shift(e->state.echo->line, by);
    jd_foresight_shift(e, by);
    if (e->panel.solved) e->state.step = e->panel.next_step; // it is about as long as the next
    jd_panel_drop(e);
    resume(e);
    return JD_OK;
}

void jd_memory_put_back(jd_run *run, double t) {
    memory *e = run->state;
    double by = t - e->state.t;
    e->state.t = run->t = t;
    run->stop = JD_STOP_NONE;
    e->queue.n = e->queue.next = 0;
    e->state.echo->pending = false;
    e->state.storm = 0;
    jd_foresight_clear(e);
    e->panel.echo->at = (double)NAN;
    for (int j = 0; j < e->plan->m; j++) e->state.side[j].stamp += by;
    jd_drives_resume(e, t);
    jd_slide_forces(e);
    resume(e);
}

jd_status jd_memory_load(jd_run *run, const char *from, size_t size) {
    memory *e = run->state;
    snapshot s = {.from = from, .room = size};
    shape h;
    visit_shape(e, &s, &h);
    bool endless = e->state.start.moving != NULL; // else no modes were saved
    if (h.moving < 0 || h.moving > (endless ? e->plan->n_mode : 0)) snapshot_odd(&s, "a count is");
    if (!s.odd) visit_moving(e, &s, h.moving);
    if (!s.odd) JD_TRY(visit_start(e, &s));
    if (s.odd) return jd_state_refuse(run, s.odd);
    if (!e->plan->poles.exact) JD_TRY(jd_memory_plan(e));
    if (h.poles != e->plan->poles.n || h.stages != e->plan->nodes.s)
        return refuse(run, "it was computed to another accuracy");
    e->panel.solved = false;
    e->panel.evaluations = 0;
    JD_TRY(visit_rest(e, &s));
    if (s.size != size) snapshot_odd(&s, "its length is");
    if (s.odd) return jd_state_refuse(run, s.odd);
    e->queue.n = e->queue.next = 0;
    resume(e);
    return JD_OK;
}
