// volterra_rule.h -- Gauss's rule, Lagrange's polynomials through its nodes, and linear equations,
// for the reference of volterra.h.
#ifndef JD_TESTS_VOLTERRA_RULE_H
#define JD_TESTS_VOLTERRA_RULE_H

#include <math.h>
#include <string.h>

static const double volterra_pi = 3.14159265358979323846;

// rho^-20 = 5e-15 for a group as long as 0.8 of its distance from the poles
enum { VOLTERRA_WIDE = 20 };

// Gauss's nodes on [0, 1], weights, barycentric weights.
typedef struct volterra_rule {
    int n;
    double node[VOLTERRA_WIDE], weight[VOLTERRA_WIDE], bary[VOLTERRA_WIDE];
} volterra_rule;

static inline void volterra_nodes(int P, volterra_rule *g) {
    g->n = P;
    for (int i = 0; i < P; i++) {
        double x = cos(volterra_pi * (i + 0.75) / (P + 0.5)), slope = 0;
        for (int round = 0; round < 50; round++) {
            double a = 1, b = x;
            for (int k = 2; k <= P; k++) {
                double c = ((2 * k - 1) * x * b - (k - 1) * a) / k;
                a = b, b = c;
            }
            slope = P * (x * b - a) / (x * x - 1);
            x -= b / slope;
        }
        g->node[P - 1 - i] = (1 + x) / 2;
        g->weight[P - 1 - i] = 1 / ((1 - x * x) * slope * slope);
    }
    for (int i = 0; i < P; i++) {
        g->bary[i] = 1;
        for (int j = 0; j < P; j++)
            if (j != i) g->bary[i] /= 4 * (g->node[i] - g->node[j]);
    }
}

// Lagrange's polynomials at y in [0, 1].
static inline void volterra_shares(const volterra_rule *g, double y, double *share) {
    double sum = 0;
    for (int m = 0; m < g->n; m++) {
        if (y == g->node[m]) {
            memset(share, 0, (size_t)g->n * sizeof *share);
            share[m] = 1;
            return;
        }
        sum += share[m] = g->bary[m] / (y - g->node[m]);
    }
    for (int m = 0; m < g->n; m++) share[m] /= sum;
}

// A x = b, n unknowns, with pivoting; b becomes x.
static inline void volterra_solve(int n, double *A, double *b) {
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
        for (int j = 0; j < n; j++) {
            double x = A[k * n + j];
            A[k * n + j] = A[best * n + j], A[best * n + j] = x;
        }
        double x = b[k];
        b[k] = b[best], b[best] = x;
        for (int i = k + 1; i < n; i++) {
            double factor = A[i * n + k] / A[k * n + k];
            for (int j = k; j < n; j++) A[i * n + j] -= factor * A[k * n + j];
            b[i] -= factor * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) b[k] -= A[k * n + j] * b[j];
        b[k] /= A[k * n + k];
    }
}

#endif
