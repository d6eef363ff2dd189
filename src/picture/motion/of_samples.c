// of_samples.c -- a stretch of motion from what a result keeps of it: samples, events, energies.
//   Letters of a contact between its events: those its last event led to, before the first one
//   those it came from.
#include <math.h>
#include <string.h>

#include "picture/motion/history.h"

// The parts of a run or an orbit that a stretch is made of.
typedef struct source {
    jd_arena *arena;
    const jd_columns *samples, *energies;
    int n_contact, n_event;
    const jd_contact_result *contact;
    const jd_event *event;
    const char *final_phase; // letters at the end; NULL: not known
    bool own;                // contacts are sampled by their own names (orbits)
    bool spans;              // cells along a span have no events of a run
    int first;               // sample shown first
    jd_history *h;
} source;

static const double *find(const jd_columns *c, const char *name) {
    for (int k = 0; k < c->n_column; k++)
        if (strcmp(c->name[k], name) == 0 && !(c->width && c->width[k])) return c->value[k];
    return NULL;
}

// A column within the window; NULL: not kept.
static const double *column(const source *s, const jd_columns *c, const char *name) {
    const double *all = find(c, name);
    return all ? all + s->first : NULL;
}

static const double *named(const source *s, const char *name, const char *what) {
    const char *key = jd_arena_format(s->arena, "%s.%s", name, what);
    return key ? column(s, s->samples, key) : NULL;
}

static jd_status find_window(source *s, double from, double to) {
    const double *t = find(s->samples, "t");
    int first = 0, last = t ? s->samples->n_row : 0;
    while (first < last && t[first] < from) first++;
    while (last > first && t[last - 1] > to) last--;
    s->first = first;
    s->h->n = last - first;
    s->h->t = t ? t + first : NULL;
    if (s->h->n >= 2) return JD_OK;
    jd_context *context = jd_arena_context(s->arena);
    jd_fail(context, JD_OUT_OF_RANGE, "the file has no samples in the window to draw");
    jd_fail_hint(context, "`output: {per_period: 200}` in the model keeps samples");
    return JD_OUT_OF_RANGE;
}

// Points are what has both <name>.u and <name>.v.
static jd_status take_points(source *s) {
    jd_history_point *point = JD_TAKE(s->arena, jd_history_point, s->samples->n_column);
    JD_TRY(jd_arena_status(s->arena));
    for (int k = 0; k < s->samples->n_column; k++) {
        const char *key = s->samples->name[k];
        size_t length = strlen(key);
        if (length < 3 || strcmp(key + length - 2, ".u") != 0) continue;
        char *name = jd_arena_text(s->arena, key);
        JD_TRY(jd_arena_status(s->arena));
        name[length - 2] = '\0';
        jd_history_point p = {name, column(s, s->samples, key), named(s, name, "v")};
        if (p.u && p.v) point[s->h->n_point++] = p;
    }
    s->h->point = point;
    return jd_arena_status(s->arena);
}

// Velocity relative to a counterpart that moves.
static const double *relative(const source *s, const double *v, double speed) {
    double *out = v ? JD_TAKE(s->arena, double, s->h->n) : NULL;
    for (int i = 0; out && i < s->h->n; i++) out[i] = v[i] - speed;
    return out;
}

// Displacement and velocity of a contact: kept by its own name (orbits), or those of its point. One
// along a length, or whose point was not sampled, has none.
static bool take_contact(const source *s, const jd_contact_result *c, jd_history_contact *out) {
    const char *point =
        c->body && c->at ? jd_arena_format(s->arena, "%s.%s", c->body, c->at) : c->at;
    const char *name = s->own || !point ? c->name : point;
    *out = (jd_history_contact){.name = c->name,
                                .u = named(s, name, "u"),
                                .v = named(s, name, "v"),
                                .force = named(s, c->name, "force"),
                                .limit = c->limit,
                                .static_limit = c->static_limit,
                                .gap = c->gap,
                                .both = c->both,
                                .phase = JD_TAKE(s->arena, char, s->h->n + 1)};
    if (out->v && !s->own && !isnan(c->against_velocity))
        out->v = relative(s, out->v, c->against_velocity);
    return out->u && out->v && out->force && out->phase;
}

// Letters of the samples from each event on; before the first event what it came from.
static void spread_letters(const source *s, int from, jd_history_contact *c) {
    char *phase = (char *)c->phase, rest = '?';
    const jd_history *h = s->h;
    int i = 0;
    if (s->final_phase && (int)strlen(s->final_phase) > from) rest = s->final_phase[from];
    for (int k = 0; k < s->n_event; k++) {
        const jd_event *e = &s->event[k];
        if (e->contact != from) continue;
        for (; i < h->n && h->t[i] < e->t; i++) phase[i] = jd_contact_letter(e->from);
        rest = jd_contact_letter(e->to);
    }
    for (; i < h->n; i++) phase[i] = rest;
}

static jd_status take_contacts(source *s) {
    jd_history *h = s->h;
    jd_history_contact *list = JD_TAKE(s->arena, jd_history_contact, s->n_contact);
    int *place = JD_TAKE(s->arena, int, s->n_contact);
    jd_event *event = JD_TAKE(s->arena, jd_event, s->n_event);
    const char **name = JD_TAKE(s->arena, const char *, s->n_contact);
    JD_TRY(jd_arena_status(s->arena));
    for (int j = 0; j < s->n_contact; j++) {
        place[j] = -1;
        if (!take_contact(s, &s->contact[j], &list[h->n_contact])) continue;
        spread_letters(s, j, &list[h->n_contact]);
        name[h->n_contact] = s->contact[j].name;
        place[j] = h->n_contact++;
    }
    for (int i = 0; i < s->n_event; i++) {
        jd_event e = s->event[i];
        e.contact = place[e.contact];
        if (e.contact >= 0 && e.t >= h->t[0] && e.t <= h->t[h->n - 1]) event[h->n_event++] = e;
    }
    h->contact = list;
    h->event = event;
    h->contact_name = name;
    h->n_name = h->n_contact;
    return jd_arena_status(s->arena);
}

// Energies and growth at the samples; left NULL where they are not kept.
static jd_status take_energies(source *s) {
    const jd_columns *c = s->energies;
    jd_history *h = s->h;
    if (c->n_column == 0 || c->n_row != s->samples->n_row) return JD_OK;
    const double *kinetic = column(s, c, "kinetic"), *strain = column(s, c, "strain");
    jd_history_energy *e = JD_TAKE(s->arena, jd_history_energy, 1);
    double *stored = JD_TAKE(s->arena, double, h->n);
    JD_TRY(jd_arena_status(s->arena));
    *e = (jd_history_energy){stored, column(s, c, "damping"), column(s, c, "friction"),
                             column(s, c, "impacts"), column(s, c, "supplied")};
    for (int i = 0; kinetic && strain && i < h->n; i++) stored[i] = kinetic[i] + strain[i];
    if (kinetic && strain && e->damping && e->friction && e->impacts && e->supplied) h->energy = e;
    h->growth = column(s, c, "log_growth");
    return JD_OK;
}

static jd_status make(source *s, const jd_result *result, const jd_picture_def *def) {
    jd_history *h = s->h;
    const jd_result_head *head = jd_result_look(result);
    *h = (jd_history){.title = head->title, .si = head->si};
    if (jd_result_orbit(result)) h->period = jd_result_orbit(result)->view.period;
    JD_TRY(find_window(s, def->from, def->to));
    JD_TRY(take_points(s));
    JD_TRY(take_contacts(s));
    JD_TRY(take_energies(s));
    h->subtitle = jd_arena_format(s->arena, "from %.6g to %.6g%s", h->t[0], h->t[h->n - 1],
                                  h->si ? " s" : "");
    if (!s->spans)
        h->subtitle = jd_arena_format(s->arena, "%s · %d event%s", h->subtitle, h->n_event,
                                      h->n_event == 1 ? "" : "s");
    return jd_arena_status(s->arena);
}

static bool same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

const jd_shown *jd_shown_of(const jd_result *result, const jd_picture_def *def) {
    const jd_run_result *run = jd_result_run(result);
    const jd_orbit_result *orbit = jd_result_orbit(result);
    const jd_shown *s = run ? run->shown : orbit ? orbit->shown : NULL;
    bool fits =
        s && s->picture == (int)def->kind && same(s->from, def->from) && same(s->to, def->to);
    return fits && (s->history.n >= 2 || s->field.n >= 2) ? s : NULL;
}

jd_status jd_history_of_result(jd_arena *arena, const jd_result *result, const jd_picture_def *def,
                               jd_history *out) {
    const jd_run_result *run = jd_result_run(result);
    const jd_orbit_result *orbit = jd_result_orbit(result);
    const jd_shown *shown = jd_shown_of(result, def);
    source s = {.arena = arena, .h = out};
    if (shown && shown->history.n >= 2) {
        *out = shown->history;
        out->title = jd_result_look(result)->title;
        out->si = jd_result_look(result)->si;
        return JD_OK;
    }
    if (run) {
        s.samples = &run->lists.samples;
        s.energies = &run->lists.energies;
        s.n_contact = run->n_contact;
        s.contact = run->contact;
        s.n_event = run->lists.n_event;
        s.event = run->lists.event;
        s.final_phase = run->final.phase;
        s.spans = run->n_interface > 0;
    } else {
        s.samples = &orbit->samples;
        s.energies = &orbit->energies;
        s.n_contact = orbit->n_contact;
        s.contact = orbit->contact;
        s.n_event = orbit->view.n_event;
        s.event = orbit->view.event;
        s.own = true;
    }
    return make(&s, result, def);
}
