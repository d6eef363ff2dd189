// history.c -- panels over time: displacement, velocity, force, impulses, phases.
//   At most JD_INK_CYCLE curves share a panel; the legend says how many were left out.
#include "picture/motion/history.h"

#include <math.h>
#include <string.h>

double *jd_scaled(jd_arena *arena, int n, const double *value, double factor) {
    double *out = JD_TAKE(arena, double, n);
    for (int i = 0; out && i < n; i++) out[i] = factor * value[i];
    return out;
}

double jd_largest(int n, const double *value) {
    double most = 0;
    for (int i = 0; i < n; i++)
        if (isfinite(value[i])) most = fmax(most, fabs(value[i]));
    return most;
}

bool jd_history_has_impacts(const jd_history *h) {
    for (int i = 0; i < h->n_event; i++)
        if (h->event[i].impulse != 0) return true;
    return false;
}

bool jd_history_has_force(const jd_history *h) {
    for (int j = 0; j < h->n_contact; j++)
        if (jd_largest(h->n, h->contact[j].force) > 0) return true;
    return false;
}

static bool is_held(char letter) { return letter == 'H' || letter == '|'; }

static jd_panel *time_panel(jd_scene *s, const jd_history *h, jd_frame at, bool bare,
                            const char *label) {
    double from = h->n ? h->t[0] : 0, to = h->n ? h->t[h->n - 1] : 1;
    jd_axis x = {.label = h->si ? "time [s]" : "time", .low = from, .high = to, .bare = bare};
    if (!(from < to)) x.low = from - 1, x.high = from + 1;
    return jd_scene_add(s, (jd_panel){.left = at.left,
                                      .top = at.top,
                                      .width = at.width,
                                      .height = at.height,
                                      .x = x,
                                      .y = {.label = label}});
}

// Boxes for every stretch of one contact in phases of these letters.
static void stretches(jd_panel *p, const jd_history *h, int j, const char *letters, jd_box box) {
    const char *phase = h->contact[j].phase;
    double hair = h->n ? 2e-4 * (h->t[h->n - 1] - h->t[0]) : 0; // less than a pixel
    for (int i = 0, end; i < h->n; i = end) {
        bool in = phase[i] == letters[0] || phase[i] == letters[1];
        for (end = i + 1;
             end < h->n && in == (phase[end] == letters[0] || phase[end] == letters[1]);)
            end++;
        if (!in) continue;
        box.left = h->t[i];
        box.right = fmax(h->t[end < h->n ? end : h->n - 1], h->t[i] + hair);
        jd_panel_box(p, box);
        box.label = NULL;
    }
}

// What a contact at rest is: one with a gap may have friction, too.
static const char *rest_word(const jd_history *h, int j) {
    const jd_history_contact *c = &h->contact[j];
    return isnan(c->gap) || memchr(c->phase, 'H', (size_t)h->n) ? "stuck" : "closed";
}

// Behind the curves of a single contact: when it sticks or stays closed.
static void shade(jd_panel *p, const jd_history *h, bool legend) {
    if (h->n_contact != 1) return;
    const char *word = rest_word(h, 0);
    stretches(p, h, 0, "H|",
              (jd_box){legend ? word : NULL, 0, 0, (double)NAN, (double)NAN, JD_INK_PALE, NULL});
}

static const char *left_out(jd_panel *p, int n) {
    if (!p || n <= JD_INK_CYCLE) return NULL;
    return jd_arena_format(p->arena, "first %d of %d", JD_INK_CYCLE, n);
}

static void curve(jd_panel *p, const jd_history *h, int index, const char *name,
                  const double *value, double factor) {
    if (!p || index >= JD_INK_CYCLE) return;
    double *y = jd_scaled(p->arena, h->n, value, factor);
    if (!y) return;
    jd_panel_series(p, (jd_series){.label = name,
                                   .stroke = jd_stroke_of(index),
                                   .ink = (jd_ink)index,
                                   .size = index % 3 ? 2 : 0,
                                   .n = h->n,
                                   .x = h->t,
                                   .y = y});
}

// Index of the sample at an event, the later one of its two.
static int sample_at(const jd_history *h, double t) {
    int low = 0, high = h->n;
    while (low < high) {
        int middle = (low + high) / 2;
        if (h->t[middle] < t) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < h->n ? low : h->n - 1;
}

// Rings where one contact switches or hits; smaller when there are many.
static void marks(jd_panel *p, const jd_history *h, int j, double factor) {
    if (!p || j >= JD_INK_CYCLE || h->n == 0) return;
    double *x = JD_TAKE(p->arena, double, 2 * h->n_event + 1);
    if (!x) return;
    double *y = x + h->n_event;
    int n = 0;
    for (int i = 0; i < h->n_event; i++) {
        if (h->event[i].contact != j) continue;
        x[n] = h->event[i].t;
        y[n++] = factor * h->contact[j].v[sample_at(h, h->event[i].t)];
    }
    double size = h->n_event > 250 ? 2 : h->n_event > 90 ? 3.2 : 4.5;
    jd_series rings = {.label = j == 0 && n ? "event" : NULL,
                       .stroke = JD_STROKE_RINGS,
                       .ink = h->n_contact == 1 ? JD_INK_BLACK : (jd_ink)j,
                       .size = size,
                       .n = n,
                       .x = x,
                       .y = y};
    if (n > 0) jd_panel_series(p, rings);
}

static void stops(jd_panel *p, const jd_history *h, double factor) {
    bool first = true;
    for (int j = 0; j < h->n_contact && j < JD_INK_CYCLE; j++) {
        const jd_history_contact *c = &h->contact[j];
        if (isnan(c->gap)) continue;
        jd_panel_level(p, factor * c->gap, JD_INK_GREY, first ? "stop" : NULL);
        if (c->both) jd_panel_level(p, -factor * c->gap, JD_INK_GREY, NULL);
        first = false;
    }
}

// Models of the closure are seen by their state: y1, y2, ..., lambda, kappa are no displacements.
static bool is_state(const char *name) {
    const char *rest = name + 1;
    if (strcmp(name, "lambda") == 0 || strcmp(name, "kappa") == 0) return true;
    return name[0] == 'y' && *rest && rest[strspn(rest, "0123456789")] == '\0';
}

void jd_history_displacement(jd_scene *s, const jd_history *h, jd_frame at, bool bare) {
    double most = 0;
    bool states = h->n_point > 0;
    for (int i = 0; i < h->n_point; i++) {
        most = fmax(most, jd_largest(h->n, h->point[i].u));
        states = states && is_state(h->point[i].name);
    }
    jd_scale k =
        jd_scale_of(s->arena, h->si && !states, states ? "state" : "displacement", "m", most);
    jd_panel *p = time_panel(s, h, at, bare, k.label);
    if (p) p->title = left_out(p, h->n_point);
    shade(p, h, true);
    stops(p, h, k.factor);
    for (int i = 0; i < h->n_point; i++) curve(p, h, i, h->point[i].name, h->point[i].u, k.factor);
}

void jd_history_velocity(jd_scene *s, const jd_history *h, jd_frame at, bool bare) {
    bool contacts = h->n_contact > 0;
    int n = contacts ? h->n_contact : h->n_point;
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, jd_largest(h->n, contacts ? h->contact[i].v : h->point[i].v));
    jd_scale k =
        jd_scale_of(s->arena, h->si, contacts ? "relative velocity" : "velocity", "m/s", most);
    jd_panel *p = time_panel(s, h, at, bare, k.label);
    if (p) p->title = left_out(p, n);
    shade(p, h, false);
    for (int i = 0; i < n; i++) {
        const char *name = contacts ? h->contact[i].name : h->point[i].name;
        curve(p, h, i, name, contacts ? h->contact[i].v : h->point[i].v, k.factor);
    }
    for (int j = 0; j < h->n_contact; j++) marks(p, h, j, k.factor);
}

void jd_history_slip(jd_scene *s, const jd_history *h, jd_frame at) {
    double most = 0;
    for (int i = 0; i < h->n_slip; i++) most = fmax(most, jd_largest(h->n, h->slip[i].v));
    jd_scale k = jd_scale_of(s->arena, h->si, "sliding velocity", "m/s", most);
    jd_panel *p = time_panel(s, h, at, false, k.label);
    if (p) p->title = left_out(p, h->n_slip);
    for (int i = 0; i < h->n_slip; i++) curve(p, h, i, h->slip[i].name, h->slip[i].v, k.factor);
}

// Is there a force on this side in the window that is shown? Without samples both sides count.
static bool is_reached(const jd_history *h, const jd_history_contact *c, double side) {
    bool other = false;
    for (int i = 0; c->force && i < h->n; i++) {
        if (side * c->force[i] > 0) return true;
        other = other || side * c->force[i] < 0;
    }
    return !other;
}

static void limits(jd_panel *p, const jd_history *h, const jd_history_contact *c, double factor,
                   jd_ink ink, bool name) {
    if (isnan(c->limit) || c->limit == 0) return;
    for (double side = 1; side >= -1; side -= 2) {
        if (!is_reached(h, c, side)) continue;
        jd_panel_level(p, side * factor * c->limit, ink, name ? "limit" : NULL);
        if (!isnan(c->static_limit) && c->static_limit != c->limit) {
            jd_panel_level(p, side * factor * c->static_limit, ink, name ? "static limit" : NULL);
            if (p && p->last_series) p->last_series->stroke = JD_STROKE_DOTTED;
        }
        name = false;
    }
}

void jd_history_force(jd_scene *s, const jd_history *h, jd_frame at, bool bare) {
    double most = 0;
    for (int j = 0; j < h->n_contact; j++) most = fmax(most, jd_largest(h->n, h->contact[j].force));
    jd_scale k = jd_scale_of(s->arena, h->si, "contact force", "N", most);
    jd_panel *p = time_panel(s, h, at, bare, k.label);
    if (p) p->title = left_out(p, h->n_contact);
    shade(p, h, false);
    for (int j = 0; j < h->n_contact; j++) {
        const jd_history_contact *c = &h->contact[j];
        jd_ink ink = h->n_contact == 1 ? JD_INK_GREY : (jd_ink)(j % JD_INK_CYCLE);
        if (j < JD_INK_CYCLE) limits(p, h, c, k.factor, ink, j == 0);
        curve(p, h, j, c->name, c->force, k.factor);
    }
}

static void stems(jd_panel *p, const jd_history *h, int j, double factor) {
    if (!p || j >= JD_INK_CYCLE) return;
    double *x = JD_TAKE(p->arena, double, 2 * h->n_event + 1);
    if (!x) return;
    double *y = x + h->n_event;
    int n = 0;
    for (int i = 0; i < h->n_event; i++) {
        if (h->event[i].contact != j || h->event[i].impulse == 0) continue;
        x[n] = h->event[i].t;
        y[n++] = factor * h->event[i].impulse;
    }
    if (n == 0) return;
    jd_series line = {h->contact[j].name, JD_STROKE_STEMS, (jd_ink)j, 1.2, n, x, y, NULL, NULL};
    jd_panel_series(p, line);
    jd_panel_series(p, (jd_series){NULL, JD_STROKE_DOTS, (jd_ink)j, 3.5, n, x, y, NULL, NULL});
}

void jd_history_impulse(jd_scene *s, const jd_history *h, jd_frame at, bool bare) {
    double most = 0;
    for (int i = 0; i < h->n_event; i++) most = fmax(most, fabs(h->event[i].impulse));
    jd_scale k = jd_scale_of(s->arena, h->si, "impulse", "N s", most);
    jd_panel *p = time_panel(s, h, at, bare, k.label);
    for (int j = 0; j < h->n_contact; j++) stems(p, h, j, k.factor);
}

void jd_history_strip(jd_scene *s, const jd_history *h, jd_frame at, bool bare) {
    static const struct {
        const char *letters, *word;
        jd_ink ink;
    } kind[] = {{"H|", "stuck or closed", JD_INK_BLACK},
                {"++", "sliding +", JD_INK_ORANGE}, // light and dark in grey print
                {"--", "sliding −", JD_INK_BLUE},
                {"oo", "open", JD_INK_PALE}};
    jd_panel *p = time_panel(s, h, at, bare, NULL);
    const char **name = JD_TAKE(s->arena, const char *, h->n_contact);
    int n = jd_history_phased(h);
    if (!p || !name) return;
    for (int j = 0, place = n; j < h->n_contact; j++)
        if (!h->contact[j].span) name[--place] = h->contact[j].name;
    p->y = (jd_axis){NULL, -0.6, n - 0.4, false, false, n, name};
    for (int k = 0; k < 4; k++) {
        const char *word = kind[k].word;
        for (int j = 0, place = n; j < h->n_contact; j++) {
            if (h->contact[j].span) continue;
            double y = --place;
            jd_box *before = p->last_box;
            jd_box box = {word, 0, 0, y - 0.35, y + 0.35, kind[k].ink, NULL};
            stretches(p, h, j, kind[k].letters, box);
            if (p->last_box != before) word = NULL;
        }
    }
}

int jd_history_phased(const jd_history *h) {
    int n = 0;
    for (int j = 0; j < h->n_contact; j++) n += !h->contact[j].span;
    return n;
}

// Samples of a curve that belong to one kind of phase.
static double *only(jd_arena *arena, const jd_history *h, int j, const double *v, double factor,
                    const char *letters) {
    double *y = jd_scaled(arena, h->n, v, factor);
    for (int i = 0; y && i < h->n; i++) {
        char c = h->contact[j].phase[i];
        if (c != letters[0] && c != letters[1]) y[i] = (double)NAN;
    }
    return y;
}

// One dot per stretch at rest.
static void rests(jd_panel *p, const jd_history *h, int j, const double *x, const double *y,
                  const char *word) {
    const char *phase = h->contact[j].phase;
    double *xs = JD_TAKE(p->arena, double, 2 * h->n + 1);
    if (!xs) return;
    double *ys = xs + h->n;
    int n = 0;
    for (int i = 0; i < h->n; i++) {
        if (!is_held(phase[i]) || (i > 0 && is_held(phase[i - 1]))) continue;
        xs[n] = x[i];
        ys[n++] = y[i];
    }
    if (n == 0) return;
    jd_panel_series(p, (jd_series){word, JD_STROKE_DOTS, JD_INK_BLACK, 6, n, xs, ys, NULL, NULL});
}

// A contact that sticks to a moving belt goes along with it: a line instead of a point.
static void carried(jd_panel *p, const jd_history *h, int j, const double *x, const double *y) {
    double *line = jd_scaled(p->arena, h->n, y, 1), far = 0, most = jd_largest(h->n, x);
    const char *phase = h->contact[j].phase;
    for (int i = 0; line && i < h->n; i++) {
        if (!is_held(phase[i])) line[i] = (double)NAN;
        if (i > 0 && is_held(phase[i]) && is_held(phase[i - 1]))
            far = fmax(far, fabs(x[i] - x[i - 1]));
    }
    if (line && far > 1e-6 * most)
        jd_panel_series(p, (jd_series){.ink = JD_INK_BLACK, .n = h->n, .x = x, .y = line});
}

// Vertical dotted lines where impacts throw the velocity; one at another contact is felt here too.
static void jumps(jd_panel *p, const jd_history *h, const double *x, const double *y) {
    double *xs = JD_TAKE(p->arena, double, 6 * h->n_event + 1);
    if (!xs) return;
    double *ys = xs + 3 * h->n_event;
    int n = 0;
    for (int i = 0; i < h->n_event; i++) {
        int k = sample_at(h, h->event[i].t);
        if (h->event[i].impulse == 0 || k == 0) continue;
        for (int side = 0; side < 2; side++, n++) {
            xs[n] = x[k - 1 + side];
            ys[n] = y[k - 1 + side];
        }
        xs[n] = ys[n] = (double)NAN;
        n++;
    }
    if (n == 0) return;
    jd_series s = {"impact", JD_STROKE_DOTTED, JD_INK_GREY, 1, n, xs, ys, NULL, NULL};
    jd_panel_series(p, s);
}

// The same curve with the pen lifted at every impact: arrays of *n numbers.
static void lift(jd_arena *arena, const jd_history *h, int *n, const double **x, const double **y) {
    double *xs = JD_TAKE(arena, double, h->n + h->n_event);
    double *ys = JD_TAKE(arena, double, h->n + h->n_event);
    if (!xs || !ys) return;
    int e = 0, k = 0;
    for (int i = 0; i < h->n; i++) {
        bool thrown = false;
        for (; e < h->n_event && h->event[e].t <= h->t[i]; e++)
            thrown = thrown || h->event[e].impulse != 0;
        if (thrown) xs[k] = ys[k] = (double)NAN, k++;
        xs[k] = (*x)[i];
        ys[k++] = (*y)[i];
    }
    *n = k;
    *x = xs;
    *y = ys;
}

// A curve coloured by phase, over displacement.
static void phases(jd_panel *p, const jd_history *h, int j, const double *x, const double *value,
                   double factor, bool legend) {
    static const struct {
        const char *letters, *word;
        jd_ink ink;
    } kind[] = {{"++", "sliding +", JD_INK_BLUE},
                {"--", "sliding −", JD_INK_VERMILLION},
                {"oo", "open", JD_INK_BLUE}};
    for (int k = 0; k < 3; k++) {
        const double *y = only(p->arena, h, j, value, factor, kind[k].letters), *xs = x;
        if (!y || jd_largest(h->n, y) == 0) continue;
        int n = h->n;
        lift(p->arena, h, &n, &xs, &y);
        const char *word = legend ? kind[k].word : NULL;
        jd_panel_series(p,
                        (jd_series){word, JD_STROKE_LINE, kind[k].ink, 1.3, n, xs, y, NULL, NULL});
    }
}

// An empty panel over the displacement of a contact, or of a point where there is none.
static jd_panel *over_displacement(jd_scene *s, const jd_history *h, int j, jd_frame at,
                                   jd_scale *scale, const char *y_label) {
    const char *name = h->n_contact ? h->contact[j].name : h->point[j].name;
    const double *u = h->n_contact ? h->contact[j].u : h->point[j].u;
    const char *word = jd_arena_format(s->arena, "displacement at %s", name);
    *scale = jd_scale_of(s->arena, h->si, word ? word : name, "m", jd_largest(h->n, u));
    return jd_scene_add(s, (jd_panel){.left = at.left,
                                      .top = at.top,
                                      .width = at.width,
                                      .height = at.height,
                                      .x = {.label = scale->label},
                                      .y = {.label = y_label}});
}

void jd_history_portrait(jd_scene *s, const jd_history *h, int j, jd_frame at) {
    const double *u = h->n_contact ? h->contact[j].u : h->point[j].u;
    const double *v = h->n_contact ? h->contact[j].v : h->point[j].v;
    const char *word = h->n_contact ? "relative velocity" : "velocity";
    jd_scale a, b = jd_scale_of(s->arena, h->si, word, "m/s", jd_largest(h->n, v));
    jd_panel *p = over_displacement(s, h, j, at, &a, b.label);
    double *x = jd_scaled(s->arena, h->n, u, a.factor), *y = jd_scaled(s->arena, h->n, v, b.factor);
    if (!p || !x || !y) return;
    if (!h->n_contact) {
        jd_panel_series(p, (jd_series){.size = 1.3, .n = h->n, .x = x, .y = y});
        return;
    }
    jumps(p, h, x, y);
    phases(p, h, j, x, v, b.factor, true);
    carried(p, h, j, x, y);
    rests(p, h, j, x, y, rest_word(h, j));
}

void jd_history_loop(jd_scene *s, const jd_history *h, int j, jd_frame at) {
    const jd_history_contact *c = &h->contact[j];
    jd_scale a, b = jd_scale_of(s->arena, h->si, "contact force", "N", jd_largest(h->n, c->force));
    jd_panel *p = over_displacement(s, h, j, at, &a, b.label);
    double *x = jd_scaled(s->arena, h->n, c->u, a.factor);
    double *held = only(s->arena, h, j, c->force, b.factor, "H|");
    if (!p || !x || !held) return;
    limits(p, h, c, b.factor, JD_INK_GREY, false);
    jd_series stuck = {NULL, JD_STROKE_LINE, JD_INK_BLACK, 1.6, h->n, x, held, NULL, NULL};
    jd_panel_series(p, stuck);
    phases(p, h, j, x, c->force, b.factor, false);
}
