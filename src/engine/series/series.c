// series.c -- engine `series`: power series in modal coordinates for any number of contacts at
// points; create, advance from event to event, observe, report.
#include "engine/series/series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/driving.h"
#include "engine/series/smooth/plane.h"
#include "engine/series/smooth/smooth.h"
#include "linalg/dot.h"
#include "problem/initial.h"

// As in engine exact: fewer than storm_limit events in each stretch of storm_window fastest
// periods; so every run ends.
static const long storm_limit = 30000;
static const double storm_window = 1e-6;
static const double growth_limit = 1e100;
static const double plane_tolerance = 1e-12; // stated where friction in a plane slides

static int whole(int n) { return (n + 3) / 4 * 4; }

static void take_terms(jd_arena *a, series *s) {
    const series_plan *p = &s->plan;
    series_terms *t = &s->terms;
    t->normal_stride = whole(p->n_normal);
    t->slider_stride = whole(p->n_slider);
    t->q = JD_TAKE(a, double, (SERIES_ORDER + 1) * (size_t)p->stride);
    t->u = JD_TAKE(a, double, (SERIES_ORDER + 1) * (size_t)p->row_stride);
    t->N = JD_TAKE(a, double, SERIES_FORCES *(size_t)t->normal_stride);
    t->T = JD_TAKE(a, double, SERIES_FORCES *(size_t)t->slider_stride);
    t->drive = JD_TAKE(a, double, (SERIES_ORDER + 1) * (size_t)p->n_drive);
    t->rate_sum = JD_TAKE(a, double, p->row_stride);
    t->N_sum = JD_TAKE(a, double, t->normal_stride);
    t->N_rate_sum = JD_TAKE(a, double, t->normal_stride);
    t->T_sum = JD_TAKE(a, double, t->slider_stride);
    t->row_known = JD_TAKE(a, bool, p->n_row + 1);
    s->step.margin = JD_TAKE(a, double, p->n_slider + p->n_normal + 1);
    t->degree = SERIES_DEGREE;
    t->whole = true; // nothing yet
}

static void take_matrix(jd_arena *a, series *s) {
    const series_plan *p = &s->plan;
    if (p->springs.alone) s->matrix.K = JD_TAKE(a, double, (size_t)p->n *(size_t)p->stride);
    s->matrix.slider = JD_TAKE(a, int8_t, p->n_slider + 1);
    s->matrix.normal = JD_TAKE(a, int8_t, p->n_normal + 1);
    s->matrix.load = JD_TAKE(a, double, 2 * p->stride);
    s->matrix.none = JD_TAKE(a, double, p->stride);
}

static void take_held(jd_arena *a, series *s) {
    const series_plan *p = &s->plan;
    size_t most = 0;
    for (int i = 0; i < p->n_slider; i++) most += !(p->slider[i].kt > 0);
    for (int b = 0; b < p->n_normal; b++) most += p->normal[b].kind == NORMAL_RIGID;
    s->held.item = JD_TAKE(a, int, most);
    s->held.row = JD_TAKE(a, int, most);
    s->held.inverse = JD_TAKE(a, double, most *most);
    s->held.work = JD_TAKE(a, double, most *most);
    s->held.react = JD_TAKE(a, double, most);
    s->held.react_size = JD_TAKE(a, double, most);
    s->held.right = JD_TAKE(a, double, most);
    s->held.force = JD_TAKE(a, double, most);
    s->held.wanted = JD_TAKE(a, int8_t, p->n_slider + p->n_normal + 1);
    s->held.painleve = -1;
    s->held.most = (int)most;
    series_impact *x = &s->impact;
    x->set = JD_TAKE(a, int, most);
    x->side = JD_TAKE(a, int, most);
    double **vectors[] = {&x->speed, &x->e, &x->P,    &x->b,     &x->low,
                          &x->high,  &x->a, &x->last, &x->first, &x->least};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = JD_TAKE(a, double, most);
    x->left = JD_TAKE(a, double, s->plan.n_normal);
    x->G = JD_TAKE(a, double, most *most);
    x->bound = JD_TAKE(a, jd_bound, most);
    x->scratch = JD_TAKE(a, double, jd_forces_scratch((int)most));
}

static void take_state(jd_arena *a, series *s) {
    const series_plan *p = &s->plan;
    s->state.q = JD_TAKE(a, double, p->stride);
    s->state.p = JD_TAKE(a, double, p->stride);
    s->state.T = JD_TAKE(a, double, whole(p->n_slider));
    int8_t **sliders[] = {&s->state.slide, &s->state.slide_order, &s->state.slide_side};
    int8_t **normals[] = {&s->state.closed, &s->state.inside, &s->state.normal_order,
                          &s->state.normal_side};
    for (size_t i = 0; i < sizeof sliders / sizeof *sliders; i++)
        *sliders[i] = JD_TAKE(a, int8_t, p->n_slider + 1);
    for (size_t i = 0; i < sizeof normals / sizeof *normals; i++)
        *normals[i] = JD_TAKE(a, int8_t, p->n_normal + 1);
    s->ledger.sums = JD_TAKE(a, double, p->n_drive + 4 * p->m + 1);
    s->ledger.shown = JD_TAKE(a, double, p->n_drive + 4 * p->m + 1);
    s->ledger.whole = JD_TAKE(a, double, 4 * p->whole.n + 1);
    s->field.number = JD_TAKE(a, double, 5 * p->m + 1);
    s->field.count = jd_arena_take(a, (size_t)p->whole.n + 1, sizeof *s->field.count);
    s->field.line = JD_TAKE(a, series_line, jd_problem_bodies(s->run->problem) + 1);
    s->ledger.contact = s->ledger.sums + p->n_drive;
    s->ledger.impact = s->ledger.contact + p->m;
    s->queue.room = 2 * (p->n_slider + p->n_normal) + 4;
    s->queue.event = JD_TAKE(a, jd_event, s->queue.room);
    s->step.change = JD_TAKE(a, series_change, 2 * p->n_slider + 4 * p->n_normal + 4);
    series_scratch *x = &s->scratch;
    double **modes[] = {&x->rhs, &x->damp, &x->q, &x->p};
    double **rows[] = {&x->F, &x->u, &x->v};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        *modes[i] = JD_TAKE(a, double, p->stride);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        *rows[i] = JD_TAKE(a, double, p->row_stride);
    x->N = JD_TAKE(a, double, whole(p->n_normal));
    x->Nr = JD_TAKE(a, double, whole(p->n_normal));
    x->T = JD_TAKE(a, double, whole(p->n_slider));
    x->Tr = JD_TAKE(a, double, whole(p->n_slider));
}

static jd_status check_start(series *s) {
    for (int a = 0; a < s->plan.n_normal; a++) {
        const series_normal *g = &s->plan.normal[a];
        if (g->kind != NORMAL_RIGID) continue;
        const double *w = s->plan.W + (size_t)g->row * (size_t)s->plan.stride;
        double u = 0, size = 0;
        for (int k = 0; k < s->plan.n; k++) {
            u += w[k] * s->state.q[k];
            size += fabs(w[k] * s->state.q[k]);
        }
        JD_TRY(jd_run_inside_stop(s->run, s->plan.contact[g->contact].of, u - g->belt * s->state.t0,
                                  g->gap, g->both, 1e-12 * (fabs(g->gap) + size)));
    }
    return JD_OK;
}

double jd_series_first_step(const series *s) {
    const jd_simulate_def *simulate = jd_problem_section(s->run->problem, JD_SIMULATE, NULL);
    double fastest = s->plan.fastest;
    for (int d = 0; d < s->plan.n_drive; d++) fastest = fmax(fastest, s->plan.drive[d].omega);
    if (fastest > 0) return 1 / fastest;
    double until = simulate->until.periods ? 0 : simulate->until.value;
    return until > 0 ? 0.01 * until : 1;
}

void jd_series_start_energy(series *s) {
    const series_plan *p = &s->plan;
    for (int a = 0; a < p->n_normal; a++) {
        double rate;
        if (p->normal[a].row < 0 || !s->state.closed[a]) continue;
        double x = jd_series_penetration(s, a, s->state.closed[a], &rate);
        s->scratch.N[a] = p->normal[a].kn * x + p->normal[a].cn * rate;
    }
    s->ledger.energy0 = jd_series_energy(s, s->state.q, s->state.p, s->scratch.N, s->state.T, NULL);
}

static jd_status create(jd_run *run) {
    series *s = JD_TAKE(run->arena, series, 1);
    JD_TRY(jd_arena_status(run->arena));
    run->state = s;
    s->run = run;
    JD_TRY(jd_series_plan(run, &s->plan));
    take_state(run->arena, s);
    take_terms(run->arena, s);
    take_matrix(run->arena, s);
    take_held(run->arena, s);
    JD_TRY(jd_arena_status(run->arena));
    JD_TRY(jd_smooth_room(s));
    JD_TRY(jd_plane_room(s));
    s->step.next_dt = s->step.first_dt = jd_series_first_step(s);
    s->count.margin = HUGE_VAL;
    JD_TRY(jd_problem_initial(run->problem, s->state.q, s->state.p));
    if (run->waiting) return JD_OK;
    JD_TRY(jd_problem_initial_sliders(run->problem, s->state.T));
    JD_TRY(check_start(s));
    jd_series_begin(s);
    jd_series_start_energy(s);
    jd_series_begin_impacts(s);
    if (s->plan.rigid) jd_series_rest(s);
    jd_series_find_step(s);
    jd_series_letters(s);
    return JD_OK;
}

static void release(jd_run *run) { (void)run; }

static jd_status probe(jd_run *run, const jd_dd *row, int *index) {
    series *s = run->state;
    double **rows = JD_TAKE(run->arena, double *, s->plan.probes.n + 1);
    double *own = JD_TAKE(run->arena, double, s->plan.n);
    JD_TRY(jd_arena_status(run->arena));
    for (int k = 0; k < s->plan.n; k++) own[k] = row[k].hi;
    for (int i = 0; i < s->plan.probes.n; i++) rows[i] = s->plan.probes.row[i];
    rows[s->plan.probes.n] = own;
    s->plan.probes.row = rows;
    *index = s->plan.probes.n++;
    return JD_OK;
}

static void count_storm(series *s) {
    double quick = s->plan.fastest > 0 ? 6.3 / s->plan.fastest : jd_series_first_step(s);
    if (s->state.t0 - s->count.storm_start > storm_window * quick) {
        s->count.storm = 0;
        s->count.storm_start = s->state.t0;
    }
    s->count.storm++;
}

static bool is_certified(const series *s) { return s->count.undecided == 0 && !s->count.plane; }

static jd_stop why_stop(const series *s) {
    const series_plan *p = &s->plan;
    if (s->count.events >= p->budget) return JD_STOP_EVENT_BUDGET;
    bool idle = s->count.idle > 4 * (p->n_slider + p->n_normal) + 64;
    if (idle && s->step.n_change == 0) return JD_STOP_UNBOUNDED; // in a finite time: u^3, falling
    if (idle || s->count.storm >= storm_limit) return JD_STOP_STORM;
    if (!(s->state.unit < growth_limit)) return JD_STOP_UNBOUNDED;
    if (s->held.painleve >= 0) return JD_STOP_PAINLEVE;
    if (s->held.singular) return JD_STOP_SINGULAR;
    return jd_stop_wanted(s->run->context) ? JD_STOP_INTERRUPTED : JD_STOP_NONE;
}

// Events of one instant: impacts first, then by contact.
static void order_events(series_queue *q) {
    if (q->next > 0) return;
    for (int i = 1; i < q->n; i++)
        for (int k = i; k > 0; k--) {
            jd_event *a = &q->event[k - 1], *b = &q->event[k], swap = *a;
            bool hit = a->impulse != 0, hits = b->impulse != 0;
            bool before =
                a->contact < b->contact || (a->contact == b->contact && a->cell <= b->cell);
            if (hit == hits ? before : hit) break;
            *a = *b;
            *b = swap;
        }
}

static jd_status advance(jd_run *run, double t_stop, jd_step *step) {
    series *s = run->state;
    for (;;) {
        if (!s->ready) jd_series_find_step(s);
        bool settled = s->step.t_end > s->state.t0 || s->step.n_change == 0;
        if (settled && s->tangent.pending) {
            jd_series_tangent_event(s);
            if (s->horizon.known) jd_series_horizon_step(s);
        }
        run->stop = why_stop(s);
        if (settled) order_events(&s->queue);
        if ((settled || run->stop != JD_STOP_NONE) &&
            jd_run_next_event(run, s->state.t0, s->queue.event, &s->queue.n, &s->queue.next,
                              step)) {
            s->count.events++;
            jd_series_count_event(s, &run->event);
            run->stop = JD_STOP_NONE;
            return JD_OK;
        }
        if (run->stop != JD_STOP_NONE) return jd_run_stopped(run, s->state.t0, step);
        if (s->step.t_end > t_stop) return jd_run_reached(run, t_stop, step);
        bool changes = s->step.n_change > 0;
        jd_series_go(s);
        if (changes) count_storm(s);
        if (is_certified(s)) s->count.proved = s->state.t0;
    }
}

// Which contact has no unique force, and at which coefficient that begins.
static const char *note(series *s) {
    const series_plan *p = &s->plan;
    int j = s->held.painleve;
    if (s->run->stop != JD_STOP_PAINLEVE || j < 0 || p->contact[j].own < 0) return NULL;
    double least = HUGE_VAL, mu = 0;
    int row = p->normal[p->contact[j].own].row;
    for (int i = 0; i < p->n_slider; i++) {
        const series_slider *g = &p->slider[i];
        double nt = fabs(p->G[(size_t)row * (size_t)p->n_row + (size_t)g->row]);
        if (g->normal != p->contact[j].own || !(nt > 0)) continue;
        least = fmin(least, p->G[(size_t)row * (size_t)(p->n_row + 1)] / nt);
        mu = fmax(mu, g->limit);
    }
    snprintf(s->note, sizeof s->note,
             "contact `%s` at t = %.10g: coefficient %.6g, and from %.6g on sliding may need a "
             "pull; give the contact a `normal_stiffness`",
             jd_problem_contact(s->run->problem, p->contact[j].of)->name, s->state.t0, mu, least);
    return s->note;
}

// Rests and rounding of all steps, relative to the largest motion; what events make of it is not in
// it (--horizon). 0: less than 1e-10.
static double stated_error(const series *s) {
    double error = s->count.error + s->count.chatter_motion;
    return error < 1e-10 ? 0 : error < 1 ? error : (double)INFINITY;
}

static void report(jd_run *run, jd_report *r) {
    series *s = run->state;
    bool certified = is_certified(s);
    r->certificate = (jd_certificate){.certified = certified,
                                      .undecided = s->count.undecided,
                                      .margin = s->count.margin,
                                      .method = s->plan.n_smooth > 0
                                                    ? "power series, remainder bounded by defect"
                                                    : "power series, remainder bounded by energy",
                                      .error = stated_error(s),
                                      .tolerance = s->count.plane ? plane_tolerance : 0,
                                      .events = s->count.events,
                                      .evaluations = s->count.searches,
                                      .chatter_error = s->count.chatter_error,
                                      .chatter_motion = s->count.chatter_motion,
                                      .proved_until = certified ? run->t : s->count.proved};
    r->note = note(s);
    r->horizon = s->horizon;
    r->horizon.rate = s->state.t0 > 0 ? s->horizon.log_growth / s->state.t0 : 0;
    if (!run->no_ledger) jd_series_ledger_report(s, run->t, &r->ledger);
}

static const jd_engine_driving driving = {.mobilised = jd_series_mobilised};

const jd_engine_class jd_engine_series = {
    .info = {"series",
             "power series with certified remainder: any number of contacts with springs, friction "
             "and normal forces",
             NULL},
    .refuses = jd_series_refuses,
    .create = create,
    .free = release,
    .probe = probe,
    .state_size = jd_series_state_size,
    .save = jd_series_save,
    .load = jd_series_load,
    .horizon = jd_series_horizon,
    .map = {.coordinates = jd_series_coordinates,
            .scales = jd_series_scales,
            .restart = jd_series_restart,
            .state = jd_series_state,
            .rate = jd_series_rate,
            .tangent_start = jd_series_tangent_start,
            .tangent = jd_series_tangent,
            .replan = jd_series_remake,
            .modes = jd_series_modes},
    .advance = advance,
    .observe = jd_series_observe,
    .observe_contacts = jd_series_observe_contacts,
    .observe_normals = jd_series_observe_normals,
    .interface = jd_series_interface,
    .driving = &driving,
    .body = jd_series_body,
    .track = jd_series_track,
    .ranges = jd_series_ranges,
    .parameter = {.begin = jd_series_parameter_begin,
                  .look = jd_series_parameter_look,
                  .broken = jd_series_parameter_broken},
    .held = {.room = jd_series_held_room,
             .room_slope = jd_series_room_slope,
             .slider = jd_series_held_slider,
             .sliders = jd_series_held_sliders},
    .report = report};
