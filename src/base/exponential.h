// exponential.h -- e^x of four doubles at a time, with the same bits on every machine.
#ifndef JD_BASE_EXPONENTIAL_H
#define JD_BASE_EXPONENTIAL_H

#include <stdbool.h>

#include "base/lanes.h"

// In place, for |x| < 700: x = k ln 2 + r, |r| < 0.35, Taylor from r^13 on, or, where 1e-8 will do,
// from r^7 on.
static inline __attribute__((always_inline)) void jd_exponential(bool rough, v4 *at) {
    const v4 shift = ALL(0x1.8p52);
    v4 x = *at, k = x * ALL(0x1.71547652b82fep+0) + shift;
    i4 bits = (i4)k << 52;
    k -= shift;
    v4 r = x - k * ALL(0x1.62e42fefa39efp-1) - k * ALL(0x1.abc9e3b39803fp-56), r2 = r * r;
    static const double inverse[] = {1.0 / 6227020800,
                                     1.0 / 479001600,
                                     1.0 / 39916800,
                                     1.0 / 3628800,
                                     1.0 / 362880,
                                     1.0 / 40320,
                                     1.0 / 5040,
                                     1.0 / 720,
                                     1.0 / 120,
                                     1.0 / 24,
                                     1.0 / 6,
                                     0.5,
                                     1,
                                     1};
    int first = rough ? 6 : 0; // odd and even powers need not wait for each other
    v4 odd = ALL(inverse[first]), even = ALL(inverse[first + 1]);
    for (int j = first + 2; j < 14; j += 2) {
        odd = odd * r2 + ALL(inverse[j]);
        even = even * r2 + ALL(inverse[j + 1]);
    }
    v4 sum = odd * r + even;
    *at = (v4)((i4)sum + bits);
}

#endif
