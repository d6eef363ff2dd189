// product.c -- products and sums of sparse symmetric matrices.
#include "linalg/sparse/product.h"

void jd_sparse_times(const jd_sparse *A, const double *x, double *y) {
    for (int i = 0; i < A->n; i++) { // symmetric: column i is row i
        double sum = 0;
        for (int p = A->start[i]; p < A->start[i + 1]; p++) sum += A->value[p] * x[A->row[p]];
        y[i] = sum;
    }
}

static void times_four(const jd_sparse *A, const double *x, double *y) {
    size_t n = (size_t)A->n;
    const double *x1 = x + n, *x2 = x1 + n, *x3 = x2 + n;
    for (size_t i = 0; i < n; i++) {
        double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
        for (int p = A->start[i]; p < A->start[i + 1]; p++) {
            double a = A->value[p];
            int k = A->row[p];
            s0 += a * x[k];
            s1 += a * x1[k];
            s2 += a * x2[k];
            s3 += a * x3[k];
        }
        y[i] = s0;
        y[n + i] = s1;
        y[2 * n + i] = s2;
        y[3 * n + i] = s3;
    }
}

void jd_sparse_times_many(const jd_sparse *A, int m, const double *x, double *y) {
    size_t n = (size_t)A->n;
    int v = 0;
    for (; v + 4 <= m; v += 4) times_four(A, x + (size_t)v * n, y + (size_t)v * n);
    for (; v < m; v++) jd_sparse_times(A, x + (size_t)v * n, y + (size_t)v * n);
}

void jd_side_by_side(int n, int m, const double *vector, double *x) {
    for (int v = 0; v < JD_SIDE; v++)
        for (int i = 0; i < n; i++)
            x[(size_t)i * JD_SIDE + (size_t)v] =
                v < m ? vector[(size_t)v * (size_t)n + (size_t)i] : 0;
}

// The loops over v are done by one instruction for several of them; each has its own sum, in the
// order of the entries. What the sum and its products lose is summed beside it (Ogita, Rump, Oishi
// 2005): half the work of sums in double-double, within (entries eps)^2 of the sum of sizes.
JD_DD_CLONES
void jd_sparse_times_dd(const jd_sparse *A, const double *x, jd_side_dd y) {
    for (int i = 0; i < A->n; i++) {
        double hi[JD_SIDE] = {0}, lo[JD_SIDE] = {0};
        for (int p = A->start[i]; p < A->start[i + 1]; p++) {
            const double a = A->value[p], *b = x + (size_t)A->row[p] * JD_SIDE;
            for (int v = 0; v < JD_SIDE; v++) {
                jd_dd term = dd_two_prod(a, b[v]), sum = dd_two_sum(hi[v], term.hi);
                hi[v] = sum.hi;
                lo[v] += sum.lo + term.lo;
            }
        }
        for (int v = 0; v < JD_SIDE; v++) {
            jd_dd sum = dd_two_sum(hi[v], lo[v]);
            y.hi[(size_t)i * JD_SIDE + (size_t)v] = sum.hi;
            y.lo[(size_t)i * JD_SIDE + (size_t)v] = sum.lo;
        }
    }
}

// stride 0: one number of x for all.
JD_DD_INLINE void dots(int n, const double *x, int stride, jd_side_dd y, jd_dd sum[JD_SIDE]) {
    double hi[JD_SIDE] = {0}, lo[JD_SIDE] = {0};
    for (int i = 0; i < n; i++) {
        const double *b = x + (stride ? (size_t)i * JD_SIDE : (size_t)i);
        const double *h = y.hi + (size_t)i * JD_SIDE, *l = y.lo + (size_t)i * JD_SIDE;
        for (int v = 0; v < JD_SIDE; v++) {
            jd_dd term = dd_scale((jd_dd){h[v], l[v]}, stride ? b[v] : b[0]);
            jd_dd s = dd_add_fast((jd_dd){hi[v], lo[v]}, term);
            hi[v] = s.hi;
            lo[v] = s.lo;
        }
    }
    for (int v = 0; v < JD_SIDE; v++) sum[v] = (jd_dd){hi[v], lo[v]};
}

JD_DD_CLONES
void jd_side_dots(int n, const double *x, jd_side_dd y, jd_dd sum[JD_SIDE]) {
    dots(n, x, 1, y, sum);
}

JD_DD_CLONES
void jd_side_dots_with(int n, const double *z, jd_side_dd y, jd_dd sum[JD_SIDE]) {
    dots(n, z, 0, y, sum);
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
