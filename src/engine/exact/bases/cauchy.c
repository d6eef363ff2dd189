// cauchy.c -- products with the shapes of one held contact, in time proportional to their number.
//   With one contact held the shapes are Q_lk = b_l g_k/(w_l^2 - z_k^2), w_l free and z_k stuck
//   frequencies, which interlace. Modes are cut into blocks by halving their list. Between two
//   blocks that are APART, a polynomial in either frequency, through NODES Chebyshev points, is
//   the kernel to rounding, relative to each of its values (it does not change by more than a
//   factor of ten there), so that the smallest coordinates keep their digits:
//     sum_l Q_lk q_l = g_k sum_i L_i(z_k) sum_j K(x_j, x_i) sum_l L_j(w_l) b_l q_l
//   Sums over the modes of a block go up to larger blocks, across between blocks that are apart,
//   and down again (Greengard and Rokhlin 1987); neighbours are multiplied with Q itself. Places
//   in a block are measured from its middle in double-double: differences of frequencies keep
//   their digits.                                      tested: fast_products_are_those_of_shapes
#include "engine/exact/bases/cauchy.h"

#include <math.h>

#include "base/constants.h"
#include "engine/exact/lanes.h"

enum {
    NODES = 24,  // Chebyshev points of a block
    LEAF = 48,   // modes of the smallest blocks, at most
    LEVELS = 12, // of halvings, at most
    LEAST = 400  // modes: with fewer a plain product costs less
};
static const double APART = 0.8;   // of the larger block: least distance of two that are apart
static const double ALIKE = 1e-12; // relative: how well the form must hold for the shapes given
static const double WORTH = 0.7;   // of the cost of a plain product

// Two blocks of one level by their numbers; A: NODES x NODES by columns, or NULL for neighbours.
typedef struct pair {
    int level, to, from;
    double *A;
} pair;

struct jd_cauchy {
    jd_cauchy_def def;
    int levels;                                    // the blocks of level i are 2^i
    double *middle[LEVELS + 1], *half[LEVELS + 1]; // intervals of frequencies [rad/s]
    double *up[LEVELS + 1];      // per block: from its nodes to those of the block it is part of
    double *down[LEVELS + 1];    // the transposes
    double *into[2], *out_of[2]; // NODES per mode: to the nodes of its leaf, by columns; back, by
                                 // columns of the leaf's modes. 0: free modes, 1: stuck ones
    pair *far, *near;
    int n_far, n_near;
    double *sum[2][LEVELS + 1], *local[2][LEVELS + 1]; // scratch: NODES per block
};

// Where block i of a level begins, of n modes in a list of the length `of`.
static int begin_of(const jd_cauchy *c, int level, int i, int of) {
    int at = (int)(((long)i * c->def.n) >> level);
    return at < of ? at : of;
}

static double node(int i) { return cos(JD_PI * (2 * i + 1) / (2 * NODES)); }

// Lagrange polynomials of the nodes at x, all of them.
static void lagrange(double x, double *out) {
    double sum = 0;
    for (int i = 0; i < NODES; i++) {
        double d = x - node(i);
        if (d == 0) {
            for (int j = 0; j < NODES; j++) out[j] = j == i;
            return;
        }
        out[i] = (i % 2 ? -1 : 1) * sin(JD_PI * (2 * i + 1) / (2 * NODES)) / d;
        sum += out[i];
    }
    for (int i = 0; i < NODES; i++) out[i] /= sum;
}

// sqrt(square) - from, to the last digits.
static double distance(jd_dd square, double from) {
    jd_dd difference = dd_sub(square, dd_mul(dd(from), dd(from)));
    return dd_value(difference) / (sqrt(dd_value(square)) + from);
}

static void set_intervals(jd_cauchy *c) {
    const jd_dd *pole = c->def.pole, *root = c->def.root;
    for (int level = 0; level <= c->levels; level++)
        for (int i = 0; i < 1 << level; i++) {
            int first = begin_of(c, level, i, c->def.n), end = begin_of(c, level, i + 1, c->def.n);
            double low = sqrt(dd_value(pole[first])), high = sqrt(dd_value(pole[end - 1]));
            if (end < c->def.n) high = sqrt(dd_value(root[end - 1]));
            c->middle[level][i] = (low + high) / 2;
            c->half[level][i] = (high - low) / 2 * (1 + 1e-12);
        }
}

// Rows of the transfers between blocks and the larger ones they are part of.
static void set_transfers(jd_cauchy *c) {
    for (int level = 1; level <= c->levels; level++)
        for (int i = 0; i < 1 << level; i++)
            for (int j = 0; j < NODES; j++) {
                double x = (c->middle[level][i] - c->middle[level - 1][i / 2] +
                            c->half[level][i] * node(j)) /
                           c->half[level - 1][i / 2];
                double *to = c->up[level] + (i * NODES + j) * NODES;
                lagrange(x, to);
                for (int k = 0; k < NODES; k++) c->down[level][(i * NODES + k) * NODES + j] = to[k];
            }
}

// A mode of the leaf, of weight `weight` into its nodes and `back` out of them.
static void set_mode(jd_cauchy *c, int kind, int leaf, int at, jd_dd square, double weight,
                     double back) {
    int of = c->def.n - kind, first = begin_of(c, c->levels, leaf, of),
        count = begin_of(c, c->levels, leaf + 1, of) - first;
    double L[NODES], half = c->half[c->levels][leaf];
    lagrange(distance(square, c->middle[c->levels][leaf]) / half, L);
    for (int j = 0; j < NODES; j++) {
        c->into[kind][at * NODES + j] = weight * L[j];
        c->out_of[kind][first * NODES + j * count + at - first] = back * L[j];
    }
}

// g_k from the largest shape of its column: Q_lk (pole_l - root_k)/b_l.
static double weight_of(const jd_cauchy *c, int k) {
    const double *shape = c->def.QT + (size_t)k * (size_t)c->def.n;
    int most = 0;
    for (int l = 1; l < c->def.n; l++)
        if (fabs(shape[l]) > fabs(shape[most])) most = l;
    if (c->def.b[most] == 0) return 0; // a mode the contact does not feel
    return shape[most] * dd_value(dd_sub(c->def.pole[most], c->def.root[k])) / c->def.b[most];
}

// Back to the free modes the kernel has the other sign.
static void set_modes(jd_cauchy *c, double *g) {
    int n = c->def.n;
    for (int k = 0; k < n - 1; k++) g[k] = weight_of(c, k);
    for (int leaf = 0; leaf < 1 << c->levels; leaf++) {
        int first = begin_of(c, c->levels, leaf, n), end = begin_of(c, c->levels, leaf + 1, n);
        for (int l = first; l < end; l++)
            set_mode(c, 0, leaf, l, c->def.pole[l], c->def.b[l], -c->def.b[l]);
        for (int k = first; k < end && k < n - 1; k++)
            set_mode(c, 1, leaf, k, c->def.root[k], g[k], g[k]);
    }
}

static bool are_apart(const jd_cauchy *c, int level, int a, int b) {
    double gap =
        fabs(c->middle[level][a] - c->middle[level][b]) - c->half[level][a] - c->half[level][b];
    return gap > APART * 2 * fmax(c->half[level][a], c->half[level][b]);
}

// Pairs of blocks that are apart, as large as they can be; leaves that are not are neighbours.
// Counted, and written down where there is room.
static void find_pairs(jd_cauchy *c, int level, int to, int from) {
    pair *list = NULL;
    int *count = NULL;
    if (are_apart(c, level, to, from))
        list = c->far, count = &c->n_far;
    else if (level == c->levels)
        list = c->near, count = &c->n_near;
    for (int i = 0; !count && i < 4; i++)
        find_pairs(c, level + 1, 2 * to + i / 2, 2 * from + i % 2);
    if (!count) return;
    if (list) list[*count] = (pair){level, to, from, NULL};
    ++*count;
}

// Do the shapes have the form that is used between blocks which are apart?
static bool has_form(const jd_cauchy *c, const pair *p, const double *g) {
    int n = c->def.n, k_end = begin_of(c, p->level, p->to + 1, n - 1),
        l_end = begin_of(c, p->level, p->from + 1, n);
    for (int k = begin_of(c, p->level, p->to, n - 1); k < k_end; k++)
        for (int l = begin_of(c, p->level, p->from, n); l < l_end; l++) {
            double Q = c->def.QT[(size_t)k * (size_t)n + (size_t)l];
            double gap = dd_value(dd_sub(c->def.pole[l], c->def.root[k]));
            if (!(fabs(Q * gap - c->def.b[l] * g[k]) <= ALIKE * fabs(c->def.b[l] * g[k])))
                return false;
        }
    return true;
}

// K(x_j, y_i) = 1/((x_j - y_i)(x_j + y_i)) between the nodes of two blocks.
static void set_kernel(const jd_cauchy *c, pair *p) {
    double from = c->middle[p->level][p->from], to = c->middle[p->level][p->to];
    for (int j = 0; j < NODES; j++)
        for (int i = 0; i < NODES; i++) {
            double x = c->half[p->level][p->from] * node(j), y = c->half[p->level][p->to] * node(i);
            p->A[j * NODES + i] = 1 / (((from - to) + (x - y)) * (from + x + to + y));
        }
}

static void take_memory(jd_arena *arena, jd_cauchy *c) {
    for (int level = 0; level <= c->levels; level++) {
        int blocks = 1 << level;
        c->middle[level] = JD_TAKE(arena, double, blocks);
        c->half[level] = JD_TAKE(arena, double, blocks);
        c->up[level] = JD_TAKE(arena, double, level ? blocks *NODES *NODES : 0);
        c->down[level] = JD_TAKE(arena, double, level ? blocks *NODES *NODES : 0);
        for (int i = 0; i < 2; i++) {
            c->sum[i][level] = JD_TAKE(arena, double, blocks *NODES);
            c->local[i][level] = JD_TAKE(arena, double, blocks *NODES);
        }
    }
    for (int kind = 0; kind < 2; kind++) {
        c->into[kind] = JD_TAKE(arena, double, c->def.n *NODES);
        c->out_of[kind] = JD_TAKE(arena, double, c->def.n *NODES);
    }
}

static bool is_ascending(const jd_cauchy_def *def) {
    if (!(def->pole[0].hi >= 0)) return false;
    for (int k = 0; k < def->n - 1; k++)
        if (!(def->pole[k].hi < def->pole[k + 1].hi && def->root[k].hi >= def->pole[k].hi &&
              def->root[k].hi <= def->pole[k + 1].hi))
            return false;
    return true;
}

static bool is_worth_it(const jd_cauchy *c) {
    double n = c->def.n, leaf = n / (1 << c->levels), transfers = 2.0 * (2 << c->levels) + c->n_far;
    return c->n_near * leaf * leaf + transfers * NODES * NODES + 2 * n * NODES < WORTH * n * n;
}

// False: a plain product.
static jd_status set_up(jd_arena *arena, jd_cauchy *c, bool *good) {
    while (c->def.n >> c->levels > LEAF && c->levels < LEVELS) c->levels++;
    take_memory(arena, c);
    double *g = JD_TAKE(arena, double, c->def.n);
    JD_TRY(jd_arena_status(arena));
    set_intervals(c);
    find_pairs(c, 0, 0, 0);
    *good = is_worth_it(c);
    if (!*good) return JD_OK;
    c->far = JD_TAKE(arena, pair, c->n_far);
    c->near = JD_TAKE(arena, pair, c->n_near);
    double *A = JD_TAKE(arena, double, (size_t)c->n_far *NODES *NODES);
    JD_TRY(jd_arena_status(arena));
    c->n_far = c->n_near = 0;
    find_pairs(c, 0, 0, 0);
    set_modes(c, g);
    set_transfers(c);
    for (int i = 0; i < c->n_far && *good; i++) {
        c->far[i].A = A + (size_t)i * NODES * NODES;
        set_kernel(c, c->far + i);
        *good = has_form(c, c->far + i, g);
    }
    return JD_OK;
}

jd_status jd_cauchy_create(jd_arena *arena, const jd_cauchy_def *def, jd_cauchy **out) {
    *out = NULL;
    if (def->n < LEAST || !is_ascending(def)) return JD_OK;
    bool good = false;
    jd_arena_mark here = jd_arena_here(arena);
    jd_cauchy *c = JD_TAKE(arena, jd_cauchy, 1);
    JD_TRY(jd_arena_status(arena));
    c->def = *def;
    JD_TRY(set_up(arena, c, &good));
    if (good)
        *out = c;
    else
        jd_arena_back(arena, here);
    return JD_OK;
}

// Sums of all blocks from those of the modes, kind 0 or 1.
static void go_up(jd_cauchy *c, int kind, const double *q, const double *p) {
    for (int level = c->levels; level >= 0; level--)
        for (int i = 0; i < 1 << level; i++) {
            double *s = c->sum[0][level] + i * NODES, *t = c->sum[1][level] + i * NODES;
            int of = c->def.n - kind, first = begin_of(c, level, i, of);
            for (int j = 0; j < NODES; j++) s[j] = t[j] = 0;
            if (level == c->levels)
                jd_rotate_add(NODES, begin_of(c, level, i + 1, of) - first, NODES,
                              c->into[kind] + first * NODES, q + first, p + first, s, t);
            for (int j = 2 * i; level < c->levels && j < 2 * i + 2; j++)
                jd_rotate_add(NODES, NODES, NODES, c->up[level + 1] + j * NODES * NODES,
                              c->sum[0][level + 1] + j * NODES, c->sum[1][level + 1] + j * NODES, s,
                              t);
        }
}

// What blocks that are apart send each other, down to the leaves.
static void go_across_and_down(jd_cauchy *c) {
    for (int level = 0; level <= c->levels; level++)
        for (int i = 0; i < NODES << level; i++) c->local[0][level][i] = c->local[1][level][i] = 0;
    for (int i = 0; i < c->n_far; i++) {
        const pair *p = c->far + i;
        jd_rotate_add(NODES, NODES, NODES, p->A, c->sum[0][p->level] + p->from * NODES,
                      c->sum[1][p->level] + p->from * NODES, c->local[0][p->level] + p->to * NODES,
                      c->local[1][p->level] + p->to * NODES);
    }
    for (int level = 1; level <= c->levels; level++)
        for (int i = 0; i < 1 << level; i++)
            jd_rotate_add(NODES, NODES, NODES, c->down[level] + i * NODES * NODES,
                          c->local[0][level - 1] + i / 2 * NODES,
                          c->local[1][level - 1] + i / 2 * NODES, c->local[0][level] + i * NODES,
                          c->local[1][level] + i * NODES);
}

// To modes of a kind from those of the other; A: shapes by columns of the length of the first.
static void multiply(jd_cauchy *c, int kind, const double *A, const double *q, const double *p,
                     double *x, double *v) {
    int rows = c->def.n - kind, columns = c->def.n - 1 + kind, level = c->levels;
    go_up(c, 1 - kind, q, p);
    go_across_and_down(c);
    for (int k = 0; k < rows; k++) x[k] = v[k] = 0;
    for (int i = 0; i < 1 << level; i++) {
        int first = begin_of(c, level, i, rows), count = begin_of(c, level, i + 1, rows) - first;
        jd_rotate_add(count, NODES, count, c->out_of[kind] + first * NODES,
                      c->local[0][level] + i * NODES, c->local[1][level] + i * NODES, x + first,
                      v + first);
    }
    for (int i = 0; i < c->n_near; i++) {
        const pair *near = c->near + i;
        int first = begin_of(c, level, near->to, rows),
            count = begin_of(c, level, near->to + 1, rows) - first,
            from = begin_of(c, level, near->from, columns),
            until = begin_of(c, level, near->from + 1, columns);
        jd_rotate_add(count, until - from, rows, A + (size_t)from * (size_t)rows + first, q + from,
                      p + from, x + first, v + first);
    }
}

void jd_cauchy_into(jd_cauchy *c, const double *q, const double *p, double *x, double *v) {
    multiply(c, 1, c->def.Q, q, p, x, v);
}

void jd_cauchy_back(jd_cauchy *c, const double *x, const double *v, double *q, double *p) {
    multiply(c, 0, c->def.QT, x, v, q, p);
}
