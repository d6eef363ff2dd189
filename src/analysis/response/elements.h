// elements.h -- collocation at the Gauss points of equal elements, STAGES points each.
#ifndef JD_ANALYSIS_ELEMENTS_H
#define JD_ANALYSIS_ELEMENTS_H

enum { STAGES = 12 };

// On an element 0 <= tau <= 1.
typedef struct gauss_rule {
    double c[STAGES], b[STAGES]; // points and weights
    double A[STAGES][STAGES];    // integral of l_j from 0 to c_i
    double A2[STAGES][STAGES];   // A A
    double bA[STAGES];           // b A
    double P[STAGES][STAGES];    // P_k at point j
} gauss_rule;

// At one tau: l_j, its integral and its second integral from 0.
typedef struct gauss_basis {
    double value[STAGES], integral[STAGES], twice[STAGES];
} gauss_basis;

void jd_gauss_create(gauss_rule *rule);
void jd_gauss_look(const gauss_rule *rule, double tau, gauss_basis *out);
// The larger of the two highest Legendre coefficients of data at the points.
double jd_gauss_tail(const gauss_rule *rule, const double *value);

#endif
