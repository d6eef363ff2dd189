// of_fit.c -- data and fitted model: rings and lines, over time or a number of the model.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judder/picture.h"
#include "picture/scenes.h"

static const double width = 640, height = 380, left = 92, top = 92, low = 120, gap = 40;

typedef struct pair {
    double x, measured, model;
} pair;

static int by_x(const void *a, const void *b) {
    double x = ((const pair *)a)->x, y = ((const pair *)b)->x;
    return (x > y) - (x < y);
}

// The data of one place in order of x; how many.
static int pairs_of(const jd_fit_view *v, const char *place, pair *out) {
    int n = 0;
    for (int i = 0; i < v->n_datum; i++)
        if (!strcmp(v->datum[i].place, place))
            out[n++] = (pair){v->datum[i].x, v->datum[i].measured, v->datum[i].model};
    qsort(out, (size_t)n, sizeof *out, by_x);
    return n;
}

static void add_place(jd_arena *arena, const jd_fit_view *v, const char *place, int number,
                      double factor, jd_panel *above, jd_panel *below) {
    pair *p = JD_TAKE(arena, pair, v->n_datum);
    double *x = JD_TAKE(arena, double, v->n_datum), *y = JD_TAKE(arena, double, v->n_datum),
           *u = JD_TAKE(arena, double, v->n_datum), *r = JD_TAKE(arena, double, v->n_datum);
    if (!p || !x || !y || !u || !r) return;
    int n = pairs_of(v, place, p);
    for (int i = 0; i < n; i++) {
        x[i] = p[i].x;
        y[i] = factor * p[i].measured;
        u[i] = factor * p[i].model;
        r[i] = factor * (p[i].measured - p[i].model);
    }
    jd_ink ink = (jd_ink)(number % JD_INK_CYCLE);
    jd_panel_series(above, (jd_series){.label = jd_arena_format(arena, "%s, measured", place),
                                       .stroke = JD_STROKE_RINGS,
                                       .ink = ink,
                                       .size = 5,
                                       .n = n,
                                       .x = x,
                                       .y = y});
    jd_panel_series(above, (jd_series){.label = jd_arena_format(arena, "%s, model", place),
                                       .stroke = JD_STROKE_LINE,
                                       .ink = ink,
                                       .size = 2,
                                       .n = n,
                                       .x = x,
                                       .y = u});
    jd_panel_series(
        below,
        (jd_series){.stroke = JD_STROKE_DOTS, .ink = ink, .size = 4, .n = n, .x = x, .y = r});
}

// The last two words of a path.
static const char *short_name(const char *key) {
    const char *at = key + strlen(key);
    for (int dots = 0; at > key; at--)
        if (at[-1] == '.' && ++dots == 2) break;
    return at;
}

// "law.limit 12.03 ± 0.05, ..."
static const char *words(jd_arena *arena, const jd_fit_view *v) {
    const char *text = "";
    for (int i = 0; text && i < v->n_parameter; i++)
        text = jd_arena_format(arena, "%s%s%s %.6g ± %.2g", text, i ? ", " : "",
                               short_name(v->parameter[i].key), v->parameter[i].value,
                               v->parameter[i].deviation);
    return text;
}

jd_scene *jd_fit_scene(jd_arena *arena, jd_caption caption, const jd_fit_view *v) {
    double most = 0;
    for (int i = 0; i < v->n_datum; i++) most = fmax(most, fabs(v->datum[i].measured));
    jd_scale unit = jd_scale_of(
        arena, caption.si, v->samples ? "displacement" : "amplitude of displacement", "m", most);
    const char *label = v->samples ? caption.si ? "time [s]" : "time"
                                   : jd_parameter_label(arena, &caption, v->over);
    jd_scene *scene = jd_scene_create(arena, (jd_scene){.title = caption.title,
                                                        .subtitle = words(arena, v),
                                                        .width = left + width + 30,
                                                        .height = top + height + gap + low + 62});
    jd_panel *above = jd_scene_add(scene, (jd_panel){.left = left,
                                                     .top = top,
                                                     .width = width,
                                                     .height = height,
                                                     .x = {.bare = true},
                                                     .y = {.label = unit.label}});
    jd_panel *below = jd_scene_add(scene, (jd_panel){.left = left,
                                                     .top = top + height + gap,
                                                     .width = width,
                                                     .height = low,
                                                     .title = "measured less model",
                                                     .x = {.label = label},
                                                     .y = {.label = NULL}});
    int number = 0;
    for (int i = 0; scene && i < v->n_datum; i++) {
        bool first = true;
        for (int j = 0; j < i; j++) first &= strcmp(v->datum[i].place, v->datum[j].place) != 0;
        if (first) add_place(arena, v, v->datum[i].place, number++, unit.factor, above, below);
        if (v->datum[i].x != v->datum[0].x) break; // all places stand beside the first
    }
    return scene;
}
