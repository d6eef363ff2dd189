// recurrence.c -- after what time a settled motion comes back.
//   Forced: looked at once a drive period, s_0, s_1, ...; the period is the smallest n for which
//   |s_k+n - s_k| is about the smallest of all n up to `longest`.
//   Autonomous: at the events of one kind, the state at each is compared with that at the first.
//   Between events, and where there are none, on a section of its own: g(s) = f0.(s - s0), f0 the
//   rate at s0; a return is where g passes 0 upwards, close to s0 beside how far the motion went.
//   It rests where its rate is nothing beside the largest rate met, or where it does not leave s0.
#include "analysis/orbit/recurrence.h"

#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "problem/system.h"

enum { RETURN_EVENTS = 400, LOOKS = 4000, ROUNDS = 16 }; // ROUNDS: of a search with little time
static const double share = 0.02;      // of the size: how far the motion goes between two looks
static const double no_rate = 1e-11;   // of the largest rate met: the motion rests
static const double no_way = 1e-9;     // of the size: it does not leave s0
static const double first_look = 1e-4; // of the longest: where the motion starts from nothing
static const double near_enough = 0.2; // of the way it went: a return
static const double sure = 2e-3;       // of the way: looks are too coarse to tell a better return

// |s_k - s_k-n| over the last samples.
static double distance_after(const jd_seek *k, int n) {
    double total = 0;
    for (int i = 3 * k->plan.longest; i > 2 * k->plan.longest; i--)
        total += jd_shooting_distance(k->shooting, k->settled.sample + i * k->shooting->n,
                                      k->settled.sample + (i - n) * k->shooting->n);
    return total;
}

jd_status jd_recurrence_forced(jd_seek *k, bool *goes_on) {
    double least = HUGE_VAL, distance[JD_SEEK_PERIODS + 1] = {0}, size = 0;
    int n = k->shooting->n;
    *goes_on = true;
    memcpy(k->settled.sample, k->settled.state, (size_t)n * sizeof *k->settled.state);
    for (int i = 1; i <= 3 * k->plan.longest && *goes_on; i++) {
        JD_TRY(jd_seek_simulate(k, k->plan.drive, goes_on));
        memcpy(k->settled.sample + i * n, k->settled.state, (size_t)n * sizeof *k->settled.state);
    }
    if (!*goes_on) return JD_OK;
    size = k->plan.longest * jd_shooting_size(k->shooting, k->settled.state);
    for (int i = 1; i <= k->plan.longest; i++) {
        distance[i] = distance_after(k, i);
        least = fmin(least, distance[i]);
    }
    k->periods = 1;
    while (distance[k->periods] > 2 * least + 1e-12 * size) k->periods++;
    k->settled.last_distance = size > 0 ? distance[k->periods] / size : 0;
    if (k->attempts == 0) k->settled.first_distance = k->settled.last_distance;
    return JD_OK;
}

// The section through s0 and what was seen of the motion since.
typedef struct section {
    jd_seek *k;
    double *s0, *f0, *now, *rate; // n
    double since;                 // time at s0
    double g;                     // at the last look
    double t;                     // of the last look
    double way;                   // largest distance from s0
    double best, period;          // closest return: distance, time since s0
} section;

static double across(const section *c, const double *s) {
    const jd_shooting *sh = c->k->shooting;
    double g = 0;
    for (int i = 0; i < sh->n; i++) g += sh->scale[i] * sh->scale[i] * c->f0[i] * (s[i] - c->s0[i]);
    return g;
}

static jd_status open(jd_seek *k, section *c) {
    int n = k->shooting->n;
    double *room = JD_TAKE(k->arena, double, 4 * n);
    JD_TRY(jd_arena_status(k->arena));
    *c = (section){.k = k,
                   .s0 = room,
                   .f0 = room + n,
                   .now = room + 2 * n,
                   .rate = room + 3 * n,
                   .best = HUGE_VAL};
    return JD_OK;
}

// The section starts anew at the present state.
static void begin(section *c) {
    jd_run *run = c->k->run;
    run->class->map.state(run, c->s0);
    run->class->map.rate(run, c->f0);
    c->since = c->t = run->t;
    c->g = c->way = c->period = 0;
    c->best = HUGE_VAL;
}

// A look at the state `now`; true: a return good enough was found.
static bool look(section *c) {
    jd_shooting *sh = c->k->shooting;
    double g = across(c, c->now), t = c->k->run->t;
    c->way = fmax(c->way, jd_shooting_distance(sh, c->now, c->s0));
    if (c->g < 0 && g >= 0) { // between the last look and this one
        double part = g / (g - c->g), distance = 0;
        for (int i = 0; i < sh->n; i++) { // back along the rate
            double s = c->now[i] - part * (t - c->t) * c->rate[i] - c->s0[i];
            distance += sh->scale[i] * sh->scale[i] * s * s;
        }
        distance = sqrt(distance);
        if (distance < 0.5 * c->best && distance < near_enough * c->way) {
            c->best = distance;
            c->period = t - part * (t - c->t) - c->since;
        }
    }
    c->g = g;
    c->t = t;
    return c->best < sure * c->way;
}

static bool rests(section *c, double rate) {
    jd_seek *k = c->k;
    k->settled.rate_met = fmax(k->settled.rate_met, rate);
    return rate <= no_rate * k->settled.rate_met;
}

// Two periods of the slowest mode [s]; 0: there are no modes.
static double two_turns(const jd_seek *k) {
    const jd_system *system = jd_problem_system(k->problem);
    double slow = HUGE_VAL;
    for (int i = 0; system && i < system->modal.n; i++)
        if (system->modal.omega2[i].hi > 0) slow = fmin(slow, sqrt(system->modal.omega2[i].hi));
    return slow < HUGE_VAL ? 2 * JD_TWO_PI / slow : 0;
}

// Between two looks at most [s]: what the model says its motion takes to settle, two periods of its
// slowest mode, or what the motion of this size takes at its largest rate, ten times.
static double longest_look(const jd_seek *k, double turns, double size) {
    if (k->plan.settle > 0 || turns > 0) return k->plan.settle > 0 ? k->plan.settle : turns;
    return size > 0 && k->settled.rate_met > 0 ? 10 * size / k->settled.rate_met : 10;
}

// Looks until an event, a return, rest, or enough. *step: how the last advance ended.
static jd_status watch_smooth(section *c, jd_step *step, bool *rest) {
    jd_seek *k = c->k;
    jd_shooting *sh = k->shooting;
    double turns = two_turns(k), dt = 0;
    begin(c);
    *step = JD_STEP_TIME;
    *rest = rests(c, jd_shooting_size(sh, c->f0));
    memcpy(c->rate, c->f0, (size_t)sh->n * sizeof *c->rate);
    for (int i = 0; i < LOOKS && !*rest; i++) {
        double size = fmax(k->settled.size_met, jd_shooting_size(sh, c->s0)),
               longest = longest_look(k, turns, size),
               want =
                   size > 0 ? share * size / jd_shooting_size(sh, c->rate) : first_look * longest;
        dt = fmin(longest, dt > 0 ? fmin(2 * dt, want) : want);
        JD_TRY(jd_run_advance(k->run, k->run->t + dt, step));
        if (*step != JD_STEP_TIME) return JD_OK;
        k->run->class->map.state(k->run, c->now);
        k->run->class->map.rate(k->run, c->rate);
        k->settled.size_met = fmax(k->settled.size_met, jd_shooting_size(sh, c->now));
        if (look(c)) return JD_OK;
        *rest = rests(c, jd_shooting_size(sh, c->rate));
    }
    *rest |= c->way <= no_way * k->settled.size_met;
    return JD_OK;
}

// Returns to the event advance just stopped at; *quiet: no event for a long time.
static jd_status watch_events(section *c, double *period, jd_step *step, bool *quiet) {
    jd_seek *k = c->k;
    jd_shooting *sh = k->shooting;
    const jd_engine_map *map = &k->run->class->map;
    jd_event model = *jd_run_event(k->run);
    double best = HUGE_VAL, *first = sh->s1, gap = 0, last = model.t;
    int alike = 0;
    map->state(k->run, first);
    *period = 0;
    *quiet = false;
    for (int i = 1; i < RETURN_EVENTS; i++) {
        double wait = 50 * fmax(gap, fmax(last - c->since, 1e-3 * k->plan.settle));
        JD_TRY(jd_run_advance(k->run, k->run->t + fmax(wait, 1e-9 * k->run->t), step));
        *quiet = *step == JD_STEP_TIME;
        if (*step != JD_STEP_EVENT) return JD_OK;
        jd_event e = *jd_run_event(k->run);
        gap = fmax(gap, e.t - last);
        last = e.t;
        if (e.contact != model.contact || e.from != model.from || e.to != model.to) continue;
        if (alike > 0 && k->options.most > 0 && ROUNDS * (e.t - model.t) > k->options.most) break;
        k->settled.turn = (e.t - model.t) / ++alike;
        map->state(k->run, c->now);
        double distance = jd_shooting_distance(sh, c->now, first);
        // a later return must be much closer to count; at rounding level none is
        if (distance < 0.5 * best && best > 1e-10 * jd_shooting_size(sh, c->now)) {
            best = distance;
            *period = e.t - model.t;
        }
    }
    return JD_OK;
}

jd_status jd_recurrence_free(jd_seek *k, double *period, bool *rest, bool *stopped) {
    jd_arena_mark mark = jd_arena_here(k->arena);
    section c;
    jd_step step = JD_STEP_TIME;
    bool quiet = true;
    *period = 0;
    *rest = *stopped = false;
    JD_TRY(open(k, &c));
    JD_TRY(k->run->class->map.restart(k->run, 0, k->settled.state, &k->settled.phase));
    for (int i = 0; i < 3 && quiet && !*rest; i++) { // events, then none, then events again
        JD_TRY(watch_smooth(&c, &step, rest));
        quiet = false;
        if (step == JD_STEP_EVENT) JD_TRY(watch_events(&c, period, &step, &quiet));
    }
    if (!(*period > 0) || quiet) *period = step == JD_STEP_TIME ? c.period : 0;
    if (*rest) *period = 0; // what seemed to return was dying out
    *stopped = step == JD_STEP_STOPPED && !(*period > 0);
    if (!(*period > 0) && !*stopped) { // where it rests, or goes on from
        k->run->class->map.state(k->run, k->settled.state);
        k->settled.phase = jd_run_contacts(k->run);
        k->settled.simulated += k->run->t;
    }
    jd_arena_back(k->arena, mark);
    return JD_OK;
}

jd_orbit_reason jd_recurrence_rest(jd_phase phase) {
    for (int j = 0; j < phase.n; j++)
        if (jd_contact_sign(phase.of[j]) != 0) return JD_ORBIT_STEADY_SLIP;
    return JD_ORBIT_AT_REST;
}

jd_status jd_recurrence_moves(jd_seek *k, bool *moves) {
    jd_shooting *sh = k->shooting;
    double way = 0, size = fmax(k->settled.size_met, jd_shooting_size(sh, sh->s));
    JD_TRY(k->run->class->map.restart(k->run, 0, sh->s, &sh->phase));
    for (int i = 1; i < 8; i++) {
        jd_step step = JD_STEP_EVENT;
        while (step == JD_STEP_EVENT) JD_TRY(jd_run_advance(k->run, sh->period * i / 8, &step));
        k->run->class->map.state(k->run, sh->s1);
        way = fmax(way, jd_shooting_distance(sh, sh->s1, sh->s));
    }
    *moves = way > 1e-7 * size;
    return JD_OK;
}
