// run.c -- the cases of a batch, shared out to threads.
//   Every case has a context and a problem of its own: a copy of the model's with numbers set, or
//   read anew where a value is a text. Bits depend neither on the number of threads nor on their
//   order.
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "result/batch/batch.h"
#include "result/run/run.h"

#ifdef _OPENMP
#include <omp.h>
#endif

typedef struct team {
    jd_batch_work *batch;
    const jd_batch_options *options;
    int first, end; // cases
    atomic_bool halt;
    atomic_int next;
    atomic_int done;
    atomic_bool no_memory;
    jd_status status; // of `finished`; guarded
} team;

static bool halted(void *user) { return atomic_load(&((team *)user)->halt); }

// The caller's own thread asks the caller's hooks.
static bool asked(void *user) {
    team *t = user;
    if (jd_stop_wanted(t->batch->context)) atomic_store(&t->halt, true);
    return halted(t);
}

static bool is_first(void) {
#ifdef _OPENMP
    return omp_get_thread_num() == 0;
#else
    return true;
#endif
}

static bool is_number(const char *text, double *out) {
    char *end;
    *out = strtod(text, &end);
    return end != text && !*end && isfinite(*out);
}

// The model read with the texts of a row; *out stays NULL where all of them are numbers.
static jd_status read_texts(const jd_batch_work *b, jd_arena *arena, const char *const *value,
                            jd_problem **out) {
    jd_model_def def = *b->model;
    const char **set = JD_TAKE(arena, const char *, def.n_set + b->cases->n_parameter);
    double number;
    JD_TRY(jd_arena_status(arena));
    if (def.n_set) memcpy(set, def.set, (size_t)def.n_set * sizeof *set);
    for (int k = 0; k < b->cases->n_parameter; k++)
        if (value[k][0] && !is_number(value[k], &number))
            set[def.n_set++] = jd_arena_format(arena, "%s=%s", b->cases->parameter[k], value[k]);
    JD_TRY(jd_arena_status(arena));
    if (def.n_set == b->model->n_set) return JD_OK;
    def.set = set;
    return jd_model_create(jd_arena_context(arena), &def, out);
}

static jd_status make_problem(const jd_batch_work *b, jd_arena *arena, const char *const *value,
                              jd_problem **out) {
    double number;
    JD_TRY(read_texts(b, arena, value, out));
    if (!*out) JD_TRY(jd_problem_copy(jd_arena_context(arena), b->problem, out));
    for (int k = 0; k < b->cases->n_parameter; k++)
        if (is_number(value[k], &number))
            JD_TRY(jd_problem_set(*out, b->cases->parameter[k], number, NULL));
    return jd_problem_build(*out);
}

// Contacts of the case by their names in the model; those that are not there stay NaN.
static void take_contacts(const jd_batch_work *b, int i, const jd_run_result *r) {
    for (int j = 0; j < jd_problem_contacts(b->problem); j++) {
        const char *name = jd_problem_contact(b->problem, j)->name;
        int k = 0;
        while (k < r->n_contact && strcmp(r->contact[k].name, name) != 0) k++;
        if (k == r->n_contact) continue;
        const jd_contact_result *c = &r->contact[k];
        const jd_range *range[] = {&c->range.displacement, &c->range.velocity, &c->range.force};
        double **column = b->column + (ptrdiff_t)JD_BATCH_NUMBERS * j;
        for (int q = 0; q < 3 && c->known; q++) {
            column[2 * q][i] = range[q]->min;
            column[2 * q + 1][i] = range[q]->max;
        }
        column[6][i] = c->friction;
        column[7][i] = c->impacts;
    }
}

static jd_status simulate(const jd_batch_work *b, int i, jd_problem *problem, jd_context *context) {
    jd_recording *f = NULL;
    jd_result *result = NULL;
    jd_status s = jd_recording_create(context, problem, &f);
    if (s == JD_OK) s = jd_recording_begin(f, (jd_keep){.lists = false}, &result);
    if (s == JD_OK) s = jd_recording_run(f);
    if (s == JD_OK) s = jd_recording_end(f, result);
    if (s == JD_OK) {
        const jd_run_result *r = jd_result_run(result);
        const jd_certificate *c = &r->certificate;
        double residual = r->has_ledger ? r->ledger.residual : (double)NAN;
        b->item[i] = (jd_batch_case){r->stop != JD_STOP_INTERRUPTED,
                                     JD_OK,
                                     "",
                                     r->stop,
                                     r->t_end,
                                     r->count.total,
                                     c->undecided,
                                     c->certified,
                                     residual};
        if (b->item[i].done) take_contacts(b, i, r);
    }
    jd_recording_free(f);
    jd_result_free(result);
    return s;
}

// What was wrong is noted with the case.
static void note(team *t, int i, jd_status status, const jd_context *context) {
    jd_batch_work *b = t->batch;
    const jd_error *e = jd_context_error(context);
    const char *where = e->where[0] ? e->where : NULL;
    char *text = where ? jd_arena_format(b->arena, "%s: %s", where, e->message)
                       : jd_arena_text(b->arena, e->message);
    b->item[i] = (jd_batch_case){.done = true, .status = status, .message = text ? text : ""};
    b->item[i].t_end = b->item[i].residual = (double)NAN;
}

// What is there of the case goes to who asked for it.
static void finish(team *t, int i) {
    const jd_batch_options *o = t->options;
    if (!o->finished || !t->batch->item[i].done || t->status != JD_OK) return;
    t->status = o->finished(o->user, t->batch, i);
    if (t->status != JD_OK) atomic_store(&t->halt, true);
}

static void compute(team *t, int i) {
    jd_batch_work *b = t->batch;
    jd_context_def def = jd_default_context_def();
    def.stop = is_first() ? asked : halted;
    def.user = t;
    jd_context *context = jd_context_create(&def);
    jd_arena *arena = context ? jd_arena_create(context) : NULL;
    jd_problem *problem = NULL;
    const char *const *value = b->cases->value + (ptrdiff_t)i * b->cases->n_parameter;
    jd_status s = arena ? make_problem(b, arena, value, &problem) : JD_OUT_OF_MEMORY;
    if (s == JD_OK) s = simulate(b, i, problem, context);
#ifdef _OPENMP
#pragma omp critical(jd_batch_team)
#endif
    {
        if (s != JD_OK && arena) note(t, i, s, context);
        if (arena) finish(t, i);
    }
    if (!arena) atomic_store(&t->no_memory, true);
    atomic_fetch_add(&t->done, 1);
    jd_problem_free(problem);
    if (arena) jd_arena_free(arena);
    jd_context_free(context);
}

static void work(team *t) {
    bool (*stop)(void *) = is_first() ? asked : halted;
    int n = t->end - t->first;
    for (int i; !atomic_load(&t->no_memory) && !stop(t) &&
                (i = t->first + atomic_fetch_add(&t->next, 1)) < t->end;) {
        if (t->batch->item[i].done)
            atomic_fetch_add(&t->done, 1);
        else
            compute(t, i);
        if (is_first()) jd_progress(t->batch->context, "batch", (double)atomic_load(&t->done) / n);
    }
}

#ifdef _OPENMP
static int team_size(const team *t) {
    int threads = t->batch->cases->threads, n = t->end - t->first;
    if (threads == 0) threads = omp_get_num_procs();
    return threads < n ? threads : n;
}
#endif

jd_status jd_batch_work_run(jd_batch_work *b, const jd_batch_options *options, bool *complete) {
    const jd_batch_options o = options ? *options : (jd_batch_options){0};
    team t = {.batch = b, .options = &o, .first = o.first};
    t.end = o.n > 0 ? o.first + o.n : b->cases->n;
    *complete = false;
    if (t.first < 0 || t.end > b->cases->n)
        return jd_fail(b->context, JD_BAD_ARGUMENT, "there are %d cases only", b->cases->n);
    // (asked here too: the other threads may be done before the first one asks)
    atomic_init(&t.halt, jd_stop_wanted(b->context));
    atomic_init(&t.next, 0);
    atomic_init(&t.done, 0);
    atomic_init(&t.no_memory, false);
#ifdef _OPENMP
#pragma omp parallel num_threads(team_size(&t))
#endif
    work(&t);
    if (atomic_load(&t.no_memory))
        return jd_fail(b->context, JD_OUT_OF_MEMORY, "not enough memory for one more case");
    if (t.status != JD_OK) return t.status;
    *complete = true;
    for (int i = t.first; i < t.end; i++) *complete = *complete && b->item[i].done;
    return jd_arena_status(b->arena);
}
