// secular.c -- roots and vectors of the constrained diagonal problem, in double-double.
//   f(x) = sum_j b_j^2/(p_j - x) = 0,   q_j = b_j/(p_j - x), normalised
//   f rises from -inf to +inf between neighbouring poles: one root in each gap. A root is kept as
//   nearest pole + t, so that every p_j - x has full relative accuracy; then b'Q = 0 and Q'Q = I to
//   the last digits however close roots and poles are.
//   Bordered: one more coordinate of its own stiffness d, coupled by b: f(x) = sum_j b_j^2/(p_j -
//   x)
//   + x - d, which rises likewise: one more root outside the poles on either side, q_j = -b_j/(p_j
//   - x), 1 at the border. A spring: f(x) = 1 + k sum_j b_j^2/(p_j - x): one more root above the
//   poles, nearer than k |b|^2. Deflation: b_j = 0 leaves mode j alone; equal poles are rotated
//   until all but one have b_j = 0.
#include "structure/stuck/secular.h"

#include <float.h>
#include <stdlib.h>

static const double NO_PART = 1e-24;   // b_j below this share of |b|: the constraint leaves j alone
static const double NO_LINK = 1e-30;   // b_j below this share of the border's stiffness, likewise
static const double SAME_POLE = 1e-26; // relative; the poles themselves are good to about 1e-30

typedef struct rotation { // of modes i and j: (q_i, q_j) = (c r_i + s r_j, -s r_i + c r_j)
    int i, j;
    jd_dd c, s;
} rotation;

typedef struct column {
    jd_dd value;
    int origin; // active index for a root, mode number for a deflated mode
    jd_dd t;    // root = pole of origin + t
    bool is_root;
} column;

typedef struct secular {
    int n, n_active, n_rotation, n_column;
    bool bordered;
    double flat;     // 1 with a spring, k = 1 then; 0: none
    jd_dd border;    // its stiffness d
    jd_dd above;     // p_origin - d
    double above_hi; // the same in double
    int *active;     // modes that take part, ascending poles
    jd_dd *b;        // constraint after rotations
    const jd_dd *pole;
    rotation *rotations;
    column *columns;
    jd_dd *gap, *w;          // p_j - p_origin and b_j/(p_j - x), active
    double *gap_hi, *square; // the same gaps and b_j^2 in double
} secular;

typedef struct keyed {
    double hi, lo;
    int index;
} keyed;

static int ascending(const void *x, const void *y) {
    const keyed *a = x, *b = y;
    if (a->hi != b->hi) return a->hi < b->hi ? -1 : 1;
    if (a->lo != b->lo) return a->lo < b->lo ? -1 : 1;
    return a->index - b->index;
}

static jd_status take(jd_arena *arena, secular *s) {
    int n = s->n;
    s->active = JD_TAKE(arena, int, n);
    s->b = JD_TAKE(arena, jd_dd, n);
    s->rotations = JD_TAKE(arena, rotation, n);
    s->columns = JD_TAKE(arena, column, n + 1);
    s->gap = JD_TAKE(arena, jd_dd, n);
    s->w = JD_TAKE(arena, jd_dd, n);
    s->gap_hi = JD_TAKE(arena, double, n);
    s->square = JD_TAKE(arena, double, n);
    return jd_arena_status(arena);
}

static void deflate_mode(secular *s, int mode) {
    s->columns[s->n_column++] = (column){.value = s->pole[mode], .origin = mode};
}

static bool same(jd_dd a, jd_dd b) {
    return fabs(dd_sub(a, b).hi) <= SAME_POLE * fmax(fabs(a.hi), fabs(b.hi));
}

// Turns the constraint of mode i into mode j's; i is free of it afterwards.
static void rotate(secular *s, int i, int j) {
    jd_dd bi = s->b[i], bj = s->b[j];
    jd_dd r = dd_sqrt(dd_add(dd_mul(bi, bi), dd_mul(bj, bj)));
    s->rotations[s->n_rotation++] = (rotation){i, j, dd_div(bj, r), dd_div(bi, r)};
    s->b[i] = dd(0);
    s->b[j] = r;
}

static jd_status deflate(jd_arena *arena, secular *s, const jd_dd *b) {
    keyed *order = JD_TAKE(arena, keyed, s->n);
    JD_TRY(jd_arena_status(arena));
    double square = 0;
    for (int j = 0; j < s->n; j++) {
        order[j] = (keyed){s->pole[j].hi, s->pole[j].lo, j};
        s->b[j] = b[j];
        square += b[j].hi * b[j].hi;
    }
    qsort(order, (size_t)s->n, sizeof *order, ascending);
    double none = fmax(NO_PART * sqrt(square), s->bordered ? NO_LINK * s->border.hi : 0);
    for (int i = 0; i < s->n; i++) {
        int mode = order[i].index;
        if (fabs(s->b[mode].hi) <= none) {
            deflate_mode(s, mode);
            continue;
        }
        int last = s->n_active > 0 ? s->active[s->n_active - 1] : -1;
        if (last >= 0 && same(s->pole[last], s->pole[mode])) {
            rotate(s, last, mode);
            deflate_mode(s, last);
            s->n_active--;
        }
        s->active[s->n_active++] = mode;
    }
    return JD_OK;
}

static void measure_from(secular *s, int origin) {
    jd_dd p = s->pole[s->active[origin]];
    for (int j = 0; j < s->n_active; j++) {
        s->gap[j] = dd_sub(s->pole[s->active[j]], p);
        s->gap_hi[j] = s->gap[j].hi;
    }
    s->above = dd_sub(p, s->border);
    s->above_hi = s->above.hi;
}

// f without the term of the origin, sum over j != origin of b_j^2/(gap_j - t), and its slope.
static double others(const secular *s, int origin, double t, double *slope) {
    double sum = s->bordered ? s->above_hi + t : s->flat, rise = s->bordered;
    for (int j = 0; j < s->n_active; j++) {
        if (j == origin) continue;
        double r = 1 / (s->gap_hi[j] - t), q = s->square[j] * r;
        sum += q;
        rise += q * r;
    }
    *slope = rise;
    return sum;
}

// The root of -b2/t + g + slope (t - t0) = 0 with the sign of t0.
static double next(double b2, double g, double slope, double t0) {
    double a = g - slope * t0, root = sqrt(a * a + 4 * slope * b2);
    if (t0 > 0) return a >= 0 ? 2 * b2 / (a + root) : (root - a) / (2 * slope);
    return a <= 0 ? -2 * b2 / (root - a) : -(a + root) / (2 * slope);
}

// Root in double, t between 0 and `far` (of either sign).
static double rough(const secular *s, int origin, double far) {
    double near = 0, b2 = s->square[origin], t = far;
    for (int i = 0; i < 100; i++) {
        double slope, g = others(s, origin, t, &slope);
        if ((g - b2 / t > 0) == (far > 0)) { // the root is nearer to the origin than t
            far = t;
        } else {
            near = t;
        }
        double to = next(b2, g, slope, t);
        if (!(fabs(to) > fabs(near) && fabs(to) < fabs(far)))
            to = near == 0 ? far / 16 : near + (far - near) / 2;
        if (fabs(to - t) <= 4 * DBL_EPSILON * fabs(t)) return to;
        t = to;
    }
    return t;
}

// w_j = b_j/(gap_j - t); returns f/f', the distance to the root.
JD_DD_CLONES
static jd_dd weights(secular *s, jd_dd t) {
    jd_dd f = s->bordered ? dd_add(s->above, t) : dd(s->flat);
    double slope = s->bordered;
    for (int j = 0; j < s->n_active; j++) {
        jd_dd b = s->b[s->active[j]];
        s->w[j] = dd_mul(b, dd_inverse(dd_sub(s->gap[j], t)));
        f = dd_add(f, dd_mul(b, s->w[j]));
        slope += s->w[j].hi * s->w[j].hi;
    }
    return dd_div(f, dd(slope));
}

// How far a root is at most outside the pole it is measured from, below it or above.
static double outermost(const secular *s, bool below) {
    double sum = 0, beyond = below ? s->above_hi : -s->above_hi;
    for (int j = 0; j < s->n_active; j++) sum += s->square[j];
    if (s->flat > 0) return sum / s->flat * (1 + 4 * DBL_EPSILON);
    return (fmax(beyond, 0) + sqrt(sum)) * (1 + 4 * DBL_EPSILON);
}

// The root between active poles k and k + 1 from the nearer of them: that one, and the farthest
// that the root can be from it. k = -1 (bordered) and the last (or with a spring): outside.
static double enclose(secular *s, int k, int *origin) {
    *origin = k < 0 ? 0 : k;
    measure_from(s, *origin);
    if (k < 0) return -outermost(s, true);
    if (k + 1 == s->n_active) return outermost(s, false);
    double slope, half = s->gap_hi[k + 1] / 2;
    if (others(s, k, half, &slope) - s->square[k] / half >= 0) return half;
    *origin = k + 1;
    measure_from(s, *origin);
    return -half;
}

static column find_root(secular *s, int k) {
    int origin;
    double far = enclose(s, k, &origin);
    jd_dd t = dd(rough(s, origin, far));
    for (int i = 0; i < 6; i++) {
        jd_dd step = weights(s, t);
        if (fabs(step.hi) <= 1e-27 * fabs(t.hi)) break;
        t = dd_sub(t, step);
    }
    return (column){dd_add(s->pole[s->active[origin]], t), origin, t, true};
}

// Column c of Q from the weights of its root.
static void fill_root(secular *s, const column *c, jd_dd *Q, int n_column) {
    measure_from(s, c->origin);
    weights(s, c->t);
    jd_dd square = dd(s->bordered);
    for (int j = 0; j < s->n_active; j++) square = dd_add(square, dd_mul(s->w[j], s->w[j]));
    jd_dd scale = dd_div(dd(1), dd_sqrt(square));
    if (s->bordered) {
        Q[(size_t)s->n * (size_t)n_column] = scale;
        scale = dd_neg(scale);
    }
    for (int j = 0; j < s->n_active; j++)
        Q[(size_t)s->active[j] * (size_t)n_column] = dd_mul(s->w[j], scale);
}

// Undoes the rotations, last first, on all columns.
static void rotate_back(const secular *s, jd_dd *Q, int n_column) {
    for (int r = s->n_rotation - 1; r >= 0; r--) {
        const rotation *g = &s->rotations[r];
        jd_dd *x = Q + (size_t)g->i * (size_t)n_column, *y = Q + (size_t)g->j * (size_t)n_column;
        for (int c = 0; c < n_column; c++) {
            jd_dd a = x[c], b = y[c];
            x[c] = dd_add(dd_mul(g->c, a), dd_mul(g->s, b));
            y[c] = dd_sub(dd_mul(g->c, b), dd_mul(g->s, a));
        }
    }
}

static jd_status solve(jd_arena *arena, secular *s, const jd_dd *b, jd_dd *root, jd_dd *Q) {
    JD_TRY(take(arena, s));
    JD_TRY(deflate(arena, s, b));
    for (int j = 0; j < s->n_active; j++) {
        double bj = s->b[s->active[j]].hi;
        s->square[j] = bj * bj;
    }
    bool beyond = s->bordered || s->flat > 0; // a root above the last pole
    for (int k = s->bordered ? -1 : 0; k + (beyond ? 0 : 1) < s->n_active; k++)
        if (s->n_active) s->columns[s->n_column++] = find_root(s, k);
    if (s->bordered && !s->n_active) // nothing couples it
        s->columns[s->n_column++] = (column){.value = s->border, .origin = s->n};
    int m = s->n_column;
    keyed *order = JD_TAKE(arena, keyed, m);
    JD_TRY(jd_arena_status(arena));
    for (int c = 0; c < m; c++)
        order[c] = (keyed){s->columns[c].value.hi, s->columns[c].value.lo, c};
    qsort(order, (size_t)m, sizeof *order, ascending);
    for (int c = 0; c < m; c++) {
        const column *from = &s->columns[order[c].index];
        root[c] = from->value;
        if (from->is_root) {
            fill_root(s, from, Q + c, m);
        } else {
            Q[(size_t)from->origin * (size_t)m + (size_t)c] = dd(1);
        }
    }
    rotate_back(s, Q, m);
    return JD_OK;
}

jd_status jd_secular(jd_arena *arena, int n, const jd_dd *pole, const jd_dd *b, jd_dd *root,
                     jd_dd *Q) {
    for (size_t i = 0; i < (size_t)n * (size_t)(n - 1); i++) Q[i] = dd(0);
    jd_arena_mark mark = jd_arena_here(arena);
    secular s = {.n = n, .pole = pole};
    jd_status status = solve(arena, &s, b, root, Q);
    jd_arena_back(arena, mark);
    return status;
}

jd_status jd_bordered(jd_arena *arena, int n, const jd_dd *pole, const jd_dd *b, jd_dd border,
                      jd_dd *root, jd_dd *Q) {
    for (size_t i = 0; i < (size_t)(n + 1) * (size_t)(n + 1); i++) Q[i] = dd(0);
    jd_arena_mark mark = jd_arena_here(arena);
    secular s = {.n = n, .pole = pole, .bordered = true, .border = border};
    jd_status status = solve(arena, &s, b, root, Q);
    jd_arena_back(arena, mark);
    return status;
}

jd_status jd_sprung(jd_arena *arena, int n, const jd_dd *pole, const jd_dd *b, double k,
                    jd_dd *root, jd_dd *Q) {
    for (size_t i = 0; i < (size_t)n * (size_t)n; i++) Q[i] = dd(0);
    jd_arena_mark mark = jd_arena_here(arena);
    secular s = {.n = n, .pole = pole, .flat = 1};
    jd_dd *scaled = JD_TAKE(arena, jd_dd, n), scale = dd_sqrt(dd(k));
    jd_status status = jd_arena_status(arena);
    for (int i = 0; status == JD_OK && i < n; i++) scaled[i] = dd_mul(b[i], scale);
    if (status == JD_OK) status = solve(arena, &s, scaled, root, Q);
    jd_arena_back(arena, mark);
    return status;
}
