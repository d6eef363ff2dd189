// stuck.c -- the modal basis with contacts stuck, one rank-one step per contact (secular.c).
//   Q := Q Q_i,  Q_i the constrained basis of row B_i Q;  all in double-double.
//   Where the rows leave less than they take: complement.c. From one set of rows to a neighbouring
//   one: stuck_change.c.
//   S = (Omega^2 + shift)^-1 B' W^-1,  W = B (Omega^2 + shift)^-1 B'
//   C = Q' C_free Q; alpha + beta omega^2 stays diagonal, since Q' Omega^2 Q does.
#include "structure/stuck/stuck.h"

#include "structure/stuck/complement.h"
#include "structure/stuck/secular.h"

static const double DEPENDENT = 1e-12; // share of a row left outside the rows before it
enum { MANY = 6 };                     // rows: fewer are cheap one by one
static const double NO_PART = 1e-24;   // share of a row that counts as zero

typedef struct basis {
    int n, r;      // free modes, columns so far
    jd_dd *omega2; // r
    jd_dd *Q;      // n x r; NULL: identity
    jd_dd *root, *step, *product, *row;
} basis;

static double norm(int n, const jd_dd *x) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i].hi * x[i].hi;
    return sqrt(sum);
}

// out := b Q.
JD_DD_CLONES
static void into_basis(const basis *s, const jd_dd *b, jd_dd *out) {
    for (int c = 0; c < s->r; c++) out[c] = s->Q ? dd(0) : b[c];
    for (int k = 0; s->Q && k < s->n; k++)
        for (int c = 0; c < s->r; c++)
            out[c] = dd_add(out[c], dd_mul(b[k], s->Q[(size_t)k * (size_t)s->r + (size_t)c]));
}

// product := Q step, n x (r - 1).
JD_DD_CLONES
static void multiply(const basis *s) {
    size_t r = (size_t)s->r, m = r - 1;
    for (size_t k = 0; k < (size_t)s->n; k++) {
        jd_dd *out = s->product + k * m;
        for (size_t c = 0; c < m; c++) out[c] = dd(0);
        for (size_t i = 0; i < r; i++) {
            jd_dd q = s->Q[k * r + i];
            for (size_t c = 0; c < m; c++) out[c] = dd_add(out[c], dd_mul(q, s->step[i * m + c]));
        }
    }
}

static void swap(jd_dd **a, jd_dd **b) {
    jd_dd *t = *a;
    *a = *b;
    *b = t;
}

// Adds one row; *dependent when it constrains nothing new.
static jd_status add_row(jd_arena *arena, basis *s, const jd_dd *b, bool *dependent) {
    into_basis(s, b, s->row);
    double all = norm(s->n, b);
    *dependent = s->r == 0 || !(norm(s->r, s->row) > DEPENDENT * all);
    if (*dependent) return JD_OK;
    JD_TRY(jd_secular(arena, s->r, s->omega2, s->row, s->root, s->step));
    if (s->Q) {
        multiply(s);
        swap(&s->Q, &s->product);
    } else {
        s->Q = s->step;
        s->step = JD_TAKE(arena, jd_dd, (size_t)s->n * (size_t)s->n);
    }
    swap(&s->omega2, &s->root);
    s->r--;
    return jd_arena_status(arena);
}

static bool has_rigid(const jd_modal *free) {
    bool rigid = false;
    for (int k = 0; k < free->n; k++) rigid = rigid || !(free->omega2[k].hi > 0);
    return rigid;
}

// Is it cheaper to work in what the rows leave free? (A rigid-body mode stays exactly one only
// with rank-one steps.)
static bool leave_little(const jd_modal *free, int m) {
    return m >= MANY && 2 * m >= free->n && m < free->n && !has_rigid(free);
}

// All rows at once; false: some depend on others, and nothing is done.
static jd_status add_all(jd_arena *arena, basis *s, int m, const jd_dd *const *B, bool *whole) {
    size_t n = (size_t)s->n, r = n - (size_t)m;
    jd_dd *Q = JD_TAKE(arena, jd_dd, n * r);
    JD_TRY(jd_arena_status(arena));
    JD_TRY(jd_complement(arena, s->n, s->omega2, m, B, whole, s->root, Q));
    if (!*whole) return JD_OK;
    s->Q = Q;
    s->r = (int)r;
    swap(&s->omega2, &s->root);
    return JD_OK;
}

static jd_status take_basis(jd_arena *arena, const jd_modal *free, int m, basis *s) {
    size_t n = (size_t)free->n;
    *s = (basis){.n = free->n, .r = free->n};
    s->omega2 = JD_TAKE(arena, jd_dd, n);
    s->root = JD_TAKE(arena, jd_dd, n);
    s->row = JD_TAKE(arena, jd_dd, n);
    s->step = JD_TAKE(arena, jd_dd, n * n);
    s->product = JD_TAKE(arena, jd_dd, m > 1 ? n * n : 0);
    JD_TRY(jd_arena_status(arena));
    for (size_t k = 0; k < n; k++) s->omega2[k] = free->omega2[k];
    return JD_OK;
}

// omega_k^2 + shift: the lowest elastic omega^2 when a contact feels a rigid-body mode.
static double choose_shift(const jd_modal *free, int m, const jd_dd *const *B) {
    double lowest = HUGE_VAL;
    bool needed = false;
    for (int k = 0; k < free->n; k++) {
        double x = free->omega2[k].hi;
        if (x > 0) lowest = fmin(lowest, x);
        for (int i = 0; i < m && x == 0; i++)
            needed = needed || fabs(B[i][k].hi) > NO_PART * norm(free->n, B[i]);
    }
    if (!needed) return 0;
    return isfinite(lowest) ? lowest : 1;
}

// B_k/(omega_k^2 + shift), 0 where a rigid-body mode does not take part.
static jd_dd compliance(const jd_modal *free, double shift, const jd_dd *b, int k) {
    jd_dd x = dd_add(free->omega2[k], dd(shift));
    return x.hi > 0 ? dd_div(b[k], x) : dd(0);
}

JD_DD_CLONES
static jd_dd product(int n, const jd_dd *a, const jd_dd *b) {
    jd_dd sum = dd(0);
    for (int k = 0; k < n; k++) sum = dd_add(sum, dd_mul(a[k], b[k]));
    return sum;
}

// W = L D L' in place, L below the diagonal; W is positive definite.
JD_DD_CLONES
static void factor(int m, jd_dd *W) {
    for (int p = 0; p < m; p++)
        for (int a = p + 1; a < m; a++) {
            jd_dd l = dd_div(W[a * m + p], W[p * m + p]);
            for (int c = p + 1; c < m; c++)
                W[a * m + c] = dd_sub(W[a * m + c], dd_mul(l, W[p * m + c]));
            W[a * m + p] = l;
        }
}

// W z = e_i with the factors.
JD_DD_CLONES
static void solve_unit(int m, const jd_dd *W, jd_dd *z, int i) {
    for (int a = 0; a < m; a++) z[a] = dd(a == i);
    for (int p = i; p < m; p++)
        for (int a = p + 1; a < m; a++) z[a] = dd_sub(z[a], dd_mul(W[a * m + p], z[p]));
    for (int a = m - 1; a >= 0; a--) {
        for (int c = a + 1; c < m; c++) z[a] = dd_sub(z[a], dd_mul(W[a * m + c], z[c]));
        z[a] = dd_div(z[a], W[a * m + a]);
    }
}

// out := sum_j z_j rows_j
JD_DD_CLONES
static void combine(int m, int n, const jd_dd *z, const jd_dd *rows, jd_dd *out) {
    for (int k = 0; k < n; k++) out[k] = dd(0);
    for (int j = 0; j < m; j++)
        for (int k = 0; k < n; k++) out[k] = dd_add(out[k], dd_mul(z[j], rows[j * n + k]));
}

// out_i := sum_j (W^-1)_ij flex_j with W = flex B': rows of the span of flex with B_j out_i = (i ==
// j). Those of dependent rows are zero.
static jd_status dual_rows(jd_arena *scratch, const jd_stuck *s, const jd_dd *const *B,
                           const jd_dd *flex, jd_dd *out) {
    int n = s->n, m = s->m;
    jd_dd *W = JD_TAKE(scratch, jd_dd, m * m), *z = JD_TAKE(scratch, jd_dd, m);
    JD_TRY(jd_arena_status(scratch));
    for (int i = 0; i < m; i++)
        for (int j = 0; j <= i; j++) {
            bool both = !s->dependent[i] && !s->dependent[j];
            W[i * m + j] = W[j * m + i] =
                both ? product(n, flex + i * n, B[j]) : dd(i == j && s->dependent[i]);
        }
    factor(m, W);
    for (int i = 0; i < m; i++) {
        if (s->dependent[i]) continue;
        solve_unit(m, W, z, i);
        combine(m, n, z, flex, out + i * n);
    }
    return JD_OK;
}

static jd_status static_shapes(jd_arena *arena, jd_arena *scratch, const jd_modal *free,
                               const jd_dd *const *B, bool keep, jd_stuck *s) {
    int n = s->n, m = s->m;
    s->shift = choose_shift(free, m, B);
    jd_dd *flex = JD_TAKE(scratch, jd_dd, (size_t)m * (size_t)n);
    jd_dd *shape = JD_TAKE(keep ? arena : scratch, jd_dd, (size_t)m * (size_t)n);
    JD_TRY(jd_arena_status(arena));
    JD_TRY(jd_arena_status(scratch));
    for (int i = 0; i < m; i++)
        for (int k = 0; k < n; k++) flex[i * n + k] = compliance(free, s->shift, B[i], k);
    JD_TRY(dual_rows(scratch, s, B, flex, shape));
    if (keep) s->shape = shape;
    jd_stuck_round_shapes(s, shape);
    return JD_OK;
}

void jd_stuck_round_shapes(jd_stuck *s, const jd_dd *shape) {
    for (int i = 0; i < s->m; i++)
        for (int k = 0; k < s->n; k++) s->S[k * s->m + i] = dd_value(shape[i * s->n + k]);
}

// W = B B' has the square of the rows' condition; D + (1 - D B') D has its square's rounding.
JD_DD_CLONES
static void improve(const jd_stuck *s, const jd_dd *const *B, jd_dd *dual, jd_dd *better) {
    int n = s->n, m = s->m;
    for (int i = 0; i < m; i++) {
        for (int k = 0; k < n; k++) better[i * n + k] = dual[i * n + k];
        for (int j = 0; j < m; j++) {
            jd_dd miss = dd_sub(dd(i == j), product(n, dual + i * n, B[j]));
            for (int k = 0; k < n; k++)
                better[i * n + k] = dd_add(better[i * n + k], dd_mul(miss, dual[j * n + k]));
        }
    }
}

static jd_status duals(jd_arena *arena, jd_arena *scratch, const jd_dd *const *B, jd_stuck *s) {
    size_t size = (size_t)s->m * (size_t)s->n, n = (size_t)s->n;
    jd_dd *rows = JD_TAKE(scratch, jd_dd, size), *rough = JD_TAKE(scratch, jd_dd, size);
    s->dual = JD_TAKE(arena, jd_dd, size);
    JD_TRY(jd_arena_status(arena));
    JD_TRY(jd_arena_status(scratch));
    for (size_t i = 0; i < size; i++) rows[i] = B[i / n][i % n];
    JD_TRY(dual_rows(scratch, s, B, rows, rough));
    improve(s, B, rough, s->dual);
    return JD_OK;
}

// C = Q' C_free Q, symmetric.
static jd_status full_damping(jd_arena *arena, jd_arena *scratch, const jd_modal *free,
                              jd_stuck *s) {
    size_t n = (size_t)s->n, r = (size_t)s->modal.n;
    double *C = JD_TAKE(arena, double, r *r), *CQ = JD_TAKE(scratch, double, n *r);
    JD_TRY(jd_arena_status(arena));
    JD_TRY(jd_arena_status(scratch));
    for (size_t k = 0; k < n; k++)
        for (size_t j = 0; j < n; j++) {
            double c = free->C ? free->C[k * n + j] : (j == k ? free->c[k] : 0);
            for (size_t i = 0; i < r && c != 0; i++) CQ[k * r + i] += c * s->Q[j * r + i];
        }
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < r; i++)
            for (size_t j = 0; j <= i; j++) C[i * r + j] += s->Q[k * r + i] * CQ[k * r + j];
    for (size_t i = 0; i < r; i++) {
        s->modal.c[i] = C[i * r + i];
        for (size_t j = 0; j < i; j++) C[j * r + i] = C[i * r + j];
    }
    s->modal.C = C;
    s->modal.law = JD_DAMPING_FULL;
    return JD_OK;
}

static jd_status damping(jd_arena *arena, jd_arena *scratch, const jd_modal *free, jd_stuck *s) {
    jd_modal *m = &s->modal;
    m->law = free->law;
    m->alpha = free->alpha;
    m->beta = free->beta;
    if (free->law == JD_DAMPING_MODAL || free->law == JD_DAMPING_FULL)
        return full_damping(arena, scratch, free, s);
    if (free->law == JD_DAMPING_RAYLEIGH)
        for (int k = 0; k < m->n; k++)
            m->c[k] = dd_value(dd_add(dd(m->alpha), dd_scale(m->omega2[k], m->beta)));
    return JD_OK;
}

// d(omega_stuck^2) = sum_j Q_j^2 d(omega_j^2)
static double error_of(const jd_modal *free, const jd_stuck *s, int c) {
    double x = s->modal.omega2[c].hi, sum = 0;
    if (!(x > 0)) return 0;
    for (int j = 0; j < s->n; j++) {
        double q = s->Q[(size_t)j * (size_t)s->modal.n + (size_t)c];
        sum += q * q * free->omega2[j].hi * free->error[j];
    }
    return fmax(sum / x, 0x1p-53);
}

jd_status jd_stuck_fill(jd_arena *arena, jd_arena *scratch, const jd_modal *free, int r,
                        const jd_dd *omega2, const jd_dd *Q, jd_stuck *s) {
    size_t n = (size_t)s->n, columns = (size_t)r;
    s->Q = JD_TAKE(arena, double, n *columns);
    s->S = JD_TAKE(arena, double, n *(size_t)s->m);
    s->modal = (jd_modal){.n = r,
                          .omega2 = JD_TAKE(arena, jd_dd, columns),
                          .error = JD_TAKE(arena, double, columns),
                          .c = JD_TAKE(arena, double, columns)};
    JD_TRY(jd_arena_status(arena));
    for (size_t i = 0; i < n * columns; i++)
        s->Q[i] = Q ? dd_value(Q[i]) : (double)(i / columns == i % columns);
    for (int c = 0; c < r; c++) {
        s->modal.omega2[c] = omega2[c];
        s->modal.error[c] = error_of(free, s, c);
    }
    return damping(arena, scratch, free, s);
}

static jd_status keep_basis(jd_arena *arena, const basis *b, jd_stuck *s) {
    size_t size = (size_t)b->n * (size_t)b->r;
    s->basis = JD_TAKE(arena, jd_dd, size + 1);
    JD_TRY(jd_arena_status(arena));
    for (size_t i = 0; i < size; i++)
        s->basis[i] = b->Q ? b->Q[i] : dd(i / (size_t)b->r == i % (size_t)b->r);
    return JD_OK;
}

static jd_status create(jd_arena *arena, jd_arena *scratch, const jd_modal *free, int m,
                        const jd_dd *const *B, bool keep, jd_stuck **out) {
    jd_stuck *s = JD_TAKE(arena, jd_stuck, 1);
    bool *dependent = JD_TAKE(arena, bool, m);
    JD_TRY(jd_arena_status(arena));
    *s = (jd_stuck){.n = free->n, .m = m, .dependent = dependent};
    basis b;
    bool whole = false;
    JD_TRY(take_basis(scratch, free, m, &b));
    if (leave_little(free, m)) JD_TRY(add_all(scratch, &b, m, B, &whole));
    if (whole) s->rank = m;
    for (int i = 0; i < m && !whole; i++) {
        JD_TRY(add_row(scratch, &b, B[i], &s->dependent[i]));
        if (!s->dependent[i]) s->rank++;
    }
    keep = keep && s->rank == m && !has_rigid(free);
    JD_TRY(jd_stuck_fill(arena, scratch, free, b.r, b.omega2, b.Q, s));
    if (keep) JD_TRY(keep_basis(arena, &b, s));
    if (keep) JD_TRY(duals(arena, scratch, B, s));
    JD_TRY(static_shapes(arena, scratch, free, B, keep, s));
    *out = s;
    return JD_OK;
}

static jd_status create_with_scratch(jd_arena *arena, const jd_modal *free, int m,
                                     const jd_dd *const *B, bool keep, jd_stuck **out) {
    *out = NULL;
    jd_arena *scratch = jd_arena_create(jd_arena_context(arena));
    if (!scratch) return JD_OUT_OF_MEMORY;
    jd_status status = create(arena, scratch, free, m, B, keep, out);
    jd_arena_free(scratch);
    return status;
}

jd_status jd_stuck_create(jd_arena *arena, const jd_modal *free, int m, const jd_dd *const *B,
                          jd_stuck **out) {
    return create_with_scratch(arena, free, m, B, false, out);
}

jd_status jd_stuck_start(jd_arena *arena, const jd_modal *free, int m, const jd_dd *const *B,
                         jd_stuck **out) {
    return create_with_scratch(arena, free, m, B, true, out);
}
