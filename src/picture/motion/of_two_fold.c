// of_two_fold.c -- motion through a two-fold in the space of y2, y3 and the contact force lambda.
//   On the switching surface lambda is critical where it keeps h = y1 at 0 by itself:
//   lambda = (y2 - y3)/(y2 + y3), within [-1, 1] where y2 and y3 have one sign. For y2 + y3 > 0
//   motions are drawn to this manifold (node, focus), for y2 + y3 < 0 they leave it (saddle).
#include <math.h>
#include <string.h>

#include "picture/cube.h"
#include "picture/motion/history.h"

enum { LINES = 9, FINE = 40, AXES = 3 };
static const char *const axes[AXES] = {"y2", "y3", "lambda"};

static const double *point_of(const jd_history *h, const char *name) {
    for (int i = 0; i < h->n_point; i++)
        if (strcmp(h->point[i].name, name) == 0) return h->point[i].u;
    return NULL;
}

bool jd_history_has_two_fold(const jd_history *h) {
    for (int k = 0; k < AXES; k++)
        if (!point_of(h, axes[k])) return false;
    return true;
}

// One line of the mesh: y2 or y3 is kept, the other runs from 0 to `far`.
static void mesh_line(const jd_cube *c, int kept, double value, double far, const char *label,
                      jd_ink ink) {
    double *x = JD_TAKE(c->arena, double, FINE + 1), *y = JD_TAKE(c->arena, double, FINE + 1);
    if (!x || !y) return;
    for (int i = 0; i <= FINE; i++) {
        double in[AXES], run = far * i / FINE;
        in[kept] = value;
        in[1 - kept] = run;
        in[2] = (in[0] - in[1]) / (in[0] + in[1]);
        jd_cube_project(c, in, &x[i], &y[i]);
    }
    jd_panel_series(c->panel,
                    (jd_series){.label = label,
                                .stroke = ink == JD_INK_GREY ? JD_STROKE_LINE : JD_STROKE_DASHED,
                                .ink = ink,
                                .size = 0.9,
                                .n = FINE + 1,
                                .x = x,
                                .y = y});
}

static void critical(const jd_cube *c, bool above) {
    const double *edge = above ? c->high : c->low;
    const char *label = above ? "critical manifold: node, focus" : "critical manifold: saddle";
    if (above ? edge[0] <= 0 || edge[1] <= 0 : edge[0] >= 0 || edge[1] >= 0) return;
    for (int kept = 0; kept < 2; kept++)
        for (int i = 1; i <= LINES; i++)
            mesh_line(c, kept, edge[kept] * i / LINES, edge[1 - kept],
                      kept == 0 && i == 1 ? label : NULL, above ? JD_INK_GREY : JD_INK_ORANGE);
}

void jd_history_two_fold(jd_scene *s, const jd_history *h) {
    jd_cube c = {.arena = s->arena, .panel = jd_cube_panel(s), .name = {"y₂", "y₃", "λ"}};
    const double *value[AXES];
    double *x = JD_TAKE(s->arena, double, h->n), *y = JD_TAKE(s->arena, double, h->n);
    if (!c.panel || !x || !y) return;
    for (int k = 0; k < AXES; k++) {
        value[k] = point_of(h, axes[k]);
        jd_cube_range(&c, k, h->n, value[k]);
    }
    c.low[2] = fmin(c.low[2], -1);
    c.high[2] = fmax(c.high[2], 1);
    jd_cube_frame(&c);
    critical(&c, true);
    critical(&c, false);
    for (int i = 0; i < h->n; i++)
        jd_cube_project(&c, (const double[AXES]){value[0][i], value[1][i], value[2][i]}, &x[i],
                        &y[i]);
    jd_panel_series(
        c.panel,
        (jd_series){.label = "motion", .ink = JD_INK_BLUE, .size = 2.4, .n = h->n, .x = x, .y = y});
}
