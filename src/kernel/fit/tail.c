// tail.c -- the modes of a beam beyond those kept, as an integral along a turned path.
//   Beyond mode K the participations of a point are their mean M and a part that swings with k,
//   the echoes from the ends, which damping has taken by then. All modes of mean M are, with
//   beta = sqrt(omega), a = D - i sqrt(1 - D^2) = e^{-i (pi/2 - h)}, sin h = D, unit time,
//     M s/pi int dbeta/(s^2 + 2 D beta^2 s + beta^4)
//       = M/pi int dbeta 1/2 [c/(s + a beta^2) + conj],   c = 1 + i D/sqrt(1 - D^2)
//   The integrand is analytic in beta: from the last mode kept the path leaves the real axis in the
//   direction (pi/2 - h)/2, in which the poles -a beta^2 go to the negative real axis, away from
//   the s = i omega that count. beta = last (1 + x e^{i (pi/2 - h)/2}), x = h exp(u - e^-u), and
//   the trapezoidal rule in u errs by e^{-pi^2/(2 step)}: 40 poles for seven decades and five
//   digits, down to times at which G is still a square root. A last real pole stands for what is
//   beyond the end of the path: Ghat(0) = 0.
//   Where the sum ends and the integral begins: Gregory's weights for the mean, which are positive,
//   and a bell's edge over the upper half of the modes for what swings: a convex combination of
//   n n' and M, so that every mode stays passive.
#include <math.h>

#include "base/constants.h"
#include "kernel/fit/parts.h"

static const double pi = JD_PI;

enum { GREGORY = 5 };

static const double first_u = -2.6; // x is 3e-7 h there

static double angle_of(double D) { return D < 1 ? asin(D) : pi / 2; }

double jd_tail_weight(int from_end) {
    static const double gregory[GREGORY] = {1.0 / 12, 1.0 / 24, 19.0 / 720, 3.0 / 160,
                                            863.0 / 60480};
    double weight = from_end == 0 ? 0.5 : 1;
    for (int d = 1; d <= GREGORY; d++) { // backward differences
        double choose = 1;
        for (int k = 0; k < from_end; k++) choose *= (double)(d - k) / (k + 1);
        weight -= gregory[d - 1] * (from_end % 2 ? -choose : choose);
    }
    return weight;
}

double jd_tail_share(int k, int K) {
    double y = 2.0 * (k + 0.5) / K - 1; // 0 in the middle, 1 at the last
    return 0.5 * erfc(4 * (2 * y - 1));
}

static double point_of(double h, double u) { return h * exp(u - exp(-u)); }

int jd_tail_poles(const tail_plan *plan) {
    int n = 1;
    while (point_of(angle_of(plan->ratio), first_u + (n - 1) * plan->step) < plan->end) n++;
    return (plan->ratio < 1 ? n : 2 * n) + 1;
}

// Poles of the path's point beta with weight dbeta/pi.
static void put_point(const tail_plan *plan, double complex beta, double complex weight, int pole,
                      double complex *s, double complex *c) {
    double D = plan->ratio, root = sqrt(fabs((1 - D) * (1 + D)));
    double complex square = beta * beta * plan->unit;
    if (D < 1) {
        *s = -cartesian(D, -root) * square;
        *c = cartesian(1, D / root) * weight;
        return;
    }
    double fast = D + root, slow = 1 / fast; // both real
    *s = -(pole ? fast : slow) * square;
    *c = (pole ? fast : -slow) / (2 * root) * weight;
}

static void put(jd_fit *f, int at, int pairs, const double *mean, double complex s,
                double complex c) {
    f->re[at] = creal(s);
    f->im[at] = fabs(cimag(s));
    if (cimag(s) < 0) c = conj(c);
    for (int i = 0; i < pairs; i++) {
        f->residue_re[i * f->n + at] = mean[i] * creal(c);
        f->residue_im[i * f->n + at] = mean[i] * cimag(c);
    }
}

void jd_tail_put(const tail_plan *plan, jd_fit *f, int at, int pairs, const double *mean) {
    double h = angle_of(plan->ratio), left = 0, top;
    double complex way = cexp(cartesian(0, (pi / 2 - h) / 2)), s = 0, c;
    int each = plan->ratio < 1 ? 1 : 2, n = (jd_tail_poles(plan) - 1) / each;
    for (int q = 0; q < n; q++) {
        double u = first_u + q * plan->step, x = point_of(h, u);
        double complex beta = plan->from * (1 + x * way);
        double complex weight = plan->from * way * x * (1 + exp(-u)) * plan->step / pi;
        for (int p = 0; p < each; p++) {
            put_point(plan, beta, weight, p, &s, &c);
            left += creal(c / s);
            put(f, at++, pairs, mean, s, c);
        }
    }
    top = cabs(s);
    put(f, at, pairs, mean, -top, left * top);
}
