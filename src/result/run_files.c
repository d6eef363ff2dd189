// run_files.c -- sinks into files: samples and events in HDF5 and CSV, row by row as they come.
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "result/file.h"
#include "result/hdf5_stream.h"
#include "result/run.h"

typedef struct csv {
    jd_run_files *owner;
    jd_file file; // stream NULL: not open
    FILE *stream;
} csv;

struct jd_run_files {
    jd_recording *follow;
    jd_stream *hdf5;
    jd_columns *samples, *events, *field, *energies;
    csv samples_csv, events_csv;
    bool cells; // some contact lies along a span: events say which of its cells
};

static bool is_span(const jd_problem *p, int contact) {
    const jd_contact_def *def = jd_problem_contact(p, contact)->def;
    return !def->at.point;
}

static bool has_spans(const jd_problem *p) {
    for (int j = 0; j < jd_problem_contacts(p); j++)
        if (is_span(p, j)) return true;
    return false;
}

static const char *contact_name(const jd_run_files *f, const jd_event *e) {
    return jd_problem_contact(f->follow->problem, e->contact)->name;
}

static jd_status hdf5_sample(void *user, const double *row) {
    jd_run_files *f = user;
    for (int i = 0; i < f->follow->head.n_column; i++) jd_columns_real(f->samples, row[i]);
    JD_TRY(jd_columns_row(f->samples));
    if (!f->energies) return JD_OK;
    jd_energies e;
    jd_run_energies(f->follow->run, f->follow->problem, &e);
    jd_columns_real(f->energies, row[0]);
    for (int i = 0; e.known && i < JD_ENERGY_COUNT; i++) jd_columns_real(f->energies, e.value[i]);
    if (e.horizon) jd_columns_real(f->energies, e.log_growth);
    return jd_columns_row(f->energies);
}

// What became of the energy until each sample, and how a change of the start has grown; no table
// where neither is known.
static jd_status open_energies(jd_run_files *f) {
    jd_energies e;
    int n = 1;
    const char *unit = jd_problem_is_si(f->follow->problem) ? "J" : NULL;
    jd_column c[JD_ENERGY_COUNT + 2] = {{.name = "t", .unit = unit ? "s" : NULL}};
    jd_run_energies(f->follow->run, f->follow->problem, &e);
    for (int i = 0; e.known && i < JD_ENERGY_COUNT; i++)
        c[n++] = (jd_column){.name = jd_energy_name(i), .unit = unit};
    if (e.horizon) c[n++] = (jd_column){.name = "log_growth"};
    return n > 1 ? jd_stream_table(f->hdf5, "energies", n, c, &f->energies) : JD_OK;
}

static jd_status hdf5_event(void *user, const jd_event *e) {
    jd_run_files *f = user;
    jd_columns_real(f->events, e->t);
    jd_columns_text(f->events, contact_name(f, e));
    jd_columns_text(f->events, (char[]){e->from, '\0'});
    jd_columns_text(f->events, (char[]){e->to, '\0'});
    jd_columns_real(f->events, e->speed);
    jd_columns_real(f->events, e->impulse);
    if (f->cells)
        jd_columns_real(f->events, is_span(f->follow->problem, e->contact) ? e->cell : (double)NAN);
    return jd_columns_row(f->events);
}

static jd_status hdf5_field(void *user, double t) {
    jd_run_files *f = user;
    jd_body_field body;
    jd_interface_field contact;
    jd_columns_real(f->field, t);
    for (int b = 0; b < jd_problem_bodies(f->follow->problem); b++)
        if (jd_run_body(f->follow->run, b, &body)) jd_columns_reals(f->field, body.displacement);
    for (int j = 0; j < jd_problem_contacts(f->follow->problem); j++) {
        if (!jd_run_interface(f->follow->run, j, &contact)) continue;
        jd_columns_reals(f->field, contact.velocity);
        jd_columns_reals(f->field, contact.state);
        jd_columns_reals(f->field, contact.force);
    }
    return jd_columns_row(f->field);
}

static jd_status no_field(const jd_recording *r) {
    jd_fail(r->context, JD_NOT_SUPPORTED, "the engine of this run has no fields along bodies");
    jd_fail_where(r->context, "output.field");
    return JD_NOT_SUPPORTED;
}

// One table: t, u of every body, then velocity, state and force of every contact.
static jd_status open_field(jd_run_files *f) {
    static const char *const what[] = {"velocity", "state", "force"}, *const units[] = {"m/s", NULL,
                                                                                        "N"};
    const jd_recording *r = f->follow;
    int bodies = jd_problem_bodies(r->problem), contacts = jd_problem_contacts(r->problem), n = 0;
    bool si = jd_problem_is_si(r->problem);
    jd_column *c = JD_TAKE(r->arena, jd_column, 1 + bodies + 3 * contacts);
    JD_TRY(jd_arena_status(r->arena));
    c[n++] = (jd_column){.name = "t", .unit = si ? "s" : NULL};
    for (int b = 0; b < bodies; b++) {
        jd_body_field field;
        const char *name = jd_problem_body(r->problem, b)->name;
        if (!jd_run_body(r->run, b, &field)) continue;
        const char *u = jd_arena_format(r->arena, "%s.u", name[0] ? name : "structure");
        c[n++] = (jd_column){.name = u, .unit = si ? "m" : NULL, .count = field.n};
    }
    for (int j = 0; j < 3 * contacts; j++) {
        jd_interface_field field;
        const char *name = jd_problem_contact(r->problem, j / 3)->name;
        if (!jd_run_interface(r->run, j / 3, &field)) continue;
        c[n++] = (jd_column){.name = jd_arena_format(r->arena, "%s.%s", name, what[j % 3]),
                             .unit = si ? units[j % 3] : NULL,
                             .count = field.n};
    }
    JD_TRY(jd_arena_status(r->arena));
    return n > 1 ? jd_stream_table(f->hdf5, "field", n, c, &f->field) : no_field(r);
}

static int longest_name(const jd_problem *p) {
    size_t n = 1;
    for (int j = 0; j < jd_problem_contacts(p); j++) {
        size_t length = strlen(jd_problem_contact(p, j)->name);
        if (length > n) n = length;
    }
    return (int)n;
}

static jd_status open_hdf5(jd_run_files *f, const char *path) {
    const jd_stream_head *h = &f->follow->head;
    bool si = jd_problem_is_si(f->follow->problem);
    const char *second = si ? "s" : NULL, *speed = si ? "m/s" : NULL, *impulse = si ? "N s" : NULL;
    const jd_column events[] = {{.name = "t", .unit = second},
                                {.name = "contact", .width = longest_name(h->problem)},
                                {.name = "from", .width = 1},
                                {.name = "to", .width = 1},
                                {.name = "speed", .unit = speed},
                                {.name = "impulse", .unit = impulse},
                                {.name = "cell"}};
    jd_column *samples = JD_TAKE(f->follow->arena, jd_column, h->n_column);
    JD_TRY(jd_arena_status(f->follow->arena));
    for (int i = 0; i < h->n_column; i++)
        samples[i] = (jd_column){.name = h->column[i], .unit = i == 0 ? second : NULL};
    JD_TRY(jd_stream_open(f->follow->context, path, &f->hdf5));
    JD_TRY(jd_stream_table(f->hdf5, "samples", h->n_column, samples, &f->samples));
    JD_TRY(jd_stream_table(f->hdf5, "event_list", f->cells ? 7 : 6, events, &f->events));
    JD_TRY(open_energies(f));
    if (f->follow->field_every > 0) JD_TRY(open_field(f));
    jd_recording_add(f->follow,
                     (jd_sink){f, hdf5_sample, hdf5_event, f->field ? hdf5_field : NULL});
    return JD_OK;
}

// A row is through: a full disk ends the run. The caller's stream is asked by the caller.
static jd_status csv_end(csv *c) {
    fputc('\n', c->stream);
    if (c->file.stream && ferror(c->stream)) return jd_file_failed(&c->file, errno ? errno : EIO);
    return JD_OK;
}

static jd_status csv_sample(void *user, const double *row) {
    csv *c = user;
    errno = 0;
    for (int i = 0; i < c->owner->follow->head.n_column; i++)
        fprintf(c->stream, "%s%.17g", i ? "," : "", row[i]);
    return csv_end(c);
}

static jd_status csv_event(void *user, const jd_event *e) {
    csv *c = user;
    errno = 0;
    fprintf(c->stream, "%.17g,", e->t);
    jd_csv_text(contact_name(c->owner, e), c->stream);
    fprintf(c->stream, ",%c,%c,%.17g,%.17g", e->from, e->to, e->speed, e->impulse);
    if (c->owner->cells) fputc(',', c->stream);
    if (is_span(c->owner->follow->problem, e->contact)) fprintf(c->stream, "%d", e->cell);
    return csv_end(c);
}

static jd_status open_csv(jd_run_files *f, csv *c, const char *path, FILE *stream) {
    *c = (csv){.owner = f, .stream = stream};
    errno = 0;
    if (stream) return JD_OK;
    JD_TRY(jd_file_open(f->follow->context, path, &c->file));
    c->stream = c->file.stream;
    return JD_OK;
}

static jd_status open_samples_csv(jd_run_files *f, const jd_run_targets *to) {
    csv *c = &f->samples_csv;
    const jd_stream_head *h = &f->follow->head;
    JD_TRY(open_csv(f, c, to->csv, to->csv_stream));
    for (int i = 0; i < h->n_column; i++) {
        if (i) fputc(',', c->stream);
        jd_csv_text(h->column[i], c->stream);
    }
    jd_recording_add(f->follow, (jd_sink){.user = c, .sample = csv_sample});
    return csv_end(c);
}

static jd_status open_events_csv(jd_run_files *f, const char *path) {
    csv *c = &f->events_csv;
    JD_TRY(open_csv(f, c, path, NULL));
    fputs("t,contact,from,to,speed,impulse", c->stream);
    if (f->cells) fputs(",cell", c->stream);
    jd_recording_add(f->follow, (jd_sink){.user = c, .event = csv_event});
    return csv_end(c);
}

static jd_status open_all(jd_run_files *f, const jd_run_targets *to) {
    if (to->hdf5) JD_TRY(open_hdf5(f, to->hdf5));
    if (to->csv || to->csv_stream) JD_TRY(open_samples_csv(f, to));
    if (to->events) JD_TRY(open_events_csv(f, to->events));
    return JD_OK;
}

jd_status jd_run_files_open(jd_recording *follow, const jd_run_targets *to, jd_run_files **out) {
    *out = NULL;
    jd_run_files *f = JD_TAKE(follow->arena, jd_run_files, 1);
    JD_TRY(jd_arena_status(follow->arena));
    f->follow = follow;
    f->cells = has_spans(follow->problem);
    jd_status status = open_all(f, to);
    if (status == JD_OK)
        *out = f;
    else
        jd_run_files_abandon(f);
    return status;
}

static jd_status put_state(jd_run_files *f) {
    size_t size = jd_run_state_size(f->follow->run);
    void *block = jd_arena_take(f->follow->arena, size, 1);
    if (size == 0) return JD_OK;
    JD_TRY(jd_arena_status(f->follow->arena));
    JD_TRY(jd_run_state_save(f->follow->run, block, size));
    return jd_stream_bytes(f->hdf5, JD_STATE_NAME, block, size);
}

static jd_status commit_csv(csv *c) { return c->file.stream ? jd_file_commit(&c->file) : JD_OK; }

static jd_status commit(jd_run_files *f, const json_t *document, const jd_origin *origin) {
    if (f->hdf5) {
        JD_TRY(put_state(f));
        jd_stream *s = f->hdf5;
        f->hdf5 = NULL; // commit frees it
        JD_TRY(jd_stream_commit(s, document, origin));
    }
    JD_TRY(commit_csv(&f->samples_csv));
    return commit_csv(&f->events_csv);
}

jd_status jd_run_files_commit(jd_run_files *f, const json_t *document, const jd_origin *origin) {
    jd_status status = commit(f, document, origin);
    jd_run_files_abandon(f);
    return status;
}

void jd_run_files_abandon(jd_run_files *f) {
    if (!f) return;
    jd_stream_abandon(f->hdf5);
    if (f->samples_csv.file.stream) jd_file_abandon(&f->samples_csv.file);
    if (f->events_csv.file.stream) jd_file_abandon(&f->events_csv.file);
    *f = (jd_run_files){.follow = f->follow};
}
