// geometry.c -- bodies as points and cells in space, with the motion of every point by each mode.
//   Strings, beams, rods and chains are lines along x; strings and beams move along z, rods and
//   chains along x. Several of them lie one below the other.
#include "result/mesh/geometry.h"

#include <math.h>
#include <string.h>

#include "problem/contacts/cells.h"
#include "problem/parts.h"
#include "structure/classes.h"

enum { VTK_LINE = 3, VTK_VERTEX = 1 };

static bool moves_along(const jd_type *type) {
    return jd_type_param(type, "axial_stiffness") || jd_type_param(type, "count");
}

static jd_status take(jd_arena *arena, int modes, jd_body_geometry *g) {
    g->at = JD_TAKE(arena, double, 3 * (size_t)g->n);
    g->type = JD_TAKE(arena, int, g->n_cell);
    g->start = JD_TAKE(arena, int, g->n_cell + 1);
    g->corner = JD_TAKE(arena, int, g->n_corner);
    g->shape = JD_TAKE(arena, double, 3 * (size_t)g->n * (size_t)modes);
    return jd_arena_status(arena);
}

// A line with a cell from each station to the next; one station alone is a vertex.
static jd_status line_body(jd_arena *arena, const jd_problem *p, int body, jd_body_geometry *g) {
    const jd_object *o = jd_problem_body(p, body);
    int modes = jd_structure_modes(jd_problem_structure(p, body));
    jd_line line;
    JD_TRY(jd_structure_line(arena, o->type, o->def, modes, &line));
    int per = line.n > 1 ? 2 : 1;
    *g = (jd_body_geometry){.n = line.n, .n_cell = line.n > 1 ? line.n - 1 : 1};
    g->n_corner = per * g->n_cell;
    JD_TRY(take(arena, modes, g));
    int along = moves_along(o->type) ? 0 : 2;
    double size = fabs(line.position[line.n - 1]) + (line.nodes ? 1 : 0);
    for (int i = 0; i < g->n; i++) {
        g->at[3 * i] = line.position[i];
        g->at[3 * i + 1] = -0.2 * size * body;
        for (int k = 0; k < modes; k++)
            g->shape[3 * ((size_t)k * (size_t)g->n + (size_t)i) + (size_t)along] =
                line.value[k * line.n + i];
    }
    for (int i = 0; i < g->n_cell; i++) {
        g->type[i] = per == 2 ? VTK_LINE : VTK_VERTEX;
        g->start[i + 1] = per * (i + 1);
        for (int j = 0; j < per; j++) g->corner[per * i + j] = i + j;
    }
    return JD_OK;
}

static jd_status placed(jd_arena *arena, const jd_problem *p, int body, jd_body_geometry *g) {
    const jd_type *type = jd_problem_body(p, body)->type;
    if (type == &jd_matrices_class.type) return jd_geometry_solid(arena, p, body, g);
    if (jd_structure_has_line(type) && !jd_problem_structure(p, body)->infinite)
        return line_body(arena, p, body, g);
    jd_fail(p->context, JD_NOT_SUPPORTED,
            "a `%s` cannot be shown in space: where its points are is not known%s", type->name,
            jd_problem_structure(p, body)->infinite ? " of infinitely many modes" : "");
    jd_fail_hint(p->context, "lines (strings, beams, rods, chains) and matrices with a `mesh` can "
                             "be shown");
    return JD_NOT_SUPPORTED;
}

static jd_status body_of(jd_arena *arena, const jd_problem *p, int body, bool rows,
                         jd_body_geometry *g) {
    jd_status s = placed(arena, p, body, g);
    if (s != JD_NOT_SUPPORTED || !rows || jd_problem_structure(p, body)->infinite) return s;
    jd_context_clear_error(p->context);
    return jd_geometry_row(arena, p, body, g);
}

// The station of a line that is nearest to a named point of its body, or the node of a mesh.
static int nearest(const jd_problem *p, int body, const char *point, const jd_body_geometry *g) {
    const jd_object *o = jd_problem_body(p, body);
    if (g->in_a_row) return jd_geometry_row_point(p, body, point);
    if (o->type == &jd_matrices_class.type) return jd_geometry_solid_point(p, body, point);
    const jd_param *param = jd_type_param(o->type, "points");
    const jd_points *points = param ? JD_MEMBER_CONST(jd_points, o->def, param) : NULL;
    int best = -1;
    for (int i = 0; points && i < points->n; i++) {
        const jd_point *q = &points->point[i];
        if (strcmp(q->name, point) != 0) continue;
        const jd_param *elements = jd_type_param(o->type, "elements");
        double last = g->at[3 * (g->n - 1)], x = q->position;
        if (isnan(x) && elements) // node of an even mesh
            x = last * (q->node - 1) / *JD_MEMBER_CONST(int, o->def, elements);
        else if (isnan(x))
            x = q->node;
        for (int k = 0; k < g->n; k++)
            if (best < 0 || fabs(g->at[3 * k] - x) < fabs(g->at[3 * best] - x)) best = k;
    }
    return best;
}

static void copy_body(jd_geometry *out, const jd_body_geometry *g, int at, int cell, int corner,
                      int mode, int modes) {
    memcpy(out->at + 3 * (size_t)at, g->at, 3 * (size_t)g->n * sizeof *g->at);
    for (int i = 0; i < g->n_cell; i++) {
        out->type[cell + i] = g->type[i];
        out->start[cell + i + 1] = corner + g->start[i + 1];
    }
    for (int i = 0; i < g->n_corner; i++) out->corner[corner + i] = at + g->corner[i];
    for (int k = 0; k < modes; k++)
        memcpy(out->shape + 3 * ((size_t)(mode + k) * (size_t)out->n + (size_t)at),
               g->shape + 3 * (size_t)k * (size_t)g->n, 3 * (size_t)g->n * sizeof *g->shape);
}

static jd_status join(jd_geometry *out, const jd_body_geometry *body) {
    const jd_problem *p = out->problem;
    int bodies = jd_problem_bodies(p), corners = 0;
    for (int b = 0; b < bodies; b++) {
        out->n += body[b].n;
        out->n_cell += body[b].n_cell;
        corners += body[b].n_corner;
        out->n_mode += jd_structure_modes(jd_problem_structure(p, b));
    }
    out->at = JD_TAKE(out->arena, double, 3 * (size_t)out->n);
    out->type = JD_TAKE(out->arena, int, out->n_cell);
    out->start = JD_TAKE(out->arena, int, out->n_cell + 1);
    out->corner = JD_TAKE(out->arena, int, corners);
    out->shape = JD_TAKE(out->arena, double, 3 * (size_t)out->n * (size_t)out->n_mode);
    JD_TRY(jd_arena_status(out->arena));
    for (int b = 0, at = 0, cell = 0, corner = 0, mode = 0; b < bodies; b++) {
        int modes = jd_structure_modes(jd_problem_structure(p, b));
        copy_body(out, &body[b], at, cell, corner, mode, modes);
        at += body[b].n;
        cell += body[b].n_cell;
        corner += body[b].n_corner;
        mode += modes;
    }
    return JD_OK;
}

// Numbers of nodes: those of the mesh of the only body, else counted.
static jd_status name_nodes(jd_geometry *out, const jd_body_geometry *body) {
    const int *label = jd_problem_bodies(out->problem) == 1 ? body[0].label : NULL;
    out->label = JD_TAKE(out->arena, int, out->n);
    JD_TRY(jd_arena_status(out->arena));
    for (int i = 0; i < out->n; i++) out->label[i] = label ? label[i] : i + 1;
    return JD_OK;
}

// Point of a named point; -1: a direction over several points has no place.
static int find_point(const jd_geometry *g, const jd_body_geometry *body, const char *of,
                      const char *point) {
    const jd_problem *p = g->problem;
    int b, index;
    if (jd_problem_find_point(p, of, point, &b, &index) != JD_OK) {
        jd_context_clear_error(p->context);
        return -1;
    }
    int found = nearest(p, b, jd_problem_structure(p, b)->point_name[index], &body[b]);
    return found >= 0 ? g->first[b] + found : -1;
}

static jd_status find_cells(const jd_geometry *g, const jd_body_geometry *body, const jd_place *at,
                            int **out) {
    int n = jd_cell_names(at->points);
    char name[JD_CELL_NAME];
    *out = JD_TAKE(g->arena, int, n);
    JD_TRY(jd_arena_status(g->arena));
    for (int i = 0; i < n; i++) {
        jd_cell_name(at->points, i, name);
        (*out)[i] = find_point(g, body, at->body, name);
    }
    return JD_OK;
}

static jd_status find_contacts(jd_geometry *out, const jd_body_geometry *body) {
    const jd_problem *p = out->problem;
    int bodies = jd_problem_bodies(p), contacts = jd_problem_contacts(p);
    out->first = JD_TAKE(out->arena, int, bodies + 1);
    out->of_contact = JD_TAKE(out->arena, int, contacts);
    out->of_cells = JD_TAKE(out->arena, int *, contacts);
    JD_TRY(jd_arena_status(out->arena));
    for (int b = 0; b < bodies; b++) out->first[b + 1] = out->first[b] + body[b].n;
    for (int j = 0; j < contacts; j++) {
        const jd_place *at = &((const jd_contact_def *)jd_problem_contact(p, j)->def)->at;
        out->of_contact[j] = at->point ? find_point(out, body, at->body, at->point) : -1;
        if (at->points) JD_TRY(find_cells(out, body, at, &out->of_cells[j]));
    }
    return JD_OK;
}

static jd_status create(jd_arena *arena, const jd_problem *problem, bool rows, jd_geometry *out) {
    int bodies = jd_problem_bodies(problem);
    *out = (jd_geometry){.arena = arena, .problem = problem};
    jd_body_geometry *body = JD_TAKE(arena, jd_body_geometry, bodies);
    out->in_a_row = JD_TAKE(arena, bool, bodies);
    JD_TRY(jd_arena_status(arena));
    for (int b = 0; b < bodies; b++) {
        JD_TRY(body_of(arena, problem, b, rows, &body[b]));
        out->in_a_row[b] = body[b].in_a_row;
    }
    JD_TRY(join(out, body));
    JD_TRY(name_nodes(out, body));
    return find_contacts(out, body);
}

jd_status jd_geometry_create(jd_arena *arena, const jd_problem *problem, jd_geometry *out) {
    return create(arena, problem, false, out);
}

jd_status jd_geometry_create_rows(jd_arena *arena, const jd_problem *problem, jd_geometry *out) {
    return create(arena, problem, true, out);
}

// q = turn eta where connections give the bodies common modes.
void jd_geometry_move(const jd_geometry *g, const double *q, double *own, double *u) {
    const jd_system *y = jd_problem_system(g->problem);
    size_t n = (size_t)g->n_mode, size = 3 * (size_t)g->n;
    for (size_t k = 0; k < n; k++) {
        own[k] = y->turn ? 0 : q[k];
        for (size_t l = 0; y->turn && l < n; l++) own[k] += y->turn[k * n + l].hi * q[l];
    }
    memset(u, 0, size * sizeof *u);
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < size; i++) u[i] += own[k] * g->shape[k * size + i];
}
