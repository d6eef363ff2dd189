// lanes.c -- the inner loops over modes, compiled twice where the compiler can: for any x86-64 and
// with AVX2 (without fused multiply-add), so that a machine changes the speed and not the bits.
#include "engine/exact/lanes.h"

#include <math.h>

#include "base/clones.h"
#include "base/lanes.h"
#include "expsum/sum.h"

#define CLONES JD_CLONES("avx2")

void jd_rotate_add(int rows, int columns, int stride, const double *A, const double *q,
                   const double *p, double *x, double *v) {
    jd_simd_best()->multiply_add(rows, columns, stride, A, q, p, x, v);
}

void jd_rotate(int rows, int columns, const double *A, const double *q, const double *p, double *x,
               double *v) {
    jd_simd_best()->multiply(rows, columns, rows, A, q, p, x, v);
}

CLONES void jd_add_squares(int n, const double *restrict re0, const double *restrict im0,
                           const double *restrict re1, const double *restrict im1,
                           double *restrict sums) {
    for (int i = 0; i < n; i++) {
        double a = re0[i], b = im0[i], c = re1[i], d = im1[i];
        sums[i] += c * c - d * d - (a * a - b * b);
        sums[n + i] += 2 * (c * d - a * b);
        sums[2 * n + i] += c * c + d * d - (a * a + b * b);
    }
}

CLONES void jd_add_products(int n, const double *restrict re0, const double *restrict im0,
                            const double *restrict re1, const double *restrict im1,
                            const double d0[2], const double d1[2], double *restrict sums) {
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

CLONES void jd_add_motion(int n, const double *restrict a, const double *restrict w,
                          const double *restrict re, const double *restrict im, double *restrict x,
                          double *restrict v) {
    for (int i = 0; i < n; i++) {
        x[i] += re[i];
        v[i] += a[i] * re[i] - w[i] * im[i];
    }
}

CLONES void jd_take_motion(int n, const double *restrict a, const double *restrict w,
                           const double *restrict x, const double *restrict v, double *restrict re,
                           double *restrict im) {
    for (int i = 0; i < n; i++) {
        re[i] = x[i];
        im[i] = (a[i] * x[i] - v[i]) / w[i];
    }
}

CLONES void jd_pull_back(int n, const double *restrict omega2, const double *restrict c,
                         const double *restrict q, const double *restrict p, double *restrict acc) {
    for (int i = 0; i < n; i++) acc[i] = -omega2[i] * q[i] - c[i] * p[i];
}

CLONES void jd_tie_begin(int n, double rate, const double *restrict omega2,
                         const double *restrict c, const double *restrict q,
                         const double *restrict p, double *restrict before,
                         double *restrict before_size, double *restrict now_size) {
    for (int i = 0; i < n; i++) {
        before[i] = rate * p[i];
        before_size[i] = fabs(before[i]);
        now_size[i] = omega2[i] * fabs(q[i]) + fabs(c[i] * p[i]);
    }
}

CLONES void jd_tie_next(int n, double over, const double *restrict omega2, const double *restrict c,
                        const double *restrict before, const double *restrict now,
                        const double *restrict before_size, const double *restrict now_size,
                        double *restrict next, double *restrict next_size) {
    for (int i = 0; i < n; i++) {
        double stiff = over * over * omega2[i], damped = over * c[i];
        next[i] = -stiff * before[i] - damped * now[i];
        next_size[i] = stiff * before_size[i] + fabs(damped) * now_size[i];
    }
}

CLONES void jd_add_size(int n, double factor, const double *restrict row, double *restrict to) {
    for (int i = 0; i < n; i++) to[i] += fabs(factor * row[i]);
}

CLONES double jd_lanes_dot(int n, const double *a, const double *b) {
    v4 s = {0};
    double rest = 0;
    int k = 0;
    for (; k + 4 <= n; k += 4) s += LOAD(a + k) * LOAD(b + k);
    for (; k < n; k++) rest += a[k] * b[k];
    return (s[0] + s[1]) + (s[2] + s[3]) + rest;
}

CLONES double jd_dot_with_size(int n, const double *a, const double *b, double *size) {
    v4 s = {0}, z = {0};
    double rest = 0, rest_size = 0;
    int k = 0;
    for (; k + 4 <= n; k += 4) {
        v4 x = LOAD(a + k) * LOAD(b + k);
        s += x;
        z += (v4)((i4)x & INT64_MAX); // sign bits off
    }
    for (; k < n; k++) {
        double x = a[k] * b[k];
        rest += x;
        rest_size += fabs(x);
    }
    *size = (z[0] + z[1]) + (z[2] + z[3]) + rest_size;
    return (s[0] + s[1]) + (s[2] + s[3]) + rest;
}

CLONES void jd_add_row(int n, double factor, const double *restrict row, double *restrict to) {
    for (int k = 0; k < n; k++) to[k] += factor * row[k];
}

CLONES void jd_add_wave(int n, const double *restrict Xr, const double *restrict Xi, double zr,
                        double zi, double Omega, double *restrict x, double *restrict xd) {
    for (int k = 0; k < n; k++) {
        x[k] += Xr[k] * zr - Xi[k] * zi;
        xd[k] -= Omega * (Xr[k] * zi + Xi[k] * zr);
    }
}

CLONES void jd_flow(int n, const double F[4], double *restrict x, double *restrict v) {
    double xx = F[0], vx = F[1], xv = F[2], vv = F[3];
    for (int c = 0; c < n; c++) {
        double x0 = x[c], v0 = v[c];
        x[c] = xx * x0 + xv * v0;
        v[c] = vx * x0 + vv * v0;
    }
}

void jd_mix_columns(int rows, int inner, int columns, const double *A, int step, const double *X,
                    int x_stride, double *Y, int y_stride) {
    jd_simd_best()->mix(rows, inner, columns, A, step, X, x_stride, Y, y_stride);
}
