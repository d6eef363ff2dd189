// orbit.c -- a periodic orbit of a problem: settle, shoot, judge.
#include <math.h>
#include <string.h>

#include "analysis/shooting.h"
#include "judder/orbit.h"
#include "linalg/general.h"

struct jd_orbit {
    jd_context *context;
    jd_problem *problem;
    jd_arena *arena;
    jd_run *run;
    jd_shooting *shooting;
    jd_orbit_view view;
};

jd_orbit_options jd_default_orbit_options(void) {
    return (jd_orbit_options){.settle = -1, .iterations = 30, .tolerance = 1e-13};
}

const jd_orbit_view *jd_orbit_look(const jd_orbit *o) { return &o->view; }

void jd_orbit_free(jd_orbit *o) {
    if (!o) return;
    jd_run_free(o->run);
    jd_arena_free(o->arena);
}

// All drives must repeat after the period: harmonic ones with a whole number of cycles, and
// constants.
static jd_status check_drives(const jd_orbit *o, double period) {
    for (int i = 0; i < jd_problem_drives(o->problem); i++) {
        const jd_object *d = jd_problem_drive(o->problem, i);
        if (!strcmp(d->type->name, "constant")) continue;
        double cycles = jd_problem_drive_frequency(o->problem, i) * period / 6.283185307179586;
        if (!strcmp(d->type->name, "harmonic") && fabs(cycles - round(cycles)) < 1e-9 * cycles)
            continue;
        jd_fail(o->context, JD_NOT_SUPPORTED, "drive `%s` does not repeat after the period %.9g s",
                d->name, period);
        jd_fail_where(o->context, "drives.%s", d->name);
        jd_fail_hint(o->context,
                     "periodic orbits need harmonic or constant drives with a common period");
        return JD_NOT_SUPPORTED;
    }
    return JD_OK;
}

// Simulates until the start of the period nearest after `settle`.
static jd_status settle(jd_orbit *o, double time, bool *lost) {
    jd_shooting *sh = o->shooting;
    double end = sh->forced ? ceil(time / sh->period - 1e-9) * sh->period : time;
    jd_step step = JD_STEP_EVENT;
    while (step == JD_STEP_EVENT) JD_TRY(jd_run_advance(o->run, end, &step));
    *lost = step == JD_STEP_STOPPED;
    o->run->class->map.state(o->run, sh->s);
    strcpy(sh->phase, jd_run_phase(o->run));
    return JD_OK;
}

// Time after which an autonomous motion comes closest to where it was, counted by events of the
// contact that switched last: the state at each is compared with the state at the first.
static jd_status guess_period(jd_orbit *o, double *period) {
    jd_shooting *sh = o->shooting;
    const jd_engine_map *map = &o->run->class->map;
    double best = HUGE_VAL, start = 0, *first = sh->s1, *now = sh->rate;
    jd_event model = {0};
    *period = 0;
    for (int i = 0; i < 400; i++) {
        jd_step step;
        JD_TRY(jd_run_advance(o->run, HUGE_VAL, &step));
        if (step != JD_STEP_EVENT) return JD_OK;
        jd_event e = *jd_run_event(o->run);
        map->state(o->run, now);
        if (i == 0) {
            model = e;
            start = e.t;
            memcpy(first, now, (size_t)sh->n * sizeof *first);
        }
        if (i == 0 || e.contact != model.contact || e.from != model.from || e.to != model.to)
            continue;
        double distance = 0;
        for (int k = 0; k < sh->n; k++) distance += pow(sh->scale[k] * (now[k] - first[k]), 2);
        if (distance < 0.25 * best) { // a later return must be much closer to count
            best = distance;
            *period = e.t - start;
        }
    }
    return JD_OK;
}

static jd_status judge(jd_orbit *o) {
    jd_shooting *sh = o->shooting;
    int n = sh->n;
    double *value = JD_TAKE(o->arena, double, 2 * n);
    JD_TRY(jd_arena_status(o->arena));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sh->A[i * n + j] = sh->scale[i] * sh->M[i * n + j] / sh->scale[j];
    JD_TRY(jd_eigen_general(o->arena, n, sh->A, value));
    int trivial = -1; // along an autonomous orbit one multiplier is 1
    for (int i = 0; i < n && !sh->forced; i++)
        if (trivial < 0 || hypot(value[2 * i] - 1, value[2 * i + 1]) <
                               hypot(value[2 * trivial] - 1, value[2 * trivial + 1]))
            trivial = i;
    o->view.stable = true;
    for (int i = 0; i < n; i++)
        if (i != trivial && hypot(value[2 * i], value[2 * i + 1]) >= 1) o->view.stable = false;
    o->view.multiplier = value;
    return JD_OK;
}

// Half a period later everything mirrored: s(T/2) = -s(0)?
static jd_status find_symmetry(jd_orbit *o) {
    jd_shooting *sh = o->shooting;
    double whole = sh->period, total = 0, size = 0;
    bool lost;
    sh->period = whole / 2;
    jd_status status = jd_shooting_round(sh, false, &lost);
    sh->period = whole;
    JD_TRY(status);
    for (int i = 0; i < sh->n; i++) {
        total += pow(sh->scale[i] * (sh->s1[i] + sh->s[i]), 2);
        size += pow(sh->scale[i] * sh->s[i], 2);
    }
    o->view.symmetric = !lost && total < 1e-14 * size;
    return JD_OK;
}

static jd_status fill_view(jd_orbit *o) {
    jd_shooting *sh = o->shooting;
    jd_orbit_view *v = &o->view;
    bool lost;
    JD_TRY(judge(o));
    JD_TRY(find_symmetry(o));
    JD_TRY(jd_shooting_round(sh, false, &lost));
    jd_event *event = JD_TAKE(o->arena, jd_event, sh->n_event);
    JD_TRY(jd_arena_status(o->arena));
    memcpy(event, sh->event, (size_t)sh->n_event * sizeof *event);
    v->event = event;
    v->n_event = sh->n_event;
    v->undecided = sh->undecided;
    return JD_OK;
}

static jd_status begin(jd_orbit *o, const jd_orbit_options *options, bool *lost) {
    const jd_orbit_def *def = jd_problem_section(o->problem, JD_ORBIT, NULL);
    jd_shooting *sh = o->shooting;
    double drive = jd_problem_period(o->problem), time = options->settle;
    int periods = options->periods > 0 ? options->periods : def->periods;
    sh->forced = drive > 0;
    sh->period = sh->forced ? periods * drive : options->period;
    if (sh->forced) JD_TRY(check_drives(o, sh->period));
    if (time < 0) JD_TRY(jd_problem_duration(o->problem, &def->settle, &time));
    *lost = false;
    if (options->state) {
        memcpy(sh->s, options->state, (size_t)sh->n * sizeof *sh->s);
        strncpy(sh->phase, options->phase, (size_t)jd_problem_contacts(o->problem));
    } else {
        JD_TRY(settle(o, time, lost));
        if (*lost || sh->forced || sh->period > 0) return JD_OK;
        JD_TRY(guess_period(o, &sh->period));
        o->run->class->map.restart(o->run, 0, sh->s, sh->phase);
    }
    *lost |= !(sh->period > 0);
    return JD_OK;
}

static jd_status find(jd_orbit *o, const jd_orbit_options *options) {
    jd_orbit_view *v = &o->view;
    bool lost;
    JD_TRY(jd_run_create(o->context, o->problem, &o->run));
    o->run->no_ledger = true;
    JD_TRY(jd_shooting_create(o->run, o->arena, &o->shooting));
    jd_shooting *sh = o->shooting;
    double *history = JD_TAKE(o->arena, double, options->iterations + 2);
    JD_TRY(jd_arena_status(o->arena));
    JD_TRY(begin(o, options, &lost));
    v->why = sh->forced ? "the motion ended while settling"
                        : "no motion that returns was found while settling";
    if (!lost)
        JD_TRY(jd_shooting_solve(sh, options->iterations, options->tolerance, history,
                                 &v->iterations, &v->found, &v->why));
    v->forced = sh->forced;
    v->period = sh->period;
    v->n = sh->n;
    v->state = sh->s;
    v->phase = sh->phase;
    v->history = history;
    v->residual = lost ? (double)NAN : history[v->iterations];
    if (v->found) JD_TRY(fill_view(o));
    return JD_OK;
}

jd_status jd_orbit_create(jd_context *context, jd_problem *problem, const jd_orbit_options *options,
                          jd_orbit **out) {
    jd_orbit_options defaults = jd_default_orbit_options();
    *out = NULL;
    JD_TRY(jd_problem_build(problem));
    jd_arena *arena = jd_arena_create(context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_orbit *o = JD_TAKE(arena, jd_orbit, 1);
    jd_status status = jd_arena_status(arena);
    if (status != JD_OK) {
        jd_arena_free(arena);
        return status;
    }
    *o = (jd_orbit){.context = context, .problem = problem, .arena = arena};
    status = find(o, options ? options : &defaults);
    if (status == JD_OK)
        *out = o;
    else
        jd_orbit_free(o);
    return status;
}

jd_status jd_orbit_run(const jd_orbit *o, jd_run **out) {
    JD_TRY(jd_run_create(o->context, o->problem, out));
    jd_status status = (*out)->class->map.restart(*out, 0, o->view.state, o->view.phase);
    if (status == JD_OK) return JD_OK;
    jd_run_free(*out);
    *out = NULL;
    return status;
}
