// of_sweep.c -- sweeps as pictures: maps over two parameters, bifurcation diagrams over one.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "judder/picture.h"
#include "picture/scenes.h"

enum { CLASSES = 12 };              // numbers of events told apart by colour
static const double decades = 1e-4; // a map shows amplitudes down to this share of the largest

typedef struct chart {
    jd_arena *arena;
    bool si;
    const char *label[2]; // of the parameters' axes
    const jd_sweep_view *v;
    jd_scene *scene;
} chart;

// Word and unit of the measured quantity: "tip.displacement.max" -> m.
static jd_scale scale_of(const chart *c, const char *word, bool velocity, double most) {
    const char *unit = jd_measure_unit(c->v->measure);
    if (strcmp(word, c->v->measure) != 0) unit = velocity ? "m/s" : "m";
    return jd_scale_of(c->arena, c->si, jd_measure_label(c->arena, word), unit, most);
}

static double largest_amplitude(const jd_sweep_view *v) {
    double most = 0;
    for (int i = 0; i < v->n_point; i++)
        if (v->point[i].done && isfinite(v->point[i].amplitude))
            most = fmax(most, fabs(v->point[i].amplitude));
    return most;
}

// First of the starts, on the way up: what a map shows at column i, row j.
static const jd_sweep_point *at(const jd_sweep_view *v, int i, int j) {
    int rows = v->direction == JD_SWEEP_BOTH ? 2 * j : j;
    if (v->direction == JD_SWEEP_DOWN) i = v->count[0] - 1 - i;
    return &v->point[(rows * v->count[0] + i) * v->starts];
}

// Crowds of samples are dots all the same; above them stands what they are.
static jd_stroke mark_of(jd_motion motion) {
    static const jd_stroke mark[] = {[JD_MOTION_UNSETTLED] = JD_STROKE_CROSSES,
                                     [JD_MOTION_PERIODIC] = JD_STROKE_DOTS,
                                     [JD_MOTION_QUASI_PERIODIC] = JD_STROKE_RINGS,
                                     [JD_MOTION_CHAOTIC] = JD_STROKE_TRIANGLES,
                                     [JD_MOTION_CHATTERING] = JD_STROKE_SQUARES};
    return mark[motion];
}

// Motions that did not settle, of one kind each.
static void not_settled(const chart *c, jd_panel *p) {
    static const jd_ink ink[] = {[JD_MOTION_UNSETTLED] = JD_INK_VERMILLION,
                                 [JD_MOTION_PERIODIC] = JD_INK_BLUE,
                                 [JD_MOTION_QUASI_PERIODIC] = JD_INK_GREEN,
                                 [JD_MOTION_CHAOTIC] = JD_INK_PURPLE,
                                 [JD_MOTION_CHATTERING] = JD_INK_ORANGE};
    const jd_sweep_view *v = c->v;
    for (int kind = 0; kind < JD_MOTION_COUNT; kind++) {
        double *x = JD_TAKE(c->arena, double, v->n_point),
               *y = JD_TAKE(c->arena, double, v->n_point);
        int n = 0;
        for (int i = 0; x && y && i < v->n_point; i++) {
            const jd_sweep_point *q = &v->point[i];
            if (!q->done || q->settled || q->start > 0 || (int)q->motion != kind) continue;
            x[n] = q->value[0];
            y[n++] = q->value[1];
        }
        if (n == 0) continue;
        const char *name =
            kind == JD_MOTION_UNSETTLED ? "not settled" : jd_motion_name((jd_motion)kind);
        jd_panel_series(p, (jd_series){.label = name,
                                       .stroke = mark_of((jd_motion)kind),
                                       .ink = ink[kind],
                                       .size = 2.5,
                                       .n = n,
                                       .x = x,
                                       .y = y});
    }
}

// Below this share of the largest amplitude a point does not move.
static const double no_motion = 1e-9;

static bool some_stand_still(const jd_sweep_view *v) {
    double most = 0;
    bool any = false;
    for (int i = 0; i < v->n_point; i++)
        if (v->point[i].done && isfinite(v->point[i].amplitude))
            most = fmax(most, fabs(v->point[i].amplitude));
    for (int i = 0; i < v->n_point; i++)
        any = any || (v->point[i].done && fabs(v->point[i].amplitude) < no_motion * most);
    return any;
}

// The legend stands below the label of the scale; with curves it has lines of about 370 pixels.
static int legend_lines(const chart *c) {
    double wide = 100 + (some_stand_still(c->v) ? 122 : 0); // not settled, does not move
    for (int k = 0; k < c->v->n_curve; k++) wide += 40 + 6.3 * (double)strlen(c->v->curve[k].name);
    return c->v->n_curve > 0 ? (int)ceil(wide / 370) + (c->v->shards > 0) : 1;
}

static double top_of_maps(const chart *c) { return 92 + 20 * legend_lines(c); }

static jd_heat *heat_of(const chart *c, const char *label) {
    const jd_sweep_view *v = c->v;
    jd_heat *h = JD_TAKE(c->arena, jd_heat, 1);
    double *value = JD_TAKE(c->arena, double, v->count[0] * v->count[1]);
    if (!h || !value) return NULL;
    *h = (jd_heat){.label = label,
                   .above = legend_lines(c),
                   .n_x = v->count[0],
                   .n_y = v->count[1],
                   .x = v->values[0],
                   .y = v->values[1],
                   .value = value};
    return h;
}

// The model's curves; those along the second parameter stand up. One parameter: in its measure.
static void curves(const chart *c, jd_panel *p, double factor) {
    static const jd_ink ink[] = {JD_INK_VERMILLION, JD_INK_BLACK, JD_INK_PURPLE, JD_INK_ORANGE};
    const jd_sweep_view *v = c->v;
    for (int k = 0; k < v->n_curve && v->n_point > 0; k++) {
        const jd_sweep_curve *q = &v->curve[k];
        int other = 1 - q->axis;
        bool map = v->n_parameter > 1;
        double *value = JD_TAKE(c->arena, double, q->n);
        for (int i = 0; value && i < q->n; i++) { // what is off the map is not drawn
            double y = q->value[i];
            const double *edge = map ? v->values[other] : NULL;
            double a = map ? edge[0] : 0, b = map ? edge[v->count[other] - 1] : 0;
            bool off = map && (y < fmin(a, b) || y > fmax(a, b));
            value[i] = off ? (double)NAN : factor * y;
        }
        if (value)
            jd_panel_series(p, (jd_series){.label = q->name,
                                           .stroke = jd_stroke_of(k),
                                           .ink = ink[k % 4],
                                           .size = 2.5,
                                           .n = q->n,
                                           .x = q->axis ? value : q->at,
                                           .y = q->axis ? q->at : value});
    }
}

// What the pale ink stands for; of a shard also for the points that others hold.
static const char *pale_words(const chart *c, const char *pale) {
    if (c->v->shards == 0) return pale;
    return pale ? jd_arena_format(c->arena, "%s, or not in this shard", pale) : "not in this shard";
}

static void map_panel(const chart *c, double left, const jd_heat *heat, const char *pale) {
    const double edge = (double)NAN;
    jd_panel *p =
        jd_scene_add(c->scene, (jd_panel){.left = left,
                                          .top = top_of_maps(c),
                                          .width = 370,
                                          .height = 370,
                                          .heat = heat,
                                          .x = {.label = c->label[0], .log = c->v->log[0]},
                                          .y = {.label = c->label[1], .log = c->v->log[1]}});
    jd_panel_box(p, (jd_box){pale_words(c, pale), edge, edge, edge, edge, JD_INK_PALE, NULL});
    not_settled(c, p);
    curves(c, p, 1);
}

// Driving: the measure is how far a point goes on in a period.
static bool of_sets(const chart *c) {
    const char *dot = strrchr(c->v->measure, '.');
    return dot && !strcmp(dot, ".set");
}

// The measure, or (speed) what it is in a second.
static double shown(const jd_sweep_point *p, bool speed) {
    if (!p->done) return (double)NAN;
    return speed ? p->amplitude / p->period : p->amplitude;
}

static double largest(const jd_sweep_view *v, bool speed) {
    double most = 0;
    for (int i = 0; i < v->n_point; i++)
        if (isfinite(shown(&v->point[i], speed)))
            most = fmax(most, fabs(shown(&v->point[i], speed)));
    return most;
}

// By magnitude where that spans more than a decade; points that do not move stay pale, the same for
// a measure and its speed. Sets below a share of the largest are what is left of a motion that
// stands still on the whole.
static void amplitude_map(const chart *c, double left, bool speed) {
    const jd_sweep_view *v = c->v;
    bool rest = false, below = false;
    double most = largest(v, speed), least = most,
           none = (of_sets(c) ? 1e-5 : no_motion) * largest(v, false);
    jd_scale k = speed ? jd_scale_of(c->arena, c->si, "driving speed", "m/s", most)
                       : scale_of(c, v->measure, false, most);
    jd_heat *h = heat_of(c, k.label);
    if (!h) return;
    double *value = (double *)h->value;
    for (int j = 0; j < h->n_y; j++)
        for (int i = 0; i < h->n_x; i++) {
            double a = shown(at(v, i, j), speed);
            bool still = fabs(shown(at(v, i, j), false)) < none;
            value[j * h->n_x + i] = still ? (double)NAN : a * k.factor;
            rest |= still;
            below |= !still && a < 0;
            if (!still && a > 0) least = fmin(least, a);
        }
    h->log = !below && least < most / 10;
    h->high = most > 0 ? most * k.factor : 1;
    h->low = below ? -h->high : h->log ? fmax(least, decades * most) * k.factor : 0;
    map_panel(c, left, h, rest ? "does not move" : NULL);
}

// Numbers of events in a period, few enough to have a colour each; the last stands for all above.
static void event_map(const chart *c, double left) {
    const jd_sweep_view *v = c->v;
    jd_heat *h = heat_of(c, "events in a period");
    const char **name = JD_TAKE(c->arena, const char *, CLASSES);
    if (!h || !name) return;
    long kind[CLASSES];
    int n = 0;
    for (long last = -1; n < CLASSES; kind[n++] = last) { // the least one above the last
        long next = LONG_MAX;
        for (int i = 0; i < v->n_point; i++) {
            const jd_sweep_point *p = &v->point[i];
            if (p->done && p->settled && p->events > last && p->events < next) next = p->events;
        }
        if (next == LONG_MAX) break;
        last = next;
    }
    double *value = (double *)h->value;
    for (int j = 0; j < h->n_y; j++)
        for (int i = 0; i < h->n_x; i++) {
            const jd_sweep_point *p = at(v, i, j);
            int m = 0;
            while (m < n - 1 && kind[m] < p->events) m++;
            value[j * h->n_x + i] = p->done && p->settled ? m : (double)NAN;
        }
    for (int m = 0; m < n; m++) name[m] = jd_arena_format(c->arena, "%ld", kind[m]);
    h->n_step = n > 0 ? n : 1;
    h->step = name;
    if (n == 0) name[0] = "none";
    h->high = h->n_step - 1;
    map_panel(c, left, h, NULL);
}

// A map of n names: `number` says which one a point has, -1: none of them.
static void named_map(const chart *c, double left, const char *title, int n, const char **name,
                      int (*number)(const jd_sweep_point *)) {
    jd_heat *h = heat_of(c, title);
    if (!h || !name) return;
    double *value = (double *)h->value;
    bool other = false;
    for (int j = 0; j < h->n_y; j++)
        for (int i = 0; i < h->n_x; i++) {
            const jd_sweep_point *p = at(c->v, i, j);
            int k = p->done ? number(p) : -1;
            value[j * h->n_x + i] = k >= 0 && k < n ? k : (double)NAN;
            other |= p->done && !(k >= 0 && k < n);
        }
    h->n_step = n;
    h->step = name;
    h->high = n - 1;
    map_panel(c, left, h, other ? "none of these" : NULL);
}

static int class_of(const jd_sweep_point *p) { return p->class_number; }
static int attractor_of(const jd_sweep_point *p) { return p->attractor - 1; }

static void class_map(const chart *c, double left) {
    int n = c->v->n_class;
    const char **name = JD_TAKE(c->arena, const char *, n);
    for (int k = 0; name && k < n; k++) name[k] = c->v->class_name[k];
    named_map(c, left, "kind of motion", n, name, class_of);
}

// Basins of attraction: which settled motion each start leads to.
static void basin_map(const chart *c, double left) {
    int n = c->v->n_attractor < CLASSES ? c->v->n_attractor : CLASSES;
    const char **name = JD_TAKE(c->arena, const char *, n);
    for (int k = 0; name && k < n; k++) name[k] = jd_arena_format(c->arena, "%d", k + 1);
    named_map(c, left, "attractor reached", n, name, attractor_of);
}

static void map(chart *c) {
    int longest = 0; // name of a class
    for (int k = 0; k < c->v->n_class; k++)
        if ((int)strlen(c->v->class_name[k]) > longest) longest = (int)strlen(c->v->class_name[k]);
    c->scene->width = 1060 + 6.5 * longest;
    c->scene->height = top_of_maps(c) + 370 + 62;
    amplitude_map(c, 82, false);
    if (c->v->n_attractor)
        basin_map(c, 82 + 370 + 160);
    else if (c->v->n_class)
        class_map(c, 82 + 370 + 160);
    else if (of_sets(c))
        amplitude_map(c, 82 + 370 + 160, true);
    else
        event_map(c, 82 + 370 + 160);
}

// One family of points: carried up or down, of one kind.
typedef struct family {
    int direction;
    jd_motion motion;
    const char *label;
    jd_ink ink;
} family;

// Files written before motions were told apart say `settled` alone.
static jd_motion kind_of(const jd_sweep_point *q) {
    return q->settled ? JD_MOTION_PERIODIC : q->motion;
}

static void add_points(const chart *c, jd_panel *p, const family *f, bool samples, double factor) {
    const jd_sweep_view *v = c->v;
    int each = samples ? v->n_sample : 1, n = 0;
    double *x = JD_TAKE(c->arena, double, v->n_point *each);
    double *y = JD_TAKE(c->arena, double, v->n_point *each);
    for (int i = 0; x && y && i < v->n_point; i++) {
        const jd_sweep_point *q = &v->point[i];
        if (!q->done || kind_of(q) != f->motion || q->direction != f->direction) continue;
        int many = samples && q->settled && q->periods < each ? q->periods : each;
        for (int k = 0; k < many; k++) {
            x[n] = q->value[0];
            y[n++] = factor * (samples ? q->sample[2 * k] : q->amplitude);
        }
    }
    if (n == 0) return;
    double small = samples ? 2 : 4;
    jd_panel_series(p, (jd_series){.label = samples ? NULL : f->label,
                                   .stroke = samples ? JD_STROKE_DOTS : mark_of(f->motion),
                                   .ink = f->ink,
                                   .size = f->motion != JD_MOTION_PERIODIC ? small
                                           : f->direction > 0              ? 5.5
                                                                           : 3,
                                   .n = n,
                                   .x = x,
                                   .y = y});
}

static double largest_sample(const jd_sweep_view *v) {
    double most = 0;
    for (int i = 0; i < v->n_point; i++)
        for (int k = 0; v->point[i].done && k < v->n_sample; k++)
            if (isfinite(v->point[i].sample[2 * k]))
                most = fmax(most, fabs(v->point[i].sample[2 * k]));
    return most;
}

static void diagram_panel(const chart *c, double top, bool samples) {
    static const family list[] = {
        {0, JD_MOTION_UNSETTLED, "not settled", JD_INK_GREY},
        {1, JD_MOTION_UNSETTLED, "up, not settled", JD_INK_SKY},
        {-1, JD_MOTION_UNSETTLED, "down, not settled", JD_INK_ORANGE},
        {0, JD_MOTION_QUASI_PERIODIC, "quasi-periodic", JD_INK_GREEN},
        {1, JD_MOTION_QUASI_PERIODIC, "up, quasi-periodic", JD_INK_GREEN},
        {-1, JD_MOTION_QUASI_PERIODIC, "down, quasi-periodic", JD_INK_GREEN},
        {0, JD_MOTION_CHAOTIC, "chaotic", JD_INK_PURPLE},
        {1, JD_MOTION_CHAOTIC, "up, chaotic", JD_INK_PURPLE},
        {-1, JD_MOTION_CHAOTIC, "down, chaotic", JD_INK_PURPLE},
        {0, JD_MOTION_CHATTERING, "chattering", JD_INK_ORANGE},
        {1, JD_MOTION_CHATTERING, "up, chattering", JD_INK_ORANGE},
        {-1, JD_MOTION_CHATTERING, "down, chattering", JD_INK_ORANGE},
        {0, JD_MOTION_PERIODIC, "settled", JD_INK_BLUE},
        {1, JD_MOTION_PERIODIC, "up", JD_INK_BLUE},
        {-1, JD_MOTION_PERIODIC, "down", JD_INK_VERMILLION}};
    const jd_sweep_view *v = c->v;
    double low = fmin(v->values[0][0], v->values[0][v->count[0] - 1]);
    double high = fmax(v->values[0][0], v->values[0][v->count[0] - 1]);
    const char *word = samples ? "displacement at drive phase 0" : v->measure;
    double most = samples ? largest_sample(v) : largest_amplitude(v);
    jd_scale k = scale_of(c, word, false, most);
    jd_panel *p = jd_scene_add(
        c->scene, (jd_panel){.left = 82,
                             .top = top,
                             .width = 858,
                             .height = 250,
                             .x = {c->label[0], low, high, v->log[0], !samples, 0, NULL},
                             .y = {.label = k.label}});
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        add_points(c, p, &list[i], samples, k.factor);
    if (!samples) curves(c, p, k.factor);
}

static void diagram(chart *c) {
    c->scene->width = 960;
    c->scene->height = 92 + 250 + 34 + 250 + 62;
    diagram_panel(c, 92, false);
    diagram_panel(c, 92 + 250 + 34, true);
}

jd_scene *jd_sweep_scene(jd_arena *arena, jd_caption caption, const jd_sweep_view *v) {
    if (v->n_draw > 0) return jd_sample_scene(arena, caption, v);
    int done = 0, settled = 0;
    for (int i = 0; i < v->n_point; i++) {
        done += v->point[i].done;
        settled += v->point[i].done && v->point[i].settled;
    }
    chart c = {.arena = arena, .si = caption.si, .v = v};
    for (int k = 0; k < v->n_parameter; k++)
        c.label[k] = jd_parameter_label(arena, &caption, v->parameter[k]);
    c.scene = jd_scene_create(
        arena, (jd_scene){.title = caption.title,
                          .subtitle = jd_arena_format(arena, "settled motion: %d of %d points",
                                                      settled, done)});
    if (c.scene && v->n_parameter > 1)
        map(&c);
    else if (c.scene)
        diagram(&c);
    return c.scene;
}
