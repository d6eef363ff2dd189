// history.c -- a stretch of motion as plain arrays, from a run of the exact motion.
//   First pass: to the end, remembering the last events; it decides which stretch is shown. Second
//   pass: samples, evenly spaced, and two at every event (the last number before it, and at it). It
//   starts from the state that the first pass saved where the stretch was expected to begin.
#include <math.h>
#include <string.h>

#include "engine/engine.h"
#include "result/run/history/viewer.h"

// Points that nobody asked for by name are left out where the engine does not know them.
static jd_status probe_points(viewer *w, jd_run *run) {
    const jd_output_def *output = jd_problem_section(w->problem, JD_OUTPUT, NULL);
    jd_history *h = w->h;
    int known = 0;
    for (int i = 0, index; i < h->n_point; i++) {
        jd_status s = jd_run_probe(run, h->point[i].name, &index);
        if (s == JD_OK) w->point[known++] = w->point[i];
        if (s != JD_OK && (s != JD_NOT_SUPPORTED || output->points.n > 0)) return s;
        if (s != JD_OK) jd_context_clear_error(w->context);
    }
    h->n_point = known;
    return JD_OK;
}

// Modes beside infinitely many: of an orbit from rest first, then as one period leaves them. Where
// they are not known the motion is shown without.
static jd_status follow(viewer *w) {
    const jd_problem *finite = w->def->finite;
    if (!finite) return JD_OK;
    if (w->orbit && !w->saved.modes)
        w->saved.modes = JD_TAKE(w->arena, double, 2 * (size_t)jd_problem_system(finite)->modal.n);
    JD_TRY(jd_arena_status(w->arena));
    if (jd_run_follow(w->run, finite, w->saved.modes) != JD_OK) jd_context_clear_error(w->context);
    return JD_OK;
}

static jd_status close_round(viewer *w) {
    if (!w->saved.modes || jd_run_modes(w->run, NULL) == 0) return JD_OK;
    if (jd_run_follow_round(w->run, w->until, w->saved.modes) == JD_OK) return JD_OK;
    jd_context_clear_error(w->context);
    w->saved.no_modes = true;
    return JD_OK;
}

static jd_status create_run(viewer *w) {
    jd_run_free(w->run);
    w->run = NULL;
    JD_TRY(w->orbit ? jd_orbit_run(w->orbit, &w->run)
                    : jd_run_create(w->context, w->problem, &w->run));
    if (w->wants & JD_WANT_HORIZON) JD_TRY(jd_run_horizon(w->run));
    if (!w->saved.no_modes) JD_TRY(follow(w));
    return probe_points(w, w->run);
}

// To a time, remembering events.
static jd_status pass_to(viewer *w, double t, jd_step *step) {
    do {
        JD_TRY(jd_run_advance(w->run, t, step));
        if (*step == JD_STEP_EVENT) w->event[w->n_event++ % MARKED] = *jd_run_event(w->run);
    } while (*step == JD_STEP_EVENT);
    return JD_OK;
}

// The state where the stretch will begin if the run does not stop by itself. Engines without such
// states, and small changes, which are not part of them, are followed from the start once more.
static jd_status save_before(viewer *w, jd_step *step) {
    double at;
    bool chosen = w->h->subtitle || (w->wants & JD_WANT_LONG && isnan(w->from));
    if (chosen || w->wants & JD_WANT_HORIZON || !jd_run_state_size(w->run)) return JD_OK;
    if (w->saved.modes) return JD_OK; // these begin at rest in the first pass
    if (jd_viewer_stretch(w, w->until, &at) == WHOLE || !(at > w->begin)) return JD_OK;
    JD_TRY(pass_to(w, at, step));
    if (*step == JD_STEP_STOPPED) return JD_OK;
    w->saved.size = jd_run_state_size(w->run);
    w->saved.block = JD_TAKE(w->arena, char, w->saved.size);
    w->saved.t = at;
    JD_TRY(jd_arena_status(w->arena));
    if (jd_run_state_save(w->run, w->saved.block, w->saved.size) == JD_OK) return JD_OK;
    jd_context_clear_error(w->context);
    w->saved.block = NULL;
    return JD_OK;
}

static jd_status pass_to_end(viewer *w) {
    jd_step step = JD_STEP_TIME;
    JD_TRY(create_run(w));
    jd_run_report(w->run, &w->report);
    w->begin = w->report.t;
    JD_TRY(save_before(w, &step));
    if (step != JD_STEP_STOPPED) JD_TRY(pass_to(w, w->until, &step));
    JD_TRY(close_round(w));
    jd_run_report(w->run, &w->report);
    w->end = step == JD_STEP_STOPPED ? w->report.t : w->until;
    jd_ledger *l = &w->report.ledger; // its lists end with the run, and so does the note
    l->drive = l->contact = l->impact = l->belt = l->wear = NULL;
    if (w->report.note) w->report.note = jd_arena_text(w->arena, w->report.note);
    return JD_OK;
}

static void take_energy(viewer *w) {
    jd_history *h = w->h;
    jd_history_energy *e = w->energy = JD_TAKE(w->arena, jd_history_energy, 1);
    h->energy = e;
    if (!e) return;
    e->stored = JD_TAKE(w->arena, double, h->n);
    e->damping = JD_TAKE(w->arena, double, h->n);
    e->friction = JD_TAKE(w->arena, double, h->n);
    e->impacts = JD_TAKE(w->arena, double, h->n);
    e->supplied = JD_TAKE(w->arena, double, h->n);
}

static void take_arrays(viewer *w) {
    jd_history *h = w->h;
    for (int i = 0; i < h->n_point; i++) {
        w->point[i].u = JD_TAKE(w->arena, double, h->n);
        w->point[i].v = JD_TAKE(w->arena, double, h->n);
    }
    for (int j = 0; j < h->n_contact; j++) {
        jd_history_contact *c = &w->contact[j];
        c->u = JD_TAKE(w->arena, double, h->n);
        c->v = JD_TAKE(w->arena, double, h->n);
        c->force = JD_TAKE(w->arena, double, h->n);
        c->phase = JD_TAKE(w->arena, char, h->n + 1);
    }
    w->u = JD_TAKE(w->arena, double, h->n_point);
    w->v = JD_TAKE(w->arena, double, h->n_point);
    w->cu = JD_TAKE(w->arena, double, h->n_contact);
    w->cv = JD_TAKE(w->arena, double, h->n_contact);
    w->cf = JD_TAKE(w->arena, double, h->n_contact);
    for (int k = 0; k < h->n_slip; k++) w->slip[k].v = JD_TAKE(w->arena, double, h->n);
    if (w->wants & JD_WANT_ENERGY) take_energy(w);
    if (w->wants & JD_WANT_HORIZON) h->growth = JD_TAKE(w->arena, double, h->n);
}

// The arrays are this file's own until they are handed out.
static void put(const double *array, int i, double value) { ((double *)array)[i] = value; }

static void observe(viewer *w, jd_run *run, int i) {
    jd_history *h = w->h;
    jd_run_observe(run, h->t[i], w->u, w->v);
    jd_run_observe_contacts(run, h->t[i], w->cu, w->cv, w->cf);
    for (int k = 0; k < h->n_point; k++) {
        put(w->point[k].u, i, w->u[k]);
        put(w->point[k].v, i, w->v[k]);
    }
    const char *phase = jd_run_phase(run);
    for (int j = 0; j < h->n_contact; j++) {
        put(w->contact[j].u, i, w->cu[j]);
        put(w->contact[j].v, i, w->cv[j]);
        put(w->contact[j].force, i, w->cf[j]);
        ((char *)w->contact[j].phase)[i] = phase[j];
    }
    for (int k = 0; k < h->n_slip; k++) put(w->slip[k].v, i, jd_slip_at(run, &w->place[k]));
}

static void observe_report(viewer *w, jd_run *run, int i) {
    jd_energies now;
    const jd_history_energy *e = w->energy;
    if (!e && !w->h->growth) return;
    jd_run_energies(run, w->problem, &now);
    if (w->h->growth) put(w->h->growth, i, now.log_growth);
    if (!e) return;
    w->unknown = w->unknown || !now.known;
    put(e->stored, i, now.value[JD_ENERGY_KINETIC] + now.value[JD_ENERGY_STRAIN]);
    put(e->damping, i, now.value[JD_ENERGY_DAMPING]);
    put(e->friction, i, now.value[JD_ENERGY_FRICTION]);
    put(e->impacts, i, now.value[JD_ENERGY_IMPACTS]);
    put(e->supplied, i, now.value[JD_ENERGY_SUPPLIED]);
}

static jd_status pass_samples(viewer *w) {
    jd_history *h = w->h;
    if (w->saved.block && h->n > 0 && w->saved.t <= h->t[0])
        JD_TRY(jd_run_state_load(w->run, w->saved.block, w->saved.size));
    else
        JD_TRY(create_run(w));
    for (int i = 0; i < h->n; i++) {
        jd_step step = JD_STEP_EVENT;
        while (step == JD_STEP_EVENT) JD_TRY(jd_run_advance(w->run, h->t[i], &step));
        if (step == JD_STEP_STOPPED) { // the last instant of a run that was stopped
            h->n = i;
            break;
        }
        observe(w, w->run, i);
        observe_report(w, w->run, i);
        if (w->def->visit) w->def->visit(w->def->user, w->run, h, i);
    }
    return JD_OK;
}

static jd_status prepare(viewer *w) {
    const jd_problem *p = w->problem;
    jd_history *h = w->h;
    const jd_simulate_def *simulate = jd_problem_section(p, JD_SIMULATE, NULL);
    if (w->orbit)
        w->until = jd_orbit_look(w->orbit)->period;
    else
        JD_TRY(jd_problem_duration(p, &simulate->until, &w->until));
    if (!isnan(w->to)) w->until = fmin(w->until, w->to);
    h->title = jd_problem_title(p);
    h->si = jd_problem_is_si(p);
    h->period = w->orbit ? jd_orbit_look(w->orbit)->period : jd_problem_period(p);
    w->event = JD_TAKE(w->arena, jd_event, MARKED);
    JD_TRY(jd_viewer_contacts(w));
    JD_TRY(jd_viewer_points(w));
    return w->wants & JD_WANT_SLIP ? jd_viewer_slip(w) : JD_OK;
}

static jd_status look(viewer *w) {
    *w->h = (jd_history){0};
    JD_TRY(jd_problem_build(w->problem));
    JD_TRY(prepare(w));
    if (w->orbit)
        w->h->subtitle = jd_arena_format(w->arena, "one period of an orbit, %.6g%s", w->until,
                                         w->h->si ? " s" : "");
    else
        jd_viewer_start(w);
    JD_TRY(pass_to_end(w));
    if (w->wants & JD_WANT_KNOWN && w->report.no_energy) w->wants &= ~(unsigned)JD_WANT_ENERGY;
    if (w->wants & JD_WANT_ENERGY && w->report.no_energy)
        return jd_fail(w->context, JD_NOT_SUPPORTED, "there is no energy to draw: %s",
                       w->report.no_energy);
    jd_viewer_window(w);
    jd_viewer_events(w);
    JD_TRY(jd_viewer_times(w));
    take_arrays(w);
    JD_TRY(jd_arena_status(w->arena));
    JD_TRY(pass_samples(w));
    if (!w->unknown) return JD_OK;
    if (w->wants & JD_WANT_KNOWN) {
        w->h->energy = NULL;
        return JD_OK;
    }
    return jd_fail(w->context, JD_NOT_SUPPORTED,
                   "engine `%s` does not tell where all of the energy went", w->report.engine);
}

static jd_status look_and_end(viewer *w) {
    unsigned wants = w->def->wants;
    w->context = jd_arena_context(w->arena);
    w->wants = wants;
    w->samples = wants & JD_WANT_LONG ? LONG : w->def->samples > 0 ? w->def->samples : SAMPLES;
    jd_status s = look(w);
    jd_run_free(w->run);
    return s;
}

jd_status jd_history_report_run(jd_arena *arena, jd_problem *problem, const jd_history_def *def,
                                jd_history *out, jd_report *report) {
    bool whole = (def->wants & (JD_WANT_ENERGY | JD_WANT_HORIZON)) && !(def->wants & JD_WANT_KNOWN);
    viewer w = {.arena = arena,
                .problem = problem,
                .def = def,
                .h = out,
                .from = whole && isnan(def->from) ? 0 : def->from,
                .to = def->to,
                .asked_to = def->to};
    jd_status s = look_and_end(&w);
    *report = w.report;
    return s;
}

jd_status jd_history_of_run(jd_arena *arena, jd_problem *problem, double from, double to,
                            unsigned wants, jd_history *out) {
    const jd_history_def def = {.from = from, .to = to, .wants = wants};
    jd_report report;
    return jd_history_report_run(arena, problem, &def, out, &report);
}

jd_status jd_history_of_orbit(jd_arena *arena, jd_problem *problem, const jd_orbit *orbit,
                              const jd_history_def *def, jd_history *out) {
    viewer w = {.arena = arena,
                .problem = problem,
                .def = def,
                .orbit = orbit,
                .h = out,
                .to = (double)NAN,
                .asked_to = (double)NAN};
    return look_and_end(&w);
}
