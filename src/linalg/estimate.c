// estimate.c -- what eigenvalues computed in double are worth.
//   floor = max(64 eps lambda_max, 2 |most negative lambda|): below it nothing is known.
//   error_k = max(eps lambda_max, residual_k)/(2 lambda_k)
//   A zero is a rigid-body mode, and exact, when the elastic modes stay far above the floor;
//   when they run down into it (very fine meshes) nobody can tell: error = 1.
#include "linalg/estimate.h"

#include <float.h>
#include <math.h>

// Entries printed with 14 digits (CalculiX) move eigenvalues by about 1e-13 lambda_max.
static const double negative_allowed = 1e-11;
static const double clear_of_floor = 1000;

jd_status jd_eigen_judge(jd_context *context, int n_mode, double lambda_max, const double *residual,
                         double *lambda, double *error) {
    double floor_ = 64 * DBL_EPSILON * lambda_max, lowest_elastic = lambda_max;
    if (lambda[0] < -negative_allowed * lambda_max)
        return jd_fail(context, JD_NOT_DEFINITE,
                       "the stiffness matrix is not positive semidefinite: it has the eigenvalue "
                       "%.6g (largest %.6g)",
                       lambda[0], lambda_max);
    if (-2 * lambda[0] > floor_) floor_ = -2 * lambda[0];
    for (int k = n_mode - 1; k >= 0; k--)
        if (lambda[k] > floor_) lowest_elastic = lambda[k];
    bool rigid = lowest_elastic > clear_of_floor * floor_;
    for (int k = 0; k < n_mode; k++) {
        if (lambda[k] <= floor_) {
            lambda[k] = 0;
            error[k] = rigid ? 0 : 1;
        } else
            error[k] = fmax(DBL_EPSILON * lambda_max, residual[k]) / (2 * lambda[k]);
    }
    return JD_OK;
}
