// cube.c -- three axes as a cube on the page, and curves within it.
//   Parallel projection: to the right y cos A - x sin A, upwards z cos B - (x cos A + y sin A) sin
//   B, x, y, z scaled to [-1, 1].
#include "picture/cube.h"

#include <math.h>

jd_panel *jd_cube_panel(jd_scene *scene) {
    jd_axis axis = {.low = -1.6, .high = 1.6};
    scene->width = 860;
    scene->height = 740;
    return jd_scene_add(scene, (jd_panel){.left = 92,
                                          .top = 92,
                                          .width = 740,
                                          .height = 600,
                                          .x = axis,
                                          .y = axis,
                                          .plain = true});
}

void jd_cube_range(jd_cube *c, int k, int n, const double *value) {
    c->low[k] = HUGE_VAL;
    c->high[k] = -HUGE_VAL;
    for (int i = 0; i < n; i++) {
        c->low[k] = fmin(c->low[k], value[i]);
        c->high[k] = fmax(c->high[k], value[i]);
    }
    if (!(c->high[k] > c->low[k])) c->high[k] = c->low[k] + 1;
}

void jd_cube_project(const jd_cube *c, const double in[3], double *x, double *y) {
    const double A = 0.62, B = 0.38;
    double p[3];
    for (int k = 0; k < 3; k++)
        p[k] = (2 * in[k] - c->low[k] - c->high[k]) / (c->high[k] - c->low[k]);
    *x = p[1] * cos(A) - p[0] * sin(A);
    *y = p[2] * cos(B) - (p[0] * cos(A) + p[1] * sin(A)) * sin(B);
}

static void line(const jd_cube *c, const double from[3], const double to[3], jd_ink ink,
                 double size) {
    double *x = JD_TAKE(c->arena, double, 2), *y = JD_TAKE(c->arena, double, 2);
    if (!x || !y) return;
    jd_cube_project(c, from, &x[0], &y[0]);
    jd_cube_project(c, to, &x[1], &y[1]);
    jd_panel_series(
        c->panel,
        (jd_series){.stroke = JD_STROKE_LINE, .ink = ink, .size = size, .n = 2, .x = x, .y = y});
}

static void note(const jd_cube *c, const double at[3], double right, double up, const char *text) {
    double x, y;
    jd_cube_project(c, at, &x, &y);
    if (text)
        jd_panel_note(c->panel,
                      (jd_note){.x = x + right, .y = y + up, .text = text, .ink = JD_INK_BLACK});
}

// A round step with about four ticks in the range.
static double step_of(double range) {
    double raw = range / 4, power = pow(10, floor(log10(raw))), lead = raw / power;
    return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

// Ticks with numbers along the edge `k` that goes from `from` to `to`.
static void ticks(const jd_cube *c, int k, const double from[3], double right, double up) {
    static const double outward[3][3] = {{0, 0.03, 0}, {0.03, 0, 0}, {0.03, -0.03, 0}};
    double step = step_of(c->high[k] - c->low[k]);
    for (double n = ceil(c->low[k] / step); n * step <= c->high[k]; n++) {
        double at[3] = {from[0], from[1], from[2]}, end[3];
        at[k] = n * step;
        for (int m = 0; m < 3; m++) end[m] = at[m] + outward[k][m] * (c->high[m] - c->low[m]);
        line(c, at, end, JD_INK_BLACK, 1);
        note(c, end, right, up,
             jd_arena_format(c->arena, "%s%.4g", n < 0 ? "−" : "", fabs(n * step)));
    }
}

void jd_cube_frame(const jd_cube *c) {
    static const double edge[3][3] = {
        {0, 1, 0}, {1, 0, 0}, {1, 0, 0}}; // where the named ones stand
    static const double shift[3][2] = {{0.0, -0.11}, {-0.13, -0.11}, {-0.24, -0.03}};
    static const double name_at[3][2] = {{0.18, -0.3}, {-0.95, -0.3}, {-0.1, 0.09}};
    for (int k = 0; k < 3; k++)
        for (int corner = 0; corner < 4; corner++) {
            double from[3], to[3];
            for (int m = 0, bit = 1; m < 3; m++) {
                if (m == k) continue;
                from[m] = to[m] = corner & bit ? c->high[m] : c->low[m];
                bit = 2;
            }
            from[k] = c->low[k];
            to[k] = c->high[k];
            line(c, from, to, JD_INK_PALE, 1);
        }
    for (int k = 0; k < 3; k++) {
        double from[3], to[3], middle[3];
        for (int m = 0; m < 3; m++) {
            from[m] = to[m] = edge[k][m] != 0 ? c->high[m] : c->low[m];
            if (m == k) from[m] = c->low[m], to[m] = c->high[m];
            middle[m] = (from[m] + to[m]) / 2;
        }
        line(c, from, to, JD_INK_BLACK, 1);
        ticks(c, k, from, shift[k][0], shift[k][1]);
        note(c, k == 2 ? to : middle, name_at[k][0], name_at[k][1], c->name[k]);
    }
}
