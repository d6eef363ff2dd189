// of_kernel.c -- memory kernels as a picture: G and L1 over tau, the start enlarged beside each.
#include <math.h>
#include <string.h>

#include "judder/picture.h"
#include "picture/scenes.h"

enum { WIDE = 560, NARROW = 250, TALL = 230, LEFT = 82, GAP = 92, TOP = 92 };
static const double near_zero = 1.0 / 40; // share of the time that the enlargement shows

typedef struct sheet {
    jd_arena *arena;
    const jd_kernel_view *v;
    bool si;
    jd_scene *scene;
} sheet;

static double *column(const sheet *s, const double *value, int pair, int n_t, double factor) {
    size_t n2 = (size_t)s->v->n * (size_t)s->v->n;
    double *y = JD_TAKE(s->arena, double, n_t);
    for (int t = 0; y && t < n_t; t++) y[t] = factor * value[(size_t)t * n2 + (size_t)pair];
    return y;
}

static const char *name_of(const sheet *s, int i, int j) {
    const jd_kernel_view *v = s->v;
    if (v->n == 1) return NULL;
    return jd_arena_format(s->arena, i == j ? "%s" : "%s from %s", v->contact[i], v->contact[j]);
}

static double largest(const sheet *s, const double *value) {
    double most = 0;
    size_t all = (size_t)s->v->n * (size_t)s->v->n * (size_t)s->v->n_tau;
    for (size_t k = 0; k < all; k++)
        if (isfinite(value[k])) most = fmax(most, fabs(value[k]));
    return most;
}

// From 0 to gamma at once.
static void jump(const sheet *s, jd_panel *p, int pair, double factor, jd_ink ink) {
    double *x = JD_TAKE(s->arena, double, 2), *y = JD_TAKE(s->arena, double, 2);
    if (!x || !y || s->v->jump[pair] == 0) return;
    y[1] = factor * s->v->jump[pair];
    jd_panel_series(
        p, (jd_series){.stroke = JD_STROKE_DOTTED, .ink = ink, .size = 2, .n = 2, .x = x, .y = y});
}

// One kernel up to time number n_t; pairs (i, j) with j >= i, for kernels of G are symmetric.
static void panel(const sheet *s, const char *word, const double *value, double top, bool enlarged,
                  bool last, bool symmetric) {
    const jd_kernel_view *v = s->v;
    int n_t = v->n_tau;
    if (enlarged)
        while (n_t > 2 && v->tau[n_t - 2] >= near_zero * v->tau[v->n_tau - 1]) n_t--;
    jd_scale y = jd_scale_of(s->arena, s->si, word, "m/(s N)", largest(s, value));
    jd_scale x = jd_scale_of(s->arena, s->si, "time τ", "s", v->tau[n_t - 1]);
    double *tau = JD_TAKE(s->arena, double, n_t);
    for (int t = 0; tau && t < n_t; t++) tau[t] = x.factor * v->tau[t];
    jd_panel *p = jd_scene_add(
        s->scene,
        (jd_panel){.left = enlarged ? LEFT + WIDE + GAP : LEFT,
                   .top = top,
                   .width = enlarged ? NARROW : WIDE,
                   .height = TALL,
                   .title = enlarged ? "near 0" : NULL,
                   .x = {.label = last ? x.label : NULL, .low = 0, .high = tau ? tau[n_t - 1] : 1},
                   .y = {.label = enlarged ? NULL : y.label}});
    int ink = 0;
    for (int i = 0; i < v->n; i++)
        for (int j = symmetric ? i : 0; j < v->n && tau; j++) {
            if (enlarged) jump(s, p, i * v->n + j, y.factor, (jd_ink)(ink % JD_INK_CYCLE));
            jd_panel_series(p, (jd_series){.label = enlarged ? NULL : name_of(s, i, j),
                                           .stroke = jd_stroke_of(ink),
                                           .ink = (jd_ink)(ink % JD_INK_CYCLE),
                                           .n = n_t,
                                           .x = tau,
                                           .y = column(s, value, i * v->n + j, n_t, y.factor)});
            ink++;
        }
}

static const char *subtitle(const sheet *s) {
    const jd_kernel_view *v = s->v;
    return jd_arena_format(s->arena, "%s; G starts %s%s",
                           v->infinite ? "infinitely many modes" : "finitely many modes",
                           v->start == JD_KERNEL_JUMP   ? "with a jump"
                           : v->start == JD_KERNEL_ROOT ? "as a square root"
                                                        : "with a slope",
                           v->start == JD_KERNEL_SMOOTH
                               ? ": contact forces jump when sticking begins"
                               : ": contact forces are continuous");
}

jd_scene *jd_kernel_scene(jd_arena *arena, jd_caption caption, const jd_kernel_view *v) {
    if (v->n_resolved > 0) return jd_resolved_scene(arena, caption, v);
    sheet s = {.arena = arena, .v = v, .si = caption.si};
    s.scene = jd_scene_create(arena, (jd_scene){.title = caption.title,
                                                .subtitle = subtitle(&s),
                                                .width = LEFT + WIDE + GAP + NARROW + 30,
                                                .height = TOP + 2 * TALL + 50 + 62});
    for (int e = 0; e < 2; e++) {
        panel(&s, "velocity after a unit step G", s.v->G, TOP, e, false, true);
        panel(&s, "memory kernel L1", s.v->L1, TOP + TALL + 50, e, true, false);
    }
    return s.scene;
}
