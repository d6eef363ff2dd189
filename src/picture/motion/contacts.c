// contacts.c -- what contacts do: loops of force over displacement, and a map of their states.
//   Energy lost in a loop: -sum of (F_i + F_{i+1})/2 (u_{i+1} - u_i). Samples stand at every event,
//   so it is exact for springs in series with sliders, whose force is straight over u.
#include <math.h>
#include <string.h>

#include "picture/motion/history.h"

static const double page_width = 960, left = 82, top = 92, below = 82, foot = 62;
enum { LOOPS = 9, COLUMNS = 900, STATES = 5 };

// What the contact takes out of the motion from sample `from` on, less what its spring gives back.
static double lost(const jd_history *h, const jd_history_contact *c, int from) {
    double sum = 0;
    for (int i = from; i + 1 < h->n; i++)
        sum -= (c->force[i] + c->force[i + 1]) / 2 * (c->u[i + 1] - c->u[i]);
    return sum;
}

// Whole periods at the end of the stretch, and the sample at which they begin; 0: none.
static int cycles(const jd_history *h, int *from) {
    double span = h->t[h->n - 1] - h->t[0];
    int n = h->period > 0 ? (int)floor(span / h->period + 1e-6) : 0;
    double begin = h->t[h->n - 1] - n * h->period - 1e-6 * h->period;
    *from = 0;
    while (n > 0 && h->t[*from] < begin) ++*from;
    return n;
}

// Impulses are no part of a loop.
static bool hits(const jd_history *h, int contact) {
    for (int i = 0; i < h->n_event; i++)
        if (h->event[i].contact == contact && h->event[i].impulse != 0) return true;
    return false;
}

// "0.00625 J lost per cycle"; rounding is 0.
static const char *words(jd_arena *arena, const jd_history *h, int contact) {
    const jd_history_contact *c = &h->contact[contact];
    int from, n = cycles(h, &from);
    double energy = lost(h, c, from) / (n > 0 ? n : 1);
    if (fabs(energy) <= 1e-12 * jd_largest(h->n, c->force) * jd_largest(h->n, c->u)) energy = 0;
    return jd_arena_format(arena, "%.6g%s lost %s%s", energy, h->si ? " J" : "",
                           n > 0 ? "per cycle" : "in this time",
                           hits(h, contact) ? ", without impacts" : "");
}

// The contacts drawn, in the order of the model: all, or those that lose most.
static int choose(const jd_history *h, int *list) {
    int n = 0;
    for (int j = 0; j < h->n_contact; j++) {
        if (h->contact[j].span) continue;
        if (n < LOOPS) {
            list[n++] = j;
            continue;
        }
        int least = 0;
        for (int i = 1; i < n; i++)
            if (lost(h, &h->contact[list[i]], 0) < lost(h, &h->contact[list[least]], 0)) least = i;
        if (lost(h, &h->contact[j], 0) <= lost(h, &h->contact[list[least]], 0)) continue;
        memmove(list + least, list + least + 1, (size_t)(n - least - 1) * sizeof *list);
        list[n - 1] = j;
    }
    return n;
}

void jd_history_loops(jd_scene *s, const jd_history *h) {
    int list[LOOPS], n = choose(h, list);
    int across = n == 1 ? 1 : n <= 4 ? 2 : 3, lines = (n + across - 1) / across;
    double pitch = (page_width - 20) / across, width = across == 1 ? 560 : pitch - 90;
    double height = across == 1 ? 440 : 0.8 * width;
    for (int i = 0; i < n; i++) {
        int line = i / across;
        jd_frame at = {left + pitch * (i % across), top + (height + below) * line, width, height};
        jd_history_loop(s, h, list[i], at);
        if (s->last_panel) s->last_panel->title = words(s->arena, h, list[i]);
    }
    if (n < jd_history_phased(h) && s->subtitle)
        s->subtitle = jd_arena_format(s->arena, "%s · the %d of %d contacts that lose most",
                                      s->subtitle, n, jd_history_phased(h));
    s->height = top + (height + below) * lines - below + foot;
    if (across == 1) s->width = left + width + 30;
}

// Number of a state in the map; NaN: unknown.
static double number(char letter) {
    static const char letters[] = "-H+|o";
    const char *at = letter ? strchr(letters, letter) : NULL;
    return at ? (double)(at - letters) : (double)NAN;
}

// The map: contacts that act at points, one row each, over evenly spaced times.
static jd_heat *map(jd_arena *arena, const jd_history *h) {
    static const char *const state[STATES] = {"slides −", "stuck", "slides +", "closed", "open"};
    int rows = jd_history_phased(h), row = 0;
    double *x = JD_TAKE(arena, double, COLUMNS), *y = JD_TAKE(arena, double, rows);
    double *value = JD_TAKE(arena, double, COLUMNS *rows);
    jd_heat *heat = JD_TAKE(arena, jd_heat, 1);
    if (!x || !y || !value || !heat) return NULL;
    double from = h->t[0], step = (h->t[h->n - 1] - from) / COLUMNS;
    for (int i = 0; i < COLUMNS; i++) x[i] = from + (i + 0.5) * step;
    for (int j = 0; j < h->n_contact; j++) {
        if (h->contact[j].span) continue;
        for (int i = 0, k = 0; i < COLUMNS; i++) {
            while (k + 1 < h->n && h->t[k + 1] <= x[i]) k++;
            value[row * COLUMNS + i] = number(h->contact[j].phase[k]);
        }
        y[row] = row + 1;
        row++;
    }
    *heat = (jd_heat){.label = "state of each contact",
                      .n_x = COLUMNS,
                      .n_y = rows,
                      .x = x,
                      .y = y,
                      .value = value,
                      .low = 0,
                      .high = STATES - 1,
                      .n_step = STATES,
                      .step = (const char **)state};
    return heat;
}

void jd_history_status(jd_scene *s, const jd_history *h) {
    jd_heat *heat = jd_history_phased(h) > 0 && h->n > 1 ? map(s->arena, h) : NULL;
    double height = fmin(fmax(18.0 * jd_history_phased(h), 120), 620);
    jd_scene_add(s, (jd_panel){.left = left,
                               .top = top,
                               .width = page_width - left - 130,
                               .height = height,
                               .heat = heat,
                               .x = {.label = h->si ? "time [s]" : "time"},
                               .y = {.label = "contact"}});
    s->height = top + height + foot;
}
