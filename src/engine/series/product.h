// product.h -- the inner loops: products with the matrix of rows; the same bits on every machine.
#ifndef JD_SERIES_PRODUCT_H
#define JD_SERIES_PRODUCT_H

#include <stddef.h>

// sum[q] += sum_r a[r] M[r][q], columns in whole vectors of four.
void jd_series_combine(int rows, int columns, int stride, const double *a, const double *M,
                       double *sum);
// Horner for n numbers (whole vectors) that stand `row` apart from order to order.
void jd_series_horner(int orders, int n, size_t row, const double *c, double tau, double *value,
                      double *rate);
// sum[i] = sum_{k >= 1} |c_k[i]|
void jd_series_moduli(int orders, int n, size_t row, const double *c, double *sum);

#endif
