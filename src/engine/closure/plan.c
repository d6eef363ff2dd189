// plan.c -- from a problem to an open model: who acts where, and how it starts.
#include <math.h>
#include <string.h>

#include "contact/law.h"
#include "drive/kind.h"
#include "engine/closure/closure.h"
#include "problem/initial.h"
#include "problem/parts.h"

static const double default_tolerance = 1e-12; // of a step; `simulate.tolerance` where it is given

static const jd_structure *body_of(const jd_problem *p) { return jd_problem_structure(p, 0); }
static bool is_model(const jd_problem *p) {
    return (jd_structure_capabilities(body_of(p)) & JD_CAN_PWS) != 0;
}

static const unsigned computed = JD_LAW_FRICTION | JD_LAW_SLOPE | JD_LAW_CURVE | JD_LAW_SURFACE;

static const char *refuses_contact(const jd_problem *p) {
    if (jd_problem_contacts(p) > 1) return "there is more than one contact";
    if (jd_problem_contacts(p) == 0) return NULL;
    const jd_contact_def *c = jd_problem_contact(p, 0)->def;
    if (!c->at.point) return "the contact acts along a span";
    if (c->against.kind == JD_PLACE) return "the contact is between two points";
    return jd_law_refuses(&c->law, computed);
}

const char *jd_closure_refuses(const jd_problem *p) {
    if (jd_problem_bodies(p) != 1) return "there is more than one body";
    if (!is_model(p)) {
        if (!(jd_structure_capabilities(body_of(p)) & JD_CAN_MODAL)) return "the body has no modes";
        if (jd_problem_contacts(p) == 0) return "there is no contact";
    }
    for (int i = 0; i < jd_problem_drives(p); i++) {
        const jd_drive_place *d = jd_problem_drive(p, i)->def;
        if (d->of != JD_DRIVE_FORCE || !d->at.point) return "a drive is not a force at a point";
    }
    return refuses_contact(p);
}

jd_status jd_closure_plan_drives(closure *e) {
    const jd_problem *p = e->run->problem;
    for (int i = 0; i < e->plan.n_drive; i++) {
        drive *d = &e->plan.drive[i];
        const jd_drive_place *place = jd_problem_drive(p, i)->def;
        int body, point;
        d->object = jd_problem_drive(p, i);
        d->omega = jd_drive_omega(d->object, jd_problem_drive_frequency(p, i));
        d->push = JD_PUSH_NONE;
        if (!e->plan.pws.push) continue; // reduced: a column
        JD_TRY(jd_problem_find_point(p, place->at.body, place->at.point, &body, &point));
        d->push = e->plan.pws.push[point];
        if (d->push == JD_PUSH_LAMBDA) d->felt = e->plan.pws.point_v + point * (e->plan.n + 2);
        if (d->push != JD_PUSH_NONE) continue;
        jd_fail(e->run->context, JD_NOT_SUPPORTED, "drive `%s` acts on `%s`, which takes no force",
                d->object->name, place->at.point);
        jd_fail_where(e->run->context, "drives.%s.at", d->object->name);
        jd_fail_hint(e->run->context,
                     "a force acts where the contact is, or on one of y1, y2, ...");
        return JD_NOT_SUPPORTED;
    }
    return jd_closure_plan_past(e);
}

// Where the contact or, without one, the first drive acts.
static jd_status acting_point(const closure *e, int *point) {
    const jd_problem *p = e->run->problem;
    const jd_place *at = NULL;
    int body;
    if (jd_problem_contacts(p) > 0)
        at = &((const jd_contact_def *)jd_problem_contact(p, 0)->def)->at;
    else if (jd_problem_drives(p) > 0)
        at = &((const jd_drive_place *)jd_problem_drive(p, 0)->def)->at;
    *point = -1;
    return at ? jd_problem_find_point(p, at->body, at->point, &body, point) : JD_OK;
}

static jd_status take_arrays(closure *e) {
    int w = e->plan.n + 2;
    closure_scratch *c = &e->scratch;
    double **vectors[] = {
        &e->state.x,     &e->state.scale, &c->r,           &c->linf,       &c->lplus,
        &c->F,           &c->grad_h,      &c->grad_lambda, &c->beside,     &c->rate,
        &c->inside,      &c->end_rate,    &c->earlier,     &c->entry,      &c->x_before,
        &c->f_before,    &c->x_seen,      &c->X_seen,      &c->rate_seen,  &c->salt_h,
        &c->salt_lambda, &c->f_after,     &c->X_ledger,    &c->jump_slope, &c->jump_sum,
        &c->jump_trial,  &c->jump_last,   &c->jump_end,    &c->jump_x,     &c->jump_column};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = JD_TAKE(e->arena, double, w);
    JD_TRY(jd_arena_status(e->arena));
    jd_closure_forget_sizes(e);
    JD_TRY(jd_radau_create(e->arena, w, &e->solver));
    JD_TRY(jd_radau_create(e->arena, w, &e->aside));
    JD_TRY(jd_radau_take_step(e->arena, w, &e->state.step));
    JD_TRY(jd_radau_take_step(e->arena, w, &e->part));
    for (int i = 0; i < RING; i++) JD_TRY(jd_radau_take_step(e->arena, w, &e->past.step[i]));
    return JD_OK;
}

jd_status jd_closure_plan(closure *e) {
    const jd_problem *p = e->run->problem;
    const jd_structure *body = body_of(p);
    const jd_simulate_def *simulate = jd_problem_section(p, JD_SIMULATE, NULL);
    int point;
    e->plan.m = jd_problem_contacts(p);
    e->plan.n_drive = jd_problem_drives(p);
    e->plan.budget = simulate->event_budget;
    e->plan.tolerance = isnan(simulate->tolerance) ? default_tolerance : simulate->tolerance;
    e->plan.drive = JD_TAKE(e->arena, drive, e->plan.n_drive);
    e->segments.of = JD_TAKE(e->arena, jd_drive_segment, e->plan.n_drive);
    JD_TRY(jd_arena_status(e->arena));
    JD_TRY(acting_point(e, &point));
    if (is_model(p)) JD_TRY(body->class->open(body, point, e->arena, &e->plan.pws));
    JD_TRY(jd_closure_reduce(e));
    e->plan.n = e->plan.pws.model.n;
    e->plan.wave = e->plan.pws.model.lplus != NULL;
    e->plan.memory = e->plan.wave && e->plan.pws.model.sigma > 0;
    JD_TRY(take_arrays(e));
    JD_TRY(jd_closure_plan_drives(e));
    JD_TRY(jd_closure_error_open(e));
    return jd_closure_ledger_open(e);
}

static jd_status set_values(closure *e, const jd_start_values_def *d, double *X, bool *given) {
    int n = e->plan.n;
    if (d->y.n != 0 && d->y.n != n) {
        jd_fail(e->run->context, JD_SIZE_MISMATCH, "`y` has %d values, but the model has %d",
                d->y.n, n);
        jd_fail_where(e->run->context, "start.y");
        return JD_SIZE_MISMATCH;
    }
    if (d->y.n) memcpy(X, d->y.value, (size_t)n * sizeof *X);
    X[n] = d->kappa;
    *given = !isnan(d->lambda);
    if (*given) X[n + 1] = d->lambda;
    return JD_OK;
}

// The friction of a reduced structure sets in at once: the modes left out answer with w = L+
// lambda, lambda at the velocity that includes w. True: it holds the contact from the beginning.
static bool switch_on(closure *e, double *X) {
    const jd_closure_model *m = &e->plan.pws.model;
    int n = e->plan.n;
    double before = m->h(m->user, X);
    int side = before > 0 ? 1 : -1;
    m->lplus(m->user, X, e->scratch.lplus);
    for (int i = 0; i < 200; i++) X[n - 1] = e->scratch.lplus[n - 1] * m->lambda(m->user, side, X);
    if (before != 0 && side * m->h(m->user, X) > 0) return false;
    X[n - 1] = 0;
    X[n - 1] = -m->h(m->user, X);
    X[n + 1] = X[n - 1] / e->scratch.lplus[n - 1];
    return true;
}

jd_status jd_closure_initial(closure *e, double *X, bool *given) {
    const jd_problem *p = e->run->problem;
    const jd_object *start = jd_problem_start(p);
    int n = e->plan.n;
    memset(X, 0, (size_t)(n + 2) * sizeof *X);
    X[n] = (double)NAN;
    *given = false;
    if (e->plan.pws.model.start) memcpy(X, e->plan.pws.model.start, (size_t)n * sizeof *X);
    if (start->type == &jd_start_values) return set_values(e, start->def, X, given);
    if (start->type == &jd_start_rest || start->type == &jd_start_restart) return JD_OK;
    if (is_model(p)) {
        jd_fail(e->run->context, JD_NOT_SUPPORTED, "a model of this kind does not start from `%s`",
                start->type->name);
        jd_fail_where(e->run->context, "start");
        jd_fail_hint(e->run->context, "give its state: `start: {type: values, y: [...]}`");
        return JD_NOT_SUPPORTED;
    }
    int modes = jd_problem_system(p)->modal.n, kept = (n - (e->plan.wave ? 1 : 0)) / 2;
    double *q = JD_TAKE(e->arena, double, 2 * modes);
    JD_TRY(jd_arena_status(e->arena));
    JD_TRY(jd_problem_initial(p, q, q + modes));
    memcpy(X, q, (size_t)kept * sizeof *X);
    memcpy(X + kept, q + modes, (size_t)kept * sizeof *X);
    if (e->plan.wave) *given = switch_on(e, X);
    return JD_OK;
}
