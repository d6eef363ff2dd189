// dot.h -- sum of a_k b_k in the order of k.
#ifndef JD_LINALG_DOT_H
#define JD_LINALG_DOT_H

static inline double jd_dot(int n, const double *a, const double *b) {
    double sum = 0;
    for (int k = 0; k < n; k++) sum += a[k] * b[k];
    return sum;
}

#endif
