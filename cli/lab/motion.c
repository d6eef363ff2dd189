// motion.c -- the motion in a stretch of time, or over one period of a settled orbit, as a page
// draws it: computed for exactly the stretch that is shown.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/lab.h"
#include "result/run/run.h"

// "certificate  complete: ..." and its further lines, as one text of sentences.
static json_t *certificate_words(const jd_certificate *certificate) {
    char *text = NULL, out[1000] = "";
    size_t size = 0, n = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream) end_without_memory();
    report_certificate(certificate, stream);
    fclose(stream);
    for (const char *line = text; *line && n + 2 < sizeof out;) {
        size_t length = strcspn(line, "\n");
        const char *words = line + (length > 13 ? 13 : length); // behind the name or its space
        if (n) n += (size_t)snprintf(out + n, sizeof out - n, "; ");
        n += (size_t)snprintf(out + n, sizeof out - n, "%.*s", (int)(line + length - words), words);
        line += length + (line[length] == '\n');
    }
    free(text);
    return jd_json_text(out);
}

static void add_history(frame *f, const jd_history *h) {
    json_t *head = frame_head(f), *points = json_array(), *contacts = json_array();
    char name[300];
    frame_reals(f, "t", h->n, h->t);
    for (int i = 0; i < h->n_point; i++) {
        json_array_append_new(points, jd_json_text(h->point[i].name));
        snprintf(name, sizeof name, "point.%d", i);
        frame_reals(f, name, h->n, h->point[i].u);
        frame_reals(f, name, h->n, h->point[i].v);
    }
    for (int j = 0; j < h->n_contact; j++) {
        const jd_history_contact *c = &h->contact[j];
        json_array_append_new(contacts,
                              json_pack("{s:o, s:s%, s:o, s:o, s:o, s:b, s:b}", "name",
                                        jd_json_text(c->name), "phase", c->phase, (size_t)h->n,
                                        "limit", json_finite(c->limit), "static_limit",
                                        json_finite(c->static_limit), "gap", json_finite(c->gap),
                                        "both", (int)c->both, "span", (int)c->span));
        snprintf(name, sizeof name, "contact.%d", j);
        frame_reals(f, name, h->n, c->u);
        frame_reals(f, name, h->n, c->v);
        frame_reals(f, name, h->n, c->force);
    }
    json_object_set_new(head, "points", points);
    json_object_set_new(head, "contacts", contacts);
    json_object_set_new(head, "si", json_boolean(h->si));
    json_object_set_new(head, "period", json_finite(h->period));
    json_object_set_new(head, "subtitle", jd_json_text(h->subtitle ? h->subtitle : ""));
}

static void add_energy(frame *f, const jd_history *h) {
    if (!h->energy) return;
    frame_reals(f, "energy.stored", h->n, h->energy->stored);
    frame_reals(f, "energy.damping", h->n, h->energy->damping);
    frame_reals(f, "energy.friction", h->n, h->energy->friction);
    frame_reals(f, "energy.impacts", h->n, h->energy->impacts);
    frame_reals(f, "energy.supplied", h->n, h->energy->supplied);
}

// Times of the events, their contacts, impulses, and letters of the states before and after.
static void add_events(frame *f, request *r, const jd_history *h) {
    size_t n = (size_t)h->n_event;
    double *t = JD_TAKE(r->arena, double, n + 1), *impulse = JD_TAKE(r->arena, double, n + 1);
    int32_t *contact = JD_TAKE(r->arena, int32_t, n + 1);
    char *change = JD_TAKE(r->arena, char, 2 * n + 1);
    if (jd_arena_status(r->arena) != JD_OK) return;
    for (size_t i = 0; i < n; i++) {
        const jd_event *e = &h->event[i];
        t[i] = e->t;
        impulse[i] = e->impulse;
        contact[i] = e->contact;
        change[2 * i] = jd_contact_letter(e->from);
        change[2 * i + 1] = jd_contact_letter(e->to);
    }
    frame_reals(f, "events.t", h->n_event, t);
    frame_reals(f, "events.impulse", h->n_event, impulse);
    frame_integers(f, "events.contact", h->n_event, contact);
    json_object_set_new(frame_head(f), "events", json_stringn(change, 2 * n));
}

static void add_report(frame *f, const jd_report *report, const jd_history *h) {
    json_t *head = frame_head(f);
    const jd_ledger *l = &report->ledger;
    char why[600] = "";
    bool ended = report->stop == JD_STOP_NONE || report->stop == JD_STOP_END;
    if (!ended)
        snprintf(why, sizeof why, "The run stopped at %.6g%s: %s%s%s.", report->t,
                 h->si ? " s" : "", jd_stop_text(report->stop), report->note ? "; " : "",
                 report->note ? report->note : "");
    json_object_set_new(head, "engine", json_string(report->engine));
    json_object_set_new(head, "until", json_real(report->t));
    json_object_set_new(head, "stopped", jd_json_text(why));
    json_object_set_new(head, "certified", json_boolean(report->certificate.certified));
    json_object_set_new(head, "certificate",
                        report->grid.known ? json_string("none: a grid proves nothing about events")
                                           : certificate_words(&report->certificate));
    json_object_set_new(head, "residual",
                        report->no_energy ? json_null() : json_finite(l->residual));
    json_object_set_new(head, "no_energy",
                        jd_json_text(report->no_energy ? report->no_energy
                                     : isfinite(l->residual)
                                         ? ""
                                         : "with infinitely many modes it is not known what is "
                                           "stored and what damping took"));
}

static void finish(frame *f, request *r, double began) {
    json_object_set_new(frame_head(f), "seconds", json_real(wall_seconds() - began));
    json_object_set_new(frame_head(f), "processor", json_real(processor_seconds() - r->used));
    json_object_set(frame_head(f), "set", json_object_get(r->body, "set"));
    frame_send(f);
}

// As many samples as the page has points of its screen across, within reason.
static int samples_of(const request *r) {
    double n = request_real(r, "samples", 0);
    return n > 0 ? (int)fmin(fmax(n, 300), 4000) : 0;
}

// What the page shows: a stretch of time, and the moving shape where it asks for it.
static jd_history_def history_def(request *r, jd_problem *problem) {
    jd_history_def def = {.from = request_real(r, "from", (double)NAN),
                          .to = request_real(r, "to", (double)NAN),
                          .wants = JD_WANT_ENERGY | JD_WANT_KNOWN,
                          .samples = samples_of(r)};
    if (json_is_true(json_object_get(r->body, "shape"))) def.user = shape_create(r, problem);
    if (def.user) {
        def.visit = shape_visit;
        def.finite = shape_finite(def.user);
    }
    return def;
}

jd_status answer_motion(request *r) {
    double began = wall_seconds(), until = 0;
    jd_problem *problem;
    jd_history h;
    jd_report report;
    JD_TRY(request_problem(r, true, &problem));
    const jd_simulate_def *simulate = jd_problem_section(problem, JD_SIMULATE, NULL);
    jd_status s = jd_problem_duration(problem, &simulate->until, &until);
    const jd_history_def def = history_def(r, problem);
    if (s == JD_OK) s = jd_history_report_run(r->arena, problem, &def, &h, &report);
    if (s == JD_OK && !lane_left(r->lane)) {
        frame *f = frame_create(r, "motion");
        add_history(f, &h);
        add_energy(f, &h);
        add_events(f, r, &h);
        add_report(f, &report, &h);
        json_object_set_new(frame_head(f), "whole", json_real(until));
        shape_add(f, def.user);
        finish(f, r, began);
    }
    shape_free(def.user);
    jd_problem_free(problem);
    return s;
}

// Where the search starts: a state that the page took from a branch, so that orbits that do not
// attract are shown, too.
static jd_status take_state(request *r, jd_orbit_options *options) {
    const json_t *list = json_object_get(r->body, "state");
    const char *phase = request_text(r, "phase");
    size_t n = json_array_size(list);
    if (n == 0 || !phase) return JD_OK;
    double *state = JD_TAKE(r->arena, double, n);
    JD_TRY(jd_arena_status(r->arena));
    for (size_t i = 0; i < n; i++) state[i] = json_number_value(json_array_get(list, i));
    options->state = state;
    options->phase = phase;
    options->settle = 0;
    return JD_OK;
}

static json_t *stability_words(const jd_orbit_view *v) {
    const jd_orbit_stability *s = &v->stability;
    char text[200];
    if (s->n_multiplier == 0)
        snprintf(text, sizeof text, "no multiplier is known");
    else
        snprintf(text, sizeof text, "%s: largest Floquet multiplier %.6g",
                 s->stable     ? "stable"
                 : s->marginal ? "neither stable nor unstable"
                               : "unstable",
                 s->largest);
    return jd_json_text(text);
}

static void add_orbit(frame *f, const jd_orbit_view *v) {
    json_t *head = frame_head(f);
    bool proved = v->tolerance == 0 && v->undecided == 0 && !v->simulated;
    json_object_set_new(head, "orbit",
                        json_pack("{s:o, s:i, s:o, s:o, s:b}", "period", json_finite(v->period),
                                  "periods", v->periods, "residual", json_finite(v->residual),
                                  "stability", stability_words(v), "stable",
                                  (int)v->stability.stable));
    json_object_set_new(head, "certified", json_boolean(proved));
    json_object_set_new(head, "certificate",
                        json_string(proved ? "complete: proved that no event was missed"
                                           : "none: nothing is proved about events of this orbit"));
    json_object_set_new(head, "stopped", json_string(""));
    json_object_set_new(head, "residual", json_null());
    json_object_set_new(head, "no_energy", json_string("an orbit has no balance of its own"));
}

static void send_orbit(request *r, const jd_orbit_view *v, const jd_history *h, lab_shape *shape,
                       double began) {
    frame *f = frame_create(r, "motion");
    add_history(f, h);
    add_events(f, r, h);
    add_orbit(f, v);
    json_object_set_new(frame_head(f), "whole", json_real(v->period));
    shape_add(f, shape);
    finish(f, r, began);
}

static jd_status tell_orbit(request *r, jd_problem *problem, const jd_orbit *orbit, double began) {
    const jd_orbit_view *v = jd_orbit_look(orbit);
    jd_history h;
    if (!v->found) {
        send_json(r, "no-orbit",
                  json_pack("{s:o, s:o}", "message",
                            jd_json_text(jd_orbit_reason_text(v->search.reason)), "why",
                            jd_json_text(v->search.why ? v->search.why : "")));
        return JD_OK;
    }
    jd_history_def def = history_def(r, problem);
    def.wants = 0;
    jd_status s = jd_history_of_orbit(r->arena, problem, orbit, &def, &h);
    if (s == JD_OK && !lane_left(r->lane)) send_orbit(r, v, &h, def.user, began);
    shape_free(def.user);
    return s;
}

jd_status request_orbit(request *r, jd_problem *problem, jd_orbit **out) {
    jd_orbit_options options = jd_default_orbit_options();
    *out = NULL;
    JD_TRY(take_state(r, &options));
    return jd_orbit_create(r->context, problem, &options, out);
}

jd_status answer_orbit(request *r) {
    double began = wall_seconds();
    jd_problem *problem;
    jd_orbit *orbit;
    JD_TRY(request_problem(r, true, &problem));
    jd_status s = request_orbit(r, problem, &orbit);
    if (s == JD_OK && !lane_left(r->lane)) s = tell_orbit(r, problem, orbit, began);
    jd_orbit_free(orbit);
    jd_problem_free(problem);
    return s;
}
