// product.c -- products and sums of sparse symmetric matrices.
#include "linalg/sparse/product.h"

void jd_sparse_times(const jd_sparse *A, const double *x, double *y) {
    for (int i = 0; i < A->n; i++) { // symmetric: column i is row i
        double sum = 0;
        for (int p = A->start[i]; p < A->start[i + 1]; p++) sum += A->value[p] * x[A->row[p]];
        y[i] = sum;
    }
}

JD_DD_CLONES
void jd_sparse_times_dd(const jd_sparse *A, const double *x, jd_dd *y) {
    for (int i = 0; i < A->n; i++) {
        jd_dd sum = dd(0);
        for (int p = A->start[i]; p < A->start[i + 1]; p++)
            sum = dd_add(sum, dd_two_prod(A->value[p], x[A->row[p]]));
        y[i] = sum;
    }
}

double jd_sparse_size(const jd_sparse *A, const double *x) {
    double size = 0;
    for (int i = 0; i < A->n; i++) {
        double sum = 0;
        for (int p = A->start[i]; p < A->start[i + 1]; p++) sum += fabs(A->value[p] * x[A->row[p]]);
        size += sum * fabs(x[i]);
    }
    return size;
}

double jd_sparse_norm(const jd_sparse *M, const double *x) {
    double square = 0;
    for (int i = 0; i < M->n; i++) {
        double sum = 0;
        for (int p = M->start[i]; p < M->start[i + 1]; p++) sum += M->value[p] * x[M->row[p]];
        square += sum * x[i];
    }
    return sqrt(fmax(square, 0));
}
