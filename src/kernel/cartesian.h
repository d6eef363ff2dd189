// cartesian.h -- complex numbers from their parts; CMPLX of C11 is missing in some compilers.
#ifndef JD_KERNEL_CARTESIAN_H
#define JD_KERNEL_CARTESIAN_H

#include <complex.h>

#undef I // local names are free to be I

static inline double complex cartesian(double re, double im) {
    union {
        double part[2];
        double complex whole;
    } z = {{re, im}};
    return z.whole;
}

#endif
