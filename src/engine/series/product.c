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
