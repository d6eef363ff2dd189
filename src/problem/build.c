// build.c -- from definitions to structures, rows and frequencies; only what is out of date.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/constants.h"
#include "contact/law.h"
#include "drive/kind.h"
#include "problem/connections/connections.h"
#include "problem/contacts/contacts.h"
#include "problem/parts.h"

static jd_status build_body(jd_problem *p, jd_part *body) {
    if (body->structure && !body->stale) return JD_OK;
    jd_structure *fresh = NULL;
    jd_status s = jd_structure_create(p->context, body->object.type, body->object.def, &fresh);
    if (s != JD_OK) {
        char path[256];
        jd_body_path(body, path, sizeof path);
        jd_fail_where(p->context, "%s", path);
        return s;
    }
    if (body->structure) jd_structure_free(body->structure);
    body->structure = fresh;
    body->stale = false;
    body->fresh = true;
    return JD_OK;
}

// A row as good as zero beside the largest participation of the bodies' points.
bool jd_problem_row_is_zero(const jd_problem *p, const jd_dd *row) {
    double largest = 0, scale = 0;
    for (int k = 0; k < p->system.modal.n; k++) largest = fmax(largest, fabs(row[k].hi));
    for (int b = 0; b < p->bodies.n; b++) {
        const jd_structure *s = p->bodies.part[b]->structure;
        for (int k = 0; k < s->n_point * s->modal.n; k++) scale = fmax(scale, fabs(s->row[k].hi));
    }
    return largest <= 1e-13 * scale;
}

// What two points of a body share of a rigid-body mode, up to the rounding of its shapes, is
// nothing their contact could hold: a share of 1e-16 would make an oscillation of 1e-16 rad/s of
// it.
void jd_problem_add_row(const jd_problem *p, int body, const jd_dd *from, double sign, jd_dd *row) {
    const jd_structure *s = p->bodies.part[body]->structure;
    jd_dd *to = row + p->system.own[body];
    for (int k = 0; k < s->modal.n; k++) {
        to[k] = dd_add(to[k], dd_scale(from[k], sign));
        if (s->modal.omega2[k].hi == 0 && fabs(to[k].hi) <= 1e-13 * fabs(from[k].hi)) to[k] = dd(0);
    }
}

static void add_point(const jd_problem *p, int body, int point, double sign, jd_dd *row) {
    const jd_structure *s = p->bodies.part[body]->structure;
    jd_problem_add_row(p, body, s->row + (size_t)point * (size_t)s->modal.n, sign, row);
}

jd_status jd_problem_row(const jd_problem *p, const char *point, jd_dd *out) {
    jd_direction d;
    JD_TRY(jd_problem_find_direction(p, NULL, point, &d));
    for (int k = 0; k < p->system.modal.n; k++) out[k] = dd(0);
    for (int i = 0; i < d.n; i++) add_point(p, d.body, d.point[i], d.weight[i], out);
    return jd_system_turn(p, out);
}

// A force at a point that the reduction of its body does not complete: once per point and body.
static void warn_outside(const jd_problem *p, int body, int point) {
    jd_structure *s = p->bodies.part[body]->structure;
    if (!p->bodies.part[body]->fresh || !s->outside || !(s->outside[point] < 0.999)) return;
    jd_log(
        p->context, JD_LOG_WARNING,
        "a force acts at `%s`, which is not of the `interface`: the modes kept have only %.4g %% "
        "of the static flexibility there, which is too stiff; add it to the interface",
        s->point_name[point], 100 * s->outside[point]);
    s->outside[point] = (double)NAN;
}

jd_status jd_problem_add_place(jd_problem *p, const char *body_name, const char *point, double sign,
                               jd_dd *row) {
    jd_direction d;
    JD_TRY(jd_problem_find_direction(p, body_name, point, &d));
    for (int i = 0; i < d.n; i++) {
        add_point(p, d.body, d.point[i], sign * d.weight[i], row);
        warn_outside(p, d.body, d.point[i]);
    }
    return JD_OK;
}

static jd_status base_row(jd_problem *p, const jd_place *at, jd_dd *row) {
    int only = -1;
    if (at->body) JD_TRY(jd_problem_find_body(p, at->body, &only));
    for (int b = 0; b < p->bodies.n; b++) {
        if (only >= 0 && b != only) continue;
        const jd_structure *s = p->bodies.part[b]->structure;
        if (!s->base) {
            jd_fail(
                p->context, JD_NOT_SUPPORTED,
                "the supports of a `%s` cannot be driven: how its dofs move with them is not known",
                p->bodies.part[b]->object.type->name);
            jd_fail_hint(p->context,
                         jd_type_param(p->bodies.part[b]->object.type, "base")
                             ? "say in which direction they move, e.g. `base: [0, 0, 1]` in the "
                               "structure (its rows must have names), or give the column `base` of "
                               "`vectors`"
                             : "drive it by forces instead (`of: force`)");
            return JD_NOT_SUPPORTED;
        }
        for (int k = 0; k < s->modal.n; k++) // seen from the supports: -a(t) on every mass
            row[p->system.own[b] + k] = dd_neg(s->base[k]);
    }
    return JD_OK;
}

// Share of every point in a travelling drive.
static jd_status travelling_row(jd_problem *p, const jd_object *o, jd_dd *row) {
    const jd_travelling_def *d = o->def;
    for (int j = 0; j < d->points.n; j++)
        JD_TRY(jd_problem_add_place(p, NULL, d->points.text[j],
                                    jd_drive_travelling_share(o->type, d, j), row));
    return JD_OK;
}

static bool travels(const jd_object *o) {
    return o->type == &jd_drive_travelling || o->type == &jd_drive_quadrature;
}

static jd_status drive_row(jd_problem *p, int i) {
    const jd_object *o = &p->drives.part[i]->object;
    const jd_drive_place *d = o->def;
    if (!travels(o) && d->of != JD_DRIVE_BASE && jd_place_is_span(&d->at))
        return jd_problem_check_place(p, &d->at); // the row stays NULL
    jd_dd *row = p->system.drive[i] = JD_TAKE(p->built, jd_dd, p->system.modal.n);
    if (!row) return JD_OUT_OF_MEMORY;
    if (travels(o))
        JD_TRY(travelling_row(p, o, row));
    else
        JD_TRY(d->of == JD_DRIVE_BASE ? base_row(p, &d->at, row)
                                      : jd_problem_add_place(p, d->at.body, d->at.point, 1, row));
    // The second part of a travelling drive is 0 where all points are in phase.
    if (o->type != &jd_drive_quadrature && p->system.modal.n > 0 && jd_problem_row_is_zero(p, row))
        jd_log(p->context, JD_LOG_WARNING, "the drive `%s` acts at a place that no mode moves",
               p->drives.part[i]->object.name);
    return jd_system_turn(p, row);
}

static jd_status named(jd_problem *p, jd_status s, const char *section, const jd_part *part) {
    if (s != JD_OK) jd_fail_where(p->context, "%s.%s", section, part->object.name);
    return s;
}

// C - rate I: Rayleigh's law stays one, and so do the others.
static void pump(double rate, jd_modal *m) {
    if (rate == 0) return;
    if (m->law == JD_DAMPING_NONE) m->law = JD_DAMPING_RAYLEIGH;
    if (m->law == JD_DAMPING_RAYLEIGH) m->alpha -= rate;
    for (int k = 0; k < m->n; k++) {
        m->c[k] -= rate;
        if (m->C) m->C[(size_t)k * (size_t)(m->n + 1)] -= rate;
    }
}

void jd_problem_pump(jd_problem *p, double rate) {
    if (p->pump == rate) return;
    p->pump = rate;
    jd_problem_forget_rows(p);
}

static jd_status build_rows(jd_problem *p) {
    p->built = jd_arena_create(p->context);
    if (!p->built) return JD_OUT_OF_MEMORY;
    JD_TRY(jd_system_join(p));
    JD_TRY(jd_connections_join(p));
    pump(p->pump, &p->system.modal);
    jd_system *y = &p->system;
    y->n_contact = p->contacts.n;
    y->n_drive = p->drives.n;
    y->contact = JD_TAKE(p->built, jd_dd *, y->n_contact);
    y->normal = JD_TAKE(p->built, jd_dd *, y->n_contact);
    y->cells = JD_TAKE(p->built, jd_cells, y->n_contact);
    y->drive = JD_TAKE(p->built, jd_dd *, y->n_drive);
    if (!y->contact || !y->normal || !y->cells || !y->drive) return JD_OUT_OF_MEMORY;
    for (int i = 0; i < y->n_contact; i++)
        JD_TRY(named(p, jd_contact_rows(p, i), "contacts", p->contacts.part[i]));
    for (int i = 0; i < y->n_contact; i++)
        JD_TRY(named(p, jd_contact_check(p, i), "contacts", p->contacts.part[i]));
    for (int i = 0; i < y->n_drive; i++)
        JD_TRY(named(p, drive_row(p, i), "drives", p->drives.part[i]));
    return JD_OK;
}

// The body a drive acts on, for {times, mode}.
static jd_status driven_body(const jd_problem *p, const jd_object *o, int *body) {
    int point;
    jd_direction along;
    const jd_drive_place *d = o->def;
    if (travels(o)) {
        const jd_travelling_def *t = o->def;
        return jd_problem_find_point(p, NULL, t->points.text[0], body, &point);
    }
    if (d->at.point) {
        JD_TRY(jd_problem_find_direction(p, d->at.body, d->at.point, &along));
        *body = along.body;
        return JD_OK;
    }
    if (d->at.body) return jd_problem_find_body(p, d->at.body, body);
    *body = 0;
    return JD_OK;
}

static jd_status resolve_frequency(jd_problem *p, jd_part *drive) {
    const jd_frequency *f = jd_drive_frequency(&drive->object);
    drive->omega = 0;
    if (!f) return JD_OK;
    drive->omega = f->value;
    if (f->mode <= 0) return JD_OK;
    int body;
    JD_TRY(driven_body(p, &drive->object, &body));
    const jd_modal *modal = &p->bodies.part[body]->structure->modal;
    if (p->system.turn) modal = &p->system.modal;
    drive->omega = 0;
    if (f->mode > modal->n)
        return jd_fail(p->context, JD_OUT_OF_RANGE,
                       "`frequency.mode` is %d, but the structure has %d modes", f->mode, modal->n);
    if (f->mode > modal->n - modal->n_static)
        return jd_fail(p->context, JD_OUT_OF_RANGE,
                       "`frequency.mode` is %d, a static shape and no mode: the structure keeps %d "
                       "modes",
                       f->mode, modal->n - modal->n_static);
    double omega = dd_value(dd_sqrt(modal->omega2[f->mode - 1]));
    if (omega > 0) {
        drive->omega = f->times * omega;
        return JD_OK;
    }
    jd_fail(p->context, JD_OUT_OF_RANGE, "`frequency.mode` is %d, a rigid-body mode of frequency 0",
            f->mode);
    jd_fail_hint(p->context, "rigid-body modes are counted, too: name the first elastic mode");
    return JD_OUT_OF_RANGE;
}

jd_status jd_problem_build(jd_problem *p) {
    if (p->current) return JD_OK;
    if (p->bodies.n == 0) return jd_fail(p->context, JD_MISSING_KEY, "the model has no structure");
    for (int i = 0; i < p->bodies.n; i++) {
        if (p->bodies.part[i]->stale) jd_problem_forget_rows(p);
        JD_TRY(build_body(p, p->bodies.part[i]));
    }
    if (!p->built) {
        jd_status s = build_rows(p);
        if (s != JD_OK) {
            jd_problem_forget_rows(p);
            return s;
        }
    }
    for (int i = 0; i < p->drives.n; i++)
        JD_TRY(named(p, resolve_frequency(p, p->drives.part[i]), "drives", p->drives.part[i]));
    JD_TRY(jd_contacts_preloaded(p, &p->preloaded));
    JD_TRY(jd_problem_check_start(p));
    for (int i = 0; i < p->bodies.n; i++) p->bodies.part[i]->fresh = false;
    p->current = true;
    return JD_OK;
}

const jd_structure *jd_problem_structure(const jd_problem *p, int body) {
    return body >= 0 && body < p->bodies.n ? p->bodies.part[body]->structure : NULL;
}

double jd_problem_drive_frequency(const jd_problem *p, int drive) {
    return drive >= 0 && drive < p->drives.n ? p->drives.part[drive]->omega : 0;
}

double jd_problem_swing(const jd_problem *p, int contact) {
    const jd_contact_def *c = p->contacts.part[contact]->object.def;
    if (!p->built || !(jd_law_traits(&c->law) & JD_LAW_SWING)) return 0;
    jd_arena_mark mark = jd_arena_here(p->built);
    jd_element e;
    jd_status status = jd_law_element_of(p->built, &c->law, &e);
    jd_arena_rewind(p->built, mark);
    return status == JD_OK && e.swing != 0 ? e.swing_omega : 0;
}

bool jd_problem_repeats(const jd_problem *p, double period) {
    for (int i = 0; i < p->drives.n + p->contacts.n; i++) {
        bool drive = i < p->drives.n;
        double omega = drive ? p->drives.part[i]->omega : jd_problem_swing(p, i - p->drives.n);
        double cycles = omega * period / JD_TWO_PI;
        if (!(fabs(cycles - round(cycles)) <= 1e-9 * cycles)) return false;
    }
    return true;
}

double jd_problem_period(const jd_problem *p) {
    double slowest = 0;
    for (int i = 0; i < p->drives.n; i++) {
        double omega = p->drives.part[i]->omega;
        if (omega > 0 && (slowest == 0 || omega < slowest)) slowest = omega;
    }
    for (int i = 0; i < p->contacts.n; i++) {
        double omega = jd_problem_swing(p, i);
        if (omega > 0 && (slowest == 0 || omega < slowest)) slowest = omega;
    }
    double period = slowest > 0 ? JD_TWO_PI / slowest : 0;
    for (int i = 0; i < p->bodies.n; i++) { // models that depend on time by themselves
        const jd_structure *s = p->bodies.part[i]->structure;
        if (s && s->period > period) period = s->period;
    }
    return period;
}

jd_status jd_problem_duration(const jd_problem *p, const jd_duration *duration, double *seconds) {
    double period = duration->periods ? jd_problem_period(p) : 1;
    *seconds = duration->value * period;
    if (period > 0) return JD_OK;
    jd_fail(p->context, JD_NOT_SUPPORTED,
            "a time of %.10g periods needs a harmonic drive, and the model has none",
            duration->value);
    jd_fail_hint(p->context, "give a time in seconds");
    return JD_NOT_SUPPORTED;
}
