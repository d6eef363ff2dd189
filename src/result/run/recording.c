// recording.c -- drives a run from event to event and from sample to sample.
//   Samples are at k * every, k = 0, 1, ...; the run goes to the last double before the sample's
//   time, so that an event at the very time comes after it, and looks from there.
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "drive/kind.h"
#include "engine/driving.h"
#include "engine/event.h"
#include "problem/interface.h"
#include "problem/parts.h"
#include "result/run/run.h"

static const double most_samples = 1e12;
enum { PROGRESS_STEPS = 200 };

static jd_status read_times(jd_recording *f) {
    bool given;
    const jd_simulate_def *s = jd_problem_section(f->problem, JD_SIMULATE, &given);
    const jd_output_def *o = jd_problem_section(f->problem, JD_OUTPUT, NULL);
    if (!given) {
        jd_fail(f->context, JD_MISSING_KEY, "the model has no `simulate` section");
        jd_fail_hint(f->context, "say how long to run: `simulate: {until: 10 s}`");
        return JD_MISSING_KEY;
    }
    JD_TRY(jd_problem_duration(f->problem, &s->until, &f->until));
    JD_TRY(jd_problem_duration(f->problem, &o->every, &f->every));
    JD_TRY(jd_problem_duration(f->problem, &o->field.every, &f->field_every));
    if (f->every == 0 && o->per_period > 0) {
        const jd_duration one = {1.0 / o->per_period, true};
        JD_TRY(jd_problem_duration(f->problem, &one, &f->every));
    }
    if (f->every > 0 && f->until / f->every > most_samples) {
        jd_fail(f->context, JD_OUT_OF_RANGE, "samples every %.6g s until %.6g s are too many",
                f->every, f->until);
        jd_fail_where(f->context, "output.every");
        return JD_OUT_OF_RANGE;
    }
    return JD_OK;
}

typedef struct names {
    jd_arena *arena;
    int n;
    const char **name;
} names;

static void add_name(names *list, const char *name) {
    for (int i = 0; i < list->n; i++)
        if (!strcmp(list->name[i], name)) return;
    list->name[list->n++] = name;
}

// The point of a place, or both of one with two directions.
static void add_place(names *list, const jd_place *place) {
    const char *const point[] = {place->point, place->point ? place->normal : NULL};
    for (int i = 0; i < 2; i++) {
        if (!point[i]) continue;
        const char *name = place->body && place->body[0]
                               ? jd_arena_format(list->arena, "%s.%s", place->body, point[i])
                               : point[i];
        if (name) add_name(list, name);
    }
}

// The points asked for, or those of all contacts and drives.
static jd_status name_points(jd_recording *f, names *list) {
    const jd_output_def *o = jd_problem_section(f->problem, JD_OUTPUT, NULL);
    int m = jd_problem_contacts(f->problem), d = jd_problem_drives(f->problem);
    list->name = JD_TAKE(f->arena, const char *, o->points.n + 4 * m + d);
    JD_TRY(jd_arena_status(f->arena));
    for (int i = 0; i < o->points.n; i++) add_name(list, o->points.text[i]);
    if (o->points.n > 0) return JD_OK;
    for (int j = 0; j < m; j++) {
        const jd_contact_def *c = jd_problem_contact(f->problem, j)->def;
        add_place(list, &c->at);
        if (c->against.kind == JD_PLACE) add_place(list, &c->against.place);
    }
    for (int i = 0; i < d; i++) {
        const jd_drive_place *place = jd_problem_drive(f->problem, i)->def;
        if (place->of != JD_DRIVE_BASE) add_place(list, &place->at);
    }
    return jd_arena_status(f->arena);
}

static void find_places(jd_recording *f, const names *points) {
    for (int i = 0, body; i < points->n; i++) {
        double at;
        f->place[2 * i] = -1;
        if (jd_problem_position(f->problem, NULL, points->name[i], &body, &at) != JD_OK) {
            jd_context_clear_error(f->context);
            continue;
        }
        f->place[2 * i] = body;
        f->place[2 * i + 1] = at;
    }
}

// What engines of rods have: of a contact along a span the shares that are stuck and mobilised,
// of a point on a rod the axial force and impedance times velocity. Columns when `column`, else
// values into the row; returns how many.
static int add_driving(jd_recording *f, const names *points, const char **column, double *row) {
    int n = 0, m = jd_problem_contacts(f->problem);
    double one, two;
    for (int j = 0; j < m; j++) {
        const jd_object *contact = jd_problem_contact(f->problem, j);
        const jd_contact_def *c = contact->def;
        if (c->at.point || !jd_run_mobilised(f->run, j, &one, &two)) continue;
        if (column) {
            column[n++] = jd_arena_format(f->arena, "%s.stuck", contact->name);
            column[n++] = jd_arena_format(f->arena, "%s.mobilised", contact->name);
        } else {
            row[n++] = one, row[n++] = two;
        }
    }
    for (int i = 0; i < f->n_point; i++) {
        int body = (int)f->place[2 * i];
        if (body < 0 || !jd_run_axial(f->run, body, f->place[2 * i + 1], &one, &two)) continue;
        if (column) {
            column[n++] = jd_arena_format(f->arena, "%s.axial", points->name[i]);
            column[n++] = jd_arena_format(f->arena, "%s.zv", points->name[i]);
        } else {
            row[n++] = one, row[n++] = two * f->v[i];
        }
    }
    return n;
}

// Columns: t, u and v of every point, the force of every point contact.
static jd_status name_columns(jd_recording *f, const names *points, const char **column) {
    int n = 0, m = jd_problem_contacts(f->problem);
    column[n++] = "t";
    for (int i = 0; i < points->n; i++) {
        column[n++] = jd_arena_format(f->arena, "%s.u", points->name[i]);
        column[n++] = jd_arena_format(f->arena, "%s.v", points->name[i]);
    }
    for (int j = 0; j < m; j++) {
        const jd_object *contact = jd_problem_contact(f->problem, j);
        const jd_contact_def *c = contact->def;
        if (!c->at.point) continue;
        column[n++] = jd_arena_format(f->arena, "%s.force", contact->name);
    }
    n += add_driving(f, points, column + n, NULL);
    f->head = (jd_stream_head){f->problem, n, column};
    return jd_arena_status(f->arena);
}

// Points that nobody asked for by name are left out where the engine does not know them.
static jd_status probe_points(jd_recording *f, names *list) {
    const jd_output_def *o = jd_problem_section(f->problem, JD_OUTPUT, NULL);
    int known = 0;
    for (int i = 0, index; i < list->n; i++) {
        jd_status s = jd_run_probe(f->run, list->name[i], &index);
        if (s == JD_OK) list->name[known++] = list->name[i];
        if (s == JD_NOT_SUPPORTED && o->points.n == 0) {
            jd_context_clear_error(f->context);
            continue;
        }
        if (s != JD_OK) jd_fail_where(f->context, "output.points");
        JD_TRY(s);
    }
    list->n = known;
    return JD_OK;
}

static jd_status set_probes(jd_recording *f) {
    names list = {.arena = f->arena};
    JD_TRY(name_points(f, &list));
    int m = jd_problem_contacts(f->problem), most = 1 + 4 * list.n + 2 * m;
    const char **column = JD_TAKE(f->arena, const char *, most);
    f->row = JD_TAKE(f->arena, double, most);
    f->u = JD_TAKE(f->arena, double, list.n);
    f->v = JD_TAKE(f->arena, double, list.n);
    f->final = JD_TAKE(f->arena, double, list.n);
    f->contact = JD_TAKE(f->arena, double, 3 * m);
    f->place = JD_TAKE(f->arena, double, 2 * list.n);
    JD_TRY(jd_arena_status(f->arena));
    JD_TRY(probe_points(f, &list));
    f->n_point = list.n;
    find_places(f, &list);
    return name_columns(f, &list, column);
}

// Where the motion goes on from, for `start: {type: restart}`.
static jd_status take_up(jd_recording *f) {
    const jd_object *start = jd_problem_start(f->problem);
    if (start->type != &jd_start_restart) return JD_OK;
    const jd_start_restart_def *d = start->def;
    JD_TRY(jd_run_restart(f->run, f->arena, d->file));
    jd_report report;
    jd_run_report(f->run, &report);
    f->start = f->t_phase = report.t;
    if (f->until > f->start) return JD_OK;
    jd_fail(f->context, JD_OUT_OF_RANGE, "`until` is %.10g, but `%s` already reaches %.10g",
            f->until, d->file, f->start);
    jd_fail_where(f->context, "simulate.until");
    jd_fail_hint(f->context, "`until` counts from the very start, not from the restart");
    return JD_OUT_OF_RANGE;
}

static jd_status prepare(jd_recording *f) {
    int m = jd_problem_contacts(f->problem);
    f->count = JD_TAKE(f->arena, jd_event_counts, m + 1);
    f->share = JD_TAKE(f->arena, jd_phase_share, JD_PHASE_WORDS + 1);
    f->word = JD_TAKE(f->arena, char, m + 1);
    JD_TRY(jd_arena_status(f->arena));
    JD_TRY(read_times(f));
    JD_TRY(jd_run_create(f->context, f->problem, &f->run));
    JD_TRY(set_probes(f));
    JD_TRY(take_up(f));
    JD_TRY(jd_blows_create(f));
    while (f->field_every > 0 && f->start > 0 && f->next_field * f->field_every <= f->start)
        f->next_field++;
    return jd_run_can_track(f->run) ? jd_run_track(f->run) : JD_OK;
}

jd_status jd_recording_create(jd_context *context, jd_problem *problem, jd_recording **out) {
    *out = NULL;
    JD_TRY(jd_problem_build(problem));
    jd_arena *arena = jd_arena_create(context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_recording *f = JD_TAKE(arena, jd_recording, 1);
    if (!f) {
        jd_arena_free(arena);
        return JD_OUT_OF_MEMORY;
    }
    *f = (jd_recording){.context = context, .arena = arena, .problem = problem};
    jd_status status = prepare(f);
    if (status == JD_OK)
        *out = f;
    else
        jd_recording_free(f);
    return status;
}

void jd_recording_free(jd_recording *f) {
    if (!f) return;
    jd_run_free(f->run);
    jd_arena_free(f->arena);
}

void jd_recording_add(jd_recording *f, jd_sink sink) { f->sink[f->n_sink++] = sink; }

static void count_event(jd_event_counts *c, const jd_event *e) {
    c->total++;
    if (jd_event_is_impact(e))
        c->impact++;
    else if (jd_contact_is_closed(e->to) || e->from == JD_CONTACT_OPEN)
        c->close++;
    else if (jd_contact_is_closed(e->from) || e->to == JD_CONTACT_OPEN)
        c->open++;
    else if (e->to == JD_CONTACT_STUCK)
        c->stick++;
    else if (e->from == JD_CONTACT_STUCK)
        c->slip++;
    else
        c->reversal++;
}

// The entry of a discrete state; the last one is for those there is no room for.
static jd_phase_share *share_of(jd_recording *f, const char *word) {
    for (int i = 0; i < f->n_share; i++)
        if (!strcmp(f->share[i].word, word)) return &f->share[i];
    char *copy = f->n_share < JD_PHASE_WORDS ? jd_arena_text(f->arena, word) : NULL;
    if (!copy) return &f->share[JD_PHASE_WORDS];
    f->share[f->n_share].word = copy;
    return &f->share[f->n_share++];
}

// The state `word` held until t.
static void leave_phase(jd_recording *f, const char *word, double t) {
    if (!(t > f->t_phase)) return;
    jd_phase_share *s = share_of(f, word);
    s->visits++;
    s->time += t - f->t_phase;
    f->t_phase = t;
}

static void show_progress(jd_recording *f, double t) {
    double share = (t - f->start) / (f->until - f->start);
    int step = share > 0 && share < 1 ? (int)(share * PROGRESS_STEPS) : 0;
    if (step <= f->shown) return;
    f->shown = step;
    jd_progress(f->context, "run", share);
}

static jd_status hand_out(jd_recording *f, const jd_event *e) {
    count_event(&f->count[e->contact], e);
    count_event(&f->count[jd_problem_contacts(f->problem)], e);
    for (int i = 0; i < f->n_sink; i++)
        if (f->sink[i].event) JD_TRY(f->sink[i].event(f->sink[i].user, e));
    show_progress(f, e->t);
    return JD_OK;
}

// Until t, handing out events; *going is false when the engine stopped by itself.
static jd_status go_through(jd_recording *f, double t, bool *going) {
    for (;;) {
        jd_step step;
        memcpy(f->word, jd_run_phase(f->run), (size_t)jd_problem_contacts(f->problem));
        JD_TRY(jd_run_advance(f->run, t, &step));
        *going = step != JD_STEP_STOPPED;
        if (step != JD_STEP_EVENT) return JD_OK;
        leave_phase(f, f->word, jd_run_event(f->run)->t);
        JD_TRY(hand_out(f, jd_run_event(f->run)));
    }
}

static jd_status take_field(jd_recording *f, double t) {
    for (int i = 0; i < f->n_sink; i++)
        if (f->sink[i].field) JD_TRY(f->sink[i].field(f->sink[i].user, t));
    f->next_field++;
    return JD_OK;
}

// The same, with a look at fields and blows on the way.
static jd_status go_to(jd_recording *f, double t, bool *going) {
    *going = true;
    while (*going) {
        double field = f->field_every > 0 ? f->next_field * f->field_every : HUGE_VAL;
        double blow = jd_blows_next(f), mark = fmin(field, blow);
        if (mark > t) break;
        JD_TRY(go_through(f, nextafter(mark, -HUGE_VAL), going));
        if (!*going) return JD_OK;
        if (blow <= mark) {
            jd_run_observe(f->run, mark, f->u, f->v);
            jd_blows_take(f, f->u);
        }
        if (field <= mark) JD_TRY(take_field(f, mark));
    }
    return go_through(f, t, going);
}

static jd_status take_sample(jd_recording *f, double t) {
    int m = jd_problem_contacts(f->problem), n = 0;
    double *force = f->contact + 2 * m;
    jd_run_observe(f->run, t, f->u, f->v);
    if (m > 0) jd_run_observe_contacts(f->run, t, f->contact, f->contact + m, force);
    f->row[n++] = t;
    for (int i = 0; i < f->n_point; i++) {
        f->row[n++] = f->u[i];
        f->row[n++] = f->v[i];
    }
    for (int j = 0; j < m; j++) {
        const jd_contact_def *c = jd_problem_contact(f->problem, j)->def;
        if (c->at.point) f->row[n++] = force[j];
    }
    add_driving(f, NULL, NULL, f->row + n);
    f->n_sample++;
    for (int i = 0; i < f->n_sink; i++)
        if (f->sink[i].sample) JD_TRY(f->sink[i].sample(f->sink[i].user, f->row));
    show_progress(f, t);
    return JD_OK;
}

// Number of the first sample: 0 at the beginning; after it in a run that goes on.
static double first_sample(const jd_recording *f) {
    if (f->start == 0) return 0;
    double k = floor(f->start / f->every) - 1;
    while (k * f->every <= f->start) k++;
    return k;
}

static jd_status go_sampling(jd_recording *f, bool *going) {
    for (double k = first_sample(f); *going; k++) {
        double t = k * f->every;
        if (t > f->until && t <= f->until * (1 + 1e-14)) t = f->until; // 100 periods, rounded
        if (t > f->until) return JD_OK;
        JD_TRY(go_to(f, nextafter(t, -HUGE_VAL), going));
        if (*going) JD_TRY(take_sample(f, t));
    }
    return JD_OK;
}

// In pieces, so that a long way shows progress; stopping on the way changes nothing.
static jd_status go_on(jd_recording *f, bool *going) {
    double step = (f->until - f->start) / PROGRESS_STEPS;
    for (int i = 1; *going && i < PROGRESS_STEPS; i++) {
        JD_TRY(go_to(f, f->start + i * step, going));
        show_progress(f, f->start + i * step);
    }
    return JD_OK;
}

// Samples that nobody takes are not computed: they are most of a run's time.
static bool is_sampled(const jd_recording *f) {
    bool wanted = false;
    for (int i = 0; i < f->n_sink; i++) wanted = wanted || f->sink[i].sample;
    return wanted && f->every > 0;
}

jd_status jd_recording_run(jd_recording *f) {
    bool going = true;
    JD_TRY(is_sampled(f) ? go_sampling(f, &going) : go_on(f, &going));
    if (going) JD_TRY(go_to(f, f->until, &going));
    jd_report report;
    jd_run_report(f->run, &report);
    jd_run_observe(f->run, report.t, f->final, f->v);
    leave_phase(f, jd_run_phase(f->run), report.t);
    return JD_OK;
}
