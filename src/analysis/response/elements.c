// elements.c -- Gauss's points, their Lagrange polynomials and the integrals of these.
//   P_k Legendre on 0..1 (x = 2 tau - 1):  l_j = b_j sum_k (2k + 1) P_k(c_j) P_k(tau)
//   J_k = integral of P_k from 0 = (P_(k+1) - P_(k-1))/(2 (2k + 1)),  J_0 = tau;  again for twice
//   Collocation there has order 2 STAGES at the ends of elements.      tested: closure_string_*
#include "analysis/response/elements.h"

#include <math.h>

#include "base/constants.h"

static const double pi = JD_PI;

static void legendre(double tau, double P[STAGES + 3]) {
    double x = 2 * tau - 1;
    P[0] = 1;
    P[1] = x;
    for (int k = 2; k < STAGES + 3; k++)
        P[k] = ((2 * k - 1) * x * P[k - 1] - (k - 1) * P[k - 2]) / k;
}

static void nodes(gauss_rule *rule) {
    for (int i = 0; i < STAGES; i++) {
        double x = -cos(pi * (i + 0.75) / (STAGES + 0.5)), P[STAGES + 3], slope = 1;
        for (int it = 0; it < 20; it++) {
            legendre((1 + x) / 2, P);
            slope = STAGES * (x * P[STAGES] - P[STAGES - 1]) / (x * x - 1);
            x -= P[STAGES] / slope;
        }
        rule->c[i] = (1 + x) / 2;
        rule->b[i] = 1 / ((1 - x * x) * slope * slope);
        legendre(rule->c[i], P);
        for (int k = 0; k < STAGES; k++) rule->P[k][i] = P[k];
    }
}

void jd_gauss_look(const gauss_rule *rule, double tau, gauss_basis *out) {
    double P[STAGES + 3], J[STAGES + 2], w[STAGES][3];
    legendre(tau, P);
    J[0] = tau;
    for (int k = 1; k < STAGES + 2; k++) J[k] = (P[k + 1] - P[k - 1]) / (2 * (2 * k + 1));
    for (int k = 0; k < STAGES; k++) {
        w[k][0] = (2 * k + 1) * P[k];
        w[k][1] = (2 * k + 1) * J[k];
        w[k][2] = k ? (J[k + 1] - J[k - 1]) / 2 : tau * tau / 2;
    }
    for (int j = 0; j < STAGES; j++) {
        double v[3] = {0};
        for (int k = 0; k < STAGES; k++)
            for (int i = 0; i < 3; i++) v[i] += rule->P[k][j] * w[k][i];
        out->value[j] = rule->b[j] * v[0];
        out->integral[j] = rule->b[j] * v[1];
        out->twice[j] = rule->b[j] * v[2];
    }
}

void jd_gauss_create(gauss_rule *rule) {
    *rule = (gauss_rule){0};
    nodes(rule);
    for (int i = 0; i < STAGES; i++) {
        gauss_basis at;
        jd_gauss_look(rule, rule->c[i], &at);
        for (int j = 0; j < STAGES; j++) rule->A[i][j] = at.integral[j];
    }
    for (int i = 0; i < STAGES; i++)
        for (int j = 0; j < STAGES; j++) {
            rule->bA[j] += rule->b[i] * rule->A[i][j];
            for (int k = 0; k < STAGES; k++) rule->A2[i][j] += rule->A[i][k] * rule->A[k][j];
        }
}

double jd_gauss_tail(const gauss_rule *rule, const double *value) {
    double top = 0;
    for (int k = STAGES - 2; k < STAGES; k++) {
        double sum = 0;
        for (int j = 0; j < STAGES; j++) sum += (2 * k + 1) * rule->b[j] * rule->P[k][j] * value[j];
        top = fmax(top, fabs(sum));
    }
    return top;
}
