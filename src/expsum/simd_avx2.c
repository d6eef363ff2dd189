// simd_avx2.c -- the inner loops with AVX2 and FMA where the compiler targets x86-64; chosen at
// run time.
//   A fused multiply-add is written where it is meant and nowhere else: the bits are those of
//   simd_plain.c, which calls fma().                 tested: inner_loops_agree_bit_for_bit
#define JD_SIMD jd_simd_avx2
#if defined(__x86_64__)
#define JD_KERNEL_FMA
#include <immintrin.h>
#endif
#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#elif defined(__x86_64__) && defined(__GNUC__)
#pragma GCC target("avx2,fma")
#endif
#include "expsum/simd_body.h"
#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute pop
#endif
