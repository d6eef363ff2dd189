// plan.c -- the constants of a run: rows in double, laws, drives, G = B B'.
#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "contact/law.h"
#include "engine/exact/dependent.h"
#include "engine/exact/ties.h"

static const double *row_in_double(exact *e, const jd_dd *row) {
    double *out = JD_TAKE(e->arena, double, e->n);
    for (int k = 0; out && k < e->n; k++) out[k] = row[k].hi;
    return out;
}

static void read_law(jd_arena *arena, const jd_object *law, contact *c) {
    const jd_stop_def *stop = jd_law_stop_of(law);
    jd_friction friction;
    c->stop = stop != NULL;
    if (stop) {
        c->gap = stop->gap;
        c->restitution = stop->restitution;
        c->both = stop->sides == 1;
    } else if (jd_law_friction_of(arena, law, &friction) == JD_OK) { // a straight line: no memory
        c->limit = friction.limit;
        c->static_limit = friction.hold;
        c->slope = friction.slope;
    }
}

// Everything of laws and drives that a change of numbers can touch without new rows.
void jd_plan_laws(exact *e) {
    e->belts = false;
    for (int j = 0; j < e->m; j++) {
        const jd_contact_def *d = jd_problem_contact(e->run->problem, j)->def;
        read_law(e->arena, &d->law, &e->contact[j]);
        if (d->against.kind == JD_MOVING) e->contact[j].belt = d->against.velocity;
        e->belts |= e->contact[j].belt != 0;
    }
}

void jd_plan_drives(exact *e) {
    const jd_problem *p = e->run->problem;
    for (int i = 0; i < e->n_drive; i++) {
        drive *d = &e->drive[i];
        d->object = jd_problem_drive(p, i);
        d->theta = (double)NAN; // nothing known yet
        d->omega = jd_drive_omega(d->object, jd_problem_drive_frequency(p, i));
    }
}

void jd_plan_scale(exact *e) {
    double slowest = HUGE_VAL, fastest = 0;
    for (int k = 0; k < e->n; k++) {
        if (e->omega2[k] > 0) slowest = fmin(slowest, sqrt(e->omega2[k]));
        fastest = fmax(fastest, sqrt(e->omega2[k]));
    }
    for (int i = 0; i < e->n_drive; i++) {
        if (e->drive[i].omega > 0) slowest = fmin(slowest, e->drive[i].omega);
        fastest = fmax(fastest, e->drive[i].omega);
    }
    const jd_simulate_def *simulate = jd_problem_section(e->run->problem, JD_SIMULATE, NULL);
    double whole = simulate->until.value; // of the run: bodies that do not vibrate have no other
    if (!(whole > 0) || simulate->until.periods) whole = 1;
    e->scale_time = isfinite(slowest) ? JD_TWO_PI / slowest : whole;
    e->quick_time = fastest > 0 ? JD_TWO_PI / fastest : whole;
}

// Bound of |lambda|: sqrt(max Omega^2) + norm of the damping, slopes of all contacts included.
void jd_plan_rate(exact *e) {
    double stiff = 0, damping = 0, driven = 0;
    for (int k = 0; k < e->n; k++) {
        double row = e->C ? 0 : fabs(e->c[k]);
        for (int l = 0; e->C && l < e->n; l++) row += fabs(e->C[k * e->n + l]);
        damping = fmax(damping, row);
        stiff = fmax(stiff, e->omega2[k]);
    }
    for (int j = 0; j < e->m; j++) damping += fabs(e->contact[j].slope) * e->G[j * e->m + j];
    for (int i = 0; i < e->n_drive; i++) driven = fmax(driven, e->drive[i].omega);
    e->rate_max = fmax(sqrt(stiff) + damping, driven);
}

static jd_status read_contacts(exact *e) {
    e->contact = JD_TAKE(e->arena, contact, e->m);
    JD_TRY(jd_arena_status(e->arena));
    jd_plan_laws(e);
    for (int j = 0; j < e->m; j++) e->contact[j].row = row_in_double(e, e->system->contact[j]);
    return jd_arena_status(e->arena);
}

static jd_status read_drives(exact *e) {
    e->drive = JD_TAKE(e->arena, drive, e->n_drive);
    JD_TRY(jd_arena_status(e->arena));
    jd_plan_drives(e);
    for (int i = 0; i < e->n_drive; i++) e->drive[i].row = row_in_double(e, e->system->drive[i]);
    return jd_arena_status(e->arena);
}

static void read_modes(exact *e) {
    const jd_modal *modal = &e->system->modal;
    for (int k = 0; k < e->n; k++) {
        e->omega2[k] = modal->omega2[k].hi;
        e->c[k] = modal->law == JD_DAMPING_NONE ? 0 : modal->c[k];
    }
    if (modal->law == JD_DAMPING_FULL) e->C = modal->C;
    jd_plan_scale(e);
}

static void couple(exact *e) {
    for (int i = 0; i < e->m; i++)
        for (int j = 0; j < e->m; j++) {
            double s = 0, size = 0;
            for (int k = 0; k < e->n; k++) {
                s += e->contact[i].row[k] * e->contact[j].row[k];
                size += fabs(e->contact[i].row[k] * e->contact[j].row[k]);
            }
            e->G[i * e->m + j] = fabs(s) > 1e-14 * size ? s : 0; // no impulse gets across
        }
}

static void take_state(exact *e) {
    jd_arena *a = e->arena;
    int n = e->n, m = e->m, sources = m + e->n_drive + 2 * m;
    double **vectors[] = {&e->q,  &e->p,  &e->x,  &e->xd,  &e->xt,  &e->xdt,
                          &e->qt, &e->pt, &e->x1, &e->xd1, &e->acc, &e->jerk};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = JD_TAKE(a, double, n);
    double **per_contact[] = {&e->y,     &e->w,     &e->fb,     &e->flow,       &e->fhigh,
                              &e->fx,    &e->fa,    &e->stamp,  &e->speed,      &e->jump,
                              &e->slack, &e->force, &e->shaken, &e->shaken_rate};
    for (size_t i = 0; i < sizeof per_contact / sizeof *per_contact; i++)
        *per_contact[i] = JD_TAKE(a, double, m);
    e->marks = JD_TAKE(a, mark, m);
    e->key = JD_TAKE(a, char, m + 1);
    e->order = JD_TAKE(a, int, m);
    e->side = JD_TAKE(a, int, m);
    e->was = JD_TAKE(a, mark, m);
    e->hit = JD_TAKE(a, int, m);
    e->touch = JD_TAKE(a, int, m);
    e->rest = JD_TAKE(a, bool, m);
    e->releasing = JD_TAKE(a, bool, m);
    e->kinetic = JD_TAKE(a, bool, m);
    e->had_slack = JD_TAKE(a, bool, m);
    e->frozen = JD_TAKE(a, bool, m);
    e->spanned = JD_TAKE(a, bool, 2 * m);
    e->apart = JD_TAKE(a, bool, m);
    e->unit = JD_TAKE(a, double, m);
    e->rows_left = JD_TAKE(a, double, m *n);
    e->soft = JD_TAKE(a, bool, m);
    e->tied = JD_TAKE(a, jd_bound, m);
    e->firm = JD_TAKE(a, jd_bound, m);
    jd_ties_take(e);
    e->fset = JD_TAKE(a, int, m);
    e->fbound = JD_TAKE(a, jd_bound, m);
    e->fG = JD_TAKE(a, double, m *m);
    e->fscratch = JD_TAKE(a, double, jd_forces_scratch(m) + 2 * m * m + 5 * m);
    e->queue = JD_TAKE(a, jd_event, 2 * m + 2);
    e->guard = JD_TAKE(a, jd_guard, m);
    e->guard_contact = JD_TAKE(a, int, m);
    e->sums = JD_TAKE(a, double, e->n_drive + 3 * m);
    e->shown = JD_TAKE(a, double, e->n_drive + 3 * m);
    e->kept = JD_TAKE(a, double, e->n_drive + 3 * m);
    e->moment = JD_TAKE(a, double, POWERS *n);
    e->work = e->sums;
    e->contact_loss = e->work + e->n_drive;
    e->impact_loss = e->contact_loss + m;
    e->belt_work = e->impact_loss + m;
    e->source = JD_TAKE(a, double, sources);
    e->source_rate = JD_TAKE(a, double, sources);
    e->poly = JD_TAKE(a, double, POWERS *n);
    e->scratch = JD_TAKE(a, double, 4 * n + 8);
    e->toward = JD_TAKE(a, double, n);
    e->local = JD_TAKE(a, double, (CHATTER_ORDER + 1) * n);
    int slots = 2 * n + e->n_drive + 12 + resonance_room(n); // the largest a basis has, padded
    double **amplitudes[] = {&e->re, &e->im, &e->re1, &e->im1, &e->re2, &e->im2, &e->re3, &e->im3};
    for (size_t i = 0; i < sizeof amplitudes / sizeof *amplitudes; i++)
        *amplitudes[i] = JD_TAKE(a, double, 2 * slots);
}

jd_status jd_exact_plan(exact *e) {
    const jd_problem *p = e->run->problem;
    e->system = jd_problem_system(p);
    e->n = e->system->modal.n;
    e->m = jd_problem_contacts(p);
    e->n_drive = jd_problem_drives(p);
    const jd_simulate_def *simulate = jd_problem_section(p, JD_SIMULATE, NULL);
    e->budget = simulate->event_budget;
    e->omega2 = JD_TAKE(e->arena, double, e->n);
    e->c = JD_TAKE(e->arena, double, e->n);
    e->G = JD_TAKE(e->arena, double, e->m * e->m);
    take_state(e);
    JD_TRY(jd_arena_status(e->arena));
    JD_TRY(read_contacts(e));
    JD_TRY(read_drives(e));
    read_modes(e);
    couple(e);
    JD_TRY(jd_judge_dependence(e));
    jd_plan_rate(e);
    e->margin = HUGE_VAL;
    return JD_OK;
}
