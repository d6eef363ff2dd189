// near.h -- cmocka with comparisons in double (cmocka's own assert_float_equal compares in float).
#ifndef JD_TESTS_NEAR_H
#define JD_TESTS_NEAR_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

// |value - expected| <= bound, and false for NaN.
#define assert_near(value, expected, bound)                                                        \
    do {                                                                                           \
        double near_v = (value), near_e = (expected), near_b = (bound);                            \
        if (!(fabs(near_v - near_e) <= near_b)) {                                                  \
            print_error("%s = %.17g, expected %.17g, off by %.3g, allowed %.3g\n", #value, near_v, \
                        near_e, fabs(near_v - near_e), near_b);                                    \
            _fail(__FILE__, __LINE__);                                                             \
        }                                                                                          \
    } while (0)

// |value/expected - 1| <= bound.
#define assert_relative(value, expected, bound)                                                    \
    assert_near((value), (expected), (bound)*fabs(expected))

#endif
