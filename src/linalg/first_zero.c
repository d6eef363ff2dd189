// first_zero.c -- marching to the first zero below a parabola; quadratic convergence at a simple
// zero.
#include "linalg/first_zero.h"

#include <math.h>

enum { STEPS = 2000 };

static double bend_bound(int n, const double *c, double end) {
    double sum = 0;
    for (int k = n; k >= 2; k--) sum = sum * end + k * (k - 1.0) * fabs(c[k]);
    return fmax(sum, 1e-300);
}

jd_zero jd_first_zero_of(int n, const double *c, double end, double slack) {
    double M = bend_bound(n, c, end), t = 0;
    for (int step = 0; step < STEPS; step++) {
        double g = c[n], d = 0;
        for (int k = n - 1; k >= 0; k--) {
            d = d * t + g;
            g = g * t + c[k];
        }
        if (g < -slack || (g <= slack && d < 0)) {
            bool sure = g < -slack || d * d > 4 * M * slack;
            // Within the slack the zero of the polynomial itself is the best there is to say.
            double zero = t - (sure && fabs(g) <= slack ? g / d : 0);
            return (jd_zero){true, sure, zero > 0 && zero < end ? zero : t};
        }
        double above = g > 0 ? g : 0, root = sqrt(d * d + 2 * M * above);
        double s = d < 0 ? 2 * above / (root - d) : (d + root) / M;
        t += fmax(s, 1e-15 * end);
        if (t > end) return (jd_zero){.sure = true};
    }
    return (jd_zero){true, false, t};
}
