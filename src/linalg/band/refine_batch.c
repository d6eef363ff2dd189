// refine_batch.c -- inverse iterations of four eigenpairs side by side.
//   (K - sigma M) y = M x with each pair's own shift, lambda = sigma + y'Mx/y'My, as in
//   refine.c; the arithmetic of the four runs in the lanes of one loop. From values good to 1e-10
//   two steps reach 32 digits where eigenvalues are apart. Every pair is checked by its residual
//   afterwards, and what is not good enough goes on alone.
#include <string.h>

#include "linalg/band/refine.h"

enum { LANES = JD_REFINE_LANES };

typedef struct lanes {
    double hi[LANES], lo[LANES];
} lanes;

JD_DD_INLINE jd_dd lane(const lanes *a, int l) { return (jd_dd){a->hi[l], a->lo[l]}; }
JD_DD_INLINE void set_lane(lanes *a, int l, jd_dd x) { a->hi[l] = x.hi, a->lo[l] = x.lo; }

// to += sign a b
JD_DD_INLINE void add_product(lanes *restrict to, double sign, const lanes *restrict a,
                              const lanes *restrict b) {
    for (int l = 0; l < LANES; l++) {
        jd_dd p = dd_mul(lane(a, l), lane(b, l));
        set_lane(to, l, dd_add_fast(lane(to, l), (jd_dd){sign * p.hi, sign * p.lo}));
    }
}

// to += a b, a the same for all
JD_DD_INLINE void add_scaled(lanes *restrict to, jd_dd a, const lanes *restrict b) {
    for (int l = 0; l < LANES; l++)
        set_lane(to, l, dd_add_fast(lane(to, l), dd_mul(a, lane(b, l))));
}

JD_DD_INLINE void multiply_by(lanes *restrict to, const lanes *restrict a) {
    for (int l = 0; l < LANES; l++) set_lane(to, l, dd_mul(lane(to, l), lane(a, l)));
}

// a := K - sigma M, then L D L' as in band.c.
JD_DD_CLONES
static void factor(int n, int w, lanes *f, const jd_band *K, const jd_band *M,
                   const lanes *minus_sigma) {
    int v = M->width;
    for (int j = 0; j < n; j++)
        for (int p = 0; p <= w; p++) {
            lanes *a = f + j * (w + 1) + p;
            jd_dd k = K->v[j * (w + 1) + p];
            for (int l = 0; l < LANES; l++) set_lane(a, l, k);
            if (p <= v) add_scaled(a, M->v[j * (v + 1) + p], minus_sigma);
        }
    for (int j = 0; j < n; j++) {
        lanes *a = f + j * (w + 1), inverse;
        double tiny = JD_EPS_DD * fabs(K->v[j * (w + 1)].hi) + 1e-300;
        for (int l = 0; l < LANES; l++) {
            double pivot = a->hi[l] == 0 ? tiny : a->hi[l];
            set_lane(&inverse, l, dd_inverse((jd_dd){pivot, a->lo[l]}));
        }
        int last = n - 1 - j < w ? n - 1 - j : w;
        for (int p = last; p > 0; p--) {
            lanes by = a[p], *b = a + p * (w + 1);
            multiply_by(&by, &inverse);
            for (int q = p; q <= last; q++) add_product(b + q - p, -1, &by, a + q);
        }
        for (int p = 1; p <= last; p++) multiply_by(a + p, &inverse);
        a[0] = inverse;
    }
}

JD_DD_CLONES
static void solve(int n, int w, const lanes *f, lanes *x) {
    for (int j = 0; j < n; j++)
        for (int p = 1; p <= w && j + p < n; p++)
            add_product(x + j + p, -1, f + j * (w + 1) + p, x + j);
    for (int j = n - 1; j >= 0; j--) {
        multiply_by(x + j, f + j * (w + 1));
        for (int p = 1; p <= w && j + p < n; p++)
            add_product(x + j, -1, f + j * (w + 1) + p, x + j + p);
    }
}

JD_DD_CLONES
static void multiply(const jd_band *A, const lanes *x, lanes *y) {
    int n = A->n, w = A->width;
    memset(y, 0, (size_t)n * sizeof *y);
    for (int j = 0; j < n; j++) {
        const jd_dd *a = A->v + j * (w + 1);
        add_scaled(y + j, a[0], x + j);
        for (int p = 1; p <= w && j + p < n; p++) {
            add_scaled(y + j, a[p], x + j + p);
            add_scaled(y + j + p, a[p], x + j);
        }
    }
}

JD_DD_CLONES
static void dot(int n, const lanes *x, const lanes *y, lanes *out) {
    lanes odd = {{0}, {0}};
    memset(out, 0, sizeof *out);
    for (int i = 0; i + 1 < n; i += 2) {
        add_product(out, 1, x + i, y + i);
        add_product(&odd, 1, x + i + 1, y + i + 1);
    }
    if (n % 2) add_product(out, 1, x + n - 1, y + n - 1);
    for (int l = 0; l < LANES; l++) set_lane(out, l, dd_add_fast(lane(out, l), lane(&odd, l)));
}

JD_DD_CLONES
static void scale(int n, lanes *x, const lanes *a) {
    for (int i = 0; i < n; i++) multiply_by(x + i, a);
}

// x and Mx over sqrt(x'Mx), square = x'Mx.
static void normalise(int n, lanes *x, lanes *Mx, const lanes *square) {
    lanes a;
    for (int l = 0; l < LANES; l++) set_lane(&a, l, dd_div(dd(1), dd_sqrt(lane(square, l))));
    scale(n, x, &a);
    scale(n, Mx, &a);
}

jd_status jd_refine_batch_take(jd_arena *arena, const jd_refine *s, jd_refine_room *out) {
    size_t n = (size_t)s->n, bytes = sizeof(lanes);
    out->factors = jd_arena_take(arena, n * ((size_t)s->K->width + 1), bytes);
    out->x = jd_arena_take(arena, n, bytes);
    out->Mx = jd_arena_take(arena, n, bytes);
    return jd_arena_status(arena);
}

void jd_refine_batch(jd_refine *s, jd_refine_room *room, int k, int steps) {
    int n = s->n, w = s->K->width;
    lanes *x = room->x, *Mx = room->Mx, *f = room->factors, minus, square, along;
    for (int l = 0; l < LANES; l++) {
        set_lane(&minus, l, dd_neg(s->lambda[k + l]));
        for (int i = 0; i < n; i++) set_lane(x + i, l, s->vector[(k + l) * n + i]);
    }
    multiply(s->M, x, Mx);
    dot(n, x, Mx, &square);
    normalise(n, x, Mx, &square);
    factor(n, w, f, s->K, s->M, &minus);
    for (int step = 0; step < steps; step++) {
        memcpy(x, Mx, (size_t)n * sizeof *x);
        solve(n, w, f, x);
        dot(n, x, Mx, &along);
        multiply(s->M, x, Mx);
        dot(n, x, Mx, &square);
        normalise(n, x, Mx, &square);
    }
    for (int l = 0; l < LANES; l++) {
        jd_dd change = dd_div(lane(&along, l), lane(&square, l));
        s->lambda[k + l] = dd_add(s->lambda[k + l], change);
        for (int i = 0; i < n; i++) s->vector[(k + l) * n + i] = lane(x + i, l);
    }
}
