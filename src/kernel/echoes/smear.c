// smear.c -- transform of a smeared echo: complementary error functions near the real line.
//   erfc(x + iy) = erfc(x) - 2 i/sqrt(pi) int_0^y e^{-(x + it)^2} dt, by Gauss' rule: y is small
#include "kernel/echoes/smear.h"

#include <math.h>

static const double root_pi = 1.7724538509055160273;
static const double root_half = 0x1.6a09e667f3bcdp-1;
static const double far = 38; // erfc(far/sqrt 2) is below the smallest number

static double complex erfc_near(double complex z) {
    static const double x[] = {0.1488743389816312, 0.4333953941292472, 0.6794095682990244,
                               0.8650633666889845, 0.9739065285171717};
    static const double w[] = {0.2955242247147529, 0.2692667193099963, 0.2190863625159820,
                               0.1494513491505806, 0.0666713443086881};
    double a = creal(z), y = cimag(z);
    double complex sum = 0;
    for (int k = 0; k < 5; k++)
        for (int side = -1; side <= 1; side += 2) {
            double complex u = cartesian(a, y * (1 + side * x[k]) / 2);
            sum += w[k] / 2 * cexp(-u * u);
        }
    return erfc(a) - cartesian(0, 2 * y / root_pi) * sum;
}

double complex jd_smear_rate(double w, double sigma, double complex omega, double complex *rate) {
    double complex down = cexp(-w * omega);
    if (w == 0 || creal(omega) * sigma > far + w / sigma) {
        *rate = -w * down;
        return down;
    }
    double complex a = (w / sigma - omega * sigma) * root_half,
                   b = (w / sigma + omega * sigma) * root_half;
    double complex first = down * erfc_near(a) / 2, second = cexp(w * omega) * erfc_near(b) / 2;
    // the two Gaussians of the derivative cancel: e^{-w omega - a^2} = e^{w omega - b^2}
    *rate = w * (second - first);
    return first + second;
}

double complex jd_smear(double w, double sigma, double complex omega) {
    double complex rate;
    return jd_smear_rate(w, sigma, omega, &rate);
}
