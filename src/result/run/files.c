// files.c -- sinks into files: samples and events in HDF5 and CSV, row by row as they come.
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "result/file/file.h"
#include "result/file/hdf5_stream.h"
#include "result/result.h"
#include "result/run/run.h"

typedef struct csv {
    jd_run_files *owner;
    jd_file file; // stream NULL: not open
    FILE *stream;
} csv;

struct jd_run_files {
    jd_recording *follow;
    jd_stream *hdf5;
    jd_stream_columns *samples, *events, *field, *energies;
    int n_energy, n_field; // columns
    const double **cell;   // scratch: n_field
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
    for (int i = 0; i < f->follow->head.n_column; i++) jd_stream_real(f->samples, row[i]);
    JD_TRY(jd_stream_row(f->samples));
    if (!f->energies) return JD_OK;
    double energies[JD_ENERGY_COUNT + 2];
    jd_energies_row(f->follow, row[0], energies);
    for (int i = 0; i < f->n_energy; i++) jd_stream_real(f->energies, energies[i]);
    return jd_stream_row(f->energies);
}

static jd_status hdf5_event(void *user, const jd_event *e) {
    jd_run_files *f = user;
    jd_stream_real(f->events, e->t);
    jd_stream_text(f->events, contact_name(f, e));
    jd_stream_text(f->events, (char[]){jd_contact_letter(e->from), '\0'});
    jd_stream_text(f->events, (char[]){jd_contact_letter(e->to), '\0'});
    jd_stream_real(f->events, e->speed);
    jd_stream_real(f->events, e->impulse);
    if (f->cells)
        jd_stream_real(f->events, is_span(f->follow->problem, e->contact) ? e->cell : (double)NAN);
    return jd_stream_row(f->events);
}

static jd_status hdf5_field(void *user, double t) {
    jd_run_files *f = user;
    jd_field_row(f->follow, &t, f->cell);
    for (int i = 0; i < f->n_field; i++) jd_stream_reals(f->field, f->cell[i]);
    return jd_stream_row(f->field);
}

// A table of these columns in the file, with their units.
static jd_status open_table(jd_run_files *f, const char *name, const jd_columns *head,
                            jd_stream_columns **out) {
    bool si = jd_problem_is_si(f->follow->problem);
    jd_stream_column *c = JD_TAKE(f->follow->arena, jd_stream_column, head->n_column);
    JD_TRY(jd_arena_status(f->follow->arena));
    for (int i = 0; i < head->n_column; i++)
        c[i] = (jd_stream_column){.name = head->name[i],
                                  .unit = si ? jd_column_unit(head->name[i]) : NULL,
                                  .count = head->width ? head->width[i] : 0};
    return jd_stream_table(f->hdf5, name, head->n_column, c, out);
}

// What became of the energy until each sample, and how a change of the start has grown; no table
// where neither is known. With fields, another of whole arrays.
static jd_status open_tables(jd_run_files *f) {
    jd_columns head;
    JD_TRY(jd_energies_head(f->follow, &head));
    f->n_energy = head.n_column;
    if (head.n_column > 0) JD_TRY(open_table(f, "energies", &head, &f->energies));
    if (!(f->follow->field_every > 0)) return JD_OK;
    JD_TRY(jd_field_head(f->follow, &head));
    f->n_field = head.n_column;
    f->cell = JD_TAKE(f->follow->arena, const double *, head.n_column);
    JD_TRY(jd_arena_status(f->follow->arena));
    return open_table(f, "field", &head, &f->field);
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
    const jd_stream_column events[] = {{.name = "t", .unit = second},
                                       {.name = "contact", .width = longest_name(h->problem)},
                                       {.name = "from", .width = 1},
                                       {.name = "to", .width = 1},
                                       {.name = "speed", .unit = speed},
                                       {.name = "impulse", .unit = impulse},
                                       {.name = "cell"}};
    const jd_columns samples = {.n_column = h->n_column, .name = h->column};
    JD_TRY(jd_stream_open(f->follow->context, path, &f->hdf5));
    JD_TRY(open_table(f, "samples", &samples, &f->samples));
    JD_TRY(jd_stream_table(f->hdf5, "event_list", f->cells ? 7 : 6, events, &f->events));
    JD_TRY(open_tables(f));
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
    fprintf(c->stream, ",%c,%c,%.17g,%.17g", jd_contact_letter(e->from), jd_contact_letter(e->to),
            e->speed, e->impulse);
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

// The i-th head of a column, with its unit where the model has units: `tip.u [m]`.
static void csv_head(csv *c, int i, const char *name) {
    static const char *const events[][2] = {{"speed", "m/s"}, {"impulse", "N s"}};
    const char *unit = jd_column_unit(name);
    char head[400];
    for (size_t k = 0; !unit && k < sizeof events / sizeof *events; k++)
        if (strcmp(name, events[k][0]) == 0) unit = events[k][1];
    bool told = unit && unit[0] && jd_problem_is_si(c->owner->follow->problem);
    snprintf(head, sizeof head, told ? "%s [%s]" : "%s", name, unit ? unit : "");
    if (i) fputc(',', c->stream);
    jd_csv_text(head, c->stream);
}

static jd_status open_samples_csv(jd_run_files *f, const jd_run_targets *to) {
    csv *c = &f->samples_csv;
    const jd_stream_head *h = &f->follow->head;
    JD_TRY(open_csv(f, c, to->csv, to->csv_stream));
    for (int i = 0; i < h->n_column; i++) csv_head(c, i, h->column[i]);
    jd_recording_add(f->follow, (jd_sink){.user = c, .sample = csv_sample});
    return csv_end(c);
}

static jd_status open_events_csv(jd_run_files *f, const jd_run_targets *to) {
    csv *c = &f->events_csv;
    JD_TRY(open_csv(f, c, to->events, to->events_stream));
    static const char *const head[] = {"t", "contact", "from", "to", "speed", "impulse", "cell"};
    for (int i = 0; i < (f->cells ? 7 : 6); i++) csv_head(c, i, head[i]);
    jd_recording_add(f->follow, (jd_sink){.user = c, .event = csv_event});
    return csv_end(c);
}

static jd_status open_all(jd_run_files *f, const jd_run_targets *to) {
    if (to->hdf5) JD_TRY(open_hdf5(f, to->hdf5));
    if (to->csv || to->csv_stream) JD_TRY(open_samples_csv(f, to));
    if (to->events || to->events_stream) JD_TRY(open_events_csv(f, to));
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

static jd_status commit_hdf5(jd_run_files *f, const jd_result *result) {
    const jd_origin origin = {result->head.command, result->head.model, &jd_record_run, NULL};
    json_t *document = jd_result_document(result, JD_FACE_STREAM);
    if (!document) return JD_OUT_OF_MEMORY;
    jd_stream *s = f->hdf5;
    f->hdf5 = NULL; // commit frees it
    jd_status status = jd_stream_commit(s, document, &origin);
    json_decref(document);
    return status;
}

static jd_status commit(jd_run_files *f, const jd_result *result) {
    if (f->hdf5) JD_TRY(put_state(f));
    if (f->hdf5) JD_TRY(commit_hdf5(f, result));
    JD_TRY(commit_csv(&f->samples_csv));
    return commit_csv(&f->events_csv);
}

jd_status jd_run_files_commit(jd_run_files *f, const jd_result *result) {
    jd_status status = commit(f, result);
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
