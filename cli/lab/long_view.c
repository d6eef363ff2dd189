// long_view.c -- settled motion on a grid, and branches of orbits, sent point by point.
//   Nothing waits on the server but the points themselves: a page that reads slowly slows the sweep
//   down.
#include <math.h>
#include <string.h>

#include "lab/lab.h"

enum { BATCH = 400, MOST_POINTS = 1000000, MOST_NUMBERS = 4000000 };

// Points that are finished but not yet sent.
typedef struct stream {
    request *request;
    int n, done, index[BATCH];
    double sent; // [s] when something was sent last
} stream;

static json_t *numbers(int n, const double *value) {
    json_t *list = json_array();
    for (int i = 0; i < n; i++) json_array_append_new(list, json_finite(value[i]));
    return list;
}

// The unit in which results give a number of the model, its size in SI, and its SI unit.
static json_t *parameter_of(const jd_problem *problem, const char *path) {
    const char *unit = NULL;
    char si[64] = "";
    double size = jd_problem_shown_unit(problem, path, &unit);
    jd_problem_unit(problem, path, sizeof si, si);
    if (!jd_problem_is_si(problem)) si[0] = '\0'; // a model without units has none here
    return json_pack("{s:o, s:s, s:s, s:f}", "path", jd_json_text(path), "unit", unit ? unit : si,
                     "si", si, "size", size);
}

static void tell_grid(request *r, const jd_problem *problem, const jd_sweep_view *v) {
    json_t *parameters = json_array(), *values = json_array(), *classes = json_array();
    for (int k = 0; k < v->n_parameter; k++) {
        json_array_append_new(parameters, parameter_of(problem, v->parameter[k]));
        json_array_append_new(values, numbers(v->count[k], v->values[k]));
    }
    for (int k = 0; k < v->n_class; k++)
        json_array_append_new(classes, jd_json_text(v->class_name[k]));
    send_json(r, "sweep",
              json_pack("{s:o, s:o, s:o, s:s, s:s, s:i, s:i, s:i}", "parameters", parameters,
                        "values", values, "classes", classes, "measure", v->measure, "unit",
                        jd_problem_is_si(problem) ? jd_measure_unit(v->measure) : "", "points",
                        v->n_point, "samples", v->n_sample, "starts", v->starts));
}

// Columns of the points, one row each; then the sampled displacements.
static void flush(stream *s, const jd_sweep_view *v) {
    enum { COLUMNS = 7 };
    static const char *const name[COLUMNS] = {"index",   "x",          "y",    "amplitude",
                                              "periods", "multiplier", "class"};
    double column[COLUMNS][BATCH];
    if (s->n == 0) return;
    double *sample = JD_TAKE(s->request->arena, double, s->n * v->n_sample + 1);
    if (!sample) end_without_memory();
    for (int i = 0; i < s->n; i++) {
        const jd_sweep_point *p = &v->point[s->index[i]];
        const double row[COLUMNS] = {
            s->index[i],   p->value[0],    p->value[1], p->amplitude, p->settled ? p->periods : 0,
            p->multiplier, p->class_number};
        for (int k = 0; k < COLUMNS; k++) column[k][i] = row[k];
        for (int k = 0; k < v->n_sample; k++)
            sample[i * v->n_sample + k] = p->sample ? p->sample[2 * k] : (double)NAN;
    }
    frame *f = frame_create(s->request, "sweep-points");
    for (int k = 0; k < COLUMNS; k++) frame_reals(f, name[k], s->n, column[k]);
    frame_singles(f, "samples", s->n * v->n_sample, sample);
    json_object_set_new(frame_head(f), "done", json_integer(s->done));
    frame_send(f);
    s->n = 0;
    s->sent = wall_seconds();
}

static jd_status finished(void *user, const jd_sweep *sweep, int index) {
    stream *s = user;
    s->index[s->n++] = index;
    s->done++;
    if (s->n == BATCH || wall_seconds() - s->sent > 0.05) {
        jd_arena_mark mark = jd_arena_here(s->request->arena);
        flush(s, jd_sweep_look(sweep));
        jd_arena_back(s->request->arena, mark);
    }
    return JD_OK;
}

static jd_status run_sweep(request *r, jd_problem *problem, jd_sweep *sweep) {
    stream s = {.request = r};
    const jd_sweep_view *v = jd_sweep_look(sweep);
    jd_sweep_options options = jd_default_sweep_options();
    bool complete = false;
    double began = wall_seconds();
    if (v->n_point > MOST_POINTS)
        return jd_fail(r->context, JD_OUT_OF_RANGE,
                       "%d points are more than a page shows: at most %d", v->n_point, MOST_POINTS);
    tell_grid(r, problem, v);
    options.finished = finished;
    options.user = &s;
    JD_TRY(jd_sweep_run(sweep, &options, &complete));
    flush(&s, v);
    send_json(r, "sweep-end",
              json_pack("{s:b, s:i, s:f}", "complete", (int)complete, "done", s.done, "seconds",
                        wall_seconds() - began));
    return JD_OK;
}

static jd_status wanted(request *r, const jd_problem *problem, jd_section section) {
    bool given = false;
    jd_problem_section(problem, section, &given);
    if (given) return JD_OK;
    const char *name = jd_section_types[section].name;
    jd_fail(r->context, JD_MISSING_KEY, "the model has no section `%s`", name);
    jd_fail_hint(r->context, "write one into its text; `judder list %s` shows its keys", name);
    return JD_MISSING_KEY;
}

jd_status answer_sweep(request *r) {
    jd_problem *problem;
    jd_sweep *sweep = NULL;
    JD_TRY(request_problem(r, true, &problem));
    jd_status s = wanted(r, problem, JD_SWEEP);
    if (s == JD_OK) s = jd_sweep_create(r->context, problem, &sweep);
    if (s == JD_OK) s = run_sweep(r, problem, sweep);
    jd_sweep_free(sweep);
    jd_problem_free(problem);
    return s;
}

static json_t *specials(const jd_follow_view *v) {
    json_t *list = json_array();
    for (int i = 0; i < v->n_special; i++) {
        const jd_special *p = &v->special[i];
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:o, s:o}", "name", jd_special_name(p->kind), "text",
                            jd_special_text(p->kind), "parameter", json_finite(p->parameter),
                            "amplitude", json_finite(p->amplitude)));
    }
    return list;
}

// Stable 1, unstable 0, neither 2.
static double verdict_of(const jd_branch_point *p) { return p->undecided ? 2 : p->stable; }

// What the axes are.
static void add_names(json_t *head, const jd_problem *problem, const jd_follow_view *v) {
    json_object_set_new(head, "parameter", parameter_of(problem, v->parameter));
    json_object_set_new(head, "measure", jd_json_text(v->measure));
    json_object_set_new(head, "unit",
                        json_string(jd_problem_is_si(problem) ? jd_measure_unit(v->measure) : ""));
    json_object_set_new(head, "from", json_real(v->from));
    json_object_set_new(head, "to", json_real(v->to));
}

static void add_branch(frame *f, request *r, const jd_follow_view *v) {
    int n = v->n_point;
    double *x = JD_TAKE(r->arena, double, 4 * (size_t)n + 1);
    if (!x) end_without_memory();
    double *y = x + n, *state = y + n, *start = state + n;
    for (int i = 0; i < n; i++) {
        const jd_branch_point *p = &v->point[i];
        x[i] = p->parameter;
        y[i] = p->amplitude;
        state[i] = verdict_of(p);
        start[i] = p->start;
    }
    frame_reals(f, "parameter", n, x);
    frame_reals(f, "amplitude", n, y);
    frame_reals(f, "stable", n, state);
    frame_reals(f, "start", n, start);
    bool fits = (double)n * v->n <= MOST_NUMBERS && v->state;
    frame_reals(f, "states", fits ? n * v->n : 0, v->state);
    json_t *phases = json_array();
    for (int i = 0; i < v->kept.n_start; i++)
        json_array_append_new(phases, jd_json_text(v->kept.start[i]));
    json_object_set_new(frame_head(f), "phases", phases);
    json_object_set_new(frame_head(f), "numbers", json_integer(fits ? v->n : 0));
}

static void tell_branch(request *r, const jd_problem *problem, const jd_follow_view *v,
                        double began) {
    frame *f = frame_create(r, "follow");
    json_t *head = frame_head(f);
    char why[400];
    snprintf(why, sizeof why, "The branch ends at %.6g: %s%s%s.", v->end_parameter,
             jd_end_text(v->end), v->why && v->why[0] ? "; " : "", v->why ? v->why : "");
    add_branch(f, r, v);
    add_names(head, problem, v);
    json_object_set_new(head, "special", specials(v));
    json_object_set_new(head, "end", jd_json_text(why));
    json_object_set_new(head, "uncertified", json_integer(v->n_uncertified));
    json_object_set_new(head, "seconds", json_real(wall_seconds() - began));
    frame_send(f);
}

// Orbits of a branch that are not yet sent: numbers first to first + n - 1.
typedef struct growing {
    request *request;
    const jd_problem *problem;
    int first, n;
    double parameter[BATCH], amplitude[BATCH], stable[BATCH];
    double sent; // [s] when something was sent last
} growing;

static void flush_branch(growing *g, const jd_follow_view *v) {
    if (g->n == 0) return;
    frame *f = frame_create(g->request, "follow-points");
    add_names(frame_head(f), g->problem, v);
    json_object_set_new(frame_head(f), "first", json_integer(g->first));
    frame_reals(f, "parameter", g->n, g->parameter);
    frame_reals(f, "amplitude", g->n, g->amplitude);
    frame_reals(f, "stable", g->n, g->stable);
    frame_send(f);
    g->n = 0;
    g->sent = wall_seconds();
}

static void listed(void *user, const jd_follow *follow, int index, const jd_branch_point *p) {
    growing *g = user;
    const jd_follow_view *v = jd_follow_look(follow);
    if (g->n > 0 && index != g->first + g->n) flush_branch(g, v); // some were taken back
    if (g->n == 0) g->first = index;
    g->parameter[g->n] = p->parameter;
    g->amplitude[g->n] = p->amplitude;
    g->stable[g->n++] = verdict_of(p);
    if (g->n == BATCH || wall_seconds() - g->sent > 0.05) flush_branch(g, v);
}

jd_status answer_follow(request *r) {
    jd_problem *problem;
    jd_follow *follow = NULL;
    double began = wall_seconds();
    jd_follow_options options = jd_default_follow_options();
    growing *points = JD_TAKE(r->arena, growing, 1);
    JD_TRY(jd_arena_status(r->arena));
    JD_TRY(request_problem(r, true, &problem));
    *points = (growing){.request = r, .problem = problem};
    options.listed = listed;
    options.user = points;
    jd_status s = wanted(r, problem, JD_FOLLOW);
    if (s == JD_OK) s = jd_follow_create(r->context, problem, &options, &follow);
    if (s == JD_OK && !lane_left(r->lane)) tell_branch(r, problem, jd_follow_look(follow), began);
    if (lane_left(r->lane))
        send_json(r, "follow-stopped", json_pack("{s:f}", "seconds", wall_seconds() - began));
    jd_follow_free(follow);
    jd_problem_free(problem);
    return s;
}
