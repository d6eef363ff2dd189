// of_attractors.c -- the orbits that random starts lead to: their shares, the largest multiplier of
// each, and how far each contact moves.
#include <math.h>

#include "picture/motion/history.h"
#include "picture/scenes.h"

enum { LEFT = 82, TOP = 92, WIDTH = 820, HEIGHT = 150, GAP = 34 };

typedef struct sheet {
    jd_arena *arena;
    jd_scene *scene;
    const jd_attractor_list *list;
    double *place; // 0 .. n - 1
    const char **name;
} sheet;

static jd_panel *row(const sheet *s, int i, int n, const char *label, jd_axis y) {
    y.label = label;
    jd_axis x = {.label = "orbit by its share",
                 .low = -0.5,
                 .high = s->list->n - 0.5,
                 .bare = i + 1 < n,
                 .n_name = s->list->n,
                 .name = s->name};
    return jd_scene_add(s->scene, (jd_panel){.left = LEFT,
                                             .top = TOP + i * (HEIGHT + GAP),
                                             .width = WIDTH,
                                             .height = HEIGHT,
                                             .x = x,
                                             .y = y});
}

// From the least to the greatest displacement, one upright line per orbit.
static void range(const sheet *s, jd_panel *p, int j, double factor) {
    const jd_attractor_list *l = s->list;
    double *x = JD_TAKE(s->arena, double, 3 * l->n), *y = JD_TAKE(s->arena, double, 3 * l->n);
    if (!x || !y) return;
    for (int i = 0; i < l->n; i++) {
        double beside = l->n_contact > 1 ? 0.3 * (j / (l->n_contact - 1.0) - 0.5) : 0;
        x[3 * i] = x[3 * i + 1] = s->place[i] + beside;
        y[3 * i] = factor * l->low[j][i];
        y[3 * i + 1] = factor * l->high[j][i];
        x[3 * i + 2] = y[3 * i + 2] = (double)NAN;
    }
    jd_series line = {.label = l->contact[j],
                      .ink = (jd_ink)(j % JD_INK_CYCLE),
                      .size = 3,
                      .n = 3 * l->n,
                      .x = x,
                      .y = y};
    jd_panel_series(p, line);
    line.label = NULL;
    line.stroke = JD_STROKE_DOTS;
    line.size = 5;
    jd_panel_series(p, line);
}

static void ranges(const sheet *s, int row_number, int rows, bool si) {
    const jd_attractor_list *l = s->list;
    double most = 0;
    for (int j = 0; j < l->n_contact; j++)
        most = fmax(most, fmax(jd_largest(l->n, l->low[j]), jd_largest(l->n, l->high[j])));
    jd_scale k = jd_scale_of(s->arena, si, "displacement", "m", most);
    jd_panel *p = row(s, row_number, rows, k.label, (jd_axis){0});
    for (int j = 0; j < l->n_contact && j < JD_INK_CYCLE; j++) range(s, p, j, k.factor);
}

static void dots(jd_panel *p, const sheet *s, const double *y, jd_stroke stroke) {
    jd_panel_series(p, (jd_series){.stroke = stroke,
                                   .ink = JD_INK_BLUE,
                                   .size = stroke == JD_STROKE_STEMS ? 2 : 6,
                                   .n = s->list->n,
                                   .x = s->place,
                                   .y = y});
}

jd_scene *jd_attractors_scene(jd_arena *arena, jd_caption caption, const jd_attractor_list *l) {
    sheet s = {.arena = arena, .list = l, .name = JD_TAKE(arena, const char *, l->n)};
    s.place = JD_TAKE(arena, double, l->n);
    int rows = l->n_contact > 0 ? 3 : 2;
    s.scene = jd_scene_create(
        arena, (jd_scene){.title = caption.title,
                          .subtitle = jd_arena_format(
                              arena, "%d orbit%s of %d random starts; %d led to none", l->n,
                              l->n == 1 ? "" : "s", l->starts, l->lost),
                          .width = LEFT + WIDTH + 30,
                          .height = TOP + rows * (HEIGHT + GAP) - GAP + 62});
    if (!s.name || !s.place || !s.scene) return s.scene;
    for (int i = 0; i < l->n; i++) {
        s.place[i] = i;
        s.name[i] = jd_arena_format(arena, "%d", i + 1);
        if (!s.name[i]) s.name[i] = "";
    }
    double *percent = jd_scaled(arena, l->n, l->share, 100);
    jd_panel *p = row(&s, 0, rows, "share of the starts [%]", (jd_axis){0});
    if (percent) {
        dots(p, &s, percent, JD_STROKE_STEMS);
        dots(p, &s, percent, JD_STROKE_DOTS);
    }
    p = row(&s, 1, rows, "largest |μ|", (jd_axis){.low = 0, .high = 1.1});
    jd_panel_level(p, 1, JD_INK_GREY, NULL);
    dots(p, &s, l->multiplier, JD_STROKE_DOTS);
    if (rows == 3) ranges(&s, 2, rows, caption.si);
    return s.scene;
}
