// complex.h -- arithmetic of jd_complex, written out: every build has the same bits.
#ifndef JD_EXPSUM_COMPLEX_H
#define JD_EXPSUM_COMPLEX_H

#include "judder/expsum.h"

static inline jd_complex times(jd_complex a, jd_complex b) {
    return (jd_complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static inline jd_complex over(jd_complex a, jd_complex b) {
    double d = b.re * b.re + b.im * b.im;
    return (jd_complex){(a.re * b.re + a.im * b.im) / d, (a.im * b.re - a.re * b.im) / d};
}

static inline jd_complex conjugate(jd_complex a) { return (jd_complex){a.re, -a.im}; }

#endif
