// product.c -- four lanes are written out as one vector type, so that every build adds in the same
// order; compiled once more for AVX2 (without fused multiply-add) where the compiler can.
#include "engine/series/product.h"

#include "base/clones.h"
#include "base/lanes.h"

#define CLONES JD_CLONES("avx2")
// clang-format off
#define MODULUS(x) ((v4)((i4)(x) & ~(i4)ALL(-0.0)))
// clang-format on

// 16 sums are kept in registers.
CLONES void jd_series_combine(int rows, int columns, int stride, const double *a, const double *M,
                              double *sum) {
    int q = 0;
    for (; q + 16 <= columns; q += 16) {
        v4 s0 = LOAD(sum + q), s1 = LOAD(sum + q + 4), s2 = LOAD(sum + q + 8),
           s3 = LOAD(sum + q + 12);
        const double *m = M + q;
        for (int r = 0; r < rows; r++, m += stride) {
            v4 f = ALL(a[r]);
            s0 += f * LOAD(m);
            s1 += f * LOAD(m + 4);
            s2 += f * LOAD(m + 8);
            s3 += f * LOAD(m + 12);
        }
        STORE(sum + q, s0);
        STORE(sum + q + 4, s1);
        STORE(sum + q + 8, s2);
        STORE(sum + q + 12, s3);
    }
    for (; q < columns; q += 4) {
        v4 s0 = LOAD(sum + q);
        const double *m = M + q;
        for (int r = 0; r < rows; r++, m += stride) s0 += ALL(a[r]) * LOAD(m);
        STORE(sum + q, s0);
    }
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
