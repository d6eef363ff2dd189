// row.c -- bodies whose points have no known place: in a row by their number, motion as ordinates.
//   Of matrices every row is a point, where their shapes are kept and they are not too many; of the
//   others, tables of modes and measured structures, those that have a name.
#include <string.h>

#include "problem/parts.h"
#include "result/mesh/geometry.h"

enum { VTK_VERTEX = 1, MOST_ROWS = 2000 };

static bool by_rows(const jd_structure *s) {
    return s->shape && s->n_dof > 1 && s->n_dof <= MOST_ROWS;
}

static double shape_of(const jd_structure *s, int mode, int i) {
    return by_rows(s) ? s->shape[(size_t)mode * (size_t)s->n_dof + (size_t)i].hi
                      : s->row[(size_t)i * (size_t)s->modal.n + (size_t)mode].hi;
}

jd_status jd_geometry_row(jd_arena *arena, const jd_problem *p, int body, jd_body_geometry *g) {
    const jd_structure *s = jd_problem_structure(p, body);
    size_t modes = (size_t)s->modal.n;
    int n = by_rows(s) ? s->n_dof : s->n_point;
    if (n == 0)
        return jd_fail(p->context, JD_NOT_SUPPORTED, "a body without points cannot be shown");
    *g = (jd_body_geometry){.n = n, .n_cell = n, .n_corner = n, .in_a_row = true};
    g->at = JD_TAKE(arena, double, 3 * (size_t)n);
    g->type = JD_TAKE(arena, int, n);
    g->start = JD_TAKE(arena, int, n + 1);
    g->corner = JD_TAKE(arena, int, n);
    g->shape = JD_TAKE(arena, double, 3 * (size_t)n * modes);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < n; i++) {
        g->at[3 * i] = (i + 0.5) / n;
        g->at[3 * i + 1] = -0.2 * body;
        g->type[i] = VTK_VERTEX;
        g->start[i + 1] = i + 1;
        g->corner[i] = i;
        for (size_t k = 0; k < modes; k++)
            g->shape[3 * (k * (size_t)n + (size_t)i) + 2] = shape_of(s, (int)k, i);
    }
    return JD_OK;
}

int jd_geometry_row_point(const jd_problem *p, int body, const char *point) {
    const jd_structure *s = jd_problem_structure(p, body);
    int named = 0, n = s->modal.n;
    while (named < s->n_point && strcmp(s->point_name[named], point) != 0) named++;
    if (named == s->n_point) return -1;
    if (!by_rows(s)) return named;
    for (int i = 0; i < s->n_dof; i++) {
        int k = 0; // the row that moves as the point does; a sum of several has no place
        while (k < n && shape_of(s, k, i) == s->row[(size_t)named * (size_t)n + (size_t)k].hi) k++;
        if (k == n && n > 0) return i;
    }
    return -1;
}
