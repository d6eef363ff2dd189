// of_field.c -- a contact along a span as two maps over time: how its body moves, where it slides.
#include <math.h>

#include "picture/motion/history.h"

enum { PLACES = 240 }; // rows of a map, at most

// The two maps: displacement and state over time and place.
typedef struct view {
    jd_heat u, state;
    double *speed, *force; // as state: |sliding velocity|, friction
} view;

static double *places(jd_arena *arena, int n, double from, double to) {
    double *x = JD_TAKE(arena, double, n);
    for (int i = 0; x && i < n; i++) x[i] = from + (to - from) * i / (n > 1 ? n - 1 : 1);
    return x;
}

static void make_heat(jd_arena *arena, int n, const double *position, int n_t, const double *time,
                      jd_heat *h) {
    int rows = n < PLACES ? n : PLACES;
    *h = (jd_heat){.n_x = n_t, .n_y = rows, .x = time};
    h->y = places(arena, rows, position[0], position[n - 1]);
    h->value = JD_TAKE(arena, double, n_t *rows);
}

// The node next to each row.
static int node_at(const jd_heat *h, int row, int n) {
    return h->n_y > 1 ? (int)lround((double)row * (n - 1) / (h->n_y - 1)) : 0;
}

// Cells that slide without friction, above the ground, are left pale.
static void put(const jd_field_map *m, view *v, int column) {
    double *u = (double *)v->u.value, *s = (double *)v->state.value;
    size_t nodes = (size_t)column * (size_t)m->n_node, cells = (size_t)column * (size_t)m->n_cell;
    for (int r = 0; r < v->u.n_y; r++)
        u[r * v->u.n_x + column] = m->u[nodes + (size_t)node_at(&v->u, r, m->n_node)];
    for (int r = 0; r < v->state.n_y; r++) {
        size_t i = cells + (size_t)node_at(&v->state, r, m->n_cell);
        int at = r * v->state.n_x + column;
        bool loose = m->state[i] != 0 && m->force[i] == 0;
        s[at] = loose ? (double)NAN : m->state[i];
        v->speed[at] = fabs(m->velocity[i]);
        v->force[at] = m->force[i];
    }
}

// So are those at rest without a force before and after they slide so.
static void fade(view *v) {
    int n = v->state.n_x;
    for (int r = 0; r < v->state.n_y; r++) {
        double *s = (double *)v->state.value + (size_t)r * (size_t)n;
        const double *force = v->force + (size_t)r * (size_t)n;
        for (int i = 1; i < n; i++)
            if (s[i] == 0 && force[i] == 0 && isnan(s[i - 1])) s[i] = (double)NAN;
        for (int i = n - 2; i >= 0; i--)
            if (s[i] == 0 && force[i] == 0 && isnan(s[i + 1])) s[i] = (double)NAN;
    }
}

// A cell just at its limit that creeps by rounding alone rests.
static void calm(view *v) {
    double *s = (double *)v->state.value;
    int n = v->state.n_x * v->state.n_y;
    double least = 1e-9 * jd_largest(n, v->speed);
    for (int i = 0; i < n; i++)
        if (s[i] != 0 && !isnan(s[i]) && v->speed[i] < least) s[i] = 0;
}

// Of a pile that is driven the head is on top.
static void panel(jd_scene *s, double left, const jd_heat *h, const char *time, const char *place,
                  bool downwards) {
    double first = h->y[0], last = h->y[h->n_y - 1];
    jd_scene_add(
        s, (jd_panel){
               .left = left,
               .top = 92,
               .width = 370,
               .height = 370,
               .heat = h,
               .x = {.label = time},
               .y = {.label = place, .low = downwards ? last : 0, .high = downwards ? first : 0}});
}

static const char *words(jd_arena *arena, const jd_field_map *m, bool si) {
    return jd_arena_format(arena, "from %.6g to %.6g%s; places count from the left end", m->t[0],
                           m->t[m->n - 1], si ? " s" : "");
}

static void scale(jd_arena *arena, view *v, bool si) {
    int n = v->u.n_x * v->u.n_y;
    jd_scale k = jd_scale_of(arena, si, "displacement", "m", jd_largest(n, v->u.value));
    v->u.value = jd_scaled(arena, n, v->u.value, k.factor);
    v->u.label = k.label;
    for (int i = 0; v->u.value && i < n; i++) {
        v->u.low = fmin(v->u.low, v->u.value[i]);
        v->u.high = fmax(v->u.high, v->u.value[i]);
    }
    if (!(v->u.high > v->u.low)) v->u.high = v->u.low + 1;
}

static view *view_of(jd_arena *arena, const jd_field_map *m, bool si) {
    static const char *const states[] = {"slides back", "sticks", "slides on"};
    view *v = JD_TAKE(arena, view, 1); // the scene points into it
    if (!v) return NULL;
    make_heat(arena, m->n_node, m->node, m->n, m->t, &v->u);
    make_heat(arena, m->n_cell, m->cell, m->n, m->t, &v->state);
    v->speed = JD_TAKE(arena, double, m->n * v->state.n_y);
    v->force = JD_TAKE(arena, double, m->n * v->state.n_y);
    if (jd_arena_status(arena) != JD_OK) return NULL;
    for (int i = 0; i < m->n; i++) put(m, v, i);
    scale(arena, v, si);
    calm(v);
    fade(v);
    v->state.label = jd_arena_format(arena, "contact %s", m->contact);
    v->state.low = -1;
    v->state.high = 1;
    v->state.n_step = 3;
    v->state.step = (const char **)states;
    return v;
}

jd_scene *jd_field_scene(jd_arena *arena, const jd_result_head *head, const jd_field_map *m,
                         bool downwards) {
    view *v = view_of(arena, m, head->si);
    jd_scene *s = jd_scene_create(arena, (jd_scene){.title = head->title,
                                                    .subtitle = words(arena, m, head->si),
                                                    .width = 1120,
                                                    .height = 92 + 370 + 62});
    const char *place = jd_arena_format(
        arena, "place on %s%s", m->body[0] ? m->body : "the structure", head->si ? " [m]" : "");
    if (!v || !s) return NULL;
    panel(s, 82, &v->u, head->si ? "time [s]" : "time", place, downwards);
    panel(s, 82 + 370 + 160, &v->state, head->si ? "time [s]" : "time", place, downwards);
    return s;
}
