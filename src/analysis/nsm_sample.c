// nsm_sample.c -- orbits picked along a branch, for tables and pictures.
//   A branch that grazes: Chebyshev points, closer together towards both ends. One whose energy
//   grows without bound, E ~ 1/(omega_end - omega)^2: half the points by falling powers of ten of
//   the distance to that end, so that they are evenly spread in log E.
#include <math.h>

#include "analysis/nsm.h"

static const double pi = 3.141592653589793;
static const double nearest = 1e-4; // of the branch: E is 1e6 to 1e8 times its start there

static double share(jd_nsm_end end, int i, int n) {
    if (end == JD_NSM_GRAZE) return 0.5 - 0.5 * cos(pi * (i + 0.5) / n);
    int half = n / 2;
    if (i < half) return 0.9 * (0.5 - 0.5 * cos(pi * (i + 0.5) / half));
    double x = n - half > 1 ? (double)(i - half) / (n - half - 1) : 1;
    return 1 - 0.1 * pow(nearest / 0.1, x);
}

void jd_nsm_points(const jd_nsm *s, int branch, int n, double *omega) {
    const jd_nsm_branch *b = &s->branch[branch];
    for (int i = 0; i < n; i++)
        omega[i] = b->omega_start + share(b->end, i, n) * (b->omega_end - b->omega_start);
}

bool jd_nsm_stable(const jd_nsm *s, int branch, double omega, bool *stable) {
    const jd_nsm_branch *b = &s->branch[branch];
    for (int i = 0; i < b->n_interval; i++)
        if (omega <= b->interval[i].to || i == b->n_interval - 1) {
            *stable = b->interval[i].stable;
            return true;
        }
    return false;
}
