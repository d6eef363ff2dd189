// of_multipliers.c -- Floquet multipliers of an orbit: in the complex plane with the unit circle,
// and by size. A small change c of the orbit is mu c after one period.
#include <math.h>

#include "picture/scenes.h"

enum { CIRCLE = 180, SIDE = 420, LEFT = 82, TOP = 92, GAP = 100, NARROW = 320, FEW = 24 };

typedef struct sheet {
    jd_arena *arena;
    const jd_multipliers *m;
    jd_scene *scene;
} sheet;

static bool is_zero(const jd_multipliers *m, int i) { return !isfinite(m->magnitude[i]); }

static void circle(const sheet *s, jd_panel *p) {
    double *x = JD_TAKE(s->arena, double, CIRCLE + 1), *y = JD_TAKE(s->arena, double, CIRCLE + 1);
    for (int i = 0; x && y && i <= CIRCLE; i++) {
        x[i] = cos(2 * acos(-1.0) * i / CIRCLE);
        y[i] = sin(2 * acos(-1.0) * i / CIRCLE);
    }
    if (x && y)
        jd_panel_series(
            p, (jd_series){.ink = JD_INK_GREY, .size = 1.2, .n = CIRCLE + 1, .x = x, .y = y});
}

// Those that grow, or those that do not; in the plane, or by number and size.
static void dots(const sheet *s, jd_panel *p, bool grow, bool plane) {
    const jd_multipliers *m = s->m;
    double *x = JD_TAKE(s->arena, double, m->n), *y = JD_TAKE(s->arena, double, m->n);
    int n = 0;
    for (int i = 0; x && y && i < m->n; i++) {
        double size = is_zero(m, i) ? 0 : exp(m->magnitude[i]);
        if ((size > 1) != grow || (!plane && is_zero(m, i))) continue;
        x[n] = plane ? m->value[2 * i] : m->n <= FEW ? i : i + 1;
        y[n++] = plane ? m->value[2 * i + 1] : size;
    }
    if (n > 0)
        jd_panel_series(p, (jd_series){.label = !plane ? NULL
                                                : grow ? "grows"
                                                       : "dies out",
                                       .stroke = JD_STROKE_DOTS,
                                       .ink = grow ? JD_INK_VERMILLION : JD_INK_BLUE,
                                       .size = 7,
                                       .n = n,
                                       .x = x,
                                       .y = y});
}

static void plane(const sheet *s) {
    double most = 1;
    for (int i = 0; i < 2 * s->m->n; i++) most = fmax(most, fabs(s->m->value[i]));
    double edge = 1.15 * most;
    jd_panel *p =
        jd_scene_add(s->scene, (jd_panel){.left = LEFT,
                                          .top = TOP,
                                          .width = SIDE,
                                          .height = SIDE,
                                          .title = "unit circle",
                                          .x = {.label = "Re μ", .low = -edge, .high = edge},
                                          .y = {.label = "Im μ", .low = -edge, .high = edge}});
    circle(s, p);
    dots(s, p, false, true);
    dots(s, p, true, true);
}

// Few have a number each below the axis.
static jd_axis numbers(const sheet *s) {
    int n = s->m->n;
    const char **name = JD_TAKE(s->arena, const char *, n);
    for (int i = 0; name && i < n; i++) {
        name[i] = jd_arena_format(s->arena, "%d", i + 1);
        if (!name[i]) name[i] = "";
    }
    return (jd_axis){.label = "number, by size",
                     .low = n <= FEW ? -1 : 0,
                     .high = n <= FEW ? n : n + 1,
                     .n_name = name && n <= FEW ? n : 0,
                     .name = name};
}

static void sizes(const sheet *s) {
    const jd_multipliers *m = s->m;
    double low = 0.5, high = 1;
    int zero = 0;
    for (int i = 0; i < m->n; i++) {
        zero += is_zero(m, i);
        if (is_zero(m, i)) continue;
        low = fmin(low, exp(m->magnitude[i]));
        high = fmax(high, exp(m->magnitude[i]));
    }
    jd_panel *p = jd_scene_add(
        s->scene,
        (jd_panel){.left = LEFT + SIDE + GAP,
                   .top = TOP,
                   .width = NARROW,
                   .height = SIDE,
                   .title = zero ? jd_arena_format(s->arena, "%d of %d are 0", zero, m->n) : NULL,
                   .x = numbers(s),
                   .y = {.label = "|μ|", .low = low / 2, .high = 2 * high, .log = true}});
    jd_panel_level(p, 1, JD_INK_GREY, NULL);
    dots(s, p, false, false);
    dots(s, p, true, false);
}

jd_scene *jd_multipliers_scene(jd_arena *arena, jd_caption caption, const jd_multipliers *m) {
    sheet s = {.arena = arena, .m = m};
    const char *words = m->marginal ? "not decided" : m->stable ? "stable" : "unstable";
    s.scene = jd_scene_create(
        arena, (jd_scene){.title = caption.title,
                          .subtitle = jd_arena_format(arena,
                                                      "Floquet multipliers of an orbit of period "
                                                      "%.6g%s: %s",
                                                      m->period, caption.si ? " s" : "", words),
                          .width = LEFT + SIDE + GAP + NARROW + 30,
                          .height = TOP + SIDE + 62});
    plane(&s);
    sizes(&s);
    return s.scene;
}
