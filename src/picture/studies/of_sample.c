// of_sample.c -- a sample as a picture: how the measure is spread.
//   Over a swept parameter: bands of quantiles and the mean, and below the shares that are settled
//   and stable. Without one: a histogram, the shares of phase sequences, and the measure over each
//   of the first numbers that are drawn.
#include <math.h>
#include <string.h>

#include "judder/picture.h"
#include "picture/scenes.h"

enum { BINS = 40, SHOWN = 8, SCATTERS = 4 };
static const double left = 92, top = 92, wide = 858, high = 250, gap = 84;

typedef struct chart {
    jd_arena *arena;
    const jd_caption *caption;
    const jd_sweep_view *v;
    jd_scale scale;
    double low, most; // of the measure over settled points
} chart;

static void range_of(chart *c) {
    const jd_sweep_view *v = c->v;
    c->low = HUGE_VAL;
    c->most = -HUGE_VAL;
    for (int i = 0; i < v->n_point; i++) {
        const jd_sweep_point *p = &v->point[i];
        if (!p->done || !p->settled || !isfinite(p->amplitude)) continue;
        c->low = fmin(c->low, p->amplitude);
        c->most = fmax(c->most, p->amplitude);
    }
    if (c->low > c->most) c->low = c->most = 0;
    double size = fmax(fabs(c->low), fabs(c->most));
    c->scale = jd_scale_of(c->arena, c->caption->si, v->measure, jd_measure_unit(v->measure), size);
}

static double *column(const chart *c, int n) { return JD_TAKE(c->arena, double, n); }

static double quantile(const chart *c, int row, int k) {
    return c->scale.factor * c->v->statistics[row].quantile[k];
}

// Between two quantiles, over the swept parameter.
static void band(const chart *c, jd_panel *p, int from, int to, jd_ink ink, const char *label) {
    int n = c->v->n_statistics;
    double *a = column(c, n), *b = column(c, n);
    for (int i = 0; a && b && i < n; i++) {
        a[i] = quantile(c, i, from);
        b[i] = quantile(c, i, to);
    }
    if (a && b)
        jd_panel_series(p, (jd_series){.label = label,
                                       .stroke = JD_STROKE_AREA,
                                       .ink = ink,
                                       .n = n,
                                       .x = c->v->values[1],
                                       .y = b,
                                       .low = a});
}

static void line(const chart *c, jd_panel *p, const double *y, jd_ink ink, jd_stroke stroke,
                 const char *label) {
    if (y)
        jd_panel_series(p, (jd_series){.label = label,
                                       .stroke = stroke,
                                       .ink = ink,
                                       .size = 2,
                                       .n = c->v->n_statistics,
                                       .x = c->v->values[1],
                                       .y = y});
}

static void bands(const chart *c, jd_scene *scene) {
    const jd_sweep_view *v = c->v;
    int n = v->n_statistics;
    const char *label = jd_parameter_label(c->arena, c->caption, v->parameter[1]);
    double *middle = column(c, n), *mean = column(c, n), *settled = column(c, n);
    double *stable = column(c, n);
    if (!middle || !mean || !settled || !stable) return;
    for (int i = 0; i < n; i++) {
        const jd_sweep_statistics *s = &v->statistics[i];
        middle[i] = quantile(c, i, 2);
        mean[i] = c->scale.factor * s->mean;
        settled[i] = s->points ? (double)s->settled / s->points : (double)NAN;
        stable[i] = s->points ? (double)s->stable / s->points : (double)NAN;
    }
    jd_panel *p = jd_scene_add(scene, (jd_panel){.left = left,
                                                 .top = top,
                                                 .width = wide,
                                                 .height = high,
                                                 .x = {.log = v->log[1], .bare = true},
                                                 .y = {.label = c->scale.label}});
    band(c, p, 0, 4, JD_INK_PALE, "5 to 95 %");
    band(c, p, 1, 3, JD_INK_SKY, "25 to 75 %");
    line(c, p, middle, JD_INK_BLUE, JD_STROKE_LINE, "median");
    line(c, p, mean, JD_INK_VERMILLION, JD_STROKE_DASHED, "mean");
    p = jd_scene_add(scene, (jd_panel){.left = left,
                                       .top = top + high + 34,
                                       .width = wide,
                                       .height = 120,
                                       .x = {.label = label, .log = v->log[1]},
                                       .y = {.label = "share", .low = -0.05, .high = 1.05}});
    line(c, p, settled, JD_INK_GREEN, JD_STROKE_LINE, "settled");
    line(c, p, stable, JD_INK_BLACK, JD_STROKE_DASHED, "stable");
    scene->width = left + wide + 30;
    scene->height = top + high + 34 + 120 + 62;
}

// Bars as the outline of an area.
static void histogram(const chart *c, jd_scene *scene, double width) {
    const jd_sweep_view *v = c->v;
    int count[BINS] = {0}, n = 4 * BINS;
    double span = c->most > c->low ? c->most - c->low : fmax(fabs(c->most), 1e-300);
    double *x = column(c, n), *y = column(c, n), *zero = column(c, n);
    if (!x || !y || !zero) return;
    for (int i = 0; i < v->n_point; i++) {
        const jd_sweep_point *q = &v->point[i];
        if (!q->done || !q->settled || !isfinite(q->amplitude)) continue;
        int k = (int)((q->amplitude - c->low) / span * BINS);
        count[k < BINS ? k : BINS - 1]++;
    }
    for (int k = 0; k < n; k++) { // 0, count, count, 0 of each bin
        int bin = k / 4, edge = bin + (k % 4 > 1);
        x[k] = c->scale.factor * (c->low + span * edge / BINS);
        y[k] = k % 4 == 1 || k % 4 == 2 ? count[bin] : 0;
    }
    jd_panel *p = jd_scene_add(scene, (jd_panel){.left = left,
                                                 .top = top,
                                                 .width = width,
                                                 .height = high,
                                                 .x = {.label = c->scale.label},
                                                 .y = {.label = "settled draws"}});
    jd_panel_series(
        p, (jd_series){
               .stroke = JD_STROKE_AREA, .ink = JD_INK_SKY, .n = n, .x = x, .y = y, .low = zero});
}

// Shares of the most frequent phase sequences and of what did not settle.
static void sequences(const chart *c, jd_scene *scene, double from, double width) {
    const jd_sweep_view *v = c->v;
    int n = v->n_sequence < SHOWN ? v->n_sequence : SHOWN, done = v->statistics->points;
    const char **name = JD_TAKE(c->arena, const char *, n + 1);
    double *x = column(c, n + 1), *y = column(c, n + 1);
    if (!name || !x || !y) return;
    for (int i = 0; i < n; i++) {
        const char *phases = v->sequence[n - 1 - i].phases;
        name[i] = strlen(phases) > 12 ? jd_arena_format(c->arena, "%.11s…", phases) : phases;
        x[i] = v->sequence[n - 1 - i].share;
        y[i] = i;
        if (!name[i]) return;
    }
    name[n] = "not settled";
    x[n] = done ? (double)(done - v->statistics->settled) / done : 0;
    y[n] = n;
    jd_panel *p = jd_scene_add(
        scene, (jd_panel){.left = from,
                          .top = top,
                          .width = width,
                          .height = high,
                          .x = {.label = "share of all draws", .low = -0.02, .high = 1.02},
                          .y = {.low = -0.6, .high = n + 0.6, .n_name = n + 1, .name = name}});
    for (int i = 0; i <= n; i++)
        jd_panel_box(p, (jd_box){NULL, 0, x[i], y[i] - 0.3, y[i] + 0.3, JD_INK_PALE, NULL});
    jd_panel_series(
        p,
        (jd_series){
            .stroke = JD_STROKE_DOTS, .ink = JD_INK_BLUE, .size = 7, .n = n + 1, .x = x, .y = y});
}

static void scatter(const chart *c, jd_scene *scene, int k, double from, double width) {
    const jd_sweep_view *v = c->v;
    double *x = column(c, v->n_point), *y = column(c, v->n_point);
    int n = 0;
    for (int i = 0; x && y && i < v->n_point; i++) {
        const jd_sweep_point *q = &v->point[i];
        if (!q->done || !q->settled || !isfinite(q->amplitude)) continue;
        x[n] = v->drawn[((ptrdiff_t)q->value[0] - 1) * v->n_draw + k];
        y[n++] = c->scale.factor * q->amplitude;
    }
    jd_panel *p = jd_scene_add(
        scene, (jd_panel){.left = from,
                          .top = top + high + gap,
                          .width = width,
                          .height = high,
                          .x = {.label = jd_parameter_label(c->arena, c->caption, v->draw[k])},
                          .y = {.label = k ? NULL : c->scale.label}});
    jd_panel_series(
        p, (jd_series){
               .stroke = JD_STROKE_DOTS, .ink = JD_INK_BLUE, .size = 3, .n = n, .x = x, .y = y});
}

static void spread(const chart *c, jd_scene *scene) {
    int n = c->v->n_draw < SCATTERS ? c->v->n_draw : SCATTERS;
    double each = (wide - 70 * (n - 1)) / n, half = (wide - 130) / 2;
    histogram(c, scene, half);
    sequences(c, scene, left + half + 130, half);
    for (int k = 0; k < n; k++) scatter(c, scene, k, left + k * (each + 70), each);
    scene->width = left + wide + 30;
    scene->height = top + high + gap + high + 62;
}

jd_scene *jd_sample_scene(jd_arena *arena, jd_caption caption, const jd_sweep_view *v) {
    chart c = {.arena = arena, .caption = &caption, .v = v};
    int done = 0, settled = 0;
    for (int k = 0; k < v->n_statistics; k++) {
        done += v->statistics[k].points;
        settled += v->statistics[k].settled;
    }
    jd_scene *scene = jd_scene_create(
        arena,
        (jd_scene){.title = caption.title,
                   .subtitle = jd_arena_format(arena, "%d draws: settled motion of %d of %d points",
                                               v->count[0], settled, done)});
    if (!scene || v->n_statistics == 0) return scene;
    range_of(&c);
    if (v->n_parameter > 1)
        bands(&c, scene);
    else
        spread(&c, scene);
    return scene;
}
