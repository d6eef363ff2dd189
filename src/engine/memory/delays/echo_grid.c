// echo_grid.c -- two grids: a fine one for the middle of a smear, a coarse one for its tails.
//   N_w = core + tails,   core = N_w ((r^2 - x^2)/(r^2 + w^2))^4 for |x| < r, 0 beyond
//   The tails are smooth: 1/(x^2 + w^2) with its series in x^2 - r^2, four terms, inside r.
//     core:   sum_n W_n f(y_{k+n}),  W_n = int core(n g - y) C(y/g) dy,  C: cubic through 4 points
//     tails:  sum_l C(u/G - l) sum_j tails((l - j) G) m_j,  m_j = g sum_i C(y_i/G - j) f(y_i)
//   with G = 8 g and r = 3 G. What is kept of a history are its means a_k over the cells of the
//   grid, which know of kinks and jumps inside them: f(y_k) = a_k - (a_{k+1} - 2 a_k + a_{k-1})/24,
//   to fourth order, is part of W. Sums are made 8 points at a time, when one of them is asked for,
//   and looked up by a cubic between them. Beside a kink of slope J an echo that is sharper than g
//   errs by up to J g/7, with mean 0.
#include "engine/memory/delays/echo_grid.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/constants.h"
#include "base/lanes.h"
#include "kernel/echoes/smear.h"

enum { RATIO = 8, CELLS = 3, CORE = RATIO * CELLS + 3, DEGREE = 6 };

static const long NONE = -(1L << 50); // before all blocks
static const double inverse[] = {1, 1.0 / 2, 1.0 / 3, 1.0 / 4, 1.0 / 5, 1.0 / 6, 1.0 / 7};
static const double pi = JD_PI;
static const double ends = 2e-6; // of a smear, whose sum is 1: taps at both ends that are left out

// A ring whose values stand twice, so that every window of it is contiguous. Single precision: the
// grid itself errs a hundred times as much.
typedef struct ring {
    int size; // a power of 2
    float *at;
} ring;

typedef struct tap {
    grid_echo echo;
    int half;             // coarse cells that the tails reach
    int wide;             // points to each side that the core reaches, an even number
    float core[CORE + 2]; // W, which is even
    float *tails;         // 2 half + 1, padded to a multiple of 8 by zeros
    long done, far_done;  // last block of `sum` and last cell of `far`; NONE: none yet
    ring sum, far;
} tap;

struct echo_grid {
    double spacing, per_spacing, origin;
    float blend[4][RATIO];  // of four coarse points at the points of the cell between them
    float spread[RATIO][4]; // the same, spacing times
    int n_history, n_tap;
    long next;           // first cell that is not over
    double end;          // of the last panel
    ring *fine, *coarse; // of every history: a and m
    double *part;        // of every history: integral over the cell that is begun
    tap *tap;
};

static void ring_set(const ring *r, long k, double x) {
    long i = k & (r->size - 1);
    r->at[i] = r->at[i + r->size] = (float)x;
}

static const float *ring_from(const ring *r, long k) { return r->at + (k & (r->size - 1)); }

static jd_status ring_take(jd_arena *arena, int points, ring *out) {
    for (out->size = 64; out->size < points; out->size *= 2) {
    }
    out->at = JD_TAKE(arena, float, 2 * out->size);
    return jd_arena_status(arena);
}

static void ring_clear(const ring *r) { memset(r->at, 0, 2 * (size_t)r->size * sizeof *r->at); }

static inline long floor_of(double x) {
    long k = (long)x;
    return (double)k > x ? k - 1 : k;
}

// Cell of the coarse grid that point k lies in.
static long block_of(long k) { return (k >= 0 ? k : k - RATIO + 1) / RATIO; }

// Weights of the points -1, 0, 1, 2 of a cubic at x in [0, 1].
static void cubic(double x, double *c) {
    double a = x + 1, b = x - 1, d = x - 2, ax = a * x, bd = b * d;
    c[0] = x * bd * (-1.0 / 6);
    c[1] = a * bd * 0.5;
    c[2] = ax * d * -0.5;
    c[3] = ax * b * (1.0 / 6);
}

// The cubic through 1 at 0 and 0 at the other points.
static double cardinal(double x) {
    double c[4], y = fabs(x);
    if (y >= 2) return 0;
    cubic(y - floor(y), c);
    return y < 1 ? c[1] : c[0];
}

static double core_share(const grid_echo *e, double r, double x) {
    double q = (r * r - x * x) / (r * r + e->width * e->width);
    return fabs(x) < r ? (q * q) * (q * q) : 0;
}

static double smear_of(const grid_echo *e, double x) {
    double size = x * x + e->width * e->width;
    return e->width / (pi * size) * exp(-size / (2 * e->sigma * e->sigma));
}

static double tails_of(const grid_echo *e, double r, double x) {
    return smear_of(e, x) * (1 - core_share(e, r, x));
}

// int_a^b core(x) C((x - at)/g) dx by Gauss' rule of 4 points, halved until the pole at i w is far
// off beside the length.
static double core_integral(const grid_echo *e, double r, double g, double at, double a, double b) {
    static const double x[] = {0.3399810435848563, 0.8611363115940526},
                        weight[] = {0.6521451548625461, 0.3478548451374538};
    double length = b - a, near = a > 0 ? a : b < 0 ? -b : 0, sum = 0;
    double middle = (a + b) / 2;
    if (length > 0.25 * g || length > 0.5 * fmax(near, e->width))
        return core_integral(e, r, g, at, a, middle) + core_integral(e, r, g, at, middle, b);
    for (int i = 0; i < 4; i++) {
        double y = middle + (i % 2 ? -1 : 1) * x[i / 2] * length / 2;
        sum += weight[i / 2] * smear_of(e, y) * core_share(e, r, y) * cardinal((y - at) / g);
    }
    return sum * length / 2;
}

// What is constant comes back as under the smear itself: the middle tap takes what the others, cut
// off and rounded, leave. Slow errors would add up.
static void keep_sum(double G, tap *t) {
    const grid_echo *e = &t->echo;
    double sum = (double)t->core[0];
    for (int n = 1; n <= t->wide; n++) sum += 2 * (double)t->core[n];
    for (int n = 0; n <= 2 * t->half; n++) sum += G * (double)t->tails[n];
    t->core[0] += (float)(creal(jd_smear(e->width, e->sigma, 0)) - sum);
}

static jd_status tap_create(jd_arena *arena, double g, const grid_echo *e, tap *t) {
    double G = RATIO * g, r = CELLS * G;
    *t = (tap){.echo = *e, .done = NONE, .far_done = NONE};
    double W[CORE + 2] = {0}; // even, and 0 from CORE on
    for (int n = 0; n < CORE; n++)
        for (int cell = -2; cell < 2; cell++)
            W[n] += core_integral(e, r, g, n * g, (n + cell) * g, (n + cell + 1) * g);
    for (int n = 0; n <= CORE; n++) {
        double bend = W[n + 1] - 2 * W[n] + W[n > 0 ? n - 1 : 1];
        t->core[n] = (float)(W[n] - bend / 24);
    }
    double left = 0;
    for (t->wide = CORE + 1; t->wide > 2; t->wide -= 2) {
        left += 2 * (fabs((double)t->core[t->wide]) + fabs((double)t->core[t->wide - 1]));
        if (left > ends) break;
    }
    t->half = (int)ceil(e->reach / G);
    int taps = 2 * t->half + 1;
    t->tails = JD_TAKE(arena, float, (taps + 7) / 8 * 8);
    JD_TRY(jd_arena_status(arena));
    for (int n = -t->half; n <= t->half; n++) { // of means, as the core
        double at = tails_of(e, r, n * G);
        double bend = tails_of(e, r, n * G + g) - 2 * at + tails_of(e, r, n * G - g);
        t->tails[t->half + n] = (float)(at - bend / 24);
    }
    keep_sum(G, t);
    // what is looked at lies within the longest panel, which is shorter than the delay
    int points = (int)(e->delay / g) + 4 * GRID_BEYOND;
    JD_TRY(ring_take(arena, points, &t->sum));
    return ring_take(arena, points / RATIO + GRID_BEYOND, &t->far);
}

jd_status jd_grid_create(jd_arena *arena, double spacing, int n_history, int n_echo,
                         const grid_echo *echo, echo_grid **out) {
    echo_grid *g = *out = JD_TAKE(arena, echo_grid, 1);
    JD_TRY(jd_arena_status(arena));
    // a cell begins at t = 0, where forces do
    *g = (echo_grid){.spacing = spacing,
                     .per_spacing = 1 / spacing,
                     .origin = spacing / 2,
                     .n_history = n_history,
                     .n_tap = n_echo};
    for (int k = 0; k < RATIO; k++) {
        double c[4];
        cubic((double)k / RATIO, c);
        for (int i = 0; i < 4; i++) {
            g->blend[i][k] = (float)c[i];
            g->spread[k][i] = (float)(spacing * c[i]);
        }
    }
    g->fine = JD_TAKE(arena, ring, n_history);
    g->coarse = JD_TAKE(arena, ring, n_history);
    g->tap = JD_TAKE(arena, tap, n_echo);
    g->part = JD_TAKE(arena, double, n_history);
    JD_TRY(jd_arena_status(arena));
    double longest = 0;
    for (int i = 0; i < n_echo; i++) {
        JD_TRY(tap_create(arena, spacing, &echo[i], &g->tap[i]));
        longest = fmax(longest, echo[i].delay + echo[i].reach);
    }
    int points = (int)(longest / spacing) + 4 * GRID_BEYOND;
    for (int i = 0; i < n_history; i++) {
        JD_TRY(ring_take(arena, points, &g->fine[i]));
        JD_TRY(ring_take(arena, points / RATIO + GRID_BEYOND, &g->coarse[i]));
    }
    return JD_OK;
}

// Puts the points of a coarse cell that is full into the coarse points around it.
JD_CLONES("avx2")
static void spread(const float (*weight)[4], const ring *fine, const ring *coarse, long cell) {
    const float *f = ring_from(fine, RATIO * cell), *before = ring_from(coarse, cell - 1);
    f4 sum = ALL_F4(f[0]) * LOAD_F4(weight[0]), odd = ALL_F4(f[1]) * LOAD_F4(weight[1]);
    for (int k = 2; k < RATIO; k += 2) {
        sum += ALL_F4(f[k]) * LOAD_F4(weight[k]);
        odd += ALL_F4(f[k + 1]) * LOAD_F4(weight[k + 1]);
    }
    sum += odd;
    sum += (f4){before[0], before[1], before[2], 0}; // the last is the first there
    for (int i = 0; i < 4; i++) {
        long at = (cell - 1 + i) & (coarse->size - 1);
        coarse->at[at] = coarse->at[at + coarse->size] = sum[i];
    }
}

// Means over the cells `from` to `to` - 1, whose right edges lie in a panel of `length` cells, the
// first at theta. *part: integral over the cell that is begun.
static inline __attribute__((always_inline)) void sample_by(int degree, const ring *fine, long from,
                                                            long to, double theta, double length,
                                                            const double *p, double *part) {
    double before = 0, open = *part, q[DEGREE + 1] = {0}, whole = 0, step = 1 / length;
    const v4 lane = {0, 1, 2, 3}, steps = lane * ALL(step);
    float *to_fine = fine->at;
    long size = fine->size;
    for (int r = 0; r <= degree; r++) whole += q[r] = length * p[r] * inverse[r]; // of int p
    for (long k = from; k < to; k += 4, theta += 4 * step) {
        v4 x = ALL(theta) + steps, now = ALL(q[degree]);
        for (int r = degree - 1; r >= 0; r--) now = now * x + ALL(q[r]);
        now *= x;
        v4 mean = now - (v4){before - open, now[0], now[1], now[2]};
        long at = k & (size - 1);
        open = 0;
        if (k + 4 <= to && at + 4 <= size) {
            f4 rounded = __builtin_convertvector(mean, f4);
            STORE_F4(to_fine + at, rounded);
            STORE_F4(to_fine + at + size, rounded);
            before = now[3];
            continue;
        }
        for (int i = 0; i < 4 && k + i < to; i++) {
            ring_set(fine, k + i, mean[i]);
            before = now[i];
        }
    }
    *part = open + whole - before;
}

JD_CLONES("avx2")
static void sample(const ring *fine, long from, long to, double theta, double length, int degree,
                   const double *p, double *part) {
    if (degree == 3)
        sample_by(3, fine, from, to, theta, length, p, part);
    else if (degree == 4)
        sample_by(4, fine, from, to, theta, length, p, part);
    else
        sample_by(degree, fine, from, to, theta, length, p, part);
}

void jd_grid_keep(echo_grid *g, double t, double h, const int *degree, const double *const *value) {
    double left = g->origin - g->spacing / 2, length = h * g->per_spacing;
    long from = g->next, to = (long)floor((t + h - left) * g->per_spacing);
    double first = (left + (double)(from + 1) * g->spacing - t) / h;
    g->end = t + h;
    g->next = to > from ? to : from;
    for (int i = 0; i < g->n_history; i++) {
        sample(&g->fine[i], from, g->next, first, length, degree[i], value[i], &g->part[i]);
        for (long cell = block_of(from); cell < block_of(g->next); cell++)
            spread((const float(*)[4])g->spread, &g->fine[i], &g->coarse[i], cell);
    }
}

// Parts of `extend`, which is compiled for newer processors as a whole.
#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 2")

// Eight points: the core around f, and the tails between four coarse points. W is even.
INLINE void sum_core(int wide, const float *W, const float *f, const float (*blend)[RATIO],
                     const float *far, float *out, float *again) {
    // taps in turn into two sums, which need not wait for each other
    f8 a = ALL_F8(W[0]) * LOAD_F8(f), b = ALL_F8(0.0F);
    UNROLL
    for (int i = 1; i < wide; i += 2) {
        a += ALL_F8(W[i]) * (LOAD_F8(f - i) + LOAD_F8(f + i));
        b += ALL_F8(W[i + 1]) * (LOAD_F8(f - i - 1) + LOAD_F8(f + i + 1));
    }
    for (int i = 0; i < 4; i += 2) {
        a += ALL_F8(far[i]) * LOAD_F8(blend[i]);
        b += ALL_F8(far[i + 1]) * LOAD_F8(blend[i + 1]);
    }
    a += b;
    STORE_F8(out, a);
    STORE_F8(again, a);
}

INLINE float sum_tails(int n, const float *tails, const float *m) {
    f8 sum = ALL_F8(0.0F);
    UNROLL
    for (int i = 0; i < n; i += 8) sum += LOAD_F8(tails + i) * LOAD_F8(m + i);
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

// The tails at coarse points up to `last`.
INLINE void extend_far(const echo_grid *g, tap *t, long last) {
    const ring *m = &g->coarse[t->echo.history];
    while (t->far_done < last) {
        long l = ++t->far_done;
        long at = l & (t->far.size - 1);
        t->far.at[at] = t->far.at[at + t->far.size] =
            sum_tails(2 * t->half + 1, t->tails, ring_from(m, l - t->half));
    }
}

// Points RATIO b .. RATIO b + 7 for all blocks up to `last`.
JD_CLONES("avx2")
static void extend(const echo_grid *g, tap *t, long last) {
    const ring *f = &g->fine[t->echo.history];
    if (t->done == NONE) { // from the earliest that can be looked at
        t->done = block_of((long)floor((g->end - t->echo.delay - g->origin) / g->spacing) - 4) - 1;
        t->far_done = t->done - 2;
    }
    while (t->done < last) {
        long b = ++t->done;
        float *out = t->sum.at + (RATIO * b & (t->sum.size - 1));
        extend_far(g, t, b + 2);
        sum_core(t->wide, t->core, ring_from(f, RATIO * b - CORE - 1) + CORE + 1,
                 (const float(*)[RATIO])g->blend, ring_from(&t->far, b - 1), out,
                 out + t->sum.size);
    }
}

// Cubics through the points -1, 0, 1, 2 around x = (t - shift)/g, at n times.
JD_CLONES("avx2")
static void between(const ring *sum, int n, const double *t, double shift, double per_spacing,
                    double factor, double *out) {
    const v4 third = {-1.0 / 6, 0.5, -0.5, 1.0 / 6}, second = {0.5, -1, 0.5, 0},
             first = {-1.0 / 3, -0.5, 1, -1.0 / 6}, at_0 = {0, 1, 0, 0};
    const float *at = sum->at;
    long last = sum->size - 1;
    for (int i = 0; i < n; i++) {
        double x = (t[i] - shift) * per_spacing;
        long k = floor_of(x);
        v4 y = ALL(x - (double)k);
        v4 points = __builtin_convertvector(LOAD_F4(at + ((k - 1) & last)), v4);
        v4 c = (((third * y + second) * y + first) * y + at_0) * points;
        out[i] += factor * ((c[0] + c[1]) + (c[2] + c[3]));
    }
}

void jd_grid_add(echo_grid *g, int echo, int n, const double *t, double factor, double *out) {
    tap *of = &g->tap[echo];
    double last = t[0], shift = of->echo.delay + g->origin;
    for (int i = 1; i < n; i++)
        if (t[i] > last) last = t[i];
    long k = floor_of((last - shift) * g->per_spacing) + 2;
    if (RATIO * of->done + RATIO - 1 < k) extend(g, of, block_of(k));
    between(&of->sum, n, t, shift, g->per_spacing, factor, out);
}

double *jd_grid_origin(echo_grid *g) { return &g->origin; }

void jd_grid_clear(echo_grid *g, double t) {
    for (int i = 0; i < g->n_history; i++) {
        ring_clear(&g->fine[i]);
        ring_clear(&g->coarse[i]);
    }
    for (int i = 0; i < g->n_tap; i++) g->tap[i].done = g->tap[i].far_done = NONE;
    memset(g->part, 0, (size_t)g->n_history * sizeof *g->part);
    g->next = (long)fmax(0, floor((t - g->origin) / g->spacing + 0.5));
    g->end = t;
}
