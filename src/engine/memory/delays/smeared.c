// smeared.c -- panels under a smear: Gauss' rule where it is smooth, its pole taken out where not.
//   far:   sum over 4 points of F N_w
//   near:  zeta = u + i w is the pole of P_w = 1/pi Im 1/(y - zeta); with f = F bell, f(zeta) =
//          F(zeta):  1/pi Im [ F(zeta) ln((b - zeta)/(a - zeta)) + int (f(y) - F(zeta))/(y - zeta)
//          dy ], an entire integrand, by 8 points.         Panels are at most 1.5 sigma long.
#include "engine/memory/delays/smeared.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/constants.h"
#include "base/exponential.h"

static const double pi = JD_PI;
static const double node[] = {0.06943184420297371, 0.33000947820757187, 0.66999052179242813,
                              0.93056815579702629};

smear jd_smear_at(double u, double width, double sigma, double close, bool rough) {
    double s2 = sigma * sigma;
    return (smear){u, width, -0.5 / s2, exp(-0.5 * width * width / s2), close, rough};
}

static double value(int degree, const double *p, double x) {
    double sum = p[degree];
    for (int r = degree - 1; r >= 0; r--) sum = sum * x + p[r];
    return sum;
}

void jd_smear_sample(int degree, const double *p, double *out) {
    for (int q = 0; q < SAMPLES; q++) out[q] = value(degree, p, node[q]);
}

// Im of F(zeta) ln(...) and of the integral; the points are 4 on each side of the middle.
static inline __attribute__((always_inline)) double
near_panel(bool rough, const smear *c, const kept *k, int degree, const double *p) {
    const v4 x = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363},
             w = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
    double a = k->t - c->u, b = a + k->h, w2 = c->w * c->w, at = -a / k->h, up = c->w / k->h;
    double re = p[degree], im = 0; // F(zeta), theta = at + i up
    v4 sum = ALL(0.0);
    for (int r = degree - 1; r >= 0; r--) {
        double next = re * at - im * up + p[r];
        im = im * at + re * up;
        re = next;
    }
    for (int side = -1; side <= 1; side += 2) { // Im (f - F(zeta))/(y - i w)
        v4 theta = ALL(0.5) + ALL(0.5 * side) * x, y = ALL(a) + theta * ALL(k->h), y2 = y * y;
        v4 e = ALL(c->bell) * y2, F = ALL(p[degree]);
        jd_exponential(rough, &e);
        for (int r = degree - 1; r >= 0; r--) F = F * theta + ALL(p[r]);
        F = ALL(c->scale) * e * F - ALL(re);
        sum += w * (F * ALL(c->w) - ALL(im) * y) / (y2 + ALL(w2));
    }
    double by_size = log((b * b + w2) / (a * a + w2)) / 2,
           by_angle = atan2(c->w * k->h, a * b + w2);
    return re * by_angle + im * by_size + ((sum[0] + sum[1]) + (sum[2] + sum[3])) * (k->h / 2);
}

static inline __attribute__((always_inline)) double sum_panels(bool rough, const smear *c, int n,
                                                               const kept *panel, int degree,
                                                               const double *p,
                                                               const double *sample, int stride) {
    const v4 x = {0.06943184420297371, 0.33000947820757187, 0.66999052179242813,
                  0.93056815579702629},
             weight = {0.17392742256872693, 0.32607257743127307, 0.32607257743127307,
                       0.17392742256872693},
             bell = ALL(c->bell), w2 = ALL(c->w * c->w);
    v4 far = ALL(0.0);
    double close = 0;
    for (int i = 0; i < n; i++, p += stride, sample += stride) {
        double a = panel[i].t - c->u, h = panel[i].h;
        double gap = a > 0 ? a : a + h < 0 ? a + h : 0, size = c->close * h;
        if (gap * gap + c->w * c->w < size * size) {
            close += near_panel(rough, c, &panel[i], degree, p);
            continue;
        }
        v4 y = ALL(a) + x * ALL(h);
        y *= y;
        v4 e = bell * y;
        jd_exponential(rough, &e);
        far += ALL(h) * weight * LOAD(sample) * e / (y + w2);
    }
    return (close + c->w * c->scale * ((far[0] + far[1]) + (far[2] + far[3]))) / pi;
}

JD_CLONES("avx2")
static double sum_fine(const smear *c, int n, const kept *panel, int degree, const double *p,
                       const double *sample, int stride) {
    return sum_panels(false, c, n, panel, degree, p, sample, stride);
}

JD_CLONES("avx2")
static double sum_rough(const smear *c, int n, const kept *panel, int degree, const double *p,
                        const double *sample, int stride) {
    return sum_panels(true, c, n, panel, degree, p, sample, stride);
}

double jd_smear_sum(const smear *c, int n, const kept *panel, int degree, const double *p,
                    const double *sample, int stride) {
    return (c->rough ? sum_rough : sum_fine)(c, n, panel, degree, p, sample, stride);
}
