// estimate.h -- what eigenvalues computed in double are worth.
//   A residual r = K x - lambda M x, x' M x = 1, bounds the distance to an eigenvalue by
//   sqrt(r' M^-1 r); rounding of the matrices themselves costs eps lambda_max at least.
#ifndef JD_LINALG_ESTIMATE_H
#define JD_LINALG_ESTIMATE_H

#include "base/fail.h"

// Sets eigenvalues below the noise floor to 0 (rigid-body modes) and fills error, the relative
// error bound of omega = sqrt(lambda). residual[k]: sqrt(r' M^-1 r). lambda ascending.
// A clearly negative eigenvalue is JD_NOT_DEFINITE.
jd_status jd_eigen_judge(jd_context *context, int n_mode, double lambda_max, const double *residual,
                         double *lambda, double *error);

#endif
