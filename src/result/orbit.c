// orbit.c -- a periodic orbit, and the orbits random starts lead to.
#include <string.h>

#include "result/events.h"
#include "result/result.h"
#include "result/run/run.h"

enum { SAMPLES = 200 }; // per period, beside the ends of phases

#define FLAG(member, name, text)                                                                   \
    {                                                                                              \
        .key = (name), .kind = JD_FIELD_BOOL, JD_AT(jd_orbit_result, view.member), .unit = "",     \
        .doc = (text)                                                                              \
    }
#define NUMBER(member, name, text)                                                                 \
    {                                                                                              \
        .key = (name), .kind = JD_FIELD_INT, JD_AT(jd_orbit_result, view.member), .unit = "",      \
        .doc = (text)                                                                              \
    }
#define VALUE(member, name, of, text)                                                              \
    .key = (name), .kind = JD_FIELD_REAL, JD_AT(jd_orbit_result, view.member), .unit = (of),       \
    .doc = (text)

static const jd_orbit_view *view(const void *object) {
    return &((const jd_orbit_result *)object)->view;
}
static bool is_found(const void *o, const void *root) { return (void)root, view(o)->found; }
static bool is_lost(const void *o, const void *root) { return (void)root, !view(o)->found; }
static bool is_searched(const void *o, const void *root) {
    return (void)root, view(o)->search.longest > 0;
}
static bool has_tolerance(const void *o, const void *root) {
    return (void)root, view(o)->tolerance > 0;
}
static bool is_simulated(const void *o, const void *root) { return (void)root, view(o)->simulated; }
static bool is_shot(const void *o, const void *root) { return (void)root, !view(o)->simulated; }
static bool has_multiplier_error(const void *o, const void *root) {
    return is_shot(o, root) ? has_tolerance(o, root) : view(o)->stability.n_multiplier > 0;
}
static bool has_no_multipliers(const void *o, const void *root) {
    return (void)root, view(o)->stability.why_none != NULL;
}
static bool is_rest(const void *o, const void *root) {
    return (void)root, ((const jd_orbit_result *)o)->rest;
}

static bool has_gradient(const void *o, const void *root) {
    return (void)root, ((const jd_orbit_result *)o)->n_gradient > 0;
}

static const char *reason_name(int i) { return jd_orbit_reason_name((jd_orbit_reason)i); }

static bool write_method(const jd_field *f, const void *object, const void *root, json_t *out) {
    const jd_orbit_view *v = view(object);
    const char *name = !v->simulated       ? "shooting"
                       : v->search.history ? "newton-krylov"
                                           : "simulation";
    return (void)root, json_object_set_new(out, f->key, json_string(name)) == 0;
}
static jd_status read_method(jd_arena *arena, const jd_field *f, const json_t *in, void *object,
                             void *root) {
    const char *name = json_string_value(json_object_get(in, f->key));
    (void)arena, (void)root;
    ((jd_orbit_result *)object)->view.simulated = name && strcmp(name, "shooting") != 0;
    return JD_OK;
}

static json_t *certified(const void *object, const void *root) {
    const jd_orbit_view *v = view(object);
    (void)root;
    return json_boolean(v->undecided == 0 && !v->simulated && !(v->tolerance > 0));
}

static const jd_field event_field[] = {JD_EVENT_FIELDS(jd_orbit_result), JD_END_OF_FIELDS};
static const jd_record event_record = {.size = sizeof(jd_event), .field = event_field};

static const jd_field found_field[] = {
    {.key = "phases",
     .kind = JD_FIELD_TEXTS,
     JD_AT(jd_orbit_result, view.phases),
     .size = {JD_OWN(jd_orbit_result, view.n_phase)},
     .optional = true,
     .doc = "letters of all contacts before each event"},
    {.key = "events",
     .kind = JD_FIELD_LIST,
     JD_AT(jd_orbit_result, view.event),
     .record = &event_record,
     .size = {JD_OWN(jd_orbit_result, view.n_event)},
     .doc = "of a period"},
    {JD_ARRAY(REALS, jd_orbit_result, multiplier, "multipliers", "", "Floquet: re, im"),
     .size = {JD_OWN(jd_orbit_result, n_multiplier), JD_FIXED(2)}, .optional = true},
    {JD_TEXT(jd_orbit_result, view.stability.why_none, "why_no_multipliers", "why there are none"),
     .optional = true, .has = has_no_multipliers},
    {.key = "log_abs_multipliers",
     .kind = JD_FIELD_REALS,
     JD_AT(jd_orbit_result, log_multiplier),
     .size = {JD_OWN(jd_orbit_result, n_multiplier)},
     .optional = true,
     .none = -HUGE_VAL,
     .unit = "",
     .doc = "log |mu|"},
    NUMBER(stability.n_zero, "zero_multipliers", "that are 0, or cannot be told from it"),
    FLAG(stability.stable, "stable", "multipliers are in the unit circle"),
    FLAG(search.elsewhere, "settles_elsewhere", "the settled motion is another"),
    FLAG(stability.soft, "soft_landing", "a stop is reached without speed"),
    FLAG(stability.marginal, "marginal", "a multiplier is on the unit circle"),
    FLAG(stability.conservative, "conservative", "no drive and no losses"),
    {VALUE(stability.largest, "largest_multiplier", "", "that counts for stability")},
    NUMBER(stability.neutral, "neutral_contacts", "that stick all along"),
    FLAG(stability.isolated, "isolated", "no neighbouring orbit"),
    FLAG(symmetric, "symmetric", "half a period later everything is mirrored"),
    {JD_TOLD_BY("certified", certified, "events are proved to be all")},
    {.key = "undecided",
     .kind = JD_FIELD_LONG,
     JD_AT(jd_orbit_result, view.undecided),
     .doc = "events rounding cannot decide"},
    {VALUE(tolerance, "tolerance", "", "of events found numerically"), .has = has_tolerance},
    {JD_MAP_OF(jd_orbit_result, contact, "stuck", &jd_record_stuck, n_contact, "in a period")},
    {JD_ARRAY(REALS, jd_orbit_result, set, "set", "m", "of each body in a period"),
     .size = {JD_OWN(jd_orbit_result, n_set)}, .optional = true},
    {VALUE(error, "period_error", "s", "what may be left of its changes"), .has = is_simulated},
    {VALUE(state_error, "state_error", "", "how far the orbit may be"), .none = (double)NAN,
     .has = is_shot},
    {VALUE(stability.multiplier_error, "multiplier_error", "", "by the tolerance"),
     .none = HUGE_VAL, .has = has_multiplier_error},
    {JD_MAP_OF(jd_orbit_result, contact, "contacts", &jd_record_contacts, n_contact, "extremes")},
    {JD_ARRAY(REALS, jd_orbit_result, state, "state", NULL, "at the start of the period"),
     .size = {JD_OWN(jd_orbit_result, n_state)}, .optional = true},
    JD_END_OF_FIELDS};
static const jd_record found_record = {.field = found_field};

static const jd_field search_field[] = {
    FLAG(found, "found", "whether there is one"),
    {JD_WORD_OF(jd_orbit_result, view.search.reason, "reason", reason_name, JD_ORBIT_REASON_COUNT,
                "")},
    {JD_TEXT(jd_orbit_result, view.search.why, "why", "what stood in the way"), .has = is_lost},
    {.key = "method", .kind = JD_FIELD_OTHER, .write = write_method, .read = read_method},
    FLAG(forced, "forced", "by a drive"),
    {VALUE(period, "period", "s", "of the orbit"), .none = (double)NAN},
    {.key = "drive_periods",
     .kind = JD_FIELD_INT,
     JD_AT(jd_orbit_result, view.periods),
     .optional = true,
     .doc = "in a period; 0: autonomous"},
    {VALUE(residual, "residual", "", "|P(s) - s|/|s|"), .none = (double)NAN},
    {VALUE(search.best, "best_residual", "", "smallest met"), .none = HUGE_VAL},
    {.key = "searched_periods",
     .kind = JD_FIELD_INT,
     JD_AT(jd_orbit_result, view.search.longest),
     .has = is_searched},
    NUMBER(search.attempts, "attempts", "of Newton's method"),
    NUMBER(search.segments, "segments", "of multiple shooting"),
    {VALUE(search.settled, "simulated", "s", "on the way")},
    {JD_ARRAY(REALS, jd_orbit_result, history, "history", "", "residual before each step"),
     .size = {JD_OWN(jd_orbit_result, n_history)}, .optional = true},
    {JD_GROUP_OF(NULL, &found_record, "what was found"), .has = is_found},
    JD_END_OF_FIELDS};
static const jd_record search_record = {.field = search_field};

// The arrays that are there, and events of contacts that are there.
static jd_status check(jd_arena *arena, void *object) {
    jd_orbit_result *r = object;
    jd_orbit_view *v = &r->view;
    if (!r->multiplier || !r->log_multiplier) r->n_multiplier = 0;
    if (!v->phases) v->n_phase = 0;
    if (!r->history) r->n_history = 0;
    v->n = v->stability.n_multiplier = r->n_multiplier;
    v->stability.multiplier = r->multiplier;
    v->stability.log_multiplier = r->log_multiplier;
    v->search.history = r->history;
    v->search.iterations = r->n_history > 0 ? r->n_history - 1 : 0;
    return jd_events_align(arena, r->n_contact, r->contact, &r->n_name, &r->contact_name,
                           v->n_event, (jd_event *)v->event);
}

static const jd_field orbit_field[] = {
    {JD_GROUP_OF(NULL, &search_record, "the search")},
    {.key = "samples",
     .kind = JD_FIELD_COLUMNS,
     JD_AT(jd_orbit_result, samples),
     .optional = true,
     .doc = "one period"},
    {.key = "energies",
     .kind = JD_FIELD_COLUMNS,
     JD_AT(jd_orbit_result, energies),
     .optional = true,
     .doc = "where the energy went"},
    {JD_MAP_OF(jd_orbit_result, gradient, "gradient", &jd_record_gradient, n_gradient,
               "derivatives by numbers of the model"),
     .optional = true, .has = has_gradient},
    {JD_INNER(PART, jd_orbit_result, shown, "shown", &jd_record_shown, "in a picture"),
     .left_out = JD_NOT_IN_JSON},
    JD_END_OF_FIELDS};
const jd_record jd_record_orbit = {
    .size = sizeof(jd_orbit_result), .field = orbit_field, .root = true, .check = check};

static const jd_field attractor_field[] = {
    {JD_GROUP_OF(NULL, &search_record, "the orbit")},
    {JD_SCALAR(INT, jd_orbit_result, starts, "starts", "that led here")},
    {JD_REAL(jd_orbit_result, share, "share", "", "of all starts")},
    {JD_SCALAR(BOOL, jd_orbit_result, rest, "rest", "the motion comes to rest")},
    {JD_SCALAR(BOOL, jd_orbit_result, family, "family", "rests elsewhere after every start")},
    {JD_TEXT(jd_orbit_result, view.phase, "phase", "contact states at rest"), .has = is_rest},
    {JD_SCALAR(INT, jd_orbit_result, mirror_of, "mirror_of", "number of its mirror image"),
     .optional = true},
    JD_END_OF_FIELDS};
static const jd_record attractor_record = {
    .size = sizeof(jd_orbit_result), .field = attractor_field, .root = true, .check = check};

static bool has_longest(const void *object, const void *root) {
    (void)root;
    return ((const jd_attractors_result *)object)->longest > 0;
}

static const jd_field attractors_field[] = {
    {JD_SCALAR(INT, jd_attractors_result, starts, "starts", "random ones")},
    {JD_SCALAR(LONG, jd_attractors_result, seed, "seed", "of the starts")},
    {JD_SCALAR(INT, jd_attractors_result, lost, "lost", "starts that led to no orbit")},
    {JD_SCALAR(INT, jd_attractors_result, longest, "searched_periods", "drive periods"),
     .has = has_longest},
    {JD_LIST_OF(jd_attractors_result, orbit, "attractors", &attractor_record, n, "orbits")},
    JD_END_OF_FIELDS};
const jd_record jd_record_attractors = {.size = sizeof(jd_attractors_result),
                                        .field = attractors_field};

// The orbit without its samples. There are no multipliers where there is no derivative.
static jd_status fill(jd_arena *arena, const jd_problem *p, const jd_orbit_view *v,
                      jd_orbit_result *r) {
    *r = (jd_orbit_result){.view = *v, .mirror_of = -1};
    r->n_contact = r->n_name = jd_problem_contacts(p);
    JD_TRY(jd_contacts_of(arena, p, v->found ? v->range : NULL, &r->contact, &r->contact_name));
    for (int j = 0; v->found && j < r->n_contact; j++) {
        jd_contact_result *c = (jd_contact_result *)&r->contact[j];
        c->stuck_time = v->stuck[j];
        c->stuck_share = v->stuck[j] / v->period;
    }
    r->n_history = v->search.attempts ? v->search.iterations + 1 : 0;
    r->history = v->search.history;
    if (!v->found) {
        r->view.period = (double)NAN;
        r->view.periods = -1;
        return JD_OK;
    }
    r->n_multiplier = v->stability.soft ? 0 : v->stability.n_multiplier;
    r->multiplier = v->stability.multiplier;
    r->log_multiplier = v->stability.log_multiplier;
    r->n_set = v->set ? jd_problem_bodies(p) : 0;
    r->set = v->set;
    r->n_state = v->n;
    r->state = v->state;
    return JD_OK;
}

// Columns of n cells each, to be filled.
static jd_status new_columns(jd_arena *arena, int n_column, int n_row, double ***value,
                             const char ***name) {
    *value = JD_TAKE(arena, double *, n_column);
    *name = JD_TAKE(arena, const char *, n_column);
    for (int k = 0; *value && k < n_column; k++) (*value)[k] = JD_TAKE(arena, double, n_row);
    return jd_arena_status(arena);
}

static void take_energies(jd_run *run, const jd_problem *p, double t, int *n, double **value) {
    jd_energies e;
    jd_run_energies(run, p, &e);
    if (!e.known) return;
    value[0][*n] = t;
    for (int i = 0; i < JD_ENERGY_COUNT; i++) value[1 + i][*n] = e.value[i];
    ++*n;
}

static jd_status sample(jd_arena *arena, const jd_problem *p, const jd_orbit *orbit, jd_run *run,
                        jd_orbit_result *r) {
    static const char *const what[] = {"u", "v", "force"};
    int m = r->n_contact, known = 0;
    double **value, **energy, *x = JD_TAKE(arena, double, 3 * m + 1);
    const char **name, **energy_name;
    JD_TRY(new_columns(arena, 1 + 3 * m, SAMPLES + 1, &value, &name));
    JD_TRY(new_columns(arena, 1 + JD_ENERGY_COUNT, SAMPLES + 1, &energy, &energy_name));
    name[0] = energy_name[0] = "t";
    for (int k = 0; k < 3 * m; k++)
        name[1 + k] = jd_arena_format(arena, "%s.%s", r->contact[k / 3].name, what[k % 3]);
    for (int k = 0; k < JD_ENERGY_COUNT; k++) energy_name[1 + k] = jd_energy_name(k);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i <= SAMPLES; i++) {
        double t = jd_orbit_look(orbit)->period * i / SAMPLES;
        jd_step step = JD_STEP_EVENT;
        while (step == JD_STEP_EVENT) JD_TRY(jd_run_advance(run, t, &step));
        jd_run_observe_contacts(run, t, x, x + m, x + 2 * m);
        value[0][i] = t;
        for (int k = 0; k < 3 * m; k++) value[1 + k][i] = x[k % 3 * m + k / 3];
        take_energies(run, p, t, &known, energy);
    }
    r->samples = (jd_columns){SAMPLES + 1, 1 + 3 * m, name, NULL, (const double *const *)value};
    if (known > 0)
        r->energies = (jd_columns){known, 1 + JD_ENERGY_COUNT, energy_name, NULL,
                                   (const double *const *)energy};
    return JD_OK;
}

jd_status jd_result_of_orbit(jd_context *context, const jd_problem *problem, const jd_orbit *orbit,
                             jd_result **out) {
    jd_run *run = NULL;
    JD_TRY(jd_result_create(context, problem, JD_RESULT_ORBIT, out));
    const jd_orbit_view *v = jd_orbit_look(orbit);
    jd_orbit_result *r = (*out)->content;
    jd_status s = fill((*out)->arena, problem, v, r);
    if (s == JD_OK && v->found) s = jd_orbit_run(orbit, &run);
    if (s == JD_OK && v->found) s = sample((*out)->arena, problem, orbit, run, r);
    jd_run_free(run);
    return jd_result_end(s, out);
}

jd_status jd_result_of_attractors(jd_context *context, const jd_problem *problem,
                                  const jd_attractors *attractors, int starts, uint64_t seed,
                                  jd_result **out) {
    JD_TRY(jd_result_create(context, problem, JD_RESULT_ATTRACTORS, out));
    int n = jd_attractors_count(attractors);
    jd_orbit_result *orbit = JD_TAKE((*out)->arena, jd_orbit_result, n);
    *(jd_attractors_result *)(*out)->content =
        (jd_attractors_result){.starts = starts,
                               .lost = jd_attractors_lost(attractors),
                               .longest = jd_attractors_longest(attractors),
                               .seed = (long)seed,
                               .n = n,
                               .orbit = orbit};
    jd_status s = jd_arena_status((*out)->arena);
    for (int i = 0; s == JD_OK && i < n; i++) {
        const jd_attractor *a = jd_attractor_look(attractors, i);
        s = fill((*out)->arena, problem, a->orbit, &orbit[i]);
        orbit[i].starts = a->starts;
        orbit[i].share = (double)a->starts / starts;
        orbit[i].rest = a->rest;
        if (!a->rest) orbit[i].view.phase = ""; // of the start of a period: not kept
        orbit[i].family = a->family;
        orbit[i].mirror_of = a->mirror_of;
    }
    return jd_result_end(s, out);
}

jd_status jd_result_add_gradient(jd_result *result, const jd_gradient *gradient) {
    jd_orbit_result *r = result->content;
    r->n_gradient = jd_gradient_look(gradient)->n_key;
    r->gradient = jd_gradient_look(gradient)->key;
    return JD_OK;
}

json_t *jd_rows_samples(const json_t *document) {
    json_t *rows = json_array(), *list;
    json_t *samples = json_object_get(document, "samples");
    const char *key;
    for (size_t i = 0; i < json_array_size(json_object_get(samples, "t")); i++) {
        json_t *row = json_object();
        json_object_foreach(samples, key, list) json_object_set(row, key, json_array_get(list, i));
        json_array_append_new(rows, row);
    }
    return rows;
}
