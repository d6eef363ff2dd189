// attractors.c -- which attractors a problem has: random starts, each followed to its orbit.
#include <string.h>

#include "analysis/orbit/seek.h"
#include "analysis/orbit/starts/parts.h"
#include "problem/parts.h"

void jd_attractors_free(jd_attractors *a) {
    if (!a) return;
    for (int i = 0; i < a->n; i++) jd_orbit_free(a->first[i]->orbit);
    for (int i = a->sorted; a->at && i < a->starts; i++)
        if (a->at[i]) jd_orbit_free(a->at[i]->orbit);
    for (int i = 0; i < a->n_worker; i++) {
        jd_problem_free(a->worker[i].problem);
        jd_context_free(a->worker[i].context);
    }
    jd_run_free(a->run);
    jd_problem_free(a->judge.problem);
    jd_context_free(a->judge.context);
    jd_arena_free(a->arena);
}

int jd_attractors_count(const jd_attractors *a) { return a->n; }
int jd_attractors_lost(const jd_attractors *a) { return a->lost; }
int jd_attractors_longest(const jd_attractors *a) { return a->longest; }
int jd_attractors_starts(const jd_attractors *a) { return a->sorted; }
const jd_attractor *jd_attractor_look(const jd_attractors *a, int i) {
    return i >= 0 && i < a->n ? &a->list[i] : NULL;
}

bool jd_attractors_is_done(const jd_attractors *a, int start) {
    return start < a->sorted || a->at[start];
}

static jd_status prepare(jd_attractors *a) {
    JD_TRY(jd_starts_open_worker(a, NULL, &a->judge));
    jd_status status = jd_run_create(a->judge.context, a->judge.problem, &a->run);
    if (status == JD_OK) jd_run_for_analysis(a->run);
    if (status == JD_OK) status = jd_shooting_create(a->run, a->arena, &a->shooting);
    if (status != JD_OK) return jd_starts_failed(a, &a->judge, status);
    int n = a->shooting->n;
    a->spread = JD_TAKE(a->arena, double, n);
    a->state = JD_TAKE(a->arena, double, n);
    a->phase.n = jd_problem_contacts(a->problem);
    a->letters = JD_TAKE(a->arena, char, a->phase.n + 1);
    a->trial = JD_TAKE(a->arena, start_trial, JD_START_BLOCK);
    for (int i = 0; a->trial && i < JD_START_BLOCK; i++) {
        a->trial[i].state = JD_TAKE(a->arena, double, n);
        a->trial[i].letters = JD_TAKE(a->arena, char, a->phase.n + 1);
    }
    a->at = JD_TAKE(a->arena, landing *, a->starts);
    a->first = JD_TAKE(a->arena, landing *, a->starts);
    a->first_start = JD_TAKE(a->arena, int, a->starts);
    a->list = JD_TAKE(a->arena, jd_attractor, a->starts);
    return jd_arena_status(a->arena);
}

jd_status jd_attractors_open(jd_context *context, jd_problem *problem,
                             const jd_orbit_options *options, int starts, uint64_t seed,
                             jd_attractors **out) {
    *out = NULL;
    if (options) JD_TRY(jd_orbit_check_options(context, options));
    JD_TRY(jd_problem_build(problem));
    jd_arena *arena = jd_arena_create(context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_attractors *a = JD_TAKE(arena, jd_attractors, 1);
    jd_status status = jd_arena_status(arena);
    if (status != JD_OK) {
        jd_arena_free(arena);
        return status;
    }
    *a = (jd_attractors){.context = context,
                         .problem = problem,
                         .arena = arena,
                         .starts = starts,
                         .seed = seed,
                         .options = options ? *options : jd_default_orbit_options()};
    atomic_init(&a->halt, false);
    if (a->options.periods == 0) a->options.periods = -1; // starts may lead to different periods
    status = prepare(a);
    if (status == JD_OK) status = jd_starts_scale(a);
    if (status == JD_OK) status = jd_starts_open_workers(a);
    if (status == JD_OK)
        *out = a;
    else
        jd_attractors_free(a);
    return status;
}

jd_status jd_attractors_create(jd_context *context, jd_problem *problem,
                               const jd_orbit_options *options, int starts, uint64_t seed,
                               jd_attractors **out) {
    bool complete;
    JD_TRY(jd_attractors_open(context, problem, options, starts, seed, out));
    jd_status status = jd_attractors_follow(*out, NULL, &complete);
    if (status == JD_OK) status = jd_attractors_finish(*out);
    if (status == JD_OK) return JD_OK;
    jd_attractors_free(*out);
    *out = NULL;
    return status;
}
