// product.h -- products and sums of sparse symmetric matrices.
#ifndef JD_LINALG_PRODUCT_H
#define JD_LINALG_PRODUCT_H

#include "linalg/eigen.h"

// y = A x; x and y never overlap.
void jd_sparse_times(const jd_sparse *A, const double *x, double *y);

// The same in double-double: entries and x are taken as exact.
void jd_sparse_times_dd(const jd_sparse *A, const double *x, jd_dd *y);

// |x|' |A| |x|
double jd_sparse_size(const jd_sparse *A, const double *x);

// sqrt(x' M x)
double jd_sparse_norm(const jd_sparse *M, const double *x);

#endif
