// snapshot.c -- the memory engine's state as bytes: the beginning of the present panel.
//   What a panel becomes depends on pole states, contact states, forces and the step wanted at its
//   beginning, and on the waves under way; all of it is kept, so a run that goes on from here
//   repeats it bit for bit. With infinitely many modes the poles of free motion depend on how the
//   first run started: the modes that moved then are kept, too, and the plan is made when they are
//   known.
#include "engine/memory/snapshot.h"

#include "base/fail.h"
#include "base/param_tools.h"
#include "engine/memory/memory.h"

// Numbers that say whether the plan is the one the state was saved from.
typedef struct shape {
    int poles, stages, moving;
} shape;

static void visit_shape(const memory *e, snapshot *s, shape *h) {
    *h = (shape){e->ch.n, e->nodes.s, 0};
    for (int k = 0; e->moving && k < e->n_mode; k++) h->moving += e->moving[k];
    snapshot_whole(s, &h->poles);
    snapshot_whole(s, &h->stages);
    snapshot_whole(s, &h->moving);
}

static void visit_moving(const memory *e, snapshot *s, int n) {
    for (int i = 0, k = -1; e->moving && i < n; i++) {
        if (!s->from)
            while (!e->moving[++k]) continue;
        snapshot_whole(s, &k);
        if (k < 0 || k >= e->n_mode) snapshot_odd(s, "a mode is");
        if (s->odd) return;
        if (s->from) e->moving[k] = true;
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
    jd_start_forces *f = &e->start;
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
    snapshot_reals(s, &e->t0, 1);
    // The present panel may be solved already: as it was before that.
    double step = e->solved ? e->before.step : e->step;
    long evaluations = e->solved ? e->before.evaluations : e->evaluations;
    snapshot_reals(s, &step, 1);
    snapshot_count(s, &evaluations);
    e->step = s->from ? step : e->step;
    e->evaluations = s->from ? evaluations : e->evaluations;
    if (!(e->t0 >= 0 && e->t0 <= e->run->t)) snapshot_odd(s, "the time of its panel is");
    if (!(e->step > 0)) snapshot_odd(s, "a length of time is");
    snapshot_visit(s, &e->start_energy, sizeof e->start_energy);
    snapshot_visit(s, &e->damping, sizeof e->damping);
    if (e->ch.exact && !isfinite(e->start_energy + e->damping)) snapshot_odd(s, "an energy is");
    snapshot_reals(s, &e->chatter_error, 1);
    long *count[] = {&e->events, &e->storm, &e->panels, &e->rejected};
    for (int i = 0; i < 4; i++) snapshot_count(s, count[i]);
}

static bool is_side(const stop *c, int side) {
    return side == 0 || (c->is && (side == 1 || side == -1));
}

static void visit_contacts(memory *e, snapshot *s) {
    for (int j = 0; j < e->m; j++) {
        int letter = (int)e->marks[j];
        stop *c = &e->stop[j];
        snapshot_whole(s, &letter);
        bool known = c->is ? letter == OPEN || letter == UPPER || (letter == LOWER && c->both)
                           : letter == STUCK || letter == PLUS || letter == MINUS;
        if (!known) snapshot_odd(s, "the state of a contact is");
        e->marks[j] = known ? (contact_state)letter : e->marks[j];
        snapshot_flag(s, &e->fresh[j]);
        snapshot_whole(s, &c->touch);
        snapshot_whole(s, &c->left);
        if (!is_side(c, c->touch) || !is_side(c, c->left)) snapshot_odd(s, "a side is");
        snapshot_reals(s, &c->stamp, 1);
    }
    snapshot_reals(s, e->F0, e->m);
    snapshot_reals(s, e->v_scale, e->m);
    snapshot_reals(s, e->f_scale, e->m);
    for (int j = 0; j < e->m; j++)
        if (!(e->v_scale[j] > 0 && e->f_scale[j] > 0)) snapshot_odd(s, "a scale is");
    size_t sums = (size_t)e->n_drive + 3 * (size_t)e->m;
    snapshot_visit(s, e->sums, sums * sizeof *e->sums);
    if (!jd_state_finite(sums, e->sums)) snapshot_odd(s, "an energy is");
}

static jd_status visit_echoes(memory *e, snapshot *s) {
    echoes *c = e->echo;
    double *one[] = {c->moved, c->v_end, c->v_rate, c->F_end, c->F_rate};
    bool pending = e->solved ? e->before.pending : c->pending;
    snapshot_flag(s, &pending);
    c->pending = s->from ? pending : c->pending;
    snapshot_reals(s, &c->h, 1);
    for (int i = 0; i < 5; i++) snapshot_reals(s, one[i], e->m);
    if (!(c->h >= 0)) snapshot_odd(s, "a length of time is");
    return jd_delay_visit(c->line, s, e->t0);
}

static jd_status visit_rest(memory *e, snapshot *s) {
    visit_numbers(e, s);
    snapshot_reals(s, e->ch.z_re, e->ch.n);
    snapshot_reals(s, e->ch.z_im, e->ch.n);
    visit_contacts(e, s);
    return e->echo ? visit_echoes(e, s) : JD_OK;
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
    e->solved = false;
    e->stretch.t = e->t0; // work is counted from here on
    e->stretch.evaluations = e->evaluations;
    if (e->echo) e->echo->at = (double)NAN;
    jd_drives_resume(e, e->t0);
    if (e->echo) e->t_break = fmin(e->t_break, jd_delay_next(e->echo->line, e->t0));
    jd_panel_begin(e);
    jd_memory_set_phase(e);
}

jd_status jd_memory_shift(jd_run *run, double by) {
    memory *e = run->state;
    for (int j = 0; j < e->m; j++) {
        if (!e->stop[j].is || e->belt[j] == 0) continue;
        jd_fail(run->context, JD_NOT_SUPPORTED, "the stop of contact `%s` moves on and on",
                jd_problem_contact(run->problem, j)->name);
        return JD_NOT_SUPPORTED;
    }
    run->t += by;
    e->t0 += by;
    for (int j = 0; j < e->m; j++) e->stop[j].stamp += by;
    if (e->echo) jd_delay_shift(e->echo->line, by);
    resume(e);
    return JD_OK;
}

jd_status jd_memory_load(jd_run *run, const char *from, size_t size) {
    memory *e = run->state;
    snapshot s = {.from = from, .room = size};
    shape h;
    visit_shape(e, &s, &h);
    bool endless = e->moving != NULL; // else no modes are told
    if (h.moving < 0 || h.moving > (endless ? e->n_mode : 0)) snapshot_odd(&s, "a count is");
    if (!s.odd) visit_moving(e, &s, h.moving);
    if (!s.odd) JD_TRY(visit_start(e, &s));
    if (s.odd) return jd_state_refuse(run, s.odd);
    if (!e->ch.exact) JD_TRY(jd_memory_plan(e));
    if (h.poles != e->ch.n || h.stages != e->nodes.s)
        return refuse(run, "it was computed to another accuracy");
    e->solved = false;
    JD_TRY(visit_rest(e, &s));
    if (s.size != size) snapshot_odd(&s, "its length is");
    if (s.odd) return jd_state_refuse(run, s.odd);
    e->n_queue = e->next_queue = 0;
    resume(e);
    return JD_OK;
}
