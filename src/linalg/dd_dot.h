// dd_dot.h -- dot product of double-double vectors.
#ifndef JD_LINALG_DD_DOT_H
#define JD_LINALG_DD_DOT_H

#include "base/dd.h"

// sum a_k b_k, k ascending.
jd_dd jd_dd_dot(int n, const jd_dd *a, const jd_dd *b);

#endif
