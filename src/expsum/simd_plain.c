// simd_plain.c -- the inner loops for any processor.
#define JD_SIMD jd_simd_plain
#include "expsum/simd_body.h"
