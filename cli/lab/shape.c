// shape.c -- the structure as it moves: places of its points, and their displacements in frames.
//   Modes give the displacement everywhere (result/mesh/geometry.h). Where an engine has none
//   (grids, infinitely many modes) the page shows the named points alone.
#include <math.h>
#include <string.h>

#include "lab/lab.h"
#include "result/mesh/geometry.h"

enum { FRAMES = 90, MOST_POINTS = 4000 };

static jd_status reach(jd_run *run, double t, bool *ended) {
    jd_step step = JD_STEP_EVENT;
    while (step == JD_STEP_EVENT) JD_TRY(jd_run_advance(run, t, &step));
    *ended = step == JD_STEP_STOPPED;
    return JD_OK;
}

static double time_of(int i, double from, double to) {
    return from + (to - from) * i / (FRAMES - 1);
}

// Every `stride`-th point of a large mesh; contacts are always among them.
static json_t *contacts_of(const jd_geometry *g, int n_contact, int stride) {
    json_t *list = json_array();
    for (int j = 0; j < n_contact; j++)
        json_array_append_new(list,
                              json_integer(g->of_contact[j] < 0 ? -1 : g->of_contact[j] / stride));
    return list;
}

static void pick(int n, int stride, const double *from, double *to) {
    for (int i = 0, k = 0; i < n; i += stride, k++)
        for (int d = 0; d < 3; d++) to[3 * k + d] = from[3 * i + d];
}

// Displacements of every frame from the modes; *done counts frames.
static jd_status by_modes(request *r, const jd_geometry *g, jd_run *run, double from, double to,
                          int stride, double *u, int *done) {
    int n = (g->n + stride - 1) / stride;
    double *q = JD_TAKE(r->arena, double, 2 * (size_t)g->n_mode + 1);
    double *own = JD_TAKE(r->arena, double, g->n_mode + 1);
    double *all = JD_TAKE(r->arena, double, 3 * (size_t)g->n);
    bool ended = false;
    JD_TRY(jd_arena_status(r->arena));
    for (int i = 0; i < FRAMES && !ended; i++) {
        JD_TRY(reach(run, time_of(i, from, to), &ended));
        if (ended) break;
        jd_run_modal_state(run, q);
        jd_geometry_move(g, q, own, all);
        pick(g->n, stride, all, u + 3 * (size_t)n * (size_t)i);
        *done = i + 1;
    }
    return JD_OK;
}

static jd_status add_modes(frame *f, request *r, jd_problem *problem, jd_run *run, double from,
                           double to) {
    jd_geometry g;
    int done = 0;
    JD_TRY(jd_geometry_create(r->arena, problem, &g));
    if (jd_run_modal_size(run) != 2 * g.n_mode || g.n == 0) return JD_NOT_SUPPORTED;
    int stride = (g.n + MOST_POINTS - 1) / MOST_POINTS, n = (g.n + stride - 1) / stride;
    double *at = JD_TAKE(r->arena, double, 3 * n), *u = JD_TAKE(r->arena, double, 3 * n * FRAMES);
    JD_TRY(jd_arena_status(r->arena));
    pick(g.n, stride, g.at, at);
    JD_TRY(by_modes(r, &g, run, from, to, stride, u, &done));
    json_t *cells = json_array();
    for (int c = 0; c < g.n_cell && stride == 1; c++) // lines between points; solids are points
        for (int k = g.start[c]; g.type[c] < 5 && k + 1 < g.start[c + 1]; k++)
            json_array_append_new(cells, json_pack("[i, i]", g.corner[k], g.corner[k + 1]));
    frame_singles(f, "shape.at", 3 * n, at);
    frame_singles(f, "shape.u", 3 * n * done, u);
    json_object_set_new(frame_head(f), "shape",
                        json_pack("{s:i, s:i, s:o, s:o, s:f, s:f}", "n", n, "frames", done, "lines",
                                  cells, "contacts",
                                  contacts_of(&g, jd_problem_contacts(problem), stride), "from",
                                  from, "to", time_of(done - 1, from, to)));
    return JD_OK;
}

// Nodes of all bodies of an engine on a grid, one below the other; they move along x.
static int grid_nodes(const jd_problem *problem, jd_run *run, double *at, double *u) {
    int n = 0;
    for (int b = 0; b < jd_problem_bodies(problem); b++) {
        jd_body_field nodes;
        if (!jd_run_body(run, b, &nodes)) return 0;
        double length = nodes.position[nodes.n - 1];
        for (int i = 0; i < nodes.n; i++, n++) {
            if (at) at[3 * n] = nodes.position[i];
            if (at) at[3 * n + 1] = -0.2 * length * b;
            if (u) u[3 * n] = nodes.displacement[i];
        }
    }
    return n;
}

static jd_status add_grid(frame *f, request *r, jd_problem *problem, jd_run *run, double from,
                          double to) {
    bool ended = false;
    int done = 0;
    JD_TRY(reach(run, from, &ended));
    int n = ended ? 0 : grid_nodes(problem, run, NULL, NULL);
    if (n == 0 || n > MOST_POINTS) return JD_OK;
    double *at = JD_TAKE(r->arena, double, 3 * n), *u = JD_TAKE(r->arena, double, 3 * n * FRAMES);
    JD_TRY(jd_arena_status(r->arena));
    grid_nodes(problem, run, at, NULL);
    for (; done < FRAMES; done++) {
        JD_TRY(reach(run, time_of(done, from, to), &ended));
        if (ended) break;
        grid_nodes(problem, run, NULL, u + 3 * (size_t)n * (size_t)done);
    }
    frame_singles(f, "shape.at", 3 * n, at);
    frame_singles(f, "shape.u", 3 * n * done, u);
    json_object_set_new(frame_head(f), "shape",
                        json_pack("{s:i, s:i, s:[], s:[], s:f, s:f}", "n", n, "frames", done,
                                  "lines", "contacts", "from", from, "to",
                                  time_of(done - 1, from, to)));
    return JD_OK;
}

// The same motion without its energies, which nobody asks for here: half the time of a run.
static jd_status without_ledger(jd_problem *problem) {
    jd_simulate_def def = *(const jd_simulate_def *)jd_problem_section(problem, JD_SIMULATE, NULL);
    def.ledger = false;
    return jd_problem_set_simulate(problem, &def);
}

void add_shape(frame *f, request *r, jd_problem *problem, const jd_orbit *orbit, double from,
               double to) {
    jd_run *run = NULL;
    jd_status s = orbit ? JD_OK : without_ledger(problem);
    if (s == JD_OK)
        s = orbit ? jd_orbit_run(orbit, &run) : jd_run_create(r->context, problem, &run);
    if (s == JD_OK)
        (jd_run_modal_size(run) > 0 ? add_modes : add_grid)(f, r, problem, run, from, to);
    jd_context_clear_error(r->context);
    jd_run_free(run);
}
