// history.c -- a stretch of motion as plain arrays, from a run of the exact motion.
//   First pass: to the end, remembering the last events; it decides which stretch is shown. Second
//   pass: samples, evenly spaced, and two at every event (the last number before it, and at it).
#include <math.h>
#include <string.h>

#include "drive/kind.h"
#include "result/result.h"
#include "result/run/slip.h"

enum {
    SAMPLES = 1800,   // evenly spaced
    LONG = 16384,     // of a long stretch, about
    MARKED = 4096,    // events remembered
    LAST_PERIODS = 3, // of the drive
    MODE_PERIODS = 12 // of the slowest mode, without a drive
};

typedef struct viewer {
    jd_arena *arena;
    jd_context *context;
    jd_problem *problem;
    const jd_orbit *orbit; // one period of it instead of the problem's run; NULL: the run
    unsigned wants;
    jd_slip_place *place; // n_slip of the history
    jd_history *h;
    jd_history_point *point, *slip; // those of the history, to be filled
    jd_history_contact *contact;
    jd_history_energy *energy;    // NULL: not wanted
    jd_event *event;              // ring of the last MARKED
    long n_event;                 // of the whole run until `end`
    double from, to;              // shown [s]
    double asked_to;              // NaN: the end of the run
    double begin, until, end;     // of the run: at its start, as asked for, as reached
    double *u, *v, *cu, *cv, *cf; // one observation
    jd_report report;
    bool unknown; // part of the energies is
    int samples;  // evenly spaced
} viewer;

// A point's name as probes take it.
static const char *place_name(jd_arena *arena, const jd_place *place) {
    if (!place->point || !place->body || !place->body[0]) return place->point;
    return jd_arena_format(arena, "%s.%s", place->body, place->point);
}

static void add_point(viewer *w, const char *name) {
    jd_history *h = w->h;
    if (!name) return;
    for (int i = 0; i < h->n_point; i++)
        if (strcmp(w->point[i].name, name) == 0) return;
    w->point[h->n_point++].name = name;
}

// Points of the model's output; without any those of contacts and drives.
static jd_status choose_points(viewer *w) {
    const jd_problem *p = w->problem;
    const jd_output_def *output = jd_problem_section(p, JD_OUTPUT, NULL);
    int contacts = jd_problem_contacts(p), drives = jd_problem_drives(p);
    w->point = JD_TAKE(w->arena, jd_history_point, output->points.n + contacts + drives);
    w->h->point = w->point;
    JD_TRY(jd_arena_status(w->arena));
    for (int i = 0; i < output->points.n; i++) add_point(w, output->points.text[i]);
    if (output->points.n) return JD_OK;
    for (int j = 0; j < contacts; j++) {
        const jd_contact_def *c = jd_problem_contact(p, j)->def;
        add_point(w, place_name(w->arena, &c->at));
    }
    for (int d = 0; d < drives; d++) {
        const jd_drive_place *drive = jd_problem_drive(p, d)->def;
        add_point(w, place_name(w->arena, &drive->at));
    }
    return jd_arena_status(w->arena);
}

static jd_status choose_slip(viewer *w) {
    jd_history *h = w->h;
    const char **name = JD_TAKE(w->arena, const char *, h->n_point);
    w->place = JD_TAKE(w->arena, jd_slip_place, h->n_point);
    h->slip = w->slip = JD_TAKE(w->arena, jd_history_point, h->n_point);
    JD_TRY(jd_arena_status(w->arena));
    for (int i = 0; i < h->n_point; i++) name[i] = h->point[i].name;
    h->n_slip = jd_slip_places(w->problem, h->n_point, name, w->place);
    for (int k = 0; k < h->n_slip; k++) w->slip[k].name = w->place[k].name;
    if (h->n_slip > 0) return JD_OK;
    jd_fail(w->context, JD_NOT_SUPPORTED,
            "no point of `output.points` lies on a contact that acts "
            "along a span");
    jd_fail_hint(w->context, "name one: `output: {points: [pile.tip]}`");
    return JD_NOT_SUPPORTED;
}

// Names, limits and gaps of the contacts.
static jd_status take_contacts(viewer *w) {
    const jd_contact_result *c;
    jd_history *h = w->h;
    h->n_contact = h->n_name = jd_problem_contacts(w->problem);
    h->contact = w->contact = JD_TAKE(w->arena, jd_history_contact, h->n_contact);
    JD_TRY(jd_contacts_of(w->arena, w->problem, NULL, &c, &h->contact_name));
    for (int j = 0; j < h->n_contact; j++) {
        w->contact[j] = (jd_history_contact){.name = c[j].name,
                                             .limit = c[j].limit,
                                             .static_limit = c[j].static_limit,
                                             .gap = c[j].gap,
                                             .both = c[j].both,
                                             .span = !c[j].at};
        if (w->contact[j].span)
            w->contact[j].name = jd_arena_format(w->arena, "%s (mean)", c[j].name);
        ((const char **)h->contact_name)[j] = w->contact[j].name;
    }
    return jd_arena_status(w->arena);
}

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

static jd_status create_run(viewer *w, jd_run **run) {
    JD_TRY(w->orbit ? jd_orbit_run(w->orbit, run) : jd_run_create(w->context, w->problem, run));
    jd_status s = w->wants & JD_WANT_HORIZON ? jd_run_horizon(*run) : JD_OK;
    if (s == JD_OK) s = probe_points(w, *run);
    if (s != JD_OK) jd_run_free(*run);
    return s;
}

static jd_status pass_to_end(viewer *w) {
    jd_run *run;
    JD_TRY(create_run(w, &run));
    jd_step step = JD_STEP_EVENT;
    jd_status s = JD_OK;
    jd_run_report(run, &w->report);
    w->begin = w->report.t;
    while (s == JD_OK && step == JD_STEP_EVENT) {
        s = jd_run_advance(run, w->until, &step);
        if (s == JD_OK && step == JD_STEP_EVENT)
            w->event[w->n_event++ % MARKED] = *jd_run_event(run);
    }
    jd_run_report(run, &w->report);
    w->end = step == JD_STEP_STOPPED ? w->report.t : w->until;
    jd_ledger *l = &w->report.ledger; // its lists end with the run, and so does the note
    l->drive = l->contact = l->impact = l->belt = l->wear = NULL;
    if (w->report.note) w->report.note = jd_arena_text(w->arena, w->report.note);
    jd_run_free(run);
    return s;
}

// Period of the slowest mode that oscillates; 0 when none does.
static double slowest_period(viewer *w) {
    double omega = HUGE_VAL;
    for (int b = 0; b < jd_problem_bodies(w->problem); b++) {
        const jd_structure *body = jd_problem_structure(w->problem, b);
        int n = jd_structure_modes(body);
        jd_mode *mode = JD_TAKE(w->arena, jd_mode, n > 0 ? n : 0);
        if (!mode) return 0;
        if (n > 0) jd_structure_mode_list(body, mode);
        for (int k = 0; k < n; k++)
            if (mode[k].omega > 0) omega = fmin(omega, mode[k].omega);
    }
    return omega < HUGE_VAL ? 2 * acos(-1.0) / omega : 0;
}

// Does something keep the motion going: a drive, or a belt under a contact?
static bool is_fed(const jd_problem *p) {
    for (int j = 0; j < jd_problem_contacts(p); j++) {
        const jd_contact_def *c = jd_problem_contact(p, j)->def;
        if (c->against.kind == JD_MOVING && c->against.velocity != 0) return true;
    }
    return jd_problem_period(p) > 0;
}

// Before the run: motion that only dies out or goes on is shown from its start.
static void choose_start(viewer *w) {
    double slow = slowest_period(w), shown = MODE_PERIODS * slow;
    if (!isnan(w->from) || is_fed(w->problem) || shown <= 0 || w->until < 1.5 * shown) return;
    w->h->subtitle = jd_arena_format(w->arena, "the first %d periods of the slowest mode (of %.4g)",
                                     MODE_PERIODS, w->until / slow);
    w->from = 0;
    w->until = shown;
}

// The second half, or all of it, in whole drive periods with as many samples each.
static const char *long_stretch(viewer *w, double period, double all, const char *unit) {
    bool whole = w->wants & JD_WANT_ALL;
    double turns = period > 0 ? floor((whole ? 1 : 0.5) * all / period * (1 + 1e-12)) : 0;
    w->samples = LONG;
    if (turns < 1) {
        w->from = whole ? w->begin : w->begin + all / 2;
        return jd_arena_format(w->arena, "from %.6g to %.6g%s", w->from, w->to, unit);
    }
    double last = floor(w->end / period * (1 + 1e-12)) * period;
    w->to = fmin(last, w->end);
    w->from = fmax(w->to - turns * period, w->begin);
    w->samples = (int)(turns * fmax(16, ceil(LONG / turns)));
    return jd_arena_format(w->arena, "the last %.0f of %.5g drive periods", turns, all / period);
}

// After the run, whose end is known now: the stretch to show, and words for it.
static void choose_window(viewer *w) {
    double period = jd_problem_period(w->problem), slow = slowest_period(w);
    double all = w->end - w->begin;
    const char *unit = w->h->si ? " s" : "", *words = NULL;
    w->to = w->end;
    if (w->h->subtitle) return;
    bool whole = w->from <= w->begin && isnan(w->asked_to);
    if (w->wants & JD_WANT_LONG && isnan(w->from)) {
        words = long_stretch(w, period, all, unit);
    } else if (!isnan(w->from) && !whole) {
        w->from = fmax(fmin(w->from, w->end), w->begin);
        words = jd_arena_format(w->arena, "from %.6g to %.6g%s", w->from, w->to, unit);
    } else if (!whole && period > 0 && all > (LAST_PERIODS + 1) * period) {
        w->from = w->to - LAST_PERIODS * period;
        words = jd_arena_format(w->arena, "the last %d of %.5g drive periods", LAST_PERIODS,
                                all / period);
    } else if (!whole && period <= 0 && slow > 0 && all > 1.5 * MODE_PERIODS * slow) {
        w->from = w->to - MODE_PERIODS * slow;
        words = jd_arena_format(w->arena, "the last %d periods of the slowest mode (of %.4g)",
                                MODE_PERIODS, all / slow);
    } else {
        w->from = w->begin;
        words = jd_arena_format(w->arena, "the whole run, %.6g%s", all, unit);
    }
    w->h->subtitle = words;
}

// Events of the stretch, in order; none when there are more than can be marked.
static void keep_events(viewer *w) {
    long first = w->n_event > MARKED ? w->n_event - MARKED : 0;
    jd_history *h = w->h;
    bool lost = first > 0 && w->event[first % MARKED].t > w->from;
    jd_event *kept = JD_TAKE(w->arena, jd_event, MARKED);
    if (!kept) return;
    for (long i = first; i < w->n_event && !lost; i++) {
        const jd_event *e = &w->event[i % MARKED];
        if (h->contact[e->contact].span) continue; // of single cells: thousands
        if (e->t >= w->from && e->t <= w->to) kept[h->n_event++] = *e;
    }
    h->event = kept;
    // Cells along a span have no events of a run.
    if (w->wants & JD_WANT_ENERGY || jd_has_span(w->problem)) return;
    const char *events =
        lost ? " · too many events to mark"
             : jd_arena_format(w->arena, " · %d event%s", h->n_event, h->n_event == 1 ? "" : "s");
    const char *proof = w->report.certificate.certified ? ", none missed (certified)" : "";
    h->subtitle = jd_arena_format(w->arena, "%s%s%s", h->subtitle, events, lost ? "" : proof);
}

// Evenly spaced times and those of events, merged.
static jd_status choose_times(viewer *w) {
    jd_history *h = w->h;
    double *times = JD_TAKE(w->arena, double, w->samples + 2 * h->n_event + 1);
    h->t = times;
    JD_TRY(jd_arena_status(w->arena));
    int e = 0;
    for (int i = 0; i <= w->samples; i++) {
        double t = i == w->samples ? w->to : w->from + (w->to - w->from) * i / w->samples;
        for (; e < h->n_event && h->event[e].t <= t; e++) {
            double at = h->event[e].t, before = nextafter(at, -HUGE_VAL);
            if (h->n && at <= h->t[h->n - 1]) continue; // several at one time
            if (before >= w->from && (!h->n || before > h->t[h->n - 1])) times[h->n++] = before;
            times[h->n++] = at;
        }
        if (!h->n || t > h->t[h->n - 1]) times[h->n++] = t;
    }
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
    jd_run *run;
    JD_TRY(create_run(w, &run));
    jd_status s = JD_OK;
    for (int i = 0; s == JD_OK && i < h->n; i++) {
        jd_step step = JD_STEP_EVENT;
        while (s == JD_OK && step == JD_STEP_EVENT) s = jd_run_advance(run, h->t[i], &step);
        if (s == JD_OK && step == JD_STEP_STOPPED) { // the last instant of a run that was stopped
            h->n = i;
            break;
        }
        if (s == JD_OK) observe(w, run, i);
        if (s == JD_OK) observe_report(w, run, i);
    }
    jd_run_free(run);
    return s;
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
    JD_TRY(take_contacts(w));
    JD_TRY(choose_points(w));
    return w->wants & JD_WANT_SLIP ? choose_slip(w) : JD_OK;
}

static jd_status look(viewer *w) {
    *w->h = (jd_history){0};
    JD_TRY(jd_problem_build(w->problem));
    JD_TRY(prepare(w));
    if (w->orbit)
        w->h->subtitle = jd_arena_format(w->arena, "one period of an orbit, %.6g%s", w->until,
                                         w->h->si ? " s" : "");
    else
        choose_start(w);
    JD_TRY(pass_to_end(w));
    if (w->wants & JD_WANT_KNOWN && w->report.no_energy) w->wants &= ~(unsigned)JD_WANT_ENERGY;
    if (w->wants & JD_WANT_ENERGY && w->report.no_energy)
        return jd_fail(w->context, JD_NOT_SUPPORTED, "there is no energy to draw: %s",
                       w->report.no_energy);
    choose_window(w);
    keep_events(w);
    JD_TRY(choose_times(w));
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

jd_status jd_history_of_run(jd_arena *arena, jd_problem *problem, double from, double to,
                            unsigned wants, jd_history *out) {
    jd_report report;
    return jd_history_report_run(arena, problem, from, to, wants, out, &report);
}

jd_status jd_history_report_run(jd_arena *arena, jd_problem *problem, double from, double to,
                                unsigned wants, jd_history *out, jd_report *report) {
    bool whole = (wants & (JD_WANT_ENERGY | JD_WANT_HORIZON)) != 0 && !(wants & JD_WANT_KNOWN);
    viewer w = {.arena = arena,
                .context = jd_arena_context(arena),
                .problem = problem,
                .wants = wants,
                .samples = wants & JD_WANT_LONG ? LONG : SAMPLES,
                .h = out,
                .from = whole && isnan(from) ? 0 : from,
                .to = to,
                .asked_to = to};
    jd_status s = look(&w);
    *report = w.report;
    return s;
}

jd_status jd_history_of_orbit(jd_arena *arena, jd_problem *problem, const jd_orbit *orbit,
                              unsigned wants, jd_history *out) {
    viewer w = {.arena = arena,
                .context = jd_arena_context(arena),
                .problem = problem,
                .wants = wants,
                .samples = wants & JD_WANT_LONG ? LONG : SAMPLES,
                .orbit = orbit,
                .h = out,
                .to = (double)NAN,
                .asked_to = (double)NAN};
    return look(&w);
}
