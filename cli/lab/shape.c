// shape.c -- the structure as it moves: places of its points, and their displacements in frames.
//   Modes give the displacement everywhere (result/mesh/geometry.h); of infinitely many the run
//   follows the first (jd_run_follow). Points without a known place stand in a row. Where there are
//   no modes, nodes of grids are shown, else the named points alone. Frames are taken from the run
//   that gives the curves, at samples that are even in time but for events between them.
#include <math.h>
#include <string.h>

#include "engine/engine.h"
#include "lab/lab.h"
#include "result/run/run.h"

enum { FRAMES = 90, MOST_POINTS = 4000 };

struct lab_shape {
    request *request;
    jd_problem *problem;
    jd_problem *finite;    // with the first of infinitely many modes; NULL: it has no others
    bool modes, none;      // by modes, else on a grid; nothing can be shown
    jd_geometry *geometry; // by modes
    double *q, *own, *all; // scratch: modal state, that of the bodies, all points
    int n, stride, done;   // points shown, one of how many, frames so far
    double *at, *u, *t;    // n x 3 [m], FRAMES x n x 3 [m], FRAMES [s]
    int *first;            // bodies + 1: where the points of each begin
    lab_cells *cells;      // of contacts along spans
};

lab_shape *shape_create(request *r, jd_problem *problem) {
    lab_shape *s = JD_TAKE(r->arena, lab_shape, 1);
    if (!s) return NULL;
    *s = (lab_shape){.request = r, .problem = problem, .stride = 1};
    if (jd_problem_build(problem) == JD_OK) s->finite = kept_finite(lane_kept(r->lane), r, problem);
    jd_context_clear_error(r->context);
    return s;
}

void shape_free(lab_shape *s) {
    if (s) jd_problem_free(s->finite);
}

const jd_problem *shape_finite(const lab_shape *s) { return s->finite; }

// Every `stride`-th point of a large mesh.
static void pick(const lab_shape *s, const double *from, double *to) {
    for (size_t k = 0; k < (size_t)s->n; k++)
        memcpy(to + 3 * k, from + 3 * k * (size_t)s->stride, 3 * sizeof *to);
}

// Nodes of all bodies of an engine on a grid, one below the other; they move along x. Bodies that
// the engine has not on its grid are left out.
static int grid_nodes(const lab_shape *s, jd_run *run, double *at, double *u) {
    int n = 0;
    for (int b = 0; b < jd_problem_bodies(s->problem); b++) {
        jd_body_field nodes;
        s->first[b] = s->first[b + 1] = n;
        if (!jd_run_body(run, b, &nodes)) continue;
        double length = nodes.position[nodes.n - 1];
        for (int i = 0; i < nodes.n; i++, n++) {
            if (at) at[3 * n] = nodes.position[i];
            if (at) at[3 * n + 1] = -0.2 * length * b;
            if (u) u[3 * n] = nodes.displacement[i];
        }
        s->first[b + 1] = n;
    }
    return n;
}

// The points to be shown; false: there are none.
static bool find_points(lab_shape *s, jd_run *run) {
    jd_arena *arena = s->request->arena;
    s->modes = jd_run_modes(run, NULL) > 0;
    s->first = JD_TAKE(arena, int, jd_problem_bodies(s->problem) + 1);
    if (!s->first) return false;
    if (!s->modes) {
        s->n = grid_nodes(s, run, NULL, NULL);
        return s->n > 0 && s->n <= MOST_POINTS;
    }
    jd_geometry *g = s->geometry =
        kept_geometry(lane_kept(s->request->lane), s->finite ? s->finite : s->problem);
    if (!g || jd_run_modes(run, NULL) != 2 * g->n_mode) return false;
    s->stride = (g->n + MOST_POINTS - 1) / MOST_POINTS;
    s->n = (g->n + s->stride - 1) / s->stride;
    s->q = JD_TAKE(arena, double, 2 * (size_t)g->n_mode + 1);
    s->own = JD_TAKE(arena, double, g->n_mode + 1);
    s->all = JD_TAKE(arena, double, 3 * (size_t)g->n);
    for (int b = 0; b <= jd_problem_bodies(s->problem); b++) s->first[b] = g->first[b] / s->stride;
    return true;
}

static void begin(lab_shape *s, jd_run *run) {
    jd_arena *arena = s->request->arena;
    s->none = !find_points(s, run);
    if (s->none) return;
    s->at = JD_TAKE(arena, double, 3 * (size_t)s->n);
    s->u = JD_TAKE(arena, double, 3 * (size_t)s->n * FRAMES);
    s->t = JD_TAKE(arena, double, FRAMES);
    s->none = jd_arena_status(arena) != JD_OK;
    if (s->none) return;
    if (s->modes)
        pick(s, s->geometry->at, s->at);
    else
        grid_nodes(s, run, s->at, NULL);
    const lab_points points = {s->problem, s->modes ? s->geometry : NULL, s->at, s->first,
                               s->stride};
    s->cells = cells_create(arena, &points, run, FRAMES);
}

void shape_visit(void *user, jd_run *run, const jd_history *h, int i) {
    lab_shape *s = user;
    if (i == 0) begin(s, run);
    double from = h->t[0], to = h->t[h->n - 1];
    if (s->none || s->done == FRAMES || h->t[i] < from + (to - from) * s->done / (FRAMES - 1))
        return;
    double *u = s->u + 3 * (size_t)s->n * (size_t)s->done;
    if (s->modes) {
        jd_run_modes(run, s->q);
        jd_geometry_move(s->geometry, s->q, s->own, s->all);
        pick(s, s->all, u);
    } else {
        grid_nodes(s, run, NULL, u);
    }
    cells_take(s->cells, run);
    s->t[s->done++] = h->t[i];
}

// Point of every contact; -1: none.
static json_t *contacts_of(const lab_shape *s) {
    json_t *list = json_array();
    for (int j = 0; s->modes && j < jd_problem_contacts(s->problem); j++) {
        int at = s->geometry->of_contact[j];
        json_array_append_new(list, json_integer(at < 0 ? -1 : at / s->stride));
    }
    return list;
}

// Lines between points: of grids from node to node; solids, and large meshes, are points.
static void add_lines(frame *f, const lab_shape *s) {
    const jd_geometry *g = s->geometry;
    int n = 0, most = !s->modes ? s->n : s->stride == 1 ? g->start[g->n_cell] : 0;
    int32_t *line = JD_TAKE(s->request->arena, int32_t, 2 * (size_t)most + 1);
    if (!line) most = 0;
    for (int b = 0; most && !s->modes && b < jd_problem_bodies(s->problem); b++)
        for (int k = s->first[b]; k + 1 < s->first[b + 1]; k++, n++) {
            line[2 * n] = k;
            line[2 * n + 1] = k + 1;
        }
    for (int c = 0; most && s->modes && c < g->n_cell; c++)
        for (int k = g->start[c]; g->type[c] < 5 && k + 1 < g->start[c + 1]; k++, n++) {
            line[2 * n] = g->corner[k];
            line[2 * n + 1] = g->corner[k + 1];
        }
    frame_integers(f, "shape.lines", 2 * n, line);
}

// Of points that stand in a row: where the rows begin and end, and the names of those that have
// one.
static void add_rows(json_t *head, const lab_shape *s) {
    json_t *rows = json_array(), *names = json_array();
    for (int b = 0; s->modes && b < jd_problem_bodies(s->problem); b++) {
        const jd_structure *body = jd_problem_structure(s->problem, b);
        if (!s->geometry->in_a_row[b]) continue;
        json_array_append_new(rows, json_pack("[i, i]", s->first[b], s->first[b + 1]));
        for (int i = 0; i < body->n_point; i++) {
            int at = jd_geometry_row_point(s->problem, b, body->point_name[i]);
            if (at >= 0 && at % s->stride == 0)
                json_array_append_new(names, json_pack("[i, o]", s->first[b] + at / s->stride,
                                                       jd_json_text(body->point_name[i])));
        }
    }
    json_object_set_new(head, "rows", rows);
    json_object_set_new(head, "names", names);
}

void shape_add(frame *f, const lab_shape *s) {
    if (!s || s->none || s->done < 2) return;
    frame_singles(f, "shape.at", 3 * s->n, s->at);
    frame_singles(f, "shape.u", 3 * s->n * s->done, s->u);
    frame_reals(f, "shape.t", s->done, s->t);
    add_lines(f, s);
    cells_add(f, s->cells);
    json_t *head =
        json_pack("{s:i, s:i, s:o}", "n", s->n, "frames", s->done, "contacts", contacts_of(s));
    add_rows(head, s);
    json_object_set_new(frame_head(f), "shape", head);
}
