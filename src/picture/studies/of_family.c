// of_family.c -- branches of a family as a picture: the measure over the parameter for each value,
// the curve through the peaks; below, the peaks over the value, and the least of them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "picture/scenes.h"

enum { LEFT = 82, TOP = 92, WIDTH = 858, HEIGHT = 330, LOW = 190, GAP = 74, NAMED = 8 };

typedef struct chart {
    jd_arena *arena;
    const jd_follow_view *v;
    double factor; // of the measure, to its unit
    const char *unit;
} chart;

// The branch of member k: the view itself, then those beside it.
static const jd_follow_view *branch(const chart *c, int k) {
    return k == 0 ? c->v : c->v->beside[k - 1].view;
}

// Dashes tell the members apart; unstable parts are thin.
static void response(const chart *c, jd_panel *p, int k) {
    const jd_follow_view *b = branch(c, k);
    const jd_family *f = c->v->family;
    for (int stable = 1; stable >= 0; stable--) {
        double *x = JD_TAKE(c->arena, double, b->n_point),
               *y = JD_TAKE(c->arena, double, b->n_point);
        bool any = false;
        if (!x || !y) return;
        for (int i = 0; i < b->n_point; i++) { // the pen stays down up to the next point
            bool own = b->point[i].stable == stable,
                 here = own || (i && b->point[i - 1].stable == stable);
            any |= own;
            x[i] = here ? b->point[i].parameter : (double)NAN;
            y[i] = here ? c->factor * b->point[i].amplitude : (double)NAN;
        }
        bool named = f->n <= NAMED && stable;
        if (any)
            jd_panel_series(p,
                            (jd_series){.label = named ? jd_arena_format(c->arena, "%.4g%s",
                                                                         f->peak[k].value, c->unit)
                                                       : NULL,
                                        .stroke = jd_stroke_of(k),
                                        .ink = (jd_ink)(k % JD_INK_CYCLE),
                                        .size = stable ? 1.8 : 0.7,
                                        .n = b->n_point,
                                        .x = x,
                                        .y = y});
    }
}

static int by_value(const void *a, const void *b) {
    double x = ((const jd_peak *)a)->value, y = ((const jd_peak *)b)->value;
    return (x > y) - (x < y);
}

// The peaks by growing value, the optimum among them: over the parameter, or over the value.
static void peaks(const chart *c, jd_panel *p, bool over_value) {
    const jd_family *f = c->v->family;
    int n = 0;
    jd_peak *all = JD_TAKE(c->arena, jd_peak, f->n + 1);
    double *x = JD_TAKE(c->arena, double, f->n + 1), *y = JD_TAKE(c->arena, double, f->n + 1);
    if (!all || !x || !y) return;
    for (int i = 0; i < f->n; i++)
        if (isfinite(f->peak[i].amplitude)) all[n++] = f->peak[i];
    if (f->optimal) all[n++] = f->optimum;
    qsort(all, (size_t)n, sizeof *all, by_value);
    for (int i = 0; i < n; i++) {
        x[i] = over_value ? all[i].value : all[i].parameter;
        y[i] = c->factor * all[i].amplitude;
    }
    jd_series s = {.label = over_value ? NULL : "peaks",
                   .stroke = JD_STROKE_DASHED,
                   .ink = JD_INK_BLACK,
                   .size = 1.4,
                   .n = n,
                   .x = x,
                   .y = y};
    jd_panel_series(p, s);
    s.stroke = JD_STROKE_DOTS;
    s.size = 4;
    s.label = NULL;
    jd_panel_series(p, s);
    double *at = JD_TAKE(c->arena, double, 2);
    if (!f->optimal || !at) return;
    at[0] = over_value ? f->optimum.value : f->optimum.parameter;
    at[1] = c->factor * f->optimum.amplitude;
    jd_panel_series(p, (jd_series){.label = over_value ? NULL : "least peak",
                                   .stroke = JD_STROKE_RINGS,
                                   .ink = JD_INK_VERMILLION,
                                   .size = 9,
                                   .n = 1,
                                   .x = at,
                                   .y = at + 1});
}

static const char *subtitle(const chart *c) {
    const jd_family *f = c->v->family;
    return f->optimal
               ? jd_arena_format(c->arena, "%d responses; least peak at %s = %.6g%s", f->n,
                                 jd_parameter_words(c->arena, f->path), f->optimum.value, c->unit)
               : jd_arena_format(c->arena, "%d responses; %s", f->n, f->why);
}

// Unit of the number that makes the family, with a blank before it.
static const char *unit_of(jd_arena *arena, const jd_caption *caption, const char *path) {
    for (int i = 0; caption->si && i < caption->n_unit; i++)
        if (strcmp(caption->unit[i].name, path) == 0 && caption->unit[i].text[0])
            return jd_arena_format(arena, " %s", caption->unit[i].text);
    return "";
}

jd_scene *jd_family_scene(jd_arena *arena, jd_caption caption, const jd_follow_view *v) {
    chart c = {.arena = arena, .v = v, .unit = unit_of(arena, &caption, v->family->path)};
    double most = 0, low = HUGE_VAL, high = -HUGE_VAL;
    for (int k = 0; k < v->family->n; k++)
        for (int i = 0; i < branch(&c, k)->n_point; i++) {
            const jd_branch_point *p = &branch(&c, k)->point[i];
            most = fmax(most, fabs(p->amplitude));
            low = fmin(low, p->parameter);
            high = fmax(high, p->parameter);
        }
    jd_scale k = jd_scale_of(arena, caption.si, jd_measure_label(arena, v->measure),
                             jd_measure_unit(v->measure), most);
    c.factor = k.factor;
    jd_scene *scene = jd_scene_create(arena, (jd_scene){.title = caption.title,
                                                        .subtitle = subtitle(&c),
                                                        .width = LEFT + WIDTH + 20,
                                                        .height = TOP + HEIGHT + GAP + LOW + 62});
    jd_panel *p = jd_scene_add(
        scene, (jd_panel){.left = LEFT,
                          .top = TOP,
                          .width = WIDTH,
                          .height = HEIGHT,
                          .x = {.label = jd_parameter_label(arena, &caption, v->parameter),
                                .low = low,
                                .high = high},
                          .y = {.label = k.label}});
    for (int i = 0; i < v->family->n; i++) response(&c, p, i);
    peaks(&c, p, false);
    p = jd_scene_add(
        scene, (jd_panel){.left = LEFT,
                          .top = TOP + HEIGHT + GAP,
                          .width = WIDTH,
                          .height = LOW,
                          .x = {.label = jd_parameter_label(arena, &caption, v->family->path)},
                          .y = {.label = jd_arena_format(arena, "peak of %s", k.label)}});
    peaks(&c, p, true);
    return scene;
}
