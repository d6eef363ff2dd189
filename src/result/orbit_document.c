// orbit_document.c -- what is known about a periodic orbit, as a document.
//   JSON has no word for infinity: log_abs_multipliers is null where a multiplier is 0 or too small
//   to be told from 0.
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "result/orbit.h"
#include "result/run.h"

enum { SAMPLES = 200 }; // per period, beside the ends of phases

static json_t *letter(char c) { return json_stringn(&c, 1); }

static const char *contact_name(const jd_problem *p, int j) {
    return jd_problem_contact(p, j)->name;
}

static json_t *event_json(const jd_problem *p, const jd_event *e) {
    json_t *out =
        json_pack("{s:o, s:s, s:o, s:o}", "t", jd_json_real(e->t), "contact",
                  contact_name(p, e->contact), "from", letter(e->from), "to", letter(e->to));
    if (out && e->from == 'o' && e->to == 'o') {
        json_object_set_new(out, "speed", jd_json_real(e->speed));
        json_object_set_new(out, "impulse", jd_json_real(e->impulse));
    }
    return out;
}

static json_t *reals_json(int n, const double *x) {
    json_t *out = json_array();
    for (int i = 0; i < n; i++) json_array_append_new(out, jd_json_real(x[i]));
    return out;
}

// `{"<contact>":{"time","share"}}` of one period.
static json_t *stuck_json(const jd_problem *p, const jd_orbit_view *v) {
    json_t *out = json_object();
    for (int j = 0; j < jd_problem_contacts(p); j++)
        json_object_set_new(out, contact_name(p, j),
                            json_pack("{s:o, s:o}", "time", jd_json_real(v->stuck[j]), "share",
                                      jd_json_real(v->stuck[j] / v->period)));
    return out;
}

static void add_found(json_t *out, const jd_problem *p, const jd_orbit_view *v) {
    json_t *phases = json_array(), *events = json_array(), *multipliers = json_array();
    for (int i = 0; i < v->n_phase; i++) json_array_append_new(phases, json_string(v->phases[i]));
    for (int i = 0; i < v->n_event; i++) json_array_append_new(events, event_json(p, &v->event[i]));
    int n = v->soft ? 0 : v->n_multiplier; // no derivative, no multipliers
    for (int i = 0; i < n; i++)
        json_array_append_new(multipliers, reals_json(2, v->multiplier + 2 * i));
    json_object_set_new(out, "phases", phases);
    json_object_set_new(out, "events", events);
    json_object_set_new(out, "multipliers", multipliers);
    if (v->no_multipliers)
        json_object_set_new(out, "why_no_multipliers", json_string(v->no_multipliers));
    json_object_set_new(out, "log_abs_multipliers", reals_json(n, v->log_multiplier));
    json_object_set_new(out, "zero_multipliers", json_integer(v->n_zero));
    json_object_set_new(out, "stable", json_boolean(v->stable));
    json_object_set_new(out, "settles_elsewhere", json_boolean(v->elsewhere));
    json_object_set_new(out, "soft_landing", json_boolean(v->soft));
    json_object_set_new(out, "marginal", json_boolean(v->marginal));
    json_object_set_new(out, "conservative", json_boolean(v->conservative));
    json_object_set_new(out, "largest_multiplier", jd_json_real(v->largest));
    json_object_set_new(out, "neutral_contacts", json_integer(v->neutral));
    json_object_set_new(out, "isolated", json_boolean(v->isolated));
    json_object_set_new(out, "symmetric", json_boolean(v->symmetric));
    json_object_set_new(out, "certified",
                        json_boolean(v->undecided == 0 && !v->simulated && v->tolerance == 0));
    if (v->tolerance > 0) json_object_set_new(out, "tolerance", jd_json_real(v->tolerance));
    json_object_set_new(out, "stuck", stuck_json(p, v));
    if (v->simulated) json_object_set_new(out, "period_error", jd_json_real(v->error));
    if (!v->simulated) json_object_set_new(out, "state_error", jd_json_real(v->state_error));
    if (v->simulated ? v->n_multiplier > 0 : v->tolerance > 0)
        json_object_set_new(out, "multiplier_error", jd_json_real(v->multiplier_error));
    json_object_set_new(out, "contacts", jd_document_contacts(p, v->range));
    json_object_set_new(out, "state", reals_json(v->n, v->state));
}

static json_t *orbit_json(const jd_problem *p, const jd_orbit_view *v) {
    json_t *out = json_object();
    json_object_set_new(out, "found", json_boolean(v->found));
    json_object_set_new(out, "reason", json_string(jd_orbit_reason_name(v->reason)));
    if (!v->found) json_object_set_new(out, "why", json_string(v->why));
    json_object_set_new(out, "method", json_string(v->simulated ? "simulation" : "shooting"));
    json_object_set_new(out, "forced", json_boolean(v->forced));
    json_object_set_new(out, "period", v->found ? jd_json_real(v->period) : json_null());
    json_object_set_new(out, "drive_periods", v->found ? json_integer(v->periods) : json_null());
    json_object_set_new(out, "residual", jd_json_real(v->residual));
    json_object_set_new(out, "best_residual", jd_json_real(v->best));
    if (v->longest > 0) json_object_set_new(out, "searched_periods", json_integer(v->longest));
    json_object_set_new(out, "attempts", json_integer(v->attempts));
    json_object_set_new(out, "segments", json_integer(v->segments));
    json_object_set_new(out, "simulated", jd_json_real(v->settled));
    json_object_set_new(out, "history",
                        reals_json(v->attempts ? v->iterations + 1 : 0, v->history));
    if (v->found) add_found(out, p, v);
    return out;
}

// Column <contact>.u, .v, .force of the samples.
static void add_value(json_t *samples, const char *contact, const char *what, double value) {
    char key[256];
    snprintf(key, sizeof key, "%.200s.%s", contact, what);
    json_t *list = json_object_get(samples, key);
    if (!list) {
        list = json_array();
        json_object_set_new(samples, key, list);
    }
    json_array_append_new(list, jd_json_real(value));
}

static void add_sample(json_t *samples, const jd_problem *p, jd_run *run, double t, double *x) {
    int m = jd_problem_contacts(p);
    jd_run_observe_contacts(run, t, x, x + m, x + 2 * m);
    json_array_append_new(json_object_get(samples, "t"), jd_json_real(t));
    for (int j = 0; j < m; j++) {
        add_value(samples, contact_name(p, j), "u", x[j]);
        add_value(samples, contact_name(p, j), "v", x[m + j]);
        add_value(samples, contact_name(p, j), "force", x[2 * m + j]);
    }
}

static void add_energies(json_t *energies, const jd_problem *p, jd_run *run, double t) {
    jd_energies e;
    jd_run_energies(run, p, &e);
    if (!e.known) return;
    json_array_append_new(json_object_get(energies, "t"), jd_json_real(t));
    for (int i = 0; i < JD_ENERGY_COUNT; i++)
        json_array_append_new(json_object_get(energies, jd_energy_name(i)),
                              jd_json_real(e.value[i]));
}

static json_t *new_energies(void) {
    json_t *out = json_pack("{s:[]}", "t");
    for (int i = 0; i < JD_ENERGY_COUNT; i++)
        json_object_set_new(out, jd_energy_name(i), json_array());
    return out;
}

static jd_status add_samples(jd_context *context, json_t *out, const jd_problem *p,
                             const jd_orbit *orbit) {
    jd_run *run;
    jd_arena *arena = jd_arena_create(context);
    if (!arena) return JD_OUT_OF_MEMORY;
    double *x = JD_TAKE(arena, double, 3 * jd_problem_contacts(p) + 1);
    jd_status status = jd_arena_status(arena);
    json_t *samples = json_pack("{s:[]}", "t");
    json_t *energies = new_energies();
    json_object_set_new(out, "samples", samples);
    if (status == JD_OK) status = jd_orbit_run(orbit, &run);
    for (int i = 0; status == JD_OK && i <= SAMPLES; i++) {
        double t = jd_orbit_look(orbit)->period * i / SAMPLES;
        jd_step step = JD_STEP_EVENT;
        while (status == JD_OK && step == JD_STEP_EVENT) status = jd_run_advance(run, t, &step);
        if (status == JD_OK) add_sample(samples, p, run, t, x);
        if (status == JD_OK) add_energies(energies, p, run, t);
    }
    if (json_array_size(json_object_get(energies, "t")) > 0)
        json_object_set(out, "energies", energies);
    json_decref(energies);
    if (status == JD_OK) jd_run_free(run);
    jd_arena_free(arena);
    return status;
}

static json_t *head_json(const jd_problem *p, const char *kind) {
    json_t *out = json_object();
    json_object_set_new(out, "kind", json_string(kind));
    json_object_set_new(out, "title", jd_json_text(jd_problem_title(p)));
    json_object_set_new(out, "units", json_string(jd_problem_is_si(p) ? "SI" : "consistent"));
    return out;
}

jd_status jd_document_orbit(jd_context *context, const jd_problem *p, const jd_orbit_view *v,
                            const jd_orbit *orbit, json_t **out) {
    json_t *d = head_json(p, "orbit"), *body = orbit_json(p, v);
    json_object_update(d, body);
    json_decref(body);
    jd_status status = v->found && orbit ? add_samples(context, d, p, orbit) : JD_OK;
    if (status != JD_OK) {
        json_decref(d);
        return status;
    }
    *out = d;
    return d ? JD_OK : jd_fail(context, JD_OUT_OF_MEMORY, "not enough memory for the result");
}

json_t *jd_document_orbit_rows(const json_t *document) {
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

jd_status jd_document_attractors(jd_context *context, const jd_problem *p,
                                 const jd_attractors *attractors, int starts, uint64_t seed,
                                 json_t **out) {
    json_t *d = head_json(p, "attractors"), *list = json_array();
    json_object_set_new(d, "starts", json_integer(starts));
    json_object_set_new(d, "seed", json_integer((json_int_t)seed));
    json_object_set_new(d, "lost", json_integer(jd_attractors_lost(attractors)));
    if (jd_attractors_longest(attractors) > 0)
        json_object_set_new(d, "searched_periods", json_integer(jd_attractors_longest(attractors)));
    json_object_set_new(d, "attractors", list);
    for (int i = 0; i < jd_attractors_count(attractors); i++) {
        const jd_attractor *a = jd_attractor_look(attractors, i);
        json_t *one = orbit_json(p, a->orbit);
        json_object_set_new(one, "starts", json_integer(a->starts));
        json_object_set_new(one, "share", jd_json_real((double)a->starts / starts));
        json_object_set_new(one, "rest", json_boolean(a->rest));
        json_object_set_new(one, "family", json_boolean(a->family));
        if (a->rest) json_object_set_new(one, "phase", json_string(a->orbit->phase));
        json_object_set_new(one, "mirror_of",
                            a->mirror_of < 0 ? json_null() : json_integer(a->mirror_of));
        json_array_append_new(list, one);
    }
    *out = d;
    return d ? JD_OK : jd_fail(context, JD_OUT_OF_MEMORY, "not enough memory for the result");
}
