// sine_cosine.c -- sine and cosine of pi t + delta in double-double.
//   t = m/2 + r, |r| <= 1/4;  a = pi r + delta, |a| <= pi/2;  Taylor series of sin a and cos a,
//   then m quarter turns. Exact zeros where a = 0.
#include "structure/continua/sine_cosine.h"

const jd_dd jd_pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};

enum { LAST_POWER = 33 }; // (pi/2)^33/33! = 3e-31: the sum is as good as its arithmetic

// sum_j (-1)^j a^(first + 2j)/(first + 2j)!, smallest terms first (Horner)
static jd_dd series(jd_dd a, int first) {
    jd_dd square = dd_neg(dd_mul(a, a)), sum = dd(1);
    for (int p = LAST_POWER - 1 + first; p > first; p -= 2)
        sum = dd_add(dd(1), dd_div(dd_mul(square, sum), dd((double)p * (p - 1))));
    return first ? dd_mul(a, sum) : sum;
}

jd_sine_cosine jd_sine_cosine_of(jd_dd t, double delta) {
    double m = nearbyint(2 * t.hi);
    jd_dd r = dd_sub(t, dd(m / 2));
    jd_dd a = dd_add(dd_mul(jd_pi, r), dd(delta));
    jd_dd s = series(a, 1), c = series(a, 0);
    switch ((int)(m - 4 * floor(m / 4))) {
    case 0:
        return (jd_sine_cosine){s, c};
    case 1:
        return (jd_sine_cosine){c, dd_neg(s)};
    case 2:
        return (jd_sine_cosine){dd_neg(s), dd_neg(c)};
    default:
        return (jd_sine_cosine){dd_neg(c), s};
    }
}
