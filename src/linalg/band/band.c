// band.c -- symmetric band matrices in double-double.
//   A = L D L' column by column: l_p = a_p/d, a_(j+p, j+q) -= l_p a_q   (right-looking)
//   Backward error: |dA| <= c eps_dd |L| |D| |L'|, c about 3 width.
#include "linalg/band/band.h"

void jd_ldl_take(jd_arena *arena, int n, int width, jd_ldl *f) {
    *f = (jd_ldl){
        .n = n, .width = width, .l = JD_TAKE(arena, jd_dd, (size_t)n * (size_t)(width + 1))};
}

JD_DD_INLINE jd_dd less(jd_dd a, jd_dd b) { return dd_add_fast(a, dd_neg(b)); }

static const jd_dd *column(const jd_band *A, int j) {
    return A->v + (size_t)j * (size_t)(A->width + 1);
}

// a := K - sigma M; the mass may have fewer diagonals than the stiffness.
JD_DD_CLONES
static void shifted(jd_dd *a, const jd_band *K, const jd_band *M, jd_dd sigma) {
    size_t w = (size_t)K->width + 1, v = (size_t)M->width + 1;
    for (size_t j = 0; j < (size_t)K->n; j++)
        for (size_t p = 0; p < w; p++) {
            jd_dd k = K->v[j * w + p];
            a[j * w + p] = p < v ? less(k, dd_mul(sigma, M->v[j * v + p])) : k;
        }
}

JD_DD_CLONES
void jd_ldl_factor(jd_ldl *f, const jd_band *K, const jd_band *M, jd_dd sigma) {
    int n = f->n, w = f->width;
    shifted(f->l, K, M, sigma);
    f->negative = 0;
    for (int j = 0; j < n; j++) {
        jd_dd *a = f->l + (size_t)j * (size_t)(w + 1);
        // A pivot that vanishes is moved by less than a rounding of K.
        if (a[0].hi == 0) a[0] = dd(JD_EPS_DD * fabs(column(K, j)[0].hi) + 1e-300);
        if (a[0].hi < 0) f->negative++;
        jd_dd inverse = dd_inverse(a[0]);
        int last = n - 1 - j < w ? n - 1 - j : w;
        for (int p = last; p > 0; p--) {
            jd_dd l = dd_mul(a[p], inverse), *b = a + (size_t)p * (size_t)(w + 1);
            for (int q = p; q <= last; q++) b[q - p] = less(b[q - p], dd_mul(l, a[q]));
        }
        for (int p = 1; p <= last; p++) a[p] = dd_mul(a[p], inverse);
        a[0] = inverse;
    }
}

JD_DD_CLONES
void jd_ldl_solve(const jd_ldl *f, jd_dd *x) {
    int n = f->n, w = f->width;
    for (int j = 0; j < n; j++) {
        const jd_dd *l = f->l + (size_t)j * (size_t)(w + 1);
        for (int p = 1; p <= w && j + p < n; p++) x[j + p] = less(x[j + p], dd_mul(l[p], x[j]));
    }
    for (int j = n - 1; j >= 0; j--) {
        const jd_dd *l = f->l + (size_t)j * (size_t)(w + 1);
        jd_dd s = dd_mul(x[j], l[0]);
        for (int p = 1; p <= w && j + p < n; p++) s = less(s, dd_mul(l[p], x[j + p]));
        x[j] = s;
    }
}

JD_DD_CLONES
void jd_band_multiply(const jd_band *A, const jd_dd *x, jd_dd *y) {
    for (int i = 0; i < A->n; i++) y[i] = dd(0);
    for (int j = 0; j < A->n; j++) {
        const jd_dd *a = column(A, j);
        jd_dd s = dd_add_fast(y[j], dd_mul(a[0], x[j]));
        for (int p = 1; p <= A->width && j + p < A->n; p++) {
            s = dd_add_fast(s, dd_mul(a[p], x[j + p]));
            y[j + p] = dd_add_fast(y[j + p], dd_mul(a[p], x[j]));
        }
        y[j] = s;
    }
}

// Four sums side by side: one alone would wait for its own rounding errors.
JD_DD_CLONES
jd_dd jd_dot(int n, const jd_dd *x, const jd_dd *y) {
    jd_dd s[4] = {{0, 0}, {0, 0}, {0, 0}, {0, 0}};
    int i = 0;
    for (; i + 3 < n; i += 4)
        for (int p = 0; p < 4; p++) s[p] = dd_add_fast(s[p], dd_mul(x[i + p], y[i + p]));
    for (; i < n; i++) s[0] = dd_add_fast(s[0], dd_mul(x[i], y[i]));
    return dd_add_fast(dd_add_fast(s[0], s[1]), dd_add_fast(s[2], s[3]));
}

double jd_band_form(const jd_band *A, const jd_dd *x) {
    double sum = 0;
    for (int j = 0; j < A->n; j++) {
        const jd_dd *a = column(A, j);
        double xj = fabs(x[j].hi);
        sum += fabs(a[0].hi) * xj * xj;
        for (int p = 1; p <= A->width && j + p < A->n; p++)
            sum += 2 * fabs(a[p].hi) * xj * fabs(x[j + p].hi);
    }
    return sum;
}
