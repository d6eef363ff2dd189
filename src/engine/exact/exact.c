// exact.c -- the exact engine's face: create, advance from event to event, observe, report.
#include <math.h>
#include <string.h>

#include "contact/law.h"
#include "engine/exact/exact.h"
#include "engine/exact/observers/ledger.h"

static const double growth_limit = 1e100; // amplitudes beyond this count as unbounded
// Progress: a run goes on as long as fewer than storm_limit events fall into each stretch of
// storm_window fastest periods. Events that leave the time as it is count more. So a run of length
// T ends after at most storm_limit T/(storm_window quick_time) events.  tested: every_run_ends
static const long storm_limit = 30000;
static const double storm_window = 1e-6;

enum { MOST_BASES = 20 }; // contacts above which engine series is cheaper

static const unsigned computed = JD_LAW_FRICTION | JD_LAW_STATIC | JD_LAW_SLOPE | JD_LAW_STOP;

static const char *refuses(const jd_problem *p) {
    for (int i = 0; i < jd_problem_bodies(p); i++) {
        const jd_structure *s = jd_problem_structure(p, i);
        if (!(jd_structure_capabilities(s) & JD_CAN_MODAL)) return "a body has no modes";
        if (s->infinite) return "a body keeps infinitely many modes (say how many with `modes`)";
    }
    if (jd_problem_contacts(p) > JD_GUARD_LIMIT) return "there are more than 64 contacts";
    for (int j = 0; j < jd_problem_contacts(p); j++) {
        const jd_contact_def *c = jd_problem_contact(p, j)->def;
        if (!c->at.point) return "a contact acts along a span";
        const char *why = jd_law_refuses(&c->law, computed);
        if (why) return why;
    }
    return jd_system_refuses_spans(jd_problem_system(p));
}

// A basis for each set of held contacts: with many contacts nearly every event meets a new set.
static const char *yields(const jd_problem *p) {
    if (jd_problem_contacts(p) <= MOST_BASES || jd_engine_series.refuses(p)) return NULL;
    return "there are more than 20 contacts: power series cost less than a basis for each state";
}

void jd_exact_segments(exact *e, double t) {
    e->phase.t_break = HUGE_VAL;
    for (int d = 0; d < e->plan.n_drive; d++) {
        jd_drive_segment_at(e->plan.drive[d].object, e->plan.drive[d].omega, t,
                            &e->plan.drive[d].segment);
        e->phase.t_break = fmin(e->phase.t_break, e->plan.drive[d].segment.end);
    }
}

static double relative_displacement(const exact *e, int j, double t) {
    const contact *c = &e->plan.contact[j];
    return jd_lanes_dot(e->plan.n, c->row, e->state.q) - (c->stop ? c->belt * t : 0);
}

// Discrete state at the start, before resolve decides about contacts at rest.
static jd_status first_marks(exact *e) {
    for (int j = 0; j < e->plan.m; j++) {
        const contact *c = &e->plan.contact[j];
        if (!c->stop) {
            e->event.rest[j] = jd_at_rest(e, j);
            e->state.contact[j] = e->event.rest[j]              ? JD_CONTACT_STUCK
                                  : jd_relative_speed(e, j) > 0 ? JD_CONTACT_SLIDING_PLUS
                                                                : JD_CONTACT_SLIDING_MINUS;
            continue;
        }
        e->state.contact[j] = JD_CONTACT_OPEN;
        double u = relative_displacement(e, j, 0),
               slack = 1e-12 * (fabs(c->gap) + jd_dot_size(e->plan.n, c->row, e->state.q));
        JD_TRY(jd_run_inside_stop(e->run, j, u, c->gap, c->both, slack));
        if (u >= c->gap - slack) e->event.touch[j] = 1;
        if (c->both && u <= -c->gap + slack) e->event.touch[j] = -1;
        bool leaving = e->event.touch[j] * jd_relative_speed(e, j) < 0 && !jd_at_rest(e, j);
        e->state.order[j] = leaving;
        e->state.side[j] = e->event.touch[j];
        if (leaving) e->event.touch[j] = 0;
    }
    return JD_OK;
}

// Resolve clears start orders; stops that leave at the very start keep theirs.
static jd_status first_phase(exact *e) {
    JD_TRY(first_marks(e));
    for (int j = 0; j < e->plan.m; j++) e->event.was[j] = e->state.contact[j];
    int n = e->plan.m;
    int *order = JD_TAKE(e->arena, int, n), *side = JD_TAKE(e->arena, int, n);
    JD_TRY(jd_arena_status(e->arena));
    memcpy(order, e->state.order, (size_t)n * sizeof *order);
    memcpy(side, e->state.side, (size_t)n * sizeof *side);
    JD_TRY(jd_exact_resolve(e, 0));
    for (int j = 0; j < n; j++)
        if (order[j] && e->state.contact[j] == JD_CONTACT_OPEN) {
            e->state.order[j] = order[j];
            e->state.side[j] = side[j];
        }
    return JD_OK;
}

static void tell_states(exact *e) {
    for (int j = 0; j < e->plan.m; j++) jd_run_set_state(e->run, j, e->state.contact[j]);
}

static jd_status create(jd_run *run) {
    exact *e = JD_TAKE(run->arena, exact, 1);
    JD_TRY(jd_arena_status(run->arena));
    run->state = e;
    e->run = run;
    e->arena = run->arena;
    e->bases.stuck = jd_arena_create(run->context);
    e->bases.tuned = jd_arena_create(run->context);
    if (!e->bases.stuck || !e->bases.tuned) return JD_OUT_OF_MEMORY;
    jd_arena_take(e->bases.stuck, 1, 1); // a first chunk that stays
    jd_arena_take(e->bases.tuned, 1, 1);
    e->bases.stuck_start = jd_arena_here(e->bases.stuck);
    e->bases.tuned_start = jd_arena_here(e->bases.tuned);
    JD_TRY(jd_exact_plan(e));
    JD_TRY(jd_bases_lend(e));
    JD_TRY(jd_exact_initial(e));
    jd_exact_segments(e, 0);
    if (run->waiting) return JD_OK; // the state comes from elsewhere
    e->ledger.energy0 =
        jd_ledger_energy(e, e->state.q, e->state.p, NULL); // before impacts of the very start
    JD_TRY(first_phase(e));
    tell_states(e);
    return JD_OK;
}

static void release(jd_run *run) {
    exact *e = run->state;
    for (basis *b = e ? e->bases.list : NULL; b; b = b->next) jd_expbasis_free(b->poles.exp);
    if (e) jd_arena_free(e->bases.tuned);
    if (e) jd_arena_free(e->bases.stuck);
}

static jd_status probe(jd_run *run, const jd_dd *row, int *index) {
    exact *e = run->state;
    if (e->bases.list)
        return jd_fail(run->context, JD_BAD_ARGUMENT,
                       "probes must be registered before the run starts");
    const double **rows = JD_TAKE(e->arena, const double *, e->plan.n_probe + 1);
    double *own = JD_TAKE(e->arena, double, e->plan.n);
    JD_TRY(jd_arena_status(e->arena));
    for (int k = 0; k < e->plan.n; k++) own[k] = row[k].hi;
    for (int i = 0; i < e->plan.n_probe; i++) rows[i] = e->plan.probe[i];
    rows[e->plan.n_probe] = own;
    e->plan.probe = rows;
    *index = e->plan.n_probe++;
    return JD_OK;
}

// A guard that is outside at once (rounding at the start of a phase) is an event of that instant.
static bool is_event(const exact *e) {
    return e->phase.found.outcome == JD_SEARCH_FOUND || e->phase.found.outcome == JD_SEARCH_OUTSIDE;
}

// What the guard that was crossed means for its contact; ties cross together.
static void cross(exact *e) {
    for (int j = 0; j < e->plan.m; j++) {
        jd_contact_state m = e->state.contact[j];
        bool here = is_event(e) && (((e->phase.found.ties >> j) & 1) || j == e->phase.found.guard);
        e->event.releasing[j] = here && jd_contact_at_rest(m);
        e->event.touch[j] = m == JD_CONTACT_CLOSED_ABOVE   ? 1
                            : m == JD_CONTACT_CLOSED_BELOW ? -1
                                                           : 0;
        e->event.rest[j] = m == JD_CONTACT_STUCK || (here && slide_sign(m) != 0);
        if (!here || m != JD_CONTACT_OPEN) continue;
        e->event.touch[j] =
            e->plan.contact[j].both && relative_displacement(e, j, e->state.t0) < 0 ? -1 : 1;
    }
}

static bool has_grown(const exact *e) {
    if (e->phase.found.outcome == JD_SEARCH_UNBOUNDED) return true;
    if (e->phase.b && !e->phase.b->poles.grows) return false;
    for (int k = 0; k < e->plan.n; k++) // true for NaN, too
        if (!(fabs(e->state.q[k]) < growth_limit && fabs(e->state.p[k]) < growth_limit))
            return true;
    return false;
}

// The phase ends at t1 > t0, or at t0 itself. Outside its band at once it cannot go on: a hundred
// tries are more than enough.
static void count_storm(exact *e, double t1) {
    if (t1 - e->state.storm_start > storm_window * e->plan.quick_time && t1 > e->state.t0) {
        e->state.storm = 0;
        e->state.storm_start = t1;
    }
    // a search that spent its evaluations on a function within rounding of its limit
    if (e->phase.found.outcome == JD_SEARCH_BUDGET &&
        e->phase.found.undecided > e->phase.found.evaluations / 2)
        e->state.storm = storm_limit;
    e->state.storm += e->phase.found.outcome == JD_SEARCH_OUTSIDE ? storm_limit / 100
                      : t1 > e->state.t0                          ? 1
                                                                  : 10;
}

// What the cancellation of parts of the motion has cost, relative to it or its energy, phase by
// phase, and what completing chatter left out; 0: less than 1e-10, INFINITY: all digits.
static double stated_error(const exact *e) {
    double error = e->state.loss > 1e-13 ? e->state.loss * (double)(e->state.events + 1) : 0;
    error = fmax(fmax(error, jd_cancel_error(e)), e->state.chatter_motion);
    return error < 1e-10 ? 0 : error < 1 ? error : (double)INFINITY;
}

static bool is_certified(const exact *e) {
    return e->state.undecided == 0 && !e->plan.nearly_dependent && e->state.chatter_speed == 0 &&
           stated_error(e) == 0;
}

// Goes to the end of the phase: an event, a breakpoint of a drive, or an anchor.
static jd_status end_phase(exact *e) {
    double t = e->phase.found.time, t1 = e->state.t0 + t;
    jd_phase_state(e, t, e->phase.re1, e->phase.im1, e->scratch.x1, e->scratch.xd1);
    jd_phase_full(e, t, e->scratch.x1, e->scratch.xd1, e->scratch.qt, e->scratch.pt);
    if (!e->run->no_ledger) jd_ledger_phase(e, t);
    if (e->ranges.kept) JD_TRY(jd_ranges_phase(e, t, e->ranges.kept));
    if (e->margins.nearest) JD_TRY(jd_margins_phase(e, t));
    if (e->tangent.columns) jd_tangent_phase(e, t);
    memcpy(e->state.q, e->scratch.qt, (size_t)e->plan.n * sizeof *e->state.q);
    memcpy(e->state.p, e->scratch.pt, (size_t)e->plan.n * sizeof *e->state.p);
    bool event = is_event(e), breaks = t1 >= e->phase.t_break;
    if (e->tangent.columns && event) jd_tangent_before(e, t);
    e->event.smooth = event && !breaks;
    if (event && t1 < e->state.chatter_until)
        e->state.undecided++; // its order among the bounces is not known
    count_storm(e, breaks ? e->phase.t_break : t1);
    e->state.t0 = breaks ? e->phase.t_break : t1;
    e->phase.pending = e->phase.started = false;
    if (breaks) jd_exact_segments(e, e->state.t0);
    cross(e);
    jd_contact_state was = event ? e->state.contact[e->phase.found.guard] : JD_CONTACT_OPEN;
    if (event || breaks)
        JD_TRY(jd_exact_resolve(e, e->state.t0));
    else
        for (int j = 0; j < e->plan.m; j++)
            if (e->state.order[j] != LEANS) e->state.order[j] = e->state.side[j] = 0;
    if (e->tangent.columns && event) jd_tangent_event(e, e->phase.found.guard, was);
    if (e->horizon.known) jd_horizon_step(e);
    if (is_certified(e)) e->state.proved = e->state.t0;
    return JD_OK;
}

static jd_status horizon(jd_run *run) {
    exact *e = run->state;
    if (e->bases.list)
        return jd_fail(run->context, JD_BAD_ARGUMENT, "ask for the horizon before the run starts");
    return jd_horizon_start(e);
}

static jd_stop reason_to_stop(const exact *e) {
    if (e->state.events >= e->plan.budget) return JD_STOP_EVENT_BUDGET;
    if (e->state.storm >= storm_limit) return JD_STOP_STORM;
    if (jd_stop_wanted(e->run->context)) return JD_STOP_INTERRUPTED;
    return has_grown(e) ? JD_STOP_UNBOUNDED : JD_STOP_NONE;
}

static jd_status advance(jd_run *run, double t_stop, jd_step *step) {
    exact *e = run->state;
    for (;;) {
        jd_status status = JD_OK;
        if (!e->phase.started) { // before events are handed out: an event can be observed
            status = jd_phase_start(e);
            if (status == JD_OK) tell_states(e);
        }
        if (status != JD_OUT_OF_MEMORY &&
            jd_run_next_event(run, e->state.t0, e->event.queue, &e->event.n_queue,
                              &e->event.next_queue, step)) {
            e->state.events++; // also before a phase that cannot be made: the next call says so
            return JD_OK;
        }
        if (status != JD_OK) return jd_run_failed(run, e->state.t0, status);
        run->stop = reason_to_stop(e);
        if (run->stop != JD_STOP_NONE) return jd_run_stopped(run, e->state.t0, step);
        if (!e->phase.pending) jd_phase_search(e);
        if (e->state.t0 + e->phase.found.time > t_stop) return jd_run_reached(run, t_stop, step);
        status = end_phase(e);
        if (status != JD_OK) return jd_run_failed(run, e->state.t0, status);
    }
}

static void look(exact *e, double t) {
    jd_expbasis_advance(e->phase.b->poles.exp, t - e->state.t0, e->phase.re, e->phase.im,
                        e->scratch.re2, e->scratch.im2);
}

// The phase that begins at t0 could not be made: what is known there are place and speed.
static void observe_end(const exact *e, double *u, double *v) {
    for (int i = 0; i < e->plan.n_probe; i++) {
        u[i] = jd_lanes_dot(e->plan.n, e->plan.probe[i], e->state.q);
        v[i] = jd_lanes_dot(e->plan.n, e->plan.probe[i], e->state.p);
    }
}

static void observe(jd_run *run, double t, double *u, double *v) {
    exact *e = run->state;
    if (!e->phase.started) {
        observe_end(e, u, v);
        return;
    }
    look(e, t);
    for (int i = 0; i < e->plan.n_probe; i++) {
        u[i] = jd_functional_value(e, &e->phase.b->observed.u_probe[i], e->scratch.re2,
                                   e->scratch.im2, t - e->state.t0);
        v[i] = jd_functional_value(e, &e->phase.b->observed.v_probe[i], e->scratch.re2,
                                   e->scratch.im2, t - e->state.t0);
    }
}

// Places and speeds of all contacts at re2, im2; with many contacts from the coordinates, since
// not all have functionals (observers.c).
static void look_at_motion(exact *e, double t, double *u, double *v) {
    const basis *b = e->phase.b;
    for (int j = 0; e->plan.m < MANY_CONTACTS && j < e->plan.m; j++) {
        u[j] = jd_functional_value(e, &b->observed.u[j], e->scratch.re2, e->scratch.im2,
                                   t - e->state.t0);
        v[j] = jd_functional_value(e, &b->observed.v[j], e->scratch.re2, e->scratch.im2,
                                   t - e->state.t0);
    }
    if (e->plan.m < MANY_CONTACTS) return;
    jd_phase_state(e, t - e->state.t0, e->scratch.re2, e->scratch.im2, e->scratch.xt,
                   e->scratch.xdt);
    jd_phase_full(e, t - e->state.t0, e->scratch.xt, e->scratch.xdt, e->scratch.qt, e->scratch.pt);
    for (int j = 0; j < e->plan.m; j++) {
        u[j] = jd_lanes_dot(e->plan.n, e->plan.contact[j].row, e->scratch.qt);
        v[j] = jd_lanes_dot(e->plan.n, e->plan.contact[j].row, e->scratch.pt);
    }
}

static void observe_contacts(jd_run *run, double t, double *u, double *v, double *force) {
    exact *e = run->state;
    const basis *b = e->phase.b;
    for (int j = 0; !e->phase.started && j < e->plan.m; j++) { // as there; no forces
        u[j] = relative_displacement(e, j, t);
        v[j] = jd_relative_speed(e, j);
        force[j] = (double)NAN;
    }
    if (!e->phase.started) return;
    look(e, t);
    look_at_motion(e, t, u, v);
    for (int j = 0; j < e->plan.m; j++) {
        const contact *c = &e->plan.contact[j];
        u[j] -= c->stop ? c->belt * t : 0;
        v[j] -= c->belt;
        force[j] = -slide_sign(e->state.contact[j]) * c->limit -
                   (slide_sign(e->state.contact[j]) != 0 ? c->slope * v[j] : 0);
    }
    for (int j = 0; j < e->plan.m && e->dependent.n_frozen; j++) {
        if (!e->dependent.frozen[j]) continue;
        v[j] = 0;
        force[j] = e->state.force[j];
    }
    for (int i = 0; i < b->ms; i++) {
        v[b->held[i]] = 0;
        force[b->held[i]] = jd_functional_value(e, &b->observed.lambda[i], e->scratch.re2,
                                                e->scratch.im2, t - e->state.t0);
    }
}

static void report(jd_run *run, jd_report *r) {
    exact *e = run->state;
    bool certified = is_certified(e);
    r->certificate = (jd_certificate){
        .certified = certified,
        .undecided = e->state.undecided + e->plan.nearly_dependent,
        .margin = e->state.margin,
        .method = "taylor-bernstein bounds of exponential sums",
        .events = e->state.events,
        .evaluations = e->state.evaluations,
        .split_not_unique = e->state.not_unique,
        .chatter_error = e->state.chatter_error,
        .chatter_speed = e->state.chatter_speed,
        .chatter_motion = e->state.chatter_speed > 0 ? (double)INFINITY : e->state.chatter_motion,
        .proved_until = certified ? run->t : e->state.proved,
        .error = stated_error(e)};
    r->horizon = e->horizon;
    r->horizon.rate = e->state.t0 > 0 ? e->horizon.log_growth / e->state.t0 : 0;
    if (!run->no_ledger) jd_ledger_report(e, run->t, &r->ledger);
}

const jd_engine_class jd_engine_exact = {
    .info = {"exact", "sequences of exactly solved linear states with certified switching times",
             NULL},
    .refuses = refuses,
    .yields = yields,
    .create = create,
    .free = release,
    .probe = probe,
    .track = jd_exact_track,
    .ranges = jd_exact_ranges,
    .state_size = jd_exact_state_size,
    .save = jd_exact_save,
    .load = jd_exact_load,
    .advance = advance,
    .observe = observe,
    .observe_contacts = observe_contacts,
    .horizon = horizon,
    .map = {.coordinates = jd_exact_coordinates,
            .scales = jd_exact_scales,
            .restart = jd_exact_restart,
            .state = jd_exact_state,
            .rate = jd_exact_rate,
            .tangent_start = jd_exact_tangent_start,
            .tangent = jd_exact_tangent,
            .replan = jd_exact_replan,
            .margin_start = jd_exact_margin_start,
            .margins = jd_exact_margins,
            .unwatch = jd_exact_unwatch},
    .held = {.force = jd_exact_held_force, .event_shift = jd_exact_event_shift},
    .report = report,
};
