// dd_dot.c -- dot product of double-double vectors, in ascending order, by the fast sum of dd.h.
#include "linalg/dd_dot.h"

JD_DD_CLONES
jd_dd jd_dd_dot(int n, const jd_dd *a, const jd_dd *b) {
    jd_dd sum = dd(0);
    for (int k = 0; k < n; k++) sum = dd_add_fast(sum, dd_mul(a[k], b[k]));
    return sum;
}
