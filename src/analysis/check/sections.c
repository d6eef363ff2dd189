// sections.c -- what the sections of a model ask for, looked at before anything is computed:
//   names of points, measures and numbers, and whether an engine can.
#include "analysis/check/sections.h"

#include <string.h>

#include "analysis/follow/functions.h"
#include "analysis/measure/measure.h"
#include "analysis/nsm/nsm.h"
#include "contact/law.h"
#include "drive/kind.h"
#include "engine/choice.h"
#include "judder/nsm.h"
#include "judder/run.h"
#include "judder/sweep.h"
#include "problem/parts.h"

static jd_status check_output(const jd_problem *p) {
    const jd_output_def *o = jd_problem_section(p, JD_OUTPUT, NULL);
    for (int i = 0; i < o->points.n; i++) {
        jd_direction along;
        jd_status s = jd_problem_find_direction(p, NULL, o->points.text[i], &along);
        if (s != JD_OK) jd_fail_where(p->context, "output.points");
        JD_TRY(s);
    }
    return JD_OK;
}

static jd_status check_measure(jd_problem *p, const char *key, const char *text) {
    jd_measure read;
    return text ? jd_measure_read(p->arena, p, key, text, &read) : JD_OK;
}

static jd_status check_number(const jd_problem *p, const char *key, const char *path) {
    double value;
    jd_status s = path ? jd_problem_get(p, path, &value) : JD_OK;
    if (s != JD_OK) jd_fail_where(p->context, "%s", key);
    return s;
}

static jd_status sweep_names(jd_problem *p) {
    bool given;
    const jd_sweep_def *d = jd_problem_section(p, JD_SWEEP, &given);
    return given ? check_measure(p, "sweep.measure", d->measure) : JD_OK;
}

static jd_status follow_names(jd_problem *p) {
    bool given;
    const jd_follow_def *d = jd_problem_section(p, JD_FOLLOW, &given);
    if (!given) return JD_OK;
    JD_TRY(check_measure(p, "follow.measure", d->measure));
    for (int i = 0; i < d->also.n; i++) JD_TRY(check_measure(p, "follow.also", d->also.text[i]));
    return jd_functions_check(p, &d->functions, &d->stop);
}

jd_status jd_check_names(jd_problem *p) {
    JD_TRY(check_output(p));
    JD_TRY(sweep_names(p));
    return follow_names(p);
}

jd_status jd_check_engine(const jd_problem *p) {
    const jd_engine_info *info;
    const char *why = NULL;
    if (jd_engine_choose(p, &info, &why) == JD_OK) return JD_OK;
    return jd_engine_refuse(p, why);
}

// Periodic motion needs drives that repeat.
static jd_status check_drives(const jd_problem *p) {
    for (int i = 0; i < jd_problem_drives(p); i++) {
        const jd_object *d = jd_problem_drive(p, i);
        if (d->type == &jd_drive_constant || jd_drive_frequency(d)) continue;
        jd_fail(p->context, JD_NOT_SUPPORTED, "drive `%s` (%s) does not repeat", d->name,
                d->type->name);
        jd_fail_where(p->context, "drives.%s", d->name);
        return JD_NOT_SUPPORTED;
    }
    return JD_OK;
}

// A contact of several cells that are rigid while stuck or closed; NULL: there is none.
static const jd_object *rigid_cells(jd_problem *p) {
    const jd_system *y = jd_problem_system(p);
    for (int j = 0; j < y->n_contact; j++) {
        const jd_object *o = jd_problem_contact(p, j);
        jd_element e;
        if (!y->cells[j].position) continue;
        if (jd_law_element_of(p->arena, &((const jd_contact_def *)o->def)->law, &e) != JD_OK)
            continue;
        if (e.normal && !(e.kn > 0)) return o;
        for (int i = 0; i < e.sliders; i++)
            if (!(e.stiffness[i] > 0)) return o;
    }
    return NULL;
}

static bool by_series(jd_problem *p) {
    const jd_engine_info *engine = NULL;
    const char *why;
    return jd_engine_choose(p, &engine, &why) == JD_OK && !strcmp(engine->name, "series");
}

// Rigid cells of engine series have no orbits.
static jd_status check_cells(jd_problem *p) {
    const jd_object *rigid = by_series(p) ? rigid_cells(p) : NULL;
    if (!rigid) return JD_OK;
    jd_fail(p->context, JD_NOT_SUPPORTED,
            "orbits of a contact along a span or at several points need a `stiffness` of its law");
    jd_fail_where(p->context, "contacts.%s", rigid->name);
    jd_fail_hint(p->context, "give it a `stiffness`, or write the contacts one by one");
    return JD_NOT_SUPPORTED;
}

static jd_status check_no_cells(jd_problem *p) {
    if (!by_series(p) || !jd_system_has_cells(jd_problem_system(p))) return JD_OK;
    jd_fail(p->context, JD_NOT_SUPPORTED,
            "backbones of contacts along spans or at several points are not offered");
    jd_fail_hint(p->context, "write the contacts one by one");
    return JD_NOT_SUPPORTED;
}

static jd_status would_run(jd_problem *p) {
    const jd_simulate_def *s = jd_problem_section(p, JD_SIMULATE, NULL);
    double until;
    JD_TRY(check_output(p));
    JD_TRY(jd_problem_duration(p, &s->until, &until));
    return jd_check_engine(p);
}

static jd_status would_sweep(jd_problem *p) {
    jd_sweep *sweep = NULL;
    JD_TRY(check_cells(p));
    JD_TRY(check_drives(p));
    jd_status s = jd_sweep_create(p->context, p, &sweep);
    jd_sweep_free(sweep);
    return s;
}

static jd_status would_follow(jd_problem *p) {
    const jd_follow_def *d = jd_problem_section(p, JD_FOLLOW, NULL);
    JD_TRY(check_cells(p));
    JD_TRY(check_drives(p));
    JD_TRY(check_number(p, "follow.parameter", d->parameter));
    return follow_names(p);
}

static jd_status would_nsm(jd_problem *p) {
    jd_nsm_options options;
    JD_TRY(jd_nsm_options_of(p, &options));
    return jd_nsm_check(p);
}

static jd_status would_fit(jd_problem *p) {
    const jd_fit_def *d = jd_problem_section(p, JD_FIT, NULL);
    for (int i = 0; i < d->parameters.n; i++)
        JD_TRY(check_number(p, "fit.parameters", d->parameters.text[i]));
    return JD_OK;
}

static jd_status would_orbit(jd_problem *p) {
    const jd_orbit_def *d = jd_problem_section(p, JD_ORBIT, NULL);
    double settle;
    JD_TRY(check_cells(p));
    JD_TRY(check_drives(p));
    JD_TRY(jd_problem_duration(p, &d->settle, &settle));
    return jd_check_engine(p);
}

static jd_status would_backbone(jd_problem *p) {
    const jd_backbone_def *d = jd_problem_section(p, JD_BACKBONE, NULL);
    jd_direction along;
    JD_TRY(check_no_cells(p));
    for (int j = 0; d->at && j < jd_problem_contacts(p); j++)
        if (!strcmp(jd_problem_contact(p, j)->name, d->at)) return JD_OK;
    if (!d->at) return JD_OK;
    jd_status s = jd_problem_find_direction(p, NULL, d->at, &along);
    if (s != JD_OK) jd_fail_where(p->context, "backbone.at");
    return s;
}

// The failure of the context, kept in the arena.
static jd_status keep(jd_problem *p, jd_arena *arena, jd_error *out) {
    const jd_error *e = jd_context_error(p->context);
    *out = (jd_error){.status = e->status,
                      .message = jd_arena_text(arena, e->message),
                      .where = jd_arena_text(arena, e->where),
                      .hint = jd_arena_text(arena, e->hint)};
    jd_context_clear_error(p->context);
    return jd_arena_status(arena);
}

jd_status jd_check_verbs(jd_problem *p, jd_arena *arena, jd_verb_check out[JD_VERB_CHECKS]) {
    static const struct {
        const char *verb;
        jd_section section;
        jd_status (*would)(jd_problem *p);
    } verbs[JD_VERB_CHECKS] = {
        {"run", JD_SIMULATE, would_run},  {"orbit", JD_ORBIT, would_orbit},
        {"sweep", JD_SWEEP, would_sweep}, {"follow", JD_FOLLOW, would_follow},
        {"nsm", JD_NSM, would_nsm},       {"backbone", JD_BACKBONE, would_backbone},
        {"fit", JD_FIT, would_fit}};
    for (int i = 0; i < JD_VERB_CHECKS; i++) {
        jd_verb_check *c = &out[i];
        *c = (jd_verb_check){.verb = verbs[i].verb};
        jd_problem_section(p, verbs[i].section, &c->given);
        if (c->given && verbs[i].would(p) != JD_OK) JD_TRY(keep(p, arena, &c->refusal));
    }
    return JD_OK;
}
