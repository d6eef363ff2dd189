// plan.c -- the constants of a run: rows in double, laws, drives, G = B B'.
#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "contact/law.h"
#include "engine/exact/events/dependent.h"
#include "engine/exact/events/ties.h"

static const double *row_in_double(exact *e, const jd_dd *row) {
    double *out = JD_TAKE(e->arena, double, e->plan.n);
    for (int k = 0; out && k < e->plan.n; k++) out[k] = row[k].hi;
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
    e->plan.belts = false;
    for (int j = 0; j < e->plan.m; j++) {
        const jd_contact_def *d = jd_problem_contact(e->run->problem, j)->def;
        read_law(e->arena, &d->law, &e->plan.contact[j]);
        if (d->against.kind == JD_MOVING) e->plan.contact[j].belt = d->against.velocity;
        e->plan.belts |= e->plan.contact[j].belt != 0;
    }
}

void jd_plan_drives(exact *e) {
    const jd_problem *p = e->run->problem;
    for (int i = 0; i < e->plan.n_drive; i++) {
        drive *d = &e->plan.drive[i];
        d->object = jd_problem_drive(p, i);
        d->theta = (double)NAN; // nothing known yet
        d->omega = jd_drive_omega(d->object, jd_problem_drive_frequency(p, i));
    }
}

void jd_plan_scale(exact *e) {
    double slowest = HUGE_VAL, fastest = 0;
    for (int k = 0; k < e->plan.n; k++) {
        if (e->plan.omega2[k] > 0) slowest = fmin(slowest, sqrt(e->plan.omega2[k]));
        fastest = fmax(fastest, sqrt(e->plan.omega2[k]));
    }
    for (int i = 0; i < e->plan.n_drive; i++) {
        if (e->plan.drive[i].omega > 0) slowest = fmin(slowest, e->plan.drive[i].omega);
        fastest = fmax(fastest, e->plan.drive[i].omega);
    }
    const jd_simulate_def *simulate = jd_problem_section(e->run->problem, JD_SIMULATE, NULL);
    double whole = simulate->until.value; // of the run: bodies that do not vibrate have no other
    if (!(whole > 0) || simulate->until.periods) whole = 1;
    e->plan.scale_time = isfinite(slowest) ? JD_TWO_PI / slowest : whole;
    e->plan.quick_time = fastest > 0 ? JD_TWO_PI / fastest : whole;
}

// Bound of |lambda|: sqrt(max Omega^2) + norm of the damping, slopes of all contacts included.
void jd_plan_rate(exact *e) {
    double stiff = 0, damping = 0, driven = 0;
    for (int k = 0; k < e->plan.n; k++) {
        double row = e->plan.C ? 0 : fabs(e->plan.c[k]);
        for (int l = 0; e->plan.C && l < e->plan.n; l++) row += fabs(e->plan.C[k * e->plan.n + l]);
        damping = fmax(damping, row);
        stiff = fmax(stiff, e->plan.omega2[k]);
    }
    for (int j = 0; j < e->plan.m; j++)
        damping += fabs(e->plan.contact[j].slope) * e->plan.G[j * e->plan.m + j];
    for (int i = 0; i < e->plan.n_drive; i++) driven = fmax(driven, e->plan.drive[i].omega);
    e->plan.rate_max = fmax(sqrt(stiff) + damping, driven);
}

static jd_status read_contacts(exact *e) {
    e->plan.contact = JD_TAKE(e->arena, contact, e->plan.m);
    JD_TRY(jd_arena_status(e->arena));
    jd_plan_laws(e);
    for (int j = 0; j < e->plan.m; j++)
        e->plan.contact[j].row = row_in_double(e, e->plan.system->contact[j]);
    return jd_arena_status(e->arena);
}

static jd_status read_drives(exact *e) {
    e->plan.drive = JD_TAKE(e->arena, drive, e->plan.n_drive);
    JD_TRY(jd_arena_status(e->arena));
    jd_plan_drives(e);
    for (int i = 0; i < e->plan.n_drive; i++)
        e->plan.drive[i].row = row_in_double(e, e->plan.system->drive[i]);
    return jd_arena_status(e->arena);
}

static void read_modes(exact *e) {
    const jd_modal *modal = &e->plan.system->modal;
    for (int k = 0; k < e->plan.n; k++) {
        e->plan.omega2[k] = modal->omega2[k].hi;
        e->plan.c[k] = modal->law == JD_DAMPING_NONE ? 0 : modal->c[k];
    }
    if (modal->law == JD_DAMPING_FULL) e->plan.C = modal->C;
    jd_plan_scale(e);
}

static void couple(exact *e) {
    for (int i = 0; i < e->plan.m; i++)
        for (int j = 0; j < e->plan.m; j++) {
            double s = 0, size = 0;
            for (int k = 0; k < e->plan.n; k++) {
                s += e->plan.contact[i].row[k] * e->plan.contact[j].row[k];
                size += fabs(e->plan.contact[i].row[k] * e->plan.contact[j].row[k]);
            }
            e->plan.G[i * e->plan.m + j] = fabs(s) > 1e-14 * size ? s : 0; // no impulse gets across
        }
}

static void take_state(exact *e) {
    jd_arena *a = e->arena;
    int n = e->plan.n, m = e->plan.m, sources = m + e->plan.n_drive + 2 * m;
    double **vectors[] = {&e->state.q,
                          &e->state.p,
                          &e->phase.x,
                          &e->phase.xd,
                          &e->scratch.xt,
                          &e->scratch.xdt,
                          &e->scratch.qt,
                          &e->scratch.pt,
                          &e->scratch.x1,
                          &e->scratch.xd1,
                          &e->scratch.acceleration,
                          &e->scratch.jerk};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = JD_TAKE(a, double, n);
    double **per_contact[] = {
        &e->phase.y,     &e->phase.w,     &e->box.b,        &e->box.low,          &e->box.high,
        &e->box.x,       &e->box.a,       &e->event.stamp,  &e->event.speed,      &e->event.jump,
        &e->state.slack, &e->state.force, &e->event.shaken, &e->event.shaken_rate};
    for (size_t i = 0; i < sizeof per_contact / sizeof *per_contact; i++)
        *per_contact[i] = JD_TAKE(a, double, m);
    e->state.contact = JD_TAKE(a, jd_contact_state, m);
    e->bases.key = JD_TAKE(a, char, m + 1);
    e->state.order = JD_TAKE(a, int, m);
    e->state.side = JD_TAKE(a, int, m);
    e->event.was = JD_TAKE(a, jd_contact_state, m);
    e->tangent.hit = JD_TAKE(a, int, m);
    e->event.touch = JD_TAKE(a, int, m);
    e->event.rest = JD_TAKE(a, bool, m);
    e->event.releasing = JD_TAKE(a, bool, m);
    e->event.kinetic = JD_TAKE(a, bool, m);
    e->dependent.had_slack = JD_TAKE(a, bool, m);
    e->dependent.frozen = JD_TAKE(a, bool, m);
    e->dependent.spanned = JD_TAKE(a, bool, 2 * m);
    e->dependent.apart = JD_TAKE(a, bool, m);
    e->dependent.unit = JD_TAKE(a, double, m);
    e->dependent.rows_left = JD_TAKE(a, double, m *n);
    e->event.soft = JD_TAKE(a, bool, m);
    e->box.tied = JD_TAKE(a, jd_bound, m);
    e->box.firm = JD_TAKE(a, jd_bound, m);
    jd_ties_take(e);
    e->box.set = JD_TAKE(a, int, m);
    e->box.bound = JD_TAKE(a, jd_bound, m);
    e->box.G = JD_TAKE(a, double, m *m);
    e->box.scratch = JD_TAKE(a, double, jd_forces_scratch(m) + 2 * m * m + 5 * m);
    e->event.queue = JD_TAKE(a, jd_event, 2 * m + 2);
    e->phase.guard = JD_TAKE(a, jd_guard, m);
    e->phase.guard_contact = JD_TAKE(a, int, m);
    e->ledger.sums = JD_TAKE(a, double, e->plan.n_drive + 3 * m);
    e->ledger.shown = JD_TAKE(a, double, e->plan.n_drive + 3 * m);
    e->ledger.kept = JD_TAKE(a, double, e->plan.n_drive + 3 * m);
    e->ledger.moment = JD_TAKE(a, double, POWERS *n);
    e->ledger.work = e->ledger.sums;
    e->ledger.contact_loss = e->ledger.work + e->plan.n_drive;
    e->ledger.impact_loss = e->ledger.contact_loss + m;
    e->ledger.belt_work = e->ledger.impact_loss + m;
    e->phase.source = JD_TAKE(a, double, sources);
    e->phase.source_rate = JD_TAKE(a, double, sources);
    e->phase.poly = JD_TAKE(a, double, POWERS *n);
    e->scratch.vector = JD_TAKE(a, double, 4 * n + 8);
    e->scratch.toward = JD_TAKE(a, double, n);
    e->scratch.local = JD_TAKE(a, double, (CHATTER_ORDER + 1) * n);
    int slots = 2 * n + e->plan.n_drive + 12 + resonance_room(n); // the largest a basis has, padded
    double **amplitudes[] = {&e->phase.re,    &e->phase.im,    &e->phase.re1,   &e->phase.im1,
                             &e->scratch.re2, &e->scratch.im2, &e->scratch.re3, &e->scratch.im3};
    for (size_t i = 0; i < sizeof amplitudes / sizeof *amplitudes; i++)
        *amplitudes[i] = JD_TAKE(a, double, 2 * slots);
}

jd_status jd_exact_plan(exact *e) {
    const jd_problem *p = e->run->problem;
    e->plan.system = jd_problem_system(p);
    e->plan.n = e->plan.system->modal.n;
    e->plan.m = jd_problem_contacts(p);
    e->plan.n_drive = jd_problem_drives(p);
    const jd_simulate_def *simulate = jd_problem_section(p, JD_SIMULATE, NULL);
    e->plan.budget = simulate->event_budget;
    e->plan.omega2 = JD_TAKE(e->arena, double, e->plan.n);
    e->plan.c = JD_TAKE(e->arena, double, e->plan.n);
    e->plan.G = JD_TAKE(e->arena, double, e->plan.m * e->plan.m);
    take_state(e);
    JD_TRY(jd_arena_status(e->arena));
    JD_TRY(read_contacts(e));
    JD_TRY(read_drives(e));
    read_modes(e);
    couple(e);
    JD_TRY(jd_judge_dependence(e));
    jd_plan_rate(e);
    e->state.margin = HUGE_VAL;
    return JD_OK;
}
