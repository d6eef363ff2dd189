// modes_universal.c -- real modes from universal files: dataset 55, data at nodes.
//   five lines of text; model, kind of analysis (2: normal mode), kind of data, quantity, kind of
//   numbers (2: real), values per node; counts of whole and real numbers with the numbers; of a
//   normal mode: frequency f [Hz], modal mass m, viscous ratio D, hysteretic ratio; then nodes,
//   each with its values. Here: omega = 2 pi f, phi/sqrt(m), D, or half the hysteretic ratio.
#include "structure/measured/modes_universal.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "structure/matrices/mesh.h"
#include "structure/modal.h"
#include "structure/universal/universal.h"

enum { LARGEST = 1 << 28, NORMAL = 2, COMPLEX_MODE = 3, REAL = 2, DISPLACEMENT = 8, MOST_EACH = 6 };

typedef struct reading {
    const jd_points *points;
    int *node; // of each point
    int n;     // modes
    double *omega, *ratio;
    double **value; // of each point, n of them
    int *seen;      // of each point: modes in which its node was found
} reading;

static jd_status next_whole(jd_scan *s, const char *what, int *out) {
    while (jd_scan_blank(s)) JD_TRY(jd_universal_line(s, 55));
    return jd_scan_integer(s, what, INT_MIN, INT_MAX, out);
}

// Kind of analysis and values per node; other data at nodes (kind 1, static, ..) are passed over.
static jd_status read_kind(jd_scan *s, bool *mode, int *each) {
    int kind[6];
    for (int i = 0; i < 6; i++) JD_TRY(jd_universal_line(s, 55));
    for (int i = 0; i < 6; i++) JD_TRY(jd_scan_integer(s, "a kind", INT_MIN, INT_MAX, &kind[i]));
    *mode = kind[1] == NORMAL || kind[1] == COMPLEX_MODE;
    *each = kind[5];
    if (!*mode) return JD_OK;
    if (kind[1] == COMPLEX_MODE || kind[4] != REAL) {
        jd_scan_fail(s, JD_NOT_SUPPORTED, "the mode is complex, but must be real");
        jd_fail_hint(s->context, "write real normal modes, or use `type: measured` with the "
                                 "frequency responses (dataset 58)");
        return JD_NOT_SUPPORTED;
    }
    if (kind[3] != DISPLACEMENT && kind[3] != 0)
        return jd_scan_fail(s, JD_NOT_SUPPORTED,
                            "the mode is of quantity %d, not a displacement (8)", kind[3]);
    if (*each >= 1 && *each <= MOST_EACH) return JD_OK;
    return jd_scan_fail(s, s->broken, "a node cannot have %d values", *each);
}

// Frequency, modal mass and damping; *scale: 1/sqrt(mass).
static jd_status read_numbers(jd_scan *s, int k, reading *r, double *scale) {
    int n_whole, n_real, skipped;
    double number[4] = {0, 1, 0, 0}, other;
    JD_TRY(jd_universal_line(s, 55));
    JD_TRY(jd_scan_integer(s, "the count of whole numbers", 0, 1000, &n_whole));
    JD_TRY(jd_scan_integer(s, "the count of real numbers", 1, 1000, &n_real));
    for (int i = 0; i < n_whole; i++) JD_TRY(next_whole(s, "a number of the mode", &skipped));
    JD_TRY(jd_scan_line_end(s));
    for (int i = 0; i < n_real; i++)
        JD_TRY(jd_universal_real(s, "a number of the mode", i < 4 ? &number[i] : &other));
    JD_TRY(jd_scan_line_end(s));
    if (!(number[0] >= 0) || !(number[0] < 1e60))
        return jd_scan_fail(s, JD_OUT_OF_RANGE, "the frequency is %.10g Hz", number[0]);
    if (!(number[1] > 0))
        return jd_scan_fail(s, JD_OUT_OF_RANGE,
                            "the modal mass is %.10g, but must be positive: shapes without it have "
                            "no size",
                            number[1]);
    r->omega[k] = 2 * JD_PI * number[0];
    r->ratio[k] = number[2] != 0 ? number[2] : number[3] / 2;
    *scale = 1 / sqrt(number[1]);
    return JD_OK;
}

static jd_status read_shape(jd_scan *s, int k, int each, double scale, reading *r) {
    double value[MOST_EACH] = {0};
    while (jd_scan_line(s)) {
        int node;
        if (jd_scan_blank(s)) continue;
        JD_TRY(jd_scan_integer(s, "the node", INT_MIN, INT_MAX, &node));
        for (int i = 0; i < each; i++)
            JD_TRY(jd_universal_real(s, "a value of a shape", &value[i]));
        for (int i = 0; i < r->points->n; i++) {
            int dof = r->points->point[i].dof;
            if (r->node[i] != node || r->seen[i] > k || dof < 1 || dof > each) continue;
            r->value[i][k] = scale * value[dof - 1];
            r->seen[i] = k + 1;
        }
    }
    for (int i = 0; i < r->points->n; i++)
        if (r->seen[i] != k + 1)
            return jd_scan_fail(
                s, JD_UNKNOWN_NAME, "point `%s`: mode %d has no node %d with dof %d",
                r->points->point[i].name, k + 1, r->node[i], r->points->point[i].dof);
    return JD_OK;
}

// Reads all modes, or with r NULL only counts them.
static jd_status read_modes(jd_scan *s, reading *r, int *count) {
    int number, each;
    bool mode;
    jd_scan body;
    jd_scan_again(s);
    for (*count = 0;;) {
        JD_TRY(jd_universal_next(s, &number, &body));
        if (!number) return JD_OK;
        if (number != 55) continue;
        JD_TRY(read_kind(&body, &mode, &each));
        if (!mode) continue;
        int k = (*count)++;
        double scale = 1;
        if (!r) continue;
        JD_TRY(read_numbers(&body, k, r, &scale));
        JD_TRY(read_shape(&body, k, each, scale, r));
    }
}

// The nearest node of the file's geometry.
static jd_status find_near(jd_arena *arena, const char *path, const jd_point *p, int *node) {
    jd_mesh mesh;
    double least = HUGE_VAL;
    const double *x = p->near.value;
    JD_TRY(jd_mesh_read(arena, path, &mesh));
    for (int i = 0; i < mesh.n; i++) {
        const double *at = mesh.at + 3 * (size_t)i;
        double d = hypot(hypot(at[0] - x[0], at[1] - x[1]), at[2] - x[2]);
        if (d >= least) continue;
        least = d;
        *node = mesh.node[i];
    }
    if (least <= 0.25 * jd_mesh_size(&mesh) || mesh.n == 1) return JD_OK;
    jd_fail(jd_arena_context(arena), JD_OUTSIDE_STRUCTURE,
            "point `%s` is not on the structure: the nearest node, %d, is %.3g away", p->name,
            *node, least);
    jd_fail_where(jd_arena_context(arena), "%s", path);
    return JD_OUTSIDE_STRUCTURE;
}

static jd_status find_nodes(jd_arena *arena, const char *path, reading *r) {
    jd_context *context = jd_arena_context(arena);
    for (int i = 0; i < r->points->n; i++) {
        const jd_point *p = &r->points->point[i];
        r->node[i] = p->node;
        if (p->near.n) JD_TRY(find_near(arena, path, p, &r->node[i]));
        if (p->near.n || (p->node && !p->set)) continue;
        jd_fail(context, JD_WRONG_TYPE, "point `%s` of modes in a file needs the number of a node",
                p->name);
        jd_fail_hint(context, "write {node: 12, dof: z}");
        return JD_WRONG_TYPE;
    }
    return JD_OK;
}

static jd_status room(jd_arena *arena, reading *r) {
    r->node = JD_TAKE(arena, int, r->points->n);
    r->seen = JD_TAKE(arena, int, r->points->n);
    r->value = JD_TAKE(arena, double *, r->points->n);
    r->omega = JD_TAKE(arena, double, r->n);
    r->ratio = JD_TAKE(arena, double, r->n);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < r->points->n; i++) r->value[i] = JD_TAKE(arena, double, r->n);
    return jd_arena_status(arena);
}

jd_status jd_modes_read_universal(jd_arena *arena, const char *path, jd_modes_def *d) {
    jd_scan s;
    reading r = {.points = &d->points};
    JD_TRY(jd_scan_open(arena, path, LARGEST, JD_BROKEN_TABLE, &s));
    if (!jd_universal_is(&s))
        return jd_scan_fail(&s, JD_BROKEN_TABLE, "a universal file begins with a line -1");
    JD_TRY(read_modes(&s, NULL, &r.n));
    if (r.n == 0) {
        jd_scan_fail(&s, JD_EMPTY_FILE, "`%s` has no modes", path);
        jd_fail_hint(s.context, "they are in datasets 55 with analysis type 2 (normal mode)");
        return JD_EMPTY_FILE;
    }
    JD_TRY(room(arena, &r));
    JD_TRY(find_nodes(arena, path, &r));
    JD_TRY(read_modes(&s, &r, &r.n));
    jd_shape *shape = JD_TAKE(arena, jd_shape, d->points.n);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < d->points.n; i++)
        shape[i] = (jd_shape){d->points.point[i].name, {r.n, r.value[i]}};
    d->omega = (jd_reals){r.n, r.omega};
    d->shapes = (jd_shapes){d->points.n, shape};
    bool damped = d->damping.type && d->damping.type != &jd_damping_none;
    if (d->ratio.n == 0 && d->damping_matrix.n == 0 && !damped) d->ratio = (jd_reals){r.n, r.ratio};
    return JD_OK;
}
