// of_orbits.c -- orbits of a nonsmooth mode in space: u of a point, u and v of the stop's point.
//   Parallel projection: to the right y cos A - x sin A, upwards z cos B - (x cos A + y sin A) sin
//   B, x, y, z scaled to [-1, 1]. With no second point: velocity over displacement in the plane.
#include <math.h>

#include "judder/picture.h"
#include "picture/scene.h"

enum { SAMPLES = 400 };

typedef struct chart {
    jd_arena *arena;
    const jd_problem *problem;
    const jd_nsm *nsm;
    jd_panel *panel;
    int n; // orbits
    const char *point;
    double *value[3]; // n x SAMPLES
    double low[3], high[3];
} chart;

static void project(const chart *c, const double in[3], double *x, double *y) {
    const double A = 0.62, B = 0.38;
    double p[3];
    for (int k = 0; k < 3; k++)
        p[k] = (2 * in[k] - c->low[k] - c->high[k]) / (c->high[k] - c->low[k]);
    *x = p[1] * cos(A) - p[0] * sin(A);
    *y = p[2] * cos(B) - (p[0] * cos(A) + p[1] * sin(A)) * sin(B);
}

static jd_status trace_all(chart *c, const double *omega) {
    for (int k = 0; k < 3; k++) c->value[k] = JD_TAKE(c->arena, double, c->n *SAMPLES);
    double *spare = JD_TAKE(c->arena, double, SAMPLES);
    JD_TRY(jd_arena_status(c->arena));
    for (int i = 0; i < c->n; i++) {
        int at = i * SAMPLES;
        JD_TRY(jd_nsm_trace(c->nsm, omega[i], NULL, SAMPLES, c->value[1] + at, c->value[2] + at));
        if (c->point)
            JD_TRY(jd_nsm_trace(c->nsm, omega[i], c->point, SAMPLES, c->value[0] + at, spare));
    }
    for (int k = 0; k < 3; k++) {
        c->low[k] = HUGE_VAL;
        c->high[k] = -HUGE_VAL;
        for (int i = 0; i < c->n * SAMPLES; i++) {
            c->low[k] = fmin(c->low[k], c->value[k][i]);
            c->high[k] = fmax(c->high[k], c->value[k][i]);
        }
        if (!(c->high[k] > c->low[k])) c->high[k] = c->low[k] + 1;
    }
    return JD_OK;
}

static void line(const chart *c, const double from[3], const double to[3], jd_stroke stroke,
                 jd_ink ink, double size) {
    double *x = JD_TAKE(c->arena, double, 2), *y = JD_TAKE(c->arena, double, 2);
    if (!x || !y) return;
    project(c, from, &x[0], &y[0]);
    project(c, to, &x[1], &y[1]);
    jd_panel_series(
        c->panel, (jd_series){.stroke = stroke, .ink = ink, .size = size, .n = 2, .x = x, .y = y});
}

// The box of the ranges: its three edges at the front corner with names and numbers, the rest pale.
static void box(const chart *c) {
    const char *name[3] = {c->point, NULL, NULL};
    name[0] = jd_arena_format(c->arena, "u of %s: %.3g to %.3g", c->point, c->low[0], c->high[0]);
    name[1] = jd_arena_format(c->arena, "u at the stop: %.3g to %.3g", c->low[1], c->high[1]);
    name[2] = jd_arena_format(c->arena, "v at the stop: %.3g to %.3g", c->low[2], c->high[2]);
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
            line(c, from, to, JD_STROKE_LINE, JD_INK_PALE, 1);
        }
    const double edge[3][3] = {{0, 1, 0}, {1, 0, 0}, {1, 0, 0}}; // where the named edges stand
    for (int k = 0; k < 3; k++) {
        double from[3], to[3], middle[3], x, y;
        for (int m = 0; m < 3; m++) {
            from[m] = to[m] = edge[k][m] != 0 ? c->high[m] : c->low[m];
            if (m == k) from[m] = c->low[m], to[m] = c->high[m];
            middle[m] = (from[m] + to[m]) / 2;
        }
        line(c, from, to, JD_STROKE_LINE, JD_INK_BLACK, 1);
        project(c, k == 2 ? to : middle, &x, &y); // the upright one is named at its top
        jd_panel_note(c->panel, (jd_note){.x = x - (k == 1 ? 0.85 : 0),
                                          .y = y + (k == 2 ? 0.03 : -0.12),
                                          .text = name[k],
                                          .ink = JD_INK_BLACK});
    }
}

static void orbits(const chart *c, int branch, const double *omega, bool space) {
    bool named[2] = {false, false};
    for (int i = 0; i < c->n; i++) {
        double *x = JD_TAKE(c->arena, double, SAMPLES + 1),
               *y = JD_TAKE(c->arena, double, SAMPLES + 1);
        bool stable = true, judged = jd_nsm_stable(c->nsm, branch, omega[i], &stable);
        for (int k = 0; x && y && k <= SAMPLES; k++) { // the impact closes it
            int at = i * SAMPLES + k % SAMPLES;
            double in[3] = {c->value[0][at], c->value[1][at], c->value[2][at]};
            x[k] = in[1];
            y[k] = in[2];
            if (space) project(c, in, &x[k], &y[k]);
        }
        const char *label = !judged ? NULL : stable ? "stable" : "unstable";
        if (named[stable]) label = NULL;
        named[stable] = true;
        jd_panel_series(c->panel, (jd_series){.label = label,
                                              .stroke = JD_STROKE_LINE,
                                              .ink = stable ? JD_INK_BLUE : JD_INK_VERMILLION,
                                              .size = c->n > 12 ? 0.8 : 1.4,
                                              .n = SAMPLES + 1,
                                              .x = x,
                                              .y = y});
    }
}

static jd_scene *compose(chart *c, int branch, const double *omega) {
    const jd_nsm_branch *b = jd_nsm_branch_at(c->nsm, branch);
    const char *text =
        c->n == 1 ? jd_arena_format(c->arena, "orbit of ω = %.9g on branch ω%d/%d, E = %.6g",
                                    omega[0], b->mode, b->divisor, jd_nsm_energy(c->nsm, omega[0]))
                  : jd_arena_format(c->arena, "%d orbits of branch ω%d/%d, ω = %.6g to %.6g", c->n,
                                    b->mode, b->divisor, omega[0], omega[c->n - 1]);
    jd_scene *scene = jd_scene_create(c->arena, (jd_scene){.title = jd_problem_title(c->problem),
                                                           .subtitle = text,
                                                           .width = 860,
                                                           .height = 740});
    bool space = c->point != NULL, si = jd_problem_is_si(c->problem);
    jd_panel panel = {.left = 92, .top = 92, .width = 740, .height = 586, .plain = space};
    if (space) {
        panel.x.low = panel.y.low = -1.6;
        panel.x.high = panel.y.high = 1.6;
    } else {
        panel.x.label = si ? "displacement [m]" : "displacement";
        panel.y.label = si ? "velocity [m/s]" : "velocity";
    }
    c->panel = jd_scene_add(scene, panel);
    if (space) box(c);
    orbits(c, branch, omega, space);
    return scene;
}

jd_status jd_picture_nsm_orbits(jd_context *context, const jd_problem *problem, const jd_nsm *nsm,
                                int branch, int n_orbit, const double *omega, const char *path) {
    JD_TRY(jd_picture_check(context, path));
    jd_arena *arena = jd_arena_create(context);
    if (!arena) return JD_OUT_OF_MEMORY;
    const jd_output_def *output = jd_problem_section(problem, JD_OUTPUT, NULL);
    chart c = {.arena = arena, .problem = problem, .nsm = nsm, .n = n_orbit};
    if (output->points.n > 0) c.point = output->points.text[0];
    jd_status s = trace_all(&c, omega);
    if (s == JD_OK) s = jd_scene_draw(context, compose(&c, branch, omega), path);
    jd_arena_free(arena);
    return s;
}
