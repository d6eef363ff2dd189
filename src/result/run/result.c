// result.c -- a run as a result: made of what the engine reports when it has ended.
#include <math.h>
#include <string.h>

#include "engine/driving.h"
#include "problem/interface.h"
#include "result/result.h"
#include "result/run/keep.h"
#include "result/run/run.h"
#include "result/run/wav.h"

static const char *copied(jd_arena *arena, const char *text) {
    return text ? jd_arena_text(arena, text) : NULL;
}

static double *copied_reals(jd_arena *arena, int n, const double *value) {
    double *out = JD_TAKE(arena, double, n);
    if (out && n > 0) memcpy(out, value, (size_t)n * sizeof *out);
    return out;
}

static jd_status take_head(jd_recording *f, jd_arena *a, const jd_report *p, jd_run_result *r) {
    const jd_engine_info *engine;
    const char *why = NULL;
    if (jd_engine_choose(f->problem, &engine, &why) != JD_OK) why = NULL;
    r->engine = copied(a, p->engine);
    r->engine_why = copied(a, why);
    r->t_start = f->start;
    r->t_end = p->t;
    r->stop = p->stop == JD_STOP_NONE ? JD_STOP_END : p->stop;
    r->note = copied(a, p->note);
    r->critical = copied(a, p->critical);
    r->certificate = p->certificate;
    r->certificate.method = copied(a, p->certificate.method);
    r->horizon = p->horizon;
    r->grid = p->grid;
    r->grid.friction_rule = copied(a, p->grid.friction_rule);
    return jd_arena_status(a);
}

static jd_status take_contacts(jd_recording *f, jd_arena *a, jd_run_result *r) {
    int m = r->n_contact = r->n_name = jd_problem_contacts(f->problem);
    bool track = jd_run_can_track(f->run);
    jd_contact_ranges *range = JD_TAKE(a, jd_contact_ranges, m);
    JD_TRY(jd_arena_status(a));
    if (track) JD_TRY(jd_run_ranges(f->run, range));
    JD_TRY(jd_contacts_of(a, f->problem, track ? range : NULL, &r->contact, &r->contact_name));
    for (int j = 0; j < m; j++) ((jd_contact_result *)r->contact)[j].count = f->count[j];
    r->count = f->count[m];
    return JD_OK;
}

static jd_status take_energy(jd_recording *f, jd_arena *a, const jd_report *p, jd_run_result *r) {
    const jd_ledger *l = &p->ledger;
    r->no_energy = copied(a, p->no_energy);
    r->has_ledger = l->drive != NULL;
    if (!l->drive) return jd_arena_status(a);
    r->n_drive = jd_problem_drives(f->problem);
    jd_named_real *drive = JD_TAKE(a, jd_named_real, r->n_drive);
    JD_TRY(jd_arena_status(a));
    for (int d = 0; d < r->n_drive; d++)
        drive[d] = (jd_named_real){jd_problem_drive(f->problem, d)->name, l->drive[d]};
    for (int j = 0; j < r->n_contact; j++) {
        jd_contact_result *c = (jd_contact_result *)&r->contact[j];
        c->friction = l->contact[j];
        c->impacts = l->impact[j];
        c->belt = l->belt[j];
        c->wear = l->wear ? l->wear[j] : l->contact[j]; // the same, but for engine series
    }
    r->drive = drive;
    r->ledger = *l;
    r->ledger.drive = r->ledger.contact = r->ledger.impact = r->ledger.belt = r->ledger.wear = NULL;
    return JD_OK;
}

static jd_status take_phases(jd_recording *f, jd_arena *a, jd_run_result *r) {
    const jd_phase_share *other = &f->share[JD_PHASE_WORDS];
    jd_phase_result *list = JD_TAKE(a, jd_phase_result, f->n_share + 1);
    JD_TRY(jd_arena_status(a));
    for (int i = 0; i < f->n_share; i++)
        list[i] =
            (jd_phase_result){copied(a, f->share[i].word), f->share[i].visits, f->share[i].time};
    r->n_phase = f->n_share;
    if (other->visits > 0)
        list[r->n_phase++] = (jd_phase_result){"other", other->visits, other->time};
    r->phase = list;
    r->final.phase = copied(a, jd_run_phase(f->run));
    return jd_arena_status(a);
}

// Share of the cells that slide, by length.
static double sliding(const jd_interface_field *c) {
    double all = 0, some = 0;
    for (int j = 0; j < c->n; j++) {
        all += c->length[j];
        some += fabs(c->state[j]) == 1 ? c->length[j] : 0;
    }
    return all > 0 ? some / all : 0;
}

static jd_status take_interfaces(jd_recording *f, jd_arena *a, jd_run_result *r) {
    jd_interface_result *list = JD_TAKE(a, jd_interface_result, r->n_contact);
    JD_TRY(jd_arena_status(a));
    for (int j = 0; j < r->n_contact; j++) {
        jd_interface_field c;
        if (!jd_run_interface(f->run, j, &c)) continue;
        list[r->n_interface++] =
            (jd_interface_result){.name = r->contact[j].name,
                                  .n = c.n,
                                  .slip = c.slip,
                                  .stick = c.stick,
                                  .reversal = c.reversal,
                                  .sliding = sliding(&c),
                                  .position = copied_reals(a, c.n, c.position),
                                  .displacement = copied_reals(a, c.n, c.displacement),
                                  .force = copied_reals(a, c.n, c.force),
                                  .loss = copied_reals(a, c.n, c.loss)};
    }
    r->interface = list;
    return jd_arena_status(a);
}

// Positions of the nodes of each body, and the largest axial forces at them.
static jd_status take_positions(jd_recording *f, jd_arena *a, jd_run_result *r) {
    int n = jd_problem_bodies(f->problem);
    jd_named_reals *list = JD_TAKE(a, jd_named_reals, 3 * n);
    JD_TRY(jd_arena_status(a));
    for (int b = 0, nodes; b < n; b++) {
        jd_body_field body;
        const double *pull, *push;
        const char *name = jd_problem_body(f->problem, b)->name;
        if (!jd_run_body(f->run, b, &body)) continue;
        if (!name[0]) name = "structure";
        list[r->n_grid++] = (jd_named_reals){name, body.n, copied_reals(a, body.n, body.position)};
        if (!jd_run_extremes(f->run, b, &nodes, &pull, &push)) continue;
        list[r->n_grid++] = (jd_named_reals){jd_arena_format(a, "%s.tension", name), nodes,
                                             copied_reals(a, nodes, pull)};
        list[r->n_grid++] = (jd_named_reals){jd_arena_format(a, "%s.compression", name), nodes,
                                             copied_reals(a, nodes, push)};
    }
    r->positions = list;
    return jd_arena_status(a);
}

// The end of the run to be read (the file's `state` is for restarts): modes and recorded points.
static jd_status take_final(jd_recording *f, jd_arena *a, jd_run_result *r) {
    int n = jd_run_modal_size(f->run) / 2;
    double *state = JD_TAKE(a, double, 2 * n);
    jd_point_result *point = JD_TAKE(a, jd_point_result, f->n_point);
    JD_TRY(jd_arena_status(a));
    if (n > 0) jd_run_modal_state(f->run, state);
    r->final.n_mode = n;
    r->final.q = state;
    r->final.rate = state + n;
    if (f->n_point > 0) jd_run_observe(f->run, r->t_end, f->u, f->v);
    for (int i = 0, body; i < f->n_point; i++) {
        double position;
        char *name = jd_arena_text(a, f->head.column[1 + 2 * i]); // "tip.u"
        JD_TRY(jd_arena_status(a));
        name[strlen(name) - 2] = '\0';
        point[i] = (jd_point_result){name, f->u[i], f->v[i], (double)NAN};
        if (f->field_every > 0 &&
            jd_problem_position(f->problem, NULL, name, &body, &position) == JD_OK)
            point[i].position = position;
    }
    r->final.n_point = f->n_point;
    r->final.point = point;
    return JD_OK;
}

jd_status jd_recording_begin(jd_recording *f, jd_keep keep, jd_result **out) {
    JD_TRY(jd_result_create(f->context, f->problem, JD_RESULT_RUN, out));
    jd_status s = JD_OK;
    if (keep.lists) s = jd_kept_begin(f, (*out)->arena, keep, &f->kept);
    return jd_result_end(s, out);
}

jd_status jd_recording_end(jd_recording *f, jd_result *result) {
    jd_arena *a = result->arena;
    jd_run_result *r = result->content;
    jd_report report;
    jd_run_report(f->run, &report);
    JD_TRY(take_head(f, a, &report, r));
    JD_TRY(take_contacts(f, a, r));
    JD_TRY(take_energy(f, a, &report, r));
    JD_TRY(take_phases(f, a, r));
    JD_TRY(take_interfaces(f, a, r));
    JD_TRY(jd_blows_result_of(f, a, &r->blows));
    if (f->field_every > 0 || f->blows) JD_TRY(take_positions(f, a, r));
    JD_TRY(take_final(f, a, r));
    return f->kept ? jd_kept_end(f->kept, r->count.total, &r->lists) : JD_OK;
}

// The recording with its files: opened before it runs, named after it.
static jd_status record(jd_recording *f, const jd_record_options *o, jd_result **out) {
    const jd_run_targets to = {.hdf5 = o->file, .events = o->events};
    jd_run_files *files = NULL;
    jd_wav *wav = NULL;
    if (o->horizon) JD_TRY(jd_run_horizon(f->run));
    if (o->wav) JD_TRY(jd_wav_create(f, o->wav, o->rate ? o->rate : 44100, o->signal, &wav));
    jd_status s = jd_run_files_open(f, &to, &files);
    if (s == JD_OK) s = jd_recording_begin(f, (jd_keep){.lists = true, .tables = true}, out);
    if (s == JD_OK) s = jd_recording_run(f);
    if (s == JD_OK) s = jd_recording_end(f, *out);
    if (s == JD_OK) s = jd_run_files_commit(files, *out);
    if (s == JD_OK && wav) s = jd_wav_commit(wav, NULL, NULL);
    jd_wav_free(wav);
    jd_run_files_abandon(files);
    return s;
}

jd_status jd_result_of_run_with(jd_context *context, jd_problem *problem,
                                const jd_record_options *options, jd_result **out) {
    static const jd_record_options none = {.horizon = false};
    jd_recording *f = NULL;
    *out = NULL;
    jd_status s = jd_recording_create(context, problem, &f);
    if (s == JD_OK) s = record(f, options ? options : &none, out);
    jd_recording_free(f);
    return *out ? jd_result_end(s, out) : s;
}

jd_status jd_result_of_run(jd_context *context, jd_problem *problem, jd_result **out) {
    return jd_result_of_run_with(context, problem, NULL, out);
}
