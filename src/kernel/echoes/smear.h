// smear.h -- what damping makes of a pulse that a string or rod sends back, and its transform.
//   An echo that comes after the time d has the width w = D d:  P_w(x) = w/(pi (x^2 + w^2)).
//   Its far tails are cut by a bell of width sigma, which leaves high frequencies as they are:
//     N_w(x) = e^{-w^2/2 sigma^2} P_w(x) e^{-x^2/2 sigma^2}
//     Nhat(omega) = int N e^{-i omega x} dx = 1/2 [ e^{-w omega} erfc((w/sigma - omega
//     sigma)/sqrt2) + e^{w omega} erfc((w/sigma + omega sigma)/sqrt2) ] -> e^{-w omega}
#ifndef JD_KERNEL_ECHOES_SMEAR_H
#define JD_KERNEL_ECHOES_SMEAR_H

#include "kernel/cartesian.h"

// Nhat at omega, Re omega >= 0 and |Im omega| sigma of at most 1; w = 0: 1.
double complex jd_smear(double w, double sigma, double complex omega);
// The same with its derivative by omega.
double complex jd_smear_rate(double w, double sigma, double complex omega, double complex *rate);

#endif
