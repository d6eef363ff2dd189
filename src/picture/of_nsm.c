// of_nsm.c -- nonsmooth modes as a picture: the frequency-energy plot.
//   Both axes by magnitude. A linear mode of frequency omega_j keeps away from the stop up to the
//   energy at which it grazes; seen with the period k T_j it has the frequency omega_j/k. There the
//   branches start.
#include <math.h>

#include "picture/scenes.h"

enum { LEFT = 92, TOP = 124, WIDTH = 840, HEIGHT = 560, SPACE = 15 };

typedef struct chart {
    jd_arena *arena;
    const jd_nsm_result *lines;
    jd_panel *panel;
    bool crowded; // too many branches for names and subharmonics
    double low_energy, high_energy, low_omega, high_omega;
} chart;

// A polyline that grows; NaN lifts the pen.
typedef struct path {
    int n, room;
    double *x, *y;
} path;

static path path_of(chart *c, int room) {
    path p = {
        .room = room, .x = JD_TAKE(c->arena, double, room), .y = JD_TAKE(c->arena, double, room)};
    if (!p.x || !p.y) p.room = 0;
    return p;
}

static void put(path *p, double x, double y) {
    if (p->n >= p->room) return;
    p->x[p->n] = x;
    p->y[p->n++] = y;
}

static void lift(path *p) { put(p, (double)NAN, (double)NAN); }

static void draw(chart *c, const path *p, const char *label, jd_stroke stroke, jd_ink ink,
                 double size) {
    if (p->n > 0)
        jd_panel_series(c->panel, (jd_series){.label = label,
                                              .stroke = stroke,
                                              .ink = ink,
                                              .size = size,
                                              .n = p->n,
                                              .x = p->x,
                                              .y = p->y});
}

// What the axes must hold: every start, every grazing end, and the lowest energy between.
static void find_range(chart *c) {
    double most = 0, start = 0;
    c->low_energy = c->low_omega = HUGE_VAL;
    for (int i = 0; i < c->lines->n_line; i++) {
        const jd_nsm_branch *b = &c->lines->line[i].branch;
        for (int k = 0; k < c->lines->line[i].n; k++)
            c->low_energy = fmin(c->low_energy, c->lines->line[i].energy[k]);
        c->low_omega = fmin(c->low_omega, b->omega_start);
        c->high_omega = fmax(c->high_omega, b->omega_end);
        start = fmax(start, b->energy_start);
        if (b->end == JD_NSM_GRAZE) most = fmax(most, b->energy_end);
    }
    for (int i = 0; i < c->lines->n_sustained; i++) {
        const jd_nsm_sustained *o = &c->lines->sustained[i];
        c->low_energy = fmin(c->low_energy, o->energy);
        c->low_omega = fmin(c->low_omega, o->omega);
        c->high_omega = fmax(c->high_omega, o->omega);
        if (c->lines->n_line == 0) start = fmax(start, o->energy);
    }
    c->low_energy /= 5;
    c->high_energy = 3 * fmax(10 * start, fmin(most, 1e3 * start));
    c->low_omega /= 1.04;
    c->high_omega *= 1.07;
}

static void linear_modes(chart *c, bool whole) {
    path p = path_of(c, 3 * c->lines->n_line);
    for (int i = 0; i < c->lines->n_line; i++) {
        const jd_nsm_branch *b = &c->lines->line[i].branch;
        if ((b->divisor == 1) != whole) continue;
        put(&p, c->low_energy, b->omega_start);
        put(&p, b->energy_start, b->omega_start);
        lift(&p);
    }
    draw(c, &p, whole ? "linear mode" : "its subharmonics",
         whole ? JD_STROKE_LINE : JD_STROKE_DOTTED, JD_INK_GREY, c->crowded ? 0.6 : 1.2);
}

// Energy of a branch at a frequency between its orbits, by magnitude.
static double energy_at(const jd_nsm_line *line, double omega) {
    const double *w = line->omega, *e = line->energy;
    int k = 1;
    while (k < line->n - 1 && w[k] < omega) k++;
    if (line->n < 2 || !(w[k] > w[k - 1])) return line->branch.energy_start;
    return e[k - 1] * pow(e[k] / e[k - 1], (omega - w[k - 1]) / (w[k] - w[k - 1]));
}

// One stretch of a branch between two frequencies.
static void stretch(const jd_nsm_line *line, double from, double to, path *p) {
    const jd_nsm_branch *b = &line->branch;
    put(p, from == b->omega_start ? b->energy_start : energy_at(line, from), from);
    for (int k = 0; k < line->n; k++)
        if (line->omega[k] > from && line->omega[k] < to) put(p, line->energy[k], line->omega[k]);
    if (to < b->omega_end)
        put(p, energy_at(line, to), to);
    else if (b->end == JD_NSM_GRAZE)
        put(p, b->energy_end, to);
    lift(p);
}

enum { STABLE, UNSTABLE, NOT_JUDGED, KINDS };

static void branches(chart *c) {
    static const char *const label[] = {"stable", "unstable", "branch"};
    static const jd_ink ink[] = {JD_INK_BLUE, JD_INK_VERMILLION, JD_INK_BLUE};
    path p[KINDS];
    int room = 0;
    for (int i = 0; i < c->lines->n_line; i++)
        room += c->lines->line[i].n + 3 + 3 * c->lines->line[i].branch.n_interval;
    for (int k = 0; k < KINDS; k++) p[k] = path_of(c, room);
    for (int i = 0; i < c->lines->n_line; i++) {
        const jd_nsm_line *line = &c->lines->line[i];
        const jd_nsm_branch *b = &line->branch;
        if (b->n_interval == 0) stretch(line, b->omega_start, b->omega_end, &p[NOT_JUDGED]);
        for (int k = 0; k < b->n_interval; k++)
            stretch(line, b->interval[k].from, b->interval[k].to,
                    &p[b->interval[k].stable ? STABLE : UNSTABLE]);
    }
    for (int k = KINDS - 1; k >= 0; k--)
        draw(c, &p[k], label[k], k == UNSTABLE && !c->crowded ? JD_STROKE_DASHED : JD_STROKE_LINE,
             ink[k], (c->crowded ? 0.5 : 1) * (k == STABLE ? 2 : 1.4));
}

static void families(chart *c) {
    static const char *const label[] = {"bridge", "pair", "symmetric"};
    static const jd_ink ink[] = {JD_INK_ORANGE, JD_INK_PURPLE, JD_INK_GREEN};
    static const jd_stroke stroke[] = {JD_STROKE_DASH_DOT, JD_STROKE_DASH_DOT_DOT,
                                       JD_STROKE_LONG_DASH};
    for (int kind = 0; kind < 3; kind++) {
        int room = 0;
        for (int i = 0; i < c->lines->n_family; i++) room += c->lines->family[i].family.n + 1;
        path p = path_of(c, room);
        for (int i = 0; i < c->lines->n_family; i++) {
            const jd_nsm_family *f = &c->lines->family[i].family;
            if ((int)f->kind != kind) continue;
            for (int k = 0; k < f->n; k++) put(&p, f->energy[k], f->omega[k]);
            lift(&p);
        }
        draw(c, &p, label[kind], stroke[kind], ink[kind], 1.2);
    }
}

static void ends(chart *c) {
    path from = path_of(c, c->lines->n_line), to = path_of(c, c->lines->n_line);
    for (int i = 0; i < c->lines->n_line; i++) {
        const jd_nsm_branch *b = &c->lines->line[i].branch;
        put(&from, b->energy_start, b->omega_start);
        if (b->end == JD_NSM_GRAZE) put(&to, b->energy_end, b->omega_end);
    }
    double small = c->crowded ? 2.5 : 5;
    draw(c, &from, "linear grazing", JD_STROKE_RINGS, JD_INK_BLACK, small);
    draw(c, &to, "grazing end", JD_STROKE_DOTS, JD_INK_BLACK, small);
}

// Frequencies at which the equations of one impact have solutions that are no orbits.
static void phantoms(chart *c, bool over_period) {
    for (int i = 0; i < c->lines->n_phantom; i++) {
        const jd_nsm_phantom *f = &c->lines->phantom[i];
        double low = fmax(f->from, c->low_omega), high = fmin(f->to, c->high_omega);
        jd_box b = {
            .label = i ? NULL : "phantoms", .left = (double)NAN, .right = (double)NAN, .low = low};
        b.high = high;
        b.ink = JD_INK_PALE;
        if (over_period) {
            b.left = 2 * acos(-1.0) / high;
            b.right = 2 * acos(-1.0) / low;
            b.low = b.high = (double)NAN;
        }
        if (low < high) jd_panel_box(c->panel, b);
    }
}

// 1/v over the period of every orbit of one impact: w of the paper where the gap is 1.
static void impact_line(chart *c, const jd_nsm_line *line, int number) {
    double *x = JD_TAKE(c->arena, double, line->n), *y = JD_TAKE(c->arena, double, line->n);
    if (!x || !y) return;
    for (int k = 0; k < line->n; k++) {
        x[k] = 2 * acos(-1.0) / line->omega[k];
        y[k] = line->speed[k] != 0 ? 1 / fabs(line->speed[k]) : (double)NAN;
    }
    jd_panel_series(c->panel, (jd_series){.label = number ? NULL : "orbits of one impact",
                                          .ink = JD_INK_BLUE,
                                          .size = 2,
                                          .n = line->n,
                                          .x = x,
                                          .y = y});
}

// Orbits that rest on the stop stand alone.
static void sustained(chart *c) {
    path p = path_of(c, c->lines->n_sustained);
    for (int i = 0; i < c->lines->n_sustained; i++)
        if (c->lines->sustained[i].energy < c->high_energy)
            put(&p, c->lines->sustained[i].energy, c->lines->sustained[i].omega);
    draw(c, &p, "rests on the stop", JD_STROKE_GEMS, JD_INK_GREEN, c->crowded ? 5 : 9);
}

// Names at the left edge, linear modes first, where they do not write over each other.
static void names(chart *c) {
    int n = c->lines->n_line, used = 0;
    double *at = JD_TAKE(c->arena, double, n);
    double scale = HEIGHT / log(c->high_omega / c->low_omega);
    for (int round = 0; at && round < 2; round++)
        for (int i = 0; i < n; i++) {
            const jd_nsm_branch *b = &c->lines->line[i].branch;
            double y = scale * log(b->omega_start); // [px]
            bool room = (b->divisor > 1) == round && (round == 0 || !c->crowded);
            for (int k = 0; k < used; k++) room = room && fabs(y - at[k]) >= SPACE;
            if (!room) continue;
            at[used++] = y;
            const char *text = b->divisor == 1
                                   ? jd_arena_format(c->arena, "ω%d", b->mode)
                                   : jd_arena_format(c->arena, "ω%d/%d", b->mode, b->divisor);
            jd_panel_note(c->panel, (jd_note){.x = c->low_energy,
                                              .y = b->omega_start,
                                              .text = text,
                                              .ink = JD_INK_BLACK});
        }
}

static jd_scene *compose(chart *c, jd_caption caption) {
    int n = c->lines->n_line, judged = 0;
    for (int i = 0; i < n; i++) judged += c->lines->line[i].branch.n_interval > 0;
    const char *more =
        c->lines->n_family > 0
            ? jd_arena_format(c->arena, " and %d families of more", c->lines->n_family)
            : "";
    const char *alone =
        c->lines->n_sustained > 0
            ? jd_arena_format(c->arena, "; %d orbit%s that rest%s on the stop",
                              c->lines->n_sustained, c->lines->n_sustained == 1 ? "" : "s",
                              c->lines->n_sustained == 1 ? "s" : "")
            : "";
    jd_scene *scene = jd_scene_create(
        c->arena, (jd_scene){.title = caption.title,
                             .subtitle = jd_arena_format(
                                 c->arena,
                                 "nonsmooth modes: %d branch%s of one impact per "
                                 "period%s%s%s",
                                 n, n == 1 ? "" : "es", more ? more : "", alone ? alone : "",
                                 judged ? "" : ", stability not judged"),
                             .width = LEFT + WIDTH + 28,
                             .height = TOP + HEIGHT + 62});
    bool si = caption.si;
    find_range(c);
    c->crowded = n > 100;
    c->panel = jd_scene_add(
        scene, (jd_panel){.left = LEFT,
                          .top = TOP,
                          .width = WIDTH,
                          .height = HEIGHT,
                          .x = {.label = si ? "energy [J]" : "energy",
                                .low = c->low_energy,
                                .high = c->high_energy,
                                .log = true},
                          .y = {.label = si ? "angular frequency [rad/s]" : "angular frequency",
                                .low = c->low_omega,
                                .high = c->high_omega,
                                .log = true}});
    phantoms(c, false);
    linear_modes(c, true);
    if (!c->crowded) linear_modes(c, false);
    branches(c);
    families(c);
    ends(c);
    sustained(c);
    names(c);
    return scene;
}

jd_scene *jd_nsm_scene(jd_arena *arena, jd_caption caption, const jd_nsm_result *lines) {
    chart c = {.arena = arena, .lines = lines};
    return compose(&c, caption);
}

jd_scene *jd_nsm_impact_scene(jd_arena *arena, jd_caption caption, const jd_nsm_result *lines) {
    chart c = {.arena = arena, .lines = lines};
    double least = HUGE_VAL;
    find_range(&c);
    for (int i = 0; i < lines->n_line; i++)
        for (int k = 0; k < lines->line[i].n; k++)
            if (lines->line[i].speed[k] != 0)
                least = fmin(least, 1 / fabs(lines->line[i].speed[k]));
    jd_scene *scene =
        jd_scene_create(arena, (jd_scene){.title = caption.title,
                                          .subtitle = "orbits of one impact per period; at a gap "
                                                      "of 1 the curve is w(T)",
                                          .width = LEFT + WIDTH + 28,
                                          .height = TOP + HEIGHT + 62});
    c.panel = jd_scene_add(
        scene, (jd_panel){.left = LEFT,
                          .top = TOP,
                          .width = WIDTH,
                          .height = HEIGHT,
                          .x = {.label = caption.si ? "period [s]" : "period"},
                          .y = {.label = caption.si ? "1 / impact speed [s/m]" : "1 / impact speed",
                                .low = fmax(least / 2, 1e-4),
                                .high = 1e4 * fmax(least / 2, 1e-4), // 1/v grows towards grazing
                                .log = true}});
    phantoms(&c, true);
    for (int i = 0; i < lines->n_line; i++) impact_line(&c, &lines->line[i], i);
    return scene;
}
