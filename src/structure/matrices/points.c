// points.c -- the row of a point: by node and direction, by the nearest coordinate, by a set.
#include "structure/matrices/points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double far = 0.25, suspicious = 0.02; // of the size of the mesh

static const char *direction_name(jd_arena *arena, int dof) {
    static const char *const names[] = {"x", "y", "z", "rx", "ry", "rz"};
    return dof >= 1 && dof <= 6 ? names[dof - 1] : jd_arena_format(arena, "%d", dof);
}

static jd_status no_mesh(jd_context *context, const jd_point *p) {
    jd_fail(context, JD_MISSING_KEY, "point `%s` is given by %s, but there is no `mesh`", p->name,
            p->near.n ? "its coordinates" : "a set");
    jd_fail_hint(context, "add `mesh: FILE` to the structure: an input file of Abaqus or CalculiX, "
                          "a universal file, or a table `node,x,y,z`");
    return JD_MISSING_KEY;
}

static jd_status no_nodes(jd_context *context, const jd_matrix_list *list, const jd_point *p) {
    jd_fail(context, JD_NOT_SUPPORTED,
            "point `%s` is given by a place of the mesh, but `%s` does not say which node a row is",
            p->name, list->path);
    jd_fail_hint(context, "add `dofs: FILE` with a line `node dof` for every row");
    return JD_NOT_SUPPORTED;
}

static jd_status find_set(jd_context *context, const jd_mesh *mesh, const jd_point *p,
                          const jd_mesh_set **set) {
    *set = p->set ? jd_mesh_set_of(mesh, p->set) : NULL;
    if (!p->set || *set) return JD_OK;
    jd_fail(context, JD_UNKNOWN_NAME, "point `%s`: `%s` has no set of nodes `%s`", p->name,
            mesh->path, p->set);
    if (mesh->n_set)
        jd_fail_hint(context, "it has %d, the first is `%s`", mesh->n_set, mesh->set[0].name);
    else
        jd_fail_hint(context, "it has none; sets are read from input files (*NSET)");
    return JD_UNKNOWN_NAME;
}

typedef struct nearest {
    int node;        // label; of several at the same distance the lowest
    double distance; // HUGE_VAL: there is none
} nearest;

static void look_at(const jd_mesh *m, int i, const double *from, nearest *best) {
    const double *at = m->at + 3 * (size_t)i;
    double d = hypot(hypot(at[0] - from[0], at[1] - from[1]), at[2] - from[2]);
    if (d < best->distance) *best = (nearest){m->node[i], d};
}

static jd_status too_far(jd_context *context, const jd_mesh *m, const jd_point *p, nearest best) {
    const double *x = p->near.value;
    if (best.distance == HUGE_VAL)
        return jd_fail(context, JD_UNKNOWN_NAME,
                       "point `%s`: no node%s of `%s` has dof %d in the matrices", p->name,
                       p->set ? " of its set" : "", m->path, p->dof);
    const double *at = m->at + 3 * (size_t)jd_mesh_find(m, best.node);
    jd_fail(context, JD_OUTSIDE_STRUCTURE,
            "point `%s` at (%.6g, %.6g, %.6g) is not on the structure: the nearest node, %d at "
            "(%.6g, %.6g, %.6g), is %.3g away",
            p->name, x[0], x[1], x[2], best.node, at[0], at[1], at[2], best.distance);
    jd_fail_hint(context,
                 "check the unit of the coordinates in `%s`; the structure has a size of "
                 "%.6g",
                 m->path, jd_mesh_size(m));
    return JD_OUTSIDE_STRUCTURE;
}

// The nearest node that has the direction; the nearest of all is told where that is another one.
static jd_status find_near(jd_arena *arena, const jd_dof_map *rows, const jd_mesh *m,
                           const jd_mesh_set *set, const jd_point *p, int *node) {
    jd_context *context = jd_arena_context(arena);
    nearest best = {0, HUGE_VAL}, any = best;
    double size = jd_mesh_size(m);
    for (int i = 0; i < m->n; i++) {
        if (set && !jd_mesh_set_has(set, m->node[i])) continue;
        look_at(m, i, p->near.value, &any);
        if (jd_dof_row(rows, m->node[i], p->dof) >= 0) look_at(m, i, p->near.value, &best);
    }
    if (!(best.distance <= far * size)) return too_far(context, m, p, best);
    *node = best.node;
    if (any.distance < best.distance - 1e-9 * size)
        jd_log(context, JD_LOG_WARNING,
               "point `%s` is node %d, %.3g away: node %d is nearer, but has no dof %s in the "
               "matrices (is it fixed?)",
               p->name, best.node, best.distance, any.node, direction_name(arena, p->dof));
    else if (best.distance > suspicious * size)
        jd_log(context, JD_LOG_WARNING,
               "point `%s` is node %d, the nearest, but %.3g away from its coordinates", p->name,
               best.node, best.distance);
    return JD_OK;
}

static jd_status only_of_set(jd_context *context, const jd_mesh_set *set, const jd_point *p,
                             int *node) {
    if (set->n == 1) {
        *node = set->node[0];
        return JD_OK;
    }
    jd_fail(context, JD_SIZE_MISMATCH, "point `%s`: the set `%s` has %d nodes, not one", p->name,
            p->set, set->n);
    jd_fail_hint(context, "say which: {set: %s, node: N} or {set: %s, near: [x, y, z]}", p->set,
                 p->set);
    return JD_SIZE_MISMATCH;
}

// The number of the node as it is written; 0: none.
static jd_status written_node(jd_context *context, const jd_point *p, int *node) {
    char *rest = NULL;
    *node = p->node;
    if (!*node && p->label) *node = (int)strtol(p->label, &rest, 10);
    if ((*node || p->label || p->near.n || p->set) && !(rest && *rest)) return JD_OK;
    jd_fail(context, JD_WRONG_TYPE, "point `%s` of a matrix model needs the number of a node",
            p->name);
    jd_fail_hint(context, "write {node: 12, dof: 2}");
    return JD_WRONG_TYPE;
}

static jd_status find_node(jd_arena *arena, const jd_matrix_list *list, const jd_mesh *mesh,
                           const jd_point *p, int *node) {
    jd_context *context = jd_arena_context(arena);
    const jd_mesh_set *set;
    JD_TRY(written_node(context, p, node));
    if (!p->near.n && !p->set) return JD_OK;
    if (!mesh) return no_mesh(context, p);
    if (!list->node || list->counted) return no_nodes(context, list, p);
    JD_TRY(find_set(context, mesh, p, &set));
    jd_dof_map rows = {list->n, list->node, list->dof};
    if (p->near.n) return find_near(arena, &rows, mesh, set, p, node);
    if (!*node) return only_of_set(context, set, p, node);
    if (jd_mesh_set_has(set, *node)) return JD_OK;
    return jd_fail(context, JD_UNKNOWN_NAME, "point `%s`: node %d is not in the set `%s`", p->name,
                   *node, p->set);
}

jd_status jd_matrices_point(jd_arena *arena, const jd_matrix_list *list, const jd_mesh *mesh,
                            const jd_point *p, int *row) {
    jd_context *context = jd_arena_context(arena);
    int node, dof = p->dof > 0 ? p->dof : 1;
    JD_TRY(find_node(arena, list, mesh, p, &node));
    if ((!list->node || list->counted) && dof > 1) {
        jd_fail(context, JD_NOT_SUPPORTED, "point `%s` has `dof: %d`, but `%s` has rows only",
                p->name, dof, list->path);
        jd_fail_hint(context, "write {node: N} with the number of the row, or name the rows by "
                              "`dofs: FILE`");
        return JD_NOT_SUPPORTED;
    }
    *row = jd_matrix_row(list, node, dof);
    if (*row >= 0) return JD_OK;
    if (list->node)
        return jd_fail(context, JD_UNKNOWN_NAME, "point `%s`: `%s` has no node %d with dof %d",
                       p->name, list->path, node, dof);
    return jd_fail(context, JD_UNKNOWN_NAME, "point `%s`: `%s` has rows from 1 to %d, not %d",
                   p->name, list->path, list->n, node);
}
