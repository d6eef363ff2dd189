// of_blows.c -- a pile under a series of blows: blow count and resistance over depth, driving
// forces along the pile, force and impedance times velocity at its head during the first blow.
#include <math.h>
#include <string.h>

#include "picture/motion/history.h"
#include "picture/scenes.h"

enum { LEFT = 82, TOP = 92, WIDE = 230, GAP = 92, TALL = 420, BELOW = 92, LOW = 210 };

typedef struct sheet {
    jd_arena *arena;
    const jd_run_result *r;
    const jd_columns *blow;
    jd_scene *scene;
    double unit; // of forces on the axes
    const char *force, *depth, *time;
} sheet;

static const double *column(const jd_columns *c, const char *name) {
    for (int k = 0; k < c->n_column; k++)
        if (strcmp(c->name[k], name) == 0) return c->value[k];
    return NULL;
}

bool jd_result_has_blows(const jd_result *result) {
    const jd_run_result *r = jd_result_run(result);
    return r && r->blows && r->blows->table.n_row > 1 && column(&r->blows->table, "embedded");
}

static jd_axis downwards(const char *label, double deepest) {
    return (jd_axis){.label = label, .low = 1.04 * deepest, .high = 0};
}

static jd_panel *stand(const sheet *s, int place, const char *title, jd_axis x, jd_axis y) {
    return jd_scene_add(s->scene, (jd_panel){.left = LEFT + place * (WIDE + GAP),
                                             .top = TOP,
                                             .width = WIDE,
                                             .height = TALL,
                                             .title = title,
                                             .x = x,
                                             .y = y});
}

// The second of two curves, in vermillion, is dashed.
static void line(jd_panel *p, const char *label, jd_ink ink, int n, const double *x,
                 const double *y) {
    jd_stroke stroke = ink == JD_INK_VERMILLION ? JD_STROKE_DASHED : JD_STROKE_LINE;
    jd_series s = {.label = label, .stroke = stroke, .ink = ink, .n = n, .x = x, .y = y};
    if (x && y) jd_panel_series(p, s);
}

static double most_of(int n, const double *x) {
    double most = 0;
    for (int i = 0; x && i < n; i++) most = isfinite(x[i]) ? fmax(most, x[i]) : most;
    return most;
}

static void over_depth(const sheet *s) {
    int n = s->blow->n_row;
    const double *depth = column(s->blow, "embedded"), *count = column(s->blow, "per_quarter");
    const double *hold = column(s->blow, "resistance"), *felt = column(s->blow, "mobilised");
    double deepest = most_of(n, depth), most = fmax(most_of(n, hold), most_of(n, felt));
    jd_axis blows = {.label = "blows per 0.25 m", .high = 1.1 * fmax(most_of(n, count), 1e-300)};
    jd_axis force = {.label = s->force, .high = 1.1 * fmax(most * s->unit, 1e-300)};
    line(stand(s, 0, "blow count", blows, downwards(s->depth, deepest)), NULL, JD_INK_BLUE, n,
         count, depth);
    jd_panel *p = stand(s, 1, "contacts", force, downwards(NULL, deepest));
    line(p, "can hold", JD_INK_BLACK, n, jd_scaled(s->arena, n, hold, s->unit), depth);
    line(p, "largest", JD_INK_VERMILLION, n, jd_scaled(s->arena, n, felt, s->unit), depth);
}

static const jd_named_reals *named(const jd_run_result *r, const char *name, const char *what) {
    size_t n = strlen(name);
    for (int i = 0; i < r->n_grid; i++) {
        const char *key = r->positions[i].name;
        if (strncmp(key, name, n) == 0 && strcmp(key + n, what) == 0) return &r->positions[i];
    }
    return NULL;
}

// Of the first body: the pile.
static void along_pile(const sheet *s) {
    if (s->r->n_grid == 0) return;
    const char *name = s->r->positions[0].name;
    const jd_named_reals *at = named(s->r, name, ""), *pull = named(s->r, name, ".tension");
    const jd_named_reals *push = named(s->r, name, ".compression");
    if (!at || !pull || !push || pull->n != at->n || push->n != at->n) return;
    double most = fmax(most_of(at->n, pull->value), most_of(at->n, push->value)) * s->unit;
    jd_axis force = {.label = s->force, .high = 1.1 * fmax(most, 1e-300)};
    jd_axis down = {.label = s->unit < 1 ? "along the pile, from its head [m]" : "along the pile",
                    .low = at->value[at->n - 1],
                    .high = 0};
    jd_panel *p = stand(s, 2, NULL, force, down);
    line(p, "compression", JD_INK_BLUE, at->n, jd_scaled(s->arena, at->n, push->value, s->unit),
         at->value);
    line(p, "tension", JD_INK_VERMILLION, at->n, jd_scaled(s->arena, at->n, pull->value, s->unit),
         at->value);
}

// The first point that has an axial force: its column; -1: none.
static int head_column(const jd_columns *c) {
    for (int k = 0; k + 1 < c->n_column; k++) {
        size_t n = strlen(c->name[k]);
        if (n > 6 && strcmp(c->name[k] + n - 6, ".axial") == 0) return k;
    }
    return -1;
}

// From just before the first blow to four times its length.
static void at_head(const sheet *s) {
    const jd_columns *c = &s->r->lists.samples;
    const double *t = column(c, "t"), *blow = column(s->blow, "t");
    int head = c->n_row > 0 ? head_column(c) : -1, first = 0, last;
    if (head < 0 || !t || !blow) return;
    const double *axial = c->value[head], *zv = c->value[head + 1];
    double most = 0, end = blow[0];
    while (first + 1 < c->n_row && t[first + 1] < blow[0]) first++;
    for (int i = first; i < c->n_row && t[i] < blow[1]; i++) most = fmax(most, fabs(axial[i]));
    for (int i = first; i < c->n_row && t[i] < blow[1]; i++)
        if (fabs(axial[i]) > 0.02 * most) end = t[i];
    double until = fmin(blow[1], blow[0] + 4 * (end - blow[0]));
    for (last = first; last < c->n_row && t[last] <= until; last++) {
    }
    int n = last - first;
    double *ms = JD_TAKE(s->arena, double, n);
    if (n < 5 || !ms) return; // samples too far apart to draw a blow
    bool si = s->unit < 1;
    for (int i = 0; i < n; i++) ms[i] = (t[first + i] - blow[0]) * (si ? 1e3 : 1);
    jd_panel *p =
        jd_scene_add(s->scene, (jd_panel){.left = LEFT,
                                          .top = TOP + TALL + BELOW,
                                          .width = 3 * WIDE + 2 * GAP,
                                          .height = LOW,
                                          .title = jd_arena_format(s->arena, "%.*s, first blow",
                                                                   (int)strlen(c->name[head]) - 6,
                                                                   c->name[head]),
                                          .x = {.label = s->time},
                                          .y = {.label = s->force}});
    line(p, "F", JD_INK_BLACK, n, ms, jd_scaled(s->arena, n, axial + first, -s->unit));
    line(p, "Z v", JD_INK_VERMILLION, n, ms, jd_scaled(s->arena, n, zv + first, s->unit));
}

jd_scene *jd_blows_scene(jd_arena *arena, jd_caption caption, const jd_run_result *r) {
    const jd_columns *c = &r->blows->table;
    bool si = caption.si;
    sheet s = {.arena = arena,
               .r = r,
               .blow = c,
               .unit = si ? 1e-3 : 1,
               .force = si ? "force [kN]" : "force",
               .depth = si ? "depth below ground [m]" : "depth below ground",
               .time = si ? "time [ms]" : "time"};
    const double *energy = column(c, "delivered");
    s.scene = jd_scene_create(
        arena, (jd_scene){.title = caption.title,
                          .subtitle = jd_arena_format(
                              arena, "%d blows, %.4g%s delivered by the first", c->n_row,
                              energy ? energy[0] * s.unit : 0, si ? " kJ" : ""),
                          .width = LEFT + 3 * WIDE + 2 * GAP + 40,
                          .height = TOP + TALL + BELOW + LOW + 70});
    over_depth(&s);
    along_pile(&s);
    at_head(&s);
    return s.scene;
}
