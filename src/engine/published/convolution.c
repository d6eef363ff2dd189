// convolution.c -- Euler steps of the convolution, as published: a baseline, first order, O(n^2).
//   y'(t_n) = free(t_n) + sum_{k<n} F_k [G(t_n - t_k) - G(t_n - t_{k+1})],  F_k constant in its
//   step The last force is found with its friction law (implicit), contact by contact; an event is
//   a change of state from one step to the next, noted at its end. Nothing is located inside a
//   step.
#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "base/fail.h"
#include "contact/law.h"
#include "engine/engine.h"
#include "problem/memory.h"
#include "problem/parts.h"

typedef struct euler {
    jd_run *run;
    jd_response *response;
    jd_free_motion *motion;
    int m, places;
    int sign[64],
        next_sign[64]; // contact states: sliding +1, -1, stuck 0; at the end of the next step
    double step;
    long n, room, events, budget; // n: steps done; the one after it is solved ahead
    jd_friction *law;
    double *belt, *G, *F; // G: (step, i, place); F: (step, contact)
    double *u, *v, *u_next, *v_next, *free_u, *free_v, *sums;
    bool solved;
    jd_event *queue;
    int n_queue, next_queue, n_probe, *probe;
    jd_contact_ranges *range;
} euler;

static const unsigned computed = JD_LAW_FRICTION | JD_LAW_STATIC | JD_LAW_SLOPE | JD_LAW_CURVE;

static const char *refuses(const jd_problem *p) {
    if (jd_problem_contacts(p) == 0) return "there is no contact";
    if (jd_problem_contacts(p) > 64) return "there are more than 64 contacts";
    for (int j = 0; j < jd_problem_contacts(p); j++) {
        const jd_contact_def *c = jd_problem_contact(p, j)->def;
        if (!c->at.point) return "a contact acts along a span";
        const char *why = jd_law_refuses(&c->law, computed);
        if (why) return why;
    }
    for (int i = 0; i < jd_problem_bodies(p); i++)
        if (!(jd_structure_capabilities(jd_problem_structure(p, i)) & JD_CAN_MODAL))
            return "a body has no modes";
    return NULL;
}

static jd_status grow(euler *e) {
    if (e->n + 2 < e->room) return JD_OK;
    long room = 2 * e->room + 1024;
    size_t pair = (size_t)e->m * (size_t)e->places, m = (size_t)e->m;
    double *G = JD_TAKE(e->run->arena, double, (size_t)room *pair);
    double *F = JD_TAKE(e->run->arena, double, (size_t)room *m);
    double *tau = JD_TAKE(e->run->arena, double, room - e->room);
    JD_TRY(jd_arena_status(e->run->arena));
    if (e->room) memcpy(G, e->G, (size_t)e->room * pair * sizeof *G);
    if (e->n) memcpy(F, e->F, (size_t)e->n * m * sizeof *F);
    for (long k = e->room; k < room; k++) tau[k - e->room] = (double)k * e->step;
    JD_TRY(jd_response_at(e->response, JD_RESPONSE_STEP, (int)(room - e->room), tau,
                          G + (size_t)e->room * pair));
    e->G = G;
    e->F = F;
    e->room = room;
    return JD_OK;
}

static double kernel(const euler *e, long k, int i, int j) {
    return e->G[((size_t)k * (size_t)e->m + (size_t)i) * (size_t)e->places + (size_t)j];
}

// v + g s f(s v) = free, or stuck: the force.
static double settle(const jd_friction *l, double g, double free, int *sign) {
    double rate, u = 0, target = fabs(free);
    *sign = 0;
    if (target <= g * l->hold) return -free / g;
    for (int i = 0; i < 60; i++) {
        double next = u - (u + g * jd_friction_at(l, u, &rate) - target) / (1 + g * rate);
        next = fmin(fmax(next, 0), target);
        if (fabs(next - u) <= 1e-15 * target) break;
        u = next;
    }
    *sign = free > 0 ? 1 : -1;
    return -*sign * jd_friction_at(l, u, &rate);
}

// The step from n to n + 1.
static jd_status solve(euler *e) {
    double t = (double)(e->n + 1) * e->step;
    int m = e->m;
    JD_TRY(grow(e));
    JD_TRY(jd_free_motion_at(e->motion, 1, &t, e->free_u, e->free_v));
    double *F = e->F + (size_t)e->n * (size_t)m, *known = e->u_next;
    for (int i = 0; i < m; i++) {
        known[i] = e->free_v[i];
        for (long k = 0; k < e->n; k++)
            for (int j = 0; j < m; j++)
                known[i] += e->F[(size_t)k * (size_t)m + (size_t)j] *
                            (kernel(e, e->n + 1 - k, i, j) - kernel(e, e->n - k, i, j));
        F[i] = 0;
    }
    for (int sweep = 0; sweep < (m > 1 ? 100 : 1); sweep++)
        for (int i = 0; i < m; i++) {
            double free = known[i] - e->belt[i];
            for (int j = 0; j < m; j++)
                if (j != i) free += kernel(e, 1, i, j) * F[j];
            F[i] = settle(&e->law[i], kernel(e, 1, i, i), free, &e->next_sign[i]);
        }
    for (int i = 0; i < m; i++) {
        e->v_next[i] = known[i];
        for (int j = 0; j < m; j++) e->v_next[i] += kernel(e, 1, i, j) * F[j];
    }
    for (int i = 0; i < m; i++) e->u_next[i] = e->u[i] + e->step * e->v_next[i];
    e->solved = true;
    return JD_OK;
}

static void widen(jd_range *r, double x) {
    r->min = fmin(r->min, x);
    r->max = fmax(r->max, x);
    r->final = x;
}

static void accept(euler *e) {
    e->n++;
    for (int i = 0; i < e->m; i++) {
        double F = e->F[(size_t)(e->n - 1) * (size_t)e->m + (size_t)i], v = e->v_next[i];
        if (e->next_sign[i] != e->sign[i])
            e->queue[e->n_queue++] = (jd_event){.t = (double)e->n * e->step,
                                                .contact = i,
                                                .from = jd_contact_sliding(e->sign[i]),
                                                .to = jd_contact_sliding(e->next_sign[i])};
        e->sign[i] = e->next_sign[i];
        jd_run_set_state(e->run, i, jd_contact_sliding(e->sign[i]));
        e->u[i] = e->u_next[i];
        e->v[i] = v;
        e->sums[i] -= e->step * F * (v - e->belt[i]);
        e->sums[e->m + i] += e->step * F * e->belt[i];
        if (!e->range) continue;
        widen(&e->range[i].displacement, e->u[i]);
        widen(&e->range[i].velocity, v - e->belt[i]);
        widen(&e->range[i].force, F);
    }
    e->solved = false;
}

static jd_status take_arrays(euler *e) {
    jd_arena *a = e->run->arena;
    int m = e->m;
    double **one[] = {&e->belt, &e->u, &e->v, &e->u_next, &e->v_next, &e->free_u, &e->free_v};
    for (int i = 0; i < 7; i++) *one[i] = JD_TAKE(a, double, m);
    e->sums = JD_TAKE(a, double, 3 * m + jd_problem_drives(e->run->problem));
    e->law = JD_TAKE(a, jd_friction, m);
    e->queue = JD_TAKE(a, jd_event, m);
    JD_TRY(jd_arena_status(a));
    for (int j = 0; j < m; j++) {
        const jd_contact_def *d = jd_problem_contact(e->run->problem, j)->def;
        JD_TRY(jd_law_friction_of(a, &d->law, &e->law[j]));
        if (d->against.kind == JD_MOVING) e->belt[j] = d->against.velocity;
    }
    return JD_OK;
}

static jd_status create(jd_run *run) {
    euler *e = JD_TAKE(run->arena, euler, 1);
    JD_TRY(jd_arena_status(run->arena));
    run->state = e;
    *e = (euler){.run = run, .m = jd_problem_contacts(run->problem)};
    const jd_simulate_def *sim = jd_problem_section(run->problem, JD_SIMULATE, NULL);
    const jd_modal *modal = &jd_problem_system(run->problem)->modal;
    double zero = 0, slowest = HUGE_VAL;
    for (int k = 0; k < modal->n; k++)
        if (modal->omega2[k].hi > 0) slowest = fmin(slowest, sqrt(modal->omega2[k].hi));
    e->step = sim->step > 0 ? sim->step : JD_TWO_PI / slowest / 4000;
    e->budget = sim->event_budget;
    if (run->waiting)
        return jd_fail(run->context, JD_NOT_SUPPORTED,
                       "engine `convolution` cannot go on from a saved state");
    jd_start_forces forces = {0};
    jd_start_places held;
    if (jd_problem_start(run->problem)->type == &jd_start_shape)
        JD_TRY(jd_start_infinite_forces(run->problem, run->arena, &forces));
    JD_TRY(jd_problem_response_from(run->context, run->problem, &forces, &held, &e->response));
    JD_TRY(jd_free_motion_create(run->context, run->problem, e->response, &held, &e->motion));
    e->places = jd_response_places(e->response);
    JD_TRY(take_arrays(e));
    JD_TRY(jd_free_motion_at(e->motion, 1, &zero, e->u, e->v));
    for (int j = 0; j < e->m; j++) {
        double v = e->v[j] - e->belt[j];
        e->sign[j] = fabs(v) <= 1e-12 * fabs(e->belt[j]) ? 0 : v > 0 ? 1 : -1;
        jd_run_set_state(run, j, jd_contact_sliding(e->sign[j]));
    }
    return JD_OK;
}

static void release(jd_run *run) {
    euler *e = run->state;
    if (!e) return;
    jd_free_motion_free(e->motion);
    jd_response_free(e->response);
}

static jd_stop reason_to_stop(const euler *e) {
    if (e->events >= e->budget) return JD_STOP_EVENT_BUDGET;
    for (int i = 0; i < e->m; i++)
        if (!(fabs(e->v[i]) < 1e100)) return JD_STOP_UNBOUNDED;
    return jd_stop_wanted(e->run->context) ? JD_STOP_INTERRUPTED : JD_STOP_NONE;
}

static jd_status advance(jd_run *run, double t_stop, jd_step *step) {
    euler *e = run->state;
    for (;;) {
        double t = (double)e->n * e->step;
        jd_status status = e->solved ? JD_OK : solve(e);
        if (status != JD_OK) return jd_run_failed(run, t, status);
        if (jd_run_next_event(run, t, e->queue, &e->n_queue, &e->next_queue, step)) {
            e->events++;
            return JD_OK;
        }
        run->stop = reason_to_stop(e);
        if (run->stop != JD_STOP_NONE) return jd_run_stopped(run, t, step);
        if ((double)(e->n + 1) * e->step > t_stop) return jd_run_reached(run, t_stop, step);
        accept(e);
    }
}

static void observe_contacts(jd_run *run, double t, double *u, double *v, double *force) {
    euler *e = run->state;
    double part = fmin(fmax(t / e->step - (double)e->n, 0), 1);
    for (int j = 0; j < e->m; j++) {
        u[j] = e->u[j] + part * (e->u_next[j] - e->u[j]);
        v[j] = e->v[j] + part * (e->v_next[j] - e->v[j]) - e->belt[j];
        force[j] = e->F[(size_t)e->n * (size_t)e->m + (size_t)j];
    }
}

static jd_status probe(jd_run *run, const jd_dd *row, int *index) {
    euler *e = run->state;
    const jd_system *y = jd_problem_system(run->problem);
    int *list = JD_TAKE(run->arena, int, e->n_probe + 1), found = -1;
    JD_TRY(jd_arena_status(run->arena));
    for (int j = 0; j < e->m && found < 0; j++) {
        found = j;
        for (int k = 0; k < y->modal.n; k++)
            if (fabs(row[k].hi - y->contact[j][k].hi) > 1e-12 * fabs(row[k].hi)) found = -1;
    }
    if (found < 0)
        return jd_fail(run->context, JD_NOT_SUPPORTED,
                       "engine `convolution` knows the points of contacts only");
    if (e->n_probe) memcpy(list, e->probe, (size_t)e->n_probe * sizeof *list);
    list[e->n_probe] = found;
    e->probe = list;
    *index = e->n_probe++;
    return JD_OK;
}

static void observe(jd_run *run, double t, double *u, double *v) {
    euler *e = run->state;
    double part = fmin(fmax(t / e->step - (double)e->n, 0), 1);
    for (int i = 0; i < e->n_probe; i++) {
        int j = e->probe[i];
        u[i] = e->u[j] + part * (e->u_next[j] - e->u[j]);
        v[i] = e->v[j] + part * (e->v_next[j] - e->v[j]);
    }
}

static jd_status track(jd_run *run) {
    euler *e = run->state;
    static const jd_range none = {HUGE_VAL, -HUGE_VAL, 0};
    e->range = JD_TAKE(run->arena, jd_contact_ranges, e->m);
    JD_TRY(jd_arena_status(run->arena));
    for (int j = 0; j < e->m; j++) e->range[j] = (jd_contact_ranges){none, none, none, false};
    return JD_OK;
}

static jd_status ranges(jd_run *run, jd_contact_ranges *out) {
    euler *e = run->state;
    memcpy(out, e->range, (size_t)e->m * sizeof *out);
    return JD_OK;
}

static void report(jd_run *run, jd_report *r) {
    euler *e = run->state;
    const double none = (double)NAN;
    r->certificate = (jd_certificate){
        .method = "states at the ends of steps", .events = e->events, .evaluations = e->n};
    double *drive = e->sums + 3 * e->m;
    for (int d = 0; d < jd_problem_drives(run->problem); d++) drive[d] = none;
    r->ledger = (jd_ledger){.start = none,
                            .kinetic = none,
                            .strain = none,
                            .damping = none,
                            .residual = none,
                            .contact = e->sums,
                            .belt = e->sums + e->m,
                            .impact = e->sums + 2 * e->m,
                            .drive = drive};
    for (int j = 0; j < 2 * e->m; j++) r->ledger.work += fabs(e->sums[j]);
}

static const jd_param params[] = {JD_KEYS_OF_CONVOLUTION, {0}};

const jd_engine_class jd_engine_convolution = {
    .info = {"convolution", "Euler steps of the convolution, as published: a baseline", params},
    .only_for = 1u << 30, // never by itself
    .refuses = refuses,
    .apart = true,
    .create = create,
    .free = release,
    .probe = probe,
    .track = track,
    .ranges = ranges,
    .advance = advance,
    .observe = observe,
    .observe_contacts = observe_contacts,
    .report = report,
};
