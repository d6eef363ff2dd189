// starts.c -- which attractors a problem has: random starts, each followed to its orbit.
//   A start is x_k = 2 a_k r_k, r_k uniform in (-1, 1), a_k the largest |x_k| on the first orbit
//   found (from the model's own start). Starts beyond a stop are drawn closer to rest until they
//   are inside. Two orbits are one when their states at the drive's phase 0 agree, whichever of its
//   periods is taken first; autonomous ones when period and extremes agree. Motions that come to
//   rest are one attractor for each set of contact states they rest with; so are orbits on which
//   contacts hold all along, which rest elsewhere after every start.
//   Starts are drawn in their order, followed to their orbits in blocks by several threads, each
//   with its own context and copy of the problem, and sorted in their order: bits do not depend on
//   the number of threads.
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "analysis/orbit/shooting.h"
#include "contact/law.h"
#include "judder/orbit.h"
#include "problem/parts.h"

#ifdef _OPENMP
#include <omp.h>
#endif

enum { SPREAD_SAMPLES = 64, BLOCK = 64 };
static const double same = 1e-6; // of the size: closer orbits are one

// What belongs to one thread; its orbits need both as long as they live.
typedef struct worker {
    jd_context *context;
    jd_problem *problem;
} worker;

// One start of a block, and what it led to.
typedef struct trial {
    double *state;
    char *letters;
    jd_orbit *orbit;
    jd_status status;
    const worker *by;
} trial;

struct jd_attractors {
    jd_context *context;
    jd_problem *problem;
    jd_arena *arena;
    jd_orbit_options options;
    jd_run *run; // for comparing and for scales
    jd_shooting *shooting;
    double *spread; // a_k
    double *state;
    jd_phase phase;
    char *letters; // of it, for the options of a search
    int n, lost, longest;
    jd_orbit **orbit;
    jd_attractor *list;
    uint64_t random;
    int n_worker;
    worker *worker;
    trial *trial; // BLOCK of them at most
    atomic_bool halt;
};

void jd_attractors_free(jd_attractors *a) {
    if (!a) return;
    for (int i = 0; i < a->n; i++) jd_orbit_free(a->orbit[i]);
    for (int i = 0; i < a->n_worker; i++) {
        jd_problem_free(a->worker[i].problem);
        jd_context_free(a->worker[i].context);
    }
    jd_run_free(a->run);
    jd_arena_free(a->arena);
}

int jd_attractors_count(const jd_attractors *a) { return a->n; }
int jd_attractors_lost(const jd_attractors *a) { return a->lost; }
int jd_attractors_longest(const jd_attractors *a) { return a->longest; }
const jd_attractor *jd_attractor_look(const jd_attractors *a, int i) {
    return i >= 0 && i < a->n ? &a->list[i] : NULL;
}

// splitmix64 [Steele, Lea, Flood 2014]: the same numbers everywhere.
static double random_number(jd_attractors *a) {
    uint64_t z = a->random += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-52 - 1;
}

// No motion to measure: the size of the model's own start, or of states whose sizes are 1.
static jd_status fall_back(jd_attractors *a, int n) {
    jd_run *run;
    JD_TRY(jd_run_create(a->context, a->problem, &run));
    if (!run->waiting) run->class->map.state(run, a->state);
    bool waiting = run->waiting;
    jd_run_free(run);
    double size = waiting ? 0 : jd_shooting_size(a->shooting, a->state);
    for (int k = 0; k < n; k++) a->spread[k] = (size > 0 ? size : 1) / a->shooting->scale[k];
    return JD_OK;
}

// a_k over the orbit, or over as long a motion from the start when none was found.
static jd_status measure_spread(jd_attractors *a, const jd_orbit_view *v) {
    const jd_engine_map *map = &a->run->class->map;
    double largest = 0;
    memset(a->spread, 0, (size_t)v->n * sizeof *a->spread);
    if (!(v->period > 0)) return fall_back(a, v->n);
    const jd_phase phase = jd_phase_of_text(v->phase);
    JD_TRY(map->restart(a->run, 0, v->state, &phase));
    for (int i = 0; i < SPREAD_SAMPLES; i++) {
        jd_step step = JD_STEP_EVENT;
        while (step == JD_STEP_EVENT)
            JD_TRY(jd_run_advance(a->run, v->period * i / SPREAD_SAMPLES, &step));
        if (step == JD_STEP_STOPPED) break;
        map->state(a->run, a->state);
        for (int k = 0; k < v->n; k++) a->spread[k] = fmax(a->spread[k], fabs(a->state[k]));
    }
    for (int k = 0; k < v->n; k++) largest = fmax(largest, a->shooting->scale[k] * a->spread[k]);
    return largest > 0 ? JD_OK : fall_back(a, v->n);
}

// Friction contacts slide, stops are open.
static jd_status draw(jd_attractors *a) {
    jd_step step;
    for (int k = 0; k < a->shooting->n; k++) a->state[k] = 2 * a->spread[k] * random_number(a);
    for (int j = 0; j < jd_problem_contacts(a->problem); j++) {
        const jd_contact_def *c = jd_problem_contact(a->problem, j)->def;
        a->phase.of[j] = jd_law_stop_of(&c->law) ? JD_CONTACT_OPEN : JD_CONTACT_SLIDING_PLUS;
    }
    jd_phase_text(&a->phase, a->letters);
    for (int i = 0; i < 60; i++) {
        JD_TRY(a->run->class->map.restart(a->run, 0, a->state, &a->phase));
        JD_TRY(jd_run_advance(a->run, 0, &step));
        if (step != JD_STEP_STOPPED) break;
        for (int k = 0; k < a->shooting->n; k++) a->state[k] /= 2;
    }
    return JD_OK;
}

static bool same_ranges(const jd_attractors *a, const jd_orbit_view *v, const jd_orbit_view *w) {
    if (fabs(v->period - w->period) > same * v->period) return false;
    for (int j = 0; j < jd_problem_contacts(a->problem); j++) {
        const jd_range *x = &v->range[j].velocity, *y = &w->range[j].velocity;
        double size = fmax(fabs(x->min), fabs(x->max));
        if (fabs(x->min - y->min) > same * size || fabs(x->max - y->max) > same * size)
            return false;
    }
    return true;
}

static bool at_rest(const jd_orbit_view *v) {
    return !v->found &&
           (v->search.reason == JD_ORBIT_AT_REST || v->search.reason == JD_ORBIT_STEADY_SLIP);
}

static bool same_phases(const jd_orbit_view *v, const jd_orbit_view *w) {
    if (v->n_phase != w->n_phase) return false;
    for (int i = 0; i < v->n_phase; i++)
        if (strcmp(v->phases[i], w->phases[i]) != 0) return false;
    return true;
}

// Is w the orbit v, seen from another of its drive periods and, with sign -1, in the mirror half a
// drive period later?
static jd_status is_same(jd_attractors *a, const jd_orbit_view *v, const jd_orbit_view *w,
                         bool mirror, bool *yes) {
    jd_shooting *sh = a->shooting;
    bool lost = false;
    *yes = false;
    if (at_rest(v) || at_rest(w)) {
        *yes = !mirror && at_rest(v) && at_rest(w) && !strcmp(v->phase, w->phase);
        return JD_OK;
    }
    if (v->periods != w->periods) return JD_OK;
    if (v->stability.neutral > 0 || w->stability.neutral > 0) {
        *yes = !mirror && v->stability.neutral == w->stability.neutral && same_phases(v, w);
        return JD_OK;
    }
    if (!v->forced) {
        *yes = !mirror && same_ranges(a, v, w);
        return JD_OK;
    }
    double drive = v->period / v->periods, size = jd_shooting_size(sh, v->state);
    sh->forced = true;
    for (int i = 0; i < v->periods && !*yes && !lost; i++) {
        memcpy(sh->s, w->state, (size_t)v->n * sizeof *sh->s);
        sh->phase = jd_phase_of_text(w->phase);
        sh->period = drive * (i + (mirror ? 0.5 : 0));
        JD_TRY(jd_shooting_round(sh, false, &lost));
        for (int k = 0; mirror && k < v->n; k++) sh->s1[k] = -sh->s1[k];
        *yes = !lost && jd_shooting_distance(sh, v->state, sh->s1) < same * size;
    }
    return JD_OK;
}

// Counts the orbit as one of those known, or adds it. Takes the orbit.
static jd_status sort_in(jd_attractors *a, jd_orbit *orbit) {
    const jd_orbit_view *v = jd_orbit_look(orbit);
    jd_status status = JD_OK;
    bool known = false;
    bool family = v->found && v->stability.stable && v->stability.neutral > 0;
    if (v->search.longest > a->longest) a->longest = v->search.longest;
    if (!at_rest(v) && !family && (!v->found || !v->stability.stable || !v->stability.isolated)) {
        a->lost++;
        jd_orbit_free(orbit);
        return JD_OK;
    }
    for (int i = 0; i < a->n && status == JD_OK && !known; i++) {
        status = is_same(a, a->list[i].orbit, v, false, &known);
        if (known) a->list[i].starts++;
    }
    if (known || status != JD_OK) {
        jd_orbit_free(orbit);
        return status;
    }
    a->orbit[a->n] = orbit;
    a->list[a->n++] = (jd_attractor){
        .orbit = v, .starts = 1, .rest = at_rest(v), .family = family, .mirror_of = -1};
    return JD_OK;
}

// The model's own start: sets the scale of the random ones, and is not counted.
static jd_status first_orbit(jd_attractors *a, double *settle) {
    jd_orbit *orbit;
    a->options.shoot = true;
    JD_TRY(jd_orbit_create(a->context, a->problem, &a->options, &orbit));
    const jd_orbit_view *v = jd_orbit_look(orbit);
    jd_status status = measure_spread(a, v);
    const jd_orbit_def *def = jd_problem_section(a->problem, JD_ORBIT, NULL);
    *settle = a->options.settle;
    if (status == JD_OK && *settle < 0)
        status = jd_problem_duration(a->problem, &def->settle, settle);
    if (!(*settle > 0)) *settle = 100 * v->period / (v->periods > 0 ? v->periods : 1);
    if (!(*settle > 0))
        *settle = fmax(v->search.settled, 100); // the first motion rests: as long again
    jd_orbit_free(orbit);
    return status;
}

// By falling number of starts, first found first.
static void order(jd_attractors *a) {
    for (int i = 1; i < a->n; i++)
        for (int j = i; j > 0 && a->list[j].starts > a->list[j - 1].starts; j--) {
            jd_attractor keep = a->list[j];
            a->list[j] = a->list[j - 1];
            a->list[j - 1] = keep;
        }
}

static jd_status pair_mirrors(jd_attractors *a) {
    for (int i = 0; i < a->n; i++)
        for (int j = 0; j < a->n; j++) {
            bool yes;
            if (i == j || a->list[i].mirror_of >= 0) continue;
            JD_TRY(is_same(a, a->list[i].orbit, a->list[j].orbit, true, &yes));
            if (yes) a->list[i].mirror_of = j;
        }
    return JD_OK;
}

static bool halted(void *user) { return atomic_load(&((jd_attractors *)user)->halt); }

// The first thread is the caller's: only it asks the caller's hooks.
static bool asked(void *user) {
    jd_attractors *a = user;
    if (jd_stop_wanted(a->context)) atomic_store(&a->halt, true);
    return halted(a);
}

static jd_status open_workers(jd_attractors *a, int starts) {
    int most = 1;
#ifdef _OPENMP
    most = a->options.threads > 0 ? a->options.threads : omp_get_num_procs();
#endif
    if (most > starts) most = starts;
    if (most > BLOCK) most = BLOCK;
    a->worker = JD_TAKE(a->arena, worker, most);
    JD_TRY(jd_arena_status(a->arena));
    for (int i = 0; i < most; i++) {
        jd_context_def def = jd_default_context_def();
        def.stop = i == 0 ? asked : halted;
        def.user = a;
        worker *w = &a->worker[i];
        w->context = jd_context_create(&def);
        a->n_worker++;
        if (!w->context || jd_problem_copy(w->context, a->problem, &w->problem) != JD_OK)
            return jd_fail(a->context, JD_OUT_OF_MEMORY, "not enough memory for one more thread");
    }
    return JD_OK;
}

// Starts of one block, in the order of the random numbers.
static jd_status draw_block(jd_attractors *a, int n) {
    for (int i = 0; i < n; i++) {
        JD_TRY(draw(a));
        memcpy(a->trial[i].state, a->state, (size_t)a->shooting->n * sizeof *a->state);
        memcpy(a->trial[i].letters, a->letters, (size_t)a->phase.n + 1);
    }
    return JD_OK;
}

static void follow_start(jd_attractors *a, jd_orbit_options options, int i) {
    trial *t = &a->trial[i];
    int number = 0;
#ifdef _OPENMP
    number = omp_get_thread_num();
#endif
    t->by = &a->worker[number];
    t->orbit = NULL;
    t->status = JD_OK;
    if (t->by->context == a->worker[0].context ? asked(a) : halted(a)) return;
    options.state = t->state;
    options.phase = t->letters;
    t->status = jd_orbit_create(t->by->context, t->by->problem, &options, &t->orbit);
    if (t->status != JD_OK) atomic_store(&a->halt, true);
}

static void free_block(jd_attractors *a, int from, int n) {
    for (int i = from; i < n; i++) jd_orbit_free(a->trial[i].orbit);
}

// The first failure of a block, in the order of the starts that were followed.
static jd_status failure(jd_attractors *a, int n) {
    for (int i = 0; i < n; i++) {
        const trial *t = &a->trial[i];
        if (t->status == JD_OK) continue;
        const jd_error *e = jd_context_error(t->by->context);
        jd_fail(a->context, t->status, "%s", e->message);
        if (e->where[0]) jd_fail_where(a->context, "%s", e->where);
        if (e->hint[0]) jd_fail_hint(a->context, "%s", e->hint);
        return t->status;
    }
    return JD_OK;
}

// A block of starts to their orbits. Cut short, none of them counts.
static jd_status follow_block(jd_attractors *a, const jd_orbit_options *options, int n) {
    JD_TRY(draw_block(a, n));
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 1) num_threads(a->n_worker)
#endif
    for (int i = 0; i < n; i++) follow_start(a, *options, i);
    jd_status status = failure(a, n);
    int sorted = 0;
    while (sorted < n && status == JD_OK && !halted(a))
        status = sort_in(a, a->trial[sorted++].orbit);
    free_block(a, sorted, n);
    return status;
}

static jd_status explore(jd_attractors *a, int starts) {
    double settle;
    JD_TRY(first_orbit(a, &settle));
    JD_TRY(open_workers(a, starts));
    jd_orbit_options options = a->options;
    options.settle = settle;
    int block = 4 * a->n_worker < BLOCK ? 4 * a->n_worker : BLOCK; // orbits in memory at once
    for (int i = 0; i < starts; i += block) {
        int n = starts - i < block ? starts - i : block;
        JD_TRY(follow_block(a, &options, n));
        if (halted(a) || jd_stop_wanted(a->context)) return JD_OK;
        jd_progress(a->context, "starts", (double)(i + n) / starts);
    }
    order(a);
    return pair_mirrors(a);
}

static jd_status prepare(jd_attractors *a, int starts) {
    JD_TRY(jd_run_create(a->context, a->problem, &a->run));
    jd_run_for_analysis(a->run);
    JD_TRY(jd_shooting_create(a->run, a->arena, &a->shooting));
    int n = a->shooting->n;
    a->spread = JD_TAKE(a->arena, double, n);
    a->state = JD_TAKE(a->arena, double, n);
    a->phase.n = jd_problem_contacts(a->problem);
    a->letters = JD_TAKE(a->arena, char, a->phase.n + 1);
    a->trial = JD_TAKE(a->arena, trial, BLOCK);
    for (int i = 0; a->trial && i < BLOCK; i++) {
        a->trial[i].state = JD_TAKE(a->arena, double, n);
        a->trial[i].letters = JD_TAKE(a->arena, char, a->phase.n + 1);
    }
    a->orbit = JD_TAKE(a->arena, jd_orbit *, starts);
    a->list = JD_TAKE(a->arena, jd_attractor, starts);
    return jd_arena_status(a->arena);
}

jd_status jd_attractors_create(jd_context *context, jd_problem *problem,
                               const jd_orbit_options *options, int starts, uint64_t seed,
                               jd_attractors **out) {
    *out = NULL;
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
                         .random = seed,
                         .options = options ? *options : jd_default_orbit_options()};
    atomic_init(&a->halt, false);
    if (a->options.periods == 0) a->options.periods = -1; // starts may lead to different periods
    status = prepare(a, starts);
    if (status == JD_OK) status = explore(a, starts);
    if (status == JD_OK)
        *out = a;
    else
        jd_attractors_free(a);
    return status;
}
