// pages.c -- panels composed to pages, and energies in time.
#include <math.h>
#include <string.h>

#include "picture/motion/history.h"

static const jd_frame column = {82, 92, 500, 150}; // first panel of the left column
static const double page_width = 960, gap = 34, foot = 62;

typedef void row_panel(jd_scene *s, const jd_history *h, jd_frame at, bool bare);

typedef struct row {
    row_panel *draw;
    double height;
} row;

static double strip_height(const jd_history *h) {
    return fmin(20.0 * jd_history_phased(h), 220) + 10;
}

// Panels one below the other over the same time; gives the page its height.
static void stack(jd_scene *s, const jd_history *h, int n, const row *rows, jd_frame at) {
    for (int i = 0; i < n; i++) {
        at.height = rows[i].height;
        rows[i].draw(s, h, at, i < n - 1);
        at.top += at.height + gap;
    }
    s->height = at.top - gap + foot;
}

static int motion_rows(double height, row *rows) {
    rows[0] = (row){jd_history_displacement, height};
    rows[1] = (row){jd_history_velocity, height};
    return 2;
}

static int force_rows(const jd_history *h, double height, row *rows) {
    int n = 0;
    if (jd_history_has_force(h)) rows[n++] = (row){jd_history_force, height};
    if (jd_history_has_impacts(h)) rows[n++] = (row){jd_history_impulse, 0.7 * height};
    if (h->n_contact > 1 && jd_history_phased(h))
        rows[n++] = (row){jd_history_strip, strip_height(h)};
    return n;
}

// Right column: portraits of the first two contacts, or the only one's portrait and loop.
static void side(jd_scene *s, const jd_history *h) {
    int n = h->n_contact ? h->n_contact : h->n_point > 0;
    bool loop = n == 1 && h->n_contact == 1 && isnan(h->contact[0].gap);
    int panels = n > 1 || loop ? 2 : n;
    double room = s->height - column.top - foot;
    jd_frame at = {674, column.top, 266, panels == 2 ? (room - 78) / 2 : fmin(room, 330)};
    for (int i = 0; i < panels; i++) {
        if (loop && i == 1) {
            jd_history_loop(s, h, 0, at);
        } else {
            jd_history_portrait(s, h, i, at);
        }
        at.top += at.height + 78;
    }
}

static void page(jd_scene *s, const jd_history *h) {
    row rows[5];
    int n = motion_rows(column.height, rows);
    n += force_rows(h, column.height, rows + n);
    stack(s, h, n, rows, column);
    side(s, h);
}

static void history(jd_scene *s, const jd_history *h) {
    row rows[3];
    jd_frame at = column;
    at.width = page_width - at.left - 20;
    int n = motion_rows(200, rows);
    if (h->n_contact > 1 && jd_history_phased(h))
        rows[n++] = (row){jd_history_strip, strip_height(h)};
    stack(s, h, n, rows, at);
}

static void force(jd_scene *s, const jd_history *h) {
    row rows[3];
    jd_frame at = column;
    at.width = page_width - at.left - 20;
    int n = force_rows(h, 220, rows);
    if (n == 0) rows[n++] = (row){jd_history_force, 220};
    stack(s, h, n, rows, at);
}

// Small multiples, at most twelve.
static void portraits(jd_scene *s, const jd_history *h) {
    int n = h->n_contact ? h->n_contact : h->n_point;
    if (n > 12) n = 12;
    int across = n == 1 ? 1 : n <= 4 ? 2 : 3;
    double pitch = (page_width - 20) / across, width = across == 1 ? 560 : pitch - 90;
    double height = across == 1 ? 440 : 0.8 * width;
    int lines = (n + across - 1) / across;
    for (int i = 0; i < n; i++) {
        int line = i / across;
        jd_frame at = {82 + pitch * (i % across), 92 + (height + 82) * line, width, height};
        jd_history_portrait(s, h, i, at);
    }
    s->height = 92 + (height + 82) * lines - 82 + foot;
    if (across == 1) s->width = 82 + width + 30;
}

// One layer of the stack: from `low` to low + value, which becomes the next layer's floor.
static double *layer(jd_panel *p, const jd_history *h, const char *word, jd_ink ink, double factor,
                     const double *value, const double *low) {
    double *top = jd_scaled(p->arena, h->n, value, factor);
    if (!top || !low) return NULL;
    bool any = jd_largest(h->n, top) > 0;
    for (int i = 0; i < h->n; i++) top[i] += low[i];
    if (any) {
        jd_series s = {word, JD_STROKE_AREA, ink, 0, h->n, h->t, top, low, NULL};
        jd_panel_series(p, s);
    }
    return top;
}

static void energies(jd_scene *s, const jd_history *h, jd_frame at) {
    const jd_history_energy *e = h->energy;
    jd_scale k = jd_scale_of(s->arena, h->si, "energy", "J", jd_largest(h->n, e->supplied));
    jd_axis x = {.label = h->si ? "time [s]" : "time", .low = h->t[0], .high = h->t[h->n - 1]};
    jd_panel *p = jd_scene_add(s, (jd_panel){.left = at.left,
                                             .top = at.top,
                                             .width = at.width,
                                             .height = at.height,
                                             .x = x,
                                             .y = {.label = k.label}});
    const double *zero = JD_TAKE(s->arena, double, h->n);
    if (!p || !zero) return;
    // inks of different weight: neighbours differ in grey print
    double *top = layer(p, h, "lost in friction", JD_INK_ORANGE, k.factor, e->friction, zero);
    top = layer(p, h, "lost in impacts", JD_INK_BLACK, k.factor, e->impacts, top);
    top = layer(p, h, "lost in damping", JD_INK_BLUE, k.factor, e->damping, top);
    layer(p, h, "stored", JD_INK_PALE, k.factor, e->stored, top);
    double *line = jd_scaled(s->arena, h->n, e->supplied, k.factor);
    if (line)
        jd_panel_series(p, (jd_series){"supplied", JD_STROKE_LINE, JD_INK_BLACK, 1.3, h->n, h->t,
                                       line, NULL, NULL});
}

static void energy(jd_scene *s, const jd_history *h) {
    jd_frame at = {column.left, column.top, page_width - column.left - 20, 380};
    energies(s, h, at);
    s->height = at.top + at.height + foot;
}

// Sliding velocity at points along a contact.
static void slip(jd_scene *s, const jd_history *h) {
    jd_frame at = {column.left, column.top, page_width - column.left - 20, 300};
    jd_history_slip(s, h, at);
    s->height = at.top + at.height + foot;
}

// Growth in decades; six digits are right as long as it stays below the level.
static void horizon(jd_scene *s, const jd_history *h) {
    const double decade = log(10), epsilon = 2.2204460492503131e-16;
    jd_axis x = {.label = h->si ? "time [s]" : "time", .low = h->t[0], .high = h->t[h->n - 1]};
    jd_panel *p = jd_scene_add(s, (jd_panel){.left = column.left,
                                             .top = column.top,
                                             .width = page_width - column.left - 20,
                                             .height = 300,
                                             .x = x,
                                             .y = {.label = "growth of a change [decades]"}});
    double *y = jd_scaled(s->arena, h->n, h->growth, 1 / decade);
    jd_panel_level(p, log(1e-6 / epsilon) / decade, JD_INK_GREY, "fewer than six digits above");
    if (y)
        jd_panel_series(p,
                        (jd_series){.label = "change of the start", .n = h->n, .x = h->t, .y = y});
    s->height = column.top + 300 + foot;
}

jd_scene *jd_history_scene(jd_arena *arena, const jd_history *h, jd_picture_kind kind) {
    static void (*const draw[JD_PICTURE_KIND_COUNT])(jd_scene *, const jd_history *) = {
        [JD_PICTURE_PAGE] = page,
        [JD_PICTURE_HISTORY] = history,
        [JD_PICTURE_PORTRAIT] = portraits,
        [JD_PICTURE_FORCE] = force,
        [JD_PICTURE_ENERGY] = energy,
        [JD_PICTURE_SLIP] = slip,
        [JD_PICTURE_HORIZON] = horizon,
        [JD_PICTURE_HYSTERESIS] = jd_history_loops,
        [JD_PICTURE_STATUS] = jd_history_status,
        [JD_PICTURE_SPECTRUM] = jd_history_spectrum,
        [JD_PICTURE_WATERFALL] = jd_history_waterfall,
        [JD_PICTURE_POINCARE] = jd_history_poincare,
        [JD_PICTURE_MANIFOLD] = jd_history_two_fold};
    jd_scene *s = jd_scene_create(
        arena, (jd_scene){.title = h->title, .subtitle = h->subtitle, .width = page_width});
    if (s) draw[kind](s, h);
    return s;
}
