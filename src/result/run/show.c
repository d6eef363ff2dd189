// show.c -- puts what a picture shows into a result: the stretch of motion, or the motion along a
// body and its contact. The picture is drawn of that, at once and from the file.
#include <math.h>
#include <string.h>

#include "base/param_tools.h"
#include "result/result.h"
#include "result/run/run.h"

enum { TIMES = 360 }; // of a map along a contact

static int span_of(const jd_problem *p) {
    for (int j = 0; j < jd_problem_contacts(p); j++)
        if (jd_place_is_span(&((const jd_contact_def *)jd_problem_contact(p, j)->def)->at))
            return j;
    return -1;
}

bool jd_has_span(const jd_problem *p) { return span_of(p) >= 0; }

static int body_of(const jd_problem *p, const jd_place *place) {
    int n = jd_problem_bodies(p);
    for (int b = 0; place->body && b < n; b++)
        if (strcmp(jd_problem_body(p, b)->name, place->body) == 0) return b;
    return 0;
}

static jd_status no_field(jd_context *context) {
    jd_fail(context, JD_NOT_SUPPORTED,
            "there is no field to draw: no contact acts along a span of a body on a grid");
    jd_fail_hint(context, "`--picture history` draws the motion of points");
    return JD_NOT_SUPPORTED;
}

// Arrays of the map, to be filled row by row.
typedef struct rows {
    double *t, *u, *velocity, *state, *force;
} rows;

static double *copied(jd_arena *arena, int n, const double *value) {
    double *out = JD_TAKE(arena, double, n);
    if (out) memcpy(out, value, (size_t)n * sizeof *out);
    return out;
}

static jd_status begin(jd_arena *arena, const jd_body_field *body, const jd_interface_field *cells,
                       rows *r, jd_field_map *m) {
    m->n_node = body->n;
    m->n_cell = cells->n;
    m->node = copied(arena, body->n, body->position);
    m->cell = copied(arena, cells->n, cells->position);
    m->u = r->u = JD_TAKE(arena, double, TIMES * body->n);
    m->velocity = r->velocity = JD_TAKE(arena, double, TIMES * cells->n);
    m->state = r->state = JD_TAKE(arena, double, TIMES * cells->n);
    m->force = r->force = JD_TAKE(arena, double, TIMES * cells->n);
    return jd_arena_status(arena);
}

static void put(int i, const jd_body_field *body, const jd_interface_field *cells, const rows *r) {
    size_t nodes = (size_t)body->n, n = (size_t)cells->n, row = (size_t)i;
    memcpy(r->u + row * nodes, body->displacement, nodes * sizeof(double));
    memcpy(r->velocity + row * n, cells->velocity, n * sizeof(double));
    memcpy(r->state + row * n, cells->state, n * sizeof(double));
    memcpy(r->force + row * n, cells->force, n * sizeof(double));
}

static jd_status look(jd_arena *arena, jd_run *run, int body, int contact, double from, double to,
                      jd_field_map *m) {
    jd_body_field nodes;
    jd_interface_field cells;
    rows r = {.t = JD_TAKE(arena, double, TIMES)};
    JD_TRY(jd_arena_status(arena));
    m->n = TIMES;
    m->t = r.t;
    for (int i = 0; i < TIMES; i++) {
        jd_step step = JD_STEP_EVENT;
        r.t[i] = from + (to - from) * i / (TIMES - 1);
        while (step == JD_STEP_EVENT) JD_TRY(jd_run_advance(run, r.t[i], &step));
        if (!jd_run_body(run, body, &nodes) || !jd_run_interface(run, contact, &cells))
            return no_field(jd_arena_context(arena));
        if (i == 0) JD_TRY(begin(arena, &nodes, &cells, &r, m));
        put(i, &nodes, &cells, &r);
    }
    return JD_OK;
}

// Motion along the body and the contact of the first contact that acts along a span.
static jd_status field_of_run(jd_arena *arena, jd_problem *p, double from, double to,
                              jd_field_map *out) {
    int contact = span_of(p);
    jd_run *run;
    double until;
    if (contact < 0) return no_field(jd_arena_context(arena));
    const jd_simulate_def *s = jd_problem_section(p, JD_SIMULATE, NULL);
    int body = body_of(p, &((const jd_contact_def *)jd_problem_contact(p, contact)->def)->at);
    *out = (jd_field_map){.body = jd_problem_body(p, body)->name,
                          .contact = jd_problem_contact(p, contact)->name};
    JD_TRY(jd_problem_duration(p, &s->until, &until));
    if (!isnan(to)) until = fmin(until, to);
    JD_TRY(jd_run_create(jd_arena_context(arena), p, &run));
    jd_status status = look(arena, run, body, contact, isnan(from) ? 0 : from, until, out);
    jd_run_free(run);
    return status;
}

static jd_status check(jd_context *context, const jd_history *h) {
    if (h->n >= 2) return JD_OK;
    jd_fail(context, JD_OUT_OF_RANGE, "the run has no motion in the window to draw");
    jd_fail_hint(context, "it ended at %.6g", h->n ? h->t[0] : 0.0);
    return JD_OUT_OF_RANGE;
}

jd_status jd_result_show_run(jd_result *result, jd_problem *problem, jd_shown shown, bool field,
                             unsigned wants) {
    jd_arena *arena = result->arena;
    jd_shown *own = JD_TAKE(arena, jd_shown, 1);
    JD_TRY(jd_arena_status(arena));
    *own = shown;
    if (field) {
        JD_TRY(field_of_run(arena, problem, shown.from, shown.to, &own->field));
    } else {
        JD_TRY(jd_history_of_run(arena, problem, shown.from, shown.to, wants, &own->history));
        JD_TRY(check(jd_arena_context(arena), &own->history));
    }
    ((jd_run_result *)result->content)->shown = own;
    result->n_array = -1;
    return JD_OK;
}

jd_status jd_result_show_orbit(jd_result *result, jd_problem *problem, const jd_orbit *orbit,
                               int picture, unsigned wants) {
    jd_arena *arena = result->arena;
    jd_shown *own = JD_TAKE(arena, jd_shown, 1);
    JD_TRY(jd_arena_status(arena));
    *own = (jd_shown){.picture = picture, .from = (double)NAN, .to = (double)NAN};
    const jd_history_def def = {.wants = wants};
    JD_TRY(jd_history_of_orbit(arena, problem, orbit, &def, &own->history));
    JD_TRY(check(jd_arena_context(arena), &own->history));
    ((jd_orbit_result *)result->content)->shown = own;
    result->n_array = -1;
    return JD_OK;
}
