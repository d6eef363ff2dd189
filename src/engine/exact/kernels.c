// kernels.c -- compiled twice where the compiler can: for any x86-64 and with AVX2 (without fused
// multiply-add), so that a machine changes the speed and not the bits.
#include "engine/exact/kernels.h"

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
#define CLONES __attribute__((target_clones("default", "avx2")))
#else
#define CLONES
#endif

CLONES void turn(int rows, int columns, const double *A, const double *q, const double *p,
                 double *restrict x, double *restrict v) {
    for (int i = 0; i < rows; i++) x[i] = v[i] = 0;
    int j = 0;
    for (; j + 2 <= columns; j += 2) { // two columns at a time: x and v are read half as often
        const double *restrict a = A + j * rows, *restrict b = a + rows;
        double qa = q[j], qb = q[j + 1], pa = p[j], pb = p[j + 1];
        for (int i = 0; i < rows; i++) {
            x[i] += a[i] * qa + b[i] * qb;
            v[i] += a[i] * pa + b[i] * pb;
        }
    }
    for (; j < columns; j++)
        for (int i = 0; i < rows; i++) {
            x[i] += A[j * rows + i] * q[j];
            v[i] += A[j * rows + i] * p[j];
        }
}

CLONES void weigh4(int slots, const weights4 *w, const double *re, const double *im,
                   double out[8]) {
    double r[4] = {0, 0, 0, 0}, m[4] = {0, 0, 0, 0};
    for (int s = 0; s < slots; s++)
        for (int i = 0; i < 4; i++) {
            r[i] += w[s][i] * re[s] - w[s][4 + i] * im[s];
            m[i] += w[s][i] * im[s] + w[s][4 + i] * re[s];
        }
    for (int i = 0; i < 4; i++) {
        out[i] = r[i];
        out[4 + i] = m[i];
    }
}
