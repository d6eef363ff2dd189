// exact.c -- the exact engine's face: create, advance from event to event, observe, report.
#include <math.h>
#include <string.h>

#include "contact/law.h"
#include "engine/exact/exact.h"
#include "engine/exact/ledger.h"

static const double growth_limit = 1e100; // amplitudes beyond this count as unbounded
// Progress: a run goes on as long as fewer than storm_limit events fall into each stretch of
// storm_window fastest periods. Events that leave the time as it is count more. So a run of length
// T ends after at most storm_limit T/(storm_window quick_time) events.  tested: every_run_ends
static const long storm_limit = 30000;
static const double storm_window = 1e-6;

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
    return NULL;
}

void jd_exact_segments(exact *e, double t) {
    e->t_break = HUGE_VAL;
    for (int d = 0; d < e->n_drive; d++) {
        jd_drive_segment_at(e->drive[d].object, e->drive[d].omega, t, &e->drive[d].segment);
        e->t_break = fmin(e->t_break, e->drive[d].segment.end);
    }
}

static double relative_displacement(const exact *e, int j, double t) {
    const contact *c = &e->contact[j];
    return jd_lanes_dot(e->n, c->row, e->q) - (c->stop ? c->belt * t : 0);
}

// Discrete state at the start, before resolve decides about contacts at rest.
static jd_status first_marks(exact *e) {
    for (int j = 0; j < e->m; j++) {
        const contact *c = &e->contact[j];
        if (!c->stop) {
            e->rest[j] = jd_at_rest(e, j);
            e->marks[j] = e->rest[j] ? HELD : jd_relative_speed(e, j) > 0 ? PLUS : MINUS;
            continue;
        }
        e->marks[j] = OPEN;
        double u = relative_displacement(e, j, 0),
               slack = 1e-12 * (fabs(c->gap) + jd_dot_size(e->n, c->row, e->q));
        JD_TRY(jd_run_inside_stop(e->run, j, u, c->gap, c->both, slack));
        if (u >= c->gap - slack) e->touch[j] = 1;
        if (c->both && u <= -c->gap + slack) e->touch[j] = -1;
        bool leaving = e->touch[j] * jd_relative_speed(e, j) < 0 && !jd_at_rest(e, j);
        e->order[j] = leaving;
        e->side[j] = e->touch[j];
        if (leaving) e->touch[j] = 0;
    }
    return JD_OK;
}

// Resolve clears start orders; stops that leave at the very start keep theirs.
static jd_status first_phase(exact *e) {
    JD_TRY(first_marks(e));
    for (int j = 0; j < e->m; j++) e->was[j] = e->marks[j];
    int n = e->m;
    int *order = JD_TAKE(e->arena, int, n), *side = JD_TAKE(e->arena, int, n);
    JD_TRY(jd_arena_status(e->arena));
    memcpy(order, e->order, (size_t)n * sizeof *order);
    memcpy(side, e->side, (size_t)n * sizeof *side);
    JD_TRY(jd_exact_resolve(e, 0));
    for (int j = 0; j < n; j++)
        if (order[j] && e->marks[j] == OPEN) {
            e->order[j] = order[j];
            e->side[j] = side[j];
        }
    return JD_OK;
}

static void write_letters(exact *e) {
    for (int j = 0; j < e->m; j++) e->run->phase[j] = mark_letter(e->marks[j]);
}

static jd_status create(jd_run *run) {
    exact *e = JD_TAKE(run->arena, exact, 1);
    JD_TRY(jd_arena_status(run->arena));
    run->state = e;
    e->run = run;
    e->arena = run->arena;
    e->stuck = jd_arena_create(run->context);
    e->tuned = jd_arena_create(run->context);
    if (!e->stuck || !e->tuned) return JD_OUT_OF_MEMORY;
    jd_arena_take(e->stuck, 1, 1); // a first chunk that stays
    jd_arena_take(e->tuned, 1, 1);
    e->stuck_start = jd_arena_here(e->stuck);
    e->tuned_start = jd_arena_here(e->tuned);
    JD_TRY(jd_exact_plan(e));
    JD_TRY(jd_exact_initial(e));
    jd_exact_segments(e, 0);
    if (run->waiting) return JD_OK;                     // the state comes from elsewhere
    e->energy0 = jd_ledger_energy(e, e->q, e->p, NULL); // before impacts of the very start
    JD_TRY(first_phase(e));
    write_letters(e);
    return JD_OK;
}

static void release(jd_run *run) {
    exact *e = run->state;
    for (basis *b = e ? e->bases : NULL; b; b = b->next) jd_expbasis_free(b->exp);
    if (e) jd_arena_free(e->tuned);
    if (e) jd_arena_free(e->stuck);
}

static jd_status probe(jd_run *run, const jd_dd *row, int *index) {
    exact *e = run->state;
    if (e->bases)
        return jd_fail(run->context, JD_BAD_ARGUMENT,
                       "probes must be registered before the run starts");
    const double **rows = JD_TAKE(e->arena, const double *, e->n_probe + 1);
    double *own = JD_TAKE(e->arena, double, e->n);
    JD_TRY(jd_arena_status(e->arena));
    for (int k = 0; k < e->n; k++) own[k] = row[k].hi;
    for (int i = 0; i < e->n_probe; i++) rows[i] = e->probe[i];
    rows[e->n_probe] = own;
    e->probe = rows;
    *index = e->n_probe++;
    return JD_OK;
}

// A guard that is outside at once (rounding at the start of a phase) is an event of that instant.
static bool is_event(const exact *e) {
    return e->found.outcome == JD_SEARCH_FOUND || e->found.outcome == JD_SEARCH_OUTSIDE;
}

// What the guard that was crossed means for its contact; ties cross together.
static void cross(exact *e) {
    for (int j = 0; j < e->m; j++) {
        mark m = e->marks[j];
        bool here = is_event(e) && (((e->found.ties >> j) & 1) || j == e->found.guard);
        e->releasing[j] = here && is_held(m);
        e->touch[j] = m == UPPER ? 1 : m == LOWER ? -1 : 0;
        e->rest[j] = m == HELD || (here && slide_sign(m) != 0);
        if (!here || m != OPEN) continue;
        e->touch[j] = e->contact[j].both && relative_displacement(e, j, e->t0) < 0 ? -1 : 1;
    }
}

static bool has_grown(const exact *e) {
    if (e->found.outcome == JD_SEARCH_UNBOUNDED) return true;
    if (e->b && !e->b->grows) return false;
    for (int k = 0; k < e->n; k++) // true for NaN, too
        if (!(fabs(e->q[k]) < growth_limit && fabs(e->p[k]) < growth_limit)) return true;
    return false;
}

// The phase ends at t1 > t0, or at t0 itself. Outside its band at once it cannot go on: a hundred
// tries are more than enough.
static void count_storm(exact *e, double t1) {
    if (t1 - e->storm_start > storm_window * e->quick_time && t1 > e->t0) {
        e->storm = 0;
        e->storm_start = t1;
    }
    // a search that spent its evaluations on a function within rounding of its limit
    if (e->found.outcome == JD_SEARCH_BUDGET && e->found.undecided > e->found.evaluations / 2)
        e->storm = storm_limit;
    e->storm += e->found.outcome == JD_SEARCH_OUTSIDE ? storm_limit / 100 : t1 > e->t0 ? 1 : 10;
}

// What the cancellation of parts of the motion has cost, relative to it or its energy, phase by
// phase, and what completing chatter left out; 0: less than 1e-10, INFINITY: all digits.
static double stated_error(const exact *e) {
    double error = e->loss > 1e-13 ? e->loss * (double)(e->events + 1) : 0;
    error = fmax(fmax(error, jd_cancel_error(e)), e->chatter_motion);
    return error < 1e-10 ? 0 : error < 1 ? error : (double)INFINITY;
}

static bool is_certified(const exact *e) {
    return e->undecided == 0 && !e->nearly_dependent && e->chatter_speed == 0 &&
           stated_error(e) == 0;
}

// Goes to the end of the phase: an event, a breakpoint of a drive, or an anchor.
static jd_status end_phase(exact *e) {
    double t = e->found.time, t1 = e->t0 + t;
    jd_phase_state(e, t, e->re1, e->im1, e->x1, e->xd1);
    jd_phase_full(e, t, e->x1, e->xd1, e->qt, e->pt);
    if (!e->run->no_ledger) jd_ledger_phase(e, t);
    if (e->ranges) JD_TRY(jd_ranges_phase(e, t, e->ranges));
    if (e->nearest) JD_TRY(jd_margins_phase(e, t));
    if (e->n_tangent) jd_tangent_phase(e, t);
    memcpy(e->q, e->qt, (size_t)e->n * sizeof *e->q);
    memcpy(e->p, e->pt, (size_t)e->n * sizeof *e->p);
    bool event = is_event(e), breaks = t1 >= e->t_break;
    if (e->n_tangent && event) jd_tangent_before(e, t);
    e->smooth = event && !breaks;
    if (event && t1 < e->chatter_until) e->undecided++; // its order among the bounces is not known
    count_storm(e, breaks ? e->t_break : t1);
    e->t0 = breaks ? e->t_break : t1;
    e->pending = e->started = false;
    if (breaks) jd_exact_segments(e, e->t0);
    cross(e);
    mark was = event ? e->marks[e->found.guard] : OPEN;
    if (event || breaks)
        JD_TRY(jd_exact_resolve(e, e->t0));
    else
        for (int j = 0; j < e->m; j++)
            if (e->order[j] != LEANS) e->order[j] = e->side[j] = 0;
    if (e->n_tangent && event) jd_tangent_event(e, e->found.guard, was);
    if (e->horizon.known) jd_horizon_step(e);
    if (is_certified(e)) e->proved = e->t0;
    return JD_OK;
}

static jd_status horizon(jd_run *run) {
    exact *e = run->state;
    if (e->bases)
        return jd_fail(run->context, JD_BAD_ARGUMENT, "ask for the horizon before the run starts");
    return jd_horizon_start(e);
}

static jd_stop reason_to_stop(const exact *e) {
    if (e->events >= e->budget) return JD_STOP_EVENT_BUDGET;
    if (e->storm >= storm_limit) return JD_STOP_STORM;
    if (jd_stop_wanted(e->run->context)) return JD_STOP_INTERRUPTED;
    return has_grown(e) ? JD_STOP_UNBOUNDED : JD_STOP_NONE;
}

static jd_status advance(jd_run *run, double t_stop, jd_step *step) {
    exact *e = run->state;
    for (;;) {
        jd_status status = JD_OK;
        if (!e->started) { // before events are handed out: an event can be observed
            status = jd_phase_start(e);
            if (status == JD_OK) write_letters(e);
        }
        if (status != JD_OUT_OF_MEMORY &&
            jd_run_next_event(run, e->t0, e->queue, &e->n_queue, &e->next_queue, step)) {
            e->events++; // also before a phase that cannot be made: the next call says so
            return JD_OK;
        }
        if (status != JD_OK) return jd_run_failed(run, e->t0, status);
        run->stop = reason_to_stop(e);
        if (run->stop != JD_STOP_NONE) return jd_run_stopped(run, e->t0, step);
        if (!e->pending) jd_phase_search(e);
        if (e->t0 + e->found.time > t_stop) return jd_run_reached(run, t_stop, step);
        status = end_phase(e);
        if (status != JD_OK) return jd_run_failed(run, e->t0, status);
    }
}

static void look(exact *e, double t) {
    jd_expbasis_advance(e->b->exp, t - e->t0, e->re, e->im, e->re2, e->im2);
}

// The phase that begins at t0 could not be made: what is known there are place and speed.
static void observe_end(const exact *e, double *u, double *v) {
    for (int i = 0; i < e->n_probe; i++) {
        u[i] = jd_lanes_dot(e->n, e->probe[i], e->q);
        v[i] = jd_lanes_dot(e->n, e->probe[i], e->p);
    }
}

static void observe(jd_run *run, double t, double *u, double *v) {
    exact *e = run->state;
    if (!e->started) {
        observe_end(e, u, v);
        return;
    }
    look(e, t);
    for (int i = 0; i < e->n_probe; i++) {
        u[i] = jd_functional_value(e, &e->b->u_probe[i], e->re2, e->im2, t - e->t0);
        v[i] = jd_functional_value(e, &e->b->v_probe[i], e->re2, e->im2, t - e->t0);
    }
}

// Places and speeds of all contacts at re2, im2; with many contacts from the coordinates, since
// not all have functionals (observers.c).
static void look_at_motion(exact *e, double t, double *u, double *v) {
    const basis *b = e->b;
    for (int j = 0; e->m < MANY_CONTACTS && j < e->m; j++) {
        u[j] = jd_functional_value(e, &b->u[j], e->re2, e->im2, t - e->t0);
        v[j] = jd_functional_value(e, &b->v[j], e->re2, e->im2, t - e->t0);
    }
    if (e->m < MANY_CONTACTS) return;
    jd_phase_state(e, t - e->t0, e->re2, e->im2, e->xt, e->xdt);
    jd_phase_full(e, t - e->t0, e->xt, e->xdt, e->qt, e->pt);
    for (int j = 0; j < e->m; j++) {
        u[j] = jd_lanes_dot(e->n, e->contact[j].row, e->qt);
        v[j] = jd_lanes_dot(e->n, e->contact[j].row, e->pt);
    }
}

static void observe_contacts(jd_run *run, double t, double *u, double *v, double *force) {
    exact *e = run->state;
    const basis *b = e->b;
    for (int j = 0; !e->started && j < e->m; j++) { // as there; no forces
        u[j] = relative_displacement(e, j, t);
        v[j] = jd_relative_speed(e, j);
        force[j] = (double)NAN;
    }
    if (!e->started) return;
    look(e, t);
    look_at_motion(e, t, u, v);
    for (int j = 0; j < e->m; j++) {
        const contact *c = &e->contact[j];
        u[j] -= c->stop ? c->belt * t : 0;
        v[j] -= c->belt;
        force[j] = -slide_sign(e->marks[j]) * c->limit -
                   (slide_sign(e->marks[j]) != 0 ? c->slope * v[j] : 0);
    }
    for (int j = 0; j < e->m && e->n_frozen; j++) {
        if (!e->frozen[j]) continue;
        v[j] = 0;
        force[j] = e->force[j];
    }
    for (int i = 0; i < b->ms; i++) {
        v[b->held[i]] = 0;
        force[b->held[i]] = jd_functional_value(e, &b->lambda[i], e->re2, e->im2, t - e->t0);
    }
}

static void report(jd_run *run, jd_report *r) {
    exact *e = run->state;
    bool certified = is_certified(e);
    r->certificate = (jd_certificate){.certified = certified,
                                      .undecided = e->undecided + e->nearly_dependent,
                                      .margin = e->margin,
                                      .method = "taylor-bernstein bounds of exponential sums",
                                      .events = e->events,
                                      .evaluations = e->evaluations,
                                      .split_not_unique = e->not_unique,
                                      .chatter_error = e->chatter_error,
                                      .chatter_speed = e->chatter_speed,
                                      .chatter_motion = e->chatter_speed > 0 ? (double)INFINITY
                                                                             : e->chatter_motion,
                                      .proved_until = certified ? run->t : e->proved,
                                      .error = stated_error(e)};
    r->horizon = e->horizon;
    r->horizon.rate = e->t0 > 0 ? e->horizon.log_growth / e->t0 : 0;
    if (!run->no_ledger) jd_ledger_report(e, run->t, &r->ledger);
}

const jd_engine_class jd_engine_exact = {
    .info = {"exact", "sequences of exactly solved linear states with certified switching times",
             NULL},
    .refuses = refuses,
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
            .unwatch = jd_exact_unwatch,
            .anywhere = true},
    .report = report,
};
