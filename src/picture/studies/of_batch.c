// of_batch.c -- a batch: extremes of the first contact over the first value changed, or over the
// number of the case where that is no number.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judder/picture.h"
#include "picture/scenes.h"

static const double width = 620, height = 380, left = 92, top = 92;

// The places along the axis: the values where all of them are numbers.
static bool numbers(const jd_batch_column *c, double *x) {
    for (int i = 0; i < c->n; i++) {
        char *end;
        x[i] = strtod(c->value[i], &end);
        if (end == c->value[i] || *end || !isfinite(x[i])) return false;
    }
    return true;
}

static void widen(double value, double *low, double *high) {
    if (!isfinite(value)) return;
    *low = fmin(*low, value);
    *high = fmax(*high, value);
}

static void range_of(int n, const double *a, const double *b, double *low, double *high) {
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (int i = 0; i < n; i++) {
        widen(a[i], low, high);
        widen(b[i], low, high);
    }
    if (*low > *high) *low = *high = 0; // nothing ran
    double margin = *high > *low ? 0.05 * (*high - *low) : fmax(1e-3 * fabs(*low), 1e-300);
    *low -= margin;
    *high += margin;
}

jd_scene *jd_batch_scene(jd_arena *arena, jd_caption caption, const jd_batch_result *b) {
    double *x = JD_TAKE(arena, double, b->n), low[2], high[2];
    if (!x) return NULL;
    const char *label = jd_parameter_label(arena, &caption, b->parameter[0].name);
    if (!numbers(&b->parameter[0], x)) {
        for (int i = 0; i < b->n; i++) x[i] = i + 1;
        label = "case";
    }
    const double *const *y = b->contacts.value;
    const char *name = jd_arena_text(arena, b->contacts.name[0]); // "tip.displacement.min"
    if (!name) return NULL;
    range_of(b->n, x, x, &low[0], &high[0]);
    range_of(b->n, y[0], y[1], &low[1], &high[1]);
    jd_scene *scene = jd_scene_create(
        arena, (jd_scene){.title = caption.title,
                          .subtitle = jd_arena_format(arena, "%d cases, %d of them failed", b->n,
                                                      b->failed),
                          .width = left + width + 30,
                          .height = top + height + 62});
    const char *what = jd_arena_format(arena, "%.*s%s: least and most of the run",
                                       (int)strlen(name) - 4, name, caption.si ? " [m]" : "");
    if (!scene) return NULL;
    jd_panel *panel =
        jd_scene_add(scene, (jd_panel){.left = left,
                                       .top = top,
                                       .width = width,
                                       .height = height,
                                       .title = what,
                                       .x = {.label = label, .low = low[0], .high = high[0]},
                                       .y = {.low = low[1], .high = high[1]}});
    for (int k = 0; panel && k < 2; k++)
        jd_panel_series(panel, (jd_series){.stroke = JD_STROKE_DOTS,
                                           .ink = k ? JD_INK_VERMILLION : JD_INK_BLUE,
                                           .n = b->n,
                                           .x = x,
                                           .y = y[k]});
    return scene;
}
