// jacobi.c -- cyclic Jacobi rotations.
#include "linalg/sparse/jacobi.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum { MOST_SWEEPS = 30 };

static void turn_rows(int m, double c, double s, double *x, double *y) {
    for (int k = 0; k < m; k++) {
        double a = x[k], b = y[k];
        x[k] = c * a - s * b;
        y[k] = s * a + c * b;
    }
}

// Makes T_ij 0; t = tan of the smaller angle that does.
static void rotate(int m, size_t lead, double *T, double *S, size_t i, size_t j) {
    double a = T[i * lead + i], b = T[j * lead + j], off = T[i * lead + j];
    double tau = (b - a) / (2 * off);
    double t = (tau < 0 ? -1 : 1) / (fabs(tau) + hypot(1, tau)), c = 1 / hypot(1, t), s = c * t;
    turn_rows(m, c, s, T + i * lead, T + j * lead);
    T[i * lead + i] = a - t * off;
    T[j * lead + j] = b + t * off;
    T[i * lead + j] = T[j * lead + i] = 0;
    for (size_t k = 0; k < (size_t)m; k++) {
        T[k * lead + i] = T[i * lead + k];
        T[k * lead + j] = T[j * lead + k];
    }
    turn_rows(m, c, s, S + i * lead, S + j * lead);
}

static void sort(int m, size_t lead, double *S, double *theta) {
    for (int i = 1; i < m; i++)
        for (int k = i; k > 0 && theta[k] > theta[k - 1]; k--) {
            double *x = S + (size_t)k * lead, *y = x - lead, t = theta[k];
            theta[k] = theta[k - 1];
            theta[k - 1] = t;
            for (int l = 0; l < m; l++) {
                double held = x[l];
                x[l] = y[l];
                y[l] = held;
            }
        }
}

void jd_jacobi(int m, int lead, double *T, double *S, double *theta) {
    size_t step = (size_t)lead, n = (size_t)m;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) S[i * step + k] = i == k;
    bool turned = true;
    for (int sweep = 0; turned && sweep < MOST_SWEEPS; sweep++) {
        turned = false;
        for (size_t i = 0; i < n; i++)
            for (size_t j = i + 1; j < n; j++) {
                double size = sqrt(fabs(T[i * step + i])) * sqrt(fabs(T[j * step + j]));
                if (fabs(T[i * step + j]) <= DBL_EPSILON / 4 * size) continue;
                rotate(m, step, T, S, i, j);
                turned = true;
            }
    }
    for (size_t i = 0; i < n; i++) theta[i] = T[i * step + i];
    sort(m, step, S, theta);
}
