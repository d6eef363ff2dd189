// of_converge.c -- convergence studies: ratio to the finest run against each number varied.
#include <math.h>

#include "judder/picture.h"
#include "picture/scenes.h"

static const double width = 420, height = 300, left = 82, top = 92, gap = 92;

static void add_study(jd_scene *scene, const char *label, int place, const jd_study_result *d) {
    const jd_converge_point *p = d->point;
    jd_arena *arena = scene->arena;
    double *x = JD_TAKE(arena, double, d->n), *y = JD_TAKE(arena, double, d->n), far = 0.015;
    if (!x || !y) return;
    for (int i = 0; i < d->n; i++) {
        x[i] = p[i].value;
        y[i] = p[i].ratio;
        if (isfinite(y[i])) far = fmax(far, 1.1 * fabs(y[i] - 1));
    }
    jd_panel *panel = jd_scene_add(
        scene,
        (jd_panel){.left = left + place * (width + gap),
                   .top = top,
                   .width = width,
                   .height = height,
                   .title = place ? NULL : "to the finest run",
                   .x = {.label = label, .low = x[0] * 0.9, .high = x[d->n - 1] * 1.1, .log = true},
                   .y = {.label = place ? NULL : "ratio", .low = 1 - far, .high = 1 + far}});
    jd_panel_level(panel, 1.01, JD_INK_GREY, "1 %");
    jd_panel_level(panel, 0.99, JD_INK_GREY, NULL);
    jd_panel_series(
        panel,
        (jd_series){.stroke = JD_STROKE_LINE, .ink = JD_INK_BLUE, .n = d->n, .x = x, .y = y});
    jd_panel_series(
        panel,
        (jd_series){.stroke = JD_STROKE_DOTS, .ink = JD_INK_BLUE, .n = d->n, .x = x, .y = y});
}

jd_scene *jd_converge_scene(jd_arena *arena, jd_caption caption, const jd_convergence_result *c) {
    jd_scene *scene = jd_scene_create(
        arena, (jd_scene){.title = caption.title,
                          .subtitle = jd_arena_format(arena, "convergence of %s", c->measure),
                          .width = left + c->n * (width + gap) - gap + 30,
                          .height = top + height + 62});
    for (int i = 0; scene && i < c->n; i++)
        add_study(scene, jd_parameter_label(arena, &caption, c->study[i].parameter), i,
                  &c->study[i]);
    return scene;
}
