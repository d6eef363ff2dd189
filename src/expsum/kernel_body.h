// kernel_body.h -- the inner loops, compiled once per instruction set (JD_KERNEL names it).
//   Four lanes are written out as one vector type, so every build adds in the same order.
//   exp: x = k ln2 + r, Taylor to r^13 (error 4e-18); sin, cos: x = k pi/2 + r with pi/2 in three
//   pieces, Taylor to r^17 (5e-17); |x| < 1.6e6, beyond that libm. Errors below 1 ulp of 1.
// clang-format off
#include <math.h>
#include <string.h>

#include "expsum/sum.h"

typedef double v4 __attribute__((vector_size(32)));
typedef int64_t i4 __attribute__((vector_size(32)));
typedef double v4u __attribute__((vector_size(32), aligned(8), may_alias));
#define LOAD(p) (*(const v4u *)(p))
#define STORE(p, x) (*(v4u *)(p) = (x))
#define ALL(x) ((v4){(x), (x), (x), (x)})
// clang-format on

JD_TARGET static void rotate(int n, double *re, double *im, const double *e_re,
                             const double *e_im) {
    for (int i = 0; i < n; i += 4) {
        v4 x = LOAD(re + i), y = LOAD(im + i), a = LOAD(e_re + i), b = LOAD(e_im + i);
        STORE(re + i, x * a - y * b);
        STORE(im + i, x * b + y * a);
    }
}

JD_TARGET static void magnitudes(int n, const double *re, const double *im, double *out) {
    for (int i = 0; i < n; i++) out[i] = sqrt(re[i] * re[i] + im[i] * im[i]);
}

#define ROUND_MAGIC 6755399441055744.0 // 1.5 2^52: adding and subtracting it rounds to an integer

static const double EXP[14] = {1.0,
                               1.0,
                               1.0 / 2,
                               1.0 / 6,
                               1.0 / 24,
                               1.0 / 120,
                               1.0 / 720,
                               1.0 / 5040,
                               1.0 / 40320,
                               1.0 / 362880,
                               1.0 / 3628800,
                               1.0 / 39916800,
                               1.0 / 479001600,
                               1.0 / 6227020800};
static const double SIN[9] = {1.0,
                              -1.0 / 6,
                              1.0 / 120,
                              -1.0 / 5040,
                              1.0 / 362880,
                              -1.0 / 39916800,
                              1.0 / 6227020800,
                              -1.0 / 1307674368000,
                              1.0 / 355687428096000};
static const double COS[9] = {1.0,
                              -1.0 / 2,
                              1.0 / 24,
                              -1.0 / 720,
                              1.0 / 40320,
                              -1.0 / 3628800,
                              1.0 / 479001600,
                              -1.0 / 87178291200,
                              1.0 / 20922789888000};

// Two terms of a polynomial; polynomials are summed in blocks of four terms (short chains).
#define PAIR(c, j, x) (ALL((c)[j]) + ALL((c)[(j) + 1]) * (x))

// e^x of four lanes; 0 below e^-600 (no subnormal numbers, which are slow), clamped above e^709.
#define EXP4(x, result)                                                                            \
    do {                                                                                           \
        v4 x_ = (x);                                                                               \
        i4 low_ = (i4)(x_ < ALL(-600.0)), high_ = (i4)(x_ > ALL(709.0));                           \
        x_ = (v4)(((i4)x_ & ~(low_ | high_)) | ((i4)ALL(-600.0) & low_) |                          \
                  ((i4)ALL(709.0) & high_));                                                       \
        v4 t_ = x_ * ALL(1.44269504088896340736) + ALL(ROUND_MAGIC), k_ = t_ - ALL(ROUND_MAGIC);   \
        v4 r_ = x_ - k_ * ALL(6.93147180369123816490e-01);                                         \
        r_ = r_ - k_ * ALL(1.90821492927058770002e-10);                                            \
        v4 s_, r2_ = r_ * r_, r4_ = r2_ * r2_;                                                     \
        s_ = PAIR(EXP, 0, r_) + r2_ * PAIR(EXP, 2, r_) +                                           \
             r4_ * (PAIR(EXP, 4, r_) + r2_ * PAIR(EXP, 6, r_) +                                    \
                    r4_ * (PAIR(EXP, 8, r_) + r2_ * PAIR(EXP, 10, r_) + r4_ * PAIR(EXP, 12, r_))); \
        i4 e_ = ((i4)t_ - (i4)ALL(ROUND_MAGIC) + 1023) << 52;                                      \
        (result) = (v4)((i4)(s_ * (v4)e_) & ~low_);                                                \
    } while (0)

JD_TARGET static void far_phase(int n, const double *im, double t, double *c, double *s) {
    for (int i = 0; i < n; i++)
        if (fabs(im[i] * t) > 1.6e6) c[i] = cos(im[i] * t), s[i] = sin(im[i] * t);
}

JD_TARGET static void exponentials(int n, const double *re, const double *im, double t,
                                   double *e_re, double *e_im) {
    for (int i = 0; i < n; i += 4) {
        v4 x = LOAD(im + i) * ALL(t), growth;
        EXP4(LOAD(re + i) * ALL(t), growth);
        v4 q = x * ALL(0.63661977236758134308) + ALL(ROUND_MAGIC), k = q - ALL(ROUND_MAGIC);
        v4 r = x - k * ALL(1.57079632673412561417e+00);
        r = r - k * ALL(6.07710050630396597660e-11);
        r = r - k * ALL(2.02226624879595063154e-21);
        v4 r2 = r * r, r4 = r2 * r2, r8 = r4 * r4;
        v4 s = r * (PAIR(SIN, 0, r2) + r4 * PAIR(SIN, 2, r2) +
                    r8 * (PAIR(SIN, 4, r2) + r4 * PAIR(SIN, 6, r2) + r8 * ALL(SIN[8])));
        v4 c = PAIR(COS, 0, r2) + r4 * PAIR(COS, 2, r2) +
               r8 * (PAIR(COS, 4, r2) + r4 * PAIR(COS, 6, r2) + r8 * ALL(COS[8]));
        // quadrant: odd k swaps sine and cosine, then the signs
        i4 k_int = (i4)q - (i4)ALL(ROUND_MAGIC), odd = -(k_int & 1);
        i4 sine = ((i4)c & odd) | ((i4)s & ~odd), cosine = ((i4)s & odd) | ((i4)c & ~odd);
        sine ^= (k_int & 2) << 62;
        cosine ^= ((k_int + 1) & 2) << 62;
        i4 near = (i4)(x < ALL(1.6e6)) & (i4)(x > ALL(-1.6e6));
        double cs[4], sn[4];
        if (near[0] & near[1] & near[2] & near[3]) {
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

// z *= e^{lambda t} for |lambda t| <= 1e-3: five terms, error below 1e-17.
JD_TARGET static void nudge(int n, const double *l_re, const double *l_im, double t, double *re,
                            double *im) {
    for (int i = 0; i < n; i += 4) {
        v4 a = LOAD(l_re + i) * ALL(t), b = LOAD(l_im + i) * ALL(t);
        v4 u = ALL(1.0) + a * ALL(0.25), v = b * ALL(0.25), x;
        for (int k = 3; k >= 1; k--) {
            v4 p = a * ALL(1.0 / k), q = b * ALL(1.0 / k);
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

JD_TARGET static void sums(int n_group, const int *first, const double *row, const double *re,
                           const double *im, const double *magnitude, double (*prefix)[JD_SUMS]) {
    v4 total0 = ALL(0.0), total1 = total0, bound = total0;
    for (int g = 0; g < n_group; g++) {
        v4 a0 = ALL(0.0), a1 = a0, a2 = a0;
        for (int p = first[g]; p < first[g + 1]; p++) {
            const double *w = row + (size_t)p * JD_ROW;
            v4 x = ALL(re[p]), y = ALL(im[p]);
            a0 += LOAD(w) * x - LOAD(w + 8) * y;
            a1 += LOAD(w + 4) * x - LOAD(w + 12) * y;
            a2 += LOAD(w + 16) * ALL(magnitude[p]);
        }
        STORE(prefix[g], total0 += a0);
        STORE(prefix[g] + 4, total1 += a1);
        STORE(prefix[g] + 8, bound += a2);
    }
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

JD_TARGET static bool inside(const double *c, const double *power, double lower, double upper,
                             double slack, double remainder, int order) {
    if (!(c[0] - slack > lower && c[0] + slack < upper)) return false;
    v4 b0 = ALL(c[0]), b1 = b0;
    for (int j = 1; j < 8; j++) {
        v4 x = ALL(c[j] * power[j]);
        b0 += x * LOAD(BERNSTEIN8[j]);
        b1 += x * LOAD(BERNSTEIN8[j] + 4);
    }
    v4 s = ALL(slack), x = ALL(remainder * power[order]);
    v4 r0 = s + x * LOAD(BERNSTEIN8[order]), r1 = s + x * LOAD(BERNSTEIN8[order] + 4);
    i4 good = (i4)(b0 - r0 > ALL(lower)) & (i4)(b1 - r1 > ALL(lower)) & (i4)(b0 + r0 < ALL(upper)) &
              (i4)(b1 + r1 < ALL(upper));
    return (good[0] & good[1] & good[2] & good[3]) != 0;
}

JD_TARGET static bool positive(const double *d, const double *power) {
    if (!(d[0] > 0)) return false;
    v4 b0 = ALL(d[0]), b1 = b0;
    for (int j = 1; j < 8; j++) {
        v4 x = ALL(d[j] * power[j]);
        b0 += x * LOAD(BERNSTEIN7[j]);
        b1 += x * LOAD(BERNSTEIN7[j] + 4);
    }
    i4 good = (i4)(b0 > ALL(0.0)) & (i4)(b1 > ALL(0.0));
    return (good[0] & good[1] & good[2] & good[3]) != 0;
}

const jd_kernels JD_KERNEL = {rotate, exponentials, nudge, magnitudes, sums, inside, positive};
