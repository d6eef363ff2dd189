// first_zero.h -- the first zero of a polynomial that begins positive, certified.
#ifndef JD_LINALG_FIRST_ZERO_H
#define JD_LINALG_FIRST_ZERO_H

#include <stdbool.h>

typedef struct jd_zero {
    bool found;
    bool sure;  // false: it comes within `slack` of 0, but may turn before it
    double tau; // where
} jd_zero;

// First zero in [0, end] of sum_{k<=n} c[k] tau^k, known to within `slack`. Nothing is passed over:
// each step stays below the zero of  g + d s - M s^2/2 <= polynomial,  M >= |second derivative|.
jd_zero jd_first_zero_of(int n, const double *c, double end, double slack);

#endif
