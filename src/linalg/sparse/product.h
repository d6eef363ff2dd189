// product.h -- products and sums of sparse symmetric matrices.
#ifndef JD_LINALG_PRODUCT_H
#define JD_LINALG_PRODUCT_H

#include "linalg/eigen.h"

// y = A x; x and y never overlap.
void jd_sparse_times(const jd_sparse *A, const double *x, double *y);
// The same for m vectors, rows of n: the entries are read once for four of them.
void jd_sparse_times_many(const jd_sparse *A, int m, const double *x, double *y);

// Vectors side by side: number v of row i at [i * JD_SIDE + v].
enum { JD_SIDE = 8 };
typedef struct jd_side_dd {
    double *hi, *lo; // n * JD_SIDE each
} jd_side_dd;

// m <= JD_SIDE rows of n, side by side; those that are missing are 0.
void jd_side_by_side(int n, int m, const double *vector, double *x);
// y = A x in double-double for JD_SIDE vectors at once; entries and x are taken as exact.
void jd_sparse_times_dd(const jd_sparse *A, const double *x, jd_side_dd y);
// sum[v] = x_v' y_v for each; the second one: sum[v] = z' y_v for one z.
void jd_side_dots(int n, const double *x, jd_side_dd y, jd_dd sum[JD_SIDE]);
void jd_side_dots_with(int n, const double *z, jd_side_dd y, jd_dd sum[JD_SIDE]);

// |x|' |A| |x|
double jd_sparse_size(const jd_sparse *A, const double *x);

// sqrt(x' M x)
double jd_sparse_norm(const jd_sparse *M, const double *x);

#endif
