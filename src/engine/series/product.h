// product.h -- inner loops over modes and rows: products, the recurrence, series at tau, moduli.
#ifndef JD_SERIES_PRODUCT_H
#define JD_SERIES_PRODUCT_H

#include <stddef.h>

// sum[q] += sum_r a[r] M[r][q]; columns in whole vectors.
void jd_series_combine(int rows, int columns, int stride, const double *a, const double *M,
                       double *sum);
// sum_a[q] = sum_r a[r] M[r][q], sum_b likewise: each number of M is read once.
void jd_series_combine_two(int rows, int columns, int stride, const double *a, const double *b,
                           const double *M, double *sum_a, double *sum_b);

// Two orders of the recurrence at a time (expand.c).
typedef struct series_pair {
    int rows;                // of M
    const double *a, *b, *M; // springs of order k, k + 1: sum_r a[r] M[r], sum_r b[r] M[r]
    int stride;
    const double *omega2, *c;
    const double *q;            // orders k and k + 1; k + 2 and k + 3 follow behind them
    const double *load, *load1; // times e and e1: accelerations of orders k and k + 1
    double e, e1;
    double f, g, f1, g1; // dt^2/((k+1)(k+2)), dt/(k+2), and for k + 1
} series_pair;

// sum x^2, sum |omega2| x^2, sum (omega2 x)^2, sum (c x)^2
typedef struct series_sums {
    double x, strain, pull, damping;
} series_sums;
// Orders k + 2 and k + 3, and their sums.
void jd_series_recur(const series_pair *p, double *next, series_sums *sums);
series_sums jd_series_sums(int n, const double *x, const double *omega2, const double *c);

// M[r][l] += the multiple of a unit nearest to x a[r] b[l]: 1.5 2^52 units are `large`, so that
// what is added may be taken away again without a trace.
void jd_series_outer(int n, int stride, double x, const double *a, const double *b, double large,
                     double *M);

// out[k stride_out] = w . q[k] for k = from .. to
void jd_series_row_of(int n, int from, int to, const double *w, const double *q, size_t stride,
                      double *out, size_t stride_out);

// value[i] = sum_{k <= orders} c[k row + i] tau^k and its rate, i in whole vectors.
void jd_series_horner(int orders, int n, size_t row, const double *c, double tau, double *value,
                      double *rate);
// The same, and how far the value is from its first order.
void jd_series_advance(int orders, int n, size_t row, const double *c, double tau, double *moved,
                       double *value, double *rate);
// sum[i] = sum_{1 <= k <= orders} |c[k row + i]|
void jd_series_moduli(int orders, int n, size_t row, const double *c, double *sum);

#endif
