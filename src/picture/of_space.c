// of_space.c -- the first modes in space: the outside of the structure at rest (grey) and moved.
//   Seen along -c, c = (sin a cos e, -cos a cos e, sin e); right r = (cos a, sin a, 0), up c x r.
//   Faces that look away are not drawn; of many edges only those where the surface bends or ends.
#include <math.h>
#include <stdlib.h>

#include "base/constants.h"
#include "picture/scenes.h"

enum { ACROSS = 3, LEFT = 24, TOP = 86, WIDTH = 330, HEIGHT = 250, GAP = 26, MANY = 6000 };
static const double azimuth = 30 * JD_PI / 180, elevation = 25 * JD_PI / 180;
static const double moved = 0.12;     // largest displacement over the size of the structure
static const double smooth = 0.93969; // cosine of 20 degrees between faces

typedef struct view {
    jd_arena *arena;
    const jd_space_result *s;
    double right[3], up[3], out[3];
    double size; // largest extent
} view;

typedef struct edge {
    int a, b;
    double normal[3]; // of its face; 0: of a line
} edge;

static double dot(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void look(view *v) {
    double ca = cos(azimuth), sa = sin(azimuth), ce = cos(elevation), se = sin(elevation);
    const double right[3] = {ca, sa, 0}, out[3] = {sa * ce, -ca * ce, se};
    const double up[3] = {-sa * se, ca * se, ce};
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int d = 0; d < 3; d++) {
        v->right[d] = right[d], v->up[d] = up[d], v->out[d] = out[d];
        for (int i = 0; i < v->s->n; i++) {
            low[d] = fmin(low[d], v->s->at[3 * i + d]);
            high[d] = fmax(high[d], v->s->at[3 * i + d]);
        }
        v->size = fmax(v->size, high[d] - low[d]);
    }
    if (!(v->size > 0)) v->size = 1;
}

// Places of all points, moved by mode k (-1: at rest).
static double *places(const view *v, int k) {
    size_t n = 3 * (size_t)v->s->n;
    const double *u = v->s->value + (k < 0 ? 0 : (size_t)k * n);
    double *x = JD_TAKE(v->arena, double, n), most = 0;
    if (!x) return NULL;
    for (size_t i = 0; i < n && k >= 0; i += 3) most = fmax(most, sqrt(dot(u + i, u + i)));
    double factor = most > 0 ? moved * v->size / most : 0;
    for (size_t i = 0; i < n; i++) x[i] = v->s->at[i] + (k < 0 ? 0 : factor * u[i]);
    return x;
}

static void normal_of(const double *x, const int *corner, double *n) {
    const double *a = x + 3 * (size_t)corner[0], *b = x + 3 * (size_t)corner[1],
                 *c = x + 3 * (size_t)corner[2];
    const double p[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]},
                 q[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
    n[0] = p[1] * q[2] - p[2] * q[1];
    n[1] = p[2] * q[0] - p[0] * q[2];
    n[2] = p[0] * q[1] - p[1] * q[0];
    double length = sqrt(dot(n, n));
    for (int d = 0; d < 3 && length > 0; d++) n[d] /= length;
}

static int by_ends(const void *a, const void *b) {
    const edge *e = a, *f = b;
    if (e->a != f->a) return e->a < f->a ? -1 : 1;
    return (e->b > f->b) - (e->b < f->b);
}

// How many corners a face has; 0: one of them is no point (a file may hold anything).
static int corners_of(const view *v, const int *c) {
    int n = c[2] < 0 ? 2 : c[3] < 0 ? 3 : 4;
    for (int k = 0; k < n; k++)
        if (c[k] < 0 || c[k] >= v->s->n) return 0;
    return n;
}

// Edges of the faces that look at us.
static int list_edges(const view *v, const double *x, edge *out) {
    int n = 0;
    for (int i = 0; i < v->s->n_face; i++) {
        const int *c = v->s->face + 4 * (size_t)i;
        int corners = corners_of(v, c);
        double normal[3] = {0};
        if (corners > 2) normal_of(x, c, normal);
        if (corners > 2 && dot(normal, v->out) < 0) continue;
        for (int k = 0; k < (corners <= 2 ? corners / 2 : corners); k++) {
            int a = c[k], b = c[(k + 1) % corners];
            out[n++] = (edge){a < b ? a : b, a < b ? b : a, {normal[0], normal[1], normal[2]}};
        }
    }
    qsort(out, (size_t)n, sizeof *out, by_ends);
    return n;
}

// Each edge once; of many those between faces that lie nearly in one plane are left out.
static int thin(edge *e, int n) {
    int left = 0;
    for (int i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && by_ends(&e[i], &e[end]) == 0;) end++;
        bool flat = end == i + 2 && dot(e[i].normal, e[i + 1].normal) > smooth;
        if (n < MANY || !flat) e[left++] = e[i];
    }
    return left;
}

static void draw(const view *v, jd_panel *p, const double *x, jd_ink ink, double size) {
    edge *list = JD_TAKE(v->arena, edge, 4 * (size_t)v->s->n_face);
    if (!list || !x) return;
    int n = thin(list, list_edges(v, x, list));
    double *h = JD_TAKE(v->arena, double, 3 * (size_t)n),
           *w = JD_TAKE(v->arena, double, 3 * (size_t)n);
    for (int i = 0; h && w && i < n; i++) {
        const double *a = x + 3 * (size_t)list[i].a, *b = x + 3 * (size_t)list[i].b;
        h[3 * i] = dot(a, v->right), w[3 * i] = dot(a, v->up);
        h[3 * i + 1] = dot(b, v->right), w[3 * i + 1] = dot(b, v->up);
        h[3 * i + 2] = w[3 * i + 2] = (double)NAN; // the pen is lifted
    }
    if (h && w && n > 0)
        jd_panel_series(p, (jd_series){.ink = ink, .size = size, .n = 3 * n, .x = h, .y = w});
}

// One scale for both axes, with room for the motion.
static void frame(const view *v, const double *x, jd_axis *across, jd_axis *up) {
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < v->s->n; i++) {
        const double p[2] = {dot(x + 3 * (size_t)i, v->right), dot(x + 3 * (size_t)i, v->up)};
        for (int d = 0; d < 2; d++) low[d] = fmin(low[d], p[d]), high[d] = fmax(high[d], p[d]);
    }
    double room = 2.2 * moved * v->size;
    double scale = fmax((high[0] - low[0] + room) / WIDTH, (high[1] - low[1] + room) / HEIGHT);
    double h = (high[0] + low[0]) / 2, w = (high[1] + low[1]) / 2;
    across->low = h - scale * WIDTH / 2, across->high = h + scale * WIDTH / 2;
    up->low = w - scale * HEIGHT / 2, up->high = w + scale * HEIGHT / 2;
}

static const char *title(const view *v, const jd_modes_result *m, bool si, int k) {
    if (k >= m->n) return jd_arena_format(v->arena, "mode %d", k + 1);
    const jd_mode_result *one = &m->mode[k];
    return jd_arena_format(v->arena, "%s%s%s %d, %.4g %s", one->body ? one->body : "",
                           one->body ? ", " : "", one->mode.static_shape ? "static shape" : "mode",
                           one->number, one->mode.frequency_hz, si ? "Hz" : "1/time");
}

jd_scene *jd_space_scene(jd_arena *arena, jd_caption caption, const jd_modes_result *m) {
    view v = {.arena = arena, .s = m->space};
    int modes = m->space->n_mode, rows = (modes + ACROSS - 1) / ACROSS;
    look(&v);
    const double *rest = places(&v, -1);
    jd_scene *scene =
        jd_scene_create(arena, (jd_scene){.title = caption.title,
                                          .subtitle = "natural modes in space; grey: at rest",
                                          .width = 2 * LEFT + ACROSS * (WIDTH + GAP) - GAP,
                                          .height = TOP + rows * (HEIGHT + GAP + 10)});
    for (int k = 0; k < modes && rest; k++) {
        int row = k / ACROSS, column = k % ACROSS;
        jd_panel def = {.left = LEFT + column * (WIDTH + GAP),
                        .top = TOP + row * (HEIGHT + GAP + 10),
                        .width = WIDTH,
                        .height = HEIGHT,
                        .plain = true,
                        .title = title(&v, m, caption.si, k)};
        frame(&v, rest, &def.x, &def.y);
        jd_panel *p = jd_scene_add(scene, def);
        draw(&v, p, rest, JD_INK_PALE, 0.8);
        draw(&v, p, places(&v, k), JD_INK_BLUE, 0.8);
    }
    return scene;
}
