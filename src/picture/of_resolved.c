// of_resolved.c -- kernels of a contact without its lowest modes: the velocity after a unit step by
// N modes beside all of them, what N modes leave to the memory beside a fading exponential.
#include <math.h>

#include "picture/scenes.h"

enum { BETWEEN = 74, WIDE = 560, NARROW = 250, TALL = 230, LEFT = 82, GAP = 92, TOP = 92 };
static const double near_zero = 0.1; // share of the time that the enlargement shows

typedef struct sheet {
    jd_arena *arena;
    const jd_kernel_view *v;
    jd_scale x, y;
    int n_t; // times shown
    const double *tau;
} sheet;

static void curve(const sheet *s, jd_panel *p, const double *value, jd_series look) {
    double *y = JD_TAKE(s->arena, double, s->n_t);
    if (!y || !s->tau) return;
    for (int t = 0; t < s->n_t; t++) y[t] = s->y.factor * value[t];
    look.n = s->n_t;
    look.x = s->tau;
    look.y = y;
    jd_panel_series(p, look);
}

static const char *name_of(const sheet *s, int modes) {
    return jd_arena_format(s->arena, modes == 1 ? "%d mode" : "%d modes", modes);
}

// The velocity: all modes, and N of them.
static void velocities(const sheet *s, jd_panel *p, bool legend) {
    curve(s, p, s->v->G,
          (jd_series){.label = legend ? "all modes" : NULL, .ink = JD_INK_BLACK, .size = 2.4});
    for (int i = 0; i < s->v->n_resolved; i++)
        curve(s, p, s->v->resolved[i].velocity,
              (jd_series){.label = legend ? name_of(s, s->v->resolved[i].modes) : NULL,
                          .stroke = jd_stroke_of(i + 1),
                          .ink = (jd_ink)(i % JD_INK_CYCLE)});
}

// The memory without N modes, and the exponentials with the same start behind.
static void memories(const sheet *s, jd_panel *p, bool legend) {
    const jd_kernel_view *v = s->v;
    for (int i = 0; i < v->n_resolved && v->jump[0] > 0; i++)
        curve(s, p, v->resolved[i].fading,
              (jd_series){
                  .label = legend && i == 0 ? "γ exp(−στ)" : NULL, .ink = JD_INK_GREY, .size = 1});
    for (int i = 0; i < v->n_resolved; i++)
        curve(s, p, v->resolved[i].memory,
              (jd_series){.label = legend ? name_of(s, v->resolved[i].modes) : NULL,
                          .stroke = jd_stroke_of(i + 1),
                          .ink = (jd_ink)(i % JD_INK_CYCLE)});
}

typedef void content(const sheet *s, jd_panel *p, bool legend);

static void panel(jd_scene *scene, sheet *s, const char *label, double top, bool enlarged,
                  bool last, content *fill) {
    const jd_kernel_view *v = s->v;
    double most = v->tau[v->n_tau - 1], *tau = JD_TAKE(s->arena, double, v->n_tau);
    s->n_t = v->n_tau;
    while (enlarged && s->n_t > 2 && v->tau[s->n_t - 2] >= near_zero * most) s->n_t--;
    for (int t = 0; tau && t < s->n_t; t++) tau[t] = s->x.factor * v->tau[t];
    s->tau = tau;
    jd_panel *p = jd_scene_add(scene, (jd_panel){.left = enlarged ? LEFT + WIDE + GAP : LEFT,
                                                 .top = top,
                                                 .width = enlarged ? NARROW : WIDE,
                                                 .height = TALL,
                                                 .title = enlarged ? "near 0" : NULL,
                                                 .x = {.label = last ? s->x.label : NULL,
                                                       .low = 0,
                                                       .high = tau ? tau[s->n_t - 1] : 1},
                                                 .y = {.label = enlarged ? NULL : label}});
    fill(s, p, !enlarged);
}

jd_scene *jd_resolved_scene(jd_arena *arena, jd_caption caption, const jd_kernel_view *v) {
    double most = 0;
    for (int t = 0; t < v->n_tau; t++) most = fmax(most, fabs(v->G[t]));
    sheet s = {.arena = arena,
               .v = v,
               .x = jd_scale_of(arena, caption.si, "time τ", "s", v->tau[v->n_tau - 1])};
    jd_scene *scene = jd_scene_create(
        arena,
        (jd_scene){.title = caption.title,
                   .subtitle = jd_arena_format(
                       arena, "%s; G jumps by γ = %.6g",
                       v->infinite ? "infinitely many modes" : "finitely many modes", v->jump[0]),
                   .width = LEFT + WIDE + GAP + NARROW + 30,
                   .height = TOP + 2 * TALL + BETWEEN + 62});
    for (int e = 0; e < 2; e++) {
        s.y = jd_scale_of(arena, caption.si, "velocity after a unit step G", "m/(s N)", most);
        panel(scene, &s, s.y.label, TOP, e, false, velocities);
        s.y = jd_scale_of(arena, caption.si, "memory of the modes left out L1", "m/(s N)", most);
        panel(scene, &s, s.y.label, TOP + TALL + BETWEEN, e, true, memories);
    }
    return scene;
}
