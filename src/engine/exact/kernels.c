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

CLONES void add_squares(int n, const double *restrict re0, const double *restrict im0,
                        const double *restrict re1, const double *restrict im1,
                        double *restrict sums) {
    for (int i = 0; i < n; i++) {
        double a = re0[i], b = im0[i], c = re1[i], d = im1[i];
        sums[i] += c * c - d * d - (a * a - b * b);
        sums[n + i] += 2 * (c * d - a * b);
        sums[2 * n + i] += c * c + d * d - (a * a + b * b);
    }
}

CLONES void add_products(int n, const double *restrict re0, const double *restrict im0,
                         const double *restrict re1, const double *restrict im1, const double d0[2],
                         const double d1[2], double *restrict sums) {
    double a = d0[0], b = d0[1], c = d1[0], d = d1[1];
    for (int i = 0; i < n; i++) {
        double rr = re1[i] * c - re0[i] * a, ii = im1[i] * d - im0[i] * b;
        double ri = re1[i] * d - re0[i] * b, ir = im1[i] * c - im0[i] * a;
        sums[i] += rr - ii;
        sums[n + i] += ri + ir;
        sums[2 * n + i] += rr + ii;
        sums[3 * n + i] += ir - ri;
    }
}

CLONES void add_motion(int n, const double *restrict a, const double *restrict w,
                       const double *restrict re, const double *restrict im, double *restrict x,
                       double *restrict v) {
    for (int i = 0; i < n; i++) {
        x[i] += re[i];
        v[i] += a[i] * re[i] - w[i] * im[i];
    }
}

CLONES void take_motion(int n, const double *restrict a, const double *restrict w,
                        const double *restrict x, const double *restrict v, double *restrict re,
                        double *restrict im) {
    for (int i = 0; i < n; i++) {
        re[i] = x[i];
        im[i] = (a[i] * x[i] - v[i]) / w[i];
    }
}

CLONES void pull_back(int n, const double *restrict omega2, const double *restrict c,
                      const double *restrict q, const double *restrict p, double *restrict acc) {
    for (int i = 0; i < n; i++) acc[i] = -omega2[i] * q[i] - c[i] * p[i];
}
