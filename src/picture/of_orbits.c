// of_orbits.c -- orbits of a nonsmooth mode: over the period, in the plane of displacement and
// velocity, and in space: u of a point, u and v of the stop's point.
#include <math.h>

#include "picture/cube.h"
#include "picture/motion/history.h"
#include "picture/scenes.h"

enum { LEFT = 92, TOP = 92, CIRCLE = 180, FEW = 6, RINGS = 4 };
static const double frame = 1.6; // of the plane of multipliers: those further out only count

typedef struct chart {
    jd_arena *arena;
    jd_caption caption;
    const jd_nsm_orbits *o;
    jd_scene *scene;
    jd_panel *panel;
    const double *value[3]; // of the space: n x samples
    jd_cube cube;
} chart;

static void find_ranges(chart *c) {
    for (int k = 0; k < 3; k++) jd_cube_range(&c->cube, k, c->o->n * c->o->samples, c->value[k]);
}

// Every orbit as one curve of the panel: y over x, n x samples each; with `space` projected.
static void curves(const chart *c, const double *x_of, const double *y_of, bool space) {
    const jd_nsm_orbits *o = c->o;
    bool named[3] = {false, false, false};
    for (int i = 0; i < o->n; i++) {
        double *x = JD_TAKE(c->arena, double, o->samples + 1);
        double *y = JD_TAKE(c->arena, double, o->samples + 1);
        bool closes = space || x_of != o->phase;
        int n = o->samples + closes;
        if (!x || !y) return;
        for (int k = 0; k < n; k++) { // the impact closes it
            int at = i * o->samples + k % o->samples;
            double in[3] = {c->value[0][at], c->value[1][at], c->value[2][at]};
            x[k] = x_of[at];
            y[k] = y_of[at];
            if (space) jd_cube_project(&c->cube, in, &x[k], &y[k]);
        }
        int kind = o->stable[i] < 0 ? 2 : o->stable[i] > 0;
        static const char *const word[] = {"unstable", "stable", NULL};
        bool few = o->n > 1 && o->n <= FEW;  // each has its ink and its name
        const char *name = o->linear.gap > 0 // along one branch, which the subtitle names
                               ? jd_arena_format(c->arena, "ω = %.6g", o->omega[i])
                               : o->name[i];
        const char *label = few ? name : named[kind] ? NULL : word[kind];
        jd_ink ink = few ? (jd_ink)i : kind == 0 ? JD_INK_VERMILLION : JD_INK_BLUE;
        jd_panel_series(c->panel, (jd_series){.label = label,
                                              .stroke = few         ? jd_stroke_of(i)
                                                        : kind == 0 ? JD_STROKE_DASHED
                                                                    : JD_STROKE_LINE,
                                              .ink = ink,
                                              .size = o->n > 12 ? 0.8
                                                      : few     ? 1.8
                                                                : 1.4,
                                              .n = n,
                                              .x = x,
                                              .y = y});
        named[kind] = true;
    }
}

static void include_flat(chart *c) {
    const jd_nsm_linear *l = &c->o->linear;
    if (!(l->gap > 0)) return;
    const double most[3] = {fabs(l->ratio) * l->gap, l->gap, l->gap * l->omega};
    for (int k = 0; k < 3; k++) {
        c->cube.low[k] = fmin(c->cube.low[k], -most[k]);
        c->cube.high[k] = fmax(c->cube.high[k], most[k]);
    }
}

// The linear mode of the branch up to its grazing: motions in a plane, the flat part of the
// manifold.
static void flat(chart *c) {
    const jd_nsm_linear *l = &c->o->linear;
    for (int ring = 1; l->gap > 0 && ring <= RINGS; ring++) {
        double *x = JD_TAKE(c->arena, double, CIRCLE + 1),
               *y = JD_TAKE(c->arena, double, CIRCLE + 1);
        if (!x || !y) return;
        for (int i = 0; i <= CIRCLE; i++) {
            double angle = 2 * acos(-1.0) * i / CIRCLE, a = l->gap * ring / RINGS;
            double in[3] = {l->ratio * a * cos(angle), a * cos(angle), -a * l->omega * sin(angle)};
            jd_cube_project(&c->cube, in, &x[i], &y[i]);
        }
        jd_panel_series(c->panel, (jd_series){.label = ring == RINGS ? "linear mode" : NULL,
                                              .ink = ring == RINGS ? JD_INK_BLACK : JD_INK_GREY,
                                              .size = ring == RINGS ? 1.6 : 1,
                                              .n = CIRCLE + 1,
                                              .x = x,
                                              .y = y});
    }
}

static void manifold(chart *c) {
    const char *u = c->caption.si ? " [m]" : "", *v = c->caption.si ? " [m/s]" : "";
    c->panel = jd_cube_panel(c->scene);
    c->cube = (jd_cube){.arena = c->arena, .panel = c->panel};
    c->cube.name[0] = c->o->point
                          ? jd_arena_format(c->arena, "displacement of %s%s", c->o->point, u)
                          : jd_arena_format(c->arena, "displacement at the stop%s", u);
    c->cube.name[1] = jd_arena_format(c->arena, "displacement at the stop%s", u);
    c->cube.name[2] = jd_arena_format(c->arena, "velocity at the stop%s", v);
    find_ranges(c);
    include_flat(c);
    jd_cube_frame(&c->cube);
    flat(c);
    curves(c, c->value[0], c->value[0], true);
}

// Displacement over the period, or velocity over displacement, of the stop's point and the other.
static void planes(chart *c, bool portrait) {
    const jd_nsm_orbits *o = c->o;
    int n = o->point ? 2 : 1;
    double width = portrait ? 400 : 820, height = portrait ? 380 : 220;
    const char *u = c->caption.si ? " [m]" : "", *v = c->caption.si ? " [m/s]" : "";
    for (int i = 0; i < n; i++) {
        const char *where = i ? jd_arena_format(c->arena, "of %s", o->point) : "at the stop";
        const char *shift = jd_arena_format(c->arena, "displacement %s%s", where, u);
        const char *speed = jd_arena_format(c->arena, "velocity%s", v);
        jd_axis time = {.label = "time / period", .high = 1, .bare = i + 1 < n};
        c->panel =
            jd_scene_add(c->scene, (jd_panel){.left = portrait ? LEFT + i * (width + 92) : LEFT,
                                              .top = portrait ? TOP : TOP + i * (height + 34),
                                              .width = width,
                                              .height = height,
                                              .x = portrait ? (jd_axis){.label = shift} : time,
                                              .y = {.label = portrait ? speed : shift}});
        curves(c, portrait ? o->u[i] : o->phase, portrait ? o->v[i] : o->u[i], false);
    }
    c->scene->width = portrait ? LEFT + n * (width + 92) - 62 : LEFT + width + 30;
    c->scene->height = portrait ? TOP + height + 62 : TOP + n * (height + 34) - 34 + 62;
}

// Sizes of the multipliers of orbits along a branch over their frequency.
static void sizes(chart *c, double side) {
    const jd_nsm_orbits *o = c->o;
    int all = o->n * o->n_multiplier, count[2] = {0, 0};
    double *x[2], *y[2];
    for (int k = 0; k < 2; k++) {
        x[k] = JD_TAKE(c->arena, double, all);
        y[k] = JD_TAKE(c->arena, double, all);
        if (!x[k] || !y[k]) return;
    }
    for (int i = 0; i < all; i++) {
        double size = hypot(o->multiplier[2 * i], o->multiplier[2 * i + 1]);
        int off = fabs(size - 1) > 1e-6;
        x[off][count[off]] = o->omega[i / o->n_multiplier];
        y[off][count[off]++] = size;
    }
    const char *label = c->caption.si ? "angular frequency [rad/s]" : "angular frequency";
    jd_panel *p = jd_scene_add(c->scene, (jd_panel){.left = LEFT + side + 92,
                                                    .top = TOP,
                                                    .width = 340,
                                                    .height = side,
                                                    .x = {.label = label},
                                                    .y = {.label = "|λ|", .log = true}});
    jd_panel_level(p, 1, JD_INK_GREY, NULL);
    for (int off = 0; off < 2; off++)
        jd_panel_series(p, (jd_series){.stroke = JD_STROKE_DOTS,
                                       .ink = off ? JD_INK_VERMILLION : JD_INK_BLUE,
                                       .size = 3.5,
                                       .n = count[off],
                                       .x = x[off],
                                       .y = y[off]});
    c->scene->width = LEFT + side + 92 + 340 + 30;
}

// Multipliers of all orbits as dots: on the unit circle, or off it.
static void multipliers(chart *c) {
    const jd_nsm_orbits *o = c->o;
    int all = o->n * o->n_multiplier, count[2] = {0, 0}, beyond = 0;
    double *x[3], *y[3];
    for (int k = 0; k < 3; k++) {
        x[k] = JD_TAKE(c->arena, double, k < 2 ? all : CIRCLE + 1);
        y[k] = JD_TAKE(c->arena, double, k < 2 ? all : CIRCLE + 1);
        if (!x[k] || !y[k]) return;
    }
    double side = o->n > 2 ? 420 : 580; // beside another panel, or alone
    c->scene->width = side + 120;
    c->scene->height = side + 160;
    c->panel =
        jd_scene_add(c->scene, (jd_panel){.left = LEFT,
                                          .top = TOP,
                                          .width = side,
                                          .height = side,
                                          .x = {.label = "Re λ", .low = -frame, .high = frame},
                                          .y = {.label = "Im λ", .low = -frame, .high = frame}});
    for (int i = 0; i < all; i++) {
        double re = o->multiplier[2 * i], im = o->multiplier[2 * i + 1];
        int off = fabs(hypot(re, im) - 1) > 1e-6;
        if (fabs(re) > frame || fabs(im) > frame) {
            beyond++;
            continue;
        }
        x[off][count[off]] = re;
        y[off][count[off]++] = im;
    }
    for (int i = 0; i <= CIRCLE; i++) {
        x[2][i] = cos(2 * acos(-1.0) * i / CIRCLE);
        y[2][i] = sin(2 * acos(-1.0) * i / CIRCLE);
    }
    jd_panel_series(c->panel, (jd_series){.label = "unit circle",
                                          .ink = JD_INK_GREY,
                                          .size = 1.2,
                                          .n = CIRCLE + 1,
                                          .x = x[2],
                                          .y = y[2]});
    for (int off = 0; off < 2; off++)
        jd_panel_series(c->panel, (jd_series){.label = off ? "off it" : "on it",
                                              .stroke = JD_STROKE_DOTS,
                                              .ink = off ? JD_INK_VERMILLION : JD_INK_BLUE,
                                              .size = o->n > 12 ? 3.5 : 6,
                                              .n = count[off],
                                              .x = x[off],
                                              .y = y[off]});
    if (beyond > 0)
        jd_panel_note(c->panel,
                      (jd_note){.x = -0.96 * frame,
                                .y = -0.96 * frame,
                                .text = jd_arena_format(c->arena, "%d further out", beyond),
                                .ink = JD_INK_VERMILLION});
    if (o->n > 2) sizes(c, side); // along a branch
}

jd_scene *jd_nsm_orbits_scene(jd_arena *arena, jd_caption caption, const jd_nsm_orbits *o,
                              jd_picture_kind kind) {
    chart c = {.arena = arena, .caption = caption, .o = o};
    c.value[0] = o->point ? o->u[1] : o->u[0];
    c.value[1] = o->u[0];
    c.value[2] = o->v[0];
    c.scene = jd_scene_create(arena, (jd_scene){.title = caption.title, .subtitle = o->what});
    if (!c.scene) return NULL;
    bool space = kind == JD_PICTURE_MANIFOLD || (kind == JD_PICTURE_PAGE && o->point);
    if (kind == JD_PICTURE_MULTIPLIERS)
        multipliers(&c);
    else if (space)
        manifold(&c);
    else
        planes(&c, kind != JD_PICTURE_HISTORY);
    return c.scene;
}
