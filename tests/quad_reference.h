// quad_reference.h -- the integrator of reference_events.h in quadruple precision.
//   Long double ends bounces that are no higher than its own rounding, some 1e-10 s too early: too
//   coarse to judge what follows them. Here they go on to where nothing is left of them. Included
//   before everything else of the reference. Sines are those of long double.
#ifndef JD_TESTS_QUAD_REFERENCE_H
#define JD_TESTS_QUAD_REFERENCE_H

#include <math.h>

#if defined(__SIZEOF_FLOAT128__)
__extension__ typedef __float128 quad;
#else
typedef long double quad; // quadruple there
#endif

#define REF_REAL quad
#define REF_NOISE 1e-30L

static inline quad quad_abs(quad x) { return x < 0 ? -x : x; }
static inline quad quad_max(quad a, quad b) { return a > b ? a : b; }
static inline quad quad_min(quad a, quad b) { return a < b ? a : b; }
static inline quad quad_scale(quad x, int power) { return x * (quad)ldexp(1, power); }
static inline quad quad_sin(quad x) { return (quad)sinl((long double)x); }
static inline quad quad_cos(quad x) { return (quad)cosl((long double)x); }
static inline quad quad_root(quad x) { return (quad)sqrtl((long double)x); } // scales only

#define fabsl(x) quad_abs(x)
#define fmaxl(a, b) quad_max(a, b)
#define fminl(a, b) quad_min(a, b)
#define ldexpl(x, power) quad_scale(x, power)
#define sinl(x) quad_sin(x)
#define cosl(x) quad_cos(x)
#define sqrtl(x) quad_root(x)

#endif
