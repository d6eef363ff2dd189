// product.c -- four lanes are written out as one vector type, so that every build adds in the same
// order; compiled once more for AVX2 (without fused multiply-add) where the compiler can.
#include "engine/series/product.h"

#include "base/clones.h"
#include "base/lanes.h"
#include "linalg/combine.h"

#define CLONES JD_CLONES("avx2")
// clang-format off
#define MODULUS(x) ((v4)((i4)(x) & ~(i4)ALL(-0.0)))
// clang-format on

CLONES void jd_series_combine(int rows, int columns, int stride, const double *a, const double *M,
                              double *sum) {
    jd_combine(rows, columns, stride, a, M, sum);
}

CLONES void jd_series_horner(int orders, int n, size_t row, const double *c, double tau,
                             double *value, double *rate) {
    v4 t = ALL(tau);
    for (int i = 0; i < n; i += 4) {
        const double *x = c + (size_t)orders * row + i;
        v4 a = LOAD(x), b = ALL(0);
        for (int k = 1; k <= orders; k++) {
            x -= row;
            b = b * t + a;
            a = a * t + LOAD(x);
        }
        STORE(value + i, a);
        STORE(rate + i, b);
    }
}

CLONES void jd_series_moduli(int orders, int n, size_t row, const double *c, double *sum) {
    for (int i = 0; i < n; i += 4) {
        v4 s = ALL(0);
        const double *x = c + row + i;
        for (int k = 1; k <= orders; k++, x += row) s += MODULUS(LOAD(x));
        STORE(sum + i, s);
    }
}

// Columns q .. q + 4 BLOCKS of both products; kept in registers.
#define PRODUCT_TWO(BLOCKS)                                                                        \
    v4 s[BLOCKS], t[BLOCKS];                                                                       \
    for (int i = 0; i < BLOCKS; i++) s[i] = t[i] = ALL(0);                                         \
    const double *m = M + q;                                                                       \
    for (int r = 0; r < rows; r++, m += stride) {                                                  \
        v4 f = ALL(a[r]), g = ALL(b[r]);                                                           \
        for (int i = 0; i < BLOCKS; i++) {                                                         \
            v4 x = LOAD(m + 4 * i);                                                                \
            s[i] += f * x;                                                                         \
            t[i] += g * x;                                                                         \
        }                                                                                          \
    }

CLONES void jd_series_combine_two(int rows, int columns, int stride, const double *a,
                                  const double *b, const double *M, double *sum_a, double *sum_b) {
    int q = 0;
    for (; q + 24 <= columns; q += 24) {
        PRODUCT_TWO(6)
        for (int i = 0; i < 6; i++) {
            STORE(sum_a + q + 4 * i, s[i]);
            STORE(sum_b + q + 4 * i, t[i]);
        }
    }
    for (; q < columns; q += 4) {
        PRODUCT_TWO(1)
        STORE(sum_a + q, s[0]);
        STORE(sum_b + q, t[0]);
    }
}

// Vectors go by pointer: by value their ABI depends on the instruction set.
static inline double total(const v4 *x) { return ((*x)[0] + (*x)[1]) + ((*x)[2] + (*x)[3]); }

typedef struct sums4 {
    v4 x, strain, pull, damping;
} sums4;

static inline void add_sums(sums4 *s, const double *x, const double *omega2, const double *c) {
    v4 y = LOAD(x), w = LOAD(omega2), wy = MODULUS(w) * y, d = LOAD(c) * y;
    s->x += y * y;
    s->strain += wy * y;
    s->pull += wy * wy;
    s->damping += d * d;
}

static inline series_sums totals(const sums4 *s) {
    return (series_sums){total(&s->x), total(&s->strain), total(&s->pull), total(&s->damping)};
}

// Orders k + 2 and k + 3 of four modes, with the springs' products s, t.
static inline void finish(const series_pair *p, int q, const v4 *s, const v4 *t, double *next,
                          sums4 *sums) {
    v4 w = LOAD(p->omega2 + q), c = LOAD(p->c + q), x = LOAD(p->q + q),
       x1 = LOAD(p->q + p->stride + q);
    v4 x2 = ALL(p->f) * (ALL(p->e) * LOAD(p->load + q) - w * x - *s) - ALL(p->g) * c * x1;
    v4 x3 = ALL(p->f1) * (ALL(p->e1) * LOAD(p->load1 + q) - w * x1 - *t) - ALL(p->g1) * c * x2;
    STORE(next + q, x2);
    STORE(next + p->stride + q, x3);
    add_sums(sums, next + q, p->omega2 + q, p->c + q);
    add_sums(sums + 1, next + p->stride + q, p->omega2 + q, p->c + q);
}

CLONES void jd_series_recur(const series_pair *p, double *next, series_sums *out) {
    int rows = p->rows, stride = p->stride, q = 0;
    const double *a = p->a, *b = p->b, *M = p->M;
    sums4 sums[2] = {{ALL(0), ALL(0), ALL(0), ALL(0)}, {ALL(0), ALL(0), ALL(0), ALL(0)}};
    for (; q + 24 <= stride; q += 24) {
        PRODUCT_TWO(6)
        for (int i = 0; i < 6; i++) finish(p, q + 4 * i, &s[i], &t[i], next, sums);
    }
    for (; q + 8 <= stride; q += 8) {
        PRODUCT_TWO(2)
        for (int i = 0; i < 2; i++) finish(p, q + 4 * i, &s[i], &t[i], next, sums);
    }
    for (; q < stride; q += 4) {
        PRODUCT_TWO(1)
        finish(p, q, &s[0], &t[0], next, sums);
    }
    out[0] = totals(&sums[0]);
    out[1] = totals(&sums[1]);
}

CLONES series_sums jd_series_sums(int n, const double *x, const double *omega2, const double *c) {
    sums4 sums = {ALL(0), ALL(0), ALL(0), ALL(0)};
    for (int i = 0; i < n; i += 4) add_sums(&sums, x + i, omega2 + i, c + i);
    return totals(&sums);
}

CLONES void jd_series_outer(int n, int stride, double x, const double *a, const double *b,
                            double large, double *M) {
    v4 most = ALL(large);
    for (int r = 0; r < n; r++, M += stride) {
        v4 f = ALL(x * a[r]);
        for (int i = 0; i < stride; i += 4) {
            v4 term = (f * LOAD(b + i) + most) - most;
            STORE(M + i, LOAD(M + i) + term);
        }
    }
}

CLONES void jd_series_row_of(int n, int from, int to, const double *w, const double *q,
                             size_t stride, double *out, size_t stride_out) {
    for (int k = from; k <= to; k += 4) {
        v4 s[4] = {ALL(0), ALL(0), ALL(0), ALL(0)};
        const double *x = q + (size_t)k * stride;
        int many = to - k + 1 < 4 ? to - k + 1 : 4;
        if (many == 4)
            for (int i = 0; i < n; i += 4) {
                v4 y = LOAD(w + i);
                for (int j = 0; j < 4; j++) s[j] += y * LOAD(x + (size_t)j * stride + i);
            }
        else
            for (int j = 0; j < many; j++)
                for (int i = 0; i < n; i += 4)
                    s[j] += LOAD(w + i) * LOAD(x + (size_t)j * stride + i);
        for (int j = 0; j < many; j++) out[(size_t)(k + j) * stride_out] = total(&s[j]);
    }
}

CLONES void jd_series_advance(int orders, int n, size_t row, const double *c, double tau,
                              double *moved, double *value, double *rate) {
    v4 t = ALL(tau);
    for (int i = 0; i < n; i += 4) {
        const double *x = c + (size_t)orders * row + i;
        v4 a = LOAD(x), b = ALL(0);
        for (int k = 1; k < orders; k++) {
            x -= row;
            b = b * t + a;
            a = a * t + LOAD(x);
        }
        b = b * t + a;
        STORE(moved + i, a * t);
        STORE(value + i, a * t + LOAD(x - row));
        STORE(rate + i, b);
    }
}
