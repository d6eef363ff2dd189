// thin.c -- a scene without the points nobody can see: pictures of a tenth of the size.
//   Of a line, points are left out as long as each lies within `unseen` of the chord drawn instead;
//   of a cloud, dots that cover the one before. Lengths are those on the page.
#include <math.h>

#include "picture/scene/scene.h"

enum { CHORD = 64 };               // points that one chord may replace
static const double unseen = 0.12; // [px]

typedef struct sheet {
    const jd_series *s;
    double *x, *y; // on the page [px], up to a shift; NaN: not drawn
    double *low;   // lower edge of an area; else NULL
} sheet;

// Pixels of the numbers of one axis. The range shown is that of the axis, or not below the data's.
static double *on_page(jd_arena *arena, const jd_axis *a, double length, int n,
                       const double *value) {
    double low = a->low, high = a->high, *out = JD_TAKE(arena, double, n);
    if (low == high) {
        low = HUGE_VAL;
        high = -HUGE_VAL;
        for (int i = 0; i < n; i++) {
            if (!isfinite(value[i]) || (a->log && !(value[i] > 0))) continue;
            low = fmin(low, value[i]);
            high = fmax(high, value[i]);
        }
    }
    double wide = fabs(a->log ? log(high / low) : high - low); // an axis may run downwards
    double scale = wide > 0 ? length / wide : 0;
    for (int i = 0; out && i < n; i++) {
        out[i] = scale * (a->log ? log(value[i]) : value[i]);
        if (!isfinite(out[i])) out[i] = (double)NAN;
    }
    return out;
}

// Distance of point k from the segment a-b.
static double away(const double *x, const double *y, int a, int b, int k) {
    double dx = x[b] - x[a], dy = y[b] - y[a];
    double px = x[k] - x[a], py = y[k] - y[a];
    double square = dx * dx + dy * dy;
    double along = square > 0 ? fmin(fmax((px * dx + py * dy) / square, 0), 1) : 0;
    return hypot(px - along * dx, py - along * dy);
}

static bool chord_fits(const sheet *t, int a, int b) {
    if (b - a > CHORD) return false;
    for (int k = a + 1; k < b; k++)
        if (away(t->x, t->y, a, b, k) > unseen || (t->low && away(t->x, t->low, a, b, k) > unseen))
            return false;
    return true;
}

static void thin_line(const sheet *t, bool *keep) {
    int anchor = -1, n = t->s->n; // last point kept; -1: the pen is up
    for (int i = 0; i < n; i++) {
        bool up = isnan(t->x[i]) || isnan(t->y[i]);
        if (up) {
            if (i > 0) keep[i - 1] = true;
            keep[i] = true;
            anchor = -1;
        } else if (anchor < 0) {
            keep[anchor = i] = true;
        } else if (!chord_fits(t, anchor, i)) {
            keep[anchor = i - 1] = true;
        }
    }
    keep[n - 1] = true;
}

static void thin_cloud(const sheet *t, bool *keep) {
    int last = -1;
    for (int i = 0; i < t->s->n; i++) {
        if (last >= 0 && hypot(t->x[i] - t->x[last], t->y[i] - t->y[last]) < unseen) continue;
        keep[last = i] = true;
    }
}

// The series with the points kept; itself when nothing is to be left out.
static jd_series thinned(jd_arena *arena, const jd_panel *p, const jd_series *s) {
    jd_series out = *s;
    bool cloud = jd_stroke_is_mark(s->stroke);
    bool area = s->stroke == JD_STROKE_AREA;
    if (s->n < 3 || s->stroke == JD_STROKE_STEMS) return out;
    sheet t = {s, on_page(arena, &p->x, p->width, s->n, s->x),
               on_page(arena, &p->y, p->height, s->n, s->y),
               area ? on_page(arena, &p->y, p->height, s->n, s->low) : NULL};
    bool *keep = JD_TAKE(arena, bool, s->n);
    double *x = JD_TAKE(arena, double, s->n), *y = JD_TAKE(arena, double, s->n);
    double *low = area ? JD_TAKE(arena, double, s->n) : NULL;
    if (!t.x || !t.y || !keep || !x || !y || (area && (!low || !t.low))) return out;
    if (cloud)
        thin_cloud(&t, keep);
    else
        thin_line(&t, keep);
    out.n = 0;
    out.x = x;
    out.y = y;
    out.low = low;
    for (int i = 0; i < s->n; i++) {
        if (!keep[i]) continue;
        x[out.n] = s->x[i];
        if (low) low[out.n] = s->low[i];
        y[out.n++] = s->y[i];
    }
    return out;
}

jd_scene *jd_scene_thinned(const jd_scene *scene) {
    jd_scene head = *scene;
    head.panel = head.last_panel = NULL;
    jd_scene *out = jd_scene_create(scene->arena, head);
    for (const jd_panel *p = scene->panel; p; p = p->next) {
        jd_panel def = *p;
        def.series = def.last_series = NULL;
        jd_panel *own = jd_scene_add(out, def);
        for (const jd_series *s = p->series; s; s = s->next)
            jd_panel_series(own, thinned(scene->arena, p, s));
    }
    return out;
}
