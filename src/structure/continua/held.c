// held.c -- the forces that hold a string, rod or beam in a given shape.
//   A body held at points x_j and nowhere else takes the shape of least strain energy through them:
//     string, rod: straight between the points, straight to a fixed end, level to a free one;
//       f_j = T (slope before - slope after)
//     beam: EI u'''' = sum_j f_j delta(x - x_j) with the conditions of its ends: cubic between the
//       points. Hermite elements between them are exact: K d = f, deflections at the points given.
//   Modal coordinates follow without an integral: omega_k^2 q_k = sum_j f_j phi_k(x_j), exactly;
//   of a rigid-body mode q = int rho u phi dx.       tested: a_shape_is_the_sum_of_its_modes
#include "structure/continua/held.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/param_tools.h"
#include "linalg/general.h"
#include "structure/classes.h"
#include "structure/continua/beam_modes.h"
#include "structure/continua/supports.h"

// What strings, rods and beams have in common here.
typedef struct uniform {
    bool beam;
    int left, right; // jd_support
    double length, density, stiffness;
} uniform;

static bool read(const jd_type *type, const void *def, uniform *out) {
    if (type == &jd_string_class.type) {
        const jd_string_def *d = def;
        *out = (uniform){false,
                         jd_support_of_wave(d->supports.left),
                         jd_support_of_wave(d->supports.right),
                         d->length,
                         d->mass_per_length,
                         d->tension};
    } else if (type == &jd_rod_class.type) {
        const jd_rod_def *d = def;
        *out = (uniform){false,
                         jd_support_of_wave(d->supports.left),
                         jd_support_of_wave(d->supports.right),
                         d->length,
                         d->mass_per_length,
                         d->axial_stiffness};
    } else if (type == &jd_beam_class.type) {
        const jd_beam_def *d = def;
        *out = (uniform){true,
                         jd_support_of_beam(d->supports.left),
                         jd_support_of_beam(d->supports.right),
                         d->length,
                         d->mass_per_length,
                         d->bending_stiffness};
    } else {
        return false;
    }
    return true;
}

// Does a support keep this end from moving?
static bool holds(int end) { return end == JD_FIXED || end == JD_CLAMPED || end == JD_PINNED; }

static int rigid_modes(const uniform *b) {
    if (!b->beam) return b->left == JD_FREE && b->right == JD_FREE;
    int n = 0;
    while (n < 2 && jd_beam_mode_of(b->left, b->right, n).turns == 0) n++;
    return n;
}

static jd_status check(jd_context *context, const uniform *b, int n, const double *x,
                       const double *u) {
    int loose = 0;
    for (int i = 0; i < n; i++) {
        if (!(x[i] >= 0 && x[i] <= b->length))
            return jd_fail(context, JD_OUTSIDE_STRUCTURE,
                           "the position %.10g lies outside the structure, which reaches from 0 to "
                           "%.10g",
                           x[i], b->length);
        bool held = (x[i] == 0 && holds(b->left)) || (x[i] == b->length && holds(b->right));
        loose += !held;
        if (held && u[i] != 0)
            return jd_fail(
                context, JD_OUT_OF_RANGE,
                "at the position %.10g the structure is supported, so it cannot start with %.10g",
                x[i], u[i]);
    }
    if (loose >= (b->beam ? rigid_modes(b) : 0)) return JD_OK;
    jd_fail(context, JD_SIZE_MISMATCH, "%d point%s do%s not determine the position of a free beam",
            n, n == 1 ? "" : "s", n == 1 ? "es" : "");
    jd_fail_hint(context, "give at least two positions that no support holds");
    return JD_SIZE_MISMATCH;
}

// Slopes before the first point, between points, after the last; rigid: the mean displacement.
static void hold_wave(const uniform *b, int n, const double *x, const double *u, jd_held *out) {
    double before = x[0] > 0 && holds(b->left) ? u[0] / x[0] : 0;
    double sum = u[0] * x[0],
           rest = b->length - x[n - 1]; // of a free body: level beyond the points
    for (int i = 0; i < n; i++) {
        double after = i + 1 < n                     ? (u[i + 1] - u[i]) / (x[i + 1] - x[i])
                       : rest > 0 && holds(b->right) ? -u[i] / rest
                                                     : 0;
        out->force[i] = b->stiffness * (before - after);
        sum += i + 1 < n ? (u[i] + u[i + 1]) / 2 * (x[i + 1] - x[i]) : u[i] * rest;
        before = after;
    }
    out->rigid[0] = sqrt(b->density / b->length) * sum;
}

// A beam as Hermite elements between its points, unit length and EI: displacement and slope of
// each node in turn.
typedef struct frame {
    int n;        // nodes
    double *x;    // of them
    int *node;    // of each given point
    double *d;    // 2 n: displacements and slopes
    double *load; // 2 n: K d
} frame;

enum { WIDTH = 3 };

static void element(double h, double k[4][4]) {
    const double a = 12 / (h * h * h), b = 6 / (h * h), c = 4 / h, d = 2 / h;
    const double own[4][4] = {{a, b, -a, b}, {b, c, -b, d}, {-a, -b, a, -b}, {b, d, -b, c}};
    memcpy(k, own, sizeof own);
}

static jd_status take_frame(jd_arena *arena, const uniform *b, int n, const double *x, frame *f) {
    f->x = JD_TAKE(arena, double, n + 2);
    f->node = JD_TAKE(arena, int, n);
    f->d = JD_TAKE(arena, double, 2 * n + 4);
    f->load = JD_TAKE(arena, double, 2 * n + 4);
    JD_TRY(jd_arena_status(arena));
    if (x[0] > 0) f->x[f->n++] = 0;
    for (int i = 0; i < n; i++) {
        f->node[i] = f->n;
        f->x[f->n++] = x[i] / b->length;
    }
    if (x[n - 1] < b->length) f->x[f->n++] = 1;
    return JD_OK;
}

// A row that gives a number instead of an equilibrium.
static void give(double *band, int size, int row, double *b, double value) {
    int rows = jd_band_rows(WIDTH);
    for (int j = row > WIDTH ? row - WIDTH : 0; j < size && j <= row + WIDTH; j++)
        band[(size_t)j * (size_t)rows + (size_t)(2 * WIDTH + row - j)] = j == row;
    b[row] = value;
}

static void hold_end(double *band, int size, int node, int end, double *b) {
    if (holds(end)) give(band, size, 2 * node, b, 0);
    if (end == JD_CLAMPED || end == JD_FIXED || end == JD_GUIDED)
        give(band, size, 2 * node + 1, b, 0);
}

static bool bend(jd_arena *arena, const uniform *b, int n, const double *u, frame *f) {
    int size = 2 * f->n, rows = jd_band_rows(WIDTH);
    double *band = JD_TAKE(arena, double, (size_t)rows *(size_t)size), k[4][4];
    int *pivot = JD_TAKE(arena, int, size);
    if (jd_arena_status(arena) != JD_OK) return false;
    for (int e = 0; e + 1 < f->n; e++) {
        element(f->x[e + 1] - f->x[e], k);
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                band[(size_t)(2 * e + j) * (size_t)rows + (size_t)(2 * WIDTH + i - j)] += k[i][j];
    }
    hold_end(band, size, 0, b->left, f->d);
    hold_end(band, size, f->n - 1, b->right, f->d);
    for (int i = 0; i < n; i++) give(band, size, 2 * f->node[i], f->d, u[i]);
    if (!jd_solve_band(size, WIDTH, band, pivot, f->d)) return false;
    for (int e = 0; e + 1 < f->n; e++) {
        element(f->x[e + 1] - f->x[e], k);
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) f->load[2 * e + i] += k[i][j] * f->d[2 * e + j];
    }
    return true;
}

// int u phi over the unit length: u cubic, phi linear on each element; Gauss with three points.
static double along(const uniform *b, const frame *f, const jd_beam_mode *mode) {
    static const double at[] = {-0.7745966692414834, 0, 0.7745966692414834},
                        weight[] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    double sum = 0;
    for (int e = 0; e + 1 < f->n; e++) {
        double h = f->x[e + 1] - f->x[e];
        const double *d = f->d + 2 * e;
        for (int g = 0; g < 3; g++) {
            double t = (1 + at[g]) / 2, r = 1 - t;
            double u = r * r * (1 + 2 * t) * d[0] + h * t * r * r * d[1] +
                       t * t * (1 + 2 * r) * d[2] - h * t * t * r * d[3];
            double x = (f->x[e] + h * t) * b->length;
            sum += h * weight[g] * u * jd_beam_shape(mode, x, b->length, 1).hi;
        }
    }
    return sum;
}

static jd_status hold_beam(jd_arena *arena, const uniform *b, int n, const double *x,
                           const double *u, jd_held *out) {
    frame f = {0};
    JD_TRY(take_frame(arena, b, n, x, &f));
    if (!bend(arena, b, n, u, &f)) {
        JD_TRY(jd_arena_status(arena));
        return jd_fail(jd_arena_context(arena), JD_OUT_OF_RANGE,
                       "the positions do not determine the position of the beam");
    }
    double unit = b->stiffness / (b->length * b->length * b->length);
    for (int i = 0; i < n; i++) out->force[i] = unit * f.load[2 * f.node[i]];
    for (int k = 0; k < out->n_rigid; k++) {
        jd_beam_mode mode = jd_beam_mode_of(b->left, b->right, k);
        out->rigid[k] = sqrt(b->density * b->length) * along(b, &f, &mode);
    }
    return JD_OK;
}

jd_status jd_held_at(jd_arena *arena, const jd_type *type, const void *def, int n, const double *x,
                     const double *u, jd_held *out) {
    jd_context *context = jd_arena_context(arena);
    uniform b;
    if (!read(type, def, &b)) {
        jd_fail(context, JD_NOT_SUPPORTED, "a `%s` has no shape along its length to start from",
                type->name);
        jd_fail_hint(
            context,
            "only string, rod and beam have one: write `type: state` for other structures");
        return JD_NOT_SUPPORTED;
    }
    JD_TRY(check(context, &b, n, x, u));
    *out = (jd_held){.force = JD_TAKE(arena, double, n), .n_rigid = rigid_modes(&b)};
    JD_TRY(jd_arena_status(arena));
    if (b.beam) return hold_beam(arena, &b, n, x, u, out);
    hold_wave(&b, n, x, u, out);
    return JD_OK;
}

jd_status jd_structure_rows_at(jd_arena *arena, const jd_type *type, const void *def, int n,
                               const double *x, int n_mode, double *row) {
    jd_point *point = JD_TAKE(arena, jd_point, n);
    char *own = jd_arena_take(arena, type->def_size, 1);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < n; i++)
        point[i] = (jd_point){
            .name = jd_arena_format(arena, "%d", i), .position = x[i], .node = 0, .dof = 1};
    JD_TRY(jd_arena_status(arena));
    memcpy(own, def, type->def_size);
    *JD_MEMBER(jd_points, own, jd_type_param(type, "points")) = (jd_points){n, point};
    jd_structure *s;
    JD_TRY(jd_structure_create(jd_arena_context(arena), type, own, &s));
    jd_status status = JD_OK;
    for (int i = 0; status == JD_OK && i < n; i++)
        status = jd_structure_participation(s, point[i].name, row + (size_t)i * (size_t)n_mode);
    jd_structure_free(s);
    return status;
}
