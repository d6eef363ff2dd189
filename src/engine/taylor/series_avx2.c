// series_avx2.c -- the inner loops with AVX2 where the compiler targets x86-64; chosen at run time.
//   AVX2 without FMA: the bits are those of series_plain.c.  tested: kernels_agree_bit_for_bit
#define JD_EXPANSION_KERNEL jd_expansion_avx2
#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#elif defined(__x86_64__) && defined(__GNUC__)
#pragma GCC target("avx2")
#endif
#include "engine/taylor/series_body.h"
#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute pop
#endif
