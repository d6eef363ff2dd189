// engine.c -- the list of engines, and the run that carries one.
#include "engine/engine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/words.h"
#include "drive/kind.h"
#include "engine/choice.h"
#include "problem/interface.h"
#include "problem/parts.h"

static const jd_engine_class *const engines[] = {
    &jd_engine_exact,  &jd_engine_series,        &jd_engine_memory,  &jd_engine_wave,
    &jd_engine_taylor, &jd_engine_mode_matching, &jd_engine_closure, &jd_engine_convolution};
enum { ENGINES = sizeof engines / sizeof engines[0] };

static const jd_word stops[] = {JD_STOP_LIST(JD_WORD)};

const char *jd_stop_name(jd_stop k) { return jd_word_name(stops, JD_STOP_COUNT, (int)k); }
const char *jd_stop_text(jd_stop k) { return jd_word_text(stops, JD_STOP_COUNT, (int)k); }

int jd_engine_count(void) { return ENGINES; }
const jd_engine_info *jd_engine(int i) { return i >= 0 && i < ENGINES ? &engines[i]->info : NULL; }

static bool fits(const jd_problem *problem, unsigned only_for) {
    for (int i = 0; only_for && i < jd_problem_bodies(problem); i++)
        if (jd_structure_capabilities(jd_problem_structure(problem, i)) & only_for) return true;
    return !only_for;
}

static bool has_span(const jd_problem *problem) {
    for (int j = 0; j < jd_problem_contacts(problem); j++)
        if (!((const jd_contact_def *)jd_problem_contact(problem, j)->def)->at.point) return true;
    return false;
}

static bool travels(const jd_problem *problem) {
    for (int i = 0; i < jd_problem_drives(problem); i++)
        if (jd_problem_drive(problem, i)->type == &jd_drive_travelling) return true;
    return false;
}

// Why an engine cannot compute the problem; NULL: it can.
static const char *refusal(const jd_engine_class *c, const jd_problem *problem) {
    if (c->apart && jd_problem_connections(problem) > 0)
        return "bodies have common modes (`connections`)";
    if (c->apart && travels(problem)) return "a drive acts at several points (`travelling`)";
    return c->refuses(problem);
}

// When one is taken, *why tells why `auto` passed over the first; NULL when it did not.
// When none can do it, the reason is that of the engine asked for; of `auto` that of the first one,
// of the first on grids when a contact acts along a span, or of the first that may keep infinitely
// many modes when a body has them.
static const jd_engine_class *find(const jd_problem *problem, const char **why) {
    const jd_simulate_def *s = jd_problem_section(problem, JD_SIMULATE, NULL);
    bool automatic = !strcmp(s->engine, "auto"), spans = has_span(problem),
         infinite = jd_problem_infinite(problem), told = false, passed = false;
    *why = "there is no engine of that name";
    for (int i = 0; i < ENGINES; i++) {
        if (!automatic && strcmp(s->engine, engines[i]->info.name) != 0) continue;
        if (automatic && !fits(problem, engines[i]->only_for)) continue;
        const char *reason = refusal(engines[i], problem);
        if (!reason && automatic && engines[i]->yields) reason = engines[i]->yields(problem);
        if (!reason && !passed) *why = NULL;
        if (!reason) return engines[i];
        passed = true;
        if (!automatic || !told) *why = reason;
        told = told || (spans      ? engines[i]->interface != NULL
                        : infinite ? engines[i]->endless != NULL
                                   : true);
    }
    return NULL;
}

jd_status jd_engine_choose(const jd_problem *problem, const jd_engine_info **out,
                           const char **why) {
    const jd_engine_class *c = find(problem, why);
    *out = c ? &c->info : NULL;
    return c ? JD_OK : JD_NOT_SUPPORTED;
}

// "exact: a contact ...; memory: a body ...": what each engine misses that takes such structures.
static void reasons(const jd_problem *problem, char *text, size_t size) {
    size_t n = 0;
    for (int i = 0; i < ENGINES; i++) {
        if (!fits(problem, engines[i]->only_for)) continue;
        const char *reason = refusal(engines[i], problem);
        if (reason && n < size)
            n += (size_t)snprintf(text + n, size - n, "%s%s: %s", n ? "; " : "",
                                  engines[i]->info.name, reason);
    }
}

// "`series`, `wave`": the engines that can compute the problem.
static void able(const jd_problem *problem, char *text, size_t size) {
    size_t n = 0;
    for (int i = 0; i < ENGINES; i++)
        if (n < size && fits(problem, engines[i]->only_for) && !refusal(engines[i], problem))
            n += (size_t)snprintf(text + n, size - n, "%s`%s`", n ? ", " : "",
                                  engines[i]->info.name);
}

jd_status jd_engine_refuse(const jd_problem *problem, const char *why) {
    const jd_simulate_def *s = jd_problem_section(problem, JD_SIMULATE, NULL);
    char text[900] = "";
    jd_context *context = problem->context;
    if (strcmp(s->engine, "auto") != 0) {
        jd_fail(context, JD_NOT_SUPPORTED, "engine `%s` cannot compute this model: %s", s->engine,
                why);
        able(problem, text, sizeof text);
        jd_fail_hint(context, "%s%s`judder list engines` says what each engine can do",
                     text[0] ? "engines that can: " : "", text[0] ? strcat(text, "; ") : "");
    } else {
        reasons(problem, text, sizeof text);
        jd_fail(context, JD_NOT_SUPPORTED, "no engine can compute this model: %s", why);
        jd_fail_hint(context, "%s", text);
    }
    jd_fail_where(context, "simulate.engine");
    return JD_NOT_SUPPORTED;
}

static jd_status choose(jd_run *run) {
    const char *why;
    run->class = find(run->problem, &why);
    return run->class ? JD_OK : jd_engine_refuse(run->problem, why);
}

static jd_status create(jd_context *context, jd_problem *problem, const jd_run *before, bool lends,
                        jd_run **out) {
    *out = NULL;
    JD_TRY(jd_problem_build(problem));
    jd_arena *arena = jd_arena_create(context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_run *run = JD_TAKE(arena, jd_run, 1);
    int m = jd_problem_contacts(problem);
    char *phase = JD_TAKE(arena, char, m + 1);
    jd_contact_state *contact = JD_TAKE(arena, jd_contact_state, m + 1);
    jd_status status = jd_arena_status(arena);
    if (status == JD_OK) {
        *run = (jd_run){.context = context,
                        .problem = problem,
                        .arena = arena,
                        .contact = contact,
                        .phase = phase,
                        .lender = before};
        for (int j = 0; j < m; j++) contact[j] = JD_CONTACT_STATE_COUNT;
        const jd_simulate_def *s = jd_problem_section(problem, JD_SIMULATE, NULL);
        run->no_ledger = !s->ledger;
        run->waiting = jd_problem_start(problem)->type == &jd_start_restart;
        status = choose(run);
        if (status == JD_OK) {
            run->lends = lends && run->class == &jd_engine_exact;
            status = run->class->create(run);
        }
        if (status == JD_OK)
            *out = run;
        else if (run->class)
            run->class->free(run);
    }
    if (status != JD_OK) jd_arena_free(arena);
    return status;
}

jd_status jd_run_create(jd_context *context, jd_problem *problem, jd_run **out) {
    return create(context, problem, NULL, false, out);
}

jd_status jd_run_create_like(jd_context *context, jd_problem *problem, const jd_run *before,
                             jd_run **out) {
    return create(context, problem, before, true, out);
}

void jd_run_free(jd_run *run) {
    if (!run) return;
    run->class->free(run);
    jd_arena_free(run->arena);
}

static jd_status probe_at(jd_run *run, const char *point, int *index) {
    int body = 0;
    double position = 0;
    JD_TRY(jd_problem_position(run->problem, NULL, point, &body, &position));
    return run->class->probe_at(run, body, position, index);
}

jd_status jd_run_probe(jd_run *run, const char *point, int *index) {
    if (run->class->probe_at) return probe_at(run, point, index);
    if (run->class->probe_point) {
        int body, number;
        JD_TRY(jd_problem_find_point(run->problem, NULL, point, &body, &number));
        return run->class->probe_point(run, body, number, index);
    }
    const jd_system *system = jd_problem_system(run->problem);
    jd_dd *row = JD_TAKE(run->arena, jd_dd, system->modal.n);
    JD_TRY(jd_arena_status(run->arena));
    JD_TRY(jd_problem_row(run->problem, point, row));
    return run->class->probe(run, row, index);
}

jd_status jd_run_horizon(jd_run *run) {
    if (run->class->horizon) return run->class->horizon(run);
    return jd_fail(run->context, JD_NOT_SUPPORTED, "engine `%s` does not tell how errors grow",
                   run->class->info.name);
}

static jd_status not_offered(jd_run *run, const char *what) {
    return jd_fail(run->context, JD_NOT_SUPPORTED, "engine `%s` offers no %s",
                   run->class->info.name, what);
}

bool jd_run_can_track(const jd_run *run) { return run->class->track != NULL; }

bool jd_run_interface(jd_run *run, int contact, jd_interface_field *out) {
    return run->class->interface && run->class->interface(run, contact, out);
}

bool jd_run_body(jd_run *run, int body, jd_body_field *out) {
    return run->class->body && run->class->body(run, body, out);
}

jd_status jd_run_track(jd_run *run) {
    return run->class->track ? run->class->track(run) : not_offered(run, "extremes of contacts");
}

jd_status jd_run_ranges(jd_run *run, jd_contact_ranges *out) {
    return run->class->ranges ? run->class->ranges(run, out)
                              : not_offered(run, "extremes of contacts");
}

// An iteration that fails or a motion that leaves an engine's reach is no reason to throw away what
// was computed until then: the run stops there, and its note says what the error said.
static jd_status keep_motion(jd_run *run, jd_status status, jd_step *step) {
    bool unsolved = status == JD_NO_CONVERGENCE, beyond = status == JD_NOT_SUPPORTED;
    if ((!unsolved && !beyond) || !(run->t > run->begun)) return status;
    const jd_error *error = jd_context_error(run->context);
    snprintf(run->why, sizeof run->why, "%s%s%s", error->message[0] ? error->message : "no reason",
             error->hint[0] ? "; " : "", error->hint);
    jd_context_clear_error(run->context);
    run->stop = unsolved ? JD_STOP_NO_CONVERGENCE : JD_STOP_BEYOND_ENGINE;
    return jd_run_stopped(run, run->t, step);
}

jd_status jd_run_failed(jd_run *run, double t, jd_status status) {
    run->t = fmax(run->t, t);
    return status;
}

jd_status jd_run_advance(jd_run *run, double t_stop, jd_step *step) {
    if (run->waiting)
        return jd_fail(run->context, JD_BAD_ARGUMENT,
                       "the run goes on from an earlier one: its state must be loaded first");
    if (run->why[0]) return jd_run_stopped(run, run->t, step);
    return keep_motion(run, run->class->advance(run, t_stop, step), step);
}

void jd_run_set_state(jd_run *run, int contact, jd_contact_state state) {
    run->contact[contact] = state;
}

void jd_run_set_event(jd_run *run, double t, int contact, int cell, jd_contact_state from,
                      jd_contact_state to) {
    run->event = (jd_event){.t = t, .contact = contact, .from = from, .to = to, .cell = cell};
}

const jd_event *jd_run_event(const jd_run *run) { return &run->event; }
const char *jd_run_phase(const jd_run *run) {
    for (int j = 0; j < jd_problem_contacts(run->problem); j++) {
        bool known = run->contact[j] != JD_CONTACT_STATE_COUNT;
        run->phase[j] = (char)(known ? jd_contact_letter(run->contact[j]) : '\0');
    }
    return run->phase;
}

jd_phase jd_run_contacts(const jd_run *run) {
    jd_phase p = {.n = jd_problem_contacts(run->problem)};
    if (p.n > JD_PHASE_CONTACTS) p.n = JD_PHASE_CONTACTS;
    memcpy(p.of, run->contact, (size_t)p.n * sizeof *p.of);
    return p;
}
void jd_run_observe(jd_run *run, double t, double *u, double *v) {
    run->class->observe(run, t, u, v);
}

void jd_run_observe_contacts(jd_run *run, double t, double *u, double *v, double *force) {
    run->class->observe_contacts(run, t, u, v, force);
}

bool jd_run_observe_normals(jd_run *run, double t, double *p, double *N) {
    if (run->class->observe_normals) run->class->observe_normals(run, t, p, N);
    return run->class->observe_normals != NULL;
}

int jd_run_modal_size(const jd_run *run) {
    const jd_engine_map *map = &run->class->map;
    int n = map->coordinates ? map->coordinates(run) : 0;
    return n > 0 && map->modes && map->modes(run, NULL) != n ? 0 : n;
}

void jd_run_modal_state(jd_run *run, double *out) { run->class->map.state(run, out); }

jd_status jd_run_follow(jd_run *run, const jd_problem *finite, const double *from) {
    if (!run->class->endless) return not_offered(run, "motion between contact points");
    return run->class->endless->begin(run, finite, from);
}

jd_status jd_run_follow_round(jd_run *run, double period, double *out) {
    return run->class->endless->round(run, period, out);
}

int jd_run_modes(jd_run *run, double *out) {
    int followed = run->class->endless ? run->class->endless->modes(run, out) : 0;
    if (followed > 0) return followed;
    const jd_engine_map *map = &run->class->map;
    int n = jd_run_modal_size(run);
    if (n == 0) return map->coordinates && map->modes ? map->modes(run, out) : 0;
    if (out) jd_run_modal_state(run, out);
    return n;
}

void jd_run_report(jd_run *run, jd_report *report) {
    *report = (jd_report){.engine = run->class->info.name, .t = run->t, .stop = run->stop};
    run->class->report(run, report);
    if (run->why[0]) report->note = run->why;
}

bool jd_run_next_event(jd_run *run, double t, const jd_event *queue, int *n, int *next,
                       jd_step *step) {
    if (*next >= *n) return false;
    run->event = queue[(*next)++];
    run->t = t;
    if (*next == *n) *n = *next = 0;
    *step = JD_STEP_EVENT;
    return true;
}

jd_status jd_run_stopped(jd_run *run, double t, jd_step *step) {
    run->t = fmax(run->t, t);
    *step = JD_STEP_STOPPED;
    return JD_OK;
}

jd_status jd_run_reached(jd_run *run, double t_stop, jd_step *step) {
    run->t = t_stop;
    *step = JD_STEP_TIME;
    return JD_OK;
}

jd_status jd_run_inside_stop(jd_run *run, int j, double u, double gap, bool both, double slack) {
    if (u <= gap + slack && (!both || u >= -gap - slack)) return JD_OK;
    const char *name = jd_problem_contact(run->problem, j)->name;
    jd_fail(run->context, JD_OUT_OF_RANGE, "contact `%s` starts %.6g beyond its stop at %.6g", name,
            u > gap ? u - gap : -gap - u, u > gap ? gap : -gap);
    jd_fail_where(run->context, "contacts.%s.law.gap", name);
    jd_fail_hint(run->context,
                 "start inside the gap, make it larger, or let `start: static` rest on the stop");
    return JD_OUT_OF_RANGE;
}
