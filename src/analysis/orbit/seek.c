// seek.c -- finds a periodic orbit: simulate, tell the period (recurrence.c), shoot; where that
//   fails, simulate on twice as long and shoot again, for periods twice as long.
//   An unstable orbit met on the way is kept but not taken while a stable one may still turn up. A
//   steady state, which returns after any time, is no orbit.
#include "analysis/orbit/seek.h"

#include <math.h>
#include <string.h>

#include "analysis/orbit/recurrence.h"
#include "analysis/orbit/settled.h"
#include "base/constants.h"
#include "linalg/general.h"
#include "problem/parts.h"

static const double below_rounding = 1e-18;
static const double first_chunk = 32; // drive periods simulated after the first failure
enum { SHORT = 16, LEAST_ROUNDS = 16, UNSTABLE = 3, CHUNKS = 5, MOST_EVENTS = 500000 };

static jd_status take_memory(jd_seek *k) {
    int n = k->shooting->n;
    k->settled.state = JD_TAKE(k->arena, double, n);
    k->spare.state = JD_TAKE(k->arena, double, n);
    k->settled.sample = JD_TAKE(k->arena, double, (3 * JD_SEEK_PERIODS + 1) * n);
    k->outcome.history = JD_TAKE(k->arena, double, k->options.iterations + 2);
    k->spare.history = JD_TAKE(k->arena, double, k->options.iterations + 2);
    return jd_arena_status(k->arena);
}

static void take_state(jd_seek *k) {
    k->run->class->map.state(k->run, k->settled.state);
    k->settled.phase = jd_run_contacts(k->run);
}

static jd_status take_given(jd_seek *k) {
    const char *letters = k->options.phase;
    jd_phase *phase = &k->settled.phase;
    *phase = jd_phase_of_text(letters);
    int n = jd_run_contacts(k->run).n, known = 0;
    while (known < phase->n && phase->of[known] < JD_CONTACT_STATE_COUNT) known++;
    if (known != n || phase->n != n)
        return jd_fail(
            k->context, JD_BAD_ARGUMENT,
            "options of an orbit: `phase` is `%s`; it has the letter of a state for each "
            "of %d contacts",
            letters, n);
    memcpy(k->settled.state, k->options.state, (size_t)k->shooting->n * sizeof *k->options.state);
    return JD_OK;
}

// From where the run was taken up to the next time at which the drive begins a period.
static jd_status go_to_phase_0(jd_seek *k) {
    jd_step step = JD_STEP_EVENT;
    double t =
        k->plan.drive > 0 ? ceil(k->run->t / k->plan.drive - 1e-9) * k->plan.drive : k->run->t;
    while (step == JD_STEP_EVENT && k->run->t < t) JD_TRY(jd_run_advance(k->run, t, &step));
    take_state(k);
    return JD_OK;
}

jd_status jd_seek_create(jd_context *context, jd_problem *problem, jd_arena *arena,
                         const jd_orbit_options *options, jd_seek *k) {
    *k = (jd_seek){.context = context,
                   .problem = problem,
                   .arena = arena,
                   .options = *options,
                   .outcome.best = HUGE_VAL};
    JD_TRY(jd_seek_times(k));
    JD_TRY(jd_run_create(context, problem, &k->run));
    jd_run_for_analysis(k->run);
    JD_TRY(jd_shooting_create(k->run, arena, &k->shooting));
    JD_TRY(take_memory(k));
    k->shooting->forced = k->plan.drive > 0;
    k->plan.from_here = k->plan.settle == 0;
    const jd_object *start = jd_problem_start(problem);
    if (start->type == &jd_start_nsm && k->plan.from_here && !(options->period > 0))
        k->options.period = JD_TWO_PI / ((const jd_start_nsm_def *)start->def)->omega;
    if (options->state) return take_given(k);
    JD_TRY(jd_orbit_take_up(k->run, options));
    if (options->block) return go_to_phase_0(k);
    take_state(k);
    return JD_OK;
}

static bool ended(jd_seek *k, jd_orbit_reason reason, const char *why) {
    k->outcome.reason = reason;
    k->outcome.why = why ? why : jd_orbit_reason_text(reason);
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

static void meet(jd_seek *k) {
    k->run->class->map.rate(k->run, k->shooting->rate);
    k->settled.size_met =
        fmax(k->settled.size_met, jd_shooting_size(k->shooting, k->settled.state));
    k->settled.rate_met =
        fmax(k->settled.rate_met, jd_shooting_size(k->shooting, k->shooting->rate));
}

static bool ended_by_stop(jd_seek *k) {
    jd_stop stop = k->run->stop;
    if (stop == JD_STOP_UNBOUNDED) return ended(k, JD_ORBIT_UNBOUNDED, NULL);
    if (stop == JD_STOP_INTERRUPTED) return ended(k, JD_ORBIT_INTERRUPTED, NULL);
    return ended(k, JD_ORBIT_STOPPED, words(k));
}

jd_status jd_seek_simulate(jd_seek *k, double time, bool *goes_on) {
    jd_run *run = k->run;
    jd_step step = JD_STEP_EVENT;
    *goes_on = true;
    if (k->plan.drive > 0) time = ceil(time / k->plan.drive - 1e-9) * k->plan.drive;
    JD_TRY(run->class->map.restart(run, 0, k->settled.state, &k->settled.phase));
    if (k->plan.drive == 0) meet(k);
    jd_report before, after;
    jd_run_report(run, &before);
    while (step == JD_STEP_EVENT) {
        JD_TRY(jd_run_advance(run, time, &step));
        k->settled.events++;
    }
    jd_run_report(run, &after);
    if (after.certificate.tolerance > 0)
        k->shooting->limit.work +=
            (double)(after.certificate.evaluations - before.certificate.evaluations);
    k->settled.simulated += run->t;
    take_state(k);
    if (step == JD_STEP_STOPPED) *goes_on = ended_by_stop(k);
    return JD_OK;
}

// What no residual can see rests: coordinates far below rounding of the whole, such as a body that
// no drive reaches and that bounces on by ever less. Its bounces have no derivative worth the name.
static void still(const jd_seek *k, double *s) {
    const double *scale = k->shooting->scale;
    double size = jd_shooting_size(k->shooting, s);
    for (int i = 0; i < k->shooting->n; i++)
        if (fabs(scale[i] * s[i]) < below_rounding * size) s[i] = 0;
}

// Period of the next attempt, and the shooting put at the state kept.
static jd_status aim(jd_seek *k, bool *goes_on) {
    jd_shooting *sh = k->shooting;
    *goes_on = true;
    if (k->plan.drive > 0) {
        if (k->plan.asked)
            k->periods = k->plan.asked;
        else if (k->plan.from_here && k->attempts == 0)
            k->periods = 1;
        else
            JD_TRY(jd_recurrence_forced(k, goes_on));
        sh->period = k->periods * k->plan.drive;
    } else {
        bool rest = false, stopped = false;
        sh->period = k->attempts == 0 ? k->options.period : 0;
        if (!(sh->period > 0)) JD_TRY(jd_recurrence_free(k, &sh->period, &rest, &stopped));
        if (stopped)
            *goes_on = ended_by_stop(k);
        else if (rest)
            *goes_on = ended(k, jd_recurrence_rest(k->settled.phase), NULL);
        else if (!(sh->period > 0))
            ended(k, JD_ORBIT_NO_RETURN, NULL); // yet: it may still settle
    }
    still(k, k->settled.state);
    memcpy(sh->s, k->settled.state, (size_t)sh->n * sizeof *sh->s);
    sh->phase = k->settled.phase;
    return JD_OK;
}

// A round with far more events than the settled motion has leads nowhere.
static jd_status set_patience(jd_seek *k) {
    jd_shooting *sh = k->shooting;
    bool lost;
    sh->limit.most_events = JD_SHOOT_EVENTS;
    sh->limit.most_time = k->plan.drive > 0 ? 0 : 4 * sh->period;
    // as long a motion as the simulation, and at least that of a quick success
    double most = fmax(LEAST_ROUNDS * sh->period, k->settled.simulated - sh->limit.spent);
    sh->limit.most_spent = k->plan.asked || k->plan.from_here ? 0 : sh->limit.spent + most;
    if (k->options.most > 0)
        sh->limit.most_spent = fmax(k->options.most, sh->limit.spent + 2 * sh->period);
    JD_TRY(jd_shooting_round(sh, false, &lost));
    if (!lost && 20 * sh->last.events + 200 < sh->limit.most_events)
        sh->limit.most_events = 20 * sh->last.events + 200;
    return JD_OK;
}

jd_status jd_seek_shoot(jd_seek *k) {
    const jd_orbit_options *o = &k->options;
    k->attempts++;
    JD_TRY(jd_shooting_solve(k->shooting, o->iterations, o->tolerance, k->outcome.history,
                             &k->outcome.n_step, &k->outcome.found, &k->outcome.why));
    k->outcome.reason = k->shooting->newton.reason;
    k->outcome.best = fmin(k->outcome.best, k->outcome.history[k->outcome.n_step]);
    return JD_OK;
}

jd_status jd_seek_round(jd_seek *k, bool tangent, bool *lost) {
    return k->cut ? jd_multiple_round(&k->multiple, tangent, lost)
                  : jd_shooting_round(k->shooting, tangent, lost);
}

// Newton's method stopped half-way: a few periods of simulation from there bring the fast motion in
// line, then it may go on.
static jd_status shoot_again(jd_seek *k) {
    jd_shooting *sh = k->shooting;
    bool lost = false;
    if (k->outcome.found || !(k->outcome.history[k->outcome.n_step] < 0.3 * k->outcome.history[0]))
        return JD_OK;
    for (int i = 0; i < SHORT && !lost; i++) {
        memcpy(sh->s, sh->s1, (size_t)sh->n * sizeof *sh->s);
        sh->phase = sh->phase1;
        JD_TRY(jd_shooting_round(sh, false, &lost));
    }
    return lost ? JD_OK : jd_seek_shoot(k);
}

// Found from an event, the orbit would begin just after it and end just before: it would be missing
// from both. It then begins half-way to the next one instead.
static jd_status leave_event(jd_seek *k) {
    jd_shooting *sh = k->shooting;
    jd_step step;
    bool lost;
    if (jd_phase_same(&sh->phase, &sh->phase1) || sh->last.n_event == 0) return JD_OK;
    JD_TRY(k->run->class->map.restart(k->run, 0, sh->s, &sh->phase));
    JD_TRY(jd_run_advance(k->run, sh->last.event[0].t / 2, &step));
    k->run->class->map.state(k->run, sh->s);
    sh->phase = jd_run_contacts(k->run);
    JD_TRY(jd_shooting_round(sh, true, &lost));
    return jd_shooting_residual(sh) > k->options.tolerance ? jd_seek_shoot(k) : JD_OK;
}

// Newton's method went to a steady state.
static jd_status reject_steady(jd_seek *k) {
    bool lost;
    JD_TRY(jd_recurrence_moves(k, &k->outcome.found));
    if (k->outcome.found) return jd_shooting_round(k->shooting, true, &lost);
    ended(k, JD_ORBIT_NO_CONVERGENCE, "Newton's method finds only a steady state");
    return JD_OK;
}

int jd_seek_neutral(const jd_seek *k) {
    const jd_shooting *sh = k->shooting;
    int count = 0;
    for (int j = 0; j < jd_problem_contacts(k->problem); j++) {
        if (sh->phase.of[j] == JD_CONTACT_CELLS && k->run->class->held.sliders) {
            count += k->run->class->held.sliders(k->run, j, sh->last.n_event, sh->last.event);
            continue;
        }
        bool moves = sh->phase.of[j] != JD_CONTACT_STUCK; // a closed stop stays at its gap
        for (int i = 0; i < sh->last.n_event && !moves; i++) moves = sh->last.event[i].contact == j;
        count += !moves;
    }
    return count;
}

// Greatest magnitude without the `trivial` ones closest to 1. left: n flags.
static double largest_of(int n, const double *value, int trivial, bool *left) {
    double largest = 0;
    for (int i = 0; i < n; i++) left[i] = true;
    for (int t = 0; t < trivial; t++) {
        int closest = -1;
        double least = HUGE_VAL;
        for (int i = 0; i < n; i++) {
            double away = hypot(value[2 * i] - 1, value[2 * i + 1]);
            if (!left[i] || !(away < least)) continue;
            closest = i;
            least = away;
        }
        if (closest >= 0) left[closest] = false;
    }
    for (int i = 0; i < n; i++)
        if (left[i]) largest = fmax(largest, hypot(value[2 * i], value[2 * i + 1]));
    return largest;
}

// Without a drive and without losses volumes stay (product of all multipliers 1), and the energy
// gives a second multiplier 1; rounding moves the two apart by the root of it.
static bool has_trivial_pair(int n, const double *value) {
    int ones = 0;
    double logs = 0;
    for (int i = 0; i < n; i++) {
        logs += log(hypot(value[2 * i], value[2 * i + 1]));
        ones += hypot(value[2 * i] - 1, value[2 * i + 1]) < 1e-4;
    }
    return ones >= 2 && fabs(logs) < 1e-8;
}

// A multiplier below rounding is 0.
jd_status jd_seek_multipliers(jd_seek *k, double *value, double *largest) {
    jd_shooting *sh = k->shooting;
    int n = sh->n;
    double norm = 0;
    bool *left = JD_TAKE(k->arena, bool, n);
    JD_TRY(jd_arena_status(k->arena));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            sh->newton.A[i * n + j] = sh->scale[i] * sh->M[i * n + j] / sh->scale[j];
            norm += sh->newton.A[i * n + j] * sh->newton.A[i * n + j];
        }
    JD_TRY(jd_eigen_general(k->arena, n, sh->newton.A, value));
    for (int i = 0; i < n; i++)
        if (hypot(value[2 * i], value[2 * i + 1]) < 1e-14 * sqrt(norm))
            value[2 * i] = value[2 * i + 1] = 0;
    k->outcome.conservative = !sh->forced && has_trivial_pair(n, value);
    *largest =
        largest_of(n, value, !sh->forced + k->outcome.conservative + jd_seek_neutral(k), left);
    if (k->outcome.conservative)
        *largest = fmax(*largest, 1); // what shrinks one way grows the other
    return JD_OK;
}

// Newton's method crept up to a state it never reaches.
static jd_status reject_double(jd_seek *k) {
    if (k->outcome.conservative || jd_seek_neutral(k) > 0) return JD_OK;
    JD_TRY(jd_seek_closes(k, &k->outcome.found));
    k->outcome.creeps |= !k->outcome.found;
    return JD_OK;
}

static bool ended_creeping(jd_seek *k) {
    return ended(k, JD_ORBIT_NOT_ISOLATED,
                 "Newton's method creeps up to a double root: the motion comes ever closer, ever "
                 "more slowly, to an orbit at the edge of a family or at a bifurcation");
}

// Whether the orbit found ends the search.
static jd_status judge(jd_seek *k, bool *done) {
    jd_shooting *sh = k->shooting;
    double largest, *value = JD_TAKE(k->arena, double, 2 * sh->n);
    JD_TRY(jd_arena_status(k->arena));
    if (k->plan.drive > 0 && !k->plan.asked && !k->cut) JD_TRY(jd_seek_shorten(k));
    if (k->plan.drive == 0 && !k->cut) JD_TRY(reject_steady(k));
    if (k->plan.drive == 0 && k->outcome.found && !k->cut) {
        JD_TRY(jd_seek_shorten_free(k));
        JD_TRY(leave_event(k));
    }
    if (k->outcome.found) JD_TRY(jd_seek_multipliers(k, value, &largest));
    k->outcome.radius = (double)NAN;
    k->outcome.spread = 0;
    if (k->outcome.found && !k->cut) JD_TRY(reject_double(k));
    *done = k->outcome.found;
    if (!k->outcome.found || k->plan.from_here || k->plan.asked) return JD_OK;
    *done = largest < 1 + (k->outcome.conservative ? JD_SEEK_NEUTRAL : 1e-9);
    k->outcome.unstable += !*done;
    if (*done || k->spare.kept || k->cut) return JD_OK;
    k->spare.kept = true;
    k->spare.period = sh->period;
    k->spare.periods = k->periods;
    memcpy(k->spare.state, sh->s, (size_t)sh->n * sizeof *sh->s);
    k->spare.phase = sh->phase;
    k->spare.n_step = k->outcome.n_step;
    k->spare.radius = k->outcome.radius;
    k->spare.spread = k->outcome.spread;
    memcpy(k->spare.history, k->outcome.history,
           (size_t)(k->outcome.n_step + 1) * sizeof *k->outcome.history);
    return JD_OK;
}

static void take_spare(jd_seek *k) {
    jd_shooting *sh = k->shooting;
    memcpy(sh->s, k->spare.state, (size_t)sh->n * sizeof *sh->s);
    sh->phase = k->spare.phase;
    sh->period = k->spare.period;
    k->periods = k->spare.periods;
    k->outcome.n_step = k->spare.n_step;
    k->outcome.radius = k->spare.radius;
    k->outcome.spread = k->spare.spread;
    memcpy(k->outcome.history, k->spare.history,
           (size_t)(k->outcome.n_step + 1) * sizeof *k->outcome.history);
    k->outcome.found = k->spare.taken = true;
    k->outcome.reason = JD_ORBIT_FOUND;
}

// Whether to look on: a motion that passes one unstable orbit after the other wanders, so does one
// that after a thousand periods repeats no better than at first, and one with events beyond number
// takes too long to tell.
static bool looks_on(jd_seek *k) {
    const shooting_limit *limit = &k->shooting->limit;
    if (limit->work > limit->most_work)
        return ended(k, JD_ORBIT_TOO_MUCH_WORK,
                     jd_arena_format(k->arena,
                                     "no orbit was found within %.0f panels, more than the %.0f of "
                                     "`orbit.work`: allow more, or a larger `simulate.tolerance`",
                                     limit->work, limit->most_work));
    bool all = k->plan.drive == 0 || k->plan.longest == JD_SEEK_PERIODS;
    bool far =
        k->plan.drive > 0 && k->settled.last_distance > fmax(1e-3, 0.5 * k->settled.first_distance);
    bool wanders = all && (k->outcome.unstable >= UNSTABLE || (far && k->settled.chunks >= CHUNKS));
    if (wanders || k->settled.events + k->shooting->limit.all_events < MOST_EVENTS) return !wanders;
    return ended(k, JD_ORBIT_NO_CONVERGENCE, "the search has met more than 500 000 events");
}

static double chunk(const jd_seek *k, int failures) {
    double unit = k->plan.drive > 0     ? k->plan.drive
                  : k->settled.turn > 0 ? k->settled.turn
                                        : k->shooting->period;
    return unit * first_chunk * pow(2, failures);
}

// What may be simulated before the next attempt [s]; 0: nothing any more.
static double next_stretch(const jd_seek *k, int failures) {
    double more = chunk(k, failures), most = k->options.most;
    return most > 0 ? fmin(more, fmax(0, most - k->settled.simulated)) : more;
}

// Shoots in all ways, and judges what is found.
static jd_status try_orbit(jd_seek *k, bool *goes_on, bool *done) {
    JD_TRY(set_patience(k));
    JD_TRY(jd_seek_shoot(k));
    JD_TRY(shoot_again(k));
    k->cut = false;
    if (!k->outcome.found) JD_TRY(jd_seek_cut(k, goes_on));
    if (*goes_on && k->outcome.found) JD_TRY(judge(k, done));
    return JD_OK;
}

// What may be done from here on, which is the end of `settle`.
static void limit_work(jd_seek *k) {
    const jd_orbit_def *def = jd_problem_section(k->problem, JD_ORBIT, NULL);
    k->shooting->limit.work = 0;
    k->shooting->limit.most_work = def->work;
}

jd_status jd_seek_orbit(jd_seek *k) {
    bool goes_on = true, done = false;
    if (k->plan.settle > 0) JD_TRY(jd_seek_simulate(k, k->plan.settle, &goes_on));
    limit_work(k);
    k->plan.longest = JD_SEEK_FIRST;
    for (int i = 0; goes_on; i++) {
        if (i > 1 && 2 * k->plan.longest <= JD_SEEK_PERIODS) k->plan.longest *= 2;
        JD_TRY(aim(k, &goes_on));
        if (goes_on && k->shooting->period > 0) JD_TRY(try_orbit(k, &goes_on, &done));
        if (!goes_on) break;
        if (done || i + 1 >= k->options.attempts || !looks_on(k)) break;
        if (k->options.most > 0 && k->settled.simulated >= k->options.most) break;
        if (jd_stop_wanted(k->context)) goes_on = ended(k, JD_ORBIT_INTERRUPTED, NULL);
        jd_progress(k->context, "orbit", (double)(i + 1) / k->options.attempts);
        k->settled.chunks++;
        if (goes_on && k->shooting->period > 0)
            JD_TRY(jd_seek_simulate(k, next_stretch(k, i), &goes_on));
    }
    if (!done) {
        k->outcome.found = false;
        if (k->outcome.creeps &&
            (k->outcome.reason == JD_ORBIT_FOUND || k->outcome.reason == JD_ORBIT_NO_CONVERGENCE))
            ended_creeping(k);
        if (k->spare.kept) take_spare(k);
    }
    return JD_OK;
}
