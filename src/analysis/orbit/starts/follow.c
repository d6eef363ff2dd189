// follow.c -- starts to what they lead to.
//   In blocks by several threads, each with its own context and copy of the problem: bits do not
//   depend on the number of threads.
#include <string.h>

#include "analysis/orbit/starts/parts.h"
#include "problem/parts.h"

#ifdef _OPENMP
#include <omp.h>
#endif

static bool halted(void *user) {
    jd_attractors *a = user;
    return !a->finishing && atomic_load(&a->halt);
}

// The first thread is the caller's: only it asks the caller's hooks.
static bool asked(void *user) {
    jd_attractors *a = user;
    if (!a->finishing && jd_stop_wanted(a->context)) atomic_store(&a->halt, true);
    return halted(a);
}

jd_status jd_starts_open_worker(jd_attractors *a, bool (*stop)(void *), start_worker *w) {
    jd_context_def def = jd_default_context_def();
    def.stop = stop;
    def.user = a;
    w->context = jd_context_create(&def);
    if (w->context && jd_problem_copy(w->context, a->problem, &w->problem) == JD_OK) return JD_OK;
    return jd_fail(a->context, JD_OUT_OF_MEMORY, "not enough memory for one more thread");
}

jd_status jd_starts_open_workers(jd_attractors *a) {
    int most = 1;
#ifdef _OPENMP
    most = a->options.threads > 0 ? a->options.threads : omp_get_num_procs();
#endif
    if (most > a->starts) most = a->starts;
    if (most > JD_START_BLOCK) most = JD_START_BLOCK;
    a->worker = JD_TAKE(a->arena, start_worker, most);
    JD_TRY(jd_arena_status(a->arena));
    for (int i = 0; i < most; i++)
        JD_TRY(jd_starts_open_worker(a, i == 0 ? asked : halted, &a->worker[a->n_worker++]));
    return JD_OK;
}

jd_status jd_starts_failed(jd_attractors *a, const start_worker *by, jd_status status) {
    const jd_error *e = jd_context_error(by->context);
    if (e->status == JD_OK) return status; // it is in the caller's context
    jd_fail(a->context, status, "%s", e->message);
    if (e->where[0]) jd_fail_where(a->context, "%s", e->where);
    if (e->hint[0]) jd_fail_hint(a->context, "%s", e->hint);
    return status;
}

static void follow_start(jd_attractors *a, jd_orbit_options options, int i) {
    start_trial *t = &a->trial[i];
    int number = 0;
#ifdef _OPENMP
    number = omp_get_thread_num();
#endif
    t->by = &a->worker[number];
    if (t->by->context == a->worker[0].context ? asked(a) : halted(a)) return;
    options.settle = a->settle;
    options.state = t->state;
    options.phase = t->letters;
    t->status = jd_orbit_create(t->by->context, t->by->problem, &options, &t->orbit);
    if (t->status != JD_OK) atomic_store(&a->halt, true);
}

// The first failure of a block, in the order of the starts that were followed.
static jd_status failure(jd_attractors *a, int n) {
    for (int i = 0; i < n; i++)
        if (a->trial[i].status != JD_OK)
            return jd_starts_failed(a, a->trial[i].by, a->trial[i].status);
    return JD_OK;
}

static void free_trials(jd_attractors *a, int n) {
    for (int i = 0; i < n; i++) jd_orbit_free(a->trial[i].orbit);
    for (int i = 0; i < n; i++) a->trial[i].orbit = NULL;
}

jd_status jd_starts_follow(jd_attractors *a, int n) {
    for (int i = 0; i < n; i++) {
        start_trial *t = &a->trial[i];
        t->status = JD_OK;
        t->orbit = NULL;
        JD_TRY(jd_starts_draw(a, t->number));
        memcpy(t->state, a->state, (size_t)a->shooting->n * sizeof *a->state);
        memcpy(t->letters, a->letters, (size_t)a->phase.n + 1);
    }
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 1) num_threads(a->n_worker)
#endif
    for (int i = 0; i < n; i++) follow_start(a, a->options, i);
    jd_status status = failure(a, n);
    if (status != JD_OK) free_trials(a, n);
    return status;
}

// The block's orbits become landings, which `finished` takes first. Cut short, none of them counts.
static jd_status land(jd_attractors *a, const jd_starts_options *o, int n) {
    jd_status status = JD_OK;
    for (int i = 0; i < n && status == JD_OK && !halted(a); i++) {
        start_trial *t = &a->trial[i];
        landing *l = jd_landing_of(a, t->orbit);
        t->orbit = NULL;
        if (!l) status = jd_arena_status(a->arena);
        a->at[t->number] = l;
        if (l && o->finished) status = o->finished(o->user, a, t->number);
        if (l && o->pass_on) {
            jd_landing_drop(a, l);
            a->at[t->number] = NULL;
        } else if (status == JD_OK)
            status = jd_starts_sort(a);
    }
    free_trials(a, n);
    return status;
}

// The next starts from *next on that are not done.
static int choose(jd_attractors *a, int *next, int end) {
    int most = 4 * a->n_worker < JD_START_BLOCK ? 4 * a->n_worker : JD_START_BLOCK, n = 0;
    for (; *next < end && n < most; ++*next)
        if (!jd_attractors_is_done(a, *next)) a->trial[n++].number = *next;
    return n;
}

jd_status jd_attractors_follow(jd_attractors *a, const jd_starts_options *options, bool *complete) {
    const jd_starts_options o = options ? *options : (jd_starts_options){0};
    int next = o.first, end = o.n > 0 ? o.first + o.n : a->starts;
    *complete = false;
    if (next < 0 || end > a->starts)
        return jd_fail(a->context, JD_BAD_ARGUMENT, "there are %d starts only", a->starts);
    while (!asked(a)) {
        int n = choose(a, &next, end);
        *complete = n == 0;
        if (*complete) return JD_OK;
        JD_TRY(jd_starts_follow(a, n));
        JD_TRY(land(a, &o, n));
        if (!asked(a))
            jd_progress(a->context, "starts", (double)(next - o.first) / (end - o.first));
    }
    return JD_OK;
}
