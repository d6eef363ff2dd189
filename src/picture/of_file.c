// of_file.c -- the arrays of a picture from a result file: samples and events as they were kept.
//   Letters of a contact between its events: those its last event led to, before the first one
//   those it came from.
#include <math.h>
#include <string.h>

#include "picture/of_file.h"

typedef struct reader {
    jd_arena *arena;
    const json_t *document, *samples;
    double from, to; // window; NaN: no bound
    int first;       // sample shown first
    jd_history *h;
} reader;

static const json_t *get(const json_t *object, const char *key) {
    return json_object_get(object, key);
}

// A column of the samples within the window; NULL: not kept.
static double *column(reader *r, const char *key) {
    const json_t *list = get(r->samples, key);
    if (!list) return NULL;
    double *out = JD_TAKE(r->arena, double, r->h->n);
    for (int i = 0; out && i < r->h->n; i++) {
        const json_t *x = json_array_get(list, (size_t)r->first + (size_t)i);
        out[i] = json_is_number(x) ? json_number_value(x) : (double)NAN;
    }
    return out;
}

static double *named(reader *r, const char *name, const char *what) {
    const char *key = jd_arena_format(r->arena, "%s.%s", name, what);
    return key ? column(r, key) : NULL;
}

static jd_status find_window(reader *r) {
    const json_t *t = get(r->samples, "t");
    size_t n = json_array_size(t), first = 0, last = n;
    while (first < n && json_number_value(json_array_get(t, first)) < r->from) first++;
    while (last > first && json_number_value(json_array_get(t, last - 1)) > r->to) last--;
    r->first = (int)first;
    r->h->n = (int)(last - first);
    r->h->t = column(r, "t");
    return jd_arena_status(r->arena);
}

// Points are what has both <name>.u and <name>.v.
static jd_status read_points(reader *r) {
    const char *key;
    json_t *unused;
    r->h->point = JD_TAKE(r->arena, jd_history_point, (int)json_object_size(r->samples));
    JD_TRY(jd_arena_status(r->arena));
    json_object_foreach((json_t *)r->samples, key, unused) {
        size_t length = strlen(key);
        if (length < 3 || strcmp(key + length - 2, ".u") != 0) continue;
        char *name = jd_arena_text(r->arena, key);
        if (!name) break;
        name[length - 2] = '\0';
        jd_history_point p = {name, column(r, key), named(r, name, "v")};
        if (p.u && p.v) r->h->point[r->h->n_point++] = p;
    }
    return jd_arena_status(r->arena);
}

static double law_number(const json_t *law, const char *key) {
    const json_t *x = get(law, key);
    return json_is_number(x) ? json_number_value(x) : (double)NAN;
}

// Displacement and velocity of a contact: kept by its own name (orbits), or those of its point.
static void read_motion(reader *r, const json_t *contact, jd_history_contact *c) {
    const char *at = json_string_value(get(contact, "at"));
    const char *body = json_string_value(get(contact, "body"));
    const char *point = body && at ? jd_arena_format(r->arena, "%s.%s", body, at) : at;
    bool own = strcmp(json_string_value(get(r->document, "kind")), "orbit") == 0;
    const char *name = own || !point ? c->name : point;
    double speed = law_number(contact, "against_velocity");
    c->u = named(r, name, "u");
    c->v = named(r, name, "v");
    c->force = named(r, c->name, "force");
    if (c->v && !own && !isnan(speed))
        for (int i = 0; i < r->h->n; i++) c->v[i] -= speed;
}

static jd_status read_contact(reader *r, const char *name, const json_t *contact) {
    jd_history_contact c = {.name = name};
    const json_t *law = get(contact, "law");
    read_motion(r, contact, &c);
    c.limit = law_number(law, "limit");
    c.static_limit = law_number(law, "static_limit");
    c.gap = law_number(law, "gap");
    c.phase = JD_TAKE(r->arena, char, r->h->n);
    JD_TRY(jd_arena_status(r->arena));
    if (!c.u || !c.v || !c.force) return JD_OK; // an interface, or its point was not sampled
    r->h->contact[r->h->n_contact++] = c;
    return JD_OK;
}

static jd_status read_contacts(reader *r) {
    const json_t *contacts = get(r->document, "contacts");
    const char *name;
    json_t *contact;
    r->h->contact = JD_TAKE(r->arena, jd_history_contact, (int)json_object_size(contacts));
    JD_TRY(jd_arena_status(r->arena));
    json_object_foreach((json_t *)contacts, name, contact) JD_TRY(read_contact(r, name, contact));
    return JD_OK;
}

static int contact_named(const jd_history *h, const char *name) {
    for (int j = 0; name && j < h->n_contact; j++)
        if (strcmp(h->contact[j].name, name) == 0) return j;
    return -1;
}

static char letter(const json_t *list, size_t i) {
    const char *text = json_string_value(json_array_get(list, i));
    return text ? text[0] : '?';
}

// Letters of the samples from an event on; before the first event what it came from.
static void spread_letters(jd_history *h, const jd_event *e) {
    char *phase = h->contact[e->contact].phase;
    for (int i = 0; i < h->n; i++) {
        if (h->t[i] >= e->t)
            phase[i] = e->to;
        else if (phase[i] == '\0')
            phase[i] = e->from;
    }
}

static jd_status read_events(reader *r) {
    jd_history *h = r->h;
    const json_t *table = get(r->document, "event_list");
    if (!table) table = get(r->document, "events");
    const json_t *t = get(table, "t"), *speed = get(table, "speed");
    size_t n = json_array_size(t);
    jd_event *event = JD_TAKE(r->arena, jd_event, (int)n);
    JD_TRY(jd_arena_status(r->arena));
    for (size_t i = 0; i < n && h->n > 0; i++) {
        jd_event e = {.t = json_number_value(json_array_get(t, i)),
                      .contact = contact_named(
                          h, json_string_value(json_array_get(get(table, "contact"), i))),
                      .from = letter(get(table, "from"), i),
                      .to = letter(get(table, "to"), i),
                      .speed = json_number_value(json_array_get(speed, i)),
                      .impulse = json_number_value(json_array_get(get(table, "impulse"), i))};
        if (e.contact < 0 || e.t > h->t[h->n - 1]) continue;
        spread_letters(h, &e);
        if (e.t >= h->t[0]) event[h->n_event++] = e;
    }
    h->event = event;
    return JD_OK;
}

// Contacts without an event keep the letter they end with.
static void fill_letters(reader *r) {
    const char *last = json_string_value(get(r->document, "final_phase"));
    for (int j = 0; j < r->h->n_contact; j++) {
        char rest = last && (int)strlen(last) > j ? last[j] : '?';
        for (int i = 0; i < r->h->n; i++)
            if (r->h->contact[j].phase[i] == '\0') r->h->contact[j].phase[i] = rest;
    }
}

// Energies and growth at the samples; left NULL where the file has none.
static jd_status read_energies(reader *r) {
    static const char *const name[] = {"kinetic", "strain",   "damping",   "friction",
                                       "impacts", "supplied", "log_growth"};
    const json_t *table = get(r->document, "energies"), *samples = r->samples;
    double *value[7] = {0};
    if (!table || json_array_size(get(table, "t")) != json_array_size(get(samples, "t")))
        return JD_OK;
    r->samples = table; // the same times
    for (int i = 0; i < 7; i++) value[i] = column(r, name[i]);
    r->samples = samples;
    jd_history_energy *e = JD_TAKE(r->arena, jd_history_energy, 1);
    JD_TRY(jd_arena_status(r->arena));
    *e = (jd_history_energy){value[0], value[2], value[3], value[4], value[5]};
    for (int i = 0; value[0] && value[1] && i < r->h->n; i++) e->stored[i] += value[1][i];
    if (e->stored && e->damping && e->friction && e->impacts && e->supplied) r->h->energy = e;
    r->h->growth = value[6];
    return JD_OK;
}

jd_status jd_history_of_file(jd_arena *arena, const json_t *document, double from, double to,
                             jd_history *out) {
    const char *units = json_string_value(get(document, "units"));
    const char *title = json_string_value(get(document, "title"));
    reader r = {arena, document, get(document, "samples"), from, to, 0, out};
    *out = (jd_history){.title = title ? title : "", .si = units && strcmp(units, "SI") == 0};
    JD_TRY(find_window(&r));
    if (out->n < 2) {
        jd_context *context = jd_arena_context(arena);
        jd_fail(context, JD_OUT_OF_RANGE, "the file has no samples in the window to draw");
        jd_fail_hint(context, "`output: {per_period: 200}` in the model keeps samples");
        return JD_OUT_OF_RANGE;
    }
    JD_TRY(read_points(&r));
    JD_TRY(read_contacts(&r));
    JD_TRY(read_events(&r));
    fill_letters(&r);
    JD_TRY(read_energies(&r));
    out->subtitle = jd_arena_format(arena, "from %.6g to %.6g%s", out->t[0], out->t[out->n - 1],
                                    out->si ? " s" : "");
    if (!get(document, "interfaces")) // cells along a span have no events of a run
        out->subtitle = jd_arena_format(arena, "%s · %d event%s", out->subtitle, out->n_event,
                                        out->n_event == 1 ? "" : "s");
    return jd_arena_status(arena);
}
