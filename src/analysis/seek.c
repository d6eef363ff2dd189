// seek.c -- finds a periodic orbit: simulate, tell the period, shoot; where that fails, simulate on
//   twice as long and shoot again. A forced motion is looked at once per drive period, s_0, s_1,
//   ...; its period is the smallest n with |s_k+n - s_k| about the smallest of all n <= 8.
//   An unstable orbit met on the way is kept but not taken while a stable one may still turn up.
#include "analysis/seek.h"

#include <math.h>
#include <string.h>

#include "linalg/general.h"
#include "problem/parts.h"

static const double default_settle = 100; // drive periods, where the model says nothing
static const double first_chunk = 32;     // drive periods simulated after the first failure
enum { RETURN_EVENTS = 400, SHORT = 16, RETURNS = 64, CUTS = 2 };

static jd_status fail_drive(const jd_seek *k, const jd_object *d, double period) {
    if (strcmp(d->type->name, "harmonic"))
        jd_fail(k->context, JD_NOT_SUPPORTED, "drive `%s` (%s) does not repeat", d->name,
                d->type->name);
    else
        jd_fail(k->context, JD_NOT_SUPPORTED, "drive `%s` does not repeat after %.9g%s", d->name,
                period, jd_problem_is_si(k->problem) ? " s" : "");
    jd_fail_where(k->context, "drives.%s", d->name);
    jd_fail_hint(k->context,
                 "periodic orbits need harmonic or constant drives with a common period; "
                 "`orbit.periods` may make it longer");
    return JD_NOT_SUPPORTED;
}

// All drives must repeat: harmonic ones with a whole number of cycles, and constants.
static jd_status check_drives(const jd_seek *k, double period) {
    for (int i = 0; i < jd_problem_drives(k->problem); i++) {
        const jd_object *d = jd_problem_drive(k->problem, i);
        if (!strcmp(d->type->name, "constant")) continue;
        double cycles = jd_problem_drive_frequency(k->problem, i) * period / 6.283185307179586;
        if (!strcmp(d->type->name, "harmonic") && fabs(cycles - round(cycles)) < 1e-9 * cycles)
            continue;
        return fail_drive(k, d, period);
    }
    return JD_OK;
}

static jd_status read_times(jd_seek *k) {
    bool given;
    const jd_orbit_def *def = jd_problem_section(k->problem, JD_ORBIT, &given);
    k->drive = jd_problem_period(k->problem);
    k->asked = k->options.periods == 0 ? def->periods : k->options.periods;
    if (k->asked < 0) k->asked = 0;
    if (k->drive > 0 || jd_problem_drives(k->problem) > 0)
        JD_TRY(check_drives(k, (k->asked ? k->asked : 1) * k->drive));
    k->settle = k->options.settle;
    if (k->settle >= 0) return JD_OK;
    if (k->options.state)
        k->settle = 0;
    else if (given)
        return jd_problem_duration(k->problem, &def->settle, &k->settle);
    else
        k->settle = default_settle * k->drive;
    return JD_OK;
}

static jd_status take_memory(jd_seek *k) {
    int n = k->shooting->n, m = jd_problem_contacts(k->problem) + 1;
    k->state = JD_TAKE(k->arena, double, n);
    k->phase = JD_TAKE(k->arena, char, m);
    k->spare.state = JD_TAKE(k->arena, double, n);
    k->spare.phase = JD_TAKE(k->arena, char, m);
    k->sample = JD_TAKE(k->arena, double, (JD_SEEK_SAMPLES + 1) * n);
    k->history = JD_TAKE(k->arena, double, k->options.iterations + 2);
    k->spare.history = JD_TAKE(k->arena, double, k->options.iterations + 2);
    return jd_arena_status(k->arena);
}

jd_status jd_seek_create(jd_context *context, jd_problem *problem, jd_arena *arena,
                         const jd_orbit_options *options, jd_seek *k) {
    *k = (jd_seek){.context = context,
                   .problem = problem,
                   .arena = arena,
                   .options = *options,
                   .best = HUGE_VAL};
    JD_TRY(read_times(k));
    JD_TRY(jd_run_create(context, problem, &k->run));
    k->run->no_ledger = true;
    JD_TRY(jd_shooting_create(k->run, arena, &k->shooting));
    JD_TRY(take_memory(k));
    k->shooting->forced = k->drive > 0;
    k->from_here = k->settle == 0;
    const jd_object *start = jd_problem_start(problem);
    if (start->type == &jd_start_nsm && k->from_here && !(options->period > 0))
        k->options.period = 6.283185307179586 / ((const jd_start_nsm_def *)start->def)->omega;
    if (options->state) {
        memcpy(k->state, options->state, (size_t)k->shooting->n * sizeof *k->state);
        strcpy(k->phase, options->phase);
    } else {
        k->run->class->map.state(k->run, k->state);
        strcpy(k->phase, jd_run_phase(k->run));
    }
    return JD_OK;
}

static void take_state(jd_seek *k) {
    k->run->class->map.state(k->run, k->state);
    strcpy(k->phase, jd_run_phase(k->run));
}

static bool ended(jd_seek *k, jd_orbit_reason reason, const char *why) {
    k->reason = reason;
    k->why = why ? why : jd_orbit_reason_text(reason);
    return false;
}

// Why the run stopped, with the engine's own words where it has some.
static const char *words(const jd_seek *k) {
    jd_report r;
    jd_run_report(k->run, &r);
    const char *text =
        r.note ? jd_arena_format(k->arena, "%s: %s", jd_stop_text(r.stop), r.note) : NULL;
    return text ? text : jd_stop_text(k->run->stop);
}

// Goes on from the state kept; false: the motion ended by itself.
static jd_status simulate(jd_seek *k, double time, bool *goes_on) {
    jd_run *run = k->run;
    jd_step step = JD_STEP_EVENT;
    *goes_on = true;
    if (k->drive > 0) time = ceil(time / k->drive - 1e-9) * k->drive;
    JD_TRY(run->class->map.restart(run, 0, k->state, k->phase));
    while (step == JD_STEP_EVENT) JD_TRY(jd_run_advance(run, time, &step));
    k->simulated += run->t;
    take_state(k);
    if (step != JD_STEP_STOPPED) return JD_OK;
    if (run->stop == JD_STOP_UNBOUNDED)
        *goes_on = ended(k, JD_ORBIT_UNBOUNDED, NULL);
    else if (run->stop == JD_STOP_INTERRUPTED)
        *goes_on = ended(k, JD_ORBIT_INTERRUPTED, NULL);
    else
        *goes_on = ended(k, JD_ORBIT_STOPPED, words(k));
    return JD_OK;
}

// |s_k - s_k-n| over the last samples.
static double distance_after(const jd_seek *k, int n) {
    double total = 0;
    for (int i = JD_SEEK_SAMPLES; i > JD_SEEK_SAMPLES - JD_SEEK_PERIODS; i--)
        total += jd_shooting_distance(k->shooting, k->sample + i * k->shooting->n,
                                      k->sample + (i - n) * k->shooting->n);
    return total;
}

// Looks at the motion once a drive period and tells after how many it repeats best.
static jd_status tell_periods(jd_seek *k, bool *goes_on) {
    double least = HUGE_VAL, distance[JD_SEEK_PERIODS + 1], size = 0;
    int n = k->shooting->n;
    *goes_on = true;
    memcpy(k->sample, k->state, (size_t)n * sizeof *k->state);
    for (int i = 1; i <= JD_SEEK_SAMPLES && *goes_on; i++) {
        JD_TRY(simulate(k, k->drive, goes_on));
        memcpy(k->sample + i * n, k->state, (size_t)n * sizeof *k->state);
    }
    if (!*goes_on) return JD_OK;
    size = JD_SEEK_PERIODS * jd_shooting_size(k->shooting, k->state);
    for (int i = 1; i <= JD_SEEK_PERIODS; i++) {
        distance[i] = distance_after(k, i);
        least = fmin(least, distance[i]);
    }
    k->periods = 1;
    while (distance[k->periods] > 2 * least + 1e-12 * size) k->periods++;
    k->last_distance = size > 0 ? distance[k->periods] / size : 0;
    if (k->attempts == 0) k->first_distance = k->last_distance;
    return JD_OK;
}

// Time after which an autonomous motion comes closest to where it was, counted by events of the
// contact that switched last: the state at each is compared with the state at the first.
static jd_status tell_return(jd_seek *k, double *period) {
    const jd_engine_map *map = &k->run->class->map;
    double best = HUGE_VAL, start = 0, *first = k->shooting->s1, *now = k->shooting->rate;
    jd_event model = {0};
    *period = 0;
    JD_TRY(map->restart(k->run, 0, k->state, k->phase));
    for (int i = 0; i < RETURN_EVENTS; i++) {
        jd_step step;
        JD_TRY(jd_run_advance(k->run, k->run->t + 1e6 * fmax(k->settle, 1), &step));
        if (step != JD_STEP_EVENT) return JD_OK;
        jd_event e = *jd_run_event(k->run);
        map->state(k->run, now);
        if (i == 0) {
            model = e;
            start = e.t;
            memcpy(first, now, (size_t)k->shooting->n * sizeof *first);
        }
        if (i == 0 || e.contact != model.contact || e.from != model.from || e.to != model.to)
            continue;
        double distance = jd_shooting_distance(k->shooting, now, first);
        // a later return must be much closer to count; at rounding level none is
        if (distance < 0.5 * best && best > 1e-10 * jd_shooting_size(k->shooting, now)) {
            best = distance;
            *period = e.t - start;
        }
    }
    return JD_OK;
}

// Period of the next attempt, and the shooting put at the state kept.
static jd_status aim(jd_seek *k, bool *goes_on) {
    jd_shooting *sh = k->shooting;
    *goes_on = true;
    if (k->drive > 0) {
        if (k->asked)
            k->periods = k->asked;
        else if (k->from_here && k->attempts == 0)
            k->periods = 1;
        else
            JD_TRY(tell_periods(k, goes_on));
        sh->period = k->periods * k->drive;
    } else {
        sh->period = k->attempts == 0 ? k->options.period : 0;
        if (!(sh->period > 0)) JD_TRY(tell_return(k, &sh->period));
        if (!(sh->period > 0))
            *goes_on =
                ended(k, JD_ORBIT_NO_RETURN, "the motion comes to rest, or no event is met twice");
    }
    memcpy(sh->s, k->state, (size_t)sh->n * sizeof *sh->s);
    strcpy(sh->phase, k->phase);
    return JD_OK;
}

// A round with far more events than the settled motion has leads nowhere.
static jd_status set_patience(jd_seek *k) {
    jd_shooting *sh = k->shooting;
    bool lost;
    sh->most_events = JD_SHOOT_EVENTS;
    JD_TRY(jd_shooting_round(sh, false, &lost));
    if (!lost && 20 * sh->events + 200 < sh->most_events) sh->most_events = 20 * sh->events + 200;
    return JD_OK;
}

static jd_status shoot(jd_seek *k) {
    const jd_orbit_options *o = &k->options;
    k->attempts++;
    JD_TRY(jd_shooting_solve(k->shooting, o->iterations, o->tolerance, k->history, &k->n_step,
                             &k->found, &k->why));
    k->reason = k->shooting->reason;
    k->best = fmin(k->best, k->history[k->n_step]);
    return JD_OK;
}

jd_status jd_seek_round(jd_seek *k, bool tangent, bool *lost) {
    return k->cut ? jd_multiple_round(&k->multiple, tangent, lost)
                  : jd_shooting_round(k->shooting, tangent, lost);
}

// The state on the way after which the motion comes closest to itself one period later: where it
// wanders, orbits are near such places.
static jd_status closest_return(jd_seek *k, bool *goes_on) {
    int n = k->shooting->n, P = k->periods, all = RETURNS + P;
    int m = jd_problem_contacts(k->problem) + 1, best = 0;
    double *s = JD_TAKE(k->arena, double, (all + 1) * n), least = HUGE_VAL;
    char *letters = JD_TAKE(k->arena, char, (all + 1) * m);
    JD_TRY(jd_arena_status(k->arena));
    for (int i = 0; i <= all; i++) {
        memcpy(s + i * n, k->state, (size_t)n * sizeof *s);
        strcpy(letters + i * m, k->phase);
        if (i < all) JD_TRY(simulate(k, k->drive, goes_on));
        if (!*goes_on) return JD_OK;
    }
    for (int i = 0; i + P <= all; i++) {
        double d = jd_shooting_distance(k->shooting, s + i * n, s + (i + P) * n);
        if (d < least) {
            least = d;
            best = i;
        }
    }
    memcpy(k->shooting->s, s + best * n, (size_t)n * sizeof *s);
    strcpy(k->shooting->phase, letters + best * m);
    return JD_OK;
}

// Single shooting failed: the same motion cut into segments.
static jd_status shoot_cut(jd_seek *k, bool *goes_on) {
    jd_shooting *sh = k->shooting;
    const jd_orbit_options *o = &k->options;
    bool lost;
    jd_arena_mark mark = jd_arena_here(k->arena);
    double period = k->drive > 0 ? k->periods * k->drive : sh->period;
    if (!(k->asked || k->from_here) || k->cuts++ >= CUTS) return JD_OK;
    memcpy(sh->s, k->state, (size_t)sh->n * sizeof *sh->s);
    strcpy(sh->phase, k->phase);
    sh->period = period;
    if (k->drive > 0 && !(k->from_here && k->attempts == 1)) JD_TRY(closest_return(k, goes_on));
    if (!*goes_on) return JD_OK;
    JD_TRY(jd_shooting_round(sh, false, &lost));
    if (lost || sh->n_event < 1 || sh->n_event > JD_MULTIPLE_SEGMENTS) return JD_OK;
    int segments = sh->n_event + 1 < JD_MULTIPLE_SEGMENTS ? sh->n_event + 1 : JD_MULTIPLE_SEGMENTS;
    JD_TRY(jd_multiple_create(sh, segments < 2 ? 2 : segments, &k->multiple));
    JD_TRY(jd_multiple_guess(&k->multiple, &lost));
    if (lost) return jd_arena_back(k->arena, mark), JD_OK;
    JD_TRY(jd_multiple_solve(&k->multiple, o->iterations, o->tolerance, k->history, &k->n_step,
                             &k->found, &k->why));
    k->best = fmin(k->best, k->history[k->n_step]);
    k->reason = sh->reason;
    k->cut = k->found;
    if (k->found) return jd_multiple_round(&k->multiple, true, &lost);
    jd_arena_back(k->arena, mark);
    return JD_OK;
}

// Newton's method stopped half-way: a few periods of simulation from there bring the fast motion in
// line, then it may go on.
static jd_status shoot_again(jd_seek *k) {
    jd_shooting *sh = k->shooting;
    bool lost = false;
    if (k->found || !(k->history[k->n_step] < 0.3 * k->history[0])) return JD_OK;
    for (int i = 0; i < SHORT && !lost; i++) {
        memcpy(sh->s, sh->s1, (size_t)sh->n * sizeof *sh->s);
        strcpy(sh->phase, sh->phase1);
        JD_TRY(jd_shooting_round(sh, false, &lost));
    }
    return lost ? JD_OK : shoot(k);
}

// The shortest period of an orbit found with `periods` drive periods.
static jd_status shorten(jd_seek *k) {
    jd_shooting *sh = k->shooting;
    bool lost;
    for (int m = 1; m < k->periods; m++) {
        if (k->periods % m != 0) continue;
        sh->period = m * k->drive;
        JD_TRY(jd_shooting_round(sh, true, &lost));
        if (!lost && jd_shooting_residual(sh) < 1e-9) {
            k->periods = m;
            return jd_shooting_residual(sh) <= k->options.tolerance ? JD_OK : shoot(k);
        }
    }
    sh->period = k->periods * k->drive;
    return jd_shooting_round(sh, true, &lost);
}

int jd_seek_neutral(const jd_seek *k) {
    const jd_shooting *sh = k->shooting;
    int count = 0;
    for (int j = 0; j < jd_problem_contacts(k->problem); j++) {
        bool moves = sh->phase[j] != 'H' && sh->phase[j] != '|';
        for (int i = 0; i < sh->n_event && !moves; i++) moves = sh->event[i].contact == j;
        count += !moves;
    }
    return count;
}

// Greatest magnitude without the `trivial` ones closest to 1.
static double largest_of(int n, const double *value, int trivial) {
    double largest = 0, limit = -1;
    for (int t = 0; t < trivial; t++) { // distance of the next closest
        double next = HUGE_VAL;
        for (int i = 0; i < n; i++) {
            double away = hypot(value[2 * i] - 1, value[2 * i + 1]);
            if (away > limit) next = fmin(next, away);
        }
        limit = next;
    }
    for (int i = 0; i < n; i++) {
        if (hypot(value[2 * i] - 1, value[2 * i + 1]) <= limit && trivial-- > 0) continue;
        largest = fmax(largest, hypot(value[2 * i], value[2 * i + 1]));
    }
    return largest;
}

// A multiplier below rounding is 0.
jd_status jd_seek_multipliers(jd_seek *k, double *value, double *largest) {
    jd_shooting *sh = k->shooting;
    int n = sh->n;
    double norm = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            sh->A[i * n + j] = sh->scale[i] * sh->M[i * n + j] / sh->scale[j];
            norm += sh->A[i * n + j] * sh->A[i * n + j];
        }
    JD_TRY(jd_eigen_general(k->arena, n, sh->A, value));
    for (int i = 0; i < n; i++)
        if (hypot(value[2 * i], value[2 * i + 1]) < 1e-14 * sqrt(norm))
            value[2 * i] = value[2 * i + 1] = 0;
    *largest = largest_of(n, value, !sh->forced + jd_seek_neutral(k));
    return JD_OK;
}

// Whether the orbit found ends the search.
static jd_status judge(jd_seek *k, bool *done) {
    jd_shooting *sh = k->shooting;
    double largest, *value = JD_TAKE(k->arena, double, 2 * sh->n);
    JD_TRY(jd_arena_status(k->arena));
    if (k->drive > 0 && !k->asked && !k->cut) JD_TRY(shorten(k));
    *done = k->found;
    if (!k->found || k->from_here || k->asked) return JD_OK;
    JD_TRY(jd_seek_multipliers(k, value, &largest));
    *done = largest < 1 + 1e-9;
    if (*done || k->spare.kept || k->cut) return JD_OK;
    k->spare.kept = true;
    k->spare.period = sh->period;
    k->spare.periods = k->periods;
    memcpy(k->spare.state, sh->s, (size_t)sh->n * sizeof *sh->s);
    strcpy(k->spare.phase, sh->phase);
    k->spare.n_step = k->n_step;
    memcpy(k->spare.history, k->history, (size_t)(k->n_step + 1) * sizeof *k->history);
    return JD_OK;
}

static void take_spare(jd_seek *k) {
    jd_shooting *sh = k->shooting;
    memcpy(sh->s, k->spare.state, (size_t)sh->n * sizeof *sh->s);
    strcpy(sh->phase, k->spare.phase);
    sh->period = k->spare.period;
    k->periods = k->spare.periods;
    k->n_step = k->spare.n_step;
    memcpy(k->history, k->spare.history, (size_t)(k->n_step + 1) * sizeof *k->history);
    k->found = k->spare.taken = true;
    k->reason = JD_ORBIT_FOUND;
}

static double chunk(const jd_seek *k, int failures) {
    double unit = k->drive > 0 ? k->drive : k->shooting->period;
    return unit * first_chunk * pow(2, failures);
}

jd_status jd_seek_orbit(jd_seek *k) {
    bool goes_on = true, done = false;
    if (k->settle > 0) JD_TRY(simulate(k, k->settle, &goes_on));
    for (int i = 0; goes_on; i++) {
        JD_TRY(aim(k, &goes_on));
        if (!goes_on) break;
        JD_TRY(set_patience(k));
        JD_TRY(shoot(k));
        JD_TRY(shoot_again(k));
        k->cut = false;
        if (!k->found) JD_TRY(shoot_cut(k, &goes_on));
        if (!goes_on) break;
        if (k->found) JD_TRY(judge(k, &done));
        if (done || i + 1 >= k->options.attempts) break;
        if (jd_stop_wanted(k->context)) goes_on = ended(k, JD_ORBIT_INTERRUPTED, NULL);
        jd_progress(k->context, "orbit", (double)(i + 1) / k->options.attempts);
        if (goes_on) JD_TRY(simulate(k, chunk(k, i), &goes_on));
    }
    if (!done) {
        k->found = false;
        if (k->spare.kept) take_spare(k);
    }
    return JD_OK;
}
