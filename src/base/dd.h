// dd.h -- double-double arithmetic: an unevaluated sum hi + lo, about 32 digits.
//   two_sum (Knuth 1969), two_prod by fma, the accurate sums of Dekker (1971) and
//   Hida, Li, Bailey (2001). Relative error of + - x: <= 4 eps^2, of / and sqrt: <= 16 eps^2
//   (eps = 2^-53). Needs strict IEEE doubles: no -ffast-math, no contraction.
#ifndef JD_BASE_DD_H
#define JD_BASE_DD_H

#include <math.h>

#include "base/clones.h"

// Hot loops are compiled twice, with and without the fma instruction, and the processor picks; an
// fma is exact either way, so the bits are the same.
#define JD_DD_CLONES JD_CLONES("fma")

// Always inlined, so that a hot loop's copy with fma has it inside.
#if defined(__GNUC__)
#define JD_DD_INLINE static inline __attribute__((always_inline))
#else
#define JD_DD_INLINE static inline
#endif

typedef struct jd_dd {
    double hi, lo;
} jd_dd;

JD_DD_INLINE jd_dd dd(double a) { return (jd_dd){a, 0}; }
JD_DD_INLINE double dd_value(jd_dd a) { return a.hi + a.lo; }

JD_DD_INLINE jd_dd dd_two_sum(double a, double b) {
    double s = a + b, v = s - a;
    return (jd_dd){s, (a - (s - v)) + (b - v)};
}

JD_DD_INLINE jd_dd dd_quick_sum(double a, double b) { // needs |a| >= |b| or a == 0
    double s = a + b;
    return (jd_dd){s, b - (s - a)};
}

JD_DD_INLINE jd_dd dd_two_prod(double a, double b) {
    double p = a * b;
    return (jd_dd){p, fma(a, b, -p)};
}

JD_DD_INLINE jd_dd dd_neg(jd_dd a) { return (jd_dd){-a.hi, -a.lo}; }

JD_DD_INLINE jd_dd dd_add(jd_dd a, jd_dd b) {
    jd_dd s = dd_two_sum(a.hi, b.hi), t = dd_two_sum(a.lo, b.lo);
    s = dd_quick_sum(s.hi, s.lo + t.hi);
    return dd_quick_sum(s.hi, s.lo + t.lo);
}

// Shorter chain; the error is eps^2 of |a| + |b|, not of |a + b|: for sums of products, where each
// product has that error anyway.
JD_DD_INLINE jd_dd dd_add_fast(jd_dd a, jd_dd b) {
    jd_dd s = dd_two_sum(a.hi, b.hi);
    return dd_quick_sum(s.hi, s.lo + (a.lo + b.lo));
}

JD_DD_INLINE jd_dd dd_sub(jd_dd a, jd_dd b) { return dd_add(a, dd_neg(b)); }

JD_DD_INLINE jd_dd dd_mul(jd_dd a, jd_dd b) {
    jd_dd p = dd_two_prod(a.hi, b.hi);
    return dd_quick_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

JD_DD_INLINE jd_dd dd_scale(jd_dd a, double b) {
    jd_dd p = dd_two_prod(a.hi, b);
    return dd_quick_sum(p.hi, p.lo + a.lo * b);
}

JD_DD_INLINE jd_dd dd_div(jd_dd a, jd_dd b) {
    double q1 = a.hi / b.hi;
    jd_dd r = dd_sub(a, dd_scale(b, q1));
    double q2 = r.hi / b.hi;
    r = dd_sub(r, dd_scale(b, q2));
    jd_dd q = dd_quick_sum(q1, q2);
    return dd_add(q, dd(r.hi / b.hi));
}

// 1/a by one Newton step from 1/a.hi: one division in the chain instead of three.
JD_DD_INLINE jd_dd dd_inverse(jd_dd a) {
    double r = 1 / a.hi, e = fma(-a.lo, r, fma(-a.hi, r, 1));
    return dd_quick_sum(r, fma(r * e, e, r * e));
}

JD_DD_INLINE jd_dd dd_sqrt(jd_dd a) { // a >= 0
    if (a.hi <= 0) return dd(0);
    double x = sqrt(a.hi);
    jd_dd r = dd_sub(a, dd_two_prod(x, x));
    jd_dd s = dd_quick_sum(x, r.hi / (2 * x));
    r = dd_sub(a, dd_mul(s, s));
    return dd_add(s, dd(r.hi / (2 * x)));
}

#endif
