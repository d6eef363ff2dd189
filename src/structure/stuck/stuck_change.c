// stuck_change.c -- the stuck basis of rows B from that of a neighbouring set of rows.
//   Q: what the rows leave free. D: rows d_i of the span of B, B_j d_i' = (i == j). S: static
//   shapes, B_j s_i = (i == j), Q' Omega^2 s_i = 0. Row i goes: d = d_i/|d_i| is orthogonal to all
//   other rows, and the direction that becomes free:
//     (Q, d)' Omega^2 (Q, d) is diagonal but for one row (secular.c: bordered)
//     d_j -= (d_j d_i')/(d_i d_i') d_i,   s_j -= (s_j' Omega^2 s_i)/(s_i' Omega^2 s_i) s_i
//   Row b comes: r = b Q is what it has of its own;
//     d = Q r'/(r r'),   s = Q omega^-2 r'/(r omega^-2 r')
//     d_j -= (d_j b') d,   s_j -= (b s_j) s,   and Q becomes that of one constraint more
//     (secular.c)
//   All in double-double. The rounding of a chain of such steps is watched: a direction that
//   becomes free or is taken away has to be orthogonal to the rows that stay, else all is made from
//   scratch. Cost of a row: n r^2 and m n; from scratch: n^3.  tested: tests/unit/stuck.c
#include "linalg/dd_dot.h"
#include "structure/stuck/secular.h"
#include "structure/stuck/stuck.h"

enum { STEPS = 500 };                   // in a chain
static const double ORTHOGONAL = 1e-23; // of a row
static const double OWN_PART = 1e-7;    // of a row that comes, beside those that are held

typedef struct change {
    int n, r, m;
    const jd_modal *free;
    const jd_dd **B;  // m
    int *name;        // m: which row of the result it is
    jd_dd *Q, *other; // n x r, and its successor
    jd_dd *omega2, *root;
    jd_dd *step;         // r x r
    jd_dd *dual, *shape; // m x n
    jd_dd *d, *s, *row;
} change;

// x -= f y
JD_DD_CLONES
static void subtract(int n, jd_dd f, const jd_dd *y, jd_dd *x) {
    for (int k = 0; k < n; k++) x[k] = dd_sub(x[k], dd_mul(f, y[k]));
}

// out := b Q
JD_DD_CLONES
static void into_basis(const change *c, const jd_dd *b, jd_dd *out) {
    for (int i = 0; i < c->r; i++) out[i] = dd(0);
    for (int k = 0; k < c->n; k++)
        for (int i = 0; i < c->r; i++)
            out[i] = dd_add_fast(out[i], dd_mul(b[k], c->Q[k * c->r + i]));
}

// out := Q x
static void out_of_basis(const change *c, const jd_dd *x, jd_dd *out) {
    for (int k = 0; k < c->n; k++) out[k] = jd_dd_dot(c->r, c->Q + k * c->r, x);
}

// other := (Q, d) step, n x columns; d NULL: Q step
JD_DD_CLONES
static void multiply(const change *c, const jd_dd *d, int columns) {
    for (int k = 0; k < c->n; k++) {
        jd_dd *out = c->other + k * columns;
        for (int j = 0; j < columns; j++)
            out[j] = d ? dd_mul(d[k], c->step[c->r * columns + j]) : dd(0);
        for (int i = 0; i < c->r; i++) {
            jd_dd q = c->Q[k * c->r + i];
            for (int j = 0; j < columns; j++)
                out[j] = dd_add_fast(out[j], dd_mul(q, c->step[i * columns + j]));
        }
    }
}

static void swap(jd_dd **a, jd_dd **b) {
    jd_dd *t = *a;
    *a = *b;
    *b = t;
}

// Is the vector d orthogonal to all rows but row i, relative to its size?
static bool is_orthogonal(const change *c, const jd_dd *d, int i) {
    double size = sqrt(jd_dd_dot(c->n, d, d).hi);
    for (int j = 0; j < c->m; j++) {
        double all = sqrt(jd_dd_dot(c->n, c->B[j], c->B[j]).hi);
        if (j != i && !(fabs(jd_dd_dot(c->n, c->B[j], d).hi) <= ORTHOGONAL * all * size))
            return false;
    }
    return true;
}

// The direction d, of unit length, becomes free.
static jd_status widen(jd_arena *scratch, change *c, const jd_dd *d) {
    jd_dd *pull = c->s; // Omega^2 d
    for (int k = 0; k < c->n; k++) pull[k] = dd_mul(c->free->omega2[k], d[k]);
    into_basis(c, pull, c->row);
    JD_TRY(
        jd_bordered(scratch, c->r, c->omega2, c->row, jd_dd_dot(c->n, pull, d), c->root, c->step));
    multiply(c, d, c->r + 1);
    swap(&c->Q, &c->other);
    swap(&c->omega2, &c->root);
    c->r++;
    return JD_OK;
}

// Takes row i out of the list.
static void drop(change *c, int i) {
    for (int j = i + 1; j < c->m; j++) {
        c->B[j - 1] = c->B[j];
        c->name[j - 1] = c->name[j];
        for (int k = 0; k < c->n; k++) {
            c->dual[(j - 1) * c->n + k] = c->dual[j * c->n + k];
            c->shape[(j - 1) * c->n + k] = c->shape[j * c->n + k];
        }
    }
    c->m--;
}

static jd_status release(jd_arena *scratch, change *c, int i, bool *good) {
    int n = c->n;
    const jd_dd *own = c->dual + i * n, *still = c->shape + i * n;
    jd_dd scale = dd_div(dd(1), dd_sqrt(jd_dd_dot(n, own, own)));
    for (int k = 0; k < n; k++) c->d[k] = dd_mul(scale, own[k]);
    *good = is_orthogonal(c, c->d, i);
    if (!*good) return JD_OK;
    JD_TRY(widen(scratch, c, c->d));
    for (int k = 0; k < n; k++) c->s[k] = dd_mul(c->free->omega2[k], still[k]);
    jd_dd stiffness = jd_dd_dot(n, c->s, still);
    for (int j = 0; j < c->m; j++) {
        if (j == i) continue;
        subtract(n, dd_mul(scale, jd_dd_dot(n, c->dual + j * n, c->d)), own, c->dual + j * n);
        subtract(n, dd_div(jd_dd_dot(n, c->shape + j * n, c->s), stiffness), still,
                 c->shape + j * n);
    }
    drop(c, i);
    return JD_OK;
}

// d and s of a row that comes; false: it has too little of its own.
static bool own_directions(change *c, const jd_dd *b) {
    jd_dd square, flex, *soft = c->root;
    if (c->r == 0) return false;
    into_basis(c, b, c->row);
    square = jd_dd_dot(c->r, c->row, c->row);
    if (!(sqrt(square.hi) > OWN_PART * sqrt(jd_dd_dot(c->n, b, b).hi))) return false;
    out_of_basis(c, c->row, c->d);
    for (int i = 0; i < c->r; i++) soft[i] = dd_div(c->row[i], c->omega2[i]);
    flex = jd_dd_dot(c->r, soft, c->row);
    out_of_basis(c, soft, c->s);
    for (int k = 0; k < c->n; k++) {
        c->d[k] = dd_div(c->d[k], square);
        c->s[k] = dd_div(c->s[k], flex);
    }
    return is_orthogonal(c, c->d, -1);
}

static jd_status hold(jd_arena *scratch, change *c, const jd_dd *b, int name, bool *good) {
    int n = c->n;
    *good = own_directions(c, b);
    if (!*good) return JD_OK;
    for (int j = 0; j < c->m; j++) {
        subtract(n, jd_dd_dot(n, c->dual + j * n, b), c->d, c->dual + j * n);
        subtract(n, jd_dd_dot(n, c->shape + j * n, b), c->s, c->shape + j * n);
    }
    for (int k = 0; k < n; k++) {
        c->dual[c->m * n + k] = c->d[k];
        c->shape[c->m * n + k] = c->s[k];
    }
    c->B[c->m] = b;
    c->name[c->m++] = name;
    JD_TRY(jd_secular(scratch, c->r, c->omega2, c->row, c->root, c->step));
    multiply(c, NULL, c->r - 1);
    swap(&c->Q, &c->other);
    swap(&c->omega2, &c->root);
    c->r--;
    return JD_OK;
}

static jd_status take(jd_arena *scratch, const jd_stuck *from, const jd_dd *const *B_from, int m,
                      change *c) {
    size_t n = (size_t)from->n, rows = (size_t)from->m + (size_t)m;
    c->Q = JD_TAKE_RAW(scratch, jd_dd, n * n + 1);
    c->other = JD_TAKE_RAW(scratch, jd_dd, n * n + 1);
    c->step = JD_TAKE_RAW(scratch, jd_dd, n * n + 1);
    c->dual = JD_TAKE_RAW(scratch, jd_dd, rows * n);
    c->shape = JD_TAKE_RAW(scratch, jd_dd, rows * n);
    c->B = JD_TAKE(scratch, const jd_dd *, rows);
    c->name = JD_TAKE(scratch, int, rows);
    jd_dd **vectors[] = {&c->omega2, &c->root, &c->d, &c->s, &c->row};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = JD_TAKE(scratch, jd_dd, n + 1);
    JD_TRY(jd_arena_status(scratch));
    c->n = from->n;
    c->m = from->m;
    c->r = from->modal.n;
    for (int i = 0; i < c->n * c->r; i++) c->Q[i] = from->basis[i];
    for (int i = 0; i < c->r; i++) c->omega2[i] = from->modal.omega2[i];
    for (int i = 0; i < c->n * c->m; i++) {
        c->dual[i] = from->dual[i];
        c->shape[i] = from->shape[i];
    }
    for (int i = 0; i < c->m; i++) {
        c->B[i] = B_from[i];
        c->name[i] = -1;
    }
    return JD_OK;
}

// The result, its rows in the order asked for.
static jd_status finish(jd_arena *arena, jd_arena *scratch, const change *c, int steps,
                        jd_stuck **out) {
    int n = c->n;
    jd_stuck *s = JD_TAKE(arena, jd_stuck, 1);
    jd_dd *basis = JD_TAKE_RAW(arena, jd_dd, n * c->r + 1),
          *dual = JD_TAKE_RAW(arena, jd_dd, n * c->m), *shape = JD_TAKE_RAW(arena, jd_dd, n * c->m);
    bool *dependent = JD_TAKE(arena, bool, c->m);
    JD_TRY(jd_arena_status(arena));
    *s = (jd_stuck){.n = n, .m = c->m, .rank = c->m, .dependent = dependent, .steps = steps};
    s->basis = basis;
    s->dual = dual;
    s->shape = shape;
    for (int i = 0; i < n * c->r; i++) basis[i] = c->Q[i];
    for (int i = 0; i < c->m; i++)
        for (int k = 0; k < n; k++) {
            dual[c->name[i] * n + k] = c->dual[i * n + k];
            shape[c->name[i] * n + k] = c->shape[i * n + k];
        }
    JD_TRY(jd_stuck_fill(arena, scratch, c->free, c->r, c->omega2, c->Q, s));
    jd_stuck_round_shapes(s, shape);
    *out = s;
    return JD_OK;
}

static jd_status change_rows(jd_arena *arena, jd_arena *scratch, const jd_modal *free,
                             const jd_stuck *from, const jd_dd *const *B_from, int m,
                             const jd_dd *const *B, const int *old, jd_stuck **out) {
    change c = {.free = free};
    int steps = from->steps;
    bool good = true;
    JD_TRY(take(scratch, from, B_from, m, &c));
    for (int i = 0; i < m; i++)
        if (old[i] >= 0) c.name[old[i]] = i;
    for (int i = c.m - 1; i >= 0 && good; i--) {
        if (c.name[i] >= 0) continue;
        JD_TRY(release(scratch, &c, i, &good));
        steps++;
    }
    for (int i = 0; i < m && good; i++) {
        if (old[i] >= 0) continue;
        JD_TRY(hold(scratch, &c, B[i], i, &good));
        steps++;
    }
    return good && steps <= STEPS ? finish(arena, scratch, &c, steps, out) : JD_OK;
}

jd_status jd_stuck_change(jd_arena *arena, const jd_modal *free, const jd_stuck *from,
                          const jd_dd *const *B_from, int m, const jd_dd *const *B, const int *old,
                          jd_stuck **out) {
    *out = NULL;
    if (!from->dual) return JD_OK;
    jd_arena *scratch = jd_arena_create(jd_arena_context(arena));
    if (!scratch) return JD_OUT_OF_MEMORY;
    jd_status status = change_rows(arena, scratch, free, from, B_from, m, B, old, out);
    jd_arena_free(scratch);
    return status;
}
