// create.c -- derivatives of an orbit by numbers of the model, from its equations.
//   forced:     (M - I) ds = -(P_theta + f dT),  dT that of the drives
//   autonomous: [M - I  f; f' 0] (ds, dT) = -(P_theta, 0), in the scaled coordinates of shooting
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/gradient/gradient.h"
#include "base/words.h"
#include "linalg/general.h"
#include "problem/paths/slots.h"

static const double good_enough = 1e-9; // error at which no other step is tried
static const double rounding = 4e-16;
static const double singular = 1e-11; // reciprocal condition

static const jd_word methods[] = {JD_GRADIENT_METHOD_LIST(JD_WORD)};
const char *jd_gradient_method_name(jd_gradient_method m) {
    return jd_word_name(methods, JD_GRADIENT_METHOD_COUNT, (int)m);
}

const jd_gradient_view *jd_gradient_look(const jd_gradient *g) { return &g->view; }

void jd_gradient_free(jd_gradient *g) {
    if (!g) return;
    jd_run_free(g->orbit.run);
    jd_run_free(g->orbit.series);
    jd_problem_free(g->orbit.copy);
    jd_arena_free(g->arena);
}

static jd_status refuse_orbit(jd_gradient *g, const char *why, const char *hint) {
    jd_fail(g->context, JD_NOT_SUPPORTED, "the orbit has no gradient: %s", why);
    jd_fail_hint(g->context, "%s", hint);
    return JD_NOT_SUPPORTED;
}

static jd_status check_orbit(jd_gradient *g) {
    const jd_orbit_view *v = g->view_of;
    if (!v->found) return refuse_orbit(g, "it was not found", "`judder orbit` says why");
    if (v->simulated)
        return refuse_orbit(g, "it was only simulated", "`simulate.engine`: one that can shoot");
    if (v->stability.soft)
        return refuse_orbit(g, "a stop is reached without speed, and motions beside it bounce",
                            "there is no derivative; change a number by hand and compare");
    if (v->stability.neutral > 0)
        return refuse_orbit(g, "a contact is stuck all along and may as well rest elsewhere",
                            "a larger drive makes it slide; a contact with a `stiffness` has a "
                            "place of its own");
    return JD_OK;
}

static bool keep_slot(void *user, const char *path, const jd_slot *slot) {
    (void)path;
    *(jd_slot *)user = *slot;
    return false;
}

static bool matters(const char *key) {
    static const char *const of[] = {"structure.", "bodies.", "contacts.", "drives.",
                                     "connections."};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (!strncmp(key, of[i], strlen(of[i]))) return true;
    return false;
}

static jd_status refuse_key(jd_context *context, const char *key, const char *what) {
    jd_fail(context, JD_WRONG_TYPE, "there is no derivative by `%s`: %s", key, what);
    jd_fail_where(context, "%s", key);
    jd_fail_hint(context, "a real number of structure, contacts, drives or connections: "
                          "contacts.tip.law.limit");
    return JD_WRONG_TYPE;
}

jd_status jd_gradient_check_key(jd_context *context, const jd_problem *problem, const char *key) {
    jd_slot slot = {0};
    double value;
    JD_TRY(jd_problem_get(problem, key, &value));
    jd_problem_walk(problem, key, keep_slot, &slot);
    if (slot.kind == JD_SLOT_INTEGER || slot.kind == JD_SLOT_MODE)
        return refuse_key(context, key, "it is a count");
    if (!matters(key)) return refuse_key(context, key, "the motion does not depend on it");
    if (!isfinite(value)) return refuse_key(context, key, "it has no value of its own");
    return JD_OK;
}

// The run that carries derivatives through events.
static jd_status open_series(jd_gradient *g) {
    gradient_orbit *o = &g->orbit;
    JD_TRY(jd_problem_copy(g->context, g->problem, &o->copy));
    jd_simulate_def s = *(const jd_simulate_def *)jd_problem_section(o->copy, JD_SIMULATE, NULL);
    s.engine = "series";
    JD_TRY(jd_problem_set_section(o->copy, JD_SIMULATE, &s));
    jd_status status = jd_run_create(g->context, o->copy, &o->series);
    if (status == JD_OUT_OF_MEMORY) return status;
    if (status != JD_OK) {
        o->why = jd_arena_text(g->arena, jd_context_error(g->context)->message);
        jd_context_clear_error(g->context);
        return jd_arena_status(g->arena);
    }
    jd_run_for_analysis(o->series);
    if (o->series->class->map.coordinates(o->series) == o->sh->n) return JD_OK;
    o->why = "engine `series` has other coordinates";
    jd_run_free(o->series);
    o->series = NULL;
    return JD_OK;
}

// M, Newton's matrix and its factors at the orbit.
static jd_status open_orbit(jd_gradient *g) {
    gradient_orbit *o = &g->orbit;
    const jd_orbit_view *v = g->view_of;
    bool lost;
    JD_TRY(jd_run_create(g->context, g->problem, &o->run));
    jd_run_for_analysis(o->run);
    JD_TRY(jd_shooting_create(o->run, g->arena, &o->sh));
    jd_shooting *sh = o->sh;
    if (sh->n != v->n) return refuse_orbit(g, "it is of another problem", "search it again");
    memcpy(sh->s, v->state, (size_t)sh->n * sizeof *sh->s);
    sh->period = v->period;
    sh->forced = v->forced;
    sh->phase = jd_phase_of_text(v->phase);
    JD_TRY(jd_shooting_round(sh, true, &lost));
    if (lost || !(jd_shooting_residual(sh) < 1e-7))
        return refuse_orbit(g, "in one piece it does not return",
                            "it is too unstable for a single round; no gradient is offered");
    o->size = jd_shooting_size(sh, sh->s);
    o->n_event = sh->last.n_event;
    o->event = JD_TAKE(g->arena, jd_event, o->n_event + 1);
    int N = o->N = jd_shooting_assemble(sh);
    o->lu = JD_TAKE(g->arena, double, N *N);
    o->pivot = JD_TAKE(g->arena, int, N);
    double *work = JD_TAKE(g->arena, double, 7 * N), norm = 0;
    JD_TRY(jd_arena_status(g->arena));
    memcpy(o->event, sh->last.event, (size_t)o->n_event * sizeof *o->event);
    memcpy(o->lu, sh->newton.A, (size_t)(N * N) * sizeof *o->lu);
    for (int j = 0; j < N; j++) {
        double sum = 0;
        for (int i = 0; i < N; i++) sum += fabs(o->lu[i * N + j]);
        norm = fmax(norm, sum);
    }
    double condition = jd_solve_general(N, sh->newton.A, work, o->pivot, work + N);
    if (!(condition > singular) || !jd_lu_factor(N, o->lu, o->pivot))
        return refuse_orbit(g, "it is not isolated: one of a family, or at a bifurcation",
                            "`judder follow` passes through such orbits");
    o->inverse = 1 / (condition * norm);
    return open_series(g);
}

static jd_status open_places(jd_gradient *g, int n_point, const char *const *point) {
    gradient_places *p = &g->places;
    p->n_contact = jd_problem_contacts(g->problem);
    p->n = p->n_contact + n_point;
    p->name = JD_TAKE(g->arena, const char *, p->n + 1);
    p->row = JD_TAKE(g->arena, jd_dd, jd_problem_system(g->problem)->modal.n + 1);
    p->state = JD_TAKE(g->arena, double, g->orbit.sh->n);
    p->u = JD_TAKE(g->arena, double, p->n + 1);
    p->v = JD_TAKE(g->arena, double, p->n + 1);
    p->f = JD_TAKE(g->arena, double, p->n + 1);
    JD_TRY(jd_arena_status(g->arena));
    for (int i = 0; i < p->n; i++)
        p->name[i] =
            jd_arena_text(g->arena, i < p->n_contact ? jd_problem_contact(g->problem, i)->name
                                                     : point[i - p->n_contact]);
    JD_TRY(jd_arena_status(g->arena));
    for (int i = p->n_contact; i < p->n; i++)
        JD_TRY(jd_problem_row(g->problem, p->name[i], p->row));
    if (p->n == p->n_contact || 2 * jd_problem_system(g->problem)->modal.n <= g->orbit.sh->n)
        return JD_OK;
    return refuse_orbit(g, "its states are not those of modes, and points follow from modes",
                        "ask for contacts, or take engine `exact` or `series`");
}

// |f dT|: how far the state at the end of the period moves with it.
static double moved_by_period(const jd_shooting *sh, double dT) {
    double sum = 0;
    for (int i = 0; i < sh->n; i++) sum += pow(sh->scale[i] * sh->rate[i] * dT, 2);
    return sqrt(sum);
}

// ds and dT of both columns from P, and the error of the better one.
static void solve(jd_gradient *g, gradient_by *by) {
    gradient_orbit *o = &g->orbit;
    jd_shooting *sh = o->sh;
    int n = sh->n;
    double *b = sh->newton.b, own = 0, apart = 0, forces = 0;
    for (int c = 0; c < JD_STENCIL_COLUMNS; c++) {
        double T[JD_STENCIL];
        for (int k = 0; k < by->others.n && sh->forced; k++)
            T[k] = g->view_of->periods * jd_problem_period(by->others.problem[k]);
        by->dT[c] = sh->forced ? jd_others_slope(&by->others, T, c) : 0;
        for (int i = 0; i < n; i++) {
            b[i] = -sh->scale[i] * (by->P[c * n + i] + sh->rate[i] * by->dT[c]);
            forces = fmax(forces, fabs(b[i]));
        }
        if (!sh->forced) b[n] = 0;
        jd_lu_solve(o->N, o->lu, o->pivot, b);
        for (int i = 0; i < n; i++) by->ds[c * n + i] = b[i] / sh->scale[i];
        if (!sh->forced) by->dT[c] = b[n] * sh->period / sh->newton.unit;
    }
    for (int i = 0; i < n; i++) {
        double x = sh->scale[i] * by->ds[i], d = x - sh->scale[i] * by->ds[n + i];
        own += x * x;
        apart += d * d;
    }
    double noise =
        rounding * (o->size / by->others.h + 100 * forces) * fmax(1, o->inverse) * sqrt((double)n);
    // without a drive the state at the start may hardly change while the period does
    double size = fmax(sqrt(own), moved_by_period(sh, by->dT[0]));
    by->error = size > 0 ? (sqrt(apart) + noise) / size : 0;
    by->settled = sqrt(apart) <= noise; // a smaller step would not be better
}

// By one method: the step whose error is least; its others stay open. *why: not at all.
static jd_status attempt(jd_gradient *g, gradient_by *by, jd_gradient_method method,
                         const char **why) {
    static const double shares[] = {2e-3, 2e-4, 2e-5, 2e-6, 2e-7};
    int n = method == JD_GRADIENT_SALTATION ? 3 : 5, best = -1;
    double least = HUGE_VAL;
    by->method = method;
    for (int i = 0; i <= n; i++) {
        if (i == n && best < 0) return JD_OK;
        by->share = shares[i < n ? i : best];
        jd_others_close(&by->others);
        *why = NULL;
        JD_TRY(method == JD_GRADIENT_SALTATION ? jd_gradient_saltation(g, by, why)
                                               : jd_gradient_differences(g, by, why));
        if (*why) continue;
        solve(g, by);
        if (i == n || by->error < good_enough || by->settled) return JD_OK;
        if (best < 0 || by->error < least) {
            best = i;
            least = by->error;
        }
    }
    return JD_OK;
}

// A stop that the place itself hits: its extreme is the gap.
static jd_status own_gap(jd_gradient *g, gradient_by *by, const gradient_look *look, double *out) {
    char path[JD_PATH_SIZE];
    double x[JD_STENCIL], gap;
    *out = (double)NAN;
    if (look->place >= g->places.n_contact) return JD_OK;
    snprintf(path, sizeof path, "contacts.%s.law.gap", g->places.name[look->place]);
    if (jd_problem_get(g->problem, path, &gap) != JD_OK) {
        jd_context_clear_error(g->context);
        return JD_OK;
    }
    if (fabs(fabs(look->u) - gap) > 1e-7 * (fabs(gap) + fabs(look->u))) return JD_OK;
    for (int k = 0; k < by->others.n; k++)
        JD_TRY(jd_problem_get(by->others.problem[k], path, &x[k]));
    *out = (look->u < 0 ? -1 : 1) * jd_others_slope(&by->others, x, 0);
    return JD_OK;
}

static jd_status take_places(jd_gradient *g, gradient_by *by, jd_gradient_key *out) {
    gradient_places *p = &g->places;
    jd_gradient_place *place = JD_TAKE(g->arena, jd_gradient_place, p->n + 1);
    JD_TRY(jd_arena_status(g->arena));
    for (int i = 0; i < p->n; i++) place[i].name = p->name[i];
    for (int i = 0; i < p->n_look; i++) {
        const gradient_look *l = &p->look[i];
        double d = by->slope[i];
        if (l->corner) JD_TRY(own_gap(g, by, l, &d));
        if (l->most)
            place[l->place].most = l->u, place[l->place].d_most = d;
        else
            place[l->place].least = l->u, place[l->place].d_least = d;
    }
    for (int i = 0; i < p->n; i++) {
        place[i].amplitude = 0.5 * (place[i].most - place[i].least);
        place[i].d_amplitude = 0.5 * (place[i].d_most - place[i].d_least);
    }
    out->n_place = p->n;
    out->place = place;
    return JD_OK;
}

jd_status jd_gradient_derive(jd_gradient *g, const char *key, gradient_by *by) {
    const char *why = NULL, *other = NULL;
    int n = g->orbit.sh->n;
    *by = (gradient_by){.key = jd_arena_text(g->arena, key),
                        .P = JD_TAKE(g->arena, double, JD_STENCIL_COLUMNS *n),
                        .ds = JD_TAKE(g->arena, double, JD_STENCIL_COLUMNS *n),
                        .slope = JD_TAKE(g->arena, double, g->places.n_look + 1)};
    JD_TRY(jd_arena_status(g->arena));
    JD_TRY(jd_problem_get(g->problem, key, &by->value));
    JD_TRY(attempt(g, by, JD_GRADIENT_SALTATION, &why));
    if (why) JD_TRY(attempt(g, by, JD_GRADIENT_DIFFERENCES, &other));
    if (!why || !other) return jd_gradient_trace(g, by);
    jd_fail(g->context, JD_NOT_SUPPORTED, "no derivative by `%s`: %s; %s", by->key, other, why);
    jd_fail_where(g->context, "%s", by->key);
    return JD_NOT_SUPPORTED;
}

static jd_status take(jd_gradient *g, gradient_by *by, jd_gradient_key *out) {
    *out = (jd_gradient_key){.key = by->key,
                             .value = by->value,
                             .method = by->method,
                             .error = by->error,
                             .period = by->dT[0],
                             .n = g->orbit.sh->n,
                             .state = by->ds};
    JD_TRY(take_places(g, by, out));
    return jd_gradient_spectrum(g, by, out);
}

static jd_status make(jd_gradient *g, int n_key, const char *const *key) {
    JD_TRY(jd_gradient_extremes(g));
    jd_gradient_key *of = JD_TAKE(g->arena, jd_gradient_key, n_key + 1);
    JD_TRY(jd_arena_status(g->arena));
    for (int i = 0; i < n_key; i++) {
        gradient_by by = {0};
        jd_status status = jd_gradient_derive(g, key[i], &by);
        if (status == JD_OK) status = take(g, &by, &of[i]);
        jd_others_close(&by.others);
        JD_TRY(status);
    }
    g->view = (jd_gradient_view){n_key, of};
    return JD_OK;
}

static jd_status open_all(jd_gradient *g, int n_point, const char *const *point) {
    JD_TRY(check_orbit(g));
    JD_TRY(open_orbit(g));
    return open_places(g, n_point, point);
}

jd_status jd_gradient_open(jd_context *context, jd_problem *problem, const jd_orbit_view *orbit,
                           int n_point, const char *const *point, jd_gradient **out) {
    *out = NULL;
    JD_TRY(jd_problem_build(problem));
    jd_arena *arena = jd_arena_create(context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_gradient *g = JD_TAKE(arena, jd_gradient, 1);
    jd_status status = jd_arena_status(arena);
    if (status != JD_OK) {
        jd_arena_free(arena);
        return status;
    }
    *g = (jd_gradient){.context = context, .problem = problem, .arena = arena, .view_of = orbit};
    status = open_all(g, n_point, point);
    if (status == JD_OK)
        *out = g;
    else
        jd_gradient_free(g);
    return status;
}

jd_status jd_gradient_create(jd_context *context, jd_problem *problem, const jd_orbit_view *orbit,
                             int n_key, const char *const *key, int n_point,
                             const char *const *point, jd_gradient **out) {
    *out = NULL;
    JD_TRY(jd_problem_build(problem));
    for (int i = 0; i < n_key; i++) JD_TRY(jd_gradient_check_key(context, problem, key[i]));
    JD_TRY(jd_gradient_open(context, problem, orbit, n_point, point, out));
    jd_status status = make(*out, n_key, key);
    if (status == JD_OK) return JD_OK;
    jd_gradient_free(*out);
    *out = NULL;
    return status;
}
