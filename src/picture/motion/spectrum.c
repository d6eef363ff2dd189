// spectrum.c -- motion over frequencies: amplitudes, their change in time, and states once a
// period.
//   Between samples u is the cubic with their displacements and velocities (error of order h^4).
//   Amplitude at omega: |2/(N mean w) sum_i w_i u_i e^(-i omega t_i)|, w Hann's window: a steady
//   sine of amplitude a in the middle of a bin is a peak of height a.
#include <math.h>

#include "base/constants.h"
#include "picture/motion/history.h"

enum { LINES = 4, GRID = 8192, BINS = 3000, ACROSS = 240, DOWN = 48, PIECE = 2048 };
static const double highest = 12;       // times the drive
static const double floor_below = 1e-8; // of the largest amplitude: not shown
static const jd_frame place = {92, 92, 840, 380};

typedef struct signal {
    const char *name;
    const double *u, *v;
} signal;

static int signals(const jd_history *h, signal *out) {
    int n = 0;
    for (int j = 0; j < h->n_contact && n < LINES; j++)
        out[n++] = (signal){h->contact[j].name, h->contact[j].u, h->contact[j].v};
    for (int i = 0; i < h->n_point && n < LINES; i++) {
        bool known = false;
        for (int j = 0; j < h->n_contact; j++) known |= h->contact[j].u == h->point[i].u;
        if (!known && h->n_contact == 0)
            out[n++] = (signal){h->point[i].name, h->point[i].u, h->point[i].v};
    }
    return n;
}

// Displacement at t >= h->t[*at]; *at moves on.
static double value_at(const jd_history *h, const signal *s, double t, int *at, double *speed) {
    while (*at + 2 < h->n && h->t[*at + 1] <= t) ++*at;
    int i = *at;
    double step = h->t[i + 1] - h->t[i], x = step > 0 ? (t - h->t[i]) / step : 0;
    double a = s->u[i], b = s->u[i + 1], p = s->v[i] * step, q = s->v[i + 1] * step;
    double c = 3 * (b - a) - 2 * p - q, d = 2 * (a - b) + p + q;
    if (speed) *speed = step > 0 ? (p + x * (2 * c + 3 * d * x)) / step : s->v[i];
    return a + x * (p + x * (c + x * d));
}

// n values from t0 on, dt apart, weighted by Hann's window.
static void weighted(const jd_history *h, const signal *s, double t0, double dt, int n,
                     double *out) {
    double mean = 0;
    int at = 0;
    for (int i = 0; i < n; i++) {
        out[i] = value_at(h, s, t0 + i * dt, &at, NULL);
        mean += out[i] / n;
    }
    for (int i = 0; i < n; i++) out[i] = (out[i] - mean) * (1 - cos(JD_TWO_PI * i / n));
}

static double amplitude(int n, const double *x, double turn) {
    double re = 0, im = 0, c = cos(turn), s = sin(turn), a = 1, b = 0;
    for (int i = 0; i < n; i++) {
        re += x[i] * a;
        im += x[i] * b;
        double next = a * c - b * s;
        b = a * s + b * c;
        a = next;
        if (i % 256 == 255) a = cos((i + 1) * turn), b = sin((i + 1) * turn); // no drift
    }
    return 2 * hypot(re, im) / n;
}

// Frequencies are shown over that of the drive, or in rad/s.
static double unit_of(const jd_history *h) { return h->period > 0 ? JD_TWO_PI / h->period : 1; }
static const char *label_of(const jd_history *h) {
    return h->period > 0 ? "frequency over that of the drive"
           : h->si       ? "frequency [rad/s]"
                         : "frequency";
}
static double reach_of(const jd_history *h, double span, int n) {
    double most = JD_TWO_PI * n / (8 * span);
    return h->period > 0 ? fmin(highest * unit_of(h), most) : most;
}

// As many values of the stretch as divide each drive period alike: what lies above half of their
// frequency then falls onto harmonics, not between them.
static int grid_of(const jd_history *h, double span) {
    double turns = h->period > 0 ? floor(span / h->period + 0.5) : 0;
    if (turns < 1 || turns > GRID / 16.0 || fabs(span / h->period - turns) > 1e-6) return GRID;
    return (int)turns * (GRID / (int)turns);
}

void jd_history_spectrum(jd_scene *s, const jd_history *h) {
    signal list[LINES];
    int n = signals(h, list);
    double span = h->t[h->n - 1] - h->t[0], bin = JD_TWO_PI / span;
    int grid = grid_of(h, span);
    double most = reach_of(h, span, grid);
    int bins = (int)fmin(BINS, most / bin);
    double *x = JD_TAKE(s->arena, double, GRID), *axis = JD_TAKE(s->arena, double, bins + 1),
           top = 0;
    double *y[LINES] = {NULL};
    if (!x || !axis) return;
    for (int k = 0; k < n; k++) {
        y[k] = JD_TAKE(s->arena, double, bins + 1);
        if (!y[k]) return;
        weighted(h, &list[k], h->t[0], span / grid, grid, x);
        for (int i = 0; i < bins; i++) {
            axis[i] = (i + 1) * bin / unit_of(h);
            y[k][i] = amplitude(grid, x, JD_TWO_PI * (i + 1) / grid);
            top = fmax(top, y[k][i]);
        }
    }
    jd_scale scale = jd_scale_of(s->arena, h->si, "amplitude", "m", top);
    jd_panel *p = jd_scene_add(
        s, (jd_panel){.left = place.left,
                      .top = place.top,
                      .width = place.width,
                      .height = place.height,
                      .x = {.label = label_of(h), .low = 0, .high = axis[bins > 0 ? bins - 1 : 0]},
                      .y = {.label = scale.label,
                            .low = floor_below * top * scale.factor,
                            .high = 2 * top * scale.factor,
                            .log = true}});
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < bins; i++) y[k][i] = scale.factor * fmax(y[k][i], floor_below * top);
        jd_panel_series(p, (jd_series){.label = list[k].name,
                                       .ink = (jd_ink)k,
                                       .size = 1.2,
                                       .n = bins,
                                       .x = axis,
                                       .y = y[k]});
    }
    s->height = place.top + place.height + 62;
}

// Amplitudes of overlapping pieces of the stretch, of the first contact or point.
void jd_history_waterfall(jd_scene *s, const jd_history *h) {
    signal list[LINES];
    if (signals(h, list) == 0) return;
    double span = h->t[h->n - 1] - h->t[0], piece = 2 * span / (DOWN + 1), top = 0;
    double most = reach_of(h, piece, PIECE);
    double *x = JD_TAKE(s->arena, double, PIECE), *axis = JD_TAKE(s->arena, double, ACROSS),
           *time = JD_TAKE(s->arena, double, DOWN),
           *value = JD_TAKE(s->arena, double, ACROSS *DOWN);
    jd_heat *heat = JD_TAKE(s->arena, jd_heat, 1);
    if (!x || !axis || !time || !value || !heat) return;
    for (int j = 0; j < DOWN; j++) {
        double t0 = h->t[0] + j * piece / 2;
        time[j] = t0 + piece / 2;
        weighted(h, &list[0], t0, piece / PIECE, PIECE, x);
        for (int i = 0; i < ACROSS; i++) {
            double omega = most * (i + 0.5) / ACROSS;
            axis[i] = omega / unit_of(h);
            value[j * ACROSS + i] = amplitude(PIECE, x, omega * piece / PIECE);
            top = fmax(top, value[j * ACROSS + i]);
        }
    }
    jd_scale scale = jd_scale_of(s->arena, h->si, "amplitude", "m", top);
    for (int i = 0; i < ACROSS * DOWN; i++) value[i] *= scale.factor;
    *heat = (jd_heat){.label = jd_arena_format(s->arena, "%s, %s", list[0].name, scale.label),
                      .n_x = ACROSS,
                      .n_y = DOWN,
                      .x = axis,
                      .y = time,
                      .value = value,
                      .low = 1e-6 * top * scale.factor,
                      .high = top * scale.factor,
                      .log = true};
    jd_scene_add(
        s, (jd_panel){
               .left = place.left,
               .top = place.top,
               .width = place.width - 90,
               .height = place.height,
               .x = {.label = label_of(h), .low = 0, .high = most / unit_of(h)},
               .y = {.label = h->si ? "time [s]" : "time", .low = time[0], .high = time[DOWN - 1]},
               .heat = heat});
    s->height = place.top + place.height + 62;
}

// An axis that shows values which hardly differ as one place.
static jd_axis around(const char *label, int n, const double *x) {
    double low = x[0], high = x[0];
    for (int i = 1; i < n; i++) low = fmin(low, x[i]), high = fmax(high, x[i]);
    double middle = 0.5 * (low + high), size = fmax(fabs(low), fabs(high));
    double half = fmax(0.55 * (high - low), 0.05 * size);
    return (jd_axis){.label = label, .low = middle - half, .high = middle + half};
}

// States once a drive period, of the first contact or point.
void jd_history_poincare(jd_scene *s, const jd_history *h) {
    signal list[LINES];
    if (signals(h, list) == 0 || !(h->period > 0)) return;
    double first = ceil(h->t[0] / h->period * (1 - 1e-12)) * h->period, most = 0, fast = 0;
    int n = (int)floor((h->t[h->n - 1] - first) / h->period * (1 + 1e-12)) + 1, at = 0;
    double *u = JD_TAKE(s->arena, double, n), *v = JD_TAKE(s->arena, double, n);
    if (!u || !v) return;
    for (int i = 0; i < n; i++) {
        u[i] = value_at(h, &list[0], first + i * h->period, &at, &v[i]);
        most = fmax(most, fabs(u[i]));
        fast = fmax(fast, fabs(v[i]));
    }
    jd_scale x = jd_scale_of(s->arena, h->si, "displacement", "m", most),
             y = jd_scale_of(s->arena, h->si, "velocity", "m/s", fast);
    for (int i = 0; i < n; i++) u[i] *= x.factor, v[i] *= y.factor;
    jd_panel *p = jd_scene_add(
        s, (jd_panel){.left = place.left,
                      .top = place.top,
                      .width = 560,
                      .height = 440,
                      .title = jd_arena_format(s->arena, "%s at the start of %d drive periods",
                                               list[0].name, n),
                      .x = around(x.label, n, u),
                      .y = around(y.label, n, v)});
    jd_panel_series(p, (jd_series){.stroke = JD_STROKE_DOTS,
                                   .ink = JD_INK_BLUE,
                                   .size = n > 400 ? 2 : 4,
                                   .n = n,
                                   .x = u,
                                   .y = v});
    s->height = place.top + 440 + 62;
    s->width = place.left + 560 + 30;
}
