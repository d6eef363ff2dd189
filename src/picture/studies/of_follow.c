// of_follow.c -- a branch of periodic orbits as a picture: the measure and the largest multiplier
// over the parameter; stable parts drawn through, unstable ones dashed, those that are neither
// dotted, special points ringed.
#include <math.h>
#include <string.h>

#include "judder/picture.h"
#include "picture/scenes.h"

enum { LEFT = 82, TOP = 92, WIDTH = 858, HEIGHT = 360, LOW = 130, GAP = 34 };
static const double most_shown = 2; // of |multiplier|: beyond it is only known to be unstable

typedef struct chart {
    jd_arena *arena;
    const jd_follow_view *v;
    const char *label; // of the parameter's axis
    double factor;     // of the measure, to its unit
} chart;

static double measure_of(const chart *c, int i) { return c->factor * c->v->point[i].amplitude; }
static double size_of(const chart *c, int i) {
    const double *m = c->v->point[i].multiplier;
    return hypot(m[0], m[1]);
}

typedef double value_of(const chart *c, int i);

// The largest multiplier passes the unit circle there, not another one.
static bool crosses(const jd_special *p) {
    return p->kind <= JD_SPECIAL_BRANCH && p->stable_before != p->stable_after;
}

// Special points lie between point s.point - 1 and s.point; lines go through them, and change there
// from one stability to the other.
static void put_special(const chart *c, int i, bool values, jd_series *s, double *x, double *y) {
    for (int k = 0; k < c->v->n_special; k++) {
        const jd_special *p = &c->v->special[k];
        if (p->point != i || (!values && !crosses(p))) continue;
        x[s->n] = p->parameter;
        y[s->n++] = values ? c->factor * p->amplitude : 1; // a multiplier on the unit circle
    }
}

// How a point of the branch is drawn.
enum { UNSTABLE, STABLE, NEITHER, KINDS };
static int kind_of(const jd_follow_view *v, int i) {
    const jd_branch_point *n = &v->point[i];
    return n->stable ? STABLE : n->undecided || n->n_unstable == 0 ? NEITHER : UNSTABLE;
}

static void line(const chart *c, jd_panel *p, int kind, value_of *value) {
    static const char *const label[KINDS] = {"unstable", "stable", "neutral or undecided"};
    static const jd_stroke stroke[KINDS] = {JD_STROKE_DASHED, JD_STROKE_LINE, JD_STROKE_DOTTED};
    static const jd_ink ink[KINDS] = {JD_INK_VERMILLION, JD_INK_BLUE, JD_INK_BLACK};
    const jd_follow_view *v = c->v;
    int room = 3 * v->n_point + v->n_special + 1;
    double *x = JD_TAKE(c->arena, double, room), *y = JD_TAKE(c->arena, double, room);
    bool values = value == measure_of, any = false;
    jd_series s = {.label = values ? label[kind] : NULL,
                   .stroke = stroke[kind],
                   .ink = ink[kind],
                   .size = 2,
                   .x = x,
                   .y = y};
    if (!x || !y) return;
    for (int i = 0; i < v->n_point; i++) {
        bool here = kind_of(v, i) == kind, before = i > 0 && kind_of(v, i - 1) == kind;
        if (here || before) put_special(c, i, values, &s, x, y);
        x[s.n] = here || before ? v->point[i].parameter : (double)NAN;
        y[s.n++] = here ? value(c, i) : (double)NAN;
        any |= here;
    }
    if (v->n_point > 0 && kind_of(v, v->n_point - 1) == kind)
        put_special(c, v->n_point, values, &s, x, y);
    if (any) jd_panel_series(p, s);
}

// Another branch behind: one ink, stable or not, in thin lines.
static void line_beside(const chart *c, jd_panel *p, int number) {
    static const jd_ink ink[] = {JD_INK_GREY, JD_INK_ORANGE, JD_INK_GREEN, JD_INK_PURPLE};
    const jd_follow_view *v = c->v->beside[number].view;
    for (int stable = 1; stable >= 0; stable--) {
        double *x = JD_TAKE(c->arena, double, v->n_point),
               *y = JD_TAKE(c->arena, double, v->n_point);
        jd_series s = {.label = stable ? c->v->beside[number].name : NULL,
                       .stroke = stable ? JD_STROKE_LINE : JD_STROKE_DASHED,
                       .ink = ink[number % 4],
                       .size = 1,
                       .n = v->n_point,
                       .x = x,
                       .y = y};
        if (!x || !y) return;
        for (int i = 0; i < v->n_point; i++) { // the pen stays down up to the next point
            bool here = v->point[i].stable == stable || (i && v->point[i - 1].stable == stable);
            x[i] = here ? v->point[i].parameter : (double)NAN;
            y[i] = here ? c->factor * v->point[i].amplitude : (double)NAN;
        }
        jd_panel_series(p, s);
    }
}

static void specials(const chart *c, jd_panel *p) {
    static const jd_ink ink[] = {JD_INK_BLACK, JD_INK_GREEN, JD_INK_PURPLE, JD_INK_ORANGE};
    const jd_follow_view *v = c->v;
    int used = 0, left = -1; // kinds still to come: drawn smaller, on top of these
    bool there[JD_SPECIAL_COUNT] = {false};
    for (int k = 0; k < v->n_special; k++) there[v->special[k].kind] = true;
    for (int kind = 0; kind < JD_SPECIAL_COUNT; kind++) left += there[kind];
    if (v->n_special > 20) left = 0;
    for (int kind = 0; kind < JD_SPECIAL_COUNT; kind++) {
        double *x = JD_TAKE(c->arena, double, v->n_special);
        double *y = JD_TAKE(c->arena, double, v->n_special);
        int n = 0;
        for (int k = 0; x && y && k < v->n_special; k++) {
            if ((int)v->special[k].kind != kind) continue;
            x[n] = v->special[k].parameter;
            y[n++] = c->factor * v->special[k].amplitude;
        }
        if (n == 0) continue;
        jd_panel_series(p, (jd_series){.label = jd_special_name((jd_special_kind)kind),
                                       .stroke = jd_mark_of(used),
                                       .ink = ink[used % 4],
                                       .size = v->n_special > 60 ? 7 : 6 + 1.7 * left,
                                       .n = n,
                                       .x = x,
                                       .y = y});
        used++;
        if (v->n_special <= 20) left--;
    }
}

static jd_axis parameter_axis(const chart *c, bool bare) {
    const jd_follow_view *v = c->v;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < v->n_point; i++) {
        low = fmin(low, v->point[i].parameter);
        high = fmax(high, v->point[i].parameter);
    }
    for (int k = 0; k < v->n_special; k++) {
        low = fmin(low, v->special[k].parameter);
        high = fmax(high, v->special[k].parameter);
    }
    double margin = high > low ? 0.02 * (high - low) : fmax(0.1 * fabs(low), 1e-300);
    return (jd_axis){c->label, low - margin, high + margin, false, bare, 0, NULL};
}

static void measure_panel(chart *c, jd_scene *scene, bool si) {
    const jd_follow_view *v = c->v;
    double most = 0;
    for (int i = 0; i < v->n_point; i++) most = fmax(most, fabs(v->point[i].amplitude));
    jd_scale k = jd_scale_of(c->arena, si, jd_measure_label(c->arena, v->measure),
                             jd_measure_unit(v->measure), most);
    c->factor = k.factor;
    jd_panel *p = jd_scene_add(scene, (jd_panel){.left = LEFT,
                                                 .top = TOP,
                                                 .width = WIDTH,
                                                 .height = HEIGHT,
                                                 .x = parameter_axis(c, true),
                                                 .y = {.label = k.label}});
    for (int i = 0; i < v->n_beside; i++) line_beside(c, p, i);
    for (int kind = KINDS - 1; kind >= 0; kind--) line(c, p, kind, measure_of);
    specials(c, p);
}

static void multiplier_panel(chart *c, jd_scene *scene) {
    double most = 1.1;
    for (int i = 0; i < c->v->n_point; i++) most = fmax(most, size_of(c, i));
    jd_panel *p = jd_scene_add(
        scene, (jd_panel){.left = LEFT,
                          .top = TOP + HEIGHT + GAP,
                          .width = WIDTH,
                          .height = LOW,
                          .x = parameter_axis(c, false),
                          .y = {.label = "largest |μ|", .high = fmin(1.05 * most, most_shown)}});
    jd_panel_level(p, 1, JD_INK_GREY, NULL);
    for (int kind = KINDS - 1; kind >= 0; kind--) line(c, p, kind, size_of);
}

// Points of codimension 2, a ring and a word each.
static void curve_specials(jd_arena *arena, jd_panel *p, const jd_follow_view *v) {
    static const jd_ink ink[] = {JD_INK_BLACK, JD_INK_ORANGE, JD_INK_GREEN, JD_INK_PURPLE};
    for (int k = 0; k < v->kept.n_curve_special; k++) {
        double *at = JD_TAKE(arena, double, 2);
        if (!at) return;
        at[0] = v->kept.curve_special[k].parameter;
        at[1] = v->kept.curve_special[k].second;
        bool named = false; // in the key already
        for (int i = 0; i < k; i++)
            named |= !strcmp(v->kept.curve_special[i].name, v->kept.curve_special[k].name);
        jd_panel_series(p, (jd_series){.label = named ? NULL : v->kept.curve_special[k].name,
                                       .stroke = jd_mark_of(k),
                                       .ink = ink[k % 4],
                                       .size = 7,
                                       .n = 1,
                                       .x = at,
                                       .y = at + 1});
    }
}

// A curve of special points: the second parameter and the measure over the first.
static jd_scene *curve_scene(jd_arena *arena, jd_caption caption, const jd_follow_view *v) {
    double *x = JD_TAKE(arena, double, v->n_curve), *y = JD_TAKE(arena, double, v->n_curve),
           *z = JD_TAKE(arena, double, v->n_curve), most = 0, low = HUGE_VAL, high = -HUGE_VAL;
    jd_scene *scene = jd_scene_create(
        arena,
        (jd_scene){.title = caption.title,
                   .subtitle = jd_arena_format(
                       arena, "curve of %s over %s and %s: %d points; %s", jd_curve_name(v->curve),
                       jd_parameter_words(arena, v->parameter),
                       jd_parameter_words(arena, v->second), v->n_curve, jd_end_text(v->end)),
                   .width = LEFT + WIDTH + 20,
                   .height = TOP + HEIGHT + GAP + LOW + 62});
    if (!x || !y || !z || !scene) return scene;
    for (int i = 0; i < v->n_curve; i++) most = fmax(most, fabs(v->curve_point[i].amplitude));
    jd_scale k = jd_scale_of(arena, caption.si, jd_measure_label(arena, v->measure),
                             jd_measure_unit(v->measure), most);
    for (int i = 0; i < v->n_curve; i++) {
        x[i] = v->curve_point[i].parameter;
        y[i] = v->curve_point[i].second;
        z[i] = k.factor * v->curve_point[i].amplitude;
        low = fmin(low, x[i]);
        high = fmax(high, x[i]);
    }
    double margin = high > low ? 0.02 * (high - low) : fmax(0.1 * fabs(low), 1e-300);
    jd_axis axis = {jd_parameter_label(arena, &caption, v->parameter),
                    low - margin,
                    high + margin,
                    false,
                    true,
                    0,
                    NULL};
    jd_panel frame = {.left = LEFT, .top = TOP, .width = WIDTH, .height = HEIGHT, .x = axis};
    frame.y = (jd_axis){.label = jd_parameter_label(arena, &caption, v->second)};
    jd_series s = {.ink = JD_INK_BLUE, .size = 2, .n = v->n_curve, .x = x, .y = y};
    s.label = jd_curve_name(v->curve);
    jd_panel *first = jd_scene_add(scene, frame);
    jd_panel_series(first, s);
    curve_specials(arena, first, v);
    frame.top = TOP + HEIGHT + GAP;
    frame.height = LOW;
    frame.x.bare = false;
    frame.y = (jd_axis){.label = k.label};
    s.y = z;
    s.label = NULL;
    jd_panel_series(jd_scene_add(scene, frame), s);
    return scene;
}

jd_scene *jd_follow_scene(jd_arena *arena, jd_caption caption, const jd_follow_view *v) {
    if (v->n_curve > 0) return curve_scene(arena, caption, v);
    if (v->family) return jd_family_scene(arena, caption, v);
    chart c = {.arena = arena, .v = v};
    c.label = jd_parameter_label(arena, &caption, v->parameter);
    jd_scene *scene = jd_scene_create(
        arena, (jd_scene){.title = caption.title,
                          .subtitle = jd_arena_format(
                              arena, "%s along %s: %d points, %d special; %s",
                              v->of == JD_FOLLOW_STEADY ? "steady slip" : "periodic orbits",
                              jd_parameter_words(arena, v->parameter), v->n_point, v->n_special,
                              jd_end_text(v->end)),
                          .width = LEFT + WIDTH + 20,
                          .height = TOP + HEIGHT + GAP + LOW + 62});
    measure_panel(&c, scene, caption.si);
    multiplier_panel(&c, scene);
    return scene;
}
