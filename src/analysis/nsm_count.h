// nsm_count.h -- roots of a sum of simple poles, counted.
#ifndef JD_ANALYSIS_NSM_COUNT_H
#define JD_ANALYSIS_NSM_COUNT_H

#include <stdbool.h>

typedef struct nsm_term {
    double c, rho; // pole and its weight
} nsm_term;

typedef struct nsm_count {
    bool unstable;  // not all roots are real and in [-1, 1]
    bool proved;    // an odd number of them is beyond 1 or -1
    int missing;    // roots that were not found
    double at[2];   // G(1), G(-1)
    double pair;    // least half distance of two roots that may collide
    double end;     // least distance of a root from +-1
    double offence; // unstable: a lower estimate of how far the roots are from being allowed
} nsm_count;

// Sorts the terms.
void nsm_count_roots(int n, nsm_term *term, nsm_count *out);

#endif
