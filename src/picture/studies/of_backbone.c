// of_backbone.c -- a backbone: frequency and damping ratio over the amplitude.
#include <math.h>

#include "judder/picture.h"
#include "picture/scenes.h"

static const double width = 640, height = 260, left = 96, top = 92, gap = 44;

static void add_line(jd_panel *panel, int n, const double *x, const double *y) {
    jd_panel_series(
        panel,
        (jd_series){
            .stroke = JD_STROKE_LINE, .ink = JD_INK_BLUE, .size = 2, .n = n, .x = x, .y = y});
    jd_panel_series(
        panel,
        (jd_series){
            .stroke = JD_STROKE_DOTS, .ink = JD_INK_BLUE, .size = 4, .n = n, .x = x, .y = y});
}

jd_scene *jd_backbone_scene(jd_arena *arena, jd_caption caption, const jd_backbone_view *v) {
    int n = v->n_point;
    double *x = JD_TAKE(arena, double, n), *y = JD_TAKE(arena, double, n),
           *d = JD_TAKE(arena, double, n), most = 0;
    if (!x || !y || !d) return NULL;
    const char *word = jd_arena_format(arena, "amplitude at %s", v->at);
    for (int i = 0; i < n; i++) most = fmax(most, v->point[i].amplitude);
    jd_scale unit = jd_scale_of(arena, caption.si, word ? word : "", "m", most);
    for (int i = 0; i < n; i++) {
        x[i] = unit.factor * v->point[i].amplitude;
        y[i] = v->point[i].omega;
        d[i] = 100 * v->point[i].damping;
    }
    jd_scene *scene = jd_scene_create(
        arena, (jd_scene){.title = caption.title,
                          .subtitle = jd_arena_format(arena, "backbone of mode %d, %d motions, %s",
                                                      v->mode, n, jd_backbone_end_text(v->end)),
                          .width = left + width + 30,
                          .height = top + 2 * height + gap + 62});
    bool wide = n > 1 && x[n - 1] > 5 * x[0];
    jd_panel *above = jd_scene_add(
        scene, (jd_panel){.left = left,
                          .top = top,
                          .width = width,
                          .height = height,
                          .x = {.bare = true, .log = wide},
                          .y = {.label = caption.si ? "frequency [rad/s]" : "frequency"}});
    jd_panel *below = jd_scene_add(scene, (jd_panel){.left = left,
                                                     .top = top + height + gap,
                                                     .width = width,
                                                     .height = height,
                                                     .x = {.label = unit.label, .log = wide},
                                                     .y = {.label = "damping ratio [%]"}});
    add_line(above, n, x, y);
    add_line(below, n, x, d);
    return scene;
}
