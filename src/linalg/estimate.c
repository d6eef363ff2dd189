// estimate.c -- what eigenvalues computed in double are worth.
//   floor = max(64 eps lambda_max, 2 |most negative lambda|): below it nothing is known.
//   error_k = wrong_k/(2 lambda_k)
//   Zeros are rigid-body modes, and exact, when K has as many null vectors (of D K D, which has no
//   scale) and the elastic modes stay far above the floor; else nobody can tell: error >= 1.
#include "linalg/estimate.h"

#include <float.h>
#include <math.h>

// Entries printed with 14 digits (CalculiX) move eigenvalues by about 1e-13 lambda_max.
static const double negative_allowed = 1e-11;
static const double clear_of_floor = 1000;

static double noise_floor(double lowest, double lambda_max) {
    return fmax(64 * DBL_EPSILON * lambda_max, -2 * lowest);
}

// Eigenvalues up to the floor; *clear: the next one is far above it.
static int count_low(int n, const double *lambda, double floor_, bool *clear) {
    int low = 0;
    while (low < n && lambda[low] <= floor_) low++;
    *clear = low < n && lambda[low] > clear_of_floor * floor_;
    return low;
}

int jd_eigen_nullity(int n, bool all, const double *lambda, double lambda_max) {
    bool clear;
    int low = count_low(n, lambda, noise_floor(lambda[0], lambda_max), &clear);
    return clear || (all && low == n) ? low : -1;
}

int jd_eigen_unknown(int n_mode, double lambda_max, const double *lambda) {
    bool clear;
    return count_low(n_mode, lambda, noise_floor(lambda[0], lambda_max), &clear);
}

jd_status jd_eigen_judge(jd_context *context, int n_mode, double lambda_max, int nullity,
                         const double *wrong, double *lambda, double *error) {
    if (lambda[0] < -negative_allowed * lambda_max)
        return jd_fail(context, JD_NOT_DEFINITE,
                       "the stiffness matrix is not positive semidefinite: it has the eigenvalue "
                       "%.6g (largest %.6g)",
                       lambda[0], lambda_max);
    bool clear;
    int low = count_low(n_mode, lambda, noise_floor(lambda[0], lambda_max), &clear);
    bool rigid = (clear && low == nullity) || (low == n_mode && low <= nullity);
    for (int k = 0; k < n_mode; k++) {
        if (k < low && rigid) lambda[k] = 0;
        if (lambda[k] < 0) lambda[k] = 0;
        error[k] = lambda[k] > 0 ? wrong[k] / (2 * lambda[k]) : !rigid;
        if (k < low && !rigid) error[k] = fmax(1, error[k]);
    }
    return JD_OK;
}
