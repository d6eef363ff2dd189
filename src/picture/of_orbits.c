// of_orbits.c -- orbits of a nonsmooth mode: over the period, in the plane of displacement and
// velocity, and in space: u of a point, u and v of the stop's point.
//   Parallel projection: to the right y cos A - x sin A, upwards z cos B - (x cos A + y sin A) sin
//   B, x, y, z scaled to [-1, 1].
#include <math.h>

#include "picture/motion/history.h"
#include "picture/scenes.h"

enum { LEFT = 92, TOP = 92, CIRCLE = 180, FEW = 6 };
static const double frame = 1.6; // of the plane of multipliers: those further out only count

typedef struct chart {
    jd_arena *arena;
    jd_caption caption;
    const jd_nsm_orbits *o;
    jd_scene *scene;
    jd_panel *panel;
    const double *value[3]; // of the space: n x samples
    double low[3], high[3];
} chart;

static void project(const chart *c, const double in[3], double *x, double *y) {
    const double A = 0.62, B = 0.38;
    double p[3];
    for (int k = 0; k < 3; k++)
        p[k] = (2 * in[k] - c->low[k] - c->high[k]) / (c->high[k] - c->low[k]);
    *x = p[1] * cos(A) - p[0] * sin(A);
    *y = p[2] * cos(B) - (p[0] * cos(A) + p[1] * sin(A)) * sin(B);
}

static void find_ranges(chart *c) {
    for (int k = 0; k < 3; k++) {
        c->low[k] = HUGE_VAL;
        c->high[k] = -HUGE_VAL;
        for (int i = 0; i < c->o->n * c->o->samples; i++) {
            c->low[k] = fmin(c->low[k], c->value[k][i]);
            c->high[k] = fmax(c->high[k], c->value[k][i]);
        }
        if (!(c->high[k] > c->low[k])) c->high[k] = c->low[k] + 1;
    }
}

static void line(const chart *c, const double from[3], const double to[3], jd_ink ink,
                 double size) {
    double *x = JD_TAKE(c->arena, double, 2), *y = JD_TAKE(c->arena, double, 2);
    if (!x || !y) return;
    project(c, from, &x[0], &y[0]);
    project(c, to, &x[1], &y[1]);
    jd_panel_series(
        c->panel,
        (jd_series){.stroke = JD_STROKE_LINE, .ink = ink, .size = size, .n = 2, .x = x, .y = y});
}

static void note(const chart *c, const double at[3], double right, double up, const char *text) {
    double x, y;
    project(c, at, &x, &y);
    if (text)
        jd_panel_note(c->panel,
                      (jd_note){.x = x + right, .y = y + up, .text = text, .ink = JD_INK_BLACK});
}

// A round step with about four ticks in the range.
static double step_of(double range) {
    double raw = range / 4, power = pow(10, floor(log10(raw))), lead = raw / power;
    return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

// Ticks with numbers along the edge `k` that goes from `from` to `to`.
static void ticks(const chart *c, int k, const double from[3], double right, double up) {
    static const double outward[3][3] = {{0, 0.03, 0}, {0.03, 0, 0}, {0.03, -0.03, 0}};
    double step = step_of(c->high[k] - c->low[k]);
    for (double n = ceil(c->low[k] / step); n * step <= c->high[k]; n++) {
        double at[3] = {from[0], from[1], from[2]}, end[3];
        at[k] = n * step;
        for (int m = 0; m < 3; m++) end[m] = at[m] + outward[k][m] * (c->high[m] - c->low[m]);
        line(c, at, end, JD_INK_BLACK, 1);
        note(c, end, right, up,
             jd_arena_format(c->arena, "%s%.4g", n < 0 ? "−" : "", fabs(n * step)));
    }
}

// The box of the ranges: three edges with ticks and names, the rest pale.
static void box(const chart *c) {
    static const double edge[3][3] = {
        {0, 1, 0}, {1, 0, 0}, {1, 0, 0}}; // where the named ones stand
    static const double shift[3][2] = {{0.0, -0.11}, {-0.13, -0.11}, {-0.24, -0.03}};
    static const double name_at[3][2] = {{0.18, -0.3}, {-0.95, -0.3}, {-0.1, 0.09}};
    const char *u = c->caption.si ? " [m]" : "", *v = c->caption.si ? " [m/s]" : "";
    const char *name[3] = {jd_arena_format(c->arena, "displacement at %s%s", c->o->point, u),
                           jd_arena_format(c->arena, "displacement at the stop%s", u),
                           jd_arena_format(c->arena, "velocity at the stop%s", v)};
    for (int k = 0; k < 3; k++)
        for (int corner = 0; corner < 4; corner++) {
            double from[3], to[3];
            for (int m = 0, bit = 1; m < 3; m++) {
                if (m == k) continue;
                from[m] = to[m] = corner & bit ? c->high[m] : c->low[m];
                bit = 2;
            }
            from[k] = c->low[k];
            to[k] = c->high[k];
            line(c, from, to, JD_INK_PALE, 1);
        }
    for (int k = 0; k < 3; k++) {
        double from[3], to[3], middle[3];
        for (int m = 0; m < 3; m++) {
            from[m] = to[m] = edge[k][m] != 0 ? c->high[m] : c->low[m];
            if (m == k) from[m] = c->low[m], to[m] = c->high[m];
            middle[m] = (from[m] + to[m]) / 2;
        }
        line(c, from, to, JD_INK_BLACK, 1);
        ticks(c, k, from, shift[k][0], shift[k][1]);
        note(c, k == 2 ? to : middle, name_at[k][0], name_at[k][1], name[k]);
    }
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
            if (space) project(c, in, &x[k], &y[k]);
        }
        int kind = o->stable[i] < 0 ? 2 : o->stable[i] > 0;
        static const char *const word[] = {"unstable", "stable", NULL};
        bool few = o->n > 1 && o->n <= FEW; // each has its ink and its name
        const char *label = few ? o->name[i] : named[kind] ? NULL : word[kind];
        jd_ink ink = few ? (jd_ink)i : kind == 0 ? JD_INK_VERMILLION : JD_INK_BLUE;
        jd_panel_series(c->panel, (jd_series){.label = label,
                                              .stroke = JD_STROKE_LINE,
                                              .ink = ink,
                                              .size = o->n > 12 ? 0.8 : 1.4,
                                              .n = n,
                                              .x = x,
                                              .y = y});
        named[kind] = true;
    }
}

static void manifold(chart *c) {
    c->scene->width = 860;
    c->scene->height = 740;
    jd_axis axis = {.low = -1.6, .high = 1.6};
    c->panel = jd_scene_add(c->scene, (jd_panel){.left = LEFT,
                                                 .top = TOP,
                                                 .width = 740,
                                                 .height = 600,
                                                 .x = axis,
                                                 .y = axis,
                                                 .plain = true});
    find_ranges(c);
    box(c);
    curves(c, c->value[0], c->value[0], true);
}

// Displacement over the period, or velocity over displacement, of the stop's point and the other.
static void planes(chart *c, bool portrait) {
    const jd_nsm_orbits *o = c->o;
    int n = o->point ? 2 : 1;
    double width = portrait ? 400 : 820, height = portrait ? 380 : 220;
    const char *u = c->caption.si ? " [m]" : "", *v = c->caption.si ? " [m/s]" : "";
    for (int i = 0; i < n; i++) {
        const char *where = i ? o->point : "the stop";
        const char *shift = jd_arena_format(c->arena, "displacement at %s%s", where, u);
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
    c->scene->width = 700;
    c->scene->height = 740;
    c->panel =
        jd_scene_add(c->scene, (jd_panel){.left = LEFT,
                                          .top = TOP,
                                          .width = 580,
                                          .height = 580,
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
        jd_panel_series(c->panel, (jd_series){.label = off ? "off it: unstable" : "on it",
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
