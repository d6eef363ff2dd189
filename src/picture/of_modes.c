// of_modes.c -- natural modes: frequencies by number, damping ratios over frequency; shapes along
// the structure, each scaled to its largest value.
#include <math.h>

#include "picture/motion/history.h"
#include "picture/scenes.h"

enum { LEFT = 82, TOP = 92, WIDTH = 400, HEIGHT = 330, GAP = 100, SHAPE_WIDTH = 820 };

typedef struct sheet {
    jd_arena *arena;
    const jd_modes_view *v;
    jd_scene *scene;
} sheet;

// Rigid-body modes (omega = 0) have no place on a log axis.
static void dots(const sheet *s, jd_panel *p, int j, bool damping) {
    const jd_mode_list *l = &s->v->list[j];
    double *x = JD_TAKE(s->arena, double, l->n), *y = JD_TAKE(s->arena, double, l->n);
    int n = 0;
    for (int i = 0; x && y && i < l->n; i++) {
        if (!(l->omega[i] > 0) || (damping && !(l->ratio[i] > 0))) continue;
        x[n] = damping ? l->omega[i] : i + 1;
        y[n++] = damping ? l->ratio[i] : l->omega[i];
    }
    if (n == 0) return;
    jd_panel_series(p, (jd_series){.label = damping ? NULL : l->name,
                                   .stroke = j ? JD_STROKE_RINGS : JD_STROKE_DOTS,
                                   .ink = (jd_ink)(j % JD_INK_CYCLE),
                                   .size = l->n > 60 ? 4 : 6.5,
                                   .n = n,
                                   .x = x,
                                   .y = y});
}

static int rigid(const jd_modes_view *v) {
    int n = 0;
    for (int j = 0; j < v->n_list; j++)
        for (int i = 0; i < v->list[j].n; i++) n += !(v->list[j].omega[i] > 0);
    return n;
}

static bool damped(const jd_modes_view *v) {
    for (int j = 0; j < v->n_list; j++)
        if (jd_largest(v->list[j].n, v->list[j].ratio) > 0) return true;
    return false;
}

static jd_panel *panel(const sheet *s, int place, const char *title, jd_axis x, jd_axis y) {
    return jd_scene_add(s->scene, (jd_panel){.left = LEFT + place * (WIDTH + GAP),
                                             .top = TOP,
                                             .width = WIDTH,
                                             .height = HEIGHT,
                                             .title = title,
                                             .x = x,
                                             .y = y});
}

jd_scene *jd_modes_scene(jd_arena *arena, jd_caption caption, const jd_modes_view *v) {
    sheet s = {.arena = arena, .v = v};
    const char *omega = caption.si ? "angular frequency [rad/s]" : "angular frequency";
    int most = 1, still = rigid(v), n = v->n_list < JD_INK_CYCLE ? v->n_list : JD_INK_CYCLE;
    bool both = damped(v);
    for (int j = 0; j < n; j++) most = v->list[j].n > most ? v->list[j].n : most;
    const char *words = jd_arena_format(
        arena, "natural modes%s%s",
        still ? jd_arena_format(arena, ", %d of rigid bodies not shown", still) : "",
        both ? "" : ", without damping");
    s.scene = jd_scene_create(arena, (jd_scene){.title = caption.title,
                                                .subtitle = words,
                                                .width = LEFT + (1 + both) * (WIDTH + GAP) - 70,
                                                .height = TOP + HEIGHT + 62});
    jd_panel *p = panel(&s, 0, NULL, (jd_axis){"number", 0, most + 1, false, false, 0, NULL},
                        (jd_axis){.label = omega, .log = true});
    for (int j = 0; j < n; j++) dots(&s, p, j, false);
    if (!both) return s.scene;
    p = panel(&s, 1, NULL, (jd_axis){.label = omega, .log = true},
              (jd_axis){.label = caption.si ? "damping ratio [–]" : "damping ratio", .log = true});
    for (int j = 0; j < n; j++) dots(&s, p, j, true);
    return s.scene;
}

// One body's shapes, each divided by its largest value.
static void body(const sheet *s, int i, bool si) {
    const jd_shapes_result *b = &s->v->shapes[i];
    bool last = i + 1 == s->v->n_shapes;
    const char *label = b->nodes ? "mass" : si ? "place [m]" : "place";
    jd_panel *p = jd_scene_add(
        s->scene,
        (jd_panel){
            .left = LEFT,
            .top = TOP + i * (HEIGHT + 72),
            .width = SHAPE_WIDTH,
            .height = HEIGHT,
            .title = s->v->n_shapes > 1 ? b->body : NULL,
            .x = {.label = label, .low = b->position[0], .high = b->position[b->n - 1]},
            .y = {.label = last ? "shape / its largest" : "shape", .low = -1.08, .high = 1.08}});
    for (int k = 0; k < b->n_mode && k < JD_INK_CYCLE; k++) {
        const double *value = b->value + (size_t)k * (size_t)b->n;
        double most = jd_largest(b->n, value);
        double *y = jd_scaled(s->arena, b->n, value, most > 0 ? 1 / most : 1);
        if (!y) return;
        jd_series line = {.label = jd_arena_format(s->arena, "mode %d", k + 1),
                          .stroke = jd_stroke_of(k),
                          .ink = (jd_ink)k,
                          .n = b->n,
                          .x = b->position,
                          .y = y};
        jd_panel_series(p, line);
        line.label = NULL;
        line.stroke = JD_STROKE_DOTS;
        if (b->nodes && b->n <= 40) jd_panel_series(p, line);
    }
}

jd_scene *jd_shapes_scene(jd_arena *arena, jd_caption caption, const jd_modes_view *v) {
    sheet s = {.arena = arena, .v = v};
    s.scene = jd_scene_create(arena, (jd_scene){.title = caption.title,
                                                .subtitle = "shapes of the first natural modes",
                                                .width = LEFT + SHAPE_WIDTH + 30,
                                                .height = TOP + v->n_shapes * (HEIGHT + 72) - 10});
    for (int i = 0; s.scene && i < v->n_shapes; i++) body(&s, i, caption.si);
    return s.scene;
}
