// surface.c -- what is seen of bodies in space: faces of solid elements that no other element
// shares, shells and lines, with the first modes at their corners.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "problem/parts.h"
#include "result/mesh/surface.h"
#include "structure/classes.h"
#include "structure/matrices/mesh.h"

enum { MODES = 6, CORNERS = 4, NONE = -1 };

// Faces of VTK's cells by their corners, seen from outside; nodes amid edges are left out.
typedef struct shape {
    int type[2]; // linear, quadratic
    int n;
    bool solid; // its faces may be shared
    int8_t face[6][CORNERS];
} shape;
static const shape shapes[] = {
    {{10, 24}, 4, true, {{0, 1, 3, NONE}, {1, 2, 3, NONE}, {2, 0, 3, NONE}, {0, 2, 1, NONE}}},
    {{12, 25},
     6,
     true,
     {{0, 4, 7, 3}, {1, 2, 6, 5}, {0, 1, 5, 4}, {3, 7, 6, 2}, {0, 3, 2, 1}, {4, 5, 6, 7}}},
    {{13, 26},
     5,
     true,
     {{0, 1, 2, NONE}, {3, 5, 4, NONE}, {0, 3, 4, 1}, {1, 4, 5, 2}, {2, 5, 3, 0}}},
    {{14, 27},
     5,
     true,
     {{0, 3, 2, 1}, {0, 1, 4, NONE}, {1, 2, 4, NONE}, {2, 3, 4, NONE}, {3, 0, 4, NONE}}},
    {{5, 22}, 1, false, {{0, 1, 2, NONE}}},
    {{9, 23}, 1, false, {{0, 1, 2, 3}}},
    {{3, 21}, 1, false, {{0, 1, NONE, NONE}}}};

typedef struct face {
    int corner[CORNERS], sorted[CORNERS];
    bool solid;
} face;

static const shape *shape_of(int type) {
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (shapes[i].type[0] == type || shapes[i].type[1] == type) return &shapes[i];
    return NULL;
}

static int ascending(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int by_corners(const void *a, const void *b) {
    const face *f = a, *g = b;
    for (int k = 0; k < CORNERS; k++)
        if (f->sorted[k] != g->sorted[k]) return f->sorted[k] < g->sorted[k] ? -1 : 1;
    return 0;
}

static int list_faces(const jd_geometry *g, face *out) {
    int n = 0;
    for (int i = 0; i < g->n_cell; i++) {
        const shape *s = shape_of(g->type[i]);
        for (int k = 0; s && k < s->n; k++, n++) {
            if (!out) continue;
            out[n].solid = s->solid;
            for (int c = 0; c < CORNERS; c++) {
                int at = s->face[k][c];
                out[n].corner[c] = out[n].sorted[c] = at < 0 ? NONE : g->corner[g->start[i] + at];
            }
            qsort(out[n].sorted, CORNERS, sizeof *out[n].sorted, ascending);
        }
    }
    return n;
}

// Drops faces that two solid elements share; returns how many are left.
static int drop_shared(face *f, int n) {
    int left = 0;
    qsort(f, (size_t)n, sizeof *f, by_corners);
    for (int i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && by_corners(&f[i], &f[end]) == 0;) end++;
        if (end == i + 1 || !f[i].solid) f[left++] = f[i];
    }
    return left;
}

// Corners of the faces get new numbers; *count: how many there are.
static int *number_corners(jd_arena *arena, int points, const face *f, int n, int *count) {
    int *number = JD_TAKE(arena, int, points);
    *count = 0;
    if (!number) return NULL;
    for (int i = 0; i < points; i++) number[i] = NONE;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < CORNERS && f[i].corner[k] >= 0; k++)
            if (number[f[i].corner[k]] < 0) number[f[i].corner[k]] = (*count)++;
    return number;
}

static jd_status take(jd_arena *arena, const jd_geometry *g, const face *f, int n,
                      const jd_modal *modal, jd_space_result *out) {
    int points = 0, *number = number_corners(arena, g->n, f, n, &points);
    int modes = modal->n - modal->n_static < MODES ? modal->n - modal->n_static : MODES;
    double *at = JD_TAKE(arena, double, 3 * (size_t)points), *q = JD_TAKE(arena, double, g->n_mode);
    double *value = JD_TAKE(arena, double, 3 * (size_t)points * (size_t)modes);
    int *corner = JD_TAKE(arena, int, CORNERS *(size_t)n);
    double *own = JD_TAKE(arena, double, g->n_mode), *u = JD_TAKE(arena, double, 3 * (size_t)g->n);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < n; i++)
        for (int k = 0; k < CORNERS; k++)
            corner[CORNERS * i + k] = f[i].corner[k] < 0 ? NONE : number[f[i].corner[k]];
    for (int i = 0; i < g->n; i++)
        if (number[i] >= 0)
            memcpy(at + 3 * (size_t)number[i], g->at + 3 * (size_t)i, 3 * sizeof *at);
    for (int k = 0; k < modes; k++) {
        q[k] = 1;
        jd_geometry_move(g, q, own, u);
        q[k] = 0;
        for (int i = 0; i < g->n; i++)
            if (number[i] >= 0)
                memcpy(value + 3 * ((size_t)k * (size_t)points + (size_t)number[i]),
                       u + 3 * (size_t)i, 3 * sizeof *value);
    }
    *out = (jd_space_result){points, n, modes, at, corner, value};
    return JD_OK;
}

// Whether the shapes of all bodies in space are at hand: what is not kept is not computed for this.
static bool at_hand(const jd_problem *p) {
    for (int b = 0; b < jd_problem_bodies(p); b++) {
        const jd_structure *s = jd_problem_structure(p, b);
        const jd_type *type = jd_problem_body(p, b)->type;
        bool solid = type == &jd_matrices_class.type;
        if (solid ? !s->mesh || !s->shape || !s->rows : !jd_structure_has_line(type) || s->infinite)
            return false;
    }
    return jd_problem_bodies(p) > 0;
}

jd_status jd_space_of(jd_arena *arena, const jd_problem *p, const jd_space_result **out) {
    *out = NULL;
    if (!at_hand(p)) return JD_OK;
    jd_arena *scratch = jd_arena_create(jd_arena_context(arena));
    jd_space_result *space = JD_TAKE(arena, jd_space_result, 1);
    jd_geometry g;
    jd_status status = scratch ? jd_arena_status(arena) : JD_OUT_OF_MEMORY;
    if (status == JD_OK) status = jd_geometry_create(scratch, p, &g);
    face *list = status == JD_OK ? JD_TAKE(scratch, face, list_faces(&g, NULL)) : NULL;
    if (status == JD_OK) status = jd_arena_status(scratch);
    int n = status == JD_OK ? drop_shared(list, list_faces(&g, list)) : 0;
    if (n > 0) status = take(arena, &g, list, n, &jd_problem_system(p)->modal, space);
    if (status == JD_OK && n > 0) *out = space;
    if (scratch) jd_arena_free(scratch);
    return status;
}
