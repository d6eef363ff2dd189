// simd_body.h -- the inner loops and the search that calls them, compiled once per instruction
// set (JD_SIMD names it).
//   Four lanes are written out as one vector type, so every build adds in the same order.
//   exp: x = k ln2 + r, Taylor to r^13 (error 4e-18); sin, cos: x = k pi/2 + r with pi/2 in three
//   pieces, Taylor to r^17 (5e-17); |x| < 1.6e6, beyond that libm. Errors below 1 ulp of 1.
// clang-format off
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/lanes.h"
#include "expsum/search.h"

// to += a b and to -= a b, rounded once; a bit for every lane of a mask that is true.
#ifdef JD_KERNEL_FMA
#define ADD_PRODUCT(to, a, b) ((to) = (v4)_mm256_fmadd_pd((__m256d)(a), (__m256d)(b), (__m256d)(to)))
#define SUB_PRODUCT(to, a, b) ((to) = (v4)_mm256_fnmadd_pd((__m256d)(a), (__m256d)(b), (__m256d)(to)))
#define LANES(mask) _mm256_movemask_pd((__m256d)(mask))
#else
#define ADD_PRODUCT(to, a, b)                                                                      \
    do {                                                                                           \
        v4 a_ = (a), b_ = (b);                                                                     \
        for (int l_ = 0; l_ < 4; l_++) (to)[l_] = fma(a_[l_], b_[l_], (to)[l_]);                   \
    } while (0)
#define SUB_PRODUCT(to, a, b) ADD_PRODUCT(to, -(a), b)
#define LANES(mask) ((int)(((mask)[0] & 1) | ((mask)[1] & 2) | ((mask)[2] & 4) | ((mask)[3] & 8)))
#endif
#define ALL_TRUE(mask) (LANES(mask) == 15)
// clang-format on

static void rotate(int n, double *re, double *im, const double *e_re, const double *e_im) {
    for (int i = 0; i < n; i += 4) {
        v4 x = LOAD(re + i), y = LOAD(im + i), a = LOAD(e_re + i), b = LOAD(e_im + i);
        v4 u = x * a, v = x * b;
        SUB_PRODUCT(u, y, b);
        ADD_PRODUCT(v, y, a);
        STORE(re + i, u);
        STORE(im + i, v);
    }
}

// out = z e, and |out| unless size is NULL.
static inline void turn(int n, const double *re, const double *im, const double *e_re,
                        const double *e_im, double *out_re, double *out_im, double *size) {
    for (int i = 0; i < n; i += 4) {
        v4 x = LOAD(re + i), y = LOAD(im + i), a = LOAD(e_re + i), b = LOAD(e_im + i);
        v4 u = x * a, v = x * b;
        SUB_PRODUCT(u, y, b);
        ADD_PRODUCT(v, y, a);
        STORE(out_re + i, u);
        STORE(out_im + i, v);
        if (!size) continue;
        v4 s = u * u + v * v;
        for (int k = 0; k < 4; k++) size[i + k] = sqrt(s[k]);
    }
}

static void magnitudes(int n, const double *re, const double *im, double *out) {
    for (int i = 0; i < n; i += 4) {
        v4 x = LOAD(re + i), y = LOAD(im + i), s = x * x + y * y;
        for (int k = 0; k < 4; k++) out[i + k] = sqrt(s[k]);
    }
}

#define ROUND_MAGIC 6755399441055744.0 // 1.5 2^52: adding and subtracting it rounds to an integer

// Coefficients, each as often as there are lanes: read where they are used.
#define FOUR(x)                                                                                    \
    { x, x, x, x }
// clang-format off
static const double EXP[14][4] = {
    FOUR(1.0),
    FOUR(1.0),
    FOUR(1.0 / 2),
    FOUR(1.0 / 6),
    FOUR(1.0 / 24),
    FOUR(1.0 / 120),
    FOUR(1.0 / 720),
    FOUR(1.0 / 5040),
    FOUR(1.0 / 40320),
    FOUR(1.0 / 362880),
    FOUR(1.0 / 3628800),
    FOUR(1.0 / 39916800),
    FOUR(1.0 / 479001600),
    FOUR(1.0 / 6227020800)};
static const double SIN[9][4] = {
    FOUR(1.0),
    FOUR(-1.0 / 6),
    FOUR(1.0 / 120),
    FOUR(-1.0 / 5040),
    FOUR(1.0 / 362880),
    FOUR(-1.0 / 39916800),
    FOUR(1.0 / 6227020800),
    FOUR(-1.0 / 1307674368000),
    FOUR(1.0 / 355687428096000)};
static const double COS[9][4] = {
    FOUR(1.0),
    FOUR(-1.0 / 2),
    FOUR(1.0 / 24),
    FOUR(-1.0 / 720),
    FOUR(1.0 / 40320),
    FOUR(-1.0 / 3628800),
    FOUR(1.0 / 479001600),
    FOUR(-1.0 / 87178291200),
    FOUR(1.0 / 20922789888000)};
// clang-format on

static const double INVERSE[11] = {0,       1,       1.0 / 2, 1.0 / 3, 1.0 / 4, 1.0 / 5,
                                   1.0 / 6, 1.0 / 7, 1.0 / 8, 1.0 / 9, 1.0 / 10};

// Two terms of a polynomial; polynomials are summed in blocks of four terms (short chains).
#define PAIR(to, c, j, x)                                                                          \
    v4 to = LOAD((c)[j]);                                                                          \
    ADD_PRODUCT(to, LOAD((c)[(j) + 1]), x)

// e^x of four lanes; 0 below e^-600 (no subnormal numbers, which are slow), clamped above e^709.
#define EXP4(x, result)                                                                            \
    do {                                                                                           \
        v4 x_ = (x);                                                                               \
        i4 low_ = (i4)(x_ < ALL(-600.0)), high_ = (i4)(x_ > ALL(709.0));                           \
        x_ = (v4)(((i4)x_ & ~(low_ | high_)) | ((i4)ALL(-600.0) & low_) |                          \
                  ((i4)ALL(709.0) & high_));                                                       \
        v4 t_ = ALL(ROUND_MAGIC), r_ = x_;                                                         \
        ADD_PRODUCT(t_, x_, ALL(1.44269504088896340736));                                          \
        v4 k_ = t_ - ALL(ROUND_MAGIC);                                                             \
        SUB_PRODUCT(r_, k_, ALL(6.93147180369123816490e-01));                                      \
        SUB_PRODUCT(r_, k_, ALL(1.90821492927058770002e-10));                                      \
        v4 r2_ = r_ * r_, r4_ = r2_ * r2_;                                                         \
        PAIR(p0_, EXP, 0, r_);                                                                     \
        PAIR(p1_, EXP, 2, r_);                                                                     \
        PAIR(p2_, EXP, 4, r_);                                                                     \
        PAIR(p3_, EXP, 6, r_);                                                                     \
        PAIR(p4_, EXP, 8, r_);                                                                     \
        PAIR(p5_, EXP, 10, r_);                                                                    \
        PAIR(p6_, EXP, 12, r_);                                                                    \
        ADD_PRODUCT(p4_, r2_, p5_);                                                                \
        ADD_PRODUCT(p2_, r2_, p3_);                                                                \
        ADD_PRODUCT(p0_, r2_, p1_);                                                                \
        ADD_PRODUCT(p4_, r4_, p6_);                                                                \
        ADD_PRODUCT(p2_, r4_, p4_);                                                                \
        ADD_PRODUCT(p0_, r4_, p2_);                                                                \
        i4 e_ = ((i4)t_ - (i4)ALL(ROUND_MAGIC) + 1023) << 52;                                      \
        (result) = (v4)((i4)(p0_ * (v4)e_) & ~low_);                                               \
    } while (0)

// to = the series of nine terms c in r2.
#define NINE_TERMS(to, c, r2, r4, r8)                                                              \
    do {                                                                                           \
        PAIR(q0_, c, 0, r2);                                                                       \
        PAIR(q1_, c, 2, r2);                                                                       \
        PAIR(q2_, c, 4, r2);                                                                       \
        PAIR(q3_, c, 6, r2);                                                                       \
        ADD_PRODUCT(q2_, r4, q3_);                                                                 \
        ADD_PRODUCT(q0_, r4, q1_);                                                                 \
        ADD_PRODUCT(q2_, r8, LOAD((c)[8]));                                                        \
        ADD_PRODUCT(q0_, r8, q2_);                                                                 \
        (to) = q0_;                                                                                \
    } while (0)

static void far_phase(int n, const double *im, double t, double *c, double *s) {
    for (int i = 0; i < n; i++)
        if (fabs(im[i] * t) > 1.6e6) c[i] = cos(im[i] * t), s[i] = sin(im[i] * t);
}

static void exponentials(int n, const double *re, const double *im, double t, double *e_re,
                         double *e_im) {
    for (int i = 0; i < n; i += 4) {
        v4 x = LOAD(im + i) * ALL(t), decay = LOAD(re + i) * ALL(t), growth = ALL(1.0);
        i4 damped = (i4)(decay != ALL(0.0));
        if ((damped[0] | damped[1] | damped[2] | damped[3]) != 0) EXP4(decay, growth);
        v4 q = ALL(ROUND_MAGIC), r = x, s, c;
        ADD_PRODUCT(q, x, ALL(0.63661977236758134308));
        v4 k = q - ALL(ROUND_MAGIC);
        SUB_PRODUCT(r, k, ALL(1.57079632673412561417e+00));
        SUB_PRODUCT(r, k, ALL(6.07710050630396597660e-11));
        SUB_PRODUCT(r, k, ALL(2.02226624879595063154e-21));
        v4 r2 = r * r, r4 = r2 * r2, r8 = r4 * r4;
        NINE_TERMS(s, SIN, r2, r4, r8);
        NINE_TERMS(c, COS, r2, r4, r8);
        s = s * r;
        // quadrant: odd k swaps sine and cosine, then the signs
        i4 k_int = (i4)q - (i4)ALL(ROUND_MAGIC), odd = -(k_int & 1);
        i4 sine = ((i4)c & odd) | ((i4)s & ~odd), cosine = ((i4)s & odd) | ((i4)c & ~odd);
        sine ^= (k_int & 2) << 62;
        cosine ^= ((k_int + 1) & 2) << 62;
        i4 near = (i4)(x < ALL(1.6e6)) & (i4)(x > ALL(-1.6e6));
        double cs[4], sn[4];
        if (ALL_TRUE(near)) {
            STORE(e_re + i, growth * (v4)cosine);
            STORE(e_im + i, growth * (v4)sine);
        } else {
            STORE(cs, (v4)cosine);
            STORE(sn, (v4)sine);
            far_phase(4, im + i, t, cs, sn);
            STORE(e_re + i, growth * LOAD(cs));
            STORE(e_im + i, growth * LOAD(sn));
        }
    }
}

// z *= e^{lambda t} by the first terms of its series.
static inline void series(int n, const double *l_re, const double *l_im, double t, int terms,
                          double *re, double *im) {
    for (int i = 0; i < n; i += 4) {
        v4 a = LOAD(l_re + i) * ALL(t), b = LOAD(l_im + i) * ALL(t);
        v4 u = ALL(1.0) + a * ALL(INVERSE[terms]), v = b * ALL(INVERSE[terms]), x;
        for (int k = terms - 1; k >= 1; k--) {
            v4 p = a * ALL(INVERSE[k]), q = b * ALL(INVERSE[k]);
            x = ALL(1.0) + (p * u - q * v);
            v = p * v + q * u;
            u = x;
        }
        v4 y = LOAD(im + i);
        x = LOAD(re + i);
        STORE(re + i, x * u - y * v);
        STORE(im + i, x * v + y * u);
    }
}

// |lambda t| <= 1e-3: five terms, error below 1e-17.
static void nudge(int n, const double *l_re, const double *l_im, double t, double *re, double *im) {
    series(n, l_re, l_im, t, 4, re, im);
}

// start: added to the first eight sums. Every slot writes the sums so far where its group's belong;
// the last of a group stays: no inner loop of changing length. Slot k after the pointers:
#define ADD_SLOT(k)                                                                                \
    do {                                                                                           \
        ptrdiff_t to_ = row_of[k];                                                                 \
        v4 x_ = ALL(re[k]), y_ = ALL(im[k]);                                                       \
        v4 u_ = LOAD(row + (k)*JD_ROW) * x_, v_ = LOAD(row + (k)*JD_ROW + 4) * x_;                 \
        SUB_PRODUCT(u_, LOAD(row + (k)*JD_ROW + 8), y_);                                           \
        SUB_PRODUCT(v_, LOAD(row + (k)*JD_ROW + 12), y_);                                          \
        a0 += u_;                                                                                  \
        a1 += v_;                                                                                  \
        STORE(prefix + to_, a0);                                                                   \
        STORE(prefix + to_ + 4, a1);                                                               \
        if (!bounds) break;                                                                        \
        ADD_PRODUCT(a2, LOAD(row + (k)*JD_ROW + 16), ALL(magnitude[k]));                           \
        STORE(prefix + to_ + 8, a2);                                                               \
    } while (0)

// bounds: those too (known when compiling); else prefix has them already. The odd slots come first,
// then fours: that leaves no pointers to be worked out after a loop.
JD_INLINE void prefix_sums(int n, const int *row_of, const double *row, const double *re,
                           const double *im, const double *magnitude, const double *start,
                           double *prefix, bool bounds) {
    v4 a0 = LOAD(start), a1 = LOAD(start + 4), a2 = ALL(0.0);
    size_t odd = (size_t)n & 3;
    const int *end = row_of + n;
    if (odd > 0) ADD_SLOT(0);
    if (odd > 1) ADD_SLOT(1);
    if (odd > 2) ADD_SLOT(2);
    row_of += odd, row += odd * JD_ROW, re += odd, im += odd, magnitude += odd;
    while (row_of < end) {
        ADD_SLOT(0);
        ADD_SLOT(1);
        ADD_SLOT(2);
        ADD_SLOT(3);
        row_of += 4, row += 4 * JD_ROW, re += 4, im += 4, magnitude += 4;
    }
}

// The last of the prefix sums alone, in the same order: the same bits.
#define TOTAL_SLOT(k)                                                                              \
    do {                                                                                           \
        v4 x_ = ALL(re[k]), y_ = ALL(im[k]);                                                       \
        v4 u_ = LOAD(row + (k)*JD_ROW) * x_, v_ = LOAD(row + (k)*JD_ROW + 4) * x_;                 \
        SUB_PRODUCT(u_, LOAD(row + (k)*JD_ROW + 8), y_);                                           \
        SUB_PRODUCT(v_, LOAD(row + (k)*JD_ROW + 12), y_);                                          \
        a0 += u_;                                                                                  \
        a1 += v_;                                                                                  \
        if (bounds) ADD_PRODUCT(a2, LOAD(row + (k)*JD_ROW + 16), ALL(magnitude[k]));               \
    } while (0)

JD_INLINE void total_sums(int n, const double *row, const double *re, const double *im,
                          const double *magnitude, const double *start, double *total,
                          bool bounds) {
    v4 a0 = LOAD(start), a1 = LOAD(start + 4), a2 = ALL(0.0);
    const double *end = re + n;
    if (n & 1) TOTAL_SLOT(0);
    row += (n & 1) * JD_ROW, re += n & 1, im += n & 1, magnitude += n & 1;
    for (; re < end; row += 2 * JD_ROW, re += 2, im += 2, magnitude += 2) {
        TOTAL_SLOT(0);
        TOTAL_SLOT(1);
    }
    STORE(total, a0);
    STORE(total + 4, a1);
    if (bounds) STORE(total + 8, a2);
}

static void sums(int n, const int *row_of, const double *row, const double *re, const double *im,
                 const double *magnitude, double *prefix) {
    static const double zero[8] = {0};
    prefix_sums(n, row_of, row, re, im, magnitude, zero, prefix, true);
}

// T8[j][i-1] = C(i,j)/C(8,j), i = 1..8: power form to Bernstein form of degree 8 (row 0 is c_0).
#define T8(j, a, b, c, d, e, f, g, h, n)                                                           \
    { a / n, b / n, c / n, d / n, e / n, f / n, g / n, h / n }
static const double BERNSTEIN8[9][8] = {
    T8(0, 1., 1., 1., 1., 1., 1., 1., 1., 1.),      T8(1, 1., 2., 3., 4., 5., 6., 7., 8., 8.),
    T8(2, 0., 1., 3., 6., 10., 15., 21., 28., 28.), T8(3, 0., 0., 1., 4., 10., 20., 35., 56., 56.),
    T8(4, 0., 0., 0., 1., 5., 15., 35., 70., 70.),  T8(5, 0., 0., 0., 0., 1., 6., 21., 56., 56.),
    T8(6, 0., 0., 0., 0., 0., 1., 7., 28., 28.),    T8(7, 0., 0., 0., 0., 0., 0., 1., 8., 8.),
    T8(8, 0., 0., 0., 0., 0., 0., 0., 1., 1.)};
// The same for degree 7, rows 0..7.
static const double BERNSTEIN7[8][8] = {
    T8(0, 1., 1., 1., 1., 1., 1., 1., 1., 1.),     T8(1, 0., 1., 2., 3., 4., 5., 6., 7., 7.),
    T8(2, 0., 0., 1., 3., 6., 10., 15., 21., 21.), T8(3, 0., 0., 0., 1., 4., 10., 20., 35., 35.),
    T8(4, 0., 0., 0., 0., 1., 5., 15., 35., 35.),  T8(5, 0., 0., 0., 0., 0., 1., 6., 21., 21.),
    T8(6, 0., 0., 0., 0., 0., 0., 1., 7., 7.),     T8(7, 0., 0., 0., 0., 0., 0., 0., 1., 1.)};

// b0, b1: the last eight Bernstein coefficients over [0, h] of sum_{j<8} c_j h^j. (The first four
// of rows 5..7 are 0 in both tables.)
#define BERNSTEIN(table, c, h, b0, b1)                                                             \
    do {                                                                                           \
        double h2_ = (h) * (h);                                                                    \
        v4 power_ = {1.0, (h), h2_, h2_ * (h)};                                                    \
        v4 lo_ = LOAD(c) * power_, hi_ = LOAD((c) + 4) * (power_ * ALL(h2_ * h2_));                \
        v4 x1_ = SPREAD(lo_, 1), x2_ = SPREAD(lo_, 2), x3_ = SPREAD(lo_, 3);                       \
        v4 x4_ = SPREAD(hi_, 0), x5_ = SPREAD(hi_, 1), x6_ = SPREAD(hi_, 2), x7_ = SPREAD(hi_, 3); \
        v4 u0_ = SPREAD(lo_, 0), u1_ = u0_;                                                        \
        v4 v0_ = x4_ * LOAD(table[4]), v1_ = x4_ * LOAD(table[4] + 4);                             \
        ADD_PRODUCT(u0_, x1_, LOAD(table[1]));                                                     \
        ADD_PRODUCT(u1_, x1_, LOAD(table[1] + 4));                                                 \
        ADD_PRODUCT(v1_, x5_, LOAD(table[5] + 4));                                                 \
        ADD_PRODUCT(u0_, x2_, LOAD(table[2]));                                                     \
        ADD_PRODUCT(u1_, x2_, LOAD(table[2] + 4));                                                 \
        ADD_PRODUCT(v1_, x6_, LOAD(table[6] + 4));                                                 \
        ADD_PRODUCT(u0_, x3_, LOAD(table[3]));                                                     \
        ADD_PRODUCT(u1_, x3_, LOAD(table[3] + 4));                                                 \
        ADD_PRODUCT(v1_, x7_, LOAD(table[7] + 4));                                                 \
        (b0) = u0_ + v0_;                                                                          \
        (b1) = u1_ + v1_;                                                                          \
    } while (0)
#define SPREAD(x, i) __builtin_shufflevector(x, x, i, i, i, i)

// 1 when all eight margins m0, m1 are positive, else the part of the interval where the polygon
// from start > 0 through them reaches 0: in front of the first that is not, found by its bit. skip
// = 1: the first margin is start itself.
#define POSITIVE_PART(start, m0, m1, skip, part)                                                   \
    do {                                                                                           \
        i4 good_ = (i4)((m0) > ALL(0.0)) & (i4)((m1) > ALL(0.0));                                  \
        if (ALL_TRUE(good_)) break;                                                                \
        double m_[9];                                                                              \
        STORE(m_ + 1 - (skip), m0);                                                                \
        STORE(m_ + 5 - (skip), m1);                                                                \
        m_[0] = (start);                                                                           \
        int lanes_ = LANES((i4)((m0) > ALL(0.0))) | LANES((i4)((m1) > ALL(0.0))) << 4 | (skip);    \
        int i_ = __builtin_ctz(~(unsigned)(lanes_ & 127)) - (skip);                                \
        double part_ = (i_ + m_[i_] / (m_[i_] - m_[i_ + 1])) / (8 - (skip));                       \
        part_ = part_ < 1 ? part_ : 0.999;                                                         \
        (part) = part_ < (part) ? part_ : (part);                                                  \
    } while (0)

// Bernstein coefficients of sum c_j h^j (degree 8, c_8 = 0) over [0, h], each widened by
// slack + remainder h^order (its own coefficient): all inside (lower, upper)? Then 1; else the part
// of h where their polygon leaves.
JD_INLINE double inside(const double *c, double h, double lower, double upper, double slack,
                        double remainder, int order) {
    double low = c[0] - slack - lower, high = upper - c[0] - slack, part = 1;
    if (!(low > 0 && high > 0)) return 0;
    v4 b0, b1;
    BERNSTEIN(BERNSTEIN8, c, h, b0, b1);
    v4 s = ALL(slack), x = ALL(remainder * power_of(h, order));
    v4 r0 = s, r1 = s;
    if (order < 8) ADD_PRODUCT(r0, x, LOAD(BERNSTEIN8[order])); // row 8 begins with 0
    ADD_PRODUCT(r1, x, LOAD(BERNSTEIN8[order] + 4));
    if (lower > -HUGE_VAL) {
        v4 m0 = b0 - r0 - ALL(lower), m1 = b1 - r1 - ALL(lower);
        POSITIVE_PART(low, m0, m1, 0, part);
    }
    if (upper < HUGE_VAL) {
        v4 m0 = ALL(upper) - (b0 + r0), m1 = ALL(upper) - (b1 + r1);
        POSITIVE_PART(high, m0, m1, 0, part);
    }
    return part;
}

// Bernstein coefficients of the polynomial d (degree 7) over [0, h] positive? Then 1; else the part
// of h where their polygon ends to be so.
static inline double positive(const double *d, double h) {
    if (!(d[0] > 0)) return 0;
    double part = 1;
    v4 b0, b1;
    BERNSTEIN(BERNSTEIN7, d, h, b0, b1);
    POSITIVE_PART(d[0], b0, b1, 1, part); // the first coefficient is d_0 itself
    return part;
}

#include "expsum/march.h"

// Rows in blocks of four, their sums in registers over all columns: up to six blocks share what
// they read. The last block begins where it has four rows; of those it shares with the one before
// nothing is stored.
#define SUM_BLOCK(i)                                                                               \
    do {                                                                                           \
        v4 block_ = LOAD(a + at[i]);                                                               \
        ADD_PRODUCT(xs[i], block_, qj);                                                            \
        ADD_PRODUCT(vs[i], block_, pj);                                                            \
    } while (0)

#define SUM_COLUMNS(n, sums)                                                                       \
    for (int j = 0; blocks == (n) && j < columns; j++, a += stride) {                              \
        v4 qj = ALL(q[j]), pj = ALL(p[j]);                                                         \
        sums;                                                                                      \
    }

// add: to what is there (known when compiling), else to nothing.
JD_INLINE void product(int rows, int columns, int stride, const double *A, const double *q,
                       const double *p, double *restrict x, double *restrict v, bool add) {
    for (int i = 0; rows >= 4 && i < rows;) {
        v4 xs[6], vs[6];
        int at[6], left = (rows - i + 3) / 4, over = 0,
                   blocks = left > 5   ? 6
                            : left > 4 ? 5
                            : left > 1 ? 2
                                       : 1;
        for (int k = 0; k < blocks; k++, i += 4) {
            at[k] = i + 4 <= rows ? i : rows - 4;
            over = i - at[k];
            xs[k] = vs[k] = ALL(0.0);
            if (add) xs[k] = LOAD(x + at[k]);
            if (add) vs[k] = LOAD(v + at[k]);
        }
        const double *a = A;
        SUM_COLUMNS(6, SUM_BLOCK(0); SUM_BLOCK(1); SUM_BLOCK(2); SUM_BLOCK(3); SUM_BLOCK(4);
                    SUM_BLOCK(5))
        SUM_COLUMNS(5, SUM_BLOCK(0); SUM_BLOCK(1); SUM_BLOCK(2); SUM_BLOCK(3); SUM_BLOCK(4))
        SUM_COLUMNS(2, SUM_BLOCK(0); SUM_BLOCK(1))
        SUM_COLUMNS(1, SUM_BLOCK(0))
        int whole = over ? blocks - 1 : blocks;
        for (int k = 0; k < whole; k++) {
            STORE(x + at[k], xs[k]);
            STORE(v + at[k], vs[k]);
        }
        for (int l = over; over && l < 4; l++) {
            x[at[whole] + l] = xs[whole][l];
            v[at[whole] + l] = vs[whole][l];
        }
    }
    for (int i = 0; rows < 4 && i < rows; i++) {
        if (!add) x[i] = v[i] = 0;
        for (int j = 0; j < columns; j++) {
            x[i] = fma(A[j * stride + i], q[j], x[i]);
            v[i] = fma(A[j * stride + i], p[j], v[i]);
        }
    }
}

static void multiply_add(int rows, int columns, int stride, const double *A, const double *q,
                         const double *p, double *x, double *v) {
    product(rows, columns, stride, A, q, p, x, v, true);
}

static void multiply(int rows, int columns, int stride, const double *A, const double *q,
                     const double *p, double *x, double *v) {
    product(rows, columns, stride, A, q, p, x, v, false);
}

#include "expsum/mix.h"

const jd_simd JD_SIMD = {rotate,     exponentials, nudge,    magnitudes, sums,
                         first_zero, multiply_add, multiply, mix};
