// string_memory.h -- the whole memory of a stretched string: what the modes above the N resolved
// ones answer to a force that is known for all times.
#ifndef JD_KERNEL_CONTINUA_STRING_MEMORY_H
#define JD_KERNEL_CONTINUA_STRING_MEMORY_H

#include "kernel/cartesian.h"
#include "structure/piecewise/nonlinear_string.h"

enum { JD_MEMORY_ORDERS = 28 };

typedef struct jd_string_memory {
    const jd_stretched *string;
    int last;                              // modes up to here one by one
    double top;                            // the polynomial holds for rho up to here
    double complex rest[JD_MEMORY_ORDERS]; // all modes above, a Chebyshev series in rho
} jd_string_memory;

// Ready for rho = omega/(pi c s) up to `top`; does nothing when it is ready already.
void jd_string_memory_reach(jd_string_memory *memory, double top);
// G(rho): the force Im[F e^(i theta)] is answered with Im[G F e^(i theta)], the string's wave speed
// being what it is now; slope: dG/drho, may be NULL.
double complex jd_string_memory_gain(const jd_string_memory *memory, double rho,
                                     double complex *slope);
// What is still to be added a time t > 0 after the force began to change: it was constant before,
// then force sin(...) + constant with value f and rate df at its beginning. speed: c s now.
double jd_string_memory_echo(const jd_string_memory *memory, double speed, double omega, double f,
                             double df, double t);

#endif
