// orbit.c -- a periodic orbit of a problem: sought (seek.c), then looked at from all sides.
#include <math.h>
#include <string.h>

#include "analysis/driven/driven.h"
#include "analysis/follow/centre.h"
#include "analysis/orbit/seek.h"
#include "analysis/orbit/settled.h"
#include "analysis/orbit/waves.h"
#include "base/words.h"
#include "contact/law.h"
#include "engine/event.h"
#include "judder/orbit.h"
#include "problem/system.h"

struct jd_orbit {
    jd_context *context;
    jd_problem *problem;
    jd_arena *arena;
    jd_seek seek;
    jd_settled settled;
    jd_orbit_view view;
};

static const jd_word reasons[] = {JD_ORBIT_REASON_LIST(JD_WORD)};

const char *jd_orbit_reason_name(jd_orbit_reason k) {
    return jd_word_name(reasons, JD_ORBIT_REASON_COUNT, (int)k);
}
const char *jd_orbit_reason_text(jd_orbit_reason k) {
    return jd_word_text(reasons, JD_ORBIT_REASON_COUNT, (int)k);
}

const jd_orbit_view *jd_orbit_look(const jd_orbit *o) { return &o->view; }

void jd_orbit_free(jd_orbit *o) {
    if (!o) return;
    jd_run_free(o->seek.run);
    jd_arena_free(o->arena);
}

// After a round with tangent.
static jd_status judge(jd_orbit *o) {
    jd_orbit_view *v = &o->view;
    int n = v->n;
    double largest, *value = JD_TAKE(o->arena, double, 2 * n), *logs = JD_TAKE(o->arena, double, n);
    JD_TRY(jd_arena_status(o->arena));
    JD_TRY(jd_seek_multipliers(&o->seek, value, &largest));
    for (int i = 0; i < n; i++) {
        logs[i] = log(hypot(value[2 * i], value[2 * i + 1]));
        v->stability.n_zero += isinf(logs[i]) ? 1 : 0;
    }
    v->stability.multiplier = value;
    v->stability.log_multiplier = logs;
    v->stability.largest = largest;
    v->stability.neutral = jd_seek_neutral(&o->seek);
    v->stability.conservative = o->seek.outcome.conservative;
    v->stability.marginal =
        fabs(largest - 1) < (v->stability.conservative ? JD_SEEK_NEUTRAL : 1e-9);
    JD_TRY(jd_seek_finer(&o->seek, value));
    v->state_error = o->seek.outcome.radius;
    v->stability.multiplier_error = o->seek.outcome.blur;
    if (v->stability.conservative || largest >= 1) return JD_OK;
    JD_TRY(jd_seek_attracts(&o->seek, &v->stability.stable));
    v->stability.stable &= largest + o->seek.outcome.blur < 1;
    v->stability.marginal |= !v->stability.stable;
    return JD_OK;
}

// Isolated: Newton's system is regular at the orbit.
static jd_status weigh(jd_orbit *o) {
    jd_shooting *sh = o->seek.shooting;
    double period = sh->period;
    memcpy(sh->newton.base, sh->s, (size_t)sh->n * sizeof *sh->s);
    jd_shooting_step(sh, 0);
    o->view.stability.isolated = sh->newton.condition > JD_SEEK_SINGULAR;
    memcpy(sh->s, sh->newton.base, (size_t)sh->n * sizeof *sh->s);
    sh->period = period;
    return JD_OK;
}

// Half a period later everything mirrored: s(T/2) = -s(0)?
static jd_status find_symmetry(jd_orbit *o) {
    jd_shooting *sh = o->seek.shooting;
    double whole = sh->period;
    bool lost;
    sh->period = whole / 2;
    jd_status status = jd_shooting_round(sh, false, &lost);
    sh->period = whole;
    JD_TRY(status);
    for (int i = 0; i < sh->n; i++) sh->s1[i] = -sh->s1[i];
    o->view.symmetric = !lost && jd_shooting_residual(sh) < 1e-8;
    return JD_OK;
}

// The contact states at the start, in letters.
static jd_status say_phase(jd_orbit *o, const jd_phase *phase) {
    char *text = JD_TAKE(o->arena, char, phase->n + 1);
    JD_TRY(jd_arena_status(o->arena));
    jd_phase_text(phase, text);
    o->view.phase = text;
    return JD_OK;
}

// A contact of several sliders or cells has one letter for all states that these may have.
static bool has_parts(const jd_orbit_view *v, int contact) {
    return jd_contact_state_of(v->phase[contact]) == JD_CONTACT_CELLS;
}

// Letters before each event that ends a phase of some length.
static jd_status list_phases(jd_orbit *o) {
    jd_orbit_view *v = &o->view;
    int m = jd_problem_contacts(o->problem);
    char *word = JD_TAKE(o->arena, char, (v->n_event + 1) * (m + 1));
    const char **list = JD_TAKE(o->arena, const char *, v->n_event + 1);
    JD_TRY(jd_arena_status(o->arena));
    strcpy(word, v->phase);
    list[v->n_phase++] = word;
    for (int i = 0; i < v->n_event; i++) {
        const jd_event *e = &v->event[i];
        if (i > 0 && e->t > v->event[i - 1].t) {
            list[v->n_phase++] = word;
        }
        char *next = word + m + 1;
        strcpy(next, word);
        if (!has_parts(v, e->contact)) next[e->contact] = jd_contact_letter(e->to);
        word = next;
    }
    v->phases = list;
    return JD_OK;
}

// Time each contact holds in one period.
static jd_status time_stuck(jd_orbit *o) {
    jd_orbit_view *v = &o->view;
    int m = jd_problem_contacts(o->problem);
    double *stuck = JD_TAKE(o->arena, double, m + 1);
    JD_TRY(jd_arena_status(o->arena));
    for (int j = 0; j < m; j++) {
        if (has_parts(v, j)) continue; // each of its sliders has a time of its own
        jd_contact_state now = jd_contact_state_of(v->phase[j]);
        double since = 0;
        for (int i = 0; i < v->n_event; i++) {
            const jd_event *e = &v->event[i];
            if (e->contact != j) continue;
            if (now == JD_CONTACT_STUCK) stuck[j] += e->t - since;
            now = e->to;
            since = e->t;
        }
        if (now == JD_CONTACT_STUCK) stuck[j] += v->period - since;
    }
    v->stuck = stuck;
    return JD_OK;
}

// A round that was not completed has no extremes to be told.
static void not_measured(jd_orbit *o, jd_stop stop) {
    o->view.found = false;
    o->view.search.reason = stop == JD_STOP_INTERRUPTED ? JD_ORBIT_INTERRUPTED : JD_ORBIT_STOPPED;
    o->view.search.why = jd_stop_text(stop);
}

// Extremes over one round, from closed form.
static jd_status measure(jd_orbit *o) {
    int m = jd_problem_contacts(o->problem);
    jd_contact_ranges *range = JD_TAKE(o->arena, jd_contact_ranges, m + 1);
    jd_run *run;
    jd_step step = JD_STEP_EVENT;
    JD_TRY(jd_arena_status(o->arena));
    o->view.range = range;
    if (o->seek.cut) return jd_multiple_ranges(&o->seek.multiple, range);
    JD_TRY(jd_orbit_run(o, &run));
    jd_run_for_analysis(run);
    jd_status status = jd_run_track(run);
    while (status == JD_OK && step == JD_STEP_EVENT)
        status = jd_run_advance(run, o->view.period, &step);
    if (status == JD_OK) status = jd_run_ranges(run, range);
    if (step == JD_STEP_STOPPED) not_measured(o, run->stop);
    jd_run_free(run);
    o->view.range = range;
    return status;
}

// With restitution 1 a stop is only ever closed by a landing without speed.
static bool lands_softly(const jd_orbit *o) {
    for (int i = 0; i < o->view.n_event; i++) {
        const jd_event *e = &o->view.event[i];
        const jd_contact_def *c = jd_problem_contact(o->problem, e->contact)->def;
        const jd_stop_def *stop = jd_law_stop_of(&c->law);
        if (stop && jd_event_is_landing(e) && stop->restitution >= 1) return true;
    }
    return false;
}

// The round of an orbit that was found did not complete: nothing is known about it.
static jd_status give_up(jd_orbit *o) {
    o->view.found = false;
    o->view.search.reason = JD_ORBIT_STOPPED;
    o->view.search.why =
        o->seek.shooting->last.grazes
            ? "a contact is only grazed: the period map has no derivative at the orbit found"
            : "the motion ended before it completed the period of the orbit found";
    return JD_OK;
}

static double row_size(int n, const jd_dd *row) {
    double s = 0;
    for (int k = 0; row && k < n; k++) s += row[k].hi * row[k].hi;
    return sqrt(s);
}

// Speed of the modes that rounding is measured by: of the orbit, and what the drives would give if
// nothing held them, amplitude/frequency.
static double speed_of_modes(const jd_orbit *o, const jd_system *y) {
    double speed = jd_shooting_size(o->seek.shooting, o->view.state);
    for (int i = 0; i < y->n_drive; i++) {
        const jd_object *d = jd_problem_drive(o->problem, i);
        double w = jd_problem_drive_frequency(o->problem, i);
        if (strcmp(d->type->name, "harmonic") || !(w > 0)) continue;
        speed += fabs(((const jd_harmonic_def *)d->def)->amplitude) *
                 row_size(y->modal.n, y->drive[i]) / w;
    }
    return speed;
}

// Events of a contact that moves no faster than rounding over the whole period are not known: most
// likely it rests.
static void count_noise(jd_orbit *o) {
    jd_orbit_view *v = &o->view;
    const jd_system *y = jd_problem_system(o->problem);
    if (!y || y->modal.n == 0 || 2 * y->modal.n != v->n)
        return; // closure engine: other coordinates
    double speed = speed_of_modes(o, y);
    for (int i = 0; i < v->n_event; i++) {
        int j = v->event[i].contact;
        if (!y->contact[j]) continue; // cells: their mean may rest while they move
        const jd_range *r = &v->range[j].velocity;
        double own = fmax(fabs(r->min), fabs(r->max));
        v->undecided += own <= 1e-13 * speed * row_size(y->modal.n, y->contact[j]);
    }
}

static jd_status look_around(jd_orbit *o) {
    jd_shooting *sh = o->seek.shooting;
    jd_orbit_view *v = &o->view;
    bool lost;
    JD_TRY(jd_seek_round(&o->seek, true, &lost));
    if (lost) return give_up(o);
    JD_TRY(judge(o));
    JD_TRY(weigh(o));
    JD_TRY(find_symmetry(o));
    JD_TRY(jd_seek_round(&o->seek, false, &lost));
    if (lost) return give_up(o);
    jd_event *event = JD_TAKE(o->arena, jd_event, sh->last.n_event);
    JD_TRY(jd_arena_status(o->arena));
    memcpy(event, sh->last.event, (size_t)sh->last.n_event * sizeof *event);
    v->event = event;
    v->n_event = sh->last.n_event;
    v->undecided = sh->last.undecided;
    v->tolerance = sh->tolerance;
    v->stability.soft = lands_softly(o);
    v->stability.stable = v->stability.stable && !v->stability.soft;
    JD_TRY(list_phases(o));
    JD_TRY(time_stuck(o));
    JD_TRY(measure(o));
    count_noise(o);
    return JD_OK;
}

static bool has_rigid_modes(const jd_orbit *o) {
    const jd_system *y = jd_problem_system(o->problem);
    for (int k = 0; y && k < y->modal.n; k++)
        if (y->modal.omega2[k].hi == 0) return true;
    return false;
}

// What most likely stood in the way, for people.
static const char *explain(jd_orbit *o, const jd_seek *k) {
    if (k->outcome.reason != JD_ORBIT_NO_CONVERGENCE || k->plan.drive == 0) return k->outcome.why;
    if (has_rigid_modes(o) && jd_system_has_cells(jd_problem_system(o->problem)))
        return "a free body may go on by a set in each period, which is no orbit here: engine "
               "`wave` finds it for rods; or the motion still settles (`orbit.settle`)";
    if (k->settled.last_distance > 0 && k->settled.last_distance < 0.5 * k->settled.first_distance)
        return "the motion still settles: simulate longer (`orbit.settle`)";
    if (k->settled.last_distance > 1e-3)
        return jd_arena_format(o->arena,
                               "the settled motion does not repeat after 1 to %d drive periods: it "
                               "may be quasi-periodic or chaotic, of a longer period "
                               "(`orbit.periods`), or settle later (`orbit.settle`)",
                               k->plan.longest);
    return k->outcome.why;
}

jd_status jd_orbit_take_up(jd_run *run, const jd_orbit_options *options) {
    if (!run->waiting || options->state) return JD_OK;
    if (options->block) return jd_run_state_load(run, options->block, options->block_size);
    jd_fail(run->context, JD_BAD_ARGUMENT,
            "the problem starts from the end of an earlier run, which is not given");
    jd_fail_where(run->context, "start");
    jd_fail_hint(run->context, "give its state in the options (`block`), or another start");
    return JD_BAD_ARGUMENT;
}

// An engine that cannot shoot, but whose states can be taken up again. on_grid: its rods go on.
static bool must_settle(const jd_orbit *o, const jd_orbit_options *options, jd_status *status,
                        bool *on_grid) {
    jd_run *run;
    *on_grid = false;
    *status =
        options->shoot || options->state ? JD_OK : jd_run_create(o->context, o->problem, &run);
    if (*status != JD_OK || options->shoot || options->state) return false;
    const jd_engine_map *map = &run->class->map;
    bool settles = (!map->restart || map->coordinates(run) == 0) && run->class->shift;
    *on_grid = settles && !map->coordinates && run->class->body;
    jd_run_free(run);
    return settles;
}

// Multipliers of the settled motion, as far as the engine can tell.
static jd_status judge_settled(jd_orbit *o) {
    jd_orbit_view *v = &o->view;
    jd_waves w;
    jd_run *run;
    JD_TRY(jd_settled_run(o->context, o->problem, &o->settled, &run));
    jd_status status = jd_waves_find(run, o->arena, &o->settled, &w);
    jd_run_free(run);
    JD_TRY(status);
    v->stability.why_none = w.why;
    // simulation tells that a motion attracts, Newton's method does not
    if (w.why && o->settled.history) v->stability.stable = false, v->stability.marginal = true;
    if (w.why) return JD_OK;
    double *logs = JD_TAKE(o->arena, double, w.n);
    JD_TRY(jd_arena_status(o->arena));
    for (int i = 0; i < w.n; i++) logs[i] = log(hypot(w.value[2 * i], w.value[2 * i + 1]));
    v->stability.multiplier = w.value;
    v->stability.log_multiplier = logs;
    v->stability.n_multiplier = w.n;
    v->stability.largest = w.largest;
    v->stability.multiplier_error = w.error;
    // what Newton's method did not close is not the motion that these multipliers are of
    bool closed = o->settled.attempts == 0 || o->settled.history;
    v->stability.stable = closed && w.largest + w.error < 1;
    v->stability.marginal = !v->stability.stable && w.largest - w.error < 1;
    return JD_OK;
}

static jd_status settle(jd_orbit *o, const jd_orbit_options *options, bool on_grid) {
    jd_orbit_view *v = &o->view;
    jd_settled *s = &o->settled;
    JD_TRY(
        (on_grid ? jd_driven_find : jd_settled_find)(o->context, o->problem, o->arena, options, s));
    v->simulated = true;
    v->found = v->stability.stable = s->found;
    v->search.reason = s->reason;
    v->search.why = s->why;
    v->forced = s->drive > 0;
    v->period = s->period;
    v->periods = s->periods;
    v->error = s->error;
    JD_TRY(say_phase(o, &s->phase));
    v->residual = v->search.best = s->residual;
    v->search.settled = s->simulated;
    v->event = s->event;
    v->n_event = s->n_event;
    v->stability.largest = (double)NAN;
    v->stability.isolated = true;
    v->search.attempts = s->attempts;
    v->search.iterations = s->steps;
    v->search.history = s->history;
    if (!v->found) return JD_OK;
    v->set = s->set;
    if (on_grid)
        v->stability.why_none = "the friction of cells on a grid has no derivative";
    else
        JD_TRY(judge_settled(o));
    JD_TRY(list_phases(o));
    JD_TRY(time_stuck(o));
    return measure(o);
}

static jd_status find(jd_orbit *o, const jd_orbit_options *options) {
    jd_orbit_view *v = &o->view;
    jd_seek *k = &o->seek;
    jd_status status;
    bool on_grid;
    if (must_settle(o, options, &status, &on_grid)) return settle(o, options, on_grid);
    JD_TRY(status);
    JD_TRY(jd_seek_create(o->context, o->problem, o->arena, options, k));
    JD_TRY(jd_seek_orbit(k));
    v->found = k->outcome.found;
    v->search.segments = k->cut ? k->multiple.K : 0;
    v->search.reason = k->outcome.reason;
    v->search.why = k->outcome.found ? NULL : explain(o, k);
    v->forced = k->plan.drive > 0;
    v->period = k->shooting->period;
    v->periods = k->plan.drive > 0 ? k->periods : 0;
    v->n = v->stability.n_multiplier = k->shooting->n;
    v->state = k->shooting->s;
    JD_TRY(say_phase(o, &k->shooting->phase));
    v->search.history = k->outcome.history;
    v->search.iterations = k->outcome.n_step;
    v->residual = k->attempts ? k->outcome.history[k->outcome.n_step] : (double)NAN;
    v->search.attempts = k->attempts;
    v->search.settled = k->settled.simulated;
    v->search.elsewhere = k->spare.taken;
    v->search.longest = k->plan.drive > 0 && !k->plan.asked ? k->plan.longest : 0;
    v->search.best = k->outcome.best;
    if (!v->found) return JD_OK;
    JD_TRY(look_around(o));
    return say_phase(o, &k->shooting->phase); // of the state as it is now
}

jd_status jd_orbit_create(jd_context *context, jd_problem *problem, const jd_orbit_options *options,
                          jd_orbit **out) {
    jd_orbit_options defaults = jd_default_orbit_options();
    *out = NULL;
    if (!options) options = &defaults;
    JD_TRY(jd_orbit_check_options(context, options));
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
    status = find(o, options);
    jd_orbit *centred = NULL;
    const jd_orbit_view *v = &o->view;
    if (status == JD_OK && options->centred && v->found && v->forced && v->stability.neutral > 0)
        status = jd_orbit_centre(context, problem, v, options, &centred);
    if (status == JD_OK) *out = centred ? centred : o;
    if (status != JD_OK || centred) jd_orbit_free(o);
    return status;
}

jd_status jd_orbit_run(const jd_orbit *o, jd_run **out) {
    if (o->view.simulated) return jd_settled_run(o->context, o->problem, &o->settled, out);
    JD_TRY(jd_run_create(o->context, o->problem, out));
    jd_status status = (*out)->class->map.restart(*out, 0, o->view.state, &o->seek.shooting->phase);
    if (status == JD_OK) return JD_OK;
    jd_run_free(*out);
    *out = NULL;
    return status;
}
