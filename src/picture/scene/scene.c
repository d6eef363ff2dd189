// scene.c -- scenes put together piece by piece, and units people like to read.
#include "picture/scene/scene.h"

#include <math.h>

jd_scene *jd_scene_create(jd_arena *arena, jd_scene def) {
    jd_scene *scene = JD_TAKE(arena, jd_scene, 1);
    if (!scene) return NULL;
    *scene = def;
    scene->arena = arena;
    return scene;
}

// Puts a copy of `value` at the end of a list.
#define APPEND(type, arena, first, last, value)                                                    \
    do {                                                                                           \
        type *own = JD_TAKE(arena, type, 1);                                                       \
        if (!own) break;                                                                           \
        *own = (value);                                                                            \
        own->next = NULL;                                                                          \
        if (last) (last)->next = own;                                                              \
        if (!(first)) (first) = own;                                                               \
        (last) = own;                                                                              \
    } while (0)

jd_panel *jd_scene_add(jd_scene *scene, jd_panel def) {
    if (!scene) return NULL;
    jd_panel *before = scene->last_panel;
    def.arena = scene->arena;
    APPEND(jd_panel, scene->arena, scene->panel, scene->last_panel, def);
    return scene->last_panel == before ? NULL : scene->last_panel;
}

void jd_panel_series(jd_panel *panel, jd_series series) {
    if (panel) APPEND(jd_series, panel->arena, panel->series, panel->last_series, series);
}

void jd_panel_box(jd_panel *panel, jd_box box) {
    if (panel) APPEND(jd_box, panel->arena, panel->box, panel->last_box, box);
}

void jd_panel_note(jd_panel *panel, jd_note note) {
    if (panel) APPEND(jd_note, panel->arena, panel->note, panel->last_note, note);
}

void jd_panel_level(jd_panel *panel, double y, jd_ink ink, const char *label) {
    if (!panel) return;
    double *at = JD_TAKE(panel->arena, double, 4);
    if (!at) return;
    at[0] = -HUGE_VAL; // the writer takes infinities as the panel's edges
    at[1] = HUGE_VAL;
    at[2] = at[3] = y;
    jd_panel_series(panel, (jd_series){.label = label,
                                       .stroke = JD_STROKE_DASHED,
                                       .ink = ink,
                                       .size = 1,
                                       .n = 2,
                                       .x = at,
                                       .y = at + 2});
}

jd_scale jd_scale_of(jd_arena *arena, bool si, const char *word, const char *unit, double most) {
    static const struct {
        double least;
        double factor;
        const char *prefix;
    } table[] = {{1e9, 1e-9, "G"}, {1e6, 1e-6, "M"}, {1e3, 1e-3, "k"},  {0.5, 1, ""},
                 {5e-4, 1e3, "m"}, {5e-7, 1e6, "µ"}, {5e-10, 1e9, "n"}, {0, 1, ""}};
    if (!si) return (jd_scale){1, word};
    int i = 0;
    while (most < table[i].least) i++;
    const char *label = jd_arena_format(arena, "%s [%s%s]", word, table[i].prefix, unit);
    return (jd_scale){table[i].factor, label ? label : word};
}

jd_stroke jd_stroke_of(int index) {
    static const jd_stroke cycle[JD_INK_CYCLE] = {JD_STROKE_LINE,      JD_STROKE_DASHED,
                                                  JD_STROKE_DOTTED,    JD_STROKE_DASH_DOT,
                                                  JD_STROKE_LONG_DASH, JD_STROKE_DASH_DOT_DOT};
    return cycle[index % JD_INK_CYCLE];
}

jd_stroke jd_mark_of(int index) {
    static const jd_stroke cycle[] = {JD_STROKE_RINGS, JD_STROKE_SQUARES, JD_STROKE_TRIANGLES,
                                      JD_STROKE_DIAMONDS};
    return cycle[index % 4];
}

bool jd_stroke_is_mark(jd_stroke stroke) {
    return stroke >= JD_STROKE_DOTS && stroke <= JD_STROKE_GEMS;
}
