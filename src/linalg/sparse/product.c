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

// Rows within a column ascend in both.
jd_status jd_sparse_shift(jd_arena *arena, const jd_sparse *K, const jd_sparse *M, double sigma,
                          jd_sparse *S) {
    int n = K->n;
    size_t most = (size_t)K->start[n] + (size_t)M->start[n];
    *S = (jd_sparse){.n = n};
    S->start = JD_TAKE(arena, int, n + 1);
    S->row = JD_TAKE_RAW(arena, int, most); // what is not used is never touched
    S->value = JD_TAKE_RAW(arena, double, most);
    JD_TRY(jd_arena_status(arena));
    int used = 0;
    for (int j = 0; j < n; j++) {
        int p = K->start[j], q = M->start[j];
        while (p < K->start[j + 1] || q < M->start[j + 1]) {
            int i = p < K->start[j + 1] ? K->row[p] : n, l = q < M->start[j + 1] ? M->row[q] : n;
            double value = 0;
            if (i <= l) value += K->value[p++];
            if (l <= i) value -= sigma * M->value[q++];
            S->row[used] = i < l ? i : l;
            S->value[used++] = value;
        }
        S->start[j + 1] = used;
    }
    return JD_OK;
}
