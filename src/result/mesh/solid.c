// solid.c -- nodes and elements of the mesh of matrices, with the motion of every node.
//   Rows of directions x, y, z move their node; rotations and rows of nodes that are not in the
//   mesh are not shown. A mesh without elements is a cloud of points.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "problem/parts.h"
#include "result/mesh/geometry.h"
#include "structure/matrices/mesh.h"

enum { VTK_VERTEX = 1 };

static jd_status refuse(const jd_problem *p, const char *why, const char *hint) {
    jd_fail(p->context, JD_NOT_SUPPORTED, "matrices cannot be shown in space: %s", why);
    jd_fail_hint(p->context, "%s", hint);
    return JD_NOT_SUPPORTED;
}

static void put_cells(const jd_mesh *mesh, jd_body_geometry *g) {
    const jd_mesh_cells *c = &mesh->cells;
    for (int i = 0; i < g->n_cell; i++) {
        g->type[i] = c->n ? c->type[i] : VTK_VERTEX;
        g->start[i + 1] = c->n ? c->start[i + 1] : i + 1;
    }
    for (int i = 0; i < g->n_corner; i++) g->corner[i] = c->n ? c->node[i] : i;
}

static void put_shapes(const jd_structure *s, jd_body_geometry *g) {
    size_t n = (size_t)s->n_dof;
    for (size_t i = 0; i < n; i++) {
        int at = jd_mesh_find(s->mesh, s->rows->node[i]), dof = s->rows->dof[i];
        if (at < 0 || dof < JD_DOF_X || dof > JD_DOF_Z) continue;
        for (size_t k = 0; k < (size_t)s->modal.n; k++)
            g->shape[3 * (k * (size_t)g->n + (size_t)at) + (size_t)(dof - JD_DOF_X)] =
                s->shape[k * n + i].hi;
    }
}

static jd_status show(jd_arena *arena, const jd_problem *p, const jd_structure *s,
                      jd_body_geometry *g) {
    const jd_mesh *mesh = s->mesh;
    if (!s->rows)
        return refuse(p, "which node and direction each row is, is not known",
                      "their file must name its rows, or give the file `dofs`");
    if (!s->shape) return refuse(p, "the shapes were not kept", "take fewer modes");
    *g = (jd_body_geometry){.n = mesh->n, .n_cell = mesh->cells.n ? mesh->cells.n : mesh->n};
    g->n_corner = mesh->cells.n ? mesh->cells.start[mesh->cells.n] : mesh->n;
    g->at = mesh->at;
    g->label = mesh->node;
    g->type = JD_TAKE(arena, int, g->n_cell);
    g->start = JD_TAKE(arena, int, g->n_cell + 1);
    g->corner = JD_TAKE(arena, int, g->n_corner);
    g->shape = JD_TAKE(arena, double, 3 * (size_t)g->n * (size_t)s->modal.n);
    JD_TRY(jd_arena_status(arena));
    put_cells(mesh, g);
    put_shapes(s, g);
    return JD_OK;
}

jd_status jd_geometry_solid(jd_arena *arena, const jd_problem *p, int body, jd_body_geometry *out) {
    const jd_structure *s = jd_problem_structure(p, body);
    const jd_object *o = jd_problem_body(p, body);
    if (!s->mesh)
        return refuse(p, "where their nodes are is not known",
                      "name the input file of the FE program as `mesh`");
    if (s->shape) return show(arena, p, s, out);
    // Shapes of large models are kept when asked for only: the modes are computed once more.
    jd_structure *again = NULL;
    bool kept = jd_keeps_shapes(p->context);
    jd_context_keep_shapes(p->context, true);
    jd_status status = jd_structure_create(p->context, o->type, o->def, &again);
    jd_context_keep_shapes(p->context, kept);
    double *at = status == JD_OK ? JD_TAKE(arena, double, 3 * (size_t)again->mesh->n) : NULL;
    int *label = status == JD_OK ? JD_TAKE(arena, int, again->mesh->n) : NULL;
    if (status == JD_OK) status = jd_arena_status(arena);
    if (status == JD_OK) status = show(arena, p, again, out);
    if (status == JD_OK) { // what is of the structure goes with it
        memcpy(at, out->at, 3 * (size_t)out->n * sizeof *at);
        out->at = at;
        memcpy(label, out->label, (size_t)out->n * sizeof *label);
        out->label = label;
    }
    jd_structure_free(again);
    return status;
}

// Of the nodes that have this direction in the matrices (rows NULL: of all).
static int nearest(const jd_mesh *mesh, const jd_dof_map *rows, int dof, const double *x) {
    int best = -1;
    double least = HUGE_VAL;
    for (int i = 0; i < mesh->n; i++) {
        const double *at = mesh->at + 3 * (size_t)i;
        if (rows && jd_dof_row(rows, mesh->node[i], dof) < 0) continue;
        double d = hypot(hypot(at[0] - x[0], at[1] - x[1]), at[2] - x[2]);
        if (d < least) least = d, best = i;
    }
    return best;
}

int jd_geometry_solid_point(const jd_problem *p, int body, const char *point) {
    const jd_matrices_def *d = jd_problem_body(p, body)->def;
    const jd_structure *s = jd_problem_structure(p, body);
    const jd_mesh *mesh = s->mesh;
    for (int i = 0; i < d->points.n; i++) {
        const jd_point *q = &d->points.point[i];
        if (strcmp(q->name, point) != 0) continue;
        if (q->near.n == 3) return nearest(mesh, s->rows, q->dof > 0 ? q->dof : 1, q->near.value);
        const jd_mesh_set *set = q->set ? jd_mesh_set_of(mesh, q->set) : NULL;
        if (set && set->n == 1) return jd_mesh_find(mesh, set->node[0]);
        return jd_mesh_find(mesh,
                            q->node ? q->node : (int)strtol(q->label ? q->label : "", NULL, 10));
    }
    return -1;
}
