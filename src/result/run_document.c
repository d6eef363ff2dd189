// run_document.c -- what a run came to, as a document: why it ended, events by kind, certificate,
//   energy by cause, extremes of the contacts, time in each discrete state.
#include <string.h>

#include "base/arena.h"
#include "problem/interface.h"
#include "result/run.h"

static const char *contact_name(const jd_recording *f, int j) {
    return jd_problem_contact(f->problem, j)->name;
}

static jd_stop stop_of(const jd_report *r) {
    return r->stop == JD_STOP_NONE ? JD_STOP_END : r->stop;
}

static json_t *counts_json(const jd_event_counts *c) {
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "total", (json_int_t)c->total, "slip",
                     (json_int_t)c->slip, "stick", (json_int_t)c->stick, "reversal",
                     (json_int_t)c->reversal, "impact", (json_int_t)c->impact, "close",
                     (json_int_t)c->close, "open", (json_int_t)c->open);
}

static json_t *events_json(const jd_recording *f) {
    int m = jd_problem_contacts(f->problem);
    json_t *out = counts_json(&f->count[m]), *each = json_object();
    for (int j = 0; j < m; j++)
        json_object_set_new(each, contact_name(f, j), counts_json(&f->count[j]));
    json_object_set_new(out, "contacts", each);
    return out;
}

static json_t *certificate_json(const jd_certificate *c) {
    return json_pack("{s:b, s:I, s:o, s:s, s:o*, s:o*, s:I, s:o, s:o, s:o, s:o*, s:I}", "certified",
                     (int)c->certified, "undecided", (json_int_t)c->undecided, "margin",
                     jd_json_real(c->margin), "method", c->method, "tolerance",
                     c->tolerance > 0 ? jd_json_real(c->tolerance) : NULL, "error",
                     c->error > 0 ? jd_json_real(c->error) : NULL, "evaluations",
                     (json_int_t)c->evaluations, "chatter_error", jd_json_real(c->chatter_error),
                     "chatter_speed", jd_json_real(c->chatter_speed), "chatter_motion",
                     jd_json_real(c->chatter_motion), "proved_until",
                     c->proved_until > 0 || c->certified ? jd_json_real(c->proved_until) : NULL,
                     "split_not_unique", (json_int_t)c->split_not_unique);
}

static json_t *horizon_json(const jd_horizon *h) {
    return json_pack("{s:o, s:o, s:o, s:o}", "log_growth", jd_json_real(h->log_growth), "largest",
                     jd_json_real(h->largest), "rate", jd_json_real(h->rate), "digits_until",
                     jd_json_real(h->digits_until));
}

static json_t *by_contact(const jd_recording *f, const double *value) {
    json_t *out = json_object();
    for (int j = 0; j < jd_problem_contacts(f->problem); j++)
        json_object_set_new(out, contact_name(f, j), jd_json_real(value[j]));
    return out;
}

static json_t *energy_json(const jd_recording *f, const jd_ledger *l) {
    json_t *drives = json_object();
    for (int d = 0; d < jd_problem_drives(f->problem); d++)
        json_object_set_new(drives, jd_problem_drive(f->problem, d)->name,
                            jd_json_real(l->drive[d]));
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "start",
                     jd_json_real(l->start), "kinetic", jd_json_real(l->kinetic), "strain",
                     jd_json_real(l->strain), "drives", drives, "damping", jd_json_real(l->damping),
                     "contacts", by_contact(f, l->contact), "impacts", by_contact(f, l->impact),
                     "belts", by_contact(f, l->belt), "work", jd_json_real(l->work), "residual",
                     jd_json_real(l->residual));
}

static json_t *grid_json(const jd_grid_report *g) {
    json_t *out =
        json_pack("{s:i, s:o, s:I, s:s, s:o}", "nodes", g->nodes, "time_step",
                  jd_json_real(g->time_step), "steps", (json_int_t)g->steps, "friction_rule",
                  g->friction_rule, "energy_fed", jd_json_real(g->energy_fed));
    if (g->estimated) {
        json_object_set_new(out, "error_estimate", jd_json_real(g->error));
        json_object_set_new(out, "coarse_nodes", json_integer(g->coarse_nodes));
    }
    return out;
}

static json_t *share_json(const jd_phase_share *s) {
    return json_pack("{s:s, s:I, s:o}", "phase", s->word ? s->word : "other", "visits",
                     (json_int_t)s->visits, "time", jd_json_real(s->time));
}

static json_t *phases_json(const jd_recording *f) {
    json_t *out = json_array();
    for (int i = 0; i < f->n_share; i++) json_array_append_new(out, share_json(&f->share[i]));
    const jd_phase_share *other = &f->share[JD_PHASE_WORDS];
    if (other->visits > 0) json_array_append_new(out, share_json(other));
    return out;
}

static jd_status contacts_json(jd_recording *f, json_t *out) {
    int m = jd_problem_contacts(f->problem);
    if (!jd_run_can_track(f->run)) return JD_OK;
    jd_contact_ranges *r = JD_TAKE(f->arena, jd_contact_ranges, m);
    JD_TRY(jd_arena_status(f->arena));
    JD_TRY(jd_run_ranges(f->run, r));
    json_t *all = jd_document_contacts(f->problem, r);
    json_object_update(out, all);
    json_decref(all);
    return JD_OK;
}

static json_t *head_json(const jd_recording *f, const jd_report *r) {
    jd_stop stop = stop_of(r);
    json_t *out = json_object();
    json_object_set_new(out, "kind", json_string("run"));
    json_object_set_new(out, "title", jd_json_text(jd_problem_title(f->problem)));
    json_object_set_new(out, "units",
                        json_string(jd_problem_is_si(f->problem) ? "SI" : "consistent"));
    json_object_set_new(out, "engine", json_string(r->engine));
    const jd_engine_info *engine;
    const char *why = NULL;
    if (jd_engine_choose(f->problem, &engine, &why) == JD_OK && why)
        json_object_set_new(out, "engine_why", json_string(why));
    json_object_set_new(out, "t_start", jd_json_real(f->start));
    json_object_set_new(out, "t_end", jd_json_real(r->t));
    json_object_set_new(
        out, "stop",
        json_pack("{s:s, s:s}", "name", jd_stop_name(stop), "text", jd_stop_text(stop)));
    if (r->note) json_object_set_new(out, "note", jd_json_text(r->note));
    if (r->critical) json_object_set_new(out, "critical_manifold", json_string(r->critical));
    return out;
}

static json_t *reals_json(int n, const double *x) {
    json_t *out = json_array();
    for (int i = 0; i < n; i++) json_array_append_new(out, jd_json_real(x[i]));
    return out;
}

// The end of the run to be read (the file's `state` is for restarts): modes and recorded points.
static jd_status final_json(jd_recording *f, double t, json_t *out) {
    int n = jd_run_modal_size(f->run) / 2;
    double *state = JD_TAKE(f->arena, double, 2 * n);
    JD_TRY(jd_arena_status(f->arena));
    if (n > 0) {
        jd_run_modal_state(f->run, state);
        json_object_set_new(out, "q", reals_json(n, state));
        json_object_set_new(out, "rate", reals_json(n, state + n));
    }
    json_t *points = json_object();
    json_object_set_new(out, "points", points);
    if (f->n_point > 0) jd_run_observe(f->run, t, f->u, f->v);
    for (int i = 0, body; i < f->n_point; i++) {
        double position;
        const char *column = f->head.column[1 + 2 * i]; // "tip.u"
        char *name = jd_arena_text(f->arena, column);
        JD_TRY(jd_arena_status(f->arena));
        name[strlen(name) - 2] = '\0';
        json_t *point = json_object();
        json_object_set_new(point, "displacement", jd_json_real(f->u[i]));
        json_object_set_new(point, "velocity", jd_json_real(f->v[i]));
        if (f->field_every > 0 &&
            jd_problem_position(f->problem, NULL, name, &body, &position) == JD_OK)
            json_object_set_new(point, "position", jd_json_real(position));
        json_object_set_new(points, name, point);
    }
    return JD_OK;
}

jd_status jd_document_run(jd_recording *f, json_t **out) {
    jd_report report;
    jd_run_report(f->run, &report);
    json_t *d = head_json(f, &report);
    json_object_set_new(d, "events", events_json(f));
    json_object_set_new(d, "certificate", certificate_json(&report.certificate));
    if (report.horizon.known) json_object_set_new(d, "horizon", horizon_json(&report.horizon));
    if (report.grid.known) json_object_set_new(d, "grid", grid_json(&report.grid));
    if (report.ledger.drive) json_object_set_new(d, "energy", energy_json(f, &report.ledger));
    if (report.no_energy)
        json_object_set_new(d, "energy", json_pack("{s:s}", "why_none", report.no_energy));
    json_object_set_new(d, "phases", phases_json(f));
    json_object_set_new(d, "final_phase", json_string(jd_run_phase(f->run)));
    json_t *interfaces = jd_interfaces_json(f), *blows = jd_blows_json(f);
    if (json_object_size(interfaces) > 0) json_object_set(d, "interfaces", interfaces);
    if (blows) json_object_set_new(d, "blows", blows);
    if (f->field_every > 0) json_object_set_new(d, "grids", jd_grids_json(f));
    json_decref(interfaces);
    json_t *contacts = json_object(), *final = json_object();
    json_object_set_new(d, "contacts", contacts);
    json_object_set_new(d, "final_state", final);
    jd_status s = contacts_json(f, contacts);
    if (s == JD_OK) s = final_json(f, report.t, final);
    if (s != JD_OK) {
        json_decref(d);
        return s;
    }
    *out = d;
    return d ? JD_OK : jd_fail(f->context, JD_OUT_OF_MEMORY, "not enough memory for the result");
}

bool jd_run_is_numerical_stop(const json_t *document) {
    const json_t *stop = json_object_get(document, "stop");
    const char *name = json_string_value(json_object_get(stop, "name"));
    return name && strcmp(name, jd_stop_name(JD_STOP_END)) != 0;
}
